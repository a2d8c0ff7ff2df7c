"""Bounces and complaints: what comes back becomes reports, and reports decide what still goes to an address.

A reply, the mailbox or a provider gives a report; it is matched with its message, counted once, and decides about the address.
Every road ends in the same counting, so that a bounce told by two of them is one. A report that names no message of ours, or makes
one up, is left; so is everything that says nothing of an address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ReportError
from digest.jobs.http.fetch import Clock
from digest.jobs.notices import notice
from digest.model import Finding, Receipt, Report
from digest.ports import Mailbox
from digest.render.languages.english import MEANINGS
from digest.store.database.clock import note, set_note
from digest.store.database.engine import Store, Transaction
from digest.store.delivery import reports, suppressions
from digest.store.delivery.outbox import Delivery
from digest.store.delivery.receipts import Patience, is_over
from digest.store.delivery.reports import BOUNCE, COMPLAINT, About, FinalBounce, Kept
from digest.store.editions import undelivered
from digest.store.subscribers import subscribers
from digest.store.subscribers.digests import SUPPRESSED

BY_MAIL = "smtp"
"""The road of what servers say at once, and the channel of all mail to people."""
BY_MAILBOX = "mailbox"
"""The road of what comes into the mailbox."""

_MOST_MESSAGES, _MOST_BYTES = 5_000, 300_000
"""So many messages are read in one go, and so much of each: a bounce may have the whole of our mail behind it."""
_LAST_READ = "bounces_read_at"
_SOON = timedelta(minutes=5)
"""A provider can have tried a message before we have noted that it took it."""
_OLDEST = timedelta(days=30)
"""A report that tells only the recipient is about the last message that went there within this time."""


class Done(StrEnum):
    """What was done because of a report."""

    NOTHING = "nothing"
    RESTS = "rests"
    SUPPRESSED = "suppressed"
    UNSUBSCRIBED = "unsubscribed"
    BLAMED_US = "ours"
    """Many were refused alike: it is about us, and none of them is suppressed for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A report about a message of ours, counted.

    Attributes:
        report: as it is kept.
        digest: whose message it was.
        done: because of it.
        until: an address that rests does so until then.
    """

    report: Kept
    digest: str
    done: Done
    until: datetime | None = None

    @property
    def told(self) -> str:
        """What came back and what was done, in sentences."""
        kept = self.report
        done = {
            Done.NOTHING: "",
            Done.RESTS: f" Nothing goes there until {self.until:%Y-%m-%d}." if self.until else "",
            Done.SUPPRESSED: " Nothing goes there any more, until `digest subscribers resume` lets it.",
            Done.UNSUBSCRIBED: " It is unsubscribed.",
            Done.BLAMED_US: " So many were refused alike that it is about us, and none of them is suppressed.",
        }
        return f"{kept.mailbox}: {MEANINGS[kept.finding]} ({kept.answer}).{done[self.done]}"


class Left(StrEnum):
    """Why a report was left."""

    NOTHING = "says nothing of an address"
    KNOWN = "was known already"
    FORGED = "names a message that we did not send so"
    FOREIGN = "names no message of ours"
    BROKEN = "could not be read"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxRead:
    """The mailbox was read.

    Attributes:
        messages: how many were unread, and are no longer.
        left: how many of them were left, by why.
        error: why it could not be read further, "" if it could.
    """

    messages: int = 0
    left: Mapping[Left, int] = field(default_factory=dict)
    error: str = ""


Heard = Reported | MailboxRead
"""What happens while we hear of messages."""


# --- counting -------------------------------------------------------------------------------------


def count(tx: Transaction, about: About, report: Report, road: str, now: datetime) -> Reported | Left:
    """Count a report once, and let follow what follows from it.

    Args:
        tx: a writing transaction.
        about: the message that it is about.
        report: what it says.
        road: by which it came.
        now: the time.
    """
    if report.finding is Finding.NOTHING:
        return Left.NOTHING
    kind = COMPLAINT if report.finding is Finding.COMPLAINT else BOUNCE
    at = min(max(report.at or now, about.sent_at or now), now)
    fresh = Kept(
        id=0,
        delivery=about.delivery,
        mailbox=about.mailbox,
        kind=kind,
        finding=report.finding,
        status=report.status,
        answer=report.answer,
        road=road,
        at=at,
        forgiven=False,
    )
    if kind == BOUNCE:
        reports.take_turn(tx)
    kept = reports.keep(tx, fresh)
    if kept is None:
        return Left.KNOWN
    if kept.finding is Finding.COMPLAINT:
        if about.proven:
            suppressions.stop_all(tx, kept.mailbox, "the reader has complained, which unsubscribes")
        else:
            subscribers.stop(tx, about.destination)
        return Reported(report=kept, digest=about.digest, done=Done.UNSUBSCRIBED)
    undelivered.came_back(tx, kept.delivery)
    if kept.finding is Finding.OURS:
        domain = _domain(kept.mailbox)
        notice(tx, f"refused:{domain}", _blamed(domain, kept), now)
    if kept.finding in _FINAL and (counted := _refused_alike(tx, kept, about.digest, now)):
        return counted
    return _decided(tx, kept, about.digest, now)


def _blamed(domain: str, kept: Kept) -> str:
    return (
        f"Mail to {domain} is refused for a reason that is ours, and no reader suffers for it: {kept.answer}. "
        "`digest check` looks at what large providers ask for."
    )


_FINAL = frozenset({Finding.GONE, Finding.CLOSED})


def _refused_alike(tx: Transaction, kept: Kept, digest: str, now: datetime) -> Reported | None:
    """Blame nobody where refusals in a run are so alike that they are about us; None where they are not.

    Addresses that were suppressed for it before it could be seen are so no more.
    """
    alike = _at_one_domain(tx, kept, now) or _at_many_domains(tx, kept, now)
    if not alike:
        return None
    numbers = [one.id for one in alike if not one.blames_us]
    suppressions.take_back(tx, numbers)
    reports.blame_us(tx, numbers)
    return Reported(report=replace(kept, finding=Finding.OURS), digest=digest, done=Done.BLAMED_US)


def _at_one_domain(tx: Transaction, kept: Kept, now: datetime) -> Sequence[FinalBounce]:
    """The bounces at the same domain with the same words, if they are about us."""
    from digest.core.delivery.bounces.refused_alike import same_words

    domain, words = _domain(kept.mailbox), same_words(kept.answer, kept.mailbox)

    def is_alike(one: FinalBounce) -> bool:
        return same_words(one.answer, one.mailbox) == words

    def tell(refused: int, accepted: int) -> None:
        notice(tx, f"refused-alike:{domain}", _alike(domain, refused, accepted, kept), now)

    return _about_us(tx, kept, domain, is_alike, tell)


def _at_many_domains(tx: Transaction, kept: Kept, now: datetime) -> Sequence[FinalBounce]:
    """The bounces that call a domain unknown, if that is said of so many that it is our name server, or the relay's."""
    from digest.core.delivery.wordings import Topic, topic_of

    def is_alike(one: FinalBounce) -> bool:
        return topic_of(one.answer) is Topic.NO_DOMAIN

    def tell(refused: int, _accepted: int) -> None:
        notice(tx, "refused-alike", _unknown_domains(refused, kept), now)

    if topic_of(kept.answer) is not Topic.NO_DOMAIN:
        return ()
    return _about_us(tx, kept, "", is_alike, tell)


def _about_us(
    tx: Transaction,
    kept: Kept,
    domain: str,
    is_alike: Callable[[FinalBounce], bool],
    tell: Callable[[int, int], None],
) -> Sequence[FinalBounce]:
    """The bounces of a run that are alike, if there are so many that they are about us; else nothing.

    Args:
        tx: a writing transaction.
        kept: the one that was added.
        domain: whose addresses are compared; "" to compare domains.
        is_alike: whether a bounce is like it.
        tell: notes for the operator how many were refused, and how many were not.
    """
    from digest.core.delivery.bounces.refused_alike import LEAST_ALIKE, SHARE, is_about_us, is_worth_counting

    delivery = kept.delivery
    last = reports.final_of_run(tx, delivery, domain, _COMPARED)
    alike = list(filter(is_alike, last))
    refused = len({one.mailbox if domain else _domain(one.mailbox) for one in alike})
    if len(last) == _COMPARED:
        refused = refused * reports.count_final_of_run(tx, delivery, domain) // _COMPARED
    if not is_worth_counting(refused):  # as it was decided when that was counted
        return alike if refused >= LEAST_ALIKE and _was_about_us(alike, kept) else ()
    accepted = reports.accepting_of_run(tx, delivery, refused * SHARE, domain)
    if not is_about_us(refused, accepted):
        return ()
    tell(refused, accepted)
    return list(filter(is_alike, reports.final_of_run(tx, delivery, domain)))


def _was_about_us(alike: Sequence[FinalBounce], kept: Kept) -> bool:
    """Whether the last refusal before it that is final by its own words was decided to be about us.

    One that blames us by its own words is no such decision.
    """
    before = next((one for one in alike if one.id != kept.id and _is_final(one)), None)
    return before is not None and before.blames_us


def _is_final(one: FinalBounce) -> bool:
    from digest.core.delivery.bounces.address_status import bounce

    return not one.blames_us or bounce(one.status, one.answer)[0] in _FINAL


_COMPARED = 200
"""The last bounces of a run or of a domain in it that are compared one by one; of more, their number is estimated."""


def _domain(mailbox: str) -> str:
    return mailbox.rpartition("@")[2]


def _alike(domain: str, refused: int, accepted: int, kept: Kept) -> str:
    return (
        f"At least {refused} addresses at {domain} were refused with the same words in one run, while {accepted} took their "
        f"mail or have not answered: {kept.answer}. So many do not end at once: their server blocks us or is in trouble, whatever it says, and "
        f"nobody is suppressed for it. Ask the postmaster of {domain}, and see `digest check`. If the addresses are gone, take "
        "them out of the file. `digest subscribers unsuppress` takes back earlier suppressions by reason and time."
    )


def _unknown_domains(refused: int, kept: Kept) -> str:
    return (
        f"At least {refused} domains are unknown in one run, a quarter of all: {kept.answer}. So many do not end "
        "at once: the name server of your relay, or of this machine, is in trouble, and nobody is suppressed for it. "
        "`digest subscribers unsuppress` takes back earlier suppressions by reason and time."
    )


def _decided(tx: Transaction, kept: Kept, digest: str, now: datetime) -> Reported:
    """What becomes of the address."""
    from digest.core.delivery.bounces.address_status import (
        CLOSED_WITHIN,
        COUNTS_FOR,
        RESTS_FOR,
        STANDS_AFTER,
        Fate,
        fate,
    )

    since = now - max(COUNTS_FOR, CLOSED_WITHIN)
    marks = reports.marks(tx, kept.mailbox, since)
    stood = reports.stood(tx, kept.mailbox, now - COUNTS_FOR, now - STANDS_AFTER)
    decided = fate(kept.finding, marks, stood, now)
    known = {one.mailbox: one.state for one in suppressions.suppressed(tx, [kept.mailbox])}
    state = known.get(kept.mailbox)
    if decided is Fate.SUPPRESSED and state != SUPPRESSED:
        suppressions.suppress(tx, kept.mailbox, now, until=None, report=kept.id)
        return Reported(report=kept, digest=digest, done=Done.SUPPRESSED)
    if decided is Fate.RESTS and state is None:
        until = now + RESTS_FOR
        suppressions.suppress(tx, kept.mailbox, now, until=until, report=kept.id)
        return Reported(report=kept, digest=digest, done=Done.RESTS, until=until)
    return Reported(report=kept, digest=digest, done=Done.NOTHING)


def refused(
    tx: Transaction, answered: Sequence[tuple[Delivery, Receipt]], now: datetime, patience: Patience
) -> list[Reported]:
    """Count what servers said at once, where it ended a delivery by mail: it was refused, or given up.

    Args:
        tx: the transaction that keeps the receipts.
        answered: deliveries that were claimed, and their receipts.
        now: the time.
        patience: with what is put off.
    """
    told: list[Reported] = []
    for delivery, receipt in answered:
        if delivery.channel != BY_MAIL or not is_over(delivery, receipt, now, patience):
            continue
        from digest.core.delivery.bounces.address_status import finding_of  # slow: its rules are many
        from digest.core.delivery.replies import status_of

        about = About(
            delivery=delivery.id,
            destination=delivery.destination,
            mailbox=delivery.address.lower(),
            digest=delivery.digest,
            sent_at=None,
        )
        status = status_of(receipt.answer)
        report = Report(
            finding=finding_of(receipt), status="" if status == "-" else status, answer=receipt.answer
        )
        counted = count(tx, about, report, BY_MAIL, now)
        told += [counted] if isinstance(counted, Reported) else []
    return told


# --- what comes from outside ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """Takes reports from outside.

    Attributes:
        store: where they are kept.
        path: what mails are sent from; None where that is not signed.
        pages: what addresses of our pages mean; None where we do not answer on the web.
        sender: the address in the From header.
        clock: gives the time.
    """

    store: Store
    path: ReturnPath | None
    pages: OwnPages | None
    sender: str
    clock: Clock

    def take(self, report: Report, road: str) -> Reported | Left:
        """Take a report: match it with its message, and count it."""
        if report.finding is Finding.NOTHING:
            return Left.NOTHING
        now = self.clock()
        with self.store.writing() as tx:
            about = self._about(tx, report, now)
            if about is None:
                return self._stranger(report)
            return count(tx, about, _about_another(report, about), road, now)

    def _about(self, tx: Transaction, report: Report, now: datetime) -> About | None:
        """The message that a report is about, by its surest clue.

        Only a return path, or a provider, proves that somebody had to do with sending the message. Whoever was shown it
        knows its link and may know its Message-ID; with these he can do what the link lets him do: end that one digest.
        """
        clues = report.clues
        for number in (self.path.delivery_of(one) for one in clues.senders if self.path):
            if number is not None and (found := reports.by_number(tx, number)):
                return found
        if not report.trusted and report.finding is not Finding.COMPLAINT:
            return None
        shown = self._shown(tx, report, now)
        if shown is not None:
            return replace(shown, proven=report.trusted)
        if report.trusted and self._is_ours(report):
            until = (report.at or now) + _SOON
            for mailbox in dict.fromkeys(one.lower() for one in clues.recipients):
                if found := reports.last_sent(tx, until, now - _OLDEST, mailbox=mailbox):
                    return found
        return None

    def _shown(self, tx: Transaction, report: Report, now: datetime) -> About | None:
        """By what everybody sees who is shown the message: its unsubscribe link, or its Message-ID and recipient."""
        ids = report.clues.message_ids
        places = [
            place for one in report.clues.links if self.pages and (place := self.pages.destination_of(one))
        ]
        for place in places:
            for message_id in ids:
                if found := reports.by_message_id(tx, message_id, now, destination=place):
                    return found
            if found := reports.last_sent(tx, now, now - _OLDEST, destination=place):
                return found
        for mailbox in dict.fromkeys(one.lower() for one in report.clues.recipients):
            for message_id in ids:
                if found := reports.by_message_id(tx, message_id, now, mailbox=mailbox):
                    return found
        return None

    def _is_ours(self, report: Report) -> bool:
        """Whether a provider's report is about mail from our address, and not from another user of it."""
        senders = {one.lower() for one in report.clues.senders}
        return self.sender.lower() in senders or any(self.path and self.path.is_one(one) for one in senders)

    def _stranger(self, report: Report) -> Left:
        looks_ours = any(self.path and self.path.is_one(one) for one in report.clues.senders)
        return Left.FORGED if looks_ours else Left.FOREIGN

    def hear(self, mailbox: Mailbox | None, interval: timedelta) -> Iterator[Heard]:
        """End the rests that are over, and read the mailbox if it is time to.

        Args:
            mailbox: None where there is none.
            interval: it is not read more often, unless somebody asks.
        """
        wake(self.store, self.clock())
        if mailbox is not None and self.is_due(interval):
            yield from self.read(mailbox)

    # --- the mailbox ------------------------------------------------------------------------------

    def is_due(self, interval: timedelta) -> bool:
        """Whether the mailbox was last read so long ago; one that was read in the future was so by a wrong clock."""
        with self.store.reading() as tx:
            last = note(tx, _LAST_READ)
        now = self.clock()
        return not last or not now - interval < datetime.fromisoformat(last) <= now

    def read(self, mailbox: Mailbox) -> Iterator[Heard]:
        """Read what is unread; a message is marked as read only when the store has what it says."""
        messages, left, error = 0, Counter[Left](), ""
        try:
            for name, content in mailbox.unread(_MOST_MESSAGES, _MOST_BYTES):
                taken = self.take_mail(content)
                mailbox.done(name)
                messages += 1
                if isinstance(taken, Reported):
                    yield taken
                else:
                    left[taken] += 1
        except ReportError as trouble:
            error = str(trouble)
        finally:
            mailbox.close()
        with self.store.writing() as tx:
            set_note(tx, _LAST_READ, self.clock().isoformat())
            if error:
                notice(tx, "bounces", f"The mailbox for bounces cannot be read: {error}.", self.clock())
        yield MailboxRead(messages=messages, left=dict(left), error=error)

    def take_mail(self, content: bytes) -> Reported | Left:
        """Take what a mail reports."""
        from digest.core.delivery.bounces.reports import (
            read_returned,  # slow, and not needed where nothing comes back
        )

        try:
            report = read_returned(content)
        except Exception:  # noqa: BLE001 - whatever a stranger wrote, the mails behind it are read
            return Left.BROKEN
        return self.take(report, BY_MAILBOX)


def _about_another(report: Report, about: About) -> Report:
    """Where a reader's mail goes on to others, one of those that is gone does not make the reader so."""
    recipients = {one.lower() for one in report.clues.recipients}
    hard = report.finding in {Finding.GONE, Finding.CLOSED}
    if hard and recipients and about.mailbox not in recipients:
        return replace(report, finding=Finding.SOFT)
    return report


def read_soon(tx: Transaction) -> None:
    """Let the mailbox be read at the next chance, whenever it was read last: somebody asks."""
    set_note(tx, _LAST_READ, "")


def wake(store: Store, now: datetime) -> tuple[str, ...]:
    """Let mail go again to addresses whose rest is over; gives them, in small letters."""
    with store.reading() as tx:
        if not suppressions.has_rested(tx, now):
            return ()
    with store.writing() as tx:
        return suppressions.rested(tx, now)
