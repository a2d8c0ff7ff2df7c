"""Persons, worked out of the bylines that may be theirs.

Nothing of it is kept: what papers print and what somebody said is kept, and who that makes is worked out each time
anew, so taking back what was said undoes what it did, and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.names.fitting import NameMatch, make_narrow_block_key, match_names
from digest.core.papers.document import BylineStanding
from digest.core.people.ambiguity import NameAmbiguity, NamePopulation, NamesakeEstimate, is_common
from digest.core.people.chance import (
    MAX_NEIGHBOURS,
    SAME_WORKPLACE_CHANCE,
    compute_category_chance,
    compute_coauthor_chances,
    extract_workplaces,
)
from digest.core.people.clusters import BylineClusters, Traits

BylinePlace = tuple[int, int]
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
    def place(self) -> BylinePlace:
        """Which byline it is."""
        return self.paper, self.position


class IdentityStatement(NamedTuple):
    """Somebody said that two bylines are, or are not, one person's."""

    first: BylinePlace
    second: BylinePlace
    is_same: bool


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
    def place(self) -> BylinePlace:
        """The least place of the members, by which a person can be named."""
        return self.members[0].place

    @property
    def is_established(self) -> bool:
        """Whether more than a single paper without an id speaks for this person."""
        return len(self.members) > 1 or bool(self.ids)


def resolve_persons(
    signatures: Iterable[Signature],
    statements: Iterable[IdentityStatement] = (),
    population: NamePopulation | None = None,
) -> tuple[Person, ...]:
    """Who signed these papers.

    What somebody said counts most, then ids, then what the papers have in common. Nothing but what was said makes
    one person of two bylines of a paper, or of two ids of one scheme; nothing but that and ids makes one of names
    that do not fit.

    Args:
        signatures: of one block, or of several that have ids in common or are spoken of; each place once.
        statements: what somebody said of them; what is about other bylines counts for nothing. Where it goes against
            itself, those who are said to be apart stay so.
        population: all who sign with names of these blocks, if these are only some of them.

    Returns:
        The persons by their places; every signature is in exactly one.
    """
    ordered = sorted(signatures, key=_get_place)
    index_by_place = {signature.place: index for index, signature in enumerate(ordered)}
    indexed_statements = [
        (index_by_place[first], index_by_place[second], is_same)
        for first, second, is_same in sorted(statements)
        if first in index_by_place and second in index_by_place
    ]
    clusters = BylineClusters(
        map(_make_traits, ordered),
        [(first, second) for first, second, is_same in indexed_statements if not is_same],
    )
    for first, second, is_same in indexed_statements:
        if is_same:
            clusters.join_by_statement(first, second)
    for first, second in _find_same_ids(ordered):
        clusters.join_by_id(first, second)
    names = [signature.name for signature in ordered]
    _join_by_evidence(clusters, ordered, NameAmbiguity(names, population or NamePopulation(names)))
    return tuple(_make_person([ordered[index] for index in cluster]) for cluster in clusters.list_clusters())


def _get_place(signature: Signature) -> BylinePlace:
    return signature.place


def _make_traits(signature: Signature) -> Traits:
    return Traits(frozenset((signature.paper,)), frozenset((signature.name,)), frozenset(signature.ids))


def _make_person(members: Sequence[Signature]) -> Person:
    return Person(
        members=tuple(members),
        ids=frozenset(author_id for member in members for author_id in member.ids),
        names=frozenset(member.name for member in members),
    )


def _find_same_ids(signatures: Iterable[Signature]) -> Iterator[tuple[int, int]]:
    """Each byline with the first and with the last one before it of an id: one of them may be parted from all."""
    indexes_by_id: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, signature in enumerate(signatures):
        for author_id in signature.ids:
            yield from ((earlier_index, index) for earlier_index in indexes_by_id[author_id])
            indexes_by_id[author_id] = [*indexes_by_id[author_id][:1], index]


# --- evidence -------------------------------------------------------------------------------------

MAX_ERROR_CHANCE = 0.01
"""Papers are joined if, of all others who may have signed so, no more than this would by chance have as much in
common: what is likely is to be right in 99 of 100."""
MAX_CLOSE_COAUTHORS = 25
"""With no more co-authors than these a paper is by people who work together."""
MIN_MAIN_BEARER_RATIO = 20
"""The ratio of papers from which on the field joins what is left over to somebody whose papers co-authors join, if no
other given name with that initial is known: it is more likely theirs than a second bearer's of the same field."""
WORKPLACES_PER_PERSON = 2
"""At so many workplaces a person is seen: those where a name is seen are of so many fewer persons."""


def _join_by_evidence(
    clusters: BylineClusters, signatures: Sequence[Signature], ambiguity: NameAmbiguity
) -> None:
    """Join by workplaces, by co-authors for as long as that leaves fewer who may have signed so, then by fields."""
    all_indexes = range(len(signatures))
    for first, second, workplace_count in _find_colleagues(signatures, ambiguity):
        other_bearers = ambiguity.estimate_others(
            first, second, (workplace_count - 1) / WORKPLACES_PER_PERSON
        )
        if SAME_WORKPLACE_CHANCE * other_bearers <= MAX_ERROR_CHANCE:
            clusters.join(first, second)
    coauthor_pairs = sorted(find_coauthor_pairs(signatures))
    while _join_likely(
        clusters, coauthor_pairs, ambiguity.build_estimate(map(clusters.find_root, all_indexes))
    ):
        coauthor_pairs = [
            pair for pair in coauthor_pairs if clusters.find_root(pair[1]) != clusters.find_root(pair[2])
        ]
    estimate_others = ambiguity.build_estimate(map(clusters.find_root, all_indexes))
    for chance, first, second in _find_same_field(signatures):
        if chance * estimate_others(first, second) <= MAX_ERROR_CHANCE and _is_known_by_field(
            clusters, ambiguity, first, second
        ):
            clusters.join(first, second)


def _is_known_by_field(clusters: BylineClusters, ambiguity: NameAmbiguity, first: int, second: int) -> bool:
    """Whether the field alone may join two bylines: a store may know that field alone, and two namesakes in it."""
    smaller_size, larger_size = sorted((clusters.count_members(first), clusters.count_members(second)))
    return ambiguity.has_single_bearer(first, second) or (
        larger_size >= MIN_MAIN_BEARER_RATIO * smaller_size and ambiguity.is_only_given_name(first, second)
    )


def _join_likely(
    clusters: BylineClusters, pairs: Iterable[tuple[float, int, int]], estimate_others: NamesakeEstimate
) -> bool:
    has_joined = False
    for chance, first, second in pairs:
        if chance * estimate_others(first, second) <= MAX_ERROR_CHANCE and clusters.join(first, second):
            has_joined = True
    return has_joined


def find_coauthor_pairs(signatures: Sequence[Signature]) -> Iterator[tuple[float, int, int]]:
    """Pairs with co-authors in common, by their places in the row, each with the chance of what they have in common.

    That the field is the same makes it less likely where lists are short. Long ones are the rule in some fields, and
    namesakes in one of these have colleagues in common.
    """
    for chance, first, second in compute_coauthor_chances([signature.coauthors for signature in signatures]):
        first_signature, second_signature = signatures[first], signatures[second]
        is_short = max(len(first_signature.coauthors), len(second_signature.coauthors)) <= MAX_CLOSE_COAUTHORS
        yield (
            chance * compute_category_chance(first_signature.categories, second_signature.categories)
            if is_short
            else chance,
            first,
            second,
        )


def _find_same_field(signatures: Sequence[Signature]) -> Iterator[tuple[float, int, int]]:
    """Pairs of one field, each with the chance of the categories they have in common."""
    for first, second in _find_neighbours(signatures, [signature.categories for signature in signatures]):
        yield (
            compute_category_chance(signatures[first].categories, signatures[second].categories),
            first,
            second,
        )


def _find_colleagues(
    signatures: Sequence[Signature], ambiguity: NameAmbiguity
) -> Iterator[tuple[int, int, int]]:
    """Pairs of one workplace, with the number of workplaces of all who may have signed so."""
    workplaces_by_index = [
        {workplace for affiliation in signature.affiliations for workplace in extract_workplaces(affiliation)}
        for signature in signatures
    ]
    workplaces_by_name: dict[str, set[str]] = defaultdict(set)
    for signature, signature_workplaces in zip(signatures, workplaces_by_index, strict=True):
        workplaces_by_name[signature.name] |= signature_workplaces
    for first, second in _find_neighbours(signatures, workplaces_by_index):
        yield (
            first,
            second,
            len(
                set[str]().union(
                    *(workplaces_by_name[name] for name in ambiguity.find_possible_names(first, second))
                )
            ),
        )


def _find_neighbours(
    signatures: Sequence[Signature], traits: Iterable[Iterable[str]]
) -> Iterator[tuple[int, int]]:
    """Enough pairs that have a trait in common to link all that have: the next of the name, the first of each name."""
    indexes_by_trait: dict[str, dict[str, int]] = defaultdict(dict)
    for index, signature_traits in enumerate(traits):
        name = signatures[index].name
        for trait in sorted(signature_traits):
            indexes_by_name = indexes_by_trait[trait]
            if name in indexes_by_name:
                yield indexes_by_name[name], index
            elif len(indexes_by_name) <= MAX_NEIGHBOURS:
                yield from ((earlier_index, index) for earlier_index in indexes_by_name.values())
            indexes_by_name[name] = index


# --- standings ------------------------------------------------------------------------------------

STRAY_PAPER_WEIGHT = 3
"""So many papers of one person outweigh a paper whose co-authors and field are others: somebody else's."""
UNKNOWN_PAPER_WEIGHT = 9
"""So many outweigh a paper without co-authors, of which nobody can tell whose it is: nine of ten are hers."""


def compute_standing(signature: Signature, persons: Collection[Person]) -> BylineStanding:
    """What persons say of one byline.

    It is the sole one if nobody else signs so, and of a common name more than one paper speaks for it; or if the few
    papers of others who sign so are outweighed. Of a common name nobody else may be established.

    Args:
        signature: a member of one of them.
        persons: all persons of its block.
    """
    bearers = _find_bearers(signature.name, persons)
    own_person = next((person for person in bearers if signature in person.members), None)
    if own_person is None:
        message = f"the byline {signature.place} is of none of these persons"
        raise ValueError(message)
    other_persons = [person for person in bearers if person is not own_person]
    is_uncommon = not other_persons and not is_common(signature.name)
    return BylineStanding(
        is_sole_bearer=is_uncommon or _is_outweighing(own_person, other_persons, signature.name),
        ids=own_person.ids,
    )


def _find_bearers(name: str, persons: Collection[Person]) -> list[Person]:
    """Those who have signed with a name, or with one that fits it fully."""
    key = make_narrow_block_key(name)
    names = {
        person_name
        for person in persons
        for person_name in person.names
        if make_narrow_block_key(person_name) == key
    }
    full_matches = {
        person_name
        for person_name in names
        if person_name == name or match_names(name, person_name) is NameMatch.FULL
    }
    return [person for person in persons if not full_matches.isdisjoint(person.names)]


def _is_outweighing(person: Person, other_persons: Sequence[Person], name: str) -> bool:
    if not person.is_established or (
        is_common(name) and any(other_person.is_established for other_person in other_persons)
    ):
        return False
    papers = [member for other_person in other_persons for member in other_person.members]
    return len(person.members) >= sum(
        STRAY_PAPER_WEIGHT if paper.coauthors else UNKNOWN_PAPER_WEIGHT for paper in papers
    )
