"""Persons for their public pages: who that is, how sure it is, and with whom and where they work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from digest.core.names.fitting import fold_name
from digest.core.papers.identity.person_ids import parse_person_reference
from digest.core.people.coauthors import MAX_AUTHORS, Coauthorship, weigh_coauthors
from digest.core.people.persons import BylinePlace, Person, Signature
from digest.core.people.ties import count_ties
from digest.core.publishing.public_person import Affiliation, PersonPaper, PublicPerson, StatedId
from digest.jobs.people.persons import SignerResult, find_byline, find_byline_of_id, find_signers
from digest.jobs.people.profiles import load_stated_ids, load_years
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.fetching.coverage import load_coverage
from digest.store.papers import authorships, papers, signals

PAPERS_PER_PAGE = 25
_MAX_AFFILIATIONS, _MAX_CATEGORIES = 10, 12
_MAX_COAUTHORS = 30


def load_public_person(store: Store, reference: str, page: int) -> PublicPerson | None:
    """Load a person; None if there are not so many pages.

    Args:
        store: the store.
        reference: one of the person's bylines, or an ID of the person with its scheme.
        page: the number of the page, from 1.

    Raises:
        ConfigError: there is no such byline or ID.
    """
    with store.begin_read() as tx:
        person_id = parse_person_reference(reference)
        byline = find_byline_of_id(tx, person_id) if person_id else find_byline(tx, reference)
        signer = find_signers(tx, [byline])[byline.place]
        return _build_person(tx, signer, page)


def _build_person(tx: Transaction, signer: SignerResult, page: int) -> PublicPerson | None:
    person = signer.person
    keys = papers.load_keys(tx, {member.paper for member in person.members})
    years = load_years(tx, keys)
    members = sorted(person.members, key=lambda member: (years.get(member.paper, 0), keys[member.paper]))
    pages = -(-len(members) // PAPERS_PER_PAGE)
    if page > pages:
        return None
    names = tuple(name for name, _ in Counter(member.name for member in members).most_common())
    ids = _list_ids(tx, person)
    coauthorship = _load_coauthorship(tx, members)
    key, position = keys[person.place[0]], person.place[1]
    return PublicPerson(
        key=key,
        position=position,
        names=names,
        namesakes=_count_namesakes(signer, names[0]),
        paper_count=len(keys),
        ties=count_ties(person, _find_stated_places(tx, person)),
        years=dict(sorted(Counter(years[number] for number in keys if number in years).items())),
        affiliations=_list_affiliations(tx, members, years),
        categories=tuple(
            Counter(category for member in members for category in member.categories).most_common(
                _MAX_CATEGORIES
            )
        ),
        ids=ids,
        coauthorship=coauthorship,
        coauthor_keys=papers.load_keys(tx, {coauthor.place[0] for coauthor in coauthorship.coauthors}),
        signals=signals.load_signals(tx, [PaperKey(f"{entry.scheme}:{entry.value}") for entry in ids]),
        person_papers=_load_page(tx, members[::-1], years, page),
        page=page,
        pages=pages,
        coverage=load_coverage(tx),
    )


def _load_page(
    tx: Transaction, members: Sequence[Signature], years: Mapping[int, int], page: int
) -> tuple[PersonPaper, ...]:
    shown = members[(page - 1) * PAPERS_PER_PAGE :][:PAPERS_PER_PAGE]
    loaded = papers.load_papers(tx, {member.paper for member in shown})
    return tuple(
        PersonPaper(loaded[member.paper], member.position, years.get(member.paper)) for member in shown
    )


def _count_namesakes(signer: SignerResult, name: str) -> int:
    """Count the other persons who sign with a name."""
    folded_name = fold_name(name)
    return sum(
        any(fold_name(other_name) == folded_name for other_name in candidate.names)
        for candidate in signer.candidates
        if candidate != signer.person
    )


def _find_stated_places(tx: Transaction, person: Person) -> set[BylinePlace]:
    """Return the bylines that somebody stated to be by the same person as another one."""
    places = {member.place for member in person.members}
    statements = [
        statement
        for statement in people.load_same_person(tx, {paper for paper, _ in places})
        if statement.same and statement.withdrawn_at is None
    ]
    bylines = people.resolve_bylines(
        tx, [byline for statement in statements for byline in (statement.one, statement.other)]
    )
    return {byline.place for byline in bylines.values()} & places


def _list_ids(tx: Transaction, person: Person) -> tuple[StatedId, ...]:
    stated_ids = load_stated_ids(tx, {member.paper for member in person.members})
    statements = [statement for member in person.members for statement in stated_ids.get(member.place, ())]
    stated_by = {(statement.scheme, statement.value): statement.by for statement in statements}
    return tuple(
        StatedId(scheme, value, stated_by.get((scheme, value), "")) for scheme, value in sorted(person.ids)
    )


def _load_coauthorship(tx: Transaction, members: Sequence[Signature]) -> Coauthorship:
    bylines = authorships.load_first_bylines(tx, {member.paper for member in members}, MAX_AUTHORS + 1)
    names = {number: [byline.name for byline in paper_bylines] for number, paper_bylines in bylines.items()}
    return weigh_coauthors([member.place for member in members], names, _MAX_COAUTHORS)


def _list_affiliations(
    tx: Transaction, members: Sequence[Signature], years: Mapping[int, int]
) -> tuple[Affiliation, ...]:
    """Return the most frequent affiliations, newest first, with the sources that state each on its newest paper."""
    members_by_name: dict[str, list[Signature]] = defaultdict(list)
    for member in members:
        for name in dict.fromkeys(member.affiliations):
            members_by_name[name].append(member)
    names = sorted(members_by_name, key=lambda name: -len(members_by_name[name]))[:_MAX_AFFILIATIONS]
    sources = _find_sources(tx, {name: members_by_name[name][-1] for name in names})
    affiliations = []
    for name in names:
        known_years = [years[member.paper] for member in members_by_name[name] if member.paper in years]
        affiliations.append(
            Affiliation(
                name=name,
                first_year=min(known_years, default=None),
                last_year=max(known_years, default=None),
                papers=len(members_by_name[name]),
                sources=sources[name],
            )
        )
    return tuple(sorted(affiliations, key=lambda entry: (-(entry.last_year or 0), -entry.papers)))


def _find_sources(tx: Transaction, signatures: Mapping[str, Signature]) -> dict[str, tuple[str, ...]]:
    """Return who states an affiliation on a paper, by affiliation."""
    groups = papers.load_groups(tx, {signature.paper for signature in signatures.values()})
    statements = papers.load_statements(tx, {member for group in groups.values() for member in group})
    return {
        name: tuple(
            dict.fromkeys(
                statement.source
                for member in sorted(groups[signature.paper])
                for statement in statements.get(member, ())
                for author in statement.paper.authors
                if name in author.affiliations and fold_name(author.name) == fold_name(signature.name)
            )
        )
        for name, signature in signatures.items()
    }
