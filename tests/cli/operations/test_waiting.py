"""A run that waits in its process, by a clock that its own sleeping moves on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.app import App, open_app
from digest.cli.operations.run import SourceWaiter, run_reported_cycle
from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("no_retries")

BERLIN = ZoneInfo("Europe/Berlin")
FRIDAY = date(2026, 5, 8)
SECTIONS = ("cs.DC", "cs.LG", "cs.CL")


class Clock:
    """Stands still but for sleeping."""

    def __init__(self, now: datetime) -> None:
        self.now = now.astimezone(UTC)
        self.naps: list[float] = []

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += timedelta(seconds=seconds)


def at(clock: str) -> datetime:
    return datetime.combine(FRIDAY, time.fromisoformat(clock), BERLIN)


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    """A reader who got Thursday's edition; on Friday the feeds are still Thursday's."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url, more='latest = "10:00"'))
    publisher.day = FRIDAY - timedelta(days=1)
    workspace.run("run", now=at("07:31") - timedelta(days=1))
    publisher.day = FRIDAY
    publisher.stale_days = dict.fromkeys(SECTIONS, FRIDAY - timedelta(days=1))
    return workspace


@contextmanager
def opened(workspace: Workspace, clock: Clock) -> Iterator[App]:
    with open_app(workspace.folder / "digest.toml", clock.now, {}) as app:
        yield replace(app, clock=clock)


def test_a_run_waits_for_the_feeds_and_asks_at_a_growing_pace(
    workspace: Workspace, publisher: Publisher
) -> None:
    clock = Clock(at("07:31"))

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if clock.now >= at("07:50"):
            publisher.stale_days.clear()

    before = len(publisher.requests)
    with opened(workspace, clock) as app, app.open_steps() as steps:
        document = run_reported_cycle(
            app, steps, quiet=True, waiter=SourceWaiter(app, quiet=True, sleep=sleep)
        )

    assert document["waiting"] == []
    assert [delivery["digest"] for delivery in document["deliveries"]] == ["systems"]
    assert at("07:50") <= clock.now < at("10:00")
    # Every 5, 10 and 20 minutes: four rounds, and not one for each nap.
    assert len(publisher.requests) - before == 4 * len(SECTIONS)
    assert max(clock.naps) <= 30


def test_a_run_sends_what_is_there_when_latest_has_passed(workspace: Workspace) -> None:
    clock = Clock(at("09:40"))  # it asks at 09:55 for the last time: only that it passes ends the waiting
    workspace.write((workspace.folder / "digest.toml").read_text("utf-8") + 'when_empty = "tell"\n')

    with opened(workspace, clock) as app, app.open_steps() as steps:
        app.apply_config()
        run_reported_cycle(app, steps, quiet=True, waiter=SourceWaiter(app, quiet=True, sleep=clock.sleep))

    assert at("10:00") <= clock.now < at("10:01")
    edition = workspace.read_editions()[-1]
    assert (edition["period"], edition["items"]) == ("2026-05-08T07:30", [])
    assert not edition["account"]["whole"]


def test_ctrl_c_leaves_the_edition_to_the_next_run(workspace: Workspace, publisher: Publisher) -> None:
    clock = Clock(at("07:31"))

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    with opened(workspace, clock) as app, app.open_steps() as steps:
        document = run_reported_cycle(
            app, steps, quiet=True, waiter=SourceWaiter(app, quiet=True, sleep=interrupted)
        )

    assert [entry["period"] for entry in document["waiting"]] == ["2026-05-08T07:30"]
    publisher.stale_days.clear()
    workspace.run("run", now=at("08:00"))
    assert workspace.read_editions()[-1]["period"] == "2026-05-08T07:30"


def test_a_run_does_not_wait_while_nothing_answers(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(
        (workspace.folder / "digest.toml").read_text("utf-8").replace(publisher.url, "http://127.0.0.1:9")
    )
    clock = Clock(at("07:31"))

    with opened(workspace, clock) as app, app.open_steps() as steps:
        document = run_reported_cycle(
            app, steps, quiet=True, waiter=SourceWaiter(app, quiet=True, sleep=clock.sleep)
        )

    assert document["failed"]
    assert clock.naps == []
    assert len(document["waiting"]) == 1


def test_what_a_run_waits_for_is_told_with_a_time_that_is_to_come(
    workspace: Workspace, publisher: Publisher
) -> None:
    def left(clock: str) -> tuple[dict[str, Any], str]:
        waiting = workspace.run("compose", "--json", now=at(clock)).json["waiting"]
        assert waiting == workspace.run("status", "--json", now=at(clock)).json["waiting"]
        return waiting[0], workspace.run("status", now=at(clock)).output

    workspace.run("pull", now=at("07:31"))
    waiting, text = left("07:32")
    assert waiting["until"] == "2026-05-08T08:00:00Z"
    assert "Editions of 2026-05-08T07:30 wait for" in text
    assert "no source answers" not in text

    workspace.write(
        (workspace.folder / "digest.toml").read_text("utf-8").replace(publisher.url, "http://127.0.0.1:9")
    )
    workspace.run("pull", now=at("09:59"), status=1)
    for clock in ("09:59", "10:01", "12:59"):
        waiting, text = left(clock)
        assert waiting["until"] == "2026-05-08T11:00:00Z"
        assert "no source answers" in text
    assert workspace.run("compose", "--json", now=at("13:01")).json["waiting"] == []
