"""Digests as the file declares them: those of the store are made so.

Of each digest the hash of what was declared is kept, in the transaction that wrote it. What is declared again is compared
with that, and only what differs is written.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, func, select, update

from digest import __version__
from digest.config import DigestSettings
from digest.core.times.schedule import once
from digest.model import Frequency, Schedule
from digest.store.database.dialect import add_missing, chunks, put, rows_as_kept
from digest.store.database.digest_tables import (
    declarations,
    destinations,
    digests,
    slots,
    subscribers,
    suppressions,
)
from digest.store.database.engine import Transaction, highest_seq
from digest.store.matching import matches
from digest.store.subscribers.digests import ACTIVE, ENDED, RESTING, STOPPED, SUPPRESSED, slot_with
from digest.store.subscribers.follows import declare_follows, end_follows

_MOST_ROWS = 500
"""Rows of digests, destinations and follows that a transaction writes: it takes about half a second."""

_FindSlot = Callable[..., int]
"""``slot_with`` in one transaction: most digests have one of a few schedules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """How a file differs from what was applied.

    Attributes:
        changed: digests that are new, that are declared otherwise, or that have come back.
        ended: the numbers of those that have left the file.
    """

    changed: tuple[DigestSettings, ...]
    ended: tuple[int, ...]


# --- what differs ---------------------------------------------------------------------------------


def find_differences(tx: Transaction, declared: Sequence[DigestSettings]) -> Differences:
    """Compare all digests of a file with those that were applied; nothing is written.

    Args:
        tx: a transaction.
        declared: all digests of the file.
    """
    applied = {name: (number, kept) for number, name, kept in rows_as_kept(tx, _applied(), {"ended": ENDED})}
    same = {one.name for one in declared if applied.get(one.name, (0, None))[1] == hash_declaration(one)}
    named = {one.name for one in declared}
    return Differences(
        changed=tuple(one for one in declared if one.name not in same),
        ended=tuple(number for name, (number, _) in applied.items() if name not in named),
    )


@cache
def _applied() -> Select[Any]:
    """Number, name and hash of the digests of the file that have not ended."""
    standing = digests.c.state != bindparam("ended")
    return (
        select(digests.c.id, digests.c.name, declarations.c.hash)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .outerjoin(declarations, declarations.c.digest_id == digests.c.id)
        .where(subscribers.c.address == "", digests.c.made_by == "config", standing)
    )


def hash_declaration(one: DigestSettings) -> str:
    """The hash of all that is written because of a declaration, and of the release that writes it."""
    schedule = one.schedule
    times = (
        schedule.frequency.value,
        schedule.zone,
        schedule.at,
        schedule.days,
        schedule.every,
        schedule.latest,
    )
    ways = [(to.channel, to.address, to.domain) for to in one.destinations]
    wishes = [
        (follow.text, follow.query, follow.weight, follow.exclude, follow.only, follow.alert)
        for follow in one.follows
    ]
    written = (
        __version__,
        one.name,
        *_options(one).values(),
        times,
        one.catch_up,
        one.wait_for,
        ways,
        wishes,
    )
    # A fifth of the time of `repr`; in this version equal values are equal bytes, for nothing refers to what came before.
    return hashlib.sha256(marshal.dumps(written, 2)).hexdigest()


def in_portions(declared: Sequence[DigestSettings]) -> Iterator[Sequence[DigestSettings]]:
    """Digests in groups, each of which a transaction writes quickly."""
    portion: list[DigestSettings] = []
    size = 0
    for one in declared:
        rows = 1 + len(one.destinations) + len(one.follows)
        if portion and size + rows > _MOST_ROWS:
            yield portion
            portion, size = [], 0
        portion.append(one)
        size += rows
    if portion:
        yield portion


def forget_declarations(tx: Transaction, numbers: Sequence[int] | None = None) -> None:
    """Have digests applied anew, for what was written of them has been changed by something else than a file.

    Args:
        tx: a writing transaction.
        numbers: of the digests; None for all.
    """
    if numbers is None:
        tx.execute(delete(declarations))
        return
    for chunk in chunks(numbers):
        tx.execute(delete(declarations).where(declarations.c.digest_id.in_(chunk)))


# --- what is written ------------------------------------------------------------------------------


def declare_digests(
    tx: Transaction, declared: Sequence[DigestSettings], now: datetime, first_seq: int
) -> None:
    """Make digests those that the file declares.

    Args:
        tx: a writing transaction.
        declared: some digests of the file; those that another process has applied meanwhile are left as they are.
        now: a digest that is new goes out once at this instant, and by its schedule from then on.
        first_seq: a digest that is new is told of what came after it.
    """
    changed = find_differences(tx, declared).changed
    if not changed:
        return
    operator = _operator(tx)
    unsubscribed, kept_from = _unsubscribed(tx, operator), _kept_from(tx, changed)
    known = _known(tx, operator, changed)
    find_slot = cache(partial(slot_with, tx))
    kept = []
    for one in changed:
        row = known.get(one.name)
        if row is None:
            number = _begin(tx, find_slot, one, operator, now=now, first_seq=first_seq)
        else:
            number = _change(tx, find_slot, row, one)
        _declare_destinations(tx, number, one, unsubscribed, kept_from)
        declare_follows(tx, number, one.follows, _told_to(tx, number), now)
        kept.append({"digest_id": number, "hash": hash_declaration(one)})
    if any(follow.alert for one in changed for follow in one.follows):
        find_slot(Schedule(frequency=Frequency.ALERT), "once", (), matches.matched_to(tx))
    put(tx, declarations, kept, key=("digest_id",))


def end_digests(tx: Transaction, numbers: Sequence[int], now: datetime) -> None:
    """End digests that have left the file; they are not deleted.

    Args:
        tx: a writing transaction.
        numbers: of the digests.
        now: when their follows end.
    """
    if not numbers:
        return
    left = digests.c.id.in_(numbers) & (digests.c.state != ENDED)
    over = {"state": ENDED, "next_slot_id": None, "paused_until": None, "resume_from": ""}
    tx.execute(update(digests).where(left).values(over))
    ways = destinations.c.digest_id.in_(numbers) & destinations.c.state.in_([ACTIVE, RESTING, SUPPRESSED])
    tx.execute(update(destinations).where(ways).values(state=ENDED))
    end_follows(tx, numbers, now)
    forget_declarations(tx, numbers)


def _known(tx: Transaction, operator: int, declared: Sequence[DigestSettings]) -> dict[str, Row[Any]]:
    mine = (digests.c.subscriber_id == operator) & (digests.c.made_by == "config")
    found: dict[str, Row[Any]] = {}
    for chunk in chunks([one.name for one in declared]):
        rows = tx.execute(select(digests).where(mine, digests.c.name.in_(chunk)))
        found.update((row.name, row) for row in rows)
    return found


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


def _begin(
    tx: Transaction,
    find_slot: _FindSlot,
    one: DigestSettings,
    subscriber: int,
    *,
    now: datetime,
    first_seq: int,
) -> int:
    row = _options(one) | {
        "state": ACTIVE,
        "subscriber_id": subscriber,
        "made_by": "config",
        "name": one.name,
        "slot_id": _first_slot(tx, find_slot, one, now, first_seq),
        "next_slot_id": find_slot(one.schedule, one.catch_up, one.wait_for, first_seq),
        "from_seq": first_seq,
    }
    add_missing(tx, digests, [row])
    mine = (digests.c.subscriber_id == subscriber) & (digests.c.name == one.name)
    number: int = tx.execute(select(digests.c.id).where(mine, digests.c.made_by == "config")).scalar_one()
    return number


def _first_slot(
    tx: Transaction, find_slot: _FindSlot, one: DigestSettings, now: datetime, first_seq: int
) -> int:
    """The slot of a digest's first edition.

    A slot that fired between two transactions that apply the same file does so no more: what the second one begins gets
    a slot of its own, a moment earlier, so that it is due at once, too.
    """
    at = now
    while True:
        number = find_slot(once(at, one.timezone), "once", one.wait_for, first_seq)
        if tx.execute(select(slots.c.last_period).where(slots.c.id == number)).scalar_one() == "":
            return number
        at -= timedelta(microseconds=1)


def _change(tx: Transaction, find_slot: _FindSlot, row: Row[Any], one: DigestSettings) -> int:
    """Take over what the file says now. One that had left the file goes on from now; one that is paused stays so."""
    values = _options(one)
    slot = find_slot(one.schedule, one.catch_up, one.wait_for, highest_seq(tx))
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


def _told_to(tx: Transaction, digest: int) -> int:
    statement = (
        select(func.coalesce(digests.c.from_seq, slots.c.cursor_seq))
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(digests.c.id == digest)
    )
    told: int = tx.execute(statement).scalar_one()
    return told
