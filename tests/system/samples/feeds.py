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
from tests.system.programs.installed import demand
from tests.system.samples.mails import HOSTILE, editions, hostile

HOST = "https://digest.example.org/feeds/MQ.c2lnbmF0dXJl"


def channels() -> dict[str, FeedDocument]:
    """A feed of an edition of each kind, for ordinary people; and an empty one, and one that is a mere file."""
    made = {name: _channel(SITE, name, edition) for name, edition in editions().items()}
    made |= {
        f"{name}, by edition": _channel(SITE, name, edition, by_edition=True)
        for name, edition in editions().items()
    }
    made["an archive"] = replace(
        made["of every kind"],
        links=FeedLinks(
            self=f"{HOST}/2/x.xml", current=f"{HOST}/x.xml", older=f"{HOST}/1/x.xml", newer=f"{HOST}/3/x.xml"
        ),
    )
    told = [
        (item, NOW - timedelta(seconds=place)) for place, item in enumerate(editions()["of every kind"].items)
    ]
    for name, papers in (("public", told), ("public, nothing yet", [])):
        opened = PublicFeedContent(branding=SITE, sort="category", name="cs.DC", title="cs.DC", papers=papers)
        made[name] = make_public_feed(make_environment(), opened, FeedLinks(self=f"{HOST}/{len(papers)}.xml"))
    made["nothing yet"] = _channel(SITE, "nothing yet")
    made["without a site"] = _channel(replace(SITE, url=""), "", editions()["of every kind"])
    return made


def hostile_channels() -> dict[str, FeedDocument]:
    """Feeds in which somebody means harm."""
    made = {}
    for number, text in enumerate(HOSTILE, start=1):
        edition, masthead = hostile(text)
        made[f"hostile {number}"] = _channel(masthead, f"hostile {number}", edition)
    return made


def _channel(masthead: Branding, name: str, *told: Edition, by_edition: bool = False) -> FeedDocument:
    title = told[0].title if told else "LLM systems"
    feed = DigestFeed(
        branding=masthead, digest="llm-systems", title=title, editions=told, by_edition=by_edition
    )
    url = f"{HOST}/{re.sub(r'[^a-z0-9]', '-', name.lower())}.xml" if masthead.url else ""
    return make_digest_feed(make_environment(), feed, FeedLinks(self=url))


def documents(channel: FeedDocument) -> Iterator[Document]:
    """A feed in each form."""
    environment = make_environment()
    for form, how in FEED_FORMATS.items():
        body = how.render(environment, channel)
        yield Document(form=form, body=body, url=channel.links.self, media_type=how.media_type)


def document(channel: FeedDocument, form: str) -> Document:
    """A feed in one form."""
    return next(one for one in documents(channel) if one.form == form)


# --- readers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """An entry as a reader's program keeps it."""

    id: str
    title: str
    link: str
    authors: str
    at: datetime
    content: str


def by_feedparser(body: bytes) -> list[Read]:
    """What feedparser reads."""
    found = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    assert not found.bozo, found.bozo_exception
    return [
        Read(
            id=one.id,
            title=one.title,
            link=one.get("link", ""),
            authors=", ".join(author.name for author in one.get("authors", ())),
            at=datetime.fromtimestamp(timegm(one.published_parsed), UTC),
            content=one.content[0].value,
        )
        for one in found.entries
    ]


def by_newsboat(body: bytes) -> list[Read]:
    """What newsboat keeps of a feed."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "feed.xml").write_bytes(body)
        (folder / "urls").write_text((folder / "feed.xml").as_uri(), encoding="utf-8")
        (folder / "config").touch()
        given = ["-C", f"{home}/config", "-u", f"{home}/urls", "-c", f"{home}/cache.db", "-x", "reload"]
        run = [demand("newsboat"), *given]
        subprocess.run(run, check=True, capture_output=True, timeout=PATIENCE, env={"HOME": home})
        with closing(sqlite3.connect(folder / "cache.db")) as store:
            rows = store.execute(
                "SELECT guid, title, url, author, pubDate, content FROM rss_item ORDER BY pubDate DESC"
            ).fetchall()
    return [
        Read(
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


def by_sfeed(body: bytes) -> list[Read]:
    """What sfeed makes of a feed: sfeed(5)."""
    done = subprocess.run([demand("sfeed")], input=body, capture_output=True, check=True, timeout=PATIENCE)
    found = []
    for line in done.stdout.decode("utf-8").split("\n"):
        if not line:
            continue
        at, title, link, content, _, number, author, *_ = line.split("\t")
        written = re.sub(r"\\[nt\\]", lambda sign: _ESCAPES[sign[0]], content)
        found.append(
            Read(
                id=number,
                title=title,
                link=link,
                authors=author,
                at=datetime.fromtimestamp(int(at), UTC),
                content=written,
            )
        )
    return found
