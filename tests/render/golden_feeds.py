"""Feeds as they are kept, byte by byte: what changes in them is seen, and meant.

``python -m tests.render.golden_feeds`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from digest.render.environment import make_environment
from digest.render.publishing.digest_feed import Feed, digest_channel
from digest.render.publishing.feeds import FORMS, Channel, Links
from digest.render.publishing.opml import Listed, opml
from digest.render.publishing.public_feed import Opened, public_channel
from tests.render.samples import NOW, SITE, edition, every_kind, item, three_parts

GOLDEN = Path(__file__).parent / "data" / "feeds"
SITE_URL = "https://digest.example.org"
TOKEN = "1.abc"


def documents() -> Iterator[tuple[str, bytes]]:
    """Each kind of document in each form, by its file's name."""
    environment = make_environment()
    for name, channel in _channels().items():
        for ending, form in FORMS.items():
            links = Links(*(one.replace("FORM", ending) for one in channel.links))
            yield f"{name}.{ending}", form.render(environment, replace(channel, links=links))
    feeds = [Listed("Systems lab digest: llm-systems", f"{SITE_URL}/feeds/{TOKEN}/llm-systems.atom")]
    yield "list.opml", opml(environment, SITE, feeds)


def _channels() -> dict[str, Channel]:
    environment = make_environment()
    where = f"{SITE_URL}/feeds/{TOKEN}"
    own = f"{where}/llm-systems.FORM"
    older = replace(three_parts(rest=(item(9),), dropped=2), id=2, composed_at=NOW - timedelta(1))
    told = (replace(every_kind(), period="2026-06-13T07:30"), older)
    pages = {one.id: f"{SITE_URL}/editions/{one.id}.abc" for one in told}
    feed = Feed(masthead=SITE, digest="llm-systems", title="llm-systems", editions=told, pages=pages)
    newest, archive = Links(own, older=f"{where}/2/llm-systems.FORM"), f"{where}/1/llm-systems.FORM"
    dated = [
        (one, NOW - timedelta(seconds=place)) for place, one in enumerate(edition(item(1), item(2)).items)
    ]
    opened = Opened(masthead=SITE, sort="category", name="cs.DC", title="cs.DC", papers=dated)
    return {
        "papers": digest_channel(environment, feed, newest),
        "editions": digest_channel(environment, replace(feed, by_edition=True), newest),
        "archive": digest_channel(environment, replace(feed, editions=told[1:]), Links(archive, own)),
        "empty": digest_channel(environment, replace(feed, editions=()), Links(own)),
        "public": public_channel(environment, opened, Links(f"{SITE_URL}/feeds/public/category/cs.DC.FORM")),
    }


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file in GOLDEN.iterdir():
        file.unlink()
    for name, body in documents():
        (GOLDEN / name).write_bytes(body)
