"""Pronunciations of the words that the voice knows, as flite says them (step ``text``)."""

from __future__ import annotations

import collections
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from resources.demo_voice.everyday import POOLS
from resources.demo_voice.judge import NUMBERS, TENS
from resources.demo_voice.sentences import fortune_sentences, words_of
from resources.demo_voice.tokens import NUMBER_WORDS

LEAST_COUNT = 3
MOST_WORDS = 5600
GROUP = 30

WEAK = {"a": ["ax"], "the": ["dh", "ax"], "to": ["t", "ax"], "of": ["ah", "v"], "i": ["ay"]}
"""Words that are said otherwise in a sentence than alone."""


def vocabulary(texts: list[str]) -> list[str]:
    """Words worth knowing: common ones of all texts, all of the everyday lists, numbers."""
    counts = collections.Counter(
        w for text in (*texts, *fortune_sentences()) for w in words_of(text)
    )
    common = [w for w, n in counts.most_common(MOST_WORDS) if n >= LEAST_COUNT]
    listed = [word for words in POOLS.values() for word in words]
    return sorted({*common, *listed, *NUMBERS, *TENS, *NUMBER_WORDS, "thousand"})


def _segments(text: str) -> list[list[str]]:
    """Phones between the pauses of a text."""
    command = ["flite", "-voice", "slt", "-ps", "-t", text, "none"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    groups: list[list[str]] = [[]]
    for phone in out.split():
        if phone == "pau":
            groups.append([])
        else:
            groups[-1].append(phone)
    return [group for group in groups if group]


def _pronounce(words: list[str]) -> dict[str, list[str]]:
    spoken = _segments(". ".join(words) + ".")
    if len(spoken) == len(words):
        return dict(zip(words, spoken, strict=True))
    if len(words) == 1:
        return {words[0]: [phone for group in spoken for phone in group]}
    half = len(words) // 2
    return {**_pronounce(words[:half]), **_pronounce(words[half:])}


def write_lexicon(work: Path) -> dict[str, list[str]]:
    """Write lexicon.json for the words of texts.json: word to phones."""
    words = vocabulary(json.loads((work / "texts.json").read_text()))
    groups = [words[i : i + GROUP] for i in range(0, len(words), GROUP)]
    lexicon: dict[str, list[str]] = {}
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(_pronounce, groups):
            lexicon.update(found)
    lexicon.update(WEAK)
    (work / "lexicon.json").write_text(json.dumps(lexicon))
    return lexicon
