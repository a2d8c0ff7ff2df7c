"""The mails with links: one confirms a sign-up, one invites, one signs a reader in."""

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
        link: the link to the page with the button; "" for none.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(Confirmation):
    """The content of the mail that invites somebody to a digest.

    Attributes:
        description: the operator's sentence about the digest; "" for none.
    """

    description: str


def make_confirmation(
    environment: jinja2.Environment, branding: Branding, confirmation: Confirmation
) -> Mail:
    """Make the mail that confirms a sign-up.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    subject = branding.locale.gettext("Confirm: %(digest)s", digest=confirmation.digest)
    variables = {
        "digest": remove_unprintable(confirmation.digest),
        "hours": count_hours(confirmation, branding),
        "signs_in": confirmation.signs_in,
    }
    return make_link_mail(
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
    variables = {"hours": count_hours(signin, branding)}
    return make_link_mail(
        environment, branding, signin, subject_text=subject, template="mail/sign_in", more=variables
    )


def make_invitation(environment: jinja2.Environment, branding: Branding, invitation: Invitation) -> Mail:
    """Make the mail that invites somebody to a digest.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    _, digest = branding.locale.gettext, remove_unprintable(invitation.digest)
    lines = (
        _(
            "The operator of %(site)s invites you to get the digest %(digest)s at this address.",
            site=branding.title or branding.host,
            digest=digest,
        ),
        remove_unprintable(invitation.description),
        _("To get it, open this link and press the button on its page:"),
    )
    note = _(
        "The link works once, within %(days)s days. If you do not want the digest, do nothing: without that button nothing is sent, and your address is not kept.",
        days=branding.locale.number(invitation.lifetime // timedelta(days=1)),
    )
    warning = _("The button also signs in whoever presses it, so give the link to nobody.")
    return make_link_mail(
        environment,
        branding,
        invitation,
        subject_text=_("Your invitation: %(digest)s", digest=digest),
        template="mail/message",
        more={
            "lines": tuple(filter(None, lines)),
            "notes": (note, *([warning] if invitation.signs_in else [])),
        },
    )


def count_hours(link_mail: LinkMail, branding: Branding) -> str:
    """Return for how many hours a link is valid, as the language writes numbers."""
    return branding.locale.number(link_mail.lifetime // timedelta(hours=1))


def make_link_mail(
    environment: jinja2.Environment,
    branding: Branding,
    link_mail: LinkMail,
    *,
    subject_text: str,
    template: str,
    more: Mapping[str, object],
) -> Mail:
    """Make a mail without the headers of a mailing list, because nobody gets it by a subscription.

    Args:
        environment: the templates.
        branding: the branding in the language of the mail.
        link_mail: its recipient and its link.
        subject_text: the subject.
        template: the name of the templates of its two parts.
        more: the variables that these have besides.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    subject = clean_header_text(subject_text)
    variables = {
        "site": branding,
        "subject": subject,
        "link": link_mail.link,
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
