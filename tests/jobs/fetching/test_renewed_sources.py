"""What an earlier release stored of a feed by its whole address is stored as it is stored now, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Text, cast, insert, select, update

from digest.config import DigestSettings, FollowSettings
from digest.jobs.fetching.renewed_sources import renew_sources
from digest.jobs.matching.indexing import index_papers
from digest.model import Listing, ListingKind, PaperKey
from digest.ports import Source
from digest.redaction import register_secrets
from digest.sources import feed
from digest.store.database.engine import Store
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import editions, follows, notices, queries
from digest.store.database.tables.papers import batches, buckets, enrichments, events, signals, source_state
from digest.store.matching import matches
from digest.store.papers import papers
from tests.store.conftest import store_url
from tests.store.factories import (
    DAY,
    NOW,
    announce,
    declare,
    make_digest,
    make_due_edition,
    make_paper,
    record_statements,
)

__all__ = ["store_url"]  # on both databases: tables are changed in ways of their own

TOKEN = "word-0a1b2c3d"
URL = f"https://reader:pass-word@example.org/feed?token={TOKEN}"
FORMER, NAME = f"example.org/feed?token={TOKEN}", "example.org/feed"
SOURCE = feed.Source(url=URL)
PLACE = f"url:https://{FORMER}"
ENTRY = f"{PLACE}#Editorial"


def listing(key: str, title: str, url: str = URL) -> Listing:
    return Listing(
        kind=ListingKind.NEW, paper=replace(make_paper(1), key=PaperKey(key), title=title, url=url, version=1)
    )


def renew(store: Store, *declared: Source) -> None:
    with store.begin_planning() as tx:
        renew_sources(tx, {source.name: source for source in declared or (SOURCE,)}, NOW)


def texts(store: Store) -> list[tuple[str, str]]:
    """All texts of the database that show the token, with their columns; but for addresses that are asked."""
    with store.begin_read() as tx:
        return [
            (str(column), text)
            for table in metadata.sorted_tables
            for column in table.c
            if column is not source_state.c.url
            for text in tx.execute(
                select(cast(column, Text)).where(cast(column, Text).contains(TOKEN))
            ).scalars()
        ]


def keys(store: Store) -> dict[str, int]:
    with store.begin_read() as tx:
        paper_keys = papers.load_keys(tx, tx.execute(select(metadata.tables["papers"].c.id)).scalars())
    return {str(key): number for number, key in paper_keys.items()}


def test_entries_without_a_link_keep_their_papers_and_are_not_told_again(store: Store) -> None:
    linked = f"https://example.org/p/1?token={TOKEN}&page=2"
    announce(store, listing(ENTRY, "Editorial"), listing(f"url:{linked}", "Linked", linked), source=FORMER)
    before = keys(store)
    renew(store)

    assert texts(store) == []
    after = keys(store)
    assert sorted(after.values()) == sorted(before.values())
    now = SOURCE.renew_paper(listing(ENTRY, "Editorial").paper)
    assert after[now.key] == before[ENTRY]
    assert after["url:https://example.org/p/1?page=2"] == before[f"url:{linked}"]
    again = announce(
        store,
        Listing(kind=ListingKind.NEW, paper=now),
        listing("url:https://example.org/p/1?page=2", "Linked", "https://example.org/p/1?page=2"),
        source=NAME,
    )
    assert (again.added, again.events) == (0, 0)
    with store.begin_read() as tx:
        assert set(tx.execute(select(events.c.source)).scalars()) == {NAME}


def test_a_feed_with_a_name_of_its_own_keeps_its_papers_too(store: Store) -> None:
    announce(store, listing(ENTRY, "Editorial"), source="mine")
    before = keys(store)
    renew(store, feed.Source(url=URL, name="mine"))

    assert texts(store) == []
    assert list(keys(store).values()) == list(before.values())


def test_a_paper_that_is_there_under_both_keys_becomes_one(store: Store) -> None:
    plain, secret = "https://example.org/p/1", f"https://example.org/p/1?token={TOKEN}"
    announce(store, listing(f"url:{plain}", "One", plain), source="another")
    announce(store, listing(f"url:{secret}", "One", secret), source=FORMER)
    renew(store)

    assert texts(store) == []
    with store.begin_read() as tx:
        number = papers.find_by_id(tx, "url", plain.removeprefix("url:"))
        assert number is not None
        assert len(papers.load_members(tx, [number])) == 2
        assert len(papers.load_roots(tx, keys(store).values())) == 2
    assert index_papers(store) == 1
    assert texts(store) == []


def test_numbers_and_lookups_of_a_paper_go_with_its_key(store: Store) -> None:
    announce(store, listing(ENTRY, "Editorial"), source=FORMER)
    fields = {"subject": ENTRY, "kind": "votes"}
    with store.begin_write() as tx:
        tx.execute(insert(signals), fields | {"source": "hf", "day": DAY, "value": 3.0})
        tx.execute(
            insert(enrichments), fields | {"enricher": "s2", "asked_at": NOW, "next_at": NOW, "found": True}
        )
    renew(store)

    with store.begin_read() as tx:
        subjects = [tx.execute(select(table.c.subject)).scalar_one() for table in (signals, enrichments)]
    assert subjects == [SOURCE.renew_paper(listing(ENTRY, "Editorial").paper).key] * 2


# --- follows --------------------------------------------------------------------------------------


def following(name: str, *wishes: str) -> DigestSettings:
    """A digest that follows; each as it is typed."""
    return replace(make_digest(name), follows=tuple(FollowSettings(text=wish, query=wish) for wish in wishes))


def followed(store: Store, name: str) -> set[tuple[str, str]]:
    """What is typed, and the query that is matched, of the follows that have not ended."""
    with store.begin_read() as tx:
        mine = select(follows.c.text, queries.c.text).join(queries, queries.c.id == follows.c.query_id)
        numbers = select(metadata.tables["digests"].c.id).where(metadata.tables["digests"].c.name == name)
        rows = tx.execute(mine.where(follows.c.ended_at.is_(None), follows.c.digest_id.in_(numbers)))
        return {(row[0], row[1]) for row in rows}


def test_a_follow_of_a_source_follows_it_under_its_present_name(store: Store) -> None:
    key = f"id:{PLACE}#Editorial"
    declare(store, following("x", f"graph AND source:{FORMER}", key, "nets"))
    announce(store, listing(ENTRY, "Editorial"), source=FORMER)
    with store.begin_read() as tx:
        before = matches.read_revision(tx)
    renew(store)

    new_key = SOURCE.renew_paper(listing(ENTRY, "Editorial").paper).key
    changed = {f"graph AND source:{NAME}", f"id:{new_key}"}
    assert followed(store, "x") == {(text, text) for text in (*changed, "nets")}
    with store.begin_read() as tx:
        assert {query_change.text for query_change in matches.iter_changes(tx, before)} == changed
    assert texts(store) == []


def test_follows_that_say_the_same_from_now_on_are_one(store: Store) -> None:
    declare(
        store,
        following("x", f"graph AND source:{FORMER}", f"graph AND source:{NAME}"),
        following("y", f"graph AND source:{FORMER}"),
    )
    announce(store, listing(ENTRY, "Editorial"), source=FORMER)
    renew(store)

    now = f"graph AND source:{NAME}"
    assert followed(store, "x") == followed(store, "y") == {(now, now)}
    with store.begin_read() as tx:
        expected = set(tx.execute(select(queries.c.text).where(queries.c.needed_from.is_not(None))).scalars())
    assert expected == {now}
    assert texts(store) == []


# --- sentences and documents ----------------------------------------------------------------------


def test_no_sentence_and_no_document_shows_a_former_name_or_its_secret(store: Store) -> None:
    announce(store, listing(ENTRY, "Editorial"), source=FORMER)
    make_due_edition(store, 1)
    sentence = f"The feed {FORMER} was refused (HTTP 403): who is {TOKEN}?"
    with store.begin_write() as tx:
        tx.execute(update(batches).values(error=sentence))
        rows = [{"source": FORMER, "section": "feed", "error": f"{sentence} https://me:word@{FORMER}."}]
        tx.execute(update(editions).values(batches=rows))
        row = {"name": f"source:{FORMER}", "text": sentence, "noted_at": NOW, "told": []}
        tx.execute(insert(notices), row)
        tx.execute(insert(buckets), {"name": URL, "next_at": NOW})
    register_secrets([TOKEN])
    renew(store)

    assert texts(store) == []
    refused = f"The feed {NAME} was refused (HTTP 403): who is "
    with store.begin_read() as tx:
        (one,) = tx.execute(select(editions.c.batches)).scalar_one()
        assert tx.execute(select(batches.c.error)).scalars().first() == f"{refused}…?"
        assert tx.execute(select(notices.c.name)).scalar_one() == f"source:{NAME}"
        assert tx.execute(select(buckets.c.name)).scalar_one().startswith(f"https://{NAME}~")
    assert one["source"] == NAME
    assert one["error"].startswith(refused)
    assert one["error"].endswith(f" https://{NAME}.")


def test_what_was_renewed_once_is_not_renewed_again(store: Store) -> None:
    one = replace(SOURCE, name="other.example/?page=2")
    other = feed.Source(url="https://other.example/?page=2", name=FORMER)
    assert (*one.former_names, *other.former_names) == (other.name, one.name)
    for source, title in ((one, "Of one"), (other, "Of other")):
        announce(store, listing(f"url:https://x.org/{title[-3:]}", title), source=source.former_names[0])
    owners: list[Any] = []
    for _ in range(2):
        renew(store, one, other)
        with store.begin_read() as tx:
            rows = tx.execute(select(metadata.tables["statements"])).all()
        owners.append({row.title: row.source for row in rows})

    assert owners == [{"Of one": one.name, "Of other": other.name}] * 2


def test_letters_beyond_ascii_are_found_in_documents_too(store: Store) -> None:
    source = feed.Source(url="https://example.org/feed?token=schlüssel-0a1b2c3d")
    (former,) = source.former_names
    announce(store, listing("url:https://x.org/1", "Editorial"), source=former)
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        tx.execute(update(editions).values(items=[{"source": former}]))
    renew(store, source)

    with store.begin_read() as tx:
        assert tx.execute(select(editions.c["items"])).scalar_one() == [{"source": NAME}]


def test_a_long_text_without_blanks_is_read_through_once(store: Store) -> None:
    announce(store, listing(ENTRY, "Editorial"), source=FORMER)
    sentence = f"{'-' * 200_000} {FORMER}"
    with store.begin_write() as tx:
        tx.execute(update(batches).values(error=sentence))
    renew(store)

    with store.begin_read() as tx:
        assert tx.execute(select(batches.c.error)).scalars().first() == f"{'-' * 200_000} {NAME}"


def test_a_feed_of_which_nothing_is_stored_costs_no_search_through_all_tables(store: Store) -> None:
    announce(store, listing("url:https://x.org/1", "Editorial"), source="elsewhere.example")
    with record_statements(store) as lines:
        renew(store)

    assert not [text for text in lines if "editions" in text]
