"""What is a trouble, which, and in which words: by an answer's status and headers, or by what went wrong."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from datetime import datetime, timedelta

import httpx

from digest.core.fetching.limits import limits_told
from digest.core.times.retry import imposed_pause
from digest.jobs.http.body_limit import BodyError, BrokenOffError
from digest.jobs.http.fetch_results import Trouble, TroubleState
from digest.jobs.http.ssrf_guard import RefusedError

_BUSY = frozenset({406, 408, 425})
"""Answers that mean "later", besides those of 500 and more; arXiv's edge says 406 under load."""
_DENIED = frozenset({401, 402, 403, 407, 451})
_BUDGET = frozenset({403, 429})
"""Said by those who count requests when there are none left."""
_FAR = timedelta(minutes=15)
_HOURS = timedelta(hours=6)
"""arXiv's terms: who goes on after "access denied" attacks."""

_NO_RESOLVER = frozenset({socket.EAI_AGAIN, socket.EAI_FAIL, socket.EAI_SYSTEM})
"""Lookups that end so got no answer at all, not even that there is no such name."""
_LONGEST = 300
"""Characters: an address that a host redirects to can be of any length."""
_WORDS: tuple[tuple[type[Exception], TroubleState, str], ...] = (
    (httpx.ConnectTimeout, TroubleState.AWAY, "it cannot be reached (no connection within 10 seconds)"),
    (httpx.ConnectError, TroubleState.AWAY, "it cannot be reached"),
    (OSError, TroubleState.AWAY, "it cannot be reached"),
    (httpx.TimeoutException, TroubleState.AWAY, "it did not answer in time"),
    (httpx.NetworkError, TroubleState.CUT_OFF, "its answer breaks off"),
    (httpx.RemoteProtocolError, TroubleState.CUT_OFF, "its answer breaks off"),
    (Exception, TroubleState.AWAY, "the request failed"),
)


def refusal(status: int, headers: Mapping[str, str], now: datetime) -> Trouble | None:
    """What trouble an answer is; None for one that its source can read, be it a refusal.

    Args:
        status: of HTTP.
        headers: names in lower case.
        now: by the clock that wrote the answer's dates.
    """
    if status < 400:
        return None
    limits = limits_told(headers, now)
    pauses = [limits.pause, imposed_pause(headers.get("retry-after", ""), now)]
    pause = max((one for one in pauses if one is not None), default=None)
    if headers.get("cf-mitigated", "").strip().lower() == "challenge":
        state, words = TroubleState.DENIED, f"it lets in only browsers that pass its check (HTTP {status})"
    elif status in _BUDGET and limits.remaining == 0 and pause is not None and pause >= _FAR:
        until = f"{now + pause:%d %b %H:%M} UTC"
        state, words = TroubleState.QUOTA, f"it answered HTTP {status}: our share is used up until {until}"
    elif status == 429 or (status == 403 and limits.remaining == 0):
        state, words = TroubleState.THROTTLED, f"it answered HTTP {status}: it is asked too often"
    elif status in _DENIED:
        wish = "it wants a login" if status == 401 else "it denies access"
        state, words = TroubleState.DENIED, f"{wish} (HTTP {status})"
    elif status >= 500 and pause is not None:
        state, words = TroubleState.THROTTLED, f"it answered HTTP {status} and asks for a pause"
    elif status >= 500 or status in _BUSY:
        state, words = TroubleState.BUSY, f"it answered HTTP {status}: it is busy"
    else:
        return None
    if state is TroubleState.DENIED:
        pause = max(pause or _HOURS, _HOURS)
    return Trouble(message=words, state=state, pause=pause, limits=limits)


MAYBE_OFFLINE = "; offline?"
"""How messages end where this machine may have no network."""
OFFLINE = f"no name of a host can be resolved here{MAYBE_OFFLINE}"
"""The message where this machine cannot look up any name, which is no fault of the host that was asked."""


def failed_lookup(error: BaseException) -> socket.gaierror | None:
    """The failed lookup of a host's name that an error comes from; None if it comes from something else."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, socket.gaierror):
        cause = cause.__cause__ or cause.__context__
    return cause


def trouble_of(error: Exception) -> Trouble | None:
    """What went wrong while asking; None for a mistake of ours."""
    match error:
        case BodyError() | RefusedError():
            return Trouble(message=_printable(error), state=TroubleState.UNUSABLE)
        case httpx.InvalidURL() | UnicodeError():
            message = f"there can be no such address ({_printable(error)})"
            return Trouble(message=message, state=TroubleState.UNUSABLE)
        case BrokenOffError():
            return Trouble(message="its answer breaks off", state=TroubleState.CUT_OFF)
        case httpx.HTTPError() | OSError() if lookup := failed_lookup(error):
            host = _host_of(error)
            of_host = f"the name of its host{f', {host},' if host else ''} cannot be resolved{MAYBE_OFFLINE}"
            message = OFFLINE if lookup.errno in _NO_RESOLVER else of_host
            return Trouble(message=message, state=TroubleState.AWAY)
        case httpx.HTTPError() | OSError():
            state, words = next((state, words) for kind, state, words in _WORDS if isinstance(error, kind))
            message = f"{words} ({_printable(error)})" if str(error) else words
            return Trouble(message=message, state=state)
        case _:
            return None


def _host_of(error: Exception) -> str:
    """The host that a failed request was for; "" if it does not say."""
    try:
        return error.request.url.host[:_LONGEST] if isinstance(error, httpx.RequestError) else ""
    except RuntimeError:  # it was made without a request
        return ""


def _printable(error: Exception) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in str(error)[:_LONGEST])
