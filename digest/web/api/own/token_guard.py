"""Who may use the personal part of the API: whoever has a token with the scope that a route needs (RFC 6750)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from fastapi import Request
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException

from digest.config import Settings
from digest.core.subscribers.api_tokens import ApiToken, Scope
from digest.jobs.subscribers.signup.sign_ins import may_have_account
from digest.jobs.subscribers.tokens.api_tokens import TokenService
from digest.jobs.subscribers.tokens.used_tokens import UsedTokens
from digest.web.publishing.request_limits import RequestLimits

BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="apiToken",
    bearerFormat="digest_…",
    description='A token, made on "Your account". It is valid only in this header.',
)
"""The scheme in the schema; the guard itself reads the header."""
_REALM = 'Bearer realm="digest"'


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGuard:
    """Lets requests with a valid token pass.

    Attributes:
        tokens: finds tokens.
        used_tokens: collects when tokens are used.
        limits: the limits of requests.
        settings: say who has an account: a reader who can no longer sign in has no use of a token, either.
        clock: returns the time, UTC.
    """

    tokens: TokenService
    used_tokens: UsedTokens
    limits: RequestLimits
    settings: Settings
    clock: Callable[[], datetime]

    def require(self, scope: Scope) -> Callable[[Request], None]:
        """Return the check of a request that needs a scope; ``get_token`` then returns the token."""

        def check(request: Request) -> None:
            request.state.token = self._admit(request, scope)

        return check

    def _admit(self, request: Request, scope: Scope) -> ApiToken:
        """Return the token of a request.

        Raises:
            HTTPException: status 401 without a valid token, the same whatever is wrong with it; 403 if it has not the
                scope; 429 after too many requests.
        """
        token = self.tokens.find_token(_read_secret(request), self.clock())
        if token is None or not may_have_account(self.settings, token.address):
            self.limits.count_page(request)
            headers = {"www-authenticate": _REALM}
            raise HTTPException(401, "send a valid token as Authorization: Bearer digest_…", headers)
        self.limits.count_token_use(token.subscriber)
        self.used_tokens.note(token, None)
        is_allowed = scope is not Scope.OPERATE or self.tokens.is_operator(token.address)
        if scope not in token.scopes or not is_allowed:
            headers = {"www-authenticate": f'{_REALM}, error="insufficient_scope", scope="{scope.value}"'}
            raise HTTPException(403, f"this needs a token with the scope {scope.value!r}", headers)
        return token


def get_token(request: Request) -> ApiToken:
    """Return the token of a request that has passed the guard."""
    token = request.state.token
    assert isinstance(token, ApiToken)
    return token


def _read_secret(request: Request) -> str:
    """Return the text after ``Bearer``; "" if there is none, or several headers that could be meant."""
    values = request.headers.getlist("authorization")
    if len(values) != 1:
        return ""
    scheme, _, secret = values[0].partition(" ")
    return secret.strip(" ") if scheme.lower() == "bearer" else ""
