"""Where our own pages stand on the web: addresses that nobody can guess, each good for one thing.

What makes an address and what reads it stand side by side, so that one never leads where the other does not look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from digest.core.delivery.tokens import read_token, sign_token

_UNSUBSCRIBE, _MANAGE, _EDITION, _FEED = "unsubscribe", "manage", "edition", "feed"


class FeedAddress(NamedTuple):
    """What a feed's address says.

    Attributes:
        digest: whose feed.
        version: how often the address had been renewed when this one was made.
    """

    digest: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPages:
    """The addresses below a site.

    Attributes:
        url: of the site, without a slash at the end.
        keys: the first signs; an address that any of them signed leads on.
    """

    url: str
    keys: tuple[bytes, ...] = field(repr=False)

    def make_unsubscribe_url(self, destination: int) -> str:
        """Where whoever gets a digest at a destination stops it; also by one click (RFC 8058)."""
        return f"{self.url}/unsubscribe/{sign_token(_UNSUBSCRIBE, str(destination), self.keys)}"

    def make_manage_url(self, destination: int) -> str:
        """Where whoever gets a digest at a destination sees what it follows, and lets it rest."""
        return f"{self.url}/manage/{sign_token(_MANAGE, str(destination), self.keys)}"

    def make_edition_url(self, edition: int) -> str:
        """An edition's page."""
        return f"{self.url}/editions/{sign_token(_EDITION, str(edition), self.keys)}"

    def make_feed_url(
        self, digest: int, name: str, feed_format: str, version: int = 0, *, archive: int = 0
    ) -> str:
        """A digest's feed.

        Args:
            digest: its number.
            name: its name, for people.
            feed_format: ``rss``, ``atom`` or ``json``, or ``opml`` for a list of it.
            version: how often its address was renewed; each one has another.
            archive: the number of one of its archives; 0 for the newest entries.
        """
        token = sign_token(_FEED, f"{digest}-{version}" if version else str(digest), self.keys)
        path = f"{token}/{archive}" if archive else token
        return f"{self.url}/feeds/{path}/{quote(name, safe='')}.{feed_format}"

    def read_unsubscribe_token(self, token: str) -> int | None:
        """The destination that an unsubscribe address is for; None where it is none of ours."""
        return self._read_number(_UNSUBSCRIBE, token)

    def read_manage_token(self, token: str) -> int | None:
        """The destination whose digest an address is there to manage; None where it is none of ours."""
        return self._read_number(_MANAGE, token)

    def read_edition_token(self, token: str) -> int | None:
        """The edition that an address shows; None where it is none of ours."""
        return self._read_number(_EDITION, token)

    def read_feed_token(self, token: str) -> FeedAddress | None:
        """The feed that an address is for; None where it is none of ours."""
        payload = read_token(_FEED, token, self.keys)
        if payload is None:
            return None
        digest, _, version = payload.partition("-")
        return FeedAddress(int(digest), int(version or 0))

    def _read_number(self, purpose: str, token: str) -> int | None:
        payload = read_token(purpose, token, self.keys)
        return None if payload is None else int(payload)
