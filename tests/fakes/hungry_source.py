"""A source whose reading takes more memory than a document may."""

from __future__ import annotations

from digest.jobs.http.parse_worker import MAX_MEMORY_BYTES
from digest.ports import Page, Request, Response
from digest.sources import feed


class Source(feed.Source):
    """Asks as a feed does."""

    def read(self, request: Request, response: Response) -> Page:
        """Read a document; one that says so takes all there is."""
        if b"hungry" in response.body:
            bytes(MAX_MEMORY_BYTES)
        return feed.Source.read(self, request, response)
