"""The recorded feeds of real days go through a whole cycle."""

from __future__ import annotations

import email
import email.policy
import re
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select

from digest.demo.publisher import Publisher, replace_body
from digest.store.database.engine import open_store
from digest.store.database.tables.papers import events, listings, papers
from digest.testing.mail_server import MailServer
from tests.support.workspace import Workspace

NEW_YORK = ZoneInfo("America/New_York")
ARXIV = "{http://arxiv.org/schemas/atom}"
DAYS = {
    "2025-09-10": ["cs.CL", "cs.CV"],
    "2025-09-11": ["cs.CL", "cs.SD"],
    "2025-10-07": ["cs.RO", "eess.IV"],
    "2026-03-05": ["astro-ph", "hep-ph"],
    "2026-03-10": ["cs.AI", "cs.LG"],
    "2026-03-17": ["cs"],
    "2026-04-13": ["cs.DC", "cs.LG"],
    "2026-04-22": ["cs.CV", "cs.DC"],
    "2026-05-12": ["cs.DB", "cs.LG"],
    "2026-06-12": ["cs.SE"],
}
FURTHER = {"2025-09-10", "2026-03-10", "2026-04-13", "2026-04-22", "2026-05-12"}
"""Days that bring no kind of announcement that the others do not bring, and take most of the time."""
CONFIG = """
    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = {sections}
    url = "{url}/rss/"
    pace = 0

    [smtp]
    host = "127.0.0.1"
    port = {port}
    security = "none"
    from = "digest@example.org"

    [[digest]]
    name = "all"
    to = ["me@example.org"]
    schedule = "daily 06:00"
    timezone = "America/New_York"
    keywords = ["large language model", "galaxy", "benchmark", "diffusion"]
    kinds = ["new", "version"]
    limit = 20
"""


def recorded(data: Path, day: str, section: str) -> bytes:
    return (data / "arxiv" / "rss_rendered" / f"{day}_rss_{section}.xml").read_bytes()


def entries(feed: bytes) -> list[tuple[str, int, str]]:
    """Id, version and announce type of each item, by the standard library alone."""
    results = []
    for item in ET.fromstring(feed).iter("item"):
        number, version = re.fullmatch(r"oai:arXiv\.org:(.+)v(\d+)", item.findtext("guid", "")).groups()  # type: ignore[union-attr]
        results.append((number, int(version), item.findtext(f"{ARXIV}announce_type", "")))
    return results


@pytest.mark.parametrize(
    "day", [pytest.param(day, marks=pytest.mark.long if day in FURTHER else ()) for day in DAYS]
)
def test_each_entry_is_a_listing_each_paper_is_one_and_the_mail_arrives_once(
    data: Path, tmp_path: Path, mail_server: MailServer, day: str
) -> None:
    sections = DAYS[day]
    feeds = {section: recorded(data, day, section) for section in sections}
    printed = {section: entries(feed) for section, feed in feeds.items()}
    workspace, now = Workspace(tmp_path), datetime.combine(date.fromisoformat(day), time(6, 1), NEW_YORK)
    with Publisher([], day=now.date(), sections=sections) as publisher:
        publisher.faults = {
            section: replace_body(feed, "application/rss+xml") for section, feed in feeds.items()
        }
        workspace.write(CONFIG.format(sections=sections, url=publisher.url, port=mail_server.port))
        workspace.run("run", now=now)
        workspace.run("run", now=now.replace(hour=7))

    store = open_store(f"sqlite:///{tmp_path / 'digest.db'}", now)
    with store.begin_read() as tx:
        kinds = Counter(tx.execute(select(listings.c.kind)).scalars())
        known_values = set(tx.execute(select(papers.c.key)).scalars())
        rows = tx.execute(select(events.c.kind, func.count()).group_by(events.c.kind)).all()
    store.close()
    all_values = [entry for values in printed.values() for entry in values]
    assert kinds == Counter(kind for _, _, kind in all_values)
    assert known_values == {f"arxiv:{number}" for number, _, _ in all_values}
    assert dict(map(tuple, rows)) == {
        kind: count
        for kind, count in {
            "new": len({number for number, _, kind in all_values if not kind.startswith("replace")}),
            "version": len(
                {(number, version) for number, version, kind in all_values if kind.startswith("replace")}
            ),
        }.items()
        if count
    }
    (mail,) = mail_server.received
    message = email.message_from_bytes(mail.content, policy=email.policy.default)
    text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    (edition,) = workspace.run("editions", "--json").json
    document = workspace.run("editions", str(edition["id"]), "--json").json
    assert document["items"]
    for item in document["items"]:
        assert any(reason["evidence"] for reason in item["reasons"])
        assert item["paper"]["url"] in text


def test_the_weekend_feed_and_the_400_feed_are_handled_and_said(data: Path, tmp_path: Path) -> None:
    weekend = recorded(data, "2026-04-18", "cs.LG")
    error = recorded(data, "2026-04-14", "nosuch")
    workspace, saturday = Workspace(tmp_path), datetime(2026, 4, 18, 6, 1, tzinfo=NEW_YORK)
    with Publisher([], day=saturday.date(), sections=["cs.LG", "cs.DC"]) as publisher:
        publisher.faults = {
            "cs.LG": replace_body(weekend, "application/rss+xml"),
            "cs.DC": replace_body(error, "application/rss+xml"),
        }
        workspace.write(CONFIG.format(sections=["cs.LG", "cs.DC"], url=publisher.url, port=9))
        ran = workspace.run("pull", now=saturday, status=1)

    assert "arXiv cs.LG: nothing announced for Sat 18 Apr" in ran.output
    assert "arXiv cs.DC: failed" in ran.output
    assert "Bad archive 'nosuch'" in ran.output
