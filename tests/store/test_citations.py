"""Whose references are asked for, by which ids a cited paper is known, and of how many papers it is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from digest.core.papers.links import add_paper_links
from digest.core.subscribers.opinions import Opinion
from digest.model import Listing, ListingKind, PaperKey, Subject, SubjectKind
from digest.store import citations, enrichments
from digest.store.citations import NamedPapers
from digest.store.database.engine import Store
from digest.store.papers import papers
from digest.store.subscribers import opinions
from tests.store.factories import (
    DAY,
    NOW,
    add_to_now,
    announce,
    announce_many,
    declare,
    harvest,
    limit_statement_size,
    list_events,
    load_active_digests,
    make_article,
    make_digest,
    make_new_listing,
    make_paper,
)

DOI = "10.1000/one"
CITED = PaperKey(f"doi:{DOI}")


def named(store: Store) -> NamedPapers:
    with store.begin_read() as tx:
        return citations.list_named_papers(tx)


def aliases(store: Store, *cited: PaperKey) -> dict[str, tuple[PaperKey, ...]]:
    with store.begin_read() as tx:
        return citations.load_aliases(tx, cited)


def unasked(store: Store, *, days: int = 0) -> list[str]:
    with store.begin_read() as tx:
        return [
            subject.key for subject in citations.iter_unrequested(tx, "openalex", DAY, add_to_now(days=days))
        ]


def known(store: Store) -> tuple[int, int]:
    with store.begin_read() as tx:
        return citations.count_with_references(tx, DAY)


def tell(store: Store, number: int, *references: str, cited: tuple[str, ...] = ()) -> int:
    """Let a service tell what a paper cites; says how many events that made."""
    record = replace(make_paper(number), references=references)
    return harvest(store, add_paper_links(record), source="openalex", cited=cited).events


# --- which papers ---------------------------------------------------------------------------------


def test_papers_are_named_by_follows_and_by_exclusions_while_somebody_has_them(store: Store) -> None:
    queries = (
        f"cites:{DOI}",
        "id:2401.00001 kind:version",
        "things OR cites:2401.00002",
        '"cites 2401.00003"',
    )
    declare(store, make_digest(queries=queries, exclude=("cites:2401.00004",)))

    assert set(named(store).keys) == {
        CITED,
        *(PaperKey(f"arxiv:2401.0000{number}") for number in (1, 2, 4)),
    }
    assert named(store).cited == {CITED, "arxiv:2401.00002", "arxiv:2401.00004"}
    declare(store, make_digest())
    assert named(store) == NamedPapers(keys=(), cited=frozenset())


def test_what_a_reader_saved_is_named(store: Store) -> None:
    declare(store, make_digest())
    announce_many(store, 2)
    with store.begin_write() as tx:
        (reader,) = load_active_digests(tx)
        number = papers.find_papers(tx, [make_paper(2).key])[make_paper(2).key]
        opinions.lock_digest(tx, reader.id)
        opinions.save_opinion(tx, reader.id, number, Opinion.SAVED, queries=set(), at=NOW)

    assert named(store) == NamedPapers(keys=(make_paper(2).key,), cited=frozenset())


def test_a_paper_is_asked_for_by_all_its_ids_and_one_that_nobody_knows_by_its_key(store: Store) -> None:
    announce(store, make_new_listing(1, doi=DOI))
    announce(store, Listing(kind=ListingKind.PUBLISHED, paper=make_article(DOI)), source="journal")
    with store.begin_read() as tx:
        subject, other = citations.make_subjects(tx, [CITED, PaperKey("arxiv:2401.00001"), make_paper(1).key])

    assert (subject.key, set(subject.ids)) == (make_paper(1).key, {("arxiv", "2606.00001"), ("doi", DOI)})
    assert other == Subject(kind=SubjectKind.PAPER, key="arxiv:2401.00001", ids=(("arxiv", "2401.00001"),))


def test_new_papers_are_asked_for_the_last_ones_first_until_it_is_time_again(store: Store) -> None:
    announce_many(store, 3)
    announce(store, make_new_listing(4), day=DAY - timedelta(days=1))
    harvest(store, make_paper(5))
    assert unasked(store) == [make_paper(number).key for number in (3, 2, 1)]

    with store.begin_write() as tx:
        (subject,) = citations.make_subjects(tx, [make_paper(2).key])
        again = {subject.key: add_to_now(days=7)}
        enrichments.record_requests(tx, "openalex", [subject], known_keys=(), next_at=again, now=NOW)
        enrichments.record_requests(
            tx, "s2", [subject], known_keys=(), next_at=dict.fromkeys(again, add_to_now(days=99)), now=NOW
        )
    assert unasked(store) == [make_paper(3).key, make_paper(1).key]
    assert unasked(store, days=7) == [make_paper(number).key for number in (3, 2, 1)]


def test_libraries_of_thousands_fit_into_statements(store: Store) -> None:
    keys = [PaperKey(f"arxiv:2401.{number:05}") for number in range(1100)]
    announce_many(store, 1100)
    limit_statement_size(store)

    with store.begin_read() as tx:
        assert len(citations.make_subjects(tx, keys)) == 1100
        assert len(citations.load_aliases(tx, keys)) == 1100
        assert len(list(citations.iter_unrequested(tx, "openalex", DAY, NOW))) == 1100


# --- by which ids ---------------------------------------------------------------------------------


def test_a_cited_paper_is_known_by_the_ids_of_all_that_is_one_with_it(store: Store) -> None:
    assert aliases(store, CITED) == {CITED: (CITED,)}
    announce(store, make_new_listing(1, doi=DOI))
    harvest(store, replace(make_article(DOI), ids=(("openalex", "W42"),)), source="openalex")

    assert aliases(store, CITED, make_paper(1).key) == {
        name: (make_paper(1).key, CITED) for name in (CITED, make_paper(1).key, "openalex:W42")
    }


def test_an_id_that_two_papers_claim_says_nothing_of_either(store: Store) -> None:
    announce(store, make_new_listing(1, doi=DOI), make_new_listing(2, doi=DOI))

    assert aliases(store, CITED) == {CITED: (CITED,)}


# --- what is told ---------------------------------------------------------------------------------


def test_a_paper_grows_by_a_reference_that_somebody_asks_for_and_once(store: Store) -> None:
    announce(store, make_new_listing(1))
    assert tell(store, 1, "doi:10.1000/other", cited=(CITED,)) == 0
    assert tell(store, 1, CITED, cited=(CITED,)) == 1
    assert tell(store, 1, CITED, cited=(CITED,)) == 0

    assert list_events(store) == [(1, "00001", "new", 0), (2, "00001", "grown", 1)]


def test_a_reference_is_counted_once_for_a_paper_whoever_tells_it(store: Store) -> None:
    announce(store, make_new_listing(1, doi=DOI), make_new_listing(2), make_new_listing(3))
    announce(store, Listing(kind=ListingKind.NEW, paper=make_article(DOI)), source="journal")
    announce(store, make_new_listing(4), day=DAY - timedelta(days=1))
    assert known(store) == (0, 3)

    for number in (1, 4):
        tell(store, number, "doi:10.1000/other")
    harvest(store, replace(make_article(DOI), references=("openalex:W1",)), source="openalex")
    harvest(store, replace(make_paper(2), title='A "references": ["x"] title'), source="openalex")
    assert known(store) == (1, 3)
