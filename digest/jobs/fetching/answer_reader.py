"""Reading an answer: its page is parsed, secrets in it are masked, and its papers get their links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from digest.core.papers.links import add_paper_links
from digest.errors import SourceError
from digest.jobs.http.fetch import ClosedError
from digest.jobs.http.fetch_results import (
    Fetched,
    FetchFailure,
    FetchResult,
    NotModified,
    PermanentlyGone,
    Validators,
)
from digest.jobs.http.received_pages import redact_page
from digest.ports import AnnouncedDay, Page, Request, Response, Source

ParsePage = Callable[[Source, Request, Response], Page]
"""Parses a response of a source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A page that was read.

    Attributes:
        page: what the source says in it.
        validators: the validators for the next request.
        fresh_for: how long the answer stays fresh; None if the host does not say.
    """

    page: Page
    validators: Validators
    fresh_for: timedelta | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageUnreadable:
    """A page that cannot be read.

    Attributes:
        message: a message that follows the name of the source.
    """

    message: str


Answer = PageRead | PageUnreadable | NotModified | PermanentlyGone | FetchFailure
"""An answer to a request for a page, as it is stored."""


def read_answer(source: Source, request: Request, result: FetchResult, parse_page: ParsePage) -> Answer:
    """Read the page of a fetched answer; other results stay as they are.

    Args:
        source: the source that answered.
        request: the request.
        result: the result of the request.
        parse_page: parses a response of a source.
    """
    if not isinstance(result, Fetched):
        return result
    try:
        page = parse_page(source, request, result.response)
    except (ClosedError, MemoryError):
        raise
    except SourceError as error:
        return PageUnreadable(message=str(error))
    except Exception as error:  # noqa: BLE001 - a bug in one source must not delay mail
        return PageUnreadable(
            message=f"the source plug-in failed to read the answer, which is a bug in it: {error!r}"
        )
    if page.is_unreadable:
        return PageUnreadable(message=f"nothing in its answer can be read: {page.unread[0]}")
    page = _add_links(redact_page(page, source, result.response))
    return PageRead(page=page, validators=result.validators, fresh_for=result.fresh_for)


def _add_links(page: Page) -> Page:
    """Add links to code and project pages to the papers of a page."""
    return replace(
        page,
        announced=tuple(map(_add_day_links, page.announced)),
        records=tuple(map(add_paper_links, page.records)),
    )


def _add_day_links(announced_day: AnnouncedDay) -> AnnouncedDay:
    listings = [replace(listing, paper=add_paper_links(listing.paper)) for listing in announced_day.listings]
    return replace(announced_day, listings=tuple(listings))
