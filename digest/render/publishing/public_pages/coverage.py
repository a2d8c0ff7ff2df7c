"""Sentences about which papers the database knows."""

from __future__ import annotations

from collections.abc import Iterator

from digest.core.publishing.coverage import Coverage
from digest.render.languages.locales import Locale
from digest.render.publishing.public_pages.papers.cards import format_day


def describe_coverage(coverage: Coverage, locale: Locale) -> str:
    """Say which papers the page is made of; "" if nothing is known about that."""
    return " ".join(_iter_sentences(coverage, locale))


def _iter_sentences(coverage: Coverage, locale: Locale) -> Iterator[str]:
    _ = locale.gettext
    if coverage.complete_since:
        yield _(
            "This site knows all announcements since %(day)s.",
            day=format_day(coverage.complete_since, locale),
        )
    if coverage.imported_from and coverage.imported_until:
        days = {
            "first": format_day(coverage.imported_from, locale),
            "last": format_day(coverage.imported_until, locale),
        }
        if coverage.complete_since:
            yield _(
                "Of earlier years it knows what was submitted to arXiv from %(first)s to %(last)s.", **days
            )
        else:
            yield _("This site knows what was submitted to arXiv from %(first)s to %(last)s.", **days)
    elif coverage.complete_since:
        yield _("Earlier papers are missing.")
