"""The pages of one answer: what they have brought so far, and whether they end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from digest.core.fetching.repeated_days import ShownListing
from digest.model import Ask, PaperKey
from digest.ports import AnnouncedDay, Page, Request
from digest.store.fetching.listings import SaveResult

MAX_PAGES = 5_000
"""All of arXiv is a thousand; what goes on from its cursor has the rest the next time."""


@dataclass(frozen=True, slots=True)
class PageRows:
    """What a page has, as far as it tells whether the page before it came once more.

    Attributes:
        day: that was asked for; the answer for another day may be the same.
        rows: day, kind, key and version of each listing; of a record None, "", key and version.
    """

    day: date | None = None
    rows: frozenset[tuple[date | None, str, PaperKey, int]] = frozenset()

    @classmethod
    def from_page(cls, request: Request, page: Page) -> PageRows:
        """The rows of an answer."""
        listed = [
            (announced_day.day, listing.kind.value, listing.paper.key, listing.paper.version)
            for announced_day in page.announced
            for listing in announced_day.listings
        ]
        records = [(None, "", paper.key, paper.version) for paper in page.records]
        return cls(request.day, frozenset((*listed, *records)))

    def is_repeat_of(self, previous: PageRows) -> bool:
        """Whether all rows, and there are some, were on the page before.

        A host that ignores the cursor answers each request with its first page, and not always byte for byte. Only
        the page before is compared: a harvest has millions of rows.
        """
        return bool(self.rows) and self.day == previous.day and self.rows <= previous.rows


@dataclass(slots=True)
class Pagination:
    """What the pages of one answer have brought so far.

    Attributes:
        ask: what was asked.
        days: how many listings of each day there were, and what the last page said of it.
        covered_days: the days that it was about, also those of which there can be nothing.
        listed_by_day: what the pages so far list of each day.
        repeated_in: for each day, the following days that hold listings of it, as the pages so far show.
        saved: what came of them; ``received`` counts those that the answer had.
        unread: what could not be read.
        error: what went wrong; "" if nothing did.
        is_unreachable: no answer came that could be read or refused: the route itself fails.
        is_unchanged: the host says that nothing changed.
        next_request: the request for the next page; None when there is none.
        page_count: how many answers there were.
        last_rows: the rows of the last one.
    """

    ask: Ask
    days: dict[date, tuple[int, AnnouncedDay]] = field(default_factory=dict)
    covered_days: dict[date, None] = field(default_factory=dict)
    listed_by_day: dict[date, set[ShownListing]] = field(default_factory=partial(defaultdict, set))
    repeated_in: dict[date, set[date]] = field(default_factory=partial(defaultdict, set))
    saved: SaveResult = field(default_factory=partial(SaveResult, received=0, added=0, events=0))
    unread: tuple[str, ...] = ()
    error: str = ""
    is_unreachable: bool = False
    is_unchanged: bool = False
    next_request: Request | None = None
    page_count: int = 0
    last_rows: PageRows = field(default_factory=PageRows)

    def describe_endless_series(self, request: Request, page: Page) -> str:
        """Whether a page is the last one again, or one too many, in words; "" if not."""
        rows = PageRows.from_page(request, page)
        is_repeated = rows.is_repeat_of(self.last_rows)
        self.page_count, self.last_rows = self.page_count + 1, rows
        if page.next is None:
            return ""
        if is_repeated:
            return "it returns the same page again and again instead of the next one"
        return (
            f"it returned {self.page_count} pages and says that there are more"
            if self.page_count > MAX_PAGES
            else ""
        )
