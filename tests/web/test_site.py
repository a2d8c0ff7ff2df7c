"""What holds for every answer: safety, sizes, methods, and what is said when something fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import editions
from digest.web import forms
from tests.support.workspace import Workspace
from tests.web.conftest import ME, THURSDAY, URL, Site, send_raw, serve_workspace


def every_address(site: Site) -> dict[str, str]:
    """Each route's, by the methods that it has."""
    stop = site.pages.make_unsubscribe_url(site.get_destination_id())
    return {
        "/": "GET, HEAD",
        stop: "GET, HEAD, POST",
        stop.replace("/unsubscribe/", "/subscribe/"): "GET, HEAD, POST",
        site.pages.make_edition_url(site.get_edition_id()): "GET, HEAD",
        site.make_feed_url(): "GET, HEAD",
        site.make_feed_url("atom"): "GET, HEAD",
        site.make_feed_url("json"): "GET, HEAD",
    }


def test_every_answer_is_safe_and_sets_no_cookie(shared_site: Site) -> None:
    asked = [
        (method, address)
        for address in (*every_address(shared_site), "/none")
        for method in ("GET", "HEAD", "PUT")
    ]

    for method, address in asked * 2:  # the second time what is kept ready is sent
        headers = shared_site.request(method, address).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] in ("no-referrer", "same-origin")
        is_public = address == "/none" or (address == "/" and method != "PUT")
        assert is_public == ("script-src 'self'; connect-src 'self'; " in policy)
        assert is_public == ("script" in policy)
        is_found = is_public and address != "/none"
        assert is_found != (headers.get("x-robots-tag") == "noindex")
        assert headers.keys() & {"set-cookie", "server", "x-powered-by"} == set()
        assert len(headers.get_list("content-security-policy")) == 1


def test_no_page_holds_a_script_or_anything_from_elsewhere(shared_site: Site) -> None:
    for address in every_address(shared_site):
        if "/feeds/" not in address:
            page = shared_site.get(address).text
            assert "<script" not in page
            assert "src=" not in page


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_a_method_that_a_route_has_not_is_refused_with_those_that_it_has(
    shared_site: Site, method: str
) -> None:
    for address, allowed in every_address(shared_site).items():
        answer = shared_site.request(method, address)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize(
    "path",
    [
        "/unsubscribe",
        "/unsubscribe/",
        "/feeds/",
        "/editions",
    ],
)
def test_a_link_of_a_mail_that_does_not_work_is_explained(shared_site: Site, path: str) -> None:
    answer = shared_site.get(path)

    assert (answer.status_code, "location" in answer.headers) == (404, False)
    assert "This link does not work" in answer.text


@pytest.mark.parametrize(
    "path", ["/none", "/docs", "/openapi.json", "/.env", "/%2e%2e/%2e%2e/etc/passwd", "/none?lang=en"]
)
def test_what_there_is_not_is_told_without_a_redirect(shared_site: Site, path: str) -> None:
    answer = shared_site.get(path)

    assert (answer.status_code, "location" in answer.headers) == (404, False)
    assert "There is no page here" in answer.text
    assert 'href="/search"' in answer.text


def test_a_body_longer_than_anything_we_read_is_refused_before_it_is_sent(site: Site) -> None:
    path = urlsplit(site.pages.make_unsubscribe_url(site.get_destination_id())).path
    before = site.load_state()

    for length in (str(forms.MAX_FORM_BYTES + 1), "9" * 30):
        answer = send_raw(
            site, f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()
        )
        assert answer.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400"))
        assert b"100 Continue" not in answer
    assert site.load_state() == before
    assert site.post(path, content=b"x" * forms.MAX_FORM_BYTES).status_code == 200


@pytest.mark.parametrize(
    "request_",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 5000],
)
def test_what_is_no_http_is_turned_away_in_silence(
    shared_site: Site, request_: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    send_raw(shared_site, request_ + b"\r\n\r\n")

    assert shared_site.get("/").status_code == 200
    assert capfd.readouterr() == ("", "")


def test_addresses_are_not_written_down(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    stop = site.pages.make_unsubscribe_url(site.get_destination_id())
    site.get(stop)
    site.get(site.make_feed_url())
    site.post(stop)

    assert capfd.readouterr() == ("", "")
    assert site.operator_messages == [f"{ME} unsubscribed from systems."]


def test_while_the_store_cannot_be_used_everybody_is_asked_to_come_again(site: Site) -> None:
    stop, feed = site.pages.make_unsubscribe_url(site.get_destination_id()), site.make_feed_url()
    database = site.workspace.folder / "digest.db"
    site.app.store.close()
    aside = database.with_suffix(".aside")
    for name in site.workspace.folder.glob("digest.db*"):
        name.rename(aside.with_name(name.name + ".aside"))
    database.mkdir()

    answers = [site.get(stop), site.post(stop), site.get(feed)]

    assert [(response.status_code, response.headers["retry-after"]) for response in answers] == [
        (503, "60")
    ] * 3
    assert "Nothing was changed" in answers[0].text
    assert str(database) not in answers[0].text
    assert len(site.operator_messages) == 3
    database.rmdir()
    for name in site.workspace.folder.glob("*.aside"):
        name.rename(name.with_suffix(""))
    assert [site.get(stop).status_code, site.post(stop).status_code, site.get(feed).status_code] == [200] * 3


def test_a_fault_of_ours_is_told_on_a_page_without_its_details(site: Site) -> None:
    page = site.pages.make_edition_url(site.get_edition_id())
    with site.app.store.begin_write() as tx:
        tx.execute(update(editions).values(items=["nothing that an edition has"]))

    answer = site.get(page)

    assert answer.status_code == 500
    assert "<h1" in answer.text
    assert "Traceback" not in answer.text
    assert "nothing that an edition has" not in answer.text
    assert site.get("/").status_code == 200


# --- behind a server of the operator's own --------------------------------------------------------


@pytest.fixture
def site_below_path(workspace: Workspace, source: Publisher) -> Iterator[Site]:
    """A site whose address has a path."""
    source.day = THURSDAY
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text("utf-8").replace(URL, f"{URL}/lab/digest"), encoding="utf-8")
    with serve_workspace(workspace, source) as site:
        yield site


@pytest.mark.parametrize("prefix", ["", "/lab/digest"], ids=["taken away", "left there"])
def test_a_site_below_a_path_answers_with_and_without_it(site_below_path: Site, prefix: str) -> None:
    stop, feed = (
        site_below_path.pages.make_unsubscribe_url(site_below_path.get_destination_id()),
        site_below_path.make_feed_url(),
    )
    assert stop.startswith(f"{URL}/lab/digest/unsubscribe/")

    page = site_below_path.get(prefix + stop.removeprefix(site_below_path.pages.url))
    assert 'action="../unsubscribe/' in page.text
    assert site_below_path.get(prefix + feed.removeprefix(site_below_path.pages.url)).text.count(feed) == 1
    assert site_below_path.get(f"{prefix}/").status_code == 200
    for address, sent in (
        (site_below_path.make_paper_url(), {"do": "more"}),
        (site_below_path.make_manage_url(), {"do": "pause-week"}),
    ):
        path = prefix + address.removeprefix(site_below_path.pages.url)
        assert site_below_path.get(path).status_code == 200
        assert 'class="noted"' in site_below_path.post(path, data=sent).text
    assert site_below_path.post(prefix + stop.removeprefix(site_below_path.pages.url)).status_code == 200
    assert ("systems", ME) not in site_below_path.list_destinations()


def test_only_the_sites_own_path_is_taken_away(site_below_path: Site) -> None:
    path = site_below_path.make_feed_url().removeprefix(site_below_path.pages.url)

    for prefix in ("/lab", "/lab/digests", "/lab/digest/lab/digest", "/digest"):
        assert site_below_path.get(prefix + path).status_code == 404


# --- keys -----------------------------------------------------------------------------------------


def test_after_the_key_is_changed_old_links_lead_on_while_the_old_key_is_kept(
    workspace: Workspace, source: Publisher, tmp_path: Path
) -> None:
    source.day = THURSDAY
    old, new = "0123456789abcdef" * 2, "fedcba9876543210" * 2
    shutil.copytree(workspace.folder, tmp_path / "other")
    with serve_workspace(workspace, source, {"DIGEST_KEY": old}) as site:
        link, feed = site.pages.make_unsubscribe_url(site.get_destination_id()), site.make_feed_url()

    with serve_workspace(workspace, source, {"DIGEST_KEY": f"{new} {old}"}) as site:
        assert (site.get(link).status_code, site.get(feed).status_code) == (200, 200)
        assert site.post(link).status_code == 200
    with serve_workspace(Workspace(tmp_path / "other"), source, {"DIGEST_KEY": new}) as site:
        assert (site.post(link).status_code, site.get(feed).status_code) == (404, 404)
        assert ("systems", ME) in site.list_destinations()
