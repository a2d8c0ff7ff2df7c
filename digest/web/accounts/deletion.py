"""Handlers of "Delete everything": a page that says what goes and what stays, with one button.

Who signed in more than an hour ago signs in again first, by a link that comes by mail.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address, parse_page_language
from digest.jobs.subscribers.accounts.deletions import delete_reader
from digest.render.publishing.public_pages.links import DELETE_PATH, DELETED_PATH, SIGN_IN_PATH
from digest.web.accounts import account_notices
from digest.web.accounts.own_requests import OwnRequest, OwnResponder
from digest.web.publishing.public_responder import get_query
from digest.web.signup.session_cookie import clear_session_cookie


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
    """

    own: OwnResponder

    def show(self, request: Request) -> Response:
        """Show what goes and what stays."""
        return self.own.respond_read(request, self._show)

    def _show(self, own: OwnRequest) -> Response:
        if not own.session.is_new(self.own.public.responder.app.clock()):
            return self._show_old_session(own)
        site = own.view.site
        action = site.link(format_page_address(DELETE_PATH, site.language_parameter))
        factory = account_notices.make_delete_button(action, own.form_token)
        return self.own.public.make_private_notice(own.view, factory, 200)

    async def delete(self, request: Request) -> Response:
        """Delete the reader of the session with everything that they made."""
        return await self.own.respond_write(request, self._delete)

    def _delete(self, own: OwnRequest) -> Response:
        responder = self.own.public.responder
        if not own.session.is_new(responder.app.clock()):
            return self._show_old_session(own)
        delete_reader(responder.app.store, own.session, responder.pages.keys, responder.app.clock())
        responder.notify("A reader deleted everything that they had on the site.")
        response = self.own.redirect(own.view, DELETED_PATH)
        clear_session_cookie(response)
        return response

    def _show_old_session(self, own: OwnRequest) -> Response:
        """Ask for a new session, which begins with a link by mail."""
        form = own.view.site.link(format_page_address(SIGN_IN_PATH, own.view.site.language_parameter))
        return self.own.public.make_private_notice(own.view, account_notices.make_old_session(form), 403)

    def show_deleted(self, request: Request) -> Response:
        """Show that everything is deleted; it is the same for everybody."""
        if not self.own.public.has_accounts:
            return self.own.public.make_not_found(request)
        view = self.own.public.find_view(parse_page_language(get_query(request)))
        return self.own.public.make_private_notice(view, account_notices.make_deleted, 200)
