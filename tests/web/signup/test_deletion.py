"""Deleting everything: one button, and no trace of an address is left; workers and other readers go on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import insert, select, update

from digest.core.delivery.signup_links import SignupRequest, seal_request
from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.sessions import NEW_PERIOD, make_form_token
from digest.jobs.subscribers import opinions
from digest.model import BounceClass, Fault, Refused, Sent
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    digests,
    edition_changes,
    editions,
    notices,
    queries,
)
from digest.store.database.tables.readers import reports, sessions, suppressions
from digest.store.delivery import outbox
from digest.store.delivery.receipts import record_receipts
from digest.store.subscribers.subscribers import list_subscribers
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.web.conftest import ME, Site
from tests.web.signup.conftest import (
    SignupSite,
    find_traces,
    read_database,
    read_files,
    read_session_cookie,
    suppress,
)

ADA, BOB = "ada.lovelace@xn--bcher-kva.example", "bob@example.org"
READABLE = "ada.lovelace@bücher.example"


def delete(
    signup_site: SignupSite, token: str, /, site: str = "same-origin", **fields: str
) -> tuple[int, str]:
    headers = {"cookie": f"{SESSION_COOKIE}={token}", "sec-fetch-site": site}
    data = {"token": make_form_token(token)} | fields
    response = signup_site.site.post("/account/delete", data=data, headers=headers)
    assert response.headers["cache-control"] in {"private, no-store", "no-store"}
    return response.status_code, response.headers.get("location", "")


def find_all_traces(site: Site) -> list[bytes]:
    """The forms of the address in the tables and in the files, which may hold more than the tables do."""
    return [
        trace
        for data in (read_database(site), *read_files(site).values())
        for address in (ADA, READABLE, "ada.lovelace")
        for trace in find_traces(data, address)
    ]


def subscribe_to_search(signup_site: SignupSite, address: str, query: str) -> None:
    site = signup_site.site
    request = SignupRequest(address=address, query=query, language="en")
    signup_site.press_button(f"/confirm/{seal_request(request, site.pages.keys, site.app.clock())}")


def make_editions(site: Site) -> None:
    for command in ("match", "compose"):
        site.workspace.run(command, now=site.app.clock())


def find_edition(site: Site, address: str) -> tuple[int, int]:
    """The edition and the destination of an address."""
    statement = (
        select(deliveries.c.edition_id, deliveries.c.destination_id)
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(destinations.c.mailbox == address)
    )
    with site.app.store.begin_read() as tx:
        row = tx.execute(statement).one()
        return row.edition_id, row.destination_id


# --- the way ---------------------------------------------------------------------------------------


def test_one_button_deletes_everything_and_leaves_no_trace(
    signup_site: SignupSite, caplog: pytest.LogCaptureFixture
) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    subscribe_to_search(signup_site, ADA, "xylophonist")
    make_editions(site)
    edition, destination = find_edition(site, ADA)
    opinions.save_opinion(site.app.store, edition, 1, Opinion.SAVED, site.app.clock())
    signup_site.sign_in(ADA)
    signup_site.request_change(token, "new@example.net")
    signup_site.wait_for_mails(3)
    with site.app.store.begin_write() as tx:
        is_own = deliveries.c.destination_id == destination
        tx.execute(update(deliveries).where(is_own).values(answer=f"250 <{ADA}> ok"))
        text = f"Mail to {ADA.upper()} bounced."
        tx.execute(insert(notices).values(name="a", text=text, noted_at=site.app.clock(), told=[]))
        row = {
            "kind": "bounce",
            "finding": BounceClass.SOFT.value,
            "status": "",
            "answer": ADA,
            "road": "smtp",
        }
        tx.execute(insert(reports).values(row | {"delivery": 0, "mailbox": ADA, "at": site.app.clock()}))
        tx.execute(insert(edition_changes).values(edition_id=edition, changes={"options": ["limit"]}))
    assert find_all_traces(site)
    manage, unsubscribe, page = (
        site.pages.make_manage_url(destination),
        site.pages.make_unsubscribe_url(destination),
        site.pages.make_edition_url(edition),
    )
    account = signup_site.get_account(token).text
    assert 'href="/account/delete"' in account
    shown = signup_site.get_account(token, "/account/delete")
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "private, no-store")
    buttons = BeautifulSoup(shown.text, "html.parser").select("main button")
    assert [button.get_text() for button in buttons] == ["Delete everything"]
    for words in ("all editions", "a hash of the address", "backups of the operator"):
        assert words in shown.text

    assert delete(signup_site, token) == (303, "/account/deleted")
    assert "Everything is deleted" in site.get("/account/deleted").text
    assert find_all_traces(site) == []
    assert signup_site.get_account(token).status_code == 303
    for link in (manage, unsubscribe, page):
        assert site.get(link).status_code == 404, link
        assert site.post(link).status_code in {404, 405}
    with site.app.store.begin_read() as tx:
        needed = select(queries.c.needed_from).where(queries.c.text == "xylophonist")
        assert tx.execute(needed).scalar_one() is None
    assert not any("ada" in message.lower() for message in (*site.operator_messages, caplog.text))
    assert delete(signup_site, token) == (303, "/sign-in")
    site.workspace.run("run", "--apply", now=site.app.clock() + timedelta(days=1))
    assert not any(ADA in mail.recipients for mail in signup_site.server.received[3:])


def test_the_numbers_of_what_was_deleted_are_never_those_of_another_reader(signup_site: SignupSite) -> None:
    site = signup_site.site
    tables = (digests, destinations, editions, deliveries)
    used: dict[str, set[int]] = {table.name: set() for table in tables}
    for number in range(3):
        address = f"reader{number}@example.org"
        token = signup_site.subscribe(address)
        make_editions(site)
        for table in tables:
            with site.app.store.begin_read() as tx:
                new = set(tx.execute(select(table.c.id)).scalars())
            last = max(new)
            assert last not in used[table.name]
            used[table.name] |= new
        assert delete(signup_site, token)[0] == 303
        assert find_traces(read_database(site), address) == []
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM subscribers WHERE address <> ''").fetchone()
    assert count <= 1, "what was left without content goes with a later deletion"


def test_other_readers_and_the_file_keep_theirs(signup_site: SignupSite) -> None:
    site = signup_site.site
    tokens = {address: signup_site.subscribe(address) for address in (ADA, BOB, ME)}
    for address in (ADA, BOB):
        subscribe_to_search(signup_site, address, "xylophonist")
    make_editions(site)
    suppress(site, ME)
    with site.app.store.begin_read() as tx:
        before = [entry for entry in list_subscribers(tx) if entry.address == BOB or not entry.made_on_site]
    for address in (ADA, ME):
        assert delete(signup_site, tokens[address])[0] == 303
    with site.app.store.begin_read() as tx:
        assert list(list_subscribers(tx)) == before
        needed = select(queries.c.needed_from).where(queries.c.text == "xylophonist")
        assert tx.execute(needed).scalar_one() is not None
        assert tx.execute(select(suppressions.c.mailbox)).scalars().all() == [ME], "the file sends there"
    assert signup_site.get_account(tokens[BOB]).status_code == 200
    site.workspace.run("run", "--apply", now=site.app.clock())
    assert BOB in {mail.recipients[0] for mail in signup_site.server.received}


def test_a_former_address_leaves_no_trace_either(signup_site: SignupSite) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    suppress(site, ADA)
    for link in signup_site.make_change_links(ADA, "new@example.net"):
        signup_site.press_button(link, cookie=f"{SESSION_COOKIE}={token}")
    assert find_all_traces(site) == []
    assert delete(signup_site, token)[0] == 303
    assert find_traces(read_database(site), "new@example.net") == []
    signup_site.wait_until_handled()
    assert not any(ADA in mail.recipients for mail in signup_site.server.received), "mail to it bounced"
    answer = site.workspace.run("subscribers", "invite", ADA).output
    assert "before they deleted everything or changed their address" in answer


def test_the_operator_sees_nothing_of_a_reader_who_deleted_everything(signup_site: SignupSite) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    make_editions(site)
    assert delete(signup_site, token)[0] == 303
    with site.app.store.begin_read() as tx:
        assert tx.execute(select(destinations.c.id).where(destinations.c.state == "erased")).all()
    for command in (("deliveries", "list"), ("editions",), ("subscribers", "list"), ("status",)):
        for options in ((), ("--json",)):
            assert "erased-" not in site.workspace.run(*command, *options).output
    state = site.workspace.run("status", "--json").output
    assert '"dropped"' not in state


# --- what stays ------------------------------------------------------------------------------------


def test_an_address_that_bounced_stays_suppressed_by_a_hash_until_the_operator_lifts_it(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    suppress(site, ADA)
    assert delete(signup_site, token)[0] == 303
    assert find_all_traces(site) == []
    signup_site.sign_up(ADA)
    signup_site.wait_until_handled()
    assert [mail.recipients[0] for mail in signup_site.server.received] == ["last@example.org"]
    assert "before they deleted everything" in site.workspace.run("subscribers", "invite", ADA).output
    assert site.workspace.run("subscribers", "resume", ADA, status=2).errors
    assert "can sign up again" in site.workspace.run("subscribers", "resume", ADA, "--yes").output
    signup_site.sign_up(ADA)
    signup_site.wait_for_mails(2)


def test_whoever_deleted_everything_can_sign_up_again_at_once(signup_site: SignupSite) -> None:
    token = signup_site.subscribe(BOB)
    signup_site.sign_in(BOB)
    signup_site.wait_for_mails(1)
    assert delete(signup_site, token)[0] == 303
    signup_site.sign_up(BOB)
    signup_site.wait_for_mails(2)
    assert signup_site.press_button(signup_site.get_link()).status_code == 303


# --- workers ---------------------------------------------------------------------------------------


def test_a_worker_that_has_claimed_a_delivery_goes_on_and_keeps_nothing_of_it(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    make_editions(site)
    now, store = site.app.clock(), site.app.store
    with store.begin_write() as tx:
        claimed = outbox.claim_deliveries(tx, "smtp", 7, now, 100)
    (own,) = [delivery for delivery in claimed if delivery.address == ADA]
    others = [delivery for delivery in claimed if delivery.address != ADA]
    assert others
    assert delete(signup_site, token)[0] == 303
    with store.begin_write() as tx:
        renewed = outbox.renew_leases(tx, claimed, now)
        assert own.id not in renewed
        refused = Refused(answer=f"550 5.1.1 <{ADA}> unknown", fault=Fault.ADDRESS)
        record_receipts(tx, [(own, refused), *((other, Sent()) for other in others)], now)
    with store.begin_read() as tx:
        states = tx.execute(select(deliveries.c.state).where(deliveries.c.id.in_([d.id for d in others])))
        assert set(states.scalars()) == {"sent"}
    assert find_all_traces(site) == []


class DeletingRefusals(dict[str, str]):
    """Refuses an address after its reader has deleted everything, which they do while the server is asked."""

    def __init__(self, signup_site: SignupSite, token: str) -> None:
        super().__init__({ADA: f"550 5.1.1 <{ADA}> no such user"})
        self._site, self._token = signup_site, token
        self.statuses: list[int] = []

    def __getitem__(self, key: str) -> str:
        if key == ADA and not self.statuses:
            self.statuses.append(delete(self._site, self._token)[0])
        return super().__getitem__(key)


def test_a_refusal_that_comes_after_the_deletion_is_kept_nowhere(signup_site: SignupSite) -> None:
    site, server = signup_site.site, signup_site.server
    token = signup_site.subscribe(ADA)
    make_editions(site)
    refusals = DeletingRefusals(signup_site, token)
    server.refusals = refusals
    output = site.workspace.run("deliver", now=site.app.clock(), status=1).output
    assert "no such user" in output
    assert refusals.statuses == [303]
    assert find_all_traces(site) == []
    assert len(server.received) >= 2, "the others got theirs"
    with site.app.store.begin_read() as tx:
        assert tx.execute(select(deliveries.c.id).where(deliveries.c.state == "leased")).all() == []


# --- who cannot ------------------------------------------------------------------------------------


def test_nobody_and_no_other_reader_deletes_anything(signup_site: SignupSite) -> None:
    site = signup_site.site
    token, other = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    before = read_database(site)
    for form_token in ("", "x", make_form_token(other), token, make_form_token(token).upper()):
        assert delete(signup_site, token, token=form_token)[0] == 400
    for foreign in ("cross-site", "same-site"):
        assert delete(signup_site, token, site=foreign)[0] == 400
    nobody = site.post("/account/delete", data={"token": make_form_token(token)})
    assert (nobody.status_code, nobody.headers["location"]) == (303, "/sign-in")
    assert site.get("/account/delete").headers["location"] == "/sign-in"
    signup_site.get_account(token, "/account/delete")
    assert read_database(site) == before
    with site.app.store.begin_read() as tx:
        assert len([entry for entry in list_subscribers(tx) if entry.made_on_site]) == 2


def test_whoever_signed_in_long_ago_gets_a_link_by_mail_before_they_delete(signup_site: SignupSite) -> None:
    site, token = signup_site.site, signup_site.subscribe(ADA)
    began = site.app.clock() - NEW_PERIOD
    with site.app.store.begin_write() as tx:
        tx.execute(update(sessions).values(created_at=began))
    before = site.load_state()

    page = signup_site.get_account(token, "/account/delete")
    assert (page.status_code, delete(signup_site, token)[0]) == (403, 403)
    assert site.load_state() == before
    (form,) = (link["href"] for link in BeautifulSoup(page.text, "html.parser").select("main a"))
    assert str(form).endswith("/sign-in")
    fresh = read_session_cookie(signup_site.press_button(signup_site.make_signin_link(ADA)))
    assert signup_site.get_account(fresh, "/account/delete").status_code == 200
    assert delete(signup_site, fresh) == (303, "/account/deleted")


def test_without_signup_there_is_nothing_to_delete(site: Site) -> None:
    for path in ("/account/delete", "/account/deleted"):
        assert site.get(path).status_code == 404
    assert site.post("/account/delete", data={"token": "x"}).status_code == 400
