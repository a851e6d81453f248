"""Loading an engine, in the order of spec 06, section 1; a failure leaves nothing behind."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from engine.cancel import CancelToken
from engine.codec.codec import AudioCodec
from engine.codec.fallback import CodecHost
from engine.errors import DeviceError, Message, ModelFileError
from engine.gguf.fingerprint import fingerprint
from engine.gguf.inspect import describe, memory_needs
from engine.gguf.reader import GGUFFile
from engine.kernels.jit import code_digest
from engine.kernels.linear import PoolKernels
from engine.kernels.pool import KernelPool
from engine.lm.cache import PrefixCache
from engine.lm.config import ARConfig
from engine.lm.cuda_graphs import prepare_frames
from engine.lm.dual_ar import SLOW_LAYERS, DualAR
from engine.lm.layers import layer_devices
from engine.lm.prefix_store import PrefixStore, StoredPrefixCache
from engine.machine.devices import (
    BENCHMARK_FRAMES,
    CodecChoice,
    VerdictFile,
    choose_codec_device,
    first_line,
    free_memory,
    is_out_of_memory,
    out_of_memory,
    place_layers,
    probe,
    release_memory,
    resolve_device,
    timed_decode,
)
from engine.machine.memory import check_memory
from engine.machine.populate import map_pages
from engine.machine.threads import apply_threads
from engine.storage.places import user_folder
from engine.synthesis.preparing import EngineParts
from engine.text.tokenizer import Tokenizer
from engine.types import Arithmetic, CodecPolicy, ModelInfo, Progress

STEPS = 5
PREFIX_CACHE_BYTES = 512 * 2**20
# The code that computes keys and values, beside the compiled kernels.
_READING = (
    "engine.gguf.dequant",
    "engine.gguf.linear",
    "engine.kernels.linear",
    "engine.kernels.pool",
    "engine.kernels.program",
    "engine.kernels.prompts",
    "engine.lm.compiled",
    "engine.lm.layers",
    "engine.lm.rotary",
    "engine.lm.slow_ar",
)

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a model file became.

    Attributes:
        file: stays mapped as long as ``parts`` are used.
        warnings: sentences for the user that came up.
    """

    parts: EngineParts
    info: ModelInfo
    file: GGUFFile
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """Where and how a model shall run; see :meth:`engine.engine.Engine.load`."""

    device: str
    gpu_layers: int
    threads: int
    codec_policy: CodecPolicy
    arithmetic: Arithmetic
    voice_cache_mb: int


def load(
    model: Path,
    tokenizer: Path | None,
    options: LoadOptions,
    progress: OnProgress | None,
    cancel: CancelToken,
) -> Loaded:
    """Do the work of :meth:`engine.engine.Engine.load`, which says what may go wrong."""

    def step(done: int, doing: str) -> None:
        cancel.raise_if_cancelled()
        if progress is not None:
            progress(Progress("load", done, STEPS, doing))

    step(0, "opening the file")
    device, count = resolve_device(options.device), apply_threads(options.threads)
    with ExitStack() as failed:
        file = failed.enter_context(GGUFFile.open(model))
        slow = check_memory(memory_needs(file)) if device == "cpu" else []
        map_pages(file.span(0, file.size))
        # On the CPU the codec is read meanwhile; elsewhere the model comes first: it must fit.
        pool = KernelPool(count)
        codec = AudioCodec.from_gguf(file, beside=True, pool=pool) if device == "cpu" else None
        step(1, "reading the tokenizer")
        words = Tokenizer.load(Tokenizer.find(model, tokenizer))
        if device != "cpu":
            probe(device)
        step(2, "binding the model")
        ar, warnings = load_model(file, words, device, options.gpu_layers, pool, options.arithmetic)
        step(3, "reading the codec")
        codec, choice = load_codec(file, device, options.codec_policy, count, codec)
        check_together(ar, codec)
        step(4, "ready")
        if prepare_frames(ar) is None and ar.graphs.failure:
            warnings.append(Message("lm.no_graphs", reason=ar.graphs.failure))
        host = CodecHost(codec, None if choice.device == "cpu" else cpu_codec(file))
        prefixes = prefix_cache(file, ar, pool, options.voice_cache_mb)
        parts = EngineParts(words, ar, host, prefixes)
        info = model_info(file, ar, choice, device)
        step(STEPS, "ready")
        failed.pop_all()
    return Loaded(parts, info, file, (*warnings, *slow))


def prefix_cache(file: GGUFFile, ar: DualAR, pool: KernelPool, stored_mb: int) -> PrefixCache:
    """Keeps what was computed of voices, up to ``stored_mb`` megabytes of it on disk."""
    if not stored_mb:
        return PrefixCache(PREFIX_CACHE_BYTES)
    about = torch.__version__, torch.backends.cpu.get_cpu_capability(), torch.get_num_threads()
    where = [str(device) for device in layer_devices(ar.slow.layers)]
    origin = hashlib.sha256(fingerprint(file) + pool.library.fingerprint)
    origin.update(repr((about, ar.arithmetic, where)).encode() + code_digest(_READING))
    store = PrefixStore(voice_cache_folder(), stored_mb * 1_000_000, origin.digest())
    return StoredPrefixCache(PREFIX_CACHE_BYTES, store)


def voice_cache_folder() -> Path:
    """Where the keys and values of voices are kept; safe to delete."""
    return user_folder("cache") / "voices"


def load_model(
    file: GGUFFile,
    words: Tokenizer,
    device: str,
    gpu_layers: int,
    pool: KernelPool,
    arithmetic: Arithmetic = "exact",
) -> tuple[DualAR, list[str]]:
    """Bind the dual-AR model on ``device``; trouble there is an error, never another device.

    Layers on the CPU multiply with the kernels of ``pool``, whose threads the model ends. What
    cannot read prompts fast reads them exactly, and a warning says so.
    """
    try:
        layers = ARConfig.from_gguf(file).n_layers
        count, warnings = place_layers(gpu_layers, layers, device != "cpu")
        if gpu_layers < 0:
            count, said = _fitting_layers(file, device, count)
            warnings += said
        fast = arithmetic == "fast"

        def bind(eight_bits: str | None) -> DualAR:
            kernels = PoolKernels(pool, eight_bits)
            kernels.warm_up(file)
            return DualAR.from_gguf(file, words.im_end, device, layers=count, kernels=kernels)

        ar = bind(SLOW_LAYERS if fast and device == "cpu" else None)
        if fast and ar.arithmetic != arithmetic:
            warnings.append(Message("lm.exact_only"))
            ar = bind(None) if device == "cpu" else ar
    except (RuntimeError, MemoryError) as error:
        # The error may be shown for long; its frames would hold what was placed until then.
        traceback.clear_frames(error.__traceback__)
        release_memory(device)
        if is_out_of_memory(error):
            raise out_of_memory(device, Message("doing.loading")) from error
        advice = "advice.model_again" if device == "cpu" else "advice.cpu"
        raise DeviceError(
            "model.not_loaded", advice=advice, device=device, reason=first_line(error)
        ) from error
    words.check_model(ar.config.vocab_size, ar.config.semantic_begin, ar.config.semantic_end)
    return ar, warnings


def _fitting_layers(file: GGUFFile, device: str, count: int) -> tuple[int, list[str]]:
    """How many of ``count`` layers the memory of ``device`` has room for, and a warning."""
    release_memory(device)
    free = free_memory(device)
    if free is None or (fitting := memory_needs(file).layers_in(free)) >= count:
        return count, []
    return fitting, [
        Message("device.some_layers", fitting=fitting, count=count, device=device, free=free / 1e9)
    ]


def load_codec(
    file: GGUFFile,
    device: str,
    policy: CodecPolicy,
    threads: int,
    begun: AudioCodec | None = None,
) -> tuple[AudioCodec, CodecChoice]:
    """Load the codec where the policy says; trouble on an accelerator falls back to the CPU.

    ``begun`` is a codec that is being read on the CPU already.
    """
    import numpy as np

    made: dict[str, AudioCodec] = {} if begun is None else {"cpu": begun}

    def codec_on(where: str) -> AudioCodec:
        if where not in made:
            made[where] = AudioCodec.from_gguf(file, where)
        return made[where]

    def measure(where: str) -> float:
        codec = codec_on(where)
        zeros = np.zeros((codec.config.num_codebooks, BENCHMARK_FRAMES), np.int32)
        return timed_decode(lambda: codec.decode(zeros))

    key = f"{file.path.resolve()}|{file.size}|{device}|{threads}"
    choice = choose_codec_device(policy, device, measure, VerdictFile(verdict_path()), key)
    if choice.device != "cpu":
        try:
            return codec_on(choice.device), choice
        except (RuntimeError, MemoryError) as error:
            reason = f"{choice.device} failed ({first_line(error)}), so the CPU decodes"
            made.pop(choice.device, None)
            choice = CodecChoice("cpu", reason, choice.cpu_ms, choice.accelerator_ms)
    return codec_on("cpu"), choice


def cpu_codec(file: GGUFFile) -> Callable[[], AudioCodec]:
    """Loads the codec on the CPU when the accelerator failed; ``file`` stays open until then."""
    return lambda: AudioCodec.from_gguf(file)


def verdict_path() -> Path:
    """File that remembers which device decodes faster."""
    return user_folder("cache") / "codec.json"


def check_together(ar: DualAR, codec: AudioCodec) -> None:
    """Check that both halves of the file describe one model (spec 01, section 6)."""
    if ar.config.num_codebooks != codec.config.num_codebooks:
        raise ModelFileError(
            "model.codebooks",
            num_codebooks=ar.config.num_codebooks,
            codec_codebooks=codec.config.num_codebooks,
        )


def model_info(file: GGUFFile, ar: DualAR, choice: CodecChoice, device: str) -> ModelInfo:
    """Facts about a loaded model, for display."""
    moved = 0 if device == "cpu" else sum(d.type != "cpu" for d in layer_devices(ar.slow.layers))
    return replace(
        describe(file),
        device=device if moved else "cpu",
        gpu_layers=moved,
        codec_device=choice.device,
        codec_reason=choice.reason,
        arithmetic=ar.arithmetic,
    )
