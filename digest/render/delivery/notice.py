"""What the operator is told, in the form of each way: a mail, a file, a chat or a document."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from digest.core.delivery.notice_lines import gathered
from digest.model import FileSet, Form, Mail, Message
from digest.render.branding import Masthead
from digest.render.delivery import document
from digest.render.delivery.chat import said
from digest.render.delivery.headers import ascii_address, date_header, encoded, mailbox
from digest.render.delivery.mail import sender_of
from digest.render.delivery.mime import alternative

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
class Told:
    """What is told in one message.

    Attributes:
        lines: sentences, by the name of what they are about.
        at: when.
        is_summary: how things are, and nothing else.
    """

    lines: Mapping[str, str]
    at: datetime
    is_summary: bool = False

    @property
    def number(self) -> str:
        """The same for the same at each attempt."""
        return hashlib.sha256(repr((sorted(self.lines), self.at)).encode()).hexdigest()[:32]


def notice(told: Told, masthead: Masthead, form: Form, address: str) -> Message:
    """A message for the operator.

    Args:
        told: what is told.
        masthead: the operator's side.
        form: of the message.
        address: where it goes, as its destination is known.

    Raises:
        RenderError: an address cannot be written to.
    """
    makers: dict[Form, Callable[[], Message]] = {
        Form.MAIL: lambda: _mail(told, masthead, address, address),
        Form.STORED_MAIL: lambda: _mail(told, masthead, sender_of(masthead), address),
        Form.FILES: lambda: _files(told, masthead, address),
        Form.CHAT: lambda: said(title(told, masthead), tuple(_sentences(told)), address=address),
        Form.JSON: lambda: document.notice(
            told.lines, title=title(told, masthead), address=address, number=told.number, at=told.at
        ),
    }
    return makers[form]()


def title(told: Told, masthead: Masthead) -> str:
    """``Systems lab digest: 2 troubles``."""
    if told.is_summary:
        return f"{masthead.title}: how things are"
    count = len(told.lines)
    return f"{masthead.title}: {'a trouble' if count == 1 else f'{count} troubles'}"


def _sentences(told: Told) -> Sequence[str]:
    """What people read, in which one line is for many that are alike; a program is told of each."""
    return [line for one in gathered(told.lines) for line in one.text.split("\n")]


def _mail(told: Told, masthead: Masthead, to: str, recipient: str) -> Mail:
    """No header of a list: nobody can leave it but by the file."""
    number = f"<{told.number}@{masthead.host}>"
    headers: list[tuple[str, Any]] = [
        ("From", mailbox(masthead.sender)),
        ("To", ascii_address(to)),
        ("Subject", encoded(title(told, masthead))),
        ("Date", date_header(told.at)),
        ("Message-ID", number),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
    ]
    lines = _sentences(told)
    html = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    content = alternative(
        headers,
        message_id=number,
        text="\n\n".join(lines) + "\n",
        html=_HTML.format(title=escape(title(told, masthead)), paragraphs=html),
    )
    sender = sender_of(masthead)
    return Mail(delivery=0, sender=sender, recipient=recipient, message_id=number, content=content)


def _files(told: Told, masthead: Masthead, folder: str) -> FileSet:
    name = f"{told.at.astimezone(UTC):%Y-%m-%dT%H%M%S}-{told.number[:8]}.txt"
    text = "\n\n".join((title(told, masthead), *_sentences(told)))
    return FileSet(delivery=0, folder=folder, files=((name, f"{text}\n".encode()),))
