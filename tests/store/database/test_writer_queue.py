"""Threads of one process wait for each other as long as it takes, and for another process no longer than agreed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import event, select, update

from digest.errors import StoreBusyError
from digest.store.database import dialect
from digest.store.database.engine import Store, get_highest_seq, open_store
from digest.store.database.sqlite import writer_queue
from digest.store.database.sqlite.writer_queue import Waiter, WriterQueue
from digest.store.database.tables.digests import counters
from tests.store.factories import NOW, lock_database, run_concurrently
from tests.support.workspace import make_empty_database

MANY = 24
"""Threads: more than SQLAlchemy's pool has connections unless it is told otherwise."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A SQLite database with our tables and nothing in them."""
    path = tmp_path / "digest.db"
    path.write_bytes(make_empty_database())
    return path


@pytest.fixture
def sqlite_store(path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{path}", NOW)) as store:
        yield store


# --- the queue ------------------------------------------------------------------------------------


def join(queue: WriterQueue, write: Callable[[Waiter], object]) -> threading.Thread:
    """Start a thread that writes in its turn, and wait until it stands in the queue."""

    def run() -> None:
        with queue.acquire() as waiter:
            write(waiter)

    before = len(queue)
    thread = threading.Thread(target=run)
    thread.start()
    while len(queue) == before:
        time.sleep(0.001)
    return thread


def test_threads_write_in_the_order_in_which_they_came() -> None:
    queue, wrote = WriterQueue(), list[Waiter]()
    with queue.acquire():
        threads = [join(queue, wrote.append) for _ in range(MANY)]
        assert wrote == []
    for thread in threads:
        thread.join()

    assert [waiter.thread for waiter in wrote] == threads
    assert len(queue) == 0


def test_a_thread_that_fails_keeps_nobody_waiting() -> None:
    queue, wrote = WriterQueue(), list[Waiter]()
    with suppress(ZeroDivisionError), queue.acquire():
        thread = join(queue, wrote.append)
        raise ZeroDivisionError
    thread.join()

    assert len(wrote) == 1


def test_a_thread_that_would_wait_for_itself_is_told_at_once() -> None:
    queue = WriterQueue()
    with queue.acquire():
        with pytest.raises(RuntimeError, match="within another one"), queue.acquire():
            pytest.fail("it went on")  # pragma: no cover
        assert len(queue) == 1


def test_who_waited_while_others_of_the_process_wrote_has_not_waited_for_another_process() -> None:
    queue, waiters = WriterQueue(), list[Waiter]()
    with queue.acquire() as first:
        threads = [join(queue, waiters.append) for _ in range(2)]
        first.wrote = True
    for thread in threads:
        thread.join()
    in_vain, behind = waiters

    assert in_vain.blocked_since > in_vain.enqueued_at, "the first one wrote since"
    assert behind.blocked_since == in_vain.blocked_since, (
        "the one before wrote nothing, so it has waited as long"
    )


def test_a_thread_that_ended_without_leaving_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_queue, "_LIVENESS_INTERVAL", 0.01)
    queue, wrote = WriterQueue(), list[Waiter]()
    places, may_end = [queue.acquire() for _ in range(2)], threading.Event()

    def end_in_the_queue(place: AbstractContextManager[Waiter]) -> None:
        place.__enter__()
        may_end.wait()

    first = threading.Thread(target=end_in_the_queue, args=(places[0],))
    first.start()
    while not len(queue):
        time.sleep(0.001)
    threads = [join(queue, wrote.append) for _ in range(2)]
    may_end.set()
    for thread in (first, *threads):
        thread.join()
    assert [waiter.thread for waiter in wrote] == threads

    last = threading.Thread(target=end_in_the_queue, args=(places[1],))
    last.start()
    last.join()
    with queue.acquire():
        assert len(queue) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_process_that_is_forked_while_a_thread_writes_waits_for_none_of_its_parents_threads() -> None:
    queue, may_end = WriterQueue(), threading.Event()
    threads = [join(queue, lambda _: may_end.wait()) for _ in range(3)]
    child = fork(lambda: write_alone(queue))
    may_end.set()
    for thread in threads:
        thread.join()
    assert ended(child) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_thread_that_forks_while_it_writes_writes_on_alone_in_the_parent() -> None:
    queue = WriterQueue()

    def leave_what_the_parent_holds() -> None:
        with queue.acquire():
            pass
        generator_context_manager.__exit__(None, None, None)
        write_alone(queue)

    generator_context_manager = queue.acquire()
    generator_context_manager.__enter__()
    assert ended(fork(leave_what_the_parent_holds)) == 0
    assert len(queue) == 1
    generator_context_manager.__exit__(None, None, None)
    assert len(queue) == 0


def write_alone(queue: WriterQueue) -> None:
    with queue.acquire():
        assert len(queue) == 1


def fork(action: Callable[[], object]) -> int:
    """Do something in a process of its own, which ends if it hangs."""
    child = os.fork()
    if child == 0:  # pragma: no cover
        signal.alarm(60)
        status = 1
        try:
            action()
            status = 0
        finally:
            os._exit(status)
    return child


def ended(child: int) -> int:
    """The status of a process when it has ended; below 0 for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# --- the store ------------------------------------------------------------------------------------


def count(store: Store, times: int = 1) -> None:
    for _ in range(times):
        with store.begin_write() as tx:
            value = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
            tx.execute(update(counters).where(counters.c.name == "event").values(value=value + 1))


def counted(store: Store) -> int:
    with store.begin_read() as tx:
        return get_highest_seq(tx)


def test_threads_that_together_write_for_longer_than_one_waits_for_a_process_all_write(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.05)

    @event.listens_for(sqlite_store.engine, "commit")
    def _take_time(_connection: object) -> None:
        time.sleep(0.01)  # 24 of them take five times as long as one waits

    run_concurrently(*[partial(count, sqlite_store, 2)] * MANY)

    assert counted(sqlite_store) == 2 * MANY


def test_several_stores_of_one_file_in_a_process_share_one_queue(
    path: Path, sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.0)
    with closing(open_store(f"sqlite:///{path}", NOW)) as other:
        run_concurrently(*[partial(count, sqlite_store, 10), partial(count, other, 10)] * 4)

    assert counted(sqlite_store) == 80


def test_stores_of_one_file_share_one_queue_however_its_path_is_written(
    path: Path, sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.0)
    (path.parent / "elsewhere").mkdir()
    (path.parent / "elsewhere" / "link.db").symlink_to(path)
    (path.parent / "folder").symlink_to(path.parent)
    monkeypatch.chdir(path.parent)
    urls = ["sqlite:///digest.db", "sqlite:///elsewhere/../digest.db", "sqlite:///elsewhere/link.db"]
    urls += [f"sqlite:///{path.parent}/folder/digest.db"]
    with ExitStack() as opened:
        others = [opened.enter_context(closing(open_store(url, NOW))) for url in urls]
        monkeypatch.chdir(path.parent / "elsewhere")  # a path is that of the moment when it was opened
        run_concurrently(*[partial(count, store, 10) for store in (sqlite_store, *others)] * 2)

    assert counted(sqlite_store) == 100


def test_who_waits_for_another_process_in_vain_is_told_that_it_is_busy_and_can_try_again(
    path: Path, sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT", 0.02)
    failed = list[str]()

    def try_to_count() -> None:
        try:
            count(sqlite_store)
        except StoreBusyError as error:
            failed.append(str(error))

    with lock_database(path):
        run_concurrently(*[try_to_count] * MANY)
    assert len(failed) == MANY
    assert "another process is writing to it" in failed[0]

    run_concurrently(*[try_to_count] * MANY)
    assert counted(sqlite_store) == MANY


def test_threads_that_wait_to_write_leave_connections_to_those_who_read(store: Store) -> None:
    at_work, begun = threading.Barrier(MANY + 1), threading.Event()

    def keep() -> None:
        at_work.wait()
        with store.begin_ingest() as tx:
            begun.set()
            value = tx.execute(select(counters.c.value).where(counters.c.name == "event")).scalar_one()
            tx.execute(update(counters).where(counters.c.name == "event").values(value=value + 1))

    threads = [threading.Thread(target=keep) for _ in range(MANY)]
    with store.begin_ingest():
        for thread in threads:
            thread.start()
        at_work.wait()
        for _ in range(100):
            assert counted(store) == 0
        assert not begun.is_set()
    for thread in threads:
        thread.join()

    assert counted(store) == MANY
