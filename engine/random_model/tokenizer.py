"""The small byte-level tokenizer of the stand-in models (spec 02, section 1).

Its vocabulary is 256 bytes and 304 merges, fixed here so that the file comes out the same
with every version of the tokenizer library. Splitting follows the pattern of the true model.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.storage.files import save_file

# Pairs in merge order: the two parts of each are separated by a bar.
_MERGES = r"""
Ġ|t h|e Ġ|a e|r Ġ|s Ġt|he .|Ċ Ġ|w i|n r|e Ġ|l a|t o|u Ġ|d a|n e|n e|s o|r Ġ|c Ġ|b Ġ|p a|r
i|t l|l n|d o|n Ġ|n Ġt|o c|h e|d h|at Ġ|f Ġa|nd c|e i|s Ġ|h b|er e|e o|t o|w Ġ|m Ġ|or Ġd|e
en|t a|d a|s a|ch g|h h|ou i|gh m|ber p|e r|a t|s u|mber Ġ|e Ġ|y Ġ|he Ġ|on Ġt|es Ġs|u Ġw|hat
in|g Ġl|e ou|r Ġc|a Ġb|e Ġn|umber igh|t Ġtes|ts .|. a|k a|y a|it f|t h|is i|d i|re i|ce m|e
o|at r|ight t|es t|ed u|e u|g v|e Ġ|" Ġ|T Ġ|W Ġ|it Ġ|ra Ġt|h Ġt|w Ġa|s Ġa|re er|c Ġs|ee
Ġs|ent Ġs|hou Ġs|pe Ġthe|n Ġw|ar Ġl|a at|e en|ce Ġc|an Ġp|an ll|ow Ġf|o Ġf|or Ġm|in Ġde|c
as|t Ġca|me Ġnumber|s Ġsent|ence Ġspe|ak "|A "|Ċ '|d '|s '|t '|re '|ll '|ve ,|" .|"Ċ ?|"
B|ot D|er E|l G|u H|e K|a L|a M|ar M|ach N|ot O|n S|m T|he T|his V|er W|e Z|ug a|a a|e a|in
a|ll a|id a|ve b|l b|o b|re b|our b|ait c|es c|on c|ted d|o d|y d|an d|ay e|m e|llow f|f g|e
g|u g|an g|ot h|o h|or i|e i|m i|z i|er i|en i|ar i|on i|ces k|en k|ed l|d l|e l|u l|y l|ou
m|in m|an m|ed m|ent m|bait n|g n|ing n|ted o|s o|y o|ire o|ice o|bo o|man p|r p|t p|er p|ee
p|ae q|ue r|y r|ot r|ices s|e s|it s|pae t|e t|t t|u t|ion t|le t|oire u|an u|es u|nd u|tes
v|oice w|e x|pe Ġ|$ Ġ|A Ġ|I Ġ|in Ġ|re Ġ|hat Ġ|is Ġ|right Ġ|Bot Ġ|Ka Ġ|Mar Ġ|Ver Ġ|Zug Ġ|gu
Ġ|im Ġ|que Ġ|und Ġ|voice Ġt|er Ġt|hat Ġt|ire Ġt|em he|d he|r he|re Ġa|t Ġa|ll Ġa|ber Ġa|ft
Ġa|bre Ġa|lou er|a er|ry Ġs|e Ġs|o Ġs|he Ġs|ay Ġs|aid Ġs|hor Ġs|pee Ġthe|y Ġw|e Ġw|or Ġw|as
Ġw|ait Ġw|his Ġw|ho Ġw|oman Ġw|here in|e in|es in|ed re|e re|at Ġl|ar Ġl|it Ġl|on Ġl|ight
Ġl|ate Ġl|ast Ġl|os ou|s ou|ce ou|nted Ġd|er Ġd|es Ġd|on Ġd|ow Ġd|iar Ġd|ouce an|o en|dan
or|ning Ġc|oat Ġc|ier Ġc|uan Ġc|ounted
"""

_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)

# In the order of their ids in a tiny tokenizer, with their ids in the released one. There the
# speaker tags are plain text.
_SPECIALS: dict[str, int | None] = {
    "<|endoftext|>": 151643,
    "<|im_start|>": 151644,
    "<|im_end|>": 151645,
    "<|pad|>": 151669,
    "<|text|>": 151672,
    "<|voice|>": 151673,
    "<|interleave|>": 151674,
    "<|phoneme_start|>": 151670,
    "<|phoneme_end|>": 151671,
    "<|audio_start|>": 151675,
    "<|audio_end|>": 151676,
    "<|audio_pad|>": 151677,
    "<|speaker:0|>": None,
    "<|speaker:1|>": None,
    "<|speaker:2|>": None,
    "<|speaker:3|>": None,
}


@dataclass(frozen=True, slots=True)
class TokenIds:
    """Where a tokenizer has its semantic tokens.

    Attributes:
        semantic_begin: id of semantic code 0.
        semantic_size: number of semantic codes.
        vocab_size: rows that a model's embeddings need, a multiple of eight.
    """

    semantic_begin: int
    semantic_size: int
    vocab_size: int


TINY_IDS = TokenIds(semantic_begin=576, semantic_size=64, vocab_size=648)
FULL_IDS = TokenIds(semantic_begin=151678, semantic_size=4096, vocab_size=155776)


def _alphabet() -> list[str]:
    """The 256 characters that stand for bytes, in the order of their code points."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(c) for c in plain] + [chr(256 + i) for i in range(256 - len(plain))]


def _vocabulary() -> tuple[dict[str, int], list[list[str]]]:
    merges = [pair.split("|") for pair in _MERGES.split()]
    words = _alphabet() + ["".join(pair) for pair in merges]
    return {word: index for index, word in enumerate(words)}, merges


def _special_ids(full: bool, first: int) -> dict[str, int]:
    """Names of all special tokens and their ids, in the order of the ids."""
    if full:
        ids = {name: id_ for name, id_ in _SPECIALS.items() if id_ is not None}
    else:
        ids = {name: first + index for index, name in enumerate(_SPECIALS)}
    layout = FULL_IDS if full else TINY_IDS
    for code in range(layout.semantic_size):
        ids[f"<|semantic:{code}|>"] = layout.semantic_begin + code
    return dict(sorted(ids.items(), key=lambda item: item[1]))


def _added_tokens(ids: dict[str, int]) -> list[dict[str, Any]]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return [{"id": i, "content": name, **flags, "special": True} for name, i in ids.items()]


def tokenizer_document(full: bool = False) -> dict[str, Any]:
    """The tokenizer as the content of a tokenizer.json, with the true model's ids if ``full``."""
    vocabulary, merges = _vocabulary()
    specials = _special_ids(full, len(vocabulary))
    if full:
        # The library numbers added tokens on from the vocabulary unless they are in it.
        vocabulary |= specials
    split = {"type": "Split", "pattern": {"Regex": _SPLIT}, "behavior": "Isolated"}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": _added_tokens(specials),
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{**split, "invert": False}, {**byte_level, "use_regex": False}],
        },
        "post_processor": None,
        "decoder": {**byte_level, "add_prefix_space": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": merges,
        },
    }


def make_tokenizer(path: str | os.PathLike[str], full: bool = False) -> Path:
    """Write a tokenizer.json that fits the stand-in models.

    ``full`` puts the special tokens at the ids of the released model. Raises
    :class:`~engine.errors.OutputError` when the file cannot be written.
    """
    text = json.dumps(tokenizer_document(full), ensure_ascii=False, indent=1)
    save_file(path, [text.encode("utf-8")])
    return Path(path)
