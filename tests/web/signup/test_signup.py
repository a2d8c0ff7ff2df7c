"""Signing up: one field, one mail, one click; and the same answer for everybody."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select

from digest.app import open_app
from digest.core.delivery.signup_links import LINK_LIFETIME, SignupRequest, seal_request
from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import destinations
from digest.store.subscribers.digests import load_digests_by_id
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from tests.web.conftest import ME, Site, serve_workspace
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

ADA = "Ada.Lovelace+papers@example.org"


def list_states(site: Site, address: str = ADA) -> list[tuple[str, str, str]]:
    """Where the digests of an address go, and in which state."""
    with site.app.store.begin_read() as tx:
        return [(entry.digest, entry.address, entry.state) for entry in list_subscribers(tx, address=address)]


# --- the way ---------------------------------------------------------------------------------------


def test_a_form_a_link_and_one_click_subscribe(signup_site: SignupSite) -> None:
    site = signup_site.site
    sent = signup_site.sign_up(ADA)
    assert (sent.status_code, sent.headers["location"]) == (303, "/sign-up/sent")
    assert "We have sent a link, if mail can be sent there." in site.get("/sign-up/sent").text

    (mail,) = signup_site.wait_for_mails(1)
    assert mail["To"] == ADA
    assert mail["Subject"] == "Confirm: Distributed computing & more"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "List-Unsubscribe" not in mail
    link = find_link(mail)
    assert link in mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert list_states(site) == []

    page = site.get(link)
    assert (page.status_code, page.headers["cache-control"]) == (200, "private, no-store")
    assert page.headers["referrer-policy"] == "same-origin"
    soup = BeautifulSoup(page.text, "html.parser")
    assert soup.h1 is not None
    assert soup.h1.get_text() == "One more click"
    assert [button.get_text() for button in soup.select("main button")] == [
        "Get Distributed computing & more"
    ]
    assert ADA not in page.text

    done = signup_site.press_button(link)
    assert (done.status_code, done.headers["location"]) == (303, "/account")
    assert "is on its way" in signup_site.get_account(read_session_cookie(done)).text
    assert list_states(site) == [(DIGEST, ADA, "active")]
    site.workspace.run("run", "--apply", now=site.app.clock())
    assert ADA in {recipient for mail in signup_site.server.received[1:] for recipient in mail.recipients}


@pytest.mark.parametrize(
    ("language", "warning"),
    [
        ("en", "The button also signs"),
        ("de", "Geben Sie den Link"),
        ("zh", "请勿将链接转给他人"),
    ],
)
def test_the_mail_and_the_page_say_that_the_button_signs_in(
    signup_site: SignupSite, language: str, warning: str
) -> None:
    signup_site.sign_up(ADA, lang="" if language == "en" else language)
    (mail,) = signup_site.wait_for_mails(1)
    for part in ("plain", "html"):
        text = mail.get_body((part,)).get_content()  # type: ignore[union-attr]
        assert "".join(warning.split()) in "".join(unescape(text).split())
    assert warning in signup_site.site.get(find_link(mail)).text


def test_opening_a_link_changes_nothing_and_a_second_click_neither(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.sign_up(ADA)
    signup_site.wait_for_mails(1)
    link = signup_site.get_link()
    before = read_database(site)
    for method in ("GET", "HEAD", "GET", "OPTIONS"):
        site.request(method, link)
    assert read_database(site) == before

    assert signup_site.press_button(link).status_code == 303
    once = read_database(site)
    again = signup_site.press_button(link)
    assert (again.status_code, "This link was used" in again.text) == (200, True)
    assert "This link was used" in site.get(link).text
    assert read_database(site) == once


def test_a_used_link_subscribes_nobody_who_has_left(signup_site: SignupSite) -> None:
    site = signup_site.site
    signup_site.sign_up(ADA)
    signup_site.wait_for_mails(1)
    link = signup_site.get_link()
    signup_site.press_button(link)
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address=ADA)
    site.post(site.pages.make_unsubscribe_url(subscriber.destination))
    signup_site.press_button(link)

    assert list_states(site) == [(DIGEST, ADA, "stopped")]


def test_two_spellings_of_a_mailbox_are_one_subscriber(signup_site: SignupSite) -> None:
    signup_site.sign_up(ADA)
    signup_site.wait_for_mails(1)
    link = signup_site.get_link()
    signup_site.press_button(link)
    with signup_site.site.app.store.begin_read() as tx:
        count = len(list_subscribers(tx))
    request = SignupRequest(address=ADA.upper(), public_digest=DIGEST, language="en")
    pages = signup_site.site.pages
    token = seal_request(request, pages.keys, signup_site.site.app.clock())
    signup_site.press_button(f"{pages.url}/confirm/{token}")

    with signup_site.site.app.store.begin_read() as tx:
        assert len(list_subscribers(tx)) == count


def test_the_form_is_on_the_front_page_and_on_that_of_the_digest(signup_site: SignupSite) -> None:
    for address in ("/", f"/digests/{DIGEST}", f"/digests/{DIGEST}?lang=de"):
        response = signup_site.site.get(address)
        (form,) = BeautifulSoup(response.text, "html.parser").select("form.signup")
        assert response.headers["cache-control"].startswith("public")
        assert (form["action"], form["method"]) == ("/sign-up", "post")
        assert {str(field["name"]) for field in form.select("input")} >= {"address", "digest", "leave_empty"}
        (honeypot,) = form.select("input[name=leave_empty]")
        assert (honeypot["tabindex"], honeypot["autocomplete"], "data-1p-ignore" in honeypot.attrs) == (
            "-1",
            "off",
            True,
        )
        assert honeypot.parent is not None
        assert honeypot.find_parent(attrs={"aria-hidden": "true"}) is not None
        assert honeypot.parent.get_text() in {"Leave this field empty", "Lassen Sie dieses Feld leer"}
    german = signup_site.site.get(f"/digests/{DIGEST}?lang=de").text
    assert "Das per E-Mail bekommen" in german
    assert "Distributed computing &amp; more" in german
    signup_site.sign_up(ADA, lang="de")
    (mail,) = signup_site.wait_for_mails(1)
    assert mail["Subject"].startswith("Bitte bestätigen: ")
    assert "Noch ein Klick" in signup_site.site.get(find_link(mail)).text


def test_a_search_comes_by_mail_on_mondays_and_the_mail_has_nothing_that_a_stranger_typed(
    signup_site: SignupSite,
) -> None:
    site = signup_site.site
    query = '"buy pills at evil.example" OR planning'
    assert signup_site.sign_up(ADA, digest="", query=query).status_code == 303
    (mail,) = signup_site.wait_for_mails(1)
    parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    assert not any("pills" in text or "evil" in text for text in (*parts, str(mail["Subject"])))

    link = find_link(mail)
    assert "buy pills" in site.get(link).text, "whoever presses the button knows what comes"
    signup_site.press_button(link)
    with site.app.store.begin_read() as tx:
        (subscriber,) = list_subscribers(tx, address=ADA)
        digest_id = tx.execute(
            select(destinations.c.digest_id).where(destinations.c.id == subscriber.destination)
        ).scalar_one()
        (digest,) = load_digests_by_id(tx, [digest_id])
    assert [follow.text for follow in digest.follows] == [query]
    site.workspace.run("run", "--apply", now=site.app.clock())
    assert ADA in {
        recipient for received in signup_site.server.received[1:] for recipient in received.recipients
    }


def test_the_form_is_on_searches_categories_and_persons(signup_site: SignupSite) -> None:
    site = signup_site.site
    for address, query in (
        ("/search?q=scheduling", "scheduling"),
        ("/category/cs.DC", "category:cs.DC"),
        (site.get(site.find_person_url()).headers.get("location", site.find_person_url()), "author:"),
    ):
        (form,) = BeautifulSoup(site.get(address).text, "html.parser").select("form.signup")
        (field,) = form.select("input[name=query]")
        assert str(field["value"]).startswith(query)
        assert signup_site.sign_up(ADA, digest="", query=str(field["value"])).status_code == 303
    assert BeautifulSoup(site.get("/search").text, "html.parser").select("form.signup") == []


def test_every_search_that_the_form_takes_has_a_link_that_works(signup_site: SignupSite) -> None:
    query = "扩散模型 " * 99
    assert signup_site.sign_up(ADA, digest="", query=query).status_code == 303
    signup_site.wait_for_mails(1)
    page = signup_site.site.get(signup_site.get_link())

    assert page.status_code == 200
    assert query.strip() in page.text, "all of it, not the part that a title has"
    assert "Monday" in page.text
    assert signup_site.sign_up(ADA, query="planning").status_code == 400, "a public digest or a search"


def test_who_may_sign_up_holds_for_forms_and_links(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(
        composed_folder, tmp_path / "world", mail_server.port, 'who = "invited"'
    )
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        for address in ("/", f"/digests/{DIGEST}", f"/digests/{DIGEST}?lang=de"):
            page = site.get(address)
            assert (page.status_code, "/sign-up" in page.text) == (200, False)
            assert ("by invitation" in page.text) != ("auf Einladung" in page.text)
        assert "/sign-up" not in site.get("/search?q=planning").text
        assert "come by invitation" in site.get("/sign-in").text
        assert signup_site.sign_up(ADA).status_code == 400
        request = SignupRequest(address=ADA, public_digest=DIGEST, language="en")
        token = seal_request(request, site.pages.keys, site.app.clock())
        assert signup_site.press_button(f"/confirm/{token}").status_code == 404
        assert list_states(site) == []


@pytest.mark.parametrize("query", ["", "a OR", "(", "x" * 501, "x" * 5_000, "\x00", "\u202ea", "*", "-only"])
def test_nobody_signs_up_for_what_is_no_query(signup_site: SignupSite, query: str) -> None:
    assert signup_site.sign_up(ADA, digest="", query=query).status_code == 400


# --- what nobody learns ----------------------------------------------------------------------------


def test_the_answer_is_the_same_for_new_known_pending_suppressed_and_refused_addresses(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    signup = 'who = "domains"\n    domains = ["example.org"]'
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, signup)
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        signup_site.sign_up("known@example.org")
        signup_site.wait_for_mails(1)
        signup_site.press_button(signup_site.get_link())
        signup_site.sign_up("pending@example.org")
        signup_site.wait_for_mails(2)
        suppress(site, "suppressed@example.org")
        answers = {
            describe_answer(answer)
            for answer in (
                signup_site.sign_up(f"{name}@{domain}")
                for name, domain in (
                    ("new", "example.org"),
                    ("known", "example.org"),
                    ("pending", "example.org"),
                    ("suppressed", "example.org"),
                    ("refused", "example.com"),
                    ("refused", "sub.example.org"),
                )
            )
        }
        signup_site.wait_until_handled()

    assert len({(status, body) for status, body, _ in answers}) == 1
    assert len(answers) == 1
    recipients = {mail.recipients[0] for mail in mail_server.received[2:]}
    assert recipients == {"new@example.org", "last@example.org"}, "the others were written to a moment ago"


def test_of_whom_does_not_confirm_nothing_is_kept_but_a_hash_for_two_days(
    signup_site: SignupSite, caplog: pytest.LogCaptureFixture
) -> None:
    site = signup_site.site
    signup_site.sign_up(ADA)
    signup_site.wait_for_mails(1)

    assert find_traces(read_database(site), ADA) == []
    assert find_traces(signup_site.get_link().encode(), ADA) == []
    assert not any("ada" in message.lower() for message in (*site.operator_messages, caplog.text))
    assert len(read_rows(site, "link_mails")) == 1
    later = site.app.clock() + timedelta(days=2, minutes=1)
    with open_app(site.workspace.folder / "digest.toml", later, {}) as app, app.open_steps() as steps:
        steps.prune()
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        assert connection.execute("SELECT count(*) FROM link_mails").fetchone() == (0,)


# --- limits ----------------------------------------------------------------------------------------


def test_one_mailbox_gets_one_mail_however_often_and_however_it_is_typed(signup_site: SignupSite) -> None:
    spellings = ["ada@example.org", "Ada@Example.org", "ada+news@example.org", "ADA+x+y@example.org"]
    for number in range(40):
        assert signup_site.sign_up(spellings[number % 4], host=f"192.0.{number}.1").status_code == 303
    signup_site.wait_until_handled()

    assert len(signup_site.server.received) == 1 + 1
    rows = read_rows(signup_site.site, "link_mails")
    assert len(rows) == 2, "nothing is kept of who was not written to"


def read_rows(site: Site, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(site.workspace.folder / "digest.db")) as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def test_one_network_sends_no_more_forms_than_its_limit(signup_site: SignupSite) -> None:
    statuses = [
        signup_site.sign_up(f"reader{number}@example.org", host=f"192.0.2.{number}").status_code
        for number in range(70)
    ]
    signup_site.wait_until_handled()

    assert statuses == [303] * 60 + [429] * 10
    assert len(signup_site.server.received) == 60 + 1


def test_those_whose_address_is_not_known_share_one_limit(signup_site: SignupSite) -> None:
    statuses = [
        signup_site.site.post(
            "/sign-up", data={"address": f"a{number}@example.org", "digest": DIGEST}
        ).status_code
        for number in range(62)
    ]
    assert statuses == [303] * 60 + [429] * 2


def test_a_reader_has_twenty_digests_at_most(signup_site: SignupSite) -> None:
    site, pages = signup_site.site, signup_site.site.pages

    def make_link(number: int) -> str:
        request = SignupRequest(address=ADA, query=f"word{number}", language="en")
        return f"{pages.url}/confirm/{seal_request(request, pages.keys, site.app.clock())}"

    for number in range(20):
        assert signup_site.press_button(make_link(number)).status_code == 303
    link = make_link(20)
    last = signup_site.press_button(link)
    assert "There is no room for one more" in last.text
    assert len(list_states(site)) == 20
    with site.app.store.begin_read() as tx:
        first = list_subscribers(tx, address=ADA)[0].destination
    site.post(site.pages.make_unsubscribe_url(first))
    assert "There is no room" in signup_site.press_button(link).text, "a digest that was left can be resumed"


# --- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        *("", "ada", "ada@", "@example.org", "ada@example.org, bob@example.org", "a@b@example.org"),
        *("ada@example.org\r\nBcc: x@example.org", "ada\x00@example.org", "a" * 300 + "@example.org"),
        *("<ada@example.org>", "Ada <ada@example.org>", "=?utf-8?q?a?=@example.org", "ada @example.org"),
        *("a@" + "b" * 300 + ".org", "a@" + "b" * 64 + ".org", "root@localhost", "root@127.0.0.1", "a@1.2"),
        *(".a@example.org", "a.@example.org", "a..b@example.org", "a@-b.org", "a@[127.0.0.1]"),
        *("ada@exa mple.org", "\u202eada@example.org", "ada@example..org", "\ud83d\ude00@example.org"),
    ],
)
def test_what_is_no_single_address_is_refused_in_words(signup_site: SignupSite, address: str) -> None:
    response = signup_site.site.post(
        "/sign-up", data={"address": address.encode("utf-8", "surrogatepass"), "digest": DIGEST}
    )

    assert response.status_code == 400
    assert "name@example.org" in response.text
    assert "x@example.org" not in response.text.replace("name@example.org", "")


def test_an_address_beyond_ascii_is_written_to_in_its_form_for_mail(signup_site: SignupSite) -> None:
    signup_site.sign_up("ada@bücher.example")

    (mail,) = signup_site.wait_for_mails(1)
    assert mail["To"] == "ada@xn--bcher-kva.example"


def test_programs_that_fill_in_every_field_get_the_same_answer_and_no_mail(signup_site: SignupSite) -> None:
    person, program = signup_site.sign_up("a@example.org"), signup_site.sign_up(ADA, leave_empty="x")
    signup_site.wait_until_handled()

    assert (program.status_code, program.content) == (person.status_code, person.content)
    assert ADA not in {mail.recipients[0] for mail in signup_site.server.received}


@pytest.mark.parametrize("name", ["", "nothing", "systems", "../dc", "dc\x00", "x" * 5_000])
def test_nobody_signs_up_for_what_is_not_public(signup_site: SignupSite, name: str) -> None:
    assert signup_site.sign_up(ADA, digest=name).status_code == 400
    assert signup_site.site.get(f"/digests/{quote(name, safe='') or '-'}").status_code == 404


def test_a_form_or_button_of_another_site_does_nothing(signup_site: SignupSite) -> None:
    foreign: tuple[dict[str, str], ...] = (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none", "origin": "https://evil.example"},
        {"sec-fetch-site": "none", "origin": "null"},
    )
    forms = [
        signup_site.site.post("/sign-up", data={"address": ADA, "digest": DIGEST}, headers=headers)
        for headers in foreign
    ]
    own: tuple[dict[str, str], ...] = (
        {"sec-fetch-site": "same-origin", "origin": "https://digest.example.org"},
        {
            "sec-fetch-site": "same-origin",
            "origin": "null",
        },  # a browser that hides where its reader comes from
        {"origin": "https://digest.example.org"},  # a browser of before 2023
    )
    for count, headers in enumerate(own, 1):
        signup_site.site.post(
            "/sign-up", data={"address": f"{count}@example.org", "digest": DIGEST}, headers=headers
        )
        signup_site.wait_for_mails(count)
    buttons = [signup_site.press_button(signup_site.get_link(), **headers) for headers in foreign]

    assert {response.status_code for response in (*forms, *buttons)} == {400}
    assert list_states(signup_site.site) == []


def test_a_link_of_another_purpose_or_time_or_key_subscribes_nobody(signup_site: SignupSite) -> None:
    site, pages = signup_site.site, signup_site.site.pages
    now = site.app.clock()
    request = SignupRequest(address=ADA, public_digest=DIGEST, language="en")
    tokens = [
        seal_request(request, pages.keys, now - LINK_LIFETIME - timedelta(seconds=5)),
        seal_request(request, [b"x" * 32], now),
        seal_request(SignupRequest(address=ADA, public_digest="gone", language="en"), pages.keys, now),
        pages.make_manage_url(1).rpartition("/")[2],
        pages.make_unsubscribe_url(1).rpartition("/")[2],
        "x",
        "%00",
        "x" * 5_000,
    ]
    for token in tokens:
        assert site.get(f"/confirm/{token}").status_code == 404, token
        assert signup_site.press_button(f"/confirm/{token}").status_code == 404, token
    assert list_states(site) == []


def test_without_signup_or_mail_there_is_no_form(site: Site) -> None:
    assert "sign-up" not in site.get("/").text
    assert site.post("/sign-up", data={"address": ME, "digest": DIGEST}).status_code == 400
    assert site.get(f"/digests/{DIGEST}").status_code == 404


@pytest.mark.parametrize(
    ("zone", "expected"), [("Asia/Tokyo", "Asia/Tokyo"), ("nowhere", "Europe/Berlin"), ("", "Europe/Berlin")]
)
def test_who_confirms_gets_the_digest_by_the_clock_of_their_browser(
    signup_site: SignupSite, zone: str, expected: str
) -> None:
    signup_site.sign_up("ada@example.org")
    signup_site.wait_for_mails(1)
    link = signup_site.get_link()
    headers = {"sec-fetch-site": "same-origin"}
    response = signup_site.site.post(
        link.removeprefix(signup_site.site.pages.url), data={"zone": zone}, headers=headers
    )
    page = signup_site.get_account(read_session_cookie(response)).text
    assert f"on weekdays at 07:30 ({expected})" in page
