"""Papers as BibTeX are read again by a program for that, title by title and author by author."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import parse_string

from digest.core.subscribers.library import read_library
from digest.model import Author, PaperKey
from digest.render.papers.bibtex import format_bibtex
from tests.render.samples import make_paper
from tests.support.cases import for_each_case


def test_an_entry_has_what_a_reference_needs() -> None:
    paper = make_paper(
        title="On $O(n^2)$ {Attention} & 50% of it",
        authors=(Author(name=r"Paul Erd\H{o}s"), Author(name="The ATLAS, CMS and LHCb Collaborations")),
        doi="10.1000/a_b(c)",
        journal_ref="J. Syst. 12 (2025) 3",
    )

    assert format_bibtex([paper]) == (
        "@article{erdos2025attention,\n"
        "  title = {{On O(n²) Attention \\& 50\\% of it}},\n"
        "  author = {Paul Erdős and {The ATLAS, CMS and LHCb Collaborations}},\n"
        "  year = {2025},\n"
        "  journal = {J. Syst. 12 (2025) 3},\n"
        "  doi = {10.1000/a_b(c)},\n"
        "  eprint = {2606.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {cs.DC},\n"
        "  url = {https://arxiv.org/abs/2606.00001},\n"
        "  abstract = {We compress the KV cache number 1. It costs O(n).},\n"
        "}\n"
    )


@for_each_case(
    ("key", "year"),
    [
        ("arxiv:2401.00001", "2024"),
        ("arxiv:hep-th/9901001", "1999"),
        ("arxiv:math.GT/0309136", "2003"),
        ("arxiv:9107.0001", "1991"),
    ],
)
def test_the_year_is_that_of_the_arxiv_id(key: str, year: str) -> None:
    assert f"  year = {{{year}}},\n" in format_bibtex([make_paper(key=PaperKey(key))])


def test_papers_alike_have_keys_of_their_own_and_what_is_not_known_is_left_out() -> None:
    bare = make_paper(
        key=PaperKey("url:https://example.org/1"), title="?", authors=(), abstract="", categories=(), url=""
    )

    text = format_bibtex([bare, bare, make_paper()])

    assert list(parse_string(text, "bibtex").entries) == ["paper", "paper-2", "guo2026splitzip"]
    assert "@misc{paper,\n  title = {{?}},\n}\n" in text


def test_our_own_import_knows_the_papers_again() -> None:
    papers = [
        make_paper(1),
        make_paper(2, doi="10.1000/x"),
        make_paper(3, key=PaperKey("doi:10.1000/y"), doi="10.1000/y", url=""),
    ]

    library = read_library(format_bibtex(papers).encode())

    assert library.broken == ()
    assert [key for key, _ in library.papers] == [
        "arxiv:2606.00001",
        "arxiv:2606.00002",
        "doi:10.1000/y",
    ]


@given(
    title=st.text(min_size=1, max_size=60),
    name=st.text(min_size=1, max_size=30),
    place=st.text(max_size=30),
    doi=st.text(max_size=20),
)
def test_whatever_stands_in_a_paper_the_file_can_be_read(title: str, name: str, place: str, doi: str) -> None:
    odd = make_paper(title=title, authors=(Author(name=name), Author(name="B C")), journal_ref=place, doi=doi)

    string = parse_string(format_bibtex([odd, make_paper(2)]), "bibtex")

    assert len(string.entries) == 2
    assert string.entries[list(string.entries)[1]].fields["title"] == "{SplitZip 2: Lossless KV Compression}"
