"""The mails with links: one confirms a sign-up, one signs a reader in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import jinja2

from digest.model import Mail
from digest.render.branding import Branding
from digest.render.delivery.headers import (
    clean_header_text,
    encode_address,
    encode_header,
    format_date,
    format_mailbox,
)
from digest.render.delivery.mail import get_sender
from digest.render.delivery.mime import make_alternative
from digest.render.environment import fill, remove_unprintable


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMail:
    """The content of a mail with a link. Nothing in it comes from whoever typed the address into a form.

    Attributes:
        recipient: the address.
        link: the link to the page with the button.
        number: distinguishes this mail from all others.
        created_at: when it is sent, UTC.
        lifetime: how long the link is valid.
    """

    recipient: str
    link: str
    number: str
    created_at: datetime
    lifetime: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation(LinkMail):
    """The content of the mail that confirms a sign-up.

    Attributes:
        digest: the title of the digest.
    """

    digest: str


def make_confirmation(
    environment: jinja2.Environment, branding: Branding, confirmation: Confirmation
) -> Mail:
    """Make the mail that confirms a sign-up.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    subject = branding.locale.gettext("Confirm: %(digest)s", digest=confirmation.digest)
    variables = {"digest": remove_unprintable(confirmation.digest)}
    return _make_mail(
        environment,
        branding,
        confirmation,
        subject_text=subject,
        template="mail/confirmation",
        more=variables,
    )


def make_signin(environment: jinja2.Environment, branding: Branding, signin: LinkMail) -> Mail:
    """Make the mail that signs a reader in.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    subject = branding.locale.gettext("Sign in to %(site)s", site=branding.title or branding.host)
    return _make_mail(environment, branding, signin, subject_text=subject, template="mail/sign_in", more={})


def _make_mail(
    environment: jinja2.Environment,
    branding: Branding,
    link_mail: LinkMail,
    *,
    subject_text: str,
    template: str,
    more: Mapping[str, str],
) -> Mail:
    """Make a mail without the headers of a mailing list, because nobody gets it by a subscription."""
    subject = clean_header_text(subject_text)
    variables = {
        "site": branding,
        "subject": subject,
        "link": link_mail.link,
        "hours": branding.locale.number(link_mail.lifetime // timedelta(hours=1)),
        **more,
    }
    message_id = f"<{link_mail.number}@{branding.host}>"
    headers: list[tuple[str, Any]] = [
        ("From", format_mailbox(branding.sender)),
        ("To", encode_address(link_mail.recipient)),
        ("Subject", encode_header(subject)),
        ("Date", format_date(link_mail.created_at)),
        ("Message-ID", message_id),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
    ]
    content = make_alternative(
        headers,
        message_id=message_id,
        text=fill(environment, f"{template}.txt", variables),
        html=fill(environment, f"{template}.html", variables),
    )
    return Mail(
        delivery=0,
        sender=get_sender(branding),
        recipient=link_mail.recipient,
        message_id=message_id,
        content=content,
    )
