from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.document import Document, document
from digest.core.evaluate import evaluate
from digest.core.match import Hits, match
from digest.core.query import Query
from digest.core.reading import parse
from digest.core.text import highlights
from digest.errors import QueryError
from digest.model import Author, Band, Fit, Paper, PaperKey
from tests.corpus import papers_of

PAPER = Paper(
    key=PaperKey("arxiv:2601.00001"),
    title="Serving Mixtures-of-Experts: LLMs on H$_2$O",
    abstract="We serve a large language model (LLM). A mixture of experts helps; G\\\"odel's experts agree.",
    authors=(Author(name="Wencong Xiao"), Author(name='Kurt G\\"odel'), Author(name="Y. Liu")),
    categories=("cs.DC", "cs.IT"),
    url="https://example.org/1",
)


def fit(written: str, paper: Paper = PAPER) -> Fit | None:
    return evaluate(parse(written), document(paper))


def evidence(written: str, paper: Paper = PAPER) -> dict[str, tuple[str, ...]]:
    found = fit(written, paper)
    assert found, written
    return {each.field: each.words for each in found.evidence}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("LLM", {"title": ("LLMs",), "abstract": ("LLM",)}),
        ("expert", {"title": ("Experts",), "abstract": ("experts",)}),
        ('"mixture of experts"', {"title": ("Mixtures-of-Experts",), "abstract": ("mixture of experts",)}),
        ("title:serve", {"title": ("Serving",)}),
        ("abstract:serve", {"abstract": ("serve",)}),
        ("H_2O", {"title": ("H₂O",)}),
        ("godel", {"abstract": ("Gödel's",)}),
        ("title:serving abstract:helping", {"title": ("Serving",), "abstract": ("helps",)}),
        ("quantum OR serving", {"title": ("Serving",), "abstract": ("serve",)}),
        ("serving -quantum", {"title": ("Serving",), "abstract": ("serve",)}),
        ("author:(Kurt Gödel)", {"author": ("Kurt Gödel",)}),
        ("category:cs", {"category": ("cs.DC", "cs.IT")}),
        ("category:math.IT", {"category": ("cs.IT",)}),
        (
            "cat:cs.DC title:LLM au:Xiao",
            {"title": ("LLMs",), "author": ("Wencong Xiao",), "category": ("cs.DC",)},
        ),
    ],
)
def test_a_fit_tells_fields_and_words_as_printed(written: str, found: dict[str, tuple[str, ...]]) -> None:
    assert evidence(written) == found


@pytest.mark.parametrize(
    "written",
    [
        "quantum",
        "serving quantum",
        "serving -LLM",
        "serving NOT category:cs.DC",
        "title:helps",
        '"experts of mixture"',
        '"experts agree helps"',
        "author:(Wei Wang)",
        "category:cs.LG",
        '"H2O We"',  # a phrase stays within one field
    ],
)
def test_what_does_not_fit_has_no_reason(written: str) -> None:
    assert fit(written) is None


@pytest.mark.parametrize(
    ("written", "band"),
    [
        ("LLM", Band.SURELY),
        ("category:cs.*", Band.SURELY),
        ('author:"Wencong Xiao"', Band.LIKELY),
        ('author:"Xiao, Wencong"', Band.LIKELY),
        ('author:"Yang Liu"', Band.MAYBE),
        ("author:Xiao", Band.MAYBE),
        ('author:"Wencong Xiao" LLM', Band.LIKELY),
        ('author:"Wencong Xiao" OR LLM', Band.SURELY),
        ('author:"Yang Liu" LLM', Band.MAYBE),
        ('author:"Yang Liu" OR author:"Wencong Xiao"', Band.LIKELY),
        ('LLM NOT author:"Yang Liu"', Band.SURELY),
        ('author:"Yang Liu" NOT author:"Wei Wang"', Band.MAYBE),
    ],
)
def test_how_sure_a_fit_is(written: str, band: Band) -> None:
    found = fit(written)
    assert found
    assert found.band is band


def test_not_leaves_out_what_is_likely_but_never_a_maybe() -> None:
    assert fit('LLM NOT author:"Wencong Xiao"') is None
    assert fit('LLM NOT author:"Yang Liu"')


def test_only_the_surest_side_of_an_or_is_the_reason() -> None:
    assert evidence('author:"Yang Liu" OR author:"Wencong Xiao"') == {"author": ("Wencong Xiao",)}


def test_reasons_can_be_marked_in_the_readable_text() -> None:
    found = document(PAPER)
    for each in fit('"mixture of experts" LLM H_2O').evidence:  # type: ignore[union-attr]
        text = found.texts[each.field].text
        marked = {text[start:end] for start, end in highlights(text, each.words)}
        assert marked == set(each.words)


WORDS = st.lists(
    st.sampled_from(
        ["multi-modal", "multimodal", "multi", "modal", "LLMs", "-", "C++", "x-ray-3-4", "$\\alpha$", ","]
    )
)
TERMS = st.sampled_from(
    [
        "LLM",
        "multi-modal",
        "multimodal",
        '"multi modal"',
        "title:modal",
        '"LLMs x-ray"',
        "C",
        "C++",
        "xray",
        "4",
        'author:"Yang Liu"',
        "author:Liu",
        'author:"Wei Wang"',
        "category:cs.*",
        "category:cs.DC",
    ]
)
QUERIES = st.recursive(
    TERMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]} OR {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} NOT {two[1]})"),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} ({three[1]} OR NOT {three[2]}))"),
    ),
    max_leaves=8,
)
PAPERS = st.builds(
    Paper,
    key=st.just(PaperKey("url:x")),
    url=st.just(""),
    title=WORDS.map(" ".join) | st.text(),
    abstract=WORDS.map(" ".join),
    authors=st.lists(
        st.sampled_from(["Yang Liu", "Y. Liu", "Liu", "Wei Wang", "Wang Wei"]).map(
            lambda name: Author(name=name)
        )
    ).map(tuple),
    categories=st.lists(st.sampled_from(["cs.DC", "cs.LG", "math.IT", "q-bio.NC"])).map(tuple),
)


def one_by_one(queries: list[tuple[int, Query]], documents: list[Document]) -> list[Hits]:
    hits = []
    for number, query in queries:
        bands = [found.band if (found := evaluate(query, each)) else Band.NOT for each in documents]
        fits = tuple(at for at, band in enumerate(bands) if band >= Band.LIKELY)
        maybe = tuple(at for at, band in enumerate(bands) if band is Band.MAYBE)
        if fits or maybe:
            hits.append(Hits(query=number, fits=fits, maybe=maybe))
    return hits


@given(st.lists(QUERIES, max_size=5), st.lists(PAPERS, max_size=5))
def test_many_at_once_are_what_each_is_by_itself(written: list[str], papers: list[Paper]) -> None:
    queries = list(enumerate(map(parse, written)))
    documents = list(map(document, papers))
    assert list(match(queries, documents)) == one_by_one(queries, documents)


@given(
    st.text(max_size=30),
    st.builds(Paper, key=st.just(PaperKey("url:x")), title=st.text(), abstract=st.text(), url=st.just("")),
)
def test_any_query_can_be_asked_of_any_text(written: str, paper: Paper) -> None:
    try:
        query = parse(written)
    except QueryError:
        return
    found = evaluate(query, document(paper))
    assert found is None or all(each.words for each in found.evidence)


@given(st.text(max_size=60))
def test_a_title_in_quotes_finds_its_paper(title: str) -> None:
    paper = Paper(key=PaperKey("url:x"), title=title, url="")
    readable = document(paper).texts["title"].text
    try:
        query = parse(f'"{readable}"')
    except QueryError:
        return
    if not set('"“”„‟') & set(readable):
        assert evaluate(query, document(paper))


def test_no_queries_and_no_documents_give_nothing() -> None:
    assert list(match([], [document(PAPER)])) == []
    assert list(match([(1, parse("LLM"))], [])) == []


# --- on a real day --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def day(data: Path) -> list[Paper]:
    return [
        Paper(
            key=PaperKey(f"arxiv:{each.id}"),
            title=each.title,
            abstract=each.abstract,
            authors=tuple(Author(name=name) for name in each.authors),
            categories=each.categories,
            url="",
        )
        for each in papers_of(data, date(2026, 5, 12))
    ]


@pytest.fixture(scope="module")
def documents(day: list[Paper]) -> list[Document]:
    return list(map(document, day))


def printed(written: str, documents: list[Document]) -> set[str]:
    query = parse(written)
    fits = [found for each in documents if (found := evaluate(query, each))]
    return {word.casefold() for found in fits for each in found.evidence for word in each.words}


def test_a_real_day_is_found_by_words_and_not_by_substrings(documents: list[Document]) -> None:
    assert {"llm", "llms"} <= printed("LLM", documents) <= {"llm", "llms", "llm's", "llms'"}
    assert {"embedding", "embeddings", "embedded"} <= printed("embed", documents)
    assert not {word for word in printed("transformer", documents) if not word.startswith("transformer")}
    assert {"multi-modal", "multimodal"} <= printed("multimodal", documents)
    assert {"mixture-of-experts", "mixture of experts"} <= printed('"mixture of experts"', documents)
    assert not printed('"in formation"', documents) - {"in formation"}


def test_a_real_day_is_matched_as_each_paper_is_by_itself(documents: list[Document]) -> None:
    written = [
        "LLM",
        '"large language model"',
        "title:diffusion -video",
        "author:Liu",
        "category:cs.*",
        "graph (a OR b)",
    ]
    queries = list(enumerate(map(parse, written)))
    assert list(match(queries, documents)) == one_by_one(queries, documents)


def test_real_titles_typed_as_queries_find_their_paper_or_tell_the_sign_to_quote(day: list[Paper]) -> None:
    untold, missed = [], []
    for paper in day[:600]:
        try:
            query = parse(paper.title)
        except QueryError as error:
            if "quote" not in str(error):
                untold.append(paper.title)
            continue
        if not evaluate(query, document(paper)):
            missed.append(paper.title)
    assert not untold
    assert not missed
