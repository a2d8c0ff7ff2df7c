"""Persons, worked out of the bylines that may be theirs.

Nothing of it is kept: what papers print and what somebody said is kept, and who that makes is worked out each time
anew, so taking back what was said undoes what it did, and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.names.fitting import NameFit, name_fit, narrow_block
from digest.core.papers.document import Standing
from digest.core.people.ambiguity import Crowd, Namesakes, Others, is_common
from digest.core.people.chance import (
    NEIGHBOURS,
    SAME_WORKPLACE,
    category_chance,
    coauthor_chances,
    workplaces,
)
from digest.core.people.clusters import Groups, Traits

Place = tuple[int, int]
"""Which byline: the number of the paper, and the position in its list of authors."""


class Signature(NamedTuple):
    """A byline with what surrounds it.

    Attributes:
        paper: the paper's number.
        position: in its list of authors.
        name: as printed.
        ids: pairs of scheme and value, printed or said by somebody.
        coauthors: the folded names of the others.
        categories: of the paper, the primary one first.
    """

    paper: int
    position: int
    name: str
    affiliations: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    coauthors: frozenset[str] = frozenset()
    categories: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """Which byline it is."""
        return self.paper, self.position


class Said(NamedTuple):
    """Somebody said that two bylines are, or are not, one person's."""

    one: Place
    other: Place
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who is believed to have signed some papers.

    Attributes:
        members: the bylines, in order of their places.
        ids: those of all of them.
        names: as printed.
    """

    members: tuple[Signature, ...]
    ids: frozenset[tuple[str, str]]
    names: frozenset[str]

    @property
    def place(self) -> Place:
        """The least place of the members, by which a person can be named."""
        return self.members[0].place

    @property
    def established(self) -> bool:
        """Whether more than a single paper without an id speaks for this person."""
        return len(self.members) > 1 or bool(self.ids)


def persons(
    signatures: Iterable[Signature], said: Iterable[Said] = (), crowd: Crowd | None = None
) -> tuple[Person, ...]:
    """Who signed these papers.

    What somebody said counts most, then ids, then what the papers have in common. Nothing but what was said makes
    one person of two bylines of a paper, or of two ids of one scheme; nothing but that and ids makes one of names
    that do not fit.

    Args:
        signatures: of one block, or of several that have ids in common or are spoken of; each place once.
        said: what somebody said of them; what is about other bylines counts for nothing. Where it goes against
            itself, those who are said to be apart stay so.
        crowd: all who sign with names of these blocks, if these are only some of them.

    Returns:
        The persons by their places; every signature is in exactly one.
    """
    ordered = sorted(signatures, key=_place)
    at = {signature.place: index for index, signature in enumerate(ordered)}
    known = [(at[one], at[other], same) for one, other, same in sorted(said) if one in at and other in at]
    groups = Groups(map(_traits, ordered), [(one, other) for one, other, same in known if not same])
    for one, other, same in known:
        if same:
            groups.join_said(one, other)
    for one, other in _of_one_id(ordered):
        groups.join_by_id(one, other)
    names = [signature.name for signature in ordered]
    _join_by_evidence(groups, ordered, Namesakes(names, crowd or Crowd(names)))
    return tuple(_person([ordered[index] for index in group]) for group in groups.all())


def _place(signature: Signature) -> Place:
    return signature.place


def _traits(signature: Signature) -> Traits:
    return Traits(frozenset((signature.paper,)), frozenset((signature.name,)), frozenset(signature.ids))


def _person(members: Sequence[Signature]) -> Person:
    return Person(
        members=tuple(members),
        ids=frozenset(id_ for member in members for id_ in member.ids),
        names=frozenset(member.name for member in members),
    )


def _of_one_id(signatures: Iterable[Signature]) -> Iterator[tuple[int, int]]:
    """Each byline with the first and with the last one before it of an id: one of them may be parted from all."""
    having: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, signature in enumerate(signatures):
        for id_ in signature.ids:
            yield from ((known, index) for known in having[id_])
            having[id_] = [*having[id_][:1], index]


# --- evidence -------------------------------------------------------------------------------------

TOLERATED = 0.01
"""Papers are joined if, of all others who may have signed so, no more than this would by chance have as much in
common: what is likely is to be right in 99 of 100."""
SHORT_LIST = 25
"""With no more co-authors than these a paper is by people who work together."""
MAIN_BEARER = 20
"""The ratio of papers from which on the field joins what is left over to somebody whose papers co-authors join, if no
other given name with that initial is known: it is more likely theirs than a second bearer's of the same field."""
PLACES_OF_ONE = 2
"""At so many workplaces a person is seen: those where a name is seen are of so many fewer persons."""


def _join_by_evidence(groups: Groups, signatures: Sequence[Signature], namesakes: Namesakes) -> None:
    """Join by workplaces, by co-authors for as long as that leaves fewer who may have signed so, then by fields."""
    every = range(len(signatures))
    for one, other, places in _colleagues(signatures, namesakes):
        others = namesakes.others(one, other, (places - 1) / PLACES_OF_ONE)
        if SAME_WORKPLACE * others <= TOLERATED:
            groups.join(one, other)
    coauthors = sorted(with_coauthors(signatures))
    while _join_likely(groups, coauthors, namesakes.of_groups(map(groups.of, every))):
        coauthors = [pair for pair in coauthors if groups.of(pair[1]) != groups.of(pair[2])]
    others_of = namesakes.of_groups(map(groups.of, every))
    for chance, one, other in _same_field(signatures):
        if chance * others_of(one, other) <= TOLERATED and _is_known_by_field(groups, namesakes, one, other):
            groups.join(one, other)


def _is_known_by_field(groups: Groups, namesakes: Namesakes, one: int, other: int) -> bool:
    """Whether the field alone may join two bylines: a store may know that field alone, and two namesakes in it."""
    less, more = sorted((groups.size(one), groups.size(other)))
    return namesakes.have_one_bearer(one, other) or (
        more >= MAIN_BEARER * less and namesakes.are_alone_with_initial(one, other)
    )


def _join_likely(groups: Groups, pairs: Iterable[tuple[float, int, int]], others: Others) -> bool:
    joined = False
    for chance, one, other in pairs:
        if chance * others(one, other) <= TOLERATED and groups.join(one, other):
            joined = True
    return joined


def with_coauthors(signatures: Sequence[Signature]) -> Iterator[tuple[float, int, int]]:
    """Pairs with co-authors in common, by their places in the row, each with the chance of what they have in common.

    That the field is the same makes it less likely where lists are short. Long ones are the rule in some fields, and
    namesakes in one of these have colleagues in common.
    """
    for chance, one, other in coauthor_chances([signature.coauthors for signature in signatures]):
        a, b = signatures[one], signatures[other]
        is_short = max(len(a.coauthors), len(b.coauthors)) <= SHORT_LIST
        yield chance * category_chance(a.categories, b.categories) if is_short else chance, one, other


def _same_field(signatures: Sequence[Signature]) -> Iterator[tuple[float, int, int]]:
    """Pairs of one field, each with the chance of the categories they have in common."""
    for one, other in _neighbours(signatures, [signature.categories for signature in signatures]):
        yield category_chance(signatures[one].categories, signatures[other].categories), one, other


def _colleagues(signatures: Sequence[Signature], namesakes: Namesakes) -> Iterator[tuple[int, int, int]]:
    """Pairs of one workplace, with the number of workplaces of all who may have signed so."""
    at = [
        {place for affiliation in signature.affiliations for place in workplaces(affiliation)}
        for signature in signatures
    ]
    seen: dict[str, set[str]] = defaultdict(set)
    for signature, places in zip(signatures, at, strict=True):
        seen[signature.name] |= places
    for one, other in _neighbours(signatures, at):
        yield one, other, len(set[str]().union(*(seen[name] for name in namesakes.alike(one, other))))


def _neighbours(
    signatures: Sequence[Signature], traits: Iterable[Iterable[str]]
) -> Iterator[tuple[int, int]]:
    """Enough pairs that have a trait in common to link all that have: the next of the name, the first of each name."""
    having: dict[str, dict[str, int]] = defaultdict(dict)
    for index, its in enumerate(traits):
        name = signatures[index].name
        for trait in sorted(its):
            known = having[trait]
            if name in known:
                yield known[name], index
            elif len(known) <= NEIGHBOURS:
                yield from ((other, index) for other in known.values())
            known[name] = index


# --- standings ------------------------------------------------------------------------------------

STRAY = 3
"""So many papers of one person outweigh a paper whose co-authors and field are others: somebody else's."""
UNKNOWN = 9
"""So many outweigh a paper without co-authors, of which nobody can tell whose it is: nine of ten are hers."""


def standing(of: Signature, among: Collection[Person]) -> Standing:
    """What persons say of one byline.

    It is the sole one if nobody else signs so, and of a common name more than one paper speaks for it; or if the few
    papers of others who sign so are outweighed. Of a common name nobody else may be established.

    Args:
        of: a member of one of them.
        among: all persons of its block.
    """
    so_signed = _signing_as(of.name, among)
    own = next((person for person in so_signed if of in person.members), None)
    if own is None:
        message = f"the byline {of.place} is of none of these persons"
        raise ValueError(message)
    others = [person for person in so_signed if person is not own]
    uncommon = not others and not is_common(of.name)
    return Standing(sole=uncommon or _outweighs(own, others, of.name), ids=own.ids)


def _signing_as(name: str, among: Collection[Person]) -> list[Person]:
    """Those who have signed with a name, or with one that fits it fully."""
    key = narrow_block(name)
    names = {its for person in among for its in person.names if narrow_block(its) == key}
    full = {its for its in names if its == name or name_fit(name, its) is NameFit.FULL}
    return [person for person in among if not full.isdisjoint(person.names)]


def _outweighs(person: Person, others: Sequence[Person], name: str) -> bool:
    if not person.established or (is_common(name) and any(other.established for other in others)):
        return False
    papers = [member for other in others for member in other.members]
    return len(person.members) >= sum(STRAY if paper.coauthors else UNKNOWN for paper in papers)
