"""``digest serve`` beside nginx with the same bytes: CPU of the servers, not of who asks, over connections that stay.

It counts the process that serves with all its threads, and nginx's worker.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import sleep

from benchmarks.measure import Row, cpu_seconds

CONNECTIONS = 16
WANTED = 0.4
"""Share of nginx's requests in a second of CPU."""
NGINX, OURS = "nginx, a file", "digest serve"
_REQUESTS = 40_000
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
    """A server that has a document.

    Attributes:
        process: its number, whose CPU counts.
        path: of the document.
    """

    process: int
    port: int
    path: str

    def make_request(self, *headers: str) -> bytes:
        """A request for the document."""
        lines = [f"GET {self.path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers]
        return "\r\n".join([*lines, "", ""]).encode()


# --- digest serve ---------------------------------------------------------------------------------


@contextmanager
def serve_digest(config: Path) -> Iterator[tuple[int, int]]:
    """``digest serve``, as anybody starts it; gives its process and port."""
    options = ["--every", "3600", "--port", "0", "--config", str(config)]
    with subprocess.Popen(
        [sys.executable, "-m", "digest", "serve", *options],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout)
        try:
            port = next(
                found[1] for line in lines if (found := re.search(r"Listening on \S+:(\d+) for", line))
            )
            yield process.pid, int(port)
        finally:
            process.terminate()
            process.stdout.read()


def measure_beside_nginx(ours: Server, folder: Path, *, small: bool) -> list[Row]:
    """Measure 304, the whole document, and the whole document compressed."""
    body = get_answer(ours, ours.make_request())[1]
    zipped = get_answer(ours, ours.make_request("Accept-Encoding: gzip"))[1]
    works = {
        "304": (b"304", _make_condition),
        "200": (b"200", lambda _: "Accept-Encoding: identity"),
        "200, gzip": (b"200", lambda _: "Accept-Encoding: gzip"),
    }
    rows: list[Row] = []
    with serve_file(folder, ours.path, body, zipped) as nginx:
        servers = {NGINX: nginx, OURS: ours}
        for work, (status, make_header) in works.items():
            requests = {name: server.make_request(make_header(server)) for name, server in servers.items()}
            answers = {name: get_answer(server, requests[name]) for name, server in servers.items()}
            assert answers[NGINX] == answers[OURS], f"{work}: not the same"
            assert answers[OURS][0] == status
            number = 200 if small else _REQUESTS
            taken = cpu_seconds(
                {
                    name: partial(ask_often, server, requests[name], number)
                    for name, server in servers.items()
                },
                repeats=1 if small else 5,
                clock=partial(measure_cpu, [server.process for server in servers.values()]),
            )
            rows += _make_rows(work, taken, number)
    return rows


def _make_condition(server: Server) -> str:
    head, _ = speak(server, server.make_request())
    (etag,) = re.findall(rb"(?mi)^etag: (\S+)\r$", head)
    return f"If-None-Match: {etag.decode()}"


def _make_rows(work: str, taken: dict[str, float], number: int) -> list[Row]:
    def make_row(name: str, wanted: float | None) -> Row:
        a_second = f"{number / max(taken[name], 1e-9):,.0f} a CPU-s"
        times = taken[NGINX] / max(taken[name], 1e-9)
        return Row(
            work=work, candidate=f"{name}: {a_second}", seconds=taken[name], times=times, wanted=wanted
        )

    return [make_row(NGINX, None), make_row(OURS, WANTED)]


# --- who asks -------------------------------------------------------------------------------------


def connect(server: Server) -> socket.socket:
    """Open a connection."""
    return socket.create_connection(("127.0.0.1", server.port))


def get_answer(server: Server, request: bytes) -> tuple[bytes, bytes]:
    """Status and body."""
    head, body = speak(server, request)
    return head.split()[1], body


def speak(server: Server, request: bytes) -> tuple[bytes, bytes]:
    """Head and body of an answer."""
    with connect(server) as connection:
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


def ask_often(server: Server, request: bytes, number: int) -> None:
    """Ask so often, over connections that stay; all of an answer is read before the next question."""
    head, body = speak(server, request)
    length = len(head) + len(body)
    room = bytearray(length)
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(server)) for _ in range(CONNECTIONS)]
        for _ in range(number // CONNECTIONS):
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                assert connection.recv_into(room, length, socket.MSG_WAITALL) == length


def measure_cpu(processes: list[int]) -> float:
    """CPU seconds of all threads of processes, to the nanosecond (proc(5), schedstat)."""
    tasks = (task for process in processes for task in Path(f"/proc/{process}/task").iterdir())
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


# --- nginx ----------------------------------------------------------------------------------------


@contextmanager
def serve_file(folder: Path, path: str, body: bytes, zipped: bytes) -> Iterator[Server]:
    """Nginx with one worker, a document as a file and compressed beside it."""
    file = folder / "root" / path.lstrip("/")
    file.parent.mkdir(parents=True)
    file.write_bytes(body)
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
