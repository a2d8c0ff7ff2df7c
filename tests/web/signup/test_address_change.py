"""A change of address: two mails, two clicks; and nothing that anybody else learns or can do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select, update

from digest.core.delivery.signup_links import LINK_LIFETIME
from digest.core.subscribers.address_links import make_change, seal_change
from digest.core.subscribers.sessions import make_form_token
from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import destinations, subscribers
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from tests.web.conftest import ME, Site, serve_workspace
from tests.web.signup.conftest import (
    SignupSite,
    describe_answer,
    find_link,
    find_traces,
    make_signup_workspace,
    read_database,
    read_session_cookie,
    suppress,
)

ADA, NEW, BOB = "Ada.Lovelace+papers@example.org", "Countess@example.net", "bob@example.org"


def list_addresses(site: Site) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The addresses of subscribers, and those of the digests that they made."""
    with site.app.store.begin_read() as tx:
        owners = tx.execute(select(subscribers.c.address).order_by(subscribers.c.id)).scalars()
        sent_to = [
            (entry.address, entry.mailbox, entry.state)
            for entry in list_subscribers(tx)
            if entry.made_on_site
        ]
        return [owner for owner in owners if owner], sent_to


def get_destination(site: Site, address: str) -> int:
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address=address)
    return subscriber.destination


# --- the way ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_address_is_changed_when_both_have_agreed(
    signup_site: SignupSite, order: tuple[int, int]
) -> None:
    site = signup_site.site
    token, elsewhere = (
        signup_site.subscribe(ADA),
        read_session_cookie(signup_site.press_button(signup_site.make_signin_link(ADA))),
    )
    destination = get_destination(site, ADA)
    sent = signup_site.request_change(token, NEW)
    assert (sent.status_code, sent.headers["location"]) == (303, "/account/address/sent")
    assert sent.headers["cache-control"] == "private, no-store"
    page = signup_site.get_account(token, "/account/address/sent")
    assert "Look into both mailboxes" in page.text
    assert page.headers["cache-control"] == "private, no-store"
    mails = signup_site.wait_for_mails(2)
    by_recipient = {str(mail["To"]): mail for mail in mails}
    assert set(by_recipient) == {ADA.lower(), NEW}
    for mail in mails:
        plain = mail.get_body(("plain",))
        assert plain is not None
        assert "@example.net" not in plain.get_content()
        assert "ada" not in plain.get_content().lower()
    links = [find_link(by_recipient[recipient]) for recipient in (ADA.lower(), NEW)]
    first, second = (links[number] for number in order)

    before = read_database(site)
    for link in links:
        shown = site.get(link)
        assert (shown.status_code, shown.headers["cache-control"]) == (200, "private, no-store")
        buttons = BeautifulSoup(shown.text, "html.parser").select("main button")
        assert [button.get_text() for button in buttons] == ["Change the address"]
        assert NEW not in shown.text
        assert ADA.lower() not in shown.text.lower()
    assert "C•••@example.net" in site.get(links[0]).text
    assert "a•••@example.org" in site.get(links[1]).text
    assert read_database(site) == before, "mail scanners open every link"

    assert signup_site.press_button(first).headers["location"] == first.removeprefix(site.pages.url)
    assert "This address has agreed" in site.get(first).text
    assert list_addresses(site) == ([ADA.lower()], [(ADA, ADA.lower(), "active")])
    assert find_traces(read_database(site), NEW) == []
    assert signup_site.press_button(first).status_code == 200, "a second click is none"
    assert list_addresses(site)[0] == [ADA.lower()]

    done = signup_site.press_button(second, cookie=f"__Host-session={token}")
    assert done.status_code == 303
    for link in links:
        assert "The address was changed" in site.get(link).text
    assert list_addresses(site) == ([NEW.lower()], [(NEW, NEW.lower(), "active")])
    assert NEW.lower() in signup_site.get_account(token).text
    assert signup_site.get_account(elsewhere).status_code == 303, "other sessions are over"
    note = signup_site.wait_for_mails(3)[-1]
    assert (note["To"], note["Subject"]) == (ADA.lower(), "Your address at Lab digest was changed")
    assert NEW.lower() not in note.as_string().lower()

    assert get_destination(site, NEW) == destination
    for url in (site.pages.make_manage_url(destination), site.pages.make_unsubscribe_url(destination)):
        old_page = site.get(url)
        assert (old_page.status_code, "your address" in old_page.text) == (200, True)
        assert "@example" not in old_page.text.replace("ops@example.org", "")
    site.workspace.run("run", "--apply", now=site.app.clock())
    recipients = [mail.recipients[0] for mail in signup_site.server.received[3:]]
    assert (NEW in recipients, ADA in recipients) == (True, False)


def test_whoever_agrees_in_a_browser_without_a_session_ends_them_all(signup_site: SignupSite) -> None:
    token, other = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    for link in signup_site.make_change_links(ADA, NEW):
        signup_site.press_button(link, cookie=f"__Host-session={other}")
    assert signup_site.get_account(token).status_code == 303
    assert signup_site.get_account(other).status_code == 200
    assert signup_site.sign_in(NEW).status_code == 303
    signup_site.wait_for_mails(2)  # the note, and the link
    assert NEW in {mail.recipients[0] for mail in signup_site.server.received}


def test_a_digest_that_bounced_comes_again_and_one_that_was_left_does_not(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.subscribe(ADA)
    signup_site.subscribe(BOB)
    with site.app.store.begin_write() as tx:
        tx.execute(
            update(destinations)
            .where(destinations.c.mailbox == ADA.lower())
            .values(state="resting", domain="example.org")
        )
    site.post(site.pages.make_unsubscribe_url(get_destination(site, BOB)))
    for former, address in ((ADA, NEW), (BOB, "robert@example.net")):
        for link in signup_site.make_change_links(former, address):
            signup_site.press_button(link)
    assert sorted(list_addresses(site)[1]) == [
        (NEW, NEW.lower(), "active"),
        ("robert@example.net", "robert@example.net", "stopped"),
    ]


def test_a_destination_of_the_file_stays_as_the_file_says(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.subscribe(ME)
    for link in signup_site.make_change_links(ME, NEW):
        signup_site.press_button(link)
    with site.app.store.begin_read() as tx:
        left = [entry.digest for entry in list_subscribers(tx, address=ME)]
        moved = [entry.digest for entry in list_subscribers(tx, address=NEW)]
    assert (sorted(left), moved) == (["all", "systems"], ["dc"])


@pytest.mark.parametrize(
    ("language", "heading", "subject"),
    [("de", "Sehen Sie in beide Postfächer", "Adressänderung"), ("zh", "请查看两个邮箱", "更改")],
)
def test_it_exists_in_each_language(
    signup_site: SignupSite, language: str, heading: str, subject: str
) -> None:
    token = signup_site.subscribe(ADA)
    page = signup_site.get_account(token, f"/account?lang={language}").text
    assert f'action="/account/address?lang={language}"' in page
    sent = signup_site.request_change(token, NEW, query=f"?lang={language}")
    assert sent.headers["location"] == f"/account/address/sent?lang={language}"
    assert heading in signup_site.get_account(token, sent.headers["location"]).text
    assert all(subject in str(mail["Subject"]) for mail in signup_site.wait_for_mails(2))


# --- what nobody learns ----------------------------------------------------------------------------


def test_the_answer_and_the_mail_to_the_present_address_are_the_same_for_every_new_address(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    signup = 'who = "domains"\n    domains = ["example.org"]'
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, signup)
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        readers = [f"reader{number}@example.org" for number in range(4)]
        tokens = [signup_site.subscribe(reader) for reader in readers]
        signup_site.subscribe("known@example.org")
        suppress(site, "suppressed@example.org")
        wanted = ("new@example.org", "known@example.org", "suppressed@example.org", "a@example.com")
        answers = {
            describe_answer(answer)
            for answer in (
                signup_site.request_change(token, address)
                for token, address in zip(tokens, wanted, strict=True)
            )
        }
        signup_site.wait_until_handled()

    assert len(answers) == 1
    recipients = sorted(mail.recipients[0] for mail in mail_server.received)
    assert recipients == ["last@example.org", "new@example.org", *readers]


def test_an_invited_reader_may_have_any_address(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(
        composed_folder, tmp_path / "world", mail_server.port, 'who = "invited"'
    )
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        site.workspace.run("subscribers", "invite", ADA)
        token = read_session_cookie(signup_site.press_button(signup_site.get_link()))
        signup_site.request_change(token, NEW)
        recipients = {mail["To"] for mail in signup_site.wait_for_mails(3)}
    assert recipients == {ADA, ADA.lower(), NEW}


def test_of_the_new_address_only_a_keyed_hash_is_kept_before_both_have_agreed(
    signup_site: SignupSite, caplog: pytest.LogCaptureFixture
) -> None:
    site = signup_site.site
    signup_site.request_change(signup_site.subscribe(ADA), NEW)
    signup_site.wait_for_mails(2)
    links = [signup_site.get_link(number) for number in range(2)]
    assert find_traces(read_database(site), NEW) == []
    assert not any(find_traces(link.encode(), address) for link in links for address in (ADA, NEW))
    for link in links:
        signup_site.press_button(link)
    assert find_traces(read_database(site), ADA) == [], "the former address is gone"
    assert not any("ada" in message.lower() for message in (*site.operator_messages, caplog.text))


# --- limits ----------------------------------------------------------------------------------------


def test_each_address_gets_one_link_however_often_it_is_asked_for(signup_site: SignupSite) -> None:
    token = signup_site.subscribe(ADA)
    signup_site.sign_in(ADA)
    signup_site.wait_for_mails(1)  # a link to sign in does not keep its reader from a change of address
    for _ in range(10):
        assert signup_site.request_change(token, NEW).status_code == 303
    signup_site.wait_until_handled()
    recipients = sorted(mail.recipients[0] for mail in signup_site.server.received)
    assert recipients == sorted([ADA, ADA.lower(), NEW, "last@example.org"])


def test_one_network_sends_no_more_forms_than_its_limit(signup_site: SignupSite) -> None:
    token = signup_site.subscribe(ADA)
    statuses = [
        signup_site.request_change(token, f"new{number}@example.org").status_code for number in range(61)
    ]
    assert statuses == [303] * 60 + [429]


# --- what does nothing -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["", "ada", "a@example.org, b@example.org", "a@b.org\r\nBcc: c@d.org", "root@localhost"]
)
def test_what_is_no_single_address_is_refused_in_words(signup_site: SignupSite, address: str) -> None:
    response = signup_site.request_change(signup_site.subscribe(ADA), address)
    assert (response.status_code, "name@example.org" in response.text) == (400, True)


def test_the_present_address_is_no_change(signup_site: SignupSite) -> None:
    response = signup_site.request_change(signup_site.subscribe(ADA), ADA.upper())
    assert (response.status_code, "your address already" in response.text) == (400, True)


def test_a_link_of_another_purpose_time_key_or_subscriber_changes_nothing(signup_site: SignupSite) -> None:
    site, pages = signup_site.site, signup_site.site.pages
    signup_site.subscribe(ADA)
    now, before = site.app.clock(), list_addresses(site)
    late = LINK_LIFETIME + timedelta(seconds=5)
    foreign = make_change(10_000, ADA.lower(), NEW, "en")
    forged, _ = (seal_change(side, [b"x" * 32], now) for side in (foreign, foreign.other_side))
    links = [
        *signup_site.make_change_links(ADA, NEW, late),
        f"/change-address/{seal_change(foreign, pages.keys, now)}",
        f"/change-address/{seal_change(foreign.other_side, pages.keys, now)}",
        f"/change-address/{forged}",
        signup_site.make_signin_link(ADA).replace("/sign-in/", "/change-address/"),
        signup_site.make_change_links(ADA, NEW)[0] + "=",
        "/change-address/x",
        "/change-address/%00",
    ]
    for link in links:
        assert site.get(link).status_code == 404, link
        assert signup_site.press_button(link).status_code == 404, link
    signin = signup_site.make_change_links(ADA, NEW)[0].replace("/change-address/", "/sign-in/")
    assert site.get(signin).status_code == 404
    for link in signup_site.make_change_links(ADA, NEW):
        assert signup_site.press_button(link, **{"sec-fetch-site": "cross-site"}).status_code == 400
    one, _ = signup_site.make_change_links(ADA, NEW)
    _, other = signup_site.make_change_links(ADA, "another@example.net")
    for link in (one, other):
        assert signup_site.press_button(link).status_code == 303
    assert list_addresses(site) == before, "the links of two changes are none of one"


def test_an_older_change_ends_with_a_newer_one(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.subscribe(ADA)
    old_links = signup_site.make_change_links(ADA, "old@example.net")
    signup_site.press_button(old_links[1])
    for link in signup_site.make_change_links(ADA, NEW):
        signup_site.press_button(link)
    assert signup_site.press_button(old_links[0]).status_code == 404
    assert list_addresses(site)[0] == [NEW.lower()]


def test_an_address_that_has_signed_up_meanwhile_keeps_its_digests(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.subscribe(ADA)
    links = signup_site.make_change_links(ADA, BOB)
    signup_site.press_button(links[1])
    signup_site.subscribe(BOB)
    before = list_addresses(site)
    assert signup_site.press_button(links[0]).status_code == 404
    assert list_addresses(site) == before


def test_many_clicks_at_once_are_one_change(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    links = signup_site.make_change_links(ADA, NEW) * 4
    with ThreadPoolExecutor(8) as threads:
        responses = list(threads.map(signup_site.press_button, links))
    assert {response.status_code for response in responses} <= {200, 303}
    assert list_addresses(signup_site.site)[0] == [NEW.lower()]
    signup_site.wait_until_handled()
    notes = [mail for mail in signup_site.server.received if mail.recipients[0] == ADA.lower()]
    assert len(notes) == 1


def test_nobody_and_no_other_reader_asks_for_it(signup_site: SignupSite) -> None:
    token, other = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    for form_token in ("", "x", make_form_token(other), token, make_form_token(token).upper()):
        assert signup_site.request_change(token, NEW, token=form_token).status_code == 400
    for foreign in ("cross-site", "same-site"):
        assert signup_site.request_change(token, NEW, site=foreign).status_code == 400
    nobody = signup_site.site.post("/account/address", data={"address": NEW})
    assert (nobody.status_code, nobody.headers["location"]) == (303, "/sign-in")
    assert signup_site.site.get("/account/address/sent").headers["location"] == "/sign-in"
    signup_site.wait_until_handled()
    assert [mail.recipients[0] for mail in signup_site.server.received] == ["last@example.org"]


def test_without_signup_there_is_no_change(site: Site) -> None:
    for path in ("/account/address/sent", "/change-address/x"):
        assert site.get(path).status_code == 404
    for path in ("/account/address", "/change-address/x"):
        assert site.post(path, data={"address": NEW}).status_code == 400
