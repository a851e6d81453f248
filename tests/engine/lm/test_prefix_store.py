"""Voices that are read once on a machine: exact, bounded, and never believed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Engine, Sampling, SynthesisRequest, VoiceProfile
from engine.lm.cache import KVCache, KVSnapshot, PrefixKey
from engine.lm.config import StackConfig
from engine.lm.prefix_store import PrefixStore, RowForm, StoredPrefixCache

CONFIG = StackConfig(16, 2, 2, 1, 8, 32, 10_000.0, 1e-6, False)
KEY = PrefixKey("model", torch.float32, 128, b"columns")


def cache(length: int, dtype: torch.dtype = torch.float32) -> KVCache:
    made = KVCache(CONFIG, length, dtype=dtype)
    generator = torch.Generator().manual_seed(length)
    for rows in (*made.keys, *made.values):
        rows.copy_(torch.randn(rows.shape, generator=generator))
    made.advance(length)
    return made


def equal(one: KVSnapshot, two: KVSnapshot) -> bool:
    pairs = zip((*one.keys, *one.values), (*two.keys, *two.values), strict=True)
    return one.length == two.length and all(torch.equal(a, b) for a, b in pairs)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PrefixStore]:
    made = PrefixStore(tmp_path / "voices", 1_000_000, b"origin")
    yield made
    made.close()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_rows_come_back_bit_for_bit(store: PrefixStore, dtype: torch.dtype) -> None:
    full, key = cache(12, dtype), replace(KEY, dtype=dtype)
    rows = full.snapshot(7)
    store.save(key, rows)
    store.close()
    found = store.load(key, RowForm.of(full, 7))
    assert found is not None
    assert equal(found, rows)
    if os.name == "posix":
        assert store.path(key).stat().st_mode & 0o777 == 0o600


def test_everything_that_rows_depend_on_is_in_the_name(tmp_path: Path) -> None:
    keys = [
        KEY,
        replace(KEY, dtype=torch.float16),
        replace(KEY, chunk=64),
        replace(KEY, columns=b"other"),
    ]
    stores = [PrefixStore(tmp_path, 1, origin) for origin in (b"a", b"b")]
    assert len({each.path(key) for each in stores for key in keys}) == 8
    assert stores[0].path(KEY) == stores[0].path(replace(KEY, identity=object()))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_damage_is_believed(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    store = PrefixStore(tmp_path_factory.mktemp("voices"), 1_000_000, b"origin")
    full = cache(5)
    store.save(KEY, full.snapshot(5))
    store.close()
    path = store.path(KEY)
    content = bytearray(path.read_bytes())
    kind = data.draw(st.sampled_from(["flip", "cut", "longer", "empty"]))
    if kind == "flip":
        place = data.draw(st.integers(0, len(content) * 8 - 1))
        content[place // 8] ^= 1 << place % 8
    elif kind == "cut":
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    elif kind == "longer":
        content += data.draw(st.binary(min_size=1, max_size=40))
    else:
        content.clear()
    path.write_bytes(content)
    assert store.load(KEY, RowForm.of(full, 5)) is None
    assert not path.exists()


def test_an_entry_of_another_form_is_not_read(store: PrefixStore) -> None:
    full = cache(9)
    store.save(KEY, full.snapshot(9))
    store.close()
    assert store.load(KEY, RowForm.of(full, 8)) is None


def test_the_oldest_go_when_room_is_needed(tmp_path: Path) -> None:
    rows = cache(8).snapshot(8)
    store = PrefixStore(tmp_path, 3 * (rows.nbytes + 32), b"")
    keys = [replace(KEY, columns=bytes([number])) for number in range(5)]
    for age, key in enumerate(keys[:3]):
        store.save(key, rows)
        store.close()
        os.utime(store.path(key), (1000 + age, 1000 + age))
    assert store.load(keys[0], RowForm.of(cache(8), 8)) is not None  # the youngest from now on
    store.save(keys[3], rows)
    store.save(keys[4], rows)
    store.close()
    assert [store.path(key).exists() for key in keys] == [True, False, False, True, True]


def test_one_that_never_fits_is_not_written(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path / "voices", 100, b"")
    store.save(KEY, cache(8).snapshot(8))
    store.close()
    assert not (tmp_path / "voices").exists()


@pytest.mark.parametrize("kind", ["folder", "link", "file in place of the folder"])
def test_what_stands_in_the_way_costs_nothing_but_time(tmp_path: Path, kind: str) -> None:
    store = PrefixStore(tmp_path / "voices", 1_000_000, b"")
    full = cache(4)
    if kind == "file in place of the folder":
        (tmp_path / "voices").write_text("mine")
    else:
        (tmp_path / "voices").mkdir()
        if kind == "folder":
            store.path(KEY).mkdir()
        else:
            store.path(KEY).symlink_to("/dev/zero")
    assert store.load(KEY, RowForm.of(full, 4)) is None
    store.save(KEY, full.snapshot(4))
    store.close()
    if kind == "file in place of the folder":
        assert (tmp_path / "voices").read_text() == "mine"


def test_quick_readings_stay_in_memory(store: PrefixStore) -> None:
    memory, full = StoredPrefixCache(1 << 20, store), cache(4)
    memory.keep(KEY, full.snapshot(4), 0.01)
    slow = replace(KEY, columns=b"slow")
    memory.keep(slow, full.snapshot(4), 5.0)
    memory.close()
    assert [store.path(key).exists() for key in (KEY, slow)] == [False, True]
    again = StoredPrefixCache(1 << 20, store)
    assert [again.find(key, full, 4) is not None for key in (KEY, slow)] == [False, True]
    assert (again.hits, again.misses) == (1, 1)


class TestEngine:
    @pytest.fixture(autouse=True)
    def _always(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("engine.loading.voice_cache_folder", lambda: tmp_path / "voices")
        monkeypatch.setattr("engine.lm.prefix_store.LEAST_SECONDS", 0.0)

    def speak(self, models: Any, name: str, **options: Any) -> tuple[np.ndarray, int]:
        with Engine.load(models.path(name), models.tokenizer, **options) as engine:
            rng = np.random.default_rng(1)
            codes = rng.integers(0, 40, (engine.info.num_codebooks, 9))
            voice = VoiceProfile(
                "Words of the clip.", codes.astype(np.int32), engine.info.sample_rate,
                engine.info.codebook_size,
            )  # fmt: skip
            request = SynthesisRequest("Hello.", (voice,), Sampling(seed=3, max_new_tokens=6))
            summary = engine.render(request).summary
            assert summary.codes is not None
            return summary.codes, summary.metrics.prefill_columns

    def test_a_known_voice_in_a_fresh_engine(self, models: Any, tmp_path: Path) -> None:
        first, all_columns = self.speak(models, "tiny-q8_0")
        assert len(list((tmp_path / "voices").iterdir())) == 1
        again, rest = self.speak(models, "tiny-q8_0")
        assert np.array_equal(first, again)
        assert rest < all_columns / 2
        fast, columns = self.speak(models, "tiny-q8_0", arithmetic="fast")
        assert fast.shape[0] == first.shape[0]
        assert columns == all_columns

    def test_nothing_is_kept_where_none_is_wanted(self, models: Any, tmp_path: Path) -> None:
        self.speak(models, "tiny-q8_0", voice_cache_mb=0)
        assert not (tmp_path / "voices").exists()

    def test_another_model_reads_for_itself(self, models: Any, tmp_path: Path) -> None:
        _, columns = self.speak(models, "tiny-q8_0")
        _, others = self.speak(models, "tiny-f32")
        assert columns == others
        assert len(list((tmp_path / "voices").iterdir())) == 2
