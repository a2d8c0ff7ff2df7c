"""Sources, and what they announced on each day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from fastapi import Request, Response

from digest.core.fetching.shortfall import is_missing
from digest.jobs.operations.overview import SourceOverview, load_sources
from digest.model import Section
from digest.render.editions.completeness import describe_completeness
from digest.render.languages.locales import ENGLISH
from digest.render.publishing.operator_pages.content import OperatorBlock, OperatorContent, OperatorRow
from digest.render.publishing.operator_pages.operator_page import SOURCES_PATH
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.parts import format_utc


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show the sources and their days."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        overview = load_sources(operator.app.store, operator.now)
        sections = OperatorBlock(
            heading="Sources",
            rows=tuple(_make_section_row(operator, section) for section in overview.sections),
            empty="No source is set up.",
        )
        pauses = OperatorBlock(
            heading="Paused" if overview.paused_buckets else "",
            rows=tuple(
                OperatorRow(title=f"{name} until {format_utc(pause.until)}", details=(pause.reason,))
                for name, pause in overview.paused_buckets.items()
            ),
        )
        days = OperatorBlock(
            heading="Announcement days",
            lines=("The days of the last week, and incomplete ones of the last 90 days.",),
            rows=tuple(_iter_days(operator, overview)),
            empty="No day is known yet.",
        )
        content = OperatorContent(title="Sources", section=SOURCES_PATH, blocks=(sections, pauses, days))
        return self.responder.show(operator, content)


def _make_section_row(operator: OperatorRequest, section: Section) -> OperatorRow:
    titles = operator.app.branding.source_titles
    problems = [f"{route.route}: {route.error}" for route in section.routes if route.error]
    reached = f"last reached {format_utc(section.answered_at)}" if section.answered_at else "never reached"
    return OperatorRow(
        title=f"{titles.get(section.source, section.source)} {section.name}".rstrip(),
        details=(*problems, reached),
        is_problem=bool(problems),
    )


def _iter_days(operator: OperatorRequest, overview: SourceOverview) -> Iterator[OperatorRow]:
    titles = operator.app.branding.source_titles
    batches = sorted(overview.batches, key=lambda batch: batch.day, reverse=True)
    for day, group in groupby(batches, lambda batch: batch.day):
        of_day = list(group)
        completeness = describe_completeness(of_day, titles, operator.now, "UTC", ENGLISH)
        errors = dict.fromkeys(f"reported as: {batch.error}" for batch in of_day if batch.error)
        yield OperatorRow(
            title=f"{day:%a} {day}: {', '.join(sorted({batch.state.value for batch in of_day}))}",
            details=(*completeness.lines, *errors),
            is_problem=any(is_missing(batch) and batch.due_at <= operator.now for batch in of_day),
        )
