"""The codebook-axis transformer: residual codes of one frame (spec 03, section 3)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.errors import GenerationError
from engine.lm.cache import KVCache
from engine.lm.compiled import CompiledStack
from engine.lm.config import ARConfig
from engine.lm.factory import WeightFactory
from engine.lm.layers import RMSNorm, TransformerLayer, run_layers
from engine.lm.rotary import rope_table


class FastAR(nn.Module):
    """Predicts code k of a frame from the slow state and codes 0..k-1.

    Position 0 holds the projected slow state, position k the embedding of code k-1. A frame
    costs ``num_codebooks - 1`` passes: positions 0 and 1 are known together.

    Attributes:
        config: sizes of both models; those of this one are ``config.fast``.
    """

    def __init__(self, config: ARConfig, weights: WeightFactory) -> None:
        super().__init__()
        c = config.fast
        self.config = config
        self.project_in: nn.Module = nn.Identity()
        if c.project_in:
            self.project_in = weights.linear("fast_project_in.weight", c.dim, config.dim)
        self.embeddings = weights.embedding("fast_embeddings.weight", config.codebook_size, c.dim)
        self.layers = nn.ModuleList(
            TransformerLayer(c, weights, f"fast_layers.{i}") for i in range(c.n_layers)
        )
        self.norm = RMSNorm(weights.f32("fast_norm.weight", (c.dim,)), c.eps)
        name = "fast_embeddings.weight" if c.tie else "fast_output.weight"
        self.output = weights.linear(name, config.codebook_size, c.dim)
        self.compiled: CompiledStack | None = None
        self._rows: dict[int, Tensor] = {}

    @property
    def device(self) -> torch.device:
        """Where the small tensors are, and so where inputs must go."""
        return self.norm.weight.device

    def new_cache(self) -> KVCache:
        """A cache with one slot per codebook; used again for each frame of a request."""
        return KVCache(self.config.fast, self.config.num_codebooks, device=self.device)

    def forward(self, fast_input: Tensor, codes: Tensor) -> Tensor:
        """Logits of every next code without a cache, differentiable.

        Args:
            fast_input: slow states ``(batch, slow dim)``.
            codes: int ``(batch, m)``, codes 0..m-1 of each frame.

        Returns:
            ``(batch, m, codebook_size)``: row k-1 is for code k.
        """
        c = self.config.fast
        rows = (self.project_in(fast_input).unsqueeze(1), self.embeddings(codes.long()))
        rope = rope_table(codes.shape[1] + 1, c.head_dim, c.rope_base, self.device)
        y = run_layers(self.layers, torch.cat(rows, 1), rope, None)
        out: Tensor = self.output(self.norm(y[:, 1:]))
        return out

    def begin(self, fast_input: Tensor, code: int, cache: KVCache) -> Tensor:
        """Start a frame: positions 0 and 1 in one pass.

        Args:
            fast_input: slow state ``(slow dim,)``.
            code: semantic code of the frame.
            cache: emptied first.

        Returns:
            Logits ``(codebook_size,)`` for code 1.
        """
        self._check_hidden(fast_input)
        first = self.project_in(fast_input.unsqueeze(0))
        rows = torch.cat((first, self.embed(code)))
        cache.truncate(0)
        return self._pass(rows, cache)

    def step(self, code: int, cache: KVCache) -> Tensor:
        """Continue a frame with the code drawn last; logits ``(codebook_size,)`` for the next.

        Raises:
            GenerationError: every code of the frame is known already, or ``code`` is not one.
        """
        return self._pass(self.embed(code), cache)

    def _pass(self, rows: Tensor, cache: KVCache) -> Tensor:
        if self.compiled is not None and self.compiled.takes(cache):
            y = self.compiled.extend(rows, cache)
        else:
            y = run_layers(self.layers, rows.unsqueeze(0), cache.rope, cache)[0]
        out: Tensor = self.output(self.norm(y[-1:]))
        return out[0]

    def embed(self, code: int) -> Tensor:
        """The input vector ``(1, dim)`` of a code."""
        if self.compiled is None:
            row: Tensor = self.embeddings(self._checked(code))
            return row
        # Unpacking one row is thirty small operations; the same rows come again and again.
        if code not in self._rows:
            self._rows[code] = self.embeddings(self._checked(code))
        return self._rows[code]

    def _checked(self, code: int) -> Tensor:
        if not 0 <= code < self.config.codebook_size:
            raise GenerationError("lm.code_range", code=code, last=self.config.codebook_size - 1)
        return torch.tensor([code], dtype=torch.int64, device=self.device)

    def _check_hidden(self, fast_input: Tensor) -> None:
        if fast_input.shape != (self.config.dim,):
            raise GenerationError(
                "lm.hidden_size", dim=self.config.dim, found=tuple(fast_input.shape)
            )
