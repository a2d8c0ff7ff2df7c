"""What somebody who knows better says of persons: it is kept with who said it, and can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from digest.core.people.persons import Person, Place
from digest.errors import ConfigError
from digest.jobs.editions.explain import the_digest
from digest.jobs.people.persons import byline, number_of, person_of
from digest.store import people
from digest.store.database.engine import Store, Transaction
from digest.store.papers import authorships
from digest.store.papers.authorships import Byline
from digest.store.people import Judged, Named, SaidId, SaidSame

OPERATOR = "operator"
"""Who says what commands say."""


def merge(store: Store, written: str, other: str, now: datetime) -> bool:
    """Say that two persons are one; that they are not, said before, is taken back.

    Returns:
        Whether it had not been said.

    Raises:
        ConfigError: one of the references names no byline, or both name the same.
    """
    with store.writing() as tx:
        one, two = byline(tx, written), byline(tx, other)
        if one == two:
            raise ConfigError(
                f"{written} and {other} are the same byline: name another one of the other person"
            )
        first, second = _places(person_of(tx, one)), _places(person_of(tx, two))
        said = _said(tx, first | second)
        people.withdraw(
            tx, [row for row, ends in said if not row.same and _between(ends, first, second)], now
        )
        if any(row.same and set(ends) == {one.place, two.place} for row, ends in said):
            return False
        people.say_same(tx, [(_named(one), _named(two))], same=True, by=OPERATOR, at=now)
    return True


def unmerge(store: Store, written: str, other: str, now: datetime) -> bool:
    """Take back that two bylines are by one person; that they are two holds again if it was taken back for that.

    Returns:
        Whether it had been said.
    """
    with store.writing() as tx:
        one, two = byline(tx, written), byline(tx, other)
        pair = {one.place, two.place}
        rows = [row for row, ends in _said(tx, pair) if row.same and set(ends) == pair]
        _take_back(tx, rows, _places(person_of(tx, one)) | _places(person_of(tx, two)), now)
    return bool(rows)


def split(store: Store, written: str, those: Sequence[str], now: datetime) -> bool:
    """Say that papers are not by a person; that they are, said before, is taken back.

    Args:
        store: where.
        written: a byline that stays the person's.
        those: papers, or bylines on them.
        now: when.

    Returns:
        Whether any of it had not been said.

    Raises:
        ConfigError: a reference names nothing, or no paper of that person, or none of them would stay.
    """
    with store.writing() as tx:
        one = byline(tx, written)
        mine = _places(person_of(tx, one))
        said = _said(tx, mine)
        apart = {place for row, ends in said if not row.same and not mine.isdisjoint(ends) for place in ends}
        gone = [found for each in those if (found := _member(tx, written, each, mine, apart - mine))]
        if one in gone:
            raise ConfigError(f"{written} is to stay: name the person by a paper that is not split off")
        places = {each.place for each in gone}
        rows = [row for row, ends in said if row.same and _between(ends, places, mine - places)]
        people.withdraw(tx, rows, now)
        pairs = [(_named(each), _named(one)) for each in dict.fromkeys(gone)]
        people.say_same(tx, pairs, same=False, by=OPERATOR, at=now)
    return bool(pairs)


def unsplit(store: Store, written: str, those: Sequence[str], now: datetime) -> bool:
    """Take back that papers are not by a person; that they are holds again if it was taken back for that.

    Returns:
        Whether it had been said.
    """
    with store.writing() as tx:
        person = _places(person_of(tx, byline(tx, written)))
        gone = {one.place for each in those for one in _on(tx, each)}
        rows = [row for row, ends in _said(tx, gone) if not row.same and _between(ends, gone, person)]
        _take_back(tx, rows, gone, now)
    return bool(rows)


def confirm(store: Store, written: str, ids: Iterable[tuple[str, str]], now: datetime) -> bool:
    """Say by which ids a person is known; says whether any of them had not been said."""
    with store.writing() as tx:
        one = byline(tx, written)
        known = {(row.scheme, row.value) for row in _said_ids(tx, {one.place})}
        new = [id_ for id_ in dict.fromkeys(ids) if id_ not in known]
        people.say_ids(tx, _named(one), new, by=OPERATOR, at=now)
    return bool(new)


def unconfirm(store: Store, written: str, ids: Iterable[tuple[str, str]], now: datetime) -> bool:
    """Take back by which ids a person is known, whichever byline it was said of; says whether it had been."""
    wanted = set(ids)
    with store.writing() as tx:
        mine = _said_ids(tx, _places(person_of(tx, byline(tx, written))))
        rows = [row for row in mine if (row.scheme, row.value) in wanted]
        people.withdraw(tx, rows, now)
    return bool(rows)


def answer(store: Store, name: str, written: str, now: datetime, *, yes: bool) -> bool:
    """Keep what the reader of a digest answers: this is, or is not, the person who is followed.

    Returns:
        Whether that had not been the last answer.

    Raises:
        ConfigError: there is no such digest, or no such byline.
    """
    with store.writing() as tx:
        return judge(tx, the_digest(tx, name).id, byline(tx, written), now, yes=yes)


def unanswer(store: Store, name: str, written: str) -> bool:
    """Forget what the reader of a digest said of a byline; says whether anything had been said."""
    with store.writing() as tx:
        return forget(tx, the_digest(tx, name).id, byline(tx, written))


def judge(tx: Transaction, digest: int, one: Byline, now: datetime, *, yes: bool) -> bool:
    """Keep what the reader of a digest answers about a byline; says whether that had not been the last answer."""
    before = _answers(tx, digest, one)
    if before and before[-1].yes == yes:
        return False
    people.forget(tx, before)  # of the same byline, perhaps under another name
    people.judge(tx, digest, _named(one), yes=yes, at=now)
    return True


def forget(tx: Transaction, digest: int, one: Byline) -> bool:
    """Forget what the reader of a digest answered about a byline; says whether anything had been."""
    answers = _answers(tx, digest, one)
    people.forget(tx, answers)
    return bool(answers)


def answered(tx: Transaction, digest: int, one: Byline) -> bool | None:
    """What the reader of a digest answered last about a byline; None for nothing."""
    answers = _answers(tx, digest, one)
    return answers[-1].yes if answers else None


# --- what there is --------------------------------------------------------------------------------


def _named(one: Byline) -> Named:
    return Named(*one.place, one.name)


def _places(person: Person) -> set[Place]:
    return {member.place for member in person.members}


def _between(ends: tuple[Place, Place], ones: set[Place], others: set[Place]) -> bool:
    one, other = ends
    return (one in ones and other in others) or (other in ones and one in others)


def _take_back(tx: Transaction, rows: Sequence[SaidSame], places: set[Place], now: datetime) -> None:
    """Withdraw what was said, and say again of some places what was withdrawn for it, by whoever had said that.

    What was withdrawn for it was so at the very time at which it was said. If the same was said later, too, and
    stands, that holds, and nothing is said again.
    """
    if not rows:
        return
    people.withdraw(tx, rows, now)
    times = {row.at for row in rows}
    said = [(row, ends) for row, ends in _ever_said(tx, places) if not places.isdisjoint(ends)]
    if any(row.same == rows[0].same and not row.withdrawn_at and row.at > min(times) for row, _ in said):
        return
    for row, _ in said:
        if row.withdrawn_at in times and row.same != rows[0].same:
            people.say_same(tx, [(row.one, row.other)], same=row.same, by=row.by, at=now)


def _said(tx: Transaction, places: set[Place]) -> list[tuple[SaidSame, tuple[Place, Place]]]:
    """What stands of who is the same person and who is not, and of which bylines of today."""
    return [(row, ends) for row, ends in _ever_said(tx, places) if not row.withdrawn_at]


def _ever_said(tx: Transaction, places: set[Place]) -> list[tuple[SaidSame, tuple[Place, Place]]]:
    """The same with what was taken back."""
    rows = people.said_same(tx, {paper for paper, _ in places})
    meant = people.resolved(tx, [one for row in rows for one in (row.one, row.other)])
    return [
        (row, (meant[row.one].place, meant[row.other].place))
        for row in rows
        if row.one in meant and row.other in meant
    ]


def _said_ids(tx: Transaction, places: set[Place]) -> list[SaidId]:
    rows = [row for row in people.said_ids(tx, {paper for paper, _ in places}) if not row.withdrawn_at]
    meant = people.resolved(tx, [row.one for row in rows])
    return [row for row in rows if row.one in meant and meant[row.one].place in places]


def _answers(tx: Transaction, digest: int, one: Byline) -> list[Judged]:
    rows = [row for row in people.answers_about(tx, [one.place[0]]) if row.digest == digest]
    meant = people.resolved(tx, [row.one for row in rows])
    return [row for row in rows if row.one in meant and meant[row.one].place == one.place]


def _member(tx: Transaction, written: str, paper: str, mine: set[Place], apart: set[Place]) -> Byline | None:
    """The byline of a person on a paper; None if that paper is kept apart from the person already."""
    on = _on(tx, paper)
    found = next((one for one in on if one.place in mine), None)
    if found is None and not any(one.place in apart for one in on):
        raise ConfigError(f"{paper} is no paper of {written}; `digest people show {written}` lists them")
    return found


def _on(tx: Transaction, paper: str) -> list[Byline]:
    """The bylines of a paper, or the one that is named."""
    if "#" in paper:
        return [byline(tx, paper)]
    number = number_of(tx, paper)
    return authorships.bylines_of(tx, [number]).get(number, [])
