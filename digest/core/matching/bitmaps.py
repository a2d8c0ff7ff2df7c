"""The matches of a query in a block of events: as bitmaps, and encoded for the database."""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

BLOCK_SIZE = 2048
"""Maximum number of events in a block."""


class MatchBitmaps(NamedTuple):
    """The matches of a query as bitmaps, with one bit for each document, the first one lowest.

    Attributes:
        maybe: all matches.
        likely: the likely and the sure matches.
        surely: the sure matches.
        title: matches with words of the title.
        author_likely: matches by an author who is likely or surely the right person.
        author_surely: matches by an author who is surely the right person.
    """

    maybe: int
    likely: int
    surely: int
    title: int
    author_likely: int
    author_surely: int


_NO_MATCHES = MatchBitmaps(0, 0, 0, 0, 0, 0)


def build_sure_matches(bitmap: int, title: int = 0) -> MatchBitmaps:
    """Return matches that are sure, and not by an author."""
    return _new_tuple(MatchBitmaps, (bitmap, bitmap, bitmap, title, 0, 0))


_new_tuple = tuple.__new__
"""Constructor in half the time of calling the named tuple; a day has a hundred thousand matches."""


def intersect_matches(first: MatchBitmaps, second: MatchBitmaps) -> MatchBitmaps:
    """Return the matches of both, with the lower confidence, and with the titles and authors of either."""
    maybe = first[0] & second[0]
    if not maybe:
        return _NO_MATCHES
    title = (first[3] | second[3]) & maybe
    # If all matches are sure and none is by an author, a third of the work suffices.
    if first[0] is first[2] and second[0] is second[2] and not first[4] and not second[4]:
        return _new_tuple(MatchBitmaps, (maybe, maybe, maybe, title, 0, 0))
    author_likely, author_surely = (first[4] | second[4]) & maybe, (first[5] | second[5]) & maybe
    return MatchBitmaps(
        maybe, first[1] & second[1], first[2] & second[2], title, author_likely, author_surely
    )


def unite_matches(first: MatchBitmaps, second: MatchBitmaps) -> MatchBitmaps:
    """Return the matches of either, with the higher confidence, and with the titles and authors of either."""
    if first[0] is first[2] and second[0] is second[2] and not first[4] and not second[4]:
        bitmap = first[0] | second[0]
        return _new_tuple(MatchBitmaps, (bitmap, bitmap, bitmap, first[3] | second[3], 0, 0))
    return MatchBitmaps(*[bitmap | other_bitmap for bitmap, other_bitmap in zip(first, second, strict=True)])


_CONFIDENCE_SHIFT, _TITLE_SHIFT, _AUTHOR_SHIFT = 11, 13, 14
"""Lowest bit of each field in an encoded match; the position is in the bits below."""


def encode_matches(matches: MatchBitmaps) -> bytes:
    """Encode matches, in two bytes each (little-endian) and sorted by position.

    From the lowest bit: 11 bits of position, 2 of confidence, 1 of title, 2 of author.

    Args:
        matches: of a block of at most 2,048 events.
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
    """Yield bitmaps of matches that have the same flags, with these flags as they are encoded."""
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
    """Return the matches that ``encode_matches`` encoded."""
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
"""Maximum number of set bits that are extracted one by one; for more, converting all bits is faster."""
_BLOCK_POSITIONS = tuple(range(BLOCK_SIZE))
_DIGIT_VALUES = bytes(digit == ord("1") for digit in range(256))


def list_positions(bitmap: int) -> list[int]:
    """Return the positions of the set bits, in order."""
    if bitmap.bit_count() > _MAX_SPARSE_POSITIONS:
        size = bitmap.bit_length()
        digits = bin(bitmap)[:1:-1].encode().translate(_DIGIT_VALUES)
        return list(compress(_BLOCK_POSITIONS if size <= BLOCK_SIZE else range(size), digits))
    positions = []
    # From the highest bit down, the bitmap gets shorter with each step.
    while bitmap:
        position = bitmap.bit_length() - 1
        positions.append(position)
        bitmap ^= 1 << position
    positions.reverse()
    return positions


def make_bitmap(positions: Iterable[int]) -> int:
    """Return a bitmap in which the bits at some positions are set."""
    bitmap = 0
    for position in positions:
        bitmap |= 1 << position
    return bitmap


def take_lowest_positions(bitmap: int, limit: int) -> int:
    """Return a bitmap with only the lowest set bits, at most ``limit`` of them."""
    if bitmap.bit_count() <= limit:
        return bitmap
    # Bisection: the lowest ``low`` bits contain at most ``limit`` set bits, the lowest ``high`` bits more. Doubling first
    # keeps the numbers short, because the lowest set bits are usually near the beginning.
    low, high = limit, 2 * limit + 1
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
