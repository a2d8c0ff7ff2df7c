"""The addresses of feeds: renewed when one has come into wrong hands."""

from __future__ import annotations

from digest.store.database.engine import Store
from digest.store.publishing import web_queries


def renew_feed_address(store: Store, digest: int) -> int | None:
    """Give a digest's feed another address; who asks at the old one is told that it is gone.

    Args:
        store: where.
        digest: its number.

    Returns:
        How often it was renewed; None where there is no such digest.
    """
    with store.begin_write() as tx:
        return web_queries.renew_feed(tx, digest)
