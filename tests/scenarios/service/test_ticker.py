"""What ticks: that delivering is beside the cycle, and goes on by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from typing import Self

import pytest
from apscheduler.schedulers.background import BackgroundScheduler

from digest.app import open_app
from digest.core.delivery.throttling.pauses import ServerFailure
from digest.errors import DigestError, OutOfMemoryError, StoreError
from digest.jobs.cycle import CycleEvent, CycleSteps, run_cycle
from digest.jobs.delivery.dispatcher import DispatchEvent
from digest.jobs.delivery.servers import ServerPaused
from digest.store.editions.held_runs import HeldRun
from digest.ticker import DeliveryThread, keep_ticking, run_tick
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

PAUSED = ServerPaused(
    channel="smtp",
    server="mx:25",
    failure=ServerFailure(
        since=datetime(2026, 6, 12, 7, tzinfo=UTC),
        until=datetime(2026, 6, 12, 8, tzinfo=UTC),
        reason="nothing answers there",
    ),
    replaced=False,
)
HELD = HeldRun(id=7, period="2026-06-12T07:30", reason="it bounces")


def steps(passes: SimpleQueue[list[DispatchEvent] | Exception], begun: SimpleQueue[int]) -> CycleSteps:
    """A cycle that composes something, and passes that wait until it is said what happens in them."""
    counted = iter(range(1, 1000))

    def deliver() -> Iterator[DispatchEvent]:
        begun.put(next(counted))
        what = passes.get(timeout=PATIENCE)
        if isinstance(what, Exception):
            raise what
        yield from what

    return CycleSteps(
        read_reports=lambda: iter(()),
        fire=int,
        list_asks=tuple,
        pull=lambda _: iter(()),
        find_trending=int,
        match=lambda: iter(()),
        alert=bool,
        close=lambda **_: (),
        compose=lambda: 1,
        deliver=deliver,
        publish=tuple,
        enrich=lambda: iter(()),
        prune=lambda: None,
        trace=lambda: None,
    )


class Running:
    """A thread that delivers, with long times between two passes."""

    def __init__(self) -> None:
        self.passes: SimpleQueue[list[DispatchEvent] | Exception] = SimpleQueue()
        self.started_deliveries: SimpleQueue[int] = SimpleQueue()
        self.events: SimpleQueue[CycleEvent | DigestError] = SimpleQueue()
        self.ended = threading.Semaphore(0)
        self.stop = threading.Event()
        self.steps = steps(self.passes, self.started_deliveries)
        self.delivering = DeliveryThread(self.steps, self.stop, 3600, self.events.put, self.ended.release)

    def __enter__(self) -> Self:
        self.delivering.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop.set()
        self.passes.put([])
        self.delivering.wait_closed()

    def next_pass(self) -> int:
        return self.started_deliveries.get(timeout=PATIENCE)

    def next_told(self) -> CycleEvent | DigestError:
        return self.events.get(timeout=PATIENCE)


def test_a_cycle_comes_to_its_end_while_a_pass_of_delivering_is_under_way_and_the_next_pass_follows_at_once() -> (
    None
):
    with Running() as running:
        assert running.next_pass() == 1

        events = list(
            run_cycle(
                replace(running.steps, deliver=running.delivering.request_pass),
                wait=True,
                wait_for_retry=lambda _: False,
            )
        )

        assert events == []
        running.passes.put([])
        assert running.next_pass() == 2


def test_that_a_server_or_a_run_is_as_it_was_is_told_once() -> None:
    with Running() as running:
        for happened in ([PAUSED, HELD], [PAUSED, HELD], [HELD], [PAUSED, HELD]):
            running.next_pass()
            list(running.delivering.request_pass())
            running.passes.put([*happened])
        running.next_pass()

        assert [running.next_told() for _ in range(3)] == [PAUSED, HELD, PAUSED]
        assert running.events.empty()


@pytest.mark.parametrize("error", [StoreError("the database says: locked"), RuntimeError("a bug")])
def test_what_goes_wrong_in_a_pass_ends_no_other(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with Running() as running:
        running.next_pass()
        list(running.delivering.request_pass())
        running.passes.put(error)
        assert running.next_pass() == 2

        if isinstance(error, DigestError):
            assert running.next_told() is error
        else:
            assert "a bug" in caplog.text


def test_that_there_is_not_enough_memory_is_told_and_the_service_goes_on(tmp_path: Path) -> None:
    with Running() as running:
        running.next_pass()
        list(running.delivering.request_pass())
        running.passes.put(MemoryError())
        assert running.next_pass() == 2
        assert isinstance(running.next_told(), OutOfMemoryError)

    def compose() -> int:
        raise MemoryError

    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9"))
    events: list[CycleEvent | DigestError] = []
    with open_app(workspace.folder / "digest.toml", None, {}) as app:
        run_tick(app, replace(running.steps, compose=compose), events.append)
    assert [type(event) for event in events] == [OutOfMemoryError]


@pytest.mark.parametrize("happened", [[PAUSED], StoreError("the database says: locked")])
def test_the_end_of_each_pass_is_told_however_it_ended(happened: list[DispatchEvent] | Exception) -> None:
    with Running() as running:
        running.next_pass()
        running.passes.put(happened)

        assert running.ended.acquire(timeout=PATIENCE)


def test_ticks_go_on_when_the_clock_is_set_back_by_a_year() -> None:
    ticked, stop, scheduler = threading.Event(), threading.Event(), BackgroundScheduler(timezone="UTC")
    by_the_clock_before = datetime.now(UTC) + timedelta(days=365)
    job = scheduler.add_job(ticked.set, "interval", seconds=1, next_run_time=by_the_clock_before)
    scheduler.start()
    watch = threading.Thread(target=keep_ticking, args=(job, 1, stop))
    watch.start()
    try:
        assert ticked.wait(PATIENCE)
    finally:
        stop.set()
        watch.join()
        scheduler.shutdown()
