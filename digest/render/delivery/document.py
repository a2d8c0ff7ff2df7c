"""JSON documents for programs: an edition, a notice or a test, in an envelope that is always the same.

The envelope is that of https://www.standardwebhooks.com: ``type``, ``timestamp`` and ``data``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from digest.model import Document, Edition
from digest.render.branding import Branding
from digest.render.delivery.files import format_instant, make_edition_json
from digest.render.papers.links import filter_web_address

DocumentType = Literal["edition.published", "edition.test", "operator.notice"]


def make_document(
    edition: Edition,
    branding: Branding,
    *,
    delivery: int,
    address: str,
    message_id: str,
    page: str = "",
    is_test: bool = False,
) -> Document:
    """Make the document of an edition; the same input gives the same bytes.

    Args:
        edition: the content; the time when it was composed is the ``timestamp``.
        branding: the branding of the site.
        delivery: the delivery's id.
        address: the destination's address, without its secrets.
        message_id: with its angle brackets; the part before the @ is the idempotency key.
        page: the web address of the edition's page, or "".
        is_test: whether it is a test, and not a real edition.
    """
    data = {"title": edition.title, "page": filter_web_address(page), **make_edition_json(edition, branding)}
    kind: DocumentType = "edition.test" if is_test else "edition.published"
    return Document(
        delivery=delivery,
        address=address,
        idempotency_key=derive_number(message_id),
        content=_encode_content(kind, edition.composed_at, data),
    )


def make_notice_document(
    lines: Mapping[str, str], *, title: str, address: str, number: str, created_at: datetime
) -> Document:
    """Make a document of notices to the operator.

    Args:
        lines: sentences by the name of their subject.
        title: one line that covers all of them.
        address: the destination's address, without its secrets.
        number: the idempotency key, which is the same at each attempt.
        created_at: the ``timestamp``.
    """
    notices = [{"name": name, "text": text} for name, text in lines.items()]
    content = _encode_content("operator.notice", created_at, {"title": title, "notices": notices})
    return Document(delivery=0, address=address, idempotency_key=number, content=content)


def derive_number(message_id: str) -> str:
    """Return the part of a Message-ID before the @: a dot in the domain would be ambiguous in the signed content."""
    return message_id.strip("<>").partition("@")[0]


def _encode_content(kind: DocumentType, timestamp: datetime, data: Mapping[str, Any]) -> bytes:
    envelope = {"type": kind, "timestamp": format_instant(timestamp), "data": data}
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()
