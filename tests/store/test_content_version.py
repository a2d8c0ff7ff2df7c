from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

import pytest

from digest.model import PaperSelection, Signal
from digest.store import people
from digest.store.database.content_version import read_content_version
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import ledger
from digest.store.matching import search_index
from digest.store.papers import imports, papers, signals
from digest.store.people import BylineRef
from tests.store.factories import DAY, NOW, announce, make_new_listing, make_paper

BYLINE = BylineRef(1, 0, "Ada Lovelace")
KEY = make_paper(1).key


def read_version(store: Store) -> int:
    with store.begin_read() as tx:
        return read_content_version(tx)


@contextmanager
def watch(store: Store, *, changes: bool) -> Iterator[None]:
    """Make sure that the block changes the version, or does not."""
    before = read_version(store)
    yield
    assert (read_version(store) > before) == changes


def withdraw(tx: Transaction) -> None:
    people.save_person_ids(tx, BYLINE, [("orcid", "0000")], by="operator", at=NOW)
    people.withdraw_statements(tx, people.load_person_ids(tx, {1}), NOW)


def finish_import(tx: Transaction) -> None:
    begun = imports.open_import(
        tx, file_name="f", file_hash="h", source="arxiv", selection=PaperSelection(), now=NOW
    )
    imports.save_progress(tx, begun, begun)


CHANGES: dict[str, Callable[[Transaction], object]] = {
    "a number": lambda tx: signals.save_signals(
        tx, [Signal(subject=KEY, kind="votes", source="arxiv", day=DAY, value=1)]
    ),
    "an ID of a person": lambda tx: people.save_person_ids(
        tx, BYLINE, [("orcid", "0000")], by="operator", at=NOW
    ),
    "two persons who are one": lambda tx: people.save_same_person(
        tx, [(BYLINE, BylineRef(1, 1, "A. Lovelace"))], same=True, by="operator", at=NOW
    ),
    "a withdrawn statement": withdraw,
    "an import": finish_import,
    "a new section": lambda tx: ledger.declare_sections(tx, "arxiv", ["cs.XX"], DAY),
    "a removed section": lambda tx: ledger.remove_sections(tx, [], NOW),
    "an ID that is another paper's": lambda tx: papers.set_apart(
        tx, 1, "arxiv", KEY.removeprefix("arxiv:"), apart=True
    ),
    "an index that is complete": search_index.mark_complete,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_pages_show_has_another_version_after(
    store: Store, change: Callable[[Transaction], object]
) -> None:
    announce(store, make_new_listing(1))
    with watch(store, changes=True), store.begin_ingest() as tx:
        change(tx)


def test_a_paper_changes_the_version_and_the_same_paper_again_does_not(store: Store) -> None:
    with watch(store, changes=True):
        announce(store, make_new_listing(1))
    with watch(store, changes=False):
        announce(store, make_new_listing(1))
    with watch(store, changes=True):
        announce(store, make_new_listing(1, doi="10.1000/known-now"))
    with watch(store, changes=False), store.begin_ingest() as tx:
        signals.save_signals(tx, [])
        signals.prune_days(tx, date(2020, 1, 1), date(2020, 2, 1))
    with watch(store, changes=False), pytest.raises(ZeroDivisionError), store.begin_ingest() as tx:
        CHANGES["a number"](tx)
        raise ZeroDivisionError
