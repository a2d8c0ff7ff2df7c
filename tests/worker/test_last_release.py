"""An upgrade of a PostgreSQL database from an earlier release that works meanwhile, its code taken from the history."""

from __future__ import annotations

import html
import re
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, text

from digest.demo.publisher import NEW_YORK, FaultInjector, Publisher, WireResponse, load_shipped_papers
from digest.store.database.dialect import make_engine
from digest.store.database.engine import LATEST_MIGRATION, read_version
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.processes import start_command
from tests.support.releases import LAST_RELEASE, RELEASE_WITHOUT_WORKERS, extract_release
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config
from tests.web.signup.conftest import SIGNUP, find_link, read_session_cookie
from tests.worker.conftest import CONNECTIONS, MAIL, GatedServer, wait_until

pytestmark = pytest.mark.long

READERS = tuple(f"{number}@example.org" for number in range(300))
SITE = "https://digest.example.org"
SECTIONS, MORE_SECTIONS = '"cs.DC"', '"cs.DC", "cs.LG", "cs.CL"'
"""Sections of the first run and of the next one. A new section is asked for at once, on whatever day of the week."""
TROUBLE = re.compile(r"Traceback|[Ee]rror|failed|deferred|too old")


@dataclass(frozen=True, slots=True)
class OldLab:
    """A database with the tables of an earlier release, and what works on it.

    Attributes:
        workspace: the folder with the configuration of both releases.
        config: its text.
        server: their mail server.
        engine: the database.
        root: the folder with the code of the earlier release.
        publisher: their source.
    """

    workspace: Workspace
    config: str
    server: GatedServer
    engine: Engine
    root: Path
    publisher: Publisher

    def start_old(self, *arguments: str) -> AbstractContextManager[subprocess.Popen[str]]:
        """Start a command of the earlier release."""
        return start_command(self.workspace, *arguments, root=self.root)

    def start_new(self, *arguments: str) -> AbstractContextManager[subprocess.Popen[str]]:
        """Start a command of this release."""
        return start_command(self.workspace, *arguments)

    def run_old(self, *arguments: str, status: int = 0) -> str:
        """Run a command of the earlier release; return what it printed."""
        return run_to_end(self.start_old(*arguments), status)

    def run_new(self, *arguments: str) -> str:
        """Run a command of this release; return what it printed."""
        return run_to_end(self.start_new(*arguments), 0)

    def count(self, statement: str) -> int:
        """Return the number that a statement finds."""
        with self.engine.connect() as connection:
            return int(connection.execute(text(statement)).scalar_one())

    def count_mails(self) -> Counter[str]:
        """Count the mails of the digest by recipient."""
        return Counter(mail.recipients[0] for mail in self.server.received)

    def are_all_sent(self, runs: int) -> bool:
        """Whether all deliveries of so many runs are sent."""
        sent = self.count("SELECT count(*) FROM deliveries WHERE state = 'sent'")
        return sent == self.count("SELECT count(*) FROM deliveries") == runs * len(READERS)

    def list_workers(self) -> Sequence[int]:
        """List how much each process that delivers has sent until its last heartbeat, in the order of their starts."""
        statement = "SELECT sent FROM workers WHERE command IN ('worker', 'serve') ORDER BY started_at"
        with self.engine.connect() as connection:
            return list(connection.execute(text(statement)).scalars())


def run_to_end(command: AbstractContextManager[subprocess.Popen[str]], status: int) -> str:
    """Wait for the end of a command, and check its exit status."""
    with command as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, output
    return output


def stop(process: subprocess.Popen[str]) -> str:
    """Stop a service as a service manager does; return what it printed."""
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    return output


def read_until(process: subprocess.Popen[str], words: str) -> str:
    """Read lines until one has these words; return it."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    raise AssertionError(f"it ended without {words!r}")


@pytest.fixture
def commit() -> str:
    """The commit of the earlier release; a test may have another one."""
    return LAST_RELEASE


@pytest.fixture
def old_lab(commit: str, tmp_path: Path, bare_postgres_url: str, server: GatedServer) -> Iterator[OldLab]:
    """A database that the earlier release has set up."""
    root = extract_release(commit, tmp_path / "old")
    workspace = Workspace(tmp_path / "both")
    workspace.folder.mkdir()
    day = datetime.now(NEW_YORK).date()
    with Publisher([replace(paper, day=day) for paper in load_shipped_papers()], day=day) as publisher:
        to = ", ".join(f'"{reader}"' for reader in READERS)
        config = make_config(
            publisher.url, categories=SECTIONS, to=to, schedule="daily 07:30", store=bare_postgres_url
        ).replace("[site]\n", f'[site]\nurl = "{SITE}"\ncontact = "ops@example.org"\n')
        config += MAIL.format(port=server.port, connections=CONNECTIONS)
        config += dedent(SIGNUP.format(signup='who = "anyone"')) + "feed = true\n"
        workspace.write(config)
        engine = make_engine(bare_postgres_url)
        lab = OldLab(workspace, config, server, engine, root, publisher)
        lab.run_old("db", "upgrade")
        if has_workers(root):  # otherwise there is no such command, and the service does it
            lab.run_old("apply")
        version = read_version(engine)
        assert version is not None
        assert version < LATEST_MIGRATION, "choose an older release, or none of the migrations is tested"
        yield lab
        engine.dispose()


# --- the upgrade ----------------------------------------------------------------------------------


@contextmanager
def keep_version(engine: Engine) -> Iterator[Callable[[], bool]]:
    """Let no migration end within the block; yield whether one is waiting for that."""
    waiting = (
        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'alembic_version'::regclass)"
    )
    with engine.connect() as connection, engine.connect() as observer:
        connection.execute(text("LOCK TABLE alembic_version IN SHARE MODE"))
        yield lambda: bool(observer.execute(text(waiting)).scalar())
        connection.rollback()


def kill_upgrade(lab: OldLab) -> None:
    """Kill an upgrade in the middle of a migration."""
    version = read_version(lab.engine)
    with keep_version(lab.engine) as is_waiting, lab.start_new("db", "upgrade") as upgrade:
        wait_until(is_waiting)
        upgrade.kill()
        upgrade.wait(PATIENCE)
    assert read_version(lab.engine) == version


def begin_run(lab: OldLab, command: str, *, sent: int) -> AbstractContextManager[subprocess.Popen[str]]:
    """Let the earlier release deliver the first mails of a run, and not the others until the gate of the server is opened."""
    lab.server.free, lab.server.seconds = sent, 0.0
    lab.server.gate.clear()
    return lab.start_old(*command.split())


def open_gate(lab: OldLab) -> None:
    """Let the mail server take the rest, so slowly that whoever wants to send has a share."""
    lab.server.seconds = 0.4
    lab.server.gate.set()


def test_workers_of_two_releases_share_a_run_while_the_tables_are_upgraded(
    old_lab: OldLab, server: GatedServer
) -> None:
    with begin_run(old_lab, "worker", sent=40) as old, old_lab.start_new("worker") as new:
        wait_until(lambda: len(server.received) >= server.free)
        read_until(new, "Waiting for `digest db upgrade`")
        kill_upgrade(old_lab)
        assert old_lab.count("SELECT count(*) FROM workers") == 1
        printed = old_lab.run_new("db", "upgrade")
        assert f"to {LATEST_MIGRATION}" in printed
        read_until(new, "Working on")
        wait_until(lambda: len(old_lab.list_workers()) == 2)
        sent_before = len(server.received)
        open_gate(old_lab)
        wait_until(lambda: old_lab.are_all_sent(1))
        wait_until(lambda: sum(old_lab.list_workers()) == len(READERS))
        shares = old_lab.list_workers()
        new_output = stop(new)
        server.seconds = 0.0
        old_output = run_next_day(old_lab, old)

    assert sent_before < len(READERS) / 2
    assert shares[0] > sent_before + 10 * CONNECTIONS, "the old worker has sent no batch since the upgrade"
    assert shares[1] > 0, "the new worker has sent nothing"
    assert old_lab.count_mails() == dict.fromkeys(READERS, 2)
    assert TROUBLE.findall(old_output + new_output) == []


def run_next_day(lab: OldLab, old: subprocess.Popen[str]) -> str:
    """Let a worker of the earlier release do a whole cycle alone; return what it has printed since it began."""
    events = lab.count("SELECT count(*) FROM events")
    lab.workspace.write(lab.config.replace(SECTIONS, MORE_SECTIONS, 1))
    lab.run_old("apply")
    wait_until(lambda: lab.count("SELECT count(DISTINCT section) FROM batches WHERE received > 0") == 3)
    with lab.engine.begin() as connection:
        connection.execute(text("UPDATE slots SET next_fire_at = now() WHERE frequency = 'daily'"))
    wait_until(lambda: lab.are_all_sent(2))
    assert lab.count("SELECT count(*) FROM events") > events
    assert lab.count("SELECT count(*) FROM runs WHERE state = 'composed'") == 2
    return stop(old)


# --- a release without workers ---------------------------------------------------------------------


@pytest.mark.parametrize("commit", [RELEASE_WITHOUT_WORKERS])
def test_a_service_from_before_there_were_workers_does_a_whole_cycle_on_the_new_tables(
    old_lab: OldLab, server: GatedServer
) -> None:
    upgraded = threading.Event()
    old_lab.publisher.faults["cs.DC"] = make_gate(upgraded)
    with begin_run(old_lab, "serve --port 0", sent=40) as old:
        wait_until(lambda: old_lab.publisher.requests)  # it has begun to pull, and gets no answer
        kill_upgrade(old_lab)
        old_lab.run_new("db", "upgrade")
        assert old_lab.count("SELECT count(*) FROM events") == 0
        upgraded.set()
        wait_until(lambda: len(server.received) >= server.free)
        with old_lab.start_new("worker") as new:
            wait_until(lambda: len(old_lab.list_workers()) == 1)
            sent_before = len(server.received)
            open_gate(old_lab)
            wait_until(lambda: old_lab.are_all_sent(1))
            new_output = stop(new)
        old_output = stop(old)
    refusal = old_lab.run_old("deliver", status=1)

    assert sent_before < len(READERS) / 2
    assert old_lab.count_mails() == dict.fromkeys(READERS, 1)
    assert TROUBLE.findall(old_output + new_output) == []
    assert "the database was upgraded by a newer digest" in refusal


def make_gate(gate: threading.Event) -> FaultInjector:
    """Let the publisher answer once a gate is open."""

    def wait(response: WireResponse) -> WireResponse:
        assert gate.wait(PATIENCE)
        return response

    return wait


# --- readers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who uses the site of a process.

    Attributes:
        url: where its server listens.
    """

    url: str

    def get(self, path: str, session: str = "") -> httpx.Response:
        """Open a page."""
        headers = {"cookie": f"{SESSION_COOKIE}={session}"} if session else {}
        return self._request("GET", path, headers=headers)

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form of the site."""
        return self._request("POST", path, data=fields, headers={"sec-fetch-site": "same-origin"})

    def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        with httpx.Client(base_url=self.url, trust_env=False, verify=False, timeout=60) as client:
            return client.request(method, path.removeprefix(SITE), **more)


@dataclass(frozen=True, slots=True)
class Belongings:
    """What readers have of a release.

    Attributes:
        session: the cookie of Ada, who signed up.
        signin: a link by which she can sign in.
        confirmation: a link by which Bob can confirm his sign-up.
        unsubscribing: the address by which Ada's mail program unsubscribes her.
        pages: the texts of the pages to which mails and the account lead, by path.
        account: the texts of the pages of her account, by path.
    """

    session: str
    signin: str
    confirmation: str
    unsubscribing: str
    pages: Mapping[str, str]
    account: Mapping[str, str]


PAPER_PAGES = {"editions", "feeds"}
"""First parts of the paths of pages that stay as they are."""
ADA, BOB = "ada@example.net", "bob@example.net"


@pytest.mark.parametrize("commit", [LAST_RELEASE, RELEASE_WITHOUT_WORKERS])
def test_what_readers_have_from_before_an_upgrade_works_after_it(old_lab: OldLab) -> None:
    with open_old_site(old_lab) as visitor:
        before = collect_belongings(old_lab, visitor)
    old_lab.run_new("db", "upgrade")
    with open_site(old_lab.start_new("web", "--port", "0")) as visitor:
        assert ADA in visitor.get("/account", before.session).text
        for path, page in before.account.items():
            assert visitor.get(path, before.session).status_code == 200, path
            assert not path.endswith(".opml") or visitor.get(path, before.session).text == page
        for path, page in before.pages.items():
            response = visitor.get(path)
            assert response.status_code == 200, path
            assert list_papers(path, response.text) == list_papers(path, page), path
        other_session = read_session_cookie(visitor.post(before.signin))
        assert ADA in visitor.get("/account", other_session).text
        assert BOB in visitor.get("/account", read_session_cookie(visitor.post(before.confirmation))).text
        assert "Unsubscribe?" in visitor.get(before.unsubscribing).text
        visitor.post(before.unsubscribing, **{"List-Unsubscribe": "One-Click"}).raise_for_status()
        assert "Unsubscribe?" not in visitor.get(before.unsubscribing).text

    kinds = {path.split("/")[1] for path in before.pages}
    assert kinds >= PAPER_PAGES | {"unsubscribe"}
    assert {
        path.split("/")[1] for path, page in before.pages.items() if list_papers(path, page)
    } == PAPER_PAGES


@contextmanager
def open_site(command: AbstractContextManager[subprocess.Popen[str]]) -> Iterator[Visitor]:
    """Start what serves pages, and stop it in the end."""
    with command as process:
        line = read_until(process, "Listening on")
        address = line.partition("Listening on ")[2].partition(" for ")[0]
        yield Visitor(f"http://{address}")
        assert TROUBLE.findall(stop(process)) == []


@contextmanager
def open_old_site(lab: OldLab) -> Iterator[Visitor]:
    """Start the site of the earlier release, and what sends its mails."""
    if not has_workers(lab.root):
        with open_site(lab.start_old("serve", "--every", "5", "--port", "0")) as visitor:
            yield visitor
        return
    with lab.start_old("worker") as worker, open_site(lab.start_old("web", "--port", "0")) as visitor:
        yield visitor
        stop(worker)


def has_workers(root: Path) -> bool:
    """Whether the code of a release has ``digest worker``."""
    return (root / "digest" / "worker").is_dir()


def wait_for_mail(lab: OldLab, address: str, words: str) -> EmailMessage:
    """Wait for a mail to an address with these words in its source; return it."""

    def list_mails() -> list[EmailMessage]:
        mails = [mail for mail in tuple(lab.server.received) if mail.recipients[0] == address]
        messages = [message_from_bytes(mail.content, policy=policy.default) for mail in mails]
        return [message for message in messages if words in read_text(message)]

    wait_until(list_mails)
    return list_mails()[-1]


def read_text(mail: EmailMessage) -> str:
    """Return the headers and the texts of a mail, decoded."""
    headers = [f"{name}: {value}" for name, value in mail.items()]
    parts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join((*headers, *parts))


def collect_belongings(lab: OldLab, visitor: Visitor) -> Belongings:
    """Do on the site of the earlier release what its readers do."""
    visitor.post("/sign-up", address=ADA, digest="dc")
    session = read_session_cookie(visitor.post(find_link(wait_for_mail(lab, ADA, "/confirm/"))))
    visitor.post("/sign-in", address=ADA)
    signin = find_link(wait_for_mail(lab, ADA, "/sign-in/"))
    visitor.post("/sign-up", address=BOB, digest="dc")
    confirmation = find_link(wait_for_mail(lab, BOB, "/confirm/"))
    edition = wait_for_mail(lab, ADA, "List-Unsubscribe-Post")
    texts = [read_text(edition), read_text(wait_for_mail(lab, READERS[0], "List-Unsubscribe-Post"))]
    digest = lab.count("SELECT id FROM digests WHERE made_by = 'web'")
    own = [f"/account/digests/{digest}{part}" for part in ("", "/editions", "/feeds", "/saved")]
    account = {path: visitor.get(path, session) for path in ("/account", "/account/feeds.opml", *own)}
    assert {response.status_code for response in account.values()} == {200}, account
    paths = list_paths("\n".join((*texts, *(response.text for response in account.values()))))
    pages = {path: visitor.get(path) for path in paths}
    return Belongings(
        session=session,
        signin=signin,
        confirmation=confirmation,
        unsubscribing=re.findall(r"<(https:[^>]+)>", edition["List-Unsubscribe"])[0],
        pages={path: page.text for path, page in pages.items() if page.status_code == 200},
        account={path: response.text for path, response in account.items()},
    )


def list_paths(texts: str) -> list[str]:
    """List the paths of the site to which texts lead."""
    return sorted(set(re.findall(rf"{re.escape(SITE)}(/[^\"'<>\s()\[\]]+)", html.unescape(texts))))


def list_papers(path: str, page: str) -> list[str]:
    """List the papers of an edition or a feed; none for another page."""
    return re.findall(r"arxiv\.org/abs/([\d.]+)", page) if path.split("/")[1] in PAPER_PAGES else []
