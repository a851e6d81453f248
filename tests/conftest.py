"""Golden models and golden arrays, shared by all tests (see tests/data/README.md)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from golden_data import GOLDEN_DIR, load_arrays
from hypothesis import settings

from engine.random_model.model import GOLDEN_MODELS, make_golden_model, make_tokenizer

# Before torch loads: tests share the cores with each other.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Before Qt loads; tests of real windows give their children a display.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest_plugins = ("run_report", "watchdog")
settings.register_profile("house", deadline=None)
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The long form of the tests in ``tests/fuzz``, and tests marked ``nightly``."""
    parser.addoption("--nightly", action="store_true", help="fuzz with 10,000 inputs of each kind")


def _is_nightly(config: pytest.Config) -> bool:
    return bool(config.getoption("--nightly")) or os.environ.get("S2_NIGHTLY") == "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes minutes, unless it was asked for."""
    if _is_nightly(config):
        return
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def nightly(request: pytest.FixtureRequest) -> bool:
    """Whether the long form was asked for, by ``--nightly`` or ``S2_NIGHTLY=1``."""
    return _is_nightly(request.config)


@dataclass(frozen=True)
class GoldenModels:
    """The four golden model files of a test run, with their tokenizer beside them."""

    dir: Path

    @property
    def tokenizer(self) -> Path:
        return self.dir / "tokenizer.json"

    def path(self, name: str) -> Path:
        """File of ``tiny-f32``, ``tiny-f16-projin``, ``tiny-q8_0`` or ``tiny-kquant``."""
        assert name in GOLDEN_MODELS
        return self.dir / f"{name}.gguf"


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> GoldenModels:
    """The golden models, made once for each worker; treat them as read-only."""
    made = GoldenModels(tmp_path_factory.mktemp("models"))
    for name in GOLDEN_MODELS:
        make_golden_model(name, made.path(name))
    make_tokenizer(made.tokenizer)
    return made


@pytest.fixture(scope="session")
def golden() -> Callable[[str, str], dict[str, np.ndarray]]:
    """``golden(model, prompt)``: arrays of one golden run."""
    return lambda model, prompt: load_arrays(f"golden-{model}-{prompt}")


@pytest.fixture(scope="session")
def golden_arrays() -> Callable[[str], dict[str, np.ndarray]]:
    """``golden_arrays(name)``: arrays of any golden .npz, named without its ending."""
    return load_arrays


@pytest.fixture(scope="session")
def golden_file() -> Callable[[str], Path]:
    """``golden_file(name)``: path of a golden file that is no .npz, such as a .flac."""

    def find(name: str) -> Path:
        path = GOLDEN_DIR / name
        assert path.is_file(), f"{name} is not in {GOLDEN_DIR}"
        return path

    return find
