"""Which papers an edition tells of, in which order: pure, for one digest at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from digest.model import Band, Event, EventKind, Fit, Item, PaperKey, Part, Reason

MOST_REST = 500
"""How many items an edition keeps beyond its limit."""

_PARTS = tuple(Part)
_OF_THE_PAPER = frozenset((EventKind.NEW, EventKind.GROWN, EventKind.PICKED))
"""Events that tell of a paper as such: once, and not if it was withdrawn. The others are news about it."""
_FIRST_TOLD = (
    EventKind.NEW,
    EventKind.GROWN,
    EventKind.PICKED,
    EventKind.PUBLISHED,
    EventKind.VERSION,
    EventKind.CODE,
)
"""Which of several events of a paper is told: that it is there comes before news about it, then what is
rarer. A publication comes once in its life, versions come often, and code stands on its card anyway."""


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
    kinds: Collection[EventKind],
    limit: int,
    told: frozenset[tuple[PaperKey, EventKind, int]],
) -> Composition:
    """Drop what was told and what is excluded, order the others, and cut.

    Args:
        candidates: each event in the digest's window with each follow that it fits.
        kinds: the kinds of event that the digest asks for.
        limit: how many items it shows in full.
        told: what it told in the last 90 days: any telling of a paper counts for its ``new``, ``grown`` and
            ``picked``; for a ``version``, ``published`` and ``code`` that very event does.
    """
    papers_told = {key for key, _, _ in told}

    def is_told(event: Event) -> bool:
        if event.kind in _OF_THE_PAPER:
            return event.paper.key in papers_told
        return (event.paper.key, event.kind, event.number) in told

    fresh = [one for one in candidates if tells(one.event, kinds) and not is_told(one.event)]
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


def tells(event: Event, kinds: Collection[EventKind]) -> bool:
    """Whether a digest that asks for some kinds can tell of an event.

    What grew is told wherever what is new is: to readers who had not been told of the paper. A withdrawn paper
    is told of no more, but news about it are.
    """
    if event.kind in _OF_THE_PAPER and event.paper.withdrawn:
        return False
    return event.kind in kinds or (event.kind is EventKind.GROWN and EventKind.NEW in kinds)


def may_repeat(event: Event) -> bool:
    """Whether an event could have been told before, in a window that no other has told of."""
    return not event.first


def _item(several: list[Candidate]) -> Item:
    """One paper's item, with the reasons of all its events: what grew may fit more follows than what was new."""
    event = min((one.event for one in several), key=_turn)
    fitting = list({(one.follow, one.weight, one.fit): one for one in several}.values())
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


def _turn(event: Event) -> tuple[int, int, int]:
    """By kind; of several versions the newest one."""
    return _FIRST_TOLD.index(event.kind), -event.number, event.seq


def _part(event: Event, band: Band) -> Part:
    """A pick of somebody who may be a namesake is a maybe: that others liked it makes nothing surer."""
    if event.kind not in _OF_THE_PAPER:
        return Part.VERSIONS
    if band is Band.MAYBE:
        return Part.MAYBE
    return Part.PICKED if event.kind is EventKind.PICKED else Part.SURELY


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
