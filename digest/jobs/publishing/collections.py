"""Papers of a category, an institution or a topic for its public page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, pairwise

from digest.core.language.query import Query
from digest.core.matching.search.document_numbers import get_first_document
from digest.core.matching.search.filters import SearchOrder
from digest.core.names.fitting import fold_name
from digest.core.publishing.collection import Collection, Contributor, PeriodCount
from digest.core.publishing.coverage import Coverage
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import search_papers
from digest.jobs.matching.search.window import DocumentRange, SearchIndex
from digest.jobs.publishing.listed_papers import load_coverage, load_listed_papers
from digest.store.database.engine import Store, Transaction
from digest.store.matching.indexed_papers import count_indexed_papers
from digest.store.papers import authorships, papers
from digest.store.papers.authorships import BylineRecord

_PAGE_SIZE = 25
_PERIODS = 12
"""Number of weeks or months that are counted."""
_MAX_COUNTED = 20_000
"""Maximum number of documents that are counted in a period."""
_RECENT_PAPERS = 300
"""Number of the newest papers whose authors are counted."""
_MAX_AUTHORS, _MAX_CONTRIBUTORS = 30, 15
_MIN_CONTRIBUTIONS = 2


def load_collection(store: Store, query_text: str, cursor: str, today: date) -> Collection:
    """Load the papers that a query finds, newest first.

    Args:
        store: the store.
        query_text: the query.
        cursor: where the page begins; "" for the first one.
        today: the day, UTC.

    Raises:
        CursorError: the cursor is invalid, or belongs to another query.
    """
    page = search_papers(
        store, SearchRequest(text=query_text, order=SearchOrder.DATE, limit=_PAGE_SIZE, cursor=cursor)
    )
    coverage = load_coverage(store)
    with store.begin_read() as tx:
        index = SearchIndex(tx)
        weeks = tuple(_count_periods(tx, index, page.query, _list_weeks(coverage, today)))
        months = () if weeks else tuple(_count_periods(tx, index, page.query, _list_months(coverage)))
        contributors = _find_contributors(tx, index, page.query)
    return Collection(
        query=query_text,
        total=page.total,
        papers=load_listed_papers(store, page.results),
        next_cursor=page.next_cursor,
        is_cut=page.is_cut,
        weeks=weeks,
        months=months,
        contributors=contributors,
        coverage=coverage,
    )


# --- papers a week --------------------------------------------------------------------------------


def _list_weeks(coverage: Coverage, today: date) -> list[date]:
    """List the Mondays of the last whole weeks whose announcements are all known, and the one after them."""
    if coverage.complete_since is None:
        return []
    this_monday = today - timedelta(today.weekday())
    mondays = [this_monday - timedelta(weeks=number) for number in range(_PERIODS, -1, -1)]
    return [monday for monday in mondays if monday >= coverage.complete_since]


def _list_months(coverage: Coverage) -> list[date]:
    """List the first days of the last whole months that were imported, and the one after them."""
    first, last = coverage.imported_from, coverage.imported_until
    if first is None or last is None:
        return []
    days = [last.replace(day=1)]
    while len(days) <= _PERIODS and days[-1] > first:
        days.append((days[-1] - timedelta(days=1)).replace(day=1))
    return days[::-1]


def _count_periods(
    tx: Transaction, index: SearchIndex, query: Query, days: Sequence[date]
) -> Iterator[PeriodCount]:
    """Count the candidates in each period between two days."""
    possible = index.builder.build(query).possible if len(days) > 1 else None
    for first, behind in pairwise(days):
        assert possible is not None
        numbers = DocumentRange(get_first_document(first), get_first_document(behind))
        documents = index.find_newest(possible, numbers, _MAX_COUNTED)
        yield PeriodCount(first, count_indexed_papers(tx, documents))


# --- people ---------------------------------------------------------------------------------------


def _find_contributors(tx: Transaction, index: SearchIndex, query: Query) -> tuple[Contributor, ...]:
    """Find the names that sign most of the newest papers."""
    possible = index.builder.build(query).possible
    indexed_papers = index.iter_newest(possible, DocumentRange(), _RECENT_PAPERS)
    newest = [indexed.paper for indexed in islice(indexed_papers, _RECENT_PAPERS)]
    bylines = authorships.load_first_bylines(tx, newest, _MAX_AUTHORS)
    counts: Counter[str] = Counter()
    last_bylines: dict[str, BylineRecord] = {}
    for number in newest:
        named = {
            fold_name(byline.name): byline for byline in bylines.get(number, ()) if fold_name(byline.name)
        }
        counts.update(named.keys())
        for key, byline in named.items():
            last_bylines.setdefault(key, byline)
    ranked = sorted(counts, key=lambda key: (-counts[key], key))[:_MAX_CONTRIBUTORS]
    chosen = [last_bylines[key] for key in ranked if counts[key] >= _MIN_CONTRIBUTIONS]
    keys = papers.load_keys(tx, [byline.place[0] for byline in chosen])
    return tuple(
        Contributor(byline.name, keys[byline.place[0]], byline.place[1], counts[fold_name(byline.name)])
        for byline in chosen
    )
