"""Position in the results of a search, as a text for the link to the next page.

It names the last result that was shown, not a number of results: papers that are added meanwhile neither repeat nor
hide others. What scores are computed with is part of it, so that they stay the same from page to page. A cursor is
no secret and grants nothing; it is checked so that a damaged or invented one is an error, and not another result.
"""

from __future__ import annotations

import binascii
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass
from datetime import date
from hashlib import blake2b
from typing import Any

from digest.core.matching.search.bm25 import MAX_WORDS
from digest.core.matching.search.document_numbers import get_first_document
from digest.errors import CursorError

_MAX_LENGTH = 1_000
"""Maximum length of a cursor, in characters; those that we make are shorter."""
_HASH_BYTES = 6
_CURSOR = re.compile(r"[A-Za-z0-9_-]+")
_MAX_NUMBER = 1 << 62
_LAST_DOCUMENT = get_first_document(date.max)
"""No document has a higher number, nor a later day."""


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """Position in the results of a search.

    Attributes:
        count: the number of results before it.
        position: the position of the last result in the index (``document_numbers.get_position``).
        score: its score; 0 in the order of days.
        first: the lowest number of the documents that are ranked.
        mean_length: the mean length of papers with which scores are computed.
        idfs: the weights of the words of the query.
    """

    count: int
    position: int
    score: int = 0
    first: int = 0
    mean_length: int = 0
    idfs: tuple[int, ...] = ()


def encode_cursor(cursor: SearchCursor, search: str) -> str:
    """Return a cursor as letters, digits, ``-`` and ``_``.

    Args:
        cursor: the cursor.
        search: the query with its order and filters; the cursor is valid for no other.
    """
    payload = json.dumps(astuple(cursor), separators=(",", ":")).encode("ascii")
    return urlsafe_b64encode(_hash(payload, search) + payload).decode("ascii").rstrip("=")


def decode_cursor(text: str, search: str) -> SearchCursor:
    """Return the cursor that ``encode_cursor`` wrote for the same search.

    Raises:
        CursorError: it is damaged, invented, or of another search.
    """
    if len(text) > _MAX_LENGTH or not _CURSOR.fullmatch(text):
        raise CursorError(_MESSAGE)
    try:
        encoded = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        payload = encoded[_HASH_BYTES:]
        if encoded[:_HASH_BYTES] != _hash(payload, search):
            raise CursorError(_MESSAGE)
        *numbers, idfs = json.loads(payload)
    except (binascii.Error, ValueError, RecursionError):
        raise CursorError(_MESSAGE) from None
    if len(numbers) != _NUMBERS or not _are_numbers(numbers) or not isinstance(idfs, list):
        raise CursorError(_MESSAGE)
    if len(idfs) > MAX_WORDS or not _are_numbers(idfs):
        raise CursorError(_MESSAGE)
    count, position, score, first, mean_length = numbers
    if first > _LAST_DOCUMENT:
        raise CursorError(_MESSAGE)
    return SearchCursor(count, position, score, first, mean_length, tuple(idfs))


_MESSAGE = "This page of the results does not exist; begin again at the first page."
_NUMBERS = 5
"""Number of the fields before ``idfs``."""


def _are_numbers(values: list[Any]) -> bool:
    return all(type(value) is int and 0 <= value < _MAX_NUMBER for value in values)


def _hash(payload: bytes, search: str) -> bytes:
    key = search.encode("utf-8", "surrogatepass")
    return blake2b(payload, digest_size=_HASH_BYTES, key=blake2b(key, digest_size=16).digest()).digest()
