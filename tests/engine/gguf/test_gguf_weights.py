"""Strict binding of weights, and layers that work on stored blocks (spec 01, sections 4-6)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from error_kit import refused
from gguf import quants
from gguf_support import ARCHITECTURE, gguf_bytes, key, save, tensor

from engine.errors import ModelFileError
from engine.gguf import linear, quant_types
from engine.gguf.dequant import can_dequantize, dequantize
from engine.gguf.linear import BlockMatrix, QuantEmbedding, QuantLinear
from engine.gguf.quant_types import QuantType
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource

VALUE_TYPES = [t for t in QuantType if can_dequantize(t)]


def random_matrix(kind: QuantType, rows: int, columns: int = 256, seed: int = 0) -> BlockMatrix:
    """Finite random weights of any type: the scales' bytes are kept small."""
    rng = np.random.default_rng(seed)
    if kind in (QuantType.F32, QuantType.F16, QuantType.BF16):
        values = rng.standard_normal((rows, columns)).astype(np.float32)
        raw = quants.quantize(values, gguf.GGMLQuantizationType(int(kind)))
        return BlockMatrix(np.ascontiguousarray(raw).view(np.uint8), kind, columns, "m")
    width = quant_types.row_bytes(kind, columns)
    return BlockMatrix(rng.integers(0, 60, (rows, width), dtype=np.uint8), kind, columns, "m")


def numbers(matrix: BlockMatrix) -> torch.Tensor:
    return dequantize(matrix.raw, matrix.type_id, matrix.row_length)


@pytest.mark.parametrize("kind", VALUE_TYPES)
@pytest.mark.parametrize("tile", [256, 700, 1 << 18])
def test_linear_equals_the_dense_product(
    kind: QuantType, tile: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "TILE_VALUES", tile)
    matrix = random_matrix(kind, 37)
    layer = QuantLinear(matrix)
    x = torch.randn(2, 3, 256, generator=torch.Generator().manual_seed(1))
    expected = x.double() @ numbers(matrix).double().T
    got = layer(x)
    assert got.shape == (2, 3, 37)
    assert got.dtype == torch.float32
    assert got.is_contiguous()
    assert torch.allclose(got.double(), expected, rtol=1e-5, atol=1e-5 * expected.abs().max())


def test_linear_keeps_no_parameters_and_no_copy() -> None:
    matrix = random_matrix(QuantType.Q8_0, 4)
    layer = QuantLinear(matrix)
    assert (layer.in_features, layer.out_features) == (256, 4)
    assert not list(layer.parameters())
    assert not layer.state_dict()
    assert layer.matrix is not None
    assert layer.matrix.raw is matrix.raw
    assert layer(torch.zeros(0, 256)).shape == (0, 4)


@pytest.mark.parametrize("kind", VALUE_TYPES)
def test_embedding_rows_are_the_reference_rows(kind: QuantType) -> None:
    matrix = random_matrix(kind, 9)
    table = QuantEmbedding(matrix)
    got = table(torch.tensor([[8, 0], [3, 3]]))
    assert got.shape == (2, 2, 256)
    raw = matrix.raw[[8, 0, 3, 3]].copy()
    expected = quants.dequantize(raw, gguf.GGMLQuantizationType(int(kind)))
    assert np.array_equal(got.view(4, 256).numpy(), expected)
    for wrong in (9, -1):
        with pytest.raises(IndexError):
            table(torch.tensor([wrong]))


def test_head_of_chosen_rows() -> None:
    matrix = random_matrix(QuantType.Q6_K, 20)
    ids = torch.tensor([5, 6, 7, 2])
    head = QuantEmbedding(matrix).head(ids)
    x = torch.randn(3, 256, generator=torch.Generator().manual_seed(2))
    expected = x @ numbers(matrix)[ids].T
    assert torch.allclose(head(x), expected, rtol=1e-5, atol=1e-3)


class RecordingKernel:
    """A product for few columns that remembers what it was asked."""

    max_columns = 2

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, matrix: BlockMatrix, x: torch.Tensor, out: torch.Tensor) -> None:
        assert x.is_contiguous()
        assert out.is_contiguous()
        assert out.shape == (x.shape[0], matrix.rows)
        self.calls.append(x.shape[0])
        out.copy_(x @ numbers(matrix).T)


def test_a_kernel_serves_few_columns_only(models: Any) -> None:
    kernel = RecordingKernel()
    with GGUFFile.open(models.path("tiny-kquant")) as file:
        source = WeightSource(file, kernels=lambda m: kernel if m.type_id == 12 else None)
        packed = source.linear("fast_layers.0.attention.wo.weight", 256, 256)
        finer = source.linear("fast_layers.0.attention.wqkv.weight", 512, 256)
        x = torch.randn(3, 256)
        many = packed(x)
        assert not kernel.calls
        few = packed(x[:2].unsqueeze(0)[..., :])
        one = packed(x[0])
        finer(x[:1])
    assert kernel.calls == [2, 1]
    assert torch.allclose(few[0], many[:2], atol=1e-5)
    assert torch.allclose(one, many[0], atol=1e-5)


def test_layers_move_to_another_device() -> None:
    """The meta device stands for an accelerator: it shows what would be made there."""
    module = torch.nn.ModuleDict(
        {
            "plain": QuantLinear(random_matrix(QuantType.F32, 3)),
            "packed": QuantLinear(random_matrix(QuantType.Q4_K, 3)),
            "table": QuantEmbedding(random_matrix(QuantType.Q6_K, 3)),
        }
    )
    module.to("cpu")
    assert module["packed"].matrix is not None
    module.to("meta")
    for name, dtype in (("plain", torch.float32), ("packed", torch.bfloat16)):
        assert module[name].matrix is None
        assert module[name].weight.dtype == dtype
        assert module[name].weight.device.type == "meta"
        got = module[name](torch.empty(2, 256, device="meta"))
        assert (got.shape, got.dtype) == ((2, 3), torch.float32)
    assert module["table"](torch.empty(5, dtype=torch.int64, device="meta")).shape == (5, 256)


def test_dense_weights_are_exact() -> None:
    matrix = random_matrix(QuantType.Q5_K, 5)
    got = linear.dense(matrix, torch.device("cpu"), torch.float32)
    assert torch.equal(got, numbers(matrix))
    assert linear.dense(matrix, torch.device("cpu")).dtype == torch.bfloat16


def test_every_shape_of_the_golden_models_binds(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-f16-projin")) as file:
        codec = WeightSource(file, file.codec_prefix)
        alpha = codec.f32("encoder.block.1.block.0.block.0.alpha", (1, 8, 1))
        assert alpha.shape == (1, 8, 1)
        assert codec.f32("encoder.block.0.conv.weight", (8, 1, 7)).shape == (8, 1, 7)
        source = WeightSource(file)
        expected = gguf.GGUFReader(models.path("tiny-f16-projin"))
        for other in expected.tensors:
            shape = tuple(int(n) for n in reversed(other.shape))
            got = source.f32(other.name, shape).numpy()
            assert np.array_equal(got, other.data.reshape(shape).astype(np.float32))
        assert not source.unused()
        assert len(codec.unused()) == len([n for n in file.tensors if n.startswith("c.")]) - 2


def test_missing_and_wrong_tensors_are_named(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-f32")) as file:
        source = WeightSource(file, "c.")
        assert source.has("decoder.model.0.conv.bias")
        assert not source.has("norm.weight")
        with refused("gguf.no_tensor", ModelFileError, first="c.norm.weight"):
            source.f32("norm.weight", (64,))
        with refused("gguf.no_tensor", ModelFileError, first="c.a"):
            source.require(["decoder.model.0.conv.bias", *"abcdef"])
        source.require(["decoder.model.0.conv.bias"])
        for shape in ((65,), (64, 1), (2, 32)):
            expected = f"tensor c.decoder.model.0.conv.bias has shape [64], expected {list(shape)}"
            with pytest.raises(ModelFileError, match=re.escape(expected)):
                source.f32("decoder.model.0.conv.bias", shape)
        assert source.f32("decoder.model.0.conv.bias", (1, 64)).shape == (1, 64)
        with pytest.raises(ModelFileError, match=re.escape("[256, 64], expected [64, 256]")):
            WeightSource(file).linear("layers.0.attention.wqkv.weight", 64, 256)


def test_a_model_without_its_codec_says_what_it_is(tmp_path: Path) -> None:
    keys = [ARCHITECTURE, key("general.name", 8, "Half a model")]
    data = gguf_bytes(keys, [tensor("norm.weight", (4,))], bytes(16))
    with (
        GGUFFile.open(save(tmp_path / "m.gguf", data)) as file,
        pytest.raises(ModelFileError) as caught,
    ):
        WeightSource(file, "c.").require(["decoder.model.0.conv.weight"])
    assert "missing tensor: c.decoder.model.0.conv.weight" in str(caught.value)
    assert 'The file "Half a model" (architecture fish-speech, 1 tensors)' in str(caught.value)


@pytest.mark.parametrize(
    "name", ["c.x.weight_g", "c.x.weight_v", "c.x.parametrizations.weight.original0"]
)
def test_unfolded_weight_norms_are_refused(tmp_path: Path, name: str) -> None:
    path = save(tmp_path / "m.gguf", gguf_bytes(tensors=[tensor(name, (4,))], data=bytes(16)))
    with GGUFFile.open(path) as file:
        with refused("gguf.weight_norm", ModelFileError):
            WeightSource(file, "c.")
        WeightSource(file, "d.")
