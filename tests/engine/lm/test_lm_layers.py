"""Rotary embedding, norm, attention and the cache (spec 03, sections 1 and 2.2)."""

from __future__ import annotations

import math

import pytest
import torch
from lm_support import CONFIG
from torch.profiler import ProfilerActivity, profile

from engine.errors import DeviceError, GenerationError
from engine.lm import layers as layers_module
from engine.lm.cache import KVCache, KVSnapshot, PrefixCache, PrefixKey, position_bytes
from engine.lm.layers import RMSNorm, causal_mask, grouped_attention
from engine.lm.rotary import rope_table, rotate


def turn(vector: torch.Tensor, position: int, base: float = 1e4) -> torch.Tensor:
    table = rope_table(position + 1, vector.shape[-1], base)
    return rotate(vector.view(1, 1, -1), table[position:])[0, 0]


class TestRotary:
    def test_position_zero_is_identity(self) -> None:
        x = torch.randn(16)
        assert torch.equal(turn(x, 0), x)

    def test_pairs_are_neighbours(self) -> None:
        x = torch.zeros(8)
        x[0] = 1
        expected = torch.tensor([math.cos(1), math.sin(1), 0, 0, 0, 0, 0, 0])
        assert torch.allclose(turn(x, 1), expected, atol=1e-7)

    def test_angle_of_each_pair(self) -> None:
        x = torch.tensor([0.0, 0, 0, 0, 0, 1.0, 0, 0])
        angle = 7 * 1e4 ** (-4 / 8)
        assert turn(x, 7)[4:6].tolist() == pytest.approx([-math.sin(angle), math.cos(angle)])

    def test_norm_of_each_pair_is_kept(self) -> None:
        x = torch.randn(32)
        norms = x.view(-1, 2).norm(dim=-1)
        assert torch.allclose(turn(x, 5000).view(-1, 2).norm(dim=-1), norms, atol=1e-5)

    def test_products_depend_on_the_distance_only(self) -> None:
        q, k = torch.randn(32), torch.randn(32)
        for base in (1e4, 1e6):
            near = turn(q, 13, base) @ turn(k, 4, base)
            far = turn(q, 30009, base) @ turn(k, 30000, base)
            assert float(near) == pytest.approx(float(far), abs=1e-4)

    def test_late_angles_are_exact(self) -> None:
        angle = 32767.0 * 1e6 ** (-2 / 128)
        value = rope_table(32768, 128, 1e6)[32767, 1, 0]
        assert float(value) == pytest.approx(math.cos(angle), abs=1e-7)

    def test_no_complex_numbers_are_used(self) -> None:
        """Apple's GPU cannot multiply them before macOS 14."""
        assert not rope_table(8, 16, 1e4).is_complex()
        with profile(activities=[ProfilerActivity.CPU]) as seen:
            turn(torch.randn(16), 3)
        assert not [event.key for event in seen.key_averages() if "complex" in event.key]


def test_rms_norm() -> None:
    x, weight = torch.randn(3, 5, 16), torch.randn(16)
    expected = x.double() * (x.double().square().mean(-1, keepdim=True) + 1e-5).rsqrt() * weight
    assert torch.allclose(RMSNorm(weight, 1e-5)(x), expected.float(), atol=1e-6)


def naive_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Heads repeated and looped over, one query at a time, in float64."""
    batch, count, heads, width = q.shape
    group, past = heads // k.shape[1], k.shape[2] - count
    out = torch.zeros(batch, count, heads, width, dtype=torch.float64)
    for b in range(batch):
        for t in range(count):
            for h in range(heads):
                keys = k[b, h // group, : past + t + 1].double()
                scores = keys @ q[b, t, h].double() / math.sqrt(width)
                values = v[b, h // group, : past + t + 1].double()
                out[b, t, h] = scores.softmax(0) @ values
    return out.flatten(2).float()


@pytest.mark.parametrize(("count", "past"), [(1, 0), (1, 9), (2, 0), (5, 0), (5, 7)])
@pytest.mark.parametrize(("heads", "kv_heads"), [(4, 2), (4, 1), (3, 3)])
@pytest.mark.parametrize("max_scores", [1 << 24, 64])
def test_attention_equals_the_loop(
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    past: int,
    heads: int,
    kv_heads: int,
    max_scores: int,
) -> None:
    monkeypatch.setattr(layers_module, "_MAX_SCORES", max_scores)
    batch = 2 if past == 0 else 1
    q = torch.randn(batch, count, heads, 8)
    k, v = torch.randn(2, batch, kv_heads, past + count + 3, 8)[..., : past + count, :]
    out = grouped_attention(q, k, v, causal_mask(count, past, q.device))
    assert torch.allclose(out, naive_attention(q, k, v), atol=1e-5)


def test_attention_neither_copies_nor_repeats_the_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """The products get views of the cache's own memory."""
    cache = KVCache(CONFIG, 32)
    k, v = cache.write(0, torch.randn(2, 9, 8), torch.randn(2, 9, 8))
    seen: list[int] = []
    bmm = torch.bmm

    def spy(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        seen.append(b.data_ptr())
        return bmm(a, b)

    monkeypatch.setattr(torch, "bmm", spy)
    grouped_attention(torch.randn(1, 1, 4, 8), k.unsqueeze(0), v.unsqueeze(0), None)
    assert seen == [cache.keys[0].data_ptr(), cache.values[0].data_ptr()]


class TestKVCache:
    def filled(self, length: int = 6, capacity: int = 16) -> KVCache:
        cache = KVCache(CONFIG, capacity)
        for layer in range(CONFIG.n_layers):
            cache.write(layer, torch.randn(2, length, 8), torch.randn(2, length, 8))
        cache.advance(length)
        return cache

    def test_layout_and_size(self) -> None:
        cache = KVCache(CONFIG, 16)
        assert cache.keys[1].shape == (2, 16, 8)
        assert cache.nbytes == 16 * position_bytes(CONFIG)
        assert position_bytes(CONFIG, torch.bfloat16) * 2 == position_bytes(CONFIG)

    def test_rows_are_written_in_place_and_counted_when_all_layers_have_them(self) -> None:
        cache = self.filled()
        before = cache.keys[0].data_ptr()
        row = torch.randn(2, 1, 8)
        keys, _ = cache.write(0, row, row)
        assert cache.length == 6
        assert keys.shape == (2, 7, 8)
        assert keys.data_ptr() == before
        assert torch.equal(keys[:, 6:], row)

    def test_no_room_is_refused(self) -> None:
        cache = self.filled()
        with pytest.raises(GenerationError, match=r"KV cache overflow \(6 \+ 11 > 16\)"):
            cache.check_room(11)
        with pytest.raises(GenerationError, match="at least one column, not 0"):
            cache.check_room(0)

    def test_truncate(self) -> None:
        cache = self.filled()
        cache.truncate(2)
        assert cache.length == 2
        with pytest.raises(GenerationError, match="cannot cut 2"):
            cache.truncate(3)

    def test_prefix_is_copied_bit_for_bit_and_is_independent(self) -> None:
        cache = self.filled()
        snapshot = cache.snapshot(4)
        kept = snapshot.values[1].clone()
        cache.values[1].zero_()
        other = KVCache(CONFIG, 8)
        other.copy_prefix(snapshot)
        assert other.length == 4
        assert torch.equal(other.values[1][:, :4], kept)
        with pytest.raises(GenerationError, match="empty cache"):
            other.copy_prefix(snapshot)
        with pytest.raises(GenerationError, match="overflow"):
            KVCache(CONFIG, 3).copy_prefix(snapshot)
        with pytest.raises(GenerationError, match="cannot copy 7 of 6"):
            self.filled().snapshot(7)

    def test_too_little_memory_is_a_named_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*args: object, **kwargs: object) -> torch.Tensor:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

        monkeypatch.setattr(torch, "empty", refuse)
        with pytest.raises(DeviceError, match="not enough memory for 16 positions") as caught:
            KVCache(CONFIG, 16)
        assert "frame limit" in caught.value.advice


class TestPrefixCache:
    def snapshot(self, length: int) -> KVSnapshot:
        rows = torch.zeros(2, length, 8)
        return KVSnapshot(length, (rows,), (rows,))

    def key(self, name: str) -> PrefixKey:
        return PrefixKey("model", torch.float32, 128, name.encode())

    def keep(self, cache: PrefixCache, name: str, length: int) -> None:
        cache.keep(self.key(name), self.snapshot(length), 0.1)

    def holds(self, cache: PrefixCache, name: str) -> bool:
        return cache.find(self.key(name), KVCache(CONFIG, 8), 4) is not None

    def test_oldest_goes_first_within_the_bound(self) -> None:
        size = self.snapshot(4).nbytes
        cache = PrefixCache(max_bytes=2 * size)
        self.keep(cache, "a", 4)
        self.keep(cache, "b", 4)
        assert self.holds(cache, "a")
        self.keep(cache, "c", 4)
        assert [self.holds(cache, name) for name in "abc"] == [True, False, True]
        assert (len(cache), cache.nbytes, cache.hits, cache.misses) == (2, 2 * size, 3, 1)

    def test_an_entry_above_the_bound_is_not_kept(self) -> None:
        cache = PrefixCache(max_bytes=self.snapshot(4).nbytes)
        self.keep(cache, "a", 4)
        self.keep(cache, "b", 5)
        assert self.holds(cache, "a")
        assert not self.holds(cache, "b")

    def test_replacing_and_clearing(self) -> None:
        cache = PrefixCache()
        self.keep(cache, "a", 4)
        self.keep(cache, "a", 2)
        assert cache.nbytes == self.snapshot(2).nbytes
        cache.clear()
        assert len(cache) == 0
