"""The tasks of workers: hints may be lost, doubled, late and in any order, and the mails are the same."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

from digest.app import App, open_app
from digest.errors import DigestError
from digest.jobs.cycle import CycleEvent
from digest.jobs.delivery.dispatcher import _STOP_GRACE_SECONDS
from digest.jobs.operations.sync_config import read_applied
from digest.jobs.workers import WorkerProfile
from digest.store.database.engine import Store
from digest.store.delivery import outbox
from digest.store.workers import hints
from digest.store.workers.hints import Hint, Queue
from digest.worker.tasks import WorkerTasks
from tests.worker.conftest import CONNECTIONS, READERS, GatedServer, Lab, wait_until

pytestmark = pytest.mark.long

WORKERS = 2
MAIN_QUEUES = ("alert", "match", "compose", "alert:smtp", "deliver:smtp")


class WaitingHint(NamedTuple):
    """A hint that waits in the job queue."""

    id: int
    task: str
    subject: str


@contextmanager
def open_tasks(app: App, problems: list[DigestError]) -> Iterator[WorkerTasks]:
    """The tasks of one worker, without Procrastinate: whoever calls them decides when."""

    def report(event: CycleEvent | DigestError) -> None:
        if isinstance(event, DigestError):
            problems.append(event)

    stop, closing = threading.Event(), threading.Event()
    profile = WorkerProfile(command="worker", queues=(*MAIN_QUEUES, "pull:arxiv"))
    with app.open_worker(profile, stop, closing) as (steps, heartbeat), app.store.begin_read() as tx:
        yield WorkerTasks(
            app=app,
            steps=steps,
            heartbeat=heartbeat,
            pull_queues=("pull:arxiv",),
            main_queues=MAIN_QUEUES,
            ticks=True,
            report=report,
            finish_report=lambda: None,
            applied=read_applied(tx),
            stop=stop,
            closing=closing,
        )


def list_hints(store: Store) -> list[WaitingHint]:
    with store.begin_read() as tx:
        rows = tx.execute(
            text("SELECT id, task_name, args ->> 'subject' FROM procrastinate_jobs ORDER BY id")
        )
        return [WaitingHint(*row) for row in rows]


def take_hint(store: Store, hint: WaitingHint) -> None:
    with store.begin_write() as tx:
        tx.execute(text("DELETE FROM procrastinate_jobs WHERE id = :id"), {"id": hint.id})


def list_mails(lab: Lab) -> set[tuple[str, str]]:
    """Recipient and subject of each mail."""
    return {
        (mail.recipients[0], str(message_from_bytes(mail.content)["Subject"])) for mail in lab.server.received
    }


def work_off(store: Store, worker: WorkerTasks) -> None:
    """Run what ticks tell of, several times: a run takes four rounds, from a pull to its mails."""
    for _ in range(6):
        worker.run_task("tick", "")
        for hint in list_hints(store):
            take_hint(store, hint)
            if hint.task not in {"publish", "tick"}:
                worker.run_task(hint.task, hint.subject)


def test_a_machine_that_slept_uses_up_no_hint_without_delivering(lab: Lab) -> None:
    problems: list[DigestError] = []
    with ExitStack() as stack:
        app = stack.enter_context(open_app(lab.workspace.folder / "digest.toml", None, {}))
        worker = stack.enter_context(open_tasks(app, problems))
        for task, subject in (("tick", ""), ("pull", "arxiv"), ("match", ""), ("tick", ""), ("compose", "")):
            worker.run_task(task, subject)
        assert lab.count_states() == {"ready": len(READERS)}
        worker.heartbeat._beat_at -= 3600

        worker.run_task("deliver", "smtp")

    assert not problems
    assert lab.count_mails() == dict.fromkeys(READERS, 1)


def test_who_slept_while_sending_sends_nothing_more_of_what_it_had_leased(
    lab: Lab, server: GatedServer
) -> None:
    server.gate.clear()
    problems: list[DigestError] = []
    with ExitStack() as stack:
        app = stack.enter_context(open_app(lab.workspace.folder / "digest.toml", None, {}))
        worker = stack.enter_context(open_tasks(app, problems))
        for task, subject in (("tick", ""), ("pull", "arxiv"), ("match", ""), ("tick", ""), ("compose", "")):
            worker.run_task(task, subject)
        delivering = threading.Thread(target=worker.run_task, args=("deliver", "smtp"))
        delivering.start()
        wait_until(lambda: server.connections == CONNECTIONS)
        worker.heartbeat._beat_at -= 3600
        worker.heartbeat.beat()

        server.gate.set()
        delivering.join()
        count = len(server.received)
        worker.run_task("deliver", "smtp")

    assert not problems
    assert count <= CONNECTIONS * 10
    assert lab.count_mails() == dict.fromkeys(READERS, 1)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_becomes_of_hints_each_reader_gets_the_same_mail_once(lab: Lab, seed: int) -> None:
    chance = random.Random(seed)
    problems: list[DigestError] = []
    with ExitStack() as stack:
        app = stack.enter_context(open_app(lab.workspace.folder / "digest.toml", None, {}))
        tasks = [stack.enter_context(open_tasks(app, problems)) for _ in range(WORKERS)]
        for _ in range(chance.randint(0, 25)):
            waiting = list_hints(app.store)
            worker = chance.choice(tasks)
            if not waiting or chance.random() < 0.2:
                worker.run_task("tick", "")
                continue
            hint = chance.choice(waiting)
            fate = chance.choice(["run", "run", "lose", "double", "early"])
            if fate != "early":
                take_hint(app.store, hint)
            for _ in range({"run": 1, "lose": 0, "double": 2, "early": 1}[fate]):
                worker.run_task(hint.task, hint.subject)
        work_off(app.store, tasks[0])

        with app.store.begin_read() as tx:
            rows = tx.execute(text("SELECT state, count(*) FROM deliveries GROUP BY state"))
            states = [tuple(row) for row in rows]
    assert states == [("sent", len(READERS))]
    assert {recipient for recipient, _ in list_mails(lab)} == set(READERS)
    assert len(lab.server.received) == len(READERS)
    assert len({subject for _, subject in list_mails(lab)}) == 1
    assert problems == []


def test_a_hint_of_another_release_that_no_task_has_the_name_of_harms_nothing(lab: Lab) -> None:
    problems: list[DigestError] = []
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, problems) as tasks,
    ):
        tasks.run_task("dance", "")
        work_off(app.store, tasks)

    assert len(lab.server.received) == len(READERS)
    assert problems == []


@pytest.mark.parametrize(
    ("running", "waiting", "ends"),
    [
        (hints.make_delivery_hint("smtp"), hints.COMPOSE, True),
        (hints.make_delivery_hint("smtp"), hints.COMPOSE_ALERTS, True),
        (hints.COMPOSE, hints.make_delivery_hint("smtp"), False),
        (hints.COMPOSE, hints.COMPOSE, False),
        (hints.COMPOSE, hints.make_pull_hint("arxiv"), False),  # pulls have a lane of their own
        (hints.COMPOSE, hints.TICK, False),  # ticks, too
        (hints.COMPOSE, Hint(Queue.MATCH, "match"), True),
    ],
)
def test_a_task_makes_way_for_more_urgent_work(lab: Lab, running: Hint, waiting: Hint, *, ends: bool) -> None:
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
        tasks._allow_interruption(running),
    ):
        with app.store.begin_write() as tx:
            tx.execute(text("DELETE FROM procrastinate_jobs"))
            hints.defer_hint(tx, waiting)
        tasks.watch()
        assert not tasks.stop.is_set()  # it has only begun
        assert tasks._running is not None
        tasks._running = tasks._running.__class__(running, tasks._running.began_at - 30)
        tasks.watch()

        assert tasks.stop.is_set() == ends
        assert not tasks.closing.is_set()


def test_tasks_that_find_nothing_to_do_are_counted_apart(lab: Lab) -> None:
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        work_off(app.store, tasks)
        counts = tasks.heartbeat.counts
        assert counts.sent == len(READERS)
        assert counts.tasks - counts.idle_tasks >= 4  # a pull, a match, a composition, and a delivery
        before = counts.tasks, counts.idle_tasks
        for task, subject in (("match", ""), ("compose", ""), ("deliver", "smtp"), ("pull", "arxiv")):
            tasks.run_task(task, subject)

        assert (counts.tasks - before[0], counts.idle_tasks - before[1]) == (4, 4)


def test_an_interrupted_task_is_told_of_again(lab: Lab) -> None:
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        with tasks._allow_interruption(hints.make_delivery_hint("smtp")):
            tasks.stop.set()

        assert [(hint.task, hint.subject) for hint in list_hints(app.store)] == [("deliver", "smtp")]


def test_a_worker_ends_when_another_file_was_applied(lab: Lab) -> None:
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        tasks.watch()
        assert not tasks.closing.is_set()
        lab.workspace.write(lab.config + f"\n# {datetime.now(UTC)}\n")
        lab.workspace.run("apply")
        tasks.watch()

        assert tasks.is_outdated
        assert tasks.closing.is_set()


def test_what_a_worker_does_is_told_with_its_heartbeats(lab: Lab, tmp_path: Path) -> None:
    with (
        open_app(tmp_path / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        with tasks._note_activity("composing"), tasks._note_activity("pulling arxiv"):
            tasks.heartbeat.beat()
            (worker,) = lab.status()["workers"]
        tasks.heartbeat.beat()
        (idle_worker,) = lab.status()["workers"]

    assert worker["activity"] == "composing, pulling arxiv"
    assert idle_worker["activity"] == ""


def test_a_task_that_makes_way_waits_for_what_is_under_way_however_long_it_takes(
    lab: Lab, server: GatedServer
) -> None:
    server.free = 5
    server.gate.clear()
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        for task, subject in (("tick", ""), ("pull", "arxiv"), ("match", ""), ("tick", ""), ("compose", "")):
            tasks.run_task(task, subject)
        thread = threading.Thread(target=tasks.run_task, args=("deliver", "smtp"))
        thread.start()
        wait_until(lambda: len(server.received) >= server.free)
        tasks.stop.set()
        thread.join(_STOP_GRACE_SECONDS + 2)
        assert thread.is_alive()  # longer than a process that ends would wait
        server.gate.set()
        thread.join()
        with app.store.begin_read() as tx:
            counts = outbox.count_by_state(tx)

    assert counts["sent"] == len(server.received) == len(lab.count_mails())
    assert counts.keys() == {"ready", "sent"}


def test_a_run_ends_although_who_composed_its_last_shard_was_killed(lab: Lab) -> None:
    with (
        open_app(lab.workspace.folder / "digest.toml", None, {}) as app,
        open_tasks(app, []) as tasks,
    ):
        work_off(app.store, tasks)
        with app.store.begin_write() as tx:  # as between the two transactions
            assert tx.execute(text("UPDATE runs SET state = 'closed', composed_at = NULL")).rowcount
        work_off(app.store, tasks)

        with app.store.begin_read() as tx:
            states = tx.execute(text("SELECT DISTINCT state FROM runs")).scalars().all()
    assert states == ["composed"]
