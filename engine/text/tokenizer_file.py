"""Reading ``tokenizer.json`` as data that nobody vouches for (spec 02, section 1).

Everything that the encoder relies on is checked here, before the file meets the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import Message, TokenizerError
from engine.storage.strict_json import parse_object, short

MAX_BYTES = 256 * 2**20
MAX_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One entry of ``added_tokens``: a string that is matched as a whole and its id."""

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A checked ``tokenizer.json``.

    Attributes:
        vocab: byte-level token string to id; holds all 256 single bytes.
        added: control tokens with the ids of the file; contents and ids are unique.
        settings: the whole file, for the library.
    """

    path: Path
    vocab: Mapping[str, int]
    added: tuple[AddedToken, ...]
    settings: Mapping[str, Any]


def read_tokenizer_file(path: Path) -> TokenizerFile:
    """Read and check ``path``.

    Raises:
        TokenizerError: missing, too large, no JSON, or not a byte-level BPE tokenizer whose
            ids are unambiguous; names the field or the token.
    """
    settings = _parse(path)
    model = settings.get("model")
    if not isinstance(model, dict):
        raise _bad("tokens.model")
    if model.get("type", "BPE") != "BPE":
        raise _bad("tokens.model_type", model=short(model["type"]))
    vocab = _check_vocab(model.get("vocab"))
    _check_merges(model.get("merges"), vocab)
    added = _check_added(settings.get("added_tokens"), vocab)
    return TokenizerFile(path, vocab, added, settings)


def byte_alphabet() -> list[str]:
    """The character that stands for each of the 256 byte values (spec 02, section 2, step 4)."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (value for value in range(256) if value not in printable)
    shifted = {value: 0x100 + index for index, value in enumerate(others)}
    return [chr(shifted.get(value, value)) for value in range(256)]


def _bad(code: str, **params: object) -> TokenizerError:
    return TokenizerError("tokenizer.damaged", reason=Message(code, **params))


def _parse(path: Path) -> dict[str, Any]:
    try:
        # Only a regular file has a size that can be trusted: a pipe would never end.
        if not path.is_file():
            raise TokenizerError("tokenizer.no_file", path=path)
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise _bad("tokens.too_large", size=size // 2**20, limit=MAX_BYTES // 2**20)
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise TokenizerError("tokenizer.unreadable", path=path, reason=reason) from error
    try:
        return parse_object(data)
    except ValueError as error:
        raise _bad("tokens.json", reason=str(error)[:200]) from error


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_ID


def _check_vocab(vocab: object) -> dict[str, int]:
    if not isinstance(vocab, dict) or not vocab:
        raise _bad("tokens.vocab")
    owner: dict[int, str] = {}
    for token, id_ in vocab.items():
        if not _is_id(id_):
            raise _bad("tokens.id", token=token[:40], limit=MAX_ID)
        if id_ in owner:
            raise _bad("tokens.shared_id", owner=owner[id_][:40], token=token[:40], id=id_)
        owner[id_] = token
    for value, char in enumerate(byte_alphabet()):
        # Without it the library would drop that byte from a text and say nothing.
        if char not in vocab:
            raise _bad("tokens.no_byte", value=value)
    return vocab


def _check_merges(merges: object, vocab: Mapping[str, int]) -> None:
    if not isinstance(merges, list):
        raise _bad("tokens.merges")
    for index, merge in enumerate(merges):
        parts = merge.split(" ", 1) if isinstance(merge, str) else merge
        if (
            not isinstance(parts, list)
            or len(parts) != 2
            or not all(isinstance(part, str) for part in parts)
        ):
            raise _bad("tokens.merge_pair", index=index)
        if any(token not in vocab for token in (*parts, "".join(parts))):
            raise _bad("tokens.merge_token", index=index)


def _check_added(added: object, vocab: Mapping[str, int]) -> tuple[AddedToken, ...]:
    if not isinstance(added, list):
        raise _bad("tokens.added_list")
    tokens: dict[str, AddedToken] = {}
    owner = {id_: token for token, id_ in vocab.items()}
    for index, entry in enumerate(added):
        token = _check_entry(entry, index)
        name = token.content[:60]
        if token.content in tokens:
            raise _bad("tokens.added_twice", name=name)
        # The library would take the vocabulary's id for a string in both lists.
        if vocab.get(token.content, token.id) != token.id:
            raise _bad("tokens.added_ids", name=name)
        if owner.get(token.id, token.content) != token.content:
            raise _bad("tokens.added_taken", name=name, id=token.id, owner=owner[token.id][:60])
        owner[token.id] = token.content
        tokens[token.content] = token
    return tuple(tokens.values())


def _check_entry(entry: object, index: int) -> AddedToken:
    if not isinstance(entry, dict):
        raise _bad("tokens.added_object", index=index)
    content, id_ = entry.get("content"), entry.get("id")
    if not isinstance(content, str) or not content.strip():
        raise _bad("tokens.added_content", index=index)
    if content != content.strip():
        raise _bad("tokens.added_blank", content=content[:60])
    if not isinstance(id_, int) or not _is_id(id_):
        raise _bad("tokens.added_id", content=content[:60], limit=MAX_ID)
    flags = {name: entry.get(name, False) for name in ("single_word", "lstrip", "rstrip")}
    flags["normalized"] = entry.get("normalized", not entry.get("special", False))
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise _bad("tokens.added_flag", name=name, content=content[:60])
    return AddedToken(id_, content, **flags)
