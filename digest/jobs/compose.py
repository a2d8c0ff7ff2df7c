"""Compose: slots fire, runs wait for their batches and close, editions are made shard by shard.

``fire → ready → matched → close{window, cursor, shards} → shard{editions, deliveries}``
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from digest.core import ledger
from digest.core.compose import Candidate, Composition, compose, may_repeat
from digest.core.document import document
from digest.core.evaluate import evaluate
from digest.core.query import Query
from digest.core.reading import parse
from digest.jobs.ledger import account, all_fail, reachable
from digest.model import Batch, Event, Fit, Run
from digest.ports import Source
from digest.store import digests, editions, events, matches, runs
from digest.store import ledger as rows
from digest.store.digests import Digest
from digest.store.editions import NewEdition
from digest.store.engine import Store, Transaction
from digest.store.runs import Shard

ONCE_IN = timedelta(days=90)
"""A digest tells of a paper once in this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A run that cannot close yet, and the batches it waits for; none where it waits for our network."""

    run: Run
    batches: tuple[Batch, ...]


# --- firing and closing ---------------------------------------------------------------------------


def fire(store: Store, sources: Mapping[str, Source], now: datetime) -> int:
    """Make the runs of the slots that are due, with the rows of all batches due by then.

    Returns:
        How many were made.
    """
    with store.planning() as tx:
        account(tx, sources, now)
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
    waiting: list[Waiting] = []
    with store.planning() as tx:
        account(tx, sources, now)
        failing = all_fail(tx)
        for run in runs.open_runs(tx):
            batches = rows.batches_of_run(tx, run.id)
            can_come = reachable(batches, sources, now)
            is_ready = ledger.ready(run, batches, now, reachable_ids=can_come, all_fail=failing)
            if wait and not is_ready and runs.is_wanted(tx, run):
                held = ledger.waits_for(run, batches, reachable_ids=can_come)
                waiting.append(Waiting(run=run, batches=held))
            elif not _close_matched(tx, run, now):
                waiting.append(Waiting(run=run, batches=()))
    return tuple(waiting)


def _close_matched(tx: Transaction, run: Run, now: datetime) -> bool:
    upto = runs.note_ready(tx, run.id)
    done = matches.matched_to(tx)
    if done < upto or matches.unmatched(tx, run.slot):
        return False
    return runs.close(tx, run, done, now)


# --- composing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """What Message-IDs are made of: the store's signing key, and the domain that they end in."""

    key: bytes
    domain: str

    def message_id(self, digest: Digest, period: str, channel: str, address: str) -> str:
        """The same for the same delivery for ever, and not to be guessed (RFC 5322, section 3.6.4)."""
        text = "\n".join((digest.name, str(digest.id), period, channel, address))
        left = hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()[:32]
        return f"<{left}@{self.domain}>"


def compose_all(store: Store, letters: Letters, token: int, now: datetime) -> int:
    """Compose the editions of all closed runs, a shard at a time, each in one transaction.

    Args:
        store: whose runs.
        letters: make the Message-IDs.
        token: of this worker, for its leases.
        now: the editions' time.

    Returns:
        How many editions were made.
    """
    made = 0
    while True:
        with store.writing() as tx:
            shard = runs.claim_shard(tx, token, now)
        if shard is None:
            break
        try:
            with store.writing() as tx:
                made += _compose_shard(tx, shard, letters, now)
        except BaseException:
            # Also on Ctrl-C: the next cycle finds it at once, and does not wait for a lease to end.
            with store.writing() as tx:
                runs.give_back_shard(tx, shard)
            raise
    with store.planning() as tx:
        runs.finish_runs(tx)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
    return made


def _compose_shard(tx: Transaction, shard: Shard, letters: Letters, now: datetime) -> int:
    if not runs.finish_shard(tx, shard):
        return 0
    run = shard.run
    some = digests.active_digests(tx, slot=run.slot, low=shard.low, high=shard.high)
    done = editions.composed(tx, run.id, [digest.id for digest in some])
    todo = [digest for digest in some if digest.id not in done]
    batches = rows.batches_of_run(tx, run.id)
    window = Window.load(tx, run, todo)
    told = editions.told(tx, _may_have_told(todo, window), now - ONCE_IN)
    made: list[NewEdition] = []
    for digest in todo:
        what = compose(
            window.candidates(digest),
            kinds=digest.kinds,
            limit=digest.limit,
            told=told.get(digest.id, frozenset()),
        )
        if what.items or digest.when_empty == "tell" or _missing_untold(tx, digest, batches, now):
            made.append(_edition(digest, run.period, what, letters))
    editions.keep(tx, run.id, made, batches, now)
    digests.told_up_to(tx, [digest.id for digest in todo], run, {one.digest for one in made if one.skipped})
    return sum(not one.skipped for one in made)


def _edition(digest: Digest, period: str, what: Composition, letters: Letters) -> NewEdition:
    fitted = len(what.items) + len(what.rest) + what.dropped
    if 0 < fitted < digest.minimum:
        papers_fit = "1 paper fits" if fitted == 1 else f"{fitted} papers fit"
        why = f"only {papers_fit}, and its minimum is {digest.minimum}: they come next time"
        return NewEdition(
            digest=digest.id, items=(), rest=(), dropped=0, excluded=0, skipped=why, deliveries=()
        )
    return NewEdition(
        digest=digest.id,
        items=what.items,
        rest=what.rest,
        dropped=what.dropped,
        excluded=what.excluded,
        skipped="",
        deliveries=tuple(
            (number, letters.message_id(digest, period, channel, address))
            for number, channel, address in digest.destinations
        ),
    )


def _missing_untold(tx: Transaction, digest: Digest, batches: Sequence[Batch], now: datetime) -> bool:
    """Whether a day is missing of which this digest has not told: an empty edition tells it, once."""
    gone = {batch.id for batch in batches if ledger.missing(batch) and not batch.filling}
    return bool(gone) and bool(gone - editions.missing_told(tx, digest.id, now - ONCE_IN))


def _may_have_told(todo: Sequence[Digest], window: Window) -> list[int]:
    """The digests that could repeat themselves: windows tile, so only few can."""
    return [
        digest.id
        for digest in todo
        if digest.from_seq is not None
        or any(follow.started_seq > digest.told_to for follow in digest.follows)
        or any(may_repeat(event) for event in window.events_of(digest))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a shard's digests can tell about: hits and events of the window, loaded once for all."""

    run: Run
    hits: Mapping[int, tuple[frozenset[int], frozenset[int]]]
    events: Mapping[int, Event]

    @classmethod
    def load(cls, tx: Transaction, run: Run, todo: Sequence[Digest]) -> Window:
        """Read the hits of all queries followed, and the events hit."""
        assert run.to_seq is not None
        low = min((digest.told_to_in(run) for digest in todo), default=run.to_seq)
        wanted = {follow.query for digest in todo for follow in digest.follows}
        hits = matches.hits(tx, wanted, low, run.to_seq)
        seqs = {seq for both in hits.values() for some in both for seq in some}
        return cls(run=run, hits=hits, events=events.events_at(tx, seqs))

    def events_of(self, digest: Digest) -> list[Event]:
        """The events in a digest's window that one of its follows fits."""
        return [self.events[seq] for follow in digest.follows for seq in self._seqs(digest, follow)]

    def _seqs(self, digest: Digest, follow: digests.Follow) -> list[int]:
        start = digest.told_to_in(self.run)
        if not follow.exclude:
            start = max(start, follow.started_seq)
        fits, maybe = self.hits.get(follow.query, (frozenset(), frozenset()))
        return sorted(seq for seq in fits | maybe if seq > start)

    def candidates(self, digest: Digest) -> list[Candidate]:
        """Each event in a digest's window with each of its follows that it fits, and why."""
        found = []
        for follow in digest.follows:
            for seq in self._seqs(digest, follow):
                fit = fit_of(follow.query_text, self.events[seq])
                if fit is not None:
                    found.append(
                        Candidate(
                            event=self.events[seq],
                            follow=follow.text,
                            weight=follow.weight,
                            exclude=follow.exclude,
                            fit=fit,
                        )
                    )
        return found


def fit_of(query: str, event: Event) -> Fit | None:
    """A query's answer to an event's paper, reasons and all."""
    return evaluate(_parsed(query), document(event.paper))


@lru_cache(maxsize=4096)
def _parsed(query: str) -> Query:
    return parse(query)
