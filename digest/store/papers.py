"""Papers: what each source says of them, which of them are one, and the whole that is made of it.

A paper that is known by several keys has a row for each; ``merged_into`` names the root, the least key.
It is worked out of the claims anew whenever they change, and nothing else is rewritten: so it can be undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, and_, func, select, update

from digest.core.identity import Claim, claims_of, roots
from digest.core.merge import joined, paper_of
from digest.model import Author, Paper, PaperKey, Signal, Statement
from digest.store.dialect import add_missing, chunks, insert_ignoring, put
from digest.store.engine import Transaction
from digest.store.schema import claims, papers, signals, statements


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
        tx: a writing transaction.
        source: whose statements they are.
        told: each of a version of at least 1.

    Returns:
        By the key that the source uses.
    """
    new: dict[PaperKey, dict[int, Paper]] = defaultdict(dict)
    for paper in told:
        versions = new[paper.key]
        known = versions.get(paper.version)
        versions[paper.version] = joined(known, paper) if known else paper
    added = _add_papers(tx, new)
    numbers = find(tx, new)
    _lock(tx, numbers.values())
    known_before = [number for key, number in numbers.items() if key not in added]
    before = load(tx, known_before)
    _put_statements(tx, source, {numbers[key]: versions for key, versions in new.items()}, known_before)
    moved = _put_claims(tx, {numbers[key]: versions.values() for key, versions in new.items()})
    before |= _before_merging(tx, moved, {numbers[key] for key in added})
    after = load(tx, [*known_before, *moved])
    whole = {
        key: after[number] if (number := numbers[key]) in after else _alone(source, versions.values())
        for key, versions in new.items()
    }
    return {
        key: Told(number=numbers[key], before=before.get(numbers[key]), after=paper)
        for key, paper in whole.items()
    }


def _before_merging(tx: Transaction, moved: Iterable[int], added: set[int]) -> dict[int, Paper]:
    """What papers that came just now were before: those that they turned out to be one with."""
    found: dict[int, Paper] = {}
    groups = {number: group for number, group in one_with(tx, moved).items() if number in added}
    told = statements_of(tx, {member for group in groups.values() for member in group - added})
    for number, group in groups.items():
        if known := [one for member in sorted(group - added) for one in told.get(member, ())]:
            found[number] = paper_of(known)
    return found


def _alone(source: str, versions: Iterable[Paper]) -> Paper:
    return paper_of([Statement(source=source, paper=paper) for paper in versions])


def _add_papers(tx: Transaction, wanted: Iterable[PaperKey]) -> set[PaperKey]:
    """Make the rows of papers that nobody knew; says which they are."""
    before = find(tx, wanted)
    # Sorted, so that two processes never wait for each other's rows crosswise.
    rows = [{"key": key} for key in sorted(wanted) if key not in before]
    if not rows:
        return set()
    # Another process may have added some of them since: those are not ours to say all about.
    statement = insert_ignoring(tx, papers).returning(papers.c.key)
    return {PaperKey(key) for key in tx.execute(statement, rows).scalars()}


def _lock(tx: Transaction, numbers: Iterable[int]) -> None:
    """Hold papers until the transaction ends: nobody else changes what is said of them."""
    for chunk in chunks(sorted(numbers)):
        mine = select(papers.c.id).where(papers.c.id.in_(chunk)).order_by(papers.c.id)
        tx.execute(mine.with_for_update(key_share=True))


def _put_statements(
    tx: Transaction, source: str, told: Mapping[int, Mapping[int, Paper]], known: Sequence[int]
) -> None:
    """Add statements, and join those of a version that the source has spoken of before."""
    old: dict[tuple[int, int], Paper] = {}
    for chunk in chunks(sorted(known)):
        mine = (statements.c.paper_id.in_(chunk)) & (statements.c.source == source)
        keyed = select(statements, papers.c.key).join(papers, papers.c.id == statements.c.paper_id)
        for row in tx.execute(keyed.where(mine)):
            old[row.paper_id, row.version] = _paper(row)
    rows = []
    for number in sorted(told):
        for version, paper in sorted(told[number].items()):
            there = old.get((number, version))
            now = joined(there, paper) if there else paper
            if now != there:
                rows.append(_statement_row(number, source, now))
    put(tx, statements, rows, key=("paper_id", "source", "version"))


def _statement_row(number: int, source: str, paper: Paper) -> dict[str, Any]:
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
    }
    return {name: getattr(paper, name) for name in _PLAIN} | {
        "paper_id": number,
        "source": source,
        "lists": {name: value for name, value in several.items() if value},
    }


_PLAIN = (
    *("version", "title", "abstract", "url", "pdf_url", "doi", "journal_ref", "comment", "license_url"),
    "withdrawn",
)


# --- which papers are one -------------------------------------------------------------------------


def _put_claims(tx: Transaction, told: Mapping[int, Iterable[Paper]]) -> set[int]:
    """Keep what papers may be known by, and bring those together that share it.

    Returns:
        The papers of which the whole may have changed by that.
    """
    rows = [
        {"scheme": claim.scheme, "value": claim.value, "paper_id": number, "apart": False}
        for number, versions in told.items()
        for claim in {claim: None for paper in versions for claim in claims_of(paper)}
    ]
    add_missing(tx, claims, sorted(rows, key=lambda row: (row["scheme"], row["value"], row["paper_id"])))
    shared = _sharing(tx, told)
    return merge_anew(tx, shared) if shared else set()


def _sharing(tx: Transaction, numbers: Iterable[int]) -> set[int]:
    """Those of some papers that share an id with another, and those others."""
    one, other = claims.alias(), claims.alias()
    same = and_(
        one.c.scheme == other.c.scheme, one.c.value == other.c.value, one.c.paper_id != other.c.paper_id
    )
    found: set[int] = set()
    for chunk in chunks(sorted(numbers)):
        pairs = select(one.c.paper_id, other.c.paper_id.label("other")).join(other, same)
        for row in tx.execute(pairs.where(one.c.paper_id.in_(chunk))):
            found |= {row.paper_id, row.other}
    return found


def merge_anew(tx: Transaction, numbers: Iterable[int]) -> set[int]:
    """Work out anew which papers are one with these.

    Returns:
        All papers that were or are one with them.
    """
    circle = set(numbers)
    while (wider := circle | _sharing(tx, circle) | _merged_with(tx, circle)) != circle:
        circle = wider
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
    numbers_of = {key: number for number, key in keys.items()}
    for number, key in sorted(keys.items()):
        root = root_of.get(key, key)
        into = None if root == key else numbers_of[root]
        if into != before[number]:
            tx.execute(update(papers).where(papers.c.id == number).values(merged_into=into))
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
    found: dict[PaperKey, int] = {}
    for chunk in chunks(sorted(set(keys))):
        rows = tx.execute(select(papers.c.key, papers.c.id).where(papers.c.key.in_(chunk)))
        found.update({PaperKey(row.key): row.id for row in rows})
    return found


def known_as(tx: Transaction, scheme: str, value: str) -> int | None:
    """The root of the papers that an id is claimed for; None if there is none, or not a single one."""
    root = func.coalesce(papers.c.merged_into, papers.c.id)
    mine = select(root).join(claims, claims.c.paper_id == papers.c.id)
    mine = mine.where(claims.c.scheme == scheme, claims.c.value == value, ~claims.c.apart).distinct()
    found = tx.execute(mine).scalars().all()
    return found[0] if len(found) == 1 else None


def load(tx: Transaction, numbers: Iterable[int]) -> dict[int, Paper]:
    """Papers by number, each the whole of all that are one with it."""
    members = one_with(tx, numbers)
    told = statements_of(tx, {member for group in members.values() for member in group})
    made: dict[frozenset[int], Paper] = {}
    for group in members.values():
        if group not in made:
            made[group] = paper_of([one for member in sorted(group) for one in told.get(member, ())])
    return {number: made[group] for number, group in members.items()}


def one_with(tx: Transaction, numbers: Iterable[int]) -> dict[int, frozenset[int]]:
    """Papers by number, each with the numbers of all that are one with it, its own among them."""
    root_of: dict[int, int] = {}
    root = func.coalesce(papers.c.merged_into, papers.c.id).label("root")
    for chunk in chunks(sorted(set(numbers))):
        for row in tx.execute(select(papers.c.id, root).where(papers.c.id.in_(chunk))):
            root_of[row.id] = row.root
    groups: dict[int, set[int]] = {number: {number} for number in root_of.values()}
    for chunk in chunks(sorted(groups)):
        merged = select(papers.c.id, papers.c.merged_into).where(papers.c.merged_into.in_(chunk))
        for row in tx.execute(merged):
            groups[row.merged_into].add(row.id)
    frozen = {number: frozenset(group) for number, group in groups.items()}
    return {number: frozen[root] for number, root in root_of.items()}


def statements_of(tx: Transaction, numbers: Iterable[int]) -> dict[int, tuple[Statement, ...]]:
    """What is said of papers, by the number of the paper that it was said of."""
    found: dict[int, list[Statement]] = defaultdict(list)
    keyed = select(statements, papers.c.key).join(papers, papers.c.id == statements.c.paper_id)
    for chunk in chunks(sorted(numbers)):
        for row in tx.execute(keyed.where(statements.c.paper_id.in_(chunk))):
            found[row.paper_id].append(Statement(source=row.source, paper=_paper(row)))
    return {number: tuple(told) for number, told in found.items()}


def claims_on(tx: Transaction, numbers: Iterable[int]) -> tuple[tuple[PaperKey, str, str, bool], ...]:
    """What papers are known by: key, scheme, value, and whether it was set apart."""
    keyed = select(claims, papers.c.key).join(papers, papers.c.id == claims.c.paper_id)
    mine = keyed.where(claims.c.paper_id.in_(sorted(numbers)))
    rows = tx.execute(mine.order_by(papers.c.key, claims.c.scheme, claims.c.value))
    return tuple((PaperKey(row.key), row.scheme, row.value, row.apart) for row in rows)


def _paper(row: Row[Any]) -> Paper:
    lists = row.lists
    return Paper(
        key=PaperKey(row.key),
        title=row.title,
        abstract=row.abstract,
        authors=tuple([_author(*written) for written in lists.get("authors", ())]),
        categories=tuple(lists.get("categories", ())),
        version=row.version,
        url=row.url,
        pdf_url=row.pdf_url,
        doi=row.doi,
        journal_ref=row.journal_ref,
        comment=row.comment,
        license_url=row.license_url,
        ids=tuple([(scheme, value) for scheme, value in lists.get("ids", ())]),
        code_urls=tuple(lists.get("code_urls", ())),
        project_urls=tuple(lists.get("project_urls", ())),
        organizations=tuple(lists.get("organizations", ())),
        withdrawn=row.withdrawn,
    )


def _author(name: str, affiliations: Sequence[str] = (), ids: Sequence[Sequence[str]] = ()) -> Author:
    return Author(name, tuple(affiliations), tuple([(scheme, value) for scheme, value in ids]))


# --- numbers about papers -------------------------------------------------------------------------


def keep_signals(tx: Transaction, told: Iterable[Signal]) -> None:
    """Keep numbers about papers; a later one of the same day takes the place of an earlier one."""
    rows = {
        (one.subject, one.kind, one.source, one.day): {
            "subject": one.subject,
            "kind": one.kind,
            "source": one.source,
            "day": one.day,
            "value": one.value,
        }
        for one in told
    }
    put(tx, signals, [rows[key] for key in sorted(rows)], key=("subject", "kind", "source", "day"))


def signals_of(tx: Transaction, keys: Iterable[PaperKey]) -> tuple[Signal, ...]:
    """The last numbers about papers, by kind and source."""
    last: dict[tuple[str, str, str], Signal] = {}
    for chunk in chunks(sorted(keys)):
        mine = select(signals).where(signals.c.subject.in_(chunk)).order_by(signals.c.day)
        for row in tx.execute(mine):
            last[row.subject, row.kind, row.source] = Signal(**row._mapping)  # noqa: SLF001 - the documented way to a row's names
    return tuple(last.values())
