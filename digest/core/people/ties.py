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


def count_ties(person: Person, stated_places: Collection[BylinePlace]) -> Mapping[Tie, int]:
    """Count the papers of a person by their strongest tie, strongest first.

    Args:
        person: the person.
        stated_places: bylines that somebody stated to be by this person.
    """
    shared_traits = {tie: _find_shared(person.members, tie) for tie in (Tie.COAUTHOR, Tie.WORKPLACE)}
    id_counts = Counter(person_id for member in person.members for person_id in member.ids)
    is_only = len(person.members) == 1
    shared_ids = {person_id for person_id, count in id_counts.items() if count > 1 or is_only}
    counts: Counter[Tie] = Counter()
    for member in person.members:
        if member.place in stated_places:
            counts[Tie.STATEMENT] += 1
        elif any(person_id in shared_ids for person_id in member.ids):
            counts[Tie.ID] += 1
        else:
            shared = (
                tie
                for tie, traits in shared_traits.items()
                if not traits.isdisjoint(_list_traits(member, tie))
            )
            counts[next(shared, Tie.FIELD if len(person.members) > 1 else Tie.NONE)] += 1
    return dict(sorted(counts.items()))


def _find_shared(members: Iterable[Signature], tie: Tie) -> frozenset[Hashable]:
    """Return the traits that at least two members have."""
    counts = Counter(trait for member in members for trait in _list_traits(member, tie))
    return frozenset(trait for trait, count in counts.items() if count > 1)


def _list_traits(member: Signature, tie: Tie) -> frozenset[str]:
    if tie is Tie.COAUTHOR:
        return member.coauthors
    return frozenset(
        workplace for affiliation in member.affiliations for workplace in extract_workplaces(affiliation)
    )
