"""A web server whose event loop hangs is noticed, so that the service manager restarts it."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest

from digest.web import server
from digest.web.protocol.response_cache import ResponseCache
from digest.web.protocol.write_mark import Headers
from digest.web.server import listen, serve_site
from digest.web.site import Site
from tests.support.timeouts import PATIENCE
from tests.worker.conftest import wait_until


class HangingSite:
    """A site that holds the event loop until it is released."""

    response_cache, prefix = ResponseCache(), ""

    def may_be_cached(self, _headers: Headers) -> bool:
        return True

    def __init__(self) -> None:
        self.release = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "lifespan"
        await receive()
        await send({"type": "lifespan.startup.complete"})
        self.release.wait(PATIENCE)  # nothing else runs in the event loop meanwhile
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


def test_a_server_is_responsive_while_its_event_loop_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_UNRESPONSIVE_SECONDS", 0.5)
    site = HangingSite()
    with listen("127.0.0.1:0") as listener, serve_site(listener, cast("Site", site)) as is_responsive:
        wait_until(lambda: not is_responsive())
        site.release.set()
        wait_until(is_responsive)

    assert not is_responsive(), "its thread has ended"
