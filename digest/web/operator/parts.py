"""Parts that several of the operator's pages have: times, pages of a list, and what a button has done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from digest.core.publishing.address_parts import join_address
from digest.render.languages.english import format_count
from digest.render.papers.links import Link
from digest.web.accounts.own_requests import read_number
from digest.web.operator.access import OperatorRequest

T = TypeVar("T")
PAGE_SIZE = 50
"""Number of entries on a page of a list."""
DONE, NOTHING = "yes", "no"
"""Values of the parameter ``done`` in the address of a page that answers a form."""


def format_utc(at: datetime) -> str:
    """Format an instant."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def format_age(age: timedelta) -> str:
    """Format a period by its largest unit: ``3 hours``."""
    minutes = max(int(age.total_seconds()) // 60, 0)
    if minutes < 120:
        return format_count(minutes, "minute")
    return format_count(minutes // 60, "hour") if minutes < 48 * 60 else format_count(minutes // 1440, "day")


def read_optional_number(operator: OperatorRequest, name: str) -> int | None:
    """Return a number of a request; None if it is not there or empty.

    Raises:
        UnknownFormError: it is no number that a page could have.
    """
    return read_number(operator.fields, name) if operator.fields.get(name) else None


def link_pages(
    operator: OperatorRequest, path: str, entries: Sequence[T], numbers: Sequence[int], **parameters: str
) -> tuple[Sequence[T], tuple[Link, ...]]:
    """Return the entries of a page, and links to other pages of a list that is sorted by falling numbers.

    Args:
        operator: the request, whose parameter ``before`` has led to this page.
        path: the path of the list.
        entries: the entries; one more than fits on the page if there is an older one.
        numbers: their numbers.
        parameters: the other parameters of the address.
    """
    older = ""
    if len(entries) > PAGE_SIZE:
        before = str(numbers[PAGE_SIZE - 1])
        older = operator.link(join_address(path, {**parameters, "before": before}))
    newest = operator.link(join_address(path, parameters)) if operator.fields.get("before") else ""
    return entries[:PAGE_SIZE], make_page_links(newest, older)


def make_page_links(newest: str, older: str) -> tuple[Link, ...]:
    """Make links to other pages of a list.

    Args:
        newest: the address of the first page; "" for no link.
        older: the address of the next page; "" for no link.
    """
    links = (Link(label="← Newest", href=newest), Link(label="Older →", href=older))
    return tuple(link for link in links if link.href)


def describe_outcome(operator: OperatorRequest) -> str:
    """Say what a button has done, as the address of the page tells; "" if none was pressed."""
    outcomes = {DONE: "Done.", NOTHING: "Nothing was changed: it was so already."}
    return outcomes.get(operator.fields.get("done", ""), "")


def add_outcome(path: str, *, is_changed: bool) -> str:
    """Return the address of a page that says what a button has done."""
    return join_address(path, {"done": DONE if is_changed else NOTHING})
