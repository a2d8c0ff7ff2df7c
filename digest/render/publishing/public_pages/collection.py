"""The public page of a category, an institution or a topic: papers, people, feeds, papers a week."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jinja2

from digest.core.publishing.collection import Collection, Contributor
from digest.core.publishing.collection_addresses import (
    CollectionAddress,
    CollectionKind,
    format_collection_address,
)
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.publishing.search_address import SearchAddress, format_search_address
from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.charts import make_bar_chart
from digest.render.publishing.public_pages.coverage import describe_coverage
from digest.render.publishing.public_pages.follow_lines import list_collection_lines
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.pagination import make_extension
from digest.render.publishing.public_pages.papers.cards import format_category, make_listed_cards
from digest.render.publishing.public_pages.people.identity import clean_name, count_papers
from digest.render.publishing.public_pages.search import describe_cut, format_total
from digest.render.publishing.public_pages.signup_form import make_search_form


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionPage:
    """The content of the page.

    Attributes:
        address: its address.
        title: the title of a topic; "" for others, whose title is their name.
        collection: the papers.
        feeds: the feeds of the same papers.
    """

    address: CollectionAddress
    title: str
    collection: Collection
    feeds: tuple[Link, ...]


def render_collection(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: CollectionPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, collection = branding.locale, page.collection
    address = replace(page.address, language=site.language_parameter)
    periods = collection.weeks or collection.months
    format_label = locale.short_day if collection.weeks else locale.short_month
    format_row = locale.short_day if collection.weeks else locale.month
    variables = {
        "site": branding,
        "public": make_public_links(
            site, lambda name: format_collection_address(replace(address, language=name))
        ),
        "title": _format_title(page),
        "kind": _format_kind(page.address.kind, locale),
        "total": format_total(collection.total, locale),
        "is_first_page": not address.cursor,
        "cards": make_listed_cards(collection.papers, site, branding),
        "next_page": site.link(format_collection_address(replace(address, cursor=collection.next_cursor)))
        if collection.next_cursor
        else "",
        **make_extension(address.cursor, collection.next_cursor, collection.papers, locale)._asdict(),
        "note": describe_cut(locale) if collection.is_cut else "",
        "search": site.link(
            format_search_address(SearchAddress(text=collection.query, language=site.language_parameter))
        ),
        "chart": make_bar_chart([(format_label(count.first_day), count.papers) for count in periods])
        if any(count.papers for count in periods)
        else None,
        "chart_title": locale.gettext("Papers a week")
        if collection.weeks
        else locale.gettext("Papers a month"),
        "periods": [(format_row(count.first_day), locale.number(count.papers)) for count in periods],
        "people": [_link_contributor(entry, site, locale) for entry in collection.contributors],
        "feeds": page.feeds,
        "follow_lines": tuple(list_collection_lines(page.address, collection.query)),
        "form": make_search_form(collection.query, site, locale),
        "coverage": describe_coverage(collection.coverage, locale),
    }
    return fill(environment, "web/collection.html", variables).encode()


def _format_title(page: CollectionPage) -> str:
    if page.address.kind is CollectionKind.CATEGORY:
        return format_category(page.address.name)
    return remove_unprintable(page.title or page.address.name)


def _format_kind(kind: CollectionKind, locale: Locale) -> str:
    match kind:
        case CollectionKind.CATEGORY:
            return locale.gettext("Category")
        case CollectionKind.INSTITUTION:
            return locale.gettext("Institution")
        case CollectionKind.TOPIC:
            # Translators: the word above the title of a page: a subject of research.
            return locale.gettext("Topic")


def _link_contributor(entry: Contributor, site: PublicSite, locale: Locale) -> tuple[Link, str]:
    """Link to a person, with the number of papers in words."""
    address = PersonAddress(reference=f"{entry.key}#{entry.position + 1}", language=site.language_parameter)
    link = Link(label=clean_name(entry.name), href=site.link(format_person_address(address)))
    return link, count_papers(entry.papers, locale)
