"""A secret that somebody says back is shown to nobody, in whatever way it is written."""

from __future__ import annotations

import html
import json
import logging
import quopri
import re
import sys
import xml.sax.saxutils
from base64 import b64decode, b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Literal
from unicodedata import normalize
from urllib.parse import quote, quote_plus, unquote, unquote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.config import read_settings
from digest.config.file.secret_texts import collect_secrets
from digest.redaction import (
    MASK,
    filter_streams,
    forget_secrets,
    redact,
    redact_output,
    register_secrets,
    register_tokens,
    write_json,
)
from tests.support.cases import for_each_case

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SIGNS = st.text("aZ09/+=&<>'\"\\ %_-é\n", max_size=30)
LETTERS = st.text("abcdefXYZ0123456789", min_size=4, max_size=30)
SECRET = st.tuples(ANY_TEXT | SIGNS, LETTERS, SIGNS, LETTERS, ANY_TEXT | SIGNS).map("".join)
"""Secrets of enough letters and digits that no other text has them, and of all signs."""


# --- spellings ------------------------------------------------------------------------------------


def entities(secret: str, form: str) -> str:
    """A text in which each sign is an entity of HTML, such as ``&#39;``, ``&#x27;`` or ``&#X027;``."""
    return "".join(char if char.isalnum() and char.isascii() else form.format(ord(char)) for char in secret)


def escaped(secret: str) -> str:
    """A text in which each sign is escaped as JSON allows it."""
    return re.sub("[^A-Za-z0-9]", lambda match: "".join(escapes(match[0])), secret)


def escapes(char: str) -> Iterator[str]:
    units = char.encode("utf-16-be")
    for at in range(0, len(units), 2):
        yield f"\\u{int.from_bytes(units[at : at + 2]):04x}"


def lowered(percent_encoded: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), percent_encoded)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "percent-encoded": lambda text: quote(text, safe=""),
    "percent-encoded in lower case": lambda text: lowered(quote(text, safe="")),
    "percent-encoded but slashes": quote,
    "percent-encoded twice": lambda text: quote(quote(text, safe=""), safe=""),
    "form": quote_plus,
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON in UTF-8": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON with slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "JSON with all signs escaped": escaped,
    "JSON in JSON": lambda text: json.dumps(json.dumps(text))[3:-3],
    "Python": lambda text: repr(text)[1:-1],
    "bytes of Python": lambda text: repr(text.encode())[2:-1],
    "ASCII of Python": lambda text: ascii(text)[1:-1],
    "HTML": html.escape,
    "HTML without quotes": lambda text: html.escape(text, quote=False),
    "HTML twice": lambda text: html.escape(html.escape(text)),
    "decimal entities": lambda text: entities(text, "&#{};"),
    "hexadecimal entities": lambda text: entities(text, "&#x{:x};"),
    "long hexadecimal entities": lambda text: entities(text, "&#X{:06X};"),
    "XML": xml.sax.saxutils.quoteattr,
    "quoted-printable": lambda text: quopri.encodestring(text.encode(), quotetabs=True).decode(),
    "quoted-printable of a header": lambda text: quopri.encodestring(
        text.encode(), quotetabs=True, header=True
    ).decode(),
    "read as Latin-1": lambda text: text.encode().decode("latin-1"),
    "with other blanks": lambda text: re.sub(r"\s+", "\n  ", text),
}
"""All encodings in which hosts, mail servers and libraries write a text."""
BASE64: dict[str, Callable[[str], bytes]] = {
    "alone, as AUTH LOGIN has it": str.encode,
    "Basic": lambda text: f"somebody:{text}".encode(),
    "AUTH PLAIN": lambda text: f"\0me@example.org\0{text}".encode(),
    "AUTH PLAIN for another one": lambda text: f"a\0bc\0{text}".encode(),
    "XOAUTH2": lambda text: f"user=me\1auth=Bearer {text}\1\1".encode(),
}
"""What is sent in base64 at logins."""


def has_no_secret(text: str, secret: str) -> bool:
    """Whether nobody can read a secret of a text, by whatever way of decoding."""
    return secret not in text and all(
        secret not in decode(text) for decode in (unquote, html.unescape, unquote_plus)
    )


@given(
    secret=SECRET,
    spelling=st.sampled_from(sorted(SPELLINGS)),
    before=st.text(" (:'\n=%\\", max_size=3),
    behind=st.text(" ).,'\n", max_size=3),
)
@example(secret="00000000Å", spelling="read as Latin-1", before="", behind="")
@example(secret="0000à0000", spelling="read as Latin-1", before="", behind="")
@example(secret="00000000\x850", spelling="read as Latin-1", before="", behind="")
@example(secret="0000\xa0\u20030000", spelling="read as Latin-1", before="", behind="")
def test_a_secret_is_found_however_it_is_written(
    secret: str, spelling: str, before: str, behind: str
) -> None:
    forget_secrets()
    register_secrets([secret])
    text = SPELLINGS[spelling](secret.strip()).strip()
    told = redact(f"{before}<{text}>{behind}")

    assert text not in told
    assert has_no_secret(told, secret.strip())
    assert MASK in told


@given(secret=SECRET, login=st.sampled_from(sorted(BASE64)), before=st.binary(max_size=5))
def test_a_secret_is_found_in_the_base64_of_any_login(secret: str, login: str, before: bytes) -> None:
    forget_secrets()
    register_secrets([secret])
    sent = before + BASE64[login](secret.strip())
    text = b64encode(sent).decode()

    for form in (
        text,
        urlsafe_b64encode(sent).decode(),
        quote(text, safe=""),
        encodebytes(sent).decode(),
    ):
        told = redact(f"535 no such login: {form}.")
        assert MASK in told
        parts = re.findall("[A-Za-z0-9+/_-]{4,}", unquote(told))
        assert not any(secret.strip().encode() in decoded(part) for part in parts)


def decoded(text: str) -> bytes:
    """The octets of base64 that may begin or end anywhere."""
    return b"".join(
        b64decode(part[: len(part) // 4 * 4], altchars=b"-_" if {"-", "_"} & set(part) else None)
        for part in (text[at:] for at in range(4))
    )


@given(
    secrets=st.lists(SECRET, max_size=5),
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
)
def test_a_text_without_a_secret_stays_as_it_is(secrets: list[str], text: str) -> None:
    forget_secrets()
    register_secrets(secrets)
    readable = re.sub(r"[^\W_]+", lambda match: match[0][:3], text)  # no part is as long as that of a secret

    assert redact(readable) == readable


@for_each_case(
    "text",
    [
        'Line 12 of 345 cannot be read: "title": "A = B" &amp; \'C\' %20 \\u00e4 \u2026',
        "=\r\nlines that=\n are folded =C3=A4 =20\n",
        "https://example.org/feed?id=12345&name=a%20b#c",
        "A" * 200 + "\n" + "B" * 76 + "\r\n" + "C" * 76,
    ],
)
def test_encodings_themselves_are_no_secret(text: str) -> None:
    register_secrets(["hunter2-password", 'p"w&<12 34>', "correct horse battery staple", "päss wörd"])

    assert redact(text) == text


@given(first=SECRET, second=SECRET, shared=st.integers(1, 7))
def test_of_two_secrets_that_overlap_nothing_is_left(first: str, second: str, shared: int) -> None:
    forget_secrets()
    first, second = f"x{first.strip()}x1", f"{second.strip()}y2"
    second = first[-shared:] + second
    register_secrets([first, second])
    text = redact(f"<{first}{second[shared:]}>")

    assert text == "<…>"


def test_a_long_text_of_signs_that_begin_a_secret_takes_no_long_time() -> None:
    register_secrets(["\\\\ \\&x12345678", "  && %% x12345678", "\"'\\x12345678"])
    many = 20_000

    for sign in ("\\", " ", "&amp;", "%25", "=\n", "&#0", '"', "+", "_"):
        redact(f"{sign * many}x12345678"[:-1] + " 12345678 x12345678")


@pytest.mark.parametrize("secret", ["my river bank", "Bearer sk0123456789abc", "abcd efgh ijkl mnop"])
@pytest.mark.parametrize("blank", [" ", "\n", "\\ ", "+ ", "%20 "])
def test_blanks_in_a_row_behind_a_part_of_a_secret_take_no_long_time(secret: str, blank: str) -> None:
    register_secrets([secret])
    first, _, rest = secret.partition(" ")
    text = f"{rest} {first}{blank * 5_000}x {secret.replace(' ', blank)}"

    shown = redact(text)

    assert secret.replace(" ", blank) not in shown
    assert shown.startswith(f"{rest} {first}{blank}")


# --- words ----------------------------------------------------------------------------------------


def test_a_secret_of_letters_is_found_between_chinese_and_japanese() -> None:
    register_secrets(["abcdefghijklmnop", "12345678901"])

    assert "abcdefghijklmnop" not in redact("授权码abcdefghijklmnop错误")
    assert "12345678901" not in redact("パスワード12345678901は無効")
    assert redact("xabcdefghijklmnop") == "xabcdefghijklmnop"


@for_each_case(
    ("secret", "text", "told", "printed"),
    [
        ("hunter2", "535 no hunter2", "535 no …", "535 no …"),
        ("hunter2", "535 hunter22", "535 hunter22", "535 hunter22"),
        ("digest", "the digest of digests", "the … of digests", "the digest of digests"),
        ("2026", "in 2026", "in …", "in 2026"),
        ("correcthorsebattery", "<correcthorsebattery>", "<…>", "<…>"),
        ("abc", "abc", "abc", "abc"),
        ("s3cret-word", "xs3cret-wordx", "x…x", "x…x"),
    ],
)
def test_what_is_a_word_is_looked_for_as_a_word_and_our_own_output_keeps_common_ones(
    secret: str, text: str, told: str, printed: str
) -> None:
    forget_secrets()
    register_secrets([secret])

    assert (redact(text), redact_output(text)) == (told, printed)


def test_of_two_secrets_that_begin_alike_nothing_is_left() -> None:
    register_secrets(["s3cret-word", "s3cret-word-and-more"])

    assert redact("it is s3cret-word-and-more") == "it is …"


def test_the_last_tokens_are_remembered_and_what_is_configured_always() -> None:
    register_secrets(["hunter2-password"])
    for number in range(110):
        register_tokens([f"token-{number:05}"])

    assert redact("hunter2-password token-00109 token-00000") == "… … token-00000"


def test_what_is_printed_or_logged_while_a_command_runs_goes_through_the_filter() -> None:
    register_secrets(["s3cret-word"])
    with (
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as err,
        filter_streams(redact_output),
    ):
        sys.stdout.write("it is s3cret-word\n")
        handler = logging.StreamHandler()
        handler.handle(logging.makeLogRecord({"msg": "no %s", "args": ("s3cret-word",)}))

    assert out.getvalue() == "it is …\n"
    assert err.getvalue() == "no …\n"


CONFIG = """
[store]
url = "postgresql+psycopg://digest:store-pass-1@db/digest"
[smtp]
host = "mail.example.org"
username = "me"
password = "smtp-pass-1"
from = "me@example.org"
[[smtp.relay]]
host = "other.example.org"
username = "me"
password = "relay-pass-1"
[bounces]
address = "bounces@example.org"
mailbox = "imaps://imap.example.org/INBOX"
username = "me"
password = "imap-pass-1"
[[source]]
use = "feed"
url = "https://example.org/feed?token=feed-token-1&journal=7"
mirrors = ["https://example.org/other?token=list-token-1"]
[[digest]]
name = "all"
schedule = "daily 07:30"
keywords = ["serving"]
to = ["slack://T0KEN1A2B/B0KEN1A2B/x0KEN1A2Bx0KEN1A2B",
      { webhook = "https://hook.example.org/in", secret = "0123456789abcdef0123456789 fedcba9876543210fedcba9876" }]
"""


@dataclass(frozen=True, kw_only=True)
class Login:
    """What a plug-in may keep together."""

    username: str = "somebody"
    password: str = field(default="nested-pass-1", repr=False)


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """Made of a table whose options are hidden or not."""

    key: str = field(default="plugin-key-1", repr=False)
    keys: tuple[str, ...] = field(default=("tuple-key-1", "tuple-key-2"), repr=False)
    headers: Mapping[str, object] = field(default_factory=lambda: {"X-Key": ["mapped-key-1"]}, repr=False)
    raw: bytes = field(default=b"bytes-key-1", repr=False)
    login: Login = Login()
    logins: Mapping[str, Login] = field(default_factory=lambda: {"a": Login(password="mapped-pass-1")})
    hidden: Login = field(default=Login(username="hidden-user-1", password="hidden-pass-1"), repr=False)
    passphrase: str = field(default="correct horse battery staple", repr=False)
    names: tuple[str, ...] = ("plain-name-1",)
    url: str = "https://api.example.org"
    state: dict[str, str] = field(default_factory=lambda: {"last": "stored-1"}, init=False, repr=False)


def test_all_that_a_configuration_hides_is_a_secret_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "digest.toml").write_text(CONFIG)
    register_secrets(collect_secrets(read_settings(tmp_path / "digest.toml", {}), Plugin()))

    secrets = ["store-pass-1", "smtp-pass-1", "relay-pass-1", "imap-pass-1", "feed-token-1", "list-token-1"]
    secrets += ["x0KEN1A2Bx0KEN1A2B", "0123456789abcdef0123456789", "fedcba9876543210fedcba9876"]
    secrets += ["plugin-key-1", "tuple-key-1", "tuple-key-2", "mapped-key-1", "bytes-key-1", "nested-pass-1"]
    secrets += ["mapped-pass-1", "hidden-user-1", "hidden-pass-1", "correct horse battery staple"]
    secrets += [b64encode(login).decode() for login in (b"\0me\0smtp-pass-1", b"me:smtp-pass-1")]
    assert [secret for secret in secrets if secret.rstrip("=") in redact(f"no {secret}")] == []
    plain = "digest me mail.example.org me@example.org https://example.org/feed journal=7 all serving hook.example.org"
    plain += " a correct horse has a battery and a staple, plain-name-1 stored-1 somebody"
    assert redact(plain) == plain


@for_each_case(
    ("url", "secrets", "public"),
    [
        ("slack://T0KEN1A2B/B0KEN1A2B/x0KEN1A2Bx0KEN1A2B", ["T0KEN1A2B", "x0KEN1A2Bx0KEN1A2B"], []),
        (
            "json://me:p%40ss1@mail2024.example.org:8080/in",
            ["p@ss1", "p%40ss1"],
            ["mail2024.example.org", "8080"],
        ),
        ("ntfys://ntfy2.example.org/my-topic", ["ntfy2.example.org/my-topic"], ["ntfy2.example.org"]),
        ("pover://u5er5u5er5@t0ken1t0ken1/device", ["u5er5u5er5", "t0ken1t0ken1"], ["device"]),
        (
            "mailgun://me@mg1.example.org/k3yk3yk3y/someone12@example.org",
            ["k3yk3yk3y"],
            ["someone12@example.org"],
        ),
        (
            "twilio://AC12345678:t0ken-t0ken@15551234567?to=someone12%40example.org",
            ["t0ken-t0ken"],
            ["someone12@example.org"],
        ),
        ("json://mail2024.example.org", [], ["mail2024.example.org"]),
        ("json://localhost/", [], ["localhost"]),
        ("tgram://123456789:AbCdEf1.gHiJkLmNoP/12315544/", ["AbCdEf1.gHiJkLmNoP"], []),
    ],
)
def test_the_keys_in_the_address_of_a_chat_are_secret_and_its_hosts_and_mailboxes_are_not(
    url: str, secrets: list[str], public: list[str], tmp_path: Path
) -> None:
    forget_secrets()
    text = CONFIG.replace("slack://T0KEN1A2B/B0KEN1A2B/x0KEN1A2Bx0KEN1A2B", url)
    (tmp_path / "digest.toml").write_text(text)
    register_secrets(collect_secrets(read_settings(tmp_path / "digest.toml", {})))

    assert [secret for secret in secrets if secret in redact(f"no {secret}, {secret}")] == []
    assert [text for text in public if redact(f"at {text}.") != f"at {text}."] == []


@for_each_case(
    ("query", "secrets"),
    [("?password=query-pass-1", ["query-pass-1"]), ("?sslpassword=key-pass-1&options=-c", ["key-pass-1"])],
)
def test_a_password_in_the_query_of_a_databases_address_is_secret(
    query: str, secrets: list[str], tmp_path: Path
) -> None:
    forget_secrets()
    text = CONFIG.replace("digest:store-pass-1@db/digest", f"reader@db.example.org/papers{query}")
    (tmp_path / "digest.toml").write_text(text)
    register_secrets(collect_secrets(read_settings(tmp_path / "digest.toml", {})))

    assert [secret for secret in secrets if secret in redact(f"no {secret}")] == []
    assert redact("reader at db.example.org reads papers") == "reader at db.example.org reads papers"


@for_each_case("form", ["NFC", "NFD"])
@for_each_case("literal", ["NFC", "NFD"])
def test_an_accent_hides_no_secret_in_whichever_form_of_unicode_it_is_said_back(
    form: Literal["NFC", "NFD"], literal: Literal["NFC", "NFD"]
) -> None:
    register_secrets([normalize(form, "schlüssel-für-é")])
    answer = normalize(literal, "no schlüssel-für-é")

    assert redact(answer) == "no …"
    assert redact(f"no {quote(answer[3:])}") == "no …"


# --- documents ------------------------------------------------------------------------------------


def test_a_number_that_happens_to_be_a_secret_stays_in_a_document_and_is_masked_in_its_texts() -> None:
    register_secrets(["20260612"])
    veiled = partial(re.compile("Ada").sub, "somebody")
    with (
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()),
        filter_streams(redact_output),
        filter_streams(veiled),
    ):
        write_json(sys.stdout, {"count": 20260612, "error": "Ada: no 20260612", "all": [("20260612", 1.5)]})

    assert json.loads(out.getvalue()) == {"count": 20260612, "error": "somebody: no …", "all": [["…", 1.5]]}


def test_lines_that_are_written_together_are_filtered_too() -> None:
    register_secrets(["s3cret-word"])
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()), filter_streams(redact_output):
        sys.stdout.writelines(["it is\n", "s3cret-word\n"])

    assert out.getvalue() == "it is\n…\n"
