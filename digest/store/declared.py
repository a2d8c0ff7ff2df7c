"""Digests as the file declares them: those of the store are made so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select, update

from digest.config import DigestSettings
from digest.core.times.schedule import once
from digest.model import Frequency, Schedule
from digest.store import matches
from digest.store.dialect import add_missing, chunks
from digest.store.digest_tables import destinations, digests, slots, subscribers, suppressions
from digest.store.digests import ACTIVE, ENDED, RESTING, STOPPED, SUPPRESSED, slot_with
from digest.store.engine import Transaction, highest_seq
from digest.store.follows import declare_follows, end_follows


def declare_digests(
    tx: Transaction, declared: Sequence[DigestSettings], now: datetime, first_seq: int
) -> None:
    """Make the store's digests of the file those that it declares; what left it is ended, not deleted.

    Args:
        tx: a writing transaction.
        declared: all digests of the file.
        now: a digest that is new goes out once at this instant, and by its schedule from then on.
        first_seq: a digest that is new is told of what came after it.
    """
    operator = _operator(tx)
    unsubscribed, kept_from = _unsubscribed(tx, operator), _kept_from(tx, declared)
    known = {
        row.name: row
        for row in tx.execute(
            select(digests).where(digests.c.subscriber_id == operator, digests.c.made_by == "config")
        )
    }
    for one in declared:
        row = known.get(one.name)
        number = _begin(tx, operator, one, now, first_seq) if row is None else _change(tx, row, one)
        _declare_destinations(tx, number, one, unsubscribed, kept_from)
        declare_follows(tx, number, one.follows, _told_to(tx, number), now)
    if any(follow.alert for one in declared for follow in one.follows):
        slot_with(tx, Schedule(frequency=Frequency.ALERT), "once", (), matches.matched_to(tx))
    named = {one.name for one in declared}
    gone = [row.id for name, row in known.items() if name not in named and row.state != ENDED]
    _end(tx, gone, now)


def _operator(tx: Transaction) -> int:
    add_missing(tx, subscribers, [{"address": ""}])
    number: int = tx.execute(select(subscribers.c.id).where(subscribers.c.address == "")).scalar_one()
    return number


def _options(one: DigestSettings) -> dict[str, Any]:
    return {
        "title": one.title,
        "zone": one.timezone,
        "kinds": [kind.value for kind in one.kinds],
        "most_items": one.limit,
        "minimum": one.minimum,
        "when_empty": one.when_empty,
        "feed": one.feed,
        "feed_entries": one.feed_entries,
        "language": one.language,
        "abstracts": one.abstracts.value,
        "most_alerts": one.alerts_a_day,
        "repeat_alerts": one.repeat_alerts,
    }


def _begin(tx: Transaction, subscriber: int, one: DigestSettings, now: datetime, first_seq: int) -> int:
    row = _options(one) | {
        "state": ACTIVE,
        "subscriber_id": subscriber,
        "made_by": "config",
        "name": one.name,
        "slot_id": slot_with(tx, once(now, one.timezone), "once", one.wait_for, first_seq),
        "next_slot_id": slot_with(tx, one.schedule, one.catch_up, one.wait_for, first_seq),
        "from_seq": first_seq,
    }
    add_missing(tx, digests, [row])
    mine = (digests.c.subscriber_id == subscriber) & (digests.c.name == one.name)
    number: int = tx.execute(select(digests.c.id).where(mine, digests.c.made_by == "config")).scalar_one()
    return number


def _change(tx: Transaction, row: Row[Any], one: DigestSettings) -> int:
    """Take over what the file says now. One that had left the file goes on from now; one that is paused stays so."""
    values = _options(one)
    slot = slot_with(tx, one.schedule, one.catch_up, one.wait_for, highest_seq(tx))
    if row.state == ENDED:
        values |= {"state": ACTIVE, "slot_id": slot, "next_slot_id": None, "from_seq": highest_seq(tx)}
    else:
        values |= {"next_slot_id": None if slot == row.slot_id else slot}
    tx.execute(update(digests).where(digests.c.id == row.id).values(values))
    return int(row.id)


def _unsubscribed(tx: Transaction, operator: int) -> frozenset[tuple[str, str]]:
    """Channel and address, in small letters, of the destinations that their readers stopped."""
    statement = (
        select(destinations.c.channel, func.lower(destinations.c.address))
        .join(digests, digests.c.id == destinations.c.digest_id)
        .where(digests.c.subscriber_id == operator, destinations.c.state == STOPPED)
    )
    return frozenset((channel, address) for channel, address in tx.execute(statement))


def _kept_from(tx: Transaction, declared: Sequence[DigestSettings]) -> dict[str, str]:
    """The state of each address of the file that mail came back from, in small letters."""
    wanted = {to.address.lower() for one in declared for to in one.destinations if to.channel == "smtp"}
    found: dict[str, str] = {}
    for chunk in chunks(sorted(wanted)):
        theirs = suppressions.c.mailbox.in_(chunk)
        rows = tx.execute(select(suppressions.c.mailbox, suppressions.c.state).where(theirs))
        found.update((row.mailbox, row.state) for row in rows)
    return found


def _declare_destinations(
    tx: Transaction,
    digest: int,
    one: DigestSettings,
    unsubscribed: frozenset[tuple[str, str]],
    kept_from: Mapping[str, str],
) -> None:
    """What begins or comes back starts stopped where its reader has unsubscribed from any digest of the file."""

    def begun(channel: str, address: str) -> str:
        if (channel, address.lower()) in unsubscribed:
            return STOPPED
        return kept_from.get(address.lower(), ACTIVE) if channel == "smtp" else ACTIVE

    mine = destinations.c.digest_id == digest
    declared = {(to.channel, to.address): to.domain for to in one.destinations}
    rows = [
        {
            "digest_id": digest,
            "channel": channel,
            "address": address,
            "domain": domain,
            "mailbox": address.lower() if channel == "smtp" else "",
            "state": begun(channel, address),
        }
        for (channel, address), domain in sorted(declared.items())
    ]
    add_missing(tx, destinations, rows)
    for row in tx.execute(select(destinations).where(mine)).all():
        here = (row.channel, row.address) in declared
        back = begun(row.channel, row.address) if row.state == ENDED else row.state
        state = back if here else ENDED
        if row.state not in {state, STOPPED}:
            still = (destinations.c.id == row.id) & (destinations.c.state != STOPPED)
            tx.execute(update(destinations).where(still).values(state=state))


def _end(tx: Transaction, numbers: list[int], now: datetime) -> None:
    if not numbers:
        return
    left = digests.c.id.in_(numbers) & (digests.c.state != ENDED)
    over = {"state": ENDED, "next_slot_id": None, "paused_until": None, "resume_from": ""}
    tx.execute(update(digests).where(left).values(over))
    ways = destinations.c.digest_id.in_(numbers) & destinations.c.state.in_([ACTIVE, RESTING, SUPPRESSED])
    tx.execute(update(destinations).where(ways).values(state=ENDED))
    end_follows(tx, numbers, now)


def _told_to(tx: Transaction, digest: int) -> int:
    statement = (
        select(func.coalesce(digests.c.from_seq, slots.c.cursor_seq))
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(digests.c.id == digest)
    )
    told: int = tx.execute(statement).scalar_one()
    return told
