"""What holds for every host, key and answer, whoever is spoken to."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address

_MOST_DIGITS = 9


def is_loopback(host: str) -> bool:
    """Whether ``host`` names this machine."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_plain(key: str) -> bool:
    """Whether a key or token holds only what can stand in a header: visible ASCII."""
    return all(32 < ord(character) < 127 for character in key)


def retry_after(text: str, now: datetime | None = None) -> float | None:
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
