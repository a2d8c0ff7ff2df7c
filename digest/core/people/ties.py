"""What ties the papers of a person together, to say how sure it is that they are by one person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from enum import IntEnum

from digest.core.people.chance import extract_workplaces
from digest.core.people.persons import BylinePlace, Person, Signature


class Tie(IntEnum):
    """What ties a paper to another paper of the same person, strongest first."""

    STATEMENT = 0
    """Somebody stated it."""
    ID = 1
    """An ID that another paper has, too, or that its only paper has."""
    COAUTHOR = 2
    WORKPLACE = 3
    FIELD = 4
    """A category, and a name that no other known person in it has."""
    NONE = 5
    """Nothing: it is the only paper."""


_TIES_BY_TRAIT = (Tie.ID, Tie.COAUTHOR, Tie.WORKPLACE)
"""Ties by something that two papers have in common, strongest first."""


def count_ties(person: Person, stated_places: Collection[BylinePlace]) -> Mapping[Tie, int]:
    """Count the papers of a person by their strongest tie, strongest first.

    Args:
        person: the person.
        stated_places: bylines that somebody stated to be by this person.
    """
    is_only = len(person.members) == 1
    shared_traits = {tie: _find_shared(person.members, tie) for tie in _TIES_BY_TRAIT}
    counts: Counter[Tie] = Counter()
    for member in person.members:
        shared = (
            tie for tie, traits in shared_traits.items() if not traits.isdisjoint(_list_traits(member, tie))
        )
        if member.place in stated_places:
            counts[Tie.STATEMENT] += 1
        elif is_only:
            counts[Tie.ID if member.ids else Tie.NONE] += 1
        else:
            counts[next(shared, Tie.FIELD)] += 1
    return dict(sorted(counts.items()))


def _find_shared(members: Iterable[Signature], tie: Tie) -> frozenset[Hashable]:
    """Return the traits that at least two members have."""
    counts = Counter(trait for member in members for trait in _list_traits(member, tie))
    return frozenset(trait for trait, count in counts.items() if count > 1)


def _list_traits(member: Signature, tie: Tie) -> frozenset[Hashable]:
    if tie is Tie.ID:
        return frozenset(member.ids)
    if tie is Tie.COAUTHOR:
        return member.coauthors
    return frozenset(
        workplace for affiliation in member.affiliations for workplace in extract_workplaces(affiliation)
    )
