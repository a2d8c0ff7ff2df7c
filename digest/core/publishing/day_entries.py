"""Choice of the papers that a page of a day shows: groups, filters, orders and pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from digest.core.papers.taxonomy import canonicalize_category, covers
from digest.core.publishing.addresses import DayAddress, Order, Tab
from digest.model import Event, EventKind

PAGE_SIZE = 100
"""Maximum number of papers on a page. A hundred take 60 to 80 kB before compression, and a page has 100 kB at most."""
_KINDS_OF_TAB = {
    Tab.NEW: frozenset({EventKind.NEW, EventKind.PICKED}),
    Tab.PICKED: frozenset({EventKind.PICKED}),
    Tab.VERSIONS: frozenset({EventKind.VERSION}),
    Tab.UPDATES: frozenset({EventKind.PUBLISHED, EventKind.CODE, EventKind.GROWN}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayEntry:
    """What decides whether and where a page shows an event.

    Attributes:
        seq: the number of the event.
        key: the key of its paper.
        counts: the largest number of one source by kind: numbers of several sources are never added.
    """

    seq: int
    key: str
    kind: EventKind
    categories: tuple[str, ...]
    has_code: bool
    counts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage:
    """A page of a list.

    Attributes:
        entries: the entries of the page.
        number: its number, from 1.
        pages: the number of pages, at least 1.
        total: the number of entries of all pages.
    """

    entries: tuple[DayEntry, ...]
    number: int
    pages: int
    total: int


def make_day_entry(event: Event) -> DayEntry:
    """Make the entry of an event that has its signals."""
    counts: dict[str, float] = {}
    for signal in event.signals:
        counts[signal.kind] = max(signal.value, counts.get(signal.kind, 0.0))
    return DayEntry(
        seq=event.seq,
        key=event.paper.key,
        kind=event.kind,
        categories=tuple(dict.fromkeys(map(canonicalize_category, event.paper.categories))),
        has_code=bool(event.paper.code_urls),
        counts=counts,
    )


def select_tab(entries: Iterable[DayEntry], tab: Tab) -> tuple[DayEntry, ...]:
    """Return the entries of a group, each paper once, by its first event; those of trending are chosen elsewhere."""
    kinds = _KINDS_OF_TAB[tab]
    first_entries: dict[str, DayEntry] = {}
    for entry in entries:
        if entry.kind in kinds:
            first_entries.setdefault(entry.key, entry)
    return tuple(first_entries.values())


def filter_entries(entries: Iterable[DayEntry], address: DayAddress) -> tuple[DayEntry, ...]:
    """Return the entries that pass the filters of an address."""
    return tuple(
        entry
        for entry in entries
        if (entry.has_code or not address.has_code)
        and (not address.category or any(covers(address.category, name) for name in entry.categories))
    )


def sort_entries(entries: Sequence[DayEntry], order: Order) -> tuple[DayEntry, ...]:
    """Return entries in an order; entries with equal numbers keep their order, those without a number come last."""
    if order is Order.LISTING:
        return tuple(entries)
    return tuple(sorted(entries, key=lambda entry: -entry.counts.get(order.value, -1.0)))


def take_page(entries: Sequence[DayEntry], number: int) -> EntryPage | None:
    """Return a page of entries; None if there is no such page. The first page exists even if it is empty."""
    pages = max(1, -(-len(entries) // PAGE_SIZE))
    if number > pages:
        return None
    start = (number - 1) * PAGE_SIZE
    return EntryPage(
        entries=tuple(entries[start : start + PAGE_SIZE]), number=number, pages=pages, total=len(entries)
    )


def count_categories(entries: Iterable[DayEntry]) -> tuple[tuple[str, int], ...]:
    """Return the categories of entries with their numbers of papers, most frequent first."""
    counts = Counter(name for entry in entries for name in entry.categories)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
