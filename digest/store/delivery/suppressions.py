"""Suppressions: addresses that get no mail from any digest because of bounces.

The state of each destination repeats this, so composing and delivering editions need not look here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, select, update

from digest.store.database.dialect import insert_or_update, split_into_chunks
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, editions
from digest.store.database.tables.readers import reports, suppressions
from digest.store.delivery.outbox import DROP_REASONS, UNNAMED
from digest.store.subscribers.digests import ACTIVE, RESTING, STOPPED, SUPPRESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Address that gets no mail.

    Attributes:
        mailbox: the address in lower case.
        state: ``suppressed``, or ``resting`` for a limited time.
        report: the number of the report that caused it.
        status: the enhanced status code of that report, or "".
        road: how that report was received.
    """

    mailbox: str
    state: str
    since: datetime
    until: datetime | None
    report: int
    status: str
    answer: str
    road: str


def suppress_address(
    tx: Transaction, mailbox: str, now: datetime, *, until: datetime | None, report: int
) -> None:
    """Stop all mail to an address; if the suppression is permanent, waiting deliveries are dropped.

    Args:
        tx: a writing transaction.
        mailbox: the address in lower case.
        now: the time.
        until: the end of a rest; None for a permanent suppression.
        report: the number of the report that caused it.
    """
    state = SUPPRESSED if until is None else RESTING
    row = {"mailbox": mailbox, "state": state, "since": now, "until": until, "report_id": report}
    insert_or_update(tx, suppressions, [row], key=("mailbox",))
    is_address = destinations.c.mailbox == mailbox
    tx.execute(
        update(destinations)
        .where(is_address, destinations.c.state.in_([ACTIVE, RESTING, SUPPRESSED]))
        .values(state=state)
    )
    if state == SUPPRESSED:
        _drop_waiting(tx, is_address, DROP_REASONS[SUPPRESSED], named_in=UNNAMED)


def stop_all_digests(tx: Transaction, mailbox: str, reason: str) -> None:
    """Unsubscribe an address from all digests, and drop its waiting deliveries."""
    is_address = destinations.c.mailbox == mailbox
    tx.execute(update(destinations).where(is_address, destinations.c.state != STOPPED).values(state=STOPPED))
    _drop_waiting(tx, is_address, reason, named_in=None)


def _drop_waiting(
    tx: Transaction, condition: ColumnElement[bool], reason: str, *, named_in: int | None
) -> None:
    destination_rows = tx.execute(select(destinations.c.id, destinations.c.digest_id).where(condition)).all()
    edition_ids = select(editions.c.id).where(
        editions.c.digest_id.in_({row.digest_id for row in destination_rows})
    )
    is_waiting = deliveries.c.edition_id.in_(edition_ids) & deliveries.c.destination_id.in_(
        [row.id for row in destination_rows]
    )
    tx.execute(
        update(deliveries)
        .where(is_waiting, deliveries.c.state.in_(["ready", "held"]))
        .values(state="dropped", answer=reason, named_in=named_in)
    )


def remove_suppression(tx: Transaction, mailbox: str) -> bool:
    """Resume mail to an address, unless its reader or the configuration stopped it.

    Returns:
        Whether the address was suppressed or resting.
    """
    was_suppressed = tx.execute(delete(suppressions).where(suppressions.c.mailbox == mailbox)).rowcount > 0
    is_suppressed = (destinations.c.mailbox == mailbox) & destinations.c.state.in_([SUPPRESSED, RESTING])
    tx.execute(update(destinations).where(is_suppressed).values(state=ACTIVE))
    return was_suppressed


def withdraw_for_reports(tx: Transaction, report_ids: Sequence[int]) -> tuple[str, ...]:
    """Remove the suppressions that some reports caused, and make the deliveries ready that were dropped for them.

    Dropped deliveries that a mail has named as missed stay dropped.

    Args:
        tx: a writing transaction.
        report_ids: the reports.

    Returns:
        The addresses in lower case.
    """
    mailboxes: list[str] = []
    for chunk in split_into_chunks(report_ids):
        statement = select(suppressions.c.mailbox).where(suppressions.c.report_id.in_(chunk))
        mailboxes += tx.execute(statement.order_by(suppressions.c.mailbox)).scalars()
    for mailbox in mailboxes:
        remove_suppression(tx, mailbox)
        _restore_dropped(tx, mailbox)
    return tuple(mailboxes)


def _restore_dropped(tx: Transaction, mailbox: str) -> None:
    """Make deliveries ready again that were dropped because their address was suppressed."""
    destination_ids = select(destinations.c.id).where(destinations.c.mailbox == mailbox)
    edition_ids = select(editions.c.id).where(
        editions.c.digest_id.in_(select(destinations.c.digest_id).where(destinations.c.mailbox == mailbox))
    )
    is_dropped = (deliveries.c.state == "dropped") & (deliveries.c.answer == DROP_REASONS[SUPPRESSED])
    is_unnamed = deliveries.c.named_in == UNNAMED
    tx.execute(
        update(deliveries)
        .where(
            deliveries.c.edition_id.in_(edition_ids),
            deliveries.c.destination_id.in_(destination_ids),
            is_dropped,
            is_unnamed,
        )
        .values(state="ready", answer="", named_in=None)
    )


def has_expired_rest(tx: Transaction, now: datetime) -> bool:
    """Whether the rest of any address has ended."""
    statement = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    return tx.execute(statement.limit(1)).first() is not None


def remove_expired_rests(tx: Transaction, now: datetime) -> tuple[str, ...]:
    """Resume mail to addresses whose rest has ended.

    Returns:
        The addresses in lower case.
    """
    statement = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    mailboxes = tuple(tx.execute(statement.order_by(suppressions.c.mailbox)).scalars())
    for mailbox in mailboxes:
        remove_suppression(tx, mailbox)
    return mailboxes


# --- reading --------------------------------------------------------------------------------------


def list_unsubscribed(tx: Transaction, mailboxes: Sequence[str]) -> frozenset[str]:
    """Return those of some addresses, in lower case, that are unsubscribed from all digests."""
    unsubscribed_mailboxes: set[str] = set()
    for chunk in split_into_chunks(mailboxes):
        statement = select(destinations.c.mailbox).where(destinations.c.mailbox.in_(chunk)).distinct()
        stopped_statement, others_statement = (
            statement.where(condition) for condition in (_IS_STOPPED, ~_IS_STOPPED)
        )
        unsubscribed_mailboxes |= set(tx.execute(stopped_statement).scalars()) - set(
            tx.execute(others_statement).scalars()
        )
    return frozenset(unsubscribed_mailboxes)


_IS_STOPPED = destinations.c.state == STOPPED


def list_suppressions(tx: Transaction, mailboxes: Sequence[str] = ()) -> tuple[Suppression, ...]:
    """Return the suppressions of some or all addresses, latest first."""
    statement = _select_joined().order_by(suppressions.c.since.desc(), suppressions.c.mailbox)
    if mailboxes:
        statement = statement.where(suppressions.c.mailbox.in_(mailboxes))
    return tuple(map(_build_suppression, tx.execute(statement)))


def list_newest(tx: Transaction, limit: int, before: int | None = None) -> tuple[Suppression, ...]:
    """Return the suppressions by the number of the report that caused them, the highest first.

    Args:
        tx: a transaction.
        limit: the maximum number.
        before: only those with a lower number; None for all.
    """
    statement = _select_joined().order_by(suppressions.c.report_id.desc()).limit(limit)
    if before is not None:
        statement = statement.where(suppressions.c.report_id < before)
    return tuple(map(_build_suppression, tx.execute(statement)))


def find_suppression(tx: Transaction, report: int) -> Suppression | None:
    """Return the suppression that a report caused; None if there is none any more."""
    row = tx.execute(_select_joined().where(suppressions.c.report_id == report)).first()
    return _build_suppression(row) if row else None


def count_by_state(tx: Transaction) -> dict[str, int]:
    """Count the suppressed addresses by state."""
    statement = select(suppressions.c.state, func.count()).group_by(suppressions.c.state)
    return {state: count for state, count in tx.execute(statement)}  # noqa: C416 - a Row is not a pair to mypy


def _select_joined() -> Select[Any]:
    return select(suppressions, reports.c.status, reports.c.answer, reports.c.road).join(
        reports, reports.c.id == suppressions.c.report_id
    )


def _build_suppression(row: Row[Any]) -> Suppression:
    return Suppression(
        mailbox=row.mailbox,
        state=row.state,
        since=row.since,
        until=row.until,
        report=row.report_id,
        status=row.status,
        answer=row.answer,
        road=row.road,
    )
