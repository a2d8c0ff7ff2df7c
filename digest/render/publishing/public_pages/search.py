"""The public page of a search: how the query was read, what was found, and how to narrow or widen it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

import jinja2

from digest.core.matching.search.filters import SearchFilters, SearchOrder
from digest.core.matching.search.totals import CountKind, Facets, Total
from digest.core.publishing.addresses import is_filter_name
from digest.core.publishing.coverage import Coverage
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.publishing.search_address import SEARCH_PATH, SearchAddress, format_search_address
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.coverage import describe_coverage
from digest.render.publishing.public_pages.follow_lines import list_query_lines
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.pagination import PageChoice, make_extension
from digest.render.publishing.public_pages.papers.cards import (
    format_category,
    format_day,
    make_listed_cards,
)
from digest.render.publishing.public_pages.signup_form import make_search_form

_MAX_FACETS, _MAX_WIDER = 12, 5
_MAX_LABEL = 80
_CONTEXT_LENGTH = 60
"""Maximum number of characters of a mistaken query that are shown on each side of the mistake."""


class QueryMistake(NamedTuple):
    """A mistake in a query.

    Attributes:
        message: what is wrong and how to write it.
        text: the query, or the part of it with the mistake.
        position: the position of the mistake in ``text``, in characters.
    """

    message: str
    text: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """What a search found.

    Attributes:
        read_as: the query as it was understood.
        hints: whole sentences about what may not have been meant.
        papers: the papers of the page.
        total: the number of papers found.
        facets: counts of the papers found.
        since: the day since which papers were counted and ranked; None if all were.
        next_cursor: where the next page begins; "" if there is none.
        is_cut: whether there are more papers but no further page.
        missing: the number of papers that could not be searched.
        parts: the parts of the query as queries, with what each finds alone; empty if there is only one.
        wider: a part of the query, the query without it, and what that finds; only if nothing was found.
        coverage: what the database knows.
    """

    read_as: str
    hints: tuple[str, ...]
    papers: tuple[ListedPaper, ...]
    total: Total
    facets: Facets
    since: date | None
    next_cursor: str
    is_cut: bool
    missing: int
    parts: tuple[tuple[str, Total], ...]
    wider: tuple[tuple[str, str, Total], ...]
    coverage: Coverage


class FacetGroup(NamedTuple):
    """Choices of a filter; the current one leads to the search without it."""

    label: str
    choices: tuple[PageChoice, ...]


class MarkedMistake(NamedTuple):
    """A mistake, with the query divided at its place."""

    message: str
    before: str
    after: str


def render_search(
    environment: jinja2.Environment,
    branding: Branding,
    site: PublicSite,
    address: SearchAddress,
    outcome: SearchResults | QueryMistake | None,
) -> bytes:
    """Render the page.

    Args:
        environment: the templates.
        branding: the branding.
        site: the site, in the language of the page.
        address: the address of the page.
        outcome: what was found; or the mistake in the query; or None if there is no query.

    Raises:
        RenderError: a template is missing or broken.
    """
    results = outcome if isinstance(outcome, SearchResults) else None
    mistake = outcome if isinstance(outcome, QueryMistake) else None
    locale = branding.locale
    variables = {
        "site": branding,
        "public": make_public_links(
            site, lambda name: format_search_address(replace(address, language=name))
        ),
        "query": remove_unprintable(address.text),
        "language": site.language_parameter,
        "action": site.link(SEARCH_PATH),
        "hidden_fields": tuple(_list_hidden_fields(address)),
        "mistake": mark_mistake(mistake) if mistake else None,
        "results": results is not None,
        "read_as": remove_unprintable(results.read_as) if results else "",
        "hints": [remove_unprintable(hint) for hint in results.hints] if results else [],
        "total": format_total(results.total, locale) if results else "",
        "notes": tuple(_list_notes(results, locale)) if results else (),
        "examples": tuple(_list_examples(address, site, locale)),
        "parts": [_link_part(text, count, address, site, locale) for text, count in results.parts]
        if results
        else [],
        "wider": _list_wider(results, address, site, locale) if results else [],
        "orders": _list_orders(address, site, locale),
        "facets": tuple(_list_facets(results.facets, address, site, branding)) if results else (),
        **_list_papers(results, address, site, branding),
        "follow_lines": tuple(list_query_lines(address.text)) if results else (),
        "form": make_search_form(address.text, site, locale) if results else None,
        "coverage": describe_coverage(results.coverage, locale) if results else "",
    }
    return fill(environment, "web/search.html", variables).encode()


def _list_papers(
    results: SearchResults | None, address: SearchAddress, site: PublicSite, branding: Branding
) -> dict[str, object]:
    """Make the papers of the page, and the link to the next one; empty without results."""
    papers, cursor = (results.papers, results.next_cursor) if results else ((), "")
    next_page = site.link(format_search_address(replace(address, cursor=cursor))) if cursor else ""
    return {
        "cards": make_listed_cards(papers, site, branding),
        "next_page": next_page,
        **make_extension(address.cursor, cursor, papers, branding.locale)._asdict(),
    }


# --- query ----------------------------------------------------------------------------------------


def _list_hidden_fields(address: SearchAddress) -> Iterator[tuple[str, str]]:
    """Yield what the form keeps when another query is typed: order and language."""
    if address.order is not SearchOrder.RELEVANCE:
        yield "order", address.order.value
    if address.language:
        yield "lang", address.language


def mark_mistake(mistake: QueryMistake) -> MarkedMistake:
    """Divide a query at the place of its mistake."""
    start = max(0, mistake.position - _CONTEXT_LENGTH)
    before, after = mistake.text[start : mistake.position], mistake.text[mistake.position :]
    return MarkedMistake(
        message=remove_unprintable(mistake.message),
        before=("…" if start else "") + remove_unprintable(before),
        after=remove_unprintable(after[:_CONTEXT_LENGTH]) + ("…" if len(after) > _CONTEXT_LENGTH else ""),
    )


def _list_examples(address: SearchAddress, site: PublicSite, locale: Locale) -> Iterator[tuple[Link, str]]:
    """Yield queries that show the language, and what each finds."""
    _ = locale.gettext
    for text, meaning in (
        # Translators: what a query finds, like the next five.
        ('"mixture of experts" serving', _("a phrase and a word, in any inflection")),
        ("(cache OR memory) NOT survey", _("one or the other, without a word")),
        ("title:scheduling abs:latency", _("in the title, in the abstract")),
        ('author:"Ada Lovelace"', _("a person, by name or id")),
        ("category:cs.DC has:code", _("a category, and papers whose code is known")),
        ('institution:"ETH Zurich"', _("an institution as it is printed")),
    ):
        yield Link(label=text, href=_link_query(text, address, site)), meaning


def _link_part(text: str, count: Total, address: SearchAddress, site: PublicSite, locale: Locale) -> Link:
    label = f"{shorten_line(remove_unprintable(text), _MAX_LABEL)}: {format_count(count, locale)}"
    return Link(label=label, href=_link_query(text, address, site))


def _list_wider(
    results: SearchResults, address: SearchAddress, site: PublicSite, locale: Locale
) -> list[Link]:
    return [
        Link(
            label=locale.gettext(
                "without %(part)s: %(papers)s",
                part=shorten_line(remove_unprintable(part), _MAX_LABEL),
                papers=format_count(count, locale),
            ),
            href=_link_query(query, address, site),
        )
        for part, query, count in results.wider[:_MAX_WIDER]
    ]


def _link_query(text: str, address: SearchAddress, site: PublicSite) -> str:
    return site.link(
        format_search_address(SearchAddress(text=text, order=address.order, language=address.language))
    )


# --- counts ---------------------------------------------------------------------------------------


def format_count(count: Total, locale: Locale) -> str:
    """Format a number of papers, and how exact it is: ``more than 2,000 papers``."""
    papers = locale.ngettext("%(num)s paper", "%(num)s papers", count.papers)
    match count.kind:
        case CountKind.EXACT:
            return papers
        case CountKind.AT_MOST:
            return locale.gettext("at most %(papers)s", papers=papers)
        case CountKind.MORE_THAN:
            return locale.gettext("more than %(papers)s", papers=papers)


def format_total(total: Total, locale: Locale) -> str:
    """Format a number of papers as a heading: ``More than 2,000 papers``."""
    text = format_count(total, locale)
    return f"{text[:1].upper()}{text[1:]}"


def _list_notes(results: SearchResults, locale: Locale) -> Iterator[str]:
    """Yield sentences about what was not counted, ranked, shown or searched."""
    if results.since:
        yield locale.gettext(
            "There are too many papers to rank all: only the newest, since %(day)s, are counted and ranked.",
            day=format_day(results.since, locale),
        )
    if results.is_cut:
        yield describe_cut(locale)
    if results.missing:
        yield locale.ngettext(
            "%(num)s paper is not in the index yet and was not searched.",
            "%(num)s papers are not in the index yet and were not searched.",
            results.missing,
        )


def describe_cut(locale: Locale) -> str:
    """Say that there are more papers than a list shows."""
    return locale.gettext("A search shows at most 1,000 papers; a narrower one shows the others.")


# --- choices --------------------------------------------------------------------------------------


def _list_orders(address: SearchAddress, site: PublicSite, locale: Locale) -> list[PageChoice]:
    _ = locale.gettext
    labels = {
        # Translators: an order of search results, like the next one.
        SearchOrder.RELEVANCE: _("best match first"),
        SearchOrder.DATE: _("newest first"),
    }
    return [
        PageChoice(
            label,
            order.value,
            site.link(format_search_address(replace(address, order=order, cursor=""))),
            order is address.order,
        )
        for order, label in labels.items()
    ]


def _list_facets(
    facets: Facets, address: SearchAddress, site: PublicSite, branding: Branding
) -> Iterator[FacetGroup]:
    """Yield the filters by which the result can be narrowed; a current one leads back."""
    _ = branding.locale.gettext
    groups: tuple[tuple[str, str, list[tuple[str, object, int]]], ...] = (
        (
            _("Category"),
            "category",
            [(format_category(name), name, count) for name, count in _keep_names(facets.categories)],
        ),
        (_("Year"), "year", [(year, int(year), count) for year, count in facets.years]),
        (
            _("Source"),
            "source",
            [
                (branding.source_titles.get(name, name), name, count)
                for name, count in _keep_names(facets.sources)
            ],
        ),
        (_("Code"), "has_code", [(_("with code"), True, facets.with_code)] if facets.with_code else []),
    )
    for label, field, values in groups:
        choices = tuple(
            PageChoice(
                f"{shorten_line(remove_unprintable(text), _MAX_LABEL)} {branding.locale.number(count)}",
                str(value),
                site.link(format_search_address(_toggle_filter(address, field, value))),
                getattr(address.filters, field) == value,
            )
            for text, value, count in values[:_MAX_FACETS]
        )
        if (
            len(choices) > 1
            or any(choice.is_current for choice in choices)
            or (choices and field == "has_code")
        ):
            yield FacetGroup(label, choices)


def _keep_names(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Keep the names that an address can contain."""
    return [(name, count) for name, count in counts if is_filter_name(name)]


def _toggle_filter(address: SearchAddress, field: str, value: object) -> SearchAddress:
    """Return the address with a value of a filter, or without it if it has that value."""
    is_current = getattr(address.filters, field) == value
    new_value = getattr(SearchFilters(), field) if is_current else value
    return replace(address, filters=replace(address.filters, **{field: new_value}), cursor="")  # type: ignore[arg-type] # of its own type
