"""The address of a search."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from digest.core.matching.search.filters import SearchFilters, SearchOrder
from digest.core.publishing.address_parts import (
    AddressError,
    join_address,
    parse_choice,
    parse_language,
    parse_parameters,
)
from digest.core.publishing.addresses import is_filter_name

SEARCH_PATH = "/search"
_MAX_ADDRESS_LENGTH, _MAX_TEXT_LENGTH, _MAX_CURSOR_LENGTH = 8_000, 2_000, 1_000
_YEAR = re.compile(r"[12]\d{3}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAddress:
    """The address of a page of results.

    Attributes:
        text: the query as typed; "" for the page without results.
        filters: the conditions besides the query.
        order: the order of results.
        cursor: where the page begins; "" for the first page.
        language: the language of the page; "" for the site's.
    """

    text: str = ""
    filters: SearchFilters = field(default_factory=SearchFilters)
    order: SearchOrder = SearchOrder.RELEVANCE
    cursor: str = ""
    language: str = ""


def format_search_address(address: SearchAddress) -> str:
    """Return the canonical address of a search, below that of the site."""
    filters = address.filters
    parameters = {
        "q": address.text,
        "category": filters.category,
        "source": filters.source,
        "year": str(filters.year) if filters.year else "",
        "has": "code" if filters.has_code else "",
        "order": "" if address.order is SearchOrder.RELEVANCE else address.order.value,
        "cursor": address.cursor,
        "lang": address.language,
    }
    return join_address(SEARCH_PATH, parameters)


def parse_search_address(query: str) -> SearchAddress:
    """Parse the address of a search; whether its text is a query is not examined.

    Args:
        query: the query of the address, percent-encoded.

    Raises:
        AddressError: a parameter has no meaning.
    """
    names = {"q", "category", "source", "year", "has", "order", "cursor", "lang"}
    parameters = parse_parameters(query, names, _MAX_ADDRESS_LENGTH)
    year = parameters.get("year", "")
    if parameters.get("has", "code") not in {"code", ""} or (year and not _YEAR.fullmatch(year)):
        raise AddressError("not a filter")
    return SearchAddress(
        text=_check_length(" ".join(parameters.get("q", "").split()), _MAX_TEXT_LENGTH),
        filters=SearchFilters(
            category=_check_name(parameters.get("category", "")),
            source=_check_name(parameters.get("source", "")),
            year=int(year) if year else None,
            has_code=bool(parameters.get("has")),
        ),
        order=parse_choice(SearchOrder, parameters.get("order") or SearchOrder.RELEVANCE),
        cursor=_check_length(parameters.get("cursor", ""), _MAX_CURSOR_LENGTH),
        language=parse_language(parameters),
    )


def _check_name(text: str) -> str:
    if text and not is_filter_name(text):
        raise AddressError("not a name")
    return text


def _check_length(text: str, max_length: int) -> str:
    if len(text) > max_length:
        raise AddressError("too long")
    return text
