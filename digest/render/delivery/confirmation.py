"""The mail with the link that confirms a sign-up."""

from __future__ import annotations

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
class Confirmation:
    """The content of the mail. Nothing in it comes from whoever typed the address into a form.

    Attributes:
        recipient: the address.
        digest: the title of the digest.
        link: the link to the page with the button.
        number: distinguishes this mail from all others.
        created_at: when it is sent, UTC.
        lifetime: how long the link is valid.
    """

    recipient: str
    digest: str
    link: str
    number: str
    created_at: datetime
    lifetime: timedelta


def make_confirmation(
    environment: jinja2.Environment, branding: Branding, confirmation: Confirmation
) -> Mail:
    """Make the mail, without the headers of a mailing list, because nobody is on one yet.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    locale = branding.locale
    subject = clean_header_text(locale.gettext("Confirm: %(digest)s", digest=confirmation.digest))
    variables = {
        "site": branding,
        "subject": subject,
        "digest": remove_unprintable(confirmation.digest),
        "link": confirmation.link,
        "hours": locale.number(confirmation.lifetime // timedelta(hours=1)),
    }
    message_id = f"<{confirmation.number}@{branding.host}>"
    headers: list[tuple[str, Any]] = [
        ("From", format_mailbox(branding.sender)),
        ("To", encode_address(confirmation.recipient)),
        ("Subject", encode_header(subject)),
        ("Date", format_date(confirmation.created_at)),
        ("Message-ID", message_id),
        ("Auto-Submitted", "auto-generated"),  # RFC 3834
    ]
    content = make_alternative(
        headers,
        message_id=message_id,
        text=fill(environment, "mail/confirmation.txt", variables),
        html=fill(environment, "mail/confirmation.html", variables),
    )
    return Mail(
        delivery=0,
        sender=get_sender(branding),
        recipient=confirmation.recipient,
        message_id=message_id,
        content=content,
    )
