"""Selection of the rows that the next run needs on an empty machine.

Rows of readers other than the owner of the configuration stay behind, and so do secrets. Included are the
papers of the last weeks, those that a digest has yet to report, and those in recent editions.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, Table, exists, func, or_, select

from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.model import Frequency, RunState, SubjectKind
from digest.store.database.dialect import split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    editions,
    feedback,
    follows,
    opinions,
    queries,
    run_batches,
    runs,
    slots,
    subscribers,
)
from digest.store.database.tables.papers import batches, events, papers, person_ids, same_person
from digest.store.database.tables.readers import reports, suppressions
from digest.store.delivery import rates
from digest.store.editions.sent_events import list_seqs
from digest.store.papers.events import find_seq_before
from digest.store.papers.papers import load_keys
from digest.store.publishing.request_rates import REQUESTS_PREFIX
from digest.store.subscribers.digests import CONFIGURED

EDITION_RETENTION = timedelta(days=90)
"""How long an edition counts as a report of its papers."""
PAPER_RETENTION = timedelta(days=30)
"""How long papers that no edition has reported are included; until then they can still make further events."""

EXCLUDED_TABLES = frozenset(
    {
        "leases",  # of processes that no longer exist
        "workers",
        "queue_cursors",
        "shard_evidence",
        "keys",  # secret
        "notices",  # sent already, or recorded again; they contain addresses
        "declarations",  # rows in a snapshot may have been edited, so the next file is applied completely
        "indexed_papers",  # papers are indexed again on a machine where somebody searches
        "indexed_texts",
        "term_forms",
        "term_counts",
        "term_vectors",
        "index_counters",
        "opened_subjects",  # a snapshot has no site
        "link_mails",
        "used_links",
        "sessions",  # secret
        "api_tokens",  # secret
        "secret_addresses",  # secret; of digests that are not included
        "audit_entries",  # of this machine
        "suppressed_hashes",  # nobody signs up where a snapshot goes
        "public_digests",  # digests that were made on the site are not included
        "edition_changes",  # of such digests
        "paper_imports",  # most of their papers are not included
    }
)
"""Tables that are not included."""
TABLES = tuple(table.name for table in metadata.sorted_tables if table.name not in EXCLUDED_TABLES)
"""Tables that are included, each after the tables that it refers to."""
_INCLUDED_NOTES = ("begun_with_now", "bounces_read_at", "latest_time", "renewed_sources", "summary_since")
"""Notes that are included; notes about the file and machine that set up the database are not."""

Rows = tuple[tuple[str, ...], Iterator[list[Any]]]
"""Names of columns, and rows of JSON values."""


# --- selection ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """Rows to include.

    Attributes:
        since: older rows are not included.
        after_seq: no digest or feed needs events up to this seq.
        row_ids: numbers of included rows by table; only of some tables.
        paper_keys: keys of the included papers.
    """

    since: datetime
    after_seq: int
    row_ids: Mapping[str, frozenset[int]]
    paper_keys: frozenset[str]

    def has_row(self, table: Table, row_id: int) -> bool:
        return row_id in self.row_ids[table.name]


_RowFilter = Callable[[_Selection, Row[Any]], bool]


def _include_all(_selection: _Selection, _row: Row[Any]) -> bool:
    return True


def _include_by(table: Table, name: str = "id") -> _RowFilter:
    """Make a filter for rows whose column refers to an included row of a table."""
    return lambda selection, row: selection.has_row(table, getattr(row, name))


_ROW_FILTERS: Mapping[str, _RowFilter] = {
    "subscribers": lambda _, row: row.address == "",
    "slots": _include_all,
    "digests": _include_by(digests),
    "destinations": _include_by(digests, "digest_id"),
    "follows": lambda selection, row: (
        selection.has_row(digests, row.digest_id)
        and (row.ended_at is None or row.ended_at >= selection.since)
    ),
    "queries": lambda selection, row: row.id in selection.row_ids["queries"],
    "match_blocks": lambda selection, row: (
        row.query_id in selection.row_ids["queries"] and row.block >= (selection.after_seq + 1) // BLOCK_SIZE
    ),
    "feedback": _include_by(digests, "digest_id"),
    "opinions": _include_by(digests, "digest_id"),
    "runs": _include_by(runs),
    "run_batches": _include_by(runs, "run_id"),
    "shards": _include_by(runs, "run_id"),
    "editions": _include_by(editions),
    "deliveries": _include_by(editions, "edition_id"),
    "partly_sent": lambda selection, row: row.delivery_id in selection.row_ids["deliveries"],
    "reports": lambda selection, row: row.at >= selection.since or row.id in selection.row_ids["reports"],
    "suppressions": _include_all,
    "counters": _include_all,
    "notes": lambda _, row: row.name in _INCLUDED_NOTES,
    "sections": _include_all,
    "source_state": _include_all,
    # Those of deliveries contain domains of readers, and those of requests their networks.
    "buckets": lambda _, row: (
        not rates.is_delivery_bucket(row.name) and not row.name.startswith(REQUESTS_PREFIX)
    ),
    "moves": _include_all,
    "batches": _include_by(batches),
    "day_answers": _include_by(batches, "batch_id"),
    "papers": _include_by(papers),
    "statements": _include_by(papers, "paper_id"),
    "claims": _include_by(papers, "paper_id"),
    "authorships": _include_by(papers, "paper_id"),
    "author_ids": _include_by(papers, "paper_id"),
    "person_ids": _include_all,
    "same_person": _include_all,
    "signals": lambda selection, row: (
        row.subject in selection.paper_keys and row.day >= selection.since.date()
    ),
    # Without its paper, the answer of an enricher is lost as well, so the request has to be repeated.
    "enrichments": lambda selection, row: (
        row.asked_at >= selection.since
        and (row.kind != SubjectKind.PAPER.value or row.subject in selection.paper_keys)
    ),
    "enrichers": _include_all,
    "listings": lambda selection, row: (
        selection.has_row(papers, row.paper_id) and selection.has_row(batches, row.batch_id)
    ),
    "events": _include_by(papers, "paper_id"),
}
"""Filter of the rows of each table."""
_RESET_VALUES: Mapping[str, Mapping[str, Any]] = {
    "queries": {"compiled": ""},
    "shards": {"lease_until": None, "lease_token": 0},
    "deliveries": {"lease_until": None, "lease_token": 0},
    "buckets": {"busy_until": None, "holder": 0},
}
"""Values that replace those of columns, because leases end with their process and compiled queries can be computed."""


def iter_tables(tx: Transaction, now: datetime) -> Iterator[tuple[str, Rows]]:
    """Yield the rows of each table that the next run needs, ordered by primary key.

    Args:
        tx: a transaction; rows are read as the caller iterates.
        now: editions and most other rows older than 90 days at this time are not included.
    """
    selection = _select_rows(tx, now)
    for name in TABLES:
        table = metadata.tables[name]
        yield name, (tuple(table.c.keys()), _iter_rows(tx, table, selection))


def _iter_rows(tx: Transaction, table: Table, selection: _Selection) -> Iterator[list[Any]]:
    is_included, reset_values = _ROW_FILTERS[table.name], dict(_RESET_VALUES.get(table.name, {}))
    for row in _iter_table(tx, table, selection):
        if not is_included(selection, row):
            continue
        values = {
            column.name: _to_plain(value) for column, value in zip(table.c, row, strict=True)
        } | reset_values
        if values.get("state") == "leased":
            values["state"] = "ready"
        for name in _START_COLUMNS:
            if values.get(name) is not None and table.name == "queries":
                values[name] = max(values[name], selection.after_seq)  # nobody needs earlier matches
        yield list(values.values())


def _iter_table(tx: Transaction, table: Table, selection: _Selection) -> Iterator[Row[Any]]:
    """Yield the rows of a table by primary key; of tables about papers, load only the rows of included papers."""
    order = list(table.primary_key.columns)
    name = "id" if table is papers else "paper_id"
    if name not in table.c or table.name not in _PAPER_TABLES:
        yield from tx.execute(select(table).order_by(*order))
        return
    by_paper = [table.c[name], *(column for column in order if column.name != name)]
    for chunk in split_into_chunks(sorted(selection.row_ids["papers"])):
        yield from tx.execute(select(table).where(table.c[name].in_(chunk)).order_by(*by_paper))


_START_COLUMNS = ("matched_from", "needed_from")
_PAPER_TABLES = frozenset(
    {"papers", "statements", "claims", "authorships", "author_ids", "listings", "events"}
)


def _to_plain(value: Any) -> Any:
    match value:
        case date():  # includes datetime
            return value.isoformat()
        case bytes():
            return b64encode(value).decode("ascii")
        case _:
            return value


def _select_rows(tx: Transaction, now: datetime) -> _Selection:
    since = now - EDITION_RETENTION
    digest_ids = frozenset(
        tx.execute(
            select(digests.c.id)
            .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
            .where(subscribers.c.address == "", digests.c.made_by == CONFIGURED)
        ).scalars()
    )
    edition_ids, sent_seqs = _select_editions(tx, digest_ids, since)
    run_ids = _select_runs(tx, since)
    after_seq = max(
        min(_find_sent_seq(tx), find_seq_before(tx, (now - PAPER_RETENTION).date())),
        find_seq_before(tx, since.date()),
    )
    paper_ids = _select_papers(tx, now, after_seq, sent_seqs)
    return _Selection(
        since=since,
        after_seq=after_seq,
        row_ids={
            "digests": digest_ids,
            "queries": _select_queries(tx, digest_ids),
            "editions": edition_ids,
            "deliveries": _select_by_reference(
                tx, select(deliveries.c.id, deliveries.c.edition_id), edition_ids
            ),
            "runs": run_ids,
            "reports": frozenset(tx.execute(select(suppressions.c.report_id)).scalars()),
            "batches": _select_batches(tx, since, run_ids),
            "papers": paper_ids,
        },
        paper_keys=frozenset(load_keys(tx, paper_ids).values()),
    )


def _select_by_reference(
    tx: Transaction, statement: Select[Any], referenced: frozenset[int]
) -> frozenset[int]:
    """Return the first columns of the rows whose second column is in a set."""
    return frozenset(row_id for row_id, reference in tx.execute(statement) if reference in referenced)


def _select_queries(tx: Transaction, digest_ids: frozenset[int]) -> frozenset[int]:
    """Return the queries of the included digests and those of public feeds.

    A query is one of a public feed if it is needed although no digest follows it.
    """
    result = tx.execute(select(follows.c.digest_id, follows.c.query_id, follows.c.only_query_id))
    rows = [(digest in digest_ids, *query_ids) for digest, *query_ids in result]
    own_queries = {number for is_ours, *query_ids in rows if is_ours for number in query_ids}
    other_queries = {number for is_ours, *query_ids in rows if not is_ours for number in query_ids}
    needed_queries = set(tx.execute(select(queries.c.id).where(queries.c.needed_from.is_not(None))).scalars())
    return frozenset(own_queries | (needed_queries - other_queries))


def _select_editions(
    tx: Transaction, digest_ids: frozenset[int], since: datetime
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the editions of the last 90 days, and the seqs of the events that they reported."""
    edition_ids: set[int] = set()
    sent_seqs: set[int] = set()
    for row in tx.execute(select(editions).where(editions.c.composed_at >= since)):
        if row.digest_id in digest_ids:
            edition_ids.add(row.id)
            sent_seqs.update(list_seqs(row))
    return frozenset(edition_ids), frozenset(sent_seqs)


def _select_runs(tx: Transaction, since: datetime) -> frozenset[int]:
    """Return the open runs, those of the last 90 days, and the last one of each slot, where the next one begins."""
    is_unfinished = runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value])
    last_ids = select(func.max(runs.c.id)).group_by(runs.c.slot_id)
    statement = select(runs.c.id).where(or_(is_unfinished, runs.c.fire_at >= since, runs.c.id.in_(last_ids)))
    composed_statement = select(editions.c.run_id).where(editions.c.composed_at >= since)
    return frozenset(tx.execute(statement).scalars()) | frozenset(tx.execute(composed_statement).scalars())


def _select_batches(tx: Transaction, since: datetime, run_ids: frozenset[int]) -> frozenset[int]:
    """Return the batches of the last 90 days, those of included runs, and the last one of each section.

    The last one shows from which day on batches are to be created.
    """
    last_day = func.max(batches.c.day).over(partition_by=[batches.c.source, batches.c.section])
    days = select(batches.c.id, batches.c.day, last_day.label("last")).subquery()
    newest_ids = select(days.c.id).where(days.c.day == days.c.last)
    recent_ids = select(batches.c.id).where(batches.c.day >= since.date())
    awaited = _select_by_reference(tx, select(run_batches.c.batch_id, run_batches.c.run_id), run_ids)
    return awaited.union(tx.execute(recent_ids).scalars(), tx.execute(newest_ids).scalars())


def _select_papers(
    tx: Transaction, now: datetime, after_seq: int, sent_seqs: frozenset[int]
) -> frozenset[int]:
    """Return the papers to include, with all papers merged with them.

    These are the papers of reported, pending and recent events, and those in opinions and statements of
    people.
    """
    is_recent = events.c.day >= (now - PAPER_RETENTION).date()
    statement = select(events.c.paper_id).where(is_recent | (events.c.seq > after_seq))
    paper_ids = set(tx.execute(statement).scalars())
    for chunk in split_into_chunks(sorted(sent_seqs)):
        paper_ids.update(tx.execute(select(events.c.paper_id).where(events.c.seq.in_(chunk))).scalars())
    for table, names in (
        (feedback, ["paper_id"]),
        (opinions, ["paper_id"]),
        (person_ids, ["paper_id"]),
        (same_person, ["paper_id", "other_paper_id"]),
    ):
        for name in names:
            paper_ids.update(tx.execute(select(table.c[name])).scalars())
    # Only merged papers are read, because there may be millions of imported ones.
    is_merged = papers.c.merged_into.is_not(None)
    roots = {row.id: row.merged_into for row in tx.execute(select(papers).where(is_merged))}
    root_ids = {roots.get(paper_id, paper_id) for paper_id in paper_ids}
    return frozenset(root_ids.union(paper_id for paper_id, root in roots.items() if root in root_ids))


def _find_sent_seq(tx: Transaction) -> int:
    """Return the seq up to which every digest was reported."""
    is_active = digests.c.state != "ended"
    cursor_statement = select(func.min(slots.c.cursor_seq)).join(digests, digests.c.slot_id == slots.c.id)
    own_cursors = select(func.min(digests.c.from_seq)).where(is_active)
    has_alerts = exists().where(follows.c.alert, follows.c.ended_at.is_(None))
    alert_cursors = select(func.min(slots.c.cursor_seq)).where(
        slots.c.frequency == Frequency.ALERT.value, has_alerts
    )
    slot_cursors = cursor_statement.where(is_active)
    positions = [tx.execute(statement).scalar() for statement in (slot_cursors, own_cursors, alert_cursors)]
    return min((seq for seq in positions if seq is not None), default=0)


def list_addresses(tx: Transaction) -> frozenset[str]:
    """Return all addresses of readers that included rows may contain."""
    digest_ids = select(digests.c.id).where(digests.c.made_by == CONFIGURED)
    statements = [
        select(destinations.c.address).where(destinations.c.digest_id.in_(digest_ids)),
        select(destinations.c.mailbox).where(destinations.c.digest_id.in_(digest_ids)),
        select(suppressions.c.mailbox),
        select(reports.c.mailbox),
        select(subscribers.c.address),
    ]
    return frozenset(
        address for statement in statements for address in tx.execute(statement).scalars() if address
    )
