"""Digests with their slots, destinations and follows: how they stand, and how far they have been told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, and_, bindparam, exists, func, or_, select, update

from digest.core.times.schedule import make_single_schedule
from digest.model import Abstracts, DigestOptions, Frequency, Run, RunState, Schedule
from digest.store.database.dialect import (
    add_missing,
    fetch_raw_rows,
    get_instant_reader,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.digest_tables import destinations, digests, follows, queries, runs, slots
from digest.store.database.engine import Transaction
from digest.store.matching import matches
from digest.store.subscribers.digest_options import list_columns, read_options

ACTIVE, ENDED, PAUSED, STOPPED = "active", "ended", "paused", "stopped"
"""States of digests and destinations: ended by the file, paused or stopped by the reader, who is stronger."""
RESTING, SUPPRESSED = "resting", "suppressed"
"""States of destinations whose address mail came back from: for a while, or until somebody resumes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A digest's rest.

    Attributes:
        until: it ends by itself then; None: when somebody resumes it.
        resume_from: where it goes on: ``then``, with all that came meanwhile, or ``now``.
    """

    until: datetime | None
    resume_from: str


class Follow(NamedTuple):
    """One standing wish of a reader; a run reads millions.

    Attributes:
        query: the number of its query.
        canonical: the query as it is written in its one form.
        compiled: the query, to be loaded.
        text: as written.
        alert: it tells at once.
        only: the query from whose follow alone it takes papers out; 0: from all of the digest's.
        weight: as written.
        started_seq: what came up to there is not told because of it.
        learned: what it counts, as a part of its weight, after what its reader said of papers.
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
        """How much a paper counts that it fits."""
        return self.weight * self.learned


class Digest(NamedTuple):
    """A named bundle of follows with a schedule, a size and destinations; a run reads a million.

    Attributes:
        options: what is chosen for it.
        from_seq: how far it has been told, where that differs from its slot's cursor.
        sent_seq: how far it has been told.
        destinations: number, channel and address of those that it goes to, as far as reader and file are concerned.
        frequency: its schedule's.
        feed_version: how often the feed's address was renewed.
        pause: None if it is active.
    """

    id: int
    name: str
    title: str
    options: DigestOptions
    slot: int
    from_seq: int | None
    sent_seq: int
    follows: tuple[Follow, ...]
    destinations: tuple[tuple[int, str, str], ...]
    frequency: Frequency
    feed_version: int
    pause: Pause | None = None

    def get_window_start(self, run: Run) -> int:
        """Where its part of a closed run's window begins: what came up to there has been told."""
        assert run.from_seq is not None
        return run.from_seq if self.from_seq is None else self.from_seq


# --- slots ----------------------------------------------------------------------------------------


def ensure_slot(
    tx: Transaction, schedule: Schedule, catch_up: str, waits_for: Iterable[str], cursor: int
) -> int:
    """The number of the slot with a schedule and options; one that is new begins at the cursor."""
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
    add_missing(tx, slots, [row | {"cursor_seq": cursor, "next_fire_at": None, "last_period": ""}])
    is_same = and_(*(slots.c[name] == value for name, value in row.items()))
    slot_id: int = tx.execute(select(slots.c.id).where(is_same)).scalar_one()
    return slot_id


def read_schedule(row: Row[Any]) -> Schedule:
    """The schedule that a slot's row keeps."""
    return Schedule(
        frequency=Frequency(row.frequency),
        zone=row.zone,
        at=row.at,
        days=tuple(int(day) for day in row.days.split(",") if day),
        every=row.every,
        latest=row.latest,
    )


def move_digests(tx: Transaction) -> None:
    """Let digests go over to their next slot where neither that nor theirs has a run under way.

    The place up to which they have been told goes with them. A run that they came into would be a second
    one for the same period: files and Message-IDs are named by that.
    """
    has_open_run = exists().where(
        or_(runs.c.slot_id == digests.c.slot_id, runs.c.slot_id == digests.c.next_slot_id),
        runs.c.state.in_([RunState.OPEN.value, RunState.CLOSED.value]),
    )
    is_own = slots.c.id == digests.c.slot_id
    is_to_fire = exists().where(is_own, slots.c.frequency == Frequency.ONCE.value, slots.c.last_period == "")
    cursor = select(slots.c.cursor_seq).where(is_own).scalar_subquery()
    tx.execute(
        update(digests)
        .where(digests.c.next_slot_id.is_not(None), ~has_open_run, ~is_to_fire)
        .values(
            slot_id=digests.c.next_slot_id,
            next_slot_id=None,
            from_seq=func.coalesce(digests.c.from_seq, cursor),
        )
    )


def has_open_run(tx: Transaction, digest: Digest) -> bool:
    """Whether an edition of a digest's slot is being made, or is to be made at once."""
    open_states = [RunState.OPEN.value, RunState.CLOSED.value]
    open_runs = select(runs.c.id).where(runs.c.slot_id == digest.slot, runs.c.state.in_(open_states))
    return digest.frequency is Frequency.ONCE or tx.execute(open_runs.limit(1)).first() is not None


def fire_once(tx: Transaction, digest: Digest, fire_at: datetime) -> None:
    """Let a digest have an edition at an instant, and go on by its schedule after that.

    Args:
        tx: a planning transaction.
        digest: it is active and has no run under way.
        fire_at: when.
    """
    row = tx.execute(select(slots.c.waits_for, slots.c.cursor_seq).where(slots.c.id == digest.slot)).one()
    slot = ensure_slot(
        tx,
        make_single_schedule(fire_at, digest.options.timezone),
        "once",
        row.waits_for.splitlines(),
        row.cursor_seq,
    )
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
    """Note that digests have been told up to the end of a run's window.

    Args:
        tx: the transaction that keeps their editions.
        digest_ids: the digests.
        run: a closed one.
        postponed: those that told nothing, of them or others, and go on from where they were.
        positions: of those that go on from elsewhere than the end of the window, the event they go on after.
    """
    start_seq = func.coalesce(digests.c.from_seq, run.from_seq)
    for chunk in split_into_chunks(sorted(postponed)):
        tx.execute(update(digests).where(digests.c.id.in_(chunk)).values(from_seq=start_seq))
    for digest, seq in positions.items():
        tx.execute(update(digests).where(digests.c.id == digest).values(from_seq=seq))
    for chunk in split_into_chunks(sorted(set(digest_ids) - postponed - positions.keys())):
        # A window that ends before the place a digest was told to has not brought it there.
        is_reached = digests.c.id.in_(chunk) & (digests.c.from_seq <= run.to_seq)
        tx.execute(update(digests).where(is_reached).values(from_seq=None))


# --- reading --------------------------------------------------------------------------------------


def load_digests(
    tx: Transaction, *, slot: int | None = None, first_id: int = 0, last_id: int | None = None
) -> tuple[Digest, ...]:
    """Digests that have not ended, paused or not, as they are at one moment.

    Args:
        tx: a transaction.
        slot: only those in this slot.
        first_id: only those numbered from here.
        last_id: only those numbered up to here.
    """
    params = {"slot": slot, "low": first_id, "high": last_id}
    return _load_digests(tx, {name: value for name, value in params.items() if value is not None})


def fetch_states(tx: Transaction, slot: int, first_id: int, last_id: int) -> Sequence[Sequence[Any]]:
    """How digests of a slot in a range stand: to be compared with how they do later."""
    return fetch_raw_rows(tx, _select_states(), {"slot": slot, "low": first_id, "high": last_id})


@cache
def _select_states() -> Select[Any]:
    conditions = (
        digests.c.slot_id == bindparam("slot"),
        digests.c.id.between(bindparam("low"), bindparam("high")),
    )
    return select(digests.c.id, digests.c.state, digests.c.from_seq).where(*conditions).order_by(digests.c.id)


def load_configured_digests(tx: Transaction) -> tuple[Digest, ...]:
    """Those of the file that have not ended; others are their readers' own business."""
    return _load_digests(tx, {"made_by": "config"})


def list_configured_feeds(tx: Transaction) -> Sequence[tuple[int, str, int]]:
    """Those of the file that have a feed: their numbers and names, and how often its address was renewed."""
    conditions = digests.c.feed, digests.c.made_by == "config", digests.c.state.in_([ACTIVE, PAUSED])
    statement = select(digests.c.id, digests.c.name, digests.c.feed_version).where(*conditions)
    return [(row.id, row.name, row.feed_version) for row in tx.execute(statement.order_by(digests.c.id))]


def list_configured_with_alerts(tx: Transaction) -> Sequence[int]:
    """The numbers of those of the file that follow something that tells at once."""
    alerts = select(follows.c.digest_id).where(follows.c.alert, follows.c.ended_at.is_(None))
    conditions = (
        digests.c.id.in_(alerts),
        digests.c.made_by == "config",
        digests.c.state.in_([ACTIVE, PAUSED]),
    )
    return tx.execute(select(digests.c.id).where(*conditions).order_by(digests.c.id)).scalars().all()


def load_digests_by_id(tx: Transaction, digest_ids: Sequence[int]) -> tuple[Digest, ...]:
    """Those of some digests that have not ended, in order: of few among many."""
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
    """What reads digests that have not ended, by the values of these names."""
    conditions = {
        "slot": digests.c.slot_id == bindparam("slot"),
        "low": digests.c.id >= bindparam("low"),
        "high": digests.c.id <= bindparam("high"),
        "made_by": digests.c.made_by == bindparam("made_by"),
        "numbers": make_in_condition(digests.c.id, "numbers"),
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
    own_destinations: Sequence[tuple[int, str, str]],
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
FREQUENCIES_BY_VALUE = {member.value: member for member in Frequency}
"""By what is kept of them, as ``ABSTRACTS_BY_VALUE``: to call an enumeration takes several times as long."""


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
"""The constructor of a named tuple takes twice as long, and a run reads millions of follows."""


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


def _load_destinations(tx: Transaction, digest_ids: Sequence[int]) -> dict[int, list[tuple[int, str, str]]]:
    destinations_by_digest: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    params = {"numbers": to_in_param(tx, digest_ids)}
    for digest, number, channel, address in fetch_raw_rows(tx, _select_destinations(), params):
        destinations_by_digest[digest].append((number, channel, address))
    return destinations_by_digest


@cache
def _select_destinations() -> Select[Any]:
    columns = (destinations.c[name] for name in ("digest_id", "id", "channel", "address"))
    # What is for an address that nothing goes to is made and then dropped: so each edition that it missed is on record.
    states = or_(*(destinations.c.state == state for state in (ACTIVE, RESTING, SUPPRESSED)))
    statement = select(*columns).where(make_in_condition(destinations.c.digest_id, "numbers"), states)
    return statement.order_by(destinations.c.id)
