"""A dash right after a quote or bracket is never read as one thing where a reader may mean another."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digest.core.language.parser import parse_with_hints
from digest.core.language.query import Query
from digest.errors import QueryError
from tests.support.cases import for_each_case

QUOTES = '"“”„‟＂'
OTHER_MARKS = [
    "«»",
    "»«",
    "‹›",
    "›‹",
    "「」",
    "『』",
    "《》",
    "〝〞",
    "〝〟",
    "‘’",
    "‚‘",
    "''",
    "``",
    "´´",
    "′′",
    "＇＇",
    ("``", "''"),
]
"""Marks of opening and closing that readers may take for quotes."""

WORDS = st.sampled_from(
    ["deep", "learning", "multi-modal", "C++", "don't", "3'-UTR", "量子", "naïve", "GPT-3.5"]
)
INNER = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
FRONTS = st.sampled_from(["", "graph ", "title:", "=", "(", "graph (a OR title:", "graph (b)-c "])
BEHIND = st.sampled_from(
    [
        "",
        " -survey",
        "-survey",
        "–survey",
        "-'survey'",
        ",-survey",
        "-(survey OR review)",
        "-((survey))",
        "-title:survey",
        " survey",
        "~3 survey",
    ]
)


def outcome(text: str) -> Query | tuple[str, int]:
    """The query, or the message of the error and its place."""
    try:
        return parse_with_hints(text).query
    except QueryError as error:
        return error.args[0], error.position


def refusal(text: str) -> tuple[str, int]:
    with pytest.raises(QueryError) as error:
        parse_with_hints(text)
    return error.value.args[0], error.value.position


@given(front=FRONTS, inner=INNER, behind=BEHIND, quotes=st.text(QUOTES, min_size=2, max_size=2))
def test_whichever_quotes_are_used_the_same_is_read(front: str, inner: str, behind: str, quotes: str) -> None:
    closing = ")" * front.count("(") if "(b)" not in front else ""
    plain = outcome(f'{front}"{inner}"{behind}{closing}')
    typed = outcome(f"{front}{quotes[0]}{inner}{quotes[1]}{behind}{closing}")

    if isinstance(typed, tuple):
        typed = (typed[0].replace(quotes[0], '"').replace(quotes[1], '"'), typed[1])
    assert typed == plain


@given(
    front=FRONTS,
    inner=INNER,
    dash=st.sampled_from(["-", "–", "—", "−", ",-"]),
    marks=st.sampled_from(OTHER_MARKS),
    right=st.sampled_from(["survey", "(survey OR review)", '"a survey"', "“a survey”", "title:survey"]),
)
def test_marks_that_are_no_quotes_never_ask_for_what_may_be_left_out(
    front: str, inner: str, dash: str, marks: str | tuple[str, str], right: str
) -> None:
    assume("'" not in inner or marks[0] not in "'‘‚``´′＇")  # an apostrophe may close what one has opened
    closing = ")" * front.count("(") if "(b)" not in front else ""
    typed = f"{front}{marks[0]}{inner}{marks[1]}"
    message, position = refusal(f"{typed}{dash}{right}{closing}")

    assert position == len(typed) + len(dash) - 1
    assert f'"{inner}" -{right}, with a space before it, excludes {right}' in message
    parse_with_hints(f'graph "{inner}" -{right}')  # what is told to write is read


@given(
    word=st.sampled_from(
        [
            "RAG",
            "=RAG",
            "title:RAG",
            "title:=RAG",
            "multi-modal",
            "author:Smith",
            "author:orcid:0000-0002-1825-0097",
            "cat:cs.LG",
            "kind:new",
            "journal:Nature",
            "institution:MIT",
            "institution:ror:05a28rw58",
            "doi:10.1000/182",
            "id:2401.00001",
            "2401.00001",
            "https://doi.org/10.1000/182",
        ]
    ),
    dashes=st.sampled_from(["-", "–", "—", "−", "--"]),
    right=st.sampled_from(
        ["(survey)", "((survey))", "((5G))", "(a OR b)", '"a survey"', "“a survey”", "＂survey＂"]
    ),
)
def test_a_dash_between_any_word_and_a_quote_or_a_bracket_has_two_meanings(
    word: str, dashes: str, right: str
) -> None:
    brackets_belong_to_ids = word.startswith(("doi:", "id:", "https:")) and right.startswith("(")
    assume(not brackets_belong_to_ids)
    message, position = refusal(f"{word}{dashes}{right}")

    assert position == len(word)
    assert f": {word} -{right}, with a space before it, excludes {right}" in message
    parse_with_hints(f"{word} -{right}")  # what is told to write is read


SIGNS = "，；。、：！？…·'’»›」]}/&+$%^,;.:!?"
"""What readers leave between a quote and a dash, commas of two scripts and what closes something else."""


@given(
    left=st.sampled_from(
        ['"deep learning"', "“深度学习”", "(deep learning)", "((deep))", '="A"', 'title:"a b"']
    ),
    signs=st.text(SIGNS, max_size=4),
    dash=st.sampled_from("-–—−"),
    right=st.sampled_from(["survey", "综述", '"a survey"', "(survey)", "title:survey", "5G"]),
)
def test_signs_between_a_quote_or_bracket_and_a_dash_do_not_hide_that_it_has_two_meanings(
    left: str, signs: str, dash: str, right: str
) -> None:
    typed = f"{left}{signs}{dash}{right}"
    message, position = refusal(typed)

    assert position == len(left) + len(signs)
    assert f": {left} -{right}, with a space before it, excludes {right}" in message
    parse_with_hints(f"{left} -{right}")


@given(
    marks=st.sampled_from(OTHER_MARKS),
    word=st.sampled_from(["deep", "a", "5G", "multi-modal", "量子"]),
    around=st.sampled_from(["({})", "( {} )", "(n,{})", "(({}))"]),
)
def test_a_bracket_with_marks_around_a_word_is_a_group_before_a_dash_and_behind_it(
    marks: str | tuple[str, str], word: str, around: str
) -> None:
    group = around.format(f"{marks[0]}{word}{marks[1]}")

    assert refusal(f"{group}-survey")[1] == len(group)
    assert refusal(f"graph-{group}")[1] == len("graph")


@given(
    inner=st.sampled_from(
        ["graph", "a", "2", "a,b", "graph tree", "a OR b", "=RAG", "title:a", "SU(2)", "量子", "x+1"]
    ),
    depth=st.integers(2, 5),
    front=st.sampled_from(["", "graph ", '"deep learning" ', "(a) ", "title:"]),
)
def test_a_group_in_brackets_before_a_dash_has_two_meanings_however_deep(
    inner: str, depth: int, front: str
) -> None:
    if front == "title:" and inner.startswith("title:"):
        return
    group = "(" * depth + inner + ")" * depth
    message, position = refusal(f"{front}{group}-survey")

    assert "excludes survey" in message
    assert position == len(front) + len(group)


@for_each_case(
    ("text", "left", "right"),
    [
        ("(multi-modal)-survey", "(multi-modal)", "survey"),
        ("graph (CNN-LSTM)-based", "(CNN-LSTM)", "based"),
        ("((graph))-survey", "((graph))", "survey"),
        ("((graph)(tree))-survey", "((graph)(tree))", "survey"),
        ("(graph(tree))-survey", "(graph(tree))", "survey"),
        ("((a))-survey", "((a))", "survey"),
        ("（（a））-survey", "((a))", "survey"),
        ("title:((a))-survey", "title:((a))", "survey"),
        ("graph-((a))", "graph", "((a))"),
        ("graph-(multi-modal)", "graph", "(multi-modal)"),
        ("graph-“deep learning”", "graph", "“deep learning”"),
        ('"deep learning"-“a survey”', '"deep learning"', "“a survey”"),
        ('"deep learning"-((a survey))', '"deep learning"', "((a survey))"),
        ('"deep learning"-title:"a survey"', '"deep learning"', 'title:"a survey"'),
        ('"deep learning"-="A survey"', '"deep learning"', '="A survey"'),
        ("«deep learning»-«a survey»", '"deep learning"', '"a survey"'),
        ("graph-«deep learning»", "graph", '"deep learning"'),
        ("graph-'deep learning'", "graph", '"deep learning"'),
        ('"deep learning",-survey', '"deep learning"', "survey"),
        ("(deep OR learning);-survey", "(deep OR learning)", "survey"),
        ("«deep learning»,-survey", '"deep learning"', "survey"),
        ("＂deep learning＂-survey", "＂deep learning＂", "survey"),
        ("title:«deep learning»-survey", 'title:"deep learning"', "survey"),
        ("=«RAG»-survey", '="RAG"', "survey"),
        ("author:«J. Doe»-survey", 'author:"J. Doe"', "survey"),
        ("「深度学习」-综述", '"深度学习"', "综述"),
        ("``deep learning''-survey", '"deep learning"', "survey"),
        ("'optical peppermill'-type", '"optical peppermill"', "type"),
        ("«graph (tree OR net)»-survey", '"graph (tree OR net)"', "survey"),
        ("«quantiz*»-survey", '"quantiz*"', "survey"),
        ("(«deep»)-survey", "(«deep»)", "survey"),
        ('"deep learning" ,-survey', '"deep learning"', "survey"),
        ("“深度学习” ，-综述", "“深度学习”", "综述"),
        ("title:graph ;-survey", "title:graph", "survey"),
        ("graph-('a')", "graph", "('a')"),
        ("graph-(2, «a»)", "graph", "(2, «a»)"),
        ("“深度学习”，-综述", "“深度学习”", "综述"),
        ("（深度学习）、-综述", "(深度学习)", "综述"),
        ("「深度学习」；-综述", '"深度学习"', "综述"),
        ('"a b"--survey', '"a b"', "survey"),
        ('RAG--"a survey"', "RAG", '"a survey"'),
        ('RAG-["a survey"]', "RAG", '"a survey"'),
        ('quantiz*-"a survey"', "quantiz*", '"a survey"'),
        ('quantiz-*"a survey"', "quantiz", '"a survey"'),
        ("=RAG-((5G))", "=RAG", "((5G))"),
        ('author:(Smith-"J. Doe")', "Smith", '"J. Doe"'),
    ],
)
def test_both_readings_of_a_dash_are_shown(text: str, left: str, right: str) -> None:
    message, position = refusal(text)

    assert f": {left} -{right}, with a space before it, excludes {right}" in message
    assert f"{left} {right} searches for both" in message
    assert position < len(text)
    assert text[position] == "-"


@for_each_case(
    ("text", "shown", "left_out"),
    [
        ("graph (a)-b", 'graph AND "a b"', "(a) -b"),
        ("(5G,6G)-survey", '"5G 6G survey"', "(5G,6G) -survey"),
        ("graph-(5G)", '"graph 5G"', "graph -(5G)"),
        ("graph-(S)", '"graph S"', "graph -(S)"),
        ("graph–(5G, 6G),", '"graph 5G 6G"', "graph -(5G, 6G)"),
        ("SU(2)-(5G)", '"SU 2 5G"', "SU(2) -(5G)"),
        ("=RAG-(5G)", '="RAG-(5G)"', "=RAG -(5G)"),
        ("(S)-ibuprofen", '"S ibuprofen"', "(S) -ibuprofen"),
        ("(k)-means clustering", '"k means" AND clustering', "(k) -means"),
        ("(5G)-survey", '"5G survey"', "(5G) -survey"),
        ("(claw, C_4)-free", '"claw C₄ free"', "(claw, C_4) -free"),
        ("(GPT-4)-survey", '"GPT-4 survey"', "(GPT-4) -survey"),
        ("title:(S)–ibuprofen", 'title:"S ibuprofen"', "(S) -ibuprofen"),
        (
            "(2-hydroxypropyl)-β-cyclodextrin",
            '"2-hydroxypropyl β-cyclodextrin"',
            "(2-hydroxypropyl) -β-cyclodextrin",
        ),
    ],
)
def test_a_name_with_a_bracket_before_or_behind_a_dash_is_read_and_the_other_reading_is_told(
    text: str, shown: str, left_out: str
) -> None:
    parsed_query = parse_with_hints(text)

    assert parsed_query.display_text == shown
    assert any(f"{left_out}, with a space" in hint for hint in parsed_query.hints), parsed_query.hints


@for_each_case(
    "text",
    [
        "(2,1)-categories",
        "(2+1)-dimensional gravity",
        "(∞,1)-categories",
        "(100)-surfaces",
        "(n, k)-codes",
        "(n+1)-cluster",
        "($k$+1)-th",
        "(1+(λ,λ))-GA",
        "(H&E)-stained",
        "(b, c)-inverse",
        "f(R)-gravity",
        "SU(2)-bundle",
        "poly(ethylene)-based",
        "graph-(2,1)",
        "K-(n+1)",
        "N-(4-hydroxyphenyl)retinamide",
        '="RAG-(5G)"',
        "graph(tree)-based",
        "[18F]-FDG",
        "[FeFe]-hydrogenase",
        "[C II]-emitting",
        "5'-end",
        "3'-UTR",
        "1T'-MoTe2",
        "Hooft loop 3'-UTR",
        "Boas'-type results",
        "don't-know",
        r"caf\'e-like",
        '"a" (2,1)-categories',
    ],
)
def test_names_with_signs_before_a_dash_are_plain(text: str) -> None:
    assert not parse_with_hints(text).hints


@for_each_case(
    ("text", "shown"),
    [
        ("'t Hooft loop 3'-UTR", 't AND Hooft AND loop AND "3\'-UTR"'),
        ("van 't Hoff 5'-end", 'van AND t AND Hoff AND "5\'-end"'),
        ("van ’t Hoff 5′-end", 'van AND t AND Hoff AND "5\'-end"'),
        ("'s-Hertogenbosch 5'-end", '"s-Hertogenbosch" AND "5\'-end"'),
        ("'90s music 5'-end", '90s AND music AND "5\'-end"'),
        ("'deep OR 5'-end", 'deep OR "5\'-end"'),
        ("'deep \"learning\" 5'-end", 'deep AND learning AND "5\'-end"'),
    ],
)
def test_an_apostrophe_in_front_is_not_closed_by_a_prime_of_another_part(text: str, shown: str) -> None:
    assert parse_with_hints(text).display_text == parse_with_hints(shown).display_text


@for_each_case(
    "text", ["'t'-test", "``t test''-based", "'n of 1 trials’ 3'-UTR 'a'-b", "'tis'-x", "'s'-wave"]
)
def test_an_apostrophe_that_is_closed_at_once_is_a_mark(text: str) -> None:
    assert "is ambiguous next" in refusal(text)[0]


@for_each_case("text", ["[deep learning]-survey", "graph [Deep Learning]–survey", "[深度 学习]-综述"])
def test_a_dash_behind_square_brackets_around_words_is_told(text: str) -> None:
    assert any("only excludes after a space" in hint for hint in parse_with_hints(text).hints)


@for_each_case(
    ("text", "told"),
    [
        ('graph AND-"a survey"', 'AND -"a survey", with a space, excludes "a survey"'),
        ("graph NOT-(survey)", "NOT (survey), with a space, excludes (survey)"),
        ("graph AND- survey", "There is nothing after AND-"),
    ],
)
def test_a_dash_behind_an_operator_is_told_with_what_is_behind_it(text: str, told: str) -> None:
    assert told in refusal(text)[0]


@for_each_case(
    "text",
    [
        "»deep learning«",
        "『deep learning』",
        "《deep learning》",
        "〝deep learning〟",
        "`deep learning`",
        "‚deep learning‘",
        "「深度学习」",
    ],
)
def test_a_mark_that_is_no_quote_is_told(text: str) -> None:
    assert any("is not a quotation mark here" in hint for hint in parse_with_hints(text).hints)
