from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.core.editions.compose import MAX_OVERFLOW, compose
from digest.core.editions.composition import FollowMatch
from digest.core.editions.reasons import find_match_reasons
from digest.core.editions.window_events import SentEvents, describe_window, find_sent, is_eligible
from digest.core.matching.event_set import NO_EVENTS, EventSet, MatchedEvents
from digest.model import Confidence, EditionPart, Event, EventKind, Paper, PaperKey
from tests.core.naive_compose import Candidate, NaiveComposition, RankedItem, compose_naively, expand_ranked

DAY = date(2026, 6, 12)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedFollow:
    """An event that a follow fits, and how."""

    event: Event
    follow: str
    weight: float
    exclude: bool
    of: str
    band: Confidence
    field: str
    names: bool


def candidate(
    about: Event,
    *,
    follow: str = "serving",
    weight: float = 1.0,
    exclude: bool = False,
    of: str = "",
    band: Confidence = Confidence.SURELY,
    field: str = "abstract",
    names: bool = False,
) -> MatchedFollow:
    """A follow that fits an event; an exclusion takes papers from all follows, or from one ``of`` them."""
    return MatchedFollow(
        event=about, follow=follow, weight=weight, exclude=exclude, of=of, band=band, field=field, names=names
    )


def wishes_of(pairs: Sequence[MatchedFollow]) -> list[FollowMatch]:
    numbers = {
        follow: number for number, follow in enumerate(dict.fromkeys(match.follow for match in pairs), 1)
    }
    follow_matches: dict[tuple[str, float, bool], FollowMatch] = {}
    for match in pairs:
        number = numbers[match.follow]
        only = numbers[match.of] if match.of else 0
        key = match.follow, match.weight, match.exclude
        before = follow_matches.get(key) or FollowMatch(
            number, match.follow, match.weight, match.exclude, only, MatchedEvents(*[NO_EVENTS] * 6)
        )
        this = EventSet.from_positions([match.event.seq])
        by = match.band if match.field == "author" else Confidence.NOT
        how = (match.band >= 1, match.band >= 2, match.band >= 3, match.field == "title", by >= 2, by >= 3)
        matched = MatchedEvents(
            *(events | this if yes else events for events, yes in zip(before.matched, how, strict=True))
        )
        named = before.explicit | this if match.names else before.explicit
        follow_matches[key] = before._replace(matched=matched, explicit=named)
    return list(follow_matches.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedItem:
    event: Event
    part: EditionPart
    score: float
    follows: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedEdition:
    items: list[ComposedItem]
    rest: list[ComposedItem]
    dropped: int
    excluded: int


def composed(
    *pairs: MatchedFollow, limit: int = 25, entries: SentEvents = frozenset(), kinds: str = "new"
) -> ComposedEdition:
    """What a digest tells, each event at the place that its seq says."""
    events = {match.event.seq: match.event for match in pairs}
    window = describe_window(events.items())
    tellings = {seq: (event.paper.key, event.kind, event.number) for seq, event in events.items()}
    composition = compose(
        wishes_of(pairs),
        window,
        requested=window.select_eligible([EventKind(kind) for kind in kinds.split()]),
        sent=find_sent(entries, tellings),
        limit=limit,
    )
    why = {
        place: match_reasons
        for events, match_reasons in find_match_reasons(composition, window)
        for place in events
    }

    def shown(entries: Sequence[RankedItem]) -> list[ComposedItem]:
        return [
            ComposedItem(
                event=events[place],
                part=part,
                score=score,
                follows=[ground.match.follow for ground in why[place]],
            )
            for place, part, score in entries
        ]

    return ComposedEdition(
        items=shown(expand_ranked(composition.items)),
        rest=shown(expand_ranked(composition.overflow)),
        dropped=composition.dropped,
        excluded=composition.excluded,
    )


def seqs(composition: ComposedEdition) -> list[int]:
    return [item.event.seq for item in (*composition.items, *composition.rest)]


def test_people_come_before_words_and_titles_before_abstracts() -> None:
    result = composed(
        candidate(event(1)),
        candidate(event(2), field="title"),
        candidate(event(3), band=Confidence.LIKELY, field="author"),
        candidate(event(4), weight=3.0),
        candidate(event(5), band=Confidence.MAYBE, field="author"),
    )

    assert seqs(result) == [3, 4, 2, 1, 5]
    assert EditionPart.MAYBE is result.items[-1].part


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
    result = composed(candidate(event(1)), candidate(event(1), exclude=True, band=Confidence.MAYBE))

    assert seqs(result) == [1]


def test_every_reason_is_given_the_surest_first() -> None:
    (item,) = composed(
        candidate(event(1), follow="b", band=Confidence.MAYBE),
        candidate(event(1), follow="c"),
        candidate(event(1), follow="a"),
    ).items

    assert item.follows == ["a", "c", "b"]
    assert item.score == 3


def test_a_new_paper_is_told_once_whatever_was_told_of_it() -> None:
    entries = frozenset({(PaperKey("arxiv:00001"), EventKind.VERSION, 2)})

    assert seqs(composed(candidate(event(1)), entries=entries)) == []


def test_a_version_is_told_although_the_paper_was() -> None:
    entries = frozenset({(PaperKey("arxiv:00001"), EventKind.NEW, 0)})
    second = event(9, paper=1, kind=EventKind.VERSION, number=2)

    assert seqs(composed(candidate(second), entries=entries, kinds="new version")) == [9]
    assert seqs(composed(candidate(second), entries=entries)) == []
    again = entries | {(PaperKey("arxiv:00001"), EventKind.VERSION, 2)}
    assert seqs(composed(candidate(second), entries=again, kinds="new version")) == []


@pytest.mark.parametrize("kind", [EventKind.GROWN, EventKind.PICKED])
def test_a_paper_that_grew_or_was_picked_is_told_only_if_it_was_not(kind: EventKind) -> None:
    later = candidate(event(9, paper=1, kind=kind))
    key = PaperKey("arxiv:00001")

    assert seqs(composed(later, kinds="new picked")) == [9]
    for before in EventKind:
        entries = frozenset({(key, before, 0)})
        assert seqs(composed(later, kinds="new picked", entries=entries)) == []


@pytest.mark.parametrize("kind", [EventKind.PUBLISHED, EventKind.CODE, EventKind.TRENDING])
def test_a_publication_and_code_and_that_it_trends_are_told_once_although_the_paper_was(
    kind: EventKind,
) -> None:
    news = candidate(event(9, paper=1, kind=kind))
    entries = frozenset({(PaperKey("arxiv:00001"), EventKind.NEW, 0)})

    assert seqs(composed(news, kinds=kind, entries=entries)) == [9]
    assert seqs(composed(news, kinds=kind, entries=entries | {(PaperKey("arxiv:00001"), kind, 0)})) == []


def test_what_grew_is_told_wherever_what_is_new_is() -> None:
    grown = candidate(event(1, kind=EventKind.GROWN))

    assert seqs(composed(grown, kinds="new")) == [1]
    assert seqs(composed(grown, kinds="picked version published code trending")) == []


@given(st.sets(KINDS))
def test_a_paper_that_trends_is_told_only_where_that_is_asked_for(kinds: set[EventKind]) -> None:
    trending = event(9, paper=1, kind=EventKind.TRENDING)

    assert is_eligible(trending, kinds) == (EventKind.TRENDING in kinds)
    assert seqs(composed(candidate(trending), kinds="new picked")) == []
    assert seqs(composed(candidate(trending, names=True), kinds="new picked")) == [9]


@given(KINDS, st.sets(KINDS))
def test_a_withdrawn_paper_is_told_of_no_more_and_news_about_it_is(
    kind: EventKind, kinds: set[EventKind]
) -> None:
    recommends = kind in {EventKind.NEW, EventKind.GROWN, EventKind.PICKED, EventKind.TRENDING}

    assert is_eligible(event(1, kind=kind, withdrawn=True), kinds) == (
        is_eligible(event(1, kind=kind), kinds) and not recommends
    )


@given(st.permutations(tuple(EventKind)))
def test_a_paper_is_one_item_whatever_happened_to_it(order: list[EventKind]) -> None:
    lines = ["new", "grown", "picked", "published", "trending", "version", "code"]
    happened = {kind: event(seq, paper=1, kind=kind) for seq, kind in enumerate(order, start=1)}

    for number, kind in enumerate(lines):
        (item,) = composed(
            *(candidate(event) for name, event in happened.items() if name in lines[number:]),
            kinds=" ".join(lines),
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
    assert item.follows == ["a", "cs.DC"]
    assert item.score == 3


def test_parts_come_in_their_order_and_a_pick_that_is_only_maybe_stays_a_maybe() -> None:
    picked = EventKind.PICKED
    result = composed(
        candidate(event(1, kind=EventKind.CODE), weight=9),
        candidate(event(2, kind=EventKind.PUBLISHED)),
        candidate(event(3, kind=picked), weight=9),
        candidate(event(4, kind=picked), band=Confidence.MAYBE),
        candidate(event(5, kind=EventKind.GROWN)),
        kinds="new picked published code",
    )

    assert [(item.event.seq, item.part) for item in result.items] == [
        (5, EditionPart.SURELY),
        (4, EditionPart.MAYBE),
        (3, EditionPart.PICKED),
        (1, EditionPart.VERSIONS),
        (2, EditionPart.VERSIONS),
    ]


def test_only_an_event_that_is_not_its_papers_first_may_have_been_told() -> None:
    assert describe_window(
        [(3, event(1)), (4, replace(event(2), first=False))]
    ).repeats == EventSet.from_positions([4])


@given(
    st.lists(st.tuples(st.integers(1, 4), KINDS, st.integers(0, 3)), max_size=12, unique=True),
    st.sets(KINDS, min_size=1),
)
def test_over_any_number_of_editions_a_paper_is_told_once_and_each_piece_of_news_once(
    happened: list[tuple[int, EventKind, int]], kinds: set[EventKind]
) -> None:
    entries: SentEvents = frozenset()
    items: list[tuple[int, EventKind]] = []
    for seq, (paper, kind, number) in enumerate(happened, start=1):
        for item in composed(
            candidate(event(seq, paper=paper, kind=kind, number=number)),
            entries=entries,
            kinds=" ".join(kinds),
        ).items:
            entries |= {(item.event.paper.key, item.event.kind, item.event.number)}
            items.append((paper, item.event.kind))

    of_papers = {EventKind.NEW, EventKind.GROWN, EventKind.PICKED}
    assert len(entries) == len(items)
    for paper in range(1, 5):
        assert sum(item == paper and kind in of_papers for item, kind in items) <= 1


@given(st.sets(st.integers(1, 2000), max_size=1200), st.integers(1, 50))
def test_nothing_is_lost_between_items_rest_and_the_number_beyond(numbers: set[int], limit: int) -> None:
    result = composed(*(candidate(event(number)) for number in numbers), limit=limit)

    assert len(numbers) == len(result.items) + len(result.rest) + result.dropped
    assert len(result.items) <= limit
    assert len(result.rest) <= MAX_OVERFLOW
    assert sorted(seqs(result)) == seqs(result)


# --- exclusions of one follow ---------------------------------------------------------------------


def test_an_exclusion_of_one_follow_takes_papers_from_that_follow_alone() -> None:
    result = composed(
        candidate(event(1), follow="serving"),
        candidate(event(1), follow="graphs"),
        candidate(event(2), follow="serving"),
        candidate(event(3), follow="graphs"),
        *(candidate(event(seq), follow="survey", exclude=True, of="serving") for seq in (1, 2, 3)),
    )

    assert [(item.event.seq, item.follows, item.score) for item in result.items] == [
        (1, ["graphs"], 1.0),
        (3, ["graphs"], 1.0),
    ]
    assert result.excluded == 1


def test_a_paper_that_two_exclusions_take_out_is_counted_once_and_one_that_nobody_wanted_never() -> None:
    result = composed(
        candidate(event(1), follow="a"),
        candidate(event(2, paper=1, kind=EventKind.GROWN), follow="a"),
        candidate(event(1), follow="x", exclude=True),
        candidate(event(1), follow="y", exclude=True, of="a"),
        candidate(event(3), follow="x", exclude=True),
    )

    assert (seqs(result), result.excluded) == ([], 1)


def test_an_exclusion_takes_the_whole_paper_by_whichever_event_it_fits() -> None:
    version = event(2, paper=1, kind=EventKind.VERSION)
    expected = candidate(event(1)), candidate(version)

    result = composed(*expected, candidate(version, follow="x", exclude=True), kinds="new version")
    assert (seqs(result), result.excluded) == ([], 1)

    # What it would not be told of takes nothing from what it is.
    result = composed(*expected, candidate(version, follow="x", exclude=True), kinds="new")
    assert (seqs(result), result.excluded) == ([1], 0)


def test_what_was_told_is_not_counted_as_excluded() -> None:
    entries = frozenset({(PaperKey("arxiv:00001"), EventKind.NEW, 0)})
    pair = candidate(event(1)), candidate(event(1), follow="x", exclude=True)

    assert composed(*pair, entries=entries).excluded == 0


# --- follows that name a kind ---------------------------------------------------------------------


def test_a_follow_that_names_a_kind_is_told_of_it_whatever_kinds_the_digest_asks_for() -> None:
    version = event(2, paper=2, kind=EventKind.VERSION)
    result = composed(
        candidate(event(1), follow="graphs"),
        candidate(event(3, paper=3, kind=EventKind.VERSION), follow="graphs"),
        candidate(version, follow="versions of mine", names=True),
        candidate(version, follow="graphs"),
    )

    assert [(item.event.seq, item.part, item.follows) for item in result.items] == [
        (1, EditionPart.SURELY, ["graphs"]),
        (2, EditionPart.VERSIONS, ["versions of mine"]),
    ]


def test_what_a_follow_names_can_be_excluded_and_a_withdrawn_paper_is_not_told_for_it() -> None:
    version = event(1, kind=EventKind.VERSION)
    named = candidate(version, names=True)
    gone = event(2, kind=EventKind.PICKED, withdrawn=True)

    assert composed(named, candidate(version, follow="x", exclude=True)).excluded == 1
    assert seqs(composed(named, candidate(gone, follow="picks", names=True))) == [1]


# --- the same as pair by pair ---------------------------------------------------------------------

BANDS = st.sampled_from([Confidence.MAYBE, Confidence.LIKELY, Confidence.SURELY])
PAIRS = st.tuples(
    st.integers(0, 11), st.integers(0, 5), BANDS, st.booleans(), st.sampled_from(Confidence), st.booleans()
)
FOLLOWS = st.tuples(st.sampled_from([0.1, 0.2, 0.3, 1.0, 2.5]), st.booleans(), st.integers(0, 6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Events (paper, kind, withdrawn), follows (weight, exclude, only), and how these fit those."""

    happened: list[tuple[int, EventKind, bool]]
    follows: list[tuple[float, bool, int]]
    pairs: list[tuple[int, int, Confidence, bool, Confidence, bool]]
    kinds: set[EventKind]
    sent_events: set[int]
    limit: int


CASES = st.builds(
    Case,
    happened=st.lists(st.tuples(st.integers(1, 6), KINDS, st.booleans()), min_size=12, max_size=12),
    follows=st.lists(FOLLOWS, min_size=6, max_size=6),
    pairs=st.lists(PAIRS, max_size=40, unique_by=lambda pair: pair[:2]),
    kinds=st.sets(KINDS),
    sent_events=st.sets(st.integers(0, 11), max_size=3),
    limit=st.integers(1, 4),
)


@settings(max_examples=200)
@given(CASES)
def test_all_papers_together_are_composed_as_pair_by_pair(case: Case) -> None:
    happened, follows, pairs, kinds, entries = (
        case.happened,
        case.follows,
        case.pairs,
        case.kinds,
        case.sent_events,
    )
    withdrawn = {paper: gone for paper, _, gone in happened}
    events = [
        event(seq, paper=paper, kind=kind, number=seq, withdrawn=withdrawn[paper])
        for seq, (paper, kind, _) in enumerate(happened)
    ]
    before = frozenset((events[seq].paper.key, events[seq].kind, events[seq].number) for seq in entries)
    candidates = [
        Candidate(
            event=events[seq],
            follow=wish,
            query=wish + 1,
            weight=follows[wish][0],
            exclude=follows[wish][1],
            only=follows[wish][2] if follows[wish][1] else 0,
            confidence=band,
            in_title=in_title,
            by_author=min(by, band),
            named=named and not follows[wish][1],
        )
        for seq, wish, band, in_title, by, named in pairs
    ]

    window = describe_window(enumerate(events))
    tellings = {seq: (event.paper.key, event.kind, event.number) for seq, event in enumerate(events)}
    composition = compose(
        [_wish(number, follow, candidates) for number, follow in enumerate(follows)],
        window,
        requested=window.select_eligible(kinds),
        sent=find_sent(before, tellings),
        limit=case.limit,
    )

    plain = compose_naively(candidates, kinds=kinds, limit=case.limit, entries=before)
    assert (
        NaiveComposition(
            expand_ranked(composition.items),
            expand_ranked(composition.overflow),
            composition.dropped,
            composition.excluded,
        )
        == plain
    )


def _wish(number: int, follow: tuple[float, bool, int], candidates: Sequence[Candidate]) -> FollowMatch:
    mine = [candidate for candidate in candidates if candidate.follow == number]

    def events(*places: Candidate) -> EventSet:
        return EventSet.from_positions(candidate.event.seq for candidate in places)

    matched = MatchedEvents(
        events(*mine),
        events(*(candidate for candidate in mine if candidate.confidence >= Confidence.LIKELY)),
        events(*(candidate for candidate in mine if candidate.confidence >= Confidence.SURELY)),
        events(*(candidate for candidate in mine if candidate.in_title)),
        events(*(candidate for candidate in mine if candidate.by_author >= Confidence.LIKELY)),
        events(*(candidate for candidate in mine if candidate.by_author >= Confidence.SURELY)),
    )
    weight, exclude, only = follow
    named = events(*(candidate for candidate in mine if candidate.named))
    return FollowMatch(number + 1, str(number), weight, exclude, only if exclude else 0, matched, named)


@given(st.lists(st.tuples(st.integers(0, 5), BANDS), min_size=1, unique_by=lambda pair: pair[0]))
def test_every_paper_told_has_its_follows_and_how_surely_each_fits(
    fits: list[tuple[int, Confidence]],
) -> None:
    about = event(7)
    window = describe_window([(7, about)])
    wishes = wishes_of([candidate(about, follow=str(follow), band=band) for follow, band in fits])

    composition = compose(wishes, window, requested=EventSet.from_positions([7]), sent=NO_EVENTS, limit=1)

    ((row, why),) = find_match_reasons(composition, window)
    entries = [(ground.match.follow, ground.confidence) for ground in why]
    assert list(row) == [7]
    assert entries == [
        (str(follow), band) for follow, band in sorted(fits, key=lambda pair: (-pair[1], pair[0]))
    ]
