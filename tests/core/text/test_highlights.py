from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.highlights import find_first_highlight, find_highlights
from digest.core.text.words import iter_parts
from tests.support.cases import for_each_case


def test_marks_cover_whole_words_and_do_not_overlap() -> None:
    text = "Mixture of experts: an expert mixture of experts, inexpert"
    marked = [
        text[start:end]
        for start, end in find_highlights(text, ["Mixture of experts", "of experts", "expert", "mixture"])
    ]
    assert marked == ["Mixture of experts", "expert", "mixture", "of experts"]


@given(st.text("ab1_ é-+.'sλ学", max_size=30), st.text("ab1_ é-+.'sλ学", min_size=1, max_size=4))
def test_a_word_is_marked_where_words_of_the_text_begin_and_end(text: str, word: str) -> None:
    own = list(iter_parts(word))
    starts, ends = ({getattr(part, edge) for part in iter_parts(text)} for edge in ("start", "end"))
    places = [
        (at, at + len(word))
        for at in range(len(text))
        if own and text.startswith(word, at) and at + own[0].start in starts and at + own[-1].end in ends
    ]

    covered = {at for start, end in find_highlights(text, [word]) for at in range(start, end)}

    assert {at for start, _ in places[:1] for at in range(start, start + len(word))} <= covered
    assert covered <= {at for start, end in places for at in range(start, end)}


@for_each_case(
    ("word", "text", "marked"),
    [
        ("C", "C++ and C, not C#", "C++ and [C], not C#"),
        ("C++", "C++ and C, not C++#", "[C++] and C, not C++#"),
        ("CDM", "ΛCDM, CDM and CDMs", "Λ[CDM], [CDM] and CDMs"),
        ("ΛCDM", "wΛCDM and ΛCDM", "w[ΛCDM] and [ΛCDM]"),
        ("深度学习", "基于深度学习的方法", "基于[深度学习]的方法"),
        ("LLM", "基于LLM的方法，用LLMs", "基于[LLM]的方法，用LLMs"),
        ("Ca²⁺", "Ca²⁺ and Ca²", "[Ca²⁺] and Ca²"),
        ("90", "90s, 90", "90s, [90]"),
        ("10¹⁴", "110¹⁴, 10¹⁴", "110¹⁴, [10¹⁴]"),
        ("A*", "A*-like A* search", "[A*]-like [A*] search"),
        ("RAG", "RAG's RAG-based RAG.", "RAG's [RAG]-based [RAG]."),
    ],
)
def test_a_whole_word_is_marked_and_no_part_of_another(word: str, text: str, marked: str) -> None:
    found, finished_count = "", 0
    for start, end in find_highlights(text, [word]):
        found += f"{text[finished_count:start]}[{text[start:end]}]"
        finished_count = end

    assert found + text[finished_count:] == marked


@given(st.text(alphabet="ab -+.", max_size=30), st.lists(st.text(alphabet="ab -+.", max_size=4)))
def test_marks_are_in_order_and_apart(text: str, printed: list[str]) -> None:
    marks = find_highlights(text, printed)
    ends = [0, *(end for _, end in marks)]
    assert all(before <= start < end for before, (start, end) in zip(ends, marks, strict=False))


@given(st.text(alphabet="ab -+.", max_size=30), st.lists(st.text(alphabet="ab -+.", max_size=4)))
def test_the_first_mark_stands_where_marks_begin(text: str, printed: list[str]) -> None:
    marks = find_highlights(text, printed)

    first = find_first_highlight(text, printed)

    assert (first and first[0]) == (marks[0][0] if marks else None)
