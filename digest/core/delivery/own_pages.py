"""Addresses of our own web pages, which cannot be guessed, each valid for one purpose.

Creating and reading an address are in one class, so that they cannot diverge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from digest.core.delivery.tokens import read_token, sign_token

_UNSUBSCRIBE, _MANAGE, _EDITION, _FEED = "unsubscribe", "manage", "edition", "feed"


class FeedAddress(NamedTuple):
    """The content of a feed's address.

    Attributes:
        digest: number of the digest.
        version: how often the address had been renewed when this one was made.
    """

    digest: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPages:
    """Addresses below a site.

    Attributes:
        url: the address of the site, without a slash at the end.
        keys: signing keys: the first one signs, all are accepted.
    """

    url: str
    keys: tuple[bytes, ...] = field(repr=False)

    def make_unsubscribe_url(self, destination: int) -> str:
        """Return the address that unsubscribes a destination, also by one click (RFC 8058)."""
        return f"{self.url}/unsubscribe/{sign_token(_UNSUBSCRIBE, str(destination), self.keys)}"

    def make_manage_url(self, destination: int) -> str:
        """Return the address at which the reader of a destination sees and pauses the digest."""
        return f"{self.url}/manage/{sign_token(_MANAGE, str(destination), self.keys)}"

    def make_edition_url(self, edition: int) -> str:
        """Return the address of an edition's page."""
        return f"{self.url}/editions/{sign_token(_EDITION, str(edition), self.keys)}"

    def make_feed_url(
        self, digest: int, name: str, feed_format: str, version: int = 0, *, archive: int = 0
    ) -> str:
        """Return the address of a digest's feed.

        Args:
            digest: number of the digest.
            name: name of the digest, shown in the address.
            feed_format: ``rss``, ``atom`` or ``json``, or ``opml`` for a list of the feed.
            version: how often the address was renewed; each version has another address.
            archive: the number of an archive; 0 for the newest entries.
        """
        token = sign_token(_FEED, f"{digest}-{version}" if version else str(digest), self.keys)
        path = f"{token}/{archive}" if archive else token
        return f"{self.url}/feeds/{path}/{quote(name, safe='')}.{feed_format}"

    def read_unsubscribe_token(self, token: str) -> int | None:
        """Return the destination that an unsubscribe address belongs to; None if it is invalid."""
        return self._read_number(_UNSUBSCRIBE, token)

    def read_manage_token(self, token: str) -> int | None:
        """Return the destination that a management address belongs to; None if it is invalid."""
        return self._read_number(_MANAGE, token)

    def read_edition_token(self, token: str) -> int | None:
        """Return the edition that an address belongs to; None if it is invalid."""
        return self._read_number(_EDITION, token)

    def read_feed_token(self, token: str) -> FeedAddress | None:
        """Return the feed that an address belongs to; None if it is invalid."""
        payload = read_token(_FEED, token, self.keys)
        if payload is None:
            return None
        digest, _, version = payload.partition("-")
        return FeedAddress(int(digest), int(version or 0))

    def _read_number(self, purpose: str, token: str) -> int | None:
        payload = read_token(purpose, token, self.keys)
        return None if payload is None else int(payload)
