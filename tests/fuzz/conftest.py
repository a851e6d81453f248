"""Test kits of the engine are used here too."""

from __future__ import annotations

import os
import sys

# No test here looks at a window; without a display Qt would end the process.
if sys.platform == "linux":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
