"""Machine code for the kernels: made once by LLVM, kept on disk, loaded into the process.

LLVM is used directly and not through numba: the kernels are hand-written LLVM code anyway,
numba's import alone would take most of a second of the time to the first sound, and its cache
cannot be told where to live without changing the process's settings.

A cache file's name holds a hash of the code that writes the kernels, the compiler's version and
the processor's features, so a changed kernel or another machine never meets stale code. Its
first bytes are a hash of the rest, so a damaged file is made again. A folder that cannot be
written only costs the time to compile at each start.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import marshal
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
from llvmlite import ir

from engine.errors import DeviceError
from engine.kernels.ir import Isa
from engine.storage.files import write_file
from engine.storage.places import user_folder

log = logging.getLogger(__name__)

KERNELS_VARIABLE = "S2_KERNELS"
APP_NAME = "s2-voice-studio"
_DIGEST_BYTES = 32
# Modules that write code; their content is part of a cache file's name.
_SOURCES = (
    "ir",
    "quantise",
    "blocks",
    "floats",
    "product",
    "read",
    "work_queue",
    "ops",
    "attention",
    "packed",
    "rooms",
    "many_columns",
    "unpacked",
    "interleave",
    "eight_bits",
)


def default_cache_folder() -> Path:
    """The user's cache folder for compiled kernels."""
    return user_folder("cache", APP_NAME) / "kernels"


def host_isas() -> dict[str, Isa]:
    """What this machine can run, best first; ``generic`` is always there.

    The generic code is also what other architectures run; on x86 it is restricted to the
    oldest 64-bit processors, so that it runs, and is tested, without any extension.
    """
    triple = llvm.get_process_triple()
    features = llvm.get_host_cpu_features()
    host = (llvm.get_host_cpu_name(), features.flatten())
    if not triple.startswith("x86_64"):
        arm = triple.startswith(("aarch64", "arm64"))
        return {"generic": Isa("generic", *host, pairs=False, span=1, halves=arm)}
    found, pause = {}, "llvm.x86.sse2.pause"
    if all(features.get(need) for need in ("avx2", "fma", "f16c")):
        found["avx2"] = Isa("avx2", *host, pairs=True, span=1, halves=True, pause=pause)
        if all(features.get(need) for need in ("avx512bw", "avx512vl", "avx512vnni")):
            # Or LLVM takes multiply-and-add apart again, for a shorter chain and twice the work.
            fused = f"{host[1]},+fast-dpwssd"
            wide = Isa("avx512", host[0], fused, pairs=True, span=2, halves=True, pause=pause)
            found = {"avx512": wide, **found}
    found["generic"] = Isa("generic", "x86-64", "", False, 1, False, pause)
    return found


def default_isa() -> Isa:
    """The best of this machine, or what the variable ``S2_KERNELS`` names.

    Raises :class:`DeviceError` for a name that this machine cannot run.
    """
    isas = host_isas()
    name = os.environ.get(KERNELS_VARIABLE) or next(iter(isas))
    if name not in isas:
        raise DeviceError(
            "device.kernels", variable=KERNELS_VARIABLE, name=name, known=" or ".join(isas)
        )
    return isas[name]


class KernelLibrary:
    """Compiled functions by name, made or loaded when first asked for; safe to share.

    Attributes:
        isa: what the code is made for.
        compiled, loaded: how many functions were compiled, and how many came from the disk.
        fingerprint: of all that decides what the kernels compute.
    """

    def __init__(self, isa: str | None = None, cache: Path | None = None) -> None:
        """``isa`` is a name of :func:`host_isas` (:func:`default_isa` else); ``cache`` a folder."""
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.isa = host_isas()[isa] if isa is not None else default_isa()
        self.compiled = self.loaded = 0
        self._folder = cache if cache is not None else default_cache_folder()
        self.fingerprint = _fingerprint(self.isa)
        self._addresses: dict[str, int] = {}
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self._machine())
        self._lock = threading.Lock()

    def address(self, key: str, symbol: str, build: Callable[[Isa], ir.Module]) -> int:
        """Address of ``symbol`` in the module that ``build`` writes; ``key`` names it here."""
        with self._lock:
            if key not in self._addresses:
                self._addresses[key] = self._load(key, symbol, build)
            return self._addresses[key]

    def _machine(self) -> llvm.TargetMachine:
        target = llvm.Target.from_triple(llvm.get_process_triple())
        static = target.name.startswith("x86") and os.name != "nt"
        return target.create_target_machine(
            cpu=self.isa.cpu,
            features=self.isa.features,
            opt=3,
            reloc="static" if static else "default",
            codemodel="jitdefault",
            jit=True,
        )

    def _load(self, key: str, symbol: str, build: Callable[[Isa], ir.Module]) -> int:
        # Unique, because all code of the process shares one table of names.
        unique = f"s2_{self.isa.name}_{key}"
        code = self._cached(unique, lambda: self._compile(symbol, unique, build(self.isa)))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        return int(self._engine.get_function_address(unique))

    def _compile(self, symbol: str, unique: str, module: ir.Module) -> bytes:
        module.triple = llvm.get_process_triple()
        module.globals[symbol].name = unique
        parsed = llvm.parse_assembly(str(module))
        parsed.verify()
        self.compiled += 1
        return bytes(self._machine().emit_object(parsed))

    def _cached(self, name: str, make: Callable[[], bytes]) -> bytes:
        identity = hashlib.sha256(self.fingerprint + name.encode()).hexdigest()[:32]
        path = self._folder / f"{name}-{identity}.bin"
        with contextlib.suppress(OSError):
            stored = path.read_bytes()
            code = stored[_DIGEST_BYTES:]
            if hashlib.sha256(code).digest() == stored[:_DIGEST_BYTES]:
                self.loaded += 1
                return code
        code = make()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Its digest tells a file that a power cut left incomplete.
            write_file(path, [hashlib.sha256(code).digest(), code], durable=False)
        except OSError as error:
            log.debug("compiled kernels are not kept: %s", error)
        return code


def _fingerprint(isa: Isa) -> bytes:
    """Hash of all that decides the machine code, but for the kernel's own name."""
    about = repr((llvmlite.__version__, llvm.llvm_version_info, isa)).encode()
    return hashlib.sha256(
        about + code_digest(f"engine.kernels.{name}" for name in _SOURCES)
    ).digest()


def code_digest(modules: Iterable[str]) -> bytes:
    """Hash of the code of modules as Python compiled it.

    That exists in a frozen program as well, and costs less than to run it only to see whether
    what it makes has changed.
    """
    parts = []
    for name in modules:
        module = importlib.import_module(name)
        loader = module.__spec__.loader if module.__spec__ is not None else None
        # Asked by name: the loader of a frozen program is no InspectLoader, but has this too.
        get_code = getattr(loader, "get_code", None)
        code = get_code(name) if get_code is not None else None
        # Version 2 of the format has no back references, whose number varies between runs.
        # Without the code nothing may be kept: a changed kernel could not be told.
        parts.append(marshal.dumps(code, 2) if code is not None else os.urandom(16))
    return hashlib.sha256(b"".join(parts)).digest()
