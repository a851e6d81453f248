"""Entry of the built command line program."""

import multiprocessing
import sys

multiprocessing.freeze_support()

from app.welcome.first_run import give_streams  # noqa: E402
from engine.bench import load  # noqa: E402
from engine.cli import main  # noqa: E402

give_streams()
if sys.argv[1:2] == [load.CHILD_FLAG]:
    load.main(sys.argv[2:])
    sys.exit(0)
sys.exit(main())
