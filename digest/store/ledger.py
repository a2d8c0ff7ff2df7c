"""The rows of the ledger: sections, how asking them went, and batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, select, tuple_, update

from digest.model import Batch, BatchState, Section
from digest.store.dialect import add_missing, put
from digest.store.engine import Transaction
from digest.store.schema import batches, run_batches, sections, source_state

# --- sections -------------------------------------------------------------------------------------


def declare_sections(tx: Transaction, source: str, names: Sequence[str], since: date) -> None:
    """Make the rows of sections that are asked from now on; one that had left comes back.

    Args:
        tx: a writing transaction.
        source: whose.
        names: all of its sections in the configuration.
        since: the day that a new one begins with.
    """
    rows = [{"source": source, "section": name, "since": since, "left_at": None} for name in sorted(names)]
    add_missing(tx, sections, rows)
    mine = (sections.c.source == source) & sections.c.section.in_(names)
    tx.execute(
        update(sections).where(mine, sections.c.left_at.is_not(None)).values(left_at=None, since=since)
    )


def leave_sections(tx: Transaction, kept: Iterable[tuple[str, str]], now: datetime) -> None:
    """Note which sections left the configuration: nobody waits for them any more."""
    here = sections.c.left_at.is_(None)
    gone = [
        (row.source, row.section)
        for row in tx.execute(select(sections).where(here))
        if (row.source, row.section) not in set(kept)
    ]
    if gone:
        pair = tuple_(sections.c.source, sections.c.section)
        tx.execute(update(sections).where(pair.in_(gone)).values(left_at=now))


def active_sections(tx: Transaction) -> tuple[Section, ...]:
    """The sections of the configuration and how asking them went, in a fixed order."""
    same = and_(source_state.c.source == sections.c.source, source_state.c.section == sections.c.section)
    statement = (
        select(sections.c.source, sections.c.section, sections.c.since, *_STATE)
        .select_from(sections.outerjoin(source_state, same))
        .where(sections.c.left_at.is_(None))
        .order_by(sections.c.source, sections.c.section)
    )
    return tuple(_section(row) for row in tx.execute(statement))


_STATE = tuple(source_state.c[name] for name in ("etag", "last_modified", "asked_at", "answered_at"))
_STATE += tuple(source_state.c[name] for name in ("next_at", "fruitless", "errors", "error"))


def _section(row: Row[Any]) -> Section:
    return Section(
        source=row.source,
        name=row.section,
        since=row.since,
        etag=row.etag or "",
        last_modified=row.last_modified or "",
        asked_at=row.asked_at,
        answered_at=row.answered_at,
        next_at=row.next_at,
        fruitless=row.fruitless or 0,
        errors=row.errors or 0,
        error=row.error or "",
    )


def note_attempt(tx: Transaction, section: Section, route: str) -> None:
    """Keep how asking a section went."""
    row = {
        "source": section.source,
        "route": route,
        "section": section.name,
        "etag": section.etag,
        "last_modified": section.last_modified,
        "asked_at": section.asked_at,
        "answered_at": section.answered_at,
        "next_at": section.next_at,
        "fruitless": section.fruitless,
        "errors": section.errors,
        "error": section.error,
    }
    put(tx, source_state, [row], key=("source", "route", "section"))


def forget_own_pauses(tx: Transaction) -> None:
    """A person asks: what we would have waited for by ourselves is over. What a host imposed stays."""
    tx.execute(update(source_state).values(next_at=None))


# --- batches --------------------------------------------------------------------------------------


def make_batches(tx: Transaction, source: str, section: str, days: Iterable[tuple[date, datetime]]) -> None:
    """Make the rows of days that are due, each with its due time; those there are left alone."""
    rows = [
        {
            "source": source,
            "section": section,
            "day": day,
            "state": BatchState.WAITING.value,
            "due_at": due,
            "received": 0,
            "error": "",
        }
        for day, due in days
    ]
    add_missing(tx, batches, rows)


def last_day(tx: Transaction, source: str, section: str) -> date | None:
    """The last day that a section has a batch of."""
    mine = (batches.c.source == source) & (batches.c.section == section)
    return tx.execute(select(func.max(batches.c.day)).where(mine)).scalar()


def batch_of(tx: Transaction, source: str, section: str, day: date) -> Batch:
    """The batch of one section and day; it must be there."""
    mine = (batches.c.source == source) & (batches.c.section == section) & (batches.c.day == day)
    return _batch(tx.execute(select(batches).where(mine).with_for_update()).one())


def batch(tx: Transaction, number: int) -> Batch:
    """A batch by its number; it must be there."""
    return _batch(tx.execute(select(batches).where(batches.c.id == number)).one())


def last_batches(tx: Transaction) -> tuple[Batch, ...]:
    """The last batch of each section of the configuration."""
    here = and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
    statement = select(batches).join(sections, here).where(sections.c.left_at.is_(None))
    last = {(row.source, row.section): _batch(row) for row in tx.execute(statement.order_by(batches.c.day))}
    return tuple(last.values())


def waiting_batches(tx: Transaction) -> tuple[Batch, ...]:
    """All batches that wait for an answer."""
    statement = select(batches).where(batches.c.state == BatchState.WAITING.value)
    return tuple(_batch(row) for row in tx.execute(statement.order_by(batches.c.day, batches.c.id)))


def awaited_batches(tx: Transaction, since: date) -> tuple[Batch, ...]:
    """The batches that wait for an answer, and those of a day and later that failed: they are asked for again."""
    failed = (batches.c.state == BatchState.FAILED.value) & (batches.c.day >= since)
    statement = select(batches).where((batches.c.state == BatchState.WAITING.value) | failed)
    return tuple(_batch(row) for row in tx.execute(statement.order_by(batches.c.day, batches.c.id)))


def recent_batches(tx: Transaction, since: date) -> tuple[Batch, ...]:
    """The batches of a day and later, by source, section and day."""
    order = (batches.c.source, batches.c.section, batches.c.day)
    rows = tx.execute(select(batches).where(batches.c.day >= since).order_by(*order))
    return tuple(_batch(row) for row in rows)


def save_batch(tx: Transaction, batch: Batch) -> None:
    """Keep a batch's account."""
    tx.execute(
        update(batches)
        .where(batches.c.id == batch.id)
        .values(
            state=batch.state.value,
            expected=batch.expected,
            received=batch.received,
            asked_at=batch.asked_at,
            answered_at=batch.answered_at,
            error=batch.error,
        )
    )


def settle(tx: Transaction, batch: Batch, state: BatchState) -> None:
    """Note what time alone made of a batch that waits; an answer that came meanwhile is stronger."""
    mine = _unanswered(batch, BatchState.WAITING)
    tx.execute(update(batches).where(mine).values(state=state.value))


def note_asked(tx: Transaction, awaited: Iterable[Batch], at: datetime, error: str) -> None:
    """Note an attempt in batches that it did not bring; an answer that came meanwhile is stronger.

    Args:
        tx: a writing transaction.
        awaited: those that it could have brought.
        at: when the attempt ended.
        error: what went wrong, "" if nothing did.
    """
    for batch in awaited:
        mine = _unanswered(batch, BatchState.WAITING, BatchState.FAILED)
        tx.execute(update(batches).where(mine).values(asked_at=at, error=error))


def _unanswered(batch: Batch, *states: BatchState) -> ColumnElement[bool]:
    """The batch, if it still is in one of these states."""
    return and_(batches.c.id == batch.id, batches.c.state.in_([state.value for state in states]))


def batches_of_run(tx: Transaction, run: int) -> tuple[Batch, ...]:
    """The batches that a run waits for or waited for, without those whose section left."""
    here = and_(sections.c.source == batches.c.source, sections.c.section == batches.c.section)
    statement = (
        select(batches)
        .join(run_batches, run_batches.c.batch_id == batches.c.id)
        .join(sections, here)
        .where(run_batches.c.run_id == run, sections.c.left_at.is_(None))
        .order_by(batches.c.day, batches.c.source, batches.c.section)
    )
    return tuple(_batch(row) for row in tx.execute(statement))


def _batch(row: Row[Any]) -> Batch:
    return Batch(
        id=row.id,
        source=row.source,
        section=row.section,
        day=row.day,
        state=BatchState(row.state),
        due_at=row.due_at,
        expected=row.expected,
        received=row.received,
        asked_at=row.asked_at,
        answered_at=row.answered_at,
        error=row.error,
    )
