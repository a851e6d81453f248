"""The prepared check for accelerators runs through, on the CPU and on a made-up device.

This tests the script. No accelerator was at hand when it was written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.real
def test_it_runs_as_a_script_on_the_cpu(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, str(HERE / "gpu_check.py"), "--device", "cpu", "--json", str(out),
         "--frames", "6", "--models", "tiny-f32"],
        capture_output=True, text=True, timeout=200, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["failed"] == []
    assert result["device"] == "cpu"
    names = " ".join(check["name"] for check in result["checks"])
    for part in ("float32 slow logits", "greedy codes", "sound", "lost on the way",
                 "static frames", "cannot fit", "codec, automatic"):  # fmt: skip
        assert part in names
    assert result["engine"]["frames"] == 6


@pytest.mark.slow
def test_it_sees_a_second_device_and_a_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import gpu_check
    import toy_device

    from engine import loading

    toy_device.install()
    monkeypatch.setattr(loading, "resolve_device", lambda name: name)
    monkeypatch.setattr(loading, "verdict_path", loading.verdict_path)
    arguments = ["--device", "toy", "--models", "tiny-f32", "--frames", "3"]
    out = tmp_path / "figures.json"
    assert gpu_check.main([*arguments, "--json", str(out)]) == 0, capsys.readouterr().out
    result = json.loads(out.read_text(encoding="utf-8"))
    bf16 = [c for c in result["checks"] if "bfloat16" in c["name"]]
    assert all(1e-5 < c["value"] < c["limit"] for c in bf16)
    assert "ms on toy" in result["engine"]["codec"]
    monkeypatch.setattr(gpu_check, "F32_LIMIT", 1e-9)
    assert gpu_check.main(arguments) == 1
    assert "FAILED" in capsys.readouterr().out
