from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.render.papers.excerpts import make_excerpt, shorten, shorten_line
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "most", "short"),
    [
        ("One. Two.", 100, "One. Two."),
        ("A sentence here. Another one that is long.", 30, "A sentence here. …"),
        ("By Li et al. And so on and on for ever.", 30, "By Li et al. And so on and on …"),
        ("x" * 50, 20, "x" * 20 + " …"),
    ],
)
def test_a_long_text_is_cut_at_the_end_of_a_sentence(text: str, most: int, short: str) -> None:
    assert shorten(text, most) == short


@given(st.text(max_size=400), st.integers(10, 200))
def test_a_cut_text_is_the_beginning_of_the_whole(text: str, most: int) -> None:
    short = shorten(text, most)

    assert len(short) <= most + most // 8 + 2
    assert " ".join(text.split()).startswith(short.removesuffix(" …"))


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Few words", "Few words"),
        ("Some more words than fit", "Some more words …"),
        ("圧縮" * 20, "圧縮" * 9 + " …"),
    ],
)
def test_a_long_line_is_cut_at_a_blank_if_there_is_one(text: str, short: str) -> None:
    assert shorten_line(text, 20) == short


WHOLE = "We begin. It begins with this. We go on. Then a KV cache is made smaller. It ends."
SHORT = "We begin. It begins with this. …"


@for_each_case(
    ("words", "text"),
    [
        (["KV cache"], "We begin. … Then a KV cache is made smaller. …"),
        (["ends"], "We begin. … It ends."),
        (["begins"], SHORT),
        (["ends", "begins"], SHORT),
        (["elsewhere"], SHORT),
        ([], SHORT),
    ],
)
def test_the_sentence_that_shows_why_follows_the_beginning(words: list[str], text: str) -> None:
    assert make_excerpt(SHORT, WHOLE, words) == text


def test_of_a_long_sentence_there_is_what_stands_around_the_word() -> None:
    full_text = "It begins. Then " + "on and " * 40 + "the cache is " + "on and " * 40 + "off."

    excerpt = make_excerpt("It begins. Then on …", full_text, ["cache"])

    assert excerpt.startswith("It … and on and on")
    assert "the cache is" in excerpt
    assert excerpt.endswith("on and on …")
    assert 200 < len(excerpt) < 230


@given(st.text(max_size=300), st.integers(5, 100), st.lists(st.text(max_size=5), max_size=3))
def test_an_excerpt_is_made_of_pieces_of_the_text(text: str, most: int, words: list[str]) -> None:
    full_text = " ".join(text.split())
    short = shorten(full_text, most)

    excerpt = make_excerpt(short, full_text, words)

    begins, _, goes_on = excerpt.partition(" … ")
    assert full_text.startswith(begins.removesuffix(" …"))
    assert " … " in full_text or goes_on.removesuffix(" …") in full_text
