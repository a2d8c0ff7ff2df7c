"""Which papers an edition tells of, in which order: pure, for one digest at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from digest.model import Band, Event, EventKind, Fit, Item, PaperKey, Part, Reason

MOST_REST = 500
"""How many items an edition keeps beyond its limit."""

_PARTS = tuple(Part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An event in the window and a follow that it fits.

    Attributes:
        follow: as written.
        exclude: the follow takes papers out instead.
    """

    event: Event
    follow: str
    weight: float
    exclude: bool
    fit: Fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """What an edition holds.

    Attributes:
        dropped: how many fitted beyond ``rest``.
        excluded: how many papers the exclusions took out.
    """

    items: tuple[Item, ...]
    rest: tuple[Item, ...]
    dropped: int
    excluded: int


def compose(
    candidates: Iterable[Candidate],
    *,
    kinds: Sequence[EventKind],
    limit: int,
    told: frozenset[tuple[PaperKey, EventKind, int]],
) -> Composition:
    """Drop what was told and what is excluded, order the others, and cut.

    Args:
        candidates: each event in the digest's window with each follow that it fits.
        kinds: the kinds of event that the digest asks for.
        limit: how many items it shows in full.
        told: what it told in the last 90 days; of a ``new`` paper any telling counts, of a version the same one.
    """
    fresh = [one for one in candidates if one.event.kind in kinds and not _is_told(one.event, told)]
    out = {one.event.paper.key for one in fresh if one.exclude and one.fit.band >= Band.LIKELY}
    wanted = [one for one in fresh if not one.exclude]
    taken = {one.event.paper.key for one in wanted} & out
    by_paper: dict[PaperKey, list[Candidate]] = {}
    for one in wanted:
        if one.event.paper.key not in out:
            by_paper.setdefault(one.event.paper.key, []).append(one)
    items = sorted((_item(several) for several in by_paper.values()), key=_rank)
    return Composition(
        items=tuple(items[:limit]),
        rest=tuple(items[limit : limit + MOST_REST]),
        dropped=max(0, len(items) - limit - MOST_REST),
        excluded=len(taken),
    )


def may_repeat(event: Event) -> bool:
    """Whether an event could have been told before, in a window that no other has told of."""
    return not event.first


def _is_told(event: Event, told: frozenset[tuple[PaperKey, EventKind, int]]) -> bool:
    if event.kind is EventKind.NEW:
        return any(key == event.paper.key for key, _, _ in told)
    return (event.paper.key, event.kind, event.number) in told


def _item(several: list[Candidate]) -> Item:
    """One paper's item: a new paper is told as new, whatever else happened to it in the window."""
    event = min(
        (one.event for one in several), key=lambda event: (event.kind is not EventKind.NEW, -event.number)
    )
    fitting = [one for one in several if one.event.seq == event.seq]
    best = max(one.fit.band for one in fitting)
    reasons = sorted(fitting, key=lambda one: (-one.fit.band, -one.weight, one.follow))
    return Item(
        event=event,
        part=_part(event, best),
        reasons=tuple(
            Reason(follow=one.follow, band=one.fit.band, evidence=one.fit.evidence) for one in reasons
        ),
        score=sum(one.weight for one in fitting),
    )


def _part(event: Event, band: Band) -> Part:
    if event.kind is EventKind.VERSION:
        return Part.VERSIONS
    return Part.MAYBE if band is Band.MAYBE else Part.SURELY


def _rank(item: Item) -> tuple[int, int, float, bool, int, str]:
    """Part by part: authors followed, surely before likely, weights, title before abstract, listing order."""
    author = max(
        (reason.band for reason in item.reasons for found in reason.evidence if found.field == "author"),
        default=Band.NOT,
    )
    followed = author if author >= Band.LIKELY else Band.NOT
    in_title = any(found.field == "title" for reason in item.reasons for found in reason.evidence)
    return (
        _PARTS.index(item.part),
        -followed,
        -item.score,
        not in_title,
        item.event.seq,
        item.paper.key,
    )
