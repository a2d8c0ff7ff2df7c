"""The rows that the next run needs on an empty machine, out of a store and into a new one.

What is for people other than the configuration's owner, and what is somebody's secret, stays. Of papers these go along:
those of the last weeks, all that a digest is still to be told of, and those that editions told.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, Table, exists, func, or_, select

from digest.core.matching.bitmaps import BLOCK
from digest.model import Frequency, RunState, SubjectKind
from digest.store.database.dialect import chunks
from digest.store.database.digest_tables import (
    deliveries,
    destinations,
    digests,
    editions,
    feedback,
    follows,
    opinions,
    queries,
    reports,
    run_batches,
    runs,
    slots,
    subscribers,
    suppressions,
)
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import batches, events, papers, person_ids, same_person
from digest.store.database.types import metadata
from digest.store.delivery import rates
from digest.store.editions.editions import seqs_of
from digest.store.papers.events import before_day

TOLD = timedelta(days=90)
"""So long an edition says what its digest has told."""
KNOWN = timedelta(days=30)
"""So long a paper is known that no edition told: till then, what it gains is an event of its own."""

LEFT = frozenset(
    {
        "leases",  # of processes that are no more
        "keys",  # secret
        "notices",  # told, or noted anew; they name addresses
        "declarations",  # so that the next file is applied whole: rows of a folder can have been changed in any way
        "indexed_papers",  # papers are indexed where somebody searches
        "indexed_texts",
        "term_forms",
        "index_counters",
    }
)
"""Tables that stay."""
TABLES = tuple(table.name for table in metadata.sorted_tables if table.name not in LEFT)
"""Those that are taken along; a table comes behind those that it refers to."""
_NOTES = ("begun_with_now", "bounces_read_at", "latest_time", "renewed_sources", "summary_since")
"""What the store knows about itself, and the next one should: not which file, of which machine, set it up."""

Rows = tuple[tuple[str, ...], Iterator[list[Any]]]
"""The names of columns, and rows of what JSON has."""


# --- what is taken along --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """What is taken along.

    Attributes:
        since: what is older is not.
        low: what came up to this seq is of no use to any digest or feed.
        numbers: of rows, by table.
        keys: of the papers.
    """

    since: datetime
    low: int
    numbers: Mapping[str, frozenset[int]]
    keys: frozenset[str]

    def has(self, those: Table, number: int) -> bool:
        return number in self.numbers[those.name]


_Rule = Callable[[_Chosen, Row[Any]], bool]


def _all(_chosen: _Chosen, _row: Row[Any]) -> bool:
    return True


def _of(those: Table, name: str = "id") -> _Rule:
    """Those whose column names something that is taken along."""
    return lambda chosen, row: chosen.has(those, getattr(row, name))


_RULES: Mapping[str, _Rule] = {
    "subscribers": lambda _, row: row.address == "",
    "slots": _all,
    "digests": _of(digests),
    "destinations": _of(digests, "digest_id"),
    "follows": lambda chosen, row: (
        chosen.has(digests, row.digest_id) and (row.ended_at is None or row.ended_at >= chosen.since)
    ),
    "queries": lambda chosen, row: row.id in chosen.numbers["queries"],
    "match_blocks": lambda chosen, row: (
        row.query_id in chosen.numbers["queries"] and row.block >= (chosen.low + 1) // BLOCK
    ),
    "feedback": _of(digests, "digest_id"),
    "opinions": _of(digests, "digest_id"),
    "runs": _of(runs),
    "run_batches": _of(runs, "run_id"),
    "shards": _of(runs, "run_id"),
    "editions": _of(editions),
    "deliveries": _of(editions, "edition_id"),
    "partly_sent": lambda chosen, row: row.delivery_id in chosen.numbers["deliveries"],
    "reports": lambda chosen, row: row.at >= chosen.since or row.id in chosen.numbers["reports"],
    "suppressions": _all,
    "counters": _all,
    "notes": lambda _, row: row.name in _NOTES,
    "sections": _all,
    "source_state": _all,
    "buckets": lambda _, row: not rates.is_of_delivering(row.name),  # these name readers' domains
    "moves": _all,
    "batches": _of(batches),
    "day_answers": _of(batches, "batch_id"),
    "papers": _of(papers),
    "statements": _of(papers, "paper_id"),
    "claims": _of(papers, "paper_id"),
    "authorships": _of(papers, "paper_id"),
    "author_ids": _of(papers, "paper_id"),
    "person_ids": _all,
    "same_person": _all,
    "signals": lambda chosen, row: row.subject in chosen.keys and row.day >= chosen.since.date(),
    # Of a paper that is not taken along it is not known any more what was answered.
    "enrichments": lambda chosen, row: (
        row.asked_at >= chosen.since and (row.kind != SubjectKind.PAPER.value or row.subject in chosen.keys)
    ),
    "enrichers": _all,
    "listings": lambda chosen, row: chosen.has(papers, row.paper_id) and chosen.has(batches, row.batch_id),
    "events": _of(papers, "paper_id"),
}
"""Which rows of each table are taken along."""
_BLANK: Mapping[str, Mapping[str, Any]] = {
    "queries": {"compiled": ""},
    "shards": {"lease_until": None, "lease_token": 0},
    "deliveries": {"lease_until": None, "lease_token": 0},
    "buckets": {"busy_until": None, "holder": 0},
}
"""What columns hold instead: who has leased something is no more, and what can be worked out is not told."""


def taken(tx: Transaction, now: datetime) -> Iterator[tuple[str, Rows]]:
    """The rows of each table that the next run needs, in the order of their keys.

    Args:
        tx: a transaction; the rows are read while they are asked for.
        now: what is older than 90 days by then stays.
    """
    chosen = _choose(tx, now)
    for name in TABLES:
        table = metadata.tables[name]
        yield name, (tuple(table.c.keys()), _rows(tx, table, chosen))


def _rows(tx: Transaction, table: Table, chosen: _Chosen) -> Iterator[list[Any]]:
    rule, blank = _RULES[table.name], dict(_BLANK.get(table.name, {}))
    for row in _read(tx, table, chosen):
        if not rule(chosen, row):
            continue
        made = {column.name: _plain(value) for column, value in zip(table.c, row, strict=True)} | blank
        if made.get("state") == "leased":
            made["state"] = "ready"
        for name in _FROM:
            if made.get(name) is not None and table.name == "queries":
                made[name] = max(made[name], chosen.low)  # nobody asks for what lies before it
        yield list(made.values())


def _read(tx: Transaction, table: Table, chosen: _Chosen) -> Iterator[Row[Any]]:
    """A table's rows in the order of its key; of papers only those that are asked for: there may be many more."""
    order = list(table.primary_key.columns)
    name = "id" if table is papers else "paper_id"
    if name not in table.c or table.name not in _OF_PAPERS:
        yield from tx.execute(select(table).order_by(*order))
        return
    by_paper = [table.c[name], *(column for column in order if column.name != name)]
    for chunk in chunks(sorted(chosen.numbers["papers"])):
        yield from tx.execute(select(table).where(table.c[name].in_(chunk)).order_by(*by_paper))


_FROM = ("matched_from", "needed_from")
_OF_PAPERS = frozenset({"papers", "statements", "claims", "authorships", "author_ids", "listings", "events"})


def _plain(value: Any) -> Any:
    match value:
        case date():  # an instant is one, too
            return value.isoformat()
        case bytes():
            return b64encode(value).decode("ascii")
        case _:
            return value


def _choose(tx: Transaction, now: datetime) -> _Chosen:
    since = now - TOLD
    ours = frozenset(
        tx.execute(
            select(digests.c.id)
            .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
            .where(subscribers.c.address == "", digests.c.made_by == "config")
        ).scalars()
    )
    kept_editions, told = _editions(tx, ours, since)
    kept_runs = _runs(tx, since)
    low = max(min(_told_to(tx), before_day(tx, (now - KNOWN).date())), before_day(tx, since.date()))
    kept_papers = _papers(tx, now, low, told)
    keys = select(papers.c.key, papers.c.id)
    return _Chosen(
        since=since,
        low=low,
        numbers={
            "digests": ours,
            "queries": _queries(tx, ours),
            "editions": kept_editions,
            "deliveries": _numbers(tx, select(deliveries.c.id, deliveries.c.edition_id), kept_editions),
            "runs": kept_runs,
            "reports": frozenset(tx.execute(select(suppressions.c.report_id)).scalars()),
            "batches": _batches(tx, since, kept_runs),
            "papers": kept_papers,
        },
        keys=frozenset(row.key for row in tx.execute(keys) if row.id in kept_papers),
    )


def _numbers(tx: Transaction, statement: Select[Any], those: frozenset[int]) -> frozenset[int]:
    """First columns of the rows whose second one is among those."""
    return frozenset(one for one, other in tx.execute(statement) if other in those)


def _queries(tx: Transaction, ours: frozenset[int]) -> frozenset[int]:
    """The queries of our follows, and those that are needed and nobody's follow: of feeds for everybody."""
    found = tx.execute(select(follows.c.digest_id, follows.c.query_id, follows.c.only_query_id))
    rows = [(digest in ours, *two) for digest, *two in found]
    mine = {number for is_ours, *two in rows if is_ours for number in two}
    others = {number for is_ours, *two in rows if not is_ours for number in two}
    needed = set(tx.execute(select(queries.c.id).where(queries.c.needed_from.is_not(None))).scalars())
    return frozenset(mine | (needed - others))


def _editions(
    tx: Transaction, ours: frozenset[int], since: datetime
) -> tuple[frozenset[int], frozenset[int]]:
    """The editions of the last 90 days, and the seqs of what they told."""
    found: set[int] = set()
    told: set[int] = set()
    for row in tx.execute(select(editions).where(editions.c.composed_at >= since)):
        if row.digest_id in ours:
            found.add(row.id)
            told.update(seqs_of(row))
    return frozenset(found), frozenset(told)


def _runs(tx: Transaction, since: datetime) -> frozenset[int]:
    """What is under way, what fired in the last 90 days, and the last one of each slot: the next one waits from there."""
    under_way = runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value])
    last = select(func.max(runs.c.id)).group_by(runs.c.slot_id)
    chosen = select(runs.c.id).where(or_(under_way, runs.c.fire_at >= since, runs.c.id.in_(last)))
    composed = select(editions.c.run_id).where(editions.c.composed_at >= since)
    return frozenset(tx.execute(chosen).scalars()) | frozenset(tx.execute(composed).scalars())


def _batches(tx: Transaction, since: datetime, kept_runs: frozenset[int]) -> frozenset[int]:
    """Those of the last 90 days, those that runs wait for, and the last one of each section: days are counted from there."""
    last = func.max(batches.c.day).over(partition_by=[batches.c.source, batches.c.section])
    days = select(batches.c.id, batches.c.day, last.label("last")).subquery()
    newest = select(days.c.id).where(days.c.day == days.c.last)
    late = select(batches.c.id).where(batches.c.day >= since.date())
    awaited = _numbers(tx, select(run_batches.c.batch_id, run_batches.c.run_id), kept_runs)
    return awaited.union(tx.execute(late).scalars(), tx.execute(newest).scalars())


def _papers(tx: Transaction, now: datetime, low: int, told: frozenset[int]) -> frozenset[int]:
    """The papers of what was told, of what is to be told, and of the last 30 days, with all that are one with them."""
    recent = events.c.day >= (now - KNOWN).date()
    statement = select(events.c.paper_id).where(recent | (events.c.seq > low))
    found = set(tx.execute(statement).scalars())
    for chunk in chunks(sorted(told)):
        found.update(tx.execute(select(events.c.paper_id).where(events.c.seq.in_(chunk))).scalars())
    for table, names in (
        (feedback, ["paper_id"]),
        (opinions, ["paper_id"]),
        (person_ids, ["paper_id"]),
        (same_person, ["paper_id", "other_paper_id"]),
    ):
        for name in names:
            found.update(tx.execute(select(table.c[name])).scalars())
    roots = {
        row.id: row.merged_into or row.id for row in tx.execute(select(papers.c.id, papers.c.merged_into))
    }
    wanted = {roots[number] for number in found}
    return frozenset(number for number, root in roots.items() if root in wanted)


def _told_to(tx: Transaction) -> int:
    """The seq up to which every digest has been told everything."""
    standing = digests.c.state != "ended"
    joined = select(func.min(slots.c.cursor_seq)).join(digests, digests.c.slot_id == slots.c.id)
    own = select(func.min(digests.c.from_seq)).where(standing)
    told_at_once = exists().where(follows.c.alert, follows.c.ended_at.is_(None))
    alerts = select(func.min(slots.c.cursor_seq)).where(
        slots.c.frequency == Frequency.ALERT.value, told_at_once
    )
    cursors = joined.where(standing)
    found = [tx.execute(one).scalar() for one in (cursors, own, alerts)]
    return min((seq for seq in found if seq is not None), default=0)


def addresses(tx: Transaction) -> frozenset[str]:
    """Every address of a reader that rows which are taken along may name."""
    ours = select(digests.c.id).where(digests.c.made_by == "config")
    columns = [
        select(destinations.c.address).where(destinations.c.digest_id.in_(ours)),
        select(destinations.c.mailbox).where(destinations.c.digest_id.in_(ours)),
        select(suppressions.c.mailbox),
        select(reports.c.mailbox),
        select(subscribers.c.address),
    ]
    return frozenset(one for statement in columns for one in tx.execute(statement).scalars() if one)
