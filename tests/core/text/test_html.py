"""HTML becomes the words that a reader would see, in a time that nobody can stretch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.html import convert_html_to_text
from tests.support.cases import for_each_case


@for_each_case(
    ("html", "text"),
    [
        ("<p>One.</p><p>Two.</p>", "One. Two."),
        ("One<br>two<br/>three", "One two three"),
        ("<ul><li>a</li><li>b</li></ul>", "a b"),
        ("H<sub>2</sub>O and <em>in vivo</em>", "H2O and in vivo"),
        ("A &amp; B &lt; C &eacute; &#8211; &nbsp;D", "A & B < C é – D"),
        ("a < b and c > d", "a < b and c > d"),
        ("&lt;b&gt;twice&lt;/b&gt; escaped", "twice escaped"),
        ("<script>alert(1)</script>x<style>p {}</style>y<!-- z -->", "xy"),
        ("<img src=x onerror=alert(1) alt='a picture'>seen", "seen"),
        ("cut <a href='https://example.org/abou", "cut"),
        ("half \ud83d of a character", "half of a character"),
        ("", ""),
    ],
)
def test_what_a_browser_would_show_is_the_text(html: str, text: str) -> None:
    assert convert_html_to_text(html) == text


@given(st.text(st.sampled_from("<>&;/!-='\" abpdiv\n\0\ud800é"), max_size=200))
def test_any_html_gives_one_line_that_can_be_written(html: str) -> None:
    text = convert_html_to_text(html)
    assert text == " ".join(text.split())
    text.encode()


def test_tags_nested_beyond_reason_are_cut_out_as_they_are() -> None:
    assert convert_html_to_text("<div>" * 2_000 + "deep" + "</div>" * 2_000) == "deep"


def test_what_lies_beyond_the_longest_text_is_left_out() -> None:
    assert len(convert_html_to_text("word " * 100_000)) <= 32_768
