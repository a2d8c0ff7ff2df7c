"""Editions to render, made of the facts of listings that ship and of lines of our own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from digest.model import (
    Author,
    Batch,
    BatchState,
    Confidence,
    Edition,
    EditionPart,
    Event,
    EventKind,
    Evidence,
    Item,
    Paper,
    PaperKey,
    Reason,
)
from digest.render.branding import Branding

FRIDAY = date(2026, 6, 12)
DUE = datetime(2026, 6, 12, 4, tzinfo=UTC)
NOW = datetime(2026, 6, 12, 5, 30, 4, tzinfo=UTC)
TITLES = {"arxiv": "arXiv", "hf": "Hugging Face"}
SITE = Branding(
    title="Systems lab digest",
    url="https://digest.example.org/",
    contact="ops@example.org",
    sender="Digest <digest@example.org>",
    source_titles=TITLES,
)


def make_paper(number: int = 1, **fields: Any) -> Paper:
    known_values: dict[str, Any] = {
        "key": PaperKey(f"arxiv:2606.{number:05}"),
        "title": f"SplitZip {number}: Lossless KV Compression",
        "abstract": f"We compress the KV cache number {number}. It costs $O(n)$.",
        "authors": (Author(name="Yipin Guo"), Author(name="Siddharth Joshi")),
        "categories": ("cs.DC", "cs.LG"),
        "url": f"https://arxiv.org/abs/2606.{number:05}",
        "pdf_url": f"https://arxiv.org/pdf/2606.{number:05}",
    }
    return Paper(**known_values | fields)


def make_reason(
    follow: str = "KV cache", band: Confidence = Confidence.SURELY, **evidence: Sequence[str]
) -> Reason:
    """A reason; the evidence by field: ``abstract=["KV cache"]``."""
    return Reason(
        follow=follow,
        confidence=band,
        evidence=tuple(Evidence(field=field, words=tuple(words)) for field, words in evidence.items()),
    )


_USUAL = {EditionPart.PICKED: EventKind.PICKED, EditionPart.VERSIONS: EventKind.VERSION}


def make_item(
    number: int = 1,
    part: EditionPart = EditionPart.SURELY,
    reasons: Sequence[Reason] = (),
    *,
    kind: EventKind | None = None,
    day: date = FRIDAY,
    source: str = "arxiv",
    replaced_as: int = 3,
    late: bool = False,
    **fields: Any,
) -> Item:
    """An item; what is not said of its event goes by its part, and the other fields are its paper's."""
    kind = kind or _USUAL.get(part, EventKind.NEW)
    event = Event(
        seq=number,
        kind=kind,
        number=replaced_as if kind is EventKind.VERSION else 0,
        day=day,
        source=source,
        first=kind is not EventKind.VERSION,
        paper=make_paper(number, **fields),
    )
    return Item(
        event=event,
        part=part,
        reasons=tuple(reasons) or (make_reason(abstract=["KV cache"]),),
        score=1.0,
        late=late,
    )


def make_batch(section: str = "cs.DC", state: BatchState = BatchState.COMPLETE, **fields: Any) -> Batch:
    asked = state not in {BatchState.WAITING, BatchState.FAILED}
    known_values: dict[str, Any] = {
        "id": 1,
        "source": "arxiv",
        "section": section,
        "day": FRIDAY,
        "state": state,
        "due_at": DUE,
        "received": 212 if state is BatchState.COMPLETE else 0,
        "asked_at": DUE if asked else None,
        "answered_at": DUE if asked else None,
    }
    return Batch(**known_values | fields)


def make_edition(*items: Item, **fields: Any) -> Edition:
    known_values: dict[str, Any] = {
        "id": 1,
        "digest": "llm-systems",
        "period": "2026-06-12T07:30",
        "zone": "Europe/Berlin",
        "composed_at": NOW,
        "items": items,
        "batches": (make_batch(),),
    }
    chosen = known_values | fields
    return Edition(**{"title": chosen["digest"], **chosen})


def make_edition_of_every_kind(**fields: Any) -> Edition:
    """An edition with something of every kind to tell."""
    return make_edition(
        make_item(1),
        make_item(2, kind=EventKind.GROWN),
        make_item(3, EditionPart.MAYBE, kind=EventKind.PICKED, source="hf"),
        make_item(4, EditionPart.PICKED, source="hf", organizations=("Made Up Labs",)),
        make_item(5, EditionPart.PICKED, source="hf"),
        make_item(6, EditionPart.VERSIONS, withdrawn=True),
        make_item(
            7, EditionPart.VERSIONS, kind=EventKind.PUBLISHED, journal_ref="J. Made Up 1 (2026)", doi="10.1/x"
        ),
        make_item(8, EditionPart.VERSIONS, kind=EventKind.CODE, code_urls=("https://github.com/who/what",)),
        **fields,
    )


def make_edition_of_three_parts(**fields: Any) -> Edition:
    """An edition with something under each heading, and a line."""
    maybe = make_reason("Wencong Xiao", Confidence.MAYBE, author=["W. Xiao"])
    return make_edition(
        make_item(1),
        make_item(2, EditionPart.MAYBE, [maybe], authors=(Author(name="W. Xiao"), Author(name="Ana Lee"))),
        make_item(3, EditionPart.VERSIONS),
        **{"overflow": (make_item(4),), "dropped": 5, "excluded": 1} | fields,
    )
