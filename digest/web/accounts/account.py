"""Handlers of "Your account". Each reads and writes only what belongs to the subscriber of the session."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.subscribers.api_tokens import TokenMistake, make_form_key
from digest.core.subscribers.own_digest import EditMistake
from digest.jobs.subscribers.signup import sessions
from digest.jobs.subscribers.tokens.api_tokens import TokenService
from digest.render.publishing.account_pages.account import AccountPage, render_account
from digest.render.publishing.account_pages.own_digest import format_own_digest_address
from digest.render.publishing.account_pages.tokens.section import TokenSection
from digest.render.publishing.public_pages.links import ACCOUNT_PATH, SIGN_IN_PATH
from digest.web.accounts.own_requests import OwnRequest, OwnResponder, UnknownFormError, read_number
from digest.web.publishing.public_responder import make_private_page
from digest.web.signup.session_cookie import clear_session_cookie


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
        tokens: lists API tokens.
    """

    own: OwnResponder
    tokens: TokenService

    def show(self, request: Request) -> Response:
        """Show the account of who is signed in; everybody else gets to the form."""
        return self.own.respond_read(request, self._show)

    def _show(self, own: OwnRequest) -> Response:
        app, view = self.own.public.responder.app, own.view
        now, language = app.clock(), view.site.language_parameter
        mistake_name = own.fields.get("mistake")
        account = sessions.load_account(app.store, own.session, now)
        page = AccountPage(
            session=account.session,
            digests=[
                (digest, view.site.link(format_own_digest_address(digest.id, language)))
                for digest in account.digests
            ],
            sessions=account.sessions,
            form_token=own.form_token,
            is_operator=own.session.address in app.settings.operator.people,
            now=now,
            tokens=TokenSection(
                tokens=self.tokens.list_tokens(own.session.subscriber, now),
                form_key=make_form_key(),
                is_operator=self.tokens.is_operator(own.session.address),
                may_operate=own.session.is_new(now),
                mistake=next((entry for entry in TokenMistake if entry == mistake_name), None),
            ),
            mistake=next((entry for entry in EditMistake if entry == mistake_name), None),
        )
        return make_private_page(
            render_account(view.bundle.environment, view.bundle.branding, view.site, page)
        )

    async def update(self, request: Request) -> Response:
        """End a session, or all of them; repetitions have no effect."""
        return await self.own.respond_write(request, self._update)

    def _update(self, own: OwnRequest) -> Response:
        store, session = self.own.public.responder.app.store, own.session
        match own.fields.get("do"):
            case "end":
                number = read_number(own.fields, "session")
                sessions.end_session(store, session, number)
                is_over = number == session.id
            case "sign-out":
                sessions.end_session(store, session, session.id)
                is_over = True
            case "sign-out-everywhere":
                sessions.end_all_sessions(store, session)
                is_over = True
            case _:
                raise UnknownFormError
        if not is_over:
            return self.own.redirect(own.view, ACCOUNT_PATH)
        response = self.own.redirect(own.view, SIGN_IN_PATH)
        clear_session_cookie(response)
        return response
