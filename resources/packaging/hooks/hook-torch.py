"""torch for inference on a processor: its libraries, and the modules that it really imports.

The usual recipe collects every module and every data file. Here the modules are found by
their imports and `resources.packaging.contents` cuts off the branches that are not needed.
"""

import sys
from pathlib import Path

from PyInstaller.utils.hooks import (
    PY_DYLIB_PATTERNS,
    collect_dynamic_libs,
    get_module_file_attribute,
)

hiddenimports = ["torch.utils._device"]
binaries = collect_dynamic_libs("torch", search_patterns=[*PY_DYLIB_PATTERNS, "*.so.*"])
home = Path(get_module_file_attribute("torch")).parent
if sys.platform != "win32":
    # torch refuses to load where this helper is not found, though only training starts it.
    binaries.append((str(home / "bin" / "torch_shm_manager"), "torch/bin"))
# These modules read their own source while they are loaded.
module_collection_mode = {
    f"torch.{path.relative_to(home).with_suffix('').as_posix().replace('/', '.')}": "pyz+py"
    for path in home.rglob("*config.py")
    if "install_config_module(" in path.read_text(encoding="utf-8")
}
# torch finds its libraries by where they lie, so they must not be linked to the top folder.
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]
