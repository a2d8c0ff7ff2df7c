"""The mails of a change of address: a link to each of both, and a note to the former one."""

from __future__ import annotations

import jinja2

from digest.core.subscribers.address_links import Side
from digest.model import Mail
from digest.render.branding import Branding
from digest.render.delivery.account_mails.confirmation import LinkMail, count_hours, make_link_mail


def make_change_mail(
    environment: jinja2.Environment, branding: Branding, link_mail: LinkMail, side: Side
) -> Mail:
    """Make the mail with the link that agrees to a change of address. It has neither address.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    _, hours = branding.locale.gettext, count_hours(link_mail, branding)
    if side is Side.FORMER:
        line = _(
            "Somebody who is signed in as you wants to get your digests at another address. To agree, open this link and press the button on its page:"
        )
        note = _(
            "The link works once, within %(hours)s hours, and nothing changes before the other address has agreed, too. If it was not you, do nothing here, and sign out everywhere on your account.",
            hours=hours,
        )
    else:
        line = _(
            "A reader of this site, probably you, wants to get their digests at this address. To agree, open this link and press the button on its page:"
        )
        note = _(
            "The link works once, within %(hours)s hours, and nothing changes before the present address has agreed, too. If it was not you, do nothing: your address is not kept.",
            hours=hours,
        )
    return make_link_mail(
        environment,
        branding,
        link_mail,
        subject_text=_("Change of address at %(site)s", site=branding.title or branding.host),
        template="mail/message",
        more={"lines": (line,), "notes": (note,)},
    )


def make_changed_mail(environment: jinja2.Environment, branding: Branding, link_mail: LinkMail) -> Mail:
    """Make the note to a former address that mail goes to another one from now on.

    Args:
        environment: the templates.
        branding: the branding in the language of the reader.
        link_mail: its recipient; without a link.

    Raises:
        RenderError: a template is missing or broken, or the address is invalid.
    """
    _ = branding.locale.gettext
    lines = [_("Your digests go to another address from now on, as you have confirmed at both.")]
    if branding.contact:
        lines.append(_("If it was not you, write to %(contact)s.", contact=branding.contact))
    return make_link_mail(
        environment,
        branding,
        link_mail,
        subject_text=_("Your address at %(site)s was changed", site=branding.title or branding.host),
        template="mail/message",
        more={"lines": tuple(lines), "notes": ()},
    )
