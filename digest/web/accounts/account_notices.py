"""The texts of the small pages of accounts."""

from __future__ import annotations

from digest.core.subscribers.address_links import AddressChange, Side
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.web_pages import Button, NoticePage
from digest.web.notices import NoticeFactory, describe_lifetime, describe_limits, mask_mailbox


def make_same_address(locale: Locale) -> NoticePage:
    """Make the notice that a new address is the present one."""
    _ = locale.gettext
    return NoticePage(
        title=_("This is your address already"), lines=(_("Go back and type the address that you want."),)
    )


def make_changes_sent(locale: Locale) -> NoticePage:
    """Make the answer to each change of address. It must not tell whether the new one is known here."""
    _ = locale.gettext
    return NoticePage(
        title=_("Look into both mailboxes"),
        lines=(
            _(
                "We have sent a link to your present address and another one to the new address, if mail can be sent there. Press the button on the page of each within 48 hours. Nothing changes before that."
            ),
            describe_limits(locale),
            _(
                "If the new address has digests here already, it gets no link: sign in with it, and subscribe there to what you want."
            ),
        ),
    )


def make_change_button(change: AddressChange, token: str) -> NoticeFactory:
    """Make the page to which a link of a change of address leads: one button, and what it agrees to."""

    def make_notice(locale: Locale) -> NoticePage:
        _, where = locale.gettext, mask_mailbox(change.other_address)
        if change.side is Side.FORMER:
            line = _("Your digests will come to %(where)s instead of this address.", where=where)
        else:
            line = _("The digests of %(where)s will come to this address instead.", where=where)
        return NoticePage(
            title=_("One more click"),
            lines=(line, _("Both addresses have to agree. Nothing changes before that.")),
            button=Button(label=_("Change the address"), action=token),
        )

    return make_notice


def make_change_waiting(locale: Locale) -> NoticePage:
    """Make the notice that one address has agreed to a change, and the other one has not."""
    _ = locale.gettext
    line = _("Now open the link in the mail to the other address, and press the button on its page, too.")
    return NoticePage(title=_("This address has agreed"), lines=(line,))


def make_changed(href: str) -> NoticeFactory:
    """Make the notice that an address was changed.

    Args:
        href: the reader's account.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        return NoticePage(
            title=_("The address was changed"),
            lines=(
                _("Your digests come to the new address from now on, and you sign in with it."),
                _("In other browsers you are signed out."),
            ),
            links=(Link(label=_("Your account"), href=href),),
        )

    return make_notice


def make_invalid_change(href: str) -> NoticeFactory:
    """Make the notice that a link of a change of address is not valid any more.

    Args:
        href: the reader's account.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        return NoticePage(
            title=_("This link does not work any more"),
            lines=(describe_lifetime(locale),),
            links=(Link(label=_("Your account"), href=href),),
        )

    return make_notice


def make_delete_button(action: str, form_token: str) -> NoticeFactory:
    """Make the page that says what a deletion takes and what stays, with one button.

    Args:
        action: where the button posts to.
        form_token: the token of the forms of the session.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        return NoticePage(
            title=_("Delete everything?"),
            lines=(
                _(
                    "Your address, your digests with all editions, what you follow, what you said about papers, saved papers, API tokens, and where you are signed in are deleted at once. Links in old mails do not work any more. This cannot be undone."
                ),
                _(
                    "If mail to your address bounced or you complained about it, a hash of the address stays, so that nothing is sent there again. Nobody can read the address from it."
                ),
                _(
                    "A mail that is being sent may still arrive, and backups of the operator have your data until they are replaced. A digest that the operator sends you without a subscription of yours is not one of these."
                ),
            ),
            button=Button(label=_("Delete everything"), action=action, fields=(("token", form_token),)),
        )

    return make_notice


def make_old_session(href: str) -> NoticeFactory:
    """Make the notice that a session is too old for a deletion.

    Args:
        href: the form to sign in.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        return NoticePage(
            title=_("Sign in again"),
            lines=(
                _(
                    "You signed in more than an hour ago. Nothing that is deleted comes back, so a browser that somebody left open is not enough."
                ),
                _("You get a mail with a link. Then open “Delete everything” on your account once more."),
            ),
            links=(Link(label=_("Sign in"), href=href),),
        )

    return make_notice


def make_deleted(locale: Locale) -> NoticePage:
    """Make the notice that everything of a reader is deleted."""
    _ = locale.gettext
    return NoticePage(
        title=_("Everything is deleted"), lines=(_("You are signed out, and no more digests come."),)
    )
