from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.matching.evaluate import collect_evidence, evaluate
from digest.core.names.fitting import fold_name
from digest.core.papers.document import BylineStanding, PaperDocument, build_document
from digest.core.text.highlights import find_highlights
from digest.errors import QueryError
from digest.model import Author, Confidence, EventKind, Evidence, MatchResult, Paper, PaperKey
from tests.simulation.recorded_days import read_papers_of_day
from tests.support.cases import for_each_case

ORCID = "0000-0002-1825-0097"
PAPER = Paper(
    key=PaperKey("arxiv:2601.00001"),
    title="Serving Mixtures-of-Experts: LLMs on H$_2$O",
    abstract="We serve a large language model (LLM). A mixture of experts helps; G\\\"odel's experts agree.",
    authors=(
        Author(name="Wencong Xiao", affiliations=("ETH Zurich", "Alibaba Group, Hangzhou")),
        Author(name='Kurt G\\"odel', ids=(("orcid", ORCID),)),
        Author(name="Y. Liu"),
    ),
    categories=("cs.DC", "cs.IT"),
    comment="Accepted at ICML 2026",
    journal_ref="Nature Physics 12",
    doi="10.1000/182",
    code_urls=("https://github.com/x/y",),
    institutions=("05a28rw58",),
    references=("arxiv:2501.00001",),
    url="https://example.org/1",
)


def seen(paper: Paper = PAPER, **standings: BylineStanding) -> PaperDocument:
    byline_standings = {fold_name(name.replace("_", " ")): standing for name, standing in standings.items()}
    return build_document(paper, kind=EventKind.GROWN, source="arxiv", standings=byline_standings)


def fit(text: str, about: PaperDocument | None = None) -> MatchResult | None:
    return evaluate(parse(text), about or seen())


def shown(evidence: tuple[Evidence, ...]) -> dict[str, tuple[str, ...]]:
    return {evidence.field: evidence.words for evidence in evidence}


# --- what is found, and where ---------------------------------------------------------------------


@for_each_case(
    ("text", "results"),
    [
        ("LLM", {"title": ("LLMs",), "abstract": ("LLM",)}),
        ("expert", {"title": ("Experts",), "abstract": ("experts",)}),
        ('"mixture of experts"', {"title": ("Mixtures-of-Experts",), "abstract": ("mixture of experts",)}),
        ('"serve language"~2', {"abstract": ("serve a large language",)}),
        ("=LLM", {"abstract": ("LLM",)}),
        ("serv*", {"title": ("Serving",), "abstract": ("serve",)}),
        ("title:serve", {"title": ("Serving",)}),
        ("H_2O", {"title": ("H₂O",)}),
        ("godel", {"abstract": ("Gödel's",)}),
        ("title:serving abstract:helping", {"title": ("Serving",), "abstract": ("helps",)}),
        ("quantum OR serving", {"title": ("Serving",), "abstract": ("serve",)}),
        ("serving -quantum", {"title": ("Serving",), "abstract": ("serve",)}),
        ("comment:icml", {"comment": ("ICML",)}),
        ("journal:nature", {"journal": ("Nature",)}),
        ('institution:"eth zurich"', {"institution": ("ETH Zurich",)}),
        ("institution:(hangzhou zurich)", {"institution": ("Hangzhou", "Zurich")}),
        ("author:(Kurt Gödel)", {"author": ("Kurt Gödel",)}),
        ("category:cs", {"category": ("cs.DC", "cs.IT")}),
        ("category:math.IT", {"category": ("cs.IT",)}),
        ("primary:cs", {"category": ("cs.DC",)}),
        ("kind:new", {"kind": ("new",)}),
        ("kind:grown", {"kind": ("grown",)}),
        ("source:ArXiv", {"source": ("arxiv",)}),
        ("has:code", {"has": ("code",)}),
        ("doi:10.1000/182", {"id": ("doi:10.1000/182",)}),
        ("cites:2501.00001", {"cites": ("arxiv:2501.00001",)}),
        ("institution:ror:05a28rw58", {"institution": ("ror:05a28rw58",)}),
        (
            "cat:cs.DC title:LLM au:Xiao",
            {"title": ("LLMs",), "author": ("Wencong Xiao",), "category": ("cs.DC",)},
        ),
    ],
)
def test_a_fit_tells_fields_and_words_as_printed(text: str, results: dict[str, tuple[str, ...]]) -> None:
    fitting = fit(text)
    assert fitting
    assert shown(fitting.evidence) == results


@for_each_case(
    "text",
    [
        "quantum",
        "serving quantum",
        "serving -LLM",
        "serving NOT category:cs.DC",
        "title:helps",
        '"experts of mixture"',
        '"experts agree helps"',
        '"serve language"~1',
        "=llm",
        "quantiz*",
        "icml",
        "comment:nature",
        "author:(Wei Wang)",
        "category:cs.LG",
        "primary:cs.IT",
        '"H2O We"',  # a phrase stays within one field
        '"H2O We"~5',
        'institution:"Zurich Alibaba"',  # and within one affiliation
        'institution:"Zurich Hangzhou"~20',
        "kind:version",
        "source:blog",
        "id:2601.00002",
        "cites:2601.00001",
        "institution:ror:03vek6s52",
    ],
)
def test_what_does_not_fit_has_no_reason(text: str) -> None:
    assert fit(text) is None


@for_each_case(
    ("text", "band"),
    [
        ("LLM", Confidence.SURELY),
        ("category:cs.*", Confidence.SURELY),
        ("kind:new", Confidence.SURELY),
        ('author:"Wencong Xiao"', Confidence.LIKELY),
        ('author:"Xiao, Wencong"', Confidence.LIKELY),
        ('author:"Yang Liu"', Confidence.MAYBE),
        ("author:Xiao", Confidence.MAYBE),
        ('author:"Wencong Xiao" LLM', Confidence.LIKELY),
        ('author:"Wencong Xiao" OR LLM', Confidence.SURELY),
        ('author:"Yang Liu" LLM', Confidence.MAYBE),
        ('author:"Yang Liu" OR author:"Wencong Xiao"', Confidence.LIKELY),
        ('LLM NOT author:"Yang Liu"', Confidence.SURELY),
        ('author:"Yang Liu" NOT author:"Wei Wang"', Confidence.MAYBE),
    ],
)
def test_how_sure_a_fit_is(text: str, band: Confidence) -> None:
    match = fit(text)
    assert match
    assert match.confidence is band


def test_not_leaves_out_what_is_likely_but_never_a_maybe() -> None:
    assert fit('LLM NOT author:"Wencong Xiao"') is None
    assert fit('LLM NOT author:"Yang Liu"')


@for_each_case("name", ["J. Smith", "J. de Vries", "M. van Dijk", "J. García Márquez", "A. de la Macorra"])
def test_an_initial_is_a_maybe_whatever_family_name_is_behind_it(name: str) -> None:
    paper = seen(replace(PAPER, authors=(Author(name=name),)))

    match = fit(f'author:"{name}"', paper)
    assert match
    assert match.confidence is Confidence.MAYBE
    assert fit(f'LLM NOT author:"{name}"', paper)


# --- persons --------------------------------------------------------------------------------------

OTHER = "0000-0001-5109-3700"
HERS = BylineStanding(ids=frozenset({("orcid", ORCID)}))
ANOTHER = BylineStanding(ids=frozenset({("orcid", OTHER)}))


@for_each_case(
    ("expected", "printed", "standing", "band"),
    [
        # an id that is printed
        (f"author:orcid:{ORCID}", ORCID, BylineStanding(), Confidence.SURELY),
        (f'author:("Wei Wang" orcid:{ORCID})', ORCID, BylineStanding(), Confidence.SURELY),
        (
            f'author:("Ada Byron" orcid:{ORCID})',
            ORCID,
            BylineStanding(),
            Confidence.SURELY,
        ),  # people change their names
        (f'author:("Wei Wang" orcid:{ORCID})', OTHER, BylineStanding(), Confidence.NOT),
        (f'author:("Wei Wang" orcid:{ORCID})', OTHER, HERS, Confidence.LIKELY),
        # an id of other papers that are believed to be the same person's
        (f"author:orcid:{ORCID}", "", HERS, Confidence.LIKELY),
        (f'author:("Wei Wang" orcid:{ORCID})', "", HERS, Confidence.LIKELY),
        (f'author:("W. Wang" orcid:{ORCID})', "", HERS, Confidence.LIKELY),
        (f'author:("Ada Byron" orcid:{ORCID})', "", HERS, Confidence.NOT),
        (f'author:("Wei Wang" orcid:{ORCID})', "", ANOTHER, Confidence.NOT),
        # no id of that kind: the name decides
        (f"author:orcid:{ORCID}", "", BylineStanding(), Confidence.NOT),
        (f'author:("Wei Wang" orcid:{ORCID})', "", BylineStanding(), Confidence.LIKELY),
        (f'author:("Wei Wang" orcid:{ORCID})', "", BylineStanding(is_sole_bearer=False), Confidence.MAYBE),
        ('author:("Wei Wang" s2:1741101)', ORCID, BylineStanding(), Confidence.LIKELY),
        ('author:"Wei Wang"', ORCID, BylineStanding(), Confidence.LIKELY),
        ('author:"Wei Wang"', "", BylineStanding(is_sole_bearer=False), Confidence.MAYBE),
        ('author:"W. Wang"', "", BylineStanding(), Confidence.MAYBE),
        ('author:"W. Wang"', "", BylineStanding(is_sole_bearer=False), Confidence.MAYBE),
        ('author:"Ada Byron"', "", BylineStanding(), Confidence.NOT),
        # several ids
        (f"author:(orcid:{ORCID} orcid:{OTHER})", OTHER, BylineStanding(), Confidence.SURELY),
        (f'author:("Wei Wang" orcid:{ORCID} s2:1741101)', OTHER, BylineStanding(), Confidence.NOT),
    ],
)
def test_ids_say_more_than_names_and_what_persons_are_more_than_either_alone(
    expected: str, printed: str, standing: BylineStanding, band: Confidence
) -> None:
    ids = (("orcid", printed),) if printed else ()
    paper = Paper(key=PaperKey("url:x"), title="", url="", authors=(Author(name="Wei Wang", ids=ids),))
    match = fit(expected, seen(paper, Wei_Wang=standing))
    assert (match.confidence if match else Confidence.NOT) is band
    if match:
        assert match.author_confidence is band
        assert shown(match.evidence) == {"author": ("Wei Wang",)}


def test_the_surest_of_several_authors_is_the_one_that_is_named() -> None:
    authors = (Author(name="W. Wang"), Author(name="Wei Wang"))
    match = fit('author:"Wei Wang"', seen(Paper(key=PaperKey("url:x"), title="", url="", authors=authors)))
    assert match
    assert shown(match.evidence) == {"author": ("Wei Wang",)}


# --- for the order of a digest, and to be shown ---------------------------------------------------


@for_each_case(
    ("text", "in_title", "by_author"),
    [
        ("serving", True, Confidence.NOT),
        ("helps", False, Confidence.NOT),
        ("abstract:expert", False, Confidence.NOT),
        ("helps OR serving", True, Confidence.NOT),
        ("helps serving", True, Confidence.NOT),
        ("helps -title:quantum", False, Confidence.NOT),
        ('author:"Wencong Xiao"', False, Confidence.LIKELY),
        ('serving OR author:"Wencong Xiao"', True, Confidence.LIKELY),
        ('helps OR author:"Yang Liu"', False, Confidence.MAYBE),
        (f'author:"Wencong Xiao" author:orcid:{ORCID}', False, Confidence.SURELY),
        ('helps -author:"Wei Wang"', False, Confidence.NOT),
        ("category:cs.DC", False, Confidence.NOT),
        ("=LLMs", True, Confidence.NOT),
        ("mixtur*", True, Confidence.NOT),
    ],
)
def test_a_fit_tells_what_an_edition_is_ordered_by(
    text: str,
    in_title: bool,  # noqa: FBT001
    by_author: Confidence,
) -> None:
    match = fit(text)
    assert match
    assert (match.in_title, match.author_confidence) == (in_title, by_author)


def test_only_the_surest_side_of_an_or_is_the_evidence_of_its_fit() -> None:
    match = fit('author:"Yang Liu" OR author:"Wencong Xiao"')
    assert match
    assert shown(match.evidence) == {"author": ("Wencong Xiao",)}


@for_each_case(
    ("text", "results"),
    [
        ('author:"Yang Liu" OR author:"Wencong Xiao"', {"author": ("Y. Liu", "Wencong Xiao")}),
        ("serving OR helps OR quantum", {"title": ("Serving",), "abstract": ("helps", "serve")}),
        ("title:serving -quantum", {"title": ("Serving",)}),
        ("title:serving -(quantum helps)", {"title": ("Serving",)}),
        ("title:serving kind:new", {"title": ("Serving",), "kind": ("new",)}),
    ],
)
def test_the_reasons_of_a_fit_are_all_that_was_asked_for_and_is_there(
    text: str, results: dict[str, tuple[str, ...]]
) -> None:
    fields = shown(collect_evidence(parse(text), seen()))
    assert {field: set(words) for field, words in fields.items()} == {
        field: set(words) for field, words in results.items()
    }


def test_reasons_can_be_marked_in_the_readable_text() -> None:
    about = seen()
    for evidence in collect_evidence(
        parse('"mixture of experts" LLM H_2O "serve language"~3 =LLMs serv*'), about
    ):
        text = about.texts[evidence.field].text
        marked = "".join(text[start:end] for start, end in find_highlights(text, evidence.words))
        assert all(word in marked for word in evidence.words)


@given(st.text(max_size=60))
def test_a_title_in_quotes_finds_its_paper(title: str) -> None:
    about = seen(Paper(key=PaperKey("url:x"), title=title, url=""))
    readable = about.texts["title"].text
    for text in (f'"{readable}"', f'="{readable}"'):
        try:
            query = parse(text)
        except QueryError:
            continue
        # A brace that is printed, as of ``\{``, is TeX's where it is typed.
        if not set('"“”„‟\\{}') & set(readable):
            assert evaluate(query, about)


# --- on a real day --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def day(data: Path) -> list[Paper]:
    return [
        Paper(
            key=PaperKey(f"arxiv:{paper.id}"),
            title=paper.title,
            abstract=paper.abstract,
            authors=tuple(Author(name=name) for name in paper.authors),
            categories=paper.categories,
            url="",
        )
        for paper in read_papers_of_day(data, date(2026, 5, 12))
    ]


def printed(text: str, papers: list[Paper]) -> set[str]:
    query = parse(text)
    fits = [match for paper in papers if (match := evaluate(query, build_document(paper)))]
    return {word.casefold() for match in fits for evidence in match.evidence for word in evidence.words}


def test_a_real_day_is_found_by_words_and_not_by_substrings(day: list[Paper]) -> None:
    assert {"llm", "llms"} <= printed("LLM", day) <= {"llm", "llms", "llm's", "llms'"}
    assert {"embedding", "embeddings", "embedded"} <= printed("embed", day)
    assert not {word for word in printed("transformer", day) if not word.startswith("transformer")}
    assert {"multi-modal", "multimodal"} <= printed("multimodal", day)
    assert {"mixture-of-experts", "mixture of experts"} <= printed('"mixture of experts"', day)
    assert not printed('"in formation"', day) - {"in formation"}
    assert {"quantization", "quantized"} <= printed("quantiz*", day)
    assert all(word.startswith("quantiz") for word in printed("quantiz*", day))
    assert printed("=RAG", day) == {"rag"}
    assert printed('"language model"~2', day) >= printed('"language model"', day)


def test_real_titles_typed_as_queries_find_their_paper_or_tell_the_sign_to_quote(day: list[Paper]) -> None:
    untold, missed = [], []
    for paper in day[:600]:
        try:
            query = parse(paper.title)
        except QueryError as error:
            if "quote" not in str(error):
                untold.append(paper.title)
            continue
        if not evaluate(query, build_document(paper)):
            missed.append(paper.title)
    assert not untold
    assert not missed
