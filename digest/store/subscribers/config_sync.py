"""Sync of digests with the configuration file.

A hash of each digest's declaration is stored in the transaction that writes the digest. A new declaration is
compared with this hash, and only digests that differ are written.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from operator import itemgetter
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, func, select, update

from digest import __version__
from digest.config import Destination, DigestSettings
from digest.model import AddressKind
from digest.store.database.dialect import add_missing, fetch_raw_rows, insert_or_update, split_into_chunks
from digest.store.database.digest_tables import (
    declarations,
    destinations,
    digests,
    slots,
    subscribers,
)
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.subscribers.destinations.own_destinations import end_own_destinations
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import (
    ACTIVE,
    CONFIGURED,
    ENDED,
    ERASED,
    RESTING,
    STOPPED,
    SUPPRESSED,
    WITHHELD,
    ensure_slot,
)
from digest.store.subscribers.follows import declare_follows, end_follows, lock_changed_queries
from digest.store.subscribers.new_digests import (
    FindSlot,
    ensure_alert_slot,
    list_options,
    load_mail_states,
    make_new_row,
)

_MAX_ROWS = 500
"""Maximum number of rows of digests, destinations and follows per transaction, which takes about half a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChanges:
    """Differences between a configuration file and the digests in the database.

    Attributes:
        changed: digests that are new, changed, or back in the file.
        ended: numbers of the digests that were removed from the file.
    """

    changed: tuple[DigestSettings, ...]
    ended: tuple[int, ...]


# --- comparison -----------------------------------------------------------------------------------


def find_differences(tx: Transaction, declared: Sequence[DigestSettings]) -> ConfigChanges:
    """Compare all digests of a file with those in the database, without writing.

    Args:
        tx: a transaction.
        declared: all digests of the file.
    """
    applied = {
        name: (digest_id, declaration_hash)
        for digest_id, name, declaration_hash in fetch_raw_rows(tx, _select_applied(), {"ended": ENDED})
    }
    unchanged = {
        digest.name
        for digest in declared
        if applied.get(digest.name, (0, None))[1] == hash_declaration(digest)
    }
    names = {digest.name for digest in declared}
    return ConfigChanges(
        changed=tuple(digest for digest in declared if digest.name not in unchanged),
        ended=tuple(digest_id for name, (digest_id, _) in applied.items() if name not in names),
    )


@cache
def _select_applied() -> Select[Any]:
    """Select number, name and hash of the configured digests that have not ended."""
    is_active = digests.c.state != bindparam("ended")
    return (
        select(digests.c.id, digests.c.name, declarations.c.hash)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .outerjoin(declarations, declarations.c.digest_id == digests.c.id)
        .where(subscribers.c.address == "", digests.c.made_by == CONFIGURED, is_active)
    )


def hash_declaration(digest: DigestSettings) -> str:
    """Hash everything that is written for a declaration, and the release that writes it."""
    schedule = digest.schedule
    schedule_values = (
        schedule.frequency.value,
        schedule.zone,
        schedule.at,
        schedule.days,
        schedule.every,
        schedule.latest,
    )
    destination_values = [
        (destination.channel, destination.address, destination.domain, destination.form.value)
        for destination in digest.destinations
    ]
    follow_values = [
        (follow.text, follow.query, follow.weight, follow.exclude, follow.only, follow.alert)
        for follow in digest.follows
    ]
    declaration = (
        __version__,
        digest.name,
        *list_options(digest).values(),
        schedule_values,
        digest.catch_up,
        digest.wait_for,
        destination_values,
        follow_values,
    )
    # This takes a fifth of the time of `repr`. Version 2 of the format has no references to earlier objects, so equal
    # values give equal bytes.
    return hashlib.sha256(marshal.dumps(declaration, 2)).hexdigest()


def split_by_size(declared: Sequence[DigestSettings]) -> Iterator[Sequence[DigestSettings]]:
    """Split digests into groups that fit into one transaction."""
    group: list[DigestSettings] = []
    size = 0
    for digest in declared:
        rows = 1 + len(digest.destinations) + len(digest.follows)
        if group and size + rows > _MAX_ROWS:
            yield group
            group, size = [], 0
        group.append(digest)
        size += rows
    if group:
        yield group


def forget_declarations(tx: Transaction, digest_ids: Sequence[int] | None = None) -> None:
    """Delete the hashes of digests that something other than the file has changed, so that they are applied again.

    Args:
        tx: a writing transaction.
        digest_ids: the numbers of the digests; None for all.
    """
    if digest_ids is None:
        tx.execute(delete(declarations))
        return
    for chunk in split_into_chunks(digest_ids):
        tx.execute(delete(declarations).where(declarations.c.digest_id.in_(chunk)))


# --- writing --------------------------------------------------------------------------------------


def declare_digests(
    tx: Transaction, declared: Sequence[DigestSettings], now: datetime, first_seq: int
) -> None:
    """Create or update digests as the file declares them.

    Args:
        tx: a writing transaction.
        declared: some digests of the file; those that another process has applied meanwhile are skipped.
        now: a new digest has its first edition at this instant, and later ones by its schedule.
        first_seq: a new digest begins after this event.
    """
    changed = find_differences(tx, declared).changed
    if not changed:
        return
    operator = _ensure_operator(tx)
    unsubscribed_addresses = _load_unsubscribed(tx, operator)
    mail_states = load_mail_states(tx, _list_mailboxes(changed))
    lock_digests(tx, [row.id for row in _load_existing(tx, operator, changed).values()])
    existing = _load_existing(tx, operator, changed)
    find_slot = cache(partial(ensure_slot, tx))
    _prepare_slots(tx, find_slot, changed, existing.keys(), now=now, first_seq=first_seq)
    numbers = {name: int(row.id) for name, row in existing.items()}
    declared_follows = [(numbers.get(digest.name), digest.follows) for digest in changed]
    active = lock_changed_queries(tx, list(numbers.values()), declared_follows)
    hash_rows = []
    for digest in changed:
        row = existing.get(digest.name)
        if row is None:
            digest_id = _insert_digest(tx, find_slot, digest, operator, now=now, first_seq=first_seq)
        else:
            digest_id = _update_digest(tx, find_slot, row, digest)
        _declare_destinations(tx, digest_id, digest, unsubscribed_addresses, mail_states)
        sent_seq = _load_sent_seq(tx, digest_id)
        declare_follows(tx, digest_id, digest.follows, sent_seq, now, active=active)
        hash_rows.append({"digest_id": digest_id, "hash": hash_declaration(digest)})
    insert_or_update(tx, declarations, hash_rows, key=("digest_id",))


def _prepare_slots(
    tx: Transaction,
    find_slot: FindSlot,
    declared: Sequence[DigestSettings],
    existing: Collection[str],
    *,
    now: datetime,
    first_seq: int,
) -> None:
    """Create the slots of digests in the order of ``ensure_slot``, before the first digest refers to one."""
    for digest in declared:
        if digest.name not in existing:
            make_new_row(tx, find_slot, digest, now=now, first_seq=first_seq)
    highest_seq = get_highest_seq(tx)
    for digest in declared:
        find_slot(digest.schedule, digest.catch_up, digest.wait_for, highest_seq)
    ensure_alert_slot(tx, find_slot, (follow for digest in declared for follow in digest.follows))


def end_digests(tx: Transaction, digest_ids: Sequence[int], now: datetime) -> None:
    """End digests that were removed from the file; they are not deleted.

    Args:
        tx: a writing transaction that has locked the digests.
        digest_ids: the numbers of the digests.
        now: when their follows end.
    """
    if not digest_ids:
        return
    is_removed = digests.c.id.in_(digest_ids) & (digests.c.state != ENDED)
    end_values = {"state": ENDED, "next_slot_id": None, "paused_until": None, "resume_from": ""}
    tx.execute(update(digests).where(is_removed).values(end_values))
    is_active_destination = destinations.c.digest_id.in_(digest_ids) & destinations.c.state.in_(
        [ACTIVE, RESTING, SUPPRESSED, WITHHELD]
    )
    tx.execute(update(destinations).where(is_active_destination).values(state=ENDED))
    end_own_destinations(tx, digest_ids)
    end_follows(tx, digest_ids, now)
    forget_declarations(tx, digest_ids)


def _load_existing(tx: Transaction, operator: int, declared: Sequence[DigestSettings]) -> dict[str, Row[Any]]:
    condition = (digests.c.subscriber_id == operator) & (digests.c.made_by == CONFIGURED)
    rows_by_name: dict[str, Row[Any]] = {}
    for chunk in split_into_chunks([digest.name for digest in declared]):
        rows = tx.execute(select(digests).where(condition, digests.c.name.in_(chunk)))
        rows_by_name.update((row.name, row) for row in rows)
    return rows_by_name


def _ensure_operator(tx: Transaction) -> int:
    add_missing(tx, subscribers, [{"address": ""}])
    operator_id: int = tx.execute(select(subscribers.c.id).where(subscribers.c.address == "")).scalar_one()
    return operator_id


def _insert_digest(
    tx: Transaction,
    find_slot: FindSlot,
    digest: DigestSettings,
    subscriber: int,
    *,
    now: datetime,
    first_seq: int,
) -> int:
    owner = {"subscriber_id": subscriber, "made_by": CONFIGURED, "name": digest.name}
    row = make_new_row(tx, find_slot, digest, now=now, first_seq=first_seq) | owner
    add_missing(tx, digests, [row])
    condition = (digests.c.subscriber_id == subscriber) & (digests.c.name == digest.name)
    digest_id: int = tx.execute(
        select(digests.c.id).where(condition, digests.c.made_by == CONFIGURED)
    ).scalar_one()
    return digest_id


def _update_digest(tx: Transaction, find_slot: FindSlot, row: Row[Any], digest: DigestSettings) -> int:
    """Update a digest. One that had been removed from the file continues from the present; a paused one stays paused."""
    values = list_options(digest)
    slot = find_slot(digest.schedule, digest.catch_up, digest.wait_for, get_highest_seq(tx))
    if row.state == ENDED:
        values |= {"state": ACTIVE, "slot_id": slot, "next_slot_id": None, "from_seq": get_highest_seq(tx)}
    else:
        values |= {"next_slot_id": None if slot == row.slot_id else slot}
    tx.execute(update(digests).where(digests.c.id == row.id).values(values))
    return int(row.id)


def _load_unsubscribed(tx: Transaction, operator: int) -> frozenset[tuple[str, str]]:
    """Return channel and address, in lower case, of the destinations that their readers unsubscribed."""
    statement = (
        select(destinations.c.channel, func.lower(destinations.c.address))
        .join(digests, digests.c.id == destinations.c.digest_id)
        .where(digests.c.subscriber_id == operator, destinations.c.state == STOPPED)
    )
    return frozenset((channel, address) for channel, address in tx.execute(statement))


def _list_mailboxes(declared: Sequence[DigestSettings]) -> set[str]:
    destinations_of_all = (destination for digest in declared for destination in digest.destinations)
    return {mailbox for destination in destinations_of_all if (mailbox := _get_mailbox(destination))}


def _declare_destinations(
    tx: Transaction,
    digest_id: int,
    settings: DigestSettings,
    unsubscribed: frozenset[tuple[str, str]],
    mail_states: Mapping[str, str],
) -> None:
    """Create, end or reactivate the destinations of a digest.

    If an address was unsubscribed from any digest of the file, a new or reactivated destination with it is
    stopped.
    """
    declared = {
        (destination.channel, destination.address): destination for destination in settings.destinations
    }

    def get_initial_state(destination: Destination) -> str:
        if (destination.channel, destination.address.lower()) in unsubscribed:
            return STOPPED
        return mail_states.get(_get_mailbox(destination), ACTIVE)

    is_own = destinations.c.digest_id == digest_id
    rows = [
        {
            "digest_id": digest_id,
            "channel": channel,
            "address": address,
            "domain": destination.domain,
            "mailbox": _get_mailbox(destination),
            "state": get_initial_state(destination),
            "form": destination.form.value,
        }
        for (channel, address), destination in sorted(declared.items(), key=itemgetter(0))
    ]
    add_missing(tx, destinations, rows)
    for row in tx.execute(select(destinations).where(is_own, destinations.c.state != ERASED)).all():
        destination = declared.get((row.channel, row.address))
        if destination is None:
            state = ENDED
        else:
            state = get_initial_state(destination) if row.state == ENDED else row.state
        if destination is not None and row.form != destination.form.value:
            is_row = destinations.c.id == row.id
            tx.execute(update(destinations).where(is_row).values(form=destination.form.value))
        if row.state not in {state, STOPPED}:
            is_not_stopped = (destinations.c.id == row.id) & (destinations.c.state != STOPPED)
            tx.execute(update(destinations).where(is_not_stopped).values(state=state))


def _get_mailbox(destination: Destination) -> str:
    """Return the mail address in lower case; "" for other kinds of addresses."""
    return destination.address.lower() if destination.kind is AddressKind.MAILBOX else ""


def _load_sent_seq(tx: Transaction, digest: int) -> int:
    statement = (
        select(func.coalesce(digests.c.from_seq, slots.c.cursor_seq))
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(digests.c.id == digest)
    )
    seq: int = tx.execute(statement).scalar_one()
    return seq
