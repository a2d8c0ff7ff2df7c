"""New digests: the columns of their declaration, their first slot, and the states in which destinations begin."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import select

from digest.config import DigestSettings, FollowSettings
from digest.core.times.schedule import make_single_schedule
from digest.model import Frequency, Schedule
from digest.store.database.dialect import fetch_raw_rows, make_in_condition, to_in_param
from digest.store.database.engine import Transaction
from digest.store.database.tables.readers import suppressions
from digest.store.matching import matches
from digest.store.subscribers.digest_options import write_options
from digest.store.subscribers.digests import ACTIVE, find_unfired_slot

FindSlot = Callable[..., int]
"""``ensure_slot`` of one transaction, cached, because most digests share a few schedules."""


def list_options(digest: DigestSettings) -> dict[str, Any]:
    """Return the values of the columns that only depend on the declaration."""
    return {"title": digest.title} | write_options(digest.options)


def make_new_row(
    tx: Transaction, find_slot: FindSlot, digest: DigestSettings, *, now: datetime, first_seq: int
) -> dict[str, Any]:
    """Return the values of a new digest, except for whose it is and its name.

    Args:
        tx: a writing transaction.
        find_slot: finds slots in it.
        digest: the declaration.
        now: it has its first edition at this instant, and later ones by its schedule.
        first_seq: it begins after this event.
    """
    return list_options(digest) | {
        "state": ACTIVE,
        "slot_id": find_first_slot(tx, find_slot, digest, now=now, first_seq=first_seq),
        "next_slot_id": find_slot(digest.schedule, digest.catch_up, digest.wait_for, first_seq),
        "from_seq": first_seq,
    }


def find_first_slot(
    tx: Transaction, find_slot: FindSlot, digest: DigestSettings, *, now: datetime, first_seq: int
) -> int:
    """Return the slot of the first edition of a new digest; find it before that of its schedule.

    Args:
        tx: a writing transaction.
        find_slot: finds slots in it.
        digest: the declaration.
        now: the time of the first edition.
        first_seq: the digest begins after this event.
    """

    def find_single_slot(at: datetime) -> int:
        return find_slot(
            make_single_schedule(at, digest.options.timezone), "once", digest.wait_for, first_seq
        )

    return find_unfired_slot(tx, find_single_slot, now)


def ensure_alert_slot(tx: Transaction, find_slot: FindSlot, follows: Iterable[FollowSettings]) -> None:
    """Create the slot of alerts if one of some follows needs it; before the follows, because queries are locked last."""
    if any(follow.alert for follow in follows):
        find_slot(Schedule(frequency=Frequency.ALERT), "once", (), matches.read_matched_to(tx))


def load_mail_states(tx: Transaction, mailboxes: Collection[str]) -> dict[str, str]:
    """Return the states of those of some addresses, in lower case, that are suppressed or resting."""
    if not mailboxes:
        return {}
    return dict(fetch_raw_rows(tx, _SELECT_MAIL_STATES, {"mailboxes": to_in_param(tx, sorted(mailboxes))}))


_SELECT_MAIL_STATES = select(suppressions.c.mailbox, suppressions.c.state).where(
    make_in_condition(suppressions.c.mailbox, "mailboxes")
)
