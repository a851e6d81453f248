"""A take that is dragged with the mouse and let go over its own window changes nothing there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"


@pytest.mark.real
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs Xvfb: a drag is the display's")
def test_a_take_dropped_on_its_own_window_changes_nothing(tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), str(SUPPORT)])
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", sys.executable,
         str(SUPPORT / "drag_script.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 6
    for place, facts in found.items():
        assert facts["entered"] > 0, f"the drag was not over {place}"
        facts = {**facts, "entered": 1}
        assert facts == {
            "entered": 1, "dropped": 0, "offered": False, "takes": 1, "same_text": True,
            "clip": False, "overlay": False,
        }, place  # fmt: skip
