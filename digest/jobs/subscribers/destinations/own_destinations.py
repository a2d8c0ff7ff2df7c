"""Chats and webhooks of readers: added to a digest, removed, and withheld while the file does not allow their service.

What the file says wins: it may allow fewer services than it did, and then those of the others get nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from digest.config import Destination, Settings
from digest.config.delivery.destinations import make_webhook_destination, read_destination
from digest.core.subscribers.own_digest import MAX_DESTINATIONS, EditError, EditMistake, ReaderService
from digest.core.subscribers.reader_addresses import ReaderAddress, parse_reader_address
from digest.core.subscribers.sealed_addresses import (
    SecretAddress,
    make_webhook_secret,
    open_address,
    seal_address,
)
from digest.jobs.subscribers.own_digests import lock_own_digest
from digest.store.database.engine import Store, Transaction
from digest.store.subscribers.destinations import own_destinations as rows
from digest.store.subscribers.destinations.sealed_addresses import read_sealed_address
from digest.store.subscribers.subscribers import stop_destination


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedDestination:
    """A destination that was just added.

    Attributes:
        address: its public address.
        secret: the new key of a webhook, which is shown to the reader once; "" for a chat, and if it was there already.
    """

    address: str
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDestinationEditor:
    """Adds and removes the chats and webhooks of one reader's digests.

    Attributes:
        store: the store.
        subscriber: the number of the reader.
        offered: the services that the file allows.
        keys: signing keys; the first one seals.
    """

    store: Store
    subscriber: int
    offered: Sequence[str]
    keys: Sequence[bytes] = field(repr=False)

    def add(self, digest_id: int, typed: str) -> AddedDestination:
        """Add a destination, from the next edition on; one that is there stays as it is, and gets editions again.

        Args:
            digest_id: the number of the digest.
            typed: the address as the service shows it.

        Raises:
            EditError: it is no address, its service is not offered, or the digest has as many as it can have.
            NotOwnError: the digest belongs to somebody else, or to nobody.
        """
        address = parse_reader_address(typed, self.offered)
        secret = make_webhook_secret() if address.service is ReaderService.WEBHOOK else ""
        destination = _make_destination(address, secret)
        with self.store.begin_write() as tx:
            present = lock_own_digest(tx, self.subscriber, digest_id).details.destinations
            is_new = destination.address not in {entry.address for entry in present}
            if is_new and len(present) >= MAX_DESTINATIONS:
                raise EditError(EditMistake.TOO_MANY_DESTINATIONS)
            number = rows.insert_own_destination(
                tx, digest_id, destination.channel, destination.address, destination.domain
            )
            if not is_new and self._has_address(tx, number):
                return AddedDestination(address=destination.address)
            sealed = seal_address(SecretAddress(url=address.url, secret=secret), number, self.keys)
            rows.save_sealed_address(tx, number, address.service.value, sealed)
        return AddedDestination(address=destination.address, secret=secret)

    def _has_address(self, tx: Transaction, destination: int) -> bool:
        """Whether a sealed address can be opened: its key may be gone."""
        return open_address(read_sealed_address(tx, destination), destination, self.keys) is not None

    def remove(self, digest_id: int, destination: int) -> None:
        """Remove a destination with its address and what waits for it; if the digest has no such one, do nothing.

        Raises:
            NotOwnError: as for ``add``.
        """
        with self.store.begin_write() as tx:
            present = lock_own_digest(tx, self.subscriber, digest_id).details.destinations
            if destination in {entry.id for entry in present}:
                stop_destination(tx, destination)
                rows.end_own_destination(tx, destination)


def _make_destination(address: ReaderAddress, secret: str) -> Destination:
    """Return the destination, with the same public address as one of the file."""
    if address.service is ReaderService.WEBHOOK:
        return make_webhook_destination(address.url, secret)
    return read_destination(address.url)


def withhold_services(store: Store, settings: Settings) -> None:
    """Withhold editions from destinations of readers whose service the file does not allow, and resume the others."""
    allowed = settings.signup.destinations if settings.signup else ()
    with store.begin_read() as tx:
        has_changed = rows.has_other_services(tx, allowed)
    if has_changed:
        with store.begin_planning() as tx:
            rows.withhold_services(tx, allowed)
