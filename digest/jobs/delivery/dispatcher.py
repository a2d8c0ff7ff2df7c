"""Deliver: editions to their destinations, in packs of at most ten, each claimed before and marked after.

``claim{lease} → render → channel → receipts → mark + claim``
A *desk* owns the store, and a thread a line renders and sends. A line gets its next pack when the receipts of its last
one are kept, those of several lines in one transaction. So a crash between the other side's "accepted" and our mark
repeats at most a pack a line, with the same Message-IDs. Any number of processes can be at it: all that they share is in
the store.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, repeat
from queue import Empty, SimpleQueue

from digest.errors import StoreError
from digest.jobs.delivery import bounces
from digest.jobs.delivery.bounces import Done, Reported
from digest.jobs.delivery.circuit_breaker import Brake
from digest.jobs.delivery.connection_share import Places
from digest.jobs.delivery.cpu_affinity import OneCore
from digest.jobs.delivery.send_rate import Pace, Taken
from digest.jobs.delivery.sender_pool import PACK, Finished, Pack, Worker, Write
from digest.jobs.delivery.server_evidence import ServerPaused, Servers, Verdict, give_up, server_of
from digest.jobs.http.fetch import Clock
from digest.model import Blame, Deferred, Receipt, Sent, Unknown
from digest.ports import Line
from digest.store.database.engine import Store, Transaction, undisturbed
from digest.store.delivery import outbox, partial_sends, rates, receipts
from digest.store.delivery.outbox import FRONT, LEASE, Delivery, Place, Which
from digest.store.delivery.rates import Trouble
from digest.store.delivery.receipts import Patience
from digest.store.editions import editions, held_runs, undelivered
from digest.store.editions.edition_loader import Known
from digest.store.editions.held_runs import HeldRun

_PROLONG = timedelta(minutes=1)
"""A pack that has lasted longer than this since its lease was last prolonged has it prolonged."""
_WAITS = timedelta(hours=1)
"""A pass stays for what has its turn within this time."""
_GRACE = 10.0
"""Seconds that packs under way have to end when the pass is stopped."""
_BREATH = 0.2
"""Seconds that Ctrl-C may wait for a line."""
_MOMENT = 0.05
"""Seconds to wait where another process is at what is due."""
_MOST_PUT_OFF = 500
_MISSING = Deferred(answer="the configuration has no such channel any more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A delivery that was tried, and what the other side answered; in a rehearsal nobody was asked."""

    delivery: Delivery
    receipt: Receipt
    rehearsed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreTrouble:
    """The store cannot be written to: nothing is sent until it can."""

    told: str


Dispatch = Delivered | ServerPaused | StoreTrouble | HeldRun | Reported
"""What happens in a pass."""


_Judged = tuple[Finished, Verdict]
"""A pack that a line is done with, and what it says. It is judged once, for a transaction may have to be repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """What one transaction came to.

    Attributes:
        told: what happened.
        packs: for whom, each to be given when the transaction is kept.
        wake: seconds until something more is due; None where nothing is to be waited for.
    """

    told: Sequence[Dispatch] = ()
    packs: Mapping[Worker, Pack] = field(default_factory=dict)
    wake: float | None = None


@dataclass(slots=True, kw_only=True)
class Desk:
    """One pass over what is due, by one process.

    Attributes:
        store: whose deliveries.
        lines: the ways out.
        write: makes messages.
        pace: the rates.
        brake: holds runs.
        patience: with what is put off.
        token: of this worker, for its leases.
        clock: gives the time of the command.
        time_passes: False where that is always the same: nothing becomes due then.
        stop: set from outside to end the pass; packs under way are ended first.
        begins: where it begins in what is due, from 0 to 1: each of several processes elsewhere.
        tends: how often it looks after leases, servers and runs.
    """

    store: Store
    lines: Sequence[Line]
    write: Write
    pace: Pace
    brake: Brake
    patience: Patience
    token: int
    clock: Clock
    time_passes: bool
    stop: threading.Event = field(default_factory=threading.Event)
    begins: float = 0.0
    tends: timedelta = timedelta(seconds=5)
    _machine_begun_at: datetime = field(init=False)
    _done: SimpleQueue[Finished] = field(default_factory=SimpleQueue, init=False)
    _under_way: dict[Worker, Pack] = field(default_factory=dict, init=False)
    _known: Known = field(default_factory=Known, init=False)
    _servers: Servers = field(init=False)
    _opened: bool = field(default=False, init=False)
    _tended: datetime | None = field(default=None, init=False)
    _slow: Mapping[str, float] = field(default_factory=dict, init=False)
    _without_unproven: set[str] = field(default_factory=set, init=False)  # channels
    _told: set[Dispatch] = field(default_factory=set, init=False)
    _reached: dict[str, Place] = field(default_factory=dict, init=False)
    _reached_unproven: dict[str, Place] = field(default_factory=dict, init=False)
    _core: OneCore = field(default_factory=OneCore, init=False)
    _places: Places = field(init=False)
    _took_places_at: datetime = field(init=False)  # by the machine's clock

    def __post_init__(self) -> None:
        self._machine_begun_at = self._took_places_at = self.pace.machine()
        self._places = Places(token=self.token)
        self._servers = Servers(
            workers=[Worker(line, self.write, self.clock, self._done) for line in self.lines],
            under_way=self._under_way,
            begun_at=self.clock(),
        )

    def run(self) -> Iterator[Dispatch]:
        """Deliver what is due, and what has its turn soon."""
        finished: list[_Judged] = []
        try:
            while True:
                self._core.gather(self._servers.workers)
                done = yield from self._kept(finished)
                errors = [one.error for one, _ in finished if one.error is not None]
                finished.clear()
                with undisturbed():
                    for worker, pack in done.packs.items():
                        self._under_way[worker] = pack
                        worker.give(pack)
                self._told.update(one for one in done.told if isinstance(one, ServerPaused | HeldRun))
                yield from done.told
                if errors:
                    raise errors[0]
                if self.stop.is_set():
                    return
                if not self._under_way and done.wake is None:
                    break
                self._wait(finished, done.wake)
            yield from (one for one in self._kept_back() if one not in self._told)
        finally:
            self._leave(finished)
            self._core.let_go(())

    def _wait(self, finished: list[_Judged], wake: float | None) -> None:
        """Wait until a line is done, or something is to be done; takes up all packs that ended meanwhile."""
        most = self.tends.total_seconds()
        seconds = max(0.0, min(most if wake is None else wake, most))
        if not self._under_way:
            self.stop.wait(seconds)
            return
        before, until = len(finished), time.monotonic() + seconds
        left = seconds
        while len(finished) == before and left >= 0:
            # What was got and not yet taken up would be lost to Ctrl-C, which waits so long.
            with undisturbed(), suppress(Empty):
                self._take_up(finished, self._done.get(timeout=min(left, _BREATH)))
                while True:
                    self._take_up(finished, self._done.get_nowait())
            left = until - time.monotonic()

    def _take_up(self, finished: list[_Judged], one: Finished) -> None:
        finished.append((one, self._servers.judge(one)))
        del self._under_way[one.worker]
        self.brake.count(one.answered())

    # --- the one transaction ----------------------------------------------------------------------

    def _kept(self, finished: list[_Judged]) -> Generator[Dispatch, None, _Round]:
        """Mark what ended and claim what is next; insists on it, for what was sent must not be forgotten."""
        told = False
        for pause in chain((1.0, 2.0, 5.0, 10.0), repeat(30.0)):
            try:
                with self.store.writing() as tx:
                    done = self._round(tx, finished)
            except StoreError as error:
                self._places.forget()
                if not self._opened or self.stop.is_set():
                    raise
                if not told:
                    yield StoreTrouble(told=str(error))
                told = True
                self._wait(finished, pause)
            else:
                self._opened = True
                return done
        raise AssertionError  # the pauses have no end

    def _round(self, tx: Transaction, finished: Sequence[_Judged]) -> _Round:
        now = self.clock()
        self._hold_places(tx, now)
        finished = [self._decide(tx, one, now) for one in finished]
        answered, came_back = self._mark(tx, finished, now)
        told: list[Dispatch] = [Delivered(delivery=one, receipt=receipt) for one, receipt in answered]
        told += [one for one in came_back if one.done is not Done.NOTHING]
        told += self._learn(tx, finished, now)
        told += self.brake.bouncing(tx)
        told += self._tend(tx)
        if self.stop.is_set() or any(one.error for one, _ in finished):
            return _Round(told=told)
        packs, held_now, wake = self._claim(tx, now)
        return _Round(told=[*told, *held_now], packs=packs, wake=wake)

    def _decide(self, tx: Transaction, judged: _Judged, now: datetime) -> _Judged:
        """Take a server for down that fails at the only message, and has taken nothing since an earlier pass."""
        finished, verdict = judged
        channel = finished.worker.line.channel
        is_alone = (
            verdict.is_down_if_alone
            and not any(worker.line.channel == channel for worker in self._under_way)
            and not self._is_due(tx, channel, now)
        )
        return finished, replace(verdict, is_down=verdict.is_down or is_alone)

    def _mark(
        self, tx: Transaction, finished: Sequence[_Judged], now: datetime
    ) -> tuple[Sequence[tuple[Delivery, Receipt]], Sequence[Reported]]:
        """Record the receipts, and what refusals say of addresses; messages that were not tried are due as before."""
        counted = {delivery.id: delivery for _, verdict in finished for delivery in verdict.faulty}
        retries = {
            number: retry
            for one in finished
            for number, retry in self._servers.list_retries(*one, counted, now)
        }
        answered = [
            (delivery, give_up(delivery, receipt, now) if delivery.id in counted else receipt)
            for one, _ in finished
            for delivery, receipt in one.answered()
        ]
        receipts.mark(tx, answered, now, self.patience, retries=retries)
        earlier = counted.keys() - {delivery.id for delivery, _ in answered}
        receipts.count_attempts(tx, [counted[number] for number in earlier], now, self.patience)
        partial_sends.keep(tx, dict(_begun(answered)))
        outbox.give_back(tx, [delivery for one, _ in finished for delivery in one.untried()])
        return answered, bounces.refused(tx, answered, now, self.patience)

    def _learn(self, tx: Transaction, finished: Sequence[_Judged], now: datetime) -> Sequence[ServerPaused]:
        """What the answers say about servers and domains; gives the pauses that begin."""
        begun: dict[str, Trouble] = {}
        for one, verdict in finished:
            server = server_of(one.worker)
            if pause := self._servers.note_result(tx, one, verdict, now):
                begun[server] = pause
            for delivery, receipt in one.answered():
                if isinstance(receipt, Deferred) and receipt.blame is Blame.DOMAIN and delivery.domain:
                    slowed = self._slow.get(delivery.domain, 1.0)
                    rates.slow_down(tx, delivery.domain, slowed, now, receipt.answer, receipt.wanted)
                    self._slow = self.pace.slow(tx, now)
            if one.trouble or server in self._servers.troubles:
                self._servers.troubles = rates.troubles(tx)
        return [one for one in self._servers.list_paused(now) if one.server in begun]

    def _tend(self, tx: Transaction) -> Iterator[Dispatch]:
        """Look after leases, servers, domains and runs, now and then."""
        at, now = self.pace.machine(), self.clock()
        self._prolong(tx, now)
        if self._tended is not None and self._tended <= at < self._tended + self.tends:
            return
        if self._tended is None:
            rates.forget_idle(tx, at)
        outbox.reclaim(tx, now)
        self._slow, self._servers.troubles = self.pace.slow(tx, now), rates.troubles(tx)
        yield from self.brake.unusual(tx)
        yield from self._without_way(tx, now)
        self._tended = at

    def _prolong(self, tx: Transaction, now: datetime) -> None:
        """Keep the leases of packs that take long: a server may take ten minutes for a message (RFC 5321, 4.5.3.2.6)."""
        for pack in self._under_way.values():
            if now > pack.held_until - LEASE + _PROLONG:
                ours = outbox.still_held(tx, pack.some, now)
                pack.held_until = now + LEASE if len(ours) == len(pack.some) else now

    def _without_way(self, tx: Transaction, now: datetime) -> Iterator[Dispatch]:
        """Put off what is to go by a channel that has no line."""
        for channel in outbox.channels_waiting(tx) - {line.channel for line in self.lines}:
            some = outbox.claim(tx, channel, self.token, now, _MOST_PUT_OFF)
            receipts.mark(tx, [(one, _MISSING) for one in some], now, self.patience)
            yield from (Delivered(delivery=one, receipt=_MISSING) for one in some)

    # --- claiming ---------------------------------------------------------------------------------

    def _claim(
        self, tx: Transaction, now: datetime
    ) -> tuple[Mapping[Worker, Pack], Sequence[HeldRun], float | None]:
        """Packs for the lines that are free."""
        given: list[tuple[Worker, Sequence[Delivery]]] = []
        stopped: list[HeldRun] = []
        wakes: list[float] = []
        for channel in self._channels:
            if not self._servers.has_awake(channel, now):
                self._servers.newest_due[channel] = outbox.newest_due(tx, channel, now)
            free = self._free(channel, now)
            workers = list(self._places.usable(free, self._under_way))
            if free and not workers and self._is_due(tx, channel, now):
                wakes.append(self.tends.total_seconds())  # others have all places
            if not workers:
                continue
            suspects, ordinary, wakes_here = self._take(tx, channel, len(workers), now)
            wakes += wakes_here
            suspects, held_suspects = self._let_through(tx, suspects)
            ordinary, held_ordinary = self._let_through(tx, ordinary)
            held_now = [*held_suspects, *held_ordinary]
            stopped += held_now
            wakes += [0.0] * len(held_now)
            if suspects:
                best = self._servers.choose_worker(self._suspect_workers(channel, now) or workers, suspects)
                given.append((best, suspects))
                workers = [worker for worker in workers if worker is not best]
            given += zip(workers, _packs(ordinary), strict=False)
        all_given = [one for _, some in given for one in some]
        made = editions.load(tx, {one.edition for one in all_given}, self._known)
        named = undelivered.named(tx, all_given)
        begun = partial_sends.begun(tx, [one.id for one in all_given if one.attempts > 1])
        packs = {
            worker: Pack(some=some, made=made, held_until=now + LEASE, missed=named, begun=begun)
            for worker, some in given
        }
        return packs, stopped, min(wakes, default=None)

    def _take(
        self, tx: Transaction, channel: str, workers: int, now: datetime
    ) -> tuple[Sequence[Delivery], Sequence[Delivery], Sequence[float]]:
        """Claim a batch of suspects, batches of others, and say in how many seconds there may be more.

        Suspects can hold up a connection for long, so at most one has them, and they go when nothing else is due. Those
        that may have failed only because the server takes so many a day go first, until anything fails; the other
        connections go on with what is due meanwhile.
        """
        suspects = self._take_unproven(tx, channel, now)
        free = workers - bool(suspects)
        if not free:
            return suspects, (), ()
        beyond = self._reached.get(channel) or outbox.far_apart(tx, channel, self.begins)
        ordinary = self._take_some(tx, channel, now, PACK * free, Which.ORDINARY, beyond)
        if ordinary.some:
            self._reached[channel] = Place.of(ordinary.some[-1])
        if len(ordinary.some) == PACK * free:
            return suspects, ordinary.some, ()
        if ordinary.wait is not None:
            return suspects, ordinary.some, (ordinary.wait.total_seconds(),)
        has_suspect = (
            bool(suspects) or self._servers.has_suspect(channel) or not self._suspect_workers(channel, now)
        )
        if not (ordinary.some or has_suspect):
            last = self._take_some(tx, channel, now, 1, Which.SUSPECT)
            if last.wait is not None:
                return (), (), (last.wait.total_seconds(),)
            suspects, has_suspect = last.some, bool(last.some)
        which = Which.ORDINARY if has_suspect else Which.ALL
        return suspects, ordinary.some, self._wakes(tx, channel, now, which)

    def _take_unproven(self, tx: Transaction, channel: str, now: datetime) -> Sequence[Delivery]:
        """Claim suspects that go first: one alone, and batches once a server has taken one.

        Each claim goes on behind the last one, for the index knows nothing of suspects: all together look through what is
        due about twice a pass.
        """
        if self._servers.has_suspect(channel) or not self._tries_unproven_first(channel, now):
            return ()
        most = PACK if any(one.has_taken_suspect for one in self._servers.evidence_in(channel)) else 1
        beyond = self._reached_unproven.get(channel, FRONT)
        taken = self._take_some(tx, channel, now, most, Which.UNPROVEN, beyond)
        if taken.some:
            self._reached_unproven[channel] = Place.of(taken.some[-1])
        if len(taken.some) < most and taken.wait is None:
            self._without_unproven.add(channel)
        return taken.some

    def _take_some(  # noqa: PLR0917 - called in this class only
        self, tx: Transaction, channel: str, now: datetime, most: int, which: Which, beyond: Place = FRONT
    ) -> Taken:
        return self.pace.claim(
            tx, channel, most, self.token, now, pack=PACK, slow=self._slow, beyond=beyond, which=which
        )

    @property
    def _channels(self) -> Sequence[str]:
        return sorted({line.channel for line in self.lines})

    @property
    def _channels_with_places(self) -> Sequence[str]:
        return sorted({line.channel for line in self.lines if line.places})

    def _is_due(self, tx: Transaction, channel: str, now: datetime) -> bool:
        first, _ = outbox.next_due(tx, channel, now)
        return first is not None and first <= now

    def _tries_unproven_first(self, channel: str, now: datetime) -> bool:
        """Whether no server of a channel failed at anything in this pass yet, so that all may take what they failed at."""
        has_failed = any(one.failures for one in self._servers.evidence_in(channel))
        return not (has_failed or channel in self._without_unproven) and self._servers.has_awake(channel, now)

    def _suspect_workers(self, channel: str, now: datetime) -> list[Worker]:
        """The free lines that a suspect can be given to, stand-bys too: to whichever server did not fail at it.

        None while all lines of one such server are busy: it may be the one that takes it.
        """
        wanted = [
            one
            for one in self._servers.list_usable(channel, now)
            if not self._servers.evidence_of(one).spares_suspects
        ]
        free = [one for one in wanted if one not in self._under_way]
        usable = list(self._places.usable(free, self._under_way))
        busy = {server_of(one) for one in wanted if one in self._under_way}
        return usable if busy <= {server_of(one) for one in usable} else []

    def _free(self, channel: str, now: datetime) -> list[Worker]:
        """The lines of a channel that can be given something; stand-bys only while all other servers are paused."""
        working = self._servers.list_usable(channel, now)
        ordinary = [worker for worker in working if not worker.line.stand_by]
        return [worker for worker in ordinary or working if worker not in self._under_way]

    def _hold_places(self, tx: Transaction, now: datetime) -> None:
        """Hold connections of servers while something is due.

        It comes first in a transaction: who has locked a rate or a domain would wait for who has locked places.
        """
        at = self.pace.machine()
        if self._places.are_known:
            if self._took_places_at <= at < self._took_places_at + self.tends:
                return
        elif not any(self._is_due(tx, channel, now) for channel in self._channels_with_places):
            return
        self._servers.workers = self._places.take(tx, self._servers.workers, self._under_way, at)
        self._took_places_at = at

    def _let_through(
        self, tx: Transaction, some: Sequence[Delivery]
    ) -> tuple[Sequence[Delivery], Sequence[HeldRun]]:
        """What was claimed, without the runs that are looked at for the first time and are too large."""
        new = self.brake.new(some)
        if not new:
            return some, ()
        stopped = tuple(self.brake.unusual(tx, new))
        numbers = {run.id for run in stopped}
        held_runs.put_aside(tx, [one for one in some if one.run in numbers])
        return [one for one in some if one.run not in numbers], stopped

    def _wakes(self, tx: Transaction, channel: str, now: datetime, which: Which) -> list[float]:
        """In how many seconds something is due that is worth waiting for."""
        first, fresh = outbox.next_due(tx, channel, now, which)
        if first is not None and first <= now:
            return [_MOMENT]
        if fresh is None or not self.time_passes or self.pace.machine() > self._machine_begun_at + _WAITS:
            return []
        wait = fresh - now
        return [wait.total_seconds()] if wait <= _WAITS else []

    # --- the end ----------------------------------------------------------------------------------

    def _kept_back(self) -> Iterator[Dispatch]:
        """What is left, and why."""
        now = self.clock()
        with self.store.reading() as tx:
            for one in self._servers.list_paused(now):
                if not one.replaced and self._is_due(tx, one.channel, now):
                    yield one
            yield from held_runs.held_runs(tx)

    def _leave(self, finished: list[_Judged]) -> None:
        """End all lines. On Ctrl-C, too, what was answered is kept, and what was not tried is due again at once."""
        for worker in self._servers.workers:
            worker.leave()
        ends = time.monotonic() + _GRACE
        with suppress(Empty):
            while self._under_way:
                self._take_up(finished, self._done.get(timeout=max(0.0, ends - time.monotonic())))
        still = [one for pack in self._under_way.values() for one in pack.some]
        if self._opened:
            with self.store.writing() as tx:
                self._mark(tx, finished, self.clock())
                outbox.release(tx, self.token, but=still)
        for worker in self._servers.workers:
            worker.gone()
        if self._places.any_taken:
            # Where it cannot be written, the leases end by themselves.
            with suppress(StoreError), self.store.writing() as tx:
                self._places.give_back(tx)


def _begun(answered: Sequence[tuple[Delivery, Receipt]]) -> Iterator[tuple[int, int]]:
    """Of what is several messages, how many are there; 0 where that need not be known any more."""
    for delivery, receipt in answered:
        if isinstance(receipt, Deferred | Unknown):
            if receipt.parts:
                yield delivery.id, receipt.parts
        elif delivery.attempts > 1:
            yield delivery.id, 0


def _packs(some: Sequence[Delivery]) -> Iterator[Sequence[Delivery]]:
    return (some[at : at + PACK] for at in range(0, len(some), PACK))


def rehearsed(store: Store, clock: Clock) -> Iterator[Delivered]:
    """What is due, told and given back undelivered: for a rehearsal."""
    now = clock()
    with store.writing() as tx:
        for channel in sorted(outbox.channels_waiting(tx)):
            while some := outbox.claim(tx, channel, 1, now, _MOST_PUT_OFF):
                yield from (Delivered(delivery=one, receipt=Sent(), rehearsed=True) for one in some)
