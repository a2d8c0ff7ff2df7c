"""The public page of a paper: everything that is said of it, and by whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

import jinja2

from digest.core.matching.search.filters import SimilarOrder
from digest.core.papers.taxonomy import canonicalize_category
from digest.core.publishing.addresses import (
    CitationFormat,
    DayAddress,
    PaperAddress,
    format_day_address,
    format_paper_address,
)
from digest.core.publishing.collection_addresses import CollectionKind
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.publishing.related_papers import RelatedPapers
from digest.core.text.accents import decode_tex_accents
from digest.core.text.words import tex_to_unicode
from digest.model import (
    Event,
    EventKind,
    ListingKind,
    Paper,
    PaperKey,
    Signal,
    Statement,
)
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.bibtex import format_bibtex
from digest.render.papers.citations import format_csl_json, format_ris
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import (
    Link,
    make_license_link,
    make_links,
    make_reading_links,
    make_valid_address,
)
from digest.render.papers.marks import describe_growth, format_mark
from digest.render.papers.paper_view import WHOLE, join_lines, make_paper_texts
from digest.render.papers.signals import list_dated_counts
from digest.render.publishing.public_pages.follow_lines import list_paper_lines
from digest.render.publishing.public_pages.links import PublicSite, link_collection, make_public_links
from digest.render.publishing.public_pages.papers.cards import format_category, make_event
from digest.render.publishing.public_pages.papers.metadata import (
    clean_lines,
    get_id,
    list_metadata,
    make_structured_data,
)
from digest.render.publishing.public_pages.papers.related import make_related_lists

CITATION_TYPES = {
    CitationFormat.BIBTEX: "application/x-bibtex; charset=utf-8",
    CitationFormat.RIS: "application/x-research-info-systems; charset=utf-8",
    CitationFormat.CSL: "application/vnd.citationstyles.csl+json",
}
_CITATION_LABELS = {
    CitationFormat.BIBTEX: "BibTeX",
    CitationFormat.RIS: "RIS",
    CitationFormat.CSL: "CSL JSON",
}
_MAX_VALUE = 300
"""Maximum length of what a source says about a field, in characters."""
_MAX_AUTHORS, _MAX_FIRST_AUTHORS = 200, 40
"""Maximum number of authors on the page, as a paper can have thousands, and of those who are not folded away."""
_MAX_DESCRIPTION = 300
_REPLACED = frozenset({ListingKind.REPLACE, ListingKind.REPLACE_CROSS})


class PaperListing(NamedTuple):
    """A listing of the paper.

    Attributes:
        submitter: the name of the person who picked it; "" if nobody is named.
    """

    day: date
    source: str
    section: str
    kind: ListingKind
    submitter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPaper:
    """The content of the page.

    Attributes:
        paper: the paper, merged from all statements.
        statements: what each source says about each version.
        claims: its ids: key of the paper that claims the id, scheme, value, and whether it was separated.
        listings: where it was listed.
        events: its events, in order.
        signals: the latest numbers about it.
        related: similar papers, those that it cites, and those that cite it.
        similar_order: the order of the similar ones.
    """

    paper: Paper
    statements: Sequence[Statement]
    claims: Sequence[tuple[PaperKey, str, str, bool]]
    listings: Sequence[PaperListing]
    events: Sequence[Event]
    signals: Sequence[Signal]
    related: RelatedPapers
    similar_order: SimilarOrder


class PaperAuthor(NamedTuple):
    """An author.

    Attributes:
        href: the page of the person.
        affiliations: the affiliations, each with the page of its papers.
    """

    name: str
    href: str
    affiliations: tuple[Link, ...]


class HistoryEntry(NamedTuple):
    """What happened to the paper on a day.

    Attributes:
        day: the day, in words.
        iso_day: the same as ``2026-06-12``.
        href: the papers of that day.
        texts: what happened.
    """

    day: str
    iso_day: str
    href: str
    texts: tuple[str, ...]


class StatementRow(NamedTuple):
    """What sources say about a field.

    Attributes:
        label: the name of the field.
        variants: pairs of a value and the sources that state it, or for an id "" or a note about it.
    """

    label: str
    variants: tuple[tuple[str, str], ...]


def render_public_paper(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, content: PublicPaper
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, paper, language = branding.locale, content.paper, site.language_parameter
    address = PaperAddress(key=paper.key, similar_order=content.similar_order, language=language)
    texts = make_paper_texts(paper, WHOLE)
    event, first_day = _make_event(content), _find_first_day(content)
    authors = _list_authors(paper, texts.names, site)
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_paper_address(replace(address, language=name))),
        "title": texts.title,
        "url": make_valid_address(paper.url),
        "description": shorten_line(texts.abstract, _MAX_DESCRIPTION),
        "metadata": tuple(list_metadata(paper, first_day)),
        "structured_data": make_structured_data(
            paper, first_day, f"{site.url}{format_paper_address(PaperAddress(key=paper.key))}"
        ),
        "withdrawn": locale.gettext("withdrawn") if paper.withdrawn else "",
        "authors": authors[:_MAX_FIRST_AUTHORS],
        "other_authors": authors[_MAX_FIRST_AUTHORS:],
        "other_author_count": _count_authors_after(_MAX_FIRST_AUTHORS, paper, locale),
        "more_authors": _count_authors_after(_MAX_AUTHORS, paper, locale),
        "organizations": "; ".join(clean_lines(paper.organizations)),
        "categories": _link_categories(paper, site),
        "abstract": texts.abstract,
        "license": make_license_link(paper),
        "links": _list_links(event, branding),
        "counts": tuple(Link(label=text, href=url) for text, url in list_dated_counts(event, branding)),
        "unity": _describe_unity(content, locale),
        "history": _list_history(content, site, branding),
        "statements": (*_list_statements(content, branding), _make_id_row(content, locale)),
        "citations": _link_citations(paper, site),
        "bibtex": format_bibtex([replace(paper, abstract="")]),
        "follow_lines": tuple(list_paper_lines(paper)),
        **make_related_lists(content.related, address, site, branding),
    }
    return fill(environment, "web/public_paper.html", variables).encode()


def _link_citations(paper: Paper, site: PublicSite) -> tuple[Link, ...]:
    return tuple(
        Link(
            label=label,
            href=site.link(format_paper_address(PaperAddress(key=paper.key, citation=citation))),
            type=CITATION_TYPES[citation].partition(";")[0],
        )
        for citation, label in _CITATION_LABELS.items()
    )


def render_citation(paper: Paper, citation: CitationFormat) -> bytes:
    """Render the citation of a paper as a file."""
    match citation:
        case CitationFormat.BIBTEX:
            return format_bibtex([paper]).encode()
        case CitationFormat.RIS:
            return format_ris(paper).encode()
        case CitationFormat.CSL:
            return format_csl_json(paper).encode()


def _make_event(content: PublicPaper) -> Event:
    """Make an event with the signals of the paper, as links and numbers are made from one."""
    if content.events:
        return replace(content.events[-1], paper=content.paper, signals=tuple(content.signals))
    return make_event(content.paper, _find_first_day(content), content.signals)


def _find_first_day(content: PublicPaper) -> date | None:
    """Return the day on which the paper came; None if it was never announced here."""
    days = [event.day for event in content.events] or [entry.day for entry in content.listings]
    return min(days, default=None)


def _link_categories(paper: Paper, site: PublicSite) -> tuple[Link, ...]:
    return tuple(
        Link(
            label=format_category(category),
            href=link_collection(CollectionKind.CATEGORY, canonicalize_category(category), site),
        )
        for category in paper.categories
    )


def _list_links(event: Event, branding: Branding) -> tuple[Link, ...]:
    """List all links: texts first, then DOI, code, projects and discussions."""
    own_links = make_reading_links(event.paper, branding.locale)
    links = {
        href: replace(link, href=href)
        for link in (*own_links, *make_links(event, branding))
        if (href := make_valid_address(link.href))
    }
    return tuple(links.values())


# --- people ---------------------------------------------------------------------------------------


def _list_authors(paper: Paper, names: Sequence[str], site: PublicSite) -> tuple[PaperAuthor, ...]:
    authors = list(zip(names, paper.authors, strict=True))[:_MAX_AUTHORS]
    return tuple(
        PaperAuthor(
            name,
            site.link(
                format_person_address(
                    PersonAddress(reference=f"{paper.key}#{position}", language=site.language_parameter)
                )
            ),
            _link_institutions(author.affiliations, site),
        )
        for position, (name, author) in enumerate(authors, start=1)
    )


def _link_institutions(affiliations: Sequence[str], site: PublicSite) -> tuple[Link, ...]:
    return tuple(
        Link(label=name, href=link_collection(CollectionKind.INSTITUTION, name, site))
        for name in clean_lines(affiliations)
    )


def _count_authors_after(count: int, paper: Paper, locale: Locale) -> str:
    hidden_count = len(paper.authors) - count
    if hidden_count <= 0:
        return ""
    return locale.ngettext("%(num)s more author", "%(num)s more authors", hidden_count)


# --- history --------------------------------------------------------------------------------------


def _describe_unity(content: PublicPaper, locale: Locale) -> str:
    """Say that a preprint and its publication are one paper here; "" if there is only one of them."""
    arxiv_id, doi = get_id(content.paper, "arxiv"), content.paper.doi
    if not arxiv_id or not doi:
        return ""
    journal = join_lines(content.paper.journal_ref)
    if journal:
        return locale.gettext(
            "The preprint arXiv:%(preprint)s and its publication (%(journal)s, DOI %(doi)s) are one paper here.",
            preprint=arxiv_id,
            journal=remove_unprintable(journal),
            doi=remove_unprintable(doi),
        )
    return locale.gettext(
        "The preprint arXiv:%(preprint)s and its publication (DOI %(doi)s) are one paper here.",
        preprint=arxiv_id,
        doi=remove_unprintable(doi),
    )


def _list_history(content: PublicPaper, site: PublicSite, branding: Branding) -> tuple[HistoryEntry, ...]:
    locale = branding.locale
    texts_by_day: dict[date, dict[str, None]] = {}
    for day, text in (*_list_announcements(content, branding), *_list_later_events(content, locale)):
        texts_by_day.setdefault(day, {})[text] = None
    return tuple(
        HistoryEntry(
            locale.whole_day(day),
            day.isoformat(),
            site.link(format_day_address(DayAddress(day=day, language=site.language_parameter))),
            tuple(map(remove_unprintable, texts)),
        )
        for day, texts in sorted(texts_by_day.items())
    )


def _list_announcements(content: PublicPaper, branding: Branding) -> Iterator[tuple[date, str]]:
    """Yield what each source listed on a day, its sections together."""
    _, locale = branding.locale.gettext, branding.locale
    groups: dict[tuple[date, str, ListingKind, str], list[str]] = {}
    for entry in sorted(content.listings):
        kind = ListingKind.REPLACE if entry.kind in _REPLACED else entry.kind
        groups.setdefault((entry.day, entry.source, kind, entry.submitter), []).append(entry.section)
    for (day, source, kind, submitter), sections in groups.items():
        title = branding.source_titles.get(source, source)
        names = [name for name in dict.fromkeys(sections) if name.casefold() not in title.casefold().split()]
        place = f"{title} {locale.listed(names)}".strip()
        match kind:
            case ListingKind.NEW:
                # Translators: a source with its sections: "new in arXiv cs.DC and cs.LG".
                yield day, _("new in %(place)s", place=place)
            case ListingKind.CROSS:
                yield day, _("also listed in %(place)s", place=place)
            case ListingKind.PICKED if submitter:
                yield day, _("picked by %(name)s on %(place)s", name=submitter, place=place)
            case ListingKind.PICKED:
                yield day, _("picked on %(place)s", place=place)
            case ListingKind.PUBLISHED:
                yield day, _("published in %(place)s", place=place)
            case _:
                yield day, _("new version in %(place)s", place=place)


def _list_later_events(content: PublicPaper, locale: Locale) -> Iterator[tuple[date, str]]:
    """Yield the events that no listing tells of."""
    _, listed_days = locale.gettext, {entry.day for entry in content.listings}
    for event in content.events:
        match event.kind:
            case EventKind.VERSION if event.number:
                yield event.day, format_mark(event, locale)
            case EventKind.PUBLISHED if join_lines(event.paper.journal_ref):
                yield event.day, _("now published: %(where)s", where=join_lines(event.paper.journal_ref))
            case EventKind.PUBLISHED:
                yield event.day, _("now published")
            case EventKind.CODE:
                yield event.day, _("code found")
            case EventKind.GROWN:
                yield event.day, describe_growth(event, locale)
            case EventKind.TRENDING:
                yield event.day, format_mark(event, locale)
            case _ if event.day not in listed_days:
                yield event.day, format_mark(event, locale) or _("announced")
            case _:
                pass


# --- who says what --------------------------------------------------------------------------------


def _list_statements(content: PublicPaper, branding: Branding) -> Iterator[StatementRow]:
    """Yield what sources say about each field, equal values together."""
    for name, label in _label_fields(branding.locale).items():
        sources_by_value: dict[str, dict[str, None]] = {}
        for statement in content.statements:
            if value := _format_value(statement.paper, name, branding.locale):
                sources = sources_by_value.setdefault(value, {})
                sources[branding.source_titles.get(statement.source, statement.source)] = None
        if sources_by_value:
            values = (
                (value, branding.locale.listed(list(names))) for value, names in sources_by_value.items()
            )
            yield StatementRow(label, tuple(values))


def _label_fields(locale: Locale) -> Mapping[str, str]:
    _ = locale.gettext
    return {
        "title": _("Title"),
        "authors": _("Authors"),
        "organizations": _("Organizations"),
        "categories": _("Categories"),
        "version": _("Version"),
        "withdrawn": _("Withdrawn"),
        "doi": "DOI",
        "journal_ref": _("Published in"),
        "comment": _("Comment of the authors"),
        "abstract": _("Abstract"),
        "license_url": _("License"),
        "url": _("Page"),
        "pdf_url": "PDF",
        "code_urls": _("Code"),
        "project_urls": _("Project"),
    }


def _format_value(paper: Paper, name: str, locale: Locale) -> str:
    value = getattr(paper, name)
    match name:
        case "authors":
            text = ", ".join(author.name for author in value)
        case "withdrawn":
            text = locale.gettext("withdrawn") if value else ""
        case "version":
            text = locale.number(value) if value and paper.version_told else ""
        case "title" | "abstract" | "comment" | "journal_ref":
            text = tex_to_unicode(value)
        case _:
            text = value if isinstance(value, str) else ", ".join(value)
    return shorten_line(remove_unprintable(join_lines(decode_tex_accents(text))), _MAX_VALUE)


def _make_id_row(content: PublicPaper, locale: Locale) -> StatementRow:
    _ = locale.gettext
    notes: dict[str, str] = {}
    for key, scheme, value, is_apart in content.claims:
        name = remove_unprintable(f"{scheme}:{value}")
        if is_apart:
            notes[name] = _("separated: another paper's")
        elif name != key:
            notes.setdefault(name, _("according to %(source)s", source=remove_unprintable(key)))
        else:
            notes[name] = ""
    return StatementRow("ID", tuple(sorted(notes.items())))
