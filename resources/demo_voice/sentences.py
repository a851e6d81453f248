"""The texts that the demo voice learns to speak (step ``text``).

Sources: the quotations of Debian's ``fortunes`` package, read from the machine where the recipe
runs and never stored in the repository, and the sentences of :mod:`templates`.
"""

from __future__ import annotations

import collections
import random
import re
from pathlib import Path

from resources.demo_voice.everyday import everyday_sentences
from resources.demo_voice.judge import unseen_sentences
from resources.demo_voice.templates import make_sentence

FORTUNES = Path("/usr/share/games/fortunes")
SKIPPED = ("ascii-art", "translate-me", "perl", "songs-poems", "zippy", "definitions", "knghtbrd")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
MAX_WORDS = 11


def words_of(text: str) -> list[str]:
    """Words of a text in lower case."""
    return WORD.findall(text.lower())


def fortune_sentences(folder: Path = FORTUNES) -> list[str]:
    """Sentences of 3 to 11 plain words out of the quotation files, sorted."""
    found: set[str] = set()
    for file in sorted(folder.iterdir()):
        if "." in file.name or file.name in SKIPPED or not file.is_file():
            continue
        text = re.sub(r"\n%\n", " . ", file.read_text(errors="ignore"))
        text = re.sub(r"\s+", " ", text)
        for piece in re.split(r'(?<=[.!?;:])\s+|--|"|\(|\)|\[|\]', text):
            sentence = piece.strip(" -'\"*_")
            if not re.fullmatch(r"[A-Z][A-Za-z' ,]*[a-z][.!?;:,]?", sentence):
                continue
            if not 3 <= len(sentence.split()) <= MAX_WORDS or re.search(r"[A-Z]{2,}", sentence):
                continue
            if max(map(len, sentence.split())) > 14:
                continue
            sentence = sentence.rstrip(",;:")
            found.add(sentence if sentence[-1] in ".!?" else sentence + ".")
    return sorted(found)


def choose(quotations: list[str], count: int, rng: random.Random) -> list[str]:
    """The sentences whose rarest words are the least rare, so that each word is heard often."""
    counts = collections.Counter(word for s in quotations for word in words_of(s))

    def ease(sentence: str) -> float:
        return sum(1.0 / counts[word] for word in words_of(sentence))

    ranked = sorted(quotations, key=lambda s: (ease(s), s))
    picked = ranked[:count]
    rng.shuffle(picked)
    return picked


def covering(quotations: list[str], known: list[str], least: int, rng: random.Random) -> list[str]:
    """More quotations, for words that are common in all of them but rare in ``known``."""
    everywhere = collections.Counter(word for s in quotations for word in words_of(s))
    heard = collections.Counter(word for s in known for word in words_of(s))
    rest = sorted(set(quotations) - set(known))
    rng.shuffle(rest)
    picked = []
    for sentence in rest:
        wanted = [w for w in words_of(sentence) if heard[w] < least <= everywhere[w]]
        if wanted and min(everywhere[word] for word in words_of(sentence)) > 1:
            picked.append(sentence)
            heard.update(words_of(sentence))
    return picked


FIRST = 4000
"""Texts of the plain mixture; those behind it are chosen to widen the vocabulary."""


def training_texts(quoted: int, made: int, seed: int) -> list[str]:
    """Shuffled training sentences, without doubles: a plain mixture, then rarer words."""
    rng = random.Random(seed)
    made_texts: set[str] = set()
    while len(made_texts) < made:
        made_texts.add(make_sentence(rng))
    quotations = fortune_sentences()
    texts = list(dict.fromkeys(choose(quotations, quoted, rng) + sorted(made_texts)))
    rng.shuffle(texts)
    first = texts[:FIRST]
    wider = everyday_sentences(5, rng) + covering(quotations, first, 6, rng)
    wider = sorted(set(wider) - set(first) - set(unseen_sentences()))
    rng.shuffle(wider)
    return first + wider
