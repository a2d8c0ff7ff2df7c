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
from digest.core.fetching.shortfall import select_noticeable
from digest.core.papers import document
from digest.core.times.schedule import Firing
from digest.jobs.editions.evidence_cache import EvidenceCache
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.editions.selection import DigestSelection, RunWindow
from digest.jobs.fetching.ledger import find_reachable, is_everything_failing, update_ledger
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

REPEAT_AFTER = timedelta(days=90)
"""A digest tells of a paper once in this time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRun:
    """A run that cannot close yet.

    Attributes:
        batches: what it waits for; none where that is matching.
        until: when it goes out, whatever has come; None where no time is set.
        all_sources_fail: every source fails: it is probably our network.
    """

    run: Run
    batches: tuple[Batch, ...]
    until: datetime | None = None
    all_sources_fail: bool = False


# --- firing and closing ---------------------------------------------------------------------------


def fire_slots(store: Store, sources: Mapping[str, Source], now: datetime) -> int:
    """Make the runs of the slots that are due, with the rows of all batches due by then.

    Returns:
        How many were made.
    """
    with store.begin_planning() as tx:
        update_ledger(tx, sources, now)
        pauses.end_pauses(tx, now)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
        return runs.fire_slots(tx, now)


def close_runs(
    store: Store, sources: Mapping[str, Source], now: datetime, *, wait: bool
) -> tuple[WaitingRun, ...]:
    """Close the runs that are ready and whose papers are matched.

    Args:
        store: whose runs.
        sources: those of the configuration, by name.
        now: the time.
        wait: False closes runs that still wait for batches.

    Returns:
        The runs that stay open, and for what.
    """
    still_open: list[WaitingRun] = []
    with store.begin_planning() as tx:
        update_ledger(tx, sources, now)
        waiting_runs = (
            {waiting_run.run.id: waiting_run for waiting_run in list_waiting_runs(tx, sources, now)}
            if wait
            else {}
        )
        for run in runs.list_open_runs(tx):
            if run.id in waiting_runs:
                still_open.append(waiting_runs[run.id])
            elif not _close_matched(tx, run, now):
                still_open.append(WaitingRun(run=run, batches=()))
    return tuple(still_open)


def list_waiting_runs(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> Iterator[WaitingRun]:
    """The open runs that have to wait for their sources.

    Args:
        tx: a transaction.
        sources: those of the configuration, by name.
        now: the time.
    """
    all_failing = is_everything_failing(tx)
    for run in runs.list_open_runs(tx):
        batches = runs.select_awaited(tx, run, rows.load_batches_of_run(tx, run.id))
        reachable_ids = find_reachable(batches, sources, now)
        is_ready = ledger.is_ready_to_close(
            run, batches, now, reachable_ids=reachable_ids, all_fail=all_failing
        )
        if not is_ready and runs.has_active_digests(tx, run):
            yield WaitingRun(
                run=run,
                batches=ledger.find_blocking_batches(run, batches, reachable_ids=reachable_ids),
                until=ledger.get_closing_time(run, all_fail=all_failing),
                all_sources_fail=all_failing,
            )


def _close_matched(tx: Transaction, run: Run, now: datetime) -> bool:
    ready_seq = runs.note_ready(tx, run.id)
    matched_seq = matches.read_matched_to(tx)
    if matched_seq < ready_seq or matches.count_unmatched(tx, run.slot):
        return False
    return runs.close_run(tx, run, matched_seq, now)


def open_alert_run(store: Store, now: datetime) -> bool:
    """Make the run of what was matched since the last one and is to be told at once.

    Returns:
        Whether there is any.
    """
    with store.begin_planning() as tx:
        return alerts.create_run(tx, now)


# --- composing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIds:
    """What Message-IDs are made of: the store's signing key, and the domain that they end in."""

    key: bytes
    domain: str

    def make_message_id(self, digest: Digest, period: str, channel: str, address: str) -> str:
        """The same for the same delivery for ever, and not to be guessed (RFC 5322, section 3.6.4)."""
        text = "\n".join((digest.name, str(digest.id), period, channel, address))
        local_part = hmac.digest(self.key, text.encode(), "sha256").hex()[:32]
        return f"<{local_part}@{self.domain}>"


def compose_editions(
    store: Store,
    message_ids: MessageIds,
    token: int,
    now: datetime,
    *,
    spread: timedelta = timedelta(0),
    capacity: EditionCapacity | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Compose the editions of all closed runs, a shard at a time, each kept in one transaction.

    Args:
        store: whose runs.
        message_ids: make the Message-IDs.
        token: of this worker, for its leases.
        now: the editions' time.
        spread: a large run goes out over this time.
        capacity: how much goes into an edition; None for all.
        stop: set to leave the next shards to others.

    Returns:
        How many editions were made.
    """
    edition_count = 0
    caches: dict[int, EvidenceCache] = {}
    with store.begin_write() as tx:
        runs.release_worker(
            tx, token
        )  # one that it could not give back, for the store could not be written to
    while stop is None or not stop.is_set():
        with store.begin_write() as tx:
            shard = runs.claim_shard(tx, token, now)
        if shard is None:
            break
        try:
            cache = caches.setdefault(shard.run.id, EvidenceCache())
            edition_count += _ShardComposer(shard, cache, message_ids, now, spread, capacity).compose_shard(
                store
            )
        except BaseException:
            # Also on Ctrl-C: the next cycle finds it at once, and does not wait for a lease to end.
            with store.begin_write() as tx:
                runs.return_shard(tx, shard)
            raise
    document.clear_document_cache()
    with store.begin_planning() as tx:
        runs.finish_runs(tx)
        digests.move_digests(tx)
        runs.wake_slots(tx, now)
    return edition_count


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShardResult:
    """What a shard comes to, before anything of it is kept.

    Attributes:
        editions: the editions, those that were not made for a minimum among them.
        batches: what they tell of completeness.
        duplicates: those of digests that have had one of this period, or on this day.
        advanced: the digests with a place of their own that are told up to the end of the window.
        held_back: those of them that go on from where they were.
        positions: those that do not go on from the end of the window, and the event that they go on after.
        passed_over: others that do.
    """

    editions: Sequence[NewEdition] = ()
    batches: Sequence[Batch] = ()
    duplicates: Sequence[NewEdition] = ()
    advanced: Sequence[int] = ()
    held_back: frozenset[int] = frozenset()
    positions: Mapping[int, int] = field(default_factory=dict)
    passed_over: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _ShardComposer:
    """The work on a shard: SQLite has one writer at a time, so it is only written when all is found."""

    shard: Shard
    cache: EvidenceCache
    message_ids: MessageIds
    now: datetime
    spread: timedelta
    capacity: EditionCapacity | None

    def compose_shard(self, store: Store) -> int:
        """Compose it, beside others who write, and keep what it comes to; says how many editions were made."""
        shard, state, result = self.shard, None, _ShardResult()
        if not shard.run.is_alert:  # these are few, and no others may be composed for their digests meanwhile
            with store.begin_read() as tx:
                state, result = self._read_state(tx), self._compose(tx)
        with store.begin_write() as tx:
            if not runs.finish_shard(tx, shard):
                return 0
            alerts.lock_digests(tx, shard.first_id, shard.last_id)
            if state is None or state != self._read_state(tx):  # somebody was paused, or had an alert
                result = self._compose(tx)
            self._save_result(tx, result)
        return sum(1 for edition in result.editions if not edition.skipped)

    def _read_state(self, tx: Transaction) -> object:
        """What composing goes by that may change meanwhile; a follow that does could as well have changed later."""
        shard = self.shard
        return (
            digests.fetch_states(tx, shard.run.slot, shard.first_id, shard.last_id),
            alerts.count_editions(tx, shard.first_id, shard.last_id),
        )

    def _compose(self, tx: Transaction) -> _ShardResult:
        run, now = self.shard.run, self.now
        composed_ids = editions.list_composed_digests(tx, run.id, self.shard.first_id, self.shard.last_id)
        if run.is_alert:
            candidates, others = _select_alerting(tx, self.shard, now), _ShardResult()
        else:
            candidates, others = _select_due(tx, self.shard, composed_ids)
        pending = [digest for digest in candidates if digest.id not in composed_ids]
        batches = rows.load_batches_of_run(tx, run.id)
        window = RunWindow.load(tx, run, pending, self.cache)
        selections = list(window.select_digests(tx, pending, now - REPEAT_AFTER, self.capacity))
        empty_ids = [
            selection.digest.id
            for selection in selections
            if not selection.composition.items and selection.digest.options.when_empty != "tell"
        ]
        silent_ids = set(empty_ids) - _find_unreported_gaps(tx, empty_ids, batches, now)
        included = [selection for selection in selections if selection.digest.id not in silent_ids]
        moved = [] if run.is_alert else [digest for digest in pending if digest.from_seq is not None]
        held_back = frozenset(selection.digest.id for selection in included if _is_too_small(selection))
        is_spread = self.spread and not run.is_alert and runs.is_large(tx, run)
        duration = self.spread if is_spread else timedelta(0)
        return replace(
            others,
            editions=[
                _build_edition(window, selection, self.message_ids, now, duration) for selection in included
            ],
            batches=batches,
            advanced=[digest.id for digest in moved],
            held_back=held_back,
            positions={} if run.is_alert else _find_positions(tx, window, moved, included, held_back),
        )

    def _save_result(self, tx: Transaction, result: _ShardResult) -> None:
        run = self.shard.run
        editions.save_editions(tx, run.id, result.duplicates, (), self.now)
        delivery_counts = editions.save_editions(tx, run.id, result.editions, result.batches, self.now)
        digests.record_sent(tx, result.advanced, run, result.held_back | result.passed_over, result.positions)
        # Last, for all shards of a run write to its row, and each would wait for the others' editions.
        runs.add_deliveries(tx, run, delivery_counts)


def _select_due(
    tx: Transaction, shard: Shard, composed_ids: frozenset[int]
) -> tuple[list[Digest], _ShardResult]:
    """The digests of a shard that get an edition; the others keep their places."""
    run = shard.run
    standing = digests.load_digests(tx, slot=run.slot, first_id=shard.first_id, last_id=shard.last_id)
    # Who came from another slot has a place of its own until its editions here are later than those there.
    moved_ids = [digest.id for digest in standing if digest.from_seq is not None]
    duplicate_ids = (
        editions.list_sent_before_move(tx, run.slot, Firing(period=run.period, at=run.fire_at), moved_ids)
        - composed_ids
    )
    paused_ids = frozenset(digest.id for digest in standing if digest.pause is not None)
    skipped = [
        NewEdition(digest=digest.id, skipped=_ALREADY_SENT)
        for digest in standing
        if digest.id in duplicate_ids - paused_ids
    ]
    others = _ShardResult(duplicates=skipped, passed_over=paused_ids | duplicate_ids)
    return [digest for digest in standing if digest.id not in others.passed_over], others


_ALREADY_SENT = "the digest already had an edition on this day before its schedule or time zone was changed; later papers are in the next one"


def _select_alerting(tx: Transaction, shard: Shard, now: datetime) -> list[Digest]:
    """The digests of a shard that tell at once, with the follows that do, and what keeps papers out."""
    run = shard.run
    assert run.from_seq is not None
    assert run.to_seq is not None
    digest_ids = alerts.list_followers(
        tx,
        alerts.list_matching_queries(tx, run.from_seq, run.to_seq),
        first_id=shard.first_id,
        last_id=shard.last_id,
    )
    sent_alerts = alerts.list_alerts_since(tx, digest_ids, now - _MAX_DAY)
    return [
        digest._replace(
            follows=tuple(follow for follow in digest.follows if follow.alert or follow.exclude),
            from_seq=max(run.from_seq, digest.from_seq or 0),
            options=replace(digest.options, minimum=0, when_empty="skip", repeat_alerts=False),
        )
        for digest in digests.load_digests_by_id(tx, digest_ids)
        if sum(
            _is_same_day(sent_at, now, digest.options.timezone)
            for digest_id, sent_at in sent_alerts
            if digest_id == digest.id
        )
        < digest.options.alerts_a_day
    ]


_MAX_DAY = timedelta(hours=26)
"""As long as a day can be: clocks are put back by two hours at most."""


def _is_same_day(first: datetime, second: datetime, zone: str) -> bool:
    return first.astimezone(ZoneInfo(zone)).date() == second.astimezone(ZoneInfo(zone)).date()


def _is_too_small(selection: DigestSelection) -> bool:
    minimum = selection.digest.options.minimum
    return minimum > 1 and 0 < selection.composition.paper_count < minimum


def _find_positions(
    tx: Transaction,
    window: RunWindow,
    moved: Sequence[Digest],
    selections: Sequence[DigestSelection],
    held_back: frozenset[int],
) -> dict[int, int]:
    """Where digests go on that have more to tell than had room, or that had a later edition in another slot."""
    ahead_ids = editions.list_sent_ahead(tx, window.run, [digest.id for digest in moved])
    positions = {
        digest.id: max(digest.get_window_start(window.run), window.run.to_seq or 0)
        for digest in moved
        if digest.id in ahead_ids - held_back
    }
    for selection in selections:
        if selection.composition.waiting and selection.digest.id not in held_back:
            positions[selection.digest.id] = window.get_seq_before(selection.composition.waiting)
    return positions


def _compute_due_at(run: Run, destination: int, now: datetime, duration: timedelta) -> datetime:
    """When a delivery goes out: all of a run at once, or in a spread, where each has the same place every time."""
    if not duration:
        return run.closed_at or now
    position_hash = hashlib.blake2b(str(destination).encode(), digest_size=4).digest()
    return now + duration * (int.from_bytes(position_hash) / 2**32)


def _build_edition(
    window: RunWindow, selection: DigestSelection, message_ids: MessageIds, now: datetime, duration: timedelta
) -> NewEdition:
    digest, composition = selection.digest, selection.composition
    if _is_too_small(selection):
        papers_fit = (
            "1 paper fits" if composition.paper_count == 1 else f"{composition.paper_count} papers match"
        )
        reason = (
            f"only {papers_fit}, and the minimum is {digest.options.minimum}; they are in the next edition"
        )
        return NewEdition(digest=digest.id, skipped=reason)
    items, main_query, rest = window.build_items(selection)
    return NewEdition(
        digest=digest.id,
        items=items,
        main_query=main_query,
        rest=rest,
        dropped=composition.dropped,
        excluded=composition.excluded,
        deliveries=tuple(
            NewDelivery(
                destination_id,
                channel,
                message_ids.make_message_id(digest, window.run.period, channel, address),
                _compute_due_at(window.run, destination_id, now, duration),
            )
            for destination_id, channel, address in digest.destinations
        ),
    )


def _find_unreported_gaps(
    tx: Transaction, digest_ids: Sequence[int], batches: Sequence[Batch], now: datetime
) -> set[int]:
    """The digests that have not told of a day that is noticeably missing: an empty edition tells it, once."""
    missing_batches = {batch.id for batch in select_noticeable(batches)}
    if not missing_batches:
        return set()
    reported_gaps = editions.list_reported_missing(tx, digest_ids, now - REPEAT_AFTER)
    return {
        digest_id for digest_id in digest_ids if not missing_batches <= reported_gaps.get(digest_id, set())
    }
