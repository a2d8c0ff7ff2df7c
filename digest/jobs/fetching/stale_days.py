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
from digest.core.fetching.repeated_days import ShownListing
from digest.core.times.schedule import get_next_day, get_previous_day
from digest.model import Batch, BatchState, Calendar, DayAnswer, DayVerdict, ListingKind, Scope
from digest.ports import Source
from digest.store.database.engine import Transaction
from digest.store.fetching import ledger as rows
from digest.store.fetching import listings
from digest.store.papers import events

MAX_DAYS_BEHIND = 2
"""How many announcement days with papers a feed can be behind so that this is found out at a later time.

One has been seen (https://github.com/ZJU-REAL/Polaris/issues/414).
"""
_DAYS_COMPARED = 5
"""With how many earlier days that had papers a new answer is compared."""
_MAX_QUIET_DAYS = 30
"""How many announcement days in a row are looked through for papers: after a year without any that takes no minutes."""


# --- an answer that has just come -----------------------------------------------------------------


def find_repeated_day(
    tx: Transaction, source: str, section: str, day: date, listed: AbstractSet[ShownListing]
) -> date | None:
    """Find the earlier day that an answer shows again under a new date.

    Args:
        tx: a transaction.
        source: which answered.
        section: about which it answered.
        day: the new date.
        listed: what the answer lists.

    Returns:
        The earlier day; None if the answer repeats none of the last days that had papers.
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
    """Whether a route that was asked for a day by date has brought all of it, and most of an answer is not there."""
    date_routes = {route.name for route in source.fetch_routes if route.scope is Scope.DAY}
    complete_routes = {answer.route for answer in batch.answers if answer.verdict is DayVerdict.WHOLE}
    if complete_routes.isdisjoint(date_routes):
        return False
    return 2 * len(repeated_days.find_repeated(listed, listings.load_listed(tx, batch))) < len(listed)


def is_preceding_known(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the last days with papers before a day are known, so that they would be recognised if shown again."""
    calendar = source.calendar
    if calendar is None:
        return True
    compared_count = 0
    # Before the first days of a section there is nothing to know; a route that is asked by date checks these, too.
    for previous_batch in _iter_days_before(tx, calendar, batch):
        if compared_count == MAX_DAYS_BEHIND:
            break
        if not ledger.is_known(previous_batch, calendar, source.fetch_routes):
            return False
        compared_count += not ledger.is_quiet(previous_batch, calendar)
    return True


def _iter_days_before(tx: Transaction, calendar: Calendar, batch: Batch) -> Iterator[Batch]:
    """The days before a day, the latest first, as far back as papers are looked for."""
    day = batch.day
    for _ in range(_MAX_QUIET_DAYS):
        day = get_previous_day(calendar, day)
        previous_batch = rows.find_batch(tx, batch.source, batch.section, day)
        if previous_batch is None:
            return
        yield previous_batch


# --- the days before have come --------------------------------------------------------------------


def find_days_with(
    tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]
) -> frozenset[date]:
    """Find the following days of which an unchecked answer brought the listings of a day.

    Args:
        tx: a transaction.
        source: whose days they are.
        batch: the account of the day.
        listed: what it lists, as far as that is known.
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
    """Judge the unchecked answers about the days after a day that is known now, where no other day is in doubt.

    Args:
        tx: a writing transaction.
        source: whose days they are.
        batch: the account of the day that is known now.
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
    """The days after a day whose feed could have shown it and could not be checked."""
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


# --- the day itself has come by date --------------------------------------------------------------


def check_by_date(tx: Transaction, source: Source, batch: Batch, listed: AbstractSet[ShownListing]) -> Batch:
    """Judge the listings that latest-day routes brought by the whole answer of a route that was asked by date.

    Args:
        tx: a writing transaction.
        source: whose day it is.
        batch: the account of the day.
        listed: all that the answer by date has; nothing if the day had no papers.

    Returns:
        The account without the listings of another day.
    """
    latest_routes = {route.name for route in source.fetch_routes if route.scope is Scope.LATEST}
    answers = [answer for answer in batch.answers if answer.route in latest_routes]
    if source.calendar is None or not answers:
        return batch
    if not listed and (not batch.received or _has_own_papers(tx, source, batch)):
        return batch
    # Where several routes answered, the wrong one may be the one with the fewest listings.
    smallest = min((answer.listed for answer in answers if answer.listed), default=0)
    misdated = _find_misdated(tx, batch, listed)
    only_cross_listed = all(listing.kind is ListingKind.CROSS for listing in misdated)
    is_stale = bool(misdated) and (1 if only_cross_listed else 2) * len(misdated) >= smallest
    if is_stale:
        _withdraw(tx, source, batch, misdated)
        _move_to_own_day(tx, source, batch, misdated)
    return ledger.apply_check(batch, listings.count_listings(tx, batch), is_stale=is_stale)


def _has_own_papers(tx: Transaction, source: Source, batch: Batch) -> bool:
    """Whether the papers of a day can be no other day's, so that an answer by date without any is a bad copy.

    A section's first day has none before it to compare with, so what a latest-day route brought of it proves nothing.
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
    """Withdraw the replacements that an answer by date has in another version: they were another day's.

    Args:
        tx: a writing transaction.
        source: whose day it is.
        batch: the account of the day.
        listed: what the answer by date has.
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
    """The listings of a batch that the answer by date does not have, though it should."""
    stored = listings.load_listed(tx, batch)
    others = stored - repeated_days.find_repeated(stored, listed)
    crossed = {listing.key for listing in others if listing.kind is ListingKind.CROSS}
    # The feed of an archive also has papers of it that are listed in one more of its categories; the page has not.
    listed_as_new = listings.list_known_as_new(tx, batch, crossed)
    return frozenset(
        other for other in others if not (other.kind is ListingKind.CROSS and other.key in listed_as_new)
    )


def _move_to_own_day(
    tx: Transaction, source: Source, batch: Batch, misdated: AbstractSet[ShownListing]
) -> None:
    """Date what withdrawn listings announced by the earlier day that has them, else by the last one with papers.

    If that guess is wrong, ``events.set_day_of_listed`` corrects it when the own day arrives.
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
    """Remove listings from a batch, and ask the routes that brought them without validators.

    "Not modified" would say nothing where the last answer had another day's papers.
    """
    listings.withdraw_listings(tx, batch, misdated)
    section = rows.load_section(tx, batch.source, batch.section)
    for route in source.fetch_routes:
        if route.scope is Scope.LATEST:
            state = replace(section.get_route(route.name), etag="", last_modified="", body_hash="")
            rows.note_attempt(tx, section, state)
