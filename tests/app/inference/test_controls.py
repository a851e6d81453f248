"""No control of the window is a dummy: each one changes what the engine is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from access_kit import is_inner, spoken_name
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox, QWidget
from studio_bench import Bench

from app.core import settings as keys
from app.inference.backends import BackendFact, Readiness

GB = 10**9
CPU = BackendFact("cpu", "CPU", 16 * GB, 12 * GB, Readiness.READY)
GPU = BackendFact("cuda:0", "Fine GPU", 24 * GB, 20 * GB, Readiness.READY)
KINDS = (QCheckBox, QComboBox, QDoubleSpinBox, QSpinBox)
SEED = 7


def controls(bench: Bench) -> list[QWidget]:
    """All of the engine's panel and of the menu for long texts, but those of servers."""
    panel, pieces = bench.window.engine, bench.window.script.segments
    content = pieces.menu().actions()[0].defaultWidget()  # type: ignore[attr-defined]
    found = (*panel.findChildren(QWidget), *content.findChildren(QWidget))
    apart = (bench.window.remote, bench.window.serve)
    return [
        w for w in found
        if isinstance(w, KINDS) and not is_inner(w) and not any(a.isAncestorOf(w) for a in apart)
    ]  # fmt: skip


def prepare(bench: Bench) -> None:
    """A state in which every control counts."""
    facts = bench.app.facts
    facts.refresh = lambda: None  # type: ignore[method-assign]
    facts.inspect = lambda model: None  # type: ignore[method-assign]
    facts.take_backends([CPU, GPU])
    settings = bench.app.settings
    for setting, value in (
        (keys.BACKEND, "cuda:0"), (keys.DECODE_MODE, "windowed"), (keys.SPLIT_MODE, "always"),
        (keys.SEED_PINNED, True),
    ):  # fmt: skip
        settings.set(setting, value)  # type: ignore[arg-type]
    bench.window.script.show_seed(SEED)
    bench.window.engine.threads.setMaximum(8)
    bench.load()


def asked(bench: Bench) -> tuple[Any, Any, Any]:
    """What a take, a load and the player are told now."""
    bench.app.models.reload()
    bench.until(lambda: bench.session.can_generate)
    bench.make_take("One sentence. Another one.")
    bench.until(lambda: bench.session.can_generate)
    return (
        bench.engine.requests[-1], replace(bench.loader.options[-1]),
        bench.app.player.start_buffer_s,
    )  # fmt: skip


def change(control: QWidget) -> None:
    """Another value, as a user would choose it."""
    assert control.isEnabled(), spoken_name(control)
    if isinstance(control, QCheckBox):
        control.click()
    elif isinstance(control, QComboBox):
        control.setCurrentIndex((control.currentIndex() + 1) % control.count())
    else:
        assert isinstance(control, QSpinBox | QDoubleSpinBox)
        control.stepBy(3 if control.value() + 3 * control.singleStep() < control.maximum() else -3)


def test_each_control_changes_something_and_nothing_else_for_good(bench: Bench) -> None:
    prepare(bench)
    base = asked(bench)
    kept = {s.key: bench.app.settings.get(s) for s in keys.ALL}
    found = controls(bench)
    assert len(found) >= 15
    dead = []
    for control in found:
        change(control)
        if asked(bench) == base:
            dead.append(spoken_name(control))
        for setting in keys.ALL:
            bench.app.settings.set(setting, kept[setting.key])
    assert dead == []
    assert asked(bench) == base


def test_the_dice_and_the_pin_rule_the_seed(bench: Bench) -> None:
    prepare(bench)
    assert asked(bench)[0].sampling.seed == SEED
    bench.qtbot.mouseClick(bench.window.script.dice, Qt.MouseButton.LeftButton)
    drawn = bench.window.script.seed_value
    assert drawn != SEED
    assert asked(bench)[0].sampling.seed == drawn, "it is kept, so the drawn one counts"
    bench.qtbot.mouseClick(bench.window.script.pin, Qt.MouseButton.LeftButton)
    assert asked(bench)[0].sampling.seed != drawn


@pytest.mark.parametrize("live", [True, False])
def test_play_while_generating_rules_the_player(bench: Bench, live: bool) -> None:
    bench.load()
    bench.window.actions_.play_live.setChecked(live)
    bench.make_take()
    assert bool(bench.sound.streams) is live
