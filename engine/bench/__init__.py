"""Measurements: of a model on this machine, and of the machine for all models."""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.bench.advice import (
        MachineSpeed,
        measure_speed,
        recommended,
        remember_speed,
        remembered_speed,
    )
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.bench.advice": (
                "MachineSpeed",
                "measure_speed",
                "recommended",
                "remember_speed",
                "remembered_speed",
            )
        },
    )
