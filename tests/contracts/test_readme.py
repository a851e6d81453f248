"""What README tells a person to type is what this project really does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def command(name: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert found, f"README has no command marked {name}"
    return found.group(1)


def test_readme_has_both_commands_with_all_setup() -> None:
    for name in ("run", "tests"):
        text = command(name)
        assert "apt-get install" in text
        assert "-m venv" in text
        assert "pip install" in text


def test_ci_runs_the_readme_command() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    program = re.search(r"awk '(.*?)' README.md", script)
    assert program
    taken = subprocess.run(
        ["awk", program.group(1), "README.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert taken == command("tests")


def test_readme_names_the_weights_license_and_attribution() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Fish Audio Research License" in text
    assert "Built with Fish Audio" in text
