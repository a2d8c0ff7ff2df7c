"""Search over all papers: first pages with facets, candidates, indexing and the size of the index; SQLite and PostgreSQL.

The corpus is imported by month and announced by day. 200 queries are drawn from its titles and authors: words of a title,
the commonest words, phrases, words with a NOT, and persons. Wanted of a first page is a median of ``MEDIAN`` seconds of
CPU, and ``MOST`` for 95 of 100; on PostgreSQL, whose server counts, too, twice that. The peer of the candidates is the bare
index: the same lookups, ready made, by the driver alone. The peer of a page is what an able engineer makes in an hour: FTS5
as it comes, with its stemmer and ``bm25``, and the rows of the first 20; it knows neither the follow language nor facets.

``DIGEST_BENCHMARK_PAPERS=168546`` is the whole corpus; ``DIGEST_BENCHMARK_STORE=FOLDER`` keeps the databases there.
"""

from __future__ import annotations

import gc
import io
import json
import os
import random
import re
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date
from functools import partial
from heapq import nlargest
from itertools import islice
from pathlib import Path
from time import process_time
from typing import NamedTuple

import zstandard

from benchmarks.ingest import PAGE, SOURCE, read_corpus_page
from benchmarks.measure import DATA, Result, Row
from digest.core.language.parser import parse
from digest.core.matching.paper_terms import extract_paper_terms
from digest.core.matching.search.term_vectors import TermVector
from digest.core.papers.document import clear_document_cache
from digest.core.papers.links import add_paper_links
from digest.core.times.schedule import compute_due_at
from digest.errors import QueryError
from digest.jobs.matching.search.request import SearchRequest
from digest.jobs.matching.search.search_papers import search_papers
from digest.jobs.matching.search.similar_papers import MAX_SIMILAR, MIN_COSINE, build_meter, find_similar
from digest.jobs.matching.search.window import MAX_CANDIDATES, DocumentRange, SearchIndex
from digest.model import Listing, ListingKind, Paper, PaperKey
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, upgrade
from digest.store.fetching import ledger, listings
from digest.store.matching.fts5 import build_fts_expression
from digest.store.papers import papers
from tests.support.postgres import start_postgres

PAPERS = int(os.environ.get("DIGEST_BENCHMARK_PAPERS", "20000"))
FOLDER = os.environ.get("DIGEST_BENCHMARK_STORE")
MEDIAN, MOST = 0.020, 0.050
INDEXING = 0.002
"""Seconds of CPU that indexing adds to keeping a paper, at most."""
SIZE = 900
"""Bytes of index a paper, at most, without texts and vectors."""
SHARE_OF_ALL = 0.9
"""Share of the nearest papers that is found at least."""
ON_POSTGRES = 2
"""How many times the CPU seconds may be on PostgreSQL."""
WORK = {"words": 90, "common": 20, "phrase": 40, "not": 25, "author": 25}
"""How many queries of each kind are drawn."""


class Query(NamedTuple):
    """A drawn query, and what FTS5 is asked instead; "" if it knows nothing of that kind."""

    kind: str
    text: str
    peer: str


def run(*, small: bool) -> Result:
    """Measure pages, candidates, indexing and size."""
    size = 600 if small else PAPERS
    title = f"search over {size:,} papers"
    if not (DATA / "corpus").is_dir():
        return Result(title=f"{title}: not run, the recorded papers are not here")
    with ExitStack() as stack:
        folder = Path(FOLDER or stack.enter_context(tempfile.TemporaryDirectory()))
        store, path = open_filled_store(folder, size)
        stack.callback(store.close)
        bare = sqlite3.connect(path)
        stack.callback(bare.close)
        queries = draw_queries(bare, count=5 if small else 1)
        peer = make_peer(bare, folder / f"peer-{size}.db")
        stack.callback(peer.close)
        gc.freeze()  # as a service does
        rows = measure_pages(store, queries, process_time, "SQLite", times=1)
        rows += measure_peer(peer, queries, rows[0].seconds)
        rows += measure_candidates(store, bare, queries)
        rows += [measure_indexing(store, 20 if small else 500), *measure_size(bare)]
        rows += measure_similar(store, size, 5 if small else 200)
        rows += measure_postgres(stack, size, queries)
    return Result(title=title, rows=tuple(rows))


# --- papers ---------------------------------------------------------------------------------------


def open_filled_store(folder: Path, size: int) -> tuple[Store, Path]:
    """A store on SQLite with so many papers; one that was filled before is used again."""
    path = folder / f"search-{size}.db"
    is_new = not path.exists()
    engine = make_engine(f"sqlite:///{path}")
    upgrade(engine)
    store = Store(engine)
    if is_new:
        fill_store(store, size)
    return store, path


def fill_store(store: Store, size: int) -> None:
    """Announce papers of the newest days, half of all if there are so many, and import the others by month."""
    seen: set[str] = set()
    with store.begin_write() as tx:
        ledger.declare_sections(tx, SOURCE.name, SOURCE.sections, date(2026, 1, 1))
    for file in sorted((DATA / "corpus" / "days").iterdir(), reverse=True):
        if listed := list(islice(_read_file(file, seen), size // 2 - len(seen))):
            _announce(store, date.fromisoformat(file.name[:10]), listed)
    months = sorted((DATA / "corpus" / "backlog").iterdir(), reverse=True)
    imported = islice((paper for file in months for paper in _read_file(file, seen)), size - len(seen))
    while chunk := list(islice(imported, PAGE)):
        with store.begin_ingest() as tx:
            listings.import_records(tx, SOURCE.name, chunk)


def _announce(store: Store, day: date, listed: Sequence[Paper]) -> None:
    with store.begin_write() as tx:
        due_at = compute_due_at(SOURCE.calendar, day)
        ledger.make_batches(tx, SOURCE.name, "cs.LG", [(day, due_at)])
        batch = ledger.load_batch(tx, SOURCE.name, "cs.LG", day)
    with store.begin_ingest() as tx:
        listings.save_listings(
            tx,
            batch,
            [Listing(kind=ListingKind.NEW, paper=paper) for paper in listed],
            announceable=frozenset(paper.key for paper in listed),
        )


def _read_file(file: Path, seen: set[str]) -> Iterator[Paper]:
    """The papers of a file that no other file had."""
    with file.open("rb") as opened:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(opened), "utf-8")
        records = (record for record in map(json.loads, lines) if record["id"] not in seen)
        while chunk := list(islice(records, PAGE)):
            for paper in read_corpus_page(chunk):
                identifier = paper.key.removeprefix("arxiv:")
                if identifier not in seen:
                    seen.add(identifier)
                    yield add_paper_links(paper)


# --- queries --------------------------------------------------------------------------------------


def draw_queries(bare: sqlite3.Connection, *, count: int) -> list[Query]:
    """Draw queries of all kinds from the stored titles and authors.

    Args:
        bare: the database.
        count: by how much fewer queries there are of each kind.
    """
    chance = random.Random(168_546)
    titles = [title for (title,) in bare.execute("SELECT title FROM statements ORDER BY paper_id")]
    last_paper = bare.execute("SELECT max(paper_id) FROM authorships").fetchone()[0]
    common = [
        term
        for (term,) in bare.execute("SELECT term FROM term_counts ORDER BY papers DESC LIMIT 200")
        if re.fullmatch("[a-z]{2,}", term)
    ]
    makers: dict[str, Callable[[], Query | None]] = {
        "words": lambda: _draw_words(chance, titles),
        "common": lambda: Query("common", common[0], f'"{common.pop(0)}"'),
        "phrase": lambda: _draw_phrase(chance, titles),
        "not": lambda: _draw_not(chance, titles),
        "author": lambda: _draw_author(chance, bare, last_paper),
    }
    return [query for kind, number in WORK.items() for query in islice(_draw(makers[kind]), number // count)]


def _draw(make: Callable[[], Query | None]) -> Iterator[Query]:
    while True:
        query = make()
        try:
            if query is not None:
                parse(query.text)
                yield query
        except QueryError:
            continue


def _list_words(title: str) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", title) if re.fullmatch("[A-Za-z]{2,}", word)]


def _draw_words(chance: random.Random, titles: Sequence[str]) -> Query | None:
    words = _list_words(chance.choice(titles))
    some = chance.sample(words, min(len(words), chance.choice((1, 2, 2, 3, 3, 4))))
    return Query("words", " ".join(some), " ".join(f'"{word}"' for word in some)) if some else None


def _draw_phrase(chance: random.Random, titles: Sequence[str]) -> Query | None:
    phrases = re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]{2,}){1,2}", chance.choice(titles))
    if not phrases:
        return None
    phrase = chance.choice(phrases)
    return Query("phrase", f'"{phrase}"', f'"{phrase}"')


def _draw_not(chance: random.Random, titles: Sequence[str]) -> Query | None:
    words = _list_words(chance.choice(titles))
    if len(words) < 3:
        return None
    first, second, excluded = chance.sample(words, 3)
    return Query("not", f"{first} {second} -{excluded}", f'("{first}" "{second}") NOT "{excluded}"')


def _draw_author(chance: random.Random, bare: sqlite3.Connection, last_paper: int) -> Query | None:
    """One of the authors of a paper, so that collaborations of thousands count no more than other papers."""
    sql = "SELECT name FROM authorships WHERE paper_id = ? ORDER BY position"
    names = [name for (name,) in bare.execute(sql, (chance.randint(1, last_paper),))]
    return Query("author", f'author:"{chance.choice(names)}"', "") if names else None


# --- pages ----------------------------------------------------------------------------------------


def measure_pages(
    store: Store, queries: Sequence[Query], clock: Callable[[], float], name: str, *, times: int
) -> list[Row]:
    """Measure first pages with facets; each query once after one that loads what is imported at the first use."""
    for query in queries[:2]:
        search_papers(store, SearchRequest(text=query.text))
    taken: dict[str, list[float]] = {kind: [] for kind in WORK}
    for query in queries:
        clear_document_cache()
        begun = clock()
        search_papers(store, SearchRequest(text=query.text))
        taken[query.kind].append(clock() - begun)
    of_all = sorted(seconds for kind in taken.values() for seconds in kind)
    median, most = statistics.median(of_all), of_all[int(0.95 * len(of_all))]
    work = f"first page, {name}"
    rows = [
        Row(
            work=work,
            candidate=f"median of {MEDIAN * times:.3f} s",
            seconds=median,
            times=MEDIAN * times / median,
            wanted=1.0,
        ),
        Row(
            work=work,
            candidate=f"95 of 100 within {MOST * times:.3f} s",
            seconds=most,
            times=MOST * times / most,
            wanted=1.0,
        ),
    ]
    for kind, seconds in taken.items():
        middle = statistics.median(seconds)
        label = f"{kind}: median, at most {max(seconds) * 1000:.0f} ms"
        rows.append(Row(work=work, candidate=label, seconds=middle, times=MEDIAN * times / middle))
    return rows


def make_peer(bare: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """The same papers in FTS5 as it comes."""
    is_new = not path.exists()
    peer = sqlite3.connect(path)
    if is_new:
        peer.execute("CREATE VIRTUAL TABLE peer USING fts5(title, abstract, tokenize='porter')")
        rows = bare.execute("SELECT paper_id, title, abstract FROM statements ORDER BY paper_id")
        peer.executemany("INSERT OR IGNORE INTO peer (rowid, title, abstract) VALUES (?, ?, ?)", rows)
        peer.commit()
    return peer


def measure_peer(peer: sqlite3.Connection, queries: Sequence[Query], ours: float) -> list[Row]:
    """Measure what FTS5 takes for a page of the words."""
    sql = "SELECT rowid, title, abstract FROM peer WHERE peer MATCH ? ORDER BY bm25(peer, 4, 1) LIMIT 20"
    taken = []
    for query in queries:
        if query.peer:
            begun = process_time()
            peer.execute(sql, (query.peer,)).fetchall()
            taken.append(process_time() - begun)
    middle, most = statistics.median(taken), sorted(taken)[int(0.95 * len(taken))]
    work = "first page, the peer"
    return [
        Row(work=work, candidate="FTS5 and bm25: median", seconds=middle, times=ours / middle),
        Row(work=work, candidate="FTS5 and bm25: 95 of 100", seconds=most, times=ours / most),
    ]


# --- candidates, indexing, size -------------------------------------------------------------------


def measure_candidates(store: Store, bare: sqlite3.Connection, queries: Sequence[Query]) -> list[Row]:
    """Measure the newest candidates against the same lookups by the driver alone."""
    texts = [parse(query.text) for query in queries if query.kind != "author"]
    with store.begin_read() as tx:
        index = SearchIndex(tx)
        expressions = [build_fts_expression(index.builder.build(query).possible) for query in texts]
    sql = "SELECT rowid FROM paper_terms WHERE paper_terms MATCH ? ORDER BY rowid DESC LIMIT ?"
    ours, peers = [], []
    for _ in range(3):
        begun = process_time()
        found = [bare.execute(sql, (text, MAX_CANDIDATES + 1)).fetchall() for text in expressions]
        peers.append(process_time() - begun)
        begun = process_time()
        with store.begin_read() as tx:
            index = SearchIndex(tx)
            mine = [
                index.find_newest(index.builder.build(query).possible, DocumentRange(), MAX_CANDIDATES + 1)
                for query in texts
            ]
        ours.append(process_time() - begun)
        assert [len(entry) for entry in found] == [len(entry) for entry in mine]
    bare_seconds, our_seconds = min(peers) / len(texts), min(ours) / len(texts)
    work = "newest candidates, mean"
    return [
        Row(work=work, candidate="the bare index", seconds=bare_seconds, times=1.0),
        Row(
            work=work,
            candidate="digest, terms looked up as well",
            seconds=our_seconds,
            times=bare_seconds / our_seconds,
            wanted=0.5,
        ),
    ]


def measure_indexing(store: Store, count: int) -> Row:
    """Measure indexing papers of a day."""
    with store.begin_ingest() as tx:
        numbers = [number for (number,) in tx.exec_driver_sql("SELECT max(id) FROM papers")]
        last = numbers[0]
        loaded = papers.load_papers(tx, range(last - count + 1, last + 1))
        clear_document_cache()
        begun = process_time()
        papers.refresh_index(tx, loaded)
        taken = (process_time() - begun) / count
        tx.rollback()
    label = f"a paper: {taken * 1000:.2f} ms of {INDEXING * 1000:.0f}"
    return Row(work="indexing", candidate=label, seconds=taken, times=INDEXING / taken, wanted=1.0)


def measure_size(bare: sqlite3.Connection) -> list[Row]:
    """Measure bytes a paper; sizes stand in for seconds."""
    number = bare.execute("SELECT count(*) FROM indexed_papers").fetchone()[0]
    parts = {
        "posting lists": "SELECT sum(length(block)) FROM paper_terms_data",
        "lengths of documents": "SELECT sum(length(sz) + 8) FROM paper_terms_docsize",
        "rows": "SELECT sum(length(events) + length(categories) + length(frequencies) + 24) FROM indexed_papers",
        "terms": "SELECT sum(length(CAST(form || term AS BLOB)) + 8) FROM term_forms",
        "vectors": "SELECT sum(length(entries) + 8) FROM term_vectors",
        "counts": "SELECT sum(length(CAST(term AS BLOB)) + 5) FROM term_counts",
    }
    sizes = {name: bare.execute(sql).fetchone()[0] / number for name, sql in parts.items()}
    total = sum(sizes.values()) - sizes["vectors"]
    rows = [
        Row(
            work="size of a paper",
            candidate=f"{name}: {size / 1000:.3f} kB",
            seconds=0,
            times=SIZE / size,
            clock="-",
        )
        for name, size in sizes.items()
    ]
    label = f"the index without texts and vectors: {total / 1000:.3f} kB"
    return [
        *rows,
        Row(work="size of a paper", candidate=label, seconds=0, times=SIZE / total, wanted=1.0, clock="-"),
    ]


# --- similar papers -------------------------------------------------------------------------------


def measure_similar(store: Store, size: int, count: int) -> list[Row]:
    """Measure similar papers of drawn papers, and how many of them comparing with all papers finds as well."""
    chance = random.Random(24)
    with store.begin_read() as tx:
        keys = list(papers.load_keys(tx, chance.sample(range(1, size + 1), count)).values())
    taken = []
    for key in keys:
        clear_document_cache()
        begun = process_time()
        find_similar(store, key)
        taken.append(process_time() - begun)
    middle, most = statistics.median(taken), sorted(taken)[int(0.95 * len(taken))]
    shares = [_measure_overlap(store, key) for key in keys[:40]]
    share = statistics.mean(shares)
    work = "similar papers"
    return [
        Row(work=work, candidate=f"median, 95 of 100 in {most * 1000:.0f} ms", seconds=middle, times=1.0),
        Row(
            work=work,
            candidate=f"{share:.2f} of those that comparing all finds",
            seconds=0,
            times=share / SHARE_OF_ALL,
            wanted=1.0,
            clock="-",
        ),
    ]


def _measure_overlap(store: Store, key: PaperKey) -> float:
    """Return the share of the nearest papers that are found without comparing all."""
    found = {similar.paper.key for similar in find_similar(store, key)}
    with store.begin_read() as tx:
        paper_id = papers.find_papers(tx, [key])[key]
        meter = build_meter(
            SearchIndex(tx), extract_paper_terms(papers.load_papers(tx, [paper_id])[paper_id])
        )
        rows = tx.exec_driver_sql(
            "SELECT paper_id, norm, entries FROM term_vectors JOIN indexed_papers USING (document) WHERE paper_id != ?",
            (paper_id,),
        )
        scored = ((meter.measure(TermVector(*row[1:])), row[0]) for row in rows)
        nearest = {paper for cosine, paper in nlargest(MAX_SIMILAR, scored) if cosine >= MIN_COSINE}
        keys = set(papers.load_keys(tx, nearest).values())
    return len(found & keys) / len(keys) if keys else 1.0


# --- PostgreSQL -----------------------------------------------------------------------------------


def measure_postgres(stack: ExitStack, size: int, queries: Sequence[Query]) -> list[Row]:
    """Measure first pages on PostgreSQL, whose server's CPU seconds count, too."""
    server = stack.enter_context(start_postgres())
    engine = make_engine(server.create())
    upgrade(engine)
    store = Store(engine)
    stack.callback(store.close)
    fill_store(store, size)
    with store.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("VACUUM ANALYZE")
    with store.begin_read() as tx:
        process = tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    clock = partial(_count_with_server, process)
    return measure_pages(store, queries, clock, "PostgreSQL", times=ON_POSTGRES)


def _count_with_server(process: int) -> float:
    """The CPU seconds of this process and of the server's, which the kernel counts in nanoseconds (proc(5))."""
    on_cpu = Path(f"/proc/{process}/schedstat").read_text("utf-8").split()[0]
    return process_time() + int(on_cpu) / 1e9
