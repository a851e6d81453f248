"""Text-to-speech engine for Fish Audio S2 Pro: dual-AR model and neural codec from one GGUF file.

Importing this package is cheap: the names that need torch are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
