"""A frame as two fixed pieces of work on one device, captured as CUDA graphs where there is one.

The ordinary loop asks the device for each code and tells it the next one: some twenty round
trips and several thousand launches a frame, which on a GPU take longer than the arithmetic.
:class:`StaticFrames` keeps everything at fixed addresses with fixed shapes, positions included,
and draws on the device; what goes to and fro in a frame is a handful of numbers.

The frames belong to the model: on CUDA they are captured once and lent to one request after the
other, whose prompt goes straight into their cache. A step attends over the next length of
:data:`_LENGTHS`, so codes depend on how much was said and not on the frame limit. A capture
that fails leaves the model to the ordinary loop for good. **No capture was ever run: no GPU was
at hand.** ``tests/real/gpu_check.py`` checks it where there is one.
"""

from __future__ import annotations

import copy
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from engine.errors import DeviceError, GenerationError
from engine.gguf.linear import table_rows
from engine.lm.cache import KVCache
from engine.lm.dual_ar import DualAR
from engine.lm.graph_capture import GraphRecorder
from engine.lm.graph_sampler import MainDraw, SamplingTensors, draw, usable
from engine.lm.layers import TransformerLayer, layer_devices, run_layers
from engine.lm.sampler import TRIES
from engine.lm.slow_ar import SlowAR, SlowState
from engine.machine.devices import first_line, is_out_of_memory, release_memory
from engine.types import Sampling

log = logging.getLogger(__name__)

_KIND = "cuda"
_SHORTEST = 2048  # positions: the default frame limit behind an ordinary prompt
_LENGTHS = (512, 1024, 2048, 4096, 8192, 16384, 32768)


def on_one_device(model: DualAR) -> torch.device | None:
    """The device of all layers, heads and norms, or ``None`` when they are spread."""
    homes = {*layer_devices(model.slow.layers), *layer_devices(model.fast.layers)}
    homes |= {model.slow.device, model.fast.device}
    return homes.pop() if len(homes) == 1 else None


@contextmanager
def lent_frames(model: DualAR, capacity: int) -> Iterator[StaticFrames | None]:
    """The model's captured frames with room for ``capacity`` positions, for one request.

    ``None`` where the ordinary loop has to do it: not on CUDA, lent already, a capture failed.
    """
    state = model.graphs
    frames = None if state.lent else prepare_frames(model, capacity)
    if frames is None:
        yield None
        return
    state.lent = True
    try:
        yield frames
    finally:
        state.lent = False


def prepare_frames(model: DualAR, capacity: int = 1) -> StaticFrames | None:
    """Capture a model's frames unless that was done or tried; see :func:`lent_frames`."""
    home, state = on_one_device(model), model.graphs
    if home is None or home.type != _KIND or state.failure or capacity > state.limit:
        return None
    kept = cast(StaticFrames | None, state.frames)
    if kept is not None and kept.capacity >= capacity:
        return kept
    room = _SHORTEST
    while room < capacity:
        room *= 2
    kept = state.frames = None  # its memory first
    try:
        state.frames = kept = _captured(model, room)
    except (RuntimeError, DeviceError) as error:
        # A kept record must not hold the error, whose frames hold the memory.
        log.warning("frames are not captured as graphs: %s", first_line(error))
        if is_out_of_memory(error) or isinstance(error, DeviceError):
            state.limit = room // 2 if room > _SHORTEST else 0
        else:
            state.failure = first_line(error)
    if kept is None:
        release_memory(home)  # of the attempt, which nothing refers to any more
    return kept


def _captured(model: DualAR, room: int) -> StaticFrames:
    frames = StaticFrames(model, room)
    frames.capture()
    return frames


class _StaticRows:
    """The slow cache with its length on the device: what layers take for a cache."""

    def __init__(self, cache: KVCache) -> None:
        self.cache, self.rope, self.attended = cache, cache.rope, cache.capacity
        home = cache.keys[0].device
        self.position = torch.zeros(1, dtype=torch.int64, device=home)
        self._places = torch.arange(cache.capacity, device=home)
        self.begin()

    def begin(self) -> None:
        """Go on behind the valid rows of the cache."""
        # A row that is masked still meets a weight of zero, and zero times NaN is NaN.
        for rows in (*self.cache.keys, *self.cache.values):
            rows[:, self.cache.length :].zero_()
        self.position.fill_(self.cache.length)

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Put one row at the position; returns the first ``attended`` rows."""
        kept = self.cache.keys[layer], self.cache.values[layer]
        for rows, new in zip(kept, (keys, values), strict=True):
            rows.index_copy_(1, self.position, new.to(rows.dtype))
        return kept[0][:, : self.attended], kept[1][:, : self.attended]

    def mask(self) -> Tensor:
        """``(1, attended)``: 0 up to the position, minus infinity behind it."""
        hidden = torch.full((1, 1), -math.inf, device=self._places.device)
        return torch.where(self._places[None, : self.attended] <= self.position, 0.0, hidden)


class StaticFrames:
    """Draws frames and steps, for one request after the other; all tensors stay where they are.

    Attributes:
        cache: where a request's prompt goes before :meth:`begin`.
        captured: all pieces are graphs.
    """

    def __init__(self, model: DualAR, capacity: int) -> None:
        """Make room for ``capacity`` positions.

        Raises:
            GenerationError: the model is spread over several devices.
            DeviceError: the device's memory is full.
        """
        home = on_one_device(model)
        if home is None:
            raise GenerationError("lm.one_device")
        self.captured = False
        self._model, self._home = model, home
        with torch.inference_mode():
            self.cache = model.slow.new_cache(capacity)
            count = model.config.num_codebooks
            self._uniform = torch.zeros((count, TRIES), dtype=torch.float64, device=home)
            self._logits = torch.zeros(model.config.codebook_size + 1, device=home)
            self._fast_input = torch.zeros(model.config.dim, device=home)
            # Codes, then whether all logits were usable.
            self._result = torch.zeros(count + 1, dtype=torch.int64, device=home)
            self._main = MainDraw(Sampling(), model.slow.end_index, home)
            self._sampling_tensors = SamplingTensors.of(1.0, 1.0, 0, home)
            self._rows = _StaticRows(self.cache)
            self._fast_cache = model.fast.new_cache()
            self._tables = _tables(model.slow, home)
        self._draw: Callable[[], None] = self._draw_frame
        self._steps: dict[int, Callable[[], None]] = {
            length: partial(self._step_frame, length) for length in attended_lengths(capacity)
        }

    @property
    def capacity(self) -> int:
        """Positions that fit."""
        return self.cache.capacity

    def begin(self, state: SlowState, sampling: Sampling, mains: Sequence[int] = ()) -> None:
        """Go on from ``state``, which follows the last position of the cache.

        ``mains`` are the main codes of the frames that the prompt ends with, if any.
        """
        s = sampling
        with torch.inference_mode():
            self._logits.copy_(state.logits)
            self._fast_input.copy_(state.fast_input)
            self._main.begin(s, mains)
            self._sampling_tensors.assign(s.temperature, s.top_p, s.top_k)
            self._rows.begin()

    def frame(self, allow_end: bool, uniforms: np.ndarray) -> np.ndarray | None:
        """Draw the next frame: int32 ``(num_codebooks,)``, or ``None`` for the end token.

        ``uniforms`` is what :func:`~engine.lm.sampler.frame_uniforms` gives.

        Raises:
            GenerationError: logits that are not finite.
        """
        with torch.inference_mode():
            self._uniform.copy_(torch.from_numpy(uniforms))
            self._main.allow_end.fill_(allow_end)
            self._draw()
            result = self._result.cpu().numpy()
        codes, fine = result[:-1], bool(result[-1])
        if not fine:
            raise GenerationError("generation.not_finite")
        if codes[0] == self._model.slow.end_index:
            return None
        return codes.astype(np.int32)

    def step(self) -> None:
        """Take the frame drawn last into the context.

        Raises:
            GenerationError: the cache is full; nothing has changed then.
        """
        self.cache.check_room(1)
        needed = self.cache.length + 1
        with torch.inference_mode():
            self._steps[next(n for n in self._steps if n >= needed)]()
        self.cache.advance(1)

    def capture(self) -> None:
        """Make graphs of all pieces, on CUDA, before the first request.

        Raises:
            RuntimeError: something cannot be captured, or the memory is full.
        """
        recorder = GraphRecorder(self._home)
        self._draw = recorder.record(self._draw_frame)
        for length, step in self._steps.items():
            self._steps[length] = recorder.record(step)
        self.captured = True

    def _draw_frame(self) -> None:
        """Main token and residual codes into the result."""
        main = self._main(self._logits, self._uniform[0])
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
            code = draw(logits, self._sampling_tensors, self._uniform[index, 0])
            codes.append(code)
            rows = fast.embeddings(code[None])
        self._result.copy_(torch.stack([*codes, fine.long()]))

    def _step_frame(self, attended: int) -> None:
        """The frame in the result becomes the next position; its state becomes the input."""
        slow, rows = self._model.slow, self._rows
        rows.attended = attended
        x = self._tables.frame(self._result[: slow.config.num_codebooks])
        rope, mask = rows.rope.index_select(0, rows.position), rows.mask()
        x = x[None, None]
        for index, layer in enumerate(slow.layers):
            x = cast(TransformerLayer, layer)(x, rope, mask, cast(KVCache, rows), index)
        state = slow.read_out(x[0, 0])
        self._logits.copy_(state.logits)
        self._fast_input.copy_(state.fast_input)
        rows.position.add_(1)


def attended_lengths(capacity: int) -> list[int]:
    """The numbers of positions that steps attend over, the last one ``capacity``."""
    return [*(n for n in _LENGTHS if n < capacity), capacity]


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
