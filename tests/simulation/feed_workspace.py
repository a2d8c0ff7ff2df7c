"""What the tests of the runner share: a configuration of feeds, and a ticker by a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from digest.app import App, open_app
from digest.errors import DigestError
from digest.jobs import cycle
from digest.jobs.cycle import CycleEvent, CycleSteps
from digest.jobs.fetching.pull import PullProgress
from digest.store.database.engine import Store
from digest.store.fetching import ledger
from digest.store.fetching.rate_limits import BucketPause
from digest.ticker import run_tick
from tests.support.feed_worker import share_parse_process
from tests.support.workspace import Workspace

share_parse_process()

NOW = datetime(2026, 6, 10, 8, 0, tzinfo=UTC)
"""A Wednesday."""
_FEED = """
[[source]]
use = "feed"
name = "{name}"
title = "{name}"
url = "{url}"
pace = {pace}
"""


def make_feeds_config(*urls: str, store: str = "sqlite:///digest.db", pace: float = 0) -> str:
    """The configuration of somebody who reads feeds, each named by the last part of its address."""
    named = "".join(_FEED.format(name=url.rpartition("/")[2], url=url, pace=pace) for url in urls)
    return f'[store]\nurl = "{store}"\n{named}'


def add_to_now(**spans: float) -> datetime:
    """A time after ``NOW``."""
    return NOW + timedelta(**spans)


def pull_feeds(workspace: Workspace, now: datetime = NOW, *, status: int = 0) -> dict[str, dict[str, Any]]:
    """Pull as a person does; what came of it, by source."""
    pulled = workspace.run("pull", "--json", now=now, status=status).json["pulled"]
    return {entry["source"]: entry for entry in pulled}


def load_route_status(workspace: Workspace, source: str, now: datetime | None = None) -> dict[str, Any]:
    """How asking a feed went, as ``digest status`` has it."""
    sections = workspace.run("status", "--json", now=now).json["sections"]
    (result,) = [section["routes"] for section in sections if section["source"] == source]
    route: dict[str, Any] = result[0]
    return route


def load_pauses(workspace: Workspace, now: datetime) -> dict[str, BucketPause]:
    """What may not be asked, as ``digest status`` has it."""
    paused = workspace.run("status", "--json", now=now).json["paused"]
    return {
        entry["what"]: BucketPause(until=datetime.fromisoformat(entry["until"]), reason=entry["why"])
        for entry in paused
    }


class Ticker:
    """Does what ``digest serve`` does, at the times that a test says.

    Attributes:
        now: the time.
        progress: what was pulled, so far.
    """

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.progress: list[PullProgress] = []
        self._app: App
        self._steps: CycleSteps

    @contextmanager
    def start_work(self, app: App) -> Iterator[Self]:
        """Take the place of ``digest serve``; the configuration has been applied."""
        self._app = replace(app, clock=lambda: self.now)
        with self._app.open_steps() as self._steps:
            yield self
            cycle.release_cycle(app.store)

    def tick(self, now: datetime) -> list[PullProgress]:
        """One tick; what it pulled."""
        self.now, before = now, len(self.progress)
        run_tick(self._app, self._steps, self._note_progress)
        return self.progress[before:]

    def _note_progress(self, event: CycleEvent | DigestError) -> None:
        assert not isinstance(event, DigestError), event
        if isinstance(event, PullProgress):
            self.progress.append(event)

    def list_visits(
        self, until: datetime, changes: Callable[[datetime], None] | None = None
    ) -> list[datetime]:
        """When it asks of its own accord, from its time on; never before it said that it would.

        Args:
            until: the end.
            changes: is told the time before each visit, to change what is to be seen.
        """
        times: list[datetime] = []
        while self.now < until:
            if changes is not None:
                changes(self.now)
            assert self.tick(self.now)
            times.append(self.now)
            wake = self.get_wake_time()
            assert self.tick(wake - timedelta(seconds=1)) == []
            self.now = wake
        return times

    def get_wake_time(self) -> datetime:
        """When it will ask next."""
        with self._app.store.begin_read() as tx:
            return min(
                section.next_at for section in ledger.list_active_sections(tx) if section.next_at is not None
            )


@contextmanager
def start_ticker(workspace: Workspace, now: datetime = NOW) -> Iterator[Ticker]:
    """A ticker in a world; its configuration has been applied."""
    with open_app(workspace.folder / "digest.toml", now, {}) as app:
        app.apply_config()
        with Ticker(now).start_work(app) as ticker:
            yield ticker


def get_store_url(workspace: Workspace) -> str:
    """The address of a world's database."""
    return f"sqlite:///{workspace.folder}/digest.db"


def is_sound(store: Store) -> bool:
    """Whether a SQLite database is sound."""
    with store.begin_read() as tx:
        return bool(tx.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok")
