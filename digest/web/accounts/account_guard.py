"""What every handler of an account checks: that somebody is signed in, and that a form is one of their session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs

from fastapi import Request, Response

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.sessions import Session, is_form_token
from digest.jobs.subscribers import sessions
from digest.jobs.subscribers.sessions import UsedSessions
from digest.render.publishing.public_pages.links import SIGN_IN_PATH
from digest.web.publishing.public_responder import PublicResponder, PublicView, get_query
from digest.web.signup.form_checks import is_from_own_page
from digest.web.signup.session_cookie import read_session_token

MAX_PARAMETERS = 10
"""Number of parameters in an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountGuard:
    """The checks.

    Attributes:
        public: the helpers of public pages.
        used_sessions: collects the sessions that are used.
    """

    public: PublicResponder
    used_sessions: UsedSessions

    def check_visit(self, request: Request) -> tuple[PublicView, Session] | Response:
        """Return the site in the language of the address, and the session; or the answer to who has none."""
        if not self.public.has_accounts:
            return self.public.make_not_found(request)
        view = self._find_view(request)
        session = self._find_session(request)
        return (view, session) if session else self.redirect(view, SIGN_IN_PATH)

    def check_form(
        self, form_fields: Mapping[str, str], request: Request
    ) -> tuple[PublicView, Session] | Response:
        """Do the same for a form, which must be on one of our pages and belong to the session."""
        checked = self._check_sender(request)
        if isinstance(checked, Response):
            return checked
        view, session = checked
        if not is_form_token(form_fields.get("token", ""), read_session_token(request)):
            return self.public.make_bad_request(request)
        return view, session

    def refuse_form(self, request: Request) -> Response | None:
        """Return the answer to a form that is refused whatever is in it; None if it is to be read."""
        checked = self._check_sender(request)
        return checked if isinstance(checked, Response) else None

    def _check_sender(self, request: Request) -> tuple[PublicView, Session] | Response:
        if not self.public.has_accounts or not is_from_own_page(request, self.public.responder.pages.url):
            return self.public.make_bad_request(request)
        view = self._find_view(request)
        session = self._find_session(request)
        return (view, session) if session else self.redirect(view, SIGN_IN_PATH)

    def redirect(self, view: PublicView, path: str) -> Response:
        """Redirect from a form, or from a page that only readers have, to another page in the same language."""
        return self.public.redirect_after_post(format_page_address(path, view.site.language_parameter))

    def _find_session(self, request: Request) -> Session | None:
        app = self.public.responder.app
        session = sessions.find_session(app.store, read_session_token(request), app.clock())
        return self.used_sessions.note(session) if session else None

    def _find_view(self, request: Request) -> PublicView:
        """Return the site in the language of the address, which may have other parameters."""
        parameters = parse_qs(get_query(request), max_num_fields=MAX_PARAMETERS)
        return self.public.find_view(parameters.get("lang", [""])[-1])
