"""Responses that all public pages share: languages, redirects, messages, style and script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from fastapi import Request, Response

from digest.config import PublicDigestSettings
from digest.config.values import list_languages
from digest.core.publishing.address_parts import AddressError
from digest.core.publishing.addresses import parse_page_language
from digest.jobs.people.opened_persons import OpenedPersons
from digest.jobs.publishing.daily_papers import DailyPaperLoader
from digest.jobs.publishing.listed_papers import read_content_version
from digest.render.locale_bundle import LocaleBundle
from digest.render.publishing.public_pages.front import render_public_notice, render_style
from digest.render.publishing.public_pages.links import PublicSite, SiteLanguage
from digest.web import notices
from digest.web.answers import FRESH_SECONDS, HTML, PreparedResponse, Responder
from digest.web.notices import NoticeFactory
from digest.web.protocol.response_cache import (
    PUBLIC_SAFETY_HEADERS,
    CachedResponse,
    choose_response,
    make_cached_response,
)
from digest.web.publishing.request_limits import RequestLimits
from digest.web.publishing.static_files import (
    SCRIPT_SOURCE,
    ZONE_SCRIPT_SOURCE,
    StaticFile,
    load_script_file,
    make_style_file,
)

_HEADERS = {name.decode(): value.decode() for name, value in PUBLIC_SAFETY_HEADERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """A language of the public site, ready for rendering.

    Attributes:
        site: the site in this language.
        bundle: its templates and branding.
    """

    site: PublicSite
    bundle: LocaleBundle


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicResponder:
    """Helpers of the handlers of public pages.

    Attributes:
        responder: the general helpers.
        limits: the limits of requests.
        daily_papers: loads the papers of days.
        opened_persons: collects the persons whose pages are opened.
        languages: the languages of the pages, that of the site first.
        style: the style.
        script: the script of pages with more to load.
        zone_script: the script of forms with a time zone.
    """

    responder: Responder
    limits: RequestLimits
    daily_papers: DailyPaperLoader
    opened_persons: OpenedPersons
    languages: tuple[SiteLanguage, ...]
    style: StaticFile
    script: StaticFile
    zone_script: StaticFile
    _refusals: dict[str, bytes] = field(default_factory=dict, repr=False)

    def find_view(self, language: str) -> PublicView:
        """Return the site in a language, which is "" for its own.

        Raises:
            AddressError: there are no pages in this language.
        """
        for site_language in self.languages:
            if language in {site_language.name, ""}:
                return PublicView(
                    site=self._make_site(site_language),
                    bundle=self.responder.app.get_locale_bundle(site_language.name),
                )
        raise AddressError("no such language")

    def _make_site(self, language: SiteLanguage) -> PublicSite:
        return PublicSite(
            url=self.responder.pages.url,
            languages=self.languages,
            language=language,
            style_path=f"/style/{self.style.name}",
            script_path=f"/script/{self.script.name}",
            zone_script_path=f"/script/{self.zone_script.name}",
            has_signup=self.has_signup,
            has_accounts=self.has_accounts and self.responder.app.settings.signup is not None,
        )

    def make_page(
        self, address: str, request: Request, version: object, render: Callable[[], bytes]
    ) -> Response:
        """Return a page, from the cache if its version is the same.

        Args:
            address: the canonical address of the page: path and query.
            request: the request.
            version: what the page is rendered from.
            render: renders the page.
        """
        return self.responder.make_cached_at(
            address, request, version, lambda: make_public_response(render(), HTML)
        )

    def read_version(self) -> object:
        """Return the version of what the database knows, from which pages of papers and persons are rendered."""
        app = self.responder.app
        return read_content_version(app.store, app.clock().date())

    def find_page(self, address: str, request: Request, version: object) -> Response | None:
        """Return a page that is in the cache in this version; otherwise count it, and return None.

        Args:
            address: the address of the page, as canonical as it is known before anything is looked up.
            request: the request.
            version: what the page is rendered from.

        Raises:
            HTTPException: its network has had too many pages; status 429.
        """
        if (cached := self._find_cached(address, request, version)) is not None:
            return cached
        self.limits.count_page(request)
        return None

    def find_results(self, address: str, request: Request, version: object) -> Response | None:
        """Do the same for a page that is searched for, which has a limit of its own."""
        if (cached := self._find_cached(address, request, version)) is not None:
            return cached
        self.limits.count_search(request)
        return None

    def _find_cached(self, address: str, request: Request, version: object) -> Response | None:
        if not is_at(request, address):
            return None
        cached = self.responder.response_cache.get_current(address, version)
        return choose_prepared(cached, request) if cached else None

    def redirect(self, path: str, status: int = 301) -> Response:
        """Make the redirect to the canonical address of a page, which is permanent unless another status is given."""
        location = self._make_site(self.languages[0]).link(path)
        headers = {"location": location, "cache-control": f"public, max-age={FRESH_SECONDS}"}
        return Response(status_code=status, headers=headers | _HEADERS)

    def make_mistake_page(self, page: bytes) -> Response:
        """Make the response to a query with a mistake, which the page shows."""
        headers = {"cache-control": "no-store", **_HEADERS}
        return Response(page, status_code=400, media_type=HTML, headers=headers)

    def make_bad_request(self, request: Request) -> Response:
        """Make the response to an address of which a part has no meaning."""
        return self._make_notice(request, notices.make_bad_address, 400)

    def make_not_found(self, request: Request) -> Response:
        """Make the response to an address that has no page."""
        return self._make_notice(request, notices.make_no_page, 404)

    def make_too_many_requests(self, request: Request, headers: Mapping[str, str]) -> Response:
        """Make the response to a request above a rate; its headers say when to try again.

        A flood of them must not take the time of others, so each language is rendered once.
        """
        view = self._choose_view(request)
        language = view.site.language.name
        page = self._refusals.get(language)
        if page is None:
            page = self._render_notice(view, notices.make_too_many_requests)
            self._refusals[language] = page
        all_headers = {"cache-control": "no-store", **_HEADERS, **headers}
        return Response(page, status_code=429, media_type=HTML, headers=all_headers)

    def _choose_view(self, request: Request) -> PublicView:
        """Return the site in the language of the address, if it has one."""
        try:
            return self.find_view(parse_page_language(get_query(request)))
        except AddressError:
            return self.find_view("")

    def _render_notice(self, view: PublicView, factory: NoticeFactory) -> bytes:
        bundle = view.bundle
        return render_public_notice(
            bundle.environment, bundle.branding, view.site, factory(bundle.branding.locale)
        )

    @property
    def has_readers(self) -> bool:
        """Whether readers subscribe by links in mails, by invitation at least, and mail can be sent to them."""
        settings = self.responder.app.settings
        return self._has_mail and settings.signup is not None

    @property
    def _has_mail(self) -> bool:
        settings = self.responder.app.settings
        return settings.smtp is not None or settings.sendmail is not None

    @property
    def has_signup(self) -> bool:
        """Whether readers can sign up by forms of the site."""
        signup = self.responder.app.settings.signup
        return self.has_readers and signup is not None and signup.who != "invited"

    @property
    def has_accounts(self) -> bool:
        """Whether readers or operators can sign in, for which browsers demand an encrypted connection (``Secure`` cookies)."""
        settings = self.responder.app.settings
        has_people = settings.signup is not None or bool(settings.operator.people)
        return has_people and self._has_mail and settings.site.is_encrypted

    @property
    def public_digests(self) -> tuple[PublicDigestSettings, ...]:
        """The digests that the site shows because readers can subscribe to them, by invitation at least."""
        return self.responder.app.settings.public_digests if self.has_readers else ()

    def make_private_notice(self, view: PublicView, factory: NoticeFactory, status: int) -> Response:
        """Make a small page that belongs to one person, so that nobody stores it."""
        return make_private_page(self._render_notice(view, factory), status)

    def redirect_after_post(self, address: str) -> Response:
        """Redirect from a form to the page that answers it, so that a reload posts nothing again."""
        response = self.redirect(address, status=303)
        response.headers["cache-control"] = "private, no-store"
        return response

    def _make_notice(self, request: Request, factory: NoticeFactory, status: int) -> Response:
        """Make a small page in the language of the address, if it has one."""
        page = self._render_notice(self._choose_view(request), factory)
        headers = {"cache-control": "no-store", **_HEADERS}
        return Response(page, status_code=status, media_type=HTML, headers=headers)


def make_public_responder(responder: Responder, limits: RequestLimits) -> PublicResponder:
    """Make the helpers, with the languages that the site has and its style."""
    app = responder.app
    names = dict.fromkeys((app.settings.site.language, *list_languages(app.settings.templates)))
    locales = {name: app.get_locale_bundle(name).branding.locale for name in names}
    style = render_style(app.get_locale_bundle(app.settings.site.language).environment)
    return PublicResponder(
        responder=responder,
        limits=limits,
        daily_papers=app.daily_papers,
        opened_persons=OpenedPersons(app.store, app.clock),
        languages=tuple(SiteLanguage(name, locale.tag, locale.name) for name, locale in locales.items()),
        style=make_style_file(style),
        script=load_script_file(SCRIPT_SOURCE),
        zone_script=load_script_file(ZONE_SCRIPT_SOURCE),
    )


def make_private_page(page: bytes, status: int = 200) -> Response:
    """Make the response with a page that belongs to one person, so that nobody stores it."""
    headers = {"cache-control": "private, no-store", "x-robots-tag": "noindex", **_HEADERS}
    return Response(page, status_code=status, media_type=HTML, headers=headers)


def make_private_file(content: bytes, media_type: str, name: str) -> Response:
    """Make the response with a file that belongs to one person, which browsers save."""
    headers = {
        "cache-control": "private, no-store",
        "x-robots-tag": "noindex",
        "content-disposition": f'attachment; filename="{name}"',
        **_HEADERS,
    }
    return Response(content, media_type=media_type, headers=headers)


def make_private_edition(page: bytes) -> Response:
    """Make the response with an edition that belongs to one person; its style is in it, as in all editions."""
    headers = {
        "cache-control": "private, no-store",
        "x-robots-tag": "noindex",
        "referrer-policy": _HEADERS["referrer-policy"],
    }
    return Response(page, media_type=HTML, headers=headers)


def make_public_response(body: bytes, media_type: str) -> CachedResponse:
    """Make a response that everybody may store."""
    return make_cached_response(
        body,
        media_type=media_type,
        modified=None,
        fresh_seconds=FRESH_SECONDS,
        is_shared=True,
        safety_headers=PUBLIC_SAFETY_HEADERS,
    )


def choose_prepared(cached: CachedResponse, request: Request) -> Response:
    """Return the variant of a response that a request gets."""
    start, body, _ = choose_response(cached, request.scope["headers"])
    return PreparedResponse(start, body)


def get_query(request: Request) -> str:
    """Return the query of a request, percent-encoded."""
    query: bytes = request.scope["query_string"]
    return query.decode("latin-1")


def is_at(request: Request, address: str) -> bool:
    """Return whether a request is for a canonical address, whose path is percent-encoded."""
    path, _, query = address.partition("?")
    return bool(request.scope["path"] == unquote(path)) and get_query(request) == query
