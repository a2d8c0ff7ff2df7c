"""What each route answers. Plain functions that run in threads: they ask the store and render."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response

from digest.app import App
from digest.core.delivery.own_pages import OwnPages
from digest.jobs.subscribers import subscriptions
from digest.model import Edition
from digest.render.delivery.markdown import render_markdown
from digest.render.papers.links import Link
from digest.render.publishing.feeds import FEED_FORMATS
from digest.render.publishing.web_pages import render_edition_page, render_notice_page
from digest.store.editions import editions
from digest.store.publishing import web_queries
from digest.store.publishing.web_queries import WebDigest
from digest.store.subscribers.subscribers import Subscriber, find_subscriber
from digest.web import notices
from digest.web.notices import NoticeFactory
from digest.web.protocol.response_cache import (
    AsgiMessage,
    CachedResponse,
    ResponseCache,
    choose_response,
    make_cached_response,
)

HTML, MARKDOWN = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
FRESH_SECONDS = 300
"""Seconds that a feed reader need not ask again; an edition is not later by more than that."""


class PreparedResponse(Response):
    """An answer whose messages are made already."""

    def __init__(self, start: AsgiMessage, body: AsgiMessage) -> None:
        super().__init__()
        self._start, self._body = start, body

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002 - ASGI
        """Send them."""
        await send(self._start)
        await send(self._body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Responder:
    """The routes' functions, bound to what they need.

    Attributes:
        app: the store, the templates and the masthead.
        pages: what addresses mean.
        response_cache: where what was rendered is kept.
        notify: is told, in a sentence, what a reader changed.
    """

    app: App
    pages: OwnPages
    response_cache: ResponseCache
    notify: Callable[[str], None]

    def show_front(self) -> Response:
        """The page at the site's own address: feeds and curious people lead there."""
        return self.make_notice(notices.make_front)

    # --- unsubscribe ------------------------------------------------------------------------------

    def show_subscription(self, token: str) -> Response:
        """Show what can be done about a destination, and change nothing: scanners of mail follow every link."""
        recipient = self._find_subscriber(token)
        return self.make_subscription_page(recipient, token) if recipient else self.make_not_found()

    def unsubscribe(self, token: str) -> Response:
        """Stop a destination; from its page, and from mail programs by one click.

        RFC 8058, section 3: without cookies, without a redirect, and whatever the body says. Again does no harm.
        """
        destination_id = self.pages.read_unsubscribe_token(token)
        result = (
            subscriptions.stop_destination(self.app.store, destination_id)
            if destination_id is not None
            else None
        )
        if result is None:
            return self.make_not_found()
        recipient, is_changed = result
        if is_changed:
            self.notify(f"{recipient.address} unsubscribed from {recipient.digest}.")
        return self.make_subscription_page(recipient, token)

    def subscribe_again(self, token: str) -> Response:
        """Take an unsubscribing back."""
        previous = self._find_subscriber(token)
        if previous is None:
            return self.make_not_found()
        recipient = subscriptions.resume_destination(self.app.store, self.app.settings, previous.destination)
        if recipient is None:
            return self.make_not_found()
        if (previous.stopped or previous.came_back) and recipient.active:
            self.notify(f"{recipient.address} subscribed to {recipient.digest} again.")
        return self.make_notice(
            lambda locale: notices.make_resubscription(recipient, token, locale), language=recipient.language
        )

    def _find_subscriber(self, token: str) -> Subscriber | None:
        destination_id = self.pages.read_unsubscribe_token(token)
        if destination_id is None:
            return None
        with self.app.store.begin_read() as tx:
            return find_subscriber(tx, destination_id)

    # --- editions ---------------------------------------------------------------------------------

    def show_edition(self, token: str, request: Request) -> Response:
        """An edition's page."""

        def render_page(edition: Edition, digest: WebDigest) -> bytes:
            locale_bundle = self.app.get_locale_bundle(edition.language)
            return render_edition_page(
                locale_bundle.environment,
                edition,
                locale_bundle.branding,
                self.list_feeds(digest),
                page=token,
            )

        return self._respond_edition(token, request, HTML, render_page)

    def show_markdown(self, token: str, request: Request) -> Response:
        """An edition as Markdown, for a wiki or an issue."""

        def render_text(edition: Edition, _digest: WebDigest) -> bytes:
            locale_bundle = self.app.get_locale_bundle(edition.language)
            return render_markdown(locale_bundle.environment, edition, locale_bundle.branding).encode()

        return self._respond_edition(token, request, MARKDOWN, render_text)

    def _respond_edition(
        self, token: str, request: Request, media_type: str, render: Callable[[Edition, WebDigest], bytes]
    ) -> Response:
        edition_id = self.pages.read_edition_token(token)
        if edition_id is None:
            return self.make_not_found()
        with self.app.store.begin_read() as tx:
            digest = web_queries.find_digest_of_edition(tx, edition_id)
        if digest is None:
            return self.make_not_found()

        def make_response() -> CachedResponse:
            with self.app.store.begin_read() as tx:
                edition = editions.load_editions(tx, [edition_id])[edition_id]
            return make_cached_response(
                render(edition, digest), media_type=media_type, modified=None, fresh_seconds=FRESH_SECONDS
            )

        version = (
            digest.title,
            digest.options.language,
            digest.options.timezone,
            digest.options.feed,
            digest.feed_version,
            digest.ended,
        )
        return self.make_cached(request, version, make_response)

    def list_feeds(self, digest: WebDigest) -> tuple[Link, ...]:
        """The feeds of a digest; nothing where it has none."""
        if digest.ended or not digest.options.feed:
            return ()
        return tuple(
            Link(
                label=feed_format.label,
                href=self.pages.make_feed_url(digest.id, digest.name, extension, digest.feed_version),
                type=feed_format.media_type,
            )
            for extension, feed_format in FEED_FORMATS.items()
        )

    def make_cached(
        self, request: Request, version: object, render: Callable[[], CachedResponse]
    ) -> Response:
        """What stands on the shelf for a request, made anew if it was made from something else."""
        cached = self.response_cache.get_or_render(request.scope["path"], version, render)
        start, body, _ = choose_response(cached, request.scope["headers"])
        return PreparedResponse(start, body)

    # --- what else --------------------------------------------------------------------------------

    def make_not_found(self) -> Response:
        """What a link that is none of ours gets: the same, whatever is wrong with it."""
        return self.make_notice(notices.make_unknown_link, status=404)

    def make_bad_request(self) -> Response:
        """What is posted to us and means nothing."""
        return self.make_notice(notices.make_not_allowed, status=400)

    def make_too_large(self) -> Response:
        """What is longer than anything that we would read."""
        return self.make_notice(notices.make_too_long, status=413, headers={"connection": "close"})

    def make_subscription_page(self, recipient: Subscriber, token: str) -> Response:
        """What a reader can do about a digest."""
        return self.make_notice(
            lambda locale: notices.make_subscription(recipient, token, locale), language=recipient.language
        )

    def make_notice(
        self,
        factory: NoticeFactory,
        *,
        language: str = "",
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> Response:
        """A small page that says something, in the site's language if it is to be in none in particular."""
        locale_bundle = self.app.get_locale_bundle(language or self.app.settings.site.language)
        page = render_notice_page(
            locale_bundle.environment, locale_bundle.branding, factory(locale_bundle.branding.locale)
        )
        return self.make_page(page, status=status, headers=headers)

    def make_page(self, page: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """A page that changes with what its reader does; nobody keeps it."""
        response_headers = {"cache-control": "no-store"} | (headers or {})
        return Response(page, status_code=status, media_type=HTML, headers=response_headers)
