"""Opinions of readers about papers, and the weights of follows learned from them.

An opinion names the paper as it was at the time. If papers have been merged since, the root is looked up when
opinions are read, and the last opinion about any of the merged papers counts for all.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, bindparam, delete, select, update

from digest.core.subscribers.opinions import RATINGS, Opinion, compute_weight_factor
from digest.store.database.bulk import insert_missing_bulk
from digest.store.database.dialect import add_missing, split_into_chunks, to_db
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import digests, follows, opinions
from digest.store.papers.papers import load_members, load_roots
from digest.store.subscribers.digests import CONFIGURED


class SavedPaperRecord(NamedTuple):
    """Paper that a reader saved.

    Attributes:
        digest: the name of the digest that brought it.
        paper: the number of the paper's root.
        at: when it was saved.
    """

    digest: str
    paper: int
    at: datetime


class OpinionRecord(NamedTuple):
    """Opinion that a reader gave and has not withdrawn.

    Attributes:
        digest: the number of the digest that brought the paper.
        paper: the number of the paper's root.
        at: when it was given.
        queries: the queries of the follows that brought the paper.
    """

    digest: int
    paper: int
    opinion: Opinion
    at: datetime
    queries: tuple[int, ...]


# --- writing --------------------------------------------------------------------------------------


def lock_digest(tx: Transaction, digest: int) -> None:
    """Lock the opinions of a digest until this transaction ends."""
    # FOR NO KEY UPDATE, so that editions, which only refer to the digest's number, can be stored meanwhile.
    tx.execute(select(digests.c.id).where(digests.c.id == digest).with_for_update(key_share=True))


def save_opinion(
    tx: Transaction, digest: int, paper: int, opinion: Opinion, *, queries: Collection[int], at: datetime
) -> None:
    """Store an opinion about a paper; one that is stored already is not changed.

    Args:
        tx: a writing transaction that has locked the digest.
        digest: the number of the digest.
        paper: the number of the paper's root.
        opinion: the opinion; ``MORE`` replaces ``LESS`` and the other way round.
        queries: the queries of the follows that brought the paper.
        at: when the reader gave it.
    """
    if opinion in _load_current(tx, digest, paper):
        return
    if opinion in RATINGS:
        withdraw_opinions(tx, digest, paper, RATINGS)
    row = {"digest_id": digest, "paper_id": paper, "opinion": opinion.value}
    add_missing(tx, opinions, [row | {"queries": sorted(queries), "at": at}])


def add_opinions(tx: Transaction, added: Iterable[OpinionRecord]) -> None:
    """Store many opinions about papers of which the reader has said nothing of the kind.

    Args:
        tx: a writing transaction that has locked the digests.
        added: the opinions, at most one of each kind for a digest and a paper.
    """
    entries = list(added)
    rows = [
        (
            entry.digest,
            entry.paper,
            entry.opinion.value,
            json.dumps(sorted(entry.queries)),
            to_db(tx, entry.at),
        )
        for entry in entries
    ]
    insert_missing_bulk(tx, opinions, ("digest_id", "paper_id", "opinion", "queries", "at"), rows)
    for digest in sorted({entry.digest for entry in entries}):
        update_learned_weights(tx, digest)


def withdraw_opinions(tx: Transaction, digest: int, paper: int, withdrawn: Iterable[Opinion]) -> None:
    """Delete opinions about a paper and all papers merged with it."""
    is_of_paper = opinions.c.paper_id.in_(sorted(load_members(tx, [paper])))
    kinds = opinions.c.opinion.in_([opinion.value for opinion in withdrawn])
    tx.execute(delete(opinions).where(opinions.c.digest_id == digest, is_of_paper, kinds))


def list_rated(tx: Transaction, digest_ids: Sequence[int]) -> list[int]:
    """Return those of some digests whose readers have given an opinion."""
    rated: set[int] = set()
    for chunk in split_into_chunks(digest_ids):
        rated.update(
            tx.execute(select(opinions.c.digest_id).where(opinions.c.digest_id.in_(chunk))).scalars()
        )
    return sorted(rated)


def update_learned_weights(tx: Transaction, digest: int) -> None:
    """Recompute the learned factors of a digest's follows from all opinions about their papers."""
    likings = _load_likings(tx, digest)
    condition = (follows.c.digest_id == digest) & follows.c.ended_at.is_(None) & ~follows.c.exclude
    changed_rows = [
        {"number": row.id, "counts": counts}
        for row in tx.execute(select(follows.c.id, follows.c.query_id, follows.c.learned).where(condition))
        if (counts := compute_weight_factor(likings.get(row.query_id, ()))) != row.learned
    ]
    if changed_rows:
        statement = update(follows).where(follows.c.id == bindparam("number"))
        tx.execute(statement.values(learned=bindparam("counts")), changed_rows)


def _load_likings(tx: Transaction, digest: int) -> dict[int, list[Opinion]]:
    """Return the ratings of the papers that each query brought, in order of time."""
    likings_by_query: dict[int, list[Opinion]] = defaultdict(list)
    for row in _select_last(tx, _fetch_rows(tx, digest, RATINGS)):
        for query in row.queries:
            likings_by_query[query].append(Opinion(row.opinion))
    return likings_by_query


# --- reading --------------------------------------------------------------------------------------


def load_opinions(tx: Transaction, digest: int, paper: int) -> frozenset[Opinion]:
    """Return the present opinions of a digest's reader about a paper.

    Args:
        tx: a transaction.
        digest: the number of the digest.
        paper: the number of the paper's root.
    """
    return frozenset(_load_current(tx, digest, paper))


def list_saved(tx: Transaction, digest: int | None = None) -> list[SavedPaperRecord]:
    """Return the saved papers, latest first, of one digest or of all of the configuration, including ended ones."""
    rows = _select_last(tx, _fetch_rows(tx, digest, (Opinion.SAVED,)))
    roots = load_roots(tx, {row.paper_id for row in rows})
    return [SavedPaperRecord(row.name, roots[row.paper_id], row.at) for row in reversed(rows)]


def list_ratings(tx: Transaction, digest: int) -> list[OpinionRecord]:
    """Return the present ratings of a digest's reader, latest first."""
    given = list_given(tx, [digest])
    return [entry for entry in reversed(given) if entry.opinion in RATINGS]


def list_given(tx: Transaction, digest_ids: Sequence[int]) -> list[OpinionRecord]:
    """Return the present opinions of the readers of digests, oldest first."""
    rows = [
        row
        for digest_id in digest_ids
        for kinds in (RATINGS, (Opinion.SAVED,))
        for row in _select_last(tx, _fetch_rows(tx, digest_id, kinds))
    ]
    roots = load_roots(tx, {row.paper_id for row in rows})
    return [
        OpinionRecord(row.digest_id, roots[row.paper_id], Opinion(row.opinion), row.at, tuple(row.queries))
        for row in sorted(rows, key=_get_sort_key)
    ]


def _load_current(tx: Transaction, digest: int, paper: int) -> set[Opinion]:
    is_of_paper = opinions.c.paper_id.in_(sorted(load_members(tx, [paper])))
    rows = list(tx.execute(select(opinions).where(opinions.c.digest_id == digest, is_of_paper)))
    likings = sorted((row for row in rows if row.opinion in RATINGS), key=_get_sort_key)
    return {Opinion(row.opinion) for row in (*likings[-1:], *(row for row in rows if row not in likings))}


def _fetch_rows(tx: Transaction, digest: int | None, kinds: Iterable[Opinion]) -> list[Row[Any]]:
    statement = select(opinions, digests.c.name).join(digests, digests.c.id == opinions.c.digest_id)
    conditions: list[ColumnElement[bool]] = [opinions.c.opinion.in_([opinion.value for opinion in kinds])]
    conditions.append(digests.c.made_by == CONFIGURED if digest is None else opinions.c.digest_id == digest)
    return list(tx.execute(statement.where(*conditions)))


def _select_last(tx: Transaction, rows: Iterable[Row[Any]]) -> list[Row[Any]]:
    """Return the last row of each paper and digest, in order of time."""
    sorted_rows = sorted(rows, key=_get_sort_key)
    roots = load_roots(tx, {row.paper_id for row in sorted_rows})
    last_rows = {(row.digest_id, roots[row.paper_id]): row for row in sorted_rows}
    return sorted(last_rows.values(), key=_get_sort_key)


def _get_sort_key(row: Row[Any]) -> tuple[Any, ...]:
    return row.at, row.paper_id, row.opinion
