"""The cookie that has the token of a session.

Its prefix makes browsers refuse it from other hosts, other paths and unencrypted pages
(draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Request, Response

from digest.core.subscribers.sessions import SESSION_LIFETIME
from digest.core.subscribers.sessions import read_browser as read_label
from digest.jobs.subscribers.signup.sessions import Browser

SESSION_COOKIE = "__Host-session"


def read_session_token(request: Request) -> str:
    """Return the token of a request; "" if it has none, or several cookies of that name.

    Browsers guard only the exact name. The framework removes all white space of Latin-1 around names and takes the
    last of several cookies, so another host of the domain could set one that counts; so the header is read here.
    """
    values = [value for name, value in _iter_cookies(request) if name == SESSION_COOKIE]
    return values[0] if len(values) == 1 else ""


def _iter_cookies(request: Request) -> Iterator[tuple[str, str]]:
    """Iterate over the names and values of all cookies, without the spaces and tabs around each pair."""
    for header in request.headers.getlist("cookie"):
        for pair in header.split(";"):
            name, _, value = pair.strip(" \t").partition("=")
            yield name, value


def read_browser(request: Request) -> Browser:
    """Return the browser that sent a request."""
    label = read_label(request.headers.get("user-agent", ""))
    return Browser(label=label, session_token=read_session_token(request))


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
