from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.language.query import Exact, TextQuery
from digest.core.matching.positions import find_spans
from digest.core.papers.document import Text
from tests.support.cases import for_each_case


def found(written: str, *lines: str) -> list[str]:
    """What a query finds in a text, as printed there."""
    query = parse(written)
    assert isinstance(query, TextQuery)
    text = Text(source_lines=lines)
    return [text.text[start:end] for start, end in find_spans(text, query)]


@for_each_case(
    ("written", "text", "printed"),
    [
        ("expert", "Experts and an expert's load", ["Experts", "expert's"]),
        (
            '"mixture of experts"',
            "Mixtures-of-Experts; a mixture of expert",
            ["Mixtures-of-Experts", "mixture of expert"],
        ),
        ("multi-modal", "multimodal, multi-modal, multi modal", ["multimodal", "multi-modal", "multi modal"]),
        ("multimodal", "multimodal, multi-modal, multi modal", ["multimodal", "multi-modal"]),
        ('"a a"', "a a a", ["a a", "a a"]),
    ],
)
def test_a_phrase_is_found_wherever_it_stands(written: str, text: str, printed: list[str]) -> None:
    assert found(written, text) == printed


@for_each_case(
    ("written", "text", "printed"),
    [
        ('"expert load"~2', "expert load", ["expert load"]),
        ('"expert load"~2', "experts have a load", ["experts have a load"]),
        ('"expert load"~2', "experts have a great load", []),
        ('"expert load"~2', "load of experts", []),
        ('"a b c"~2', "a x b y c", ["a x b y c"]),
        ('"a b c"~2', "a x y b c", ["a x y b c"]),
        ('"a b c"~2', "a x b y z c", []),
        ('"a b"~1', "a multi-modal b", []),  # a compound counts by its parts
        ('"a b"~2', "a multi-modal b", ["a multi-modal b"]),
        ('"multi-modal b"~1', "multimodal x b; multi modal x b", ["multimodal x b", "multi modal x b"]),
        ('"a b"~20', "a " + "x " * 20 + "b", ["a " + "x " * 20 + "b"]),
        ('"a b"~20', "a " + "x " * 21 + "b", []),
        ('"a b"~3', "a a x b", ["a x b"]),  # from the nearest one
        ('"a b"~3', "a x b b", ["a x b b"]),
        ('"a a"~1', "a", []),
        ('"a a"~1', "a a", ["a a"]),
    ],
)
def test_near_words_stand_in_order_with_no_more_others_between_than_said(
    written: str, text: str, printed: list[str]
) -> None:
    assert found(written, text) == printed


@for_each_case(
    ("written", "text", "printed"),
    [
        ("quantiz*", "Quantization is quantized, not quantum", ["Quantization", "quantized"]),
        ("quantiz*", "post-quantization", ["quantization"]),
        ("quantiz*", "dequantize", []),
        (
            "multi-mod*",
            "multi-modality, multimodal, multi models, multiple modes",
            ["multi-modality", "multimodal", "multi models"],
        ),
        ("leaf*", "leaves of a leaflet", ["leaves", "leaflet"]),  # finds what the word finds
        ("naiv*", "naïve and naïvely", ["naïve", "naïvely"]),
        ("Schrö*", "Schroedinger, Schrödinger, Schrodinger", ["Schroedinger", "Schrödinger", "Schrodinger"]),
        ("2025*", "2025a", ["2025a"]),
    ],
)
def test_a_beginning_finds_every_word_that_begins_so(written: str, text: str, printed: list[str]) -> None:
    assert found(written, text) == printed


@for_each_case(
    ("written", "text", "printed"),
    [
        ("=RAG", "RAG, RAG-based, non-RAG (RAG)", ["RAG", "RAG", "RAG", "RAG"]),
        ("=RAG", "RAGs, RAG's, RAG’s, rag, GraphRAG, RAG2, RAG+", []),
        ('="RAG\'s"', "RAG's", ["RAG's"]),
        ("=RAG-based", "RAG-based; RAG based; RAG-Based", ["RAG-based"]),
        ('="Adam W"', "Adam W; Adam  W; Adam-W; AdamW", ["Adam W", "Adam W"]),
        ("=Gödel", r"Gödel, G\"odel, Go\"del, Godel, Goedel", ["Gödel", "Gödel"]),
        ('="C++"', "C++, C", ["C++"]),
        ("=C", "C++, C, C#", ["C"]),
        ('="3"', "3.5, 3, 3d", ["3"]),
        ('="f(x)"', "f(x), f(x)=y, af(x)", ["f(x)", "f(x)"]),
        ('="(RAG)"', "x(RAG)y (RAG)", ["(RAG)", "(RAG)"]),
        ('="aa aa"', "aa aa aa", ["aa aa", "aa aa"]),
        ("=TOF", "n_TOF", ["TOF"]),
    ],
)
def test_an_exact_spelling_is_found_as_whole_words_only(written: str, text: str, printed: list[str]) -> None:
    assert found(written, text) == printed


@for_each_case("text", ['"one two"', '"one two"~20', '="one two"', "one-two", "one-two*"])
def test_nothing_goes_from_one_line_to_the_next(text: str) -> None:
    assert found(text, "x one", "two y") == []
    assert found(text, "x", "one two y") == ["one two"]


# --- against the plainest way ---------------------------------------------------------------------

LETTERS = st.lists(st.sampled_from("abc"), max_size=9)


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=4), st.integers(0, 4), LETTERS)
def test_near_words_are_found_where_trying_every_way_finds_them(
    wanted: list[str], near: int, text: list[str]
) -> None:
    def tried(rest: list[str], at: int, left: int) -> bool:
        if not rest:
            return True
        reach = range(at, min(len(text), at + left + 1))
        return any(
            text[place] == rest[0] and tried(rest[1:], place + 1, left - (place - at)) for place in reach
        )

    starts = [place for place, letter in enumerate(text) if letter == wanted[0]]
    every_way = any(tried(wanted[1:], place + 1, near) for place in starts)
    written = f'"{" ".join(wanted)}"' + (f"~{near}" if near else "")
    assert bool(found(written, " ".join(text))) == every_way


@given(st.lists(st.sampled_from(["RAG", "RAGs", "rag", "-", "'s", " ", "(", "+", "é", "1"]), max_size=8))
def test_an_exact_word_is_found_where_words_end_as_they_do_everywhere(pieces: list[str]) -> None:
    text = Text(source_lines=("".join(pieces),))
    printed = [text.text[start:end] for start, end in zip(*text.spans, strict=True)]
    assert bool(find_spans(text, Exact(text="RAG"))) == ("RAG" in printed)
