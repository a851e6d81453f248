"""Reading audio files, whatever recorders, converters and broken downloads made of them.

libsndfile decodes; this module bounds what it reads, mends headers it cannot follow, and says
what it would keep to itself: a cut file, an empty one, values that are not numbers
(spec 06, section 6).
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field, replace
from typing import BinaryIO

import numpy as np
import soundfile

from engine.audio.clip import AudioClip, require_finite
from engine.audio.media import MediaSound, media_installed, media_kind, missing_part
from engine.audio.mp3_scan import Mp3Scan, scan_mp3
from engine.audio.ogg_scan import ogg_is_whole
from engine.audio.promised import flac_total, read_promise
from engine.audio.riff import WavScan, scan_wav
from engine.audio.sniff import describe
from engine.audio.splice import SplicedFile
from engine.audio.wav import encode_wav, to_pcm16, wav_header, write_wav
from engine.errors import Message, ReferenceAudioError
from engine.storage.files import shown
from engine.storage.regular_files import NotRegularError, open_regular

__all__ = [
    "AudioClip",
    "encode_wav",
    "read_audio",
    "to_pcm16",
    "wav_header",
    "write_wav",
]

MIN_RATE, MAX_RATE = 1_000, 768_000
MAX_CHANNELS = 32
MAX_CLIP_BYTES = 1 << 30
"""Most memory that one clip may take, whatever its header claims."""

MAX_PART_BYTES = 64 << 20
"""The same where only the first seconds are asked for: a minute in stereo at 139 kHz, or three at
44.1 kHz. Packed silence of many channels grows a thousand times when it is decoded."""

BLOCK_FRAMES = 1 << 14
MP3_SCAN_SECONDS = 1800.0
"""Frames of an MP3 are counted this far (a tenth of a second of work) even if less is read."""

MEDIA_TOLERANCE = 0.5
"""The same for compressed films, whose tracks are padded."""

DAMAGE_TOLERANCE = 0.05
"""Seconds of difference between promised and decoded length that are not worth a warning."""


def read_audio(
    path: str | os.PathLike[str], *, max_seconds: float | None = None, name: str | None = None
) -> AudioClip:
    """Read an audio file of any kind that libsndfile knows, or the sound of a phone's recording or
    a video where the optional part ``av`` is, judged by content, not by name.

    Args:
        path: the file.
        max_seconds: stop after this much, at most one block later, so that a long file costs
            no more memory than a short one; the clip's warnings say so.
        name: what to call the file in messages; its own name by default.

    Returns:
        All channels, float32, finite, at least one sample.

    Raises:
        ReferenceAudioError: missing, unreadable, not audio, empty, or holding NaN; the message
            names the trouble and, where it helps, the accepted kinds.
    """
    label = name or os.path.basename(shown(path)) or shown(path)
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            return _Reader(file, size, label, max_seconds).read()
    except FileNotFoundError as error:
        raise ReferenceAudioError("audio.absent", path=shown(path)) from error
    except IsADirectoryError as error:
        raise ReferenceAudioError("audio.folder", label=label) from error
    except NotRegularError as error:
        raise ReferenceAudioError("audio.no_file", label=label) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReferenceAudioError("audio.unreadable", label=label, reason=reason) from error


class _ForwardFile(soundfile.SoundFile):  # type: ignore[misc]
    """A sound file that is read from start to end and never sought.

    soundfile seeks to where it already is after each read. In an MP3 that loses the data that
    a frame borrows from the ones before it, so each block would begin with damaged sound.
    """

    def seekable(self) -> bool:
        return False


@dataclass(slots=True)
class _Reader:
    """One reading of one open file."""

    file: BinaryIO
    size: int
    label: str
    max_seconds: float | None
    warnings: list[str] = field(default_factory=list)
    head: bytes = b""
    true_seconds: float = 0.0

    def read(self) -> AudioClip:
        if self.size == 0:
            raise ReferenceAudioError("audio.no_bytes", label=self.label)
        self.head = self.file.read(256)
        if kind := media_kind(self.head):
            return self._media(kind)
        wav = scan_wav(self.file, self.size)
        if wav is not None:
            self._check_wav(wav)
        if wav is not None and wav.damaged:
            self.warnings.append(Message("audio.mended", label=self.label))
            mended = self._splice(wav.mended_header, wav.data_start, wav.data_bytes)
            return self._decode(mended, mended=True)
        total, head = flac_total(self.file)
        if total:
            self.true_seconds = total / max(1, int.from_bytes(head[18:21], "big") >> 4)
            return self._hold(self._decode(self._splice(head, len(head), self.size - len(head))))
        promise = read_promise(self.file)
        clip = self._decode(self._splice(b"", 0, self.size))
        share = 1.0 if promise is None else promise.share(self.size)
        if 0 < share < 1 and clip.source_seconds == clip.seconds:
            self._warn_cut(clip.seconds / share, clip.seconds)
        return replace(clip, warnings=tuple(self.warnings))

    def _hold(self, clip: AudioClip) -> AudioClip:
        """Compare a FLAC that was decoded to its end with the number of frames it tells of."""
        told, _ = flac_total(self.file)
        promised, damaged = told / clip.rate, bool(self.warnings)
        if clip.source_seconds != clip.seconds:
            return clip
        if not damaged:
            self._warn_cut(promised, clip.seconds)
        if clip.seconds - promised > DAMAGE_TOLERANCE:
            self.warnings.append(Message("audio.mended", label=self.label))
        return replace(clip, warnings=tuple(self.warnings))

    def _media(self, kind: str) -> AudioClip:
        if not media_installed():
            raise missing_part(self.label, describe(self.head))
        try:
            sound = MediaSound(self.file, self.size, kind, self.label)
        except soundfile.SoundFileError as error:
            what = f"{describe(self.head)}, but damaged"
            found = ReferenceAudioError("audio.unreadable_kind", label=self.label, what=what)
            raise found from error
        with sound:
            self.warnings += sound.warnings
            clip = self._collect(sound)
            damaged = any(getattr(w, "code", "") == "audio.decoded_part" for w in self.warnings)
            promised = sound.frames / clip.rate
            if clip.source_seconds == clip.seconds < promised - MEDIA_TOLERANCE and not damaged:
                self._warn_cut(promised, clip.seconds)
        return replace(clip, warnings=tuple(self.warnings))

    def _splice(self, prefix: bytes, start: int, length: int) -> BinaryIO:
        return io.BufferedReader(SplicedFile(prefix, self.file, start, length))

    def _check_wav(self, wav: WavScan) -> None:
        if 0 in (wav.format.channels, wav.format.rate):
            what = "0 channels" if wav.format.channels == 0 else "a rate of 0 Hz"
            raise ReferenceAudioError("audio.damaged_wav", label=self.label, what=what)
        promised = wav.promised_bytes
        if promised is not None and promised > wav.data_bytes:
            per_second = wav.format.true_bytes_per_second
            if per_second:
                self._warn_cut(promised / per_second, wav.data_bytes / per_second)
            else:
                self.warnings.append(Message("audio.mended", label=self.label))

    def _warn_cut(self, promised: float, there: float) -> None:
        if promised - there > DAMAGE_TOLERANCE:
            self.warnings.append(
                Message("audio.cut", label=self.label, promised=promised, there=there)
            )

    def _decode(self, stream: BinaryIO, mended: bool = False) -> AudioClip:
        try:
            sound = _ForwardFile(stream)
        except (soundfile.SoundFileError, TypeError, ValueError) as error:
            raise self._not_audio(error) from error
        with sound:
            if sound.format == "MP3" and not mended:
                scan = scan_mp3(self.file, self.size, self._scan_seconds)
                if scan is not None and self._mp3_needs_header(sound, scan):
                    length = scan.end - scan.start
                    whole = self._splice(scan.mended_header(), scan.start, length)
                    return self._decode(whole, mended=True)
            if sound.format == "OGG" and not ogg_is_whole(self.file, self.size):
                self.warnings.append(Message("audio.no_end", label=self.label))
            return self._collect(sound)

    @property
    def _scan_seconds(self) -> float | None:
        return None if self.max_seconds is None else max(self.max_seconds, MP3_SCAN_SECONDS)

    def _mp3_needs_header(self, sound: soundfile.SoundFile, scan: Mp3Scan) -> bool:
        """Warn about damage; true when the decoder would stop before the frames do."""
        if scan.skipped_bytes:
            self.warnings.append(
                Message("audio.skipped", label=self.label, bytes=scan.skipped_bytes)
            )
        if scan.promised and scan.complete and scan.frames < scan.promised:
            self._warn_cut(scan.promised_seconds, scan.seconds)
        if scan.promised is not None and scan.frames <= scan.promised:
            return False
        share = (scan.end - scan.start) / max(1, self.size - scan.start)
        self.true_seconds = scan.seconds / (1.0 if scan.complete else share)
        frame = scan.first.samples / scan.first.rate
        return scan.first.layer == 3 and scan.seconds > sound.frames / sound.samplerate + frame

    def _collect(self, sound: soundfile.SoundFile | MediaSound) -> AudioClip:
        rate, channels = int(sound.samplerate), int(sound.channels)
        self._check_format(rate, channels)
        limit, cut = self._limit(rate, channels)
        blocks, count = self._blocks(sound, rate, limit)
        if count == 0:
            damaged = " that could be decoded" if self.warnings else ""
            raise ReferenceAudioError("audio.no_samples", label=self.label, damaged=damaged)
        samples = _joined(blocks, count)
        known = 0 < sound.frames < 1 << 62
        declared = self.true_seconds or (sound.frames / rate if known else 0.0)
        source_seconds = max(declared if count > limit else 0.0, count / rate)
        if count > limit:
            samples = samples[:limit].copy()
            code = "audio.read_part_for_memory" if cut else "audio.read_part"
            self.warnings.append(
                Message(code, label=self.label, seconds=source_seconds, limit=limit / rate)
            )
        kind = f"{sound.format} {sound.subtype}"
        return AudioClip(samples, rate, self.label, kind, tuple(self.warnings), source_seconds)

    def _limit(self, rate: int, channels: int) -> tuple[int, bool]:
        if self.max_seconds is None:
            return MAX_CLIP_BYTES // (4 * channels), True
        most = MAX_PART_BYTES // (4 * channels)
        wanted = max(1, int(self.max_seconds * rate))
        return min(wanted, most), wanted > most

    def _blocks(
        self, sound: soundfile.SoundFile | MediaSound, rate: int, limit: int
    ) -> tuple[list[np.ndarray], int]:
        """Read until the end or just past the limit; damage keeps what was decoded."""
        blocks: list[np.ndarray] = []
        count = 0
        while count <= limit:
            try:
                block = sound.read(BLOCK_FRAMES, dtype="float32", always_2d=True)
            except soundfile.SoundFileError as error:
                if count == 0:
                    raise self._not_audio(error) from error
                self.warnings.append(
                    Message("audio.decoded_part", label=self.label, seconds=count / rate)
                )
                break
            if len(block) == 0:
                break
            require_finite(block, rate, self.label, count)
            blocks.append(block)
            count += len(block)
        return blocks, count

    def _check_format(self, rate: int, channels: int) -> None:
        if not MIN_RATE <= rate <= MAX_RATE:
            raise ReferenceAudioError(
                "audio.rate", label=self.label, rate=rate, lowest=MIN_RATE, highest=MAX_RATE
            )
        if channels > MAX_CHANNELS:
            raise ReferenceAudioError(
                "audio.channels", label=self.label, channels=channels, limit=MAX_CHANNELS
            )

    def _not_audio(self, error: Exception) -> ReferenceAudioError:
        what = describe(self.head)
        if self.head.startswith(b"RIFF"):
            reason = str(getattr(error, "error_string", error)) or "unknown damage"
            what = f"a WAV that cannot be decoded ({reason.strip().rstrip('.')})"
        return ReferenceAudioError("audio.unreadable_kind", label=self.label, what=what)


def _joined(blocks: list[np.ndarray], count: int) -> np.ndarray:
    """One array of all blocks, which are given up one by one, so that nothing is there twice."""
    joined = np.empty((count, blocks[0].shape[1]), np.float32)
    blocks.reverse()
    at = 0
    while blocks:
        block = blocks.pop()
        joined[at : at + len(block)] = block
        at += len(block)
    return joined
