"""A secret that somebody says back is shown to nobody, in whatever way it is written."""

from __future__ import annotations

import html
import json
import logging
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.config import read_settings
from digest.config.secret_texts import secrets_of
from digest.redaction import (
    filtered_streams,
    forget_secrets,
    redact,
    redact_output,
    register_secrets,
    register_tokens,
)
from tests.tables import for_each_case

WRITTEN = st.text(st.characters(exclude_categories=["Cs"]), min_size=8, max_size=40)


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    forget_secrets()
    yield
    forget_secrets()


@given(
    secret=WRITTEN.filter(lambda text: len(text.strip()) >= 8 and not text.isalpha()),
    before=st.text(" (:'", max_size=3),
    behind=st.text(" ).,'", max_size=3),
)
def test_a_secret_is_found_however_it_is_written(secret: str, before: str, behind: str) -> None:
    forget_secrets()
    register_secrets([secret])
    forms = {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
        html.escape(secret),
        b64encode(secret.encode()).decode(),
    }
    for form in forms:
        assert form.rstrip("=") not in redact(f"{before}{form}{behind}")


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
        filtered_streams(redact_output),
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
[[digest]]
name = "all"
schedule = "daily 07:30"
keywords = ["serving"]
to = ["slack://T0KEN1A2B/B0KEN1A2B/x0KEN1A2Bx0KEN1A2B",
      { webhook = "https://hook.example.org/in", secret = "0123456789abcdef0123456789 fedcba9876543210fedcba9876" }]
"""


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """Made of a table whose options are hidden or not."""

    key: str = field(default="plugin-key-1", repr=False)
    url: str = "https://api.example.org"


def test_all_that_a_configuration_hides_is_a_secret_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "digest.toml").write_text(CONFIG)
    found = secrets_of(read_settings(tmp_path / "digest.toml", {}), Plugin())
    register_secrets(found)

    secrets = ["store-pass-1", "smtp-pass-1", "relay-pass-1", "imap-pass-1", "feed-token-1", "plugin-key-1"]
    secrets += ["x0KEN1A2Bx0KEN1A2B", "0123456789abcdef0123456789", "fedcba9876543210fedcba9876"]
    secrets += [b64encode(b"\0me\0smtp-pass-1").decode()]
    assert [secret for secret in secrets if secret.rstrip("=") in redact(f"no {secret}")] == []
    plain = "digest me mail.example.org me@example.org https://example.org/feed journal=7 all serving hook.example.org"
    assert redact(plain) == plain
