"""A feed of 60 KB from `digest serve`, asked for by who has it and by who has not, against nginx and a file.

CPU of the servers, not of who asks: of the process that serves with all its threads, and of nginx's worker.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

from benchmarks.measure import Result, Row, cpu_seconds
from digest.app import open_app
from digest.demo.publisher import NEW_YORK, AnnouncedPaper, Publisher
from digest.store.publishing.web_queries import load_web_digest

WANTED = 0.4
NGINX, OURS = "nginx, a file", "digest serve"
SIZE = 60_000
_CONNECTIONS = 16
_REQUESTS = 40_000
CONFIG = """
[site]
url = "http://127.0.0.1"

[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs.DC", "cs.LG", "cs.CL"]
url = "{url}/rss/"
pace = 0

[[digest]]
name = "papers"
schedule = "daily 00:00"
categories = ["cs.*"]
limit = 50
feed = true
"""
NGINX_CONFIG = """
daemon off; master_process on; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
{user}
events {{ worker_connections 64; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; gzip_static on;
  types {{ application/rss+xml rss; }}
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; root {folder}/root; }}
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that has the feed.

    Attributes:
        process: its number, whose CPU counts.
        path: of the feed.
    """

    process: int
    port: int
    path: str

    def asks(self, *headers: str) -> bytes:
        """A request for the feed."""
        lines = [f"GET {self.path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers]
        return "\r\n".join([*lines, "", ""]).encode()


def run(*, small: bool) -> Result:
    """Measure 304, the whole feed, and the whole feed compressed."""
    title = f"a feed of {SIZE // 1000} KB over {_CONNECTIONS} connections that stay; CPU of the server"
    if shutil.which("nginx") is None:
        return Result(title=f"{title}: not run, nginx is not here (apt-get install nginx-light)")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(_ours(folder))
        feed = _answer(ours, ours.asks())[1]
        assert abs(len(feed) - SIZE) < SIZE / 5, f"the feed has {len(feed):,} bytes"
        zipped = _answer(ours, ours.asks("Accept-Encoding: gzip"))[1]
        nginx = stack.enter_context(_nginx(folder, ours.path, feed, zipped))
        works = {"304": (b"304", _etag), "200": (b"200", _plain), "200, gzip": (b"200", _gzip)}
        rows: list[Row] = []
        for work, (status, header) in works.items():
            servers = {NGINX: nginx, OURS: ours}
            requests = {name: server.asks(header(server)) for name, server in servers.items()}
            answers = {name: _answer(server, requests[name]) for name, server in servers.items()}
            assert answers[NGINX] == answers[OURS], f"{work}: not the same"
            assert answers[OURS][0] == status
            number = 200 if small else _REQUESTS
            taken = cpu_seconds(
                {name: partial(_ask, server, requests[name], number) for name, server in servers.items()},
                repeats=1 if small else 5,
                clock=partial(_used, [server.process for server in servers.values()]),
            )
            rows += _rows(work, taken, number)
    return Result(title=title, rows=tuple(rows))


def _rows(work: str, taken: dict[str, float], number: int) -> list[Row]:
    def row(name: str, wanted: float | None) -> Row:
        a_second = f"{number / max(taken[name], 1e-9):,.0f} a CPU-s"
        times = taken[NGINX] / max(taken[name], 1e-9)
        return Row(
            work=work, candidate=f"{name}: {a_second}", seconds=taken[name], times=times, wanted=wanted
        )

    return [row(NGINX, None), row(OURS, WANTED)]


def _plain(_server: Server) -> str:
    return "Accept-Encoding: identity"


def _gzip(_server: Server) -> str:
    return "Accept-Encoding: gzip"


def _etag(server: Server) -> str:
    head, _ = _spoken(server, server.asks())
    (etag,) = re.findall(rb"(?mi)^etag: (\S+)\r$", head)
    return f"If-None-Match: {etag.decode()}"


# --- who asks -------------------------------------------------------------------------------------


def _connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port))


def _answer(server: Server, request: bytes) -> tuple[bytes, bytes]:
    """Status and body."""
    head, body = _spoken(server, request)
    return head.split()[1], body


def _spoken(server: Server, request: bytes) -> tuple[bytes, bytes]:
    """Head and body of an answer."""
    with _connected(server) as connection:
        connection.sendall(request)
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(1)
        length = re.search(rb"(?i)content-length: (\d+)", head)
        left = int(length[1]) if length else 0
        body = b""
        while len(body) < left:
            body += connection.recv(65536)
    return head, body


def _ask(server: Server, request: bytes, number: int) -> None:
    """Ask so often, over connections that stay; all of an answer is read before the next question."""
    head, body = _spoken(server, request)
    length = len(head) + len(body)
    room = bytearray(length)
    with ExitStack() as stack:
        connections = [stack.enter_context(_connected(server)) for _ in range(_CONNECTIONS)]
        for _ in range(number // _CONNECTIONS):
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                assert connection.recv_into(room, length, socket.MSG_WAITALL) == length


def _used(processes: list[int]) -> float:
    """CPU seconds of all threads of processes, to the nanosecond (proc(5), schedstat)."""
    tasks = (task for process in processes for task in Path(f"/proc/{process}/task").iterdir())
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


# --- the servers ----------------------------------------------------------------------------------


def _papers(day: date) -> list[AnnouncedPaper]:
    """As many as make a feed of that size, of words put together by chance, which compress as little as prose does."""
    chance = random.Random(1)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 11))) for _ in range(2000)]
    return [
        AnnouncedPaper(
            id=f"{day:%y%m}.{number:05}",
            title=" ".join(chance.choices(words, k=9)).capitalize(),
            day=day,
            abstract=" ".join(chance.choices(words, k=150)).capitalize() + ".",
            authors=("Ada Lovelace", "Charles Babbage"),
            categories=("cs.DC",),
        )
        for number in range(1, 28)
    ]


@contextmanager
def _ours(folder: Path) -> Iterator[Server]:
    """``digest serve``, as anybody starts it, when its first cycle is over."""
    day = datetime.now(NEW_YORK).date()
    config = folder / "digest.toml"
    with Publisher(_papers(day), day=day) as publisher:
        config.write_text(CONFIG.format(url=publisher.url), encoding="utf-8")
        options = ["--every", "3600", "--port", "0", "--config", str(config)]
        with subprocess.Popen(
            [sys.executable, "-m", "digest", "serve", *options],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        ) as process:
            assert process.stdout is not None
            said = iter(process.stdout)
            try:
                port = next(
                    found[1] for line in said if (found := re.search(r"Listening on \S+:(\d+) for", line))
                )
                path = _feed_path(config)
                yield Server(process=process.pid, port=int(port), path=path)
            finally:
                process.terminate()
                process.stdout.read()


def _feed_path(config: Path) -> str:
    """Where the feed is, as soon as there is an edition in it."""
    with open_app(config, None, os.environ) as app:
        assert app.pages is not None
        while True:
            with app.store.begin_read() as tx:
                found = load_web_digest(tx, 1)
            if found is not None and found.newest:
                return urlsplit(app.pages.make_feed_url(found.id, found.name, "rss")).path
            sleep(0.05)


@contextmanager
def _nginx(folder: Path, path: str, feed: bytes, zipped: bytes) -> Iterator[Server]:
    """Nginx with one worker, the feed as a file and compressed beside it."""
    file = folder / "root" / path.lstrip("/")
    file.parent.mkdir(parents=True)
    file.write_bytes(feed)
    file.with_name(f"{file.name}.gz").write_bytes(zipped)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    config.write_text(NGINX_CONFIG.format(folder=folder, port=port, user=user), encoding="utf-8")
    with subprocess.Popen(["nginx", "-c", str(config), "-e", str(folder / "error.log")]) as master:
        try:
            children = Path(f"/proc/{master.pid}/task/{master.pid}/children")
            while not (workers := children.read_text().split()):
                sleep(0.05)
            yield Server(process=int(workers[0]), port=port, path=path)
        finally:
            master.terminate()
