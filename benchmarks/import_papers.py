"""``digest import --papers``: the recorded papers as arXiv's metadata snapshot, into an empty SQLite file.

The peer is what an able engineer writes in an hour: ``json.loads``, ``executemany`` into the same columns, and FTS5 over
title and abstract, as many papers in a transaction. It cleans nothing, reads no TeX, files no names, brings no word back
to its base form, and merges nothing. Each runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import gc
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from benchmarks.ingest import NOW
from benchmarks.measure import DATA, Result, Row
from digest.jobs.papers.import_papers import ImportProgress, import_papers
from digest.model import PaperSelection
from digest.store.database.engine import open_store
from tests.generators.metadata_snapshot import make_lines, read_corpus

PAPERS = 60_000
AIM = 3_000
"""Records a second on one core, of the issue."""
MOST_MEMORY = 400
"""Megabytes."""
TRANSACTION = 500
"""Papers in a transaction of the peer, as many as in ours."""


def run(*, small: bool) -> Result:
    """Measure an import, another one of papers that are known, and the peer."""
    if not (DATA / "corpus").is_dir():
        return Result(title="import_papers: not run, the recorded papers are not here")
    most = 2_000 if small else PAPERS
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "snapshot.json"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{line}\n" for line in islice(make_lines(read_corpus(DATA), Random(1)), most))
        peer = _measure("by_hand", file)
        ours = _measure("by_digest", file)
    work = f"{most:,} records"
    rate = ours["papers"] / ours["seconds"]
    rows = (
        Row(work=work, candidate=_describe("by hand", peer), seconds=peer["seconds"], times=1.0),
        Row(
            work=work,
            candidate=_describe("digest", ours),
            seconds=ours["seconds"],
            times=peer["seconds"] / ours["seconds"],
            wanted=0.2,
        ),
        Row(work=work, candidate=f"of {AIM:,} a second", seconds=ours["seconds"], times=rate / AIM),
        Row(
            work=work,
            candidate=f"the last fifth: {ours['growth']:.2f} of the first",
            seconds=ours["seconds"],
            times=1 / ours["growth"],
            wanted=0.67,
        ),
        Row(
            work=work,
            candidate=f"peak memory {ours['megabytes']:.0f} MB of {MOST_MEMORY}",
            seconds=ours["seconds"],
            times=MOST_MEMORY / ours["megabytes"],
            wanted=1.0,
        ),
        Row(
            work=work,
            candidate=f"longest transaction {ours['longest']:.2f} s",
            seconds=ours["longest"],
            times=1.0,
        ),
        Row(
            work="all of them known",
            candidate=f"{ours['papers'] / ours['again']:,.0f} a second",
            seconds=ours["again"],
            times=peer["seconds"] / ours["again"],
        ),
    )
    return Result(title="import of papers (SQLite)", rows=rows)


def _describe(name: str, told: dict[str, float]) -> str:
    return f"{name}, {told['papers'] / told['seconds']:,.0f} a second"


def _measure(name: str, file: Path) -> dict[str, float]:
    code = f"from benchmarks.import_papers import {name}; {name}({str(file)!r})"
    told: dict[str, float] = json.loads(
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
    )
    return told


# --- digest ---------------------------------------------------------------------------------------


def by_digest(file: str) -> None:
    """Import twice, the second time under another hash; prints what it took."""
    gc.set_threshold(200_000, 20, 100)  # as the command does
    gc.freeze()
    database = Path(file).with_name("digest.db")
    store = open_store(f"sqlite:///{database}", NOW)
    taken: list[tuple[int, float]] = [(0, process_time())]

    def report(progress: ImportProgress) -> None:
        if not progress.is_hashing:
            taken.append((progress.papers, process_time()))

    begun = process_time()
    done = import_papers(store, Path(file), PaperSelection(), lambda: NOW, report)
    seconds = process_time() - begun
    assert done.counts.broken < done.counts.records / 50, done.counts
    steps = [(papers - before, at - since) for (before, since), (papers, at) in pairwise(taken)]
    fifth = max(1, len(steps) // 5)
    first, last = (
        sum(spent for _, spent in part) / max(1, sum(count for count, _ in part))
        for part in (steps[:fifth], steps[-fifth:])
    )
    longest = max(spent for _, spent in steps)
    with Path(file).open("a", encoding="utf-8") as lines:
        lines.write("\n")
    begun = process_time()
    again = import_papers(store, Path(file), PaperSelection(), lambda: NOW, lambda _progress: None)
    assert (again.counts.added, again.counts.grown) == (0, 0), again.counts
    store.close()
    _print(done.counts.papers, seconds, growth=last / first, longest=longest, again=process_time() - begun)


# --- the peer -------------------------------------------------------------------------------------


_TABLES = """
CREATE TABLE papers (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE statements (paper_id INTEGER, source TEXT, version INTEGER, title TEXT, abstract TEXT, url TEXT,
    pdf_url TEXT, doi TEXT, journal_ref TEXT, comment TEXT, license_url TEXT, withdrawn INTEGER, version_told INTEGER,
    lists TEXT, PRIMARY KEY (paper_id, source, version));
CREATE TABLE claims (scheme TEXT, value TEXT, paper_id INTEGER, PRIMARY KEY (scheme, value, paper_id));
CREATE INDEX ix_claims ON claims (paper_id);
CREATE TABLE authorships (paper_id INTEGER, position INTEGER, block TEXT, name TEXT, PRIMARY KEY (paper_id, position));
CREATE INDEX ix_authorships ON authorships (block);
CREATE VIRTUAL TABLE texts USING fts5(title, abstract);
"""


def by_hand(file: str) -> None:
    """What the peer does; prints what it took."""
    begun = process_time()
    database = sqlite3.connect(Path(file).with_name("by_hand.db"))
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(_TABLES)
    papers, known = 0, set[str]()
    with Path(file).open(encoding="utf-8") as lines:
        while chunk := list(islice(lines, TRANSACTION)):
            records = [record for line in chunk if (record := _load(line)) and record["id"] not in known]
            known.update(record["id"] for record in records)
            _insert(database, papers + 1, records)
            papers += len(records)
    database.close()
    _print(papers, process_time() - begun)


def _load(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
        return record if record["authors_parsed"] is not None and record["versions"][0]["version"] else None
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def _insert(database: sqlite3.Connection, first: int, records: list[dict[str, Any]]) -> None:
    numbered = list(enumerate(records, start=first))
    database.executemany(
        "INSERT INTO papers VALUES (?, ?)", [(number, f"arxiv:{record['id']}") for number, record in numbered]
    )
    database.executemany(
        f"INSERT INTO statements VALUES ({', '.join('?' * 14)})",
        [
            (
                *(number, "arxiv", len(record["versions"]), record["title"], record["abstract"]),
                *(f"https://arxiv.org/abs/{record['id']}", f"https://arxiv.org/pdf/{record['id']}"),
                *(record["doi"], record["journal-ref"], record["comments"], record["license"], False, True),
                json.dumps({"authors": record["authors_parsed"], "categories": record["categories"].split()}),
            )
            for number, record in numbered
        ],
    )
    claims = [("arxiv", record["id"], number) for number, record in numbered]
    claims += [("doi", record["doi"].lower(), number) for number, record in numbered if record["doi"]]
    database.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?, ?)", claims)
    database.executemany(
        "INSERT INTO authorships VALUES (?, ?, ?, ?)",
        [
            (number, position, f"{family.lower()}|{given[:1].lower()}", f"{given} {family}".strip())
            for number, record in numbered
            for position, (family, given, *_) in enumerate(record["authors_parsed"])
        ],
    )
    database.executemany(
        "INSERT INTO texts (rowid, title, abstract) VALUES (?, ?, ?)",
        [(number, record["title"], record["abstract"]) for number, record in numbered],
    )
    database.commit()


def _print(papers: int, seconds: float, **more: float) -> None:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"papers": papers, "seconds": seconds, "megabytes": megabytes, **more}))
