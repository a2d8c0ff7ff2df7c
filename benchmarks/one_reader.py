"""One reader's cold commands as whole processes, against what their imports cost anybody.

A day's run is wanted at no more than three times the CPU of importing SQLAlchemy, httpx and Jinja2, and
``--help`` at no more than eight bare starts of Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

from benchmarks.measure import Result, Row, children, cpu_seconds, recorded
from digest.demo.publisher import Publisher, replace_body

FEEDS = {"cs.DC": "2026-04-22_rss_cs.DC.xml", "cs.CV": "2026-04-22_rss_cs.CV.xml"}
DAY = date(2026, 4, 22)
IMPORTS, BARE = "import sqlalchemy, httpx, jinja2", "python -c pass"
FIRST, DAILY, HELP = "digest run, making its store", "digest run, 501 listings", "digest --help"
_BYTECODE = str(Path(tempfile.gettempdir()) / "digest-benchmark-bytecode")
CONFIG = """
[[source]]
use = "arxiv"
routes = ["rss"]
categories = {sections}
url = "{url}/rss/"
pace = 0

[[digest]]
name = "reader"
to = ["maildir:mail", "files:files"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["large language model", "KV cache", "diffusion model", "mixture of experts", "benchmark"]
authors = ["Wei Wang", "Fangcheng Fu"]
categories = ["cs.DC"]
exclude = ["medical imaging"]
feed = true
"""


def run(*, small: bool) -> Result:
    """Measure a first run, a day's run and ``--help``, each in a process of its own."""
    title = "one reader, cold: whole processes"
    feeds = recorded(*(f"arxiv/rss_rendered/{name}" for name in FEEDS.values()))
    if feeds is None:
        return Result(title=f"{title}: not run, the recorded listings are not here")
    with Publisher([], day=DAY, sections=FEEDS) as publisher, tempfile.TemporaryDirectory() as folder:
        candidates = _candidates(Path(folder), publisher)
        publisher.faults = {
            section: replace_body(feed, "application/rss+xml")
            for section, feed in zip(FEEDS, feeds, strict=True)
        }
        for work in candidates.values():
            work()  # once uncounted: what pip installs comes with its bytecode
        taken = cpu_seconds(candidates, repeats=1 if small else 9, clock=children)
    rows = [
        Row(work="one reader's run", candidate=IMPORTS, seconds=taken[IMPORTS], times=1),
        _row("one reader's run", FIRST, taken, IMPORTS, None),
        _row("one reader's run", DAILY, taken, IMPORTS, 1 / 3),
        Row(work="help", candidate=BARE, seconds=taken[BARE], times=1),
        _row("help", HELP, taken, BARE, 1 / 8),
    ]
    return Result(title=title, rows=tuple(rows))


def _row(work: str, name: str, taken: dict[str, float], peer: str, wanted: float | None) -> Row:
    return Row(work=work, candidate=name, seconds=taken[name], times=taken[peer] / taken[name], wanted=wanted)


def _candidates(folder: Path, publisher: Publisher) -> dict[str, Callable[[], object]]:
    """The commands; each run of ``digest run`` finds a folder as it was the evening before."""
    numbers = count()

    def prepared(template: str) -> Path:
        return Path(shutil.copytree(folder / template, folder / f"{template}{next(numbers)}"))

    (folder / "new").mkdir()
    text = CONFIG.format(sections=list(FEEDS), url=publisher.url)
    (folder / "new" / "digest.toml").write_text(text, encoding="utf-8")
    shutil.copytree(folder / "new", folder / "used")
    _digest("run", "--now", f"{date(2026, 4, 21)}T07:31+02:00", folder=folder / "used")
    today = ("run", "--now", f"{DAY}T07:31+02:00")
    return {
        IMPORTS: lambda: _python("-c", "import sqlalchemy, httpx, jinja2"),
        FIRST: lambda: _digest(*today, folder=prepared("new")),
        DAILY: lambda: _digest(*today, folder=prepared("used")),
        BARE: lambda: _python("-c", "pass"),
        HELP: lambda: _digest("--help", folder=folder),
    }


def _digest(*arguments: str, folder: Path) -> None:
    # As the command that pip installs does it.
    _python("-c", "from digest.cli import main; main()", *arguments, folder=folder)


def _python(*arguments: str, folder: Path | None = None) -> None:
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONPYCACHEPREFIX": _BYTECODE}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environ, stdout=subprocess.DEVNULL, check=True
    )
