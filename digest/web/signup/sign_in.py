"""Handlers of sign-ins. The form is for everybody, so its answer is the same for everybody and at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from fastapi import Request, Response

from digest.core.delivery.signup_links import SigninRequest
from digest.core.publishing.addresses import format_page_address, parse_page_language
from digest.jobs.subscribers.signup.link_limits import take_form
from digest.jobs.subscribers.signup.link_mailer import LinkMailer
from digest.jobs.subscribers.signup.sign_ins import SigninLink, SigninService
from digest.jobs.subscribers.signup.signups import LinkState
from digest.render.publishing.account_pages.sign_in import render_sign_in
from digest.render.publishing.public_pages.links import (
    ACCOUNT_PATH,
    OPERATOR_PATH,
    SIGN_IN_PATH,
    SIGN_IN_SENT_PATH,
)
from digest.web import notices
from digest.web.publishing.public_responder import PublicResponder, get_query, is_at, make_private_page
from digest.web.signup.form_checks import (
    get_network,
    is_from_own_page,
    is_from_person,
    read_typed_address,
)
from digest.web.signup.link_mails import make_signin_service
from digest.web.signup.session_cookie import read_browser, set_session_cookie


@dataclass(frozen=True, slots=True, kw_only=True)
class SigninRoutes:
    """The handlers.

    Attributes:
        public: the helpers of public pages.
        service: prepares and handles sign-ins.
        mailer: sends the links.
    """

    public: PublicResponder
    service: SigninService
    mailer: LinkMailer

    def show_form(self, request: Request) -> Response:
        """Show the form."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        view = self.public.find_view(parse_page_language(get_query(request)))
        canonical = format_page_address(SIGN_IN_PATH, view.site.language_parameter)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        return make_private_page(render_sign_in(view.bundle.environment, view.bundle.branding, view.site))

    async def request_link(self, request: Request) -> Response:
        """Take a form, and answer the same whether the address is that of a reader or not."""
        return await self.public.responder.respond_form(request, partial(self._take_form, request))

    def _take_form(self, request: Request, form_fields: Mapping[str, str]) -> Response:
        view = self.public.find_view(form_fields.get("lang", ""))
        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        address = read_typed_address(form_fields)
        if not address:
            return self.public.make_private_notice(view, notices.make_bad_mailbox, 400)
        if not take_form(self.public.responder.app.store, get_network(request), self._now()):
            return self.public.make_too_many_requests(request, {"retry-after": "3600"})
        link_request = SigninRequest(address=address, language=view.site.language.name)
        if is_from_person(form_fields) and not self.mailer.submit(link_request):
            return self.public.make_private_notice(view, notices.make_try_later, 503)
        return self.public.redirect_after_post(
            format_page_address(SIGN_IN_SENT_PATH, view.site.language_parameter)
        )

    def show_sent(self, request: Request) -> Response:
        """Show what happens next, the same for everybody."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        view = self.public.find_view(parse_page_language(get_query(request)))
        return self.public.make_private_notice(view, notices.make_signin_sent, 200)

    def show_link(self, token: str, request: Request) -> Response:
        """Show the page with one button, and change nothing: mail scanners open every link."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        return self._make_page(token, self.service.read_link(token, self._now()))

    def sign_in(self, token: str, request: Request) -> Response:
        """Sign in the reader who got the link."""
        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        link = self.service.sign_in(token, read_browser(request), self._now())
        if link.request is None or not link.session_token:
            return self._make_page(token, link)
        language = self.public.find_view(link.request.language).site.language_parameter
        path = format_page_address(ACCOUNT_PATH, language)
        if link.request.is_for_operator:
            path = OPERATOR_PATH
        response = self.public.redirect_after_post(path)
        set_session_cookie(response, link.session_token)
        return response

    def _make_page(self, token: str, link: SigninLink) -> Response:
        view = self.public.find_view(link.request.language if link.request else "")
        form = view.site.link(format_page_address(SIGN_IN_PATH, view.site.language_parameter))
        match link.state:
            case LinkState.VALID:
                return self.public.make_private_notice(view, notices.make_signin_button(token), 200)
            case LinkState.USED:
                return self.public.make_private_notice(view, notices.make_used_signin(form), 200)
            case _:
                return self.public.make_private_notice(view, notices.make_invalid_signin(form), 404)

    def _now(self) -> datetime:
        return self.public.responder.app.clock()


def make_signin_routes(public: PublicResponder, mailer: LinkMailer) -> SigninRoutes:
    """Make the handlers.

    Args:
        public: the helpers of public pages.
        mailer: sends the links.
    """
    return SigninRoutes(public=public, service=make_signin_service(public.responder), mailer=mailer)
