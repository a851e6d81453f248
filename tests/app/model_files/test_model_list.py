"""The list of model files in words, by Qt's rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester

from app.inference.backends import Fit
from app.model_files.downloads import DownloadTask
from app.model_files.list_model import ModelListModel, ModelRole, ModelRow
from engine.hub.catalogue import VARIANTS
from engine.hub.events import Phase, Transfer
from engine.hub.local import Entry, Place, Presence


def entry(presence: Presence, done: int = 0, **more: Any) -> Entry:
    return Entry(VARIANTS[0], Path("m/s2-pro-q4_k_m.gguf"), presence, done, 1000, **more)


def test_the_list_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = ModelListModel()
    rows = [
        ModelRow(Entry(v, Path(f"{v.id}.gguf"), Presence.ABSENT, 0, v.file.size)) for v in VARIANTS
    ]
    model.set_rows(rows)
    qtmodeltester.check(model)
    assert model.data(model.index(0), ModelRole.STATE) == "not here"
    with_own = [*rows, ModelRow(Entry(None, Path("x/own.gguf"), Presence.PRESENT, 5, 5))]
    model.set_rows(with_own)
    qtmodeltester.check(model)
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    model.set_transfer("q6_k", Transfer("s2-pro-q6_k.gguf", Phase.DOWNLOADING, 1, 4))
    assert changed == [2]
    assert model.data(model.index(2), ModelRole.SHARE) == 0.25
    model.set_transfer("gone", Transfer("gone", Phase.DOWNLOADING))
    assert model.data(model.index(99)) is None


@pytest.mark.parametrize(
    ("row", "words", "mood"),
    [
        (ModelRow(entry(Presence.ABSENT)), "not here", ""),
        (ModelRow(entry(Presence.PARTIAL, 250)), "paused at 25 %", ""),
        (ModelRow(entry(Presence.PRESENT, 1000)), "here", ""),
        (ModelRow(entry(Presence.PRESENT, 1000, place=Place.CACHE)), "in the cache", ""),
        (ModelRow(entry(Presence.VERIFIED, 1000)), "here, checked", "ok"),
        (ModelRow(entry(Presence.VERIFIED, 1000), is_open=True), "open now", "ok"),
        (ModelRow(entry(Presence.DAMAGED, 10)), "damaged", "bad"),
        (ModelRow(entry(Presence.ABSENT), DownloadTask.DOWNLOAD, True), "waiting for its turn", ""),
        (ModelRow(entry(Presence.ABSENT), DownloadTask.DOWNLOAD), "connecting", ""),
        (
            ModelRow(
                entry(Presence.ABSENT), DownloadTask.DOWNLOAD, False,
                Transfer("x", Phase.WAITING, 1, 2, wait_s=3, reason="cut"),
            ),
            "trying again", "warn",
        ),
        (
            ModelRow(
                entry(Presence.VERIFIED),
                DownloadTask.VERIFY,
                False,
                Transfer("x", Phase.HASHING, 1, 2),
            ),
            "being checked, 50 %", "ok",
        ),
    ],
)  # fmt: skip
def test_states_in_words(qapp: QApplication, row: ModelRow, words: str, mood: str) -> None:
    model = ModelListModel()
    model.set_rows([replace(row, fit=Fit(200, 100, 1, 1, 1))])
    index = model.index(0)
    assert words in model.data(index, ModelRole.STATE)
    assert model.data(index, ModelRole.MOOD) == mood
    assert model.data(index, ModelRole.FIT_MOOD) == "bad"
    spoken = model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert words in spoken
    assert "too large" in spoken
