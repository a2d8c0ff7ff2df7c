"""What many tests need: the real data, when it is there, and real servers."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if sys.dont_write_bytecode:
    # To compile everything anew in each process takes more time than most tests; so it is kept beside pytest's cache,
    # where it is in nobody's way who wants none beside the sources.
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    sys.dont_write_bytecode = False
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What a shell runs in the background is born deaf to Ctrl-C, and so would be the commands that tests stop by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import hypothesis

# No test judges by time; and CI tries the same examples each time, so that a change is judged by what it changed.
_PROFILE: dict[str, Any] = {
    "deadline": None,
    "max_examples": int(os.environ.get("DIGEST_TEST_EXAMPLES", "40")),
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("here", **_PROFILE)
hypothesis.settings.register_profile("ci", derandomize=True, **_PROFILE)
hypothesis.settings.load_profile("ci" if {"CI", "DIGEST_TEST_SEED"} & os.environ.keys() else "here")

if TYPE_CHECKING:  # slow to import, and few tests ask for them
    import trustme

    from digest.demo.publisher import Publisher
    from digest.testing.mail_server import MailServer
    from tests.support.postgres import Postgres, ReplicatedPostgres, ReusedDatabase


LEFT_OUT = {
    "long": "long tests (kills, many processes, months)",
    "system": "tests that need programs beside Python's packages",
}
"""What the usual run leaves out, by mark."""

# --- several processes ----------------------------------------------------------------------------


@pytest.hookimpl(optionalhook=True)  # there is none without xdist
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Give a process a core to whole folders, and none to single files: to start one takes longer than most files."""
    folders = any(Path(argument.partition("::")[0]).is_dir() for argument in config.args)
    return min(os.cpu_count() or 1, 4) if folders else 0


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported stays: to look again and again whether it is garbage takes a quarter of the time of collecting."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


_left_out = pytest.StashKey[list[str]]()
"""The names of the tests that are not to be run."""


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note which tests are left out: xdist tells of none that its workers leave out."""
    for item in items:
        marks = [name for name in LEFT_OUT if item.get_closest_marker(name)]
        item.config.stash.setdefault(_left_out, []).append(f"{marks[0] if marks else ''} {item.nodeid}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker passes them on to the process that prints what came of it all."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_left_out, [])


@pytest.hookimpl(optionalhook=True)  # there is none without xdist
def pytest_testnodedown(node: Any) -> None:
    """It counts them as it does without workers; each of these has left out the same."""
    if "left_out" not in getattr(node, "workeroutput", {}):  # it crashed, or was stopped
        return
    left_out = node.config.stash[_left_out] = node.workeroutput["left_out"]
    reporter = node.config.pluginmanager.get_plugin("terminalreporter")
    reporter.stats["deselected"] = [SimpleNamespace(nodeid=name) for name in left_out]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List what the usual run leaves out, and say how to run it."""
    is_usual = all(f"not {mark}" in config.option.markexpr for mark in LEFT_OUT)
    left_out = config.stash.get(_left_out, []) if is_usual else []
    for mark, why in LEFT_OUT.items():
        tests = [name.split(" ", 1)[1] for name in left_out if name.startswith(f"{mark} ")]
        if not tests:
            continue
        files = Counter(test.partition("::")[0] for test in tests)
        terminalreporter.section(f"left out: {len(tests)} {why}; `pytest -m {mark}` runs them", sep="-")
        for file, count in sorted(files.items()):
            terminalreporter.write_line(f"{file}: {count}")


# --- what tests use -------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_secrets_of_another_test() -> Iterator[None]:
    """A configuration that one test reads masks nothing in the next one, whatever their order is."""
    from digest.redaction import forget_secrets

    forget_secrets()
    yield
    forget_secrets()


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
    from digest.demo.publisher import Publisher, load_shipped_papers

    papers = load_shipped_papers()
    with Publisher(papers, day=min(paper.day for paper in papers)) as publisher:
        yield publisher


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Postgres:
    """A real PostgreSQL: the one of ``DIGEST_TEST_PG``, else one that all processes of this test run share."""
    from tests.support.postgres import Postgres, join_server

    if url := os.environ.get("DIGEST_TEST_PG"):
        return Postgres(url)
    run = tmp_path_factory.getbasetemp()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    # Not below pytest's own folders: another test run that begins takes away their rights, and the
    # server, which cannot be root, could not get in any more.
    name = hashlib.sha256(str(run.parent if is_worker else run).encode()).hexdigest()[:16]
    owner = os.getppid() if is_worker else os.getpid()
    return join_server(Path(tempfile.gettempdir()) / f"digest-postgres-{owner}-{name}", owner)


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> Iterator[str]:
    """The address of a database with our tables, to be copied; nobody connects to it."""
    from digest.store.database.dialect import make_engine
    from digest.store.database.engine import upgrade

    url = postgres.create()
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    yield url
    postgres.drop(url)


@pytest.fixture(scope="session")
def reused_database(postgres: Postgres, postgres_template: str) -> Iterator[ReusedDatabase]:
    """The database of this process."""
    from tests.support.postgres import ReusedDatabase

    database = ReusedDatabase(postgres, postgres_template)
    yield database
    database.close()
    postgres.drop(database.url)


@pytest.fixture
def postgres_url(reused_database: ReusedDatabase) -> Iterator[str]:
    """The address of a database with our tables and nothing in them."""
    yield reused_database.url
    reused_database.empty()


@pytest.fixture
def own_postgres_url(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    """The same for a test that copies it, or changes more than its rows."""
    url = postgres.create(postgres_template)
    yield url
    postgres.drop(url)


@pytest.fixture
def bare_postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of a database without any tables."""
    url = postgres.create()
    yield url
    postgres.drop(url)


@pytest.fixture(scope="session")
def replicated_postgres() -> Iterator[ReplicatedPostgres]:
    """A server with a streaming replica; a test that changes more than rows puts it back."""
    from tests.support.postgres import start_replicated_postgres

    with start_replicated_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def replicated_template(replicated_postgres: ReplicatedPostgres) -> str:
    """The address of a database with our tables on that server, to be copied; nobody connects to it."""
    from digest.store.database.dialect import make_engine
    from digest.store.database.engine import upgrade

    url = replicated_postgres.create()
    engine = make_engine(url)
    upgrade(engine)
    engine.dispose()
    return url


@pytest.fixture
def replicated_url(replicated_postgres: ReplicatedPostgres, replicated_template: str) -> Iterator[str]:
    """The address of a database with our tables and nothing in them, which the replica has, too."""
    url = replicated_postgres.create(replicated_template)
    replicated_postgres.wait_for_replay()
    yield url
    replicated_postgres.drop(url)


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server without encryption or login; a test that needs these makes its own."""
    from digest.testing.mail_server import MailServer

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
def silence_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients time out when, and only when, one of our servers has fallen silent."""
    from tests.support.silence import connect

    monkeypatch.setattr(socket, "create_connection", connect)


@pytest.fixture
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Apprise's own pauses between two messages, up to six seconds, are left out: the services are ours."""
    from apprise import URLBase

    monkeypatch.setattr(URLBase, "throttle", lambda *_arguments, **_options: None)


@pytest.fixture
def no_retries() -> Iterator[None]:
    """A server that is down stays down: trying again within a request would only take time."""
    import stamina

    with stamina.set_testing(True, attempts=1):
        yield
