"""Compose: slots fire, runs wait for their batches and close, editions are made shard by shard.

``fire → ready → matched → close{window, cursor, shards} → shard{editions, deliveries}``
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from digest.core.fetching import ledger
from digest.core.fetching.shortfall import noticeable
from digest.core.papers import document
from digest.core.times.schedule import Firing
from digest.jobs.editions.room import Room
from digest.jobs.editions.selection import Known, Telling, Window
from digest.jobs.fetching.ledger import account, all_fail, reachable
from digest.model import Batch, Run
from digest.ports import Source
from digest.store.database.engine import Store, Transaction
from digest.store.editions import alerts, editions, runs
from digest.store.editions.editions import NewDelivery, NewEdition
from digest.store.editions.runs import Shard
from digest.store.fetching import ledger as rows
from digest.store.matching import matches
from digest.store.subscribers import digests, pauses
from digest.store.subscribers.digests import Digest

ONCE_IN = timedelta(days=90)
"""A digest tells of a paper once in this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A run that cannot close yet.

    Attributes:
        batches: what it waits for; none where that is matching.
        until: when it goes out, whatever has come; None where no time is set.
        unanswered: every source fails: it is probably our network.
    """

    run: Run
    batches: tuple[Batch, ...]
    until: datetime | None = None
    unanswered: bool = False


# --- firing and closing ---------------------------------------------------------------------------


def fire(store: Store, sources: Mapping[str, Source], now: datetime) -> int:
    """Make the runs of the slots that are due, with the rows of all batches due by then.

    Returns:
        How many were made.
    """
    with store.planning() as tx:
        account(tx, sources, now)
        pauses.end_pauses(tx, now)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
        return runs.fire_slots(tx, now)


def close(store: Store, sources: Mapping[str, Source], now: datetime, *, wait: bool) -> tuple[Waiting, ...]:
    """Close the runs that are ready and whose papers are matched.

    Args:
        store: whose runs.
        sources: those of the configuration, by name.
        now: the time.
        wait: False closes runs that still wait for batches.

    Returns:
        The runs that stay open, and for what.
    """
    left: list[Waiting] = []
    with store.planning() as tx:
        account(tx, sources, now)
        held = {one.run.id: one for one in waiting(tx, sources, now)} if wait else {}
        for run in runs.open_runs(tx):
            if run.id in held:
                left.append(held[run.id])
            elif not _close_matched(tx, run, now):
                left.append(Waiting(run=run, batches=()))
    return tuple(left)


def waiting(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> Iterator[Waiting]:
    """The open runs that have to wait for their sources.

    Args:
        tx: a transaction.
        sources: those of the configuration, by name.
        now: the time.
    """
    failing = all_fail(tx)
    for run in runs.open_runs(tx):
        batches = runs.awaited(tx, run, rows.batches_of_run(tx, run.id))
        can_come = reachable(batches, sources, now)
        is_ready = ledger.ready(run, batches, now, reachable_ids=can_come, all_fail=failing)
        if not is_ready and runs.is_wanted(tx, run):
            yield Waiting(
                run=run,
                batches=ledger.waits_for(run, batches, reachable_ids=can_come),
                until=ledger.closes_by(run, all_fail=failing),
                unanswered=failing,
            )


def _close_matched(tx: Transaction, run: Run, now: datetime) -> bool:
    upto = runs.note_ready(tx, run.id)
    done = matches.matched_to(tx)
    if done < upto or matches.unmatched(tx, run.slot):
        return False
    return runs.close(tx, run, done, now)


def alert(store: Store, now: datetime) -> bool:
    """Make the run of what was matched since the last one and is to be told at once.

    Returns:
        Whether there is any.
    """
    with store.planning() as tx:
        return alerts.open_window(tx, now)


# --- composing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """What Message-IDs are made of: the store's signing key, and the domain that they end in."""

    key: bytes
    domain: str

    def message_id(self, digest: Digest, period: str, channel: str, address: str) -> str:
        """The same for the same delivery for ever, and not to be guessed (RFC 5322, section 3.6.4)."""
        text = "\n".join((digest.name, str(digest.id), period, channel, address))
        left = hmac.digest(self.key, text.encode(), "sha256").hex()[:32]
        return f"<{left}@{self.domain}>"


def compose_all(
    store: Store,
    letters: Letters,
    token: int,
    now: datetime,
    *,
    spread: timedelta = timedelta(0),
    room: Room | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Compose the editions of all closed runs, a shard at a time, each kept in one transaction.

    Args:
        store: whose runs.
        letters: make the Message-IDs.
        token: of this worker, for its leases.
        now: the editions' time.
        spread: a large run goes out over this time.
        room: how much goes into an edition; None for all.
        stop: set to leave the next shards to others.

    Returns:
        How many editions were made.
    """
    made = 0
    known: dict[int, Known] = {}
    with store.writing() as tx:
        runs.release(tx, token)  # one that it could not give back, for the store could not be written to
    while stop is None or not stop.is_set():
        with store.writing() as tx:
            shard = runs.claim_shard(tx, token, now)
        if shard is None:
            break
        try:
            here = known.setdefault(shard.run.id, Known())
            made += _Composing(shard, here, letters, now, spread, room).done(store)
        except BaseException:
            # Also on Ctrl-C: the next cycle finds it at once, and does not wait for a lease to end.
            with store.writing() as tx:
                runs.give_back_shard(tx, shard)
            raise
    document.forget()
    with store.planning() as tx:
        runs.finish_runs(tx)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Composed:
    """What a shard comes to, before anything of it is kept.

    Attributes:
        made: the editions, those that were not made for a minimum among them.
        batches: what they tell of completeness.
        twice: those of digests that have had one of this period, or on this day.
        told: the digests with a place of their own that are told up to the end of the window.
        held_back: those of them that go on from where they were.
        waiting: those whose edition had no room for all, and the event before the first one that waits.
        passed_over: others that do.
    """

    made: Sequence[NewEdition] = ()
    batches: Sequence[Batch] = ()
    twice: Sequence[NewEdition] = ()
    told: Sequence[int] = ()
    held_back: frozenset[int] = frozenset()
    waiting: Mapping[int, int] = field(default_factory=dict)
    passed_over: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Composing:
    """The work on a shard: SQLite has one writer at a time, so it is only written when all is found."""

    shard: Shard
    known: Known
    letters: Letters
    now: datetime
    spread: timedelta
    room: Room | None

    def done(self, store: Store) -> int:
        """Compose it, beside others who write, and keep what it comes to; says how many editions were made."""
        shard, stood, composed = self.shard, None, _Composed()
        if not shard.run.is_alert:  # these are few, and no others may be composed for their digests meanwhile
            with store.reading() as tx:
                stood, composed = self._stand(tx), self._compose(tx)
        with store.writing() as tx:
            if not runs.finish_shard(tx, shard):
                return 0
            alerts.hold(tx, shard.low, shard.high)
            if stood is None or stood != self._stand(tx):  # somebody was paused, or had an alert
                composed = self._compose(tx)
            self._keep(tx, composed)
        return sum(1 for one in composed.made if not one.skipped)

    def _stand(self, tx: Transaction) -> object:
        """What composing goes by that may change meanwhile; a follow that does could as well have changed later."""
        shard = self.shard
        return (
            digests.states(tx, shard.run.slot, shard.low, shard.high),
            alerts.editions_had(tx, shard.low, shard.high),
        )

    def _compose(self, tx: Transaction) -> _Composed:
        run, now = self.shard.run, self.now
        done = editions.composed(tx, run.id, self.shard.low, self.shard.high)
        if run.is_alert:
            some, others = _alerting(tx, self.shard, now), _Composed()
        else:
            some, others = _due(tx, self.shard, done)
        todo = [digest for digest in some if digest.id not in done]
        batches = rows.batches_of_run(tx, run.id)
        window = Window.load(tx, run, todo, self.known)
        every = list(window.tellings(tx, todo, now - ONCE_IN, self.room))
        silent = [
            told.digest.id for told in every if not told.what.items and told.digest.when_empty != "tell"
        ]
        silent_still = set(silent) - _missing_untold(tx, silent, batches, now)
        made = [told for told in every if told.digest.id not in silent_still]
        is_spread = self.spread and not run.is_alert and runs.is_large(tx, run)
        over = self.spread if is_spread else timedelta(0)
        return replace(
            others,
            made=[_edition(window, told, self.letters, now, over) for told in made],
            batches=batches,
            told=() if run.is_alert else [digest.id for digest in todo if digest.from_seq is not None],
            held_back=frozenset(told.digest.id for told in made if _is_too_small(told)),
            waiting={} if run.is_alert else _waiting(window, made),
        )

    def _keep(self, tx: Transaction, what: _Composed) -> None:
        run = self.shard.run
        editions.keep(tx, run.id, what.twice, (), self.now)
        ways = editions.keep(tx, run.id, what.made, what.batches, self.now)
        digests.told_up_to(tx, what.told, run, what.held_back | what.passed_over, what.waiting)
        # Last, for all shards of a run write to its row, and each would wait for the others' editions.
        runs.count_deliveries(tx, run, ways)


def _due(tx: Transaction, shard: Shard, done: frozenset[int]) -> tuple[list[Digest], _Composed]:
    """The digests of a shard that get an edition; the others keep their places."""
    run = shard.run
    here = digests.standing_digests(tx, slot=run.slot, low=shard.low, high=shard.high)
    # Who came from another slot has a place of its own until its first edition here.
    moved = [digest.id for digest in here if digest.from_seq is not None]
    twice = editions.told_before_move(tx, run.slot, Firing(period=run.period, at=run.fire_at), moved) - done
    resting = frozenset(digest.id for digest in here if digest.pause is not None)
    skipped = [
        NewEdition(digest=digest.id, skipped=_TWICE) for digest in here if digest.id in twice - resting
    ]
    others = _Composed(twice=skipped, passed_over=resting | twice)
    return [digest for digest in here if digest.id not in others.passed_over], others


_TWICE = (
    "it had an edition on this day before its schedule or zone was changed: what came since comes next time"
)


def _alerting(tx: Transaction, shard: Shard, now: datetime) -> list[Digest]:
    """The digests of a shard that tell at once, with the follows that do, and what keeps papers out."""
    run = shard.run
    assert run.from_seq is not None
    assert run.to_seq is not None
    concerned = alerts.followers(
        tx, alerts.fitting(tx, run.from_seq, run.to_seq), low=shard.low, high=shard.high
    )
    told = alerts.told_since(tx, concerned, now - _A_DAY)
    return [
        digest._replace(
            follows=tuple(follow for follow in digest.follows if follow.alert or follow.exclude),
            from_seq=max(run.from_seq, digest.from_seq or 0),
            minimum=0,
            when_empty="skip",
            repeat_alerts=False,
        )
        for digest in digests.digests_numbered(tx, concerned)
        if sum(_same_day(at, now, digest.zone) for number, at in told if number == digest.id)
        < digest.most_alerts
    ]


_A_DAY = timedelta(hours=26)
"""As long as a day can be: clocks are put back by two hours at most."""


def _same_day(one: datetime, other: datetime, zone: str) -> bool:
    return one.astimezone(ZoneInfo(zone)).date() == other.astimezone(ZoneInfo(zone)).date()


def _is_too_small(told: Telling) -> bool:
    minimum = told.digest.minimum
    return minimum > 1 and 0 < told.what.fitted < minimum


def _waiting(window: Window, made: Sequence[Telling]) -> dict[int, int]:
    return {
        told.digest.id: window.seq_before(told.what.waiting)
        for told in made
        if told.what.waiting and not _is_too_small(told)
    }


def _turn(run: Run, destination: int, now: datetime, over: timedelta) -> datetime:
    """When a delivery goes out: all of a run at once, or in a spread, where each has the same place every time."""
    if not over:
        return run.closed_at or now
    place = hashlib.blake2b(str(destination).encode(), digest_size=4).digest()
    return now + over * (int.from_bytes(place) / 2**32)


def _edition(window: Window, told: Telling, letters: Letters, now: datetime, over: timedelta) -> NewEdition:
    digest, what = told.digest, told.what
    if _is_too_small(told):
        papers_fit = "1 paper fits" if what.fitted == 1 else f"{what.fitted} papers fit"
        why = f"only {papers_fit}, and its minimum is {digest.minimum}: they come next time"
        return NewEdition(digest=digest.id, skipped=why)
    items, main_query, rest = window.items(told)
    return NewEdition(
        digest=digest.id,
        items=items,
        main_query=main_query,
        rest=rest,
        dropped=what.dropped,
        excluded=what.excluded,
        deliveries=tuple(
            NewDelivery(
                number,
                channel,
                letters.message_id(digest, window.run.period, channel, address),
                _turn(window.run, number, now, over),
            )
            for number, channel, address in digest.destinations
        ),
    )


def _missing_untold(
    tx: Transaction, numbers: Sequence[int], batches: Sequence[Batch], now: datetime
) -> set[int]:
    """The digests that have not told of a day that is noticeably missing: an empty edition tells it, once."""
    gone = {batch.id for batch in noticeable(batches)}
    if not gone:
        return set()
    told = editions.missing_told(tx, numbers, now - ONCE_IN)
    return {number for number in numbers if not gone <= told.get(number, set())}
