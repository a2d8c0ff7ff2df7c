"""Addresses of days and papers: filters, order, page and language are part of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from urllib.parse import quote

from digest.core.matching.search.filters import SimilarOrder
from digest.core.publishing.address_parts import (
    PATH_CHARACTERS,
    AddressError,
    join_address,
    parse_choice,
    parse_language,
    parse_page_number,
    parse_parameters,
)

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MAX_CATEGORY_LENGTH = 100
MAX_KEY_LENGTH = 1_000
"""Maximum length of a paper's key in an address, in characters; some keys are web addresses."""


class Tab(StrEnum):
    """The groups of a day's papers."""

    NEW = "new"
    """New papers, and papers that a community picked."""
    PICKED = "picked"
    TRENDING = "trending"
    """Papers of the last weeks that gained votes."""
    VERSIONS = "versions"
    UPDATES = "updates"
    """Papers that were published, got code, or were announced with more details."""


class Order(StrEnum):
    """The orders of a day's papers."""

    LISTING = "listing"
    VOTES = "votes"
    COMMENTS = "comments"
    CITATIONS = "citations"


class CitationFormat(StrEnum):
    """The formats of a citation."""

    BIBTEX = "bibtex"
    RIS = "ris"
    CSL = "csl"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAddress:
    """The address of a page with papers of a day.

    Attributes:
        category: only papers of this category or archive; "" for all.
        has_code: only papers whose code is known.
        page: the number of the page, from 1.
        language: the language of the page; "" for the site's.
    """

    day: date
    tab: Tab = Tab.NEW
    category: str = ""
    has_code: bool = False
    order: Order = Order.LISTING
    page: int = 1
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperAddress:
    """The address of a paper.

    Attributes:
        key: the key of the paper.
        citation: the format of its citation, if it is the address of that; None for the page.
        similar_order: the order of similar papers on the page.
        language: the language of the page; "" for the site's.
    """

    key: str
    citation: CitationFormat | None = None
    similar_order: SimilarOrder = SimilarOrder.NEARNESS
    language: str = ""


# --- formatting -----------------------------------------------------------------------------------


def format_day_address(address: DayAddress) -> str:
    """Return the canonical address of a page of a day, below that of the site."""
    parameters = {
        "tab": "" if address.tab is Tab.NEW else address.tab.value,
        "category": address.category,
        "has": "code" if address.has_code else "",
        "order": "" if address.order is Order.LISTING else address.order.value,
        "page": str(address.page) if address.page > 1 else "",
        "lang": address.language,
    }
    return join_address(f"/papers/{address.day.isoformat()}", parameters)


def format_paper_address(address: PaperAddress) -> str:
    """Return the canonical address of a paper, below that of the site."""
    parameters = {
        "format": address.citation.value if address.citation else "",
        "similar": "" if address.similar_order is SimilarOrder.NEARNESS else address.similar_order.value,
        "lang": address.language,
    }
    return join_address(f"/paper/{quote(address.key, safe=PATH_CHARACTERS)}", parameters)


def format_page_address(path: str, language: str = "") -> str:
    """Return the canonical address of a page that has only a language, below that of the site."""
    return join_address(path, {"lang": language})


# --- parsing --------------------------------------------------------------------------------------


def is_filter_name(name: str) -> bool:
    """Return whether addresses can contain a category or source; what sources call a category can be anything."""
    return 0 < len(name) <= MAX_CATEGORY_LENGTH and name.isprintable() and name == name.strip()


def parse_day_address(day: str, query: str) -> DayAddress:
    """Parse the address of a page of a day.

    Args:
        day: the day as its path has it.
        query: the query, percent-encoded.

    Raises:
        AddressError: there is no such day in the calendar, or a parameter has no meaning.
    """
    parameters = parse_parameters(query, {"tab", "category", "has", "order", "page", "lang"})
    category = parameters.get("category", "")
    if category and not is_filter_name(category):
        raise AddressError("not a category")
    if parameters.get("has", "code") != "code":
        raise AddressError("not a filter")
    return DayAddress(
        day=parse_day(day),
        tab=parse_choice(Tab, parameters.get("tab", Tab.NEW)),
        category=category,
        has_code="has" in parameters,
        order=parse_choice(Order, parameters.get("order", Order.LISTING)),
        page=parse_page_number(parameters.get("page", "1")),
        language=parse_language(parameters),
    )


def parse_paper_address(key: str, query: str) -> PaperAddress:
    """Parse the address of a paper.

    Args:
        key: the rest of the path, decoded.
        query: the query, percent-encoded.

    Raises:
        AddressError: the key cannot be one, or a parameter has no meaning.
    """
    parameters = parse_parameters(query, {"format", "similar", "lang"})
    if not 0 < len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        raise AddressError("not a key")
    citation = parse_choice(CitationFormat, parameters["format"]) if "format" in parameters else None
    return PaperAddress(
        key=key,
        citation=citation,
        similar_order=parse_choice(SimilarOrder, parameters.get("similar", SimilarOrder.NEARNESS)),
        language=parse_language(parameters),
    )


def parse_page_language(query: str) -> str:
    """Return the language in a query; "" for none.

    Raises:
        AddressError: it is not the name of a language.
    """
    return parse_language(parse_parameters(query, {"lang"}))


def parse_day(text: str) -> date:
    """Parse a day, ``2026-06-12``.

    Raises:
        AddressError: there is no such day in the calendar.
    """
    if not _DAY.fullmatch(text):
        raise AddressError("not a day")
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise AddressError("not a day") from error
