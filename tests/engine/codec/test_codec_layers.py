"""Causal layers: exact when streamed, the same with and without autograd (spec 04, section 2)."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from codec_support import cut, pack_weights
from torch import Tensor, nn

from engine.codec.config import TransformerConfig
from engine.codec.layers import (
    CausalConv1d,
    CausalTransposedConv1d,
    ConvNeXtBlock,
    ResidualUnit,
    Sequence,
    Snake,
    StridedConv1d,
    run,
)
from engine.codec.transformer import WindowedTransformer, attend, rotation, window_mask

TRANSFORMER = TransformerConfig(2, 8, 2, 2, 4, 12, 5, 1e4, 1e-5)
GROUPED = TransformerConfig(2, 8, 4, 2, 6, 12, 3, 1e4, 1e-5)
NO_PAST = TransformerConfig(1, 8, 2, 2, 4, 12, 1, 1e4, 1e-5)

LAYERS = {
    "conv": lambda: CausalConv1d(6, 5, 7),
    "conv_dilated": lambda: CausalConv1d(6, 5, 7, 9),
    "conv_pointwise": lambda: CausalConv1d(6, 5, 1),
    "conv_one_channel": lambda: CausalConv1d(1, 5, 7),
    "conv_depthwise": lambda: CausalConv1d(6, 6, 7, depthwise=True),
    "strided": lambda: StridedConv1d(6, 5, 8, 4),
    "strided_no_overlap": lambda: StridedConv1d(6, 5, 2, 2),
    "transposed": lambda: CausalTransposedConv1d(6, 5, 8, 4),
    "transposed_odd": lambda: CausalTransposedConv1d(6, 5, 6, 3),
    "transposed_no_overlap": lambda: CausalTransposedConv1d(6, 5, 2, 2),
    "residual_unit": lambda: ResidualUnit(6, 3),
    "convnext": lambda: ConvNeXtBlock(6),
    "sequence": lambda: Sequence([Snake(6), ResidualUnit(6, 1), CausalConv1d(6, 4, 3)]),
    "transformer": lambda: WindowedTransformer(TRANSFORMER),
    "transformer_grouped": lambda: WindowedTransformer(GROUPED),
    "transformer_window_1": lambda: WindowedTransformer(NO_PAST),
}


def make(name: str) -> tuple[nn.Module, int]:
    torch.manual_seed(3)
    layer = LAYERS[name]().double().eval().requires_grad_(False)
    for parameter in layer.parameters():
        parameter.add_(0.2 * torch.randn_like(parameter))
    pack_weights(layer)
    width = {"conv_one_channel": 1}.get(name, 8 if name.startswith("transformer") else 6)
    return layer, width


def whole(layer: nn.Module, x: Tensor) -> Tensor:
    """No state, library convolutions."""
    with torch.enable_grad():
        return layer(x).detach()


@pytest.mark.parametrize("sizes", [(1,), (2,), (3,), (8,), (1, 4, 2, 7), (40,)])
@pytest.mark.parametrize("name", LAYERS)
def test_streamed_equals_whole(name: str, sizes: tuple[int, ...]) -> None:
    layer, width = make(name)
    if name.startswith("strided"):
        sizes = tuple(size * layer.stride for size in sizes)
    x = torch.randn(2, 40, width, dtype=torch.float64)
    with torch.inference_mode():
        state = layer.new_state(2)
        pieces = [layer(x[:, part], state) for part in cut(40, sizes)]
    torch.testing.assert_close(torch.cat(pieces, 1), whole(layer, x), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", LAYERS)
def test_products_equal_library_convolutions(name: str) -> None:
    layer, width = make(name)
    x = torch.randn(2, 24, width, dtype=torch.float64)
    kept = x.clone()
    with torch.no_grad():
        torch.testing.assert_close(layer(x), whole(layer, x), rtol=0, atol=1e-12)
    assert torch.equal(x, kept)


@pytest.mark.parametrize("name", LAYERS)
def test_gradients_reach_every_parameter(name: str) -> None:
    layer, width = make(name)
    layer.requires_grad_(True)
    layer(torch.randn(2, 24, width, dtype=torch.float64)).square().sum().backward()
    for key, parameter in layer.named_parameters():
        assert parameter.grad is not None, key
        assert parameter.grad.abs().sum() > 0, key


@pytest.mark.parametrize("name", LAYERS)
def test_reset_starts_again(name: str) -> None:
    layer, width = make(name)
    x = torch.randn(1, 24, width, dtype=torch.float64)
    with torch.inference_mode():
        state = layer.new_state()
        first = layer(x, state)
        layer(x, state)
        state.reset()
        assert torch.equal(layer(x, state), first)


def test_packing_keeps_shapes_and_values() -> None:
    layers = nn.ModuleList([nn.Linear(3, 4), nn.Conv1d(3, 4, 5), nn.ConvTranspose1d(3, 4, 6, 3)])
    before = {name: p.detach().clone() for name, p in layers.named_parameters()}
    pack_weights(layers)
    for name, parameter in layers.named_parameters():
        assert torch.equal(parameter, before[name])


def test_conv_pads_with_zeros_on_the_left_only() -> None:
    conv = CausalConv1d(1, 1, 3, 2)
    with torch.no_grad():
        conv.conv.weight.copy_(torch.tensor([[[100.0, 10.0, 1.0]]]))
        conv.conv.bias.zero_()
        y = conv(torch.tensor([1.0, 2, 3, 4, 5, 6])[None, :, None])
    assert y.flatten().tolist() == [1, 2, 13, 24, 135, 246]


@pytest.mark.parametrize("length", [1, 3, 4, 5, 8])
def test_strided_conv_completes_the_last_step(length: int) -> None:
    layer = StridedConv1d(2, 3, 8, 4).requires_grad_(False)
    x = torch.randn(1, length, 2)
    y = layer(x)
    assert y.shape[1] == -(-length // 4)
    padded = F.pad(x, (0, 0, 0, -length % 4))
    torch.testing.assert_close(y, layer(padded))


def test_strided_conv_refuses_partial_steps_in_a_stream() -> None:
    layer = StridedConv1d(2, 3, 8, 4).requires_grad_(False)
    with pytest.raises(ValueError, match="multiple of 4"):
        layer(torch.randn(1, 6, 2), layer.new_state())


def test_transposed_conv_of_an_impulse() -> None:
    stride = 4
    layer = CausalTransposedConv1d(1, 1, 2 * stride, stride).requires_grad_(False)
    layer.conv.weight.fill_(1.0)
    layer.conv.bias.fill_(0.0)
    impulse = torch.tensor([1.0, 0, 0])[None, :, None]
    assert layer(impulse).flatten().tolist() == [1] * 8 + [0] * 4
    layer.conv.bias.fill_(0.25)
    with torch.inference_mode():
        state = layer.new_state()
        first = layer(torch.tensor([0.0, 1.0])[None, :, None], state)
        second = layer(torch.zeros(1, 2, 1), state)
    assert first.flatten().tolist() == [0.25] * 4 + [1.25] * 4
    assert second.flatten().tolist() == [1.25] * 4 + [0.25] * 4


def test_snake_with_alpha_of_any_sign_and_none() -> None:
    snake = Snake(3).requires_grad_(False)
    snake.alpha.copy_(torch.tensor([2.0, -0.5, 0.0])[None, :, None])
    x = torch.randn(1, 5, 3)
    expected = x + torch.sin(torch.tensor([2.0, -0.5, 0.0]) * x) ** 2 / (
        torch.tensor([2.0, -0.5, 0.0]) + 1e-9
    )
    with torch.no_grad():
        torch.testing.assert_close(snake(x), expected)
        assert snake(x).isfinite().all()


def test_window_mask_counts_the_query_itself() -> None:
    mask = window_mask(0, 6, 6, 3, torch.device("cpu"))
    assert mask[4].nonzero().flatten().tolist() == [2, 3, 4]
    assert mask[0].nonzero().flatten().tolist() == [0]


@pytest.mark.parametrize("past", [0, 3, 11])
def test_attention_in_blocks_equals_one_mask(past: int) -> None:
    window, rows = 4, 19
    q = torch.randn(1, 2, rows, 8, dtype=torch.float64)
    k, v = torch.randn(2, 1, 2, past + rows, 8, dtype=torch.float64)
    mask = window_mask(past, rows, past + rows, window, q.device)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(attend(q, k, v, window), expected, rtol=0, atol=1e-12)


def test_rotation_stays_exact_far_into_a_stream() -> None:
    position = 40_000_001
    like = torch.zeros(1)
    cos, sin = rotation(position, 1, 4, 1e4, like).double()
    angle = torch.tensor([position, position * 0.01], dtype=torch.float64)
    torch.testing.assert_close(cos[0], angle.cos(), rtol=0, atol=1e-7)
    torch.testing.assert_close(sin[0], angle.sin(), rtol=0, atol=1e-7)


def test_parts_without_state_pass_through_a_sequence() -> None:
    snake = Snake(2).requires_grad_(False)
    x = torch.randn(1, 3, 2)
    assert torch.equal(run(snake, x, None), snake(x))
    assert Sequence([snake]).new_state().elements() == 0
