"""Files that are right: round trips through other writers, getters, paths (spec 01)."""

from __future__ import annotations

import gc
import math
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from error_kit import refused
from gguf import GGMLQuantizationType, GGUFValueType
from gguf_support import ARCHITECTURE, array, gguf_bytes, key, save, tensor

from engine.errors import ModelFileError
from engine.gguf import quant_types
from engine.gguf.inspect import describe, memory_needs
from engine.gguf.quant_types import QuantType
from engine.gguf.reader import GGUFFile

SCALARS: dict[GGUFValueType, Any] = {
    GGUFValueType.UINT8: 255,
    GGUFValueType.INT8: -128,
    GGUFValueType.UINT16: 65535,
    GGUFValueType.INT16: -32768,
    GGUFValueType.UINT32: 2**32 - 1,
    GGUFValueType.INT32: -(2**31),
    GGUFValueType.FLOAT32: 0.5,
    GGUFValueType.BOOL: True,
    GGUFValueType.STRING: "Grüße, 世界",
    GGUFValueType.UINT64: 2**64 - 1,
    GGUFValueType.INT64: -(2**63),
    GGUFValueType.FLOAT64: 0.1,
}


def write_with_reference(path: Path, alignment: int) -> dict[str, tuple[np.ndarray, QuantType]]:
    """A file by the reference writer: every value type, every tensor type, 1 to 4 dims."""
    writer = gguf.GGUFWriter(path, "fish-speech")
    if alignment != 32:
        writer.add_custom_alignment(alignment)
    for kind, value in SCALARS.items():
        writer.add_key_value(f"s.{kind.name}", value, kind)
        writer.add_key_value(f"a.{kind.name}", [value] * 3, GGUFValueType.ARRAY, sub_type=kind)
    rng = np.random.default_rng(0)
    tensors: dict[str, tuple[np.ndarray, QuantType]] = {}
    for kind in QuantType:
        for dims in ((), (3,), (2, 3), (2, 1, 3)):
            name = f"{kind.name}.{len(dims) + 1}"
            width = quant_types.row_bytes(kind, 256)
            raw = rng.integers(0, 256, (*dims, width), dtype=np.uint8)
            tensors[name] = (raw, kind)
            writer.add_tensor(name, raw, raw_dtype=GGMLQuantizationType(int(kind)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tensors


@pytest.mark.parametrize("alignment", [32, 64])
def test_round_trip_with_the_reference_writer(tmp_path: Path, alignment: int) -> None:
    written = write_with_reference(tmp_path / "m.gguf", alignment)
    with GGUFFile.open(tmp_path / "m.gguf") as file:
        assert file.alignment == alignment
        for kind, value in SCALARS.items():
            assert file.metadata[f"s.{kind.name}"] == value
            assert type(file.metadata[f"s.{kind.name}"]) is type(value)
            assert file.metadata[f"a.{kind.name}"] == [value] * 3
        assert list(file.tensors) == list(written)
        for name, (raw, kind) in written.items():
            info = file.tensors[name]
            assert info.type_id == kind
            assert info.shape == (*raw.shape[:-1], 256)
            assert info.row_length == 256
            assert info.nbytes == raw.nbytes
            assert info.elements == math.prod(info.shape)
            assert info.offset % alignment == 0
            assert np.array_equal(file.raw(name), raw.reshape(-1, raw.shape[-1]))


def test_golden_models_read_as_the_reference_reads_them(models: Any) -> None:
    path = models.path("tiny-kquant")
    reference = gguf.GGUFReader(path)
    with GGUFFile.open(path) as file:
        assert list(file.tensors) == [t.name for t in reference.tensors]
        for other in reference.tensors:
            assert file.raw(other.name).tobytes() == other.data.tobytes()
        for name, field in reference.fields.items():
            if not name.startswith("GGUF."):
                assert file.metadata[name] == field.contents()


def open_bytes(tmp_path: Path, data: bytes) -> GGUFFile:
    return GGUFFile.open(save(tmp_path / "m.gguf", data))


def test_version_2_and_empty_directory(tmp_path: Path) -> None:
    with open_bytes(tmp_path, gguf_bytes(version=2)) as file:
        assert file.version == 2
        assert not file.tensors


def test_trailing_ones_of_ne_are_dropped(tmp_path: Path) -> None:
    entries = [
        tensor("a", (1, 5, 1)),
        tensor("b", (1, 1), offset=32),
        tensor("c", (4, 1, 1, 1), offset=64),
    ]
    with open_bytes(tmp_path, gguf_bytes(tensors=entries, data=bytes(96))) as file:
        assert [t.shape for t in file.tensors.values()] == [(5, 1), (1,), (4,)]
        assert file.raw("a").shape == (5, 4)


def test_nested_arrays_and_odd_strings(tmp_path: Path) -> None:
    inner = bytes.fromhex("00000000 0200000000000000 0102".replace(" ", ""))
    nested = array("n", 0, [])[:-12] + bytes.fromhex("09000000 0100000000000000") + inner
    data = gguf_bytes([ARCHITECTURE, nested, key("b", 8, b"\xff")])
    with open_bytes(tmp_path, data) as file:
        assert file.metadata["n"] == [[1, 2]]
        assert file.metadata["b"] == "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 4, 5, 10, 11])
def test_integers_of_every_type_are_accepted(tmp_path: Path, kind: int) -> None:
    data = gguf_bytes([key("n", kind, 7), array("a", kind, [1, 2])])
    with open_bytes(tmp_path, data) as file:
        assert file.get_u32("n") == 7
        assert file.get_int_list("a") == [1, 2]


def test_getters(tmp_path: Path) -> None:
    keys = [
        key("f", 6, 0.5),
        key("d", 12, 0.25),
        key("t", 7, True),
        key("s", 8, "x"),
        key("minus", 5, -1),
    ]
    with open_bytes(tmp_path, gguf_bytes(keys)) as file:
        assert (file.get_f32("f"), file.get_f32("d")) == (0.5, 0.25)
        assert file.get_bool("t") is True
        assert file.get_str("s") == "x"
        assert file.get_u32("no", 3) == 3
        assert file.get_f32("no", 3) == 3.0
        assert file.get_bool("no", False) is False
        assert file.get_str("no", "d") == "d"
        assert file.get_int_list("no", (1,)) == [1]
        with pytest.raises(TypeError):
            file.metadata["f"] = 1  # type: ignore[index]
        with refused("gguf.no_key", ModelFileError, key="no"):
            file.get_u32("no")


@pytest.mark.parametrize(
    ("getter", "kind", "value", "expected"),
    [
        ("get_u32", 6, 1.0, "INT32/UINT32"),
        ("get_u32", 7, True, "INT32/UINT32"),
        ("get_u32", 5, -1, "INT32/UINT32"),
        ("get_u32", 10, 2**32, "INT32/UINT32"),
        ("get_u32", 8, "7", "INT32/UINT32"),
        ("get_f32", 4, 1, "FLOAT32"),
        ("get_f32", 6, math.nan, "FLOAT32"),
        ("get_bool", 4, 1, "BOOL"),
        ("get_str", 4, 1, "STRING"),
        ("get_int_list", 4, 1, "ARRAY of INT32"),
    ],
)
def test_wrong_value_types_are_told(
    tmp_path: Path, getter: str, kind: int, value: Any, expected: str
) -> None:
    with (
        open_bytes(tmp_path, gguf_bytes([key("k.x", kind, value)])) as file,
        pytest.raises(ModelFileError, match=f"expected {expected} for key: k.x"),
    ):
        getattr(file, getter)("k.x")


def test_architecture(tmp_path: Path) -> None:
    with open_bytes(tmp_path, gguf_bytes()) as file:
        assert (file.architecture, file.codec_prefix) == ("fish-speech", "c.")
    codec = [key("general.architecture", 8, "fish-speech-codec")]
    with open_bytes(tmp_path, gguf_bytes(codec)) as file:
        assert file.codec_prefix == ""
    llama = [key("general.architecture", 8, "llama")]
    with (
        open_bytes(tmp_path, gguf_bytes(llama)) as file,
        refused("gguf.architecture", ModelFileError, value="llama"),
    ):
        _ = file.architecture
    with (
        open_bytes(tmp_path, gguf_bytes([])) as file,
        refused("gguf.no_architecture", ModelFileError),
    ):
        _ = file.architecture


def test_views_outlive_the_file(models: Any) -> None:
    file = GGUFFile.open(models.path("tiny-f32"))
    view = file.raw("norm.weight")
    expected = view.copy()
    file.close()
    file.close()
    gc.collect()
    assert not view.flags.writeable
    assert np.array_equal(view, expected)
    with pytest.raises(ValueError, match="closed"):
        file.raw("norm.weight")


@pytest.mark.parametrize("folder", ["Загрузки/モデル é", "with  space/" + "/".join(["d" * 60] * 5)])
def test_paths_with_any_letters_and_length(tmp_path: Path, folder: str) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True)
    path = save(place / "モデル.gguf", gguf_bytes())
    with GGUFFile.open(path) as file:
        assert file.architecture == "fish-speech"
    path.unlink()
    with refused("gguf.unopened", ModelFileError, path=str(path)):
        GGUFFile.open(path)


def test_read_only_folder(tmp_path: Path) -> None:
    place = tmp_path / "locked"
    place.mkdir()
    path = save(place / "m.gguf", gguf_bytes())
    path.chmod(0o400)
    place.chmod(0o500)
    try:
        with GGUFFile.open(str(path)) as file:
            assert file.size == path.stat().st_size
    finally:
        place.chmod(0o700)


def test_describe_golden_models(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-kquant")) as file:
        info = describe(file)
    assert info.types == {"F16": 12, "Q4_K": 11, "Q6_K": 8}
    assert (info.num_codebooks, info.codebook_size) == (10, 64)
    assert (info.semantic_size, info.residual_size) == (64, 48)
    assert (info.sample_rate, info.samples_per_frame) == (44100, 2048)
    assert (info.context_length, info.codec_window) == (1024, 16)
    assert info.file_bytes == models.path("tiny-kquant").stat().st_size
    assert info.ar_parameters + info.codec_parameters == 1937664 + 1180733
    assert info.memory_bytes > info.file_bytes


def test_memory_needs_grow_with_the_frames_up_to_the_context(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-kquant")) as file:
        needs, info = memory_needs(file), describe(file)
    assert needs.position > 0
    assert needs.cache(20) - needs.cache(10) == 10 * needs.position
    assert needs.cache(1_000_000) == 1024 * needs.position
    assert 0 < needs.layer < needs.dense < 2 * info.ar_parameters
    assert needs.codec == 4 * info.codec_parameters
    assert needs.stored > 0
    assert info.memory_bytes == needs.on_cpu() > needs.on_cpu(10)
