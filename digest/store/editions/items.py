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

from digest.model import Confidence, EditionPart, Evidence, Reason

ITEM_SEPARATOR = ",\n"
"""Parts the items of an edition: so they can be told apart without being read."""


# --- writing --------------------------------------------------------------------------------------


def encode_items(items: Iterable[str]) -> str:
    """The items of an edition, each as ``item`` writes it."""
    return f"[{ITEM_SEPARATOR.join(items)}]"


def encode_item(seq: int, rank_text: str, reasons: Iterable[str]) -> str:
    """An item.

    Args:
        seq: of the event told.
        rank_text: its ``rank``.
        reasons: each as ``reason`` writes it.
    """
    return f'{{"seq":{seq},{rank_text},"reasons":[{",".join(reasons)}]}}'


@lru_cache(maxsize=1024)
def encode_rank(part: EditionPart, score: float, *, waited: bool = False) -> str:
    """A heading, and the sum of the weights of the follows that a paper fits: many papers have the same.

    Args:
        part: the heading.
        score: the sum.
        waited: the edition before had no room for it.
    """
    return f'"part":"{part.value}","score":{score!r}{_WAITED_FIELD if waited else ""}'


_WAITED_FIELD = ',"waited":true'


def encode_reason_start(follow: str, band: Confidence) -> str:
    """A follow, as written, and how surely it fits: many reasons begin so."""
    return f'{{"follow":{encode_string(follow)},"band":{int(band)},"evidence":'


def encode_reason(reason_start: str, evidence_text: str) -> str:
    """Why an item is there: a ``ground``, and its ``evidence``."""
    return f"{reason_start}{evidence_text}}}"


def encode_evidence(evidence_words: Iterable[tuple[str, Iterable[str]]]) -> str:
    """What is marked: fields, and the words in each."""
    fields = [
        f"[{encode_string(field)},[{','.join(map(encode_string, words))}]]" for field, words in evidence_words
    ]
    return f"[{','.join(fields)}]"


encode_string = encode_basestring
"""A string as JSON."""


# --- reading --------------------------------------------------------------------------------------
#
# What parts items, heads and reasons is in none of their texts: there, a quote has a backslash before it.

_LEGACY_START, _LEGACY_SEPARATOR = '[{"seq": ', '},{"seq":'
_REASONS_START = ',"reasons":['
_REASON_BOUNDARY, _SPLIT_REASON_BOUNDARY = '},{"follow":', '}\n{"follow":'
_encode_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PARTS = {part.value: part for part in EditionPart}
_BANDS = {band.value: band for band in Confidence}
"""To call an enumeration takes three times as long, and a day has ten thousands of reasons."""


class ItemHead(NamedTuple):
    """What is kept of an item but for its reasons."""

    seq: int
    part: EditionPart
    score: float
    waited: bool


def split_items(text: str) -> Sequence[str]:
    """The items of an edition, not read yet."""
    if text.startswith(_LEGACY_START) or _LEGACY_SEPARATOR in text:  # as earlier releases wrote them
        text = encode_items(map(_encode_compact, json.loads(text)))
    return text[1:-1].split(ITEM_SEPARATOR) if len(text) > 2 else ()


def split_item(text: str) -> tuple[str, Sequence[str]]:
    """The head and the reasons of an item, not read yet: many items have the same ones."""
    head, _, reasons = text[:-2].partition(_REASONS_START)
    return f"{head}}}", reasons.replace(_REASON_BOUNDARY, _SPLIT_REASON_BOUNDARY).split(
        "\n"
    ) if reasons else ()


def read_head(stored: Mapping[str, Any]) -> ItemHead:
    """The head of an item, as it was kept."""
    return ItemHead(stored["seq"], _PARTS[stored["part"]], stored["score"], stored.get("waited", False))


def read_reason(stored: Mapping[str, Any]) -> Reason:
    """A reason, as it was kept."""
    return Reason(
        follow=stored["follow"], confidence=_BANDS[stored["band"]], evidence=read_evidence(stored["evidence"])
    )


def read_evidence(stored: Iterable[Sequence[Any]]) -> tuple[Evidence, ...]:
    """What is marked, as it was kept: pairs of field and words."""
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in stored])
