"""How long a server asks to wait: the ``Retry-After`` header."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MOST_DIGITS = 9


def seconds_of(text: str, now: datetime | None = None) -> float | None:
    """Seconds of ``Retry-After``, which is a number or a date; ``None`` when it is neither."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):  # the last for a year of twenty digits
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
