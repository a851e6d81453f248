"""One synthesis: from a request to events, with the codec beside the language model (spec 06)."""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.synthesis.findings import request_warnings
    from engine.synthesis.joining import SegmentJoiner
    from engine.synthesis.metrics import one_reading
    from engine.synthesis.pace import Pace, rough
    from engine.synthesis.protocols import EngineLike
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.synthesis.findings": ("request_warnings",),
            "engine.synthesis.joining": ("SegmentJoiner",),
            "engine.synthesis.metrics": ("one_reading",),
            "engine.synthesis.pace": ("Pace", "rough"),
            "engine.synthesis.protocols": ("EngineLike",),
        },
    )
