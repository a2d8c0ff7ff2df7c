"""Did somebody get it, and if not, why? What the commands say of what came back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from digest.app import App, open_app
from digest.jobs.subscribers.subscriptions import SuppressionFilter, resume_destination, stop_destination
from digest.model import Mail, Sent
from digest.store.delivery import outbox, receipts
from digest.store.subscribers import subscribers
from tests.cli.subscribers.test_subscribers import CONFIG, THREE, find_unreachable
from tests.core.delivery.bounces.returned_mails import make_arf, make_dsn
from tests.fakes.imap_server import PASSWORD, USER, ImapServer, StoredMessage
from tests.store.factories import NOW, add_to_now, save_due_editions
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")
NO_MORE = "Nothing is sent there until you use `digest subscribers resume`."
ME, YOU = "me@example.org", "you@example.org"
BOUNCES = """
[bounces]
address = "bounces@example.org"
mailbox = "maildir:back"
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    workspace.write(find_unreachable(CONFIG + BOUNCES))
    (tmp_path / "back" / "new").mkdir(parents=True)
    with open_app(tmp_path / "digest.toml", NOW, {}) as app:
        app.apply_config()
        _editions(app)
    return workspace


def _editions(app: App) -> None:
    """An edition of each digest, sent to everybody."""
    with app.store.begin_write() as tx:
        save_due_editions(tx, lambda _digest, number, _address: f"<{number}@x>")
        deliveries = outbox.claim_deliveries(tx, "smtp", 1, NOW, 9)
        receipts.record_receipts(tx, [(delivery, Sent(answer="250 ok")) for delivery in deliveries], NOW)


def came_back(workspace: Workspace, text: str, address: str = ME, name: str = "1") -> None:
    """Put a mail about the first message to an address into the mailbox."""
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app, app.store.begin_read() as tx:
        number = min(
            delivery.id for delivery in outbox.list_recent(tx, limit=9) if delivery.address == address
        )
        assert app.return_path is not None
        content = text.replace("{path}", app.return_path.make_address(number))
    (workspace.folder / "back" / "new" / name).write_text(content, encoding="utf-8")


def gone(address: str = ME) -> str:
    return make_dsn("5.1.1", "smtp; 550 5.1.1 no such user", to=address)


def read(workspace: Workspace, *arguments: str, status: int = 0) -> Any:
    return workspace.run("bounces", "read", *arguments, now=add_to_now(hours=1), status=status)


# --- bounces --------------------------------------------------------------------------------------


def test_the_mailbox_is_read_and_told(workspace: Workspace) -> None:
    came_back(workspace, gone())
    (workspace.folder / "back" / "new" / "2").write_text("Subject: hello\n\n")

    lines = read(workspace).plain_output.splitlines()

    assert lines == [
        f"{ME}: there is no such address (550 5.1.1 no such user). {NO_MORE}",
        "Bounces: 2 messages read; 1 without information about an address.",
    ]
    assert read(workspace).plain_output == "No new bounces.\n"


def test_each_run_reads_the_mailbox_before_it_sends(workspace: Workspace) -> None:
    workspace.run("run", "--no-wait", now=add_to_now(hours=1), status=1)
    came_back(workspace, gone())

    lines = workspace.run("run", "--no-wait", now=add_to_now(hours=1), status=1).plain_output.splitlines()

    assert lines[0].startswith(f"{ME}: there is no such address")
    assert "Bounces: 1 message read." in lines


def test_a_rehearsal_reads_and_marks_nothing(workspace: Workspace) -> None:
    came_back(workspace, gone())

    workspace.run("run", "--dry-run", "--no-wait", now=add_to_now(hours=1), status=1)

    assert [file.name for file in (workspace.folder / "back" / "new").iterdir()] == ["1"]


def test_a_mailbox_that_cannot_be_read_fails_and_says_what_to_do(workspace: Workspace) -> None:
    (workspace.folder / "back" / "new").rmdir()

    ran = read(workspace, status=1)

    assert "is not a Maildir" in ran.plain_output
    assert "check `mailbox` in [bounces]" in ran.plain_output


def test_without_a_mailbox_that_is_said(workspace: Workspace) -> None:
    workspace.write(find_unreachable(CONFIG))

    ran = workspace.run("bounces", "read", status=2)

    assert "write `address` and `mailbox` in [bounces]" in ran.errors


def test_what_came_back_is_listed(workspace: Workspace) -> None:
    came_back(workspace, gone())
    read(workspace)

    (line,) = workspace.run("bounces", "list", "--address", "Me@example.org").plain_output.splitlines()

    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC  .*", line)
    assert line.endswith(f"{ME}: there is no such address (bounce mail: 550 5.1.1 no such user)")
    assert workspace.run("bounces", "list", "--address", YOU).plain_output == "There are no bounces.\n"


def test_a_mailbox_on_a_server_is_read_by_run_and_checked(workspace: Workspace) -> None:
    came_back(workspace, gone())
    content = (workspace.folder / "back" / "new" / "1").read_bytes()
    with ImapServer([StoredMessage(content)]) as server:
        config = BOUNCES.replace("maildir:back", f"imap://127.0.0.1:{server.port}")
        login = f"username = '{USER}'\npassword = '{PASSWORD}'\n"
        workspace.write(find_unreachable(CONFIG + config + login))
        assert "1 unread in INBOX" in workspace.run("check", status=1).plain_output

        read(workspace)
        assert [message.is_seen for message in server.messages] == [True]
    assert "suppressed" in workspace.run("subscribers", "list").plain_output


# --- did somebody get it? -------------------------------------------------------------------------


def test_deliveries_say_what_came_back_and_how_the_address_stands(workspace: Workspace) -> None:
    came_back(workspace, gone())
    read(workspace)

    lines = workspace.run("deliveries", "list", "--to", "ME@example.org").plain_output.splitlines()

    assert len(lines) == 3
    assert lines[1].endswith(
        f"one → {ME}: sent 250 ok: its server accepted it, but it bounced: there is no such address "
        "(bounce mail: 550 5.1.1 no such user)"
    )
    assert lines[2].startswith("ME@example.org: it has been suppressed since ")
    assert lines[2].endswith("because mail bounced (bounce mail: 550 5.1.1 no such user).")


def test_an_address_that_nothing_is_wrong_with_is_said_to_be_so(workspace: Workspace) -> None:
    lines = workspace.run("deliveries", "list", "--to", YOU).plain_output.splitlines()

    assert lines[0].endswith(f"one → {YOU}: sent 250 ok")
    assert lines[1] == f"{YOU}: nothing blocks mail to it."


@pytest.mark.parametrize("known", [True, False])
def test_an_address_that_no_digest_goes_to_is_said_to_be_so(workspace: Workspace, known: bool) -> None:  # noqa: FBT001 - a column of a table
    who = YOU if known else "nobody@example.net"
    workspace.write(find_unreachable(CONFIG + BOUNCES).replace(f'"{YOU}"', f'"{ME}"'))
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        app.apply_config()

    last = workspace.run("deliveries", "list", "--to", who).plain_output.splitlines()[-1]

    assert last == f"{who}: no digest goes to it."


def test_a_complaint_is_told_where_somebody_asks(workspace: Workspace) -> None:
    came_back(workspace, make_arf("abuse"))
    read(workspace)

    last = workspace.run("deliveries", "list", "--to", ME).plain_output.splitlines()[-1]

    assert "its reader unsubscribed from one" in last
    assert "its reader complained on 2026-06-12 (a report of abuse by SomeGenerator/1.0)" in last


def test_soft_bounces_that_count_are_told(workspace: Workspace) -> None:
    came_back(workspace, make_dsn("4.2.2", "smtp; 452 4.2.2 full", to=ME))
    read(workspace)

    assert (
        f"one → {ME}: active (1 recent bounce; suspended at 5)"
        in workspace.run("subscribers", "list").plain_output
    )
    document = workspace.run("subscribers", "list", "--json").json
    assert {entry["address"]: entry["bounces"] for entry in document} == {ME: 1, YOU: 0}


def test_run_check_and_status_name_who_is_suppressed_and_a_new_destination_starts_so(
    workspace: Workspace,
) -> None:
    came_back(workspace, gone())
    read(workspace)
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text() + THREE)

    ran = workspace.run("run", "--no-wait", now=add_to_now(hours=2), status=1)
    assert f"{ME} gets nothing: it has been suppressed since" in ran.errors
    assert "`digest subscribers resume me@example.org`" in ran.errors
    assert f"{ME} has been suppressed since" in workspace.run("check", status=1).plain_output
    assert f"{ME} has been suppressed since" in workspace.run("status").plain_output
    states = {
        entry["address"]: entry["state"] for entry in workspace.run("subscribers", "list", "--json").json
    }
    assert states == {
        ME: "suppressed",
        YOU: "active",
        "Me@example.org": "suppressed",
        "new@example.org": "active",
    }


# --- recovery -------------------------------------------------------------------------------------


def test_who_is_suppressed_comes_back_only_where_somebody_says_that_he_asked(workspace: Workspace) -> None:
    came_back(workspace, gone())
    read(workspace)

    ran = workspace.run("subscribers", "resume", ME, status=2)
    assert "confirm this with --yes" in ran.errors
    assert "550 5.1.1 no such user" in ran.errors

    assert workspace.run("subscribers", "resume", ME, "--yes").plain_output.splitlines() == [
        f"one → {ME}: delivery resumes with the next edition.",
        f"two → {ME}: delivery resumes with the next edition.",
    ]
    assert workspace.run("subscribers", "list", "--suppressed").plain_output == "No address is suppressed.\n"


def test_who_complained_comes_back_only_so_too(workspace: Workspace) -> None:
    came_back(workspace, make_arf("abuse"))
    read(workspace)

    assert "complained on" in workspace.run("subscribers", "resume", ME, status=2).errors
    assert "delivery resumes" in workspace.run("subscribers", "resume", ME, "--yes").plain_output


def test_what_came_back_before_that_counts_no_more_however_often_it_is_told(workspace: Workspace) -> None:
    came_back(workspace, gone())
    read(workspace)
    workspace.run("subscribers", "resume", ME, "--yes")

    came_back(workspace, gone(), name="again")

    assert "1 already known" in read(workspace).plain_output
    assert {entry["state"] for entry in workspace.run("subscribers", "list", "--json").json} == {"active"}


def test_who_unsubscribed_by_the_link_is_resumed_without_a_question(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        stop_destination(app.store, 1, app.clock())

    assert "delivery resumes" in workspace.run("subscribers", "resume", ME).plain_output


def test_a_reader_who_asks_on_the_page_is_forgiven(workspace: Workspace) -> None:
    came_back(workspace, gone())
    read(workspace)
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        subscriber = resume_destination(app.store, app.settings, 1)

    assert subscriber is not None
    assert subscriber.active
    assert {entry["state"] for entry in workspace.run("subscribers", "list", "--json").json} == {"active"}


# --- how mails go out -----------------------------------------------------------------------------


def test_mails_are_sent_from_return_paths_of_their_own(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        plain = Mail(
            delivery=3,
            sender="digest@example.org",
            recipient=ME,
            message_id="<x@y>",
            content=b"From: x\r\n\r\n",
        )
        sent = app.sign_mail(plain)
        assert sent.sender.startswith("bounces+3.")
        assert app.return_path is not None
        assert app.return_path.read_delivery(sent.sender) == 3
    workspace.write(find_unreachable(CONFIG))
    with open_app(workspace.folder / "digest.toml", NOW, {}) as app:
        assert app.sign_mail(plain).sender == "digest@example.org"


# --- taking back by reason and time ---------------------------------------------------------------


@pytest.fixture
def suppressed_workspace(workspace: Workspace) -> Workspace:
    """Both readers are suppressed, with different words."""
    came_back(workspace, gone())
    came_back(workspace, make_dsn("5.1.1", "smtp; 550 5.1.1 mailbox unknown", to=YOU), YOU, name="2")
    read(workspace)
    return workspace


def unsuppress(workspace: Workspace, *arguments: str, status: int = 0) -> Any:
    return workspace.run("subscribers", "unsuppress", *arguments, status=status)


def states(workspace: Workspace) -> dict[str, str]:
    return {entry["address"]: entry["state"] for entry in workspace.run("subscribers", "list", "--json").json}


@pytest.mark.parametrize(
    ("which", "lifted"),
    [
        (["--reason", "NO SUCH"], [ME]),
        (["--reason", "5.1.1"], [ME, YOU]),
        (["--domain", "@Example.org"], [ME, YOU]),
        (["--domain", "example.net"], []),
        (["--since", "2026-06-12T06:30Z"], [ME, YOU]),
        (["--since", "2026-06-12T06:31Z"], []),
        (["--until", "2026-06-12T06:30Z"], []),
        (["--reason", "mailbox unknown", "--until", "2026-06-12T06:31Z"], [YOU]),
    ],
    ids=" ".join,
)
def test_suppressions_are_taken_back_by_reason_and_time(
    suppressed_workspace: Workspace, which: list[str], lifted: list[str]
) -> None:
    output = unsuppress(suppressed_workspace, *which, "--yes").plain_output.splitlines()

    assert sorted(line.partition(":")[0] for line in output if "delivery resumes" in line) == lifted
    assert [address for address, state in states(suppressed_workspace).items() if state == "active"] == lifted
    if not lifted:
        assert output == ["No such suppression; `digest subscribers list --suppressed` lists all."]


@pytest.mark.parametrize(
    ("reason", "status", "answer", "fits"),
    [
        ("5.1.1", "5.1.1", "", True),
        ("5.1.1", "", "550 5.1.1 no such user", True),
        ("5.1.1", "", "550-5.1.1 no such user (#5.1.1).", True),
        ("5.1.1", "5.1.10", "550 5.1.10 null MX", False),
        ("5.1.1", "5.0.0", "550 15.1.1 no such user", False),
        ("550", "5.1.1", "550-5.1.1 no such user", True),
        ("550", "5.1.1", "552 5.1.1 session 35501", False),
        ("such US", "5.1.1", "550 5.1.1 no such user", True),
    ],
)
def test_a_reason_that_is_a_code_is_compared_as_a_whole(
    reason: str, status: str, answer: str, *, fits: bool
) -> None:
    assert SuppressionFilter(reason=reason).has_reason(status, answer) is fits


def test_who_unsubscribed_from_everything_is_not_told_as_one_that_mail_goes_to_again(
    suppressed_workspace: Workspace,
) -> None:
    with open_app(suppressed_workspace.folder / "digest.toml", NOW, {}) as app:
        with app.store.begin_read() as tx:
            mine = [subscriber.destination for subscriber in subscribers.list_subscribers(tx, address=ME)]
        for destination in mine:
            stop_destination(app.store, destination, app.clock())

    dry = unsuppress(suppressed_workspace, "--reason", "5.1.1", "--dry-run", "--json").json
    output = unsuppress(suppressed_workspace, "--reason", "5.1.1", "--yes").plain_output.splitlines()

    assert {entry["address"]: entry["unsubscribed"] for entry in dry} == {ME: True, YOU: False}
    assert sorted(output) == sorted(
        [
            f"{ME}: no longer suppressed, but its reader unsubscribed.",
            f"{YOU}: delivery resumes with the next edition.",
        ]
    )


def test_a_dry_run_only_lists_them(suppressed_workspace: Workspace) -> None:
    lines = unsuppress(suppressed_workspace, "--reason", "no such", "--dry-run").plain_output.splitlines()

    assert lines[0].startswith(f"{ME}: suppressed since ")
    assert lines[0].endswith("because mail bounced (bounce mail: 550 5.1.1 no such user).")
    assert lines[1] == "1 suppression would be taken back."
    assert states(suppressed_workspace) == {ME: "suppressed", YOU: "suppressed"}


def test_nobody_is_asked_twice_and_without_a_terminal_it_must_be_said(
    suppressed_workspace: Workspace,
) -> None:
    ran = unsuppress(suppressed_workspace, "--since", "2026-06-12T06:00Z", status=2)

    assert "this takes back 2 suppressions" in ran.errors
    assert "use --yes" in ran.errors
    assert states(suppressed_workspace) == {ME: "suppressed", YOU: "suppressed"}


def test_all_suppressions_at_once_are_not_taken_back_by_mistake(suppressed_workspace: Workspace) -> None:
    ran = unsuppress(suppressed_workspace, "--yes", status=2)

    assert "choose which suppressions to take back" in ran.errors
    assert states(suppressed_workspace) == {ME: "suppressed", YOU: "suppressed"}


def test_it_tells_the_same_as_json_and_who_unsubscribed_stays_so(suppressed_workspace: Workspace) -> None:
    with open_app(suppressed_workspace.folder / "digest.toml", NOW, {}) as app:
        stop_destination(app.store, 1, app.clock())

    document = unsuppress(suppressed_workspace, "--domain", "example.org", "--yes", "--json").json

    assert [(entry["address"], entry["taken_back"]) for entry in document] == [(ME, True), (YOU, True)]
    assert document[0]["suppression"]["answer"] == "550 5.1.1 no such user"
    listed = suppressed_workspace.run("subscribers", "list", "--json").json
    assert [(entry["digest"], entry["state"]) for entry in listed if entry["address"] == ME] == [
        ("one", "unsubscribed"),
        ("two", "active"),
    ]


def test_a_bounce_that_is_told_again_does_not_bring_the_suppression_back(
    suppressed_workspace: Workspace,
) -> None:
    unsuppress(suppressed_workspace, "--reason", "no such", "--yes")

    came_back(suppressed_workspace, gone(), name="again")

    assert "1 already known" in read(suppressed_workspace).plain_output
    assert states(suppressed_workspace)[ME] == "active"
