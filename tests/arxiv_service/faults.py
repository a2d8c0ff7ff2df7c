"""What goes wrong at arXiv, each for a while of simulated time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tests.arxiv_service.answers import Answer, make_refusal
from tests.arxiv_service.release_times import get_feed_time, get_list_time

EVERYWHERE = ("throttled", "not_acceptable", "unavailable", "hangs_up", "gone", "slow")
"""Kinds that strike all routes alike."""
OF_ROUTE = {
    "listing": ("stale", "late", "blank", "partial", "unfinished", "broken_off"),
    "rss": ("stale", "late", "blank", "unfinished", "broken_off"),
    "catchup": ("partial", "unfinished", "broken_off"),
    "oai": ("unfinished", "broken_off"),
}
"""Kinds that strike one route."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is wrong for a while.

    Attributes:
        kind: ``stale``: the day before's rows under the day's own date. ``late``: the day before, as it was.
            ``blank``: no rows. ``partial``: every third row is missing, the counts stay. ``over_full``: the
            feed takes at most ``limit``. ``unfinished``: the document ends half-way, in due form.
            ``broken_off``: the connection does. ``throttled`` 429, ``not_acceptable`` 406, ``unavailable``
            503. ``hangs_up``: no answer. ``gone``: no connection, on any route. ``slow``: it takes a moment.
        routes: where; none for all.
        section: of which; "" for all.
        behind: how many announcement days a stale or late answer is behind.
    """

    kind: str
    begin: datetime
    end: datetime
    routes: tuple[str, ...] = ()
    section: str = ""
    limit: int = 0
    behind: int = 1

    def strikes(self, route: str, section: str, now: datetime) -> bool:
        """Whether it has a hand in an answer."""
        here = (not self.routes or route in self.routes) and self.section in {"", section}
        return here and self.begin <= now < self.end


def apply_fault(answer: Answer, fault: Fault, now: datetime) -> Answer | None:
    """What becomes of a right answer on its way; None for a connection that ends without any."""
    left = max(1, int((fault.end - now).total_seconds()))
    if fault.kind == "hangs_up":
        return None
    if fault.kind == "throttled":
        return make_refusal(429, "Rate exceeded.", {"Retry-After": str(left)})
    if fault.kind == "not_acceptable":
        return make_refusal(406, "Not acceptable.")
    if fault.kind == "unavailable":
        return make_refusal(503, "The listing is not ready.", {"Retry-After": "300"})
    if fault.kind in {"unfinished", "broken_off"} and answer.status == 200:
        return replace(answer, body=answer.body[: len(answer.body) // 2], rows=(), total=None)
    return answer


def make_faults(
    chance: random.Random, days: Sequence[date], sections: Sequence[str], *, a_day: int = 3
) -> list[Fault]:
    """Faults that a seed makes: several a day, each of minutes to hours, all over eight hours after midnight.

    A list's begin with or after it, and a feed's so too, so that they are in the way when something is due.
    """
    results = []
    for day in days:
        for _ in range(a_day):
            route = chance.choice(["", *OF_ROUTE])
            kind = chance.choice(OF_ROUTE.get(route, EVERYWHERE))
            begin = (get_feed_time if route in {"rss", "catchup"} else get_list_time)(day)
            begin += timedelta(minutes=chance.choice((0, 0, chance.randint(0, 240))))
            end = begin + timedelta(minutes=chance.randint(10, 240))
            section = chance.choice(["", *sections]) if route in {"listing", "rss", "catchup"} else ""
            results.append(
                Fault(kind=kind, begin=begin, end=end, routes=(route,) if route else (), section=section)
            )
    return results
