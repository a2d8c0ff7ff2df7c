"""What a reader said is listed once, survives that papers become one, and is taken back whole, by its reader only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from sqlalchemy import insert, select, update

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_records import GivenAnswer, GivenOpinion, choose_range
from digest.jobs import person_edits
from digest.jobs.people.persons import find_byline
from digest.jobs.subscribers.own_digests import NotOwnError
from digest.jobs.subscribers.own_records.records import OwnRecords
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.database.tables.digests import destinations, digests, feedback, follows, opinions
from digest.store.database.tables.papers import authorships
from digest.store.papers import papers
from digest.store.subscribers import opinions as opinion_rows
from tests.jobs.subscribers.test_public_digests import make_public
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    harvest,
    make_article,
    make_new_listing,
    run_concurrently,
)
from tests.support.cases import for_each_case

ADA = "Ada Lovelace"
DOI = "10.1000/one"
FIRST, SECOND, ARTICLE = PaperKey("arxiv:2606.00001"), PaperKey("arxiv:2606.00002"), PaperKey(f"doi:{DOI}")


class Reader:
    """A reader with a digest that has a feed, and two papers."""

    def __init__(self, store: Store) -> None:
        self.store = store
        with store.begin_planning() as tx:
            public = make_public(queries=("caches", "tables"))
            destination = subscribe(tx, public, "me@example.org", language="de", zone="Asia/Tokyo", now=NOW)
            statement = (
                select(digests.c.id, digests.c.subscriber_id)
                .join(destinations, destinations.c.digest_id == digests.c.id)
                .where(destinations.c.id == destination)
            )
            self.digest, self.subscriber = tx.execute(statement).one()
            tx.execute(update(digests).values(feed=True))
        announce(store, *(make_new_listing(number, authors=(ADA,)) for number in (1, 2)))
        self.records = OwnRecords(store=store, subscriber=self.subscriber)

    def say(self, opinion: Opinion, key: PaperKey = FIRST, at: datetime = NOW) -> None:
        with self.store.begin_write() as tx:
            paper = papers.find_papers(tx, [key])[key]
            query = tx.execute(
                select(follows.c.query_id).where(follows.c.digest_id == self.digest).limit(1)
            ).scalar_one()
            opinion_rows.save_opinion(tx, self.digest, paper, opinion, queries=[query], at=at)
            opinion_rows.update_learned_weights(tx, self.digest)

    def answer(self, key: PaperKey = FIRST, at: datetime = NOW, *, yes: bool) -> None:
        with self.store.begin_write() as tx:
            person_edits.record_verdict(tx, self.digest, find_byline(tx, f"{key}#1"), at, yes=yes)

    def list_given(self) -> list[GivenOpinion | GivenAnswer]:
        return list(self.records.list_feedback(self.digest, 1)[1].entries)

    def load_state(self) -> list[tuple[object, ...]]:
        with self.store.begin_read() as tx:
            return [
                tuple(row)
                for table in (digests, follows, opinions, feedback)
                for row in tx.execute(select(table).order_by(*table.primary_key))
            ]


@pytest.fixture
def reader(store: Store) -> Reader:
    return Reader(store)


def test_what_was_said_is_listed_latest_first(reader: Reader) -> None:
    reader.say(Opinion.MORE, FIRST)
    reader.say(Opinion.SAVED, FIRST, add_to_now(minutes=1))
    reader.answer(SECOND, add_to_now(minutes=2), yes=False)
    reader.say(Opinion.LESS, SECOND, add_to_now(minutes=3))

    less, answer, more = reader.list_given()

    assert isinstance(less, GivenOpinion)
    assert (less.paper.key, less.opinion) == (SECOND, Opinion.LESS)
    assert isinstance(answer, GivenAnswer)
    assert (answer.paper.key, answer.position, answer.name, answer.yes) == (SECOND, 0, ADA, False)
    assert isinstance(more, GivenOpinion)
    assert (more.paper.key, more.opinion) == (FIRST, Opinion.MORE)
    _, saved = reader.records.load_saved(reader.digest)
    assert [entry.paper.key for entry in saved] == [FIRST]


def test_of_papers_that_have_become_one_the_last_word_counts_and_all_are_taken_back(reader: Reader) -> None:
    before = reader.load_state()
    harvest(reader.store, make_article(DOI))
    for opinion, key, minutes in ((Opinion.MORE, ARTICLE, 1), (Opinion.LESS, FIRST, 2)):
        reader.say(opinion, key, add_to_now(minutes=minutes))
    harvest(reader.store, make_article(DOI, ids=(("arxiv", FIRST.partition(":")[2]),)))

    (given,) = reader.list_given()
    assert isinstance(given, GivenOpinion)
    assert given.opinion is Opinion.LESS
    reader.records.revoke_rating(reader.digest, given.paper.key)

    assert reader.load_state() == before


def test_of_answers_about_one_author_the_last_one_is_listed_and_taken_back_with_the_others(
    reader: Reader,
) -> None:
    before = reader.load_state()
    reader.answer(yes=True)
    reader.answer(yes=False, at=add_to_now(minutes=1))
    with reader.store.begin_write() as tx:  # as it was stored when the author was printed in another way
        row = dict(tx.execute(select(feedback)).one()._mapping)
        tx.execute(insert(feedback).values(row | {"name": "A. Lovelace", "yes": True, "at": NOW}))

    (given,) = reader.list_given()
    assert isinstance(given, GivenAnswer)
    assert (given.name, given.yes) == (ADA, False)
    reader.records.revoke_answer(reader.digest, given.paper.key, given.position, given.name)

    assert reader.load_state() == before


def test_an_answer_about_an_author_who_is_no_longer_there_can_still_be_taken_back(reader: Reader) -> None:
    before = reader.load_state()
    reader.answer(yes=True)
    with reader.store.begin_write() as tx:
        tx.execute(update(authorships).values(name="Grace Hopper", block="hopper g"))

    (given,) = reader.list_given()
    assert isinstance(given, GivenAnswer)
    assert given.name == ADA
    reader.records.revoke_answer(reader.digest, given.paper.key, given.position, given.name)

    assert reader.load_state() == before


def test_long_lists_have_pages(reader: Reader) -> None:
    announce(reader.store, *(make_new_listing(number) for number in range(3, 61)))
    for number in range(1, 61):
        reader.say(Opinion.SAVED, PaperKey(f"arxiv:2606.{number:05}"), add_to_now(minutes=number))
        reader.say(Opinion.MORE, PaperKey(f"arxiv:2606.{number:05}"), add_to_now(minutes=number))

    pages = [reader.records.list_saved(reader.digest, number)[1] for number in (1, 2, 3)]
    given = [reader.records.list_feedback(reader.digest, number)[1] for number in (1, 2, 3)]

    assert [(len(page.entries), page.number, page.pages) for page in pages] == [
        (50, 1, 2),
        (10, 2, 2),
        (10, 2, 2),
    ]
    assert [(len(page.entries), page.number, page.pages) for page in given] == [
        (50, 1, 2),
        (10, 2, 2),
        (10, 2, 2),
    ]
    keys = [entry.paper.key for page in pages[:2] for entry in page.entries]
    assert keys == [f"arxiv:2606.{number:05}" for number in range(60, 0, -1)]


def test_two_clicks_at_the_same_time_renew_the_feeds_once(reader: Reader) -> None:
    def renew() -> bool:
        return reader.records.renew_feeds(reader.digest, 0) is not None

    assert sorted(run_concurrently(*[renew] * 4)) == [False, False, False, True]

    (feed,) = reader.records.list_feeds()
    assert (feed.digest, feed.version) == (reader.digest, 1)
    assert reader.records.load_feed_digest(reader.digest).feed_version == 1


def test_revoking_at_the_same_time_is_revoking_once(reader: Reader) -> None:
    before = reader.load_state()
    reader.say(Opinion.MORE)
    reader.answer(yes=True)

    run_concurrently(
        *[lambda: reader.records.revoke_rating(reader.digest, FIRST)] * 2,
        *[lambda: reader.records.revoke_answer(reader.digest, FIRST, 0, ADA)] * 2,
    )

    assert reader.load_state() == before


ACTIONS: dict[str, Callable[[OwnRecords, int], object]] = {
    "list editions": lambda records, digest: records.list_editions(digest, 1),
    "list saved": lambda records, digest: records.list_saved(digest, 1),
    "load saved": lambda records, digest: records.load_saved(digest),
    "remove saved": lambda records, digest: records.remove_saved(digest, FIRST),
    "list feedback": lambda records, digest: records.list_feedback(digest, 1),
    "revoke rating": lambda records, digest: records.revoke_rating(digest, FIRST),
    "revoke answer": lambda records, digest: records.revoke_answer(digest, FIRST, 0, ADA),
    "load feeds": lambda records, digest: records.load_feed_digest(digest),
    "renew feeds": lambda records, digest: records.renew_feeds(digest, 0),
}


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_nobody_else_sees_or_changes_anything(reader: Reader, action: str) -> None:
    for opinion in (Opinion.MORE, Opinion.SAVED):
        reader.say(opinion)
    reader.answer(yes=True)
    before = reader.load_state()

    for subscriber in (0, reader.subscriber + 1):
        with pytest.raises(NotOwnError):
            ACTIONS[action](OwnRecords(store=reader.store, subscriber=subscriber), reader.digest)
    with pytest.raises(NotOwnError):
        ACTIONS[action](reader.records, 1 << 63)

    assert reader.load_state() == before
    assert OwnRecords(store=reader.store, subscriber=0).list_feeds() == ()


@for_each_case(
    ("number", "total", "shown"),
    [
        (1, 0, (1, 1, 0, 0)),
        (7, 0, (1, 1, 0, 0)),
        (1, 20, (1, 1, 0, 20)),
        (1, 21, (1, 2, 0, 20)),
        (2, 21, (2, 2, 20, 21)),
        (3, 21, (2, 2, 20, 21)),
        (2, 40, (2, 2, 20, 40)),
    ],
)
def test_a_page_shows_its_part_of_a_list(number: int, total: int, shown: tuple[int, ...]) -> None:
    page = choose_range(number, total, 20)

    assert (page.number, page.pages, page.start, page.end) == shown
