"""Papers: what each source says of them, which of them are one, and the whole that is made of it.

A paper that is known by several keys has a row for each; ``merged_into`` names the root, the least key.
It is worked out of the claims anew whenever they change, and nothing else is rewritten: so it can be undone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from operator import attrgetter
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, insert, select, update

from digest.core.papers.identity.same_paper import Claim, claims_of, roots
from digest.core.papers.merge import joined, paper_of
from digest.model import Author, Paper, PaperKey, Statement
from digest.store.database.dialect import all_as_kept, among, as_json, chunks, fill_up, rows_as_kept
from digest.store.database.engine import Transaction
from digest.store.database.paper_tables import claims, papers, statements
from digest.store.matching import search_index
from digest.store.papers import authorships


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A paper that a source told of, before and after.

    Attributes:
        number: of the row of its own key.
        before: as it was known; None if it was not.
    """

    number: int
    before: Paper | None
    after: Paper


# --- keeping --------------------------------------------------------------------------------------


def keep(tx: Transaction, source: str, told: Iterable[Paper]) -> dict[PaperKey, Told]:
    """Keep what a source says of papers; the same again changes nothing.

    Args:
        tx: a transaction of ``Store.keeping``.
        source: whose statements they are.
        told: each of a version of at least 1.

    Returns:
        By the key that the source uses.
    """
    new: dict[PaperKey, dict[int, Paper]] = defaultdict(dict)
    claimed: dict[PaperKey, dict[Claim, None]] = defaultdict(dict)
    for paper in told:
        versions = new[paper.key]
        known = versions.get(paper.version)
        versions[paper.version] = joined(known, paper) if known else paper
        # Of each telling: joined, the statement has only one of two DOIs, whichever came first.
        claimed[paper.key] |= dict.fromkeys(claims_of(paper))
    numbers = find(tx, new)
    added = _add_papers(tx, [key for key in new if key not in numbers])
    members = one_with(tx, numbers.values())
    said = statements_of(tx, {member for group in members.values() for member in group})
    before = _wholes(members, said)
    numbers |= added
    members |= {number: frozenset([number]) for number in added.values()}
    changed = _put_statements(tx, source, {numbers[key]: versions for key, versions in new.items()}, said)
    touched = {number: group for number, group in members.items() if not changed.keys().isdisjoint(group)}
    after = before | _wholes(touched, said | changed)
    moved = _put_claims(tx, {numbers[key]: each for key, each in claimed.items()})
    before |= _before_merging(tx, moved, set(added.values()))
    groups = one_with(tx, moved)
    after |= wholes(tx, groups)
    alone = [number for number in added.values() if len(groups.get(number, ())) < 2]
    authorships.sign(tx, {number: after[number].authors for number in alone})
    search_index.index(tx, {number: after[number] for number in alone})
    others = [number for number in numbers.values() if number in before]
    _sign_anew(tx, {number for number in others if before[number].authors != after[number].authors})
    index_anew(tx, {number for number in others if before[number] != after[number]})
    return {
        key: Told(number=(number := numbers[key]), before=before.get(number), after=after[number])
        for key in new
    }


def _add_papers(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """Make the rows of papers that nobody knew; says their numbers."""
    rows = [{"key": key} for key in sorted(keys)]
    if not rows:
        return {}
    made = tx.execute(insert(papers).returning(papers.c.key, papers.c.id), rows)
    return {PaperKey(row.key): row.id for row in made}


def _sign_anew(tx: Transaction, numbers: Iterable[int]) -> None:
    """Write down once more who signed papers: their authors are others, or other papers are one with them."""
    known = load(tx, numbers)
    root_of = roots_of(tx, known)
    signed = {root_of[number]: paper.authors for number, paper in known.items()}
    authorships.sign(tx, signed, instead_of=known.keys() | signed.keys())


def index_anew(tx: Transaction, numbers: Iterable[int]) -> None:
    """Put papers into the index once more: they changed, or other papers are one with them."""
    known = load(tx, numbers)
    if known:
        root_of = roots_of(tx, known)
        wholes_of_roots = {root_of[number]: paper for number, paper in known.items()}
        search_index.index(tx, wholes_of_roots, instead_of=known.keys() | wholes_of_roots.keys())


def index_missing(tx: Transaction, most: int, since: date | None = None) -> int:
    """Index papers that are not in the index, the newest first.

    Args:
        tx: a transaction of ``Store.keeping``.
        most: how many, at most.
        since: only those with an event of this day or later; None: all.

    Returns:
        How many were indexed.
    """
    numbers = search_index.missing(tx, most, since)
    search_index.index(tx, load(tx, numbers))
    return len(numbers)


def _before_merging(tx: Transaction, moved: Iterable[int], added: set[int]) -> dict[int, Paper]:
    """What papers that came just now were before: those that they turned out to be one with."""
    groups = {number: group for number, group in one_with(tx, moved).items() if number in added}
    known = {number: group - added for number, group in groups.items() if group - added}
    return wholes(tx, known)


def _put_statements(
    tx: Transaction,
    source: str,
    told: Mapping[int, Mapping[int, Paper]],
    said: Mapping[int, Sequence[Statement]],
) -> dict[int, tuple[Statement, ...]]:
    """Add statements, and join those of a version that the source has spoken of before.

    Returns:
        All statements of the papers of which one is new or another one now.
    """
    rows = []
    changed: dict[int, tuple[Statement, ...]] = {}
    for number in sorted(told):
        here = {(one.source, one.paper.version): one for one in said.get(number, ())}
        for version, paper in sorted(told[number].items()):
            there = here.get((source, version))
            now = joined(there.paper, paper) if there else paper
            if there is None or now != there.paper:
                here[source, version] = Statement(source=source, paper=now)
                changed[number] = tuple(here.values())
                rows.append(_statement_row(number, source, now))
    fill_up(tx, statements, _STATEMENT, rows, renewed=_STATEMENT[3:])
    return changed


def _statement_row(number: int, source: str, paper: Paper) -> tuple[Any, ...]:
    several = {
        "authors": [
            [*author[:1], *map(list, author[1:])] if any(author[1:]) else author[:1]
            for author in paper.authors
        ],
        "categories": paper.categories,
        "ids": paper.ids,
        "code_urls": paper.code_urls,
        "project_urls": paper.project_urls,
        "organizations": paper.organizations,
        "institutions": paper.institutions,
        "references": paper.references,
    }
    lists = json.dumps({name: value for name, value in several.items() if value})
    return (number, source, *_plain(paper), lists)


_PLAIN = (
    *("version", "title", "abstract", "url", "pdf_url", "doi", "journal_ref", "comment", "license_url"),
    *("withdrawn", "version_told"),
)
_STATEMENT = ("paper_id", "source", *_PLAIN, "lists")
_plain = attrgetter(*_PLAIN)


# --- which papers are one -------------------------------------------------------------------------


def _put_claims(tx: Transaction, told: Mapping[int, Iterable[Claim]]) -> set[int]:
    """Keep what papers may be known by, and bring those together that share it.

    Returns:
        The papers of which the whole may have changed by that.
    """
    rows = [(claim.scheme, claim.value, number, False) for number, each in told.items() for claim in each]
    fill_up(tx, claims, ("scheme", "value", "paper_id", "apart"), rows)
    return merge_anew(tx, _sharing(tx, told))


def _sharing(tx: Transaction, numbers: Iterable[int]) -> set[int]:
    """The papers that share an id with another one, one of these."""
    return {other for (other,) in rows_as_kept(tx, _sharers(), {"numbers": all_as_kept(tx, numbers)})}


@cache
def _sharers() -> Select[Any]:
    one, other = claims.alias(), claims.alias()
    same = and_(
        one.c.scheme == other.c.scheme, one.c.value == other.c.value, one.c.paper_id != other.c.paper_id
    )
    others = select(other.c.paper_id).join_from(one, other, same)
    return others.where(among(one.c.paper_id, "numbers")).distinct()


def merge_anew(tx: Transaction, numbers: Iterable[int]) -> set[int]:
    """Work out anew which papers are one with these.

    Returns:
        All papers that were or are one with them.
    """
    circle: set[int] = set()
    ahead = set(numbers)
    while ahead:
        circle |= ahead
        ahead = (_sharing(tx, ahead) | _merged_with(tx, ahead)) - circle
    evidence: list[Claim] = []
    apart: list[Claim] = []
    keys: dict[int, PaperKey] = {}
    before: dict[int, int | None] = {}
    for chunk in chunks(sorted(circle)):
        for row in tx.execute(select(papers).where(papers.c.id.in_(chunk))):
            keys[row.id], before[row.id] = PaperKey(row.key), row.merged_into
        for row in tx.execute(select(claims).where(claims.c.paper_id.in_(chunk))):
            claim = Claim(keys[row.paper_id], row.scheme, row.value)
            evidence.append(claim)
            if row.apart:
                apart.append(claim)
    root_of = roots(evidence, apart)
    root_of = {key: root_of.get(key, key) for key in keys.values()}
    numbers_of = {key: number for number, key in keys.items()}
    into = {number: None if root_of[key] == key else numbers_of[root_of[key]] for number, key in keys.items()}
    moved = [number for number in keys if into[number] != before[number]]
    if moved:
        change = update(papers).where(papers.c.id == bindparam("number"))
        rows = [{"number": number, "root": into[number]} for number in moved]
        tx.execute(change.values(merged_into=bindparam("root")), rows)
        concerned = (one for number in moved for one in (number, into[number], before[number]))
        changed = set(filter(None, concerned))
        _sign_anew(tx, changed)
        index_anew(tx, changed)
    return circle


def _merged_with(tx: Transaction, numbers: Iterable[int]) -> set[int]:
    """The papers that are one with some, as it was worked out last."""
    return {member for members in one_with(tx, numbers).values() for member in members}


def set_apart(tx: Transaction, number: int, scheme: str, value: str, *, apart: bool) -> bool:
    """Note that an id is, or after all is not, another paper's; says whether the paper had claimed it."""
    mine = and_(claims.c.paper_id == number, claims.c.scheme == scheme, claims.c.value == value)
    if not tx.execute(update(claims).where(mine).values(apart=apart)).rowcount:
        return False
    merge_anew(tx, [number])
    return True


# --- reading --------------------------------------------------------------------------------------


def find(tx: Transaction, keys: Iterable[PaperKey]) -> dict[PaperKey, int]:
    """The numbers of the papers that are known, by key."""
    return dict(rows_as_kept(tx, _BY_KEY, {"keys": all_as_kept(tx, set(keys))}))


_BY_KEY = select(papers.c.key, papers.c.id).where(among(papers.c.key, "keys"))


def keys_of(tx: Transaction, numbers: Iterable[int]) -> dict[int, PaperKey]:
    """The keys of papers by number."""
    found: dict[int, PaperKey] = {}
    for chunk in chunks(sorted(set(numbers))):
        rows = tx.execute(select(papers.c.key, papers.c.id).where(papers.c.id.in_(chunk)))
        found.update({row.id: PaperKey(row.key) for row in rows})
    return found


def known_as(tx: Transaction, scheme: str, value: str) -> int | None:
    """The root of the paper of which an id is the key, else of those that it is claimed for.

    None if there is none, or not a single one.
    """
    own = tx.execute(select(_ROOT).where(papers.c.key == f"{scheme}:{value}")).scalar()
    if own is not None:
        return int(own)
    mine = select(_ROOT).join(claims, claims.c.paper_id == papers.c.id)
    mine = mine.where(claims.c.scheme == scheme, claims.c.value == value, ~claims.c.apart).distinct()
    found = tx.execute(mine).scalars().all()
    return found[0] if len(found) == 1 else None


def newest_versions(tx: Transaction, numbers: Iterable[int]) -> dict[int, int]:
    """The greatest version that anything is kept under, by paper: told or worked out."""
    said = statements_of(tx, numbers)
    return {number: max(one.paper.version for one in each) for number, each in said.items()}


def load(tx: Transaction, numbers: Iterable[int]) -> dict[int, Paper]:
    """Papers by number, each the whole of all that are one with it."""
    return wholes(tx, one_with(tx, numbers))


def wholes(tx: Transaction, members: Mapping[int, frozenset[int]]) -> dict[int, Paper]:
    """The same for who knows already which papers are one with each (``one_with``)."""
    return _wholes(members, statements_of(tx, {member for group in members.values() for member in group}))


def _wholes(
    members: Mapping[int, frozenset[int]], told: Mapping[int, Sequence[Statement]]
) -> dict[int, Paper]:
    """Papers by number, made of what is said of all that are one with each."""
    made: dict[frozenset[int], Paper] = {}
    for group in members.values():
        if group not in made:
            made[group] = paper_of([one for member in sorted(group) for one in told.get(member, ())])
    return {number: made[group] for number, group in members.items()}


def roots_of(tx: Transaction, numbers: Iterable[int]) -> dict[int, int]:
    """Papers by number, each with the root of all that are one with it."""
    return dict(rows_as_kept(tx, _ROOTS, {"numbers": all_as_kept(tx, set(numbers))}))


_ROOT = func.coalesce(papers.c.merged_into, papers.c.id)
_ROOTS = select(papers.c.id, _ROOT).where(among(papers.c.id, "numbers"))


def members_of(tx: Transaction, roots: Iterable[int]) -> set[int]:
    """Roots, and the papers that are one with them."""
    found = set(roots)
    for chunk in chunks(sorted(found)):
        found.update(tx.execute(select(papers.c.id).where(papers.c.merged_into.in_(chunk))).scalars())
    return found


def one_with(tx: Transaction, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
    """Papers by number, each with the numbers of all that are one with it, its own among them."""
    root_of = roots_of(tx, numbers)
    groups: dict[int, set[int]] = {number: {number} for number in root_of.values()}
    for number, root in rows_as_kept(tx, _MERGED, {"numbers": all_as_kept(tx, groups)}):
        groups[root].add(number)
    frozen = {number: frozenset(group) for number, group in groups.items()}
    return {number: frozen[root] for number, root in root_of.items()}


def statements_of(tx: Transaction, numbers: Iterable[int]) -> dict[int, tuple[Statement, ...]]:
    """What is said of papers, by the number of the paper that it was said of."""
    found: dict[int, list[Statement]] = defaultdict(list)
    read = as_json(tx)
    for number, source, key, *plain, lists in rows_as_kept(tx, _SAID, {"numbers": all_as_kept(tx, numbers)}):
        found[number].append(Statement(source=source, paper=_paper(key, plain, read(lists))))
    return {number: tuple(told) for number, told in found.items()}


_MERGED = select(papers.c.id, papers.c.merged_into).where(among(papers.c.merged_into, "numbers"))
_SAID = (
    select(
        *(statements.c.paper_id, statements.c.source, papers.c.key),
        *(statements.c[name] for name in (*_PLAIN, "lists")),
    )
    .join(papers, papers.c.id == statements.c.paper_id)
    .where(among(statements.c.paper_id, "numbers"))
)


def claims_on(tx: Transaction, numbers: Iterable[int]) -> tuple[tuple[PaperKey, str, str, bool], ...]:
    """What papers are known by: key, scheme, value, and whether it was set apart."""
    keyed = select(claims, papers.c.key).join(papers, papers.c.id == claims.c.paper_id)
    mine = keyed.where(claims.c.paper_id.in_(sorted(numbers)))
    rows = tx.execute(mine.order_by(papers.c.key, claims.c.scheme, claims.c.value))
    return tuple((PaperKey(row.key), row.scheme, row.value, row.apart) for row in rows)


def _paper(key: str, plain: Sequence[Any], lists: Mapping[str, Any]) -> Paper:
    version, title, abstract, url, pdf_url, doi, journal_ref, comment, license_url, withdrawn, told = plain
    return Paper(
        key=PaperKey(key),
        title=title,
        abstract=abstract,
        authors=tuple([_author(*written) for written in lists.get("authors", ())]),
        categories=tuple(lists.get("categories", ())),
        version=version,
        version_told=bool(told),
        url=url,
        pdf_url=pdf_url,
        doi=doi,
        journal_ref=journal_ref,
        comment=comment,
        license_url=license_url,
        ids=tuple([(scheme, value) for scheme, value in lists.get("ids", ())]),
        code_urls=tuple(lists.get("code_urls", ())),
        project_urls=tuple(lists.get("project_urls", ())),
        organizations=tuple(lists.get("organizations", ())),
        institutions=tuple(lists.get("institutions", ())),
        references=tuple(lists.get("references", ())),
        withdrawn=bool(withdrawn),
    )


def _author(name: str, affiliations: Sequence[str] = (), ids: Sequence[Sequence[str]] = ()) -> Author:
    return Author(name, tuple(affiliations), tuple([(scheme, value) for scheme, value in ids]))
