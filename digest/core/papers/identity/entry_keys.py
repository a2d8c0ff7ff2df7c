"""The keys of a feed's entries, also where several of them claim one id.

Titles part entries only where an id is shared by mistake; otherwise a paper whose title is edited would be a new one. So
entries can have one key and be about different papers: those are marked, because only one of them is listed.
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
"""From how many links, or titles, under one id on the items are different; two can be of one item that was changed."""

_VERSION = re.compile(r"(?<=\d)v([1-9]\d{0,2})(?![\w-])", re.ASCII)
"""A version as arXiv, bioRxiv and medRxiv write it behind a paper's number."""


class EntryIdentity(NamedTuple):
    """The key of an entry, and what comes with it.

    Attributes:
        version: 0 for arXiv's papers where none is given; 1 for all others, which have none.
        doi: bare; "" if it has none of its own.
        is_ambiguous: another entry has the same key, though its text differs, because an id is shared by mistake.
        is_other: an entry before it has the same key, but the title of another paper.
    """

    key: PaperKey
    version: int
    doi: str
    is_ambiguous: bool
    is_other: bool


class _KeyCandidate(NamedTuple):
    """A key that an entry can be known by.

    Attributes:
        doi: the DOI that the key is, bare; "" if it is another one.
        is_sure: it comes from the link or the title: the entry has it whatever others claim.
    """

    key: PaperKey
    version: int = 1
    doi: str = ""
    is_sure: bool = False


def identify_entries(entries: Sequence[ParsedEntry], feed: str, page: str = "") -> list[EntryIdentity]:
    """Give each entry the surest key that is its own: an id that different items claim is nobody's.

    Args:
        entries: of one answer.
        feed: its address, for entries that have no page.
        page: the page that the feed as a whole belongs to: as a guid it identifies no entry.

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
    """Find the entries whose titles are those of other papers than the first one of their key.

    Args:
        entries: of one answer.
        candidates: what each is known by.

    Yields:
        Their places among the entries.
    """
    groups: dict[PaperKey, list[int]] = defaultdict(list)
    for index, candidate in enumerate(candidates):
        groups[candidate.key].append(index)
    for indexes in groups.values():
        if len(indexes) > 1:
            yield from _find_others_of_key(indexes, entries)


def _find_others_of_key(indexes: Sequence[int], entries: Sequence[ParsedEntry]) -> Iterator[int]:
    """The same among the entries of one key, whose places are given."""
    texts = {index: entries[index].title or entries[index].text for index in indexes}
    # Each is read once: thousands of entries can have one link.
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
        elif len(title.letters) > len(longest_title.letters):
            longest_title = (
                title  # what fits a piece of a title may not fit the whole; which comes first must not matter
            )


def _read_version(entry: ParsedEntry) -> str:
    """The version of a paper that an entry says it is about; "" if it names none."""
    matches = (_VERSION.search(text) for text in (entry.link, entry.guid, *entry.ids))
    return next((match[1] for match in matches if match), "")


def _has_titles(entry: ParsedEntry, other: ParsedEntry) -> bool:
    """Whether entries can be told apart by titles; the text stands for one that is missing, if it is not in both."""
    return bool(entry.title and other.title) or (entry.title != other.title and entry.text != other.text)


def _iter_candidates(
    entry: ParsedEntry, feed: str, feed_page_key: PaperKey | None
) -> Iterator[_KeyCandidate]:
    """The keys of an entry, the surest first; the last one is always its own."""
    link = entry.link if entry.link != entry.guid else None  # a guid that is shared can stand for a link, too
    for text in (entry.link, entry.guid, *entry.ids):
        # A bare number is only believed where it says that it is arXiv's.
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
    """The keys that different items claim."""
    groups: dict[PaperKey, list[ParsedEntry]] = defaultdict(list)
    for entry, entry_candidates in zip(entries, candidates, strict=True):
        for key in {candidate.key for candidate in entry_candidates}:
            groups[key].append(entry)
    return frozenset(key for key, group in groups.items() if _has_different_items(group))


def _has_different_items(entries: Sequence[ParsedEntry]) -> bool:
    """Whether entries are about different items."""
    first = entries[0]
    if any(_is_different_item(first, other) for other in entries[1:]):
        return True
    titles = {(entry.title or entry.text).casefold() for entry in entries}
    return max(len(titles), len({entry.link for entry in entries})) >= _MIN_DIFFERENT_ITEMS


def _is_different_item(entry: ParsedEntry, other: ParsedEntry) -> bool:
    """Whether both title and link differ; where neither has a link, the title alone."""
    if entry.link == other.link != "" or make_page_key(entry.link) == make_page_key(other.link) is not None:
        return False
    title, other_title = ((item.title or item.text).casefold() for item in (entry, other))
    # "[Graphical abstract added] A title" is the same item as "A title".
    return title not in other_title and other_title not in title
