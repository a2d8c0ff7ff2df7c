"""The view of an edition for templates: finished strings, so that a template decides only about the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from urllib.parse import quote
from zoneinfo import ZoneInfo

from digest.model import Edition, EditionPart, EventKind, Item
from digest.render.branding import Branding
from digest.render.editions.completeness import Completeness, describe_completeness
from digest.render.editions.overview import Overview, make_overview
from digest.render.editions.undelivered import UndeliveredNotice, make_undelivered_notice, parse_period
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import shorten_line
from digest.render.papers.paper_view import PaperView, make_paper_texts, make_paper_view

_MAX_SUBJECT, _MIN_TITLE = 110, 40
"""Maximum length of a subject, and minimum length of a paper's title in it, in characters.

The digest's name is added only if the title keeps this minimum. A title that would be shortened to less than half of it
is omitted.
"""
_MAX_WITHOUT_TITLES = 12
"""Maximum number of papers without a table of contents."""
_MAX_DAYS = 7
"""Maximum number of days named in the sentence on late papers; if there are more, only the first and the last
are named.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLimits:
    """How much of an edition is shown, so that it fits.

    Attributes:
        abstract_limit: approximate maximum length of an abstract, in characters.
        full: number of items shown in full.
        lines: number of the following items that are shown as one line each.
    """

    abstract_limit: int
    full: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSection:
    """A part of an edition: its heading and its papers."""

    heading: str
    cards: Iterable[PaperView]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """The view of an edition for templates.

    Attributes:
        title: the title of the digest.
        day: ``Friday 12 June 2026``.
        counts: ``7 new, 1 maybe, 3 picked``.
        account: how complete the edition is.
        empty: why it is empty; "" if it is not.
        sections: the papers shown in full.
        titles: the same papers for a table of contents; empty if there are few.
        rest: the papers shown as one line each.
        more: the link text for the papers that are only on the page, ``12 more on the page``; "" for none.
        unshown: the sentences on papers shown nowhere, and on papers that come in the next edition; "" for
            none.
        excluded: the sentence on papers that exclusions removed; "" for none.
        stop_mail: a mailto link that unsubscribes; "" if there is no contact.
        missed: the notice of earlier editions that were not delivered; None for none.
        overview: the overview of a weekly or monthly edition; None for others.
    """

    title: str
    day: str
    counts: str
    account: Completeness
    empty: str
    sections: tuple[EditionSection, ...]
    titles: Iterable[PaperView]
    rest: Iterable[PaperView]
    more: str
    unshown: str
    excluded: str
    stop_mail: str
    missed: UndeliveredNotice | None = None
    overview: Overview | None = None


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
    return make_edition_view_with(
        edition, branding, view_limits, describe_due_completeness(edition, branding), on_page=on_page
    )


def make_edition_view_with(
    edition: Edition,
    branding: Branding,
    view_limits: ViewLimits,
    due_completeness: Completeness,
    *,
    on_page: bool,
) -> EditionView:
    """Make the view of an edition within limits, with a completeness that all limits share.

    Args:
        edition: the content.
        branding: the branding of the site.
        view_limits: how much of it is shown.
        due_completeness: the result of ``describe_due_completeness``, which does not depend on the limits.
        on_page: whether the view links to a page that shows the whole edition.
    """
    full_items, line_items = select_items(edition, view_limits)
    completeness = add_late_papers(due_completeness, (*full_items, *line_items), branding.locale)
    sections = _make_sections(full_items, branding, view_limits.abstract_limit)
    return replace(
        make_view_without_papers(
            edition,
            branding,
            view_limits,
            completeness,
            counts_text=format_counts(edition, branding.locale),
            on_page=on_page,
        ),
        sections=sections,
        titles=tuple(paper_view for section in sections for paper_view in section.cards)
        if has_titles(full_items)
        else (),
        rest=tuple(make_paper_view(item, branding, abstract_limit=0) for item in line_items),
        overview=make_overview(edition, branding),
    )


def select_items(edition: Edition, view_limits: ViewLimits) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return the items shown in full, and those shown as one line each."""
    if not view_limits.lines:
        return edition.items[: view_limits.full], ()
    line_items = edition.items[view_limits.full : view_limits.full + view_limits.lines]
    remaining = view_limits.lines - len(line_items)
    return edition.items[: view_limits.full], (
        *line_items,
        *edition.overflow[:remaining],
    ) if remaining else line_items


def has_titles(full_items: Sequence[Item]) -> bool:
    """Whether there are so many papers that a table of contents helps."""
    return len(full_items) > _MAX_WITHOUT_TITLES


def make_view_without_papers(
    edition: Edition,
    branding: Branding,
    view_limits: ViewLimits,
    completeness: Completeness,
    *,
    counts_text: str,
    on_page: bool,
) -> EditionView:
    """Make the view of an edition without its papers.

    Args:
        edition: the content.
        branding: the branding of the site.
        view_limits: how much of it is shown.
        completeness: how complete it is.
        counts_text: the numbers of its papers, in words.
        on_page: whether the view links to a page that shows the whole edition.
    """
    unshown = max(0, len(edition.items) + len(edition.overflow) - view_limits.full - view_limits.lines)
    local_time, locale = get_local_time(edition), branding.locale
    return EditionView(
        title=edition.title,
        day=locale.whole_day(local_time),
        counts=counts_text,
        account=completeness,
        empty="" if edition.items else _describe_empty(edition, completeness, locale),
        sections=(),
        titles=(),
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
    )


def make_subject(edition: Edition, locale: Locale) -> str:
    """Make a subject: ``12 Jun: 7 new, SplitZip: Ultra Fast Lossless KV Compression … and 6 more (llm-systems)``.

    Each edition has a different subject, so that no mail program takes two for one conversation: a paper is
    reported once, and an empty edition has the time in its subject.
    """
    title = make_paper_texts(edition.items[0].paper, abstract_limit=0).title if edition.items else ""
    return make_subject_with(edition, format_counts(edition, locale), title, locale)


def make_subject_with(edition: Edition, counts_text: str, title: str, locale: Locale) -> str:
    """Make the subject of an edition from its counts and the title of its first paper, both Unicode on one line."""
    local_time = get_local_time(edition)
    day = locale.short_day(local_time)
    if edition.is_alert:
        # Translators: the beginning of the subject of a mail: an alert of that day.
        day = locale.gettext("%(day)s alert", day=day)
    if not edition.items:
        line = locale.gettext("%(day)s %(time)s: nothing new", day=day, time=f"{local_time:%H:%M}")
        return _append_name(line, edition.title)

    def format_line(title: str) -> str:
        if len(edition.items) == 1:
            return locale.gettext("%(day)s: %(counts)s, %(title)s", day=day, counts=counts_text, title=title)
        return locale.ngettext(
            "%(day)s: %(counts)s, %(title)s and %(num)s more",
            "%(day)s: %(counts)s, %(title)s and %(num)s more",
            len(edition.items) - 1,
            day=day,
            counts=counts_text,
            title=title,
        )

    available = _MAX_SUBJECT - len(format_line(""))
    if available < _MIN_TITLE // 2:
        return _append_name(locale.gettext("%(day)s: %(counts)s", day=day, counts=counts_text), edition.title)
    name_length = len(_append_name("", edition.title))
    max_title = available - name_length if available - name_length >= _MIN_TITLE else available
    return _append_name(format_line(shorten_line(title, max_title)), edition.title)


def _append_name(line: str, name: str) -> str:
    """Append the name of the digest to a subject if there is room for it."""
    named_line = f"{line} ({name})"
    return named_line if len(named_line) <= _MAX_SUBJECT else line


def format_counts(edition: Edition, locale: Locale) -> str:
    """Format the numbers of items: ``7 new, 1 maybe, 3 picked, 2 new versions``; "nothing new" for none."""
    return format_kind_counts(tuple([(item.part, item.event.kind) for item in edition.items]), locale)


HeadingKey = tuple[EditionPart | None, EventKind]
"""What an item's heading depends on; the part is None for an item that waited."""


def get_heading_keys(items: Iterable[Item]) -> tuple[HeadingKey, ...]:
    """Return what the headings of items depend on."""
    return tuple([(None if item.waited else item.part, item.event.kind) for item in items])


@lru_cache(maxsize=4096)
def format_kind_counts(kinds: tuple[tuple[EditionPart, EventKind], ...], locale: Locale) -> str:
    """Format the numbers of items of each kind in words."""
    ngettext = locale.ngettext
    part_counts = Counter(part for part, _ in kinds)
    update_counts = Counter(kind for part, kind in kinds if part is EditionPart.VERSIONS)
    surely, maybe, picked = (
        part_counts[EditionPart.SURELY],
        part_counts[EditionPart.MAYBE],
        part_counts[EditionPart.PICKED],
    )
    version, published = update_counts[EventKind.VERSION], update_counts[EventKind.PUBLISHED]
    code = update_counts[EventKind.CODE]
    words = (
        # Translators: new papers that certainly match, "7 new, 1 maybe, 3 picked".
        surely and ngettext("%(num)s new", "%(num)s new", surely),
        # Translators: papers whose author may be somebody else of that name, "7 new, 1 maybe, 3 picked".
        maybe and ngettext("%(num)s maybe", "%(num)s maybe", maybe),
        # Translators: papers that a community has picked, "7 new, 1 maybe, 3 picked".
        picked and ngettext("%(num)s picked", "%(num)s picked", picked),
        version and ngettext("%(num)s new version", "%(num)s new versions", version),
        published and ngettext("%(num)s publication", "%(num)s publications", published),
        # Translators: papers for which code was found.
        code and ngettext("%(num)s with new code", "%(num)s with new code", code),
    )
    return locale.join_parts([text for text in words if text]) or locale.gettext("nothing new")


@lru_cache(maxsize=4096)
def make_headings(heading_keys: tuple[HeadingKey, ...], locale: Locale) -> tuple[tuple[str, int], ...]:
    """Return the headings of items in their order, each with the number of its items."""
    parts = ((part, list(group)) for part, group in groupby(heading_keys, key=itemgetter(0)))
    return tuple(
        (_make_heading(part, [kind for _, kind in group], locale), len(group)) for part, group in parts
    )


def make_heading(part: EditionPart | None, items: Iterable[Item], locale: Locale) -> str:
    """Return the heading of a part; that of news about papers depends on their kinds."""
    return _make_heading(part, {item.event.kind for item in items}, locale)


def _make_heading(part: EditionPart | None, kinds: Collection[EventKind], locale: Locale) -> str:
    _ = locale.gettext
    match part:
        case None:
            # Translators: the heading of papers for which the previous edition had no room.
            return _("Left over from the last edition")
        case EditionPart.SURELY:
            return _("New papers")
        case EditionPart.MAYBE:
            return _("Maybe: initials or namesakes")
        case EditionPart.PICKED:
            return _("Picked by the community")
        case EditionPart.VERSIONS:
            # Translators: whichever of these three comes first is capitalized.
            update_names = {
                EventKind.VERSION: _("new versions"),
                EventKind.PUBLISHED: _("publications"),
                EventKind.CODE: _("new code"),
            }
            text = locale.listed([name for kind, name in update_names.items() if kind in kinds])
            return f"{text[:1].upper()}{text[1:]}"


def get_local_time(edition: Edition) -> datetime:
    """Return the local time of an edition's period in the digest's zone; for an alert, when it was composed."""
    if edition.is_alert:
        return edition.composed_at.astimezone(ZoneInfo(edition.zone))
    return parse_period(edition.period, edition.zone)


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


def _make_sections(
    items: Sequence[Item], branding: Branding, abstract_limit: int
) -> tuple[EditionSection, ...]:
    numbered = enumerate(items, start=1)
    return tuple(
        EditionSection(
            heading=heading,
            cards=tuple(
                make_paper_view(item, branding, abstract_limit=abstract_limit, number=str(number))
                for number, item in islice(numbered, size)
            ),
        )
        for heading, size in make_headings(get_heading_keys(items), branding.locale)
    )


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
