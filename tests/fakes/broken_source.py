"""A source with a mistake in it, as a plug-in of somebody else can be."""

from __future__ import annotations

from digest.ports import Page, Request, Response
from digest.sources import feed


class Source(feed.Source):
    """Asks as a feed does, and cannot read."""

    def read(self, request: Request, response: Response) -> Page:  # noqa: ARG002 - the port's signature
        raise IndexError("the mistake of a plug-in")
