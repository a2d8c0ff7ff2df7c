"""The mails with links: one confirms a sign-up, one signs a reader in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import jinja2

from digest.model import Mail
from digest.render.branding import Branding
from digest.render.delivery.headers import clean_header_text
from digest.render.delivery.mail import MailEnvelope, make_single_mail
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
        signs_in: whether the button also signs in.
    """

    digest: str
    signs_in: bool


def make_confirmation(
    environment: jinja2.Environment, branding: Branding, confirmation: Confirmation
) -> Mail:
    """Make the mail that confirms a sign-up.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    subject = branding.locale.gettext("Confirm: %(digest)s", digest=confirmation.digest)
    variables = {"digest": remove_unprintable(confirmation.digest), "signs_in": confirmation.signs_in}
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
    more: Mapping[str, object],
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
    envelope = MailEnvelope(
        recipient=link_mail.recipient,
        to=link_mail.recipient,
        number=link_mail.number,
        created_at=link_mail.created_at,
    )
    text, html = (fill(environment, f"{template}.{suffix}", variables) for suffix in ("txt", "html"))
    return make_single_mail(envelope, branding, subject=subject, text=text, html=html)
