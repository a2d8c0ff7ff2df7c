"""Persons, computed from the bylines that may be theirs.

No person is stored. What papers print and what people state is stored, and the persons are computed from that
each time. If a statement is taken back, exactly its effect is undone.
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
"""A byline: the number of the paper, and the position in its list of authors."""


class Signature(NamedTuple):
    """A byline with its context.

    Attributes:
        paper: the number of the paper.
        position: the position in the paper's list of authors.
        name: as printed.
        affiliations: as printed.
        ids: pairs of scheme and value, printed or stated by somebody.
        coauthors: the folded names of the other authors.
        categories: categories of the paper, the primary one first.
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
        """Paper and position, which identify the byline."""
        return self.paper, self.position


class IdentityStatement(NamedTuple):
    """A statement that two bylines belong, or do not belong, to the same person."""

    first: BylinePlace
    second: BylinePlace
    is_same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A presumed person: the bylines that appear to be by the same author.

    Attributes:
        members: the bylines, in order of paper and position.
        ids: the IDs of all members.
        names: the printed names of all members.
    """

    members: tuple[Signature, ...]
    ids: frozenset[tuple[str, str]]
    names: frozenset[str]

    @property
    def place(self) -> BylinePlace:
        """The lowest place of the members, which identifies the person."""
        return self.members[0].place

    @property
    def is_established(self) -> bool:
        """Whether the person has an ID or at least two papers."""
        return len(self.members) > 1 or bool(self.ids)


def resolve_persons(
    signatures: Iterable[Signature],
    statements: Iterable[IdentityStatement] = (),
    population: NamePopulation | None = None,
) -> tuple[Person, ...]:
    """Group bylines into persons.

    Statements have priority, then IDs, then what the papers have in common. Only a statement joins two
    bylines of one paper, or two IDs of one scheme. Only statements and IDs join names that do not fit.

    Args:
        signatures: the bylines of one block, or of several blocks that IDs or statements connect; each place
            once.
        statements: statements about these bylines; those about other bylines are ignored. If statements
            contradict each other, separation wins.
        population: the names of the whole blocks, if ``signatures`` are only a part of them.

    Returns:
        The persons in order of their places; each byline belongs to exactly one.
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
    """Yield each byline with the first and the last earlier byline that has one of its IDs.

    Two are tried because a constraint may separate one of them from all others.
    """
    indexes_by_id: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, signature in enumerate(signatures):
        for author_id in signature.ids:
            yield from ((earlier_index, index) for earlier_index in indexes_by_id[author_id])
            indexes_by_id[author_id] = [*indexes_by_id[author_id][:1], index]


# --- evidence -------------------------------------------------------------------------------------

MAX_ERROR_CHANCE = 0.01
"""Maximum probability that a join is wrong.

It is computed as the expected number of namesakes whose papers would have as much in common by coincidence.
"""
MAX_CLOSE_COAUTHORS = 25
"""Maximum number of co-authors of a paper whose authors are taken to work together in one field."""
MIN_MAIN_BEARER_RATIO = 20
"""Minimum ratio of the sizes of two clusters for their field to join them.

It applies if no other given name with the same initial is known. The papers of the small cluster are then
more likely by the same person than by a second bearer of the name in the same field.
"""
WORKPLACES_PER_PERSON = 2
"""Assumed number of workplaces of one person, which converts the workplaces of a name into a number of persons."""


def _join_by_evidence(
    clusters: BylineClusters, signatures: Sequence[Signature], ambiguity: NameAmbiguity
) -> None:
    """Join by workplaces; then by co-authors, repeatedly while that leaves fewer possible bearers; then by fields."""
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
    """Return True if a common category suffices to join two bylines.

    It is weak evidence: a database may contain only that field, and two namesakes in it.
    """
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
    """Yield pairs of bylines with co-authors in common: the probability of coincidence, and two indexes.

    For short lists of authors, a common field lowers the probability. Long lists do not count so, because
    they are usual in some fields, where namesakes have colleagues in common.
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
    """Yield pairs of bylines with a category in common: the probability of coincidence, and two indexes."""
    for first, second in _find_neighbours(signatures, [signature.categories for signature in signatures]):
        yield (
            compute_category_chance(signatures[first].categories, signatures[second].categories),
            first,
            second,
        )


def _find_colleagues(
    signatures: Sequence[Signature], ambiguity: NameAmbiguity
) -> Iterator[tuple[int, int, int]]:
    """Yield pairs of bylines with a common workplace, and the number of workplaces of all possible bearers."""
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
    """Yield enough pairs with a common trait to link all bylines that have it, without comparing all pairs.

    Each byline is paired with the previous one of the same name, and the first of each name with the latest
    ones of the other names.
    """
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
"""Minimum number of own papers for each paper of another bearer that has co-authors."""
UNKNOWN_PAPER_WEIGHT = 9
"""Minimum number of own papers for each paper of another bearer without co-authors.

Nothing indicates who wrote such papers; nine of ten are by the main bearer.
"""


def compute_standing(signature: Signature, persons: Collection[Person]) -> BylineStanding:
    """Return the standing of a byline: its IDs, and whether its person is the only bearer of the name.

    The person counts as the only bearer if nobody else signs with the name, or if the person is established
    and has many more papers than the others. For a common name, the person must be established in any case,
    and no other bearer may be.

    Args:
        signature: a member of one of the persons.
        persons: all persons of its block.

    Raises:
        ValueError: if the byline belongs to none of the persons.
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
    """Return the persons who have signed with the name, or with one that fully fits it."""
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
