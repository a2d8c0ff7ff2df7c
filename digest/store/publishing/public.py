"""Newest events for public feeds: of all papers, of a query, or of an author."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Select, func, select

from digest.core.matching.bitmaps import list_positions
from digest.core.names.fitting import NameMatch, make_block_key, match_names
from digest.model import EventKind
from digest.store.database import clock
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import queries
from digest.store.database.tables.papers import author_ids, authorships, events
from digest.store.matching import matches
from digest.store.papers.papers import load_members

_QUERIES_NOTE = "public"
_NEWS_KINDS = (EventKind.NEW.value, EventKind.PICKED.value)
_MAX_SIGNATURES = 2_000
"""Maximum number of papers examined for a name or id, newest first."""


# --- queries of public feeds ------------------------------------------------------------------------


def declare_queries(tx: Transaction, texts: Collection[str], start: int) -> None:
    """Have the queries of public feeds matched, whether or not a digest follows them, and release former ones.

    Args:
        tx: the transaction in which the file is applied.
        texts: the canonical texts of all queries of public feeds.
        start: the seq after which they are matched.

    Raises:
        QueryError: a query is invalid.
    """
    previous: set[str] = set(json.loads(clock.read_note(tx, _QUERIES_NOTE) or "[]"))
    removed_ids: Sequence[
        int
    ] = ()  # both are locked at once, because each of the calls below ends with a later lock
    if removed := previous.difference(texts):
        query_ids = select(queries.c.id).where(queries.c.text.in_(sorted(removed)))
        removed_ids = tx.execute(query_ids).scalars().all()
        matches.lock_queries(tx, texts, removed_ids)
    if texts:
        # Former ones are required again as well, because the last digest that followed one may have ended.
        starts = dict.fromkeys(sorted(texts), start)
        matches.require_queries(tx, starts, are_locked=bool(removed_ids))
    if removed_ids:
        matches.release_queries(tx, removed_ids, are_locked=True)
    if previous != set(texts):
        clock.set_note(tx, _QUERIES_NOTE, json.dumps(sorted(texts), ensure_ascii=False))


# --- newest events --------------------------------------------------------------------------------


def list_newest(tx: Transaction, limit: int) -> tuple[int, ...]:
    """Return the seqs of the last new or picked events, newest first."""
    return _fetch_seqs(tx, select(events.c.seq), limit)


def list_matching(
    tx: Transaction, texts: Iterable[str], start: int, limit: int
) -> dict[str, tuple[int, ...]]:
    """Return the seqs of the last events that queries match likely or surely, newest first, by text of the query.

    Queries without a match are omitted. The matches of all events are loaded at once, because each query has
    only a few packed rows.

    Args:
        tx: a transaction.
        texts: the canonical texts of the queries.
        start: only events after this one.
        limit: maximum number of events per query.
    """
    texts_by_id: dict[int, str] = {}
    for chunk in split_into_chunks(sorted(set(texts))):
        query_hits = tx.execute(select(queries.c.id, queries.c.text).where(queries.c.text.in_(chunk)))
        texts_by_id.update({row.id: row.text for row in query_hits})
    hits_by_query = matches.load_hits(tx, texts_by_id, start, matches.read_matched_to(tx))
    positions_by_text = {
        texts_by_id[query_id]: list_positions(query_hits.likely)[-limit:]
        for query_id, query_hits in hits_by_query.items()
        if query_hits.likely
    }
    return {
        text: tuple(start + 1 + position for position in reversed(positions))
        for text, positions in positions_by_text.items()
    }


def list_signed(tx: Transaction, name: str, limit: int) -> tuple[int, ...]:
    """Return the seqs of the last events of papers signed with a full form of a name, newest first."""
    statement = select(authorships.c.paper_id, authorships.c.name).where(
        authorships.c.block == make_block_key(name)
    )
    newest_first = statement.order_by(authorships.c.paper_id.desc()).limit(_MAX_SIGNATURES)
    roots = {
        row.paper_id for row in tx.execute(newest_first) if match_names(name, row.name) is NameMatch.FULL
    }
    return _list_of_papers(tx, roots, limit)


def list_signed_with_id(tx: Transaction, scheme: str, value: str, limit: int) -> tuple[int, ...]:
    """Return the seqs of the last events of papers on which a source prints an id of an author, newest first."""
    conditions = author_ids.c.scheme == scheme, author_ids.c.value == value
    statement = select(author_ids.c.paper_id).where(*conditions).order_by(author_ids.c.paper_id.desc())
    return _list_of_papers(tx, set(tx.execute(statement.limit(_MAX_SIGNATURES)).scalars()), limit)


def load_first_seqs(tx: Transaction, days: Iterable[date]) -> dict[date, int]:
    """Return the seq of the first event of each day."""
    statement = select(events.c.day, func.min(events.c.seq).label("first")).where(events.c.day.in_(set(days)))
    return {row.day: row.first for row in tx.execute(statement.group_by(events.c.day))}


def _list_of_papers(tx: Transaction, roots: Collection[int], limit: int) -> tuple[int, ...]:
    seqs: list[int] = []
    for chunk in split_into_chunks(sorted(load_members(tx, roots))):
        seqs += _fetch_seqs(tx, select(events.c.seq).where(events.c.paper_id.in_(chunk)), limit)
    return tuple(sorted(seqs, reverse=True)[:limit])


def _fetch_seqs(tx: Transaction, base_statement: Select[Any], limit: int) -> tuple[int, ...]:
    statement = (
        base_statement.where(events.c.kind.in_(_NEWS_KINDS)).order_by(events.c.seq.desc()).limit(limit)
    )
    return tuple(tx.execute(statement).scalars())
