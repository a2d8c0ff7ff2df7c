"""Results of searches for programs."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, Field

from digest.render.publishing.documents.paper import PaperDocument, make_paper_document
from digest.render.publishing.public_pages.search import SearchResults


class PartDocument(BaseModel):
    """A part of a query, with what it finds alone."""

    query: str
    total: int
    total_kind: str


class WiderDocument(BaseModel):
    """A query that asks for one thing less."""

    without: str = Field(description="The part that is left out")
    query: str
    total: int
    total_kind: str


class SearchDocument(BaseModel):
    """A page of results."""

    read_as: str = Field(description="The query as it was understood")
    hints: list[str] = Field(description="Sentences about what may not have been meant")
    total: int = Field(description="The number of papers found")
    total_kind: str = Field(description="How exact that number is: exact, at most, or more than")
    since: date | None = Field(
        description="Only papers since this day were counted and ranked; null if all were"
    )
    categories: dict[str, int]
    years: dict[str, int]
    sources: dict[str, int]
    with_code: int
    papers: list[PaperDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')
    is_cut: bool = Field(description="Whether there are more papers, but no further page")
    missing: int = Field(description="The number of papers that are not in the index yet")
    parts: list[PartDocument]
    wider: list[WiderDocument] = Field(description="Queries that find something, if this one finds nothing")


def make_search_document(results: SearchResults, site_url: str) -> SearchDocument:
    """Make the document of a page of results."""
    return SearchDocument(
        read_as=results.read_as,
        hints=list(results.hints),
        total=results.total.papers,
        total_kind=results.total.kind.value,
        since=results.since,
        categories=dict(results.facets.categories),
        years=dict(results.facets.years),
        sources=dict(results.facets.sources),
        with_code=results.facets.with_code,
        papers=[make_paper_document(entry, site_url) for entry in results.papers],
        next_cursor=results.next_cursor,
        is_cut=results.is_cut,
        missing=results.missing,
        parts=[
            PartDocument(query=query, total=total.papers, total_kind=total.kind.value)
            for query, total in results.parts
        ],
        wider=[
            WiderDocument(without=part, query=query, total=total.papers, total_kind=total.kind.value)
            for part, query, total in results.wider
        ],
    )
