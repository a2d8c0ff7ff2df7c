from __future__ import annotations

from functools import partial

from digest.model import Delivery, Fault, Refused
from digest.store.database.engine import Store
from digest.store.delivery import outbox, receipts
from digest.store.editions import undelivered
from tests.store.factories import NOW, make_due_edition, record_statements, run_concurrently


def test_what_was_missed_is_found_by_its_index(store: Store) -> None:
    make_due_edition(store, 20)
    with store.begin_write() as tx:
        claimed = outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)
        with record_statements(store) as lines:
            undelivered.claim_undelivered(tx, claimed, {"smtp"})
        (statement,) = lines
        if tx.dialect.name == "sqlite":
            plan = tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", ("[1]", "[1]"))
            assert any("ix_deliveries_missed" in row.detail for row in plan)


def test_of_two_processes_at_once_one_names_it(store: Store) -> None:
    make_due_edition(store, 1)
    with store.begin_write() as tx:
        lost = outbox.claim_deliveries(tx, "smtp", 1, NOW, 1)
        receipts.record_receipts(tx, [(lost[0], Refused(answer="550 5.7.1 no", fault=Fault.OURS))], NOW)
    twins = [lost[0]._replace(id=lost[0].id + number) for number in (100, 200)]

    def name(twin: Delivery) -> int:
        with store.begin_write() as tx:
            return len(undelivered.claim_undelivered(tx, [twin], {"smtp"}))

    assert sum(run_concurrently(*(partial(name, twin) for twin in twins))) == 1


def test_nothing_is_asked_for_channels_that_name_nothing(store: Store) -> None:
    make_due_edition(store, 3)
    with store.begin_write() as tx:
        claimed = [
            delivery._replace(channel="files") for delivery in outbox.claim_deliveries(tx, "smtp", 1, NOW, 10)
        ]
        with record_statements(store) as lines:
            assert undelivered.claim_undelivered(tx, claimed, {"smtp"}) == {}
    assert lines == []
