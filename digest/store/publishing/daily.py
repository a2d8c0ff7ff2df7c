"""Queries of the pages of days: which days have papers, what a day has, and what its pages depend on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import ColumnElement, func, select

from digest.model import EventKind
from digest.store.database.engine import Transaction
from digest.store.database.tables.papers import batches, events, signals
from digest.store.fetching import ledger

MAX_DAY_EVENTS = 20_000
"""Maximum number of events of a day that its pages show; ten times what all of arXiv announces on a day."""
_NEWS_KINDS = (EventKind.NEW.value, EventKind.PICKED.value)
_IS_OF_DAY = events.c.kind != EventKind.TRENDING.value
"""Condition that an event belongs to the papers of its day; people vote on days without papers, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayNeighbours:
    """Days with papers near a day; None where there is none.

    Attributes:
        older: the last day before it.
        newer: the first day after it.
        week_older: the last day at least a week before it.
        week_newer: the first day at least a week after it.
        month_older: the last day at least four weeks before it.
        month_newer: the first day at least four weeks after it.
    """

    older: date | None
    newer: date | None
    week_older: date | None
    week_newer: date | None
    month_older: date | None
    month_newer: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayVersion:
    """What the pages of a day depend on; if two versions are equal, the pages are the same.

    Attributes:
        last_seq: the last event of the day; 0 if there is none.
        batches: state, received and expected listings, failure, and the times of the last attempts, by batch.
        signal_day: the last day with numbers about papers; None if there is none.
        neighbours: the days that its pages link to.
    """

    last_seq: int
    batches: tuple[tuple[object, ...], ...]
    signal_day: date | None
    neighbours: DayNeighbours


def read_day_span(tx: Transaction) -> tuple[date, date] | None:
    """Return the first and the last day with events; None if there are none."""
    # Two queries, because SQLite finds only a single minimum or maximum in an index.
    first: date | None = tx.execute(select(func.min(events.c.day))).scalar()
    last: date | None = tx.execute(select(func.max(events.c.day))).scalar()
    return None if first is None or last is None else (first, last)


def find_newest_day(tx: Transaction) -> date | None:
    """Return the last day with new or picked papers; None if there is none."""
    statement = select(events.c.day).where(events.c.kind.in_(_NEWS_KINDS)).order_by(events.c.day.desc())
    return tx.execute(statement.limit(1)).scalar()


def list_newest_days(tx: Transaction, limit: int) -> list[date]:
    """Return the newest days with new or picked papers, newest first."""
    statement = select(events.c.day).where(events.c.kind.in_(_NEWS_KINDS)).distinct()
    return list(tx.execute(statement.order_by(events.c.day.desc()).limit(limit)).scalars())


def list_days_between(tx: Transaction, first_day: date, behind: date) -> list[date]:
    """Return the days with papers between two days, the second one excluded, in order."""
    conditions = events.c.day >= first_day, events.c.day < behind, _IS_OF_DAY
    statement = select(events.c.day).where(*conditions).distinct()
    return list(tx.execute(statement.order_by(events.c.day)).scalars())


def list_batch_days(tx: Transaction, since: date) -> list[date]:
    """Return the days since a day on which announcements are due."""
    statement = select(batches.c.day).where(batches.c.day >= since).distinct()
    return list(tx.execute(statement.order_by(batches.c.day)).scalars())


def read_day_version(tx: Transaction, day: date) -> DayVersion:
    """Return what the pages of a day depend on, by look-ups in indexes."""
    columns = (batches.c.id, batches.c.state, batches.c.received, batches.c.expected, batches.c.failure)
    attempts = (batches.c.asked_at, batches.c.answered_at)
    statement = select(*columns, *attempts).where(batches.c.day == day, ledger.is_due_around(day))
    rows = tx.execute(statement.order_by(batches.c.id))
    return DayVersion(
        last_seq=tx.execute(select(func.max(events.c.seq)).where(events.c.day == day)).scalar() or 0,
        batches=tuple(tuple(row) for row in rows),
        signal_day=tx.execute(select(func.max(signals.c.day))).scalar(),
        neighbours=_find_neighbours(tx, day),
    )


def _find_neighbours(tx: Transaction, day: date) -> DayNeighbours:
    one, week, month = timedelta(days=1), timedelta(days=7), timedelta(days=28)
    return DayNeighbours(
        older=_find_last_day(tx, day - one),
        newer=_find_first_day(tx, day + one),
        week_older=_find_last_day(tx, day - week),
        week_newer=_find_first_day(tx, day + week),
        month_older=_find_last_day(tx, day - month),
        month_newer=_find_first_day(tx, day + month),
    )


def _find_last_day(tx: Transaction, day: date) -> date | None:
    return _select_day(tx, events.c.day <= day, events.c.day.desc())


def _find_first_day(tx: Transaction, day: date) -> date | None:
    return _select_day(tx, events.c.day >= day, events.c.day)


def _select_day(
    tx: Transaction, is_in_period: ColumnElement[bool], order: ColumnElement[date]
) -> date | None:
    """Return the first day of a period, in an order, that has papers."""
    statement = select(events.c.day).where(is_in_period, _IS_OF_DAY)
    return tx.execute(statement.order_by(order).limit(1)).scalar()


def list_seqs_of_day(tx: Transaction, day: date) -> tuple[int, ...]:
    """Return the events of a day, in order."""
    statement = select(events.c.seq).where(events.c.day == day).order_by(events.c.seq).limit(MAX_DAY_EVENTS)
    return tuple(tx.execute(statement).scalars())
