"""Pictures of the window for people to look at, in artifacts/ (not under version control)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from studio_bench import Bench
from studio_fakes import CODEBOOKS, RATE, pace

from app.core import settings as keys
from engine.voices import VoiceProfile

FOLDER = Path(__file__).resolve().parents[2] / "artifacts"
TEXT = (
    "<|speaker:0|> Good evening. [short pause] The harbour is quiet tonight, and the last boat "
    "has come in. [whisper] Listen: you can hear the bell from the old lighthouse."
)


def snap(bench: Bench, name: str) -> int:
    """Save a picture; returns how many colours it has."""
    FOLDER.mkdir(exist_ok=True)
    image = bench.window.grab().toImage()
    assert image.save(str(FOLDER / f"{name}.png"))
    data = np.frombuffer(image.convertToFormat(image.Format.Format_RGB32).constBits(), np.uint32)
    return len(np.unique(data))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_pictures(bench: Bench, theme: str) -> None:
    bench.app.settings.set(keys.THEME, theme)
    for name, text in (("Hope", "The morning train was late."), ("小梅", "今天的天气真好。")):
        profile = VoiceProfile(text, np.zeros((CODEBOOKS, 200), np.int32), RATE, 4096)
        bench.app.voices.library.save(name, profile)
    bench.app.voices.refresh()
    bench.window.resize(1366, 768)
    bench.window.show()
    bench.qtbot.waitExposed(bench.window)
    assert snap(bench, f"empty-{theme}") > 50
    bench.window.voices.choose("Hope")
    bench.load("s2-pro-q4_k_m.gguf")
    bench.engine.frames, bench.engine.wait = 120, pace(0.004)
    bench.window.script.set_text(TEXT)
    bench.app.scripts.generate()
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.frames > 80)
    busy = snap(bench, f"busy-{theme}")
    bench.until(lambda: take.store.complete)
    assert snap(bench, f"done-{theme}") > 200
    assert busy > 200
