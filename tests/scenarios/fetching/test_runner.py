"""Asking in earnest: several hosts at once, several processes, processes that end too soon, and who watches."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import IO

import pytest

from digest.store.database.engine import open_store
from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.fakes.scripted_host import answer_after, make_entry, make_rss
from tests.simulation.feed_workspace import (
    NOW,
    add_to_now,
    get_store_url,
    is_sound,
    load_route_status,
    make_feeds_config,
    pull_feeds,
)
from tests.support.processes import kill_at_end, start_command, start_on_terminal
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

ROOT = Path(__file__).parents[3]


def feed_of(name: str) -> CannedResponse:
    """A feed with a post of its own."""
    return CannedResponse(
        make_rss(make_entry(f"A post of {name}", f"https://{name}.example.org/1", NOW - timedelta(hours=1)))
    )


@pytest.fixture
def hosts() -> Iterator[list[ScriptedHost]]:
    with ExitStack() as stack:
        yield [stack.enter_context(ScriptedHost(**{name: feed_of(name)})) for name in ("one", "two", "three")]


@pytest.fixture
def workspace(tmp_path: Path, hosts: list[ScriptedHost]) -> Workspace:
    """Somebody who reads a feed of each of three hosts."""
    workspace = Workspace(tmp_path)
    workspace.write(make_feeds_config(*addresses(hosts)))
    return workspace


def addresses(hosts: list[ScriptedHost]) -> list[str]:
    return [f"{host.url}/{name}" for host, name in zip(hosts, ("one", "two", "three"), strict=True)]


class Gate:
    """Lets nobody through before it is opened; who waits too long is told so by an exception."""

    def __init__(self) -> None:
        self._reached, self._open = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self._reached.set()
        assert self._open.wait(PATIENCE), "nobody opened the gate"

    def open(self) -> None:
        self._open.set()

    def until_reached(self) -> None:
        assert self._reached.wait(PATIENCE), "nobody came to the gate"


def lines(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout


# --- several hosts --------------------------------------------------------------------------------


def test_several_hosts_are_asked_at_the_same_time(workspace: Workspace, hosts: list[ScriptedHost]) -> None:
    all_here = threading.Barrier(3, timeout=PATIENCE)
    for host, name in zip(hosts, ("one", "two", "three"), strict=True):
        host.answers[f"/{name}"] = answer_after(all_here.wait, feed_of(name))

    results = pull_feeds(workspace)

    assert {name: entry["added"] for name, entry in results.items()} == {"one": 1, "two": 1, "three": 1}


def test_one_host_is_asked_one_thing_at_a_time(workspace: Workspace, hosts: list[ScriptedHost]) -> None:
    names = [f"feed{number}" for number in range(6)]
    workspace.write(
        make_feeds_config(
            *(f"{host.url}/{name}" for name in names for host in hosts[:1]), *addresses(hosts)[1:]
        )
    )
    hosts[0].answers.update({f"/{name}": feed_of(name) for name in names})

    results = pull_feeds(workspace)

    assert all(entry["added"] == 1 for entry in results.values())
    assert hosts[0].paths() == [f"/{name}" for name in names]
    assert hosts[0].most_at_once == 1


def test_a_host_is_one_host_however_its_name_is_written(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    port = hosts[0].name.partition(":")[2]
    names = [f"feed{number}" for number in range(4)]
    both = threading.Barrier(2)

    def alone(_: HostRequest) -> CannedResponse:
        """Waits a moment for another request that would be there at the same time."""
        with pytest.raises(threading.BrokenBarrierError):
            both.wait(0.1)
        both.reset()
        return feed_of("one")

    hosts[0].answers.update({f"/{name}": alone for name in names})
    lines = ("localhost", "LOCALHOST", "LocalHost", "localhost")
    workspace.write(
        make_feeds_config(*(f"http://{host}:{port}/{name}" for host, name in zip(lines, names, strict=True)))
    )

    workspace.run("pull", now=NOW)

    assert sorted(hosts[0].paths()) == sorted(f"/{name}" for name in names)
    assert hosts[0].most_at_once == 1


def test_a_host_that_does_not_answer_holds_no_other_back(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    """The first answers only when the other two have been asked for a second feed, after their first was kept."""
    second = threading.Barrier(3, timeout=PATIENCE)
    hosts[0].answers["/one"] = answer_after(second.wait, CannedResponse(b"No.", 500))
    for host, name in zip(hosts[1:], ("four", "five"), strict=True):
        host.answers[f"/{name}"] = answer_after(second.wait, feed_of(name))
    more = [f"{host.url}/{name}" for host, name in zip(hosts[1:], ("four", "five"), strict=True)]
    workspace.write(make_feeds_config(*addresses(hosts), *more))

    results = pull_feeds(workspace, status=1)

    assert "HTTP 500" in results.pop("one")["error"]
    assert {name: entry["added"] for name, entry in results.items()} == dict.fromkeys(
        ("two", "three", "four", "five"), 1
    )


def test_a_mistake_in_one_source_is_told_and_takes_nothing_from_the_others(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    text = make_feeds_config(*addresses(hosts)).replace(
        'use = "feed"', 'use = "tests.fakes.broken_source:Source"', 1
    )
    workspace.write(text)

    ran = workspace.run("pull", now=NOW, status=1)
    assert "which is a bug in it: IndexError('the mistake of a plug-in')" in ran.output

    workspace.write(make_feeds_config(*addresses(hosts)[1:]))
    assert {entry["added"] for entry in pull_feeds(workspace, add_to_now(hours=1)).values()} == {0}
    assert [load_route_status(workspace, name)["error"] for name in ("two", "three")] == ["", ""]


def test_a_feed_that_takes_too_long_to_read_costs_nobody_else_anything(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    text = make_feeds_config(*addresses(hosts)).replace(
        'use = "feed"', 'use = "tests.fakes.slow_source:Source"', 1
    )
    workspace.write(text)
    hosts[0].answers["/one"] = CannedResponse(b"<rss><channel><title>slow</title></channel></rss>")

    results = pull_feeds(workspace, status=1)

    assert "s of CPU time to read" in results["one"]["error"]
    assert (results["two"]["added"], results["three"]["added"]) == (1, 1)


# --- Ctrl-C ---------------------------------------------------------------------------------------


def check_sound(workspace: Workspace) -> None:
    store = open_store(get_store_url(workspace), NOW)
    try:
        assert is_sound(store)
        with store.begin_read() as tx:
            assert tx.exec_driver_sql("SELECT count(*) FROM leases").scalar() == 0
            assert tx.exec_driver_sql("SELECT count(*) FROM buckets WHERE holder != 0").scalar() == 0
    finally:
        store.close()


def test_ctrl_c_leaves_what_was_kept_and_the_next_pull_goes_on(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    gate = Gate()
    hosts[2].answers["/three"] = answer_after(gate, feed_of("three"))
    with start_command(workspace, "pull", now=NOW) as process:
        entries = {lines(process).readline(), lines(process).readline()}
        gate.until_reached()
        process.send_signal(SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
        gate.open()

    assert process.returncode == 130
    assert entries == {f"{name} feed: 1 listing, 1 of them new\n" for name in ("one", "two")}
    assert rest == "Stopped. Nothing is lost: the next cycle continues from here.\n"
    check_sound(workspace)
    results = pull_feeds(workspace, add_to_now(minutes=1))
    assert {name: (entry["added"], entry["events"]) for name, entry in results.items()} == {
        "one": (0, 0),
        "two": (0, 0),
        "three": (1, 1),
    }


def test_ctrl_c_does_not_wait_for_a_turn(workspace: Workspace, hosts: list[ScriptedHost]) -> None:
    slow = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Interval": "1m"}
    for name in ("one", "four"):
        hosts[0].answers[f"/{name}"] = CannedResponse(feed_of(name).body, 200, slow)
    workspace.write(make_feeds_config(*addresses(hosts), f"{hosts[0].url}/four"))
    with start_command(workspace, "pull", now=NOW) as process:
        entries = {lines(process).readline().partition(":")[0] for _ in range(3)}
        process.send_signal(SIGINT)
        process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert entries == {"one feed", "two feed", "three feed"}
    assert hosts[0].paths() == ["/one"]
    check_sound(workspace)


# --- several processes ----------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def shared_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that several processes use."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/digest.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


def test_two_processes_never_ask_one_host_at_the_same_time(
    workspace: Workspace, hosts: list[ScriptedHost], shared_store_url: str
) -> None:
    names = [f"feed{number}" for number in range(5)]
    host = hosts[0]
    both_here = threading.Barrier(2, timeout=PATIENCE)
    host.answers.update({f"/{name}": feed_of(name) for name in names})
    hosts[1].answers["/meet"] = answer_after(both_here.wait, feed_of("meet"))
    hosts[2].answers["/meet"] = answer_after(both_here.wait, feed_of("meet"))
    urls = [f"{host.url}/{name}" for name in names]
    # Each has a host of its own, too, whose answer waits for the other process: both are at work at once.
    other = Workspace(workspace.folder / "other")
    other.folder.mkdir()
    workspace.write(make_feeds_config(f"{hosts[1].url}/meet", *urls, store=shared_store_url))
    other.write(make_feeds_config(f"{hosts[2].url}/meet", *urls, store=shared_store_url))
    workspace.run("db", "upgrade")

    with start_command(workspace, "pull", now=NOW) as one, start_command(other, "pull", now=NOW) as two:
        for process in (one, two):
            process.communicate(timeout=PATIENCE)

    assert (one.returncode, two.returncode) == (0, 0)
    assert host.most_at_once == 1
    assert set(host.paths()) == {
        f"/{name}" for name in names
    }  # once or twice: who came later finds what is there


def test_what_a_killed_process_was_asking_can_be_asked_at_once(
    workspace: Workspace, hosts: list[ScriptedHost], shared_store_url: str
) -> None:
    gate = Gate()
    hosts[0].answers["/one"] = answer_after(gate, feed_of("one"))
    workspace.write(make_feeds_config(*addresses(hosts), store=shared_store_url))
    workspace.run("db", "upgrade")
    with start_command(workspace, "pull", now=NOW) as process:
        gate.until_reached()
        process.send_signal(SIGKILL)
        process.wait(PATIENCE)
    gate.open()

    # Nobody sleeps for the minutes that a bucket is held: this test would take as long.
    assert pull_feeds(workspace, add_to_now(minutes=1))["one"]["received"] == 1


def test_what_a_killed_check_was_asking_can_be_asked_at_once(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    gate = Gate()
    hosts[0].answers["/one"] = answer_after(gate, feed_of("one"))
    workspace.run("status", now=NOW)
    arguments = ["check", "--config", str(workspace.folder / "digest.toml")]
    process = subprocess.Popen(
        [sys.executable, "-m", "digest", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    with kill_at_end(process):
        gate.until_reached()
    gate.open()

    assert pull_feeds(workspace, add_to_now(minutes=1))["one"]["received"] == 1


# --- who watches ----------------------------------------------------------------------------------


def test_who_watches_sees_how_far_it_is_and_which_source_has_answered(
    workspace: Workspace, hosts: list[ScriptedHost]
) -> None:
    gates = [Gate(), Gate()]
    for gate, host, name in zip(gates, hosts[1:], ("two", "three"), strict=True):
        host.answers[f"/{name}"] = answer_after(gate, feed_of(name))
    with start_on_terminal(workspace, "pull", now=NOW) as (process, terminal):
        terminal.read_until("1/3")
        gates[0].open()
        terminal.read_until("2/3")
        gates[1].open()
        terminal.read_until("three feed: 1 listing")
        process.wait(PATIENCE)

    assert process.returncode == 0
    assert "Fetching" in terminal.text
    assert "two feed \x1b" in terminal.text


def test_in_a_pipe_there_are_only_lines(workspace: Workspace) -> None:
    with start_command(workspace, "pull", now=NOW) as process:
        output, _ = process.communicate(timeout=PATIENCE)

    assert process.returncode == 0
    assert sorted(output.splitlines()) == [
        f"{name} feed: 1 listing, 1 of them new" for name in ("one", "three", "two")
    ]
