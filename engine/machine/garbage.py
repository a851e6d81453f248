"""Python's search for garbage in cycles, kept out of the way of a program's start and its sound.

Modules and a model are hundreds of thousands of objects, none of them garbage before the end.
A program of ours looks at them rarely while it starts, and never again once a model is loaded.
"""

from __future__ import annotations

import gc

_WHILE_STARTING = (50_000, 20, 100)
_AFTERWARDS = (2_000, 10, 10)


def spare_start() -> None:
    """Collect rarely until :func:`settle`; for the beginning of a program of ours."""
    gc.set_threshold(*_WHILE_STARTING)


def settle() -> None:
    """Leave what is there out of all later searches, in a program that began with
    :func:`spare_start`; others decide for themselves."""
    if gc.get_threshold() == _WHILE_STARTING:
        gc.freeze()
        gc.set_threshold(*_AFTERWARDS)
