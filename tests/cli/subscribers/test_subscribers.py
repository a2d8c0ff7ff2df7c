"""What a user can rely on of `digest subscribers`, and of what `run` and `check` say of who unsubscribed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import select

from digest.app import open_app
from digest.core.subscribers.transfer.archive import read_digests
from digest.core.subscribers.transfer.archive_file import read_archived_texts
from digest.jobs.subscribers.public_digests import subscribe
from digest.jobs.subscribers.subscriptions import stop_destination
from digest.store.database.tables.digests import digests
from digest.store.operations.growth import list_weeks
from digest.store.subscribers.subscribers import list_subscribers
from tests.store.factories import NOW
from tests.support.workspace import Workspace

CONFIG = """
[store]
url = "sqlite:///digest.db"

[[source]]
use = "arxiv"
categories = ["cs.LG"]

[smtp]
host = "localhost"
security = "none"
from = "digest@example.org"

[[digest]]
name = "one"
to = ["me@example.org", "you@example.org"]
schedule = "daily 7:00"
keywords = ["x"]

[[digest]]
name = "two"
to = ["me@example.org"]
schedule = "daily 7:00"
keywords = ["y"]
"""
THREE = """
[[digest]]
name = "three"
to = ["Me@example.org", "new@example.org"]
schedule = "daily 7:00"
keywords = ["z"]
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(CONFIG)
    applied(workspace)
    return workspace


def applied(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        app.apply_config()


def stopped(workspace: Workspace, digest: str = "one", address: str = "me@example.org") -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        with app.store.begin_read() as tx:
            (subscriber,) = [
                subscriber
                for subscriber in list_subscribers(tx, address=address)
                if subscriber.digest == digest
            ]
        stop_destination(app.store, subscriber.destination, app.clock())


def told(workspace: Workspace, *arguments: str) -> list[str]:
    return workspace.run("subscribers", "list", *arguments).plain_output.splitlines()


def test_it_lists_who_gets_what(workspace: Workspace) -> None:
    stopped(workspace)

    assert told(workspace) == [
        "one → me@example.org: unsubscribed",
        "one → you@example.org: active",
        "two → me@example.org: active",
    ]
    assert told(workspace, "--stopped") == ["one → me@example.org: unsubscribed"]


def test_it_tells_the_same_as_json(workspace: Workspace) -> None:
    stopped(workspace)

    document = workspace.run("subscribers", "list", "--stopped", "--json").json

    assert document == [
        {
            "digest": "one",
            "made_by": "config",
            "channel": "smtp",
            "address": "me@example.org",
            "form": "",
            "state": "unsubscribed",
            "paused": False,
            "bounces": 0,
            "suppression": None,
        }
    ]


def test_it_tells_who_gets_books(workspace: Workspace) -> None:
    file = workspace.folder / "digest.toml"
    book = '{ address = "me@example.org", form = "epub" }'
    file.write_text(file.read_text().replace('"me@example.org"', book, 1))
    with open_app(file, NOW, {}) as app:
        app.apply_config()

    assert told(workspace)[0] == "one → me@example.org (epub): active"
    documents = workspace.run("subscribers", "list", "--json").json
    assert [document["form"] for document in documents] == ["epub", "", ""]


def test_where_there_is_nobody_it_says_so(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Workspace(tmp_path_factory.mktemp("other"))
    other.write(CONFIG)

    assert told(other) == ["There are no subscribers yet."]
    assert told(workspace, "--stopped") == ["Nobody has unsubscribed."]


def test_who_wants_it_back_gets_it_again(workspace: Workspace) -> None:
    stopped(workspace)

    ran = workspace.run("subscribers", "resume", "ME@example.org")

    assert ran.plain_output == "one → me@example.org: delivery resumes with the next edition.\n"
    assert told(workspace, "--stopped") == ["Nobody has unsubscribed."]
    assert workspace.run("subscribers", "resume", "me@example.org", "--json").json == []
    assert "has not unsubscribed, " in workspace.run("subscribers", "resume", "me@example.org").output


def test_what_left_the_file_does_not_come_back_by_it(workspace: Workspace) -> None:
    stopped(workspace)
    workspace.write(CONFIG.replace('"me@example.org", "you@example.org"', '"you@example.org"'))

    ran = workspace.run("subscribers", "resume", "me@example.org", "--json")

    assert [entry["state"] for entry in ran.json] == ["ended"]


def test_an_address_that_nobody_knows_is_refused(workspace: Workspace) -> None:
    ran = workspace.run("subscribers", "resume", "nobody@example.org", status=2)

    assert "nobody@example.org is not and was not a destination" in ran.errors


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize("command", [["run", "--no-wait"], ["check"]], ids=" ".join)
def test_run_and_check_name_who_unsubscribed_and_how_to_take_it_back(
    workspace: Workspace, command: list[str]
) -> None:
    stopped(workspace)
    workspace.write(find_unreachable(CONFIG + THREE))

    output = workspace.run(*command, status=1).output

    named = [line for line in output.splitlines() if "unsubscribed" in line]
    addresses = re.findall(r"\S+@example.org", "".join(named))
    # A new destination of an address that unsubscribed starts stopped; what goes there already goes on.
    assert {"me@example.org", "Me@example.org"} == set(addresses)
    assert re.findall(r"\b(?:one|two|three)\b", "".join(named)) == ["one", "three"]
    assert "digest subscribers resume" in output


def find_unreachable(text: str) -> str:
    """The same, but arXiv cannot be reached: its address is a port where nobody listens."""
    return text.replace(
        'use = "arxiv"', 'use = "arxiv"\nroutes = ["rss"]\nurl = "http://127.0.0.1:9/"\npace = 0'
    )


@pytest.mark.usefixtures("no_retries")
def test_many_are_not_all_named(workspace: Workspace) -> None:
    many = ", ".join(f'"{number}@example.org"' for number in range(9))
    workspace.write(find_unreachable(CONFIG.replace('"me@example.org", "you@example.org"', many)))
    applied(workspace)
    for number in range(9):
        stopped(workspace, address=f"{number}@example.org")

    errors = workspace.run("run", "--no-wait", status=1).errors

    assert errors.count("unsubscribed, so it does not get") == 5
    assert "4 more unsubscribed: `digest subscribers list --stopped`" in errors


# --- digests of the site --------------------------------------------------------------------------

PUBLIC = """
[[public_digest]]
name = "one"
description = "New papers on serving."
schedule = "daily 7:00"
keywords = ["serving"]
"""


def signed_up(workspace: Workspace, address: str = "reader@example.org") -> int:
    workspace.write(CONFIG + PUBLIC)
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        app.apply_config()
        (public_digest,) = app.settings.public_digests
        with app.store.begin_planning() as tx:
            return subscribe(tx, public_digest, address, language="en", zone="UTC", now=NOW)


def test_it_lists_digests_that_readers_made_on_the_site_as_such(workspace: Workspace) -> None:
    signed_up(workspace)

    assert "one (made on the site) → reader@example.org: active" in told(workspace)
    document = workspace.run("subscribers", "list", "--json").json
    assert {(each["address"], each["made_by"]) for each in document} == {
        ("me@example.org", "config"),
        ("you@example.org", "config"),
        ("reader@example.org", "web"),
    }


def test_a_digest_of_the_site_can_be_resumed_by_its_address(workspace: Workspace) -> None:
    number = signed_up(workspace)
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        stop_destination(app.store, number, app.clock())

    assert "delivery resumes" in workspace.run("subscribers", "resume", "Reader@example.org").output
    assert told(workspace, "--stopped") == ["Nobody has unsubscribed."]


def test_a_name_on_the_command_line_is_that_of_a_digest_of_the_file(workspace: Workspace) -> None:
    signed_up(workspace)
    workspace.run("pause", "one", now=NOW)

    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        states = tx.execute(select(digests.c.made_by, digests.c.state).where(digests.c.name == "one")).all()
    assert sorted(map(tuple, states)) == [("config", "paused"), ("web", "active")]


def test_an_address_can_be_unsubscribed_from_everything(workspace: Workspace) -> None:
    signed_up(workspace, "me@example.org")

    assert workspace.run("subscribers", "stop", "Me@example.org").plain_output.splitlines() == [
        "one → me@example.org: unsubscribed.",
        "one → me@example.org: unsubscribed.",
        "two → me@example.org: unsubscribed.",
    ]
    assert {each["made_by"] for each in workspace.run("subscribers", "list", "--stopped", "--json").json} == {
        "config",
        "web",
    }
    assert "gets nothing already" in workspace.run("subscribers", "stop", "me@example.org").output
    assert workspace.run("subscribers", "stop", "me@example.org", "--json").json == []
    assert (
        "is not and was not a destination"
        in workspace.run("subscribers", "stop", "nobody@example.org", status=2).errors
    )


def test_a_digest_of_the_site_can_be_paused_by_its_reader(workspace: Workspace) -> None:
    signed_up(workspace)
    by_reader = ("one", "--reader", "Reader@example.org")
    assert "is paused" in workspace.run("pause", *by_reader, now=NOW).output
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        states = tx.execute(select(digests.c.made_by, digests.c.state).where(digests.c.name == "one")).all()
    assert sorted(map(tuple, states)) == [("config", "active"), ("web", "paused")]

    assert "is resumed" in workspace.run("resume", *by_reader, now=NOW).output
    errors = workspace.run("pause", "two", "--reader", "reader@example.org", now=NOW, status=2).errors
    assert "has no digest 'two' on the site; digests: one" in errors


def test_it_says_which_digests_are_paused(workspace: Workspace) -> None:
    signed_up(workspace)
    workspace.run("pause", "one", "--reader", "reader@example.org", now=NOW)

    assert "one (made on the site) → reader@example.org: active, paused" in told(workspace)
    document = workspace.run("subscribers", "list", "--json").json
    assert {each["address"] for each in document if each["paused"]} == {"reader@example.org"}


def test_one_digest_of_the_site_can_be_ended(workspace: Workspace) -> None:
    signed_up(workspace)
    by_reader = ("subscribers", "end", "Reader@example.org", "one")

    assert "confirm it with --yes" in workspace.run(*by_reader, status=2).errors
    assert "one of Reader@example.org has ended." in workspace.run(*by_reader, "--yes").output
    assert "one (made on the site) → reader@example.org: unsubscribed" in told(workspace)
    errors = workspace.run(*by_reader, "--yes", status=2).errors
    assert "Reader@example.org has no digest 'one' on the site; digests: none" in errors
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        states = tx.execute(select(digests.c.made_by, digests.c.state).where(digests.c.name == "one")).all()
    assert sorted(map(tuple, states)) == [("config", "active"), ("web", "ended")]


def test_what_a_reader_has_is_exported_into_a_new_file(workspace: Workspace) -> None:
    signed_up(workspace)
    file = workspace.folder / "reader.zip"
    command = ("subscribers", "export", "Reader@example.org", "--output", str(file))

    assert "1 digest, 0 saved papers, 0 opinions, 0 editions" in workspace.run(*command).output
    assert file.stat().st_mode & 0o777 == 0o600
    archived = read_digests(read_archived_texts(file.read_bytes(), ["digests.json"])["digests.json"])
    assert [(digest.name, digest.title) for digest in archived.digests] == [("one", "one")]
    assert "already; name another file with --output" in workspace.run(*command, status=2).errors
    file.unlink()
    assert workspace.run(*command, "--json").json == {
        "address": "Reader@example.org",
        "file": str(file),
        "digests": 1,
        "saved": 0,
        "opinions": 0,
        "editions": 0,
    }
    nobody = workspace.run("subscribers", "export", "you@example.org", status=2)
    assert "you@example.org has made no digest on the site" in nobody.errors
    folder = workspace.folder / "missing" / "file.zip"
    unwritten = workspace.run(
        "subscribers", "export", "reader@example.org", "--output", str(folder), status=2
    )
    assert "cannot be written: No such file or directory" in unwritten.errors


def test_who_comes_and_goes_is_counted_by_week(workspace: Workspace) -> None:
    assert workspace.run("subscribers", "growth").plain_output == (
        "0 addresses have an account on the site.\n"
    )
    stopped(workspace)
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        monday = list_weeks(tx, 1)[0].monday
    assert workspace.run("subscribers", "growth").plain_output.splitlines()[1] == (
        f"{monday}: 0 new readers, 0 sign-ups, 1 unsubscription, 0 deletions"
    )
    assert workspace.run("subscribers", "growth", "--json").json == {
        "accounts": 0,
        "weeks": [
            {"week": f"{monday}", "new_readers": 0, "sign_ups": 0, "unsubscriptions": 1, "deletions": 0}
        ],
    }
