"""A finished message: how its parts are encoded."""

from __future__ import annotations

import binascii
import html as library
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.render.delivery.mime import (
    encode_octets,
    encode_quoted_printable,
    make_alternative,
    make_text_part,
)
from tests.support.cases import for_each_case

HEADERS = [("From", "a@example.org"), ("To", "b@example.org")]
LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp"))), max_size=5)


def html_part(html: str, text: str = "plain") -> Message[Any, Any]:
    content = make_alternative(HEADERS, message_id="<1@example.org>", text=text, html=html)
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    _, part = message.iter_parts()
    return part


def said(html: str) -> tuple[str, str]:
    part = html_part(html)
    assert isinstance(part, EmailMessage)
    return part["Content-Transfer-Encoding"], part.get_content().replace("\r\n", "\n")


def test_html_goes_as_it_is_with_references_for_what_is_not_ascii() -> None:
    html = "<p class=m>What Gödel says = 3 · more of it</p>\n"

    assert said(html) == ("7bit", html.replace("ö", "&#246;").replace("·", "&#183;"))


def test_html_with_a_line_that_is_too_long_for_mail_is_encoded() -> None:
    assert said(f"<p>{'naïve or not ' * 90}</p>\n") == (
        "quoted-printable",
        f"<p>{'naïve or not ' * 90}</p>\n",
    )
    assert said(f"{'a' * 998}\n") == ("7bit", f"{'a' * 998}\n")
    assert said(f"a\n{'a' * 999}\n")[0] == "quoted-printable"


def test_html_of_other_scripts_takes_the_shorter_encoding() -> None:
    text = f"<p>{'圧縮する。' * 10}</p>\n" * 10

    assert said(text) == ("base64", text)


@for_each_case("own", ["&#060;b&#062;", "&#100;", "&#128;", "&#150;", "&#160;", "&#55357;", "&#1114109;"])
def test_references_that_a_template_has_itself_say_the_same_in_base64(own: str) -> None:
    text = f"<p>{own}{'圧縮する。' * 10}</p>\n" * 10
    encoding, read = said(text)

    assert encoding == "base64"
    assert library.unescape(read) == library.unescape(text)


@pytest.mark.parametrize("name", ["style", "STYLE", "script"])
def test_where_references_are_no_characters_there_are_none(name: str) -> None:
    text = f"<{name} a=b>li::before {{ content: '→' }}</{name}>\n<p>ä</p>\n{'<p>x</p>' * 9}\n"

    assert said(text) == ("quoted-printable", text)
    assert said(text.replace("→", "-"))[0] == "7bit"


@given(LINES)
def test_whatever_the_encoding_html_reads_the_same(lines: list[str]) -> None:
    text = "".join(f"<p>{library.escape(line)}</p>\n" for line in lines)

    assert library.unescape(said(text)[1]) == library.unescape(text)


@given(st.lists(st.sampled_from(["plain ", "naïve ", "圧縮", "\U0001f600", "&amp;", "\n"]), max_size=60))
def test_other_scripts_go_in_base64_where_that_is_shorter_than_references(words: list[str]) -> None:
    lines = "".join(words).replace("\n", "\r\n") + "\r\n"
    references = lines.encode("ascii", "xmlcharrefreplace")

    encoding, _ = said("".join(words) + "\n")

    assert (encoding == "base64") == (4 * len(lines.encode()) < 3 * len(references))


WORDS = st.lists(st.sampled_from(["plain ", "a = b ", "naïve ", "圧縮", ".", "\n", "w" * 90]), max_size=60)


@given(WORDS)
def test_a_text_encoded_in_pieces_is_the_same_bytes_as_one_encoded_at_once(words: list[str]) -> None:
    lines = [word.replace("\n", "\r\n").encode() for word in (*words, "\n")]

    in_pieces = make_text_part(b"".join(map(encode_octets, lines)))

    assert in_pieces == make_text_part(encode_octets(b"".join(lines)))


@example(["a" * 72 + "." + "b" * 75])
@given(st.lists(st.text(alphabet="ab .=\t\x7f\x01é", max_size=200), max_size=4))
def test_a_text_reads_the_same_out_of_quoted_printable_in_lines_as_mail_wants_them(lines: list[str]) -> None:
    raw = "\r\n".join(lines).encode()
    content = encode_quoted_printable(raw)

    assert binascii.a2b_qp(content) == raw
    assert content.isascii()
    for line in content.split(b"\r\n"):
        assert len(line) <= 76
        assert not line.startswith(b".")
        assert not line.endswith((b" ", b"\t"))
