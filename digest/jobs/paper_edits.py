"""The record of a paper, with the source of each value, and corrections of its IDs by the operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digest.core.papers.merge import find_origins
from digest.errors import ConfigError
from digest.jobs.editions.explain import parse_paper_key
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


def load_paper_record(store: Store, paper_id: str) -> PaperRecord:
    """Load the record of a paper.

    Args:
        store: the store.
        paper_id: an ID of the paper, in any form.

    Raises:
        ConfigError: this is not the ID of a paper, or no source has listed it.
    """
    with store.begin_read() as tx:
        number = _find_paper_number(tx, parse_paper_key(paper_id))
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


def set_apart(store: Store, paper_id: str, other_id: str, *, is_apart: bool) -> bool:
    """Separate an ID from a paper, or undo that.

    Args:
        store: the store.
        paper_id: the paper, by the key that its source uses.
        other_id: the ID to separate, in any form.
        is_apart: True to separate, False to undo it.

    Returns:
        Whether a source had claimed the ID for this paper.

    Raises:
        ConfigError: one of them is not the ID of a paper, or no source has listed the paper.
    """
    key, claimed = parse_paper_key(paper_id), parse_paper_key(other_id)
    if key == claimed:
        raise ConfigError(
            f"{claimed} is the id under which this paper is stored; name the other id, as `digest papers show` lists it"
        )
    scheme, _, value = claimed.partition(":")
    with store.begin_ingest() as tx:
        number = papers.find_papers(tx, [key]).get(key)
        if number is None:
            raise ConfigError(f"no source in this database has listed {key} under this id")
        return papers.set_apart(tx, number, scheme, value, apart=is_apart)


def _find_paper_number(tx: Transaction, key: PaperKey) -> int:
    scheme, _, value = key.partition(":")
    number = papers.find_by_id(tx, scheme, value)
    if number is None:
        raise ConfigError(f"no source in this database has listed {key}")
    return number
