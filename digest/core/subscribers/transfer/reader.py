"""Reads what readers import into a digest, whatever its format, which its content tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

from digest.core.subscribers.library import LibraryEntry, decode_text, has_format, read_library
from digest.core.subscribers.own_digest import OwnFollow, is_library_paper
from digest.core.subscribers.transfer.imported import (
    ImportContentError,
    ImportedContent,
    ImportMistake,
    ImportProblem,
    ProblemKind,
    make_library_follow,
)
from digest.core.subscribers.transfer.json_values import require_few_values
from digest.core.subscribers.transfer.lines import read_line
from digest.core.subscribers.transfer.opml import read_opml
from digest.core.subscribers.transfer.scholar import read_alert_mail, read_alert_text
from digest.errors import ConfigError

MAX_IMPORT_BYTES = 16 * 1024 * 1024
"""Maximum size of what is imported on the site, in bytes; 5,000 papers with abstracts take 8 MB."""
_MAX_LINES, _MAX_PARSED_LINES = 50_000, 1_000
"""Number of lines that are looked at, and of those among them that are no papers; a digest has 500 follows."""
_MAIL_HEAD = re.compile(r"(?:From |(?:[A-Za-z][A-Za-z-]{1,40}:[ \t]?[^\n]*\n(?:[ \t][^\n]*\n)*){3})")
_MAIL_FIELD = re.compile(r"^(?:Subject|Received|MIME-Version|Message-ID):", re.MULTILINE | re.IGNORECASE)
_SCHOLAR = "Google Scholar"


def read_import(content: bytes) -> ImportedContent:
    """Read a file or a text: a library, a list of feeds, an alert, or lines.

    Args:
        content: all of it, at most ``MAX_IMPORT_BYTES``.

    Raises:
        ImportContentError: nothing of it can be read.
    """
    if content.startswith(b"PK\x03\x04"):
        raise ImportContentError(ImportMistake.ARCHIVE)
    try:
        text = decode_text(content)
    except ConfigError as error:
        raise ImportContentError(ImportMistake.UNREADABLE, str(error)) from None
    start = text.lstrip()
    if not start:
        raise ImportContentError(ImportMistake.EMPTY)
    if start[0] == "<":
        return _read_markup(content, text)
    if _is_mail(start):
        return _make_content(_SCHOLAR, _require_any(read_alert_mail(content.lstrip())))
    if alerts := read_alert_text(text) if _SCHOLAR in text else ():
        return _make_content(_SCHOLAR, alerts)
    if has_format(text):
        return _read_library(content, text)
    return _read_lines(text)


def _is_mail(text: str) -> bool:
    return bool(_MAIL_HEAD.match(text) and _MAIL_FIELD.search(text[:20_000]))


def _read_markup(content: bytes, text: str) -> ImportedContent:
    if alerts := read_alert_text(text) if _SCHOLAR in text else ():
        return _make_content(_SCHOLAR, alerts)
    return _make_content("OPML", read_opml(content.lstrip()))


def _require_any(alerts: tuple[OwnFollow | ImportProblem, ...]) -> tuple[OwnFollow | ImportProblem, ...]:
    if not alerts:
        raise ImportContentError(ImportMistake.UNREADABLE, "it is a mail, but no alert of Google Scholar")
    return alerts


def _make_content(
    format_name: str, entries: Iterable[OwnFollow | ImportProblem], unread: int = 0
) -> ImportedContent:
    follows: dict[str, OwnFollow] = {}
    problems: list[ImportProblem] = []
    for entry in entries:
        if isinstance(entry, ImportProblem):
            problems.append(entry)
        else:
            follows.setdefault(entry.query, entry)
    return ImportedContent(
        format_name=format_name, follows=tuple(follows.values()), problems=tuple(problems), unread=unread
    )


def _read_library(content: bytes, text: str) -> ImportedContent:
    if text.lstrip()[0] in "[{":
        require_few_values(text)
    try:
        library = read_library(content)
    except ConfigError as error:
        raise ImportContentError(ImportMistake.UNREADABLE, str(error)) from None
    entries: list[OwnFollow | ImportProblem] = [
        make_library_follow(key, entry.title) for key, entry in library.papers
    ]
    entries += [ImportProblem(ProblemKind.NO_ID, _get_label(entry)) for entry in library.without_id]
    entries += [ImportProblem(ProblemKind.BROKEN, "", sentence) for sentence in library.broken]
    return _make_content(library.format_name, entries)


def _get_label(entry: LibraryEntry) -> str:
    return entry.title or entry.place


def _read_lines(text: str) -> ImportedContent:
    if text.count("\n") > _MAX_LINES:
        raise ImportContentError(ImportMistake.TOO_MUCH)
    lines = [line.strip() for line in text.split("\n")]
    entries: list[OwnFollow | ImportProblem] = []
    parsed = unread = 0
    for line in lines:
        if not line or line[0] in "#%":
            continue
        if parsed >= _MAX_PARSED_LINES:
            unread += 1
            continue
        read = read_line(line)
        found = read if isinstance(read, tuple) and not isinstance(read, ImportProblem) else (read,)
        parsed += sum(isinstance(entry, ImportProblem) or not is_library_paper(entry) for entry in found)
        entries += found
    return _make_content("", entries, unread)
