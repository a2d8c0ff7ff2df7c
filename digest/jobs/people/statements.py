"""What persons say of the bylines of papers: for everybody when they are matched, for one reader by the answers given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from digest.core.language.query import ByAuthor, Query, people_in
from digest.core.matching.percolator.engine import Wanted
from digest.core.names.fitting import block, folded, full_keys
from digest.core.papers.document import Standing
from digest.core.people.persons import Place, Said, standing
from digest.jobs.people.persons import Circle, blocks_of_ids, circles, who_signed
from digest.model import Paper, PaperKey
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.papers import authorships, events, papers
from digest.store.papers.authorships import Byline

_Named = tuple[PaperKey, str]
"""A byline as documents know it: the paper, and the folded name."""


# --- for everybody --------------------------------------------------------------------------------


def standings(
    tx: Transaction, asked: Iterable[Paper], wanted: Wanted, sought: Collection[str] | None = None
) -> dict[PaperKey, dict[str, Standing]]:
    """What persons say of the bylines of papers.

    Args:
        tx: a transaction.
        asked: whole papers of the store.
        wanted: the blocks of the names and the ids that somebody asks for; nothing is read for other bylines.
        sought: what ``keys_sought`` says of these names, if it is known: of other names of their blocks there is
            nothing to know, for no query is answered otherwise by it.

    Returns:
        By paper and folded name.
    """
    numbers = papers.find(tx, {paper.key for paper in asked})
    found = standings_on(tx, set(numbers.values()), wanted, sought)
    return {key: found[number] for key, number in numbers.items() if number in found}


def standings_on(
    tx: Transaction, numbers: Collection[int], wanted: Wanted, sought: Collection[str] | None = None
) -> dict[int, dict[str, Standing]]:
    """What ``standings`` says, of papers by their numbers."""
    of_ids = _blocks_of_persons(tx, wanted.ids)
    blocks = wanted.names | of_ids
    bylines = _bylines_on(tx, numbers, blocks) if blocks else {}
    if sought is not None:
        bylines = {
            named: several
            for named, several in bylines.items()
            if any(one.block in of_ids or _is_sought(one, sought) for one in several)
        }
    # Of two authors of one name nobody can tell which of them is asked for.
    clear = {several[0].place: several[0] for several in bylines.values() if len(several) == 1}
    signed = who_signed(tx, clear.values())
    found: dict[int, dict[str, Standing]] = defaultdict(dict)
    for (number, name), (one, *others) in bylines.items():
        found[number][name] = Standing(sole=False) if others else standing(*signed[one.place])
    return dict(found)


def signed_by_ids(tx: Transaction, person: ByAuthor, low: int, high: int) -> set[int]:
    """The events after ``low`` and up to ``high`` whose papers may be signed by a person, as ids of other papers tell."""
    signed = events.signed(tx, _blocks_of_persons(tx, person.ids), low, high)
    return set[int]().union(*signed.values())


def keys_sought(query: Query) -> frozenset[str]:
    """Keys of the names that a query asks for: of who signs with them it has to be known who that is.

    Where a query names ids, too, that is so of all names of the block: another person's id says no to initials.
    """
    return frozenset[str]().union(
        *((block(one.name),) if one.ids else full_keys(one.name) for one in people_in(query) if one.name)
    )


def _is_sought(one: Byline, sought: Collection[str]) -> bool:
    keys = full_keys(one.name)
    return one.block in sought or one.block in keys or not keys.isdisjoint(sought)


def _blocks_of_persons(tx: Transaction, ids: Collection[tuple[str, str]]) -> set[str]:
    """The blocks of the names that persons of some ids sign with."""
    if not ids:
        return set()
    return _with_other_names(tx, {where for blocks in blocks_of_ids(tx, ids).values() for where in blocks})


def _with_other_names(tx: Transaction, blocks: Collection[str]) -> set[str]:
    """Blocks, and those of other names that somebody said to be names of the same persons."""
    found = set(blocks)
    alike = [{block(one), block(other)} for one, other in people.named_alike(tx)]
    before = -1
    while len(found) > before:
        before = len(found)
        found.update(*(pair for pair in alike if not pair.isdisjoint(found)))
    return found


def _bylines(
    tx: Transaction, keys: Collection[PaperKey], blocks: Collection[str]
) -> dict[_Named, list[Byline]]:
    """The bylines of papers whose names are of some blocks; several if a paper has two authors of one name."""
    key_of = {number: key for key, number in papers.find(tx, keys).items()}
    found = _bylines_on(tx, key_of.keys(), blocks)
    return {(key_of[number], name): several for (number, name), several in found.items()}


def _bylines_on(
    tx: Transaction, numbers: Collection[int], blocks: Collection[str]
) -> dict[tuple[int, str], list[Byline]]:
    """The same by the numbers of the papers."""
    found: dict[tuple[int, str], list[Byline]] = defaultdict(list)
    for number, signed in authorships.bylines_of(tx, numbers, {*blocks} - {""}).items():
        for one in signed:
            found[number, folded(one.name)].append(one)
    return found


# --- for one reader -------------------------------------------------------------------------------


def verdicts(tx: Transaction, asked: Mapping[int, Iterable[Paper]]) -> dict[int, dict[_Named, bool]]:
    """What the answers of readers ("yes, this one", "not this person") say of the bylines of papers.

    An answer is about the person: it holds for all bylines of the same one, as it is worked out with what that
    reader answered. It changes nothing for anybody else.

    Args:
        tx: a transaction.
        asked: whole papers of the store, by the digest that may tell them.

    Returns:
        By digest, then by paper and folded name: whether this is the person that is followed. Bylines of which the
        answers say nothing, and digests without any, are left out.
    """
    answers = people.answers_of(tx, asked.keys())
    meant = people.resolved(tx, [answer.one for answer in answers])
    blocks_of: dict[int, set[str]] = defaultdict(set)
    judged: dict[int, dict[Place, bool]] = defaultdict(dict)
    for answer in answers:
        if byline := meant.get(answer.one):
            blocks_of[answer.digest].add(byline.block)
            judged[answer.digest][byline.place] = answer.yes
    bylines = {
        digest: _bylines(tx, {paper.key for paper in asked[digest]}, _with_other_names(tx, blocks))
        for digest, blocks in blocks_of.items()
    }
    concerned = {one for each in bylines.values() for several in each.values() for one in several}
    numbers = {one.place[0] for one in concerned} | {paper for each in judged.values() for paper, _ in each}
    read = circles(tx, {one.block for one in concerned}, numbers)
    found = {digest: _judged(each, read, judged[digest]) for digest, each in bylines.items()}
    return {digest: each for digest, each in found.items() if each}


def signed_by_denied(tx: Transaction, digests: Collection[int], low: int, high: int) -> dict[int, set[int]]:
    """Events that somebody may have signed whom a reader said not to be the person that is followed.

    Args:
        tx: a transaction.
        digests: whose readers.
        low: only those numbered after it.
        high: only those numbered up to it.

    Returns:
        Their seqs, by digest; digests without such an answer are left out.
    """
    answers = [answer for answer in people.answers_of(tx, digests) if not answer.yes]
    meant = people.resolved(tx, [answer.one for answer in answers])
    blocks: dict[int, set[str]] = defaultdict(set)
    for answer in answers:
        if byline := meant.get(answer.one):
            blocks[answer.digest].add(byline.block)
    wider = {digest: _with_other_names(tx, each) for digest, each in blocks.items()}
    signed = events.signed(tx, set[str]().union(*wider.values()), low, high)
    return {
        digest: set[int]().union(*(signed.get(block, ()) for block in each)) for digest, each in wider.items()
    }


def _judged(
    bylines: Mapping[_Named, Sequence[Byline]], read: Mapping[str, Circle], judged: Mapping[Place, bool]
) -> dict[_Named, bool]:
    """What one reader's answers say of bylines."""
    yes = [place for place, answer in judged.items() if answer]
    apart = [Said(no, one, same=False) for no, answer in judged.items() if not answer for one in yes]
    of_person: dict[Place, bool] = {}
    concerned = {one.block for several in bylines.values() for one in several}
    for circle in {id(read[where]): read[where] for where in concerned}.values():
        for person in circle.persons(apart):
            answers = {judged[member.place] for member in person.members if member.place in judged}
            if len(answers) == 1:
                of_person |= dict.fromkeys((member.place for member in person.members), *answers)
    return {
        named: of_person[one.place]
        for named, several in bylines.items()
        for one in several
        if one.place in of_person
    }
