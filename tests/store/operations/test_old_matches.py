"""Matches go when no digest can report their papers any more, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update

from digest.core.matching.bitmaps import BLOCK_SIZE
from digest.jobs.operations import pruning
from digest.jobs.operations.pruning import count_old, prune_daily, prune_matches
from digest.store.database.clock import read_note
from digest.store.database.engine import Store
from digest.store.database.tables.digests import counters, digests, match_blocks, queries, slots
from digest.store.database.tables.papers import events
from digest.store.operations.clock_repair import reset_after_clock_error
from digest.store.operations.pruning import old_matches
from digest.store.subscribers.pauses import pause_digest, resume_digest
from tests.store.factories import DAY, NOW, announce, declare, load_digest, make_digest, make_new_listing

DAYS = (0, 60, 120, 180)
"""Days on which a block of events came, after the first one."""
LAST_SEQ = len(DAYS) * BLOCK_SIZE
LATER = NOW + timedelta(days=200)
OLD_BLOCKS = {0, 1}
"""Blocks of events that are more than 90 days old then; the last event of the second one is not in it."""


def make_history(store: Store) -> None:
    """Make events of many months, two digests that have reported all of them, and a match of each in each block."""
    declare(store, make_digest("common", queries=["common"]), make_digest("rare", queries=["rare"]))
    announce(store, make_new_listing(1))
    with store.begin_write() as tx:
        first = tx.execute(select(events)).mappings().one()
        rows = [
            dict(first)
            | {
                "seq": seq,
                "kind": "version",
                "number": seq,
                "day": DAY + timedelta(days=DAYS[(seq - 1) // BLOCK_SIZE]),
            }
            for seq in range(2, LAST_SEQ + 1)
        ]
        tx.execute(insert(events), rows)
        tx.execute(
            update(counters).where(counters.c.name.in_(["event", "matched_to"])).values(value=LAST_SEQ)
        )
        tx.execute(update(slots).values(cursor_seq=LAST_SEQ))
        tx.execute(update(digests).values(from_seq=None))
        blocks = range(LAST_SEQ // BLOCK_SIZE + 1)
        for query in tx.execute(select(queries.c.id)).scalars().all():
            tx.execute(
                insert(match_blocks),
                [{"query_id": query, "block": block, "hits": b"\0\0"} for block in blocks],
            )


def announce_later(store: Store, days: int) -> datetime:
    """Return a time at which a source has announced its day: ages are counted from what sources tell."""
    now = LATER + timedelta(days=days)
    announce(store, make_new_listing(2 + days), day=now.date())
    return now


def list_blocks(store: Store, text: str) -> set[int]:
    """Return the blocks of which matches of a query are kept."""
    with store.begin_read() as tx:
        is_of_query = queries.c.text == text
        statement = select(match_blocks.c.block).join(queries, queries.c.id == match_blocks.c.query_id)
        return set(tx.execute(statement.where(is_of_query)).scalars())


def set_start(store: Store, name: str, seq: int) -> None:
    """Let a digest wait with what it has since an event."""
    with store.begin_write() as tx:
        tx.execute(update(digests).where(digests.c.name == name).values(from_seq=seq))


def test_matches_older_than_90_days_go_once_a_day(store: Store) -> None:
    make_history(store)
    before = list_blocks(store, "common")
    now = announce_later(store, 0)
    expected = count_old(store, None, now)

    removed = prune_matches(store, now)

    assert list_blocks(store, "common") == list_blocks(store, "rare") == before - OLD_BLOCKS
    assert [(entry.table, entry.rows) for entry in expected] == [("match_blocks", 4)]
    assert removed.rows == 4
    assert prune_matches(store, announce_later(store, 60)).rows == 2
    assert prune_matches(store, LATER + timedelta(days=60, hours=1)).rows == 0


def test_they_go_in_each_cycle_even_if_editions_are_kept_forever(store: Store) -> None:
    make_history(store)

    prune_daily(store, None, announce_later(store, 0))

    assert not list_blocks(store, "common") & OLD_BLOCKS


def test_what_an_outage_left_to_report_stays(store: Store) -> None:
    make_history(store)
    with store.begin_write() as tx:
        tx.execute(update(slots).values(cursor_seq=BLOCK_SIZE + 1, next_fire_at=NOW))

    prune_matches(store, announce_later(store, 0))

    assert list_blocks(store, "common") & OLD_BLOCKS == {1}


def test_a_digest_that_waits_for_more_papers_keeps_its_own(store: Store) -> None:
    make_history(store)
    set_start(store, "rare", 10)

    prune_matches(store, announce_later(store, 0))

    assert list_blocks(store, "rare") >= OLD_BLOCKS
    assert not list_blocks(store, "common") & OLD_BLOCKS


def test_a_long_pause_keeps_nothing_that_its_end_does_not_report(store: Store) -> None:
    make_history(store)
    set_start(store, "rare", 10)
    rare = load_digest(store, "rare").id
    with store.begin_write() as tx:
        pause_digest(tx, rare, None, "then")

    prune_matches(store, announce_later(store, 0))

    with store.begin_write() as tx:
        assert resume_digest(tx, rare, "then", LATER), "something is left out"
    first_block = (load_digest(store, "rare").sent_seq + 1) // BLOCK_SIZE
    assert min(list_blocks(store, "rare")) == first_block


def test_they_go_again_after_a_clock_that_was_ahead(store: Store) -> None:
    make_history(store)
    announce_later(store, 0)
    assert prune_matches(store, LATER + timedelta(days=5000)).rows == 4, (
        "by what sources say, it is still that day"
    )
    with store.begin_ingest() as tx:
        reset_after_clock_error(tx, LATER, {})

    assert prune_matches(store, announce_later(store, 60)).rows == 2


def test_many_old_matches_are_spread_over_cycles(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    make_history(store)
    set_start(store, "rare", 10)  # its rows stay, and are looked at again
    monkeypatch.setattr(old_matches, "ROWS_PER_STEP", 1)
    monkeypatch.setattr(pruning, "_MAX_MATCH_STEPS", 1)
    now = announce_later(store, 0)

    left = []
    for _ in range(3):
        prune_daily(store, None, now)
        left.append(list_blocks(store, "common") & OLD_BLOCKS)

    assert left == [{1}, set(), set()]
    assert list_blocks(store, "rare") >= OLD_BLOCKS
    with store.begin_read() as tx:
        assert read_note(tx, "matches_pruned_on") == now.date().isoformat()


def test_rows_are_not_compared_with_every_query_that_waits(store: Store) -> None:
    if store.engine.dialect.name == "sqlite":
        pytest.skip("the plan is one of PostgreSQL")
    make_history(store)
    statements: list[tuple[str, Any]] = []
    event.listen(
        store.engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, values, *_: statements.append((statement, values)),
    )

    prune_daily(store, None, announce_later(store, 0))

    with store.begin_write() as tx:
        chosen = [entry for entry in statements if "match_blocks" in entry[0] and "from_seq <" in entry[0]]
        plans = [
            str(tx.exec_driver_sql(f"EXPLAIN {statement}", values).all()) for statement, values in chosen
        ]
    assert len(plans) >= 4, "two blocks are looked for and removed"
    assert all("Anti Join" in plan and "SubPlan" not in plan for plan in plans)
