from __future__ import annotations

from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from digest.render.card import marked
from digest.render.chunks import chunks
from digest.render.mime import excess_in_ascii, in_ascii

WORDS = st.sampled_from(["KV", "cache", "a<b", "x&y", "é", "圧縮", "=", "mixture-of-experts", "w" * 100, "."])
lines = st.lists(WORDS, max_size=60).map(" ".join)
phrases = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=3)


@given(lines, phrases)
def test_what_is_marked_in_pieces_reads_as_what_is_marked_in_one(text: str, words: list[str]) -> None:
    html = str(marked(text, words).html)

    made = chunks(text).marked(words)

    assert made.content.decode("ascii") == in_ascii(html).replace("\n", "\r\n")
    assert (made.size, made.excess) == (len(in_ascii(html)), excess_in_ascii(html))


@given(lines)
def test_long_texts_are_lines_of_html_with_no_sign_more(text: str) -> None:
    html = str(marked(text, ()).html)

    assert unescape(html).replace("\n", " ") == text
    assert all(len(line) <= 76 or " " not in line for line in unescape(html).split("\n"))
