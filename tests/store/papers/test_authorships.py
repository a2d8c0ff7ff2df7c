"""Who signed which paper is what the whole paper shows, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from digest.core.names.fitting import make_block_key
from digest.errors import StoreError
from digest.model import Author, Paper
from digest.store.database.engine import Store, Transaction
from digest.store.database.tables.papers import author_ids
from digest.store.database.tables.papers import authorships as authorship_rows
from digest.store.database.tables.papers import papers as paper_rows
from digest.store.papers import authorships, papers
from tests.store.database_marks import postgres_if_long
from tests.store.factories import (
    announce,
    limit_statement_size,
    make_article,
    make_cross_listing,
    make_new_listing,
    make_paper,
    make_replacement,
)
from tests.store.papers.test_papers import _Telling, save_all, tellings

ADA = Author("Ada Lovelace", ("Analytical Engines",), (("orcid", "0000-0002-1825-0097"), ("hf", "ada")))


def keep(store: Store, *sent_papers: Paper, source: str = "arxiv") -> None:
    with store.begin_ingest() as tx:
        papers.save_papers(tx, source, sent_papers)


def load_stated_authors(tx: Transaction) -> dict[str, list[Author]]:
    """Who signed, as the rows have it, by the keys of the papers."""
    keys = {row.id: row.key for row in tx.execute(select(paper_rows))}
    results: dict[str, list[Author]] = {}
    rows = select(authorship_rows).order_by(authorship_rows.c.paper_id, authorship_rows.c.position)
    for row in tx.execute(rows):
        mine = results.setdefault(keys[row.paper_id], [])
        assert row.position == len(mine)
        assert row.block == make_block_key(row.name)
        ids = tuple((scheme, value) for scheme, value in row.ids or ())
        mine.append(Author(row.name, tuple(row.affiliations or ()), ids))
    return results


def load_shown_authors(tx: Transaction) -> dict[str, list[Author]]:
    """Who signed, as the whole papers show it, by the keys of the roots."""
    numbers = [row.id for row in tx.execute(select(paper_rows).where(paper_rows.c.merged_into.is_(None)))]
    wholes = papers.load_papers(tx, numbers).values()
    return {paper.key: list(paper.authors) for paper in wholes if paper.authors}


def load_author_ids(tx: Transaction) -> set[tuple[str, str, str, int]]:
    """Which ids are printed with whom."""
    rows = select(author_ids, paper_rows.c.key).join(paper_rows, paper_rows.c.id == author_ids.c.paper_id)
    return {(row.scheme, row.value, row.key, row.position) for row in tx.execute(rows)}


def signatures(store: Store, *names: str) -> list[tuple[str, frozenset[str], tuple[str, ...]]]:
    with store.begin_read() as tx:
        printed = authorships.load_printed_bylines(tx, {make_block_key(name) for name in names})
        signatures = authorships.build_signatures(
            tx, [entry for values in printed.values() for entry in values]
        )
    return [(signature.name, signature.coauthors, signature.categories) for signature in sorted(signatures)]


# --- what is kept ---------------------------------------------------------------------------------


def test_all_authors_of_a_paper_are_kept_in_order_with_affiliations_and_ids(store: Store) -> None:
    authors = (Author("王小明"), ADA, Author("", (), (("hf", "nobody"),)), Author("O'Neil, J."))
    keep(store, replace(make_paper(1), authors=authors), make_paper(2, authors=()))

    with store.begin_read() as tx:
        assert load_stated_authors(tx) == load_shown_authors(tx) == {make_paper(1).key: list(authors)}
        assert load_author_ids(tx) == {
            ("orcid", "0000-0002-1825-0097", make_paper(1).key, 1),
            ("hf", "ada", make_paper(1).key, 1),
            ("hf", "nobody", make_paper(1).key, 2),
        }


def test_an_author_who_is_added_and_a_name_that_is_corrected_are_followed(store: Store) -> None:
    announce(
        store,
        make_new_listing(1, authors=["A. Bee", "C Dee", "E Eff"]),
        make_new_listing(2, authors=["Some One"]),
    )
    announce(store, make_replacement(1, 2, authors=["New One", "Anna Bee", "C Dee", "E Eff"]))

    with store.begin_read() as tx:
        assert [author.name for author in load_stated_authors(tx)[make_paper(1).key]] == [
            "New One",
            "Anna Bee",
            "C Dee",
            "E Eff",
        ]
        assert load_stated_authors(tx) == load_shown_authors(tx)


def test_an_author_who_is_gone_leaves_no_row_and_no_id(store: Store) -> None:
    keep(store, replace(make_paper(1), authors=(Author("B C"), ADA)))
    keep(store, replace(make_paper(1), version=2, authors=(Author("B C"),)))

    with store.begin_read() as tx:
        assert load_stated_authors(tx) == load_shown_authors(tx) == {make_paper(1).key: [Author("B C")]}
        assert load_author_ids(tx) == set()


def test_what_another_source_knows_of_an_author_is_kept_with_the_name(store: Store) -> None:
    keep(store, make_paper(1, authors=["B C", "Ada Lovelace"]))
    keep(store, replace(make_paper(1), authors=(replace_ids(ADA),)), source="hf_daily")

    with store.begin_read() as tx:
        assert (
            load_stated_authors(tx)
            == load_shown_authors(tx)
            == {make_paper(1).key: [Author("B C"), replace_ids(ADA)]}
        )
        assert load_author_ids(tx) == {("hf", "ada", make_paper(1).key, 1)}


def replace_ids(author: Author) -> Author:
    return author._replace(ids=(("hf", "ada"),))


def test_the_same_again_changes_nothing(store: Store) -> None:
    announce(store, make_new_listing(1, authors=["A B", "C D"]))
    with store.begin_read() as tx:
        before = tx.execute(select(authorship_rows)).all()
    announce(
        store,
        make_new_listing(1, authors=["A B", "C D"]),
        make_cross_listing(1, authors=["A B", "C D"]),
        section="cs.DC",
    )

    with store.begin_read() as tx:
        assert tx.execute(select(authorship_rows)).all() == before


def test_what_the_database_refuses_is_told_in_a_sentence(store: Store) -> None:
    with pytest.raises(StoreError, match="the database says: "), store.begin_ingest() as tx:
        authorships.save_authorships(tx, {1: (Author("Of No Paper"),)})


# --- papers that are one --------------------------------------------------------------------------

DOI = "10.1000/one"
PREPRINT = make_paper(1, doi=DOI, authors=["A. Bee", "C Dee"])
ARTICLE = make_article(DOI, authors=(Author("A. Bee", ("MIT",)), Author("C Dee")))


@pytest.mark.parametrize("article_first", [False, True])
def test_a_preprint_and_its_article_are_signed_once(store: Store, *, article_first: bool) -> None:
    tellings = [("arxiv", PREPRINT), ("journal", ARTICLE)]
    for source, paper in reversed(tellings) if article_first else tellings:
        keep(store, paper, source=source)

    with store.begin_read() as tx:
        assert (
            load_stated_authors(tx)
            == load_shown_authors(tx)
            == {PREPRINT.key: [Author("A. Bee", ("MIT",)), Author("C Dee")]}
        )


def test_parted_again_each_has_its_own_authors(store: Store) -> None:
    keep(store, PREPRINT)
    keep(store, ARTICLE, source="journal")
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [PREPRINT.key])[PREPRINT.key]
        papers.set_apart(tx, number, "doi", DOI, apart=True)
        assert (
            load_stated_authors(tx)
            == load_shown_authors(tx)
            == {paper.key: list(paper.authors) for paper in (PREPRINT, ARTICLE)}
        )
        papers.set_apart(tx, number, "doi", DOI, apart=False)
        assert load_stated_authors(tx) == load_shown_authors(tx)
        assert load_stated_authors(tx).keys() == {PREPRINT.key}


def test_papers_that_are_no_longer_one_because_of_a_third_have_their_own_authors(store: Store) -> None:
    keep(store, PREPRINT)
    keep(store, ARTICLE, source="journal")
    keep(store, make_paper(2, doi=DOI, authors=["E Eff"]))

    with store.begin_read() as tx:
        assert load_stated_authors(tx) == load_shown_authors(tx)
        assert load_stated_authors(tx).keys() == {PREPRINT.key, ARTICLE.key, make_paper(2).key}


@postgres_if_long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=st.lists(tellings(), max_size=7), drawn=st.data())
def test_in_whatever_order_sources_tell_those_have_signed_whom_the_paper_shows(
    store: Store, told: list[_Telling], drawn: st.DataObject
) -> None:
    names = st.lists(st.sampled_from(["A B", "C D", "E F"]), unique=True).map(tuple)
    named: Iterable[_Telling] = [
        (source, section, replace(paper, authors=tuple(map(Author, drawn.draw(names)))), kind)
        for source, section, paper, kind in told
    ]
    with store.begin_dry_run() as trial:
        for entry in named:
            save_all(trial, [entry])
            with trial.begin_read() as tx:
                assert load_stated_authors(tx) == load_shown_authors(tx)


# --- reading --------------------------------------------------------------------------------------


def test_a_block_has_all_bylines_of_its_names_with_co_authors_and_categories(store: Store) -> None:
    keep(
        store,
        make_paper(1, authors=["Wencong Xiao", "Yang Li"], categories=("cs.DC", "cs.LG")),
        make_paper(2, authors=["Yang Li", "W. Xiao", "Paul Erdős"], categories=("cs.RO",)),
        make_paper(3, authors=["Yang Li"]),
    )

    assert signatures(store, "Wencong Xiao") == [
        ("Wencong Xiao", frozenset({"yangli"}), ("cs.DC", "cs.LG")),
        ("W. Xiao", frozenset({"yangli", "paulerdos"}), ("cs.RO",)),
    ]


def test_of_a_name_on_thousands_of_papers_the_newest_are_read_and_those_asked_for(store: Store) -> None:
    most = authorships.MAX_SIGNATURES
    keep(store, *(make_paper(number, authors=["Wei Wang"]) for number in range(1, most + 3)))
    limit_statement_size(store, 1000)
    with store.begin_read() as tx:
        numbers = papers.find_papers(tx, [make_paper(number).key for number in range(1, most + 3)])
        oldest = numbers[make_paper(1).key]
        read = {entry.paper for entry in authorships.load_printed_bylines(tx, {"wang|w"})["wang|w"]}
        asked = {
            entry.paper for entry in authorships.load_printed_bylines(tx, {"wang|w"}, [oldest])["wang|w"]
        }

    assert read == set(sorted(numbers.values())[2:])
    assert asked == read | {oldest}


def test_a_list_of_thousands_of_authors_is_kept_whole_and_read_in_part(store: Store) -> None:
    crowd = [
        f"Aa{chr(97 + number // 676)}{chr(97 + number // 26 % 26)}{chr(97 + number % 26)} Xu"
        for number in range(3303)
    ]
    keep(store, make_paper(1, authors=[*crowd, "Wencong Xiao"]))

    with store.begin_read() as tx:
        assert len(load_stated_authors(tx)[make_paper(1).key]) == 3304
    ((_, coauthors, _),) = signatures(store, "Wencong Xiao")
    assert len(coauthors) == authorships.MAX_COAUTHORS


def test_nothing_is_found_of_a_name_that_nobody_has(store: Store) -> None:
    keep(store, make_paper(1))

    assert signatures(store, "Wencong Xiao") == []
