"""The manual: the same in README, in Help and in both languages, and every way in it leads on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot
from studio_bench import Bench

from app.core.translation import LANGUAGES
from app.help.manual_dialog import ManualDialog, anchor, read_manual

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "resources" / "manual"


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_pictures_and_links_of_the_manual_exist(language: str) -> None:
    text = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    for picture in pictures:
        assert (FOLDER / picture).is_file(), picture
    places = {anchor(chapter.title) for chapter in read_manual(language)}
    for link in re.findall(r"\]\(#([^)]+)\)", text):
        assert link in places


def test_the_languages_have_the_same_chapters_pictures_and_tables() -> None:
    def shape(language: str) -> list[tuple[int, int, int]]:
        return [
            (c.text.count("!["), c.text.count("\n|"), len(re.findall(r"^\d\. ", c.text, re.M)))
            for c in read_manual(language)
        ]

    assert len(shape("en")) >= 10
    assert shape("en") == shape("zh_CN")


def test_an_unknown_language_has_the_english_manual() -> None:
    assert read_manual("xx") == read_manual("en")


def test_readme_tells_the_same_five_minutes() -> None:
    tour = read_manual("en")[0].text
    steps = re.search(r"(1\. .*?)\n\n!\[", tour, re.DOTALL)
    assert steps is not None
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    mine = steps.group(1).replace("[Models](#models)", "Models in the manual")
    assert mine in readme.replace("\r\n", "\n")


@pytest.fixture
def dialog(qtbot: QtBot) -> ManualDialog:
    made = ManualDialog("en")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_every_chapter_is_shown_with_its_pictures(dialog: ManualDialog) -> None:
    for row, chapter in enumerate(read_manual("en")):
        dialog.chapters.setCurrentRow(row)
        shown = dialog.page.toPlainText()
        assert shown.startswith(chapter.title)
        assert "|---" not in shown, "tables are tables"
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", chapter.text):
            resource = dialog.page.loadResource(2, QUrl(name))
            assert resource is not None
            assert len(resource) > 10_000 if hasattr(resource, "__len__") else not resource.isNull()


def test_search_narrows_the_chapters_and_goes_to_the_word(dialog: ManualDialog) -> None:
    dialog.search.setText("antiphase or nothing like it")
    assert dialog.chapters.count() == 0
    assert dialog.nothing.isVisible()
    dialog.search.setText("HOLDBACK")
    titles = [dialog.chapters.item(i).text() for i in range(dialog.chapters.count())]
    assert "Engine and streaming" in titles
    assert dialog.page.textCursor().selectedText().casefold() == "holdback"
    dialog.search.clear()
    assert dialog.chapters.count() == len(read_manual("en"))
    assert not dialog.nothing.isVisible()


def test_return_goes_through_the_places_and_round_again(dialog: ManualDialog) -> None:
    dialog.search.setText("seed")
    first = dialog.page.textCursor().position()
    seen = {first}
    for _ in range(30):
        dialog.search.returnPressed.emit()
        place = dialog.page.textCursor().position()
        if place == first:
            break
        seen.add(place)
    assert place == first
    assert len(seen) > 1


def test_a_link_to_a_chapter_goes_there(dialog: ManualDialog) -> None:
    dialog.page.anchorClicked.emit(QUrl("#models"))
    assert dialog.chapters.currentItem().text() == "Models"
    assert dialog.page.textCursor().position() == 0
    dialog.page.moveCursor(QTextCursor.MoveOperation.End)


def test_f1_opens_one_manual_that_does_not_block(bench: Bench) -> None:
    bench.window.show()
    bench.window.actions_.manual.trigger()
    bench.window.actions_.manual.trigger()
    found = bench.window.findChildren(ManualDialog)
    assert len(found) == 1
    assert found[0].isVisible()
    assert not found[0].isModal()
    found[0].close()
    bench.until(lambda: not bench.window.findChildren(ManualDialog))
    bench.window.actions_.manual.trigger()
    assert len(bench.window.findChildren(ManualDialog)) == 1
