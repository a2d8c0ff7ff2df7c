"""What the commands say before, during and after a restore."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from digest.store.database.engine import open_store
from digest.store.delivery import outbox
from tests.store.factories import NOW, make_due_edition
from tests.support.workspace import Workspace, make_config

SMTP = '\n[smtp]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\nfrom = "digest@example.org"\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A database with twelve deliveries that are due, of which one is being sent, and a backup of it."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9", to='"me@example.org"') + SMTP)
    with closing(open_store(f"sqlite:///{tmp_path}/digest.db", NOW)) as store:
        make_due_edition(store, 12)
        with store.begin_write() as tx:
            outbox.claim_deliveries(tx, "smtp", 7, NOW, 1)
    return workspace


def lose_and_restore(workspace: Workspace) -> str:
    saved = str(workspace.folder / "saved.backup")
    workspace.run("db", "backup", saved)
    for name in ("digest.db", "digest.db-wal", "digest.db-shm"):
        (workspace.folder / name).unlink(missing_ok=True)
    return workspace.run("db", "restore", saved).output


def test_a_restore_says_what_to_do_next_and_each_command_that_nothing_is_sent(workspace: Workspace) -> None:
    assert "Nothing is sent until you release it: run `digest check --restored` next." in lose_and_restore(
        workspace
    )

    told = workspace.run("check", "--restored").output

    assert "Held: nothing is sent until `digest deliveries release --restored`. 1 run is held" in told
    assert "By smtp: 12 deliveries may have gone out, with the same Message-IDs:" in told
    assert "systems → 0000@example.org" in told
    assert "and 2 more: `digest deliveries list --state ready`" in told
    assert "POST /unsubscribe/" in told
    assert "Stop these processes" not in told
    assert "Held: the database was restored from a backup of" in workspace.run("status").output
    checks = workspace.run("check", "--json", status=1).json
    (hold,) = [check for check in checks if check["what"] == "restored backup"]
    assert (hold["ok"], "`digest deliveries release --restored`" in hold["said"]) == (False, True)


def test_a_release_ends_it_and_both_are_in_the_audit_log(workspace: Workspace) -> None:
    lose_and_restore(workspace)

    told = workspace.run("deliveries", "release", "--restored").output

    assert "1 run continues with the next pass: 12 deliveries are waiting." in told
    assert workspace.run("status", "--json").json["restored"] is None
    assert "restored backup" not in workspace.run("check", status=1).output
    actions = [entry["action"] for entry in workspace.run("audit", "--json").json]
    assert actions == ["release-restored", "hold-restored"]


def test_deliveries_are_dropped_by_the_time_at_which_they_were_due(workspace: Workspace) -> None:
    lose_and_restore(workspace)
    before, after = (NOW + timedelta(minutes=number) for number in (0, 1))

    workspace.run("deliveries", "drop", "--due-before", before.isoformat(), status=1)
    told = workspace.run("deliveries", "drop", "--due-before", after.isoformat()).output

    assert "12 deliveries are dropped." in told
    assert "Nothing would be sent a second time" in workspace.run("check", "--restored").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deliveries", "release"], "give the number of a run, or --restored"),
        (["deliveries", "release", "1", "--restored"], "give the number of a run, or --restored"),
        (["deliveries", "release", "--restored"], "not held because of a restore"),
    ],
    ids=["nothing", "both", "no restore"],
)
def test_what_cannot_be_released_says_why(workspace: Workspace, arguments: list[str], message: str) -> None:
    assert message in workspace.run(*arguments, status=2).errors


def test_a_restore_over_a_database_says_what_to_do(workspace: Workspace) -> None:
    saved = str(workspace.folder / "saved.backup")
    assert f"Wrote {saved} (" in workspace.run("db", "backup", saved).output

    errors = workspace.run("db", "restore", saved, status=1).errors

    assert "stop all commands that use it, and move" in errors
    assert workspace.run("deliveries", "list", "--json").json
