"""Papers for programs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pydantic import BaseModel, Field

from digest.core.papers.taxonomy import get_category_name
from digest.core.publishing.addresses import PaperAddress, format_paper_address
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.publishing.related_papers import RelatedPapers
from digest.model import Abstracts, Event, Paper, Signal, Statement
from digest.render.environment import remove_unprintable
from digest.render.papers.links import filter_web_address
from digest.render.papers.paper_view import PaperSize, PaperStyle, make_paper_texts


class CountDocument(BaseModel):
    """A number about a paper or a person, with who counts it and when."""

    kind: str = Field(description="What is counted: votes, comments, stars, citations, h-index, papers")
    value: int
    source: str = Field(description="Who counts it")
    day: date = Field(description="The day of the count")


class AuthorDocument(BaseModel):
    """An author as printed."""

    name: str
    affiliations: list[str]
    ids: list[str] = Field(description="IDs with their scheme, such as orcid:0000-0002-1825-0097")
    person: str = Field(description="The address of the page of the person")


class CategoryDocument(BaseModel):
    """A category."""

    id: str = Field(description="Its ID, such as cs.DC")
    name: str = Field(description='Its name; "" if it is not one of arXiv')


class PaperDocument(BaseModel):
    """A paper, merged from what all sources say about it."""

    key: str = Field(description="Its key, such as arxiv:2401.00001")
    title: str
    abstract: str
    key_sentence: str = Field(description='The sentence that says what is new; "" without an abstract')
    authors: list[AuthorDocument]
    author_count: int = Field(description="The number of authors, of whom at most 200 are listed")
    organizations: list[str]
    categories: list[CategoryDocument]
    day: date | None = Field(
        description="The day of its announcement; the first of the month if only that is known"
    )
    version: int = Field(description="The newest version that is known, 0 if the source has none")
    withdrawn: bool
    doi: str
    journal_ref: str
    comment: str
    license: str
    url: str
    pdf_url: str
    code: list[str]
    counts: list[CountDocument]
    page: str = Field(description="The address of its page on this site")


class StatementDocument(BaseModel):
    """What a source says about a version of a paper."""

    source: str
    version: int
    title: str
    doi: str
    journal_ref: str
    categories: list[str]


class EventDocument(BaseModel):
    """What happened to a paper."""

    day: date
    kind: str = Field(description="new, picked, version, published, code, grown or trending")
    source: str
    version: int = Field(description="The version, for events of that kind; 0 otherwise")


class PaperDetailsDocument(BaseModel):
    """A paper with everything that is known about it."""

    paper: PaperDocument
    statements: list[StatementDocument]
    events: list[EventDocument]
    cites: list[str] = Field(description="Keys of the papers that it cites, as far as known")
    cited_by: list[PaperDocument] = Field(description="The newest papers in the database that cite it")


class SimilarPaperDocument(BaseModel):
    """A paper with similar words."""

    paper: PaperDocument
    common_words: list[str]


class SimilarPapersDocument(BaseModel):
    """The papers with the most similar words."""

    key: str = Field(description="The key of the paper to which they are similar")
    papers: list[SimilarPaperDocument]


_MAX_AUTHORS = 200
_KEY_STYLE = PaperStyle(PaperSize.COMPACT, Abstracts.KEY)


def make_paper_document(entry: ListedPaper, site_url: str) -> PaperDocument:
    """Make the document of a paper.

    Args:
        entry: the paper, its day, and the numbers about it.
        site_url: the address of the site, without a final slash.
    """
    paper = entry.paper
    return PaperDocument(
        key=clean_text(paper.key),
        title=clean_text(paper.title),
        abstract=clean_text(paper.abstract),
        key_sentence=make_paper_texts(paper, _KEY_STYLE).excerpt,
        authors=_list_authors(paper, site_url),
        author_count=len(paper.authors),
        organizations=list(map(clean_text, paper.organizations)),
        categories=[
            CategoryDocument(id=clean_text(category), name=get_category_name(category))
            for category in paper.categories
        ],
        day=entry.day,
        version=paper.version if paper.version_told else 0,
        withdrawn=paper.withdrawn,
        doi=clean_text(paper.doi),
        journal_ref=clean_text(paper.journal_ref),
        comment=clean_text(paper.comment),
        license=filter_web_address(paper.license_url),
        url=filter_web_address(paper.url),
        pdf_url=filter_web_address(paper.pdf_url),
        code=[url for url in paper.code_urls if filter_web_address(url)],
        counts=make_count_documents(entry.signals),
        page=f"{site_url}{format_paper_address(PaperAddress(key=paper.key))}",
    )


def make_count_documents(signals: Iterable[Signal]) -> list[CountDocument]:
    """Make the documents of numbers."""
    return [
        CountDocument(kind=signal.kind, value=int(signal.value), source=signal.source, day=signal.day)
        for signal in signals
    ]


def make_paper_details(
    entry: ListedPaper,
    statements: Iterable[Statement],
    events: Iterable[Event],
    related: RelatedPapers,
    site_url: str,
) -> PaperDetailsDocument:
    """Make the document of a paper with everything that is known about it."""
    return PaperDetailsDocument(
        paper=make_paper_document(entry, site_url),
        statements=[
            StatementDocument(
                source=statement.source,
                version=statement.paper.version,
                title=clean_text(statement.paper.title),
                doi=clean_text(statement.paper.doi),
                journal_ref=clean_text(statement.paper.journal_ref),
                categories=list(map(clean_text, statement.paper.categories)),
            )
            for statement in statements
        ],
        events=[
            EventDocument(day=event.day, kind=event.kind.value, source=event.source, version=event.number)
            for event in events
        ],
        cites=list(entry.paper.references),
        cited_by=[make_paper_document(citing, site_url) for citing in related.citing],
    )


def make_similar_papers(key: str, related: RelatedPapers, site_url: str) -> SimilarPapersDocument:
    """Make the document of the papers that are similar to one."""
    return SimilarPapersDocument(
        key=key,
        papers=[
            SimilarPaperDocument(
                paper=make_paper_document(similar.listed, site_url),
                common_words=list(map(clean_text, similar.common_words)),
            )
            for similar in related.similar
        ],
    )


def _list_authors(paper: Paper, site_url: str) -> list[AuthorDocument]:
    return [
        AuthorDocument(
            name=clean_text(author.name),
            affiliations=list(map(clean_text, author.affiliations)),
            ids=[clean_text(f"{scheme}:{value}") for scheme, value in author.ids],
            person=site_url + format_person_address(PersonAddress(reference=f"{paper.key}#{position}")),
        )
        for position, author in enumerate(paper.authors[:_MAX_AUTHORS], start=1)
    ]


def clean_text(text: str) -> str:
    """Return a text without controls, on one line."""
    return " ".join(remove_unprintable(text).split())
