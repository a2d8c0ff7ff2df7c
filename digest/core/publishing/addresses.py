"""Addresses of the public pages: filters, order, page and language are part of them.

Each address has one canonical text. Parsing accepts every order of the parameters, and ignores parameters that
are not ours, such as those that mail programs and social networks append.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from digest.core.papers.identity.person_ids import parse_person_reference

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_PAGE_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8}){0,2}", re.ASCII)
_MAX_QUERY_LENGTH, _MAX_PARAMETERS = 1_000, 32
_POSITION = re.compile(r"[1-9]\d{0,5}", re.ASCII)
MAX_CATEGORY_LENGTH = 100
MAX_NAME_LENGTH = 200
MAX_KEY_LENGTH = 1_000
"""Maximum length of a paper's key in an address, in characters; some keys are web addresses."""
_PATH_CHARACTERS = ":/@!$&'()*+,;=-._~"
"""Characters that stay as they are in a path (RFC 3986, section 3.3)."""

_Choice = TypeVar("_Choice", bound=StrEnum)


class AddressError(ValueError):
    """An address that means nothing."""


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
        language: the language of the page; "" for the site's.
    """

    key: str
    citation: CitationFormat | None = None
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAddress:
    """The address of a person.

    Attributes:
        reference: a byline of the person, ``arxiv:2401.00001#3``, or an ID of theirs with its scheme.
        page: the number of the page of their papers, from 1.
        language: the language of the page; "" for the site's.
    """

    reference: str
    page: int = 1
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameAddress:
    """The address of the page that lists the persons with a name.

    Attributes:
        language: the language of the page; "" for the site's.
    """

    name: str
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
    return _join_address(f"/papers/{address.day.isoformat()}", parameters)


def format_paper_address(address: PaperAddress) -> str:
    """Return the canonical address of a paper, below that of the site."""
    parameters = {
        "format": address.citation.value if address.citation else "",
        "lang": address.language,
    }
    return _join_address(f"/paper/{quote(address.key, safe=_PATH_CHARACTERS)}", parameters)


def format_person_address(address: PersonAddress) -> str:
    """Return the canonical address of a person, below that of the site.

    A byline has a slash in place of the number sign, behind which browsers send nothing.
    """
    parameters = {"page": str(address.page) if address.page > 1 else "", "lang": address.language}
    path = quote(address.reference.replace("#", "/"), safe=_PATH_CHARACTERS)
    return _join_address(f"/person/{path}", parameters)


def format_name_address(address: NameAddress) -> str:
    """Return the canonical address of the page that lists the persons with a name, below that of the site."""
    return _join_address("/people", {"name": address.name, "lang": address.language})


def format_page_address(path: str, language: str = "") -> str:
    """Return the canonical address of a page that has only a language, below that of the site."""
    return _join_address(path, {"lang": language})


def _join_address(path: str, parameters: Mapping[str, str]) -> str:
    query = urlencode({name: value for name, value in parameters.items() if value}, safe="./:")
    return f"{path}?{query}" if query else path


# --- parsing --------------------------------------------------------------------------------------


def parse_day_address(day: str, query: str) -> DayAddress:
    """Parse the address of a page of a day.

    Args:
        day: the day as its path has it.
        query: the query, percent-encoded.

    Raises:
        AddressError: there is no such day in the calendar, or a parameter has no meaning.
    """
    parameters = _parse_parameters(query, {"tab", "category", "has", "order", "page", "lang"})
    category = parameters.get("category", "")
    if len(category) > MAX_CATEGORY_LENGTH or not category.isprintable() or category != category.strip():
        raise AddressError("not a category")
    if parameters.get("has", "code") != "code":
        raise AddressError("not a filter")
    return DayAddress(
        day=parse_day(day),
        tab=_parse_choice(Tab, parameters.get("tab", Tab.NEW)),
        category=category,
        has_code="has" in parameters,
        order=_parse_choice(Order, parameters.get("order", Order.LISTING)),
        page=_parse_page_number(parameters.get("page", "1")),
        language=_parse_language(parameters),
    )


def parse_paper_address(key: str, query: str) -> PaperAddress:
    """Parse the address of a paper.

    Args:
        key: the rest of the path, decoded.
        query: the query, percent-encoded.

    Raises:
        AddressError: the key cannot be one, or a parameter has no meaning.
    """
    parameters = _parse_parameters(query, {"format", "lang"})
    if not 0 < len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        raise AddressError("not a key")
    citation = _parse_choice(CitationFormat, parameters["format"]) if "format" in parameters else None
    return PaperAddress(key=key, citation=citation, language=_parse_language(parameters))


def parse_person_address(path: str, query: str) -> PersonAddress:
    """Parse the address of a person.

    Args:
        path: the rest of the path, decoded: the paper and the position among its authors, or an ID of the person.
        query: the query, percent-encoded.

    Raises:
        AddressError: the path cannot name a person, or a parameter has no meaning.
    """
    parameters = _parse_parameters(query, {"page", "lang"})
    if not 0 < len(path) <= MAX_KEY_LENGTH or not path.isprintable():
        raise AddressError("not a person")
    paper, _, position = path.rpartition("/")
    is_byline = paper and _POSITION.fullmatch(position) and parse_person_reference(path) is None
    return PersonAddress(
        reference=f"{paper}#{position}" if is_byline else path,
        page=_parse_page_number(parameters.get("page", "1")),
        language=_parse_language(parameters),
    )


def parse_name_address(query: str) -> NameAddress:
    """Parse the address of the page that lists the persons with a name.

    Args:
        query: the query, percent-encoded.

    Raises:
        AddressError: there is no name, or a parameter has no meaning.
    """
    parameters = _parse_parameters(query, {"name", "lang"})
    name = " ".join(parameters.get("name", "").split())
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise AddressError("not a name")
    return NameAddress(name=name, language=_parse_language(parameters))


def parse_page_language(query: str) -> str:
    """Return the language in a query; "" for none.

    Raises:
        AddressError: it is not the name of a language.
    """
    return _parse_language(_parse_parameters(query, {"lang"}))


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


def _parse_parameters(query: str, names: set[str]) -> dict[str, str]:
    """Return the parameters of a query that have one of some names; a repeated one has no meaning."""
    if len(query) > _MAX_QUERY_LENGTH:
        raise AddressError("too long")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=_MAX_PARAMETERS)
    except ValueError as error:
        raise AddressError("not a query") from error
    known_pairs = [(name, value) for name, value in pairs if name in names]
    parameters = dict(known_pairs)
    if len(parameters) != len(known_pairs):
        raise AddressError("repeated")
    return parameters


def _parse_choice(kind: type[_Choice], text: str) -> _Choice:
    try:
        return kind(text)
    except ValueError as error:
        raise AddressError("no such choice") from error


def _parse_page_number(text: str) -> int:
    if not _PAGE_NUMBER.fullmatch(text):
        raise AddressError("not a page number")
    return int(text)


def _parse_language(parameters: Mapping[str, str]) -> str:
    language = parameters.get("lang", "")
    if language and not _LANGUAGE.fullmatch(language):
        raise AddressError("not a language")
    return language
