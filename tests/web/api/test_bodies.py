"""Bodies and parameters of every kind: they are refused in words, and never lead to an error of the site."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.support.timeouts import PATIENCE
from tests.web.api.conftest import Program, check_private, make_program
from tests.web.conftest import serve_workspace
from tests.web.signup.conftest import SignupSite, make_signup_workspace
from tests.web.signup.test_own_digests import BOB, Reader

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text()
    | st.just("planning")
    | st.just("2401.00001"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(["query", "exclude", "weight", "alert", "only", "paper", "digest_id"]) | st.text()
BODIES = st.dictionaries(NAMES, VALUES, max_size=5) | VALUES
OTHERS = [f"bob{number}@example.org" for number in range(9)]
PEOPLE = f"\n[operator]\npeople = {json.dumps([BOB, *OTHERS])}\n"
ADDRESSES = iter(OTHERS)
ROUTES = (("POST", "/follows"), ("PATCH", "/follows/{follow}"), ("POST", "/saved"))


@pytest.fixture(scope="module")
def program(
    composed_folder: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Program]:
    folder = tmp_path_factory.mktemp("bodies") / "world"
    with MailServer() as server:
        workspace = make_signup_workspace(composed_folder, folder, server.port, more=PEOPLE)
        with serve_workspace(workspace, source) as site:
            yield make_program(Reader(SignupSite(site, server), BOB))
    shutil.rmtree(folder)


def renew(program: Program) -> Program:
    """A program of another reader, who has all requests of an hour before them."""
    address = next(ADDRESSES)
    return make_program(Reader(program.reader.signup_site, address), people=(address,))


@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_any_body_is_accepted_or_refused_in_words(program: Program, method: str, route: str) -> None:
    program = renew(program)
    (follow, *_) = program.get(program.digest_path)["follows"]
    path = program.digest_path + route.format(follow=follow["id"])

    @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.binary(max_size=50) | BODIES.map(lambda body: json.dumps(body).encode()))
    def check(body: bytes) -> None:
        response = program.request(method, path, content=body)
        assert response.status_code in {200, 204, 400, 404}, (body, response.text)
        check_private(response)
        if response.status_code >= 400:
            assert response.json()["detail"]

    check()
    assert set(program.site.operator_messages) == {"Somebody signed up for dc."}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body"),
        (b"[]", "the body"),
        (b'{"query": "planning", "color": "red"}', "color"),
        (b'{"query": 7}', "query"),
        (b'{"query": ""}', "query"),
        (b'{"query": "planning", "weight": "2"}', "weight"),
        (b'{"query": "planning", "weight": 1e400}', "weight"),
        (b'{"query": "planning", "weight": NaN}', "weight"),
        (b'{"query": "planning", "weight": 0}', "weight"),
        (b'{"query": "planning", "weight": -1' + b"0" * 500 + b"}", "weight"),
        (b'{"query": "planning", "alert": 1}', "alert"),
        (b'{"query": "a\\u0000b"}', "query"),
        (b'{"query": "a\\ud800b"}', "the body"),
        (b"[" * 10_000, "the body"),
    ],
)
def test_a_wrong_follow_is_refused_with_the_place_of_the_mistake(
    program: Program, body: bytes, words: str
) -> None:
    before = program.reader.list_follows()

    response = program.request("POST", f"{program.digest_path}/follows", content=body)

    assert response.status_code == 400
    assert words in response.json()["detail"]
    assert program.reader.list_follows() == before


def test_a_body_that_is_too_long_is_refused(program: Program) -> None:
    body = json.dumps({"query": "x" * 70_000}).encode()

    def send_chunks() -> Iterator[bytes]:
        yield body[:40_000]
        yield body[40_000:]

    path = f"{program.digest_path}/follows"
    statuses = [
        program.request("POST", path, content=content).status_code for content in (body, send_chunks())
    ]
    assert statuses == [413, 413]


def test_without_a_token_a_body_is_not_read(program: Program) -> None:
    response = program.site.post(f"/api/v1/me{program.digest_path}/follows", content=b"{")

    assert response.status_code == 401


def test_it_satisfies_its_own_schema_whatever_it_is_asked(program: Program) -> None:
    url = f"{program.site.server_url}/api/v1"
    token = renew(program).token
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path.startswith("/me/"):
            check_operation(operation, url, token)


def check_operation(operation: Any, url: str, token: str) -> None:
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(operation.as_strategy())
    def check(case: schemathesis.Case[Any]) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        # A schema cannot describe which texts are queries and whose the digests are.
        case.call_and_validate(base_url=url, headers=headers, excluded_checks=[positive_data_acceptance])

    check()


@pytest.mark.parametrize(
    "started",
    [
        b"content-length: 1000\r\n\r\n{",
        b"content-length: 1000\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n",
    ],
    ids=["a part of it", "nothing of it", "a chunk"],
)
def test_a_body_that_breaks_off_is_no_error(
    program: Program, started: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    host, _, port = program.site.server_url.removeprefix("http://").rpartition(":")
    head = f"POST /api/v1/me{program.digest_path}/follows HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {program.token}\r\n"
    before = program.reader.list_follows()
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + started)

    for _ in range(3):
        program.get("/digests")
    assert caplog.messages == []
    assert program.reader.list_follows() == before
