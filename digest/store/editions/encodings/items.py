"""The items of editions as they are stored: JSON that is joined from texts.

A run stores up to a million editions of 20 items each, and most reasons occur in many of them: joining texts takes a
fraction of the time of ``json.dumps``, and texts that many items share are decoded once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from digest.model import Confidence, EditionPart, Evidence, Reason

ITEM_SEPARATOR = ",\n"
"""Stands between the items of an edition and nowhere in them, so they can be separated without being decoded."""


class ItemRank(NamedTuple):
    """What decides about the place of an item; items of equal rank share one object.

    Attributes:
        score: the sum of the weights of the follows that match the paper.
        waited: whether an earlier edition had no room for it.
    """

    part: EditionPart
    score: float
    waited: bool = False


class NewItem(NamedTuple):
    """An item of an edition that is to be stored. A named tuple, because a run stores millions.

    Attributes:
        seq: the number of the event.
        reasons: in the order in which they are shown.
    """

    seq: int
    rank: ItemRank
    reasons: Sequence[Reason]


# --- encoding -------------------------------------------------------------------------------------


_MAX_ENCODED = 100_000
"""Maximum number of encoded reasons that an encoder keeps, about 300 bytes each; then it starts again."""


class ItemEncoder:
    """Encodes the items of many editions; ranks and reasons that they share (the same objects) are encoded once."""

    def __init__(self) -> None:
        self._ranks: dict[int, tuple[ItemRank, str]] = {}
        self._reasons: dict[int, tuple[Reason, str]] = {}

    def encode_items(self, items: Iterable[NewItem]) -> str:
        """Encode the items of an edition."""
        if len(self._reasons) > _MAX_ENCODED:
            self._ranks, self._reasons = {}, {}
        ranks, reasons = self._ranks, self._reasons
        texts = []
        for seq, rank, item_reasons in items:
            _, rank_text = ranks.get(id(rank)) or self._add_rank(rank)
            reason_texts = [
                (reasons.get(id(reason)) or self._add_reason(reason))[1] for reason in item_reasons
            ]
            texts.append(f'{{"seq":{seq},{rank_text},"reasons":[{",".join(reason_texts)}]}}')
        return _join_items(texts)

    # An entry keeps its object, so that no other object gets the same id.

    def _add_rank(self, rank: ItemRank) -> tuple[ItemRank, str]:
        text = f'"part":"{rank.part.value}","score":{rank.score!r}{_WAITED_FIELD if rank.waited else ""}'
        entry = self._ranks[id(rank)] = rank, text
        return entry

    def _add_reason(self, reason: Reason) -> tuple[Reason, str]:
        evidence = ",".join(
            [
                f"[{encode_string(words.field)},[{','.join(map(encode_string, words.words))}]]"
                for words in reason.evidence
            ]
        )
        text = f'{{"follow":{encode_string(reason.follow)},"band":{int(reason.confidence)},"evidence":[{evidence}]}}'
        entry = self._reasons[id(reason)] = reason, text
        return entry


_WAITED_FIELD = ',"waited":true'


def _join_items(items: Iterable[str]) -> str:
    return f"[{ITEM_SEPARATOR.join(items)}]"


encode_string = encode_basestring
"""Encode a string as JSON."""


# --- decoding -------------------------------------------------------------------------------------
#
# No text contains the separators of items, heads and reasons, because quotes in texts are escaped.

_LEGACY_START, _LEGACY_SEPARATOR = '[{"seq": ', '},{"seq":'
_REASONS_START = ',"reasons":['
_REASON_BOUNDARY, _SPLIT_REASON_BOUNDARY = '},{"follow":', '}\n{"follow":'
_encode_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PARTS = {part.value: part for part in EditionPart}
_CONFIDENCES = {band.value: band for band in Confidence}
"""Confidences by value; calling the enumeration takes three times as long, and a day has ten thousands of reasons."""


class ItemHead(NamedTuple):
    """An item without its reasons."""

    seq: int
    part: EditionPart
    score: float
    waited: bool


def split_items(text: str) -> Sequence[str]:
    """Return the items of an edition, not decoded."""
    if text.startswith(_LEGACY_START) or _LEGACY_SEPARATOR in text:  # The text is from an earlier release.
        text = _join_items(map(_encode_compact, json.loads(text)))
    return text[1:-1].split(ITEM_SEPARATOR) if len(text) > 2 else ()


def split_item(text: str) -> tuple[str, Sequence[str]]:
    """Split an item into head and reasons, not decoded; many items share them."""
    head, _, reasons = text[:-2].partition(_REASONS_START)
    return f"{head}}}", reasons.replace(_REASON_BOUNDARY, _SPLIT_REASON_BOUNDARY).split(
        "\n"
    ) if reasons else ()


def read_head(stored: Mapping[str, Any]) -> ItemHead:
    """Convert the decoded head of an item."""
    return ItemHead(stored["seq"], _PARTS[stored["part"]], stored["score"], stored.get("waited", False))


def read_reason(stored: Mapping[str, Any]) -> Reason:
    """Convert a decoded reason."""
    return Reason(
        follow=stored["follow"],
        confidence=_CONFIDENCES[stored["band"]],
        evidence=read_evidence(stored["evidence"]),
    )


def read_evidence(stored: Iterable[Sequence[Any]]) -> tuple[Evidence, ...]:
    """Convert decoded evidence: pairs of field and words."""
    return tuple([Evidence(field=field, words=tuple(words)) for field, words in stored])
