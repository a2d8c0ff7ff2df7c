"""The outbox: deliveries are claimed under a lease with a fencing token, and their receipts end them.

States: ``ready → leased → sent | refused | expired | unknown``, or back to ``ready``. Deliveries of a held
run are ``held``; ``dropped`` ones are no longer wanted. The reason of every final state is in ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
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
    exists,
    func,
    literal_column,
    or_,
    select,
    true,
    update,
)

from digest.model import Delivery
from digest.store.database.clock import is_lease_over
from digest.store.database.dialect import (
    execute_raw,
    fetch_raw_rows,
    get_instant_reader,
    make_in_condition,
    split_into_chunks,
    to_db,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, digests, editions, runs
from digest.store.delivery.queue_positions import (
    POSITION_COLUMNS,
    QUEUE_FRONT,
    READY,
    ClaimScope,
    QueuePosition,
    build_part_condition,
    is_behind,
    match_scope,
)
from digest.store.subscribers.digests import ACTIVE, ENDED, ERASED, RESTING, SUPPRESSED

LEASE_DURATION = timedelta(minutes=15)
"""Duration of a lease; longer than a message can take with our timeouts, which are those of RFC 5321, section 4.5.3.2."""
STATES = ("ready", "leased", "held", "sent", "refused", "unknown", "expired", "dropped")
"""All states of a delivery."""
UNSENT_STATES = ("ready", "leased", "held")
"""States of deliveries that are sent once nothing holds them; in all others nothing happens any more."""
UNNAMED = -1
"""Value of ``named_in`` for a message that was lost and that no mail has named yet, if its state does not show
the loss.
"""

_SCAN_SIZE = 500
"""Number of deliveries per scan after the first one, if those at the front cannot be sent."""
_NO_DELAY = timedelta(0)
_MAX_SCANS = 4
"""Maximum number of scans in one transaction."""

# A partial index is used only if the condition is a literal in the statement, not a parameter.
_LEASED = deliveries.c.state == literal_column("'leased'")


AdmissionPolicy = Callable[[Sequence[Delivery], int], tuple[Sequence[Delivery], Mapping[int, datetime]]]
"""Function of deliveries in order and a limit; returns those that go now, and new due times of those that are
postponed.
"""


def admit_all(
    candidates: Sequence[Delivery], limit: int
) -> tuple[Sequence[Delivery], Mapping[int, datetime]]:
    """Admit the first deliveries without any rate limit."""
    return candidates[:limit], {}


# --- claiming -------------------------------------------------------------------------------------


def claim_deliveries(
    tx: Transaction,
    channel: str,
    token: int,
    now: datetime,
    limit: int,
    *,
    admit: AdmissionPolicy = admit_all,
    after: QueuePosition = QUEUE_FRONT,
    before: QueuePosition | None = None,
    scope: ClaimScope = ClaimScope.ALL,
) -> tuple[Delivery, ...]:
    """Claim deliveries of a channel that are due and that nobody has leased, in queue order.

    Deliveries that cannot be sent now are moved out of the way: postponed, held with their run, or dropped
    with their destination. The result can have fewer than ``limit`` deliveries although more are due.

    Args:
        tx: a writing transaction.
        channel: the channel.
        token: the token of the worker; it fences off earlier holders.
        now: the leases end ``LEASE_DURATION`` later.
        limit: maximum number of deliveries.
        admit: decides which of the deliveries have to wait, and until when.
        after: begin behind this position, and continue at the front.
        before: end before this position, and do not continue at the front; deliveries with another due time are
            left out.
        scope: claim only these.
    """
    claimed: list[Delivery] = []
    scan_size = limit
    for _ in range(_MAX_SCANS):
        rows = _fetch_candidates(tx, channel, token, now, scan_size, after=after, before=before, scope=scope)
        deliverable = _select_deliverable(tx, rows)
        admitted, postponed = admit(deliverable, limit - len(claimed))
        _lease_deliveries(tx, [delivery.id for delivery in admitted], token, now)
        _defer_deliveries(tx, [delivery for delivery in deliverable if delivery.id in postponed], postponed)
        claimed += admitted
        is_at_end = len(rows) < scan_size
        if len(claimed) == limit or (is_at_end and (before is not None or after == QUEUE_FRONT)):
            break
        if is_at_end:
            after = QUEUE_FRONT
        else:
            scan_size = _SCAN_SIZE
    return tuple(claimed)


def _fetch_candidates(
    tx: Transaction,
    channel: str,
    token: int,
    now: datetime,
    limit: int,
    *,
    after: QueuePosition,
    before: QueuePosition | None,
    scope: ClaimScope,
) -> Sequence[Sequence[Any]]:
    """Return the first deliveries behind a position, locked, with the values that they will have when they are leased."""
    params = {"channel": channel, "token": token, "now": to_db(tx, now), "most": limit}
    params |= {"due_at": to_db(tx, after.due_at), "main_query": after.main_query, "id": after.id}
    if before is not None:
        params |= {"end_query": before.main_query, "end_id": before.id}
    return fetch_raw_rows(tx, _select_candidates(scope, is_part=before is not None), params)


@cache
def _select_candidates(scope: ClaimScope, *, is_part: bool) -> Select[Any]:
    """Build the statement, once for each kind; building it takes longer than running it, and every batch needs it."""
    is_after = build_part_condition() if is_part else is_behind(POSITION_COLUMNS)
    candidates = (
        select(deliveries.c.id)
        .where(READY, deliveries.c.channel == bindparam("channel"), deliveries.c.due_at <= bindparam("now"))
        .where(is_after, match_scope(scope))
        .order_by(*POSITION_COLUMNS)
        .limit(bindparam("most", type_=Integer))
        .with_for_update(skip_locked=True)
        .subquery()
    )
    state_columns = (
        destinations.c.state.label("way"),
        digests.c.state.label("whose"),
        runs.c.held,
        runs.c.released,
    )
    leased_columns = _list_columns(
        literal_column("'leased'"), deliveries.c.attempts + literal_column("1"), bindparam("token")
    )
    statement = _select_joined(*leased_columns, *state_columns).join(
        candidates, candidates.c.id == deliveries.c.id
    )
    ordered: Select[Any] = statement.order_by(*POSITION_COLUMNS)
    return ordered


def _select_deliverable(tx: Transaction, rows: Sequence[Sequence[Any]]) -> list[Delivery]:
    """Return the deliveries that can be sent; drop or hold the others."""
    dispositions = {row[0]: disposition for row in rows if (disposition := _decide_disposition(row))}
    for disposition in dict.fromkeys(dispositions.values()):
        _apply_disposition(
            tx,
            [delivery_id for delivery_id, other in dispositions.items() if other == disposition],
            disposition,
        )
    read_instant = cache(get_instant_reader(tx))  # most deliveries of a batch have the same due time
    return [_build_delivery(row, read_instant) for row in rows if row[0] not in dispositions]


DROP_REASONS = {
    RESTING: "its address is suspended, because mail bounced several times",
    SUPPRESSED: "its address is suppressed, because mail bounced",
}
"""Reason of a dropped delivery, by the state of its address."""


class _Disposition(NamedTuple):
    """New state of a delivery that cannot be sent."""

    state: str
    answer: str
    named_in: int | None = None


def _decide_disposition(row: Sequence[Any]) -> _Disposition | None:
    """Return the new state of a delivery that cannot be sent; None if it can."""
    destination_state, digest_state, hold_reason, released = row[-4:]
    if destination_state in DROP_REASONS:
        return _Disposition("dropped", DROP_REASONS[destination_state], UNNAMED)
    if destination_state != ACTIVE:
        return _Disposition(
            "dropped", "its destination is no longer in the configuration, or its reader unsubscribed"
        )
    if digest_state == ENDED:
        return _Disposition("dropped", "its digest is no longer in the configuration")
    if hold_reason and released:  # its run was dropped while this delivery was leased
        return _Disposition("dropped", hold_reason)
    return _Disposition("held", row[_ANSWER_INDEX]) if hold_reason else None


def _apply_disposition(tx: Transaction, delivery_ids: Sequence[int], disposition: _Disposition) -> None:
    for chunk in split_into_chunks(delivery_ids):
        tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(disposition._asdict()))


def _lease_deliveries(tx: Transaction, delivery_ids: Sequence[int], token: int, now: datetime) -> None:
    if delivery_ids:
        params = {
            "numbers": to_in_param(tx, delivery_ids),
            "until": to_db(tx, now + LEASE_DURATION),
            "token": token,
        }
        execute_raw(tx, _build_lease_update(), params)


@cache
def _build_lease_update() -> Update:
    lease = {"state": literal_column("'leased'"), "attempts": deliveries.c.attempts + literal_column("1")}
    lease_columns: dict[str, Any] = {"lease_until": bindparam("until"), "lease_token": bindparam("token")}
    return (
        update(deliveries).where(make_in_condition(deliveries.c.id, "numbers")).values(lease | lease_columns)
    )


def _defer_deliveries(
    tx: Transaction, deliverable: Sequence[Delivery], postponed: Mapping[int, datetime]
) -> None:
    """Postpone deliveries; the delay does not shorten the time until they expire."""
    if deliverable:
        statement = update(deliveries).where(deliveries.c.id == bindparam("number"))
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("due_at", "expires_at")}
        rows = [
            {
                "number": delivery.id,
                "new_due_at": postponed[delivery.id],
                "new_expires_at": delivery.expires_at
                and delivery.expires_at + max(postponed[delivery.id] - delivery.due_at, _NO_DELAY),
            }
            for delivery in deliverable
        ]
        tx.execute(statement.values(values | {"paced": True}), rows)


def renew_leases(tx: Transaction, claimed: Sequence[Delivery], now: datetime) -> frozenset[int]:
    """Renew the leases of deliveries, and return the numbers of those that are still leased by this worker."""
    renewed_ids: set[int] = set()
    for chunk in split_into_chunks([delivery.id for delivery in claimed]):
        is_leased = and_(deliveries.c.id.in_(chunk), deliveries.c.lease_token == claimed[0].token, _LEASED)
        statement = update(deliveries).where(is_leased).values(lease_until=now + LEASE_DURATION)
        renewed_ids.update(tx.execute(statement.returning(deliveries.c.id)).scalars())
    return frozenset(renewed_ids)


def select_present(tx: Transaction, delivery_ids: Sequence[int]) -> frozenset[int]:
    """Return those of some deliveries that exist; a reader may have deleted theirs while they were sent."""
    present_ids: set[int] = set()
    statement = select(deliveries.c.id).join(destinations, destinations.c.id == deliveries.c.destination_id)
    for chunk in split_into_chunks(delivery_ids):
        is_present = deliveries.c.id.in_(chunk) & (destinations.c.state != ERASED)
        present_ids.update(tx.execute(statement.where(is_present)).scalars())
    return frozenset(present_ids)


def return_untried(tx: Transaction, claimed: Sequence[Delivery]) -> None:
    """Release deliveries that were not tried; they stay due as before."""
    for chunk in split_into_chunks([delivery.id for delivery in claimed]):
        is_leased = and_(deliveries.c.id.in_(chunk), deliveries.c.lease_token == claimed[0].token, _LEASED)
        values = {"state": "ready", "lease_until": None, "attempts": deliveries.c.attempts - 1}
        tx.execute(update(deliveries).where(is_leased).values(values))


def release_expired(tx: Transaction, now: datetime) -> None:
    """Release deliveries whose lease has expired without a receipt; they are due at once."""
    _end_leases(tx, is_lease_over(deliveries.c.lease_until, now, LEASE_DURATION))


def has_leases(tx: Transaction, token: int) -> bool:
    """Whether a worker has leased any delivery."""
    statement = select(deliveries.c.id).where(_LEASED, deliveries.c.lease_token == token)
    return tx.execute(statement.limit(1)).first() is not None


def release_worker(tx: Transaction, token: int, *, excluded: Sequence[Delivery] = ()) -> int:
    """Release the deliveries of a worker that no longer exists; they are due at once.

    Args:
        tx: a writing transaction.
        token: the token of the worker.
        excluded: deliveries that it may still be sending.

    Returns:
        The number of released deliveries.
    """
    is_own = deliveries.c.lease_token == token
    return _end_leases(
        tx, is_own & deliveries.c.id.not_in([delivery.id for delivery in excluded]) if excluded else is_own
    )


def _end_leases(tx: Transaction, condition: ColumnElement[bool]) -> int:
    statement = update(deliveries).where(_LEASED, condition)
    return int(tx.execute(statement.values(state="ready", lease_until=None)).rowcount)


# --- reading --------------------------------------------------------------------------------------


def find_next_due(
    tx: Transaction, channel: str, now: datetime, scope: ClaimScope = ClaimScope.ALL
) -> tuple[datetime | None, datetime | None]:
    """Return when the next delivery of a channel is due, and the next one that was never tried.

    If a delivery is due already, its time is returned for both.
    """
    conditions = (READY, deliveries.c.channel == channel, match_scope(scope))
    # In the order of the index: any other would sort the whole queue.
    statement = select(deliveries.c.due_at).order_by(*POSITION_COLUMNS).limit(1)
    next_at = tx.execute(statement.where(*conditions)).scalar()
    if next_at is None or next_at <= now:
        return next_at, next_at
    # A message at which a connection broke was tried, although its attempts do not count.
    is_untried = deliveries.c.attempts == 0, match_scope(ClaimScope.ORDINARY)
    next_untried_at = tx.execute(
        statement.where(*conditions, deliveries.c.due_at > now, *is_untried)
    ).scalar()
    return next_at, next_untried_at


def is_any_due(tx: Transaction, channel: str, now: datetime) -> bool:
    """Whether anything of a channel is due that nobody has claimed."""
    first_due, _ = find_next_due(tx, channel, now)
    return first_due is not None and first_due <= now


def find_newest_due(tx: Transaction, channel: str, now: datetime) -> datetime | None:
    """Return the latest due time, up to now, of a channel's deliveries without any answer; None if there are none."""
    is_untried = and_(match_scope(ClaimScope.ORDINARY), deliveries.c.answer == "", deliveries.c.due_at <= now)
    statement = select(deliveries.c.due_at).where(READY, deliveries.c.channel == channel, is_untried)
    return tx.execute(statement.order_by(deliveries.c.due_at.desc()).limit(1)).scalar()


def is_alert_due(tx: Transaction, channel: str, now: datetime) -> bool:
    """Whether deliveries of alerts by a channel are due."""
    conditions = READY, deliveries.c.is_alert, deliveries.c.channel == channel, deliveries.c.due_at <= now
    return tx.execute(select(deliveries.c.id).where(*conditions).limit(1)).first() is not None


def list_waiting_channels(tx: Transaction, excluded: Collection[str] = ()) -> frozenset[str]:
    """Return the channels that have deliveries to send, now or later.

    One index lookup per channel: there are only a few channels, but the backlog may have a million
    deliveries.

    Args:
        tx: a transaction.
        excluded: channels that are left out, so that what they have sent since the last vacuum is not passed over.
    """
    channels = set[str]()
    bounds = ["", *sorted(excluded)]
    for last, end in zip(bounds, [*bounds[1:], None], strict=True):
        is_before_end = true() if end is None else deliveries.c.channel < end
        channels.update(_list_channels_between(tx, last, is_before_end))
    return frozenset(channels)


def _list_channels_between(tx: Transaction, last: str, is_before_end: ColumnElement[bool]) -> Iterator[str]:
    statement = select(func.min(deliveries.c.channel)).where(READY, is_before_end)
    while (channel := tx.execute(statement.where(deliveries.c.channel > last)).scalar()) is not None:
        yield channel
        last = channel


def list_recent(
    tx: Transaction, *, state: str | None = None, limit: int, conditions: Sequence[ColumnElement[bool]] = ()
) -> tuple[Delivery, ...]:
    """Return the last deliveries, newest first, optionally only those in a state; never those of erased readers."""
    statement = (
        _select_joined()
        .where(destinations.c.state != ERASED, *conditions)
        .order_by(deliveries.c.id.desc())
        .limit(limit)
    )
    if state is not None:
        statement = statement.where(deliveries.c.state == state)
    return tuple(Delivery(*row) for row in tx.execute(statement))


def list_for_edition(tx: Transaction, edition: int) -> tuple[Delivery, ...]:
    """Return the deliveries of an edition."""
    statement = _select_joined().where(deliveries.c.edition_id == edition, destinations.c.state != ERASED)
    return tuple(Delivery(*row) for row in tx.execute(statement.order_by(deliveries.c.id)))


def count_by_state(tx: Transaction) -> dict[str, int]:
    """Count the deliveries in each state."""
    statement = select(deliveries.c.state, func.count()).where(_IS_PRESENT)
    rows = tx.execute(statement.group_by(deliveries.c.state))
    return {state: count for state, count in rows}  # noqa: C416 - a Row is not a pair to the type checker


def count_last_by_state(tx: Transaction, limit: int) -> dict[str, int]:
    """Count the last deliveries in each state, in time that does not grow with the others."""
    last_id = tx.execute(select(func.max(deliveries.c.id))).scalar() or 0
    statement = select(deliveries.c.state, func.count()).where(deliveries.c.id > last_id - limit, _IS_PRESENT)
    rows = tx.execute(statement.group_by(deliveries.c.state))
    return {state: count for state, count in rows}  # noqa: C416 - a Row is not a pair to the type checker


_IS_PRESENT = or_(
    deliveries.c.state != "dropped",
    ~exists().where(destinations.c.id == deliveries.c.destination_id, destinations.c.state == ERASED),
)
"""The reader of a delivery has not deleted everything. Only dropped deliveries are looked up."""


def count_due(tx: Transaction, now: datetime, limit: int | None = None, *, channel: str | None = None) -> int:
    """Count the deliveries of a channel, or of all, that are due and not leased, up to a limit."""
    is_counted = true() if channel is None else deliveries.c.channel == channel
    due = select(deliveries.c.id).where(READY, is_counted, deliveries.c.due_at <= now).limit(limit)
    return tx.execute(select(func.count()).select_from(due.subquery())).scalar_one()


def count_leased_by_channel(tx: Transaction, limit: int) -> dict[str, int]:
    """Count the leased deliveries by channel; those beyond a limit for all channels together are left out."""
    leased = select(deliveries.c.channel).where(_LEASED).limit(limit).subquery()
    rows = tx.execute(select(leased.c.channel, func.count()).group_by(leased.c.channel))
    return {channel: count for channel, count in rows}  # noqa: C416 - a Row is not a pair to the type checker


def find_oldest_due(tx: Transaction, now: datetime) -> datetime | None:
    """Return when the delivery was due that waits longest; None if none is due."""
    return min(find_oldest_due_by_channel(tx, now).values(), default=None)


def find_oldest_due_by_channel(tx: Transaction, now: datetime) -> dict[str, datetime]:
    """Return when the delivery was due that waits longest, for each channel that has any that is due."""
    # The index of ready deliveries has the channel and the time, so the first of each channel is one look-up.
    first_times: dict[str, datetime] = {}
    statement = select(deliveries.c.channel, deliveries.c.due_at).where(READY)
    statement = statement.order_by(deliveries.c.channel, deliveries.c.due_at).limit(1)
    row = tx.execute(statement).first()
    while row is not None:
        first_times[row.channel] = row.due_at
        row = tx.execute(statement.where(deliveries.c.channel > row.channel)).first()
    return {channel: due_at for channel, due_at in first_times.items() if due_at <= now}


def count_sent_since(tx: Transaction, since: datetime) -> int:
    """Count the deliveries that were sent after a time."""
    return tx.execute(select(func.count()).where(deliveries.c.sent_at > since)).scalar_one()


def _select_joined(*columns: ColumnElement[Any]) -> Any:
    return (
        select(*(columns or _list_columns(deliveries.c.state, deliveries.c.attempts, _build_token_column())))
        .select_from(deliveries)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
    )


def _build_token_column() -> ColumnElement[Any]:
    return case((_LEASED, deliveries.c.lease_token), else_=0)


def _list_columns(
    state: ColumnElement[Any], attempts: ColumnElement[Any], token: ColumnElement[Any]
) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of a ``Delivery`` in the order of its fields."""
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
        destinations.c.form,
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
        deliveries.c.failed_at,
        deliveries.c.sent_at,
        token,
    )


_DUE_INDEX, _PACED_INDEX, _ANSWER_INDEX, _EXPIRES_INDEX, _FAILED_INDEX = (
    Delivery._fields.index(name) for name in ("due_at", "paced", "answer", "expires_at", "failed_at")
)


def _build_delivery(row: Sequence[Any], read_instant: Callable[[Any], datetime]) -> Delivery:
    """Make a ``Delivery`` that was never sent from a raw row that begins with its columns."""
    expires, failed = row[_EXPIRES_INDEX], row[_FAILED_INDEX]
    return Delivery._make(
        (
            *row[:_DUE_INDEX],
            read_instant(row[_DUE_INDEX]),
            *row[_DUE_INDEX + 1 : _PACED_INDEX],
            bool(row[_PACED_INDEX]),
            *row[_PACED_INDEX + 1 : _EXPIRES_INDEX],
            expires and read_instant(expires),
            failed and read_instant(failed),
            None,
            row[_FAILED_INDEX + 2],
        )
    )
