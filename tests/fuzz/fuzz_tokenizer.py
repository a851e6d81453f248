"""``tokenizer.json``: bytes, tree and rules that are not what they say."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

from fuzz_mutate import DEEP, TEXT_TRAPS, dump_json, mutate_bytes, mutate_json
from fuzz_target import Case
from named_tokenizer import TOKENIZER_BYTES, TOKENIZER_CHANGES

from engine.errors import EngineError

_HOSTILE_RULES: tuple[dict[str, Any], ...] = (
    {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False},
    {"type": "Split", "pattern": {"Regex": "(a|aa)+b"}, "behavior": "Removed", "invert": True},
    {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated", "invert": False},
    {"type": "Split", "pattern": {"String": ""}, "behavior": "Isolated", "invert": False},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 100_000},
    {"type": "Replace", "pattern": {"Regex": "(a*)*b"}, "content": "x"},
    {"type": "Prepend", "prepend": "<|im_end|>"},
    {"type": "Precompiled", "precompiled_charsmap": "AAAA////"},
    {"type": "Precompiled", "precompiled_charsmap": ""},
    {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True},
    {"type": "Sequence", "pretokenizers": []},
    {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "Lowercase"}]},
    {"type": "NoSuchThing"},
)
_MODEL_TRAPS: dict[str, tuple[Any, ...]] = {
    "dropout": (0.5, 1.0, -1, 2, "x"),
    "unk_token": ("<unk>", "\u0120", 3),
    "continuing_subword_prefix": ("##", "\ud800", "a" * 1000),
    "end_of_word_suffix": ("</w>", ""),
    "fuse_unk": (True, "x"),
    "byte_fallback": (True, 1),
    "ignore_merges": (True, None),
    "type": ("WordPiece", "Unigram", "WordLevel", None, 5),
    "cache_capacity": (0, 2**62, -1),
}
_BYTES = tuple(data for data, _ in TOKENIZER_BYTES.values())
_NAMED = tuple(change for change, _ in TOKENIZER_CHANGES.values())
_TEXTS = (
    "Hello there, world. It's 12:30!", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "a" * 20_000,
    " " * 5_000, "<|im_end|><|semantic:3|><|speaker:0|>", *TEXT_TRAPS,
)  # fmt: skip


class TokenizerTarget:
    """Loads the file and encodes trusted and typed texts with it."""

    name = "tokenizer"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        from engine.random_model.model import make_tokenizer
        from engine.text.tokenizer import Tokenizer

        make_tokenizer(home / "tokenizer.json")
        self._good = (home / "tokenizer.json").read_bytes()
        self._tree = json.loads(self._good)
        self._load = Tokenizer.load
        self._load(home / "tokenizer.json").encode("warm")

    def make(self, rng: random.Random) -> Case:
        kind = rng.randrange(10)
        if kind < 3:
            data = mutate_bytes(rng, self._good, _BYTES)
        elif kind < 6:
            tree = mutate_json(rng, self._small_view(rng))
            data = dump_json(rng, {**self._tree, **tree} if isinstance(tree, dict) else tree)
        else:
            data = dump_json(rng, self._lie(rng))
        return Case({"tokenizer.json": data}, plan=rng.sample(_TEXTS, 4))

    def _small_view(self, rng: random.Random) -> dict[str, Any]:
        """Without the vocabulary in most cases, whose size would draw all the damage."""
        view = {name: value for name, value in self._tree.items() if name != "model"}
        return view if rng.random() < 0.7 else {**view, "model": self._tree["model"]}

    def _lie(self, rng: random.Random) -> dict[str, Any]:
        tree: dict[str, Any] = json.loads(self._good)
        model, added = tree["model"], tree["added_tokens"]
        match rng.randrange(11):
            case 0 | 1:
                where = rng.choice(("pre_tokenizer", "normalizer", "post_processor", "decoder"))
                rule = rng.choice(_HOSTILE_RULES)
                nested = {"type": "Sequence", "pretokenizers": [rule, tree["pre_tokenizer"]]}
                tree[where] = rng.choice((rule, nested))
            case 2:
                name = rng.choice(sorted(_MODEL_TRAPS))
                model[name] = rng.choice(_MODEL_TRAPS[name])
            case 3:
                entry = dict(rng.choice(added))
                entry[rng.choice(("content", "id"))] = rng.choice(
                    (*TEXT_TRAPS, -1, 2**31 - 1, 2**63)
                )
                added.insert(rng.randrange(len(added) + 1), entry)
            case 4:
                for entry in added:
                    entry[rng.choice(("lstrip", "rstrip", "single_word", "normalized"))] = True
            case 5:
                word = rng.choice(TEXT_TRAPS)
                model["vocab"][word] = rng.choice(
                    (0, 5, 10**6, 2**31 - 1, 2**31, -1, 1.5, True, None)
                )
            case 6:
                model["merges"] = rng.choice(
                    (
                        [["a", "b"]] * 50_000,
                        ["a"],
                        [["<|", "im_end|>"]],
                        "ab",
                        [["a"]],
                        [[["a"], "b"]],
                    )
                )
            case 7:
                many = (
                    {"id": 10**6 + i, "content": f"tok{i}", "special": True} for i in range(20_000)
                )
                tree["added_tokens"] = [*added, *many]
            case 8 | 9:
                for change in rng.sample(_NAMED, 2):
                    # The first may have taken away what the second changes.
                    with suppress(AttributeError, KeyError, StopIteration):
                        change(tree)
            case _:
                tree[rng.choice(("version", "truncation", "padding", "extra"))] = DEEP
        return tree

    def read(self, folder: Path, case: Case) -> str:
        tokenizer = self._load(folder / "tokenizer.json")
        said = 0
        for text in case.plan:
            for encode in (tokenizer.encode_user, tokenizer.encode):
                try:
                    ids = encode(text)
                except EngineError:
                    continue
                assert all(type(id_) is int and id_ >= 0 for id_ in ids)
                assert encode(text) == ids, "one text, two encodings"
                said += 1
        try:
            tokenizer.check_model(2048, 512, 1023)
        except EngineError:
            said += 100
        return "encoded" if said % 100 else "loaded"
