"""Model files: the container byte by byte and entry by entry, and what speaks in the end."""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz_mutate import HOSTILE_INTS, TEXT_TRAPS, mutate_bytes
from fuzz_target import Case
from gguf_support import SCALARS, array, gguf_bytes, key, tensor, text
from named_gguf import GGUF_CASES

from engine.errors import EngineError
from engine.gguf.reader import GGUFFile

MOST_ELEMENTS = 1 << 16
_NAMED = tuple(data for data, _ in GGUF_CASES.values())
_TYPES = (0, 1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 26, 30, 4, 15, 23, 39, 255, 2**31)


@dataclass(slots=True)
class EngineParts:
    """A model file in pieces that can be put together again.

    Attributes:
        keys: name, value type, element type of an array, and value.
        tensors: name, lengths, type and offset.
        data: the data section.
    """

    keys: list[tuple[str, int, int, Any]]
    tensors: list[tuple[str, list[int], int, int]]
    data: bytes

    def to_bytes(self, **lies: Any) -> bytes:
        """The file; ``lies`` as in :func:`gguf_bytes`."""
        keys = []
        for name, kind, element, value in self.keys:
            keys.append(array(name, element, value) if kind == 9 else key(name, kind, value))
        entries = [tensor(name, ne, kind, at) for name, ne, kind, at in self.tensors]
        return gguf_bytes(keys, entries, self.data, **lies)


def take_apart(path: Path) -> EngineParts:
    """Pieces of a good file, by the reader of another project's package."""
    from gguf import GGUFReader

    reader = GGUFReader(path)
    keys: list[tuple[str, int, int, Any]] = []
    for name, found in reader.fields.items():
        if name.startswith("GGUF."):
            continue
        kinds = [int(kind) for kind in found.types]
        keys.append((name, kinds[0], kinds[-1], found.contents()))
    tensors = [
        (t.name, [int(n) for n in t.shape], int(t.tensor_type), int(t.data_offset))
        for t in reader.tensors
    ]
    start = min(at for *_, at in tensors)
    data = path.read_bytes()[start:]
    return EngineParts(keys, [(n, ne, kind, at - start) for n, ne, kind, at in tensors], data)


def hostile_value(rng: random.Random, kind: int, old: Any) -> Any:
    """Another value of the same stored type."""
    if kind == 8:
        return rng.choice(TEXT_TRAPS).encode("utf-8", "surrogatepass")
    code = SCALARS[kind]
    if kind == 7:
        return not old
    if kind in (6, 12):
        value = rng.choice((0.0, -1.0, 1e-30, 1e30, float("nan"), float("inf"), -float("inf")))
        return min(value, 3e38) if kind == 6 and value == value and value < 1e300 else value
    low = 0 if code.isupper() else -(1 << 8 * struct.calcsize(code) - 1)
    high = (1 << 8 * struct.calcsize(code)) + low - 1
    value = rng.choice((*HOSTILE_INTS, -1, -2, old + 1, old - 1, old * 2, old // 2))
    return min(high, max(low, value))


def damage_parts(rng: random.Random, good: EngineParts) -> bytes:
    """One to three wrong entries in a file that is otherwise whole."""
    parts = EngineParts(list(good.keys), list(good.tensors), good.data)
    lies: dict[str, Any] = {}
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        kind = rng.randrange(10)
        if kind < 4:
            _damage_key(rng, parts)
        elif kind < 8:
            _damage_tensor(rng, parts)
        elif kind == 8:
            raw = bytearray(parts.data)
            at = rng.randrange(len(raw) - 4096)
            count = rng.choice((2, 16, 512, 4096))
            raw[at : at + count] = rng.choice((b"\xff", b"\x7c", b"\0", b"\x7f")) * count
            parts.data = bytes(raw)
        else:
            name = rng.choice(("version", "n_tensors", "n_keys", "alignment"))
            lies[name] = rng.choice(HOSTILE_INTS) % 2**32 if name != "alignment" else 64
    return parts.to_bytes(**lies)


def _damage_key(rng: random.Random, parts: EngineParts) -> None:
    if not parts.keys:
        return
    at = rng.randrange(len(parts.keys))
    name, kind, element, value = parts.keys[at]
    match rng.randrange(6):
        case 0:
            del parts.keys[at]
        case 1:
            parts.keys.insert(rng.randrange(len(parts.keys) + 1), parts.keys[at])
        case 2 if kind == 9 and value:
            changed = [hostile_value(rng, element, each) for each in value]
            keep = rng.randrange(len(value) + 1)
            mixed = [*value[:keep], *changed[keep:]]
            parts.keys[at] = name, kind, element, mixed * rng.choice((1, 1, 2, 1000))
        case 3 if kind == 9:
            parts.keys[at] = name, kind, element, []
        case 4:
            other = rng.choice((4, 5, 6, 7, 8, 10, 11))
            stand_in: Any = b"x" if other == 8 else 1.0 if other == 6 else 1
            parts.keys[at] = name, other, other, stand_in
        case _ if kind != 9:
            parts.keys[at] = name, kind, element, hostile_value(rng, kind, value)


def _damage_tensor(rng: random.Random, parts: EngineParts) -> None:
    if not parts.tensors:
        return
    at = rng.randrange(len(parts.tensors))
    name, ne, kind, offset = parts.tensors[at]
    match rng.randrange(7):
        case 0:
            del parts.tensors[at]
        case 1:
            parts.tensors.append(parts.tensors[at])
        case 2:
            kind = rng.choice(_TYPES)
        case 3:
            axis = rng.randrange(len(ne))
            length = rng.choice((0, 1, 2, 31, 256, 2**20, 2**40, 2**63, ne[axis] * 2, ne[axis] + 1))
            ne = [*ne[:axis], length, *ne[axis + 1 :]]
        case 4:
            ne = rng.choice(([*ne, 1], ne[::-1], ne[:1], [*ne, 2, 2][:5], []))
        case 5:
            offset = rng.choice((0, 1, 32, offset + 32, offset - 32, 2**40, 2**64 - 32)) % 2**64
        case _:
            _, ne, kind, offset = rng.choice(parts.tensors)
    if at < len(parts.tensors):
        parts.tensors[at] = name, ne, kind, offset


class GgufTarget:
    """Opens a file, reads what it says of itself, and unpacks its small tensors."""

    name = "gguf"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        import torch

        from engine.codec.config import CodecConfig
        from engine.gguf.weights import WeightSource
        from engine.lm.config import ARConfig
        from engine.random_model.model import make_golden_model

        torch.set_num_threads(1)
        self._config = ARConfig, CodecConfig
        self._source = WeightSource
        make_golden_model("tiny-kquant", home / "model.gguf")
        self._whole = (home / "model.gguf").read_bytes()
        self._parts = take_apart(home / "model.gguf")
        self._head = self._whole[: len(self._whole) - len(self._parts.data) + 4096]
        self._small = self._make_small()

    def _make_small(self) -> bytes:
        """A few hundred bytes in which every byte matters."""
        words = array("words", 8, ["a", "bc"])
        nested = text("deep") + struct.pack("<IIQIQI", 9, 9, 1, 4, 1, 7)
        keys = [key("general.architecture", 8, "fish-speech"), key("general.alignment", 4, 32)]
        keys += [words, nested, array("fish_speech.codec.encoder_rates", 5, [2, 4])]
        keys += [key("fish-speech.block_count", 4, 2), key("fish-speech.rope.freq_base", 6, 1e6)]
        keys.append(key("big", 10, 2**40))
        entries = [
            tensor("a", (32, 2), 8),
            tensor("b", (4, 1, 3), 0, 96),
            tensor("c", (256,), 12, 160),
        ]
        return gguf_bytes(keys, entries, bytes(320))

    def make(self, rng: random.Random) -> Case:
        kind = rng.randrange(10)
        if kind < 4:
            seed = rng.choice((self._small, self._small, rng.choice(_NAMED)))
            return Case({"model.gguf": mutate_bytes(rng, seed, [self._head])})
        if kind < 6:
            return Case({"model.gguf": mutate_bytes(rng, self._head[: rng.randrange(40000)])})
        if kind < 9:
            return Case({"model.gguf": damage_parts(rng, self._parts)})
        return self._huge(rng)

    def _huge(self, rng: random.Random) -> Case:
        """A small file with a hole behind it, so that a huge count has its bytes."""
        element = rng.choice((0, 4, 7, 8, 9, 10))
        count = rng.choice((1 << 16, 1 << 20, 1 << 22, (1 << 24) - 1, 1 << 24, 1 << 26))
        entry = text("k") + struct.pack("<IIQ", 9, element, count)
        many = rng.choice(HOSTILE_INTS)
        data = gguf_bytes([entry], n_keys=1 + many % 3, n_tensors=rng.choice((0, 0, 65536)))
        return Case({"model.gguf": data}, room=1 << rng.choice((20, 26, 28)))

    def read(self, folder: Path, case: Case) -> str:
        from engine.gguf.inspect import describe, memory_needs

        with GGUFFile.open(folder / "model.gguf") as file:
            said = [self._try(check, file) for check in (describe, memory_needs)]
            said += [self._try(config.from_gguf, file) for config in self._config]
            source = self._source(file)
            for name in list(file.tensors)[:: 1 + len(file.tensors) // 24]:
                info = file.tensors[name]
                if info.elements <= MOST_ELEMENTS:
                    self._try(source.f32, name, info.shape)
                    self._try(file.raw, name)
            del source
        return f"opened, {sum(said)} of 4 understood"

    def _try(self, work: Any, *args: Any) -> bool:
        try:
            work(*args)
        except EngineError:
            return False
        return True


class ModelTarget:
    """Loads a model whose entries lie and has it speak two frames."""

    name = "model"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        import torch

        from engine.engine import Engine
        from engine.random_model.model import make_golden_model, make_tokenizer
        from engine.types import Sampling, SynthesisRequest
        from engine.voices import VoiceProfile

        torch.set_num_threads(1)
        self._engine = Engine
        self._tokenizer = home / "tokenizer.json"
        make_tokenizer(self._tokenizer)
        self._models = []
        for model in ("tiny-kquant", "tiny-f32"):
            make_golden_model(model, home / f"{model}.gguf")
            self._models.append(take_apart(home / f"{model}.gguf"))
        voice = Path(__file__).parents[1] / "data" / "golden" / "voice-tiny-f32.s2voice"
        sampling = Sampling(max_new_tokens=2, min_tokens_before_end=2, seed=1)
        self._request = SynthesisRequest("Hi.", (VoiceProfile.load(voice),), sampling)
        self._plain = SynthesisRequest("Hi.", (), sampling)
        with Engine.load(home / "tiny-kquant.gguf", self._tokenizer, threads=1) as engine:
            list(engine.synthesize(self._request))

    def make(self, rng: random.Random) -> Case:
        data = damage_parts(rng, rng.choice(self._models))
        return Case({"model.gguf": data}, plan=rng.random() < 0.5)

    def read(self, folder: Path, case: Case) -> str:
        path = folder / "model.gguf"
        with self._engine.load(path, self._tokenizer, threads=1) as engine:
            try:
                list(engine.synthesize(self._request if case.plan else self._plain))
            except EngineError as error:
                return f"loaded, then {type(error).__name__}"
        return "spoke"
