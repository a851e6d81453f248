"""Prepared check for a machine with an accelerator; run it there by hand.

    python tests/real/gpu_check.py --device cuda:0 --json figures.json [--model BIG.gguf]
        [--only static reuse] [--list]

It makes the golden models, compares the device with the golden arrays, and tries what a test
without such hardware cannot: real rounding, real timings, a real full memory. ``--device cpu``
runs the same steps on the CPU, which checks this script and not the hardware. Each part stands
alone, with a deadline; the JSON is written after each. Exit code 0 when every limit held.
Needs the packages of the program, not those of its tests.

Limits, as largest absolute difference: float32 logits 1e-3 from the golden ones (both round
differently), bfloat16 logits 5 % of the largest logit, sound 1e-2 and a signal-to-noise ratio
of 40 dB (a GPU may convolve in TF32). Greedy codes in float32 must be equal, and so must those
of frames with fixed addresses, which on CUDA are captured as graphs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(Path(__file__).parent)]

import gpu_parts  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from golden_data import load_arrays  # noqa: E402
from gpu_parts import codes_of, speak  # noqa: E402
from gpu_run import Part, Run  # noqa: E402

from engine import loading  # noqa: E402
from engine.codec.codec import AudioCodec  # noqa: E402
from engine.codec.fallback import CodecHost  # noqa: E402
from engine.engine import Engine  # noqa: E402
from engine.errors import DeviceError  # noqa: E402
from engine.lm.cuda_graphs import StaticFrames  # noqa: E402
from engine.lm.dual_ar import DualAR  # noqa: E402
from engine.lm.sampler import frame_uniforms  # noqa: E402
from engine.machine.devices import probe  # noqa: E402
from engine.types import (  # noqa: E402
    CodecPolicy,
    Sampling,
)

F32_LIMIT, BF16_SHARE, AUDIO_LIMIT, AUDIO_DB = 1e-3, 0.05, 1e-2, 40.0
EXACT_MODELS = ("tiny-f32", "tiny-f16-projin")
MODELS = (*EXACT_MODELS, "tiny-q8_0", "tiny-kquant")
HUGE_CONTEXT = 1 << 40


def force(model: DualAR, prompt: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slow logits (n, ids) and fast logits (n, codebooks - 1, codes) along given frames."""
    slow, fast = model.slow, model.fast
    slow_rows, fast_rows = [], []
    with torch.inference_mode():
        cache, fast_cache = slow.new_cache(prompt.shape[1] + codes.shape[1]), fast.new_cache()
        state = slow.read_out(slow.extend(prompt, cache))
        for frame in codes.T.tolist():
            slow_rows.append(state.logits.cpu().numpy())
            rows = [fast.begin(state.fast_input, frame[0], fast_cache)]
            rows += [fast.step(code, fast_cache) for code in frame[1:-1]]
            fast_rows.append(torch.stack(rows).cpu().numpy())
            column = np.array([model.config.semantic_begin + frame[0], *frame])
            state = slow.step(column, cache)
    return np.stack(slow_rows), np.stack(fast_rows)


def check_logits(run: Run, name: str) -> None:
    """Logits along the golden frames of the clone prompt."""
    _check_logits(run, name, torch.float32)
    if run.device != "cpu":  # on the CPU matrices stay as they are stored
        _check_logits(run, name, torch.bfloat16)


def _check_logits(run: Run, name: str, dtype: torch.dtype) -> None:
    data, model = load_arrays(f"golden-{name}-clone"), run.bind(name, None, dtype)
    codes = data["peer_codes"][:, : run.frames]
    slow, fast = force(model, data["peer_prompt"], codes)
    ids, n = model.slow.head_ids.cpu().numpy(), codes.shape[1]
    for kind, ours, golden in (
        ("slow", slow, data["ref_slow_logits"][:n, ids]),
        ("fast", fast, data["ref_fast_logits"][:n]),
    ):
        exact = dtype == torch.float32
        limit = F32_LIMIT if exact else BF16_SHARE * float(np.abs(golden).max())
        label = "float32" if exact else "bfloat16"
        run.below(f"{name} {label} {kind} logits", np.abs(ours - golden).max(), limit)


def greedy(model: DualAR, prompt: np.ndarray, frames: int) -> np.ndarray:
    return codes_of(model, prompt, Sampling(top_k=1, max_new_tokens=frames, seed=0))


def check_codes(run: Run, name: str) -> None:
    """Greedy frames with all, some and no layers on the device."""
    data = load_arrays(f"golden-{name}-clone")
    expected = data["ref_free_codes_ref_prompt"][:, : run.frames]
    for layers in (None, 1, 0):
        model = run.bind(name, layers, torch.float32)
        codes = greedy(model, data["ref_prompt"], run.frames)
        same = codes.shape == expected.shape and bool((codes == expected).all())
        run.true(f"{name} greedy codes, layers there: {layers}", "equal" if same else "no", same)


def check_static(run: Run, name: str) -> dict[str, float]:
    """Frames with fixed addresses against the loop; on CUDA captured, and then faster."""
    data, model = load_arrays(f"golden-{name}-clone"), run.bind(name, None, torch.float32)
    prompt, times = data["ref_prompt"], {}
    cuda = run.device.startswith("cuda")
    for label, sampling in (
        ("greedy", Sampling(top_k=1, max_new_tokens=run.frames, seed=0)),
        ("drawn", Sampling(max_new_tokens=run.frames, min_tokens_before_end=run.frames, seed=3)),
    ):
        model.graphs.failure = "the loop is measured"
        started = time.perf_counter()
        expected = codes_of(model, prompt, sampling)
        times[f"{label}_loop_ms"] = 1e3 * (time.perf_counter() - started) / run.frames
        model.graphs.failure = ""
        static = StaticFrames(model, 2048)
        if cuda:
            static.capture()
        with torch.inference_mode():
            state = model.slow.read_out(model.slow.extend(prompt, static.cache))
        static.begin(state, sampling)
        books = model.config.num_codebooks
        found: list[np.ndarray] = []
        started = time.perf_counter()
        while len(found) < expected.shape[1]:
            uniforms = frame_uniforms(sampling.seed or 0, len(found), books)
            codes = static.frame(len(found) >= sampling.min_tokens_before_end, uniforms)
            if codes is None:
                break
            found.append(codes)
            if len(found) < run.frames:
                static.step()
        times[f"{label}_static_ms"] = 1e3 * (time.perf_counter() - started) / run.frames
        result = np.stack(found, 1) if found else np.zeros((0, 0), np.int32)
        same = result.shape == expected.shape and bool((result == expected).all())
        how = "captured" if static.captured else "not captured"
        run.true(f"{name} static frames, {label}", f"equal, {how}" if same else "no", same)
        replayed = codes_of(model, prompt, sampling)
        again = replayed.shape == expected.shape and bool((replayed == expected).all())
        run.true(f"{name} a request as it is served, {label}", "equal" if again else "no", again)
    if cuda:
        gain = times["drawn_loop_ms"] / times["drawn_static_ms"]
        run.above(f"{name} a captured frame is faster, times", gain, 1.0)
    return times


def noise_db(ours: np.ndarray, golden: np.ndarray) -> float:
    return float(10 * np.log10(np.sum(golden**2.0) / max(1e-30, np.sum((ours - golden) ** 2.0))))


def check_audio(run: Run, name: str) -> None:
    """The codec there, in one piece and frame by frame; then lost on the way."""
    data = load_arrays(f"golden-{name}-clone")
    codes, golden = data["peer_codes"][:, : run.frames], data["ref_audio_full"]
    codec = AudioCodec.from_gguf(run.files[name], run.device)
    whole = codec.decode(codes)
    golden = golden[: len(whole)]
    run.below(f"{name} sound", np.abs(whole - golden).max(), AUDIO_LIMIT)
    run.above(f"{name} sound, signal to noise (dB)", noise_db(whole, golden), AUDIO_DB)
    stream = codec.stream()
    pieces = np.concatenate([stream.push(codes[:, i : i + 1]) for i in range(codes.shape[1])])
    run.below(f"{name} streamed against whole", np.abs(pieces - whole).max(), F32_LIMIT)

    host = CodecHost(codec, lambda: AudioCodec.from_gguf(run.files[name]))
    lost = host.stream()
    heard = [lost.push(codes[:, :2])]
    lost._stream.push = _full  # type: ignore[attr-defined]
    heard.append(lost.push(codes[:, 2:]))
    run.below(f"{name} codec lost on the way", np.abs(np.concatenate(heard) - golden).max(),
              AUDIO_LIMIT)  # fmt: skip
    run.true(f"{name} reason for the fall-back", host.trouble, "CPU decodes" in host.trouble)


def _full(_codes: np.ndarray) -> np.ndarray:
    raise torch.OutOfMemoryError("out of memory, made up by the check")


def check_memory(run: Run, name: str) -> None:
    """A context that cannot fit, and on CUDA a device that is full while a model loads."""
    model = run.bind(name, None, torch.float32)
    too_long = partial(model.slow.new_cache, HUGE_CONTEXT)
    run.true(*_refused("a context that cannot fit", too_long))
    if not run.device.startswith("cuda"):
        run.true("a full device while loading", "only on CUDA: not run", True)
        return
    index = torch.device(run.device).index or 0
    del model, too_long
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(1e-6, index)
    try:
        full = partial(load, run, name, "cpu", 1)  # asked for by number, so not planned around
        run.true(*_refused("a full device while loading", full))
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, index)
    with load(run, name, "cpu") as engine:
        run.true("it loads again afterwards", engine.info.device, True)


def _refused(name: str, action: Callable[[], object]) -> tuple[str, str, bool]:
    try:
        action()
    except DeviceError as error:
        return name, str(error), bool(error.advice)
    return name, "was not refused", False


def load(run: Run, name: str, policy: CodecPolicy, layers: int = -1) -> Engine:
    return Engine.load(
        run.folder / f"{name}.gguf", run.folder / "tokenizer.json", device=run.device,
        codec_policy=policy, gpu_layers=layers,
    )  # fmt: skip


def check_engine(run: Run) -> dict[str, Any]:
    """The whole engine with the automatic codec: verdict, its memory, timings."""
    reasons = []
    for _ in range(2):
        with Engine.load(
            run.model, run.tokenizer, device=run.device, codec_policy="auto"
        ) as engine:
            reasons.append(engine.info.codec_reason)
            figures = speak(engine, run.frames)
    run.true("codec, automatic", reasons[0], bool(reasons[0]))
    run.true("verdict kept for the next start", str(reasons[0] == reasons[1]),
             reasons[0] == reasons[1])  # fmt: skip
    del figures["codes"]
    return {"model": run.model.name, "codec": reasons[0], **figures}


def parts_of(run: Run, soak: float) -> list[Part]:
    """All parts in order: what is right first, then how fast, then how long."""
    exact = [name for name in run.files if name in EXACT_MODELS]
    found = [Part("types", 60, partial(gpu_parts.check_types, run))]
    for name in run.files:
        if name in exact:
            found.append(Part(f"logits {name}", 60, partial(check_logits, run, name)))
            found.append(Part(f"codes {name}", 60, partial(check_codes, run, name)))
        found += [
            Part(f"sound {name}", 60, partial(check_audio, run, name)),
            Part(f"encoder {name}", 60, partial(gpu_parts.check_encoder, run, name)),
            Part(f"static {name}", 60, partial(check_static, run, name)),
            Part(f"repeats {name}", 60, partial(gpu_parts.check_repeats, run, name)),
        ]
    first = next(iter(run.files))
    return [
        *found,
        Part("reuse", 60, partial(gpu_parts.check_reuse, run, first), cuda=True),
        Part("broken capture", 60, partial(gpu_parts.check_broken_capture, run, first), cuda=True),
        Part("memory", 60, partial(check_memory, run, first)),
        Part("engine", 120, partial(check_engine, run)),
        Part("timings", 120, partial(gpu_parts.check_timings, run)),
        Part("reload", 120, partial(gpu_parts.check_reload, run)),
        Part("layers", 120, partial(gpu_parts.check_layers, run)),
        Part("cards", 180, partial(gpu_parts.check_cards, run), cuda=True),
        Part("soak", soak + 60, partial(gpu_parts.check_soak, run, soak)),
    ]


def options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--model", type=Path, help="a real model, for the timings")
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--soak", type=float, default=90.0, help="seconds")
    parser.add_argument("--only", nargs="+", help="parts whose name begins so")
    parser.add_argument("--list", action="store_true", help="name the parts and end")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    args = options(argv)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(args.device, Path(folder), args.models, args.frames, args.json, args.model,
                  args.tokenizer)  # fmt: skip
        loading.verdict_path = lambda: run.folder / "codec.json"
        try:
            run.take(Part("probe", 60, partial(probe, args.device)))
            for part in parts_of(run, args.soak):
                if args.list:
                    print(f"{part.name}, at most {part.seconds:.0f} s")
                elif not args.only or part.name.startswith(tuple(args.only)):
                    run.take(part)
        finally:
            run.close()
    failed = run.failed
    print(
        f"{len(failed)} failed: {', '.join(failed)}"
        if failed
        else f"all {len(run.checks)} checks held"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
