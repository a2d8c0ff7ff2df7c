"""What hosts on loopback say in tests: answers by script, feeds, and rows of Hugging Face."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from email.utils import format_datetime
from typing import Any
from xml.sax.saxutils import escape

from digest.testing.http_host import CannedResponse, HostRequest, ResponseMaker

# --- answers --------------------------------------------------------------------------------------


def answer_after(step: Callable[[], object], says: CannedResponse) -> ResponseMaker:
    """Something to be done, or waited for, before an answer."""

    def script(_: HostRequest) -> CannedResponse:
        step()
        return says

    return script


def answer_unless_cached(body: bytes, headers: Mapping[str, str]) -> ResponseMaker:
    """What is not sent again to who has it already, by its ``ETag`` or ``Last-Modified`` if it has one."""

    def script(asked: HostRequest) -> CannedResponse:
        known_values = {asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")}
        status = 304 if known_values & set(headers.values()) else 200
        return CannedResponse(body if status == 200 else b"", status, headers)

    return script


def redirect_to(to: str, status: int = 301) -> CannedResponse:
    """A redirect, for good or for a time."""
    return CannedResponse(b"", status, {"Location": to})


# --- bodies ---------------------------------------------------------------------------------------


def make_entry(title: str, link: str, dated: datetime | None = None, *, more: str = "") -> str:
    """An entry of a feed.

    Args:
        title: plain.
        link: its page; also what it is known by.
        dated: when it says that it was published.
        more: further elements.
    """
    day = f"<pubDate>{format_datetime(dated)}</pubDate>" if dated else ""
    return f"<item><title>{escape(title)}</title><link>{escape(link)}</link>{day}{more}</item>"


def make_rss(*entries: str, head: str = "") -> bytes:
    """A feed; ``head`` is what it says of itself besides."""
    channel = f"<title>A blog</title><link>https://blog.example.org/</link>{head}{''.join(entries)}"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{channel}</channel></rss>'.encode()


def make_daily_paper(
    paper: str, day: date, *, title: str = "", votes: int = 1, **more: Any
) -> dict[str, Any]:
    """A row of Hugging Face's daily papers.

    Args:
        paper: its number on arXiv.
        day: on which it was put on the list.
        title: its title.
        votes: of readers.
        more: further fields of the paper.
    """
    known_values = {
        "id": paper,
        "title": title or f"The paper {paper}",
        "summary": "What it is about.",
        "authors": [{"name": "Ada Lovelace", "hidden": False}],
        "submittedOnDailyAt": f"{day}T09:30:00.000Z",
        "upvotes": votes,
    }
    return {"paper": known_values | more, "numComments": 2}


def serve_daily_papers(rows: Iterable[Mapping[str, Any]]) -> ResponseMaker:
    """The list of Hugging Face: by date, week or month, a page at a time."""
    there = list(rows)

    def script(asked: HostRequest) -> CannedResponse:
        mine = [row for row in there if _is_of(row, asked.query)]
        page, limit = int(asked.query.get("p", 0)), int(asked.query.get("limit", 50))
        return CannedResponse(json.dumps(mine[page * limit : (page + 1) * limit]).encode())

    return script


def _is_of(row: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    day = date.fromisoformat(row["paper"]["submittedOnDailyAt"][:10])
    year, week, _ = day.isocalendar()
    names = {"date": f"{day}", "week": f"{year}-W{week:02}", "month": f"{day:%Y-%m}"}
    return all(query[name] == names[name] for name in names.keys() & query.keys())
