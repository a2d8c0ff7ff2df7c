"""Editions that could not reach their reader in time: the next mail to the same destination names them, once.

Which mail that is, is kept with what was missed: so it says the same when it is sent again, and where it does not
arrive either, the next one takes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, literal_column, or_, select, update

from digest.model import Missed
from digest.store.database.dialect import all_as_kept, among, as_instant, chunks, rows_as_kept
from digest.store.database.digest_tables import deliveries, digests, editions, runs
from digest.store.database.engine import Transaction
from digest.store.delivery.outbox import UNNAMED, Delivery

NAMING = frozenset({"smtp", "sendmail", "maildir"})
"""The channels whose messages name what was missed."""

_namers = deliveries.alias("namers")


def came_back(tx: Transaction, delivery: int) -> None:
    """Note that a message which had been taken did not reach its reader."""
    taken = (deliveries.c.state == "sent") & deliveries.c.named_in.is_(None)
    tx.execute(update(deliveries).where(deliveries.c.id == delivery, taken).values(named_in=UNNAMED))


def named(tx: Transaction, claimed: Sequence[Delivery]) -> Mapping[int, tuple[Missed, ...]]:
    """What mails that were just claimed name, by delivery; from now on it is they that do.

    Args:
        tx: the writing transaction in which they were claimed.
        claimed: the deliveries; those by other channels name nothing.
    """
    first: dict[int, int] = {}
    for delivery in claimed:
        if delivery.channel in NAMING:
            first[delivery.destination] = min(delivery.id, first.get(delivery.destination, delivery.id))
    if not first:
        return {}
    ours = {one.id for one in claimed}
    given = {"destinations": all_as_kept(tx, first), "claimed": all_as_kept(tx, ours)}
    instant = as_instant(tx)
    found: dict[int, list[Missed]] = {}
    fresh: dict[int, list[int]] = {}
    for number, destination, named_in, edition, period, zone, composed_at in rows_as_kept(
        tx, _found(), given
    ):
        by = named_in if named_in in ours else first[destination]
        if by != named_in:
            fresh.setdefault(by, []).append(number)
        found.setdefault(by, []).append(
            Missed(edition=edition, period=period, zone=zone, composed_at=instant(composed_at))
        )
    for by, numbers in fresh.items():
        for chunk in chunks(numbers):
            tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(named_in=by))
    return {by: tuple(some) for by, some in found.items()}


@cache
def _found() -> Select[Any]:
    again = among(deliveries.c.named_in, "claimed")
    columns = (
        *(deliveries.c.id, deliveries.c.destination_id, deliveries.c.named_in, deliveries.c.edition_id),
        *(runs.c.period, digests.c.zone, editions.c.composed_at),
    )
    found: Select[Any] = (
        select(*columns)
        .select_from(deliveries)
        .outerjoin(_namers, _namers.c.id == deliveries.c.named_in)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .where(
            among(deliveries.c.destination_id, "destinations"),
            _in_index(),
            _is_missed(),
            or_(_is_free(), again),
        )
        .order_by(deliveries.c.id)
        .with_for_update(of=deliveries, skip_locked=True)  # or two processes would both name it
    )
    return found


def _in_index() -> ColumnElement[bool]:
    """The condition of the index, word by word, or it would not be used."""
    return literal_column("(deliveries.state IN ('expired', 'refused') OR deliveries.named_in IS NOT NULL)")


def _is_missed() -> ColumnElement[bool]:
    """Also what an address itself was to blame for: mail goes there again, so it is one."""
    given_up = deliveries.c.state.in_([literal_column("'expired'"), literal_column("'refused'")])
    return or_(given_up, _is_unseen(deliveries))


def _is_unseen(one: Any) -> ColumnElement[bool]:
    """It came back after it had been taken, or was dropped because nothing went to its address."""
    ended = one.c.state.in_([literal_column("'sent'"), literal_column("'dropped'")])
    return and_(ended, one.c.named_in.is_not(None))


def _is_free() -> ColumnElement[bool]:
    """No mail names it; or one was to, and did not arrive itself."""
    lost: list[ColumnElement[Any]] = [
        literal_column(f"'{state}'") for state in ("expired", "refused", "dropped")
    ]
    return or_(
        deliveries.c.named_in.is_(None),
        deliveries.c.named_in == literal_column(str(UNNAMED)),
        _namers.c.state.in_(lost),
        _is_unseen(_namers),
    )
