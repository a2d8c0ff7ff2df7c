"""Suppressions: addresses that nothing goes to by mail, from any digest, because of what came back from them.

The state of each destination says it, too: so those that make editions and send them need not ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update

from digest.store.database.dialect import insert_or_update, split_into_chunks
from digest.store.database.digest_tables import deliveries, destinations, editions, reports, suppressions
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import DROP_REASONS, UNNAMED
from digest.store.subscribers.digests import ACTIVE, RESTING, STOPPED, SUPPRESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """An address that nothing goes to.

    Attributes:
        mailbox: it, in small letters.
        state: ``suppressed``, or ``resting`` until a time.
        report: the number of the report because of which.
        status: what that said: its enhanced status code, "" for none.
        road: by which that came.
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
    """Let nothing go to an address, from any digest; what waits to go there is dropped where that is for good.

    Args:
        tx: a writing transaction.
        mailbox: in small letters.
        now: the time.
        until: it rests until then; None where it is for good.
        report: the number of the report because of which.
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
    """Unsubscribe an address from all digests; what waits to go there is dropped."""
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
    """Let mail go to an address again, as far as its reader and the file want it.

    Returns:
        Whether it was suppressed, or rested.
    """
    was_suppressed = tx.execute(delete(suppressions).where(suppressions.c.mailbox == mailbox)).rowcount > 0
    is_suppressed = (destinations.c.mailbox == mailbox) & destinations.c.state.in_([SUPPRESSED, RESTING])
    tx.execute(update(destinations).where(is_suppressed).values(state=ACTIVE))
    return was_suppressed


def withdraw_for_reports(tx: Transaction, report_ids: Sequence[int]) -> tuple[str, ...]:
    """Lift the suppressions that some reports led to, and let go what was dropped because of them and nobody told yet.

    Args:
        tx: a writing transaction.
        report_ids: the reports.

    Returns:
        The addresses, in small letters.
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
    """Let what was dropped because its address was suppressed go after all."""
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
    """Whether somebody's rest is over."""
    statement = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    return tx.execute(statement.limit(1)).first() is not None


def remove_expired_rests(tx: Transaction, now: datetime) -> tuple[str, ...]:
    """Let mail go again to those whose rest is over.

    Returns:
        Their addresses, in small letters.
    """
    statement = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    mailboxes = tuple(tx.execute(statement.order_by(suppressions.c.mailbox)).scalars())
    for mailbox in mailboxes:
        remove_suppression(tx, mailbox)
    return mailboxes


# --- reading --------------------------------------------------------------------------------------


def list_unsubscribed(tx: Transaction, mailboxes: Sequence[str]) -> frozenset[str]:
    """The addresses among some, in small letters, that are unsubscribed from all digests."""
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
    """The addresses that nothing goes to, of some or of all; the last one first."""
    statement = (
        select(suppressions, reports.c.status, reports.c.answer, reports.c.road)
        .join(reports, reports.c.id == suppressions.c.report_id)
        .order_by(suppressions.c.since.desc(), suppressions.c.mailbox)
    )
    if mailboxes:
        statement = statement.where(suppressions.c.mailbox.in_(mailboxes))
    return tuple(
        Suppression(
            mailbox=row.mailbox,
            state=row.state,
            since=row.since,
            until=row.until,
            report=row.report_id,
            status=row.status,
            answer=row.answer,
            road=row.road,
        )
        for row in tx.execute(statement)
    )
