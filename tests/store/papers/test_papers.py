from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from digest.model import Author, Listing, ListingKind, Paper, PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.papers import papers as paper_rows
from digest.store.database.tables.papers import statements
from digest.store.fetching import listings
from digest.store.papers import papers
from digest.store.papers.papers import PaperChange
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    DAY,
    announce,
    ensure_batch,
    harvest,
    limit_statement_size,
    list_events,
    load_paper,
    make_article,
    make_cross_listing,
    make_new_listing,
    make_paper,
    make_replacement,
    run_concurrently,
)

ONE = make_paper(1).key


def keep(store: Store, *sent_papers: Paper, source: str = "arxiv") -> dict[PaperKey, PaperChange]:
    with store.begin_ingest() as tx:
        return papers.save_papers(tx, source, sent_papers)


def said(store: Store) -> list[tuple[str, str, int]]:
    """The statements: source, key and version."""
    with store.begin_read() as tx:
        keyed = select(statements, paper_rows.c.key).join(
            paper_rows, paper_rows.c.id == statements.c.paper_id
        )
        return sorted((row.source, row.key, row.version) for row in tx.execute(keyed))


def content(tx: Transaction) -> dict[str, Any]:
    """All that is kept of papers, by their keys."""
    keys = {row.id: row.key for row in tx.execute(select(paper_rows))}
    return {
        "roots": {
            row.key: keys[row.merged_into] if row.merged_into else row.key
            for row in tx.execute(select(paper_rows))
        },
        "said": {
            repr((keys[number], statement))
            for number, statements in papers.load_statements(tx, keys).items()
            for statement in statements
        },
        "claims": set(papers.list_claims_on_papers(tx, keys)),
        "wholes": {keys[number]: paper for number, paper in papers.load_papers(tx, keys).items()},
    }


def kept(store: Store) -> dict[str, Any]:
    with store.begin_read() as tx:
        return content(tx)


def roots(store: Store) -> dict[str, str]:
    roots: dict[str, str] = kept(store)["roots"]
    return roots


# --- what sources say -----------------------------------------------------------------------------


def test_what_is_stored_comes_back_as_it_was(store: Store) -> None:
    paper = Paper(
        key=ONE,
        title="Ünïcode, “quotes” and $x_1$",
        abstract="What it is about.",
        authors=(
            Author("王小明", ("Tsinghua University", "MIT"), (("orcid", "0000-0002-1825-0097"),)),
            Author("O'Neil, J."),
            Author("", (), (("hf", "oneil"),)),
        ),
        categories=("cs.LG", "cs.DC"),
        version=3,
        url="https://arxiv.org/abs/2606.00001",
        pdf_url="https://arxiv.org/pdf/2606.00001",
        doi="10.1000/a(b)c",
        journal_ref="J. 1 (2026)",
        comment="12 pages",
        license_url="https://creativecommons.org/licenses/by/4.0/",
        ids=(("doi", "10.1000/a(b)c"), ("hf", "2606.00001")),
        code_urls=("https://github.com/a/b",),
        project_urls=("https://a.github.io/b",),
        organizations=("A Lab",),
        withdrawn=True,
    )
    keep(store, paper, make_paper(2))

    assert load_paper(store, ONE) == paper
    assert load_paper(store, make_paper(2).key) == make_paper(2)


def test_what_one_source_says_of_a_version_is_one_statement_however_often_it_says_it(store: Store) -> None:
    short = make_paper(1, categories=("cs.LG",))
    long = replace(short, comment="12 pages", categories=("cs.LG", "cs.DC"), doi="10.1000/one")
    for paper in (short, long, short, long):
        keep(store, paper)

    assert said(store) == [("arxiv", ONE, 1)]
    assert load_paper(store, ONE) == replace(long, categories=("cs.LG", "cs.DC"))


def test_every_version_and_every_source_speaks_for_itself_and_the_paper_shows_all(store: Store) -> None:
    keep(store, make_paper(1, title="First"), make_paper(1, version=2, title="Second", doi="10.1000/one"))
    mine = Author("Ada Lovelace", ("Analytical Engines",), (("hf", "ada"),))
    keep(
        store,
        replace(make_paper(1), title="As somebody else has it", authors=(mine,), organizations=("Engines",)),
        source="hf_daily",
    )

    assert said(store) == [("arxiv", ONE, 1), ("arxiv", ONE, 2), ("hf_daily", ONE, 1)]
    paper = load_paper(store, ONE)
    assert (paper.title, paper.version, paper.doi) == ("Second", 2, "10.1000/one")
    assert (paper.authors, paper.organizations) == ((mine,), ("Engines",))


def test_a_cross_listing_adds_its_categories_and_the_primary_one_stays_first(store: Store) -> None:
    announce(store, make_new_listing(1, categories=("cs.LG", "stat.ML")))
    announce(store, make_cross_listing(1, categories=("cs.LG", "cs.DC")), section="cs.DC")

    assert load_paper(store, ONE).categories == ("cs.LG", "cs.DC", "stat.ML")


def test_a_newer_version_takes_the_place_of_title_and_authors(store: Store) -> None:
    announce(store, make_new_listing(1, title="Old", authors=["A B", "C D", "E F"]))
    announce(store, make_replacement(1, 2, title="New", authors=["E F", "A B"]))
    announce(
        store, make_new_listing(1, title="Old", authors=["A B", "C D", "E F"]), day=DAY + timedelta(days=1)
    )

    paper = load_paper(store, ONE)
    assert (paper.title, paper.version) == ("New", 2)
    assert paper.authors == (Author("E F"), Author("A B"))


def test_who_keeps_papers_hears_what_they_were_and_what_they_are_now(store: Store) -> None:
    first = keep(store, make_paper(1), make_paper(2))
    again = keep(store, make_paper(1), make_paper(2, version=2))

    assert {key: (paper_change.before, paper_change.after) for key, paper_change in first.items()} == {
        make_paper(number).key: (None, make_paper(number)) for number in (1, 2)
    }
    assert (again[ONE].before, again[ONE].after) == (make_paper(1), make_paper(1))
    second = again[make_paper(2).key]
    assert second.before == make_paper(2)
    assert second.after == make_paper(2, version=2)
    assert [paper_change.number for paper_change in first.values()] == [
        paper_change.number for paper_change in again.values()
    ]


# --- papers that are one --------------------------------------------------------------------------

DOI = "10.1000/one"
ARTICLE = make_article(DOI, journal_ref="J. 1 (2026)")
ARTICLE_KEY = ARTICLE.key
PREPRINT = make_paper(1, doi=DOI)


@pytest.mark.parametrize("article_first", [False, True])
def test_a_preprint_and_its_article_are_one_whichever_comes_first(
    store: Store, *, article_first: bool
) -> None:
    tellings = [("arxiv", PREPRINT), ("journal", ARTICLE)]
    (source, paper), (last_source, last) = reversed(tellings) if article_first else tellings
    keep(store, paper, source=source)
    after = keep(store, last, source=last_source)[last.key].after

    assert roots(store) == {ARTICLE_KEY: ONE, ONE: ONE}
    full_paper = load_paper(store, ONE)
    assert full_paper == load_paper(store, ARTICLE_KEY) == after
    assert (full_paper.key, full_paper.title, full_paper.journal_ref) == (ONE, "Paper 1", "J. 1 (2026)")
    assert said(store) == [("arxiv", ONE, 1), ("journal", ARTICLE_KEY, 1)]
    assert kept(store)["claims"] == {
        (ONE, "arxiv", "2606.00001", False),
        (ONE, "doi", DOI, False),
        (ARTICLE_KEY, "doi", DOI, False),
    }


def test_two_keys_of_one_work_on_one_page_are_one(store: Store) -> None:
    both = keep(store, PREPRINT, ARTICLE)

    assert both[ONE].after == both[ARTICLE_KEY].after == load_paper(store, ONE)
    assert both[ONE].before is both[ARTICLE_KEY].before is None
    assert roots(store) == {ARTICLE_KEY: ONE, ONE: ONE}


def test_a_third_paper_that_knows_both_ids_brings_two_together(store: Store) -> None:
    keep(store, make_paper(1))
    keep(store, ARTICLE, source="journal")
    assert roots(store) == {ARTICLE_KEY: ARTICLE_KEY, ONE: ONE}

    bridge = Paper(
        key=PaperKey("url:https://example.org/1"),
        title="It",
        url="https://example.org/1",
        ids=(("arxiv", "2606.00001v2"), ("doi", f"https://doi.org/{DOI.upper()}")),
    )
    now = keep(store, bridge, source="blog")[bridge.key]

    assert set(roots(store).values()) == {ONE}
    assert now.before is not None, "it is no paper that nobody knew"
    assert now.after.title == "Paper 1"


def test_one_that_comes_to_a_known_paper_was_that_paper_before(store: Store) -> None:
    keep(store, PREPRINT)

    paper_change = keep(store, ARTICLE, source="journal")[ARTICLE_KEY]

    assert paper_change.before == PREPRINT
    assert paper_change.after.journal_ref == "J. 1 (2026)"


def test_two_preprints_that_claim_one_article_are_not_made_one(store: Store) -> None:
    keep(store, PREPRINT)
    keep(store, ARTICLE, source="journal")
    keep(store, make_paper(2, doi=DOI))

    assert roots(store) == {key: key for key in (ARTICLE_KEY, ONE, make_paper(2).key)}


def test_an_id_set_apart_parts_just_that_and_joined_again_it_is_as_before(store: Store) -> None:
    keep(store, PREPRINT, make_paper(2, doi="10.1000/two"))
    keep(store, ARTICLE, make_article("10.1000/two"), source="journal")
    before = kept(store)
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [ONE])[ONE]
        assert papers.set_apart(tx, number, "doi", DOI, apart=True)

    parted = kept(store)
    assert parted["roots"] == before["roots"] | {ARTICLE_KEY: ARTICLE_KEY}
    assert parted["said"] == before["said"]
    assert parted["claims"] == before["claims"] - {(ONE, "doi", DOI, False)} | {(ONE, "doi", DOI, True)}
    assert load_paper(store, ONE) == PREPRINT
    assert load_paper(store, ARTICLE_KEY) == ARTICLE

    # Sources go on to say so; who knows better is believed.
    keep(store, PREPRINT)
    assert kept(store) == parted

    with store.begin_ingest() as tx:
        assert papers.set_apart(tx, number, "doi", DOI, apart=False)
    assert kept(store) == before


def test_an_id_that_nobody_claimed_cannot_be_set_apart(store: Store) -> None:
    keep(store, PREPRINT)
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [ONE])[ONE]
        assert not papers.set_apart(tx, number, "doi", "10.1000/other", apart=True)


def test_a_paper_is_found_by_any_id_unless_that_is_several_papers(store: Store) -> None:
    keep(store, PREPRINT)
    keep(store, ARTICLE, source="journal")
    keep(store, make_paper(2, doi="10.1000/shared"), make_paper(3, doi="10.1000/shared"), make_paper(4))
    keep(store, make_article("10.1000/four", ids=(("arxiv", "2606.00004"), ("arxiv", "2606.00005"))))
    with store.begin_read() as tx:
        number = papers.find_papers(tx, [ONE])[ONE]
        assert papers.find_by_id(tx, "arxiv", "2606.00001") == number
        assert papers.find_by_id(tx, "doi", DOI) == number
        assert papers.find_by_id(tx, "doi", "10.1000/nothing") is None
        assert papers.find_by_id(tx, "doi", "10.1000/shared") is None
        # Two articles cannot be one preprint; its own id is still its own.
        assert (
            papers.find_by_id(tx, "arxiv", "2606.00004")
            == papers.find_papers(tx, [make_paper(4).key])[make_paper(4).key]
        )
        assert len(papers.load_groups(tx, [number])[number]) == 2


# --- order ----------------------------------------------------------------------------------------

_WORKS = (1, 2, 3)
_Telling = tuple[str, str, Paper, ListingKind | None]


@st.composite
def tellings(draw: st.DrawFn) -> _Telling:
    """A source, a section, a paper that it tells of, and as what it lists it; None for a record."""
    number = draw(st.sampled_from(_WORKS))
    source = draw(st.sampled_from(["arxiv", "hf_daily", "journal"]))
    doi = draw(st.sampled_from(["", f"10.1000/{number}"]))
    version = draw(st.sampled_from([1, 2]))
    facts: dict[str, Any] = {
        "comment": draw(st.sampled_from(["", "12 pages", "12 pages, 3 figures"])),
        "organizations": draw(st.sampled_from([(), ("A",), ("B",)])),
    }
    if source == "journal":
        ids = draw(st.sampled_from([(), (("arxiv", f"2606.{number:05}"),)]))
        paper = make_article(f"10.1000/{number}", ids=ids, **facts)
        kind = draw(st.sampled_from([None, ListingKind.NEW, ListingKind.PUBLISHED]))
    else:
        categories = draw(st.sampled_from([("cs.LG",), ("cs.LG", "cs.DC")]))
        paper = replace(make_paper(number, version=version, doi=doi, categories=categories), **facts)
        first = [None, ListingKind.PICKED] if source == "hf_daily" else [None, *ListingKind]
        kind = draw(st.sampled_from(first))
    return source, draw(st.sampled_from(["a", "b"])), paper, kind


def save_all(store: Store, order: Iterable[_Telling]) -> None:
    for source, section, paper, kind in order:
        if kind is None:
            harvest(store, paper, source=source)
        else:
            announce(store, Listing(kind=kind, paper=paper), source=source, section=section)


@postgres_if_long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=st.lists(tellings(), max_size=7), drawn=st.data())
def test_in_whatever_order_sources_tell_the_end_is_the_same(
    store: Store, chosen: list[_Telling], drawn: st.DataObject
) -> None:
    other = drawn.draw(st.permutations(chosen))
    ends = []
    for order in (chosen, other, [*other, *chosen]):
        with store.begin_dry_run() as trial:
            save_all(trial, order)
            # What has grown, and what that tells of, depends on what was known before: not these.
            listed = {
                (key, kind) for _, key, kind, _ in list_events(trial) if kind in {"new", "version", "picked"}
            }
            ends.append((kept(trial), listed))
            assert [seq for seq, *_ in list_events(trial)] == list(range(1, len(list_events(trial)) + 1))

    assert ends[0] == ends[1] == ends[2]


# --- size -----------------------------------------------------------------------------------------


def test_thousands_of_papers_and_thousands_of_authors_fit_into_the_statements(store: Store) -> None:
    many = range(1100)
    crowd = [f"Author {number}" for number in many]
    listed = [make_paper(number, authors=[f"Author {number}"], doi=f"10.1000/{number}") for number in many]
    listed[1000] = make_paper(1000, authors=crowd)

    keep(store, *listed)
    limit_statement_size(store, 1000)
    keep(store, *(make_paper(number, version=2, authors=["Somebody Else"]) for number in many))
    keep(store, *(make_article(f"10.1000/{number}") for number in many), source="journal")

    with store.begin_read() as tx:
        assert tx.execute(select(func.count()).select_from(statements)).scalar_one() == 3300
        merged = select(func.count()).where(paper_rows.c.merged_into.is_not(None))
        assert tx.execute(merged).scalar_one() == 1099
    keep(store, make_paper(1000, version=3, authors=crowd))
    assert len(load_paper(store, make_paper(1000).key).authors) == 1100


def test_a_proceedings_volume_whose_doi_hundreds_of_papers_claim_makes_no_trouble(store: Store) -> None:
    keep(store, *(make_paper(number, doi="10.1000/volume") for number in range(600)))
    keep(store, make_paper(600, doi="10.1000/volume"))

    assert set(roots(store)) == set(roots(store).values())


# --- many at once ---------------------------------------------------------------------------------


@pytest.mark.parametrize("there_before", [False, True])
def test_what_several_add_to_one_paper_at_once_is_all_kept(store: Store, *, there_before: bool) -> None:
    numbers = range(12)
    if there_before:
        announce(store, *(make_new_listing(number) for number in numbers))

    def save(worker: int) -> None:
        order = list(numbers) if worker % 2 else list(reversed(numbers))
        listed = [
            make_new_listing(number, categories=("cs.LG", f"q-bio.{'ABCD'[worker]}")) for number in order
        ]
        announce(store, *listed, section=f"cs.{'ABCD'[worker]}")

    run_concurrently(*(partial(save, worker) for worker in range(4)))

    for number in numbers:
        categories = load_paper(store, make_paper(number).key).categories
        assert sorted(categories) == ["cs.LG", *(f"q-bio.{text}" for text in "ABCD")]


def test_a_later_version_that_comes_at_the_same_time_is_not_lost(store: Store) -> None:
    def save(version: int) -> None:
        authors = [f"Of Version {version}"] * version
        announce(
            store,
            *(
                make_replacement(number, version, title=f"Version {version}", authors=authors)
                for number in range(12)
            ),
            section=f"cs.{'ABCD'[version - 1]}",
        )

    run_concurrently(*(partial(save, version) for version in (4, 2, 3, 1)))

    for number in range(12):
        paper = load_paper(store, make_paper(number).key)
        assert (paper.version, paper.title, len(paper.authors)) == (4, "Version 4", 4)


def test_preprints_and_articles_that_come_at_the_same_time_meet(store: Store) -> None:
    numbers = range(40)

    def save(source: str, papers: Sequence[Paper]) -> None:
        for paper in papers:
            harvest(store, paper, source=source)

    preprints = [make_paper(number, doi=f"10.1000/{number}") for number in numbers]
    articles = [make_article(f"10.1000/{number}") for number in numbers]
    run_concurrently(partial(save, "arxiv", preprints), partial(save, "journal", articles))

    assert roots(store) == {paper.key: paper.key for paper in preprints} | {
        article.key: preprint.key for article, preprint in zip(articles, preprints, strict=True)
    }


def test_pages_of_several_days_kept_at_the_same_time_do_not_wait_for_each_other_for_ever(
    store: Store,
) -> None:
    days = [DAY - timedelta(days=number) for number in range(4)]

    def save(worker: int) -> None:
        order = days if worker % 2 else list(reversed(days))
        for turn in range(5):
            with store.begin_ingest() as tx:
                for day in order:
                    listed = [make_new_listing(number) for number in range(turn * 3, turn * 3 + 6)]
                    telling = frozenset(listing.paper.key for listing in listed)
                    listings.save_listings(tx, ensure_batch(tx, day=day), listed, announceable=telling)

    run_concurrently(*(partial(save, worker) for worker in range(4)))

    assert [key for _, key, *_ in list_events(store)] == sorted({f"{number:05}" for number in range(18)})
