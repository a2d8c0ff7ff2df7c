"""Positions in the queue of a channel, and what is found by them.

Deliveries are queued by due time, and those with one due time by the query that most of their papers match.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    literal_column,
    or_,
    select,
    true,
    tuple_,
)

from digest.model import BLAME_MESSAGE, Delivery, Fault
from digest.store.database.dialect import fetch_raw_rows, get_instant_reader, to_db
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries

READY = deliveries.c.state == literal_column("'ready'")


_MAX_QUERY = 2**62
"""More than the id of any query."""


class ClaimScope(StrEnum):
    """Which deliveries are claimed. Suspects go alone, because messages in the same batch would wait with them.

    Alerts go first. Suspects go last, except those that are ``UNPROVEN``: at most once, a server failed at them but accepted
    others.
    """

    ALL = "all"
    ORDINARY = "ordinary"
    SUSPECT = "suspect"
    UNPROVEN = "unproven"
    ALERT = "alert"


class QueuePosition(NamedTuple):
    """Position of a delivery in the queue of its channel.

    The oldest come first. Among those of the same age, deliveries with the same main query are next to each
    other, so that most parts of one mail can be reused for the next.
    """

    due_at: datetime
    main_query: int
    id: int

    @classmethod
    def from_delivery(cls, delivery: Delivery) -> QueuePosition:
        """Return the position of a delivery."""
        return cls(delivery.due_at, delivery.main_query, delivery.id)


QUEUE_FRONT = QueuePosition(datetime.min.replace(tzinfo=UTC), 0, 0)
"""Position before all deliveries."""


def make_group_end(due_at: datetime) -> QueuePosition:
    """Return the position behind all deliveries with a due time."""
    return QueuePosition(due_at, _MAX_QUERY, 0)


POSITION_COLUMNS = deliveries.c.due_at, deliveries.c.main_query, deliveries.c.id

PLACE_COLUMNS = deliveries.c.main_query, deliveries.c.id


def match_scope(scope: ClaimScope) -> ColumnElement[bool]:
    """Build the condition that a delivery is in a scope."""
    # Literals, because each scope has its own statement.
    ours: ColumnElement[str] = literal_column(f"'{Fault.OURS.value}'")
    message: ColumnElement[str] = literal_column(f"'{BLAME_MESSAGE}'")
    unknown: ColumnElement[int] = literal_column("0")
    match scope:
        case ClaimScope.ALL:
            return true()
        case ClaimScope.ORDINARY:
            return and_(deliveries.c.blame.not_in([ours, message]), deliveries.c.unknown == unknown)
        case ClaimScope.ALERT:
            return and_(deliveries.c.is_alert, match_scope(ClaimScope.ORDINARY))
        case ClaimScope.SUSPECT:
            # Exactly the condition of the index of suspects.
            return or_(deliveries.c.blame.in_([ours, message]), deliveries.c.unknown > unknown)
        case ClaimScope.UNPROVEN:
            one_attempt: ColumnElement[int] = literal_column("1")
            is_unproven = or_(
                deliveries.c.blame == ours,
                and_(deliveries.c.blame == message, deliveries.c.attempts <= one_attempt),
            )
            return and_(match_scope(ClaimScope.SUSPECT), is_unproven, deliveries.c.unknown == unknown)


def is_behind(columns: Sequence[Column[Any]]) -> ColumnElement[bool]:
    """Build the condition that a delivery is behind a position, whose parts are parameters with the columns' names."""
    return tuple_(*columns) > tuple_(*[bindparam(column.name) for column in columns])


@cache
def build_part_condition() -> ColumnElement[bool]:
    """Build the condition that a delivery is in a part of those with the same due time."""
    end_query: ColumnElement[int] = bindparam("end_query")
    return and_(
        deliveries.c.due_at == bindparam("due_at"),
        is_behind(PLACE_COLUMNS),
        # SQLite cannot end a scan by the comparison of two columns.
        deliveries.c.main_query <= end_query,
        tuple_(*PLACE_COLUMNS) < tuple_(end_query, bindparam("end_id")),
    )


def find_first_position(
    tx: Transaction,
    channel: str,
    now: datetime,
    *,
    after: QueuePosition = QUEUE_FRONT,
    scope: ClaimScope = ClaimScope.ORDINARY,
) -> QueuePosition | None:
    """Return the position of the first delivery behind a position that is due and not leased; None if there is none."""
    params = {"channel": channel, "now": to_db(tx, now)}
    params |= {"due_at": to_db(tx, after.due_at), "main_query": after.main_query, "id": after.id}
    rows = fetch_raw_rows(tx, _select_first_position(scope), params)
    return QueuePosition(get_instant_reader(tx)(rows[0][0]), *rows[0][1:]) if rows else None


@cache
def _select_first_position(scope: ClaimScope) -> Select[Any]:
    return (
        select(*POSITION_COLUMNS)
        .where(READY, deliveries.c.channel == bindparam("channel"), deliveries.c.due_at <= bindparam("now"))
        .where(is_behind(POSITION_COLUMNS), match_scope(scope))
        .order_by(*POSITION_COLUMNS)
        .limit(1)
    )


def find_in_part(
    tx: Transaction, channel: str, after: QueuePosition, before: QueuePosition, offset: int = 0
) -> QueuePosition | None:
    """Return the position of a delivery in a part of those with the same due time; None if it has no more than ``offset``.

    Args:
        tx: a transaction.
        channel: the channel.
        after: the position before the part.
        before: the position behind it.
        offset: the number of ordinary deliveries that are passed over.
    """
    params = {
        "channel": channel,
        "due_at": to_db(tx, after.due_at),
        "main_query": after.main_query,
        "id": after.id,
        "end_query": before.main_query,
        "end_id": before.id,
        "offset": offset,
    }
    rows = fetch_raw_rows(tx, _select_in_part(), params)
    return QueuePosition(after.due_at, *rows[0]) if rows else None


@cache
def _select_in_part() -> Select[Any]:
    return (
        select(*PLACE_COLUMNS)
        .where(READY, deliveries.c.channel == bindparam("channel"), build_part_condition())
        .where(match_scope(ClaimScope.ORDINARY))
        .order_by(*PLACE_COLUMNS)
        .limit(1)
        .offset(bindparam("offset", type_=Integer))
    )


def find_last_in_group(tx: Transaction, channel: str, due_at: datetime) -> QueuePosition | None:
    """Return the position of the last delivery with a due time that is not leased; None if there is none."""
    rows = fetch_raw_rows(tx, _select_last_in_group(), {"channel": channel, "due_at": to_db(tx, due_at)})
    return QueuePosition(due_at, *rows[0]) if rows else None


@cache
def _select_last_in_group() -> Select[Any]:
    return (
        select(*PLACE_COLUMNS)
        .where(
            READY, deliveries.c.channel == bindparam("channel"), deliveries.c.due_at == bindparam("due_at")
        )
        .order_by(*[column.desc() for column in PLACE_COLUMNS])
        .limit(1)
    )
