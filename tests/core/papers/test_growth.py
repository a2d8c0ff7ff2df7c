"""A paper has grown if one more follow may fit it, and by nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from digest.core.papers.growth import find_growth
from digest.model import Author, EventKind, Paper, PaperKey
from tests.support.cases import for_each_case

GROWN, CODE, PUBLISHED = EventKind.GROWN, EventKind.CODE, EventKind.PUBLISHED

BEFORE = Paper(
    key=PaperKey("arxiv:2606.00001"),
    title="Title",
    abstract="It is.",
    authors=(
        Author("Paul Erdős", ("ETH Zürich",)),
        Author("Yu Li", ("MIT",), (("hf", "yu"),)),
        Author("Wei Wang"),
    ),
    categories=("cs.IT", "cs.LG"),
    url="https://arxiv.org/abs/2606.00001",
    organizations=("ETH Zürich",),
)


def authors(*changed: Author) -> tuple[Author, ...]:
    """Those before, but for the ones named."""
    by_name = {author.name: author for author in (*BEFORE.authors, *changed)}
    return tuple(by_name.values())


@for_each_case(
    "changes",
    [
        {"categories": ("cs.IT", "cs.LG", "cs.CL")},
        {"categories": ("cs.CL",)},
        {"organizations": ("ETH Zürich", "MIT")},
        {"authors": authors(Author("Wei Wang", ("Tsinghua",)))},
        {"authors": authors(Author("Wei Wang", ("MIT",)))},
        {"authors": authors(Author("Paul Erdős", ("ETH Zürich", "Budapest")))},
        {"authors": authors(Author("Paul Erdős", ("ETH Zürich",), (("orcid", "0000-0001"),)))},
        {"authors": authors(Author("Yu Li", ("MIT",), (("hf", "yu-li"),)))},
        {"authors": (*BEFORE.authors, Author("A. New", ("Elsewhere",)))},
    ],
)
def test_a_paper_grows_by_what_one_more_follow_may_ask_for(changes: dict[str, Any]) -> None:
    assert find_growth(BEFORE, replace(BEFORE, **changes)) == {GROWN}


def test_a_paper_without_an_abstract_grows_by_one() -> None:
    assert find_growth(replace(BEFORE, abstract=""), BEFORE) == {GROWN}


@for_each_case(
    "changes",
    [
        {},
        {"title": "Another Title"},
        {"abstract": "It is not."},
        {"abstract": ""},
        {"version": 2},
        {"comment": "9 pages"},
        {"license_url": "https://creativecommons.org/licenses/by/4.0/"},
        {"pdf_url": "https://arxiv.org/pdf/2606.00001"},
        {"withdrawn": True},
        {"ids": (("doi", "10.1000/a"),)},
        {"project_urls": ("https://a.github.io",)},
        {"categories": ("cs.LG", "cs.IT")},
        {"categories": ("cs.IT", "cs.LG", "math.IT")},
        {"categories": ("math.IT", "cs.LG")},
        {"categories": ("cs.IT",)},
        {"organizations": ("eth  zürich",)},
        {"organizations": ()},
        {"authors": BEFORE.authors[::-1]},
        {"authors": BEFORE.authors[:1]},
        {"authors": ()},
        {"authors": (*BEFORE.authors, Author("A. New"))},
        {"authors": (*BEFORE.authors, Author("A. New", ("MIT",)))},
        {"authors": authors(Author("Yu Li", ("mit",), (("hf", "yu"),)))},
        {"authors": (Author(r"Paul Erd\H{o}s", ("ETH Zürich",)), *BEFORE.authors[1:])},
        {"authors": (BEFORE.authors[0], Author("Y. Li", ("MIT",), (("hf", "yu"),)), BEFORE.authors[2])},
    ],
)
def test_corrections_and_losses_are_no_growth(changes: dict[str, Any]) -> None:
    assert find_growth(BEFORE, replace(BEFORE, **changes)) == frozenset()


def test_code_is_told_once() -> None:
    paper = replace(BEFORE, code_urls=("https://github.com/a/b",))
    two = replace(BEFORE, code_urls=("https://github.com/a/b", "https://huggingface.co/a/b"))

    assert find_growth(BEFORE, paper) == {CODE}
    assert find_growth(paper, two) == find_growth(two, paper) == find_growth(paper, BEFORE) == frozenset()


def test_publication_is_told_once() -> None:
    referred = replace(BEFORE, journal_ref="J. A 1 (2026) 1")
    both = replace(referred, doi="10.1000/a")

    assert find_growth(BEFORE, referred) == find_growth(BEFORE, both) == {PUBLISHED}
    assert find_growth(BEFORE, replace(BEFORE, doi="10.1000/a")) == {PUBLISHED}
    assert (
        find_growth(referred, both) == find_growth(both, referred) == find_growth(both, BEFORE) == frozenset()
    )


def test_the_doi_that_is_its_key_tells_of_no_publication() -> None:
    preprint = replace(BEFORE, key=PaperKey("doi:10.1101/2026.01.01.123456"))
    itself = replace(preprint, doi="10.1101/2026.01.01.123456")

    assert find_growth(preprint, itself) == frozenset()
    assert find_growth(itself, replace(itself, doi="10.1000/a")) == {PUBLISHED}


def test_several_things_may_happen_at_once() -> None:
    after = replace(
        BEFORE, categories=("cs.IT", "cs.CL"), doi="10.1000/a", code_urls=("https://github.com/a/b",)
    )

    assert find_growth(BEFORE, after) == {GROWN, CODE, PUBLISHED}


def test_a_paper_grows_by_citing_what_somebody_asks_for_and_by_no_other_reference() -> None:
    cites = replace(BEFORE, references=("arxiv:2401.00001", "doi:10.1000/a"))

    assert find_growth(BEFORE, cites) == frozenset()
    assert find_growth(BEFORE, cites, {"doi:10.1000/b"}) == frozenset()
    assert find_growth(BEFORE, cites, {"doi:10.1000/a"}) == {GROWN}
    assert (
        find_growth(cites, cites, {"doi:10.1000/a"})
        == find_growth(cites, BEFORE, {"doi:10.1000/a"})
        == frozenset()
    )
