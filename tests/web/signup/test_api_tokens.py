"""API tokens on "Your account": made by a form, shown once, revoked by a click, and gone with their reader."""

from __future__ import annotations

import re
from datetime import timedelta

import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select, update

from digest.app import open_app
from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.store.database.tables.digests import digests
from digest.store.database.tables.readers import api_tokens
from digest.store.operations.audit import list_entries
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.web.conftest import Site
from tests.web.signup.conftest import SignupSite, describe_answer, read_database

ADA, BOB = "ada@example.org", "bob@example.org"
DIGESTS = "/api/v1/me/digests"


def get_form_key(signup_site: SignupSite, session: str) -> str:
    """The random text of the form on the account."""
    soup = BeautifulSoup(signup_site.get_account(session).text, "html.parser")
    (field,) = soup.select("form:has([name=days]) [name=key]")
    return str(field["value"])


def post(
    signup_site: SignupSite, session: str, /, site: str = "same-origin", query: str = "", **fields: str
) -> httpx.Response:
    headers = {"cookie": f"{SESSION_COOKIE}={session}", "sec-fetch-site": site}
    data = {"token": make_form_token(session)} | fields
    return signup_site.site.post(f"/account/tokens{query}", data=data, headers=headers)


def make(signup_site: SignupSite, session: str, *scopes: str, name: str = "notebook", days: int = 90) -> str:
    """Make a token as the form does, and return it."""
    fields = {f"scope-{scope}": "1" for scope in scopes or ("read",)}
    key = get_form_key(signup_site, session)
    response = post(signup_site, session, do="make", name=name, days=str(days), key=key, **fields)
    assert response.status_code == 200, response.headers
    return read_token(response)


def read_token(response: httpx.Response) -> str:
    (token,) = re.findall(r"digest_[A-Za-z0-9]{43}", response.text)
    return str(token)


def is_valid(site: Site, token: str) -> bool:
    return site.get(DIGESTS, authorization=f"Bearer {token}").status_code == 200


def list_rows(site: Site) -> list[dict[str, object]]:
    with site.app.store.begin_read() as tx:
        return [dict(row._mapping) for row in tx.execute(select(api_tokens).order_by(api_tokens.c.id))]


# --- making ---------------------------------------------------------------------------------------


def test_a_token_is_made_shown_once_used_and_revoked(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    key = get_form_key(signup_site, session)

    response = post(
        signup_site, session, do="make", name=" my  notebook ", days="30", key=key, **{"scope-read": "1"}
    )

    assert (response.status_code, response.headers["cache-control"]) == (200, "private, no-store")
    assert "not shown again" in response.text
    token = read_token(response)
    assert is_valid(site, token)
    page = signup_site.get_account(session).text
    assert token not in page
    assert "my notebook" in page
    assert "read your digests" in page
    assert "1 of 20 tokens" in page
    (row,) = list_rows(site)
    assert row["expires_at"] == row["created_at"] + timedelta(days=30)  # type: ignore[operator]
    answer = post(signup_site, session, do="revoke", number=str(row["id"]))
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert not is_valid(site, token)
    assert list_rows(site) == []


def test_a_reload_makes_no_second_token_and_says_why_it_shows_none(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    key = get_form_key(signup_site, session)
    fields = {"do": "make", "name": "notebook", "days": "90", "key": key, "scope-read": "1"}

    first, again = (post(signup_site, session, **fields) for _ in range(2))

    assert first.status_code == 200
    assert (again.status_code, again.headers["location"]) == (303, "/account?mistake=repeated+form")
    assert "shown only once" in signup_site.get_account(session, again.headers["location"]).text
    assert len(list_rows(site)) == 1
    (row,) = list_rows(site)
    post(signup_site, session, do="revoke", number=str(row["id"]))
    assert post(signup_site, session, **fields | {"name": "other"}).status_code == 303
    assert list_rows(site) == [], "not after the token was revoked, either"


def test_the_address_of_the_forms_leads_back_to_the_account(signup_site: SignupSite) -> None:
    session = signup_site.subscribe(ADA)

    response = signup_site.get_account(session, "/account/tokens?lang=de")

    assert (response.status_code, response.headers["location"]) == (303, "/account?lang=de")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": ""}, "Give the token a name"),
        ({"name": "x" * 61}, "Give the token a name"),
        ({"name": "a\x00b"}, "Give the token a name"),
        ({"name": "taken"}, "with this name"),
        ({"scope-read": None}, "Choose what the token allows."),
        ({"scope-read": None, "scope-operate": "1"}, "Choose what the token allows."),
        ({"days": "31"}, "how long the token is valid"),
        ({"days": "9" * 18}, "how long the token is valid"),
    ],
)
def test_a_wrong_choice_is_refused_in_words(
    signup_site: SignupSite, changed: dict[str, str | None], words: str
) -> None:
    session = signup_site.subscribe(ADA)
    make(signup_site, session, name="taken")
    key = get_form_key(signup_site, session)
    fields = {"do": "make", "name": "new", "days": "90", "key": key, "scope-read": "1"} | changed

    response = post(signup_site, session, **{name: text for name, text in fields.items() if text is not None})

    assert response.status_code == 303
    assert words in signup_site.get_account(session, response.headers["location"]).text
    assert len(list_rows(signup_site.site)) == 1


@pytest.mark.parametrize(
    "forged",
    [
        {"do": "everything"},
        {"days": "many"},
        {"days": "9" * 30},
        {"key": ""},
        {"key": "x" * 65},
        {"key": "ä"},
        {"do": "revoke", "number": "x"},
    ],
)
def test_what_no_form_sends_is_refused(signup_site: SignupSite, forged: dict[str, str]) -> None:
    session = signup_site.subscribe(ADA)
    fields = {"do": "make", "name": "new", "days": "90", "key": "a", "scope-read": "1"} | forged

    assert post(signup_site, session, **fields).status_code == 400
    assert list_rows(signup_site.site) == []


def test_a_reader_has_twenty_tokens_and_sees_how_many_are_left(signup_site: SignupSite) -> None:
    session = signup_site.subscribe(ADA)
    key = get_form_key(signup_site, session)
    for number in range(20):
        make(signup_site, session, name=str(number))

    page = signup_site.get_account(session).text
    assert "20 of 20 tokens" in page
    assert 'value="make"' not in page
    fields = {"do": "make", "name": "more", "days": "90", "key": key, "scope-read": "1"}
    response = post(signup_site, session, **fields)
    assert "as many as one can have" in signup_site.get_account(session, response.headers["location"]).text
    assert len(list_rows(signup_site.site)) == 20


def test_a_token_that_is_over_makes_room_and_gives_its_name_back(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    old = make(signup_site, session)
    with site.app.store.begin_write() as tx:
        tx.execute(update(api_tokens).values(expires_at=site.app.clock() - timedelta(seconds=1)))

    assert not is_valid(site, old)
    assert "notebook" not in signup_site.get_account(session).text
    assert is_valid(site, make(signup_site, session))
    assert len(list_rows(site)) == 1


# --- who may --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["make", "revoke"])
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"site": "cross-site"}, 400),
        ({"site": "same-site"}, 400),
        ({"token": ""}, 400),
        ({"token": "0" * 64}, 400),
        ({"session": ""}, 303),
        ({"session": make_session_token()}, 303),
    ],
)
def test_a_form_of_another_site_or_session_does_nothing(
    signup_site: SignupSite, form: str, change: dict[str, str], status: int
) -> None:
    session = signup_site.subscribe(ADA)
    make(signup_site, session)
    (row,) = before = list_rows(signup_site.site)
    fields = {
        "do": form,
        "number": str(row["id"]),
        "name": "new",
        "days": "90",
        "key": "a",
        "scope-read": "1",
    }
    fields["token"] = change.get("token", make_form_token(session))

    response = post(
        signup_site, change.get("session", session), site=change.get("site", "same-origin"), **fields
    )

    assert response.status_code == status
    assert response.headers.get("location", "/sign-in") == "/sign-in"
    assert list_rows(signup_site.site) == before


def test_the_number_of_a_token_of_somebody_else_revokes_nothing(signup_site: SignupSite) -> None:
    ada, bob = signup_site.subscribe(ADA), signup_site.subscribe(BOB)
    token = make(signup_site, ada)
    (row,) = list_rows(signup_site.site)

    known, unknown = (post(signup_site, bob, do="revoke", number=str(row["id"] + more)) for more in (0, 1))  # type: ignore[operator]

    assert describe_answer(known) == describe_answer(unknown)
    assert is_valid(signup_site.site, token)
    assert "notebook" not in signup_site.get_account(bob).text


# --- how long -------------------------------------------------------------------------------------


def test_a_token_outlasts_its_session_as_the_page_says(signup_site: SignupSite) -> None:
    session = signup_site.subscribe(ADA)
    token = make(signup_site, session)
    assert "Tokens stay valid when you sign out, also everywhere" in signup_site.get_account(session).text

    signup_site.post_account(session, do="sign-out-everywhere")

    assert is_valid(signup_site.site, token)


def test_a_token_outlasts_a_change_of_address(signup_site: SignupSite) -> None:
    session = signup_site.subscribe(ADA)
    token = make(signup_site, session)
    for link in signup_site.make_change_links(ADA, "new@example.net"):
        signup_site.press_button(link, cookie=f"{SESSION_COOKIE}={session}")

    assert is_valid(signup_site.site, token)


def test_tokens_that_are_over_are_forgotten(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    make(signup_site, session, days=30)
    later = site.app.clock() + timedelta(days=30, minutes=1)
    with open_app(site.workspace.folder / "digest.toml", later, {}) as app, app.open_steps() as steps:
        steps.prune()

    assert list_rows(site) == []


def test_a_deleted_reader_leaves_no_token(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    token = make(signup_site, session, name="sesquipedalian")
    assert is_valid(site, token)
    headers = {"cookie": f"{SESSION_COOKIE}={session}", "sec-fetch-site": "same-origin"}
    site.post("/account/delete", data={"token": make_form_token(session)}, headers=headers)

    assert not is_valid(site, token)
    assert list_rows(site) == []
    assert b"sesquipedalian" not in read_database(site)


def test_a_revoked_token_leaves_its_number_and_not_its_name(signup_site: SignupSite) -> None:
    site, session = signup_site.site, signup_site.subscribe(ADA)
    token = make(signup_site, session, "read", "follow", name="sesquipedalian")
    (row,) = list_rows(site)
    with site.app.store.begin_read() as tx:
        digest = tx.execute(select(digests.c.id).where(digests.c.made_by == "web")).scalar_one()
    headers = {"authorization": f"Bearer {token}"}
    path = f"{DIGESTS}/{digest}/follows"
    assert site.request("POST", path, headers=headers, json={"query": "planning"}).status_code == 200
    post(signup_site, session, do="revoke", number=str(row["id"]))

    with site.app.store.begin_read() as tx:
        assert [entry.actor.name for entry in list_entries(tx, 9)] == [f"token {row['id']}"]
    assert b"sesquipedalian" not in read_database(site)


@pytest.mark.parametrize(("language", "words"), [("de", "Ihr neuer API-Token"), ("zh", "您的新 API 令牌")])
def test_the_token_is_shown_in_each_language(signup_site: SignupSite, language: str, words: str) -> None:
    session = signup_site.subscribe(ADA)
    fields = {"do": "make", "name": "new", "days": "90", "key": "a", "scope-read": "1"}

    response = post(signup_site, session, query=f"?lang={language}", **fields)

    assert words in response.text
    assert f'href="/account?lang={language}#tokens"' in response.text
