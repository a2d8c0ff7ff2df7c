"""Parts of the addresses of public pages: parameters in one order, and the checks that all of them share.

Each address has one canonical text. Parsing accepts every order of the parameters, and ignores parameters that
are not ours, such as those that mail programs and social networks append.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode

_PAGE_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8}){0,2}", re.ASCII)
_MAX_QUERY_LENGTH = 1_000
_MAX_PARAMETERS = 32
PATH_CHARACTERS = ":/@!$&'()*+,;=-._~"
"""Characters that stay as they are in a path (RFC 3986, section 3.3)."""

_Choice = TypeVar("_Choice", bound=StrEnum)


class AddressError(ValueError):
    """An address that means nothing."""


def join_address(path: str, parameters: Mapping[str, str]) -> str:
    """Return a path with the parameters that have a value."""
    query = urlencode({name: value for name, value in parameters.items() if value}, safe="./:")
    return f"{path}?{query}" if query else path


def parse_parameters(query: str, names: set[str], max_length: int = _MAX_QUERY_LENGTH) -> dict[str, str]:
    """Return the parameters of a query that have one of some names.

    Args:
        query: the query, percent-encoded.
        names: the names.
        max_length: the maximum length of the query, in characters.

    Raises:
        AddressError: the query is too long or no query, or a parameter is repeated.
    """
    if len(query) > max_length:
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


def parse_choice(kind: type[_Choice], text: str) -> _Choice:
    """Parse one of several values.

    Raises:
        AddressError: it is none of them.
    """
    try:
        return kind(text)
    except ValueError as error:
        raise AddressError("no such choice") from error


def parse_page_number(text: str) -> int:
    """Parse the number of a page, from 1.

    Raises:
        AddressError: it is no such number.
    """
    if not _PAGE_NUMBER.fullmatch(text):
        raise AddressError("not a page number")
    return int(text)


def parse_language(parameters: Mapping[str, str]) -> str:
    """Return the language among parameters; "" for none.

    Raises:
        AddressError: it is not the name of a language.
    """
    language = parameters.get("lang", "")
    if language and not _LANGUAGE.fullmatch(language):
        raise AddressError("not a language")
    return language
