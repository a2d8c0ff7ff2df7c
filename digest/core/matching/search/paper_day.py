"""The day of a paper, by which search orders papers."""

from __future__ import annotations

from datetime import date, timedelta

from digest.core.papers.identity.ids import get_arxiv_month
from digest.core.papers.identity.same_paper import Claim, list_claims
from digest.model import Paper, PaperKey

_MAX_DELAY = timedelta(days=62)
"""Longest time from the first day of the month of an arXiv ID to the announcement; moderators hold some papers for weeks."""


def estimate_day(paper: Paper, announced: date | None) -> date | None:
    """Return the day of a paper: when it was announced, as far as is known.

    A paper that a source announces long after the month of its arXiv ID, because somebody picked it or because
    it was imported, has the first day of that month. So has a paper that no source announced here.

    Args:
        paper: the merged paper.
        announced: the day of its first event or listing; None if there is none.

    Returns:
        The day; None if nothing tells it.
    """
    month = next(filter(None, map(_find_month, list_claims(paper))), None)
    if month is None:
        return announced
    first_day = date(*month, 1)
    return announced if announced and announced <= first_day + _MAX_DELAY else first_day


def _find_month(claim: Claim) -> tuple[int, int] | None:
    return get_arxiv_month(PaperKey(f"arxiv:{claim.value}")) if claim.scheme == "arxiv" else None
