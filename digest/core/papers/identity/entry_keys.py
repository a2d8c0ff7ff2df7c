"""Paper keys for the entries of a feed, even if several entries claim the same ID.

Titles separate entries only if they share an ID by mistake; otherwise a paper would become a new one when its
title is edited. Entries with the same key can therefore be about different papers. These are marked, because
only one of them is listed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from digest.core.fetching.formats.any_feed import ParsedEntry
from digest.core.papers.identity.ids import limit_key, make_page_key, parse_arxiv_id, parse_doi
from digest.core.papers.titles import is_different_title, read_title
from digest.model import PaperKey

_MIN_DIFFERENT_ITEMS = 3
"""Minimum number of links or titles under one ID that proves different items; two can be of one edited item."""

_VERSION = re.compile(r"(?<=\d)v([1-9]\d{0,2})(?![\w-])", re.ASCII)
"""A version as arXiv, bioRxiv and medRxiv write it after the number of a paper."""


class EntryIdentity(NamedTuple):
    """The key of an entry, and what was derived with it.

    Attributes:
        key: the key of the paper.
        version: for papers of arXiv the version, or 0 if it is not given; 1 for all others, which have no
            versions.
        doi: bare; "" if the entry has none of its own.
        is_ambiguous: another entry with a different text has the same key, because they share an ID by
            mistake.
        is_other: an earlier entry has the same key, but the title of another paper.
    """

    key: PaperKey
    version: int
    doi: str
    is_ambiguous: bool
    is_other: bool


class _KeyCandidate(NamedTuple):
    """A possible key of an entry.

    Attributes:
        key: the key of a paper.
        version: as in ``EntryIdentity``.
        doi: the DOI in the key, bare; "" if the key is not a DOI.
        is_sure: whether it comes from the link or the title, and is valid even if other entries claim it.
    """

    key: PaperKey
    version: int = 1
    doi: str = ""
    is_sure: bool = False


def identify_entries(entries: Sequence[ParsedEntry], feed: str, page: str = "") -> list[EntryIdentity]:
    """Choose the most reliable key of each entry; an ID that different items claim identifies none of them.

    Args:
        entries: the entries of one answer.
        feed: the address of the feed, for entries without a page.
        page: the page that the whole feed belongs to; as a guid, it identifies no entry.

    Returns:
        One identity for each entry, in the same order.
    """
    candidates = [list(_iter_candidates(entry, feed, make_page_key(page))) for entry in entries]
    shared = _find_shared_keys(entries, candidates)
    own_candidates = [
        [candidate for candidate in entry_candidates if candidate.is_sure or candidate.key not in shared]
        for entry_candidates in candidates
    ]
    other_entries = frozenset(
        _find_others(entries, [best_candidate for best_candidate, *_ in own_candidates])
    )
    first_entries: dict[PaperKey, ParsedEntry] = {}
    first_texts: dict[PaperKey, str] = {}
    identities = []
    for index, entry in enumerate(entries):
        key, version, _, _ = own_candidates[index][0]
        has_lost_id = key != candidates[index][0].key
        is_like_first = has_lost_id or first_entries.setdefault(key, entry).title == entry.title
        is_other = index in other_entries
        has_other_text = (
            bool(entry.text) and not is_other and first_texts.setdefault(key, entry.text) != entry.text
        )
        own_doi = next((candidate.doi for candidate in own_candidates[index] if candidate.doi), "")
        identities.append(EntryIdentity(key, version, own_doi, is_like_first and has_other_text, is_other))
    return identities


def _find_others(entries: Sequence[ParsedEntry], candidates: Sequence[_KeyCandidate]) -> Iterator[int]:
    """Find the entries whose title is that of another paper than the first entry with their key.

    Args:
        entries: the entries of one answer.
        candidates: the best candidate of each entry.

    Yields:
        Indexes of such entries.
    """
    groups: dict[PaperKey, list[int]] = defaultdict(list)
    for index, candidate in enumerate(candidates):
        groups[candidate.key].append(index)
    for indexes in groups.values():
        if len(indexes) > 1:
            yield from _find_others_of_key(indexes, entries)


def _find_others_of_key(indexes: Sequence[int], entries: Sequence[ParsedEntry]) -> Iterator[int]:
    """Find such entries among those of one key, which are given by their indexes."""
    texts = {index: entries[index].title or entries[index].text for index in indexes}
    # Each text is parsed once, because thousands of entries can have one link.
    titles = {text: read_title(text) for text in dict.fromkeys(texts.values())}
    first, *later_indexes = indexes
    first_version = _read_version(entries[first])
    longest_title = titles[texts[first]]
    for index in later_indexes:
        title = titles[texts[index]]
        if (
            _read_version(entries[index]) == first_version  # a version can have a new title
            and _has_titles(entries[first], entries[index])
            and is_different_title(longest_title, title)
        ):
            yield index
        # Titles are compared with the longest one, so that the order of the entries does not matter.
        elif len(title.letters) > len(longest_title.letters):
            longest_title = title


def _read_version(entry: ParsedEntry) -> str:
    """Return the version that an entry's link or IDs name, or ""."""
    matches = (_VERSION.search(text) for text in (entry.link, entry.guid, *entry.ids))
    return next((match[1] for match in matches if match), "")


def _has_titles(entry: ParsedEntry, other: ParsedEntry) -> bool:
    """Return True if titles can distinguish two entries.

    The text replaces a missing title, unless both titles are missing and the texts are equal.
    """
    return bool(entry.title and other.title) or (entry.title != other.title and entry.text != other.text)


def _iter_candidates(
    entry: ParsedEntry, feed: str, feed_page_key: PaperKey | None
) -> Iterator[_KeyCandidate]:
    """Yield possible keys of an entry, the most reliable first; the last one is always its own."""
    # A link that is also the guid is not reliable, because guids are sometimes shared by mistake.
    link = entry.link if entry.link != entry.guid else None
    for text in (entry.link, entry.guid, *entry.ids):
        # A bare number could be anything, so it needs the prefix or the host of arXiv.
        if (":" in text or "/" in text) and (arxiv_paper := parse_arxiv_id(text)):
            arxiv_number, version = arxiv_paper
            yield _KeyCandidate(PaperKey(f"arxiv:{arxiv_number}"), version or 0, is_sure=text == link)
    for text in (*entry.ids, entry.guid, entry.link):
        if doi_value := parse_doi(text):
            yield _KeyCandidate(limit_key(f"doi:{doi_value}"), doi=doi_value, is_sure=text == link)
    base_key = make_page_key(entry.link) or make_page_key(feed)
    if key := make_page_key(entry.guid):
        if key != feed_page_key or make_page_key(entry.link) == feed_page_key:
            yield _KeyCandidate(key)
    elif entry.guid.startswith(("urn:", "tag:")):
        yield _KeyCandidate(limit_key(f"url:{entry.guid}"))
    elif entry.guid:
        yield _KeyCandidate(limit_key(f"{base_key}#{entry.guid}"))
    if entry.link:
        yield _KeyCandidate(limit_key(f"{base_key}"))
    yield _KeyCandidate(limit_key(f"{base_key}#{entry.title or entry.text}"), is_sure=True)


def _find_shared_keys(
    entries: Sequence[ParsedEntry], candidates: Sequence[Sequence[_KeyCandidate]]
) -> frozenset[PaperKey]:
    """Return the keys that different items claim."""
    groups: dict[PaperKey, list[ParsedEntry]] = defaultdict(list)
    for entry, entry_candidates in zip(entries, candidates, strict=True):
        for key in {candidate.key for candidate in entry_candidates}:
            groups[key].append(entry)
    return frozenset(key for key, group in groups.items() if _has_different_items(group))


def _has_different_items(entries: Sequence[ParsedEntry]) -> bool:
    """Return True if the entries are about different items."""
    first = entries[0]
    if any(_is_different_item(first, other) for other in entries[1:]):
        return True
    titles = {(entry.title or entry.text).casefold() for entry in entries}
    return max(len(titles), len({entry.link for entry in entries})) >= _MIN_DIFFERENT_ITEMS


def _is_different_item(entry: ParsedEntry, other: ParsedEntry) -> bool:
    """Return True if both title and link differ, or the title alone if neither entry has a link."""
    if entry.link == other.link != "" or make_page_key(entry.link) == make_page_key(other.link) is not None:
        return False
    title, other_title = ((item.title or item.text).casefold() for item in (entry, other))
    # "[Graphical abstract added] A title" is the same item as "A title".
    return title not in other_title and other_title not in title
