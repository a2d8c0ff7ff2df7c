"""The texts of small pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from digest.core.delivery.signup_links import INVITATION_LIFETIME, LINK_LIFETIME
from digest.core.subscribers.signup_rules import MAX_DIGESTS, MAX_MAILS, MIN_INTERVAL
from digest.model import Schedule
from digest.render.editions.schedules import describe_times
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.web_pages import Button, NoticePage
from digest.store.subscribers.subscribers import Subscriber

NoticeFactory = Callable[[Locale], NoticePage]
"""Makes a notice in a language."""


def make_unknown_link(locale: Locale) -> NoticePage:
    """Make the notice that a link is unknown or invalid."""
    _ = locale.gettext
    return NoticePage(
        title=_("This link does not work"),
        lines=(
            _("A part of it may be missing."),
            _("Open the link in your mail or feed reader again, or copy all of it."),
        ),
    )


def make_front(locale: Locale) -> NoticePage:
    """Make the page at the site's own address."""
    _ = locale.gettext
    line = _("This site has pages for single mails and feeds: follow the links in yours.")
    return NoticePage(title=_("There is no page here"), lines=(line,))


def make_front_with_feeds(links: tuple[Link, ...]) -> NoticeFactory:
    """Make the page at the site's own address if there are public feeds.

    Args:
        links: links to the public feeds.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        line = _("Anyone can subscribe with a feed reader:")
        return NoticePage(title=_("What is new"), lines=(line,), links=links)

    return make_notice


def make_no_page(locale: Locale) -> NoticePage:
    """Make the notice that a public address has no page."""
    _ = locale.gettext
    line = _("Check the address, or start from the front page.")
    return NoticePage(title=_("There is no page here"), lines=(line,))


def make_bad_address(locale: Locale) -> NoticePage:
    """Make the notice that a part of a public address has no meaning."""
    _ = locale.gettext
    line = _("A part of it has no meaning on this site. Check it, or start from the front page.")
    return NoticePage(title=_("This address is not valid"), lines=(line,))


def make_too_many_requests(locale: Locale) -> NoticePage:
    """Make the notice that too many requests came from one network, or too many searches from everywhere."""
    _ = locale.gettext
    line = _(
        "This site answers a limited number of requests, so that it works for everybody. Wait a moment and try again."
    )
    return NoticePage(title=_("Too many requests"), lines=(line,))


def make_feed_ended(locale: Locale) -> NoticePage:
    """Make the notice that a digest no longer has a feed."""
    _ = locale.gettext
    line = _("It gets no new entries. You can remove it from your feed reader.")
    return NoticePage(title=_("This feed has ended"), lines=(line,))


def make_not_allowed(locale: Locale) -> NoticePage:
    """Make the notice that the requested action does not exist."""
    _ = locale.gettext
    return NoticePage(
        title=_("This is not possible here"), lines=(_("Open the link in your mail or feed reader again."),)
    )


def make_too_long(locale: Locale) -> NoticePage:
    """Make the notice that a request is too long."""
    _ = locale.gettext
    return NoticePage(
        title=_("The request is too long"), lines=(_("Your request is longer than this site accepts."),)
    )


def make_try_later(locale: Locale) -> NoticePage:
    """Make the notice that something failed that may work again soon."""
    _ = locale.gettext
    return NoticePage(
        title=_("Please try again in a minute"),
        lines=(_("This site has a problem at the moment. Nothing was changed."),),
    )


def make_failed(locale: Locale) -> NoticePage:
    """Make the notice that a bug of ours caused an error."""
    _ = locale.gettext
    line = _("The error is ours, and the operator has been notified. Please try again later.")
    return NoticePage(title=_("Something went wrong"), lines=(line,))


def make_bad_mailbox(locale: Locale) -> NoticePage:
    """Make the notice that what was typed is not one e-mail address."""
    _ = locale.gettext
    line = _("Go back and type one address, such as name@example.org.")
    return NoticePage(title=_("This is not an e-mail address"), lines=(line,))


def make_link_sent(locale: Locale) -> NoticePage:
    """Make the answer to each sign-up. It must not tell whether an address is known here."""
    _ = locale.gettext
    return NoticePage(
        title=_("Look into your mail"),
        lines=(
            _(
                "We have sent a link, if mail can be sent there. Open it: one click on its page, and the digest comes."
            ),
            describe_limits(locale),
            _(
                "Does mail from here not arrive any more? An old mail of a digest has a link at its foot, on whose page you can resume it."
            ),
        ),
    )


def describe_lifetime(locale: Locale) -> str:
    """Say how long a link is valid."""
    hours = locale.number(LINK_LIFETIME // timedelta(hours=1))
    return locale.gettext("A link is valid for %(hours)s hours.", hours=hours)


def describe_limits(locale: Locale) -> str:
    """Say what to do if no mail comes, and how often one can come."""
    return locale.gettext(
        "Nothing after some minutes? Look into the folder for spam. An address gets a link once in %(minutes)s minutes, and %(mails)s times a day.",
        minutes=locale.number(MIN_INTERVAL // timedelta(minutes=1)),
        mails=locale.number(MAX_MAILS),
    )


def make_one_more_click(
    digest: str, schedule: Schedule, token: str, query: str, *, signs_in: bool
) -> NoticeFactory:
    """Make the page to which a link leads: one button, and what it brings.

    Args:
        digest: the title of the digest.
        schedule: when it comes.
        token: the token of the link.
        query: the query of a search, which the title may shorten; "" for a public digest.
        signs_in: whether the button also signs in.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        warning = (
            _("The button also signs you in, in this browser. Give the link to nobody.") if signs_in else ""
        )
        label = _("Get new papers of this search") if query else _("Get %(digest)s", digest=digest)
        return NoticePage(
            title=_("One more click"),
            lines=tuple(filter(None, (remove_unprintable(query), describe_times(schedule, locale), warning))),
            button=Button(label=label, action=token, fields=(("zone", ""),)),
        )

    return make_notice


def make_subscribed(locale: Locale) -> NoticePage:
    """Make the notice that somebody is subscribed now."""
    _ = locale.gettext
    return NoticePage(
        title=_("You are subscribed"),
        lines=(
            _("The first edition is on its way."),
            _("Each mail has links to pause it, and to leave again with one click."),
        ),
    )


def make_used_link(locale: Locale) -> NoticePage:
    """Make the notice that the link of a sign-up was used already."""
    _ = locale.gettext
    return NoticePage(
        title=_("This link was used"),
        lines=(
            _("It works once, and somebody has pressed its button. If mail does not come, sign up again."),
        ),
    )


def make_too_many_digests(locale: Locale) -> NoticePage:
    """Make the notice that a reader has as many digests as one can have."""
    _ = locale.gettext
    line = _(
        "You have %(number)s digests. Leave one of them by the link in its mails, and open this link again.",
        number=locale.number(MAX_DIGESTS),
    )
    return NoticePage(title=_("There is no room for one more"), lines=(line,))


def make_invalid_link(locale: Locale) -> NoticePage:
    """Make the notice that the link of a sign-up or an invitation is not valid any more."""
    _ = locale.gettext
    line = _(
        "A link is valid for %(hours)s hours, and that of an invitation for %(days)s days. Sign up again, or ask to be invited again, and a new one comes.",
        hours=locale.number(LINK_LIFETIME // timedelta(hours=1)),
        days=locale.number(INVITATION_LIFETIME // timedelta(days=1)),
    )
    return NoticePage(title=_("This link does not work any more"), lines=(line,))


def make_signin_sent(locale: Locale) -> NoticePage:
    """Make the answer to each request to sign in. It must not tell whether an address is known here."""
    _ = locale.gettext
    return NoticePage(
        title=_("Look into your mail"),
        lines=(
            _(
                "If this is the address of a reader of this site, we have sent a link to it. Open it to sign in."
            ),
            describe_limits(locale),
        ),
    )


def make_signin_button(token: str) -> NoticeFactory:
    """Make the page to which a link to sign in leads: one button, and nothing else."""

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        return NoticePage(
            title=_("One more click"), lines=(), button=Button(label=_("Sign in"), action=token)
        )

    return make_notice


def make_used_signin(href: str) -> NoticeFactory:
    """Make the notice that a link to sign in was used already.

    Args:
        href: the page on which to ask for another one.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        line = _("It works once, and somebody has pressed its button.")
        return NoticePage(
            title=_("This link was used"),
            lines=(line,),
            links=(Link(label=_("Get another link"), href=href),),
        )

    return make_notice


def make_invalid_signin(href: str) -> NoticeFactory:
    """Make the notice that a link to sign in is not valid any more.

    Args:
        href: the page on which to ask for another one.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        line = describe_lifetime(locale)
        return NoticePage(
            title=_("This link does not work any more"),
            lines=(line,),
            links=(Link(label=_("Get another link"), href=href),),
        )

    return make_notice


def make_subscription(subscriber: Subscriber, token: str, locale: Locale) -> NoticePage:
    """Make the page on which a reader can stop a digest, or subscribe again.

    Args:
        subscriber: the subscriber, with its current state.
        token: the token of the link to this page.
        locale: the subscriber's language.
    """
    _, names = locale.gettext, _make_names(subscriber, locale)
    if subscriber.stopped:
        return NoticePage(
            title=_("You are unsubscribed"),
            lines=(_("%(digest)s is no longer sent to %(where)s.", **names),),
            button=Button(label=_("Subscribe again"), action=f"../subscribe/{token}"),
            aside=_("Unsubscribed by mistake?"),
        )
    if subscriber.came_back and not subscriber.digest_ended:
        line = _("%(digest)s is currently not sent to %(where)s, because mail bounced.", **names)
        return NoticePage(
            title=_("Mail bounced"),
            lines=(line,),
            button=Button(label=_("Resume delivery"), action=f"../subscribe/{token}"),
            aside=_("Does your address accept mail again?"),
        )
    unsubscribe_button = Button(label=_("Unsubscribe"), action=f"../unsubscribe/{token}")
    if subscriber.digest_ended or not subscriber.active:
        return NoticePage(
            title=_("Delivery has ended"),
            lines=(
                _(
                    "%(digest)s is no longer sent to %(where)s, because the operator ended the delivery.",
                    **names,
                ),
                _(
                    "If you unsubscribe here, you will not receive it even if the operator resumes the delivery."
                ),
            ),
            button=unsubscribe_button,
            aside=_("To make sure:"),
        )
    line = _("%(digest)s is sent to %(where)s. Press the button to stop it at once.", **names)
    return NoticePage(title=_("Unsubscribe?"), lines=(line,), button=unsubscribe_button)


def make_resubscription(subscriber: Subscriber, token: str, locale: Locale) -> NoticePage:
    """Make the notice for a reader who wanted to subscribe again."""
    _, names = locale.gettext, _make_names(subscriber, locale)
    if subscriber.active and not subscriber.digest_ended:
        return NoticePage(
            title=_("You are subscribed again"),
            lines=(_("%(digest)s is sent to %(where)s again, starting with the next edition.", **names),),
            button=Button(label=_("Unsubscribe"), action=f"../unsubscribe/{token}"),
            aside=_("Did you not want this?"),
        )
    line = _("The operator no longer sends %(digest)s to %(where)s. Please ask the operator.", **names)
    return NoticePage(title=_("You cannot resume it here"), lines=(line,))


def _make_names(subscriber: Subscriber, locale: Locale) -> dict[str, str]:
    return {"digest": subscriber.title, "where": mask_address(subscriber, locale)}


def mask_address(subscriber: Subscriber, locale: Locale) -> str:
    """Mask an address so that its owner recognizes it, but readers of a forwarded mail do not learn it."""
    if not subscriber.mailbox:
        # Translators: where a digest goes, and by which way: "a folder (files)".
        return locale.gettext("a folder (%(channel)s)", channel=subscriber.channel)
    if subscriber.made_on_site:
        # Links in old mails go on working, but must not tell to which address their reader has changed.
        return locale.gettext("your address")
    return mask_mailbox(subscriber.address)


def mask_mailbox(address: str) -> str:
    """Mask an e-mail address."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}•••@{domain}"
