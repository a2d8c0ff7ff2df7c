"""The record of a paper: everything that is known about it, with the source of each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digest.core.papers.merge import find_origins
from digest.model import Event, Paper, PaperKey, Signal, Statement
from digest.store.database.engine import Store, Transaction
from digest.store.fetching.listings import Appearance, list_appearances
from digest.store.papers import papers, signals
from digest.store.papers.events import load_events_of_papers


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecord:
    """A paper, and the source of each of its values.

    Attributes:
        paper: the paper, merged from all statements.
        origins: for each field, the sources whose value is used.
        statements: what each source says about each version.
        claims: the IDs of the paper: key of the paper that claims the ID, scheme, value, and whether the
            claim was separated.
        listed: the sections and days in which it was listed.
        events: its reportable events.
        signals: the latest numbers about it.
    """

    paper: Paper
    origins: Mapping[str, tuple[str, ...]]
    statements: tuple[Statement, ...]
    claims: tuple[tuple[PaperKey, str, str, bool], ...]
    listed: tuple[Appearance, ...]
    events: tuple[Event, ...]
    signals: tuple[Signal, ...]


def find_paper_number(tx: Transaction, key: PaperKey) -> int | None:
    """Return the number of the paper that has or claims a key; None if no source has listed it."""
    scheme, _, value = key.partition(":")
    return papers.find_by_id(tx, scheme, value)


def load_record(tx: Transaction, number: int) -> PaperRecord:
    """Load the record of a paper by the number of one of its members."""
    members = papers.load_groups(tx, [number])[number]
    stored_statements = tuple(
        statement for group in papers.load_statements(tx, members).values() for statement in group
    )
    keys = {statement.paper.key for statement in stored_statements}
    return PaperRecord(
        paper=papers.load_papers(tx, [number])[number],
        origins=find_origins(stored_statements),
        statements=stored_statements,
        claims=papers.list_claims_on_papers(tx, members),
        listed=list_appearances(tx, members),
        events=load_events_of_papers(tx, members),
        signals=signals.load_signals(tx, keys),
    )


def load_public_record(store: Store, key: PaperKey) -> PaperRecord | None:
    """Load the record of the paper that has or claims a key; None if no source has listed it."""
    with store.begin_read() as tx:
        number = find_paper_number(tx, key)
        return None if number is None else load_record(tx, number)
