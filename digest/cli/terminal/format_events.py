"""Events of a cycle as lines for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from digest.jobs.cycle import CycleEvent, PullStarted, RunsPostponed
from digest.jobs.delivery.bounces.bounce_events import BounceEvent, CountedReport, MailboxRead
from digest.jobs.delivery.dispatcher import StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.enrich import EnrichmentResult
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.matching.match import MatchProgress, MatchSummary
from digest.model import Deferred, MatchResult, Receipt, Refused, Sent, SubjectKind, Unknown
from digest.render.delivery.files import format_instant, make_batch_json
from digest.render.languages.english import format_count
from digest.store.delivery.reports import StoredReport
from digest.store.delivery.suppressions import Suppression
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.upcoming import UpcomingEdition
from digest.store.subscribers.digests import Pause

if TYPE_CHECKING:
    from digest.core.delivery.bounces.address_status import BounceScore
    from digest.store.fetching.listings import Appearance

_COLOURS = {Sent: "green", Deferred: "yellow", Refused: "red", Unknown: "yellow"}
OUTCOMES = {
    "sent": "sent",
    "deferred": "deferred, will be retried",
    "refused": "refused",
    "unknown": "possibly sent",
    "rehearsed": "would be sent",
}
"""Results of deliveries in words."""
_STATE_COLOURS = {
    **dict.fromkeys(("complete", "empty", "sent"), "green"),
    **dict.fromkeys(("waiting", "partial", "ready", "leased"), "yellow"),
    **dict.fromkeys(("failed", "refused", "unknown", "held", "expired"), "red"),
}
"""Colours of the states of batches and deliveries."""


def style_state(state: str) -> str:
    """Colour a state."""
    return click.style(state, fg=_STATE_COLOURS.get(state))


def is_failure(event: CycleEvent) -> bool:
    """Whether an event is a failure that sets the exit status."""
    match event:
        case PullProgress():
            return bool(event.error)
        case DeliveryAttempt():
            return not isinstance(event.receipt, Sent)
        case ServerPaused() | HeldRun():
            return True
        case MailboxRead():
            return bool(event.error)
        case _:
            return False


def format_line(event: CycleEvent) -> str | None:
    """Format an event as a line; None if it is not worth one."""
    match event:
        case PullProgress():
            return _describe_pull(event) if event.is_finished or event.error else None
        case MatchSummary():
            return _describe_match(event)
        case DeliveryAttempt():
            outcome = click.style(OUTCOMES[get_outcome(event)], fg=_COLOURS[type(event.receipt)])
            delivery = event.delivery
            answer = f" ({event.receipt.answer})" if event.receipt.answer else ""
            return f"{delivery.digest}, {delivery.period} → {delivery.address}: {outcome}{answer}"
        case ServerPaused():
            consequence = (
                "other servers take over its mail"
                if event.replaced
                else "its mail waits, and none of it expires"
            )
            reason = event.failure.reason.removeprefix(f"{event.server}: ")
            return (
                f"{event.server} is {click.style('in trouble', fg='yellow')}: {reason}. Next attempt: "
                f"{format_time(event.failure.until)}; {consequence}."
            )
        case StoreUnavailable():
            return (
                "Sending is paused because its results cannot be recorded; it continues as soon as the database can be "
                f"written to again: {event.reason}"
            )
        case HeldRun():
            return describe_held_run(event)
        case CountedReport() | MailboxRead() | EnrichmentResult():
            return (
                _describe_enrichment(event)
                if isinstance(event, EnrichmentResult)
                else describe_bounce_event(event)
            )
        case RunsPostponed() | PullStarted() | MatchProgress():
            return None


def _describe_enrichment(enriched: EnrichmentResult) -> str:
    """Describe the answer of an enricher."""
    subjects = "papers" if enriched.kind is SubjectKind.PAPER else "people"
    if enriched.error:
        return f"{enriched.name}: {click.style('failed', fg='red')}: {enriched.error}"
    events_text = f", {format_count(enriched.events, 'event')}" if enriched.events else ""
    return f"{enriched.name}: found {enriched.known_count:,} of {enriched.requested:,} {subjects}{events_text}{describe_unread(enriched.unread)}"


def describe_unread(sentences: Sequence[str]) -> str:
    """Say how many records of an answer could not be read, and why the first one could not; "" if all could."""
    return f"; {len(sentences):,} could not be read: {sentences[0]}" if sentences else ""


def describe_bounce_event(event: BounceEvent) -> str | None:
    """Describe a bounce and its consequence, or the result of reading the mailbox."""
    return event.text if isinstance(event, CountedReport) else _describe_mailbox_read(event)


ROAD_NAMES = {"smtp": "its server", "mailbox": "bounce mail", "ses": "Amazon SES", "postmark": "Postmark"}
"""Routes by which reports arrive, in words."""


def describe_suppression(suppression: Suppression) -> str:
    """Say since when and why an address gets nothing; follows the address and "has been"."""
    until = f" until {format_time(suppression.until)}" if suppression.until else ""
    reason = "mail bounced several times" if suppression.until else "mail bounced"
    state = "suspended" if suppression.state == "resting" else suppression.state
    road = ROAD_NAMES.get(suppression.road, suppression.road)
    return f"{state} since {format_time(suppression.since)}{until}, because {reason} ({road}: {suppression.answer})"


def describe_bounces(score: BounceScore | None) -> str:
    """Say how many bounces count; follows a state. "" if none does."""
    from digest.core.delivery.bounces.address_status import SUSPENSION_BOUNCES

    if score is None or not score.bounces:
        return ""
    return f" ({format_count(score.bounces, 'recent bounce')}; suspended at {SUSPENSION_BOUNCES})"


def make_suppression_json(suppression: Suppression | None) -> dict[str, Any] | None:
    """Make the JSON object of a suppression."""
    if suppression is None:
        return None
    return {
        "state": suppression.state,
        "since": format_instant(suppression.since),
        "until": format_instant(suppression.until) if suppression.until else None,
        "status": suppression.status,
        "answer": suppression.answer,
        "road": suppression.road,
    }


def _describe_mailbox_read(mailbox_read: MailboxRead) -> str | None:
    if mailbox_read.error:
        return f"Bounces: {click.style('the mailbox cannot be read', fg='red')}: {mailbox_read.error}."
    if not mailbox_read.messages:
        return None
    uncounted = "".join(
        f"; {number:,} {reason.value}" for reason, number in mailbox_read.left_by_reason.items()
    )
    return f"Bounces: {format_count(mailbox_read.messages, 'message')} read{uncounted}."


def describe_held_run(run: HeldRun) -> str:
    """Say why a run is held, and what the operator can do."""
    return (
        f"Run {run.id} of {run.period} is {click.style('held', fg='red')}: {run.reason}. Inspect it with `digest deliveries "
        f"list --run {run.id}`, then continue it with `digest deliveries release {run.id}`, or drop its remaining deliveries "
        f"with `digest deliveries drop --run {run.id}`."
    )


def _describe_pull(pulled: PullProgress) -> str:
    name = pulled.name
    if pulled.error:
        return f"{name}: {click.style('failed', fg='red')}: {pulled.error}"
    if pulled.is_unchanged:
        return f"{name}: unchanged since the last request"
    day = f" for {pulled.day:%a} {pulled.day.day} {pulled.day:%b}" if pulled.day else ""
    unread = describe_unread(pulled.unread)
    if not pulled.received:
        return f"{name}: nothing announced{day}{unread}"
    return f"{name}: {format_count(pulled.received, 'listing')}{day}, {pulled.added:,} of them new{unread}"


def _describe_match(matched: MatchSummary) -> str | None:
    if not matched.events:
        return None
    papers = format_count(matched.events, "paper")
    queries = format_count(matched.queries, "query", "queries")
    return f"Checked {papers} against {queries}: {format_count(matched.match_count, 'match', 'matches')}"


def get_outcome(attempt: DeliveryAttempt) -> str:
    """Return the result of a delivery: ``sent``, ``deferred``, ``refused``, ``unknown`` or ``rehearsed``."""
    return "rehearsed" if attempt.is_rehearsal else get_receipt_name(attempt.receipt)


def make_document(events: Sequence[CycleEvent]) -> dict[str, Any]:
    """Make the JSON document of events that docs/reference/commands.md describes."""
    return {
        "pulled": [
            _make_pulled_json(event)
            for event in events
            if isinstance(event, PullProgress) and event.is_finished
        ],
        "matched": {
            "events": sum(event.events for event in events if isinstance(event, MatchSummary)),
            "fits": sum(event.match_count for event in events if isinstance(event, MatchSummary)),
        },
        "deliveries": [_make_delivery_json(event) for event in events if isinstance(event, DeliveryAttempt)],
        "paused_servers": list(
            {
                event.server: make_paused_server_json(event)
                for event in events
                if isinstance(event, ServerPaused)
            }.values()
        ),
        "held_runs": [make_held_run_json(event) for event in events if isinstance(event, HeldRun)],
        "enriched": [_make_enriched_json(event) for event in events if isinstance(event, EnrichmentResult)],
        "reports": [make_counted_report_json(event) for event in events if isinstance(event, CountedReport)],
        "waiting": [
            make_waiting_json(waiting)
            for event in events
            if isinstance(event, RunsPostponed)
            for waiting in event.waiting
        ],
    }


def _make_delivery_json(attempt: DeliveryAttempt) -> dict[str, Any]:
    return {
        "digest": attempt.delivery.digest,
        "period": attempt.delivery.period,
        "channel": attempt.delivery.channel,
        "address": attempt.delivery.address,
        "message_id": attempt.delivery.message_id,
        "receipt": get_outcome(attempt),
        "answer": attempt.receipt.answer,
    }


def _make_enriched_json(enriched: EnrichmentResult) -> dict[str, Any]:
    return {
        "enricher": enriched.name,
        "kind": enriched.kind.value,
        "asked": enriched.requested,
        "found": enriched.known_count,
        "events": enriched.events,
        "unread": list(enriched.unread),
        "error": enriched.error,
    }


def _make_pulled_json(pulled: PullProgress) -> dict[str, Any]:
    return {
        "source": pulled.source,
        "section": pulled.section,
        "route": pulled.route,
        "day": pulled.day.isoformat() if pulled.day else None,
        "received": pulled.received,
        "added": pulled.added,
        "events": pulled.events,
        "unread": list(pulled.unread),
        "error": pulled.error,
    }


def make_paused_server_json(paused_server: ServerPaused) -> dict[str, str]:
    """Make the JSON object of a server in trouble."""
    return {
        "server": paused_server.server,
        "until": format_instant(paused_server.failure.until),
        "why": paused_server.failure.reason,
    }


def make_held_run_json(run: HeldRun) -> dict[str, Any]:
    """Make the JSON object of a run that is held."""
    return {"run": run.id, "period": run.period, "why": run.reason}


def make_counted_report_json(counted_report: CountedReport) -> dict[str, Any]:
    """Make the JSON object of a report with its consequence."""
    until = format_instant(counted_report.until) if counted_report.until else None
    return make_report_json(counted_report.report) | {
        "digest": counted_report.digest,
        "done": counted_report.action.value,
        "until": until,
    }


def make_report_json(report: StoredReport) -> dict[str, Any]:
    """Make the JSON object of a report about a delivery."""
    return {
        "delivery": report.delivery or None,
        "address": report.mailbox,
        "finding": report.finding.value,
        "status": report.status,
        "answer": report.answer,
        "road": report.road,
        "at": format_instant(report.at),
    }


def get_receipt_name(receipt: Receipt) -> str:
    """Return ``sent``, ``deferred``, ``refused`` or ``unknown``."""
    return type(receipt).__name__.lower()


def make_appearances_json(appearances: Iterable[Appearance]) -> list[dict[str, Any]]:
    """Make the JSON objects that say where and how a paper was listed."""
    return [
        {
            "source": batch.source,
            "section": batch.section,
            "day": batch.day.isoformat(),
            "kind": kind.value,
            "submitter": {"name": submitter.name, "id": ":".join(submitter.id)} if submitter else None,
        }
        for batch, kind, submitter in appearances
    ]


def describe_omission(upcoming: UpcomingEdition) -> str:
    """Say that no edition is made at an earlier time; follows the due time. "" if none is left out."""
    if upcoming.omitted_at is None:
        return ""
    return f" (none on {format_time(upcoming.omitted_at, upcoming.zone)}, because it has had an edition on that day)"


def make_upcoming_json(upcoming: UpcomingEdition) -> dict[str, str | None]:
    """Make the JSON object that says when a digest is due next."""
    omitted = format_instant(upcoming.omitted_at) if upcoming.omitted_at else None
    return {"at": format_instant(upcoming.at), "digest": upcoming.digest, "omitted_at": omitted}


def describe_pause(pause: Pause, zone: str) -> str:
    """Say until when a digest is paused and from where it continues; follows its name."""
    until = f"until {format_time(pause.until, zone)}" if pause.until else "until you resume it"
    content = "the papers of the pause" if pause.resume_from == "then" else "papers announced after that"
    return f"is paused {until}; its next edition covers {content}"


def make_pause_json(pause: Pause | None) -> dict[str, bool | str | None]:
    """Make the JSON object of a pause; None for a digest that is not paused."""
    return {
        "paused": pause is not None,
        "until": format_instant(pause.until) if pause and pause.until else None,
        "from": pause.resume_from if pause else "",
    }


def make_waiting_json(waiting_run: WaitingRun) -> dict[str, Any]:
    """Make the JSON object of a run that waits."""
    return {
        "period": waiting_run.run.period,
        "batches": [make_batch_json(batch, error=batch.error) for batch in waiting_run.batches],
        "until": format_instant(waiting_run.until) if waiting_run.until else None,
    }


def describe_waiting(waiting_runs: Iterable[WaitingRun], titles: Mapping[str, str]) -> Iterator[str]:
    """Describe what each run waits for, in one line, with the titles of sources."""
    for waiting_run in waiting_runs:
        days: dict[str, list[str]] = {}
        for batch in waiting_run.batches:
            days.setdefault(
                f"{titles.get(batch.source, batch.source)}, {batch.day:%a} {batch.day.day} {batch.day:%b}", []
            ).append(batch.section)
        awaited = "; ".join(f"{day}: {', '.join(names)}" for day, names in days.items())
        until = f", until {format_time(waiting_run.until)} at the latest" if waiting_run.until else ""
        reason = " (no source answers)" if waiting_run.all_sources_fail and awaited else ""
        yield f"Editions of {waiting_run.run.period} wait for {awaited or 'any source to answer'}{reason}{until}."


def format_time(at: datetime, zone: str | None = None) -> str:
    """Format an instant for people, in the given zone or in this machine's."""
    local = at.astimezone(ZoneInfo(zone) if zone else None)
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} {local:%Z}".rstrip()


# --- matches -------------------------------------------------------------------------------------


def format_evidence(fit: MatchResult) -> str:
    """Format the fields and words that match, in one line."""
    return "; ".join(
        f"{field_evidence.field}: {', '.join(field_evidence.words)}" for field_evidence in fit.evidence
    )


def make_fit_json(fit: MatchResult) -> dict[str, Any]:
    """Make the JSON object of a match: its confidence and evidence."""
    return {
        "band": fit.confidence.name.lower(),
        "evidence": [
            {"field": field_evidence.field, "words": list(field_evidence.words)}
            for field_evidence in fit.evidence
        ],
    }
