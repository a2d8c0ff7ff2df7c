"""What a reader says of a paper is felt in the next edition, as far as it says and no further."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import find_digest
from digest.jobs.matching.match import match
from digest.jobs.subscribers import opinions
from digest.jobs.subscribers.opinions import EditionPaper, FollowedAuthor
from digest.model import Edition
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.editions import editions
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    declare,
    make_digest,
    make_new_listing,
    run_concurrently,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")
MONDAY = NOW + timedelta(days=3)
ADA = "Ada Lovelace"


def run(store: Store, now: datetime) -> Edition:
    """A cycle; its edition."""
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)
    with store.begin_read() as tx:
        return editions.load_last(tx, find_digest(tx, "systems").id, 1)[0]


def titles(edition: Edition) -> list[str]:
    return [item.paper.title for item in (*edition.items, *edition.overflow)]


def begun(store: Store, *queries: str, limit: int = 25) -> Edition:
    """An edition that told a paper about each query."""
    declare(store, make_digest(queries=queries, exclude=["gamma"], limit=limit))
    about = [query for query in queries if not query.startswith("author:")]
    announce(store, *(make_new_listing(n, title=f"On {query}") for n, query in enumerate(about, start=1)))
    return run(store, NOW)


def number_of(edition: Edition, title: str) -> int:
    return titles(edition).index(title) + 1


def say(store: Store, edition: Edition, title: str, opinion: Opinion, *, at: datetime = NOW) -> EditionPaper:
    edition_paper = opinions.save_opinion(store, edition.id, number_of(edition, title), opinion, at)
    assert edition_paper is not None
    return edition_paper


def judged(store: Store, edition: Edition, number: int, *, yes: bool | None) -> EditionPaper:
    edition_paper = opinions.save_author_verdict(store, edition.id, number, ADA, NOW, yes=yes)
    assert edition_paper is not None
    return edition_paper


@pytest.mark.parametrize(
    ("opinion", "first"), [(Opinion.MORE, "Of beta"), (Opinion.LESS, "Of alpha"), (Opinion.SAVED, "Of alpha")]
)
def test_papers_like_one_that_was_liked_stand_higher_the_next_time(
    store: Store, opinion: Opinion, first: str
) -> None:
    edition = begun(store, "alpha", "beta")
    assert titles(edition) == ["On alpha", "On beta"]

    edition_paper = say(store, edition, "On beta", opinion)

    assert (edition_paper.opinions, [follow.text for follow in edition_paper.brought_by]) == (
        frozenset({opinion}),
        ["beta"],
    )
    announce(
        store,
        make_new_listing(11, title="Of alpha"),
        make_new_listing(12, title="Of beta"),
        make_new_listing(13, title="Of gamma beta"),
    )
    later_on = run(store, MONDAY)
    assert titles(later_on)[0] == first
    assert sorted(titles(later_on)) == ["Of alpha", "Of beta"]


def test_what_is_taken_back_is_not_felt(store: Store) -> None:
    edition = begun(store, "alpha", "beta")
    say(store, edition, "On beta", Opinion.MORE)

    edition_paper = opinions.withdraw_opinion(store, edition.id, number_of(edition, "On beta"), Opinion.MORE)

    assert edition_paper is not None
    assert edition_paper.opinions == frozenset()
    announce(store, make_new_listing(11, title="Of alpha"), make_new_listing(12, title="Of beta"))
    scores = {item.paper.title: item.score for item in run(store, MONDAY).items}
    assert scores == {"Of alpha": 1.0, "Of beta": 1.0}


def test_the_rest_goes_on_counting_and_there_is_nothing_behind_it(store: Store) -> None:
    edition = begun(store, "alpha", "beta", "delta", limit=1)
    assert (len(edition.items), len(edition.overflow)) == (1, 2)

    edition_papers = [opinions.load_edition_paper(store, edition.id, number) for number in range(5)]

    assert [edition_paper and edition_paper.item.paper.title for edition_paper in edition_papers] == [
        None,
        *titles(edition),
        None,
    ]
    assert opinions.load_edition_paper(store, 999, 1) is None
    assert opinions.save_opinion(store, edition.id, 4, Opinion.MORE, NOW) is None


def test_at_once_from_many_hands_it_is_said_once(store: Store) -> None:
    edition = begun(store, "alpha", "beta")

    run_concurrently(*(lambda which=which: say(store, edition, "On beta", which) for which in RATINGS * 3))

    edition_paper = opinions.load_edition_paper(store, edition.id, number_of(edition, "On beta"))
    assert edition_paper is not None
    [liking] = edition_paper.opinions
    assert [follow.learned for follow in edition_paper.brought_by] == [1.1 if liking is Opinion.MORE else 0.9]


def test_a_follow_that_has_ended_learns_nothing_from_what_it_brought(store: Store) -> None:
    edition = begun(store, "alpha", "beta")
    declare(store, make_digest(queries=("alpha",), exclude=["gamma"]))

    edition_paper = say(store, edition, "On beta", Opinion.MORE)

    assert not edition_paper.brought_by
    assert edition_paper.opinions == {Opinion.MORE}


def test_not_this_person_keeps_that_person_s_papers_out_until_it_is_taken_back(store: Store) -> None:
    both = (ADA, "Charles Babbage")  # a co-author tells which Ada Lovelace it is; a category would not
    declare(store, make_digest(queries=["alpha", f'author:"{ADA}"'], exclude=["gamma"]))
    announce(store, make_new_listing(1, title="On alpha", authors=both))
    edition = run(store, NOW)
    edition_paper = opinions.load_edition_paper(store, edition.id, 1)
    assert edition_paper is not None
    assert edition_paper.persons == (FollowedAuthor(name=ADA, yes=None),)

    assert judged(store, edition, 1, yes=False).persons == (FollowedAuthor(name=ADA, yes=False),)
    assert judged(store, edition, 1, yes=False) == judged(store, edition, 1, yes=False)
    assert judged(store, edition, 1, yes=True).persons == (FollowedAuthor(name=ADA, yes=True),)
    assert judged(store, edition, 1, yes=None).persons == (FollowedAuthor(name=ADA, yes=None),)

    judged(store, edition, 1, yes=False)
    announce(
        store,
        make_new_listing(11, title="Of alpha", authors=both),
        make_new_listing(12, title="Of omega", authors=both),
    )
    assert titles(run(store, MONDAY)) == ["Of alpha"]


def test_of_two_authors_of_one_name_nobody_is_asked_who_is_meant(store: Store) -> None:
    declare(store, make_digest(queries=[f'author:"{ADA}"']))
    announce(store, make_new_listing(1, authors=(ADA, "Charles Babbage", ADA)))
    edition = run(store, NOW)

    edition_paper = opinions.load_edition_paper(store, edition.id, 1)

    assert edition_paper is not None
    assert edition_paper.persons == ()


def test_what_is_saved_is_taken_out_by_the_paper(store: Store) -> None:
    edition = begun(store, "alpha", "beta")
    say(store, edition, "On alpha", Opinion.SAVED)
    say(store, edition, "On beta", Opinion.SAVED, at=add_to_now(minutes=1))
    with store.begin_read() as tx:
        saved = opinions.list_saved(tx)
    assert [saved_paper.paper.title for saved_paper in saved] == ["On beta", "On alpha"]

    with store.begin_write() as tx:
        opinions.remove_saved(tx, find_digest(tx, "systems").id, saved[0].paper.key)

    with store.begin_read() as tx:
        assert opinions.list_saved(tx) == saved[1:]
