"""Handlers of a digest's feeds: their newest entries, their archives, and lists of feeds (OPML)."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.delivery.own_pages import OwnPages
from digest.jobs.publishing.publish import MAX_EDITIONS
from digest.model import Edition
from digest.render.publishing import opml
from digest.render.publishing.digest_feed import (
    EDITIONS_PER_ARCHIVE,
    DigestFeed,
    FeedArchives,
    make_digest_feed,
    select_recent_editions,
)
from digest.render.publishing.feeds import FEED_FORMATS, FeedLinks, make_feed_title
from digest.store.database.engine import Transaction
from digest.store.editions import editions
from digest.store.publishing import web_queries
from digest.store.publishing.web_queries import WebDigest
from digest.web import notices
from digest.web.answers import FRESH_SECONDS, Responder
from digest.web.protocol.response_cache import CachedResponse, make_cached_response


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRoutes:
    """The handlers of a digest's feeds.

    Attributes:
        responder: the general handlers.
    """

    responder: Responder

    @property
    def _pages(self) -> OwnPages:
        return self.responder.pages

    def show_feed(self, token: str, file: str, request: Request) -> Response:
        """Return the newest entries of a digest's feed."""
        return self.show_archive(token, 0, file, request)

    def show_archive(self, token: str, number: int, file: str, request: Request) -> Response:
        """Return an archive of a digest's feed; 0 is the feed itself, with the entries that are not archived yet."""
        name, _, extension = file.rpartition(".")
        address = self._pages.read_feed_token(token)
        if address is None or (extension not in FEED_FORMATS and (number or extension != opml.EXTENSION)):
            return self.responder.make_not_found()
        with self.responder.app.store.begin_read() as tx:
            digest = web_queries.load_web_digest(tx, address.digest)
            if digest is None or digest.name != name:
                return self.responder.make_not_found()
            if digest.ended or not digest.options.feed or digest.feed_version != address.version:
                return self.responder.make_notice(
                    notices.make_feed_ended, language=digest.options.language, status=410
                )
            if number and not _load_archives(tx, digest).has_archive(number):
                return self.responder.make_not_found()
        return self.responder.make_cached(
            request, digest, lambda: self._render_feed(digest, extension, number)
        )

    def _render_feed(self, digest: WebDigest, extension: str, number: int) -> CachedResponse:
        if extension == opml.EXTENSION:
            return self._render_opml(digest)
        with self.responder.app.store.begin_read() as tx:
            archives = _load_archives(tx, digest)
            feed_editions = (
                _load_archived(tx, digest, archives, number) if number else _load_newest(tx, digest, archives)
            )
        locale_bundle = self.responder.app.get_locale_bundle(digest.options.language)
        feed = DigestFeed(
            branding=locale_bundle.branding,
            digest=digest.name,
            title=digest.title,
            editions=feed_editions,
            by_edition=digest.options.feed_entries == "editions",
            pages={edition.id: self._pages.make_edition_url(edition.id) for edition in feed_editions},
        )
        older_archive = number - 1 if number else archives.find_next(len(feed_editions))
        if not archives.has_archive(older_archive):
            older_archive = 0
        links = FeedLinks(
            self=self._make_address(digest, extension, number),
            current=self._make_address(digest, extension) if number else "",
            older=self._make_address(digest, extension, older_archive) if older_archive else "",
            newer=self._make_address(digest, extension, number + 1)
            if 0 < number < archives.archive_count
            else "",
        )
        document = make_digest_feed(locale_bundle.environment, feed, links)
        feed_format = FEED_FORMATS[extension]
        return make_cached_response(
            feed_format.render(locale_bundle.environment, document),
            media_type=feed_format.media_type,
            modified=document.updated,
            fresh_seconds=FRESH_SECONDS,
        )

    def _render_opml(self, digest: WebDigest) -> CachedResponse:
        locale_bundle = self.responder.app.get_locale_bundle(digest.options.language)
        opml_feeds = [
            opml.OpmlFeed(
                make_feed_title(locale_bundle.branding, digest.title), self._make_address(digest, "atom")
            )
        ]
        body = opml.render_opml(locale_bundle.environment, locale_bundle.branding, opml_feeds)
        return make_cached_response(
            body, media_type=opml.MEDIA_TYPE, modified=None, fresh_seconds=FRESH_SECONDS
        )

    def _make_address(self, digest: WebDigest, extension: str, archive: int = 0) -> str:
        return self._pages.make_feed_url(
            digest.id, digest.name, extension, digest.feed_version, archive=archive
        )


def _load_archives(tx: Transaction, digest: WebDigest) -> FeedArchives:
    return FeedArchives(
        web_queries.count_editions(tx, digest.id), web_queries.count_pruned_editions(tx, digest.id)
    )


def _load_newest(tx: Transaction, digest: WebDigest, archives: FeedArchives) -> tuple[Edition, ...]:
    latest = editions.load_last(tx, digest.id, MAX_EDITIONS)
    by_edition = digest.options.feed_entries == "editions"
    return tuple(select_recent_editions(latest, by_edition=by_edition, unarchived=archives.unarchived))


def _load_archived(
    tx: Transaction, digest: WebDigest, archives: FeedArchives, number: int
) -> tuple[Edition, ...]:
    edition_ids = web_queries.list_editions_after(
        tx, digest.id, archives.count_before(number), EDITIONS_PER_ARCHIVE
    )
    editions_by_id = editions.load_editions(tx, edition_ids)
    return tuple(editions_by_id[edition_id] for edition_id in edition_ids)
