"""The tokenizer of the demo voice (step ``codes``): whole words, else letters.

A word of the vocabulary is one token, which makes it easy to say; any other word is spelled in
bytes, and the voice has learned what letters sound like because words are also spelled at
random while it is trained. Case does not matter. Everything is in tokenizer.json, so the
engine's ordinary tokenizer does all of this.
"""

from __future__ import annotations

import collections
import json
from pathlib import Path
from typing import Any

from engine.text.tokenizer_file import byte_alphabet
from resources.demo_voice.sizes import CODEBOOK_SIZE

SPACE = "\u0120"
SPLIT = r" ?\p{L}+(?:'\p{L}+)*| ?\p{N}{1,2}| ?[^\s\p{L}\p{N}]|\s+"
SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>", "<|voice|>")
ALWAYS = """convert the provided text to speech reference following system user assistant speaker
< | > |> <| : . , ! ? \n \n\n""".split(" ")
LEAST_COUNT = 3
MOST_WORDS = 2600


def _settings() -> dict[str, Any]:
    normalizers = [
        {"type": "NFC"},
        {"type": "Replace", "pattern": {"String": "\u2019"}, "content": "'"},
        {"type": "Lowercase"},
    ]
    split = {"type": "Split", "pattern": {"Regex": SPLIT}, "behavior": "Isolated"}
    level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "normalizer": {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{**split, "invert": False}, {**level, "use_regex": False}],
        },
        "post_processor": None,
        "decoder": {**level, "use_regex": True},
    }


def _model(vocab: dict[str, int]) -> dict[str, Any]:
    empty = ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
    flags = {"fuse_unk": False, "byte_fallback": False, "ignore_merges": True}
    return {"type": "BPE", **dict.fromkeys(empty), **flags, "vocab": vocab, "merges": []}


def _pieces(texts: list[str]) -> collections.Counter[str]:
    """How often each piece occurs, as the byte-level splitter makes it."""
    from tokenizers import Tokenizer

    base = {char: i for i, char in enumerate(byte_alphabet())}
    document = {**_settings(), "added_tokens": [], "model": _model(base)}
    backend = Tokenizer.from_str(json.dumps(document))
    counts: collections.Counter[str] = collections.Counter()
    for text in texts:
        plain = backend.normalizer.normalize_str(text)
        counts.update(piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str(plain))
    return counts


def document(texts: list[str]) -> dict[str, Any]:
    """Content of tokenizer.json for a voice that is trained on these texts."""
    always = list(_pieces(["<|speaker:0|>", "\n\nText:\n", "\n\nSpeech:\n", "\n", " ".join(ALWAYS)]))
    always += [SPACE + str(number) for number in range(100)]
    common = [p for p, n in _pieces(texts).most_common(MOST_WORDS) if n >= LEAST_COUNT]
    words = list(byte_alphabet()) + [p for p in dict.fromkeys(always + common) if len(p) > 1]
    vocab = {word: i for i, word in enumerate(words)}
    names = [*SPECIALS, *(f"<|semantic:{i}|>" for i in range(CODEBOOK_SIZE))]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {"id": len(vocab) + i, "content": name, **flags, "special": True}
        for i, name in enumerate(names)
    ]
    return {**_settings(), "added_tokens": added, "model": _model(vocab)}


def write_tokenizer(work: Path) -> Path:
    """Write tokenizer.json for the texts of texts.json."""
    texts = json.loads((work / "texts.json").read_text())
    path = work / "tokenizer.json"
    path.write_text(json.dumps(document(texts), ensure_ascii=False, separators=(",", ":")))
    return path


def spellings(path: Path) -> dict[int, list[int]]:
    """For the id of each whole word of letters: the ids that spell it."""
    vocab: dict[str, int] = json.loads(path.read_text())["model"]["vocab"]
    return {
        id_: [vocab[char] for char in word]
        for word, id_ in vocab.items()
        if len(word) > 2 and word[0] == SPACE and word[1:].replace("'", "").isalpha()
    }


def vocabulary_size(path: Path) -> int:
    """Rows of the embedding table: all ids, rounded up to a multiple of 32."""
    last = max(token["id"] for token in json.loads(path.read_text())["added_tokens"])
    return -(-(last + 1) // 32) * 32
