from __future__ import annotations

from datetime import timedelta

from digest.model import Listing, ListingKind, PaperKey, Signal
from digest.store import signals
from digest.store.engine import Store
from digest.store.events import events_at
from tests.store.given import DAY, announce, by_doi, new, paper

ONE = paper(1).key


def number(
    subject: PaperKey, value: float, *, kind: str = "votes", days: int = 0, source: str = "hf_daily"
) -> Signal:
    return Signal(subject=subject, kind=kind, source=source, day=DAY + timedelta(days=days), value=value)


def votes(subject: int, value: float, *, days: int = 0, source: str = "hf_daily") -> Signal:
    return number(paper(subject).key, value, days=days, source=source)


def test_the_last_number_of_each_day_is_kept_and_the_last_day_is_told(store: Store) -> None:
    with store.writing() as tx:
        signals.keep(tx, [votes(1, 3), votes(1, 5), votes(2, 1)])
        signals.keep(tx, [votes(1, 7, days=1), votes(1, 6), votes(1, 2, source="other")])
        signals.keep(tx, [])

        found = signals.of_keys(tx, [ONE, paper(9).key])

    assert set(found) == {votes(1, 7, days=1), votes(1, 2, source="other")}


def test_the_events_of_an_edition_have_the_last_numbers_of_each_kind_and_source(store: Store) -> None:
    announce(store, new(1), new(2))
    told = [number(ONE, 9, kind="stars"), votes(1, 41, days=1), votes(1, 40), votes(1, 7, source="other")]
    with store.writing() as tx:
        signals.keep(tx, told)
        with_numbers = signals.with_signals(tx, events_at(tx, [1, 2]))

    assert with_numbers[1].signals == (
        number(ONE, 9, kind="stars"),
        votes(1, 41, days=1),
        votes(1, 7, source="other"),
    )
    assert with_numbers[2].signals == ()


def test_numbers_are_found_by_any_key_of_a_paper(store: Store) -> None:
    announce(store, new(1, doi="10.1000/x"))
    journal = Listing(kind=ListingKind.PUBLISHED, paper=by_doi("10.1000/x"))
    announce(store, journal, section="articles", source="journal")
    with store.writing() as tx:
        signals.keep(tx, [votes(1, 41), number(PaperKey("doi:10.1000/x"), 3, kind="citations", source="s2")])
        found = signals.with_signals(tx, events_at(tx, [1, 2]))

    assert {(one.kind, one.value) for one in found[1].signals} == {("votes", 41.0), ("citations", 3.0)}
    assert found[1].signals == found[2].signals
