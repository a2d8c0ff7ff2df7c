"""Queries tried on the index of papers over the last 30 days, and what it costs to keep and to hold that index.

20,000 recorded papers are announced over 30 days. Peers: of a query, the bare index, that is FTS5 asked for the same
words in as many columns, and its rows alone; of the whole command, its imports; of keeping, the driver alone that inserts
the terms ready made; of size, the posting lists of SQLite without what we keep beside them. Wanted is at most ``LIMIT``
seconds for each query.
"""

from __future__ import annotations

import gc
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time

from benchmarks.ingest import DAY, NOW, SOURCE, new_store, recorded_day
from benchmarks.measure import DATA, Result, Row, children, cpu_seconds
from benchmarks.store import cpu_of
from digest.core.matching.paper_terms import PaperTerms, extract_paper_terms
from digest.core.papers.document import clear_document_cache
from digest.core.times.schedule import compute_due_at
from digest.jobs.matching.query_preview import choose_examples, load_examples, try_query
from digest.model import Listing
from digest.store.database.dialect import make_engine
from digest.store.database.engine import Store, upgrade
from digest.store.fetching import ledger, listings
from tests.support.postgres import start_postgres

PAPERS, DAYS = 20_000, 30
LIMIT = 0.3
"""Seconds of CPU that a query may take."""
QUERIES = {
    "learning": "learning",
    "federated learning": "federated AND learning",
    '"large language model"': '"large language model"',
    '"mixture of experts" (serving OR inference)': '"mixture of expert" AND (serve OR serving OR inference)',
    "diffusion -image": "diffusion NOT image",
    "title:graph": "title : graph",
    "quantiz*": "quantiz*",
    "=RAG": "rag",
    "category:cs.DC": "category",
    'author:"Wei Wang"': "wei",
    '"language model"~5': 'NEAR("language" "model", 5)',
    "nothing xylophonist": "nothing AND xylophonist",
    "A* search": "a AND search",
    "K* meson": "k AND meson",
    "2*3": '"2 3"',
    "SU(2)": '"su 2"',
    "multi-mod*": '"multi mod" *',
    "author:Wang": "wang",
    'author:Zhang OR author:Li OR author:Chen OR author:"Yang Liu"': "zhang OR li OR chen OR yang",
    '="of the"': '"of the"',
    '"the model"~20': 'NEAR("the" "model", 20)',
    '"of the data"~20': 'NEAR("of" "the" "data", 20)',
}
"""What is tried, and what the bare index is asked instead: FTS5 as it comes, with the texts as they are.

It knows neither signs nor authors; for a name it is asked for the word.
"""
COMMAND = "A* search"
ON_POSTGRES = ("learning", '="of the"', '"the model"~20', "author:Wang")


def run(*, small: bool) -> Result:
    """Measure queries, keeping and size."""
    title = "queries tried over 30 days (SQLite)"
    if not (DATA / "corpus").is_dir():
        return Result(title=f"{title}: not run, the recorded papers are not here")
    listed = recorded_day(600 if small else PAPERS)
    with tempfile.TemporaryDirectory() as folder:
        store, kept = _store(Path(folder) / "search.db", listed)
        rows = [*_keeping(Path(folder), listed, kept), *_size(Path(folder), len(listed))]
        rows += _queries(store, _bare(Path(folder) / "bare.db", listed), repeats=1 if small else 5)
        store.close()
        rows += _command(Path(folder), repeats=1 if small else 5)
    rows += _on_postgres(listed, repeats=1 if small else 5)
    return Result(title=title, rows=tuple(rows))


def _store(path: Path, listed: list[Listing]) -> tuple[Store, float]:
    """A store with papers announced over days, and the CPU seconds that it took to keep them."""
    store, _ = new_store(path)
    return store, announce(store, listed)


def announce(store: Store, listed: list[Listing]) -> float:
    """Announce papers over days; the CPU seconds that it took to keep them."""
    size = -(-len(listed) // DAYS)
    taken = 0.0
    with store.begin_write() as tx:
        ledger.declare_sections(tx, SOURCE.name, SOURCE.sections, DAY - timedelta(days=DAYS))
    papers = iter(listed)
    for back in range(DAYS - 1, -1, -1):
        day = DAY - timedelta(days=back)
        with store.begin_write() as tx:
            ledger.make_batches(tx, SOURCE.name, "cs.LG", [(day, compute_due_at(SOURCE.calendar, DAY))])
            batch = ledger.load_batch(tx, SOURCE.name, "cs.LG", day)
        some = list(islice(papers, size))
        telling_of = frozenset(one.paper.key for one in some)
        begun = process_time()
        with store.begin_ingest() as tx:
            listings.save_listings(tx, batch, some, announceable=telling_of)
        taken += process_time() - begun
    return taken


# --- queries --------------------------------------------------------------------------------------


def _queries(store: Store, bare: sqlite3.Connection, *, repeats: int) -> list[Row]:
    rows = []
    _try(store, "learning")  # once uncounted: what is imported at the first use
    gc.freeze()  # as the command does
    for text, peer in QUERIES.items():
        taken = cpu_seconds(
            {"bare": _asking(bare, peer), "ours": partial(_try, store, text)}, repeats=repeats
        )
        found = len(try_query(store, text, DAYS, NOW).matches)
        rows.append(Row(work=text, candidate="bare FTS5", seconds=taken["bare"], times=1.0))
        ours = taken["ours"]
        rows.append(
            Row(work=text, candidate=f"digest try: {found:,}", seconds=ours, times=taken["bare"] / ours)
        )
        rows.append(Row(work=text, candidate=f"of {LIMIT} s", seconds=ours, times=LIMIT / ours, wanted=1.0))
    return rows


def _command(folder: Path, *, repeats: int) -> list[Row]:
    """The command as a process of its own, its start included, and beside it what its imports cost anybody."""
    imports = "import sqlalchemy, httpx, jinja2"
    (folder / "digest.toml").write_text(
        f'[store]\nurl = "sqlite:///{folder / "search.db"}"\n[[source]]\nuse = "arxiv"\ncategories = ["cs.LG"]\n'
    )
    command = (sys.executable, "-m", "digest", "try", "--now", f"{NOW:%Y-%m-%dT%H:%MZ}", COMMAND)
    candidates = {
        imports: partial(_call, folder, sys.executable, "-c", imports),
        "digest try": partial(_call, folder, *command),
    }
    for work in candidates.values():
        work()  # once uncounted: bytecode is made at the first start
    taken = cpu_seconds(candidates, repeats=repeats, clock=children)
    return [
        Row(
            work=f"the command: {COMMAND}",
            candidate=name,
            seconds=seconds,
            times=taken[imports] / seconds,
        )
        for name, seconds in taken.items()
    ]


def _call(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _on_postgres(listed: list[Listing], *, repeats: int) -> list[Row]:
    """Some queries on PostgreSQL, whose server's CPU seconds count, too."""
    with ExitStack() as stack:
        server = stack.enter_context(start_postgres())
        engine = make_engine(server.create())
        upgrade(engine)
        store = Store(engine)
        stack.callback(store.close)
        announce(store, listed)
        with store.begin_read() as tx:
            process = tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        rows = []
        for text in ON_POSTGRES:
            _try(store, text)  # once uncounted: the server reads its pages
            taken = cpu_seconds(
                {text: partial(_try, store, text)},
                repeats=repeats,
                clock=lambda: process_time() + cpu_of(process),
            )
            rows.append(
                Row(
                    work=f"PostgreSQL: {text}",
                    candidate=f"of {LIMIT} s",
                    seconds=taken[text],
                    times=LIMIT / taken[text],
                    wanted=1.0,
                )
            )
        return rows


def _try(store: Store, text: str) -> None:
    clear_document_cache()
    tried = try_query(store, text, DAYS, NOW)
    load_examples(store, tried, choose_examples(tried.matches, 8))


def _asking(bare: sqlite3.Connection, match: str) -> Callable[[], object]:
    return lambda: bare.execute("SELECT rowid FROM bare WHERE bare MATCH ?", (match,)).fetchall()


def _bare(path: Path, listed: list[Listing]) -> sqlite3.Connection:
    """The same papers in FTS5 as it comes, with its own stemmer."""
    bare = sqlite3.connect(path)
    bare.execute("CREATE VIRTUAL TABLE bare USING fts5(title, body, content='', tokenize='porter')")
    rows = [(at, one.paper.title, one.paper.abstract) for at, one in enumerate(listed, start=1)]
    bare.executemany("INSERT INTO bare (rowid, title, body) VALUES (?, ?, ?)", rows)
    bare.commit()
    return bare


# --- keeping and size -----------------------------------------------------------------------------


def _keeping(folder: Path, listed: list[Listing], kept: float) -> list[Row]:
    """What a paper costs: all of it, its terms, and these by the driver alone."""
    size = len(listed)
    begun = process_time()
    made = [extract_paper_terms(one.paper) for one in listed]
    making = process_time() - begun
    inserting = _by_driver(folder / "driver.db", made)
    work = "keeping a paper"
    each = (
        ("the driver, terms ready made", inserting),
        ("making its terms", making),
        ("digest, all of it", kept),
    )
    return [
        Row(
            work=work,
            candidate=f"{name}: {1000 * taken / size:.2f} ms",
            seconds=taken,
            times=inserting / taken,
        )
        for name, taken in each
    ]


def _by_driver(path: Path, made: list[PaperTerms]) -> float:
    rows = [
        (at, *(" ".join((*column.words, *column.unpositioned)) for column in (one.title, one.body)))
        for at, one in enumerate(made, start=1)
    ]
    to = sqlite3.connect(path)
    to.execute("CREATE VIRTUAL TABLE terms USING fts5(title, body, content='', tokenize='unicode61')")
    step = -(-len(rows) // DAYS)
    begun = process_time()
    for at in range(0, len(rows), step):
        to.executemany("INSERT INTO terms (rowid, title, body) VALUES (?, ?, ?)", rows[at : at + step])
        to.commit()
    taken = process_time() - begun
    to.close()
    return taken


def _size(folder: Path, papers: int) -> list[Row]:
    """Kilobytes a paper of the index and of the whole database; sizes stand in for seconds."""
    with sqlite3.connect(folder / "search.db") as made:
        lists = _bytes(made, "SELECT sum(length(block)) FROM paper_terms_data")
        forms = _bytes(made, "SELECT sum(length(form) + length(term) + 8) FROM term_forms")
        known = _bytes(made, "SELECT count(*) * 24 FROM indexed_papers")
        # As UTF-8, with what a row takes besides.
        texts = _bytes(made, "SELECT sum(length(CAST(title || body AS BLOB)) + 8) FROM indexed_texts")
        whole = _bytes(made, "PRAGMA page_count") * _bytes(made, "PRAGMA page_size")
    work, ours = "size of a paper", lists + forms + known + texts
    each = (
        ("posting lists alone", lists),
        ("the index", ours),
        ("of it texts", texts),
        ("the whole database", whole),
    )
    return [
        Row(
            work=work,
            candidate=f"{name}: {size / papers / 1000:.2f} kB",
            seconds=0,
            times=lists / size,
            clock="-",
        )
        for name, size in each
    ]


def _bytes(made: sqlite3.Connection, sql: str) -> int:
    return int(made.execute(sql).fetchone()[0] or 0)
