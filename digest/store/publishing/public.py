"""What everybody can read: the newest events, of all, of a query, and of who signed them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from sqlalchemy import Select, func, select

from digest.core.matching.bitmaps import list_positions
from digest.core.names.fitting import NameMatch, make_block_key, match_names
from digest.model import EventKind
from digest.store.database import clock
from digest.store.database.dialect import split_into_chunks
from digest.store.database.digest_tables import queries
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import author_ids, authorships, events
from digest.store.matching import matches
from digest.store.papers.papers import load_members

_QUERIES_NOTE = "public"
_NEWS_KINDS = (EventKind.NEW.value, EventKind.PICKED.value)
_MAX_SIGNATURES = 2_000
"""Of a name: who signs like thousands of others is looked for among the newest."""


# --- which queries are kept matched for it ----------------------------------------------------------


def declare_queries(tx: Transaction, texts: Collection[str], start: int) -> None:
    """Have queries matched for everybody, whether or not a digest follows them; and no others any more.

    Args:
        tx: the transaction in which the file is applied.
        texts: by canonical text.
        start: they are matched from there on.

    Raises:
        QueryError: one cannot be read.
    """
    previous: set[str] = set(json.loads(clock.read_note(tx, _QUERIES_NOTE) or "[]"))
    if texts:
        # Also those that there were: the last digest that followed one may have ended.
        matches.require_queries(tx, dict.fromkeys(sorted(texts), start))
    if removed := previous.difference(texts):
        query_ids = select(queries.c.id).where(queries.c.text.in_(sorted(removed)))
        matches.release_queries(tx, tx.execute(query_ids).scalars().all())
    if previous != set(texts):
        clock.set_note(tx, _QUERIES_NOTE, json.dumps(sorted(texts), ensure_ascii=False))


# --- what is new ----------------------------------------------------------------------------------


def list_newest(tx: Transaction, limit: int) -> tuple[int, ...]:
    """The last events, of all that is new or picked, the newest first."""
    return _fetch_seqs(tx, select(events.c.seq), limit)


def list_matching(
    tx: Transaction, texts: Iterable[str], start: int, limit: int
) -> dict[str, tuple[int, ...]]:
    """The last events after a seq that queries fit surely or likely, the newest first; nothing for those that fit none.

    All of them are looked up at once, however far back: there are a few packed rows for each.

    Args:
        tx: a transaction.
        texts: of the queries, canonical.
        start: what comes up to there is not looked at.
        limit: how many events of each at most.
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
    """The last events of papers that somebody of a name signed in full, the newest first."""
    statement = select(authorships.c.paper_id, authorships.c.name).where(
        authorships.c.block == make_block_key(name)
    )
    newest_first = statement.order_by(authorships.c.paper_id.desc()).limit(_MAX_SIGNATURES)
    roots = {
        row.paper_id for row in tx.execute(newest_first) if match_names(name, row.name) is NameMatch.FULL
    }
    return _list_of_papers(tx, roots, limit)


def list_signed_with_id(tx: Transaction, scheme: str, value: str, limit: int) -> tuple[int, ...]:
    """The last events of papers on which a source prints an id of one of the authors, the newest first."""
    conditions = author_ids.c.scheme == scheme, author_ids.c.value == value
    statement = select(author_ids.c.paper_id).where(*conditions).order_by(author_ids.c.paper_id.desc())
    return _list_of_papers(tx, set(tx.execute(statement.limit(_MAX_SIGNATURES)).scalars()), limit)


def load_first_seqs(tx: Transaction, days: Iterable[date]) -> dict[date, int]:
    """The first event of each of some days."""
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
