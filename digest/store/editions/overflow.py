"""The rest of an edition as it is kept: the numbers of papers, and once for many of them why they are there.

A follow of a whole category leaves hundreds of papers behind those that are shown in full, and a million digests have
such a rest each day: a paper takes five bytes at the most, and where they stand close together no more than some bits.
What is marked in titles is found when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from digest.core.language.parser import parse
from digest.core.language.query import Query
from digest.core.matching.bitmaps import list_positions, make_bitmap
from digest.core.matching.evaluate import collect_evidence
from digest.core.papers.document import build_title_document
from digest.errors import QueryError
from digest.model import Confidence, EditionPart, Event, Evidence, Item, Reason
from digest.store.editions.items import encode_string, read_evidence


class OverflowReason(NamedTuple):
    """A follow that papers of a rest are there for.

    Attributes:
        follow: as written.
        band: how surely it fits them.
        query: what is marked in their titles, in its canonical form; "" where that is nothing for all of them.
    """

    follow: str
    band: Confidence
    query: str


class Rank(NamedTuple):
    """Papers of a rest of equal rank, which stand in the order of their events.

    Attributes:
        groups: for each of the grounds that some of them have, its number among those of the rest, and their events:
            a row of bits.
    """

    part: EditionPart
    score: float
    groups: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Overflow:
    """What an edition has beyond the papers that it shows in full.

    Attributes:
        first_seq: the event that has the lowest place in rows.
        reason_groups: the follows that papers are there for; most of the papers have the same ones.
        ranks: the papers in their order.
    """

    first_seq: int = 0
    reason_groups: Sequence[Sequence[OverflowReason]] = ()
    ranks: Sequence[Rank] = ()

    def to_json(self) -> str:
        """As JSON.

        ``{"first": seq, "why": [[[follow, band, query], …], …], "ranks": [[part, score, [[why, row], …]], …]}``; a row
        is in hexadecimal, or the places of its bits, whichever is shorter.
        """
        reason_texts = [
            _join_list(
                [
                    f"[{encode_string(follow)},{int(band)},{encode_string(query)}]"
                    for follow, band, query in reasons
                ]
            )
            for reasons in self.reason_groups
        ]
        rank_texts = [
            f'["{part.value}",{score!r},{_join_list([f"[{number},{_encode_bitmap(bitmap)}]" for number, bitmap in groups])}]'
            for part, score, groups in self.ranks
        ]
        return (
            f'{{"first":{self.first_seq},"why":{_join_list(reason_texts)},"ranks":{_join_list(rank_texts)}}}'
        )


def _join_list(elements: Iterable[str]) -> str:
    return f"[{','.join(elements)}]"


_BITS_PER_POSITION = 20
"""Bits of a row that take as much room as one place written by itself."""


def _encode_bitmap(bitmap: int) -> str:
    if bitmap.bit_length() < _BITS_PER_POSITION * bitmap.bit_count():
        return f'"{bitmap:x}"'
    return _join_list(map(str, list_positions(bitmap)))


# --- reading --------------------------------------------------------------------------------------
#
# Editions of releases before this one have `lines` instead: [seq, part, score, why, marked], and no queries; or no
# `first`: their places are the events themselves.


def list_seqs(stored: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, in any order."""
    if "lines" in stored:
        return [line[0] for line in stored["lines"]]
    first_seq, bitmap = read_bitmap(stored)
    return [first_seq + position for position in list_positions(bitmap)]


def list_seqs_in_order(stored: Mapping[str, Any]) -> list[int]:
    """The events of a rest that was kept, as its papers stand."""
    if "lines" in stored:
        return list_seqs(stored)
    first_seq = stored.get("first", 0)
    bitmaps = (
        reduce(or_, (_decode_bitmap(bitmap) for _, bitmap in groups), 0) for _, _, groups in stored["ranks"]
    )
    return [first_seq + position for bitmap in bitmaps for position in list_positions(bitmap)]


def read_bitmap(stored: Mapping[str, Any]) -> tuple[int, int]:
    """The events of a rest that was kept: the one that has the lowest place, and a row."""
    if "lines" in stored:
        legacy_seqs = list_seqs(stored)
        first_seq = min(legacy_seqs, default=0)
        return first_seq, make_bitmap([seq - first_seq for seq in legacy_seqs])
    bitmap = 0
    for _, _, groups in stored["ranks"]:
        for _, group_bitmap in groups:
            bitmap |= _decode_bitmap(group_bitmap)
    return stored.get("first", 0), bitmap


def read_items(stored: Mapping[str, Any], events: Mapping[int, Event]) -> Iterator[Item]:
    """The papers of a rest that was kept, the events given by seq."""
    if "lines" in stored:
        yield from _read_legacy_items(stored, events)
        return
    reason_groups = [
        [(follow, Confidence(band), _parse_query(query)) for follow, band, query in group]
        for group in stored["why"]
    ]
    first_seq = stored.get("first", 0)
    for part, score, groups in stored["ranks"]:
        for position, number in sorted(
            (position, number)
            for number, bitmap in groups
            for position in list_positions(_decode_bitmap(bitmap))
        ):
            event = events[first_seq + position]
            item_reasons = [
                Reason(follow=follow, confidence=band, evidence=_mark_title(query, event))
                for follow, band, query in reason_groups[number]
            ]
            yield Item(event=event, part=EditionPart(part), score=score, reasons=tuple(item_reasons))


def _decode_bitmap(text: str | list[int]) -> int:
    return int(text, 16) if isinstance(text, str) else make_bitmap(text)


def _parse_query(query: str) -> Query | None:
    try:
        return parse(query) if query else None
    except QueryError:
        return None  # this release does not understand it any more: nothing is marked


def _mark_title(query: Query | None, event: Event) -> tuple[Evidence, ...]:
    return collect_evidence(query, build_title_document(event.paper)) if query else ()


def _read_legacy_items(stored: Mapping[str, Any], events: Mapping[int, Event]) -> Iterable[Item]:
    for seq, part, score, number, *remainder in stored["lines"]:
        reason_group = stored["why"][number]
        evidence = remainder[0] if remainder else [()] * len(reason_group)
        item_reasons = [
            Reason(follow=follow, confidence=Confidence(band), evidence=read_evidence(words))
            for (follow, band), words in zip(reason_group, evidence, strict=True)
        ]
        yield Item(event=events[seq], part=EditionPart(part), score=score, reasons=tuple(item_reasons))
