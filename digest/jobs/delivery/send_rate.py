"""How fast messages go out: the turns of what is claimed, in all, by channel and by the recipient's domain.

A rate says how many of those claimed may go. What its domain has no room for is put off once, to a turn of its own
behind the others: a backlog for one domain is not looked through again and again. A turn is only when to look again;
whether there is room is asked of the rate itself, so that turns that come late do no harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from digest.config import DeliverySettings
from digest.core.delivery.rates import Rate, again_at, free, slowed_now, spend
from digest.jobs.http.fetch import Clock
from digest.store.database.engine import Transaction
from digest.store.delivery import outbox, rates
from digest.store.delivery.outbox import FRONT, Delivery, Place, Which
from digest.store.delivery.rates import Bucket

_UNSAID = Rate(10, timedelta(seconds=1))
"""What the half is taken of where a domain wants less and has no rate."""
_BEHIND = timedelta(days=2)
"""No queue is longer: what would be behind it comes into it again. One that is was made by a wrong clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was claimed.

    Attributes:
        some: deliveries, leased.
        wait: how long it takes until a rate has room for more; None where no rate is in the way.
    """

    some: tuple[Delivery, ...] = ()
    wait: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The rates of one configuration.

    Attributes:
        limits: as configured.
        machine: gives the machine's time.
    """

    limits: DeliverySettings
    machine: Clock

    def slow(self, tx: Transaction, now: datetime) -> Mapping[str, float]:
        """How many times slower domains are to be written to that wanted less from us."""
        made = {name: slowed_now(*how, now) for name, how in rates.slow_domains(tx).items()}
        return {name: slowed for name, slowed in made.items() if slowed > 1}

    def claim(
        self,
        tx: Transaction,
        channel: str,
        most: int,
        token: int,
        now: datetime,
        *,
        pack: int,
        slow: Mapping[str, float],
        beyond: Place = FRONT,
        which: Which = Which.ALL,
    ) -> Taken:
        """Claim what may go now.

        Args:
            tx: a writing transaction.
            channel: its name.
            most: how many at the most.
            token: of the worker.
            now: the time of the command.
            pack: less than this is not worth a claim where the rate has room for more in a moment.
            slow: as ``slow`` gave it.
            beyond: where to begin.
            which: of these.
        """
        at = self.machine()
        gates = self._gates(tx, channel, at, by_domain=bool(slow))
        for rate, gate in gates:
            least = min(most, rate.burst, pack)
            room = free(rate, gate.spent_to, at)
            if room < least:
                return Taken(wait=again_at(rate, gate.spent_to, least) - at)
            most = min(most, room)
        queues = _Queues(tx=tx, limits=self.limits.domains, slow=slow, now=now, at=at)
        some = outbox.claim(tx, channel, token, now, most, turns=queues.turns, beyond=beyond, which=which)
        queues.keep()
        for rate, gate in gates:
            gate.spent_to = spend(rate, gate.spent_to, at, len(some))
        rates.keep(tx, [gate for _, gate in gates] if some else [])
        return Taken(some=some)

    def _gates(
        self, tx: Transaction, channel: str, at: datetime, *, by_domain: bool
    ) -> list[tuple[Rate, Bucket]]:
        """The rates that all of a claim goes by, locked in one order by everybody."""
        wanted: dict[str, Rate] = {}
        if self.limits.rate:
            wanted[rates.ALL] = self.limits.rate
        if channel in self.limits.rates:
            wanted[rates.of_channel(channel)] = self.limits.rates[channel]
        # Who is about to lock domains has this one first: two that lock them in another order would wait for ever.
        gate = {rates.of_channel(channel)} if by_domain or self.limits.domains else set()
        found = rates.locked(tx, wanted.keys() | gate, at)
        return [(rate, found[name]) for name, rate in sorted(wanted.items())]


@dataclass(slots=True, kw_only=True)
class _Queues:
    """The domains of what one transaction looks at."""

    tx: Transaction
    limits: Mapping[str, Rate]
    slow: Mapping[str, float]
    now: datetime
    at: datetime
    buckets: dict[str, Bucket] = field(default_factory=dict)

    def turns(
        self, found: Sequence[Delivery], most: int
    ) -> tuple[Sequence[Delivery], Mapping[int, datetime]]:
        """Which of those found go now, and to when those are put off that their domain has no room for."""
        limited = {one.domain for one in found if self._rate(one.domain)}
        self.buckets |= rates.locked(
            self.tx, {rates.of_domain(name) for name in limited} - self.buckets.keys(), self.at
        )
        go: list[Delivery] = []
        later: dict[int, datetime] = {}
        for one in found:
            if len(go) == most and one.domain not in limited:
                continue
            turn = self._turn(one, full=len(go) == most) if one.domain in limited else self.at
            if turn is None:
                continue
            if turn <= self.at:
                go.append(one)
            else:
                later[one.id] = self.now + (turn - self.at)
        return go, later

    def _rate(self, domain: str) -> Rate | None:
        if not domain:
            return None
        return self.limits.get(domain) or self.limits.get("*") or (_UNSAID if domain in self.slow else None)

    def _turn(self, one: Delivery, *, full: bool) -> datetime | None:
        """When a delivery may go: now, or at the end of its domain's queue; None to leave it where it is."""
        bucket = self.buckets[rates.of_domain(one.domain)]
        rate, slowed = self._rate(one.domain), self.slow.get(one.domain, 1.0)
        assert rate is not None
        queued_to = bucket.queued_to or self.at
        if queued_to > self.at + _BEHIND:
            queued_to = self.at
        opens = self.at
        if bucket.paused_until is not None and bucket.paused_until > self.now:
            opens += bucket.paused_until - self.now
        waiting = queued_to > self.at and not one.paced
        if opens <= self.at and not waiting and free(rate, bucket.spent_to, self.at, slowed):
            if full:
                return None
            bucket.spent_to = spend(rate, bucket.spent_to, self.at, 1, slowed)
            return self.at
        room_at = again_at(rate, bucket.spent_to, 1, slowed)
        turn = max(queued_to, room_at, opens, self.at + rate.interval(slowed))
        bucket.queued_to = turn + rate.interval(slowed)
        return turn

    def keep(self) -> None:
        """Keep what was taken and given out."""
        rates.keep(self.tx, list(self.buckets.values()))
