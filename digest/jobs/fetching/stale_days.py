"""Find and repair days that hold an earlier day's papers, because a feed showed them under a new date.

A route that shows the latest day may show an earlier one under the latest date. If the days before are known,
this is detected at once, and the answer is rejected. If not, the answer is stored as *unchecked*, because
most such answers are right. It is evaluated when the days before arrive, or when a route that is queried by
date answers about the day itself; listings of another day are then withdrawn, and their events get the date
of their own day.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date

from digest.core.fetching import ledger, repeated_days
from digest.core.fetching.repeated_days import ShownListing
from digest.core.times.schedule import get_next_day, get_previous_day
from digest.model import Batch, BatchState, Calendar, DayAnswer, DayVerdict, ListingKind, Scope
from digest.ports import Source
from digest.store.database.engine import Transaction
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings
from digest.store.papers import events

MAX_DAYS_BEHIND = 2
"""Maximum delay of a feed that is still detected later, in announcement days with papers.

A delay of one day has been observed (https://github.com/ZJU-REAL/Polaris/issues/414).
"""
_DAYS_COMPARED = 5
"""Number of earlier days with papers to which a new answer is compared."""
_MAX_QUIET_DAYS = 30
"""Maximum number of consecutive announcement days to search for papers.

It limits the time that this takes after a year without any.
"""


# --- new answers ----------------------------------------------------------------------------------


def find_repeated_day(
    tx: Transaction, source: str, section: str, day: date, listed: AbstractSet[ShownListing]
) -> date | None:
    """Find the earlier day that an answer repeats under a new date.

    Args:
        tx: a transaction.
        source: the name of the source.
        section: the name of the section.
        day: the new date.
        listed: the listings of the answer.

    Returns:
        The earlier day; None if the answer repeats none of the last days with papers.
    """
    earlier = rows.list_batches_before(tx, source, section, day, _DAYS_COMPARED)
    for distance, earlier_batch in enumerate(earlier):
        is_repeated = repeated_days.is_older_day if distance else repeated_days.is_stale
        if is_repeated(listed, listings.load_listed(tx, earlier_batch)):
            return earlier_batch.day
    return None


def is_contradicted_by_date(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]
) -> bool:
    """Whether most listings of an answer are missing in the whole day that a route queried by date has returned."""
    date_routes = {route.name for route in source.fetch_routes if route.scope is Scope.DAY}
    complete_routes = {answer.route for answer in batch.answers if answer.verdict is DayVerdict.WHOLE}
    if complete_routes.isdisjoint(date_routes):
        return False
    return 2 * len(repeated_days.find_repeated(listed, listings.load_listed(tx, batch))) < len(listed)


def is_preceding_known(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the last days with papers before a day are known, so that a repetition of them would be detected."""
    calendar = source.calendar
    if calendar is None:
        return True
    compared_count = 0
    # Nothing precedes the first days of a section; a route that is queried by date checks them, too.
    for previous_batch in _iter_days_before(tx, calendar, batch):
        if compared_count == MAX_DAYS_BEHIND:
            break
        if not ledger.is_known(previous_batch, calendar, source.fetch_routes):
            return False
        compared_count += not ledger.is_quiet(previous_batch, calendar)
    return True


def _iter_days_before(tx: Transaction, calendar: Calendar, batch: Batch) -> Iterator[Batch]:
    """Iterate over the batches of the days before a day, latest first, up to the maximum number of days."""
    day = batch.day
    for _ in range(_MAX_QUIET_DAYS):
        day = get_previous_day(calendar, day)
        previous_batch = rows.find_batch(tx, batch.source, batch.section, day)
        if previous_batch is None:
            return
        yield previous_batch


# --- checks by the days before --------------------------------------------------------------------


def find_days_with(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]
) -> frozenset[date]:
    """Find the following days for which an unchecked answer returned the listings of a day.

    Args:
        tx: a transaction.
        source: the source.
        batch: the batch of the day.
        listed: its listings, as far as they are known.
    """
    following = _iter_unchecked_after(tx, source, batch)
    return frozenset(
        following_batch.day
        for following_batch in following
        if repeated_days.is_stale(listed, listings.load_listed(tx, following_batch))
    )


def withdraw_repeated(
    tx: Transaction,
    batch: Batch,
    listed: AbstractSet[ShownListing],
    day: date,
    *,
    source: Source,
    is_last_page: bool,
) -> None:
    """Withdraw the listings of a day from a following day; call it before the day's own listings are stored.

    If all listings of the following day come from one answer, which would have been rejected if this day had
    been known, all of them are withdrawn, even those that this day's own answer lacks so far.

    Args:
        tx: a writing transaction.
        batch: the batch of the day to which the listings belong.
        listed: its listings, as far as they are known.
        day: the following day that holds them.
        source: the source.
        is_last_page: whether no further page comes, so that the following day can be evaluated.
    """
    following = rows.load_batch(tx, batch.source, batch.section, day)
    stored = listings.load_listed(tx, following)
    is_of_one_answer = any(len(stored) <= answer.listed for answer in _list_unchecked_answers(following))
    is_whole_answer = is_of_one_answer and repeated_days.is_stale(stored, listed)
    misdated = stored if is_whole_answer else repeated_days.find_repeated(stored, listed)
    _withdraw(tx, source, following, misdated)
    events.move_to_day(tx, following, misdated, batch.day)
    if is_last_page or misdated == stored:
        received = listings.count_listings(tx, following)
        rows.save_batch(tx, ledger.apply_check(following, received, is_stale=True))


def evaluate_following(tx: Transaction, source: Source, batch: Batch) -> None:
    """Evaluate the unchecked answers about the days after a day, if it was the last unknown day before them.

    Args:
        tx: a writing transaction.
        source: the source.
        batch: the batch of the day, which has become known.
    """
    for following in _iter_unchecked_after(tx, source, batch):
        if not is_preceding_known(tx, source, following):
            continue
        listed = listings.load_listed(tx, following)
        repeated_day = find_repeated_day(tx, following.source, following.section, following.day, listed)
        if repeated_day is None:
            rows.save_batch(tx, ledger.apply_check(following, following.received, is_stale=False))
            continue
        own_batch = rows.load_batch(tx, batch.source, batch.section, repeated_day)
        withdraw_repeated(
            tx,
            own_batch,
            listings.load_listed(tx, own_batch),
            following.day,
            source=source,
            is_last_page=True,
        )


def _iter_unchecked_after(tx: Transaction, source: Source, batch: Batch) -> Iterator[Batch]:
    """Iterate over the batches after a day that may repeat it and have an unchecked answer."""
    calendar, day, with_papers = source.calendar, batch.day, 0
    for _ in range(_MAX_QUIET_DAYS):
        if calendar is None or with_papers == MAX_DAYS_BEHIND:
            return
        day = get_next_day(calendar, day)
        following = rows.find_batch(tx, batch.source, batch.section, day)
        if following is None:
            return
        if _list_unchecked_answers(following):
            yield following
        with_papers += following.received > 0


def _list_unchecked_answers(batch: Batch) -> list[DayAnswer]:
    return [answer for answer in batch.answers if answer.verdict is DayVerdict.UNCHECKED]


# --- checks by date -------------------------------------------------------------------------------


def check_by_date(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]) -> Batch:
    """Check a day's listings from latest-day routes against the whole answer of a route queried by date.

    Args:
        tx: a writing transaction.
        source: the source.
        batch: the batch of the day.
        listed: all listings of the answer by date; empty if the day had no papers.

    Returns:
        The batch without the listings of another day.
    """
    latest_routes = {route.name for route in source.fetch_routes if route.scope is Scope.LATEST}
    answers = [answer for answer in batch.answers if answer.route in latest_routes]
    if source.calendar is None or not answers:
        return batch
    if not listed and (not batch.received or _has_own_papers(tx, source, batch)):
        return batch
    # If several routes answered, the wrong answer may be the one with the fewest listings.
    smallest = min((answer.listed for answer in answers if answer.listed), default=0)
    misdated = _find_misdated(tx, batch, listed)
    only_cross_listed = all(listing.kind is ListingKind.CROSS for listing in misdated)
    is_stale = bool(misdated) and (1 if only_cross_listed else 2) * len(misdated) >= smallest
    if is_stale:
        _withdraw(tx, source, batch, misdated)
        _move_to_own_day(tx, source, batch, misdated)
    return ledger.apply_check(batch, listings.count_listings(tx, batch), is_stale=is_stale)


def _has_own_papers(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the papers of a day cannot be another day's, so that an empty answer by date must be wrong.

    A section's first day has no earlier day to compare with, so what a latest-day route returned for it
    proves nothing.
    """
    verdicts = {answer.route: answer.verdict for answer in batch.answers}
    if any(
        verdicts.get(route.name) is DayVerdict.WHOLE
        for route in source.fetch_routes
        if route.scope is Scope.DAY
    ):
        return True
    if source.calendar is None or next(_iter_days_before(tx, source.calendar, batch), None) is None:
        return False
    if batch.state is BatchState.COMPLETE:
        return True
    if {DayVerdict.QUIET, DayVerdict.UNCHECKED}.issuperset(verdicts.values()):
        return False
    if not is_preceding_known(tx, source, batch):
        return False
    listed_papers = listings.load_listed(tx, batch)
    return find_repeated_day(tx, batch.source, batch.section, batch.day, listed_papers) is None


def remove_wrong_versions(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]
) -> None:
    """Withdraw replacements that an answer by date has in another version: they belong to another day.

    Args:
        tx: a writing transaction.
        source: the source.
        batch: the batch of the day.
        listed: the listings of the answer by date.
    """
    versions = {(listing.key, listing.kind): listing.version for listing in listed if listing.version}
    misdated = {
        listing
        for listing in listings.load_listed(tx, batch)
        if listing.version and versions.get((listing.key, listing.kind), listing.version) != listing.version
    }
    if misdated and source.calendar is not None:
        _withdraw(tx, source, batch, misdated)
        _move_to_own_day(tx, source, batch, misdated)


def _find_misdated(
    tx: Transaction, batch: Batch, listed: AbstractSet[ShownListing]
) -> frozenset[ShownListing]:
    """Find the listings of a batch that the answer by date should have, but lacks."""
    stored = listings.load_listed(tx, batch)
    others = stored - repeated_days.find_repeated(stored, listed)
    crossed = {listing.key for listing in others if listing.kind is ListingKind.CROSS}
    # The feed of an archive repeats its papers when they are cross-listed in another of its categories; its page does not.
    listed_as_new = listings.list_known_as_new(tx, batch, crossed)
    return frozenset(
        other for other in others if not (other.kind is ListingKind.CROSS and other.key in listed_as_new)
    )


def _move_to_own_day(
    tx: Transaction, source: Source, batch: Batch, misdated: AbstractSet[ShownListing]
) -> None:
    """Date the events of withdrawn listings by the earlier day that has them, or by the last day with papers.

    If that guess is wrong, ``events.set_day_of_listed`` corrects it when the right day arrives.
    """
    calendar = source.calendar
    assert calendar is not None
    earlier = rows.list_batches_before(tx, batch.source, batch.section, batch.day, _DAYS_COMPARED)
    for earlier_batch in earlier:
        own_listings = repeated_days.find_repeated(misdated, listings.load_listed(tx, earlier_batch))
        events.move_to_day(tx, batch, own_listings, earlier_batch.day)
        misdated = misdated - own_listings
    guess = get_previous_day(calendar, batch.day)
    for previous_batch in _iter_days_before(tx, calendar, batch):
        if not ledger.is_quiet(previous_batch, calendar):
            break
        guess = get_previous_day(calendar, previous_batch.day)
    events.move_to_day(tx, batch, misdated, guess)


def _withdraw(tx: Transaction, source: Source, batch: Batch, misdated: AbstractSet[ShownListing]) -> None:
    """Remove listings from a batch, and delete the validators of the routes that returned them.

    If the last answer had another day's papers, "not modified" would mean nothing.
    """
    listings.withdraw_listings(tx, batch, misdated)
    section = rows.load_section(tx, batch.source, batch.section)
    for route in source.fetch_routes:
        if route.scope is Scope.LATEST:
            state = replace(section.get_route(route.name), etag="", last_modified="", body_hash="")
            rows.note_attempt(tx, section, state)
