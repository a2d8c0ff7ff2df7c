"""Handlers of "Your account". Each reads and writes only what belongs to the subscriber of the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs

from anyio import to_thread
from fastapi import Request, Response

from digest.core.subscribers.own_digest import EditMistake
from digest.core.subscribers.sessions import make_form_token
from digest.jobs.subscribers import sessions
from digest.render.publishing.account_pages.account import AccountPage, render_account
from digest.render.publishing.account_pages.own_digest import format_own_digest_address
from digest.render.publishing.public_pages.links import ACCOUNT_PATH, SIGN_IN_PATH
from digest.web import forms
from digest.web.accounts.account_guard import MAX_PARAMETERS, AccountGuard
from digest.web.publishing.public_responder import PublicResponder, get_query, make_private_page
from digest.web.signup.session_cookie import clear_session_cookie, read_session_token

_MAX_DIGITS = 18
"""Length of the number of a session; longer ones do not fit into the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRoutes:
    """The handlers.

    Attributes:
        public: the helpers of public pages.
        guard: checks who is signed in.
    """

    public: PublicResponder
    guard: AccountGuard

    def show(self, request: Request) -> Response:
        """Show the account of who is signed in; everybody else gets to the form."""
        checked = self.guard.check_visit(request)
        if isinstance(checked, Response):
            return checked
        view, session = checked
        app, now = self.public.responder.app, self.public.responder.app.clock()
        account = sessions.load_account(app.store, session, now)
        page = AccountPage(
            session=account.session,
            digests=[
                (
                    digest,
                    view.site.link(format_own_digest_address(digest.id, view.site.language_parameter)),
                )
                for digest in account.digests
            ],
            sessions=account.sessions,
            form_token=make_form_token(read_session_token(request)),
            now=now,
            mistake=_read_mistake(request),
        )
        return make_private_page(
            render_account(view.bundle.environment, view.bundle.branding, view.site, page)
        )

    async def update(self, request: Request) -> Response:
        """End a session, or all of them; repetitions have no effect."""
        try:
            form_fields = await forms.read_fields(request)
        except forms.FormTooLongError:
            return await to_thread.run_sync(self.public.responder.make_too_large)
        return await to_thread.run_sync(partial(self._apply_update, form_fields, request))

    def _apply_update(self, form_fields: Mapping[str, str], request: Request) -> Response:
        checked = self.guard.check_form(form_fields, request)
        if isinstance(checked, Response):
            return checked
        view, session = checked
        store = self.public.responder.app.store
        match form_fields:
            case {"do": "end", "session": number} if _is_number(number):
                sessions.end_session(store, session, int(number))
                is_over = int(number) == session.id
            case {"do": "sign-out"}:
                sessions.end_session(store, session, session.id)
                is_over = True
            case {"do": "sign-out-everywhere"}:
                sessions.end_all_sessions(store, session)
                is_over = True
            case _:
                return self.public.make_bad_request(request)
        if not is_over:
            return self.guard.redirect(view, ACCOUNT_PATH)
        response = self.guard.redirect(view, SIGN_IN_PATH)
        clear_session_cookie(response)
        return response


def _read_mistake(request: Request) -> EditMistake | None:
    """Return why a new digest was refused, of which the address of the page tells."""
    (text, *_) = (*parse_qs(get_query(request), max_num_fields=MAX_PARAMETERS).get("mistake", []), "")
    return next((mistake for mistake in EditMistake if mistake.value == text), None)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
