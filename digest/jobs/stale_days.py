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
from digest.model import Batch, BatchState, DayAnswer, ListingKind, Scope, Verdict
from digest.ports import Source
from digest.store import events, listings
from digest.store import ledger as rows
from digest.store.engine import Transaction


def is_told_as_next_day(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> bool:
    """Whether the next day was told with listings of a day, by an answer that could not be checked.

    Args:
        tx: a transaction.
        source: whose days they are.
        batch: the account of the day.
        listed: what it lists, as far as that is known.
    """
    following = _next_told(tx, source, batch)
    return bool(_unchecked(following)) and ledger.is_stale(listed, _listed_in(tx, following))


def take_back(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown], *, is_whole: bool
) -> None:
    """Take out of the next day what was a day's.

    To be called before the listings are kept: what they tell has been told already, under the next day's date.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day.
        listed: what it lists, as far as that is known.
        is_whole: no further page comes: what is left of the next day is its own.
    """
    following = _next_told(tx, source, batch)
    if following is None or not _unchecked(following):
        return
    _withdraw(tx, source, following, ledger.repeated(_listed_in(tx, following), listed), batch.day)
    if is_whole:
        received = listings.received(tx, following)
        rows.save_batch(tx, ledger.after_check(following, received, is_stale=True))


def _listed_in(tx: Transaction, batch: Batch | None) -> frozenset[Shown]:
    return listings.listed_in(tx, batch) if batch else frozenset()


def correct_versions(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> None:
    """Take back replacements of which an answer by the date tells another version: they were the day before's."""
    told = {(one.key, one.kind): one.version for one in listed if one.version}
    wrong = {
        one
        for one in listings.listed_in(tx, batch)
        if one.version and told.get((one.key, one.kind), one.version) != one.version
    }
    if wrong and source.calendar is not None:
        _withdraw(tx, source, batch, wrong, day_before(source.calendar, batch.day))


def confirm_next_day(tx: Transaction, source: Source, batch: Batch) -> None:
    """Believe the unchecked answers about the next day, once a day is known and has nothing of them.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day that is known now.
    """
    following = _next_told(tx, source, batch)
    if following is not None and _unchecked(following) and is_checked(tx, source, following):
        rows.save_batch(tx, ledger.after_check(following, following.received, is_stale=False))


def is_checked(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the last day before another one that had papers is known: then these would have been seen to come again."""
    calendar = source.calendar
    if calendar is None:
        return True
    day = day_before(calendar, batch.day)
    before = rows.batch_or_none(tx, batch.source, batch.section, day)
    while before is not None and before.state is BatchState.EMPTY:
        day = day_before(calendar, day)
        before = rows.batch_or_none(tx, batch.source, batch.section, day)
    return ledger.is_known(before, calendar, source.ways)


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
    answers = [one for one in batch.answers if one.route in latest]
    if source.calendar is None or not answers:
        return batch
    # Where several routes told, the wrong one may be the one that told least.
    told = min((one.listed for one in answers if one.listed), default=0)
    shown = listings.listed_in(tx, batch)
    others = shown - ledger.repeated(shown, listed)
    # An archive's feed has papers that were listed in another of its categories later; the page of the date has not.
    is_stale = any(one.kind is not ListingKind.CROSS for one in others) and 2 * len(others) >= told
    if is_stale:
        _withdraw(tx, source, batch, others, day_before(source.calendar, batch.day))
    return ledger.after_check(batch, listings.received(tx, batch), is_stale=is_stale)


def _next_told(tx: Transaction, source: Source, batch: Batch) -> Batch | None:
    """The next day of which anything was told, with nothing but empty days before it: behind others none is checked."""
    calendar = source.calendar
    following: Batch | None = batch
    while calendar is not None and following is not None:
        day = day_after(calendar, following.day)
        following = rows.batch_or_none(tx, batch.source, batch.section, day)
        if following is None or following.received or following.state is not BatchState.EMPTY:
            break
    return following if following is not None and following.received else None


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
