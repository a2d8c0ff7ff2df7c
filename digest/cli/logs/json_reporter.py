"""The events of a service as lines of a log in JSON.

Nothing of what a server answered to a mail is in it but its codes: servers quote addresses, whole or in part and in many
notations. `digest deliveries list` has the words.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Callable

import click

from digest import __version__
from digest.cli.logs.options import report_error
from digest.cli.logs.service_reporter import ServiceReporter
from digest.cli.terminal import format_events
from digest.config import Settings
from digest.core.delivery.circuit_breaker import LAST_ANSWER
from digest.core.delivery.replies import extract_status
from digest.errors import DigestError
from digest.event_log import LogEvent, get_log_level, log_event
from digest.jobs.cycle import CycleEvent, RunsPostponed
from digest.jobs.delivery.bounces.bounce_events import CountedReport, MailboxRead
from digest.jobs.delivery.dispatcher import StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.enrich import EnrichmentResult
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.matching.match import MatchSummary
from digest.model import Deferred, Refused, Sent
from digest.render.delivery.files import format_instant
from digest.store.editions.held_runs import HeldRun

_SUMMARY_SECONDS = 60.0
"""Seconds after which the deliveries of a pass are summed up, and at its end: a million mails a day are some thousand lines."""
_MAX_LINES = 100
"""Most lines between two summaries for deliveries with the same result: a server may refuse all."""
_REPLY = re.compile(r"(?<![\w.:-])([245]\d\d)(?:[ -]#?([245]\.[0-7]\.\d{1,3})\b)?(?:[ -].*)?$", re.DOTALL)
"""A reply of a server (RFC 5321, section 4.2), with the text before it and without its own."""


class JsonReporter(ServiceReporter):
    """Writes events to the log."""

    def __init__(self) -> None:
        super().__init__()
        self._pass = _PassCounter()
        self._waiting_runs: set[int] = set()
        self._writers: dict[type, Callable[..., None]] = {
            PullProgress: _write_pull,
            MatchSummary: _write_match,
            EnrichmentResult: _write_enrichment,
            DeliveryAttempt: self._pass.write_delivery,
            ServerPaused: _write_paused_server,
            StoreUnavailable: _write_unavailable_store,
            HeldRun: _write_held_run,
            CountedReport: _write_report,
            MailboxRead: _write_mailbox,
            RunsPostponed: self._write_waiting,
        }

    def use_settings(self, settings: Settings) -> None:
        """Do nothing: no line depends on them."""

    def finish_pass(self) -> None:
        """Sum up the deliveries since the last summary."""
        self._pass.write_summary()

    def print_line(self, text: str, event: LogEvent = LogEvent.SITE) -> None:
        """Write a sentence of the commands or of the site."""
        log_event(event, text, release=__version__)  # only of a start

    def _print_error(self, error: DigestError) -> None:
        report_error(error)

    def _print_event(self, event: CycleEvent) -> None:
        if write := self._writers.get(type(event)):
            write(event)

    def _write_waiting(self, event: RunsPostponed) -> None:
        """Write what runs wait for, once for each run."""
        for waiting in event.waiting:
            if waiting.run.id not in self._waiting_runs:
                _write_waiting_run(waiting)
        self._waiting_runs = {waiting.run.id for waiting in event.waiting}


class _PassCounter:
    """Writes deliveries with an unusual result, and sums up all of them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._began_at = 0.0

    def write_delivery(self, attempt: DeliveryAttempt) -> None:
        """Count a delivery, and write a line if it was not simply sent, or if the log has all lines."""
        result = format_events.get_receipt_name(attempt.receipt)
        if not self._counts:
            self._began_at = time.monotonic()
        self._counts[result] += 1
        if isinstance(attempt.receipt, Sent):
            _write_delivery(attempt, logging.DEBUG)
        elif self._counts[result] <= _MAX_LINES or get_log_level() == logging.DEBUG:
            is_usual = isinstance(attempt.receipt, Deferred)
            _write_delivery(attempt, logging.INFO if is_usual else logging.WARNING)
        if time.monotonic() - self._began_at > _SUMMARY_SECONDS:
            self.write_summary()

    def write_summary(self) -> None:
        """Write the numbers of deliveries since the last summary, if there are any."""
        if not self._counts:
            return
        seconds = time.monotonic() - self._began_at
        counts = {name: self._counts[name] for name in ("sent", "deferred", "refused", "unknown")}
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        log_event(
            LogEvent.DELIVERIES,
            f"Deliveries of the last {seconds:.1f} s: {listed}.",
            seconds=round(seconds, 3),
            **counts,
        )
        self._counts.clear()


def _write_delivery(attempt: DeliveryAttempt, level: int) -> None:
    delivery, receipt = attempt.delivery, attempt.receipt
    outcome = format_events.OUTCOMES[format_events.get_outcome(attempt)]
    status = _find_status(receipt.answer)
    log_event(
        LogEvent.DELIVERY,
        f"Delivery {delivery.id} of run {delivery.run}: {outcome}{f' ({status})' if status else ''}.",
        level=level,
        run=delivery.run,
        edition=delivery.edition,
        delivery=delivery.id,
        channel=delivery.channel,
        result=format_events.get_receipt_name(receipt),
        status=status or None,
        fault=receipt.fault.value if isinstance(receipt, Deferred | Refused) else None,
        attempts=delivery.attempts,
    )


def _find_status(answer: str) -> str:
    """Return the codes at the begin of an answer: ``550 5.1.1``, ``HTTP 503``; "" if it begins with none."""
    match = re.match(r"HTTP [1-5]\d\d\b|[245]\d\d\b", answer)
    if match is None:
        return ""
    status = extract_status(answer)
    return match[0] if status == "-" or match[0].startswith("HTTP") else f"{match[0]} {status}"


def _describe_failure(paused: ServerPaused) -> str:
    """Say why a server is in trouble, without the words of its reply."""
    reason = paused.failure.reason
    if paused.channel != "smtp":  # programs and services answer in words that begin with no code
        return _find_status(reason) or "it failed"
    match = _REPLY.search(reason)
    reply = f"{reason[: match.start()]}{' '.join(filter(None, match.groups()))}" if match else reason
    return reply.removeprefix(f"{paused.server}: ")


def _write_pull(pulled: PullProgress) -> None:
    if not pulled.is_finished and not pulled.error:
        return
    level = logging.DEBUG if pulled.is_unchanged else logging.INFO
    log_event(
        LogEvent.PULL,
        _format(pulled),
        level=logging.WARNING if pulled.error else level,
        source=pulled.source,
        section=pulled.section,
        route=pulled.route,
        day=pulled.day.isoformat() if pulled.day else None,
        received=pulled.received,
        added=pulled.added,
        events=pulled.events,
        unread=len(pulled.unread),
    )


def _write_match(matched: MatchSummary) -> None:
    if matched.events:
        log_event(
            LogEvent.MATCH,
            _format(matched),
            events=matched.events,
            queries=matched.queries,
            matches=matched.match_count,
        )


def _write_enrichment(enriched: EnrichmentResult) -> None:
    log_event(
        LogEvent.ENRICHMENT,
        _format(enriched),
        level=logging.WARNING if enriched.error else logging.INFO,
        enricher=enriched.name,
        subject=enriched.kind.value,
        requested=enriched.requested,
        found=enriched.known_count,
        events=enriched.events,
        unread=len(enriched.unread),
    )


def _write_paused_server(paused: ServerPaused) -> None:
    consequence = "other servers take over its mail" if paused.replaced else "its mail waits"
    until = format_instant(paused.failure.until)
    log_event(
        LogEvent.SERVER_PAUSED,
        f"{paused.server} is in trouble: {_describe_failure(paused)}. Next attempt: {until}; {consequence}.",
        level=logging.WARNING,
        server=paused.server,
        channel=paused.channel,
        until=until,
    )


def _write_unavailable_store(event: StoreUnavailable) -> None:
    log_event(LogEvent.DATABASE_UNAVAILABLE, _format(event), level=logging.ERROR)


def _write_held_run(run: HeldRun) -> None:
    reason = run.reason.partition(LAST_ANSWER)[0]
    message = f"Run {run.id} of {run.period} is held: {reason}. Continue it with `digest deliveries release {run.id}`."
    log_event(LogEvent.RUN_HELD, message, level=logging.WARNING, run=run.id, period=run.period)


def _write_report(counted: CountedReport) -> None:
    report = counted.report
    log_event(
        LogEvent.BOUNCE,
        counted.anonymous_text,
        level=logging.WARNING,
        delivery=report.delivery or None,
        finding=report.finding.value,
        status=report.status or None,
        action=counted.action.value,
        road=report.road,
    )


def _write_mailbox(mailbox: MailboxRead) -> None:
    if text := format_events.format_line(mailbox):
        level = logging.WARNING if mailbox.error else logging.INFO
        log_event(LogEvent.BOUNCE_MAILBOX, click.unstyle(text), level=level, messages=mailbox.messages)


def _write_waiting_run(waiting: WaitingRun) -> None:
    (text,) = format_events.describe_waiting([waiting], {})
    log_event(
        LogEvent.RUN_WAITING,
        text,
        run=waiting.run.id,
        period=waiting.run.period,
        until=format_instant(waiting.until) if waiting.until else None,
    )


def _format(event: CycleEvent) -> str:
    text = click.unstyle(format_events.format_line(event) or "")
    return text if text.endswith(".") else f"{text}."
