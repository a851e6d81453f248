"""Text to token ids, by the rules of the model's ``tokenizer.json`` (spec 02, sections 1 and 2).

The ``tokenizers`` package does normalisation, splitting and byte-pair merging, for text without
control tokens only. Control tokens (the file's ``added_tokens``) are found here, for two
reasons: the package renumbers them silently when their ids have gaps, and text that a user
typed must never become one.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from engine.errors import RequestError, TokenizerError
from engine.storage.shipped import is_shipped
from engine.text.tags import SPEAKER_TAG
from engine.text.tokenizer_file import AddedToken, TokenizerFile, read_tokenizer_file
from engine.text.tokenizer_rules import library_settings

FILE_NAME = "tokenizer.json"
IM_START = "<|im_start|>"
IM_END = "<|im_end|>"
VOICE = "<|voice|>"
NEWLINE_TOKEN = "\u010a"  # byte 0x0A in the byte-level alphabet

_SEMANTIC = re.compile(r"<\|semantic:(0|[1-9][0-9]{0,8})\|>")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Tokenizer:
    """The tokenizer of one model.

    Attributes:
        path: the file it came from.
        im_start, im_end, voice: ids of the control tokens that frame a prompt.
        newline: id of the line feed.
        semantic_begin, semantic_count: first id and number of the semantic tokens.
        vocab_size: number of ids in use, that is the highest id plus one.
    """

    def __init__(self, file: TokenizerFile, trusted: bool = False) -> None:
        self.path = file.path
        self._added = {token.content: token.id for token in file.added}
        self._text_of = {id_: content for content, id_ in self._added.items()}
        self.im_start = self._required(IM_START)
        self.im_end = self._required(IM_END)
        self.voice = self._required(VOICE)
        self.newline = file.vocab[NEWLINE_TOKEN]
        self.semantic_begin, self.semantic_count = self._semantic_range()
        self.vocab_size = 1 + max(max(file.vocab.values()), max(self._added.values()))
        self._encode_plain = _make_backend(file, trusted)
        speakers = [token for token in file.added if SPEAKER_TAG.fullmatch(token.content)]
        self._user_ids = frozenset(token.id for token in speakers)
        self._all = _Matcher(file.added)
        self._speakers = _Matcher(speakers)

    @classmethod
    def load(cls, path: str | Path, *, trusted: bool | None = None) -> Self:
        """Read ``path``; :class:`TokenizerError` says what is wrong with it.

        Args:
            trusted: its rules may be of any kind. ``None`` trusts what ships with the program,
                whose demo voice has its pronunciations there, and no other file.
        """
        path = Path(path)
        return cls(read_tokenizer_file(path), is_shipped(path) if trusted is None else trusted)

    @staticmethod
    def find(model_path: str | Path, explicit: str | Path | None = None) -> Path:
        """Where the tokenizer of a model lies.

        ``explicit`` (a file, or a folder that holds ``tokenizer.json``) is taken alone when it
        is given; else ``MODEL.tokenizer.json`` beside ``MODEL.gguf``, then ``tokenizer.json`` in
        the model's folder, its parent and the current folder.

        Raises:
            TokenizerError: it is in none of these places, which are named.
        """
        if explicit is not None:
            chosen = Path(explicit)
            if os.path.isdir(chosen):
                chosen = chosen / FILE_NAME
            if os.path.isfile(chosen):
                return chosen
            raise TokenizerError("tokenizer.path_absent", chosen=chosen)
        folder = Path(model_path).absolute().parent
        own = folder / f"{Path(model_path).stem}.{FILE_NAME}"
        if os.path.isfile(own):
            return own
        places = list(dict.fromkeys((folder, folder.parent, Path.cwd())))
        for place in places:
            if os.path.isfile(place / FILE_NAME):
                return place / FILE_NAME
        looked = ", ".join(str(place) for place in places)
        raise TokenizerError("tokenizer.absent", file=FILE_NAME, looked=looked)

    def encode(self, text: str) -> list[int]:
        """Ids of trusted text: every control token in it becomes its id.

        For templates; text from a user goes through :meth:`encode_user`.
        """
        return self._encode(text, self._all)

    def encode_user(self, text: str) -> list[int]:
        """Ids of text that a user typed; no control token comes out, whatever it holds.

        Speaker tags pass as the tokenizer has them: as one id where the file lists them among
        its added tokens, else as the ordinary text that they are in the released model.

        Raises:
            RequestError: the text holds half of a surrogate pair.
            TokenizerError: the file's merges build a control token out of plain text.
        """
        ids = self._encode(text, self._speakers)
        for id_ in ids:
            if id_ in self._text_of and id_ not in self._user_ids:
                raise TokenizerError("tokenizer.control_token", token=self._text_of[id_])
        return ids

    def check_model(self, vocab_size: int, semantic_begin: int, semantic_end: int) -> None:
        """Check that the file belongs to a model (spec 02, section 1).

        Args:
            vocab_size: rows of the model's embedding table.
            semantic_begin, semantic_end: first and last semantic id of the model.

        Raises:
            TokenizerError: semantic ids differ or an id is outside the table.
        """
        advice = "advice.released_tokenizer"
        count = semantic_end - semantic_begin + 1
        for index in (0, count - 1):
            content = f"<|semantic:{index}|>"
            if content not in self._added:
                raise TokenizerError("tokenizer.no_token", advice=advice, content=content)
            if self._added[content] != semantic_begin + index:
                raise TokenizerError(
                    "tokenizer.token_id",
                    advice=advice,
                    content=content,
                    found=self._added[content],
                    expected=semantic_begin + index,
                )
        if self.semantic_count != count:
            raise TokenizerError(
                "tokenizer.semantic_count",
                advice=advice,
                semantic_count=self.semantic_count,
                count=count,
            )
        if self.vocab_size > vocab_size:
            raise TokenizerError(
                "tokenizer.vocabulary",
                advice=advice,
                last=self.vocab_size - 1,
                vocab_size=vocab_size,
            )

    def _required(self, content: str) -> int:
        if content not in self._added:
            raise TokenizerError("tokenizer.no_token_released", content=content)
        return self._added[content]

    def _semantic_range(self) -> tuple[int, int]:
        begin = self._required("<|semantic:0|>")
        found: dict[int, int] = {}
        for content, id_ in self._added.items():
            if match := _SEMANTIC.fullmatch(content):
                found[int(match.group(1))] = id_
        for index in range(len(found)):
            if index not in found:
                raise TokenizerError("tokenizer.no_semantic", index=index)
            if found[index] != begin + index:
                raise TokenizerError(
                    "tokenizer.gap", index=index, found=found[index], expected=begin + index
                )
        return begin, len(found)

    def _encode(self, text: str, matcher: _Matcher) -> list[int]:
        if broken := _SURROGATE.search(text):
            raise RequestError("text.surrogate", at=broken.start())
        ids: list[int] = []
        for segment in matcher.split(text):
            if isinstance(segment, int):
                ids.append(segment)
            elif segment:
                ids.extend(self._encode_plain(segment))
        return ids


class _Matcher:
    """Cuts text at added tokens: longest first at each position, left to right.

    Tokens that are flagged as normalised are looked for in the composed (NFC) form of what the
    others left, in this order, as the reference library does.
    """

    def __init__(self, tokens: Iterable[AddedToken]) -> None:
        tokens = list(tokens)
        self._ids = {token.content: token.id for token in tokens}
        self._raw = _pattern(token for token in tokens if not token.normalized)
        self._composed = _pattern(token for token in tokens if token.normalized)

    def split(self, text: str) -> list[int | str]:
        """Ids for tokens, strings for the text between them."""
        segments = self._cut(self._raw, text)
        if self._composed is None:
            return segments
        result: list[int | str] = []
        for segment in segments:
            if isinstance(segment, int):
                result.append(segment)
            else:
                result.extend(self._cut(self._composed, unicodedata.normalize("NFC", segment)))
        return result

    def _cut(self, pattern: re.Pattern[str] | None, text: str) -> list[int | str]:
        if pattern is None:
            return [text]
        segments: list[int | str] = []
        position = 0
        for match in pattern.finditer(text):
            segments.append(text[position : match.start()])
            segments.append(self._ids[match.group().strip()])
            position = match.end()
        segments.append(text[position:])
        return segments


def _pattern(tokens: Iterable[AddedToken]) -> re.Pattern[str] | None:
    """One alternation of all tokens, longest first, with their flags; ``None`` for no token."""
    parts = []
    for token in sorted(tokens, key=lambda token: -len(token.content)):
        part = re.escape(token.content)
        if token.single_word:
            part = rf"(?<!\w){part}(?!\w)"
        if token.lstrip:
            part = rf"(?<!\s)\s*{part}"
        if token.rstrip:
            part = rf"{part}\s*"
        parts.append(part)
    return re.compile("|".join(parts)) if parts else None


def _make_backend(file: TokenizerFile, trusted: bool) -> Callable[[str], list[int]]:
    """The library's encoder for text without added tokens, by the file's own rules."""
    from tokenizers import Tokenizer as Backend

    settings = library_settings(file.settings, trusted)
    with _library_errors():
        backend = Backend.from_str(json.dumps(settings))

    def encode(text: str) -> list[int]:
        with _library_errors():
            return list(backend.encode(text, add_special_tokens=False).ids)

    return encode


@contextmanager
def _library_errors() -> Iterator[None]:
    """What the library raises becomes ours; its panics are no Exception but a BaseException."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise TokenizerError("tokenizer.damaged", reason=str(error)[:200]) from error
