from __future__ import annotations

import unicodedata
from email import message_from_string, policy
from email.header import decode_header, make_header
from email.utils import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.render.delivery.headers import (
    clean_header_text,
    encode_address,
    encode_header,
    format_list_id,
    format_mailbox,
)
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "clean"),
    [
        ("a\r\nBcc: evil@x.y", "a Bcc: evil@x.y"),
        ("=?utf-8?q?a=0d=0aBcc:_evil@x.y?=", "= ?utf-8?q?a=0d=0aBcc:_evil@x.y? ="),
        ("a\x00\x07\x1b[31mb\x7f\x9bc", "a[31mbc"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("\u202egpj.exe\u2066\u200f", "gpj.exe"),
        ("e\u0301", "é"),
        ("a\ud800b", "ab"),
        ("  a \t b ", "a b"),
        ("x" * 1000, "x" * 400),
    ],
)
def test_nothing_that_mail_programs_act_upon_is_left(text: str, clean: str) -> None:
    assert clean_header_text(text) == clean


@given(st.text())
def test_clean_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    clean = clean_header_text(text)

    assert clean_header_text(clean) == clean
    assert not {unicodedata.category(sign) for sign in clean} & {"Cc", "Cs", "Zl", "Zp"}
    assert "=?" not in clean


@given(st.text())
def test_encoded_text_is_ascii_and_reads_the_same(text: str) -> None:
    value = encode_header(text)

    assert value.isascii()
    assert value == clean_header_text(text) or all(len(line) <= 67 for line in value.split("\r\n"))
    assert str(make_header(decode_header(value.replace("\r\n", "")))) == clean_header_text(text)
    message = message_from_string(f"Subject: {value}\r\n\r\n", policy=policy.default)
    assert message.keys() == ["Subject"]


@for_each_case(
    ("text", "value"),
    [
        ("Digest <digest@example.org>", "Digest <digest@example.org>"),
        ("digest@example.org", "digest@example.org"),
        ('"Lab, Digest" <d@example.org>', '"Lab, Digest" <d@example.org>'),
        ('"' + "\\\\" * 400 + '" <d@example.org>', '"' + "\\\\" * 200 + '" <d@example.org>'),
        ("d@bücher.example", "d@xn--bcher-kva.example"),
        ("=?utf-8?b?QsO8Y2hlcg==?= <d@example.org>", "=?utf-8?q?B=C3=BCcher?=\r\n <d@example.org>"),
        ("=?utf-8?q?a=0d=0aBcc=3A_x=40y.z?= <d@example.org>", '"a Bcc: x@y.z" <d@example.org>'),
        ("=?nonsense?q?a?= <d@example.org>", "= ?nonsense?q?a? = <d@example.org>"),
        ("Bücher <d@bücher.example>", "=?utf-8?q?B=C3=BCcher?=\r\n <d@xn--bcher-kva.example>"),
    ],
)
def test_a_mailbox_keeps_its_name_and_gets_an_ascii_domain(text: str, value: str) -> None:
    assert format_mailbox(text) == value


@for_each_case(
    "address",
    [
        "",
        "me",
        "@example.org",
        "me@",
        "m e@example.org",
        "me@example.org\r\nBcc: x@y.z",
        "me@a,b@c",
        "mé@a.b",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(RenderError, match="is not a valid e-mail address"):
        encode_address(address)


def test_a_list_has_one_id_whatever_its_title() -> None:
    assert format_list_id("LLM systems", "LLM systems", "a.org") == '"LLM systems" <llm-systems.a.org>'
    assert format_list_id("", "x", "a.org") == "<x.a.org>"
    assert format_list_id("Bücher", "x", "a.org") == "=?utf-8?q?B=C3=BCcher?=\r\n <x.a.org>"
    assert format_list_id('a" <x@y>\r\nBcc: z\\', "…", "a.org") == r'"a\" <x@y> Bcc: z\\" <digest.a.org>'


@given(
    st.text(max_size=120)
    | st.lists(st.sampled_from(["ü", "\\", '"', "<a@b>", " ", "日本", "word", "=?"])).map("".join)
)
def test_a_list_is_named_by_a_phrase_that_programs_read(title: str) -> None:
    value = format_list_id(title, "x", "a.org")

    lines = f"List-Id: {value}".split("\r\n")
    assert all(line[:1] == " " and line.strip() for line in lines[1:])
    assert all(len(line) <= 78 or " " not in line[1:].strip() for line in lines[1:])
    phrase, _, identifier = value.replace("\r\n", "").rpartition("<")
    assert identifier == "x.a.org>"
    text = str(make_header(decode_header(phrase.strip())))
    assert (unquote(text) if text.isascii() else text) == clean_header_text(title)
