"""The engine panel: backends that were tried, memory, layers, threads, and the first model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QMessageBox, QPushButton
from studio_bench import Bench
from studio_fakes import model_info

from app.core import settings as keys
from app.help.about import GetModelDialog
from app.inference import backends as engine_facts
from app.inference.backends import (
    BackendFact,
    BackendFacts,
    Readiness,
    cpu_fact,
    fit,
    probe_backends,
    read_needs,
)
from app.inference.service import EngineState
from engine.errors import ModelFileError
from engine.gguf.inspect import MemoryNeeds

GB = 10**9
NEEDS = MemoryNeeds(
    process=GB // 2, stored=3 * GB, layer=220 * 10**6, fast=1080 * 10**6, codec=GB,
    position=300_000, context=32768, layers=36,
)  # fmt: skip
CPU = BackendFact("cpu", "CPU", 16 * GB, 12 * GB, Readiness.READY)
GPU = BackendFact("cuda:0", "Fine GPU", 24 * GB, 20 * GB, Readiness.READY)
OLD = BackendFact("cuda:1", "Old GPU", 4 * GB, 4 * GB, Readiness.BROKEN, "no kernel image")


def know(bench: Bench, *backends: BackendFact, needs: MemoryNeeds | None = NEEDS) -> None:
    """Freeze what is known, so that no measurement changes it."""
    facts = bench.app.facts
    facts.refresh = lambda: None  # type: ignore[method-assign]
    facts.inspect = lambda model: None  # type: ignore[method-assign]
    facts.needs = needs
    facts.take_backends(list(backends))


def test_a_cpu_needs_the_stored_weights_and_the_cache() -> None:
    found = fit(NEEDS, CPU, 1000, -1, "auto")
    cache = 1300 * 300_000
    assert found.needed == GB // 2 + 3 * GB + GB + cache
    assert found.cache == cache
    assert found.state == "ok"
    assert fit(NEEDS, CPU, 10_000, -1, "auto").needed > found.needed


def test_an_accelerator_holds_its_share_of_the_layers() -> None:
    whole = fit(NEEDS, GPU, 1000, -1, "auto")
    half = fit(NEEDS, GPU, 1000, 18, "cpu")
    assert whole.weights == 9 * GB
    assert half.weights == 18 * NEEDS.layer + NEEDS.fast
    assert half.codec == 0
    assert whole.codec == GB


@pytest.mark.parametrize(
    ("free", "state"), [(20, "ok"), (11, "warn"), (5, "warn"), (1, "bad"), (0, "")]
)
def test_the_state_follows_what_is_free(free: int, state: str) -> None:
    backend = BackendFact("cuda:0", "GPU", 24 * GB, free * GB, Readiness.READY)
    assert fit(NEEDS, backend, 1000, -1, "auto").state == state


def test_needs_are_read_from_the_header_alone(models: Any, tmp_path: Path) -> None:
    needs = read_needs(models.path("tiny-q8_0"))
    assert needs is not None
    assert needs.layers > 0
    assert read_needs(tmp_path / "missing.gguf") is None


def test_memory_is_said_in_words_and_as_a_bar(bench: Bench) -> None:
    know(bench, CPU, needs=None)
    memory = bench.window.engine.memory
    assert memory.words.text() == "12.0 GB free"
    know(bench, CPU)
    assert memory.words.text() == "needs 4.9 GB, 12.0 GB free"
    assert 300 < memory.bar.value() < 500
    assert "codec 1.0 GB" in memory.toolTip()
    bench.app.settings.set(keys.MAX_FRAMES, 32_000)
    assert "only 12.0 GB free" in memory.words.text()
    assert memory.words.property("state") == "bad"
    assert memory.bar.accessibleDescription().startswith("needs")


def test_another_backend_is_named_when_it_would_fit(bench: Bench) -> None:
    know(bench, BackendFact("cpu", "CPU", 4 * GB, 2 * GB, Readiness.READY), GPU)
    assert "Fine GPU" in bench.window.engine.memory.toolTip()


def test_only_backends_that_work_can_be_chosen(bench: Bench) -> None:
    know(bench, CPU, GPU, OLD)
    box = bench.window.engine.backend
    assert [box.itemData(i) for i in range(box.count())] == ["cpu", "cuda:0", "cuda:1"]
    assert "does not work" in box.itemText(2)
    assert box.itemData(2, Qt.ItemDataRole.ToolTipRole) == "no kernel image"
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    assert [model.item(i).isEnabled() for i in range(3)] == [True, True, False]
    box.setCurrentIndex(1)
    assert bench.app.settings.get(keys.BACKEND) == "cuda:0"
    assert "test product" in bench.window.engine.backend_hint.text()


def test_a_wish_that_is_gone_stays_visible(bench: Bench) -> None:
    bench.app.settings.set(keys.BACKEND, "cuda:3")
    know(bench, CPU)
    box = bench.window.engine.backend
    assert box.currentText() == "cuda:3 (not found)"
    box.setCurrentIndex(0)
    assert bench.app.settings.get(keys.BACKEND) == "cpu"
    assert box.count() == 1


def test_layers_say_why_they_do_not_count(bench: Bench) -> None:
    layers = bench.window.engine.gpu_layers
    know(bench, CPU)
    assert not layers.isEnabled()
    assert layers.text() == "no GPU found"
    know(bench, CPU, GPU)
    assert layers.text() == "on a GPU only"
    bench.app.settings.set(keys.BACKEND, "cuda:0")
    assert layers.isEnabled()
    assert layers.text() == "all"
    assert layers.maximum() == 36
    layers.setValue(20)
    bench.app.settings.set(keys.BACKEND, "cpu")
    assert layers.text() == "on a GPU only"
    assert bench.app.settings.get(keys.GPU_LAYERS) == 20, "it is not forgotten"


def test_layers_and_threads_reach_the_engine_and_ask_to_load_again(bench: Bench) -> None:
    know(bench, CPU, GPU)
    bench.app.settings.set(keys.BACKEND, "cuda:0")
    bench.load()
    panel = bench.window.engine
    assert panel.reload.isHidden()
    panel.gpu_layers.setValue(12)
    assert not panel.reload.isHidden()
    panel.gpu_layers.setValue(-1)
    assert panel.reload.isHidden()
    panel.threads.setMaximum(8)
    panel.threads.setValue(2)
    panel.gpu_layers.setValue(7)
    panel.reload.click()
    bench.until(lambda: len(bench.loader.options) == 2 and bench.session.can_generate)
    options = bench.loader.options[-1]
    assert (options.device, options.gpu_layers, options.threads) == ("cuda:0", 7, 2)
    bench.app.settings.set(keys.BACKEND, "cpu")
    bench.app.models.reload()
    bench.until(lambda: len(bench.loader.options) == 3 and bench.session.can_generate)
    assert bench.loader.options[-1].gpu_layers == -1, "layers count on an accelerator only"


def test_a_working_accelerator_is_offered_once(bench: Bench) -> None:
    know(bench, CPU, OLD, GPU)
    toast = bench.window.toast
    assert "Fine GPU" in toast.text.text()
    toast.button.click()
    assert bench.app.settings.get(keys.BACKEND) == "cuda:0"
    bench.app.settings.set(keys.BACKEND, "cpu")
    bench.app.facts.take_backends([CPU, GPU])
    assert toast.isHidden()


def test_the_survey_comes_from_the_engine_thread(bench: Bench) -> None:
    assert not bench.app.facts.backends_probed
    bench.app.service.probe_backends()
    bench.until(lambda: bench.app.facts.backends_probed)
    assert bench.app.facts.backends[0].readiness is Readiness.READY
    assert bench.session.state is EngineState.UNLOADED


def test_ready_means_that_a_product_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.machine.devices
    from engine.errors import DeviceError

    seen = [
        engine.machine.devices.Backend("cpu", "CPU", 8, 4),
        engine.machine.devices.Backend("cuda:0", "GPU", 8, 4),
    ]

    def probe(device: str) -> None:
        if device != "cpu":
            raise DeviceError("cuda:0 is listed but cannot run a product: no kernel image")

    monkeypatch.setattr(engine.machine.devices, "list_backends", lambda: seen)
    monkeypatch.setattr(engine.machine.devices, "probe", probe)
    found = probe_backends()
    assert [b.readiness for b in found] == [Readiness.READY, Readiness.BROKEN]
    assert "no kernel image" in found[1].reason


def question(bench: Bench) -> QMessageBox:
    return next(q for q in bench.window.findChildren(QMessageBox) if q.isVisible())


def press(box: QMessageBox, word: str) -> None:
    next(b for b in box.findChildren(QPushButton) if word in b.text()).click()


def test_a_model_larger_than_the_memory_is_asked_about(bench: Bench) -> None:
    bench.window.show()
    know(bench, BackendFact("cpu", "CPU", 4 * GB, 2 * GB, Readiness.READY))
    bench.app.models.open(Path("big.gguf"))
    assert not bench.loader.options
    asked = question(bench)
    assert "4.9 GB" in asked.informativeText()
    assert "2.0 GB" in asked.informativeText()
    press(asked, "Cancel")
    assert bench.session.state is EngineState.UNLOADED
    bench.app.models.open(Path("big.gguf"))
    press(question(bench), "anyway")
    bench.until(lambda: bench.session.can_generate)
    assert bench.loader.options[-1].model == Path("big.gguf")


def test_the_demo_voice_opens_by_itself_and_says_what_it_is(bench: Bench) -> None:
    bench.window.show()
    demo = Path("fake.gguf")
    bench.app.models._find_demo = lambda: demo
    bench.app.models.open_first(None, None)
    bench.until(lambda: bench.session.can_generate)
    banner = bench.window.banner
    assert banner.isVisible()
    assert "demo voice" in banner.text.text()
    banner.button.click()
    ways = bench.window.findChildren(GetModelDialog)[0]
    assert ways.isVisible()
    ways.accept()
    banner.close_button.click()
    assert banner.isHidden()
    assert bench.app.settings.get(keys.DEMO_SEEN)


def test_the_last_model_opens_again_unless_that_ended_badly(bench: Bench, tmp_path: Path) -> None:
    last = tmp_path / "last.gguf"
    last.touch()
    settings, models = bench.app.settings, bench.app.models
    models._find_demo = lambda: None
    settings.set(keys.LAST_MODEL, str(last))
    settings.set(keys.REOPEN_MODEL, False)
    models.open_first(None, None)
    assert not bench.session.service.working
    settings.set(keys.REOPEN_MODEL, True)
    models.open_first(None, None)
    assert settings.get(keys.OPENING_MODEL) == str(last)
    bench.until(lambda: bench.session.can_generate)
    assert settings.get(keys.OPENING_MODEL) == ""
    settings.set(keys.OPENING_MODEL, str(last))  # as after a crash in the middle
    models.open_first(None, None)
    assert not bench.session.service.working
    assert "last.gguf" in bench.window.toast.text.text()
    bench.window.toast.button.click()
    bench.until(lambda: len(bench.loader.options) == 2)
    bench.until(lambda: bench.session.can_generate)


def test_the_command_line_comes_before_all(bench: Bench) -> None:
    bench.app.models._find_demo = lambda: Path("demo.gguf")
    bench.app.models.open_first(Path("mine.gguf"), None)
    bench.until(lambda: bench.session.can_generate)
    assert [o.model for o in bench.loader.options] == [Path("mine.gguf")]


def test_the_memory_of_the_moment_is_followed(qtbot: object, monkeypatch: Any) -> None:
    facts = BackendFacts()
    told: list[None] = []
    facts.changed.connect(lambda: told.append(None))
    monkeypatch.setattr(
        engine_facts,
        "cpu_fact",
        lambda readiness=Readiness.UNTRIED: BackendFact("cpu", "CPU", 9, 5),
    )
    facts.refresh()
    assert facts.backends[0].free_bytes == 5
    assert told
    assert cpu_fact().total_bytes > 0
    assert facts.used_bytes > 0


def test_recent_models_can_be_opened_and_missing_ones_are_named(
    bench: Bench, tmp_path: Path
) -> None:
    there = tmp_path / "there.gguf"
    there.touch()
    bench.app.settings.set(keys.RECENT_MODELS, [str(there), str(tmp_path / "gone.gguf")])
    menu = bench.window.recent_menu
    menu.aboutToShow.emit()
    first, second = menu.actions()[:2]
    assert (first.text(), first.isEnabled()) == ("there.gguf", True)
    assert (second.text(), second.isEnabled()) == ("gone.gguf (not there)", False)
    first.trigger()
    bench.until(lambda: bench.session.can_generate)
    assert bench.loader.options[-1].model == there
    menu.actions()[-1].trigger()
    menu.aboutToShow.emit()
    assert len(menu.actions()) == 1
    assert not menu.actions()[0].isEnabled()


def test_a_stand_in_is_called_one_every_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.model_files import opening

    bench.window.show()
    monkeypatch.setattr(opening, "stand_in_path", lambda: Path("fake.gguf"))
    for _ in range(2):
        bench.load()
        banner = bench.window.banner
        assert "noise, not speech" in banner.text.text()
        assert banner.isVisible()
        banner.close_button.click()
    bench.engine.info = model_info(path="other.gguf")
    bench.load("other.gguf")
    assert bench.window.banner.isHidden()


def test_after_a_failed_load_the_advice_is_about_the_model_that_works(bench: Bench) -> None:
    asked: list[Path | None] = []
    bench.app.facts.inspect = asked.append  # type: ignore[method-assign]
    bench.loader.error = ModelFileError("broken")
    bench.app.models.open(Path("first.gguf"))
    bench.until(lambda: bench.session.state is EngineState.FAILED)
    assert asked[-1] is None
    bench.loader.error = None
    bench.load()
    assert asked[-1] == Path("fake.gguf")
    bench.loader.error = ModelFileError("broken")
    bench.app.models.open(Path("bad.gguf"))
    bench.until(lambda: len(bench.loader.options) == 3 and bench.session.can_generate)
    assert Path("bad.gguf") in asked
    assert asked[-1] == Path("fake.gguf")
