"""The public page of a person: who that is and how sure it is, papers by year, co-authors, and numbers of services."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import NamedTuple

import jinja2

from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.publishing.public_person import PersonPaper, PublicPerson
from digest.model import Signal
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.languages.locales import Locale
from digest.render.publishing.public_pages.charts import (
    NARROW_LAYOUT,
    WIDE_LAYOUT,
    BarChart,
    CoauthorGraph,
    GraphLayout,
    make_bar_chart,
    make_coauthor_graph,
    shorten_node_name,
)
from digest.render.publishing.public_pages.coverage import describe_coverage
from digest.render.publishing.public_pages.follow_lines import list_person_lines, make_person_query
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.pagination import extend_numbered, make_pagination
from digest.render.publishing.public_pages.papers.cards import MAX_AUTHORS, format_category
from digest.render.publishing.public_pages.papers.rows import PaperRow, make_paper_row
from digest.render.publishing.public_pages.people.identity import (
    clean_name,
    count_papers,
    describe_certainty,
    link_namesakes,
    list_affiliations,
    list_ids,
)
from digest.render.publishing.public_pages.signup_form import make_search_form

_MAX_NAME, _MAX_TITLE = 200, 240
_MAX_AFFILIATION = 160
_MAX_OTHER_NAMES = 8
_MIN_GRAPH_SIZE = 3
"""Minimum number of co-authors for a graph; a smaller one says no more than the table."""


class CoauthorRow(NamedTuple):
    """A co-author.

    Attributes:
        papers: the number of common papers, in words.
        weight: the weight with two decimals.
        short_name: the name as the graph shows it.
    """

    name: str
    href: str
    papers: str
    weight: str
    short_name: str


def render_person(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, person: PublicPerson
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, language = branding.locale, site.language_parameter
    reference = f"{person.key}#{person.position + 1}"
    address = PersonAddress(reference=reference, page=person.page, language=language)
    names = [clean_name(name) for name in person.names]
    variables = {
        "site": branding,
        "public": make_public_links(
            site, lambda name: format_person_address(replace(address, language=name))
        ),
        "name": names[0],
        "other_names": locale.join_parts(names[1 : _MAX_OTHER_NAMES + 1]),
        "certainty": describe_certainty(person, locale),
        "namesakes": link_namesakes(person, site, locale),
        "affiliations": list_affiliations(person, branding),
        "ids": tuple(list_ids(person, locale)),
        "numbers": tuple(describe_numbers(person.signals, branding)),
        "chart": _make_year_chart(person),
        "years": [(year, locale.number(count)) for year, count in person.years.items()],
        "categories": [(format_category(name), locale.number(count)) for name, count in person.categories],
        "graph": _make_graph(person, WIDE_LAYOUT),
        "narrow_graph": _make_graph(person, NARROW_LAYOUT),
        "coauthors": _list_coauthors(person, site, locale),
        "skipped": _describe_skipped(person, locale),
        "total": count_papers(person.paper_count, locale),
        "papers": [_make_paper_row(paper, site, locale) for paper in person.person_papers],
        "pagination": make_pagination(
            person.page,
            person.pages,
            lambda page: site.link(format_person_address(replace(address, page=page))),
            locale,
        ),
        **extend_numbered(person.page, person.pages, person.person_papers, locale)._asdict(),
        "coverage": describe_coverage(person.coverage, locale),
        "follow_lines": tuple(list_person_lines(person)),
        "form": make_search_form(make_person_query(person), site, locale),
    }
    return fill(environment, "web/person.html", variables).encode()


# --- numbers --------------------------------------------------------------------------------------


def describe_numbers(signals: Sequence[Signal], branding: Branding) -> Iterator[str]:
    """Yield the numbers of each service, with what they count: "h-index 18 of 47 papers, Semantic Scholar, 12 Jun".

    An h-index of one database beside a number of papers of another would say something wrong.
    """
    locale = branding.locale
    ordered = sorted(signals, key=lambda signal: (signal.source, signal.subject))
    for (source, _subject), group in groupby(ordered, key=lambda signal: (signal.source, signal.subject)):
        by_kind = {signal.kind: signal for signal in group}
        counts = [
            text
            for kind in ("citations", "h-index")
            if kind in by_kind and (text := _format_number(by_kind[kind], locale))
        ]
        if counts:
            papers = by_kind.get("papers")
            yield _join_numbers(
                counts,
                papers,
                branding.source_titles.get(source, source),
                max(signal.day for signal in by_kind.values()),
                locale,
            )


def _format_number(signal: Signal, locale: Locale) -> str:
    number = int(signal.value)
    if signal.kind == "citations":
        return locale.ngettext("%(num)s citation", "%(num)s citations", number)
    return locale.gettext("h-index %(number)s", number=locale.number(number))


def _join_numbers(
    counts: Sequence[str], papers: Signal | None, source: str, day: date, locale: Locale
) -> str:
    _ = locale.gettext
    numbers = locale.join_parts(counts)
    if papers is None:
        return _("%(counts)s: %(source)s, %(day)s", counts=numbers, source=source, day=locale.short_day(day))
    # Translators: numbers about a person: "812 citations, h-index 18 of 47 papers: Semantic Scholar, 12 Jun".
    return _(
        "%(counts)s of %(papers)s: %(source)s, %(day)s",
        counts=numbers,
        papers=count_papers(int(papers.value), locale),
        source=source,
        day=locale.short_day(day),
    )


def _make_year_chart(person: PublicPerson) -> BarChart | None:
    """Make the chart of papers by year; years without papers have an empty bar. One year needs no chart."""
    if len(person.years) < 2:
        return None
    years = range(min(person.years), max(person.years) + 1)
    return make_bar_chart([(str(year), person.years.get(year, 0)) for year in years])


# --- people and papers ----------------------------------------------------------------------------


def _make_graph(person: PublicPerson, layout: GraphLayout) -> CoauthorGraph | None:
    if len(person.coauthorship.coauthors) < _MIN_GRAPH_SIZE:
        return None
    return make_coauthor_graph(person.coauthorship, layout)


def _list_coauthors(person: PublicPerson, site: PublicSite, locale: Locale) -> list[CoauthorRow]:
    rows = []
    for coauthor in person.coauthorship.coauthors:
        number, position = coauthor.place
        reference = f"{person.coauthor_keys[number]}#{position + 1}"
        address = PersonAddress(reference=reference, language=site.language_parameter)
        name = clean_name(coauthor.name)
        rows.append(
            CoauthorRow(
                name=name,
                href=site.link(format_person_address(address)),
                papers=count_papers(coauthor.papers, locale),
                weight=f"{coauthor.weight:.2f}",
                short_name=shorten_node_name(name),
            )
        )
    return rows


def _describe_skipped(person: PublicPerson, locale: Locale) -> str:
    skipped = person.coauthorship.skipped_papers
    if not skipped:
        return ""
    return locale.ngettext(
        "%(num)s paper with more than 30 authors is left out here.",
        "%(num)s papers with more than 30 authors are left out here.",
        skipped,
    )


def _make_paper_row(entry: PersonPaper, site: PublicSite, locale: Locale) -> PaperRow:
    """Make the row of a paper with its year, and with the person among the first authors."""
    paper = entry.paper
    if entry.position >= MAX_AUTHORS:
        authors = list(paper.authors)
        authors[MAX_AUTHORS - 1] = authors[entry.position]
        paper = replace(paper, authors=tuple(authors))
    row = make_paper_row(ListedPaper(paper=paper, day=None, signals=()), site, locale)
    year = str(entry.year) if entry.year else ""
    return replace(row, facts=" · ".join(filter(None, (year, row.facts))))
