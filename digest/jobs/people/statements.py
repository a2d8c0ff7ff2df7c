"""The persons behind bylines: for all readers at matching, and for one reader by that reader's answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from digest.core.language.query import ByAuthor, Query, iter_authors
from digest.core.matching.percolator.engine import WantedAuthors
from digest.core.names.fitting import fold_name, make_block_key, make_full_keys
from digest.core.papers.document import BylineStanding
from digest.core.people.persons import BylinePlace, IdentityStatement, compute_standing
from digest.jobs.people.persons import BylineCluster, find_blocks_of_ids, find_signers, load_clusters
from digest.model import Paper, PaperKey
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.papers import authorships, events, papers
from digest.store.papers.authorships import BylineRecord

_BylineKey = tuple[PaperKey, str]
"""The key of a byline in documents: the paper and the folded name."""


# --- for all readers ------------------------------------------------------------------------------


def load_standings(
    tx: Transaction,
    requested_papers: Iterable[Paper],
    wanted_authors: WantedAuthors,
    sought_keys: Collection[str] | None = None,
) -> dict[PaperKey, dict[str, BylineStanding]]:
    """Load the standings of papers' bylines (``BylineStanding``), which follow from the persons behind them.

    Args:
        tx: a transaction.
        requested_papers: papers of the store, merged from all sources.
        wanted_authors: the blocks of names and the IDs in queries; other bylines are not loaded.
        sought_keys: the result of ``collect_sought_keys`` for these queries; other names of the blocks are
            left out, since no query depends on them. None for all names.

    Returns:
        The standings by paper and folded name.
    """
    numbers = papers.find_papers(tx, {paper.key for paper in requested_papers})
    standings_by_number = load_standings_by_number(tx, set(numbers.values()), wanted_authors, sought_keys)
    return {
        key: standings_by_number[number] for key, number in numbers.items() if number in standings_by_number
    }


def load_standings_by_number(
    tx: Transaction,
    paper_numbers: Collection[int],
    wanted_authors: WantedAuthors,
    sought_keys: Collection[str] | None = None,
) -> dict[int, dict[str, BylineStanding]]:
    """Load the standings as ``load_standings`` does, by number of the paper."""
    of_ids = _find_person_blocks(tx, wanted_authors.ids)
    blocks = wanted_authors.name_blocks | of_ids
    bylines = _load_bylines_by_number(tx, paper_numbers, blocks) if blocks else {}
    if sought_keys is not None:
        bylines = {
            byline_key: same_named
            for byline_key, same_named in bylines.items()
            if any(byline.block in of_ids or _is_sought(byline, sought_keys) for byline in same_named)
        }
    # If two authors of a paper have the same name, it cannot be decided which one a query means.
    unambiguous = {
        same_named[0].place: same_named[0] for same_named in bylines.values() if len(same_named) == 1
    }
    signed = find_signers(tx, unambiguous.values())
    standings_found: dict[int, dict[str, BylineStanding]] = defaultdict(dict)
    for (number, name), (byline, *others) in bylines.items():
        standings_found[number][name] = (
            BylineStanding(is_sole_bearer=False) if others else compute_standing(*signed[byline.place])
        )
    return dict(standings_found)


def find_events_by_ids(tx: Transaction, person: ByAuthor, low: int, high: int) -> set[int]:
    """Find the events of a range whose papers may be signed by a person, according to IDs on other papers.

    Args:
        tx: a transaction.
        person: the part of a query that names the person.
        low: only events after this seq.
        high: only events up to this seq.

    Returns:
        Their seqs.
    """
    seqs_by_block = events.list_signed_seqs(tx, _find_person_blocks(tx, person.ids), low, high)
    return set[int]().union(*seqs_by_block.values())


def list_names_by_ids(tx: Transaction, person: ByAuthor) -> list[str]:
    """Return the names with which a person may sign papers, according to IDs on other papers.

    Args:
        tx: a transaction.
        person: the part of a query that names the person by IDs.
    """
    return authorships.list_names(tx, _find_person_blocks(tx, person.ids))


def collect_sought_keys(query: Query) -> frozenset[str]:
    """Collect the keys of a query's names for which it matters which persons sign with them.

    For a query with IDs these are all names of the block: the ID of another person rules out initials.
    """
    return frozenset[str]().union(
        *(
            (make_block_key(author_query.name),) if author_query.ids else make_full_keys(author_query.name)
            for author_query in iter_authors(query)
            if author_query.name
        )
    )


def _is_sought(byline: BylineRecord, sought_keys: Collection[str]) -> bool:
    keys = make_full_keys(byline.name)
    return byline.block in sought_keys or byline.block in keys or not keys.isdisjoint(sought_keys)


def _find_person_blocks(tx: Transaction, ids: Collection[tuple[str, str]]) -> set[str]:
    """Find the blocks of the names with which the persons with some IDs sign."""
    if not ids:
        return set()
    return _expand_blocks(
        tx, {block_name for blocks in find_blocks_of_ids(tx, ids).values() for block_name in blocks}
    )


def _expand_blocks(tx: Transaction, blocks: Collection[str]) -> set[str]:
    """Add to blocks those of other names that were stated to be names of the same persons."""
    expanded = set(blocks)
    alias_pairs = [
        {make_block_key(first_name), make_block_key(second_name)}
        for first_name, second_name in people.list_same_names(tx)
    ]
    previous_size = -1
    while len(expanded) > previous_size:
        previous_size = len(expanded)
        expanded.update(*(pair for pair in alias_pairs if not pair.isdisjoint(expanded)))
    return expanded


def _load_bylines(
    tx: Transaction, keys: Collection[PaperKey], blocks: Collection[str]
) -> dict[_BylineKey, list[BylineRecord]]:
    """Load the bylines of papers in some blocks; a key has several if a paper has two authors with the same name."""
    key_of = {number: key for key, number in papers.find_papers(tx, keys).items()}
    bylines = _load_bylines_by_number(tx, key_of.keys(), blocks)
    return {(key_of[number], name): same_named for (number, name), same_named in bylines.items()}


def _load_bylines_by_number(
    tx: Transaction, paper_numbers: Collection[int], blocks: Collection[str]
) -> dict[tuple[int, str], list[BylineRecord]]:
    """Load bylines as ``_load_bylines`` does, by number of the paper."""
    bylines: dict[tuple[int, str], list[BylineRecord]] = defaultdict(list)
    for number, paper_bylines in authorships.load_bylines(tx, paper_numbers, {*blocks} - {""}).items():
        for byline in paper_bylines:
            bylines[number, fold_name(byline.name)].append(byline)
    return bylines


# --- for one reader -------------------------------------------------------------------------------


def load_verdicts(
    tx: Transaction, papers_by_digest: Mapping[int, Iterable[Paper]]
) -> dict[int, dict[_BylineKey, bool]]:
    """Apply the answers of readers ("yes, this one", "not this person") to the bylines of papers.

    An answer is about the person: it holds for all bylines of the same person, computed with that reader's
    answers. It changes nothing for other readers.

    Args:
        tx: a transaction.
        papers_by_digest: merged papers of the store that a digest may report, by digest.

    Returns:
        For each digest, by paper and folded name, whether this is the followed person. Bylines without an
        answer, and digests without any, are left out.
    """
    answers = people.load_feedback_of_digests(tx, papers_by_digest.keys())
    resolved_bylines = people.resolve_bylines(tx, [answer.byline for answer in answers])
    blocks_of: dict[int, set[str]] = defaultdict(set)
    answers_by_place: dict[int, dict[BylinePlace, bool]] = defaultdict(dict)
    for answer in answers:
        if byline := resolved_bylines.get(answer.byline):
            blocks_of[answer.digest].add(byline.block)
            answers_by_place[answer.digest][byline.place] = answer.yes
    bylines = {
        digest: _load_bylines(
            tx, {paper.key for paper in papers_by_digest[digest]}, _expand_blocks(tx, blocks)
        )
        for digest, blocks in blocks_of.items()
    }
    concerned_bylines = {
        concerned_byline
        for digest_entries in bylines.values()
        for same_named in digest_entries.values()
        for concerned_byline in same_named
    }
    numbers = {concerned_byline.place[0] for concerned_byline in concerned_bylines} | {
        paper for digest_entries in answers_by_place.values() for paper, _ in digest_entries
    }
    name_clusters = load_clusters(
        tx, {concerned_byline.block for concerned_byline in concerned_bylines}, numbers
    )
    digest_verdicts = {
        digest: _apply_answers(digest_entries, name_clusters, answers_by_place[digest])
        for digest, digest_entries in bylines.items()
    }
    return {digest: digest_entries for digest, digest_entries in digest_verdicts.items() if digest_entries}


def find_events_by_denied(
    tx: Transaction, digests: Collection[int], low: int, high: int
) -> dict[int, set[int]]:
    """Find events whose papers may be signed by a person that a reader rejected.

    Args:
        tx: a transaction.
        digests: the digests of the readers.
        low: only events after this seq.
        high: only events up to this seq.

    Returns:
        Their seqs, by digest; digests without such an answer are left out.
    """
    answers = [answer for answer in people.load_feedback_of_digests(tx, digests) if not answer.yes]
    resolved_bylines = people.resolve_bylines(tx, [answer.byline for answer in answers])
    blocks: dict[int, set[str]] = defaultdict(set)
    for answer in answers:
        if byline := resolved_bylines.get(answer.byline):
            blocks[answer.digest].add(byline.block)
    expanded_blocks = {digest: _expand_blocks(tx, digest_blocks) for digest, digest_blocks in blocks.items()}
    seqs_by_block = events.list_signed_seqs(tx, set[str]().union(*expanded_blocks.values()), low, high)
    return {
        digest: set[int]().union(*(seqs_by_block.get(block, ()) for block in digest_blocks))
        for digest, digest_blocks in expanded_blocks.items()
    }


def _apply_answers(
    bylines: Mapping[_BylineKey, Sequence[BylineRecord]],
    clusters: Mapping[str, BylineCluster],
    answers_by_place: Mapping[BylinePlace, bool],
) -> dict[_BylineKey, bool]:
    """Apply one reader's answers to bylines."""
    confirmed = [byline_place for byline_place, answer in answers_by_place.items() if answer]
    separations = [
        IdentityStatement(denied_place, entry, is_same=False)
        for denied_place, answer in answers_by_place.items()
        if not answer
        for entry in confirmed
    ]
    of_person: dict[BylinePlace, bool] = {}
    concerned_blocks = {entry.block for same_named in bylines.values() for entry in same_named}
    for cluster in {
        id(clusters[block_name]): clusters[block_name] for block_name in concerned_blocks
    }.values():
        for person in cluster.cluster_persons(separations):
            answers = {
                answers_by_place[member.place]
                for member in person.members
                if member.place in answers_by_place
            }
            if len(answers) == 1:
                of_person |= dict.fromkeys((member.place for member in person.members), *answers)
    return {
        byline_key: of_person[entry.place]
        for byline_key, same_named in bylines.items()
        for entry in same_named
        if entry.place in of_person
    }
