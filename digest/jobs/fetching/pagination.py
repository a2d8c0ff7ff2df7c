"""The state of an answer of several pages: what they contained so far, and whether they end."""

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
"""Maximum number of pages of an answer; a route with a cursor continues the next time.

All papers of arXiv take a thousand pages.
"""


@dataclass(frozen=True, slots=True)
class PageRows:
    """The rows of a page, to detect that it repeats the previous page.

    Attributes:
        day: the requested day; answers for different days may be equal.
        rows: for a listing its day, kind, paper key and version; for a record None, "", paper key and
            version.
    """

    day: date | None = None
    rows: frozenset[tuple[date | None, str, PaperKey, int]] = frozenset()

    @classmethod
    def from_page(cls, request: Request, page: Page) -> PageRows:
        """Collect the rows of a page."""
        listed = [
            (announced_day.day, listing.kind.value, listing.paper.key, listing.paper.version)
            for announced_day in page.announced
            for listing in announced_day.listings
        ]
        records = [(None, "", paper.key, paper.version) for paper in page.records]
        return cls(request.day, frozenset((*listed, *records)))

    def is_repeat_of(self, previous: PageRows) -> bool:
        """Whether there are rows, and all of them were on the previous page.

        A host that ignores the cursor returns its first page each time, and not always byte for byte. Only
        the previous page is compared, because a harvest has millions of rows.
        """
        return bool(self.rows) and self.day == previous.day and self.rows <= previous.rows


@dataclass(slots=True)
class Pagination:
    """The state of an answer of several pages.

    Attributes:
        ask: what is requested.
        days: for each day the number of listings so far, and its content on the last page.
        covered_days: the days that the answer is about, including those without a batch.
        listed_by_day: the listings of each day so far.
        repeated_in: for each day, the following days that hold listings of it, as far as the pages show.
        saved: the number of stored rows; ``received`` counts those in the answer.
        unread: a sentence for each entry that could not be read.
        error: what went wrong; "" if nothing did.
        is_unreachable: there was no answer that could be read or rejected: the route itself fails.
        is_unchanged: nothing changed, according to the host.
        next_request: the request for the next page; None if there is none.
        page_count: the number of pages so far.
        last_rows: the rows of the last page.
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
        """Return an error if a page repeats the previous one or exceeds the maximum number of pages; "" if not."""
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
