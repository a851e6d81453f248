"""Tokenizer files with one fault each: spec 02, section 1; verdicts as in ``named_gguf``.

The fuzzer damages these files further.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Tree = dict[str, Any]
_FLAT = {"model": {"vocab": {"a": 1}, "merges": []}}

TOKENIZER_BYTES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "tokens.json"),
    "noise": (b"\x00\xff" * 50, "tokens.json"),
    "null": (b"null", "tokens.json"),
    "list": (b"[]", "tokens.json"),
    "no model": (b"{}", "tokens.model"),
    "deep": (b"[" * 100_000, "tokens.json"),
    "model is a number": (b'{"model": 5}', "tokens.model"),
    "model type": (b'{"model": {"type": "WordPiece"}}', "tokens.model_type"),
    "vocab is a list": (b'{"model": {"vocab": [], "merges": []}}', "tokens.vocab"),
    "id is a text": (b'{"model": {"vocab": {"a": "b"}, "merges": []}}', "tokens.id"),
    "id of 5000 digits": (b'{"model": {"vocab": {"a": ' + b"9" * 5000 + b"}}}", "tokens.json"),
    "id below zero": (b'{"model": {"vocab": {"a": -1}, "merges": []}}', "tokens.id"),
    "id is true": (b'{"model": {"vocab": {"a": true}, "merges": []}}', "tokens.id"),
    "shared id": (b'{"model": {"vocab": {"a": 1, "b": 1}, "merges": []}}', "tokens.shared_id"),
    "one byte of 256": (json.dumps(_FLAT).encode(), "tokens.no_byte"),
}


def added(tree: Tree, name: str) -> Tree:
    """The entry of a control token."""
    return next(token for token in tree["added_tokens"] if token["content"] == name)


def _pad(**fields: object) -> Callable[[Tree], object]:
    return lambda tree: added(tree, "<|pad|>").update(fields)


def _without(name: str) -> Callable[[Tree], object]:
    return lambda tree: tree["added_tokens"].remove(added(tree, name))


def _rule(where: str, rule: object) -> Callable[[Tree], object]:
    return lambda tree: tree.update({where: rule})


def _merge(pair: object) -> Callable[[Tree], object]:
    return lambda tree: tree["model"]["merges"].append(pair)


_LONG = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10**5}
_NESTED = {"type": "Sequence", "normalizers": [{"type": "Sequence"}]}
_BRACKETS = {"type": "Split", "pattern": {"Regex": "(" * 2000}}
# Its header asks for 8 GB, which ended the process.
_CHARSMAP = {"type": "Precompiled", "precompiled_charsmap": "AAD//wAAAP8="}

TOKENIZER_CHANGES: dict[str, tuple[Callable[[Tree], object], str]] = {
    "no im_start": (_without("<|im_start|>"), "tokenizer.no_token_released <|im_start|>"),
    "no im_end": (_without("<|im_end|>"), "tokenizer.no_token_released <|im_end|>"),
    "no voice": (_without("<|voice|>"), "tokenizer.no_token_released <|voice|>"),
    "no semantic:0": (_without("<|semantic:0|>"), "tokenizer.no_token_released <|semantic:0|>"),
    "no semantic:7": (_without("<|semantic:7|>"), "tokenizer.no_semantic <|semantic:7|>"),
    "semantic ids with a gap": (
        lambda tree: added(tree, "<|semantic:63|>").update(id=700),
        "tokenizer.gap <|semantic:63|>",
    ),
    "id of the vocabulary": (_pad(id=5), "tokens.added_taken id 5 of"),
    "id of another token": (_pad(id=561), "tokens.added_taken id 561 of"),
    "added id is a text": (_pad(id="x"), "tokens.added_id"),
    "listed twice": (_pad(content="<|voice|>"), "tokens.added_twice"),
    "two ids": (_pad(content="he"), "tokens.added_ids"),
    "no content": (_pad(content=""), "tokens.added_content"),
    "content is a number": (_pad(content=7), "tokens.added_content"),
    "flag is a number": (_pad(lstrip=3), "tokens.added_flag"),
    "entry is a number": (lambda tree: tree.update(added_tokens=[5]), "tokens.added_object"),
    "added tokens are no list": (lambda tree: tree.update(added_tokens={}), "tokens.added_list"),
    "merges are no list": (lambda tree: tree["model"].update(merges={}), "tokens.merges"),
    "merge is a number": (_merge(5), "tokens.merge_pair"),
    "merge of one": (_merge(["q"]), "tokens.merge_pair"),
    "merge of a stranger": (_merge("q \u4f60"), "tokens.merge_token"),
    "no line feed": (lambda tree: tree["model"]["vocab"].pop("\u010a"), "tokens.no_byte 0x0A"),
    "rule unknown": (_rule("pre_tokenizer", {"type": "Nonsense"}), "tokens.rule"),
    "rule is a list": (_rule("normalizer", [1]), "tokens.rule"),
    "rule of a table": (_rule("normalizer", _CHARSMAP), "tokens.rule"),
    "rule that swells": (_rule("normalizer", _LONG), "tokens.rule"),
    "rules nested": (_rule("normalizer", _NESTED), "tokens.rules_nested"),
    "rule of another kind": (_rule("pre_tokenizer", {"type": "Metaspace"}), "tokens.rule"),
    "rule with brackets": (_rule("pre_tokenizer", _BRACKETS), "tokens.rule"),
    "no rule": (_rule("pre_tokenizer", None), "tokens.rule"),
}
