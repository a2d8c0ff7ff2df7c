"""What texts of the file mean that say what to follow: phrases, queries, persons, institutions, papers.

What cannot be read is a ``ConfigError`` that says what would be right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from digest.config.values import checked, read_by
from digest.core.language import query
from digest.core.language.parser import parse
from digest.core.papers.identity.ids import paper_key
from digest.core.papers.identity.person_ids import EXAMPLES, named_scheme, person_id, ror_id
from digest.errors import ConfigError

_NOTHING = "there is nothing in it; write what to follow, or take it away"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody follows: as written, and as canonical query."""

    text: str
    query: str


def read_wish(text: str, query_text: str) -> Wish:
    """A wish, given the query text for it.

    Raises:
        QueryError: that cannot be read.
    """
    return Wish(text=text, query=_canonical(query_text))


@lru_cache(maxsize=16_384)
def _canonical(query_text: str) -> str:
    """The canonical form of a query: in a file of many digests most wishes are those of several readers.

    Raises:
        QueryError: it cannot be read.
    """
    return str(parse(query_text))


def wished_by(to_query: Callable[[str], str]) -> BeforeValidator:
    """The check of something to follow, given how its text becomes a query."""

    def read(text: str) -> Wish:
        if not text.strip():
            raise ConfigError(_NOTHING)
        return read_wish(text, to_query(text))

    return read_by(read)


# --- persons and institutions ---------------------------------------------------------------------


def read_author(text: str) -> str:
    """A person's name."""
    if not text.strip():
        raise ConfigError(_NOTHING)
    if "://" in text:
        raise ConfigError(
            f"{text!r} is no name, and no address of a person at ORCID, OpenAlex, Semantic Scholar, DBLP, arXiv "
            "or Hugging Face"
        )
    _canonical(query.author(text))
    return text


def author_wish(text: str) -> Wish:
    """A person, by name or by an id that says whose it is: ``orcid:…``, or an address."""
    scheme, value = named_scheme(text)
    if scheme:
        return read_wish(text, query.author("", ((scheme, read_person_id(scheme, value)),)))
    return read_wish(text, query.author(read_author(text)))


def read_person_id(scheme: str, text: str) -> str:
    """An id of a person, bare."""
    found = person_id(scheme, text)
    if found is None:
        wrong = "; a digit of it is wrong" if scheme == "orcid" and sum(map(str.isdigit, text)) >= 15 else ""
        raise ConfigError(
            f"{text!r} is no {scheme} id{wrong}; write it as {EXAMPLES[scheme]}, or its address"
        )
    return found


def person_ids(scheme: str) -> BeforeValidator:
    """The check of a key that holds one id of a person, or several."""

    def read(value: object) -> list[str]:
        several = [value] if isinstance(value, str) else value
        if not isinstance(several, list) or not several:
            raise PydanticCustomError("string_type", "a text is wanted")
        return [checked(one, partial(read_person_id, scheme)) for one in several]

    return BeforeValidator(read, json_schema_input_type=str | list[str])


def as_author(value: object) -> object:
    """The table that a bare text stands for: a name's, or that of an id that says whose it is."""
    if not isinstance(value, str):
        return value
    scheme, of_scheme = named_scheme(value)
    return {scheme: of_scheme} if scheme else {"name": value}


def read_institution(text: str) -> str:
    """The name of an institution."""
    if not text.strip():
        raise ConfigError(_NOTHING)
    _canonical(query.institution(text))
    return text


def read_ror(text: str) -> str:
    """An id of an institution, bare."""
    found = ror_id(text)
    if found is None:
        raise ConfigError(f"{text!r} is no ROR id; write it as 05a28rw58, or https://ror.org/05a28rw58")
    return found


def as_institution(value: object) -> object:
    """The table that a bare text stands for: a name's, or that of a ROR id."""
    if not isinstance(value, str):
        return value
    is_id = "ror.org/" in value.lower() or value.lower().startswith("ror:")
    return {"ror": value} if is_id else {"name": value}


# --- papers and libraries -------------------------------------------------------------------------


def wished_of_paper(to_query: Callable[[str], str]) -> BeforeValidator:
    """The check of a paper to follow, given how its key becomes a query."""

    def read(text: str) -> Wish:
        key = paper_key(text)
        if key is None:
            raise ConfigError(
                f"{text!r} is no paper's id; write 2401.00001, a DOI, or the address of its page with https://"
            )
        return read_wish(text, to_query(key))

    return read_by(read)
