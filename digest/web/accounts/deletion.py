"""Handlers of "Delete everything": a page that says what goes and what stays, with one button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address, parse_page_language
from digest.core.subscribers.sessions import make_form_token
from digest.jobs.subscribers.accounts.deletions import delete_reader
from digest.render.publishing.public_pages.links import DELETE_PATH, DELETED_PATH
from digest.web import forms
from digest.web.accounts import account_notices
from digest.web.accounts.account_guard import AccountGuard
from digest.web.publishing.public_responder import PublicResponder, get_query
from digest.web.signup.session_cookie import clear_session_cookie, read_session_token


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionRoutes:
    """The handlers.

    Attributes:
        public: the helpers of public pages.
        guard: checks who is signed in.
    """

    public: PublicResponder
    guard: AccountGuard

    def show(self, request: Request) -> Response:
        """Show what goes and what stays."""
        checked = self.guard.check_visit(request)
        if isinstance(checked, Response):
            return checked
        view, _ = checked
        action = view.site.link(format_page_address(DELETE_PATH, view.site.language_parameter))
        factory = account_notices.make_delete_button(action, make_form_token(read_session_token(request)))
        return self.public.make_private_notice(view, factory, 200)

    async def delete(self, request: Request) -> Response:
        """Delete the reader of the session with everything that they made."""
        try:
            form_fields = await forms.read_fields(request)
        except forms.FormTooLongError:
            return await to_thread.run_sync(self.public.responder.make_too_large)
        return await to_thread.run_sync(partial(self._delete, form_fields, request))

    def _delete(self, form_fields: Mapping[str, str], request: Request) -> Response:
        checked = self.guard.check_form(form_fields, request)
        if isinstance(checked, Response):
            return checked
        view, session = checked
        responder = self.public.responder
        delete_reader(responder.app.store, session, responder.pages.keys, responder.app.clock())
        responder.notify("A reader deleted everything that they had on the site.")
        response = self.guard.redirect(view, DELETED_PATH)
        clear_session_cookie(response)
        return response

    def show_deleted(self, request: Request) -> Response:
        """Show that everything is deleted; it is the same for everybody."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        view = self.public.find_view(parse_page_language(get_query(request)))
        return self.public.make_private_notice(view, account_notices.make_deleted, 200)
