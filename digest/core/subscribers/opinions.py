"""Readers' opinions of papers, and their effect on the follows that matched these."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

MAX_WEIGHT_FACTOR, MIN_WEIGHT_FACTOR = 2.0, 0.5
"""Maximum factor for the weight that a reader gave a follow; likewise the minimum."""
_STEP_FACTORS = {True: 1.1, False: 0.9}


class Opinion(StrEnum):
    """What a reader says about a paper."""

    MORE = "more"
    """The reader wants more papers like this."""
    LESS = "less"
    SAVED = "saved"
    """The reader wants to find it again; this says nothing about other papers."""


RATINGS = (Opinion.MORE, Opinion.LESS)
"""Opinions that exclude each other."""


def compute_weight_factor(ratings: Iterable[Opinion]) -> float:
    """Return the factor for a follow's weight, from the ratings of the papers that it matched.

    It is computed from all ratings each time, so a rating that is taken back leaves no trace. Because the
    factor is limited after each rating, surplus ratings do not accumulate, and a contrary one has an
    immediate effect.

    Args:
        ratings: ``MORE`` and ``LESS``, in the order in which they were given.
    """
    factor = 1.0
    for rating in ratings:
        factor = min(
            MAX_WEIGHT_FACTOR, max(MIN_WEIGHT_FACTOR, factor * _STEP_FACTORS[rating is Opinion.MORE])
        )
    return round(factor, 4)
