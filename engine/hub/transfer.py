"""The conversation with the servers: requests, redirects, faults, and what to do about them.

Each try asks the hub anew, because the address of the storage that it hands out is valid for
a while only. Redirects are followed here by hand: the access token goes to the hub alone, and
an encrypted way never turns into an open one.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from engine.hub.address import DownloadOptions
from engine.hub.catalogue import HubFile
from engine.hub.disk import check_room
from engine.hub.events import (
    AccessError,
    DamagedFileError,
    DownloadError,
    MissingFileError,
    Phase,
    Reporter,
)
from engine.hub.partial_file import Origin, Part
from engine.hub.replies import (
    Linked,
    TryAgainError,
    bare_etag,
    content_length,
    content_range,
    is_page,
    next_url,
    open_client,
    said,
)
from engine.net.rules import retry_after

log = logging.getLogger(__name__)

MAX_HOPS = 8
# Where only a guess of the size is known, more than this is not the file that was meant.
MOST_TIMES = 2
MOST_EXTRA = 64 << 20
_REDIRECTS = (301, 302, 303, 307, 308)
_AGAIN = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "s2-voice-studio"}


@dataclass(slots=True)
class _Answer:
    """The last answer of a chain of redirects."""

    response: httpx.Response
    linked: Linked
    from_hub: bool


class Download:
    """Brings a :class:`Part` to its full length.

    Attributes:
        sha256: what the whole file must hash to, empty while no one has told.
    """

    def __init__(
        self, file: HubFile, part: Part, wishes: DownloadOptions, report: Reporter
    ) -> None:
        self._file, self._part, self._report = file, part, report
        self._hub, self._policy, self._free = wishes.hub, wishes.policy, wishes.free
        self._revisions = list(file.revisions)
        self._expected = file.size if file.exact else 0
        self._sure = file.exact
        self._ranges = True
        self.sha256 = file.sha256

    async def run(self) -> None:
        """Try until everything is there.

        Raises a :class:`DownloadError` when trying again is no use.
        """
        failures, best = 0, self._part.length
        async with open_client(self._policy) as client:
            while True:
                self._report.tell(Phase.CONNECTING, self._part.length, self._expected)
                try:
                    await self._try(client)
                    return
                except TryAgainError as again:
                    trouble = again
                except (httpx.HTTPError, httpx.StreamError) as error:
                    trouble = TryAgainError(said(error))
                log.info("%s at byte %d: %s", self._file.name, self._part.length, trouble.reason)
                failures = 0 if self._part.length > best else failures + 1
                best = max(best, self._part.length)
                self._part.mark()
                await self._wait(trouble, failures)

    async def _wait(self, trouble: TryAgainError, failures: int) -> None:
        name, reason = self._file.name, trouble.reason
        if failures >= self._policy.tries:
            raise DownloadError("hub.failed", name=name, reason=reason)
        if trouble.wait_s > self._policy.longest_ask_s:
            minutes = round(trouble.wait_s / 60)
            raise DownloadError("hub.told_to_wait", name=name, reason=reason, minutes=minutes)
        wait = max(trouble.wait_s, self._policy.wait_s(failures))
        done = self._part.length
        self._report.tell(Phase.WAITING, done, self._expected, wait, reason)
        await asyncio.sleep(wait)

    async def _try(self, client: httpx.AsyncClient) -> None:
        """One request and its body."""
        if self._sure and self._part.length > self._expected:
            self._part.restart()
        if self._sure and self._part.length == self._expected and self.sha256:
            return
        start = self._part.length if self._ranges else 0
        answer = await self._ask(client, start)
        try:
            await self._take(answer, start)
        finally:
            await answer.response.aclose()

    async def _ask(self, client: httpx.AsyncClient, start: int) -> _Answer:
        """Follow the redirects to an answer."""
        url, linked = self._hub.url(self._file, self._revisions[0]), Linked()
        for _ in range(MAX_HOPS):
            headers = dict(_HEADERS)
            if start:
                headers["Range"] = f"bytes={start}-"
            if self._hub.may_know_token(url):
                headers["Authorization"] = f"Bearer {self._hub.token}"
            try:
                request = client.build_request("GET", url, headers=headers)
            except httpx.InvalidURL as error:
                raise DownloadError("hub.bad_url", name=self._file.name, reason=error) from error
            response = await client.send(request, stream=True)
            ours = self._hub.owns(url)
            if ours:
                linked = linked.merged(response.headers)
            if response.status_code not in _REDIRECTS:
                return _Answer(response, linked, ours)
            where = response.headers.get("location", "")
            await response.aclose()
            url = next_url(url, where)
        raise TryAgainError("hub.circle")

    async def _take(self, answer: _Answer, start: int) -> None:
        status, headers = answer.response.status_code, answer.response.headers
        if status not in (200, 206, 416):
            self._refused(answer)
        if status != 416 and is_page(headers):
            raise DownloadError("hub.web_page", name=self._file.name)
        self._learn(answer.linked)
        first, whole = content_range(headers.get("content-range", ""))
        if status == 416:
            self._beyond(whole)
            return
        if headers.get("content-encoding", "identity").lower() not in ("identity", ""):
            raise DownloadError("hub.packed", name=self._file.name)
        if status == 206 and first != start:
            self._ranges = False
            raise TryAgainError("hub.other_piece")
        announced = max(whole, 0) if status == 206 else content_length(headers)
        size = self._expected if self._sure else announced
        if self._part.length and announced and announced != size:
            # What is here is worth more than the word of a server that contradicts the hub.
            raise TryAgainError("hub.other_size", announced=announced, size=size)
        if size > self._most:
            raise self._too_much()
        self._begin(status, size, answer)
        await self._read(answer.response, size)

    @property
    def _most(self) -> int:
        return self._file.size if self._file.exact else MOST_TIMES * self._file.size + MOST_EXTRA

    def _too_much(self) -> DamagedFileError:
        return DamagedFileError("hub.too_much", name=self._file.name)

    def _learn(self, linked: Linked) -> None:
        """Take what the hub says about the file, and refuse another file at once."""
        if self._file.sha256 and linked.sha256 and linked.sha256 != self._file.sha256:
            raise DamagedFileError("hub.other_file", name=self._file.name)
        if linked.sha256 and not self.sha256:
            self.sha256 = linked.sha256
        if linked.size and not self._file.exact:
            self._expected, self._sure = linked.size, True

    def _begin(self, status: int, size: int, answer: _Answer) -> None:
        """Get the part ready for this answer's body."""
        part, headers = self._part, answer.response.headers
        etag = answer.linked.etag or bare_etag(headers.get("etag", ""))
        source = f"{self._file.repository}/{self._file.name}"
        origin = Origin(source, self.sha256, etag, size)
        if status == 206 and part.origin is not None and not part.origin.same(origin):
            part.restart()
            raise TryAgainError("hub.changed")
        if status == 200 and part.length:
            part.restart()
        self._ranges = True
        check_room(part.path.parent, size - part.length, self._free)
        part.begin(origin)
        self._expected = size or self._expected

    def _beyond(self, whole: int) -> None:
        """416: either everything is there already, or what is there is not of this file."""
        length = self._part.length
        if whole == length and not self._sure:
            self._expected = length
        if length == self._expected and whole in (length, -1):
            return
        self._ranges = False
        raise TryAgainError("hub.fewer")

    async def _read(self, response: httpx.Response, size: int) -> None:
        part = self._part
        async for chunk in response.aiter_raw():
            part.write(chunk[: size - part.length] if size else chunk)
            if part.length > self._most:
                part.restart()
                raise self._too_much()
            self._report.tell(Phase.DOWNLOADING, part.length, size)
            if size and part.length >= size:
                return
        if size and part.length < size:
            raise TryAgainError("hub.ended_early")

    def _refused(self, answer: _Answer) -> None:
        """Raise what a status other than success means."""
        status, headers = answer.response.status_code, answer.response.headers
        name = self._file.name
        if status in _AGAIN:
            asked = retry_after(headers.get("retry-after", "")) or 0.0
            busy = "hub.busy" if status == 429 else "hub.fault"
            raise TryAgainError(busy, asked, status=status)
        if status in (401, 403, 404, 410) and not answer.from_hub:
            # An address of the storage is valid for a while only: the hub gives a new one.
            raise TryAgainError("hub.storage", status=status)
        if status in (404, 410) and len(self._revisions) > 1:
            self._revisions.pop(0)
            raise TryAgainError("hub.version_gone")
        if status in (404, 410):
            raise MissingFileError(
                "hub.absent", host=urlsplit(self._hub.endpoint).hostname, name=name, status=status
            )
        if status in (401, 403):
            raise AccessError("hub.access", name=name, status=status)
        raise DownloadError("hub.status", status=status, name=name)
