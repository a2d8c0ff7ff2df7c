"""Items of editions as they are kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.model import Confidence, EditionPart, Evidence, Reason
from digest.store.editions import items

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


def kept(seq: int, part: EditionPart, score: float, reasons: list[Reason]) -> str:
    texts = [
        items.encode_reason(
            items.encode_reason_start(one.follow, one.confidence),
            items.encode_evidence([(marked.field, marked.words) for marked in one.evidence]),
        )
        for one in reasons
    ]
    return items.encode_item(seq, items.encode_rank(part, score), texts)


def read(text: str) -> list[tuple[int, EditionPart, float, list[Reason]]]:
    parted = [items.split_item(piece) for piece in items.split_items(text)]
    return [
        (*items.read_head(json.loads(head))[:3], [items.read_reason(json.loads(one)) for one in reasons])
        for head, reasons in parted
    ]


@given(st.lists(_ITEMS, max_size=3))
def test_items_come_back_as_they_were_whatever_their_reasons_say(
    some: list[tuple[int, EditionPart, float, list[Reason]]],
) -> None:
    assert read(items.encode_items([kept(*one) for one in some])) == some


@pytest.mark.parametrize("parts", [(", ", ": "), (",", ":")])
def test_items_that_an_earlier_release_kept_can_be_read(parts: tuple[str, str]) -> None:
    graphs = Reason(
        follow="graph}, {",
        confidence=Confidence.SURELY,
        evidence=(Evidence(field="title", words=("Gräph",)),),
    )
    some = [(1, EditionPart.SURELY, 2.0, [graphs, graphs]), (2, EditionPart.MAYBE, 1.0, [])]
    now = items.encode_items([kept(*one) for one in some])

    assert read(json.dumps(json.loads(now), ensure_ascii=False, separators=parts)) == some
