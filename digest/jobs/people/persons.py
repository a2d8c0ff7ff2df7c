"""Persons, worked out anew of the bylines in the store and of what somebody said of them.

A person is named by one of the bylines, as PAPER#POSITION: the paper and the place in its list of authors, from 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.papers.identity.ids import paper_key
from digest.core.people.ambiguity import BEARERS_OF_ONE, Crowd
from digest.core.people.name_blocks import Kin, persons_apart
from digest.core.people.name_counts import NameCounts, blocks_of_family, counts_of_corpus
from digest.core.people.persons import Person, Place, Said, Signature, persons
from digest.errors import ConfigError
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.papers import authorships, papers
from digest.store.papers.authorships import Byline, Printed

_MOST_BLOCKS = 5
"""An id with which names of more blocks are printed is nobody's: an organisation's account, or a mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """Bylines that may be by the same persons: those of a block, and of others that an id or somebody joins to it.

    Attributes:
        signatures: by their places.
        said: what somebody said of them.
        counts: how many given names are known before their family names.
    """

    signatures: Mapping[Place, Signature]
    said: tuple[Said, ...]
    counts: NameCounts

    def persons(self, more: Iterable[Said] = ()) -> tuple[Person, ...]:
        """Who signed.

        A byline that somebody said to be not a person's is put somewhere last, when it is known which bylines are
        that person's without it: else evidence that is newer could take those to it.

        Args:
            more: what else is said, for who asks; the first one of each pair is taken from the other one's person.
        """
        said = {*self.said, *more}
        apart = {each.one for each in said if not each.same}
        if not apart:
            return self._persons(self.signatures.values(), said)
        rest = [signature for place, signature in self.signatures.items() if place not in apart]
        of_place = {
            member.place: person
            for person in self._persons(rest, [each for each in said if each.same])
            for member in person.members
        }
        firm = {
            Said(each.other, member.place, same=True)
            for each in said
            if not each.same and each.other in of_place
            for member in of_place[each.other].members
        }
        return self._persons(self.signatures.values(), said | firm)

    def _persons(self, signatures: Collection[Signature], said: Iterable[Said]) -> tuple[Person, ...]:
        crowd = Crowd([signature.name for signature in signatures], counts=self.counts)
        return persons(signatures, said, crowd)


class _Links(NamedTuple):
    """What joins blocks, and what was said that joins or parts their bylines."""

    blocks: list[set[str]]
    said: set[Said]


def circles(tx: Transaction, blocks: Collection[str], papers: Collection[int] = ()) -> dict[str, Circle]:
    """The circles of blocks.

    Args:
        tx: a transaction.
        blocks: of names.
        papers: whose bylines are needed, however old the papers are.

    Returns:
        By block; those that something joins have one circle together.
    """
    found: dict[str, dict[Place, Signature]] = {}
    links = _Links([], set())
    ahead = set(blocks) - {""}
    while ahead:
        read = authorships.printed(tx, ahead, papers)
        signed = authorships.signatures(tx, [one for each in read.values() for one in each])
        new = {signature.place: signature for signature in signed}
        new |= _with_ids(tx, new)
        found |= {block: {one.place: new[one.place] for one in read.get(block, ())} for block in ahead}
        _link_by_ids(tx, new.values(), links)
        _link_by_sayings(tx, new, links)
        ahead = {block for joined in links.blocks for block in joined} - found.keys()
    return _joined(found, links, counts_of(tx, found))


def counts_of(tx: Transaction, blocks: Iterable[str]) -> NameCounts:
    """How many given names are known before the family names of blocks, in the corpus or in the store.

    The store is asked only for family names of which the corpus does not know several bearers: of these it decides.
    """
    corpus = counts_of_corpus()
    rare = {
        each
        for where in blocks
        if where and corpus.of_family(where) <= BEARERS_OF_ONE
        for each in blocks_of_family(where)
    }
    return corpus.with_names(authorships.names_in(tx, rare)) if rare else corpus


def _with_ids(tx: Transaction, signatures: Mapping[Place, Signature]) -> dict[Place, Signature]:
    """The bylines of whose persons somebody said ids, with these."""
    sayings = people.said_ids(tx, {paper for paper, _ in signatures})
    standing = [saying for saying in sayings if saying.withdrawn_at is None]
    meant = people.resolved(tx, [saying.one for saying in standing])
    ids: dict[Place, dict[tuple[str, str], None]] = defaultdict(dict)
    for saying in standing:
        byline = meant.get(saying.one)
        if byline and byline.place in signatures:
            ids[byline.place][saying.scheme, saying.value] = None
    return {
        place: signatures[place]._replace(ids=tuple({**dict.fromkeys(signatures[place].ids), **more}))
        for place, more in ids.items()
    }


def _link_by_ids(tx: Transaction, signatures: Iterable[Signature], links: _Links) -> None:
    ids = {id_ for signature in signatures for id_ in signature.ids}
    links.blocks.extend(
        blocks for blocks in blocks_of_ids(tx, ids).values() if 1 < len(blocks) <= _MOST_BLOCKS
    )


def blocks_of_ids(tx: Transaction, ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """The blocks of the bylines with which ids are printed, or said to be their persons'."""
    found = authorships.blocks_of_ids(tx, ids)
    sayings = people.said_with(tx, ids)
    meant = people.resolved(tx, [saying.one for saying in sayings])
    for saying in sayings:
        if byline := meant.get(saying.one):
            found.setdefault((saying.scheme, saying.value), set()).add(byline.block)
    return found


def _link_by_sayings(tx: Transaction, signatures: Mapping[Place, Signature], links: _Links) -> None:
    sayings = people.said_same(tx, {paper for paper, _ in signatures})
    standing = [saying for saying in sayings if saying.withdrawn_at is None]
    meant = people.resolved(tx, [each for saying in standing for each in (saying.one, saying.other)])
    for saying in standing:
        one, other = meant.get(saying.one), meant.get(saying.other)
        if one and other and (one.place in signatures or other.place in signatures):
            links.said.add(Said(one.place, other.place, saying.same))
            if saying.same:
                links.blocks.append({one.block, other.block})


def _joined(
    found: Mapping[str, Mapping[Place, Signature]], links: _Links, counts: NameCounts
) -> dict[str, Circle]:
    together = {block: {block} for block in found}
    for blocks in links.blocks:
        whole = set[str]().union(*(together[block] for block in blocks))
        together |= dict.fromkeys(whole, whole)
    made: dict[int, Circle] = {}
    for whole in together.values():
        if id(whole) not in made:
            signatures = {
                place: signature for block in sorted(whole) for place, signature in found[block].items()
            }
            said = (each for each in links.said if each.one in signatures and each.other in signatures)
            made[id(whole)] = Circle(signatures=signatures, said=tuple(sorted(said)), counts=counts)
    return {block: made[id(whole)] for block, whole in together.items()}


# --- who signed -----------------------------------------------------------------------------------


class Signed(NamedTuple):
    """Who signed.

    Attributes:
        signature: the byline.
        among: all persons who sign so, perhaps with others.
    """

    signature: Signature
    among: tuple[Person, ...]

    @property
    def person(self) -> Person:
        """Who it is."""
        return next(person for person in self.among if self.signature in person.members)


def who_signed(tx: Transaction, bylines: Collection[Byline]) -> dict[Place, Signed]:
    """Who signed bylines.

    Of a block only those bylines are read with all that surrounds them whose names can be the same person's, where
    the others do not matter; where they may, all of its circle.
    """
    blocks, numbers = {one.block for one in bylines}, {one.place[0] for one in bylines}
    printed = authorships.printed(tx, blocks, numbers)
    alone = printed.keys() - _with_others(tx, printed)
    found = _apart(tx, [one for one in bylines if one.block in alone], printed)
    left = [one for one in bylines if one.place not in found]
    read = circles(tx, {one.block for one in left}, {one.place[0] for one in left})
    among = {id(circle): circle.persons() for circle in read.values()}
    for one in left:
        circle = read[one.block]
        found[one.place] = Signed(circle.signatures[one.place], among[id(circle)])
    return found


def _with_others(tx: Transaction, printed: Mapping[str, Sequence[Printed]]) -> set[str]:
    """The blocks that an id joins to others, and those of papers of which somebody said who signed them."""
    ids = {(scheme, value) for rows in printed.values() for one in rows for scheme, value in one.ids or ()}
    found = {where for blocks in blocks_of_ids(tx, ids).values() if len(blocks) > 1 for where in blocks}
    spoken = people.spoken_of(tx)
    return found | {where for where, rows in printed.items() if any(one.paper in spoken for one in rows)}


class _Few(NamedTuple):
    """Bylines that may be one person's.

    Attributes:
        asked: those in question.
        those: all whose names can be the same person's.
        strangers: the others of the block of which nobody can tell whose they are.
        crowd: the names of the block.
    """

    asked: list[Place]
    those: list[Printed]
    strangers: list[Printed]
    crowd: Crowd


def _apart(
    tx: Transaction, bylines: Iterable[Byline], printed: Mapping[str, Sequence[Printed]]
) -> dict[Place, Signed]:
    """Who signed bylines, where that can be told without most of their blocks."""
    asked: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for one in bylines:
        asked[one.block][one.name].append(one.place)
    counts = counts_of(tx, asked)
    several = [few for where, names in asked.items() for few in _few(printed[where], names, counts)]
    needed = {one.place: one for few in several for one in (*few.those, *few.strangers)}
    read = {one.place: one for one in authorships.signatures(tx, list(needed.values()))}
    found: dict[Place, Signed] = {}
    for few in several:
        those, strangers = ([read[one.place] for one in rows] for rows in (few.those, few.strangers))
        among = persons_apart(those, strangers, few.crowd)
        if among is not None:
            found |= {place: Signed(read[place], among) for place in few.asked}
    return found


def _few(rows: Sequence[Printed], asked: Mapping[str, Iterable[Place]], counts: NameCounts) -> Iterator[_Few]:
    """The bylines of a block that are needed for those of some names; nothing for names that can be many persons'."""
    kin = Kin({one.name for one in rows}, counts)
    crowd, strangers = kin.crowd, [one for one in rows if one.name in kin.short]
    places: dict[frozenset[str], list[Place]] = defaultdict(list)
    for name, its in asked.items():
        places[frozenset(kin.of(name))] += its
    for names, its in places.items():
        those = [one for one in rows if one.name in names]
        if those and not any(one.ids for one in those):
            yield _Few(its, those, strangers, crowd)


# --- naming one -----------------------------------------------------------------------------------


def reference_of(key: PaperKey, position: int) -> str:
    """How a byline is written: ``arxiv:2401.00001#3`` is the third author of that paper."""
    return f"{key}#{position + 1}"


def byline(tx: Transaction, written: str) -> Byline:
    """The byline that a reference names.

    Raises:
        ConfigError: it names none; says how it is written, and which ones the paper has.
    """
    paper, sign, place = written.rpartition("#")
    number = number_of(tx, paper if sign else place)
    there = authorships.bylines_of(tx, [number]).get(number, [])
    if sign and place.isdecimal() and 0 < int(place) <= len(there):
        found = there[int(place) - 1]
        if not found.block:
            raise ConfigError(f"{written} has no name printed: there is nobody to be known by it")
        return found
    key = papers.keys_of(tx, [number])[number]
    authors = ", ".join(f"#{place} {one.name}" for place, one in enumerate(there[:_SHOWN], start=1))
    more = f" … #{len(there)}" if len(there) > _SHOWN else ""
    offer = f"the authors of {key} are {authors}{more}" if there else f"no authors of {key} are known"
    raise ConfigError(f"{written!r} names no author; write PAPER#POSITION: {offer}")


_SHOWN = 8
"""So many authors of a paper are offered."""


def number_of(tx: Transaction, written: str) -> int:
    """The paper that an id in any form names.

    Raises:
        ConfigError: it names none.
    """
    key = paper_key(written)
    if key is None:
        raise ConfigError(
            f"{written!r} is no paper's id; a person is written PAPER#POSITION, as 2401.00001#3 for the third author "
            "of a paper, and `digest people find NAME` tells it"
        )
    scheme, _, value = key.partition(":")
    number = papers.known_as(tx, scheme, value)
    if number is None:
        raise ConfigError(f"no source has listed {key} so far as this store knows")
    return number


def person_of(tx: Transaction, one: Byline) -> Person:
    """Who signed so."""
    return who_signed(tx, [one])[one.place].person
