"""What persons say of the bylines of papers: for everybody when they are matched, for one reader by the answers given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from digest.core.document import Standing
from digest.core.engine import Wanted
from digest.core.names import block, folded
from digest.core.people import Person, Place, Said, standing
from digest.jobs.persons import Circle, blocks_of_ids, circles
from digest.model import Paper, PaperKey
from digest.store import events, papers, people
from digest.store.engine import Transaction

_Named = tuple[PaperKey, str]
"""A byline as documents know it: the paper, and the folded name."""


# --- for everybody --------------------------------------------------------------------------------


def standings(tx: Transaction, asked: Iterable[Paper], wanted: Wanted) -> dict[PaperKey, dict[str, Standing]]:
    """What persons say of the bylines of papers.

    Args:
        tx: a transaction.
        asked: whole papers of the store.
        wanted: the blocks of the names and the ids that somebody asks for; nothing is read for other bylines.

    Returns:
        By paper and folded name.
    """
    blocks = wanted.names | _blocks_of_persons(tx, wanted.ids)
    bylines = _bylines(asked, blocks) if blocks else {}
    numbers = papers.find(tx, {key for key, _ in bylines})
    read = circles(tx, set(bylines.values()), set(numbers.values()))
    known = _Persons(read)
    found: dict[PaperKey, dict[str, Standing]] = defaultdict(dict)
    for (key, name), where in bylines.items():
        places = known.places(where, numbers.get(key, 0), name)
        if len(places) == 1:
            among = known.persons(where)
            found[key][name] = standing(read[where].signatures[places[0]], among)
        elif places:  # two authors of one name: nobody can tell which of them is asked for
            found[key][name] = Standing(sole=False)
    return dict(found)


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


def _bylines(asked: Iterable[Paper], blocks: Collection[str]) -> dict[_Named, str]:
    """The bylines of papers whose names are of some blocks, each with its block."""
    return {
        (paper.key, folded(author.name)): where
        for paper in asked
        for author in paper.authors
        if (where := block(author.name)) and where in blocks
    }


class _Persons:
    """The persons of circles, worked out when they are first asked for."""

    def __init__(self, read: Mapping[str, Circle]) -> None:
        self._read = read
        self._persons: dict[int, tuple[Person, ...]] = {}
        self._places: dict[tuple[int, str], list[Place]] = defaultdict(list)
        for circle in {id(each): each for each in read.values()}.values():
            for place, signature in circle.signatures.items():
                self._places[place[0], folded(signature.name)].append(place)

    def places(self, where: str, number: int, name: str) -> list[Place]:
        """The bylines of a paper with a folded name."""
        signatures = self._read[where].signatures
        return [place for place in self._places.get((number, name), ()) if place in signatures]

    def persons(self, where: str) -> tuple[Person, ...]:
        """The persons of the circle that a block is in."""
        circle = self._read[where]
        if id(circle) not in self._persons:
            self._persons[id(circle)] = circle.persons()
        return self._persons[id(circle)]


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
        digest: _bylines(asked[digest], _with_other_names(tx, blocks)) for digest, blocks in blocks_of.items()
    }
    numbers = papers.find(tx, {key for each in bylines.values() for key, _ in each})
    concerned = {where for each in bylines.values() for where in each.values()}
    read = circles(tx, concerned, {*numbers.values(), *(one[0] for each in judged.values() for one in each)})
    found = {digest: _judged(each, numbers, read, judged[digest]) for digest, each in bylines.items() if each}
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
    bylines: Mapping[_Named, str],
    numbers: Mapping[PaperKey, int],
    read: Mapping[str, Circle],
    judged: Mapping[Place, bool],
) -> dict[_Named, bool]:
    """What one reader's answers say of bylines."""
    yes = [place for place, answer in judged.items() if answer]
    apart = [Said(no, one, same=False) for no, answer in judged.items() if not answer for one in yes]
    of_person: dict[tuple[int, str], bool] = {}
    for circle in {id(read[where]): read[where] for where in bylines.values()}.values():
        for person in circle.persons(apart):
            answers = {judged[member.place] for member in person.members if member.place in judged}
            if len(answers) == 1:
                answer = answers.pop()
                of_person |= {(one.paper, folded(one.name)): answer for one in person.members}
    return {
        named: of_person[number, named[1]]
        for named in bylines
        if (number := numbers.get(named[0], 0), named[1]) in of_person
    }
