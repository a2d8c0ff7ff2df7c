"""A request that breaks off is no error of ours, and changes nothing."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from fastapi.routing import APIRoute

from digest.demo.publisher import Publisher
from digest.jobs.services import make_providers
from digest.web.answers import Responder
from digest.web.documents import DocumentCache, fetch_document
from digest.web.hooks import HookRoutes
from digest.web.protocol.response_cache import ResponseCache
from digest.web.site import make_routes
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.web.conftest import THURSDAY, Site, serve_workspace

BOUNCES = """
[bounces]
address = "bounces@example.org"

[[bounces.provider]]
use = "postmark"
username = "hook"
password = "a-long-password"
"""
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER for no time: closing sends a reset (socket(7))."""


@pytest.fixture
def site(workspace: Workspace, source: Publisher) -> Iterator[Site]:
    source.day = THURSDAY
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text("utf-8") + BOUNCES, encoding="utf-8")
    with serve_workspace(workspace, source) as site:
        yield site


def posted_to(site: Site) -> list[str]:
    """The path of an address for each route that takes what is posted, and of some that lead nowhere."""
    pages, destination = site.pages, site.get_destination_id()
    addresses = [
        pages.make_unsubscribe_url(destination),
        pages.make_unsubscribe_url(destination).replace("/unsubscribe/", "/subscribe/"),
        site.make_manage_url(),
        site.make_paper_url(),
        f"{pages.url}/bounces/postmark",
        f"{pages.url}/bounces/nobody",
        f"{pages.url}/nowhere",
    ]
    answers = Responder(
        app=site.app, pages=pages, response_cache=ResponseCache(), notify=site.operator_messages.append
    )
    hooks = HookRoutes(
        providers=make_providers(site.app.settings),
        report_receiver=site.app.report_receiver,
        documents=DocumentCache(fetch_document),
        notify=site.operator_messages.append,
    )
    paths = [urlsplit(address).path for address in addresses]
    posts = [
        base_route
        for base_route in make_routes(answers, hooks)
        if isinstance(base_route, APIRoute) and "POST" in (base_route.methods or ())
    ]
    assert [
        apiroute.path for apiroute in posts if not any(apiroute.path_regex.match(path) for path in paths)
    ] == []
    return paths


@pytest.mark.parametrize("ending", ["closed", "reset"])
@pytest.mark.parametrize(
    "started",
    [
        b"content-length: 1000\r\n\r\ndo=more",
        b"content-length: 1000\r\n\r\n",
        b"content-length: 1000\r\nexpect: 100-continue\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n5\r\ndo=mo\r\n",
        b"content-length: 1000\r\n",
    ],
    ids=["a part of it", "nothing of it", "nothing of it after a question", "a chunk", "not even the head"],
)
def test_what_breaks_off_while_it_is_posted_is_no_error(
    site: Site, started: bytes, ending: str, caplog: pytest.LogCaptureFixture
) -> None:
    host, _, port = site.server_url.removeprefix("http://").rpartition(":")
    for path in posted_to(site):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            if ending == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            connection.sendall(f"POST {path} HTTP/1.1\r\nhost: x\r\n".encode() + started)

    for _ in range(3):
        assert site.get(site.make_manage_url()).status_code == 200
    assert [
        operator_message
        for operator_message in site.operator_messages
        if "unsubscribed" not in operator_message and "subscribed" not in operator_message
    ] == []
    assert caplog.messages == []
