"""Documents are in the order of days, and their numbers tell these days."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.search.document_numbers import (
    find_day,
    get_document,
    get_first_after,
    get_first_document,
    get_next_revision,
    get_position,
)

DAYS = st.none() | st.dates(date(1985, 1, 1), date(2200, 1, 1))


@given(DAYS, st.integers(0, (1 << 16) - 1))
def test_a_document_tells_its_day(day: date | None, place: int) -> None:
    first = get_first_document(day)
    document = get_document(get_position(first) + place)

    assert find_day(document) == day
    assert first <= document < get_first_after(day)


@given(DAYS, DAYS)
def test_later_days_have_higher_numbers_and_unknown_ones_the_lowest(
    day: date | None, other: date | None
) -> None:
    earlier, later = sorted((day or date.min, other or date.min))
    if earlier < later:
        lower = get_first_document(None if earlier == date.min else earlier)
        assert lower < get_first_document(later)


@given(DAYS)
def test_revisions_stay_in_their_place(day: date | None) -> None:
    document = get_first_document(day)
    revisions = [document]
    while (following := get_next_revision(revisions[-1])) is not None:
        revisions.append(following)

    assert {get_position(revision) for revision in revisions} == {get_position(document)}
    assert get_position(revisions[-1] + 1) == get_position(document) + 1
    assert len(revisions) == 2


def test_days_before_any_paper_are_one() -> None:
    assert find_day(get_first_document(date(1900, 1, 1))) == find_day(get_first_document(date(1970, 6, 1)))
    assert get_first_document(date(1971, 1, 2)) < get_first_document(date(1971, 1, 2) + timedelta(days=1))
