"""Digests that readers make on the site: previews as they type, subscribing 100,000, their page, and a follow that is new.

Previews are of queries drawn from titles, over 30 days of the recorded papers; wanted are 150 ms for 95 of 100. The peer
of subscribing are the same rows, ready made, inserted by the driver alone; that of the page is its template with the
same strings. What a new follow costs the next run is shown beside a run without one, of as many followed queries.
"""

from __future__ import annotations

import gc
import random
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.ingest import NOW, new_store, recorded_day
from benchmarks.measure import DATA, Result, Row, cpu_seconds
from benchmarks.try_query import announce
from benchmarks.web import compare
from digest.config import DigestSettings, FollowSettings, PublicDigestSettings
from digest.core.times.schedule import parse_schedule
from digest.jobs.matching.follow_preview import preview_follow
from digest.jobs.matching.match import EventMatcher
from digest.jobs.subscribers.own_digests import OwnDigestEditor, read_typed_follow
from digest.model import DigestOptions, Listing
from digest.render.branding import Branding
from digest.render.locale_bundle import make_locale_bundle
from digest.render.publishing.account_pages import own_digest as own_pages
from digest.render.publishing.public_pages.links import PublicSite, SiteLanguage
from digest.render.template_trial.own_digests import make_sample_details
from digest.store.database.engine import Store, get_highest_seq
from digest.store.matching.event_index import EventCache
from digest.store.subscribers.public_digests import NewSubscriber, subscribe_readers

PAPERS, QUERIES, READERS = 20_000, 300, 100_000
SLOWEST = 0.15
"""Seconds in which 95 of 100 previews are made."""
MOST = 1 / 3
"""The driver's share of the CPU of subscribing, at least."""
A_DAY = 700
"""Papers since the last edition of the readers whose follows are matched."""
PACK = 1_000
"""Readers in a transaction."""
WORDS = ("graph", "planning", "caching", "routing", "federated learning", "diffusion", "speech", "robotics")


def run(*, small: bool) -> Result:
    """Measure previews, subscribing, the page, and a new follow."""
    readers, queries = (200, 5) if small else (READERS, QUERIES)
    title = f"digests of readers: {queries} previews, {readers:,} readers"
    if not (DATA / "corpus").is_dir():
        return Result(title=f"{title}: not run, the recorded papers are not here")
    listed = recorded_day(600 if small else PAPERS)
    with tempfile.TemporaryDirectory() as folder:
        store, _ = new_store(Path(folder) / "previews.db")
        announce(store, listed)
        rows = measure_previews(store, draw_texts(listed, queries))
        rows += measure_subscribing(Path(folder), readers)
        rows += measure_new_follow(store, readers)
        store.close()
    rows += measure_page(1 if small else 9)
    return Result(title=title, rows=tuple(rows))


# --- previews -------------------------------------------------------------------------------------


def draw_texts(listed: Sequence[Listing], count: int) -> list[str]:
    """Queries as readers type them: words, phrases, persons and categories of papers."""
    chance = random.Random(1)
    texts = []
    for number in range(count):
        paper = chance.choice(listed).paper
        words = [word for word in paper.title.split() if word.isalpha() and len(word) > 3] or ["learning"]
        match number % 6:
            case 0 | 1:
                texts.append(chance.choice(words))
            case 2:
                texts.append(" ".join(words[:2]))
            case 3:
                texts.append(f'"{" ".join(words[:2])}"')
            case 4:
                texts.append(f'author:"{paper.authors[0].name}"' if paper.authors else words[0])
            case _:
                texts.append(f"category:{paper.categories[0]}" if paper.categories else words[0])
    return texts


def measure_previews(store: Store, texts: Sequence[str]) -> list[Row]:
    """How long readers wait for a preview."""
    cache = EventCache()
    preview_follow(store, texts[0], NOW, cache)  # once uncounted: what is imported at the first use
    gc.freeze()  # as the server does
    waits = []
    for text in texts:
        begun = perf_counter()
        preview_follow(store, text, NOW, cache)
        waits.append(perf_counter() - begun)
    slow = sorted(waits)[int(len(waits) * 0.95)]
    return [
        Row(
            work="preview of a follow",
            candidate="median",
            seconds=statistics.median(waits),
            times=SLOWEST / statistics.median(waits),
            clock="wait",
        ),
        Row(
            work="preview of a follow",
            candidate=f"95 of 100, of {SLOWEST:g} s",
            seconds=slow,
            times=SLOWEST / slow,
            wanted=1.0,
            clock="wait",
        ),
    ]


# --- subscribing ----------------------------------------------------------------------------------


def make_public_digest(name: str, words: Sequence[str]) -> PublicDigestSettings:
    """A public digest that follows some words."""
    follows = tuple(FollowSettings(text=word, query=read_typed_follow(word).query) for word in words)
    return PublicDigestSettings(
        description="New papers.",
        digest=DigestSettings(
            name=name,
            title=name,
            schedule=parse_schedule("weekdays 07:30", zone="UTC"),
            follows=follows,
            options=DigestOptions(),
        ),
    )


PUBLIC_DIGESTS = (
    *(make_public_digest(f"three-{number}", WORDS[number : number + 3]) for number in range(4)),
    make_public_digest("four", WORDS[4:]),
)
"""A digest has 3.2 follows, on average."""


def measure_subscribing(folder: Path, readers: int) -> list[Row]:
    """The CPU seconds of subscribing readers, and of inserting the same rows, in turns."""
    store, _ = new_store(folder / "subscribing.db")
    begun = process_time()
    subscribe_all(store, readers)
    ours = process_time() - begun
    store.close()
    with closing(sqlite3.connect(folder / "subscribing.db")) as full:
        copied = {
            name: list_rows(full, name) for name in ("subscribers", "digests", "destinations", "follows")
        }
    empty, _ = new_store(folder / "bare.db")
    with empty.begin_planning() as tx:  # the slots and queries to which the rows refer
        subscribe_readers(tx, PUBLIC_DIGESTS[0], [], NOW, 0)
    empty.close()
    with closing(sqlite3.connect(folder / "bare.db")) as bare:
        begun = process_time()
        packs = -(-readers // PACK)
        for pack in range(packs):
            for name, rows in copied.items():
                size = -(-len(rows) // packs)
                insert(bare, name, rows[pack * size : (pack + 1) * size])
            bare.commit()
        driver = process_time() - begun
    work = f"{len(copied['follows']) / len(copied['digests']):.1f} follows a digest"
    return [
        Row(work=work, candidate="the driver, rows ready made", seconds=driver, times=1.0),
        Row(work=work, candidate="digest", seconds=ours, times=driver / ours, wanted=MOST),
    ]


def subscribe_all(store: Store, readers: int) -> None:
    """Subscribe readers, each to one of the public digests."""
    for first in range(0, readers, PACK):
        new = [
            NewSubscriber(address=f"reader{number}@example.org", language="en", zone="UTC")
            for number in range(first, min(readers, first + PACK))
        ]
        with store.begin_planning() as tx:
            for number, public_digest in enumerate(PUBLIC_DIGESTS):
                subscribe_readers(tx, public_digest, new[number :: len(PUBLIC_DIGESTS)], NOW, 0)


def list_rows(connection: sqlite3.Connection, name: str) -> list[tuple[Any, ...]]:
    """All rows of a table."""
    return connection.execute(f"SELECT * FROM {name}").fetchall()


def insert(connection: sqlite3.Connection, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows as they are."""
    if rows:
        places = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT OR IGNORE INTO {name} VALUES ({places})", rows)


# --- a new follow ---------------------------------------------------------------------------------


def measure_new_follow(store: Store, readers: int) -> list[Row]:
    """A run right after somebody began to follow something, and one in which nobody did."""
    words = [f"word{number}" for number in range(min(readers, 20_000))]
    for first in range(0, len(words), 400):
        many = make_public_digest(f"many-{first}", words[first : first + 400])
        reader = NewSubscriber(address=f"many{first}@example.org", language="en", zone="UTC")
        with store.begin_read() as tx:
            last_seq = get_highest_seq(tx)
        with store.begin_planning() as tx:
            subscribe_readers(tx, many, [reader], NOW, max(0, last_seq - A_DAY))
    matcher = EventMatcher(store)
    for _ in matcher.match():
        pass
    with store.begin_read() as tx:
        subscriber, digest_id = tx.exec_driver_sql(
            "SELECT subscriber_id, id FROM digests WHERE name = 'many-0'"
        ).one()
    editor = OwnDigestEditor(store=store, subscriber=subscriber, now=NOW + timedelta(days=1))
    texts = iter([f"newword{number}" for number in range(100)])

    def run_alone() -> None:
        for _ in matcher.match():
            pass

    def run_with_follow() -> None:
        editor.add_follow(digest_id, replace(read_typed_follow(next(texts)), text="new"))
        run_alone()

    taken = cpu_seconds({"alone": run_alone, "new": run_with_follow}, repeats=3)
    with store.begin_read() as tx:
        count = tx.exec_driver_sql("SELECT count(*) FROM queries WHERE needed_from IS NOT NULL").scalar_one()
    work = f"a run, {count:,} queries"
    return [
        Row(work=work, candidate="nothing is new", seconds=taken["alone"], times=1.0),
        Row(
            work=work,
            candidate="one follow is new",
            seconds=taken["new"],
            times=taken["alone"] / taken["new"],
        ),
    ]


# --- the page -------------------------------------------------------------------------------------


def measure_page(repeats: int) -> list[Row]:
    """The page of a digest with 30 follows."""
    branding = Branding(title="Digest", url="https://example.org", contact="a@example.org")
    bundle = make_locale_bundle("en", branding, None, None)
    site = PublicSite(
        url="https://example.org",
        languages=(SiteLanguage("en", "en", "English"),),
        language=SiteLanguage("en", "en", "English"),
        style_path="/style/a.css",
        script_path="/script/a.js",
        zone_script_path="/script/b.js",
        has_accounts=True,
    )
    sample = make_sample_details()
    follows = tuple(iter_follows(sample.follows[0]))
    page = own_pages.OwnDigestPage(details=replace(sample, follows=follows), form_token="a" * 64, now=NOW)

    def render() -> bytes:
        return own_pages.render_own_digest(bundle.environment, bundle.branding, site, page)

    return compare("Your digest", own_pages, render, render, repeats)


def iter_follows(follow: Any) -> Iterator[Any]:
    """Thirty follows like one."""
    for number in range(30):
        yield replace(follow, text=f"follow {number}", query=f"follow {number}")
