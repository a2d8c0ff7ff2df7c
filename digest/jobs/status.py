"""The state of everything, gathered for whoever looks after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.core import ledger
from digest.jobs.ledger import all_fail
from digest.model import Batch, Run, Section
from digest.store import buckets, deliveries, pauses, runs
from digest.store import ledger as rows
from digest.store.buckets import Paused
from digest.store.deliveries import Delivery
from digest.store.engine import Store, Transaction
from digest.store.pauses import Resting
from digest.store.runs import Coming

_DAYS = 7
_RUNS = 5
_TROUBLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know.

    Attributes:
        sections: of the configuration, and how asking them went.
        batches: of the last seven days, and those before that are not whole.
        paused: what shares a pace and is not to be asked just now, until when and why.
        runs: the last ones, with the names of their digests.
        deliveries: how many are in each state.
        troubles: the last deliveries that were refused or may not have arrived.
        coming: when digests are due next.
        resting: the digests that are paused.
        all_fail: the last attempt at every section failed.
    """

    sections: tuple[Section, ...]
    batches: tuple[Batch, ...]
    paused: Mapping[str, Paused]
    runs: tuple[tuple[Run, tuple[str, ...]], ...]
    deliveries: dict[str, int]
    troubles: tuple[Delivery, ...]
    coming: tuple[Coming, ...]
    resting: tuple[Resting, ...]
    all_fail: bool


def status(store: Store, now: datetime) -> Status:
    """Gather it."""
    with store.reading() as tx:
        refused = deliveries.recent(tx, state="refused", most=_TROUBLES)
        unknown = deliveries.recent(tx, state="unknown", most=_TROUBLES)
        return Status(
            sections=rows.active_sections(tx),
            batches=_batches(tx, now),
            paused=buckets.paused(tx, now),
            runs=runs.recent_runs(tx, _RUNS),
            deliveries=deliveries.count_by_state(tx),
            troubles=(*refused, *unknown),
            coming=runs.coming(tx),
            resting=pauses.resting(tx),
            all_fail=all_fail(tx),
        )


def _batches(tx: Transaction, now: datetime) -> tuple[Batch, ...]:
    recent = now.date() - timedelta(days=_DAYS)
    return tuple(
        batch
        for batch in rows.recent_batches(tx, now.date() - ledger.REPAIRED)
        if batch.day >= recent or ledger.missing(batch)
    )
