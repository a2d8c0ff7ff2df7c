from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.categories import CATEGORIES
from digest.core.evaluate import evaluate
from digest.core.grammar import MAX_DEPTH, MAX_LENGTH, MAX_TERMS, MAX_WORDS
from digest.core.document import document
from digest.core.query import InCategory, author, category, phrase
from digest.core.reading import parse, reading
from digest.core.taxonomy import covers
from digest.errors import QueryError
from digest.model import Band, Paper, PaperKey

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "follows.md"

SIGNS = st.lists(
    st.sampled_from(
        [
            *"abS GP1.-+#_'\"()“”*:=~!&$\\{}^öß½²",
            "AND ",
            "OR ",
            "NOT ",
            "title:",
            "author:",
            "cat:",
            "cs.LG",
            "and ",
        ]
    )
).map("".join)


def rows(name: str) -> list[tuple[str, ...]]:
    """The rows of a table in the reference, cells as they stand there."""
    text = REFERENCE.read_text(encoding="utf-8")
    table = re.search(rf"<!-- tested: {name} -->\n((?:\|.*\n)+)", text)
    assert table, f"the reference has no table {name}"
    lines = table[1].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def code(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


@pytest.mark.parametrize(("written", "read"), rows("read"))
def test_a_query_is_read_as_the_reference_says(written: str, read: str) -> None:
    assert [reading(query).shown for query in code(written)] == code(read)


@pytest.mark.parametrize(("written", "finds", "leaves"), rows("finds"))
def test_a_query_finds_what_the_reference_says(written: str, finds: str, leaves: str) -> None:
    (query,) = map(parse, code(written))
    assert code(finds)
    for title in code(finds) + code(leaves):
        paper = Paper(key=PaperKey("url:x"), title=f"On {title}, again", url="")
        assert bool(evaluate(query, document(paper))) == (title in code(finds)), title


@pytest.mark.parametrize(("written", "told"), rows("errors"))
def test_a_mistake_is_told_as_the_reference_says(written: str, told: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(code(written)[0])
    assert error.value.args[0] == told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("federated learning", "Learning   AND federated"),
        ("a OR b", "(b) OR ((A))"),
        ("a b c", "a (b AND c)"),
        ("ti:graph abs:net", "title:graph abstract:net"),
        ("title:(a OR b)", "title:b OR ti:a"),
        ("a -b", "a ANDNOT b"),
        ("a NOT b", "a AND NOT b"),
        ("a", "a a"),
        ("a NOT (NOT b)", "a b"),
        ("category:math.IT", "cat:cs.it"),
        ("category:cs.*", "category:cs"),
        ('"multi-modal"', "Multi-Modal"),
        ('"and"', '"AND"'),
        ("C/C++", '"c c++"'),
        ("H_2O", "h2o"),
        (r"Schr\"odinger", "Schrödinger"),
        ('au:"Xiao,  Wencong"', 'author:"Xiao, Wencong"'),
        ("author:(Wencong Xiao)", 'author:"Wencong Xiao"'),
        ("au:del_maestro", 'author:"del maestro"'),
    ],
)
def test_equal_wishes_are_one_query(one: str, other: str) -> None:
    assert parse(one) == parse(other)
    assert str(parse(one)) == str(parse(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("LLM", "LLMs"),
        ("GPS", "gps"),
        ('"a b"', "a b"),
        ('"multi modal"', "multi-modal"),
        ("title:a", "a"),
        ("C", "C++"),
        ("a OR b", "a b"),
        ("Gödel", "Godel"),
    ],
)
def test_different_wishes_stay_two(one: str, other: str) -> None:
    assert parse(one) != parse(other)


@given(SIGNS | st.text(max_size=40))
def test_what_a_query_prints_means_the_same(text: str) -> None:
    try:
        query = parse(text)
    except QueryError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017 - most texts are no query
        return
    assert parse(str(query)) == query
    assert str(parse(str(query))) == str(query)
    assert parse(reading(text).shown) == query


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ('graph "unclosed phrase', '"unclosed'),
        ("graph “unclosed phrase", "“unclosed"),
        ("graph (net", "(net"),
        ("graph) net", ") net"),
        ("graph () net", "() net"),
        ("graph AND", "AND"),
        ("graph (net OR) x", "OR)"),
        ("graph AND AND net", "AND net"),
        ("OR graph", "OR"),
        ("graph OR NOT net", "net"),
        ("-(graph net)", "graph"),
        ("graph tittle:net", "tittle"),
        ("graph all:net", "all"),
        ("graph title: net", "title"),
        ("graph title:", "title"),
        ('graph title:""', '""'),
        ("title:(graph author:net)", "author"),
        ("graph title:-net", "-net"),
        ("graph - net", "- net"),
        ("graph --net", "--net"),
        ("graph –net", "–net"),
        ("graph — net", "— net"),
        ("graph NOT NOT net", "NOT net"),
        ("graph !net", "!net"),
        ("graph =net", "=net"),
        ("graph net*", "*"),
        ("graph *", "*"),
        ('graph "net work"~3', "~3"),
        ("graph net~3", "~3"),
        ("graph kind:version", "kind"),
        ("author:orcid:0000-0002", "orcid"),
        ("graph AND &", "&"),
        ("graph author:(Liu or Wang)", "or Wang"),
        ('graph author:"123"', '"123"'),
        ("graph category:*", "*"),
        ("graph https://example.org", "https"),
    ],
)
def test_a_mistake_is_an_error_at_its_place(written: str, place: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(written)
    assert written[error.value.position :].startswith(place), str(error.value)


@pytest.mark.parametrize("written", ["", "   ", "&", "and", "( and )", '""'])
def test_a_query_without_a_word_is_an_error(written: str) -> None:
    with pytest.raises(QueryError):
        parse(written)


@pytest.mark.parametrize(
    "written", ["c (a OR NOT b)", "c -(a b)", "c -(a -b)", "(a OR b) (a OR NOT b)", "NOT (NOT a)"]
)
def test_what_is_left_out_may_stand_beside_what_is_looked_for(written: str) -> None:
    parse(written)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("search and rescue", 'The small "and" was left out'),
        ("title:(search and rescue)", 'The small "and" was left out'),
        ("cats or dogs", 'The small "or" was read as a word'),
        ("cats not dogs", 'The small "not" was read as a word'),
        ("Attention: a survey", "Attention: was read as a word"),
        ("search & rescue", "& was left out"),
        ("author:Yang Liu", 'write author:"Yang Liu"'),
        ("author:Hinton", "Hinton alone fits everybody of that name"),
        ("category:cs.LGG", "Did you mean cs.LG?"),
    ],
)
def test_what_may_not_have_been_meant_is_said(written: str, hint: str) -> None:
    assert any(hint in said for said in reading(written).hints)


@pytest.mark.parametrize(
    "written",
    [
        '"and" rescue',
        "title:and",
        'author:"Yang Liu" graph',
        "author:(Yang Liu)",
        "cat:math.IT",
        "end-to-end",
    ],
)
def test_what_is_plain_has_no_hint(written: str) -> None:
    assert not reading(written).hints


@pytest.mark.parametrize(
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
    fit = evaluate(parse(phrase(keyword)), document(paper))
    assert fit
    assert fit.band is Band.SURELY


@given(st.text(min_size=1, max_size=60))
def test_every_keyword_is_a_query_or_an_error_that_says_why(keyword: str) -> None:
    for written in (phrase(keyword), author(keyword), category(keyword)):
        try:
            query = parse(written)
        except QueryError:
            continue
        assert parse(str(query)) == query


def test_every_category_means_the_same_in_its_canonical_form() -> None:
    ids = [part for line in CATEGORIES.splitlines() for part in line.partition(":")[0].split(" = ")]
    written = [*ids, *{each.partition(".")[0] + ".*" for each in ids}]
    for one in written:
        query = parse(category(one))
        assert isinstance(query, InCategory)
        assert [each for each in ids if covers(one, each)] == [
            each for each in ids if covers(query.code, each)
        ], one


def nested(depth: int) -> str:
    return "(" * depth + "a" + ")" * depth


@pytest.mark.parametrize(
    ("allowed", "too_much"),
    [
        ("x" * MAX_LENGTH, "x" * (MAX_LENGTH + 1)),
        (" ".join("a" * MAX_TERMS), " ".join("a" * (MAX_TERMS + 1))),
        (nested(MAX_DEPTH), nested(MAX_DEPTH + 1)),
        (phrase("a " * MAX_WORDS), phrase("a " * (MAX_WORDS + 1))),
    ],
)
def test_a_query_has_limits_and_says_them(allowed: str, too_much: str) -> None:
    parse(allowed)
    with pytest.raises(QueryError, match="at most"):
        parse(too_much)


@pytest.mark.parametrize(
    "piece", ["(", ")", "NOT ", "-", "title:", '"', "a-", "\\{", "a OR ", "“", "((a) ", "x:", "é"]
)
def test_hostile_queries_are_answered(piece: str) -> None:
    for size in (MAX_LENGTH // len(piece), 3):
        try:
            query = parse(piece * size)
        except QueryError:
            continue
        assert parse(str(query)) == query
