"""Handlers of the public front page, the page about numbers, style and script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing import day_entries
from digest.core.publishing.addresses import Tab, format_page_address, parse_page_language
from digest.jobs.publishing.daily_papers import LoadedDay
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.front import FrontPage, render_front_page, render_numbers_page
from digest.render.publishing.public_pages.links import FRONT_PATH, NUMBERS_PATH
from digest.web.public import PublicFeedRoutes
from digest.web.publishing.public_responder import (
    PublicResponder,
    PublicView,
    choose_prepared,
    get_query,
    is_at,
)
from digest.web.publishing.static_files import StaticFile

_FRONT_PAPERS = 12
"""Number of papers on the front page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontRoutes:
    """The handlers of the front page and what belongs to all pages.

    Attributes:
        public: the helpers of public pages.
        feeds: the public feeds.
    """

    public: PublicResponder
    feeds: PublicFeedRoutes

    def show(self, request: Request) -> Response:
        """Show the first papers of the newest day, the categories, and the public feeds."""
        day = self.public.daily_papers.find_newest_day()
        version = self.public.daily_papers.read_version(day) if day else None
        loaded = self.public.daily_papers.load_day(day, version) if day and version else None

        def render(view: PublicView) -> bytes:
            bundle = view.bundle
            page = self._make_front(loaded, self.feeds.list_links(bundle.branding.locale))
            return render_front_page(bundle.environment, bundle.branding, view.site, page)

        return self._show_page(request, FRONT_PATH, (day, version), render)

    def show_numbers(self, request: Request) -> Response:
        """Show what each number means."""

        def render(view: PublicView) -> bytes:
            bundle = view.bundle
            return render_numbers_page(bundle.environment, bundle.branding, view.site)

        return self._show_page(request, NUMBERS_PATH, None, render)

    def show_style(self, file: str, request: Request) -> Response:
        """Return the style; its former versions are gone."""
        return self._show_file((self.public.style,), file, request)

    def show_script(self, file: str, request: Request) -> Response:
        """Return a script; its former versions are gone."""
        return self._show_file((self.public.script, self.public.zone_script), file, request)

    def _show_file(self, static_files: Sequence[StaticFile], name: str, request: Request) -> Response:
        for static_file in static_files:
            if name == static_file.name:
                return choose_prepared(static_file.response, request)
        return self.public.make_not_found(request)

    def _show_page(
        self, request: Request, path: str, version: object, render: Callable[[PublicView], bytes]
    ) -> Response:
        """Show a page whose address has only a language."""
        view = self.public.find_view(parse_page_language(get_query(request)))
        canonical = format_page_address(path, view.site.language_parameter)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        if (cached := self.public.find_page(canonical, request, version)) is not None:
            return cached
        return self.public.make_page(canonical, request, version, lambda: render(view))

    def _make_front(self, loaded: LoadedDay | None, feeds: tuple[Link, ...]) -> FrontPage:
        entries = day_entries.select_tab(loaded.entries, Tab.NEW) if loaded else ()
        return FrontPage(
            day=loaded.day if loaded else None,
            events=self.public.daily_papers.load_events([entry.seq for entry in entries[:_FRONT_PAPERS]]),
            total=len(entries),
            batches=loaded.batches if loaded else (),
            categories=day_entries.count_categories(entries),
            topics=[(feed.name, feed.title) for feed in self.feeds.public_feeds.settings.public_feeds],
            feeds=feeds,
            digests=[(entry.name, entry.title, entry.description) for entry in self.public.public_digests],
        )
