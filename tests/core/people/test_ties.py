from __future__ import annotations

from digest.core.people.persons import Person, Signature
from digest.core.people.ties import Tie, count_ties

ORCID = ("orcid", "0000-0002-1825-0097")


def make_person(*members: Signature) -> Person:
    return Person(
        members=members,
        ids=frozenset(entry for member in members for entry in member.ids),
        names=frozenset(member.name for member in members),
    )


def test_each_paper_counts_by_what_ties_it_most_strongly_to_the_others() -> None:
    person = make_person(
        Signature(1, 0, "Ada", ids=(ORCID,), coauthors=frozenset({"bob"})),
        Signature(2, 0, "Ada", coauthors=frozenset({"bob", "eve"})),
        Signature(3, 0, "Ada", affiliations=("Department of Computing, Sample University",)),
        Signature(4, 0, "Ada", affiliations=("Sample University, Berlin",), categories=("cs.DC",)),
        Signature(5, 0, "Ada", categories=("cs.DC",)),
        Signature(6, 0, "Ada", ids=(ORCID,)),
    )

    assert count_ties(person, {(6, 0)}) == {
        Tie.STATEMENT: 1,
        Tie.ID: 1,
        Tie.COAUTHOR: 1,
        Tie.WORKPLACE: 2,
        Tie.FIELD: 1,
    }


def test_nothing_ties_a_single_paper() -> None:
    assert count_ties(make_person(Signature(1, 0, "Ada", coauthors=frozenset({"bob"}))), ()) == {Tie.NONE: 1}


def test_an_id_confirms_a_single_paper() -> None:
    assert count_ties(make_person(Signature(1, 0, "Ada", ids=(ORCID,))), ()) == {Tie.ID: 1}


def test_an_id_on_one_paper_only_ties_it_to_no_other() -> None:
    person = make_person(
        Signature(1, 0, "Ada", ids=(ORCID,), coauthors=frozenset({"bob"})),
        Signature(2, 0, "Ada", coauthors=frozenset({"bob"})),
    )

    assert count_ties(person, ()) == {Tie.COAUTHOR: 2}
