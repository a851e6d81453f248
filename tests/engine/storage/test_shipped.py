"""What counts as ours: files that ship with the program, and copies of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.storage import shipped


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "resources"
    folder.mkdir()
    (folder / "tokenizer.json").write_text('{"ours": 1}')
    monkeypatch.setattr(shipped, "shipped_resources", lambda: folder)
    return folder


def test_a_file_of_the_resources_is_ours(resources: Path) -> None:
    assert shipped.is_shipped(resources / "tokenizer.json")


def test_a_copy_elsewhere_under_any_name_is_ours(resources: Path, tmp_path: Path) -> None:
    copy = tmp_path / "demo.tokenizer.json"
    copy.write_bytes((resources / "tokenizer.json").read_bytes())
    assert shipped.is_shipped(copy)


def test_another_file_is_not_ours_even_with_the_same_name_and_size(
    resources: Path, tmp_path: Path
) -> None:
    other = tmp_path / "tokenizer.json"
    other.write_text('{"ours": 2}')
    assert not shipped.is_shipped(other)
    assert not shipped.is_shipped(tmp_path / "absent.json")


def test_an_installation_without_resources_trusts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Path:
        raise FileNotFoundError("the installation lacks its resources folder")

    monkeypatch.setattr(shipped, "shipped_resources", missing)
    (tmp_path / "tokenizer.json").write_text("{}")
    assert not shipped.is_shipped(tmp_path / "tokenizer.json")
