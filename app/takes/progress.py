"""What a take that is being made says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from app.core.formats import short
from app.inference.service import Activity
from app.takes.take import Take
from engine.synthesis import rough


def describe(takes: Sequence[Take], now: Activity) -> Activity:
    """How far a take is, or how far several are that are made together."""
    if len(takes) == 1:
        return describe_one(takes[0], now)
    frames = sum(take.store.frames for take in takes)
    if not frames:
        return now
    done = sum(take.store.complete for take in takes)
    text = QCoreApplication.translate("Session", "{done} of {count} takes · {frames} frames")
    per = max(1, takes[0].store.format.samples_per_frame)
    expected = sum(max(1, take.store.expected // per) for take in takes)
    shown = text.format(done=done, count=len(takes), frames=frames)
    return Activity(shown, min(frames, expected), expected)


def describe_one(take: Take, now: Activity) -> Activity:
    """How far a take is: a server sends sound only, a model here makes frames."""
    store = take.store
    if take.origin.info is not None and take.origin.info.host:
        text = (
            QCoreApplication.translate("Session", "Receiving: {length}")
            if store.length
            else QCoreApplication.translate("Session", "Waiting for the server")
        )
        return replace(now, text=text.format(length=short(store.seconds)))
    if not store.frames:
        return now
    pace = take.pace
    if pace is not None and pace.pieces > 1:
        text = QCoreApplication.translate("Session", "Piece {piece} of {pieces} · {percent} %")
        shown = text.format(piece=pace.piece, pieces=pace.pieces, percent=int(100 * pace.share))
        left = pace.left_s
        if left is not None:
            rest = QCoreApplication.translate("Session", "{time} left")
            shown += f" · {rest.format(time=rough(left))}"
        return Activity(shown, int(1000 * pace.share), 1000, tells_time=left is not None)
    seconds = store.frames * store.format.samples_per_frame / store.format.sample_rate
    text = QCoreApplication.translate("Session", "Generating: {frames} frames, {length}")
    total = max(1, store.expected // store.format.samples_per_frame)
    done = min(store.frames, total)
    return Activity(text.format(frames=store.frames, length=short(seconds)), done, total)
