"""Crossref: where papers were published, licences, retractions, and numbers of citations.

    [[enricher]]
    use = "crossref"

https://www.crossref.org/documentation/retrieve-metadata/rest-api/: ``/works`` with a filter of several DOIs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.formats.json_fields import make_signals, parse_answer, to_line, to_rows, to_table
from digest.core.fetching.formats.records import read_each
from digest.core.fetching.options import EnricherOptions
from digest.core.papers.identity.ids import parse_doi
from digest.core.papers.services.crossref import FIELDS, build_paper, describe_unread_work
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Signal, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response

MAX_DOIS = 40
"""Maximum number of papers in a request, whose address contains their DOIs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(EnricherOptions, ports.Enricher):
    """Crossref.

    Attributes:
        mailto: your mail address; clients that give one are served from a separate pool with higher limits.
    """

    mailto: str = ""
    quota: int = 1000
    url: str = "https://api.crossref.org/"
    name: str = "crossref"

    @property
    def title(self) -> str:
        """The name for readers."""
        return "Crossref"

    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return the batch size for papers, and 0 for persons."""
        return MAX_DOIS if kind is SubjectKind.PAPER else 0

    def is_supported(self, subject: Subject) -> bool:
        """Return True for papers with a DOI that is not arXiv's."""
        return subject.kind is SubjectKind.PAPER and bool(_list_dois(subject))

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Return a request for all DOIs of the papers; preprint and publication can have one each."""
        doi_names = [doi_name for subject in subjects for doi_name in _list_dois(subject)]
        query = {
            "filter": ",".join(f"doi:{doi_name}" for doi_name in doi_names),
            "select": ",".join(FIELDS),
            "rows": len(doi_names),
        }
        return Request(
            section="works",
            route="enrich",
            url=f"{self.url.rstrip('/')}/works?{urlencode(query)}",
            accept="application/json",
            parameters=(("mailto", self.mailto),) if self.mailto else (),
        )

    def read(
        self,
        request: Request,  # noqa: ARG002 - there is only one kind of request
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> EnricherPage:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is not a list of works.
        """
        answer_name = f"{self.title}'s list of works"
        message = to_table(to_table(parse_answer(response, answer_name)).get("message"))
        if not isinstance(message.get("items"), list):
            raise SourceError(f"{answer_name} was expected, but something else arrived.")
        subjects_by_doi = {doi_name: subject for subject in subjects for doi_name in _list_dois(subject)}
        works = map(to_table, to_rows(message.get("items")))
        parsed_works, unread = read_each(
            works,
            partial(self._read_work, subjects_by_doi, day),
            title=self.title,
            describe=describe_unread_work,
        )
        return EnricherPage(
            known_keys=frozenset(paper.key for paper, _ in parsed_works),
            records=tuple(paper for paper, _ in parsed_works),
            signals=tuple(signal for _, signals in parsed_works for signal in signals),
            unread=tuple(unread),
        )

    def _read_work(
        self, subjects_by_doi: Mapping[str, Subject], day: date, work: Mapping[str, Any]
    ) -> tuple[Paper, list[Signal]] | None:
        """Return the record and the signals of a requested work; None for other works."""
        subject, paper = subjects_by_doi.get(parse_doi(to_line(work.get("DOI"))) or ""), build_paper(work)
        if subject is None or paper is None:
            return None
        record = replace(paper, key=PaperKey(subject.key), ids=(("doi", paper.key[4:]), *paper.ids))
        counts = {"citations": work.get("is-referenced-by-count")}
        return record, list(make_signals(counts, subject=subject.key, source=self.name, day=day))


def _list_dois(subject: Subject) -> list[str]:
    return [value for scheme, value in subject.ids if scheme == "doi" and "," not in value]
