"""The audit log: who changed what, by commands, on the operator's pages and by API tokens.

Entries name subjects by numbers, never by addresses, so that nothing of a reader is left when they delete everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, insert, or_, select, update

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import subscribers
from digest.store.database.tables.readers import audit_entries

AUDIT_PERIOD = timedelta(days=365)
"""How long entries are kept."""
_REPETITION_PERIOD = timedelta(hours=1)
"""Period in which repetitions of a change count in one entry."""
_CLOCK_TOLERANCE = timedelta(days=1)
"""An entry further in the future than this was made by a wrong clock."""


class ActorKind(StrEnum):
    """By which way somebody changes something."""

    SHELL = "shell"
    OPERATOR = "operator"
    TOKEN = "token"  # noqa: S105 - no secret


class AuditAction(StrEnum):
    """What is done."""

    RELEASE_RUN = "release-run"
    DROP_RUN = "drop-run"
    HOLD_RESTORED = "hold-restored"
    RELEASE_RESTORED = "release-restored"
    RETRY_DELIVERIES = "retry-deliveries"
    DROP_DELIVERIES = "drop-deliveries"
    RESUME_ADDRESS = "resume-address"
    STOP_ADDRESS = "stop-address"
    LIFT_SUPPRESSIONS = "lift-suppressions"
    PAUSE_DIGEST = "pause-digest"
    RESUME_DIGEST = "resume-digest"
    END_DIGEST = "end-digest"
    EXPORT_READER = "export-reader"
    INVITE_READERS = "invite-readers"
    MAKE_TOKEN = "make-token"  # noqa: S105 - no secret
    REVOKE_TOKEN = "revoke-token"  # noqa: S105 - no secret
    ADD_FOLLOW = "add-follow"
    CHANGE_FOLLOW = "change-follow"
    REMOVE_FOLLOW = "remove-follow"
    SAVE_PAPER = "save-paper"
    REMOVE_SAVED_PAPER = "remove-saved-paper"
    READ_DIGESTS = "read-digests"
    READ_EDITIONS = "read-editions"
    READ_SAVED_PAPERS = "read-saved-papers"
    PREVIEW_EDITION = "preview-edition"
    PREVIEW_QUERY = "preview-query"
    READ_STATUS = "read-status"
    READ_RUNS = "read-runs"
    READ_DELIVERIES = "read-deliveries"
    READ_AUDIT_LOG = "read-audit-log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who changes something.

    Attributes:
        kind: the way.
        subscriber: the number of the reader who signed in or has the token; None for the shell.
        name: the system user of the shell, or the number of the token, ``token 5``; "" for an operator on the site.
    """

    kind: ActorKind
    subscriber: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A change that was made.

    Attributes:
        id: its number.
        at: when, UTC.
        actor: who made it; without a subscriber if that reader is deleted.
        address: the present address of that reader; "" for the shell, and if the reader is deleted.
        action: what was done.
        subject: to what: ``run 12``, ``digest 7``, ``subscriber 3``; "" if it is only an amount.
        amount: how many rows it changed, or how many times it was done.
    """

    id: int
    at: datetime
    actor: Actor
    address: str
    action: str
    subject: str
    amount: int


def record_change(  # noqa: PLR0917 - who, what, how much, when
    tx: Transaction, actor: Actor, action: AuditAction, subject: str, amount: int, now: datetime
) -> None:
    """Record a change, in the transaction that makes it.

    Args:
        tx: a writing transaction.
        actor: who makes it.
        action: what is done.
        subject: to what, by its number; never an address.
        amount: how many rows it changes.
        now: the current time, UTC.
    """
    row = {
        "at": now,
        "actor_kind": actor.kind.value,
        "subscriber_id": actor.subscriber,
        "actor_name": actor.name,
        "action": action.value,
        "subject": subject,
        "amount": amount,
    }
    tx.execute(insert(audit_entries).values(row))


def count_readings(  # noqa: PLR0917 - who, what, how much, when
    tx: Transaction, actor: Actor, action: AuditAction, subject: str, amount: int, hour: datetime
) -> None:
    """Count what a token reads, in one entry for each hour.

    Args:
        tx: a writing transaction that has locked the reader, so that no other one adds the same entry.
        actor: the token.
        action: what it reads.
        subject: the token, by its number.
        amount: how many times.
        hour: the beginning of the hour, UTC.
    """
    is_entry = (
        (audit_entries.c.at == hour)
        & (audit_entries.c.actor_kind == actor.kind.value)
        & (audit_entries.c.subscriber_id == actor.subscriber)
        & (audit_entries.c.action == action.value)
        & (audit_entries.c.subject == subject)
    )
    more = update(audit_entries).where(is_entry).values(amount=audit_entries.c.amount + amount)
    if not tx.execute(more).rowcount:
        record_change(tx, actor, action, subject, amount, hour)


def count_repetition(tx: Transaction, actor: Actor, action: AuditAction, now: datetime) -> None:
    """Record a change that is made many times in a row: within ``_REPETITION_PERIOD``, all of them are one entry.

    Args:
        tx: a writing transaction.
        actor: who makes it.
        action: what is done.
        now: the current time, UTC.
    """
    last = tx.execute(select(audit_entries).order_by(audit_entries.c.id.desc()).limit(1)).first()
    is_repeated = last is not None and (
        (last.actor_kind, last.subscriber_id, last.actor_name, last.action)
        == (actor.kind.value, actor.subscriber, actor.name, action.value)
        and abs(now - last.at) < _REPETITION_PERIOD
    )
    if last is None or not is_repeated:
        record_change(tx, actor, action, "", 1, now)
        return
    values = {"amount": audit_entries.c.amount + 1}
    tx.execute(update(audit_entries).where(audit_entries.c.id == last.id).values(values))


def list_entries(tx: Transaction, limit: int, before: int | None = None) -> tuple[AuditEntry, ...]:
    """Return the last entries, newest first.

    Args:
        tx: a transaction.
        limit: the maximum number.
        before: only those with a lower number; None for all.
    """
    statement = select(audit_entries, subscribers.c.address).outerjoin(
        subscribers, subscribers.c.id == audit_entries.c.subscriber_id
    )
    if before is not None:
        statement = statement.where(audit_entries.c.id < before)
    rows = tx.execute(statement.order_by(audit_entries.c.id.desc()).limit(limit))
    return tuple(map(_build_entry, rows))


def has_old(tx: Transaction, now: datetime) -> bool:
    """Whether there are entries that ``forget_old`` would delete."""
    return tx.execute(select(audit_entries.c.id).where(_is_old(now)).limit(1)).first() is not None


def forget_old(tx: Transaction, now: datetime) -> int:
    """Delete the entries whose period is over, and those from the future; return how many."""
    return tx.execute(delete(audit_entries).where(_is_old(now))).rowcount


def erase_actor(tx: Transaction, subscriber: int) -> None:
    """Keep what a reader changed, but not who it was."""
    is_own = audit_entries.c.subscriber_id == subscriber
    tx.execute(update(audit_entries).where(is_own).values(subscriber_id=None, actor_name=""))


def _is_old(now: datetime) -> ColumnElement[bool]:
    return or_(audit_entries.c.at < now - AUDIT_PERIOD, audit_entries.c.at > now + _CLOCK_TOLERANCE)


def _build_entry(row: Row[Any]) -> AuditEntry:
    actor = Actor(kind=ActorKind(row.actor_kind), subscriber=row.subscriber_id, name=row.actor_name)
    return AuditEntry(
        id=row.id,
        at=row.at,
        actor=actor,
        address=row.address or "",
        action=row.action,
        subject=row.subject,
        amount=row.amount,
    )
