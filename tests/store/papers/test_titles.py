from __future__ import annotations

from digest.core.subscribers.library import fold_title
from digest.model import PaperKey
from digest.store.database.engine import Store
from digest.store.papers.titles import find_keys_by_title
from tests.store.factories import announce, harvest, make_article, make_new_listing


def found(store: Store, *titles: str) -> dict[str, tuple[PaperKey, ...]]:
    with store.begin_read() as tx:
        return find_keys_by_title(tx, {fold_title(title) for title in titles})


def test_papers_are_found_by_any_title_that_a_source_has_of_them(store: Store) -> None:
    announce(
        store,
        make_new_listing(1, title="Serving {LLMs} at Scale"),
        make_new_listing(2, title="Another"),
        make_new_listing(3, title="serving LLMs at scale"),
    )

    assert found(store, "Serving LLMs at scale!", "Nothing") == {
        "serving llms at scale": (PaperKey("arxiv:2606.00001"), PaperKey("arxiv:2606.00003"))
    }


def test_a_paper_of_several_keys_is_found_by_the_one_that_it_goes_by(store: Store) -> None:
    announce(store, make_new_listing(1, title="A preprint", doi="10.1000/x"))
    harvest(store, make_article("10.1000/x", title="The article"), source="journal")

    assert found(store, "The Article", "A Preprint") == {
        "the article": (PaperKey("arxiv:2606.00001"),),
        "a preprint": (PaperKey("arxiv:2606.00001"),),
    }
