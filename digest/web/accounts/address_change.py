"""Handlers of changes of address. The form's answer is the same whatever is known of the new address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.address_links import AddressChange, ChangedAddress, make_change
from digest.jobs.subscribers.accounts.address_changes import AddressChangeService, ChangeLink, ChangeState
from digest.jobs.subscribers.signup.link_limits import take_form
from digest.jobs.subscribers.signup.link_mailer import LinkMailer
from digest.render.publishing.public_pages.links import ACCOUNT_PATH, CHANGES_SENT_PATH
from digest.web import notices
from digest.web.accounts import account_notices
from digest.web.accounts.own_requests import OwnRequest, OwnResponder
from digest.web.publishing.public_responder import PublicResponder
from digest.web.signup.form_checks import get_network, is_from_own_page, read_typed_address
from digest.web.signup.link_mails import make_change_service
from digest.web.signup.session_cookie import read_session_token


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChangeRoutes:
    """The handlers.

    Attributes:
        public: the helpers of public pages.
        own: answers requests of readers who are signed in.
        service: prepares and applies changes.
        mailer: sends the links.
    """

    public: PublicResponder
    own: OwnResponder
    service: AddressChangeService
    mailer: LinkMailer

    async def request_links(self, request: Request) -> Response:
        """Take the form, and send a link to the present address, and to the new one if it may have one."""
        return await self.own.respond_write(request, partial(self._request_links, request))

    def _request_links(self, request: Request, own: OwnRequest) -> Response:
        view, session = own.view, own.session
        address = read_typed_address(own.fields)
        if not address:
            return self.public.make_private_notice(view, notices.make_bad_mailbox, 400)
        if address.lower() == session.address:
            return self.public.make_private_notice(view, account_notices.make_same_address, 400)
        if not take_form(self.public.responder.app.store, get_network(request), self._now()):
            return self.public.make_too_many_requests(request, {"retry-after": "3600"})
        change = make_change(session.subscriber, session.address, address, view.site.language.name)
        if not all([self.mailer.submit(change), self.mailer.submit(change.other_side)]):
            return self.public.make_private_notice(view, notices.make_try_later, 503)
        return self.own.redirect(view, CHANGES_SENT_PATH)

    def show_sent(self, request: Request) -> Response:
        """Show what happens next, the same whatever is known of the new address."""
        return self.own.respond_read(
            request,
            lambda own: self.public.make_private_notice(own.view, account_notices.make_changes_sent, 200),
        )

    def show_link(self, token: str) -> Response:
        """Show the page with one button, and change nothing: mail scanners open every link."""
        return self._make_page(token, self.service.read_link(token, self._now()))

    def agree(self, token: str, request: Request) -> Response:
        """Agree at one address; after the second one, the address is changed and the former one is told."""
        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        before = self.service.read_link(token, self._now())
        if before.state is not ChangeState.OPEN:
            return self._make_page(token, before)
        link = self.service.agree(token, read_session_token(request), self._now())
        if link.change is None:
            return self._make_page(token, link)
        if link.is_changed:
            self._tell(link.change)
        return self.public.redirect_after_post(f"/change-address/{token}")

    def _tell(self, change: AddressChange) -> None:
        former = ChangedAddress(number=change.number, address=change.former, language=change.language)
        self.mailer.submit(former)
        self.public.responder.notify("A reader changed their address.")

    def _make_page(self, token: str, link: ChangeLink) -> Response:
        view = self.public.find_view(link.change.language if link.change else "")
        account = view.site.link(format_page_address(ACCOUNT_PATH, view.site.language_parameter))
        match link:
            case ChangeLink(state=ChangeState.OPEN, change=AddressChange() as change):
                factory = account_notices.make_change_button(change, token)
            case ChangeLink(state=ChangeState.WAITING):
                factory = account_notices.make_change_waiting
            case ChangeLink(state=ChangeState.DONE):
                factory = account_notices.make_changed(account)
            case _:
                invalid = account_notices.make_invalid_change(account)
                return self.public.make_private_notice(view, invalid, 404)
        return self.public.make_private_notice(view, factory, 200)

    def _now(self) -> datetime:
        return self.public.responder.app.clock()


def make_address_change_routes(
    public: PublicResponder, mailer: LinkMailer, own: OwnResponder
) -> AddressChangeRoutes:
    """Make the handlers.

    Args:
        public: the helpers of public pages.
        mailer: sends the links.
        own: answers requests of readers who are signed in.
    """
    return AddressChangeRoutes(
        public=public,
        own=own,
        service=make_change_service(public.responder),
        mailer=mailer,
    )
