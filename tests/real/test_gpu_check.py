"""The prepared check for accelerators runs through, on the CPU and on a made-up device.

This tests the script. No accelerator was at hand when it was written.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.real
def test_it_runs_as_a_script_on_the_cpu(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, str(HERE / "gpu_check.py"), "--device", "cpu", "--json", str(out),
         "--frames", "6", "--models", "tiny-f32", "--soak", "1"],
        capture_output=True, text=True, timeout=200, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["failed"] == []
    assert result["device"] == "cpu"
    names = " ".join(check["name"] for check in result["checks"])
    for part in ("float32 slow logits", "greedy codes", "sound", "lost on the way",
                 "static frames", "cannot fit", "codec, automatic", "unpacking Q4_K",
                 "encoder codes", "another frame limit", "three loads", "soak"):  # fmt: skip
        assert part in names
    assert result["figures"]["engine"]["frames"] == 6
    assert result["figures"]["timings"]["copy_gb_s"] > 0


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
    arguments = ["--device", "toy", "--models", "tiny-f32", "--frames", "3", "--soak", "0",
                 "--only", "types", "logits", "codes", "sound", "static", "memory", "engine",
                 "reload"]  # fmt: skip
    out = tmp_path / "figures.json"
    assert gpu_check.main([*arguments, "--json", str(out)]) == 0, capsys.readouterr().out
    result = json.loads(out.read_text(encoding="utf-8"))
    bf16 = [c for c in result["checks"] if "bfloat16" in c["name"]]
    assert all(1e-5 < c["value"] < c["limit"] for c in bf16)
    assert "ms on toy" in result["figures"]["engine"]["codec"]
    monkeypatch.setattr(gpu_check, "F32_LIMIT", 1e-9)
    assert gpu_check.main(arguments) == 1
    assert "FAILED" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="deadlines need an alarm")
def test_no_part_takes_another_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that raises, one that is late and one for CUDA alone; what is known is written."""
    import gpu_run

    out = tmp_path / "figures.json"
    run = gpu_run.Run("cpu", tmp_path, ["tiny-f32"], 3, out)

    def broken() -> None:
        run.below("before it broke", 1.0, 2.0)
        raise ZeroDivisionError("made up")

    run.take(gpu_run.Part("broken", 5, broken))
    known = json.loads(out.read_text(encoding="utf-8"))
    assert known["failed"] == ["broken"]
    assert [c["passed"] for c in known["checks"]] == [True, False]
    assert "ZeroDivisionError: made up" in capsys.readouterr().out
    run.take(gpu_run.Part("late", 0.05, lambda: time.sleep(30)))
    assert run.failed == ["broken", "late"]
    run.take(gpu_run.Part("there", 5, broken, cuda=True))
    run.take(gpu_run.Part("well", 5, lambda: {"ms": 1}))
    run.close()
    known = json.loads(out.read_text(encoding="utf-8"))
    assert known["figures"] == {"well": {"ms": 1}}
    assert run.failed == ["broken", "late"]
