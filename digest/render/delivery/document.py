"""What programs are told: an edition, a notice or a test, as JSON with an envelope that is always the same.

The envelope is that of https://www.standardwebhooks.com: ``type``, ``timestamp`` and ``data``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from digest.model import Document, Edition
from digest.render.branding import Masthead
from digest.render.delivery.files import edition_json, instant_json
from digest.render.papers.links import web_address

Type = Literal["edition.published", "edition.test", "operator.notice"]


def document(
    edition: Edition,
    masthead: Masthead,
    *,
    delivery: int,
    address: str,
    message_id: str,
    page: str = "",
    test: bool = False,
) -> Document:
    """What a program is told of an edition; the same input gives the same bytes.

    Args:
        edition: what it tells; its composition is the ``timestamp``.
        masthead: the operator's side.
        delivery: the delivery's id.
        address: the destination's, without its secrets.
        message_id: with its angle brackets; what is before its @ is the number.
        page: the web address of the edition's page, or "".
        test: it counts as no edition.
    """
    data = {"title": edition.title, "page": web_address(page), **edition_json(edition, masthead)}
    kind: Type = "edition.test" if test else "edition.published"
    return Document(
        delivery=delivery,
        address=address,
        number=number_of(message_id),
        content=_content(kind, edition.composed_at, data),
    )


def notice(lines: Mapping[str, str], *, title: str, address: str, number: str, at: datetime) -> Document:
    """What a program is told that looks after us.

    Args:
        lines: the sentences, by the name of what they are about.
        title: a line for all of them.
        address: the destination's, without its secrets.
        number: the same at each attempt.
        at: when.
    """
    told = [{"name": name, "text": text} for name, text in lines.items()]
    content = _content("operator.notice", at, {"title": title, "notices": told})
    return Document(delivery=0, address=address, number=number, content=content)


def number_of(message_id: str) -> str:
    """The number of what has a Message-ID: without the domain, for a dot in it would end it where it is signed."""
    return message_id.strip("<>").partition("@")[0]


def _content(kind: Type, at: datetime, data: Mapping[str, Any]) -> bytes:
    told = {"type": kind, "timestamp": instant_json(at), "data": data}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
