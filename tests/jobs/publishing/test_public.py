"""What is open to everybody: kept matched while the file says so, newest first, and the same as a query finds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from digest.config import PublicFeedSettings, Settings, SiteSettings
from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.jobs.matching.match import match
from digest.jobs.publishing import public
from digest.jobs.publishing.public import (
    ALL,
    AUTHOR,
    CATEGORY,
    MAX_ALL_EVENTS,
    MAX_FEED_EVENTS,
    QUERY,
    PublicFeedLoader,
    make_feed_query,
)
from digest.model import Author
from digest.store.database.engine import Store
from digest.store.database.tables.digests import queries
from tests.store.factories import (
    DAY,
    NOW,
    announce,
    announce_many,
    declare,
    make_cross_listing,
    make_digest,
    make_new_listing,
    make_replacement,
)

KV = PublicFeedSettings(name="kv", title="KV", text="kv cache", query='"kv cache"')
OPEN = SiteSettings(public_feeds=True)
WHO = ("Paul Erdős", "Yiying Zhang")


def settings(**fields: Any) -> Settings:
    options: dict[str, Any] = {"site": SiteSettings()} | fields
    return Settings(path=Path("digest.toml"), store="", output=Path("out"), sources=(), **options)


def opened(store: Store, **fields: Any) -> PublicFeedLoader:
    """What the file opens, when all is matched."""
    loader = PublicFeedLoader(store=store, settings=settings(**fields), clock=lambda: NOW)
    with store.begin_planning() as tx:
        public.declare_queries(tx, loader.settings, NOW)
    match(store)
    return loader


def seqs(loader: PublicFeedLoader, sort: str, name: str = "") -> tuple[int, ...] | None:
    public_feed = loader.load_feed(sort, name)
    return None if public_feed is None else public_feed.seqs


def wanted(store: Store) -> set[str]:
    """The queries that are kept matched."""
    with store.begin_read() as tx:
        mine = select(queries.c.text).where(queries.c.needed_from.is_not(None))
        return set(tx.execute(mine).scalars())


def test_what_is_new_or_picked_is_told_and_nothing_else(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2, categories=("cs.DC",)), make_cross_listing(3))
    announce(store, make_replacement(4, 3), make_replacement(1, 2), day=DAY + timedelta(1))

    loader = opened(store, site=OPEN)

    assert seqs(loader, ALL) == (3, 2, 1)
    assert seqs(loader, CATEGORY, "cs.DC") == (2,)
    assert seqs(loader, CATEGORY, "cs") == (3, 2, 1)
    assert seqs(loader, CATEGORY, "math.CO") == ()


def test_only_so_many_are_told_the_newest_first(store: Store) -> None:
    announce_many(store, BLOCK_SIZE + 300)

    loader = opened(store, site=OPEN)

    top = BLOCK_SIZE + 300
    assert seqs(loader, ALL) == tuple(range(top, top - MAX_ALL_EVENTS, -1))
    assert seqs(loader, CATEGORY, "cs.LG") == tuple(range(top, top - MAX_FEED_EVENTS, -1))


def test_a_query_reaches_back_over_blocks(store: Store) -> None:
    announce(store, make_new_listing(1, title="A KV cache"))
    announce(store, *(make_new_listing(number) for number in range(2, BLOCK_SIZE + 50)))
    announce(store, make_new_listing(BLOCK_SIZE + 60, title="KV caches"))

    loader = opened(store, public_feeds=(KV,))

    assert seqs(loader, QUERY, "kv") == (BLOCK_SIZE + 50, 1)
    assert [item.paper.title for item, _ in loader.load_items(found(loader, QUERY, "kv"))] == [
        "KV caches",
        "A KV cache",
    ]


def found(loader: PublicFeedLoader, sort: str, name: str = "") -> public.PublicFeed:
    feed = loader.load_feed(sort, name)
    assert feed is not None
    return feed


def test_the_words_that_fit_are_there_to_be_marked(store: Store) -> None:
    announce(store, make_new_listing(1, title="KV caches at scale", authors=WHO))

    loader = opened(store, public_feeds=(KV,), site=OPEN)

    [(by_query, _)] = loader.load_items(found(loader, QUERY, "kv"))
    [(by_author, _)] = loader.load_items(found(loader, AUTHOR, "paul erdos"))
    assert [(evidence.field, evidence.words) for evidence in by_query.reasons[0].evidence] == [
        ("title", ("KV caches",))
    ]
    assert [(evidence.field, evidence.words) for evidence in by_author.reasons[0].evidence] == [
        ("author", ("Paul Erdős",))
    ]


@pytest.mark.parametrize("name", ["Paul Erdős", "Erdős, Paul", "PAUL ERDOS"])
def test_whoever_signs_in_full_is_found_however_it_is_written(store: Store, name: str) -> None:
    announce(
        store,
        make_new_listing(1, authors=WHO),
        make_new_listing(2, authors=("P. Erdős",)),
        make_new_listing(3),
    )

    assert seqs(opened(store, site=OPEN), AUTHOR, name) == (1,)


def test_an_id_finds_the_papers_that_print_it(store: Store) -> None:
    signed = Author(name="Y Zhang", ids=(("orcid", "0000-0002-1825-0097"),))
    announce(
        store,
        replace(make_new_listing(1), paper=replace(make_new_listing(1).paper, authors=(signed,))),
        make_new_listing(2, authors=WHO),
    )

    loader = opened(store, site=OPEN)

    assert seqs(loader, AUTHOR, "orcid:0000-0002-1825-0097") == (1,)
    assert seqs(loader, AUTHOR, "orcid:0000-0001-5109-3700") is None
    assert seqs(loader, AUTHOR, "orcid:1") is None


def test_dates_differ_keep_the_order_and_stay_when_more_is_announced(store: Store) -> None:
    announce_many(store, 5)
    loader = opened(store, site=OPEN)
    before = {item.event.seq: at for item, at in loader.load_items(found(loader, ALL))}
    announce(store, make_new_listing(6), day=DAY + timedelta(1))
    announce(store, make_new_listing(7))
    after = {item.event.seq: at for item, at in loader.load_items(found(loader, ALL))}

    assert after | before == after
    assert len(set(after.values())) == 7
    assert [after[seq] for seq in (1, 2, 3, 4, 5, 7, 6)] == sorted(after.values())
    assert {at.date() for at in before.values()} == {DAY}


def test_nothing_is_open_that_the_file_does_not_open(store: Store) -> None:
    announce(store, make_new_listing(1, authors=WHO))
    shut = opened(store, public_feeds=(KV,))

    assert [seqs(shut, *what) for what in ((ALL,), (CATEGORY, "cs.LG"), (AUTHOR, "Paul Erdős"))] == [None] * 3
    assert seqs(shut, QUERY, "other") is None
    assert seqs(opened(store, site=OPEN), "what", "ever") is None
    assert [(public_feed.sort, public_feed.name) for public_feed in shut.list_feeds()] == [(QUERY, "kv")]


def test_a_query_is_matched_while_it_is_open_or_somebody_follows_it(store: Store) -> None:
    announce_many(store, 1)
    followed = replace(
        make_digest(), follows=(replace(make_digest().follows[0], query=make_feed_query(KV.query)),)
    )
    opened(store, public_feeds=(KV,))
    assert wanted(store) == {make_feed_query(KV.query)}

    declare(store, followed)
    opened(store)
    assert wanted(store) == {make_feed_query(KV.query)}

    opened(store, public_feeds=(KV,))
    declare(store)  # the follow has ended, and with it the query's being matched
    opened(store, public_feeds=(KV,))
    assert wanted(store) == {make_feed_query(KV.query)}

    opened(store)
    assert wanted(store) == set()


def test_a_category_that_is_opened_later_has_the_papers_of_the_last_days(store: Store) -> None:
    announce(store, make_new_listing(1), day=NOW.date() - timedelta(40))
    announce(store, make_new_listing(2), day=NOW.date() - timedelta(10))

    assert seqs(opened(store, site=OPEN), CATEGORY, "cs.LG") == (2,)
