"""An edition as a mail: a text and an HTML part with the same papers, and the headers of a list."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from email.utils import parseaddr
from functools import lru_cache
from urllib.parse import quote

import jinja2
from markupsafe import escape

from digest.errors import RenderError
from digest.model import Abstracts, Edition, Item, Mail
from digest.render.branding import Masthead
from digest.render.delivery.headers import (
    ascii_address,
    date_header,
    encoded,
    feedback_id,
    header_text,
    list_id,
    mailbox,
)
from digest.render.delivery.mime import alternative, html_size, in_ascii
from digest.render.editions.edition_view import (
    Contents,
    Shape,
    contents_with,
    due_account,
    shown_in,
    stop_mail,
    subject,
)
from digest.render.environment import fill, instead
from digest.render.own_templates import OwnEnvironment
from digest.render.papers.links import web_address
from digest.render.papers.paper_view import card

MOST_BYTES = 90_000
"""Of the HTML: Gmail cuts a mail off at about 102,000."""
_AMOUNTS = {Abstracts.FULL: (4_000, 700, 280), Abstracts.SHORT: (280,), Abstracts.NONE: (0,)}
"""Characters of an abstract; the smaller ones where not everything fits."""
_BETWEEN_PIECES = re.compile(r"""[\s"'<>]+""")
"""What an address in HTML stands between."""
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
        manage: where the reader sees what the digest follows, and lets it rest.
    """

    unsubscribe: str = ""
    page: str = ""
    manage: str = ""


NOWHERE = Doors()


@lru_cache(maxsize=16)  # an edition goes to several destinations, one after another
def rendered(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead, doors: Doors = NOWHERE
) -> Rendered:
    """Render an edition's text and HTML, with as much of it as fits into a mail.

    A user's template in which a paper has no room, or no place, gives way to the shipped one.

    Raises:
        RenderError: a template is missing, broken, or too long with one paper already.
    """
    try:
        return _rendered(environment, edition, masthead, doors)
    except _TooLongError as error:
        shipped = instead(environment, "mail/edition.html", error)
        if shipped is None:
            raise
        return _rendered(shipped, edition, masthead, doors)


def shape_of(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead, doors: Doors = NOWHERE
) -> Shape:
    """How much of an edition its mail shows.

    Raises:
        RenderError: as ``rendered`` does.
    """
    try:
        return _Shapes(environment, edition, masthead, doors).fitting()
    except _TooLongError as error:
        shipped = instead(environment, "mail/edition.html", error)
        if shipped is None:
            raise
        return _Shapes(shipped, edition, masthead, doors).fitting()


class _TooLongError(RenderError):
    """Not all papers find a place in a mail."""


class _Shapes:
    """A mail in the shapes that are tried."""

    def __init__(
        self, environment: jinja2.Environment, edition: Edition, masthead: Masthead, doors: Doors
    ) -> None:
        self._environment, self._edition, self._masthead, self._doors = environment, edition, masthead, doors
        self._html: dict[Shape, str] = {}
        self.line = header_text(subject(edition, masthead.locale))
        self._due = due_account(edition, masthead)

    def fitting(self) -> Shape:
        """The largest shape that fits.

        Raises:
            RenderError: a template is missing, broken, or too long.
        """
        edition, doors = self._edition, self._doors
        shape = fitting(lambda shape: size_of(in_ascii(self.html(shape))), edition, doors)
        if doors.page or not isinstance(self._environment, OwnEnvironment):
            return shape
        if not shows_all(shape, edition, doors):
            raise _TooLongError(
                f"the mail of {edition.digest} has no room for a line for each paper: "
                "make the lines of your template mail/edition.html shorter"
            )
        if not self._has_each_line(shape):
            raise _TooLongError(
                f"the mail of {edition.digest} does not show each paper: "
                "let your template mail/edition.html show those in edition.rest, each with its title or link"
            )
        return shape

    def _has_each_line(self, shape: Shape) -> bool:
        """Whether its HTML shows each paper that has a line: a user's template may have no place for them.

        One that shows no paper in full either is meant to show none: the text does.
        """
        full, behind = shown_in(self._edition, shape)
        if not behind:
            return True
        html = self.html(shape)
        pieces = set(_BETWEEN_PIECES.split(html))  # whole addresses: one may begin another

        def is_shown(item: Item) -> bool:
            line = card(item, self._masthead, abstract=0)
            return escape(line.url) in pieces or escape(line.title.text) in html or line.title.html in html

        return all(map(is_shown, behind)) or (bool(full) and not any(map(is_shown, full)))

    def html(self, shape: Shape) -> str:
        """Its HTML in a shape."""
        if shape not in self._html:
            self._html[shape] = fill(self._environment, "mail/edition.html", self.variables(shape))
        return self._html[shape]

    def variables(self, shape: Shape) -> dict[str, object]:
        """What the templates get in a shape."""
        linked = bool(self._doors.page)
        shown = contents_with(self._edition, self._masthead, shape, self._due, on_page=linked)
        return variables_of(shown, self._masthead, self.line, self._doors)


def _rendered(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead, doors: Doors
) -> Rendered:
    shapes = _Shapes(environment, edition, masthead, doors)
    shape = shapes.fitting()
    text = fill(environment, "mail/edition.txt", shapes.variables(shape))
    return Rendered(subject=shapes.line, html=shapes.html(shape), text=text)


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
    manage: str = "",
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
        manage: the web address where the reader manages the digest; "" where there is no site.

    Raises:
        RenderError: a template is broken, an address cannot be written to, or the finished message is
            not what was meant.
    """
    to = ascii_address(recipient)
    doors = Doors(unsubscribe=web_address(unsubscribe), page=web_address(page), manage=web_address(manage))
    parts = rendered(environment, edition, masthead, doors)
    content = message(parts, edition, masthead, to=to, message_id=message_id, mark=mark, doors=doors)
    return Mail(
        delivery=delivery, sender=sender_of(masthead), recipient=to, message_id=message_id, content=content
    )


@lru_cache(maxsize=4)
def sender_of(masthead: Masthead) -> str:
    """The bare address of the sender.

    Raises:
        RenderError: there is none.
    """
    return ascii_address(parseaddr(masthead.sender)[1])


def message(
    parts: Rendered,
    edition: Edition,
    masthead: Masthead,
    *,
    to: str,
    message_id: str,
    mark: str = "",
    doors: Doors = NOWHERE,
) -> bytes:
    """The bytes of a message, its lines ending in CRLF.

    Args:
        parts: what it says.
        edition: its composition is the message's Date.
        masthead: the operator's side.
        to: the To header, already ASCII.
        message_id: with its angle brackets.
        mark: stands before the subject.
        doors: where it leads.

    Raises:
        RenderError: an address cannot be written to, or the finished message is not what was meant.
    """
    line = encoded(f"{mark} {parts.subject}")
    head = headers(line, edition, masthead, to=to, message_id=message_id, doors=doors)
    return alternative(head, message_id=message_id, text=parts.text, html=parts.html)


def headers(
    line: str, edition: Edition, masthead: Masthead, *, to: str, message_id: str, doors: Doors
) -> list[tuple[str, str]]:
    """The headers of a message but for those of MIME: all that large providers ask of who writes to many.

    Nobody is to answer by machine, but a server that cannot deliver is to say so: hence no "All" in
    X-Auto-Response-Suppress, which would also keep back non-delivery reports (Microsoft's MS-OXCMAIL).

    Args:
        line: the subject, encoded.
        edition: whose.
        masthead: the operator's side.
        to: the To header, already ASCII.
        message_id: with its angle brackets.
        doors: where it leads.

    Raises:
        RenderError: an address cannot be written to.
    """
    stops = [f"<{way}>" for way in (doors.unsubscribe, stop_mail(edition.digest, masthead)) if way]
    by_one_click = doors.unsubscribe.startswith("https:")  # RFC 8058, section 3.1: no other will do
    contact = masthead.contact and f"<mailto:{quote(masthead.contact, safe='@')}>"
    given = (
        ("From", mailbox(masthead.sender)),
        ("To", to),
        ("Subject", line),
        ("Date", date_header(edition.composed_at)),
        ("Message-ID", message_id),
        ("Reply-To", masthead.contact and mailbox(masthead.contact)),
        ("List-Id", list_id(edition.title, edition.digest, masthead.host)),
        ("List-Unsubscribe", ", ".join(stops)),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click" if by_one_click else ""),
        ("List-Help", contact),
        ("List-Owner", contact),
        ("Content-Language", masthead.locale.tag),  # RFC 3282
        ("Archived-At", doors.page and f"<{doors.page}>"),  # RFC 5064
        ("Feedback-ID", feedback_id(edition.digest, masthead.host, alert=edition.is_alert)),
        ("Precedence", "bulk"),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
        ("X-Auto-Response-Suppress", "DR, RN, NRN, OOF, AutoReply"),
    )
    return [(name, value) for name, value in given if value]


def file_message_id(edition: Edition, masthead: Masthead) -> str:
    """The Message-ID of a message that is a file: always the same for an edition."""
    key = f"{edition.digest}\n{edition.period}".encode()
    return f"<{hashlib.sha256(key).hexdigest()[:32]}@{masthead.host}>"


# --- what fits ------------------------------------------------------------------------------------


def amounts(edition: Edition) -> tuple[int, ...]:
    """How many characters of each abstract its reader wants at most; after it what is tried where that is too long."""
    return _AMOUNTS[edition.abstracts]


def size_of(html: bytes) -> int:
    """The bytes of HTML in a mail, as ``in_ascii`` makes it: where so many have room, nobody asks for another encoding."""
    return len(html) if len(html) <= MOST_BYTES else html_size(html)


def fitting(size_in: Callable[[Shape], int], edition: Edition, doors: Doors) -> Shape:
    """The largest shape that fits: abstracts give way first, then papers in full become lines, then lines go.

    What is beyond the digest's limit stands on the page, where there is one: then it gets no line. Editions are
    composed so that each of their papers has room for a line (``digest.render.delivery.line_sizes``): lines go from those only that an
    earlier release composed, or where a user's template makes more of a line.

    Args:
        size_in: the bytes of the HTML in a shape.
        edition: what is to be shown of.
        doors: where the mail leads.

    Raises:
        RenderError: it is too long without any paper already.
    """
    every = len(edition.items) + (0 if doors.page else len(edition.rest))
    for most in amounts(edition):
        shape = Shape(abstract=most, full=len(edition.items), lines=every - len(edition.items))
        if size_in(shape) <= MOST_BYTES:
            return shape
    shape = _shrunk(size_in, _as_lines(size_in, shape))
    if size_in(shape) > MOST_BYTES:
        raise _TooLongError(
            f"the mail of {edition.digest} takes more than {MOST_BYTES:,} bytes without any paper: "
            "make your template mail/edition.html shorter"
        )
    return shape


def shows_all(shape: Shape, edition: Edition, doors: Doors) -> bool:
    """Whether each paper of an edition is in a mail in a shape, or on the page that the mail leads to."""
    return bool(doors.page) or shape.full + shape.lines >= len(edition.items) + len(edition.rest)


def _as_lines(size_in: Callable[[Shape], int], whole: Shape) -> Shape:
    """A shape that is too long, with as many papers as lines, the last ones first, as it needs to fit."""

    def with_full(full: int) -> Shape:
        return replace(whole, full=full, lines=whole.lines + whole.full - full)

    none, every = size_in(with_full(0)), size_in(whole)
    room = max(0, MOST_BYTES - none)
    full = whole.full * room // max(1, every - none) if every > none else 0
    while full and size_in(with_full(full)) > MOST_BYTES:
        full = full * 19 // 20
    return with_full(full)


def _shrunk(size_in: Callable[[Shape], int], shape: Shape) -> Shape:
    """The shape with as many lines taken away as it needs to fit."""
    while shape.lines and size_in(shape) > MOST_BYTES:
        shape = replace(shape, lines=shape.lines * 19 // 20)
    return shape


def variables_of(edition: Contents, masthead: Masthead, subject: str, doors: Doors) -> dict[str, object]:
    """What the templates of a mail may use."""
    _ = masthead.locale.gettext
    if masthead.title:
        why = _(
            "You get this because your address is a destination of the digest %(digest)s of %(site)s.",
            digest=edition.title,
            site=masthead.title,
        )
    else:
        why = _(
            "You get this because your address is a destination of the digest %(digest)s.",
            digest=edition.title,
        )
    return {
        "edition": edition,
        "masthead": masthead,
        "subject": subject,
        "why": why,
        "stop": _("To stop it, take the address out of the digest's configuration."),
        "unsubscribe": doors.unsubscribe,
        "page": doors.page,
        "manage": doors.manage,
    }
