"""A source whose reading never ends, as a parser's can that compares all with all."""

from __future__ import annotations

from digest.ports import Page, Request, Response
from digest.sources import feed


class Source(feed.Source):
    """Asks as a feed does, and reads a document that says so for ever."""

    def read(self, request: Request, response: Response) -> Page:
        """Read it."""
        while b"slow" in response.body:
            pass
        return feed.Source.read(self, request, response)
