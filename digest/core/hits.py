"""What a query fits in a block of events: rows of bits, and packed to be stored."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from typing import NamedTuple

BLOCK = 2048
"""How many places a block has at most."""


class Hits(NamedTuple):
    """What a query fits: rows of bits, one for each document, the first one lowest.

    Attributes:
        maybe: those that it fits at all.
        likely: of these, those that it fits likely or surely.
        surely: of these, those that it fits surely.
        title: of all, those that it fits by words of the title, too.
        by_likely: of all, those that it fits by an author who is likely or surely the one.
        by_surely: of these, those by an author who surely is.
    """

    maybe: int
    likely: int
    surely: int
    title: int
    by_likely: int
    by_surely: int


_PLACE, _BAND, _TITLE, _BY = 0, 11, 13, 14


def pack(hits: Hits) -> bytes:
    """Two bytes a hit, the low one first, by place: 11 bits of place, 2 of band, 1 of title, 2 of author.

    Args:
        hits: of a block of at most 2,048 places.
    """
    packed = array(
        "H",
        (
            place
            | 1 + (hits.likely >> place & 1) + (hits.surely >> place & 1) << _BAND
            | (hits.title >> place & 1) << _TITLE
            | (hits.by_likely >> place & 1) + (hits.by_surely >> place & 1) << _BY
            for place in places(hits.maybe)
        ),
    )
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack(packed: bytes) -> Hits:
    """The hits that were packed."""
    maybe = likely = surely = title = by_likely = by_surely = 0
    for at in range(0, len(packed), 2):
        hit = packed[at] | packed[at + 1] << 8
        bit = 1 << (hit & BLOCK - 1)
        band, by = hit >> _BAND & 3, hit >> _BY & 3
        maybe |= bit
        likely |= bit if band > 1 else 0
        surely |= bit if band > 2 else 0
        title |= bit if hit >> _TITLE & 1 else 0
        by_likely |= bit if by else 0
        by_surely |= bit if by > 1 else 0
    return Hits(maybe, likely, surely, title, by_likely, by_surely)


def places(row: int) -> Iterator[int]:
    """The places whose bits are set, in order."""
    while row:
        lowest = row & -row
        yield lowest.bit_length() - 1
        row ^= lowest
