from __future__ import annotations

import quopri

from hypothesis import given
from hypothesis import strategies as st

from digest.render.card import marked
from digest.render.chunks import chunks
from digest.render.mime import excess

WORDS = st.sampled_from(["KV", "cache", "a<b", "x&y", "é", "圧縮", "=", "mixture-of-experts", "w" * 100, "."])
lines = st.lists(WORDS, max_size=60).map(" ".join)
phrases = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=3)


@given(lines, phrases)
def test_what_is_marked_in_pieces_reads_as_what_is_marked_in_one(text: str, words: list[str]) -> None:
    html = str(marked(text, words).html).encode()

    made = chunks(text).marked(words)

    assert quopri.decodestring(made.content) == html
    assert (made.size, made.excess) == (len(html), excess(html))


@given(lines, phrases)
def test_pieces_are_lines_that_anything_can_follow(text: str, words: list[str]) -> None:
    made = chunks(text).marked(words).content

    assert all(len(line) <= 76 for line in made.split(b"\r\n"))
    assert not made or made.endswith(b"=\r\n")
