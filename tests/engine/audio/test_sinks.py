"""Sinks: valid at every moment, nothing lost, failures told."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from wav_kit import RATE, sine

from engine.audio.sinks import RawPcm16Sink, Sink, WavFileSink
from engine.audio.wav import encode_wav, to_pcm16, wav_header
from engine.errors import OutputError

RAMP = (np.arange(44_137) / 44_137).astype(np.float32)


def samples_of(path: Path) -> np.ndarray:
    return soundfile.read(path, dtype="int16")[0]


def test_all_sinks_keep_the_protocol(tmp_path: Path) -> None:
    for sink in (
        RawPcm16Sink(io.BytesIO()),
        WavFileSink(tmp_path / "x.wav"),
    ):
        assert isinstance(sink, Sink)


def test_wav_is_whole_after_finish(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    sink = WavFileSink(path)
    sink.start(RATE)
    for start in range(0, len(RAMP), 2048):
        assert sink.write(RAMP[start : start + 2048])
    sink.finish()
    assert path.read_bytes() == encode_wav(RAMP, RATE, "PCM_16")
    assert sink.paths == [path]
    assert sink.samples_written == len(RAMP)


def test_wav_is_valid_after_every_piece(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    sink = WavFileSink(path)
    sink.start(RATE)
    assert path.read_bytes() == wav_header(RATE)
    for end in (1, 2048, 5000):
        sink.write(RAMP[sink.samples_written : end])
        np.testing.assert_array_equal(samples_of(path), to_pcm16(RAMP[:end]))
        assert path.read_bytes()[:44] == wav_header(RATE, 2 * end)
    sink.abort()
    np.testing.assert_array_equal(samples_of(path), to_pcm16(RAMP[:5000]))


def test_cancel_keeps_what_was_written_exactly(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    sink = WavFileSink(path)
    sink.start(RATE)
    sink.write(RAMP[:3000])
    sink.abort()
    sink.abort()
    sink.finish()
    assert path.stat().st_size == 44 + 6000
    assert soundfile.info(path).frames == 3000


@pytest.mark.parametrize("end", ["finish", "abort"])
def test_a_file_without_samples_is_removed(tmp_path: Path, end: str) -> None:
    sink = WavFileSink(tmp_path / "take.wav")
    sink.start(RATE)
    sink.write(np.zeros(0, np.float32))
    getattr(sink, end)()
    assert os.listdir(tmp_path) == []
    assert sink.paths == []


def test_an_older_file_stays_until_samples_come(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    old = encode_wav(sine(2), RATE)
    path.write_bytes(old)
    sink = WavFileSink(path)
    sink.start(RATE)
    sink.abort()
    assert path.read_bytes() == old
    assert sink.paths == []
    sink.start(RATE)
    sink.write(RAMP[:10])
    sink.finish()
    assert path.read_bytes() == encode_wav(RAMP[:10], RATE, "PCM_16")


KILLED = """
import os, signal, sys
import numpy as np
from engine.audio.sinks import WavFileSink
sink = WavFileSink(sys.argv[1])
sink.start(44100)
for i in range(5):
    sink.write(np.full(2048, i / 10, np.float32))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_process_leaves_a_valid_file(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -9
    heard = samples_of(path)
    assert len(heard) == 5 * 2048
    assert path.read_bytes()[:44] == wav_header(RATE, 2 * len(heard))
    assert heard[-1] == to_pcm16(np.array([0.4], np.float32))[0]


@settings(deadline=None, max_examples=15)
@given(
    sizes=st.lists(st.integers(0, 700), max_size=8),
    capacity=st.integers(1, 400),
    spare=st.integers(0, 1),
)
def test_beyond_the_limit_it_goes_on_in_parts(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], capacity: int, spare: int
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    samples = RAMP[: sum(sizes)]
    sink = WavFileSink(folder / "take.wav", max_bytes=44 + 2 * capacity + spare)
    sink.start(RATE)
    at = 0
    for size in sizes:
        sink.write(samples[at : at + size])
        at += size
    sink.finish()
    assert sorted(sink.paths) == sorted(folder.iterdir())
    heard = [samples_of(path) for path in sink.paths]
    assert all(path.stat().st_size <= 44 + 2 * capacity for path in sink.paths)
    assert all(len(part) == capacity for part in heard[:-1])
    np.testing.assert_array_equal(np.concatenate([*heard, []]), to_pcm16(samples))


def test_parts_have_names_and_overwrite_nothing(tmp_path: Path) -> None:
    (tmp_path / "take.part2.wav").write_bytes(b"mine")
    sink = WavFileSink(tmp_path / "take.wav", max_bytes=44 + 200)
    sink.start(RATE)
    sink.write(RAMP[:250])
    sink.finish()
    assert [path.name for path in sink.paths] == ["take.wav", "take.part3.wav", "take.part4.wav"]
    assert (tmp_path / "take.part2.wav").read_bytes() == b"mine"


def test_limits_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for size in (0, 45, 2**32):
        with pytest.raises(ValueError, match="limited"):
            WavFileSink(tmp_path / "x.wav", max_bytes=size)


FULL_DISK = """
import resource, sys
import numpy as np
resource.setrlimit(resource.RLIMIT_FSIZE, (50_001, 50_001))
from engine.errors import OutputError
from engine.audio.sinks import WavFileSink
sink = WavFileSink(sys.argv[1])
sink.start(44100)
try:
    for _ in range(100):
        sink.write(np.full(2048, 0.5, np.float32))
except OutputError as error:
    print(error.detail, sink.samples_written)
sink.abort()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_a_full_disk_keeps_the_whole_pieces(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )
    assert "no room left" in done.stdout
    assert done.stdout.split()[-1] == str(12 * 2048)
    assert path.stat().st_size == 44 + 2 * 12 * 2048
    assert soundfile.info(path).frames == 12 * 2048


def test_bad_places_are_told_at_the_start(tmp_path: Path) -> None:
    for place, words in ((tmp_path, "is a folder"), (tmp_path / "no" / "x.wav", "does not exist")):
        sink = WavFileSink(place)
        with pytest.raises(OutputError, match=words):
            sink.start(RATE)
        sink.abort()
    assert os.listdir(tmp_path) == []


def test_use_in_the_wrong_order_is_a_programming_error(tmp_path: Path) -> None:
    sink = WavFileSink(tmp_path / "x.wav")
    with pytest.raises(RuntimeError, match="not open"):
        sink.write(RAMP)
    sink.start(RATE)
    with pytest.raises(RuntimeError, match="already started"):
        sink.start(RATE)
    sink.abort()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_devices_are_written_in_place_and_stay() -> None:
    sink = WavFileSink("/dev/null")
    sink.start(RATE)
    sink.write(RAMP)
    sink.finish()
    assert os.path.exists("/dev/null")
    with pytest.raises(OutputError, match="no room left"):
        WavFileSink("/dev/full").start(RATE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_gets_the_provisional_header(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.wav"
    os.mkfifo(pipe)
    # Opening for both directions neither waits for a partner nor loses bytes.
    reader = os.open(pipe, os.O_RDWR)
    sink = WavFileSink(pipe)
    sink.start(RATE)
    sink.write(RAMP[:100])
    sink.finish()
    assert os.read(reader, 4096) == wav_header(RATE) + to_pcm16(RAMP[:100]).tobytes()
    os.close(reader)
    assert pipe.exists()


def test_raw_samples_go_out_at_once() -> None:
    stream = io.BytesIO()
    sink = RawPcm16Sink(stream)
    sink.start(RATE)
    assert sink.write(np.array([1.0, -1.0, 0.5, np.nan], np.float32))
    assert stream.getvalue() == np.array([32767, -32768, 16384, 0], "<i2").tobytes()
    sink.finish()
    assert not stream.closed
    assert sink.samples_written == 4


def test_a_raw_stream_that_takes_little_at_a_time_gets_everything() -> None:
    class Slow(io.RawIOBase):
        taken = b""

        def write(self, data) -> int:  # type: ignore[no-untyped-def, override]
            self.taken += bytes(data[:7])
            return min(7, len(data))

    slow = Slow()
    RawPcm16Sink(slow).write(RAMP[:100])  # type: ignore[arg-type]
    assert slow.taken == to_pcm16(RAMP[:100]).tobytes()


def test_a_broken_pipe_is_told() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with (
        os.fdopen(writer, "wb", buffering=0) as stream,
        pytest.raises(OutputError, match="closed the connection"),
    ):
        RawPcm16Sink(stream, "the pipe").write(RAMP)
