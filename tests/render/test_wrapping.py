from __future__ import annotations

import re
import textwrap
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from digest.render.wrapping import count_columns, wrap_text

words = st.text(alphabet="ab-\u00a0\u00ad\u200cé \t", max_size=90)


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

    assert wrap_text(text, indent, first=first) == expected


CHINESE = "没有收到 arXiv 的 cs.DC 和 cs.LG 两个分类在 6 月 12 日星期五的列表（最近一次查询是在 04:10 CEST），因此这一期可能不完整；补发的论文会出现在下一期摘要里。"


def test_chinese_takes_two_columns_a_sign_and_breaks_between_signs() -> None:
    lines = wrap_text(CHINESE, "  ", first="! ").split("\n")

    assert all(60 < count_columns(line) <= 72 for line in lines[:-1])
    assert "".join(lines).replace(" ", "").removeprefix("!") == CHINESE.replace(" ", "")


@given(
    st.text(alphabet="中文あ한국 ab,.()“”。，（）", max_size=200),
    st.sampled_from(["", "  "]),
    st.sampled_from([None, "! "]),
)
def test_no_line_of_chinese_begins_with_what_closes_or_is_longer_than_it_must(
    text: str, indent: str, first: str | None
) -> None:
    lines = wrap_text(text, indent, first=first).split("\n")

    for number, line in enumerate(lines):
        inner = line.removeprefix((first or indent) if not number and first is not None else indent)
        unbroken = re.compile("[^ 中文あ]{30}")
        assert count_columns(line) <= 72 or unbroken.search(inner)
        assert not (
            number
            and "中" in text
            and re.match("[。，）]", inner)
            and re.search("[中文あ]$", lines[number - 1])
        )
    assert "".join("".join(lines).split()).removeprefix("!") == "".join(text.split()).removeprefix("!")


@given(st.text(st.characters(categories=["Lo", "Lu", "Ll", "Nd"]), max_size=60))
def test_columns_are_those_that_unicode_says(letters: str) -> None:
    count = sum(1 + (unicodedata.east_asian_width(sign) in {"W", "F"}) for sign in letters)

    assert count_columns(letters) == count
