"""Public digests that ship with the program, and are switched on by one line of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from digest.config import DigestSettings, FollowSettings, PublicDigestSettings, Settings
from digest.config.settings import DAILY_PAPERS_NAME
from digest.core.language.query import Fact
from digest.core.times.schedule import parse_schedule
from digest.model import DigestOptions

if TYPE_CHECKING:
    from digest.render.languages.locales import Locale


def add_shipped_digests(
    settings: Settings, sources: Iterable[str], load_locale: Callable[[], Locale]
) -> Settings:
    """Return settings with the shipped public digests that the file switches on, before its own.

    Args:
        settings: the configuration.
        sources: the names of its sources.
        load_locale: returns the language of the site, in which readers see their titles.
    """
    if settings.signup is None or not settings.signup.daily_papers:
        return settings
    daily_papers = _make_daily_papers(sources, settings.site.language, load_locale())
    return replace(settings, public_digests=(daily_papers, *settings.public_digests))


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
