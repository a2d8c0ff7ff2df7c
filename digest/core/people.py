"""Persons, worked out of the bylines that may be theirs.

Nothing of it is kept: what papers print and what somebody said is kept, and who that makes is worked out each time
anew, so taking back what was said undoes what it did, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.document import Standing
from digest.core.names import NameFit, block, name_fit

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
        established: more than one paper, or an id, or somebody, says that there is such a person.
    """

    members: tuple[Signature, ...]
    ids: frozenset[tuple[str, str]] = frozenset()
    established: bool = False

    @property
    def place(self) -> Place:
        """The least place of the members, by which a person can be named."""
        return self.members[0].place


def persons(signatures: Iterable[Signature], said: Iterable[Said] = ()) -> tuple[Person, ...]:
    """Who signed these papers.

    What somebody said counts most, then ids, then the evidence of the papers. Nothing but what was said makes one
    person of two bylines of a paper, of two ids of one scheme, or of names that do not fit.

    Args:
        signatures: of one block, or of several that have ids in common or are spoken of; each place once.
        said: what somebody said of them; what is about other bylines counts for nothing.

    Returns:
        The persons by their places; every signature is in exactly one.
    """
    ordered = sorted(signatures, key=lambda signature: signature.place)
    at = {signature.place: index for index, signature in enumerate(ordered)}
    known = [(at[one], at[other], same) for one, other, same in sorted(said) if one in at and other in at]
    groups = _Groups(ordered, [(one, other) for one, other, same in known if not same])
    for one, other, same in known:
        if same and not groups.said_apart(one, other):
            groups.unite(one, other)
    for one, other in _sharing_ids(ordered):
        groups.join(one, other, by_id=True)
    for one, other in _sharing_coauthors(ordered):
        groups.join(one, other)
    return tuple(_person([ordered[index] for index in group]) for group in groups.all())


def _person(members: Sequence[Signature]) -> Person:
    ids = frozenset(id_ for member in members for id_ in member.ids)
    return Person(members=tuple(members), ids=ids, established=len(members) > 1 or bool(ids))


def _sharing_ids(signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    first: dict[tuple[str, str], int] = {}
    for index, signature in enumerate(signatures):
        for id_ in signature.ids:
            yield first.setdefault(id_, index), index


def _sharing_coauthors(signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    first: dict[str, int] = {}
    for index, signature in enumerate(signatures):
        for name in sorted(signature.coauthors):
            yield first.get(name, index), index
            first[name] = index


class _Groups:
    """Bylines put together step by step."""

    def __init__(self, signatures: Sequence[Signature], apart: Iterable[tuple[int, int]]) -> None:
        self._root = list(range(len(signatures)))
        self._members = {index: [index] for index in self._root}
        self._papers = [{signature.paper} for signature in signatures]
        self._names = [{signature.name} for signature in signatures]
        self._ids = [set(signature.ids) for signature in signatures]
        self._apart: list[set[int]] = [set() for _ in signatures]
        for one, other in apart:
            self._apart[one].add(other)
            self._apart[other].add(one)

    def all(self) -> list[list[int]]:
        """The groups and their members, in order."""
        return sorted(sorted(members) for members in self._members.values())

    def of(self, index: int) -> int:
        """The byline that stands for the group that this one is in."""
        while self._root[index] != index:
            self._root[index] = index = self._root[self._root[index]]
        return index

    def said_apart(self, one: int, other: int) -> bool:
        """Whether somebody said that a member of one group is no member of the other."""
        return self.of(other) in self._apart[self.of(one)]

    def join(self, one: int, other: int, *, by_id: bool = False) -> None:
        """Make two groups one unless something parts them; an id is stronger than a name."""
        one, other = self.of(one), self.of(other)
        if one != other and not self._parted(one, other, by_id=by_id):
            self.unite(one, other)

    def unite(self, one: int, other: int) -> None:
        """Make two groups one, whatever parts them."""
        into, gone = self.of(one), self.of(other)
        if into == gone:
            return
        if len(self._members[into]) < len(self._members[gone]):
            into, gone = gone, into
        self._root[gone] = into
        self._members[into] += self._members.pop(gone)
        for every in (self._papers, self._names, self._ids, self._apart):
            every[into] |= every[gone]  # type: ignore[operator]
        for stranger in self._apart[gone]:
            self._apart[stranger].discard(gone)
            self._apart[stranger].add(into)

    def _parted(self, one: int, other: int, *, by_id: bool) -> bool:
        return (
            other in self._apart[one]
            or not self._papers[one].isdisjoint(self._papers[other])
            or _contradict(self._ids[one], self._ids[other])
            or not (by_id or _names_fit(self._names[one], self._names[other]))
        )


def _contradict(ids: Set[tuple[str, str]], others: Set[tuple[str, str]]) -> bool:
    """Whether both have ids of a scheme, and none of them in common."""
    schemes = {scheme for scheme, _ in ids} & {scheme for scheme, _ in others}
    return any(not any(id_ in others for id_ in ids if id_[0] == scheme) for scheme in schemes)


def _names_fit(names: Iterable[str], others: Set[str]) -> bool:
    """Whether any name of the one fits one of the other, and none of the same block goes against one."""
    pairs = [(name, other, name_fit(name, other)) for name in names for other in others]
    against = any(fit is NameFit.NOT and block(name) == block(other) for name, other, fit in pairs)
    return not against and any(fit is not NameFit.NOT for _, _, fit in pairs)


def standing(of: Signature, among: Iterable[Person]) -> Standing:
    """What persons say of one byline.

    Args:
        of: a member of one of them.
        among: all persons of its block.
    """
    so_signed = [person for person in among if _signs(person, of.name)]
    own = next(person for person in so_signed if of in person.members)
    established = [person for person in so_signed if person.established]
    return Standing(sole=len(so_signed) == 1 or established == [own], ids=own.ids)


def _signs(person: Person, name: str) -> bool:
    return any(name_fit(name, known) is NameFit.FULL for known in {member.name for member in person.members})
