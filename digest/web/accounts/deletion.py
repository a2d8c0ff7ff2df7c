"""Handlers of "Delete everything": a page that says what goes and what stays, with one button."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address, parse_page_language
from digest.jobs.subscribers.accounts.deletions import delete_reader
from digest.render.publishing.public_pages.links import DELETE_PATH, DELETED_PATH
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
        site = own.view.site
        action = site.link(format_page_address(DELETE_PATH, site.language_parameter))
        factory = account_notices.make_delete_button(action, own.form_token)
        return self.own.public.make_private_notice(own.view, factory, 200)

    async def delete(self, request: Request) -> Response:
        """Delete the reader of the session with everything that they made."""
        return await self.own.respond_write(request, self._delete)

    def _delete(self, own: OwnRequest) -> Response:
        responder = self.own.public.responder
        delete_reader(responder.app.store, own.session, responder.pages.keys, responder.app.clock())
        responder.notify("A reader deleted everything that they had on the site.")
        response = self.own.redirect(own.view, DELETED_PATH)
        clear_session_cookie(response)
        return response

    def show_deleted(self, request: Request) -> Response:
        """Show that everything is deleted; it is the same for everybody."""
        if not self.own.public.has_accounts:
            return self.own.public.make_not_found(request)
        view = self.own.public.find_view(parse_page_language(get_query(request)))
        return self.own.public.make_private_notice(view, account_notices.make_deleted, 200)
