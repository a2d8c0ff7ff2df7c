"""Editions that did not reach their reader in time: the next mail to the same destination names them, once.

Which mail names an edition is stored with the edition's delivery. So a mail that is sent again names the same
ones, and
if it does not arrive either, the next mail names them instead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, literal_column, or_, select, update

from digest.model import Delivery, MissedEdition
from digest.store.database.dialect import (
    fetch_raw_rows,
    get_instant_reader,
    make_in_condition,
    split_into_chunks,
    to_in_param,
)
from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, digests, editions, runs
from digest.store.delivery.outbox import UNNAMED

_reporters = deliveries.alias("namers")


def mark_returned(tx: Transaction, delivery_id: int) -> None:
    """Record that a message that a server had accepted did not reach its reader."""
    is_sent = (deliveries.c.state == "sent") & deliveries.c.named_in.is_(None)
    tx.execute(update(deliveries).where(deliveries.c.id == delivery_id, is_sent).values(named_in=UNNAMED))


def claim_undelivered(
    tx: Transaction, claimed: Sequence[Delivery], reporting_channels: Collection[str]
) -> Mapping[int, tuple[MissedEdition, ...]]:
    """Return the missed editions that some claimed mails name, by delivery, and record that they name them.

    Args:
        tx: the writing transaction in which the mails were claimed.
        claimed: the claimed deliveries.
        reporting_channels: the channels whose messages name missed editions.
    """
    first_ids: dict[int, int] = {}
    for delivery in claimed:
        if delivery.channel in reporting_channels:
            first_ids[delivery.destination] = min(
                delivery.id, first_ids.get(delivery.destination, delivery.id)
            )
    if not first_ids:
        return {}
    claimed_ids = {claimed_delivery.id for claimed_delivery in claimed}
    params = {"destinations": to_in_param(tx, first_ids), "claimed": to_in_param(tx, claimed_ids)}
    read_instant = get_instant_reader(tx)
    undelivered: dict[int, list[MissedEdition]] = {}
    newly_named: dict[int, list[int]] = {}
    for delivery_id, destination, named_in, edition, period, zone, composed_at in fetch_raw_rows(
        tx, _select_undelivered(), params
    ):
        reporter = named_in if named_in in claimed_ids else first_ids[destination]
        if reporter != named_in:
            newly_named.setdefault(reporter, []).append(delivery_id)
        undelivered.setdefault(reporter, []).append(
            MissedEdition(edition=edition, period=period, zone=zone, composed_at=read_instant(composed_at))
        )
    for reporter, delivery_ids in newly_named.items():
        for chunk in split_into_chunks(delivery_ids):
            tx.execute(update(deliveries).where(deliveries.c.id.in_(chunk)).values(named_in=reporter))
    return {reporter: tuple(editions) for reporter, editions in undelivered.items()}


@cache
def _select_undelivered() -> Select[Any]:
    is_reported_again = make_in_condition(deliveries.c.named_in, "claimed")
    columns = (
        *(deliveries.c.id, deliveries.c.destination_id, deliveries.c.named_in, deliveries.c.edition_id),
        *(runs.c.period, digests.c.timezone, editions.c.composed_at),
    )
    statement: Select[Any] = (
        select(*columns)
        .select_from(deliveries)
        .outerjoin(_reporters, _reporters.c.id == deliveries.c.named_in)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .join(runs, runs.c.id == editions.c.run_id)
        .join(digests, digests.c.id == editions.c.digest_id)
        .where(
            make_in_condition(deliveries.c.destination_id, "destinations"),
            _match_index(),
            _is_undelivered(),
            or_(_is_unreported(), is_reported_again),
        )
        .order_by(deliveries.c.id)
        .with_for_update(of=deliveries, skip_locked=True)  # Otherwise two processes would name it.
    )
    return statement


def _match_index() -> ColumnElement[bool]:
    """Return the condition of the index, word for word; otherwise the database would not use it."""
    return literal_column("(deliveries.state IN ('expired', 'refused') OR deliveries.named_in IS NOT NULL)")


def _is_undelivered() -> ColumnElement[bool]:
    """Also match deliveries that failed because of the address: if a mail goes there again, the reader missed them."""
    is_given_up = deliveries.c.state.in_([literal_column("'expired'"), literal_column("'refused'")])
    return or_(is_given_up, _is_unseen(deliveries))


def _is_unseen(table: Any) -> ColumnElement[bool]:
    """Match deliveries that came back after they were accepted, or were dropped because their address got no mail."""
    ended = table.c.state.in_([literal_column("'sent'"), literal_column("'dropped'")])
    return and_(ended, table.c.named_in.is_not(None))


def _is_unreported() -> ColumnElement[bool]:
    """Match deliveries that no mail names, or only a mail that did not arrive itself."""
    lost_states: list[ColumnElement[Any]] = [
        literal_column(f"'{state}'") for state in ("expired", "refused", "dropped")
    ]
    return or_(
        deliveries.c.named_in.is_(None),
        deliveries.c.named_in == literal_column(str(UNNAMED)),
        _reporters.c.state.in_(lost_states),
        _is_unseen(_reporters),
    )
