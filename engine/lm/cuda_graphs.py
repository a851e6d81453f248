"""A frame as two fixed pieces of work on one device, ready to be captured as CUDA graphs.

The ordinary loop asks the device for each code and tells it the next one: some twenty round
trips and several thousand launches a frame, which on a GPU take longer than the arithmetic.
:class:`StaticFrames` keeps everything at fixed addresses with fixed shapes, positions included,
and draws on the device; what goes to and fro in a frame is a handful of numbers.

On CUDA both pieces are captured once a request and replayed. Elsewhere they run as they are:
that is how the tests hold them against the ordinary loop, code for code. **The capture itself
was never run: no GPU was at hand.** ``tests/real/gpu_check.py`` checks it where there is one,
and a capture that fails leaves the request to the ordinary loop.
"""

from __future__ import annotations

import copy
import logging
import math
from collections.abc import Callable
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from engine.errors import GenerationError
from engine.gguf.linear import table_rows
from engine.lm.cache import KVCache
from engine.lm.dual_ar import DualAR
from engine.lm.graph_sampler import MainDraw, PrefetchedUniforms, SamplingTensors, draw, usable
from engine.lm.layers import TransformerLayer, layer_devices, run_layers
from engine.lm.sampler import Uniform
from engine.lm.slow_ar import SlowAR, SlowState
from engine.types import Sampling

log = logging.getLogger(__name__)

_WARM_UPS = 3


def on_one_device(model: DualAR) -> torch.device | None:
    """The device of all layers, heads and norms, or ``None`` when they are spread."""
    homes = {*layer_devices(model.slow.layers), *layer_devices(model.fast.layers)}
    homes |= {model.slow.device, model.fast.device}
    return homes.pop() if len(homes) == 1 else None


def graph_frames(
    model: DualAR, cache: KVCache, state: SlowState, sampling: Sampling, rng: Uniform
) -> StaticFrames | None:
    """Captured frames for a request, or ``None`` where the ordinary loop has to do it."""
    home = on_one_device(model)
    if home is None or home.type != "cuda" or cache.capacity - cache.length < 1:
        return None
    frames = StaticFrames(model, cache, state, sampling, rng)
    try:
        frames.capture()
    except RuntimeError as error:
        log.warning("frames are not captured as graphs: %s", error)
        cache.truncate(min(cache.length, frames.start))
        return None
    return frames


class _StaticRows:
    """The slow cache with its length on the device: what layers take for a cache."""

    def __init__(self, cache: KVCache) -> None:
        self.keys, self.values, self.rope = cache.keys, cache.values, cache.rope
        home = self.keys[0].device
        # A row that is masked still meets a weight of zero, and zero times NaN is NaN.
        for rows in (*self.keys, *self.values):
            rows[:, cache.length :].zero_()
        self.position = torch.tensor([cache.length], dtype=torch.int64, device=home)
        self._places = torch.arange(cache.capacity, device=home)

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Put one row at the position; returns all rows there is room for."""
        kept = self.keys[layer], self.values[layer]
        for rows, new in zip(kept, (keys, values), strict=True):
            rows.index_copy_(1, self.position, new.to(rows.dtype))
        return kept

    def mask(self) -> Tensor:
        """``(1, capacity)``: 0 up to the position, minus infinity behind it."""
        hidden = torch.full((1, 1), -math.inf, device=self._places.device)
        return torch.where(self._places[None] <= self.position, 0.0, hidden)


class StaticFrames:
    """Draws frames and steps, for one request; all tensors stay where they are.

    Attributes:
        start: positions of the cache before the first frame.
        captured: both pieces are graphs.
    """

    def __init__(
        self, model: DualAR, cache: KVCache, state: SlowState, sampling: Sampling, rng: Uniform
    ) -> None:
        """Go on from ``state``, which follows the last position of ``cache``.

        Raises:
            GenerationError: the model is spread over several devices.
        """
        home = on_one_device(model)
        if home is None:
            raise GenerationError("lm.one_device")
        self.start, self.captured = cache.length, False
        self._cache, self._model, self._home = cache, model, home
        self._numbers = PrefetchedUniforms(rng)
        count = model.config.num_codebooks
        self._uniform = torch.zeros(count + 1, dtype=torch.float64, device=home)
        # A clone each: replays write here, and the state belongs to the caller.
        self._logits = state.logits.detach().clone()
        self._fast_input = state.fast_input.detach().clone()
        # Codes, then numbers used, then whether all logits were usable.
        self._result = torch.zeros(count + 2, dtype=torch.int64, device=home)
        self._main = MainDraw(sampling, model.slow.end_index, home)
        s = sampling
        self._sampling_tensors = SamplingTensors.of(s.temperature, s.top_p, s.top_k, home)
        self._rows = _StaticRows(cache)
        self._fast_cache = model.fast.new_cache()
        self._tables = _tables(model.slow, home)
        self._draw: Callable[[], None] = self._draw_frame
        self._step: Callable[[], None] = self._step_frame

    def frame(self, allow_end: bool) -> np.ndarray | None:
        """Draw the next frame: int32 ``(num_codebooks,)``, or ``None`` for the end token.

        Raises:
            GenerationError: logits that are not finite.
        """
        with torch.inference_mode():
            ahead = self._numbers.look(len(self._uniform))
            self._uniform.copy_(torch.tensor(ahead, dtype=torch.float64))
            self._main.allow_end.fill_(allow_end)
            self._draw()
            result = self._result.cpu().numpy()
        codes, used, fine = result[:-2], int(result[-2]), bool(result[-1])
        if not fine:
            raise GenerationError("generation.not_finite")
        if codes[0] == self._model.slow.end_index:
            return None
        self._numbers.use(used + len(codes) - 1)
        return codes.astype(np.int32)

    def step(self) -> None:
        """Take the frame drawn last into the context.

        Raises:
            GenerationError: the cache is full; nothing has changed then.
        """
        self._cache.check_room(1)
        with torch.inference_mode():
            self._step()
        self._cache.advance(1)

    def capture(self) -> None:
        """Make graphs of both pieces, on CUDA; nothing that was computed changes."""
        self._draw = self._captured(self._draw_frame)
        self._step = self._captured(self._step_frame)
        self.captured = True

    def _captured(self, work: Callable[[], None]) -> Callable[[], None]:
        """A replay of ``work``. Runs in front put the state back that they changed."""
        changed = (self._logits, self._fast_input, self._result, self._rows.position,
                   self._main.recent)  # fmt: skip
        with torch.inference_mode():
            before = [value.clone() for value in changed]
            side = torch.cuda.Stream(self._home)
            side.wait_stream(torch.cuda.current_stream(self._home))
            with torch.cuda.stream(side):
                for _ in range(_WARM_UPS):
                    work()
                    for value, old in zip(changed, before, strict=True):
                        value.copy_(old)
            torch.cuda.current_stream(self._home).wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                work()
        return graph.replay

    def _draw_frame(self) -> None:
        """Main token and residual codes into the result."""
        main, used = self._main(self._logits, self._uniform)
        fine, fast, cache = usable(self._logits), self._model.fast, self._fast_cache
        codes = [main]
        # The end token has no code; what is drawn behind it is not looked at.
        code = main.clamp(max=fast.config.codebook_size - 1)
        rows = torch.cat((fast.project_in(self._fast_input[None]), fast.embeddings(code[None])))
        cache.truncate(0)
        for index in range(1, fast.config.num_codebooks):
            y = run_layers(fast.layers, rows[None], cache.rope, cache)[0]
            logits = fast.output(fast.norm(y[-1:]))[0]
            fine &= usable(logits)
            # As many numbers in front as the main token took.
            u = self._uniform.index_select(0, (used + index - 1)[None])[0]
            code = draw(logits, self._sampling_tensors, u)
            codes.append(code)
            rows = fast.embeddings(code[None])
        self._result.copy_(torch.stack([*codes, used, fine.long()]))

    def _step_frame(self) -> None:
        """The frame in the result becomes the next position; its state becomes the input."""
        slow, rows = self._model.slow, self._rows
        x = self._tables.frame(self._result[: slow.config.num_codebooks])
        rope, mask = rows.rope.index_select(0, rows.position), rows.mask()
        x = x[None, None]
        for index, layer in enumerate(slow.layers):
            x = cast(TransformerLayer, layer)(x, rope, mask, cast(KVCache, rows), index)
        state = slow.read_out(x[0, 0])
        self._logits.copy_(state.logits)
        self._fast_input.copy_(state.fast_input)
        rows.position.add_(1)


class _Tables:
    """Embeddings of a frame, from tables on the device.

    ``tokens`` holds the rows of the semantic ids alone: a frame has no other main token, and
    the whole vocabulary would take forty times as much of the device's memory.
    """

    def __init__(self, slow: SlowAR, tokens: nn.Module, codes: nn.Module, home: torch.device):
        c = slow.config
        self.tokens, self.codes = tokens, codes
        self._scale = math.sqrt(c.num_codebooks + 1) if c.scale_codebooks else 1.0
        starts = range(0, c.num_codebooks * c.codebook_size, c.codebook_size)
        self._starts = torch.tensor(list(starts), dtype=torch.int64, device=home)
        self._last = c.codebook_size - 1

    def frame(self, codes: Tensor) -> Tensor:
        """Input vector ``(dim,)`` of a frame, as :meth:`SlowAR.embed` makes it."""
        codes = codes.clamp(max=self._last)
        token: Tensor = self.tokens(codes[:1])[0]
        result: Tensor = (token + self.codes(codes + self._starts).sum(-2)) / self._scale
        return result


def _tables(slow: SlowAR, home: torch.device) -> _Tables:
    """The rows that frames read, on the slow model's device; copied there once a model."""
    known: dict[torch.device, _Tables] = slow.__dict__.setdefault("_static_tables", {})
    if home not in known:
        c = slow.config
        codes = slow.codebook_embeddings
        if home.type != "cpu":  # a shallow copy: the model's own table stays where it is
            codes = copy.copy(codes).to(home)
        tokens = table_rows(slow.embeddings, c.semantic_begin, c.semantic_end + 1).to(home)
        known[home] = _Tables(slow, tokens, codes, home)
    return known[home]
