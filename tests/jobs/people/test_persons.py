"""Who is who: worked out of what papers print and of what somebody said, and put right for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from digest.errors import ConfigError
from digest.jobs import person_edits
from digest.jobs.people.profiles import PersonDetails, PersonStatement, find_persons, load_person
from digest.model import Author, Paper
from digest.store.database.engine import Store
from digest.store.papers import papers
from tests.store.factories import (
    DAY,
    NOW,
    announce,
    declare,
    harvest,
    make_article,
    make_digest,
    make_new_listing,
    make_paper,
    make_replacement,
)
from tests.support.cases import for_each_case

CREW = ("Shiru Ren", "Yong Li", "Wei Lin")
"""Who signs with the Wencong Xiao of GPU clusters."""
ORCID = "0000-0002-1825-0097"
LATER = NOW + timedelta(days=1)


def save_papers(store: Store, *papers: Paper) -> None:
    harvest(store, *papers)


def make_signed_paper(number: int, *authors: str | Author, **facts: Any) -> Paper:
    given_authors = tuple(Author(author) if isinstance(author, str) else author for author in authors)
    return replace(make_paper(number, **facts), authors=given_authors)


def make_byline_reference(number: int, position: int = 1) -> str:
    return f"arxiv:2606.{number:05}#{position}"


def parted(store: Store, name: str = "Wencong Xiao") -> list[list[str]]:
    """The bylines of a name, person by person."""
    person_profiles = find_persons(store, name, 50).profiles
    return sorted(
        sorted(
            signed_paper.reference
            for signed_paper in load_person(store, person_profile.reference).signed_papers
        )
        for person_profile in person_profiles
    )


def words(person_details: PersonDetails) -> list[tuple[str, str, str]]:
    return [(word.kind, word.reference, word.about) for word in person_details.statements]


@pytest.fixture
def namesakes(store: Store) -> Store:
    """Three papers of one Wencong Xiao, and one of another who drives cars."""
    save_papers(
        store,
        *(make_signed_paper(number, "Wencong Xiao", *CREW, categories=("cs.DC",)) for number in (1, 2, 3)),
        make_signed_paper(4, "Wencong Xiao", "Rui Gong", "Dengxin Dai", categories=("cs.RO",)),
    )
    return store


# --- finding and showing --------------------------------------------------------------------------


def test_people_of_one_name_are_told_apart_by_whom_they_write_with(namesakes: Store) -> None:
    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(2), make_byline_reference(3)],
        [make_byline_reference(4)],
    ]


def test_the_field_joins_papers_until_the_store_knows_another_bearer_of_the_family_name(store: Store) -> None:
    name = "Hjördis Quvenstad"
    save_papers(
        store,
        *(
            make_signed_paper(number, name, f"Guest Number{number}", categories=("math.NT",))
            for number in (1, 2)
        ),
    )
    alone = parted(store, name)
    save_papers(store, make_signed_paper(3, "Birk Quvenstad", categories=("cs.RO",)))

    assert alone == [[make_byline_reference(1), make_byline_reference(2)]]
    assert parted(store, name) == [[make_byline_reference(1)], [make_byline_reference(2)]]


def test_what_is_told_of_a_person_is_what_the_papers_say(namesakes: Store) -> None:
    at = Author("Wencong Xiao", ("Alibaba Group",), (("orcid", ORCID),))
    save_papers(
        namesakes,
        make_signed_paper(5, *CREW, at, categories=("cs.DC", "cs.LG")),
        make_signed_paper(6, "W. Xiao", *CREW[:2], "Ada Lovelace"),
    )

    (first, other) = find_persons(namesakes, "Wencong Xiao", 50).profiles

    assert (first.reference, first.papers, first.names) == (
        make_byline_reference(1),
        5,
        ("Wencong Xiao", "W. Xiao"),
    )
    assert first.years == (2026, 2026)
    assert first.categories[:1] == ("cs.DC",)
    assert first.coauthors[:2] == ("Shiru Ren", "Yong Li")
    assert first.affiliations == ("Alibaba Group",)
    assert first.ids == (("orcid", ORCID, ""),)
    assert (other.reference, other.papers, other.ids) == (make_byline_reference(4), 1, ())


@for_each_case("name", ["Wencong Xiao", "Xiao, Wencong", "Xiao Wencong", "W. Xiao", "xiao", "WENCONG XIAO"])
def test_a_name_is_found_however_it_is_written(namesakes: Store, name: str) -> None:
    assert len(find_persons(namesakes, name, 50).profiles) == 2


def test_of_many_the_ones_with_the_most_papers_are_told_and_how_many_more_there_are(namesakes: Store) -> None:
    person_search_result = find_persons(namesakes, "Wencong Xiao", 1)

    assert (
        [person_profile.reference for person_profile in person_search_result.profiles],
        person_search_result.remaining,
    ) == ([make_byline_reference(1)], 1)


@for_each_case("name", ["Wencog Xiao", "Wencong Xaio", "Wenkong Xiao", "Xiang Xiao"])
def test_for_a_name_that_nobody_has_names_like_it_are_offered(namesakes: Store, name: str) -> None:
    person_search_result = find_persons(namesakes, name, 50)

    assert (person_search_result.profiles, person_search_result.similar_names) == ((), ("Wencong Xiao",))


def test_where_a_name_is_known_no_other_one_is_offered(namesakes: Store) -> None:
    assert find_persons(namesakes, "Wencong Xiao", 50).similar_names == ()
    assert find_persons(namesakes, "Nobody At-All", 50).similar_names == ()


def test_any_byline_of_a_person_shows_the_same_person(namesakes: Store) -> None:
    person_detailses = [
        load_person(namesakes, text)
        for text in (make_byline_reference(1), "2606.00002#1", "https://arxiv.org/abs/2606.00003v1#1")
    ]

    assert person_detailses[0] == person_detailses[1] == person_detailses[2]
    assert [signed_paper.title for signed_paper in person_detailses[0].signed_papers] == [
        "Paper 1",
        "Paper 2",
        "Paper 3",
    ]


def test_a_paper_that_came_by_a_doi_has_the_year_in_which_it_was_told(store: Store) -> None:
    article = make_article("10.1000/one", authors=(Author("Ada Lovelace"),))
    announce(store, replace(make_new_listing(1), paper=article), day=DAY.replace(year=2025))
    save_papers(store, make_article("10.1000/two", authors=(Author("Ada Lovelace"),)))

    years = {
        signed_paper.reference: signed_paper.year
        for profile in find_persons(store, "Ada Lovelace", 9).profiles
        for signed_paper in load_person(store, profile.reference).signed_papers
    }
    assert years == {"doi:10.1000/one#1": 2025, "doi:10.1000/two#1": None}


def test_a_preprint_and_its_article_are_one_paper_of_a_person(store: Store) -> None:
    save_papers(
        store,
        make_signed_paper(1, "Ada Lovelace", doi="10.1000/one"),
        make_article("10.1000/one", authors=(Author("Ada Lovelace"),)),
    )

    (person_profile,) = find_persons(store, "Ada Lovelace", 9).profiles
    assert (person_profile.papers, person_profile.reference) == (1, make_byline_reference(1))
    assert load_person(store, "10.1000/one#1").profile == person_profile


# --- merging --------------------------------------------------------------------------------------


def test_two_that_are_one_are_one_also_with_papers_to_come_and_who_said_so_is_told(namesakes: Store) -> None:
    assert person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(2), NOW)
    save_papers(
        namesakes,
        make_signed_paper(5, "Wencong Xiao", "Rui Gong", "Dengxin Dai"),
        make_signed_paper(6, "Wencong Xiao", *CREW),
    )

    assert parted(namesakes) == [[make_byline_reference(number) for number in (1, 2, 3, 4, 5, 6)]]
    assert load_person(namesakes, make_byline_reference(5)).statements == (
        PersonStatement(
            by="operator",
            at=NOW,
            withdrawn_at=None,
            kind="same",
            reference=make_byline_reference(4),
            about=make_byline_reference(2),
        ),
    )


def test_a_merge_taken_back_parts_them_as_before_and_stays_known(namesakes: Store) -> None:
    before = parted(namesakes)
    person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(2), NOW)

    assert person_edits.undo_merge(namesakes, make_byline_reference(2), make_byline_reference(4), LATER)

    assert parted(namesakes) == before
    person_statement = PersonStatement(
        by="operator",
        at=NOW,
        withdrawn_at=LATER,
        kind="same",
        reference=make_byline_reference(4),
        about=make_byline_reference(2),
    )
    assert (
        load_person(namesakes, make_byline_reference(4)).statements
        == load_person(namesakes, make_byline_reference(1)).statements
        == (person_statement,)
    )
    assert not person_edits.undo_merge(namesakes, make_byline_reference(2), make_byline_reference(4), LATER)


def test_what_was_said_before_is_not_said_twice(namesakes: Store) -> None:
    assert person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(2), NOW)
    assert not person_edits.merge(namesakes, make_byline_reference(2), make_byline_reference(4), LATER)
    assert len(load_person(namesakes, make_byline_reference(1)).statements) == 1


def test_a_person_who_took_another_name_is_one_person(namesakes: Store) -> None:
    save_papers(
        namesakes,
        make_signed_paper(5, "Wencong Meyer", "Some One"),
        make_signed_paper(6, "Wencong Meyer", "Some One", "Some Other"),
    )
    person_edits.merge(namesakes, make_byline_reference(5), make_byline_reference(1), NOW)

    assert [
        signed_paper.reference
        for signed_paper in load_person(namesakes, make_byline_reference(6)).signed_papers
    ] == [make_byline_reference(number) for number in (1, 2, 3, 5, 6)]
    assert load_person(namesakes, make_byline_reference(6)) == load_person(
        namesakes, make_byline_reference(1)
    )


# --- splitting ------------------------------------------------------------------------------------


def test_a_paper_split_off_stays_so_when_a_paper_with_the_same_co_authors_comes(namesakes: Store) -> None:
    assert person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(3)],
        [make_byline_reference(2)],
        [make_byline_reference(4)],
    ]

    save_papers(
        namesakes,
        *(make_signed_paper(number, "Wencong Xiao", *CREW, categories=("cs.DC",)) for number in (5, 6)),
    )

    assert parted(namesakes) == [
        [
            make_byline_reference(1),
            make_byline_reference(3),
            make_byline_reference(5),
            make_byline_reference(6),
        ],
        [make_byline_reference(2)],
        [make_byline_reference(4)],
    ]
    assert (
        words(load_person(namesakes, make_byline_reference(2)))
        == words(load_person(namesakes, make_byline_reference(6)))
        == [("other", make_byline_reference(2), make_byline_reference(1))]
    )


def test_what_is_split_off_already_is_not_said_again(namesakes: Store) -> None:
    assert person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    assert not person_edits.split(
        namesakes, make_byline_reference(3), ["2606.00002", make_byline_reference(2)], LATER
    )
    assert len(load_person(namesakes, make_byline_reference(2)).statements) == 1


def test_papers_split_off_together_may_be_one_other_person(namesakes: Store) -> None:
    person_edits.split(namesakes, make_byline_reference(3), ["2606.00001", make_byline_reference(2)], NOW)

    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(2)],
        [make_byline_reference(3)],
        [make_byline_reference(4)],
    ]


def test_a_split_taken_back_makes_one_person_again_and_stays_known(namesakes: Store) -> None:
    before = parted(namesakes)
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002", "2606.00003"], NOW)

    assert person_edits.undo_split(namesakes, make_byline_reference(1), ["2606.00002", "2606.00003"], LATER)

    assert parted(namesakes) == before
    assert {
        (word.kind, word.withdrawn_at) for word in load_person(namesakes, make_byline_reference(1)).statements
    } == {("other", LATER)}
    assert not person_edits.undo_split(namesakes, make_byline_reference(1), ["2606.00002"], LATER)


def test_ids_in_common_do_not_join_what_was_split(store: Store) -> None:
    known_as = Author("Wei Wang", (), (("orcid", ORCID),))
    save_papers(
        store, *(make_signed_paper(number, known_as, "Ada Lovelace", "Paul Erdős") for number in (1, 2, 3))
    )
    person_edits.split(store, make_byline_reference(1), ["2606.00003"], NOW)

    assert parted(store, "Wei Wang") == [
        [make_byline_reference(1), make_byline_reference(2)],
        [make_byline_reference(3)],
    ]


def test_the_last_word_counts_and_the_one_before_stays_known(namesakes: Store) -> None:
    all_rows = [
        [make_byline_reference(1), make_byline_reference(2), make_byline_reference(3)],
        [make_byline_reference(4)],
    ]
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    person_edits.merge(namesakes, make_byline_reference(3), make_byline_reference(2), LATER)
    assert parted(namesakes) == all_rows

    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], LATER + timedelta(hours=1))
    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(3)],
        [make_byline_reference(2)],
        [make_byline_reference(4)],
    ]
    stands = {
        word.at: word.withdrawn_at is None
        for word in load_person(namesakes, make_byline_reference(2)).statements
    }
    assert stands == {NOW: False, LATER: False, LATER + timedelta(hours=1): True}


def test_a_merge_taken_back_leaves_apart_who_had_been_said_to_be_two(namesakes: Store) -> None:
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    apart = parted(namesakes)
    person_edits.merge(namesakes, make_byline_reference(3), make_byline_reference(2), LATER)
    assert person_edits.undo_merge(
        namesakes, make_byline_reference(3), make_byline_reference(2), LATER + timedelta(hours=1)
    )

    assert parted(namesakes) == apart
    stands = [
        word
        for word in load_person(namesakes, make_byline_reference(2)).statements
        if word.withdrawn_at is None
    ]
    assert [(word.kind, word.reference, word.about) for word in stands] == [
        ("other", make_byline_reference(2), make_byline_reference(1))
    ]


def test_a_split_taken_back_leaves_together_who_had_been_said_to_be_one(namesakes: Store) -> None:
    person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(1), NOW)
    joined = parted(namesakes)
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00004"], LATER)
    assert person_edits.undo_split(
        namesakes, make_byline_reference(1), ["2606.00004"], LATER + timedelta(hours=1)
    )

    assert parted(namesakes) == joined


def test_what_a_later_word_overruled_as_well_does_not_come_back(namesakes: Store) -> None:
    hour = timedelta(hours=1)
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    person_edits.merge(namesakes, make_byline_reference(3), make_byline_reference(2), LATER)
    person_edits.merge(namesakes, make_byline_reference(1), make_byline_reference(2), LATER + hour)
    person_edits.undo_merge(namesakes, make_byline_reference(3), make_byline_reference(2), LATER + 2 * hour)

    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(2), make_byline_reference(3)],
        [make_byline_reference(4)],
    ]


def test_what_was_taken_back_by_itself_does_not_come_back_with_another_word(namesakes: Store) -> None:
    all_rows = parted(namesakes)
    hour = timedelta(hours=1)
    person_edits.split(namesakes, make_byline_reference(1), ["2606.00002"], NOW)
    person_edits.undo_split(namesakes, make_byline_reference(1), ["2606.00002"], LATER)
    person_edits.merge(namesakes, make_byline_reference(1), make_byline_reference(2), LATER + hour)
    person_edits.undo_merge(namesakes, make_byline_reference(1), make_byline_reference(2), LATER + 2 * hour)

    assert parted(namesakes) == all_rows


# --- what was said follows the papers -------------------------------------------------------------


def test_what_was_said_is_of_the_same_author_when_others_are_added_or_the_order_changes(
    namesakes: Store,
) -> None:
    person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(1), NOW)
    announce(
        namesakes, make_replacement(4, 2, authors=["New One", "Dengxin Dai", "Wencong Xiao", "Rui Gong"])
    )
    announce(namesakes, make_replacement(1, 2, authors=["Shiru Ren", "Wencong Xiao", "Yong Li", "Wei Lin"]))

    assert parted(namesakes) == [
        [
            make_byline_reference(1, 2),
            make_byline_reference(2),
            make_byline_reference(3),
            make_byline_reference(4, 3),
        ]
    ]
    assert words(load_person(namesakes, make_byline_reference(2))) == [
        ("same", make_byline_reference(4, 3), make_byline_reference(1, 2))
    ]


def test_what_was_said_of_initials_is_of_the_name_that_is_printed_in_full_later(namesakes: Store) -> None:
    save_papers(namesakes, make_signed_paper(5, "Some One", "W. Xiao"))
    person_edits.merge(namesakes, make_byline_reference(5, 2), make_byline_reference(4), NOW)
    announce(namesakes, make_replacement(5, 2, authors=["Wencong Xiao", "Some One"]))

    assert [make_byline_reference(4), make_byline_reference(5)] in parted(namesakes)


def test_what_was_said_of_an_author_who_is_gone_is_of_nobody_else(namesakes: Store) -> None:
    person_edits.merge(namesakes, make_byline_reference(4), make_byline_reference(1), NOW)
    announce(namesakes, make_replacement(4, 2, authors=["Rui Gong", "Dengxin Dai"]))
    assert parted(namesakes) == [
        [make_byline_reference(1), make_byline_reference(2), make_byline_reference(3)]
    ]
    assert parted(namesakes, "Rui Gong") == [[make_byline_reference(4)]]

    announce(namesakes, make_replacement(4, 3, authors=["Rui Gong", "Wencong Xiao"]))
    assert parted(namesakes) == [
        [
            make_byline_reference(1),
            make_byline_reference(2),
            make_byline_reference(3),
            make_byline_reference(4, 2),
        ]
    ]


def test_what_was_said_of_a_preprint_holds_when_its_article_comes_and_when_they_are_parted(
    namesakes: Store,
) -> None:
    article = make_article("10.1000/four", authors=(Author("An Editor"), Author("Wencong Xiao")))
    harvest(namesakes, article, source="journal")
    person_edits.merge(namesakes, "10.1000/four#2", make_byline_reference(1), NOW)
    person_edits.add_ids(namesakes, "10.1000/four#2", [("orcid", ORCID)], NOW)
    save_papers(
        namesakes, make_signed_paper(4, "Wencong Xiao", "Rui Gong", "Dengxin Dai", doi="10.1000/four")
    )
    assert parted(namesakes) == [
        [
            make_byline_reference(1),
            make_byline_reference(2),
            make_byline_reference(3),
            make_byline_reference(4),
        ]
    ]
    assert load_person(namesakes, make_byline_reference(4)).profile.ids == (("orcid", ORCID, "operator"),)

    with namesakes.begin_ingest() as tx:
        papers.set_apart(
            tx,
            papers.find_papers(tx, [make_paper(4).key])[make_paper(4).key],
            "doi",
            "10.1000/four",
            apart=True,
        )
    assert [
        make_byline_reference(1),
        make_byline_reference(2),
        make_byline_reference(3),
        "doi:10.1000/four#2",
    ] in parted(namesakes)
    assert [make_byline_reference(4)] in parted(namesakes)


# --- ids ------------------------------------------------------------------------------------------


def test_one_person_may_have_several_ids_of_a_scheme_and_papers_with_any_of_them(namesakes: Store) -> None:
    other = "0000-0001-5109-3700"
    assert person_edits.add_ids(
        namesakes, make_byline_reference(1), [("orcid", ORCID), ("orcid", other), ("dblp", "65/9612")], NOW
    )
    save_papers(
        namesakes,
        make_signed_paper(5, Author("Wencong Xiao", (), (("orcid", ORCID),)), "Quite Another"),
        make_signed_paper(6, Author("Wencong Xiao", (), (("orcid", other),)), "Somebody Else"),
    )

    assert parted(namesakes) == [
        [make_byline_reference(number) for number in (1, 2, 3, 5, 6)],
        [make_byline_reference(4)],
    ]
    assert load_person(namesakes, make_byline_reference(6)).profile.ids == (
        ("dblp", "65/9612", "operator"),
        ("orcid", other, "operator"),
        ("orcid", ORCID, "operator"),
    )
    assert not person_edits.add_ids(namesakes, make_byline_reference(1), [("orcid", ORCID)], LATER)


def test_an_id_that_is_taken_back_joins_nobody_and_who_said_it_stays_known(namesakes: Store) -> None:
    before = parted(namesakes)
    for text in (make_byline_reference(1), make_byline_reference(4)):
        person_edits.add_ids(namesakes, text, [("orcid", ORCID)], NOW)
    assert len(parted(namesakes)) == 1

    # It may be taken back of any byline of the person, and then of all.
    assert person_edits.withdraw_ids(namesakes, make_byline_reference(2), [("orcid", ORCID)], LATER)

    assert parted(namesakes) == before
    assert load_person(namesakes, make_byline_reference(1)).profile.ids == ()
    person_statement = PersonStatement(
        by="operator",
        at=NOW,
        withdrawn_at=LATER,
        kind="id",
        reference=make_byline_reference(4),
        about=f"orcid:{ORCID}",
    )
    assert load_person(namesakes, make_byline_reference(4)).statements == (person_statement,)
    assert not person_edits.withdraw_ids(namesakes, make_byline_reference(1), [("orcid", ORCID)], LATER)


def test_an_id_that_many_names_carry_makes_nobody_one(store: Store) -> None:
    account = (("hf", "a-company"),)
    names = [f"{given} {family}" for given in ("Ann", "Bea", "Cat") for family in ("Ott", "Pym", "Quill")]
    save_papers(
        store,
        *(make_signed_paper(number, Author(name, (), account)) for number, name in enumerate(names, start=1)),
    )

    assert [parted(store, name) for name in names] == [
        [[make_byline_reference(number)]] for number in range(1, 10)
    ]


# --- mistakes -------------------------------------------------------------------------------------


@pytest.fixture
def store_with_odd_bylines(namesakes: Store) -> Store:
    """Also papers without authors, without a printed name, and with more authors than are listed."""
    save_papers(
        namesakes,
        make_signed_paper(5),
        make_signed_paper(6, Author("", (), (("hf", "ada"),))),
        make_signed_paper(7, *(f"Aa {sign}" for sign in "ABCDEFGHI")),
    )
    return namesakes


@for_each_case(
    ("text", "message"),
    [
        ("Wencong Xiao", "'Wencong Xiao' is not the id of a paper; write a person as PAPER#POSITION"),
        ("2606.00009#1", "no source in this database has listed arxiv:2606.00009"),
        (
            "2606.00001",
            "the authors of arxiv:2606.00001 are #1 Wencong Xiao, #2 Shiru Ren, #3 Yong Li, #4 Wei Lin",
        ),
        ("2606.00001#0", "write PAPER#POSITION: the authors of arxiv:2606.00001 are"),
        ("2606.00001#5", "'2606.00001#5' does not name an author"),
        ("2606.00001#x", "'2606.00001#x' does not name an author"),
        ("2606.00005#1", "the authors of arxiv:2606.00005 are not known"),
        ("2606.00006#1", "has no printed name, so"),
        ("2606.00007#10", "#8 Aa H … #9"),
    ],
)
def test_a_reference_that_names_nobody_says_how_it_is_written(
    store_with_odd_bylines: Store, text: str, message: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        load_person(store_with_odd_bylines, text)
    assert message in str(raised.value)


def _refused(store: Store, person: str, *those: str) -> str:
    with pytest.raises(ConfigError) as raised:
        if those[:1] == ("merge",):
            person_edits.merge(store, person, those[1], NOW)
        else:
            person_edits.split(store, person, those, NOW)
    return str(raised.value)


def test_what_makes_no_sense_is_refused_and_leaves_nothing_said(namesakes: Store) -> None:
    assert "are the same byline" in _refused(namesakes, make_byline_reference(1), "merge", "2606.00001v1#1")
    assert "cannot be split off from itself;" in _refused(
        namesakes, make_byline_reference(1), "2606.00002", "2606.00001"
    )
    assert f"`digest people show {make_byline_reference(1)}` lists their papers" in _refused(
        namesakes, make_byline_reference(1), "2606.00002", "2606.00004"
    )
    assert load_person(namesakes, make_byline_reference(1)).statements == ()


# --- one reader -----------------------------------------------------------------------------------


def test_what_a_reader_answered_is_told_with_the_digest_and_can_be_taken_back(namesakes: Store) -> None:
    declare(namesakes, make_digest("systems"), make_digest("robots"))
    assert person_edits.record_answer(namesakes, "systems", make_byline_reference(4), NOW, yes=True)
    assert person_edits.record_answer(namesakes, "systems", make_byline_reference(4), LATER, yes=False)
    assert not person_edits.record_answer(namesakes, "systems", make_byline_reference(4), LATER, yes=False)
    assert person_edits.record_answer(namesakes, "robots", make_byline_reference(4), LATER, yes=True)

    entries = {(word.by, word.kind) for word in load_person(namesakes, make_byline_reference(4)).statements}
    assert entries == {("systems", "no"), ("robots", "yes")}
    assert person_edits.forget_answer(namesakes, "systems", make_byline_reference(4))
    assert not person_edits.forget_answer(namesakes, "systems", make_byline_reference(4))
    assert [word.by for word in load_person(namesakes, make_byline_reference(4)).statements] == ["robots"]


def test_a_digest_that_there_is_not_is_named_with_those_there_are(namesakes: Store) -> None:
    declare(namesakes, make_digest("systems"))
    with pytest.raises(ConfigError, match="there is no digest 'nothing'; digests: systems"):
        person_edits.record_answer(namesakes, "nothing", make_byline_reference(4), NOW, yes=True)
