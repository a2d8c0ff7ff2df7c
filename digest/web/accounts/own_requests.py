"""Requests of readers who are signed in: who asks, and whether a form was on one of our pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs

from fastapi import Request, Response

from digest.core.publishing.address_parts import AddressError
from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.sessions import Session, is_form_token, make_form_token
from digest.jobs.subscribers.own_digests import NotOwnError
from digest.jobs.subscribers.signup import sessions
from digest.jobs.subscribers.signup.sessions import UsedSessions
from digest.jobs.subscribers.signup.sign_ins import may_have_account
from digest.render.publishing.public_pages.links import SIGN_IN_PATH
from digest.web.publishing.public_responder import PublicResponder, PublicView, get_query
from digest.web.signup.form_checks import is_from_own_page
from digest.web.signup.session_cookie import read_session_token

_MAX_PARAMETERS = 10
_MAX_DIGITS = 18
"""Length of a number in a form; longer ones do not fit into the database."""


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
        public: the helpers of public pages.
        used_sessions: collects the sessions that are used.
    """

    public: PublicResponder
    used_sessions: UsedSessions

    def respond_read(self, request: Request, respond: Respond) -> Response:
        """Answer a GET, which changes nothing."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        return self._respond(request, parse_query(request), respond)

    async def respond_write(self, request: Request, respond: Respond) -> Response:
        """Answer a form, if it was on a page of this site and has the token of the session."""
        return await self.public.responder.respond_form(
            request, partial(self.respond_fields, request, respond)
        )

    def refuse_write(self, request: Request) -> Response | None:
        """Answer a request whose form would be refused whatever is in it; None if its form is to be read."""
        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        view = self._find_view(request)
        return None if self.find_session(request) else self.redirect(view, SIGN_IN_PATH)

    def respond_fields(self, request: Request, respond: Respond, form_fields: Mapping[str, str]) -> Response:
        """Answer a form that has been read."""

        def check_token(own: OwnRequest) -> Response:
            if not is_form_token(form_fields.get("token", ""), read_session_token(request)):
                raise UnknownFormError
            return respond(own)

        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        return self._respond(request, form_fields, check_token)

    def redirect(self, view: PublicView, path: str) -> Response:
        """Redirect to a page, in the language of the request."""
        return self.public.redirect_after_post(format_page_address(path, view.site.language_parameter))

    def _respond(self, request: Request, fields: Mapping[str, str], respond: Respond) -> Response:
        view, session = self._find_view(request), self.find_session(request)
        if session is None:
            return self.redirect(view, SIGN_IN_PATH)
        form_token = make_form_token(read_session_token(request))
        own = OwnRequest(view=view, session=session, fields=fields, form_token=form_token)
        try:
            return respond(own)
        except NotOwnError:
            return self.public.make_not_found(request)
        except UnknownFormError:
            return self.public.make_bad_request(request)

    def _find_view(self, request: Request) -> PublicView:
        """Return the site in the language of the address, which may have other parameters."""
        return self.public.find_view(parse_query(request).get("lang", ""))

    def find_session(self, request: Request) -> Session | None:
        """Return the session of a request; None if it has none that gives access."""
        app = self.public.responder.app
        session = sessions.find_session(app.store, read_session_token(request), app.clock())
        if session is None or not may_have_account(app.settings, session.address):
            return None
        return self.used_sessions.note(session)


def read_number(fields: Mapping[str, str], name: str) -> int:
    """Return a number of a form.

    Raises:
        UnknownFormError: the field is missing, or no number that a page could have.
    """
    text = fields.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise UnknownFormError
    return int(text)


def parse_query(request: Request) -> dict[str, str]:
    """Return the parameters of a request, the last one of each name.

    Raises:
        AddressError: there are too many; the site answers with status 400.
    """
    try:
        parameters = parse_qs(get_query(request), max_num_fields=_MAX_PARAMETERS)
    except ValueError as error:
        raise AddressError("too many parameters") from error
    return {name: values[-1] for name, values in parameters.items()}
