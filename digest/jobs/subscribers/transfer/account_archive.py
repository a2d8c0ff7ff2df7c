"""What a reader has on the site, for the archive of the account: nothing of it is of anybody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.core.subscribers.own_digest import is_library_paper
from digest.core.subscribers.transfer.account import AccountArchive, ArchivedEdition
from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.core.subscribers.transfer.archived_records import ArchivedAnswer, ArchivedOpinion
from digest.errors import ConfigError
from digest.jobs import person_edits
from digest.model import Paper
from digest.store.database.engine import Store, Transaction
from digest.store.editions.sent_events import list_sent_editions
from digest.store.matching.matches import load_texts
from digest.store.papers.papers import load_papers
from digest.store.subscribers import opinions, own_digests
from digest.store.subscribers.accounts import sessions
from digest.store.subscribers.opinions import OpinionRecord
from digest.store.subscribers.own_digests import StoredOwnDigest


def load_account_archive(store: Store, subscriber: int) -> AccountArchive:
    """Return what a subscriber has on the site."""
    with store.begin_read() as tx:
        names = own_digests.list_names(tx, subscriber)
        given = opinions.list_given(tx, list(names))
        papers = load_papers(tx, {entry.paper for entry in given})
        return AccountArchive(
            digests=_list_digests(tx, subscriber),
            opinions=_archive_opinions(tx, given, names, papers),
            saved={
                papers[entry.paper].key: papers[entry.paper]
                for entry in given
                if entry.opinion is Opinion.SAVED
            },
            answers=_list_answers(tx, names),
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


def _archive_opinions(
    tx: Transaction, given: Sequence[OpinionRecord], names: Mapping[int, str], papers: Mapping[int, Paper]
) -> tuple[ArchivedOpinion, ...]:
    rated = [query for entry in given if entry.opinion in RATINGS for query in entry.queries]
    texts = load_texts(tx, rated)
    return tuple(
        ArchivedOpinion(
            digest=names[entry.digest],
            paper=papers[entry.paper].key,
            title=papers[entry.paper].title,
            opinion=entry.opinion,
            at=entry.at,
            follows=tuple(sorted(texts[query] for query in entry.queries))
            if entry.opinion in RATINGS
            else (),
        )
        for entry in given
    )


def _list_answers(tx: Transaction, names: Mapping[int, str]) -> tuple[ArchivedAnswer, ...]:
    verdicts = {digest: person_edits.list_verdicts(tx, digest) for digest in names}
    papers = load_papers(tx, {verdict.byline.paper for given in verdicts.values() for verdict in given})
    answers = [
        ArchivedAnswer(
            digest=names[digest],
            paper=papers[verdict.byline.paper].key,
            title=papers[verdict.byline.paper].title,
            position=verdict.byline.position,
            name=verdict.byline.name,
            is_person=verdict.answers[-1].yes,
            at=verdict.answers[-1].at,
        )
        for digest, given in verdicts.items()
        for verdict in given
    ]
    return tuple(sorted(answers, key=lambda answer: (answer.at, answer)))


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
        schedule=summary.schedule,
        options=details.options,
        is_mailed=details.is_mailed,
        is_paused=pause is not None,
        paused_until=pause.until if pause else None,
        follows=tuple(sorted(details.follows, key=is_library_paper)),
        destinations=tuple(destination.address for destination in details.destinations),
    )
