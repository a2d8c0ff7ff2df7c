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
from digest.render.delivery.markdown import markdown
from digest.render.papers.links import Link
from digest.render.publishing.feeds import FORMS
from digest.render.publishing.web_pages import edition_page, notice_page
from digest.store.editions import editions
from digest.store.publishing import web_queries
from digest.store.publishing.web_queries import ShownDigest
from digest.store.subscribers.subscribers import Subscriber, subscriber
from digest.web import notices
from digest.web.notices import Said
from digest.web.protocol.response_cache import Kept, Sent, Shelf, answer, kept

HTML, MARKDOWN = "text/html; charset=utf-8", "text/markdown; charset=utf-8"
FRESH_FOR = 300
"""Seconds that a feed reader need not ask again; an edition is not later by more than that."""


class Ready(Response):
    """An answer whose messages are made already."""

    def __init__(self, start: Sent, body: Sent) -> None:
        super().__init__()
        self._start, self._body = start, body

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002 - ASGI
        """Send them."""
        await send(self._start)
        await send(self._body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The routes' functions, bound to what they need.

    Attributes:
        app: the store, the templates and the masthead.
        pages: what addresses mean.
        shelf: where what was rendered is kept.
        tell: is told, in a sentence, what a reader changed.
    """

    app: App
    pages: OwnPages
    shelf: Shelf
    tell: Callable[[str], None]

    def front(self) -> Response:
        """The page at the site's own address: feeds and curious people lead there."""
        return self.notice(notices.front)

    # --- unsubscribe ------------------------------------------------------------------------------

    def show_subscription(self, token: str) -> Response:
        """Show what can be done about a destination, and change nothing: scanners of mail follow every link."""
        found = self._subscriber(token)
        return self.about(found, token) if found else self.unknown()

    def unsubscribe(self, token: str) -> Response:
        """Stop a destination; from its page, and from mail programs by one click.

        RFC 8058, section 3: without cookies, without a redirect, and whatever the body says. Again does no harm.
        """
        number = self.pages.destination_of(token)
        found = subscriptions.stop(self.app.store, number) if number is not None else None
        if found is None:
            return self.unknown()
        who, changed = found
        if changed:
            self.tell(f"{who.address} unsubscribed from {who.digest}.")
        return self.about(who, token)

    def subscribe_again(self, token: str) -> Response:
        """Take an unsubscribing back."""
        before = self._subscriber(token)
        if before is None:
            return self.unknown()
        found = subscriptions.resume(self.app.store, self.app.settings, before.destination)
        if found is None:
            return self.unknown()
        if (before.stopped or before.came_back) and found.active:
            self.tell(f"{found.address} subscribed to {found.digest} again.")
        return self.notice(lambda locale: notices.back(found, token, locale), language=found.language)

    def _subscriber(self, token: str) -> Subscriber | None:
        number = self.pages.destination_of(token)
        if number is None:
            return None
        with self.app.store.reading() as tx:
            return subscriber(tx, number)

    # --- editions ---------------------------------------------------------------------------------

    def edition(self, token: str, request: Request) -> Response:
        """An edition's page."""

        def page(edition: Edition, digest: ShownDigest) -> bytes:
            tongue = self.app.tongue(edition.language)
            return edition_page(
                tongue.environment, edition, tongue.masthead, self.feeds_of(digest), page=token
            )

        return self._edition(token, request, HTML, page)

    def markdown(self, token: str, request: Request) -> Response:
        """An edition as Markdown, for a wiki or an issue."""

        def text(edition: Edition, _digest: ShownDigest) -> bytes:
            tongue = self.app.tongue(edition.language)
            return markdown(tongue.environment, edition, tongue.masthead).encode()

        return self._edition(token, request, MARKDOWN, text)

    def _edition(
        self, token: str, request: Request, media_type: str, render: Callable[[Edition, ShownDigest], bytes]
    ) -> Response:
        number = self.pages.edition_of(token)
        if number is None:
            return self.unknown()
        with self.app.store.reading() as tx:
            digest = web_queries.digest_of_edition(tx, number)
        if digest is None:
            return self.unknown()

        def rendered() -> Kept:
            with self.app.store.reading() as tx:
                found = editions.load(tx, [number])[number]
            return kept(render(found, digest), media_type=media_type, modified=None, fresh_for=FRESH_FOR)

        version = (digest.title, digest.language, digest.zone, digest.feed, digest.feed_version, digest.ended)
        return self.ready(request, version, rendered)

    def feeds_of(self, digest: ShownDigest) -> tuple[Link, ...]:
        """The feeds of a digest; nothing where it has none."""
        if digest.ended or not digest.feed:
            return ()
        return tuple(
            Link(
                label=form.label,
                href=self.pages.feed(digest.id, digest.name, ending, digest.feed_version),
                type=form.media_type,
            )
            for ending, form in FORMS.items()
        )

    def ready(self, request: Request, version: object, render: Callable[[], Kept]) -> Response:
        """What stands on the shelf for a request, made anew if it was made from something else."""
        found = self.shelf.looked(request.scope["path"], version, render)
        start, body, _ = answer(found, request.scope["headers"])
        return Ready(start, body)

    # --- what else --------------------------------------------------------------------------------

    def unknown(self) -> Response:
        """What a link that is none of ours gets: the same, whatever is wrong with it."""
        return self.notice(notices.unknown, status=404)

    def not_understood(self) -> Response:
        """What is posted to us and means nothing."""
        return self.notice(notices.not_allowed, status=400)

    def too_much(self) -> Response:
        """What is longer than anything that we would read."""
        return self.notice(notices.too_long, status=413, headers={"connection": "close"})

    def about(self, who: Subscriber, token: str) -> Response:
        """What a reader can do about a digest."""
        return self.notice(lambda locale: notices.about(who, token, locale), language=who.language)

    def notice(
        self, said: Said, *, language: str = "", status: int = 200, headers: dict[str, str] | None = None
    ) -> Response:
        """A small page that says something, in the site's language if it is to be in none in particular."""
        tongue = self.app.tongue(language or self.app.settings.site.language)
        page = notice_page(tongue.environment, tongue.masthead, said(tongue.masthead.locale))
        return self.page(page, status=status, headers=headers)

    def page(self, page: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """A page that changes with what its reader does; nobody keeps it."""
        unkept = {"cache-control": "no-store"} | (headers or {})
        return Response(page, status_code=status, media_type=HTML, headers=unkept)
