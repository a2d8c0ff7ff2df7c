"""The mail that brings an edition as an EPUB to the address of an e-reader."""

from __future__ import annotations

import jinja2

from digest.model import Edition, Mail
from digest.render.branding import Branding
from digest.render.delivery.epub import EPUB_TYPE, make_epub_name, make_epub_variables, render_epub
from digest.render.delivery.headers import encode_address, encode_header
from digest.render.delivery.mail import NO_MAIL_LINKS, MailLinks, get_sender, make_headers
from digest.render.delivery.mime import Attachment, make_with_attachment
from digest.render.editions.edition_view import make_whole_view
from digest.render.editions.summary import make_subject
from digest.render.environment import fill


def make_epub_mail(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    *,
    delivery: int,
    recipient: str,
    message_id: str,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> Mail:
    """Make the whole message of a delivery; the same input gives the same bytes.

    Args:
        environment: made by ``make_environment``.
        edition: the content.
        branding: the branding of the site; its sender must contain an address.
        delivery: the delivery's id.
        recipient: a bare address.
        message_id: with its angle brackets.
        mail_links: the links to our pages.

    Raises:
        RenderError: a template is broken, an address is invalid, or the finished message, parsed again,
            differs from its input.
    """
    to = encode_address(recipient)
    subject_header = encode_header(make_subject(edition, branding.locale))
    book = Attachment(
        make_epub_name(edition), EPUB_TYPE, render_epub(environment, edition, branding, mail_links)
    )
    content = make_with_attachment(
        make_headers(subject_header, edition, branding, to=to, message_id=message_id, mail_links=mail_links),
        message_id=message_id,
        text=render_cover_text(environment, edition, branding, mail_links),
        attachment=book,
    )
    return Mail(
        delivery=delivery, sender=get_sender(branding), recipient=to, message_id=message_id, content=content
    )


def render_cover_text(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> str:
    """Render the text of the mail, which says what is attached and what is missing.

    Raises:
        RenderError: the template is missing or broken.
    """
    view = make_whole_view(edition, branding)
    return fill(environment, "epub/mail.txt", make_epub_variables(view, edition, branding, mail_links))
