"""A source that tells which process reads its documents."""

from __future__ import annotations

import os
from dataclasses import replace

from digest.ports import Page, Request, Response
from digest.sources import feed


class Source(feed.Source):
    """Asks and reads as a feed does."""

    def read(self, request: Request, response: Response) -> Page:
        """Read it, with the id of the process in the place of the cursor."""
        return replace(super().read(request, response), cursor=str(os.getpid()))
