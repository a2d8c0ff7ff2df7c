"""The Reading Club: how many of its members have read a paper."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from digest import ports
from digest.core.fetching.options import EnricherOptions
from digest.core.papers.identity.ids import parse_doi
from digest.errors import SourceError
from digest.model import Signal, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(EnricherOptions, ports.Enricher):
    """Knows papers by their DOIs."""

    url: str = "https://club.example.org/votes"
    name: str = "reading-club"
    title: str = "The Reading Club"
    quota: int = 500

    @property
    def has_votes(self) -> bool:
        return True

    def get_batch_size(self, kind: SubjectKind) -> int:
        return 20 if kind is SubjectKind.PAPER else 0

    def is_supported(self, subject: Subject) -> bool:
        return subject.kind is SubjectKind.PAPER and bool(_find_doi(subject))

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        query = urlencode({"doi": ",".join(map(_find_doi, subjects))})
        return Request(section="votes", route="enrich", url=f"{self.url}?{query}", accept="application/json")

    def read(
        self, request: Request, subjects: Sequence[Subject], response: Response, day: date
    ) -> EnricherPage:
        if response.status != 200:
            raise SourceError(f"The Reading Club refused {request.url} (HTTP {response.status}).")
        try:
            votes = {parse_doi(doi): int(count) for doi, count in json.loads(response.body)["votes"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise SourceError(f"The Reading Club answered with no list of votes: {error!r}.") from None
        known = {
            subject.key: votes[_find_doi(subject)] for subject in subjects if _find_doi(subject) in votes
        }
        return EnricherPage(
            known_keys=frozenset(known),
            signals=tuple(
                Signal(subject=key, kind="votes", source=self.name, day=day, value=count)
                for key, count in known.items()
            ),
        )


def _find_doi(subject: Subject) -> str:
    return next((value for scheme, value in subject.ids if scheme == "doi"), "")
