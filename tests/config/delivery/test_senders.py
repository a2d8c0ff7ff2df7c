"""Who a mail is from is one address that can be answered, or `digest check` says what to write."""

from __future__ import annotations

from email import policy
from email.headerregistry import UniqueAddressHeader
from email.utils import formataddr
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digest.config import read_settings
from digest.config.values import Sender, read_sender
from digest.errors import ConfigError
from digest.render.delivery.headers import clean_header_text, format_mailbox
from tests.support.cases import for_each_case

FILE = """\
[site]
contact = '{contact}'

[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "llm"
to = ['{to}']
schedule = "weekdays 07:30"
keywords = ["KV cache"]

[operator]
notify = ['{notify}']

[bounces]
address = '{bounces}'
mailbox = "maildir:back"

[{table}]
{host}
from = '{sender}'
"""
GOOD = {
    "contact": "ops@example.org",
    "to": "me@example.org",
    "notify": "ops@example.org",
    "bounces": "back@example.org",
    "sender": "Lab <lab@example.org>",
    "table": "smtp",
    "host": 'host = "smtp.example.org"',
}


def mistakes(folder: Path, **changed: str) -> str:
    """What is wrong with a file."""
    path = folder / "digest.toml"
    path.write_text(FILE.format(**GOOD | changed), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_settings(path, {})
    return str(caught.value)


@for_each_case(
    ("text", "sender"),
    [
        ("lab@example.org", Sender(name="", address="lab@example.org")),
        ("<lab@example.org>", Sender(name="", address="lab@example.org")),
        ("Lab digest <lab@example.org>", Sender(name="Lab digest", address="lab@example.org")),
        ("Dr. Lab's digest <lab@example.org>", Sender(name="Dr. Lab's digest", address="lab@example.org")),
        ('"Lab: digests" <lab@example.org>', Sender(name="Lab: digests", address="lab@example.org")),
        (r'"A \"B\", C" <lab@example.org>', Sender(name='A "B", C', address="lab@example.org")),
        (
            "Bücher (neu) <lab@bücher.example>",
            Sender(name="Bücher (neu)", address="lab@xn--bcher-kva.example"),
        ),
        ("lab@example.org (Lab)", Sender(name="Lab", address="lab@example.org")),
    ],
)
def test_a_sender_is_one_address_with_a_name_or_without(text: str, sender: Sender) -> None:
    assert read_sender(text) == sender


@for_each_case(
    ("text", "fix"),
    [
        ("Lab: digests <lab@example.org>", """write '"Lab: digests" <lab@example.org>'"""),
        ("Lab, digests <lab@example.org>", """write '"Lab, digests" <lab@example.org>'"""),
        ("Lab @ home <lab@example.org>", """write '"Lab @ home" <lab@example.org>'"""),
        ('"Lab <lab@example.org>', """write '"Lab" <lab@example.org>'"""),
        ("Bücher: neu <lab@example.org>", """write '"Bücher: neu" <lab@example.org>'"""),
        ("Lab: a@example.org, b@example.org;", "one address in angle brackets"),
        ("Lab: A <a@example.org>;", "one address in angle brackets"),
        ("a@example.org, b@example.org", "one address in angle brackets"),
        ("A <a@example.org>, B <b@example.org>", "one address in angle brackets"),
        ("A <a@example.org> <b@example.org>", "one address in angle brackets"),
        ("Lab <lab@example.org", "one address in angle brackets"),
        ("Lab lab@example.org>", "one address in angle brackets"),
        ("Lab lab@example.org", "one address in angle brackets"),
        ("Lab <lab@example.org> digests", "one address in angle brackets"),
        ("Lab <>", "one address in angle brackets"),
        ("mailto:lab@example.org", "one address in angle brackets"),
        ("", "one address in angle brackets"),
        ("Lab <lab>", "write it as name@example.org"),
        ("Lab <lab@>", "one address in angle brackets"),
        ("Lab <@example.org>", "one address in angle brackets"),
        ("Lab <lab@home@example.org>", "one address in angle brackets"),
    ],
)
def test_what_is_not_one_sender_is_refused_with_what_to_write(text: str, fix: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_sender(text)
    assert fix in str(caught.value)


@for_each_case(
    ("change", "place"),
    [
        ({"sender": "Lab: digests <lab@example.org>"}, "smtp.from"),
        ({"sender": "Lab: digests <lab@example.org>", "table": "sendmail", "host": ""}, "sendmail.from"),
        ({"contact": "Ops: <ops@example.org>"}, "site.contact"),
        ({"contact": "ops@example.org, me@example.org"}, "site.contact"),
        ({"to": "Me: <me@example.org>"}, "digest[0].to[0]"),
        ({"notify": "ops@example.org, me@example.org"}, "operator.notify[0]"),
        ({"bounces": "Lab: <back@example.org>"}, "bounces.address"),
    ],
)
def test_every_address_in_the_file_is_one_address(tmp_path: Path, change: dict[str, str], place: str) -> None:
    text = mistakes(tmp_path, **change)
    assert f"{place}: " in text
    assert "write" in text


@example("=?utf-8?q?a?=a@example.org")
@given(
    st.lists(
        st.sampled_from([*'"\\:;,@<>()[]. ', "Lab", "ü", "a@example.org", "<b@example.org>", "=?utf-8?q?a?="])
    ).map("".join)
    | st.text(max_size=30).map(lambda name: f"{name} <a@example.org>")
)
def test_what_is_taken_for_a_sender_is_one_mailbox_for_every_program(text: str) -> None:
    try:
        sender = read_sender(text)
    except ConfigError:
        return
    value = format_mailbox(formataddr((clean_header_text(sender.name), sender.address)))

    header = policy.default.header_factory("From", value.replace("\r\n", ""))
    assert isinstance(header, UniqueAddressHeader)
    assert [address.addr_spec for address in header.addresses] == [sender.address]
    assert [group.display_name for group in header.groups] == [None]
