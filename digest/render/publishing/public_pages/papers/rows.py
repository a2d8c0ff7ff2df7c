"""Papers in lists with one or two lines each."""

from __future__ import annotations

from dataclasses import dataclass

from digest.core.publishing.addresses import PaperAddress, format_paper_address
from digest.core.publishing.listed_paper import ListedPaper
from digest.core.text.accents import decode_tex_accents
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.paper_view import WHOLE, join_lines, make_paper_texts
from digest.render.publishing.public_pages.links import PublicSite
from digest.render.publishing.public_pages.papers.cards import format_day, format_people

_MAX_TITLE, _MAX_JOURNAL, _MAX_CATEGORIES = 240, 120, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """A paper in a list.

    Attributes:
        people: up to five authors and the number of the others.
        facts: its day, its first categories, and where it was published.
        reason: why it is in the list; "" if that is clear.
    """

    title: str
    href: str
    people: str
    facts: str
    reason: str


def make_paper_row(entry: ListedPaper, site: PublicSite, locale: Locale, reason: str = "") -> PaperRow:
    """Make the row of a paper."""
    paper = entry.paper
    texts = make_paper_texts(paper, WHOLE)
    facts = (
        format_day(entry.day, locale),
        ", ".join(map(remove_unprintable, paper.categories[:_MAX_CATEGORIES])),
        shorten_line(remove_unprintable(join_lines(decode_tex_accents(paper.journal_ref))), _MAX_JOURNAL),
    )
    address = PaperAddress(key=paper.key, language=site.language_parameter)
    return PaperRow(
        title=shorten_line(texts.title, _MAX_TITLE),
        href=site.link(format_paper_address(address)),
        people=format_people(paper, texts.names, locale),
        facts=" · ".join(filter(None, facts)),
        reason=reason,
    )
