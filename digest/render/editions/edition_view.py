"""The view of an edition for templates: finished strings, so that a template decides only about the layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote

from digest.model import Abstracts, Edition, Item
from digest.render.branding import Branding
from digest.render.editions.completeness import Completeness, describe_completeness
from digest.render.editions.digest_changes import describe_changes
from digest.render.editions.layout import FEATURED_COUNT, Layout, PlacedItem, ViewLimits, make_layout
from digest.render.editions.overview import Overview, has_overview, make_overview
from digest.render.editions.summary import get_local_time, join_counts, list_counts
from digest.render.editions.undelivered import UndeliveredNotice, make_undelivered_notice
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.paper_view import PaperView, make_paper_view, make_title

_PREHEADER_TITLES = 3
"""Number of titles in a preheader."""
_MAX_PREHEADER = 200
"""Maximum length of a preheader, in characters; mail programs show about 90."""
_MAX_DAYS = 7
"""Maximum number of days named in the sentence on late papers; if there are more, only the first and the last
are named.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSection:
    """A part of an edition.

    Attributes:
        heading: its heading; "" if it needs none, because it is the first or continues the section before.
        papers: its papers.
        is_featured: whether it consists of the first papers, which have more room than others in a mail and stand
            before an overview.
    """

    heading: str
    papers: Iterable[PaperView]
    is_featured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """The view of an edition for templates.

    Attributes:
        title: the title of the digest.
        day: ``Friday 12 June 2026``.
        counts: ``7 new · 1 maybe · 3 picked``.
        preheader: the titles of the first papers, which mail programs show next to the subject; "" if it is empty.
        account: how complete the edition is.
        empty: why it is empty; "" if it is not.
        sections: the papers shown in full.
        rest: the papers shown as one line each.
        more: the link text for the papers that are only on the page, ``12 more on the page``; "" for none.
        unshown: the sentences on papers shown nowhere, and on papers that come in the next edition; "" for
            none.
        excluded: the sentence on papers that exclusions removed; "" for none.
        stop_mail: a mailto link that unsubscribes; "" if there is no contact.
        missed: the notice of earlier editions that were not delivered; None for none.
        changes: the notice of changes of the digest, in sentences; "" for none.
        overview: the overview of a weekly or monthly edition; None for others.
    """

    title: str
    day: str
    counts: str
    preheader: str
    account: Completeness
    empty: str
    sections: tuple[EditionSection, ...]
    rest: Iterable[PaperView]
    more: str
    unshown: str
    excluded: str
    stop_mail: str
    missed: UndeliveredNotice | None = None
    changes: str = ""
    overview: Overview | None = None

    @property
    def titles(self) -> tuple[PaperView, ...]:
        """Nothing: the former table of contents, for users' templates. Remove it in the next release."""
        return ()

    @property
    def featured_sections(self) -> tuple[EditionSection, ...]:
        """The sections of the first papers; a weekly or monthly edition has its overview below them."""
        return tuple(section for section in self.sections if section.is_featured)

    @property
    def further_sections(self) -> tuple[EditionSection, ...]:
        """The sections of the papers after the first ones."""
        return tuple(section for section in self.sections if not section.is_featured)


def make_whole_view(
    edition: Edition, branding: Branding, abstracts: Abstracts = Abstracts.FULL
) -> EditionView:
    """Make the view of all of an edition.

    Args:
        edition: the content.
        branding: the branding of the site.
        abstracts: how much of each abstract is shown, whatever its mail shows.
    """
    return make_edition_view(edition, branding, _make_whole_limits(edition, abstracts))


def make_page_view(
    edition: Edition, branding: Branding, abstracts: Abstracts = Abstracts.FULL
) -> EditionView:
    """Make the view of all of an edition on one page, on which an overview stands below the first papers, as in a mail.

    The parameters are those of ``make_whole_view``.
    """
    view_limits = _make_whole_limits(edition, abstracts)
    if has_overview(edition):
        view_limits = view_limits._replace(featured=FEATURED_COUNT)
    return make_edition_view(edition, branding, view_limits)


def _make_whole_limits(edition: Edition, abstracts: Abstracts) -> ViewLimits:
    return ViewLimits(abstracts, len(edition.items), len(edition.overflow), is_whole=True, featured=0)


def make_edition_view(
    edition: Edition, branding: Branding, view_limits: ViewLimits, *, on_page: bool = False
) -> EditionView:
    """Make the view of an edition within limits.

    Args:
        edition: the content.
        branding: the branding of the site.
        view_limits: how much of it is shown.
        on_page: whether the view links to a page that shows the whole edition.
    """
    layout = make_layout(edition, view_limits, branding.locale)
    completeness = add_late_papers(
        describe_due_completeness(edition, branding), layout.items, branding.locale
    )
    without_papers = make_view_without_papers(
        edition,
        branding,
        view_limits,
        completeness,
        counts=list_counts(edition, branding.locale),
        first_titles=list_first_titles(layout),
        on_page=on_page,
    )
    return replace(
        without_papers,
        sections=tuple(
            EditionSection(
                heading=section.heading,
                papers=_make_paper_views(section.items, branding),
                is_featured=section.is_featured,
            )
            for section in layout.sections
        ),
        rest=_make_paper_views(layout.lines, branding),
        overview=make_overview(edition, branding),
    )


def list_first_titles(layout: Layout) -> list[str]:
    """Return the titles of the first papers of a mail, in the order in which it shows them."""
    return [make_title(item.paper) for item in layout.items[:_PREHEADER_TITLES]]


def _make_paper_views(placed_items: Iterable[PlacedItem], branding: Branding) -> tuple[PaperView, ...]:
    return tuple(
        make_paper_view(placed.item, branding, placed.style, number=str(placed.number))
        for placed in placed_items
    )


def make_view_without_papers(
    edition: Edition,
    branding: Branding,
    view_limits: ViewLimits,
    completeness: Completeness,
    *,
    counts: Sequence[str],
    first_titles: Sequence[str],
    on_page: bool,
) -> EditionView:
    """Make the view of an edition without its papers.

    Args:
        edition: the content.
        branding: the branding of the site.
        view_limits: how much of it is shown.
        completeness: how complete it is.
        counts: the numbers of its papers by kind, in words.
        first_titles: the titles of its first papers.
        on_page: whether the view links to a page that shows the whole edition.
    """
    unshown = max(0, len(edition.items) + len(edition.overflow) - view_limits.full - view_limits.lines)
    local_time, locale = get_local_time(edition), branding.locale
    return EditionView(
        title=edition.title,
        day=locale.whole_day(local_time),
        counts=join_counts(counts, locale),
        preheader=shorten_line(" · ".join(first_titles), _MAX_PREHEADER),
        account=completeness,
        empty="" if edition.items else _describe_empty(edition, completeness, locale),
        sections=(),
        rest=(),
        more=_describe_more(unshown, locale) if on_page else "",
        unshown=" ".join(
            filter(
                None,
                (_describe_unshown(0 if on_page else unshown, locale), describe_waiting(edition, locale)),
            )
        ),
        excluded=_describe_excluded(edition.excluded, locale),
        stop_mail=make_stop_link(edition.digest, branding),
        missed=make_undelivered_notice(edition, locale),
        changes=describe_changes(edition.changes, locale),
    )


def describe_edition_completeness(edition: Edition, branding: Branding) -> Completeness:
    """Describe how complete an edition was when it was composed, and which of all its papers are late."""
    return add_late_papers(
        describe_due_completeness(edition, branding), (*edition.items, *edition.overflow), branding.locale
    )


def describe_due_completeness(edition: Edition, branding: Branding) -> Completeness:
    """Describe how complete an edition is; the result is the same for all editions of a run and time zone."""
    if edition.is_alert:
        return describe_alert_completeness(branding.locale)
    return describe_completeness(
        edition.batches, branding.source_titles, edition.composed_at, edition.zone, branding.locale
    )


@lru_cache(maxsize=16)
def describe_alert_completeness(locale: Locale) -> Completeness:
    """Return what an alert shows instead of its completeness."""
    _ = locale.gettext
    sentence = _("This is an alert. It reports at once what matches the follows that you marked for alerts.")
    return Completeness(summary=_("an alert, sent at once"), missing=(), settled=(sentence,))


def add_late_papers(completeness: Completeness, items: Iterable[Item], locale: Locale) -> Completeness:
    """Add the sentence on late papers among the shown items, if there are any."""
    late = _describe_late(items, locale)
    return replace(completeness, settled=(*completeness.settled, late)) if late else completeness


def _describe_late(items: Iterable[Item], locale: Locale) -> str:
    """Return the sentence on papers of days before those that the edition waited for; "" for none."""
    days = [item.event.day for item in items if item.late]
    if not days:
        return ""
    distinct_days = sorted(set(days))
    if len(distinct_days) > _MAX_DAYS:
        return locale.gettext(
            "%(papers)s papers in this edition were announced from %(first)s to %(last)s but arrived too late for the earlier editions.",
            papers=locale.number(len(days)),
            first=locale.long_day(distinct_days[0]),
            last=locale.long_day(distinct_days[-1]),
        )
    return locale.ngettext(
        "%(num)s paper in this edition was announced on %(days)s but arrived too late for the earlier edition.",
        "%(num)s papers in this edition were announced on %(days)s but arrived too late for the earlier edition.",
        len(days),
        days=locale.listed([locale.long_day(day) for day in distinct_days]),
    )


def make_stop_link(digest: str, branding: Branding) -> str:
    """Return the mailto link (RFC 6068) that asks the operator to stop a digest; "" if there is no contact."""
    return _make_stop_link(digest, branding.contact) if branding.contact else ""


@lru_cache(maxsize=1024)
def _make_stop_link(digest: str, contact: str) -> str:
    mail_subject = quote(f"unsubscribe {digest}", safe="", errors="replace")
    return f"mailto:{quote(contact, safe='@')}?subject={mail_subject}"


def _describe_empty(edition: Edition, completeness: Completeness, locale: Locale) -> str:
    _, ngettext = locale.gettext, locale.ngettext
    received = sum(batch.received for batch in edition.batches)
    if not edition.batches:
        return _("Nothing to report: no new paper matches what you follow.")
    if completeness.missing and not received:
        return _("Nothing to report yet: the announcements that were due have not arrived.")
    if completeness.missing:
        return ngettext(
            "The %(num)s listing that arrived does not match what you follow, and others are missing.",
            "None of the %(num)s listings that arrived match what you follow, and others are missing.",
            received,
        )
    if completeness.lacks_little and not received:
        return _("Nothing to report: nothing has been announced so far.")
    if not received:
        return _("Nothing to report: nothing was announced.")
    if edition.excluded:
        return _("Your exclusions removed everything that matches what you follow.")
    return ngettext(
        "The %(num)s listing does not match what you follow.",
        "None of the %(num)s listings match what you follow.",
        received,
    )


def _describe_more(number: int, locale: Locale) -> str:
    """Return the link text for the papers that only the page shows."""
    if not number:
        return ""
    return locale.ngettext("%(num)s more on the page", "%(num)s more on the page", number)


def _describe_unshown(number: int, locale: Locale) -> str:
    """Return the sentence on papers that are shown nowhere."""
    if not number:
        return ""
    return locale.ngettext(
        "%(num)s more matching paper is not shown.",
        "%(num)s more matching papers are not shown.",
        number,
    )


def describe_waiting(edition: Edition, locale: Locale) -> str:
    """Return the sentence on papers that wait for the next edition; "" for none."""
    if not edition.dropped:
        return ""
    return locale.ngettext(
        "%(num)s more paper matches and comes first in the next edition.",
        "%(num)s more papers match and come first in the next edition.",
        edition.dropped,
    )


def _describe_excluded(number: int, locale: Locale) -> str:
    if not number:
        return ""
    return locale.ngettext(
        "Your exclusions removed %(num)s paper.",
        "Your exclusions removed %(num)s papers.",
        number,
    )
