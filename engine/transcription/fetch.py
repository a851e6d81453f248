"""The model of the transcriber: what it is, whose it is, and how it gets here.

Sizes and hashes are those that several independent users of the files have published. Nothing
is fetched but by :func:`fetch_recogniser`, which somebody asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.cancel import CancelToken
from engine.hub import DownloadOptions, License, OfflineError, Transfer, make_folder
from engine.hub.catalogue import HubFile
from engine.hub.disk import check_room
from engine.hub.partial_file import kept_bytes

_REPOSITORY = "Systran/faster-whisper-base"
_PINNED = "ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66"


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A model that writes down what is said.

    Attributes:
        title: for people.
        folder: name of its folder.
        license: of the model.
        files: the largest last.
    """

    title: str
    folder: str
    license: License
    files: tuple[HubFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def sha256(self) -> str:
        """Of the file with the weights."""
        return self.files[-1].sha256


def _file(name: str, size: int, sha256: str) -> HubFile:
    return HubFile(_REPOSITORY, name, size, sha256, revision=_PINNED)


RECOGNISER = Recogniser(
    "Whisper base",
    "faster-whisper-base",
    License(
        id="mit-whisper",
        name="MIT License",
        owner="OpenAI; converted by SYSTRAN",
        page="https://github.com/openai/whisper/blob/main/LICENSE",
        summary=("Free to use, also commercially; the notice goes along with copies.",),
        notice="Copyright (c) 2022 OpenAI",
    ),
    (
        _file("config.json", 2_309,
              "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
        _file("vocabulary.txt", 459_861,
              "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913"),
        _file("tokenizer.json", 2_203_239,
              "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab"),
        _file("model.bin", 145_217_532,
              "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"),
    ),
)  # fmt: skip

OnShare = Callable[[Transfer], None]


def fetch_recogniser(
    folder: Path,
    options: DownloadOptions,
    cancel: CancelToken | None = None,
    on_share: OnShare | None = None,
    recogniser: Recogniser = RECOGNISER,
) -> Path:
    """Fetch the model into ``folder``, going on where an earlier try ended; each file is hashed.

    Args:
        on_share: hears how much of all files is there, as one.

    Returns:
        The folder of the model.

    Raises:
        OfflineError: offline mode; no socket was made.
        CancelledError: stopped; what is there is kept for the next time.
        DownloadError, OutputError: see :func:`engine.hub.fetch.fetch`.
    """
    from engine.hub.fetch import fetch

    if options.offline:
        raise OfflineError("hub.model_offline", title=recogniser.title)
    target = folder / recogniser.folder
    make_folder(target)
    missing = [each for each in recogniser.files if not _is_whole(target / each.name, each)]
    check_room(
        target, sum(each.size - kept_bytes(target / each.name) for each in missing), options.free
    )
    before = 0
    for file in recogniser.files:

        def tell(now: Transfer, before: int = before) -> None:
            if on_share is not None:
                on_share(replace(now, done=before + now.done, total=recogniser.size))

        fetch(file, target, options, cancel, tell)
        before += file.size
    return target


def _is_whole(path: Path, file: HubFile) -> bool:
    return path.is_file() and path.stat().st_size == file.size
