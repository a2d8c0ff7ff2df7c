"""What earlier editions of digests included of the events of a window, and what they had no room for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from digest.core.editions.window_events import EventKey, find_sent
from digest.core.matching.event_set import EventSet
from digest.model import Run
from digest.store.database.engine import Transaction
from digest.store.editions import alerts, sent_events
from digest.store.subscribers.digests import Digest


class CoveredEvents(NamedTuple):
    """The events of this window that were in the window of an earlier edition.

    Attributes:
        events: all of them: the first ones of this window.
        sent: those whose papers the edition included.
    """

    events: EventSet
    sent: EventSet


class EarlierCoverage(NamedTuple):
    """The earlier editions whose windows reach into this one, by digest: they had no room for all of their papers."""

    by_digest: Mapping[int, Sequence[CoveredEvents]]

    def list_waiting(self, digest: int) -> list[EventSet]:
        """Return the events that come first if they are included: one set for each earlier edition, oldest first.

        The papers that have waited longest come first. By rank alone, a paper with confidence *maybe* would wait for as
        long as better ones come each day. All sets begin with this window, so a later edition's set is larger.
        """
        return sorted({covered.events for covered in self.by_digest.get(digest, ())}, key=len)

    def get_sent(self, digest: int) -> EventSet:
        """Return the events whose papers were included, also if another event of the paper was shown for them."""
        return EventSet.union([covered.sent for covered in self.by_digest.get(digest, ())])


def load_earlier_coverage(
    tx: Transaction, run: Run, digests: Sequence[Digest], after_seq: int, seqs: Collection[int]
) -> EarlierCoverage:
    """Load what earlier editions covered of a window.

    Args:
        tx: a transaction.
        run: the run of the window.
        digests: the digests of a shard.
        after_seq: the event before the first position.
        seqs: the numbers of the events that can be included.
    """
    starts = {digest.id: digest.get_window_start(run) for digest in digests if digest.from_seq is not None}
    earlier_editions = [] if run.is_alert else sent_events.list_sent_after(tx, starts)
    if not earlier_editions:
        return EarlierCoverage({})
    papers = {
        seq: paper for seq, (paper, _, _) in sent_events.describe_events(tx, seqs).items() if seq > after_seq
    }
    by_digest: dict[int, list[CoveredEvents]] = defaultdict(list)
    for digest, to_seq, sent_seqs in earlier_editions:
        covered = EventSet.before(to_seq - after_seq)
        sent_papers = {paper for paper, _, _ in sent_events.describe_events(tx, sent_seqs).values()}
        sent = EventSet.from_positions(
            seq - after_seq - 1 for seq, paper in papers.items() if paper in sent_papers
        )
        by_digest[digest].append(CoveredEvents(covered, sent & covered))
    return EarlierCoverage(by_digest)


def find_sent_events(
    tx: Transaction,
    run: Run,
    digests: Sequence[Digest],
    repeating: Sequence[Digest],
    since: datetime,
    *,
    after_seq: int,
    seqs: Collection[int],
) -> dict[int, EventSet]:
    """Find the events of a window that digests have included before, by digest.

    Args:
        tx: a transaction.
        run: the run of the window.
        digests: the digests of a shard.
        repeating: those of them whose editions since ``since`` have to be looked at.
        since: what was included before this may be included again.
        after_seq: the event before the first position.
        seqs: the numbers of the events that can be included.
    """
    with_alerts = [digest.id for digest in repeating if not digest.options.repeat_alerts]
    without_alerts = [digest.id for digest in repeating if digest.options.repeat_alerts]
    sent_by_digest = sent_events.load_sent(tx, with_alerts, since)
    sent_by_digest |= sent_events.load_sent(tx, without_alerts, since, without_alerts=True)
    # The window of a digest may begin before ``since``, so its alerts are looked up by their windows, too.
    once_ids = [digest.id for digest in digests if not digest.options.repeat_alerts]
    for digest, sent_in_alerts in alerts.load_sent_after(tx, once_ids, run, after_seq).items():
        sent_by_digest[digest] = sent_by_digest.get(digest, frozenset()) | sent_in_alerts
    if not sent_by_digest:
        return {}
    event_keys: dict[int, EventKey] = {
        seq - after_seq - 1: event_key
        for seq, event_key in sent_events.describe_events(tx, seqs).items()
        if seq > after_seq
    }
    return {digest: find_sent(sent, event_keys) for digest, sent in sent_by_digest.items()}
