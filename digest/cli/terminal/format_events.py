"""What happens in a cycle, as lines for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from digest.jobs.cycle import Asking, Happening, Left
from digest.jobs.delivery.bounces import Heard, MailboxRead, Reported
from digest.jobs.delivery.dispatcher import Delivered, StoreTrouble
from digest.jobs.delivery.server_evidence import ServerPaused
from digest.jobs.editions.compose import Waiting
from digest.jobs.enrich import Enriched
from digest.jobs.fetching.pull import Pulled
from digest.jobs.matching.match import Matched, Matching
from digest.model import Deferred, Fit, Receipt, Refused, Sent, SubjectKind, Unknown
from digest.render.delivery.files import batch_json, instant_json
from digest.render.languages.english import count
from digest.store.delivery.reports import Kept
from digest.store.delivery.suppressions import Suppression
from digest.store.editions.held_runs import HeldRun
from digest.store.editions.upcoming import Coming
from digest.store.subscribers.digests import Pause

if TYPE_CHECKING:
    from digest.core.delivery.bounces.address_status import Score
    from digest.store.fetching.listings import Appearance

_COLOURS = {Sent: "green", Deferred: "yellow", Refused: "red", Unknown: "yellow"}
ENDS = {
    "sent": "sent",
    "deferred": "put off, tried again later",
    "refused": "refused",
    "unknown": "perhaps sent",
    "rehearsed": "would be sent",
}
"""How deliveries end, in words for people."""
_OF_STATES = {
    **dict.fromkeys(("complete", "empty", "sent"), "green"),
    **dict.fromkeys(("waiting", "partial", "ready", "leased"), "yellow"),
    **dict.fromkeys(("failed", "refused", "unknown", "held", "expired"), "red"),
}
"""The colours of states, of batches and of deliveries."""


def coloured(state: str) -> str:
    """A state in its colour."""
    return click.style(state, fg=_OF_STATES.get(state))


def failed(happening: Happening) -> bool:
    """Whether something failed that the exit status should tell."""
    match happening:
        case Pulled():
            return bool(happening.error)
        case Delivered():
            return not isinstance(happening.receipt, Sent)
        case ServerPaused() | HeldRun():
            return True
        case MailboxRead():
            return bool(happening.error)
        case _:
            return False


def line(happening: Happening) -> str | None:
    """A line for people; None where there is nothing worth one."""
    match happening:
        case Pulled():
            return _pulled(happening) if happening.finished or happening.error else None
        case Matched():
            return _matched(happening)
        case Delivered():
            word = click.style(ENDS[ended(happening)], fg=_COLOURS[type(happening.receipt)])
            one = happening.delivery
            said = f" ({happening.receipt.answer})" if happening.receipt.answer else ""
            return f"{one.digest}, {one.period} → {one.address}: {word}{said}"
        case ServerPaused():
            meanwhile = (
                "others take its mail"
                if happening.replaced
                else "what is to go there waits, and nothing of it expires"
            )
            why = happening.trouble.reason.removeprefix(f"{happening.server}: ")
            return (
                f"{happening.server} is {click.style('in trouble', fg='yellow')}: {why}. It is tried "
                f"again {moment(happening.trouble.until)}; {meanwhile}."
            )
        case StoreTrouble():
            return (
                "Nothing more is sent for now, because it could not be noted; it goes on by itself when that can be "
                f"done again: {happening.told}"
            )
        case HeldRun():
            return held(happening)
        case Reported() | MailboxRead() | Enriched():
            return _enriched(happening) if isinstance(happening, Enriched) else heard(happening)
        case Left() | Asking() | Matching():
            return None


def _enriched(one: Enriched) -> str:
    """What an enricher knew."""
    what = "papers" if one.kind is SubjectKind.PAPER else "persons"
    if one.error:
        return f"{one.name}: {click.style('failed', fg='red')}, {one.error}"
    news = f", {count(one.events, 'event')}" if one.events else ""
    return f"{one.name}: knows {one.found:,} of {one.asked:,} {what}{news}{told_of_unread(one.unread)}"


def told_of_unread(sentences: Sequence[str]) -> str:
    """Say how many records of an answer could not be read, and why the first one could not; "" if all could."""
    return f"; {len(sentences):,} could not be read: {sentences[0]}" if sentences else ""


def heard(one: Heard) -> str | None:
    """What came back about a mail, and what was done because of it; or how reading the mailbox went."""
    return one.told if isinstance(one, Reported) else _mailbox_read(one)


ROADS = {"smtp": "its server's answer", "mailbox": "mail", "ses": "Amazon SES", "postmark": "Postmark"}
"""By which way we heard, in words for people."""


def suppression(one: Suppression) -> str:
    """Since when and why nothing goes to an address, to follow it."""
    until = f" until {moment(one.until)}" if one.until else ""
    came = "mails to it came back several times" if one.until else "mail to it came back"
    road = ROADS.get(one.road, one.road)
    return f"{one.state} since {moment(one.since)}{until}, because {came} (by {road}: {one.answer})"


def bounced(standing: Score | None) -> str:
    """How many bounces count, to follow a state; "" where none does."""
    from digest.core.delivery.bounces.address_status import MOST_BOUNCES

    if standing is None or not standing.bounces:
        return ""
    return f" ({count(standing.bounces, 'bounce')} of {MOST_BOUNCES} at which it rests)"


def suppression_json(one: Suppression | None) -> dict[str, Any] | None:
    """Why nothing goes to an address."""
    if one is None:
        return None
    return {
        "state": one.state,
        "since": instant_json(one.since),
        "until": instant_json(one.until) if one.until else None,
        "status": one.status,
        "answer": one.answer,
        "road": one.road,
    }


def _mailbox_read(one: MailboxRead) -> str | None:
    if one.error:
        return f"Bounces: {click.style('the mailbox cannot be read', fg='red')}: {one.error}."
    if not one.messages:
        return None
    left = "".join(f"; {number:,} {why.value}" for why, number in one.left.items())
    return f"Bounces: {count(one.messages, 'message')} read{left}."


def held(run: HeldRun) -> str:
    """Why a run is held, and what can be done about it."""
    return (
        f"Run {run.id} of {run.period} is {click.style('held', fg='red')}: {run.why}. Look at `digest deliveries "
        f"list --run {run.id}`, then let it go on with `digest deliveries release {run.id}`, or drop what is left of it with "
        f"`digest deliveries drop --run {run.id}`."
    )


def _pulled(pulled: Pulled) -> str:
    name = pulled.name
    if pulled.error:
        return f"{name}: {click.style('failed', fg='red')}: {pulled.error}"
    if pulled.unchanged:
        return f"{name}: nothing changed since we last asked"
    day = f" for {pulled.day:%a} {pulled.day.day} {pulled.day:%b}" if pulled.day else ""
    unread = told_of_unread(pulled.unread)
    if not pulled.received:
        return f"{name}: nothing announced{day}{unread}"
    return f"{name}: {count(pulled.received, 'listing')}{day}, {pulled.added:,} of them new to us{unread}"


def _matched(matched: Matched) -> str | None:
    if not matched.events:
        return None
    queries = "1 query" if matched.queries == 1 else f"{matched.queries:,} queries"
    return f"{matched.events:,} papers and versions matched with {queries}: {matched.fits:,} fit"


def ended(one: Delivered) -> str:
    """How a delivery ended: ``sent``, ``deferred``, ``refused``, ``unknown`` or ``rehearsed``."""
    return "rehearsed" if one.rehearsed else receipt_json(one.receipt)


def document(told: Sequence[Happening]) -> dict[str, Any]:
    """What happened as one JSON document; the reference describes it."""
    return {
        "pulled": [_pulled_json(one) for one in told if isinstance(one, Pulled) and one.finished],
        "matched": {
            "events": sum(one.events for one in told if isinstance(one, Matched)),
            "fits": sum(one.fits for one in told if isinstance(one, Matched)),
        },
        "deliveries": [
            {
                "digest": one.delivery.digest,
                "period": one.delivery.period,
                "channel": one.delivery.channel,
                "address": one.delivery.address,
                "message_id": one.delivery.message_id,
                "receipt": ended(one),
                "answer": one.receipt.answer,
            }
            for one in told
            if isinstance(one, Delivered)
        ],
        "paused_servers": list(
            {one.server: paused_json(one) for one in told if isinstance(one, ServerPaused)}.values()
        ),
        "held_runs": [held_json(one) for one in told if isinstance(one, HeldRun)],
        "enriched": [_enriched_json(one) for one in told if isinstance(one, Enriched)],
        "reports": [reported_json(one) for one in told if isinstance(one, Reported)],
        "waiting": [
            waiting_json(waiting) for one in told if isinstance(one, Left) for waiting in one.waiting
        ],
    }


def _enriched_json(one: Enriched) -> dict[str, Any]:
    return {
        "enricher": one.name,
        "kind": one.kind.value,
        "asked": one.asked,
        "found": one.found,
        "events": one.events,
        "unread": list(one.unread),
        "error": one.error,
    }


def _pulled_json(pulled: Pulled) -> dict[str, Any]:
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


def paused_json(one: ServerPaused) -> dict[str, str]:
    """A server that is in trouble."""
    return {"server": one.server, "until": instant_json(one.trouble.until), "why": one.trouble.reason}


def held_json(run: HeldRun) -> dict[str, Any]:
    """A run that is held."""
    return {"run": run.id, "period": run.period, "why": run.why}


def reported_json(one: Reported) -> dict[str, Any]:
    """A report, and what was done because of it."""
    until = instant_json(one.until) if one.until else None
    return report_json(one.report) | {"digest": one.digest, "done": one.done.value, "until": until}


def report_json(report: Kept) -> dict[str, Any]:
    """What came back about a delivery."""
    return {
        "delivery": report.delivery or None,
        "address": report.mailbox,
        "finding": report.finding.value,
        "status": report.status,
        "answer": report.answer,
        "road": report.road,
        "at": instant_json(report.at),
    }


def receipt_json(receipt: Receipt) -> str:
    """``sent``, ``deferred``, ``refused`` or ``unknown``."""
    return type(receipt).__name__.lower()


def listed_json(listed: Iterable[Appearance]) -> list[dict[str, Any]]:
    """Where and how a paper was listed."""
    return [
        {
            "source": batch.source,
            "section": batch.section,
            "day": batch.day.isoformat(),
            "kind": kind.value,
            "submitter": {"name": who.name, "id": ":".join(who.id)} if who else None,
        }
        for batch, kind, who in listed
    ]


def omits(one: Coming) -> str:
    """That no edition is made at a firing before, to follow when a digest is due; "" where none is left out."""
    if one.omitted_at is None:
        return ""
    return f", and not on {moment(one.omitted_at, one.zone)}, because it has had an edition on that day"


def coming_json(one: Coming) -> dict[str, str | None]:
    """When a digest is due next."""
    omitted = instant_json(one.omitted_at) if one.omitted_at else None
    return {"at": instant_json(one.at), "digest": one.digest, "omitted_at": omitted}


def rests(pause: Pause, zone: str) -> str:
    """Until when a digest is paused, and where it goes on, to follow its name."""
    until = f"until {moment(pause.until, zone)}" if pause.until else "until you resume it"
    meanwhile = "with all that came meanwhile" if pause.resume_from == "then" else "with what comes then"
    return f"is paused {until}, and goes on {meanwhile}"


def pause_json(pause: Pause | None) -> dict[str, bool | str | None]:
    """Whether a digest is paused, and how."""
    return {
        "paused": pause is not None,
        "until": instant_json(pause.until) if pause and pause.until else None,
        "from": pause.resume_from if pause else "",
    }


def waiting_json(one: Waiting) -> dict[str, Any]:
    """A run that waits, as JSON."""
    return {
        "period": one.run.period,
        "batches": [batch_json(batch, error=batch.error) for batch in one.batches],
        "until": instant_json(one.until) if one.until else None,
    }


def waits(waiting: Iterable[Waiting], titles: Mapping[str, str]) -> Iterator[str]:
    """What runs wait for, a line each, with the names of sources that readers know."""
    for one in waiting:
        days: dict[str, list[str]] = {}
        for batch in one.batches:
            days.setdefault(
                f"{titles.get(batch.source, batch.source)}, {batch.day:%a} {batch.day.day} {batch.day:%b}", []
            ).append(batch.section)
        what = "; ".join(f"{day}: {', '.join(names)}" for day, names in days.items())
        until = f", until {moment(one.until)} at the latest" if one.until else ""
        why = " (no source answers)" if one.unanswered and what else ""
        yield f"The editions of {one.run.period} wait for {what or 'a source that answers'}{why}{until}."


def moment(at: datetime, zone: str | None = None) -> str:
    """An instant for people: in a zone, or in this machine's."""
    local = at.astimezone(ZoneInfo(zone) if zone else None)
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} {local:%Z}".rstrip()


# --- fits ----------------------------------------------------------------------------------------


def evidence(fit: Fit) -> str:
    """Where and by which words a query fits, in a line."""
    return "; ".join(f"{found.field}: {', '.join(found.words)}" for found in fit.evidence)


def fit_json(fit: Fit) -> dict[str, Any]:
    """How surely a query fits, and by which words."""
    return {
        "band": fit.band.name.lower(),
        "evidence": [{"field": found.field, "words": list(found.words)} for found in fit.evidence],
    }
