"""What a query finds, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from digest.core.matching.bitmaps import MatchBitmaps, list_positions
from digest.jobs.matching.match import match
from digest.jobs.matching.query_preview import PaperMatch, choose_examples, load_events, try_query
from digest.model import Author, Confidence, Event, EventKind, Listing, ListingKind, Paper
from digest.store.database.engine import Store, get_highest_seq
from digest.store.database.tables.digests import queries
from digest.store.matching import matches
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    DAY,
    NOW,
    announce,
    declare,
    make_digest,
    make_new_listing,
    make_paper,
    make_replacement,
)
from tests.support.call_count import count_calls
from tests.support.cases import for_each_case


def picked(paper: Paper) -> Listing:
    return Listing(kind=ListingKind.PICKED, paper=paper)


def titled(number: int, title: str, **facts: object) -> Listing:
    return make_new_listing(number, title=title, **facts)


def papers_of(store: Store, matches: tuple[PaperMatch, ...]) -> list[Event]:
    events = load_events(store, matches)
    return [events[match.seq] for match in matches]


def told(store: Store, matches: tuple[PaperMatch, ...]) -> list[tuple[str, EventKind]]:
    return [(event.paper.key[-5:], event.kind) for event in papers_of(store, matches)]


def test_a_query_is_tried_on_what_is_new_or_picked_and_on_each_paper_once(store: Store) -> None:
    announce(
        store,
        make_new_listing(1),
        make_new_listing(2, version=1),
        picked(make_paper(2)),
        picked(make_paper(3)),
        make_replacement(4, 2),
        Listing(kind=ListingKind.NEW, paper=replace(make_paper(5), withdrawn=True)),
    )
    announce(store, picked(make_paper(1)), day=DAY + timedelta(days=1))

    tried = try_query(store, "paper", 30, NOW)

    assert [(day.day, day.checked, day.sure, day.maybe) for day in tried.days] == [(DAY, 3, 3, 0)]
    assert told(store, tried.matches) == [
        ("00001", EventKind.NEW),
        ("00002", EventKind.NEW),
        ("00003", EventKind.PICKED),
    ]


def test_days_before_those_asked_for_are_not_looked_at(store: Store) -> None:
    announce(store, make_new_listing(1), day=DAY - timedelta(days=31))
    announce(store, make_new_listing(2), day=DAY - timedelta(days=3))

    assert told(store, try_query(store, "paper", 30, NOW).matches) == [("00002", EventKind.NEW)]
    assert len(try_query(store, "paper", 31, NOW).matches) == 2


def test_a_query_that_names_a_kind_is_asked_of_such_events_and_all_else_stays_as_it_is(store: Store) -> None:
    announce(
        store,
        make_new_listing(1),
        make_replacement(2, 3),
        titled(3, "Graphs"),
        make_replacement(4, 2, title="Graphs"),
    )

    assert told(store, try_query(store, "kind:version paper", 30, NOW).matches) == [
        ("00002", EventKind.VERSION)
    ]
    assert told(store, try_query(store, "graphs OR (paper kind:version)", 30, NOW).matches) == [
        ("00002", EventKind.VERSION),
        ("00003", EventKind.NEW),
    ]


def test_the_surest_stand_first_then_most_words_in_the_title_then_the_newest(store: Store) -> None:
    older = DAY - timedelta(days=1)
    announce(store, titled(1, "Graphs"), titled(2, "Other", authors=["G. Graph"]), day=older)
    announce(store, titled(3, "Else", authors=["Gerda Graph"]), titled(4, "A graph"), make_new_listing(5))

    tried = try_query(store, 'graph OR author:"Gerda Graph"', 30, NOW)

    assert [
        (event.paper.key[-1], match.confidence)
        for event, match in zip(papers_of(store, tried.matches), tried.matches, strict=True)
    ] == [
        ("4", Confidence.SURELY),
        ("1", Confidence.SURELY),
        ("3", Confidence.LIKELY),
        ("2", Confidence.MAYBE),
    ]
    assert [(day.sure, day.maybe) for day in tried.days] == [(1, 1), (2, 0)]


def test_examples_show_each_alternative_before_they_show_one_twice(store: Store) -> None:
    titles = ["Graphs", "Graphs again", "Graphs and trees", "Trees", "Graphs", "Lattices"]
    announce(store, *(titled(number, title) for number, title in enumerate(titles, start=1)))

    matches = try_query(store, "(graph OR tree OR lattice) -paper", 30, NOW).matches

    assert [event.paper.title for event in papers_of(store, choose_examples(matches, 2))] == [
        "Graphs and trees",
        "Lattices",
    ]
    assert [event.paper.title for event in papers_of(store, choose_examples(matches, 3))] == [
        "Graphs and trees",
        "Graphs",
        "Lattices",
    ]
    assert choose_examples(matches, 10) == matches


def test_where_nothing_is_found_it_is_said_what_would_be_without_each_part(store: Store) -> None:
    announce(store, titled(1, "Graphs"), titled(2, "Graph networks"), titled(3, "Networks of graphs"))

    tried = try_query(store, 'title:graph "networks of trees" NOT paper', 30, NOW)

    assert not tried.matches
    assert [
        (relaxed_query.removed_text, str(relaxed_query.query), papers)
        for relaxed_query, papers in tried.wider
    ] == [
        ('"networks of trees"', "title:graph AND NOT paper", 3),
        ('of trees in "networks of trees"', "title:graph AND networks AND NOT paper", 2),
        ("title:graph", '"networks of trees" AND NOT paper', 0),
        ("NOT paper", 'title:graph AND "networks of trees"', 0),
        ("title: before graph", 'graph AND "networks of trees" AND NOT paper', 0),
        (
            'the quotes around "networks of trees"',
            "title:graph AND (networks AND of AND trees) AND NOT paper",
            0,
        ),
        ('networks of in "networks of trees"', "title:graph AND trees AND NOT paper", 0),
    ]
    assert tried.lacking == ('"networks of trees"',)


def test_what_would_be_found_otherwise_is_told_only_where_nothing_is(store: Store) -> None:
    announce(store, titled(1, "Graphs"))

    tried = try_query(store, "graph -tree", 30, NOW)

    assert (len(tried.matches), tried.wider, tried.lacking) == (1, (), ())


def test_as_much_as_can_be_asked_for_is_tried_on_many_papers_with_little_work_for_each(store: Store) -> None:
    words = [f"{first}{second}n{third}" for first in "bdfgklmr" for second in "aeiou" for third in "aeiou"]
    of_paper = [words[number % 200 :: 7] for number in range(200)]
    announce(store, *(titled(number, " ".join(values)) for number, values in enumerate(of_paper, start=1)))
    query = " OR ".join(f"{word}*" for word in words[:199])
    try_query(store, query, 30, NOW)  # what is read once for all is there now

    count = count_calls(lambda: try_query(store, query, 30, NOW))

    assert count - count_calls(lambda: try_query(store, "elephants", 30, NOW)) < 200 * 1_000


def test_how_far_it_is_is_told(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    heard: list[tuple[str, int, int]] = []

    for query in ("paper", "elephants"):
        try_query(store, query, 30, NOW, report_progress=lambda *how_far: heard.append(how_far))

    assert heard == [("Asking papers", 0, 2), ("Asking papers", 0, 2), ("Trying broader queries", 0, 2)]


ORCID = "0000-0002-1825-0097"


@pytest.fixture
def namesakes(store: Store) -> Store:
    """Three papers each of two who are named Wei Wang, one paper with the first one's id, and another one's paper."""
    here, there = ("Shiru Ren", "Yuxiong He", "Minjia Zhang"), ("Rui Gong", "Dengxin Dai", "Luc Van Gool")
    announce(
        store,
        *(make_new_listing(number, authors=["Wei Wang", *here], categories=["cs.DC"]) for number in (1, 2)),
        Listing(
            kind=ListingKind.NEW,
            paper=replace(
                make_paper(3, categories=["cs.DC"]),
                authors=(Author("Wei Wang", (), (("orcid", ORCID),)), *map(Author, here)),
            ),
        ),
        *(
            make_new_listing(number, authors=["Wei Wang", *there], categories=["cs.RO"])
            for number in (4, 5, 6)
        ),
        make_new_listing(7, authors=["Rare Name"]),
    )
    return store


@for_each_case(
    ("query", "expected"),
    [
        ('author:"Rare Name"', {"7": Confidence.LIKELY}),
        ('author:"Wei Wang"', dict.fromkeys("123456", Confidence.MAYBE)),
        (f"author:orcid:{ORCID}", {"1": Confidence.LIKELY, "2": Confidence.LIKELY, "3": Confidence.SURELY}),
        (
            f'author:("Wei Wang" orcid:{ORCID})',
            {"1": Confidence.LIKELY, "2": Confidence.LIKELY, "3": Confidence.SURELY}
            | dict.fromkeys("456", Confidence.MAYBE),
        ),
        ('paper -author:"Rare Name"', dict.fromkeys("123456", Confidence.SURELY)),
        ('paper -author:"Wei Wang"', dict.fromkeys("1234567", Confidence.SURELY)),
        (f"paper -author:orcid:{ORCID}", dict.fromkeys("4567", Confidence.SURELY)),
        (
            f'author:"Rare Name" OR (category:cs.DC author:orcid:{ORCID})',
            {"1": Confidence.LIKELY, "2": Confidence.LIKELY, "3": Confidence.SURELY, "7": Confidence.LIKELY},
        ),
    ],
)
def test_who_signed_is_known_as_it_is_when_papers_are_matched(
    namesakes: Store, query: str, expected: dict[str, Confidence]
) -> None:
    matches = try_query(namesakes, query, 30, NOW).matches

    assert {
        event.paper.key[-1]: match.confidence
        for event, match in zip(papers_of(namesakes, matches), matches, strict=True)
    } == expected


ASKED = (
    "paper",
    "paper -category:cs.DC",
    'author:"Wei Wang"',
    f'author:("Wei Wang" orcid:{ORCID})',
    f"category:cs.RO OR author:orcid:{ORCID}",
    'paper NOT (category:cs.RO OR author:"Rare Name")',
    "kind:new primary:cs.DC",
)


def test_what_is_tried_is_found_in_the_same_bands_when_it_is_followed(namesakes: Store) -> None:
    declare(namesakes, make_digest(queries=ASKED))
    match(namesakes)

    with namesakes.begin_read() as tx:
        numbers = {row.text: row.id for row in tx.execute(select(queries))}
        hits = matches.load_hits(tx, numbers.values(), 0, get_highest_seq(tx))
    for text, number in numbers.items():
        tried = try_query(namesakes, text, 30, NOW).matches
        assert {match.seq: match.confidence for match in tried} == bands(hits[number]), text


def bands(rows: MatchBitmaps) -> dict[int, Confidence]:
    """The bands of hits in a window that begins with the first event, by seq."""
    return {
        place + 1: Confidence(1 + (rows.likely >> place & 1) + (rows.surely >> place & 1))
        for place in list_positions(rows.maybe)
    }


@postgres_if_long
def test_of_a_query_that_finds_very_many_the_last_whole_days_are_asked_about_unless_all_are_wanted(
    store: Store,
) -> None:
    for day in range(4):
        listed = [
            make_new_listing(700 * day + number) for number in range(1, 701)
        ]  # a block ends within a day
        announce(store, *listed, day=DAY - timedelta(days=4 - day))

    few = try_query(store, "paper", 30, NOW, max_papers=1050)
    query_preview = try_query(store, "paper", 30, NOW, max_papers=3500)

    assert (few.since, few.checked, len(few.matches)) == (DAY - timedelta(days=2), 1400, 1400)
    assert (query_preview.since, query_preview.checked, len(query_preview.matches)) == (None, 2800, 2800)
    assert few.days == query_preview.days[2:]
    assert try_query(store, "nothing", 30, NOW, max_papers=1050).since is None
