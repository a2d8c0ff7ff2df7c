from __future__ import annotations

import errno
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from alembic.script import ScriptDirectory
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import (
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    delete,
    insert,
    make_url,
    select,
    update,
)

from digest.errors import ConfigError, StoreError
from digest.store.database import clock, dialect
from digest.store.database.dialect import format_conninfo, make_engine
from digest.store.database.engine import (
    LATEST_MIGRATION,
    Store,
    find_newer_tables,
    get_highest_seq,
    open_store,
    read_version,
    upgrade,
)
from digest.store.database.migrations import make_config
from digest.store.database.tables.column_types import metadata
from digest.store.database.tables.digests import counters, notices
from tests.store.factories import find_schema_differences
from tests.support.timeouts import PATIENCE

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


def count_up(store: Store) -> None:
    with store.begin_write() as tx:
        value = tx.execute(
            select(counters.c.value).where(counters.c.name == "event").with_for_update()
        ).scalar_one()
        tx.execute(update(counters).where(counters.c.name == "event").values(value=value + 1))


def test_a_process_that_hangs_in_a_transaction_holds_others_up_for_a_limited_time(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialect, "_MAX_IDLE_SECONDS", 1)
    with closing(open_store(postgres_url, NOW)) as store:
        with pytest.raises(StoreError, match="did nothing for a minute"), store.begin_write() as hung:
            hung.execute(update(counters).values(value=1))
            count_up(store)
            hung.execute(select(counters))
        count_up(store)

        with store.begin_read() as tx:
            assert tx.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar() == "0"


@pytest.mark.parametrize("option", ["-c search_path=lab", "-c a=1 -c b=c+d"])
def test_options_of_an_address_reach_the_driver_as_they_are(option: str) -> None:
    url = make_url("postgresql+psycopg://me:a+b%2Fc%20d@host/digest").update_query_dict({"options": option})
    passed = conninfo_to_dict(format_conninfo(url.render_as_string(hide_password=False)))

    assert (passed["options"], passed["password"]) == (option, "a+b/c d")


UNINDEXED = {
    "suppressions.report_id": "there are few suppressions",
    "run_batches.batch_id": "batches are not removed",
}
"""References that are only found by reading a whole table, with the reason why that is no harm."""


def test_whatever_refers_to_a_row_is_found_by_an_index_before_the_row_is_deleted() -> None:
    unindexed = {
        f"{table.name}.{key.parent.name}"
        for table in metadata.sorted_tables
        for key in table.foreign_keys
        if key.parent.name not in list_leading_columns(table)
    }

    assert unindexed == UNINDEXED.keys()


def list_leading_columns(table: Table) -> set[str]:
    """Return the columns by which an index over all rows finds a value; an index over those that are not NULL, too."""
    whole = [
        index
        for index in table.indexes
        if "where" not in index.info or "IS NOT NULL" in str(index.info["where"])
    ]
    constraints = [
        entry for entry in table.constraints if isinstance(entry, (UniqueConstraint, PrimaryKeyConstraint))
    ]
    return {next(iter(entry.columns)).name for entry in (*whole, *constraints)}


def test_the_migrations_make_exactly_the_tables_that_the_code_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        assert find_schema_differences(connection) == []


def test_this_release_knows_its_last_migration() -> None:
    assert ScriptDirectory.from_config(make_config()).get_current_head() == LATEST_MIGRATION


def test_what_is_read_and_then_written_by_many_at_once_loses_no_update(store: Store) -> None:
    def count() -> None:
        for _ in range(25):
            count_up(store)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 100


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM], ids=str)
def number(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal that stops, for as long as the test takes."""
    number: signal.Signals = request.param
    before = signal.signal(number, signal.default_int_handler)
    yield number
    signal.signal(number, before)


def test_who_is_told_to_stop_ends_a_transaction_before_and_nothing_of_it_is_lost(
    store: Store, number: signal.Signals
) -> None:
    with pytest.raises(KeyboardInterrupt), store.begin_write() as tx:
        os.kill(os.getpid(), number)
        tx.execute(update(counters).where(counters.c.name == "event").values(value=7))
    assert signal.getsignal(number) is signal.default_int_handler

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 7


def test_who_is_told_to_stop_again_does_not_wait(store: Store, number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), store.begin_write() as tx:
        tx.execute(update(counters).where(counters.c.name == "event").values(value=7))
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        pytest.fail("it went on")  # pragma: no cover

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 0


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(RuntimeError), store.begin_write() as tx:
        tx.execute(update(counters).values(value=7))
        raise RuntimeError

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 0


def test_of_a_rehearsal_nothing_stays(store: Store) -> None:
    with store.begin_dry_run() as trial:
        count_up(trial)
        with pytest.raises(RuntimeError), trial.begin_write() as tx:
            tx.execute(update(counters).values(value=7))
            raise RuntimeError
        with trial.begin_read() as tx:
            assert get_highest_seq(tx) == 1

    with store.begin_read() as tx:
        assert get_highest_seq(tx) == 0


def test_a_reader_sees_one_state_however_long_it_reads(store: Store) -> None:
    with store.begin_read() as tx:
        before = get_highest_seq(tx)
        count_up(store)
        assert get_highest_seq(tx) == before


def test_postgresql_is_upgraded_only_when_asked(bare_postgres_url: str) -> None:
    with pytest.raises(StoreError, match="digest db upgrade"):
        open_store(bare_postgres_url, NOW)
    engine = make_engine(bare_postgres_url)
    upgrade(engine)
    engine.dispose()
    store = open_store(bare_postgres_url, NOW)
    assert read_version(store.engine) == LATEST_MIGRATION
    store.close()


def connection_parameters(url: str) -> dict[str, str]:
    """Give what a connection to a PostgreSQL was made with."""
    engine = make_engine(url)
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        parameters = driver.info.get_parameters()
    engine.dispose()
    return parameters


def test_a_postgresql_that_vanishes_is_noticed_within_a_minute(postgres_url: str) -> None:
    options = {
        name: int(value) for name, value in connection_parameters(postgres_url).items() if value.isdigit()
    }

    assert options["keepalives"] == 1
    probed = options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"]
    assert probed <= 60
    assert 0 < options["tcp_user_timeout"] <= 60_000


def test_parameters_in_the_url_of_a_postgresql_come_before_ours(postgres_url: str) -> None:
    own = {"keepalives_idle": "7", "tcp_user_timeout": "9000"}
    url = make_url(postgres_url).update_query_dict(own).render_as_string(hide_password=False)

    options = connection_parameters(url)

    assert options.items() >= own.items()
    assert options["keepalives_count"] == connection_parameters(postgres_url)["keepalives_count"]


def test_a_postgresql_that_takes_no_writes_says_what_it_may_be(postgres_url: str) -> None:
    url = make_url(postgres_url).update_query_dict({"options": "-c default_transaction_read_only=on"})
    store = open_store(url.render_as_string(hide_password=False), NOW)

    with (
        pytest.raises(
            StoreError, match=r"read-only transaction; the server is a replica or still being recovered"
        ),
        store.begin_write() as tx,
    ):
        clock.set_note(tx, "anything", "now")
    store.close()


def test_sqlite_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW).close()

    assert stat.S_IMODE((tmp_path / "digest.db").stat().st_mode) == 0o600


SECRET = b"ada.lovelace@example.org"


def delete_secrets(store: Store) -> None:
    """Store many rows with an address, change some of them, and delete them all."""
    for number in range(50):
        with store.begin_write() as tx:
            text = f"{number}: {SECRET.decode()}"
            tx.execute(insert(notices).values(name=str(number), text=text, noted_at=NOW, told=[]))
    with store.begin_write() as tx:
        tx.execute(update(notices).where(notices.c.name < "3").values(text=SECRET.decode().upper()))
    with store.begin_write() as tx:
        tx.execute(delete(notices))


def list_files_with_secrets(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if SECRET in file.read_bytes().lower()]


def test_no_file_of_sqlite_holds_what_was_deleted(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)) as store:
        delete_secrets(store)
        assert list_files_with_secrets(tmp_path) == ["digest.db-wal"]

        assert store.forget_deleted()
        assert list_files_with_secrets(tmp_path) == []


def test_sqlite_overwrites_deleted_rows_however_it_was_built(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)) as store, store.begin_read() as tx:
        assert tx.exec_driver_sql("PRAGMA secure_delete").scalar_one() == 1


def test_who_still_reads_what_was_deleted_delays_its_removal_from_the_files_alone(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW)) as store:
        with store.begin_read() as tx:
            get_highest_seq(tx)
            delete_secrets(store)
            assert not store.forget_deleted()
            count_up(store)
        assert list_files_with_secrets(tmp_path) == ["digest.db-wal"]

        assert store.forget_deleted()
        assert list_files_with_secrets(tmp_path) == []


def test_in_a_rehearsal_and_on_postgresql_there_is_no_file_to_clean(store: Store) -> None:
    with store.begin_dry_run() as rehearsal:
        assert rehearsal.forget_deleted()
    assert store.forget_deleted()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"x",
        b"SQLite format 3\x00",
        b"SQLite format 3\x00".ljust(511, b"\0"),
        b"a" * 99,
        b"\0" * 512,
        b"no database" * 100,
    ],
    ids=[
        "0 bytes",
        "1 byte",
        "a header cut off",
        "a page cut off",
        "shorter than a header",
        "zeros",
        "something else",
    ],
)
def test_a_damaged_sqlite_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "digest.db"
    path.write_bytes(content)

    with pytest.raises(StoreError, match="restore a backup"):
        open_store(f"sqlite:///{path}", NOW)

    assert path.read_bytes() == content


TAKE_ALONE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("PRAGMA journal_mode = DELETE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_second_store_of_a_process_leaves_the_locks_of_the_first_one(tmp_path: Path) -> None:
    path = tmp_path / "digest.db"
    first = open_store(f"sqlite:///{path}", NOW)
    with first.begin_read() as tx:
        tx.execute(select(counters)).all()
    open_store(f"sqlite:///{path}", NOW).close()
    taken = subprocess.run(
        [sys.executable, "-c", TAKE_ALONE, path], capture_output=True, text=True, check=True
    )
    first.close()

    assert taken.stdout == "database is locked\n", "nobody can have the database for themselves meanwhile"


@pytest.mark.skipif(os.name != "posix", reason="it forks")
def test_a_sqlite_file_whose_creation_was_cut_off_is_no_damaged_one(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", CUT_OFF, str(tmp_path)], check=True, timeout=PATIENCE)


CUT_OFF = """
import os, sys
from pathlib import Path
from digest.store.database.dialect import make_engine
from digest.store.database.engine import read_version

def create(path, last):
    # Runs until the last-th of the calls of the system that name the folder, and dies before that.
    seen = []
    def die(event, arguments):
        if event in {"open", "os.link", "os.remove", "sqlite3.connect"} and path.parent.name in str(arguments):
            seen.append(event)
            if len(seen) == last:
                os._exit(9)
    sys.addaudithook(die)
    make_engine(f"sqlite:///{path}").connect().close()
    os._exit(0)

last, status = 0, 9
while status == 9:
    last += 1
    path = Path(sys.argv[1], f"{last} times", "digest.db")
    path.parent.mkdir()
    child = os.fork() or create(path, last)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in {0, 9}, status
    engine = make_engine(f"sqlite:///{path}")
    assert read_version(engine) is None
    engine.dispose()
assert last > 4, "too few places to die at"
"""


def test_processes_that_create_a_sqlite_file_at_once_use_the_same_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'digest.db'}"
    all_ready = threading.Barrier(8)

    def begin() -> None:
        all_ready.wait()
        engine = make_engine(url)
        with engine.connect() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS one (number INTEGER)")
            connection.exec_driver_sql("INSERT INTO one VALUES (1)")
        engine.dispose()

    with ThreadPoolExecutor(8) as threads:
        for begun in [threads.submit(begin) for _ in range(8)]:
            begun.result()

    with closing(sqlite3.connect(tmp_path / "digest.db")) as connection:
        assert connection.execute("SELECT count(*) FROM one").fetchone() == (8,)
    assert [path.name for path in tmp_path.iterdir()] == ["digest.db"]


def test_a_sqlite_file_is_created_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    open_store(f"sqlite:///{tmp_path / 'digest.db'}", NOW).close()

    assert [path.name for path in tmp_path.iterdir()] == ["digest.db"]
    assert stat.S_IMODE((tmp_path / "digest.db").stat().st_mode) == 0o600


def test_sqlite_is_copied_before_it_upgrades_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'digest.db'}"
    store = open_store(url, NOW)
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    store.close()

    # There is no step 0000 to go on from, so the upgrade itself fails: the copy is there all the same.
    with pytest.raises(StoreError, match="0000"):
        open_store(url, NOW)

    assert (tmp_path / "digest.db.20260612T053000.backup").is_file()


@contextmanager
def raise_version(url: str, compatible_since: str | None) -> Iterator[None]:
    """Make the tables those of a newer release, which says since when a release can work on them, for a while."""
    store = open_store(url, NOW)
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        tx.exec_driver_sql("DELETE FROM notes WHERE name = 'compatible_since'")
        if compatible_since:
            clock.set_note(tx, "compatible_since", compatible_since)
    try:
        yield
    finally:  # other tests use the database again
        with store.begin_write() as tx:
            tx.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{LATEST_MIGRATION}'")
        store.close()


@pytest.mark.parametrize("compatible_since", [None, "9998"])
def test_a_newer_database_is_not_touched(store_url: str, compatible_since: str | None) -> None:
    with raise_version(store_url, compatible_since), pytest.raises(StoreError, match="newer digest"):
        open_store(store_url, NOW)


def test_a_newer_database_is_used_while_its_release_says_that_this_one_can(store_url: str) -> None:
    with raise_version(store_url, LATEST_MIGRATION):
        store = open_store(store_url, NOW)
        with store.begin_read() as tx:
            assert find_newer_tables(tx) is None
        store.close()


def test_a_release_that_has_become_too_old_meanwhile_is_told(store_url: str) -> None:
    store = open_store(store_url, NOW)
    with store.begin_write() as tx:
        assert find_newer_tables(tx) is None
        clock.set_note(tx, "compatible_since", "9998")
        assert "install the new release" in str(find_newer_tables(tx))
    store.close()


@pytest.mark.parametrize("url", ["mysql://localhost/x", "nonsense", "sqlite:////nowhere/at/all/digest.db"])
def test_a_database_that_cannot_be_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises((ConfigError, StoreError), match=r"sqlite:///digest\.db|cannot be opened"):
        open_store(url, NOW)
