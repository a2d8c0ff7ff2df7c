"""An import that is killed at any instant and started again leaves the database that it would have left in peace."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import sleep

import pytest
from sqlalchemy import create_engine, text

from tests.generators.metadata_snapshot import make_lines, make_records, write_snapshot
from tests.simulation.pull_workspace import PAPER_TABLES, compute_checksums, make_random
from tests.support.cases import make_long_cases
from tests.support.postgres import Postgres
from tests.support.workspace import Workspace

ROOT = Path(__file__).parents[3]
RECORDS = int(os.environ.get("DIGEST_TEST_IMPORT", "10000"))
"""Of the file of the long test; 300,000 in the long run."""
CONFIG = """
    [store]
    url = "{store}"

    [[source]]
    use = "arxiv"
    categories = ["cs.LG"]
"""


@pytest.fixture(params=["sqlite", *make_long_cases("postgresql")])
def store_urls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Two stores: for an import in peace, and for one that is killed."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/peace.db", f"sqlite:///{tmp_path}/war.db"
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    url: str = request.getfixturevalue("own_postgres_url")
    copy = postgres.create(url)
    yield url, copy
    postgres.drop(copy)


# --- killing --------------------------------------------------------------------------------------


def strike(folder: Path, url: str, file: Path, chance: Random) -> bool:
    """Start an import and kill it at some instant, as a rule after it has stored something; says whether it died of it."""
    before, since = read_position(url), chance.choice((0, 1, 1, 1))
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "digest",
            "import",
            "--papers",
            str(file),
            "--config",
            str(folder / "digest.toml"),
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and read_position(url) < before + since:
        sleep(0.002)
    sleep(chance.uniform(0, 0.2))
    process.kill()
    return process.wait() < 0


def read_position(url: str) -> int:
    """How far the import is; -1 before it has begun."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            position: int | None = connection.execute(
                text("SELECT max(position) FROM paper_imports")
            ).scalar()
    finally:
        engine.dispose()
    return -1 if position is None else position


def count_terms(url: str) -> dict[str, tuple[int, int]]:
    """In how many documents each term of the index is, and how often."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql(
                    "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, paper_terms, row)"
                )
                query = "SELECT term, doc, cnt FROM temp.terms"
            else:
                query = "SELECT word, ndoc, nentry FROM ts_stat('SELECT whole FROM paper_terms')"
            return {
                term: (documents, entries) for term, documents, entries in connection.exec_driver_sql(query)
            }
    finally:
        engine.dispose()


@pytest.mark.parametrize(("count", "kills"), [(3_000, 2), pytest.param(RECORDS, 10, marks=pytest.mark.long)])
def test_an_import_that_is_killed_and_started_again_keeps_the_same_as_one_in_peace(
    tmp_path: Path, store_urls: tuple[str, str], count: int, kills: int
) -> None:
    chance, workspace = make_random(), Workspace(tmp_path)
    lines = make_lines(make_records(chance, count), chance)
    file = write_snapshot(tmp_path / chance.choice(("arxiv.json", "arxiv.json.gz", "arxiv.json.zst")), lines)
    peace, war = store_urls
    results, died = [], 0
    for url in (peace, war):
        workspace.write(CONFIG.format(store=url))
        workspace.run("db", "upgrade")
        while url == war and died < kills and strike(tmp_path, url, file, chance):
            died += 1
        results.append(workspace.run("import", "--papers", str(file), "--json").json)

    assert died > kills // 2, "the file is too short for so many kills"
    numbers = (
        "papers",
        "added",
        "grown",
        "known",
        "unselected",
        "broken",
        "broken_records",
        "first_day",
        "last_day",
    )
    calm, wild = results
    assert {name: wild[name] for name in numbers} == {name: calm[name] for name in numbers}
    tables = compute_checksums(peace, *PAPER_TABLES)
    assert tables["papers"][0] == calm["added"] > count // 2
    for table, checksum in compute_checksums(war, *PAPER_TABLES).items():
        assert checksum == tables[table], table
    assert count_terms(war) == count_terms(peace)
