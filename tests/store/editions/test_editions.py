from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from digest.core.fetching.ledger import DOUBT_MESSAGES
from digest.failures import FailureKind
from digest.model import (
    Batch,
    BatchState,
    Confidence,
    EditionPart,
    EventKind,
    Evidence,
    Item,
    Listing,
    ListingKind,
    PaperKey,
    Reason,
)
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables import digests as tables
from digest.store.delivery import outbox
from digest.store.editions import editions, runs, sent_events
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.editions import NewDelivery, NewEdition
from digest.store.fetching import ledger
from digest.store.papers import events
from digest.store.subscribers import digests
from tests.store.factories import (
    DAY,
    NOW,
    add_to_now,
    announce,
    announce_many,
    declare,
    ensure_batch,
    limit_statement_size,
    load_active_digests,
    make_digest,
    make_new_items,
    make_new_listing,
    make_overflow,
    make_paper,
    make_replacement,
)
from tests.support.cases import for_each_case

LONG_AGO = NOW - timedelta(days=90)


def begin(store: Store, *names: str) -> tuple[int, list[int]]:
    """A closed run, and its digests' numbers."""
    declare(store, *(make_digest(name) for name in names))
    return run(store), numbers(store)


def run(store: Store, now: datetime = NOW) -> int:
    with store.begin_write() as tx:
        runs.wake_slots(tx, now)
        runs.fire_slots(tx, now)
        ((newest, _),) = runs.list_recent_runs(tx, 1)
        runs.close_run(tx, newest, 0, now)
    return newest.id


def numbers(store: Store) -> list[int]:
    with store.begin_read() as tx:
        return [active_digest.id for active_digest in load_active_digests(tx)]


def item(tx: Transaction, seq: int, **facts: object) -> Item:
    return items_at(tx, [seq], **facts)[0]


def items_at(tx: Transaction, seqs: Sequence[int], **facts: object) -> list[Item]:
    reason = Reason(
        follow='"kv cache"',
        confidence=Confidence.SURELY,
        evidence=(Evidence(field="title", words=("KV caches",)),),
    )
    options = {"part": EditionPart.SURELY, "reasons": (reason,), "score": 1.0} | facts
    found_events = events.load_events_by_seq(tx, seqs)
    return [Item(event=found_events[seq], **options) for seq in seqs]  # type: ignore[arg-type]


def edition(
    number: int,
    items: tuple[Item, ...] = (),
    rest: tuple[Item, ...] = (),
    *,
    skipped: str = "",
    to: tuple[NewDelivery, ...] = (),
) -> NewEdition:
    return NewEdition(
        digest=number,
        items=make_new_items(items),
        overflow=make_overflow(rest),
        skipped=skipped,
        deliveries=to,
    )


# --- keeping and loading --------------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
REASONS = st.lists(
    st.builds(
        Reason,
        follow=TEXT,
        confidence=st.sampled_from(Confidence),
        evidence=st.lists(
            st.builds(Evidence, field=TEXT, words=st.lists(TEXT, max_size=2).map(tuple)), max_size=2
        ).map(tuple),
    ),
    max_size=3,
).map(tuple)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


@pytest.fixture
def closed_run(store: Store) -> tuple[int, int]:
    """A closed run, and its digest's number; there are four papers."""
    announce_many(store, 4)
    run_id, (number,) = begin(store, "systems")
    return run_id, number


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reasons=REASONS, score=SCORES, part=st.sampled_from(EditionPart))
def test_an_edition_comes_back_with_its_items_reasons_and_what_it_told_of_days(
    store: Store, closed_run: tuple[int, int], reasons: tuple[Reason, ...], score: float, part: EditionPart
) -> None:
    run_id, number = closed_run
    with store.begin_dry_run() as trial, trial.begin_write() as tx:
        items = (item(tx, 3, reasons=reasons, score=score, part=part), item(tx, 1))
        entries = (ensure_batch(tx), _every_field(tx))
        new_edition = NewEdition(
            digest=number,
            items=make_new_items(items),
            overflow=make_overflow([item(tx, 2)]),
            dropped=5,
            excluded=6,
        )
        editions.save_editions(tx, run_id, [new_edition], entries, NOW)
        (entry,) = editions.list_summaries(tx, digest="systems", limit=5)
        loaded = editions.load_editions(tx, [entry.id])[entry.id]
        assert editions.load_without_overflow(tx, entry.id) == replace(loaded, overflow=())

    assert loaded.items == items
    assert [item.event.seq for item in loaded.overflow] == [2]
    assert (loaded.dropped, loaded.excluded) == (5, 6)
    assert loaded.batches == tuple(replace(batch, error="") for batch in entries), (
        "a host's words are not kept"
    )
    assert (loaded.digest, loaded.period, loaded.zone, loaded.composed_at) == (
        "systems",
        "2026-06-12T07:30",
        "Europe/Berlin",
        NOW,
    )
    assert (entry.items, entry.rest, entry.skipped) == (2, 1, "")


@for_each_case(
    ("error", "failure"),
    [
        ("", None),
        ("no such login: jane.doe", FailureKind.OTHER),
        (DOUBT_MESSAGES[FailureKind.UNCHECKED], FailureKind.UNCHECKED),
    ],
)
def test_editions_of_earlier_releases_tell_of_failures_in_our_words(
    closed_run: tuple[int, int], store: Store, error: str, failure: FailureKind | None
) -> None:
    run_id, number = closed_run
    with store.begin_dry_run() as trial, trial.begin_write() as tx:
        editions.save_editions(tx, run_id, [NewEdition(digest=number)], (ensure_batch(tx),), NOW)
        (row,) = tx.execute(select(tables.editions.c.batches)).scalars()
        old = [{name: value for name, value in entry.items() if name != "failure"} for entry in row]
        tx.execute(update(tables.editions).values(batches=[entry | {"error": error} for entry in old]))
        (entry,) = editions.list_summaries(tx, digest="systems", limit=5)
        (batch,) = editions.load_editions(tx, [entry.id])[entry.id].batches

    assert (batch.error, batch.failure) == ("", failure)


def _every_field(tx: Transaction) -> Batch:
    waiting = ensure_batch(tx, "cs.DC", DAY - timedelta(days=1))
    full = Batch(
        id=waiting.id,
        source="arxiv",
        section="cs.DC",
        day=waiting.day,
        state=BatchState.PARTIAL,
        due_at=waiting.due_at,
        expected=260,
        received=212,
        asked_at=NOW,
        answered_at=add_to_now(microseconds=-7),
        error="cut",
        failure=FailureKind.CUT_OFF,
        late=12,
        fills=True,
    )
    ledger.save_batch(tx, full)
    return full


def test_each_edition_goes_to_its_destinations_and_a_skipped_one_nowhere(store: Store) -> None:
    announce_many(store, 1)
    run_id, (one, two) = begin(store, "one", "two")
    with store.begin_write() as tx:
        (((to, *_),),) = [
            active_digest.destinations for active_digest in load_active_digests(tx) if active_digest.id == one
        ]
        new_editions = [
            edition(one, (item(tx, 1),), to=(NewDelivery(to, "smtp", "<a@x>", NOW),)),
            edition(two, skipped="too few"),
        ]
        editions.save_editions(tx, run_id, new_editions, [], NOW)
        editions.save_editions(tx, run_id, [], [], NOW)
        assert editions.list_composed_digests(tx, run_id, one, two + 1) == {one, two}
        assert editions.list_composed_digests(tx, run_id + 1, one, two) == frozenset()
        listed = editions.list_summaries(tx, digest=None, limit=9)
        (delivery,) = outbox.list_for_edition(tx, listed[1].id)
        assert [edition.id for edition in editions.load_last(tx, one, 9)] == [listed[1].id]
        assert editions.load_last(tx, two, 9) == ()

    assert [(edition_summary.digest, edition_summary.skipped) for edition_summary in listed] == [
        ("two", "too few"),
        ("one", ""),
    ]
    assert (delivery.message_id, delivery.state, delivery.due_at, delivery.attempts) == (
        "<a@x>",
        "ready",
        NOW,
        0,
    )


def test_the_last_editions_come_the_newest_first(store: Store) -> None:
    announce_many(store, 3)
    run_id, (number,) = begin(store, "systems")
    for step in range(3):
        with store.begin_write() as tx:
            editions.save_editions(
                tx, run_id, [edition(number, (item(tx, step + 1),))], [], add_to_now(hours=step)
            )
        with store.begin_write() as tx:
            digests.move_digests(tx)
            runs.finish_shard(tx, _claimed(tx), NOW)
            runs.finish_runs(tx, NOW)
            digests.move_digests(tx)
            runs.wake_slots(tx, add_to_now(days=step))
        run_id = run(store, add_to_now(days=step + 3))

    with store.begin_read() as tx:
        assert [edition.items[0].event.seq for edition in editions.load_last(tx, number, 2)] == [3, 2]
        assert [entry.id for entry in editions.list_summaries(tx, digest="systems", limit=2)] == [
            edition.id for edition in editions.load_last(tx, number, 2)
        ]


def _claimed(tx: Transaction) -> runs.Shard:
    shard = runs.claim_shard(tx, 1, NOW)
    assert shard is not None
    return shard


# --- what was told --------------------------------------------------------------------------------


def test_what_was_told_counts_items_and_rest_of_editions_that_were_made(store: Store) -> None:
    announce(store, make_new_listing(1), make_new_listing(2), make_replacement(3, 2), make_new_listing(4))
    run_id, (one, two, three) = begin(store, "one", "two", "three")
    with store.begin_write() as tx:
        new_editions = [
            edition(one, (item(tx, 1),), (item(tx, 3),)),
            edition(two, skipped="too few"),
            edition(three, (item(tx, 4),)),
        ]
        editions.save_editions(tx, run_id, new_editions, [], NOW)
        sent = sent_events.load_sent(tx, [one, two], LONG_AGO)
        assert sent_events.load_sent(tx, [one], add_to_now(seconds=1)) == {}
        assert sent_events.load_sent(tx, [], LONG_AGO) == {}

    assert sent == {
        one: {
            (PaperKey(make_paper(1).key), EventKind.NEW, 0),
            (PaperKey(make_paper(3).key), EventKind.VERSION, 2),
        }
    }


def test_what_was_told_of_a_paper_was_told_of_all_that_turn_out_to_be_one_with_it(store: Store) -> None:
    elsewhere = replace(make_paper(9), key=PaperKey("doi:10.1000/x"))
    announce(store, Listing(kind=ListingKind.NEW, paper=elsewhere), make_new_listing(2))
    run_id, (number,) = begin(store, "systems")
    with store.begin_write() as tx:
        editions.save_editions(tx, run_id, [edition(number, (item(tx, 1), item(tx, 2)))], [], NOW)
    announce(store, make_new_listing(1, doi="10.1000/x"), day=DAY + timedelta(days=1))

    with store.begin_read() as tx:
        entries = sent_events.load_sent(tx, [number], LONG_AGO)[number]
        (shown_edition,) = editions.load_last(tx, number, 1)

    assert entries == {(make_paper(1).key, EventKind.NEW, 0), (make_paper(2).key, EventKind.NEW, 0)}
    assert [item.paper.key for item in shown_edition.items] == [make_paper(1).key, make_paper(2).key]


def test_months_of_editions_are_looked_through_whatever_their_size(store: Store) -> None:
    announce_many(store, 1100)
    run_id, (number,) = begin(store, "systems")
    limit_statement_size(store)
    with store.begin_write() as tx:
        items = items_at(tx, range(1, 1101))
        editions.save_editions(tx, run_id, [edition(number, tuple(items[:25]), tuple(items[25:]))], [], NOW)
    with store.begin_read() as tx:
        assert len(sent_events.load_sent(tx, [number], LONG_AGO)[number]) == 1100
        (new_edition,) = editions.load_last(tx, number, 1)

    assert len(new_edition.overflow) == 1075


def test_a_day_that_was_told_missing_is_known_and_one_that_was_whole_is_not(store: Store) -> None:
    run_id, (one, two) = begin(store, "one", "two")
    with store.begin_write() as tx:
        states = [
            BatchState.FAILED,
            BatchState.WAITING,
            BatchState.PARTIAL,
            BatchState.COMPLETE,
            BatchState.EMPTY,
        ]
        days = []
        for at, state in enumerate(states):
            batch = ensure_batch(tx, day=DAY - timedelta(days=at))
            days.append(_in_state(tx, batch, state))
        editions.save_editions(tx, run_id, [edition(one), edition(two, skipped="too few")], days, NOW)
        assert editions.list_reported_missing(tx, [one, two], LONG_AGO) == {one: {day.id for day in days[:3]}}
        assert editions.list_reported_missing(tx, [one], add_to_now(seconds=1)) == {}
        assert editions.list_reported_missing(tx, [two], LONG_AGO) == {}


def test_a_day_that_fills_while_it_lasts_was_not_told_missing(store: Store) -> None:
    run_id, (number,) = begin(store, "systems")
    with store.begin_write() as tx:
        so_far = replace(ensure_batch(tx), state=BatchState.PARTIAL, received=23, fills=True)
        editions.save_editions(tx, run_id, [edition(number)], [so_far], NOW)
        assert editions.list_reported_missing(tx, [number], LONG_AGO) == {}


def _in_state(tx: Transaction, batch: Batch, state: BatchState) -> Batch:
    ledger.save_batch(tx, replace(batch, state=state))
    return ledger.load_batch_by_id(tx, batch.id)


def test_in_which_editions_events_were_told(store: Store) -> None:
    announce_many(store, 4)
    run_id, (one, two) = begin(store, "one", "two")
    with store.begin_write() as tx:
        new_editions = [
            edition(one, (item(tx, 1), item(tx, 2)), (item(tx, 3),)),
            edition(two, (item(tx, 4),)),
        ]
        editions.save_editions(tx, run_id, new_editions, [], NOW)
        (mine,) = editions.load_last(tx, one, 1)
        assert editions.list_placements(tx, one, [2]) == ((mine.id, "items", 2, False),)
        assert editions.list_placements(tx, one, [3]) == ((mine.id, "rest", 3, False),)
        assert editions.list_placements(tx, one, [4]) == ()


def test_editions_that_are_read_together_share_items_and_batches(store: Store) -> None:
    announce_many(store, 4)
    run_id, (one, two) = begin(store, "one", "two")
    with store.begin_write() as tx:
        rows, more = (item(tx, 1), item(tx, 2)), (item(tx, 3), item(tx, 4))
        new_editions = [edition(one, rows, more), edition(two, rows[:1], more)]
        editions.save_editions(tx, run_id, new_editions, [ensure_batch(tx)], NOW)
        edition_loader = EditionLoader()
        first, second = (editions.load_editions(tx, [number], edition_loader)[number] for number in (1, 2))

    assert first.items[0] is second.items[0]
    assert first.batches is second.batches
    assert [len(first.items), len(first.overflow), len(second.items)] == [2, 2, 1]
    assert [line.event for line in first.overflow] == [line.event for line in more]
    assert first.overflow == second.overflow
    assert first.overflow[0].event.seq == 3
