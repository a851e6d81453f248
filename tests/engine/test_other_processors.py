"""The engine's numbers again, as lesser processors compute them, in processes of their own.

Torch, MKL, oneDNN and the kernels choose their code by the processor once a process; variables
hold each of them to what a lesser one has.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import DeviceError
from engine.kernels.jit import KernelLibrary, host_isas

ENGINE = Path(__file__).resolve().parent
PROCESSORS = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "MKL_CBWR": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
    },
    "generic": {
        "ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "MKL_CBWR": "COMPATIBLE", "ONEDNN_MAX_CPU_ISA": "SSE41",
    },
}  # fmt: skip
# Golden numbers of both models of a voice, and that neither threads nor chunks change them.
CHOSEN = {
    "lm/test_golden_ar.py": "test_forced_numbers and plain or test_greedy_codes and clone",
    "codec/test_golden_codec.py": "decode_equals or encode_equals or latents_equal",
    "lm/test_lm_transformers.py": "TestPrefillAndStep",
    "kernels/test_cpu_path.py": "threads or native_steps or uses_the_kernels",
    "kernels/test_kernel_linear.py": "",
}


@pytest.mark.parametrize("name", PROCESSORS)
def test_the_numbers_hold_on_another_processor(name: str) -> None:
    if name not in host_isas():
        pytest.skip(f"this processor has no {name}")
    words = " or ".join(f"({Path(f).stem} and ({k or Path(f).stem}))" for f, k in CHOSEN.items())
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", words]
    done = subprocess.run(
        [*command, *(str(ENGINE / file) for file in CHOSEN)],
        env={**os.environ, **PROCESSORS[name], "S2_KERNELS": name},
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = int(done.stdout.rsplit(" passed", 1)[0].split()[-1])
    assert passed >= 100, done.stdout[-2000:]


def test_the_variables_are_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in host_isas():
        monkeypatch.setenv("S2_KERNELS", name)
        assert KernelLibrary().isa.name == name
    code = "import torch; print(torch.backends.cpu.get_cpu_capability())"
    for name in PROCESSORS:
        if name not in host_isas():
            continue
        environment = {**os.environ, **PROCESSORS[name]}
        said = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        assert said.lower() == PROCESSORS[name]["ATEN_CPU_CAPABILITY"]


def test_kernels_that_cannot_run_here_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2_KERNELS", "sparc")
    with pytest.raises(DeviceError, match="S2_KERNELS asks for sparc kernels"):
        KernelLibrary()
