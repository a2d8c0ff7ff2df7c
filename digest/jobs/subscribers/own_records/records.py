"""What a reader has got from their digests and said to them. Each revocation is one transaction; a repetition changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.core.subscribers.own_digest import OwnDigestDetails
from digest.core.subscribers.own_records import (
    GivenAnswer,
    GivenOpinion,
    ListPage,
    OwnEdition,
    choose_range,
)
from digest.jobs import person_edits
from digest.jobs.person_edits import Verdict
from digest.jobs.subscribers.opinions import SavedPaper, find_root_number, list_saved
from digest.jobs.subscribers.own_digests import END_OF_NUMBERS, NotOwnError, require_own_digest
from digest.model import Edition, PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.editions import editions
from digest.store.papers import papers
from digest.store.publishing import web_queries
from digest.store.publishing.web_queries import WebDigest
from digest.store.subscribers import opinions, own_digests
from digest.store.subscribers.digests import load_digests_by_id
from digest.store.subscribers.opinions import OpinionRecord

_EDITIONS, _SAVED, _FEEDBACK = 20, 50, 50
"""Number of entries of a page."""


class OwnFeed(NamedTuple):
    """A private feed of a reader.

    Attributes:
        digest: the number of its digest.
        name: the name of the digest, which is part of the address.
        title: the title of the digest.
        version: how often the address was renewed.
    """

    digest: int
    name: str
    title: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecords:
    """Shows and revokes what one reader has said, and lists what they have got.

    Each method raises ``NotOwnError`` if the digest belongs to somebody else, or to nobody.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
    """

    store: Store
    subscriber: int

    # editions

    def list_editions(self, digest_id: int, number: int) -> tuple[OwnDigestDetails, ListPage[OwnEdition]]:
        """Return a digest, and a page of its editions and alerts, newest first."""
        with self.store.begin_read() as tx:
            details = require_own_digest(tx, self.subscriber, digest_id).details
            shown = choose_range(number, web_queries.count_stored_editions(tx, digest_id), _EDITIONS)
            entries = editions.list_own_editions(tx, digest_id, shown.start, shown.end)
        return details, ListPage(entries=entries, number=shown.number, pages=shown.pages)

    def load_edition(self, digest_id: int, edition_id: int) -> Edition:
        """Return an edition of a digest, with its papers."""
        with self.store.begin_read() as tx:
            require_own_digest(tx, self.subscriber, digest_id)
            is_possible = edition_id < END_OF_NUMBERS
            digest = web_queries.find_digest_of_edition(tx, edition_id) if is_possible else None
            if digest is None or digest.id != digest_id:
                raise NotOwnError
            return editions.load_editions(tx, [edition_id])[edition_id]

    # saved papers

    def list_saved(self, digest_id: int, number: int) -> tuple[OwnDigestDetails, ListPage[SavedPaper]]:
        """Return a digest, and a page of its saved papers, latest first."""
        details, saved = self.load_saved(digest_id)
        shown = choose_range(number, len(saved), _SAVED)
        entries = saved[shown.start : shown.end]
        return details, ListPage(entries=entries, number=shown.number, pages=shown.pages)

    def load_saved(self, digest_id: int) -> tuple[OwnDigestDetails, tuple[SavedPaper, ...]]:
        """Return a digest, and all of its saved papers, latest first."""
        with self.store.begin_read() as tx:
            details = require_own_digest(tx, self.subscriber, digest_id).details
            return details, tuple(list_saved(tx, digest_id))

    def remove_saved(self, digest_id: int, key: PaperKey) -> None:
        """Remove a paper from the saved ones."""
        self._withdraw_opinions(digest_id, key, (Opinion.SAVED,))

    # feedback

    def list_feedback(
        self, digest_id: int, number: int
    ) -> tuple[OwnDigestDetails, ListPage[GivenOpinion | GivenAnswer]]:
        """Return a digest, and a page of what its reader said about papers and authors, latest first."""
        with self.store.begin_read() as tx:
            details = require_own_digest(tx, self.subscriber, digest_id).details
            ratings = opinions.list_ratings(tx, digest_id)
            verdicts = person_edits.list_verdicts(tx, digest_id)
            given: list[OpinionRecord | Verdict] = [*ratings, *verdicts]
            given.sort(key=_get_time, reverse=True)
            shown = choose_range(number, len(given), _FEEDBACK)
            entries = _load_feedback(tx, given[shown.start : shown.end])
        return details, ListPage(entries=entries, number=shown.number, pages=shown.pages)

    def revoke_rating(self, digest_id: int, key: PaperKey) -> None:
        """Take back that the reader wants more or fewer papers like one, and what was learned from it."""
        self._withdraw_opinions(digest_id, key, RATINGS)

    def revoke_answer(self, digest_id: int, key: PaperKey, position: int, name: str) -> None:
        """Take back the answer about an author.

        Args:
            digest_id: the number of the digest.
            key: the key of the paper.
            position: the place of the author in the list of authors, from 0.
            name: the printed name.
        """
        with self._begin_change(digest_id) as tx:
            paper = find_root_number(tx, key)
            for verdict in person_edits.list_verdicts(tx, digest_id):
                if verdict.byline == (paper, position, name):
                    people.forget_feedback(tx, verdict.answers)

    def _withdraw_opinions(self, digest_id: int, key: PaperKey, withdrawn: tuple[Opinion, ...]) -> None:
        with self._begin_change(digest_id) as tx:
            if (paper := find_root_number(tx, key)) is not None:
                opinions.withdraw_opinions(tx, digest_id, paper, withdrawn)
                opinions.update_learned_weights(tx, digest_id)

    # feeds

    def load_feed_digest(self, digest_id: int) -> WebDigest:
        """Return a digest as its feeds show it."""
        with self.store.begin_read() as tx:
            require_own_digest(tx, self.subscriber, digest_id)
            digest = web_queries.load_web_digest(tx, digest_id)
        assert digest is not None
        return digest

    def renew_feeds(self, digest_id: int, version: int) -> WebDigest | None:
        """Give the feeds of a digest new addresses, and return the digest; None if that was done already.

        Args:
            digest_id: the number of the digest.
            version: how often the addresses had been renewed when the reader saw them.
        """
        with self._begin_change(digest_id) as tx:
            digest = web_queries.load_web_digest(tx, digest_id)
            if digest is None or digest.feed_version != version:
                return None
            web_queries.renew_feed(tx, digest_id)
        return digest

    def list_feeds(self) -> tuple[OwnFeed, ...]:
        """Return the feeds of all digests of the reader, those of the oldest digest first."""
        with self.store.begin_read() as tx:
            own = own_digests.list_own_digests(tx, self.subscriber)
            titles = {digest.id: digest.title for digest in own if digest.has_feed}
            digests = {digest.id: digest for digest in load_digests_by_id(tx, sorted(titles))}
        return tuple(
            OwnFeed(number, digests[number].name, title, digests[number].feed_version)
            for number, title in titles.items()
        )

    @contextmanager
    def _begin_change(self, digest_id: int) -> Iterator[Transaction]:
        """Begin a change of a digest's opinions or feed version, which no other change overtakes."""
        with self.store.begin_write() as tx:
            require_own_digest(tx, self.subscriber, digest_id)
            opinions.lock_digest(tx, digest_id)
            yield tx


def _get_time(given: OpinionRecord | Verdict) -> datetime:
    return given.at if isinstance(given, OpinionRecord) else given.answers[-1].at


def _load_feedback(
    tx: Transaction, given: list[OpinionRecord | Verdict]
) -> tuple[GivenOpinion | GivenAnswer, ...]:
    numbers = [entry.paper if isinstance(entry, OpinionRecord) else entry.byline.paper for entry in given]
    papers_by_number = papers.load_papers(tx, set(numbers))
    return tuple(
        GivenOpinion(paper=papers_by_number[number], opinion=entry.opinion, at=entry.at)
        if isinstance(entry, OpinionRecord)
        else GivenAnswer(
            paper=papers_by_number[number],
            position=entry.byline.position,
            name=entry.byline.name,
            yes=entry.answers[-1].yes,
            at=entry.answers[-1].at,
        )
        for number, entry in zip(numbers, given, strict=True)
    )
