"""Routes of the API: papers, days, people, search, categories and sources, as the public pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Request, Response

from digest.core.matching.search.filters import SearchFilters, SearchOrder, SimilarOrder
from digest.core.publishing.search_address import SearchAddress
from digest.web.api.api_responder import ApiResponder
from digest.web.api.document_reader import DocumentReader

MAX_LIMIT = 100

_Cursor = Annotated[
    str, Query(max_length=1_000, description="Where the page begins: next_cursor of the page before")
]
_Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="Maximum number of papers on the page")]
_Name = Annotated[str, Query(min_length=1, max_length=200)]
_QueryText = Annotated[
    str, Query(min_length=1, max_length=2_000, description="The query, in the follow language")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRoutes:
    """The routes. Each returns a document, or a problem.

    Attributes:
        api: the helpers of all routes.
        reader: loads the documents.
    """

    api: ApiResponder
    reader: DocumentReader

    def read_paper(self, key: str, request: Request) -> Response:
        """Return a paper by its key or any of its IDs, with who says what, events and citations."""
        return self.api.respond_with_content(request, lambda: self.reader.load_paper(key))

    def read_similar(
        self, key: str, request: Request, order: SimilarOrder = SimilarOrder.NEARNESS
    ) -> Response:
        """Return the papers whose words are most similar to those of a paper."""
        return self.api.respond_with_content(request, lambda: self.reader.load_similar(key, order))

    def read_days(self, request: Request) -> Response:
        """Return the newest days that have papers."""
        return self.api.respond(request, self.reader.load_days)

    def read_day(self, day: str, request: Request, cursor: _Cursor = "", limit: _Limit = 50) -> Response:
        """Return the new and picked papers of a day, with the state of each section."""
        return self.api.respond(request, lambda: self.reader.load_day(day, cursor, limit))

    def read_sources(self, request: Request) -> Response:
        """Return all sources, with the state of their sections on the days of the last week."""
        return self.api.respond(request, self.reader.load_sources)

    def read_categories(self, request: Request) -> Response:
        """Return the categories of the newest day, with their numbers of papers."""
        return self.api.respond(request, self.reader.load_categories)

    def read_category(self, name: str, request: Request, cursor: _Cursor = "") -> Response:
        """Return the papers of a category or archive, newest first."""
        return self.api.respond_with_content(request, lambda: self.reader.load_category(name, cursor))

    def read_person(self, reference: str, request: Request, cursor: _Cursor = "") -> Response:
        """Return a person by a byline (paper and position, 2401.00001/3) or an ID (orcid:0000-0002-1825-0097)."""
        return self.api.respond_with_content(request, lambda: self.reader.load_person(reference, cursor))

    def read_people(self, request: Request, name: _Name) -> Response:
        """Return the persons who sign with a name."""
        return self.api.respond_with_results(request, lambda: self.reader.load_people(name))

    def read_search(  # noqa: PLR0917 - parameters of the address
        self,
        request: Request,
        q: _QueryText,
        category: Annotated[str, Query(max_length=100)] = "",
        source: Annotated[str, Query(max_length=100)] = "",
        year: Annotated[int | None, Query(ge=1000, le=2999)] = None,
        has_code: bool = False,  # noqa: FBT001, FBT002 - a parameter of the address
        order: SearchOrder = SearchOrder.RELEVANCE,
        cursor: _Cursor = "",
        limit: _Limit = 20,
    ) -> Response:
        """Search all papers of the database."""
        filters = SearchFilters(category=category, source=source, year=year, has_code=has_code)
        address = SearchAddress(text=q, filters=filters, order=order, cursor=cursor)
        return self.api.respond_with_results(request, lambda: self.reader.load_search(address, limit))
