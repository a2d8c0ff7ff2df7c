from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.query import InCategory, Query, compile_query, format_category, load_compiled
from digest.core.papers.categories import CATEGORIES
from digest.core.papers.taxonomy import covers
from digest.errors import QueryError
from tests.generators.random_queries import LEAVES, SHAPES, Shape, write_query
from tests.support.cases import for_each_case

SIGNS = st.lists(
    st.sampled_from(
        [
            *"abS GP1.-+#_'\"()“”*:=~!&$\\{}^öß½²|?/[]@,%",
            "AND ",
            "OR ",
            "NOT ",
            "title:",
            "author:",
            "cat:",
            "id:",
            "orcid:",
            "cs.LG",
            "and ",
            "quantiz*",
            '"a b"~3',
            '="',
            "10.1000/1(",
            *"βΛ∆∞⁺深ガㄱ（）：＊－＂",
            "SU(2)",
            "C*-",
            "AND-",
            ")-",
            '"-',
        ]
    )
).map("".join)


# Spellings that look otherwise when they are printed: digits and signs that fold to others, and words that are
# operators or ids of papers where they stand alone.
ODD = [
    *"½²①Ⅻ㎥一٣２ﹺα∆ςᵝ⁺＋－ｶﾞヿㄱㅏ㈠(*^_",
    "\u00ad",
    "\u0301",
    "'s",
    "#",
    "+",
    "-",
    "\u2010",
    ".",
    ",",
    "3",
    "a",
    "2401.00001",
    "OR",
    "NOT",
]
GLUED = st.tuples(
    st.sampled_from(
        ['"{}"', "{}", "{}*", "={}", "title:{}", "category:{}", 'primary:"{}"', 'source:"{}"', "id:{}"]
    ),
    st.lists(st.sampled_from(ODD), min_size=1, max_size=5).map("".join),
).map(lambda both: both[0].format(both[1]))


def read_or_none(text: str) -> Query | None:
    try:
        return parse(text)
    except QueryError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017 - most texts are no query
        return None


@for_each_case(
    ("text", "other"),
    [
        ("federated learning", "Learning   AND federated"),
        ("a OR b", "(b) OR ((A))"),
        ("a b c", "a (b AND c)"),
        ("ti:graph abs:net", "title:graph abstract:net"),
        ("co:ICML jr:nature", "comment:icml journal:Nature"),
        ("title:(a OR b)", "title:b OR ti:a"),
        ("all:(a OR b)", "b OR a"),
        ("a -b", "a ANDNOT b"),
        ("a NOT b", "a AND NOT b"),
        ("a", "a a"),
        ("a OR (b OR (a OR c))", "c OR b OR a"),
        ("a NOT (NOT b)", "a b"),
        ("category:math.IT", "cat:cs.it"),
        ("category:cs.*", "category:cs"),
        ("primary:math.IT", "primary:CS.it"),
        ('"multi-modal"', "Multi-Modal"),
        ('"and"', '"AND"'),
        ("C/C++", '"c c++"'),
        ("H_2O", "h2o"),
        (r"Schr\"odinger", "Schrödinger"),
        ('"graph"~5', "graph"),
        ('"Expert Load"~5', '"expert load"~05'),
        ("Quantiz*", "quantiz*"),
        ("Multi-Mod*", "multi-mod*"),
        ("naïv*", "naiv*"),
        ('="RAG"', "=RAG"),
        ('="Adam  W"', '="Adam W"'),
        ('au:"Xiao,  Wencong"', 'author:"Xiao, Wencong"'),
        ("author:(Wencong Xiao)", 'author:"Wencong Xiao"'),
        ("au:del_maestro", 'author:"del maestro"'),
        (
            "author:(s2:1741101 orcid:https://orcid.org/0000-0002-1825-0097)",
            "author:(orcid:0000000218250097 s2:1741101 s2:1741101)",
        ),
        ('author:(orcid:0000-0002-1825-0097 "Wei Wang")', "au:(Wei Wang orcid:0000-0002-1825-0097)"),
        ("doi:10.1000/ABC", "id:https://doi.org/10.1000/abc"),
        ("id:2401.00001v2", "id:https://arxiv.org/pdf/2401.00001"),
        ("doi:10.48550/arXiv.2401.00001", "id:arxiv:2401.00001"),
        ("cites:arXiv:2401.00001", "cites:(2401.00001)"),
        ("institution:https://ror.org/05a28rw58", "institution:ror:05A28RW58"),
        ("source:arXiv", "SOURCE:arxiv"),
        ("kind:(new OR version)", "kind:VERSION OR kind:new"),
        ("cs.LG", "cat:cs.lg"),
        ("2401.00001", "id:2401.00001"),
        ("TGF-β", "tgf-beta"),
        ("β-VAE", "$\\beta$-VAE"),
        ("Ca²⁺", "Ca$^{2+}$"),
        ("Ca2+", "ca^{2+}"),
        ("L^p", "L-p"),
        ("n_TOF", "n-TOF"),
        ("SU(2)", '"SU 2"'),
        ("f(R) gravity", '"f R" gravity'),
        ("量子*", "量子"),
        ("量子", '"量 子"'),
        ("A*", '"A*"'),
        ("（a OR b） c", "(a OR b) c"),
        ("title：量子", "title:量子"),
    ],
)
def test_equal_wishes_are_one_query(text: str, other: str) -> None:
    assert parse(text) == parse(other)
    assert str(parse(text)) == str(parse(other))


@for_each_case(
    ("text", "other"),
    [
        ("LLM", "LLMs"),
        ("GPS", "gps"),
        ('"a b"', "a b"),
        ('"a b"', '"b a"'),
        ('"a b"', '"a b"~1'),
        ('"a b"~1', '"a b"~2'),
        ('"multi modal"', "multi-modal"),
        ("title:a", "a"),
        ("C", "C++"),
        ("a OR b", "a b"),
        ("Gödel", "Godel"),
        ("RAG", "=RAG"),
        ("A*", "A"),
        ("C*-algebra", "C-algebra"),
        ("量子", "量 子"),
        ("SU(2)", "SU 2"),
        ("90s", "90"),
        ("=RAG", "=Rag"),
        ('="a b"', "=a =b"),
        ("quantiz", "quantiz*"),
        ("category:cs.DC", "primary:cs.DC"),
        ("id:2401.00001", "cites:2401.00001"),
        ("id:2401.00001", '"2401.00001"'),
        ('author:"Wei Wang"', 'author:("Wei Wang" orcid:0000-0002-1825-0097)'),
        ('author:("Wei Wang" orcid:0000-0002-1825-0097)', 'author:("Wei Wang" OR orcid:0000-0002-1825-0097)'),
        ('institution:"05a28rw58 x"', "institution:05a28rw58"),
    ],
)
def test_different_wishes_stay_two(text: str, other: str) -> None:
    assert parse(text) != parse(other)
    assert str(parse(text)) != str(parse(other))


@given(SHAPES, st.data())
def test_a_query_means_the_same_however_it_is_arranged(shape: Shape, data: st.DataObject) -> None:
    one, other = (read_or_none(write_query(shape, data)) for _ in range(2))
    assert one == other


@given(LEAVES)
def test_every_leaf_is_read_and_prints_as_what_it_is(leaf: str) -> None:
    query = read_or_none(leaf)
    if query is None:  # a bracket with "OR -word" leaves out alone
        assert "OR -" in leaf
        return
    assert parse(str(query)) == query


@given(SIGNS | GLUED | st.text(max_size=40) | LEAVES | st.tuples(LEAVES, SIGNS).map(" ".join))
@example("1's-1")
@example("½\u0301-3")
@example("㎥-3")
@example('"2401.00001#-a"')
@example("\u0fad2401.00001#*")
@example('category:"AND" OR primary:NOT.')
@example('source:"-"')
@example("source:,\u2010")
@example('SOURCE:"＋"')
@example("0 {∞")
@example("{∞")
def test_what_a_query_prints_means_the_same(text: str) -> None:
    query = read_or_none(text)
    assume(query is not None)
    assert query is not None
    assert parse(str(query)) == query
    assert str(parse(str(query))) == str(query)
    assert parse(parse_with_hints(text).display_text) == query
    assert load_compiled(compile_query(query)) == query


@given(SHAPES, st.data())
def test_a_query_of_any_shape_prints_and_is_kept_as_what_it_means(shape: Shape, data: st.DataObject) -> None:
    query = read_or_none(write_query(shape, data))
    if query is not None:
        assert parse(str(query)) == query
        assert load_compiled(compile_query(query)) == query


@pytest.mark.parametrize("signs", ["\ufe7a+", '"\ufc61#"', "=\ufe7a+"])
def test_a_sign_that_is_no_letter_is_nothing_to_look_for(signs: str) -> None:
    assert read_or_none(signs) is None


def test_every_category_means_the_same_in_its_canonical_form() -> None:
    ids = [part for line in CATEGORIES.splitlines() for part in line.partition(":")[0].split(" = ")]
    expected = [*ids, *{id_.partition(".")[0] + ".*" for id_ in ids}]
    for text in expected:
        query = parse(format_category(text))
        assert isinstance(query, InCategory)
        assert [id_ for id_ in ids if covers(text, id_)] == [id_ for id_ in ids if covers(query.code, id_)], (
            text
        )
