"""Feeds as they are kept, byte by byte: what changes in them is seen, and meant.

``python -m tests.render.golden_feeds`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from digest.render.environment import make_environment
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import FEED_FORMATS, FeedDocument, FeedLinks
from digest.render.publishing.opml import OpmlFeed, render_opml
from digest.render.publishing.public_feed import PublicFeedContent, make_public_feed
from tests.render.samples import (
    NOW,
    SITE,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
)

GOLDEN = Path(__file__).parent / "data" / "feeds"
SITE_URL = "https://digest.example.org"
TOKEN = "1.abc"


def render_documents() -> Iterator[tuple[str, bytes]]:
    """Each kind of document in each form, by its file's name."""
    environment = make_environment()
    for name, channel in _make_channels().items():
        for ending, form in FEED_FORMATS.items():
            links = FeedLinks(*(link.replace("FORM", ending) for link in channel.links))
            yield f"{name}.{ending}", form.render(environment, replace(channel, links=links))
    feeds = [OpmlFeed("Systems lab digest: llm-systems", f"{SITE_URL}/feeds/{TOKEN}/llm-systems.atom")]
    yield "list.opml", render_opml(environment, SITE, feeds)


def _make_channels() -> dict[str, FeedDocument]:
    environment = make_environment()
    where = f"{SITE_URL}/feeds/{TOKEN}"
    own = f"{where}/llm-systems.FORM"
    older = replace(
        make_edition_of_three_parts(overflow=(make_item(9),), dropped=2), id=2, composed_at=NOW - timedelta(1)
    )
    entries = (replace(make_edition_of_every_kind(), period="2026-06-13T07:30"), older)
    pages = {edition.id: f"{SITE_URL}/editions/{edition.id}.abc" for edition in entries}
    feed = DigestFeed(branding=SITE, digest="llm-systems", title="llm-systems", editions=entries, pages=pages)
    newest, archive = FeedLinks(own, older=f"{where}/2/llm-systems.FORM"), f"{where}/1/llm-systems.FORM"
    dated = [
        (item, NOW - timedelta(seconds=place))
        for place, item in enumerate(make_edition(make_item(1), make_item(2)).items)
    ]
    opened = PublicFeedContent(branding=SITE, sort="category", name="cs.DC", title="cs.DC", papers=dated)
    return {
        "papers": make_digest_feed(environment, feed, newest),
        "editions": make_digest_feed(environment, replace(feed, by_edition=True), newest),
        "archive": make_digest_feed(
            environment, replace(feed, editions=entries[1:]), FeedLinks(archive, own)
        ),
        "empty": make_digest_feed(environment, replace(feed, editions=()), FeedLinks(own)),
        "public": make_public_feed(
            environment, opened, FeedLinks(f"{SITE_URL}/feeds/public/category/cs.DC.FORM")
        ),
    }


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file in GOLDEN.iterdir():
        file.unlink()
    for name, body in render_documents():
        (GOLDEN / name).write_bytes(body)
