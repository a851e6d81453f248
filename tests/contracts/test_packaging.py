"""An ordinary installation carries everything that the program needs at run time."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_is_listed() -> None:
    """Setuptools finds packages by their faces: a folder without one would be left out."""
    found = project()["tool"]["setuptools"]["packages"]["find"]
    assert found == {"include": ["app", "app.*", "engine", "engine.*"]}
    homes = {path.parent for folder in ("engine", "app") for path in (ROOT / folder).rglob("*.py")}
    assert not [home for home in homes if not (home / "__init__.py").is_file()]


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    out = tmp_path_factory.mktemp("wheel")
    source = out / "source"
    shutil.copytree(
        ROOT,
        source,
        ignore=shutil.ignore_patterns(".*", "build", "dist", "artifacts", "tests", "*.egg-info"),
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
         "--no-index", "-w", str(out), str(source)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_wheel_carries_all_data(wheel_names: set[str]) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "resources", "voices"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    # How demo voice, program and pictures are made: for the repository only.
    recipes = ("resources/demo_voice/", "resources/packaging/", "resources/manual/pictures.py")
    missing = [
        name
        for name in tracked
        if not name.startswith(recipes)
        and not any(n.endswith(f"data/share/s2-voice-studio/{name}") for n in wheel_names)
    ]
    assert tracked
    assert not missing
