"""Entry of the built window program."""

import multiprocessing
import sys

multiprocessing.freeze_support()

from app.__main__ import main  # noqa: E402

sys.exit(main())
