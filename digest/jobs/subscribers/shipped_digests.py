"""Public digests that ship with the program, and are switched on by one line of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from digest.config import DigestSettings, FollowSettings, PublicDigestSettings, Settings
from digest.config.settings import DAILY_PAPERS_NAME, TRENDING_NAME
from digest.core.language.query import Fact
from digest.core.papers.trends import MAX_TRENDING_EVENTS
from digest.core.times.schedule import parse_schedule
from digest.model import DigestOptions, EventKind
from digest.ports import Enricher, Source

if TYPE_CHECKING:
    from digest.render.languages.locales import Locale

_WARNING_WITHOUT_VOTES = """\
trending = true in [signup] has no effect, because no source counts votes: add [[source]] or [[enricher]] with \
use = "hf_daily", or remove the line"""


def add_shipped_digests(
    settings: Settings,
    sources: Mapping[str, Source],
    enrichers: Mapping[str, Enricher],
    load_locale: Callable[[], Locale],
) -> Settings:
    """Return settings with the shipped public digests that the file switches on, before its own.

    Where nobody counts votes, the digest of trending papers is replaced by a warning.

    Args:
        settings: the configuration.
        sources: its sources, by name.
        enrichers: its enrichers, by name.
        load_locale: returns the language of the site, in which readers see their titles.
    """
    signup = settings.signup
    if signup is None or not signup.shipped_digests:
        return settings
    locale, language = load_locale(), settings.site.language
    has_votes = any(service.has_votes for service in (*sources.values(), *enrichers.values()))
    shipped = []
    if signup.daily_papers:
        shipped.append(_make_daily_papers(sources, language, locale))
    if signup.trending and has_votes:
        shipped.append(_make_trending(language, locale))
    warnings = (_WARNING_WITHOUT_VOTES,) if signup.trending and not has_votes else ()
    return replace(
        settings,
        public_digests=(*shipped, *settings.public_digests),
        warnings=(*settings.warnings, *warnings),
    )


def _make_daily_papers(sources: Iterable[str], language: str, locale: Locale) -> PublicDigestSettings:
    """Return the public digest of all new papers: it follows each source as a whole."""
    queries = [str(Fact(field="source", value=name.lower())) for name in sources]
    return PublicDigestSettings(
        description=locale.gettext("All new papers, the best first."),
        digest=DigestSettings(
            name=DAILY_PAPERS_NAME,
            title=locale.gettext("Daily papers"),
            schedule=parse_schedule("weekdays 07:30", zone="UTC"),
            follows=tuple(FollowSettings(text=query, query=query) for query in queries),
            options=DigestOptions(language=language),
        ),
    )


def _make_trending(language: str, locale: Locale) -> PublicDigestSettings:
    """Return the public digest of trending papers.

    It comes on weekdays: the papers of one day are in the order of their votes, and an edition has room for all of them.
    """
    query = str(Fact(field="kind", value=EventKind.TRENDING.value))
    return PublicDigestSettings(
        description=locale.gettext("The papers that gained the most votes in a week, each of them once."),
        digest=DigestSettings(
            name=TRENDING_NAME,
            title=locale.gettext("Trending"),
            schedule=parse_schedule("weekdays 07:30", zone="UTC"),
            follows=(FollowSettings(text=query, query=query),),
            options=DigestOptions(language=language, kinds=(EventKind.TRENDING,), limit=MAX_TRENDING_EVENTS),
        ),
    )
