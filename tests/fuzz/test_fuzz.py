"""Bad inputs of every kind: a typed refusal or a result, soon, small, and nothing else touched.

500 inputs of each kind; ``--nightly`` (or ``S2_NIGHTLY=1``) reads 10,000. See README.md here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from fuzz_parent import fuzz
from fuzz_targets import SLOW, TARGETS

SEED = 1
QUICK, NIGHTLY = 500, 10_000

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes and files"),
]


@pytest.mark.slow
@pytest.mark.parametrize("target", sorted(TARGETS))
def test_bad_input(target: str, nightly: bool, tmp_path: Path) -> None:
    count = (NIGHTLY if nightly else QUICK) // SLOW.get(target, 1)
    outcome = fuzz(target, SEED, count, tmp_path)
    print(outcome.summary())
    assert not outcome.findings, outcome.summary() + "\n" + "\n".join(outcome.findings[:10])
    assert outcome.inputs == count
