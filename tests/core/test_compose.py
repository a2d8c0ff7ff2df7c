from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.compose import MOST_REST, Candidate, Composition, compose, may_repeat, tells
from digest.model import Band, Event, EventKind, Evidence, Fit, Paper, PaperKey, Part

DAY = date(2026, 6, 12)
Told = frozenset[tuple[PaperKey, EventKind, int]]


KINDS = st.sampled_from(EventKind)


def event(
    seq: int,
    *,
    paper: int | None = None,
    kind: EventKind = EventKind.NEW,
    number: int = 0,
    withdrawn: bool = False,
) -> Event:
    key = PaperKey(f"arxiv:{seq if paper is None else paper:05}")
    return Event(
        seq=seq,
        kind=kind,
        number=number,
        day=DAY,
        source="arxiv",
        first=True,
        paper=Paper(key=key, title=key, url="https://arxiv.org/", withdrawn=withdrawn),
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


@pytest.mark.parametrize("kind", [EventKind.GROWN, EventKind.PICKED])
def test_a_paper_that_grew_or_was_picked_is_told_only_if_it_was_not(kind: EventKind) -> None:
    later = candidate(event(9, paper=1, kind=kind))
    key = PaperKey("arxiv:00001")

    assert seqs(composed(later, kinds="new picked")) == [9]
    for before in EventKind:
        told = frozenset({(key, before, 0)})
        assert seqs(composed(later, kinds="new picked", told=told)) == []


@pytest.mark.parametrize("kind", [EventKind.PUBLISHED, EventKind.CODE])
def test_a_publication_and_code_are_told_once_although_the_paper_was(kind: EventKind) -> None:
    news = candidate(event(9, paper=1, kind=kind))
    told = frozenset({(PaperKey("arxiv:00001"), EventKind.NEW, 0)})

    assert seqs(composed(news, kinds=kind, told=told)) == [9]
    assert seqs(composed(news, kinds=kind, told=told | {(PaperKey("arxiv:00001"), kind, 0)})) == []


def test_what_grew_is_told_wherever_what_is_new_is() -> None:
    grown = candidate(event(1, kind=EventKind.GROWN))

    assert seqs(composed(grown, kinds="new")) == [1]
    assert seqs(composed(grown, kinds="picked version published code")) == []


@given(KINDS, st.sets(KINDS))
def test_a_withdrawn_paper_is_told_of_no_more_and_news_about_it_is(
    kind: EventKind, kinds: set[EventKind]
) -> None:
    about_the_paper = kind in {EventKind.NEW, EventKind.GROWN, EventKind.PICKED}

    assert tells(event(1, kind=kind, withdrawn=True), kinds) == (
        tells(event(1, kind=kind), kinds) and not about_the_paper
    )


@given(st.permutations(tuple(EventKind)))
def test_a_paper_is_one_item_whatever_happened_to_it(order: list[EventKind]) -> None:
    told = ["new", "grown", "picked", "published", "version", "code"]
    happened = {kind: event(seq, paper=1, kind=kind) for seq, kind in enumerate(order, start=1)}

    for number, kind in enumerate(told):
        (item,) = composed(
            *(candidate(one) for name, one in happened.items() if name in told[number:]),
            kinds=" ".join(told),
        ).items
        assert item.event.kind == kind


def test_of_several_versions_the_newest_is_told() -> None:
    versions = [event(seq, paper=1, kind=EventKind.VERSION, number=seq) for seq in (2, 3)]

    assert seqs(composed(*map(candidate, versions), kinds="version")) == [3]


def test_a_paper_that_grew_on_its_first_day_has_the_reasons_of_both() -> None:
    grown = event(2, paper=1, kind=EventKind.GROWN)

    (item,) = composed(
        candidate(event(1), follow="a", weight=2),
        candidate(grown, follow="a", weight=2),
        candidate(grown, follow="cs.DC"),
    ).items

    assert item.event.kind is EventKind.NEW
    assert [reason.follow for reason in item.reasons] == ["a", "cs.DC"]
    assert item.score == 3


def test_parts_come_in_their_order_and_a_pick_that_is_only_maybe_stays_a_maybe() -> None:
    picked = EventKind.PICKED
    result = composed(
        candidate(event(1, kind=EventKind.CODE), weight=9),
        candidate(event(2, kind=EventKind.PUBLISHED)),
        candidate(event(3, kind=picked), weight=9),
        candidate(event(4, kind=picked), band=Band.MAYBE),
        candidate(event(5, kind=EventKind.GROWN)),
        kinds="new picked published code",
    )

    assert [(item.event.seq, item.part) for item in result.items] == [
        (5, Part.SURELY),
        (4, Part.MAYBE),
        (3, Part.PICKED),
        (1, Part.VERSIONS),
        (2, Part.VERSIONS),
    ]


def test_only_an_event_that_is_not_its_papers_first_may_have_been_told() -> None:
    assert not may_repeat(event(1))
    assert may_repeat(replace(event(1), first=False))


@given(
    st.lists(st.tuples(st.integers(1, 4), KINDS, st.integers(0, 3)), max_size=12, unique=True),
    st.sets(KINDS, min_size=1),
)
def test_over_any_number_of_editions_a_paper_is_told_once_and_each_piece_of_news_once(
    happened: list[tuple[int, EventKind, int]], kinds: set[EventKind]
) -> None:
    told: Told = frozenset()
    items: list[tuple[int, EventKind]] = []
    for seq, (paper, kind, number) in enumerate(happened, start=1):
        for item in composed(
            candidate(event(seq, paper=paper, kind=kind, number=number)), told=told, kinds=" ".join(kinds)
        ).items:
            told |= {(item.paper.key, item.event.kind, item.event.number)}
            items.append((paper, item.event.kind))

    of_papers = {EventKind.NEW, EventKind.GROWN, EventKind.PICKED}
    assert len(told) == len(items)
    for paper in range(1, 5):
        assert sum(one == paper and kind in of_papers for one, kind in items) <= 1


@given(st.sets(st.integers(1, 2000), max_size=1200), st.integers(1, 50))
def test_nothing_is_lost_between_items_rest_and_the_number_beyond(numbers: set[int], limit: int) -> None:
    result = composed(*(candidate(event(number)) for number in numbers), limit=limit)

    assert len(numbers) == len(result.items) + len(result.rest) + result.dropped
    assert len(result.items) <= limit
    assert len(result.rest) <= MOST_REST
    assert sorted(seqs(result)) == seqs(result)
