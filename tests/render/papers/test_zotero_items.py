"""Papers as items of a Zotero library."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from digest.model import Author, PaperKey
from digest.render.papers.zotero_items import make_zotero_item, make_zotero_key
from tests.render.samples import make_paper


def test_a_preprint_has_its_archive_and_an_article_its_journal() -> None:
    preprint = make_zotero_item(make_paper(categories=("cs.DC",)))
    article = make_zotero_item(make_paper(doi="10.1000/x", journal_ref="J. Syst. 12 (2025) 3"))

    assert preprint == {
        "key": make_zotero_key("arxiv:2606.00001"),
        "version": 0,
        "itemType": "preprint",
        "creators": [
            {"creatorType": "author", "name": "Yipin Guo"},
            {"creatorType": "author", "name": "Siddharth Joshi"},
        ],
        "tags": [{"tag": "cs.DC", "type": 1}],
        "title": "SplitZip 1: Lossless KV Compression",
        "abstractNote": "We compress the KV cache number 1. It costs O(n).",
        "date": "2026",
        "url": "https://arxiv.org/abs/2606.00001",
        "repository": "arXiv",
        "archiveID": "arXiv:2606.00001",
    }
    assert (article["itemType"], article["publicationTitle"], article["DOI"], article["date"]) == (
        "journalArticle",
        "J. Syst. 12 (2025) 3",
        "10.1000/x",
        "2025",
    )
    assert "repository" not in article, "Zotero refuses fields that a kind of item does not have"


def test_what_is_not_known_is_left_out() -> None:
    item = make_zotero_item(
        make_paper(
            key=PaperKey("url:https://example.org/1"),
            title="?",
            authors=(),
            abstract="",
            categories=(),
            url="",
        )
    )

    assert set(item) == {"key", "version", "itemType", "creators", "tags", "title"}


@given(key=st.text(max_size=40), title=st.text(max_size=40), name=st.text(max_size=300))
def test_whatever_stands_in_a_paper_its_item_is_one_that_zotero_can_take(
    key: str, title: str, name: str
) -> None:
    item = make_zotero_item(make_paper(key=PaperKey(f"x:{key}"), title=title, authors=(Author(name=name),)))

    json.dumps(item).encode()
    assert re.fullmatch("[23456789ABCDEFGHIJKLMNPQRSTUVWXYZ]{8}", item["key"])
    assert item["key"] == make_zotero_key(f"x:{key}"), "the same paper has the same key"
    assert all(0 < len(creator["name"]) <= 255 for creator in item["creators"])


def test_other_papers_have_other_keys() -> None:
    assert len({make_zotero_key(f"arxiv:2606.{number:05}") for number in range(10_000)}) == 10_000


def test_long_texts_are_cut_to_what_zotero_takes() -> None:
    item = make_zotero_item(make_paper(abstract="wörter " * 40_000))

    assert len(item["abstractNote"].encode()) < 65_535
