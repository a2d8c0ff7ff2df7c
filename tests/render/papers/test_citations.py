"""Papers as RIS are read again by our own import, field by field."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.library import read_library
from digest.core.subscribers.library.ris import read_ris
from digest.model import Author, Paper, PaperKey
from digest.render.papers.bibtex import find_year
from digest.render.papers.citations import clean_line, clean_name, clean_text, format_ris_file
from digest.render.papers.links import filter_web_address
from tests.render.samples import make_paper

TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["TY  - JOUR", "ER  - ", "a\r\nER  - \r\nTY  - GEN", "A1  - x", "x;y", "Müller, J.", "  - "]
    ),
)
PAPERS = st.lists(
    st.builds(
        make_paper,
        number=st.integers(1, 9_999),
        title=TEXTS,
        abstract=TEXTS,
        authors=st.lists(st.builds(Author, name=TEXTS), max_size=4).map(tuple),
        doi=TEXTS,
        journal_ref=TEXTS,
    ),
    min_size=1,
    max_size=5,
)


def read_fields(paper: Paper) -> dict[str, str]:
    """What a reference has of a paper."""
    texts = {
        "title": clean_text(paper.title),
        "authors": " ".join(filter(None, (clean_name(author.name) for author in paper.authors))),
        "year": find_year(paper),
        "journal": clean_text(paper.journal_ref),
        "doi": clean_line(paper.doi),
        "url": clean_line(filter_web_address(paper.url)),
        "abstract": clean_text(paper.abstract),
    }
    return {name: " ".join(text.split()) for name, text in texts.items() if text.split()}


@given(papers=PAPERS)
def test_our_own_reader_finds_each_field_of_each_paper_in_an_export(papers: list[Paper]) -> None:
    text = format_ris_file(papers).replace("\r\n", "\n")  # as files are decoded

    records, broken = read_ris(text)

    assert broken == []
    found = [
        {name: " ".join(record.fields.get(name, "").split()) for name in read_fields(paper)}
        for record, paper in zip(records, papers, strict=True)
    ]
    assert found == [read_fields(paper) for paper in papers]


def test_our_own_import_knows_the_papers_again() -> None:
    papers = [
        make_paper(1),
        make_paper(2, doi="10.1000/x"),
        make_paper(3, key=PaperKey("doi:10.1000/y"), doi="10.1000/y", url=""),
    ]

    library = read_library(format_ris_file(papers).encode())

    assert (library.format_name, library.broken) == ("RIS", ())
    assert [key for key, _ in library.papers] == ["arxiv:2606.00001", "arxiv:2606.00002", "doi:10.1000/y"]


def test_an_entry_has_the_tags_that_reference_managers_know() -> None:
    paper = make_paper(doi="10.1000/x", journal_ref="J. Syst. 12 (2025) 3", categories=("cs.DC",))

    assert format_ris_file([paper]).split("\r\n") == [
        "TY  - JOUR",
        "TI  - SplitZip 1: Lossless KV Compression",
        "AU  - Yipin Guo",
        "AU  - Siddharth Joshi",
        "PY  - 2025",
        "JO  - J. Syst. 12 (2025) 3",
        "DO  - 10.1000/x",
        "UR  - https://arxiv.org/abs/2606.00001",
        "AB  - We compress the KV cache number 1. It costs O(n).",
        "KW  - cs.DC",
        "ER  - ",
        "",
    ]


def test_an_export_of_nothing_is_empty() -> None:
    assert not format_ris_file([])
