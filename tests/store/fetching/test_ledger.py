from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import insert

from digest.failures import FailureKind
from digest.model import Batch, BatchState, DayAnswer, DayVerdict, Freshness, RouteState, Section
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import run_batches, runs, slots
from digest.store.fetching import ledger
from tests.store.factories import DAY, NOW, run_concurrently

SINCE = date(2026, 6, 11)


def due(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 4, tzinfo=UTC)


def make(tx: Transaction, section: str, *days: date) -> list[Batch]:
    ledger.declare_sections(tx, "arxiv", [section], SINCE)
    ledger.make_batches(tx, "arxiv", section, [(day, due(day)) for day in days])
    return [ledger.load_batch(tx, "arxiv", section, day) for day in days]


# --- sections -------------------------------------------------------------------------------------


def test_a_section_keeps_the_day_it_began_with(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.LG", "cs.DC"], SINCE)
        ledger.declare_sections(tx, "arxiv", ["cs.LG", "cs.CL"], DAY)
        sections = ledger.list_active_sections(tx)

    assert [(section.name, section.since) for section in sections] == [
        ("cs.CL", DAY),
        ("cs.DC", SINCE),
        ("cs.LG", SINCE),
    ]


def test_a_section_that_left_is_not_asked_and_begins_anew_when_it_returns(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.LG", "cs.DC"], SINCE)
        ledger.declare_sections(tx, "other", ["cs.LG"], SINCE)
        ledger.remove_sections(tx, [("arxiv", "cs.DC"), ("other", "cs.LG")], NOW)
        left = ledger.list_active_sections(tx)
        ledger.declare_sections(tx, "arxiv", ["cs.LG", "cs.DC"], DAY)
        back = ledger.list_active_sections(tx)

    assert [(section.source, section.name) for section in left] == [("arxiv", "cs.DC"), ("other", "cs.LG")]
    assert [(section.name, section.since) for section in back if section.source == "arxiv"] == [
        ("cs.DC", SINCE),
        ("cs.LG", DAY),
    ]


def test_a_section_is_accounted_for_as_its_source_says_now(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "hf", ["daily"], SINCE)
        ledger.make_batches(tx, "hf", "daily", [(DAY, NOW)])
        before = ledger.load_batch(tx, "hf", "daily", DAY)
        ledger.declare_sections(tx, "hf", ["daily"], SINCE, accounted=False, fills=True)
        after = ledger.load_batch(tx, "hf", "daily", DAY)

        assert (before.fills, after.fills) == (False, True)
        assert ledger.list_last_batches(tx) == ()


def test_leaving_with_nothing_kept_or_nothing_there_is_no_trouble(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.remove_sections(tx, [("arxiv", "cs.DC")], NOW)
        ledger.declare_sections(tx, "arxiv", ["cs.LG"], SINCE)
        ledger.remove_sections(tx, [], NOW)
        assert ledger.list_active_sections(tx) == ()


def test_how_asking_went_is_kept_route_by_route_until_the_next_attempt(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC", "cs.LG"], SINCE)
        ledger.declare_sections(tx, "other", ["cs.LG"], SINCE)
        section = ledger.load_section(tx, "arxiv", "cs.LG")
        assert section == Section(source="arxiv", name="cs.LG", since=SINCE)
        first = RouteState(
            route="rss",
            url="https://example.org/rss",
            etag='"a"',
            last_modified="Fri, 12 Jun 2026 04:10:00 GMT",
            body_hash="abc",
            cursor="page 2",
            unfinished=True,
            asked_at=NOW,
            next_at=NOW + timedelta(minutes=5),
            interval=timedelta(hours=2),
            freshness=Freshness(
                ttl=timedelta(minutes=90), skip_hours=frozenset({1, 2}), skip_weekdays=frozenset({6})
            ),
            fruitless=2,
            errors=1,
            error="it broke",
            gone=True,
        )
        ledger.note_attempt(tx, section, first)
        other = RouteState(route="catchup", asked_at=NOW, answered_at=NOW)
        ledger.note_attempt(tx, section, other)
        assert ledger.load_section(tx, "arxiv", "cs.LG").routes == (other, first)
        second = replace(first, asked_at=NOW + timedelta(minutes=6), answered_at=NOW, errors=0, error="")
        ledger.note_attempt(tx, section, second)
        assert ledger.load_section(tx, "arxiv", "cs.LG").routes == (other, second)
        ledger.forget_own_pauses(tx)
        results = {
            (section.source, section.name): section.routes for section in ledger.list_active_sections(tx)
        }

    assert results == {
        ("arxiv", "cs.LG"): (other, replace(second, next_at=None, gone=False)),
        ("arxiv", "cs.DC"): (),
        ("other", "cs.LG"): (),
    }


# --- batches --------------------------------------------------------------------------------------


def test_a_days_row_is_made_once_and_what_is_known_of_it_stays(store: Store) -> None:
    with store.begin_write() as tx:
        (batch,) = make(tx, "cs.LG", DAY)
        ledger.save_batch(tx, replace(batch, state=BatchState.COMPLETE, received=7, answered_at=NOW))
    with store.begin_write() as tx:
        ledger.make_batches(tx, "arxiv", "cs.LG", [(DAY, NOW)])
        again = ledger.load_batch(tx, "arxiv", "cs.LG", DAY)

    assert (again.id, again.state, again.received, again.answered_at) == (
        batch.id,
        BatchState.COMPLETE,
        7,
        NOW,
    )
    assert again.due_at == due(DAY)


def test_a_days_row_is_made_once_also_by_several_at_once(store: Store) -> None:
    days = [DAY - timedelta(days=number) for number in range(10)]

    def account() -> list[int]:
        with store.begin_write() as tx:
            return [batch.id for batch in make(tx, "cs.LG", *days)]

    first, *others = run_concurrently(*[account] * 4)

    assert len(set(first)) == 10
    assert others == [first] * 3


def test_every_field_of_a_batch_and_what_each_route_answered_comes_back(store: Store) -> None:
    with store.begin_write() as tx:
        (batch,) = make(tx, "cs.LG", DAY)
        (other,) = make(tx, "cs.DC", DAY)
        rss = DayAnswer(route="rss", at=NOW, verdict=DayVerdict.CUT, listed=2000)
        page = DayAnswer(route="listing", at=NOW, verdict=DayVerdict.SHORT, listed=90, expected=2100)
        changed = replace(
            batch,
            state=BatchState.PARTIAL,
            expected=2100,
            received=2000,
            late=3,
            asked_at=NOW,
            answered_at=NOW + timedelta(microseconds=1),
            error="cut",
            failure=FailureKind.CUT_OFF,
            answers=(page, rss),
        )
        ledger.save_batch(tx, changed)
        assert ledger.load_batch(tx, "arxiv", "cs.LG", DAY) == changed
        assert ledger.list_unsettled_batches(tx) == (changed, other)
        assert ledger.load_batch_by_id(tx, batch.id) == replace(changed, answers=())
        day_answer = replace(page, verdict=DayVerdict.WHOLE, listed=2100)
        complete = replace(changed, state=BatchState.COMPLETE, answers=(day_answer, rss))
        ledger.save_batch(tx, complete)
        assert ledger.list_open_batches(tx, DAY) == (complete, other)


def test_a_batch_says_whether_its_days_fill_while_they_last(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "hf_daily", ["papers"], SINCE, fills=True)
        ledger.make_batches(tx, "hf_daily", "papers", [(DAY, NOW)])
        assert ledger.load_batch(tx, "hf_daily", "papers", DAY).fills
        (batch,) = make(tx, "cs.LG", DAY)
        assert not batch.fills


def test_a_section_that_left_has_no_days_to_account_for(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC", "cs.LG"], SINCE)
        make(tx, "cs.LG", DAY)
        ledger.remove_sections(tx, [("arxiv", "cs.DC")], NOW)
        assert ledger.list_section_days(tx) == (("arxiv", "cs.DC", SINCE, None),)


def test_batches_are_found_by_state_and_age(store: Store) -> None:
    yesterday = DAY - timedelta(days=1)
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC", "cs.LG"], SINCE)
        assert ledger.list_section_days(tx) == (
            ("arxiv", "cs.DC", SINCE, None),
            ("arxiv", "cs.LG", SINCE, None),
        )
        old, today = make(tx, "cs.LG", yesterday, DAY)
        (other,) = make(tx, "cs.DC", yesterday)
        ledger.save_batch(tx, replace(old, state=BatchState.FAILED))
        assert ledger.list_section_days(tx)[1] == ("arxiv", "cs.LG", SINCE, DAY)
        assert [batch.id for batch in ledger.list_waiting_batches(tx)] == [other.id, today.id]
        assert [batch.id for batch in ledger.list_unsettled_batches(tx)] == [other.id, today.id]
        # What waits is open however old it is.
        assert [batch.id for batch in ledger.list_open_batches(tx, DAY)] == [other.id, today.id]
        assert [batch.id for batch in ledger.list_open_batches(tx, yesterday)] == [old.id, other.id, today.id]
        assert [batch.id for batch in ledger.list_recent_batches(tx, yesterday)] == [
            other.id,
            old.id,
            today.id,
        ]
        assert [batch.id for batch in ledger.list_recent_batches(tx, DAY)] == [today.id]
        assert {batch.id for batch in ledger.list_last_batches(tx)} == {other.id, today.id}


def test_the_last_days_that_had_listings_are_what_a_stale_answer_repeats(store: Store) -> None:
    days = [DAY - timedelta(days=number) for number in (3, 2, 1, 0)]
    with store.begin_write() as tx:
        first, second, empty, today = make(tx, "cs.LG", *days)
        (other,) = make(tx, "cs.DC", days[2])
        ledger.save_batch(tx, replace(first, received=5))
        ledger.save_batch(tx, replace(second, received=3))
        ledger.save_batch(tx, replace(empty, state=BatchState.EMPTY))
        ledger.save_batch(tx, replace(other, received=5))
        assert [batch.id for batch in ledger.list_batches_before(tx, "arxiv", "cs.LG", DAY, 1)] == [second.id]
        both = [batch.id for batch in ledger.list_batches_before(tx, "arxiv", "cs.LG", DAY, 5)]
        assert both == [second.id, first.id]
        assert ledger.list_batches_before(tx, "arxiv", "cs.LG", days[0], 5) == ()
        assert ledger.find_batch(tx, "arxiv", "cs.LG", DAY) == today
        assert ledger.find_batch(tx, "arxiv", "cs.LG", DAY + timedelta(days=1)) is None


def test_an_answer_that_covers_a_day_and_has_nothing_of_it_is_an_answer_about_it(store: Store) -> None:
    with store.begin_write() as tx:
        (batch,) = make(tx, "cs.LG", DAY)
        ledger.note_quiet_batches(tx, [batch], NOW)
        assert ledger.load_batch_by_id(tx, batch.id) == replace(batch, asked_at=NOW, answered_at=NOW)


def test_what_was_settled_from_an_old_look_leaves_a_newer_answer_alone(store: Store) -> None:
    with store.begin_write() as tx:
        (batch,) = make(tx, "cs.LG", DAY)
        answered = replace(batch, state=BatchState.COMPLETE, received=7, asked_at=NOW, answered_at=NOW)
        ledger.save_batch(tx, answered)
        # `batch` was read before the answer came, by a process that comes to write only now.
        ledger.settle_batch(tx, batch, BatchState.FAILED)
        ledger.note_attempted_batches(
            tx, [batch], NOW + timedelta(minutes=1), "it cannot be reached", FailureKind.UNREACHED
        )
        assert ledger.load_batch_by_id(tx, batch.id) == answered
        (waiting,) = make(tx, "cs.DC", DAY)
        ledger.note_attempted_batches(tx, [waiting], NOW, "it cannot be reached", FailureKind.UNREACHED)
        ledger.settle_batch(tx, waiting, BatchState.FAILED)
        assert ledger.load_batch_by_id(tx, waiting.id) == replace(
            waiting,
            state=BatchState.FAILED,
            asked_at=NOW,
            error="it cannot be reached",
            failure=FailureKind.UNREACHED,
        )
        # A day that failed is asked for again, and the run that waits for the attempt sees that it was.
        ledger.note_attempted_batches(
            tx, [ledger.load_batch_by_id(tx, waiting.id)], NOW + timedelta(hours=1), "", None
        )
        assert ledger.load_batch_by_id(tx, waiting.id).asked_at == NOW + timedelta(hours=1)


# --- what a run waits for -------------------------------------------------------------------------


def test_a_run_does_not_wait_for_a_section_that_left(store: Store) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.DC", "cs.LG"], SINCE)
        batches = [*make(tx, "cs.LG", DAY), *make(tx, "cs.DC", DAY)]
        slot = tx.execute(
            insert(slots).returning(slots.c.id),
            {
                "frequency": "daily",
                "zone": "UTC",
                "at": "07:30",
                "days": "0",
                "every": 0,
                "latest": "",
                "catch_up": "once",
                "cursor_seq": 0,
            },
        ).scalar_one()
        times = {"fire_at": NOW, "made_at": NOW}
        run = tx.execute(
            insert(runs).returning(runs.c.id), {"slot_id": slot, "period": "p", "state": "open"} | times
        ).scalar_one()
        tx.execute(insert(run_batches), [{"run_id": run, "batch_id": batch.id} for batch in batches])
        assert [batch.section for batch in ledger.load_batches_of_run(tx, run)] == ["cs.DC", "cs.LG"]
        ledger.remove_sections(tx, [("arxiv", "cs.LG")], NOW)
        assert [batch.section for batch in ledger.load_batches_of_run(tx, run)] == ["cs.LG"]


# --- usual sizes ----------------------------------------------------------------------------------

DAYS = [date(2026, 6, 1) + timedelta(days=number) for number in range(5)]


def keep(tx: Transaction, section: str, sizes: list[int | None]) -> list[Batch]:
    """Days of a section: complete with so many listings, or empty; None for one that waits."""
    results = []
    for batch, size in zip(make(tx, section, *DAYS[: len(sizes)]), sizes, strict=True):
        state = BatchState.WAITING if size is None else BatchState.COMPLETE if size else BatchState.EMPTY
        results.append(replace(batch, state=state, received=size or 0))
        ledger.save_batch(tx, results[-1])
    return results


def test_the_usual_size_of_a_section_is_that_of_its_days_before(store: Store) -> None:
    with store.begin_write() as tx:
        small = keep(tx, "cs.OS", [0, 1, 0, 2, None])
        large = keep(tx, "cs.LG", [30, 10, 20, 40, 50])
        fresh = keep(tx, "cs.SC", [None, None, None, None, None])
        batches = ledger.add_usual_sizes(tx, [small[4], large[4], fresh[4]])

    assert [batch.usual for batch in batches] == [0, 20, None]
    assert [replace(batch, usual=None) for batch in batches] == [small[4], large[4], fresh[4]]


def test_a_lost_day_of_a_section_that_announces_once_a_week_has_a_size(store: Store) -> None:
    with store.begin_write() as tx:
        weekly = keep(tx, "cs.OS", [0, 20, 0, 0, None])
        lost = replace(weekly[4], state=BatchState.FAILED)
        (waiting,) = ledger.add_usual_sizes(tx, [weekly[4]])
        (failed,) = ledger.add_usual_sizes(tx, [lost])

    assert (waiting.usual, failed.usual) == (0, 5)


def test_a_day_of_which_a_source_had_nothing_counts_before_it_is_over(store: Store) -> None:
    with store.begin_write() as tx:
        waiting = keep(tx, "cs.OS", [None, None])
        ledger.save_batch(tx, replace(waiting[0], asked_at=NOW, answered_at=NOW))
        (batch,) = ledger.add_usual_sizes(tx, [waiting[1]])

    assert batch.usual == 0


def test_where_nothing_is_missing_no_usual_size_is_looked_up(store: Store) -> None:
    with store.begin_write() as tx:
        batches = keep(tx, "cs.LG", [30, 10, 20])
        assert ledger.add_usual_sizes(tx, batches) == tuple(batches)


def test_a_day_is_announced_when_an_answer_that_is_sure_has_papers_of_it(store: Store) -> None:
    def answered(batch: Batch, at: datetime, listed: int, verdict: DayVerdict = DayVerdict.WHOLE) -> None:
        answer = DayAnswer(route="rss", at=at, verdict=verdict, listed=listed)
        ledger.save_batch(tx, replace(batch, answers=(answer,)))

    with store.begin_write() as tx:
        waiting = keep(tx, "cs.OS", [None, None, None])
        first, second, third = keep(tx, "cs.LG", [30, 20, 10])
        later = keep(tx, "cs.CL", [30, None, None])[0]
        answered(first, NOW + timedelta(hours=1), 30)
        answered(later, NOW, 30)
        answered(second, NOW, 20, DayVerdict.UNCHECKED)
        answered(third, NOW, 0, DayVerdict.QUIET)
        times = ledger.find_announcement_times(tx, waiting)
        assert ledger.find_announcement_times(tx, [first, later]) == {}

    assert times == {("arxiv", DAYS[0]): NOW}
