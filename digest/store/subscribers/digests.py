"""Digests with their slots, destinations and follows: their states, and how far each was reported."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, and_, bindparam, func, or_, select, tuple_, update

from digest.core.times.schedule import make_single_schedule
from digest.model import (
    Abstracts,
    Arrangement,
    DigestOptions,
    EditionForm,
    Frequency,
    Run,
    RunState,
    Schedule,
)
from digest.store.database.dialect import (
    add_missing,
    fetch_raw_rows,
    get_instant_reader,
    has_row_locks,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import (
    destinations,
    digests,
    follows,
    queries,
    runs,
    slots,
    subscribers,
)
from digest.store.matching import matches
from digest.store.subscribers.digest_locks import lock_slots
from digest.store.subscribers.digest_options import list_columns, read_options

ACTIVE, ENDED, PAUSED, STOPPED = "active", "ended", "paused", "stopped"
"""States of digests and destinations: ended by the configuration, or paused or stopped by the reader, who has
precedence.
"""
CONFIGURED, MADE_ON_SITE = "config", "web"
"""Values of ``made_by``: digests that the file declares, and those that readers made on the site."""
ERASED = "erased"
"""State of a destination whose reader deleted everything or changed their address; its row has no content, and only keeps
its number from use.
"""
RESTING, SUPPRESSED = "resting", "suppressed"
"""States of destinations after mail to their address bounced: for a limited time, or until somebody resumes it."""
WITHHELD = "withheld"
"""State of a chat or webhook of a reader while the file does not allow its service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Pause of a digest.

    Attributes:
        until: when it ends by itself; None if somebody has to resume the digest.
        resume_from: where the digest continues: ``then``, with everything that came meanwhile, or ``now``.
    """

    until: datetime | None
    resume_from: str


class Follow(NamedTuple):
    """Standing query of a digest; a named tuple, because a run reads millions.

    Attributes:
        query: the number of its query.
        canonical: the query in its canonical form.
        compiled: the query in its compiled form.
        text: the query as written.
        alert: whether its matches are sent at once.
        only: for an exclusion, the query whose follow it applies to; 0 for all follows of the digest.
        weight: the weight as written.
        started_seq: the follow begins after this event.
        learned: factor of the weight, learned from its reader's opinions about papers.
    """

    query: int
    canonical: str
    compiled: str
    text: str
    weight: float
    exclude: bool
    alert: bool
    only: int
    started_seq: int
    learned: float

    @property
    def effective_weight(self) -> float:
        """Weight with which a matching paper counts."""
        return self.weight * self.learned


class DigestDestination(NamedTuple):
    """Destination of a digest.

    Attributes:
        channel: the name of the channel.
        address: the address, without its secrets.
        form: the form in which it gets editions, a value of ``EditionForm``.
    """

    id: int
    channel: str
    address: str
    form: str = EditionForm.STANDARD.value


class Digest(NamedTuple):
    """Named group of follows with a schedule, a size and destinations; a named tuple, because a run reads a million.

    Attributes:
        options: its settings.
        from_seq: how far it was reported, if that differs from its slot's cursor.
        sent_seq: how far it was reported.
        destinations: the destinations that neither the reader nor the file has ended.
        frequency: the frequency of its schedule.
        feed_version: how often the address of its feed was renewed.
        pause: the pause; None if it is active.
    """

    id: int
    name: str
    title: str
    options: DigestOptions
    slot: int
    from_seq: int | None
    sent_seq: int
    follows: tuple[Follow, ...]
    destinations: tuple[DigestDestination, ...]
    frequency: Frequency
    feed_version: int
    pause: Pause | None = None

    def get_window_start(self, run: Run) -> int:
        """Return the seq after which its part of a closed run's window begins."""
        assert run.from_seq is not None
        return run.from_seq if self.from_seq is None else self.from_seq


# --- slots ----------------------------------------------------------------------------------------


def ensure_slot(
    tx: Transaction, schedule: Schedule, catch_up: str, waits_for: Iterable[str], cursor: int
) -> int:
    """Return the number of the slot with a schedule and options; a new one begins at the cursor.

    It stays until the transaction ends, and if it is for one edition, it does not fire before. A transaction that
    needs several slots asks for single editions first, then for schedules, then for alerts.
    """
    row = {
        "frequency": schedule.frequency.value,
        "zone": schedule.zone,
        "at": schedule.at,
        "days": ",".join(map(str, schedule.days)),
        "every": schedule.every,
        "latest": schedule.latest,
        "catch_up": catch_up,
        "waits_for": "\n".join(sorted(waits_for)),
    }
    is_same = and_(*(slots.c[name] == value for name, value in row.items()))
    statement = select(slots.c.id).where(is_same).with_for_update(read=True, key_share=True)
    while True:
        slot_id: int | None = tx.execute(statement).scalar()
        if slot_id is not None:
            return slot_id
        # If pruning removes the slot between the two statements, it is missing again.
        add_missing(tx, slots, [row | {"cursor_seq": cursor, "next_fire_at": None, "last_period": ""}])


def find_unfired_slot(tx: Transaction, find_slot: Callable[[datetime], int], fire_at: datetime) -> int:
    """Return the number of a slot for one edition at an instant.

    Such a slot cannot fire again. If it fired between two transactions at the same instant, the digests of the
    second one get another slot, a microsecond earlier, so that they are due at once as well.

    Args:
        tx: a writing transaction.
        find_slot: returns the slot of an instant by ``ensure_slot``.
        fire_at: the instant.
    """
    while True:
        slot = find_slot(fire_at)
        if tx.execute(select(slots.c.last_period).where(slots.c.id == slot)).scalar_one() == "":
            return slot
        fire_at -= timedelta(microseconds=1)


def read_schedule(row: Row[Any]) -> Schedule:
    """Return the schedule of a slot's row."""
    return Schedule(
        frequency=Frequency(row.frequency),
        zone=row.zone,
        at=row.at,
        days=tuple(int(day) for day in row.days.split(",") if day),
        every=row.every,
        latest=row.latest,
    )


def has_moves(tx: Transaction) -> bool:
    """Whether ``move_digests`` would move any digest."""
    return bool(_list_moves(tx))


def move_digests(tx: Transaction, limit: int | None = None) -> int:
    """Move digests to their next slot if neither that slot nor the present one has an open run.

    How far each was reported moves with it. If a digest entered a slot with an open run, it could have two
    runs of the same period, and the period names files and Message-IDs.

    Args:
        tx: a writing transaction that has locked nothing that comes after slots.
        limit: the maximum number of digests to move; None for all.

    Returns:
        The number of digests that were moved.
    """
    moves = _list_moves(tx)
    if not moves:
        return 0
    if has_row_locks(tx):
        lock_slots(tx, {slot for move in moves for slot in move}, is_exclusive=True)
        moves &= _list_moves(tx)  # those slots that another transaction has fired in the meantime are out
    is_movable = tuple_(digests.c.slot_id, digests.c.next_slot_id).in_(sorted(moves))
    movable = select(digests.c.id).where(is_movable, digests.c.next_slot_id.is_not(None))
    statement = movable.order_by(digests.c.id).limit(limit).with_for_update(key_share=True)
    digest_ids = tx.execute(statement).scalars().all()
    cursor = select(slots.c.cursor_seq).where(slots.c.id == digests.c.slot_id).scalar_subquery()
    for chunk in split_into_chunks(digest_ids):
        tx.execute(
            update(digests)
            .where(digests.c.id.in_(chunk))
            .values(
                slot_id=digests.c.next_slot_id,
                next_slot_id=None,
                from_seq=func.coalesce(digests.c.from_seq, cursor),
            )
        )
    return len(digest_ids)


def _list_moves(tx: Transaction) -> set[tuple[int, int]]:
    """Return present and next slot of the digests that can move; digests that share both are not all read."""
    moves: set[tuple[int, int]] = set()
    last = 0, 0
    key = digests.c.next_slot_id, digests.c.slot_id
    while True:
        statement = select(*key).where(digests.c.next_slot_id.is_not(None), tuple_(*key) > last)
        row = tx.execute(statement.order_by(*key).limit(1)).first()
        if row is None:
            break
        last = row.next_slot_id, row.slot_id
        moves.add((row.slot_id, row.next_slot_id))
    if not moves:
        return moves
    is_to_fire = (slots.c.frequency == Frequency.ONCE.value) & (slots.c.last_period == "")
    unfired: set[int] = set()
    for chunk in split_into_chunks(sorted({present for present, _ in moves})):
        unfired.update(tx.execute(select(slots.c.id).where(slots.c.id.in_(chunk), is_to_fire)).scalars())
    is_open = runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value])
    open_slots = set(tx.execute(select(runs.c.slot_id).where(is_open)).scalars())
    possible = (move for move in sorted(moves) if move[0] not in unfired and open_slots.isdisjoint(move))
    return set(islice(possible, _MAX_MOVES))


_MAX_MOVES = 500
"""Maximum number of pairs of slots between which one transaction moves digests."""


def has_open_run(tx: Transaction, digest: Digest) -> bool:
    """Whether an edition of a digest's slot is being composed, or will be at once."""
    open_states = [RunState.OPEN.value, RunState.CLOSED.value]
    open_runs = select(runs.c.id).where(runs.c.slot_id == digest.slot, runs.c.state.in_(open_states))
    return digest.frequency is Frequency.ONCE or tx.execute(open_runs.limit(1)).first() is not None


def fire_once(tx: Transaction, digest: Digest, fire_at: datetime) -> None:
    """Give a digest an extra edition at an instant; after that it continues by its schedule.

    Args:
        tx: a writing transaction that has locked the digest.
        digest: an active digest without an open run.
        fire_at: the instant.
    """
    row = tx.execute(select(slots.c.waits_for, slots.c.cursor_seq).where(slots.c.id == digest.slot)).one()
    waits_for, zone = row.waits_for.splitlines(), digest.options.timezone

    def find_slot(at: datetime) -> int:
        return ensure_slot(tx, make_single_schedule(at, zone), "once", waits_for, row.cursor_seq)

    slot = find_unfired_slot(tx, find_slot, fire_at)
    values = {
        "slot_id": slot,
        "next_slot_id": func.coalesce(digests.c.next_slot_id, digests.c.slot_id),
        "from_seq": func.coalesce(digests.c.from_seq, row.cursor_seq),
    }
    tx.execute(update(digests).where(digests.c.id == digest.id).values(values))


def record_sent(
    tx: Transaction,
    digest_ids: Sequence[int],
    run: Run,
    postponed: frozenset[int],
    positions: Mapping[int, int],
) -> None:
    """Record that digests were reported up to the end of a run's window.

    Args:
        tx: the transaction that stores their editions.
        digest_ids: the digests.
        run: a closed run.
        postponed: the digests that got no edition and stay where they were; they need not be in
            ``digest_ids``.
        positions: the seq after which a digest continues, if that is not the end of the window.
    """
    # PostgreSQL writes a new version of each updated row, even if nothing changes.
    for chunk in split_into_chunks(sorted(postponed)):
        has_no_position = digests.c.id.in_(chunk) & digests.c.from_seq.is_(None)
        tx.execute(update(digests).where(has_no_position).values(from_seq=run.from_seq))
    for digest, seq in sorted(positions.items()):
        is_elsewhere = (digests.c.id == digest) & digests.c.from_seq.is_distinct_from(seq)
        tx.execute(update(digests).where(is_elsewhere).values(from_seq=seq))
    for chunk in split_into_chunks(sorted(set(digest_ids) - postponed - positions.keys())):
        # If the window ends before `from_seq`, the digest was already reported further than that.
        is_reached = digests.c.id.in_(chunk) & (digests.c.from_seq <= run.to_seq)
        tx.execute(update(digests).where(is_reached).values(from_seq=None))


# --- reading --------------------------------------------------------------------------------------


def load_digests(
    tx: Transaction, *, slot: int | None = None, first_id: int = 0, last_id: int | None = None
) -> tuple[Digest, ...]:
    """Return digests that have not ended, including paused ones, as they are at one moment.

    Args:
        tx: a transaction.
        slot: only digests of this slot.
        first_id: the lowest digest number.
        last_id: the highest digest number.
    """
    params = {"slot": slot, "low": first_id, "high": last_id}
    return _load_digests(tx, {name: value for name, value in params.items() if value is not None})


def fetch_states(tx: Transaction, slot: int, first_id: int, last_id: int) -> Sequence[Sequence[Any]]:
    """Return raw states of a slot's digests in a range of numbers, to detect later whether they have changed."""
    return fetch_raw_rows(tx, _select_states(), {"slot": slot, "low": first_id, "high": last_id})


@cache
def _select_states() -> Select[Any]:
    conditions = (
        digests.c.slot_id == bindparam("slot"),
        digests.c.id.between(bindparam("low"), bindparam("high")),
    )
    return select(digests.c.id, digests.c.state, digests.c.from_seq).where(*conditions).order_by(digests.c.id)


def load_configured_digests(tx: Transaction) -> tuple[Digest, ...]:
    """Return the digests of the configuration file that have not ended."""
    return _load_digests(tx, {"made_by": CONFIGURED})


def load_digests_of(tx: Transaction, mailbox: str) -> tuple[Digest, ...]:
    """Return the digests that a reader made on the site and that have not ended, by the address in lower case."""
    return _load_digests(tx, {"mailbox": mailbox})


def list_configured_feeds(tx: Transaction) -> Sequence[tuple[int, str, int]]:
    """Return number, name and feed version of the configured digests that have a feed."""
    conditions = digests.c.feed, digests.c.made_by == CONFIGURED, digests.c.state.in_([ACTIVE, PAUSED])
    statement = select(digests.c.id, digests.c.name, digests.c.feed_version).where(*conditions)
    return [(row.id, row.name, row.feed_version) for row in tx.execute(statement.order_by(digests.c.id))]


def list_configured_with_alerts(tx: Transaction) -> Sequence[int]:
    """Return the numbers of the configured digests that have a follow with alerts."""
    alerts = select(follows.c.digest_id).where(follows.c.alert, follows.c.ended_at.is_(None))
    conditions = (
        digests.c.id.in_(alerts),
        digests.c.made_by == CONFIGURED,
        digests.c.state.in_([ACTIVE, PAUSED]),
    )
    return tx.execute(select(digests.c.id).where(*conditions).order_by(digests.c.id)).scalars().all()


def load_digests_by_id(tx: Transaction, digest_ids: Sequence[int]) -> tuple[Digest, ...]:
    """Return those of some digests that have not ended, in order of their numbers."""
    return _load_digests(tx, {"numbers": to_in_param(tx, digest_ids)})


def _load_digests(tx: Transaction, params: Mapping[str, Any]) -> tuple[Digest, ...]:
    rows = fetch_raw_rows(tx, _select_digests(*params), params)
    digest_ids = [row[0] for row in rows]
    follows_by_digest, destinations_by_digest = (
        _load_follows(tx, digest_ids),
        _load_destinations(tx, digest_ids),
    )
    read_instant = get_instant_reader(tx)
    return tuple(
        [
            _build_digest(
                row, follows_by_digest.get(row[0], []), destinations_by_digest.get(row[0], []), read_instant
            )
            for row in rows
        ]
    )


@cache
def _select_digests(*conditions_by: str) -> Select[Any]:
    """Build the statement for digests that have not ended, with the conditions of these names."""
    conditions = {
        "slot": digests.c.slot_id == bindparam("slot"),
        "low": digests.c.id >= bindparam("low"),
        "high": digests.c.id <= bindparam("high"),
        "made_by": digests.c.made_by == bindparam("made_by"),
        "numbers": make_in_condition(digests.c.id, "numbers"),
        "mailbox": digests.c.subscriber_id.in_(
            select(subscribers.c.id).where(subscribers.c.address == bindparam("mailbox"))
        ),
    }
    sent_seq = func.coalesce(digests.c.from_seq, slots.c.cursor_seq)
    names = (
        "id",
        "name",
        "title",
        "slot_id",
        "from_seq",
        "feed_version",
        "state",
        "paused_until",
        "resume_from",
    )
    return (
        select(*(digests.c[name] for name in names), sent_seq, slots.c.frequency, *list_columns())
        .join(slots, slots.c.id == digests.c.slot_id)
        .where(
            or_(digests.c.state == ACTIVE, digests.c.state == PAUSED),
            *[conditions[name] for name in conditions_by],
        )
        .order_by(digests.c.id)
    )


def _build_digest(
    row: Sequence[Any],
    own_follows: Sequence[Follow],
    own_destinations: Sequence[DigestDestination],
    read_instant: Callable[[Any], datetime],
) -> Digest:
    digest_id, name, title, slot, from_seq, feed_version, state, paused_until, resume_from, *remainder = row
    sent_seq, frequency, *option_values = remainder
    until = None if paused_until is None else read_instant(paused_until)
    return Digest(
        id=digest_id,
        name=name,
        title=title,
        options=read_options(*option_values),
        slot=slot,
        from_seq=from_seq,
        sent_seq=sent_seq,
        follows=tuple(own_follows),
        destinations=tuple(own_destinations),
        frequency=FREQUENCIES_BY_VALUE[frequency],
        feed_version=feed_version,
        pause=Pause(until=until, resume_from=resume_from) if state == PAUSED else None,
    )


ABSTRACTS_BY_VALUE = {member.value: member for member in Abstracts}
ARRANGEMENTS_BY_VALUE = {member.value: member for member in Arrangement}
FREQUENCIES_BY_VALUE = {member.value: member for member in Frequency}
"""Members by stored value; calling the enumeration takes several times as long."""


def _load_follows(tx: Transaction, digest_ids: Sequence[int]) -> dict[int, list[Follow]]:
    follows_by_digest: dict[int, list[Follow]] = defaultdict(list)
    params = {"numbers": to_in_param(tx, digest_ids)}
    for row in fetch_raw_rows(tx, _select_follows(), params):
        digest, query, canonical, compiled, text, weight, exclude, alert, *others = row
        loadable = compiled or matches.compile_text(canonical)
        follow = query, canonical, loadable, text, weight, bool(exclude), bool(alert), *others
        follows_by_digest[digest].append(_new_tuple(Follow, follow))
    return follows_by_digest


_new_tuple = tuple.__new__
"""Constructor of named tuples that takes half the time of calling the class; a run reads millions of follows."""


@cache
def _select_follows() -> Select[Any]:
    names = ("text", "weight", "exclude", "alert", "only_query_id", "started_seq", "learned")
    columns = follows.c.digest_id, follows.c.query_id, queries.c.text.label("canonical"), queries.c.compiled
    return (
        select(*columns, *(follows.c[name] for name in names))
        .join(queries, queries.c.id == follows.c.query_id)
        .where(make_in_condition(follows.c.digest_id, "numbers"), follows.c.ended_at.is_(None))
        .order_by(follows.c.id)
    )


def _load_destinations(tx: Transaction, digest_ids: Sequence[int]) -> dict[int, list[DigestDestination]]:
    destinations_by_digest: dict[int, list[DigestDestination]] = defaultdict(list)
    params = {"numbers": to_in_param(tx, digest_ids)}
    for digest, *columns in fetch_raw_rows(tx, _select_destinations(), params):
        destinations_by_digest[digest].append(_new_tuple(DigestDestination, columns))
    return destinations_by_digest


@cache
def _select_destinations() -> Select[Any]:
    columns = (destinations.c[name] for name in ("digest_id", "id", "channel", "address", "form"))
    # Deliveries to suppressed addresses are created and dropped later, so that each missed edition is on record.
    states = or_(*(destinations.c.state == state for state in (ACTIVE, RESTING, SUPPRESSED)))
    statement = select(*columns).where(make_in_condition(destinations.c.digest_id, "numbers"), states)
    return statement.order_by(destinations.c.id)
