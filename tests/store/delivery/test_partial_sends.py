"""How far deliveries are that are several messages."""

from __future__ import annotations

from digest.store.database.engine import Store
from digest.store.delivery import outbox, partial_sends
from tests.store.factories import NOW, make_due_edition


def test_how_many_messages_are_there_is_kept_until_it_need_not_be_known(store: Store) -> None:
    make_due_edition(store, 3)
    with store.begin_write() as tx:
        one, two, three = (delivery.id for delivery in outbox.claim_deliveries(tx, "smtp", 1, NOW, 10))
        partial_sends.save_progress(tx, {one: 2, two: 1, three: 0})
    with store.begin_write() as tx:
        assert partial_sends.load_progress(tx, [one, two, three]) == {one: 2, two: 1}
        assert partial_sends.load_progress(tx, []) == {}
        partial_sends.save_progress(tx, {one: 3, two: 0})
    with store.begin_read() as tx:
        assert partial_sends.load_progress(tx, [one, two, three]) == {one: 3}
