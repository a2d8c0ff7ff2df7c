"""Every kind of mail arrives as it was sent, with signatures that others find good, and is no spam."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from digest.channels.smtp import Channel
from digest.core.sending.dkim_keys import DkimKey
from digest.model import Sent
from tests.system.mails import dns_cache, every_mail, keys
from tests.system.postfix import Postfix
from tests.system.programs import demand

pytestmark = pytest.mark.system

MOST_SPAM = 0.5
"""SpamAssassin calls spam what has 5."""
SIGNING = keys()
MAILS = every_mail(SIGNING)


@pytest.fixture(scope="module")
def arrived(postfix: Postfix, authority_file: Path) -> Mapping[str, bytes]:
    """What a Postfix delivered, by what it is; without what servers put before it, line ends as they were sent."""
    channel = Channel(host="127.0.0.1", port=postfix.port, security="starttls", ca_file=str(authority_file))
    receipts = [receipt for _, receipt in channel.deliver(list(MAILS.values()))]
    channel.close()
    assert {type(one) for one in receipts} == {Sent}, receipts
    by_number = {one.message_id: name for name, one in MAILS.items()}
    found = {}
    for delivered in postfix.delivered(len(MAILS)):
        number = str(message_from_bytes(delivered)["Message-ID"])
        if number in by_number:
            begin = delivered.index(b"DKIM-Signature: ")
            found[by_number[number]] = delivered[begin:].replace(b"\n", b"\r\n")
    return found


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_arrives_byte_by_byte_as_it_was_sent(name: str, arrived: Mapping[str, bytes]) -> None:
    assert arrived[name] == MAILS[name].content


@pytest.mark.parametrize("name", MAILS)
def test_another_program_finds_both_signatures_good(
    name: str, arrived: Mapping[str, bytes], tmp_path: Path
) -> None:
    report = judged(arrived[name], tmp_path, SIGNING)

    results = report["dkim"]["results"]
    assert [(one["algo"], one["status"]["result"]) for one in results] == [
        ("rsa-sha256", "pass"),
        ("ed25519-sha256", "pass"),
    ]
    there = set(message_from_bytes(MAILS[name].content).keys()) - {"DKIM-Signature"}
    for one in results:
        assert set(one["signingHeaders"]["keys"].split(": ")) == there
        assert one["canonBodyLengthLimited"] is False
    assert report["dmarc"]["status"]["result"] == "pass"
    assert report["dmarc"]["alignment"]["dkim"]["result"] == "example.org"


def judged(content: bytes, folder: Path, signing: tuple[DkimKey, ...]) -> Any:
    """What mailauth says of a message; its DNS is a file."""
    cache = dns_cache(folder, signing)
    command = [demand("mailauth"), "report", "-o", "-n", str(cache), "-i", "192.0.2.10"]
    given = ["-f", "digest@example.org", "-e", "mail.example.org", "-m", "mx.example.net"]
    done = subprocess.run([*command, *given], input=content, capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_editions_with_a_site_have_one_click_and_it_is_signed() -> None:
    for name in ("short", "fast", "alert", "empty", "hostile 60"):
        tags = str(message_from_bytes(MAILS[name].content)["DKIM-Signature"]).replace("\r\n", "")
        named = re.sub(r"\s", "", tags).partition("h=")[2].partition(";")[0].split(":")

        assert {"list-unsubscribe", "list-unsubscribe-post"} <= set(named)


@pytest.mark.parametrize("name", MAILS)
def test_spamassassin_finds_nothing_bad(name: str) -> None:
    report = subprocess.run(
        [demand("spamassassin"), "--local", "--nocreate-prefs", "--test-mode"],
        input=MAILS[name].content,
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout.decode("utf-8", "replace")

    score = re.search(r"^X-Spam-Status: .*?score=(-?[\d.]+)", report, re.MULTILINE)
    assert score, report
    assert float(score[1]) <= MOST_SPAM, report


def test_harm_in_every_text_makes_no_header_more() -> None:
    usual = message_from_bytes(MAILS["short"].content).keys()

    for name in (name for name in MAILS if name.startswith("hostile")):
        assert message_from_bytes(MAILS[name].content).keys() == usual
