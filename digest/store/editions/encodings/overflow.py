"""The overflow of an edition as it is stored: papers by number, and the reasons once for all papers that share them.

Whoever follows a whole category gets hundreds of papers beyond the limit of the digest, in each of a million digests a day.
A paper takes at most five bytes, and a few bits if the events are close together. Evidence is not stored: it is found in
the titles when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.evaluate import collect_evidence
from digest.core.matching.event_set import EventSet
from digest.core.papers.document import build_title_document
from digest.errors import QueryError
from digest.model import Confidence, EditionPart, Event, Evidence, Item, Reason
from digest.store.editions.encodings.items import encode_string, read_evidence


class OverflowReason(NamedTuple):
    """A follow for which papers of an overflow are included.

    Attributes:
        follow: as its reader wrote it.
        query: its query in canonical form, to highlight its words in the titles; "" if none of the titles has any.
    """

    follow: str
    confidence: Confidence
    query: str


class Rank(NamedTuple):
    """Papers of an overflow of equal rank, in the order of their events.

    Attributes:
        groups: pairs of the index of a reason group and those of the events that are included for it.
    """

    part: EditionPart
    score: float
    groups: Sequence[tuple[int, EventSet]]


@dataclass(frozen=True, slots=True)
class Overflow:
    """The papers of an edition beyond the limit of its digest.

    Attributes:
        first_seq: the number of the event at position 0.
        reason_groups: the reasons that papers are included for; each group is shared by many papers.
        ranks: the papers in their order.
    """

    first_seq: int = 0
    reason_groups: Sequence[Sequence[OverflowReason]] = ()
    ranks: Sequence[Rank] = ()

    def to_json(self) -> str:
        """Encode it as JSON.

        ``{"first": seq, "why": [[[follow, confidence, query], …], …], "ranks": [[part, score, [[group, events], …]], …]}``;
        ``events`` is the bitmap in hexadecimal, or the list of positions if that is shorter.
        """
        reason_texts = [
            _join_list(
                [
                    f"[{encode_string(follow)},{int(confidence)},{encode_string(query)}]"
                    for follow, confidence, query in reasons
                ]
            )
            for reasons in self.reason_groups
        ]
        rank_texts = [
            f'["{part.value}",{score!r},{_join_list([f"[{index},{_encode_events(events)}]" for index, events in groups])}]'
            for part, score, groups in self.ranks
        ]
        return (
            f'{{"first":{self.first_seq},"why":{_join_list(reason_texts)},"ranks":{_join_list(rank_texts)}}}'
        )


def _join_list(elements: Iterable[str]) -> str:
    return f"[{','.join(elements)}]"


_BITS_PER_POSITION = 20
"""Number of bits that take as much space in hexadecimal as one position in a list: five characters."""


def _encode_events(events: EventSet) -> str:
    bitmap = events.bitmap
    if bitmap.bit_length() < _BITS_PER_POSITION * bitmap.bit_count():
        return f'"{bitmap:x}"'
    return _join_list(map(str, events))


# --- decoding -------------------------------------------------------------------------------------
#
# Two older forms are in databases: one has `lines` instead of `ranks`, each [seq, part, score, reason group, evidence],
# and no queries; the other has no `first`, so that positions are the numbers of events.


def list_seqs(stored: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the events of a stored overflow, in any order."""
    if "lines" in stored:
        return [line[0] for line in stored["lines"]]
    first_seq, events = read_events(stored)
    return [first_seq + position for position in events]


def list_seqs_in_order(stored: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the events of a stored overflow, in the order of its papers."""
    if "lines" in stored:
        return list_seqs(stored)
    first_seq = stored.get("first", 0)
    return [
        first_seq + position
        for _, _, groups in stored["ranks"]
        for position in EventSet.union([_decode_events(events) for _, events in groups])
    ]


def read_events(stored: Mapping[str, Any]) -> tuple[int, EventSet]:
    """Return the events of a stored overflow: the number of the event at position 0, and the set."""
    if "lines" in stored:
        seqs = list_seqs(stored)
        first_seq = min(seqs, default=0)
        return first_seq, EventSet.from_positions(seq - first_seq for seq in seqs)
    groups = [events for _, _, groups in stored["ranks"] for _, events in groups]
    return stored.get("first", 0), EventSet.union([_decode_events(events) for events in groups])


def read_items(stored: Mapping[str, Any], events: Mapping[int, Event]) -> Iterator[Item]:
    """Decode the items of a stored overflow.

    Args:
        stored: the JSON.
        events: its events, by number.
    """
    if "lines" in stored:
        yield from _read_legacy_items(stored, events)
        return
    reason_groups = [
        [(follow, Confidence(confidence), _parse_query(query)) for follow, confidence, query in group]
        for group in stored["why"]
    ]
    first_seq = stored.get("first", 0)
    for part, score, groups in stored["ranks"]:
        for position, index in sorted(
            (position, index) for index, encoded in groups for position in _decode_events(encoded)
        ):
            event = events[first_seq + position]
            reasons = [
                Reason(follow=follow, confidence=confidence, evidence=_find_in_title(query, event))
                for follow, confidence, query in reason_groups[index]
            ]
            yield Item(event=event, part=EditionPart(part), score=score, reasons=tuple(reasons))


def _decode_events(encoded: str | list[int]) -> EventSet:
    return EventSet(int(encoded, 16)) if isinstance(encoded, str) else EventSet.from_positions(encoded)


def _parse_query(query: str) -> Query | None:
    try:
        return parse(query) if query else None
    except QueryError:
        return None  # An earlier release stored it, and this one has another syntax: nothing is highlighted.


def _find_in_title(query: Query | None, event: Event) -> tuple[Evidence, ...]:
    return collect_evidence(query, build_title_document(event.paper)) if query else ()


def _read_legacy_items(stored: Mapping[str, Any], events: Mapping[int, Event]) -> Iterable[Item]:
    for seq, part, score, index, *remainder in stored["lines"]:
        reason_group = stored["why"][index]
        evidence = remainder[0] if remainder else [()] * len(reason_group)
        reasons = [
            Reason(follow=follow, confidence=Confidence(confidence), evidence=read_evidence(words))
            for (follow, confidence), words in zip(reason_group, evidence, strict=True)
        ]
        yield Item(event=events[seq], part=EditionPart(part), score=score, reasons=tuple(reasons))
