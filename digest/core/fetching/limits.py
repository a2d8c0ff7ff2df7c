"""What a host tells of its limits, in any of the ways in use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.core.times.http_time import http_date

_LONGEST_PACE = 60.0
_LONGEST_PAUSE = 24 * 3600.0
_SHORTEST_PAUSE = 0.001
"""Seconds, all three: what a host tells beyond them is not believed."""
_SPREAD = 15 * 60.0
"""Seconds: what is left of a window of minutes is spread over it; a day's budget may be used at once."""
_EPOCH = 10**8
"""A reset of so many seconds is an instant since 1970, and no time to wait for: three years."""
_EPOCH_MILLISECONDS = 10**11
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*(?![^,;])")
_PARAMETER = re.compile(r"([a-z]+)\s*=\s*(-?\d{1,15}(?:\.\d{1,9})?)")
_INTERVAL = re.compile(r"\s*(\d{1,9})\s*([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a host wants to be asked.

    Attributes:
        pace: how far apart requests must be; None if it does not say.
        pause: how long there are no requests left to ask; None if there are some, or it does not say.
        remaining: how many requests are left in this window; None if it does not say.
    """

    pace: timedelta | None = None
    pause: timedelta | None = None
    remaining: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Budget:
    """So many requests in a window of seconds, so many left, and seconds until it is full again."""

    quota: float | None = None
    window: float | None = None
    remaining: float | None = None
    reset: float | None = None


def limits_told(headers: Mapping[str, str], now: datetime) -> Limits:
    """What the headers of an answer tell of limits; where there are several, the strictest.

    ``RateLimit`` and ``RateLimit-Policy`` (draft-ietf-httpapi-ratelimit-headers, as it is and as it was),
    ``RateLimit-Limit``, ``-Remaining`` and ``-Reset`` (its first drafts), the same with ``X-``, and
    ``X-Rate-Limit-…`` with ``-Interval`` (Crossref). ``Retry-After`` is no limit: ``core.retry`` reads it.

    Args:
        headers: names in lower case.
        now: by the clock that wrote the answer's dates.
    """
    budgets = [*_fields(headers), *_separate(headers, now)]
    paces = [pace for budget in budgets if (pace := _pace(budget))]
    pauses = [pause for budget in budgets if (pause := _pause(budget))]
    left = [budget.remaining for budget in budgets if budget.remaining is not None]
    return Limits(
        pace=timedelta(seconds=min(max(paces), _LONGEST_PACE)) if paces else None,
        pause=timedelta(seconds=min(max(pauses), _LONGEST_PAUSE)) if pauses else None,
        remaining=max(int(min(left)), 0) if left else None,
    )


# --- reading --------------------------------------------------------------------------------------


def _fields(headers: Mapping[str, str]) -> Iterator[_Budget]:
    """``RateLimit`` and ``RateLimit-Policy``."""
    for name in ("ratelimit", "ratelimit-policy"):
        # Names of policies stand in quotation marks, and nothing is known by them.
        text = _QUOTED.sub("", headers.get(name, "").lower())
        whole = _parameters(text)
        if whole.keys() & {"limit", "remaining", "reset"}:  # up to draft 07 it was one triple
            yield _Budget(
                quota=whole.get("limit"), remaining=whole.get("remaining"), reset=whole.get("reset")
            )
            continue
        for member in text.split(","):
            told = _parameters(member)
            yield _Budget(
                quota=told.get("q", _number(member)),
                window=told.get("w"),
                remaining=told.get("r"),
                reset=told.get("t"),
            )


def _separate(headers: Mapping[str, str], now: datetime) -> Iterator[_Budget]:
    """A header for each number."""
    for prefix in ("ratelimit-", "x-ratelimit-", "x-rate-limit-"):
        limit = headers.get(f"{prefix}limit", "").lower()
        yield _Budget(
            quota=_number(limit),
            window=_interval(headers.get(f"{prefix}interval", "")) or _parameters(limit).get("w"),
            remaining=_number(headers.get(f"{prefix}remaining", "")),
            reset=_left(headers.get(f"{prefix}reset", ""), now),
        )


def _parameters(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in _PARAMETER.findall(text)}


def _number(text: str) -> float | None:
    found = _NUMBER.match(text)
    return float(found[1]) if found else None


def _interval(text: str) -> float | None:
    found = _INTERVAL.fullmatch(text.rstrip().lower())
    return float(found[1]) * _UNITS[found[2]] if found else None


def _left(text: str, now: datetime) -> float | None:
    """Seconds until a reset that is given in seconds to wait, in seconds since 1970, or as a date."""
    number = _number(text)
    if number is None:
        date = http_date(text)
        return max((date - now).total_seconds(), 0) if date else None
    if number < _EPOCH:
        return number
    return max((number / 1000 if number >= _EPOCH_MILLISECONDS else number) - now.timestamp(), 0)


# --- judging --------------------------------------------------------------------------------------


def _pace(budget: _Budget) -> float | None:
    """Seconds between requests, so that they fit."""
    quota, window = budget.quota or 0, budget.window or 0
    remaining, reset = budget.remaining or 0, budget.reset or 0
    paces = []
    if quota > 0 and window > 0:
        paces.append(window / quota)
    if remaining >= 1 and 0 < reset <= _SPREAD:
        # OpenAlex has told more left than there are in all.
        paces.append(reset / (min(remaining, quota) if quota > 0 else remaining))
    return max(paces, default=None)


def _pause(budget: _Budget) -> float | None:
    """Seconds until there is something left again."""
    if budget.remaining is None or budget.remaining >= 1:
        return None
    wait = budget.window if budget.reset is None else budget.reset
    return wait if wait and wait >= _SHORTEST_PAUSE else None
