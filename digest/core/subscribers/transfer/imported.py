"""What a file or a text that a reader imports contains: papers, searches and persons, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from digest.core.language.parser import parse
from digest.core.subscribers.library.queries import build_library_query, make_library_query
from digest.core.subscribers.own_digest import OwnFollow
from digest.errors import QueryError
from digest.model import PaperKey

MAX_TEXT, _MAX_CANONICAL = 500, 5_000
"""Number of characters of a query or title as typed, and of a canonical query."""


class ProblemKind(StrEnum):
    """Why a part of a file cannot be followed."""

    NO_ID = "no id"
    """A paper has neither an ID nor an address."""
    NO_SEARCH = "no search"
    """A feed is none of a category, a search or a person."""
    NO_PERSON = "no person"
    """The ID of a person is not valid."""
    CITATIONS = "citations"
    """An alert is about citations, or about papers like those of a person."""
    SCHOLAR_PAGE = "scholar page"
    """The address of a page at Google Scholar does not say whose it is."""
    NO_QUERY = "no query"
    """A line is too long, or no query; the detail says why."""
    BROKEN = "broken"
    """An entry of a library has a mistake, which the detail describes."""
    NO_RECORD = "no record"
    """An opinion, a saved paper or an answer of an archive is incomplete, or has a value of the wrong type."""


class ImportProblem(NamedTuple):
    """A part that cannot be followed.

    Attributes:
        kind: why.
        text: the part, or where it is.
        detail: what is wrong, in English; "" if the kind says it.
    """

    kind: ProblemKind
    text: str
    detail: str = ""


class ImportMistake(StrEnum):
    """Why nothing of a file can be read."""

    EMPTY = "empty"
    ARCHIVE = "archive"
    """It is the archive of an account, which is imported elsewhere."""
    NO_ARCHIVE = "no archive"
    """It is not the archive of an account."""
    NEWER_ARCHIVE = "newer archive"
    TOO_MUCH = "too much"
    UNREADABLE = "unreadable"
    """The detail says why."""


class ImportContentError(Exception):
    """Nothing of a file can be read.

    Attributes:
        mistake: why.
        detail: what is wrong, in English; "" if the mistake says it.
    """

    def __init__(self, mistake: ImportMistake, detail: str = "") -> None:
        super().__init__(mistake.value, detail)
        self.mistake = mistake
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedContent:
    """The content of a file or a text.

    Attributes:
        format_name: the name of the format; "" for lines of text.
        follows: papers, searches and persons, each once, in their order.
        problems: what cannot be followed.
        unread: number of further lines that were not read, because more would not fit into a digest anyway.
    """

    format_name: str = ""
    follows: tuple[OwnFollow, ...] = ()
    problems: tuple[ImportProblem, ...] = ()
    unread: int = 0


def make_library_follow(key: PaperKey, title: str) -> OwnFollow:
    """Return the follow of a paper in a library."""
    text = "".join(character for character in title if character.isprintable())
    return OwnFollow(text=" ".join(text.split())[:MAX_TEXT] or key, query=build_library_query(key))


def read_follow(text: str, query_text: str) -> OwnFollow | ImportProblem:
    """Return the follow with a text and the query for it, or why there is none."""
    shown = " ".join(text.split())[:MAX_TEXT]
    if not 0 < len(query_text) <= MAX_TEXT or not (shown + query_text).isprintable():
        return ImportProblem(ProblemKind.NO_QUERY, remove_control_characters(shown)[:80])
    try:
        return OwnFollow(text=shown, query=str(parse(query_text)))
    except QueryError as error:
        return ImportProblem(ProblemKind.NO_QUERY, shown, str(error.args[0]))


def read_canonical_follow(follow: OwnFollow) -> OwnFollow | None:
    """Return a follow that an earlier page or an archive contains, if it could have been made here; otherwise None.

    Args:
        follow: with a canonical query.
    """
    is_text = 0 < len(follow.text) <= MAX_TEXT and follow.text.isprintable()
    if not is_text or len(follow.query) > _MAX_CANONICAL or not follow.query.isprintable():
        return None
    if make_library_query(follow.query) is not None:
        return follow
    try:
        return replace(follow, query=str(parse(follow.query)))
    except QueryError:
        return None


def remove_control_characters(text: str) -> str:
    """Replace what cannot be printed by blanks."""
    return "".join(character if character.isprintable() else " " for character in text)
