"""Handler of the pages of days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastapi import Request, Response

from digest.core.papers.taxonomy import canonicalize_category, is_known_category
from digest.core.publishing import day_entries
from digest.core.publishing.addresses import (
    DayAddress,
    Order,
    Tab,
    format_day_address,
    format_page_address,
    parse_day_address,
    parse_page_language,
)
from digest.core.publishing.day_entries import DayEntry, EntryPage
from digest.jobs.publishing.daily_papers import LoadedDay
from digest.render.publishing.public_pages.daily import DailyPage, render_daily_page
from digest.render.publishing.public_pages.links import FRONT_PATH
from digest.web.publishing.public_responder import PublicResponder, PublicView, get_query, is_at


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyRoutes:
    """The handler of the pages of days."""

    public: PublicResponder

    def show_newest(self, request: Request) -> Response:
        """Redirect to the newest day; to the front page, which says so, while there is none."""
        view = self.public.find_view(parse_page_language(get_query(request)))
        day = self.public.daily_papers.find_newest_day()
        if day is None:
            return self.public.redirect(
                format_page_address(FRONT_PATH, view.site.language_parameter), status=302
            )
        address = DayAddress(day=day, language=view.site.language_parameter)
        return self.public.redirect(format_day_address(address), status=302)

    def show(self, day: str, request: Request) -> Response:
        """Show papers of a day."""
        if not _resembles_day(day):
            return self.public.make_not_found(request)
        address = parse_day_address(day, get_query(request))
        view = self.public.find_view(address.language)
        address = _normalize(address, view)
        canonical = format_day_address(address)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        loader = self.public.daily_papers
        version = loader.read_version(address.day)
        if version is None:
            return self.public.make_not_found(request)
        if (cached := self.public.find_page(canonical, request, version)) is not None:
            return cached
        page = make_daily_page(address, loader.load_day(address.day, version))
        if page is None:
            return self.public.make_not_found(request)

        def render() -> bytes:
            events = loader.load_events([entry.seq for entry in page.entry_page.entries])
            bundle = view.bundle
            return render_daily_page(
                bundle.environment, bundle.branding, view.site, replace(page, events=events)
            )

        return self.public.make_page(canonical, request, version, render)


def _resembles_day(text: str) -> bool:
    """Return whether a text is written like a day, even if the calendar has no such day."""
    return len(text) == len("2026-06-12") and text[:4].isascii()


def _normalize(address: DayAddress, view: PublicView) -> DayAddress:
    """Return the address as it is canonical: with the category as arXiv writes it, and without the site's language."""
    category = canonicalize_category(address.category)
    return replace(address, category=category, language=view.site.language_parameter)


def make_daily_page(address: DayAddress, loaded: LoadedDay) -> DailyPage | None:
    """Choose what a page shows, still without its events; None if there is no such page.

    Args:
        address: the address of the page.
        loaded: the papers of the day.
    """
    entries_by_tab = {
        tab: loaded.trending if tab is Tab.TRENDING else day_entries.select_tab(loaded.entries, tab)
        for tab in Tab
    }
    tab_entries = entries_by_tab[address.tab]
    if address.tab is Tab.TRENDING and not tab_entries:
        return None
    categories = day_entries.count_categories(tab_entries)
    is_category = address.category in dict(categories) or is_known_category(address.category)
    entry_page = _find_entry_page(address, tab_entries)
    if entry_page is None or (address.category and not is_category):
        return None
    near = loaded.version.neighbours
    return DailyPage(
        address=address,
        entry_page=entry_page,
        events=(),
        gains=loaded.gains if address.tab is Tab.TRENDING else {},
        tabs={tab: len(entries) for tab, entries in entries_by_tab.items() if entries},
        categories=categories,
        orders=_list_orders(tab_entries),
        batches=loaded.batches,
        steps=(
            (near.older, near.newer),
            (near.week_older, near.week_newer),
            (near.month_older, near.month_newer),
        ),
    )


def _find_entry_page(address: DayAddress, entries: Sequence[DayEntry]) -> EntryPage | None:
    filtered = day_entries.filter_entries(entries, address)
    return day_entries.take_page(day_entries.sort_entries(filtered, address.order), address.page)


def _list_orders(entries: Sequence[DayEntry]) -> list[Order]:
    """List the orders for which some paper has a number."""
    kinds = {kind for entry in entries for kind, value in entry.counts.items() if value}
    return [order for order in Order if order is Order.LISTING or order.value in kinds]
