"""What a reader has on the site, for the archive of the account: nothing of it is of anybody else."""

from __future__ import annotations

from digest.core.subscribers.own_digest import is_library_paper
from digest.core.subscribers.schedule_choice import read_schedule_choice
from digest.core.subscribers.transfer.account import (
    AccountArchive,
    ArchivedAnswer,
    ArchivedEdition,
    ArchivedOpinion,
)
from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.errors import ConfigError
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.editions.sent_events import list_sent_editions
from digest.store.papers.papers import load_papers, load_roots
from digest.store.subscribers import opinions, own_digests, sessions
from digest.store.subscribers.own_digests import StoredOwnDigest


def load_account_archive(store: Store, subscriber: int) -> AccountArchive:
    """Return what a subscriber has on the site."""
    with store.begin_read() as tx:
        names = own_digests.list_names(tx, subscriber)
        given = opinions.list_given(tx, list(names))
        answers = people.load_feedback_of_digests(tx, list(names))
        roots = load_roots(tx, {answer.byline.paper for answer in answers})
        papers = load_papers(tx, {entry.paper for entry in given} | set(roots.values()))
        return AccountArchive(
            digests=_list_digests(tx, subscriber),
            opinions=tuple(
                ArchivedOpinion(names[entry.digest], papers[entry.paper], entry.opinion, entry.at)
                for entry in given
            ),
            answers=tuple(
                ArchivedAnswer(
                    answer.by, papers[roots[answer.byline.paper]], answer.byline.name, answer.yes, answer.at
                )
                for answer in answers
            ),
            editions=tuple(
                ArchivedEdition(names[edition.digest], edition.composed_at, edition.papers)
                for edition in list_sent_editions(tx, list(names))
            ),
        )


def find_account(store: Store, address: str) -> int:
    """Return the number of the subscriber with an address.

    Raises:
        ConfigError: nobody with this address has made a digest on the site.
    """
    with store.begin_read() as tx:
        subscriber = sessions.find_subscriber_id(tx, address.lower())
        if subscriber is None or not own_digests.list_names(tx, subscriber):
            raise ConfigError(
                f"{address} has made no digest on the site; `digest subscribers list` lists all destinations"
            )
        return subscriber


def _list_digests(tx: Transaction, subscriber: int) -> tuple[ArchivedDigest, ...]:
    digest_ids = dict.fromkeys(digest.id for digest in own_digests.list_own_digests(tx, subscriber))
    stored = (own_digests.load_own_digest(tx, subscriber, digest_id) for digest_id in digest_ids)
    return tuple(_archive_digest(entry) for entry in stored if entry is not None)


def _archive_digest(stored: StoredOwnDigest) -> ArchivedDigest:
    details, pause = stored.details, stored.digest.pause
    summary = details.summary
    return ArchivedDigest(
        name=details.name,
        title=summary.title,
        schedule=read_schedule_choice(summary.schedule),
        options=details.options,
        is_mailed=details.is_mailed,
        is_paused=pause is not None,
        paused_until=pause.until if pause else None,
        follows=tuple(sorted(details.follows, key=is_library_paper)),
        destinations=tuple(destination.address for destination in details.destinations),
    )
