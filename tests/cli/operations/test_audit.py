"""Each change by a command is in the audit log, with the system user who made it, and nothing else is."""

from __future__ import annotations

import getpass
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from digest.app import open_app
from digest.jobs.operations import pruning
from digest.jobs.subscribers.public_digests import subscribe
from digest.model import Refused
from digest.store.database.tables.digests import notices
from digest.store.delivery import outbox, receipts
from digest.store.editions import held_runs
from digest.store.operations.audit import Actor, ActorKind, AuditAction, list_entries, record_change
from tests.store.factories import NOW, SHELL, make_due_edition
from tests.support.workspace import Workspace
from tests.web.signup.conftest import suppress

CONFIG = """
[site]
url = "https://digest.example.org"

[store]
url = "sqlite:///digest.db"

[[source]]
use = "arxiv"
categories = ["cs.LG"]

[smtp]
host = "127.0.0.1"
port = 9
security = "none"
from = "digest@example.org"

[signup]

[[public_digest]]
name = "dc"
title = "Distributed computing"
description = "Every paper of cs.DC."
schedule = "weekdays 07:30"
categories = ["cs.DC"]

[[digest]]
name = "one"
to = ["me@example.org", "you@example.org"]
schedule = "daily 7:00"
keywords = ["x"]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A digest of the file, and one of a reader."""
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    with open_app(tmp_path / "digest.toml", NOW, {}) as app:
        app.apply_config()
        with app.store.begin_planning() as tx:
            subscribe(tx, app.settings.public_digests[0], "ada@example.org", language="en", zone="", now=NOW)
    return workspace


def list_changes(workspace: Workspace) -> list[tuple[str, str, int]]:
    """The changes, the first one first."""
    entries = workspace.run("audit", "--last", "100", "--json").json
    assert {(entry["by"], entry["name"], entry["address"]) for entry in entries} <= {
        ("shell", getpass.getuser(), "")
    }
    return [(entry["action"], entry["subject"], entry["amount"]) for entry in reversed(entries)]


def test_decisions_about_deliveries_are_recorded_and_calls_without_effect_are_not(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    with open_app(tmp_path / "digest.toml", NOW, {}) as app:
        make_due_edition(app.store, 3)
        with app.store.begin_write() as tx:
            deliveries = outbox.claim_deliveries(tx, "smtp", 7, NOW, 2)
            receipts.record_receipts(tx, [(entry, Refused(answer="550 no")) for entry in deliveries], NOW)
    run = deliveries[0].run
    workspace.run("deliveries", "retry", "--state", "refused", "--run", str(run))
    workspace.run("deliveries", "retry", "77", status=1)
    workspace.run("deliveries", "drop", str(deliveries[0].id))
    workspace.run("deliveries", "drop", str(deliveries[0].id), status=1)
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_write() as tx:
        held_runs.hold_run(tx, run, "it is large")
    workspace.run("deliveries", "release", str(run))
    workspace.run("deliveries", "release", str(run), status=2)
    workspace.run("deliveries", "drop", "--run", str(run))
    workspace.run("deliveries", "drop", "--run", str(run), status=1)
    assert list_changes(workspace) == [
        ("retry-deliveries", f"run {run}", 2),
        ("drop-deliveries", f"delivery {deliveries[0].id}", 1),
        ("release-run", f"run {run}", 0),
        ("drop-run", f"run {run}", 2),
    ]


def test_decisions_about_readers_are_recorded_and_calls_without_effect_are_not(workspace: Workspace) -> None:
    for _ in range(2):
        workspace.run("subscribers", "stop", "ada@example.org")
        workspace.run("subscribers", "stop", "you@example.org")
    for _ in range(2):
        workspace.run("subscribers", "resume", "ada@example.org")
    for _ in range(2):
        workspace.run("pause", "dc", "--reader", "ada@example.org", now=NOW)
    for _ in range(2):
        workspace.run("resume", "dc", "--reader", "ada@example.org", now=NOW)
    output = workspace.folder / "ada.zip"
    workspace.run("subscribers", "export", "ada@example.org", "--output", str(output))
    workspace.run("subscribers", "export", "ada@example.org", "--output", str(output), status=2)
    workspace.run("subscribers", "end", "ada@example.org", "dc", "--yes")
    workspace.run("subscribers", "end", "ada@example.org", "dc", "--yes", status=2)
    reader, digest, destination = _find_numbers(workspace)
    assert list_changes(workspace) == [
        ("stop-address", reader, 1),
        ("stop-address", destination, 1),
        ("resume-address", reader, 1),
        ("pause-digest", digest, 1),
        ("resume-digest", digest, 1),
        ("export-reader", reader, 1),
        ("end-digest", digest, 1),
    ]


def _find_numbers(workspace: Workspace) -> tuple[str, str, str]:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        statements = (
            "SELECT id FROM subscribers WHERE address = 'ada@example.org'",
            "SELECT id FROM digests WHERE made_by = 'web'",
            "SELECT id FROM destinations WHERE address = 'you@example.org'",
        )
        numbers = [tx.exec_driver_sql(statement).scalar_one() for statement in statements]
    return f"subscriber {numbers[0]}", f"digest {numbers[1]}", f"destination {numbers[2]}"


def test_suppressions_that_are_taken_back_are_recorded(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:

        class AnySite:
            pass

        site = AnySite()
        site.app = app  # type: ignore[attr-defined]
        suppress(site, "me@example.org")  # type: ignore[arg-type]
        suppress(site, "ada@example.org")  # type: ignore[arg-type]
    workspace.run("subscribers", "unsuppress", "--domain", "example.org", "--dry-run")
    assert list_changes(workspace) == []
    for _ in range(2):
        workspace.run("subscribers", "unsuppress", "--domain", "example.org", "--yes")
    assert list_changes(workspace) == [("lift-suppressions", "", 2)]


def test_a_list_of_invitations_is_one_entry(workspace: Workspace) -> None:
    workspace.run(
        "subscribers", "invite", "bob@example.org", "cyd@example.org", "me@example.org", status=1
    )  # no server answers, and the rest is not tried
    assert list_changes(workspace) == [("invite-readers", "", 1)]


def test_the_log_says_who_did_what_in_words(workspace: Workspace) -> None:
    assert workspace.run("audit").plain_output == "No changes are recorded yet.\n"
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_write() as tx:
        ada = tx.exec_driver_sql("SELECT id FROM subscribers WHERE address = 'ada@example.org'").scalar_one()
        operator = Actor(kind=ActorKind.OPERATOR, subscriber=ada)
        token = Actor(kind=ActorKind.TOKEN, subscriber=ada, name="token 5")
        record_change(tx, SHELL, AuditAction.RETRY_DELIVERIES, "run 12", 40, NOW)
        record_change(tx, operator, AuditAction.DROP_DELIVERIES, "delivery 7", 1, NOW)
        record_change(tx, token, AuditAction.PAUSE_DIGEST, "digest 3", 1, NOW)
    output = workspace.run("audit").plain_output
    assert output.splitlines() == [
        f"{NOW:%Y-%m-%d %H:%M} UTC  token 5 of ada@example.org: paused digest 3",
        f"{NOW:%Y-%m-%d %H:%M} UTC  ada@example.org: dropped delivery 7",
        f"{NOW:%Y-%m-%d %H:%M} UTC  root on the command line: retried 40 deliveries of run 12",
    ]
    assert len(workspace.run("audit", "--last", "1").plain_output.splitlines()) == 1


def test_entries_go_after_a_year_with_what_else_is_old(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        with app.store.begin_write() as tx:
            record_change(tx, SHELL, AuditAction.PAUSE_DIGEST, "digest 3", 1, NOW)
        for age, count in ((timedelta(days=364), 1), (timedelta(days=366), 0)):
            pruning.prune_daily(app.store, app.settings.keep, NOW + age)
            with app.store.begin_read() as tx:
                assert len(list_entries(tx, 9)) == count


def test_notices_are_listed_with_what_became_of_them(workspace: Workspace) -> None:
    assert workspace.run("notices").plain_output == "There are no notices.\n"
    row = {
        "name": "x",
        "text": "A problem.",
        "noted_at": NOW,
        "due_at": None,
        "attempts": 0,
        "told": ["ntfy"],
    }
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_write() as tx:
        tx.execute(insert(notices).values(row))
    assert workspace.run("notices").plain_output.endswith("UTC, sent to 1 destination: A problem.\n")
    (document,) = workspace.run("notices", "--json").json
    assert (document["text"], document["due_at"], document["sent_by"]) == ("A problem.", None, ["ntfy"])
