"""The address book of readers' chats and webhooks: their sealed addresses, and where their hosts are.

An address is looked up and opened for each attempt, so that one that was removed is used no more, and none is in
memory longer than its message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import httpx

from digest.core.subscribers.sealed_addresses import open_address
from digest.errors import HostBlockedError
from digest.jobs.http.ssrf_guard import RequestBlockedError, SsrfGuard
from digest.ports import AddressBook, BookEntry
from digest.store.database.engine import Store
from digest.store.subscribers.destinations.sealed_addresses import load_sealed_address


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAddressBook(AddressBook):
    """The addresses of the store; it can be used from several threads.

    Attributes:
        store: the store.
        load_keys: returns the signing keys.
        allowed: the services that the file allows.
        guard: decides which hosts may be connected to.
    """

    store: Store
    load_keys: Callable[[], Sequence[bytes]] = field(repr=False)
    allowed: Collection[str]
    guard: SsrfGuard = field(default_factory=SsrfGuard)

    def find_entry(self, delivery: int) -> BookEntry | None:
        """Return the whole address to which a delivery goes; None if its destination is one of the file."""
        with self.store.begin_read() as tx:
            sealed = load_sealed_address(tx, delivery)
        if sealed is None:
            return None
        if not sealed.sealed:
            return BookEntry(obstacle="its reader has removed this destination")
        if sealed.service not in self.allowed:
            return BookEntry(obstacle=f"[signup] destinations of the file does not contain {sealed.service}")
        address = open_address(sealed.sealed, sealed.destination, self.load_keys())
        if address is None:
            return BookEntry(
                obstacle="the signing key that sealed this address is gone; its reader has to add it again"
            )
        return BookEntry(url=address.url, secret=address.secret, reader=sealed.reader)

    def resolve_host(self, host: str, port: int) -> Sequence[tuple[str, int]]:
        """Return the addresses of a host, if all of them are public."""
        try:
            addresses = self.guard.list_addresses(httpx.URL(scheme="https", host=host, port=port))
        except RequestBlockedError as error:
            raise HostBlockedError(str(error)) from None
        return [(address, port) for address in addresses]
