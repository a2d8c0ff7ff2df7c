"""Editions with one of everything, invented, in all shapes: a template that renders them is not broken."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from digest.failures import FailureKind
from digest.model import (
    ALERT,
    Abstracts,
    Author,
    Band,
    Batch,
    BatchState,
    Edition,
    Event,
    EventKind,
    Evidence,
    Frequency,
    Item,
    Missed,
    Paper,
    PaperKey,
    Part,
    Reason,
    Signal,
)

_PAPER = Paper(
    key=PaperKey("arxiv:2601.00001"),
    title=r"A sample with $\mathcal{O}(n \log n)$ & <angles>",
    abstract="It has two sentences. This is the second one.",
    authors=(Author(name="Ada Lovelace", affiliations=("London",)), Author(name="王偉")),
    categories=("cs.DC", "cs.LG"),
    version=2,
    url="https://arxiv.org/abs/2601.00001",
    pdf_url="https://arxiv.org/pdf/2601.00001",
    doi="10.1000/sample",
    journal_ref="Journal of Samples 1 (2026)",
    comment="12 pages",
    license_url="https://creativecommons.org/licenses/by/4.0/",
    code_urls=("https://github.com/sample/sample",),
    project_urls=("https://sample.github.io/",),
    organizations=("Samples Ltd",),
)
_TOLD = (
    (EventKind.NEW, Part.SURELY),
    (EventKind.GROWN, Part.SURELY),
    (EventKind.NEW, Part.MAYBE),
    (EventKind.PICKED, Part.PICKED),
    (EventKind.VERSION, Part.VERSIONS),
    (EventKind.PUBLISHED, Part.VERSIONS),
    (EventKind.CODE, Part.VERSIONS),
)


def sample_edition(now: datetime) -> Edition:
    """An edition with a paper in every part, told for every reason, one in the rest, and a day in every state.

    Args:
        now: its time.
    """
    items = tuple(_item(kind, part, seq, now.date()) for seq, (kind, part) in enumerate(_TOLD, start=1))
    return Edition(
        id=0,
        digest="sample",
        title="Sample",
        period=now.strftime("%Y-%m-%dT%H:%M"),
        zone="UTC",
        composed_at=now,
        items=items,
        rest=items[:1],
        dropped=3,
        excluded=2,
        batches=tuple(_batch(state, number, now) for number, state in enumerate(BatchState, start=1)),
    )


def sample_editions(now: datetime) -> dict[str, Edition]:
    """Editions of every shape, by what is said of one.

    Args:
        now: their time.
    """
    usual = sample_edition(now)
    bare = _bare(usual.items[0])
    whole = tuple(replace(batch, state=BatchState.COMPLETE, failure=None) for batch in usual.batches)
    lost = Missed(edition=1, period="2026-01-05T07:30", zone="UTC", composed_at=now)
    read = replace(lost, page="https://example.org/editions/sample")
    return {
        "an edition with one of everything": usual,
        "an edition of one paper of which little is known": replace(
            usual, items=(bare,), rest=(), dropped=0, excluded=0, batches=whole
        ),
        "a long edition": replace(usual, items=usual.items * 20, rest=(*usual.items, bare) * 10),
        "an edition without a paper": replace(usual, items=(), rest=(), dropped=0, batches=whole),
        "an edition for which nothing has come": replace(usual, items=(), rest=(), dropped=0),
        "an alert": replace(usual, period=f"{ALERT}7", batches=()),
        "an edition after one that did not arrive": replace(usual, missed=(lost,)),
        "an edition after one that did not arrive and has a page": replace(usual, missed=(read,)),
        "an edition after several that did not arrive": replace(usual, missed=(read,) * 9),
        "an edition of a month with whole abstracts": replace(
            usual, items=_spread(usual.items * 2), frequency=Frequency.MONTHLY, abstracts=Abstracts.FULL
        ),
        "an edition of a week without abstracts": replace(
            usual, items=_spread(usual.items), frequency=Frequency.WEEKLY, abstracts=Abstracts.NONE
        ),
    }


def _spread(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items on a day each, from two sources and for two follows."""
    return tuple(
        replace(
            item,
            event=replace(
                item.event, day=item.event.day - timedelta(place), source=("arxiv", "sample")[place % 2]
            ),
            reasons=(*item.reasons, replace(item.reasons[0], follow="another"))[: 1 + place % 2],
        )
        for place, item in enumerate(items)
    )


def _bare(item: Item) -> Item:
    paper = Paper(key=PaperKey("url:https://example.org/"), title="A sample", url="")
    return replace(item, event=replace(item.event, paper=paper, signals=()))


def _item(kind: EventKind, part: Part, seq: int, day: date) -> Item:
    is_version = kind is EventKind.VERSION
    paper = replace(_PAPER, withdrawn=is_version)
    number = 2 if is_version else 0
    counted = (("citations", "arxiv"), ("votes", "arxiv"), ("comments", "arxiv"), ("stars", "arxiv"))
    signals = tuple(
        Signal(subject=paper.key, kind=kind, source=source, day=day, value=1.0) for kind, source in counted
    )
    event = Event(
        seq=seq,
        kind=kind,
        number=number,
        day=day,
        source="arxiv",
        first=True,
        paper=paper,
        signals=signals,
        newly=("cs.LG",) if kind is EventKind.GROWN else (),
    )
    band = Band.MAYBE if part is Part.MAYBE else Band.SURELY
    evidence = (Evidence(field="title", words=("sample",)), Evidence(field="author", words=("Ada Lovelace",)))
    return Item(
        event=event, part=part, reasons=(Reason(follow="sample", band=band, evidence=evidence),), score=1
    )


def _batch(state: BatchState, number: int, now: datetime) -> Batch:
    return Batch(
        id=number,
        source="arxiv",
        section=f"cs.{number}",
        day=now.date(),
        state=state,
        due_at=now - timedelta(hours=1),
        received=12 if state in {BatchState.COMPLETE, BatchState.PARTIAL} else 0,
        asked_at=now,
        failure=FailureKind.UNREACHED if state is BatchState.WAITING else None,
    )
