"""The events that earlier editions contain, within the limit of the digest or as a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select

from digest.core.editions.window_events import EventKey, SentEvents
from digest.model import ALERT_PREFIX, EventKind, PaperKey
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import editions, runs
from digest.store.database.tables.papers import events, papers
from digest.store.editions.encodings import overflow

_SELECT_COMPOSED = select(editions.c.digest_id, editions.c["items"], editions.c.rest).where(
    editions.c.skipped == ""
)


def load_sent(
    tx: Transaction, digest_ids: Sequence[int], since: datetime, *, without_alerts: bool = False
) -> dict[int, SentEvents]:
    """Return the events in the editions of digests since an instant, by digest; with or without those of alerts."""
    if not digest_ids:
        return {}
    statement = _SELECT_COMPOSED.where(editions.c.digest_id.in_(digest_ids), editions.c.composed_at >= since)
    if without_alerts:
        alerts = select(runs.c.id).where(runs.c.period.startswith(ALERT_PREFIX))
        statement = statement.where(editions.c.run_id.not_in(alerts))
    return _collect_sent(tx, tx.execute(statement).all())


def load_sent_in_runs(
    tx: Transaction, digest_ids: Sequence[int], run_ids: Sequence[int]
) -> dict[int, SentEvents]:
    """Return the events in the editions that digests had in some runs, by digest."""
    statement = _SELECT_COMPOSED.where(editions.c.digest_id.between(min(digest_ids), max(digest_ids)))
    requested = frozenset(digest_ids)
    rows = [
        row
        for chunk in split_into_chunks(run_ids)
        for row in tx.execute(statement.where(editions.c.run_id.in_(chunk)))
        if row.digest_id in requested
    ]
    return _collect_sent(tx, rows)


class SentEdition(NamedTuple):
    """An edition, and the papers in it, those beyond its limit last; of merged papers, the root.

    Attributes:
        digest: the number of the digest.
        composed_at: when it was made.
    """

    digest: int
    composed_at: datetime
    papers: tuple[PaperKey, ...]


def list_sent_editions(tx: Transaction, digest_ids: Sequence[int]) -> list[SentEdition]:
    """Return the editions of digests that are still stored, oldest first."""
    statement = _SELECT_COMPOSED.add_columns(editions.c.composed_at).order_by(editions.c.id)
    rows = [
        (row, [*list_item_seqs(row), *overflow.list_seqs_in_order(row.rest)])
        for chunk in split_into_chunks(sorted(digest_ids))
        for row in tx.execute(statement.where(editions.c.digest_id.in_(chunk)))
    ]
    described = describe_events(tx, {seq for _, seqs in rows for seq in seqs})
    return [
        SentEdition(row.digest_id, row.composed_at, tuple(dict.fromkeys(described[seq][0] for seq in seqs)))
        for row, seqs in rows
    ]


def _collect_sent(tx: Transaction, rows: Sequence[Any]) -> dict[int, SentEvents]:
    sent_by_seq = describe_events(tx, {seq for row in rows for seq in list_seqs(row)})
    sent_by_digest: dict[int, set[EventKey]] = {}
    for row in rows:
        sent = sent_by_digest.setdefault(row.digest_id, set())
        sent.update(sent_by_seq[seq] for seq in list_seqs(row))
    return {digest: frozenset(sent) for digest, sent in sent_by_digest.items()}


def list_sent_after(tx: Transaction, positions: Mapping[int, int]) -> list[tuple[int, int, list[int]]]:
    """List the events in editions, except alerts, whose windows extend beyond a position.

    Args:
        tx: a transaction.
        positions: the position of each digest, a ``seq``.

    Returns:
        Digest, end of the window, and the events of the edition.
    """
    sent: list[tuple[int, int, list[int]]] = []
    alerts = runs.c.period.startswith(ALERT_PREFIX)
    statement = (
        _SELECT_COMPOSED.add_columns(runs.c.to_seq).join(runs, runs.c.id == editions.c.run_id).where(~alerts)
    )
    for chunk in split_into_chunks(sorted(positions)):
        first_position = min(positions[digest] for digest in chunk)
        chunk_statement = statement.where(editions.c.digest_id.in_(chunk), runs.c.to_seq > first_position)
        sent += [
            (row.digest_id, row.to_seq, list_seqs(row))
            for row in tx.execute(chunk_statement)
            if row.to_seq > positions[row.digest_id]
        ]
    return sent


def describe_events(tx: Transaction, seqs: Iterable[int]) -> dict[int, EventKey]:
    """Return paper, kind and number of events; papers that were merged have the key of their root."""
    descriptions: dict[int, EventKey] = {}
    roots = papers.alias()
    for chunk in split_into_chunks(sorted(seqs)):
        statement = (
            select(events.c.seq, events.c.kind, events.c.number, roots.c.key)
            .join(papers, papers.c.id == events.c.paper_id)
            .join(roots, roots.c.id == func.coalesce(papers.c.merged_into, papers.c.id))
            .where(events.c.seq.in_(chunk))
        )
        for event in tx.execute(statement):
            descriptions[event.seq] = (PaperKey(event.key), EventKind(event.kind), event.number)
    return descriptions


def list_seqs(row: Any) -> list[int]:
    """Return the events of an edition, from a row with its columns ``items`` and ``rest``."""
    return [*list_item_seqs(row), *overflow.list_seqs(row.rest)]


def list_item_seqs(row: Any) -> list[int]:
    """Return the events of an edition within the limit of its digest, from a row with its column ``items``."""
    return [entry["seq"] for entry in row.items]
