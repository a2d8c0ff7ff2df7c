"""What an edition keeps of the papers that it does not show in full."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from digest.model import Band, Evidence, Part
from digest.store import rest
from digest.store.rest import Line, Rest

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
BANDS = st.sampled_from([Band.MAYBE, Band.LIKELY, Band.SURELY])
GROUNDS = st.lists(st.tuples(TEXTS, BANDS), min_size=1, max_size=3)
MARKED = st.builds(Evidence, field=st.just("title"), words=st.lists(TEXTS, max_size=3).map(tuple))


@st.composite
def rests(draw: st.DrawFn) -> Rest:
    why = draw(st.lists(GROUNDS, min_size=1, max_size=3))

    def line(seq: int) -> Line:
        number = draw(st.integers(0, len(why) - 1))
        size = len(why[number])
        marked: Sequence[Sequence[Evidence]] = draw(
            st.lists(st.lists(MARKED, max_size=2).map(tuple), min_size=size, max_size=size) | st.just([])
        )
        score = draw(st.floats(0, 1e6, allow_nan=False))
        return Line(seq, draw(st.sampled_from(Part)), score, number, marked if any(marked) else ())

    return Rest(why, [line(seq) for seq in draw(st.lists(st.integers(1, 1 << 40), max_size=5))])


@given(rests())
def test_a_rest_is_read_as_it_was_kept(kept: Rest) -> None:
    document = json.loads(kept.written())

    assert rest.read(document) == kept
    assert rest.seqs(document) == [line.seq for line in kept.lines]


def test_a_line_of_a_rest_without_marks_takes_some_twenty_bytes() -> None:
    lines = [Line(123_456 + seq, Part.SURELY, 1.0, 0) for seq in range(500)]

    assert len(Rest([[("category:cs.LG", Band.SURELY)]], lines).written()) < 500 * 26
