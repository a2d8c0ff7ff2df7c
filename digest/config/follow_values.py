"""Parsing of the strings that say what to follow: phrases, queries, persons, institutions and papers.

An invalid string is a ``ConfigError`` that says what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from digest.config.values import apply_reader, read_by
from digest.core.language import query
from digest.core.language.parser import parse
from digest.core.papers.identity.ids import parse_paper_key
from digest.core.papers.identity.person_ids import EXAMPLES, parse_person_id, parse_ror_id, split_scheme
from digest.errors import ConfigError

_EMPTY_MESSAGE = "this entry is empty; write what to follow, or remove it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowQuery:
    """A follow or exclusion: the text as written, and its canonical query."""

    text: str
    query: str


def read_follow_query(text: str, query_text: str) -> FollowQuery:
    """Make a ``FollowQuery`` from a text and the query for it.

    Raises:
        QueryError: the query is invalid.
    """
    return FollowQuery(text=text, query=_normalize_query(query_text))


@lru_cache(maxsize=16_384)
def _normalize_query(query_text: str) -> str:
    """Return the canonical form of a query; cached, because in a file of many digests most follows occur several times.

    Raises:
        QueryError: the query is invalid.
    """
    return str(parse(query_text))


def read_query_by(to_query: Callable[[str], str]) -> BeforeValidator:
    """Return the validator of a follow, given the function that turns its text into a query."""

    def read_query(text: str) -> FollowQuery:
        if not text.strip():
            raise ConfigError(_EMPTY_MESSAGE)
        return read_follow_query(text, to_query(text))

    return read_by(read_query)


# --- persons and institutions ---------------------------------------------------------------------


def read_author(text: str) -> str:
    """Validate the name of a person."""
    if not text.strip():
        raise ConfigError(_EMPTY_MESSAGE)
    if "://" in text:
        raise ConfigError(
            f"{text!r} is neither a name nor the address of a person at ORCID, OpenAlex, Semantic Scholar, DBLP, arXiv "
            "or Hugging Face"
        )
    _normalize_query(query.format_author(text))
    return text


def read_author_query(text: str) -> FollowQuery:
    """Parse a person: a name, or an id with a recognizable scheme, as ``orcid:…`` or the address of a page."""
    scheme, identifier = split_scheme(text)
    if scheme:
        return read_follow_query(
            text, query.format_author("", ((scheme, read_person_id(scheme, identifier)),))
        )
    return read_follow_query(text, query.format_author(read_author(text)))


def read_person_id(scheme: str, text: str) -> str:
    """Parse an id of a person and return it without its scheme or address."""
    identifier = parse_person_id(scheme, text)
    if identifier is None:
        hint = (
            "; one of its digits is wrong" if scheme == "orcid" and sum(map(str.isdigit, text)) >= 15 else ""
        )
        raise ConfigError(
            f"{text!r} is not a valid {scheme} id{hint}; write it as {EXAMPLES[scheme]}, or as its address"
        )
    return identifier


def read_person_ids_by(scheme: str) -> BeforeValidator:
    """Return the validator of a key that holds one id of a person or a list of them."""

    def read_ids(value: object) -> list[str]:
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not texts:
            raise PydanticCustomError("string_type", "write a string in quotes")
        return [apply_reader(text, partial(read_person_id, scheme)) for text in texts]

    return BeforeValidator(read_ids, json_schema_input_type=str | list[str])


def wrap_author(value: object) -> object:
    """Replace a bare string by a table with a name, or with an id if its scheme is recognizable."""
    if not isinstance(value, str):
        return value
    scheme, identifier = split_scheme(value)
    return {scheme: identifier} if scheme else {"name": value}


def read_institution(text: str) -> str:
    """Validate the name of an institution."""
    if not text.strip():
        raise ConfigError(_EMPTY_MESSAGE)
    _normalize_query(query.format_institution(text))
    return text


def read_ror(text: str) -> str:
    """Parse a ROR id and return it without its scheme or address."""
    identifier = parse_ror_id(text)
    if identifier is None:
        raise ConfigError(f"{text!r} is not a ROR id; write it as 05a28rw58, or https://ror.org/05a28rw58")
    return identifier


def wrap_institution(value: object) -> object:
    """Replace a bare string by a table with a name, or with a ROR id."""
    if not isinstance(value, str):
        return value
    is_id = "ror.org/" in value.lower() or value.lower().startswith("ror:")
    return {"ror": value} if is_id else {"name": value}


# --- papers and libraries -------------------------------------------------------------------------


def read_paper_query_by(to_query: Callable[[str], str]) -> BeforeValidator:
    """Return the validator of a paper to follow, given the function that turns its key into a query."""

    def read_paper_query(text: str) -> FollowQuery:
        key = parse_paper_key(text)
        if key is None:
            raise ConfigError(
                f"{text!r} is not the id of a paper; write 2401.00001, a DOI, or the address of its page with https://"
            )
        return read_follow_query(text, to_query(key))

    return read_by(read_paper_query)
