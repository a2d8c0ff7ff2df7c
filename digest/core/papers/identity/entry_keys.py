"""The keys of a feed's entries, also where several of them claim one id.

Titles part entries only where an id is shared by mistake; otherwise a paper whose title is edited would be a new one. So
entries can have one key and be about different papers: those are marked, because only one of them is listed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from digest.core.fetching.formats.any_feed import Entry
from digest.core.papers.identity.ids import arxiv_id, bounded_key, doi, page_key
from digest.core.papers.titles import are_different, read_title
from digest.model import PaperKey

_DIFFERENT_ITEMS = 3
"""From how many links, or titles, under one id on the items are different; two can be of one item that was changed."""

_VERSION = re.compile(r"(?<=\d)v([1-9]\d{0,2})(?![\w-])", re.ASCII)
"""A version as arXiv, bioRxiv and medRxiv write it behind a paper's number."""


class Identity(NamedTuple):
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
    own = [
        [claim for claim in candidates if claim.is_sure or claim.key not in shared] for candidates in claims
    ]
    others = frozenset(_find_others(entries, [surest for surest, *_ in own]))
    first_entries: dict[PaperKey, Entry] = {}
    first_texts: dict[PaperKey, str] = {}
    identities = []
    for place, entry in enumerate(entries):
        key, version, _, _ = own[place][0]
        lost_its_id = key != claims[place][0].key
        is_like_first = lost_its_id or first_entries.setdefault(key, entry).title == entry.title
        is_other = place in others
        has_other_text = (
            bool(entry.text) and not is_other and first_texts.setdefault(key, entry.text) != entry.text
        )
        own_doi = next((claim.doi for claim in own[place] if claim.doi), "")
        identities.append(Identity(key, version, own_doi, is_like_first and has_other_text, is_other))
    return identities


def _find_others(entries: Sequence[Entry], claims: Sequence[_Claim]) -> Iterator[int]:
    """Find the entries whose titles are those of other papers than the first one of their key.

    Args:
        entries: of one answer.
        claims: what each is known by.

    Yields:
        Their places among the entries.
    """
    groups: dict[PaperKey, list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        groups[claim.key].append(place)
    for places in groups.values():
        if len(places) > 1:
            yield from _find_others_of_key(places, entries)


def _find_others_of_key(places: Sequence[int], entries: Sequence[Entry]) -> Iterator[int]:
    """The same among the entries of one key, whose places are given."""
    written = {place: entries[place].title or entries[place].text for place in places}
    # Each is read once: thousands of entries can have one link.
    titles = {text: read_title(text) for text in dict.fromkeys(written.values())}
    first, *later = places
    first_version = _written_version(entries[first])
    longest = titles[written[first]]
    for place in later:
        title = titles[written[place]]
        if (
            _written_version(entries[place]) == first_version  # a version can have a new title
            and _have_titles(entries[first], entries[place])
            and are_different(longest, title)
        ):
            yield place
        elif len(title.letters) > len(longest.letters):
            longest = (
                title  # what fits a piece of a title may not fit the whole; which comes first must not matter
            )


def _written_version(entry: Entry) -> str:
    """The version of a paper that an entry says it is about; "" if it names none."""
    found = (_VERSION.search(text) for text in (entry.link, entry.guid, *entry.ids))
    return next((version[1] for version in found if version), "")


def _have_titles(entry: Entry, other: Entry) -> bool:
    """Whether entries can be told apart by titles; the text stands for one that is missing, if it is not in both."""
    return bool(entry.title and other.title) or (entry.title != other.title and entry.text != other.text)


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
