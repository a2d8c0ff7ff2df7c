"""An edition as a mail: a text part and an HTML part with the same papers, and the headers of a mailing list."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
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
    make_edition_view,
    make_stop_link,
)
from digest.render.editions.layout import ViewLimits, select_items
from digest.render.editions.summary import find_first_title, list_counts, render_subject
from digest.render.environment import fill, find_fallback
from digest.render.own_templates import UserEnvironment
from digest.render.papers.links import filter_web_address
from digest.render.papers.paper_view import make_paper_view

MAX_HTML_BYTES = 90_000
"""Maximum size of the HTML part, in bytes: Gmail clips a message at about 102,000."""
_SHORTER_ABSTRACTS = {Abstracts.FULL: (Abstracts.FULL, Abstracts.KEY)}
"""What is tried of abstracts, by what the reader wants, until everything fits; nothing else if it is not named here."""
_DELIMITERS = re.compile(r"""[\s"'<>]+""")
"""Characters that delimit an address in HTML."""
UNDISCLOSED_RECIPIENTS = "undisclosed-recipients:;"
"""The To header of a message that is written as a file (RFC 5322, section 3.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMail:
    """The rendered parts of a mail."""

    subject: str
    html: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailLinks:
    """The links of a mail to our pages; "" for those that do not exist.

    Attributes:
        unsubscribe: the address that ends the subscription.
        page: the edition's page.
        manage: the page where the reader sees what the digest follows and can pause it.
    """

    unsubscribe: str = ""
    page: str = ""
    manage: str = ""


NO_MAIL_LINKS = MailLinks()


@lru_cache(maxsize=16)  # an edition may go to several destinations in a row
def render_mail(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> RenderedMail:
    """Render the text and HTML of an edition, with as much of it as fits into a mail.

    If a paper has no room or no place in a user's template, the shipped one replaces it.

    Raises:
        RenderError: a template is missing or broken, or has no room or place for all papers.
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
    """Return how much of an edition its mail shows.

    Raises:
        RenderError: as ``render_mail`` does.
    """
    try:
        return _MailFitter(environment, edition, branding, mail_links).find_largest()
    except _MailTooLongError as error:
        shipped = find_fallback(environment, "mail/edition.html", error)
        if shipped is None:
            raise
        return _MailFitter(shipped, edition, branding, mail_links).find_largest()


class _MailTooLongError(RenderError):
    """The mail has no room or no place for all papers."""


class _MailFitter:
    """One mail, with the limits that are tried."""

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
        locale = branding.locale
        subject = render_subject(
            environment, edition, list_counts(edition, locale), find_first_title(edition), locale
        )
        self.subject = clean_header_text(subject)

    def find_largest(self) -> ViewLimits:
        """Return the largest limits with which the mail fits.

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
        """Whether the HTML shows each paper that has a line: a user's template may omit them.

        A template that shows no papers in full either is assumed to omit them on purpose: they are in the
        text part.
        """
        full_items, line_items = select_items(self._edition, view_limits)
        if not line_items:
            return True
        html = self.render_html(view_limits)
        # Addresses are compared as a whole, because one may be the beginning of another.
        addresses = set(_DELIMITERS.split(html))

        def is_shown(item: Item) -> bool:
            paper_view = make_paper_view(item, self._branding)
            return (
                escape(paper_view.url) in addresses
                or escape(paper_view.title.text) in html
                or paper_view.title.html in html
            )

        return all(map(is_shown, line_items)) or (bool(full_items) and not any(map(is_shown, full_items)))

    def render_html(self, view_limits: ViewLimits) -> str:
        """Return the HTML within limits."""
        if view_limits not in self._html:
            self._html[view_limits] = fill(
                self._environment, "mail/edition.html", self.make_variables(view_limits)
            )
        return self._html[view_limits]

    def make_variables(self, view_limits: ViewLimits) -> dict[str, object]:
        """Return the variables of the templates within limits."""
        has_page = bool(self._mail_links.page)
        view = make_edition_view(self._edition, self._branding, view_limits, on_page=has_page)
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
    """Make the whole message of a delivery; the same input gives the same bytes.

    Args:
        environment: made by ``make_environment``.
        edition: the content.
        branding: the branding of the site; its sender must contain an address.
        delivery: the delivery's id.
        recipient: a bare address.
        message_id: with its angle brackets.
        subject_prefix: precedes the subject, such as ``[test]``; "" for a real edition.
        unsubscribe: the web address that unsubscribes, also by one click (RFC 8058); "" if there is no site.
        page: the web address of the edition's page; "" if there is no site.
        manage: the web address where the reader manages the digest; "" if there is no site.

    Raises:
        RenderError: a template is broken, an address is invalid, or the finished message, parsed again,
            differs from its input.
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
    """Return the bare address of the sender.

    Raises:
        RenderError: there is none.
    """
    return encode_address(parseaddr(branding.sender)[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class MailEnvelope:
    """Where a mail that is no edition goes, and what identifies it.

    Attributes:
        recipient: the address of the recipient.
        to: the address in the To header.
        number: distinguishes the mail from all others.
        created_at: when it was made, UTC.
    """

    recipient: str
    to: str
    number: str
    created_at: datetime


def make_single_mail(
    envelope: MailEnvelope, branding: Branding, *, subject: str, text: str, html: str
) -> Mail:
    """Make a mail without the headers of a mailing list: a notice, or a link that somebody waits for.

    Args:
        envelope: where it goes.
        branding: the branding of the site.
        subject: the subject.
        text: the text part.
        html: the HTML part.

    Raises:
        RenderError: an address is invalid.
    """
    message_id = f"<{envelope.number}@{branding.host}>"
    headers = [
        ("From", format_mailbox(branding.sender)),
        ("To", encode_address(envelope.to)),
        ("Subject", encode_header(subject)),
        ("Date", format_date(envelope.created_at)),
        ("Message-ID", message_id),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
    ]
    return Mail(
        delivery=0,
        sender=get_sender(branding),
        recipient=envelope.recipient,
        message_id=message_id,
        content=make_alternative(headers, message_id=message_id, text=text, html=html),
    )


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
    """Return the bytes of a message, its lines ending in CRLF.

    Args:
        rendered_mail: the rendered parts.
        edition: the edition; the time when it was composed is the Date of the message.
        branding: the branding of the site.
        to: the To header, in ASCII.
        message_id: with its angle brackets.
        subject_prefix: precedes the subject.
        mail_links: the links to our pages.

    Raises:
        RenderError: an address is invalid, or the finished message, parsed again, differs from its input.
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
    """Return the headers of a message except for MIME's; they include all that large providers ask of bulk senders.

    Automatic replies are suppressed, but not delivery reports: hence no "All" in X-Auto-Response-Suppress,
    which would also suppress non-delivery reports (Microsoft's MS-OXCMAIL).

    Args:
        subject_header: the encoded subject.
        edition: the edition.
        branding: the branding of the site.
        to: the To header, in ASCII.
        message_id: with its angle brackets.
        mail_links: the links to our pages.

    Raises:
        RenderError: an address is invalid.
    """
    unsubscribe_links = [
        f"<{address}>"
        for address in (mail_links.unsubscribe, make_stop_link(edition.digest, branding))
        if address
    ]
    is_one_click = mail_links.unsubscribe.startswith("https:")  # RFC 8058, section 3.1, requires HTTPS
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
    """Return the Message-ID of a message that is written as a file, always the same for an edition."""
    key = f"{edition.digest}\n{edition.period}".encode()
    return f"<{hashlib.sha256(key).hexdigest()[:32]}@{branding.host}>"


# --- fitting --------------------------------------------------------------------------------------


def list_abstracts(edition: Edition) -> tuple[Abstracts, ...]:
    """Return how much of each abstract is tried: the reader's choice, then less."""
    return _SHORTER_ABSTRACTS.get(edition.abstracts, (edition.abstracts,))


def measure_html_size(content: bytes) -> int:
    """Return the size of HTML by ``encode_html_ascii`` in a mail, in bytes; if too long, in its shortest encoding."""
    return len(content) if len(content) <= MAX_HTML_BYTES else measure_encoded_html(content)


def find_fitting_limits(
    measure_html: Callable[[ViewLimits], int], edition: Edition, mail_links: MailLinks
) -> ViewLimits:
    """Return the largest limits that fit: abstracts are shortened, then papers become lines, then lines are dropped.

    If the edition has a page, papers beyond the digest's limit are only there. Editions are composed so that
    each of their papers has room for a line (``digest.render.delivery.line_sizes``), so lines are dropped
    only if an earlier release composed the edition, or if a user's template makes longer lines.

    Args:
        measure_html: returns the size of the HTML within limits, in bytes.
        edition: the content.
        mail_links: the links to our pages.

    Raises:
        RenderError: it is too long even without papers.
    """
    paper_count = len(edition.items) + (0 if mail_links.page else len(edition.overflow))
    full_count = min(edition.full, len(edition.items))
    for abstracts in list_abstracts(edition):
        view_limits = ViewLimits(abstracts, full_count, paper_count - full_count)
        if measure_html(view_limits) <= MAX_HTML_BYTES:
            return view_limits
    view_limits = _drop_lines(measure_html, _fold_into_lines(measure_html, view_limits))
    if measure_html(view_limits) > MAX_HTML_BYTES:
        raise _MailTooLongError(
            f"the mail of {edition.digest} takes more than {MAX_HTML_BYTES:,} bytes without any paper; make your template mail/edition.html shorter"
        )
    return view_limits


def has_all_papers(view_limits: ViewLimits, edition: Edition, mail_links: MailLinks) -> bool:
    """Whether the limits include every paper of an edition, or the mail links to a page that shows them."""
    return bool(mail_links.page) or view_limits.full + view_limits.lines >= len(edition.items) + len(
        edition.overflow
    )


def _fold_into_lines(measure_html: Callable[[ViewLimits], int], view_limits: ViewLimits) -> ViewLimits:
    """Turn as many papers as necessary into lines, the last ones first, so that the mail fits."""

    def make_limits(full_count: int) -> ViewLimits:
        return view_limits._replace(full=full_count, lines=view_limits.lines + view_limits.full - full_count)

    base_size, full_size = measure_html(make_limits(0)), measure_html(view_limits)
    available = max(0, MAX_HTML_BYTES - base_size)
    full_count = view_limits.full * available // max(1, full_size - base_size) if full_size > base_size else 0
    while full_count and measure_html(make_limits(full_count)) > MAX_HTML_BYTES:
        full_count = full_count * 19 // 20
    return make_limits(full_count)


def _drop_lines(measure_html: Callable[[ViewLimits], int], view_limits: ViewLimits) -> ViewLimits:
    """Drop as many lines as necessary, so that the mail fits."""
    while view_limits.lines and measure_html(view_limits) > MAX_HTML_BYTES:
        view_limits = view_limits._replace(lines=view_limits.lines * 19 // 20)
    return view_limits


def make_mail_variables(
    view: EditionView, branding: Branding, subject: str, mail_links: MailLinks
) -> dict[str, object]:
    """Return the variables of the templates of a mail."""
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
        "site": branding,
        "subject": subject,
        "why": reason_text,
        "stop": _("To stop it, remove the address from the digest's configuration."),
        "unsubscribe": mail_links.unsubscribe,
        "page": mail_links.page,
        "manage": mail_links.manage,
    }
