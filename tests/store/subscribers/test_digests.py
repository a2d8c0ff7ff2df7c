from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select, update

from digest.model import Frequency, RunState
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import digests as digests_table
from digest.store.database.tables.digests import runs as runs_table
from digest.store.database.tables.digests import slots
from digest.store.editions import runs
from digest.store.subscribers import digests
from tests.store.factories import (
    NOW,
    declare,
    finish_first_firings,
    limit_statement_size,
    load_active_digests,
    load_digest,
    load_digest_row,
    load_slot_times,
    make_digest,
)

# --- its slot -------------------------------------------------------------------------------------


def open_run(tx: Transaction, slot: int, state: RunState = RunState.OPEN) -> None:
    times = {"fire_at": NOW, "made_at": NOW}
    tx.execute(insert(runs_table).values(slot_id=slot, period="p", state=state.value, **times))


def test_a_digest_goes_over_to_its_next_slot_once_no_run_is_under_way(store: Store) -> None:
    declare(store, make_digest())
    finish_first_firings(store)
    first = load_digest(store).slot
    with store.begin_write() as tx:
        tx.execute(update(slots).values(cursor_seq=6))
        tx.execute(update(digests_table).values(from_seq=None))
        open_run(tx, first)
    declare(store, make_digest(schedule="daily 18:00"))

    for state in (RunState.OPEN, RunState.CLOSED):
        with store.begin_write() as tx:
            tx.execute(update(runs_table).values(state=state.value))
            digests.move_digests(tx)
        assert load_digest(store).slot == first
    with store.begin_write() as tx:
        tx.execute(update(runs_table).values(state=RunState.COMPOSED.value))
        digests.move_digests(tx)

    digest = load_digest(store)
    assert load_slot_times(store, digest.slot) == ("daily", "18:00")
    assert (digest.from_seq, digest.sent_seq) == (6, 6)


def test_a_new_digest_does_not_leave_its_first_slot_before_that_has_fired(store: Store) -> None:
    declare(store, make_digest())
    with store.begin_write() as tx:
        digests.move_digests(tx)

    assert load_slot_times(store, load_digest(store).slot)[0] == Frequency.ONCE.value


# --- how far it has been told ---------------------------------------------------------------------


def closed(store: Store, low: int, high: int) -> Any:
    """A closed run of the digest's slot, as composing sees it."""
    with store.begin_write() as tx:
        open_run(tx, load_digest(store).slot, RunState.CLOSED)
        tx.execute(update(runs_table).values(from_seq=low, to_seq=high))
        ((run, _),) = runs.list_recent_runs(tx, 1)
    return run


@pytest.mark.parametrize(
    ("from_seq", "held_back", "after"),
    [
        (None, False, None),
        (None, True, 10),
        (5, False, None),
        (5, True, 5),
        (20, False, None),
        (21, False, 21),
        (21, True, 21),
    ],
)
def test_where_a_digest_goes_on_after_a_window(
    store: Store, from_seq: int | None, *, held_back: bool, after: int | None
) -> None:
    declare(store, make_digest())
    finish_first_firings(store)
    with store.begin_write() as tx:
        tx.execute(update(digests_table).values(from_seq=from_seq))
    run = closed(store, 10, 20)
    digest = load_digest(store)
    assert digest.get_window_start(run) == (10 if from_seq is None else from_seq)

    with store.begin_write() as tx:
        digests.record_sent(tx, [digest.id], run, frozenset({digest.id} if held_back else ()), {})

    assert load_digest_row(store).from_seq == after


def test_more_digests_than_a_statement_takes_are_read_at_once(store: Store) -> None:
    declare(store, make_digest(queries=["a"]))
    with store.begin_write() as tx:
        (row,) = tx.execute(select(digests_table)).mappings().all()
        like = [{**row, "id": row["id"] + at, "name": f"d{at}"} for at in range(1, 1100)]
        tx.execute(insert(digests_table), like)
    limit_statement_size(store)

    with store.begin_read() as tx:
        everyone = load_active_digests(tx)
        active_digests = load_active_digests(tx, first_id=everyone[100].id, last_id=everyone[199].id)
        none = load_active_digests(tx, slot=everyone[0].slot + 1000)

    assert len(everyone) == 1100
    assert [entry.name for entry in active_digests] == [entry.name for entry in everyone[100:200]]
    assert none == ()
