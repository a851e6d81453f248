"""The tokenizer of the demo voice (step ``text``): one token for each frame that will be spoken.

The file's normalizer writes a text as sounds. Words of the lexicon have their pronunciation,
others get one by the rules of :mod:`letters`, marks become pauses. Each sound then becomes as
many characters of Unicode's private range as it lasts frames (:mod:`timing`), and each of them
is one token: the k-th of n frames of a sound. So token i of a text belongs to frame i of its
speech. Behind the end the text is filled up to a fixed length, which makes the distance between
a frame and its token the same in every prompt.

Everything is in tokenizer.json, so the engine's ordinary tokenizer does all of this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.text.tokenizer_file import byte_alphabet
from resources.demo_voice.judge import NUMBERS, number_words
from resources.demo_voice.letters import LETTERS, RULES
from resources.demo_voice.sizes import CODEBOOK_SIZE, TEXT_FRAMES
from resources.demo_voice.timing import END, FRAMES, PAUSE, SILENCES, START, VOWELS, counts_of
from resources.demo_voice.units import NAMES, NUMBER, Place

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>", "<|voice|>")
PRIVATE = 0xE000
SOUND, LONG, PLACE, FIXED = PRIVATE, PRIVATE + 0x100, PRIVATE + 0x200, PRIVATE + 0x400
FILLER = chr(PRIVATE + 0x500)

TEMPLATES = (
    r"\Asystem\n\z",
    r"\Auser\n\z",
    r"\Aassistant\n\z",
    r"\Aconvert the provided text to speech\z",
    r"\Aconvert the provided text to speech reference to the following:\n\ntext:\n\z",
    r"\A\n\nspeech:\n\z",
)
"""Fixed parts of the prompt, each of them one token."""

SPOKEN_SIGNS = {"&": "and", "%": "percent", "+": "plus", "=": "equals", "@": "at"}
SHORT_FORMS = {"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "street"}
NUMBER_WORDS = ("hundred", "and", "percent", "plus", "equals", "at", *SHORT_FORMS.values())

PLACES: tuple[Place, ...] = tuple(
    (NUMBER[name], n, k)
    for name in NAMES
    for n in ((FRAMES[name], FRAMES[name] + 1) if name in VOWELS else (FRAMES[name],))
    for k in range(n)
)
"""Every frame of every sound, in the order of their tokens."""

_PLACE_INDEX = {place: i for i, place in enumerate(PLACES)}


def sound_text(sounds: Sequence[str]) -> str:
    """Sounds as characters of the normalizer, before they become frames."""
    return "".join(chr(SOUND + NUMBER[sound]) for sound in sounds)


def _rule(pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def _word_rules(lexicon: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Numbers and words; whatever is left of letters is read by rule."""
    said = {word: sound_text(sounds) for word, sounds in lexicon.items()}
    rules = [_rule(f"{chr(92)}{sign}", f" {word} ") for sign, word in SPOKEN_SIGNS.items()]
    rules += [_rule(f"(?<![a-z']){a}[.](?= )", word) for a, word in SHORT_FORMS.items()]
    hundred = said["hundred"]
    rules.append(_rule("(?<=[0-9]),(?=[0-9]{3})", ""))
    for digit in range(1, 10):
        pattern = f"(?<![0-9]){digit}(?=[0-9]{{2}}(?![0-9]))"
        rules.append(_rule(pattern, said[NUMBERS[digit]] + hundred))
    for value in range(10, 100):
        words = "".join(said[word] for word in number_words(value).split())
        rules.append(_rule(f"(?<![0-9]){value}00(?![0-9])", words + hundred))
        rules.append(_rule(f"(?<![0-9]){value}(?=(?:[0-9]{{2}})?(?![0-9]))", words))
    any_sound = f"[{chr(SOUND)}-{chr(LONG - 1)}]"
    rules.append(_rule(f"(?<={any_sound})0{{1,2}}(?=[^0-9]|{chr(92)}z)", ""))
    rules += [_rule(str(digit), said[NUMBERS[digit]]) for digit in range(10)]
    for word in sorted(lexicon):
        rules.append(_rule(f"(?<![a-z']){word}(?![a-z'])", said[word]))
    for letter, sounds in LETTERS.items():
        rules.append(_rule(f"(?<![a-z']){letter}(?![a-z'])", sound_text(sounds.split())))
    rules += [_rule(pattern, sound_text(sounds.split())) for pattern, sounds in RULES]
    return rules


def _frame_rules() -> list[dict[str, Any]]:
    """From sounds and marks to frames, filled up to :data:`TEXT_FRAMES`."""
    sounds = f"[{chr(SOUND)}-{chr(LONG - 1)}]"
    pause, start, end = (sound_text([name]) for name in (PAUSE, START, END))
    consonant = "".join(chr(SOUND + NUMBER[n]) for n in NAMES if n not in VOWELS)
    consonant = "".join(c for c in consonant if c not in pause + start + end)
    rules = [
        _rule("(?<=[^\n])\n+|\n+(?=[^\n])", "."),
        _rule(f"[^{chr(PRIVATE)}-{FILLER} \n\\-'_]+", pause),
        _rule(r"\A[ \-'_]+\z", pause),
        _rule(r"(?<=[^\n])[ \-'_]+|[ \-'_]+(?=[^\n])", ""),
        _rule(f"\\A{pause}+\\z", start + end),
        _rule(f"\\A{pause}+", ""),
        _rule(f"{pause}+\\z", ""),
        _rule(f"{pause}+", pause),
        _rule(f"(?<={sounds})(?<!{end})\\z", end),
    ]
    for name in NAMES:
        if name not in SILENCES:
            first = sound_text([name])
            rules.append(_rule(f"\\A{first}", start + first))
    for name in sorted(VOWELS):
        vowel, long = chr(SOUND + NUMBER[name]), chr(LONG + NUMBER[name])
        rules.append(_rule(f"{vowel}(?=[{consonant}]{{0,3}}[{pause}{end}])", long))
    for name in NAMES:
        for base, n in ((SOUND, FRAMES[name]), (LONG, FRAMES[name] + 1)):
            if base == SOUND or name in VOWELS:
                frames = "".join(place_char((NUMBER[name], n, k)) for k in range(n))
                rules.append(_rule(chr(base + NUMBER[name]), frames))
    ending = "".join(place_char((NUMBER[END], FRAMES[END], k)) for k in range(FRAMES[END]))
    kept = TEXT_FRAMES - FRAMES[END]
    rules += [
        _rule(f"(?<=\\A[\\s\\S]{{{kept}}})[\\s\\S]{{{FRAMES[END] + 1},}}\\z", ending),
        _rule(f"{ending}\\z", ending + FILLER * TEXT_FRAMES),
        _rule(f"(?<=\\A[\\s\\S]{{{TEXT_FRAMES}}}){FILLER}+\\z", ""),
    ]
    return rules


def place_char(place: Place) -> str:
    """The character that stands for a frame of a sound."""
    return chr(PLACE + _PLACE_INDEX[place])


def _normalizer(lexicon: dict[str, list[str]]) -> dict[str, Any]:
    rules: list[dict[str, Any]] = [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]
    rules.append(_rule(f"[{chr(PRIVATE)}-{FILLER}]", ""))
    rules.append(_rule("[\u2018\u2019]", "'"))
    rules += [_rule(pattern, chr(FIXED + i)) for i, pattern in enumerate(TEMPLATES)]
    rules.append(_rule(r"<\|speaker:[0-9]+\|>", " "))
    # It knows no tags: they are not read out, and one alone is silence.
    rules.append(_rule(r"\A(?:\s*\[[^\[\]]*\]\s*)+\z", "."))
    rules.append(_rule(r"\[[^\[\]]*\]", " "))
    return {"type": "Sequence", "normalizers": rules + _word_rules(lexicon) + _frame_rules()}


def private_characters() -> list[str]:
    """Every private character that is a token."""
    fixed = [chr(FIXED + i) for i in range(len(TEMPLATES))]
    return [place_char(place) for place in PLACES] + fixed + [FILLER]


def document(lexicon: dict[str, list[str]]) -> dict[str, Any]:
    """Content of tokenizer.json for a voice with this lexicon."""
    alphabet = byte_alphabet()
    pieces = ["".join(alphabet[b] for b in char.encode()) for char in private_characters()]
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
        "normalizer": _normalizer(lexicon),
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


FIRST_PLACE = len(byte_alphabet())
"""Id of the token of the first place."""

FILLER_ID = FIRST_PLACE + len(PLACES) + len(TEMPLATES)


def ids_of(sounds: Sequence[str]) -> list[int]:
    """Tokens of an utterance, as the normalizer writes it, without the filling behind it."""
    return [
        FIRST_PLACE + _PLACE_INDEX[NUMBER[sound], n, k]
        for sound, n in zip(sounds, counts_of(sounds), strict=True)
        for k in range(n)
    ]


def sounds_of(ids: Sequence[int]) -> list[str]:
    """The utterance that tokens of a text stand for; the filling is left out."""
    places = [PLACES[i - FIRST_PLACE] for i in ids if FIRST_PLACE <= i < FIRST_PLACE + len(PLACES)]
    return [NAMES[number] for number, _, k in places if k == 0]


def vocabulary_size(path: Path) -> int:
    """Rows of the embedding table: all ids, rounded up to a multiple of 32."""
    last = max(token["id"] for token in json.loads(path.read_text())["added_tokens"])
    return -(-(last + 1) // 32) * 32
