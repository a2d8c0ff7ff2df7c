"""Feeds that nobody writes who wants to be read: the most CPU time that one takes, against the limit that each has.

4,000 feeds of the tests' generator, of 100 bytes to 100 kB, are read in the process in which feeds are read, which the system
ends after 5 s of CPU for each megabyte, and never sooner than after 0.25 s. The peer is ``feedparser.parse`` in the same process:
it has no limits of its own, so what it was ended at is its figure, and how many were.
"""

from __future__ import annotations

import io
import random
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from math import exp, inf, log
from time import process_time
from typing import NamedTuple

import feedparser

from benchmarks.measure import Result, Row
from digest.errors import SourceError
from digest.jobs.http.parse_process import ParseProcess, compute_time_limit
from digest.model import Ask
from digest.ports import Page, Request, Response
from digest.sources import feed
from tests.generators.odd_feeds import make_odd_feed

FEEDS, FEW = 4_000, 60
PEERS = 200
"""Feeds that the peer reads: where it is ended, its process is started anew."""
SHORTEST, LONGEST = 100, 100_000
"""Bytes, about; as many feeds are of 1 to 2 kB as of 50 to 100 kB."""
URL = "https://feeds.example.org/feed.xml"
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


class Measured(feed.Source):
    """A feed that is read as by digest, with the seconds of CPU that it took in the place of the cursor."""

    def read(self, request: Request, response: Response) -> Page:
        """Read it, or refuse it; both take time."""
        begun = process_time()
        try:
            page = super().read(request, response)
        except SourceError:
            page = Page()
        return replace(page, cursor=repr(process_time() - begun))


class Peer(feed.Source):
    """The same by feedparser alone, as everybody calls it."""

    def read(self, request: Request, response: Response) -> Page:  # noqa: ARG002 - the port's signature
        """Read it."""
        begun = process_time()
        feedparser.parse(io.BytesIO(response.body))
        return Page(cursor=repr(process_time() - begun))


class _Taken(NamedTuple):
    """What one feed took; seconds of CPU, all that it may take where it was ended."""

    size: int
    seconds: float
    was_ended: bool

    @property
    def share(self) -> float:
        """Of what it may take; one that was ended would have taken more, nobody knows how much."""
        return inf if self.was_ended else self.seconds / compute_time_limit(b"\0" * self.size)


def run(*, small: bool) -> Result:
    """Read odd feeds as digest does, and some by feedparser alone."""
    chance = random.Random(18)
    bodies = [
        make_odd_feed(chance, int(exp(chance.uniform(log(SHORTEST), log(LONGEST)))))
        for _ in range(FEW if small else FEEDS)
    ]
    found = [("digest", _measure(Measured, bodies)), ("feedparser", _measure(Peer, bodies[:PEERS]))]
    rows = list(chain.from_iterable(_rows(name, taken, small=small) for name, taken in found))
    ended = ", ".join(
        f"{name} ended at {sum(one.was_ended for one in taken):,} of {len(taken):,}" for name, taken in found
    )
    return Result(title=f"CPU of {len(bodies):,} odd feeds against its limit; {ended}", rows=tuple(rows))


def _rows(name: str, taken: list[_Taken], *, small: bool) -> list[Row]:
    """The one that comes nearest to its limit, and the one that takes most for each megabyte of those of 20 kB and more."""
    rows = []
    for work, some in (
        ("all sizes", taken),
        ("20 kB and more", [one for one in taken if one.size >= 20_000]),
    ):
        worst = max(some, key=lambda one: one.share)
        rows.append(
            Row(
                work=f"nearest to it, {work}",
                candidate=f"{name}: {worst.size:,} B, {worst.seconds / worst.size * 1e6:.2f} s/MB",
                seconds=worst.seconds,
                times=1 / worst.share,
                wanted=1.0 if name == "digest" and not small else None,
            )
        )
    return rows


def _measure(kind: type[feed.Source], bodies: list[bytes]) -> list[_Taken]:
    source = kind(url=URL)
    request = source.start(Ask(source=source.name, section="feed", route="feed"), "", NOW)
    taken = []
    with ParseProcess() as parsing:
        for body in bodies:
            try:
                page = parsing.read_response(source, request, Response(status=200, headers=(), body=body))
            except Exception:  # noqa: BLE001 - the peer may raise anything, and it may be ended
                taken.append(_Taken(len(body), compute_time_limit(body), was_ended=True))
            else:
                taken.append(_Taken(len(body), float(page.cursor), was_ended=False))
    return taken
