"""The pages of a day: its papers in groups, filters and orders, and how complete the day is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import NamedTuple

import jinja2

from digest.core.publishing.addresses import DayAddress, Order, Tab, format_day_address, is_filter_name
from digest.core.publishing.day_entries import EntryPage
from digest.model import Batch, Event, Signal
from digest.render.branding import Branding
from digest.render.editions.completeness import Completeness, describe_completeness
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.pagination import (
    PageChoice,
    Pagination,
    extend_numbered,
    make_pagination,
)
from digest.render.publishing.public_pages.papers.cards import format_category, make_cards

_ZONE = "UTC"
"""The zone of times on public pages, which are the same for everybody."""
_MAX_CATEGORY_LABEL = 60


class DayStep(NamedTuple):
    """A step to other days.

    Attributes:
        label: the size of the step, in words.
        older: the link to an earlier day; None if there is none.
        newer: the link to a later day; None if there is none.
    """

    label: str
    older: Link | None
    newer: Link | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPage:
    """The content of a page.

    Attributes:
        address: its address.
        entry_page: which papers of how many it shows.
        events: the events of these papers.
        gains: votes gained lately, by number of the event.
        tabs: the groups that have papers, with their numbers.
        categories: the categories of the group, with their numbers of papers.
        orders: the orders for which there are numbers.
        batches: how complete each section of the day is.
        steps: pairs of an older and a newer day: by day, week and month.
    """

    address: DayAddress
    entry_page: EntryPage
    events: Sequence[Event]
    gains: Mapping[int, Signal]
    tabs: Mapping[Tab, int]
    categories: Sequence[tuple[str, int]]
    orders: Sequence[Order]
    batches: Sequence[Batch]
    steps: Sequence[tuple[date | None, date | None]]


def render_daily_page(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: DailyPage
) -> bytes:
    """Render a page of a day.

    Raises:
        RenderError: a template is missing or broken.
    """
    page = replace(page, address=replace(page.address, language=site.language_parameter))
    address, locale = page.address, branding.locale
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_day_address(replace(address, language=name))),
        "day": locale.whole_day(address.day),
        "account": describe_day(page.batches, address.day, branding),
        "steps": _make_steps(page, site, locale),
        "is_trending": address.tab is Tab.TRENDING,
        "total": locale.ngettext("%(num)s paper", "%(num)s papers", page.entry_page.total),
        "cards": make_cards(page.events, page.gains, site, branding),
        "pagination": _paginate(page, site, locale),
        **extend_numbered(page.entry_page.number, page.entry_page.pages, page.events, locale)._asdict(),
        **_make_choices(page, site, locale),
    }
    return fill(environment, "web/papers.html", variables).encode()


def _make_choices(page: DailyPage, site: PublicSite, locale: Locale) -> dict[str, object]:
    """Make the groups, and the form of filters and orders, in which each choice keeps the others."""
    address, first_page = page.address, replace(page.address, page=1)
    tabs = [
        (label, tab, DayAddress(day=address.day, tab=tab, language=address.language))
        for tab, label in _label_tabs(page.tabs, locale)
    ]
    categories = [
        (_label_category(name, count, locale), name, replace(first_page, category=name))
        for name, count in page.categories
        if is_filter_name(name)
    ]
    orders = [
        (label, order, replace(first_page, order=order))
        for order, label in _label_orders(page.orders, address.tab, locale)
    ]
    return {
        "tabs": _link_choices(tabs, address.tab, site),
        "categories": _link_choices(categories, address.category, site),
        "orders": _link_choices(orders, address.order, site),
        "has_code": address.has_code,
        "has_filter": bool(address.category or address.has_code),
        "unfiltered": site.link(format_day_address(replace(first_page, category="", has_code=False))),
        "tab": "" if address.tab is Tab.NEW else address.tab.value,
        "language": address.language,
        "action": site.link(format_day_address(DayAddress(day=address.day))),
    }


def _link_choices(
    choices: Iterable[tuple[str, str, DayAddress]], current: str, site: PublicSite
) -> list[PageChoice]:
    return [
        PageChoice(label, str(value), site.link(format_day_address(address)), value == current)
        for label, value, address in choices
    ]


def _paginate(page: DailyPage, site: PublicSite, locale: Locale) -> Pagination:
    return make_pagination(
        page.entry_page.number,
        page.entry_page.pages,
        lambda number: site.link(format_day_address(replace(page.address, page=number))),
        locale,
    )


def describe_day(batches: Sequence[Batch], day: date, branding: Branding) -> Completeness:
    """Describe how complete a day is, with times that depend on nothing but the day and its batches."""
    noon = datetime.combine(day, time(12), UTC)
    now = max([noon, *(batch.asked_at for batch in batches if batch.asked_at is not None)])
    account = describe_completeness(batches, branding.source_titles, now, _ZONE, branding.locale)
    # Without batches there is one sentence, which is about editions and says no more than the summary.
    return account if batches else replace(account, settled=())


def _make_steps(page: DailyPage, site: PublicSite, locale: Locale) -> list[DayStep]:
    _ = locale.gettext
    make_link = _make_day_linker(site, locale)
    # Translators: the size of a step to an earlier or later day.
    labels = (_("Day"), _("Week"), _("Month"))
    return [
        DayStep(label, make_link(older) if older else None, make_link(newer) if newer else None)
        for label, (older, newer) in zip(labels, page.steps, strict=True)
        if older or newer
    ]


def _make_day_linker(site: PublicSite, locale: Locale) -> Callable[[date], Link]:
    def make_link(day: date) -> Link:
        address = DayAddress(day=day, language=site.language_parameter)
        return Link(label=locale.short_day(day), href=site.link(format_day_address(address)))

    return make_link


def _label_tabs(tabs: Mapping[Tab, int], locale: Locale) -> list[tuple[Tab, str]]:
    _ = locale.gettext
    labels = {
        # Translators: a tab above a list of papers, like the next four.
        Tab.NEW: _("New"),
        Tab.PICKED: _("Picked"),
        Tab.TRENDING: _("Trending"),
        Tab.VERSIONS: _("New versions"),
        # Translators: papers that were published, got code, or were announced with more details.
        Tab.UPDATES: _("News of earlier papers"),
    }
    return [(tab, f"{labels[tab]} {locale.number(count)}") for tab, count in tabs.items()]


def _label_orders(orders: Sequence[Order], tab: Tab, locale: Locale) -> list[tuple[Order, str]]:
    _ = locale.gettext
    labels = {
        # Translators: an order of papers: as they were announced.
        Order.LISTING: _("as trending") if tab is Tab.TRENDING else _("as announced"),
        # Translators: an order of papers, like the next two.
        Order.VOTES: _("by votes"),
        Order.COMMENTS: _("by comments"),
        Order.CITATIONS: _("by citations"),
    }
    return [(order, labels[order]) for order in orders]


def _label_category(name: str, count: int, locale: Locale) -> str:
    label = remove_unprintable(format_category(name))[:_MAX_CATEGORY_LABEL]
    # Translators: a category and its number of papers: "cs.DC Distributed Computing (12)".
    return locale.gettext("%(category)s (%(number)s)", category=label, number=locale.number(count))
