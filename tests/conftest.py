"""What many tests need: the real data, when it is there, and real servers."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

# No test judges time; and what CI tries is the same each time, so that a change is judged by what it changed.
hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if {"CI", "DIGEST_TEST_SEED"} & os.environ.keys() else "here")

if TYPE_CHECKING:  # slow to import, and few tests ask for them
    import trustme

    from digest.demo.publisher import Publisher
    from tests.servers import MailServer, Postgres


# --- several processes ----------------------------------------------------------------------------

_left_out = pytest.StashKey[list[str]]()
"""The names of the tests that are not to be run."""


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note which tests are left out: xdist tells of none that its workers leave out."""
    for item in items:
        item.config.stash.setdefault(_left_out, []).append(item.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker passes them on to the process that prints what came of it all."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_left_out, [])


@pytest.hookimpl(optionalhook=True)  # there is none without xdist
def pytest_testnodedown(node: Any) -> None:
    """It counts them as it does without workers; each of these has left out the same."""
    reporter = node.config.pluginmanager.get_plugin("terminalreporter")
    reporter.stats["deselected"] = [SimpleNamespace(nodeid=name) for name in node.workeroutput["left_out"]]


# --- what tests use -------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded listings beside the checkout; see its README."""
    folder = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        message = (
            f"the recorded listings are not here ({folder.name}/ beside the checkout, or DIGEST_TEST_DATA)"
        )
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A stand-in for rss.arxiv.org that announces the listings that ship, at their first day."""
    from digest.demo.publisher import Publisher, shipped

    papers = shipped()
    with Publisher(papers, day=min(paper.day for paper in papers)) as publisher:
        yield publisher


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A real PostgreSQL: the one of ``DIGEST_TEST_PG``, else one that all processes of this test run share."""
    from tests.servers import Postgres, started_postgres

    if url := os.environ.get("DIGEST_TEST_PG"):
        yield Postgres(url)
        return
    run = tmp_path_factory.getbasetemp()
    shared = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    # Not below pytest's own folders: another test run that begins takes away their rights, and the
    # server, which cannot be root, could not get in any more.
    name = hashlib.sha256(str(shared).encode()).hexdigest()[:16]
    with started_postgres(Path(tempfile.gettempdir()) / f"digest-postgres-{name}") as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database of the test's own."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server without encryption or login; a test that needs these makes its own."""
    from tests.servers import MailServer

    with MailServer() as server:
        yield server


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """Who signs the certificates of test servers."""
    import trustme

    return trustme.CA()


@pytest.fixture(scope="session")
def authority_file(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of that authority, for clients that are to trust it."""
    file = tmp_path_factory.mktemp("authority") / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    return file


@pytest.fixture
def no_retries() -> Iterator[None]:
    """A server that is down stays down: trying again within a request would only take time."""
    import stamina

    with stamina.set_testing(True, attempts=1):
        yield
