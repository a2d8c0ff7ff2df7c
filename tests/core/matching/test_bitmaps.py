from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.bitmaps import (
    BLOCK_SIZE,
    MatchBitmaps,
    decode_matches,
    encode_matches,
    list_positions,
)

WAYS = st.tuples(st.integers(1, 3), st.booleans(), st.integers(0, 2))
"""How an event is fitted: the band, in the title, by an author who is likely or surely the one."""
FITS = st.dictionaries(st.integers(0, BLOCK_SIZE - 1), WAYS, max_size=60)


def rows(fits: dict[int, tuple[int, bool, int]]) -> MatchBitmaps:
    def row(*those: int) -> int:
        return sum(1 << place for place in those)

    return MatchBitmaps(
        row(*fits),
        row(*(place for place, (band, _, _) in fits.items() if band > 1)),
        row(*(place for place, (band, _, _) in fits.items() if band > 2)),
        row(*(place for place, (_, in_title, _) in fits.items() if in_title)),
        row(*(place for place, (_, _, by) in fits.items() if by > 0)),
        row(*(place for place, (_, _, by) in fits.items() if by > 1)),
    )


@given(FITS)
def test_what_is_packed_is_unpacked_and_takes_two_bytes_a_hit(fits: dict[int, tuple[int, bool, int]]) -> None:
    packed = encode_matches(rows(fits))

    assert decode_matches(packed) == rows(fits)
    assert len(packed) == 2 * len(fits)


@given(FITS)
def test_a_packed_hit_is_laid_out_as_documented_and_stands_by_its_place(
    fits: dict[int, tuple[int, bool, int]],
) -> None:
    packed = encode_matches(rows(fits))

    results = [int.from_bytes(packed[at : at + 2], "little") for at in range(0, len(packed), 2)]
    assert results == [
        place | band << 11 | in_title << 13 | by << 14 for place, (band, in_title, by) in sorted(fits.items())
    ]


@given(st.sets(st.integers(0, 40_000)))
def test_the_places_of_a_row_are_in_order(those: set[int]) -> None:
    assert list_positions(sum(1 << place for place in those)) == sorted(those)
