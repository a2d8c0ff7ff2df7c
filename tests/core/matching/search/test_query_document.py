"""Reading only the words of a query changes nothing of why a paper fits."""

from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.matching.evaluate import evaluate
from digest.core.matching.search.query_document import QueryDocumentReader
from digest.core.papers.document import build_document
from digest.model import Paper, PaperKey
from tests.core.matching.percolator.test_engine import real_papers
from tests.core.matching.percolator.test_text_reader import QUERIES, TEXTS
from tests.core.query_generator import QueryGenerator
from tests.support.seeds import get_seed


def test_the_evidence_in_real_papers_is_the_same(data: Path) -> None:
    random = Random(get_seed())
    papers = real_papers(data, 60, random)
    generator = QueryGenerator(papers, random)

    for _ in range(300):
        query = generator.make_query()
        reader = QueryDocumentReader(query)
        for paper in papers:
            document = build_document(paper, source="arxiv")
            assert evaluate(query, reader.read(document)) == evaluate(query, document), str(query)


@given(TEXTS, TEXTS, st.lists(st.sampled_from(QUERIES), min_size=1, max_size=3))
def test_so_is_the_evidence_in_texts_with_signs(title: str, abstract: str, texts: list[str]) -> None:
    paper = Paper(key=PaperKey("arxiv:2606.00001"), title=title, abstract=abstract, url="")
    document = build_document(paper)
    for text in (*texts, " OR ".join(f"({text})" for text in texts)):
        query = parse(text)
        assert evaluate(query, QueryDocumentReader(query).read(document)) == evaluate(query, document)
