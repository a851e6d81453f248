"""The model folder as one thing to work with: list, fetch, check, remove.

The command line and the window are two clients of :class:`ModelStore`. No method but
:meth:`ModelStore.download` opens a connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cancel import CancelToken
from engine.errors import OutputError
from engine.hub.address import DownloadOptions
from engine.hub.catalogue import VARIANTS, HubFile, License, Variant
from engine.hub.disk import check_room, hash_file, make_folder
from engine.hub.events import LicenseError, OfflineError, OnTransfer, Phase, Reporter
from engine.hub.local import Entry, Ledger, Presence, Record, find_file, list_entries
from engine.hub.partial_file import kept_bytes, remove_part

if TYPE_CHECKING:
    from engine.hub.fetch import Fetched

Remover = Callable[[Path], None]


class ModelStore:
    """One folder with models.

    Attributes:
        folder: where files go.
        cache: the hub's own cache, which is looked into; ``None`` asks the environment.
        variants: what is known.
    """

    def __init__(
        self,
        folder: Path,
        cache: Path | None = None,
        variants: tuple[Variant, ...] = VARIANTS,
    ) -> None:
        self.folder = folder
        self.cache = cache
        self.variants = variants
        self._ledger = Ledger(folder)

    def entries(self, recent: Iterable[Path] = ()) -> list[Entry]:
        """Everything that is known or lies here; see :func:`list_entries`."""
        return list_entries(self.folder, recent, self.cache, self.variants)

    def entry(self, variant: Variant) -> Entry:
        """The state of one variant."""
        return find_file(variant, self.folder, self.cache)

    def accepted(self, license: License) -> bool:
        """Whether ``license`` was accepted for this folder."""
        return self._ledger.accepted(license)

    def accept(self, license: License) -> None:
        """Keep that a person accepted ``license``; raises :class:`OutputError`."""
        self._ledger.accept(license)

    def download(
        self,
        variant: Variant,
        wishes: DownloadOptions,
        cancel: CancelToken | None = None,
        on_transfer: OnTransfer | None = None,
    ) -> Path:
        """Fetch ``variant`` with all that belongs to it; returns the model's path.

        What is there and right is not fetched again; what is begun is gone on with.

        Raises:
            LicenseError: :meth:`accept` comes first.
            OfflineError: offline mode; no socket was made.
            DownloadError, OutputError, CancelledError: see :func:`engine.hub.fetch.fetch`.
        """
        from engine.hub.fetch import fetch

        if not self.accepted(variant.license):
            raise LicenseError("hub.license", name=variant.license.name)
        if wishes.offline:
            raise OfflineError("hub.model_offline", title=variant.title)
        make_folder(self.folder)
        check_room(self.folder, self._missing(variant), wishes.free)
        for file in (*variant.companions, variant.file):
            ours = self._ledger.is_ours(file.name)
            if self._is_good(file):
                continue
            done = fetch(file, self.folder, wishes, cancel, on_transfer, may_replace=ours)
            self._remember(done)
        return self.folder / variant.file.name

    def verify(
        self, entry: Entry, cancel: CancelToken | None = None, on_transfer: OnTransfer | None = None
    ) -> Entry:
        """Read a whole file and compare its hash; returns the entry as it is then.

        A file whose hash no one has told stays ``PRESENT``.

        Raises:
            ModelFileError: it cannot be read.
            CancelledError: stopped.
        """
        report = Reporter(entry.path.name, on_transfer)
        digest = hash_file(
            entry.path,
            cancel or CancelToken(),
            lambda done, total: report.tell(Phase.HASHING, done, total),
        )
        report.tell(Phase.DONE, entry.size, entry.size)
        before = self._noted(entry)
        wanted = entry.variant.file.sha256 if entry.variant is not None else ""
        wanted = wanted or (before.wanted if before is not None else "")
        record = Record(digest, wanted, before.ours if before is not None else False)
        if self._is_here(entry.path):
            self._ledger.keep(entry.path, record)
        return replace(entry, presence=record.presence) if wanted else entry

    def discard(self, variant: Variant) -> None:
        """Throw away what is unfinished of ``variant``; raises :class:`OutputError`."""
        remove_part(self.folder / variant.file.name)

    def remove(self, entry: Entry, remover: Remover = Path.unlink) -> None:
        """Remove a file of this folder; ``remover`` may move it to the trash.

        Raises:
            OutputError: it lies elsewhere, or cannot be removed.
        """
        if not self._is_here(entry.path):
            raise OutputError("hub.outside", path=entry.path)
        try:
            remover(entry.path)
        except OSError as error:
            raise OutputError(
                "hub.not_removed", name=entry.path.name, reason=error.strerror or error
            ) from error
        self._ledger.forget(entry.path.name)

    def _noted(self, entry: Entry) -> Record | None:
        return self._ledger.noted(entry.path.name) if self._is_here(entry.path) else None

    def _is_here(self, path: Path) -> bool:
        return path.parent == self.folder

    def _is_good(self, file: HubFile) -> bool:
        """Whether a file is there and nothing speaks against it, without reading it.

        One whose hash is known must have been read as a whole since it was changed.
        """
        path = self.folder / file.name
        record = self._ledger.record(path)
        if file.sha256:
            return record is not None and record.sha256 == file.sha256
        return path.is_file() and (record is None or record.presence is not Presence.DAMAGED)

    def _remember(self, done: Fetched) -> None:
        wanted = done.sha256 if done.checked else ""
        ours = done.fresh or self._ledger.is_ours(done.path.name)
        self._ledger.keep(done.path, Record(done.sha256, wanted, ours))

    def _missing(self, variant: Variant) -> int:
        """Bytes that a download of ``variant`` still has to write."""
        missing = 0
        for file in (*variant.companions, variant.file):
            if not self._is_good(file):
                missing += max(0, file.size - kept_bytes(self.folder / file.name))
        return missing
