"""GGUF model files: container, storage types, and weights as torch modules (spec 01)."""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.gguf.inspect import MemoryNeeds, memory_needs
    from engine.gguf.reader import GGUFFile
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.gguf.inspect": ("MemoryNeeds", "memory_needs"),
            "engine.gguf.reader": ("GGUFFile",),
        },
    )
