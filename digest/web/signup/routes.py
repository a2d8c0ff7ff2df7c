"""Handlers of sign-ups. The form is on public pages, so its answer is the same for everybody and at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from fastapi import Request, Response

from digest.config import PublicDigestSettings
from digest.core.delivery.signup_links import SignupRequest
from digest.core.publishing.addresses import format_page_address, parse_page_language
from digest.jobs.subscribers.signup.link_limits import take_form
from digest.jobs.subscribers.signup.link_mailer import LinkMailer
from digest.jobs.subscribers.signup.signups import LinkState, SignupLink, SignupService
from digest.render.publishing.public_pages.links import ACCOUNT_PATH, SENT_PATH, SUBSCRIBED_PATH
from digest.render.publishing.public_pages.public_digest import (
    PublicDigestPage,
    format_digest_address,
    render_public_digest,
)
from digest.web import notices
from digest.web.publishing.public_responder import PublicResponder, get_query, is_at
from digest.web.signup.form_checks import (
    get_network,
    is_from_own_page,
    is_from_person,
    read_typed_address,
)
from digest.web.signup.link_mails import make_signup_service
from digest.web.signup.session_cookie import read_browser, set_session_cookie


@dataclass(frozen=True, slots=True, kw_only=True)
class SignupRoutes:
    """The handlers.

    Attributes:
        public: the helpers of public pages.
        service: prepares and confirms sign-ups.
        mailer: sends the links.
    """

    public: PublicResponder
    service: SignupService
    mailer: LinkMailer

    def show_digest(self, name: str, request: Request) -> Response:
        """Show a digest, with the form if there are forms."""
        view = self.public.find_view(parse_page_language(get_query(request)))
        public_digest = self.service.find_public_digest(name)
        if public_digest is None or not self.public.has_readers:
            return self.public.make_not_found(request)
        canonical = format_digest_address(name, view.site.language_parameter)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        page = make_digest_page(public_digest)

        def render() -> bytes:
            return render_public_digest(view.bundle.environment, view.bundle.branding, view.site, page)

        return self.public.make_page(canonical, request, page, render)

    async def request_link(self, request: Request) -> Response:
        """Take a form, and answer the same whether the address is known, suppressed, refused or new."""
        return await self.public.responder.respond_form(request, partial(self._take_form, request))

    def _take_form(self, request: Request, form_fields: Mapping[str, str]) -> Response:
        language = form_fields.get("lang", "")
        view = self.public.find_view(language)
        link_request = SignupRequest(
            address="",
            public_digest=form_fields.get("digest", ""),
            query=form_fields.get("query", ""),
            language=view.site.language.name,
        )
        is_asked_here = is_from_own_page(request, self._site_url) and self.public.has_signup
        if not is_asked_here or self.service.find_digest(link_request) is None:
            return self.public.make_bad_request(request)
        address = read_typed_address(form_fields)
        if not address:
            return self.public.make_private_notice(view, notices.make_bad_mailbox, 400)
        if not take_form(self.public.responder.app.store, get_network(request), self._now()):
            return self.public.make_too_many_requests(request, {"retry-after": "3600"})
        if is_from_person(form_fields) and not self.mailer.submit(replace(link_request, address=address)):
            return self.public.make_private_notice(view, notices.make_try_later, 503)
        return self.public.redirect_after_post(format_page_address(SENT_PATH, view.site.language_parameter))

    def show_sent(self, request: Request) -> Response:
        """Show what happens next, the same for everybody."""
        view = self.public.find_view(parse_page_language(get_query(request)))
        canonical = format_page_address(SENT_PATH, view.site.language_parameter)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        return self.public.make_private_notice(view, notices.make_link_sent, 200)

    def show_link(self, token: str) -> Response:
        """Show the page with one button, and change nothing: mail scanners open every link."""
        return self._make_page(token, self.service.read_link(token, self._now()))

    async def confirm(self, token: str, request: Request) -> Response:
        """Subscribe the reader who got the link, by the clock of their browser, and sign them in."""
        return await self.public.responder.respond_form(request, partial(self._confirm, token, request))

    def _confirm(self, token: str, request: Request, form_fields: Mapping[str, str]) -> Response:
        if not is_from_own_page(request, self._site_url):
            return self.public.make_bad_request(request)
        browser = read_browser(request) if self.public.has_accounts else None
        link = self.service.confirm(token, browser, form_fields.get("zone", ""), self._now())
        if link.state is not LinkState.VALID or link.request is None or link.public_digest is None:
            return self._make_page(token, link)
        self.public.responder.notify(f"Somebody signed up for {link.public_digest.name}.")
        language = self.public.find_view(link.request.language).site.language_parameter
        if not link.session_token:
            return self.public.redirect_after_post(format_page_address(SUBSCRIBED_PATH, language))
        response = self.public.redirect_after_post(format_page_address(ACCOUNT_PATH, language))
        set_session_cookie(response, link.session_token)
        return response

    def show_subscribed(self, request: Request) -> Response:
        """Show that somebody is subscribed now."""
        view = self.public.find_view(parse_page_language(get_query(request)))
        return self.public.make_private_notice(view, notices.make_subscribed, 200)

    def _make_page(self, token: str, link: SignupLink) -> Response:
        view = self.public.find_view(link.request.language if link.request else "")
        if link.state is LinkState.VALID and link.public_digest is not None:
            digest = link.public_digest.digest
            query = link.request.query if link.request else ""
            factory = notices.make_one_more_click(
                digest.title, digest.schedule, token, query, signs_in=self.public.has_accounts
            )
            return self.public.make_private_notice(view, factory, 200)
        factories = {LinkState.USED: notices.make_used_link, LinkState.FULL: notices.make_too_many_digests}
        factory = factories.get(link.state, notices.make_invalid_link)
        return self.public.make_private_notice(view, factory, 200 if link.state in factories else 404)

    @property
    def _site_url(self) -> str:
        return self.public.responder.pages.url

    def _now(self) -> datetime:
        return self.public.responder.app.clock()


def make_signup_routes(public: PublicResponder, mailer: LinkMailer) -> SignupRoutes:
    """Make the handlers.

    Args:
        public: the helpers of public pages.
        mailer: sends the links.
    """
    return SignupRoutes(public=public, service=make_signup_service(public.responder), mailer=mailer)


def make_digest_page(public_digest: PublicDigestSettings) -> PublicDigestPage:
    """Make the content of the page of a digest."""
    follows = public_digest.digest.follows
    return PublicDigestPage(
        name=public_digest.name,
        title=public_digest.title,
        description=public_digest.description,
        schedule=public_digest.digest.schedule,
        limit=public_digest.digest.options.limit,
        queries=tuple(follow.text for follow in follows if not follow.exclude),
        exclusions=tuple(follow.text for follow in follows if follow.exclude and not follow.only),
    )
