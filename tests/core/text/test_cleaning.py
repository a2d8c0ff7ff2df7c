"""A text from outside comes in as one clean line, and its mathematics stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.cleaning import normalize_line
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "line"),
    [
        ("one\n  two\tthree  ", "one two three"),
        ("one\u00a0two\u2003three\u2028four", "one two three four"),
        ("nul\x7f \u200bzero\ufeff \u202eeerht", "nul zero eerht"),
        ("for $a < b$ and c > d", "for $a < b$ and c > d"),
        ("a <think> token </think> and <x^n-1>", "a <think> token </think> and <x^n-1>"),
        ("H<sub>2</sub>O is <b><i>wet</i></b><br/>here", "H2O is wet here"),
        ('<a href="javascript:alert(1)">see</a>', "see"),
        ("half \ud83d of a character", "half of a character"),
        ("an unpaired <b> stays </i>", "an unpaired <b> stays </i>"),
        ("", ""),
    ],
)
def test_whitespace_unseen_signs_and_emphasis_go(text: str, line: str) -> None:
    assert normalize_line(text) == line


@given(st.text())
def test_a_line_is_one_line_and_clean_already(written: str) -> None:
    line = normalize_line(written)
    assert normalize_line(line) == line
    assert line == " ".join(line.split())
    assert not set(line) & set("\n\r\t\x00\x7f\u202e\u200b\ufeff")


def test_nested_markup_takes_no_longer_than_it_should() -> None:
    assert normalize_line("<b>" * 20000 + "deep" + "</b>" * 20000).count("deep") == 1
