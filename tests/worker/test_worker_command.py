"""``digest worker`` as a user starts it: processes that share a database, and may die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from sqlalchemy import text

from digest.store.database.dialect import make_engine
from digest.store.database.engine import migrate_to, open_store
from digest.store.workers import hints
from tests.store.conftest import NOW
from tests.support.postgres import Postgres
from tests.support.processes import start_command
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace
from tests.worker.conftest import CONNECTIONS, READERS, GatedServer, Lab, wait_until

pytestmark = pytest.mark.long


def stop(process: subprocess.Popen[str]) -> str:
    """Stop a worker as a service manager does, and return what it wrote."""
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    return output


def list_processes(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """List the processes of a worker that do its work."""
    found = []
    for child in psutil.Process(process.pid).children():
        with suppress(psutil.Error):  # it has just ended
            found += [child] if "spawn_main" in " ".join(child.cmdline()) else []
    return found


def kill_all(process: subprocess.Popen[str]) -> None:
    """Kill a worker with all of its processes, as the end of a machine does."""
    for child in psutil.Process(process.pid).children(recursive=True):
        child.kill()
    process.kill()
    process.wait(PATIENCE)


def test_two_workers_send_each_reader_one_mail_over_no_more_connections_than_the_file_allows(
    lab: Lab,
) -> None:
    with (
        start_command(lab.workspace, "worker", "--processes", "2") as first,
        start_command(lab.workspace, "worker") as second,
    ):
        wait_until(lambda: len(lab.server.received) >= len(READERS))
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        workers = lab.status()["workers"]
        output = stop(first) + stop(second)

    assert set(lab.count_mails().values()) == {1}
    assert lab.server.most_at_once <= CONNECTIONS
    assert [worker["command"] for worker in workers] == ["worker"] * 3
    assert all("deliver:smtp" in worker["queues"] for worker in workers)
    assert "Stopped. Nothing is lost" in output
    assert lab.status()["workers"] == []
    assert lab.list_worker_troubles() == []


def test_the_log_of_a_worker_as_json_has_the_lines_of_all_its_processes(lab: Lab) -> None:
    with start_command(
        lab.workspace, "worker", "--processes", "2", "--log-format", "json", "--log-level", "debug"
    ) as process:
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        lines = [json.loads(line) for line in stop(process).splitlines()]

    assert [lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"]
    sent = {line["delivery"]: line["worker"] for line in lines if line["event"] == "delivery"}
    assert len(sent) == len(READERS)
    (shard,) = [line for line in lines if line["event"] == "shard_composed"]
    assert shard.items() >= {"run": 1, "shard": 0, "editions": 1, "deliveries": len(READERS)}.items()
    tasks = [line for line in lines if line["event"] == "task"]
    assert {"tick", "pull", "match", "compose", "deliver"} <= {line["task"] for line in tasks}
    assert len({line["worker"] for line in tasks}) == 2
    assert not [line for line in lines if "@" in str(line)]


def test_what_a_killed_worker_had_is_sent_by_another_within_ninety_seconds(
    lab: Lab, server: GatedServer
) -> None:
    server.free = 15
    server.gate.clear()
    with start_command(lab.workspace, "worker") as first, start_command(lab.workspace, "worker") as second:
        wait_until(lambda: len(server.received) >= server.free)
        kill_all(first)
        server.gate.set()
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)}, timeout=90)
        stop(second)

    copies = lab.count_mails()
    assert copies.keys() == set(READERS)
    assert copies.total() - len(READERS) <= 10 * CONNECTIONS
    message_ids = {mail.content.partition(b"Message-ID:")[2].split()[0] for mail in server.received}
    assert len(message_ids) == len(READERS)


def test_a_worker_that_is_told_to_stop_gives_back_what_it_has_and_nothing_comes_twice(
    lab: Lab, server: GatedServer
) -> None:
    server.free = 15
    server.gate.clear()
    with start_command(lab.workspace, "worker") as first:
        wait_until(lambda: len(server.received) >= server.free)
        first.send_signal(signal.SIGTERM)
        server.gate.set()
        first.communicate(timeout=25)
    states = lab.count_states()
    assert states.keys() <= {"ready", "sent"}
    with start_command(lab.workspace, "worker") as second:
        wait_until(lambda: lab.status()["workers"])
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        stop(second)

    assert first.returncode == 0
    assert set(lab.count_mails().values()) == {1}


def test_the_job_queue_may_be_emptied_at_any_time(lab: Lab, postgres_url: str, server: GatedServer) -> None:
    server.gate.clear()
    store = open_store(postgres_url, NOW)
    with start_command(lab.workspace, "worker") as process:
        for count in (1, 20, 40):
            server.free = count
            wait_until(lambda count=count: len(server.received) >= count)  # type: ignore[misc]
            with store.begin_write() as tx:
                tx.execute(text("TRUNCATE procrastinate_jobs, procrastinate_workers CASCADE"))
        server.gate.set()
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        stop(process)
    store.close()

    assert set(lab.count_mails().values()) == {1}


def test_a_worker_goes_on_when_its_connections_to_the_database_are_cut(
    lab: Lab, postgres_url: str, server: GatedServer
) -> None:
    server.gate.clear()
    store = open_store(postgres_url, NOW)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'digest' AND pid <> pg_backend_pid()"
    with start_command(lab.workspace, "worker") as process:
        for count in (1, 20, 40):
            server.free = count
            wait_until(lambda count=count: len(server.received) >= count)  # type: ignore[misc]
            with store.begin_write() as tx:
                tx.execute(text(cut))
        server.gate.set()
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        stop(process)
    store.close()

    assert set(lab.count_mails().values()) == {1}


def test_a_process_of_a_worker_that_dies_is_started_again(lab: Lab) -> None:
    with start_command(lab.workspace, "worker", "--processes", "2") as process:
        wait_until(lambda: len(lab.status()["workers"]) == 2)
        first, _ = list_processes(process)
        first.kill()
        wait_until(lambda: len(list_processes(process)) == 2 and first not in list_processes(process))
        wait_until(lambda: len(lab.status()["workers"]) == 2)
        stop(process)


def test_processes_end_with_their_worker(lab: Lab) -> None:
    with start_command(lab.workspace, "worker") as process:
        wait_until(lambda: len(lab.status()["workers"]) == 1)
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        _, alive = psutil.wait_procs(children, timeout=PATIENCE)

    assert alive == []


def test_workers_go_on_with_a_file_that_was_applied_meanwhile(lab: Lab) -> None:
    with start_command(lab.workspace, "worker") as process:
        wait_until(lambda: lab.count_states() == {"sent": len(READERS)})
        more = lab.config + (
            '\n[[digest]]\nname = "late"\nto = ["late@example.org"]\nschedule = "daily 07:30"\nkeywords = ["model"]\n'
        )
        lab.workspace.write(more)
        lab.workspace.run("apply")
        wait_until(lambda: lab.count_mails()["late@example.org"] == 1)
        stop(process)


def test_a_worker_without_a_server_sends_nothing_and_is_named(lab: Lab, tmp_path: Path) -> None:
    sources = lab.config.partition("[[digest]]")[0]
    own = '[[digest]]\nname = "own"\nto = ["files:mail"]\nschedule = "daily 7:00"\nkeywords = ["model"]\n'
    without = lab.make_other_machine(tmp_path / "other", sources + own)
    with start_command(without, "worker") as process:
        wait_until(lambda: lab.count_states().get("ready") == len(READERS))
        troubles = lab.list_worker_troubles()
        stop(process)

    assert lab.server.received == []
    assert any("has another configuration file" in trouble for trouble in troubles)
    assert any("No worker delivers by smtp" in trouble for trouble in troubles)


def test_a_worker_without_the_sources_leaves_deciding_to_those_that_have_them(
    lab: Lab, tmp_path: Path
) -> None:
    start, _, rest = lab.config.partition("[[source]]")
    store = start + "[smtp]" + rest.partition("[smtp]")[2]
    with start_command(lab.make_other_machine(tmp_path / "other", store), "worker") as process:
        wait_until(lambda: len(lab.status()["workers"]) == 1)
        troubles = lab.list_worker_troubles()
        queues = lab.status()["workers"][0]["queues"]
        stop(process)

    assert "tick" not in queues
    assert not any(queue.startswith("pull") for queue in queues)
    assert any("No worker decides what is due" in trouble for trouble in troubles)
    assert lab.server.received == []


def test_sqlite_is_refused_with_what_to_do_instead(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write('[store]\nurl = "sqlite:///digest.db"\n')  # a worker's file needs nothing else

    result = workspace.run("worker", status=2)

    assert "digest worker needs PostgreSQL" in result.output
    assert "use digest serve" in result.output


def test_tables_of_another_release_are_refused_with_what_to_do(lab: Lab, postgres_url: str) -> None:
    store = open_store(postgres_url, NOW)
    with store.begin_write() as tx:
        tx.execute(text("UPDATE notes SET value = '00' WHERE name = 'procrastinate'"))
        assert hints.are_used(tx)
    store.close()

    result = lab.workspace.run("worker", status=1)

    assert "run `digest db upgrade`" in result.output


@pytest.mark.parametrize(
    ("queues", "message"), [("post", "there is no queue 'post'"), (",", "name at least one queue")]
)
def test_queues_that_do_not_exist_are_refused(lab: Lab, queues: str, message: str) -> None:
    assert message in lab.workspace.run("worker", "--queues", queues, status=2).output


def test_a_worker_waits_until_somebody_has_upgraded_the_tables(
    lab: Lab, postgres: Postgres, postgres_url: str, tmp_path: Path
) -> None:
    old_url = postgres.create()
    engine = make_engine(old_url)
    migrate_to(engine, "0036")
    engine.dispose()
    other = lab.make_other_machine(tmp_path / "other", lab.config.replace(postgres_url, old_url))
    with start_command(other, "worker") as process:
        assert process.stdout is not None
        assert "Waiting for `digest db upgrade`" in process.stdout.readline()
        other.run("db", "upgrade")
        other.run("apply")
        wait_until(lambda: len(lab.count_mails()) == len(READERS))
        stop(process)
    postgres.drop(old_url)
