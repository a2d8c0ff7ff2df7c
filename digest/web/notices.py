"""What the small pages say."""

from __future__ import annotations

from collections.abc import Callable

from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.web_pages import Button, NoticePage
from digest.store.subscribers.subscribers import Subscriber

NoticeFactory = Callable[[Locale], NoticePage]
"""A notice in whatever language."""


def make_unknown_link(locale: Locale) -> NoticePage:
    """A link is none of ours."""
    _ = locale.gettext
    return NoticePage(
        title=_("This link does not work"),
        lines=(
            _("A part of it may be missing."),
            _("Open the link in your mail or feed reader again, or copy all of it."),
        ),
    )


def make_front(locale: Locale) -> NoticePage:
    """Who wants the site itself."""
    _ = locale.gettext
    line = _("This site has pages for single mails and feeds: follow the links in yours.")
    return NoticePage(title=_("There is no page here"), lines=(line,))


def make_front_with_feeds(links: tuple[Link, ...]) -> NoticeFactory:
    """Who wants the site itself, where there are feeds for everybody.

    Args:
        links: to these.
    """

    def make_notice(locale: Locale) -> NoticePage:
        _ = locale.gettext
        line = _("Anyone can subscribe with a feed reader:")
        return NoticePage(title=_("What is new"), lines=(line,), links=links)

    return make_notice


def make_feed_ended(locale: Locale) -> NoticePage:
    """A digest has no feed any more."""
    _ = locale.gettext
    line = _("It gets no new entries. You can remove it from your feed reader.")
    return NoticePage(title=_("This feed has ended"), lines=(line,))


def make_not_allowed(locale: Locale) -> NoticePage:
    """What is asked for is not among what can be done."""
    _ = locale.gettext
    return NoticePage(
        title=_("This is not possible here"), lines=(_("Open the link in your mail or feed reader again."),)
    )


def make_too_long(locale: Locale) -> NoticePage:
    """Too much was sent."""
    _ = locale.gettext
    return NoticePage(
        title=_("The request is too long"), lines=(_("Your request is longer than this site accepts."),)
    )


def make_try_later(locale: Locale) -> NoticePage:
    """Something fails that may work again."""
    _ = locale.gettext
    return NoticePage(
        title=_("Please try again in a minute"),
        lines=(_("This site has a problem at the moment. Nothing was changed."),),
    )


def make_failed(locale: Locale) -> NoticePage:
    """We have made a mistake."""
    _ = locale.gettext
    line = _("The error is ours, and the operator has been notified. Please try again later.")
    return NoticePage(title=_("Something went wrong"), lines=(line,))


def make_subscription(subscriber: Subscriber, token: str, locale: Locale) -> NoticePage:
    """What a reader can do about a digest: stop it, or get it again.

    Args:
        subscriber: who, and how it stands.
        token: of the link that led here.
        locale: their language.
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
    """What a reader is told who wanted to get a digest again."""
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
    """The address as who has it knows it, and as nobody learns it to whom the mail was passed on."""
    if not subscriber.mailbox:
        # Translators: where a digest goes, and by which way: "a folder (files)".
        return locale.gettext("a folder (%(channel)s)", channel=subscriber.channel)
    name, _, domain = subscriber.address.rpartition("@")
    return f"{name[:1]}•••@{domain}"
