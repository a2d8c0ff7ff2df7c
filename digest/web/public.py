"""Handlers of public feeds. Anybody can request them, so an answer takes a lookup of stored matches, and no search."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from fastapi import Request, Response

from digest.jobs.publishing.public import ALL, QUERY, PublicFeed, PublicFeedLoader
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing import opml
from digest.render.publishing.feeds import FEED_FORMATS, FeedLinks, make_feed_title
from digest.render.publishing.public_feed import PublicFeedContent, make_public_address, make_public_feed
from digest.web import notices
from digest.web.answers import FRESH_SECONDS, Responder
from digest.web.protocol.response_cache import CachedResponse, make_cached_response


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFeedRoutes:
    """The handlers of feeds without a secret address.

    Attributes:
        responder: the general handlers.
        public_feeds: loads the public feeds.
    """

    responder: Responder
    public_feeds: PublicFeedLoader

    def show_front(self) -> Response:
        """Show the page at the site's own address, which links to the public feeds if there are any."""
        if not self.public_feeds.has_feeds:
            return self.responder.show_front()
        links = self.list_links(self.responder.app.branding.locale)
        return self.responder.make_notice(notices.make_front_with_feeds(links))

    def list_links(self, locale: Locale) -> tuple[Link, ...]:
        """List links to the public feeds that are not of a category or author; empty if there are no feeds."""
        if not self.public_feeds.has_feeds:
            return ()
        settings, _ = self.public_feeds.settings, locale.gettext
        default_feeds = [(ALL, "", _("Everything new"))] if settings.site.public_feeds else []
        feed_names = [
            *default_feeds,
            *((QUERY, query_feed.name, query_feed.title) for query_feed in settings.public_feeds),
        ]
        url, atom = self.responder.pages.url, FEED_FORMATS["atom"]
        links = [
            Link(label=title, href=make_public_address(url, sort, name, "atom"), type=atom.media_type)
            for sort, name, title in feed_names
        ]
        opml_address = make_public_address(url, ALL, "", opml.EXTENSION)
        links.append(Link(label=_("All feeds as OPML, for feed readers"), href=opml_address))
        return tuple(links)

    def show_all(self, form: str, request: Request) -> Response:
        """Return the feed of everything new, or a list of all public feeds (OPML)."""
        if form == opml.EXTENSION and self.public_feeds.has_feeds:
            feeds = self.public_feeds.list_feeds()
            version = tuple((feed.sort, feed.name, feed.title) for feed in feeds)
            return self.responder.make_cached(request, version, partial(self._render_opml, feeds))
        return self._respond_feed(ALL, "", form, request)

    def show_feed(self, sort: str, file: str, request: Request) -> Response:
        """Return a public feed of a sort."""
        name, _, extension = file.rpartition(".")
        return self._respond_feed(sort, name, extension, request) if name else self.responder.make_not_found()

    def _respond_feed(self, sort: str, name: str, extension: str, request: Request) -> Response:
        feed = self.public_feeds.load_feed(sort, name) if extension in FEED_FORMATS else None
        if feed is None:
            return self.responder.make_not_found()
        return self.responder.make_cached(request, feed, partial(self._render_feed, feed, extension))

    def _render_feed(self, feed: PublicFeed, extension: str) -> CachedResponse:
        app, feed_format = self.responder.app, FEED_FORMATS[extension]
        content = PublicFeedContent(
            branding=app.branding,
            sort=feed.sort,
            name=feed.name,
            title=feed.title,
            papers=self.public_feeds.load_items(feed),
        )
        document = make_public_feed(
            app.environment, content, FeedLinks(self=self._make_address(feed, extension))
        )
        return make_cached_response(
            feed_format.render(app.environment, document),
            media_type=feed_format.media_type,
            modified=self._find_modified(),  # late papers change the feed, but may be older than its newest entry
            fresh_seconds=FRESH_SECONDS,
            is_shared=True,
        )

    def _render_opml(self, feeds: tuple[PublicFeed, ...]) -> CachedResponse:
        app = self.responder.app
        title = app.branding.locale.gettext("Everything new")
        opml_feeds = [
            opml.OpmlFeed(
                make_feed_title(app.branding, feed.title or title), self._make_address(feed, "atom")
            )
            for feed in feeds
        ]
        body = opml.render_opml(app.environment, app.branding, opml_feeds)
        return make_cached_response(
            body,
            media_type=opml.MEDIA_TYPE,
            modified=self._find_modified(),
            fresh_seconds=FRESH_SECONDS,
            is_shared=True,
        )

    def _find_modified(self) -> datetime | None:
        """Return the time at which a document is produced, as that of its last change; None with a replica.

        Another web server may then have produced newer content earlier, and only ETags tell which one a client has.
        """
        return None if self.responder.app.replica else self.responder.app.clock()

    def _make_address(self, feed: PublicFeed, extension: str) -> str:
        return make_public_address(self.responder.pages.url, feed.sort, feed.name, extension)
