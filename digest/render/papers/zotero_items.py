"""Papers as items of a Zotero library (https://www.zotero.org/support/dev/web_api/v3/types_and_fields)."""

from __future__ import annotations

import hashlib
from typing import Any

from digest.model import Paper
from digest.render.papers.bibtex import find_year
from digest.render.papers.citations import clean_line, clean_name, clean_text
from digest.render.papers.links import filter_web_address

_KEY_CHARACTERS = "23456789ABCDEFGHIJKMNPQRSTUVWXYZ"
"""Characters of an item's key: 32 of those that Zotero allows."""
_KEY_LENGTH = 8
_MAX_FIELD, _MAX_NAME = 20_000, 255
"""Length of a field, and of a name or tag, in characters; Zotero refuses an item with a longer one."""


def make_zotero_item(paper: Paper) -> dict[str, Any]:
    """Make the item of a paper: a preprint, or an article if it has appeared in a journal.

    Its key is always the same, and its version says that it must be new. So Zotero refuses a paper that was sent
    before, however long ago, and leaves the item there as its owner has made it.
    """
    journal = clean_text(paper.journal_ref)
    fields = {
        "title": clean_text(paper.title),
        "abstractNote": clean_text(paper.abstract),
        "publicationTitle": journal,
        "date": find_year(paper),
        "DOI": clean_line(paper.doi),
        "url": clean_line(filter_web_address(paper.url)),
        **({} if journal else _make_archive_fields(paper)),
    }
    return {
        "key": make_zotero_key(paper.key),
        "version": 0,
        "itemType": "journalArticle" if journal else "preprint",
        "creators": [
            {
                "creatorType": "author",
                "name": name[:_MAX_NAME],
            }  # nobody can tell which words are the family name
            for name in (clean_name(author.name) for author in paper.authors)
            if name
        ],
        "tags": [{"tag": tag[:_MAX_NAME], "type": 1} for tag in map(clean_line, paper.categories) if tag],
        **{name: text[:_MAX_FIELD] for name, text in fields.items() if text},
    }


def make_zotero_key(key: str) -> str:
    """Return the key of a paper's item."""
    number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:_KEY_LENGTH])
    characters = []
    for _ in range(_KEY_LENGTH):
        number, index = divmod(number, len(_KEY_CHARACTERS))
        characters.append(_KEY_CHARACTERS[index])
    return "".join(characters)


def _make_archive_fields(paper: Paper) -> dict[str, str]:
    scheme, _, identifier = paper.key.partition(":")
    arxiv_id = clean_line(identifier if scheme == "arxiv" else dict(paper.ids).get("arxiv", ""))
    return {"repository": "arXiv", "archiveID": f"arXiv:{arxiv_id}"} if arxiv_id else {}
