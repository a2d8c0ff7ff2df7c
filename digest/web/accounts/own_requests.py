"""Requests of readers who are signed in: who asks, and whether a form was on one of our pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs

from anyio import to_thread
from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.sessions import Session, make_form_token
from digest.jobs.subscribers.own_digests import NotOwnError
from digest.web import forms
from digest.web.accounts.account_guard import MAX_PARAMETERS, AccountGuard
from digest.web.publishing.public_responder import PublicResponder, PublicView, get_query
from digest.web.signup.session_cookie import read_session_token


class UnknownFormError(Exception):
    """A form is none of those on our pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRequest:
    """A request of a reader who is signed in.

    Attributes:
        view: the site in the language of the request.
        session: the session.
        fields: the fields of the form; of a GET, those of its query.
        form_token: the token of the session's forms.
    """

    view: PublicView
    session: Session
    fields: Mapping[str, str]
    form_token: str


Respond = Callable[[OwnRequest], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResponder:
    """Answers requests of readers who are signed in; everybody else gets to the form to sign in.

    Attributes:
        guard: checks who is signed in.
    """

    guard: AccountGuard

    @property
    def public(self) -> PublicResponder:
        """The helpers of public pages."""
        return self.guard.public

    def respond_read(self, request: Request, respond: Respond) -> Response:
        """Answer a GET, which changes nothing."""
        parameters = parse_qs(get_query(request), max_num_fields=MAX_PARAMETERS)
        fields = {name: values[-1] for name, values in parameters.items()}
        return self._respond(request, self.guard.check_visit(request), fields, respond)

    async def respond_write(self, request: Request, respond: Respond) -> Response:
        """Answer a form, if it was on a page of this site and has the token of the session."""
        try:
            form_fields = await forms.read_fields(request)
        except forms.FormTooLongError:
            return await to_thread.run_sync(self.public.responder.make_too_large)
        return await to_thread.run_sync(partial(self.respond_form, request, form_fields, respond))

    def refuse_write(self, request: Request) -> Response | None:
        """Answer a request whose form would be refused whatever is in it; None if its form is to be read."""
        return self.guard.refuse_form(request)

    def respond_form(self, request: Request, form_fields: Mapping[str, str], respond: Respond) -> Response:
        """Answer a form that has been read."""
        return self._respond(request, self.guard.check_form(form_fields, request), form_fields, respond)

    def _respond(
        self,
        request: Request,
        checked: tuple[PublicView, Session] | Response,
        fields: Mapping[str, str],
        respond: Respond,
    ) -> Response:
        if isinstance(checked, Response):
            return checked
        view, session = checked
        form_token = make_form_token(read_session_token(request))
        own = OwnRequest(view=view, session=session, fields=fields, form_token=form_token)
        try:
            return respond(own)
        except NotOwnError:
            return self.public.make_not_found(request)
        except UnknownFormError:
            return self.public.make_bad_request(request)

    def redirect(self, view: PublicView, path: str) -> Response:
        """Redirect to a page, in the language of the request."""
        return self.public.redirect_after_post(format_page_address(path, view.site.language_parameter))
