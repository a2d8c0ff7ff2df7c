"""A statement reads back as it was stored, whatever fields it has."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from digest.model import Author, Paper, PaperKey
from digest.store.papers.statement_rows import FIELD_COLUMNS, build_paper, make_row

TEXTS = st.text(max_size=6)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple)
AUTHORS = st.builds(Author, TEXTS, st.lists(TEXTS, max_size=2).map(tuple), PAIRS)
PAPERS = st.builds(
    Paper,
    key=TEXTS.map(PaperKey),
    authors=st.lists(AUTHORS, max_size=3).map(tuple),
    **dict.fromkeys(("title", "abstract", "url", "pdf_url", "doi", "journal_ref", "comment"), TEXTS),
    **dict.fromkeys(
        ("categories", "code_urls", "project_urls", "organizations", "institutions", "references"),
        st.lists(TEXTS, max_size=2).map(tuple),
    ),
    license_url=TEXTS,
    ids=PAIRS,
    version=st.integers(0, 9),
    version_told=st.booleans(),
    withdrawn=st.booleans(),
)


@given(PAPERS)
def test_a_paper_is_read_as_it_was_written(paper: Paper) -> None:
    number, source, *values, lists = make_row(7, "arxiv", paper)

    assert (number, source, len(values)) == (7, "arxiv", len(FIELD_COLUMNS))
    assert (
        build_paper(
            paper.key,
            [int(value) if isinstance(value, bool) else value for value in values],
            json.loads(lists),
        )
        == paper
    )
