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
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, delete, func, select, update

from digest import __version__
from digest.config import Destination, DigestSettings
from digest.model import AddressKind
from digest.store.database.bulk import allocate_ids, insert_bulk, insert_missing_bulk
from digest.store.database.dialect import (
    add_missing,
    fetch_raw_rows,
    insert_or_update,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.database.tables.column_types import list_defaults
from digest.store.database.tables.digests import (
    declarations,
    destinations,
    digests,
    slots,
    subscribers,
)
from digest.store.subscribers.destinations.own_destinations import end_own_destinations
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digest_options import OPTION_COLUMNS, list_driver_values, list_values
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
from digest.store.subscribers.follows import (
    ActiveFollows,
    declare_follows,
    end_follows,
    insert_follows,
    lock_changed_queries,
)
from digest.store.subscribers.new_digests import (
    FindSlot,
    ensure_alert_slot,
    find_first_slot,
    list_options,
    load_mail_states,
)

_MAX_ROWS = 500
"""Maximum number of rows of changed digests, destinations and follows per transaction, which takes half a second."""
_MAX_NEW_ROWS = 5_000
"""Maximum number of rows of new digests, destinations and follows per transaction, which takes 0.1 s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChanges:
    """Differences between a configuration file and the digests in the database.

    Attributes:
        new: digests that the file declares for the first time.
        changed: digests that are changed, or back in the file.
        ended: numbers of the digests that were removed from the file.
    """

    new: tuple[DigestSettings, ...]
    changed: tuple[DigestSettings, ...]
    ended: tuple[int, ...]

    def split(self) -> Iterator[Sequence[DigestSettings]]:
        """Split new and changed digests into groups that fit into one transaction."""
        yield from split_by_size(self.changed, _MAX_ROWS)
        yield from split_by_size(self.new, _MAX_NEW_ROWS)


# --- comparison -----------------------------------------------------------------------------------


def find_differences(tx: Transaction, declared: Sequence[DigestSettings]) -> ConfigChanges:
    """Compare all digests of a file with those in the database, without writing.

    Args:
        tx: a transaction.
        declared: all digests of the file.
    """
    applied = {row.name: row for row in map(_AppliedDigest._make, fetch_raw_rows(tx, _select_applied(), {}))}
    names = {digest.name for digest in declared}
    return ConfigChanges(
        new=tuple(digest for digest in declared if digest.name not in applied),
        changed=tuple(
            digest
            for digest in declared
            if digest.name in applied and not applied[digest.name].is_of(hash_declaration(digest))
        ),
        ended=tuple(row.id for name, row in applied.items() if row.state != ENDED and name not in names),
    )


class _AppliedDigest(NamedTuple):
    """Configured digest in the database.

    Attributes:
        hash: the hash of the declaration that it was last written from; None if it has to be written again.
    """

    id: int
    name: str
    state: str
    slot_id: int
    hash: str | None

    def is_of(self, declaration_hash: str) -> bool:
        """Whether it is as a declaration with this hash says."""
        return self.state != ENDED and self.hash == declaration_hash


def _load_applied(tx: Transaction, names: Sequence[str]) -> dict[str, _AppliedDigest]:
    """Return those of some digests that are in the database, by name."""
    rows = fetch_raw_rows(tx, _select_applied(with_names=True), {"names": to_in_param(tx, names)})
    return {row.name: row for row in map(_AppliedDigest._make, rows)}


@cache
def _select_applied(*, with_names: bool = False) -> Select[Any]:
    """Select the columns of ``_AppliedDigest`` of all configured digests, or of those with names from a parameter."""
    statement = (
        select(digests.c.id, digests.c.name, digests.c.state, digests.c.slot_id, declarations.c.hash)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .outerjoin(declarations, declarations.c.digest_id == digests.c.id)
        .where(subscribers.c.address == "", digests.c.made_by == CONFIGURED)
    )
    return statement.where(make_in_condition(digests.c.name, "names")) if with_names else statement


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
        digest.title,
        *list_values(digest.options),
        schedule_values,
        digest.catch_up,
        digest.wait_for,
        destination_values,
        follow_values,
    )
    # This takes a fifth of the time of `repr`. Version 2 of the format has no references to earlier objects, so equal
    # values give equal bytes.
    return hashlib.sha256(marshal.dumps(declaration, 2)).hexdigest()


def split_by_size(declared: Sequence[DigestSettings], max_rows: int) -> Iterator[Sequence[DigestSettings]]:
    """Split digests into groups with at most ``max_rows`` rows; a digest that has more is a group of its own."""
    group: list[DigestSettings] = []
    size = 0
    for digest in declared:
        rows = 1 + len(digest.destinations) + len(digest.follows)
        if group and size + rows > max_rows:
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
        tx: a planning transaction, so that nobody else creates any meanwhile; it has locked nothing else.
        declared: some digests of the file; those that another process has applied meanwhile are skipped.
        now: a new digest has its first edition at this instant, and later ones by its schedule.
        first_seq: a new digest begins after this event.
    """
    hashes = {digest.name: hash_declaration(digest) for digest in declared}
    applied = _load_applied(tx, list(hashes))
    new = [digest for digest in declared if digest.name not in applied]
    changed = _lock_changed(tx, applied, declared, hashes)
    written = [*new, *(digest for _, digest in changed)]
    if not written:
        return
    operator = _ensure_operator(tx)
    find_slot = cache(partial(ensure_slot, tx))
    slot_ids = _ensure_slots(tx, find_slot, new, changed, now=now, first_seq=first_seq)
    states = _DestinationStates(
        unsubscribed=_load_unsubscribed(tx, operator, written),
        mail_states=load_mail_states(tx, _list_mailboxes(written)),
    )
    digest_ids = _insert_digests(tx, slot_ids, new, operator, first_seq)
    _insert_destinations(tx, digest_ids, states)
    new_follows = {number: digest.follows for number, digest in digest_ids.items()}
    # New digests require their queries by a single call, so only changes need them to be locked before.
    active = _lock_queries(tx, new, changed) if changed else {}
    insert_follows(tx, new_follows, first_seq, are_queries_locked=bool(changed))
    hash_rows = [(number, hashes[digest.name]) for number, digest in digest_ids.items()]
    insert_bulk(tx, declarations, ("digest_id", "hash"), hash_rows)
    for row, digest in changed:
        _update_digest(tx, find_slot, row, digest)
        _declare_destinations(tx, row.id, digest, states)
        declare_follows(tx, row.id, digest.follows, _load_sent_seq(tx, row.id), now, active=active)
    updated_rows = [{"digest_id": row.id, "hash": hashes[digest.name]} for row, digest in changed]
    insert_or_update(tx, declarations, updated_rows, key=("digest_id",))


def _lock_changed(
    tx: Transaction,
    applied: Mapping[str, _AppliedDigest],
    declared: Sequence[DigestSettings],
    hashes: Mapping[str, str],
) -> list[tuple[_AppliedDigest, DigestSettings]]:
    """Lock the digests whose declaration has changed, and return them as they are then."""
    changed = [
        digest
        for digest in declared
        if digest.name in applied and not applied[digest.name].is_of(hashes[digest.name])
    ]
    if not changed:
        return []
    lock_digests(tx, [applied[digest.name].id for digest in changed])
    locked = _load_applied(tx, [digest.name for digest in changed])
    return [(locked[digest.name], digest) for digest in changed]


def _lock_queries(
    tx: Transaction,
    new: Sequence[DigestSettings],
    changed: Sequence[tuple[_AppliedDigest, DigestSettings]],
) -> ActiveFollows:
    declared_follows = [
        *((None, digest.follows) for digest in new),
        *((row.id, digest.follows) for row, digest in changed),
    ]
    return lock_changed_queries(tx, [row.id for row, _ in changed], declared_follows)


_Timing = tuple[Any, ...]
"""What the slots of a new digest depend on."""


def _get_timing(digest: DigestSettings) -> _Timing:
    return digest.schedule, digest.catch_up, digest.wait_for, digest.options.timezone


def _ensure_slots(
    tx: Transaction,
    find_slot: FindSlot,
    new: Sequence[DigestSettings],
    changed: Sequence[tuple[_AppliedDigest, DigestSettings]],
    *,
    now: datetime,
    first_seq: int,
) -> dict[_Timing, tuple[int, int]]:
    """Create the slots of all digests in the order of ``ensure_slot``, and return those of new ones by their timing.

    Most digests share a few schedules.
    """
    by_timing = {_get_timing(digest): digest for digest in new}
    first_slots = {
        timing: find_first_slot(tx, find_slot, digest, now=now, first_seq=first_seq)
        for timing, digest in by_timing.items()
    }
    slot_ids = {
        timing: (first_slots[timing], find_slot(digest.schedule, digest.catch_up, digest.wait_for, first_seq))
        for timing, digest in by_timing.items()
    }
    for _, digest in changed:
        find_slot(digest.schedule, digest.catch_up, digest.wait_for, get_highest_seq(tx))
    written = (*new, *(digest for _, digest in changed))
    ensure_alert_slot(tx, find_slot, (follow for digest in written for follow in digest.follows))
    return slot_ids


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


def _ensure_operator(tx: Transaction) -> int:
    add_missing(tx, subscribers, [{"address": ""}])
    operator_id: int = tx.execute(select(subscribers.c.id).where(subscribers.c.address == "")).scalar_one()
    return operator_id


def _insert_digests(
    tx: Transaction,
    slot_ids: Mapping[_Timing, tuple[int, int]],
    new: Sequence[DigestSettings],
    operator: int,
    first_seq: int,
) -> dict[int, DigestSettings]:
    """Create digests, and return their declarations by the numbers that they got."""
    if not new:
        return {}
    rows = []
    declared = dict(zip(allocate_ids(tx, digests, len(new)), new, strict=True))
    default_names, defaults = list_defaults(digests, _DIGEST_COLUMNS)
    for digest_id, digest in declared.items():
        owner_values = digest_id, operator, CONFIGURED, digest.name, digest.title
        place = ACTIVE, *slot_ids[_get_timing(digest)], first_seq
        rows.append((*owner_values, *place, *list_driver_values(digest.options), *defaults))
    insert_bulk(tx, digests, (*_DIGEST_COLUMNS, *default_names), rows)
    return declared


_DIGEST_COLUMNS = (
    *("id", "subscriber_id", "made_by", "name", "title"),
    *("state", "slot_id", "next_slot_id", "from_seq"),
    *OPTION_COLUMNS,
)


def _update_digest(tx: Transaction, find_slot: FindSlot, row: _AppliedDigest, digest: DigestSettings) -> None:
    """Update a digest. One that had been removed from the file continues from the present; a paused one stays paused."""
    values = list_options(digest)
    slot = find_slot(digest.schedule, digest.catch_up, digest.wait_for, get_highest_seq(tx))
    if row.state == ENDED:
        values |= {"state": ACTIVE, "slot_id": slot, "next_slot_id": None, "from_seq": get_highest_seq(tx)}
    else:
        values |= {"next_slot_id": None if slot == row.slot_id else slot}
    tx.execute(update(digests).where(digests.c.id == row.id).values(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class _DestinationStates:
    """States in which destinations begin.

    If an address was unsubscribed from any digest of the file, a new or reactivated destination with it is
    stopped.

    Attributes:
        unsubscribed: channel and address, in lower case, of destinations that their readers unsubscribed.
        mail_states: the states of addresses to which mail bounced.
    """

    unsubscribed: Collection[tuple[str, str]]
    mail_states: Mapping[str, str]

    def get_initial(self, destination: Destination) -> str:
        """Return the state of a destination that is new or back in the file."""
        if self.unsubscribed and (destination.channel, destination.address.lower()) in self.unsubscribed:
            return STOPPED
        return self.mail_states.get(_get_mailbox(destination), ACTIVE) if self.mail_states else ACTIVE


def _load_unsubscribed(
    tx: Transaction, operator: int, declared: Sequence[DigestSettings]
) -> frozenset[tuple[str, str]]:
    """Return channel and address, in lower case, of destinations that readers unsubscribed from any digest of the file.

    Args:
        tx: a transaction.
        operator: the subscriber that owns the file.
        declared: only destinations that may be those of these digests.
    """
    # Mail addresses are found by their index; all others have no mailbox, and are found together.
    mailboxes = {_get_mailbox(destination) for digest in declared for destination in digest.destinations}
    rows = fetch_raw_rows(
        tx, _SELECT_STOPPED, {"mailboxes": to_in_param(tx, sorted(mailboxes)), "stopped": STOPPED}
    )
    configured_ids: set[int] = set()
    for chunk in split_into_chunks(sorted({row[0] for row in rows})):
        is_configured = digests.c.id.in_(chunk) & (digests.c.subscriber_id == operator)
        configured_ids.update(tx.execute(select(digests.c.id).where(is_configured)).scalars())
    return frozenset(
        (channel, address) for digest_id, channel, address in rows if digest_id in configured_ids
    )


_SELECT_STOPPED = select(
    destinations.c.digest_id, destinations.c.channel, func.lower(destinations.c.address)
).where(make_in_condition(destinations.c.mailbox, "mailboxes"), destinations.c.state == bindparam("stopped"))


def _list_mailboxes(declared: Sequence[DigestSettings]) -> set[str]:
    destinations_of_all = (destination for digest in declared for destination in digest.destinations)
    return {mailbox for destination in destinations_of_all if (mailbox := _get_mailbox(destination))}


def _insert_destinations(
    tx: Transaction, declared: Mapping[int, DigestSettings], states: _DestinationStates
) -> None:
    """Create the destinations of new digests, whose declarations are given by the number of the digest."""
    rows = [
        row
        for digest_id, digest in declared.items()
        for row in _make_destination_rows(digest_id, digest.destinations, states)
    ]
    insert_bulk(tx, destinations, _DESTINATION_COLUMNS, rows)


def _make_destination_rows(
    digest_id: int, declared: Sequence[Destination], states: _DestinationStates
) -> list[tuple[Any, ...]]:
    """Return the values of ``_DESTINATION_COLUMNS`` for all destinations of a digest."""
    by_address = {(destination.channel, destination.address): destination for destination in declared}
    return [
        (
            digest_id,
            channel,
            address,
            destination.domain,
            _get_mailbox(destination),
            states.get_initial(destination),
            destination.form.value,
        )
        for (channel, address), destination in sorted(by_address.items(), key=itemgetter(0))
    ]


_DESTINATION_COLUMNS = ("digest_id", "channel", "address", "domain", "mailbox", "state", "form")


def _declare_destinations(
    tx: Transaction, digest_id: int, settings: DigestSettings, states: _DestinationStates
) -> None:
    """Create, end or reactivate the destinations of a digest that exists."""
    declared = {
        (destination.channel, destination.address): destination for destination in settings.destinations
    }
    is_own = destinations.c.digest_id == digest_id
    rows = _make_destination_rows(digest_id, settings.destinations, states)
    insert_missing_bulk(tx, destinations, _DESTINATION_COLUMNS, rows)
    for row in tx.execute(select(destinations).where(is_own, destinations.c.state != ERASED)).all():
        destination = declared.get((row.channel, row.address))
        if destination is None:
            state = ENDED
        else:
            state = states.get_initial(destination) if row.state == ENDED else row.state
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
