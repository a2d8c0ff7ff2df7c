"""arXiv's OAI-PMH records, one by one.

The formats ``arXivRaw`` (all versions with their dates, authors in one line) and ``arXiv`` (authors in parts, no
versions) are described by the schemas that https://oaipmh.arxiv.org/oai?verb=ListMetadataFormats names. The classes
of the ACM and the MSC are not read; the server prints the second under the name of the first, too.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from digest.core.fetching.formats.strict_xml import AGAIN, Entry, Form
from digest.model import Author, Paper, PaperKey
from digest.sources.arxiv.fields import (
    categories,
    first_doi,
    id_and_version,
    line,
    names,
    submitted_byline,
    text,
    web_address,
)

FORM = Form(
    noun="OAI-PMH answer",
    roots=frozenset({"OAI-PMH"}),
    entry="record",
    parts=frozenset(
        {"version", "date", "size", "source_type", "author", "keyname", "forenames", "suffix", "affiliation"}
    ),
    foot=frozenset({"resumptionToken"}),
    attributes=frozenset({"status", "code", "set", "version", "expirationDate"}),
)
_NAME, _PLACE = ("forenames", "keyname", "suffix"), "affiliation"
_NUMBER = re.compile(r"[1-9]\d{0,2}", re.ASCII)
_WITHDRAWN = "I"
"""The sign of a version that has no text any more."""


def identifier(entry: Entry) -> str:
    """The name in its header, ``oai:arXiv.org:2401.00001``; the format oai_dc has others."""
    return entry.fields.get("identifier", "").partition(AGAIN)[0].strip()


def datestamp(entry: Entry) -> date | None:
    """The UTC day on which the record was last changed, None if it cannot be read; other servers add the time."""
    try:
        day = date.fromisoformat(entry.fields.get("datestamp", "").strip()[:10])
    except ValueError:
        return None
    # A harvest goes on from the latest one: a wrong year far ahead would end it for good.
    return day if 1 < day.year < 2100 else None


def paper_of(entry: Entry) -> Paper | str:
    """The paper of a record, or what keeps it from being read."""
    fields = entry.fields
    found = id_and_version(fields.get("id") or identifier(entry))
    if not found:
        return f"a record without an arXiv id ({identifier(entry)[:100] or 'and without a name'})"
    number, gone = found[0], fields.get("header@status") == "deleted"
    title = line(fields.get("title", ""))
    if not title:
        return f"{number}, which was deleted" if gone else f"{number}, a record without a title"
    if not datestamp(entry):
        return f"{number}, a record without a datestamp"
    version = latest_version(entry)
    return Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=text(fields.get("abstract", "")),
        authors=submitted_byline(together)
        if (together := fields.get("authors", "").strip())
        else _authors(entry),
        categories=categories(fields.get("categories", "").replace(" ", "\n")),
        version=version.number if version else 0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=first_doi(fields.get("doi", "")),
        journal_ref=line(fields.get("journal-ref", "")),
        comment=line(fields.get("comments", "")),
        license_url=web_address(fields.get("license", "")),
        withdrawn=gone or (version is not None and _WITHDRAWN in version.types),
    )


class Version(NamedTuple):
    """The latest version of a record: its number, when it came in, and signs for what it is made of."""

    number: int
    date: str
    types: str


def latest_version(entry: Entry) -> Version | None:
    """The version printed last; None in a format that tells none."""
    number, dated, types = "", "", ""
    for part, written in entry.parts:
        if part == "version@version":
            number, dated, types = written, "", ""
        elif part == "date":
            dated = written
        elif part == "source_type":
            types = written
    number = number.strip().removeprefix("v")
    return Version(int(number), dated.strip(), types) if _NUMBER.fullmatch(number) else None


def _authors(entry: Entry) -> tuple[Author, ...]:
    """The authors whose names come in parts; a colon behind a collaboration comes as a name of its own."""
    people: list[dict[str, str]] = []
    for part, written in entry.parts:
        if part == "keyname":
            people.append({})
        if people:
            people[-1][part] = f"{people[-1].get(part, '')}{AGAIN}{written}" if part == _PLACE else written
    told = names([" ".join([one[key] for key in _NAME if key in one]) for one in people])
    places = [tuple(filter(None, map(line, one.get(_PLACE, "").split(AGAIN)))) for one in people]
    return tuple(
        [Author(name, where) for name, where in zip(told, places, strict=True) if any(map(str.isalpha, name))]
    )
