"""The cookie that has the token of a session.

Its prefix makes browsers refuse it from other hosts, other paths and unencrypted pages
(draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
"""

from __future__ import annotations

from fastapi import Request, Response

from digest.core.subscribers.sessions import SESSION_LIFETIME
from digest.jobs.subscribers.sessions import Browser

SESSION_COOKIE = "__Host-session"


def read_session_token(request: Request) -> str:
    """Return the token of a request; "" if it has none."""
    return request.cookies.get(SESSION_COOKIE, "")


def read_browser(request: Request) -> Browser:
    """Return the browser that sent a request."""
    return Browser(
        user_agent=request.headers.get("user-agent", ""), session_token=read_session_token(request)
    )


def set_session_cookie(response: Response, token: str) -> None:
    """Give a browser a session."""
    _set_cookie(response, token, int(SESSION_LIFETIME.total_seconds()))


def clear_session_cookie(response: Response) -> None:
    """Take the session from a browser."""
    _set_cookie(response, "", 0)


def _set_cookie(response: Response, value: str, seconds: int) -> None:
    response.set_cookie(
        SESSION_COOKIE, value, max_age=seconds, path="/", secure=True, httponly=True, samesite="lax"
    )
