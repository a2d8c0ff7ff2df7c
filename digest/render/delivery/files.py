"""An edition as files: HTML, text, JSON and a message that mail programs open."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import jinja2

from digest.model import Batch, Edition, Item, Paper, Signal
from digest.render.branding import Masthead
from digest.render.delivery.mail import NOBODY, file_message_id, message, rendered
from digest.render.editions.completeness import told_failure
from digest.render.editions.edition_view import account_of, subject
from digest.render.environment import printable


def files(
    environment: jinja2.Environment, edition: Edition, masthead: Masthead
) -> tuple[tuple[str, bytes], ...]:
    """The files of an edition: relative path and content; the same edition gives the same bytes.

    ``.eml`` is among them where the masthead has a sender.

    Raises:
        RenderError: a template is missing or broken.
    """
    stem = edition_stem(edition)
    parts = rendered(environment, edition, masthead)
    data = json.dumps(edition_json(edition, masthead), ensure_ascii=False)
    made = [
        (f"{stem}.html", parts.html.encode()),
        (f"{stem}.txt", parts.text.encode()),
        (f"{stem}.json", data.encode()),
    ]
    if masthead.sender:
        number = file_message_id(edition, masthead)
        made.append((f"{stem}.eml", message(parts, edition, masthead, to=NOBODY, message_id=number)))
    return tuple(made)


def edition_stem(edition: Edition) -> str:
    """The path of an edition's files without their endings: ``llm-systems/2026-06-12T0730``."""
    return stem_of(edition.digest, edition.period)


def stem_of(digest: str, period: str) -> str:
    """The same for a digest's edition of a period."""
    return f"{file_name(digest)}/{period.replace(':', '')}"


def file_name(digest: str) -> str:
    """A digest's name as every file system takes it."""
    return re.sub(r"[^\w.-]+", "-", digest).strip(".-") or "digest"


def edition_json(edition: Edition, masthead: Masthead) -> dict[str, Any]:
    """An edition as plain data; fields are added between releases, never renamed.

    ``digest, period, zone, composed_at, subject, account {summary, lines, missing, whole}, items, rest, dropped,
    excluded, batches``. An item has ``part, event {kind, number, day, source}, reasons [{follow, band,
    evidence [{field, words}]}], score, late, waited, signals [{kind, source, day, value}], paper``. Instants are RFC 3339 in UTC, days ISO 8601.
    """
    account = account_of(edition, masthead)
    data = {
        "digest": edition.digest,
        "period": edition.period,
        "zone": edition.zone,
        "composed_at": instant_json(edition.composed_at),
        "subject": subject(edition, masthead.locale),
        "account": {
            "summary": account.summary,
            "lines": list(account.lines),
            "missing": list(account.missing),
            "whole": account.whole,
        },
        "items": [_item(item) for item in edition.items],
        "rest": [_item(item) for item in edition.rest],
        "dropped": edition.dropped,
        "excluded": edition.excluded,
        "batches": [
            batch_json(batch, error=told_failure(batch.failure, masthead.locale)) for batch in edition.batches
        ],
    }
    cleaned: dict[str, Any] = json.loads(printable(json.dumps(data, ensure_ascii=False)))
    return cleaned


def _item(item: Item) -> dict[str, Any]:
    event = item.event
    return {
        "part": item.part,
        "event": {
            "kind": event.kind,
            "number": event.number,
            "day": event.day.isoformat(),
            "source": event.source,
        },
        "reasons": [
            {
                "follow": reason.follow,
                "band": reason.band.name.casefold(),
                "evidence": [{"field": one.field, "words": list(one.words)} for one in reason.evidence],
            }
            for reason in item.reasons
        ],
        "score": item.score,
        "late": item.late,
        "waited": item.waited,
        "signals": [signal_json(one) for one in event.signals],
        "paper": paper_json(item.paper),
    }


def signal_json(signal: Signal) -> dict[str, Any]:
    """What is counted of a paper as plain data."""
    return {
        "kind": signal.kind,
        "source": signal.source,
        "day": signal.day.isoformat(),
        "value": signal.value,
    }


def paper_json(paper: Paper) -> dict[str, Any]:
    """A paper as plain data."""
    return {
        "key": paper.key,
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": [
            {
                "name": author.name,
                "affiliations": list(author.affiliations),
                "ids": [f"{scheme}:{value}" for scheme, value in author.ids],
            }
            for author in paper.authors
        ],
        "categories": list(paper.categories),
        "version": paper.version,
        "url": paper.url,
        "pdf_url": paper.pdf_url,
        "doi": paper.doi,
        "journal_ref": paper.journal_ref,
        "comment": paper.comment,
        "license_url": paper.license_url,
        "code_urls": list(paper.code_urls),
        "project_urls": list(paper.project_urls),
        "organizations": list(paper.organizations),
        "withdrawn": paper.withdrawn,
    }


def batch_json(batch: Batch, *, error: str) -> dict[str, Any]:
    """A batch's account as plain data.

    Args:
        batch: any.
        error: what went wrong: a sentence of ours for readers, the host's words for the operator.
    """
    return {
        "source": batch.source,
        "section": batch.section,
        "day": batch.day.isoformat(),
        "state": batch.state,
        "due_at": instant_json(batch.due_at),
        "expected": batch.expected,
        "received": batch.received,
        "late": batch.late,
        "asked_at": instant_json(batch.asked_at) if batch.asked_at else None,
        "answered_at": instant_json(batch.answered_at) if batch.answered_at else None,
        "failure": batch.failure or "",
        "error": error,
        "usual": batch.usual,
    }


def instant_json(at: datetime) -> str:
    """An instant as all our JSON has it: RFC 3339, in UTC, to the second."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
