"""Exports the trace of each run once all of it is delivered, in a thread beside the work.

All that a trace needs is in the tables, so the process that exports it need not have done any of it, and processes exchange
nothing. A note in the database says which runs are exported; whoever dies between an export and its note has the same spans exported
again, with the same ids. While the receiver does not answer, runs wait until they are eight days old.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING

from digest.errors import StoreError
from digest.event_log import LogEvent, log_event
from digest.jobs.operations.tracing.run_trace import TraceIds, make_run_spans
from digest.jobs.workers import claim_task
from digest.model import RunState
from digest.render.languages.english import format_count
from digest.store.database.clock import read_note, set_note
from digest.store.database.engine import Store
from digest.store.operations.run_times import (
    RunTimes,
    find_last_run_before,
    list_runs_after,
    load_run_times,
)

if TYPE_CHECKING:  # OpenTelemetry is an extra
    from digest.jobs.operations.tracing.exporter import TraceExporter

_NOTE = "traced_runs"
_MAX_WAITING = 1_000
"""Most runs that wait for their end or for the receiver; later ones are looked at when there is room."""
_MAX_RUNS_PER_EXPORT = 50
"""Most runs in one request."""
_MAX_SHARDS = 200
"""Most spans of shards in a trace."""
_LOOK_BACK = timedelta(days=1)
"""How far back tracing begins when it is switched on."""
_MAX_AGE = timedelta(days=7)
"""Age at which a run is exported that is still not finished, such as one that is held."""
_DROP_AGE = timedelta(days=8)
"""Age at which a run is dropped that the receiver has not taken."""
_RETRY_PAUSE = timedelta(minutes=1)
"""Time after which a run is exported again that the receiver has not taken."""
_FIRST_PAUSE = timedelta(seconds=30)
"""Shortest time between two looks at a run; it grows with the age of the run, because a look reads all its deliveries."""
_PAUSE_SHARE = 4
"""A run is looked at again after this fraction of its age."""
_CLOSE_SECONDS = 5.0
"""How long the end of a process waits for an export."""
_log = logging.getLogger(__name__)


def find_tracing_problem(environ: Mapping[str, str]) -> str:
    """Return why traces are not exported although the environment says where to; "" if nothing is wrong."""
    if not is_tracing_configured(environ):
        return ""
    if not _is_installed():
        return "the environment has an endpoint of OpenTelemetry, but traces need pip install 'papers-digest[otel]'"
    for name in ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        if (protocol := environ.get(name, "http/protobuf")) != "http/protobuf":
            return f"traces are exported by http/protobuf only, but {name} is {protocol}"
    return ""


def is_tracing_configured(environ: Mapping[str, str]) -> bool:
    """Whether the environment says where to export traces to, and does not switch it off."""
    return (
        environ.get("OTEL_SDK_DISABLED", "").lower() != "true"
        and environ.get("OTEL_TRACES_EXPORTER", "otlp") == "otlp"
        and any(
            environ.get(name)
            for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
        )
    )


def _is_installed() -> bool:
    try:
        return all(map(find_spec, ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")))
    except ModuleNotFoundError:  # a package that would hold it is missing
        return False


@contextmanager
def open_tracer(
    store: Store,
    load_key: Callable[[], bytes],
    clock: Callable[[], datetime],
    environ: Mapping[str, str],
) -> Iterator[Callable[[], None]]:
    """Export traces within the block, if the environment says where to; give a function that requests it.

    Args:
        store: the store; a rehearsal has no traces.
        load_key: loads the key from which ids are derived.
        clock: returns the time, UTC.
        environ: the environment.
    """
    is_rehearsal = store.dry_run_connection is not None
    if is_rehearsal or not is_tracing_configured(environ) or find_tracing_problem(environ):
        yield lambda: None
        return
    from digest.jobs.operations.tracing.exporter import TraceExporter

    try:
        exporter = TraceExporter()
    except Exception as error:  # noqa: BLE001 - OpenTelemetry reads the environment, and tracing must not stop anything
        _log.warning("Traces are not exported, because OpenTelemetry cannot start: %s", error)
        yield lambda: None
        return
    thread = TracerThread(RunTracer(store=store, exporter=exporter, load_key=load_key, clock=clock))
    thread.start()
    try:
        yield thread.request
    finally:
        thread.close()


@dataclass(slots=True, kw_only=True)
class RunTracer:
    """Exports what is finished and was not exported.

    Attributes:
        store: the store.
        exporter: exports spans.
        load_key: loads the key from which ids are derived.
        clock: returns the time, UTC.
    """

    store: Store
    exporter: TraceExporter
    load_key: Callable[[], bytes]
    clock: Callable[[], datetime]
    _has_failed: bool = field(default=False, init=False)

    def trace_runs(self) -> None:
        """Export the runs that have finished; one process at a time does it.

        Raises:
            StoreError: the database cannot be used.
        """
        with claim_task(self.store, "traces") as is_ours:
            if not is_ours:
                return
            now = self.clock()
            progress = self._load_progress(now)
            due_ids = progress.list_due(now)
            # While the receiver does not answer, one run finds out, because a look at a run may be expensive.
            size = 1 if self._has_failed else _MAX_RUNS_PER_EXPORT
            for start in range(0, len(due_ids), size):
                if not self._export_finished(due_ids[start : start + size], progress, now):
                    break
            with self.store.begin_write() as tx:
                set_note(tx, _NOTE, progress.to_json())

    def _load_progress(self, now: datetime) -> _Progress:
        """Load which runs are exported, with those that were made since."""
        with self.store.begin_read() as tx:
            note = read_note(tx, _NOTE)
            progress = (
                _Progress.from_json(note) if note else _Progress(find_last_run_before(tx, now - _LOOK_BACK))
            )
            last_dropped = find_last_run_before(tx, now - _DROP_AGE)
            for run in [run for run in progress.waiting if run <= last_dropped]:
                del progress.waiting[run]
            room = max(0, _MAX_WAITING - len(progress.waiting))
            for run in list_runs_after(tx, max(progress.after, last_dropped), room):
                progress.after = run
                progress.waiting[run] = now
        return progress

    def _export_finished(self, run_ids: Sequence[int], progress: _Progress, now: datetime) -> bool:
        """Export those of some runs that have finished, and note it; return whether the receiver has them."""
        finished: list[RunTimes] = []
        for run in run_ids:
            with self.store.begin_read() as tx:
                times = load_run_times(tx, run, _MAX_SHARDS)
            if times is None or times.state is RunState.MERGED:
                del progress.waiting[run]
            elif times.is_finished or times.made_at <= now - _MAX_AGE:
                finished.append(times)
            else:
                pause = max(_FIRST_PAUSE, (now - times.made_at) / _PAUSE_SHARE)
                progress.waiting[run] = min(now + pause, times.made_at + _MAX_AGE)
        is_exported = not finished or self._export(finished, now)
        for times in finished:
            if is_exported:
                del progress.waiting[times.id]
            else:
                progress.waiting[times.id] = now + _RETRY_PAUSE
        return is_exported

    def _export(self, finished: Sequence[RunTimes], now: datetime) -> bool:
        key = self.load_key()
        is_exported = self.exporter.export(
            [(TraceIds(key, times.id), make_run_spans(times, now)) for times in finished]
        )
        if is_exported:
            message = f"Exported {format_count(len(finished), 'trace')}."
            log_event(LogEvent.TRACES, message, level=logging.DEBUG, runs=len(finished))
        elif not self._has_failed:
            _log.warning(
                "Traces cannot be exported: the endpoint of OpenTelemetry does not take them. It is tried again each minute."
            )
        self._has_failed = not is_exported
        return is_exported


@dataclass(slots=True)
class _Progress:
    """How far runs are exported.

    Attributes:
        after: all later runs are still to be looked at.
        waiting: earlier ones that are not exported, with the time of the next look.
    """

    after: int
    waiting: dict[int, datetime] = field(default_factory=dict)

    @classmethod
    def from_json(cls, text: str) -> _Progress:
        """Read a note."""
        after, waiting = json.loads(text)
        return cls(after, {int(run): datetime.fromisoformat(at) for run, at in waiting.items()})

    def list_due(self, now: datetime) -> list[int]:
        """List the runs to look at now, also those that a wrong clock has put off for longer than any can be."""
        return [run for run, look_at in self.waiting.items() if not now < look_at <= now + _MAX_AGE]

    def to_json(self) -> str:
        """Write a note."""
        return json.dumps([self.after, {run: at.isoformat() for run, at in self.waiting.items()}])


class TracerThread(threading.Thread):
    """Traces runs beside the work: neither a slow database nor a receiver that hangs delays anything.

    Args:
        tracer: traces runs.
    """

    def __init__(self, tracer: RunTracer) -> None:
        super().__init__(name="traces", daemon=True)
        self._tracer = tracer
        self._due = threading.Event()
        self._is_requested = self._is_closing = False

    def request(self) -> None:
        """Request that finished runs are exported soon."""
        self._is_requested = True
        self._due.set()

    def close(self) -> None:
        """Wait a few seconds for what was requested; what is not exported then is exported by the next process."""
        self._is_closing = True
        self._due.set()
        self.join(_CLOSE_SECONDS)
        self._tracer.exporter.shut_down()
        self.join(_CLOSE_SECONDS)

    def run(self) -> None:
        """Trace runs when requested, until closed."""
        while not self._is_closing or self._is_requested:
            self._due.wait()
            self._due.clear()
            if self._is_requested:
                self._is_requested = False
                self._trace_runs()

    def _trace_runs(self) -> None:
        try:
            self._tracer.trace_runs()
        except StoreError as error:
            _log.info("no traces: %s", error)
        except Exception:  # noqa: BLE001 - tracing must not stop anything
            _log.exception("traces could not be exported; it is tried again")
