"""Feeds of editions of each kind, and what real readers make of feeds."""

from __future__ import annotations

import io
import re
import sqlite3
import subprocess
import tempfile
from calendar import timegm
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import feedparser

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.environment import make_environment
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import FEED_FORMATS, FeedDocument, FeedLinks
from digest.render.publishing.public_feed import PublicFeedContent, make_public_feed
from tests.render.samples import NOW, SITE
from tests.support.timeouts import PATIENCE
from tests.system.programs.feed_rules import Document
from tests.system.programs.installed import require_program
from tests.system.samples.mails import HOSTILE, make_editions, make_hostile_edition

HOST = "https://digest.example.org/feeds/MQ.c2lnbmF0dXJl"


def make_channels() -> dict[str, FeedDocument]:
    """A feed of an edition of each kind, for ordinary people; and an empty one, and one that is a mere file."""
    feed_documents = {name: _make_channel(SITE, name, edition) for name, edition in make_editions().items()}
    feed_documents |= {
        f"{name}, by edition": _make_channel(SITE, name, edition, by_edition=True)
        for name, edition in make_editions().items()
    }
    feed_documents["an archive"] = replace(
        feed_documents["of every kind"],
        links=FeedLinks(
            self=f"{HOST}/2/x.xml", current=f"{HOST}/x.xml", older=f"{HOST}/1/x.xml", newer=f"{HOST}/3/x.xml"
        ),
    )
    entries = [
        (item, NOW - timedelta(seconds=place))
        for place, item in enumerate(make_editions()["of every kind"].items)
    ]
    for name, papers in (("public", entries), ("public, nothing yet", [])):
        opened = PublicFeedContent(branding=SITE, sort="category", name="cs.DC", title="cs.DC", papers=papers)
        feed_documents[name] = make_public_feed(
            make_environment(), opened, FeedLinks(self=f"{HOST}/{len(papers)}.xml")
        )
    feed_documents["nothing yet"] = _make_channel(SITE, "nothing yet")
    feed_documents["without a site"] = _make_channel(
        replace(SITE, url=""), "", make_editions()["of every kind"]
    )
    return feed_documents


def make_hostile_channels() -> dict[str, FeedDocument]:
    """Feeds in which somebody means harm."""
    results = {}
    for number, text in enumerate(HOSTILE, start=1):
        edition, masthead = make_hostile_edition(text)
        results[f"hostile {number}"] = _make_channel(masthead, f"hostile {number}", edition)
    return results


def _make_channel(
    masthead: Branding, name: str, *editions: Edition, by_edition: bool = False
) -> FeedDocument:
    title = editions[0].title if editions else "LLM systems"
    feed = DigestFeed(
        branding=masthead, digest="llm-systems", title=title, editions=editions, by_edition=by_edition
    )
    url = f"{HOST}/{re.sub(r'[^a-z0-9]', '-', name.lower())}.xml" if masthead.url else ""
    return make_digest_feed(make_environment(), feed, FeedLinks(self=url))


def render_documents(channel: FeedDocument) -> Iterator[Document]:
    """A feed in each form."""
    environment = make_environment()
    for form, how in FEED_FORMATS.items():
        body = how.render(environment, channel)
        yield Document(form=form, body=body, url=channel.links.self, media_type=how.media_type)


def render_document(channel: FeedDocument, form: str) -> Document:
    """A feed in one form."""
    return next(document for document in render_documents(channel) if document.form == form)


# --- readers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An entry as a reader's program keeps it."""

    id: str
    title: str
    link: str
    authors: str
    at: datetime
    content: str


def read_by_feedparser(body: bytes) -> list[FeedEntry]:
    """What feedparser reads."""
    result = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    assert not result.bozo, result.bozo_exception
    return [
        FeedEntry(
            id=entry.id,
            title=entry.title,
            link=entry.get("link", ""),
            authors=", ".join(author.name for author in entry.get("authors", ())),
            at=datetime.fromtimestamp(timegm(entry.published_parsed), UTC),
            content=entry.content[0].value,
        )
        for entry in result.entries
    ]


def read_by_newsboat(body: bytes) -> list[FeedEntry]:
    """What newsboat keeps of a feed."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "feed.xml").write_bytes(body)
        (folder / "urls").write_text((folder / "feed.xml").as_uri(), encoding="utf-8")
        (folder / "config").touch()
        arguments = ["-C", f"{home}/config", "-u", f"{home}/urls", "-c", f"{home}/cache.db", "-x", "reload"]
        run = [require_program("newsboat"), *arguments]
        subprocess.run(run, check=True, capture_output=True, timeout=PATIENCE, env={"HOME": home})
        with closing(sqlite3.connect(folder / "cache.db")) as store:
            rows = store.execute(
                "SELECT guid, title, url, author, pubDate, content FROM rss_item ORDER BY pubDate DESC"
            ).fetchall()
    return [
        FeedEntry(
            id=guid,
            title=title,
            link=link,
            authors=author,
            at=datetime.fromtimestamp(at, UTC),
            content=content.strip(),
        )
        for guid, title, link, author, at, content in rows
    ]


_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


def read_by_sfeed(body: bytes) -> list[FeedEntry]:
    """What sfeed makes of a feed: sfeed(5)."""
    process = subprocess.run(
        [require_program("sfeed")], input=body, capture_output=True, check=True, timeout=PATIENCE
    )
    results = []
    for line in process.stdout.decode("utf-8").split("\n"):
        if not line:
            continue
        at, title, link, content, _, number, author, *_ = line.split("\t")
        text = re.sub(r"\\[nt\\]", lambda sign: _ESCAPES[sign[0]], content)
        results.append(
            FeedEntry(
                id=number,
                title=title,
                link=link,
                authors=author,
                at=datetime.fromtimestamp(int(at), UTC),
                content=text,
            )
        )
    return results
