from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.canonical import canonical_form
from digest.core.language.parser import parse, reading
from digest.core.language.relax import asked_for, sides, wider
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import document
from digest.model import Author, Paper, PaperKey
from tests.support.cases import for_each_case


def of(text: str) -> list[tuple[str, str]]:
    return [(one.without, str(one.query)) for one in wider(reading(text).typed)]


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
    typed = reading('(a OR b) "c d" -e author:"F G"').typed

    assert [str(part) for part in asked_for(typed)] == ["a", "b", '"c d"', 'author:"F G"']
    assert [str(side) for side in sides(typed)] == ["a", "b"]
    assert [str(side) for side in sides(reading("a b OR c").typed)] == ["a AND b", "c"]
    assert sides(reading("a b").typed) == ()


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
    typed, about = reading(text).typed, document(paper)
    if evaluate(typed, about):
        for one in wider(typed):
            assert evaluate(one.query, about), one


@given(QUERIES)
def test_a_wider_query_can_be_typed_and_is_another_one(text: str) -> None:
    typed = reading(text).typed
    forms = [canonical_form(one.query) for one in wider(typed)]

    assert [parse(str(one.query)) for one in wider(typed)] == forms
    assert len({*forms, canonical_form(typed)}) == len(forms) + 1
