"""What is searched for: a query with filters, in an order, from a position on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from digest.core.language.parser import ParsedQuery, parse, parse_with_hints, reject_unstorable
from digest.core.language.query import And, Query, format_category, format_fact
from digest.core.matching.search.filters import SearchFilters, SearchOrder
from digest.jobs.matching.search.window import DocumentRange, get_year_range

MAX_PAGE_SIZE = 100
"""Maximum number of results on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What is searched for.

    Attributes:
        text: the query as typed.
        limit: maximum number of results on the page, from 1 to 100.
        cursor: the position after which the page begins: ``SearchPage.next_cursor`` of the page before; "" for
            the first page.
    """

    text: str
    filters: SearchFilters = field(default_factory=SearchFilters)
    order: SearchOrder = SearchOrder.RELEVANCE
    limit: int = 20
    cursor: str = ""


class ParsedSearch(NamedTuple):
    """A parsed request.

    Attributes:
        reading: the parsed query as typed.
        query: the query with the filters.
        numbers: the range of the documents in question.
    """

    reading: ParsedQuery
    query: Query
    numbers: DocumentRange


def parse_search(text: str, filters: SearchFilters) -> ParsedSearch:
    """Parse a query and its filters.

    Raises:
        QueryError: the query or a filter cannot be parsed.
    """
    filter_texts = [
        *([format_category(filters.category)] if filters.category else []),
        *([format_fact("source", filters.source)] if filters.source else []),
        *(["has:code"] if filters.has_code else []),
    ]
    for unchecked_text in (text, *filter_texts):
        reject_unstorable(unchecked_text)
    reading = parse_with_hints(text)
    parts = reading.query.queries if isinstance(reading.query, And) else (reading.query,)
    return ParsedSearch(
        reading=reading,
        query=And(queries=(*parts, *map(parse, filter_texts))) if filter_texts else reading.query,
        numbers=DocumentRange() if filters.year is None else get_year_range(filters.year),
    )
