"""Handler of the public pages of papers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fastapi import Request, Response

from digest.core.matching.search.filters import SimilarOrder
from digest.core.publishing.addresses import PaperAddress, format_paper_address, parse_paper_address
from digest.core.publishing.related_papers import RelatedPapers
from digest.errors import ConfigError
from digest.jobs.editions.explain import parse_paper_key
from digest.jobs.papers.paper_records import PaperRecord, load_public_record
from digest.jobs.publishing.related_papers import load_related_papers
from digest.model import Paper
from digest.render.publishing.public_pages.papers.paper import (
    CITATION_TYPES,
    PaperListing,
    PublicPaper,
    render_citation,
    render_public_paper,
)
from digest.web.publishing.public_responder import (
    PublicResponder,
    get_query,
    is_at,
    make_public_response,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPaperRoutes:
    """The handler of the pages of papers."""

    public: PublicResponder

    def show(self, key: str, request: Request) -> Response:
        """Show a paper, or its citation; redirect from every other id and notation to the key of the paper."""
        address = parse_paper_address(key, get_query(request))
        view = self.public.find_view(address.language)
        address = replace(address, language=view.site.language_parameter)
        version = self.public.read_version()
        if (cached := self.public.find_page(format_paper_address(address), request, version)) is not None:
            return cached
        record = self._find_record(key)
        if record is None:
            return self.public.make_not_found(request)
        address = replace(address, key=record.paper.key)
        if address.citation:
            address = replace(address, similar_order=SimilarOrder.NEARNESS, language="")
        canonical = format_paper_address(address)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        if address.citation:
            return self._show_citation(address, request, record.paper)

        related = load_related_papers(self.public.responder.app.store, record.paper, address.similar_order)
        content = _make_content(record, related, address.similar_order)

        def render() -> bytes:
            bundle = view.bundle
            return render_public_paper(bundle.environment, bundle.branding, view.site, content)

        return self.public.make_page(canonical, request, version, render)

    def _find_record(self, text: str) -> PaperRecord | None:
        try:
            key = parse_paper_key(text)
        except ConfigError:
            return None
        return load_public_record(self.public.responder.app.store, key)

    def _show_citation(self, address: PaperAddress, request: Request, paper: Paper) -> Response:
        citation = address.citation
        assert citation is not None
        return self.public.responder.make_cached_at(
            format_paper_address(address),
            request,
            paper,
            lambda: make_public_response(render_citation(paper, citation), CITATION_TYPES[citation]),
        )


def _make_content(record: PaperRecord, related: RelatedPapers, similar_order: SimilarOrder) -> PublicPaper:
    return PublicPaper(
        paper=record.paper,
        statements=record.statements,
        claims=record.claims,
        listings=[
            PaperListing(batch.day, batch.source, batch.section, kind, submitter.name if submitter else "")
            for batch, kind, submitter in record.listed
        ],
        events=record.events,
        signals=record.signals,
        related=related,
        similar_order=similar_order,
    )
