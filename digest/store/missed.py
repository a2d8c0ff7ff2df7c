"""Editions that could not reach their reader in time: the next mail to the same destination names them, once.

Which mail that is, is kept with what was missed: so it says the same when it is sent again, and where it does not
arrive either, the next one takes over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, literal_column, or_, select, update

from digest.model import Blame, Missed
from digest.store.deliveries import Delivery
from digest.store.dialect import chunks
from digest.store.digest_tables import deliveries, digests, editions, runs
from digest.store.engine import Transaction

NAMING = frozenset({"smtp", "sendmail", "maildir"})
"""The channels whose messages name what was missed."""

_namers = deliveries.alias("namers")
# As the index has it, or it would not be used. What an address is to blame for was not missed: it was no address.
_NOT_REACHED = deliveries.c.state.in_([literal_column("'expired'"), literal_column("'refused'")])
_MISSED = or_(
    deliveries.c.state == literal_column("'expired'"),
    deliveries.c.blame != literal_column(f"'{Blame.ADDRESS}'"),
)


def named(tx: Transaction, claimed: Sequence[Delivery]) -> Mapping[int, tuple[Missed, ...]]:
    """What mails that were just claimed name, by delivery; from now on it is they that do.

    Args:
        tx: the writing transaction in which they were claimed.
        claimed: the deliveries; those by other channels name nothing.
    """
    first: dict[int, int] = {}
    for delivery in sorted(claimed, key=lambda one: one.id):
        if delivery.channel in NAMING:
            first.setdefault(delivery.destination, delivery.id)
    given = {"destinations": list(first), "claimed": [one.id for one in claimed]}
    rows = tx.execute(_found(), given).all() if first else []
    ours = set(given["claimed"])
    found: dict[int, list[Missed]] = {}
    fresh: dict[int, list[int]] = {}
    for row in rows:
        by = row.named_in if row.named_in in ours else first[row.destination_id]
        if by != row.named_in:
            fresh.setdefault(by, []).append(row.id)
        found.setdefault(by, []).append(
            Missed(edition=row.edition_id, period=row.period, zone=row.zone, composed_at=row.composed_at)
        )
    for by, numbers in fresh.items():
        for chunk in chunks(numbers):
            tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(named_in=by))
    return {by: tuple(some) for by, some in found.items()}


@cache
def _found() -> Select[Any]:
    again = deliveries.c.named_in.in_(bindparam("claimed", expanding=True))
    columns = (
        *(deliveries.c.id, deliveries.c.destination_id, deliveries.c.edition_id, deliveries.c.named_in),
        *(runs.c.period, digests.c.zone, editions.c.composed_at),
    )
    which = deliveries.c.destination_id.in_(bindparam("destinations", expanding=True))
    return (
        select(*columns)
        .select_from(
            _with_namers()
            .join(editions, editions.c.id == deliveries.c.edition_id)
            .join(runs, runs.c.id == editions.c.run_id)
            .join(digests, digests.c.id == editions.c.digest_id)
        )
        .where(which, _NOT_REACHED, _MISSED, or_(_free(), again))
        .order_by(deliveries.c.id)
    )


def _with_namers() -> Any:
    return deliveries.outerjoin(_namers, _namers.c.id == deliveries.c.named_in)


def _free() -> Any:
    """No mail names it; or one was to, and did not arrive itself."""
    return or_(deliveries.c.named_in.is_(None), _namers.c.state.in_(["expired", "refused", "dropped"]))
