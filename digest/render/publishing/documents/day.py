"""Days, sources and categories for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from pydantic import BaseModel, Field

from digest.core.papers.taxonomy import get_category_name
from digest.core.publishing.collection import Collection
from digest.model import Batch
from digest.render.publishing.documents.paper import PaperDocument, clean_text, make_paper_document


class SectionDocument(BaseModel):
    """The state of a section of a source on a day."""

    source: str
    section: str
    day: date
    state: str = Field(description="waiting, partial, complete, empty or failed")
    received: int = Field(description="The number of listings that arrived")
    expected: int | None = Field(description="The number that the source announced; null if it does not say")


class DayDocument(BaseModel):
    """The papers of a day, in the order of their announcement."""

    day: date
    older: date | None = Field(description="The last day before it that has papers")
    newer: date | None = Field(description="The first day after it that has papers")
    sections: list[SectionDocument]
    total: int = Field(description="The number of papers on all pages")
    papers: list[PaperDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')


class DaysDocument(BaseModel):
    """The newest days that have papers."""

    days: list[date]


class SourceDocument(BaseModel):
    """A source, with the state of its sections on the newest days."""

    name: str
    title: str
    sections: list[SectionDocument]


class SourcesDocument(BaseModel):
    """All sources."""

    sources: list[SourceDocument]


class CategoryPapersDocument(BaseModel):
    """The papers of a category, newest first."""

    id: str
    name: str
    total: int = Field(description="The number of papers")
    total_kind: str = Field(description="How exact that number is: exact, at most, or more than")
    weeks: dict[date, int] = Field(description="The number of papers by week, by the Monday")
    months: dict[date, int] = Field(description="Likewise by month, if only imported papers are known")
    contributors: dict[str, int] = Field(description="Names that sign most of the last 300 papers")
    papers: list[PaperDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')
    is_cut: bool = Field(description="Whether there are more papers, but no further page")


class CategoriesDocument(BaseModel):
    """The categories of the papers of the newest day, with their numbers of papers."""

    day: date | None
    categories: dict[str, int]


def make_section_document(batch: Batch) -> SectionDocument:
    """Make the document of a section on a day."""
    return SectionDocument(
        source=batch.source,
        section=batch.section,
        day=batch.day,
        state=batch.state.value,
        received=batch.received,
        expected=batch.expected,
    )


def make_sources_document(batches: Iterable[Batch], titles: Mapping[str, str]) -> SourcesDocument:
    """Make the document of all sources.

    Args:
        batches: the sections of the newest days.
        titles: the names of sources for readers.
    """
    sections: dict[str, list[SectionDocument]] = {}
    for batch in batches:
        sections.setdefault(batch.source, []).append(make_section_document(batch))
    return SourcesDocument(
        sources=[
            SourceDocument(name=name, title=titles.get(name, name), sections=own_sections)
            for name, own_sections in sorted(sections.items())
        ]
    )


def make_category_document(name: str, collection: Collection, site_url: str) -> CategoryPapersDocument:
    """Make the document of a category."""
    return CategoryPapersDocument(
        id=clean_text(name),
        name=get_category_name(name),
        total=collection.total.papers,
        total_kind=collection.total.kind.value,
        weeks={count.first_day: count.papers for count in collection.weeks},
        months={count.first_day: count.papers for count in collection.months},
        contributors={clean_text(entry.name): entry.papers for entry in collection.contributors},
        papers=[make_paper_document(entry, site_url) for entry in collection.papers],
        next_cursor=collection.next_cursor,
        is_cut=collection.is_cut,
    )
