"""Digests that readers made on the site from public digests of the file.

Such a copy follows its public digest until its reader changes it (``is_customized``). Each copy stores the hash
of the declaration that it was written from, and ``public_digests`` that of the declaration that all copies were
written from, so that applying the same file again costs one look-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any

from sqlalchemy import Row, bindparam, case, func, insert, null, select, true, update

from digest.config import DigestSettings, PublicDigestSettings
from digest.store.database.bulk import insert_missing_bulk
from digest.store.database.dialect import (
    fetch_raw_rows,
    insert_or_update,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction, get_highest_seq
from digest.store.database.tables.digests import destinations, digests, public_digests, slots, subscribers
from digest.store.subscribers.config_sync import hash_declaration
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import ACTIVE, ENDED, MADE_ON_SITE, PAUSED, STOPPED, ensure_slot
from digest.store.subscribers.follows import (
    FollowChanges,
    declare_follows,
    declare_shared_follows,
    insert_shared_follows,
)
from digest.store.subscribers.new_digests import (
    FindSlot,
    ensure_alert_slot,
    list_options,
    load_mail_states,
    make_new_row,
)
from digest.store.subscribers.pauses import resume_digest

_CHANNEL = "smtp"
SCHEDULE = "schedule"
"""Name of the schedule among the options of a note."""
_Note = Mapping[str, Any]
"""The column ``change_note``: texts of follows and exclusions by the fields of ``FollowChanges``, and under ``options``
the values that options had when the reader was last told, by name.
"""
_OPPOSITES = {
    "added": "removed",
    "removed": "added",
    "added_exclusions": "removed_exclusions",
    "removed_exclusions": "added_exclusions",
}
"""For each list of a note, the one that takes its texts back."""
_MAX_ROWS = 500
"""Maximum number of rows of digests and follows that a transaction updates, which takes about half a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubscriber:
    """A reader who subscribes to a public digest.

    Attributes:
        address: the mail address, with its domain in DNS form.
        language: the language of the reader.
        zone: the IANA name of the reader's time zone.
    """

    address: str
    language: str
    zone: str

    @property
    def mailbox(self) -> str:
        """The address in lower case; a mailbox is one subscriber."""
        return self.address.lower()


# --- subscribing ----------------------------------------------------------------------------------


def subscribe_readers(
    tx: Transaction,
    public_digest: PublicDigestSettings,
    readers: Sequence[NewSubscriber],
    now: datetime,
    first_seq: int,
) -> dict[str, int]:
    """Give each of some readers a copy of a public digest, or resume the copy that they have.

    Args:
        tx: a writing transaction that has locked the mailboxes.
        public_digest: the public digest.
        readers: the readers, each mailbox once.
        now: new copies have their first edition at once, and later ones by their schedule.
        first_seq: new copies begin after this event.

    Returns:
        The destinations of the copies, by mailbox.
    """
    by_mailbox = {reader.mailbox: reader for reader in readers}
    owners = _ensure_subscribers(tx, list(by_mailbox))
    names, copies = _load_own(tx, public_digest.name, owners.values())
    if copies:
        lock_digests(tx, [row.id for row in copies.values()])
        names, copies = _load_own(tx, public_digest.name, owners.values())
    mail_states = load_mail_states(tx, owners.keys())
    find_slot = cache(partial(ensure_slot, tx))
    subscription = _Subscription(
        tx=tx, public_digest=public_digest, find_slot=find_slot, now=now, first_seq=first_seq
    )
    readers_by_owner = {owners[mailbox]: reader for mailbox, reader in by_mailbox.items()}
    new_readers = {owner: reader for owner, reader in readers_by_owner.items() if owner not in copies}
    copy_ids = subscription.insert_copies(new_readers, names)
    for owner, row in copies.items():
        subscription.resume_copy(row, readers_by_owner[owner])
        copy_ids[owner] = row.id
    _note_declaration(tx, public_digest)
    return ensure_destinations(
        tx, {copy_ids[owner]: reader for owner, reader in readers_by_owner.items()}, mail_states
    )


def count_digests(tx: Transaction, mailbox: str) -> int:
    """Count the digests of a reader that have not ended."""
    statement = (
        select(func.count())
        .select_from(digests)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .where(subscribers.c.address == mailbox, digests.c.made_by == MADE_ON_SITE, digests.c.state != ENDED)
    )
    return tx.execute(statement).scalar_one()


def load_copy_state(tx: Transaction, mailbox: str, name: str) -> str:
    """Return the state of the destination at which a reader gets a public digest; "" if they do not have it.

    Args:
        tx: a transaction.
        mailbox: the address in lower case.
        name: the name of the public digest.
    """
    statement = (
        select(destinations.c.state)
        .join(digests, digests.c.id == destinations.c.digest_id)
        .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
        .where(
            subscribers.c.address == mailbox,
            digests.c.public_digest == name,
            digests.c.state != ENDED,
            destinations.c.mailbox == mailbox,
        )
    )
    return tx.execute(statement).scalar() or ""


def _ensure_subscribers(tx: Transaction, mailboxes: Sequence[str]) -> dict[str, int]:
    """Return the numbers of subscribers by mailbox; those that are new are created."""
    insert_missing_bulk(tx, subscribers, ("address",), [(mailbox,) for mailbox in mailboxes])
    return dict(fetch_raw_rows(tx, _SELECT_SUBSCRIBERS, {"mailboxes": to_in_param(tx, mailboxes)}))


_SELECT_SUBSCRIBERS = select(subscribers.c.address, subscribers.c.id).where(
    make_in_condition(subscribers.c.address, "mailboxes")
)


def _load_own(
    tx: Transaction, name: str, subscriber_ids: Collection[int]
) -> tuple[Mapping[int, set[str]], dict[int, Row[Any]]]:
    """Return the names of all digests of some subscribers, and their copies of a public digest, by subscriber."""
    names: dict[int, set[str]] = defaultdict(set)
    copies: dict[int, Row[Any]] = {}
    for chunk in split_into_chunks(list(subscriber_ids)):
        is_own = digests.c.subscriber_id.in_(chunk) & (digests.c.made_by == MADE_ON_SITE)
        columns = (digests.c[column] for column in _COPY_COLUMNS)
        for row in tx.execute(select(*columns).where(is_own)):
            names[row.subscriber_id].add(row.name)
            if row.public_digest == name:
                copies[row.subscriber_id] = row
    return names, copies


_COPY_COLUMNS = ("id", "subscriber_id", "name", "state", "public_digest", "resume_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subscription:
    """Writes copies of a public digest in one transaction."""

    tx: Transaction
    public_digest: PublicDigestSettings
    find_slot: FindSlot
    now: datetime
    first_seq: int

    def insert_copies(
        self, readers: Mapping[int, NewSubscriber], names: Mapping[int, Collection[str]]
    ) -> dict[int, int]:
        """Create the copies of readers who have none, and return their numbers; both by subscriber."""
        if not readers:
            return {}
        groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
        for subscriber_id, reader in readers.items():
            name = _find_free_name(self.public_digest.name, names.get(subscriber_id, ()))
            groups[reader.language, reader.zone, name].append(subscriber_id)
        copy_ids: dict[int, int] = {}
        for (language, zone, name), subscriber_ids in groups.items():
            row = {"made_by": MADE_ON_SITE, "name": name, "public_digest": self.public_digest.name}
            copy_ids |= _insert_alike(self.tx, self._make_row(language, zone) | row, subscriber_ids)
        follows = self.public_digest.digest.follows
        ensure_alert_slot(self.tx, self.find_slot, follows)
        insert_shared_follows(self.tx, list(copy_ids.values()), follows, self.first_seq)
        return copy_ids

    def resume_copy(self, row: Row[Any], reader: NewSubscriber) -> None:
        """Resume a copy: one that is paused continues, and one that has ended begins again as declared."""
        if row.state == PAUSED:
            resume_digest(self.tx, row.id, row.resume_from, self.now)
        if row.state == ENDED:
            values = self._make_row(reader.language, reader.zone) | {
                "is_customized": False,
                "change_note": None,
                "paused_until": None,
                "resume_from": "",
            }
            self.tx.execute(update(digests).where(digests.c.id == row.id).values(values))
            follows = self.public_digest.digest.follows
            ensure_alert_slot(self.tx, self.find_slot, follows)
            declare_follows(self.tx, row.id, follows, self.first_seq, self.now)

    def _make_row(self, language: str, zone: str) -> dict[str, Any]:
        digest = self.public_digest.make_digest(language, zone)
        # Readers who subscribe in the same minute share a slot and a run, so that there are fewer of both.
        minute = self.now.replace(second=0, microsecond=0)
        row = make_new_row(self.tx, self.find_slot, digest, now=minute, first_seq=self.first_seq)
        return row | {"public_hash": hash_public_digest(self.public_digest)}


def _insert_alike(tx: Transaction, row: Mapping[str, Any], subscriber_ids: Sequence[int]) -> dict[int, int]:
    """Create digests that differ only in their subscriber, and return their numbers by subscriber.

    The database copies the first one, in a third of the time that it takes to send it all rows.
    """
    key = digests.c.subscriber_id, digests.c.id
    first, *others = subscriber_ids
    statement = insert(digests).values({**row, "subscriber_id": first}).returning(*key)
    ids = {subscriber_id: digest_id for subscriber_id, digest_id in tx.execute(statement)}  # noqa: C416 - a Row is not a pair to mypy
    copied = [column for column in digests.c if column not in key]
    for chunk in split_into_chunks(others):
        source = (
            select(subscribers.c.id, *copied)
            .join_from(subscribers, digests, true())
            .where(digests.c.id == ids[first], subscribers.c.id.in_(chunk))
        )
        names = ["subscriber_id", *(column.name for column in copied)]
        rows = tx.execute(insert(digests).from_select(names, source).returning(*key))
        ids.update((row.subscriber_id, row.id) for row in rows)
    return ids


def _find_free_name(name: str, taken_names: Collection[str]) -> str:
    """Return a name for a new digest of a reader; one that a digest has already gets a number."""
    number = 1
    while (candidate := name if number == 1 else f"{name}-{number}") in taken_names:
        number += 1
    return candidate


def ensure_destinations(
    tx: Transaction, readers: Mapping[int, NewSubscriber], mail_states: Mapping[str, str]
) -> dict[str, int]:
    """Return the destinations of copies by mailbox; those that are missing are created, and stopped ones resumed.

    Args:
        tx: a writing transaction.
        readers: the readers by the number of their copy.
        mail_states: the states of addresses that are suppressed or resting, which they stay.
    """
    mailboxes = {digest_id: reader.mailbox for digest_id, reader in readers.items()}
    existing = _load_destinations(tx, mailboxes)
    new_rows = [
        (
            digest_id,
            _CHANNEL,
            readers[digest_id].address,
            mailbox.rpartition("@")[2],
            mailbox,
            mail_states.get(mailbox, ACTIVE),
            "",
        )
        for digest_id, mailbox in mailboxes.items()
        if mailbox not in existing
    ]
    insert_missing_bulk(tx, destinations, _DESTINATION_COLUMNS, new_rows)
    for mailbox, (destination, state) in existing.items():
        if state in {STOPPED, ENDED}:
            is_row = destinations.c.id == destination
            tx.execute(update(destinations).where(is_row).values(state=mail_states.get(mailbox, ACTIVE)))
    rows = _load_destinations(tx, mailboxes) if new_rows else existing
    return {mailbox: destination for mailbox, (destination, _) in rows.items()}


_DESTINATION_COLUMNS = ("digest_id", "channel", "address", "domain", "mailbox", "state", "form")


def _load_destinations(tx: Transaction, mailboxes: Mapping[int, str]) -> dict[str, tuple[int, str]]:
    """Return number and state of the destinations of copies that are the mailboxes of their readers, by mailbox."""
    rows = fetch_raw_rows(tx, _SELECT_DESTINATIONS, {"digests": to_in_param(tx, mailboxes)})
    return {
        mailbox: (destination, state)
        for destination, digest_id, mailbox, state in rows
        if mailbox == mailboxes[digest_id]
    }


_SELECT_DESTINATIONS = select(
    destinations.c.id, destinations.c.digest_id, destinations.c.mailbox, destinations.c.state
).where(destinations.c.channel == _CHANNEL, make_in_condition(destinations.c.digest_id, "digests"))


# --- declarations ---------------------------------------------------------------------------------


def hash_public_digest(public_digest: PublicDigestSettings) -> str:
    """Hash everything that is written for a declaration, and the release that writes it."""
    return hash_declaration(public_digest.digest)


def load_applied(tx: Transaction) -> dict[str, str]:
    """Return by name the hashes of the declarations from which all copies were written."""
    return {row.name: row.hash for row in tx.execute(select(public_digests))}


def record_applied(tx: Transaction, public_digest: PublicDigestSettings) -> None:
    """Record that all copies are as declared."""
    row = {"name": public_digest.name, "hash": hash_public_digest(public_digest)}
    insert_or_update(tx, public_digests, [row], key=("name",))


def _note_declaration(tx: Transaction, public_digest: PublicDigestSettings) -> None:
    """Have the file applied again if a process that has another version of it writes a copy."""
    own_hash = hash_public_digest(public_digest)
    is_row = public_digests.c.name == public_digest.name
    applied_hash = tx.execute(select(public_digests.c.hash).where(is_row)).scalar()
    if applied_hash and applied_hash != own_hash:
        tx.execute(update(public_digests).where(is_row).values(hash=""))


def customize_digest(tx: Transaction, digest_id: int) -> None:
    """Record that its reader has changed a digest, so that it no longer follows its public digest.

    Changes of the public digest that no edition has told yet are not told any more: the reader has seen the
    digest, and may have undone them.

    Args:
        tx: the transaction of the change, which has locked the digest.
        digest_id: the number of the digest.
    """
    tx.execute(update(digests).where(digests.c.id == digest_id).values(is_customized=True, change_note=None))


def update_copies(
    tx: Transaction, public_digest: PublicDigestSettings, after_subscriber: int, now: datetime
) -> int | None:
    """Update the next copies whose readers have changed nothing to what is declared.

    Follows, options and schedule become those of the public digest; language and time zone stay the reader's.
    A copy continues from its last edition, and new follows begin there.

    Args:
        tx: a planning transaction that has locked nothing else.
        public_digest: the public digest.
        after_subscriber: the number of the last subscriber whose copy was updated; 0 to begin.
        now: when follows end that are no longer declared.

    Returns:
        The number of the last subscriber whose copy was updated; None if there was none left.
    """
    candidates = _load_outdated(tx, public_digest, after_subscriber)
    if not candidates:
        return None
    find_slot = cache(partial(ensure_slot, tx))
    digest = public_digest.digest
    # Their readers may change them, and a run that is being stored may tell their notes, until they are locked.
    lock_digests(tx, [row.id for row in candidates])
    locked_ids = {row.id for row in candidates}
    rows = [row for row in _load_outdated(tx, public_digest, after_subscriber) if row.id in locked_ids]
    rows_by_locale: dict[tuple[str, str], list[Row[Any]]] = defaultdict(list)
    for row in rows:
        rows_by_locale[row.language, row.timezone].append(row)
    localized_digests = {locale: public_digest.make_digest(*locale) for locale in rows_by_locale}
    for localized_digest in localized_digests.values():
        _find_present_slot(tx, find_slot, localized_digest)
    ensure_alert_slot(tx, find_slot, digest.follows)
    follow_changes = declare_shared_follows(tx, {row.id: row.sent_seq for row in rows}, digest.follows, now)
    for locale, own_rows in rows_by_locale.items():
        _update_rows(
            tx,
            find_slot,
            own_rows,
            public_hash=hash_public_digest(public_digest),
            digest=localized_digests[locale],
            follow_changes=follow_changes,
        )
    return int(candidates[-1].subscriber_id)


def _load_outdated(
    tx: Transaction, public_digest: PublicDigestSettings, after_subscriber: int
) -> Sequence[Row[Any]]:
    is_outdated = (
        (digests.c.public_digest == public_digest.name)
        & (digests.c.public_digest != "")  # the condition of the index
        & (digests.c.subscriber_id > after_subscriber)
        & (digests.c.public_hash != hash_public_digest(public_digest))
        & digests.c.is_customized.is_(False)
        & (digests.c.state != ENDED)
    )
    sent_seq = func.coalesce(digests.c.from_seq, slots.c.cursor_seq).label("sent_seq")
    statement = (
        select(digests, sent_seq)
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(is_outdated)
        .order_by(digests.c.subscriber_id)
    )
    return tx.execute(statement.limit(max(1, _MAX_ROWS // (1 + len(public_digest.digest.follows))))).all()


def _find_present_slot(tx: Transaction, find_slot: FindSlot, digest: DigestSettings) -> int:
    return find_slot(digest.schedule, digest.catch_up, digest.wait_for, get_highest_seq(tx))


def _update_rows(
    tx: Transaction,
    find_slot: FindSlot,
    rows: Sequence[Row[Any]],
    *,
    public_hash: str,
    digest: DigestSettings,
    follow_changes: Mapping[int, FollowChanges],
) -> None:
    """Write the options and the schedule of copies that share a language and a time zone, and note what changed."""
    slot_id = _find_present_slot(tx, find_slot, digest)
    options = list_options(digest)
    values = options | {
        "next_slot_id": case((digests.c.slot_id == slot_id, null()), else_=slot_id),
        "public_hash": public_hash,
    }
    for chunk in split_into_chunks([row.id for row in rows]):
        tx.execute(update(digests).where(digests.c.id.in_(chunk)).values(values))
    own_slots = {row.id: row.next_slot_id or row.slot_id for row in rows}
    timings = _load_timings(tx, {slot_id, *own_slots.values()})
    new_values = options | {SCHEDULE: timings[slot_id]}
    new_notes = []
    for row in rows:
        former_values = {name: getattr(row, name) for name in options}
        former_values[SCHEDULE] = timings[own_slots[row.id]]
        note = _make_note(row.change_note, follow_changes.get(row.id), former_values, new_values)
        if note != row.change_note:
            new_notes.append({"number": row.id, "note": note})
    if new_notes:
        statement = update(digests).where(digests.c.id == bindparam("number"))
        tx.execute(
            statement.values(change_note=bindparam("note", type_=digests.c.change_note.type)), new_notes
        )


def _load_timings(tx: Transaction, slot_ids: Collection[int]) -> dict[int, list[Any]]:
    """Return what readers see of the schedules of slots, by slot."""
    timings: dict[int, list[Any]] = {}
    columns = (slots.c[name] for name in ("id", "frequency", "zone", "at", "days", "every"))
    statement = select(*columns)
    for chunk in split_into_chunks(sorted(slot_ids)):
        rows = tx.execute(statement.where(slots.c.id.in_(chunk)))
        timings.update((slot_id, timing) for slot_id, *timing in rows)
    return timings


def _make_note(
    former_note: _Note | None,
    follow_changes: FollowChanges | None,
    former_values: Mapping[str, Any],
    new_values: Mapping[str, Any],
) -> _Note | None:
    """Return what a reader is to be told: new changes, and earlier ones that were not told and still hold.

    Args:
        former_note: what the reader was to be told before.
        follow_changes: what changes in the follows.
        former_values: the options and the schedule that the digest had until now.
        new_values: the options and the schedule that it has from now on.
    """
    former, changes = former_note or {}, follow_changes or FollowChanges()
    note: dict[str, Any] = {}
    for name, opposite in _OPPOSITES.items():
        former_texts = [text for text in former.get(name, ()) if text not in getattr(changes, opposite)]
        new_texts = [text for text in getattr(changes, name) if text not in former.get(opposite, ())]
        note[name] = list(dict.fromkeys([*former_texts, *new_texts]))
    # The value that the reader knows is the oldest one; nobody compares those of single follows.
    known_values = {**former_values, **dict.fromkeys(changes.columns), **former.get("options", {})}
    note["options"] = {
        name: value
        for name, value in known_values.items()
        if name not in new_values or value != new_values[name]
    }
    return note if any(note.values()) else None
