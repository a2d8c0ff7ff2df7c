"""Digests that a reader imports from the archive of an account. Importing it again changes nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from digest.config import DigestSettings, FollowSettings
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.core.subscribers.transfer.archive import DEFAULT_SCHEDULE, ArchivedDigest
from digest.jobs.operations.sync_config import find_first_seq
from digest.store.database.dialect import lock_mailboxes
from digest.store.database.engine import Store, Transaction
from digest.store.subscribers.pauses import pause_digest
from digest.store.subscribers.public_digests import NewSubscriber
from digest.store.subscribers.subscribers import stop_destination
from digest.store.subscribers.transfer.restored_digests import list_active_names, restore_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePlan:
    """What the import of an archive would do.

    Attributes:
        added: the digests that would be added.
        present: those that the reader has already; they stay as they are.
        left_out: those that have no room.
    """

    added: tuple[ArchivedDigest, ...]
    present: tuple[ArchivedDigest, ...]
    left_out: tuple[ArchivedDigest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRestorer:
    """Imports digests of one reader.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
        address: the reader's address.
        languages: the languages of the site, that of the reader first.
        now: the current time, UTC.
    """

    store: Store
    subscriber: int
    address: str
    languages: tuple[str, ...]
    now: datetime

    def plan(self, digests: Collection[ArchivedDigest]) -> RestorePlan:
        """Return what ``restore`` would do."""
        with self.store.begin_read() as tx:
            names = list_active_names(tx, self.subscriber)
        missing = [digest for digest in digests if digest.name not in names]
        room = max(MAX_DIGESTS - len(names), 0)
        return RestorePlan(
            added=tuple(missing[:room]),
            present=tuple(digest for digest in digests if digest.name in names),
            left_out=tuple(missing[room:]),
        )

    def restore(self, digests: Collection[ArchivedDigest]) -> None:
        """Add the digests that the reader does not have, as far as there is room.

        Each has a transaction of its own, so that runs need not wait for all of them.
        """
        for digest in digests:
            with self.store.begin_write() as tx:
                lock_mailboxes(tx, [self.address.lower()])
                names = list_active_names(tx, self.subscriber)
                if digest.name not in names and len(names) < MAX_DIGESTS:
                    self._restore_digest(tx, digest)

    def _restore_digest(self, tx: Transaction, digest: ArchivedDigest) -> None:
        settings = self._make_settings(digest)
        options = settings.options
        reader = NewSubscriber(address=self.address, language=options.language, zone=options.timezone)
        digest_id, destination = restore_digest(
            tx, self.subscriber, reader, settings, now=self.now, first_seq=find_first_seq(tx)
        )
        if digest.is_paused and (digest.paused_until is None or digest.paused_until > self.now):
            pause_digest(tx, digest_id, digest.paused_until, "then")
        if not digest.is_mailed:
            stop_destination(tx, destination)

    def _make_settings(self, digest: ArchivedDigest) -> DigestSettings:
        options = digest.options
        language = options.language if options.language in self.languages else self.languages[0]
        return DigestSettings(
            name=digest.name,
            title=digest.title,
            schedule=digest.schedule or DEFAULT_SCHEDULE,
            follows=tuple(map(_declare_follow, digest.follows)),
            options=replace(options, language=language),
        )


def _declare_follow(follow: OwnFollow) -> FollowSettings:
    return FollowSettings(
        text=follow.text,
        query=follow.query,
        weight=follow.weight,
        exclude=follow.exclude,
        alert=follow.alert,
        only=follow.only,
    )
