"""Parser for single OAI-PMH records of arXiv.

The formats ``arXivRaw`` (all versions with their dates, authors in one line) and ``arXiv`` (authors in parts,
no versions) are described by the schemas that https://oaipmh.arxiv.org/oai?verb=ListMetadataFormats names.
The ACM and MSC classes are not read; the server also writes the latter in the field of the former.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from digest.core.fetching.formats.strict_xml import TEXT_SEPARATOR, EntryFormat, XmlEntry
from digest.model import Author, Paper, PaperKey
from digest.sources.arxiv.fields import (
    clean_line,
    clean_names,
    clean_text,
    clean_web_address,
    find_first_doi,
    parse_categories,
    parse_id_and_version,
    parse_submitted_byline,
)

FORM = EntryFormat(
    noun="OAI-PMH answer",
    roots=frozenset({"OAI-PMH"}),
    entry="record",
    parts=frozenset(
        {"version", "date", "size", "source_type", "author", "keyname", "forenames", "suffix", "affiliation"}
    ),
    footer=frozenset({"resumptionToken"}),
    attributes=frozenset({"status", "code", "set", "version", "expirationDate"}),
)
_NAME_PARTS, _AFFILIATION = ("forenames", "keyname", "suffix"), "affiliation"
_NUMBER = re.compile(r"[1-9]\d{0,2}", re.ASCII)
_WITHDRAWN = "I"
"""The type of a version without a text."""


def get_identifier(entry: XmlEntry) -> str:
    """Return the identifier in the header, ``oai:arXiv.org:2401.00001``; the format oai_dc has further ones."""
    return entry.fields.get("identifier", "").partition(TEXT_SEPARATOR)[0].strip()


def parse_datestamp(entry: XmlEntry) -> date | None:
    """Return the UTC day of the record's last change, None if it is invalid; other servers add the time."""
    try:
        day = date.fromisoformat(entry.fields.get("datestamp", "").strip()[:10])
    except ValueError:
        return None
    # A harvest resumes from the latest datestamp, so a wrong one in the far future would end it permanently.
    return day if 1 < day.year < 2100 else None


def read_paper(entry: XmlEntry) -> Paper | str:
    """Return the paper of a record, or a description of why it cannot be read."""
    fields = entry.fields
    id_match = parse_id_and_version(fields.get("id") or get_identifier(entry))
    if not id_match:
        return f"a record without an arXiv id ({get_identifier(entry)[:100] or 'and without a name'})"
    number, is_deleted = id_match[0], fields.get("header@status") == "deleted"
    title = clean_line(fields.get("title", ""))
    if not title:
        return f"{number}, which was deleted" if is_deleted else f"{number}, a record without a title"
    if not parse_datestamp(entry):
        return f"{number}, a record without a datestamp"
    version = read_latest_version(entry)
    return Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=clean_text(fields.get("abstract", "")),
        authors=parse_submitted_byline(byline)
        if (byline := fields.get("authors", "").strip())
        else _read_authors(entry),
        categories=parse_categories(fields.get("categories", "").replace(" ", "\n")),
        version=version.number if version else 0,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=find_first_doi(fields.get("doi", "")),
        journal_ref=clean_line(fields.get("journal-ref", "")),
        comment=clean_line(fields.get("comments", "")),
        license_url=clean_web_address(fields.get("license", "")),
        withdrawn=is_deleted or (version is not None and _WITHDRAWN in version.types),
    )


class Version(NamedTuple):
    """The latest version of a record: its number, its submission date, and the codes of its file types."""

    number: int
    date: str
    types: str


def read_latest_version(entry: XmlEntry) -> Version | None:
    """Return the last version in a record; None for a format without versions."""
    number, date_text, types = "", "", ""
    for part, text in entry.parts:
        if part == "version@version":
            number, date_text, types = text, "", ""
        elif part == "date":
            date_text = text
        elif part == "source_type":
            types = text
    number = number.strip().removeprefix("v")
    return Version(int(number), date_text.strip(), types) if _NUMBER.fullmatch(number) else None


def _read_authors(entry: XmlEntry) -> tuple[Author, ...]:
    """Return the authors whose names are in parts; a colon after a collaboration is a part of its own."""
    authors: list[dict[str, str]] = []
    for part, text in entry.parts:
        if part == "keyname":
            authors.append({})
        if authors:
            authors[-1][part] = (
                f"{authors[-1].get(part, '')}{TEXT_SEPARATOR}{text}" if part == _AFFILIATION else text
            )
    author_names = clean_names(
        [" ".join([author[key] for key in _NAME_PARTS if key in author]) for author in authors]
    )
    affiliations = [
        tuple(filter(None, map(clean_line, author.get(_AFFILIATION, "").split(TEXT_SEPARATOR))))
        for author in authors
    ]
    return tuple(
        [
            Author(name, author_affiliations)
            for name, author_affiliations in zip(author_names, affiliations, strict=True)
            if any(map(str.isalpha, name))
        ]
    )
