from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from sqlalchemy import select

from digest.jobs.operations.pruning import prune_signals
from digest.model import Listing, ListingKind, PaperKey, Signal
from digest.store.database.engine import Store
from digest.store.database.tables.papers import signals as table
from digest.store.papers import signals
from digest.store.papers.events import load_events_by_seq
from tests.store.factories import DAY, NOW, announce, make_article, make_new_listing, make_paper

ONE = make_paper(1).key


def number(
    subject: PaperKey, value: float, *, kind: str = "votes", days: int = 0, source: str = "hf_daily"
) -> Signal:
    return Signal(subject=subject, kind=kind, source=source, day=DAY + timedelta(days=days), value=value)


def votes(subject: int, value: float, *, days: int = 0, source: str = "hf_daily") -> Signal:
    return number(make_paper(subject).key, value, days=days, source=source)


def test_the_last_number_of_each_day_is_kept_and_the_last_day_is_told(store: Store) -> None:
    with store.begin_write() as tx:
        signals.save_signals(tx, [votes(1, 3), votes(1, 5), votes(2, 1)])
        signals.save_signals(tx, [votes(1, 7, days=1), votes(1, 6), votes(1, 2, source="other")])
        signals.save_signals(tx, [])

        found_signals = signals.load_signals(tx, [ONE, make_paper(9).key])

    assert set(found_signals) == {votes(1, 7, days=1), votes(1, 2, source="other")}


def test_the_events_of_an_edition_have_the_last_numbers_of_each_kind_and_source(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2))
    sent_signals = [
        number(ONE, 9, kind="stars"),
        votes(1, 41, days=1),
        votes(1, 40),
        votes(1, 7, source="other"),
    ]
    with store.begin_write() as tx:
        signals.save_signals(tx, sent_signals)
        with_numbers = signals.add_signals(tx, load_events_by_seq(tx, [1, 2]))

    assert with_numbers[1].signals == (
        number(ONE, 9, kind="stars"),
        votes(1, 41, days=1),
        votes(1, 7, source="other"),
    )
    assert with_numbers[2].signals == ()


def test_numbers_are_found_by_any_key_of_a_paper(store: Store) -> None:
    announce(store, make_new_listing(1, doi="10.1000/x"))
    journal = Listing(kind=ListingKind.PUBLISHED, paper=make_article("10.1000/x"))
    announce(store, journal, section="articles", source="journal")
    with store.begin_write() as tx:
        signals.save_signals(
            tx, [votes(1, 41), number(PaperKey("doi:10.1000/x"), 3, kind="citations", source="s2")]
        )
        events = signals.add_signals(tx, load_events_by_seq(tx, [1, 2]))

    assert {(signal.kind, signal.value) for signal in events[1].signals} == {
        ("votes", 41.0),
        ("citations", 3.0),
    }
    assert events[1].signals == events[2].signals


# --- what grows old -------------------------------------------------------------------------------


def test_of_some_days_the_last_number_of_each_subject_kind_and_source_stays(store: Store) -> None:
    with store.begin_write() as tx:
        assert signals.find_first_day(tx) is None
        signals.save_signals(tx, [votes(1, day, days=day) for day in range(10)])
        signals.save_signals(tx, [votes(2, 1, days=3), votes(1, 2, days=4, source="other")])
        signals.save_signals(tx, [number(ONE, 3, kind="stars", days=2)])
        signals.prune_days(tx, DAY + timedelta(days=2), DAY + timedelta(days=6))

        assert signals.find_first_day(tx) == DAY
    assert days_of(store, "votes", "hf_daily", ONE) == [0, 1, 6, 7, 8, 9]
    assert days_of(store, "votes", "hf_daily", make_paper(2).key) == [3]
    assert days_of(store, "votes", "other", ONE) == [4]
    assert days_of(store, "stars", "hf_daily", ONE) == [2]


def test_numbers_are_pruned_once_a_day_and_what_is_told_stays_the_same(store: Store) -> None:
    with store.begin_write() as tx:
        signals.save_signals(tx, [votes(1, day, days=day) for day in range(500)])
        signals.save_signals(tx, [votes(2, 7)])
    prune_signals(store, NOW + timedelta(days=499))
    left = days_of(store, "votes", "hf_daily", ONE)
    daily, weekly = [day for day in left if day >= 409], [day for day in left if 135 <= day < 400]

    assert daily == list(range(409, 500))
    assert {later - number for number, later in pairwise(weekly)} == {7}
    assert len(left) < 91 + 45 + 6
    with store.begin_read() as tx:
        assert set(signals.load_signals(tx, [ONE, make_paper(2).key])) == {
            votes(1, 499, days=499),
            votes(2, 7),
        }
    prune_signals(store, NOW + timedelta(days=499, hours=5))
    assert days_of(store, "votes", "hf_daily", ONE) == left
    prune_signals(store, NOW + timedelta(days=3000))
    assert len(days_of(store, "votes", "hf_daily", ONE)) == 17, "one for each month"


def test_an_empty_store_has_nothing_to_prune(store: Store) -> None:
    prune_signals(store, NOW)


def days_of(store: Store, kind: str, source: str, subject: PaperKey) -> list[int]:
    """The days of which numbers are kept, counted from the first."""
    mine = select(table.c.day).where(
        table.c.kind == kind, table.c.source == source, table.c.subject == subject
    )
    with store.begin_read() as tx:
        return sorted((day - DAY).days for day in tx.execute(mine).scalars())
