"""Items of editions as they are kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.model import Confidence, EditionPart, Evidence, Reason
from digest.store.editions.encodings import items
from digest.store.editions.encodings.items import ItemEncoder, ItemRank, NewItem

_TEXTS = st.text(max_size=20) | st.sampled_from(
    ['},{"follow":', '},{"seq":', ',"reasons":[', ",\n", "]}", '"']
)
_EVIDENCE = st.builds(Evidence, field=_TEXTS, words=st.lists(_TEXTS, max_size=3).map(tuple))
_REASONS = st.builds(
    Reason,
    follow=_TEXTS,
    confidence=st.sampled_from(Confidence),
    evidence=st.lists(_EVIDENCE, max_size=3).map(tuple),
)
_ITEMS = st.tuples(
    st.integers(1),
    st.sampled_from(EditionPart),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(_REASONS),
)


def kept(values: list[tuple[int, EditionPart, float, list[Reason]]]) -> str:
    return ItemEncoder().encode_items(
        [NewItem(seq, ItemRank(part, score), reasons) for seq, part, score, reasons in values]
    )


def read(text: str) -> list[tuple[int, EditionPart, float, list[Reason]]]:
    parted = [items.split_item(piece) for piece in items.split_items(text)]
    return [
        (
            *items.read_head(json.loads(head))[:3],
            [items.read_reason(json.loads(reason)) for reason in reasons],
        )
        for head, reasons in parted
    ]


@given(st.lists(_ITEMS, max_size=3))
def test_items_come_back_as_they_were_whatever_their_reasons_say(
    some: list[tuple[int, EditionPart, float, list[Reason]]],
) -> None:
    assert read(kept(some)) == some


@pytest.mark.parametrize("parts", [(", ", ": "), (",", ":")])
def test_items_that_an_earlier_release_kept_can_be_read(parts: tuple[str, str]) -> None:
    graphs = Reason(
        follow="graph}, {",
        confidence=Confidence.SURELY,
        evidence=(Evidence(field="title", words=("Gräph",)),),
    )
    values = [(1, EditionPart.SURELY, 2.0, [graphs, graphs]), (2, EditionPart.MAYBE, 1.0, [])]
    now = kept(values)

    assert read(json.dumps(json.loads(now), ensure_ascii=False, separators=parts)) == values


def test_reasons_that_items_share_are_kept_with_each_and_what_waited_is_marked() -> None:
    evidence = (Evidence(field="title", words=("Graphs", "trees")),)
    reasons = [Reason(follow=name, confidence=Confidence.MAYBE, evidence=evidence) for name in ("a", "b")]

    text = ItemEncoder().encode_items(
        [NewItem(number, ItemRank(EditionPart.MAYBE, 1.5, waited=number == 2), reasons) for number in (1, 2)]
    )

    why = [{"follow": name, "band": 1, "evidence": [["title", ["Graphs", "trees"]]]} for name in ("a", "b")]
    assert json.loads(text) == [
        {"seq": 1, "part": "maybe", "score": 1.5, "reasons": why},
        {"seq": 2, "part": "maybe", "score": 1.5, "waited": True, "reasons": why},
    ]
