"""Addresses of the public pages of persons and names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from digest.core.papers.identity.person_ids import parse_person_reference
from digest.core.publishing.address_parts import (
    PATH_CHARACTERS,
    AddressError,
    join_address,
    parse_language,
    parse_page_number,
    parse_parameters,
)
from digest.core.publishing.addresses import MAX_KEY_LENGTH

_POSITION = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_MAX_NAME_LENGTH = 200


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


def format_person_address(address: PersonAddress) -> str:
    """Return the canonical address of a person, below that of the site.

    A byline has a slash in place of the number sign, behind which browsers send nothing.
    """
    parameters = {"page": str(address.page) if address.page > 1 else "", "lang": address.language}
    path = quote(address.reference.replace("#", "/"), safe=PATH_CHARACTERS)
    return join_address(f"/person/{path}", parameters)


def format_name_address(address: NameAddress) -> str:
    """Return the canonical address of the page that lists the persons with a name, below that of the site."""
    return join_address("/people", {"name": address.name, "lang": address.language})


def parse_person_address(path: str, query: str) -> PersonAddress:
    """Parse the address of a person.

    Args:
        path: the rest of the path, decoded: the paper and the position among its authors, or an ID of the person.
        query: the query, percent-encoded.

    Raises:
        AddressError: the path cannot name a person, or a parameter has no meaning.
    """
    parameters = parse_parameters(query, {"page", "lang"})
    if not 0 < len(path) <= MAX_KEY_LENGTH or not path.isprintable():
        raise AddressError("not a person")
    paper, _, position = path.rpartition("/")
    is_byline = paper and _POSITION.fullmatch(position) and parse_person_reference(path) is None
    return PersonAddress(
        reference=f"{paper}#{position}" if is_byline else path,
        page=parse_page_number(parameters.get("page", "1")),
        language=parse_language(parameters),
    )


def parse_name_address(query: str) -> NameAddress:
    """Parse the address of the page that lists the persons with a name.

    Args:
        query: the query, percent-encoded.

    Raises:
        AddressError: there is no name, or a parameter has no meaning.
    """
    parameters = parse_parameters(query, {"name", "lang"})
    name = " ".join(parameters.get("name", "").split())
    if not 0 < len(name) <= _MAX_NAME_LENGTH or not name.isprintable():
        raise AddressError("not a name")
    return NameAddress(name=name, language=parse_language(parameters))
