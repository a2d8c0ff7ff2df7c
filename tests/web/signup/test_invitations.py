"""Invitations: a mail of the operator, one click, and nothing kept of whoever does not accept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from digest.app import open_app
from digest.core.delivery.signup_links import (
    INVITATION_LIFETIME,
    LINK_LIFETIME,
    SignupRequest,
    seal_invitation,
)
from digest.demo.publisher import Publisher
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from tests.web.conftest import Site, serve_workspace
from tests.web.signup.conftest import (
    DIGEST,
    SignupSite,
    find_link,
    find_traces,
    make_signup_workspace,
    read_database,
    read_session_cookie,
    suppress,
)

ADA, BOB = "Ada.Lovelace+papers@example.net", "bob@example.net"
ANOTHER = """
    [[public_digest]]
    name = "kv"
    title = "KV caches"
    description = "x"
    schedule = "daily 7:00"
    keywords = ["KV cache"]
"""


@pytest.fixture
def invited_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    """A site on which nobody can sign up without an invitation."""
    workspace = make_signup_workspace(
        composed_folder, tmp_path / "world", mail_server.port, 'who = "invited"'
    )
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


def invite(site: Site, *arguments: str, status: int = 0, stdin: str | None = None) -> str:
    return site.workspace.run("subscribers", "invite", *arguments, status=status, stdin=stdin).output


def make_link(site: Site, address: str, age: timedelta = timedelta()) -> str:
    request = SignupRequest(address=address, public_digest=DIGEST, language="en")
    return f"/confirm/{seal_invitation(request, site.pages.keys, site.app.clock() - age)}"


def list_addresses(site: Site) -> list[str]:
    with site.app.store.begin_read() as tx:
        return [entry.address for entry in list_subscribers(tx) if entry.made_on_site]


# --- the way ---------------------------------------------------------------------------------------


def test_an_invitation_is_accepted_by_one_click_and_signs_in(invited_site: SignupSite) -> None:
    site = invited_site.site
    output = invite(site, ADA)
    assert output.splitlines() == [
        f"{ADA}: invited.",
        "1 address invited to Distributed computing & more.",
    ]
    (mail,) = invited_site.wait_for_mails(1)
    assert (mail["To"], mail["Subject"]) == (ADA, "Your invitation: Distributed computing & more")
    plain = mail.get_body(("plain",))
    assert plain is not None
    for text in ("The operator of Lab digest invites you", "Every paper of cs.DC", "within 14 days"):
        assert text in plain.get_content().replace("\n", " ")
    assert "List-Unsubscribe" not in mail

    link = find_link(mail)
    before = read_database(site)
    page = site.get(link)
    assert (page.status_code, page.headers["cache-control"]) == (200, "private, no-store")
    soup = BeautifulSoup(page.text, "html.parser")
    assert soup.h1 is not None
    assert soup.h1.get_text() == "One more click"
    assert len(soup.select("main button")) == 1
    assert read_database(site) == before, "mail scanners open every link"

    done = invited_site.press_button(link)
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    assert "on its way" in invited_site.get_account(read_session_cookie(done)).text
    assert list_addresses(site) == [ADA]
    assert "This link was used" in invited_site.press_button(link).text
    assert invited_site.sign_in(ADA).status_code == 303


def test_it_works_whoever_can_sign_up(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    signup = 'who = "domains"\n    domains = ["example.org"]'
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, signup)
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        invite(site, ADA)
        signup_site.wait_for_mails(1)
        assert signup_site.press_button(signup_site.get_link()).status_code == 303
        assert list_addresses(site) == [ADA]


def test_a_link_is_valid_for_two_weeks_and_after_its_use_for_nothing(invited_site: SignupSite) -> None:
    site = invited_site.site
    late = make_link(site, ADA, INVITATION_LIFETIME + timedelta(seconds=5))
    assert site.get(late).status_code == 404
    assert invited_site.press_button(late).status_code == 404
    link = make_link(site, ADA, INVITATION_LIFETIME - timedelta(hours=1))
    assert invited_site.press_button(link).status_code == 303
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address=ADA)
    site.post(site.pages.make_unsubscribe_url(subscriber.destination))

    early = make_link(site, BOB)
    assert invited_site.press_button(early).status_code == 303
    later = site.app.clock() + LINK_LIFETIME + timedelta(days=1)
    with open_app(site.workspace.folder / "digest.toml", later, {}) as app, app.open_steps() as steps:
        steps.prune()
    assert "This link was used" in invited_site.press_button(early).text, "it is still valid"


def test_an_invitation_is_no_link_of_another_kind(invited_site: SignupSite) -> None:
    token = make_link(invited_site.site, ADA).rpartition("/")[2]
    foreign = invited_site.press_button(f"/confirm/{token}", **{"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 400
    for link in (f"/sign-in/{token}", f"/manage/{token}", f"/confirm/{token}="):
        assert invited_site.site.get(link).status_code == 404
    assert list_addresses(invited_site.site) == []


# --- what is kept ----------------------------------------------------------------------------------


def test_of_whom_does_not_accept_only_a_keyed_hash_is_kept_for_two_days(
    invited_site: SignupSite, caplog: pytest.LogCaptureFixture
) -> None:
    site = invited_site.site
    invite(site, ADA)
    invited_site.wait_for_mails(1)

    assert find_traces(read_database(site), ADA) == []
    assert find_traces(invited_site.get_link().encode(), ADA) == []
    assert "ada" not in caplog.text.lower()
    later = site.app.clock() + timedelta(days=2, minutes=1)
    with open_app(site.workspace.folder / "digest.toml", later, {}) as app, app.open_steps() as steps:
        steps.prune()
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        assert connection.execute("SELECT count(*) FROM link_mails").fetchone() == (0,)


# --- who gets none ---------------------------------------------------------------------------------


def test_the_operator_is_told_who_gets_no_mail_and_why(invited_site: SignupSite) -> None:
    site = invited_site.site
    suppress(site, "gone@example.net")
    for address in ("known@example.net", "left@example.net"):
        invited_site.press_button(make_link(site, address))
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address="left@example.net")
    site.post(site.pages.make_unsubscribe_url(subscriber.destination))
    addresses = ("gone@example.net", "Known@example.net", "left@example.net", BOB)
    output = invite(site, *addresses)

    assert "gone@example.net: no mail was sent: suppressed since" in output
    assert "Known@example.net: gets it already." in output
    assert "left@example.net: has unsubscribed" in output
    assert f"{BOB}: invited." in output
    assert "1 address invited" in output
    assert [mail.recipients[0] for mail in invited_site.server.received] == [BOB]
    again = site.workspace.run("subscribers", "invite", BOB, "--json").json
    assert [(entry["address"], entry["digest"], entry["outcome"]) for entry in again] == [
        (BOB, DIGEST, "recent")
    ]
    assert len(invited_site.server.received) == 1


def test_a_list_comes_on_standard_input_and_each_mailbox_gets_one_mail(invited_site: SignupSite) -> None:
    text = f"# members\n\n  {ADA}\n{ADA.upper()}\nx@example.net\n"
    output = invite(invited_site.site, BOB, "-", stdin=text)
    assert "3 addresses invited" in output
    assert {mail.recipients[0] for mail in invited_site.server.received} == {ADA, BOB, "x@example.net"}


@pytest.mark.parametrize("stdin", ["ada\n", "ada@example.net, bob@example.net\n", "root@localhost\n", "\n"])
def test_nobody_is_invited_if_an_address_is_wrong(invited_site: SignupSite, stdin: str) -> None:
    output = invite(invited_site.site, *([BOB] if stdin.strip() else []), "-", stdin=stdin, status=2)
    assert stdin.strip() in output
    assert invited_site.server.received == []


def test_a_mail_that_is_not_accepted_is_reported_and_the_status_says_so(invited_site: SignupSite) -> None:
    invited_site.server.refusals = {BOB: "550 5.1.1 no such user"}
    output = invite(invited_site.site, BOB, ADA, status=1)
    assert f"{BOB}: the mail was not accepted: " in output
    assert "no such user" in output
    assert f"{ADA}: invited." in output


def test_a_server_that_is_down_uses_up_the_limit_of_one_address_only(invited_site: SignupSite) -> None:
    site = invited_site.site
    file = site.workspace.folder / "digest.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace(f"port = {invited_site.server.port}", "port = 1"), "utf-8")
    output = invite(site, ADA, BOB, status=1)
    assert f"{BOB}: not tried, because of the failure before." in output
    file.write_text(text, "utf-8")
    assert f"{BOB}: invited." in invite(site, BOB)


def test_the_digest_must_be_clear(invited_site: SignupSite) -> None:
    site = invited_site.site
    assert "public digests: dc" in invite(site, BOB, "--digest", "other", status=2)
    file = site.workspace.folder / "digest.toml"
    text = file.read_text("utf-8")
    file.write_text(text + ANOTHER, "utf-8")
    assert "choose the digest with --digest NAME; public digests: dc, kv" in invite(site, BOB, status=2)
    assert "invited to KV caches" in invite(site, BOB, "--digest", "kv")
    file.write_text(text.replace('[signup]\n    who = "invited"', ""), "utf-8")
    assert "[signup]" in invite(site, BOB, status=2)
