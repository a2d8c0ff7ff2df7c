"""A real streaming replica: whether it can be used, and how far it is behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.engine import make_url

from digest.errors import OtherDatabaseError, StoreBusyError, StoreError
from digest.store.database.engine import LATEST_MIGRATION, Store, open_store
from digest.store.database.postgres import server_identity
from digest.store.database.replica import MAX_LAG, Replica
from digest.store.database.tables.digests import notes
from digest.store.operations.server_activity import Replication, read_replication
from tests.store.conftest import NOW
from tests.support.postgres import ReplicatedPostgres, make_driver_address
from tests.support.timeouts import PATIENCE


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def primary(replicated_url: str) -> Iterator[Store]:
    store = open_store(replicated_url, NOW)
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def replica(
    replicated_postgres: ReplicatedPostgres, replicated_url: str, primary: Store, clock: Clock
) -> Iterator[Replica]:
    """A replica that has been found usable."""
    replica = Replica(replicated_postgres.make_replica_url(replicated_url), primary, clock)
    wait_until(lambda: not check(replica))
    yield replica
    replica.close()


def check(replica: Replica) -> str:
    """What is wrong with the replica now."""
    replica.check(replica.read_primary())
    return replica.trouble


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def write(store: Store, name: str = "written") -> None:
    with store.begin_write() as tx:
        tx.execute(notes.insert().values(name=name, value="1"))


def read_names(store: Store) -> set[str]:
    with store.begin_read() as tx:
        return set(tx.execute(select(notes.c.name)).scalars())


def test_a_replica_is_used_when_it_has_caught_up(
    replicated_postgres: ReplicatedPostgres, replicated_url: str, primary: Store
) -> None:
    with replicated_postgres.pause_replay():
        write(primary)
        replica = Replica(replicated_postgres.make_replica_url(replicated_url), primary)
        assert check(replica) == "it has not caught up with the primary yet"
        with pytest.raises(StoreError, match="not used: it has not caught up"):
            read_names(replica.store)
    wait_until(lambda: not check(replica))

    assert "written" in read_names(replica.store)
    replica.close()


def test_nothing_can_be_written_to_a_replica(replica: Replica) -> None:
    with pytest.raises(StoreError, match="read-only transaction"):
        write(replica.store)


def test_a_replica_has_a_position_of_the_primary_once_it_has_applied_it(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store
) -> None:
    with replicated_postgres.pause_replay():
        write(primary)
        position = replica.read_write_position()
        assert not check(replica)
        assert not replica.has_replayed(position)
        assert "written" not in read_names(replica.store)
    wait_until(lambda: not check(replica) and replica.has_replayed(position))

    assert "written" in read_names(replica.store)


def test_a_replica_of_an_idle_primary_is_never_behind(replica: Replica, clock: Clock) -> None:
    for _ in range(3):
        clock.seconds += MAX_LAG * 10
        wait_until(lambda: not check(replica))
        assert replica.lag == 0


def test_a_replica_that_is_too_far_behind_is_not_used_until_it_has_caught_up(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store, clock: Clock
) -> None:
    with replicated_postgres.pause_replay():
        write(primary)
        clock.seconds += MAX_LAG
        assert not check(replica)
        clock.seconds += 1
        assert check(replica) == "it is 61 s behind the primary"
        with pytest.raises(StoreError):
            read_names(replica.store)
    wait_until(lambda: not check(replica))


def test_a_busy_primary_leaves_a_replica_usable_that_follows_it(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store, clock: Clock
) -> None:
    for number in range(5):
        with replicated_postgres.pause_replay():
            write(primary, f"note {number}")
            clock.seconds += MAX_LAG / 2
            assert not check(replica)
        replicated_postgres.wait_for_replay()

    assert not check(replica)


def test_a_replica_that_dies_is_left_alone_for_a_while_and_used_again(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store, clock: Clock
) -> None:
    read_names(replica.store)
    replicated_postgres.crash_replica()
    with pytest.raises(StoreError):
        read_names(replica.store)
    assert replica.failures == 1
    assert "database says" in replica.trouble
    replicated_postgres.start_replica()
    clock.seconds += 9
    assert check(replica)  # it has not been asked
    clock.seconds += 2
    wait_until(lambda: not check(replica))

    write(primary)
    replicated_postgres.wait_for_replay()
    assert "written" in read_names(replica.store)


def test_a_read_that_hangs_ends_as_soon_as_the_replica_is_given_up(
    replicated_postgres: ReplicatedPostgres, replica: Replica
) -> None:
    with replica.store.begin_read() as tx:
        tx.execute(text("SELECT 1"))
        with replicated_postgres.freeze_replica():
            replica.give_up("it does not answer")
            with pytest.raises(Exception, match=r"closed the connection|could not receive"):
                tx.execute(text("SELECT 1"))


def test_a_connection_that_hangs_while_it_is_opened_ends_likewise(
    replicated_postgres: ReplicatedPostgres,
    replicated_url: str,
    primary: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_identity, "_SELECT_SERVER", "SELECT pg_sleep(600)")
    replica = Replica(replicated_postgres.make_replica_url(replicated_url), primary)
    checking = threading.Thread(target=replica.check, args=(replica.read_primary(),), daemon=True)
    checking.start()
    wait_until(lambda: replicated_postgres.is_replica_asked("SELECT pg_sleep"))

    replica.give_up("it does not answer")
    checking.join(PATIENCE)
    assert not checking.is_alive()
    replica.close()


def test_a_conflict_with_what_is_applied_concerns_one_read(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store
) -> None:
    write(primary)
    replicated_postgres.wait_for_replay()

    def read_during_vacuum() -> None:
        with replica.store.begin_read() as tx:
            tx.execute(select(notes)).all()
            with primary.begin_write() as writing:
                writing.execute(delete(notes).where(notes.c.name == "written"))
            vacuum(primary)
            wait_until(lambda: bool(tx.execute(select(notes)).all()) and False)

    with replicated_postgres.apply_at_once(), pytest.raises(StoreBusyError, match="conflict with recovery"):
        read_during_vacuum()

    assert replica.failures == 1
    assert not replica.trouble
    assert "written" not in read_names(replica.store)


def vacuum(store: Store) -> None:
    with psycopg.connect(
        make_driver_address(store.engine.url.render_as_string(hide_password=False)), autocommit=True
    ) as connection:
        connection.execute("VACUUM notes")


def test_another_database_is_no_replica(
    replicated_postgres: ReplicatedPostgres, replicated_url: str, primary: Store
) -> None:
    other = make_url(replicated_postgres.make_replica_url(replicated_url)).set(database="postgres")
    replica = Replica(other.render_as_string(hide_password=False), primary)

    assert check(replica) == "another database or schema than at [store] url answers at [store] read_url"
    replica.close()


def test_another_schema_is_no_replica(
    replicated_postgres: ReplicatedPostgres, replicated_url: str, primary: Store
) -> None:
    with primary.engine.begin() as connection:
        connection.exec_driver_sql("CREATE SCHEMA other")
        connection.exec_driver_sql("CREATE TABLE other.alembic_version AS TABLE alembic_version")
    replicated_postgres.wait_for_replay()
    url = make_url(replicated_postgres.make_replica_url(replicated_url))
    other = url.update_query_dict({"options": "-csearch_path=other"})
    replica = Replica(other.render_as_string(hide_password=False), primary)

    assert "another database or schema" in check(replica)
    replica.close()


def test_a_replica_of_another_primary_is_never_used(
    replicated_postgres: ReplicatedPostgres, replicated_url: str, primary: Store, clock: Clock
) -> None:
    with replicated_postgres.copy_primary() as copy_address:
        write(primary)
        replicated_postgres.wait_for_replay()
        copy_url = make_url(copy_address).set(database=make_url(replicated_url).database)
        copy = open_store(copy_url.render_as_string(hide_password=False), NOW)
        replica = Replica(replicated_postgres.make_replica_url(replicated_url), copy, clock)

        for _ in range(3):
            assert check(replica) == "it has not caught up with the primary yet"
            assert "ahead of the primary" in check(replica)
            clock.seconds += 11
        replica.close()
        copy.close()


def test_a_position_has_settled_when_nothing_older_can_be_in_the_cache(
    replica: Replica, primary: Store, clock: Clock
) -> None:
    write(primary)
    position = replica.read_write_position()
    wait_until(lambda: not check(replica) and replica.has_replayed(position))
    assert replica.has_settled(0)
    for _ in range(2):
        assert not replica.has_settled(position)
        clock.seconds += 10
        check(replica)
    check(replica)
    clock.seconds += 10
    check(replica)
    assert replica.has_settled(position)

    replica.give_up("it is replaced")
    assert not replica.has_settled(position)


def test_the_primary_is_no_replica(replicated_url: str, primary: Store) -> None:
    replica = Replica(replicated_url, primary)

    assert "is no replica" in check(replica)
    replica.close()


def test_a_replica_with_the_tables_of_an_earlier_release_is_not_used(
    replicated_postgres: ReplicatedPostgres, replica: Replica, primary: Store, clock: Clock
) -> None:
    def set_version(version: str) -> None:
        with primary.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
        replicated_postgres.wait_for_replay()

    set_version("0001")
    assert check(replica) == "its tables are not yet those of this release"
    set_version(LATEST_MIGRATION)
    clock.seconds += 11
    wait_until(lambda: not check(replica))


def test_connections_to_two_servers_are_never_mixed(
    replicated_postgres: ReplicatedPostgres, replica: Replica
) -> None:
    read_names(replica.store)
    replicated_postgres.crash_replica()
    replicated_postgres.start_replica()  # another server could be behind what this one was before

    with pytest.raises(OtherDatabaseError, match="several servers answer"):
        read_names(replica.store)
    assert "several servers answer" in replica.trouble


# --- what the primary says ------------------------------------------------------------------------


def load_replication(store: Store) -> Replication:
    with store.begin_read() as tx:
        replication = read_replication(tx)
    assert replication is not None
    return replication


def test_the_primary_tells_the_lag_of_its_replica(
    replicated_postgres: ReplicatedPostgres, primary: Store
) -> None:
    wait_until(lambda: load_replication(primary).replicas == 1)
    with replicated_postgres.pause_replay():
        write(primary)
        number = iter(range(1_000_000))

        def is_behind() -> bool:
            write(primary, f"note {next(number)}")  # an idle primary learns of no lag
            return load_replication(primary).lag_seconds > 0.5

        wait_until(is_behind)
    replicated_postgres.wait_for_replay()
    wait_until(lambda: load_replication(primary).lag_seconds < 0.5)


def test_a_base_backup_is_no_replica(replicated_postgres: ReplicatedPostgres, primary: Store) -> None:
    wait_until(lambda: load_replication(primary).replicas == 1)
    with psycopg.connect(
        make_driver_address(replicated_postgres.url), autocommit=True, replication="database"
    ):
        assert load_replication(primary).replicas == 1
