"""The engine finds what the plain evaluator finds: two roads to one answer.

``DIGEST_TEST_ASKED`` and ``DIGEST_TEST_PAPERS`` say how many random queries are asked about how many real papers; in
the long run 10,000 about 2,000.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.language.query import Query, compile_query
from digest.core.matching.bitmaps import MatchBitmaps
from digest.core.matching.evaluate import evaluate
from digest.core.matching.percolator.engine import Engine
from digest.core.names.fitting import fold_name
from digest.core.papers.document import BylineStanding, PaperDocument, build_document
from digest.demo.publisher import AnnouncedPaper
from digest.model import Author, Confidence, EventKind, Paper, PaperKey
from tests.core.query_generator import QueryGenerator
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day
from tests.support.call_count import count_calls

ASKED = int(os.environ.get("DIGEST_TEST_ASKED", "1000"))
PAPERS = int(os.environ.get("DIGEST_TEST_PAPERS", "160"))
NOTHING = MatchBitmaps(0, 0, 0, 0, 0, 0)


def plainly(query: Query, documents: Sequence[PaperDocument]) -> MatchBitmaps:
    rows = [0] * 6
    for place, paper_document in enumerate(documents):
        if fit := evaluate(query, paper_document):
            how = (
                *(
                    fit.confidence >= band
                    for band in (Confidence.MAYBE, Confidence.LIKELY, Confidence.SURELY)
                ),
                fit.in_title,
                *(fit.author_confidence >= band for band in (Confidence.LIKELY, Confidence.SURELY)),
            )
            rows = [row | yes << place for row, yes in zip(rows, how, strict=True)]
    return MatchBitmaps(*rows)


def engine_of(queries: Iterable[Query]) -> Engine:
    engine = Engine()
    for number, query in enumerate(queries):
        engine.add_compiled(number, compile_query(query))
    return engine


def assert_same(queries: Sequence[Query], documents: Sequence[PaperDocument]) -> None:
    results = dict(engine_of(queries).match(documents))
    for number, query in enumerate(queries):
        assert results.get(number, NOTHING) == plainly(query, documents), str(query)


# --- real papers ----------------------------------------------------------------------------------


def real_papers(data: Path, count: int, random: Random) -> list[Paper]:
    """Real papers, with some of what arXiv does not tell: ids, affiliations, references."""
    days = list_announcement_days(data, date(2026, 3, 2), date(2026, 4, 30))
    papers: list[Paper] = []
    for day in days:
        papers += map(_paper, read_papers_of_day(data, day))
        if len(papers) >= count:
            break
    random.shuffle(papers)
    papers = papers[:count]
    return [_dressed(paper, number, papers, random) for number, paper in enumerate(papers)]


def _paper(announced: AnnouncedPaper) -> Paper:
    return Paper(
        key=PaperKey(f"arxiv:{announced.id}"),
        title=announced.title,
        abstract=announced.abstract,
        authors=tuple(Author(name) for name in announced.authors),
        categories=tuple(announced.categories),
        url=f"https://arxiv.org/abs/{announced.id}",
    )


def _dressed(paper: Paper, number: int, papers: Sequence[Paper], random: Random) -> Paper:
    other = papers[number * 7 % len(papers)]
    authors = [
        Author(
            author.name,
            (other.title[:40],) if random.random() < 0.2 else (),
            (("orcid", f"0000-000{random.randrange(4)}"),) if random.random() < 0.1 else (),
        )
        for author in paper.authors
    ]
    return replace(
        paper,
        authors=tuple(authors),
        organizations=(other.title,) if random.random() < 0.2 else (),
        institutions=("05a28rw58",) if random.random() < 0.1 else (),
        references=tuple(paper.key for paper in papers[number : number + 3]) if random.random() < 0.2 else (),
        code_urls=("https://github.com/x/y",) if random.random() < 0.1 else (),
        journal_ref=other.title if random.random() < 0.2 else "",
    )


def standings_of(papers: Sequence[Paper], random: Random) -> dict[str, BylineStanding]:
    """Some names are several people's, and some are believed to be somebody who has an id."""
    names = sorted({fold_name(author.name) for paper in papers for author in paper.authors})
    return {
        name: BylineStanding(is_sole_bearer=False)
        if random.random() < 0.5
        else BylineStanding(ids=frozenset({("orcid", f"0000-000{random.randrange(4)}")}))
        for name in random.sample(names, len(names) // 5)
    }


def test_random_queries_fit_the_same_real_papers_in_the_same_bands_by_both(data: Path) -> None:
    random = Random(os.environ.get("DIGEST_TEST_SEED", "follows"))
    papers = real_papers(data, PAPERS, random)
    standings = standings_of(papers, random)
    documents = [
        build_document(
            paper,
            kind=random.choice(list(EventKind)),
            source=random.choice(("arxiv", "hf_daily", "Blog")),
            standings=standings,
        )
        for paper in papers
    ]
    asker = QueryGenerator(papers, random)

    assert_same([asker.make_query() for _ in range(ASKED)], documents)


def test_after_follows_came_and_went_it_is_as_if_it_was_made_anew(data: Path) -> None:
    random = Random(os.environ.get("DIGEST_TEST_SEED", "changes"))
    papers = real_papers(data, 100, random)
    documents = [build_document(paper) for paper in papers]
    asker = QueryGenerator(papers, random)
    queries = [asker.make_query() for _ in range(600)]
    engine = Engine()
    there: dict[int, Query] = {}
    for _ in range(2_000):
        number = random.randrange(300)
        if number in there and random.random() < 0.5:
            engine.remove(number)
            del there[number]
        else:
            there[number] = random.choice(queries)
            engine.add(number, there[number])

    anew = Engine()
    for number, query in there.items():
        anew.add(number, query)
    assert dict(engine.match(documents)) == dict(anew.match(documents))
    assert engine.wanted_authors == anew.wanted_authors
    for number in there:
        engine.remove(number)
    assert not len(engine)
    assert engine.wanted_authors == Engine().wanted_authors
    assert not dict(engine.match(documents))


# --- texts that are hard to read ------------------------------------------------------------------

_ODD = st.lists(
    st.sampled_from(
        [
            *(
                "multi-modal",
                "multimodal",
                "multi",
                "modal",
                "multi modal",
                "LLMs",
                "LLM-based",
                "-",
                "C++",
                "C/C++",
            ),
            *(
                "x-ray-3-4",
                "xray",
                "$\\alpha$",
                ",",
                "H$_2$O",
                "2020-21",
                "3.5",
                "GPT-3.5",
                'G\\"odel',
                "Gödel's",
            ),
            *(
                "深度学习",
                "n_TOF",
                "Erdős",
                "e-print",
                "bases",
                "basis",
                "embedding",
                "RAG",
                "rag",
                "Adam's",
                "the",
            ),
            *("RESULTS", "results", "result", "GPS", "GPs", "data", "result-driven"),
            *("Ca2+", "Ca²⁺", "Ca$^{2+}$", "Ca", "CD4$^+$", "CD4+CD8+", "H⁺-ATPase", "Na＋", "e$^+$e$^-$"),
            *("ΛCDM", "LambdaCDM", "Lambda-CDM", "α-synuclein", "alpha synuclein", "$\\beta$-VAE", "TGFβ1"),
            *("$\\sigma_8$", "sigma8", "∆x", "λόγος", "kΩ", "π’s", "γγ"),
            *(
                "L^p",
                "$L^{p}$",
                "Lp",
                "$L^p$-space",
                "T_c",
                "$T_{\\rm c}$",
                "Tc",
                "a_b_c",
                "__init__",
                "10^14",
                "10¹⁴",
                "1014",
                "x²",
            ),
            *("SU(2)", "$SU(2)$", "f(R)", "SL(2, Z)", "(∞,1)-categories", "f", "2", "(2+1)D"),
            *(
                "(∞,",
                "$(\\infty, 1)$-category",
                "∞-categories",
                "H_∞",
                "n→∞",
                "SL(2,Z)",
                "GARCH(1,1)",
                "(2,1)-category",
            ),
            *("A*", "$C^*$-algebras", "C$^\\ast$-algebra", "K*(892)", "A", "algebra", "*"),
            *("基于深度学习的方法", "学习", "深-度", "量子LLM计算", "C++语言", "ガﾞｶﾞ", "한국어를", "データ"),
            *(
                "90s",
                "90",
                "1990's",
                "90's",
                "mid-90’s-style",
                "GPT-4's",
                "Dice",
                "die",
                "axes",
                "Ax",
                "ＬＬＭ－3．5",
            ),
        ]
    ),
    max_size=25,
).flatmap(lambda words: st.sampled_from([" ", " ", ""]).map(lambda blank: blank.join(words)))
_ASKED = st.lists(
    st.sampled_from(
        [
            *(
                "LLM",
                "multi-modal",
                "multimodal",
                '"multi modal"',
                "title:modal",
                '"LLMs x-ray"',
                "C",
                "C++",
                "xray",
            ),
            *(
                "4",
                "=RAG",
                '="LLM-based"',
                "multi-mod*",
                "emb*",
                '"modal LLM"~3',
                "base",
                "embed",
                "godel",
                "goedel",
            ),
            *(
                "H_2O",
                "2020",
                "3.5",
                "GPT-3.5",
                '"C C++"',
                "深度学习",
                "title:the",
                "erdos",
                '"e print"',
                "eprint",
            ),
            *(
                "LLM -rag",
                "multi OR basis",
                "(modal OR emb*) NOT title:LLM",
                "abstract:=rag",
                '"multi the LLM"~20',
            ),
            *("result", "results", '"the results"', '"results data result"', '"GPs the results multi"'),
            *('"result the GPS data"', '"multi modal results data LLM"', "GPS", "gps", '"gp result"', "res*"),
            '"multi-modal-x-ray-result-driven-e-print the"',
            *("Ca2+", "Ca²⁺", "Ca$^{2+}$", "CD4+", "=Ca²⁺", "Na+", "H+ -Ca", '"e+ e"', "ca*"),
            *(
                "ΛCDM",
                "LambdaCDM",
                "Lambda-CDM",
                "lambda",
                "alpha-synuclein",
                "α",
                "TGF-beta",
                "β-VAE",
                "sigma8",
            ),
            *(
                "$\\sigma_8$",
                "delta",
                "λόγος",
                "lamb*",
                "TGF-β*",
                "=ΛCDM",
                '"α synuclein"',
                "gamma-gamma",
                "CDM",
            ),
            *(
                "L^p",
                "$L^{p}$",
                "Lp",
                "Lp-space",
                "T_c",
                "$T_{\\rm c}$",
                "Tc",
                "=T_c",
                "a-b-c",
                "init",
                "10^14",
                "10¹⁴",
                "1014",
                "=10¹⁴",
                "x2",
                "90's",
                "mid-90s-style",
                "GPT-4",
            ),
            *("SU(2)", "=SU(2)", "f(R) -SU(2)", "SL(2,Z)", "(∞,1)-categories", '"SU 2"~2', "title:SU(2)"),
            *("∞-categories", '"(∞, 1)"', '="(∞,1)-categories"', "SU(∞)", "title:(∞,1)-category"),
            *("A*", "C*-algebra", "K* -A*", '"A* search"', "K*(892)", "title:C*-algebra OR Ax", "$C^*$"),
            *(
                "深度学习",
                "学习*",
                "量",
                '"学习 方法"~3',
                "LLM计算",
                "ガ",
                "カ",
                "국어",
                "C++语言",
                "=学习",
                "データ",
            ),
            *("90", "90s", "die", "dice", "ax", "axe", "LLM-3.5"),
        ]
    ),
    min_size=1,
    max_size=6,
)


@given(st.lists(st.tuples(_ODD, _ODD), min_size=1, max_size=6), _ASKED)
def test_hyphens_digits_formulas_charges_and_other_scripts_are_the_same_to_both(
    texts: list[tuple[str, str]], asked: list[str]
) -> None:
    papers = [
        Paper(
            key=PaperKey(f"arxiv:2601.{number:05}"), title=title, abstract=abstract, url="https://example.org"
        )
        for number, (title, abstract) in enumerate(texts)
    ]

    assert_same([parse(text) for text in asked], [build_document(paper) for paper in papers])


def test_a_number_that_comes_again_takes_the_place_of_its_query() -> None:
    paper = Paper(key=PaperKey("arxiv:2601.00001"), title="Serving models", url="https://example.org")
    engine = Engine()
    engine.add(1, parse("serving"))
    engine.add(1, parse("quantum"))

    assert not dict(engine.match([build_document(paper)]))
    with pytest.raises(KeyError):
        engine.remove(2)


def test_phrases_find_words_in_capitals_only_where_these_fit_them() -> None:
    texts = ("RESULTS OF THE MULTI-MODAL MODEL", "results of the multimodal models", "a result of the models")
    papers = [
        Paper(key=PaperKey(f"arxiv:2601.0000{number}"), title=text, url="https://example.org")
        for number, text in enumerate(texts)
    ]
    requests = [
        "results",
        "result",
        '"results of the multi-modal model"',
        '"result of the multi-modal model"',
    ]
    engine = engine_of(map(parse, requests))

    results = dict(engine.match([build_document(paper) for paper in papers]))

    assert [results[number].title for number in range(4)] == [0b111, 0b110, 0b011, 0b010]


def test_few_near_or_exact_words_alone_fit_the_same_papers_as_among_others() -> None:
    texts = ("A model of language", "language and a model", "GPS-based language models", "gps", "2020")
    documents = [
        build_document(Paper(key=PaperKey(f"arxiv:2601.0000{number}"), title=text, url="https://example.org"))
        for number, text in enumerate(texts)
    ]
    few = [parse(text) for text in ('"model language"~2', '"language model"~5', "=GPS", "title:=language")]

    assert_same(few, documents)
    for query in few:
        assert_same([query], documents)
        assert_same([query, parse("language"), parse("mod*")], documents)


def test_each_text_is_read_once_for_however_many_words_near_each_other_or_beginnings() -> None:
    words = [f"w{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(120)]
    papers = [
        Paper(
            key=PaperKey(f"arxiv:2601.{number:05}"),
            title=" ".join(words[number::2]),
            abstract=", ".join(f"{word}-{word}" for word in words),
            url="https://example.org",
        )
        for number in range(5)
    ]

    def matched(size: int) -> int:
        requests = [f'"{text} {other}"~9' for text, other in zip(words[:size], words[2:], strict=False)]
        engine = engine_of(map(parse, (*requests, *(f"{word}-{word[:2]}*" for word in words[:size]))))
        documents = [build_document(paper) for paper in papers]
        return count_calls(lambda: dict(engine.match(documents)))

    matched(6)
    matched(6)  # what is imported, and what is worked out once, is no work of the second time
    assert matched(60) < 5 * matched(6), "each query read the texts anew"
