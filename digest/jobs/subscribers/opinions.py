"""What a reader says of a paper that an edition told: at its own page, by one click, and taken back by another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from digest.core.names.fitting import folded
from digest.core.subscribers.opinions import Opinion
from digest.jobs import person_edits
from digest.model import Edition, Item, Paper, PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.editions import editions
from digest.store.papers import authorships, papers
from digest.store.papers.authorships import Byline
from digest.store.publishing import web_queries
from digest.store.subscribers import digests, opinions
from digest.store.subscribers.digests import Follow


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An author of a paper who may be one that is followed.

    Attributes:
        name: as printed.
        yes: what the reader answered: it is, or is not, the one; None for nothing.
    """

    name: str
    yes: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPaper:
    """A paper that an edition told, with what its reader said of it.

    Attributes:
        number: of the item, from 1; those of the rest go on counting.
        digest: the number of the digest.
        brought_by: the follows that brought it and have not ended, with what they count now.
        said: what stands of what the reader said.
        persons: the authors because of whom it is there, those of one name left out: nobody can tell which is meant.
    """

    edition: Edition
    number: int
    item: Item
    digest: int
    brought_by: tuple[Follow, ...]
    said: frozenset[Opinion]
    persons: tuple[Person, ...]


def told_paper(store: Store, edition: int, number: int) -> ToldPaper | None:
    """A paper of an edition; None where there is none of that number.

    Args:
        store: where.
        edition: its number.
        number: of the item, from 1.
    """
    with store.reading() as tx:
        place = _find(tx, edition, number)
        return _told(tx, place) if place else None


def say(store: Store, edition: int, number: int, opinion: Opinion, now: datetime) -> ToldPaper | None:
    """Keep what a reader says of a paper; said twice it is said once. ``MORE`` and ``LESS`` are felt at once."""

    def said(tx: Transaction, place: _Place) -> None:
        queries = {follow.query for follow in place.brought_by}
        opinions.say(tx, place.digest, place.paper, opinion, queries=queries, at=now)
        opinions.learn(tx, place.digest)

    return _changed(store, edition, number, said)


def take_back(store: Store, edition: int, number: int, opinion: Opinion) -> ToldPaper | None:
    """Forget what a reader said of a paper, and what was learned from it."""

    def taken(tx: Transaction, place: _Place) -> None:
        opinions.take_back(tx, place.digest, place.paper, [opinion])
        opinions.learn(tx, place.digest)

    return _changed(store, edition, number, taken)


def judge(
    store: Store, edition: int, number: int, name: str, now: datetime, *, yes: bool | None
) -> ToldPaper | None:
    """Keep what a reader says of an author: that this is, or is not, the person who is followed.

    Args:
        store: where.
        edition: its number.
        number: of the item, from 1.
        name: of the author, as printed.
        now: when.
        yes: None forgets what was said.

    Returns:
        None where there is no such paper, or no such author on it who may be followed.
    """

    def judged(tx: Transaction, place: _Place) -> None:
        for one in place.bylines:
            if one.name != name:
                continue
            if yes is None:
                person_edits.forget(tx, place.digest, one)
            else:
                person_edits.judge(tx, place.digest, one, now, yes=yes)

    return _changed(store, edition, number, judged)


# --- what is saved --------------------------------------------------------------------------------


class SavedPaper(NamedTuple):
    """A paper that a reader saved.

    Attributes:
        digest: the name of the digest that had brought it.
        at: when.
    """

    digest: str
    paper: Paper
    at: datetime


def saved(tx: Transaction, digest: int | None = None) -> list[SavedPaper]:
    """What readers saved, the last first; from one digest, or from all, also from those that have ended."""
    found = opinions.saved(tx, digest)
    known = papers.load(tx, {one.paper for one in found})
    return [SavedPaper(one.digest, known[one.paper], one.at) for one in found]


def unsave(tx: Transaction, digest: int, key: PaperKey) -> None:
    """Take a paper out of what is saved; one that is not in there stays so.

    Args:
        tx: a writing transaction.
        digest: its number.
        key: of the paper.
    """
    if (number := _number(tx, key)) is not None:
        opinions.take_back(tx, digest, number, [Opinion.SAVED])


# --- which paper ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where an edition told a paper.

    Attributes:
        paper: its number; of papers that are one, the root's.
        bylines: those that may be a person's who is followed.
    """

    edition: Edition
    number: int
    item: Item
    digest: int
    paper: int
    brought_by: tuple[Follow, ...]
    bylines: tuple[Byline, ...]


def _find(tx: Transaction, edition: int, number: int) -> _Place | None:
    digest = web_queries.digest_of_edition(tx, edition)
    if digest is None:
        return None
    told = editions.load_in_full(tx, edition)
    if number > len(told.items):
        told = editions.load(tx, [edition])[edition]
    behind = number - len(told.items)
    if number < 1 or behind > len(told.rest):
        return None
    item = told.rest[behind - 1] if behind > 0 else told.items[number - 1]
    paper = _number(tx, item.paper.key)
    assert paper is not None
    return _Place(
        edition=told,
        number=number,
        item=item,
        digest=digest.id,
        paper=paper,
        brought_by=_brought_by(tx, digest.id, item),
        bylines=_followed(item, authorships.bylines_of(tx, [paper]).get(paper, ())),
    )


def _number(tx: Transaction, key: PaperKey) -> int | None:
    """The number of a paper; of papers that are one, the root's."""
    number = papers.find(tx, [key]).get(key)
    return None if number is None else papers.roots_of(tx, [number])[number]


def _brought_by(tx: Transaction, digest: int, item: Item) -> tuple[Follow, ...]:
    """The follows of an item that have not ended; an edition knows them by what its reader wrote."""
    written = {reason.follow for reason in item.reasons}
    return tuple(
        follow
        for standing in digests.digests_numbered(tx, [digest])
        for follow in standing.follows
        if not follow.exclude and follow.text in written
    )


def _followed(item: Item, signed: Iterable[Byline]) -> tuple[Byline, ...]:
    marked = {
        folded(word)
        for reason in item.reasons
        for what in reason.evidence
        if what.field == "author"
        for word in what.words
    }
    found: dict[str, list[Byline]] = {}
    for one in signed:
        if (name := folded(one.name)) in marked:
            found.setdefault(name, []).append(one)
    return tuple(ones[0] for ones in found.values() if len(ones) == 1)


def _told(tx: Transaction, place: _Place) -> ToldPaper:
    return ToldPaper(
        edition=place.edition,
        number=place.number,
        item=place.item,
        digest=place.digest,
        brought_by=_brought_by(tx, place.digest, place.item),
        said=opinions.said_of(tx, place.digest, place.paper),
        persons=tuple(
            Person(name=one.name, yes=person_edits.answered(tx, place.digest, one)) for one in place.bylines
        ),
    )


def _changed(
    store: Store, edition: int, number: int, change: Callable[[Transaction, _Place], None]
) -> ToldPaper | None:
    """Change something about a paper, while nobody else says anything to its digest; the paper as it is then."""
    with store.writing() as tx:
        place = _find(tx, edition, number)
        if place is None:
            return None
        opinions.hold(tx, place.digest)
        change(tx, place)
        return _told(tx, place)
