"""A day's listings kept by hand: what a program does that has SQL and the driver, and no store.

It knows papers again by their keys, compares what is said of them, and writes what is new: papers, statements, claims,
signatures, listings and numbered events. What the core works out is worked out by the core here, too. Papers of
different keys that are one are only looked for, for the day has none.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from digest.core.names.fitting import make_block_key
from digest.core.papers.identity.same_paper import list_claims
from digest.core.papers.news import PastEvent, create_listing_event
from digest.model import Batch, EventKind, Listing, Paper, PaperKey

_AMONG = "IN (SELECT value FROM json_each(?))"
_COLUMNS = "paper_id, source, version, title, abstract, url, pdf_url, doi, journal_ref, comment, license_url, withdrawn, lists"
_STATEMENT = (
    f"INSERT INTO statements ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (paper_id, source, version) DO UPDATE SET title = excluded.title, abstract = excluded.abstract, "
    "url = excluded.url, pdf_url = excluded.pdf_url, doi = excluded.doi, journal_ref = excluded.journal_ref, "
    "comment = excluded.comment, license_url = excluded.license_url, withdrawn = excluded.withdrawn, "
    "lists = excluded.lists"
)
_SHARING = (
    "SELECT DISTINCT o.paper_id FROM claims c JOIN claims o ON o.scheme = c.scheme AND o.value = c.value "
    f"AND o.paper_id <> c.paper_id WHERE c.paper_id {_AMONG}"
)
_SIGNATURE = (
    "INSERT INTO authorships (paper_id, position, block, name, affiliations, ids) VALUES (?, ?, ?, ?, ?, ?)"
)
_LISTING = (
    "INSERT INTO listings (batch_id, paper_id, kind, position, version) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
_EVENT = "INSERT INTO events (seq, paper_id, kind, number, day, source, first) VALUES (?, ?, ?, ?, ?, ?, ?)"


def upsert(to: sqlite3.Connection, batch: Batch, listed: Sequence[Listing]) -> None:
    """Keep a day's listings, their papers and events, in one transaction; the same again changes nothing."""
    to.execute("BEGIN IMMEDIATE")
    papers = {listing.paper.key: listing.paper for listing in listed}
    numbers = _numbers(to, papers)
    new = sorted(papers.keys() - numbers.keys())
    to.executemany("INSERT INTO papers (key) VALUES (?)", [(key,) for key in new])
    added = _numbers(to, new)
    numbers |= added
    _put_statements(to, batch.source, {numbers[key]: paper for key, paper in papers.items()})
    claims = [
        (claim.scheme, claim.value, numbers[key], False)
        for key, paper in papers.items()
        for claim in list_claims(paper)
    ]
    to.executemany("INSERT INTO claims VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", claims)
    assert not to.execute(_SHARING, (json.dumps(list(numbers.values())),)).fetchall()
    _sign(to, {number: papers[key] for key, number in added.items()})
    rows = [
        (batch.id, numbers[one.paper.key], one.kind.value, place, one.paper.version)
        for place, one in enumerate(listed)
    ]
    to.executemany(_LISTING, sorted(rows, key=itemgetter(1, 2)))
    _make_events(to, batch, listed, numbers)
    to.execute("COMMIT")


def _numbers(to: sqlite3.Connection, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    return dict(to.execute(f"SELECT key, id FROM papers WHERE key {_AMONG}", (json.dumps(sorted(keys)),)))


def _put_statements(to: sqlite3.Connection, source: str, told: dict[int, Paper]) -> None:
    there = set(
        to.execute(f"SELECT {_COLUMNS} FROM statements WHERE paper_id {_AMONG}", (json.dumps(sorted(told)),))
    )
    rows = [_statement(number, source, paper) for number, paper in sorted(told.items())]
    to.executemany(_STATEMENT, [row for row in rows if row not in there])


def _statement(number: int, source: str, paper: Paper) -> tuple[Any, ...]:
    several = {
        "authors": [
            [*author[:1], *map(list, author[1:])] if any(author[1:]) else author[:1]
            for author in paper.authors
        ],
        "categories": paper.categories,
        "ids": paper.ids,
        "code_urls": paper.code_urls,
        "project_urls": paper.project_urls,
        "organizations": paper.organizations,
        "institutions": paper.institutions,
        "references": paper.references,
    }
    plain = (paper.title, paper.abstract, paper.url, paper.pdf_url, paper.doi, paper.journal_ref)
    lists = json.dumps({name: value for name, value in several.items() if value})
    return (number, source, paper.version, *plain, paper.comment, paper.license_url, paper.withdrawn, lists)


def _sign(to: sqlite3.Connection, new: dict[int, Paper]) -> None:
    rows = [
        (
            number,
            place,
            make_block_key(name),
            name,
            json.dumps(where) if where else None,
            json.dumps(ids) if ids else None,
        )
        for number, paper in sorted(new.items())
        for place, (name, where, ids) in enumerate(paper.authors)
    ]
    to.executemany(_SIGNATURE, sorted(rows, key=itemgetter(2)))


def _make_events(
    to: sqlite3.Connection, batch: Batch, listed: Sequence[Listing], numbers: dict[PaperKey, int]
) -> None:
    (last,) = to.execute("SELECT value FROM counters WHERE name = 'event'").fetchone()
    past: dict[int, list[PastEvent]] = {}
    known = f"SELECT paper_id, kind, number FROM events WHERE paper_id {_AMONG} ORDER BY seq"
    for paper, kind, number in to.execute(known, (json.dumps(list(numbers.values())),)):
        past.setdefault(paper, []).append(PastEvent(EventKind(kind), number, batch.day))
    rows: list[tuple[Any, ...]] = []
    for one in listed:
        number = numbers[one.paper.key]
        happened = past.setdefault(number, [])
        event = create_listing_event(one.kind, one.paper.version, batch.day, one.paper, happened)
        if event:
            seq, day = last + len(rows) + 1, batch.day.isoformat()
            rows.append((seq, number, event.kind.value, event.number, day, batch.source, not happened))
            happened.append(event)
    to.executemany(_EVENT, rows)
    to.execute("UPDATE counters SET value = ? WHERE name = 'event'", (last + len(rows),))
