"""Deliveries: claimed under a lease, fenced by a token, marked by their receipts.

``ready → leased → sent | refused | expired | unknown``, or ``ready`` again. A run that is held back has them ``held``;
``dropped`` are those that nobody wants any more. Every end has its reason in ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Update,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    or_,
    select,
    true,
    tuple_,
    update,
)

from digest.model import Blame
from digest.store.database.clock import over
from digest.store.database.dialect import (
    all_as_kept,
    among,
    as_instant,
    as_kept,
    chunks,
    rows_as_kept,
    run_as_kept,
)
from digest.store.database.digest_tables import deliveries, destinations, digests, editions, queries, runs
from digest.store.database.engine import Transaction
from digest.store.subscribers.digests import ACTIVE, ENDED, RESTING, SUPPRESSED

LEASE = timedelta(minutes=15)
"""Longer than a message can take at the time limits of RFC 5321, section 4.5.3.2, that we keep."""
STATES = ("ready", "leased", "held", "sent", "refused", "unknown", "expired", "dropped")
"""All states of a delivery."""
UNNAMED = -1
"""``named_in`` of what did not reach its reader and that no mail names yet, where its state does not say so."""

MESSAGE = "message"
"""``blame`` of what a server failed at while it took others."""

_LOOKED_AT = 500
"""How many deliveries are looked at in one go where those at the front cannot go."""
_NOTHING = timedelta(0)
_LOOKS = 4
"""How often that is done in one transaction."""

# A partial index is used only where the condition stands in the statement itself, not among its values.
_READY = deliveries.c.state == literal_column("'ready'")
_LEASED = deliveries.c.state == literal_column("'leased'")


class Delivery(NamedTuple):
    """An edition going to one destination; a run has hundreds of thousands.

    Attributes:
        destination: its number.
        run: the number of its edition's.
        domain: of a mail address, in lower case; "" for other channels.
        state: one of ``STATES``.
        due_at: not before it.
        main_query: the number of the query that most papers of its edition are there for; 0 for none.
        paced: ``due_at`` is its turn among those of its domain.
        attempts: how many count, the one under way included.
        unknown: how often it may have arrived.
        answer: what was last said about it.
        blame: whose fault that was, as ``Blame`` has it, or ``MESSAGE``; "" for nobody's.
        expires_at: when it is given up; None before its first failure that was not ours.
        token: of the lease it was claimed under; 0 if it is not.
    """

    id: int
    edition: int
    destination: int
    run: int
    digest: str
    period: str
    channel: str
    address: str
    domain: str
    state: str
    due_at: datetime
    main_query: int
    paced: bool
    attempts: int
    unknown: int
    message_id: str
    answer: str
    blame: str
    expires_at: datetime | None
    sent_at: datetime | None
    token: int

    @property
    def is_suspect(self) -> bool:
        """Whether it may be what a server fails at: its connection ended, or it took others, when this went last."""
        return self.blame in {Blame.OURS.value, MESSAGE} or self.unknown > 0

    @property
    def is_faulty(self) -> bool:
        """Whether a server failed at it while it took others: its next failure says nothing of the server."""
        return self.blame == MESSAGE


class Which(StrEnum):
    """Of which deliveries some are claimed: a suspect goes alone, for whatever goes with it waits with it.

    It goes last, unless it is ``UNPROVEN``: a server failed at it while it took others once at the most.
    """

    ALL = "all"
    ORDINARY = "ordinary"
    SUSPECT = "suspect"
    UNPROVEN = "unproven"


Turns = Callable[[Sequence[Delivery], int], tuple[Sequence[Delivery], Mapping[int, datetime]]]
"""Given deliveries in their order and how many may go: which go now, and to when which others are put off."""


def at_once(found: Sequence[Delivery], most: int) -> tuple[Sequence[Delivery], Mapping[int, datetime]]:
    """The turns where nothing has to wait."""
    return found[:most], {}


# --- claiming -------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a delivery stands among those of its channel.

    The oldest comes first. Of the same age, those that tell mostly of the same query stand together: who makes one
    after the other has most of a mail made already.
    """

    due_at: datetime
    main_query: int
    id: int

    @classmethod
    def of(cls, delivery: Delivery) -> Place:
        """Where one stands."""
        return cls(delivery.due_at, delivery.main_query, delivery.id)


FRONT = Place(datetime.min.replace(tzinfo=UTC), 0, 0)
"""Before all others."""


def far_apart(tx: Transaction, channel: str, share: float) -> Place:
    """Where one of several workers begins, so that they do not make the same pieces of mails.

    Args:
        tx: a transaction.
        channel: its name.
        share: of the way through what is oldest, from 0 to 1.
    """
    if not share:
        return FRONT
    mine = select(deliveries.c.due_at).where(_READY, deliveries.c.channel == channel)
    oldest = tx.execute(mine.order_by(deliveries.c.due_at).limit(1)).scalar()
    last = tx.execute(select(func.max(queries.c.id))).scalar()
    return Place(oldest, int(last * share), 0) if oldest and last else FRONT


def claim(
    tx: Transaction,
    channel: str,
    token: int,
    now: datetime,
    most: int,
    *,
    turns: Turns = at_once,
    beyond: Place = FRONT,
    which: Which = Which.ALL,
) -> tuple[Delivery, ...]:
    """Take deliveries of a channel that are due and that nobody else has, in the order of their places.

    Those at the front that cannot go are got out of the way: put off to their turn, held with their run, or dropped
    with their destination. Fewer than wanted can be claimed although more are due.

    Args:
        tx: a writing transaction.
        channel: its name.
        token: of the worker; fences off whoever had them before.
        now: the lease ends ``LEASE`` later.
        most: how many at the most.
        turns: says which of those that could go have to wait, and until when.
        beyond: those behind this place come first, and then those from the front.
        which: of these.
    """
    taken: list[Delivery] = []
    size = most
    for _ in range(_LOOKS):
        rows = _candidates(tx, channel, token, now, size, beyond=beyond, which=which)
        wanted = _sorted_out(tx, rows)
        go, later = turns(wanted, most - len(taken))
        _lease(tx, [one.id for one in go], token, now)
        _put_off(tx, [one for one in wanted if one.id in later], later)
        taken += go
        if len(taken) == most or (len(rows) < size and beyond == FRONT):
            break
        if len(rows) < size:
            beyond = FRONT
        else:
            size = _LOOKED_AT
    return tuple(taken)


def _candidates(
    tx: Transaction, channel: str, token: int, now: datetime, most: int, *, beyond: Place, which: Which
) -> Sequence[Sequence[Any]]:
    """The first deliveries behind a place, locked, as they are when they are leased."""
    place = {"due_at": as_kept(tx, beyond.due_at), "main_query": beyond.main_query, "id": beyond.id}
    given = {"channel": channel, "token": token, "now": as_kept(tx, now), "most": most}
    return rows_as_kept(tx, _found_beyond(which), given | place)


_PLACE = deliveries.c.due_at, deliveries.c.main_query, deliveries.c.id


def _is_one_of(which: Which) -> ColumnElement[bool]:
    # As in the statement itself: there is one for each kind.
    ours: ColumnElement[str] = literal_column(f"'{Blame.OURS.value}'")
    message: ColumnElement[str] = literal_column(f"'{MESSAGE}'")
    unknown: ColumnElement[int] = literal_column("0")
    match which:
        case Which.ALL:
            return true()
        case Which.ORDINARY:
            return and_(deliveries.c.blame.not_in([ours, message]), deliveries.c.unknown == unknown)
        case Which.SUSPECT:
            return or_(deliveries.c.blame.in_([ours, message]), deliveries.c.unknown > unknown)
        case Which.UNPROVEN:
            once: ColumnElement[int] = literal_column("1")
            at_most_once = or_(
                deliveries.c.blame == ours,
                and_(deliveries.c.blame == message, deliveries.c.attempts <= once),
            )
            return and_(at_most_once, deliveries.c.unknown == unknown)


@cache
def _found_beyond(which: Which) -> Select[Any]:
    """Made once, as what is done for every pack is: to put a statement together takes longer than to run it."""
    beyond = tuple_(*_PLACE) > tuple_(*[bindparam(column.name) for column in _PLACE])
    front = (
        select(deliveries.c.id)
        .where(_READY, deliveries.c.channel == bindparam("channel"), deliveries.c.due_at <= bindparam("now"))
        .where(beyond, _is_one_of(which))
        .order_by(*_PLACE)
        .limit(bindparam("most", type_=Integer))
        .with_for_update(skip_locked=True)
        .subquery()
    )
    fates = (destinations.c.state.label("way"), digests.c.state.label("whose"), runs.c.held, runs.c.released)
    leased = _columns(
        literal_column("'leased'"), deliveries.c.attempts + literal_column("1"), bindparam("token")
    )
    found = _joined(*leased, *fates).join(front, front.c.id == deliveries.c.id)
    ordered: Select[Any] = found.order_by(*_PLACE)
    return ordered


def _sorted_out(tx: Transaction, rows: Sequence[Sequence[Any]]) -> list[Delivery]:
    """Those that are wanted where they go; the others are dropped or held."""
    fates = {row[0]: fate for row in rows if (fate := _fate(row))}
    for fate in dict.fromkeys(fates.values()):
        _leave(tx, [number for number, one in fates.items() if one == fate], fate)
    instant = cache(as_instant(tx))  # most of those that go together are due together
    return [_delivery(row, instant) for row in rows if row[0] not in fates]


AWAY = {
    RESTING: "its address rests, because mail to it came back several times",
    SUPPRESSED: "its address is suppressed, because mail to it came back",
}
"""Why what is for an address is dropped, by the state of the address."""


class _Fate(NamedTuple):
    """What becomes of a delivery that cannot go now."""

    state: str
    answer: str
    named_in: int | None = None


def _fate(row: Sequence[Any]) -> _Fate | None:
    """None for a delivery that can go."""
    way, whose, held, released = row[-4:]
    if way in AWAY:
        return _Fate("dropped", AWAY[way], UNNAMED)
    if way != ACTIVE:
        return _Fate("dropped", "its destination has left the file, or its reader has unsubscribed")
    if whose == ENDED:
        return _Fate("dropped", "its digest has left the file")
    if held and released:  # decided about while it was under way
        return _Fate("dropped", held)
    return _Fate("held", row[_ANSWER]) if held else None


def _leave(tx: Transaction, numbers: Sequence[int], fate: _Fate) -> None:
    for chunk in chunks(numbers):
        tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(fate._asdict()))


def _lease(tx: Transaction, numbers: Sequence[int], token: int, now: datetime) -> None:
    if numbers:
        given = {"numbers": all_as_kept(tx, numbers), "until": as_kept(tx, now + LEASE), "token": token}
        run_as_kept(tx, _leased(), given)


@cache
def _leased() -> Update:
    lease = {"state": literal_column("'leased'"), "attempts": deliveries.c.attempts + literal_column("1")}
    by: dict[str, Any] = {"lease_until": bindparam("until"), "lease_token": bindparam("token")}
    return update(deliveries).where(among(deliveries.c.id, "numbers")).values(lease | by)


def _put_off(tx: Transaction, some: Sequence[Delivery], later: Mapping[int, datetime]) -> None:
    """Give deliveries a later turn; the time until then does not count against them."""
    if some:
        change = update(deliveries).where(deliveries.c.id == bindparam("number"))
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("due_at", "expires_at")}
        rows = [
            {
                "number": one.id,
                "new_due_at": later[one.id],
                "new_expires_at": one.expires_at
                and one.expires_at + max(later[one.id] - one.due_at, _NOTHING),
            }
            for one in some
        ]
        tx.execute(change.values(values | {"paced": True}), rows)


def still_held(tx: Transaction, claimed: Sequence[Delivery], now: datetime) -> frozenset[int]:
    """Which deliveries are still ours, with their lease prolonged."""
    ours: set[int] = set()
    for chunk in chunks([one.id for one in claimed]):
        mine = and_(deliveries.c.id.in_(chunk), deliveries.c.lease_token == claimed[0].token, _LEASED)
        prolonged = update(deliveries).where(mine).values(lease_until=now + LEASE)
        ours.update(tx.execute(prolonged.returning(deliveries.c.id)).scalars())
    return frozenset(ours)


def give_back(tx: Transaction, claimed: Sequence[Delivery]) -> None:
    """End the lease of deliveries that were not tried; they are due as before."""
    for chunk in chunks([one.id for one in claimed]):
        mine = and_(deliveries.c.id.in_(chunk), deliveries.c.lease_token == claimed[0].token, _LEASED)
        values = {"state": "ready", "lease_until": None, "attempts": deliveries.c.attempts - 1}
        tx.execute(update(deliveries).where(mine).values(values))


def reclaim(tx: Transaction, now: datetime) -> None:
    """End the leases that are over: what nobody marked is due again at once."""
    _end_leases(tx, over(deliveries.c.lease_until, now, LEASE))


def has_leased(tx: Transaction, token: int) -> bool:
    """Whether a worker has leased anything."""
    mine = select(deliveries.c.id).where(_LEASED, deliveries.c.lease_token == token)
    return tx.execute(mine.limit(1)).first() is not None


def release(tx: Transaction, token: int, *, but: Sequence[Delivery] = ()) -> None:
    """End what a worker that is no more had leased: it is due again at once.

    Args:
        tx: a writing transaction.
        token: the worker's.
        but: what it may still be at.
    """
    mine = deliveries.c.lease_token == token
    _end_leases(tx, mine & deliveries.c.id.not_in([one.id for one in but]) if but else mine)


def _end_leases(tx: Transaction, which: ColumnElement[bool]) -> None:
    tx.execute(update(deliveries).where(_LEASED, which).values(state="ready", lease_until=None))


# --- reading --------------------------------------------------------------------------------------


def next_due(
    tx: Transaction, channel: str, now: datetime, which: Which = Which.ALL
) -> tuple[datetime | None, datetime | None]:
    """When something of a channel is due next: whatever it is, and what was never tried and is due later."""
    mine = (_READY, deliveries.c.channel == channel, _is_one_of(which))
    by_index = select(deliveries.c.due_at).order_by(deliveries.c.due_at, deliveries.c.id).limit(1)
    first = tx.execute(by_index.where(*mine)).scalar()
    if first is None or first <= now:
        return first, first
    # What broke connections off was tried, although its attempts do not count.
    untried = deliveries.c.attempts == 0, _is_one_of(Which.ORDINARY)
    fresh = tx.execute(by_index.where(*mine, deliveries.c.due_at > now, *untried)).scalar()
    return first, fresh


def newest_due(tx: Transaction, channel: str, now: datetime) -> datetime | None:
    """When that became due of a channel which did so last, of what was never answered; None where there is nothing."""
    fresh = and_(_is_one_of(Which.ORDINARY), deliveries.c.answer == "", deliveries.c.due_at <= now)
    last = select(deliveries.c.due_at).where(_READY, deliveries.c.channel == channel, fresh)
    return tx.execute(last.order_by(deliveries.c.due_at.desc()).limit(1)).scalar()


def channels_waiting(tx: Transaction) -> frozenset[str]:
    """The channels that something is to go by, now or later.

    From one to the next by the index: what is found is a handful, and the backlog may be a million.
    """
    found, last = set[str](), ""
    while (channel := tx.execute(_next_channel(), {"last": last}).scalar()) is not None:
        found.add(channel)
        last = channel
    return frozenset(found)


@cache
def _next_channel() -> Select[Any]:
    return select(func.min(deliveries.c.channel)).where(_READY, deliveries.c.channel > bindparam("last"))


def recent(
    tx: Transaction, *, state: str | None = None, most: int, which: Sequence[ColumnElement[bool]] = ()
) -> tuple[Delivery, ...]:
    """The last deliveries, the newest first; those in one state, or all."""
    statement = _joined().where(*which).order_by(deliveries.c.id.desc()).limit(most)
    if state is not None:
        statement = statement.where(deliveries.c.state == state)
    return tuple(Delivery(*row) for row in tx.execute(statement))


def of_edition(tx: Transaction, edition: int) -> tuple[Delivery, ...]:
    """The deliveries of one edition."""
    statement = _joined().where(deliveries.c.edition_id == edition)
    return tuple(Delivery(*row) for row in tx.execute(statement.order_by(deliveries.c.id)))


def count_by_state(tx: Transaction) -> dict[str, int]:
    """How many deliveries are in each state."""
    rows = tx.execute(select(deliveries.c.state, func.count()).group_by(deliveries.c.state))
    return {state: count for state, count in rows}  # noqa: C416 - a Row is no pair to the type checker


def count_due(tx: Transaction, now: datetime) -> int:
    """How many are due that nobody has."""
    due = select(func.count()).where(_READY, deliveries.c.due_at <= now)
    return tx.execute(due).scalar_one()


def sent_since(tx: Transaction, since: datetime) -> int:
    """How many were sent since a time."""
    return tx.execute(select(func.count()).where(deliveries.c.sent_at > since)).scalar_one()


def _joined(*columns: ColumnElement[Any]) -> Any:
    return (
        select(*(columns or _columns(deliveries.c.state, deliveries.c.attempts, _token())))
        .select_from(deliveries)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
    )


def _token() -> ColumnElement[Any]:
    return case((_LEASED, deliveries.c.lease_token), else_=0)


def _columns(
    state: ColumnElement[Any], attempts: ColumnElement[Any], token: ColumnElement[Any]
) -> tuple[ColumnElement[Any], ...]:
    """What a delivery is made of, in its order."""
    return (
        deliveries.c.id,
        deliveries.c.edition_id,
        deliveries.c.destination_id,
        editions.c.run_id,
        digests.c.name,
        runs.c.period,
        deliveries.c.channel,
        destinations.c.address,
        destinations.c.domain,
        state,
        deliveries.c.due_at,
        deliveries.c.main_query,
        deliveries.c.paced,
        attempts,
        deliveries.c.unknown,
        deliveries.c.message_id,
        deliveries.c.answer,
        deliveries.c.blame,
        deliveries.c.expires_at,
        deliveries.c.sent_at,
        token,
    )


_DUE, _PACED, _ANSWER, _EXPIRES = (
    Delivery._fields.index(name) for name in ("due_at", "paced", "answer", "expires_at")
)


def _delivery(row: Sequence[Any], instant: Callable[[Any], datetime]) -> Delivery:
    """A row as the database keeps it, that begins as a delivery does; it was never sent."""
    expires = row[_EXPIRES]
    return Delivery._make(
        (
            *row[:_DUE],
            instant(row[_DUE]),
            *row[_DUE + 1 : _PACED],
            bool(row[_PACED]),
            *row[_PACED + 1 : _EXPIRES],
            expires and instant(expires),
            None,
            row[_EXPIRES + 2],
        )
    )
