"""The time-axis transformer: prompt columns in, state and restricted logits out (spec 03, 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.errors import GenerationError, ModelFileError
from engine.gguf.linear import KernelChooser, QuantEmbedding, QuantLinear
from engine.lm.cache import KVCache
from engine.lm.compiled import CompiledStack
from engine.lm.config import ARConfig
from engine.lm.factory import WeightFactory
from engine.lm.layers import RMSNorm, TransformerLayer, layer_devices, run_layers
from engine.lm.rotary import rope_table

Columns = np.ndarray | Tensor


@dataclass(frozen=True, slots=True)
class SlowState:
    """What the model says after its last column.

    Attributes:
        hidden: ``(dim,)`` after the final norm.
        fast_input: ``(dim,)`` for the codebook-axis model: ``hidden``, or the state before the
            norm where the model was trained so.
        logits: ``(codebook_size + 1,)`` over the ids that may be drawn: index i is semantic
            code i, the last index is the end token.
    """

    hidden: Tensor
    fast_input: Tensor
    logits: Tensor


class SlowAR(nn.Module):
    """Embedding, layers, final norm and restricted head.

    Only the semantic ids and the end token can ever be drawn, so only their rows of the output
    matrix are multiplied; this is exact (spec 03, section 2.4).

    Attributes:
        config: sizes.
        head_ids: int64 ``(codebook_size + 1,)``, token id of each restricted index.
        end_index: restricted index of the end token.
    """

    head_ids: Tensor
    _offsets: Tensor
    _head: Tensor | None

    def __init__(self, config: ARConfig, weights: WeightFactory, im_end: int) -> None:
        super().__init__()
        c = config
        if not 0 <= im_end < c.vocab_size or c.semantic_begin <= im_end <= c.semantic_end:
            raise ModelFileError("tokenizer.end_token", im_end=im_end, vocab_size=c.vocab_size)
        self.config = config
        self.end_index = c.codebook_size
        self.embeddings = weights.embedding("embeddings.weight", c.vocab_size, c.dim)
        self.codebook_embeddings = weights.embedding(
            "codebook_embeddings.weight", c.num_codebooks * c.codebook_size, c.dim
        )
        self.layers = nn.ModuleList(
            TransformerLayer(c, weights, f"layers.{i}") for i in range(c.n_layers)
        )
        self.norm = RMSNorm(weights.f32("norm.weight", (c.dim,)), c.eps)
        self.output: nn.Module | None = None
        self.head: QuantLinear | None = None
        self.compiled: CompiledStack | None = None
        if not c.tie_embeddings:
            self.output = weights.embedding("output.weight", c.vocab_size, c.dim)
        ids = [*range(c.semantic_begin, c.semantic_end + 1), im_end]
        offsets = torch.arange(0, c.num_codebooks * c.codebook_size, c.codebook_size)
        self.register_buffer("head_ids", torch.tensor(ids, dtype=torch.int64), persistent=False)
        self.register_buffer("_offsets", offsets, persistent=False)
        self.register_buffer("_head", None, persistent=False)

    @property
    def device(self) -> torch.device:
        """Where the final norm and the head are, and so the states that come out."""
        return self.norm.weight.device

    def place(self, device: torch.device | str, count: int) -> None:
        """Put the last ``count`` layers, the final norm and the head on a device.

        The embedding tables stay where they are: a step reads a few of their rows only, and
        they would take a tenth of the accelerator's memory. With no layer nothing moves.
        """
        if count:
            self.layers[len(self.layers) - count :].to(device)
            self.norm.to(device)

    def freeze_head(self, kernels: KernelChooser | None = None) -> None:
        """Gather the restricted rows once; for serving, not for training.

        They stay packed where a kernel reads them as they are, a sixth of the size for a
        6-bit table; elsewhere they become float32 beside the final norm.
        """
        table = self.embeddings if self.output is None else self.output
        self._head, self.head = None, None
        if kernels is not None and self.device.type == "cpu" and isinstance(table, QuantEmbedding):
            head = table.head(self.head_ids, kernels=kernels)
            self.head = head if head.kernel is not None else None
        if self.head is None:
            with torch.no_grad():
                self._head = self._gather_head().contiguous().to(self.device)

    @property
    def head_bytes(self) -> int:
        """Bytes of the restricted rows as they are read; 0 before they were gathered."""
        if self.head is not None and self.head.matrix is not None:
            return int(self.head.matrix.raw.nbytes)
        return 0 if self._head is None else self._head.nbytes

    def _gather_head(self) -> Tensor:
        table = self.embeddings if self.output is None else self.output
        rows: Tensor = table(self.head_ids)
        return rows

    def logits(self, hidden: Tensor) -> Tensor:
        """Restricted logits ``(..., codebook_size + 1)`` of normed states ``(..., dim)``."""
        if self.head is not None:
            packed: Tensor = self.head(hidden)
            return packed
        return F.linear(hidden, self._gather_head() if self._head is None else self._head)

    def new_cache(self, capacity: int, *, dtype: torch.dtype = torch.float32) -> KVCache:
        """An empty cache of this stack for one request."""
        return KVCache(self.config, capacity, dtype=dtype, device=layer_devices(self.layers))

    def embed(self, columns: Tensor) -> Tensor:
        """Input vectors ``(..., T, dim)`` of int columns ``(..., num_codebooks + 1, T)``.

        A text column is its token's row, whatever its codes hold; a semantic column adds the
        row of each code and is then scaled (spec 03, section 2.1).
        """
        c = self.config
        ids = columns[..., 0, :].long()
        x: Tensor = self.embeddings(ids)
        semantic = (ids >= c.semantic_begin) & (ids <= c.semantic_end)
        if not bool(semantic.any()):
            return x
        codes = columns[..., 1:, :].movedim(-2, -1)[semantic].long()
        rows = x[semantic] + self.codebook_embeddings(codes + self._offsets).sum(-2)
        if c.scale_codebooks:
            rows = rows / math.sqrt(c.num_codebooks + 1)
        return x.index_put((semantic,), rows)

    def forward(self, columns: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """All positions of a batch without a cache, differentiable.

        Args:
            columns: int ``(batch, num_codebooks + 1, T)``.

        Returns:
            hidden and fast input ``(batch, T, dim)``, logits ``(batch, T, codebook_size + 1)``.
        """
        c = self.config
        rope = rope_table(columns.shape[-1], c.head_dim, c.rope_base, self.device)
        x = run_layers(self.layers, self.embed(columns), rope, None)
        hidden = self.norm(x)
        return hidden, hidden if c.norm_fast_input else x, self.logits(hidden)

    def extend(self, columns: Columns, cache: KVCache, *, prompt: bool = True) -> Tensor:
        """Append columns to the cache; one pass, whatever their number.

        Args:
            columns: int ``(num_codebooks + 1, n)``.
            prompt: they are part of a prompt, and not a frame that the model made.

        Returns:
            State of the last column before the final norm, ``(dim,)``.

        Raises:
            GenerationError: a wrong shape, an id or code outside its table, or a full cache;
                the cache is as it was.
        """
        checked = self._check(columns)
        cache.check_room(checked.shape[1])
        x = self.embed(checked)
        if self.compiled is not None and self.compiled.takes(cache):
            return self.compiled.extend(x, cache, prompt=prompt)[-1]
        return run_layers(self.layers, x.unsqueeze(0), cache.rope, cache)[0, -1]

    def read_out(self, last: Tensor) -> SlowState:
        """Final norm and restricted head for what :meth:`extend` returned."""
        hidden = self.norm(last)
        fast_input = hidden if self.config.norm_fast_input else last
        return SlowState(hidden, fast_input, self.logits(hidden))

    def step(self, column: Columns, cache: KVCache) -> SlowState:
        """Process one frame: ``(num_codebooks + 1,)`` ints, main token id first."""
        return self.read_out(self.extend(self._frame(column), cache, prompt=False))

    def embed_frame(self, column: Columns) -> Tensor:
        """The input vector ``(1, dim)`` of what :meth:`step` takes."""
        return self.embed(self._check(self._frame(column)))

    def _frame(self, column: Columns) -> Tensor:
        values = torch.as_tensor(column)
        if values.ndim != 1:
            raise GenerationError("lm.column_rows", rows=self.config.num_codebooks + 1)
        return values.unsqueeze(1)

    def _check(self, columns: Columns) -> Tensor:
        c = self.config
        values = torch.as_tensor(columns)
        rows = c.num_codebooks + 1
        if values.ndim != 2 or values.shape[0] != rows:
            raise GenerationError("lm.column_shape", rows=rows, shape=tuple(values.shape))
        if values.shape[1] == 0:
            raise GenerationError("lm.no_columns")
        ids = values[0]
        if int(ids.min()) < 0 or int(ids.max()) >= c.vocab_size:
            raise GenerationError("lm.token_range", vocab_size=c.vocab_size)
        semantic = (ids >= c.semantic_begin) & (ids <= c.semantic_end)
        codes = values[1:, semantic]
        if codes.numel() and (int(codes.min()) < 0 or int(codes.max()) >= c.codebook_size):
            raise GenerationError("lm.codes_range", last=c.codebook_size - 1)
        return values.to(self._offsets.device)


def chunk_bounds(start: int, end: int, chunk: int) -> list[tuple[int, int]]:
    """Cut ``start..end`` into pieces of ``chunk`` columns, the last one shorter."""
    if chunk < 1:
        raise GenerationError("lm.chunk", chunk=chunk)
    return [(at, min(at + chunk, end)) for at in range(start, end, chunk)]
