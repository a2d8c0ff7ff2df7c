"""The public page of a name: the persons who sign with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jinja2

from digest.core.people.profile import PersonProfile
from digest.core.publishing.person_addresses import (
    NameAddress,
    PersonAddress,
    format_name_address,
    format_person_address,
)
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.papers.cards import format_category
from digest.render.publishing.public_pages.people.identity import clean_name, count_papers, format_years

_MAX_NAMES, _MAX_CATEGORIES, _MAX_AFFILIATION = 6, 3, 160


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePage:
    """The content of the page.

    Attributes:
        is_family_name: whether it is only a family name; then nobody is listed.
        persons: the persons, most papers first.
        remaining: the number of further persons.
        similar_names: names with a similar spelling, if nobody has exactly this one.
    """

    name: str
    is_family_name: bool
    persons: tuple[PersonProfile, ...]
    remaining: int
    similar_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonCard:
    """A person in words.

    Attributes:
        other_names: further printed names.
        facts: number of papers and years.
        categories: the most frequent categories.
        coauthors: the most frequent co-authors, by which readers recognize somebody.
        affiliation: the most frequent affiliation; "" if none is known.
    """

    name: str
    href: str
    other_names: str
    facts: str
    categories: str
    coauthors: str
    affiliation: str


def render_name_page(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: NamePage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, address = branding.locale, NameAddress(name=page.name, language=site.language_parameter)
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_name_address(replace(address, language=name))),
        "name": clean_name(page.name),
        "is_family_name": page.is_family_name,
        "persons": [_make_card(person, branding, site) for person in page.persons],
        "remaining": locale.ngettext(
            "%(num)s more person with fewer papers", "%(num)s more people with fewer papers", page.remaining
        )
        if page.remaining
        else "",
        "similar_names": [
            Link(label=clean_name(name), href=site.link(format_name_address(replace(address, name=name))))
            for name in page.similar_names
        ],
    }
    return fill(environment, "web/people.html", variables).encode()


def _make_card(person: PersonProfile, branding: Branding, site: PublicSite) -> PersonCard:
    locale = branding.locale
    address = PersonAddress(reference=person.reference, language=site.language_parameter)
    names = [clean_name(name) for name in person.names[: _MAX_NAMES + 1]]
    years = format_years(*person.years, locale) if person.years else ""
    return PersonCard(
        name=names[0],
        href=site.link(format_person_address(address)),
        other_names=locale.join_parts(names[1:]),
        facts=" · ".join(filter(None, (count_papers(person.papers, locale), years))),
        categories=locale.join_parts(format_category(name) for name in person.categories[:_MAX_CATEGORIES]),
        coauthors=locale.join_parts(map(clean_name, person.coauthors)),
        affiliation=shorten_line(clean_name(person.affiliations[0]), _MAX_AFFILIATION)
        if person.affiliations
        else "",
    )
