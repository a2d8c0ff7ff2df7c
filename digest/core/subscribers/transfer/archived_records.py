"""What a reader saved and said, in the archive of an account: saved papers, opinions, and answers about authors.

The same records give the same text. A later version adds fields, and never changes the meaning of one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_digest import MAX_FOLLOWS, MAX_LIBRARY_PAPERS
from digest.core.subscribers.transfer.archive import VERSION, format_archive_instant
from digest.core.subscribers.transfer.imported import (
    MAX_TEXT,
    ImportContentError,
    ImportMistake,
    ImportProblem,
    ProblemKind,
    remove_control_characters,
)
from digest.core.subscribers.transfer.json_values import (
    get_bool,
    get_instant,
    get_list,
    get_mapping,
    get_number,
    get_text,
    load_json,
)
from digest.model import PaperKey

SAVED_FILE, OPINIONS_FILE = "saved.json", "opinions.json"
MAX_OPINIONS, MAX_ANSWERS = 20_000, 500
"""Number of opinions, with saved papers, and of answers about authors to which an import can bring an account."""
_MAX_NAME, _MAX_POSITION = 200, 100_000
_MAX_FOLLOWS = MAX_FOLLOWS + MAX_LIBRARY_PAPERS


class ArchivedOpinion(NamedTuple):
    """An opinion about a paper, or a saved paper.

    Attributes:
        digest: the name of the digest that brought the paper.
        paper: the key of the paper.
        title: the title of the paper.
        opinion: the opinion.
        at: when it was given, UTC.
        follows: the queries of the follows that brought the paper, of which a rating changes the weights.
    """

    digest: str
    paper: PaperKey
    title: str
    opinion: Opinion
    at: datetime
    follows: tuple[str, ...] = ()


class ArchivedAnswer(NamedTuple):
    """An answer whether an author of a paper is the person whom a digest follows.

    Attributes:
        digest: the name of the digest.
        paper: the key of the paper.
        title: the title of the paper.
        position: the place of the author in the list of authors, from 0.
        name: the printed name.
        is_person: the answer.
        at: when it was given, UTC.
    """

    digest: str
    paper: PaperKey
    title: str
    position: int
    name: str
    is_person: bool
    at: datetime


ArchivedRecord: TypeAlias = ArchivedOpinion | ArchivedAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRecords:
    """The records of an archive, and what of them could not be read."""

    opinions: tuple[ArchivedOpinion, ...] = ()
    answers: tuple[ArchivedAnswer, ...] = ()
    problems: tuple[ImportProblem, ...] = ()

    @property
    def all(self) -> tuple[ArchivedRecord, ...]:
        """The opinions, then the answers."""
        return (*self.opinions, *self.answers)


class RecordOutcome(StrEnum):
    """What the import of a record does."""

    ADDED = "added"
    PRESENT = "present"
    """The reader has already said something about it, which stays as it is."""
    NO_DIGEST = "no digest"
    """It belongs to a digest that the reader does not have, and that the import does not add."""
    UNKNOWN_PAPER = "unknown paper"
    """The database does not have the paper. It takes papers from sources only, because all readers see them."""
    UNKNOWN_AUTHOR = "unknown author"
    """The paper has no author with this name."""
    NO_ROOM = "no room"


RecordPlan: TypeAlias = Mapping[RecordOutcome, ArchivedRecords]
"""What an import would do with which records."""


# --- writing --------------------------------------------------------------------------------------


def write_records(
    opinions: Iterable[ArchivedOpinion], answers: Iterable[ArchivedAnswer], *, indent: int | None = 1
) -> str:
    """Return the document with opinions and answers."""
    document = {
        "version": VERSION,
        "opinions": [
            _write_subject(entry) | {"opinion": entry.opinion.value, "follows": list(entry.follows)}
            for entry in opinions
        ],
        "authors": [
            _write_subject(entry)
            | {"position": entry.position, "name": entry.name, "is_followed_person": entry.is_person}
            for entry in answers
        ],
    }
    return json.dumps(document, indent=indent)


def _write_subject(record: ArchivedRecord) -> dict[str, Any]:
    return {
        "digest": record.digest,
        "at": format_archive_instant(record.at),
        "paper": record.paper,
        "title": record.title,
    }


# --- reading --------------------------------------------------------------------------------------


def read_records(texts: Iterable[str]) -> ArchivedRecords:
    """Return the records in documents, of opinions or of saved papers.

    Args:
        texts: the documents; "" for one that an archive does not have.

    Raises:
        ImportContentError: one is no such document, or of a later version, or there are too many records.
    """
    opinions: list[ArchivedOpinion] = []
    answers: list[ArchivedAnswer] = []
    problems: list[ImportProblem] = []
    for document in (_load_document(text) for text in texts if text):
        saved = (_lift_paper(get_mapping(row)) for row in get_list(document.get("papers")))
        rows = [*saved, *map(get_mapping, get_list(document.get("opinions")))]
        authors = [get_mapping(row) for row in get_list(document.get("authors"))]
        if len(opinions) + len(rows) > MAX_OPINIONS or len(answers) + len(authors) > MAX_ANSWERS:
            raise ImportContentError(ImportMistake.TOO_MUCH)
        for row in rows:
            opinion = _read_opinion(row)
            opinions += [opinion] if opinion else []
            problems += [] if opinion else [_make_problem(row)]
        for row in authors:
            answer = _read_answer(row)
            answers += [answer] if answer else []
            problems += [] if answer else [_make_problem(row)]
    return ArchivedRecords(opinions=tuple(opinions), answers=tuple(answers), problems=tuple(problems))


def _load_document(text: str) -> Mapping[str, Any]:
    document = get_mapping(load_json(text))
    if not isinstance(document.get("version"), int):
        raise ImportContentError(ImportMistake.NO_ARCHIVE)
    if document["version"] > VERSION:
        raise ImportContentError(ImportMistake.NEWER_ARCHIVE)
    return document


def _lift_paper(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a saved paper, which the archive has with all that is known about it, as an opinion."""
    paper = get_mapping(row.get("paper"))
    return {
        "digest": row.get("digest"),
        "at": row.get("at"),
        "paper": paper.get("key"),
        "title": paper.get("title"),
        "opinion": Opinion.SAVED.value,
    }


class _Subject(NamedTuple):
    digest: str
    paper: PaperKey
    title: str
    at: datetime


def _read_subject(row: Mapping[str, Any]) -> _Subject | None:
    digest, key = get_text(row.get("digest")), get_text(row.get("paper"))
    at = get_instant(row.get("at"))
    if at is None or not _is_name(digest, _MAX_NAME) or not _is_name(key, MAX_TEXT):
        return None
    title = " ".join(remove_control_characters(get_text(row.get("title"))[:MAX_TEXT]).split())
    return _Subject(digest, PaperKey(key), title or key, at)


def _is_name(text: str, max_length: int) -> bool:
    return 0 < len(text) <= max_length and text.isprintable()


def _read_opinion(row: Mapping[str, Any]) -> ArchivedOpinion | None:
    subject = _read_subject(row)
    opinion = next((member for member in Opinion if member.value == row.get("opinion")), None)
    if subject is None or opinion is None:
        return None
    follows = [get_text(text) for text in get_list(row.get("follows"))[:_MAX_FOLLOWS]]
    return ArchivedOpinion(
        digest=subject.digest,
        paper=subject.paper,
        title=subject.title,
        opinion=opinion,
        at=subject.at,
        follows=tuple(text for text in follows if text and text.isprintable()),
    )


def _read_answer(row: Mapping[str, Any]) -> ArchivedAnswer | None:
    subject, name = _read_subject(row), get_text(row.get("name"))
    if subject is None or not _is_name(name, MAX_TEXT) or not isinstance(row.get("is_followed_person"), bool):
        return None
    return ArchivedAnswer(
        digest=subject.digest,
        paper=subject.paper,
        title=subject.title,
        position=get_number(row.get("position"), 0, _MAX_POSITION, 0),
        name=name,
        is_person=get_bool(row.get("is_followed_person"), default=False),
        at=subject.at,
    )


def _make_problem(row: Mapping[str, Any]) -> ImportProblem:
    label = get_text(row.get("title")) or get_text(row.get("paper"))
    return ImportProblem(ProblemKind.NO_RECORD, remove_control_characters(label)[:200])
