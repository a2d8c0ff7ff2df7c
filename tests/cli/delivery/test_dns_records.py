"""What `digest check` says of DNS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from digest.cli import cli
from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.fakes.name_server import NameServer
from tests.support.workspace import Workspace, make_config

SMTP = """
[smtp]
host = "127.0.0.1"
port = {}
security = "none"
from = "digest@lab.example.org"

[dkim]
selector = "digest"
key_file = "key.pem"
domain = "example.org"
"""


def workspace(folder: Path, publisher: Publisher, server: MailServer) -> tuple[Workspace, str]:
    """A configuration that signs, and its record."""
    workspace = Workspace(folder)
    file = str(folder / "key.pem")
    result = CliRunner().invoke(
        cli, ["dkim-key", "example.org", "--kind", "ed25519", "--file", file, "--json"]
    )
    workspace.write(make_config(publisher.url, to='"me@example.org"') + SMTP.format(server.port))
    return workspace, json.loads(result.output)["value"]


def about_dns(entries: list[dict[str, Any]]) -> dict[str, tuple[bool | None, str]]:
    results = {entry["what"]: (entry["ok"], entry["said"]) for entry in entries}
    return {value: messages for value, messages in results.items() if value.startswith("DNS")}


def test_what_is_wrong_in_dns_is_wrong(tmp_path: Path, publisher: Publisher, mail_server: MailServer) -> None:
    lab, record = workspace(tmp_path, publisher, mail_server)

    with NameServer({"example.org MX": ["10 mx.example.org."]}) as server:
        messages = about_dns(lab.run("check", "--resolver", server.address, "--json", status=1).json)

    ok, text = messages["DNS: DKIM digest._domainkey.example.org"]
    assert not ok
    assert text.endswith(f'add digest._domainkey.example.org. TXT "{record}"')
    assert {subject for subject, (ok, _) in messages.items() if ok is not False} == {
        "DNS: reverse name of 127.0.0.1"
    }


def test_what_is_right_in_dns_is_right(tmp_path: Path, publisher: Publisher, mail_server: MailServer) -> None:
    lab, record = workspace(tmp_path, publisher, mail_server)
    table = {
        "lab.example.org TXT": ['"v=spf1 ip4:203.0.113.7 -all"'],
        "lab.example.org MX": ["10 mx.example.org."],
        "mx.example.org A": ["203.0.113.7"],
        "_dmarc.example.org TXT": ['"v=DMARC1; p=none"'],
        "digest._domainkey.example.org TXT": [f'"{record}"'],
    }

    with NameServer(table) as server:
        messages = about_dns(lab.run("check", "--resolver", server.address, "--json").json)

    assert len(messages) == 5
    assert [subject for subject, (ok, _) in messages.items() if ok is not True] == [
        "DNS: reverse name of 127.0.0.1"
    ]


def test_names_of_examples_are_not_looked_up(
    tmp_path: Path, publisher: Publisher, mail_server: MailServer
) -> None:
    lab, _ = workspace(tmp_path, publisher, mail_server)

    messages = about_dns(lab.run("check", "--json").json)

    assert [(subject, ok) for subject, (ok, _) in messages.items()] == [("DNS", None)]


def test_what_is_not_known_is_neither_right_nor_wrong(
    tmp_path: Path, publisher: Publisher, mail_server: MailServer
) -> None:
    lab, _ = workspace(tmp_path, publisher, mail_server)

    output = lab.run("check", status=0).output

    assert "DNS: not known: lab.example.org is an example domain" in output


def test_a_name_server_that_is_none_is_told_before_anything_is_tried(tmp_path: Path) -> None:
    assert "is not a name server" in Workspace(tmp_path).run("check", "--resolver", "x", status=2).output
