"""Parsing of the rate limits that hosts state in headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.core.times.http_time import parse_http_date

_MAX_PACE = 60.0
_MAX_PAUSE = 24 * 3600.0
_MIN_PAUSE = 0.001
"""Shortest pause that is respected, in seconds; likewise the longest pace and pause above."""
_MAX_SPREAD_WINDOW = 15 * 60.0
"""Longest window, in seconds, over which the remaining requests are spread; a daily budget may be used up at once."""
_MIN_EPOCH_SECONDS = 10**8
"""Value of a reset from which it is taken as seconds since 1970; as a time to wait it would be three years."""
_MIN_EPOCH_MILLISECONDS = 10**11
_QUOTED_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*(?![^,;])")
_PARAMETER = re.compile(r"([a-z]+)\s*=\s*(-?\d{1,15}(?:\.\d{1,9})?)")
_INTERVAL = re.compile(r"\s*(\d{1,9})\s*([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimits:
    """Limits that a host states.

    Attributes:
        pace: minimum time between requests; None if it is not stated.
        pause: how long no requests are left; None if some are left, or it is not stated.
        remaining: number of requests left in this window; None if it is not stated.
    """

    pace: timedelta | None = None
    pause: timedelta | None = None
    remaining: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Budget:
    """A budget: requests in a window, window in seconds, requests left, and seconds until it is full again."""

    quota: float | None = None
    window: float | None = None
    remaining: float | None = None
    reset: float | None = None


def parse_limits(headers: Mapping[str, str], now: datetime) -> HostLimits:
    """Parse the limits in the headers of a response; of several, the strictest one counts.

    Supported are ``RateLimit`` and ``RateLimit-Policy`` (draft-ietf-httpapi-ratelimit-headers, in current and
    earlier versions), ``RateLimit-Limit``, ``-Remaining`` and ``-Reset`` (its first drafts), the same with
    ``X-``, and ``X-Rate-Limit-…`` with ``-Interval`` (Crossref). ``Retry-After`` is parsed in
    ``digest.core.times.retry``.

    Args:
        headers: names in lower case.
        now: the current time, by the clock that wrote the dates of the response.
    """
    budgets = [*_read_combined_fields(headers), *_read_separate_fields(headers, now)]
    paces = [pace for budget in budgets if (pace := _compute_pace(budget))]
    pauses = [pause for budget in budgets if (pause := _compute_pause(budget))]
    remaining_counts = [budget.remaining for budget in budgets if budget.remaining is not None]
    return HostLimits(
        pace=timedelta(seconds=min(max(paces), _MAX_PACE)) if paces else None,
        pause=timedelta(seconds=min(max(pauses), _MAX_PAUSE)) if pauses else None,
        remaining=max(int(min(remaining_counts)), 0) if remaining_counts else None,
    )


# --- reading --------------------------------------------------------------------------------------


def _read_combined_fields(headers: Mapping[str, str]) -> Iterator[_Budget]:
    """Yield the budgets in ``RateLimit`` and ``RateLimit-Policy``."""
    for name in ("ratelimit", "ratelimit-policy"):
        # Names of policies are quoted strings, which could look like parameters.
        text = _QUOTED_STRING.sub("", headers.get(name, "").lower())
        field_parameters = _parse_parameters(text)
        # Up to draft 07, a header had a single triple.
        if field_parameters.keys() & {"limit", "remaining", "reset"}:
            yield _Budget(
                quota=field_parameters.get("limit"),
                remaining=field_parameters.get("remaining"),
                reset=field_parameters.get("reset"),
            )
            continue
        for member in text.split(","):
            member_parameters = _parse_parameters(member)
            yield _Budget(
                quota=member_parameters.get("q", _parse_number(member)),
                window=member_parameters.get("w"),
                remaining=member_parameters.get("r"),
                reset=member_parameters.get("t"),
            )


def _read_separate_fields(headers: Mapping[str, str], now: datetime) -> Iterator[_Budget]:
    """Yield the budgets in headers that have one number each."""
    for prefix in ("ratelimit-", "x-ratelimit-", "x-rate-limit-"):
        limit = headers.get(f"{prefix}limit", "").lower()
        yield _Budget(
            quota=_parse_number(limit),
            window=_parse_interval(headers.get(f"{prefix}interval", "")) or _parse_parameters(limit).get("w"),
            remaining=_parse_number(headers.get(f"{prefix}remaining", "")),
            reset=_parse_reset(headers.get(f"{prefix}reset", ""), now),
        )


def _parse_parameters(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in _PARAMETER.findall(text)}


def _parse_number(text: str) -> float | None:
    match = _NUMBER.match(text)
    return float(match[1]) if match else None


def _parse_interval(text: str) -> float | None:
    match = _INTERVAL.fullmatch(text.rstrip().lower())
    return float(match[1]) * _UNITS[match[2]] if match else None


def _parse_reset(text: str, now: datetime) -> float | None:
    """Return the seconds until a reset, which is a number of seconds to wait or since 1970, or a date."""
    number = _parse_number(text)
    if number is None:
        date = parse_http_date(text)
        return max((date - now).total_seconds(), 0) if date else None
    if number < _MIN_EPOCH_SECONDS:
        return number
    return max((number / 1000 if number >= _MIN_EPOCH_MILLISECONDS else number) - now.timestamp(), 0)


# --- pace and pause -------------------------------------------------------------------------------


def _compute_pace(budget: _Budget) -> float | None:
    """Return the number of seconds between requests with which the budget suffices; None if it is not stated."""
    quota, window = budget.quota or 0, budget.window or 0
    remaining, reset = budget.remaining or 0, budget.reset or 0
    paces = []
    if quota > 0 and window > 0:
        paces.append(window / quota)
    if remaining >= 1 and 0 < reset <= _MAX_SPREAD_WINDOW:
        # OpenAlex has stated more remaining requests than its quota.
        paces.append(reset / (min(remaining, quota) if quota > 0 else remaining))
    return max(paces, default=None)


def _compute_pause(budget: _Budget) -> float | None:
    """Return the number of seconds until requests are left again; None if some are left or it is not stated."""
    if budget.remaining is None or budget.remaining >= 1:
        return None
    wait = budget.window if budget.reset is None else budget.reset
    return wait if wait and wait >= _MIN_PAUSE else None
