"""Routes of the API: papers, days, people, search, categories and sources, as the public pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from fastapi import Query, Request, Response

from digest.core.language.query import format_category
from digest.core.matching.search.filters import SearchFilters, SearchOrder, SimilarOrder
from digest.core.papers.taxonomy import canonicalize_category, is_known_category
from digest.core.publishing import day_entries
from digest.core.publishing.addresses import Tab
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.search_address import SearchAddress
from digest.errors import ConfigError, CursorError, QueryError
from digest.jobs.editions.explain import parse_paper_key
from digest.jobs.papers.paper_records import PaperRecord, load_public_record
from digest.jobs.people.public_person import load_public_person
from digest.jobs.publishing.collections import load_collection
from digest.jobs.publishing.daily_papers import list_newest_days, load_newest_batches
from digest.jobs.publishing.related_papers import load_related_papers
from digest.render.publishing.documents.day import (
    CategoriesDocument,
    CategoryPapersDocument,
    DayDocument,
    DaysDocument,
    SourcesDocument,
    make_category_document,
    make_section_document,
    make_sources_document,
)
from digest.render.publishing.documents.paper import (
    PaperDetailsDocument,
    SimilarPapersDocument,
    make_paper_details,
    make_paper_document,
    make_similar_papers,
)
from digest.render.publishing.documents.person import (
    PeopleDocument,
    PersonDocument,
    make_people_document,
    make_person_document,
)
from digest.render.publishing.documents.search import SearchDocument, make_search_document
from digest.render.publishing.public_pages.search import QueryMistake
from digest.store.database.engine import Store
from digest.web.api.api_responder import ApiResponder, ProblemError
from digest.web.publishing.person import load_name_page
from digest.web.publishing.search import load_results

_MAX_LIMIT = 100
_DAYS_OF_SOURCES = timedelta(days=7)

_Cursor = Annotated[
    str, Query(max_length=1_000, description="Where the page begins: next_cursor of the page before")
]
_Limit = Annotated[int, Query(ge=1, le=_MAX_LIMIT, description="Maximum number of papers on the page")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRoutes:
    """The routes. Each returns a document, or a problem."""

    api: ApiResponder

    def read_paper(self, key: str, request: Request) -> Response:
        """Return a paper by its key or any of its ids, with who says what, events and citations."""
        return self.api.respond(request, lambda: self.load_paper(key))

    def load_paper(self, key: str) -> PaperDetailsDocument:
        """Load the document of a paper."""
        record = _find_record(self._store, key)
        related = load_related_papers(self._store, record.paper, SimilarOrder.NEARNESS)
        return make_paper_details(
            _list_paper(record), record.statements, record.events, related, self.api.site_url
        )

    def read_similar(
        self, key: str, request: Request, order: SimilarOrder = SimilarOrder.NEARNESS
    ) -> Response:
        """Return the papers whose words are most similar to those of a paper."""

        def load() -> SimilarPapersDocument:
            record = _find_record(self._store, key)
            related = load_related_papers(self._store, record.paper, order)
            return make_similar_papers(record.paper.key, related, self.api.site_url)

        return self.api.respond(request, load)

    # --- days -------------------------------------------------------------------------------------

    def read_days(self, request: Request) -> Response:
        """Return the newest days that have papers."""
        return self.api.respond(request, lambda: DaysDocument(days=list_newest_days(self._store)))

    def read_day(self, day: str, request: Request, cursor: _Cursor = "", limit: _Limit = 50) -> Response:
        """Return the new and picked papers of a day, with the state of each section."""
        return self.api.respond(request, lambda: self.load_day(day, cursor, limit))

    def load_day(self, day: str, cursor: str, limit: int) -> DayDocument:
        """Load the document of a day."""
        loader, requested_day = self.api.responder.app.daily_papers, _parse_day(day)
        version = loader.read_version(requested_day)
        if version is None:
            raise ProblemError(404, f"there are no papers of {requested_day}")
        loaded = loader.load_day(requested_day, version)
        entries = day_entries.select_tab(loaded.entries, Tab.NEW)
        start = _parse_offset(cursor, len(entries))
        events = loader.load_events([entry.seq for entry in entries[start : start + limit]])
        end = start + limit
        papers = [ListedPaper(paper=event.paper, day=event.day, signals=event.signals) for event in events]
        return DayDocument(
            day=requested_day,
            older=version.neighbours.older,
            newer=version.neighbours.newer,
            sections=[make_section_document(batch) for batch in loaded.batches],
            total=len(entries),
            papers=[make_paper_document(entry, self.api.site_url) for entry in papers],
            next_cursor=str(end) if end < len(entries) else "",
        )

    def read_sources(self, request: Request) -> Response:
        """Return all sources, with the state of their sections on the days of the last week."""

        def load() -> SourcesDocument:
            app = self.api.responder.app
            batches = load_newest_batches(app.store, app.clock().date() - _DAYS_OF_SOURCES)
            return make_sources_document(batches, app.branding.source_titles)

        return self.api.respond(request, load)

    # --- categories -------------------------------------------------------------------------------

    def read_categories(self, request: Request) -> Response:
        """Return the categories of the newest day, with their numbers of papers."""

        def load() -> CategoriesDocument:
            loader = self.api.responder.app.daily_papers
            day = loader.find_newest_day()
            version = loader.read_version(day) if day else None
            if day is None or version is None:
                return CategoriesDocument(day=None, categories={})
            entries = day_entries.select_tab(loader.load_day(day, version).entries, Tab.NEW)
            return CategoriesDocument(day=day, categories=dict(day_entries.count_categories(entries)))

        return self.api.respond(request, load)

    def read_category(self, name: str, request: Request, cursor: _Cursor = "") -> Response:
        """Return the papers of a category or archive, newest first."""

        def load() -> CategoryPapersDocument:
            category = canonicalize_category(name)
            today = self.api.responder.app.clock().date()
            try:
                collection = load_collection(self._store, format_category(category), cursor, today)
            except (CursorError, QueryError) as error:
                raise ProblemError(400, str(error.args[0])) from error
            if not collection.papers and not is_known_category(category):
                raise ProblemError(404, f"there is no category {category!r}")
            return make_category_document(category, collection, self.api.site_url)

        return self.api.respond(request, load)

    # --- people -----------------------------------------------------------------------------------

    def read_person(self, reference: str, request: Request, cursor: _Cursor = "") -> Response:
        """Return a person by a byline (paper and position, as 2401.00001/3) or an id (orcid:0000-0002-1825-0097)."""
        return self.api.respond(request, lambda: self.load_person(reference, cursor))

    def load_person(self, reference: str, cursor: str) -> PersonDocument:
        """Load the document of a person."""
        page = _parse_offset(cursor or "1", 100_000)
        paper, _, position = reference.rpartition("/")
        text = f"{paper}#{position}" if paper and position.isdecimal() else reference
        try:
            person = load_public_person(self._store, text, page)
        except ConfigError as error:
            raise ProblemError(404, str(error.args[0])) from error
        if person is None:
            raise ProblemError(404, "there are not so many pages")
        return make_person_document(person, self.api.site_url)

    def read_people(
        self, request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]
    ) -> Response:
        """Return the persons who sign with a name."""
        return self.api.respond(request, lambda: self.load_people(name))

    def load_people(self, name: str) -> PeopleDocument:
        """Load the document of the persons with a name."""
        clean_name = " ".join(name.split())
        if not clean_name or not clean_name.isprintable():
            raise ProblemError(400, "that is no name")
        return make_people_document(load_name_page(self._store, clean_name))

    # --- search -----------------------------------------------------------------------------------

    def read_search(  # noqa: PLR0917 - parameters of the address
        self,
        request: Request,
        q: Annotated[
            str, Query(min_length=1, max_length=2_000, description="The query, in the follow language")
        ],
        category: Annotated[str, Query(max_length=100)] = "",
        source: Annotated[str, Query(max_length=100)] = "",
        year: Annotated[int | None, Query(ge=1900, le=2999)] = None,
        has_code: bool = False,  # noqa: FBT001, FBT002 - a parameter of the address
        order: SearchOrder = SearchOrder.RELEVANCE,
        cursor: _Cursor = "",
        limit: _Limit = 20,
    ) -> Response:
        """Search all papers of the database."""
        filters = SearchFilters(category=category, source=source, year=year, has_code=has_code)
        address = SearchAddress(text=q, filters=filters, order=order, cursor=cursor)
        return self.api.respond(request, lambda: self.load_search(address, limit))

    def load_search(self, address: SearchAddress, limit: int) -> SearchDocument:
        """Load the document of a page of results."""
        try:
            outcome = load_results(self._store, address, limit)
        except CursorError as error:
            raise ProblemError(400, str(error.args[0])) from error
        if isinstance(outcome, QueryMistake):
            raise ProblemError(400, outcome.message, outcome.position)
        return make_search_document(outcome, self.api.site_url)

    @property
    def _store(self) -> Store:
        return self.api.responder.app.store


def _find_record(store: Store, text: str) -> PaperRecord:
    try:
        key = parse_paper_key(text)
    except ConfigError as error:
        raise ProblemError(404, str(error.args[0])) from error
    record = load_public_record(store, key)
    if record is None:
        raise ProblemError(404, f"no source in this database has listed {key}")
    return record


def _list_paper(record: PaperRecord) -> ListedPaper:
    days = [event.day for event in record.events] or [batch.day for batch, _, _ in record.listed]
    return ListedPaper(paper=record.paper, day=min(days, default=None), signals=record.signals)


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ProblemError(404, "there is no such day; write it as 2026-06-12") from error


def _parse_offset(text: str, maximum: int) -> int:
    """Parse a cursor that is a number; "" is 0."""
    if not text:
        return 0
    if (
        not (text.isascii() and text.isdecimal())
        or len(text) > len(str(maximum))
        or not 0 < int(text) <= maximum
    ):
        raise ProblemError(400, "the cursor is not one of this list")
    return int(text)
