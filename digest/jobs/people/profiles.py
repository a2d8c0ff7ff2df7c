"""Profiles of persons: find persons by name, with their papers and the statements about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import cache, partial
from typing import NamedTuple

from digest.core.names.fitting import NameMatch, make_block_key, make_index_keys, match_names
from digest.core.papers.identity.ids import get_arxiv_year
from digest.core.people.persons import BylinePlace, Person
from digest.core.people.profile import PersonProfile
from digest.jobs.people.persons import find_byline, find_person, format_reference, load_clusters
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.papers import authorships, events, papers
from digest.store.papers.authorships import BylineRecord
from digest.store.people import BylineRef, BylineStatement, PersonIdStatement

_MAX_FREQUENT = 5
"""Maximum number of co-authors, categories and affiliations in a profile."""
_MAX_BLOCKS = 6
"""Number of blocks above which a name has no given name; others have one for each order of their parts."""
_MAX_SIMILAR = 5
"""Maximum number of names that are suggested for an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSearchResult:
    """The persons with a name.

    Attributes:
        profiles: the persons with the most papers, in this order.
        remaining: the number of further persons.
        similar_names: names with a similar spelling, if the exact name is unknown.
    """

    profiles: tuple[PersonProfile, ...]
    remaining: int
    similar_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedPaper:
    """A paper of a person.

    Attributes:
        reference: the person's byline on it.
        name: the printed name.
        title: the title of the paper.
        year: the year of the paper; None if it is unknown.
    """

    reference: str
    name: str
    title: str
    year: int | None


class PersonStatement(NamedTuple):
    """A statement about a person.

    Attributes:
        by: the author of the statement: ``operator``, an enricher, or the name of a digest for an answer of
            its reader.
        at: when it was made, UTC.
        withdrawn_at: when it was withdrawn, UTC; None if it is valid.
        kind: ``same`` or ``other`` person as the one of ``about``, ``id``, ``yes`` or ``no``.
        reference: the byline that the statement is about.
        about: the other byline, or the ID as ``scheme:value``; "" for answers of readers.
    """

    by: str
    at: datetime
    withdrawn_at: datetime | None
    kind: str
    reference: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDetails:
    """The profile of a person, with all papers and statements.

    Attributes:
        profile: the profile.
        signed_papers: the papers, newest first.
        statements: the statements, latest last, including withdrawn ones.
    """

    profile: PersonProfile
    signed_papers: tuple[SignedPaper, ...]
    statements: tuple[PersonStatement, ...]


# --- search ---------------------------------------------------------------------------------------


def find_persons(store: Store, name: str, limit: int) -> PersonSearchResult:
    """Find the persons with a name, in any order and abbreviation of its parts.

    Args:
        store: the store.
        name: the name of an author.
        limit: the maximum number of profiles.
    """
    with store.begin_read() as tx:
        clusters_by_block = load_clusters(tx, _compute_blocks(name))
        clusters = {id(cluster): cluster for cluster in clusters_by_block.values()}
        compute_fit = cache(partial(match_names, name))
        fitting = [
            person
            for cluster in clusters.values()
            for person in cluster.cluster_persons()
            if any(compute_fit(person_name) is not NameMatch.NOT for person_name in person.names)
        ]
        fitting.sort(key=lambda person: (-len(person.members), person.place))
        profiles = _build_profiles(tx, fitting[:limit])
        best_fit = max(
            (compute_fit(person_name) for person in fitting for person_name in person.names),
            default=NameMatch.NOT,
        )
        similar_names = (
            _find_similar_names(tx, name, _SIMILARITY_CUTOFFS[best_fit])
            if best_fit in _SIMILARITY_CUTOFFS
            else ()
        )
    return PersonSearchResult(
        profiles=profiles, remaining=len(fitting) - len(profiles), similar_names=similar_names
    )


def is_family_name(name: str) -> bool:
    """Return whether a name is only a family name, which thousands can have."""
    return len(_compute_blocks(name)) > _MAX_BLOCKS


def _compute_blocks(name: str) -> set[str]:
    """Compute the blocks of all names that match a name."""
    name_blocks = {make_block_key(name)}
    for handle in make_index_keys(name):
        family, _, initial = handle.rpartition("|")
        name_blocks.add(make_block_key(f"{initial} {family}"))
    return name_blocks - {""}


def _count_names(person: Person) -> dict[str, int]:
    """Count the names with which a person signs, most frequent first."""
    return dict(Counter(member.name for member in person.members).most_common())


_SIMILARITY_CUTOFFS = {NameMatch.NOT: 0.6, NameMatch.INITIALS: 0.9}
"""Minimum similarity of suggested names (0 to 1), if no name matches and if only initials match."""


def _find_similar_names(tx: Transaction, name: str, cutoff: float) -> tuple[str, ...]:
    """Find names in the store with a similar spelling, most similar first."""
    family, _, initial = make_block_key(name).rpartition("|")
    candidate_blocks = authorships.list_blocks(tx, family[:1]) if family else []
    families = {candidate.rpartition("|")[0] for candidate in candidate_blocks}
    similar_blocks = {
        f"{candidate}|{initial}"
        for candidate in get_close_matches(family, families, n=4 * _MAX_SIMILAR, cutoff=0.7)
    }
    # The same family name with any initial, and similar ones with the same initial.
    blocks = [
        candidate
        for candidate in candidate_blocks
        if candidate in similar_blocks or candidate.startswith(f"{family}|")
    ]
    names_by_lowercase = {
        candidate.lower(): candidate for candidate in reversed(authorships.list_names(tx, blocks))
    }
    return tuple(
        names_by_lowercase[candidate]
        for candidate in get_close_matches(name.lower(), names_by_lowercase, n=_MAX_SIMILAR, cutoff=cutoff)
    )


# --- profiles -------------------------------------------------------------------------------------


def load_person(store: Store, reference: str) -> PersonDetails:
    """Load the profile, papers and statements of a person.

    Args:
        store: the store.
        reference: one of the person's bylines.

    Raises:
        ConfigError: there is no such byline.
    """
    with store.begin_read() as tx:
        return _build_details(tx, find_person(tx, find_byline(tx, reference)))


def _build_details(tx: Transaction, person: Person) -> PersonDetails:
    (profile,) = _build_profiles(tx, [person])
    paper_numbers = {member.paper for member in person.members}
    papers_by_number = papers.load_papers(tx, paper_numbers)
    years = load_years(tx, {number: paper.key for number, paper in papers_by_number.items()})
    signed = [
        SignedPaper(
            reference=format_reference(papers_by_number[member.paper].key, member.position),
            name=member.name,
            title=papers_by_number[member.paper].title,
            year=years.get(member.paper),
        )
        for member in person.members
    ]
    signed.sort(key=lambda signed_paper: (-(signed_paper.year or 0), signed_paper.reference))
    return PersonDetails(
        profile=profile, signed_papers=tuple(signed), statements=_load_statements(tx, person)
    )


def _build_profiles(tx: Transaction, persons: Sequence[Person]) -> tuple[PersonProfile, ...]:
    paper_numbers = {member.paper for person in persons for member in person.members}
    keys = papers.load_keys(tx, paper_numbers)
    years = load_years(tx, keys)
    bylines = authorships.load_first_bylines(tx, paper_numbers, authorships.MAX_COAUTHORS)
    stated_ids = load_stated_ids(tx, paper_numbers)
    return tuple(_build_profile(person, keys, years, bylines, stated_ids) for person in persons)


def load_stated_ids(
    tx: Transaction, paper_numbers: Iterable[int]
) -> dict[BylinePlace, list[PersonIdStatement]]:
    """Load the valid statements about IDs of the authors of papers, by byline."""
    statements = [
        statement
        for statement in people.load_person_ids(tx, set(paper_numbers))
        if statement.withdrawn_at is None
    ]
    resolved_bylines = people.resolve_bylines(tx, [statement.one for statement in statements])
    statements_by_place: dict[BylinePlace, list[PersonIdStatement]] = {}
    for statement in statements:
        if statement.one in resolved_bylines:
            statements_by_place.setdefault(resolved_bylines[statement.one].place, []).append(statement)
    return statements_by_place


def _build_profile(
    person: Person,
    keys: Mapping[int, PaperKey],
    years: Mapping[int, int],
    bylines: Mapping[int, Sequence[BylineRecord]],
    stated_ids: Mapping[BylinePlace, Sequence[PersonIdStatement]],
) -> PersonProfile:
    members = person.members
    known_years = sorted(years[member.paper] for member in members if member.paper in years)
    coauthors = (
        entry.name for member in members for entry in bylines[member.paper] if entry.place != member.place
    )
    id_sources = {
        (entry.scheme, entry.value): entry.by
        for member in members
        for entry in stated_ids.get(member.place, ())
    }
    return PersonProfile(
        reference=format_reference(keys[person.place[0]], person.place[1]),
        names=tuple(_count_names(person)),
        papers=len({member.paper for member in members}),
        years=(known_years[0], known_years[-1]) if known_years else None,
        categories=_select_frequent(category for member in members for category in member.categories),
        coauthors=_select_frequent(coauthors),
        affiliations=_select_frequent(
            affiliation for member in members for affiliation in member.affiliations
        ),
        ids=tuple(
            (scheme, value, id_sources.get((scheme, value), "")) for scheme, value in sorted(person.ids)
        ),
    )


def _select_frequent(values: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(values)
    return tuple(sorted(counts, key=lambda value: (-counts[value], value))[:_MAX_FREQUENT])


def load_years(tx: Transaction, keys: Mapping[int, PaperKey]) -> dict[int, int]:
    """Load the years of papers: that of the arXiv ID, or of the first event."""
    years = {number: year for number, key in keys.items() if (year := get_arxiv_year(key))}
    days = events.load_first_days(tx, keys.keys() - years.keys())
    return years | {number: day.year for number, day in days.items()}


def _load_statements(tx: Transaction, person: Person) -> tuple[PersonStatement, ...]:
    """Load the statements about a person's bylines."""
    own_places = {member.place for member in person.members}
    numbers = {paper for paper, _ in own_places}
    same_statements, id_statements = people.load_same_person(tx, numbers), people.load_person_ids(tx, numbers)
    answers = people.load_feedback_about_papers(tx, numbers)
    bylines = _resolve_bylines(
        tx,
        {statement.one for statement in (*same_statements, *id_statements)}
        | {statement.other for statement in same_statements}
        | {answer.byline for answer in answers},
    )
    statements = [
        bylines.make_statement(
            statement, "same" if statement.same else "other", bylines.format(statement.other)
        )
        for statement in same_statements
        if not own_places.isdisjoint((bylines.places.get(statement.one), bylines.places.get(statement.other)))
    ]
    statements += [
        bylines.make_statement(statement, "id", f"{statement.scheme}:{statement.value}")
        for statement in id_statements
        if bylines.places.get(statement.one) in own_places
    ]
    statements += [
        PersonStatement(
            answer.by, answer.at, None, "yes" if answer.yes else "no", bylines.format(answer.byline), ""
        )
        for answer in answers
        if bylines.places.get(answer.byline) in own_places
    ]
    return tuple(sorted(statements, key=lambda statement: statement.at))


class _ResolvedBylines(NamedTuple):
    """The current places of bylines in statements.

    Attributes:
        places: the current places; bylines that no longer exist are left out.
        keys: the keys of the papers, by number.
    """

    places: Mapping[BylineRef, BylinePlace]
    keys: Mapping[int, PaperKey]

    def format(self, byline: BylineRef) -> str:
        """Format a reference to a byline, with its former place if it no longer exists."""
        paper, position = self.places.get(byline, (byline.paper, byline.position))
        return format_reference(self.keys[paper], position)

    def make_statement(self, statement: BylineStatement, kind: str, about: str) -> PersonStatement:
        """Make the statement about a byline."""
        return PersonStatement(
            statement.by, statement.at, statement.withdrawn_at, kind, self.format(statement.one), about
        )


def _resolve_bylines(tx: Transaction, named_bylines: AbstractSet[BylineRef]) -> _ResolvedBylines:
    resolved_bylines = people.resolve_bylines(tx, named_bylines)
    places = {named_byline: byline.place for named_byline, byline in resolved_bylines.items()}
    paper_numbers = {paper for paper, _ in places.values()} | {byline.paper for byline in named_bylines}
    return _ResolvedBylines(places, papers.load_keys(tx, paper_numbers))
