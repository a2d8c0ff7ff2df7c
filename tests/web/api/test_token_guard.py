"""Every route of the personal API, with every kind of token that must not open it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import delete, insert, select, update

from digest.core.subscribers.api_tokens import TOKEN_RATE, Scope, make_api_token
from digest.demo.publisher import Publisher
from digest.store.database.tables.digests import digests
from digest.store.database.tables.papers import buckets
from digest.store.database.tables.readers import api_tokens
from digest.testing.mail_server import MailServer
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.timeouts import PATIENCE
from tests.web.api.conftest import ME, PEOPLE, Program, check_private, list_audit, make_program
from tests.web.conftest import Site, serve_workspace
from tests.web.signup.conftest import SignupSite, make_signup_workspace
from tests.web.signup.test_own_digests import ADA, BOB, Reader

VALUES = {
    "digest_id": "{digest}",
    "edition_id": "1",
    "follow_id": "0123456789abcdef",
    "key": "arxiv:2401.00001",
    "run": "1",
}
"""What stands in the addresses of routes."""
BODIES = {
    "/digests/{digest_id}/follows": {"query": "planning"},
    "/digests/{digest_id}/follows/{follow_id}": {"alert": True},
    "/digests/{digest_id}/saved": {"paper": "2401.00001"},
}
REALM = 'Bearer realm="digest"'


def iter_routes(site: Site) -> Iterator[tuple[str, str, Scope]]:
    """Method, path and scope of all personal routes, as the schema has them."""
    paths = site.get("/api/v1/openapi.json").json()["paths"]
    for path, operations in paths.items():
        if not path.startswith("/me/"):
            continue
        for method in operations:
            scope = Scope.READ if method == "get" else Scope.FOLLOW
            yield method.upper(), path.removeprefix("/me"), Scope.OPERATE if "/operator" in path else scope


def call(program: Program, method: str, path: str, **more: object) -> httpx.Response:
    """A request to a route, for the program's own digest."""
    address = path.format(**VALUES).replace("{digest}", str(program.reader.digest))
    query = "?q=planning" if path == "/preview" else ""
    body = BODIES.get(path) if method in {"POST", "PATCH"} else None
    return program.request(method, f"{address}{query}", json=body, **more)


def change_token(site: Site, **values: datetime) -> None:
    with site.app.store.begin_write() as tx:
        tx.execute(update(api_tokens).values(**values))


def load_state(site: Site) -> object:
    with site.app.store.begin_read() as tx:
        used = tx.execute(select(api_tokens.c.id, api_tokens.c.used_at)).all()
    return site.load_state(), used, list_audit(site)


def test_the_schema_has_all_routes_and_says_which_need_a_token(signup_site: SignupSite) -> None:
    schema = signup_site.site.get("/api/v1/openapi.json").json()
    (scheme,) = schema["components"]["securitySchemes"].values()

    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert len(list(iter_routes(signup_site.site))) == 18
    assert "nobody signs in" in schema["info"]["description"]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            is_own = path.startswith("/me/")
            assert operation.get("security", []) == ([{"apiToken": []}] if is_own else [])
            assert ("401" in operation["responses"]) is is_own
            assert "422" not in operation["responses"]


def test_without_a_valid_token_every_route_answers_the_same_and_does_nothing(ada: Program) -> None:
    site, secret = ada.site, ada.token
    revoked = make_program(ada.reader, name="revoked").token
    with site.app.store.begin_write() as tx:
        tx.execute(delete(api_tokens).where(api_tokens.c.name == "revoked"))
    wrong: list[dict[str, str] | list[tuple[str, str]]] = [
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": f"Bearer {make_api_token()}"},
        {"authorization": f"Bearer {revoked}"},
        {"authorization": f"Bearer {secret.lower()}"},
        {"authorization": f"Bearer {secret}x"},
        {"authorization": f"Bearer {secret[:-1]}"},
        {"authorization": f"Basic {secret}"},
        {"authorization": secret},
        {"authorization": f"Bearer {secret}, Bearer {secret}"},
        {"authorization": "Bearer " + "x" * 5_000},
        {"authorization": "", "cookie": f"{SESSION_COOKIE}={ada.reader.token}"},
        {"authorization": "", "cookie": f"token={secret}"},
        {"authorization": "", "x-api-key": secret},
    ]
    before = load_state(site)
    answers = set()
    for method, path, _ in iter_routes(site):
        for headers in wrong:
            response = call(ada, method, path, headers=headers)
            check_private(response)
            answers.add((response.status_code, response.content, response.headers["www-authenticate"]))
        address = f"{ME}{path.format(**VALUES)}".replace("{digest}", str(ada.reader.digest))
        for parameter in ("access_token", "token"):
            response = site.request(method, f"{address}?{parameter}={secret}", json={"access_token": secret})
            answers.add((response.status_code, response.content, response.headers["www-authenticate"]))

    ((status, content, header),) = answers
    assert (status, header) == (401, REALM)
    assert b'"detail":"send a valid token as Authorization: Bearer' in content
    assert load_state(site) == before


def test_two_headers_are_none(ada: Program) -> None:
    header = ("authorization", f"Bearer {ada.token}")

    response = ada.site.request("GET", f"{ME}/digests", headers=[header, header])

    assert response.status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_written_in_any_case(ada: Program, scheme: str) -> None:
    assert ada.site.get(f"{ME}/digests", authorization=f"{scheme} {ada.token}").status_code == 200


def test_a_token_that_is_over_or_from_the_future_is_none(ada: Program) -> None:
    now = ada.site.app.clock()
    values = [
        {"created_at": now - timedelta(30), "expires_at": now - timedelta(seconds=1)},
        {"created_at": now + timedelta(1), "expires_at": now + timedelta(31)},
    ]
    for over in values:
        change_token(ada.site, **over)
        for method, path, _ in iter_routes(ada.site):
            response = call(ada, method, path)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, REALM)


@pytest.mark.parametrize("scope", list(Scope))
def test_a_scope_opens_its_routes_and_no_others(bob: Program, scope: Scope) -> None:
    program = make_program(bob.reader, scope, name="one scope")
    for method, path, needed in iter_routes(bob.site):
        response = call(program, method, path)
        check_private(response)
        if needed is scope:
            assert response.status_code in {200, 204, 404}, (path, response.text)
        else:
            assert response.status_code == 403
            expected = f'{REALM}, error="insufficient_scope", scope="{needed.value}"'
            assert response.headers["www-authenticate"] == expected


def test_a_token_of_a_former_operator_reads_and_no_longer_operates(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, more=PEOPLE)
    with serve_workspace(workspace, source) as site:
        program = make_program(Reader(SignupSite(site, mail_server), BOB))
        assert program.request("GET", "/operator/status").status_code == 200
        assert 'name="scope-operate"' in program.reader.get("/account").decode()
    file = workspace.folder / "digest.toml"
    file.write_text(file.read_text("utf-8").replace(f'people = ["{BOB}"]', f'people = ["{ADA}"]'), "utf-8")
    with serve_workspace(workspace, source) as site:
        for method, path, needed in iter_routes(site):
            response = site.request(
                method,
                f"{ME}{path.format(**VALUES)}".replace("{digest}", "1"),
                headers={"authorization": f"Bearer {program.token}"},
            )
            assert (response.status_code == 403) is (needed is Scope.OPERATE), path
        account = SignupSite(site, mail_server).get_account(program.reader.token).text
        assert 'name="scope-operate"' not in account


def test_an_operator_who_changes_their_address_no_longer_operates(
    bob: Program, signup_site: SignupSite
) -> None:
    for link in signup_site.make_change_links(BOB, "new@example.net"):
        signup_site.press_button(link, cookie=f"{SESSION_COOKIE}={bob.reader.token}")

    assert bob.request("GET", "/digests").status_code == 200
    assert bob.request("GET", "/operator/status").status_code == 403


def test_when_readers_can_no_longer_sign_in_their_tokens_open_nothing_and_those_of_operators_do(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, more=PEOPLE)
    with serve_workspace(workspace, source) as site:
        signup_site = SignupSite(site, mail_server)
        ada, bob = (make_program(Reader(signup_site, address)) for address in (ADA, BOB))
        assert ada.request("GET", "/digests").status_code == 200
    file = workspace.folder / "digest.toml"
    text = file.read_text("utf-8")
    start, end = text.index("[signup]"), text.index("[[public_digest]]")
    file.write_text(text[:start] + text[end:], "utf-8")
    with serve_workspace(workspace, source) as site:
        before = load_state(site)
        for method, path, _ in iter_routes(site):
            address = f"{ME}{path.format(**VALUES)}".replace("{digest}", str(ada.reader.digest))
            response = site.request(method, address, headers={"authorization": f"Bearer {ada.token}"})
            assert (response.status_code, response.headers["www-authenticate"]) == (401, REALM), path
        assert load_state(site) == before
        assert site.get(f"{ME}/digests", authorization=f"Bearer {bob.token}").status_code == 200


def test_who_is_no_operator_gets_no_token_that_operates(ada: Program) -> None:
    assert ada.load_row().scopes == ["follow", "read"]
    assert 'name="scope-operate"' not in ada.reader.get("/account").decode()


# --- limits ---------------------------------------------------------------------------------------


def test_a_reader_has_a_limit_an_hour_that_all_tokens_and_processes_share(ada: Program, bob: Program) -> None:
    other, now = make_program(ada.reader, name="other"), ada.site.app.clock()
    with ada.site.app.store.begin_write() as tx:
        row = {
            "name": f"requests:readers:{ada.load_row().subscriber_id}",
            "next_at": now + timedelta(hours=1),
        }
        tx.execute(insert(buckets).values(row))
    ada.request("GET", "/digests")  # learns at the end of the second what other processes have counted
    deadline = time.monotonic() + PATIENCE
    while (response := ada.request("GET", "/digests")).status_code == 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)

    assert response.status_code == 429
    check_private(response)
    assert 1 <= int(response.headers["retry-after"]) <= 3_600
    for method, path, _ in iter_routes(ada.site):
        assert call(ada, method, path).status_code == 429
    assert other.request("GET", "/digests").status_code == 429
    assert bob.request("GET", "/digests").status_code == 200


def test_after_the_requests_of_an_hour_the_next_one_waits(ada: Program) -> None:
    with ada.site.open_client() as client:
        headers = {"authorization": f"Bearer {ada.token}"}
        statuses = [
            client.get(f"{ME}/digests/0", headers=headers).status_code
            for _ in range(TOKEN_RATE.messages + 30)
        ]

    assert statuses[: TOKEN_RATE.messages] == [404] * TOKEN_RATE.messages
    assert statuses[-1] == 429


def test_whoever_guesses_tokens_is_limited_by_network(signup_site: SignupSite) -> None:
    with signup_site.site.open_client() as client:
        statuses = {
            client.get(
                f"{ME}/digests",
                headers={
                    "authorization": f"Bearer {make_api_token()}",
                    "x-forwarded-for": f"198.51.100.{number % 250}",
                },
            ).status_code
            for number in range(320)
        }

    assert statuses == {401, 429}


# --- other requests -------------------------------------------------------------------------------


def test_scripts_of_other_sites_are_not_let_in(ada: Program) -> None:
    headers = {"origin": "https://evil.example", "access-control-request-method": "GET"}
    for method, path, _ in iter_routes(ada.site):
        for response in (
            call(ada, "OPTIONS", path, headers=headers),
            call(ada, method, path, headers=headers),
        ):
            check_private(response)
        assert call(ada, "OPTIONS", path, headers=headers).status_code == 405


def test_a_method_that_a_path_has_not_is_refused_with_those_that_it_has(ada: Program) -> None:
    expected = {
        "/digests": "GET",
        f"{ada.digest_path}/follows/0123456789abcdef": "DELETE, PATCH",
        f"{ada.digest_path}/saved": "GET, POST",
    }
    for path, methods in expected.items():
        response = ada.request("PUT", path)
        assert (response.status_code, response.headers["allow"]) == (405, methods)


@pytest.mark.parametrize("path", ["/nothing", "/digests/x", "/digests/1/everything", "/digests/-1", "/"])
def test_an_unknown_path_is_a_problem(ada: Program, path: str) -> None:
    response = ada.request("GET", path)

    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")
    check_private(response)


@pytest.mark.parametrize("digits", [19, 300, 4_299, 4_301, 10_000])
def test_numbers_of_any_length_are_of_nobody(ada: Program, digits: int) -> None:
    for path in (f"/digests/{'9' * digits}", f"{ada.digest_path}/editions/{'9' * digits}"):
        assert ada.request("GET", path).status_code == 404
    page = ada.reader.signup_site.get_account(ada.reader.token, f"/account/digests/{'9' * digits}")
    assert page.status_code == 404


def test_a_site_without_accounts_has_no_personal_part(shared_site: Site) -> None:
    schema = shared_site.get("/api/v1/openapi.json").json()

    assert not any(path.startswith("/me/") for path in schema["paths"])
    assert "securitySchemes" not in schema.get("components", {})
    response = shared_site.get(f"{ME}/digests", authorization=f"Bearer {make_api_token()}")
    assert response.status_code == 404


def test_the_public_part_ignores_tokens(ada: Program) -> None:
    with ada.site.app.store.begin_read() as tx:
        assert tx.execute(select(digests.c.id)).first()
    plain = ada.site.get("/api/v1/days")
    with_token = ada.site.get("/api/v1/days", authorization=f"Bearer {ada.token}")

    assert with_token.content == plain.content
    assert with_token.headers["access-control-allow-origin"] == "*"
