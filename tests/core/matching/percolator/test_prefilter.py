from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.language.query import And, Phrase
from digest.core.matching.evaluate import evaluate
from digest.core.matching.percolator.prefilter import build_prefilter
from digest.core.papers.document import build_document
from digest.core.text.irregular import PLURALS, VERBS
from digest.core.text.words import find_forms, iter_parts, tex_to_unicode
from digest.model import Author, Paper, PaperKey
from tests.core.query_generator import QueryGenerator
from tests.core.text.test_inflection import FIT, NEVER
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day
from tests.support.cases import for_each_case


def paper(title: str, abstract: str = "", **facts: object) -> Paper:
    return Paper(key=PaperKey("arxiv:2606.00001"), title=title, abstract=abstract, url="", **facts)  # type: ignore[arg-type]


def may_fit(query: str, title: str, abstract: str = "") -> bool:
    return build_prefilter(parse(query))(paper(title, abstract))


# --- it rules out ---------------------------------------------------------------------------------


@for_each_case(
    ("query", "title"),
    [
        ("graph", "Trees"),
        ("title:graph", "Trees"),
        ("graph tree", "Trees"),
        ('"graph of trees"', "A graph of lattices"),
        ("graph OR lattice", "Trees"),
        ("graph -tree", "Trees"),
        ("=RAG", "Trees"),
        ("quantiz*", "Qualities"),
        ("category:cs.LG graph", "Trees"),
        ("kind:new (graph OR lattice)", "Trees"),
    ],
)
def test_a_paper_without_the_letters_is_ruled_out(query: str, title: str) -> None:
    assert not may_fit(query, title)


@for_each_case(
    "query", ["category:cs.LG", "author:Liu", "comment:graph", "graph OR has:code", "source:arxiv"]
)
def test_what_letters_do_not_tell_is_let_through(query: str) -> None:
    assert may_fit(query, "Trees")


# --- it never misses ------------------------------------------------------------------------------


@for_each_case(
    ("query", "title"),
    [
        ("Godel", r"G\"odel"),
        ("goedel", "Gödel"),
        ("Gödel", "Goedel"),
        ("multimodal", "multi-modal"),
        ('"multi modal"', "multi-modal"),
        ("multi-modal", "multimodal"),
        ("multi-mod*", "multimodality"),
        ("H_2O", "H$_2$O"),
        ("bobmodel", "Bob's-model"),
        ("GPT-3.5", "GPT 3.5"),
        ("study*", "Studies"),
        ("make*", "Making"),
        ("analysis*", "Analyses"),
        ("peopl* person*", "People"),
        ("ΟΔΟΣ", "οδος"),
        ("straße", "STRASSE"),
        ("LambdaCDM", "ΛCDM"),
        ("ΛCDM", r"$\Lambda$CDM"),
        ("sigma8", r"$\sigma_8$"),
        ("Ca2+", "Ca²⁺"),
        ("Lp", "$L^p$"),
        ("bobmodel", "Bob's_model"),
        ("深度学习", "基于深度学习的方法"),
        ("ガ", "ｶﾞ"),
        ("C*-algebra", r"$C^\ast$-algebras"),
        ("Erdos", r"Erd\H{o}s"),
        ('="C/C++"', "C/C++"),
    ],
)
def test_what_fits_is_let_through_however_it_is_written(query: str, title: str) -> None:
    assert evaluate(parse(query), build_document(paper(title)))
    assert may_fit(query, title)


def test_every_form_of_a_word_is_let_through() -> None:
    listed = {*PLURALS, *VERBS, *(word for pair in (*FIT, *NEVER) for word in pair)}

    for form in sorted(listed):
        for base in find_forms(form):
            assert build_prefilter(Phrase(units=((base,),)))(paper(form)), (form, base)


TEXT = st.text(
    st.sampled_from("aeiosty1905 \\{}$_^-'’.+#\"öÖéßΣςσΛμµ²₃¹⁺İ中学ガﾞｶㄱㅏヿ㈠\u00ad\u0301"), max_size=40
)


@given(TEXT, TEXT, st.integers(0, 1 << 30))
def test_no_text_hides_its_words(title: str, abstract: str, seed: int) -> None:
    one = paper(f"a {title}", f"an {abstract}", authors=(Author("Ada Lovelace"),), categories=("cs.LG",))
    asker = QueryGenerator([one], Random(seed))

    for query in [asker.make_query() for _ in range(5)]:
        if evaluate(query, build_document(one)):
            assert build_prefilter(query)(one), query


def test_of_real_papers_none_that_fits_is_ruled_out_and_others_are(data: Path) -> None:
    day = list_announcement_days(data, date(2026, 5, 1), date(2026, 5, 31))[0]
    papers = [
        paper(one.title, one.abstract, authors=tuple(map(Author, one.authors)), categories=one.categories)
        for one in read_papers_of_day(data, day)
    ][:120]
    documents = [build_document(paper) for paper in papers]
    asker = QueryGenerator(papers, Random(4))
    let_through = fitting = 0

    for query in [asker.make_query() for _ in range(300)]:
        first = build_prefilter(query)
        for one, paper_document in zip(papers, documents, strict=True):
            may, fits = first(one), bool(evaluate(query, paper_document))
            assert may or not fits, (query, one.title)
            let_through, fitting = let_through + may, fitting + fits
    assert 0 < fitting < let_through < 0.8 * 300 * len(papers)


def test_each_word_of_real_papers_is_found_by_each_of_its_forms(data: Path) -> None:
    day = list_announcement_days(data, date(2026, 6, 1), date(2026, 6, 30))[0]
    for one in read_papers_of_day(data, day):
        text = tex_to_unicode(f"{one.title} {one.abstract}")
        results = sorted({base for part in iter_parts(text) for base in find_forms(part.printed)})
        assert build_prefilter(And(queries=tuple(Phrase(units=((base,),)) for base in results)))(
            paper(one.title, one.abstract)
        ), one.id
