"""Editions that could not reach their reader in time: the next mail to the same destination names them, once.

Which mail that is, is kept with what was missed: so it says the same when it is sent again, and where it does not
arrive either, the next one takes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, literal_column, or_, select, update

from digest.model import Blame, Missed
from digest.store.deliveries import Delivery
from digest.store.dialect import all_as_kept, among, as_instant, chunks, rows_as_kept
from digest.store.digest_tables import deliveries, digests, editions, runs
from digest.store.engine import Transaction

NAMING = frozenset({"smtp", "sendmail", "maildir"})
"""The channels whose messages name what was missed."""
_CAME_BACK = -1
"""It had been taken and came back, and no mail names it yet."""

_namers = deliveries.alias("namers")


def came_back(tx: Transaction, delivery: int) -> None:
    """Note that a message which had been taken did not reach its reader, for a reason that passes."""
    taken = (deliveries.c.state == "sent") & deliveries.c.named_in.is_(None)
    tx.execute(update(deliveries).where(deliveries.c.id == delivery, taken).values(named_in=_CAME_BACK))


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
    """What an address itself is to blame for was not missed: it was no address."""
    return or_(
        deliveries.c.state == literal_column("'expired'"),
        and_(
            deliveries.c.state == literal_column("'refused'"),
            deliveries.c.blame != literal_column(f"'{Blame.ADDRESS}'"),
        ),
        _has_come_back(deliveries),
    )


def _has_come_back(one: Any) -> ColumnElement[bool]:
    return and_(one.c.state == literal_column("'sent'"), one.c.named_in.is_not(None))


def _is_free() -> ColumnElement[bool]:
    """No mail names it; or one was to, and did not arrive itself."""
    lost: list[ColumnElement[Any]] = [
        literal_column(f"'{state}'") for state in ("expired", "refused", "dropped")
    ]
    return or_(
        deliveries.c.named_in.is_(None),
        deliveries.c.named_in == literal_column(str(_CAME_BACK)),
        _namers.c.state.in_(lost),
        _has_come_back(_namers),
    )
