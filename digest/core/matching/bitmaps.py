"""What a query fits in a block of events: rows of bits, and packed to be stored."""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

BLOCK_SIZE = 2048
"""How many places a block has at most."""


class MatchBitmaps(NamedTuple):
    """What a query fits: rows of bits, one for each document, the first one lowest.

    Attributes:
        maybe: those that it fits at all.
        likely: of these, those that it fits likely or surely.
        surely: of these, those that it fits surely.
        title: of all, those that it fits by words of the title, too.
        author_likely: of all, those that it fits by an author who is likely or surely the one.
        author_surely: of these, those by an author who surely is.
    """

    maybe: int
    likely: int
    surely: int
    title: int
    author_likely: int
    author_surely: int


_NO_MATCHES = MatchBitmaps(0, 0, 0, 0, 0, 0)


def build_sure_matches(bitmap: int, title: int = 0) -> MatchBitmaps:
    """What is fitted surely, and not by an author."""
    return _new_tuple(MatchBitmaps, (bitmap, bitmap, bitmap, title, 0, 0))


_new_tuple = tuple.__new__
"""A day has a hundred thousand hits, and the constructor of a named tuple takes twice as long."""


def intersect_matches(first: MatchBitmaps, second: MatchBitmaps) -> MatchBitmaps:
    """As sure as the less sure of two; with the titles and authors of both."""
    maybe = first[0] & second[0]
    if not maybe:
        return _NO_MATCHES
    title = (first[3] | second[3]) & maybe
    if (
        first[0] is first[2] and second[0] is second[2] and not first[4] and not second[4]
    ):  # a third of the work
        return _new_tuple(MatchBitmaps, (maybe, maybe, maybe, title, 0, 0))
    author_likely, author_surely = (first[4] | second[4]) & maybe, (first[5] | second[5]) & maybe
    return MatchBitmaps(
        maybe, first[1] & second[1], first[2] & second[2], title, author_likely, author_surely
    )


def unite_matches(first: MatchBitmaps, second: MatchBitmaps) -> MatchBitmaps:
    """As sure as the surer of two; with the titles and authors of both."""
    if first[0] is first[2] and second[0] is second[2] and not first[4] and not second[4]:
        bitmap = first[0] | second[0]
        return _new_tuple(MatchBitmaps, (bitmap, bitmap, bitmap, first[3] | second[3], 0, 0))
    return MatchBitmaps(*[bitmap | other_bitmap for bitmap, other_bitmap in zip(first, second, strict=True)])


_CONFIDENCE_SHIFT, _TITLE_SHIFT, _AUTHOR_SHIFT = 11, 13, 14
"""Where these begin in a packed hit; its place is below."""


def encode_matches(matches: MatchBitmaps) -> bytes:
    """Two bytes a hit, the low one first, by place: 11 bits of place, 2 of band, 1 of title, 2 of author.

    Args:
        matches: of a block of at most 2,048 places.
    """
    encoded = [
        position | flags for flags, bitmap in _group_by_flags(matches) for position in list_positions(bitmap)
    ]
    encoded.sort(key=_extract_position)
    values = array("H", encoded)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


_extract_position = (BLOCK_SIZE - 1).__and__


def _group_by_flags(matches: MatchBitmaps) -> Iterator[tuple[int, int]]:
    """Rows of places that are fitted in the same way, and how, as it is packed."""
    maybe, likely, surely, title, author_likely, author_surely = matches
    for confidence, confidence_bitmap in enumerate((maybe ^ likely, likely ^ surely, surely), start=1):
        if not confidence_bitmap:
            continue
        author_bitmaps = (
            confidence_bitmap & ~author_likely,
            confidence_bitmap & (author_likely ^ author_surely),
            confidence_bitmap & author_surely,
        )
        for author_confidence, bitmap in enumerate(
            author_bitmaps if confidence_bitmap & author_likely else (confidence_bitmap,)
        ):
            if in_title := bitmap & title:
                yield (
                    confidence << _CONFIDENCE_SHIFT | 1 << _TITLE_SHIFT | author_confidence << _AUTHOR_SHIFT,
                    in_title,
                )
            if not_in_title := bitmap & ~title:
                yield confidence << _CONFIDENCE_SHIFT | author_confidence << _AUTHOR_SHIFT, not_in_title


def decode_matches(encoded: bytes) -> MatchBitmaps:
    """The hits that were packed."""
    values = array("H", encoded)
    if sys.byteorder == "big":
        values.byteswap()
    positions_by_flags: dict[int, list[int]] = defaultdict(list)
    for encoded_match in values:
        positions_by_flags[encoded_match >> _CONFIDENCE_SHIFT].append(encoded_match & BLOCK_SIZE - 1)
    maybe = likely = surely = title = author_likely = author_surely = 0
    for flags, positions in positions_by_flags.items():
        bitmap = make_bitmap(positions)
        confidence, author_confidence = flags & 3, flags >> _AUTHOR_SHIFT - _CONFIDENCE_SHIFT
        maybe |= bitmap
        likely |= bitmap if confidence > 1 else 0
        surely |= bitmap if confidence > 2 else 0
        title |= bitmap if flags & 1 << _TITLE_SHIFT - _CONFIDENCE_SHIFT else 0
        author_likely |= bitmap if author_confidence else 0
        author_surely |= bitmap if author_confidence > 1 else 0
    return MatchBitmaps(maybe, likely, surely, title, author_likely, author_surely)


_MAX_SPARSE_POSITIONS = 100
"""For more places it is faster to look at all of a row."""
_BLOCK_POSITIONS = tuple(range(BLOCK_SIZE))
_DIGIT_VALUES = bytes(digit == ord("1") for digit in range(256))


def list_positions(bitmap: int) -> list[int]:
    """The places whose bits are set, in order."""
    if bitmap.bit_count() > _MAX_SPARSE_POSITIONS:
        size = bitmap.bit_length()
        digits = bin(bitmap)[:1:-1].encode().translate(_DIGIT_VALUES)
        return list(compress(_BLOCK_POSITIONS if size <= BLOCK_SIZE else range(size), digits))
    positions = []
    while bitmap:  # from the highest one down: what is left gets shorter
        position = bitmap.bit_length() - 1
        positions.append(position)
        bitmap ^= 1 << position
    positions.reverse()
    return positions


def make_bitmap(positions: Iterable[int]) -> int:
    """The row in which the bits of some places are set."""
    bitmap = 0
    for position in positions:
        bitmap |= 1 << position
    return bitmap


def take_lowest_positions(bitmap: int, limit: int) -> int:
    """The first places of a row, so many at most."""
    if bitmap.bit_count() <= limit:
        return bitmap
    low, high = (
        limit,
        2 * limit + 1,
    )  # so many of the lowest bits have at most, and more than, that many places
    while (bitmap & (1 << high) - 1).bit_count() <= limit:
        low, high = high, 2 * high
    bitmap &= (1 << high) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if (bitmap & (1 << middle) - 1).bit_count() <= limit:
            low = middle
        else:
            high = middle
    return bitmap & (1 << low) - 1
