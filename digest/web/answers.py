"""Handlers of routes. They are plain functions that run in threads, query the store and render."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import to_thread
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
from digest.web import forms, notices
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
"""Period in which a client need not request a response again, in seconds; the longest delay of an edition in a feed."""


class PreparedResponse(Response):
    """A response whose ASGI messages are already made."""

    def __init__(self, start: AsgiMessage, body: AsgiMessage) -> None:
        super().__init__()
        self._start, self._body = start, body

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002 - ASGI
        """Send the messages."""
        await send(self._start)
        await send(self._body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Responder:
    """The handlers of mail links and editions, and helpers of all other handlers.

    Attributes:
        app: the store, the templates and the branding.
        pages: makes and reads the addresses of the site.
        response_cache: the cache of rendered responses.
        notify: gets a sentence about each change by a reader.
    """

    app: App
    pages: OwnPages
    response_cache: ResponseCache
    notify: Callable[[str], None]

    def show_front(self) -> Response:
        """Show the page at the site's own address, to which curious people come from mails and feeds."""
        return self.make_notice(notices.make_front)

    # --- unsubscribe ------------------------------------------------------------------------------

    def show_subscription(self, token: str) -> Response:
        """Show what a reader can do about a destination; change nothing, as mail scanners follow every link."""
        recipient = self._find_subscriber(token)
        return self.make_subscription_page(recipient, token) if recipient else self.make_not_found()

    def unsubscribe(self, token: str) -> Response:
        """Unsubscribe a destination, by the button of its page or by the one-click request of a mail program.

        By RFC 8058, section 3, it works without cookies and redirects, whatever the body is. A repetition
        does no harm.
        """
        destination_id = self.pages.read_unsubscribe_token(token)
        result = (
            subscriptions.stop_destination(self.app.store, destination_id, self.app.clock())
            if destination_id is not None
            else None
        )
        if result is None:
            return self.make_not_found()
        recipient, is_changed = result
        if is_changed:
            self.notify(f"{_name_reader(recipient)} unsubscribed from {recipient.digest}.")
        return self.make_subscription_page(recipient, token)

    def subscribe_again(self, token: str) -> Response:
        """Undo an unsubscription."""
        previous = self._find_subscriber(token)
        if previous is None:
            return self.make_not_found()
        recipient = subscriptions.resume_destination(self.app.store, self.app.settings, previous.destination)
        if recipient is None:
            return self.make_not_found()
        if (previous.stopped or previous.came_back) and recipient.active:
            self.notify(f"{_name_reader(recipient)} subscribed to {recipient.digest} again.")
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
        """Show the page of an edition."""

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
        """Return an edition as Markdown, for a wiki or an issue."""

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
        """List links to the feeds of a digest; empty if it has none."""
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
        """Return the cached response to a request; it is rendered again if its version differs."""
        return self.make_cached_at(request.scope["path"], request, version, render)

    def make_cached_at(
        self, address: str, request: Request, version: object, render: Callable[[], CachedResponse]
    ) -> Response:
        """Do the same for an address whose query matters.

        Args:
            address: the canonical address: path and query.
            request: the request.
            version: what the response is rendered from.
            render: renders it.
        """
        cached = self.response_cache.get_or_render(address, version, render)
        start, body, _ = choose_response(cached, request.scope["headers"])
        return PreparedResponse(start, body)

    # --- forms ------------------------------------------------------------------------------------

    async def respond_form(
        self, request: Request, respond: Callable[[Mapping[str, str]], Response]
    ) -> Response:
        """Read the fields of a form, and answer them in a thread.

        Args:
            request: the request.
            respond: makes the answer to the fields.
        """
        try:
            form_fields = await forms.read_fields(request)
        except forms.FormTooLongError:
            return await to_thread.run_sync(self.make_too_large)
        return await to_thread.run_sync(partial(respond, form_fields))

    # --- notices ----------------------------------------------------------------------------------

    def make_not_found(self) -> Response:
        """Make the response to an unknown or invalid link, which does not tell what is wrong with it."""
        return self.make_notice(notices.make_unknown_link, status=404)

    def make_bad_request(self) -> Response:
        """Make the response to a POST request without meaning."""
        return self.make_notice(notices.make_not_allowed, status=400)

    def make_too_large(self) -> Response:
        """Make the response to a body that is too long."""
        return self.make_notice(notices.make_too_long, status=413, headers={"connection": "close"})

    def make_subscription_page(self, recipient: Subscriber, token: str) -> Response:
        """Make the page on which a reader can stop a digest or subscribe again."""
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
        """Make a small page with a message, in the site's language unless another one is given."""
        locale_bundle = self.app.get_locale_bundle(language or self.app.settings.site.language)
        page = render_notice_page(
            locale_bundle.environment, locale_bundle.branding, factory(locale_bundle.branding.locale)
        )
        return self.make_page(page, status=status, headers=headers)

    def make_page(self, page: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """Make a page that depends on the actions of its reader, so that it must not be cached."""
        response_headers = {"cache-control": "no-store"} | (headers or {})
        return Response(page, status_code=status, media_type=HTML, headers=response_headers)


def _name_reader(recipient: Subscriber) -> str:
    """Return who did something, for the operator: logs have no addresses of readers who signed up by themselves."""
    is_named = not recipient.made_on_site and "@" in recipient.address  # a log as JSON masks these
    return recipient.address if is_named else "A reader"
