"""How things are, in a few lines for whoever looks after them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from digest.config import DeliverySettings
from digest.jobs.operations.status import Status, status
from digest.render.languages.english import count
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import outbox
from digest.store.operations import notices

_DAY = timedelta(days=1)
_NAMED = 5


def summary(store: Store, now: datetime, limits: DeliverySettings) -> str:
    """The lines of a summary, each a sentence or two."""
    told = status(store, now, limits)
    with store.reading() as tx:
        lines = (*_sent(tx, told, now), *_sources(told), *_standing(told), *_troubles(tx, now), *_next(told))
    return "\n".join(lines)


def _sent(tx: Transaction, told: Status, now: datetime) -> Iterator[str]:
    yield f"{count(outbox.sent_since(tx, now - _DAY), 'message')} sent in the last 24 hours."
    ended = [
        f"{told.deliveries[one]:,} {one}"
        for one in ("refused", "expired", "unknown")
        if one in told.deliveries
    ]
    if ended:
        yield f"In all that is kept: {', '.join(ended)}; `digest deliveries list` says why."


def _sources(told: Status) -> Iterator[str]:
    failing = [
        f"{one.source} {one.name}"
        for one in told.sections
        if one.routes and all(r.errors for r in one.routes)
    ]
    if failing:
        more = f" and {len(failing) - _NAMED:,} more" if len(failing) > _NAMED else ""
        yield f"Not reached at the last attempt: {', '.join(failing[:_NAMED])}{more}."
    else:
        yield f"All of {count(len(told.sections), 'section')} could be reached."


def _standing(told: Status) -> Iterator[str]:
    waiting = told.deliveries.get("ready", 0)
    if waiting:
        yield f"{count(waiting, 'delivery is', 'deliveries are')} waiting."
    for run in told.held[:_NAMED]:
        yield f"Run {run.id} of {run.period} is held: {run.why}."
    for server, trouble in list(told.servers.items())[:_NAMED]:
        yield f"{server} is in trouble: {trouble.reason}."


def _troubles(tx: Transaction, now: datetime) -> Iterator[str]:
    noted = [one for one in notices.recent(tx, now - _DAY) if not one.name.startswith("summary:")]
    if noted:
        yield f"{count(len(noted), 'trouble was', 'troubles were')} told in the last 24 hours."


def _next(told: Status) -> Iterator[str]:
    for first in told.coming.first[:1]:
        yield f"Next: {first.digest}, {first.at:%Y-%m-%d %H:%M} UTC."
