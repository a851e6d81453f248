"""``s2 models``: which model files there are, fetching and checking them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from engine.bench import measure_speed, recommended, remember_speed, remembered_speed
from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.args import UsageError
from engine.commands.console import Console
from engine.commands.loading import stop_on_interrupt
from engine.errors import ModelFileError
from engine.hub.address import choose_hub, offline_requested
from engine.hub.catalogue import VARIANTS, License, Variant, find_variant
from engine.hub.events import DamagedFileError, LicenseError, Phase, Transfer
from engine.hub.local import Entry, Place, Presence, default_folder
from engine.hub.store import ModelStore
from engine.machine.memory import available_memory

_STATES = {
    Presence.ABSENT: "not here",
    Presence.PARTIAL: "begun",
    Presence.PRESENT: "here",
    Presence.VERIFIED: "here, checked",
    Presence.DAMAGED: "damaged",
}


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "models",
        help="list, download and check model files",
        description="Known S2 Pro files. Nothing is fetched from the network but by 'download'.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text, run in (
        ("list", "what there is, what is here and what fits this machine", run_list),
        (
            "download",
            "fetch a model and its tokenizer, or go on with it",
            run_download,
        ),
        ("verify", "read files as a whole and compare their SHA-256", run_verify),
        ("path", "where a model lies, for -m", run_path),
        ("measure", "how fast each model would speak here; takes some seconds", run_measure),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("--models-dir", metavar="DIR", help="folder of the models")
        arguments.add_log(action)
        action.set_defaults(run=run)
        if name == "download":
            _add_download(action)
        elif name == "verify":
            action.add_argument("models", nargs="*", metavar="MODEL", help="all when none is named")
        elif name == "path":
            action.add_argument("model", metavar="MODEL", help="such as q4_k_m")


def _add_download(action: argparse.ArgumentParser) -> None:
    action.add_argument("model", metavar="MODEL", help="such as q4_k_m")
    action.add_argument(
        "--accept-license", action="store_true", help="you read the license and accept it"
    )
    action.add_argument(
        "--mirror", default="", metavar="URL", help="fetch from there (default: HF_ENDPOINT)"
    )
    action.add_argument("--offline", action="store_true", help="never touch the network")


def _store(args: argparse.Namespace) -> ModelStore:
    folder = Path(args.models_dir) if args.models_dir else default_folder()
    return ModelStore(folder, variants=VARIANTS)


def _variant(name: str) -> Variant:
    found = find_variant(name, VARIANTS)
    if found is None:
        known = ", ".join(each.id for each in VARIANTS)
        raise UsageError("cli.no_model", name=name, known=known)
    return found


def run_list(args: argparse.Namespace, console: Console) -> int:
    """One line for each known variant and each other file."""
    free, _ = available_memory()
    store = _store(args)
    speed = remembered_speed(_speed_file())
    for entry in store.entries():
        name = entry.variant.id if entry.variant is not None else entry.path.name
        parts = [f"{name:<8}", f"{_size(entry):>8}", f"{_state(entry):<22}"]
        if entry.variant is not None:
            needed = entry.variant.needs.on_cpu()
            fits = "fits" if needed <= free else "too large"
            parts.append(f"needs {needed / 1e9:.1f} GB ({fits})  {entry.variant.use}")
            if speed is not None:
                parts.append(slowness_words(speed.slowness(entry.variant)))
        console.result("  ".join(parts).rstrip())
    console.info(f"{free / 1e9:.1f} GB of memory are free. Folder: {store.folder}")
    if speed is None:
        console.info("How fast each would speak here: s2 models measure")
    return 0


def _speed_file() -> Path:
    """Where the window keeps it too."""
    return default_folder().parent / "speed.json"


def run_measure(args: argparse.Namespace, console: Console) -> int:
    """Measure this machine, keep that, and say what each model would do; the best one last."""
    cancel = CancelToken()
    with stop_on_interrupt(cancel):
        names = [variant.quantisation for variant in VARIANTS]
        speed = measure_speed(names, cancel, lambda name: console.status(f"measuring {name}"))
    console.done()
    remember_speed(speed, _speed_file())
    for variant in VARIANTS:
        console.result(f"{variant.id:<8}  {slowness_words(speed.slowness(variant))}")
    best = recommended(speed, VARIANTS, available_memory()[0])
    if best is None:
        console.info("None of them fits the memory that is free.")
    else:
        words = slowness_words(speed.slowness(best))
        console.result(f"Recommended for this machine: {best.id}, {words}")
    return 0


def slowness_words(slowness: float | None) -> str:
    """How fast a model speaks beside a person; a guess deserves no decimals."""
    if slowness is None:
        return "speed unknown"
    if slowness > 1.3:
        return f"about {slowness:.0f} times slower than speech"
    if slowness > 0.8:
        return "about as fast as speech"
    return f"about {1 / slowness:.0f} times faster than speech"


def _size(entry: Entry) -> str:
    size = entry.size
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def _state(entry: Entry) -> str:
    text = _STATES[entry.presence]
    if entry.presence is Presence.PARTIAL:
        text += f", {entry.done / max(1, entry.size):.0%}"
    return f"{text} (hub's cache)" if entry.place is Place.CACHE else text


def run_download(args: argparse.Namespace, console: Console) -> int:
    """Fetch a variant; the path is the result."""
    variant = _variant(args.model)
    store = _store(args)
    offline = bool(args.offline) or offline_requested()
    hub = choose_hub(args.mirror)
    if not store.accepted(variant.license):
        _ask_license(variant.license, bool(args.accept_license), offline, console)
        store.accept(variant.license)
    from engine.hub.address import DownloadOptions

    cancel, bar = CancelToken(), TransferBar(console)
    with stop_on_interrupt(cancel):
        path = store.download(variant, DownloadOptions(hub=hub, offline=offline), cancel, bar.show)
    console.done()
    if store.entry(variant).presence is not Presence.VERIFIED:
        console.warn("no SHA-256 is published for this file: its header was checked, no more")
    console.result(str(path))
    return 0


def _ask_license(license: License, accepted: bool, offline: bool, console: Console) -> None:
    """Show what the license says; a person at a terminal may answer."""
    if accepted:
        return
    lines = [f"The weights are under the {license.name} of {license.owner}. In short:"]
    lines += [f"  - {sentence}" for sentence in license.summary]
    lines += [f"The whole text: {license.page}"]
    console.info("\n".join(lines))
    if not offline and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        console.info("Type yes to accept it:")
        if sys.stdin.readline().strip().lower() == "yes":
            return
    raise LicenseError("cli.license", name=license.name)


def run_verify(args: argparse.Namespace, console: Console) -> int:
    """Check files; exit code 1 when one is damaged."""
    store = _store(args)
    wanted = [_variant(name) for name in args.models]
    entries = [store.entry(each) for each in wanted] if wanted else store.entries()
    cancel, bar, damaged = CancelToken(), TransferBar(console), []
    for entry in entries:
        if entry.presence in (Presence.ABSENT, Presence.PARTIAL):
            if wanted:
                raise ModelFileError("cli.download_first", title=entry.title)
            continue
        with stop_on_interrupt(cancel):
            seen = store.verify(entry, cancel, bar.show)
        console.done()
        if seen.presence is Presence.DAMAGED:
            damaged.append(entry.path.name)
            console.result(f"{entry.path.name}: damaged")
        elif seen.presence is Presence.VERIFIED:
            console.result(f"{entry.path.name}: good")
        else:
            console.result(f"{entry.path.name}: no published SHA-256 to compare with")
    if damaged:
        raise DamagedFileError("cli.damaged", names=", ".join(damaged))
    return 0


def run_path(args: argparse.Namespace, console: Console) -> int:
    """Print where a model lies."""
    variant = _variant(args.model)
    entry = _store(args).entry(variant)
    if not entry.usable:
        raise ModelFileError("cli.get_model", title=variant.title, id=variant.id)
    console.result(str(entry.path))
    return 0


class TransferBar:
    """Shows a transfer: a moving line on a terminal, a line for each step in a log."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: tuple[str, Phase] | None = None

    def show(self, transfer: Transfer) -> None:
        """Take one event."""
        step = transfer.file, transfer.phase
        if step != self._told and transfer.phase in (Phase.WAITING, Phase.DONE):
            self._console.done()
            self._console.info(self._line(transfer))
        self._told = step
        self._console.status(self._line(transfer))

    @staticmethod
    def _line(t: Transfer) -> str:
        amount = f"{t.done / 1e6:.1f} of {t.total / 1e6:.1f} MB" if t.total else ""
        if t.phase is Phase.WAITING:
            return f"{t.file}: {t.reason}; trying again in {t.wait_s:.0f} s"
        if t.phase is Phase.DONE:
            return f"{t.file}: done, {t.total / 1e6:.1f} MB"
        if t.phase is Phase.HASHING:
            return f"{t.file}: checking {amount}"
        if t.phase is Phase.CONNECTING:
            return f"{t.file}: connecting"
        left = f", {t.left_s:.0f} s left" if t.left_s is not None else ""
        return f"{t.file}: {amount}, {t.speed / 1e6:.1f} MB/s{left}"
