"""Who the person of a public page is: certainty, namesakes, affiliations and IDs, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from digest.core.people.ties import Tie
from digest.core.publishing.person_addresses import NameAddress, format_name_address
from digest.core.publishing.public_person import PublicPerson
from digest.core.text.accents import decode_tex_accents
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link
from digest.render.papers.paper_view import join_lines
from digest.render.publishing.public_pages.links import PublicSite

_MAX_NAME, _MAX_AFFILIATION = 200, 160
_ID_PAGES = {
    "orcid": ("ORCID", "https://orcid.org/"),
    "openalex": ("OpenAlex", "https://openalex.org/"),
    "s2": ("Semantic Scholar", "https://www.semanticscholar.org/author/"),
    "dblp": ("DBLP", "https://dblp.org/pid/"),
    "arxiv": ("arXiv", "https://arxiv.org/a/"),
    "hf": ("Hugging Face", "https://huggingface.co/"),
}


class AffiliationRow(NamedTuple):
    """An affiliation, in words.

    Attributes:
        years: "2024", "2019 to 2024" or "".
        sources: who states it.
    """

    name: str
    years: str
    sources: str


class IdRow(NamedTuple):
    """An ID.

    Attributes:
        service: the name of the service.
        link: the ID with the address of the person's page there.
        stated_by: who states it, in words.
    """

    service: str
    link: Link
    stated_by: str


def clean_name(name: str) -> str:
    """Return a printed name in Unicode, on one line."""
    return shorten_line(remove_unprintable(join_lines(decode_tex_accents(name))), _MAX_NAME)


def count_papers(count: int, locale: Locale) -> str:
    """Return a number of papers in words."""
    return locale.ngettext("%(num)s paper", "%(num)s papers", count)


def describe_certainty(person: PublicPerson, locale: Locale) -> str:
    """Say how sure it is that the papers are by one person: ``9 of 11 papers by an ID, 2 by co-authors``."""
    _ = locale.gettext
    if person.ties.get(Tie.NONE):
        return _("This is the only paper that is known of this person, so nothing confirms who it is.")
    reasons = [_describe_tie(tie, locale.number(count), locale) for tie, count in person.ties.items()]
    return _(
        "How sure it is that these are by one person: of %(papers)s, %(reasons)s.",
        papers=count_papers(person.paper_count, locale),
        reasons=locale.join_parts(reasons),
    )


def _describe_tie(tie: Tie, number: str, locale: Locale) -> str:
    _ = locale.gettext
    match tie:
        case Tie.STATEMENT:
            # Translators: why papers are taken to be by one person, after "of 11 papers": like the next four.
            return _("%(number)s by a correction", number=number)
        case Tie.ID:
            return _("%(number)s by an ID", number=number)
        case Tie.COAUTHOR:
            return _("%(number)s by co-authors", number=number)
        case Tie.WORKPLACE:
            return _("%(number)s by the affiliation", number=number)
        case _:
            return _("%(number)s only by name and field", number=number)


def link_namesakes(person: PublicPerson, site: PublicSite, locale: Locale) -> Link:
    """Link to all persons with the name; both texts are "" if there is no other one."""
    if not person.namesakes:
        return Link(label="", href="")
    text = locale.gettext("Other people sign with this name, too.")
    address = NameAddress(name=clean_name(person.names[0]), language=site.language_parameter)
    return Link(label=text, href=site.link(format_name_address(address)))


def list_affiliations(person: PublicPerson, branding: Branding) -> list[AffiliationRow]:
    """List the affiliations."""
    return [
        AffiliationRow(
            shorten_line(clean_name(entry.name), _MAX_AFFILIATION),
            format_years(entry.first_year, entry.last_year, branding.locale),
            branding.locale.join_parts(branding.source_titles.get(name, name) for name in entry.sources),
        )
        for entry in person.affiliations
    ]


def format_years(first: int | None, last: int | None, locale: Locale) -> str:
    """Format a period of years: ``2024``, ``2019 to 2024``, or "" if it is unknown."""
    if first is None or last is None:
        return ""
    if first == last:
        return str(first)
    # Translators: a period of years: "2019 to 2024".
    return locale.gettext("%(first)s to %(last)s", first=str(first), last=str(last))


def list_ids(person: PublicPerson, locale: Locale) -> Iterator[IdRow]:
    """Yield the IDs."""
    _ = locale.gettext
    for scheme, value, stated_by in person.ids:
        service, address = _ID_PAGES.get(scheme, (scheme, ""))
        text = (
            _("according to %(source)s", source=remove_unprintable(stated_by))
            if stated_by
            else _("printed on papers")
        )
        label = remove_unprintable(value)
        yield IdRow(service, Link(label=label, href=f"{address}{label}" if address else ""), text)
