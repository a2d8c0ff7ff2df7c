"""Alerts do not wait behind a backlog."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

from sqlalchemy import select, update

from digest.config import DeliverySettings
from digest.jobs.delivery.claims.claim_cursor import ClaimCursor
from digest.jobs.delivery.claims.send_rate import SendRate
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries
from digest.store.delivery import outbox
from tests.jobs.delivery.dispatchers import FakeClock
from tests.store.conftest import store, store_url
from tests.store.factories import NOW, make_due_edition

__all__ = ["store", "store_url"]

TOKENS = count(1)
LATER = timedelta(minutes=1)


def make_cursor(clock: FakeClock, *, only_alerts: bool = False) -> ClaimCursor:
    send_rate = SendRate(settings=DeliverySettings(), machine_clock=clock)
    return ClaimCursor(send_rate=send_rate, token=next(TOKENS), only_alerts=only_alerts)


def claim(store: Store, cursor: ClaimCursor, limit: int) -> list[int]:
    with store.begin_write() as tx:
        return [entry.id for entry in cursor.claim_ordinary(tx, "smtp", limit, NOW + LATER).deliveries]


def make_alerts(store: Store, number: int) -> set[int]:
    """Turn the last deliveries into ones of alerts that are due later than all others; return their numbers."""
    with store.begin_write() as tx:
        last_ids = tx.execute(
            select(deliveries.c.id).order_by(deliveries.c.id.desc()).limit(number)
        ).scalars()
        alert_ids = set(last_ids)
        is_alert = deliveries.c.id.in_(alert_ids)
        tx.execute(update(deliveries).where(is_alert).values(is_alert=True, due_at=NOW + LATER))
    return alert_ids


def test_alerts_go_before_everything_that_was_due_earlier(store: Store) -> None:
    make_due_edition(store, 30)
    alert_ids = make_alerts(store, 5)
    cursor = make_cursor(FakeClock(NOW))

    claimed = [claim(store, cursor, 3) for _ in range(12)]

    assert {*claimed[0], *claimed[1]} == alert_ids
    assert len({number for part in claimed for number in part}) == 30


def test_an_alert_that_comes_in_the_middle_of_a_backlog_is_found_within_seconds(store: Store) -> None:
    make_due_edition(store, 30)
    clock = FakeClock(NOW)
    cursor = make_cursor(clock)
    claim(store, cursor, 3)
    alert_ids = make_alerts(store, 2)
    before = claim(store, cursor, 3)
    clock.now += timedelta(seconds=2)

    assert not alert_ids & set(before)
    assert set(claim(store, cursor, 3)) == alert_ids


def test_who_delivers_only_alerts_leaves_everything_else(store: Store) -> None:
    make_due_edition(store, 10)
    alert_ids = make_alerts(store, 4)
    cursor = make_cursor(FakeClock(NOW), only_alerts=True)

    assert {*claim(store, cursor, 3), *claim(store, cursor, 3)} == alert_ids
    assert claim(store, cursor, 3) == []


def test_whether_alerts_wait_is_found_by_channel_and_time(store: Store) -> None:
    make_due_edition(store, 3)
    with store.begin_read() as tx:
        assert not outbox.is_alert_due(tx, "smtp", NOW + LATER)
    make_alerts(store, 1)

    with store.begin_read() as tx:
        assert outbox.is_alert_due(tx, "smtp", NOW + LATER)
        assert not outbox.is_alert_due(tx, "smtp", NOW)
        assert not outbox.is_alert_due(tx, "files", NOW + LATER)


def test_alerts_of_one_channel_do_not_wait_for_looks_at_another(store: Store) -> None:
    make_due_edition(store, 10)
    alert_ids = make_alerts(store, 2)
    cursor = make_cursor(FakeClock(NOW))
    with store.begin_write() as tx:
        assert cursor.claim_ordinary(tx, "files", 3, NOW + LATER).deliveries == ()

    assert set(claim(store, cursor, 3)) == alert_ids
