"""An edition as a mail: a text and an HTML part with the same papers, and the headers of a list."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import format_datetime, parseaddr
from functools import lru_cache

import jinja2

from digest.errors import RenderError
from digest.model import Edition, Mail
from digest.render.card import web_address
from digest.render.contents import Contents, Shape, contents, stop_mail, subject
from digest.render.environment import fill
from digest.render.headers import ascii_address, encoded, header_text, list_id, mailbox
from digest.render.masthead import Masthead
from digest.render.mime import alternative

MOST_BYTES = 90_000
"""Of the HTML: Gmail cuts a mail off at about 102,000."""
_ABSTRACT, _SHORT_ABSTRACT = 700, 300
"""Characters; the shorter one where not everything fits."""
NOBODY = "undisclosed-recipients:;"
"""The To header of a message that is a file (RFC 5322, section 3.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """An edition for eyes: what goes into the parts of its mail."""

    subject: str
    html: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Where a mail leads to on the site; nothing where there is none.

    Attributes:
        unsubscribe: the address that ends this delivery's subscription.
        page: the edition's page.
    """

    unsubscribe: str = ""
    page: str = ""


NOWHERE = Doors()


@lru_cache(maxsize=16)  # an edition goes to several destinations, one after another
def rendered(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead, doors: Doors = NOWHERE
) -> Rendered:
    """Render an edition's text and HTML, with as much of it as fits into a mail.

    Raises:
        RenderError: a template is missing, broken, or too long with one paper already.
    """

    def html_in(shape: Shape) -> str:
        shown = contents(edition, masthead, shape)
        return fill(environment, "mail/edition.html", _variables(shown, masthead, line, doors))

    line = header_text(subject(edition))
    shape, html = _fitting(html_in, len(edition.items), len(edition.rest))
    if not _fits(html):
        raise RenderError(
            f"the mail of {edition.digest} takes more than {MOST_BYTES:,} bytes without any paper: "
            "make your template mail/edition.html shorter"
        )
    shown = contents(edition, masthead, shape)
    text = fill(environment, "mail/edition.txt", _variables(shown, masthead, line, doors))
    return Rendered(subject=line, html=html, text=text)


def mail(
    environment: jinja2.Environment,
    edition: Edition,
    masthead: Masthead,
    *,
    delivery: int,
    recipient: str,
    message_id: str,
    mark: str = "",
    unsubscribe: str = "",
    page: str = "",
) -> Mail:
    """The whole message of a delivery; the same input gives the same bytes.

    Args:
        environment: made by ``make_environment``.
        edition: what it tells.
        masthead: the operator's side; its sender must hold an address.
        delivery: the delivery's id.
        recipient: a bare address.
        message_id: with its angle brackets.
        mark: stands before the subject, ``[test]``; "" for an edition that counts.
        unsubscribe: the web address that stops it, by one click too (RFC 8058); "" where there is no site.
        page: the web address of the edition's page; "" where there is no site.

    Raises:
        RenderError: a template is broken, an address cannot be written to, or the finished message is
            not what was meant.
    """
    to = ascii_address(recipient)
    doors = Doors(unsubscribe=web_address(unsubscribe), page=web_address(page))
    parts = rendered(environment, edition, masthead, doors)
    content = message(
        parts, edition, masthead, to=to, message_id=message_id, mark=mark, unsubscribe=doors.unsubscribe
    )
    sender = ascii_address(parseaddr(masthead.sender)[1])
    return Mail(delivery=delivery, sender=sender, recipient=to, message_id=message_id, content=content)


def message(
    parts: Rendered,
    edition: Edition,
    masthead: Masthead,
    *,
    to: str,
    message_id: str,
    mark: str = "",
    unsubscribe: str = "",
) -> bytes:
    """The bytes of a message, its lines ending in CRLF.

    Args:
        parts: what it says.
        edition: its composition is the message's Date.
        masthead: the operator's side.
        to: the To header, already ASCII.
        message_id: with its angle brackets.
        mark: stands before the subject.
        unsubscribe: the web address that stops it, or "".

    Raises:
        RenderError: an address cannot be written to, or the finished message is not what was meant.
    """
    stops = [f"<{way}>" for way in (unsubscribe, stop_mail(edition.digest, masthead)) if way]
    by_one_click = unsubscribe.startswith("https:")  # RFC 8058, section 3.1: no other will do
    headers = (
        ("From", mailbox(masthead.sender)),
        ("To", to),
        ("Subject", encoded(f"{mark} {parts.subject}")),
        ("Date", format_datetime(edition.composed_at)),
        ("Message-ID", message_id),
        ("Reply-To", masthead.contact and mailbox(masthead.contact)),
        ("List-Id", list_id(masthead.title, edition.digest, masthead.host)),
        ("List-Unsubscribe", ", ".join(stops)),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click" if by_one_click else ""),
        ("Precedence", "bulk"),
        ("Auto-Submitted", "auto-generated"),
    )
    given = [(name, value) for name, value in headers if value]
    return alternative(given, message_id=message_id, text=parts.text, html=parts.html)


def file_message_id(edition: Edition, masthead: Masthead) -> str:
    """The Message-ID of a message that is a file: always the same for an edition."""
    key = f"{edition.digest}\n{edition.period}".encode()
    return f"<{hashlib.sha256(key).hexdigest()[:32]}@{masthead.host}>"


# --- what fits ------------------------------------------------------------------------------------


def _fits(html: str) -> bool:
    return len(html.encode()) <= MOST_BYTES


def _fitting(html_in: Callable[[Shape], str], items: int, rest: int) -> tuple[Shape, str]:
    """The largest shape that fits, and its HTML: abstracts give way first, then lines, then papers in full."""
    shape = Shape(abstract=_ABSTRACT, full=items, lines=rest)
    html = html_in(shape)
    if not _fits(html):
        shape = replace(shape, abstract=_SHORT_ABSTRACT)
        html = html_in(shape)
    if _fits(html):
        return shape, html
    bare = replace(shape, lines=0)
    least = html_in(bare)
    if not _fits(least):
        return _shrunk(html_in, replace(bare, abstract=0))
    a_line = (len(html.encode()) - len(least.encode())) / rest
    return _shrunk(html_in, replace(shape, lines=int((MOST_BYTES - len(least.encode())) / a_line)))


def _shrunk(html_in: Callable[[Shape], str], shape: Shape) -> tuple[Shape, str]:
    """The shape with as many lines, or else papers, taken away as it needs to fit."""
    while not _fits(html := html_in(shape)) and (shape.lines or shape.full):
        if shape.lines:
            shape = replace(shape, lines=shape.lines * 19 // 20)
        else:
            shape = replace(shape, full=shape.full * 9 // 10)
    return shape, html


def _variables(edition: Contents, masthead: Masthead, subject: str, doors: Doors) -> dict[str, object]:
    """What the templates of a mail may use."""
    why = f"You get this because your address is a destination of the digest {edition.title}"
    return {
        "edition": edition,
        "masthead": masthead,
        "subject": subject,
        "why": f"{why} of {masthead.title}." if masthead.title else f"{why}.",
        "stop": "To stop it, take the address out of the digest's configuration.",
        "unsubscribe": doors.unsubscribe,
        "page": doors.page,
    }
