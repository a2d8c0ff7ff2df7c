from __future__ import annotations

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from digest.render.wrapping import wrapped

words = st.text(alphabet="ab-\u00a0é \t", max_size=90)


@given(
    st.lists(words, max_size=30).map(" ".join),
    st.sampled_from(["", "   "]),
    st.sampled_from([None, "1. ", "x" * 80]),
)
@example("a" * 80 + " b", "", None)
@example("a" * 72 + " b", "", None)
@example("b " + "a" * 90 + " b", "   ", None)
@example("", "   ", "1. ")
@example("a \u00a0 b\u00a0", "", None)
def test_lines_are_those_of_the_standard_library(text: str, indent: str, first: str | None) -> None:
    expected = textwrap.fill(
        text,
        72,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )

    assert wrapped(text, indent, first=first) == expected
