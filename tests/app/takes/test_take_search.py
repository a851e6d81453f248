"""The history as people use it: found by words, star and age, sorted, deleted by the dozen."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from studio_bench import Bench

from app.takes.export_dialog import ExportDialog
from app.takes.files import write_takes
from app.takes.list_filter import Criteria
from app.takes.list_model import Column, _when
from app.takes.take import Take
from engine.audio import ExportFormat


@pytest.fixture
def three(bench: Bench) -> list[Take]:
    bench.load()
    for text in ("Grüße aus Köln.", "A second one.", "Third, longer than the others."):
        bench.make_take(text)
    return bench.session.current.list.takes


def listed(bench: Bench) -> list[str]:
    rows = bench.window.takes.rows
    return [rows.index(row, Column.TEXT).data() for row in range(rows.rowCount())]


def test_words_are_found_in_any_spelling(bench: Bench, three: list[Take]) -> None:
    panel = bench.window.takes
    QAbstractItemModelTester(panel.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    panel.search.setText("gru\u0308ße KÖLN")
    assert listed(bench) == ["Grüße aus Köln."]
    assert panel.heading._title.text() == "Takes · 1 of 3"
    panel.search.setText(str(three[0].origin.seed))
    assert listed(bench) == [three[0].origin.request.text]
    panel.search.setText("nowhere")
    assert listed(bench) == []
    panel.search.clear()
    assert len(listed(bench)) == 3
    assert panel.heading._title.text() == "Takes · 3"


def test_stars_and_days(bench: Bench, three: list[Take]) -> None:
    panel, model = bench.window.takes, bench.session.current.list
    three[1].starred = True
    three[2].origin = replace(
        three[2].origin, made=datetime.datetime.now() - datetime.timedelta(days=3)
    )
    for take in three:
        model.touch(take)
    panel.starred.setChecked(True)
    assert listed(bench) == ["A second one."]
    panel.starred.setChecked(False)
    panel.days.actions()[1].trigger()
    assert len(listed(bench)) == 2
    panel.days.actions()[2].trigger()
    assert len(listed(bench)) == 3
    assert panel.rows.criteria == Criteria(days=7)


def test_a_click_on_a_header_sorts_and_a_take_is_the_one_of_its_row(
    bench: Bench, three: list[Take]
) -> None:
    panel = bench.window.takes
    assert panel.view.horizontalHeader().isVisibleTo(panel)
    panel.view.sortByColumn(Column.TEXT, Qt.SortOrder.AscendingOrder)
    assert listed(bench) == ["A second one.", "Grüße aus Köln.", "Third, longer than the others."]
    panel.view.selectRow(1)
    assert bench.session.current.take is three[2]
    panel.view.activated.emit(panel.rows.index(0, Column.TEXT))
    assert bench.session.current.take is three[1]
    bench.make_take("B comes between.")
    assert listed(bench)[1] == "B comes between."
    bench.window.actions_.take_delete.trigger()
    assert len(listed(bench)) == 3
    for column in Column:
        panel.view.sortByColumn(column, Qt.SortOrder.DescendingOrder)
        assert len(listed(bench)) == 3
    panel.view.sortByColumn(Column.SEED, Qt.SortOrder.AscendingOrder)
    seeds = [panel.rows.take_at(panel.rows.index(row, 0)) for row in range(3)]
    assert [take.origin.seed for take in seeds if take] == sorted(
        take.origin.seed for take in three
    )
    panel.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert listed(bench)[0] == "Third, longer than the others."


def test_many_are_deleted_and_come_back_at_once(bench: Bench, three: list[Take]) -> None:
    panel = bench.window.takes
    select(bench, 0, 2)
    assert panel.chosen == [three[0], three[2]]
    bench.window.actions_.take_delete.trigger()
    assert listed(bench) == ["A second one."]
    assert bench.window.toast.text.text().startswith("2 takes were deleted.")
    assert bench.session.current.take is three[1]
    bench.window.toast.button.click()
    assert bench.session.current.list.takes == three


def test_dates_can_be_read() -> None:
    now = datetime.datetime.now()
    assert _when(now.replace(hour=9, minute=5)) == "09:05"
    days = {n: _when(now - datetime.timedelta(days=n)) for n in (1, 6, 400)}
    assert days[1].endswith(f" {(now - datetime.timedelta(days=1)).day}")
    assert len(days[1].split()) == len(days[6].split()) == 2
    assert str((now - datetime.timedelta(days=400)).year) in days[400]


def test_columns_hold_what_stands_in_them(bench: Bench, three: list[Take]) -> None:
    view = bench.window.takes.view
    metrics = view.fontMetrics()
    for column in (Column.SEED, Column.LENGTH, Column.MADE):
        texts = [bench.session.current.list.index(row, column).data() for row in range(3)]
        widest = max(metrics.horizontalAdvance(text) for text in texts)
        assert view.columnWidth(column) >= widest + 6


def select(bench: Bench, *rows: int) -> None:
    panel = bench.window.takes
    flags = QItemSelectionModel.SelectionFlag
    panel.view.selectRow(rows[0])
    for row in rows[1:]:
        index = panel.rows.index(row, Column.TEXT)
        panel.view.selectionModel().select(index, flags.Select | flags.Rows)


def test_a_star_is_for_all_that_are_chosen(bench: Bench, three: list[Take]) -> None:
    select(bench, 0, 2)
    bench.window.actions_.take_star.trigger()
    assert [take.starred for take in three] == [True, False, True]
    select(bench, 0, 1)
    bench.window.actions_.take_star.trigger()
    assert [take.starred for take in three] == [True, True, True]
    bench.window.actions_.take_star.trigger()
    assert [take.starred for take in three] == [False, False, True]


def test_all_that_are_chosen_are_exported(bench: Bench, three: list[Take], tmp_path: Path) -> None:
    bench.until(lambda: all(take.entry_id for take in three))
    three[1].unload()  # as after a restart: its sound is in the archive
    select(bench, 0, 1)
    bench.window.actions_.export.trigger()
    dialog = bench.window.findChild(ExportDialog)
    assert dialog is not None
    assert "2" in dialog.windowTitle()
    dialog.folder.setText(str(tmp_path))
    dialog.template.setText("take {text}")
    dialog.accept()
    bench.until(lambda: "were saved" in bench.window.toast.text.text())
    assert sorted(path.name for path in tmp_path.glob("*.wav")) == [
        "take A-second-one.wav", "take Third-longer-than-the-others.wav"
    ]  # fmt: skip
    assert "2 takes were saved." in bench.window.toast.text.text()


def test_one_that_cannot_be_exported_is_told_and_stops_no_other(
    bench: Bench, three: list[Take], tmp_path: Path
) -> None:
    bench.until(lambda: all(take.entry_id for take in three))
    three[1].unload()
    archive = bench.app.library.archive
    made = write_takes(three, archive, tmp_path, "{text}", ExportFormat.FLAC_24)
    assert (len(made.files), made.troubles) == (3, ())
    three[1].entry_id = "20200101-000000-1-00000000"
    made = write_takes(three, archive, tmp_path, "{text}", ExportFormat.WAV_16)
    assert (len(made.files), len(made.troubles)) == (2, 1)
