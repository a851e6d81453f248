"""The audio codec as the rest of the program sees it: numpy in, numpy out (spec 04)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from engine.cancel import CancelToken
from engine.codec.config import CodecConfig
from engine.codec.model import CodecModel
from engine.codec.stream import MAX_CHUNK, DecoderStream, check_codes
from engine.errors import ReferenceAudioError, RequestError
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource
from engine.kernels.pool import KernelPool

ENCODE_CHUNK = 16
"""Frames encoded in one piece: bounds memory, and how long a cancel can take."""

OnProgress = Callable[[int, int], None]


def codes_in_range(codes: ArrayLike, codebooks: int, size: int) -> np.ndarray:
    """``codes`` as int32 ``(codebooks, n)``, each of which a model can draw: below ``size``.

    Raises:
        RequestError: another shape, no whole numbers, or a code beyond its codebook.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        shape, kind = array.shape, array.dtype
        raise RequestError("codec.code_shape", shape=shape, kind=kind)
    if array.shape[0] != codebooks:
        raise RequestError("codec.codebooks", found=array.shape[0], wanted=codebooks)
    wrong = np.argwhere((array < 0) | (array >= size))
    if len(wrong):
        row, frame = (int(place) for place in wrong[0])
        code = int(array[row, frame])
        raise RequestError("codec.code", code=code, row=row, frame=frame, last=size - 1)
    return array.astype(np.int32)


class AudioCodec:
    """Encodes references to codes and decodes codes to sound.

    Weights are read-only and shared; each :meth:`stream` has a past of its own. Use one codec
    from one thread at a time.

    Attributes:
        config: dimensions.
    """

    def __init__(
        self,
        model: CodecModel,
        source: WeightSource | None = None,
        reading: Future[None] | None = None,
        device: torch.device | None = None,
        pool: KernelPool | None = None,
    ) -> None:
        """Wrap a tree.

        ``source`` provides the encoding half when it is first needed, for ``pool`` to multiply
        with; ``reading`` is done when the decoding half is there, on ``device``.
        """
        self.config = model.config
        self._model = model
        self._encoder_source = source
        self._reading = reading
        self._device = device
        self._pool = pool

    @classmethod
    def from_gguf(
        cls,
        file: GGUFFile,
        device: str | torch.device = "cpu",
        *,
        beside: bool = False,
        pool: KernelPool | None = None,
    ) -> AudioCodec:
        """Check all tensors, and read those that decoding needs.

        The file must stay open until the first :meth:`encode`, which reads the others.

        Args:
            beside: read on another thread while the caller goes on; the first use waits, and
                raises what went wrong. What can be wrong with the file is found before.
            pool: multiplies on the CPU; by default one of torch's number of threads is made.

        Raises:
            ModelFileError: metadata or a tensor is missing or does not fit.
        """
        config = CodecConfig.from_gguf(file)
        source = WeightSource(file, prefix=config.tensor_prefix)
        model = CodecModel.empty(config)
        model.check(source)
        place = torch.device(device)
        if pool is None and place.type == "cpu":
            pool = KernelPool(torch.get_num_threads())
        if not beside:
            model.load(source, encoder=False, device=place, pool=pool)
            return cls(model, source, pool=pool)
        reader = ThreadPoolExecutor(1, "codec-reader")
        reading = reader.submit(model.load, source, encoder=False, device=place, pool=pool)
        reader.shutdown(wait=False)  # the thread ends with its work
        return cls(model, source, reading, place, pool)

    @property
    def model(self) -> CodecModel:
        """The module tree; waits until its decoding half was read."""
        if self._reading is not None:
            self._reading.result()
            self._reading = None
        return self._model

    @property
    def device(self) -> torch.device:
        """Where the decoding half lives, or will when it was read."""
        if self._reading is not None and self._device is not None:
            return self._device
        return self.model.sample(encoder=False).device

    def stream(self) -> DecoderStream:
        """A new exact decoding stream; it does not wait for a model that is being read."""
        if self._reading is None:
            return DecoderStream(self.model)
        return DecoderStream(lambda: self.model)

    def decode(
        self,
        codes: ArrayLike | Tensor,
        *,
        chunk: int = 32,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> np.ndarray:
        """Decode a whole sequence through a stream, with bounded memory.

        Args:
            codes: integers ``(codebooks, n)``; not modified; out-of-range values are clamped.
            chunk: frames in one piece, 1 to 128; any gives the same samples.
            cancel: read before each piece.
            on_progress: called with (frames done, frames in all) after each piece.

        Returns:
            float32 ``(n * samples_per_frame,)`` in -1..1, empty for no frames.

        Raises:
            ValueError, TypeError, GenerationError: see :meth:`DecoderStream.push`.
            CancelledError: ``cancel`` was set.
        """
        if not 1 <= chunk <= MAX_CHUNK:
            raise RequestError("codec.chunk_range", limit=MAX_CHUNK, chunk=chunk)
        columns = check_codes(codes, self.config.num_codebooks)
        frames, per_frame = columns.shape[1], self.config.samples_per_frame
        stream = self.stream()
        out = np.zeros(frames * per_frame, stream.dtype)
        for start, stop in _chunks(frames, chunk, cancel, on_progress):
            out[start * per_frame : stop * per_frame] = stream.push(columns[:, start:stop])
        return out

    def encode(
        self,
        pcm: np.ndarray,
        *,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> np.ndarray:
        """Codes of mono audio at the codec's sample rate.

        The audio is completed with zeros to whole frames and runs through the encoder's state in
        pieces of a fixed size, so the codes of a beginning are the beginning of the codes.

        Args:
            pcm: float ``(samples,)``.
            cancel: read before each piece.
            on_progress: called with (frames done, frames in all) after each piece.

        Returns:
            int32 ``(codebooks, ceil(samples / samples_per_frame))``.

        Raises:
            ValueError: not one axis of floats.
            ReferenceAudioError: no samples, or samples that are not finite.
            CancelledError: ``cancel`` was set.
        """
        samples = self._check_pcm(pcm)
        model, per_frame = self._with_encoder(), self.config.samples_per_frame
        frames = -(-len(samples) // per_frame)
        weight = model.sample(encoder=True)
        kind = torch.promote_types(weight.dtype, torch.float32)
        out = np.zeros((self.config.num_codebooks, frames), np.int32)
        with torch.inference_mode():
            state = model.new_encode_state()
            for start, stop in _chunks(frames, ENCODE_CHUNK, cancel, on_progress):
                piece = np.zeros((stop - start) * per_frame, np.float64)
                given = samples[start * per_frame : stop * per_frame]
                piece[: len(given)] = given
                x = torch.from_numpy(piece).to(kind).to(weight.device)
                out[:, start:stop] = model.encode(x[None], state)[0].cpu().numpy()
        return out

    def _check_pcm(self, pcm: np.ndarray) -> np.ndarray:
        samples = np.asarray(pcm)
        if samples.ndim != 1 or not np.issubdtype(samples.dtype, np.floating):
            raise ValueError(
                f"expected mono float samples with one axis, got {samples.dtype} {samples.shape}"
            )
        if samples.size == 0:
            raise ReferenceAudioError("reference.empty")
        if not np.isfinite(samples).all():
            raise ReferenceAudioError("reference.not_finite")
        return samples

    def _with_encoder(self) -> CodecModel:
        if self._encoder_source is not None:
            self.model.load(self._encoder_source, encoder=True, device=self.device, pool=self._pool)
            self._encoder_source = None
        return self.model


def _chunks(
    frames: int, size: int, cancel: CancelToken | None, on_progress: OnProgress | None
) -> Iterator[tuple[int, int]]:
    """Ranges of frames; between them the place to stop and to report."""
    for start in range(0, frames, size):
        if cancel is not None:
            cancel.raise_if_cancelled()
        stop = min(start + size, frames)
        yield start, stop
        if on_progress is not None:
            on_progress(stop, frames)
