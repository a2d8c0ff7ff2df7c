"""Documents of unknown makers are read in a process that the system ends where they take too long."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import hypothesis
import pytest

from digest.errors import SourceError
from digest.jobs.http.fetch import ClosedError
from digest.jobs.http.parse_process import MIN_SECONDS, ParseProcess, compute_time_limit
from digest.model import Ask
from digest.ports import Page, Response, Source
from digest.sources import arxiv, feed
from tests.fakes import broken_source, hungry_source, pid_source, slow_source
from tests.generators.odd_feeds import make_odd_feed
from tests.support.seeds import get_seed

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
FEED = feed.Source(url="https://feeds.example.org/feed.xml")
GOOD = (
    b"<rss version='2.0'><channel><item><title>One</title><link>https://x.org/1</link></item></channel></rss>"
)
SLOW = GOOD.replace(b"One", b"slow" * 10_000)
ENDLESS = slow_source.Source(url=FEED.url)
"""It never comes to an end with that."""
EXAMPLES = hypothesis.settings.default.max_examples if hypothesis.settings.default else 40


def read(parsing: ParseProcess, body: bytes, source: Source = FEED) -> Page:
    """What the process reads."""
    ask = Ask(source=source.name, section=source.sections[0], route=source.fetch_routes[0].name)
    return parsing.read_response(
        source, source.start(ask, "", NOW), Response(status=200, headers=(), body=body)
    )


def test_what_it_reads_is_what_the_source_reads() -> None:
    ask = Ask(source=FEED.name, section="feed", route="feed")
    response = Response(status=200, headers=(), body=GOOD)
    with ParseProcess() as parsing:
        assert read(parsing, GOOD) == FEED.read(FEED.start(ask, "", NOW), response)
        with pytest.raises(SourceError, match="came back empty"):
            read(parsing, b"")
        with pytest.raises(IndexError, match="the mistake of a plug-in"):
            read(parsing, GOOD, broken_source.Source(url="https://x.org/"))


def test_a_document_that_takes_too_long_is_refused_and_the_next_one_is_read() -> None:
    with ParseProcess() as parsing:
        for _ in range(2):
            with pytest.raises(SourceError, match=r"more than 0\.2\d+ s of CPU time to read") as refused:
                read(parsing, SLOW, ENDLESS)
            assert str(refused.value).startswith("feeds.example.org sent a document of 40,")
            assert len(read(parsing, GOOD).announced[0].listings) == 1


def test_a_document_that_takes_too_much_memory_is_refused_and_the_next_one_is_read() -> None:
    hungry = hungry_source.Source(url=FEED.url)
    with ParseProcess() as parsing:
        with pytest.raises(SourceError, match="takes more than 2 GB of memory to read"):
            read(parsing, GOOD.replace(b"One", b"hungry"), hungry)
        assert read(parsing, GOOD, hungry).announced


def test_a_short_document_has_no_more_time_than_its_fixed_cost() -> None:
    with ParseProcess() as parsing:
        with pytest.raises(SourceError, match=r"more than 0\.25 s of CPU time to read"):
            read(parsing, GOOD.replace(b"One", b"slow"), ENDLESS)
        assert len(read(parsing, GOOD).announced[0].listings) == 1


def test_the_limit_is_five_seconds_a_megabyte() -> None:
    assert compute_time_limit(b"") == MIN_SECONDS == 0.25
    assert compute_time_limit(b"x" * 50_000) == 0.25
    assert compute_time_limit(b"x" * 100_000) == 0.5
    assert compute_time_limit(b"x" * 1_000_000) == 5
    assert compute_time_limit(b"x" * 10_000_000) == 50


def test_what_a_known_maker_writes_is_read_in_this_process() -> None:
    with ParseProcess() as parsing, pytest.raises(SourceError, match="came back empty"):
        read(parsing, b"", arxiv.Source(categories=("cs.LG",)))
    assert not arxiv.Source(categories=("cs.LG",)).is_untrusted


def test_it_can_be_ended_while_it_reads_for_another_thread() -> None:
    parsing, ended = ParseProcess(), []

    def work() -> None:
        try:
            while True:
                read(parsing, SLOW, ENDLESS)
        except ClosedError:
            ended.append(True)
        except SourceError:
            work()

    read(parsing, GOOD)
    reader = threading.Thread(target=work)
    reader.start()
    parsing.close()
    reader.join()
    assert ended == [True]


def test_a_process_that_cannot_be_started_is_no_mistake_in_a_source(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with ParseProcess() as parsing:
        with monkeypatch.context() as changed:
            changed.setattr(sys, "executable", str(tmp_path / "python"))
            for _ in range(2):
                with pytest.raises(SourceError, match="The process to read the document of feeds"):
                    read(parsing, GOOD)
        assert len(read(parsing, GOOD).announced[0].listings) == 1


def test_a_process_that_was_ended_while_it_had_nothing_to_do_blames_no_document() -> None:
    asking = pid_source.Source(url=FEED.url)
    with ParseProcess() as parsing:
        pid = int(read(parsing, GOOD, asking).cursor)
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert int(read(parsing, GOOD, asking).cursor) != pid


def test_odd_feeds_are_read_or_refused_in_words() -> None:
    chance = random.Random(get_seed())
    with ParseProcess() as parsing:
        for _ in range(EXAMPLES):
            body = make_odd_feed(chance, chance.randrange(100, 30_000))
            with suppress(SourceError):  # nothing else is raised
                read(parsing, body)


def test_the_process_imports_nothing_that_fetches_or_stores() -> None:
    """Each pull of feeds waits for its start."""
    program = "import sys; from digest.jobs.http import parse_worker; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert not {"httpx", "sqlalchemy", "pydantic", "jinja2"} & set(names.split())
