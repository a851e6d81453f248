"""The script that times the start of the window."""

from __future__ import annotations

import pytest
import start_time


def test_the_window_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    figures = start_time.measure(1)
    low, high = figures["window_s_range"]
    assert 0 < low <= figures["window_s"] <= high


def test_a_start_without_a_window_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_time, "CHILD", "raise SystemExit('broken')")
    with pytest.raises(RuntimeError, match="broken"):
        start_time.start_once()
