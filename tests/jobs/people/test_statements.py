"""What persons say of the bylines of new papers: for everybody, and for one reader."""

from __future__ import annotations

import pytest

from digest.core.matching.percolator.engine import WantedAuthors
from digest.core.names.fitting import make_block_key
from digest.core.papers.document import BylineStanding
from digest.jobs import person_edits
from digest.jobs.people.statements import load_standings, load_verdicts
from digest.model import Author, Paper
from digest.store.database.engine import Store
from digest.store.papers import papers
from digest.store.papers.authorships import MAX_SIGNATURES
from tests.jobs.people.test_persons import CREW, ORCID, make_byline_reference, make_signed_paper, save_papers
from tests.store.factories import (
    NOW,
    announce,
    declare,
    load_active_digests,
    load_paper,
    make_digest,
    make_paper,
    make_replacement,
    record_statements,
)

IDS = (("orcid", ORCID),)


def wanted(*names: str, ids: tuple[tuple[str, str], ...] = ()) -> WantedAuthors:
    return WantedAuthors(name_blocks=frozenset(map(make_block_key, names)), ids=frozenset(ids))


def standing_of(store: Store, number: int, wanted_authors: WantedAuthors) -> dict[str, BylineStanding]:
    """By folded name, what is known of those who signed a paper."""
    paper = load_paper(store, make_paper(number).key)
    with store.begin_read() as tx:
        return load_standings(tx, [paper], wanted_authors).get(paper.key, {})


@pytest.fixture
def namesakes(store: Store) -> Store:
    """Three papers each of two who are named Wencong Xiao."""
    save_papers(
        store,
        *(make_signed_paper(number, "Wencong Xiao", *CREW, categories=("cs.DC",)) for number in (1, 2, 3)),
    )
    rivals = ("Rui Gong", "Dengxin Dai", "Luc Van Gool")
    save_papers(
        store,
        *(make_signed_paper(number, "Wencong Xiao", *rivals, categories=("cs.RO",)) for number in (4, 5, 6)),
    )
    return store


# --- for everybody --------------------------------------------------------------------------------


def test_a_name_that_one_person_has_is_that_person_and_one_that_two_have_is_not(namesakes: Store) -> None:
    wanted_authors = wanted("Wencong Xiao", "Shiru Ren")

    assert standing_of(namesakes, 1, wanted_authors) == {
        "wencongxiao": BylineStanding(is_sole_bearer=False),
        "shiruren": BylineStanding(is_sole_bearer=True),
    }


def test_an_id_on_one_paper_is_known_of_the_others_by_the_same_person(namesakes: Store) -> None:
    save_papers(namesakes, make_signed_paper(7, Author("Wencong Xiao", (), IDS), *CREW))

    for wanted_authors in (wanted(ids=IDS), wanted("Wencong Xiao", ids=IDS)):
        assert standing_of(namesakes, 1, wanted_authors)["wencongxiao"].ids == frozenset(IDS)
        assert standing_of(namesakes, 4, wanted_authors)["wencongxiao"].ids == frozenset()


def test_an_id_that_the_operator_confirmed_counts_like_a_printed_one(namesakes: Store) -> None:
    person_edits.add_ids(namesakes, make_byline_reference(5), IDS, NOW)

    assert standing_of(namesakes, 4, wanted(ids=IDS))["wencongxiao"].ids == frozenset(IDS)
    person_edits.withdraw_ids(namesakes, make_byline_reference(5), IDS, NOW)
    assert standing_of(namesakes, 4, wanted(ids=IDS)) == {}


def test_who_follows_by_an_id_gets_what_the_person_signs_under_another_name(namesakes: Store) -> None:
    save_papers(
        namesakes,
        make_signed_paper(7, Author("Wencong Xiao", (), IDS), *CREW),
        make_signed_paper(8, "Wencong Meyer", "Some One"),
    )
    person_edits.merge(namesakes, make_byline_reference(8), make_byline_reference(1), NOW)

    assert standing_of(namesakes, 8, wanted(ids=IDS)) == {
        "wencongmeyer": BylineStanding(is_sole_bearer=True, ids=frozenset(IDS))
    }


def test_two_authors_of_one_name_on_a_paper_are_neither_of_them_surely_the_one(store: Store) -> None:
    save_papers(store, make_signed_paper(1, "Wei Wang", "Wei Wang"), make_signed_paper(2, "Wei Wang"))

    assert standing_of(store, 1, wanted("Wei Wang")) == {"weiwang": BylineStanding(is_sole_bearer=False)}


def test_a_paper_older_than_all_that_are_read_of_a_name_is_known_too(store: Store) -> None:
    save_papers(store, make_signed_paper(1, "Wei Wang", "Ada Lovelace"))
    save_papers(store, *(make_signed_paper(number, "Wei Wang") for number in range(2, MAX_SIGNATURES + 3)))

    assert standing_of(store, 1, wanted("Wei Wang")) == {"weiwang": BylineStanding(is_sole_bearer=False)}


def test_a_preprint_and_its_article_are_not_two_persons_papers(store: Store) -> None:
    save_papers(store, make_signed_paper(1, "Ada Lovelace", doi="10.1000/one"))
    save_papers(store, Paper(key="doi:10.1000/one", title="It", url="u", authors=(Author("Ada Lovelace"),)))  # type: ignore[arg-type]

    assert standing_of(store, 1, wanted("Ada Lovelace")) == {
        "adalovelace": BylineStanding(is_sole_bearer=True)
    }


def test_of_bylines_that_nobody_asks_for_nothing_but_their_blocks_is_read(namesakes: Store) -> None:
    with namesakes.begin_read() as tx:
        numbers = papers.find_papers(tx, [make_paper(number).key for number in range(1, 7)])
        wholes = papers.load_papers(tx, numbers.values()).values()
        with record_statements(namesakes) as requests:
            assert load_standings(tx, wholes, wanted("Ada Lovelace")) == {}
            assert load_standings(tx, wholes, wanted()) == {}
            assert load_verdicts(tx, {1: wholes, 2: ()}) == {}

    assert not [text for text in requests if "statements" in text]
    assert len([text for text in requests if "authorships" in text]) == 1


# --- for one reader -------------------------------------------------------------------------------


def judged(store: Store, *numbers: int) -> dict[str, dict[tuple[str, str], bool]]:
    """By digest, what its reader's answers say of the bylines of papers, by the end of their keys and names."""
    wholes = [load_paper(store, make_paper(number).key) for number in numbers]
    with store.begin_read() as tx:
        names = {active_digest.id: active_digest.name for active_digest in load_active_digests(tx)}
        verdicts = load_verdicts(tx, dict.fromkeys(names, wholes))
    return {
        names[number]: {(key[-1], name): yes for (key, name), yes in entry.items()}
        for number, entry in verdicts.items()
    }


@pytest.fixture
def readers(namesakes: Store) -> Store:
    declare(namesakes, make_digest("systems"), make_digest("robots"), make_digest("silent"))
    return namesakes


def test_an_answer_holds_for_all_papers_of_the_person_and_for_that_reader_alone(readers: Store) -> None:
    person_edits.record_answer(readers, "systems", make_byline_reference(4), NOW, yes=False)
    person_edits.record_answer(readers, "robots", make_byline_reference(4), NOW, yes=True)
    save_papers(
        readers,
        make_signed_paper(7, "Wencong Xiao", "Rui Gong", "Dengxin Dai"),
        make_signed_paper(8, "Wencong Xiao", *CREW),
    )

    assert judged(readers, 1, 6, 7, 8) == {
        "systems": {("6", "wencongxiao"): False, ("7", "wencongxiao"): False},
        "robots": {("6", "wencongxiao"): True, ("7", "wencongxiao"): True},
    }
    # What one reader answers is no reason to think otherwise for everybody.
    assert standing_of(readers, 7, wanted("Wencong Xiao")) == {
        "wencongxiao": BylineStanding(is_sole_bearer=False)
    }


def test_yes_and_no_part_what_looks_like_one_person_for_that_reader(readers: Store) -> None:
    person_edits.record_answer(readers, "systems", make_byline_reference(1), NOW, yes=True)
    person_edits.record_answer(readers, "systems", make_byline_reference(2), NOW, yes=False)

    assert judged(readers, 1, 2, 3, 4) == {
        "systems": {("1", "wencongxiao"): True, ("2", "wencongxiao"): False, ("3", "wencongxiao"): True}
    }


def test_the_last_answer_counts_and_what_is_taken_back_says_nothing(readers: Store) -> None:
    person_edits.record_answer(readers, "systems", make_byline_reference(1), NOW, yes=False)
    person_edits.record_answer(readers, "systems", make_byline_reference(1), NOW, yes=True)
    assert judged(readers, 1) == {"systems": {("1", "wencongxiao"): True}}

    person_edits.forget_answer(readers, "systems", make_byline_reference(1))
    assert judged(readers, 1) == {}


def test_an_answer_is_about_the_same_author_when_the_list_of_authors_changes(readers: Store) -> None:
    person_edits.record_answer(readers, "systems", make_byline_reference(1), NOW, yes=False)
    announce(readers, make_replacement(1, 2, authors=["New One", "Wencong Xiao", *CREW]))

    assert judged(readers, 1) == {"systems": {("1", "wencongxiao"): False}}
    assert person_edits.forget_answer(readers, "systems", make_byline_reference(1, 2))
    assert judged(readers, 1) == {}


def test_an_answer_holds_under_the_other_name_of_a_person(readers: Store) -> None:
    save_papers(readers, make_signed_paper(7, "Wencong Meyer", "Some One"))
    person_edits.merge(readers, make_byline_reference(7), make_byline_reference(1), NOW)
    person_edits.record_answer(readers, "systems", make_byline_reference(1), NOW, yes=True)

    assert judged(readers, 7) == {"systems": {("7", "wencongmeyer"): True}}
