from __future__ import annotations

import subprocess
import sys

from engine.machine.garbage import settle

SCRIPT = """
import gc
from engine.machine.garbage import settle, spare_start
usual = gc.get_threshold()
settle()
print(gc.get_freeze_count(), gc.get_threshold() == usual)
spare_start()
rare = gc.get_threshold()
settle()
print(gc.get_freeze_count() > 1000, rare > gc.get_threshold() > usual)
"""


def test_only_a_program_that_began_so_is_settled() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "True", "True", "True"]


def test_settling_leaves_another_program_alone() -> None:
    import gc

    before = gc.get_threshold(), gc.get_freeze_count()
    settle()
    assert (gc.get_threshold(), gc.get_freeze_count()) == before
