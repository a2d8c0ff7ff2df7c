"""A person as the public page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.people.coauthors import Coauthorship
from digest.core.people.ties import Tie
from digest.core.publishing.coverage import Coverage
from digest.model import Paper, PaperKey, Signal


class Affiliation(NamedTuple):
    """An affiliation of a person.

    Attributes:
        name: as printed.
        first_year: the year of the first paper with it; None if it is unknown, likewise ``last_year``.
        papers: the number of papers with it.
        sources: who states it on the newest of these papers.
    """

    name: str
    first_year: int | None
    last_year: int | None
    papers: int
    sources: tuple[str, ...]


class StatedId(NamedTuple):
    """An ID of a person.

    Attributes:
        stated_by: who stated it; "" if it is printed on papers.
    """

    scheme: str
    value: str
    stated_by: str


class PersonPaper(NamedTuple):
    """A paper of a person.

    Attributes:
        position: the place of the person among its authors, from 0.
        year: its year; None if that is unknown.
    """

    paper: Paper
    position: int
    year: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPerson:
    """A person, as the public page shows them.

    Attributes:
        key: the paper of the byline that names the person; ``position`` is the place on it, from 0.
        names: the printed names, most frequent first.
        namesakes: the number of other persons who sign with the most frequent name.
        paper_count: the number of papers.
        ties: the number of papers by what ties them to the others.
        years: the number of papers by year; papers of an unknown year are left out.
        affiliations: the most frequent affiliations, newest first.
        categories: the most frequent categories of the papers, with their numbers of papers.
        ids: the IDs.
        coauthorship: the closest co-authors.
        coauthor_keys: the keys of the papers on which ``coauthorship`` places the co-authors, by number.
        signals: the newest numbers that services give about the person, by the ID that the service uses.
        person_papers: the papers of the page, newest first.
        page: the number of the page, from 1; ``pages`` is the number of pages.
        coverage: what the database knows.
    """

    key: PaperKey
    position: int
    names: tuple[str, ...]
    namesakes: int
    paper_count: int
    ties: Mapping[Tie, int]
    years: Mapping[int, int]
    affiliations: tuple[Affiliation, ...]
    categories: tuple[tuple[str, int], ...]
    ids: tuple[StatedId, ...]
    coauthorship: Coauthorship
    coauthor_keys: Mapping[int, PaperKey]
    signals: tuple[Signal, ...]
    person_papers: tuple[PersonPaper, ...]
    page: int
    pages: int
    coverage: Coverage
