from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from digest.model import (
    Confidence,
    EditionPart,
    Evidence,
    Item,
    Listing,
    ListingKind,
    PaperKey,
    Reason,
    Subject,
    SubjectKind,
)
from digest.store import enrichments
from digest.store.database.engine import Store
from digest.store.editions import editions, runs
from digest.store.editions.editions import NewEdition
from digest.store.papers import events
from digest.store.subscribers import digests
from tests.store.factories import (
    DAY,
    NOW,
    add_to_now,
    announce,
    announce_many,
    declare,
    limit_statement_size,
    load_active_digests,
    make_article,
    make_digest,
    make_new_items,
    make_new_listing,
    make_paper,
    run_concurrently,
)

ADA = "orcid:0000-0002-1825-0097"
LONG_AGO = NOW - timedelta(days=30)


def subject(number: int) -> Subject:
    key = make_paper(number).key
    return Subject(kind=SubjectKind.PAPER, key=key, ids=(("arxiv", key.removeprefix("arxiv:")),))


def show(store: Store, *seqs: int, because_of: str = "") -> None:
    """An edition with some events; ``because_of`` is the author for whom they are shown."""
    declare(store, make_digest())
    evidence = (
        Evidence(field="author", words=(because_of,)) if because_of else Evidence(field="title", words=())
    )
    reason = Reason(follow="it", confidence=Confidence.SURELY, evidence=(evidence,))
    with store.begin_write() as tx:
        runs.wake_slots(tx, NOW)
        runs.fire_slots(tx, NOW)
        ((run, _),) = runs.list_recent_runs(tx, 1)
        runs.close_run(tx, run, 0, NOW)
        items = tuple(
            Item(event=event, part=EditionPart.SURELY, reasons=(reason,), score=1.0)
            for event in events.load_events_by_seq(tx, seqs).values()
        )
        (reader,) = load_active_digests(tx)
        new_edition = NewEdition(
            digest=reader.id,
            items=make_new_items(items),
        )
        editions.save_editions(tx, run.id, [new_edition], [], NOW)


def wanted(store: Store) -> list[Subject]:
    with store.begin_read() as tx:
        return enrichments.list_subjects(tx, LONG_AGO)


def note(store: Store, *subjects: Subject, results: Iterable[str] = (), days: int = 7, at: int = 0) -> None:
    with store.begin_write() as tx:
        again = {subject.key: NOW + timedelta(days=days) for subject in subjects}
        enrichments.record_requests(
            tx,
            "openalex",
            subjects,
            known_keys=frozenset(results),
            next_at=again,
            now=NOW + timedelta(hours=at),
        )


def due(store: Store, *subjects: Subject, enricher: str = "openalex", days: int = 0) -> list[str]:
    with store.begin_read() as tx:
        return [
            subject.key for subject in enrichments.list_due(tx, enricher, subjects, add_to_now(days=days))
        ]


# --- of whom --------------------------------------------------------------------------------------


def test_papers_are_wanted_that_editions_show_and_no_others(store: Store) -> None:
    announce_many(store, 3)
    assert wanted(store) == []
    show(store, 1, 3)

    assert wanted(store) == [subject(1), subject(3)]
    with store.begin_read() as tx:
        assert enrichments.list_subjects(tx, NOW + timedelta(seconds=1)) == [], "they were shown before that"


def test_a_preprint_and_its_publication_are_wanted_once_by_all_their_ids(store: Store) -> None:
    announce(store, make_new_listing(1, doi="10.1000/x"))
    journal = Listing(kind=ListingKind.PUBLISHED, paper=make_article("10.1000/x"))
    announce(store, journal, section="articles", source="journal")
    show(store, 1, 2)

    (subject,) = wanted(store)
    assert subject.key == make_paper(1).key
    assert set(subject.ids) >= {("arxiv", "2606.00001"), ("doi", "10.1000/x")}


def test_persons_are_wanted_who_are_followed_and_those_because_of_whom_papers_were_shown(
    store: Store,
) -> None:
    declare(store, make_digest(queries=[f"author:{ADA}", "things"]))
    assert [subject.key for subject in wanted(store)] == [ADA]
    assert wanted(store)[0].ids == (("orcid", "0000-0002-1825-0097"),)

    declare(store, make_digest())
    with store.begin_write() as tx:
        digests.move_digests(tx)
    assert [subject.key for subject in wanted(store)] == [], "nobody follows them any more"


def test_whole_editions_are_looked_up_whatever_their_size(store: Store) -> None:
    announce_many(store, 1100)
    show(store, *range(1, 1101))
    limit_statement_size(store)

    assert len(wanted(store)) == 1100
    note(store, *wanted(store))
    assert due(store, *wanted(store)) == []


# --- when -----------------------------------------------------------------------------------------


def test_who_was_never_asked_for_comes_first_and_then_who_was_longest_ago(store: Store) -> None:
    note(store, subject(1), days=-1, at=2)
    note(store, subject(2), days=-1, at=1)
    note(store, subject(3), days=1)

    subjects = [subject(number) for number in range(1, 5)]
    assert due(store, *subjects) == [subject(4).key, subject(2).key, subject(1).key]
    assert due(store, *subjects, days=2)[-1] == subject(1).key
    assert len(due(store, *subjects, enricher="orcid")) == 4, "each enricher has its own account"


def test_a_paper_and_a_person_of_one_key_are_two(store: Store) -> None:
    person = Subject(kind=SubjectKind.PERSON, key=subject(1).key, ids=())
    note(store, subject(1))

    assert due(store, subject(1), person) == [person.key]


def test_the_last_answer_counts(store: Store) -> None:
    note(store, subject(1), days=7)
    note(store, subject(1), days=3, results=[subject(1).key])

    assert due(store, subject(1), days=2) == []
    assert due(store, subject(1), days=4) == [subject(1).key]


# --- quotas ---------------------------------------------------------------------------------------


def test_no_more_requests_are_given_than_a_day_has_however_many_ask_at_once(store: Store) -> None:
    def take() -> bool:
        with store.begin_write() as tx:
            return enrichments.take_request(tx, "openalex", DAY, 5)

    arguments = run_concurrently(*[take] * 8)

    assert sorted(arguments) == [False] * 3 + [True] * 5
    with store.begin_read() as tx:
        assert enrichments.load_status(tx, "openalex", DAY).requests == 5


def test_a_new_day_has_requests_and_a_clock_that_goes_back_gives_none_anew(store: Store) -> None:
    with store.begin_write() as tx:
        assert enrichments.take_request(tx, "openalex", DAY, 1)
        assert not enrichments.take_request(tx, "openalex", DAY, 1)
        assert enrichments.take_request(tx, "openalex", DAY + timedelta(days=1), 1)
        assert not enrichments.take_request(tx, "openalex", DAY, 1)
        assert enrichments.take_request(tx, "orcid", DAY, 1), "of another"

        assert enrichments.load_status(tx, "openalex", DAY + timedelta(days=2)).requests == 0


def test_how_the_last_request_ended_is_known(store: Store) -> None:
    with store.begin_write() as tx:
        enrichments.take_request(tx, "openalex", DAY, 9)
        enrichments.note_answer(tx, "openalex", "", NOW)
        enrichments.note_answer(tx, "openalex", "it is away", add_to_now(hours=1))
    with store.begin_read() as tx:
        enricher_status = enrichments.load_status(tx, "openalex", DAY)

    assert (enricher_status.answered_at, enricher_status.error, enricher_status.error_at) == (
        NOW,
        "it is away",
        add_to_now(hours=1),
    )


def test_persons_whose_pages_were_opened_lately_are_asked_about_and_then_forgotten(store: Store) -> None:
    announce_many(store, 1)
    paper = make_paper(1).key
    with store.begin_write() as tx:
        enrichments.save_opened(tx, {(SubjectKind.PERSON, PaperKey("orcid:old"))}, NOW - timedelta(days=2))
        enrichments.save_opened(tx, {(SubjectKind.PERSON, PaperKey(ADA))}, NOW - timedelta(hours=23))
        enrichments.save_opened(tx, {(SubjectKind.PAPER, paper), (SubjectKind.PERSON, PaperKey(ADA))}, NOW)
    with store.begin_read() as tx:
        opened = enrichments.list_opened(tx, add_to_now(hours=12))
        assert [(entry.kind, entry.key) for entry in opened] == [
            (SubjectKind.PERSON, ADA),
            (SubjectKind.PAPER, paper),
        ]
        assert opened[0].ids == (("orcid", ADA.removeprefix("orcid:")),)
        assert opened[1].ids
        assert enrichments.list_opened(tx, add_to_now(days=2)) == []
