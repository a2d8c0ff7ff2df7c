"""What a reader says of a paper that an edition told: at its own page, by one click, and taken back by another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from digest.core.names.fitting import fold_name
from digest.core.subscribers.opinions import Opinion
from digest.jobs import person_edits
from digest.model import Edition, Item, Paper, PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.editions import editions
from digest.store.papers import authorships, papers
from digest.store.papers.authorships import BylineRecord
from digest.store.publishing import web_queries
from digest.store.subscribers import digests, opinions
from digest.store.subscribers.digests import Follow


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedAuthor:
    """An author of a paper who may be one that is followed.

    Attributes:
        name: as printed.
        yes: what the reader answered: it is, or is not, the one; None for nothing.
    """

    name: str
    yes: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionPaper:
    """A paper that an edition told, with what its reader said of it.

    Attributes:
        number: of the item, from 1; those of the rest go on counting.
        digest: the number of the digest.
        brought_by: the follows that brought it and have not ended, with what they count now.
        opinions: what stands of what the reader said.
        persons: the authors because of whom it is there, those of one name left out: nobody can tell which is meant.
    """

    edition: Edition
    number: int
    item: Item
    digest: int
    brought_by: tuple[Follow, ...]
    opinions: frozenset[Opinion]
    persons: tuple[FollowedAuthor, ...]


def load_edition_paper(store: Store, edition: int, item_number: int) -> EditionPaper | None:
    """A paper of an edition; None where there is none of that number.

    Args:
        store: where.
        edition: its number.
        item_number: of the item, from 1.
    """
    with store.begin_read() as tx:
        position = _find_position(tx, edition, item_number)
        return _make_edition_paper(tx, position) if position else None


def save_opinion(
    store: Store, edition: int, item_number: int, opinion: Opinion, now: datetime
) -> EditionPaper | None:
    """Keep what a reader says of a paper; said twice it is said once. ``MORE`` and ``LESS`` are felt at once."""

    def store_opinion(tx: Transaction, position: _EditionPosition) -> None:
        queries = {follow.query for follow in position.brought_by}
        opinions.save_opinion(tx, position.digest, position.paper, opinion, queries=queries, at=now)
        opinions.update_learned_weights(tx, position.digest)

    return _change_paper(store, edition, item_number, store_opinion)


def withdraw_opinion(store: Store, edition: int, item_number: int, opinion: Opinion) -> EditionPaper | None:
    """Forget what a reader said of a paper, and what was learned from it."""

    def remove_opinion(tx: Transaction, position: _EditionPosition) -> None:
        opinions.withdraw_opinions(tx, position.digest, position.paper, [opinion])
        opinions.update_learned_weights(tx, position.digest)

    return _change_paper(store, edition, item_number, remove_opinion)


def save_author_verdict(
    store: Store, edition: int, item_number: int, name: str, now: datetime, *, yes: bool | None
) -> EditionPaper | None:
    """Keep what a reader says of an author: that this is, or is not, the person who is followed.

    Args:
        store: where.
        edition: its number.
        item_number: of the item, from 1.
        name: of the author, as printed.
        now: when.
        yes: None forgets what was said.

    Returns:
        None where there is no such paper, or no such author on it who may be followed.
    """

    def store_verdict(tx: Transaction, position: _EditionPosition) -> None:
        for author_byline in position.bylines:
            if author_byline.name != name:
                continue
            if yes is None:
                person_edits.forget_verdict(tx, position.digest, author_byline)
            else:
                person_edits.record_verdict(tx, position.digest, author_byline, now, yes=yes)

    return _change_paper(store, edition, item_number, store_verdict)


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


def list_saved(tx: Transaction, digest: int | None = None) -> list[SavedPaper]:
    """What readers saved, the last first; from one digest, or from all, also from those that have ended."""
    saved_rows = opinions.list_saved(tx, digest)
    papers_by_number = papers.load_papers(tx, {saved_row.paper for saved_row in saved_rows})
    return [
        SavedPaper(saved_row.digest, papers_by_number[saved_row.paper], saved_row.at)
        for saved_row in saved_rows
    ]


def remove_saved(tx: Transaction, digest: int, key: PaperKey) -> None:
    """Take a paper out of what is saved; one that is not in there stays so.

    Args:
        tx: a writing transaction.
        digest: its number.
        key: of the paper.
    """
    if (paper_number := _find_root_number(tx, key)) is not None:
        opinions.withdraw_opinions(tx, digest, paper_number, [Opinion.SAVED])


# --- which paper ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _EditionPosition:
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
    bylines: tuple[BylineRecord, ...]


def _find_position(tx: Transaction, edition: int, item_number: int) -> _EditionPosition | None:
    digest = web_queries.find_digest_of_edition(tx, edition)
    if digest is None:
        return None
    loaded_edition = editions.load_without_overflow(tx, edition)
    if item_number > len(loaded_edition.items):
        loaded_edition = editions.load_editions(tx, [edition])[edition]
    overflow_number = item_number - len(loaded_edition.items)
    if item_number < 1 or overflow_number > len(loaded_edition.overflow):
        return None
    item = (
        loaded_edition.overflow[overflow_number - 1]
        if overflow_number > 0
        else loaded_edition.items[item_number - 1]
    )
    paper = _find_root_number(tx, item.paper.key)
    assert paper is not None
    return _EditionPosition(
        edition=loaded_edition,
        number=item_number,
        item=item,
        digest=digest.id,
        paper=paper,
        brought_by=_list_follows(tx, digest.id, item),
        bylines=_list_followed_bylines(item, authorships.load_bylines(tx, [paper]).get(paper, ())),
    )


def _find_root_number(tx: Transaction, key: PaperKey) -> int | None:
    """The number of a paper; of papers that are one, the root's."""
    number = papers.find_papers(tx, [key]).get(key)
    return None if number is None else papers.load_roots(tx, [number])[number]


def _list_follows(tx: Transaction, digest: int, item: Item) -> tuple[Follow, ...]:
    """The follows of an item that have not ended; an edition knows them by what its reader wrote."""
    follow_texts = {reason.follow for reason in item.reasons}
    return tuple(
        follow
        for standing in digests.load_digests_by_id(tx, [digest])
        for follow in standing.follows
        if not follow.exclude and follow.text in follow_texts
    )


def _list_followed_bylines(item: Item, bylines: Iterable[BylineRecord]) -> tuple[BylineRecord, ...]:
    marked_names = {
        fold_name(word)
        for reason in item.reasons
        for field_evidence in reason.evidence
        if field_evidence.field == "author"
        for word in field_evidence.words
    }
    bylines_by_name: dict[str, list[BylineRecord]] = {}
    for signed_byline in bylines:
        if (name := fold_name(signed_byline.name)) in marked_names:
            bylines_by_name.setdefault(name, []).append(signed_byline)
    return tuple(same_named[0] for same_named in bylines_by_name.values() if len(same_named) == 1)


def _make_edition_paper(tx: Transaction, position: _EditionPosition) -> EditionPaper:
    return EditionPaper(
        edition=position.edition,
        number=position.number,
        item=position.item,
        digest=position.digest,
        brought_by=_list_follows(tx, position.digest, position.item),
        opinions=opinions.load_opinions(tx, position.digest, position.paper),
        persons=tuple(
            FollowedAuthor(
                name=author_byline.name, yes=person_edits.get_verdict(tx, position.digest, author_byline)
            )
            for author_byline in position.bylines
        ),
    )


def _change_paper(
    store: Store, edition: int, item_number: int, change: Callable[[Transaction, _EditionPosition], None]
) -> EditionPaper | None:
    """Change something about a paper, while nobody else says anything to its digest; the paper as it is then."""
    with store.begin_write() as tx:
        position = _find_position(tx, edition, item_number)
        if position is None:
            return None
        opinions.lock_digest(tx, position.digest)
        change(tx, position)
        return _make_edition_paper(tx, position)
