"""Every kind of mail arrives as it was sent, with signatures that others find good, and is no spam."""

from __future__ import annotations

import json
import re
import subprocess
from base64 import b64encode
from collections.abc import Mapping
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from digest.channels.smtp import Channel
from digest.core.delivery.dns.dkim_keys import DkimKey
from digest.model import Mail, Sent
from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_file, require_program
from tests.system.programs.postfix import Postfix
from tests.system.programs.spam import MOST_SPAM, compute_spam_scores
from tests.system.samples.mails import make_dns_cache, make_keys, make_mail_with_epub, make_mails

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def signing() -> tuple[DkimKey, ...]:
    return make_keys()


@pytest.fixture(scope="module")
def mails(signing: tuple[DkimKey, ...]) -> Mapping[str, Mail]:
    """Every kind of mail, by what it is."""
    return make_mails(signing) | {"with an EPUB": make_mail_with_epub(signing)}


@pytest.fixture(scope="module")
def delivered_mails(mails: Mapping[str, Mail], postfix: Postfix, authority_file: Path) -> Mapping[str, bytes]:
    """What a Postfix delivered, by what it is; without what servers put before it, line ends as they were sent."""
    channel = Channel(host="127.0.0.1", port=postfix.port, security="starttls", ca_file=str(authority_file))
    receipts = [receipt for _, receipt in channel.deliver(list(mails.values()))]
    channel.close()
    assert {type(receipt) for receipt in receipts} == {Sent}, receipts
    by_number = {mail.message_id: name for name, mail in mails.items()}
    results = {}
    for delivered in postfix.delivered(len(mails)):
        number = str(message_from_bytes(delivered)["Message-ID"])
        if number in by_number:
            begin = delivered.index(b"DKIM-Signature: ")
            results[by_number[number]] = delivered[begin:].replace(b"\n", b"\r\n")
    return results


def test_a_mail_arrives_byte_by_byte_as_it_was_sent(
    mails: Mapping[str, Mail], delivered_mails: Mapping[str, bytes]
) -> None:
    assert delivered_mails.keys() == mails.keys()
    for name, mail in mails.items():
        assert delivered_mails[name] == mail.content, name


def test_another_program_finds_both_signatures_good(
    mails: Mapping[str, Mail],
    delivered_mails: Mapping[str, bytes],
    signing: tuple[DkimKey, ...],
    tmp_path: Path,
) -> None:
    reports = judged(delivered_mails, make_dns_cache(tmp_path, signing))

    assert reports.keys() == mails.keys()
    for name, report in reports.items():
        results = report["dkim"]["results"]
        assert [(name, result["algo"], result["status"]["result"]) for result in results] == [
            (name, "rsa-sha256", "pass"),
            (name, "ed25519-sha256", "pass"),
        ]
        there = set(message_from_bytes(mails[name].content).keys()) - {"DKIM-Signature"}
        for result in results:
            assert set(result["signingHeaders"]["keys"].split(": ")) == there
            assert result["canonBodyLengthLimited"] is False
        assert report["dmarc"]["status"]["result"] == "pass"
        assert report["dmarc"]["alignment"]["dkim"]["result"] == "example.org"


_JUDGE = """
const [library, cache] = process.argv.slice(1);
const {authenticate} = require(library), fs = require("node:fs");
const records = JSON.parse(fs.readFileSync(cache)), mails = JSON.parse(fs.readFileSync(0));
const resolver = async (name, kind) => {
  if (records[name]?.[kind]) return records[name][kind];
  throw Object.assign(new Error("no such name"), {code: "ENOTFOUND"});
};
const way = {ip: "192.0.2.10", sender: "digest@example.org", helo: "mail.example.org", mta: "mx.example.net"};
const judge = async ([name, mail]) => [name, await authenticate(Buffer.from(mail, "base64"), {...way, resolver})];
Promise.all(Object.entries(mails).map(judge)).then(all => console.log(JSON.stringify(Object.fromEntries(all))));
"""


def judged(contents: Mapping[str, bytes], cache: Path) -> dict[str, Any]:
    """What mailauth says of messages, by their names; its DNS is a file."""
    text = json.dumps({name: b64encode(content).decode() for name, content in contents.items()})
    library = require_file("mailauth/lib/mailauth.js")
    command = [require_program("node"), "-e", _JUDGE, str(library), str(cache)]
    process = subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=PATIENCE)
    results: dict[str, Any] = json.loads(process.stdout)
    return results


def test_editions_with_a_site_have_one_click_and_it_is_signed(mails: Mapping[str, Mail]) -> None:
    for name in ("short", "fast", "alert", "empty", "hostile 60"):
        tags = str(message_from_bytes(mails[name].content)["DKIM-Signature"]).replace("\r\n", "")
        named = re.sub(r"\s", "", tags).partition("h=")[2].partition(";")[0].split(":")

        assert {"list-unsubscribe", "list-unsubscribe-post"} <= set(named)


def test_spamassassin_finds_nothing_bad(mails: Mapping[str, Mail]) -> None:
    spam_scores = compute_spam_scores({name: mail.content for name, mail in mails.items()})

    assert spam_scores.keys() == mails.keys()
    assert {name: score for name, score in spam_scores.items() if score > MOST_SPAM} == {}


def test_harm_in_every_text_makes_no_header_more(mails: Mapping[str, Mail]) -> None:
    usual = message_from_bytes(mails["short"].content).keys()

    for name in (name for name in mails if name.startswith("hostile")):
        assert message_from_bytes(mails[name].content).keys() == usual
