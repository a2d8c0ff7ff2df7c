"""Handler of the public pages of categories, institutions and topics."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fastapi import Request, Response

from digest.core.language.query import format_category, format_institution
from digest.core.papers.taxonomy import canonicalize_category, is_known_category
from digest.core.publishing.collection_addresses import (
    CollectionAddress,
    CollectionKind,
    format_collection_address,
    parse_collection_address,
)
from digest.errors import QueryError
from digest.jobs.publishing.collections import load_collection
from digest.jobs.publishing.public import CATEGORY, QUERY, list_categories
from digest.render.papers.links import Link
from digest.render.publishing.feeds import FEED_FORMATS
from digest.render.publishing.public_feed import make_public_address
from digest.render.publishing.public_pages.collection import CollectionPage, render_collection
from digest.web.publishing.public_responder import PublicResponder, get_query, is_at


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRoutes:
    """The handlers of the pages of what papers have in common."""

    public: PublicResponder

    def show_category(self, name: str, request: Request) -> Response:
        """Show a category or an archive."""
        return self._show(CollectionKind.CATEGORY, name, request)

    def show_institution(self, name: str, request: Request) -> Response:
        """Show an institution."""
        return self._show(CollectionKind.INSTITUTION, name, request)

    def show_topic(self, name: str, request: Request) -> Response:
        """Show a query that the configuration makes public."""
        return self._show(CollectionKind.TOPIC, name, request)

    def _show(self, kind: CollectionKind, name: str, request: Request) -> Response:
        address = parse_collection_address(kind, name, get_query(request))
        view = self.public.find_view(address.language)
        if kind is CollectionKind.CATEGORY:
            is_archive = "." not in address.name and is_known_category(address.name)
            name_as_written = address.name.lower() if is_archive else address.name
            address = replace(address, name=canonicalize_category(name_as_written))
        address = replace(address, language=view.site.language_parameter)
        canonical = format_collection_address(address)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        version = self.public.read_version()
        if (cached := self.public.find_page(canonical, request, version)) is not None:
            return cached
        app = self.public.responder.app
        query_text = self._find_query(address)
        try:
            collection = query_text and load_collection(
                app.store, query_text, address.cursor, app.clock().date()
            )
        except QueryError:  # a name that no query can have
            collection = None
        if not collection or not (collection.papers or self._is_declared(address)):
            return self.public.make_not_found(request)
        page = CollectionPage(
            address=address,
            title=self._get_title(address),
            collection=collection,
            feeds=self._list_feeds(address),
        )

        def render() -> bytes:
            return render_collection(view.bundle.environment, view.bundle.branding, view.site, page)

        return self.public.make_page(canonical, request, version, render)

    def _find_query(self, address: CollectionAddress) -> str | None:
        """Return the query that finds the papers; None if there is no such topic."""
        match address.kind:
            case CollectionKind.CATEGORY:
                return format_category(address.name)
            case CollectionKind.INSTITUTION:
                return format_institution(address.name)
            case CollectionKind.TOPIC:
                return self._topics.get(address.name, (None, ""))[0]

    def _is_declared(self, address: CollectionAddress) -> bool:
        """Whether there is a page even without papers."""
        if address.kind is CollectionKind.CATEGORY:
            return is_known_category(address.name)
        return address.kind is CollectionKind.TOPIC

    def _get_title(self, address: CollectionAddress) -> str:
        return self._topics[address.name][1] if address.kind is CollectionKind.TOPIC else ""

    @property
    def _topics(self) -> dict[str, tuple[str, str]]:
        """Query and title of each topic."""
        return {
            feed.name: (feed.query, feed.title) for feed in self.public.responder.app.settings.public_feeds
        }

    def _list_feeds(self, address: CollectionAddress) -> tuple[Link, ...]:
        settings = self.public.responder.app.settings
        has_category_feed = settings.site.public_feeds and address.name in list_categories()
        if address.kind is CollectionKind.TOPIC:
            sort = QUERY
        elif address.kind is CollectionKind.CATEGORY and has_category_feed:
            sort = CATEGORY
        else:
            return ()
        return tuple(
            Link(
                label=FEED_FORMATS[name].label,
                href=make_public_address(self.public.responder.pages.url, sort, address.name, name),
                type=FEED_FORMATS[name].media_type,
            )
            for name in ("atom", "rss", "json")
        )
