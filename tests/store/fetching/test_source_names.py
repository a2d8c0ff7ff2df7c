"""Sources that an earlier release stored under other names: everything of theirs goes with them."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select

from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.digests import slots
from digest.store.database.tables.papers import batches, sections, signals, source_state
from digest.store.fetching.source_names import rename_sources
from tests.store.factories import DAY, NOW, declare, make_digest

EACH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
NAMES = st.sampled_from("abcdefgh")


@EACH
@given(chosen=st.permutations("abcdefgh"), count=st.integers(1, 8), moved=st.frozensets(NAMES, min_size=1))
def test_every_row_of_a_feed_follows_its_feed(
    store: Store, chosen: list[str], count: int, moved: frozenset[str]
) -> None:
    stored = "abcdefgh"[:count]
    names = {former: name for former, name in zip("abcdefgh", chosen, strict=True) if former in moved}
    declared = {*names.values(), *(text for text in stored if text not in names)}
    renamed, results = _rename_and_take_back(store, stored, names, declared)

    assert results == {renamed.get(name, name): {f"row of {name}"} for name in stored}
    assert renamed.items() <= names.items()
    if set(names.values()) == names.keys() <= set(stored):  # circles alone
        assert renamed == {former: name for former, name in names.items() if former != name}


def _rename_and_take_back(
    store: Store, stored: str, names: dict[str, str], declared: set[str]
) -> tuple[dict[str, str], dict[str, set[str]]]:
    """What was renamed, and whose rows are by which name then; nothing of it stays."""
    with store.begin_write() as tx:
        for name in stored:
            _insert_rows(tx, name)
        result = rename_sources(tx, names, declared), _rows_by_source(tx)
        for table in (sections, source_state, batches, signals):
            tx.execute(delete(table))
    return result


def _insert_rows(tx: Transaction, name: str) -> None:
    mark = f"row of {name}"
    tx.execute(insert(sections), {"source": name, "section": mark, "since": DAY})
    tx.execute(insert(source_state), {"source": name, "section": mark, "route": "feed"})
    row = {"source": name, "section": mark, "day": DAY, "state": "waiting", "due_at": NOW}
    tx.execute(insert(batches), row)
    row = {"subject": mark, "kind": "votes", "source": name, "day": DAY, "value": 1.0}
    tx.execute(insert(signals), row)


def _rows_by_source(tx: Transaction) -> dict[str, set[str]]:
    marks = (sections.c.section, source_state.c.section, batches.c.section, signals.c.subject)
    results: dict[str, set[str]] = {}
    for mark in marks:
        for source, marked in tx.execute(select(mark.table.c.source, mark)):
            results.setdefault(source, set()).add(marked)
    return results


def test_slots_wait_for_the_sources_that_they_waited_for(store: Store) -> None:
    declare(store, make_digest("x", wait_for=("a", "b")), make_digest("y", wait_for=("b",)))
    with store.begin_planning() as tx:
        for name in "ab":
            _insert_rows(tx, name)
        rename_sources(tx, {"a": "b", "b": "a"}, "ab")
        waited = set(tx.execute(select(slots.c.waits_for)).scalars())

    assert waited == {"a\nb", "a"}
