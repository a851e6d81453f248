"""The tokenizer of the demo voice (step ``text``): sounds where a word is known, else letters.

The file's normalizer rewrites each word of the lexicon into its phones, each of them one
character of Unicode's private range, and so one token; the first phone of a word is a token of
its own kind. Unknown words stay letters; the voice knows what letters sound like because known
words are also spelled at random while it is trained. Numbers become words. Case and accents do
not matter. Everything is in tokenizer.json, so the engine's ordinary tokenizer does all of this.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

from engine.text.tokenizer_file import byte_alphabet
from resources.demo_voice.judge import NUMBERS, number_words
from resources.demo_voice.sizes import CODEBOOK_SIZE

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>", "<|voice|>")
PRIVATE = 0xE000
FIRST, INNER, FIXED = PRIVATE, PRIVATE + 0x100, PRIVATE + 0x200

TEMPLATES = (
    r"\Asystem\n\z",
    r"\Auser\n\z",
    r"\Aassistant\n\z",
    r"\Aconvert the provided text to speech\z",
    r"\Aconvert the provided text to speech reference to the following:\n\ntext:\n\z",
    r"\A\n\nspeech:\n\z",
    r"<\|speaker:[0-9]+\|>",
)
"""Fixed parts of the prompt, each of them one token."""


class Sounds:
    """How words turn into characters of the private range.

    Attributes:
        phones: all phone names, sorted.
        words: word to its string of private characters.
    """

    def __init__(self, lexicon: dict[str, list[str]]) -> None:
        self.phones = sorted({phone for phones in lexicon.values() for phone in phones})
        number = {phone: i for i, phone in enumerate(self.phones)}
        self.words = {
            word: chr(FIRST + number[p[0]]) + "".join(chr(INNER + number[q]) for q in p[1:])
            for word, p in lexicon.items()
        }

    @property
    def characters(self) -> list[str]:
        """Every private character in use."""
        count = len(self.phones)
        starts = ((FIRST, count), (INNER, count), (FIXED, len(TEMPLATES)))
        return [chr(start + i) for start, n in starts for i in range(n)]


def _rule(pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def _normalizer(sounds: Sounds) -> dict[str, Any]:
    rules: list[dict[str, Any]] = [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]
    rules.append(_rule("[\u2018\u2019]", "'"))
    rules += [_rule(pattern, chr(FIXED + i)) for i, pattern in enumerate(TEMPLATES)]
    for value in range(10, 100):
        said = "".join(sounds.words[word] for word in number_words(value).split())
        rules.append(_rule(f"(?<![0-9]){value}(?![0-9])", said))
    rules += [_rule(str(digit), sounds.words[NUMBERS[digit]]) for digit in range(10)]
    for word in sorted(sounds.words):
        rules.append(_rule(f"(?<![a-z']){word}(?![a-z'])", sounds.words[word]))
    rules.append(_rule(f" +(?=[{chr(FIRST)}-{chr(INNER - 1)}])", ""))
    rules.append(_rule(" +", " "))
    return {"type": "Sequence", "normalizers": rules}


def document(lexicon: dict[str, list[str]]) -> dict[str, Any]:
    """Content of tokenizer.json for a voice with this lexicon."""
    sounds = Sounds(lexicon)
    alphabet = byte_alphabet()
    pieces = ["".join(alphabet[b] for b in char.encode()) for char in sounds.characters]
    vocab = {word: i for i, word in enumerate([*alphabet, *pieces])}
    names = [*SPECIALS, *(f"<|semantic:{i}|>" for i in range(CODEBOOK_SIZE))]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {"id": len(vocab) + i, "content": name, **flags, "special": True}
        for i, name in enumerate(names)
    ]
    split = {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated"}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    empty = ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
    model_flags = {"fuse_unk": False, "byte_fallback": False, "ignore_merges": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": _normalizer(sounds),
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{**split, "invert": False}, {**level, "use_regex": False}],
        },
        "post_processor": None,
        "decoder": {**level, "use_regex": True},
        "model": {
            "type": "BPE", **dict.fromkeys(empty), **model_flags, "vocab": vocab, "merges": [],
        },
    }  # fmt: skip


def write_tokenizer(work: Path) -> Path:
    """Write tokenizer.json for lexicon.json."""
    lexicon = json.loads((work / "lexicon.json").read_text())
    path = work / "tokenizer.json"
    path.write_text(json.dumps(document(lexicon), ensure_ascii=False, separators=(",", ":")))
    return path


class Speller:
    """What the file's normalizer does to plain sentences, with some words left as letters."""

    def __init__(self, lexicon: dict[str, list[str]]) -> None:
        self._words = Sounds(lexicon).words
        alphabet = byte_alphabet()
        self._ids = {char: i for i, char in enumerate(alphabet)}
        inner = sorted(Sounds(lexicon).characters)
        self._private = {char: len(alphabet) + i for i, char in enumerate(inner)}
        self._alphabet = alphabet

    def encode(self, text: str, keep_letters: Any) -> list[int]:
        """Ids of a sentence; ``keep_letters()`` decides for each known word."""
        text = unicodedata.normalize("NFD", text).lower()

        def number(match: re.Match[str]) -> str:
            value = match.group()
            words = (
                number_words(int(value))
                if len(value) == 2 and value[0] != "0"
                else " ".join(NUMBERS[int(digit)] for digit in value)
            )
            return "".join(self._words[word] for word in words.split())

        def word(match: re.Match[str]) -> str:
            said = self._words.get(match.group())
            return match.group() if said is None or keep_letters() else said

        text = re.sub(r"<\|speaker:[0-9]+\|>", chr(FIXED + 6), text)
        text = re.sub("[0-9]+", number, text)
        text = re.sub(r"(?<![a-z'])[a-z']+(?![a-z'])", word, text)
        text = re.sub(f" +(?=[{chr(FIRST)}-{chr(INNER - 1)}])", "", text)
        return [i for char in text for i in self._char(char)]

    def _char(self, char: str) -> list[int]:
        if char in self._private:
            return [self._private[char]]
        return [self._ids[self._alphabet[b]] for b in char.encode()]


def vocabulary_size(path: Path) -> int:
    """Rows of the embedding table: all ids, rounded up to a multiple of 32."""
    last = max(token["id"] for token in json.loads(path.read_text())["added_tokens"])
    return -(-(last + 1) // 32) * 32
