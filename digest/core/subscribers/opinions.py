"""What a reader thinks of papers, and what that makes of the follows that brought them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

MAX_WEIGHT_FACTOR, MIN_WEIGHT_FACTOR = 2.0, 0.5
"""What a follow counts at most and at least, as a part of the weight that its reader gave it."""
_STEP_FACTORS = {True: 1.1, False: 0.9}


class Opinion(StrEnum):
    """What a reader says of a paper."""

    MORE = "more"
    """More like this."""
    LESS = "less"
    SAVED = "saved"
    """To be found again; it says nothing of others."""


RATINGS = (Opinion.MORE, Opinion.LESS)
"""Of these a paper has one at the most."""


def compute_weight_factor(ratings: Iterable[Opinion]) -> float:
    """How much a follow counts, as a part of its weight, after what was said of the papers that it brought.

    It is worked out anew from all of them. So what is taken back leaves no trace, and what was said when a follow
    counted as much as it can is not saved up: the next word to the contrary is felt at once.

    Args:
        ratings: ``MORE`` and ``LESS``, in the order in which they were said.
    """
    factor = 1.0
    for rating in ratings:
        factor = min(
            MAX_WEIGHT_FACTOR, max(MIN_WEIGHT_FACTOR, factor * _STEP_FACTORS[rating is Opinion.MORE])
        )
    return round(factor, 4)
