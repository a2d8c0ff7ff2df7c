"""Whoever tells of a paper, in whatever order and however often: the paper is the same."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.merge import find_origins, merge_papers, merge_statements
from digest.model import Author, Paper, PaperKey, Statement

KEY = PaperKey("arxiv:2606.00001")
SOURCES = ["arxiv", "feed:a", "hf_daily"]

texts = st.sampled_from(["", "a", "b", "bb", "ba"])
names = st.sampled_from(["Paul Erdős", r"Paul Erd\H{o}s", "P. Erdos", "Wei Wang", "Yu Li", "李雨", ""])


def tuples(*values: Any) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.sampled_from(values), unique=True, max_size=3).map(tuple)


authors = st.builds(
    Author, names, tuples("MIT", "ETH", "Here"), tuples(("hf", "x"), ("hf", "y"), ("orcid", "0"))
)


def papers(*keys: str, versions: int = 1) -> st.SearchStrategy[Paper]:
    return st.builds(
        Paper,
        key=st.sampled_from(keys or [KEY]).map(PaperKey),
        title=texts,
        abstract=texts,
        authors=st.lists(authors, max_size=3).map(tuple),
        categories=tuples("cs.DC", "cs.LG", "cs.IT", "math.IT"),
        version=st.integers(1, versions),
        url=texts,
        pdf_url=texts,
        doi=texts,
        journal_ref=texts,
        comment=texts,
        license_url=texts,
        ids=tuples(("doi", "10.1000/a"), ("arxiv", "2606.00001")),
        code_urls=tuples("https://github.com/a/a", "https://github.com/b/b"),
        project_urls=tuples("https://a.github.io", "https://b.github.io"),
        organizations=tuples("MIT", "ETH"),
        withdrawn=st.booleans(),
    )


statements = st.builds(
    Statement,
    source=st.sampled_from(SOURCES),
    paper=papers(KEY, "doi:10.1000/a", "url:https://example.org/", versions=3),
)


def paper(**messages: Any) -> Paper:
    return Paper(key=KEY, **({"title": "Title", "url": "https://arxiv.org/abs/2606.00001"} | messages))


def told(source: str, **messages: Any) -> Statement:
    return Statement(source=source, paper=paper(**messages))


# --- two tellings by one source -------------------------------------------------------------------


@given(papers(), papers())
def test_it_does_not_matter_which_telling_came_first(one: Paper, other: Paper) -> None:
    assert merge_papers(one, other) == merge_papers(other, one)


@given(papers(), papers(), papers())
def test_it_does_not_matter_which_tellings_were_joined_first(one: Paper, other: Paper, third: Paper) -> None:
    assert merge_papers(merge_papers(one, other), third) == merge_papers(one, merge_papers(other, third))


@given(papers(), papers())
def test_the_same_telling_again_changes_nothing(one: Paper, other: Paper) -> None:
    once = merge_papers(one, other)

    assert merge_papers(one, one) == one
    assert merge_papers(once, other) == once
    assert merge_papers(once, one) == once


@given(papers(), papers())
def test_what_is_filled_stays_filled(one: Paper, other: Paper) -> None:
    both = merge_papers(one, other)

    for field in fields(Paper):
        filled = bool(getattr(one, field.name) or getattr(other, field.name))
        assert bool(getattr(both, field.name)) == filled, field.name
    assert set(both.categories) == {*one.categories, *other.categories}
    assert len(both.authors) == max(len(one.authors), len(other.authors))


def test_of_two_texts_the_longer_one_stays() -> None:
    first = paper(comment="9 pages", abstract="See this https URL")
    second = paper(comment="9 pages, 3 figures", abstract="See https://example.org")

    assert merge_papers(first, second) == replace(second, comment="9 pages, 3 figures")


def test_the_primary_category_stays_first_and_the_others_are_sorted() -> None:
    one, other = paper(categories=("cs.LG", "stat.ML")), paper(categories=("cs.LG", "cs.AI"))

    assert merge_papers(one, other).categories == ("cs.LG", "cs.AI", "stat.ML")


def test_two_primary_categories_are_decided_by_a_fixed_order() -> None:
    one, other = paper(categories=("cs.LG", "cs.AI")), paper(categories=("cs.CL", "cs.LG"))

    assert (
        merge_papers(one, other).categories
        == merge_papers(other, one).categories
        == ("cs.CL", "cs.AI", "cs.LG")
    )


def test_lists_of_the_same_names_are_united_author_by_author() -> None:
    one = paper(authors=(Author("Paul Erdos", ("ETH",)), Author("Yu Li")))
    other = paper(authors=(Author("Paul Erdős", ("MIT",), (("orcid", "0"),)), Author("Yu  Li")))

    assert merge_papers(one, other).authors == (
        Author("Paul Erdős", ("ETH", "MIT"), (("orcid", "0"),)),
        Author("Yu  Li"),
    )


def test_the_longer_list_of_authors_stays_as_it_is() -> None:
    whole = (Author("Yu Li"), Author("Wei Wang"))
    cut = (Author("Yu Li", ("MIT",)),)

    assert merge_papers(paper(authors=whole), paper(authors=cut)).authors == whole


def test_what_is_known_of_one_name_is_never_given_to_another() -> None:
    one = (Author("Yu Li", ("MIT",)), Author("Wei Wang"))
    other = (Author("Wei Wang", ("ETH",)), Author("Yu Li"))

    assert merge_papers(paper(authors=one), paper(authors=other)).authors in {one, other}


# --- the whole ------------------------------------------------------------------------------------


@given(st.lists(statements, min_size=1, max_size=5), st.data())
def test_the_order_and_number_of_tellings_do_not_show(all_told: list[Statement], data: st.DataObject) -> None:
    again = data.draw(st.permutations([*all_told, *data.draw(st.lists(st.sampled_from(all_told)))]))

    assert merge_statements(again) == merge_statements(all_told)
    assert find_origins(again) == find_origins(all_told)


@given(st.lists(statements, min_size=1, max_size=5))
def test_joining_what_one_source_says_of_one_version_first_changes_nothing(all_told: list[Statement]) -> None:
    stored: dict[tuple[str, int], Paper] = {}
    for statement in all_told:
        same = statement.source, statement.paper.version
        stored[same] = merge_papers(stored[same], statement.paper) if same in stored else statement.paper
    rows = [Statement(source=source, paper=joint) for (source, _), joint in stored.items()]

    assert merge_statements(rows) == merge_statements(all_told)


@given(st.lists(statements, min_size=1, max_size=5))
def test_nothing_that_any_source_knows_is_lost(all_told: list[Statement]) -> None:
    paper = merge_statements(all_told)

    for name in ("categories", "ids", "code_urls", "project_urls", "organizations"):
        assert set(getattr(paper, name)) == {
            value for statement in all_told for value in getattr(statement.paper, name)
        }
    for name in ("title", "abstract", "doi", "comment", "authors"):
        assert bool(getattr(paper, name)) == any(getattr(statement.paper, name) for statement in all_told)
    assert paper.version == max(statement.paper.version for statement in all_told)
    assert paper.key == min(statement.paper.key for statement in all_told)


def test_what_a_single_source_says_is_shown_as_it_says_it() -> None:
    statement = told("feed:a", categories=("z", "b", "a"), authors=(Author("Yu Li", ("MIT", "ETH")),))

    assert merge_statements([statement]) == statement.paper


def test_arxiv_speaks_before_all_others_and_by_its_newest_version() -> None:
    all_told = [
        told("a_journal", title="As printed", doi="10.1000/a"),
        told("arxiv", title="Old", version=1, abstract="Old", comment="8 pages"),
        told("arxiv", title="New", version=2, abstract=""),
    ]

    for order in permutations(all_told):
        paper = merge_statements(order)
        assert (paper.title, paper.abstract, paper.comment) == ("New", "Old", "8 pages")
        assert (paper.doi, paper.version) == ("10.1000/a", 2)


def test_the_key_is_the_least_of_all() -> None:
    all_told = [
        Statement(source=f"feed:{key}", paper=replace(paper(), key=PaperKey(key)))
        for key in ("url:https://example.org/", "doi:10.1000/a", "arxiv:2606.00001")
    ]

    assert merge_statements(all_told).key == "arxiv:2606.00001"
    assert merge_statements(all_told[:2]).key == "doi:10.1000/a"


def test_categories_of_the_one_that_speaks_come_first() -> None:
    all_told = [told("hf_daily", categories=("zz", "aa")), told("arxiv", categories=("cs.LG", "cs.AI"))]

    assert merge_statements(all_told).categories == ("cs.LG", "cs.AI", "aa", "zz")


def test_others_add_affiliations_and_ids_to_authors_of_the_same_name() -> None:
    speaking = told("arxiv", authors=(Author("Paul Erdős", ("ETH",)), Author("Yu Li")))
    other = told(
        "hf_daily", authors=(Author("Yu Li", ids=(("hf", "yu"),)), Author("paul erdos", ("MIT", "ETH")))
    )

    assert merge_statements([other, speaking]).authors == (
        Author("Paul Erdős", ("ETH", "MIT")),
        Author("Yu Li", (), (("hf", "yu"),)),
    )


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [(("Wei Wang", "Wei Wang"), ("Wei Wang",)), (("Wei Wang",), ("Wei Wang", "WEI WANG"))],
)
def test_a_name_that_stands_twice_gets_nothing_from_others(
    mine: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    authors = tuple(Author(name, ("MIT",), (("hf", "w"),)) for name in theirs)
    speaking = tuple(map(Author, mine))

    assert (
        merge_statements([told("arxiv", authors=speaking), told("hf_daily", authors=authors)]).authors
        == speaking
    )


def test_a_paper_that_came_back_in_a_later_version_is_not_withdrawn() -> None:
    second, third = told("arxiv", version=2, withdrawn=True), told("arxiv", version=3)
    other = told("a_journal", withdrawn=True)

    assert merge_statements([told("arxiv"), second, other]).withdrawn
    assert not merge_statements([second, third, other]).withdrawn
    assert merge_statements([other]).withdrawn


# --- where it is from -----------------------------------------------------------------------------


def test_each_field_tells_its_sources() -> None:
    all_told = [
        told(
            "hf_daily", code_urls=("https://github.com/a/a",), authors=(Author("Yu Li", ids=(("hf", "yu"),)),)
        ),
        told("arxiv", abstract="It is.", authors=(Author("Yu Li"),), categories=("cs.LG",)),
        told("a_journal", title="As printed", doi="10.1000/a", authors=(Author("Y. Li"),)),
    ]

    origins = find_origins(all_told)

    assert origins["title"] == ("arxiv", "hf_daily")
    assert origins["abstract"] == origins["categories"] == ("arxiv",)
    assert origins["authors"] == ("arxiv", "hf_daily")
    assert origins["code_urls"] == ("hf_daily",)
    assert origins["doi"] == ("a_journal",)
    assert "comment" not in origins
    assert "withdrawn" not in origins


@given(st.lists(statements, min_size=1, max_size=5))
def test_every_filled_field_has_a_source(all_told: list[Statement]) -> None:
    paper, values = merge_statements(all_told), find_origins(all_told)

    assert set(values) == {field.name for field in fields(Paper) if getattr(paper, field.name)}
    assert all(set(sources) <= {statement.source for statement in all_told} for sources in values.values())
    assert all(values.values())
