"""Deliver: editions to their destinations, in packs of at most ten, each claimed before and marked after.

``claim{lease} → still ours? → render → channel → receipts → mark``
A crash between the other side's "accepted" and our mark repeats at most one pack, with the same Message-IDs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.errors import RenderError
from digest.jobs.fetch import Clock
from digest.model import Deferred, Edition, Message, Receipt, Sent
from digest.ports import Channel
from digest.store import deliveries, editions
from digest.store.deliveries import Delivery
from digest.store.engine import Store

PACK = 10
"""Messages that may be under way on a connection: what a crash can repeat at the most."""

_PROLONG = timedelta(seconds=10)
"""A pack that has lasted longer than this since its lease was last prolonged has it prolonged."""

Write = Callable[[Edition, Delivery], Message]
"""Makes the message of an edition for a destination; the same one every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A delivery that was tried, and what the other side answered; in a rehearsal nobody was asked."""

    delivery: Delivery
    receipt: Receipt
    rehearsed: bool = False


def deliver(
    store: Store, channels: Mapping[str, Channel], write: Write, token: int, clock: Clock
) -> Iterator[Delivered]:
    """Deliver all that is due, channel by channel; receipts are kept before the next pack starts.

    Args:
        store: whose deliveries.
        channels: the ways out, by name.
        write: makes messages.
        token: of this worker, for its leases.
        clock: gives the time.
    """
    with store.reading() as tx:
        due = deliveries.channels_due(tx, clock())
    for name in due:
        begun = clock()
        while True:
            with store.writing() as tx:
                claimed = deliveries.claim(tx, name, token, clock(), PACK, due_by=begun)
            done = _pack(store, channels.get(name), write, claimed, clock) if claimed else []
            if not done:
                break  # nothing is left, or nothing can be got rid of now
            yield from done


def _pack(
    store: Store, channel: Channel | None, write: Write, claimed: Sequence[Delivery], clock: Clock
) -> list[Delivered]:
    receipts: dict[int, Receipt] = {}
    now = clock()
    with store.writing() as tx:
        ours = deliveries.still_held(tx, claimed, now)
        made = editions.load(tx, {delivery.edition for delivery in ours})
    try:
        if channel is None:
            missing = Deferred(answer="the configuration has no such channel any more")
            receipts |= {delivery.id: missing for delivery in ours}
        else:
            hold = _Hold(store, ours, clock, prolonged=now)
            for message, receipt in channel.deliver(_written(ours, made, write, receipts)):
                receipts[message.delivery] = receipt
                if not hold.goes_on():
                    break
    finally:
        # Also on Ctrl-C: what was answered is kept, what was not tried is due again at once.
        answered = [(one, receipts[one.id]) for one in ours if one.id in receipts]
        with store.writing() as tx:
            deliveries.mark(tx, answered, clock())
            deliveries.give_back(tx, [one for one in ours if one.id not in receipts])
    return [Delivered(delivery=delivery, receipt=receipt) for delivery, receipt in answered]


@dataclass(slots=True)
class _Hold:
    """The lease of a pack under way.

    A server may take ten minutes for one message (RFC 5321, section 4.5.3.2.6), and no lease lasts for ten
    such: who takes the pack over meanwhile would send all of it again.
    """

    store: Store
    pack: Sequence[Delivery]
    clock: Clock
    prolonged: datetime

    def goes_on(self) -> bool:
        """Prolong the lease if that is some time ago; False where another has taken the pack over."""
        now = self.clock()
        if now - self.prolonged <= _PROLONG:
            return True
        self.prolonged = now
        with self.store.writing() as tx:
            return len(deliveries.still_held(tx, self.pack, now)) == len(self.pack)


def _written(
    ours: Sequence[Delivery], made: Mapping[int, Edition], write: Write, receipts: dict[int, Receipt]
) -> list[Message]:
    """The messages of a pack; one that a template fails on waits, and the others go."""
    messages: list[Message] = []
    for delivery in ours:
        try:
            messages.append(write(made[delivery.edition], delivery))
        except RenderError as error:
            receipts[delivery.id] = Deferred(answer=str(error))
    return messages


def rehearsed(store: Store, clock: Clock) -> Iterator[Delivered]:
    """What is due, told and given back undelivered: for a rehearsal."""
    now = clock()
    with store.writing() as tx:
        for name in deliveries.channels_due(tx, now):
            for delivery in deliveries.claim(tx, name, 1, now, 10_000, due_by=now):
                yield Delivered(delivery=delivery, receipt=Sent(), rehearsed=True)
