"""The layout of an edition: which papers are featured, compact or a line, and under which headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from digest.model import Abstracts, Arrangement, Edition, EditionPart, EventKind, Item
from digest.render.editions.overview import has_overview
from digest.render.languages.locales import Locale
from digest.render.papers.paper_view import LINE, PaperSize, PaperStyle

FEATURED_COUNT = 3
"""Number of the first papers, which have more room than others in a mail and stand before an overview."""


class ViewLimits(NamedTuple):
    """How much of an edition is shown, so that it fits.

    Attributes:
        abstracts: how much of each abstract is shown.
        full: number of items shown with their abstracts.
        lines: number of the following items that are shown as one line each.
        is_whole: whether each item has all the room it needs, as on a page.
        featured: number of the first items, which have more room than others in a mail and stand before an overview.
    """

    abstracts: Abstracts
    full: int
    lines: int
    is_whole: bool = False
    featured: int = FEATURED_COUNT


class PlacedItem(NamedTuple):
    """An item at its place.

    Attributes:
        item: the item.
        number: its number in the edition, from 1, however papers are arranged: the end of its page's address.
        style: how it is shown.
    """

    item: Item
    number: int
    style: PaperStyle


class LayoutSection(NamedTuple):
    """A section of an edition.

    Attributes:
        heading: its heading; "" if it needs none, because it is the first or continues the section before.
        items: its items.
        is_featured: whether it consists of the first papers, which have more room than others in a mail and stand
            before an overview.
    """

    heading: str
    items: tuple[PlacedItem, ...]
    is_featured: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The layout of an edition.

    Attributes:
        sections: the items with their abstracts, section by section.
        lines: the items with one line each.
    """

    sections: tuple[LayoutSection, ...]
    lines: tuple[PlacedItem, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """All items that are shown."""
        placed_items = (*(placed for section in self.sections for placed in section.items), *self.lines)
        return tuple([placed.item for placed in placed_items])


def make_layout(edition: Edition, view_limits: ViewLimits, locale: Locale) -> Layout:
    """Make the layout of an edition within limits."""
    full_items, line_items = select_items(edition, view_limits)
    newest_day = find_newest_day(edition)
    is_by_follow = edition.arrange is Arrangement.BY_FOLLOW
    numbered = list(enumerate(full_items, start=1))
    if is_by_follow:
        numbered = _group_by_follow(numbered)
    placed_items = [
        PlacedItem(
            item,
            number,
            PaperStyle(
                _choose_size(place, view_limits),
                view_limits.abstracts,
                item.event.day != newest_day,
            ),
        )
        for place, (number, item) in enumerate(numbered)
    ]
    lines = tuple(
        [PlacedItem(item, number, LINE) for number, item in enumerate(line_items, start=len(full_items) + 1)]
    )
    groups = _group_by_heading(placed_items, locale) if is_by_follow else _group_by_part(placed_items, locale)
    sections = _split_featured(groups, view_limits.featured, has_overview=has_overview(edition))
    return Layout(sections=tuple(sections), lines=lines)


def select_items(edition: Edition, view_limits: ViewLimits) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return the items shown with their abstracts, and those shown as one line each."""
    if not view_limits.lines:
        return edition.items[: view_limits.full], ()
    line_items = edition.items[view_limits.full : view_limits.full + view_limits.lines]
    remaining = view_limits.lines - len(line_items)
    return edition.items[: view_limits.full], (
        *line_items,
        *edition.overflow[:remaining],
    ) if remaining else line_items


def find_newest_day(edition: Edition) -> date | None:
    """Return the newest day of an edition's announcements; papers of other days show theirs."""
    return max([item.event.day for item in edition.items], default=None)


def _choose_size(place: int, view_limits: ViewLimits) -> PaperSize:
    if view_limits.is_whole:
        return PaperSize.FULL
    return PaperSize.FEATURED if place < view_limits.featured else PaperSize.COMPACT


# --- sections -------------------------------------------------------------------------------------


class _Group(NamedTuple):
    """Items under one heading.

    Attributes:
        heading: the heading.
        items: the items.
        needs_heading: whether it is shown where the edition begins with them.
    """

    heading: str
    items: tuple[PlacedItem, ...]
    needs_heading: bool = True


def _get_main_follow(item: Item) -> str:
    """Return the follow that an item matches most certainly; of equals the first."""
    main = max(item.reasons, key=lambda reason: reason.confidence, default=None)
    return " ".join(main.follow.split()) if main else ""


def _group_by_follow(numbered: Sequence[tuple[int, Item]]) -> list[tuple[int, Item]]:
    """Bring items of one follow together; the follow of the best paper comes first."""
    groups: dict[str, list[tuple[int, Item]]] = {}
    for number, item in numbered:
        groups.setdefault(_get_main_follow(item), []).append((number, item))
    return [numbered_item for group in groups.values() for numbered_item in group]


def _group_by_heading(placed_items: Sequence[PlacedItem], locale: Locale) -> Iterator[_Group]:
    """Yield the groups of follows; items without one have the headings of their parts."""
    for follow, group in groupby(placed_items, key=lambda placed: _get_main_follow(placed.item)):
        if follow:
            yield _Group(follow, tuple(group))
        else:
            yield from (
                part_group._replace(needs_heading=True) for part_group in _group_by_part(group, locale)
            )


def _group_by_part(placed_items: Iterable[PlacedItem], locale: Locale) -> Iterator[_Group]:
    """Yield the parts; new papers that an edition begins with need no heading, because they are what one expects."""
    is_first = True
    for part, group in groupby(placed_items, key=lambda placed: _get_part(placed.item)):
        items = tuple(group)
        heading = make_part_heading(part, [placed.item for placed in items], locale)
        yield _Group(heading, items, needs_heading=not is_first or part is not EditionPart.SURELY)
        is_first = False


def _split_featured(
    groups: Iterable[_Group], featured_count: int, *, has_overview: bool
) -> Iterator[LayoutSection]:
    """Yield the sections; a group with featured papers and others becomes two.

    The second one of such a group needs no heading, unless the overview stands between the two.
    """
    room = featured_count
    for heading, items, needs_heading in groups:
        featured, further = items[:room], items[room:]
        if featured:
            yield LayoutSection(heading if needs_heading else "", featured, is_featured=True)
        if further:
            shows_heading = has_overview or (needs_heading and not featured)
            yield LayoutSection(heading if shows_heading else "", further, is_featured=False)
        room -= len(featured)


def _get_part(item: Item) -> EditionPart | None:
    return None if item.waited else item.part


def make_part_heading(part: EditionPart | None, items: Iterable[Item], locale: Locale) -> str:
    """Return the heading of a part; that of news about papers depends on their kinds."""
    return _make_part_heading(part, frozenset([item.event.kind for item in items]), locale)


@lru_cache(maxsize=4096)
def _make_part_heading(part: EditionPart | None, kinds: frozenset[EventKind], locale: Locale) -> str:
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
            # Translators: whichever of these four comes first is capitalized.
            update_names = {
                EventKind.VERSION: _("new versions"),
                EventKind.PUBLISHED: _("publications"),
                EventKind.CODE: _("new code"),
                EventKind.TRENDING: _("trending papers"),
            }
            text = locale.listed([name for kind, name in update_names.items() if kind in kinds])
            return f"{text[:1].upper()}{text[1:]}"
