"""Notices to the operator, in each form of message: a mail, files, a chat or a document."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from digest.core.delivery.notice_lines import group_troubles
from digest.model import FileSet, Mail, Message, MessageForm
from digest.render.branding import Branding
from digest.render.delivery import document
from digest.render.delivery.chat import make_chat_notice
from digest.render.delivery.mail import MailEnvelope, get_sender, make_single_mail

_HTML = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body>
<main>
{paragraphs}</main>
</body>
</html>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotice:
    """The content of one message to the operator.

    Attributes:
        lines: sentences by the name of their subject.
        created_at: when it was made, UTC.
        is_summary: whether it is only a summary of the status.
    """

    lines: Mapping[str, str]
    created_at: datetime
    is_summary: bool = False

    @property
    def number(self) -> str:
        """An idempotency key: the same for the same notice at each attempt."""
        return hashlib.sha256(repr((sorted(self.lines), self.created_at)).encode()).hexdigest()[:32]


def make_notice(
    notice: OperatorNotice, branding: Branding, output_format: MessageForm, address: str
) -> Message:
    """Make a message to the operator.

    Args:
        notice: the content.
        branding: the branding of the site.
        output_format: the form of the message.
        address: the public address of the destination.

    Raises:
        RenderError: an address is invalid.
    """
    factories: dict[MessageForm, Callable[[], Message]] = {
        MessageForm.MAIL: lambda: _make_mail(notice, branding, address, address),
        MessageForm.STORED_MAIL: lambda: _make_mail(notice, branding, get_sender(branding), address),
        MessageForm.FILES: lambda: _make_files(notice, branding, address),
        MessageForm.CHAT: lambda: make_chat_notice(
            make_title(notice, branding), tuple(_list_sentences(notice)), address=address
        ),
        MessageForm.JSON: lambda: document.make_notice_document(
            notice.lines,
            title=make_title(notice, branding),
            address=address,
            number=notice.number,
            created_at=notice.created_at,
        ),
    }
    return factories[output_format]()


def make_title(notice: OperatorNotice, branding: Branding) -> str:
    """Return the title of a notice: ``Systems lab digest: 2 problems``."""
    if notice.is_summary:
        return f"{branding.title}: status"
    count = len(notice.lines)
    return f"{branding.title}: {'a problem' if count == 1 else f'{count} problems'}"


def _list_sentences(notice: OperatorNotice) -> Sequence[str]:
    """Return the lines for people, in which similar problems share a line; programs get each of them."""
    return [line for group in group_troubles(notice.lines) for line in group.text.split("\n")]


def _make_mail(notice: OperatorNotice, branding: Branding, to: str, recipient: str) -> Mail:
    """Make a mail, which is of no list to leave: only the configuration decides who gets notices."""
    title, lines = make_title(notice, branding), _list_sentences(notice)
    paragraphs = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    envelope = MailEnvelope(recipient=recipient, to=to, number=notice.number, created_at=notice.created_at)
    text, html = "\n\n".join(lines) + "\n", _HTML.format(title=escape(title), paragraphs=paragraphs)
    return make_single_mail(envelope, branding, subject=title, text=text, html=html)


def _make_files(notice: OperatorNotice, branding: Branding, folder: str) -> FileSet:
    name = f"{notice.created_at.astimezone(UTC):%Y-%m-%dT%H%M%S}-{notice.number[:8]}.txt"
    text = "\n\n".join((make_title(notice, branding), *_list_sentences(notice)))
    return FileSet(delivery=0, folder=folder, files=((name, f"{text}\n".encode()),))
