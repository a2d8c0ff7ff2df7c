"""Papers of one person are told together, and those of a namesake apart."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.names.fitting import NameMatch, fold_name, match_names
from digest.core.people.persons import (
    MIN_MAIN_BEARER_RATIO,
    BylinePlace,
    IdentityStatement,
    Person,
    Signature,
    compute_standing,
    resolve_persons,
)
from tests.support.cases import for_each_case


def signed(
    paper: int,
    name: str = "Wencong Xiao",
    *coauthors: str,
    categories: str = "",
    at: str = "",
    ids: dict[str, str] | None = None,
) -> Signature:
    """A byline; co-authors are invented names, categories and workplace as printed."""
    return Signature(
        paper=paper,
        position=len(coauthors),
        name=name,
        affiliations=(at,) if at else (),
        ids=tuple((ids or {}).items()),
        coauthors=frozenset(map(fold_name, coauthors)),
        categories=tuple(categories.split()),
    )


def papers(person: Person) -> list[int]:
    return [member.paper for member in person.members]


def groups(
    *signatures: Signature, identity_statements: list[IdentityStatement] | None = None
) -> list[list[int]]:
    """The papers of each person."""
    return [papers(person) for person in resolve_persons(signatures, identity_statements or ())]


def sole(which: Signature, *others: Signature) -> bool:
    return compute_standing(which, resolve_persons([which, *others])).is_sole_bearer


def same(signature: Signature, other: Signature) -> IdentityStatement:
    return IdentityStatement(signature.place, other.place, is_same=True)


def apart(signature: Signature, other: Signature) -> IdentityStatement:
    return IdentityStatement(signature.place, other.place, is_same=False)


# --- the trap -------------------------------------------------------------------------------------

CLUSTERS = (
    signed(1, "Wencong Xiao", "Hana Brozova", "Tomas Kralik", "Lin Meiyan", categories="cs.DC cs.LG"),
    signed(2, "Wencong Xiao", "Tomas Kralik", "Hana Brozova", "Oskar Nygaard", categories="cs.DC cs.AI"),
    signed(3, "Wencong Xiao", "Oskar Nygaard", "Felix Oberhauser", categories="cs.DC cs.OS"),
)
DRIVING = signed(
    4, "Wencong Xiao", "Ingrid Solberg", "Zhu Qingshan", "Marek Dolezal", categories="cs.RO cs.CV"
)


def test_papers_on_clusters_are_one_persons_and_the_one_on_driving_is_anothers() -> None:
    assert groups(*CLUSTERS, DRIVING) == [[1, 2, 3], [4]]


def test_a_follow_of_the_name_finds_the_cluster_papers_likely_and_the_other_maybe() -> None:
    people = resolve_persons([*CLUSTERS, DRIVING])

    assert [compute_standing(signature, people).is_sole_bearer for signature in (*CLUSTERS, DRIVING)] == [
        True,
        True,
        True,
        False,
    ]


def test_it_is_so_if_both_print_where_they_work() -> None:
    at_work = [signature._replace(affiliations=("Northern Computing Institute",)) for signature in CLUSTERS]
    elsewhere = DRIVING._replace(affiliations=("School of Vehicles, Lakeside University",))
    people = resolve_persons([*at_work, elsewhere])

    assert [papers(person) for person in people] == [[1, 2, 3], [4]]
    assert [compute_standing(signature, people).is_sole_bearer for signature in (*at_work, elsewhere)] == [
        True,
        True,
        True,
        False,
    ]


def test_once_the_other_has_several_papers_the_name_alone_is_a_maybe_for_both() -> None:
    again = signed(5, "Wencong Xiao", "Ingrid Solberg", "Marek Dolezal", categories="cs.RO")
    people = resolve_persons([*CLUSTERS, DRIVING, again])

    assert [papers(person) for person in people] == [[1, 2, 3], [4, 5]]
    assert not any(
        compute_standing(signature, people).is_sole_bearer for signature in (*CLUSTERS, DRIVING, again)
    )


# --- ids ------------------------------------------------------------------------------------------

ORCID, OTHER_ORCID = {"orcid": "0000-0002-1825-0097"}, {"orcid": "0000-0001-5109-3700"}


def test_one_id_is_one_person_whatever_else_differs() -> None:
    assert groups(
        signed(1, ids=ORCID), signed(2, ids=ORCID), signed(3, "Mary Jones", ids=ORCID), signed(4)
    ) == [[1, 2, 3], [4]]


def test_two_ids_of_a_scheme_are_two_persons_whatever_they_have_in_common() -> None:
    signature = signed(1, "Ann Lindqvist", "Bo Ek", "Eva Friis", categories="cs.DC", ids=ORCID)
    other = signed(2, "Ann Lindqvist", "Bo Ek", "Eva Friis", categories="cs.DC", ids=OTHER_ORCID)

    assert groups(signature, other) == [[1], [2]]
    assert groups(signature, other, identity_statements=[same(signature, other)]) == [[1, 2]]


def test_one_byline_that_goes_against_the_others_of_an_id_parts_only_itself() -> None:
    odd = signed(1, ids=ORCID | {"s2": "1"})
    others = [signed(number, ids=ORCID | {"s2": "2"}) for number in (2, 3, 4)]

    assert groups(odd, *others) == [[1], [2, 3, 4]]


def test_ids_of_two_schemes_meet_through_a_byline_with_both() -> None:
    people = resolve_persons(
        [signed(1, ids=ORCID), signed(2, ids={"s2": "1716767"}), signed(3, ids=ORCID | {"s2": "1716767"})]
    )

    assert [papers(person) for person in people] == [[1, 2, 3]]
    assert people[0].ids == {*ORCID.items(), ("s2", "1716767")}


def test_a_byline_without_an_id_gets_those_of_its_person() -> None:
    with_id, without = CLUSTERS[0]._replace(ids=tuple(ORCID.items())), CLUSTERS[1]
    people = resolve_persons([with_id, without, DRIVING])

    assert compute_standing(without, people).ids == set(ORCID.items())
    assert compute_standing(DRIVING, people).ids == frozenset()


# --- what somebody said ---------------------------------------------------------------------------


def test_what_somebody_said_counts_more_than_evidence() -> None:
    assert groups(*CLUSTERS, DRIVING, identity_statements=[same(CLUSTERS[0], DRIVING)]) == [[1, 2, 3, 4]]
    assert groups(*CLUSTERS[:2], identity_statements=[apart(*CLUSTERS[:2])]) == [[1], [2]]


def test_those_said_to_be_apart_stay_so_whoever_joins_them() -> None:
    signature, other, third = signed(1, ids=ORCID), signed(2, ids=ORCID), signed(3, ids=ORCID)

    assert groups(signature, other, identity_statements=[apart(signature, other)]) == [[1], [2]]
    assert groups(
        signature, other, identity_statements=[apart(signature, other), same(signature, other)]
    ) == [[1], [2]]
    for identity_statements in (
        [apart(signature, other), same(signature, third), same(other, third)],
        [apart(signature, other), same(third, signature), same(third, other)],
    ):
        assert groups(signature, other, third, identity_statements=identity_statements) == [[1, 3], [2]]
        assert groups(signature, other, third, identity_statements=identity_statements[::-1]) == [[1, 3], [2]]


def test_taking_back_what_was_said_undoes_it() -> None:
    before = resolve_persons([*CLUSTERS, DRIVING])

    assert resolve_persons([*CLUSTERS, DRIVING], [same(CLUSTERS[0], DRIVING)]) != before
    assert resolve_persons([*CLUSTERS, DRIVING], []) == before


def test_what_is_said_of_papers_that_are_not_here_counts_for_nothing() -> None:
    assert groups(*CLUSTERS, identity_statements=[IdentityStatement((1, 3), (99, 0), is_same=True)]) == [
        [1, 2, 3]
    ]


# --- what parts -----------------------------------------------------------------------------------


def test_two_authors_of_one_paper_are_two_persons() -> None:
    twice = [CLUSTERS[0], CLUSTERS[0]._replace(position=7), CLUSTERS[1]]

    assert sorted(map(len, groups(*twice))) == [1, 2]


def test_names_that_go_against_each_other_are_never_one_person() -> None:
    anna = signed(1, "Geoffrey A. Lindqvist", "Bo Ek", "Eva Friis", "Ib Holm")
    none = signed(2, "Geoffrey Lindqvist", "Bo Ek", "Eva Friis", "Ib Holm")
    erik = signed(3, "Geoffrey E. Lindqvist", "Bo Ek", "Eva Friis", "Ib Holm")

    assert groups(anna, none, erik) == [[1, 2], [3]]


def test_initials_do_not_join_as_easily_as_a_name_written_out() -> None:
    others = [signed(10 + number, f"W{number}eming Xiao") for number in range(60)]
    signature = signed(1, "Wencong Xiao", "Tomas Kralik", "Bo Ek", "Ib Holm", "Liv Moe", "Kai Voss")

    for name, joined in (("Wencong Xiao", [1, 2]), ("W. Xiao", [1])):
        other = signed(2, name, "Tomas Kralik", "Eva Friis", "Siv Dahl", "Jon Lie", "Una Berg")
        assert joined in groups(signature, other, *others)

    assert [1, 2] in groups(signature, signature._replace(paper=2, name="W. Xiao"), *others)


# --- evidence -------------------------------------------------------------------------------------


def test_one_co_author_in_common_joins_two_papers_of_few() -> None:
    few = signed(1, "Wei Wang", "Hana Brozova", "Bo Ek"), signed(2, "Wei Wang", "Hana Brozova", "Eva Friis")

    assert groups(*few) == [[1, 2]]


def test_one_co_author_in_common_joins_nothing_where_many_bear_the_name() -> None:
    strangers = [signed(10 + number, "Wei Wang", f"Nobody Known{number}") for number in range(90)]
    signature = signed(1, "Wei Wang", "Hana Brozova", "Tomas Kralik", "Oskar Nygaard")
    other = signed(2, "Wei Wang", "Hana Brozova", "Ingrid Solberg", "Marek Dolezal")
    third = signed(3, "Wei Wang", "Hana Brozova", "Tomas Kralik", "Marek Dolezal")

    assert [1] in groups(signature, other, *strangers)
    assert [1, 3] in groups(signature, third, *strangers)


def crowd(first: int, size: int) -> list[str]:
    return [f"Member{number:04} Ofcrowd" for number in range(first, first + size)]


def test_a_co_author_in_common_says_little_where_lists_are_long() -> None:
    long = signed(1, "Wei Wang", *crowd(0, 45))
    other = signed(2, "Wei Wang", *crowd(44, 45))

    assert groups(long, other) == [[1], [2]]


def test_a_collaboration_is_no_evidence_for_a_paper_outside_it() -> None:
    collaboration = signed(1, "Wei Wang", *crowd(0, 2000))
    outside = signed(2, "Wei Wang", *crowd(0, 3), "Bo Ek")

    assert groups(collaboration, outside) == [[1], [2]]


def test_two_papers_of_a_collaboration_have_the_same_members() -> None:
    signature, later = signed(1, "Wei Wang", *crowd(0, 2000)), signed(2, "Wei Wang", *crowd(100, 2000))
    another = signed(3, "Wei Wang", *crowd(5000, 2000))

    assert groups(signature, later, another) == [[1, 2], [3]]


def test_a_rare_name_over_years_is_one_persons_and_a_common_one_is_not() -> None:
    def career(name: str) -> list[Signature]:
        return [signed(year, name, f"Student Of{year}", categories="cs.LG cs.CR") for year in range(1, 9)]

    assert groups(*career("Hjördis Quvenstad")) == [list(range(1, 9))]
    assert len(groups(*career("Wei Wang"))) == 8


def test_a_rare_name_in_two_fields_that_have_nothing_in_common_is_two() -> None:
    signature, other = (
        signed(1, "Hjördis Quvenstad", categories="cs.CR"),
        signed(2, "Hjördis Quvenstad", categories="astro-ph.GA"),
    )

    assert groups(signature, other) == [[1], [2]]


def test_a_workplace_joins_until_the_name_is_seen_at_several() -> None:
    here, there = "University of Northfield", "Southern Academy of Sciences"
    two = [signed(1, "Wei Wang", at=here), signed(2, "Wei Wang", at=here), signed(3, "Wei Wang", at=there)]
    elsewhere = [signed(10 + number, "Wei Wang", at=f"University of Town{number}") for number in range(5)]

    assert groups(*two) == [[1, 2], [3]]
    assert [1] in groups(*two, *elsewhere)


# --- standings ------------------------------------------------------------------------------------


def test_a_name_that_one_paper_has_is_its_sole_bearers() -> None:
    assert sole(signed(1), signed(2, "Weiming Xiao"))


def test_the_first_paper_of_a_common_name_is_a_maybe_until_it_has_company() -> None:
    first = signed(1, "Wei Wang", "Hana Brozova", "Tomas Kralik", categories="cs.DC")
    second = signed(2, "Wei Wang", "Tomas Kralik", "Hana Brozova", categories="cs.DC")

    assert not sole(first)
    assert sole(first, second)
    assert sole(signed(3, "Wei Wang", ids={"orcid": "0000-0002-1825-0097"}))


def test_in_a_store_of_one_field_namesakes_with_a_common_name_are_not_one_by_the_field() -> None:
    papers_of_six = [signed(number, "Hao Wang", f"Guest {number}", categories="cs.DC") for number in range(6)]

    assert len(groups(*papers_of_six)) == 6
    assert not any(
        compute_standing(signature, resolve_persons(papers_of_six)).is_sole_bearer
        for signature in papers_of_six
    )


@for_each_case("name", ["Anna Rossi", "Anna Ivanov", "Anna Yamamoto", "Anna King", "Vera Stoica"])
def test_namesakes_with_a_family_name_of_several_are_not_one_by_the_field(name: str) -> None:
    signatures = [
        signed(number, name, "Hana Brozova", f"Guest {number}", categories="math.NT") for number in (1, 2)
    ]
    other = [signed(number, name, "Rui Gong", f"Guest {number}", categories="math.NT") for number in (3, 4)]

    assert groups(*signatures, *other) == [[1, 2], [3, 4]]
    assert not any(
        compute_standing(signature, resolve_persons([*signatures, *other])).is_sole_bearer
        for signature in (*signatures, *other)
    )


def test_who_has_most_papers_of_a_name_has_also_what_is_left_over_in_the_field() -> None:
    def papers_of(many: int) -> list[Signature]:
        main = [
            signed(number, "Vera Stoica", "Hana Brozova", categories="cs.DC") for number in range(1, many + 1)
        ]
        return [*main, signed(99, "Vera Stoica", "Rui Gong", categories="cs.DC")]

    assert len(groups(*papers_of(MIN_MAIN_BEARER_RATIO))) == 1
    assert len(groups(*papers_of(MIN_MAIN_BEARER_RATIO - 1))) == 2


def test_of_two_strays_nobody_knows_who_is_meant() -> None:
    assert not sole(signed(1), signed(2))


def test_papers_of_which_nothing_is_known_are_outweighed_by_many_only() -> None:
    signatures = [signed(number, "Ann Lind", at="University of Northfield") for number in range(1, 10)]
    unknown = signed(20, "Ann Lind")

    assert sole(signatures[0], *signatures[1:], unknown)
    assert not sole(signatures[0], *signatures[1:4], unknown)
    assert not sole(unknown, *signatures)


def test_a_middle_initial_is_the_same_name_and_initials_are_another() -> None:
    full, initials = signed(2, "Wencong A. Xiao"), signed(3, "W. Xiao")

    assert not sole(signed(1), full)
    assert sole(signed(1), initials)


def test_a_byline_of_none_of_these_persons_is_refused() -> None:
    with pytest.raises(ValueError, match="none of these persons"):
        compute_standing(signed(9), resolve_persons(CLUSTERS))


# --- in any order ---------------------------------------------------------------------------------

NAMES = ["Wencong Xiao", "W. Xiao", "Wencong A. Xiao", "Wencong B. Xiao", "Weiming Xiao", "Xiao Wencong"]
few = st.frozensets(st.sampled_from(["annalindqvist", "boek", "evafriis", "ibholm", "weiwang"]), max_size=4)
signatures = st.lists(
    st.builds(
        Signature,
        paper=st.integers(1, 8),
        position=st.integers(0, 2),
        name=st.sampled_from(NAMES),
        affiliations=st.lists(st.sampled_from(["ETH Zurich", "MIT", "Kyoto University"]), max_size=1).map(
            tuple
        ),
        ids=st.dictionaries(st.sampled_from(["orcid", "s2"]), st.sampled_from("12"), max_size=2).map(
            lambda ids: tuple(sorted(ids.items()))
        ),
        coauthors=few,
        categories=st.lists(st.sampled_from(["cs.DC", "cs.LG", "math.NT"]), max_size=2).map(tuple),
    ),
    max_size=12,
    unique_by=lambda signature: signature.place,
)
places = st.tuples(st.integers(1, 8), st.integers(0, 2))
sayings = st.lists(st.builds(IdentityStatement, places, places, st.booleans()), max_size=3)


@given(st.data(), signatures, sayings)
def test_the_order_in_which_papers_came_does_not_matter(
    data: st.DataObject, written: list[Signature], said: list[IdentityStatement]
) -> None:
    people = resolve_persons(written, said)
    shuffled = data.draw(st.permutations(written)), data.draw(st.permutations(said))

    assert resolve_persons(*shuffled) == people
    assert sorted(signature.place for person in people for signature in person.members) == sorted(
        signature.place for signature in written
    )


@given(signatures)
def test_nobody_is_two_persons_of_a_paper_or_has_two_ids_of_a_scheme_or_names_that_clash(
    written: list[Signature],
) -> None:
    for person in resolve_persons(written):
        by_id = {
            place
            for signature, other in combinations(person.members, 2)
            for place in _sharing_id(signature, other)
        }
        assert len({member.paper for member in person.members}) == len(person.members)
        for signature, other in combinations(person.members, 2):
            mine, theirs = dict(signature.ids), dict(other.ids)
            shared = mine.keys() & theirs.keys()
            assert all(mine[scheme] == theirs[scheme] for scheme in shared)
            if signature.place not in by_id and other.place not in by_id:
                clash = match_names(signature.name, other.name) is NameMatch.NOT
                assert not clash or {signature.name, other.name} & {"Xiao Wencong"}


def _sharing_id(signature: Signature, other: Signature) -> set[BylinePlace]:
    return {signature.place, other.place} if set(signature.ids) & set(other.ids) else set()


@given(signatures, sayings)
def test_those_said_to_be_apart_are_never_together(
    written: list[Signature], said: list[IdentityStatement]
) -> None:
    together = [
        {signature.place for signature in person.members} for person in resolve_persons(written, said)
    ]

    for entry, other, is_same in said:
        if not is_same and entry != other:
            assert not any({entry, other} <= group for group in together)


@given(signatures)
def test_every_byline_has_a_standing_and_at_most_one_established_person_is_the_sole_one(
    written: list[Signature],
) -> None:
    people = resolve_persons(written)
    soles = [
        signature
        for signature in written
        if compute_standing(signature, people).is_sole_bearer and signature.name == "Wencong Xiao"
    ]

    assert len({person.place for person in people for signature in soles if signature in person.members}) <= 1
