"""Stop and resume: what readers and operators decide about who gets what."""

from __future__ import annotations

from collections.abc import Sequence

from digest.config import Settings
from digest.errors import ConfigError
from digest.store import subscribers as rows
from digest.store.digests import ACTIVE
from digest.store.engine import Store, Transaction
from digest.store.subscribers import Subscriber


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
    """Let a digest go to a destination again, as far as the file still has it; None where there is no such one."""
    with store.writing() as tx:
        found = rows.subscriber(tx, destination)
        if found is None:
            return None
        _resume(tx, settings, [found])
        return rows.subscriber(tx, destination)


def resume_address(store: Store, settings: Settings, address: str) -> tuple[Subscriber, ...]:
    """Let all digests go to an address again that unsubscribed, as far as the file still has it.

    Returns:
        Those that had been stopped, as they are now.

    Raises:
        ConfigError: the address is not known.
    """
    with store.writing() as tx:
        found = rows.subscribers(tx, address=address)
        if not found:
            raise ConfigError(
                f"nothing goes to {address}, and nothing did; `digest subscribers list` tells who gets what"
            )
        stopped = {one.destination for one in found if one.stopped}
        _resume(tx, settings, [one for one in found if one.stopped])
        now = rows.subscribers(tx, address=address)
    return tuple(one for one in now if one.destination in stopped)


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
