"""Days that hold an earlier day's papers, because a feed showed these under a new date: find and repair them.

A route that shows the latest day may show an earlier one under the latest date. Where the days before are known, that
is seen at once, and the answer is refused. Where they are not, the answer is stored as *unchecked*, because most such
answers are right. It is judged when the days before arrive, or when a route that is asked by date answers about the day
itself; listings that were another day's are withdrawn, and their events get the date of their own day.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date

from digest.core.fetching import ledger, repeated_days
from digest.core.fetching.repeated_days import Shown
from digest.core.times.schedule import day_after, day_before
from digest.model import Batch, BatchState, Calendar, DayAnswer, ListingKind, Scope, Verdict
from digest.ports import Source
from digest.store.database.engine import Transaction
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings
from digest.store.papers import events

DAYS_BEHIND = 2
"""How many announcement days with papers a feed can be behind so that this is found out at a later time.

One has been seen (https://github.com/ZJU-REAL/Polaris/issues/414).
"""
_DAYS_COMPARED = 5
"""With how many earlier days that had papers a new answer is compared."""
_MOST_QUIET_DAYS = 30
"""How many announcement days in a row are looked through for papers: after a year without any that takes no minutes."""


# --- an answer that has just come -----------------------------------------------------------------


def find_repeated_day(
    tx: Transaction, source: str, section: str, day: date, shown: AbstractSet[Shown]
) -> date | None:
    """Find the earlier day that an answer shows again under a new date.

    Args:
        tx: a transaction.
        source: which answered.
        section: about which it answered.
        day: the new date.
        shown: what the answer lists.

    Returns:
        The earlier day; None if the answer repeats none of the last days that had papers.
    """
    earlier = rows.batches_before(tx, source, section, day, _DAYS_COMPARED)
    for place, one in enumerate(earlier):
        is_again = repeated_days.is_older_day if place else repeated_days.is_stale
        if is_again(shown, listings.listed_in(tx, one)):
            return one.day
    return None


def contradicts_date(tx: Transaction, source: Source, batch: Batch, shown: AbstractSet[Shown]) -> bool:
    """Whether a route that was asked for a day by date has brought all of it, and most of an answer is not there."""
    by_date = {route.name for route in source.ways if route.scope is Scope.DAY}
    whole = {answer.route for answer in batch.answers if answer.verdict is Verdict.WHOLE}
    if whole.isdisjoint(by_date):
        return False
    return 2 * len(repeated_days.repeated(shown, listings.listed_in(tx, batch))) < len(shown)


def are_days_before_known(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the last days with papers before a day are known, so that they would be recognised if shown again."""
    calendar = source.calendar
    if calendar is None:
        return True
    compared = 0
    # Before the first days of a section there is nothing to know; a route that is asked by date checks these, too.
    for before in _days_before(tx, calendar, batch):
        if compared == DAYS_BEHIND:
            break
        if not ledger.is_known(before, calendar, source.ways):
            return False
        compared += not ledger.is_quiet(before, calendar)
    return True


def _days_before(tx: Transaction, calendar: Calendar, batch: Batch) -> Iterator[Batch]:
    """The days before a day, the latest first, as far back as papers are looked for."""
    day = batch.day
    for _ in range(_MOST_QUIET_DAYS):
        day = day_before(calendar, day)
        before = rows.batch_or_none(tx, batch.source, batch.section, day)
        if before is None:
            return
        yield before


# --- the days before have come --------------------------------------------------------------------


def find_days_with(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]
) -> frozenset[date]:
    """Find the following days of which an unchecked answer brought the listings of a day.

    Args:
        tx: a transaction.
        source: whose days they are.
        batch: the account of the day.
        listed: what it lists, as far as that is known.
    """
    following = _unchecked_days_after(tx, source, batch)
    return frozenset(
        one.day for one in following if repeated_days.is_stale(listed, listings.listed_in(tx, one))
    )


def take_back(
    tx: Transaction,
    batch: Batch,
    listed: AbstractSet[Shown],
    day: date,
    *,
    source: Source,
    is_last_page: bool,
) -> None:
    """Withdraw from a following day what was a day's own; call it before the day's listings are stored.

    Where one answer has brought all that the following day holds, and would have been refused if this day had been
    known, nothing of it is left, also not what this day's own answer lacks so far.

    Args:
        tx: a writing transaction.
        batch: the account of the day that the listings belong to.
        listed: what it lists, as far as that is known.
        day: the following day that holds them.
        source: whose days they are.
        is_last_page: no further page comes, so the following day is judged.
    """
    following = rows.batch_of(tx, batch.source, batch.section, day)
    held = listings.listed_in(tx, following)
    is_of_one_answer = any(len(held) <= answer.listed for answer in _unchecked_answers(following))
    is_whole_answer = is_of_one_answer and repeated_days.is_stale(held, listed)
    wrong = held if is_whole_answer else repeated_days.repeated(held, listed)
    _withdraw(tx, source, following, wrong)
    events.move_to_day(tx, following, wrong, batch.day)
    if is_last_page or wrong == held:
        received = listings.received(tx, following)
        rows.save_batch(tx, ledger.after_check(following, received, is_stale=True))


def judge_following(tx: Transaction, source: Source, batch: Batch) -> None:
    """Judge the unchecked answers about the days after a day that is known now, where no other day is in doubt.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day that is known now.
    """
    for following in _unchecked_days_after(tx, source, batch):
        if not are_days_before_known(tx, source, following):
            continue
        shown = listings.listed_in(tx, following)
        repeated = find_repeated_day(tx, following.source, following.section, following.day, shown)
        if repeated is None:
            rows.save_batch(tx, ledger.after_check(following, following.received, is_stale=False))
            continue
        own = rows.batch_of(tx, batch.source, batch.section, repeated)
        take_back(tx, own, listings.listed_in(tx, own), following.day, source=source, is_last_page=True)


def _unchecked_days_after(tx: Transaction, source: Source, batch: Batch) -> Iterator[Batch]:
    """The days after a day whose feed could have shown it and could not be checked."""
    calendar, day, with_papers = source.calendar, batch.day, 0
    for _ in range(_MOST_QUIET_DAYS):
        if calendar is None or with_papers == DAYS_BEHIND:
            return
        day = day_after(calendar, day)
        following = rows.batch_or_none(tx, batch.source, batch.section, day)
        if following is None:
            return
        if _unchecked_answers(following):
            yield following
        with_papers += following.received > 0


def _unchecked_answers(batch: Batch) -> list[DayAnswer]:
    return [answer for answer in batch.answers if answer.verdict is Verdict.UNCHECKED]


# --- the day itself has come by date --------------------------------------------------------------


def check_by_date(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> Batch:
    """Judge the listings that latest-day routes brought by the whole answer of a route that was asked by date.

    Args:
        tx: a writing transaction.
        source: whose day it is.
        batch: the account of the day.
        listed: all that the answer by date has; nothing if the day had no papers.

    Returns:
        The account without the listings of another day.
    """
    latest = {route.name for route in source.ways if route.scope is Scope.LATEST}
    answers = [answer for answer in batch.answers if answer.route in latest]
    if source.calendar is None or not answers:
        return batch
    if not listed and (not batch.received or _has_own_papers(tx, source, batch)):
        return batch
    # Where several routes answered, the wrong one may be the one with the fewest listings.
    smallest = min((answer.listed for answer in answers if answer.listed), default=0)
    wrong = _listings_of_other_days(tx, batch, listed)
    only_cross_listed = all(listing.kind is ListingKind.CROSS for listing in wrong)
    is_stale = bool(wrong) and (1 if only_cross_listed else 2) * len(wrong) >= smallest
    if is_stale:
        _withdraw(tx, source, batch, wrong)
        _date_by_own_day(tx, source, batch, wrong)
    return ledger.after_check(batch, listings.received(tx, batch), is_stale=is_stale)


def _has_own_papers(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the papers of a day can be no other day's, so that an answer by date without any is a bad copy.

    A section's first day has none before it to compare with, so what a latest-day route brought of it proves nothing.
    """
    verdicts = {answer.route: answer.verdict for answer in batch.answers}
    if any(verdicts.get(route.name) is Verdict.WHOLE for route in source.ways if route.scope is Scope.DAY):
        return True
    if source.calendar is None or next(_days_before(tx, source.calendar, batch), None) is None:
        return False
    if batch.state is BatchState.COMPLETE:
        return True
    if {Verdict.QUIET, Verdict.UNCHECKED}.issuperset(verdicts.values()):
        return False
    if not are_days_before_known(tx, source, batch):
        return False
    shown = listings.listed_in(tx, batch)
    return find_repeated_day(tx, batch.source, batch.section, batch.day, shown) is None


def correct_versions(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[Shown]) -> None:
    """Withdraw the replacements that an answer by date has in another version: they were another day's.

    Args:
        tx: a writing transaction.
        source: whose day it is.
        batch: the account of the day.
        listed: what the answer by date has.
    """
    versions = {(listing.key, listing.kind): listing.version for listing in listed if listing.version}
    wrong = {
        listing
        for listing in listings.listed_in(tx, batch)
        if listing.version and versions.get((listing.key, listing.kind), listing.version) != listing.version
    }
    if wrong and source.calendar is not None:
        _withdraw(tx, source, batch, wrong)
        _date_by_own_day(tx, source, batch, wrong)


def _listings_of_other_days(tx: Transaction, batch: Batch, listed: AbstractSet[Shown]) -> frozenset[Shown]:
    """The listings of a batch that the answer by date does not have, though it should."""
    stored = listings.listed_in(tx, batch)
    others = stored - repeated_days.repeated(stored, listed)
    crossed = {listing.key for listing in others if listing.kind is ListingKind.CROSS}
    # The feed of an archive also has papers of it that are listed in one more of its categories; the page has not.
    within = listings.listed_as_new(tx, batch, crossed)
    return frozenset(one for one in others if not (one.kind is ListingKind.CROSS and one.key in within))


def _date_by_own_day(tx: Transaction, source: Source, batch: Batch, wrong: AbstractSet[Shown]) -> None:
    """Date what withdrawn listings announced by the earlier day that has them, else by the last one with papers.

    If that guess is wrong, ``events.date_by`` corrects it when the own day arrives.
    """
    calendar = source.calendar
    assert calendar is not None
    earlier = rows.batches_before(tx, batch.source, batch.section, batch.day, _DAYS_COMPARED)
    for one in earlier:
        own = repeated_days.repeated(wrong, listings.listed_in(tx, one))
        events.move_to_day(tx, batch, own, one.day)
        wrong = wrong - own
    guess = day_before(calendar, batch.day)
    for before in _days_before(tx, calendar, batch):
        if not ledger.is_quiet(before, calendar):
            break
        guess = day_before(calendar, before.day)
    events.move_to_day(tx, batch, wrong, guess)


def _withdraw(tx: Transaction, source: Source, batch: Batch, wrong: AbstractSet[Shown]) -> None:
    """Remove listings from a batch, and ask the routes that brought them without validators.

    "Not modified" would say nothing where the last answer had another day's papers.
    """
    listings.withdraw(tx, batch, wrong)
    section = rows.section(tx, batch.source, batch.section)
    for route in source.ways:
        if route.scope is Scope.LATEST:
            state = replace(section.route(route.name), etag="", last_modified="", body_hash="")
            rows.note_attempt(tx, section, state)
