"""Runs first in the built program: torch looks for its own sources and says that they are absent.

It wants them for its script compiler, which is not used here.
"""


def _be_quiet() -> None:
    import warnings

    warnings.filterwarnings("ignore", message="Unable to retrieve source for @torch")


_be_quiet()
