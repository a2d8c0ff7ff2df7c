"""Items of editions as they are kept: as JSON, which is put together from texts.

A million digests have twenty of them each, and most of their texts are in many editions: nothing is made of them
that is not written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from digest.model import Band, Evidence, Part, Reason

PARTED = ",\n"
"""Parts the items of an edition: so they can be told apart without being read."""


# --- writing --------------------------------------------------------------------------------------


def written(items: Iterable[str]) -> str:
    """The items of an edition, each as ``item`` writes it."""
    return f"[{PARTED.join(items)}]"


def item(seq: int, ranked: str, reasons: Iterable[str]) -> str:
    """An item.

    Args:
        seq: of the event told.
        ranked: its ``rank``.
        reasons: each as ``reason`` writes it.
    """
    return f'{{"seq":{seq},{ranked},"reasons":[{",".join(reasons)}]}}'


@lru_cache(maxsize=1024)
def rank(part: Part, score: float, *, waited: bool = False) -> str:
    """A heading, and the sum of the weights of the follows that a paper fits: many papers have the same.

    Args:
        part: the heading.
        score: the sum.
        waited: the edition before had no room for it.
    """
    return f'"part":"{part.value}","score":{score!r}{_WAITED if waited else ""}'


_WAITED = ',"waited":true'


def ground(follow: str, band: Band) -> str:
    """A follow, as written, and how surely it fits: many reasons begin so."""
    return f'{{"follow":{quoted(follow)},"band":{int(band)},"evidence":'


def reason(begun: str, marked: str) -> str:
    """Why an item is there: a ``ground``, and its ``evidence``."""
    return f"{begun}{marked}}}"


def evidence(marked: Iterable[tuple[str, Iterable[str]]]) -> str:
    """What is marked: fields, and the words in each."""
    fields = [f"[{quoted(field)},[{','.join(map(quoted, words))}]]" for field, words in marked]
    return f"[{','.join(fields)}]"


quoted = encode_basestring
"""A string as JSON."""


# --- reading --------------------------------------------------------------------------------------
#
# What parts items, heads and reasons is in none of their texts: there, a quote has a backslash before it.

_WITH_BLANKS, _UNPARTED = '[{"seq": ', '},{"seq":'
_REASONS = ',"reasons":['
_BETWEEN, _PARTED = '},{"follow":', '}\n{"follow":'
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PARTS = {part.value: part for part in Part}
_BANDS = {band.value: band for band in Band}
"""To call an enumeration takes three times as long, and a day has ten thousands of reasons."""


class Head(NamedTuple):
    """What is kept of an item but for its reasons."""

    seq: int
    part: Part
    score: float
    waited: bool


def pieces(kept: str) -> Sequence[str]:
    """The items of an edition, not read yet."""
    if kept.startswith(_WITH_BLANKS) or _UNPARTED in kept:  # as earlier releases wrote them
        kept = written(map(_compact, json.loads(kept)))
    return kept[1:-1].split(PARTED) if len(kept) > 2 else ()


def parted(piece: str) -> tuple[str, Sequence[str]]:
    """The head and the reasons of an item, not read yet: many items have the same ones."""
    head, _, reasons = piece[:-2].partition(_REASONS)
    return f"{head}}}", reasons.replace(_BETWEEN, _PARTED).split("\n") if reasons else ()


def read_head(kept: Mapping[str, Any]) -> Head:
    """The head of an item, as it was kept."""
    return Head(kept["seq"], _PARTS[kept["part"]], kept["score"], kept.get("waited", False))


def read_reason(kept: Mapping[str, Any]) -> Reason:
    """A reason, as it was kept."""
    return Reason(follow=kept["follow"], band=_BANDS[kept["band"]], evidence=read_evidence(kept["evidence"]))


def read_evidence(kept: Iterable[Sequence[Any]]) -> tuple[Evidence, ...]:
    """What is marked, as it was kept: pairs of field and words."""
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in kept])
