"""What the operator is to know of: each trouble once a day, whoever notes it and however often."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from digest.store.database.engine import Store
from digest.store.operations import notices
from tests.store.rows import NOW, later


def note(store: Store, name: str, at: datetime = NOW, text: str = "So it is.") -> bool:
    with store.writing() as tx:
        return notices.note(tx, name, text, at)


def due(store: Store, at: datetime) -> list[str]:
    with store.reading() as tx:
        return [one.name for one in notices.due(tx, at)]


def tell(store: Store, at: datetime, ways: Mapping[str, datetime | None]) -> list[str]:
    """Claim and tell all that is due; gives what was claimed."""
    with store.writing() as tx:
        mine = notices.claim(tx, notices.due(tx, at), at)
        notices.told(tx, mine, ways)
    return [one.name for one in mine]


def test_a_trouble_is_due_once_a_day(store: Store) -> None:
    assert note(store, "a")
    assert tell(store, NOW, {"way": None}) == ["a"]
    for hours in (1, 12, 23.9):
        assert not note(store, "a", later(hours=hours))
        assert due(store, later(hours=hours)) == []
    assert note(store, "a", later(hours=24), "It still is.")
    with store.reading() as tx:
        [again] = notices.due(tx, later(hours=24))
    assert (again.text, again.told, again.attempts) == ("It still is.", frozenset(), 0)


def test_what_somebody_tells_nobody_else_does_until_that_takes_too_long(store: Store) -> None:
    note(store, "a")
    with store.writing() as tx:
        found = notices.due(tx, NOW)
        assert [one.name for one in notices.claim(tx, found, NOW)] == ["a"]
    with store.writing() as tx:
        assert notices.claim(tx, found, NOW) == ()
    assert due(store, NOW + notices.CLAIMED) == ["a"]


def test_what_is_noted_anew_while_it_is_told_stays_due(store: Store) -> None:
    note(store, "a")
    with store.writing() as tx:
        mine = notices.claim(tx, notices.due(tx, NOW), NOW)
    note(store, "a", later(days=1))
    with store.writing() as tx:
        notices.told(tx, mine, {"way": None})

    assert due(store, later(days=1)) == ["a"]


def test_a_way_that_has_it_is_remembered_and_the_others_are_tried_again(store: Store) -> None:
    note(store, "a")
    tell(store, NOW, {"one": None, "two": later(minutes=1)})
    with store.reading() as tx:
        assert notices.due(tx, NOW) == ()
        [again] = notices.due(tx, later(minutes=1))

    assert (again.told, again.attempts) == (frozenset({"one"}), 1)


def test_a_clock_that_was_wrong_keeps_nothing_back(store: Store) -> None:
    note(store, "a", later(days=3000))

    assert note(store, "a", NOW)
    assert due(store, NOW) == ["a"]


def test_what_is_old_is_forgotten(store: Store) -> None:
    note(store, "a")
    note(store, "b", later(days=100))
    tell(store, later(days=100), {})
    with store.reading() as tx:
        assert [one.name for one in notices.recent(tx, NOW - timedelta(days=1))] == ["b"]
