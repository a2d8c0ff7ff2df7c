"""Persons for programs."""

from __future__ import annotations

from pydantic import BaseModel, Field

from digest.core.people.ties import Tie
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.publishing.public_person import PublicPerson
from digest.render.publishing.documents.paper import (
    CountDocument,
    PaperDocument,
    clean_text,
    make_count_documents,
    make_paper_document,
)
from digest.render.publishing.public_pages.people.names import NamePage


class AffiliationDocument(BaseModel):
    """An affiliation of a person."""

    name: str
    first_year: int | None
    last_year: int | None
    papers: int
    sources: list[str] = Field(description="Who states it")


class StatedIdDocument(BaseModel):
    """An ID of a person."""

    scheme: str
    value: str
    stated_by: str = Field(description='Who states it; "" if it is printed on papers')


class CoauthorDocument(BaseModel):
    """A co-author of a person."""

    name: str
    person: str = Field(description="A reference to the co-author")
    papers: int = Field(description="The number of common papers")
    closeness: float = Field(description="The sum of 1/(n - 1) over the common papers of n authors")


class PersonDocument(BaseModel):
    """A person, as worked out from papers: it can be wrong."""

    reference: str = Field(description="A byline of the person: the paper and the place among its authors")
    names: list[str] = Field(description="Printed names, most frequent first")
    namesakes: int = Field(description="The number of other persons who sign with the first of these names")
    paper_count: int
    evidence: dict[str, int] = Field(
        description="The number of papers by what ties them to the person: statement, id, coauthor, workplace, field, none"
    )
    years: dict[int, int] = Field(description="The number of papers by year")
    categories: dict[str, int]
    affiliations: list[AffiliationDocument]
    ids: list[StatedIdDocument]
    counts: list[CountDocument] = Field(
        description="What services count; the kind papers says of how many papers"
    )
    coauthors: list[CoauthorDocument]
    papers: list[PaperDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')
    page: str = Field(description="The address of the page of the person")


class NamedPersonDocument(BaseModel):
    """A person with a name."""

    reference: str
    names: list[str]
    papers: int
    first_year: int | None
    last_year: int | None
    categories: list[str]
    coauthors: list[str]


class PeopleDocument(BaseModel):
    """The persons who sign with a name."""

    name: str
    persons: list[NamedPersonDocument]
    more: int = Field(description="The number of further persons, with fewer papers")
    similar_names: list[str]


def make_person_document(person: PublicPerson, site_url: str) -> PersonDocument:
    """Make the document of a person."""
    reference = f"{person.key}#{person.position + 1}"
    listed = [ListedPaper(paper=entry.paper, day=None, signals=()) for entry in person.person_papers]
    return PersonDocument(
        reference=reference,
        names=list(map(clean_text, person.names)),
        namesakes=person.namesakes,
        paper_count=person.paper_count,
        evidence={Tie(tie).name.lower(): count for tie, count in person.ties.items()},
        years=dict(person.years),
        categories={clean_text(name): count for name, count in person.categories},
        affiliations=[
            AffiliationDocument(
                name=clean_text(entry.name),
                first_year=entry.first_year,
                last_year=entry.last_year,
                papers=entry.papers,
                sources=list(entry.sources),
            )
            for entry in person.affiliations
        ],
        ids=[
            StatedIdDocument(
                scheme=entry.scheme, value=clean_text(entry.value), stated_by=clean_text(entry.stated_by)
            )
            for entry in person.ids
        ],
        counts=make_count_documents(person.signals),
        coauthors=_list_coauthors(person),
        papers=[make_paper_document(entry, site_url) for entry in listed],
        next_cursor=str(person.page + 1) if person.page < person.pages else "",
        page=site_url + format_person_address(PersonAddress(reference=reference)),
    )


def _list_coauthors(person: PublicPerson) -> list[CoauthorDocument]:
    return [
        CoauthorDocument(
            name=clean_text(coauthor.name),
            person=f"{person.coauthor_keys[coauthor.place[0]]}#{coauthor.place[1] + 1}",
            papers=coauthor.papers,
            closeness=round(coauthor.weight, 3),
        )
        for coauthor in person.coauthorship.coauthors
    ]


def make_people_document(page: NamePage) -> PeopleDocument:
    """Make the document of the persons with a name."""
    return PeopleDocument(
        name=clean_text(page.name),
        persons=[
            NamedPersonDocument(
                reference=person.reference,
                names=list(map(clean_text, person.names)),
                papers=person.papers,
                first_year=person.years[0] if person.years else None,
                last_year=person.years[1] if person.years else None,
                categories=list(map(clean_text, person.categories)),
                coauthors=list(map(clean_text, person.coauthors)),
            )
            for person in page.persons
        ],
        more=page.remaining,
        similar_names=list(map(clean_text, page.similar_names)),
    )
