"""A cursor is read as it was written, and nothing else is read as one."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.core.matching.search.bm25 import MAX_WORDS
from digest.core.matching.search.cursor import SearchCursor, decode_cursor, encode_cursor
from digest.core.matching.search.document_numbers import get_first_document
from digest.errors import CursorError

NUMBERS = st.integers(0, (1 << 62) - 1)
CURSORS = st.builds(
    SearchCursor,
    *(st.integers(0, 1000), NUMBERS, NUMBERS, st.integers(0, get_first_document(date.max)), NUMBERS),
    st.lists(st.integers(0, 30_000), max_size=MAX_WORDS).map(tuple),
)


@given(CURSORS, st.text())
def test_a_cursor_is_read_as_it_was_written(cursor: SearchCursor, search: str) -> None:
    text = encode_cursor(cursor, search)

    assert decode_cursor(text, search) == cursor
    assert len(text) < 1_000
    assert text.replace("-", "").replace("_", "").isalnum()
    with pytest.raises(CursorError):
        decode_cursor(text, search + "x")


@given(CURSORS, st.data())
def test_a_cursor_that_was_changed_is_an_error(cursor: SearchCursor, data: st.DataObject) -> None:
    text = encode_cursor(cursor, "graph")
    at = data.draw(st.integers(0, len(text) - 2))  # the last letter has bits that stand for nothing
    letter = data.draw(st.sampled_from([letter for letter in "Aa0-_" if letter != text[at]]))

    with pytest.raises(CursorError):
        decode_cursor(text[:at] + letter + text[at + 1 :], "graph")


@given(st.text())
@example("")
@example("A" * 5_000)
@example("\ud800")
@example("AAAAAAAAW10")
def test_any_other_text_is_an_error(text: str) -> None:
    with pytest.raises(CursorError):
        decode_cursor(text, "graph")


def test_a_forged_cursor_with_a_day_that_no_calendar_has_is_an_error() -> None:
    text = encode_cursor(SearchCursor(1, 1, first=get_first_document(date.max) + 1), "graph")

    with pytest.raises(CursorError):
        decode_cursor(text, "graph")
