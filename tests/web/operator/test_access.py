"""Nobody but an operator who has just signed in gets the operator's pages, or can tell that there are any."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from bs4 import BeautifulSoup
from fastapi.routing import APIRoute

from digest.core.delivery.signup_links import SigninRequest
from digest.core.subscribers.sessions import make_form_token
from digest.demo.publisher import Publisher
from digest.jobs.subscribers.signup.sign_ins import SigninService
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer
from digest.web.operator.routes import make_operator_routes
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.workspace import Workspace
from tests.web.conftest import serve_workspace
from tests.web.operator.conftest import OPERATOR, READER, OperatorSite, list_links, sign_in
from tests.web.signup.conftest import SignupSite, describe_answer, find_traces, read_database


def list_routes() -> list[tuple[str, str]]:
    """The method and a path of each operator's page."""
    routes = make_operator_routes(None, None)  # type: ignore[arg-type] # only their paths are looked at
    return sorted(
        (
            method,
            route.path.replace("{run:number}", "1")
            .replace("{number:number}", "1")
            .replace("{action}", "retry"),
        )
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    )


ROUTES = list_routes()
READ_PATHS = [path for method, path in ROUTES if method == "GET"]
WRITE_PATHS = [path for method, path in ROUTES if method == "POST"]
FIELDS = {
    "/operator/deliveries/retry": {"state": "refused", "last": "9", "key": "k"},
    "/operator/deliveries": {"do": "search", "address": READER},
    "/operator/subscribers": {"do": "search", "address": READER},
    "/operator/runs/1": {"do": "release"},
    "/operator/subscribers/1": {"do": "stop"},
    "/operator/destinations/1": {"do": "stop"},
    "/operator/suppressions": {"do": "lift", "report": "1"},
}


def ask_for_all(site: OperatorSite, token: str, **headers: str) -> dict[tuple[str, str], httpx.Response]:
    """Ask for each page and send each form."""
    cookie = {"cookie": f"{SESSION_COOKIE}={token}"} if token else {}
    form = {"token": make_form_token(token)} if token else {}
    return {
        (method, path): site.signup_site.site.request(
            method,
            path,
            headers={"sec-fetch-site": "same-origin"} | cookie | headers,
            **({"data": form | FIELDS.get(path, {})} if method == "POST" else {}),
        )
        for method, path in ROUTES
    }


def make_unknown_answers(site: OperatorSite) -> dict[str, tuple[object, ...]]:
    """What an address without a page answers, by method."""
    return {
        method: describe_answer(site.signup_site.site.request(method, "/no-such-page"))
        for method in ("GET", "HEAD", "POST")
    }


def check_hidden(site: OperatorSite, token: str, **headers: str) -> None:
    unknown = make_unknown_answers(site)
    for (method, path), response in ask_for_all(site, token, **headers).items():
        assert describe_answer(response) == unknown[method], (method, path)
        assert response.status_code == 404


# --- who gets them --------------------------------------------------------------------------------


def test_strangers_and_readers_get_what_an_unknown_address_gets(operator_site: OperatorSite) -> None:
    reader = operator_site.signup_site.subscribe(READER)
    before = read_database(operator_site.signup_site.site)
    check_hidden(operator_site, "")
    check_hidden(operator_site, "x" * 43)
    check_hidden(operator_site, reader)
    check_hidden(operator_site, reader, **{"sec-fetch-site": "cross-site"})
    assert read_database(operator_site.signup_site.site) == before


def test_no_query_and_no_number_tells_strangers_that_there_are_pages(operator_site: OperatorSite) -> None:
    site, reader = operator_site.signup_site.site, operator_site.signup_site.subscribe(READER)
    many_parameters = "&".join(f"a{number}=1" for number in range(11))
    unknown = make_unknown_answers(operator_site)
    for token in ("", reader):
        headers = {"sec-fetch-site": "same-origin"} | (
            {"cookie": f"{SESSION_COOKIE}={token}"} if token else {}
        )
        for method, path in ROUTES:
            for address in (f"{path}?{many_parameters}", path.replace("/1", f"/{'9' * 4_400}")):
                answer = site.request(method, address, headers=headers)
                assert describe_answer(answer) == unknown[method], (method, address[:60])


def test_operators_and_readers_are_told_of_an_address_without_meaning(operator_site: OperatorSite) -> None:
    many_parameters = "&".join(f"a{number}=1" for number in range(11))
    for path in (*(path for path in READ_PATHS if path != "/operator/deliveries/retry"), "/account"):
        assert operator_site.get(f"{path}?{many_parameters}").status_code == 400, path
        assert operator_site.post(f"/account?{many_parameters}", do="end").status_code == 400
    for path in ("/operator/runs", "/operator/subscribers", "/operator/destinations"):
        assert operator_site.get(f"{path}/{'9' * 4_400}").status_code == 404, path


def test_no_method_and_no_length_tells_strangers_that_there_are_pages(operator_site: OperatorSite) -> None:
    site = operator_site.signup_site.site
    unknown = describe_answer(site.request("DELETE", "/no-such-page"))
    for path in ("/operator", "/operator/runs", "/operator/sign-in", "/operator/no-such-page"):
        for method in ("DELETE", "PUT", "OPTIONS", "POST"):
            assert describe_answer(site.request(method, path)) == unknown, (method, path)
    long = site.request("POST", "/operator/subscribers", content=iter([b"x" * 100_000]))
    assert long.status_code == 404
    assert "/operator" not in site.get("/robots.txt").text


def test_an_operator_gets_every_page_and_nobody_stores_one(operator_site: OperatorSite) -> None:
    operator_site.signup_site.subscribe(READER)
    for path in READ_PATHS:
        query = "?state=ready" if path.endswith("/retry") else ""
        response = operator_site.get(f"{path}{query}".replace("subscribers/1", "subscribers/2"))
        assert response.status_code == 200, path
        assert response.headers["cache-control"] == "private, no-store"
        assert response.headers["x-robots-tag"] == "noindex"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["referrer-policy"] == "same-origin"
        assert BeautifulSoup(response.text, "html.parser").html["lang"] == "en"  # type: ignore[index]


def test_the_account_of_an_operator_leads_to_the_pages_and_that_of_a_reader_does_not(
    operator_site: OperatorSite,
) -> None:
    reader = operator_site.signup_site.subscribe(READER)
    assert 'href="/operator"' in operator_site.get("/account").text
    assert 'href="/operator"' not in operator_site.get("/account", reader).text


def test_who_is_removed_from_the_people_loses_access_at_once_and_keeps_the_account(
    operator_site: OperatorSite, operator_workspace: Workspace, source: Publisher, mail_server: MailServer
) -> None:
    file = operator_workspace.folder / "digest.toml"
    file.write_text(file.read_text("utf-8").replace(OPERATOR, "other@example.org"), "utf-8")
    with serve_workspace(operator_workspace, source) as site:
        after = OperatorSite(SignupSite(site, mail_server), operator_site.token)
        check_hidden(after, operator_site.token)
        assert after.get("/account").status_code == 200


# --- an old session -------------------------------------------------------------------------------


def test_after_an_hour_an_operator_is_asked_to_sign_in_again_and_comes_back(
    operator_site: OperatorSite,
) -> None:
    operator_site.age_session(timedelta(minutes=59))
    assert operator_site.get().status_code == 200
    operator_site.age_session()
    for (method, path), response in ask_for_all(operator_site, operator_site.token).items():
        if path != "/operator/sign-in":
            assert response.status_code == 403, (method, path)
        if method == "GET":
            assert "You signed in more than an hour ago." in response.text
    assert operator_site.list_audit() == []

    mail = operator_site.signup_site.wait_for_mails(1)[0]  # of the form among all the others
    assert mail["To"] == OPERATOR.lower()
    link = operator_site.signup_site.get_link()
    done = operator_site.signup_site.press_button(link)
    assert (done.status_code, done.headers["location"]) == (303, "/operator")
    token = SESSION_COOKIE + "=" + done.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert operator_site.signup_site.site.get("/operator", cookie=token).status_code == 200


def test_the_link_comes_at_most_once_in_ten_minutes(operator_site: OperatorSite) -> None:
    for count in range(1, 3):
        assert operator_site.post("/operator/sign-in").headers["location"] == "/sign-in/sent"
        if count == 1:
            operator_site.signup_site.wait_for_mails(1)
    operator_site.signup_site.wait_until_handled()
    recipients = [mail.recipients[0] for mail in operator_site.signup_site.server.received]
    assert recipients.count(OPERATOR.lower()) == 1


def test_operators_can_sign_in_every_hour_and_strangers_cannot_use_that_up(
    operator_site: OperatorSite,
) -> None:
    site = operator_site.signup_site.site
    service = SigninService(store=site.app.store, settings=site.app.settings, keys=site.pages.keys)

    def count_links(*, is_for_operator: bool) -> int:
        """The links of a day on which somebody asks for one every hour."""
        request = SigninRequest(address=OPERATOR, language="en", is_for_operator=is_for_operator)
        times = [site.app.clock() + timedelta(minutes=57 * number) for number in range(25)]
        links = [service.prepare_link(request, now) for now in times]
        return sum(link is not None and link.may_be_sent for link in links)

    assert count_links(is_for_operator=False) == 3, "by the form that anybody can fill in"
    assert count_links(is_for_operator=True) == 24, "by the button that only an operator gets"


# --- forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WRITE_PATHS)
def test_a_form_from_elsewhere_or_without_the_token_of_the_session_does_nothing(
    operator_site: OperatorSite, path: str
) -> None:
    fields = FIELDS.get(path, {})
    reader = operator_site.signup_site.subscribe(READER)
    before = read_database(operator_site.signup_site.site)
    for answer in (
        operator_site.post(path, site="cross-site", **fields),
        operator_site.post(path, site="same-site", **fields),
        operator_site.post(path, **fields | {"token": ""}),
        operator_site.post(path, **fields | {"token": make_form_token(reader)}),
    ):
        assert answer.status_code == 400
    assert read_database(operator_site.signup_site.site) == before


def test_fields_without_meaning_are_refused(operator_site: OperatorSite) -> None:
    for path in ("/operator/runs/1", "/operator/destinations/1", "/operator/suppressions"):
        assert operator_site.post(path, do="nonsense").status_code == 400
    for query in ("state=nonsense", "run=x", "before=-1", "to=99999999999999999999", "code=a%40b"):
        assert operator_site.get(f"/operator/deliveries?{query}").status_code == 400, query
    assert operator_site.get("/operator/deliveries/retry").status_code == 400, "nothing is selected"
    assert operator_site.get("/operator/deliveries/nonsense?state=sent").status_code == 400
    for path in ("/operator/runs/999", "/operator/runs/99999999999999999999", "/operator/subscribers/999"):
        assert operator_site.get(path).status_code == 404


# --- addresses ------------------------------------------------------------------------------------


def test_no_address_of_a_page_or_a_message_contains_the_address_of_anybody(
    operator_site: OperatorSite,
) -> None:
    operator_site.signup_site.subscribe(READER)
    reader_path = operator_site.find_path(READER)
    paths = [path for path in READ_PATHS if not path.endswith("/retry")]
    for path in (*paths, reader_path, "/operator/deliveries?state=ready"):
        for link in list_links(operator_site.get(path).text):
            assert "@" not in link.removeprefix("mailto:ops@example.org"), (path, link)
            assert "%40" not in link
    for location in (
        reader_path,
        operator_site.post("/operator/deliveries", do="search", address="me@example.org").headers["location"],
        operator_site.post("/operator/deliveries", do="filter", domain=READER).headers["location"],
    ):
        assert "ada" not in location
        assert "@" not in location
    assert find_traces("".join(operator_site.signup_site.site.operator_messages).encode(), READER) == []


# --- operators without a digest -------------------------------------------------------------------


def test_an_operator_without_a_digest_gets_a_link_and_has_an_empty_account(
    operator_site: OperatorSite,
) -> None:
    with operator_site.signup_site.site.app.store.begin_read() as tx:
        assert list_subscribers(tx, address=OPERATOR) == ()
    operator_site.signup_site.sign_in(OPERATOR)
    (mail,) = operator_site.signup_site.wait_for_mails(1)
    assert mail["To"] == OPERATOR
    assert "You have no digest here." in operator_site.read("/account")


def test_without_sign_ups_operators_alone_can_sign_in(
    operator_workspace: Workspace, source: Publisher, mail_server: MailServer
) -> None:
    with serve_workspace(operator_workspace, source) as site:
        reader = SignupSite(site, mail_server).subscribe(READER)
    file = operator_workspace.folder / "digest.toml"
    text = file.read_text("utf-8")
    start, end = text.index("[signup]"), text.index("[[public_digest]]")
    file.write_text(text[:start] + text[end:], "utf-8")
    with serve_workspace(operator_workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        assert "This is for the operators of this site." in site.get("/sign-in").text
        assert 'href="/account"' not in site.get("/").text
        assert signup_site.sign_in(READER).headers["location"] == "/sign-in/sent"
        assert signup_site.sign_in(OPERATOR).headers["location"] == "/sign-in/sent"
        (mail,) = signup_site.wait_for_mails(1)
        assert mail["To"] == OPERATOR
        assert signup_site.press_button(signup_site.make_signin_link(READER)).status_code == 404
        assert signup_site.get_account(reader).status_code == 303
        token = sign_in(signup_site)
        assert signup_site.get_account(token, "/operator").status_code == 200
        account = signup_site.get_account(token)
        assert account.status_code == 200
        assert "Your address" not in account.text, "a change would need sign-ups"
