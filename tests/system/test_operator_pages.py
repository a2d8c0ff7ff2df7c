"""The operator's pages in Chromium: fit for everybody, in any width, by day and by night, and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import notices
from digest.testing.mail_server import MailServer
from tests.system.programs.checkers import find_html_errors
from tests.system.programs.chromium import Chromium
from tests.system.programs.looks import check_looks
from tests.web.conftest import composed_folder, serve_workspace, source
from tests.web.operator.conftest import OPERATOR, OPERATORS, READER, OperatorSite, sign_in
from tests.web.signup.conftest import SignupSite, make_signup_workspace, suppress

__all__ = ["composed_folder", "source"]
pytestmark = pytest.mark.system


@pytest.fixture
def operator_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[OperatorSite]:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, more=OPERATORS)
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        yield OperatorSite(signup_site, sign_in(signup_site))


def fill(operator_site: OperatorSite) -> list[str]:
    """Let there be something on every page, and return the addresses of all of them."""
    site = operator_site.signup_site.site
    operator_site.signup_site.subscribe(READER)
    operator_site.set_states(
        "refused", "550 5.1.1 <me@example.org>: Recipient address rejected: User unknown"
    )
    suppress(site, "me@example.org")
    run = operator_site.hold_run()
    operator_site.press("/operator/deliveries/drop?id=2", "Yes, drop 1 delivery")
    text = (
        "The server smtp.example.org has not accepted any mail for two hours: 421 4.7.0 too many connections."
    )
    row = {"name": "x", "text": text, "noted_at": site.app.clock(), "due_at": site.app.clock()}
    with site.app.store.begin_write() as tx:
        tx.execute(insert(notices).values(row | {"attempts": 2, "told": []}))
    reader, configured = operator_site.find_path(READER), operator_site.find_path("me@example.org")
    digest = operator_site.find_reader_digest()
    return [
        "/operator",
        "/operator/sources",
        "/operator/runs",
        f"/operator/runs/{run}",
        "/operator/deliveries",
        "/operator/deliveries?state=held&before=3",
        "/operator/deliveries/drop?state=held",
        "/operator/deliveries?state=sent&found=no",
        "/operator/bounces",
        "/operator/suppressions",
        "/operator/subscribers",
        reader,
        f"{reader}?ask=end&digest={digest}",
        f"{configured}?ask=resume&done=yes",
        "/operator/notices",
        "/operator/audit",
    ]


def sign_in_browser(chromium: Chromium, operator_site: OperatorSite, *, scripts: bool = True) -> None:
    link = operator_site.signup_site.make_signin_link(OPERATOR)
    chromium.visit(operator_site.signup_site.site.server_url, link, scripts=scripts)
    with chromium.loading():
        chromium.click("main button")


def test_the_pages_are_fit_for_everybody(
    operator_site: OperatorSite, chromium: Chromium, tmp_path: Path
) -> None:
    addresses = fill(operator_site)
    sign_in_browser(chromium, operator_site)
    check_looks(chromium, operator_site.signup_site.site, addresses)
    pages = {address: operator_site.get(address).text for address in addresses}
    operator_site.age_session()
    check_looks(chromium, operator_site.signup_site.site, ["/operator"])
    (tmp_path / "html").mkdir()
    assert find_html_errors(pages, tmp_path / "html") == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_operator_drops_deliveries_with_and_without_scripts(
    operator_site: OperatorSite, chromium: Chromium, *, scripts: bool
) -> None:
    sign_in_browser(chromium, operator_site, scripts=scripts)
    site = operator_site.signup_site.site
    log = chromium.visit(site.server_url, "/operator/deliveries?state=ready", scripts=scripts)
    with chromium.loading():
        chromium.click("main a[href*='/drop']")
    with chromium.loading():
        chromium.click("main form button")
    chromium.wait_for("document.querySelector('[role=status]').textContent.includes('3 dropped.')")
    assert operator_site.count_states() == {"dropped": 3}
    assert (log.errors, log.dialogs) == ([], [])
