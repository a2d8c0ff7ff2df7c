"""The state of everything, gathered for whoever looks after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.jobs.ledger import all_fail
from digest.model import Batch, Run, Section
from digest.store import deliveries, runs
from digest.store import ledger as rows
from digest.store.deliveries import Delivery
from digest.store.engine import Store
from digest.store.runs import Coming

_DAYS = 7
_RUNS = 5
_TROUBLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What there is to know.

    Attributes:
        sections: of the configuration, and how asking them went.
        batches: of the last seven days.
        runs: the last ones, with the names of their digests.
        deliveries: how many are in each state.
        troubles: the last deliveries that were refused or may not have arrived.
        coming: when digests are due next.
        all_fail: the last attempt at every section failed.
    """

    sections: tuple[Section, ...]
    batches: tuple[Batch, ...]
    runs: tuple[tuple[Run, tuple[str, ...]], ...]
    deliveries: dict[str, int]
    troubles: tuple[Delivery, ...]
    coming: tuple[Coming, ...]
    all_fail: bool


def status(store: Store, now: datetime) -> Status:
    """Gather it."""
    with store.reading() as tx:
        refused = deliveries.recent(tx, state="refused", most=_TROUBLES)
        unknown = deliveries.recent(tx, state="unknown", most=_TROUBLES)
        return Status(
            sections=rows.active_sections(tx),
            batches=rows.recent_batches(tx, now.date() - timedelta(days=_DAYS)),
            runs=runs.recent_runs(tx, _RUNS),
            deliveries=deliveries.count_by_state(tx),
            troubles=(*refused, *unknown),
            coming=runs.coming(tx),
            all_fail=all_fail(tx),
        )
