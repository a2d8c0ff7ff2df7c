"""Who gets the operator's pages: an address in ``[operator] people`` that signed in less than an hour ago.

Everybody else gets what an unknown path gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from anyio import to_thread
from fastapi import Request, Response
from starlette.exceptions import HTTPException

from digest.app import App
from digest.core.delivery.signup_links import SigninRequest
from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.sessions import Session, is_form_token, make_form_token
from digest.jobs.subscribers.signup.link_limits import take_form
from digest.jobs.subscribers.signup.link_mailer import LinkMailer
from digest.render.publishing.operator_pages.content import OperatorBlock, OperatorButton, OperatorContent
from digest.render.publishing.operator_pages.operator_page import (
    OPERATOR_SIGN_IN_PATH,
    render_operator_page,
)
from digest.render.publishing.public_pages.links import OPERATOR_PATH, SIGN_IN_SENT_PATH
from digest.store.operations.audit import Actor, ActorKind
from digest.web import notices
from digest.web.accounts.own_requests import OwnResponder, UnknownFormError, parse_query
from digest.web.publishing.public_responder import PublicView, make_private_page
from digest.web.signup.form_checks import get_network, is_from_own_page
from digest.web.signup.session_cookie import read_session_token

_LANGUAGE = "en"
_FORBIDDEN = 403


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRequest:
    """A request of an operator who has signed in.

    Attributes:
        app: the app.
        view: the site in English.
        session: the session.
        fields: the fields of the form; of a GET, those of its query.
        form_token: the token of the session's forms.
        now: the current time, UTC.
    """

    app: App
    view: PublicView
    session: Session
    fields: Mapping[str, str]
    form_token: str
    now: datetime

    @property
    def actor(self) -> Actor:
        """The operator, for the audit log."""
        return Actor(kind=ActorKind.OPERATOR, subscriber=self.session.subscriber)

    def link(self, path: str) -> str:
        """Return the address of a path, as a reverse proxy may serve the site below another one."""
        return self.view.site.link(path)


Respond = Callable[[OperatorRequest], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorResponder:
    """Answers requests of operators.

    Attributes:
        own: finds sessions.
        mailer: sends links to sign in again.
    """

    own: OwnResponder
    mailer: LinkMailer

    def respond_read(self, request: Request, respond: Respond) -> Response:
        """Answer a GET, which changes nothing.

        Raises:
            HTTPException: it is not of an operator; status 404.
            AddressError: an operator sent too many parameters.
        """
        operator = self._read_operator(request, {})
        # Read only now: nobody else may find out that there is a page, by a query that it refuses.
        return self._respond(request, replace(operator, fields=parse_query(request)), respond)

    async def respond_write(
        self, request: Request, respond: Respond, *, needs_new_session: bool = True
    ) -> Response:
        """Answer a form, if it was on a page of this site and has the token of the session.

        Args:
            request: the request.
            respond: makes the answer.
            needs_new_session: whether the operator must have signed in less than an hour ago.

        Raises:
            HTTPException: it is not of an operator; status 404.
        """
        # Nobody else may find out that there is a form, by one that is too long or from another site.
        await to_thread.run_sync(partial(self._read_operator, request, {}))
        return await self.own.public.responder.respond_form(
            request, partial(self._respond_fields, request, respond, needs_new_session=needs_new_session)
        )

    def _respond_fields(
        self, request: Request, respond: Respond, fields: Mapping[str, str], *, needs_new_session: bool
    ) -> Response:
        operator = self._read_operator(request, fields)
        is_own = is_from_own_page(request, self.own.public.responder.pages.url)
        if not is_own or not is_form_token(fields.get("token", ""), read_session_token(request)):
            return self.own.public.make_bad_request(request)
        return self._respond(request, operator, respond, needs_new_session=needs_new_session)

    def _respond(
        self,
        request: Request,
        operator: OperatorRequest,
        respond: Respond,
        *,
        needs_new_session: bool = True,
    ) -> Response:
        if needs_new_session and not operator.session.is_new(operator.now):
            return self.show(operator, _make_old_session(operator), _FORBIDDEN)
        try:
            return respond(operator)
        except UnknownFormError:
            return self.own.public.make_bad_request(request)

    def _read_operator(self, request: Request, fields: Mapping[str, str]) -> OperatorRequest:
        app = self.own.public.responder.app
        session = self.own.find_session(request) if self.own.public.has_accounts else None
        if session is None or session.address not in app.settings.operator.people:
            raise HTTPException(404)
        return OperatorRequest(
            app=app,
            view=self.own.public.find_view(_LANGUAGE),
            session=session,
            fields=fields,
            form_token=make_form_token(read_session_token(request)),
            now=app.clock(),
        )

    def show(self, operator: OperatorRequest, content: OperatorContent, status: int = 200) -> Response:
        """Show a page."""
        bundle = operator.view.bundle
        page = render_operator_page(
            bundle.environment, bundle.branding, operator.view.site, content, operator.form_token
        )
        return make_private_page(page, status)

    def redirect(self, path: str) -> Response:
        """Redirect from a form to the page that answers it, so that a reload posts nothing again."""
        return self.own.public.redirect_after_post(path)

    async def sign_in_again(self, request: Request) -> Response:
        """Send the operator of a session, which may be old, another link to sign in."""
        return await self.respond_write(
            request, partial(self._sign_in_again, request), needs_new_session=False
        )

    def _sign_in_again(self, request: Request, operator: OperatorRequest) -> Response:
        public, view = self.own.public, operator.view
        if not take_form(operator.app.store, get_network(request), operator.now):
            return public.make_too_many_requests(request, {"retry-after": "3600"})
        link_request = SigninRequest(
            address=operator.session.address, language=view.site.language.name, is_for_operator=True
        )
        if not self.mailer.submit(link_request):
            return public.make_private_notice(view, notices.make_try_later, 503)
        return self.redirect(format_page_address(SIGN_IN_SENT_PATH, view.site.language_parameter))


def _make_old_session(operator: OperatorRequest) -> OperatorContent:
    lines = (
        "You signed in more than an hour ago. These pages ask for it again, so that a browser that somebody left open cannot be used for them.",
        "The button sends a link to your address, which leads back to these pages.",
    )
    button = OperatorButton("Send the link", operator.link(OPERATOR_SIGN_IN_PATH), (), is_primary=True)
    return OperatorContent(
        title="Sign in again",
        section=OPERATOR_PATH,
        blocks=(OperatorBlock(lines=lines, buttons=(button,)),),
    )
