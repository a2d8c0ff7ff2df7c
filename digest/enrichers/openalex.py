"""OpenAlex: citations, affiliations and IDs of papers; IDs, works and citations of persons.

    [[enricher]]
    use = "openalex"

https://developers.openalex.org: ``/works`` and ``/authors`` with a filter of up to fifty IDs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import make_signals, parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.identity.ids import parse_arxiv_id, parse_doi
from digest.core.papers.identity.person_ids import PersonId, parse_person_id
from digest.core.papers.services.openalex import (
    FIELDS,
    REFERENCES,
    build_paper,
    describe_unread_work,
    extract_signals,
    extract_topic_signals,
    parse_work_id,
)
from digest.errors import OptionError, SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response

MAX_IDS = 50
"""Maximum number of IDs in a filter."""
_SIGNAL_KINDS = {"works_count": "papers", "cited_by_count": "citations"}
_PERSON_SCHEMES = ("openalex", "orcid")
_AUTHOR_FIELDS = ("id", "orcid", "works_count", "cited_by_count", "summary_stats", "topics")


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ServiceOptions, ports.Enricher):
    """OpenAlex.

    Attributes:
        key: the API key of an account; without one, a tenth of the daily requests is available.
        quota: maximum number of requests a day; 0 for the default with or without a key.
    """

    key: str = field(default="", repr=False)
    quota: int = 0
    url: str = "https://api.openalex.org/"
    name: str = "openalex"

    def check_options(self) -> None:
        """Validate the options."""
        if self.quota < 0:
            raise OptionError("quota must be at least 0 requests per day", "quota")
        # A list costs $0.0001 of a daily budget of $1 with a key, or $0.10 without one.
        object.__setattr__(self, "quota", self.quota or (9_000 if self.key else 900))

    @property
    def title(self) -> str:
        """The name for readers."""
        return "OpenAlex"

    @property
    def has_references(self) -> bool:
        """Always true; it returns references by its own IDs."""
        return True

    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return the maximum number of IDs in a filter."""
        return MAX_IDS if kind in SubjectKind else 0

    def is_supported(self, subject: Subject) -> bool:
        """Return True for papers with a DOI, arXiv ID or OpenAlex ID, and persons with an OpenAlex ID or ORCID iD."""
        return _find_lookup(subject) is not None

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Return the request for the first kind of ID, because a filter takes only one kind."""
        return self._build_request(subjects, _list_filters(subjects)[0])

    def read(
        self, request: Request, subjects: Sequence[Subject], response: Response, day: date
    ) -> EnricherPage:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list.
        """
        collection = "works" if subjects[0].kind is SubjectKind.PAPER else "authors"
        answer_name = f"{self.title}'s list of {collection}"
        results = to_table(parse_answer(response, answer_name)).get("results")
        if not isinstance(results, list):
            raise SourceError(f"{answer_name} was expected, but something else arrived.")
        requested_subjects = [
            subject
            for subject in subjects
            if (lookup := _find_lookup(subject)) and lookup[0] == request.section
        ]
        records = list(map(to_table, to_rows(results)))
        findings = (
            self._read_works(requested_subjects, records, day)
            if collection == "works"
            else self._read_authors(requested_subjects, records, day)
        )
        next_filters = _list_filters(subjects)[_list_filters(subjects).index(request.section) + 1 :]
        return replace(
            findings, next=self._build_request(subjects, next_filters[0]) if next_filters else None
        )

    def _build_request(self, subjects: Sequence[Subject], filter_name: str) -> Request:
        values = [
            lookup[1]
            for subject in subjects
            if (lookup := _find_lookup(subject)) and lookup[0] == filter_name
        ]
        is_paper = subjects[0].kind is SubjectKind.PAPER
        query = {
            "filter": f"{filter_name}:{'|'.join(values)}",
            "select": ",".join((*FIELDS, REFERENCES) if is_paper else _AUTHOR_FIELDS),
            "per_page": 100,
        }
        return Request(
            section=filter_name,
            route="enrich",
            url=f"{self.url.rstrip('/')}/{'works' if is_paper else 'authors'}?{urlencode(query)}",
            accept="application/json",
            parameters=(("api_key", self.key),) if self.key else (),
        )

    def _read_works(
        self, subjects: Sequence[Subject], works: list[Mapping[str, Any]], day: date
    ) -> EnricherPage:
        subjects_by_id = {lookup[1]: subject for subject in subjects if (lookup := _find_lookup(subject))}
        parsed_works, unread = read_each(
            works,
            partial(self._read_work, subjects_by_id, day),
            title=self.title,
            describe=describe_unread_work,
        )
        papers_by_key = {paper.key: (paper, signals) for paper, signals in parsed_works}
        return EnricherPage(
            known_keys=frozenset(papers_by_key),
            records=tuple(paper for paper, _ in papers_by_key.values()),
            signals=tuple(signal for _, signals in papers_by_key.values() for signal in signals),
            unread=tuple(unread),
        )

    def _read_work(
        self, subjects_by_id: Mapping[str, Subject], day: date, work: Mapping[str, Any]
    ) -> tuple[Paper, list[Signal]] | None:
        """Return the record and the signals of a requested work; None for other works."""
        subject = next(
            (subjects_by_id[value] for value in _iter_lookup_values(work) if value in subjects_by_id), None
        )
        paper = build_paper(work)
        if subject is None or paper is None:
            return None
        # The record gets the key of the request, because a work of OpenAlex may be two papers.
        record = replace(paper, key=PaperKey(subject.key), categories=())
        return record, list(extract_signals(work, record, self.name, day))

    def _read_authors(
        self, subjects: Sequence[Subject], authors: list[Mapping[str, Any]], day: date
    ) -> EnricherPage:
        subjects_by_id = {lookup[1]: subject for subject in subjects if (lookup := _find_lookup(subject))}
        parsed_authors, unread = read_each(
            authors,
            partial(self._read_author, subjects_by_id, day),
            title=self.title,
            describe=_describe_author,
        )
        persons_by_key = {key: (pairs, signals) for key, pairs, signals in parsed_authors}
        return EnricherPage(
            known_keys=frozenset(persons_by_key),
            signals=tuple(signal for _, signals in persons_by_key.values() for signal in signals),
            same_person_ids=tuple(pair for pairs, _ in persons_by_key.values() for pair in pairs),
            unread=tuple(unread),
        )

    def _read_author(
        self, subjects_by_id: Mapping[str, Subject], day: date, author: Mapping[str, Any]
    ) -> tuple[str, list[tuple[PersonId, PersonId]], list[Signal]] | None:
        """Return the key, the pairs of IDs and the signals of a requested author; None for other authors."""
        openalex_id, orcid = _read_ids(author)
        subject = subjects_by_id.get(openalex_id or "") or subjects_by_id.get(orcid or "")
        if subject is None:
            return None
        id_pairs = [(("openalex", openalex_id), ("orcid", orcid))] if openalex_id and orcid else []
        return subject.key, id_pairs, list(self._make_signals(subject.key, author, day))

    def _make_signals(self, key: str, author: Mapping[str, Any], day: date) -> Iterator[Signal]:
        counts = {kind: author.get(name) for name, kind in _SIGNAL_KINDS.items()}
        counts["h-index"] = to_table(author.get("summary_stats")).get("h_index")
        yield from make_signals(counts, subject=key, source=self.name, day=day)
        yield from extract_topic_signals(
            author.get("topics"), "count", subject=key, source=self.name, day=day
        )


def _find_lookup(subject: Subject) -> tuple[str, str] | None:
    """Return the filter and the value by which a subject is requested; None if it has no suitable ID."""
    ids = dict(reversed(subject.ids))
    if subject.kind is SubjectKind.PERSON:
        scheme = next((scheme for scheme in _PERSON_SCHEMES if scheme in ids), None)
        return ({"openalex": "id", "orcid": "orcid"}[scheme], ids[scheme]) if scheme else None
    if doi_name := ids.get("doi") or (f"10.48550/arxiv.{ids['arxiv']}" if "arxiv" in ids else ""):
        return ("doi", doi_name) if "|" not in doi_name and "," not in doi_name else None
    return ("openalex", ids["openalex"]) if parse_work_id(ids.get("openalex", "")) else None


def _read_ids(author: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return an author's OpenAlex ID and ORCID iD."""
    openalex_id = parse_person_id("openalex", to_line(author.get("id")))
    return openalex_id, parse_person_id("orcid", to_line(author.get("orcid")))


def _describe_author(author: Mapping[str, Any]) -> str:
    """Return a message about an author without an ID; "" for one who was not requested."""
    return "" if any(_read_ids(author)) else "An author of OpenAlex has no id."


def _list_filters(subjects: Sequence[Subject]) -> list[str]:
    return sorted({lookup[0] for subject in subjects if (lookup := _find_lookup(subject))})


def _iter_lookup_values(work: Mapping[str, Any]) -> Iterator[str]:
    """Yield all values by which a work may have been requested."""
    locations = (to_table(location) for location in to_rows(work.get("locations")))
    addresses = [
        to_line(work.get("doi")),
        *(to_line(location.get("landing_page_url")) for location in locations),
    ]
    for address in addresses:
        if preprint := parse_arxiv_id(address):
            yield f"10.48550/arxiv.{preprint[0]}"
        elif doi_name := parse_doi(address):
            yield doi_name
    if openalex_id := parse_work_id(to_line(work.get("id"))):
        yield openalex_id
