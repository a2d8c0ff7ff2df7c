"""Signing in: a link for readers only, sessions that nobody else can have, and an account that shows only its reader's."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select, update

from digest.app import open_app
from digest.core.delivery.signup_links import LINK_LIFETIME, SigninRequest, SignupRequest, seal_signin
from digest.core.delivery.signup_links import seal_request as seal_signup
from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.demo.publisher import Publisher
from digest.store.database.tables.readers import sessions
from digest.store.subscribers.digests import load_digests_of
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.store.factories import lock_database
from tests.support.timeouts import PATIENCE
from tests.web.conftest import ME, URL, Site, serve_workspace
from tests.web.signup.conftest import (
    DIGEST,
    SignupSite,
    describe_answer,
    find_link,
    find_traces,
    make_signup_workspace,
    read_database,
    read_session_cookie,
    suppress,
)

ADA, BOB = "Ada.Lovelace+papers@example.org", "bob@example.org"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def is_signed_in(signup_site: SignupSite, token: str) -> bool:
    response = signup_site.get_account(token)
    if response.status_code == 200:
        return True
    assert (response.status_code, response.headers["location"], response.content) == (303, "/sign-in", b"")
    assert response.headers["cache-control"] == "private, no-store"
    return False


def wait_until(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def change_sessions(site: Site, **values: datetime) -> None:
    with site.app.store.begin_write() as tx:
        tx.execute(update(sessions).values(**values))


# --- the way ---------------------------------------------------------------------------------------


def test_who_confirms_is_signed_in_and_comes_back_by_another_link(signup_site: SignupSite) -> None:
    site = signup_site.site
    first = signup_site.subscribe(ADA, **{"user-agent": FIREFOX})
    page = signup_site.get_account(first)
    soup = BeautifulSoup(page.text, "html.parser")
    assert soup.h1 is not None
    assert soup.h1.get_text() == "Your account"
    for text in ("Distributed computing & more", "on weekdays at 07:30 (Europe/Berlin)", "Firefox on Linux"):
        assert text in soup.get_text()
    assert ADA.lower() in soup.get_text()

    assert signup_site.post_account(first, do="sign-out").headers["location"] == "/sign-in"
    assert not is_signed_in(signup_site, first)
    assert signup_site.sign_in(ADA).headers["location"] == "/sign-in/sent"
    assert "we have sent a link to it" in site.get("/sign-in/sent").text
    (mail,) = signup_site.wait_for_mails(1)
    assert (mail["To"], mail["Subject"]) == (ADA, "Sign in to Lab digest")
    link = find_link(mail)
    assert "/sign-in/" in link
    before = read_database(site)
    buttons = BeautifulSoup(site.get(link).text, "html.parser").select("main button")
    assert [button.get_text() for button in buttons] == ["Sign in"]
    assert read_database(site) == before, "mail scanners open every link"
    done = signup_site.press_button(link)
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    assert is_signed_in(signup_site, read_session_cookie(done))
    assert not is_signed_in(signup_site, first)


def test_the_cookie_is_for_this_host_and_encrypted_connections_only(signup_site: SignupSite) -> None:
    response = signup_site.press_button(make_confirmation_link(signup_site, ADA))
    (header,) = response.headers.get_list("set-cookie")
    (morsel,) = SimpleCookie(header).values()
    assert (morsel.key, morsel["path"], morsel["domain"]) == ("__Host-session", "/", "")
    assert (morsel["secure"], morsel["httponly"], morsel["samesite"].lower()) == (True, True, "lax")
    assert int(morsel["max-age"]) == 30 * 24 * 3600
    signed_out = signup_site.post_account(morsel.value, do="sign-out")
    (cleared,) = SimpleCookie(signed_out.headers["set-cookie"]).values()
    assert (cleared.key, cleared.value, cleared["max-age"]) == ("__Host-session", "", "0")


def make_confirmation_link(signup_site: SignupSite, address: str) -> str:
    pages = signup_site.site.pages
    request = SignupRequest(address=address, public_digest=DIGEST, language="en")
    return f"/confirm/{seal_signup(request, pages.keys, signup_site.site.app.clock())}"


def test_the_account_says_what_comes_when_and_what_does_not(signup_site: SignupSite) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    assert "The first edition is on its way." in signup_site.get_account(token).text
    site.workspace.run("run", "--apply", now=site.app.clock())
    text = signup_site.get_account(token).text
    assert "Active" in text
    (dates,) = [
        small.get_text()
        for small in BeautifulSoup(text, "html.parser").select("small")
        if small.get_text().startswith("Next: ")
    ]
    assert dates.count("07:30 CE") == 3

    (path,) = [
        str(link["href"])
        for link in BeautifulSoup(text, "html.parser").select("main a")
        if link.get_text() == "Distributed computing & more"
    ]
    assert signup_site.get_account(token, path).status_code == 200
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address=ADA)
    manage = site.pages.make_manage_url(subscriber.destination)
    site.post(manage, data={"do": "pause-open"})
    paused = signup_site.get_account(token).text
    assert ("Paused until you resume it" in paused, "Next: " in paused) == (True, False)
    site.post(manage, data={"do": "resume-now"})
    site.post(site.pages.make_unsubscribe_url(subscriber.destination))
    assert "Unsubscribed" in signup_site.get_account(token).text


@pytest.mark.parametrize(("language", "heading"), [("de", "Ihr Konto"), ("zh", "您的账户")])
def test_the_account_and_the_form_exist_in_each_language(
    signup_site: SignupSite, language: str, heading: str
) -> None:
    token = signup_site.subscribe(ADA)
    page = signup_site.get_account(token, f"/account?lang={language}")
    assert heading in page.text
    assert f'action="/account?lang={language}"' in page.text
    assert (
        signup_site.site.get(f"/account?lang={language}").headers["location"] == f"/sign-in?lang={language}"
    )
    assert f'name="lang" value="{language}"' in signup_site.site.get(f"/sign-in?lang={language}").text
    assert signup_site.sign_in(ADA, lang=language).headers["location"] == f"/sign-in/sent?lang={language}"
    (mail,) = signup_site.wait_for_mails(1)
    done = signup_site.press_button(find_link(mail))
    assert done.headers["location"] == f"/account?lang={language}"


# --- what nobody learns ----------------------------------------------------------------------------


def test_the_answer_is_the_same_for_readers_and_strangers_and_only_readers_get_mail(
    signup_site: SignupSite,
) -> None:
    signup_site.subscribe(ADA)
    signup_site.subscribe(BOB)
    suppress(signup_site.site, BOB)
    answers = {
        describe_answer(answer)
        for answer in map(signup_site.sign_in, (ADA, BOB, ME, "stranger@example.org", "a@example.com"))
    }
    signup_site.wait_until_handled()

    assert len(answers) == 1
    assert sorted(mail.recipients[0] for mail in signup_site.server.received) == [ADA, "last@example.org"]


def test_one_reader_gets_one_mail_however_often_it_is_asked_for(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    for number in range(30):
        signup_site.sign_in(ADA.upper() if number % 2 else ADA, host=f"192.0.{number}.1")
    signup_site.wait_until_handled()

    assert len(signup_site.server.received) == 1 + 1


def test_nobody_is_shut_out_by_the_sign_ups_that_others_type(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    for _ in range(3):
        signup_site.sign_up(ADA)
    signup_site.wait_for_mails(1)
    signup_site.sign_in(ADA)
    signup_site.sign_in(ADA)
    signup_site.wait_until_handled()

    subjects = [mail["Subject"] for mail in signup_site.wait_for_mails(3) if mail["To"] == ADA]
    assert subjects == ["Confirm: Distributed computing & more", "Sign in to Lab digest"]


def test_a_form_to_sign_in_on_another_site_sends_nothing(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    foreign: tuple[dict[str, str], ...] = (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none", "origin": "https://evil.example"},
        {"origin": "null"},
    )
    statuses = {
        signup_site.site.post("/sign-in", data={"address": ADA}, headers=headers).status_code
        for headers in foreign
    }
    signup_site.wait_until_handled()

    assert statuses == {400}
    assert ADA not in {mail.recipients[0] for mail in signup_site.server.received}


def test_one_network_sends_no_more_forms_to_sign_in_than_its_limit(signup_site: SignupSite) -> None:
    statuses = [
        signup_site.sign_in(f"reader{number}@example.org", host=f"192.0.2.{number}").status_code
        for number in range(61)
    ]
    assert statuses == [303] * 60 + [429]
    assert signup_site.sign_in(ADA, host="198.51.100.1").status_code == 303


def test_a_program_that_fills_in_every_field_gets_the_same_answer_and_no_link(
    signup_site: SignupSite,
) -> None:
    signup_site.subscribe(ADA)
    signup_site.subscribe(BOB)
    person, program = signup_site.sign_in(BOB), signup_site.sign_in(ADA, leave_empty="x")
    signup_site.wait_until_handled()

    assert (program.status_code, program.content) == (person.status_code, person.content)
    assert sorted(mail.recipients[0] for mail in signup_site.server.received) == [BOB, "last@example.org"]


@pytest.mark.parametrize(
    "address", ["", "ada", "ada@example.org, bob@example.org", "a@b.org\r\nBcc: c@d.org"]
)
def test_what_is_no_single_address_is_refused_in_words(signup_site: SignupSite, address: str) -> None:
    response = signup_site.sign_in(address)
    assert (response.status_code, "name@example.org" in response.text) == (400, True)


def test_neither_the_database_nor_messages_have_a_token_and_the_address_is_only_where_it_belongs(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    tokens = [
        signup_site.subscribe(ADA),
        read_session_cookie(signup_site.press_button(signup_site.make_signin_link(ADA))),
    ]
    for token in tokens:
        signup_site.get_account(token)
    database = read_database(site)
    assert not any(
        token.encode() in database or make_form_token(token).encode() in database for token in tokens
    )
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        holding = {
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if find_traces(repr(connection.execute(f"SELECT * FROM {name}").fetchall()).encode(), ADA)
        }
    assert holding == {"subscribers", "destinations"}
    assert not any("ada" in message.lower() for message in site.operator_messages)
    assert find_traces(signup_site.make_signin_link(ADA).encode(), ADA) == []


def test_private_pages_are_stored_by_nobody_and_public_ones_are_the_same_for_everybody(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    token = signup_site.subscribe(ADA)
    for response in (signup_site.get_account(token), site.get("/sign-in"), site.get("/sign-in/sent")):
        assert response.status_code == 200
        assert response.headers["cache-control"] == "private, no-store"
        assert response.headers["x-robots-tag"] == "noindex"
        assert response.headers["referrer-policy"] == "same-origin"
        assert "set-cookie" not in response.headers
    for address in ("/", "/papers", f"/digests/{DIGEST}", "/search?q=planning", "/about/numbers", "/sign-in"):
        mine, theirs = signup_site.get_account(token, address), site.get(address)
        assert mine.content == theirs.content
        assert "set-cookie" not in mine.headers
    assert 'href="/account"' in site.get("/").text


# --- what gives no access --------------------------------------------------------------------------


def test_a_token_that_somebody_else_chose_is_never_a_session(signup_site: SignupSite) -> None:
    chosen = make_session_token()
    link = make_confirmation_link(signup_site, ADA)
    response = signup_site.press_button(link, cookie=f"{SESSION_COOKIE}={chosen}")
    token = read_session_cookie(response)
    assert token != chosen
    assert (is_signed_in(signup_site, chosen), is_signed_in(signup_site, token)) == (False, True)


def test_each_sign_in_has_a_new_token_and_ends_the_one_that_the_browser_had(signup_site: SignupSite) -> None:
    first = signup_site.subscribe(ADA)
    links = [signup_site.make_signin_link(ADA, timedelta(seconds=age)) for age in (0, 1)]
    second = read_session_cookie(signup_site.press_button(links[0], cookie=f"{SESSION_COOKIE}={first}"))
    third = read_session_cookie(signup_site.press_button(links[1]))
    assert len({first, second, third}) == 3
    assert [is_signed_in(signup_site, token) for token in (first, second, third)] == [False, True, True]


@pytest.mark.parametrize(
    "token", ["", "x", "A" * 43, "A" * 5_000, "\x01", "%00", "' OR 1=1 --", "ä", "a;b", '"quoted"']
)
def test_a_forged_cookie_is_none(signup_site: SignupSite, token: str) -> None:
    signup_site.subscribe(ADA)
    response = signup_site.site.request(
        "GET", "/account", headers={b"cookie": f"{SESSION_COOKIE}={token}".encode()}
    )
    assert response.status_code in ({303, 400} if token == "\x01" else {303})


@pytest.mark.parametrize("space", ["\xa0", "\x85", "\x1c"])
def test_a_cookie_whose_name_only_looks_like_that_of_a_session_is_none(
    signup_site: SignupSite, space: str
) -> None:
    token = signup_site.subscribe(ADA)
    own, other = f"{SESSION_COOKIE}={token}", f"{SESSION_COOKIE}={make_session_token()}"
    headers = {
        f"{space}{own}": 303,
        f"{SESSION_COOKIE}{space}={token}": 303,
        f"{own.replace('__Host', '__host')}": 303,
        f"{own}; {space}{other}": 200,
        f"a=b;\t {own} ;c=d": 200,
        f"{own}; {other}": 303,
        f"{other}; {own}": 303,
        f"{own}; {own}": 303,
    }
    for header, status in headers.items():
        response = signup_site.site.request("GET", "/account", headers={b"cookie": header.encode("latin-1")})
        assert response.status_code in ({status, 400} if space < " " and space in header else {status}), (
            header
        )


def test_the_hash_in_the_database_is_no_token(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    with signup_site.site.app.store.begin_read() as tx:
        (token_hash,) = tx.execute(select(sessions.c.token_hash)).scalars()
    assert not is_signed_in(signup_site, token_hash)


def test_a_session_that_is_over_or_from_the_future_gives_no_access_and_is_forgotten(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    token, now = signup_site.subscribe(ADA), site.app.clock()
    values: list[dict[str, Any]] = [
        {"created_at": now - timedelta(30), "expires_at": now - timedelta(seconds=1)},
        {"created_at": now + timedelta(1), "expires_at": now + timedelta(31)},
    ]
    for over in values:
        change_sessions(site, **over)
        assert not is_signed_in(signup_site, token)
        assert signup_site.post_account(token, do="sign-out-everywhere").headers["location"] == "/sign-in"
        assert len(signup_site.list_sessions()) == 1
    with open_app(site.workspace.folder / "digest.toml", now, {}) as app, app.open_steps() as steps:
        steps.prune()
    assert signup_site.list_sessions() == []


def test_it_is_written_once_a_day_that_a_session_is_used(signup_site: SignupSite) -> None:
    def read_seen() -> datetime:
        with site.app.store.begin_read() as tx:
            seen_at: datetime = tx.execute(select(sessions.c.seen_at)).scalar_one()
            return seen_at

    site = signup_site.site
    token, now = signup_site.subscribe(ADA), site.app.clock()
    before = read_database(site)
    assert is_signed_in(signup_site, token)
    assert read_database(site) == before
    for seen_at in (now - timedelta(days=2), now + timedelta(days=2)):
        change_sessions(site, seen_at=seen_at)
        assert is_signed_in(signup_site, token)
        wait_until(lambda: abs(read_seen() - now) < timedelta(hours=1))


def test_an_account_is_shown_while_another_process_writes(signup_site: SignupSite) -> None:
    site = signup_site.site
    token, now = signup_site.subscribe(ADA), site.app.clock()
    change_sessions(site, seen_at=now - timedelta(days=2))
    with lock_database(site.workspace.folder / "digest.db"):
        assert signup_site.get_account(token).status_code == 200


def test_a_used_expired_or_forged_link_signs_nobody_in(signup_site: SignupSite) -> None:
    site, pages = signup_site.site, signup_site.site.pages
    signup_site.subscribe(ADA)
    used = signup_site.make_signin_link(ADA)
    assert signup_site.press_button(used).status_code == 303
    count, now = len(signup_site.list_sessions()), site.app.clock()
    reader = SigninRequest(address=ADA, language="en")
    confirmation = make_confirmation_link(signup_site, ADA).rpartition("/")[2]
    signin = signup_site.make_signin_link(ADA, timedelta(seconds=3))
    links = [
        signup_site.make_signin_link(ADA, LINK_LIFETIME + timedelta(seconds=5)),
        f"/sign-in/{seal_signin(reader, [b'x' * 32], now)}",
        f"/sign-in/{confirmation}",
        f"/confirm/{signin.rpartition('/')[2]}",
        f"{signin[:-1]}",
        f"{signin}=",
        pages.make_manage_url(1).replace("/manage/", "/sign-in/"),
        "/sign-in/x",
        "/sign-in/%00",
    ]
    for link in links:
        assert site.get(link).status_code == 404, link
        response = signup_site.press_button(link)
        assert (response.status_code, "set-cookie" in response.headers) == (404, False), link
    stranger = signup_site.press_button(signup_site.make_signin_link("stranger@example.org"))
    assert (stranger.status_code, "set-cookie" in stranger.headers) == (404, False)
    again = signup_site.press_button(used)
    assert (again.status_code, "This link was used" in again.text) == (200, True)
    assert "set-cookie" not in again.headers
    foreign = signup_site.press_button(signin, **{"sec-fetch-site": "cross-site"})
    assert (foreign.status_code, "set-cookie" in foreign.headers) == (400, False)
    assert len(signup_site.list_sessions()) == count


@pytest.mark.parametrize("path", ["/sign-in", "/confirm"])
def test_a_link_in_a_language_that_the_site_no_longer_has_works_in_its_own(
    signup_site: SignupSite, path: str
) -> None:
    site = signup_site.site
    signup_site.subscribe(BOB)
    keys, now = site.pages.keys, site.app.clock()
    token = (
        seal_signin(SigninRequest(address=BOB, language="fr"), keys, now)
        if path == "/sign-in"
        else seal_signup(SignupRequest(address=ADA, public_digest=DIGEST, language="fr"), keys, now)
    )
    assert "One more click" in site.get(f"{path}/{token}").text
    done = signup_site.press_button(f"{path}/{token}")
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    assert is_signed_in(signup_site, read_session_cookie(done))
    site.workspace.run("run", "--apply", now=now)
    address = BOB if path == "/sign-in" else ADA
    assert address in {mail.recipients[0] for mail in signup_site.server.received}


def test_many_clicks_at_once_begin_one_session(signup_site: SignupSite) -> None:
    signup_site.subscribe(ADA)
    link = signup_site.make_signin_link(ADA)
    with ThreadPoolExecutor(8) as threads:
        responses = list(threads.map(lambda _: signup_site.press_button(link), range(8)))
    assert sorted(response.status_code for response in responses) == [200] * 7 + [303]
    assert len(signup_site.list_sessions()) == 2


# --- whose is what ---------------------------------------------------------------------------------


def test_no_reader_sees_or_ends_what_belongs_to_another(signup_site: SignupSite) -> None:
    addresses = [f"reader{number}@example.org" for number in range(10)]
    tokens = {address: signup_site.subscribe(address) for address in addresses}
    all_sessions = signup_site.list_sessions()
    with signup_site.site.app.store.begin_read() as tx:
        digest_paths = {
            address: f'"/account/digests/{load_digests_of(tx, address)[0].id}"' for address in addresses
        }
    for address, token in tokens.items():
        text = signup_site.get_account(token).text
        assert [other for other in addresses if other in text] == [address]
        assert [other for other in addresses if digest_paths[other] in text] == [address]
        for owner, number in all_sessions:
            if owner != address:
                response = signup_site.post_account(token, do="end", session=str(number))
                assert (response.status_code, response.headers["location"]) == (303, "/account")
                assert "set-cookie" not in response.headers
    assert signup_site.list_sessions() == all_sessions

    own_number = dict(all_sessions)[addresses[0]]
    signup_site.post_account(tokens[addresses[0]], do="end", session=str(own_number))
    assert signup_site.list_sessions() == [entry for entry in all_sessions if entry[1] != own_number]


def test_a_reader_ends_one_session_or_all_of_their_own(signup_site: SignupSite) -> None:
    here, other = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    there, elsewhere = (
        read_session_cookie(
            signup_site.press_button(signup_site.make_signin_link(ADA, timedelta(seconds=age)))
        )
        for age in (0, 1)
    )
    numbers = [number for owner, number in signup_site.list_sessions() if owner == ADA.lower()]
    signup_site.post_account(here, do="end", session=str(numbers[1]))
    tokens = (here, there, elsewhere, other)
    assert [is_signed_in(signup_site, token) for token in tokens] == [True, False, True, True]
    signup_site.post_account(here, do="sign-out-everywhere")
    assert [is_signed_in(signup_site, token) for token in tokens] == [False, False, False, True]


def test_the_button_of_an_old_page_ends_no_new_session(signup_site: SignupSite) -> None:
    here = signup_site.subscribe(ADA)
    signup_site.press_button(signup_site.make_signin_link(ADA))
    number = str(signup_site.list_sessions()[-1][1])
    signup_site.post_account(here, do="end", session=number)
    new = read_session_cookie(
        signup_site.press_button(signup_site.make_signin_link(ADA, timedelta(seconds=2)))
    )
    signup_site.post_account(here, do="end", session=number)

    assert is_signed_in(signup_site, new)


def test_the_account_has_one_button_for_each_browser(signup_site: SignupSite) -> None:
    here = signup_site.subscribe(ADA)
    signup_site.press_button(signup_site.make_signin_link(ADA))
    buttons = BeautifulSoup(signup_site.get_account(here).text, "html.parser").select(
        "form[action='/account'] button"
    )
    values = [button["value"] for button in buttons if button.get("name") == "do"]
    assert values == ["end", "sign-out", "sign-out-everywhere"]


@pytest.mark.parametrize("action", ["end", "sign-out", "sign-out-everywhere"])
def test_a_form_that_is_not_of_this_session_does_nothing(signup_site: SignupSite, action: str) -> None:
    token, other = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    (number, _) = (number for _, number in signup_site.list_sessions())
    fields = {"do": action, "session": str(number)}
    for form_token in ("", "x", make_form_token(other), token, "ä", make_form_token(token).upper()):
        assert signup_site.post_account(token, **fields, token=form_token).status_code == 400
    assert signup_site.post_account(token, site="cross-site", **fields).status_code == 400
    assert signup_site.post_account(token, site="same-site", **fields).status_code == 400
    assert signup_site.site.post("/account", data=fields).headers["location"] == "/sign-in"
    assert len(signup_site.list_sessions()) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "nothing"},
        {"do": "end"},
        *({"do": "end", "session": text} for text in ("", "-1", "x", "1.5", "٣", "9" * 19, "\x00")),
    ],
)
def test_what_no_button_sends_is_refused(signup_site: SignupSite, fields: dict[str, str]) -> None:
    token = signup_site.subscribe(ADA)
    assert signup_site.post_account(token, **fields).status_code == 400
    assert is_signed_in(signup_site, token)


# --- where there are no accounts -------------------------------------------------------------------


def test_without_signup_there_is_no_account(site: Site) -> None:
    assert "/account" not in site.get("/").text
    for path in ("/account", "/sign-in", "/sign-in/sent", "/sign-in/x"):
        assert site.get(path).status_code == 404
    for path in ("/account", "/sign-in", "/sign-in/x"):
        assert site.post(path, data={"address": ME}).status_code == 400


def test_without_encryption_readers_sign_up_but_not_in(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port)
    file = workspace.folder / "digest.toml"
    file.write_text(file.read_text("utf-8").replace(URL, URL.replace("https:", "http:")), "utf-8")
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        done = signup_site.press_button(make_confirmation_link(signup_site, ADA))
        assert (done.headers["location"], "set-cookie" in done.headers) == ("/sign-up/done", False)
        assert "/account" not in site.get("/").text
        assert signup_site.list_sessions() == []
        for path in (
            "/account",
            "/sign-in",
            "/sign-in/sent",
            signup_site.make_signin_link(ADA),
            "/sign-in/x",
        ):
            assert site.get(path).status_code == 404
        signup_site.sign_up("new@example.org")
        (mail,) = signup_site.wait_for_mails(1)
        assert "signs" not in mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        assert "signs" not in site.get(find_link(mail)).text


def test_readers_sign_in_where_only_the_invited_may_subscribe(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port)
    with serve_workspace(workspace, source) as site:
        token = SignupSite(site, mail_server).subscribe(ADA)
    file = workspace.folder / "digest.toml"
    file.write_text(file.read_text("utf-8").replace('who = "anyone"', 'who = "invited"'), "utf-8")
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        assert 'href="/account"' in site.get("/").text
        assert "/sign-up" not in site.get("/").text
        assert "To subscribe, choose" not in site.get("/sign-in").text
        assert is_signed_in(signup_site, token)
        assert signup_site.sign_in(ADA).status_code == 303
        (mail,) = signup_site.wait_for_mails(1)
        assert is_signed_in(signup_site, read_session_cookie(signup_site.press_button(find_link(mail))))
        assert signup_site.press_button(make_confirmation_link(signup_site, BOB)).status_code == 404
