"""The page "Your account": what a reader gets, and where they are signed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import jinja2

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.own_digest import EditMistake, OwnDigest, OwnDigestState, list_next_dates
from digest.core.subscribers.sessions import Session
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.render.branding import Branding
from digest.render.editions.schedules import describe_schedule
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.mistakes import describe_mistake
from digest.render.publishing.account_pages.sections import OWN_FEEDS_PATH, list_section_links
from digest.render.publishing.account_pages.tokens.section import (
    TokenSection,
    describe_token_mistake,
    make_token_section,
)
from digest.render.publishing.public_pages.links import (
    ACCOUNT_IMPORT_PATH,
    ACCOUNT_PATH,
    CHANGE_PATH,
    DELETE_PATH,
    EXPORT_PATH,
    OPERATOR_PATH,
    OWN_DIGESTS_PATH,
    PublicSite,
    make_public_links,
)

_SHOWN_DATES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPage:
    """The content of the page.

    Attributes:
        session: the session of the browser that shows it.
        digests: the digests of the reader, each with the address of the page that manages it.
        sessions: all sessions of the reader, newest first.
        form_token: the token of the forms of the session.
        is_operator: whether the reader is an operator, too.
        now: the current time.
        tokens: the API tokens of the reader.
        mistake: why a new digest was refused; None if none was.
    """

    session: Session
    digests: Sequence[tuple[OwnDigest, str]]
    sessions: Sequence[Session]
    form_token: str
    is_operator: bool = False
    now: datetime
    tokens: TokenSection
    mistake: EditMistake | None = None


class OwnDigestRow(NamedTuple):
    """A digest of the reader.

    Attributes:
        title: its title.
        href: the address of the page that manages it.
        state: whether editions come, in words.
        schedule: the schedule in words.
        dates: when the next editions come.
        links: the pages about it: earlier editions, saved papers, feedback, feeds.
    """

    title: str
    href: str
    state: str
    schedule: str
    dates: str
    links: tuple[Link, ...]


class SessionRow(NamedTuple):
    """A browser in which the reader is signed in.

    Attributes:
        number: the number of the session.
        label: the browser.
        details: since when, and when it was last used.
        is_current: whether it is the browser that shows the page.
    """

    number: int
    label: str
    details: str
    is_current: bool


def render_account(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: AccountPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_page_address(ACCOUNT_PATH, name)),
        "address": page.session.address,
        "own_digests": [
            _make_digest_row(digest, href, page.now, site, locale) for digest, href in page.digests
        ],
        "all_feeds": site.link(OWN_FEEDS_PATH) if any(digest.has_feed for digest, _ in page.digests) else "",
        "sessions": [_make_session_row(session, page.session, locale) for session in page.sessions],
        "action": site.link(format_page_address(ACCOUNT_PATH, site.language_parameter)),
        "digest_count": _count_digests(len(page.digests), locale),
        "export_href": site.link(format_page_address(EXPORT_PATH, site.language_parameter)),
        "import_href": site.link(format_page_address(ACCOUNT_IMPORT_PATH, site.language_parameter)),
        "new_digest": site.link(format_page_address(OWN_DIGESTS_PATH, site.language_parameter)),
        "change_action": site.link(format_page_address(CHANGE_PATH, site.language_parameter))
        if site.has_accounts
        else "",
        "delete_page": site.link(format_page_address(DELETE_PATH, site.language_parameter)),
        "form_token": page.form_token,
        "operator_href": site.link(OPERATOR_PATH) if page.is_operator else "",
        "mistake": _describe_mistake(page, locale),
        "api_tokens": make_token_section(page.tokens, site, locale),
    }
    return fill(environment, "web/account.html", variables).encode()


def _describe_mistake(page: AccountPage, locale: Locale) -> str:
    if page.tokens.mistake is not None:
        return describe_token_mistake(page.tokens.mistake, locale)
    return describe_mistake(page.mistake, locale) if page.mistake else ""


def _count_digests(count: int, locale: Locale) -> str:
    return locale.gettext(
        "%(digests)s of %(max_digests)s digests",
        digests=locale.number(count),
        max_digests=locale.number(MAX_DIGESTS),
    )


def _make_digest_row(
    digest: OwnDigest, href: str, now: datetime, site: PublicSite, locale: Locale
) -> OwnDigestRow:
    dates = [
        locale.format_clock(date, now, digest.zone) for date in list_next_dates(digest, _SHOWN_DATES, now)
    ]
    return OwnDigestRow(
        title=remove_unprintable(digest.title),
        href=href,
        state=describe_state(digest, locale),
        schedule=describe_schedule(digest.schedule, locale),
        dates=" · ".join(dates),
        links=list_section_links(digest.id, site, locale),
    )


def describe_state(digest: OwnDigest, locale: Locale) -> str:
    """Say whether editions come, or why none do."""
    _ = locale.gettext
    match digest.state:
        case OwnDigestState.ACTIVE if digest.is_new:
            return _("The first edition is on its way.")
        case OwnDigestState.ACTIVE:
            return _("Active")
        case OwnDigestState.PAUSED if digest.paused_until:
            day = digest.paused_until.astimezone(ZoneInfo(digest.zone)).date()
            return _("Paused until %(day)s", day=locale.whole_day(day))
        case OwnDigestState.PAUSED:
            return _("Paused until you resume it")
        case OwnDigestState.UNSUBSCRIBED:
            return _("Unsubscribed")
        case OwnDigestState.BOUNCED:
            return _("Not sent, because mail bounced")


def _make_session_row(session: Session, current: Session, locale: Locale) -> SessionRow:
    since, seen = session.created_at.astimezone(UTC).date(), session.seen_at.astimezone(UTC).date()
    return SessionRow(
        number=session.id,
        label=_describe_browser(session, locale),
        details=locale.gettext(
            "signed in on %(since)s, last used on %(seen)s",
            since=locale.whole_day(since),
            seen=locale.whole_day(seen),
        ),
        is_current=session.id == current.id,
    )


def _describe_browser(session: Session, locale: Locale) -> str:
    _ = locale.gettext
    browser, system = session.label
    if browser and system:
        # Translators: a browser and an operating system: "Firefox on Linux".
        return _("%(browser)s on %(system)s", browser=browser, system=system)
    return browser or system or _("An unknown browser")
