"""What a scheduled job can rely on: each run goes on from the state that the last one left, on whatever machine."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from digest.app import open_app
from digest.demo.publisher import Publisher, load_shipped_papers
from digest.jobs.subscribers.subscriptions import stop_destination
from digest.store.database.tables.digests import editions
from digest.store.database.tables.papers import batches, source_state
from digest.store.subscribers.subscribers import list_subscribers
from digest.testing.mail_server import MailServer, Received
from tests.support.workspace import CommandResult, Workspace

BERLIN = ZoneInfo("Europe/Berlin")
KEY = "7f0b8c1d9e2a4f56b3c8d7e6f5a49382"
ADDRESS = "somebody.known@reader.example"
CONFIG = """
[site]
title = "Lab digest"

[store]
url = "sqlite:///job.db"

[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs.DC", "cs.LG", "cs.CL"]
url = "${{FEEDS}}/rss/"
pace = 0

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"

[[digest]]
name = "systems"
to = ["${{READER}}", "files:mail"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["LLM serving", "KV cache", "mixture of experts", "MoE"]
limit = 5
feed = true
"""


@dataclass(frozen=True, kw_only=True)
class Jobs:
    """Runs, each on a machine of its own that has the configuration and the state.

    Attributes:
        base: the folder of the machines and of the state.
        machines: of the runs, in their order.
        results: what each run printed.
    """

    base: Path
    publisher: Publisher
    mails: MailServer
    machines: list[Workspace] = field(default_factory=list)
    results: list[CommandResult] = field(default_factory=list)

    @property
    def state(self) -> Path:
        return self.base / "state"

    def machine(self, name: str) -> Workspace:
        workspace = Workspace(self.base / name)
        workspace.folder.mkdir()
        workspace.write(CONFIG.format(port=self.mails.port))
        return workspace

    def run(
        self, day: date, *options: str, status: int = 0, minutes: int = 0
    ) -> tuple[CommandResult, Workspace]:
        workspace = self.machine(f"machine-{len(self.machines)}")
        self.machines.append(workspace)
        result = workspace.run(
            "run", "--state", str(self.state), *options, now=at(day, minutes), status=status
        )
        self.results.append(result)
        return result, workspace


FIRST, SECOND, THIRD = date(2026, 5, 6), date(2026, 5, 7), date(2026, 5, 8)


def at(day: date, minutes: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)


@pytest.fixture(scope="module")
def feeds() -> Iterator[Publisher]:
    """One for all tests: what the first day's run keeps is known by its address."""
    papers = load_shipped_papers()
    with Publisher(papers, day=FIRST) as publisher:
        yield publisher


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def set_environment(patch: pytest.MonkeyPatch, feeds: Publisher) -> None:
    """Set what the configuration takes from the environment."""
    patch.setenv("DIGEST_KEY", KEY)
    patch.setenv("READER", ADDRESS)
    patch.setenv("FEEDS", feeds.url)


@pytest.fixture(scope="module")
def first_day(
    feeds: Publisher, mails: MailServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Jobs, list[Received]]:
    """The run of the first day, and the mails that it sent: most tests begin with a copy."""
    jobs = Jobs(base=tmp_path_factory.mktemp("first-day"), publisher=feeds, mails=mails)
    with pytest.MonkeyPatch.context() as patch:
        set_environment(patch, feeds)
        jobs.run(FIRST)
    sent = mails.received.copy()
    mails.received.clear()
    return jobs, sent


@pytest.fixture
def jobs(
    tmp_path: Path, feeds: Publisher, mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Jobs]:
    """Nothing has run yet."""
    set_environment(monkeypatch, feeds)
    yield Jobs(base=tmp_path, publisher=feeds, mails=mails)
    feeds.day = FIRST
    mails.received.clear()
    mails.refusals.clear()


@pytest.fixture
def started_jobs(first_day: tuple[Jobs, list[Received]], jobs: Jobs) -> Jobs:
    """The first day's run has ended, on a machine of which this is a copy in another folder."""
    first, sent = first_day
    shutil.copytree(first.base, jobs.base, dirs_exist_ok=True)
    jobs.machines.extend(Workspace(jobs.base / workspace.folder.name) for workspace in first.machines)
    jobs.results.extend(first.results)
    jobs.mails.received.extend(sent)
    return jobs


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


# --- one run after another ------------------------------------------------------------------------


def test_without_a_state_a_run_says_so_and_tells_of_the_last_announcement_day_only(
    started_jobs: Jobs,
) -> None:
    (result,), (workspace,) = started_jobs.results, started_jobs.machines

    assert "There is no state in" in result.plain_output
    assert "only the last announcement day" in result.plain_output
    (edition,) = workspace.read_editions()
    assert {item["event"]["day"] for item in edition["items"]} == {FIRST.isoformat()}
    assert len(started_jobs.mails.received) == 1


def test_the_next_run_on_another_machine_sends_nothing_twice(started_jobs: Jobs) -> None:
    result, workspace = started_jobs.run(FIRST, minutes=30)

    assert "There is no state" not in result.plain_output
    assert len(started_jobs.mails.received) == 1
    assert not workspace.read_editions()


def test_each_day_tells_what_is_new_on_whatever_machine_as_on_one_that_stays(jobs: Jobs) -> None:
    stays = jobs.machine("stays")
    for day in (FIRST, SECOND, THIRD):
        jobs.publisher.day = day
        jobs.run(day)
        stays.run("run", now=at(day))

    bodies = [mail.content for mail in jobs.mails.received]
    assert len(bodies) == 6
    assert told_in(bodies[0::2]) == told_in(bodies[1::2])
    assert len(set(told_in(bodies[0::2]))) == 3


def told_in(mails: list[bytes]) -> list[tuple[str, ...]]:
    from email import message_from_bytes
    from email.policy import default

    results = []
    for mail in mails:
        body = message_from_bytes(mail, policy=default).get_body(("plain",))
        assert body is not None
        results.append(tuple(re.findall(r"arxiv\.org/abs/(\S+)", body.get_content())))
    return results


def test_a_reader_who_unsubscribed_stays_so_although_the_state_does_not_tell_who(started_jobs: Jobs) -> None:
    workspace = started_jobs.machines[0]
    with open_app(workspace.folder / "digest.toml", at(FIRST), os.environ) as app:
        with app.store.begin_read() as tx:
            (subscriber,) = list_subscribers(tx, address=ADDRESS)
        stop_destination(app.store, subscriber.destination, app.clock())
    workspace.run("export", "--state", str(started_jobs.state))

    started_jobs.publisher.day = SECOND
    result, _ = started_jobs.run(SECOND)

    assert len(started_jobs.mails.received) == 1
    assert "unsubscribed" in result.output


def test_an_address_that_left_the_file_and_returns_stays_unsubscribed_in_whatever_letters(
    started_jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = started_jobs.machines[0]
    with open_app(workspace.folder / "digest.toml", at(FIRST), os.environ) as app:
        with app.store.begin_read() as tx:
            (subscriber,) = list_subscribers(tx, address=ADDRESS)
        stop_destination(app.store, subscriber.destination, app.clock())
    workspace.run("export", "--state", str(started_jobs.state))
    for day, address in ((SECOND, "another@reader.example"), (THIRD, ADDRESS.upper())):
        started_jobs.publisher.day = day
        monkeypatch.setenv("READER", address)
        started_jobs.run(day)

    assert [mail.recipients for mail in started_jobs.mails.received] == [
        (ADDRESS,),
        ("another@reader.example",),
    ]


# --- what it holds --------------------------------------------------------------------------------


def test_it_holds_no_address_no_key_and_no_secret(jobs: Jobs) -> None:
    jobs.mails.refusals[ADDRESS] = f"550 5.1.1 <{ADDRESS}> no such user"
    jobs.run(FIRST, status=1)
    jobs.publisher.day = SECOND
    jobs.run(SECOND, status=0)

    held = b"\n".join(files(jobs.state).values()).lower()
    assert b"moe" in held
    secrets = (ADDRESS, "reader.example", KEY, jobs.publisher.url, str(jobs.base), "no such user")
    assert [secret for secret in secrets if secret.lower().encode() in held] == []


def test_it_holds_no_word_of_a_host_that_fails_for_it_may_name_its_users(jobs: Jobs) -> None:
    _, workspace = jobs.run(FIRST)
    words = "no such login: jane.doe"
    with (
        open_app(workspace.folder / "digest.toml", at(FIRST), os.environ) as app,
        app.store.begin_write() as tx,
    ):
        tx.execute(update(batches).values(error=words, failure="refused"))
        tx.execute(update(source_state).values(error=words))
        for number, document in tx.execute(select(editions.c.id, editions.c.batches)).all():
            old = [entry | {"error": words} for entry in document]
            tx.execute(update(editions).where(editions.c.id == number).values(batches=old))
    workspace.run("export", "--state", str(workspace.folder / "state"))

    held = b"\n".join(files(workspace.folder / "state").values())
    assert b"jane.doe" not in held
    assert b'"refused"' in held


def test_the_same_store_gives_the_same_bytes_and_an_import_gives_them_again(jobs: Jobs) -> None:
    _, workspace = jobs.run(FIRST)
    first = {name: text for name, text in files(jobs.state).items() if name != "state.json"}
    workspace.run("export", "--state", str(jobs.base / "again"), now=at(FIRST))
    other = jobs.machine("other")
    other.run("import", str(jobs.state), "--state")
    other.run("export", "--state", str(jobs.base / "third"), now=at(FIRST))

    for folder in ("again", "third"):
        results = files(jobs.base / folder)
        results.pop("state.json")
        assert results == first


def test_a_day_changes_only_lines_that_are_about_it(started_jobs: Jobs) -> None:
    before = {name: set(text.split(b"\n")) for name, text in files(started_jobs.state).items()}
    started_jobs.publisher.day = SECOND
    started_jobs.run(SECOND)
    after = {name: set(text.split(b"\n")) for name, text in files(started_jobs.state).items()}

    for name in ("papers.jsonl", "editions.jsonl", "listings.jsonl", "statements/000000.jsonl"):
        assert before[name] <= after[name]


def test_what_is_older_than_ninety_days_is_left_behind(started_jobs: Jobs) -> None:
    workspace = started_jobs.machines[0]
    later = at(FIRST) + timedelta(days=91)
    workspace.run("export", "--state", str(started_jobs.state), now=later)

    held = files(started_jobs.state)
    assert not {"editions.jsonl", "papers.jsonl", "statements/000000.jsonl", "events.jsonl"} & held.keys()
    assert "digests.jsonl" in held
    started_jobs.publisher.day = SECOND
    started_jobs.machine("later").run(
        "run", "--state", str(started_jobs.state), now=later + timedelta(days=1)
    )


# --- what it refuses ------------------------------------------------------------------------------


def changed(jobs: Jobs, **values: object) -> None:
    path = jobs.state / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_a_state_of_a_newer_release_is_refused(started_jobs: Jobs) -> None:
    changed(started_jobs, tables="9999", made_by="9.0")

    result, _ = started_jobs.run(FIRST, status=1)

    assert "was written by a newer digest (9.0)" in result.output


@pytest.mark.parametrize("how", ["line", "file", "index", "names"])
def test_a_damaged_state_is_refused_and_nothing_is_sent(started_jobs: Jobs, how: str) -> None:
    match how:
        case "line":
            path = started_jobs.state / "editions.jsonl"
            path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))
        case "file":
            (started_jobs.state / "events.jsonl").unlink()
        case "index":
            (started_jobs.state / "state.json").write_text("{")
        case _:
            changed(started_jobs, removed=["../../job.jsonl"])
    started_jobs.publisher.day = SECOND

    result, workspace = started_jobs.run(SECOND, status=1)

    assert "is damaged" in result.output
    assert len(started_jobs.mails.received) == 1
    assert not (workspace.folder / "job.db").exists()


def test_files_of_others_in_the_folder_of_a_state_stay_as_they_are(started_jobs: Jobs) -> None:
    others = {
        "readings.jsonl": b"[1]\n",
        "data/2026.jsonl": b"{}\n",
        "statements/old.jsonl": b"",
        "README.md": b"x",
    }
    for name, content in others.items():
        (started_jobs.state / name).parent.mkdir(exist_ok=True)
        (started_jobs.state / name).write_bytes(content)
    started_jobs.publisher.day = SECOND

    started_jobs.run(SECOND)
    started_jobs.machines[0].run("export", "--state", str(started_jobs.state), now=at(SECOND, 9))

    there = files(started_jobs.state)
    assert {name: there[name] for name in others} == others
    assert len(started_jobs.mails.received) == 2


def test_only_files_that_the_last_state_named_are_removed(started_jobs: Jobs) -> None:
    path = started_jobs.state / "statements" / "000777.jsonl"
    path.write_bytes(b"[]\n")
    index = json.loads((started_jobs.state / "state.json").read_text())
    changed(
        started_jobs, files=index["files"] | {"statements/000777.jsonl": hashlib.sha256(b"[]\n").hexdigest()}
    )

    started_jobs.machines[0].run("export", "--state", str(started_jobs.state), now=at(FIRST, 9))

    assert not path.exists()
    assert json.loads((started_jobs.state / "state.json").read_text())["removed"] == [
        "statements/000777.jsonl"
    ]


def test_what_a_killed_run_did_not_get_to_remove_is_removed_by_the_next_one(started_jobs: Jobs) -> None:
    path = started_jobs.state / "statements" / "000777.jsonl"
    path.write_bytes(b"[]\n")
    changed(started_jobs, removed=["statements/000777.jsonl"])
    started_jobs.publisher.day = SECOND

    started_jobs.run(SECOND)

    assert not path.exists()
    assert len(started_jobs.mails.received) == 2


@pytest.mark.parametrize("files_before_the_kill", [1, 3])
def test_a_write_that_was_killed_is_written_anew(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch, files_before_the_kill: int
) -> None:
    workspace = jobs.machine("one")
    workspace.run("run", now=at(FIRST))
    paths: list[Path] = []
    replace = Path.replace

    def replace_some(path: Path, target: Path) -> Path:
        if target.suffix == ".jsonl":
            if len(paths) == files_before_the_kill:
                raise KeyboardInterrupt
            paths.append(target)
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace_some)
        workspace.run("export", "--state", str(jobs.state), now=at(FIRST, 5), status=130)
    assert paths
    again = workspace.run("export", "--state", str(jobs.state), now=at(FIRST, 6))
    jobs.machine("two").run("import", str(jobs.state), "--state")

    assert "Wrote the state" in again.output


def test_a_name_that_was_removed_is_free_again(started_jobs: Jobs) -> None:
    test_only_files_that_the_last_state_named_are_removed(started_jobs)
    started_jobs.machines[0].run("export", "--state", str(started_jobs.state), now=at(FIRST, 10))
    path = started_jobs.state / "statements" / "000777.jsonl"
    path.write_bytes(b"mine")

    started_jobs.machines[0].run("export", "--state", str(started_jobs.state), now=at(FIRST, 11))

    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize("command", ["run", "export"])
def test_a_folder_with_something_else_in_it_is_no_states_unless_one_says_so(jobs: Jobs, command: str) -> None:
    jobs.state.mkdir()
    (jobs.state / ".git").write_text("gitdir: elsewhere")
    (jobs.state / "records.jsonl").write_text("{}\n")
    workspace = jobs.machine("one")

    refused = workspace.run(command, "--state", str(jobs.state), now=at(FIRST), status=1)
    after = files(jobs.state)
    workspace.run(command, "--state-into", str(jobs.state), now=at(FIRST))

    assert f"use --state-into {jobs.state}" in " ".join(refused.output.split())
    assert after == {".git": b"gitdir: elsewhere", "records.jsonl": b"{}\n"}
    assert after.items() <= files(jobs.state).items()
    assert (jobs.state / "state.json").exists()


def test_a_file_of_others_that_has_the_name_of_a_states_is_not_overwritten(jobs: Jobs) -> None:
    jobs.state.mkdir()
    (jobs.state / "papers.jsonl").write_text("{}\n")

    result, _ = jobs.run(FIRST, status=1)
    into = jobs.machines[0].run("export", "--state-into", str(jobs.state), now=at(FIRST), status=1)

    for output in (into.output, result.output):
        assert "name another folder" in " ".join(output.split())
    assert files(jobs.state) == {"papers.jsonl": b"{}\n"}


def test_without_a_key_there_is_no_state(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DIGEST_KEY")

    result, _ = jobs.run(FIRST, status=2)

    assert "a state needs a DIGEST_KEY in the environment" in result.output


def test_a_store_of_its_own_is_not_mixed_with_a_state(started_jobs: Jobs) -> None:
    workspace = started_jobs.machines[0]
    started_jobs.publisher.day = SECOND
    started_jobs.run(SECOND)

    again = workspace.run("run", "--state", str(started_jobs.state), now=at(SECOND, 5), status=1)
    imported = workspace.run("import", str(started_jobs.state), "--state", status=1)

    assert "do not belong together" in again.output
    assert "there is a database already" in imported.output


def test_a_machine_that_stays_goes_on_from_its_store(jobs: Jobs) -> None:
    _, workspace = jobs.run(FIRST)
    jobs.publisher.day = SECOND

    workspace.run("run", "--state", str(jobs.state), now=at(SECOND))

    assert len(jobs.mails.received) == 2


# --- two at once, and runs that die ---------------------------------------------------------------


def kept_by(text: str) -> tuple[str, str]:
    return "--kept-by", shlex.join([sys.executable, "-c", text])


def test_what_cannot_be_kept_is_not_sent(jobs: Jobs) -> None:
    result, _ = jobs.run(FIRST, *kept_by("raise SystemExit(3)"), status=1)

    assert "nothing was sent" in result.output
    assert "status 3" in result.output
    assert not jobs.mails.received


def test_a_second_run_leaves_the_work_to_the_one_that_sends(jobs: Jobs) -> None:
    copy = f"import shutil; shutil.copytree({str(jobs.state)!r}, {str(jobs.base / 'first')!r}, dirs_exist_ok=True)"
    once = f"import os; os.path.exists({str(jobs.base / 'first')!r}) or exec({copy!r})"
    jobs.run(FIRST, *kept_by(once))
    shutil.rmtree(jobs.state)
    shutil.copytree(jobs.base / "first", jobs.state)  # as it was kept before the mail was sent

    result, _ = jobs.run(FIRST, minutes=10)

    assert "Another cycle is running" in result.output
    assert len(jobs.mails.received) == 1


def test_a_run_that_died_is_said_and_what_it_sent_comes_again_with_the_same_message_id(jobs: Jobs) -> None:
    test_a_second_run_leaves_the_work_to_the_one_that_sends(jobs)

    result, _ = jobs.run(FIRST, minutes=180)

    assert "did not finish" in result.output
    first, again = jobs.mails.received
    assert message_id(first.content) == message_id(again.content)


def message_id(mail: bytes) -> bytes:
    (matches,) = re.findall(rb"^Message-ID: (.*?)\r?$", mail, re.MULTILINE)
    return bytes(matches)


def test_a_store_in_which_nothing_is_yet_gives_way_to_the_state(started_jobs: Jobs) -> None:
    workspace = started_jobs.machine("looked-at")
    workspace.run("status", now=at(FIRST))  # made its tables

    workspace.run("run", "--state", str(started_jobs.state), now=at(FIRST, 20))

    assert len(started_jobs.mails.received) == 1


def test_a_rehearsal_leaves_the_state_as_it_is(started_jobs: Jobs) -> None:
    before = files(started_jobs.state)
    started_jobs.publisher.day = SECOND

    result, _ = started_jobs.run(SECOND, "--dry-run")

    assert "rehearsed" in result.output or "would" in result.output
    assert files(started_jobs.state) == before
    assert len(started_jobs.mails.received) == 1


def test_what_a_run_prints_names_no_address(started_jobs: Jobs) -> None:
    (result,) = started_jobs.results
    started_jobs.publisher.day = SECOND
    document, _ = started_jobs.run(SECOND, "--json")

    assert "systems" in result.output
    assert "reader.example" not in result.output + document.output
    assert document.json["receipts"]["sent"] == 2
