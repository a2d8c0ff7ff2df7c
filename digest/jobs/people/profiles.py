"""Who is who: persons by their names, with their papers, and with what was said of them and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import cache, partial
from typing import NamedTuple

from digest.core.names.fitting import NameFit, block, handles, name_fit
from digest.core.papers.identity.ids import arxiv_year
from digest.core.people.persons import Person, Place
from digest.jobs.people.persons import byline, circles, person_of, reference_of
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.papers import authorships, events, papers
from digest.store.papers.authorships import Byline
from digest.store.people import Named, SaidId, Saying

_FREQUENT = 5
"""So many co-authors, and so many other things of a kind, are named of a person."""
_NEAR = 5
"""So many names are offered in place of one that nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of a person.

    Attributes:
        reference: a byline that names the person: ``arxiv:2401.00001#3``.
        names: as printed, the most frequent first.
        papers: how many.
        years: the first and the last one of the papers; None if it is not known.
        categories: the most frequent ones; so are ``coauthors`` and ``affiliations``.
        ids: scheme, value and who said so; "" for the papers themselves.
    """

    reference: str
    names: tuple[str, ...]
    papers: int
    years: tuple[int, int] | None
    categories: tuple[str, ...]
    coauthors: tuple[str, ...]
    affiliations: tuple[str, ...]
    ids: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The persons of a name.

    Attributes:
        profiles: those with the most papers first.
        more: how many persons there are besides.
        near: where nobody has just that name, names that are written alike.
    """

    profiles: tuple[Profile, ...]
    more: int
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A paper of a person.

    Attributes:
        reference: the byline on it.
        name: as printed there.
        title: of the paper.
        year: None if it is not known.
    """

    reference: str
    name: str
    title: str
    year: int | None


class Word(NamedTuple):
    """What somebody said of a person.

    Attributes:
        by: who said it: ``operator``, or the name of a digest for what its reader answered.
        at: when.
        withdrawn_at: when it was taken back; None if it stands.
        what: ``same`` or ``other`` person as the one who signed ``about``, ``id``, ``yes`` or ``no``.
        reference: the byline of which it was said.
        about: the other byline, or the id as ``scheme:value``, "" for answers of readers.
    """

    by: str
    at: datetime
    withdrawn_at: datetime | None
    what: str
    reference: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that is known of a person.

    Attributes:
        signed: the papers, the newest first.
        words: what was said, the last word last, with what was taken back.
    """

    profile: Profile
    signed: tuple[Signed, ...]
    words: tuple[Word, ...]


# --- finding --------------------------------------------------------------------------------------


def find(store: Store, name: str, most: int) -> Found:
    """The persons of a name, in whatever order and however short it is written.

    Args:
        store: where.
        name: of an author.
        most: so many are told, those with the most papers.
    """
    with store.reading() as tx:
        read = circles(tx, _blocks(name))
        whole = {id(circle): circle for circle in read.values()}
        fits = cache(partial(name_fit, name))
        fitting = [
            person
            for circle in whole.values()
            for person in circle.persons()
            if any(fits(each) is not NameFit.NOT for each in person.names)
        ]
        fitting.sort(key=lambda person: (-len(person.members), person.place))
        profiles = _profiles(tx, fitting[:most])
        fit = max((fits(each) for person in fitting for each in person.names), default=NameFit.NOT)
        near = _near(tx, name, _ALIKE[fit]) if fit in _ALIKE else ()
    return Found(profiles=profiles, more=len(fitting) - len(profiles), near=near)


def _blocks(name: str) -> set[str]:
    """The blocks of all names that fit a name."""
    found = {block(name)}
    for handle in handles(name):
        family, _, initial = handle.rpartition("|")
        found.add(block(f"{initial} {family}"))
    return found - {""}


def _names(person: Person) -> dict[str, int]:
    """The names that a person signs with, the most frequent first."""
    return dict(Counter(member.name for member in person.members).most_common())


_ALIKE = {NameFit.NOT: 0.6, NameFit.INITIALS: 0.9}
"""How alike names are that are offered, where no name fits and where only such fit that may be it."""


def _near(tx: Transaction, name: str, alike: float) -> tuple[str, ...]:
    """Names in the store that are written like one, the nearest first."""
    family, _, initial = block(name).rpartition("|")
    begun = authorships.blocks_from(tx, family[:1]) if family else []
    families = {each.rpartition("|")[0] for each in begun}
    like_it = {f"{each}|{initial}" for each in get_close_matches(family, families, n=4 * _NEAR, cutoff=0.7)}
    # Of the family itself with any initial, of those like it with this one.
    blocks = [each for each in begun if each in like_it or each.startswith(f"{family}|")]
    there = {each.lower(): each for each in reversed(authorships.names_in(tx, blocks))}
    return tuple(there[each] for each in get_close_matches(name.lower(), there, n=_NEAR, cutoff=alike))


# --- telling --------------------------------------------------------------------------------------


def known(store: Store, written: str) -> Known:
    """All that is known of a person.

    Args:
        store: where.
        written: one of the person's bylines.

    Raises:
        ConfigError: this is no byline of the store.
    """
    with store.reading() as tx:
        return _known(tx, person_of(tx, byline(tx, written)))


def _known(tx: Transaction, person: Person) -> Known:
    (profile,) = _profiles(tx, [person])
    numbers = {member.paper for member in person.members}
    wholes = papers.load(tx, numbers)
    years = _years(tx, {number: paper.key for number, paper in wholes.items()})
    signed = [
        Signed(
            reference=reference_of(wholes[member.paper].key, member.position),
            name=member.name,
            title=wholes[member.paper].title,
            year=years.get(member.paper),
        )
        for member in person.members
    ]
    signed.sort(key=lambda one: (-(one.year or 0), one.reference))
    return Known(profile=profile, signed=tuple(signed), words=_words(tx, person))


def _profiles(tx: Transaction, found: Sequence[Person]) -> tuple[Profile, ...]:
    numbers = {member.paper for person in found for member in person.members}
    keys = papers.keys_of(tx, numbers)
    years = _years(tx, keys)
    bylines = authorships.bylines_of(tx, numbers)
    said = _said_ids(tx, numbers)
    return tuple(_profile(person, keys, years, bylines, said) for person in found)


def _said_ids(tx: Transaction, numbers: Iterable[int]) -> dict[Place, list[SaidId]]:
    sayings = [one for one in people.said_ids(tx, set(numbers)) if one.withdrawn_at is None]
    meant = people.resolved(tx, [one.one for one in sayings])
    found: dict[Place, list[SaidId]] = {}
    for one in sayings:
        if one.one in meant:
            found.setdefault(meant[one.one].place, []).append(one)
    return found


def _profile(
    person: Person,
    keys: Mapping[int, PaperKey],
    years: Mapping[int, int],
    bylines: Mapping[int, Sequence[Byline]],
    said: Mapping[Place, Sequence[SaidId]],
) -> Profile:
    members = person.members
    dated = sorted(years[member.paper] for member in members if member.paper in years)
    others = (one.name for member in members for one in bylines[member.paper] if one.place != member.place)
    by = {(one.scheme, one.value): one.by for member in members for one in said.get(member.place, ())}
    return Profile(
        reference=reference_of(keys[person.place[0]], person.place[1]),
        names=tuple(_names(person)),
        papers=len({member.paper for member in members}),
        years=(dated[0], dated[-1]) if dated else None,
        categories=_frequent(category for member in members for category in member.categories),
        coauthors=_frequent(others),
        affiliations=_frequent(where for member in members for where in member.affiliations),
        ids=tuple((scheme, value, by.get((scheme, value), "")) for scheme, value in sorted(person.ids)),
    )


def _frequent(values: Iterable[str]) -> tuple[str, ...]:
    times = Counter(values)
    return tuple(sorted(times, key=lambda value: (-times[value], value))[:_FREQUENT])


def _years(tx: Transaction, keys: Mapping[int, PaperKey]) -> dict[int, int]:
    """The years of papers: that of the arXiv id, else of the first day on which anything was told of it."""
    found = {number: year for number, key in keys.items() if (year := arxiv_year(key))}
    days = events.first_days(tx, keys.keys() - found.keys())
    return found | {number: day.year for number, day in days.items()}


def _words(tx: Transaction, person: Person) -> tuple[Word, ...]:
    """What was said of a person's bylines."""
    mine = {member.place for member in person.members}
    numbers = {paper for paper, _ in mine}
    same, ids = people.said_same(tx, numbers), people.said_ids(tx, numbers)
    answers = people.answers_about(tx, numbers)
    named = {one.one for one in same} | {one.other for one in same}
    named |= {one.one for one in ids} | {one.one for one in answers}
    meant = {one: byline.place for one, byline in people.resolved(tx, named).items()}
    keys = papers.keys_of(tx, {paper for paper, _ in meant.values()} | {one.paper for one in named})

    def reference(one: Named) -> str:
        paper, position = meant.get(one, (one.paper, one.position))
        return reference_of(keys[paper], position)

    def word(one: Saying, what: str, about: str) -> Word:
        return Word(one.by, one.at, one.withdrawn_at, what, reference(one.one), about)

    words = [
        word(one, "same" if one.same else "other", reference(one.other))
        for one in same
        if not mine.isdisjoint((meant.get(one.one), meant.get(one.other)))
    ]
    words += [word(one, "id", f"{one.scheme}:{one.value}") for one in ids if meant.get(one.one) in mine]
    words += [
        Word(one.by, one.at, None, "yes" if one.yes else "no", reference(one.one), "")
        for one in answers
        if meant.get(one.one) in mine
    ]
    return tuple(sorted(words, key=lambda word: word.at))
