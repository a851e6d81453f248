"""The settings file, and plain texts that are dropped on the window."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from fuzz_mutate import HOSTILE_INTS, TEXT_TRAPS, mutate_bytes
from fuzz_target import Case, Content

from engine.errors import EngineError

_GOOD = {
    "window/geometry": "AdnQywAD", "window/theme": "dark", "sampling/temperature": 0.7,
    "sampling/top_k": 40, "sampling/seed": "12345", "model/last": "/models/a.gguf",
    "model/recent": ["/models/a.gguf", "/models/b, c.gguf"], "model/reopen": True,
    "script/cast": [], "script/text": "Hello, \u201cworld\u201d\n[laughing] 100%",
    "of/another version": {"a": [1, None]},
}  # fmt: skip
_RAW = (
    "NaN", "-Infinity", "1e999", "-0", "0x10", "1_000", "9" * 5000, "nul", "'a'", "", "\\", "[1,]",
    '"\\ud800"', '"\\u12"', '{"a": 1, "a": 2}', '"AdnQ=ywAD"', '"\u2028\\u0000"',
)  # fmt: skip


class SettingsTarget:
    """Reads every setting of a damaged file, changes one, and opens the file again."""

    name = "settings"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from PySide6.QtCore import QCoreApplication

        from app.core import settings

        self._app = QCoreApplication([])
        self._module = settings
        self._keys = [setting.key for setting in settings.ALL]
        self._good = json.dumps(_GOOD).encode()

    def make(self, rng: random.Random) -> Case:
        data = mutate_bytes(rng, self._good) if rng.random() < 0.4 else self._lines(rng)
        return Case({"studio.json": data}, plan=None, may_change=frozenset({"studio.json"}))

    def _lines(self, rng: random.Random) -> bytes:
        lines = [f"{json.dumps(key)}: {self._value(rng)}" for key in rng.sample(self._keys, 12)]
        if rng.random() < 0.05:
            lines.append(f'"x": "{"a, " * 300_000}"')
        return f"{{{','.join(lines)}}}".encode("utf-8", "surrogatepass")

    def _value(self, rng: random.Random) -> str:
        match rng.randrange(60):
            case 0:
                return rng.choice(_RAW)
            case n if n < 15:
                return str(rng.choice(HOSTILE_INTS) * rng.choice((1, -1)))
            case 15 | 16:
                depth = rng.choice((3, 20, 40, 2000)) if rng.random() < 0.995 else 200_000
                return "[" * depth + "]" * depth
            case n if n < 30:
                return json.dumps([rng.choice((*TEXT_TRAPS, 1, None)) for _ in range(4)])
            case n if n < 45:
                return json.dumps(rng.choice((True, None, 0.5, {"a": 1}, -1.5e300, "AdnQ")))
            case _:
                return json.dumps(rng.choice(TEXT_TRAPS))

    def read(self, folder: Path, case: Case) -> str:
        module, path = self._module, folder / "studio.json"
        data = path.read_bytes()
        settings = module.Settings(path)
        if settings.notice:
            assert data in [each.read_bytes() for each in folder.iterdir() if each.is_file()]
        values = {}
        for setting in module.ALL:
            value = values[setting.key] = settings.get(setting)
            assert type(value) is type(setting.default), setting.key
            assert type(setting.check(value)) is type(value)
            if isinstance(value, list):
                assert all(isinstance(item, str) for item in value)
        settings.set(module.TEMPERATURE, 1.25)
        settings.set(module.RECENT_MODELS, ["/one, two", "x=@Variant(", "\u2603"])
        settings.sync()
        again = module.Settings(path)
        assert again.get(module.TEMPERATURE) == 1.25
        assert again.get(module.RECENT_MODELS) == ["/one, two", "x=@Variant(", "\u2603"]
        for setting in (module.SCRIPT, module.THEME, module.LAST_MODEL, module.TOP_K):
            assert again.get(setting) == values[setting.key], setting.key
        return "put aside" if settings.notice else "read"


class TextsTarget:
    """A text in any coding or in none, and the transcript beside a clip."""

    name = "texts"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        from app.cloning.clip_files import beside
        from app.core.text_files import read_text, write_text
        from engine.text.split import split_sentences

        self._beside, self._read, self._write = beside, read_text, write_text
        self._split = split_sentences
        plain = "Good evening. \u201cYes\u201d, she said \u2013 [laughing] \u4f60\u597d\uff01\n" * 4
        codings = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "gb18030")
        self._good = [plain.encode(coding) for coding in codings]
        self._good.append(plain.encode("cp1252", "replace"))

    def make(self, rng: random.Random) -> Case:
        content: Content = mutate_bytes(rng, rng.choice(self._good), self._good)
        if rng.random() < 0.3:
            text = "".join(rng.choice(TEXT_TRAPS) for _ in range(rng.choice((1, 3, 40))))
            content = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.02:
            content = rng.choice(("pipe", "folder"))
        room = rng.choice((1 << 18, 1 << 22, (1 << 22) + 1, 1 << 30)) if rng.random() < 0.02 else 0
        return Case({"clip.txt": content}, room=room if isinstance(content, bytes) else 0)

    def read(self, folder: Path, case: Case) -> str:
        text, _ = self._beside(folder / "clip.wav")
        assert "\0" not in text
        found = self._read(folder / "clip.txt")
        for piece in self._split(found.text[:20_000]):
            assert piece.strip()
        self._write(folder / "again.txt", found.text)
        assert self._read(folder / "again.txt").text == found.text
        return found.encoding
