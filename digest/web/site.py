"""The site: all routes in one list, and what applies to all of them: security headers, size limits and the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from anyio import CapacityLimiter, create_task_group, move_on_after, sleep, to_thread
from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import BaseRoute, Mount

from digest.app import App
from digest.config import SignupSettings
from digest.core.delivery.own_pages import OwnPages
from digest.core.publishing.address_parts import AddressError
from digest.errors import CursorError, DigestError, StoreError
from digest.jobs.publishing.replica_watch import ReplicaWatch
from digest.jobs.publishing.request_limiter import RequestLimiter
from digest.jobs.services import make_providers
from digest.jobs.subscribers.own_records.zotero import ZoteroSender
from digest.jobs.subscribers.signup.link_mailer import MAX_DELAY_SECONDS, LinkMailer
from digest.jobs.subscribers.signup.sessions import UsedSessions
from digest.jobs.subscribers.tokens.api_tokens import TokenService, make_token_service
from digest.jobs.subscribers.tokens.used_tokens import UsedTokens
from digest.render.publishing.public_pages.links import TOKENS_PATH
from digest.web import forms, notices
from digest.web.accounts.account import AccountRoutes
from digest.web.accounts.address_change import make_address_change_routes
from digest.web.accounts.api_tokens import TokenRoutes
from digest.web.accounts.deletion import DeletionRoutes
from digest.web.accounts.own_digests import OwnDigestRoutes
from digest.web.accounts.own_requests import OwnResponder
from digest.web.accounts.own_sections import OwnSectionRoutes
from digest.web.accounts.transfer.imports import ImportRoutes
from digest.web.accounts.transfer.uploads import MAX_UPLOAD_BYTES, UploadResponder, is_upload_path
from digest.web.answers import Responder
from digest.web.api.api_responder import make_problem
from digest.web.api.api_site import API_PATH, make_api, make_replica_api
from digest.web.api.own_site import make_own_api
from digest.web.documents import DocumentCache, FetchDocument, fetch_document
from digest.web.feeds import FeedRoutes
from digest.web.hooks import MAX_POST_BYTES, HookRoutes
from digest.web.manage import ManageRoutes
from digest.web.monitoring.health import HealthRoutes
from digest.web.operator.routes import is_operator_path, make_operator_routes
from digest.web.papers import PaperRoutes
from digest.web.protocol.client_finder import ClientFinder
from digest.web.protocol.path_numbers import PATH_NUMBER
from digest.web.protocol.replica_router import Asgi, ReplicaRouter
from digest.web.protocol.response_cache import SAFETY_HEADERS, AsgiMessage, ResponseCache, choose_response
from digest.web.protocol.write_mark import Headers
from digest.web.public import PublicFeedRoutes
from digest.web.publishing.collection import CollectionRoutes
from digest.web.publishing.daily import DailyRoutes
from digest.web.publishing.front import FrontRoutes
from digest.web.publishing.paper import PublicPaperRoutes
from digest.web.publishing.person import PersonRoutes
from digest.web.publishing.public_responder import PublicResponder, make_public_responder
from digest.web.publishing.request_limits import RequestLimits
from digest.web.publishing.robots import RobotRoutes
from digest.web.publishing.search import SearchRoutes
from digest.web.signup.link_mails import make_link_mailer
from digest.web.signup.routes import make_signup_routes
from digest.web.signup.sign_in import make_signin_routes

_READ_METHODS = ["GET", "HEAD"]
_HOOK_PREFIX = "/bounces/"
_READER_PATHS = ("/unsubscribe", "/subscribe", "/editions", "/manage", "/feeds")
"""Paths of the links that mails contain; a link that does not work is explained to whoever has the mail."""
_SAVE_SECONDS = 1.0
"""Interval at which the site saves what requests leave in memory, such as how many there were."""
_LAST_SAVE_SECONDS = 2.0
"""How long the end of the site waits for a database that is locked; what is lost are a second's counts."""
_REPLICA_INTERVAL = 1.0
"""Seconds between two checks of the replica."""
_REPLICA_TIMEOUT = 5.0
"""How long a check or a page waits for the replica, in seconds."""
_MAX_THREADS = 8
"""Maximum number of handlers that run at the same time; they share the store's connections with the jobs."""

T = TypeVar("T")


def make_routes(responder: Responder, hooks: HookRoutes) -> list[BaseRoute]:
    """Make all routes besides those of public pages, which come first and have a front page of their own.

    A route that only reads is GET and HEAD, and never changes anything.
    """
    papers, manage = PaperRoutes(responder=responder), ManageRoutes(responder=responder)
    public = PublicFeedRoutes(responder=responder, public_feeds=responder.app.public_feeds)
    health = HealthRoutes(store=responder.app.store, clock=responder.app.clock)
    return [
        APIRoute("/", public.show_front, methods=_READ_METHODS),
        APIRoute("/healthz", health.show_alive, methods=_READ_METHODS),
        APIRoute("/readyz", health.show_ready, methods=_READ_METHODS),
        APIRoute("/unsubscribe/{token}", responder.show_subscription, methods=_READ_METHODS),
        APIRoute("/unsubscribe/{token}", responder.unsubscribe, methods=["POST"]),
        APIRoute("/subscribe/{token}", responder.show_subscription, methods=_READ_METHODS),
        APIRoute("/subscribe/{token}", responder.subscribe_again, methods=["POST"]),
        APIRoute("/manage/{token}", manage.show, methods=_READ_METHODS),
        APIRoute("/manage/{token}", manage.update_digest, methods=["POST"]),
        APIRoute("/manage/{token}/saved.bib", manage.export_saved, methods=_READ_METHODS),
        *make_edition_routes(responder),
        APIRoute("/editions/{token}/{number}", papers.show, methods=_READ_METHODS),
        APIRoute("/editions/{token}/{number}", papers.record_opinion, methods=["POST"]),
        APIRoute("/bounces/{name}", hooks.receive_post, methods=["POST"]),
    ]


def make_edition_routes(responder: Responder) -> list[BaseRoute]:
    """Make the routes of editions and feeds, which are the same for everybody who has their address."""
    public = PublicFeedRoutes(responder=responder, public_feeds=responder.app.public_feeds)
    feeds = FeedRoutes(responder=responder)
    return [
        APIRoute("/editions/{token}.md", responder.show_markdown, methods=_READ_METHODS),
        APIRoute("/editions/{token}", responder.show_edition, methods=_READ_METHODS),
        APIRoute("/feeds/public/all.{form}", public.show_all, methods=_READ_METHODS),
        APIRoute("/feeds/public/{sort}/{file}", public.show_feed, methods=_READ_METHODS),
        APIRoute("/feeds/{token}/{file}", feeds.show_feed, methods=_READ_METHODS),
        APIRoute(
            f"/feeds/{{token}}/{{number:{PATH_NUMBER}}}/{{file}}", feeds.show_archive, methods=_READ_METHODS
        ),
    ]


def make_public_routes(public: PublicResponder, api: FastAPI) -> list[BaseRoute]:
    """Make the routes of the public pages. Each has the same bytes for everybody.

    Args:
        public: the helpers of public pages.
        api: what the pages show, as JSON.
    """
    feeds = PublicFeedRoutes(responder=public.responder, public_feeds=public.responder.app.public_feeds)
    daily = DailyRoutes(public=public)
    front = FrontRoutes(public=public, feeds=feeds)
    paper = PublicPaperRoutes(public=public)
    person = PersonRoutes(public=public)
    search = SearchRoutes(public=public)
    collection = CollectionRoutes(public=public)
    robots = RobotRoutes(public=public)

    return [
        APIRoute("/", front.show, methods=_READ_METHODS),
        APIRoute("/papers", daily.show_newest, methods=_READ_METHODS),
        APIRoute("/papers/{day}", daily.show, methods=_READ_METHODS),
        APIRoute("/paper/{key:path}", paper.show, methods=_READ_METHODS),
        APIRoute("/person/{reference:path}", person.show, methods=_READ_METHODS),
        APIRoute("/category/{name:path}", collection.show_category, methods=_READ_METHODS),
        APIRoute("/institution/{name:path}", collection.show_institution, methods=_READ_METHODS),
        APIRoute("/topic/{name:path}", collection.show_topic, methods=_READ_METHODS),
        APIRoute("/search", search.show, methods=_READ_METHODS),
        APIRoute("/people", person.show_name, methods=_READ_METHODS),
        APIRoute("/about/numbers", front.show_numbers, methods=_READ_METHODS),
        APIRoute("/style/{file}", front.show_style, methods=_READ_METHODS),
        APIRoute("/script/{file}", front.show_script, methods=_READ_METHODS),
        APIRoute("/robots.txt", robots.show_robots, methods=_READ_METHODS),
        APIRoute("/sitemap.xml", robots.show_sitemap_index, methods=_READ_METHODS),
        APIRoute("/sitemaps/{file}", robots.show_sitemap, methods=_READ_METHODS),
        Mount(API_PATH, api),
    ]


def make_reader_routes(
    public: PublicResponder, mailer: LinkMailer, used_sessions: UsedSessions, tokens: TokenService
) -> list[BaseRoute]:
    """Make the routes by which readers sign up and in, and of their accounts."""
    signup, signin = make_signup_routes(public, mailer), make_signin_routes(public, mailer)
    own = OwnResponder(public=public, used_sessions=used_sessions)
    account = AccountRoutes(own=own, tokens=tokens)
    token_routes = TokenRoutes(own=own, tokens=tokens)
    address_change = make_address_change_routes(public, mailer, own)
    deletion = DeletionRoutes(own=own)
    return [
        APIRoute("/digests/{name}", signup.show_digest, methods=_READ_METHODS),
        APIRoute("/sign-up", signup.request_link, methods=["POST"]),
        APIRoute("/sign-up/sent", signup.show_sent, methods=_READ_METHODS),
        APIRoute("/sign-up/done", signup.show_subscribed, methods=_READ_METHODS),
        APIRoute("/confirm/{token}", signup.show_link, methods=_READ_METHODS),
        APIRoute("/confirm/{token}", signup.confirm, methods=["POST"]),
        APIRoute("/sign-in", signin.show_form, methods=_READ_METHODS),
        APIRoute("/sign-in", signin.request_link, methods=["POST"]),
        APIRoute("/sign-in/sent", signin.show_sent, methods=_READ_METHODS),
        APIRoute("/sign-in/{token}", signin.show_link, methods=_READ_METHODS),
        APIRoute("/sign-in/{token}", signin.sign_in, methods=["POST"]),
        APIRoute("/account", account.show, methods=_READ_METHODS),
        APIRoute("/account", account.update, methods=["POST"]),
        APIRoute(TOKENS_PATH, token_routes.show, methods=_READ_METHODS),
        APIRoute(TOKENS_PATH, token_routes.update, methods=["POST"]),
        APIRoute("/account/address", address_change.request_links, methods=["POST"]),
        APIRoute("/account/address/sent", address_change.show_sent, methods=_READ_METHODS),
        APIRoute("/account/delete", deletion.show, methods=_READ_METHODS),
        APIRoute("/account/delete", deletion.delete, methods=["POST"]),
        APIRoute("/account/deleted", deletion.show_deleted, methods=_READ_METHODS),
        APIRoute("/change-address/{token}", address_change.show_link, methods=_READ_METHODS),
        APIRoute("/change-address/{token}", address_change.agree, methods=["POST"]),
        *_make_own_digest_routes(own),
        *make_operator_routes(own, mailer),
    ]


def _make_own_digest_routes(own: OwnResponder) -> list[BaseRoute]:
    """Make the routes of the pages about digests of readers who are signed in."""
    own_digests = OwnDigestRoutes(own=own)
    signup_settings = own.public.responder.app.settings.signup or SignupSettings()
    imports = ImportRoutes(own=own, uploads=UploadResponder(own=own))
    sections = OwnSectionRoutes(own=own, zotero=ZoteroSender(url=signup_settings.zotero_url))
    digest_path = f"/account/digests/{{digest_id:{PATH_NUMBER}}}"
    return [
        APIRoute("/account/digests", own_digests.create, methods=["POST"]),
        APIRoute("/account/feeds.opml", sections.export_opml, methods=_READ_METHODS),
        APIRoute(digest_path, own_digests.show, methods=_READ_METHODS),
        APIRoute(digest_path, own_digests.update, methods=["POST"]),
        APIRoute(f"{digest_path}/preview", own_digests.show_preview, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/editions", sections.show_editions, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/saved", sections.show_saved, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/saved", sections.update_saved, methods=["POST"]),
        APIRoute(f"{digest_path}/saved.bib", sections.export_bibtex, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/saved.ris", sections.export_ris, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/feedback", sections.show_feedback, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/feedback", sections.update_feedback, methods=["POST"]),
        APIRoute(f"{digest_path}/feeds", sections.show_feeds, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/feeds", sections.update_feeds, methods=["POST"]),
        APIRoute("/account/import", imports.show_account, methods=_READ_METHODS),
        APIRoute("/account/import", imports.update_account, methods=["POST"]),
        APIRoute("/account/export", imports.export, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/import", imports.show, methods=_READ_METHODS),
        APIRoute(f"{digest_path}/import", imports.update, methods=["POST"]),
    ]


def make_site(
    app: App,
    pages: OwnPages,
    notify: Callable[[str], None],
    fetch: FetchDocument = fetch_document,
    max_mail_delay: float = MAX_DELAY_SECONDS,
) -> Site:
    """Make the site as an ASGI application.

    Args:
        app: the app.
        pages: makes and reads the addresses of the site.
        notify: gets a sentence about each change by a reader and each error.
        fetch: fetches the documents of providers.
        max_mail_delay: the longest random delay of a mail with a link, in seconds.

    Raises:
        ConfigError: an option of a provider is wrong.
    """
    responder = Responder(app=app, pages=pages, response_cache=ResponseCache(), notify=notify)
    hooks = HookRoutes(
        providers=make_providers(app.settings),
        report_receiver=app.report_receiver,
        documents=DocumentCache(fetch),
        notify=notify,
    )
    limiter = RequestLimiter(app.store, app.settings.site.request_rates, app.clock)
    public = make_public_responder(responder, RequestLimits(limiter=limiter))
    mailer = make_link_mailer(responder, has_accounts=public.has_accounts, max_delay=max_mail_delay)
    used_sessions, used_tokens = UsedSessions(app.store, app.clock), UsedTokens(app.store, app.clock)
    tokens = make_token_service(app.store, app.settings.operator.people)
    own_api = make_own_api(responder, public.limits, tokens, used_tokens) if public.has_accounts else None
    public_routes: list[BaseRoute] = []
    if app.settings.site.public:
        public_routes = make_public_routes(public, make_api(responder, public.limits, own_api))
        public_routes += make_reader_routes(public, mailer, used_sessions, tokens)
    replica_watch = ReplicaWatch(app.replica, app.store, app.clock) if app.replica else None
    api = FastAPI(
        routes=[*public_routes, *make_routes(responder, hooks)],
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_make_lifespan(
            (limiter.exchange_counts, public.opened_persons.save, used_sessions.save, used_tokens.save),
            mailer,
            replica_watch,
        ),
        debug=False,
    )
    _add_error_handlers(api, public)
    router = _make_replica_router(api, public)
    client_finder = ClientFinder(router or api, app.settings.site.proxies, notify)
    return Site(client_finder, responder, router.may_be_cached if router else lambda _: True)


def _make_lifespan(
    saves: Sequence[Callable[[], None]], mailer: LinkMailer, replica_watch: ReplicaWatch | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """Make what lasts as long as the site: the limit of threads, and tasks for what requests leave in memory.

    Args:
        saves: the functions that save it.
        mailer: sends links that people wait for.
        replica_watch: tells about a replica that is not used; None without a replica.
    """

    def save_all() -> None:
        for save in saves:
            save()

    async def save_in_thread() -> None:
        await _run_apart(save_all)

    async def save_repeatedly() -> None:
        while True:
            await sleep(_SAVE_SECONDS)
            await save_in_thread()

    @asynccontextmanager
    async def run(_api: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = _MAX_THREADS
        mailer.start()
        async with create_task_group() as tasks:
            tasks.start_soon(save_repeatedly)
            if replica_watch is not None:
                tasks.start_soon(_watch_replica, replica_watch)
            yield
            tasks.cancel_scope.cancel()
        with move_on_after(_LAST_SAVE_SECONDS):
            await to_thread.run_sync(mailer.stop, abandon_on_cancel=True)
        with move_on_after(_LAST_SAVE_SECONDS):
            await save_in_thread()

    return run


async def _run_apart(function: Callable[..., T], *arguments: Any) -> T:
    """Run a function in a thread that no handler has to wait for."""
    return await to_thread.run_sync(function, *arguments, limiter=CapacityLimiter(1), abandon_on_cancel=True)


async def _watch_replica(replica_watch: ReplicaWatch) -> None:
    """Check the replica once a second."""
    replica, silence = replica_watch.replica, f"it does not answer within {_REPLICA_TIMEOUT:.0f} seconds"
    while True:
        if replica.has_slow_read(_REPLICA_TIMEOUT):
            await _run_apart(replica.give_up, silence)
        with suppress(StoreError):  # the primary does not answer, so nothing is known about the replica
            state = await _run_apart(replica.read_primary)
            with move_on_after(_REPLICA_TIMEOUT) as deadline:
                await _run_apart(replica.check, state)
            if deadline.cancelled_caught:
                await _run_apart(replica.give_up, silence)
            await _run_apart(replica_watch.note_trouble)
        await sleep(_REPLICA_INTERVAL)


def _make_replica_router(api: FastAPI, public: PublicResponder) -> ReplicaRouter | None:
    """Return the application that lets the replica answer what it can, and the other one the rest; None without one."""
    replica, app, pages = public.responder.app.replica, public.responder.app, public.responder.pages
    if replica is None:
        return None
    replica_app = replace(app, store=replica.store)
    responder = replace(public.responder, app=replica_app, notify=_ignore)
    replica_public = replace(public, responder=responder, daily_papers=replica_app.daily_papers)
    public_routes = (
        make_public_routes(replica_public, make_replica_api(responder, public.limits))
        if app.settings.site.public
        else []
    )
    replica_api = FastAPI(
        routes=[*public_routes, *make_edition_routes(responder)], openapi_url=None, redirect_slashes=False
    )
    for error_class in (HTTPException, AddressError, DigestError):
        replica_api.add_exception_handler(error_class, _leave_to_primary)
    return ReplicaRouter(api, replica_api, replica, pages.keys, pages.url)


def _leave_to_primary(_request: Request, _error: Exception) -> Response:
    return Response(status_code=404)  # nobody sees it


def _ignore(_text: str) -> None:
    """Tell nobody: the primary answers, and tells about its own errors."""


def _add_error_handlers(api: FastAPI, public: PublicResponder) -> None:
    """Add the responses to unknown paths and to errors."""
    responder = public.responder

    def handle_http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.scope["path"].startswith(f"{API_PATH}/"):  # with a line break, which no route has
            return make_problem(error.status_code, str(error.detail))
        if error.status_code == 429:
            return public.make_too_many_requests(request, error.headers or {})
        path = request.scope["path"]
        if error.status_code != 405 or is_operator_path(path):
            if not responder.app.settings.site.public or path.startswith(_READER_PATHS):
                return responder.make_not_found()
            response = public.make_not_found(request)
            response.headers["x-robots-tag"] = "noindex"
            return response
        return responder.make_notice(
            notices.make_not_allowed, status=405, headers={"allow": _list_allowed_methods(api, path)}
        )

    def handle_disconnect(_request: Request, _error: Exception) -> Response:
        return Response(status_code=400)  # the client is gone and does not get it

    def handle_digest_error(_request: Request, error: Exception) -> Response:
        responder.notify(f"A page could not be shown: {error}")
        return responder.make_notice(notices.make_try_later, status=503, headers={"retry-after": "60"})

    def handle_unexpected_error(_request: Request, _error: Exception) -> Response:
        return responder.make_notice(notices.make_failed, status=500)

    def handle_address_error(request: Request, _error: Exception) -> Response:
        return public.make_bad_request(request)

    api.add_exception_handler(HTTPException, handle_http_error)
    api.add_exception_handler(AddressError, handle_address_error)
    api.add_exception_handler(CursorError, handle_address_error)
    api.add_exception_handler(ClientDisconnect, handle_disconnect)
    api.add_exception_handler(DigestError, handle_digest_error)
    api.add_exception_handler(Exception, handle_unexpected_error)


def _list_allowed_methods(api: FastAPI, path: str) -> str:
    """List all methods of a path for the Allow header (RFC 9110, section 15.5.6), whichever routes they belong to."""
    matching_routes = [
        route for route in api.routes if isinstance(route, APIRoute) and route.path_regex.match(path)
    ]
    return ", ".join(sorted({method for route in matching_routes for method in route.methods or ()}))


class Site:
    """The application: answers from the cache, and passes all other requests on.

    Attributes:
        response_cache: cached responses, by path.
        prefix: the path in the site's address, which requests may contain or not.
        may_be_cached: whether a request with these headers may be answered from the cache without a look at the store.
        request_counts: the number of requests that were not answered from the cache, by route, method and status.
    """

    def __init__(self, api: Asgi, responder: Responder, may_be_cached: Callable[[Headers], bool]) -> None:
        self._api = api
        self._responder = responder
        self.response_cache = responder.response_cache
        self.prefix = urlsplit(responder.pages.url).path.rstrip("/")
        self.may_be_cached = may_be_cached
        self.request_counts: Counter[tuple[str, str, int]] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond to an ASGI request."""
        if scope["type"] != "http":
            await self._api(scope, receive, send)
            return
        path: str = scope["path"]
        if self.prefix and path.startswith(f"{self.prefix}/"):
            # A reverse proxy may remove the site's path from the address, or leave it there.
            path = path.removeprefix(self.prefix)
            scope = {**scope, "path": path, "raw_path": None}
        address = _get_cache_address(path, scope["query_string"]) if scope["method"] in _READ_METHODS else ""
        may_be_cached = address and self.may_be_cached(scope["headers"])
        cached = self.response_cache.get_fresh(address) if may_be_cached else None
        if cached is not None:
            start, body, _ = choose_response(cached, scope["headers"])
            await send(start)
            await send(body)
            return

        async def send_safely(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                self.request_counts[_get_route(scope), scope["method"], message["status"]] += 1
                if message["status"] != 304:
                    message = {**message, "headers": _add_safety_headers(message["headers"])}
            await send(message)

        if _is_too_long(scope["headers"], _get_max_bytes(path)):
            response = await to_thread.run_sync(self._responder.make_too_large)
            await response(scope, receive, send_safely)
        else:
            await self._api(scope, receive, send_safely)


def _get_route(scope: Any) -> str:
    """Return the path of the route that was taken, with names in place of what varies; "" for unknown paths."""
    route = scope.get("route")
    return f"{scope.get('root_path', '')}{route.path}" if route is not None else ""


def _get_cache_address(path: str, query: bytes) -> str:
    """Return the address under which a response may be cached; "" if it cannot be, as its path only looks like a query."""
    if "?" in path:
        return ""
    return f"{path}?{query.decode('latin-1')}" if query else path


def _get_max_bytes(path: str) -> int:
    """Return the maximum size of a body, in bytes."""
    if path.startswith(_HOOK_PREFIX):
        return MAX_POST_BYTES
    return MAX_UPLOAD_BYTES if is_upload_path(path) else forms.MAX_FORM_BYTES


def _is_too_long(headers: list[tuple[bytes, bytes]], max_bytes: int) -> bool:
    """Whether the declared length of a body exceeds the limit."""
    lengths = [value for name, value in headers if name == b"content-length"]
    return any(not length.isdigit() or int(length[:20]) > max_bytes for length in lengths)


def _add_safety_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    present_names = {name for name, _ in headers}
    if b"content-security-policy" in present_names:  # public pages have a set of their own
        return headers
    return [*headers, *(header for header in SAFETY_HEADERS if header[0] not in present_names)]
