"""The site: every route in one list, and around them what holds for all: safety, sizes, and what is kept ready."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute

from digest.app import App, make_providers
from digest.core.delivery.own_pages import OwnPages
from digest.errors import DigestError
from digest.web import forms, notices
from digest.web.answers import Answers
from digest.web.documents import Documents, Fetch, fetch_document
from digest.web.feeds import Feeds
from digest.web.hooks import LONGEST, Hooks
from digest.web.manage import Manage
from digest.web.papers import Papers
from digest.web.protocol.response_cache import SAFETY, Sent, Shelf, answer
from digest.web.public import PublicFeeds

_READ = ["GET", "HEAD"]
_HOOKS = "/bounces/"
_THREADS = 8
"""That ask the store and render at once; the store's connections are shared with the jobs."""

Asgi = Callable[[Any, Any, Any], Any]


def routes(answers: Answers, hooks: Hooks) -> list[BaseRoute]:
    """Every route. What only reads is GET and HEAD, and changes nothing, ever."""
    papers, manage, feeds = Papers(answers=answers), Manage(answers=answers), Feeds(answers=answers)
    public = PublicFeeds(answers=answers, public=answers.app.public)
    return [
        APIRoute("/", public.front, methods=_READ),
        APIRoute("/unsubscribe/{token}", answers.show_subscription, methods=_READ),
        APIRoute("/unsubscribe/{token}", answers.unsubscribe, methods=["POST"]),
        APIRoute("/subscribe/{token}", answers.show_subscription, methods=_READ),
        APIRoute("/subscribe/{token}", answers.subscribe_again, methods=["POST"]),
        APIRoute("/editions/{token}.md", answers.markdown, methods=_READ),
        APIRoute("/manage/{token}", manage.show, methods=_READ),
        APIRoute("/manage/{token}", manage.change, methods=["POST"]),
        APIRoute("/manage/{token}/saved.bib", manage.saved, methods=_READ),
        APIRoute("/editions/{token}", answers.edition, methods=_READ),
        APIRoute("/editions/{token}/{number}", papers.show, methods=_READ),
        APIRoute("/editions/{token}/{number}", papers.say, methods=["POST"]),
        APIRoute("/feeds/public/all.{form}", public.all, methods=_READ),
        APIRoute("/feeds/public/{sort}/{file}", public.feed, methods=_READ),
        APIRoute("/feeds/{token}/{file}", feeds.feed, methods=_READ),
        APIRoute("/feeds/{token}/{number:int}/{file}", feeds.archive, methods=_READ),
        APIRoute("/bounces/{name}", hooks.take, methods=["POST"]),
    ]


def make_site(app: App, pages: OwnPages, tell: Callable[[str], None], fetch: Fetch = fetch_document) -> Site:
    """The site as an ASGI application.

    Args:
        app: what it shows.
        pages: what its addresses mean.
        tell: is told, in a sentence, what a reader changed and what went wrong.
        fetch: gets the documents of providers.

    Raises:
        ConfigError: an option of a provider is wrong.
    """
    answers = Answers(app=app, pages=pages, shelf=Shelf(), tell=tell)
    hooks = Hooks(
        providers=make_providers(app.settings), hearing=app.hearing, documents=Documents(fetch), tell=tell
    )
    api = FastAPI(
        routes=routes(answers, hooks),
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_few_threads,
        debug=False,
    )
    _add_failures(api, answers)
    return Site(api, answers, urlsplit(pages.url).path.rstrip("/"))


@asynccontextmanager
async def _few_threads(_api: FastAPI) -> AsyncIterator[None]:
    to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


def _add_failures(api: FastAPI, answers: Answers) -> None:
    """What is answered where no route does, and where one fails."""

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code != 405:
            return answers.unknown()
        path = request.scope["path"]
        return answers.notice(notices.not_allowed, status=405, headers={"allow": _allowed(api, path)})

    def broken_off(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)  # nobody is there who gets it

    def failed(_request: Request, error: Exception) -> Response:
        answers.tell(f"A page could not be shown: {error}")
        return answers.notice(notices.later, status=503, headers={"retry-after": "60"})

    def broken(_request: Request, _error: Exception) -> Response:
        return answers.notice(notices.failed, status=500)

    api.add_exception_handler(HTTPException, refused)
    api.add_exception_handler(ClientDisconnect, broken_off)
    api.add_exception_handler(DigestError, failed)
    api.add_exception_handler(Exception, broken)


def _allowed(api: FastAPI, path: str) -> str:
    """All methods that a path has (RFC 9110, section 15.5.6), whichever routes they belong to."""
    here = [route for route in api.routes if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return ", ".join(sorted(method for route in here for method in route.methods or ()))


class Site:
    """Answers at once with what is ready, and passes everything else on.

    Attributes:
        shelf: what is ready, by path.
        prefix: the path in the site's address; requests may have it or not.
    """

    def __init__(self, api: Asgi, answers: Answers, prefix: str) -> None:
        self._api = api
        self._answers = answers
        self.shelf = answers.shelf
        self.prefix = prefix

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._api(scope, receive, send)
            return
        path: str = scope["path"]
        if self.prefix and path.startswith(f"{self.prefix}/"):
            # A server before us may take away the site's path from the address, or leave it there.
            path = path.removeprefix(self.prefix)
            scope = {**scope, "path": path, "raw_path": None}
        found = self.shelf.fresh(path) if scope["method"] in _READ else None
        if found is not None:
            start, body, _ = answer(found, scope["headers"])
            await send(start)
            await send(body)
            return

        async def send_safely(message: Sent) -> None:
            if message["type"] == "http.response.start" and message["status"] != 304:
                message = {**message, "headers": _safe(message["headers"])}
            await send(message)

        if _too_long(scope["headers"], LONGEST if path.startswith(_HOOKS) else forms.LONGEST):
            response = await to_thread.run_sync(self._answers.too_much)
            await response(scope, receive, send_safely)
        else:
            await self._api(scope, receive, send_safely)


def _too_long(headers: list[tuple[bytes, bytes]], most: int) -> bool:
    """Whether a request says that its body is longer than anything that we would read."""
    lengths = [value for name, value in headers if name == b"content-length"]
    return any(not length.isdigit() or int(length[:20]) > most for length in lengths)


def _safe(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    there = {name for name, _ in headers}
    return [*headers, *(header for header in SAFETY if header[0] not in there)]
