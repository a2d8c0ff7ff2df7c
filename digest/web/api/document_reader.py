"""Documents of what the database knows, for the API and the MCP server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from digest.app import App
from digest.core.language.query import format_category
from digest.core.matching.search.filters import SimilarOrder
from digest.core.papers.taxonomy import canonicalize_category, is_known_category
from digest.core.publishing import day_entries
from digest.core.publishing.address_parts import AddressError
from digest.core.publishing.addresses import Tab, parse_day
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.person_addresses import parse_person_address
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
from digest.web.publishing.person import load_name_page
from digest.web.publishing.search import load_results

_DAYS_OF_SOURCES = timedelta(days=7)
_MAX_PAGE = 100_000


class ProblemError(Exception):
    """A request cannot be answered.

    Attributes:
        status: 400 if the request has no meaning, 404 if what it asks for does not exist.
        position: where a mistake is in a query, in characters; None if it is elsewhere.
    """

    def __init__(self, status: int, detail: str, position: int | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.position = position


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReader:
    """Loads documents; each function raises ``ProblemError`` if there is none.

    Attributes:
        site_url: the address of the site, without a final slash; "" if there is no site.
    """

    app: App
    site_url: str

    # --- papers -----------------------------------------------------------------------------------

    def load_paper(self, key: str) -> PaperDetailsDocument:
        """Load a paper by its key or any of its IDs, with who says what, events and citations."""
        record = self._find_record(key)
        related = load_related_papers(self.app.store, record.paper, SimilarOrder.NEARNESS)
        days = [event.day for event in record.events] or [batch.day for batch, _, _ in record.listed]
        listed = ListedPaper(paper=record.paper, day=min(days, default=None), signals=record.signals)
        return make_paper_details(listed, record.statements, record.events, related, self.site_url)

    def load_similar(self, key: str, order: SimilarOrder) -> SimilarPapersDocument:
        """Load the papers whose words are most similar to those of a paper."""
        record = self._find_record(key)
        related = load_related_papers(self.app.store, record.paper, order)
        return make_similar_papers(record.paper.key, related, self.site_url)

    def _find_record(self, text: str) -> PaperRecord:
        try:
            key = parse_paper_key(text)
        except ConfigError as error:
            raise ProblemError(404, str(error.args[0])) from error
        record = load_public_record(self.app.store, key)
        if record is None:
            raise ProblemError(404, f"no source in this database has listed {key}")
        return record

    # --- days and sources -------------------------------------------------------------------------

    def load_days(self) -> DaysDocument:
        """Load the newest days that have papers."""
        return DaysDocument(days=list_newest_days(self.app.store))

    def load_day(self, day: str, cursor: str, limit: int) -> DayDocument:
        """Load the new and picked papers of a day, with the state of each section."""
        loader, requested_day = self.app.daily_papers, _parse_day(day)
        version = loader.read_version(requested_day)
        if version is None:
            raise ProblemError(404, f"there are no papers of {requested_day}")
        loaded = loader.load_day(requested_day, version)
        entries = day_entries.select_tab(loaded.entries, Tab.NEW)
        start = _parse_number(cursor, len(entries)) if cursor else 0
        events = loader.load_events([entry.seq for entry in entries[start : start + limit]])
        papers = [ListedPaper(paper=event.paper, day=event.day, signals=event.signals) for event in events]
        return DayDocument(
            day=requested_day,
            older=version.neighbours.older,
            newer=version.neighbours.newer,
            sections=[make_section_document(batch) for batch in loaded.batches],
            total=len(entries),
            papers=[make_paper_document(entry, self.site_url) for entry in papers],
            next_cursor=str(start + limit) if start + limit < len(entries) else "",
        )

    def load_sources(self) -> SourcesDocument:
        """Load all sources, with the state of their sections on the days of the last week."""
        batches = load_newest_batches(self.app.store, self.app.clock().date() - _DAYS_OF_SOURCES)
        return make_sources_document(batches, self.app.branding.source_titles)

    def load_categories(self) -> CategoriesDocument:
        """Load the categories of the newest day, with their numbers of papers."""
        loader = self.app.daily_papers
        day = loader.find_newest_day()
        version = loader.read_version(day) if day else None
        if day is None or version is None:
            return CategoriesDocument(day=None, categories={})
        entries = day_entries.select_tab(loader.load_day(day, version).entries, Tab.NEW)
        return CategoriesDocument(day=day, categories=dict(day_entries.count_categories(entries)))

    def load_category(self, name: str, cursor: str) -> CategoryPapersDocument:
        """Load the papers of a category or archive, newest first."""
        category, today = canonicalize_category(name), self.app.clock().date()
        try:
            collection = load_collection(self.app.store, format_category(category), cursor, today)
        except (CursorError, QueryError) as error:
            raise ProblemError(400, str(error.args[0])) from error
        if not collection.papers and not is_known_category(category):
            raise ProblemError(404, f"there is no category {category!r}")
        return make_category_document(category, collection, self.site_url)

    # --- people and searches ----------------------------------------------------------------------

    def load_person(self, reference: str, cursor: str) -> PersonDocument:
        """Load a person by a byline, ``2401.00001/3`` or ``2401.00001#3``, or by an ID with its scheme."""
        page = _parse_number(cursor, _MAX_PAGE) if cursor else 1
        try:
            byline = parse_person_address(reference, "").reference
        except AddressError as error:
            raise ProblemError(404, "there is no such person") from error
        try:
            person = load_public_person(self.app.store, byline, page)
        except ConfigError as error:
            raise ProblemError(404, str(error.args[0])) from error
        if person is None:
            raise ProblemError(404, "there are not so many pages")
        return make_person_document(person, self.site_url)

    def load_people(self, name: str) -> PeopleDocument:
        """Load the persons who sign with a name."""
        clean_name = " ".join(name.split())
        if not clean_name or not clean_name.isprintable():
            raise ProblemError(400, "that is no name")
        return make_people_document(load_name_page(self.app.store, clean_name))

    def load_search(self, address: SearchAddress, limit: int) -> SearchDocument:
        """Load a page of the results of a search."""
        try:
            outcome = load_results(self.app.store, address, limit)
        except CursorError as error:
            raise ProblemError(400, str(error.args[0])) from error
        if isinstance(outcome, QueryMistake):
            raise ProblemError(400, outcome.message, outcome.position)
        return make_search_document(outcome, self.site_url)


def _parse_day(text: str) -> date:
    try:
        return parse_day(text)
    except AddressError as error:
        raise ProblemError(404, "there is no such day; write it as 2026-06-12") from error


def _parse_number(text: str, maximum: int) -> int:
    """Parse a cursor that is a number from 1 to a maximum."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(maximum))
    if not is_number or not 0 < int(text) <= maximum:
        raise ProblemError(400, "the cursor is not one of this list")
    return int(text)
