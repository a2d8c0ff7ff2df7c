"""Limits of requests by network, as clients behind a reverse proxy meet them."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from digest.demo.publisher import Publisher
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.web.conftest import THURSDAY, Site, serve_workspace

ADA, BOB = "192.0.2.1", "2001:db8::1"
RATES = """
page_rate = "6/day"
search_rate = "3/day"
all_searches_rate = "4/day"
"""


@pytest.fixture
def limited_site(composed_folder: Path, source: Publisher, tmp_path: Path) -> Iterator[Site]:
    with serve_workspace(make_workspace(composed_folder, tmp_path, RATES), source) as site:
        yield site


def make_workspace(composed_folder: Path, tmp_path: Path, keys: str) -> Workspace:
    folder = tmp_path / "world"
    shutil.copytree(composed_folder, folder)
    file = folder / "digest.toml"
    file.write_text(file.read_text("utf-8").replace("[site]", f"[site]{keys}", 1), "utf-8")
    return Workspace(folder)


def ask(site: Site, address: str, host: str, **headers: str) -> httpx.Response:
    return site.get(address, x_forwarded_for=host, **headers)


def list_statuses(site: Site, host: str, *addresses: str) -> list[int]:
    return [ask(site, address, host).status_code for address in addresses]


def test_a_network_that_asks_too_much_is_told_when_to_come_back_and_others_are_not(
    limited_site: Site,
) -> None:
    days = [f"/papers/{THURSDAY}?page={number}" for number in range(2, 10)]
    assert 429 not in list_statuses(limited_site, ADA, *days[:6])

    refused = ask(limited_site, days[6], "192.0.2.77")
    assert refused.status_code == 429
    assert 14_000 < int(refused.headers["retry-after"]) <= 14_400
    assert refused.headers["cache-control"] == "no-store"
    assert "content-security-policy" in refused.headers
    assert "Too many requests" in refused.text
    assert "Zu viele Anfragen" in ask(limited_site, "/search?q=more&lang=de", ADA).text
    assert ask(limited_site, days[6], BOB).status_code != 429


def test_searches_have_limits_of_their_own(limited_site: Site) -> None:
    searches = [f"/search?q=paper{number}" for number in range(5)]

    assert list_statuses(limited_site, ADA, *searches[:4]) == [200, 200, 200, 429]
    assert list_statuses(limited_site, BOB, *searches[3:5]) == [200, 429], "all networks together"
    assert ask(limited_site, "/about/numbers", ADA).status_code == 200


def test_the_api_says_it_as_a_problem(limited_site: Site) -> None:
    for number in range(3):
        ask(limited_site, f"/api/v1/search?q=paper{number}", ADA)

    refused = ask(limited_site, "/api/v1/search?q=more", ADA)
    assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
    assert refused.json()["title"] == "Too many requests"
    assert int(refused.headers["retry-after"]) > 0
    assert "retry-after" in refused.headers["access-control-expose-headers"]


def test_what_is_in_the_cache_does_not_count(limited_site: Site) -> None:
    addresses = ["/about/numbers", "/search?q=paper", f"/papers/{THURSDAY}", "/", "/api/v1/search?q=paper"]
    assert list_statuses(limited_site, ADA, *addresses) == [200] * 5
    time.sleep(1.1)  # from then on the cache asks whether they have changed

    assert list_statuses(limited_site, ADA, *addresses * 5) == [200] * 25
    etag = ask(limited_site, "/about/numbers", ADA).headers["etag"]
    time.sleep(1.1)
    assert ask(limited_site, "/about/numbers", ADA, if_none_match=etag).status_code == 304
    assert list_statuses(limited_site, ADA, "/category/cs.A", "/category/cs.B") == [404, 429]


def test_mails_feeds_and_health_are_never_refused(limited_site: Site) -> None:
    list_statuses(limited_site, ADA, *(f"/category/cs.{letter}" for letter in "ABCDEFGH"))
    pages = limited_site.pages
    addresses = [
        pages.make_edition_url(limited_site.get_edition_id()),
        limited_site.make_manage_url(),
        pages.make_unsubscribe_url(limited_site.get_destination_id()),
        "/healthz",
        "/readyz",
        "/robots.txt",
    ]
    assert ask(limited_site, "/category/cs.Z", ADA).status_code == 429
    for address in addresses:
        assert ask(limited_site, address, ADA).status_code == 200, address
    unsubscribe = limited_site.request(
        "POST",
        pages.make_unsubscribe_url(limited_site.get_destination_id()),
        headers={"x-forwarded-for": ADA},
    )
    assert unsubscribe.status_code == 200


def test_only_a_web_server_that_is_trusted_says_who_asks(
    composed_folder: Path, source: Publisher, tmp_path: Path
) -> None:
    keys = RATES + 'proxies = ["203.0.113.0/24"]\n'
    with serve_workspace(make_workspace(composed_folder, tmp_path, keys), source) as site:
        statuses = [ask(site, f"/category/cs.{number}", ADA).status_code for number in range(10)]

    assert 429 not in statuses, "the address that was written there would have been refused"


def test_an_address_before_that_of_a_trusted_web_server_cannot_be_made_up(limited_site: Site) -> None:
    statuses = [
        ask(limited_site, f"/category/cs.{number}", f"198.51.{number}.1, {ADA}").status_code
        for number in range(8)
    ]
    assert statuses[6:] == [429, 429]


def test_limits_outlast_the_process(composed_folder: Path, source: Publisher, tmp_path: Path) -> None:
    workspace = make_workspace(composed_folder, tmp_path, RATES)
    with serve_workspace(workspace, source) as site:
        list_statuses(site, ADA, *(f"/category/cs.{number}" for number in range(6)))
    with serve_workspace(workspace, source) as site:
        ask(site, "/category/cs.A", ADA)  # after which the process learns what the one before has counted
    with serve_workspace(workspace, source) as site:
        ask(site, "/category/cs.B", ADA)
        time.sleep(1.5)
        assert ask(site, "/category/cs.C", ADA).status_code == 429
        assert ask(site, "/category/cs.C", BOB).status_code != 429
        assert "192.0.2" not in workspace.run("status", "--json").output, "the status does not show who reads"


def test_an_address_of_both_families_is_one(composed_folder: Path, source: Publisher, tmp_path: Path) -> None:
    workspace = make_workspace(composed_folder, tmp_path, RATES)
    with serve_workspace(workspace, source, host="[::]") as site:
        statuses = list_statuses(site, ADA, *(f"/category/cs.{number}" for number in range(8)))

    assert statuses[6:] == [429, 429], "the web server on this machine is one of the proxies by any address"


def test_the_operator_hears_of_a_web_server_that_is_not_trusted(
    composed_folder: Path, source: Publisher, tmp_path: Path
) -> None:
    keys = RATES + 'proxies = ["203.0.113.0/24"]\n'
    with serve_workspace(make_workspace(composed_folder, tmp_path, keys), source) as site:
        list_statuses(site, ADA, "/category/cs.A", "/category/cs.B")

    (message,) = site.operator_messages
    assert message.startswith("Requests from 127.0.0.1 say for whom they are")
    assert "[site] proxies" in message


def test_the_site_ends_soon_although_the_database_is_locked(
    composed_folder: Path, source: Publisher, tmp_path: Path
) -> None:
    workspace = make_workspace(composed_folder, tmp_path, RATES)
    with closing(sqlite3.connect(workspace.folder / "digest.db", isolation_level=None)) as other:
        with serve_workspace(workspace, source) as site:
            ask(site, "/category/cs.A", ADA)
            other.execute("BEGIN IMMEDIATE")
            time.sleep(1.5)
            begun = time.monotonic()
        ended = time.monotonic()
        other.execute("ROLLBACK")
    assert ended - begun < PATIENCE
