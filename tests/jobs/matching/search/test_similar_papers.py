"""Similar papers are those with the nearest words, with these words as the reason, on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from digest.core.matching.paper_terms import map_printed_words
from digest.core.matching.search.filters import SimilarOrder
from digest.jobs.matching.search.similar_papers import SimilarPaper, find_similar
from digest.model import Author, Listing, ListingKind, Paper, PaperKey
from digest.store.database.engine import Store
from digest.store.matching import search_index
from digest.store.papers import papers
from tests.store.factories import DAY, announce, harvest, make_article, make_paper

ABOUT_GRAPHS = "Spectral clustering partitions weighted graphs by eigenvectors of the Laplacian."
ABOUT_BIRDS = "Migrating sparrows navigate using magnetic fields plus polarized light at dusk."
OTHERS = (
    "Superconducting qubits decohere.",
    "Tropical glaciers retreat.",
    "Auctions reveal prices.",
    "Proteins fold in cells.",
    "Galaxies rotate too fast.",
    "Compilers allocate registers.",
)


def make(number: int, title: str, abstract: str) -> Paper:
    author = Author(f"Person{number} Family{number}")
    return replace(make_paper(number, title=title), abstract=abstract, authors=(author,))


def list_new(*papers: Paper) -> list[Listing]:
    return [Listing(kind=ListingKind.NEW, paper=paper) for paper in papers]


def fill(store: Store, *papers: Paper) -> None:
    """Store papers, and some that are about something else."""
    announce(store, *list_new(*(make(900 + number, text, text) for number, text in enumerate(OTHERS))))
    announce(store, *list_new(*papers))


def list_keys(similar: Sequence[SimilarPaper]) -> list[str]:
    return [entry.paper.key[-5:] for entry in similar]


def find(store: Store, paper: Paper, order: SimilarOrder = SimilarOrder.NEARNESS) -> list[str]:
    return list_keys(find_similar(store, paper.key, order))


def test_the_nearest_comes_first_with_the_words_in_common_and_others_are_left_out(store: Store) -> None:
    paper = make(1, "Cuts of Graphs", ABOUT_GRAPHS)
    near = make(2, "Eigenvectors of graphs", ABOUT_GRAPHS)
    far = make(3, "Trees", "Eigenvectors tell how the Laplacian of a tree behaves when a branch is cut.")
    fill(store, paper, near, far, make(4, "Sparrows", ABOUT_BIRDS))

    first, second = find_similar(store, paper.key)

    assert list_keys([first, second]) == ["00002", "00003"]
    assert 1 >= first.cosine > second.cosine > 0
    assert first.day == DAY
    assert {"eigenvectors", "graphs"} <= set(first.common_words)
    assert {"Laplacian", "eigenvectors"} <= set(second.common_words)
    assert find(store, make(4, "", "")) == []


def test_by_date_the_newest_comes_first(store: Store) -> None:
    paper, near = make(1, "Graphs", ABOUT_GRAPHS), make(2, "Graphs", ABOUT_GRAPHS)
    far = make(3, "Laplacian eigenvectors", "Clustering of weighted graphs, and of much else besides.")
    fill(store, paper, near)
    announce(store, *list_new(far), day=DAY + timedelta(days=1))

    assert find(store, paper) == ["00002", "00003"]
    assert find(store, paper, SimilarOrder.DATE) == ["00003", "00002"]


def test_imported_and_later_papers_are_found_and_a_paper_is_never_similar_to_itself(store: Store) -> None:
    paper = make(1, "Graphs", ABOUT_GRAPHS)
    fill(store, paper)
    assert find(store, paper) == []

    harvest(store, make(2, "Clustering", ABOUT_GRAPHS))
    announce(store, Listing(kind=ListingKind.REPLACE, paper=replace(paper, version=2, title="Graphs again")))
    announce(
        store, Listing(kind=ListingKind.REPLACE, paper=replace(paper, version=3, title="Graphs at last"))
    )

    assert find(store, paper) == ["00002"]


def test_a_paper_whose_text_is_corrected_is_found_by_the_new_one(store: Store) -> None:
    graphs, birds = make(1, "Graphs", ABOUT_GRAPHS), make(2, "Birds", ABOUT_BIRDS)
    changing = make(3, "Graphs", ABOUT_GRAPHS)
    fill(store, graphs, birds, changing)
    assert (find(store, graphs), find(store, birds)) == (["00003"], [])

    corrected = replace(changing, version=2, title="Birds", abstract=ABOUT_BIRDS)
    announce(store, Listing(kind=ListingKind.REPLACE, paper=corrected))

    assert (find(store, graphs), find(store, birds)) == ([], ["00003"])


def test_merged_papers_are_one_and_parted_ones_are_two(store: Store) -> None:
    paper = make(1, "Graphs", ABOUT_GRAPHS)
    near = replace(make(2, "Clustering", ABOUT_GRAPHS), doi="10.1000/one")
    article = make_article("10.1000/one", title="Clustering", abstract=ABOUT_GRAPHS)
    fill(store, paper, near)
    harvest(store, article, source="crossref")

    assert len(find(store, paper)) == 1
    assert find(store, near) == find(store, article) == ["00001"]

    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [article.key])[article.key]
        papers.set_apart(tx, number, "doi", article.doi or "10.1000/one", apart=True)
    assert len(find(store, paper)) == 2
    assert len(find(store, article)) == 2


def test_a_paper_that_is_unknown_or_too_long_or_not_in_the_index_has_none(store: Store) -> None:
    paper, near = make(1, "Graphs", ABOUT_GRAPHS), make(2, "Clustering", ABOUT_GRAPHS)
    long = make(3, "Words and words " * 300, ABOUT_GRAPHS)
    fill(store, paper, near, long)

    assert find_similar(store, PaperKey("arxiv:2601.99999")) == ()
    assert find(store, long) == []
    with store.begin_ingest() as tx:
        search_index.clear_index(tx)
    assert find(store, paper) == []


def test_a_term_is_shown_as_it_is_printed_in_lower_case_if_it_can_be() -> None:
    assert map_printed_words("Graphs of graphs by LoRA") == {
        "graph": "graphs",
        "of": "of",
        "by": "by",
        "lora": "LoRA",
    }
