"""Handler of the public search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fastapi import Request, Response

from digest.core.publishing.search_address import SearchAddress, format_search_address, parse_search_address
from digest.errors import QueryError
from digest.jobs.matching.search.explanation import count_parts, find_wider
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import search_papers
from digest.jobs.publishing.listed_papers import load_coverage, load_listed_papers
from digest.render.publishing.public_pages.search import (
    QueryMistake,
    SearchResults,
    render_search,
)
from digest.store.database.engine import Store
from digest.web.publishing.public_responder import PublicResponder, get_query, is_at

PAGE_SIZE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRoutes:
    """The handler of the search."""

    public: PublicResponder

    def show(self, request: Request) -> Response:
        """Show a page of results, or a mistake at its place in the query."""
        address = parse_search_address(get_query(request))
        view = self.public.find_view(address.language)
        address = replace(address, language=view.site.language_parameter)
        canonical = format_search_address(address)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        version = self.public.read_version()
        if (cached := self.public.find_results(canonical, request, version)) is not None:
            return cached
        store = self.public.responder.app.store
        outcome = load_results(store, address, PAGE_SIZE) if address.text else None

        def render() -> bytes:
            return render_search(view.bundle.environment, view.bundle.branding, view.site, address, outcome)

        if isinstance(outcome, QueryMistake):
            return self.public.make_mistake_page(render())
        return self.public.make_page(canonical, request, version, render)


def load_results(store: Store, address: SearchAddress, limit: int) -> SearchResults | QueryMistake:
    """Search, and load what a page of results shows.

    Raises:
        CursorError: the cursor is invalid, or belongs to another search.
    """
    request = SearchRequest(
        text=address.text,
        filters=address.filters,
        order=address.order,
        limit=limit,
        cursor=address.cursor,
    )
    try:
        page = search_papers(store, request)
    except QueryError as error:
        return QueryMistake(str(error.args[0]), error.query, error.position)
    typed_query = page.reading.typed_query
    parts = count_parts(store, typed_query) if not address.cursor else ()
    wider = find_wider(store, typed_query) if not page.results and not address.cursor else ()
    return SearchResults(
        read_as=page.reading.display_text,
        hints=page.reading.hints,
        papers=load_listed_papers(store, page.results),
        total=page.total,
        facets=page.facets,
        since=page.since,
        next_cursor=page.next_cursor,
        is_cut=page.is_cut,
        missing=page.missing,
        parts=tuple((str(part.query), part.total) for part in parts) if len(parts) > 1 else (),
        wider=tuple((entry.relaxed.removed_text, str(entry.relaxed.query), entry.total) for entry in wider),
        coverage=load_coverage(store),
    )
