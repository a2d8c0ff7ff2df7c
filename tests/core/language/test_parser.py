from __future__ import annotations

import pytest

from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.query import Fact, InCategory, Or, Phrase, format_phrase
from digest.core.language.syntax.tokens import MAX_DEPTH, MAX_LENGTH, MAX_TERMS, MAX_WORDS
from digest.errors import QueryError
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "place"),
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
        ("graph *", "*"),
        ("graph net~3", "~3"),
        ("author:orcid:0000-0002", "orcid"),
        ("graph AND &", "&"),
        ("graph author:(Liu or Wang)", "or Wang"),
        ('graph author:"123"', '"123"'),
        ("graph category:*", "*"),
        ("graph https://example.org", "https"),
        ("graph = net", "= net"),
        ("graph ==net", "==net"),
        ("graph =(net)", "=(net)"),
        ("graph =title:net", "=title"),
        ("graph =net*", "=net*"),
        ('graph ="', '"'),
        ('graph ="&"', '="&"'),
        ('graph ="net"~3', "~3"),
        ('graph "net work"~21', "~21"),
        ('graph "net work"~3x', "~3x"),
        ('graph author:"net work"~3', '"net work"'),
        ("graph ne-*", "ne-*"),
        ("graph a/net*", "a/net*"),
        ("graph net*work", "*work"),
        ("graph source:", "source"),
        ("graph doi: 10.1/x", "doi"),
        ("graph doi:10.1/x", "10.1/x"),
        ("graph doi:2401", "2401"),
        ("graph cites:(2401.00001 OR x)", "x)"),
        ("graph kind:(new OR old)", "old"),
        ("graph has:no", "no"),
        ("graph author:orcid:", "orcid"),
        ("graph author:(Wei orcid:0000-0002-1825-0098)", "Wei"),
        ("graph institution:ror:x", "ror:x"),
        ("graph author:=Liu", "=Liu"),
        ("graph primary:*", "*"),
        ("title:(graph all:net)", "all"),
    ],
)
def test_a_mistake_is_an_error_at_its_place(text: str, place: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(text)
    assert text[error.value.position :].startswith(place), str(error.value)


@for_each_case("text", ["", "   ", "&", "and", "( and )", '""'])
def test_a_query_without_a_word_is_an_error(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


@for_each_case("text", ["c (a OR NOT b)", "c -(a b)", "c -(a -b)", "(a OR b) (a OR NOT b)", "NOT (NOT a)"])
def test_what_is_left_out_may_stand_beside_what_is_looked_for(text: str) -> None:
    parse(text)


@for_each_case(
    ("text", "hint"),
    [
        ("title:(search and rescue)", 'The lower-case "and" was ignored, because'),
        ("cats not dogs", 'The lower-case "not" was read as a word'),
        ("journal:Physical Review", 'write journal:"Physical Review"'),
        ("author:(Yang OR Liu)", "Yang alone matches everybody with that name"),
        ('author:"van den Berg"', "van den Berg alone matches everybody with that name"),
        ('graph NOT author:"J. Doe"', "J. Doe excludes nobody"),
        ('graph NOT (a OR (author:"Doe, J." b))', "Doe, J. excludes nobody"),
        ('graph NOT author:"J. de Vries"', "J. de Vries excludes nobody"),
        ('graph NOT author:"J. García Márquez"', "J. García Márquez excludes nobody"),
        ("author:王", "王 alone matches everybody with that name"),
        ("author:(Yang Liu, Wei Wang)", "was read as one name"),
        ("primary:cs.LGG", "Did you mean cs.LG?"),
        ("id:2401.00001v3", "v3 was ignored"),
        ("kind:version", "This matches everything there"),
        ("kind:version source:arxiv -survey", "This matches everything there"),
        ("graph OR kind:version", "One side of OR matches everything there"),
        ("graph OR (has:code -survey)", "One side of OR matches everything there"),
    ],
)
def test_what_may_not_have_been_meant_is_said(text: str, hint: str) -> None:
    assert any(hint in stated_hint for stated_hint in parse_with_hints(text).hints)


@for_each_case(
    "text",
    [
        '"and" rescue',
        "title:and",
        'author:"Yang Liu" graph',
        "author:(Yang Liu)",
        "author:王伟",
        'author:"J. Doe"',
        'graph NOT author:"Jane Doe"',
        'graph NOT author:("J. Doe" orcid:0000-0002-1825-0097)',
        'author:"肖文聪"',
        "author:김민수",
        'author:"ATLAS Collaboration"',
        "cat:math.IT",
        "end-to-end",
        "author:orcid:0000-0002-1825-0097",
        'author:("Liu" orcid:0000-0002-1825-0097)',
        'author:"van den Berg, Jan Pieter"',
        "kind:version graph",
        "has:code (graph OR network)",
        "title:graph neural",
        'institution:"ETH Zurich"',
        "quantiz* =RAG",
    ],
)
def test_what_is_plain_has_no_hint(text: str) -> None:
    assert not parse_with_hints(text).hints


def nested(depth: int) -> str:
    return "(" * depth + "a" + ")" * depth


@for_each_case(
    ("allowed", "too_much"),
    [
        ("x" * MAX_LENGTH, "x" * (MAX_LENGTH + 1)),
        (" ".join("a" * MAX_TERMS), " ".join("a" * (MAX_TERMS + 1))),
        (nested(MAX_DEPTH), nested(MAX_DEPTH + 1)),
        (format_phrase("a " * MAX_WORDS), format_phrase("a " * (MAX_WORDS + 1))),
    ],
)
def test_a_query_has_limits_and_says_them(allowed: str, too_much: str) -> None:
    parse(allowed)
    with pytest.raises(QueryError, match="at most"):
        parse(too_much)


# --- how parts are read ---------------------------------------------------------------------------


@for_each_case(
    ("text", "shown"),
    [
        ("title:(graph OR =RAG quantiz*)", "title:graph OR (title:=RAG AND title:quantiz*)"),
        ('-title:"a b"~3 c', 'NOT title:"a b"~3 AND c'),
        (
            "author:(Yang Liu -orcid:0000-0002-1825-0097)",
            'author:"Yang Liu" AND NOT author:orcid:0000-0002-1825-0097',
        ),
        ('author:("Yang Liu" "Wei Wang")', 'author:"Yang Liu" AND author:"Wei Wang"'),
        ('author:(Yang Liu "Wei Wang" s2:1741101)', 'author:"Yang Liu" AND author:("Wei Wang" s2:1741101)'),
        ("author:(s2:1741101 Yang Liu)", 'author:("Yang Liu" s2:1741101)'),
        ("author:(s2:1741101 (Yang Liu))", 'author:s2:1741101 AND author:"Yang Liu"'),
        ("author:(s2:1741101 AND Yang Liu)", 'author:s2:1741101 AND author:"Yang Liu"'),
        ("author:(hf:a dblp:65/9612)", "author:(hf:a dblp:65/9612)"),
        ("doi:(10.1000/a(1) OR 10.1000/b)", 'id:"doi:10.1000/a(1)" OR id:doi:10.1000/b'),
        ("(doi:10.1000/a(1))", 'id:"doi:10.1000/a(1)"'),
        ("(10.1000/a(1)) graph", 'id:"doi:10.1000/a(1)" AND graph'),
        ("id:(https://example.org/a)", "id:url:https://example.org/a"),
        ('source:("My Blog" OR arXiv)', 'source:"my blog" OR source:arxiv'),
        (
            "category:(cs.* OR hep-th) -primary:cs.LG",
            "(category:cs.* OR category:hep-th) AND NOT primary:cs.LG",
        ),
        ("institution:(ETH ror:05a28rw58)", "institution:ETH AND institution:ror:05a28rw58"),
        ("all:(graph OR title:net)", "graph OR title:net"),
    ],
)
def test_fields_go_to_the_leaves_and_names_keep_their_ids(text: str, shown: str) -> None:
    assert parse_with_hints(text).display_text == shown
    assert parse(shown) == parse(text)


def test_a_field_is_written_in_any_case_and_its_value_is_what_it_names() -> None:
    assert parse("KIND:Version") == Fact(field="kind", value="version")
    assert parse("Primary:CS.lg") == InCategory(code="cs.LG", primary=True)
    assert parse("CO:accepted") == Phrase(field="comment", units=(("accepted",),))


def test_a_title_in_quotes_is_a_phrase_and_its_operators_are_words() -> None:
    assert parse('"title:x AND -yyy* OR =z"') == Phrase(
        units=(("title",), ("x",), ("and",), ("yyy",), ("or",), ("z",))
    )
    assert isinstance(parse('"a" OR "b"'), Or)
