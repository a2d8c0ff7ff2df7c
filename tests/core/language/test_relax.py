from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.canonical import canonicalize_query
from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.relax import iter_positive_parts, list_alternatives, relax_query
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.model import Author, Paper, PaperKey
from tests.support.cases import for_each_case


def of(text: str) -> list[tuple[str, str]]:
    return [
        (relaxed_query.removed_text, str(relaxed_query.query))
        for relaxed_query in relax_query(parse_with_hints(text).typed_query)
    ]


@for_each_case(
    ("text", "expected"),
    [
        ("graph", []),
        ("graph tree", [("graph", "tree"), ("tree", "graph")]),
        ("graph -tree", [("NOT tree", "graph")]),
        ("graph (tree OR -lattice)", [("(tree OR NOT lattice)", "graph")]),
        (
            '"graph of trees"',
            [
                ('the quotes around "graph of trees"', "graph AND of AND trees"),
                ('of trees in "graph of trees"', "graph"),
                ('graph of in "graph of trees"', "trees"),
            ],
        ),
        ("title:graph", [("title: before graph", "graph")]),
        ("comment:graph", []),
        ("=RAG", [("= before RAG", "RAG")]),
        ('title:="Adam W"', [("= before Adam W", 'title:"Adam W"')]),
        ("primary:cs.LG", [("primary: before cs.LG", "category:cs.LG")]),
        ("category:cs.LG", []),
        ("a b OR c", [("a", "b OR c"), ("b", "a OR c")]),
        (
            "c (a NOT b)",
            [("c", "a AND NOT b"), ("(a AND NOT b)", "c"), ("a", "c AND NOT b"), ("NOT b", "c AND a")],
        ),
    ],
)
def test_one_thing_less_is_asked_for(text: str, expected: list[tuple[str, str]]) -> None:
    assert of(text) == expected


def test_the_parts_that_are_to_be_there_and_the_alternatives() -> None:
    typed = parse_with_hints('(a OR b) "c d" -e author:"F G"').typed_query

    assert [str(part) for part in iter_positive_parts(typed)] == ["a", "b", '"c d"', 'author:"F G"']
    assert [str(side) for side in list_alternatives(typed)] == ["a", "b"]
    assert [str(side) for side in list_alternatives(parse_with_hints("a b OR c").typed_query)] == [
        "a AND b",
        "c",
    ]
    assert list_alternatives(parse_with_hints("a b").typed_query) == ()


WORDS = st.sampled_from(["graph", "tree", "lattice", "of"])
LEAVES = st.one_of(
    WORDS,
    st.lists(WORDS, min_size=2, max_size=4).map(lambda words: f'"{" ".join(words)}"'),
    st.lists(WORDS, min_size=2, max_size=3).map(lambda words: f'"{" ".join(words)}"~2'),
    st.sampled_from(["title", "abstract"]).flatmap(lambda name: WORDS.map(lambda word: f"{name}:{word}")),
    WORDS.map(lambda word: f"={word}"),
    st.sampled_from(["category:cs.LG", "primary:cs.DC", 'author:"Ada Graph"', "author:Graph"]),
)
QUERIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' OR '.join(parts)})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} NOT {two[1]})"),
    ),
    max_leaves=6,
)
TEXT = st.lists(st.sampled_from(["graph", "graphs", "tree", "Lattice", "of", "and"]), max_size=6).map(
    " ".join
)
PAPERS = st.builds(
    Paper,
    key=st.just(PaperKey("arxiv:2606.00001")),
    title=TEXT,
    abstract=TEXT,
    authors=st.sampled_from([(), (Author("Ada Graph"),), (Author("A. Graph"), Author("Bo Tree"))]),
    categories=st.sampled_from([(), ("cs.LG", "cs.DC"), ("cs.DC",)]),
    url=st.just("https://arxiv.org/abs/2606.00001"),
)


@given(QUERIES, PAPERS)
def test_a_wider_query_finds_all_that_the_query_finds(text: str, paper: Paper) -> None:
    typed, about = parse_with_hints(text).typed_query, build_document(paper)
    if evaluate(typed, about):
        for relaxed_query in relax_query(typed):
            assert evaluate(relaxed_query.query, about), relaxed_query


@given(QUERIES)
def test_a_wider_query_can_be_typed_and_is_another_one(text: str) -> None:
    typed = parse_with_hints(text).typed_query
    forms = [canonicalize_query(relaxed_query.query) for relaxed_query in relax_query(typed)]

    assert [parse(str(relaxed_query.query)) for relaxed_query in relax_query(typed)] == forms
    assert len({*forms, canonicalize_query(typed)}) == len(forms) + 1
