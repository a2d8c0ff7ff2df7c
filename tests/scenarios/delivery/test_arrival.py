"""Mail that arrives: signed, with a way out, and an edition that did not arrive is named by the next mail."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

import dkim
import pytest

from digest.core.delivery.dns.dkim_keys import read_key
from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.support.rsa_keys import encode_pem, make_rsa_key
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("no_retries")
FRIDAY = date(2026, 5, 8)
THURSDAY, WEDNESDAY = FRIDAY - timedelta(1), FRIDAY - timedelta(2)
SITE = '[site]\n    url = "https://digest.example.org"\n    contact = "ops@example.org"'
MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"

[dkim]
selector = "lab"
key_file = "key.pem"
"""


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher, mail_server: MailServer) -> Workspace:
    (tmp_path / "key.pem").write_text(encode_pem(make_rsa_key()))
    (tmp_path / "key.pem").chmod(0o600)
    workspace = Workspace(tmp_path)
    text = make_config(publisher.url, to='"me@example.org"').replace("[site]", SITE, 1)
    workspace.write(text + MAIL.format(port=mail_server.port))
    return workspace


def run(workspace: Workspace, publisher: Publisher, day: date, *, status: int = 0) -> None:
    publisher.day = day
    workspace.run("run", now=datetime.combine(day, time(7, 31), ZoneInfo("Europe/Berlin")), status=status)


def last(server: MailServer) -> EmailMessage:
    return message_from_bytes(server.received[-1].content, policy=policy.default)


def texts(mail: EmailMessage) -> tuple[str, str]:
    text, html = (part.get_content() for part in mail.iter_parts())
    return " ".join(text.split()), html


def test_what_goes_over_the_wire_is_signed_for_one_click_too(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    run(workspace, publisher, FRIDAY)

    key = read_key("lab", encode_pem(make_rsa_key()))
    (received,) = mail_server.received
    assert dkim.verify(
        received.content,
        dnsfunc=lambda name, **_: {f"{key.make_record_name('example.org')}.".encode(): key.record.encode()}[
            name
        ],
    )
    mail = last(mail_server)
    assert mail["List-Unsubscribe"].startswith("<https://digest.example.org/unsubscribe/")
    named = "".join(str(mail["DKIM-Signature"]).split())
    assert "list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post:" in named


def test_a_test_mail_is_signed(workspace: Workspace, publisher: Publisher, mail_server: MailServer) -> None:
    run(workspace, publisher, FRIDAY)

    workspace.run("preview", "systems", "--to", "you@example.org")

    assert last(mail_server)["Subject"].startswith("[test]")
    assert last(mail_server)["DKIM-Signature"]


def test_an_edition_that_was_refused_is_named_and_linked_to_once(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    mail_server.refusals["me@example.org"] = "550 5.7.1 we do not know you yet"
    run(workspace, publisher, WEDNESDAY, status=1)
    assert mail_server.received == []

    del mail_server.refusals["me@example.org"]
    run(workspace, publisher, THURSDAY)
    text, html = texts(last(mail_server))
    run(workspace, publisher, FRIDAY)
    later, _ = texts(last(mail_server))

    message = "Your edition of Wednesday 6 May could not be delivered."
    assert f"! {message} Read it here: https://digest.example.org/editions/" in text
    assert message in html
    assert ">Read it here</a>" in html
    assert "could not be delivered" not in later
    link = text.partition("Read it here: ")[2].split()[0]
    assert f'href="{link}"' in html
    assert link not in later


def test_what_came_out_while_the_address_was_suppressed_is_named_in_one_sentence(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    mail_server.refusals["me@example.org"] = "550 5.1.1 no such user"
    run(workspace, publisher, WEDNESDAY, status=1)
    del mail_server.refusals["me@example.org"]
    run(workspace, publisher, THURSDAY)
    assert mail_server.received == []

    workspace.run("subscribers", "resume", "me@example.org", "--yes")
    run(workspace, publisher, FRIDAY)

    text, html = texts(last(mail_server))
    assert "! 2 of your editions could not be delivered; read them here: Wednesday 6 May: https://" in text
    assert " Thursday 7 May: https://" in text
    assert html.count(">Wednesday 6 May</a>, <a ") == 1


def test_it_stays_in_the_feed(workspace: Workspace, publisher: Publisher, mail_server: MailServer) -> None:
    mail_server.refusals["me@example.org"] = "550 5.7.1 we do not know you yet"

    run(workspace, publisher, FRIDAY, status=1)

    assert "mixture of experts" in workspace.get_output_path("feeds/systems.atom").read_text()
