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
from digest.render.branding import Branding
from digest.render.delivery.headers import (
    clean_header_text,
    encode_address,
    encode_header,
    format_date,
    format_list_id,
    format_mailbox,
    make_feedback_id,
)
from digest.render.delivery.mime import encode_html_ascii, make_alternative, measure_encoded_html
from digest.render.editions.edition_view import (
    EditionView,
    ViewLimits,
    describe_due_completeness,
    make_edition_view_with,
    make_stop_link,
    make_subject,
    select_items,
)
from digest.render.environment import fill, find_fallback
from digest.render.own_templates import UserEnvironment
from digest.render.papers.links import filter_web_address
from digest.render.papers.paper_view import make_paper_view

MAX_HTML_BYTES = 90_000
"""Of the HTML: Gmail cuts a mail off at about 102,000."""
_ABSTRACT_LIMITS = {Abstracts.FULL: (4_000, 700, 280), Abstracts.SHORT: (280,), Abstracts.NONE: (0,)}
"""Characters of an abstract; the smaller ones where not everything fits."""
_DELIMITERS = re.compile(r"""[\s"'<>]+""")
"""What an address in HTML stands between."""
UNDISCLOSED_RECIPIENTS = "undisclosed-recipients:;"
"""The To header of a message that is a file (RFC 5322, section 3.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMail:
    """An edition for eyes: what goes into the parts of its mail."""

    subject: str
    html: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailLinks:
    """Where a mail leads to on the site; nothing where there is none.

    Attributes:
        unsubscribe: the address that ends this delivery's subscription.
        page: the edition's page.
        manage: where the reader sees what the digest follows, and lets it rest.
    """

    unsubscribe: str = ""
    page: str = ""
    manage: str = ""


NO_MAIL_LINKS = MailLinks()


@lru_cache(maxsize=16)  # an edition goes to several destinations, one after another
def render_mail(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> RenderedMail:
    """Render an edition's text and HTML, with as much of it as fits into a mail.

    A user's template in which a paper has no room, or no place, gives way to the shipped one.

    Raises:
        RenderError: a template is missing, broken, or too long with one paper already.
    """
    try:
        return _render_parts(environment, edition, branding, mail_links)
    except _MailTooLongError as error:
        shipped = find_fallback(environment, "mail/edition.html", error)
        if shipped is None:
            raise
        return _render_parts(shipped, edition, branding, mail_links)


def find_mail_limits(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> ViewLimits:
    """How much of an edition its mail shows.

    Raises:
        RenderError: as ``rendered`` does.
    """
    try:
        return _MailFitter(environment, edition, branding, mail_links).find_largest()
    except _MailTooLongError as error:
        shipped = find_fallback(environment, "mail/edition.html", error)
        if shipped is None:
            raise
        return _MailFitter(shipped, edition, branding, mail_links).find_largest()


class _MailTooLongError(RenderError):
    """Not all papers find a place in a mail."""


class _MailFitter:
    """A mail in the shapes that are tried."""

    def __init__(
        self, environment: jinja2.Environment, edition: Edition, branding: Branding, mail_links: MailLinks
    ) -> None:
        self._environment, self._edition, self._branding, self._mail_links = (
            environment,
            edition,
            branding,
            mail_links,
        )
        self._html: dict[ViewLimits, str] = {}
        self.subject = clean_header_text(make_subject(edition, branding.locale))
        self._completeness = describe_due_completeness(edition, branding)

    def find_largest(self) -> ViewLimits:
        """The largest shape that fits.

        Raises:
            RenderError: a template is missing, broken, or too long.
        """
        edition, mail_links = self._edition, self._mail_links
        view_limits = find_fitting_limits(
            lambda view_limits: measure_html_size(encode_html_ascii(self.render_html(view_limits))),
            edition,
            mail_links,
        )
        if mail_links.page or not isinstance(self._environment, UserEnvironment):
            return view_limits
        if not has_all_papers(view_limits, edition, mail_links):
            raise _MailTooLongError(
                f"the mail of {edition.digest} has no room for a line for each paper; make the lines in your template mail/edition.html shorter"
            )
        if not self._has_each_line(view_limits):
            raise _MailTooLongError(
                f"the mail of {edition.digest} does not show each paper; your template mail/edition.html must show those in edition.rest, each with its title or link"
            )
        return view_limits

    def _has_each_line(self, view_limits: ViewLimits) -> bool:
        """Whether its HTML shows each paper that has a line: a user's template may have no place for them.

        One that shows no paper in full either is meant to show none: the text does.
        """
        full_items, line_items = select_items(self._edition, view_limits)
        if not line_items:
            return True
        html = self.render_html(view_limits)
        addresses = set(_DELIMITERS.split(html))  # whole addresses: one may begin another

        def is_shown(item: Item) -> bool:
            paper_view = make_paper_view(item, self._branding, abstract_limit=0)
            return (
                escape(paper_view.url) in addresses
                or escape(paper_view.title.text) in html
                or paper_view.title.html in html
            )

        return all(map(is_shown, line_items)) or (bool(full_items) and not any(map(is_shown, full_items)))

    def render_html(self, view_limits: ViewLimits) -> str:
        """Its HTML in a shape."""
        if view_limits not in self._html:
            self._html[view_limits] = fill(
                self._environment, "mail/edition.html", self.make_variables(view_limits)
            )
        return self._html[view_limits]

    def make_variables(self, view_limits: ViewLimits) -> dict[str, object]:
        """What the templates get in a shape."""
        has_page = bool(self._mail_links.page)
        view = make_edition_view_with(
            self._edition, self._branding, view_limits, self._completeness, on_page=has_page
        )
        return make_mail_variables(view, self._branding, self.subject, self._mail_links)


def _render_parts(
    environment: jinja2.Environment, edition: Edition, branding: Branding, mail_links: MailLinks
) -> RenderedMail:
    fitter = _MailFitter(environment, edition, branding, mail_links)
    view_limits = fitter.find_largest()
    text = fill(environment, "mail/edition.txt", fitter.make_variables(view_limits))
    return RenderedMail(subject=fitter.subject, html=fitter.render_html(view_limits), text=text)


def make_mail(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    *,
    delivery: int,
    recipient: str,
    message_id: str,
    subject_prefix: str = "",
    unsubscribe: str = "",
    page: str = "",
    manage: str = "",
) -> Mail:
    """The whole message of a delivery; the same input gives the same bytes.

    Args:
        environment: made by ``make_environment``.
        edition: what it tells.
        branding: the operator's side; its sender must hold an address.
        delivery: the delivery's id.
        recipient: a bare address.
        message_id: with its angle brackets.
        subject_prefix: stands before the subject, ``[test]``; "" for an edition that counts.
        unsubscribe: the web address that stops it, by one click too (RFC 8058); "" where there is no site.
        page: the web address of the edition's page; "" where there is no site.
        manage: the web address where the reader manages the digest; "" where there is no site.

    Raises:
        RenderError: a template is broken, an address cannot be written to, or the finished message is
            not what was meant.
    """
    to = encode_address(recipient)
    mail_links = MailLinks(
        unsubscribe=filter_web_address(unsubscribe),
        page=filter_web_address(page),
        manage=filter_web_address(manage),
    )
    rendered_mail = render_mail(environment, edition, branding, mail_links)
    content = make_message(
        rendered_mail,
        edition,
        branding,
        to=to,
        message_id=message_id,
        subject_prefix=subject_prefix,
        mail_links=mail_links,
    )
    return Mail(
        delivery=delivery, sender=get_sender(branding), recipient=to, message_id=message_id, content=content
    )


@lru_cache(maxsize=4)
def get_sender(branding: Branding) -> str:
    """The bare address of the sender.

    Raises:
        RenderError: there is none.
    """
    return encode_address(parseaddr(branding.sender)[1])


def make_message(
    rendered_mail: RenderedMail,
    edition: Edition,
    branding: Branding,
    *,
    to: str,
    message_id: str,
    subject_prefix: str = "",
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> bytes:
    """The bytes of a message, its lines ending in CRLF.

    Args:
        rendered_mail: what it says.
        edition: its composition is the message's Date.
        branding: the operator's side.
        to: the To header, already ASCII.
        message_id: with its angle brackets.
        subject_prefix: stands before the subject.
        mail_links: where it leads.

    Raises:
        RenderError: an address cannot be written to, or the finished message is not what was meant.
    """
    subject_header = encode_header(f"{subject_prefix} {rendered_mail.subject}")
    header_fields = make_headers(
        subject_header, edition, branding, to=to, message_id=message_id, mail_links=mail_links
    )
    return make_alternative(
        header_fields, message_id=message_id, text=rendered_mail.text, html=rendered_mail.html
    )


def make_headers(
    subject_header: str,
    edition: Edition,
    branding: Branding,
    *,
    to: str,
    message_id: str,
    mail_links: MailLinks,
) -> list[tuple[str, str]]:
    """The headers of a message but for those of MIME: all that large providers ask of who writes to many.

    Nobody is to answer by machine, but a server that cannot deliver is to say so: hence no "All" in
    X-Auto-Response-Suppress, which would also keep back non-delivery reports (Microsoft's MS-OXCMAIL).

    Args:
        subject_header: the subject, encoded.
        edition: whose.
        branding: the operator's side.
        to: the To header, already ASCII.
        message_id: with its angle brackets.
        mail_links: where it leads.

    Raises:
        RenderError: an address cannot be written to.
    """
    unsubscribe_links = [
        f"<{address}>"
        for address in (mail_links.unsubscribe, make_stop_link(edition.digest, branding))
        if address
    ]
    is_one_click = mail_links.unsubscribe.startswith("https:")  # RFC 8058, section 3.1: no other will do
    contact = branding.contact and f"<mailto:{quote(branding.contact, safe='@')}>"
    fields = (
        ("From", format_mailbox(branding.sender)),
        ("To", to),
        ("Subject", subject_header),
        ("Date", format_date(edition.composed_at)),
        ("Message-ID", message_id),
        ("Reply-To", branding.contact and format_mailbox(branding.contact)),
        ("List-Id", format_list_id(edition.title, edition.digest, branding.host)),
        ("List-Unsubscribe", ", ".join(unsubscribe_links)),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click" if is_one_click else ""),
        ("List-Help", contact),
        ("List-Owner", contact),
        ("Content-Language", branding.locale.tag),  # RFC 3282
        ("Archived-At", mail_links.page and f"<{mail_links.page}>"),  # RFC 5064
        ("Feedback-ID", make_feedback_id(edition.digest, branding.host, is_alert=edition.is_alert)),
        ("Precedence", "bulk"),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
        ("X-Auto-Response-Suppress", "DR, RN, NRN, OOF, AutoReply"),
    )
    return [(name, value) for name, value in fields if value]


def make_file_message_id(edition: Edition, branding: Branding) -> str:
    """The Message-ID of a message that is a file: always the same for an edition."""
    key = f"{edition.digest}\n{edition.period}".encode()
    return f"<{hashlib.sha256(key).hexdigest()[:32]}@{branding.host}>"


# --- what fits ------------------------------------------------------------------------------------


def get_abstract_limits(edition: Edition) -> tuple[int, ...]:
    """How many characters of each abstract its reader wants at most; after it what is tried where that is too long."""
    return _ABSTRACT_LIMITS[edition.abstracts]


def measure_html_size(content: bytes) -> int:
    """The bytes of HTML in a mail, as ``encode_html_ascii`` makes it: where so many have room, nobody asks for another encoding."""
    return len(content) if len(content) <= MAX_HTML_BYTES else measure_encoded_html(content)


def find_fitting_limits(
    measure_html: Callable[[ViewLimits], int], edition: Edition, mail_links: MailLinks
) -> ViewLimits:
    """The largest shape that fits: abstracts give way first, then papers in full become lines, then lines go.

    What is beyond the digest's limit stands on the page, where there is one: then it gets no line. Editions are
    composed so that each of their papers has room for a line (``digest.render.delivery.line_sizes``): lines go from those only that an
    earlier release composed, or where a user's template makes more of a line.

    Args:
        measure_html: the bytes of the HTML in a shape.
        edition: what is to be shown of.
        mail_links: where the mail leads.

    Raises:
        RenderError: it is too long without any paper already.
    """
    paper_count = len(edition.items) + (0 if mail_links.page else len(edition.overflow))
    for abstract_limit in get_abstract_limits(edition):
        view_limits = ViewLimits(
            abstract_limit=abstract_limit, full=len(edition.items), lines=paper_count - len(edition.items)
        )
        if measure_html(view_limits) <= MAX_HTML_BYTES:
            return view_limits
    view_limits = _drop_lines(measure_html, _fold_into_lines(measure_html, view_limits))
    if measure_html(view_limits) > MAX_HTML_BYTES:
        raise _MailTooLongError(
            f"the mail of {edition.digest} takes more than {MAX_HTML_BYTES:,} bytes without any paper; make your template mail/edition.html shorter"
        )
    return view_limits


def has_all_papers(view_limits: ViewLimits, edition: Edition, mail_links: MailLinks) -> bool:
    """Whether each paper of an edition is in a mail in a shape, or on the page that the mail leads to."""
    return bool(mail_links.page) or view_limits.full + view_limits.lines >= len(edition.items) + len(
        edition.overflow
    )


def _fold_into_lines(measure_html: Callable[[ViewLimits], int], view_limits: ViewLimits) -> ViewLimits:
    """A shape that is too long, with as many papers as lines, the last ones first, as it needs to fit."""

    def make_limits(full_count: int) -> ViewLimits:
        return replace(view_limits, full=full_count, lines=view_limits.lines + view_limits.full - full_count)

    base_size, full_size = measure_html(make_limits(0)), measure_html(view_limits)
    available = max(0, MAX_HTML_BYTES - base_size)
    full_count = view_limits.full * available // max(1, full_size - base_size) if full_size > base_size else 0
    while full_count and measure_html(make_limits(full_count)) > MAX_HTML_BYTES:
        full_count = full_count * 19 // 20
    return make_limits(full_count)


def _drop_lines(measure_html: Callable[[ViewLimits], int], view_limits: ViewLimits) -> ViewLimits:
    """The shape with as many lines taken away as it needs to fit."""
    while view_limits.lines and measure_html(view_limits) > MAX_HTML_BYTES:
        view_limits = replace(view_limits, lines=view_limits.lines * 19 // 20)
    return view_limits


def make_mail_variables(
    view: EditionView, branding: Branding, subject: str, mail_links: MailLinks
) -> dict[str, object]:
    """What the templates of a mail may use."""
    _ = branding.locale.gettext
    if branding.title:
        reason_text = _(
            "You receive “%(digest)s” from %(site)s at this address.",
            digest=view.title,
            site=branding.title,
        )
    else:
        reason_text = _(
            "You receive “%(digest)s” at this address.",
            digest=view.title,
        )
    return {
        "edition": view,
        "masthead": branding,
        "subject": subject,
        "why": reason_text,
        "stop": _("To stop it, remove the address from the digest's configuration."),
        "unsubscribe": mail_links.unsubscribe,
        "page": mail_links.page,
        "manage": mail_links.manage,
    }
