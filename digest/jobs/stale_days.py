"""Days that a feed told with another day's papers: found out when it can be known, and taken back.

Who tells of the day that is out at the moment may show an earlier one under its date. Where the day before is known,
that is seen at once. Where it is not, the answer is kept, for most are right, and judged when
the day before comes, or when a route that is asked for days by their date tells this one.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date

from digest.core import ledger
from digest.core.ledger import Shown
from digest.core.times.schedule import day_after, day_before
from digest.model import Batch, DayAnswer, Scope, Verdict
from digest.ports import Source
from digest.store import events, listings
from digest.store import ledger as rows
from digest.store.engine import Transaction


def take_back(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> None:
    """Take back what the next day was told with, where listings of a day show that it was this day's.

    To be called before they are kept: what they tell has been told already, under the next day's date.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day.
        listed: what it lists.
    """
    following = _next_day(tx, source, batch)
    told = max((one.listed for one in _unchecked(following)), default=0)
    if following is None or not told:
        return
    shown = listings.listed_in(tx, following)
    again = ledger.repeated(shown, listed)
    if 2 * len(again) < told:
        return
    # What was told by the date stays; where nothing was, all that there is came from this day.
    wrong = again if _is_told_by_date(source, following) else shown
    _withdraw(tx, source, following, wrong, batch.day)
    received = listings.received(tx, following)
    rows.save_batch(tx, ledger.after_check(following, received, is_stale=True))


def confirm_next_day(tx: Transaction, source: Source, batch: Batch) -> None:
    """Believe the unchecked answers about the next day, once a day is known and has nothing of them.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day that is known now.
    """
    following = _next_day(tx, source, batch) if ledger.is_known(batch) else None
    if following is not None and _unchecked(following):
        rows.save_batch(tx, ledger.after_check(following, following.received, is_stale=False))


def check_by_date(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> Batch:
    """Judge what a feed told of a day by a whole answer that was asked for by the date.

    Args:
        tx: a writing transaction.
        source: whose day it is.
        batch: the account of the day.
        listed: all that the answer by the date has.

    Returns:
        The account without what was another day's.
    """
    latest = {route.name for route in source.ways if route.scope is Scope.LATEST}
    told = max((one.listed for one in batch.answers if one.route in latest), default=0)
    if not told or source.calendar is None:
        return batch
    shown = listings.listed_in(tx, batch)
    others = shown - ledger.repeated(shown, listed)
    is_stale = 2 * len(others) >= told
    if is_stale:
        _withdraw(tx, source, batch, others, day_before(source.calendar, batch.day))
    return ledger.after_check(batch, listings.received(tx, batch), is_stale=is_stale)


def _next_day(tx: Transaction, source: Source, batch: Batch) -> Batch | None:
    if source.calendar is None:
        return None
    return rows.batch_or_none(tx, batch.source, batch.section, day_after(source.calendar, batch.day))


def _withdraw(
    tx: Transaction, source: Source, batch: Batch, wrong: AbstractSet[Shown], own_day: date
) -> None:
    """Take listings out of a batch, and date what they told by their own day."""
    listings.withdraw(tx, batch, wrong)
    events.move_to_day(tx, batch, wrong, own_day)
    # "Unchanged" would be no answer from who had another day's papers.
    section = rows.section(tx, batch.source, batch.section)
    for route in source.ways:
        if route.scope is Scope.LATEST:
            state = replace(section.route(route.name), etag="", last_modified="", body_hash="")
            rows.note_attempt(tx, section, state)


def _unchecked(batch: Batch | None) -> list[DayAnswer]:
    return [one for one in batch.answers if one.verdict is Verdict.UNCHECKED] if batch else []


def _is_told_by_date(source: Source, batch: Batch) -> bool:
    dated = {route.name for route in source.ways if route.scope is Scope.DAY}
    return any(one.listed for one in batch.answers if one.route in dated)
