"""Queries made to harm are refused or answered within limits: work is counted, not timed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.language.query import And, Not, Or, Query, extract_kind_part
from digest.core.language.quotes import find_marked_passages
from digest.core.language.syntax.foreign_syntax import make_word_hint
from digest.core.language.syntax.operators import (
    find_exclusion_sign,
    find_symbols_end,
    is_next_part,
    make_operator_hint,
)
from digest.core.language.syntax.signs import normalize_signs
from digest.core.language.syntax.tokens import MAX_DEPTH, MAX_LENGTH, MAX_NEAR, MAX_TERMS, MAX_WORDS
from digest.core.matching.evaluate import collect_evidence, evaluate
from digest.core.papers.document import PaperDocument, build_document
from digest.errors import QueryError
from digest.model import Author, Paper, PaperKey
from tests.generators.random_queries import LEAVES
from tests.support.call_count import count_calls
from tests.support.cases import for_each_case


def refused(text: str) -> QueryError | None:
    try:
        parse(text)
    except QueryError as error:
        return error
    return None


def size(query: Query) -> int:
    """How many parts it has, in all."""
    match query:
        case And() | Or():
            return 1 + sum(map(size, query.queries))
        case Not():
            return 1 + size(query.query)
        case _:
            return 1


# --- reading --------------------------------------------------------------------------------------


@for_each_case(
    ("hostile", "text"),
    [
        ("word " * 10_000, f"at most {MAX_LENGTH:,} characters"),
        ("w " * (MAX_TERMS + 1), f"at most {MAX_TERMS} words and phrases"),
        ("(" * 1_000 + "a" + ")" * 999, f"at most {MAX_DEPTH} levels deep"),
        ("-(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1), f"at most {MAX_DEPTH} levels deep"),
        ("title:(" + "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH + ")", f"at most {MAX_DEPTH} levels deep"),
        ('"' + "a " * (MAX_WORDS + 1) + '"', f"at most {MAX_WORDS} words"),
        ("a-" * MAX_WORDS + "a", f"at most {MAX_WORDS} words"),
        ('="' + "a " * (MAX_WORDS + 1) + '"', f"at most {MAX_WORDS} words"),
        ("title:(" + " OR ".join(f"quantization{number}" for number in range(120)) + ")", "bytes"),
        ("\ufdfa" * 1_000, "bytes"),
        ("*", "at least 3 letters"),
        ("**", "at least 3 letters"),
        ("a" * 1_000 + "*" * 900, "at least 3 letters"),
        ('"a b"~1000000000', f"from 1 to {MAX_NEAR}"),
        ('"a b"~' + "9" * 1_900, f"from 1 to {MAX_NEAR}"),
        ('"' * 1_000_000, f"at most {MAX_LENGTH:,} characters"),
        ("a" * 5_000_000, f"at most {MAX_LENGTH:,} characters"),
        ("\0" * 5_000_000, f"at most {MAX_LENGTH:,} characters"),
    ],
)
def test_what_is_too_much_is_refused_with_the_limit(hostile: str, text: str) -> None:
    error = refused(hostile)
    assert error
    assert text in error.args[0]
    assert len(str(error)) < 3 * MAX_LENGTH


def test_gigantic_input_is_refused_without_being_read() -> None:
    assert count_calls(lambda: refused("(a OR b) " * 1_000_000)) < 20


@for_each_case("piece", ["'", "`", "'a", "'a ", "a'", "\\'", "'a\\", "«", "«»", "»", "「", "«'a"])
def test_passages_between_marks_are_found_in_linear_time(piece: str) -> None:
    # A regular expression calls no function that could be counted: in quadratic time this would take hours.
    assert len(find_marked_passages(piece * (500_000 // len(piece)))) <= 250_000


@for_each_case("piece", ["&", "&|", "+&", "AND", "AND&", "(a)AND", "⁻", "(a,", "量，"])
def test_operators_and_commas_are_found_in_linear_time(piece: str) -> None:
    run = f"{piece * (100_000 // len(piece))}^"  # in quadratic time this would take hours, too

    assert find_exclusion_sign(run) <= len(piece)
    assert find_symbols_end(run) == 0
    assert len(normalize_signs(run)) == len(run)
    is_next_part(run, 0)
    make_operator_hint(run)
    make_word_hint(run)


PIECES = [
    *[
        "(",
        ")",
        "((",
        "((a)",
        "(a)-",
        "(a-",
        "'a'-",
        "'a ",
        "«a»-",
        "＂",
        "-",
        '"',
        "“",
        '""',
        '\\"',
        "=",
        "=a",
        "~",
        "*",
        "**",
        "a*",
        "a?",
        "?",
        "!",
        "|",
        "||",
        "&",
        "&&",
        "/",
        "/a/",
        "[",
        "]",
        "{",
        "}",
        "$",
        "^",
        "_",
        "%",
        "%20",
        "@",
        "#",
        ",",
        ";",
        ":",
        ".",
        "'",
        "«",
        "é",
        "量",
        "ﬁ",
        "🙂",
        "a",
        "a-",
        "-a",
        "a|",
        "a/",
        "x:",
        "a,",
        "title:",
        "all:",
        "author:",
        "author:(",
        "id:",
        "doi:(",
        "cat:",
        "orcid:",
        "10.1000/",
        "10.1000/a(",
        "2401.00001(",
        "https://",
        "(a)AND",
        "(a)NOT-",
        "a(a)",
        "(a)&&",
        "&&-",
        "+!",
        "+title:",
        "a,-",
        "量，",
        "⁻",
        "AND⁻",
    ],
    *(
        "NOT ",
        "AND ",
        "OR ",
        "a OR ",
        "and ",
        "-(a b) ",
        "(a OR -b) ",
        '"a b"~3 ',
        '="a" ',
        "[a OR ",
        "a NEAR ",
    ),
    *("kind:new ", "quantiz* ", "a~3 ", "TS=( ", "\n", "\0", "\u0301", "\u00ad", "\\frac"),
]


@for_each_case("piece", PIECES)
def test_reading_takes_work_in_proportion_to_what_is_typed(piece: str) -> None:
    refused(piece * 3)  # what is read once for all queries is there now

    def reading(length: int) -> int:
        return count_calls(lambda: refused(piece * (length // len(piece))))

    whole = reading(MAX_LENGTH)
    assert whole < 20 * MAX_LENGTH
    assert whole < 2.2 * reading(MAX_LENGTH // 2) + 1_000


@for_each_case("text", ["({}1)-b", "graph-({}1)", "({},{}_)-b", "({}, {}1)b"])
def test_a_long_word_in_brackets_is_not_split_in_all_ways(text: str) -> None:
    parse(text.replace("{}", "a" * 1_000))  # trying every way to split it would never end


@for_each_case("piece", PIECES)
def test_what_is_read_of_hostile_signs_prints_as_what_it_means(piece: str) -> None:
    for times in (3, 40, MAX_LENGTH // len(piece)):
        if refused(piece * times) is None:
            query = parse(piece * times)
            assert parse(str(query)) == query


# --- canonical forms ------------------------------------------------------------------------------

PAIRS = [f"(a{number} OR b{number})" for number in range(MAX_TERMS // 2)]


@pytest.mark.parametrize("times", [5, 50, MAX_TERMS // 2])
def test_alternatives_are_not_multiplied_out(times: int) -> None:
    query = parse(" ".join(PAIRS[:times]))
    assert size(query) == 1 + 3 * times


@for_each_case(
    "text",
    [
        "a " + " ".join(f"-(b{number} c{number})" for number in range(90)),
        "a " + " ".join(f"(b{number} OR -c{number})" for number in range(90)),
        "(" * 19 + "a" + "".join(f" OR b{number}) c{number}" for number in range(19)),
        "-(" * 18 + "-a" + "".join(f" -b{number}) c{number}" for number in range(18)),
    ],
)
def test_a_canonical_form_has_no_more_parts_than_what_was_typed(text: str) -> None:
    query = parse(text)
    assert size(query) <= len(text.split()) * 3
    assert len(str(query)) <= 3 * len(text)


def test_the_kinds_that_a_query_asks_for_grow_with_their_number_and_no_faster() -> None:
    query = parse(" ".join(f"(kind:new OR b{number})" for number in range(70)))
    named = extract_kind_part(query)
    assert named
    assert size(named) <= 70 * size(query)


# --- evaluating -----------------------------------------------------------------------------------


def about(text: str) -> PaperDocument:
    paper_document = build_document(Paper(key=PaperKey("url:x"), title="", abstract=text, url=""))
    assert paper_document.texts[""].spans  # read before the work is counted
    assert paper_document.texts[""].occurrences
    return paper_document


def repeated(word: str, times: int, joint: str = " ") -> str:
    return joint.join([word] * times)


@for_each_case(
    ("query", "word", "joint"),
    [
        (f'"{repeated("a", 50)}"', "a", " "),
        (f'"{repeated("a", 50)}"~20', "a", " "),
        (f'"{repeated("a b", 25)}"~20', "a b", " "),
        (f'"{repeated("a", 49)} z"~20', "a", " "),
        (f'"{repeated("a-a", 25)}"~20', "a-a", " "),
        (repeated("a", 50, "-"), "a", "-"),
        (f"{repeated('aaa', 50, '-')}*", "aaa", "-"),
        (f'="{repeated("a", 50)}"', "a", " "),
        ("aaa*", "aaaa", " "),
    ],
)
def test_words_that_repeat_are_found_with_work_in_proportion_to_the_text(
    query: str, word: str, joint: str
) -> None:
    asked = parse(query)
    short, long = (about(repeated(word, times, joint)) for times in (200, 400))
    evaluate(asked, short)
    least = count_calls(lambda: evaluate(asked, short))
    assert count_calls(lambda: evaluate(asked, long)) < 2.5 * least + 1_000


@pytest.mark.parametrize("near", ["", "~1", "~20"])
def test_words_that_repeat_are_found_with_work_in_proportion_to_the_query(near: str) -> None:
    text = about(repeated("a", 300))
    short, long = (parse(f'"{repeated("a", times)}"{near}') for times in (20, 40))
    for asked in (short, long):
        evaluate(asked, text)
    least = count_calls(lambda: evaluate(short, text))
    assert count_calls(lambda: evaluate(long, text)) < 2.5 * least + 1_000


@given(
    LEAVES | st.text(max_size=30),
    st.builds(
        Paper,
        key=st.just(PaperKey("url:x")),
        title=st.text(),
        abstract=st.text(),
        comment=st.text(),
        journal_ref=st.text(),
        organizations=st.lists(st.text()).map(tuple),
        authors=st.lists(st.builds(Author, name=st.text())).map(tuple),
        categories=st.lists(st.text()).map(tuple),
        url=st.just(""),
    ),
)
def test_any_query_can_be_asked_of_any_paper(written: str, paper: Paper) -> None:
    if refused(written):
        return
    query, paper_document = parse(written), build_document(paper)
    fit = evaluate(query, paper_document)
    assert fit is None or all(evidence.words for evidence in fit.evidence)
    assert all(evidence.words for evidence in collect_evidence(query, paper_document))


LITTLE = ("the", "of", "and", "in", "a", "to", "we", "for", "is", "on", "by", "as", "an", "it")
OTHERS = tuple(
    f"{first}{second}{third}th" for third in "rnl" for first in "bcdfghklmnprstvw" for second in "aeiou"
)
ABSTRACT = " ".join(
    word for number in range(170) for word in (LITTLE[number * number % 14], OTHERS[number % len(OTHERS)])
)[:2_000]


def joined(parts: Sequence[str]) -> str:
    """As many parts as can be asked for: the first ones, and of the others those that find room."""
    first = bisect_left(
        range(1, len(parts) + 1), 1, key=lambda size: bool(refused(" OR ".join(parts[:size])))
    )
    text = " OR ".join(parts[:first])
    for part in parts[first:]:
        more = f"{text} OR {part}"
        text = text if refused(more) else more
    return text


@for_each_case(
    ("parts", "most"),
    [
        ([f"{word[:3]}{letter}*" for word in OTHERS[:40] for letter in "acino"], 10_000),
        ([f'"{text} {other}"' for text in LITTLE for other in OTHERS], 50_000),
        ([f'"{text} {other}"~20' for text in LITTLE for other in LITTLE if text != other], 50_000),
        (
            [
                f'"{repeated(f"{text} {other}", 9)}"~20'
                for text in LITTLE
                for other in LITTLE
                if text != other
            ],
            50_000,
        ),
        (
            [f'"{repeated(f"{text} {other}", 9)}"' for text in LITTLE for other in LITTLE if text != other],
            50_000,
        ),
        ([f"={word}" for word in (*LITTLE, *OTHERS)], 50_000),
        ([f"{text}-{other}" for text in LITTLE for other in LITTLE if text != other], 50_000),
    ],
    ids=["beginnings", "phrases", "near", "near and long", "long", "exact", "hyphens"],
)
def test_as_much_as_can_be_asked_for_is_looked_for_in_an_abstract_with_little_work(
    parts: list[str], most: int
) -> None:
    query, abstract = parse(joined(parts[: MAX_TERMS - 1])), about(ABSTRACT)
    evaluate(query, abstract)  # what is read once for all is there now

    assert count_calls(lambda: evaluate(query, abstract)) < most
    assert count_calls(lambda: collect_evidence(query, abstract)) < most
