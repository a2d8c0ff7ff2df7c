"""What a reader sees before they follow something: what a query would bring, and the persons who share a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from digest.core.language.query import format_author
from digest.core.people.profile import PersonProfile
from digest.core.publishing.addresses import PaperAddress, format_paper_address
from digest.core.publishing.person_addresses import PersonAddress, format_person_address
from digest.core.subscribers.follow_preview import FollowPreview, QuerySuggestion
from digest.model import Event
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.links import Link
from digest.render.papers.paper_view import make_title
from digest.render.publishing.public_pages.links import PublicSite
from digest.render.publishing.public_pages.people.identity import clean_name, count_papers, format_years

_MAX_TITLE, _MAX_AFFILIATION, _MAX_CATEGORIES = 160, 120, 3
_WEEK, _MONTH = 5.0, 21.0
"""Number of announcement days of a week and of a month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionRow:
    """Another query: the query, and what it would bring, in words."""

    query: str
    details: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewRows:
    """What a query would bring, in words.

    Attributes:
        query: the query as typed.
        read_as: how it was read.
        hints: sentences about how it was read, in English.
        rate: how much it brings.
        recent: papers of the last week, each with a link and its day.
        more: how many further papers of the last week there are; "" for none.
        narrower: narrower queries.
        wider: wider queries.
    """

    query: str
    read_as: str
    hints: tuple[str, ...]
    rate: str
    recent: tuple[tuple[Link, str], ...]
    more: str
    narrower: tuple[SuggestionRow, ...]
    wider: tuple[SuggestionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChoice:
    """A person to follow.

    Attributes:
        link: the name, and the person's page.
        details: what tells the person from others with the name.
        query: the query that follows the person.
        has_ids: whether an ID is known, without which papers of others with the name may come as well.
    """

    link: Link
    details: tuple[str, ...]
    query: str
    has_ids: bool


def make_preview_rows(query: str, preview: FollowPreview, site: PublicSite, locale: Locale) -> PreviewRows:
    """Put into words what a query would bring."""
    unshown_count = preview.recent_count - len(preview.recent)
    return PreviewRows(
        query=query,
        read_as=remove_unprintable(preview.read_as),
        hints=tuple(map(remove_unprintable, preview.hints)),
        rate=_describe_found(preview, locale),
        recent=tuple(_make_paper_link(event, site, locale) for event in preview.recent),
        more=locale.ngettext("and %(num)s more", "and %(num)s more", unshown_count) if unshown_count else "",
        narrower=tuple(_make_narrower(suggestion, locale) for suggestion in preview.narrower),
        wider=tuple(_make_wider(suggestion, locale) for suggestion in preview.wider),
    )


def _describe_found(preview: FollowPreview, locale: Locale) -> str:
    if preview.papers_a_day is None:
        return locale.gettext("Nothing was announced here yet, so what it would bring is unknown.")
    if not preview.papers_a_day:
        return locale.gettext("It would have brought nothing in the last 30 days.")
    return locale.gettext("It brings %(rate)s.", rate=describe_rate(preview.papers_a_day, locale))


def describe_rate(papers_a_day: float, locale: Locale) -> str:
    """Describe how much comes: ``about 3 papers a day``.

    Args:
        papers_a_day: the number of papers on an announcement day, on average.
        locale: the language.
    """
    # Translators: follows "It brings" and stands in brackets after a query.
    if papers_a_day >= 1:
        return locale.ngettext("about %(num)s paper a day", "about %(num)s papers a day", round(papers_a_day))
    if papers_a_day * _WEEK >= 1:
        return locale.ngettext(
            "about %(num)s paper a week", "about %(num)s papers a week", round(papers_a_day * _WEEK)
        )
    count = max(1, round(papers_a_day * _MONTH))
    return locale.ngettext("about %(num)s paper a month", "about %(num)s papers a month", count)


def _make_paper_link(event: Event, site: PublicSite, locale: Locale) -> tuple[Link, str]:
    address = PaperAddress(key=event.paper.key, language=site.language_parameter)
    title = shorten_line(make_title(event.paper), _MAX_TITLE)
    return Link(label=title, href=site.link(format_paper_address(address))), locale.whole_day(event.day)


def _make_narrower(suggestion: QuerySuggestion, locale: Locale) -> SuggestionRow:
    return SuggestionRow(query=suggestion.query, details=describe_rate(suggestion.papers_a_day, locale))


def _make_wider(suggestion: QuerySuggestion, locale: Locale) -> SuggestionRow:
    rate = describe_rate(suggestion.papers_a_day, locale)
    return SuggestionRow(
        query=suggestion.query,
        details=locale.gettext(
            "without %(part)s: %(rate)s", part=remove_unprintable(suggestion.removed), rate=rate
        ),
    )


def make_person_choices(
    persons: Sequence[PersonProfile], site: PublicSite, locale: Locale
) -> tuple[PersonChoice, ...]:
    """Put persons into words, so that a reader tells those apart who share a name."""
    return tuple(_make_person_choice(person, site, locale) for person in persons)


def _make_person_choice(person: PersonProfile, site: PublicSite, locale: Locale) -> PersonChoice:
    address = PersonAddress(reference=person.reference, language=site.language_parameter)
    years = format_years(*person.years, locale) if person.years else ""
    facts = (
        count_papers(person.papers, locale),
        years,
        ", ".join(map(remove_unprintable, person.categories[:_MAX_CATEGORIES])),
    )
    affiliation = (
        shorten_line(clean_name(person.affiliations[0]), _MAX_AFFILIATION) if person.affiliations else ""
    )
    coauthors = locale.join_parts(map(clean_name, person.coauthors))
    ids = {scheme: value for scheme, value, _ in reversed(person.ids)}
    return PersonChoice(
        link=Link(label=clean_name(person.names[0]), href=site.link(format_person_address(address))),
        details=tuple(
            filter(
                None,
                (
                    affiliation,
                    locale.gettext("with %(names)s", names=coauthors) if coauthors else "",
                    " · ".join(filter(None, facts)),
                ),
            )
        ),
        query=format_author(person.names[0], tuple(sorted(ids.items()))),
        has_ids=bool(ids),
    )
