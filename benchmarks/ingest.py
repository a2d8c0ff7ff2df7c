"""Answers into the store: a day of 1,500 new papers, and a backlog of 168,000 records harvested by OAI-PMH.

From the bytes of the answer to the committed rows, on SQLite. The limit in the same run is the driver alone:
``sqlite3`` inserting the same rows into the same tables with as many transactions, nothing read and nothing
compared. The backlog is the corpus as pages of 2,500 records, in a process of its own, so that its peak of
memory is its own; its growth is what the last fifth costs an entry against the first.
"""

from __future__ import annotations

import io
import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any
from xml.sax.saxutils import escape

import zstandard

from benchmarks.measure import DATA, Result, Row
from digest.core.papers.links import add_paper_links
from digest.core.times.schedule import compute_due_at
from digest.model import Batch, Listing, ListingKind
from digest.ports import Request, Response
from digest.sources.arxiv import Source
from digest.store.database.engine import Store, open_store
from digest.store.fetching import ledger, listings

PAGE = 2500
"""Records on one page of arXiv's OAI-PMH."""
DAY_SIZE, BACKLOG = 1500, 168_000
DAY = date(2026, 6, 12)
NOW = datetime(2026, 6, 12, 12, tzinfo=UTC)
SOURCE = Source(categories=("cs.LG",), routes=("rss", "oai"))
MOST_MEMORY = 300
"""Megabytes."""
TABLES = ("papers", "statements", "claims", "listings", "events")


def run(*, small: bool) -> Result:
    """Measure the day and the backlog."""
    if not (DATA / "corpus").is_dir():
        return Result(title="ingest: not run, the recorded papers are not here")
    size, most = (200, 5_000) if small else (DAY_SIZE, BACKLOG)
    rows = [*_a_day(size, repeats=1 if small else 5), *_a_backlog(most)]
    return Result(title="answers into the store (SQLite), against the driver alone", rows=tuple(rows))


# --- a day ----------------------------------------------------------------------------------------


def _a_day(size: int, *, repeats: int) -> list[Row]:
    papers = list(islice(_corpus(), size))
    page = _page(papers, more=False)
    work, ours, drivers = f"a day of {size:,} entries", [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            store, batch = new_store(Path(folder) / "day.db")
            begun = process_time()
            read = [add_paper_links(paper) for paper in _read(page)]
            listed = [Listing(kind=ListingKind.NEW, paper=paper) for paper in read]
            with store.begin_ingest() as tx:
                telling = frozenset(paper.key for paper in read)
                saved = listings.save_listings(tx, batch, listed, announceable=telling)
            ours.append(process_time() - begun)
            withdrawn = sum(paper.withdrawn for paper in read)
            assert (saved.added, saved.events) == (size, size - withdrawn), saved
            store.close()
            drivers.append(_by_driver(Path(folder), "day.db", pages=1))
    return _rows(work, statistics.median(ours), statistics.median(drivers), size)


def recorded_day(size: int) -> list[Listing]:
    """So many recorded papers as one day's new ones."""
    page = _page(islice(_corpus(), size), more=False)
    return [Listing(kind=ListingKind.NEW, paper=add_paper_links(paper)) for paper in _read(page)]


# --- the backlog ----------------------------------------------------------------------------------


def _a_backlog(most: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        code = f"from benchmarks.ingest import harvest; harvest({folder!r}, {most})"
        told = json.loads(
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
        )
        assert told["papers"] == told["entries"], told
        assert told["events"] == 0, "a harvest makes no events"
        pages = -(-told["entries"] // PAGE)
        driver = _by_driver(Path(folder), "backlog.db", pages=pages)
    work = f"a backlog of {told['entries']:,}"
    growth = Row(
        work=work,
        candidate=f"the last fifth an entry: {told['growth']:.2f} of the first",
        seconds=told["seconds"],
        times=1 / told["growth"],
        wanted=0.67,
    )
    memory = Row(
        work=work,
        candidate=f"peak memory {told['megabytes']:.0f} MB of {MOST_MEMORY}",
        seconds=told["seconds"],
        times=MOST_MEMORY / told["megabytes"],
        wanted=1.0,
    )
    return [*_rows(work, told["seconds"], driver, told["entries"]), growth, memory]


def harvest(folder: str, most: int) -> None:
    """The backlog in a process of its own; prints what it took.

    Args:
        folder: where the store is made.
        most: how many papers.
    """
    store, _ = new_store(Path(folder) / "backlog.db")
    papers = islice(_corpus(), most)
    taken: list[tuple[int, float]] = []
    while chunk := list(islice(papers, PAGE)):
        page = _page(chunk, more=True)
        begun = process_time()
        records = [add_paper_links(paper) for paper in _read(page)]
        with store.begin_ingest() as tx:
            listings.save_records(tx, SOURCE.name, records, DAY)
        taken.append((len(chunk), process_time() - begun))
    with store.begin_read() as tx:
        kept, events = (
            tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() for table in ("papers", "events")
        )
    fifth = max(1, len(taken) // 5)
    first, last = (
        sum(s for _, s in part) / sum(n for n, _ in part) for part in (taken[:fifth], taken[-fifth:])
    )
    told = {
        "entries": sum(count for count, _ in taken),
        "seconds": sum(seconds for _, seconds in taken),
        "papers": kept,
        "events": events,
        "growth": last / first,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(told))


# --- parts ----------------------------------------------------------------------------------------


def _rows(work: str, ours: float, driver: float, entries: int) -> list[Row]:
    limit = Row(work=work, candidate="sqlite3 alone, the same rows", seconds=driver, times=1.0)
    mine = f"digest, {entries / ours:,.0f} entries a second"
    return [limit, Row(work=work, candidate=mine, seconds=ours, times=driver / ours)]


def _by_driver(folder: Path, name: str, *, pages: int) -> float:
    """The CPU seconds of inserting the rows that were made into empty tables of the same kind."""
    new_store(folder / f"empty-{name}")[0].close()
    made, empty = sqlite3.connect(folder / name), sqlite3.connect(folder / f"empty-{name}")
    empty.isolation_level = None
    empty.execute("DELETE FROM counters")
    taken = 0.0
    for table in TABLES:
        rows = made.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
        marks = ", ".join("?" * len(rows[0])) if rows else ""
        for part in _parts(rows, pages):
            begun = process_time()
            empty.execute("BEGIN IMMEDIATE")
            empty.executemany(f"INSERT INTO {table} VALUES ({marks})", part)
            empty.execute("COMMIT")
            taken += process_time() - begun
    made.close()
    empty.close()
    return taken


def _parts(rows: list[Any], pages: int) -> Iterator[list[Any]]:
    step = max(1, -(-len(rows) // pages))
    return (rows[at : at + step] for at in range(0, len(rows), step))


def new_store(path: Path) -> tuple[Store, Batch]:
    """A store without papers, and the batch of a day of it."""
    store = open_store(f"sqlite:///{path}", NOW)
    with store.begin_write() as tx:
        ledger.declare_sections(tx, SOURCE.name, SOURCE.sections, DAY)
        ledger.make_batches(tx, SOURCE.name, "cs.LG", [(DAY, compute_due_at(SOURCE.calendar, DAY))])
        return store, ledger.load_batch(tx, SOURCE.name, "cs.LG", DAY)


def read_corpus_page(records: Iterable[dict[str, Any]]) -> tuple[Any, ...]:
    """The papers of some lines of the corpus, as they are read from a page of arXiv."""
    return _read(_page(records, more=False))


def _read(page: bytes) -> tuple[Any, ...]:
    request = Request(section="cs", route="oai", url="https://oaipmh.arxiv.org/oai", cursor="")
    return SOURCE.read(request, Response(status=200, headers=(), body=page)).records


def _corpus() -> Iterator[dict[str, Any]]:
    for folder in ("days", "backlog"):
        for file in sorted((DATA / "corpus" / folder).iterdir(), reverse=True):
            with file.open("rb") as lines:
                reader = zstandard.ZstdDecompressor().stream_reader(lines)
                yield from map(json.loads, io.TextIOWrapper(reader, "utf-8"))


def _page(papers: Iterable[dict[str, Any]], *, more: bool) -> bytes:
    """A page of ListRecords as arXiv's server lays it out, in the format arXivRaw."""
    records = "".join(map(_record, papers))
    token = "<resumptionToken>verb%3DListRecords%26skip%3D2500</resumptionToken>" if more else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-06-12T12:00:00Z</responseDate>
<request verb="ListRecords" metadataPrefix="arXivRaw" set="cs">http://oaipmh.arxiv.org/oai</request>
<ListRecords>{records}{token}</ListRecords></OAI-PMH>""".encode()


def _record(paper: dict[str, Any]) -> str:
    comments = f"<comments>{escape(paper['comments'])}</comments>" if paper.get("comments") else ""
    return f"""<record><header><identifier>oai:arXiv.org:{paper["id"]}</identifier>
<datestamp>2026-06-12</datestamp><setSpec>cs:cs:LG</setSpec></header>
<metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{paper["id"]}</id><submitter>A. Author</submitter>
<version version="v1"><date>Thu, 11 Jun 2026 12:00:00 GMT</date><size>100kb</size><source_type>D</source_type></version>
<title>{escape(paper["title"])}</title><authors>{escape(", ".join(paper["authors"]))}</authors>
<categories>{" ".join(paper["categories"])}</categories>{comments}
<license>http://creativecommons.org/licenses/by/4.0/</license>
<abstract>  {escape(paper["abstract"])}
</abstract></arXivRaw></metadata></record>
"""
