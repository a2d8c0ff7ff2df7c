"""A host on loopback that says what a test wrote down for each path, and notes how it is asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape

from tests.support.timeouts import PATIENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request.

    Attributes:
        headers: names in lower case.
        at: when it had come, by the monotonic clock.
        body: what was posted.
    """

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    at: float
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Says:
    """An answer."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Told = Callable[[Asked], Says]
Script = Says | Told


class ScriptedHost(AbstractContextManager["ScriptedHost"]):
    """Answers by path while it is entered.

    Attributes:
        answers: by path, without the query; what is not there is not found.
        requests: as they came.
        most_at_once: the most that were ever under way together.
    """

    def __init__(self, **answers: Script) -> None:
        """Prepare it; an answer by name is for the path of that name."""
        self.answers: dict[str, Script] = {f"/{name}": answer for name, answer in answers.items()}
        self.requests: list[Asked] = []
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005})

    @property
    def name(self) -> str:
        """As buckets name it."""
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        """Without a path."""
        return f"http://{self.name}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def paths(self) -> list[str]:
        """What was asked, as it came."""
        return [asked.path for asked in self.requests]

    def answer(self, asked: Asked) -> Says:
        """Note a request, and answer it."""
        with self._lock:
            self.requests.append(asked)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            script = self.answers.get(asked.path, Says(b"There is no such page.", 404))
            return script if isinstance(script, Says) else script(asked)
        finally:
            with self._lock:
                self._under_way -= 1


class _Server(ThreadingHTTPServer):
    """One thread a request, all ended before ``server_close`` returns."""

    daemon_threads = False

    def __init__(self, host: ScriptedHost) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.host = host


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Answer as the test says."""
        address = urlsplit(self.path)
        asked = Asked(
            path=address.path,
            query=dict(parse_qsl(address.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            at=time.monotonic(),
            body=self.rfile.read(int(self.headers.get("Content-Length", 0))),
        )
        says = self.server.host.answer(asked)
        with suppress(OSError):  # the client may give up at any time, or be killed
            self.send_response_only(says.status)  # without a Date: it would be the machine's
            for name, value in says.headers.items():
                self.send_header(name, value)
            if says.status != 304:
                self.send_header("Content-Length", str(len(says.body)))
            self.end_headers()
            self.wfile.write(says.body)

    do_POST = do_GET  # noqa: N815 - the name is the base class's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing: the host keeps its own list."""


# --- answers --------------------------------------------------------------------------------------


def after(step: Callable[[], object], says: Says) -> Told:
    """Something to be done, or waited for, before an answer."""

    def script(_: Asked) -> Says:
        step()
        return says

    return script


def known_by(body: bytes, headers: Mapping[str, str]) -> Told:
    """What is not sent again to who has it already, by its ``ETag`` or ``Last-Modified`` if it has one."""

    def script(asked: Asked) -> Says:
        known = {asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")}
        status = 304 if known & set(headers.values()) else 200
        return Says(body if status == 200 else b"", status, headers)

    return script


def moved(to: str, status: int = 301) -> Says:
    """A redirect, for good or for a time."""
    return Says(b"", status, {"Location": to})


# --- bodies ---------------------------------------------------------------------------------------


def entry(title: str, link: str, dated: datetime | None = None, *, more: str = "") -> str:
    """An entry of a feed.

    Args:
        title: plain.
        link: its page; also what it is known by.
        dated: when it says that it was published.
        more: further elements.
    """
    day = f"<pubDate>{format_datetime(dated)}</pubDate>" if dated else ""
    return f"<item><title>{escape(title)}</title><link>{escape(link)}</link>{day}{more}</item>"


def rss(*entries: str, head: str = "") -> bytes:
    """A feed; ``head`` is what it says of itself besides."""
    channel = f"<title>A blog</title><link>https://blog.example.org/</link>{head}{''.join(entries)}"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{channel}</channel></rss>'.encode()


def picked(paper: str, day: date, *, title: str = "", votes: int = 1, **more: Any) -> dict[str, Any]:
    """A row of Hugging Face's daily papers.

    Args:
        paper: its number on arXiv.
        day: on which it was put on the list.
        title: its title.
        votes: of readers.
        more: further fields of the paper.
    """
    known = {
        "id": paper,
        "title": title or f"The paper {paper}",
        "summary": "What it is about.",
        "authors": [{"name": "Ada Lovelace", "hidden": False}],
        "submittedOnDailyAt": f"{day}T09:30:00.000Z",
        "upvotes": votes,
    }
    return {"paper": known | more, "numComments": 2}


def daily(rows: Iterable[Mapping[str, Any]]) -> Told:
    """The list of Hugging Face: by date, week or month, a page at a time."""
    there = list(rows)

    def script(asked: Asked) -> Says:
        mine = [row for row in there if _is_of(row, asked.query)]
        page, limit = int(asked.query.get("p", 0)), int(asked.query.get("limit", 50))
        return Says(json.dumps(mine[page * limit : (page + 1) * limit]).encode())

    return script


def _is_of(row: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    day = date.fromisoformat(row["paper"]["submittedOnDailyAt"][:10])
    year, week, _ = day.isocalendar()
    names = {"date": f"{day}", "week": f"{year}-W{week:02}", "month": f"{day:%Y-%m}"}
    return all(query[name] == names[name] for name in names.keys() & query.keys())
