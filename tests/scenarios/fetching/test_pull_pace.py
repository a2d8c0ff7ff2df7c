"""Two processes that pull at once are one guest to arXiv."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.faults import Fault
from tests.arxiv_service.history import History
from tests.arxiv_service.server import ArxivService
from tests.simulation.host_turns import log_turns, measure_gaps_between_turns
from tests.simulation.pull_workspace import make_arxiv_config, make_random
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace

ROOT = Path(__file__).parents[3]
SECTIONS = ("cs.DC", "cs.LG", "cs.DB", "hep-th", "stat.ML")
PACE = 0.3


def test_two_processes_together_keep_the_pace_and_ask_one_thing_at_a_time(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    days = [day for n in range(-6, 2) if (day := now.date() + timedelta(days=n)).weekday() < 5]
    slow = Fault(kind="slow", begin=now - timedelta(hours=1), end=now + timedelta(hours=1))
    history = History(make_announcements(make_random(), days, SECTIONS, 6))
    with ArxivService(history, now=now, sections=SECTIONS, faults=[slow]) as service:
        service.slow = PACE / 2
        workspace = Workspace(tmp_path)
        workspace.write(
            make_arxiv_config(
                service, f"sqlite:///{tmp_path}/digest.db", ("rss", "catchup"), sections=SECTIONS, pace=PACE
            )
        )
        workspace.run("db", "upgrade")
        log_turns(tmp_path / "digest.db")
        command = [sys.executable, "-m", "digest", "pull", "--config", str(tmp_path / "digest.toml")]
        both = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
        ended = [process.wait(PATIENCE) for process in both]

    assert ended == [0, 0]
    assert {request.subject for request in service.requests} == set(SECTIONS)
    assert service.most_at_once == 1
    gaps = measure_gaps_between_turns(tmp_path / "digest.db")
    assert len(gaps) == len(service.requests) - 1
    assert min(gaps) >= timedelta(seconds=PACE)
