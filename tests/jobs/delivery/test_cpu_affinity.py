from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from digest.jobs.delivery.cpu_affinity import CpuAffinity

several_cores = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="there is one core only"
)


@pytest.fixture
def another() -> Iterator[threading.Thread]:
    """A thread that waits."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait, daemon=True)
    thread.start()
    yield thread
    done.set()
    thread.join()


def cores_of(thread: threading.Thread) -> set[int]:
    return os.sched_getaffinity(thread.native_id or 0)


@several_cores
def test_threads_are_together_on_one_core_until_they_are_let_go(another: threading.Thread) -> None:
    me, everywhere = threading.current_thread(), os.sched_getaffinity(0)
    core = CpuAffinity()

    core.bind_threads([another])
    together = cores_of(me), cores_of(another)
    core.release_threads([another])

    assert together[0] == together[1]
    assert len(together[0]) == 1
    assert cores_of(me) == cores_of(another) == everywhere


@several_cores
def test_what_a_gathered_thread_starts_is_where_it_is() -> None:
    core = CpuAffinity()
    found: list[set[int]] = []
    core.bind_threads(())

    started = threading.Thread(target=lambda: found.append(os.sched_getaffinity(0)))
    started.start()
    started.join()
    here = cores_of(threading.current_thread())
    core.release_threads(())

    assert found == [here]


def test_threads_that_have_ended_or_not_begun_are_no_trouble() -> None:
    ended = threading.Thread(target=lambda: None)
    ended.start()
    ended.join()
    core = CpuAffinity()

    core.bind_threads([ended, threading.Thread(target=lambda: None)])
    core.release_threads([ended])
