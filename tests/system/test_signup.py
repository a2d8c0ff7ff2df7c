"""Signing up and in, in Chromium, against a real mail server: with and without scripts, and on a phone by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.system.programs.checkers import find_html_errors
from tests.system.programs.chromium import Chromium
from tests.system.programs.looks import check_looks
from tests.web.conftest import composed_folder, serve_workspace, source
from tests.web.signup.conftest import DIGEST, SignupSite, find_link, make_signup_workspace

__all__ = ["composed_folder", "source"]
pytestmark = pytest.mark.system

HEADING = "document.querySelector('h1').textContent"


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port)
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


def get_path(signup_site: SignupSite, link: str) -> str:
    return link.removeprefix(signup_site.site.pages.url)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("path", [f"/digests/{DIGEST}", "/", "/search?q=planning"])
def test_a_reader_signs_up_and_gets_a_first_edition(
    signup_site: SignupSite, chromium: Chromium, path: str, *, scripts: bool
) -> None:
    site = signup_site.site
    log = chromium.visit(site.server_url, path, scripts=scripts)
    chromium.wait_for("document.querySelector('#address')")
    chromium.click("#address")
    chromium.write("ada@example.org")
    chromium.click(".signup button")
    chromium.wait_for(f"{HEADING} === 'Look into your mail'")
    (mail,) = signup_site.wait_for_mails(1)

    chromium.visit(site.server_url, get_path(signup_site, find_link(mail)), scripts=scripts)
    chromium.wait_for(f"{HEADING} === 'One more click'")
    chromium.click("main button")
    chromium.wait_for(f"{HEADING} === 'Your account'")
    site.workspace.run("run", "--apply", now=site.app.clock())
    (edition,) = (
        message_from_bytes(received.content, policy=policy.default)
        for received in signup_site.server.received[1:]
        if "ada@example.org" in received.recipients
    )

    assert edition["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert (log.errors, log.dialogs) == ([], [])
    chromium.run("history.back()")
    chromium.wait_for(f"{HEADING} !== 'Your account'")
    with chromium.loading():
        chromium.run("location.reload()")
    chromium.wait_for(f"{HEADING} === 'This link was used'")
    assert site.get("/readyz").status_code == 200


def test_on_a_phone_it_works_by_keyboard_alone(signup_site: SignupSite, chromium: Chromium) -> None:
    site = signup_site.site
    chromium.visit(site.server_url, f"/digests/{DIGEST}", width=360)
    for _ in range(12):
        chromium.press("Tab")
        if chromium.run("document.activeElement.id") == "address":
            break
    assert chromium.run("document.activeElement.id") == "address"
    chromium.write("ada@example.org")
    chromium.press("Tab")
    assert chromium.run("document.activeElement.textContent") == "Send me a link", (
        "not the field for programs"
    )
    chromium.press("Enter")
    chromium.wait_for(f"{HEADING} === 'Look into your mail'")
    (mail,) = signup_site.wait_for_mails(1)
    chromium.visit(site.server_url, get_path(signup_site, find_link(mail)), width=360)
    for _ in range(12):
        chromium.press("Tab")
        if chromium.run("document.activeElement.tagName") == "BUTTON":
            break
    chromium.press("Enter")
    chromium.wait_for(f"{HEADING} === 'Your account'")
    chromium.run("document.querySelector('.choices button').focus()")
    chromium.press("Enter")
    chromium.wait_for(f"{HEADING} === 'Sign in'")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_reader_signs_out_and_in_again(
    signup_site: SignupSite, chromium: Chromium, *, scripts: bool
) -> None:
    site = signup_site.site
    signup_site.sign_up("ada@example.org")
    (mail,) = signup_site.wait_for_mails(1)
    log = chromium.visit(site.server_url, get_path(signup_site, find_link(mail)), scripts=scripts, width=360)
    chromium.wait_for(f"{HEADING} === 'One more click'")
    chromium.click("main button")
    chromium.wait_for(f"{HEADING} === 'Your account'")
    assert "(this browser)" in chromium.run("document.querySelector('main').innerText")
    assert chromium.run("document.cookie") == "", "no script reads the session"
    chromium.visit(site.server_url, "/", scripts=scripts, width=360)
    chromium.wait_for("document.querySelector('footer a[rel=nofollow]')")
    chromium.click("footer a[rel=nofollow]")
    chromium.wait_for(f"{HEADING} === 'Your account'")
    chromium.click("button[value=sign-out]")
    chromium.wait_for(f"{HEADING} === 'Sign in'")
    chromium.visit(site.server_url, "/account", scripts=scripts, width=360)
    chromium.wait_for(f"{HEADING} === 'Sign in'")

    chromium.click("#address")
    chromium.write("ada@example.org")
    chromium.click(".signup button")
    chromium.wait_for(f"{HEADING} === 'Look into your mail'")
    mail = signup_site.wait_for_mails(2)[-1]
    chromium.visit(site.server_url, get_path(signup_site, find_link(mail)), scripts=scripts, width=360)
    chromium.wait_for(f"{HEADING} === 'One more click'")
    chromium.click("main button")
    chromium.wait_for(f"{HEADING} === 'Your account'")
    chromium.click("button[value=sign-out-everywhere]")
    chromium.wait_for(f"{HEADING} === 'Sign in'")
    assert (log.errors, log.dialogs) == ([], [])
    assert signup_site.list_sessions() == []


def test_the_account_is_fit_for_everybody(
    signup_site: SignupSite, chromium: Chromium, tmp_path: Path
) -> None:
    site = signup_site.site
    link = signup_site.make_signin_link("ada@example.org")
    forms = ["/sign-in", "/sign-in?lang=de", "/sign-in?lang=zh", "/sign-in/sent", "/sign-in/nothing"]
    token = signup_site.subscribe("ada@example.org")
    check_looks(chromium, site, [*forms, link])
    chromium.visit(site.server_url, link)
    with chromium.loading():
        chromium.click("main button")
    accounts = ["/account", "/account?lang=de", "/account?lang=zh"]
    check_looks(chromium, site, [*accounts, link])
    pages = {address: site.get(address).text for address in (*forms, link)}
    pages |= {address: signup_site.get_account(token, address).text for address in accounts}
    (tmp_path / "html").mkdir()
    assert find_html_errors(pages, tmp_path / "html") == []


def test_the_pages_are_fit_for_everybody(signup_site: SignupSite, chromium: Chromium, tmp_path: Path) -> None:
    site = signup_site.site
    signup_site.sign_up("ada@example.org")
    signup_site.wait_for_mails(1)
    link = get_path(signup_site, signup_site.get_link())
    addresses = [
        f"/digests/{DIGEST}",
        f"/digests/{DIGEST}?lang=de",
        f"/digests/{DIGEST}?lang=zh",
        "/search?q=planning",
        "/",
        "/sign-up/sent",
        "/sign-up/done?lang=zh",
        link,
        "/confirm/nothing",
    ]
    check_looks(chromium, site, addresses)
    pages = {address: site.get(address).text for address in addresses}
    signup_site.press_button(link)
    check_looks(chromium, site, [link])
    (tmp_path / "html").mkdir()
    assert find_html_errors(pages | {"used": site.get(link).text}, tmp_path / "html") == []
