"""Numbers of deliveries by state and domain, for operators. All of them are bounded, however many deliveries there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select

from digest.store.database.engine import Transaction
from digest.store.database.tables.digests import deliveries, destinations, editions

COUNTED_DELIVERIES = 50_000
"""Number of the last deliveries that are domain_counts by domain; SQLite takes 0.1 s for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainCounts:
    """The deliveries to the addresses of a domain.

    Attributes:
        domain: the domain; "" for destinations that are not mail addresses.
        states: their number by state.
    """

    domain: str
    states: Mapping[str, int]

    @property
    def total(self) -> int:
        """The number of all of them."""
        return sum(self.states.values())


def find_last_delivery(tx: Transaction) -> int:
    """Return the highest number of a delivery; 0 if there is none."""
    return tx.execute(select(func.max(deliveries.c.id))).scalar() or 0


def count_by_domain(tx: Transaction, max_domains: int) -> tuple[DomainCounts, ...]:
    """Count the last ``COUNTED_DELIVERIES`` by domain and state; the domains with the most come first."""
    since = find_last_delivery(tx) - COUNTED_DELIVERIES
    statement = (
        select(destinations.c.domain, deliveries.c.state, func.count())
        .join(destinations, destinations.c.id == deliveries.c.destination_id)
        .where(deliveries.c.id > since)
        .group_by(destinations.c.domain, deliveries.c.state)
    )
    states_by_domain: dict[str, dict[str, int]] = {}
    for domain, state, count in tx.execute(statement):
        states_by_domain.setdefault(domain, {})[state] = count
    domain_counts = [
        DomainCounts(domain=domain, states=states) for domain, states in states_by_domain.items()
    ]
    return tuple(sorted(domain_counts, key=lambda entry: (-entry.total, entry.domain))[:max_domains])


def count_of_run(tx: Transaction, run: int) -> Mapping[str, int]:
    """Count the first ``COUNTED_DELIVERIES`` of a run by state."""
    first = (
        select(deliveries.c.state)
        .join(editions, editions.c.id == deliveries.c.edition_id)
        .where(editions.c.run_id == run)
        .limit(COUNTED_DELIVERIES)
        .subquery()
    )
    rows = tx.execute(select(first.c.state, func.count()).group_by(first.c.state))
    return {state: count for state, count in rows}  # noqa: C416 - a Row is not a pair to mypy
