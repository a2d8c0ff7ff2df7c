"""The page of a digest that a reader made: what it follows, when it comes, and how; and the preview of its next edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import NamedTuple
from urllib.parse import urlencode

import jinja2
from markupsafe import Markup

from digest.core.papers.taxonomy import list_categories
from digest.core.people.profile import PersonProfile
from digest.core.publishing.address_parts import join_address
from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.follow_preview import FollowPreview
from digest.core.subscribers.own_digest import (
    MAX_EXCLUSIONS,
    MAX_FOLLOWS,
    MAX_LIBRARY_PAPERS,
    EditMistake,
    FollowCounts,
    OwnDigestDetails,
    OwnFollow,
    count_own_follows,
    is_library_paper,
    is_search_digest,
    list_next_dates,
)
from digest.core.subscribers.schedule_choice import list_zones, read_schedule_choice
from digest.model import Abstracts, Arrangement, Edition, EventKind
from digest.render.branding import Branding
from digest.render.editions.schedules import describe_schedule, list_weekdays
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.account import describe_state
from digest.render.publishing.account_pages.destinations.own_destinations import make_destination_variables
from digest.render.publishing.account_pages.follow_choices import (
    PersonChoice,
    PreviewRows,
    make_person_choices,
    make_preview_rows,
)
from digest.render.publishing.account_pages.mistakes import describe_mistake
from digest.render.publishing.public_pages.links import (
    ACCOUNT_PATH,
    OWN_DIGESTS_PATH,
    PublicSite,
    make_public_links,
)
from digest.render.publishing.public_pages.search import MarkedMistake, QueryMistake, mark_mistake
from digest.render.publishing.web_pages import make_page_variables

_SHOWN_DATES = 3
_WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)
_LIMITS = (5, 10, 25, 50, 100, 200)
_FULL_COUNTS = (0, 5, 12, 25, 50)


class Saved(StrEnum):
    """What was just saved, which the page says."""

    FOLLOWS = "follows"
    SCHEDULE = "schedule"
    OPTIONS = "options"
    PAUSE = "pause"
    SENT = "sent"
    NEW = "new"
    DESTINATION = "destination"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigestPage:
    """The content of the page.

    Attributes:
        details: the digest.
        form_token: the token of the forms of the session.
        now: the current time.
        links: where else to go: earlier editions, saved papers, feedback, feeds.
        typed: the query in the field.
        preview: what it would bring; or the mistake in it; or None.
        name: the name in the field for persons.
        persons: the persons who share it; None if nobody was looked for.
        saved: what was just saved; None for nothing.
        mistake: why a change was refused; None if none was.
        services: the services of chats and webhooks that the reader can add.
        new_secret: the key of the webhook that was just added; "" for none.
    """

    details: OwnDigestDetails
    form_token: str
    now: datetime
    links: tuple[Link, ...] = ()
    typed: str = ""
    preview: FollowPreview | QueryMistake | None = None
    name: str = ""
    persons: Sequence[PersonProfile] | None = None
    saved: Saved | None = None
    mistake: EditMistake | None = None
    services: Sequence[str] = ()
    new_secret: str = field(default="", repr=False)


class Option(NamedTuple):
    """A choice of a form."""

    value: str
    label: str
    is_chosen: bool


class FollowRow(NamedTuple):
    """A follow or an exclusion in words.

    Attributes:
        text: the text as typed.
        query: its canonical form.
        only: the query of the follow that an exclusion applies to; "" for the digest.
        notes: what is unusual about it.
        weights: the weights to choose from.
        is_alert: whether matches are sent at once.
        href: where it is previewed.
    """

    text: str
    query: str
    only: str
    notes: str
    weights: tuple[Option, ...]
    is_alert: bool
    href: str


def format_own_digest_address(digest_id: int, language: str = "") -> str:
    """Return the path of the page of a digest, in a language, which is "" for that of the site."""
    return format_page_address(f"{OWN_DIGESTS_PATH}/{digest_id}", language)


def format_saved_address(digest_id: int, language: str, saved: Saved) -> str:
    """Return the path of the page of a digest after something was saved."""
    return join_address(f"{OWN_DIGESTS_PATH}/{digest_id}", {"lang": language, "saved": saved.value})


def format_preview_address(digest_id: int, language: str = "") -> str:
    """Return the path of the preview of a digest's next edition."""
    return format_page_address(f"{OWN_DIGESTS_PATH}/{digest_id}/preview", language)


def format_import_address(digest_id: int, language: str = "") -> str:
    """Return the path of the page on which a reader imports into a digest."""
    return format_page_address(f"{OWN_DIGESTS_PATH}/{digest_id}/import", language)


def render_own_digest(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: OwnDigestPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, details = branding.locale, page.details
    language = site.language_parameter
    address = format_own_digest_address(details.id, language)
    counts = count_own_follows(details.follows)
    follows = [entry for entry in details.follows if not entry.exclude and not is_library_paper(entry)]
    exclusions = [entry for entry in details.follows if entry.exclude]
    dates = list_next_dates(details.summary, _SHOWN_DATES, page.now)
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_own_digest_address(details.id, name)),
        "title": remove_unprintable(details.summary.title),
        "account": site.link(format_page_address(ACCOUNT_PATH, language)),
        "state": describe_state(details.summary, locale),
        "is_paused": details.summary.paused_until is not None or details.summary.state == "paused",
        "schedule": describe_schedule(details.summary.schedule, locale),
        "dates": [locale.format_clock(date, page.now, details.summary.zone) for date in dates],
        "saved": _describe_saved(page.saved, locale) if page.saved else "",
        "mistake": describe_mistake(page.mistake, locale) if page.mistake else "",
        "action": site.link(address),
        "path": site.link(format_own_digest_address(details.id)),
        "language": language,
        "form_token": page.form_token,
        "follows": [_make_follow_row(entry, follows, site.link(address), locale) for entry in follows],
        "exclusions": [_make_follow_row(entry, follows, site.link(address), locale) for entry in exclusions],
        "library": _describe_library(counts.papers, locale),
        "counts": _count_follows(counts, locale),
        "import_href": site.link(format_import_address(details.id, language)),
        "origin": _describe_origin(details, locale),
        "preview_href": site.link(format_preview_address(details.id, language)),
        "links": page.links,
        **_make_choice_variables(page, site, locale),
        **_make_schedule_variables(details, locale),
        **_make_option_variables(details, site, locale),
        **make_destination_variables(details.destinations, page.services, page.new_secret, locale),
    }
    return fill(environment, "web/own_digest.html", variables).encode()


def render_preview(
    environment: jinja2.Environment, branding: Branding, edition: Edition, action: str, form_token: str
) -> bytes:
    """Render the edition that would come now, with a button to have it sent.

    Args:
        environment: the templates.
        branding: the branding.
        edition: the edition.
        action: the address of the digest's page.
        form_token: the token of the session's forms.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = make_page_variables(edition, branding, (), page="")
    variables |= {"action": action, "form_token": form_token}
    return fill(environment, "web/edition_preview.html", variables).encode()


# --- follows --------------------------------------------------------------------------------------


def _make_follow_row(
    follow: OwnFollow, follows: Sequence[OwnFollow], action: str, locale: Locale
) -> FollowRow:
    _ = locale.gettext
    notes = []
    if follow.query != follow.text:
        notes.append(_("read as: %(query)s", query=remove_unprintable(follow.query)))
    if follow.weight > 1:
        notes.append(_("more important"))
    if follow.weight < 1:
        notes.append(_("less important"))
    if follow.alert:
        notes.append(_("sent at once"))
    if follow.only:
        narrowed = next((entry.text for entry in follows if entry.query == follow.only), follow.only)
        notes.append(_("only from: %(follow)s", follow=remove_unprintable(narrowed)))
    return FollowRow(
        text=remove_unprintable(follow.text),
        query=follow.query,
        only=follow.only,
        notes=" · ".join(notes),
        weights=_list_weights(follow.weight, locale),
        is_alert=follow.alert,
        href=f"{action}{'&' if '?' in action else '?'}{urlencode({'q': follow.text})}#add",
    )


def _list_weights(weight: float, locale: Locale) -> tuple[Option, ...]:
    _ = locale.gettext
    labels = (_("a quarter"), _("half"), _("as usual"), _("twice"), _("four times"))
    options = [
        Option(str(value), label, value == weight) for value, label in zip(_WEIGHTS, labels, strict=True)
    ]
    if weight not in _WEIGHTS:  # a public digest can have others
        options.append(Option(str(weight), f"{weight:g}", is_chosen=True))
    return tuple(options)


def _count_follows(counts: FollowCounts, locale: Locale) -> str:
    counted = locale.gettext(
        "%(follows)s of %(max_follows)s follows, %(exclusions)s of %(max_exclusions)s exclusions",
        follows=locale.number(counts.follows),
        max_follows=locale.number(MAX_FOLLOWS),
        exclusions=locale.number(counts.exclusions),
        max_exclusions=locale.number(MAX_EXCLUSIONS),
    )
    papers = locale.gettext(
        "%(papers)s of %(max_papers)s papers of a library",
        papers=locale.number(counts.papers),
        max_papers=locale.number(MAX_LIBRARY_PAPERS),
    )
    return f"{counted} · {papers}"


def _describe_library(paper_count: int, locale: Locale) -> str:
    """Say how many papers of a library a digest follows; "" for none."""
    if not paper_count:
        return ""
    return locale.ngettext("%(num)s paper of your library", "%(num)s papers of your library", paper_count)


def _describe_origin(details: OwnDigestDetails, locale: Locale) -> str:
    """Say whether changes of the public digest reach this one; "" if it is of no public digest."""
    if not details.public_digest or is_search_digest(details.public_digest):
        return ""
    if details.is_customized:
        return locale.gettext(
            "You have changed this digest, so changes that its makers make no longer reach it."
        )
    return locale.gettext(
        "Changes that the makers of this digest make reach it, until you change it yourself."
    )


def _make_choice_variables(page: OwnDigestPage, site: PublicSite, locale: Locale) -> dict[str, object]:
    preview: PreviewRows | None = None
    mistake: MarkedMistake | None = None
    if isinstance(page.preview, FollowPreview):
        preview = make_preview_rows(page.typed, page.preview, site, locale)
    elif page.preview is not None:
        mistake = mark_mistake(page.preview)
    persons: tuple[PersonChoice, ...] | None = None
    if page.persons is not None:
        persons = make_person_choices(page.persons, site, locale)
    return {
        "typed": remove_unprintable(page.typed),
        "preview": preview,
        "query_mistake": mistake,
        "name": remove_unprintable(page.name),
        "persons": persons,
        "categories": _make_category_options(),
    }


@cache
def _make_category_options() -> Markup:
    """Return the choices of categories, which are the same on every page."""
    option = Markup('<option value="category:{}">{} ({})</option>')
    by_name = sorted(list_categories(), key=lambda category: category[1])
    return Markup("\n").join(option.format(code, name, code) for code, name in by_name)


# --- schedule and options -------------------------------------------------------------------------


def _make_schedule_variables(details: OwnDigestDetails, locale: Locale) -> dict[str, object]:
    schedule = details.summary.schedule
    choice = read_schedule_choice(schedule)
    days = choice.days if choice else ()
    zone = details.summary.zone
    zones = list_zones() if zone in list_zones() else (*list_zones(), zone)
    return {
        "weekdays": [
            Option(str(number), label, number in days) for number, label in enumerate(list_weekdays(locale))
        ],
        "is_monthly": choice is not None and bool(choice.month_day),
        "month_days": [
            Option(str(number), str(number), choice is not None and number == choice.month_day)
            for number in range(1, 32)
        ],
        "at": choice.at if choice else "08:00",
        "latest": choice.latest if choice else "",
        "zones": zones,
        "zone": zone,
    }


def _make_option_variables(details: OwnDigestDetails, site: PublicSite, locale: Locale) -> dict[str, object]:
    options = details.options
    return {
        "is_mailed": details.is_mailed,
        "has_feed": options.feed,
        "languages": [
            Option(language.name, language.title, language.name == options.language)
            for language in site.languages
        ],
        "limits": _list_numbers(_LIMITS, options.limit, locale),
        "full_counts": _list_numbers(_FULL_COUNTS, options.full, locale),
        "abstracts": _list_named(_describe_abstracts(locale), options.abstracts),
        "arrangements": _list_named(_describe_arrangements(locale), options.arrange),
        "kinds": [
            Option(kind.value, label, kind in options.kinds)
            for kind, label in _describe_kinds(locale).items()
        ],
        "tells_empty": options.when_empty == "tell",
    }


def _list_numbers(choices: Sequence[int], chosen: int, locale: Locale) -> list[Option]:
    return [
        Option(str(number), locale.number(number), number == chosen) for number in sorted({*choices, chosen})
    ]


def _list_named(labels: Mapping[Abstracts, str] | Mapping[Arrangement, str], chosen: str) -> list[Option]:
    return [Option(value.value, label, value == chosen) for value, label in labels.items()]


def _describe_abstracts(locale: Locale) -> dict[Abstracts, str]:
    _ = locale.gettext
    return {
        Abstracts.KEY: _("what is new and why it matches"),
        Abstracts.FIRST: _("the first sentences"),
        Abstracts.FULL: _("all of it"),
        Abstracts.NONE: _("nothing"),
    }


def _describe_arrangements(locale: Locale) -> dict[Arrangement, str]:
    _ = locale.gettext
    return {Arrangement.RANKED: _("by rank"), Arrangement.BY_FOLLOW: _("under what you follow")}


def _describe_kinds(locale: Locale) -> dict[EventKind, str]:
    _ = locale.gettext
    return {
        EventKind.NEW: _("new papers"),
        EventKind.PICKED: _("papers picked by editors or votes"),
        EventKind.TRENDING: _("papers that begin to gather votes"),
        EventKind.VERSION: _("new versions"),
        EventKind.PUBLISHED: _("publications in journals"),
        EventKind.CODE: _("code that was found later"),
    }


# --- notices --------------------------------------------------------------------------------------


def _describe_saved(saved: Saved, locale: Locale) -> str:
    _ = locale.gettext
    match saved:
        case Saved.FOLLOWS:
            return _("Saved. It counts from the next edition on, with all that came since the last one.")
        case Saved.SCHEDULE | Saved.OPTIONS | Saved.DESTINATION:
            return _("Saved. It counts from the next edition on.")
        case Saved.PAUSE:
            return _("Saved.")
        case Saved.SENT:
            return _("If there is anything new, an edition is on its way. It takes a few minutes.")
        case Saved.NEW:
            return _("Your new digest is here. Its first edition is on its way.")
        case Saved.REMOVED:
            return _("Removed. Nothing more is sent there.")
