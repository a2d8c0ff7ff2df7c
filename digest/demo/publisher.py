"""A loopback server that announces papers as rss.arxiv.org does.

It follows arXiv's description of its feeds (https://info.arxiv.org/help/rss.html) and recorded answers, and
shares no code with the sources, so that it can test them. Tests can inject faults.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Self
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")
ARCHIVES = (
    *("astro-ph", "cond-mat", "cs", "econ", "eess", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math"),
    *("math-ph", "nlin", "nucl-ex", "nucl-th", "physics", "q-bio", "q-fin", "quant-ph", "stat", "test"),
)
KINDS = ("new", "cross", "replace", "replace-cross")


# --- announcements --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedPaper:
    """A paper and the day on which it is announced.

    Attributes:
        id: the arXiv ID, without a version.
        day: the date in New York.
        version: a version above 1 is a replacement.
        kind: the announce type in every section; "" to derive it from version and primary category.
        license_url: the address of its licence; "" if it is unknown.
    """

    id: str
    title: str
    day: date
    version: int = 1
    abstract: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kind: str = ""
    doi: str = ""
    journal: str = ""
    license_url: str = ""

    def is_listed_in(self, section: str) -> bool:
        """Whether it is listed in a category or archive."""
        return any(section in (category, category.partition(".")[0]) for category in self.categories)

    def get_kind(self, section: str) -> str:
        """Return the announce type in a section; ``new`` is possible only in the section of the primary category."""
        primary = section in (self.categories[0], self.categories[0].partition(".")[0])
        return self.kind or KINDS[2 * (self.version > 1) + (not primary)]


def read_papers(rows: Iterable[Mapping[str, Any]]) -> Iterator[AnnouncedPaper]:
    """Read papers from rows in the format of the demo's listings.

    Args:
        rows: mappings with ``id``, ``title``, ``authors``, ``categories`` and ``announced``, and optionally
            ``abstract``, ``version``, ``kind``, ``doi``, ``journal`` and ``license``, an address.
    """
    for row in rows:
        yield AnnouncedPaper(
            id=row["id"],
            title=row["title"],
            day=date.fromisoformat(row["announced"]),
            version=row.get("version", 1),
            abstract=row.get("abstract", ""),
            authors=tuple(row["authors"]),
            categories=tuple(row["categories"]),
            kind=row.get("kind", ""),
            doi=row.get("doi", ""),
            journal=row.get("journal", ""),
            license_url=row.get("license", ""),
        )


def load_shipped_papers() -> list[AnnouncedPaper]:
    """Load the listings that ship with the project: three consecutive announcement days, see LICENSES.md."""
    lines = (files("digest.demo") / "listings.jsonl").read_text("utf-8").splitlines()
    return list(read_papers(map(json.loads, lines)))


# --- feeds ----------------------------------------------------------------------------------------

_RSS = """\
<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" version="2.0">
  <channel>
    <title>{title}</title>
    <link>{link}</link>
    <description>{description}</description>
    <atom:link href="{link}" rel="self" type="application/rss+xml"/>
    <docs>http://www.rssboard.org/rss-specification</docs>
    <language>en-us</language>
    <lastBuildDate>{built}</lastBuildDate>
    <managingEditor>{editor}</managingEditor>
    <pubDate>{midnight}</pubDate>
{head}{items}  </channel>
</rss>
"""
_SKIP_DAYS = """\
    <skipDays>
      <day>Saturday</day>
      <day>Sunday</day>
    </skipDays>
"""
_ITEM = """\
    <item>
      <title>{title}</title>
      <link>https://arxiv.org/abs/{id}</link>
      <description>{head}</description>
      <guid isPermaLink="false">oai:arXiv.org:{id}v{version}</guid>
{categories}      <pubDate>{midnight}</pubDate>
      <arxiv:announce_type>{kind}</arxiv:announce_type>
{extra}      <dc:creator>{authors}</dc:creator>
    </item>
"""
_ATOM = """\
<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns="http://www.w3.org/2005/Atom" xml:lang="en-us">
  <id>{link}</id>
  <title>{title}</title>
  <updated>{built}</updated>
  <link href="{link}" rel="self" type="application/atom+xml"/>
  <subtitle>{description}</subtitle>
{items}</feed>
"""
_ENTRY = """\
  <entry>
    <id>oai:arXiv.org:{id}v{version}</id>
    <title>{title}</title>
    <updated>{built}</updated>
    <link href="https://arxiv.org/abs/{id}" rel="alternate" type="text/html"/>
    <summary>{head}</summary>
{categories}    <published>{midnight}</published>
    <arxiv:announce_type>{kind}</arxiv:announce_type>
{extra}    <dc:creator>{authors}</dc:creator>
  </entry>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _FeedLayout:
    """The syntax of one of the two feed formats."""

    feed: str
    head: str
    item: str
    category: str
    indent: str
    format_instant: Callable[[datetime], str]
    media_type: str


_LAYOUTS = {
    "rss": _FeedLayout(
        feed=_RSS,
        head=_SKIP_DAYS,
        item=_ITEM,
        category="      <category>{}</category>\n",
        indent="      ",
        format_instant=format_datetime,
        media_type="application/rss+xml",
    ),
    "atom": _FeedLayout(
        feed=_ATOM,
        head="",
        item=_ENTRY,
        category='    <category term="{}"/>\n',
        indent="    ",
        format_instant=datetime.isoformat,
        media_type="application/atom+xml",
    ),
}


def _render_feed(
    layout: _FeedLayout, channel: Mapping[str, str], day: date, rows: Sequence[tuple[str, AnnouncedPaper]]
) -> bytes:
    """Render a feed of announce types and papers in the layout of arXiv's server."""
    midnight = datetime.combine(day, time(), NEW_YORK)
    date_texts = {
        "midnight": layout.format_instant(midnight),
        "built": layout.format_instant(midnight.astimezone(UTC).replace(second=8)),
    }
    items = "".join(_render_item(layout, kind, paper, date_texts) for kind, paper in rows)
    channel_texts = {name: escape(text) for name, text in channel.items()}
    return layout.feed.format(head=layout.head, items=items, **channel_texts, **date_texts).encode()


def _render_item(layout: _FeedLayout, kind: str, paper: AnnouncedPaper, date_texts: dict[str, str]) -> str:
    description = f"arXiv:{paper.id}v{paper.version} Announce Type: {kind} \nAbstract: {paper.abstract}"
    extra_elements = {
        "dc:rights": paper.license_url,
        "arxiv:DOI": paper.doi,
        "arxiv:journal_reference": paper.journal,
    }
    return layout.item.format(
        id=paper.id,
        version=paper.version,
        kind=kind,
        title=escape(paper.title),
        head=escape(description),
        categories="".join(layout.category.format(escape(name)) for name in paper.categories),
        extra="".join(
            f"{layout.indent}<{name}>{escape(value)}</{name}>\n"
            for name, value in extra_elements.items()
            if value
        ),
        authors=escape(", ".join(paper.authors)),
        **date_texts,
    )


# --- faults ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WireResponse:
    """A response as it is sent.

    Attributes:
        length: the announced Content-Length; if the body is shorter, the rest is never sent.
        drip: seconds between two bytes of the body; 0 sends it at once.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    length: int
    drip: float = 0.0


FaultInjector = Callable[[WireResponse], WireResponse | None]
"""Turns a correct response into a wrong one; None closes the connection without a response."""


def drop_connection(_response: WireResponse) -> None:
    """Close the connection without a response."""


def return_error(status: int, *, retry_after: str = "") -> FaultInjector:
    """Return an error status with a plain body."""
    headers = (("Retry-After", retry_after),) if retry_after else ()
    body = f"error {status}\n".encode()
    response = WireResponse(
        status=status, headers=(*headers, ("Content-Type", "text/plain")), body=body, length=len(body)
    )
    return lambda _response: response


def replace_body(body: bytes, media_type: str = "text/html") -> FaultInjector:
    """Return another body with status 200, like the page of a proxy or captive portal."""
    response = WireResponse(status=200, headers=(("Content-Type", media_type),), body=body, length=len(body))
    return lambda _response: response


def truncate_body(response: WireResponse) -> WireResponse:
    """Return the first half of the feed as if it were complete."""
    half_body = response.body[: len(response.body) // 2]
    return replace(response, body=half_body, length=len(half_body))


def cut_off(response: WireResponse) -> WireResponse:
    """Close the connection after half of the body."""
    return replace(response, body=response.body[: len(response.body) // 2])


def send_slowly(seconds: float) -> FaultInjector:
    """Send the body byte by byte, with a pause after each byte."""
    return lambda response: replace(response, drip=seconds)


# --- server ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """A received request; header names are in lower case."""

    path: str
    headers: Mapping[str, str]


class Publisher(AbstractContextManager["Publisher"]):
    """Publishes the announcements of one day over HTTP within the ``with`` block.

    Attributes:
        day: the current day in New York; feeds have only what was announced on it.
        stale_days: the days that the feeds of sections are stuck at, by section.
        faults: injected faults by section, in force until they are removed.
        requests: the requests, in order of arrival.
        closing: set when the server stops.
    """

    def __init__(
        self,
        papers: Iterable[AnnouncedPaper],
        *,
        day: date,
        sections: Iterable[str] = (),
        limit: int = 2000,
        host: str = "127.0.0.1",
    ) -> None:
        """Prepare the server with the papers of all days.

        Args:
            papers: the papers, in any order.
            day: the first value of ``day``.
            sections: categories that exist without papers.
            limit: the maximum number of items in a feed; beyond it the new papers with the lowest IDs are
                left out first.
            host: the address at which it listens.
        """
        self.day = day
        self.stale_days: dict[str, date] = {}
        self.faults: dict[str, FaultInjector] = {}
        self.requests: list[ReceivedRequest] = []
        self.closing = threading.Event()
        self._papers = sorted(papers, key=lambda paper: paper.id)
        self._limit = limit
        section_names = {*ARCHIVES, *sections}.union(*(paper.categories for paper in self._papers))
        self._section_names = {name.lower(): name for name in section_names}
        self._host = host
        self._server = _PublisherServer(self, host)
        # A daemon thread does not delay the exit of the process at a second Ctrl-C.
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        """The address that replaces ``https://rss.arxiv.org``."""
        return f"http://{self._host}:{self._server.server_port}"

    def __enter__(self) -> Self:
        """Start to serve."""
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        """End all responses and release the port."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def make_response(self, path: str) -> WireResponse | None:
        """Return the response for a path, with injected faults; None to close the connection."""
        _, route, requested_section = [*path.split("/"), "", ""][:3]
        section = self._section_names.get(requested_section.lower(), "")
        response = self._make_feed_response(route, requested_section, section)
        fault = self.faults.get(section)
        return fault(response) if fault else response

    def _make_feed_response(self, route: str, requested_section: str, section: str) -> WireResponse:
        """Return the response for a feed without faults."""
        layout = _LAYOUTS.get(route)
        if layout is None:
            return WireResponse(status=404, headers=(("Content-Type", "text/plain"),), body=b"", length=0)
        day = self.stale_days.get(section, self.day)
        link = f"http://rss.arxiv.org/{route}/{requested_section}"
        if section:
            channel = {
                "title": f"{section} updates on arXiv.org",
                "link": link,
                "description": f"{section} updates on the arXiv.org e-print archive.",
                "editor": "rss-help@arxiv.org",
            }
        else:
            layout = replace(layout, head="")
            channel = {
                "title": f"Feed error for query: {link}",
                "link": link,
                "description": f"Bad archive '{requested_section}'. Valid archive names are: {', '.join(ARCHIVES)}.",
                "editor": "rss-help.arxiv.org",
            }
        body = _render_feed(layout, channel, day, self._select_rows(section, day))
        return WireResponse(
            status=200 if section else 400,
            headers=(
                ("Content-Type", layout.media_type),
                ("ETag", hashlib.sha256(body).hexdigest()),
                ("Cache-Control", "max-age=86392"),
            ),
            body=body,
            length=len(body),
        )

    def _select_rows(self, section: str, day: date) -> list[tuple[str, AnnouncedPaper]]:
        """Return announce types and papers in the printed order: by type, then by ascending ID."""
        rows = [
            (paper.get_kind(section), paper)
            for paper in self._papers
            if paper.day == day and paper.version < 6 and paper.is_listed_in(section)
        ]
        rows.sort(key=lambda row: KINDS.index(row[0]))
        return rows[-self._limit :]


class _PublisherServer(ThreadingHTTPServer):
    """A server with one thread per request; all of them have ended when ``server_close`` returns."""

    daemon_threads = False

    def __init__(self, publisher: Publisher, host: str) -> None:
        super().__init__((host, 0), _PublisherHandler)
        self.publisher = publisher


class _PublisherHandler(BaseHTTPRequestHandler):
    server: _PublisherServer
    timeout = 10

    def do_GET(self) -> None:
        """Record the request and send the publisher's response."""
        publisher = self.server.publisher
        headers = {name.lower(): value for name, value in self.headers.items()}
        publisher.requests.append(ReceivedRequest(path=self.path, headers=headers))
        response = publisher.make_response(self.path)
        if response is None:
            return
        if headers.get("if-none-match", "") == dict(response.headers).get("ETag"):
            response = replace(response, status=HTTPStatus.NOT_MODIFIED, body=b"")
        with suppress(OSError):  # the client may give up at any time
            self._send(response)

    def _send(self, response: WireResponse) -> None:
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        if response.status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(response.length))
        self.end_headers()
        chunk_size = 1 if response.drip else len(response.body) or 1
        for offset in range(0, len(response.body), chunk_size):
            self.wfile.write(response.body[offset : offset + chunk_size])
            if response.drip and self.server.publisher.closing.wait(response.drip):
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 the name is the base class's
        """Log nothing: the publisher has its own list of requests."""
