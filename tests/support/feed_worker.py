"""One process that reads feeds, for all pulls in a test process.

Each pull starts one of its own and ends it; with thousands of pulls of a few small feeds, these starts took more time than
the pulls. ``tests/jobs/http/test_parse_process.py`` is about starting and ending it.
"""

from __future__ import annotations

import atexit
from functools import cache

from digest.jobs.fetching import pull
from digest.jobs.http.parse_process import ParseProcess


class _SharedProcess(ParseProcess):
    def __exit__(self, *_: object) -> None:
        """Leave it to the next pull."""


@cache
def share_parse_process() -> None:
    """Let all pulls of this process share one that reads feeds, from now on."""
    shared = _SharedProcess()
    atexit.register(shared.close)
    vars(pull)["ParseProcess"] = lambda: shared
