"""A reader's world on the web: a real cycle has made editions, and a real server answers for them."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from sqlalchemy import select

from digest.app import App, open_app
from digest.core.delivery.own_pages import OwnPages
from digest.demo.publisher import Publisher, load_shipped_papers
from digest.store.database.tables.digests import (
    deliveries,
    destinations,
    editions,
    feedback,
    follows,
    opinions,
)
from digest.store.database.tables.digests import digests as digest_table
from digest.store.database.tables.papers import authorships, papers
from digest.web.protocol.limited_protocol import ClientLimits
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.store.factories import load_active_digests
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config

THURSDAY = date(2026, 5, 7)
ME, YOU = "me@example.org", "you@example.org"
MORE = f"""
    [[digest]]
    name = "all"
    title = "All of it & more"
    to = ["{ME}"]
    schedule = "weekdays 07:30"
    timezone = "Europe/Berlin"
    categories = ["cs.DC"]

    [smtp]
    host = "localhost"
    security = "none"
    from = "Lab digest <digest@example.org>"
"""
URL = "https://digest.example.org"


def get_morning(day: date) -> datetime:
    return datetime.combine(day, time(7, 31), ZoneInfo("Europe/Berlin"))


def compose_editions(workspace: Workspace, now: datetime) -> None:
    """A cycle without its last step: the mails wait."""
    for command in ("pull", "match", "compose"):
        workspace.run(command, now=now)


@pytest.fixture(scope="session")
def source() -> Iterator[Publisher]:
    # Pages show abstracts, and nearly all papers that ship have none.
    papers = [
        replace(paper, abstract=f"This paper is about {paper.title}.") for paper in load_shipped_papers()
    ]
    with Publisher(papers, day=THURSDAY) as publisher:
        yield publisher


@pytest.fixture(scope="session")
def composed_folder(source: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world with one edition a digest, whose mails wait; to be copied."""
    workspace = Workspace(tmp_path_factory.mktemp("made"))
    text = make_config(source.url, to=f'"{ME}", "{YOU}"', more=MORE)
    workspace.write(
        text.replace(
            'title = "Lab digest"', f'title = "Lab digest"\nurl = "{URL}"\ncontact = "ops@example.org"'
        )
    )
    now = get_morning(THURSDAY)
    with open_app(workspace.folder / "digest.toml", now, {}) as app:
        app.apply_config()
    compose_editions(workspace, now)
    return workspace.folder


@dataclass
class Site:
    """A site that answers.

    Attributes:
        server_url: where its server listens.
        operator_messages: what it told the operator.
    """

    app: App
    server_url: str
    workspace: Workspace
    source: Publisher
    operator_messages: list[str] = field(default_factory=list)

    @property
    def pages(self) -> OwnPages:
        assert self.app.pages is not None
        return self.app.pages

    def open_client(self) -> httpx.Client:
        """Return a client of the server itself, which waits as long as every test."""
        # Nothing here is encrypted, and to read the certificates that httpx trusts takes longer than most tests.
        return httpx.Client(base_url=self.server_url, trust_env=False, verify=False, timeout=PATIENCE)

    def request(self, method: str, address: str, **more: Any) -> httpx.Response:
        """One request to the server itself, for an address of the site; redirects are not followed."""
        with self.open_client() as client:
            return client.request(method, address.removeprefix(self.pages.url), **more)

    def get(self, address: str, **headers: str) -> httpx.Response:
        options = {"accept-encoding": "identity"} | {
            name.replace("_", "-"): text for name, text in headers.items()
        }
        return self.request("GET", address, headers=options)

    def post(self, address: str, **more: Any) -> httpx.Response:
        return self.request("POST", address, **more)

    def change(self, old: str, new: str) -> None:
        """Change the configuration, and apply it as another process would."""
        path = self.workspace.folder / "digest.toml"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        with open_app(path, None, {}) as app:
            app.apply_config(allows_other_file=True)

    def publish_next_day(self) -> None:
        """Another day's papers, and editions of them."""
        self.source.day += timedelta(1)
        compose_editions(self.workspace, get_morning(self.source.day))

    def get_digest_id(self, name: str = "systems") -> int:
        with self.app.store.begin_read() as tx:
            return int(tx.execute(select(digest_table.c.id).where(digest_table.c.name == name)).scalar_one())

    def get_destination_id(self, address: str = ME, name: str = "systems") -> int:
        mine = (destinations.c.address == address) & (destinations.c.digest_id == self.get_digest_id(name))
        with self.app.store.begin_read() as tx:
            return int(tx.execute(select(destinations.c.id).where(mine)).scalar_one())

    def get_edition_id(self, name: str = "systems") -> int:
        """The number of the last edition of a digest."""
        mine = select(editions.c.id).where(
            editions.c.digest_id == self.get_digest_id(name), editions.c.skipped == ""
        )
        with self.app.store.begin_read() as tx:
            return int(max(tx.execute(mine).scalars()))

    def find_person_url(self) -> str:
        """The page of the first author of the newest paper."""
        with self.app.store.begin_read() as tx:
            row = tx.execute(
                select(authorships.c.paper_id, authorships.c.position, papers.c.key)
                .join(papers, papers.c.id == authorships.c.paper_id)
                .order_by(authorships.c.paper_id.desc(), authorships.c.position)
            ).first()
        assert row is not None
        return f"{self.pages.url}/person/{row.key}/{row.position + 1}"

    def make_feed_url(self, form: str = "rss", name: str = "systems") -> str:
        return self.pages.make_feed_url(self.get_digest_id(name), name, form)

    def list_destinations(self) -> set[tuple[str, str]]:
        """Which digest goes where."""
        with self.app.store.begin_read() as tx:
            return {
                (active_digest.name, to)
                for active_digest in load_active_digests(tx)
                for _, _, to, _ in active_digest.destinations
            }

    def list_deliveries(self) -> list[tuple[str, str]]:
        """The deliveries: address and state."""
        ways = select(destinations.c.address, deliveries.c.state).join(
            deliveries, deliveries.c.destination_id == destinations.c.id
        )
        with self.app.store.begin_read() as tx:
            return sorted((row.address, row.state) for row in tx.execute(ways))

    def make_manage_url(self, address: str = ME, name: str = "systems") -> str:
        """The page on which somebody manages a digest."""
        return self.pages.make_manage_url(self.get_destination_id(address, name))

    def make_paper_url(self, number: int = 1, name: str = "systems") -> str:
        """The page of a paper in the last edition of a digest."""
        return f"{self.pages.make_edition_url(self.get_edition_id(name))}/{number}"

    def load_state(self) -> list[tuple[Any, ...]]:
        """All that a reader could change."""
        with self.app.store.begin_read() as tx:
            return [
                tuple(row)
                for table in (destinations, deliveries, digest_table, editions, follows, opinions, feedback)
                for row in tx.execute(select(table).order_by(*table.primary_key))
            ]


@contextmanager
def serve_workspace(
    workspace: Workspace,
    source: Publisher,
    environ: dict[str, str] | None = None,
    *,
    limits: ClientLimits | None = None,
    host: str = "127.0.0.1",
    max_mail_delay: float = 0.0,
) -> Iterator[Site]:
    """A server that answers for a world, and sends links without the random delay."""
    with ExitStack() as stack:
        app = stack.enter_context(open_app(workspace.folder / "digest.toml", None, environ or {}))
        assert app.pages is not None
        door = stack.enter_context(listen(f"{host}:0"))
        messages: list[str] = []
        stack.enter_context(
            serve_site(
                door, make_site(app, app.pages, messages.append, max_mail_delay=max_mail_delay), limits
            )
        )
        yield Site(app, f"http://127.0.0.1:{door.getsockname()[1]}", workspace, source, messages)


@pytest.fixture
def workspace(composed_folder: Path, tmp_path: Path) -> Workspace:
    folder = tmp_path / "world"
    shutil.copytree(composed_folder, folder)
    return Workspace(folder)


@pytest.fixture
def site(workspace: Workspace, source: Publisher) -> Iterator[Site]:
    source.day = THURSDAY
    with serve_workspace(workspace, source) as site:
        yield site


@pytest.fixture(scope="session")
def shared_site(
    composed_folder: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site for all tests that change nothing, neither in its store nor in what it has said."""
    folder = tmp_path_factory.mktemp("shared") / "world"
    shutil.copytree(composed_folder, folder)
    with serve_workspace(Workspace(folder), source) as site:
        yield site


def send_raw(site: Site, request: bytes) -> bytes:
    """What comes back for bytes on a connection, until it is closed."""
    host, _, port = site.server_url.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer
