"""The keys of a feed's entries, also where several of them claim one id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from digest.core.papers.ids import arxiv_id, bounded_key, doi, page_key
from digest.core.pulling.any_feed import Entry
from digest.model import PaperKey

_DIFFERENT_ITEMS = 3
"""From how many links, or titles, under one id on the items are different; two can be of one item that was changed."""


class Identity(NamedTuple):
    """The key of an entry, and what comes with it.

    Attributes:
        version: 0 for arXiv's papers where none is given; 1 for all others, which have none.
        doi: bare; "" if it has none of its own.
        is_ambiguous: another entry has the same key, though its text differs, because an id is shared by mistake.
    """

    key: PaperKey
    version: int
    doi: str
    is_ambiguous: bool


class _Claim(NamedTuple):
    """A key that an entry can be known by.

    Attributes:
        doi: the DOI that the key is, bare; "" if it is another one.
        is_sure: it comes from the link or the title: the entry has it whatever others claim.
    """

    key: PaperKey
    version: int = 1
    doi: str = ""
    is_sure: bool = False


def identify(entries: Sequence[Entry], feed: str, page: str = "") -> list[Identity]:
    """Give each entry the surest key that is its own: an id that different items claim is nobody's.

    Args:
        entries: of one answer.
        feed: its address, for entries that have no page.
        page: the page that the feed as a whole belongs to: as a guid it identifies no entry.

    Returns:
        One identity for each entry, in the same order.
    """
    claims = [list(_claims(entry, feed, page_key(page))) for entry in entries]
    shared = _shared_keys(entries, claims)
    first_entries: dict[PaperKey, Entry] = {}
    identities = []
    for entry, candidates in zip(entries, claims, strict=True):
        own = [claim for claim in candidates if claim.is_sure or claim.key not in shared]
        key, version, _, _ = own[0]
        lost_its_id = key != candidates[0].key
        first = first_entries.setdefault(key, entry)
        is_ambiguous = first.text != entry.text and (lost_its_id or first.title == entry.title)
        own_doi = next((claim.doi for claim in own if claim.doi), "")
        identities.append(Identity(key, version, own_doi, is_ambiguous))
    return identities


def _claims(entry: Entry, feed: str, home: PaperKey | None) -> Iterator[_Claim]:
    """The keys of an entry, the surest first; the last one is always its own."""
    link = entry.link if entry.link != entry.guid else None  # a guid that is shared can stand for a link, too
    for text in (entry.link, entry.guid, *entry.ids):
        # A bare number is only believed where it says that it is arXiv's.
        if (":" in text or "/" in text) and (found := arxiv_id(text)):
            number, version = found
            yield _Claim(PaperKey(f"arxiv:{number}"), version or 0, is_sure=text == link)
    for text in (*entry.ids, entry.guid, entry.link):
        if bare := doi(text):
            yield _Claim(bounded_key(f"doi:{bare}"), doi=bare, is_sure=text == link)
    place = page_key(entry.link) or page_key(feed)
    if key := page_key(entry.guid):
        if key != home or page_key(entry.link) == home:
            yield _Claim(key)
    elif entry.guid.startswith(("urn:", "tag:")):
        yield _Claim(bounded_key(f"url:{entry.guid}"))
    elif entry.guid:
        yield _Claim(bounded_key(f"{place}#{entry.guid}"))
    if entry.link:
        yield _Claim(bounded_key(f"{place}"))
    yield _Claim(bounded_key(f"{place}#{entry.title or entry.text}"), is_sure=True)


def _shared_keys(entries: Sequence[Entry], claims: Sequence[Sequence[_Claim]]) -> frozenset[PaperKey]:
    """The keys that different items claim."""
    groups: dict[PaperKey, list[Entry]] = defaultdict(list)
    for entry, candidates in zip(entries, claims, strict=True):
        for key in {claim.key for claim in candidates}:
            groups[key].append(entry)
    return frozenset(key for key, group in groups.items() if _are_several(group))


def _are_several(entries: Sequence[Entry]) -> bool:
    """Whether entries are about different items."""
    first = entries[0]
    if any(_differ(first, other) for other in entries[1:]):
        return True
    titles = {(entry.title or entry.text).casefold() for entry in entries}
    return max(len(titles), len({entry.link for entry in entries})) >= _DIFFERENT_ITEMS


def _differ(entry: Entry, other: Entry) -> bool:
    """Whether both title and link differ; where neither has a link, the title alone."""
    if entry.link == other.link != "" or page_key(entry.link) == page_key(other.link) is not None:
        return False
    title, other_title = ((item.title or item.text).casefold() for item in (entry, other))
    # "[Graphical abstract added] A title" is the same item as "A title".
    return title not in other_title and other_title not in title
