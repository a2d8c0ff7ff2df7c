"""What a reader's programs read and change: the same as the reader on the pages, and nothing of anybody else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select

from digest.core.subscribers.api_tokens import Scope
from digest.core.subscribers.own_digest import MAX_FOLLOWS
from digest.store.database.tables.digests import editions, opinions
from digest.store.database.tables.readers import audit_entries
from tests.support.timeouts import PATIENCE
from tests.web.api.conftest import Program, check_private, list_audit, make_program
from tests.web.conftest import Site
from tests.web.signup.conftest import SignupSite, read_database
from tests.web.signup.test_own_digests import BOB, Reader, list_titles


def wait_until(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def list_texts(program: Program) -> list[str]:
    return [follow["text"] for follow in program.get(program.digest_path)["follows"]]


def find_edition(program: Program) -> int:
    is_own = (editions.c.digest_id == program.reader.digest) & (editions.c.skipped == "")
    with program.site.app.store.begin_read() as tx:
        return int(max(tx.execute(select(editions.c.id).where(is_own)).scalars()))


# --- reading --------------------------------------------------------------------------------------


def test_the_digests_of_the_reader_are_listed_with_their_next_dates(ada: Program) -> None:
    (digest,) = ada.get("/digests")["digests"]

    assert (digest["id"], digest["title"]) == (ada.reader.digest, "Distributed computing & more")
    assert (digest["state"], digest["zone"]) == ("active", "Europe/Berlin")
    assert digest["schedule"] == {
        "days": [0, 1, 2, 3, 4],
        "month_day": 0,
        "at": "07:30",
        "latest": "",
        "zone": "Europe/Berlin",
    }
    assert len(digest["next"]) == 3
    details = ada.get(ada.digest_path)
    assert details["digest"] == digest
    assert [(follow["text"], follow["exclude"]) for follow in details["follows"]] == [
        ("cs.DC", False),
        ("=nothing", True),
    ]
    assert (details["is_mailed"], details["has_feed"]) == (True, False)


def test_the_preview_has_the_papers_of_the_page_and_of_the_edition_that_then_comes(ada: Program) -> None:
    preview = ada.get(f"{ada.digest_path}/preview")

    assert (preview["id"], preview["page"]) == (None, "")
    titles = [entry["paper"]["title"] for entry in preview["papers"]]
    page = ada.reader.signup_site.get_account(ada.reader.token, f"{ada.reader.path}/preview").text
    assert list_titles(page)[: len(titles)] == titles
    assert preview["papers"][0]["reasons"][0]["follow"] == "cs.DC"
    ada.reader.compose()
    (listed,) = ada.get(f"{ada.digest_path}/editions")["editions"]
    edition = ada.get(f"{ada.digest_path}/editions/{listed['id']}")
    assert edition["papers"] == preview["papers"]
    assert edition["more"] == preview["more"]
    assert listed["papers"] == len(edition["papers"]) + len(edition["more"])
    assert ada.site.get(edition["page"]).status_code == 200


def test_the_preview_of_a_query_says_how_it_is_read_and_how_much_it_finds(ada: Program) -> None:
    preview = ada.get("/preview?q=large+language+model")

    assert preview["read_as"] == "large AND language AND model"
    assert preview["papers_a_day"] > 0
    assert 1 <= len(preview["recent"]) <= 5
    wider = ada.get("/preview?q=xylophone+planning")["wider"]
    assert [suggestion["query"] for suggestion in wider] == ["planning"]


@pytest.mark.parametrize("query", ["title:(", "(", '"'])
def test_a_mistake_in_a_query_has_its_place(ada: Program, query: str) -> None:
    response = ada.request("GET", f"/preview?q={quote(query)}")

    assert response.status_code == 400
    assert 0 <= response.json()["position"] <= len(query)
    check_private(response)


@pytest.mark.parametrize("cursor", ["0", "x", "-1", "1e3", "9" * 20, "%00"])
def test_a_cursor_of_no_list_is_refused(ada: Program, cursor: str) -> None:
    for section in ("editions", "saved"):
        response = ada.request("GET", f"{ada.digest_path}/{section}?cursor={cursor}")
        assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")


# --- follows --------------------------------------------------------------------------------------


def test_a_follow_is_added_changed_and_removed_and_each_change_is_in_the_audit_log(ada: Program) -> None:
    follows = f"{ada.digest_path}/follows"
    response, again = (
        ada.request("POST", follows, json={"query": "planning", "weight": 2}) for _ in range(2)
    )
    check_private(response)
    assert (response.status_code, again.content) == (200, response.content)
    follow = response.json()
    assert (follow["text"], follow["weight"], follow["alert"]) == ("planning", 2.0, False)
    assert follow in ada.get(ada.digest_path)["follows"]
    ada.request("POST", follows, json={"query": "graph", "exclude": True})
    changed = ada.request("PATCH", f"{follows}/{follow['id']}", json={"alert": True}).json()
    assert changed == follow | {"alert": True}
    unchanged = ada.request("PATCH", f"{follows}/{follow['id']}", json={"alert": True, "weight": 2.0})
    assert unchanged.json() == changed
    assert ada.reader.list_follows()[2:] == [("planning", 2.0, False, True), ("graph", 1.0, True, False)]
    for _ in range(2):
        assert ada.request("DELETE", f"{follows}/{follow['id']}").status_code == 204

    assert list_texts(ada) == ["cs.DC", "=nothing", "graph"]
    digest = f"digest {ada.reader.digest}"
    assert [entry for entry in list_audit(ada.site) if not entry[0].startswith("read-")] == [
        ("add-follow", digest, 1),
        ("add-follow", digest, 1),
        ("change-follow", digest, 1),
        ("remove-follow", digest, 1),
    ]


def test_an_exclusion_has_no_weight(ada: Program) -> None:
    follows = f"{ada.digest_path}/follows"
    exclusion = ada.request("POST", follows, json={"query": "graph", "exclude": True}).json()

    refused = (
        ada.request("POST", follows, json={"query": "tree", "exclude": True, "weight": 2.0}),
        ada.request("POST", follows, json={"query": "tree", "exclude": True, "alert": True}),
        ada.request("PATCH", f"{follows}/{exclusion['id']}", json={"weight": 2.0}),
    )

    assert [response.status_code for response in refused] == [400, 400, 400]
    assert ada.request("PATCH", f"{follows}/0123456789abcdef", json={"weight": 2.0}).status_code == 404


def test_a_digest_that_is_full_is_a_conflict(ada: Program) -> None:
    editor = ada.reader.make_editor(timedelta())
    details = editor.load(ada.reader.digest)
    follow = details.follows[0]
    editor.import_follows(
        ada.reader.digest,
        [type(follow)(text=f"word{number}", query=f"word{number}") for number in range(MAX_FOLLOWS - 1)],
    )

    response = ada.request("POST", f"{ada.digest_path}/follows", json={"query": "planning"})

    assert (response.status_code, response.json()["title"]) == (409, "Conflict")


# --- saved papers ---------------------------------------------------------------------------------


def test_a_paper_is_saved_listed_and_removed_once_and_again(ada: Program) -> None:
    ada.reader.compose()
    edition = ada.get(f"{ada.digest_path}/editions/{find_edition(ada)}")
    key, other = (entry["paper"]["key"] for entry in edition["papers"][:2])
    saved = f"{ada.digest_path}/saved"
    for text in (key, key.removeprefix("arxiv:"), other):
        response = ada.request("POST", saved, json={"paper": text})
        assert (response.status_code, response.content) == (204, b"")
        check_private(response)

    assert {entry["paper"]["key"] for entry in ada.get(saved)["papers"]} == {key, other}
    page = ada.reader.get(f"{ada.reader.path}/saved").get_text()
    assert edition["papers"][0]["paper"]["title"] in page
    for _ in range(2):
        assert ada.request("DELETE", f"{saved}/{key}").status_code == 204
    assert [entry["paper"]["key"] for entry in ada.get(saved)["papers"]] == [other]
    digest = f"digest {ada.reader.digest}"
    assert [entry for entry in list_audit(ada.site) if "save" in entry[0] and "read" not in entry[0]] == [
        ("save-paper", digest, 1),
        ("save-paper", digest, 1),
        ("remove-saved-paper", digest, 1),
    ]


@pytest.mark.parametrize("text", ["9912.99999", "nothing", "a\x00b", "https://example.org/unknown", "10.1/x"])
def test_a_paper_that_is_not_in_the_database_cannot_be_saved(ada: Program, text: str) -> None:
    response = ada.request("POST", f"{ada.digest_path}/saved", json={"paper": text})

    assert response.status_code == 404
    removed = ada.request("DELETE", f"{ada.digest_path}/saved/{quote(text, safe='')}")
    assert removed.status_code in {204, 404}


@pytest.mark.parametrize("has_edition", [True, False])
def test_the_example_of_the_documentation_works_as_it_stands_there(
    ada: Program, *, has_edition: bool
) -> None:
    titles = ada.reader.compose() if has_edition else []
    page = Path(__file__).parents[3] / "docs" / "howto" / "api-tokens.md"
    (example,) = re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    environ = os.environ | {"DIGEST_SITE": ada.site.server_url, "DIGEST_TOKEN": ada.token}

    done = subprocess.run(
        [sys.executable, "-c", example], env=environ, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == [entry["paper"]["title"] for entry in list_saved(ada)]
    assert len(list_saved(ada)) == bool(titles)


def list_saved(program: Program) -> list[Any]:
    saved: list[Any] = program.get(f"{program.digest_path}/saved")["papers"]
    return saved


# --- whose it is ----------------------------------------------------------------------------------


def test_what_belongs_to_somebody_else_is_answered_as_what_does_not_exist(
    ada: Program, signup_site: SignupSite
) -> None:
    other = Reader(signup_site, BOB)
    other.compose()
    theirs = make_program(other)
    edition = find_edition(theirs)
    before = read_state(ada.site)
    for digest in (other.digest, 10**6, 10**18 - 1):
        path = f"/digests/{digest}"
        responses = [
            ada.request("GET", path),
            ada.request("GET", f"{path}/preview"),
            ada.request("GET", f"{path}/editions"),
            ada.request("GET", f"{path}/editions/{edition}"),
            ada.request("GET", f"{path}/saved"),
            ada.request("POST", f"{path}/follows", json={"query": "planning"}),
            ada.request("PATCH", f"{path}/follows/0123456789abcdef", json={"alert": True}),
            ada.request("DELETE", f"{path}/follows/0123456789abcdef"),
            ada.request("POST", f"{path}/saved", json={"paper": "2401.00001"}),
            ada.request("DELETE", f"{path}/saved/2401.00001"),
        ]
        answers = {(response.status_code, response.content) for response in responses}
        assert answers == {(404, responses[0].content)}, path
    for number in (edition, 10**6, 10**18 - 1):
        response = ada.request("GET", f"{ada.digest_path}/editions/{number}")
        assert response.status_code == 404
    assert read_state(ada.site) == before


def read_state(site: Site) -> list[Any]:
    with site.app.store.begin_read() as tx:
        is_change = ~audit_entries.c.action.startswith("read-") & ~audit_entries.c.action.startswith(
            "preview-"
        )
        return [
            *site.load_state(),
            *tx.execute(select(opinions)),
            *tx.execute(select(audit_entries).where(is_change)),
        ]


# --- what is kept ---------------------------------------------------------------------------------


def test_what_a_token_reads_is_one_entry_an_hour_and_when_it_was_used_is_on_the_account(ada: Program) -> None:
    for _ in range(3):
        ada.get("/digests")
    ada.get(f"{ada.digest_path}/saved")
    subject = f"token {ada.load_row().id}"
    expected = [("read-digests", subject, 3), ("read-saved-papers", subject, 1)]
    wait_until(lambda: sorted(list_audit(ada.site)) == expected)
    ada.get("/digests")
    expected[0] = ("read-digests", subject, 4)
    wait_until(lambda: sorted(list_audit(ada.site)) == expected)

    now = ada.site.app.clock()
    used_at = ada.load_row().used_at
    assert (used_at.minute, used_at.second) == (0, 0)
    assert now - used_at < timedelta(hours=2)
    assert "last used on" in ada.reader.get("/account").get_text()
    with ada.site.app.store.begin_read() as tx:
        rows = tx.execute(select(audit_entries.c.actor_kind, audit_entries.c.actor_name)).all()
    assert {tuple(row) for row in rows} == {("token", subject)}


def test_the_token_is_nowhere_but_in_the_answer_that_showed_it(
    ada: Program, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    ada.get("/digests")
    ada.request("POST", f"{ada.digest_path}/follows", json={"query": "("})
    ada.request("POST", f"{ada.digest_path}/follows", content=b"{")
    ada.request("GET", "/operator/status")
    ada.site.get(f"/api/v1/me/digests?access_token={ada.token}")
    wait_until(lambda: len(list_audit(ada.site)) == 1)

    secret = ada.token.removeprefix("digest_")
    pages = [ada.reader.get(path).decode() for path in ("/account", ada.reader.path)]
    out = capfd.readouterr()
    for text in (read_database(ada.site).decode(), *ada.site.operator_messages, caplog.text, *pages, *out):
        assert secret not in text


def test_the_database_has_no_token_that_works(ada: Program) -> None:
    token_hash = ada.load_row().token_hash

    assert ada.site.get("/api/v1/me/digests", authorization=f"Bearer {token_hash}").status_code == 401


def test_a_change_is_recorded_with_it_or_not_made(ada: Program) -> None:
    with ada.site.app.store.begin_write() as tx:
        tx.exec_driver_sql(
            "CREATE TRIGGER refuse BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    before = ada.reader.list_follows()

    response = ada.request("POST", f"{ada.digest_path}/follows", json={"query": "planning"})

    assert (response.status_code, response.headers["retry-after"]) == (503, "60")
    assert ada.reader.list_follows() == before


def test_a_token_may_read_only_or_change_only(ada: Program) -> None:
    reading, changing = (
        make_program(ada.reader, scope, name=scope.value) for scope in (Scope.READ, Scope.FOLLOW)
    )

    assert changing.request("GET", "/digests").status_code == 403
    body = {"query": "planning"}
    assert reading.request("POST", f"{ada.digest_path}/follows", json=body).status_code == 403
    assert changing.request("POST", f"{ada.digest_path}/follows", json=body).status_code == 200
