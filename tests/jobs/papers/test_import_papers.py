"""Papers of earlier years: they come in once, in pieces that each say where to go on, and no digest hears of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from digest.errors import ConfigError
from digest.jobs.papers import import_papers as job
from digest.jobs.papers.import_papers import ImportContinuedElsewhereError, ImportProgress, import_papers
from digest.jobs.papers.record_file import DamagedFileError
from digest.model import Author, ImportCounts, ListingKind, Paper, PaperImport, PaperKey, PaperSelection
from digest.store.database.engine import Store
from digest.store.fetching.coverage import load_coverage
from digest.store.matching import search_index
from digest.store.papers import imports
from tests.generators.metadata_snapshot import FORMS, make_lines, make_record, make_records, write_snapshot
from tests.simulation.pull_workspace import PAPER_TABLES, load_contents
from tests.store.factories import (
    NOW,
    announce,
    harvest,
    list_events,
    load_paper,
    make_article,
    make_cross_listing,
    make_new_listing,
    make_replacement,
)
from tests.store.store_copies import open_filled_copy

ALL = PaperSelection()


class Stopped(Exception):  # noqa: N818 - it stands for Ctrl-C
    """An import was stopped."""


def run(
    store: Store,
    path: Path,
    selection: PaperSelection = ALL,
    report: Callable[[ImportProgress], None] = lambda _progress: None,
    now: datetime = NOW,
) -> PaperImport:
    return import_papers(store, path, selection, lambda: now, report)


def write(folder: Path, *records: Mapping[str, Any], name: str = "arxiv.json") -> Path:
    return write_snapshot(folder / name, map(json.dumps, records))


def write_many(folder: Path, count: int = 300, *, name: str = "arxiv.json", seed: int = 7) -> Path:
    return write_snapshot(
        folder / name, make_lines(make_records(Random(seed), count), Random(seed), broken=0.03)
    )


def dump(store: Store, *, without: Iterable[str] = ()) -> dict[str, list[tuple[Any, ...]]]:
    url = store.engine.url.render_as_string(hide_password=False)
    return load_contents(url, *[name for name in PAPER_TABLES if name not in without])


@pytest.fixture(autouse=True)
def _small_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "_MAX_PAPERS", 40)


# --- what comes in --------------------------------------------------------------------------------


def test_papers_come_with_their_authors_and_into_the_index_and_make_no_events(
    store: Store, tmp_path: Path
) -> None:
    path = write(
        tmp_path,
        make_record(
            "2401.00001", title="A sparse cache", authors=["Wei Wang", "Ada Lovelace"], doi="10.1000/A"
        ),
        make_record("math/0309136", title="Knots", submitted=date(2003, 9, 8), categories=["math.GT"]),
    )

    done = run(store, path)

    assert done.counts == ImportCounts(added=2)
    assert (done.first_day, done.last_day) == (date(2003, 9, 8), date(2026, 5, 5))
    assert done.finished_at == NOW
    contents = dump(store)
    assert [key for key, _ in contents["papers"]] == ["arxiv:2401.00001", "arxiv:math/0309136"]
    assert [name for _, _, _, name, *_ in contents["authorships"]] == [
        "Wei Wang",
        "Ada Lovelace",
        "Ada Lovelace",
    ]
    assert ("arxiv:2401.00001", "doi", "10.1000/a") in {claim[:3] for claim in contents["claims"]}
    assert contents["events"] == contents["listings"] == []
    with store.begin_read() as tx:
        assert search_index.count_missing(tx) == 0


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_file_brings_the_same(tmp_path: Path, form: str) -> None:
    results = []
    for name in ("plain.json", f"packed.{form}"):
        store = open_filled_copy(tmp_path, lambda _store: None)
        done = run(store, write_many(tmp_path, name=name))
        results.append(
            (done.counts, done.broken_records, done.position, dump(store, without=["paper_imports"]))
        )
        store.close()
        (tmp_path / "digest.db").unlink()

    assert results[0] == results[1]
    assert results[0][0].added > 200


def test_the_same_file_again_changes_nothing(store: Store, tmp_path: Path) -> None:
    path = write_many(tmp_path)
    first = run(store, path)
    before = dump(store)

    assert run(store, path, now=NOW + timedelta(days=1)) == first
    assert dump(store) == before


def test_the_same_papers_in_another_file_are_known(store: Store, tmp_path: Path) -> None:
    first = run(store, write_many(tmp_path))
    before = dump(store, without=["paper_imports"])

    again = run(store, write_many(tmp_path, name="arxiv.json.gz"))

    assert again.counts == ImportCounts(known=first.counts.papers, broken=first.counts.broken)
    assert dump(store, without=["paper_imports"]) == before


def test_broken_records_are_counted_and_the_first_ones_named(store: Store, tmp_path: Path) -> None:
    lines = [json.dumps(make_record(f"2401.{number:05}", title=f"Paper {number}")) for number in range(50)]
    broken = [f'{{"id": "2402.{number:05}"}}' for number in range(100)]
    path = write_snapshot(
        tmp_path / "arxiv.json", [*lines[:25], "", *broken[:50], *lines[25:], *broken[50:], ""]
    )

    done = run(store, path)

    assert done.counts == ImportCounts(added=50, broken=100)
    assert done.broken_records == tuple(f"2402.{number:05}: no title" for number in range(20))


def test_a_part_can_be_selected_and_the_rest_comes_later(store: Store, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        make_record("2401.00001", title="A", categories=["cs.LG"], submitted=date(2024, 1, 5)),
        make_record("1901.00001", title="B", categories=["cs.LG"], submitted=date(2019, 1, 5)),
        make_record("2401.00002", title="C", categories=["math.PR"], submitted=date(2024, 1, 5)),
    )

    part = run(store, path, PaperSelection(categories=("cs",), since=date(2020, 1, 1)))
    assert part.counts == ImportCounts(added=1, unselected=2)
    whole = run(store, path)
    assert whole.counts == ImportCounts(added=2, known=1)


# --- what is known already ------------------------------------------------------------------------


def test_a_paper_that_is_listed_twice_is_the_newest_of_both(store: Store, tmp_path: Path) -> None:
    old = make_record("2401.00001", title="Old", comments="9 pages")
    new = make_record("2401.00001", title="New", versions=3)

    done = run(store, write(tmp_path, old, new, old))

    assert done.counts == ImportCounts(added=1, known=2)
    paper = load_paper(store, PaperKey("arxiv:2401.00001"))
    assert (paper.title, paper.version, paper.comment) == ("New", 3, "9 pages")


def test_a_record_without_versions_is_of_the_version_that_is_known(store: Store, tmp_path: Path) -> None:
    announce(store, make_replacement(1, 4, title="Stated"))
    run(
        store,
        write(tmp_path, make_record("2606.00001", title="Stated", comments="9 pages") | {"versions": []}),
    )

    paper = load_paper(store, PaperKey("arxiv:2606.00001"))
    assert (paper.version, paper.comment) == (4, "9 pages")


def test_a_preprint_joins_its_publication_and_neither_is_news(store: Store, tmp_path: Path) -> None:
    harvest(
        store,
        make_article("10.1000/a", title="As published", authors=(Author("Wei Wang"),)),
        source="crossref",
    )
    events = list_events(store)

    done = run(store, write(tmp_path, make_record("2401.00001", title="As posted", doi="10.1000/A")))

    assert done.counts == ImportCounts(grown=1)
    assert dump(store)["papers"] == [("arxiv:2401.00001", None), ("doi:10.1000/a", "arxiv:2401.00001")]
    assert list_events(store) == events


texts = st.sampled_from(["", "short", "a longer text", "another longer text"])
authors = st.lists(st.sampled_from(["Wei Wang", "W. Wang", "Ada Lovelace"]), max_size=3)
categories = st.lists(st.sampled_from(["cs.LG", "stat.ML", "math.PR"]), unique=True, max_size=3)


@given(
    st.builds(
        Paper,
        key=st.just(PaperKey("arxiv:2401.00001")),
        title=st.just("A title"),
        abstract=texts,
        authors=authors.map(
            lambda names: tuple(Author(name, ("ETH",), (("orcid", name),)) for name in names)
        ),
        categories=categories.map(tuple),
        version=st.integers(1, 3),
        url=st.just("https://arxiv.org/abs/2401.00001"),
        comment=texts,
        journal_ref=texts,
        doi=st.sampled_from(["", "10.1000/a"]),
    ),
    st.sampled_from(["arxiv", "hf_daily", "zeta"]),
    st.builds(
        make_record,
        st.just("2401.00001"),
        title=st.sampled_from(["A title", "Another title"]),
        abstract=texts,
        authors=authors,
        categories=categories,
        versions=st.integers(1, 3),
        comments=texts,
        journal_ref=texts,
        doi=st.sampled_from([None, "10.1000/a", "10.1000/b"]),
    ),
)
@settings(max_examples=30)
def test_what_is_known_grows_and_never_shrinks(
    tmp_path_factory: pytest.TempPathFactory, known: Paper, source: str, record: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("grow")
    store = open_filled_copy(folder, lambda _store: None)
    harvest(store, known, source=source)
    before = load_paper(store, known.key)

    done = run(store, write(folder, record))

    after = load_paper(store, known.key)
    assert done.counts.grown == (before != after)
    assert after.version >= before.version
    for field in fields(Paper):
        old, new = getattr(before, field.name), getattr(after, field.name)
        assert new or not old, field.name
        if field.name in {"categories", "ids"}:
            assert {*old} <= {*new}
    statements = dump(store)["statements"]
    assert {row[1] for row in statements} == {source, "arxiv"}
    store.close()


# --- digests --------------------------------------------------------------------------------------


def test_a_paper_that_was_new_here_grows_without_an_event(store: Store, tmp_path: Path) -> None:
    announce(store, make_new_listing(1))
    events = list_events(store)

    record = make_record("2606.00001", title="Paper 1", categories=["cs.LG", "stat.ML"], doi="10.1000/a")
    done = run(store, write(tmp_path, record))

    assert done.counts == ImportCounts(grown=1)
    assert list_events(store) == events
    announce(store, make_new_listing(1), day=date(2026, 6, 15))
    assert list_events(store) == events, "later listings find nothing that is new"


@pytest.mark.parametrize(
    ("listing", "event"),
    [
        (make_new_listing(1), ("new", 0)),
        (make_cross_listing(1, categories=("math.PR", "cs.LG")), ("new", 0)),
        (make_replacement(1, 2), ("version", 2)),
        (make_replacement(1, 3), ("version", 3)),
    ],
)
def test_an_imported_paper_makes_the_events_of_its_day(
    store: Store, tmp_path: Path, listing: Any, event: tuple[str, int]
) -> None:
    """It may have been in the file before its section announced it here."""
    run(store, write(tmp_path, make_record("2606.00001", title="Paper 1", versions=2)))

    announce(store, listing)

    assert list_events(store) == [(1, "00001", *event)]
    assert listing.kind in ListingKind


# --- interruptions --------------------------------------------------------------------------------


class StopAfter:
    """Stops an import after so many transactions, and notes how many papers it had after the first one."""

    def __init__(self, transactions: int) -> None:
        self.transactions = transactions
        self.papers: list[int] = []

    def __call__(self, progress: ImportProgress) -> None:
        if not progress.is_hashing:
            self.papers.append(progress.papers)
            if len(self.papers) == self.transactions:
                raise Stopped


def test_an_import_that_is_stopped_goes_on_where_it_stopped(store: Store, tmp_path: Path) -> None:
    path = write_many(tmp_path)
    starts = []
    for transactions in (1, 2, 1, 3):
        stop = StopAfter(transactions)
        with pytest.raises(Stopped):
            run(store, path, report=stop)
        starts.append(stop.papers[0])
    done = run(store, path)

    (tmp_path / "calm").mkdir()
    other = open_filled_copy(tmp_path / "calm", lambda _store: None)
    calm = run(other, path)
    assert done.counts == calm.counts
    assert starts == sorted(set(starts)), "each began behind the last one"
    assert dump(store) == dump(other)
    other.close()


def test_a_file_that_is_cut_off_brings_what_is_left_of_it(store: Store, tmp_path: Path) -> None:
    path = write_many(tmp_path, name="arxiv.json.gz")
    path.write_bytes(path.read_bytes()[:-2000])

    with pytest.raises(DamagedFileError):
        run(store, path)

    with store.begin_read() as tx:
        (stopped,) = imports.list_imports(tx)
        assert load_coverage(tx).imports == ()
    assert stopped.finished_at is None
    assert stopped.counts.papers > 100


def test_of_two_that_import_the_same_file_one_is_told_and_changes_nothing(
    store: Store, tmp_path: Path
) -> None:
    path = write_many(tmp_path)
    calm = dump(store)
    state: list[Any] = []

    def overtake(progress: ImportProgress) -> None:
        if not progress.is_hashing and not state:
            state.append(run(store, path))
            state.append(dump(store))

    with pytest.raises(ImportContinuedElsewhereError):
        run(store, path, report=overtake)

    assert calm != dump(store) == state[1]


# --- other files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", ["", "\n\n", "@article{a, title={B}}\n" * 200, "[\n{}\n]\n", '{"id": "2401.00001"}']
)
def test_another_file_is_refused_and_leaves_nothing(store: Store, tmp_path: Path, content: str) -> None:
    (tmp_path / "refs.bib").write_text(content)
    before = dump(store)

    with pytest.raises(ConfigError, match="is not arXiv's metadata snapshot"):
        run(store, tmp_path / "refs.bib")

    assert dump(store) == before


# --- what the database knows ----------------------------------------------------------------------


def test_what_is_known_of_earlier_years_is_told_beside_what_is_announced(
    store: Store, tmp_path: Path
) -> None:
    with store.begin_read() as tx:
        assert load_coverage(tx).complete_since is load_coverage(tx).imported_until is None
    announce(store, make_new_listing(1))
    run(store, write(tmp_path, make_record("1901.00001", title="A", submitted=date(2019, 1, 5))))
    run(
        store,
        write(tmp_path, make_record("2401.00001", title="B", submitted=date(2024, 1, 5)), name="b.json"),
    )

    with store.begin_read() as tx:
        coverage = load_coverage(tx)
        since = tx.execute(text("SELECT since FROM sections")).scalar_one()

    assert (
        [f"{day}" for day in coverage.announced_since.values()]
        == [f"{coverage.complete_since}"]
        == [f"{since}"]
    )
    assert (coverage.imported_from, coverage.imported_until) == (date(2019, 1, 5), date(2024, 1, 6))
    assert [paper_import.file_name for paper_import in coverage.imports] == ["b.json", "arxiv.json"]
