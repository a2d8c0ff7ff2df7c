"""Parser for records of arXiv's metadata snapshot, which has all papers since 1991.

The file is ``arxiv-metadata-oai-snapshot.json`` of https://www.kaggle.com/datasets/Cornell-University/arxiv: one JSON
object in each line, with the same fields as the OAI-PMH formats ``arXiv`` and ``arXivRaw`` have together. It has the
dates of all versions, but only the latest texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from digest.core.fetching.formats.records import is_plausible
from digest.core.papers.links import add_paper_links
from digest.core.papers.taxonomy import covers
from digest.model import Author, Paper, PaperKey, PaperSelection
from digest.sources.arxiv.fields import (
    clean_line,
    clean_names,
    clean_web_address,
    find_first_doi,
    parse_categories,
    parse_id_and_version,
    parse_submitted_byline,
)

SOURCE = "arxiv"
"""The source of these papers, whatever the configuration calls it: the name that has priority when papers are merged."""
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), start=1
    )
}


_CREATED = re.compile(r"\w{3}, (\d{1,2}) (\w{3}) (\d{4}) ", re.ASCII)
_VERSION = re.compile(r"v?([1-9]\d{0,2})", re.ASCII)


class MetadataRecord(NamedTuple):
    """A record.

    Attributes:
        paper: the paper, with its latest version.
        first_day: the day on which its first version was submitted; None if it is unknown.
        last_day: the day on which the record last changed; None if it is unknown.
    """

    paper: Paper
    first_day: date | None
    last_day: date | None


def make_record_reader(selection: PaperSelection) -> Callable[[bytes], MetadataRecord | str | None]:
    """Return a function that reads a line.

    It returns the record; None if the record is not selected; or a description of why it cannot be read.
    """

    @lru_cache(maxsize=1 << 12)
    def is_selected(categories: tuple[str, ...]) -> bool:
        return any(covers(selected, category) for selected in selection.categories for category in categories)

    def read_record(line: bytes) -> MetadataRecord | str | None:
        try:
            fields = json.loads(line)
            if not isinstance(fields, dict):
                return "no JSON object"
            categories = parse_categories(_get_text(fields, "categories").replace(" ", "\n"))
            if selection.categories and not is_selected(categories):
                return None
            first_day, last_day = _read_days(fields)
            if selection.since and (first_day or date.max) < selection.since:
                return None
            paper = _read_paper(fields, categories)
        except RecursionError:
            return "JSON with too many levels"
        except ValueError as error:
            return f"{error}"[:200]
        return paper if isinstance(paper, str) else MetadataRecord(paper, first_day, last_day)

    return read_record


def _read_paper(fields: Mapping[str, Any], categories: tuple[str, ...]) -> Paper | str:
    """Return the paper of a record, or a description of why it cannot be read."""
    identifier = _get_text(fields, "id")
    id_match = parse_id_and_version(identifier)
    if not id_match:
        return f"no arXiv id: {clean_line(identifier)[:100]!r}"
    number, title = id_match[0], clean_line(_get_text(fields, "title"))
    if not title:
        return f"{number}: no title"
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=title,
        abstract=clean_line(_get_text(fields, "abstract")),
        authors=_read_authors(fields),
        categories=categories,
        version=_read_version(fields),
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=find_first_doi(clean_line(_get_text(fields, "doi"))),
        journal_ref=clean_line(_get_text(fields, "journal-ref")),
        comment=clean_line(_get_text(fields, "comments")),
        license_url=clean_web_address(clean_line(_get_text(fields, "license"))),
    )
    return add_paper_links(paper)


def _get_text(fields: Mapping[str, Any], name: str) -> str:
    """Return a text; "" if it is missing.

    Raises:
        ValueError: it is no text.
    """
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")  # noqa: TRY004 - as errors of JSON
    return value


def _get_list(fields: Mapping[str, Any], name: str) -> Sequence[Any]:
    """Return a list; an empty one if it is missing.

    Raises:
        ValueError: it is no list.
    """
    value = fields.get(name) or []
    if not isinstance(value, list):
        raise ValueError(f"{name} is no list")  # noqa: TRY004 - as errors of JSON
    return value


# --- authors --------------------------------------------------------------------------------------


def _read_authors(fields: Mapping[str, Any]) -> tuple[Author, ...]:
    """Return the authors, from the same line from which a harvest reads them, or else as arXiv has split it."""
    if byline := _get_text(fields, "authors").strip():
        return parse_submitted_byline(byline)
    parsed_names = _get_list(fields, "authors_parsed")
    try:
        names = clean_names(
            [
                " ".join([part for part in (given_name, family_name, *suffix[:1]) if part])
                for family_name, given_name, *suffix in parsed_names
            ]
        )
        return tuple(
            [
                Author(name, tuple(filter(None, map(clean_line, filter(None, parts[3:])))))
                for name, parts in zip(names, parsed_names, strict=True)
                if any(map(str.isalpha, name))  # a colon after a collaboration is an author of its own
            ]
        )
    except (TypeError, AttributeError) as error:
        raise ValueError("authors_parsed has something other than names") from error


# --- versions and days ----------------------------------------------------------------------------


def _read_version(fields: Mapping[str, Any]) -> int:
    """Return the number of the latest version; 0 if the record has no versions.

    Raises:
        ValueError: its versions have no numbers.
    """
    versions = _get_list(fields, "versions")
    if not versions:
        return 0
    last = versions[-1].get("version") if isinstance(versions[-1], dict) else versions[-1]
    match = _VERSION.fullmatch(last) if isinstance(last, str) else None
    if not match:
        raise ValueError("versions without a number")
    return int(match[1])


def _read_days(fields: Mapping[str, Any]) -> tuple[date | None, date | None]:
    """Return the day of the first version and the day of the last change; each stands for the other if that is missing."""
    versions = _get_list(fields, "versions")
    created = versions[0].get("created") if versions and isinstance(versions[0], dict) else None
    first_day = _parse_created(created) if isinstance(created, str) else None
    last_day = _parse_day(_get_text(fields, "update_date"))
    return first_day or last_day, last_day or first_day


def _parse_created(text: str) -> date | None:
    """Return the UTC day of ``Mon, 2 Apr 2007 19:18:42 GMT``; None if it is invalid."""
    match = _CREATED.match(text)
    return _parse_day(f"{match[3]}-{_MONTHS.get(match[2], 0):02}-{match[1]:>02}") if match else None


def _parse_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if is_plausible(day) else None
