"""Exact incremental decoding: each frame once, final at once (spec 04, section 8)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from engine.codec.model import CodecModel, DecodeState
from engine.errors import GenerationError

MAX_CHUNK = 128
"""Frames decoded in one piece; longer pushes are cut so that memory stays bounded."""


def check_codes(codes: ArrayLike | Tensor, codebooks: int) -> np.ndarray:
    """Codes as int64 ``(codebooks, frames)``, a copy or a view that nobody writes to.

    Raises:
        ValueError: not two axes, or another number of codebooks.
        TypeError: not integers.
    """
    if isinstance(codes, Tensor):
        codes = codes.detach().cpu().numpy()
    array = np.asarray(codes)
    if array.ndim != 2:
        raise ValueError(f"expected codes (codebooks, frames), got {array.ndim} axes")
    if array.shape[0] != codebooks:
        raise ValueError(f"expected {codebooks} codebooks, got {array.shape[0]}")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"codes must be integers, not {array.dtype}")
    return array.astype(np.int64)


class DecoderStream:
    """Turns columns of codes into samples, in chunks of any size.

    The samples of all pushes joined equal the decode of all codes at once: the decoder is
    causal, and its past is kept exactly. A stream may be used from any thread, by one at a time.

    Attributes:
        frames_decoded: columns pushed since the start or the last reset.
        clamped_codes: codes among them that no codebook has; they fell to the nearest.
    """

    def __init__(self, model: CodecModel | Callable[[], CodecModel]) -> None:
        """``model``, or what gives it: then asked for at the first push, and not before."""
        self._source = model
        self._state: DecodeState | None = None
        if isinstance(model, CodecModel):
            self._begin(model)
        self.frames_decoded = 0
        self.clamped_codes = 0

    def _begin(self, model: CodecModel) -> DecodeState:
        self._model = model
        self._weight = model.sample(encoder=False)
        # Tensors made in inference mode can be updated in place only there, and the mode is a
        # property of the thread: so every method that touches the state enters it by itself.
        with torch.inference_mode():
            self._state = model.new_decode_state()
        return self._state

    def _ready(self) -> DecodeState:
        """The state; waits for a model that is still being read."""
        if self._state is not None:
            return self._state
        source = self._source
        return self._begin(source if isinstance(source, CodecModel) else source())

    def push(self, codes: ArrayLike | Tensor) -> np.ndarray:
        """Decode the next columns.

        Args:
            codes: integers ``(codebooks, m)``, m of 0 or more; not modified. Out-of-range values
                are clamped and counted.

        Returns:
            ``(m * samples_per_frame,)`` float32 in -1..1 (float64 when the model is).

        Raises:
            ValueError, TypeError: see :func:`check_codes`.
            GenerationError: the result is not finite; the stream needs a reset then.
        """
        self._ready()
        config = self._model.config
        columns = check_codes(codes, config.num_codebooks)
        pieces = [
            self._decode(columns[:, start : start + MAX_CHUNK])
            for start in range(0, columns.shape[1], MAX_CHUNK)
        ]
        if len(pieces) == 1:
            return pieces[0]
        return np.concatenate(pieces) if pieces else np.zeros(0, self.dtype)

    def _decode(self, columns: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            given = torch.from_numpy(columns).to(self._weight.device)[None]
            clamped, count = self._model.quantizer.clamp(given)
            samples = self._model.decode(clamped, self._ready())[0]
            finite = bool(samples.isfinite().all())
            out: np.ndarray = samples.cpu().numpy().astype(self.dtype, copy=False)
            self.clamped_codes += int(count)
        if not finite:
            raise GenerationError("generation.no_numbers")
        self.frames_decoded += columns.shape[1]
        return out

    @property
    def dtype(self) -> np.dtype:
        """Type of the samples."""
        self._ready()
        return np.dtype(np.float64 if self._weight.dtype == torch.float64 else np.float32)

    def reset(self) -> None:
        """Back to the start; the next push gives what a new stream would give."""
        with torch.inference_mode():
            self._ready().reset()
        self.frames_decoded = 0
        self.clamped_codes = 0
