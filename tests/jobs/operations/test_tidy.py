"""What is older than the store is to keep goes, in small steps; what a later decision depends on stays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper
from digest.jobs.matching.match import match
from digest.jobs.operations import pruning
from digest.jobs.operations.pruning import PruneStep, count_old, prune_all, prune_daily, prune_old
from digest.ports import Source
from digest.render.publishing.digest_feed import FeedArchives
from digest.store.database.engine import Store
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import (
    deliveries,
    digests,
    edition_changes,
    notices,
    partly_sent,
    runs,
    slots,
)
from digest.store.database.tables.digests import editions as edition_rows
from digest.store.database.tables.papers import events, listings
from digest.store.editions import editions, sent_events
from digest.store.operations.pruning import old_runs
from digest.store.publishing import web_queries
from tests.store.conftest import store_url
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    announce,
    change_options,
    declare,
    make_cross_listing,
    make_digest,
    make_new_listing,
    make_replacement,
)

__all__ = ["store_url"]  # on both databases: rows are removed by statements of their own

SOURCES: dict[str, Source] = {}
"""None is waited for: their days are settled by tests of their own."""
LETTERS = MessageIds(key=b"key", domain="example.org")
FIRST = datetime(2026, 6, 12, 15, 0, tzinfo=UTC)
"""A Friday, 17:00 in Berlin."""
KEEP = timedelta(days=400)
MAIL = make_digest("mail", queries=["paper"], schedule="weekly fri 15:00")
FEED = change_options(make_digest("feed", queries=["paper"], schedule="weekly fri 16:00"), feed=True)


@dataclass
class StoreLife:
    """A store over years: papers come, are listed again and replaced, and two digests tell of them.

    Attributes:
        tidied: what grew old is removed after each cycle.
        sent_events: by digest, the events that editions told, as they were told.
    """

    store: Store
    tidied: bool

    def __post_init__(self) -> None:
        self.sent_events: dict[int, list[int]] = {}
        self.sizes: list[Counter[str]] = []

    def pass_years(self, years: int, *, every: int) -> None:
        declare(self.store, MAIL, FEED, now=FIRST)
        for number in range(365 * years // every):
            self.cycle(number, FIRST + timedelta(days=7 * every * number // 7))

    def cycle(self, number: int, now: datetime) -> None:
        day = now.date()
        fire_slots(self.store, SOURCES, now)
        announce(self.store, make_new_listing(2 * number + 1), make_new_listing(2 * number + 2), day=day)
        announce(
            self.store,
            make_cross_listing(2 * number + 1, categories=("cs.LG", "cs.CL")),
            section="cs.CL",
            day=day,
        )
        for earlier in (1, 7, number // 2 + 1):
            if number > earlier:
                old = 2 * (number - earlier) + 1
                announce(self.store, make_cross_listing(old), make_replacement(old, version=0), day=day)
        match(self.store)
        close_runs(self.store, SOURCES, now, wait=False)
        compose_editions(self.store, LETTERS, 1, now)
        self._deliver(now)
        if self.tidied:
            prune_daily(self.store, KEEP, now)
        self.sizes.append(counted(self.store))

    def _deliver(self, now: datetime) -> None:
        with self.store.begin_write() as tx:
            fresh = select(edition_rows).where(
                edition_rows.c.composed_at == now, edition_rows.c.skipped == ""
            )
            for row in tx.execute(fresh):
                self.sent_events.setdefault(row.digest_id, []).extend(sent_events.list_seqs(row))
            tx.execute(
                update(deliveries).values(state="sent", sent_at=now).where(deliveries.c.state == "ready")
            )


def days_later(store: Store, days: int) -> datetime:
    """A time at which a source has told of the day: ages are counted from what sources tell."""
    now = FIRST + timedelta(days=days)
    announce(store, make_new_listing(90_000), section="cs.OS", day=now.date())
    return now


def counted(store: Store) -> Counter[str]:
    with store.begin_read() as tx:
        return Counter(
            {
                name: tx.execute(select(func.count()).select_from(table)).scalar_one()
                for name, table in metadata.tables.items()
            }
        )


def happened(store: Store) -> list[Any]:
    """All events but their days, which listings of the same day in another section may correct."""
    with store.begin_read() as tx:
        return list(tx.execute(select(events).order_by(events.c.seq)).all())


def of_digest(store: Store, name: str) -> list[int]:
    """The editions of a digest, the first one first."""
    with store.begin_read() as tx:
        number = tx.execute(select(digests.c.id).where(digests.c.name == name)).scalar_one()
        return [edition for edition, _ in editions.list_composed(tx, number)]


@pytest.mark.long
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # a rehearsal on PostgreSQL uses numbers up
def test_in_three_years_a_store_that_is_tidied_stays_small_and_tells_what_one_that_is_not_would(
    store: Store,
) -> None:
    with store.begin_dry_run() as twin:
        untidied = StoreLife(twin, tidied=False)
        untidied.pass_years(3, every=28)
        expected = happened(twin)
    life = StoreLife(store, tidied=True)
    life.pass_years(3, every=28)

    assert life.sent_events == untidied.sent_events
    assert happened(store) == expected
    told_by = {digest_id: Counter(seqs) for digest_id, seqs in life.sent_events.items()}
    assert all(count == 1 for fields in told_by.values() for count in fields.values())

    remaining_count = KEEP.days // 28 + 2
    end, at_two_years = life.sizes[-1], life.sizes[2 * 365 // 28]
    assert len(of_digest(store, "mail")) <= remaining_count
    assert end["deliveries"] <= 2 * remaining_count < untidied.sizes[-1]["deliveries"]
    assert end["deliveries"] <= at_two_years["deliveries"] + 2
    assert end["listings"] < untidied.sizes[-1]["listings"] * 3 / 4
    for table in ("papers", "statements", "events", "follows", "queries"):
        assert end[table] == untidied.sizes[-1][table]


@postgres_if_long
def test_archives_of_feeds_never_change_and_why_knows_what_is_kept(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(2, every=56)
    now = days_later(store, 800)
    with store.begin_read() as tx:
        mine = tx.execute(select(digests.c.id).where(digests.c.name == "feed")).scalar_one()
        before = editions.load_editions(tx, of_digest(store, "feed"))

    list(prune_all(store, KEEP, now))

    with store.begin_read() as tx:
        assert editions.load_editions(tx, of_digest(store, "feed")) == before
        assert web_queries.count_editions(tx, mine) == len(before)
        assert web_queries.list_editions_after(tx, mine, 0, 5) == tuple(reversed(sorted(before)[:5]))
    assert explain_paper(store, "feed", "2606.00001").verdict.startswith("Yes: in edition")
    assert explain_paper(store, "mail", "2606.00024").verdict.startswith("Yes: in edition")
    forgotten = explain_paper(store, "mail", "2606.00002").verdict
    assert "editions from before 2027-07-1" in forgotten
    assert "[store] keep" in forgotten


@postgres_if_long
def test_a_feed_whose_first_editions_are_gone_has_the_other_archives_under_their_numbers(
    store: Store,
) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(2, every=56)
    all_values = of_digest(store, "mail")
    list(prune_all(store, KEEP, days_later(store, 800)))
    with store.begin_write() as tx:
        tx.execute(update(digests).values(feed=True))
        mine = tx.execute(select(digests.c.id).where(digests.c.name == "mail")).scalar_one()
        count, pruned = web_queries.count_editions(tx, mine), web_queries.count_pruned_editions(tx, mine)
        later = web_queries.list_editions_after(tx, mine, 10, 5)

    assert count == len(all_values)
    assert 5 < pruned < 10
    archives = FeedArchives(count, pruned)
    assert [number for number in range(-1, 9) if archives.has_archive(number)] == [*range(3, count // 5 + 1)]
    assert later == tuple(reversed(all_values[10:15]))
    grown = FeedArchives(edition_count=23, pruned_count=8)
    assert [number for number in range(-1, 9) if grown.has_archive(number)] == [3, 4]
    assert grown.find_next(8) == 3
    assert grown.find_next(13) == 0, "what comes before is gone in part"


def test_what_is_still_needed_stays_however_old_it_is(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    with store.begin_write() as tx:
        waiting, held = tx.execute(select(deliveries.c.id).order_by(deliveries.c.id).limit(2)).scalars().all()
        tx.execute(update(deliveries).where(deliveries.c.id == waiting).values(state="ready"))
        tx.execute(update(deliveries).where(deliveries.c.id == held).values(state="held"))
        last_delivery = tx.execute(select(func.max(deliveries.c.id))).scalar_one()
        last_run = tx.execute(select(func.max(runs.c.id))).scalar_one()
        partly = tx.execute(select(deliveries.c.id).where(deliveries.c.state == "sent").limit(1)).scalar_one()
        tx.execute(insert(partly_sent), {"delivery_id": partly, "parts": 2})
    last = of_digest(store, "mail")[-1]

    list(prune_all(store, KEEP, days_later(store, 3000)))

    with store.begin_read() as tx:
        assert set(tx.execute(select(deliveries.c.id)).scalars()) == {waiting, held, last_delivery}
        assert last_run in set(tx.execute(select(runs.c.id)).scalars())
        assert tx.execute(select(partly_sent)).all() == []
    assert last in of_digest(store, "mail")


def test_the_slot_of_a_first_edition_goes_when_its_run_is_old_and_empty(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    now = days_later(store, 1000)
    assert count_single_slots(store) == 1
    with store.begin_write() as tx:
        statement = select(runs.c.id).join(slots, slots.c.id == runs.c.slot_id)
        first_run = tx.execute(statement.where(slots.c.frequency == "once")).scalar_one()
        tx.execute(update(digests).where(digests.c.name == "feed").values(feed=False))
        # A reader who had no other edition has an archive of one.
        last = tx.execute(select(func.max(edition_rows.c.id))).scalar_one()
        digest_id = tx.execute(select(edition_rows.c.digest_id).where(edition_rows.c.id == last)).scalar_one()
        is_first = (edition_rows.c.run_id == first_run) & (edition_rows.c.digest_id == digest_id)
        only = tx.execute(select(edition_rows.c.id).where(is_first)).scalar_one()
        later_ids = select(edition_rows.c.id).where(
            edition_rows.c.digest_id == digest_id, edition_rows.c.id != only, edition_rows.c.id < last
        )
        later = tx.execute(later_ids).scalars().all()
        tx.execute(update(edition_rows).where(edition_rows.c.id.in_([*later, last])).values(skipped="small"))
    list(prune_all(store, KEEP, now))
    assert count_single_slots(store) == 1, "an edition of its run stays"

    with store.begin_write() as tx:
        tx.execute(update(edition_rows).where(edition_rows.c.id == last).values(skipped=""))
    expected = {removal.table: removal.rows for removal in count_old(store, KEEP, now)}
    assert expected["slots"] == 1
    list(prune_all(store, KEEP, now))
    assert count_single_slots(store) == 0
    with store.begin_read() as tx:
        assert tx.execute(select(runs.c.id).where(runs.c.id == first_run)).first() is None


def test_the_slot_of_a_single_edition_stays_while_a_digest_is_in_it(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    with store.begin_write() as tx:
        single = tx.execute(select(slots.c.id).where(slots.c.frequency == "once")).scalar_one()
        tx.execute(update(digests).where(digests.c.name == "mail").values(next_slot_id=single))
        tx.execute(update(digests).where(digests.c.name == "feed").values(feed=False))

    list(prune_all(store, KEEP, days_later(store, 1000)))

    assert count_single_slots(store) == 1


def count_single_slots(store: Store) -> int:
    with store.begin_read() as tx:
        is_single = slots.c.frequency == "once"
        return tx.execute(select(func.count()).select_from(slots).where(is_single)).scalar_one()


def test_what_an_edition_told_of_its_digest_goes_with_it(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    before = of_digest(store, "mail")
    with store.begin_write() as tx:
        tx.execute(
            insert(edition_changes), [{"edition_id": number, "changes": {}} for number in sorted(before)]
        )

    list(prune_all(store, KEEP, days_later(store, 3000)))

    after = of_digest(store, "mail")
    assert len(after) < len(before)
    with store.begin_read() as tx:
        assert set(tx.execute(select(edition_changes.c.edition_id)).scalars()) == set(after)


def test_stopped_anywhere_it_goes_on_and_removes_what_a_dry_run_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_runs, "EDITIONS_PER_STEP", 2)
    life = StoreLife(store, tidied=False)
    life.pass_years(2, every=56)
    now = days_later(store, 1000)
    expected = {removal.table: removal.rows for removal in count_old(store, KEEP, now)}
    before = counted(store)

    removed: Counter[str] = Counter()
    steps = 0
    for count in (1, 2, 3, 5, 8, 13, 10_000):
        prune_steps = list(islice(prune_old(store, KEEP, now), count))
        steps += len(prune_steps)
        for removal in (removal for step in prune_steps for removal in step.removed):
            removed[removal.table] += removal.rows
            assert removal.rows <= 2 or removal.table == "listings"
        if len(prune_steps) < count:
            break

    assert removed == expected
    assert removed.keys() == {"deliveries", "editions", "runs", "listings"}
    after = counted(store)
    assert all(before[table] - after[table] == rows for table, rows in removed.items())
    assert count_old(store, KEEP, now) == ()


def test_a_day_with_much_to_remove_is_spread_over_cycles(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_runs, "EDITIONS_PER_STEP", 1)
    monkeypatch.setattr(pruning, "_MAX_STEPS", 4)
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    now = days_later(store, 1000)
    left = [sum(removal.rows for removal in count_old(store, KEEP, now))]
    while left[-1]:
        prune_daily(store, KEEP, now)
        left.append(sum(removal.rows for removal in count_old(store, KEEP, now)))

    assert len(left) > 4
    assert all(later < earlier for earlier, later in pairwise(left))
    prune_daily(store, KEEP, now)
    before = counted(store)
    prune_daily(store, KEEP, now + timedelta(hours=23))
    assert counted(store) == before


def test_many_editions_that_stay_do_not_keep_later_ones_from_going(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_runs, "EDITIONS_PER_STEP", 1)
    monkeypatch.setattr(pruning, "_MAX_STEPS", 4)
    feeds = [
        change_options(
            make_digest(f"feed {number}", queries=["paper"], schedule="weekly fri 15:00"), feed=True
        )
        for number in range(6)
    ]
    life = StoreLife(store, tidied=False)
    declare(store, *feeds, MAIL, now=FIRST)
    for number in range(3):
        life.cycle(number, FIRST + timedelta(weeks=number))
    now = days_later(store, 1000)
    before = of_digest(store, "mail")

    for _ in range(40):
        prune_daily(store, KEEP, now)

    assert len(before) == 3
    assert of_digest(store, "mail") == before[-1:], "the others are behind those of six feeds, which stay"
    assert count_old(store, KEEP, now) == ()


def test_many_old_announcement_days_are_spread_over_cycles(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "_DAYS_PER_TRANSACTION", 1)
    monkeypatch.setattr(pruning, "_MAX_STEPS", 4)
    for number in range(1, 11):
        announce(store, make_new_listing(number), day=(FIRST + timedelta(days=number)).date())
    now = days_later(store, 1000)
    assert [(removal.table, removal.rows) for removal in count_old(store, KEEP, now)] == [("listings", 10)]

    for _ in range(4):
        prune_daily(store, KEEP, now)

    assert count_old(store, KEEP, now) == ()


def test_it_says_what_it_freed(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(2, every=56)
    with store.begin_write() as tx:
        long_ago = {"text": "t" * 9_000, "noted_at": FIRST, "attempts": 0, "told": []}
        tx.execute(insert(notices), [long_ago | {"name": f"n{number}"} for number in range(40)])

    *steps, tidied = prune_all(store, KEEP, days_later(store, 1000))

    assert all(isinstance(step, PruneStep) and step.finished_count <= step.total for step in steps)
    assert not isinstance(tidied, PruneStep)
    rows = {removal.table: removal.rows for removal in tidied.removed}
    assert rows["notices"] == 40
    assert rows["deliveries"] > 10
    assert tidied.size > 1_000


def test_what_is_kept_for_ever_stays(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    before = counted(store)

    prune_daily(store, None, FIRST + timedelta(days=9000))
    assert list(prune_all(store, None, FIRST + timedelta(days=9000)))[-1:] != []

    assert counted(store)["editions"] == before["editions"]
    assert counted(store)["listings"] == before["listings"]


def test_an_event_keeps_its_day_when_the_listing_of_that_day_is_gone(store: Store) -> None:
    announce(store, make_new_listing(1), day=date(2026, 6, 12))
    announce(store, make_replacement(1, 2), day=date(2026, 6, 15))
    list(prune_all(store, KEEP, days_later(store, 1000)))
    with store.begin_read() as tx:
        assert tx.execute(select(func.count()).select_from(listings)).scalar_one() == 2

    announce(store, make_cross_listing(1), make_replacement(1, 3), day=date(2028, 6, 12))

    assert [(entry.kind, entry.number, entry.day.year) for entry in happened(store)] == [
        ("new", 0, 2026),
        ("version", 2, 2026),
        ("new", 0, 2029),  # the paper of the later day
        ("version", 3, 2028),
    ]


@postgres_if_long
def test_by_a_clock_that_is_ahead_nothing_goes_that_is_not_old_by_what_sources_tell(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(1, every=56)
    before = counted(store)

    list(prune_all(store, KEEP, FIRST + timedelta(days=3000)))
    prune_daily(store, KEEP, FIRST + timedelta(days=3000))

    assert counted(store) - Counter(notes=2) <= before
    assert counted(store)["editions"] == before["editions"]


@postgres_if_long
def test_what_stays_costs_no_transaction_when_it_is_looked_at_again(store: Store) -> None:
    life = StoreLife(store, tidied=False)
    life.pass_years(2, every=56)
    now = days_later(store, 1000)
    list(prune_all(store, KEEP, now))

    assert [prune_step for prune_step in prune_old(store, KEEP, now) if prune_step.removed] == []
    with store.begin_read() as tx:
        assert old_runs.list_old_runs(tx, now - KEEP) == []
