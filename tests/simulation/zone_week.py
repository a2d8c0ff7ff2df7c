"""Days of readers in many time zones: what is announced, who reads what, and when each zone's editions are due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

from sqlalchemy import insert, select

from digest.demo.publisher import NEW_YORK, AnnouncedPaper
from digest.store.database.engine import open_store
from digest.store.database.tables.digests import destinations, digests, follows, subscribers
from digest.store.matching import matches
from tests.simulation.many_digests import SECTIONS, WORDS

ZONES = (
    *("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Pacific/Auckland", "Australia/Sydney"),
    *("Asia/Tokyo", "Asia/Kolkata", "Asia/Dubai", "Africa/Nairobi", "Europe/London"),
    *("America/Sao_Paulo", "America/Los_Angeles"),
)
"""In none of them is an edition due within a quarter of an hour of a feed's midnight in New York."""
MONDAY = date(2026, 5, 4)
BEGINNING = datetime(2026, 5, 4, 3, 45, tzinfo=UTC)
"""When the readers come: a quarter of an hour before the first feed, and in no zone is an edition due meanwhile."""
DUE = time(7, 30)
PAPERS_A_DAY = 24
_CONFIG = """\
[site]
title = "Lab digest"
url = "https://digest.example.org"

[store]
url = "{store}"

[output]
folder = "out"

[delivery]
unusual = 0

[[source]]
use = "arxiv"
routes = ["rss"]
categories = [{sections}]
url = "{url}/rss/"
pace = 0

[smtp]
host = "{host}"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
connections = {connections}
"""
_DIGEST = """
[[digest]]
name = "zone-{number}"
to = ["zone-{number}@example.org"]
schedule = "daily {due:%H:%M}"
timezone = "{zone}"
keywords = ["serving", "storage"]
limit = 25
feed = true
"""


@dataclass(frozen=True, slots=True)
class Servers:
    """Addresses of what machines use.

    Attributes:
        store: the address of the database.
        source: the address of the source.
        mail_host: the address of the mail server.
        mail_port: its port.
    """

    store: str
    source: str
    mail_host: str
    mail_port: int


def make_week_config(servers: Servers, zones: Sequence[str], connections: int) -> str:
    """Make the configuration, with one digest for each zone.

    Args:
        servers: what machines use.
        zones: the zones.
        connections: the limit of all connections to the mail server.
    """
    head = _CONFIG.format(
        store=servers.store,
        sections=", ".join(f'"{section}"' for section in SECTIONS),
        url=servers.source,
        host=servers.mail_host,
        port=servers.mail_port,
        connections=connections,
    )
    parts = [_DIGEST.format(number=number, zone=zone, due=DUE) for number, zone in enumerate(zones)]
    return head + "".join(parts)


def add_zone_readers(url: str, count: int) -> None:
    """Add readers with a digest each, evenly to all zones, as if they had made them on the site.

    Args:
        url: the address of a database to which the configuration was applied.
        count: the number of all readers, those of the file included.
    """
    pairs = list(combinations(WORDS, 2))
    store = open_store(url, BEGINNING)
    try:
        with store.begin_planning() as tx:
            numbers = matches.require_queries(tx, dict.fromkeys(WORDS, 0))
            models = [row._asdict() for row in tx.execute(select(digests).order_by(digests.c.name))]
            first = max(model["id"] for model in models) + 1
            ids = range(first, first + count - len(models))
            own = {"made_by": "web", "name": "papers", "title": "New papers", "feed": False}
            address = "{}@example.org".format
            tx.execute(insert(subscribers), [{"id": one, "address": address(one)} for one in ids])
            tx.execute(
                insert(digests),
                [models[one % len(models)] | own | {"id": one, "subscriber_id": one} for one in ids],
            )
            tx.execute(
                insert(destinations),
                [
                    {
                        "digest_id": one,
                        "channel": "smtp",
                        "address": address(one),
                        "mailbox": address(one),
                        "domain": "example.org",
                        "state": "active",
                    }
                    for one in ids
                ],
            )
            tx.execute(
                insert(follows),
                [
                    {
                        "digest_id": one,
                        "query_id": numbers[word],
                        "text": word,
                        "weight": 1.0,
                        "exclude": False,
                        "started_seq": 0,
                    }
                    for one in ids
                    for word in pairs[one // len(models) % len(pairs)]
                ],
            )
    finally:
        store.close()


def make_week_papers(days: int) -> list[AnnouncedPaper]:
    """Make the papers of so many days from Monday; nothing is announced on weekends."""
    return [
        AnnouncedPaper(
            id=f"{day:%y%m}.{day.day:02}{number:03}",
            title=f"On {WORDS[number % 6]} and {WORDS[number // 6 % 6]}, part {number}",
            day=day,
            authors=("Ada Lovelace",),
            categories=(SECTIONS[number % 3], SECTIONS[number // 3 % 3]),
        )
        for day in _list_days(days)
        if day.weekday() < 5
        for number in range(PAPERS_A_DAY)
    ]


def get_feed_day(now: datetime) -> date:
    """Return the day that feeds have."""
    return now.astimezone(NEW_YORK).date()


def list_due_times(zones: Sequence[str], days: int) -> list[datetime]:
    """Return when editions are due in some zone, on so many days from the beginning."""
    due_times = {
        datetime.combine(day, DUE, ZoneInfo(zone)).astimezone(UTC)
        for zone in zones
        for day in _list_days(days + 2)
    }
    return sorted(instant for instant in due_times if BEGINNING < instant < BEGINNING + timedelta(days=days))


def _list_days(count: int) -> Iterator[date]:
    return (MONDAY + timedelta(days=ahead) for ahead in range(count))
