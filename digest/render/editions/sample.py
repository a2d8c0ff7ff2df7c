"""Sample editions of all kinds that contain everything once: a template that renders them all is not broken."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from digest.failures import FailureKind
from digest.model import (
    ALERT_PREFIX,
    Abstracts,
    Author,
    Batch,
    BatchState,
    Confidence,
    DigestChanges,
    Edition,
    EditionPart,
    Event,
    EventKind,
    Evidence,
    Frequency,
    Item,
    MissedEdition,
    Paper,
    PaperKey,
    Reason,
    Schedule,
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
_CHANGES = DigestChanges(
    added=tuple(f"<sample> & {number}" for number in range(9)),
    removed=("planning",),
    added_exclusions=("survey",),
    removed_exclusions=("review",),
    options=("title", "limit"),
    schedule=Schedule(frequency=Frequency.WEEKLY, at="08:00", days=(0,)),
)
_KINDS_AND_PARTS = (
    (EventKind.NEW, EditionPart.SURELY),
    (EventKind.GROWN, EditionPart.SURELY),
    (EventKind.NEW, EditionPart.MAYBE),
    (EventKind.PICKED, EditionPart.PICKED),
    (EventKind.VERSION, EditionPart.VERSIONS),
    (EventKind.PUBLISHED, EditionPart.VERSIONS),
    (EventKind.CODE, EditionPart.VERSIONS),
    (EventKind.TRENDING, EditionPart.VERSIONS),
)


def make_sample_edition(now: datetime) -> Edition:
    """Make an edition with a paper in every part, evidence, an item shown as one line, and a batch in every state.

    Args:
        now: the time of the edition.
    """
    items = tuple(
        _make_item(kind, part, seq, now.date()) for seq, (kind, part) in enumerate(_KINDS_AND_PARTS, start=1)
    )
    return Edition(
        id=0,
        digest="sample",
        title="Sample",
        period=now.strftime("%Y-%m-%dT%H:%M"),
        zone="UTC",
        composed_at=now,
        items=items,
        overflow=items[:1],
        dropped=3,
        excluded=2,
        batches=tuple(_make_batch(state, number, now) for number, state in enumerate(BatchState, start=1)),
    )


def make_sample_editions(now: datetime) -> dict[str, Edition]:
    """Make editions of all kinds, by description.

    Args:
        now: the time of the editions.
    """
    edition = make_sample_edition(now)
    sparse_item = _strip_item(edition.items[0])
    complete_batches = tuple(
        replace(batch, state=BatchState.COMPLETE, failure=None) for batch in edition.batches
    )
    undelivered = MissedEdition(edition=1, period="2026-01-05T07:30", zone="UTC", composed_at=now)
    undelivered_page = replace(undelivered, page="https://example.org/editions/sample")
    return {
        "an edition with one of everything": edition,
        "an edition of one paper with little data": replace(
            edition, items=(sparse_item,), overflow=(), dropped=0, excluded=0, batches=complete_batches
        ),
        "a long edition": replace(
            edition, items=edition.items * 20, overflow=(*edition.items, sparse_item) * 10
        ),
        "an edition without a paper": replace(
            edition, items=(), overflow=(), dropped=0, batches=complete_batches
        ),
        "an edition for which nothing has arrived": replace(edition, items=(), overflow=(), dropped=0),
        "an alert": replace(edition, period=f"{ALERT_PREFIX}7", batches=()),
        "an edition after one that did not arrive": replace(edition, missed=(undelivered,)),
        "an edition after one that did not arrive and has a page": replace(
            edition, missed=(undelivered_page,)
        ),
        "an edition after several that did not arrive": replace(edition, missed=(undelivered_page,) * 9),
        "an edition after a change of the digest": replace(
            edition, changes=DigestChanges(removed=("planning",))
        ),
        "an edition after many changes of the digest": replace(edition, changes=_CHANGES),
        "an edition of a month with whole abstracts": replace(
            edition,
            items=_spread_items(edition.items * 2),
            frequency=Frequency.MONTHLY,
            abstracts=Abstracts.FULL,
        ),
        "an edition of a week without abstracts": replace(
            edition, items=_spread_items(edition.items), frequency=Frequency.WEEKLY, abstracts=Abstracts.NONE
        ),
    }


def _spread_items(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Spread items over days, two sources and two follows."""
    return tuple(
        replace(
            item,
            event=replace(
                item.event, day=item.event.day - timedelta(index), source=("arxiv", "sample")[index % 2]
            ),
            reasons=(*item.reasons, replace(item.reasons[0], follow="another"))[: 1 + index % 2],
        )
        for index, item in enumerate(items)
    )


def _strip_item(item: Item) -> Item:
    paper = Paper(key=PaperKey("url:https://example.org/"), title="A sample", url="")
    return replace(item, event=replace(item.event, paper=paper, signals=()))


def _make_item(kind: EventKind, part: EditionPart, seq: int, day: date) -> Item:
    is_version = kind is EventKind.VERSION
    paper = replace(_PAPER, withdrawn=is_version)
    number = 2 if is_version else 0
    signal_sources = (("citations", "arxiv"), ("votes", "arxiv"), ("comments", "arxiv"), ("stars", "arxiv"))
    signals = tuple(
        Signal(subject=paper.key, kind=kind, source=source, day=day, value=1.0)
        for kind, source in signal_sources
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
        new_categories=("cs.LG",) if kind is EventKind.GROWN else (),
        gain=signals[1] if kind is EventKind.TRENDING else None,
    )
    band = Confidence.MAYBE if part is EditionPart.MAYBE else Confidence.SURELY
    evidence = (Evidence(field="title", words=("sample",)), Evidence(field="author", words=("Ada Lovelace",)))
    return Item(
        event=event,
        part=part,
        reasons=(Reason(follow="sample", confidence=band, evidence=evidence),),
        score=1,
    )


def _make_batch(state: BatchState, number: int, now: datetime) -> Batch:
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
