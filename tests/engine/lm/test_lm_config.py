"""Configuration from metadata: the starred rules, and every contradiction by name."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from engine.errors import ModelFileError
from engine.lm.config import ARConfig
from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights

S = "fish-speech."
U = "fish_speech."

TINY: dict[str, Any] = {
    "general.architecture": "fish-speech",
    S + "context_length": 128,
    S + "vocab_size": 100,
    S + "embedding_length": 24,
    S + "feed_forward_length": 40,
    S + "block_count": 2,
    S + "attention.head_count": 4,
    S + "attention.head_count_kv": 2,
    S + "rope.freq_base": 5e5,
    S + "attention.layer_norm_rms_epsilon": 1e-5,
    U + "codebook_size": 8,
    U + "num_codebooks": 3,
    U + "semantic_begin_id": 90,
    U + "semantic_end_id": 97,
    U + "fast_context_length": 4,
    U + "fast_embedding_length": 24,
    U + "fast_feed_forward_length": 32,
    U + "fast_block_count": 1,
    U + "fast_head_count": 2,
    U + "fast_head_count_kv": 1,
}
TINY_SHAPES: dict[str, tuple[int, ...]] = {
    "embeddings.weight": (100, 24),
    "layers.0.attention.wqkv.weight": (80, 24),
    "layers.0.attention.wo.weight": (24, 40),
    "fast_layers.0.attention.wqkv.weight": (32, 24),
    "fast_layers.0.attention.wo.weight": (24, 16),
}


@dataclass
class Metadata:
    """Keys and shapes without a file; the reader itself is tested on its own."""

    metadata: dict[str, Any]
    tensors: dict[str, Any]

    def _get(self, key: str, default: Any = None) -> Any:
        return self.metadata.get(key, default)

    get_u32 = get_f32 = get_bool = get_str = _get


def read(
    changes: dict[str, Any] | None = None,
    shapes: dict[str, tuple[int, ...]] | None = None,
    without: tuple[str, ...] = (),
) -> ARConfig:
    shapes = {k: v for k, v in {**TINY_SHAPES, **(shapes or {})}.items() if k not in without}
    tensors = {name: SimpleNamespace(shape=shape) for name, shape in shapes.items()}
    return ARConfig.from_gguf(Metadata({**TINY, **(changes or {})}, tensors))


def test_sizes_come_from_metadata_and_shapes() -> None:
    config = read()
    assert (config.dim, config.n_layers, config.ffn, config.vocab_size) == (24, 2, 40, 100)
    assert (config.n_heads, config.n_kv_heads, config.group) == (4, 2, 2)
    # 80 rows by 8 heads, not width 24 by 4 heads.
    assert (config.head_dim, config.qkv_rows) == (10, 80)
    assert (config.fast.head_dim, config.fast.n_layers, config.fast.ffn) == (8, 1, 32)
    assert (config.codebook_size, config.num_codebooks) == (8, 3)


def test_absent_flags_take_our_defaults() -> None:
    config = read()
    assert config.scale_codebooks
    assert config.norm_fast_input
    assert config.tie_embeddings
    assert not config.qk_norm
    assert not config.fast.qk_norm
    assert not config.fast.tie
    assert not config.fast.project_in


def test_qk_norm_follows_the_tensors(caplog: pytest.LogCaptureFixture) -> None:
    norm = {"layers.0.attention.q_norm.weight": (10,)}
    assert read(shapes=norm).qk_norm
    with caplog.at_level(logging.WARNING):
        assert read({U + "attention_qk_norm": False}, norm).qk_norm
    assert "attention_qk_norm is false" in caplog.text
    assert read(shapes={"fast_layers.0.attention.q_norm.weight": (8,)}).fast.qk_norm


def test_qk_norm_promised_without_tensor_names_the_tensor() -> None:
    with pytest.raises(ModelFileError, match=r"missing tensor: layers\.0\.attention\.q_norm"):
        read({U + "attention_qk_norm": True})


def test_fast_stack_shares_the_slow_base_and_epsilon(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        config = read({U + "fast_rope_freq_base": 1e4, U + "fast_layer_norm_rms_eps": 1e-6})
    assert (config.fast.rope_base, config.fast.eps) == (5e5, 1e-5)
    assert "fast_rope_freq_base" in caplog.text
    assert "fast_layer_norm_rms_eps" in caplog.text


def test_equal_fast_values_do_not_warn(caplog: pytest.LogCaptureFixture) -> None:
    read({U + "fast_rope_freq_base": 5e5, U + "fast_layer_norm_rms_eps": 1e-5})
    assert not caplog.records


def test_unequal_widths_need_the_projection() -> None:
    shapes = {
        "fast_layers.0.attention.wqkv.weight": (32, 16),
        "fast_layers.0.attention.wo.weight": (16, 16),
    }
    assert read({U + "fast_embedding_length": 16}, shapes).fast.project_in
    with pytest.raises(ModelFileError, match="inconsistent metadata: widths 24 and 16"):
        read({U + "fast_embedding_length": 16, U + "fast_project_in": False}, shapes)


@pytest.mark.parametrize("key", ["fast_attention_qkv_bias", "fast_attention_o_bias"])
def test_attention_bias_is_refused(key: str) -> None:
    with pytest.raises(ModelFileError, match="attention bias is not supported"):
        read({U + key: True})


@pytest.mark.parametrize(
    ("changes", "shapes", "message"),
    [
        ({S + "vocab_size": 99}, {}, "embeddings.weight has 100 rows"),
        ({U + "semantic_end_id": 96}, {}, "are not 8 ids"),
        ({U + "semantic_begin_id": 95, U + "semantic_end_id": 102}, {}, "outside of 100 ids"),
        ({U + "fast_context_length": 2}, {}, "fast context of 2"),
        ({U + "num_codebooks": 0}, {}, "at least 1"),
        ({S + "block_count": 0}, {}, "size below 1"),
        ({S + "block_count": 1}, {"layers.1.attention.wo.weight": (24, 32)}, "says 1"),
        ({U + "fast_block_count": 1}, {"fast_layers.3.ffn_norm.weight": (16,)}, "4 fast_layers"),
        ({S + "attention.head_count": 0, S + "attention.head_count_kv": 0}, {}, "do not divide"),
        ({}, {"layers.0.attention.wqkv.weight": (81, 24)}, "81 rows, which 8 heads do not"),
        ({}, {"layers.0.attention.wo.weight": (24, 24)}, "has 24 columns"),
        ({}, {"layers.0.attention.q_norm.weight": (12,)}, "q_norm has 12 values"),
        (
            {},
            {
                "layers.0.attention.wqkv.weight": (72, 24),
                "layers.0.attention.wo.weight": (24, 36),
            },
            "head width 9",
        ),
        (
            {S + "attention.head_count": 5, S + "attention.head_count_kv": 2},
            {
                "layers.0.attention.wqkv.weight": (72, 24),
                "layers.0.attention.wo.weight": (24, 40),
            },
            "not a multiple",
        ),
        ({U + "fast_head_dim": 64}, {}, "fast_head_dim is 64 but the fast tensors have 8"),
        ({U + "codec.quantizer_residual_codebooks": 9}, {}, "9 residual codebooks"),
    ],
)
def test_contradictions_are_named(
    changes: dict[str, Any], shapes: dict[str, tuple[int, ...]], message: str
) -> None:
    with pytest.raises(ModelFileError, match="inconsistent metadata: ") as caught:
        read(changes, shapes)
    assert message in caught.value.detail
    assert caught.value.advice


@pytest.mark.parametrize("name", TINY_SHAPES)
def test_a_missing_tensor_is_named(name: str) -> None:
    with pytest.raises(ModelFileError, match=f"missing tensor: {name}"):
        read(without=(name,))


FULL_SHAPES: dict[str, tuple[int, ...]] = {
    "embeddings.weight": (155776, 2560),
    "layers.0.attention.wqkv.weight": (6144, 2560),
    "layers.0.attention.wo.weight": (2560, 4096),
    "layers.0.attention.q_norm.weight": (128,),
    "fast_layers.0.attention.wqkv.weight": (6144, 2560),
    "fast_layers.0.attention.wo.weight": (2560, 4096),
}


def test_the_released_model_needs_no_key_and_has_its_size() -> None:
    """All keys absent: 358 tensors and 4.561 G parameters, none of them allocated."""
    tensors = {name: SimpleNamespace(shape=shape) for name, shape in FULL_SHAPES.items()}
    config = ARConfig.from_gguf(Metadata({"general.architecture": "fish-speech"}, tensors))
    assert (config.head_dim, config.qkv_rows, config.qk_norm) == (128, 6144, True)
    assert (config.fast.head_dim, config.fast.qk_norm) == (128, False)
    model = DualAR(config, FreshWeights(device="meta"), im_end=151645)
    sizes = [parameter.numel() for parameter in model.parameters()]
    assert len(sizes) == 358
    assert sum(sizes) == pytest.approx(4.561e9, rel=1e-3)
    assert model.slow.head_ids.shape == (4097,)
