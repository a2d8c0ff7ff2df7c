"""Suppressions: addresses that nothing goes to by mail, from any digest, because of what came back from them.

The state of each destination says it, too: so those that make editions and send them need not ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update

from digest.store.database.dialect import chunks, put
from digest.store.database.digest_tables import deliveries, destinations, editions, reports, suppressions
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import AWAY, UNNAMED
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


def suppress(tx: Transaction, mailbox: str, now: datetime, *, until: datetime | None, report: int) -> None:
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
    put(tx, suppressions, [row], key=("mailbox",))
    here = destinations.c.mailbox == mailbox
    tx.execute(
        update(destinations)
        .where(here, destinations.c.state.in_([ACTIVE, RESTING, SUPPRESSED]))
        .values(state=state)
    )
    if state == SUPPRESSED:
        _drop_waiting(tx, here, AWAY[SUPPRESSED], named_in=UNNAMED)


def stop_all(tx: Transaction, mailbox: str, why: str) -> None:
    """Unsubscribe an address from all digests; what waits to go there is dropped."""
    here = destinations.c.mailbox == mailbox
    tx.execute(update(destinations).where(here, destinations.c.state != STOPPED).values(state=STOPPED))
    _drop_waiting(tx, here, why, named_in=None)


def _drop_waiting(tx: Transaction, where: ColumnElement[bool], why: str, *, named_in: int | None) -> None:
    ways = tx.execute(select(destinations.c.id, destinations.c.digest_id).where(where)).all()
    mine = select(editions.c.id).where(editions.c.digest_id.in_({way.digest_id for way in ways}))
    waiting = deliveries.c.edition_id.in_(mine) & deliveries.c.destination_id.in_([way.id for way in ways])
    tx.execute(
        update(deliveries)
        .where(waiting, deliveries.c.state.in_(["ready", "held"]))
        .values(state="dropped", answer=why, named_in=named_in)
    )


def lift(tx: Transaction, mailbox: str) -> bool:
    """Let mail go to an address again, as far as its reader and the file want it.

    Returns:
        Whether it was suppressed, or rested.
    """
    gone = tx.execute(delete(suppressions).where(suppressions.c.mailbox == mailbox)).rowcount > 0
    back = (destinations.c.mailbox == mailbox) & destinations.c.state.in_([SUPPRESSED, RESTING])
    tx.execute(update(destinations).where(back).values(state=ACTIVE))
    return gone


def take_back(tx: Transaction, numbers: Sequence[int]) -> tuple[str, ...]:
    """Lift the suppressions that some reports led to, and let go what was dropped because of them and nobody told yet.

    Args:
        tx: a writing transaction.
        numbers: the reports.

    Returns:
        The addresses, in small letters.
    """
    found: list[str] = []
    for chunk in chunks(numbers):
        theirs = select(suppressions.c.mailbox).where(suppressions.c.report_id.in_(chunk))
        found += tx.execute(theirs.order_by(suppressions.c.mailbox)).scalars()
    for mailbox in found:
        lift(tx, mailbox)
        _let_go(tx, mailbox)
    return tuple(found)


def _let_go(tx: Transaction, mailbox: str) -> None:
    """Let what was dropped because its address was suppressed go after all."""
    ways = select(destinations.c.id).where(destinations.c.mailbox == mailbox)
    mine = select(editions.c.id).where(
        editions.c.digest_id.in_(select(destinations.c.digest_id).where(destinations.c.mailbox == mailbox))
    )
    dropped = (deliveries.c.state == "dropped") & (deliveries.c.answer == AWAY[SUPPRESSED])
    unnamed = deliveries.c.named_in == UNNAMED
    tx.execute(
        update(deliveries)
        .where(deliveries.c.edition_id.in_(mine), deliveries.c.destination_id.in_(ways), dropped, unnamed)
        .values(state="ready", answer="", named_in=None)
    )


def has_rested(tx: Transaction, now: datetime) -> bool:
    """Whether somebody's rest is over."""
    over = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    return tx.execute(over.limit(1)).first() is not None


def rested(tx: Transaction, now: datetime) -> tuple[str, ...]:
    """Let mail go again to those whose rest is over.

    Returns:
        Their addresses, in small letters.
    """
    over = select(suppressions.c.mailbox).where(suppressions.c.until <= now)
    found = tuple(tx.execute(over.order_by(suppressions.c.mailbox)).scalars())
    for mailbox in found:
        lift(tx, mailbox)
    return found


# --- reading --------------------------------------------------------------------------------------


def unsubscribed(tx: Transaction, mailboxes: Sequence[str]) -> frozenset[str]:
    """The addresses among some, in small letters, that are unsubscribed from all digests."""
    found: set[str] = set()
    for chunk in chunks(mailboxes):
        theirs = select(destinations.c.mailbox).where(destinations.c.mailbox.in_(chunk)).distinct()
        stopped, others = (theirs.where(which) for which in (_IS_STOPPED, ~_IS_STOPPED))
        found |= set(tx.execute(stopped).scalars()) - set(tx.execute(others).scalars())
    return frozenset(found)


_IS_STOPPED = destinations.c.state == STOPPED


def suppressed(tx: Transaction, mailboxes: Sequence[str] = ()) -> tuple[Suppression, ...]:
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
