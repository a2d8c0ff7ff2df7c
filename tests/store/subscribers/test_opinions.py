"""What readers said of papers is kept once, survives that papers become one, and is taken back whole."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select

from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.database.tables.digests import opinions as table
from digest.store.papers import papers
from digest.store.subscribers import opinions
from digest.store.subscribers.digests import Digest
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    declare,
    harvest,
    load_active_digests,
    make_article,
    make_digest,
    make_new_listing,
    run_concurrently,
)

DOI = "10.1000/one"
PREPRINT, ARTICLE = PaperKey("arxiv:2606.00001"), PaperKey(f"doi:{DOI}")
MORE, LESS, SAVED = Opinion.MORE, Opinion.LESS, Opinion.SAVED


def begin(store: Store) -> None:
    """A digest with two follows and an exclusion, and a paper."""
    declare(store, make_digest(queries=("a", "b"), exclude=("x",)))
    announce(store, make_new_listing(1), make_new_listing(2))


def the(store: Store) -> Digest:
    with store.begin_read() as tx:
        [active_digests] = load_active_digests(tx)
    return active_digests


def number(store: Store, key: PaperKey) -> int:
    with store.begin_read() as tx:
        count = papers.find_papers(tx, [key])[key]
        return papers.load_roots(tx, [count])[count]


def say(
    store: Store, opinion: Opinion, key: PaperKey = PREPRINT, *, because_of: str = "a", at: datetime = NOW
) -> None:
    one = the(store)
    queries = {follow.query for follow in one.follows if follow.text in because_of.split()}
    paper = number(store, key)
    with store.begin_write() as tx:
        opinions.lock_digest(tx, one.id)
        opinions.save_opinion(tx, one.id, paper, opinion, queries=queries, at=at)
        opinions.update_learned_weights(tx, one.id)


def take_back(store: Store, key: PaperKey = PREPRINT) -> None:
    one, paper = the(store), number(store, key)
    with store.begin_write() as tx:
        opinions.withdraw_opinions(tx, one.id, paper, Opinion)
        opinions.update_learned_weights(tx, one.id)


def learned(store: Store) -> dict[str, float]:
    return {follow.text: follow.learned for follow in the(store).follows if follow.learned != 1}


def said(store: Store, key: PaperKey = PREPRINT) -> set[Opinion]:
    one, paper = the(store), number(store, key)
    with store.begin_read() as tx:
        return set(opinions.load_opinions(tx, one.id, paper))


def rows(store: Store) -> int:
    with store.begin_read() as tx:
        return tx.execute(select(func.count()).select_from(table)).scalar_one()


def test_follows_learn_from_the_papers_that_they_brought(store: Store) -> None:
    begin(store)

    say(store, MORE)
    say(store, LESS, PaperKey("arxiv:2606.00002"), because_of="a b", at=add_to_now(minutes=1))

    assert learned(store) == {"a": 0.99, "b": 0.9}
    assert [follow.effective_weight for follow in the(store).follows] == [0.99, 0.9, 1.0]


def test_said_twice_is_said_once_and_keeps_its_time(store: Store) -> None:
    begin(store)

    for minute in range(3):
        say(store, SAVED, at=add_to_now(minutes=minute))
        say(store, MORE, at=add_to_now(minutes=minute))

    assert learned(store) == {"a": 1.1}
    assert rows(store) == 2
    with store.begin_read() as tx:
        assert [saved_paper_record.at for saved_paper_record in opinions.list_saved(tx)] == [NOW]


def test_what_is_taken_back_leaves_nothing(store: Store) -> None:
    begin(store)
    say(store, MORE)
    say(store, SAVED)

    take_back(store)

    assert (learned(store), said(store), rows(store)) == ({}, set(), 0)


def test_an_exclusion_learns_nothing(store: Store) -> None:
    begin(store)

    say(store, LESS, because_of="x")

    assert learned(store) == {}


def test_many_at_once_leave_one_liking(store: Store) -> None:
    begin(store)

    run_concurrently(*(lambda which=which: say(store, which) for which in RATINGS * 3))

    [liking] = said(store)
    assert learned(store) == {"a": 1.1 if liking is MORE else 0.9}
    assert rows(store) == 1


def test_a_follow_that_left_and_returns_counts_as_it_did(store: Store) -> None:
    begin(store)
    say(store, MORE)

    declare(store, make_digest(queries=("b",)))
    say(store, LESS, PaperKey("arxiv:2606.00002"), because_of="b", at=add_to_now(minutes=1))
    declare(store, make_digest(queries=("a", "b")))

    assert learned(store) == {"a": 1.1, "b": 0.9}


def test_of_papers_that_become_one_the_last_word_counts_and_each_has_its_own_when_they_part(
    store: Store,
) -> None:
    begin(store)
    harvest(store, make_article(DOI), source="journal")
    say(store, MORE, PREPRINT)
    say(store, SAVED, PREPRINT)
    say(store, LESS, ARTICLE, at=add_to_now(hours=1))
    say(store, SAVED, ARTICLE, at=add_to_now(hours=1))

    announce(store, make_new_listing(1, doi=DOI), section="cs.DC")
    assert number(store, PREPRINT) == number(store, ARTICLE)
    with store.begin_write() as tx:
        opinions.update_learned_weights(tx, the(store).id)

    assert said(store) == said(store, ARTICLE) == {LESS, SAVED}
    assert learned(store) == {"a": 0.9}
    with store.begin_read() as tx:
        assert [saved_paper_record.paper for saved_paper_record in opinions.list_saved(tx)] == [
            number(store, PREPRINT)
        ]

    with store.begin_ingest() as tx:
        [preprint] = papers.find_papers(tx, [PREPRINT]).values()
        papers.set_apart(tx, preprint, "doi", DOI, apart=True)
    assert said(store, PREPRINT) == {MORE, SAVED}
    assert said(store, ARTICLE) == {LESS, SAVED}


def test_what_is_taken_back_of_papers_that_became_one_is_taken_back_of_all(store: Store) -> None:
    begin(store)
    harvest(store, make_article(DOI), source="journal")
    say(store, SAVED, PREPRINT)
    say(store, SAVED, ARTICLE)
    announce(store, make_new_listing(1, doi=DOI), section="cs.DC")

    take_back(store, ARTICLE)

    assert rows(store) == 0


def test_what_is_saved_is_told_the_last_one_first_also_from_a_digest_that_has_ended(store: Store) -> None:
    begin(store)
    say(store, SAVED, PREPRINT)
    say(store, SAVED, PaperKey("arxiv:2606.00002"), at=add_to_now(hours=1))
    keys = [number(store, PaperKey("arxiv:2606.00002")), number(store, PREPRINT)]

    declare(store)

    with store.begin_read() as tx:
        assert [
            (saved_paper_record.digest, saved_paper_record.paper)
            for saved_paper_record in opinions.list_saved(tx)
        ] == [("systems", key) for key in keys]
