"""The log of a service as JSON: one object a line on standard output, for programs that collect logs.

``log_event`` does nothing unless ``write_json_log`` has been called: lines for people are printed by the commands themselves.
Each event has a list of fields, and nothing else is written beside its message; ``docs/howto/logs-and-traces.md`` shows them.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from digest.errors import DigestError, is_out_of_memory
from digest.redaction import mask_addresses, redact_output, write_json

_log = logging.getLogger(__name__)


class LogEvent(StrEnum):
    """The kinds of events. Programs that read logs depend on these words, so they never change."""

    STARTED = "started"
    STOPPED = "stopped"
    LISTENING = "listening"
    WAITING_FOR_UPGRADE = "waiting_for_upgrade"
    CONFIGURATION_WARNING = "configuration_warning"
    ERROR = "error"
    PULL = "pull"
    MATCH = "match"
    ENRICHMENT = "enrichment"
    RUN_FIRED = "run_fired"
    RUN_WAITING = "run_waiting"
    RUN_CLOSED = "run_closed"
    SHARD_COMPOSED = "shard_composed"
    RUN_COMPOSED = "run_composed"
    RUN_HELD = "run_held"
    DELIVERY = "delivery"
    DELIVERIES = "deliveries"
    SERVER_PAUSED = "server_paused"
    DATABASE_UNAVAILABLE = "database_unavailable"
    BOUNCE = "bounce"
    BOUNCE_MAILBOX = "bounce_mailbox"
    LEASES_RELEASED = "leases_released"
    SITE = "site"
    CYCLE = "cycle"
    TASK = "task"
    TRACES = "traces"
    LOG = "log"


EVENT_FIELDS: Mapping[LogEvent, tuple[str, ...]] = MappingProxyType(
    {
        LogEvent.STARTED: ("release",),
        LogEvent.STOPPED: (),
        LogEvent.LISTENING: (),
        LogEvent.WAITING_FOR_UPGRADE: (),
        LogEvent.CONFIGURATION_WARNING: (),
        LogEvent.ERROR: ("kind",),
        LogEvent.PULL: ("source", "section", "route", "day", "received", "added", "events", "unread"),
        LogEvent.MATCH: ("events", "queries", "matches"),
        LogEvent.ENRICHMENT: ("enricher", "subject", "requested", "found", "events", "unread"),
        LogEvent.RUN_FIRED: ("run", "period"),
        LogEvent.RUN_WAITING: ("run", "period", "until"),
        LogEvent.RUN_CLOSED: ("run", "period", "seconds"),
        LogEvent.SHARD_COMPOSED: ("run", "shard", "editions", "deliveries", "seconds"),
        LogEvent.RUN_COMPOSED: ("run", "period", "seconds"),
        LogEvent.RUN_HELD: ("run", "period"),
        LogEvent.DELIVERY: ("run", "edition", "delivery", "channel", "result", "status", "fault", "attempts"),
        LogEvent.DELIVERIES: ("sent", "deferred", "refused", "unknown", "seconds"),
        LogEvent.SERVER_PAUSED: ("server", "channel", "until"),
        LogEvent.DATABASE_UNAVAILABLE: (),
        LogEvent.BOUNCE: ("delivery", "finding", "status", "action", "road"),
        LogEvent.BOUNCE_MAILBOX: ("messages",),
        LogEvent.LEASES_RELEASED: ("workers", "leases"),
        LogEvent.SITE: (),
        LogEvent.CYCLE: ("seconds",),
        LogEvent.TASK: ("task", "subject", "found_work", "seconds"),
        LogEvent.TRACES: ("runs",),
        LogEvent.LOG: (),
    }
)
"""The fields of each event, none of which can hold an address. Events of no run, day or channel leave theirs out."""
_worker = ""
"""The token of this process among the workers; "" before it is one."""
_handler: _JsonHandler | None = None
"""Writes the log; None if it is not JSON."""


def log_event(event: LogEvent, message: str, *, level: int = logging.INFO, **fields: object) -> None:
    """Write an event.

    Args:
        event: its kind.
        message: a sentence for people.
        level: how serious it is; one of ``logging``.
        fields: values of some of its ``EVENT_FIELDS``; None for what it does not have.
    """
    if _handler is not None:
        _log.log(level, "%s", message, extra={"event": event, "fields": fields})


def is_json_log() -> bool:
    """Whether the log of this process is JSON."""
    return _handler is not None


def get_log_level() -> int | None:
    """Return the least level of the lines of a JSON log, for another process that writes to it; None if it is not JSON."""
    return None if _handler is None else _handler.level


@contextmanager
def write_json_log(level: int | None) -> Iterator[None]:
    """Write the log as JSON within the block, with the messages of libraries, warnings and uncaught exceptions of threads.

    Args:
        level: the least level of lines; None to leave the log as it is.
    """
    global _handler  # noqa: PLW0603 - one process, one log
    if level is None:
        yield
        return
    # Of libraries only warnings are wanted, so the level of the root logger stays.
    root, ours = logging.getLogger(), logging.getLogger("digest")
    former_handler, former_hook, former_level = _handler, threading.excepthook, ours.level
    _handler = _JsonHandler(level)
    root.addHandler(_handler)
    ours.setLevel(level)
    threading.excepthook = _log_thread_crash
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        threading.excepthook = former_hook
        root.removeHandler(_handler)
        ours.setLevel(former_level)
        _handler = former_handler


@contextmanager
def name_worker(token: int) -> Iterator[None]:
    """Name this process in its lines within the block.

    Args:
        token: its number among the workers, as metrics have it.
    """
    global _worker  # noqa: PLW0603 - of the process
    former, _worker = _worker, str(token)
    try:
        yield
    finally:
        _worker = former


@contextmanager
def log_crashes() -> Iterator[None]:
    """End the process if an exception leaves the block that is a bug, and write it to a log as JSON; others pass."""
    try:
        yield
    except Exception as error:
        if _handler is None or isinstance(error, DigestError) or is_out_of_memory(error):
            raise
        log_crash(error)
        sys.exit(1)


def log_crash(error: BaseException) -> None:
    """Write an exception that is a bug, with its traceback."""
    _log.critical("%s", f"{type(error).__name__}: {error}", exc_info=error, extra={"event": LogEvent.ERROR})


def _log_thread_crash(crash: threading.ExceptHookArgs) -> None:
    if crash.exc_value is not None:
        log_crash(crash.exc_value)


class _JsonHandler(logging.Handler):
    """Writes records as JSON.

    Libraries write only warnings and errors: what else they say may contain mails and addresses.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        return record.levelno >= logging.WARNING or record.name.partition(".")[0] == "digest"

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record to the present standard output; nobody is told if nobody reads it any more."""
        with suppress(OSError, ValueError):  # ValueError: it is closed
            write_json(sys.stdout, self._make_entry(record), indent=None)

    def _make_entry(self, record: logging.LogRecord) -> dict[str, Any]:
        event: LogEvent = getattr(record, "event", LogEvent.LOG)
        fields: Mapping[str, object] = getattr(record, "fields", {})
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, Any] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": event.value,
            "message": _clean(record.getMessage()),
        }
        entry |= {
            name: _clean(value) if isinstance(value, str) else value
            for name in EVENT_FIELDS[event]
            if (value := fields.get(name)) is not None
        }
        if _worker:
            entry["worker"] = _worker  # as text: JavaScript, and so jq, would round the number
        if event is LogEvent.LOG:
            entry["logger"] = record.name
        if record.exc_info:
            entry["traceback"] = _clean(logging.Formatter().formatException(record.exc_info))
        return entry


def _clean(text: str) -> str:
    return mask_addresses(redact_output(text))
