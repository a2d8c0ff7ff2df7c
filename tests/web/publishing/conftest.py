"""A site with papers that the search finds, for the tests of pages and of the API."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.demo.publisher import Publisher
from digest.model import Author, Paper, PaperKey, Signal
from digest.store.fetching.listings import import_records
from digest.store.papers.signals import save_signals
from tests.support.workspace import Workspace
from tests.web.conftest import THURSDAY, Site, serve_workspace

LAB = "Sample Institute of Xylophony"


def make_papers() -> list[Paper]:
    """60 papers about xylophones; every third one has code, every second one is in cs.SD, every one cites the first."""
    papers = [
        Paper(
            key=PaperKey(f"arxiv:{19 + number // 12:02}{number % 12 + 1:02}.{number:05}"),
            title=f"Xylophone acoustics {number}" + (" of marimbas" if number % 4 == 0 else ""),
            abstract="We measure the resonance of xylophone bars in several woods.",
            authors=(Author("Mallet Player-Sample", (LAB,)), Author(f"Colleague Number{chr(65 + number)}")),
            categories=("cs.SD", "physics.class-ph") if number % 2 else ("physics.class-ph",),
            code_urls=("https://github.com/sample/xylophone",) if number % 3 == 0 else (),
            references=("arxiv:1901.00000", "arxiv:0001.99999") if number else (),
            url=f"https://example.org/{number}",
        )
        for number in range(60)
    ]
    evil = '<script>alert(1)</script>"\u202e'
    return [
        *papers,
        Paper(
            key=PaperKey("url:https://example.org/evil"),
            title=f"Xylophone {evil}",
            url="https://example.org/evil",
        ),
    ]


@pytest.fixture(scope="module")
def search_site(
    composed_folder: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site with papers to find, and a topic; no test changes anything there."""
    folder = tmp_path_factory.mktemp("search") / "world"
    shutil.copytree(composed_folder, folder)
    file = folder / "digest.toml"
    topic = '\n[[public_feed]]\nname = "bars"\ntitle = "Bars & mallets"\nquery = "xylophone"\n'
    file.write_text(
        file.read_text("utf-8").replace("[site]", "[site]\npublic_feeds = true", 1) + topic, "utf-8"
    )
    with serve_workspace(Workspace(folder), source) as site:
        with site.app.store.begin_ingest() as tx:
            import_records(tx, "arxiv", make_papers())
            votes = Signal(subject="arxiv:1901.00000", kind="votes", source="arxiv", day=THURSDAY, value=7)
            save_signals(tx, [votes])
        yield site
