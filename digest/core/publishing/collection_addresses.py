"""Addresses of the public pages of what papers have in common: a category, an institution, a topic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote

from digest.core.publishing.address_parts import (
    PATH_CHARACTERS,
    AddressError,
    join_address,
    parse_language,
    parse_parameters,
)

_MAX_NAME_LENGTH, _MAX_CURSOR_LENGTH = 200, 1_000


class CollectionKind(StrEnum):
    """What papers can have in common; the first part of the address."""

    CATEGORY = "category"
    INSTITUTION = "institution"
    TOPIC = "topic"
    """A query that the configuration makes public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionAddress:
    """The address of a category, an institution or a topic.

    Attributes:
        name: the category or archive, the name of the institution, or that of the topic.
        cursor: where the page of its papers begins; "" for the first one.
        language: the language of the page; "" for the site's.
    """

    kind: CollectionKind
    name: str
    cursor: str = ""
    language: str = ""


def format_collection_address(address: CollectionAddress) -> str:
    """Return the canonical address, below that of the site."""
    path = f"/{address.kind}/{quote(address.name, safe=PATH_CHARACTERS)}"
    return join_address(path, {"cursor": address.cursor, "lang": address.language})


def is_collection_name(name: str) -> bool:
    """Return whether there can be a page of this name; what sources call a category or an institution can be anything."""
    return 0 < len(name) <= _MAX_NAME_LENGTH and name.isprintable()


def parse_collection_address(kind: CollectionKind, name: str, query: str) -> CollectionAddress:
    """Parse an address.

    Args:
        kind: the first part of the path.
        name: the rest of the path, decoded.
        query: the query, percent-encoded.

    Raises:
        AddressError: the name cannot be one, or a parameter has no meaning.
    """
    parameters = parse_parameters(query, {"cursor", "lang"}, 2 * _MAX_CURSOR_LENGTH)
    cursor, clean_name = parameters.get("cursor", ""), " ".join(name.split())
    if not is_collection_name(clean_name):
        raise AddressError("not a name")
    if len(cursor) > _MAX_CURSOR_LENGTH:
        raise AddressError("too long")
    return CollectionAddress(kind=kind, name=clean_name, cursor=cursor, language=parse_language(parameters))
