"""Who is who: persons by their names, with their papers, and with what was said of them and by whom."""

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
from digest.jobs.people.persons import find_byline, find_person, format_reference, load_clusters
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.papers import authorships, events, papers
from digest.store.papers.authorships import BylineRecord
from digest.store.people import BylineRef, BylineStatement, PersonIdStatement

_MAX_FREQUENT = 5
"""So many co-authors, and so many other things of a kind, are named of a person."""
_MAX_SIMILAR = 5
"""So many names are offered in place of one that nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProfile:
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
class PersonSearchResult:
    """The persons of a name.

    Attributes:
        profiles: those with the most papers first.
        remaining: how many persons there are besides.
        similar_names: where nobody has just that name, names that are written alike.
    """

    profiles: tuple[PersonProfile, ...]
    remaining: int
    similar_names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedPaper:
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


class PersonStatement(NamedTuple):
    """What somebody said of a person.

    Attributes:
        by: who said it: ``operator``, or the name of a digest for what its reader answered.
        at: when.
        withdrawn_at: when it was taken back; None if it stands.
        kind: ``same`` or ``other`` person as the one who signed ``about``, ``id``, ``yes`` or ``no``.
        reference: the byline of which it was said.
        about: the other byline, or the id as ``scheme:value``, "" for answers of readers.
    """

    by: str
    at: datetime
    withdrawn_at: datetime | None
    kind: str
    reference: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDetails:
    """All that is known of a person.

    Attributes:
        signed_papers: the papers, the newest first.
        statements: what was said, the last word last, with what was taken back.
    """

    profile: PersonProfile
    signed_papers: tuple[SignedPaper, ...]
    statements: tuple[PersonStatement, ...]


# --- finding --------------------------------------------------------------------------------------


def find_persons(store: Store, name: str, limit: int) -> PersonSearchResult:
    """The persons of a name, in whatever order and however short it is written.

    Args:
        store: where.
        name: of an author.
        limit: so many are told, those with the most papers.
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


def _compute_blocks(name: str) -> set[str]:
    """The blocks of all names that fit a name."""
    name_blocks = {make_block_key(name)}
    for handle in make_index_keys(name):
        family, _, initial = handle.rpartition("|")
        name_blocks.add(make_block_key(f"{initial} {family}"))
    return name_blocks - {""}


def _count_names(person: Person) -> dict[str, int]:
    """The names that a person signs with, the most frequent first."""
    return dict(Counter(member.name for member in person.members).most_common())


_SIMILARITY_CUTOFFS = {NameMatch.NOT: 0.6, NameMatch.INITIALS: 0.9}
"""How alike names are that are offered, where no name fits and where only such fit that may be it."""


def _find_similar_names(tx: Transaction, name: str, cutoff: float) -> tuple[str, ...]:
    """Names in the store that are written like one, the nearest first."""
    family, _, initial = make_block_key(name).rpartition("|")
    candidate_blocks = authorships.list_blocks(tx, family[:1]) if family else []
    families = {candidate.rpartition("|")[0] for candidate in candidate_blocks}
    similar_blocks = {
        f"{candidate}|{initial}"
        for candidate in get_close_matches(family, families, n=4 * _MAX_SIMILAR, cutoff=0.7)
    }
    # Of the family itself with any initial, of those like it with this one.
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


# --- telling --------------------------------------------------------------------------------------


def load_person(store: Store, reference: str) -> PersonDetails:
    """All that is known of a person.

    Args:
        store: where.
        reference: one of the person's bylines.

    Raises:
        ConfigError: this is no byline of the store.
    """
    with store.begin_read() as tx:
        return _build_details(tx, find_person(tx, find_byline(tx, reference)))


def _build_details(tx: Transaction, person: Person) -> PersonDetails:
    (profile,) = _build_profiles(tx, [person])
    paper_numbers = {member.paper for member in person.members}
    papers_by_number = papers.load_papers(tx, paper_numbers)
    years = _load_years(tx, {number: paper.key for number, paper in papers_by_number.items()})
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
    years = _load_years(tx, keys)
    bylines = authorships.load_bylines(tx, paper_numbers)
    stated_ids = _load_stated_ids(tx, paper_numbers)
    return tuple(_build_profile(person, keys, years, bylines, stated_ids) for person in persons)


def _load_stated_ids(
    tx: Transaction, paper_numbers: Iterable[int]
) -> dict[BylinePlace, list[PersonIdStatement]]:
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


def _load_years(tx: Transaction, keys: Mapping[int, PaperKey]) -> dict[int, int]:
    """The years of papers: that of the arXiv id, else of the first day on which anything was told of it."""
    years = {number: year for number, key in keys.items() if (year := get_arxiv_year(key))}
    days = events.load_first_days(tx, keys.keys() - years.keys())
    return years | {number: day.year for number, day in days.items()}


def _load_statements(tx: Transaction, person: Person) -> tuple[PersonStatement, ...]:
    """What was said of a person's bylines."""
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
    """The bylines that statements name.

    Attributes:
        places: where they stand today; those that are no longer there are left out.
        keys: of the papers, by number.
    """

    places: Mapping[BylineRef, BylinePlace]
    keys: Mapping[int, PaperKey]

    def format(self, byline: BylineRef) -> str:
        """As a reference, to where it stood if it is no longer there."""
        paper, position = self.places.get(byline, (byline.paper, byline.position))
        return format_reference(self.keys[paper], position)

    def make_statement(self, statement: BylineStatement, kind: str, about: str) -> PersonStatement:
        """A statement of its byline."""
        return PersonStatement(
            statement.by, statement.at, statement.withdrawn_at, kind, self.format(statement.one), about
        )


def _resolve_bylines(tx: Transaction, named_bylines: AbstractSet[BylineRef]) -> _ResolvedBylines:
    resolved_bylines = people.resolve_bylines(tx, named_bylines)
    places = {named_byline: byline.place for named_byline, byline in resolved_bylines.items()}
    paper_numbers = {paper for paper, _ in places.values()} | {byline.paper for byline in named_bylines}
    return _ResolvedBylines(places, papers.load_keys(tx, paper_numbers))
