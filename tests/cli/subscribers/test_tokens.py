"""What an operator can rely on of `digest subscribers tokens`."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from digest.app import open_app
from digest.cli.terminal.actors import make_shell_actor
from digest.core.subscribers.api_tokens import Scope, TokenChoice
from digest.store.database.tables.digests import subscribers
from digest.store.operations.audit import list_entries
from digest.store.subscribers.accounts.sessions import find_subscriber_id
from digest.store.subscribers.tokens.api_tokens import add_token, record_use
from tests.store.factories import NOW
from tests.support.workspace import Workspace

ADA, BOB = "ada@example.org", "bob@example.org"
CONFIG = """
[store]
url = "sqlite:///digest.db"

[[source]]
use = "arxiv"
categories = ["cs.LG"]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two readers, of whom one has two tokens and one that is over, and the other one none."""
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    with open_app(tmp_path / "digest.toml", NOW, {}) as app, app.store.begin_write() as tx:
        now = app.clock()
        tx.execute(insert(subscribers), [{"address": ADA}, {"address": BOB}])
        ada = find_subscriber_id(tx, ADA)
        assert ada is not None
        numbers: list[int] = []
        for name, scopes, days in (
            ("over", [Scope.READ], -1),
            ("notebook", [Scope.READ], 90),
            ("lab", [Scope.READ, Scope.FOLLOW], 365),
        ):
            choice = TokenChoice(name=name, scopes=frozenset(scopes), lifetime=timedelta(days=days))
            numbers.append(add_token(tx, name, ada, choice, now - timedelta(days=3)))
        record_use(tx, numbers[-1], now.replace(minute=0, second=0, microsecond=0))
    return workspace


def list_audit(workspace: Workspace) -> list[tuple[str, str, str]]:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        return [(entry.actor.kind, entry.action, entry.subject) for entry in list_entries(tx, 10)]


def test_the_tokens_of_a_reader_are_listed_newest_first(workspace: Workspace) -> None:
    lines = workspace.run("subscribers", "tokens", ADA.upper()).output.splitlines()

    assert [line.split(";")[0] for line in lines] == ["3  lab: follow, read", "2  notebook: read"]
    assert "never used" in lines[1]
    assert "last used 20" in lines[0]
    assert workspace.run("subscribers", "tokens", BOB).output == f"{BOB} has no API tokens.\n"


def test_tokens_are_revoked_by_number_and_the_audit_log_has_who_did_it(workspace: Workspace) -> None:
    result = workspace.run("subscribers", "tokens", ADA, "--revoke", "2", "--revoke", "3")

    assert result.output == "Token 2 is revoked.\nToken 3 is revoked.\n"
    assert json.loads(workspace.run("subscribers", "tokens", ADA, "--json").output) == []
    assert list_audit(workspace) == [
        ("shell", "revoke-token", "token 3"),
        ("shell", "revoke-token", "token 2"),
    ]
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        assert {entry.actor for entry in list_entries(tx, 10)} == {make_shell_actor()}


@pytest.mark.parametrize("number", ["2", "99", "9" * 30])
def test_a_number_that_is_not_of_the_reader_revokes_nothing(workspace: Workspace, number: str) -> None:
    result = workspace.run("subscribers", "tokens", BOB, "--revoke", number, status=2)

    assert f"has no token {number}" in result.output
    both = workspace.run("subscribers", "tokens", ADA, "--revoke", "3", "--revoke", "99", status=2)
    assert "has no token 99" in both.output
    assert list_audit(workspace) == []
    document = json.loads(workspace.run("subscribers", "tokens", ADA, "--json").output)
    assert [token["number"] for token in document] == [3, 2]
    assert document[1]["used"] is None


def test_an_unknown_address_is_an_error(workspace: Workspace) -> None:
    assert "no reader of the site" in workspace.run("subscribers", "tokens", "x@example.org", status=2).output
