"""What the operator is to know of: each trouble once a day, whoever notes it and however often."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from digest.store.database.engine import Store
from digest.store.operations import notices
from tests.store.factories import NOW, add_to_now


def note(store: Store, name: str, at: datetime = NOW, text: str = "So it is.") -> bool:
    with store.begin_write() as tx:
        return notices.record_notice(tx, name, text, at)


def due(store: Store, at: datetime) -> list[str]:
    with store.begin_read() as tx:
        return [notice.name for notice in notices.list_due(tx, at)]


def tell(store: Store, at: datetime, ways: Mapping[str, datetime | None]) -> list[str]:
    """Claim and tell all that is due; gives what was claimed."""
    with store.begin_write() as tx:
        mine = notices.claim_notices(tx, notices.list_due(tx, at), at)
        notices.record_delivery(tx, mine, ways)
    return [notice.name for notice in mine]


def test_a_trouble_is_due_once_a_day(store: Store) -> None:
    assert note(store, "a")
    assert tell(store, NOW, {"way": None}) == ["a"]
    for hours in (1, 12, 23.9):
        assert not note(store, "a", add_to_now(hours=hours))
        assert due(store, add_to_now(hours=hours)) == []
    assert note(store, "a", add_to_now(hours=24), "It still is.")
    with store.begin_read() as tx:
        [again] = notices.list_due(tx, add_to_now(hours=24))
    assert (again.text, again.delivered_to, again.attempts) == ("It still is.", frozenset(), 0)


def test_what_somebody_tells_nobody_else_does_until_that_takes_too_long(store: Store) -> None:
    note(store, "a")
    with store.begin_write() as tx:
        found_notices = notices.list_due(tx, NOW)
        assert [notice.name for notice in notices.claim_notices(tx, found_notices, NOW)] == ["a"]
    with store.begin_write() as tx:
        assert notices.claim_notices(tx, found_notices, NOW) == ()
    assert due(store, NOW + notices.CLAIM_DURATION) == ["a"]


def test_what_is_noted_anew_while_it_is_told_stays_due(store: Store) -> None:
    note(store, "a")
    with store.begin_write() as tx:
        mine = notices.claim_notices(tx, notices.list_due(tx, NOW), NOW)
    note(store, "a", add_to_now(days=1))
    with store.begin_write() as tx:
        notices.record_delivery(tx, mine, {"way": None})

    assert due(store, add_to_now(days=1)) == ["a"]


def test_a_way_that_has_it_is_remembered_and_the_others_are_tried_again(store: Store) -> None:
    note(store, "a")
    tell(store, NOW, {"one": None, "two": add_to_now(minutes=1)})
    with store.begin_read() as tx:
        assert notices.list_due(tx, NOW) == ()
        [again] = notices.list_due(tx, add_to_now(minutes=1))

    assert (again.delivered_to, again.attempts) == (frozenset({"one"}), 1)


def test_a_clock_that_was_wrong_keeps_nothing_back(store: Store) -> None:
    note(store, "a", add_to_now(days=3000))

    assert note(store, "a", NOW)
    assert due(store, NOW) == ["a"]


def test_what_is_old_is_forgotten(store: Store) -> None:
    note(store, "a")
    note(store, "b", add_to_now(days=100))
    tell(store, add_to_now(days=100), {})
    with store.begin_read() as tx:
        assert [notice.name for notice in notices.list_recent(tx, NOW - timedelta(days=1))] == ["b"]
