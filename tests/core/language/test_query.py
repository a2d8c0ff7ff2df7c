from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.core.language.canonical import canonicalize_query
from digest.core.language.parser import parse
from digest.core.language.query import (
    compile_query,
    extract_kind_part,
    format_author,
    format_category,
    format_citing,
    format_fact,
    format_institution,
    format_paper_events,
    format_phrase,
    has_author_ids,
    has_not_and_author,
    iter_authors,
    iter_named_papers,
    load_compiled,
)
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.errors import QueryError
from digest.model import Confidence, EventKind, Paper, PaperKey
from tests.generators.random_queries import SHAPES, Shape, write_query
from tests.support.cases import for_each_case

# --- query texts ----------------------------------------------------------------------------------


@for_each_case(
    "keyword",
    [
        "mixture of experts",
        'the "big" one',
        "a AND b",
        "C++",
        "-word",
        "title:x",
        r"G\"odel",
        "“x”",
        "f(x)",
        "A*",
    ],
)
def test_a_keyword_is_a_phrase_whatever_signs_are_in_it(keyword: str) -> None:
    paper = Paper(key=PaperKey("url:x"), title=f"Of {keyword} and more", url="")
    fit = evaluate(parse(format_phrase(keyword)), build_document(paper))
    assert fit
    assert fit.confidence is Confidence.SURELY


@given(st.text(min_size=1, max_size=60))
@example('0".*')
def test_every_keyword_is_a_query_or_an_error_that_says_why(keyword: str) -> None:
    for text in (
        format_phrase(keyword),
        format_author(keyword),
        format_category(keyword),
        format_institution(keyword),
        format_citing(keyword),
    ):
        try:
            query = parse(text)
        except QueryError:
            continue
        assert parse(str(query)) == query


@for_each_case(
    ("text", "means"),
    [
        (format_author("Wei Wang"), 'author:"Wei Wang"'),
        (format_author("", (("orcid", "0000-0002-1825-0097"),)), "author:orcid:0000-0002-1825-0097"),
        (
            format_author("Wei Wang", (("orcid", "0000-0002-1825-0097"), ("s2", "1741101"))),
            "author:(Wei Wang orcid:0000-0002-1825-0097 s2:1741101)",
        ),
        (format_author("", (("hf", "a"), ("s2", "1741101"))), "author:(hf:a s2:1741101)"),
        (format_category("cs.LG", primary=True), "primary:cs.LG"),
        (format_category("cell biology"), 'category:"cell biology"'),
        (format_institution("ETH Zurich"), 'institution:"ETH Zurich"'),
        (format_institution("", "https://ror.org/05a28rw58"), "institution:ror:05a28rw58"),
        (format_institution("ETH", "05a28rw58"), "institution:ETH OR institution:ror:05a28rw58"),
        (format_citing("arxiv:2401.00001"), "cites:2401.00001"),
        (format_citing("doi:10.1000/a(1)"), "cites:10.1000/a(1)"),
        (format_paper_events("arxiv:2401.00001"), "id:2401.00001 kind:(version OR published OR code)"),
        (
            format_paper_events("url:https://example.org/a(b) c"),
            'id:"https://example.org/a(b) c" kind:(version OR published OR code)',
        ),
        (format_fact("source", "My Blog"), 'source:"my blog"'),
    ],
)
def test_a_text_made_for_a_wish_means_it(text: str, means: str) -> None:
    assert parse(text) == parse(means)


# --- kept -----------------------------------------------------------------------------------------


@given(SHAPES, st.data())
def test_a_query_that_was_kept_is_the_same_query(shape: Shape, data: st.DataObject) -> None:
    try:
        query = parse(write_query(shape, data))
    except QueryError:
        return
    assert load_compiled(compile_query(query)) == query
    assert json.loads(compile_query(query))
    assert load_compiled(compile_query(canonicalize_query(query))) == query


@for_each_case("text", ["[]", '["x"]', '["!"]', "{}", "1", '["p"]'])
def test_what_is_no_kept_query_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no compiled query"):
        load_compiled(text)


@for_each_case(
    ("text", "kept"),
    [
        ("量子", '["p","",0,["量子"]]'),
        ("title:深度学习", '["p","title",0,["深度学习"]]'),
        ("ΛCDM", '["p","",0,["λcdm"]]'),
        ("SU(2)", '["&",["p","",0,["2"]],["p","",0,["su"]]]'),
        ("n_TOF", '["p","",0,["n"],["tof"]]'),
        ("Ca²⁺", '["p","",0,["ca2"]]'),
    ],
)
def test_what_is_read_otherwise_than_it_was_has_another_text_so_that_nothing_stale_is_loaded(
    text: str, kept: str
) -> None:
    bare = text.replace("ΛCDM", "λcdm").replace("SU(2)", "2 AND su").replace("n_TOF", '"n tof"')
    texts_before = {bare.replace("Ca²⁺", "ca2"), text}

    assert compile_query(parse(text)) != kept
    assert str(parse(text)) not in texts_before


# --- persons --------------------------------------------------------------------------------------


@for_each_case(
    ("written", "persons", "ids", "deny"),
    [
        ("graph -tree", 0, False, False),
        ('author:"Wei Wang"', 1, False, False),
        ("author:orcid:0000-0002-1825-0097 OR graph", 1, True, False),
        ('graph author:("Wei Wang" orcid:0000-0002-1825-0097) -author:"J. Doe"', 2, True, True),
        ('graph -(tree author:"J. Doe")', 1, False, True),
    ],
)
def test_whom_a_query_names_is_known_also_of_its_compiled_text(
    written: str,
    persons: int,
    ids: bool,  # noqa: FBT001 - a column of the table
    deny: bool,  # noqa: FBT001
) -> None:
    query = parse(written)
    text = compile_query(query)
    assert (len(list(iter_authors(query))), has_author_ids(text), has_not_and_author(text)) == (
        persons,
        ids,
        deny,
    )


@for_each_case(
    ("text", "named"),
    [
        ("graph -tree", []),
        ('"cites 2401.00001" id', []),
        ("cites:2401.00001 OR (a id:10.1000/b)", [("cites", "arxiv:2401.00001"), ("id", "doi:10.1000/b")]),
        (
            "a -cites:(10.1000/a OR hep-th/9901001)",
            [("cites", "arxiv:hep-th/9901001"), ("cites", "doi:10.1000/a")],
        ),
        (
            'cites:"10.1002/(sici)1(199901)1:1<1::aid-a1>3.0.co;2-a"',
            [("cites", "doi:10.1002/(sici)1(199901)1:1<1::aid-a1>3.0.co;2-a")],
        ),
        (r'id:"https://example.org/a\b é"', [("id", r"url:https://example.org/a\b%20é")]),
    ],
)
def test_which_papers_a_query_names_is_known_of_its_compiled_text(
    text: str, named: list[tuple[str, str]]
) -> None:
    assert sorted(iter_named_papers(compile_query(parse(text)))) == named


# --- kinds ----------------------------------------------------------------------------------------


@for_each_case(
    ("query", "named"),
    [
        ("graph", None),
        ("graph -kind:version", None),
        ("kind:version", "kind:version"),
        ("graph kind:version", "graph kind:version"),
        ("graph OR (id:2401.00001 kind:version)", "id:2401.00001 kind:version"),
        ("graph (net OR kind:version)", "graph kind:version"),
        ("(a OR kind:new) (b OR kind:code)", "(kind:new (b OR kind:code)) OR ((a OR kind:new) kind:code)"),
        (format_paper_events("arxiv:2401.00001"), format_paper_events("arxiv:2401.00001")),
        ("a -(b kind:new)", None),
    ],
)
def test_the_part_of_a_query_that_asks_for_kinds_is_known(query: str, named: str | None) -> None:
    kind_part = extract_kind_part(parse(query))
    assert (canonicalize_query(kind_part) if kind_part else None) == (parse(named) if named else None)


@given(SHAPES, st.data(), st.sampled_from(EventKind))
def test_what_names_a_kind_fits_no_more_than_its_query(
    shape: Shape, data: st.DataObject, kind: EventKind
) -> None:
    try:
        query = parse(f"graph OR ({write_query(shape, data)} kind:(new OR version))")
    except QueryError:
        return
    named = extract_kind_part(query)
    assert named
    about = build_document(
        Paper(key=PaperKey("arxiv:2401.00001"), title="The LLM of a graph", url=""), kind=kind
    )
    if evaluate(named, about):
        assert evaluate(query, about)
        assert kind in {EventKind.NEW, EventKind.GROWN, EventKind.VERSION}
