"""Readers who change their digests in Chromium: with and without scripts, and on a phone by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.system.programs.browser import measure_appearance
from tests.system.programs.checkers import find_accessibility_faults, find_html_errors
from tests.system.programs.chromium import Chromium
from tests.system.programs.looks import check_looks
from tests.system.samples import feeds
from tests.web.conftest import composed_folder, serve_workspace, source
from tests.web.signup.conftest import (
    SignupSite,
    make_signup_workspace,
)
from tests.web.signup.test_api_tokens import make
from tests.web.signup.test_own_digests import Reader, list_titles

__all__ = ["composed_folder", "source"]
pytestmark = pytest.mark.system

ADA = "ada@example.org"
FOLLOWS = "[...document.querySelectorAll('#follows + ul > li > a')].map((link) => link.textContent).join()"
STATUS = "document.querySelector('[role=status]').textContent"
DESTINATIONS = "document.querySelector('#destinations + ul').textContent"
PREVIEW = "document.querySelector('#preview').textContent"


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    signup = 'destinations = ["webhook", "slack", "discord", "ntfy"]'
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, signup)
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


@pytest.fixture
def ada(signup_site: SignupSite) -> Reader:
    return Reader(signup_site, ADA)


def sign_in(chromium: Chromium, ada: Reader, *, scripts: bool = True, width: int = 800) -> None:
    """Press the button of a link to sign in."""
    link = ada.signup_site.make_signin_link(ADA)
    chromium.visit(ada.site.server_url, link, scripts=scripts, width=width)
    with chromium.loading():
        chromium.click("main button")
    chromium.wait_for("document.querySelector('h1').textContent === 'Your account'")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_reader_shapes_a_digest_and_gets_what_the_preview_shows(
    ada: Reader, chromium: Chromium, *, scripts: bool
) -> None:
    sign_in(chromium, ada, scripts=scripts)
    with chromium.loading():
        chromium.click("ul.rows a")
    chromium.click("#q")
    chromium.write("planning")
    if not scripts:
        with chromium.loading():
            chromium.click(".search button")
    chromium.wait_for(f"{PREVIEW}.includes('It brings about')")
    with chromium.loading():
        chromium.click("#preview button.on")
    chromium.wait_for(f"{STATUS}.includes('Saved.') && {FOLLOWS} === 'cs.DC,planning'")

    chromium.click("#name")
    chromium.write("Hadi Tabatabaee Malazi")
    with chromium.loading():
        chromium.click("#people button")
    with chromium.loading():
        chromium.click("#people + ul button.on")
    chromium.wait_for(f"{FOLLOWS} === 'cs.DC,planning,author:\"Hadi Tabatabaee Malazi\"'")

    chromium.click("summary")
    chromium.run("document.querySelector('[name=weight]').value = '4.0'")
    with chromium.loading():
        chromium.click("details[open] form button")
    chromium.wait_for("document.querySelector('#follows + ul small').textContent.includes('more important')")

    chromium.run("document.querySelector('select[name=zone]').value = 'Asia/Tokyo'")
    chromium.run("document.querySelector('[name=at]').value = '18:30'")
    with chromium.loading():
        chromium.click("#when + form button:not([type=button])")
    chromium.wait_for("document.body.textContent.includes('on weekdays at 18:30 (Asia/Tokyo)')")

    chromium.click("#how + form [name=feed]")
    chromium.run("document.querySelector('[name=full]').value = '25'")
    with chromium.loading():
        chromium.click("#how + form button")
    chromium.wait_for(STATUS + ".includes('Saved.')")

    with chromium.loading():
        chromium.click("a[href$='/preview']")
    previewed = list_titles(chromium.run("document.documentElement.outerHTML"))
    assert len(previewed) > 5
    assert ada.compose() == previewed


def test_a_phone_and_a_keyboard_are_enough(ada: Reader, chromium: Chromium) -> None:
    sign_in(chromium, ada, width=360)
    chromium.visit(ada.site.server_url, ada.path, width=360)

    def tab_to(selector: str) -> None:
        for _ in range(120):
            chromium.press("Tab")
            if chromium.run(f"document.activeElement.matches({selector!r})"):
                return
        raise AssertionError(selector)

    tab_to("#q")
    chromium.write("planning")
    chromium.wait_for(f"{PREVIEW}.includes('It brings about')")
    tab_to("#preview button.on")
    with chromium.loading():
        chromium.press("Enter")
    chromium.wait_for(f"{FOLLOWS} === 'cs.DC,planning'")
    tab_to("[name=day5]")
    chromium.press(" ")
    tab_to("#when + form button:not([type=button])")
    with chromium.loading():
        chromium.press("Enter")
    chromium.wait_for("document.body.textContent.includes('Saturday at 07:30')")
    tab_to("button[value=pause-week]")
    with chromium.loading():
        chromium.press("Enter")
    chromium.wait_for("document.querySelector('button[value=resume-now]')")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_webhook_is_added_its_key_is_shown_once_and_it_is_removed(
    ada: Reader, chromium: Chromium, *, scripts: bool
) -> None:
    sign_in(chromium, ada, scripts=scripts)
    chromium.visit(ada.site.server_url, ada.path, scripts=scripts)
    chromium.click("[name=address]")
    chromium.write("https://lab.example.org/hooks/very-secret-path")
    with chromium.loading():
        chromium.click("form:has([name=address]) button")
    chromium.wait_for(f"/whsec_[A-Za-z0-9+/=]{{44}}/.test({STATUS})")
    assert "very-secret-path" not in chromium.run("document.documentElement.outerHTML + location.href")

    chromium.visit(ada.site.server_url, ada.path, scripts=scripts)
    assert "whsec_" not in chromium.run("document.documentElement.outerHTML")
    assert "https://lab.example.org/…/" in chromium.run(DESTINATIONS)
    with chromium.loading():
        chromium.click("form:has([name=destination]) button")
    chromium.wait_for(f"{STATUS}.includes('Nothing more is sent there.')")
    assert chromium.run("document.querySelectorAll('[name=destination]').length") == 0


def test_the_time_zone_of_the_browser_is_offered_and_taken(ada: Reader, chromium: Chromium) -> None:
    sign_in(chromium, ada)
    chromium.visit(ada.site.server_url, ada.path)
    zone = chromium.run("Intl.DateTimeFormat().resolvedOptions().timeZone")
    chromium.wait_for("!document.querySelector('#own-zone').hidden")
    assert zone in chromium.run("document.querySelector('#own-zone').textContent")
    chromium.click("#own-zone")
    assert chromium.run("document.querySelector('select[name=zone]').value") == zone


def test_a_feed_of_a_digest_is_read_by_newsboat(ada: Reader) -> None:
    ada.post("options", **{"feed": "1", "mail": "1"} | FORM)
    titles = ada.compose()
    with ada.site.app.store.begin_read() as tx:
        name = tx.exec_driver_sql(f"SELECT name FROM digests WHERE id = {ada.digest}").scalar_one()
    url = ada.site.pages.make_feed_url(ada.digest, name, "atom", 0)
    body = ada.site.get(url.removeprefix(ada.site.pages.url)).content
    read = [entry.title for entry in feeds.read_by_newsboat(body)]
    assert len(read) == len(titles)
    assert {title.split()[0] for title in read} == {title.split()[0] for title in titles}


FORM = {
    "title": "Mine",
    "language": "en",
    "limit": "25",
    "full": "12",
    "abstracts": "key",
    "arrange": "ranked",
    "kind-new": "1",
}


def check_shown_page(chromium: Chromium) -> None:
    """Check a page that no address leads to, as ``check_looks`` checks others."""
    assert find_accessibility_faults(chromium) == []
    for width in (320, 1200):
        for dark in (False, True):
            appearance = measure_appearance(chromium, width=width, dark=dark)
            assert (width, dark, appearance.width, appearance.outside) == (width, dark, width, [])
            assert (appearance.overlapping, appearance.faint) == ([], [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_reader_makes_a_token_reloads_its_page_and_revokes_it(
    ada: Reader, chromium: Chromium, tmp_path: Path, *, scripts: bool
) -> None:
    sign_in(chromium, ada, scripts=scripts)
    chromium.click("form:has([name=days]) [name=name]")
    chromium.write("notebook")
    with chromium.loading():
        chromium.click("form:has([name=days]) button")
    token = chromium.run("document.querySelector('pre code').textContent")
    page = chromium.run("document.documentElement.outerHTML")
    assert ada.site.get("/api/v1/me/digests", authorization=f"Bearer {token}").status_code == 200
    assert token not in chromium.run("document.URL")
    (tmp_path / "html").mkdir()
    assert find_html_errors({"/account/tokens": f"<!doctype html>{page}"}, tmp_path / "html") == []
    if scripts:  # by which the checks work
        check_shown_page(chromium)

    with chromium.loading():
        chromium.click("main a[href$='#tokens']")
    with chromium.loading():
        chromium.click("#tokens ~ ul button[value=revoke]")
    chromium.wait_for("document.body.textContent.includes('0 of 20 tokens')")
    assert token not in chromium.run("document.documentElement.outerHTML")
    assert ada.site.get("/api/v1/me/digests", authorization=f"Bearer {token}").status_code == 401


def test_the_pages_are_fit_for_everybody(ada: Reader, chromium: Chromium, tmp_path: Path) -> None:
    ada.post("follow", query="planning")
    ada.post("weigh", query="planning", weight="2.0", alert="1")
    ada.post("follow", query="graph", exclude="1")
    make(ada.signup_site, ada.token, "read", "follow")
    added = ada.post("add-destination", address=f"https://lab.example.org/{'long/' * 100}")
    refused = ada.post("add-destination", address="https://10.0.0.1/")
    for service in ("hooks.slack.com/services/T0/B0/X0", "ntfy.sh/papers"):
        ada.post("add-destination", address=f"https://{service}")
    sign_in(chromium, ada)
    addresses = [
        ada.path,
        f"{ada.path}?lang=de&saved=follows",
        f"{ada.path}?lang=zh&q=learning",
        f"{ada.path}?q=xylophone+planning",
        f"{ada.path}?q=title:(",
        f"{ada.path}?name=Hadi+Tabatabaee+Malazi",
        f"{ada.path}?lang=de&name=Nobody+Atall",
        f"{ada.path}/preview",
        *(
            f"{ada.path}/{page}"
            for page in ("editions", "saved?lang=de", "feedback", "feeds?lang=zh", "import")
        ),
        "/account/import",
        "/account/delete?lang=de",
        "/account",
        "/account?lang=de&mistake=repeated+form",
        "/account?lang=zh&mistake=no+scope",
    ]
    check_looks(chromium, ada.site, addresses)
    ada.post("pause-week")
    check_looks(chromium, ada.site, [ada.path])
    for number in range(2):
        ada.post("add-destination", address=f"https://lab.example.org/{number}")
    check_looks(chromium, ada.site, [f"{ada.path}?lang=de&saved=destination"])
    pages = {address: ada.signup_site.get_account(ada.token, address).text for address in addresses}
    pages |= {"added": added.text, "refused": refused.text}
    (tmp_path / "html").mkdir()
    assert find_html_errors(pages, tmp_path / "html") == []
