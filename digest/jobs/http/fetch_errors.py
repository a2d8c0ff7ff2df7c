"""Classification of failed requests, with their messages, by status and headers or by the exception."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from datetime import datetime, timedelta

import httpx

from digest.core.fetching.limits import parse_limits
from digest.core.times.retry import parse_retry_after
from digest.jobs.http.body_limit import BodyError, BrokenOffError
from digest.jobs.http.fetch_results import FetchFailure, FetchFailureState
from digest.jobs.http.ssrf_guard import RequestBlockedError

_BUSY = frozenset({406, 408, 425})
"""Statuses that mean "later", besides those from 500 on; arXiv's edge servers return 406 under load."""
_DENIED = frozenset({401, 402, 403, 407, 451})
_BUDGET = frozenset({403, 429})
"""Statuses of hosts that count requests and have none left for us."""
_MIN_QUOTA_PAUSE = timedelta(minutes=15)
_DENIED_PAUSE = timedelta(hours=6)
"""Pause after a denied request; by arXiv's terms, further requests after "access denied" are an attack."""

_NO_RESOLVER = frozenset({socket.EAI_AGAIN, socket.EAI_FAIL, socket.EAI_SYSTEM})
"""Errors of lookups that got no answer at all, not even that the name does not exist."""
_MAX_MESSAGE_LENGTH = 300
"""Maximum length of a message, in characters; a redirect may have an address of any length."""
_WORDS: tuple[tuple[type[Exception], FetchFailureState, str], ...] = (
    (httpx.ConnectTimeout, FetchFailureState.AWAY, "it cannot be reached (no connection within 10 seconds)"),
    (httpx.ConnectError, FetchFailureState.AWAY, "it cannot be reached"),
    (OSError, FetchFailureState.AWAY, "it cannot be reached"),
    (httpx.TimeoutException, FetchFailureState.AWAY, "it did not answer in time"),
    (httpx.NetworkError, FetchFailureState.CUT_OFF, "its answer was cut off"),
    (httpx.RemoteProtocolError, FetchFailureState.CUT_OFF, "its answer was cut off"),
    (Exception, FetchFailureState.AWAY, "the request failed"),
)


def read_refusal(status: int, headers: Mapping[str, str], now: datetime) -> FetchFailure | None:
    """Classify a response; return None if its source can read it, even if it is a refusal.

    Args:
        status: the HTTP status.
        headers: names in lower case.
        now: the time by the host's clock, if it has a Date header.
    """
    if status < 400:
        return None
    limits = parse_limits(headers, now)
    pauses = [limits.pause, parse_retry_after(headers.get("retry-after", ""), now)]
    pause = max((wanted_pause for wanted_pause in pauses if wanted_pause is not None), default=None)
    if headers.get("cf-mitigated", "").strip().lower() == "challenge":
        state, message = (
            FetchFailureState.DENIED,
            f"it only admits browsers that pass its check (HTTP {status})",
        )
    elif status in _BUDGET and limits.remaining == 0 and pause is not None and pause >= _MIN_QUOTA_PAUSE:
        until = f"{now + pause:%d %b %H:%M} UTC"
        state, message = (
            FetchFailureState.QUOTA,
            f"it answered HTTP {status}: our quota is used up until {until}",
        )
    elif status == 429 or (status == 403 and limits.remaining == 0):
        state, message = (
            FetchFailureState.THROTTLED,
            f"it answered HTTP {status}: there were too many requests",
        )
    elif status in _DENIED:
        denial = "it requires a login" if status == 401 else "it denies access"
        state, message = FetchFailureState.DENIED, f"{denial} (HTTP {status})"
    elif status >= 500 and pause is not None:
        state, message = FetchFailureState.THROTTLED, f"it answered HTTP {status} and asks for a pause"
    elif status >= 500 or status in _BUSY:
        state, message = FetchFailureState.BUSY, f"it answered HTTP {status}: it is busy"
    else:
        return None
    if state is FetchFailureState.DENIED:
        pause = max(pause or _DENIED_PAUSE, _DENIED_PAUSE)
    return FetchFailure(message=message, state=state, pause=pause, limits=limits)


MAYBE_OFFLINE = "; is this machine offline?"
"""End of messages if this machine may be offline."""
OFFLINE = f"no host name can be resolved{MAYBE_OFFLINE}"
"""Message if this machine cannot resolve any name, for which the requested host is not to blame."""


def find_failed_lookup(error: BaseException) -> socket.gaierror | None:
    """Return the failed lookup of a host name that caused an error; None if there is none."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, socket.gaierror):
        cause = cause.__cause__ or cause.__context__
    return cause


def describe_error(error: Exception) -> FetchFailure | None:
    """Describe a failed request; None if the exception is a bug of ours."""
    match error:
        case BodyError() | RequestBlockedError():
            return FetchFailure(message=_format_printable(error), state=FetchFailureState.UNUSABLE)
        case httpx.InvalidURL() | UnicodeError():
            message = f"this is not a valid address ({_format_printable(error)})"
            return FetchFailure(message=message, state=FetchFailureState.UNUSABLE)
        case BrokenOffError():
            return FetchFailure(message="its answer was cut off", state=FetchFailureState.CUT_OFF)
        case httpx.HTTPError() | OSError() if lookup := find_failed_lookup(error):
            host = _read_host(error)
            lookup_message = (
                f"the name of its host{f', {host},' if host else ''} cannot be resolved{MAYBE_OFFLINE}"
            )
            message = OFFLINE if lookup.errno in _NO_RESOLVER else lookup_message
            return FetchFailure(message=message, state=FetchFailureState.AWAY)
        case httpx.HTTPError() | OSError():
            state, summary = next(
                (state, summary) for error_type, state, summary in _WORDS if isinstance(error, error_type)
            )
            message = f"{summary} ({_format_printable(error)})" if str(error) else summary
            return FetchFailure(message=message, state=state)
        case _:
            return None


def _read_host(error: Exception) -> str:
    """Return the host of a failed request; "" if the exception does not name it."""
    try:
        return error.request.url.host[:_MAX_MESSAGE_LENGTH] if isinstance(error, httpx.RequestError) else ""
    except RuntimeError:  # the exception has no request
        return ""


def _format_printable(error: Exception) -> str:
    return "".join(
        character if character.isprintable() else "?" for character in str(error)[:_MAX_MESSAGE_LENGTH]
    )
