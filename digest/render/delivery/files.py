"""An edition as files: HTML, text, JSON, and a message for mail programs."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

import jinja2

from digest.model import Batch, Edition, Item, Paper, Signal
from digest.render.branding import Branding
from digest.render.delivery.mail import (
    UNDISCLOSED_RECIPIENTS,
    make_file_message_id,
    make_message,
    render_mail,
)
from digest.render.editions.completeness import describe_failure
from digest.render.editions.edition_view import describe_edition_completeness
from digest.render.editions.summary import make_subject
from digest.render.environment import remove_unprintable


def render_files(
    environment: jinja2.Environment, edition: Edition, branding: Branding
) -> tuple[tuple[str, bytes], ...]:
    """Return the files of an edition: pairs of relative path and content; the same edition gives the same bytes.

    The ``.eml`` file is included if the branding has a sender.

    Raises:
        RenderError: a template is missing or broken.
    """
    stem = make_edition_stem(edition)
    rendered_mail = render_mail(environment, edition, branding)
    edition_data = json.dumps(make_edition_json(edition, branding), ensure_ascii=False)
    edition_files = [
        (f"{stem}.html", rendered_mail.html.encode()),
        (f"{stem}.txt", rendered_mail.text.encode()),
        (f"{stem}.json", edition_data.encode()),
    ]
    if branding.sender:
        message_id = make_file_message_id(edition, branding)
        edition_files.append(
            (
                f"{stem}.eml",
                make_message(
                    rendered_mail, edition, branding, to=UNDISCLOSED_RECIPIENTS, message_id=message_id
                ),
            )
        )
    return tuple(edition_files)


def make_edition_stem(edition: Edition) -> str:
    """Return the path of an edition's files without their extensions: ``llm-systems/2026-06-12T0730``."""
    return make_stem(edition.digest, edition.period)


def make_stem(digest: str, period: str) -> str:
    """Return the path of the files of a digest's edition, without their extensions."""
    return f"{make_file_name(digest)}/{period.replace(':', '')}"


def make_file_name(digest: str) -> str:
    """Return a digest's name in a form that is valid in every file system."""
    return re.sub(r"[^\w.-]+", "-", digest).strip(".-") or "digest"


def make_edition_json(edition: Edition, branding: Branding) -> dict[str, Any]:
    """Return an edition as plain data; new releases add fields and never rename any.

    ``digest, period, zone, composed_at, subject, account {summary, lines, missing, whole}, items, rest,
    dropped, excluded, batches``. An item has ``part, event {kind, number, day, source}, reasons [{follow,
    band, evidence [{field, words}]}], score, late, waited, signals [{kind, source, day, value}], paper``.
    Instants are in RFC 3339 and UTC, days in ISO 8601.
    """
    completeness = describe_edition_completeness(edition, branding)
    data = {
        "digest": edition.digest,
        "period": edition.period,
        "zone": edition.zone,
        "composed_at": format_instant(edition.composed_at),
        "subject": make_subject(edition, branding.locale),
        "account": {
            "summary": completeness.summary,
            "lines": list(completeness.lines),
            "missing": list(completeness.missing),
            "whole": completeness.is_complete,
        },
        "items": [_make_item_json(item) for item in edition.items],
        "rest": [_make_item_json(item) for item in edition.overflow],
        "dropped": edition.dropped,
        "excluded": edition.excluded,
        "batches": [
            make_batch_json(batch, error=describe_failure(batch.failure, branding.locale))
            for batch in edition.batches
        ],
    }
    cleaned: dict[str, Any] = json.loads(remove_unprintable(json.dumps(data, ensure_ascii=False)))
    return cleaned


def _make_item_json(item: Item) -> dict[str, Any]:
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
                "band": reason.confidence.name.casefold(),
                "evidence": [{"field": entry.field, "words": list(entry.words)} for entry in reason.evidence],
            }
            for reason in item.reasons
        ],
        "score": item.score,
        "late": item.late,
        "waited": item.waited,
        "signals": [make_signal_json(entry) for entry in event.signals],
        "paper": make_paper_json(item.paper),
    }


def make_signal_json(signal: Signal) -> dict[str, Any]:
    """Return a number about a paper as plain data."""
    return {
        "kind": signal.kind,
        "source": signal.source,
        "day": signal.day.isoformat(),
        "value": signal.value,
    }


def make_paper_json(paper: Paper) -> dict[str, Any]:
    """Return a paper as plain data."""
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


def make_batch_json(batch: Batch, *, error: str) -> dict[str, Any]:
    """Return the state of a batch as plain data.

    Args:
        batch: the batch.
        error: what went wrong: in our words for readers, in the host's words for the operator.
    """
    return {
        "source": batch.source,
        "section": batch.section,
        "day": batch.day.isoformat(),
        "state": batch.state,
        "due_at": format_instant(batch.due_at),
        "expected": batch.expected,
        "received": batch.received,
        "late": batch.late,
        "asked_at": format_instant(batch.asked_at) if batch.asked_at else None,
        "answered_at": format_instant(batch.answered_at) if batch.answered_at else None,
        "failure": batch.failure or "",
        "error": error,
        "usual": batch.usual,
    }


def format_instant(instant: datetime) -> str:
    """Format an instant as in all our JSON: RFC 3339, in UTC, to the second."""
    return instant.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
