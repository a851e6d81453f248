"""``python -m engine`` is the command line."""

import sys

from engine.cli import main

sys.exit(main())
