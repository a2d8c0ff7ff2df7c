"""Stop and resume: what readers and operators decide about who gets what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.config import Settings
from digest.core.delivery.bounces.address_status import COUNTS_FOR, STANDS_AFTER, Score, score
from digest.errors import ConfigError
from digest.model import Finding
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import Kept
from digest.store.delivery.suppressions import Suppression
from digest.store.subscribers import subscribers as rows
from digest.store.subscribers.digests import ACTIVE
from digest.store.subscribers.subscribers import Subscriber


def stop(store: Store, destination: int) -> tuple[Subscriber, bool] | None:
    """Unsubscribe a destination: nothing goes there any more, whatever the file says.

    Returns:
        Who it was, and whether that was not so before; None where there is no such destination.
    """
    with store.writing() as tx:
        changed = rows.stop(tx, destination)
        found = rows.subscriber(tx, destination)
    return (found, changed) if found else None


def resume(store: Store, settings: Settings, destination: int) -> Subscriber | None:
    """Let a digest go to a destination again, because its reader wants it; None where there is no such one.

    Who asks for it has the mail, so its address works: what came back is forgiven.
    """
    with store.writing() as tx:
        found = rows.subscriber(tx, destination)
        if found is None:
            return None
        _forgive(tx, found.mailbox)
        _resume(tx, settings, [found])
        return rows.subscriber(tx, destination)


def resume_address(store: Store, settings: Settings, address: str) -> tuple[Subscriber, ...]:
    """Let all digests go to an address again that unsubscribed, or that mail came back from, as far as the file has it.

    Returns:
        Those that nothing went to, as they are now.

    Raises:
        ConfigError: the address is not known.
    """
    with store.writing() as tx:
        found = rows.subscribers(tx, address=address)
        if not found:
            raise ConfigError(
                f"nothing goes to {address}, and nothing did; `digest subscribers list` tells who gets what"
            )
        away = {one.destination for one in found if one.stopped or one.came_back}
        for mailbox in {one.mailbox for one in found}:
            _forgive(tx, mailbox)
        _resume(tx, settings, [one for one in found if one.stopped])
        now = rows.subscribers(tx, address=address)
    return tuple(one for one in now if one.destination in away)


def _forgive(tx: Transaction, mailbox: str) -> None:
    if mailbox:
        reports.forgive(tx, mailbox)
        suppressions.lift(tx, mailbox)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionFilter:
    """Which suppressions to take back: those that all of it fits.

    Attributes:
        reason: stands in what the server said, a code as a whole, or is the enhanced status code; "" for any.
        domain: of the address, in small letters; "" for any.
        since: the suppression began then or later; None for any.
        until: it began before then; None for any.
    """

    reason: str = ""
    domain: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def fits(self, one: Suppression) -> bool:
        """Whether a suppression is one of these."""
        in_time = (self.since is None or one.since >= self.since) and (
            self.until is None or one.since < self.until
        )
        at_domain = not self.domain or one.mailbox.rpartition("@")[2] == self.domain
        return in_time and at_domain and self.says(one.status, one.answer)

    def says(self, status: str, answer: str) -> bool:
        """Whether a server gave that reason."""
        if _CODE.fullmatch(self.reason):
            whole = rf"(?<![\w.]){re.escape(self.reason)}(?!\.?\w)"
            return self.reason == status or re.search(whole, answer) is not None
        return self.reason.lower() in answer.lower()


_CODE = re.compile(r"[245]\d\d|[245]\.\d{1,3}\.\d{1,3}")
"""A reply code or an enhanced status code: 5.1.1 is none of the signs of 5.1.10."""


def find_suppressions(store: Store, which: SuppressionFilter) -> tuple[Suppression, ...]:
    """The suppressions that a filter fits, the last one first."""
    with store.reading() as tx:
        return tuple(filter(which.fits, suppressions.suppressed(tx)))


def find_unsubscribed(store: Store, found: Sequence[Suppression]) -> frozenset[str]:
    """The addresses of suppressions, in small letters, that have unsubscribed from all digests, so that nothing goes there."""
    with store.reading() as tx:
        return suppressions.unsubscribed(tx, [one.mailbox for one in found])


def unsuppress(
    store: Store, which: SuppressionFilter, found: Sequence[Suppression]
) -> tuple[Suppression, ...]:
    """Take back suppressions, from the next edition on; who unsubscribed stays so.

    The bounces that gave the same reason count no more, so that the next one does not bring the suppression back.

    Args:
        store: the database.
        which: the filter that found them.
        found: the suppressions, as somebody has seen them.

    Returns:
        Those that were still there.
    """
    with store.writing() as tx:
        seen = {one.mailbox: one.report for one in found}
        chosen = [one for one in suppressions.suppressed(tx) if seen.get(one.mailbox) == one.report]
        for one in chosen:
            suppressions.lift(tx, one.mailbox)
            told = reports.recent(tx, most=_MOST_FORGIVEN, mailbox=one.mailbox)
            bounces = (report for report in told if report.kind == reports.BOUNCE)
            numbers = [report.id for report in bounces if which.says(report.status, report.answer)]
            reports.forgive_bounces(tx, [one.report, *numbers])
    return tuple(chosen)


_MOST_FORGIVEN = 1_000
"""Bounces of one address; older ones count no more anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How an address stands.

    Attributes:
        score: its soft bounces that count.
        suppression: None where nothing keeps mail from it.
        complaint: the last one that nobody forgave; None for none.
    """

    score: Score
    suppression: Suppression | None
    complaint: Kept | None


def standing(tx: Transaction, mailbox: str, now: datetime) -> Standing:
    """How an address stands, in small letters."""
    marks = reports.marks(tx, mailbox, now - COUNTS_FOR)
    stood = reports.stood(tx, mailbox, now - COUNTS_FOR, now - STANDS_AFTER) if marks else ()
    (kept, *_) = (*suppressions.suppressed(tx, [mailbox]), None)
    told = reports.recent(tx, most=1, mailbox=mailbox, findings=[Finding.COMPLAINT])
    complaint = next((one for one in told if not one.forgiven), None)
    return Standing(score=score(marks, stood, now), suppression=kept, complaint=complaint)


def scores(tx: Transaction, now: datetime) -> dict[str, Score]:
    """The scores of all addresses that mail came back from lately, in small letters."""
    lately = reports.bounced(tx, now - COUNTS_FOR)
    return {mailbox: standing(tx, mailbox, now).score for mailbox in lately}


def kept_back(store: Store, settings: Settings) -> tuple[tuple[str, Suppression], ...]:
    """The addresses of the file that nothing goes to because mail came back, as written, and why."""
    declared: dict[str, str] = {}
    for to in (to for digest in settings.digests for to in digest.destinations if to.channel == "smtp"):
        declared.setdefault(to.address.lower(), to.address)
    with store.reading() as tx:
        found = suppressions.suppressed(tx) if declared else ()
    return tuple((declared[one.mailbox], one) for one in found if one.mailbox in declared)


def unsubscribed(store: Store, settings: Settings) -> tuple[tuple[str, str], ...]:
    """What the file declares and nothing goes to, because its reader unsubscribed: digest and address.

    A destination that the file has only now counts where its address has unsubscribed from any digest of it:
    it will start stopped.
    """
    with store.reading() as tx:
        stopped = rows.stopped(tx)
        known = {
            (one.digest, one.channel, one.address): one.state
            for address in {one.address.lower() for one in stopped}
            for one in rows.subscribers(tx, address=address)
        }
    addresses = {(one.channel, one.address.lower()) for one in stopped}
    return tuple(
        (digest.name, to.address)
        for digest in settings.digests
        for to in digest.destinations
        if (to.channel, to.address.lower()) in addresses
        and known.get((digest.name, to.channel, to.address)) != ACTIVE
    )


def _resume(tx: Transaction, settings: Settings, chosen: Sequence[Subscriber]) -> None:
    declared = [one.destination for one in chosen if _declared(settings, one)]
    rows.resume(tx, [one.destination for one in chosen], declared)


def _declared(settings: Settings, one: Subscriber) -> bool:
    return any(
        (to.channel, to.address) == (one.channel, one.address)
        for digest in settings.digests
        if digest.name == one.digest
        for to in digest.destinations
    )
