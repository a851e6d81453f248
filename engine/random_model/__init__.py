"""Models with random weights: for tests, timing and a first run without a download."""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.random_model.model import make_golden_model, make_random_model, make_tokenizer
else:
    __getattr__ = lazy_names(
        __name__,
        {"engine.random_model.model": ("make_golden_model", "make_random_model", "make_tokenizer")},
    )
