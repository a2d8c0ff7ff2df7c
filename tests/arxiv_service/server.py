"""A loopback server that is all of arXiv, by a clock that a test sets.

It shares no code with the package, so that it can judge it. It is written after arXiv's own descriptions and
the public code of its servers; what neither tells is an argument here.
"""

from __future__ import annotations

import hashlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

from tests.arxiv_service.answers import Answer, ServedRequest, make_refusal
from tests.arxiv_service.faults import Fault, apply_fault
from tests.arxiv_service.feeds import FORMS, limit_rows, make_error_feed, make_feed
from tests.arxiv_service.history import ALIASES, ARCHIVES, History, Row, make_subject
from tests.arxiv_service.pages import ListingPage, render_catchup_page, render_new_page
from tests.arxiv_service.records import Harvest
from tests.arxiv_service.release_times import NEW_YORK, get_day_in, get_feed_time
from tests.arxiv_service.search import search
from tests.support.timeouts import PATIENCE

SHOW = ("25", "50", "100", "250", "500", "1000", "2000")
_HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much arXiv puts into one answer; tests make it smaller.

    Attributes:
        feed: entries; beyond it new papers are dropped.
        listing: rows of a page, if the request asks for no fewer; so is ``catchup``.
        oai: records.
    """

    feed: int = 2000
    listing: int = 2000
    catchup: int = 2000
    oai: int = 2500


@dataclass(slots=True)
class _Call:
    """A request as it is worked on."""

    route: str
    section: str
    query: list[tuple[str, str]]
    now: datetime
    rest: str = ""
    form: str = "rss"
    faults: list[Fault] = field(default_factory=list)

    @property
    def arguments(self) -> dict[str, str]:
        return dict(self.query)

    def is_struck_by(self, kind: str) -> bool:
        return any(fault.kind == kind for fault in self.faults)


class ArxivService(AbstractContextManager["ArxivService"]):
    """Announces a history on 127.0.0.1 while it is entered.

    Attributes:
        faults: what goes wrong and when.
        sizes: of answers.
        catchup_zone: in which catch-up pages take what day it is; nobody outside arXiv knows.
        requests: what was asked, in the order in which it was answered.
        most_at_once: the most requests that were ever under way together.
        slow: seconds that a slow answer takes.
    """

    def __init__(
        self,
        history: History,
        *,
        now: datetime,
        sections: Iterable[str] = (),
        faults: Iterable[Fault] = (),
        sizes: Sizes | None = None,
        catchup_zone: ZoneInfo = ZoneInfo("UTC"),  # noqa: B008 - immutable
    ) -> None:
        """Prepare it.

        Args:
            sections: categories that exist although no paper is in them.
            now: the simulated time.
        """
        self.history = history
        self.faults = list(faults)
        self.sizes = sizes or Sizes()
        self.catchup_zone = catchup_zone
        self.requests: list[ServedRequest] = []
        self.most_at_once = 0
        self.slow = 0.02
        self._harvest = Harvest(history, page=self.sizes.oai)
        named = {name for announcement in history.announcements for name in announcement.categories}
        self._names = {*ARCHIVES, *ALIASES, *ALIASES.values(), *named, *sections}
        self._now = now
        self._lock = threading.Lock()
        self._released = threading.Condition()
        self._most_answers: int | None = None
        self._under_way = 0
        self._server: _Server | None = _Server(self, 0)
        self._port = self._server.server_port
        self._thread: threading.Thread | None = None
        self._bolt: socket.socket | None = None

    # --- its life ----------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The address to put in place of arXiv's."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def now(self) -> datetime:
        """The simulated time; setting it opens or shuts the port where a fault says so."""
        return self._now

    @now.setter
    def now(self, now: datetime) -> None:
        self._now = now.astimezone(UTC)
        gone = any(fault.kind == "gone" and fault.strikes("", "", self._now) for fault in self.faults)
        if gone and self._thread is not None:
            self._stop()
            self._bolt = socket.socket()  # keeps the port for us without listening
            self._bolt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._bolt.bind(("127.0.0.1", self._port))
        elif not gone and self._bolt is not None:
            self._bolt.close()
            self._bolt = None
            self._server = _Server(self, self._port)
            self._start()

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._start()
        self.now = self._now
        return self

    def __exit__(self, *_exc: object) -> None:
        """End every answer and give the port back."""
        if self._thread is not None:
            self._stop()
        if self._bolt is not None:
            self._bolt.close()

    def _start(self) -> None:
        assert self._server is not None
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005})
        self._thread.start()

    def _stop(self) -> None:
        assert self._server is not None
        assert self._thread is not None
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server = self._thread = None

    # --- answering ---------------------------------------------------------------------------------

    @contextmanager
    def hold_back(self, after: int) -> Iterator[None]:
        """Answer so many more requests; those behind them wait until the block ends, so that who asks cannot have finished."""
        self._most_answers = len(self.requests) + after
        try:
            yield
        finally:
            with self._released:
                self._most_answers = None
                self._released.notify_all()

    def _await_release(self) -> None:
        with self._released:
            self._released.wait_for(
                lambda: self._most_answers is None or len(self.requests) <= self._most_answers, PATIENCE
            )

    def serve(
        self, path: str, headers: Mapping[str, str], send: Callable[[Answer | None, int], None]
    ) -> None:
        """Answer a request and write it down."""
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            call = self._call(path)
            call.faults = [
                fault for fault in self.faults if fault.strikes(call.route, call.section, call.now)
            ]
            right = self._answer(call)
        answer: Answer | None = right
        for fault in call.faults:
            answer = apply_fault(answer, fault, call.now) if answer is not None else None
        if (
            answer is not None
            and answer.status == 200
            and headers.get("if-none-match") == answer.headers.get("ETag", "")
        ):
            answer = replace(answer, status=304, body=b"")
        if call.is_struck_by("slow"):
            time.sleep(self.slow)
        length = (
            len(right.body)
            if call.is_struck_by("broken_off")
            else len(answer.body if answer is not None else b"")
        )
        with self._lock:  # written down first: who has the answer may look at the list at once
            request = ServedRequest(
                at=call.now,
                path=path,
                route=call.route,
                subject=call.section,
                headers=headers,
                fault=frozenset(fault.kind for fault in call.faults),
                answer=answer,
            )
            self.requests.append(request)
            self._under_way -= 1
        self._await_release()
        send(answer, length)

    def _call(self, path: str) -> _Call:
        """Which page is meant."""
        address = urlsplit(path)
        _, page, section, rest = [*address.path.split("/", 3), "", "", ""][:4]
        routes = {
            "rss": "rss",
            "atom": "rss",
            "list": "listing",
            "catchup": "catchup",
            "oai": "oai",
            "api": "api",
        }
        query = parse_qsl(address.query, keep_blank_values=True)
        if page == "oai":
            section = dict(query).get("set", "")
        elif page == "api":
            section, rest = dict(query).get("search_query", ""), section
        return _Call(routes.get(page, ""), section, query, self._now, rest=rest, form=page)

    def _answer(self, call: _Call) -> Answer:
        """The answer, as right or as wrong as arXiv itself has it."""
        if call.route == "rss":
            return self._feed(call)
        if call.route == "listing" and call.rest == "new":
            return self._new(call)
        if call.route == "catchup":
            return self._catchup(call)
        if call.route == "oai":
            return self._harvest.answer(call.query, call.now)
        if call.route == "api" and call.rest == "query":
            return search(self.history, call.arguments, call.now)
        return make_refusal(404, "There is no such page.")

    def _feed(self, call: _Call) -> Answer:
        form, day = FORMS[call.form], get_day_in(NEW_YORK, call.now)
        link = f"http://rss.arxiv.org/{call.form}/{call.section}"
        headers = {"Content-Type": form.media_type}
        known_values = {name.lower(): name for name in self._names}
        requests = call.section.split("+")
        for name in requests:
            if name.lower() not in known_values:
                return Answer(status=400, headers=headers, body=make_error_feed(form, day, name, link))
        names = [known_values[name.lower()] for name in requests]
        of, shown_day = make_subject(names), self._shown_day(call, day)
        limit = min([self.sizes.feed, *(fault.limit for fault in call.faults if fault.kind == "over_full")])
        rows = (
            []
            if call.is_struck_by("blank")
            else limit_rows(self.history.make_feed_rows(shown_day, of), limit)
        )
        sent_day = shown_day if call.is_struck_by("late") else day
        body = make_feed(form, sent_day, names, link, rows)
        left = get_feed_time(day + timedelta(days=1)) - call.now
        headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()}"'
        headers["Cache-Control"] = f"max-age={int(left.total_seconds())}"
        return Answer(headers=headers, body=body, day=sent_day, rows=_list_shown_rows(rows))

    def _new(self, call: _Call) -> Answer:
        arguments = call.arguments
        if call.section not in self._names:
            return make_refusal(400, f"Invalid archive or category: {call.section}")
        if (show := arguments.get("show") or "2000") not in SHOW:
            return make_refusal(400, f"Invalid show value. Valid values: {', '.join(SHOW)}")
        day = self.history.find_newest_day(call.now)
        if day is None:
            return make_refusal(503, "There is no list yet.")
        shown_day = self._shown_day(call, day)
        section = ALIASES.get(call.section, call.section)
        skip = arguments.get("skip", "")
        sheet = ListingPage(
            day=shown_day if call.is_struck_by("late") else day,
            section=section,
            rows=[]
            if call.is_struck_by("blank")
            else self.history.make_list_rows(shown_day, make_subject([section])),
            skip=int(skip) if skip.isdigit() else 0,
            size=min(int(show), self.sizes.listing),
            drop_interval=3 if call.is_struck_by("partial") else 0,
        )
        return _make_answer(sheet, render_new_page(sheet))

    def _shown_day(self, call: _Call, day: date) -> date:
        """The day whose rows a feed or a list shows on a day: an earlier one where it is stale or late."""
        behind = max((fault.behind for fault in call.faults if fault.kind in {"stale", "late"}), default=0)
        for _ in range(behind):
            day = self.history.find_day_before(day) or day
        return day

    def _catchup(self, call: _Call) -> Answer:
        if call.section not in {*self._names, "grp_physics"}:
            return make_refusal(400, "Invalid subject. Subject must be an archive, category or 'grp_physics'")
        try:
            day, abstracts, page = self._catchup_arguments(call)
        except ValueError as error:
            return make_refusal(400, str(error))
        if canonical := ALIASES.get(call.section):
            where = f"/catchup/{canonical}/{day}?page={page}&abs={abstracts}"
            return Answer(status=301, headers={"Location": where})
        sheet = ListingPage(
            day=day,
            section=call.section,
            rows=self._caught_up(call, day),
            skip=(page - 1) * self.sizes.catchup,
            size=self.sizes.catchup,
            drop_interval=3 if call.is_struck_by("partial") else 0,
        )
        following = self.history.find_day_after(day, call.now)
        return _make_answer(
            sheet, render_catchup_page(sheet, page=page, abstracts=abstracts, following=following)
        )

    def _caught_up(self, call: _Call, day: date) -> list[Row]:
        newest = self.history.find_newest_day(call.now)
        if call.is_struck_by("blank") or newest is None or day > newest:
            return []
        return self.history.make_catchup_rows(day, make_subject([call.section]), call.now)

    def _catchup_arguments(self, call: _Call) -> tuple[date, bool, int]:
        """Day, abstracts or not, and page."""
        arguments = call.arguments
        if set(arguments) - {"abs", "page"}:
            raise ValueError("Unexpected parameters. Only accepted parameters are: 'page', and 'abs'")
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", call.rest):
            raise ValueError("Invalid date format. Use format: YYYY-MM-DD")
        day, today = date.fromisoformat(call.rest), get_day_in(self.catchup_zone, call.now)
        if day < today - timedelta(days=91):
            raise ValueError(f"Invalid date: {day}. Catchup only allowed for past 90 days")
        if day > today:
            raise ValueError(f"Invalid date: {day}. Can't request date later than today")
        if (abstracts := arguments.get("abs", "False")) not in {"True", "False"}:
            raise ValueError("Invalid abs value.")
        page = arguments.get("page", "1")
        if not page.isdigit() or int(page) < 1:
            raise ValueError("Invalid page value.")
        return day, abstracts == "True", int(page)


def _make_answer(sheet: ListingPage, body: bytes) -> Answer:
    return Answer(
        headers=_HTML,
        body=body,
        day=sheet.day,
        rows=_list_shown_rows(sheet.printed_rows),
        total=len(sheet.rows),
    )


def _list_shown_rows(rows: Iterable[Row]) -> tuple[tuple[str, str], ...]:
    return tuple((row.paper.id, row.kind) for row in rows)


# --- the server -----------------------------------------------------------------------------------


class _Server(ThreadingHTTPServer):
    """One thread a request, all ended before ``server_close`` returns."""

    daemon_threads = False

    def __init__(self, service: ArxivService, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.service = service


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Answer as the service says."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.service.serve(self.path, headers, self._send)

    def _send(self, answer: Answer | None, length: int) -> None:
        if answer is None:
            return
        with suppress(OSError):  # the client may give up at any time, or be killed
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.status != 304:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing: the service keeps its own list."""
