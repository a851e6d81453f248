"""``s2 check``: is a take worth keeping, and does it say what it should?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands import args as arguments
from engine.commands.args import UsageError
from engine.commands.console import Console

if TYPE_CHECKING:
    import numpy as np

    from engine.audio.reference_checks import Check
    from engine.takes.checks import TakeFacts
    from engine.transcription import WordReport

SOUNDS = frozenset({".wav", ".flac", ".ogg", ".opus", ".mp3"})


@dataclass(frozen=True, slots=True)
class CheckedTake:
    """A take with what is known of it."""

    name: str
    samples: np.ndarray
    rate: int
    facts: TakeFacts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found; ``words`` is ``None`` where they were not checked."""

    checks: list[Check]
    words: WordReport | None

    @property
    def is_faulty(self) -> bool:
        """A light that is not green, or a wrong word."""
        from engine.takes.checks import failed

        wrong = self.words is not None and bool(self.words.marks)
        return wrong or bool(failed(self.checks))


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "check", help="find takes with lost words, noise, holes, a cut end or a sinking level"
    )
    parser.add_argument(
        "takes", nargs="+", metavar="TAKE", help="sound file, folder of a kept take, or of many"
    )
    arguments.add_text(parser, "--text", help="what was to be said; a take of ours knows it")
    arguments.add_transcriber(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a take")
    arguments.add_log(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> int:
    """Print a table or JSON; exit code 1 when a take has a fault."""
    paths = [found for given in args.takes for found in _found(Path(given))]
    takes = [_read(path, args.text, console) for path in paths]
    paces = _paces(takes)
    faults = 0
    for take, pace in zip(takes, paces, strict=True):
        verdict = rate(take, pace, args.transcriber, args.language)
        faults += verdict.is_faulty
        if args.json:
            console.result(json.dumps(_plain(take, verdict), ensure_ascii=False))
        else:
            tell(take, verdict, console)
    if len(takes) > 1 and not args.json:
        console.result(f"{faults} of {len(takes)} takes have a fault")
    return 1 if faults else 0


def _found(path: Path) -> list[Path]:
    """The takes that a path names: itself, or those in the folder."""
    from engine.storage.names import is_companion
    from engine.takes.files import META_FILE

    if not path.is_dir() or (path / META_FILE).is_file():
        return [path]
    inside = sorted(
        each
        for each in path.iterdir()
        if not each.name.startswith(".")
        and not is_companion(each.name)
        and (each.suffix.lower() in SOUNDS if each.is_file() else (each / META_FILE).is_file())
    )
    if not inside:
        raise UsageError("cli.no_takes", path=path)
    return inside


def _read(path: Path, text: str | None, console: Console) -> CheckedTake:
    from engine.audio.files import read_audio
    from engine.audio.resample import downmix
    from engine.takes.archive import TakeArchive
    from engine.takes.checks import facts_of
    from engine.takes.provenance import read_provenance

    if path.is_dir():
        kept = TakeArchive(path.parent).load(path.name)
        _warn(path, kept.provenance.seed_warnings, console)
        return CheckedTake(path.name, kept.samples, kept.rate, facts_of(kept.provenance, text))
    clip = read_audio(path)
    samples, provenance = downmix(clip.samples).samples, read_provenance(path)
    if provenance is not None:
        provenance = provenance.of_this_sound(samples, clip.rate)
    _warn(path, () if provenance is None else provenance.warnings, console)
    return CheckedTake(path.name, samples, clip.rate, facts_of(provenance, text))


def _warn(path: Path, warnings: Iterable[str], console: Console) -> None:
    for warning in warnings:
        console.warn(f"{path.name}: {warning}")


def _paces(takes: list[CheckedTake]) -> list[float]:
    """Each voice's own pace, from three of its takes on: their median."""
    from engine.takes.checks import own_paces

    return own_paces([(take.samples, take.rate, take.facts) for take in takes])


def rate(take: CheckedTake, pace: float, transcriber: str | None, language: str) -> Verdict:
    """Check sound and, with a ``transcriber``, words; ``pace`` is the voice's own, or 0."""
    from engine.takes.checks import check_take

    checks = check_take(take.samples, take.rate, replace(take.facts, pace=pace))
    return Verdict(checks, _words(take, transcriber, language))


def _words(take: CheckedTake, transcriber: str | None, language: str) -> WordReport | None:
    """The word check; ``None`` where there is no transcriber or no text."""
    if transcriber is None or not take.facts.text:
        return None
    from engine.transcription import check_words, spoken_words, transcribe

    words = [word.letters for word in spoken_words(take.facts.text, language)]
    heard = transcribe(take.samples, take.rate, transcriber, words=words, language=language)
    return check_words(take.facts.text, heard)


def tell(take: CheckedTake, verdict: Verdict, console: Console) -> None:
    """Print lights, numbers and cures of a take, and its wrong words."""
    console.result(take.name)
    words = verdict.words
    for check in verdict.checks:
        console.result(
            f"  {check.light:5}  {check.message}" + (f" {check.cure}" * bool(check.cure))
        )
    if words is None:
        console.result("  -      The words were not checked: " + _why(take))
        return
    light = "red" if words.marks else "green"
    console.result(f"  {light:5}  Word errors: {words.errors:.1f} %")
    for mark in words.marks:
        said = take.facts.text[mark.start : mark.end] or "+"
        heard = f" (heard: {mark.heard})" if mark.heard else ""
        console.result(f"         {mark.at_s:6.1f} s  {mark.kind}: {said}{heard}")


def _why(take: CheckedTake) -> str:
    if not take.facts.text:
        return "the text is not known, give --text."
    return "give --transcriber, the folder of a faster-whisper model."


def _plain(take: CheckedTake, verdict: Verdict) -> dict[str, Any]:
    report, words = None, verdict.words
    if words is not None:
        marks = [asdict(mark) for mark in words.marks]
        report = {"errors_percent": words.errors, "count": words.words, "marks": marks}
    found = [{**asdict(check), "value": float(check.value)} for check in verdict.checks]
    return {"take": take.name, "text": take.facts.text, "checks": found, "words": report}
