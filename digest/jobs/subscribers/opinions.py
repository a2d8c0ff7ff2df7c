"""Opinions of a reader about the papers of an edition, given and withdrawn on the page of each paper."""

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
    """An author of a paper who may be a followed person.

    Attributes:
        name: the printed name.
        yes: the reader's answer: this is, or is not, the followed person; None for no answer.
    """

    name: str
    yes: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionPaper:
    """A paper of an edition, with the opinions of its reader.

    Attributes:
        edition: the edition.
        number: the number of the item, from 1; papers with one line continue the numbers.
        item: the item.
        digest: the number of the digest.
        brought_by: the active follows that matched it, with their current weights.
        opinions: the reader's current opinions.
        persons: the authors that follows matched, except those with the same name, which cannot be
            distinguished.
    """

    edition: Edition
    number: int
    item: Item
    digest: int
    brought_by: tuple[Follow, ...]
    opinions: frozenset[Opinion]
    persons: tuple[FollowedAuthor, ...]


def load_edition_paper(store: Store, edition: int, item_number: int) -> EditionPaper | None:
    """Load a paper of an edition; return None if there is none with this number.

    Args:
        store: the store.
        edition: the number of the edition.
        item_number: the number of the item, from 1.
    """
    with store.begin_read() as tx:
        position = _find_position(tx, edition, item_number)
        return _make_edition_paper(tx, position) if position else None


def save_opinion(
    store: Store, edition: int, item_number: int, opinion: Opinion, now: datetime
) -> EditionPaper | None:
    """Store an opinion, once however often it is given; ``MORE`` and ``LESS`` take effect at once."""

    def store_opinion(tx: Transaction, position: _EditionPosition) -> None:
        queries = {follow.query for follow in position.brought_by}
        opinions.save_opinion(tx, position.digest, position.paper, opinion, queries=queries, at=now)
        opinions.update_learned_weights(tx, position.digest)

    return _change_paper(store, edition, item_number, store_opinion)


def withdraw_opinion(store: Store, edition: int, item_number: int, opinion: Opinion) -> EditionPaper | None:
    """Remove an opinion, and what was learned from it."""

    def remove_opinion(tx: Transaction, position: _EditionPosition) -> None:
        opinions.withdraw_opinions(tx, position.digest, position.paper, [opinion])
        opinions.update_learned_weights(tx, position.digest)

    return _change_paper(store, edition, item_number, remove_opinion)


def save_author_verdict(
    store: Store, edition: int, item_number: int, name: str, now: datetime, *, yes: bool | None
) -> EditionPaper | None:
    """Store the reader's answer about an author: this is, or is not, the followed person.

    Args:
        store: the store.
        edition: the number of the edition.
        item_number: the number of the item, from 1.
        name: the printed name of the author.
        now: the current time, UTC.
        yes: the answer; None to remove it.

    Returns:
        The paper after the change; None if there is no such paper. Nothing changes if it has no such followed
        author.
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


# --- saved papers ---------------------------------------------------------------------------------


class SavedPaper(NamedTuple):
    """A paper that a reader saved.

    Attributes:
        digest: the name of the digest that had reported it.
        paper: the paper.
        at: when it was saved, UTC.
    """

    digest: str
    paper: Paper
    at: datetime


def list_saved(tx: Transaction, digest: int | None = None) -> list[SavedPaper]:
    """List saved papers, latest first, of one digest or of all digests, including those that have ended."""
    saved_rows = opinions.list_saved(tx, digest)
    papers_by_number = papers.load_papers(tx, {saved_row.paper for saved_row in saved_rows})
    return [
        SavedPaper(saved_row.digest, papers_by_number[saved_row.paper], saved_row.at)
        for saved_row in saved_rows
    ]


def remove_saved(tx: Transaction, digest: int, key: PaperKey) -> None:
    """Remove a paper from the saved ones; a paper that is not saved is ignored.

    Args:
        tx: a writing transaction.
        digest: the number of the digest.
        key: the key of the paper.
    """
    if (paper_number := find_root_number(tx, key)) is not None:
        opinions.withdraw_opinions(tx, digest, paper_number, [Opinion.SAVED])


# --- lookup ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _EditionPosition:
    """An item of an edition.

    Attributes:
        paper: the number of the paper; for merged papers, that of the root.
        bylines: the bylines that may be a followed person.
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
    paper = find_root_number(tx, item.paper.key)
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


def find_root_number(tx: Transaction, key: PaperKey) -> int | None:
    """Return the number of a paper; for merged papers, that of the root."""
    number = papers.find_papers(tx, [key]).get(key)
    return None if number is None else papers.load_roots(tx, [number])[number]


def _list_follows(tx: Transaction, digest: int, item: Item) -> tuple[Follow, ...]:
    """List the active follows that matched an item; an edition refers to them by the text that the reader wrote."""
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
    """Apply a change to a paper while its digest is locked, and return the paper after the change."""
    with store.begin_write() as tx:
        position = _find_position(tx, edition, item_number)
        if position is None:
            return None
        opinions.lock_digest(tx, position.digest)
        change(tx, position)
        return _make_edition_paper(tx, position)
