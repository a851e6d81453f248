"""Parts of ``gpu_check.py`` beyond the golden arrays: repeats, memory, small cards, timings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from golden_data import GOLDEN_DIR, load_arrays
from gpu_run import Run

from engine.audio.files import read_audio
from engine.bench.soak import run_soak, verdict
from engine.codec.codec import AudioCodec
from engine.engine import Engine
from engine.errors import DeviceError
from engine.gguf.dequant import can_dequantize, dequantize
from engine.gguf.quant_types import QuantType, row_bytes
from engine.lm.cuda_graphs import StaticFrames
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.machine.devices import release_memory
from engine.types import CodecPolicy, FrameCodes, Sampling, Summary, SynthesisRequest

CARDS_GB = (4, 6, 8, 10, 12, 16, 24)
LEFT_BYTES = 64 << 20  # libraries' own, after everything was closed


def codes_of(model: DualAR, prompt: np.ndarray, sampling: Sampling) -> np.ndarray:
    events = generate(model, prompt, sampling)
    return np.stack([e.codes for e in events if isinstance(e, FrameCodes)], axis=1)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool((a == b).all())


def check_types(run: Run) -> None:
    """Every storage type unpacked there has the bits that the CPU gets."""
    rng = np.random.default_rng(5)
    for kind in [t for t in QuantType if can_dequantize(t)]:
        raw = rng.integers(0, 256, (7, row_bytes(kind, 512)), dtype=np.uint8)
        here = dequantize(raw, kind, 512).numpy()
        there = dequantize(torch.from_numpy(raw).to(run.device), kind, 512).cpu().numpy()
        equal = np.array_equal(here, there, equal_nan=True)
        run.true(f"unpacking {kind.name}", "equal" if equal else "no", equal)


def check_encoder(run: Run, name: str) -> None:
    """The codes of a clip are those of the reference."""
    clip = read_audio(GOLDEN_DIR / "ref-mono-44k1.flac")
    golden = load_arrays(f"encoder-{name}-ref-mono-44k1")["ref_codes_pad2048"]
    codes = AudioCodec.from_gguf(run.files[name], run.device).encode(clip.samples[:, 0])
    share = float((codes == golden).mean()) if codes.shape == golden.shape else 0.0
    run.above(f"{name} encoder codes, share equal", share, 1.0)


def check_repeats(run: Run, name: str) -> None:
    """One seed gives one speech: again, with another frame limit, bound anew."""
    prompt = load_arrays(f"golden-{name}-clone")["ref_prompt"]
    count = run.frames

    def spoken(model: DualAR, frames: int) -> np.ndarray:
        wish = Sampling(max_new_tokens=frames, min_tokens_before_end=frames, seed=11)
        return codes_of(model, prompt, wish)[:, :count]

    model = run.bind(name, None, torch.bfloat16)
    first = spoken(model, count)
    for what, again in (
        ("again", spoken(model, count)),
        ("with another frame limit", spoken(model, 3 * count)),
        ("bound anew", spoken(run.bind(name, None, torch.bfloat16), count)),
    ):
        run.true(f"{name} the same codes {what}", str(same(first, again)), same(first, again))


def check_reuse(run: Run, name: str) -> None:
    """Thirty requests share one capture, and the memory stays as it is."""
    prompt = load_arrays(f"golden-{name}-clone")["ref_prompt"]
    model = run.bind(name, None, torch.float32)
    wish = Sampling(top_k=1, max_new_tokens=run.frames, seed=0)
    codes_of(model, prompt, wish)
    frames, reserved = model.graphs.frames, torch.cuda.memory_reserved(run.device)
    run.true(f"{name} captured", model.graphs.failure or "yes", frames is not None)
    for _ in range(30):
        codes_of(model, prompt, wish)
    run.true(f"{name} captured once for 31 requests", "", model.graphs.frames is frames)
    grown = torch.cuda.memory_reserved(run.device) - reserved
    run.below(f"{name} memory that 30 requests left, bytes", grown, 1)
    model.close()


def check_broken_capture(run: Run, name: str) -> None:
    """A capture made to fail: the request is spoken, the stream restored, nothing is retried."""
    prompt = load_arrays(f"golden-{name}-clone")["ref_prompt"]
    wish = Sampling(top_k=1, max_new_tokens=run.frames, seed=0)
    real, tries = StaticFrames._step_frame, []

    def syncing(self: StaticFrames, attended: int) -> None:
        real(self, attended)
        if torch.cuda.is_current_stream_capturing():
            tries.append(attended)
            self._rows.position.item()

    stream, model = torch.cuda.current_stream(), run.bind(name, None, torch.float32)
    StaticFrames._step_frame = syncing  # type: ignore[method-assign]
    try:
        found = [codes_of(model, prompt, wish) for _ in range(2)]
    finally:
        StaticFrames._step_frame = real  # type: ignore[method-assign]
    run.true(f"{name} a broken capture is remembered", model.graphs.failure, len(tries) == 1)
    back = torch.cuda.current_stream() == stream
    run.true(f"{name} the stream is restored after it", str(back), back)
    whole = run.bind(name, None, torch.float32)  # captures again, in the same process
    equal = all(same(codes, codes_of(whole, prompt, wish)) for codes in found)
    run.true(f"{name} codes after a broken capture", "equal" if equal else "no", equal)
    run.true(f"{name} a capture after a broken one", whole.graphs.failure or "works",
             whole.graphs.frames is not None)  # fmt: skip


def open_engine(run: Run, layers: int = -1, policy: CodecPolicy = "follow") -> Engine:
    return Engine.load(
        run.model, run.tokenizer, device=run.device, gpu_layers=layers, codec_policy=policy
    )


def speak(engine: Engine, frames: int, text: str = "The ferry left late.") -> dict[str, Any]:
    """Figures of one request; ``codes`` holds its frames as lists."""
    sampling = Sampling(max_new_tokens=frames, min_tokens_before_end=frames, seed=1)
    summary, codes = None, []
    for event in engine.synthesize(SynthesisRequest(text, sampling=sampling)):
        if isinstance(event, FrameCodes):
            codes.append(event.codes.tolist())
        if isinstance(event, Summary):
            summary = event
    assert summary is not None
    return {**summary.metrics.as_dict(), "codes": codes}


def check_reload(run: Run) -> dict[str, Any]:
    """Three loads: as many layers there, the same codes, and all memory back at the end."""
    release_memory(run.device)
    before = torch.cuda.memory_allocated(run.device) if run.cuda else 0
    found, steps = [], []
    for _ in range(3):
        with open_engine(run) as engine:
            found.append((engine.info.gpu_layers, speak(engine, run.frames)["codes"]))
            if run.cuda:
                steps.append(memory(run))
    run.true("three loads are alike", f"{found[0][0]} layers", found[0] == found[1] == found[2])
    if run.cuda:
        left = torch.cuda.memory_allocated(run.device) - before
        run.below("memory left after closing, bytes", left, LEFT_BYTES)
    return {"layers": found[0][0], "memory": [*steps, memory(run) if run.cuda else {}]}


def memory(run: Run) -> dict[str, int]:
    free, total = torch.cuda.mem_get_info(run.device)
    return {
        "allocated": torch.cuda.memory_allocated(run.device),
        "reserved": torch.cuda.memory_reserved(run.device),
        "driver_free": free,
        "total": total,
    }


def check_layers(run: Run) -> dict[str, Any]:
    """Some layers there and the rest on the CPU: it speaks, at which speed."""
    with open_engine(run) as engine:
        total = engine.info.gpu_layers
    times, wishes = {}, {0, total // 3, 2 * total // 3, total}
    for layers in sorted(wishes):
        with open_engine(run, layers) as engine:
            times[str(layers)] = speak(engine, run.frames)["ar_avg"]
    run.true("part of the layers there", str(sorted(times)), len(times) == len(wishes))
    return {"ar_avg": times}


def check_cards(run: Run) -> dict[str, Any]:
    """Smaller cards by a limit on this one: what fits is loaded, and it speaks."""
    total, found = torch.cuda.mem_get_info(run.device)[1], {}
    for size in CARDS_GB:
        with limited(run, size * 1e9 / total):
            try:
                with open_engine(run) as engine:
                    spoken = speak(engine, run.frames)
                    found[str(size)] = {
                        "layers": engine.info.gpu_layers, "codec": engine.info.codec_device,
                        "ar_avg": spoken["ar_avg"], "graphs": engine.warnings,
                    }  # fmt: skip
                run.true(f"a card of {size} GB", str(found[str(size)]["layers"]), True)
            except DeviceError as error:
                run.true(f"a card of {size} GB", str(error), False)
    return found


@contextmanager
def limited(run: Run, share: float) -> Iterator[None]:
    """Let this process have only a share of the device's memory."""
    release_memory(run.device)
    index = torch.device(run.device).index or 0
    torch.cuda.set_per_process_memory_fraction(min(1.0, share), index)
    try:
        yield
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, index)


def check_timings(run: Run) -> dict[str, Any]:
    """Bandwidth, a cold and a warm request, the loop against graphs, the codec by stride."""
    figures: dict[str, Any] = {"copy_gb_s": copy_bandwidth(run)}
    with open_engine(run) as engine:
        figures["cold"] = speak(engine, run.frames)
        figures["warm"] = speak(engine, run.frames)
        assert engine._parts is not None
        model, codec = engine._parts.model, engine._parts.codec
        kept, model.graphs.failure = model.graphs.failure, "the loop is measured"
        figures["loop"] = speak(engine, run.frames)
        model.graphs.failure = kept
        for stride in (1, 4, 16):
            codes = np.zeros((codec.config.num_codebooks, stride), np.int32)
            stream = codec.stream()
            stream.push(codes)
            figures[f"push_{stride}_ms"] = 1e3 * seconds(lambda s=stream, c=codes: s.push(c))
        clip = np.zeros(10 * codec.config.sample_rate, np.float32)
        figures["clip_10_s_ms"] = 1e3 * seconds(lambda: codec.encode(clip))
    for key in ("cold", "warm", "loop"):
        del figures[key]["codes"]
    run.true("timings", f"{figures['warm']['ar_avg']:.2f} ms a frame", True)
    return figures


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of some runs, results read back included."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def copy_bandwidth(run: Run) -> float:
    """Bytes read and written in a second by a large copy there, in GB."""
    size = 1 << (30 if run.cuda else 24)
    a, b = (torch.zeros(size, dtype=torch.uint8, device=run.device) for _ in range(2))

    def copy() -> None:
        b.copy_(a)
        b[:1].cpu()

    copy()
    return 2 * size / seconds(copy) / 1e9


def check_soak(run: Run, length: float) -> dict[str, Any]:
    """Take after take: equal, memory flat, never dry when faster than real time."""
    resident = (lambda: torch.cuda.memory_reserved(run.device)) if run.cuda else None
    with open_engine(run) as engine:
        figures = run_soak(engine, length, run.frames, memory=resident)
    trouble = verdict(figures)
    run.true("soak", "; ".join(trouble) or f"{figures['takes']} takes", not trouble)
    return figures
