"""The mail with the link that confirms a sign-up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import jinja2

from digest.model import Mail
from digest.render.branding import Branding
from digest.render.delivery.headers import clean_header_text
from digest.render.delivery.mail import MailEnvelope, make_single_mail
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
    envelope = MailEnvelope(
        recipient=confirmation.recipient,
        to=confirmation.recipient,
        number=confirmation.number,
        created_at=confirmation.created_at,
    )
    text, html = (fill(environment, f"mail/confirmation.{suffix}", variables) for suffix in ("txt", "html"))
    return make_single_mail(envelope, branding, subject=subject, text=text, html=html)
