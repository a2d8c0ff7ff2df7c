"""A summary of the service in a few lines, for the operator."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from digest.config import DeliverySettings
from digest.jobs.operations.status import Status, load_status
from digest.render.languages.english import format_count
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import outbox
from digest.store.operations import notices

_DAY = timedelta(days=1)
_MAX_NAMED = 5


def format_summary(store: Store, now: datetime, settings: DeliverySettings) -> str:
    """Return the lines of a summary, each one or two sentences."""
    current_status = load_status(store, now, settings)
    with store.begin_read() as tx:
        lines = (
            *_format_sent(tx, current_status, now),
            *_format_sources(current_status),
            *_format_standing(current_status),
            *_format_troubles(tx, now),
            *_format_next(current_status),
        )
    return "\n".join(lines)


def _format_sent(tx: Transaction, current_status: Status, now: datetime) -> Iterator[str]:
    yield f"{format_count(outbox.count_sent_since(tx, now - _DAY), 'message')} sent in the last 24 hours."
    ended_counts = [
        f"{current_status.deliveries[state]:,} {state}"
        for state in ("refused", "expired", "unknown")
        if state in current_status.deliveries
    ]
    if ended_counts:
        yield f"In the whole history: {', '.join(ended_counts)}; `digest deliveries list` gives the reasons."


def _format_sources(current_status: Status) -> Iterator[str]:
    failing = [
        f"{section.source} {section.name}"
        for section in current_status.sections
        if section.routes and all(route.errors for route in section.routes)
    ]
    if failing:
        more = f" and {len(failing) - _MAX_NAMED:,} more" if len(failing) > _MAX_NAMED else ""
        yield f"Not reached at the last attempt: {', '.join(failing[:_MAX_NAMED])}{more}."
    else:
        yield f"All of {format_count(len(current_status.sections), 'section')} were reached."


def _format_standing(current_status: Status) -> Iterator[str]:
    waiting = current_status.deliveries.get("ready", 0)
    if waiting:
        yield f"{format_count(waiting, 'delivery is', 'deliveries are')} waiting."
    for run in current_status.held_runs[:_MAX_NAMED]:
        yield f"Run {run.id} of {run.period} is held: {run.reason}."
    for server, trouble in list(current_status.servers.items())[:_MAX_NAMED]:
        yield f"{server} is in trouble: {trouble.reason}."


def _format_troubles(tx: Transaction, now: datetime) -> Iterator[str]:
    recent_notices = [
        recent_notice
        for recent_notice in notices.list_recent(tx, now - _DAY)
        if not recent_notice.name.startswith("summary:")
    ]
    if recent_notices:
        yield f"{format_count(len(recent_notices), 'problem was', 'problems were')} reported in the last 24 hours."


def _format_next(current_status: Status) -> Iterator[str]:
    for upcoming in current_status.upcoming.first[:1]:
        yield f"Next: {upcoming.digest}, {upcoming.at:%Y-%m-%d %H:%M} UTC."
