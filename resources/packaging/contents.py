"""What goes into the built folder and what stays out."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from fnmatch import fnmatch
from pathlib import Path

PROGRAM = "s2studio"
COMMAND = "s2"
FOLDER = "s2-voice-studio"

# Of torch, only what ``import torch`` loads and the engine calls: no compiler, no training on
# several machines, no export to other formats. A test speaks with all of them blocked.
WITHOUT_TORCH = (
    "torch._dynamo",
    "torch._inductor",
    "torch._lazy",
    "torch._numpy",
    "torch.contrib",
    "torch.distributed._composable",
    "torch.distributed._shard",
    "torch.distributed._sharded_tensor",
    "torch.distributed._sharding_spec",
    "torch.distributed._symmetric_memory",
    "torch.distributed._tensor",
    "torch.distributed._tools",
    "torch.distributed.algorithms._checkpoint",
    "torch.distributed.algorithms._comm_hooks",
    "torch.distributed.algorithms._optimizer_overlap",
    "torch.distributed.algorithms._quantization",
    "torch.distributed.algorithms.ddp_comm_hooks",
    "torch.distributed.algorithms.model_averaging",
    "torch.distributed.checkpoint",
    "torch.distributed.elastic",
    "torch.distributed.examples",
    "torch.distributed.fsdp",
    "torch.distributed.launcher",
    "torch.distributed.nn",
    "torch.distributed.optim",
    "torch.distributed.pipelining",
    "torch.distributed.tensor",
    "torch.onnx",
    "torch.testing._internal.common_device_type",
    "torch.testing._internal.common_distributed",
    "torch.testing._internal.common_methods_invocations",
    "torch.testing._internal.common_utils",
    "torch.testing._internal.distributed",
    "torch.testing._internal.hop_db",
    "torch.testing._internal.opinfo",
    "torch.testing._internal.optests",
    "torch.testing._internal.subclasses",
    "torch.testing._internal.two_tensor",
    "torch.utils.benchmark",
    "torch.utils.bottleneck",
    "torch.utils.hipify",
    "torch.utils.mobile_optimizer",
    "torch.utils.tensorboard",
    "torch.utils.viz",
)

# Libraries that ours mention for uses that we do not have.
WITHOUT_LIBRARIES = (
    "_pytest",
    "IPython",
    "PIL",
    "cv2",
    "functorch",
    "hf_xet",
    "hypothesis",
    "jinja2",
    "matplotlib",
    "ml_dtypes",
    "mpmath",
    "mypy",
    "networkx",
    "numba",
    "numpy.distutils",
    "numpy.f2py",
    "numpy.testing",
    "onnxruntime",
    "openai",
    "pandas",
    "pip",
    "pycparser",
    "pygments",
    "pytest",
    "readline",
    "scipy",
    "setuptools",
    "sqlite3",
    "sympy",
    "tensorboard",
    "tkinter",
    "torchvision",
    "triton",
    "wheel",
    "curses",
    "idlelib",
    "lib2to3",
    "pydoc_data",
    "turtledemo",
)

# Parts of ours that build or test, and are no part of the program.
WITHOUT_OURS = ("tests", "resources")

# The extras ``transcribe`` and ``media``: large libraries, which a slim build leaves out.
# onnxruntime stays out in any case: faster-whisper wants it for cutting out silence only, which
# is not used.
TRANSCRIPTION = ("faster_whisper", "ctranslate2", "av", "huggingface_hub")

# Qt modules, libraries and plugins that a window of ours never loads; matched against the
# path within the folder.
UNUSED_FILES = (
    "*/plugins/designer/*",
    "*/plugins/egldeviceintegrations/*",
    "*/plugins/generic/*",
    "*/plugins/networkinformation/*",
    "*/plugins/platforms/*eglfs*",
    "*/plugins/platforms/*linuxfb*",
    "*/plugins/platforms/*minimal*",
    "*/plugins/platforms/*vkkhrdisplay*",
    "*/plugins/platforms/*vnc*",
    "*/plugins/platformthemes/*gtk3*",
    "*/plugins/printsupport/*",
    "*/plugins/qml*/*",
    "*/plugins/sqldrivers/*",
    "*/plugins/vectorimageformats/*",
    "*/plugins/wayland-graphics-integration-server/*",
    "*/plugins/xcbglintegrations/*",
    "*/plugins/imageformats/*pdf*",
    "*/plugins/imageformats/*tga*",
    "*/plugins/imageformats/*tiff*",
    "*/plugins/imageformats/*wbmp*",
    "*Qt6EglF*",
    "*Qt6Labs*",
    "*Qt6Pdf*",
    "*Qt6PrintSupport*",
    "*Qt6Qml*",
    "*Qt6Quick*",
    "*Qt6Sql*",
    "*Qt6Test*",
    "*Qt6VirtualKeyboard*",
    "*/plugins/platforminputcontexts/*virtualkeyboard*",
    "*Qt6WaylandCompositor*",
    "*opengl32sw.dll",
    "*/torch/include/*",
    "*/torch/share/*",
    "*/torch/test/*",
    "*/torch/lib/*.a",
    "*/torch/lib/*.lib",
    "*/torch/lib/libaoti_custom_ops*",
    "*/torch/lib/libbackend_with_compiler*",
    "*/torch/lib/libjitbackend_test*",
    "*/torch/lib/libtorchbind_test*",
    "*.pyi",
    "*/numpy/*/tests/*",
    "*.dist-info/RECORD",
    "*.dist-info/direct_url.json",
)
# Qt's own texts: the dialogs of the languages that the window speaks.
QT_TEXTS = ("qtbase_en.qm", "qtbase_zh_CN.qm", "qt_zh_CN.qm", "qt_en.qm")

# The system's, where it has one; see hooks/start_linux.py.
LINUX_SOUND = ("libasound.so.2", "libdb-5.3.so", "libjack.so.0", "libportaudio.so.2")

# Packages whose metadata goes along: the report shows versions, and each brings its license.
METADATA = (
    "PySide6-Essentials",
    "anyio",
    "av",
    "certifi",
    "cffi",
    "click",
    "ctranslate2",
    "faster-whisper",
    "filelock",
    "h11",
    "httpcore",
    "httpx",
    "httpx-sse",
    "huggingface_hub",
    "idna",
    "llvmlite",
    "numpy",
    "ormsgpack",
    "platformdirs",
    "psutil",
    "python-multipart",
    "shiboken6",
    "sounddevice",
    "soundfile",
    "soxr",
    "starlette",
    "tokenizers",
    "torch",
    "tqdm",
    "typing_extensions",
    "uvicorn",
)

OPTIONAL = ("starlette", "uvicorn", "python_multipart", "httpx", "httpx_sse", "ormsgpack")


def excluded_modules(transcribe: bool) -> list[str]:
    """Modules that PyInstaller shall not follow."""
    more = () if transcribe else TRANSCRIPTION
    return [*WITHOUT_TORCH, *WITHOUT_LIBRARIES, *WITHOUT_OURS, *more]


def is_unused(name: str) -> bool:
    """Whether file ``name`` (its path in the folder) is left out."""
    path = "/" + name.replace("\\", "/")
    if path.endswith(".qm") and "/PySide6/" in path:
        return path.rsplit("/", 1)[1] not in QT_TEXTS
    return any(fnmatch(path, pattern) for pattern in UNUSED_FILES)


def metadata(transcribe: bool) -> list[str]:
    """Packages whose metadata goes along, as far as they are installed here."""
    found = []
    for name in METADATA:
        try:
            importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if transcribe or name.replace("-", "_") not in TRANSCRIPTION:
            found.append(name)
    return found


def present(modules: tuple[str, ...]) -> list[str]:
    """Those of ``modules`` that are installed here."""
    return [name for name in modules if importlib.util.find_spec(name) is not None]


def data_files(root: Path) -> list[tuple[str, str]]:
    """What ships of ``resources`` and ``voices``, and the engine's sentences.

    Each as (file, folder within the build).
    """
    recipes = (root / "resources" / "demo_voice", root / "resources" / "packaging")
    found = [(str(root / "engine" / "sentences.toml"), "engine")]
    for top in ("resources", "voices"):
        for path in sorted((root / top).rglob("*")):
            hidden = any(part.startswith((".", "__")) for part in path.relative_to(root).parts)
            ours = path.is_file() and not hidden and path.suffix not in (".py", ".ts")
            if ours and not any(recipe in path.parents for recipe in recipes):
                found.append((str(path), str(path.parent.relative_to(root))))
    return found
