"""Times, sizes and sentences as people read them, and texts without private names."""

from __future__ import annotations

import getpass
import html
import platform
import re

# A path in quotes may hold blanks; one without ends at the first.
_QUOTED = re.compile(r"""(["'])(?:[A-Za-z]:)?[\\/~](?:[^"'\n]*[\\/])([^"'\\/\n]+)\1""")
_BARE = re.compile(r"(?<![\w.:/])(?:[A-Za-z]:[\\/]|[\\/~])(?:[^\s\"':\\/]+[\\/])+([^\s\"':\\/]+)")


def plain_tip(text: str) -> str:
    """``text`` for a tooltip, which would take a name with a tag in it for HTML."""
    if "<" not in text:
        return text
    return "<qt>" + html.escape(text, quote=False).replace("\n", "<br>") + "</qt>"


def clock(seconds: float) -> str:
    """Minutes, seconds and tenths: ``0:03.2``."""
    tenths = round(max(0.0, seconds) * 10)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def short(seconds: float) -> str:
    """Seconds with one decimal below a minute, else minutes and seconds."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s"


def gigabytes(size: int) -> str:
    """A memory size: ``9.6 GB``, or megabytes below a tenth of that."""
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def sentence(text: str) -> str:
    """``text`` with a capital at the start and a full stop at the end.

    A first word that is no plain word, such as a file's name, stays as it is.
    """
    text = text.strip()
    if not text:
        return ""
    first = text.split()[0].rstrip(",;:")
    start = text[0].upper() if first.isalpha() and first.islower() else text[0]
    end = "" if text.endswith((".", "!", "?", "…", "。", "！", "？")) else "."
    return start + text[1:] + end


def scrub(text: str) -> str:
    """``text`` without the user's and the machine's name, and with paths cut to file names."""
    text = _QUOTED.sub(r"\1…/\2\1", text)
    text = _BARE.sub(r"…/\1", text)
    for private, shown in ((_user(), "<user>"), (platform.node(), "<host>")):
        if len(private) > 1:
            text = re.sub(rf"(?<!\w){re.escape(private)}(?!\w)", shown, text, flags=re.IGNORECASE)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
