"""The steps of a run: slots fire, runs close when their batches are there, and editions are composed shard by shard.

``fire → ready → matched → close{window, cursor, shards} → shard{editions, deliveries}``
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from digest.core.fetching import ledger
from digest.core.fetching.shortfall import select_noticeable
from digest.core.papers import document
from digest.core.times.schedule import Firing
from digest.jobs.editions.evidence_cache import EvidenceCache
from digest.jobs.editions.items import build_content
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.editions.run_log import log_closed_run, log_composed_shard, log_fired_run
from digest.jobs.editions.selection import DigestSelection, RunWindow
from digest.jobs.fetching.ledger import find_reachable, is_everything_failing, update_ledger
from digest.jobs.slot_updates import end_pauses, finish_runs, update_slots
from digest.model import Batch, Run
from digest.ports import Source
from digest.store.database.engine import Store, Transaction, get_highest_seq
from digest.store.editions import alerts, digest_changes, editions, runs
from digest.store.editions.editions import NewDelivery, NewEdition
from digest.store.editions.encodings.items import ItemEncoder
from digest.store.editions.runs import Shard
from digest.store.fetching import ledger as rows
from digest.store.matching import matches
from digest.store.subscribers import digests
from digest.store.subscribers.digest_locks import lock_slots
from digest.store.subscribers.digests import Digest
from digest.store.workers import hints

REPEAT_AFTER = timedelta(days=90)
"""Time after which a digest may include a paper again."""
_PULL_TIMEOUT = timedelta(minutes=10)
"""How long a run waits until all sources that are due have been asked once, if this is done by other processes."""
_DELIVERIES_PER_HINT = 100
"""Deliveries for which one more worker is told that there is something to deliver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRun:
    """A run that cannot close yet.

    Attributes:
        batches: the batches that it waits for; none if it waits for matching.
        until: when it closes even if batches are missing; None for no limit.
        all_sources_fail: whether every source fails, which is probably a problem of our network.
    """

    run: Run
    batches: tuple[Batch, ...]
    until: datetime | None = None
    all_sources_fail: bool = False


# --- firing and closing ---------------------------------------------------------------------------


def fire_slots(store: Store, sources: Mapping[str, Source], now: datetime) -> int:
    """Create the runs of all due slots, with the batches that are due by then.

    Returns:
        The number of runs created.
    """
    with store.begin_ingest() as tx:
        update_ledger(tx, sources, now)
    end_pauses(store, now)
    update_slots(store, now)
    with store.begin_read() as tx:
        due_slots = runs.list_due_slots(tx, now)
    run_count = 0
    for slot in due_slots:
        with store.begin_write() as tx:
            new_runs = runs.fire_slots(tx, now, [slot])
        run_count += len(new_runs)
        for run in new_runs:
            log_fired_run(run)
    return run_count


def close_runs(
    store: Store, sources: Mapping[str, Source], now: datetime, *, wait: bool, is_pulling: bool = False
) -> tuple[WaitingRun, ...]:
    """Close the runs that are ready and whose events are matched.

    Args:
        store: the store.
        sources: the sources of the configuration, by name.
        now: the current time.
        wait: False also closes runs that still wait for batches.
        is_pulling: whether other processes still ask the sources: runs wait for what feeds without announcement days
            may have, for ``_PULL_TIMEOUT`` at most.

    Returns:
        The runs that stay open, with what they wait for.
    """
    with store.begin_ingest() as tx:
        update_ledger(tx, sources, now)
    with store.begin_read() as tx:
        open_runs = runs.list_open_runs(tx)
        waiting_runs = (
            {waiting_run.run.id: waiting_run for waiting_run in list_waiting_runs(tx, sources, now)}
            if wait and open_runs
            else {}
        )
    still_open: list[WaitingRun] = []
    for run in open_runs:
        if run.id in waiting_runs:
            still_open.append(waiting_runs[run.id])
            continue
        is_awaiting_pull = is_pulling and run.made_at <= now < run.made_at + _PULL_TIMEOUT
        if is_awaiting_pull or not _close_matched(store, run, now):
            still_open.append(WaitingRun(run=run, batches=()))
    return tuple(still_open)


def list_waiting_runs(tx: Transaction, sources: Mapping[str, Source], now: datetime) -> Iterator[WaitingRun]:
    """Return the open runs that wait for their sources.

    Args:
        tx: a transaction.
        sources: the sources of the configuration, by name.
        now: the current time.
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


def _close_matched(store: Store, run: Run, now: datetime) -> bool:
    """Close a run that is ready, if its events are matched; return whether it is closed."""
    with store.begin_read() as tx:
        is_matched = _is_matched(tx, run, get_highest_seq(tx) if run.ready_seq is None else run.ready_seq)
        if run.ready_seq is not None and not is_matched:
            return False
        # A million digests take a quarter of a second, in which readers should not have to wait for the slot.
        ranges = runs.load_ranges(tx, run.slot) if is_matched else None
    with store.begin_write() as tx:
        # From here on nobody adds a follow in this slot, so none is missing below.
        lock_slots(tx, [run.slot], is_exclusive=True)
        ready_seq = runs.note_ready(tx, run.id)
        matched_seq = matches.read_matched_to(tx)
        if not _is_matched(tx, run, ready_seq):
            return False
        is_closed = runs.close_run(tx, run, matched_seq, now, ranges)
        if is_closed:
            hints.defer_hint(tx, hints.COMPOSE, runs.count_ready_shards(tx, alerts=False))
    if is_closed:
        log_closed_run(run, now)
    return is_closed


def _is_matched(tx: Transaction, run: Run, ready_seq: int) -> bool:
    return matches.read_matched_to(tx) >= ready_seq and not matches.count_unmatched(tx, run.slot)


def open_alert_run(store: Store, now: datetime) -> bool:
    """Create a run of alerts for what was matched since the last one.

    Returns:
        Whether there was anything to report.
    """
    with store.begin_read() as tx:
        may_alert = alerts.has_new_matches(tx)
    if not may_alert:
        return False
    with store.begin_write() as tx:
        run = alerts.create_run(tx, now)
        hints.defer_hint(tx, hints.COMPOSE_ALERTS, runs.count_ready_shards(tx, alerts=True))
    if run is not None:
        log_fired_run(run)
    return run is not None


# --- composing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIds:
    """Maker of Message-IDs, from the store's signing key and the domain in which they end."""

    key: bytes
    domain: str

    def make_message_id(self, digest: Digest, period: str, channel: str, address: str) -> str:
        """Return the id of a delivery: always the same, and impossible to guess (RFC 5322, section 3.6.4)."""
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
    only_alerts: bool = False,
    keep_listed: Callable[[Transaction], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> int:
    """Compose the editions of all closed runs, one shard at a time; each shard is stored in one transaction.

    Args:
        store: the store.
        message_ids: the maker of Message-IDs.
        token: the fencing token of this worker.
        now: the time of the editions.
        spread: the time over which the deliveries of a large run are spread.
        capacity: how many papers an edition has room for; None for no limit.
        only_alerts: compose only alerts.
        keep_listed: called in each transaction that leases something, before it does (``WorkerHeartbeat.keep_listed``).
        stop: set it to leave the remaining shards to other workers.

    Returns:
        The number of editions.
    """
    edition_count = 0
    cache, cached_run = EvidenceCache(), 0
    encoder = ItemEncoder()
    began_at = time.monotonic()

    def read_time() -> datetime:
        return now + timedelta(seconds=time.monotonic() - began_at)

    with store.begin_write() as tx:
        # It may have a shard from before, which it could not return because writing failed.
        runs.release_worker(tx, token)
    while stop is None or not stop.is_set():
        with store.begin_write() as tx:
            keep_listed(tx)
            shard = runs.claim_shard(tx, token, read_time(), only_alerts=only_alerts)
        if shard is None:
            break
        if shard.run.id != cached_run:  # shards are mostly claimed run by run
            cache, cached_run = EvidenceCache(), shard.run.id
        try:
            composer = _ShardComposer(shard, cache, encoder, message_ids, now, spread, capacity)
            edition_count += composer.compose_shard(store, read_time)
        except BaseException:
            # Also on Ctrl-C: so the next cycle need not wait for the lease to end.
            with store.begin_write() as tx:
                runs.return_shard(tx, shard)
            raise
    document.clear_document_cache()
    finish_runs(store, read_time())
    update_slots(store, now)
    return edition_count


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShardResult:
    """The result of composing a shard, before it is stored.

    Attributes:
        editions: the editions, with those skipped because of a minimum.
        batches: the batches of the run, which tell whether the editions are complete.
        duplicates: skipped editions of digests that had one of this period, or on this day.
        advanced: the digests with a position of their own that have now been composed up to the end of the
            window.
        held_back: digests that keep their position, because they have fewer papers than their minimum.
        positions: the new positions of digests that do not continue at the end of the window.
        passed_over: digests that are not composed now and keep their position.
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
    """Composer of one shard. All of it is computed before anything is written, because SQLite has one writer at a time."""

    shard: Shard
    cache: EvidenceCache
    encoder: ItemEncoder
    message_ids: MessageIds
    now: datetime
    spread: timedelta
    capacity: EditionCapacity | None

    def compose_shard(self, store: Store, read_time: Callable[[], datetime]) -> int:
        """Compose the shard while others write, then store it; return the number of editions.

        Args:
            store: the store.
            read_time: returns the time, which goes on while shards are composed.
        """
        shard, state, result, began_at = self.shard, None, _ShardResult(), time.monotonic()
        # Alerts are few, and are composed under the lock of their digests.
        if not shard.run.is_alert:
            with store.begin_read() as tx:
                self.cache.load_shared(tx, shard)
                state, result = self._read_state(tx), self._compose(tx)
        with store.begin_write() as tx:
            if not runs.finish_shard(tx, shard, read_time()):
                return 0
            alerts.lock_digests(tx, shard.run.slot, shard.first_id, shard.last_id, result.positions)
            # A digest may have been paused, or have had an alert, since it was composed.
            if state is None or state != self._read_state(tx):
                result = self._compose(tx)
            self._save_result(tx, result)
        edition_count = sum(1 for edition in result.editions if not edition.skipped)
        delivery_count = sum(len(edition.deliveries) for edition in result.editions)
        log_composed_shard(shard, edition_count, delivery_count, time.monotonic() - began_at)
        return edition_count

    def _read_state(self, tx: Transaction) -> object:
        """Return the state that composing depends on and that others may change; changed follows can count later, too."""
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
        delivery_counts = editions.save_editions(
            tx,
            run.id,
            result.editions,
            result.batches,
            self.now,
            encoder=self.encoder,
            is_alert=run.is_alert,
        )
        digests.record_sent(tx, result.advanced, run, result.held_back | result.passed_over, result.positions)
        if not run.is_alert:
            # After all other changes of digests, because their rows are then locked.
            digest_ids = [edition.digest for edition in result.editions if edition.deliveries]
            digest_changes.tell_changes(tx, run.id, digest_ids)
        _defer_delivery_hints(tx, run, result.editions)
        self.cache.save_shared(tx, self.shard)
        # Last, because all shards of a run write to its row, and would wait for each other's editions.
        runs.add_deliveries(tx, run, delivery_counts)


def _defer_delivery_hints(tx: Transaction, run: Run, new_editions: Sequence[NewEdition]) -> None:
    """Tell workers of the deliveries of new editions, one for each ``_DELIVERIES_PER_HINT``."""
    make_hint = hints.make_alert_hint if run.is_alert else hints.make_delivery_hint
    counts = Counter(delivery.channel for edition in new_editions for delivery in edition.deliveries)
    for channel, count in sorted(counts.items()):
        hints.defer_hint(tx, make_hint(channel), ceil(count / _DELIVERIES_PER_HINT))


def _select_due(
    tx: Transaction, shard: Shard, composed_ids: frozenset[int]
) -> tuple[list[Digest], _ShardResult]:
    """Return the digests of a shard that get an edition, and a result for the others, which keep their positions."""
    run = shard.run
    standing = digests.load_digests(tx, slot=run.slot, first_id=shard.first_id, last_id=shard.last_id)
    # A digest from another slot has its own position until its editions here are later than those there.
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
    """Return the digests of a shard that may have an alert, with only their follows with alerts and their exclusions."""
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
"""Maximum length of a day: clocks are put back by two hours at most."""


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
    """Return the positions of digests that had no room for all papers, or that had a later edition in another slot."""
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
    """Return when a delivery is due: all of a run at once, or spread, where a destination always has the same place."""
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
    content = build_content(window, selection)
    return NewEdition(
        digest=digest.id,
        items=content.items,
        main_query=content.main_query,
        overflow=content.overflow,
        dropped=composition.dropped,
        excluded=composition.excluded,
        deliveries=tuple(
            NewDelivery(
                destination.id,
                destination.channel,
                message_ids.make_message_id(
                    digest, window.run.period, destination.channel, destination.address
                ),
                _compute_due_at(window.run, destination.id, now, duration),
            )
            for destination in digest.destinations
        ),
    )


def _find_unreported_gaps(
    tx: Transaction, digest_ids: Sequence[int], batches: Sequence[Batch], now: datetime
) -> set[int]:
    """Return the digests that have not warned of a batch that is noticeably missing; an empty edition warns of it once."""
    missing_batches = {batch.id for batch in select_noticeable(batches)}
    if not missing_batches:
        return set()
    reported_gaps = editions.list_reported_missing(tx, digest_ids, now - REPEAT_AFTER)
    return {
        digest_id for digest_id in digest_ids if not missing_batches <= reported_gaps.get(digest_id, set())
    }
