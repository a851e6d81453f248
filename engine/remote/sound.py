"""Sound out of the bytes of an answer, however they are cut: WAV, and samples without a header."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

import numpy as np

from engine.audio.riff import FLOAT_TAG, OPEN_SIZE, PCM_TAG, WavFormat, chunks
from engine.errors import Message
from engine.remote.errors import RemoteError, ServerReplyError, StreamCutError

MAX_HEADER = 1 << 20
MIN_RATE, MAX_RATE, MAX_CHANNELS = 4_000, 384_000, 8


class SoundDecoder(ABC):
    """Bytes in, mono float32 samples ``(n,)`` out.

    Attributes:
        rate: in Hz; 0 until it is known.
    """

    rate = 0

    @abstractmethod
    def feed(self, data: bytes) -> np.ndarray:
        """The samples that are complete now, perhaps none."""

    def finish(self) -> None:  # noqa: B027 - raw samples can end anywhere
        """The bytes have ended. Raises :class:`StreamCutError` when some are missing."""

    def decode(self, pieces: Iterable[bytes]) -> Iterator[np.ndarray]:
        """The samples of all ``pieces`` as they come; :meth:`finish` is the caller's."""
        return map(self.feed, pieces)


class PcmDecoder(SoundDecoder):
    """16-bit samples, little-endian, without a header.

    A rate or number of channels that no speech has is refused with the first samples. Half a
    sample at the end is no harm.
    """

    def __init__(self, rate: int, channels: int = 1) -> None:
        self.rate = rate
        self._channels = channels
        self._samples = _Samples(PCM_TAG, 16, channels)

    def feed(self, data: bytes) -> np.ndarray:
        check_playable(self.rate, self._channels)
        return self._samples.feed(data)


class WavDecoder(SoundDecoder):
    """A WAV file, whole or with the provisional sizes of a stream."""

    def __init__(self) -> None:
        self.rate = 0
        self._head = bytearray()
        self._samples: _Samples | None = None
        self._left: int | None = None

    def feed(self, data: bytes) -> np.ndarray:
        """Samples of ``data``.

        Raises:
            ServerReplyError: it is no WAV, or of a kind that nobody streams.
        """
        if self._samples is None:
            self._head += data
            data = self._parse()
            if self._samples is None:
                if len(self._head) > MAX_HEADER:
                    raise _broken("remote.wav_header")
                return np.empty(0, np.float32)
        if self._left is not None:
            data = data[: self._left]  # what follows are comments
            self._left -= len(data)
        return self._samples.feed(data)

    def finish(self) -> None:
        if self._samples is None:
            raise StreamCutError("remote.header_cut")
        if self._left:
            raise StreamCutError("remote.sound_cut", missing=self._left)

    def _parse(self) -> bytes:
        """Read the chunks up to the samples; returns what follows of those."""
        head = bytes(self._head)
        if len(head) < 12:
            if not b"RIFF".startswith(head[:4]):
                raise _broken("remote.wav_start")
            return b""
        if head[:4] not in (b"RIFF", b"RF64") or head[8:12] != b"WAVE":
            raise _broken("remote.wav_start")
        fmt = b""
        for found in chunks(io.BytesIO(head)):
            if found.name == b"data":
                self._begin(fmt, found.size)
                self._head.clear()
                return head[found.start :]
            if found.name == b"fmt " and found.end <= len(head):
                fmt = head[found.start : found.end]
        return b""

    def _begin(self, fmt: bytes, size: int) -> None:
        if len(fmt) < 16:
            raise _broken("remote.wav_samples")
        form = WavFormat.parse(fmt)
        if not is_playable(form.rate, form.channels):
            raise _broken("remote.wav_form", channels=form.channels, rate=form.rate)
        self._samples = _Samples(form.tag, form.bits, form.channels)
        self.rate = form.rate
        self._left = None if size == 0 or size >= OPEN_SIZE else size


class _Samples:
    """Frames of whole or float numbers to mono; keeps what is not complete yet."""

    def __init__(self, tag: int, bits: int, channels: int) -> None:
        known = {(PCM_TAG, 16), (PCM_TAG, 24), (PCM_TAG, 32), (FLOAT_TAG, 32), (FLOAT_TAG, 64)}
        if (tag, bits) not in known:
            raise _broken("remote.wav_kind", tag=tag, bits=bits)
        self._tag, self._bits, self._channels = tag, bits, channels
        self._rest = b""

    def feed(self, data: bytes) -> np.ndarray:
        data = self._rest + data
        whole = len(data) - len(data) % (self._bits // 8 * self._channels)
        self._rest = data[whole:]
        samples = self._numbers(data[:whole])
        if self._channels > 1:
            samples = samples.reshape(-1, self._channels).mean(axis=1, dtype=np.float32)
        result: np.ndarray = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
        return result

    def _numbers(self, data: bytes) -> np.ndarray:
        if self._tag == FLOAT_TAG:
            return np.frombuffer(data, f"<f{self._bits // 8}").astype(np.float32)
        if self._bits == 24:
            wide = np.zeros((len(data) // 3, 4), np.uint8)
            wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
            return wide.view("<i4")[:, 0].astype(np.float32) / np.float32(1 << 31)
        whole = np.frombuffer(data, f"<i{self._bits // 8}")
        return whole.astype(np.float32) / np.float32(1 << (self._bits - 1))


class SniffDecoder(SoundDecoder):
    """Bytes that do not say what they are: a WAV if they begin like one, else samples."""

    def __init__(self, fallback: SoundDecoder) -> None:
        self.rate = 0
        self._fallback = fallback
        self._chosen: SoundDecoder | None = None
        self._begin = b""

    def feed(self, data: bytes) -> np.ndarray:
        if self._chosen is None:
            self._begin += data
            if len(self._begin) < 4:
                return np.empty(0, np.float32)
            data, self._begin = self._begin, b""
            self._chosen = WavDecoder() if data[:4] in (b"RIFF", b"RF64") else self._fallback
        samples = self._chosen.feed(data)
        self.rate = self._chosen.rate
        return samples

    def finish(self) -> None:
        if self._chosen is not None:
            self._chosen.finish()


def is_playable(rate: int, channels: int = 1) -> bool:
    """Whether speech can have this form; another rate would blow the samples up when converted."""
    return MIN_RATE <= rate <= MAX_RATE and 1 <= channels <= MAX_CHANNELS


def check_playable(rate: int, channels: int = 1) -> None:
    """Refuse sound of another form; raises :class:`ServerReplyError`."""
    if not is_playable(rate, channels):
        raise ServerReplyError("remote.sound_form", channels=channels, rate=rate)


def _broken(code: str, **params: object) -> RemoteError:
    return ServerReplyError("remote.bad_wav", why=Message(code, **params))
