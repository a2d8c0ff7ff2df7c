"""What goes over the wire, and what is written down about it for the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer.

    Attributes:
        day: the announcement day that it says it is about, or None.
        rows: the ids and kinds in it.
        total: how many rows it says there are on all pages; None if it does not say.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    day: date | None = None
    rows: tuple[tuple[str, str], ...] = ()
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRequest:
    """A request and its answer.

    Attributes:
        at: the simulated time.
        route: ``rss``, ``listing``, ``catchup``, ``oai`` or ``api``.
        subject: category, archive or set asked for, as written.
        headers: of the request, names in lower case.
        fault: the kinds of faults that had a hand in it.
        answer: None if it hung up.
    """

    at: datetime
    path: str
    route: str
    subject: str
    headers: Mapping[str, str]
    fault: frozenset[str]
    answer: Answer | None


def make_refusal(status: int, reason: str, headers: Mapping[str, str] | None = None) -> Answer:
    """An error page."""
    body = f"<!DOCTYPE html>\n<html><body><h1>{status}</h1><p>{reason}</p></body></html>\n".encode()
    return Answer(
        status=status, headers={"Content-Type": "text/html; charset=utf-8", **(headers or {})}, body=body
    )
