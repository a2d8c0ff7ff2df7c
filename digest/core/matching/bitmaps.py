"""What a query fits in a block of events: rows of bits, and packed to be stored."""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import compress
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


_NOTHING = Hits(0, 0, 0, 0, 0, 0)


def surely(row: int, title: int = 0) -> Hits:
    """What is fitted surely, and not by an author."""
    return _new(Hits, (row, row, row, title, 0, 0))


_new = tuple.__new__
"""A day has a hundred thousand hits, and the constructor of a named tuple takes twice as long."""


def both(one: Hits, other: Hits) -> Hits:
    """As sure as the less sure of two; with the titles and authors of both."""
    maybe = one[0] & other[0]
    if not maybe:
        return _NOTHING
    title = (one[3] | other[3]) & maybe
    if one[0] is one[2] and other[0] is other[2] and not one[4] and not other[4]:  # a third of the work
        return _new(Hits, (maybe, maybe, maybe, title, 0, 0))
    by_likely, by_surely = (one[4] | other[4]) & maybe, (one[5] | other[5]) & maybe
    return Hits(maybe, one[1] & other[1], one[2] & other[2], title, by_likely, by_surely)


def either(one: Hits, other: Hits) -> Hits:
    """As sure as the surer of two; with the titles and authors of both."""
    if one[0] is one[2] and other[0] is other[2] and not one[4] and not other[4]:
        row = one[0] | other[0]
        return _new(Hits, (row, row, row, one[3] | other[3], 0, 0))
    return Hits(*[row | also for row, also in zip(one, other, strict=True)])


_BAND, _TITLE, _BY = 11, 13, 14
"""Where these begin in a packed hit; its place is below."""


def pack(hits: Hits) -> bytes:
    """Two bytes a hit, the low one first, by place: 11 bits of place, 2 of band, 1 of title, 2 of author.

    Args:
        hits: of a block of at most 2,048 places.
    """
    found = [place | how for how, row in _alike(hits) for place in places(row)]
    found.sort(key=_place_of)
    packed = array("H", found)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


_place_of = (BLOCK - 1).__and__


def _alike(hits: Hits) -> Iterator[tuple[int, int]]:
    """Rows of places that are fitted in the same way, and how, as it is packed."""
    maybe, likely, surely, title, by_likely, by_surely = hits
    for band, of_band in enumerate((maybe ^ likely, likely ^ surely, surely), start=1):
        if not of_band:
            continue
        sides = (of_band & ~by_likely, of_band & (by_likely ^ by_surely), of_band & by_surely)
        for by, row in enumerate(sides if of_band & by_likely else (of_band,)):
            if inside := row & title:
                yield band << _BAND | 1 << _TITLE | by << _BY, inside
            if outside := row & ~title:
                yield band << _BAND | by << _BY, outside


def unpack(packed: bytes) -> Hits:
    """The hits that were packed."""
    found = array("H", packed)
    if sys.byteorder == "big":
        found.byteswap()
    alike: dict[int, list[int]] = defaultdict(list)
    for hit in found:
        alike[hit >> _BAND].append(hit & BLOCK - 1)
    maybe = likely = surely = title = by_likely = by_surely = 0
    for how, here in alike.items():
        row = row_of(here)
        band, by = how & 3, how >> _BY - _BAND
        maybe |= row
        likely |= row if band > 1 else 0
        surely |= row if band > 2 else 0
        title |= row if how & 1 << _TITLE - _BAND else 0
        by_likely |= row if by else 0
        by_surely |= row if by > 1 else 0
    return Hits(maybe, likely, surely, title, by_likely, by_surely)


_FEW = 100
"""For more places it is faster to look at all of a row."""
_ALL = tuple(range(BLOCK))
_SIGNS = bytes(sign == ord("1") for sign in range(256))


def places(row: int) -> list[int]:
    """The places whose bits are set, in order."""
    if row.bit_count() > _FEW:
        size = row.bit_length()
        signs = bin(row)[:1:-1].encode().translate(_SIGNS)
        return list(compress(_ALL if size <= BLOCK else range(size), signs))
    found = []
    while row:  # from the highest one down: what is left gets shorter
        place = row.bit_length() - 1
        found.append(place)
        row ^= 1 << place
    found.reverse()
    return found


def row_of(some: Iterable[int]) -> int:
    """The row in which the bits of some places are set."""
    row = 0
    for place in some:
        row |= 1 << place
    return row


def lowest(row: int, most: int) -> int:
    """The first places of a row, so many at most."""
    if row.bit_count() <= most:
        return row
    low, high = most, row.bit_length()  # as many bits of the row hold most places at most, and more than that
    while high - low > 1:
        middle = (low + high) // 2
        if (row & (1 << middle) - 1).bit_count() <= most:
            low = middle
        else:
            high = middle
    return row & (1 << low) - 1
