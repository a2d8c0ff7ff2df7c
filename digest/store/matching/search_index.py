"""The index of papers: which papers, and which events, have what a query asks for.

Each root of papers that are one has a document in the index, made of the whole paper. It is made when the paper is kept
and whenever the paper changes. Papers of an older database, or of an older way to make terms, are indexed in pieces
(``missing`` and ``index``); until then they are ``unknown``, and the evaluator reads them each time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from sqlalchemy import Date, Select, bindparam, delete, func, select, update

from digest.core.language.query import ByAuthor
from digest.core.matching.bitmaps import places
from digest.core.matching.narrowing import Lookup
from digest.core.matching.paper_terms import VERSION, Column, paper_terms
from digest.core.papers.document import ReadableText, Text, event_facts
from digest.model import EventKind, Paper
from digest.store.database.dialect import all_as_kept, among, as_day, chunks, fill, fill_up, rows_as_kept
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import (
    events,
    index_counters,
    indexed_papers,
    indexed_texts,
    papers,
    term_forms,
)
from digest.store.matching import posting_lists
from digest.store.matching.posting_lists import IndexedDocument

_DOCUMENT, _VERSION = "document", "version"
"""Counters of the index: the last number of a document, and the version of its terms."""


# --- keeping --------------------------------------------------------------------------------------


def index(tx: Transaction, wholes: Mapping[int, Paper], *, instead_of: Collection[int] = ()) -> None:
    """Put papers into the index.

    Args:
        tx: a transaction of ``Store.keeping``.
        wholes: papers by number, each the root of those that are one with it.
        instead_of: papers that may have been in the index before, of which nothing stays.
    """
    if _counter(tx, _VERSION) != VERSION:
        clear(tx)
        _set_counter(tx, _VERSION, VERSION)
    _take_out(tx, {*instead_of})
    last = _counter(tx, _DOCUMENT)
    rows: list[tuple[Any, ...]] = []
    documents: list[IndexedDocument] = []
    forms: set[tuple[str, str]] = set()
    for number, paper in sorted(wholes.items()):
        terms = paper_terms(paper)
        if terms is not None:
            last += 1
            documents.append(IndexedDocument(last, terms.title, terms.body))
            forms |= terms.forms
        rows.append((number, last if terms is not None else None, paper.withdrawn))
    fill(tx, indexed_papers, ("paper_id", "document", "withdrawn"), rows)
    if documents:
        posting_lists.add(tx, documents)
        texts = [(one.number, one.title.text, one.body.text) for one in documents]
        fill(tx, indexed_texts, ("document", "title", "body"), texts)
        _add_forms(tx, forms)
        _set_counter(tx, _DOCUMENT, last)


def _add_forms(tx: Transaction, forms: Iterable[tuple[str, str]]) -> None:
    fill_up(tx, term_forms, ("form", "term"), sorted(forms))


def _take_out(tx: Transaction, numbers: Collection[int]) -> None:
    for chunk in chunks(sorted(numbers)):
        mine = indexed_papers.c.paper_id.in_(chunk)
        rows = tx.execute(select(indexed_papers.c.document).where(mine)).scalars().all()
        if rows:
            old = [number for number in rows if number is not None]
            posting_lists.remove(tx, old)
            tx.execute(delete(indexed_texts).where(indexed_texts.c.document.in_(old)))
            tx.execute(delete(indexed_papers).where(mine))


def clear(tx: Transaction) -> None:
    """Empty the index: papers are indexed again in pieces, or when they change."""
    posting_lists.clear(tx)
    for table in (indexed_texts, term_forms, indexed_papers):
        tx.execute(delete(table))


def _counter(tx: Transaction, name: str) -> int:
    value: int = tx.execute(select(index_counters.c.value).where(index_counters.c.name == name)).scalar_one()
    return value


def _set_counter(tx: Transaction, name: str, value: int) -> None:
    tx.execute(update(index_counters).where(index_counters.c.name == name).values(value=value))


# --- papers that are not in the index -------------------------------------------------------------


def missing(tx: Transaction, most: int, since: date | None = None) -> list[int]:
    """Papers that are not in the index, the newest first.

    Args:
        tx: a transaction.
        most: how many, at most.
        since: only those with an event of this day or later; None: all.

    Returns:
        Numbers, each the root of those that are one with it.
    """
    wanted = _missing(tx, select(papers.c.id), since)
    return list(tx.execute(wanted.order_by(papers.c.id.desc()).limit(most)).scalars())


def count_missing(tx: Transaction, since: date | None = None) -> int:
    """How many papers are not in the index; ``since`` as for ``missing``."""
    count: int = tx.execute(_missing(tx, select(func.count(papers.c.id)), since)).scalar_one()
    return count


def _missing(tx: Transaction, what: Select[Any], since: date | None) -> Select[Any]:
    wanted = what.where(papers.c.merged_into.is_(None))
    if _counter(tx, _VERSION) == VERSION:
        indexed = select(indexed_papers.c.paper_id).where(indexed_papers.c.paper_id == papers.c.id)
        wanted = wanted.where(~indexed.exists())
    if since is not None:
        member = papers.alias()
        told = select(func.coalesce(member.c.merged_into, member.c.id))
        told = told.join_from(events, member, member.c.id == events.c.paper_id).where(events.c.day >= since)
        wanted = wanted.where(papers.c.id.in_(told))
    return wanted


_ROOT = func.coalesce(papers.c.merged_into, papers.c.id)


# --- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedEvents:
    """Events without their papers, in order; each is a place in all of these rows, for there may be tens of thousands.

    Attributes:
        papers: the numbers of the roots of the papers that are one.
        documents: of these papers in the index; None for a paper that has none.
    """

    seqs: Sequence[int]
    kinds: Sequence[EventKind]
    days: Sequence[date]
    sources: Sequence[str]
    papers: Sequence[int]
    documents: Sequence[int | None]

    def __len__(self) -> int:
        return len(self.seqs)

    def place_of(self, seq: int) -> int:
        """The place of an event that is among them."""
        return bisect_left(self.seqs, seq)


_EVENTS = (
    select(
        *(events.c.seq, events.c.kind, events.c.day, events.c.source, _ROOT.label("root")),
        *(indexed_papers.c.document, indexed_papers.c.withdrawn),
    )
    .join_from(events, papers, papers.c.id == events.c.paper_id)
    .outerjoin(indexed_papers, indexed_papers.c.paper_id == _ROOT)
    .where(events.c.seq > bindparam("low"), events.c.day >= bindparam("since", type_=Date))
    .where(among(events.c.kind, "kinds"))
    .order_by(events.c.seq)
)


def events_since(
    tx: Transaction,
    low: int,
    since: date,
    kinds: Collection[EventKind],
    *,
    unless_withdrawn: Collection[EventKind] = (),
) -> IndexedEvents:
    """Events without their papers, in order.

    Args:
        tx: a transaction.
        low: only those numbered after it.
        since: only those of this day or later.
        kinds: only those of these kinds.
        unless_withdrawn: those of these kinds are left out if the index knows the paper as withdrawn.
    """
    values = {
        "low": low,
        "since": since.isoformat(),
        "kinds": all_as_kept(tx, [kind.value for kind in kinds]),
    }
    left_out = {kind.value for kind in unless_withdrawn}
    rows = [row for row in rows_as_kept(tx, _EVENTS, values) if not (row[-1] and row[1] in left_out)]
    seqs, kept_kinds, kept_days, sources, roots, documents, _ = zip(*rows, strict=True) if rows else [()] * 7
    kind_of, day_of = {kind.value: kind for kind in kinds}, as_day(tx)
    days = {day: day_of(day) for day in set(kept_days)}
    return IndexedEvents(
        seqs=seqs,
        kinds=[kind_of[kind] for kind in kept_kinds],
        days=[days[day] for day in kept_days],
        sources=sources,
        papers=roots,
        documents=documents if _counter(tx, _VERSION) == VERSION else [None] * len(rows),
    )


class EventIndex:
    """The index of papers, for some events: ``digest.core.matching.narrowing.Index``.

    Args:
        tx: a transaction.
        listed: the events; the place of each is its bit in all rows.
        signed_by_id: the seqs of events whose papers may be signed by a person who is known by ids alone.
    """

    def __init__(
        self,
        tx: Transaction,
        listed: IndexedEvents,
        signed_by_id: Callable[[ByAuthor], Collection[int]],
    ) -> None:
        self._tx = tx
        self._listed = listed
        self._signed_by_id = signed_by_id
        self._place: dict[int, int] = {}
        """By document: the first event of its paper."""
        self._others: dict[int, list[int]] = {}
        """By document: the other events."""
        for place, number in enumerate(listed.documents):
            if number is not None and self._place.setdefault(number, place) != place:
                self._others.setdefault(number, []).append(place)
        self._low = min(self._place, default=0)
        self._terms: dict[frozenset[str], Collection[str]] = {}
        self.every = (1 << len(listed)) - 1
        self.unknown = self._row(place for place, number in enumerate(listed.documents) if number is None)

    def find(self, column: Column, lookup: Lookup) -> int:
        """The events whose papers have something in a column."""
        if not self._place:
            return 0
        known = self._place.keys() & posting_lists.find(self._tx, column, lookup, self._low)
        others = chain.from_iterable(map(self._others.__getitem__, self._others.keys() & known))
        return self._row(chain(map(self._place.__getitem__, known), others))

    def texts(self, row: int) -> dict[int, Mapping[Column, Text]]:
        """The texts of the papers of some events, by place; those whose papers are not in the index are left out."""
        wanted = [
            (place, number) for place in places(row) if (number := self._listed.documents[place]) is not None
        ]
        values = {"documents": all_as_kept(self._tx, [number for _, number in wanted])}
        known: dict[int, Mapping[Column, Text]] = {
            number: {"title": _text(title), "body": _text(body)}
            for number, title, body in rows_as_kept(self._tx, _TEXTS, values)
        }
        return {place: known[number] for place, number in wanted}

    def terms_of(self, some: Iterable[str]) -> Collection[str]:
        """The terms that words with one of some forms have, without those that are such a form."""
        forms = frozenset(some)
        if forms not in self._terms:
            rows = rows_as_kept(self._tx, _TERMS_OF, {"forms": all_as_kept(self._tx, sorted(forms))})
            self._terms[forms] = frozenset(known for (known,) in rows)
        return self._terms[forms]

    def terms_from(self, beginning: str) -> Collection[str]:
        """The terms of words with a form that begins so, without those that are such a form."""
        values = {"first": beginning, "behind": beginning + _LAST}
        return {known for (known,) in rows_as_kept(self._tx, _TERMS_FROM, values)}

    def events_with(self, field: str, value: str) -> int:
        """The events of a kind or source."""
        told = enumerate(zip(self._listed.kinds, self._listed.sources, strict=True))
        return self._row(
            place for place, (kind, source) in told if (field, value) in event_facts(kind, source)
        )

    def signed_by_id(self, person: ByAuthor) -> int:
        """The events whose papers may be signed by a person who is known by ids alone."""
        seqs = self._signed_by_id(person)
        return self._row(place for place, seq in enumerate(self._listed.seqs) if seq in seqs)

    def _row(self, places: Iterable[int]) -> int:
        """The row of some places: in a single pass, for there may be tens of thousands."""
        bits = bytearray(len(self._listed) // 8 + 1)
        for place in places:
            bits[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(bits, "little")


def _text(readable: str) -> ReadableText:
    return ReadableText(announced=(readable,) if readable else ())


_LAST = "\U0010ffff"
"""Behind all that begins as what stands before it."""
_TEXTS = select(indexed_texts).where(among(indexed_texts.c.document, "documents"))
_TERMS_OF = select(term_forms.c.term).where(among(term_forms.c.form, "forms"))
_TERMS_FROM = select(term_forms.c.term).where(
    term_forms.c.form >= bindparam("first"), term_forms.c.form < bindparam("behind")
)
