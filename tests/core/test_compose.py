from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from digest.core.compose import MOST_REST, Candidate, Composition, compose
from digest.model import Band, Event, EventKind, Evidence, Fit, Paper, PaperKey, Part

DAY = date(2026, 6, 12)
Told = frozenset[tuple[PaperKey, EventKind, int]]


def event(seq: int, *, paper: int | None = None, kind: EventKind = EventKind.NEW, number: int = 0) -> Event:
    key = PaperKey(f"arxiv:{seq if paper is None else paper:05}")
    return Event(
        seq=seq,
        kind=kind,
        number=number,
        day=DAY,
        source="arxiv",
        first=True,
        paper=Paper(key=key, title=key, url="https://arxiv.org/"),
    )


def candidate(
    about: Event,
    *,
    follow: str = "serving",
    weight: float = 1.0,
    exclude: bool = False,
    band: Band = Band.SURELY,
    field: str = "abstract",
) -> Candidate:
    fit = Fit(band=band, evidence=(Evidence(field=field, words=("serving",)),))
    return Candidate(event=about, follow=follow, weight=weight, exclude=exclude, fit=fit)


def composed(
    *candidates: Candidate, limit: int = 25, told: Told = frozenset(), kinds: str = "new"
) -> Composition:
    chosen = [EventKind(kind) for kind in kinds.split()]
    return compose(candidates, kinds=chosen, limit=limit, told=told)


def seqs(composition: Composition) -> list[int]:
    return [item.event.seq for item in (*composition.items, *composition.rest)]


def test_people_come_before_words_and_titles_before_abstracts() -> None:
    result = composed(
        candidate(event(1)),
        candidate(event(2), field="title"),
        candidate(event(3), band=Band.LIKELY, field="author"),
        candidate(event(4), weight=3.0),
        candidate(event(5), band=Band.MAYBE, field="author"),
    )

    assert seqs(result) == [3, 4, 2, 1, 5]
    assert Part.MAYBE is result.items[-1].part


def test_an_exclusion_beats_every_follow_and_is_counted() -> None:
    result = composed(
        candidate(event(1), weight=100),
        candidate(event(1), exclude=True),
        candidate(event(2)),
        candidate(event(3), exclude=True),
    )

    assert seqs(result) == [2]
    assert result.excluded == 1


def test_a_maybe_never_excludes() -> None:
    result = composed(candidate(event(1)), candidate(event(1), exclude=True, band=Band.MAYBE))

    assert seqs(result) == [1]


def test_every_reason_is_given_the_surest_first() -> None:
    (item,) = composed(
        candidate(event(1), follow="b", band=Band.MAYBE),
        candidate(event(1), follow="c"),
        candidate(event(1), follow="a"),
    ).items

    assert [reason.follow for reason in item.reasons] == ["a", "c", "b"]
    assert item.score == 3


def test_a_new_paper_is_told_once_whatever_was_told_of_it() -> None:
    told = frozenset({(PaperKey("arxiv:00001"), EventKind.VERSION, 2)})

    assert seqs(composed(candidate(event(1)), told=told)) == []


def test_a_version_is_told_although_the_paper_was() -> None:
    told = frozenset({(PaperKey("arxiv:00001"), EventKind.NEW, 0)})
    second = event(9, paper=1, kind=EventKind.VERSION, number=2)

    assert seqs(composed(candidate(second), told=told, kinds="new version")) == [9]
    assert seqs(composed(candidate(second), told=told)) == []
    again = told | {(PaperKey("arxiv:00001"), EventKind.VERSION, 2)}
    assert seqs(composed(candidate(second), told=again, kinds="new version")) == []


def test_a_paper_is_one_item_whatever_happened_to_it() -> None:
    second = event(2, paper=1, kind=EventKind.VERSION, number=2)

    assert seqs(composed(candidate(second), candidate(event(1)), kinds="new version")) == [1]


@given(st.sets(st.integers(1, 2000), max_size=1200), st.integers(1, 50))
def test_nothing_is_lost_between_items_rest_and_the_number_beyond(numbers: set[int], limit: int) -> None:
    result = composed(*(candidate(event(number)) for number in numbers), limit=limit)

    assert len(numbers) == len(result.items) + len(result.rest) + result.dropped
    assert len(result.items) <= limit
    assert len(result.rest) <= MOST_REST
    assert sorted(seqs(result)) == seqs(result)
