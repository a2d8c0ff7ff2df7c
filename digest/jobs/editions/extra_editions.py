"""Editions outside the schedule, on request."""

from __future__ import annotations

from datetime import datetime

from digest.errors import ConfigError
from digest.jobs.editions.explain import find_digest
from digest.store.database.engine import Store
from digest.store.subscribers import digests
from digest.store.subscribers.digest_locks import lock_digests


def request_edition(store: Store, name: str, now: datetime) -> None:
    """Have an edition of a digest made at once, with what came since the last one.

    Raises:
        ConfigError: there is no such digest, it is paused, or an edition of it is already being made.
    """
    with store.begin_write() as tx:
        lock_digests(tx, [find_digest(tx, name).id])
        digest = find_digest(tx, name)
        if digest.pause is not None:
            raise ConfigError(f"{name} is paused; resume it with `digest resume {name}`")
        if digests.has_open_run(tx, digest):
            raise ConfigError(
                f"an edition of {name} is in progress; request another one after it has been sent"
            )
        digests.fire_once(tx, digest, now)
