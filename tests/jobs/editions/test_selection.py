"""What editions tell of persons, and of whom readers said something, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from digest.jobs import person_edits
from digest.jobs.editions.compose import MessageIds, close_runs, compose_editions, fire_slots
from digest.jobs.editions.explain import explain_paper
from digest.jobs.matching.match import match
from digest.model import Author, EventKind, Evidence, Item, Listing, ListingKind, Paper, PaperKey
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, Transaction
from digest.store.editions import editions
from tests.store.factories import (
    NOW,
    announce,
    change_options,
    declare,
    load_active_digests,
    load_paper,
    make_digest,
    make_new_listing,
    make_paper,
    make_replacement,
)

SOURCES = {"arxiv": Source(categories=("cs.LG",))}
MONDAY, TUESDAY = NOW + timedelta(days=3), NOW + timedelta(days=4)
ORCID = "0000-0002-1825-0097"
CREW = ("Shiru Ren", "Yuxiong He", "Minjia Zhang")
OTHERS = ("Rui Gong", "Dengxin Dai", "Luc Van Gool")


def run(store: Store, now: datetime, name: str = "systems") -> list[Item]:
    """The items of the edition of a time."""
    fire_slots(store, SOURCES, now)
    match(store)
    close_runs(store, SOURCES, now, wait=False)
    compose_editions(store, MessageIds(key=b"key", domain="example.org"), 1, now)
    with store.begin_read() as tx:
        new_editions = [
            edition for edition in editions.load_last(tx, _number(tx, name), 9) if edition.composed_at == now
        ]
    return [item for edition in new_editions for item in edition.items]


def _number(tx: Transaction, name: str) -> int:
    return next(active_digest.id for active_digest in load_active_digests(tx) if active_digest.name == name)


def told(items: list[Item]) -> list[tuple[PaperKey, EventKind]]:
    return [(item.event.paper.key, item.event.kind) for item in items]


def signed_with_id(number: int, name: str) -> Listing:
    authors = (Author(name, (), (("orcid", ORCID),)), *map(Author, CREW))
    return Listing(kind=ListingKind.NEW, paper=replace(make_paper(number), authors=authors))


def verdict(store: Store, paper: Paper) -> str:
    return explain_paper(store, "systems", paper.key).verdict


# --- persons --------------------------------------------------------------------------------------


def test_who_is_known_by_an_id_of_other_papers_is_told_and_named_whatever_kind_is_asked_for(
    store: Store,
) -> None:
    declare(store, make_digest(queries=[f"author:orcid:{ORCID} kind:version", f"author:orcid:{ORCID}"]))
    announce(store, signed_with_id(1, "Wei Wang"), make_new_listing(2, authors=["Wei Wang", *CREW]))
    assert told(run(store, NOW)) == [(make_paper(n).key, EventKind.NEW) for n in (1, 2)]

    announce(store, make_replacement(2, 2, authors=["Wei Wang", *CREW]), day=MONDAY.date())
    (item,) = run(store, MONDAY)

    assert told([item]) == [(make_paper(2).key, EventKind.VERSION)]
    (reason,) = item.reasons
    assert reason.evidence[0] == Evidence(field="author", words=("Wei Wang",))
    assert verdict(store, make_paper(2)).startswith("Yes")


def test_a_namesake_behind_a_not_keeps_no_version_out_that_is_asked_for(store: Store) -> None:
    declare(store, make_digest(queries=['lattices OR (paper kind:version NOT author:"Wei Wang")']))
    for number, crew in ((1, CREW), (2, CREW), (3, OTHERS), (4, OTHERS)):
        announce(store, make_new_listing(number, authors=["Wei Wang", *crew]))
    run(store, NOW)

    announce(store, make_replacement(9, 2, authors=["Wei Wang"]), day=MONDAY.date())

    assert told(run(store, MONDAY)) == [(make_paper(9).key, EventKind.VERSION)]


# --- "not this person" ----------------------------------------------------------------------------


@pytest.fixture
def store_with_denied_byline(store: Store) -> Store:
    """Papers of Richard Roe, of whom the reader of systems said before they were told that he is not the one."""
    wish = 'paper NOT author:"Richard Roe"'
    declare(
        store,
        make_digest(queries=[wish]),
        make_digest("same", queries=[wish]),
        make_digest("less", queries=["paper"], exclude=[wish]),
        make_digest("changes", queries=[f"{wish} kind:version"]),
    )
    run(store, NOW)
    announce(store, make_new_listing(1, authors=["Ada Lovelace", "Richard Roe"]), day=MONDAY.date())
    for name in ("systems", "less", "changes"):
        person_edits.record_answer(store, name, f"{make_paper(1).key}#2", NOW, yes=False)
    return store


def test_who_is_said_to_be_somebody_else_keeps_no_paper_out_by_a_not(store_with_denied_byline: Store) -> None:
    (item,) = run(store_with_denied_byline, MONDAY)

    assert told([item]) == [(make_paper(1).key, EventKind.NEW)]
    assert [reason.evidence for reason in item.reasons] == [(Evidence(field="title", words=("Paper",)),)]
    assert verdict(store_with_denied_byline, make_paper(1)).startswith("Yes")


def test_what_one_reader_said_brings_another_nothing(store_with_denied_byline: Store) -> None:
    assert run(store_with_denied_byline, MONDAY, "same") == []


def test_an_exclusion_takes_out_what_it_fits_because_of_an_answer(store_with_denied_byline: Store) -> None:
    assert run(store_with_denied_byline, MONDAY, "less") == []


def test_a_kind_that_a_follow_names_is_told_also_where_it_fits_because_of_an_answer(
    store_with_denied_byline: Store,
) -> None:
    assert run(store_with_denied_byline, MONDAY, "changes") == []

    announce(
        store_with_denied_byline,
        make_replacement(1, 2, authors=["Ada Lovelace", "Richard Roe"]),
        day=TUESDAY.date(),
    )

    assert told(run(store_with_denied_byline, TUESDAY, "changes")) == [(make_paper(1).key, EventKind.VERSION)]


def test_an_answer_counts_for_papers_that_turned_out_to_be_one_with_another(
    store_with_denied_byline: Store,
) -> None:
    article = replace(make_paper(1, authors=["Ada Lovelace", "Richard Roe"]), key=PaperKey("doi:10.1000/x"))
    announce(
        store_with_denied_byline,
        Listing(kind=ListingKind.NEW, paper=article),
        day=MONDAY.date(),
        source="crossref",
    )
    announce(
        store_with_denied_byline,
        make_replacement(1, 2, authors=["Ada Lovelace", "Richard Roe"], doi="10.1000/x"),
        day=MONDAY.date(),
    )

    assert len(load_paper(store_with_denied_byline, article.key).authors) == 2
    assert [key for key, _ in told(run(store_with_denied_byline, MONDAY))] == [make_paper(1).key]


def test_a_follow_tells_nothing_of_before_it_began_because_of_an_answer(
    store_with_denied_byline: Store,
) -> None:
    run(store_with_denied_byline, MONDAY)
    announce(store_with_denied_byline, make_new_listing(2, authors=["Richard Roe"]), day=TUESDAY.date())
    person_edits.record_answer(store_with_denied_byline, "same", f"{make_paper(2).key}#1", NOW, yes=False)
    run(store_with_denied_byline, TUESDAY)
    wish = 'what NOT author:"Richard Roe"'
    declare(store_with_denied_byline, make_digest("same", queries=[wish]), now=TUESDAY)

    assert run(store_with_denied_byline, TUESDAY + timedelta(days=1), "same") == []


# --- why ------------------------------------------------------------------------------------------


def test_what_was_answered_too_late_is_said_to_be_so(store: Store) -> None:
    declare(store, make_digest(queries=['paper NOT author:"Richard Roe"']))
    announce(store, make_new_listing(1, authors=["Ada Lovelace", "Richard Roe"]))
    assert run(store, NOW) == []

    person_edits.record_answer(store, "systems", f"{make_paper(1).key}#2", NOW, yes=False)

    assert verdict(store, make_paper(1)).startswith(
        "No: it matches now, but it did not when its edition was composed"
    )


def test_what_came_before_a_follow_is_said_to_be_so(store: Store) -> None:
    announce(store, make_new_listing(1))
    declare(store, make_digest(queries=["lattices"]))
    run(store, NOW)

    declare(store, make_digest(queries=["lattices", "paper"]))
    assert (
        verdict(store, make_paper(1))
        == "No: it was announced before this digest, or the follow that it matches, was added."
    )

    announce(store, make_replacement(1, 2))
    assert (
        verdict(store, make_paper(1))
        == "No: it was announced before this digest, or the follow that it matches, was added."
    )
    declare(
        store,
        change_options(make_digest(queries=["lattices", "paper"]), kinds=(EventKind.NEW, EventKind.VERSION)),
    )
    assert (
        verdict(store, make_paper(1))
        == "Not yet: it matches, and will be in the next edition, on 2026-06-15 at 07:30."
    )


def test_what_fits_only_by_an_event_of_another_kind_is_said_to_be_so(store: Store) -> None:
    announce(store, make_new_listing(1), day=NOW.date())
    announce(store, make_replacement(1, 2), source="mirror")
    declare(store, make_digest(queries=["source:mirror"]))

    assert verdict(store, make_paper(1)).startswith("No: it matches only through events that")
