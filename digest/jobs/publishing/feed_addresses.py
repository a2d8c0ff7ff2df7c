"""Renew the secret address of a feed after it has leaked."""

from __future__ import annotations

from digest.store.database.engine import Store
from digest.store.publishing import web_queries


def renew_feed_address(store: Store, digest: int) -> int | None:
    """Give a digest's feed a new address; requests to the old one are answered with "gone".

    Args:
        store: the store.
        digest: the number of the digest.

    Returns:
        How often the address has been renewed; None if there is no such digest.
    """
    with store.begin_write() as tx:
        return web_queries.renew_feed(tx, digest)
