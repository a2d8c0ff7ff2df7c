"""The tasks of a worker. Each means "there may be work", takes it from the tables, and ends when nothing is left.

A task may be lost, doubled or late, and may come from another release: what is done is decided by leases and fencing tokens in
the tables, as between any two processes.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from digest.app import App
from digest.errors import DigestError, OutOfMemoryError, TooOldError, forget_frames, is_out_of_memory
from digest.event_log import LogEvent, log_event
from digest.jobs import cycle
from digest.jobs.cycle import CycleSteps, ReportEvent, RunsPostponed
from digest.jobs.matching.match import MatchSummary
from digest.jobs.operations.sync_config import read_applied
from digest.jobs.operations.work_hints import defer_due_hints
from digest.jobs.operations.worker_troubles import note_worker_troubles
from digest.jobs.workers import WorkerHeartbeat, claim_task
from digest.model import Ask
from digest.store.database.engine import Transaction, find_newer_tables
from digest.store.workers import hints
from digest.store.workers.hints import Hint

_MAX_WAIT = timedelta(seconds=60)
"""How long a task waits for a delivery that is due soon; later ones are found by the tick of their minute."""
_HOUR_SECONDS = 3600.0
_TURN_SECONDS = 60.0
"""How long a task may run before one of the same urgency has its turn, such as another channel, in seconds."""
_MIN_TASK_SECONDS = 5.0
"""How long a task may run before more urgent work ends it, in seconds."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _RunningTask:
    """A task that can make way for a more urgent one.

    Attributes:
        hint: what it works on.
        began_at: when it began, by the monotonic clock, in seconds.
    """

    hint: Hint
    began_at: float


@dataclass(slots=True, kw_only=True)
class WorkerTasks:
    """The tasks of one process. Pulls, which mostly wait for hosts, run beside the others; those run one at a time.

    Attributes:
        app: the app; its sources are those that this worker may ask.
        steps: the steps of a cycle, bound to ``stop``.
        heartbeat: tells what this worker does.
        pull_queues: the names of the queues of sources and enrichers that this worker serves.
        main_queues: the names of the other queues that it serves.
        ticks: whether it also decides what is due, beside everything else.
        report: receives events and errors.
        finish_report: called at the end of each pass of deliveries.
        applied: the configuration that was applied when it began.
        stop: set to end the running task after its batches.
        closing: set when the process is about to end.
        is_outdated: whether another configuration was applied since, so that the process must begin again.
        newer_tables: says that the tables were upgraded so far that this release cannot work on them; None if not.
    """

    app: App
    steps: CycleSteps
    heartbeat: WorkerHeartbeat
    pull_queues: Sequence[str]
    main_queues: Sequence[str]
    ticks: bool
    report: ReportEvent
    finish_report: Callable[[], None]
    applied: str
    stop: threading.Event
    closing: threading.Event
    is_outdated: bool = field(default=False, init=False)
    newer_tables: TooOldError | None = field(default=None, init=False)
    _running: _RunningTask | None = field(default=None, init=False)
    _activities: list[str] = field(default_factory=list, init=False)
    _hour_began_at: float | None = field(default=None, init=False)

    def run_task(self, task: str, subject: str) -> None:
        """Run a task; an error is reported, and a later tick defers a hint for what is left.

        Args:
            task: its name.
            subject: its source or channel; "" for tasks without any.
        """
        functions: Mapping[str, Callable[[str], bool]] = {
            "tick": lambda _: self._tick(),
            "pull": self._pull,
            "enrich": lambda _: self._enrich(),
            "match": lambda _: self._match(),
            "compose": lambda _: self._compose(hints.COMPOSE, only_alerts=False),
            "compose_alerts": lambda _: self._compose(hints.COMPOSE_ALERTS, only_alerts=True),
            "deliver": lambda channel: self._deliver(hints.make_delivery_hint(channel), only_alerts=False),
            "deliver_alerts": lambda channel: self._deliver(hints.make_alert_hint(channel), only_alerts=True),
            "publish": lambda _: self._publish(),
        }
        began_at = time.monotonic()
        try:
            found_work = functions[task](subject)
            self.heartbeat.counts.count_task(found_work=found_work)
            _log_task(task, subject, time.monotonic() - began_at, found_work=found_work)
        except DigestError as error:
            self.report(error)
        except Exception as error:  # noqa: BLE001 - logged with its traceback
            if not is_out_of_memory(error):
                _log.exception("a task failed; the next one continues")
                return
            forget_frames(error)
            self.report(OutOfMemoryError())

    def watch(self) -> None:
        """Make way for more urgent work, and end if another file or newer tables are there; called every second.

        Raises:
            StoreError: the database cannot be reached.
        """
        self._do_hourly()
        running = self._running
        with self.app.store.begin_read() as tx:
            self.is_outdated = _get_content(read_applied(tx)) != _get_content(self.applied)
            self.newer_tables = find_newer_tables(tx)
            must_yield = running is not None and self._has_more_urgent(tx, running)
        if self.is_outdated or self.newer_tables is not None:
            self.close()
        elif must_yield and self._running is running:
            self.stop.set()

    def _has_more_urgent(self, tx: Transaction, running: _RunningTask) -> bool:
        """Whether a task has to make way: after a while for more urgent work, then also for work as urgent as it."""
        seconds = time.monotonic() - running.began_at
        return seconds > _MIN_TASK_SECONDS and hints.has_more_urgent(
            tx, running.hint, self.main_queues, with_equal=seconds > _TURN_SECONDS
        )

    def _do_hourly(self) -> None:
        now = time.monotonic()
        if self._hour_began_at is not None and now - self._hour_began_at < _HOUR_SECONDS:
            return
        self._hour_began_at = now
        gc.collect()  # commands almost switch it off, because they end soon
        with self.app.store.begin_write() as tx:  # ticks do it more often, if anybody serves them
            note_worker_troubles(tx, self.app.clock())

    def close(self) -> None:
        """Let the running tasks end after their batches; later ones do nothing."""
        self.closing.set()
        self.stop.set()

    # --- tasks; each returns whether it found work ------------------------------------------------

    def _tick(self) -> bool:
        """Fire, close and reconcile: what should be under way gets hints, whatever became of earlier ones."""
        with self._claim("tick", "deciding what is due") as is_ours:
            if not is_ours:
                return False
            began_at = self.app.clock()
            for event in self.steps.read_reports():
                self.report(event)
            self.steps.fire()
            self.steps.alert()
            sources = {ask.source for ask in self.steps.list_asks()}
            waiting = self.steps.close(wait=True, is_pulling=bool(sources))
            self.report(RunsPostponed(waiting=waiting))
            with self.app.store.begin_write() as tx:
                note_worker_troubles(tx, self.app.clock())
                for source in sorted(sources):
                    hints.defer_hint(tx, hints.make_pull_hint(source))
                defer_due_hints(tx, self.app.clock())
                if self.app.enrichers:
                    hints.defer_hint(tx, hints.ENRICH)
                hints.defer_hint(tx, hints.PUBLISH)
                hints.forget_dead(tx)
            self.steps.prune()
            self.steps.trace()
            cycle.record_cycle(self.app.store, began_at, self.app.clock())
            return True

    def _pull(self, source: str) -> bool:
        """Ask a source for what is due, by the next route if one fails."""
        with self._claim(f"pull {source}", f"pulling {source}") as is_ours:
            pulled: set[Ask] = set()
            while is_ours and (asks := self._list_asks(source, pulled)):
                for progress in self.steps.pull(asks):
                    self.report(progress)
                    if self.closing.is_set():
                        return True
                pulled |= set(asks)
            return bool(pulled)

    def _list_asks(self, source: str, pulled: set[Ask]) -> tuple[Ask, ...]:
        return tuple(ask for ask in self.steps.list_asks() if ask.source == source and ask not in pulled)

    def _enrich(self) -> bool:
        found_work = False
        with self._claim("enrich", "enriching") as is_ours:
            for result in self.steps.enrich() if is_ours else ():
                found_work = True
                self.report(result)
                if self.closing.is_set():
                    break
        return found_work

    def _match(self) -> bool:
        with self._claim("match", "matching") as is_ours, self._allow_interruption(hints.MATCH):
            if not is_ours:
                return False
            found_work = self.steps.find_trending() > 0
            for event in self.steps.match():
                found_work = found_work or not isinstance(event, MatchSummary) or event.events > 0
                self.report(event)
                if self.stop.is_set():
                    break
            return found_work

    def _compose(self, hint: Hint, *, only_alerts: bool) -> bool:
        with self._note_activity("composing"), self._allow_interruption(hint):
            return bool(self.steps.compose(only_alerts=only_alerts))

    def _deliver(self, hint: Hint, *, only_alerts: bool) -> bool:
        channel = hint.subject
        found_work = False
        with self._note_activity(f"delivering by {channel}"), self._allow_interruption(hint):
            for event in self.steps.deliver(channel=channel, max_wait=_MAX_WAIT, only_alerts=only_alerts):
                found_work = True
                self.report(event)
        self.finish_report()
        return found_work

    def _publish(self) -> bool:
        with self._claim("publish", "publishing") as is_ours:
            if is_ours:
                self.steps.publish()
            return is_ours

    # --- what runs --------------------------------------------------------------------------------

    @contextmanager
    def _claim(self, name: str, activity: str) -> Iterator[bool]:
        """Yield whether no other process is at the same; if one is, it finds what there is to do."""
        with claim_task(self.app.store, name) as is_ours, self._note_activity(activity):
            yield is_ours

    @contextmanager
    def _allow_interruption(self, hint: Hint) -> Iterator[None]:
        """Let more urgent work end the task within the block; its hint is deferred again then."""
        self.stop.clear()
        if self.closing.is_set():
            self.stop.set()
        self._running = _RunningTask(hint, time.monotonic())
        try:
            yield
        finally:
            self._running = None
            if self.stop.is_set():
                with self.app.store.begin_write() as tx:
                    hints.defer_hint(tx, hint)

    @contextmanager
    def _note_activity(self, activity: str) -> Iterator[None]:
        self._activities.append(activity)
        self.heartbeat.activity = ", ".join(self._activities)
        try:
            yield
        finally:
            self._activities.remove(activity)
            self.heartbeat.activity = ", ".join(self._activities)


def _log_task(task: str, subject: str, seconds: float, *, found_work: bool) -> None:
    log_event(
        LogEvent.TASK,
        f"The task {' '.join(filter(None, (task, subject)))} has ended after {seconds:.1f} s.",
        level=logging.DEBUG,
        task=task,
        subject=subject or None,
        found_work=found_work,
        seconds=round(seconds, 3),
    )


def _get_content(applied: str) -> str:
    """Return the hash of the file that was applied; who applies the same file from elsewhere changes nothing."""
    return applied.partition(" ")[0]
