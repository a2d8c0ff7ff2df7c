"""All that is known of one paper, by whom; and which papers are one, where somebody knows better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digest.core.papers.merge import origins
from digest.errors import ConfigError
from digest.jobs.editions.explain import paper_key
from digest.model import Event, Paper, PaperKey, Signal, Statement
from digest.store.database.engine import Store, Transaction
from digest.store.fetching.listings import Appearance, appearances_of
from digest.store.papers import papers, signals
from digest.store.papers.events import events_of


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaper:
    """A paper, and where each thing about it is from.

    Attributes:
        paper: the whole.
        origins: field to the sources whose value it shows.
        statements: what each source says of each version.
        claims: what it is known by: the key that claims it, scheme, value, and whether it was set apart.
        listed: where and how.
        events: what could be told of it.
        signals: the last numbers about it.
    """

    paper: Paper
    origins: Mapping[str, tuple[str, ...]]
    statements: tuple[Statement, ...]
    claims: tuple[tuple[PaperKey, str, str, bool], ...]
    listed: tuple[Appearance, ...]
    events: tuple[Event, ...]
    signals: tuple[Signal, ...]


def known_paper(store: Store, written: str) -> KnownPaper:
    """Gather what is known of a paper.

    Args:
        store: where.
        written: one of its ids in any form.

    Raises:
        ConfigError: this is no paper's id, or no source has listed it.
    """
    with store.reading() as tx:
        number = _number(tx, paper_key(written))
        members = papers.one_with(tx, [number])[number]
        told = tuple(one for group in papers.statements_of(tx, members).values() for one in group)
        keys = {one.paper.key for one in told}
        return KnownPaper(
            paper=papers.load(tx, [number])[number],
            origins=origins(told),
            statements=told,
            claims=papers.claims_on(tx, members),
            listed=appearances_of(tx, members),
            events=events_of(tx, members),
            signals=signals.of_keys(tx, keys),
        )


def set_apart(store: Store, written: str, other: str, *, apart: bool) -> bool:
    """Say that an id is not a paper's, or after all is.

    Args:
        store: where.
        written: the paper, by the key that its source uses.
        other: the id, in any form.
        apart: False takes it back.

    Returns:
        Whether a source had claimed it.

    Raises:
        ConfigError: one of them is no paper's id, or no source has listed the paper.
    """
    key, claimed = paper_key(written), paper_key(other)
    if key == claimed:
        raise ConfigError(
            f"{claimed} is what this paper goes by: name the other one, as `digest papers show` tells it"
        )
    scheme, _, value = claimed.partition(":")
    with store.keeping() as tx:
        number = papers.find(tx, [key]).get(key)
        if number is None:
            raise ConfigError(f"no source has listed {key} under this id, so far as this store knows")
        return papers.set_apart(tx, number, scheme, value, apart=apart)


def _number(tx: Transaction, key: PaperKey) -> int:
    scheme, _, value = key.partition(":")
    number = papers.known_as(tx, scheme, value)
    if number is None:
        raise ConfigError(f"no source has listed {key} so far as this store knows")
    return number
