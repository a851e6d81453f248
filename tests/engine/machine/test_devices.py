"""Backends and the codec policy (spec 06, section 2), with devices made up for the test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from engine.errors import DeviceError, GenerationError
from engine.machine import devices
from engine.machine.devices import (
    Backend,
    CodecChoice,
    VerdictFile,
    choose_by_time,
    choose_codec_device,
    place_layers,
    probe,
    resolve_device,
)


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Backend("cpu", "CPU"), Backend("cuda:0", "A"), Backend("cuda:1", "B")]
    monkeypatch.setattr(devices, "list_backends", lambda: found)


@pytest.mark.parametrize(
    ("cpu", "gpu", "takes_gpu"),
    [
        (100, 90, False),
        (100, 89.9, True),
        (100, None, False),
        (None, 500, True),
        (None, None, False),
    ],
)
def test_the_accelerator_must_be_clearly_faster(
    cpu: float | None, gpu: float | None, takes_gpu: bool
) -> None:
    assert choose_by_time(cpu, gpu) is takes_gpu


def test_a_processor_alone_is_never_measured() -> None:
    def measure(_device: str) -> float:
        raise AssertionError("measured")

    assert choose_codec_device("auto", "cpu", measure).device == "cpu"
    assert choose_codec_device("cpu", "cuda:0", measure).device == "cpu"
    assert choose_codec_device("follow", "cuda:0", measure).device == "cuda:0"


@pytest.mark.parametrize(
    ("times", "device"),
    [
        ({"cpu": 100.0, "cuda:0": 10.0}, "cuda:0"),
        ({"cpu": 10.0, "cuda:0": 100.0}, "cpu"),
        ({"cpu": 10.0}, "cpu"),
        ({"cuda:0": 10.0}, "cuda:0"),
    ],
)
def test_auto_says_what_it_measured(times: dict[str, float], device: str) -> None:
    def measure(where: str) -> float:
        if where not in times:
            raise RuntimeError("no kernel image is available")
        return times[where]

    choice = choose_codec_device("auto", "cuda:0", measure)
    assert choice.device == device
    assert "8 frames" in choice.reason
    assert ("failed" in choice.reason) == (len(times) < 2)


@pytest.mark.parametrize(
    "error", [RuntimeError("no kernel"), MemoryError(), GenerationError("non-finite samples")]
)
def test_whatever_a_benchmark_throws_counts_as_failed(error: Exception) -> None:
    def measure(where: str) -> float:
        if where != "cpu":
            raise error
        return 5.0

    choice = choose_codec_device("auto", "cuda:0", measure)
    assert choice.device == "cpu"
    assert "failed on cuda:0" in choice.reason


def test_a_gpu_that_does_not_answer_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_index: int) -> tuple[int, int]:
        raise RuntimeError("CUDA driver version is insufficient\nmore")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "mem_get_info", broken)
    found = devices.list_backends()[1]
    assert (found.name, found.total_bytes) == ("cuda:0", 0)
    assert "insufficient" in found.title


def test_the_verdict_is_remembered_and_survives_damage(tmp_path: Path) -> None:
    calls: list[str] = []

    def measure(where: str) -> float:
        calls.append(where)
        return {"cpu": 100.0, "cuda:0": 10.0}[where]

    file = VerdictFile(tmp_path / "deep" / "codec.json")
    first = choose_codec_device("auto", "cuda:0", measure, file, "model|cuda:0|2")
    again = choose_codec_device("auto", "cuda:0", measure, file, "model|cuda:0|2")
    assert again == first
    assert calls == ["cpu", "cuda:0"]
    choose_codec_device("auto", "cuda:0", measure, file, "model|cuda:0|4")
    assert len(calls) == 4
    for damage in ("{", "[]", json.dumps({"model|cuda:0|2": {"colour": 1}}), "\x00"):
        (tmp_path / "deep" / "codec.json").write_text(damage, encoding="utf-8")
        assert file.get("model|cuda:0|2") is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    verdicts = VerdictFile(tmp_path / "file" / "codec.json")
    verdicts.put("key", CodecChoice("cpu", "asked for"))
    assert verdicts.get("key") is None
    assert (tmp_path / "file").read_bytes() == b""


def test_names_of_devices(two_gpus: None) -> None:
    assert resolve_device("CPU") == "cpu"
    assert resolve_device("cuda") == "cuda:0"
    assert resolve_device("cuda:1") == "cuda:1"
    with pytest.raises(DeviceError, match="valid are 0 to 1"):
        resolve_device("cuda:2")
    with pytest.raises(DeviceError, match="mps is not available"):
        resolve_device("mps")
    with pytest.raises(DeviceError, match="Vulkan is not supported"):
        resolve_device("vulkan:0")
    for wrong in ("", "tpu", "cuda:x", "cuda:-1"):
        with pytest.raises(DeviceError, match="unknown device"):
            resolve_device(wrong)


def test_layers_go_where_there_is_room() -> None:
    assert place_layers(-1, 36, True) == (36, [])
    assert place_layers(-1, 36, False) == (0, [])
    assert place_layers(0, 36, True) == (0, [])
    assert place_layers(12, 36, True) == (12, [])
    count, warnings = place_layers(99, 36, True)
    assert count == 36
    assert "36" in warnings[0]
    assert place_layers(-5, 36, True)[1]
    with pytest.raises(DeviceError, match="needs an accelerator"):
        place_layers(4, 36, False)


def test_ready_means_that_a_product_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    probe("cpu")

    def broken(*_args: object, **_options: object) -> torch.Tensor:
        raise RuntimeError("CUDA error: no kernel image is available for execution\nmore lines")

    monkeypatch.setattr(torch, "full", broken)
    with pytest.raises(DeviceError, match="cannot run a product: CUDA error: no kernel") as error:
        probe("cuda:0")
    assert "more lines" not in str(error.value)


def test_out_of_memory_is_known_by_type_and_by_words() -> None:
    assert devices.is_out_of_memory(MemoryError())
    assert devices.is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory"))
    assert devices.is_out_of_memory(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    assert not devices.is_out_of_memory(RuntimeError("shape mismatch"))
    assert "--device cpu" in str(devices.out_of_memory("cuda:0", "speaking"))
