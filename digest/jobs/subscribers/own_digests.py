"""Changes that readers make to their digests on the site. Each is one transaction, and a repetition changes nothing.

What a run that is under way has taken into its edition stays in it; the next edition is made with the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from digest.config.follow_values import read_follow_query
from digest.core.subscribers.own_digest import (
    MAX_WEIGHT,
    EditError,
    EditMistake,
    OwnDigest,
    OwnDigestDetails,
    OwnDigestState,
    OwnFollow,
    add_missing_follows,
    add_own_follow,
    remove_library,
    remove_own_follow,
)
from digest.core.subscribers.schedule_choice import (
    ScheduleChoice,
    list_zones,
    make_chosen_schedule,
    read_schedule_choice,
)
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.errors import ConfigError, QueryError
from digest.jobs.editions.preview import preview_edition
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.matching.match import match_late_follows
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.search_digests import MAX_QUERY, make_search_digest
from digest.model import DigestOptions, Edition
from digest.store.database.dialect import lock_mailboxes
from digest.store.database.engine import Store, Transaction
from digest.store.matching.matches import read_matched_to
from digest.store.operations.audit import Actor, AuditAction, record_change
from digest.store.operations.growth import ReaderEvent, count_event
from digest.store.subscribers import own_digests as rows
from digest.store.subscribers.config_sync import end_digests
from digest.store.subscribers.digest_locks import lock_digests
from digest.store.subscribers.digests import fire_once, has_open_run
from digest.store.subscribers.public_digests import count_digests, customize_digest
from digest.store.subscribers.subscribers import stop_destination

_MIN_SEND_INTERVAL = timedelta(hours=1)
"""Time between an edition and one that its reader asks for."""
_MAX_TITLE = 200
END_OF_NUMBERS = 1 << 63
"""Databases refuse to look up numbers from here on."""
_MAX_LIMIT = 200


class NotOwnError(Exception):
    """A reader asks for a digest that is not theirs, or has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestChoice:
    """What a reader chooses of a digest besides its follows and its schedule.

    Attributes:
        title: its title.
        options: its options; those that no form has are ignored.
        is_mailed: whether it comes by mail.
    """

    title: str
    options: DigestOptions
    is_mailed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDigestEditor:
    """Shows and changes the digests of one reader.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
        now: the current time, UTC.
        actor: who changes follows for the reader, for the audit log; None for the reader on the site.
    """

    store: Store
    subscriber: int
    now: datetime
    actor: Actor | None = None

    def list_digests(self) -> tuple[OwnDigest, ...]:
        """Return all digests of the reader, oldest first."""
        with self.store.begin_read() as tx:
            digests = rows.list_own_digests(tx, self.subscriber)
        return tuple({digest.id: digest for digest in digests}.values())

    def load(self, digest_id: int) -> OwnDigestDetails:
        """Return a digest.

        Raises:
            NotOwnError: it belongs to somebody else, or to nobody.
        """
        with self.store.begin_read() as tx:
            return self._require(tx, digest_id).details

    # follows

    def add_follow(self, digest_id: int, follow: OwnFollow) -> None:
        """Add a follow or an exclusion, or change one; what is new counts from the last edition on.

        Raises:
            EditError: the digest has as many as it can have.
            NotOwnError: as for ``load``.
        """
        self._change_follows(
            digest_id, lambda present: add_own_follow(present, follow), AuditAction.ADD_FOLLOW
        )

    def weigh_follow(self, digest_id: int, query: str, weight: float | None, *, alert: bool | None) -> None:
        """Change how much a follow counts, and whether its matches are sent at once; without the follow, nothing.

        Args:
            digest_id: the number of the digest.
            query: the canonical query of the follow.
            weight: the weight, which is brought between its limits; None to leave it.
            alert: whether matches are sent at once; None to leave it.

        Raises:
            NotOwnError: as for ``load``.
        """
        bounded = None if weight is None else min(max(weight, 1 / MAX_WEIGHT), MAX_WEIGHT)
        self._change_follows(
            digest_id,
            lambda present: tuple(
                replace(
                    entry,
                    weight=entry.weight if bounded is None else bounded,
                    alert=entry.alert if alert is None else alert,
                )
                if entry.query == query and not entry.exclude
                else entry
                for entry in present
            ),
            AuditAction.CHANGE_FOLLOW,
        )

    def remove_follow(self, digest_id: int, query: str, only: str) -> None:
        """Remove a follow with its own exclusions, or an exclusion.

        Raises:
            NotOwnError: as for ``load``.
        """
        self._change_follows(
            digest_id, lambda present: remove_own_follow(present, query, only), AuditAction.REMOVE_FOLLOW
        )

    def import_follows(self, digest_id: int, follows: Sequence[OwnFollow]) -> None:
        """Add those of some follows that are not there; what is there stays as it is.

        Raises:
            EditError: the digest has as many as it can have.
            NotOwnError: as for ``load``.
        """
        self._change_follows(
            digest_id, lambda present: add_missing_follows(present, follows), AuditAction.ADD_FOLLOW
        )

    def remove_library(self, digest_id: int) -> None:
        """Remove all papers of libraries, with their own exclusions.

        Raises:
            NotOwnError: as for ``load``.
        """
        self._change_follows(digest_id, remove_library, AuditAction.REMOVE_FOLLOW)

    def _change_follows(
        self,
        digest_id: int,
        change: Callable[[tuple[OwnFollow, ...]], tuple[OwnFollow, ...]],
        action: AuditAction,
    ) -> None:
        with self._begin_change(digest_id) as (tx, details):
            changed = change(details.follows)
            if changed != details.follows:
                rows.replace_follows(tx, details, changed, self.now)
                customize_digest(tx, digest_id)
                if self.actor is not None:
                    amount = max(1, abs(len(changed) - len(details.follows)))
                    record_change(tx, self.actor, action, f"digest {digest_id}", amount, self.now)

    # schedule and options

    def change_schedule(self, digest_id: int, choice: ScheduleChoice) -> None:
        """Give a digest another schedule or time zone, from the next edition on.

        Raises:
            EditError: the schedule has no day, or no valid time or time zone.
            NotOwnError: as for ``load``.
        """
        schedule = make_chosen_schedule(choice)
        with self._begin_change(digest_id) as (tx, details):
            present = read_schedule_choice(details.summary.schedule)
            rows.change_schedule(tx, digest_id, schedule, choice.zone)
            # Language and time zone are the reader's in any case; they do not part a digest from its public one.
            if present is None or replace(present, zone=choice.zone) != choice:
                customize_digest(tx, digest_id)

    def change_options(self, digest_id: int, choice: DigestChoice) -> None:
        """Give a digest another title, other options or other channels, from the next edition on.

        Raises:
            EditError: it would have no title, no kinds of news, or go nowhere.
            NotOwnError: as for ``load``.
        """
        title = " ".join(choice.title.split())[:_MAX_TITLE]
        if not title or not title.isprintable():
            raise EditError(EditMistake.NO_TITLE)
        if not choice.options.kinds:
            raise EditError(EditMistake.NO_KINDS)
        with self._begin_change(digest_id) as (tx, details):
            has_chat = any(destination.is_going for destination in details.destinations)
            if not (choice.is_mailed or choice.options.feed or has_chat):
                raise EditError(EditMistake.NO_CHANNEL)
            present, chosen = details.options, choice.options
            options = replace(
                present,
                kinds=chosen.kinds,
                limit=min(max(chosen.limit, 1), _MAX_LIMIT),
                full=chosen.full,
                when_empty=chosen.when_empty,
                feed=chosen.feed,
                language=chosen.language,
                abstracts=chosen.abstracts,
                arrange=chosen.arrange,
            )
            rows.change_options(tx, digest_id, title, options)
            has_other_channel = choice.is_mailed != details.is_mailed
            if has_other_channel:
                _change_mail(tx, details.summary.destination, is_mailed=choice.is_mailed)
            has_other_options = replace(options, language=present.language) != present
            if has_other_options or has_other_channel or title != details.summary.title:
                customize_digest(tx, digest_id)

    # a digest as a whole

    def create(self, query: str, address: str, language: str, zone: str) -> int:
        """Make a new digest of one search, with a first edition at once.

        Args:
            query: the query as typed.
            address: the reader's address.
            language: the reader's language.
            zone: the IANA name of the reader's time zone, as a browser tells it; any other text counts as unknown.

        Returns:
            The number of the digest.

        Raises:
            EditError: it is no query, or the reader has as many digests as one can have.
        """
        search_digest = make_search_digest(query, language)
        if search_digest is None:
            raise EditError(EditMistake.NO_QUERY)
        with self.store.begin_write() as tx:
            lock_mailboxes(tx, [address.lower()])
            if count_digests(tx, address) >= MAX_DIGESTS:
                raise EditError(EditMistake.TOO_MANY_DIGESTS)
            known_zone = zone if zone in list_zones() else ""
            destination = subscribe(
                tx, search_digest, address, language=language, zone=known_zone, now=self.now
            )
            own = rows.list_own_digests(tx, self.subscriber)
            return next(digest.id for digest in own if digest.destination == destination)

    def end(self, digest_id: int) -> None:
        """End a digest: no further edition comes anywhere, its feed is gone, and so are the addresses of its chats.

        Raises:
            NotOwnError: as for ``load``.
        """
        with self._begin_change(digest_id) as (tx, details):
            is_mailed = stop_destination(tx, details.summary.destination)
            for chat in details.destinations:
                stop_destination(tx, chat.id)
            end_digests(tx, [digest_id], self.now)
            if is_mailed:
                count_event(tx, ReaderEvent.UNSUBSCRIPTION, self.now)

    # the next edition

    def preview(self, digest_id: int, capacity: EditionCapacity) -> Edition:
        """Return the edition that would come now, made as runs make it.

        Raises:
            NotOwnError: as for ``load``.
        """
        self.load(digest_id)
        match_late_follows(self.store, digest_id)
        with self.store.begin_read() as tx:
            stored = self._require(tx, digest_id)
            to_seq = max(read_matched_to(tx), stored.digest.sent_seq)
            return preview_edition(tx, stored.digest, to_seq, self.now, capacity)

    def request_edition(self, digest_id: int) -> None:
        """Have an edition made at once, with what came since the last one; a paused digest stays paused.

        Raises:
            EditError: one came less than an hour ago, or is under way; or none come at the moment.
            NotOwnError: as for ``load``.
        """
        with self.store.begin_write() as tx:
            stored = lock_own_digest(tx, self.subscriber, digest_id)
            digest = stored.digest
            if stored.details.summary.state is not OwnDigestState.ACTIVE:
                raise EditError(EditMistake.NOTHING_COMES)
            is_early = rows.has_edition_since(tx, digest_id, self.now - _MIN_SEND_INTERVAL)
            if is_early or has_open_run(tx, digest):
                raise EditError(EditMistake.SENT_LATELY)
            fire_once(tx, digest, self.now)

    @contextmanager
    def _begin_change(self, digest_id: int) -> Iterator[tuple[Transaction, OwnDigestDetails]]:
        with self.store.begin_write() as tx:
            yield tx, lock_own_digest(tx, self.subscriber, digest_id).details

    def _require(self, tx: Transaction, digest_id: int) -> rows.StoredOwnDigest:
        return require_own_digest(tx, self.subscriber, digest_id)


def require_own_digest(tx: Transaction, subscriber: int, digest_id: int) -> rows.StoredOwnDigest:
    """Return a digest of a reader.

    Raises:
        NotOwnError: it belongs to somebody else, or to nobody.
    """
    is_possible = digest_id < END_OF_NUMBERS
    stored = rows.load_own_digest(tx, subscriber, digest_id) if is_possible else None
    if stored is None:
        raise NotOwnError
    return stored


def lock_own_digest(tx: Transaction, subscriber: int, digest_id: int) -> rows.StoredOwnDigest:
    """Lock a digest of a reader until the transaction ends, and return it.

    Raises:
        NotOwnError: it belongs to somebody else, or to nobody.
    """
    if digest_id < END_OF_NUMBERS:
        lock_digests(tx, [digest_id])
    return require_own_digest(tx, subscriber, digest_id)


def _change_mail(tx: Transaction, destination: int, *, is_mailed: bool) -> None:
    if is_mailed:
        rows.resume_mail(tx, destination)
    else:
        stop_destination(tx, destination)


def read_typed_follow(text: str) -> OwnFollow:
    """Return the follow that somebody typed.

    Raises:
        EditError: nothing was typed, or too much.
        QueryError: it is no query; the error has the place of the mistake.
    """
    typed = " ".join(text.split())
    if not 0 < len(typed) <= MAX_QUERY or not typed.isprintable():
        raise EditError(EditMistake.NO_QUERY)
    try:
        follow_query = read_follow_query(typed, typed)
    except QueryError:
        raise
    except ConfigError:
        raise EditError(EditMistake.NO_QUERY) from None
    return OwnFollow(text=follow_query.text, query=follow_query.query)
