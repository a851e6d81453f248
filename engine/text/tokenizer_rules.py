"""The part of a ``tokenizer.json`` that the library gets to see: known rules and nothing else.

The library trusts its file: a ``Precompiled`` normaliser takes as much memory as it names and
ends the process when there is none, a ``Replace`` can make gigabytes of one line. The
tokenizers of this model family need none of that (spec 02, section 2), so other rules are
refused here, before the library reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import Message, TokenizerError

MAX_PATTERN = 1000
MAX_RULES = 8
_NORMALIZERS = ("NFC", "NFD", "NFKC", "NFKD")
_BEHAVIOURS = (
    "Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous",
)  # fmt: skip


def library_settings(settings: Mapping[str, Any], trusted: bool = False) -> dict[str, Any]:
    """A clean file for the library: vocabulary, merges and checked rules, without added tokens.

    Args:
        settings: a file whose vocabulary and merges were checked.
        trusted: its normalizer is ours and passes as it is.

    Raises:
        TokenizerError: it has a rule that no tokenizer of this family has; names it.
    """
    model = settings["model"]
    ignore_merges = model.get("ignore_merges", False)
    if not isinstance(ignore_merges, bool):
        raise _bad("tokens.ignore_merges")
    if model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise _bad("tokens.affix")
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": settings.get("normalizer")
        if trusted
        else _normalizer(settings.get("normalizer")),
        "pre_tokenizer": _pre_tokenizer(settings.get("pre_tokenizer")),
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            # It would leave out merges at random, and one text would get other ids each time.
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": ignore_merges,
            "vocab": model["vocab"],
            "merges": model["merges"],
        },
    }


def _normalizer(rule: object) -> dict[str, Any] | None:
    if rule is None:
        return None
    inner = _sequence(rule, "normalizers")
    if inner is not None:
        return {"type": "Sequence", "normalizers": [_normalizer(each) for each in inner]}
    if isinstance(rule, dict) and rule.get("type") in _NORMALIZERS:
        return {"type": rule["type"]}
    raise _unknown("normalizer", rule)


def _pre_tokenizer(rule: object) -> dict[str, Any]:
    inner = _sequence(rule, "pretokenizers")
    if inner is not None:
        return {"type": "Sequence", "pretokenizers": [_pre_tokenizer(each) for each in inner]}
    kind = rule.get("type") if isinstance(rule, dict) else None
    if isinstance(rule, dict) and kind == "ByteLevel":
        flags = {
            "add_prefix_space": rule.get("add_prefix_space", True),
            "trim_offsets": rule.get("trim_offsets", True),
            "use_regex": rule.get("use_regex", True),
        }
        if all(isinstance(flag, bool) for flag in flags.values()):
            return {"type": "ByteLevel", **flags}
    if isinstance(rule, dict) and kind == "Split":
        return _split(rule)
    raise _unknown("pre_tokenizer", rule)


def _split(rule: dict[str, Any]) -> dict[str, Any]:
    pattern, behaviour = rule.get("pattern"), rule.get("behavior")
    named = list(pattern.items()) if isinstance(pattern, dict) else []
    if (
        len(named) != 1
        or named[0][0] not in ("Regex", "String")
        or not isinstance(named[0][1], str)
        or not 0 < len(named[0][1]) <= MAX_PATTERN
        or behaviour not in _BEHAVIOURS
        or not isinstance(rule.get("invert", False), bool)
    ):
        raise _unknown("pre_tokenizer", rule)
    invert = rule.get("invert", False)
    return {"type": "Split", "pattern": pattern, "behavior": behaviour, "invert": invert}


def _sequence(rule: object, name: str) -> list[object] | None:
    """The rules of a flat sequence, ``None`` for anything else."""
    if not isinstance(rule, dict) or rule.get("type") != "Sequence":
        return None
    inner = rule.get(name)
    if not isinstance(inner, list) or not 0 < len(inner) <= MAX_RULES:
        raise _bad("tokens.rule_list", name=name, max_rules=MAX_RULES)
    if any(isinstance(each, dict) and each.get("type") == "Sequence" for each in inner):
        raise _bad("tokens.rules_nested", name=name)
    return inner


def _unknown(what: str, rule: object) -> TokenizerError:
    kind = rule.get("type") if isinstance(rule, dict) else None
    shown = kind[:40] if isinstance(kind, str) else "none"
    return _bad("tokens.rule", what=what, shown=shown)


def _bad(code: str, **params: object) -> TokenizerError:
    return TokenizerError("tokenizer.damaged", reason=Message(code, **params))
