"""A reader's world on the web: a real cycle has made editions, and a real server answers for them."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
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
from digest.store.database.digest_tables import (
    deliveries,
    destinations,
    editions,
    feedback,
    follows,
    opinions,
)
from digest.store.database.digest_tables import digests as digest_table
from digest.web.protocol.limited_protocol import ClientLimits
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.store.rows import active_digests
from tests.support.timeouts import PATIENCE
from tests.support.workspace import World, config

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


def morning(day: date) -> datetime:
    return datetime.combine(day, time(7, 31), ZoneInfo("Europe/Berlin"))


def composed(world: World, now: datetime) -> None:
    """A cycle without its last step: the mails wait."""
    for command in ("pull", "match", "compose"):
        world.run(command, now=now)


@pytest.fixture(scope="session")
def source() -> Iterator[Publisher]:
    papers = load_shipped_papers()
    with Publisher(papers, day=THURSDAY) as publisher:
        yield publisher


@pytest.fixture(scope="session")
def made(source: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world with one edition a digest, whose mails wait; to be copied."""
    world = World(tmp_path_factory.mktemp("made"))
    text = config(source.url, to=f'"{ME}", "{YOU}"', more=MORE)
    world.write(
        text.replace(
            'title = "Lab digest"', f'title = "Lab digest"\nurl = "{URL}"\ncontact = "ops@example.org"'
        )
    )
    now = morning(THURSDAY)
    with open_app(world.folder / "digest.toml", now, {}) as app:
        app.apply_config()
    composed(world, now)
    return world.folder


@dataclass
class Site:
    """A site that answers.

    Attributes:
        at: where its server listens.
        said: what it told the operator.
    """

    app: App
    at: str
    world: World
    source: Publisher
    said: list[str] = field(default_factory=list)

    @property
    def pages(self) -> OwnPages:
        assert self.app.pages is not None
        return self.app.pages

    def ask(self, method: str, address: str, **more: Any) -> httpx.Response:
        """One request to the server itself, for an address of the site; redirects are not followed."""
        # Nothing here is encrypted, and to read the certificates that httpx trusts takes longer than most tests.
        with httpx.Client(base_url=self.at, trust_env=False, verify=False) as client:
            return client.request(method, address.removeprefix(self.pages.url), **more)

    def get(self, address: str, **headers: str) -> httpx.Response:
        given = {"accept-encoding": "identity"} | {
            name.replace("_", "-"): text for name, text in headers.items()
        }
        return self.ask("GET", address, headers=given)

    def post(self, address: str, **more: Any) -> httpx.Response:
        return self.ask("POST", address, **more)

    def change(self, old: str, new: str) -> None:
        """Change the configuration, and apply it as another process would."""
        path = self.world.folder / "digest.toml"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        with open_app(path, None, {}) as app:
            app.apply_config(allows_other_file=True)

    def next_day(self) -> None:
        """Another day's papers, and editions of them."""
        self.source.day += timedelta(1)
        composed(self.world, morning(self.source.day))

    def digest(self, name: str = "systems") -> int:
        with self.app.store.begin_read() as tx:
            return int(tx.execute(select(digest_table.c.id).where(digest_table.c.name == name)).scalar_one())

    def destination(self, address: str = ME, name: str = "systems") -> int:
        mine = (destinations.c.address == address) & (destinations.c.digest_id == self.digest(name))
        with self.app.store.begin_read() as tx:
            return int(tx.execute(select(destinations.c.id).where(mine)).scalar_one())

    def edition(self, name: str = "systems") -> int:
        """The number of the last edition of a digest."""
        mine = select(editions.c.id).where(
            editions.c.digest_id == self.digest(name), editions.c.skipped == ""
        )
        with self.app.store.begin_read() as tx:
            return int(max(tx.execute(mine).scalars()))

    def feed(self, form: str = "rss", name: str = "systems") -> str:
        return self.pages.make_feed_url(self.digest(name), name, form)

    def goes_to(self) -> set[tuple[str, str]]:
        """Which digest goes where."""
        with self.app.store.begin_read() as tx:
            return {(one.name, to) for one in active_digests(tx) for _, _, to in one.destinations}

    def waiting(self) -> list[tuple[str, str]]:
        """The deliveries: address and state."""
        ways = select(destinations.c.address, deliveries.c.state).join(
            deliveries, deliveries.c.destination_id == destinations.c.id
        )
        with self.app.store.begin_read() as tx:
            return sorted((row.address, row.state) for row in tx.execute(ways))

    def manage(self, address: str = ME, name: str = "systems") -> str:
        """The page on which somebody manages a digest."""
        return self.pages.make_manage_url(self.destination(address, name))

    def paper(self, number: int = 1, name: str = "systems") -> str:
        """The page of a paper in the last edition of a digest."""
        return f"{self.pages.make_edition_url(self.edition(name))}/{number}"

    def state(self) -> list[tuple[Any, ...]]:
        """All that a reader could change."""
        with self.app.store.begin_read() as tx:
            return [
                tuple(row)
                for table in (destinations, deliveries, digest_table, editions, follows, opinions, feedback)
                for row in tx.execute(select(table).order_by(*table.primary_key))
            ]


@contextmanager
def served(
    world: World,
    source: Publisher,
    environ: dict[str, str] | None = None,
    *,
    limits: ClientLimits | None = None,
) -> Iterator[Site]:
    """A server that answers for a world."""
    with ExitStack() as stack:
        app = stack.enter_context(open_app(world.folder / "digest.toml", None, environ or {}))
        assert app.pages is not None
        door = stack.enter_context(listen("127.0.0.1:0"))
        said: list[str] = []
        stack.enter_context(serve_site(door, make_site(app, app.pages, said.append), limits))
        yield Site(app, f"http://127.0.0.1:{door.getsockname()[1]}", world, source, said)


@pytest.fixture
def world(made: Path, tmp_path: Path) -> World:
    folder = tmp_path / "world"
    shutil.copytree(made, folder)
    return World(folder)


@pytest.fixture
def site(world: World, source: Publisher) -> Iterator[Site]:
    source.day = THURSDAY
    with served(world, source) as site:
        yield site


@pytest.fixture(scope="session")
def shared_site(made: Path, source: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site for all tests that change nothing, neither in its store nor in what it has said."""
    folder = tmp_path_factory.mktemp("shared") / "world"
    shutil.copytree(made, folder)
    with served(World(folder), source) as site:
        yield site


def raw(site: Site, request: bytes) -> bytes:
    """What comes back for bytes on a connection, until it is closed."""
    host, _, port = site.at.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer
