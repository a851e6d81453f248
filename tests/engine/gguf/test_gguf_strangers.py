"""What other programs write and their tests hold right: taken as it is, or refused politely."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from error_kit import refused
from gguf import GGMLQuantizationType, quants
from gguf_support import ARCHITECTURE, array, gguf_bytes, key, save, tensor

from engine.cli import main
from engine.errors import ModelFileError
from engine.gguf import quant_types
from engine.gguf.dequant import can_dequantize, dequantize
from engine.gguf.quant_types import QuantType
from engine.gguf.reader import GGUFFile


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(gguf_bytes([]), id="no keys"),
        pytest.param(gguf_bytes(version=2), id="version 2"),
        pytest.param(gguf_bytes([ARCHITECTURE, key("k" * 65535, 4, 1)]), id="long key"),
        pytest.param(gguf_bytes(tensors=[tensor("é" * 32, (4,))], data=bytes(16)), id="64 bytes"),
        pytest.param(gguf_bytes(tensors=[tensor("w", (1, 1, 1, 1))], data=bytes(4)), id="ones"),
        pytest.param(
            gguf_bytes([ARCHITECTURE, key("general.alignment", 5, 64)], alignment=64),
            id="#26318: alignment as INT32",
        ),
        pytest.param(
            gguf_bytes([ARCHITECTURE, key("general.alignment", 4, 1 << 20)], alignment=1 << 20),
            id="#24997: largest alignment",
        ),
        pytest.param(gguf_bytes([ARCHITECTURE, array("a", 8, [])]), id="empty array"),
        pytest.param(gguf_bytes([ARCHITECTURE, array("a", 7, [True, False])]), id="truths"),
        pytest.param(gguf_bytes(data=bytes(77)), id="bytes behind the last tensor"),
    ],
)
def test_what_the_peer_takes_is_taken(tmp_path: Path, data: bytes) -> None:
    with GGUFFile.open(save(tmp_path / "m.gguf", data)) as file:
        assert file.version in (2, 3)


@pytest.mark.parametrize("element", [0, 6, 7, 8])
def test_an_array_of_another_type_is_not_read_as_the_one_wanted(
    tmp_path: Path, element: int
) -> None:
    """#26690: scores and kinds of tokens in bytes were read as floats and as words."""
    values: dict[int, list[Any]] = {0: [1, 2], 6: [0.5, 1], 7: [True, False], 8: ["a", "b"]}
    data = gguf_bytes([ARCHITECTURE, array("ids", element, values[element])])
    with GGUFFile.open(save(tmp_path / "m.gguf", data)) as file:
        if element == 0:
            assert file.get_int_list("ids") == [1, 2]
        else:
            with refused("gguf.wrong_type", ModelFileError, key="ids"):
                file.get_int_list("ids")


def test_the_number_of_a_string_array_is_that_of_its_strings(tmp_path: Path) -> None:
    """What is read behind an array begins where its last string ends."""
    data = gguf_bytes([ARCHITECTURE, array("t", 8, ["a", "", "ccc"]), key("after", 4, 7)])
    with GGUFFile.open(save(tmp_path / "m.gguf", data)) as file:
        assert file.metadata["t"] == ["a", "", "ccc"]
        assert file.get_u32("after") == 7


KINDS = [QuantType.Q4_K, QuantType.Q5_K, QuantType.Q6_K, QuantType.Q8_0, QuantType.F16]


def other_architecture(path: Path) -> dict[str, tuple[np.ndarray, QuantType]]:
    """A small file as a converter of language models writes it, with blocks of many types."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("A Language Model")
    writer.add_context_length(2048)
    writer.add_embedding_length(256)
    writer.add_block_count(len(KINDS))
    writer.add_feed_forward_length(512)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(["a", "b", "ab"])
    writer.add_token_merges(["a b"])
    rng = np.random.default_rng(3)
    made: dict[str, tuple[np.ndarray, QuantType]] = {}
    for layer, kind in enumerate(KINDS):
        for part, rows in (("attn_q", 256), ("ffn_up", 512)):
            width = quant_types.row_bytes(kind, 256)
            raw = rng.integers(0, 256, (rows, width), dtype=np.uint8)
            made[f"blk.{layer}.{part}.weight"] = raw, kind
    for name, (raw, kind) in made.items():
        writer.add_tensor(name, raw, raw_dtype=GGMLQuantizationType(int(kind)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return made


def test_every_tensor_of_another_architecture_is_unpacked_as_the_reference_does(
    tmp_path: Path,
) -> None:
    made = other_architecture(tmp_path / "m.gguf")
    with GGUFFile.open(tmp_path / "m.gguf") as file:
        assert set(file.tensors) == set(made)
        for name, info in file.tensors.items():
            kind = QuantType(info.type_id)
            assert can_dequantize(kind)
            with np.errstate(all="ignore"):
                wanted = quants.dequantize(made[name][0].copy(), made[name][1])
            found = dequantize(file.raw(name), kind, info.row_length).numpy()
            assert np.array_equal(found, wanted.astype(np.float32), equal_nan=True), name


def test_another_architecture_is_refused_politely(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other_architecture(tmp_path / "m.gguf")
    assert main(["info", str(tmp_path / "m.gguf")]) == 1
    told = capsys.readouterr().err
    assert "unexpected architecture: llama" in told
    assert "Choose a GGUF of Fish Audio S2 Pro" in told
    assert "Traceback" not in told
