"""What papers have in common: a category, an institution or a topic, as its public page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from digest.core.matching.search.totals import Total
from digest.core.publishing.coverage import Coverage
from digest.core.publishing.listed_paper import ListedPaper
from digest.model import PaperKey


class Contributor(NamedTuple):
    """A name with which somebody signs papers of a collection; several people can share it.

    Attributes:
        key: the newest of these papers; ``position`` is the place among its authors, from 0.
        papers: the number of papers.
    """

    name: str
    key: PaperKey
    position: int
    papers: int


class PeriodCount(NamedTuple):
    """The number of papers in a week or month."""

    first_day: date
    papers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Papers with something in common.

    Attributes:
        query: the query that finds them.
        total: how many there are.
        papers: the papers of the page, newest first.
        next_cursor: where the next page begins; "" if there is none.
        is_cut: whether there are more papers but no further page.
        weeks: the number of papers by week, oldest first; empty if no announcements are known.
        months: likewise by month, of what was imported, if no weeks are known.
        contributors: who signs most of the newest papers.
        coverage: what the database knows.
    """

    query: str
    total: Total
    papers: tuple[ListedPaper, ...]
    next_cursor: str
    is_cut: bool
    weeks: tuple[PeriodCount, ...]
    months: tuple[PeriodCount, ...]
    contributors: tuple[Contributor, ...]
    coverage: Coverage
