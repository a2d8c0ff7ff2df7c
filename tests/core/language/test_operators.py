"""An operator that touches a bracket, a quote or a minus is an operator, or an error or a hint says otherwise."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digest.core.language.parser import ParsedQuery, parse_with_hints
from digest.core.language.syntax.signs import DASHES, normalize_signs
from digest.errors import QueryError
from tests.support.cases import for_each_case

NAMES_WITH_BRACKETS = ["SU(2)", "(2,1)", "title:SU(2)"]
"""Brackets that stay a part of a word before a hyphen, as in (2,1)-categories and SU(2)-bundle."""
LEFT = st.sampled_from(
    [
        *NAMES_WITH_BRACKETS,
        "graph",
        "multi-modal",
        "title:graph",
        "=RAG",
        "(graph)",
        "((graph))",
        "( graph )",
        "(5G)",
        "(cs.LG)",
        "(graph tree)",
        "(graph OR tree)",
        "graph(tree)",
        "title:(graph)",
        "author:(Smith)",
        "=SU(2)",
        '"graph"',
        '"a graph"',
        '="RAG"',
        "“a graph”",
        '"a graph"~3',
        "（量子）",
        "量子(5G)",
    ]
)
RIGHT = st.sampled_from(
    ["survey", "(survey)", "(a survey)", '"a survey"', "“survey”", "title:survey", "=RAG", "(5G)", "SU(3)"]
)
WORDS = ["AND", "OR", "NOT", "ANDNOT"]
SYMBOLS = ["&&", "&", "||", "|", "!", "+", "＆＆", "｜｜", "！", "&|", "!!"]
MINUS = ["-", "–", "−", "－", "﹣", "⁻", "₋", "⸺"]
GAPS = st.sampled_from(["", " "])


def read(text: str) -> ParsedQuery | None:
    """How a query is read; None if it is an error."""
    try:
        return parse_with_hints(text)
    except QueryError:
        return None


def refusal(text: str) -> tuple[str, int]:
    with pytest.raises(QueryError) as error:
        parse_with_hints(text)
    return error.value.args[0], error.value.position


@given(
    left=LEFT,
    operator=st.sampled_from([*WORDS, *SYMBOLS, *MINUS]),
    right=st.tuples(st.sampled_from(["", "-", "!", "–", "⁻"]), RIGHT),
    gaps=st.tuples(GAPS, GAPS),
    around=st.sampled_from(["{}", "({})", "title:({})", "tree OR {}", "{} -tree"]),
)
def test_an_operator_beside_a_bracket_quote_or_minus_means_what_it_means_between_blanks(
    left: str, operator: str, right: tuple[str, str], gaps: tuple[str, str], around: str
) -> None:
    exclusion, operand = right
    assume(gaps[0] or left[-1] in ')"”）')  # otherwise it is the end of a word
    assume(gaps[1] or exclusion or operand[0] in '("“' or operator not in WORDS)  # or the beginning of one
    assume(not (operator in {"⁻", "₋"} and exclusion))  # a charge, as in NO₃⁻-doped
    if not gaps[0] and (left in NAMES_WITH_BRACKETS or (left.endswith(")") and not left.startswith("("))):
        assume(operator not in {*MINUS, "&", "+"})  # a sign of a name, as in SU(2)-bundle and SU(2)+SU(3)
        assume(not (gaps[1] and operator in {"!", "!!", "！"}))  # the end of a sentence
    typed = read(around.format(f"{left}{gaps[0]}{operator}{gaps[1]}{exclusion}{operand}"))
    plain_operator = "-" if operator in MINUS else f"{operator} "
    between_blanks = read(around.format(f"{left} {plain_operator}{exclusion}{operand}"))

    if typed is None or between_blanks is None:
        assert typed is None or typed.hints
    else:
        assert typed.query == between_blanks.query or set(typed.hints) - set(between_blanks.hints)


@for_each_case(
    ("text", "shown"),
    [
        ("(graph)NOT survey", "graph AND NOT survey"),
        ("title:(graph)NOT survey", "title:graph AND NOT survey"),
        ("((graph))NOT survey", "graph AND NOT survey"),
        ("(graph)AND(survey)", "graph AND survey"),
        ("(graph)OR(tree)", "graph OR tree"),
        ("(graph)OR tree", "graph OR tree"),
        ("(graph)ANDNOT(survey)", "graph AND NOT survey"),
        ("（量子）NOT 综述", '"量子" AND NOT "综述"'),
        ("(5G)NOT survey", "5G AND NOT survey"),
        ("SU(2)NOT survey", '"SU 2" AND NOT survey'),
        ("SU(2)OR SU(3)", '"SU 2" OR "SU 3"'),
        ("f(R)OR(g)", '"f R" OR g'),
        ("(2,1)OR x", '"2 1" OR x'),
        ("(2401.00001)NOT survey", "id:arxiv:2401.00001 AND NOT survey"),
        ("(graph)title:survey", "graph AND title:survey"),
        ("SU(2)author:Smith", '"SU 2" AND author:"Smith"'),
        ("(graph)&&NOT survey", "graph AND NOT survey"),
        ("&&(deep learning) graph", "(deep AND learning) AND graph"),
        ("+title:graph +=RAG", "title:graph AND =RAG"),
        ("title:(graph & tree)", "title:graph AND title:tree"),
    ],
)
def test_an_operator_or_a_field_right_behind_a_bracket_or_symbol_is_none_of_its_text(
    text: str, shown: str
) -> None:
    assert parse_with_hints(text).display_text == shown


@for_each_case(
    ("text", "shown"),
    [
        ("SU(2)", '"SU 2"'),
        ("f(R)gravity", '"f R gravity"'),
        ("(S)-ibuprofen", '"S ibuprofen"'),
        ("(2,1)-categories", '"2 1 categories"'),
        ("(∞,1)-categories", '"∞ 1 categories"'),
        ("(La,Sr)NO3", '"La Sr NO3"'),
        ("(Ba,Sr)TiO3", '"Ba Sr TiO3"'),
        ("poly(A)", '"poly A"'),
        ("(CO)ORDINATE", '"CO ORDINATE"'),
        ("(a)ORCA", '"a ORCA"'),
        ("(graph)NOTE", '"graph NOTE"'),
        ("SU(2)-bundle", '"SU 2 bundle"'),
        ("SU(2)+SU(3)", '"SU 2 SU 3"'),
        ("$|f(1/2)|^2$", '"f 1 2 ²"'),
        ("SU(2)! We", '"SU 2" AND We'),
        ("Cl⁻(aq)", '"Cl aq"'),
        ("(AB)⁻¹", "AB AND ¹"),
        ("x +-1", "x AND 1"),
        ("AND/OR graph", '"AND OR" AND graph'),
    ],
)
def test_a_bracket_or_a_sign_in_a_name_stays_text(text: str, shown: str) -> None:
    assert parse_with_hints(text).display_text == shown


@for_each_case(
    ("text", "place", "told"),
    [
        ("(graph)AND-survey", "-survey", "This - is ambiguous right after AND: AND -survey"),
        ("(graph)OR-survey", "-survey", "right after OR: OR -survey"),
        ("SU(2)NOT-survey", "-survey", "right after NOT: NOT survey"),
        ("graph &&-survey", "-survey", "right after &&: AND -survey, with a space, excludes survey"),
        ("graph ||-survey", "-survey", "right after ||: OR -survey"),
        ("graph &-survey", "-survey", "right after &: AND -survey"),
        ("graph +-survey", "-survey", "right after +: -survey"),
        ("graph !-survey", "-survey", "right after !: -survey"),
        ("graph &&!survey", "!survey", "This ! is ambiguous right after &&: AND -survey"),
        ("graph AND!survey", "!survey", "This ! is ambiguous right after AND: AND -survey"),
        ("graph NOT!survey", "!survey", "NOT survey, with a space, excludes survey"),
        ("graph AND&&-(a survey)", "-(a", "AND -(a survey), with a space, excludes (a survey)"),
        ("graph AND⁻survey", "⁻survey", "right after AND: AND -survey"),
        ("graph ＆＆－survey", "－survey", "right after &&: AND -survey"),
        ("SU(2)&&-survey", "-survey", "SU(2) -survey, with a space before it, excludes survey"),
        ("author:(Smith AND-Jones)", "-Jones", "right after AND: AND -Jones"),
        ("graph,-survey", "-survey", "graph -survey, with a space before it, excludes survey"),
        ("量子，-计算", "-计算", "量子 -计算, with a space before it, excludes 计算"),
        ("SU(2)||survey", "||survey", "For one or the other, write OR"),
        ("SU(2)!survey", "!survey", "Write -word to exclude papers"),
        ("graph ！survey", "！survey", "Write -word to exclude papers"),
        ("量子｜计算", "｜计算", "For one or the other, write OR"),
    ],
)
def test_a_minus_or_bang_right_behind_an_operator_or_comma_is_an_error_at_its_place(
    text: str, place: str, told: str
) -> None:
    message, position = refusal(text)

    assert told in message
    assert text[position:].startswith(place)


@for_each_case(
    ("text", "hint"),
    [
        ("graph,AND survey", "AND in graph,AND was read as text"),
        ('"graph",NOT survey', "NOT in ,NOT was read as text"),
        ("graph AND=survey", "AND in AND=survey was read as text"),
        ("[graph]OR tree", "OR in [graph]OR was read as text"),
        ("(graph)or tree", "an operator in capitals, with a space on both sides"),
        ("量子OR计算", "OR in 量子OR计算 was read as text"),
        ("graph-NOT survey", "NOT in graph-NOT was read as text"),
        ("graph&&survey", "&& in graph&&survey was read as text"),
        ("=RAG,NOT survey", "NOT in =RAG,NOT was read as text"),
        ("(cs.LG)-survey", "(cs.LG) -survey, with a space, excludes survey"),
    ],
)
def test_an_operator_that_is_read_as_text_is_told(text: str, hint: str) -> None:
    assert any(hint in stated_hint for stated_hint in parse_with_hints(text).hints)


@pytest.mark.parametrize("before", ['"graph"', "(a graph)", "graph AND", "graph &&"])
def test_every_dash_of_unicode_is_a_minus_behind_a_quote_bracket_or_operator(before: str) -> None:
    dashes = [chr(code) for code in range(sys.maxunicode) if unicodedata.category(chr(code)) == "Pd"]
    for dash in [*dashes, *"−⁻₋﹣－➖˗⁃"]:
        message, position = refusal(f"{before}{dash}survey")

        assert "excludes survey" in message, hex(ord(dash))
        assert position == len(before)
        assert normalize_signs(f'"graph"{dash}survey')[7] in DASHES


@for_each_case("comma", [",", ";", "，", "；", "、", "﹐", "､", "،"])
def test_a_comma_without_a_blank_makes_a_phrase_in_every_script_and_a_hint_says_so(comma: str) -> None:
    for first, second in [("量子", "计算"), ("graph", "survey"), ("GPT-4", "Claude"), ("graph", "量子")]:
        read_query = parse_with_hints(f"{first}{comma}{second}")

        assert read_query.query == parse_with_hints(f'"{first} {second}"').query
        assert f"for all of them, write ({first} {second}); for any of them, ({first} OR {second})." in str(
            read_query.hints
        )


@for_each_case(
    "text",
    [
        "1,2-dioxetane",
        "2,4-D",
        "SL(2,Z)",
        "(Ga,Mn)As",
        "N,N-dimethyl",
        "TL;DR",
        r"$\ell_{2,p}$-norm",
        '"graph,survey"',
        "=graph,survey",
        "author:Liu,Yang",
    ],
)
def test_a_comma_in_a_name_or_a_quote_gives_no_hint(text: str) -> None:
    assert not any("was read as a phrase" in hint for hint in parse_with_hints(text).hints)
