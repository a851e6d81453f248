"""Facts about a model file from its header alone, without loading a tensor."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from engine.errors import ModelFileError
from engine.gguf.quant_types import type_name
from engine.gguf.reader import ARCH_MODEL, GGUFFile, TensorInfo, shown
from engine.types import ModelInfo, Sampling

# Columns of an ordinary prompt with a reference, beside the default budget of frames.
_PROMPT_COLUMNS = 300
_FLOAT_BYTES = 4
_DENSE_BYTES = 2
# On an accelerator, beside weights and cache: half of the codec, libraries, intermediate sums.
_WORKING_BYTES = 3 << 29
# Of the cache that graphs work on (engine/lm/cuda_graphs.py).
_STATIC_POSITIONS = 2048
# Interpreter, torch, buffers of one synthesis.
_PROCESS_BYTES = 500 << 20
_CODEC = "fish_speech.codec."
_FIRST_WQKV = "layers.0.attention.wqkv.weight"


@dataclass(frozen=True, slots=True)
class MemoryNeeds:
    """What a synthesis needs, part by part, in bytes.

    Attributes:
        process: interpreter, libraries and buffers.
        stored: the dual-AR model as the file stores it, which is how a CPU uses it.
        layer: one slow layer in 16 bits, which is how an accelerator holds it.
        fast: what goes there with the first layer: the fast model in 16 bits, the head, and the
            rows of the tables that frames read.
        codec: the codec in 32 bits.
        position: keys and values of one position of the context.
        context: positions that the model allows.
        layers: layers of the slow model, for those that go to an accelerator.
    """

    process: int
    stored: int
    layer: int
    fast: int
    codec: int
    position: int
    context: int
    layers: int

    def cache(self, frames: int = Sampling().max_new_tokens) -> int:
        """Keys and values of a prompt of ordinary length and of ``frames`` after it."""
        return self.position * min(_PROMPT_COLUMNS + frames, self.context)

    @property
    def dense(self) -> int:
        """The whole model on an accelerator."""
        return self.layers * self.layer + self.fast

    def layers_in(self, free: int) -> int:
        """Slow layers for which an accelerator with ``free`` bytes has room, with their cache."""
        room = free - _WORKING_BYTES - self.fast
        each = self.layer + _STATIC_POSITIONS * self.position // max(1, self.layers)
        return max(0, min(self.layers, room // max(1, each)))

    def on_cpu(self, frames: int = Sampling().max_new_tokens) -> int:
        """All of it on the CPU, with a budget of ``frames``."""
        return self.process + self.stored + self.codec + self.cache(frames)


def memory_needs(file: GGUFFile) -> MemoryNeeds:
    """Read from the header what a synthesis needs.

    Raises :class:`ModelFileError` when it is not an S2 model or lacks a required key.
    """
    codec, ar = _split(file, file.codec_prefix)
    return MemoryNeeds(
        process=_PROCESS_BYTES,
        stored=sum(t.nbytes for t in ar),
        layer=_DENSE_BYTES * sum(t.elements for t in ar if t.name.startswith("layers.0.")),
        fast=_fast_bytes(file) if ar else 0,
        codec=sum(t.elements for t in codec) * _FLOAT_BYTES,
        position=_position_bytes(file),
        context=file.get_u32("fish-speech.context_length", 32768) if ar else 0,
        layers=file.get_u32("fish-speech.block_count", 36) if ar else 0,
    )


def _fast_bytes(file: GGUFFile) -> int:
    """What goes to an accelerator beside the slow layers."""
    fast = sum(t.elements for name, t in file.tensors.items() if name.startswith("fast_"))
    rows = 1 + file.get_u32("fish_speech.codebook_size", 4096)
    tables = sum(
        t.nbytes if name.startswith("codebook") else t.nbytes * rows // max(1, t.shape[0])
        for name, t in file.tensors.items()
        if name in ("embeddings.weight", "codebook_embeddings.weight")
    )
    table = file.tensors.get("embeddings.weight")
    head = 0 if table is None else rows * table.shape[-1] * _FLOAT_BYTES
    return fast * _DENSE_BYTES + tables + head


def describe(file: GGUFFile) -> ModelInfo:
    """What an open file is: sizes, types and the memory that it needs.

    Raises :class:`ModelFileError` when it is not an S2 model or lacks a required key.
    """
    prefix = file.codec_prefix
    codec, ar = _split(file, prefix)
    residuals = file.get_u32(_CODEC + "quantizer_residual_codebooks")
    semantic = file.get_u32(_CODEC + "quantizer_semantic_codebook_size")
    hop = file.get_u32(_CODEC + "hop_length")
    down = file.get_int_list(_CODEC + "quantizer_downsample_factor")
    codec_parameters = sum(t.elements for t in codec)
    return ModelInfo(
        path=shown(file.path),
        name=file.get_str("general.name", "") or file.path.stem,
        file_bytes=file.size,
        sample_rate=file.get_u32(_CODEC + "sample_rate"),
        samples_per_frame=_positive(hop * math.prod(down), "samples per frame"),
        num_codebooks=file.get_u32("fish_speech.num_codebooks", residuals + 1),
        semantic_size=semantic,
        residual_size=file.get_u32(_CODEC + "quantizer_residual_codebook_size"),
        context_length=file.get_u32("fish-speech.context_length", 32768) if ar else 0,
        ar_parameters=sum(t.elements for t in ar),
        codec_parameters=codec_parameters,
        types=dict(Counter(type_name(t.type_id) for t in ar).most_common()),
        memory_bytes=memory_needs(file).on_cpu(),
        codebook_size=file.get_u32("fish_speech.codebook_size", semantic),
        codec_window=file.get_u32(_CODEC + "rvq_transformer.window_size"),
    )


def _split(file: GGUFFile, prefix: str) -> tuple[list[TensorInfo], list[TensorInfo]]:
    """The codec's tensors and the dual-AR model's."""
    codec = [t for name, t in file.tensors.items() if name.startswith(prefix)]
    ar = [] if not prefix else [t for n, t in file.tensors.items() if not n.startswith(prefix)]
    return codec, ar


def _positive(value: int, what: str) -> int:
    if value < 1:
        raise ModelFileError("gguf.inconsistent", what=what, value=value)
    return value


def _position_bytes(file: GGUFFile) -> int:
    """Keys and values of one position in every layer of the slow model."""
    if file.architecture != ARCH_MODEL or _FIRST_WQKV not in file.tensors:
        return 0
    heads = file.get_u32("fish-speech.attention.head_count", 32)
    kv_heads = file.get_u32("fish-speech.attention.head_count_kv", 8)
    groups = _positive(heads + 2 * kv_heads, "the number of attention heads")
    head_dim = file.tensors[_FIRST_WQKV].shape[0] // groups
    layers = file.get_u32("fish-speech.block_count", 36)
    return 2 * layers * kv_heads * head_dim * _FLOAT_BYTES
