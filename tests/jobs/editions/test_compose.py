"""Runs that wait and close, against a store on both databases."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, event, insert, select

from digest.config import DigestSettings, FollowSettings
from digest.core.language.parser import parse
from digest.core.language.query import format_paper_events as paper_query
from digest.jobs.editions import evidence_cache
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper, find_digest
from digest.jobs.matching.match import match
from digest.model import (
    Edition,
    EditionPart,
    EventKind,
    Evidence,
    Listing,
    ListingKind,
    PaperKey,
    Reason,
    RunState,
)
from digest.sources.arxiv import Source
from digest.store.database.engine import Store
from digest.store.database.tables.digests import deliveries as delivery_rows
from digest.store.database.tables.digests import queries, shard_evidence, shards
from digest.store.delivery import outbox
from digest.store.editions import editions, runs, shared_evidence
from digest.store.editions.runs import LARGE_RUN_SIZE
from digest.store.fetching import ledger as rows
from digest.store.subscribers import pauses
from digest.store.subscribers.digests import Digest
from tests.store.factories import (
    NOW,
    add_to_now,
    announce,
    change_options,
    declare,
    load_active_digests,
    make_digest,
    make_new_listing,
    make_paper,
    make_replacement,
    record_statements,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
LETTERS = MessageIds(key=b"key", domain="example.org")


def states(store: Store) -> list[RunState]:
    with store.begin_read() as tx:
        return [run.state for run, _ in runs.list_recent_runs(tx, 9)]


def test_a_run_waits_for_the_first_attempt_at_its_days(store: Store) -> None:
    declare(store, make_digest())
    assert fire_slots(store, SOURCES, NOW) == 1
    match(store)

    (waiting,) = close_runs(store, SOURCES, NOW, wait=True)

    assert [(batch.section, batch.day) for batch in waiting.batches] == [("cs.LG", NOW.date())]
    assert close_runs(store, SOURCES, NOW, wait=False) == ()
    assert states(store) == [RunState.CLOSED]


def test_a_run_waits_for_the_sources_that_its_digests_name_and_tells_of_all(store: Store) -> None:
    journal = Source(categories=("cs.DC",), name="journal")
    both = SOURCES | {"journal": journal}
    declare(
        store,
        *(
            make_digest(name, wait_for=names)
            for name, names in (("one", ["journal"]), ("all", ["journal", "arxiv"]))
        ),
        make_digest("any"),
    )
    assert fire_slots(store, both, NOW) == 3
    match(store)

    waiting = close_runs(store, both, NOW, wait=True)

    assert [sorted(batch.source for batch in waiting_run.batches) for waiting_run in waiting] == [
        ["journal"],
        ["arxiv", "journal"],
        ["arxiv", "journal"],
    ]
    with store.begin_read() as tx:
        batcheses = [rows.load_batches_of_run(tx, waiting_run.run.id) for waiting_run in waiting]
    assert [{batch.source for batch in batches} for batches in batcheses] == 3 * [{"arxiv", "journal"}]


# --- when it goes out -----------------------------------------------------------------------------


def turns(store: Store, now: datetime) -> dict[str, datetime]:
    """Compose what is closed, spread over an hour, and say when each delivery of it is due, by address."""
    compose_editions(store, LETTERS, 1, now, spread=timedelta(hours=1))
    with store.begin_read() as tx:
        deliveries = outbox.list_recent(tx, state="ready", limit=2 * LARGE_RUN_SIZE)
    return {delivery.address: delivery.due_at for delivery in deliveries if delivery.due_at >= now}


def test_a_large_run_is_spread_and_each_reader_has_the_same_place_in_it_every_day(store: Store) -> None:
    many = [
        make_digest(f"d{number}", queries=["paper"], to=[f"{number}.{way}@example.org" for way in range(101)])
        for number in range(10)
    ]
    places = []
    declare(store, *many)
    for day, now in enumerate((NOW, MONDAY), start=1):
        announce(store, make_new_listing(day), day=now.date())
        fire_slots(store, SOURCES, now)
        match(store)
        close_runs(store, SOURCES, now, wait=False)
        places.append({address: due - now for address, due in turns(store, now).items()})

    assert places[0] == places[1]
    assert len(places[0]) == 1010
    assert len(set(places[0].values())) > 1000
    assert all(timedelta(0) <= place < timedelta(hours=1) for place in places[0].values())


def test_a_small_run_goes_out_at_once(store: Store) -> None:
    declare(
        store,
        make_digest(to=[f"{number}@example.org" for number in range(LARGE_RUN_SIZE)], queries=["paper"]),
    )
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)

    assert set(turns(store, NOW).values()) == {NOW}


def test_all_of_a_run_is_due_when_it_closed_however_long_composing_takes(store: Store) -> None:
    declare(store, make_digest(to=["one@example.org"], queries=["paper"]))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)

    compose_editions(store, LETTERS, 1, add_to_now(minutes=5))

    with store.begin_read() as tx:
        assert [delivery.due_at for delivery in outbox.list_recent(tx, limit=2)] == [NOW]


def test_a_delivery_says_what_most_of_its_papers_are_there_for(store: Store) -> None:
    declare(store, following(wish("serving"), wish("graphs"), wish("blockchain", exclude=True), limit=3))
    announce(
        store,
        make_new_listing(1, title="Serving graphs"),
        make_new_listing(2, title="Serving on a blockchain"),
        make_new_listing(3, title="Graphs"),
        make_new_listing(4, title="Graphs, too"),
        make_new_listing(5, title="Serving behind what is shown in full"),
        make_new_listing(6, title="Serving, too"),
    )

    run(store, NOW)

    (edition,) = editions_of(store)
    assert [item.paper.key for item in edition.items] == [
        make_paper(1).key,
        make_paper(3).key,
        make_paper(4).key,
    ]
    with store.begin_read() as tx:
        sent_select = select(queries.c.text).join(delivery_rows, delivery_rows.c.main_query == queries.c.id)
        assert tx.execute(sent_select).scalars().all() == ["graphs"]


def test_a_run_that_all_its_digests_have_left_holds_nobody_up(store: Store) -> None:
    declare(store, make_digest())
    fire_slots(store, SOURCES, NOW)
    declare(store)
    match(store)

    assert close_runs(store, SOURCES, NOW, wait=True) == ()
    assert compose_editions(store, LETTERS, 1, NOW) == 0
    assert states(store) == [RunState.COMPOSED]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_a_shard_whose_composing_was_interrupted_is_composed_by_the_next_at_once(
    store: Store, stop: type[BaseException]
) -> None:
    class Interrupting(MessageIds):
        def make_message_id(self, *_: object) -> str:
            raise stop

    declare(store, change_options(make_digest(), when_empty="tell"))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)

    with pytest.raises(stop):
        compose_editions(store, Interrupting(key=b"", domain=""), 1, NOW)
    assert states(store) == [RunState.CLOSED]

    assert compose_editions(store, LETTERS, 2, NOW) == 1
    assert compose_editions(store, LETTERS, 3, NOW) == 0
    assert states(store) == [RunState.COMPOSED]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile(MessageIds):
    """Lets something happen while editions are composed, the first time."""

    happens: list[Callable[[], object]]

    def make_message_id(self, digest: Digest, period: str, channel: str, address: str) -> str:
        while self.happens:
            self.happens.pop()()
        return LETTERS.make_message_id(digest, period, channel, address)


def meanwhile(happens: Callable[[], object]) -> MessageIds:
    return Meanwhile(key=b"", domain="", happens=[happens])


def test_others_write_while_a_shard_is_composed_and_who_is_paused_then_gets_no_edition(store: Store) -> None:
    declare(store, make_digest("one", queries=["paper"]), make_digest("two", queries=["paper"]))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)

    def paused() -> None:
        with store.begin_planning() as tx:
            pauses.pause_digest(tx, find_digest(tx, "one").id, None, "then")

    assert compose_editions(store, meanwhile(paused), 1, NOW) == 1
    assert len(editions_of(store, "two")) == 1
    with store.begin_read() as tx:
        assert find_digest(tx, "one").from_seq == 0
        assert editions.load_last(tx, find_digest(tx, "one").id, 9) == ()


def test_a_shard_that_another_has_taken_over_meanwhile_is_left_to_it(store: Store) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    others: list[int] = []

    def taken_over() -> None:
        others.append(compose_editions(store, LETTERS, 2, NOW + 2 * runs.LEASE_DURATION))

    assert compose_editions(store, meanwhile(taken_over), 1, NOW) == 0
    assert others == [1]
    assert len(editions_of(store)) == 1


def test_a_shard_that_the_store_could_not_take_back_is_composed_by_the_same_process_later(
    store: Store,
) -> None:
    declare(store, change_options(make_digest(), when_empty="tell"))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    with store.begin_write() as tx:
        assert runs.claim_shard(tx, 1, NOW) is not None

    assert compose_editions(store, LETTERS, 2, NOW) == 0, "another one's lease is not over"
    assert compose_editions(store, LETTERS, 1, NOW) == 1
    assert states(store) == [RunState.COMPOSED]


# --- what is told ---------------------------------------------------------------------------------


MONDAY = NOW + timedelta(days=3)


def run(store: Store, now: datetime, name: str = "systems") -> list[tuple[str, EditionPart, EventKind]]:
    """What the edition of a time tells: paper, part and kind of event."""
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, LETTERS, 1, now)
    return told_at(store, now, name)


def told_at(store: Store, now: datetime, name: str) -> list[tuple[str, EditionPart, EventKind]]:
    with store.begin_read() as tx:
        (number,) = [
            active_digest.id for active_digest in load_active_digests(tx) if active_digest.name == name
        ]
        new_editions = [
            edition for edition in editions.load_last(tx, number, 9) if edition.composed_at == now
        ]
    return [
        (item.paper.key, item.part, item.event.kind) for edition in new_editions for item in edition.items
    ]


def test_a_paper_is_told_as_new_or_picked_once_under_whatever_key_and_its_news_after_that(
    store: Store,
) -> None:
    kinds = (EventKind.NEW, EventKind.PICKED, EventKind.VERSION)
    preprint = replace(make_paper(9), key=PaperKey("doi:10.1000/x"))
    declare(store, change_options(make_digest(queries=["paper"]), kinds=kinds))
    first = Listing(kind=ListingKind.NEW, paper=preprint)
    announce(store, first, make_new_listing(1), Listing(kind=ListingKind.PICKED, paper=make_paper(2)))

    assert run(store, NOW) == [
        (preprint.key, EditionPart.SURELY, EventKind.NEW),
        (make_paper(1).key, EditionPart.SURELY, EventKind.NEW),
        (make_paper(2).key, EditionPart.PICKED, EventKind.PICKED),
    ]

    announce(
        store,
        *(
            Listing(kind=ListingKind.PICKED, paper=make_paper(1)),
            make_new_listing(2),
            make_new_listing(3, doi="10.1000/x"),
            make_replacement(1, 2),
        ),
        day=MONDAY.date(),
    )

    assert run(store, MONDAY) == [(make_paper(1).key, EditionPart.VERSIONS, EventKind.VERSION)]


def test_a_paper_that_grew_is_told_to_those_who_had_not_been_told(store: Store) -> None:
    declare(store, *(make_digest(name, queries=[f"category:{name}"]) for name in ("cs.DC", "cs.LG")))
    announce(store, make_new_listing(1))
    assert run(store, NOW, "cs.DC") == []
    assert told_at(store, NOW, "cs.LG") == [(make_paper(1).key, EditionPart.SURELY, EventKind.NEW)]

    cross = Listing(kind=ListingKind.CROSS, paper=make_paper(1, categories=("cs.LG", "cs.DC")))
    announce(store, cross, section="cs.DC", day=MONDAY.date())

    assert run(store, MONDAY, "cs.DC") == [(make_paper(1).key, EditionPart.SURELY, EventKind.GROWN)]
    assert told_at(store, MONDAY, "cs.LG") == []


def test_a_withdrawn_paper_is_told_by_its_new_version_alone(store: Store) -> None:
    kinds = (EventKind.NEW, EventKind.PICKED, EventKind.VERSION)
    declare(store, change_options(make_digest(queries=["paper"]), kinds=kinds))
    gone = [replace(make_paper(number, version=2), withdrawn=True) for number in (1, 2)]
    announce(
        store,
        *(make_new_listing(1), make_new_listing(2), Listing(kind=ListingKind.REPLACE, paper=gone[0])),
        Listing(kind=ListingKind.PICKED, paper=gone[1]),
    )

    assert run(store, NOW) == [(make_paper(1).key, EditionPart.VERSIONS, EventKind.VERSION)]


# --- exclusions of one follow, kinds that a follow names ------------------------------------------


def editions_of(store: Store, name: str = "systems") -> list[Edition]:
    with store.begin_read() as tx:
        (number,) = [
            active_digest.id for active_digest in load_active_digests(tx) if active_digest.name == name
        ]
        return list(editions.load_last(tx, number, 9))


def following(*wishes: FollowSettings, **options: Any) -> DigestSettings:
    return change_options(replace(make_digest(), follows=wishes), **options)


def wish(query: str, **options: Any) -> FollowSettings:
    return FollowSettings(text=query, query=query, **options)


def test_an_exclusion_of_one_follow_leaves_what_others_bring_and_is_counted(store: Store) -> None:
    declare(
        store,
        following(
            wish("serving"),
            wish("graphs"),
            wish("survey", exclude=True, only="serving"),
            wish("blockchain", exclude=True),
        ),
    )
    announce(
        store,
        make_new_listing(1, title="Serving: a survey"),
        make_new_listing(2, title="Serving graphs: a survey"),
        make_new_listing(3, title="Graphs on a blockchain"),
        make_new_listing(4, title="Graphs: a survey"),
        make_new_listing(5, title="A survey of blockchain"),
    )

    run(store, NOW)

    (edition,) = editions_of(store)
    reasons = {item.paper.key: [reason.follow for reason in item.reasons] for item in edition.items}
    assert reasons == {make_paper(2).key: ["graphs"], make_paper(4).key: ["graphs"]}
    assert edition.excluded == 2
    assert explain_paper(store, "systems", make_paper(1).key).verdict == (
        "No: it matches, but the exclusion 'survey' of 'serving' removes it."
    )
    assert explain_paper(store, "systems", make_paper(3).key).verdict == (
        "No: it matches, but the exclusion 'blockchain' removes it."
    )
    (against,) = [
        follow_answer
        for follow_answer in explain_paper(store, "systems", make_paper(2).key).answers
        if follow_answer.exclude and follow_answer.match_result
    ]
    assert (against.follow, against.only) == ("survey", "serving")


def test_versions_of_a_paper_that_is_followed_come_whatever_kinds_the_digest_asks_for(store: Store) -> None:
    mine = str(parse(f"{paper_query(make_paper(1).key)} OR cites:{make_paper(1).key}"))
    declare(store, following(wish("graphs"), wish(mine)))
    announce(store, make_new_listing(1, title="Graphs"), make_new_listing(2, title="Graphs"))
    assert run(store, NOW) == [
        (make_paper(1).key, EditionPart.SURELY, EventKind.NEW),
        (make_paper(2).key, EditionPart.SURELY, EventKind.NEW),
    ]

    announce(
        store,
        make_replacement(1, 2, title="Graphs"),
        make_replacement(2, 2, title="Graphs"),
        day=MONDAY.date(),
    )

    assert run(store, MONDAY) == [(make_paper(1).key, EditionPart.VERSIONS, EventKind.VERSION)]


# --- what is shown in full, and as a line ---------------------------------------------------------


def test_what_is_shown_as_a_line_has_its_follows_and_the_words_in_its_title(store: Store) -> None:
    declare(store, following(wish("paper"), wish("about"), limit=1))
    announce(store, make_new_listing(1), make_new_listing(2), make_new_listing(3, title="Another title"))

    run(store, NOW)

    (edition,) = editions_of(store)
    assert [item.paper.key for item in (*edition.items, *edition.overflow)] == [
        make_paper(n).key for n in (1, 2, 3)
    ]
    assert [[evidence.field for evidence in reason.evidence] for reason in edition.items[0].reasons] == [
        ["abstract"],
        ["title"],
    ]
    entries = [{reason.follow: reason.evidence for reason in item.reasons} for item in edition.overflow]
    assert entries == [
        {"about": (), "paper": (Evidence(field="title", words=("Paper",)),)},
        {"about": ()},
    ]


def test_a_shard_is_composed_by_as_many_statements_however_many_digests_it_has(store: Store) -> None:
    def statements(count: int) -> int:
        with store.begin_dry_run() as trial:
            declare(
                trial, *(make_digest(f"digest{n}", queries=["paper", f"{n} about"]) for n in range(count))
            )
            announce(trial, *(make_new_listing(number) for number in range(1, 4)))
            fire_slots(trial, SOURCES, NOW)
            match(trial)
            close_runs(trial, SOURCES, NOW, wait=False)
            requests: list[str] = []

            def note(*messages: Any) -> None:
                requests.append(messages[2])

            event.listen(trial.engine, "before_cursor_execute", note)
            assert compose_editions(trial, LETTERS, 1, NOW) == count
            event.remove(trial.engine, "before_cursor_execute", note)
            return len(requests)

    assert statements(40) <= statements(2)


def test_the_row_that_all_shards_of_a_run_write_to_is_written_last(store: Store) -> None:
    declare(store, make_digest(queries=["paper"]))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    with record_statements(store) as lines:
        event.listen(store.engine, "commit", lambda _connection: lines.append("COMMIT"))
        assert compose_editions(store, LETTERS, 1, NOW) == 1

    (counted,) = [place for place, text in enumerate(lines) if text.startswith("UPDATE runs SET deliveries")]
    assert lines[counted + 1] == "COMMIT"


def test_a_run_is_composed_alike_by_one_shard_or_by_many(store: Store) -> None:
    """Who is told what is the same whoever else is told: nothing that is remembered leaks from shard to shard."""
    names = [f"digest{number}" for number in range(6)]
    wishes = (["paper"], ["1", "paper NOT 2"], ["2"], ["about"], ["3 OR 4"], ["nothing"])
    declare(store, *(make_digest(name, queries=mine) for name, mine in zip(names, wishes, strict=True)))
    announce(store, *(make_new_listing(number) for number in range(1, 5)))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    make_shard_for_each_digest(store)

    compose_editions(store, LETTERS, 1, NOW)

    fields = {name: [int(key[-1]) for key, _, _ in told_at(store, NOW, name)] for name in names}
    assert list(fields.values()) == [[1, 2, 3, 4], [1, 3, 4], [2], [1, 2, 3, 4], [3, 4], []]


def test_the_reasons_are_the_same_however_little_is_kept_between_shards(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"digest{number}" for number in range(8)]
    wishes = (["paper", "kind:new 2"], ["1", "about"], ["kind:version OR paper"], ["about", "author:Ada"])
    declare(store, *(make_digest(name, queries=mine) for name, mine in zip(names, wishes * 2, strict=True)))
    announce(store, *(make_new_listing(number) for number in range(1, 5)))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    make_shard_for_each_digest(store)

    def compose_all(trial: Store) -> list[tuple[str, Sequence[Reason]]]:
        compose_editions(trial, LETTERS, 1, NOW)
        with trial.begin_read() as tx:
            return [
                (item.paper.key, item.reasons)
                for digest in load_active_digests(tx)
                for edition in editions.load_last(tx, digest.id, 1)
                for item in edition.items
            ]

    with store.begin_dry_run() as trial:
        expected = compose_all(trial)
    for name in ("_MAX_REASONS", "_MAX_EVIDENCE", "_MAX_MATCHES", "_MAX_QUERIES", "_MAX_DOCUMENTS"):
        monkeypatch.setattr(evidence_cache, name, 1)

    assert compose_all(store) == expected
    assert len(expected) >= 16
    about = [reason for _, reasons in expected for reason in reasons if reason.follow == "about"]
    assert {word for reason in about for part in reason.evidence for word in part.words} == {"about"}


def test_the_lease_of_a_shard_begins_when_it_is_claimed_however_long_others_took(store: Store) -> None:
    declare(store, *(make_digest(f"d{number}", queries=["paper"]) for number in range(3)))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    make_shard_for_each_digest(store)

    compose_editions(store, LETTERS, 1, NOW)

    with store.begin_read() as tx:
        times = [row.claimed_at for row in tx.execute(select(shards).order_by(shards.c.number))]
    assert NOW <= times[0] < times[1] < times[2]


def make_shard_for_each_digest(store: Store) -> None:
    """Have the shards of the only run as if a shard had one digest each."""
    with store.begin_write() as tx:
        (row,) = tx.execute(select(shards)).all()
        numbers = [active_digest.id for active_digest in load_active_digests(tx)]
        tx.execute(delete(shards))
        for place, number in enumerate(numbers):
            tx.execute(
                insert(shards).values(row._asdict() | {"number": place, "low_id": number, "high_id": number})
            )


def test_the_evidence_of_a_large_run_is_not_in_memory_all_at_once(store: Store) -> None:
    declare(store, *(make_digest(f"d{number}", queries=["paper"]) for number in range(10)))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    make_shard_for_each_digest(store)
    evidence = (Evidence(field="title", words=("paper",)),)
    with store.begin_write() as tx:
        shard = runs.claim_shard(tx, 7, NOW)
        assert shard is not None
        for number in range(10):
            pairs = range(number * 100_000, number * 100_000 + 20_000)
            shared_evidence.save_evidence(
                tx, replace(shard, number=number + 100), dict.fromkeys(pairs, evidence)
            )

    def measure_peak(known: Collection[int]) -> int:
        with store.begin_read() as tx:
            tracemalloc.start()
            for _ in shared_evidence.iter_evidence(tx, shard, known):
                pass
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return peak

    of_two = measure_peak(range(102, 110))
    assert measure_peak(()) < 1.5 * of_two


def test_processes_that_compose_a_run_together_tell_each_other_why_papers_match(store: Store) -> None:
    declare(store, *(make_digest(f"d{number}", queries=["paper"]) for number in range(4)))
    announce(store, make_new_listing(1))
    fire_slots(store, SOURCES, NOW)
    match(store)
    close_runs(store, SOURCES, NOW, wait=False)
    make_shard_for_each_digest(store)
    with store.begin_write() as tx:
        first, second = runs.claim_shard(tx, 7, NOW), runs.claim_shard(tx, 8, NOW)
    assert first is not None
    assert second is not None

    assert compose_editions(store, LETTERS, 1, NOW) == 2
    with store.begin_write() as tx:
        ((number, found),) = shared_evidence.iter_evidence(tx, first, ())
        marked = (Evidence(field="title", words=("told by another",)),)
        shared_evidence.save_evidence(tx, replace(first, number=number), dict.fromkeys(found, marked))
        runs.return_shard(tx, second)
    assert compose_editions(store, LETTERS, 2, NOW) == 1
    with store.begin_write() as tx:
        runs.return_shard(tx, first)
    assert compose_editions(store, LETTERS, 3, NOW) == 1, "it is alone, and looks for itself"

    words = [
        [evidence.words for item in edition.items for reason in item.reasons for evidence in reason.evidence]
        for number in range(4)
        for edition in editions_of(store, f"d{number}")
    ]
    assert words[1] == [("told by another",)]
    assert words[0] == words[2] == words[3] != words[1]
    with store.begin_read() as tx:
        assert tx.execute(select(shard_evidence)).all() == [], "nothing is kept when all is composed"
