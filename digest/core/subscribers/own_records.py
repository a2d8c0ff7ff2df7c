"""What a reader has got from a digest and said to it, as the pages of the account list it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from digest.core.subscribers.opinions import Opinion
from digest.model import Paper

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEdition:
    """An edition of a digest.

    Attributes:
        id: its number.
        composed_at: when it was composed, UTC.
        papers: the number of its papers, with those that stand in one line each.
        is_alert: whether it was sent at once, outside the schedule.
    """

    id: int
    composed_at: datetime
    papers: int
    is_alert: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenOpinion:
    """A reader's wish for more or fewer papers like one.

    Attributes:
        paper: the paper.
        opinion: ``MORE`` or ``LESS``.
        at: when it was given, UTC.
    """

    paper: Paper
    opinion: Opinion
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """A reader's answer about an author: this is, or is not, the person whom the digest follows.

    Attributes:
        paper: the paper.
        position: the place of the author in the list of authors, from 0.
        name: the printed name.
        yes: the answer.
        at: when it was given, UTC.
    """

    paper: Paper
    position: int
    name: str
    yes: bool
    at: datetime


class ZoteroFailure(StrEnum):
    """Why saved papers did not get into a reader's Zotero library."""

    WRONG_KEY = "wrong key"
    NO_ACCESS = "no access"
    """The key is valid, and must not write to the library of this user."""
    NO_USER = "no user"
    UNREACHABLE = "unreachable"
    BUSY = "busy"
    """Too many sends at the same time, here or there."""
    REFUSED = "refused"
    """Zotero did not accept some papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage(Generic[T_co]):
    """A page of a list.

    Attributes:
        entries: its entries.
        number: its number, from 1.
        pages: the number of pages; 1 if the list is empty.
    """

    entries: tuple[T_co, ...]
    number: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRange:
    """The entries of a list that a page shows.

    Attributes:
        number: the number of the page, from 1.
        pages: the number of pages.
        start: the index of its first entry.
        end: the index after its last entry.
    """

    number: int
    pages: int
    start: int
    end: int


def choose_range(number: int, total: int, size: int) -> PageRange:
    """Return the entries of a page; of a page after the last one, which lists that got shorter have, those of the last one.

    Args:
        number: the number of the page, from 1.
        total: the number of entries.
        size: the number of entries of a page.
    """
    pages = max(1, -(-total // size))
    chosen = min(number, pages)
    return PageRange(number=chosen, pages=pages, start=(chosen - 1) * size, end=min(chosen * size, total))
