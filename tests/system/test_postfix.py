"""A real mail server takes our mail and delivers it unchanged."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from digest.channels.smtp import Channel
from digest.model import Mail, Refused, Sent
from tests.system.programs.postfix import DOMAIN, Postfix

pytestmark = pytest.mark.system


def make_mail(number: int, text: str, recipient: str = f"reader@{DOMAIN}") -> Mail:
    """A mail that has all the headers a server would otherwise add."""
    message = EmailMessage(policy=SMTP.clone(cte_type="8bit"))
    message["From"] = "Digest <digest@example.net>"
    message["To"] = f"reader@{DOMAIN}"
    message["Subject"] = "8 May: Kostić, Köstler and 12 more"
    message["Date"] = "Fri, 08 May 2026 05:30:00 +0000"
    message["Message-ID"] = f"<{number}@example.net>"
    message["List-Id"] = "LLM systems <llm-systems.example.net>"
    message.set_content(text, cte="8bit")
    return Mail(
        delivery=number,
        sender="digest@example.net",
        recipient=recipient,
        message_id=f"<{number}@example.net>",
        content=message.as_bytes(),
    )


def get_sent_part(delivered: bytes) -> bytes:
    """A delivered message without the lines that the servers on its way put before it (RFC 5321, section 4.4)."""
    return delivered[delivered.index(b"From: Digest") :]


def test_postfix_delivers_each_mail_of_a_pack_unchanged(postfix: Postfix, authority_file: Path) -> None:
    channel = Channel(host="127.0.0.1", port=postfix.port, security="starttls", ca_file=str(authority_file))
    mails = [
        make_mail(1, "Kostić · Köstler\n"),
        make_mail(2, ".\n..\nFrom the start of a line\n" + "x" * 990 + "\n.\n"),
        make_mail(3, "no more\n\n\n"),
    ]
    nobody = make_mail(4, "to no reader\n", f"nobody@{DOMAIN}")

    receipts = [receipt for _, receipt in channel.deliver([mails[0], nobody, nobody, *mails[1:], nobody])]
    channel.close()

    assert [type(receipt) for receipt in receipts] == [Sent, Refused, Refused, Sent, Sent, Refused], receipts
    assert receipts[1] == Refused(
        answer=f"550 5.1.1 <nobody@{DOMAIN}>: Recipient address rejected: no such user"
    )
    arrived = {get_sent_part(delivered) for delivered in postfix.delivered(3)}
    ours = [mail.message_id.encode() for mail in (*mails, nobody)]
    assert {content for content in arrived if any(number in content for number in ours)} == {
        expected.content.replace(b"\r\n", b"\n") for expected in mails
    }
