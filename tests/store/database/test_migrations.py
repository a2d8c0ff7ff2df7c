"""A database of the first release, with what it had in it, is one of this release afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, date, datetime
from itertools import count, groupby
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, MetaData, insert, select

from digest.failures import FailureKind
from digest.jobs.matching.indexing import index_papers
from digest.model import (
    Author,
    BatchState,
    EventKind,
    Listing,
    ListingKind,
    Paper,
    PaperKey,
    RouteState,
)
from digest.store.database.dialect import begin_writing, make_engine
from digest.store.database.engine import LATEST_MIGRATION, Store, get_highest_seq, read_version, upgrade
from digest.store.database.migrations import make_config
from digest.store.database.tables.papers import authorships
from digest.store.editions import editions
from digest.store.fetching import ledger, listings, rate_limits
from digest.store.matching import matches
from digest.store.papers import events, papers
from digest.store.subscribers.subscribers import list_subscribers, list_suppressed
from tests.store.factories import announce, find_schema_differences, harvest, list_events
from tests.store.papers.test_authorships import load_author_ids, load_shown_authors, load_stated_authors
from tests.support.cases import for_each_case
from tests.support.postgres import Postgres

AT = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
DAY = date(2026, 6, 12)
FIRST = "0001"
Old = Callable[..., AbstractContextManager[Store]]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def copy_first_release(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], str]]:
    """Makes databases of the first release without rows, and gives their addresses."""
    if request.param == "sqlite":
        folder = tmp_path_factory.mktemp("releases")
        number = count()
        url = f"sqlite:///{folder / 'first.db'}"
        bring_to(url, FIRST)
        yield lambda: f"sqlite:///{shutil.copy(folder / 'first.db', folder / f'{next(number)}.db')}"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    results = [postgres.create()]
    bring_to(results[0], FIRST)

    def copy() -> str:
        results.append(postgres.create(results[0]))
        return results[-1]

    yield copy
    for url in results:
        postgres.drop(url)


@pytest.fixture
def old_database(copy_first_release: Callable[[], str]) -> Old:
    """Makes a database of the first release, or a later one, with some rows, and upgrades it."""

    def make(version: str = FIRST, **rows: list[dict[str, Any]]) -> AbstractContextManager[Store]:
        return upgraded(copy_first_release(), version, rows)

    return make


@pytest.fixture(scope="module")
def filled_store(copy_first_release: Callable[[], str]) -> Iterator[Store]:
    """A database of the first release with the rows of ``FILLED``, upgraded; tests only read it."""
    with upgraded(copy_first_release(), FIRST, FILLED) as store:
        yield store


@contextmanager
def upgraded(url: str, version: str, rows: dict[str, list[dict[str, Any]]]) -> Iterator[Store]:
    """Upgrade a database of the first release that had some rows at a version."""
    if version != FIRST:
        bring_to(url, version)
    engine = make_engine(url)
    try:
        with engine.connect() as connection:
            begin_writing(connection)
            fill(connection, rows)
            connection.commit()
        upgrade(engine)
        assert read_version(engine) == LATEST_MIGRATION
        yield Store(engine)
    finally:
        engine.dispose()


def bring_to(url: str, version: str) -> None:
    """Give a database the tables of a version."""
    engine = make_engine(url)
    with engine.connect() as connection:
        begin_writing(connection)
        steps = make_config()
        steps.attributes["connection"] = connection
        command.upgrade(steps, version)
        connection.commit()
    engine.dispose()


def fill(connection: Connection, rows: dict[str, list[dict[str, Any]]]) -> None:
    """Insert rows, at once those that have the same columns."""
    tables = MetaData()
    tables.reflect(connection)
    for name, those in rows.items():
        for _, alike in groupby(those, key=tuple):
            connection.execute(insert(tables.tables[name]), list(alike))
        if connection.dialect.name == "postgresql" and name in {"papers", "batches"}:
            # Numbers were given here, which the database has to go on from.
            counter = f"pg_get_serial_sequence('{name}', 'id')"
            connection.exec_driver_sql(f"SELECT setval({counter}, (SELECT max(id) FROM {name}))")


def old_paper(number: int, **facts: Any) -> dict[str, Any]:
    key = f"arxiv:2606.{number:05}"
    options: dict[str, Any] = dict.fromkeys(("pdf_url", "doi", "journal_ref", "comment", "license_url"), "")
    options |= {"id": number, "key": key, "title": f"Paper {number}", "abstract": "What it is about."}
    return options | {"categories": ["cs.LG"], "version": 1, "url": f"https://arxiv.org/abs/{key}"} | facts


def old_ids(number: int, *more: tuple[str, str]) -> list[dict[str, Any]]:
    known_values = [("arxiv", f"2606.{number:05}"), *more]
    return [{"scheme": scheme, "value": value, "paper_id": number} for scheme, value in known_values]


def old_event(seq: int, paper: int, kind: str = "new", number: int = 0) -> dict[str, Any]:
    options = {"seq": seq, "paper_id": paper, "kind": kind, "number": number}
    return options | {"day": DAY, "source": "arxiv", "first": kind == "new"}


_BATCH = {"id": 1, "source": "arxiv", "section": "cs.LG", "day": DAY, "due_at": AT, "error": ""}
_SLOT = {"frequency": "daily", "zone": "UTC", "at": "07:30", "days": "0", "every": 0, "latest": ""}
_DIGEST = {"made_by": "config", "name": "d", "state": "active", "title": "D", "zone": "UTC", "kinds": ["new"]}
_ITEM = {"seq": 1, "part": "surely", "score": 1.0, "reasons": []}
_TOLD = {
    "id": 1,
    "source": "arxiv",
    "section": "cs.LG",
    "day": "2026-06-12",
    "state": "complete",
    "due_at": AT.isoformat(),
    "expected": None,
    "received": 2,
    "asked_at": None,
    "answered_at": None,
    "error": "",
}
_QUERIES = {7: "serving", 8: 'author:"Ada Lovelace"'}
FILLED: dict[str, list[dict[str, Any]]] = {
    "sections": [{"source": "arxiv", "section": "cs.LG", "since": DAY, "left_at": None}],
    "source_state": [
        {
            "source": "arxiv",
            "route": "rss",
            "section": "cs.LG",
            "etag": '"a"',
            "last_modified": "Fri",
            "asked_at": AT,
            "answered_at": AT,
            "next_at": None,
            "fruitless": 1,
            "errors": 0,
            "error": "",
        }
    ],
    "buckets": [{"name": "rss.arxiv.org", "next_at": AT, "paused_until": None}],
    "batches": [_BATCH | {"state": "complete", "received": 2, "asked_at": AT, "answered_at": AT}],
    "papers": [
        old_paper(
            1,
            title="Ünïcode and $x_1$",
            categories=["cs.LG", "cs.DC"],
            version=3,
            pdf_url="https://arxiv.org/pdf/2606.00001",
            doi="10.1000/one",
            journal_ref="J. 1",
            comment="12 pages",
            license_url="https://creativecommons.org/licenses/by/4.0/",
        ),
        old_paper(2, categories=[]),
        old_paper(2500),
    ],
    "authorships": [
        {"paper_id": 1, "position": 1, "name": "Second", "affiliations": []},
        {"paper_id": 1, "position": 0, "name": "王小明", "affiliations": ["Tsinghua", "MIT"]},
        {"paper_id": 2500, "position": 0, "name": "Alone", "affiliations": []},
    ],
    "paper_ids": [*old_ids(1, ("doi", "10.1000/one")), *old_ids(2), *old_ids(2500)],
    "listings": [
        {"batch_id": 1, "paper_id": 1, "kind": "replace", "position": 0, "version": 3},
        {"batch_id": 1, "paper_id": 2, "kind": "new", "position": 1, "version": 1},
    ],
    "events": [old_event(1, 2), old_event(2, 1, "version", 3)],
    "slots": [_SLOT | {"id": 1, "catch_up": "once", "cursor_seq": 2, "last_period": "p"}],
    "subscribers": [{"id": 1, "address": ""}],
    "digests": [
        _DIGEST
        | {"id": 1, "subscriber_id": 1, "slot_id": 1}
        | {"most_items": 25, "minimum": 0, "when_empty": "skip", "feed": True}
    ],
    "runs": [{"id": 1, "slot_id": 1, "period": "p", "state": "composed", "fire_at": AT, "made_at": AT}],
    "run_batches": [{"run_id": 1, "batch_id": 1}],
    "editions": [
        {
            "id": 1,
            "run_id": 1,
            "digest_id": 1,
            "composed_at": AT,
            "skipped": "",
            "items": [_ITEM],
            "rest": [_ITEM | {"seq": 2}],
            "dropped": 0,
            "excluded": 0,
            "batches": [_TOLD],
        }
    ],
}
ONE = Paper(
    key=PaperKey("arxiv:2606.00001"),
    title="Ünïcode and $x_1$",
    abstract="What it is about.",
    authors=(Author("王小明", ("Tsinghua", "MIT")), Author("Second")),
    categories=("cs.LG", "cs.DC"),
    version=3,
    url="https://arxiv.org/abs/arxiv:2606.00001",
    pdf_url="https://arxiv.org/pdf/2606.00001",
    doi="10.1000/one",
    journal_ref="J. 1",
    comment="12 pages",
    license_url="https://creativecommons.org/licenses/by/4.0/",
)


def count_to(store: Store, seq: int) -> None:
    """The counter, which the first migration made, as it was with these events."""
    with store.begin_write() as tx:
        tx.exec_driver_sql(f"UPDATE counters SET value = {seq} WHERE name = 'event'")


def test_an_empty_database_is_upgraded(old_database: Old) -> None:
    with old_database() as store, store.begin_read() as tx:
        assert find_schema_differences(tx) == []
        assert get_highest_seq(tx) == 0


def test_papers_read_back_whole_with_their_authors_and_what_they_are_known_by(filled_store: Store) -> None:
    with filled_store.begin_read() as tx:
        assert find_schema_differences(tx) == []
        found_papers = papers.load_papers(tx, [1, 2, 2500])
        assert found_papers[1] == ONE
        assert (found_papers[2].authors, found_papers[2].categories) == ((), ())
        assert found_papers[2500].authors == (Author("Alone"),)
        assert papers.list_claims_on_papers(tx, found_papers) == (
            (ONE.key, "arxiv", "2606.00001", False),
            (ONE.key, "doi", "10.1000/one", False),
            (PaperKey("arxiv:2606.00002"), "arxiv", "2606.00002", False),
            (PaperKey("arxiv:2606.02500"), "arxiv", "2606.02500", False),
        )
        statements = papers.load_statements(tx, found_papers)
        assert {statement.source for statements in statements.values() for statement in statements} == {
            "arxiv"
        }


def test_what_was_listed_and_told_and_asked_is_still_known(filled_store: Store) -> None:
    with filled_store.begin_read() as tx:
        assert [
            (appearance.batch.id, appearance.kind, appearance.submitter)
            for appearance in listings.list_appearances(tx, [1, 2])
        ] == [
            (1, ListingKind.REPLACE, None),
            (1, ListingKind.NEW, None),
        ]
        assert [
            (event.seq, event.kind, event.paper.key) for event in events.load_events_between(tx, 0, 9)
        ] == [
            (1, EventKind.NEW, "arxiv:2606.00002"),
            (2, EventKind.VERSION, ONE.key),
        ]
        (edition,) = editions.load_editions(tx, [1]).values()
        assert [item.paper.key for item in (*edition.items, *edition.overflow)] == [
            "arxiv:2606.00002",
            ONE.key,
        ]
        assert [batch.received for batch in edition.batches] == [2]
        (section,) = ledger.list_active_sections(tx)
        assert section.routes == (
            RouteState(
                route="rss", etag='"a"', last_modified="Fri", asked_at=AT, answered_at=AT, fruitless=1
            ),
        )
        batch = ledger.load_batch(tx, "arxiv", "cs.LG", DAY)
        assert (batch.state, batch.received, batch.late) == (BatchState.COMPLETE, 2, 0)
        assert ledger.load_batches_of_run(tx, 1) == (batch,)
        assert rate_limits.list_paused(tx, AT) == {}


def test_after_it_papers_are_listed_completed_and_merged_as_ever(old_database: Old) -> None:
    with old_database(**FILLED) as store:
        count_to(store, 2)
        again = Listing(
            kind=ListingKind.NEW, paper=Paper(key=PaperKey("arxiv:2606.00002"), title="T", url="u")
        )
        assert announce(store, again, day=DAY).events == 0
        harvest(store, Paper(key=PaperKey("doi:10.1000/one"), title="T", url="u", organizations=("A",)))
        with store.begin_read() as tx:
            number = papers.find_by_id(tx, "doi", "10.1000/one")
            assert number == 1
            assert papers.load_papers(tx, [1])[1].organizations == ("A",)
        assert [(seq, kind) for seq, _, kind, _ in list_events(store)] == [(1, "new"), (2, "version")]


def test_who_signed_the_papers_that_are_stored_is_known(filled_store: Store) -> None:
    with filled_store.begin_read() as tx:
        assert (
            load_stated_authors(tx)
            == load_shown_authors(tx)
            == {ONE.key: list(ONE.authors), "arxiv:2606.02500": [Author("Alone")]}
        )


def old_statement(number: int, source: str, version: int, *authors: list[Any]) -> dict[str, Any]:
    empty = dict.fromkeys(("pdf_url", "doi", "journal_ref", "comment", "license_url"), "")
    options = {"paper_id": number, "source": source, "version": version, "withdrawn": False}
    lists = {"authors": authors, "categories": ["cs.LG"]}
    return options | empty | {"title": f"Paper {number}", "abstract": "", "url": "u", "lists": lists}


def test_what_was_found_for_a_window_that_is_not_composed_yet_is_still_found(old_database: Old) -> None:
    queries = [{"id": number, "text": text, "matched_from": 0} for number, text in _QUERIES.items()]
    follows = [
        {"digest_id": 1, "query_id": number, "text": text, "weight": 1.0, "exclude": False, "started_seq": 0}
        for number, text in _QUERIES.items()
    ]
    blocks = [
        {"query_id": 7, "block": 0, "fits": b"\x05\x00\xff\x07", "maybe": b""},
        {"query_id": 8, "block": 1, "fits": b"\x02\x00", "maybe": b"\x01\x00"},
    ]
    with (
        old_database(**FILLED, queries=queries, match_blocks=blocks, follows=follows) as store,
        store.begin_read() as tx,
    ):
        assert matches.load_hits(tx, [7], 0, 2047)[7].surely == 1 << 5 - 1 | 1 << 2047 - 1
        match_bitmaps = matches.load_hits(tx, [8], 2047, 4095)[8]
        assert (match_bitmaps.maybe, match_bitmaps.likely, match_bitmaps.author_likely) == (
            0b110,
            0b100,
            0b100,
        )


def test_papers_that_are_one_are_signed_once_by_the_authors_of_the_newest_version(old_database: Old) -> None:
    alone = [2500 + number for number in range(1200)]
    claims = [("arxiv", "2606.00001", 1), ("doi", "10.1000/one", 1), ("doi", "10.1000/one", 2)]
    with (
        old_database(
            "0002",
            papers=[
                {"id": 1, "key": "arxiv:2606.00001"},
                {"id": 2, "key": "doi:10.1000/one", "merged_into": 1},
                *({"id": number, "key": f"arxiv:2606.{number:05}"} for number in alone),
            ],
            claims=[
                {"scheme": scheme, "value": value, "paper_id": number} for scheme, value, number in claims
            ],
            statements=[
                old_statement(1, "arxiv", 1, ["A. Bee"]),
                old_statement(1, "arxiv", 2, ["New One"], ["A. Bee"]),
                old_statement(2, "journal", 1, ["A. Bee", ["MIT"], [["orcid", "0000-0002-1825-0097"]]]),
                *(old_statement(number, "arxiv", 1, [f"Author {number}"]) for number in alone),
            ],
        ) as store,
        store.begin_read() as tx,
    ):
        assert load_stated_authors(tx) == load_shown_authors(tx)
        assert load_stated_authors(tx)["arxiv:2606.00001"] == [
            Author("New One"),
            Author("A. Bee", ("MIT",), (("orcid", "0000-0002-1825-0097"),)),
        ]
        assert len(load_stated_authors(tx)) == 1201
        assert load_author_ids(tx) == {("orcid", "0000-0002-1825-0097", "arxiv:2606.00001", 1)}


def test_names_with_degrees_that_are_stored_are_filed_under_the_family_name(old_database: Old) -> None:
    names = {"Ada Bee MD": "md|a", "Ada Bee": "bee|a", "C. Dee, Ph. D.": "dee|p", "Ada Bee, QC": "bee|q"}
    with old_database(
        "0014",
        papers=[{"id": 1, "key": "arxiv:2606.00001"}],
        authorships=[
            {"paper_id": 1, "position": position, "block": stale, "name": name}
            for position, (name, stale) in enumerate(names.items())
        ],
    ) as store:
        assert blocks_of_names(store) == dict.fromkeys(names, "bee|a") | {"C. Dee, Ph. D.": "dee|c"}


def test_names_with_memberships_that_are_stored_are_filed_under_the_family_name(old_database: Old) -> None:
    names = {
        "Ada Bee, Fellow, IEEE": "adabee|f",
        "Dr. rer. nat. Ada Bee": "bee|r",
        "Team Bee, Google": "beegoogle|",
    }
    with old_database(
        "0019",
        papers=[{"id": 1, "key": "arxiv:2606.00001"}],
        authorships=[
            {"paper_id": 1, "position": position, "block": stale, "name": name}
            for position, (name, stale) in enumerate(names.items())
        ],
    ) as store:
        assert blocks_of_names(store) == dict.fromkeys(names, "bee|a") | {"Team Bee, Google": "bee|"}


def blocks_of_names(store: Store) -> dict[str, str]:
    with store.begin_read() as tx:
        return {row.name: row.block for row in tx.execute(select(authorships))}


def test_papers_of_an_older_index_are_indexed_again(old_database: Old) -> None:
    indexed = [{"paper_id": 1, "document": 1, "withdrawn": False}]
    one = {"papers": [{"id": 1, "key": "arxiv:2606.00001"}], "statements": [old_statement(1, "arxiv", 1)]}
    with old_database("0014", **one, indexed_papers=indexed) as store:
        assert index_papers(store) == 1
        assert index_papers(store) == 0


@for_each_case(
    ("error", "failure"),
    [
        ("", None),
        ("no such login: jane.doe", FailureKind.OTHER),
        (
            "an answer was cut at its route's limit, or had entries that cannot be read: papers may be missing",
            FailureKind.INCOMPLETE,
        ),
        ("an answer was cut at its route's limit: papers may be missing", FailureKind.INCOMPLETE),
        (
            "the day before is missing, so these may be its papers under a new date",
            FailureKind.UNCHECKED,
        ),
    ],
)
def test_failures_of_days_that_are_stored_have_a_kind(
    old_database: Old, error: str, failure: FailureKind | None
) -> None:
    section = {"source": "arxiv", "section": "cs.LG", "since": date(2026, 6, 11), "accounted": True}
    day = _BATCH | {"state": "waiting", "received": 0, "late": 0, "error": error}
    with (
        old_database("0015", sections=[section | {"fills": False}], batches=[day]) as store,
        store.begin_read() as tx,
    ):
        (batch,) = ledger.list_recent_batches(tx, date(2026, 1, 1))
        assert (batch.error, batch.failure) == (error, failure)


def test_thousands_of_papers_are_moved(old_database: Old) -> None:
    many = range(1, 2202)
    with (
        old_database(
            papers=[old_paper(number) for number in many],
            authorships=[
                {"paper_id": number, "position": 0, "name": f"Author {number}", "affiliations": []}
                for number in many
            ],
            paper_ids=[entry for number in many for entry in old_ids(number)],
        ) as store,
        store.begin_read() as tx,
    ):
        found_papers = papers.load_papers(tx, many)

    assert {number: paper.authors for number, paper in found_papers.items()} == {
        number: (Author(f"Author {number}"),) for number in many
    }


def test_whom_mail_goes_to_is_known_however_the_address_is_written(old_database: Old) -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        "subscribers": [{"id": 1, "address": ""}],
        "slots": [_SLOT | {"id": 1, "catch_up": "once", "cursor_seq": 0, "last_period": ""}],
        "digests": [
            _DIGEST
            | {"id": 1, "subscriber_id": 1, "slot_id": 1, "most_items": 25, "minimum": 0}
            | {"when_empty": "skip", "feed": False}
        ],
        "destinations": [
            {"id": 1, "digest_id": 1, "channel": "smtp", "address": "Me@Example.org", "state": "active"},
            {"id": 2, "digest_id": 1, "channel": "maildir", "address": "/Mail/me@x", "state": "active"},
        ],
    }
    with old_database(**rows) as store, store.begin_read() as tx:
        assert [(subscriber.address, subscriber.mailbox) for subscriber in list_subscribers(tx)] == [
            ("/Mail/me@x", ""),
            ("Me@Example.org", "me@example.org"),
        ]
        assert list_suppressed(tx) == ()
