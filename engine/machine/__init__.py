"""The machine: devices, memory and threads. torch is loaded with the first name that needs it."""

from typing import TYPE_CHECKING

from engine import lazy_names
from engine.machine.garbage import settle, spare_start
from engine.machine.populate import read_ahead
from engine.machine.threads import default_threads, sleep_when_idle

if TYPE_CHECKING:
    from engine.machine.devices import Backend, list_backends, probe
else:
    __getattr__ = lazy_names(
        __name__, {"engine.machine.devices": ("Backend", "list_backends", "probe")}
    )
