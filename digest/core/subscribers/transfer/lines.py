"""Lines of text: IDs of papers, persons and their pages, addresses, subjects of alerts, names, and queries."""

from __future__ import annotations

import re

from digest.core.language.query import format_author
from digest.core.names.fitting import make_block_key
from digest.core.names.parts import find_spellings, has_first_name
from digest.core.papers.identity.person_ids import parse_person_id, split_scheme
from digest.core.people.name_counts import load_corpus_counts
from digest.core.subscribers.library.entries import LibraryRecord, make_entry
from digest.core.subscribers.library.listed import read_id
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.addresses import read_search_address
from digest.core.subscribers.transfer.imported import (
    MAX_TEXT,
    ImportProblem,
    ProblemKind,
    make_library_follow,
    read_follow,
    remove_control_characters,
)
from digest.core.subscribers.transfer.scholar import read_alert_line

_MAX_LINE = 2_500
_BULLET = re.compile(r"^(?:[-*•·]|\d{1,3}[.)])\s+")
_INITIALS = re.compile(r"[^\W\d_a-z](?:\.?-?[^\W\d_a-z]){0,2}\.?")
_NAME_WORD = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:['’.-][^\W\d_]+)*\.?")
_PARTICLES = frozenset(
    [
        "van",
        "von",
        "der",
        "den",
        "de",
        "da",
        "di",
        "del",
        "della",
        "dos",
        "la",
        "le",
        "ten",
        "ter",
        "bin",
        "ibn",
        "al",
        "el",
        "zu",
        "zur",
    ]
)
_MAX_NAME_WORDS = 6
_ORCID_FORM = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dXx]", re.ASCII)


def read_line(line: str) -> OwnFollow | ImportProblem | tuple[OwnFollow | ImportProblem, ...]:
    """Return what a line stands for.

    Args:
        line: neither empty nor a comment.
    """
    text = _BULLET.sub("", " ".join(line[:_MAX_LINE].split()), count=1)
    if alert := read_alert_line(text):
        return alert
    if person := _read_person(text):
        return person
    if searched := read_search_address(text):
        return searched
    if fields := read_id(text):
        entry = make_entry(LibraryRecord(place="", fields=fields))
        if entry.key is not None:
            return make_library_follow(entry.key, entry.title)
    if len(line) > MAX_TEXT:
        return ImportProblem(ProblemKind.NO_QUERY, remove_control_characters(text)[:80])
    return read_follow(text, format_author(text) if is_name(text) else text)


def _read_person(text: str) -> OwnFollow | ImportProblem | None:
    scheme, identifier = split_scheme(text)
    if not scheme:
        scheme, identifier = "orcid", text
    value = parse_person_id(scheme, identifier)
    if value is not None:
        return read_follow(text, format_author("", ((scheme, value),)))
    is_orcid = scheme == "orcid" and (
        identifier != text or "orcid.org/" in text or _ORCID_FORM.fullmatch(text)
    )
    return ImportProblem(ProblemKind.NO_PERSON, text[:200]) if is_orcid else None


def is_name(text: str) -> bool:
    """Whether a line is the name of a person: it looks like one, and has a given or family name that papers have."""
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= _MAX_NAME_WORDS:
        return False
    plain_words = [word for word in words if word not in _PARTICLES]
    if len(plain_words) < 2 or not all(map(_is_name_word, plain_words)):
        return False
    if len(plain_words) < len(words) or "," in text or any(map(_is_initial, plain_words)):
        return True
    has_family_name = load_corpus_counts().count_in_family(make_block_key(text)) > 0
    return has_family_name or any(has_first_name(find_spellings(word)) for word in plain_words)


def _is_name_word(word: str) -> bool:
    return bool(_NAME_WORD.fullmatch(word) or _INITIALS.fullmatch(word))


def _is_initial(word: str) -> bool:
    return bool(_INITIALS.fullmatch(word)) and (len(word) == 1 or "." in word)
