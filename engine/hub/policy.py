"""How patient a download is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """Times in seconds, sizes in bytes.

    Attributes:
        connect_s: for a connection and its encryption.
        stall_s: a server that sends nothing for that long is given up and asked again.
        tries: failures in a row, none of which brought a new byte, before giving up.
        first_wait_s: before the second try; doubles with each failure.
        longest_wait_s: where the doubling ends.
        longest_ask_s: a ``Retry-After`` above this is not waited for but told.
        mark_bytes: what a kill or a power cut costs at most.
    """

    connect_s: float = 15.0
    stall_s: float = 30.0
    tries: int = 6
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    longest_ask_s: float = 900.0
    mark_bytes: int = 32 << 20

    def wait_s(self, failures: int) -> float:
        """How long to wait after ``failures`` of them in a row."""
        result: float = min(self.longest_wait_s, self.first_wait_s * 2 ** max(0, failures - 1))
        return result
