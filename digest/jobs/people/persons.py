"""Persons, computed each time from the stored bylines and from statements about them.

A reference to a person is one of the bylines, as PAPER#POSITION: the paper and the position in its list of
authors, from 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from digest.core.papers.identity.ids import parse_paper_key
from digest.core.papers.identity.person_ids import PersonId
from digest.core.people.ambiguity import MAX_SINGLE_BEARER, NamePopulation
from digest.core.people.name_blocks import NameBlock, resolve_separately
from digest.core.people.name_counts import NameCounts, list_family_blocks, load_corpus_counts
from digest.core.people.persons import BylinePlace, IdentityStatement, Person, Signature, resolve_persons
from digest.errors import ConfigError
from digest.model import PaperKey
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.papers import authorships, papers
from digest.store.papers.authorships import BylineRecord, PrintedByline

_MAX_BLOCKS_PER_ID = 5
"""Maximum number of name blocks of an ID that belongs to a person.

An ID that is printed with more kinds of names is the account of an organization, or a mistake.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BylineCluster:
    """Bylines that may be by the same persons: one block, or several that an ID or a statement connects.

    Attributes:
        signatures: the bylines, by place.
        statements: the statements about them.
        counts: the number of given names that occur with their family names.
    """

    signatures: Mapping[BylinePlace, Signature]
    statements: tuple[IdentityStatement, ...]
    counts: NameCounts

    def cluster_persons(self, extra_statements: Iterable[IdentityStatement] = ()) -> tuple[Person, ...]:
        """Partition the bylines into persons.

        Bylines that a statement separates from a person are assigned last, when the other bylines of that
        person are known. Otherwise newer evidence could move those bylines to the separated one.

        Args:
            extra_statements: further statements, of one reader; the first byline of a pair is separated from
                the person of the second one.
        """
        statements = {*self.statements, *extra_statements}
        separated = {statement.first for statement in statements if not statement.is_same}
        if not separated:
            return self._cluster(self.signatures.values(), statements)
        remaining = [signature for place, signature in self.signatures.items() if place not in separated]
        of_place = {
            member.place: person
            for person in self._cluster(
                remaining, [statement for statement in statements if statement.is_same]
            )
            for member in person.members
        }
        derived = {
            IdentityStatement(statement.second, member.place, is_same=True)
            for statement in statements
            if not statement.is_same and statement.second in of_place
            for member in of_place[statement.second].members
        }
        return self._cluster(self.signatures.values(), statements | derived)

    def _cluster(
        self, signatures: Collection[Signature], statements: Iterable[IdentityStatement]
    ) -> tuple[Person, ...]:
        crowd = NamePopulation([signature.name for signature in signatures], counts=self.counts)
        return resolve_persons(signatures, statements, crowd)


class _BlockLinks(NamedTuple):
    """Links between blocks, and statements about their bylines."""

    blocks: list[set[str]]
    statements: set[IdentityStatement]


def load_clusters(
    tx: Transaction, blocks: Collection[str], paper_numbers: Collection[int] = ()
) -> dict[str, BylineCluster]:
    """Load the clusters of blocks.

    Args:
        tx: a transaction.
        blocks: blocks of names.
        paper_numbers: papers whose bylines are needed, however old the papers are.

    Returns:
        The clusters by block; linked blocks share a cluster.
    """
    signatures_by_block: dict[str, dict[BylinePlace, Signature]] = {}
    links = _BlockLinks([], set())
    pending = set(blocks) - {""}
    while pending:
        printed_by_block = authorships.load_printed_bylines(tx, pending, paper_numbers)
        new_signatures = authorships.build_signatures(
            tx,
            [
                printed_byline
                for printed_bylines in printed_by_block.values()
                for printed_byline in printed_bylines
            ],
        )
        by_place = {signature.place: signature for signature in new_signatures}
        by_place |= _add_stated_ids(tx, by_place)
        signatures_by_block |= {
            block: {
                printed_byline.place: by_place[printed_byline.place]
                for printed_byline in printed_by_block.get(block, ())
            }
            for block in pending
        }
        _link_by_ids(tx, by_place.values(), links)
        _link_by_statements(tx, by_place, links)
        pending = {
            block for linked_blocks in links.blocks for block in linked_blocks
        } - signatures_by_block.keys()
    return _join_clusters(signatures_by_block, links, load_name_counts(tx, signatures_by_block))


def load_name_counts(tx: Transaction, blocks: Iterable[str]) -> NameCounts:
    """Load the number of given names that occur with the family names of blocks, in the corpus and the store.

    The store is queried only for family names that are rare in the corpus, for which it makes a difference.
    """
    corpus = load_corpus_counts()
    rare = {
        rare_block
        for block in blocks
        if block and corpus.count_in_family(block) <= MAX_SINGLE_BEARER
        for rare_block in list_family_blocks(block)
    }
    return corpus.add_names(authorships.list_names(tx, rare)) if rare else corpus


def _add_stated_ids(
    tx: Transaction, signatures: Mapping[BylinePlace, Signature]
) -> dict[BylinePlace, Signature]:
    """Return the bylines for which IDs of the person were stated, with these IDs."""
    statements = people.load_person_ids(tx, {paper for paper, _ in signatures})
    valid_statements = [statement for statement in statements if statement.withdrawn_at is None]
    resolved_bylines = people.resolve_bylines(tx, [statement.one for statement in valid_statements])
    ids: dict[BylinePlace, dict[tuple[str, str], None]] = defaultdict(dict)
    for statement in valid_statements:
        byline = resolved_bylines.get(statement.one)
        if byline and byline.place in signatures:
            ids[byline.place][statement.scheme, statement.value] = None
    return {
        place: signatures[place]._replace(ids=tuple({**dict.fromkeys(signatures[place].ids), **stated_ids}))
        for place, stated_ids in ids.items()
    }


def _link_by_ids(tx: Transaction, signatures: Iterable[Signature], links: _BlockLinks) -> None:
    ids = {id_ for signature in signatures for id_ in signature.ids}
    links.blocks.extend(
        blocks for blocks in find_blocks_of_ids(tx, ids).values() if 1 < len(blocks) <= _MAX_BLOCKS_PER_ID
    )


def find_blocks_of_ids(tx: Transaction, ids: Collection[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """Find the name blocks of the bylines that have IDs, whether printed or stated for the person."""
    blocks_by_id = authorships.load_blocks_by_id(tx, ids)
    statements = people.load_person_ids_by_id(tx, ids)
    resolved_bylines = people.resolve_bylines(tx, [statement.one for statement in statements])
    for statement in statements:
        if stated_byline := resolved_bylines.get(statement.one):
            blocks_by_id.setdefault((statement.scheme, statement.value), set()).add(stated_byline.block)
    return blocks_by_id


def _link_by_statements(
    tx: Transaction, signatures: Mapping[BylinePlace, Signature], links: _BlockLinks
) -> None:
    statements = people.load_same_person(tx, {paper for paper, _ in signatures})
    valid_statements = [statement for statement in statements if statement.withdrawn_at is None]
    resolved_bylines = people.resolve_bylines(
        tx,
        [named_byline for statement in valid_statements for named_byline in (statement.one, statement.other)],
    )
    for statement in valid_statements:
        first_byline, second_byline = (
            resolved_bylines.get(statement.one),
            resolved_bylines.get(statement.other),
        )
        if (
            first_byline
            and second_byline
            and (first_byline.place in signatures or second_byline.place in signatures)
        ):
            links.statements.add(IdentityStatement(first_byline.place, second_byline.place, statement.same))
            if statement.same:
                links.blocks.append({first_byline.block, second_byline.block})


def _join_clusters(
    signatures_by_block: Mapping[str, Mapping[BylinePlace, Signature]], links: _BlockLinks, counts: NameCounts
) -> dict[str, BylineCluster]:
    joined_blocks = {block: {block} for block in signatures_by_block}
    for blocks in links.blocks:
        joined = set[str]().union(*(joined_blocks[block] for block in blocks))
        joined_blocks |= dict.fromkeys(joined, joined)
    clusters: dict[int, BylineCluster] = {}
    for joined in joined_blocks.values():
        if id(joined) not in clusters:
            signatures = {
                place: signature
                for block in sorted(joined)
                for place, signature in signatures_by_block[block].items()
            }
            own_statements = (
                statement
                for statement in links.statements
                if statement.first in signatures and statement.second in signatures
            )
            clusters[id(joined)] = BylineCluster(
                signatures=signatures, statements=tuple(sorted(own_statements)), counts=counts
            )
    return {block: clusters[id(joined)] for block, joined in joined_blocks.items()}


# --- signers --------------------------------------------------------------------------------------


class SignerResult(NamedTuple):
    """The person who signed a byline.

    Attributes:
        signature: the byline.
        candidates: the persons to choose from, including all who sign with this name.
    """

    signature: Signature
    candidates: tuple[Person, ...]

    @property
    def person(self) -> Person:
        """The person who signed."""
        return next(person for person in self.candidates if self.signature in person.members)


def find_signers(tx: Transaction, bylines: Collection[BylineRecord]) -> dict[BylinePlace, SignerResult]:
    """Find the persons who signed bylines.

    Only those bylines of a block are loaded with their context that may be by the same person, if the other
    ones cannot make a difference; otherwise the whole cluster is loaded.
    """
    blocks, paper_numbers = (
        {signed_byline.block for signed_byline in bylines},
        {signed_byline.place[0] for signed_byline in bylines},
    )
    printed = authorships.load_printed_bylines(tx, blocks, paper_numbers)
    unlinked_blocks = printed.keys() - _find_linked_blocks(tx, printed)
    signers = _find_separate_signers(
        tx, [signed_byline for signed_byline in bylines if signed_byline.block in unlinked_blocks], printed
    )
    remaining = [signed_byline for signed_byline in bylines if signed_byline.place not in signers]
    clusters = load_clusters(
        tx,
        {signed_byline.block for signed_byline in remaining},
        {signed_byline.place[0] for signed_byline in remaining},
    )
    persons_by_cluster = {id(cluster): cluster.cluster_persons() for cluster in clusters.values()}
    for signed_byline in remaining:
        cluster = clusters[signed_byline.block]
        signers[signed_byline.place] = SignerResult(
            cluster.signatures[signed_byline.place], persons_by_cluster[id(cluster)]
        )
    return signers


def _find_linked_blocks(tx: Transaction, printed: Mapping[str, Sequence[PrintedByline]]) -> set[str]:
    """Find the blocks that an ID links to others, and those of papers about whose authors there are statements."""
    ids = {
        (scheme, value)
        for rows in printed.values()
        for printed_byline in rows
        for scheme, value in printed_byline.ids or ()
    }
    linked_blocks = {
        block for blocks in find_blocks_of_ids(tx, ids).values() if len(blocks) > 1 for block in blocks
    }
    discussed_papers = people.list_papers_with_statements(tx)
    return linked_blocks | {
        block
        for block, rows in printed.items()
        if any(printed_byline.paper in discussed_papers for printed_byline in rows)
    }


class _BylineGroup(NamedTuple):
    """Bylines that may be by one person.

    Attributes:
        requested: the places of the requested bylines.
        same_name: all bylines whose names are compatible.
        strangers: the other bylines of the block whose names, such as initials, leave open who it is.
        name_population: the names of the block.
    """

    requested: list[BylinePlace]
    same_name: list[PrintedByline]
    strangers: list[PrintedByline]
    name_population: NamePopulation


def _find_separate_signers(
    tx: Transaction, bylines: Iterable[BylineRecord], printed: Mapping[str, Sequence[PrintedByline]]
) -> dict[BylinePlace, SignerResult]:
    """Find the persons who signed bylines, for those for which most of the block is not needed."""
    places_by_name: dict[str, dict[str, list[BylinePlace]]] = defaultdict(lambda: defaultdict(list))
    for byline_entry in bylines:
        places_by_name[byline_entry.block][byline_entry.name].append(byline_entry.place)
    counts = load_name_counts(tx, places_by_name)
    groups = [
        group
        for block, names in places_by_name.items()
        for group in _split_groups(printed[block], names, counts)
    ]
    needed_bylines = {
        byline_entry.place: byline_entry
        for group in groups
        for byline_entry in (*group.same_name, *group.strangers)
    }
    signatures = {
        byline_entry.place: byline_entry
        for byline_entry in authorships.build_signatures(tx, list(needed_bylines.values()))
    }
    signers: dict[BylinePlace, SignerResult] = {}
    for group in groups:
        same_name, strangers = (
            [signatures[byline_entry.place] for byline_entry in rows]
            for rows in (group.same_name, group.strangers)
        )
        candidates = resolve_separately(same_name, strangers, group.name_population)
        if candidates is not None:
            signers |= {place: SignerResult(signatures[place], candidates) for place in group.requested}
    return signers


def _split_groups(
    printed_bylines: Sequence[PrintedByline],
    places_by_name: Mapping[str, Iterable[BylinePlace]],
    counts: NameCounts,
) -> Iterator[_BylineGroup]:
    """Split the bylines of a block into the groups that are needed for some names.

    Groups with IDs are left out, and so are names with initials: their bylines may belong to several persons.
    """
    name_blocks = NameBlock({printed_byline.name for printed_byline in printed_bylines}, counts)
    crowd, strangers = (
        name_blocks.population,
        [
            printed_byline
            for printed_byline in printed_bylines
            if printed_byline.name in name_blocks.unresolved_names
        ],
    )
    places: dict[frozenset[str], list[BylinePlace]] = defaultdict(list)
    for name, name_places in places_by_name.items():
        places[frozenset(name_blocks.find_compatible_names(name))] += name_places
    for names, name_places in places.items():
        same_name = [printed_byline for printed_byline in printed_bylines if printed_byline.name in names]
        if same_name and not any(printed_byline.ids for printed_byline in same_name):
            yield _BylineGroup(name_places, same_name, strangers, crowd)


# --- references -----------------------------------------------------------------------------------


def format_reference(key: PaperKey, position: int) -> str:
    """Format a reference to a byline: ``arxiv:2401.00001#3`` is the third author of that paper."""
    return f"{key}#{position + 1}"


def find_byline(tx: Transaction, reference: str) -> BylineRecord:
    """Find the byline of a reference.

    Raises:
        ConfigError: there is no such byline; the message explains the syntax and lists the authors of the
            paper.
    """
    paper, separator, position = reference.rpartition("#")
    number = find_paper_number(tx, paper if separator else position)
    paper_bylines = authorships.load_bylines(tx, [number]).get(number, [])
    if separator and position.isdecimal() and 0 < int(position) <= len(paper_bylines):
        match = paper_bylines[int(position) - 1]
        if not match.block:
            raise ConfigError(f"{reference} has no printed name, so it cannot stand for a person")
        return match
    key = papers.load_keys(tx, [number])[number]
    authors = ", ".join(
        f"#{position} {paper_byline.name}"
        for position, paper_byline in enumerate(paper_bylines[:_MAX_OFFERED_AUTHORS], start=1)
    )
    more = f" … #{len(paper_bylines)}" if len(paper_bylines) > _MAX_OFFERED_AUTHORS else ""
    offer = (
        f"the authors of {key} are {authors}{more}"
        if paper_bylines
        else f"the authors of {key} are not known"
    )
    raise ConfigError(f"{reference!r} does not name an author; write PAPER#POSITION: {offer}")


def find_byline_of_id(tx: Transaction, person_id: PersonId) -> BylineRecord:
    """Find a byline of the person who has an ID, printed or stated.

    Raises:
        ConfigError: nobody has it.
    """
    printed = authorships.find_bylines_by_id(tx, [person_id]).get(person_id)
    if printed is not None:
        return printed
    statements = people.load_person_ids_by_id(tx, [person_id])
    for byline in people.resolve_bylines(tx, [statement.one for statement in statements]).values():
        return byline
    raise ConfigError(f"nobody in this database has the ID {':'.join(person_id)}")


_MAX_OFFERED_AUTHORS = 8
"""Maximum number of authors of a paper that an error message lists."""


def find_paper_number(tx: Transaction, paper_id: str) -> int:
    """Find the paper with an ID, in any form.

    Raises:
        ConfigError: there is no such paper.
    """
    key = parse_paper_key(paper_id)
    if key is None:
        raise ConfigError(
            f"{paper_id!r} is not the id of a paper; write a person as PAPER#POSITION, such as 2401.00001#3 for the third author of a paper; `digest people find NAME` prints it"
        )
    scheme, _, value = key.partition(":")
    number = papers.find_by_id(tx, scheme, value)
    if number is None:
        raise ConfigError(f"no source in this database has listed {key}")
    return number


def find_person(tx: Transaction, signed_byline: BylineRecord) -> Person:
    """Find the person who signed a byline."""
    return find_signers(tx, [signed_byline])[signed_byline.place].person
