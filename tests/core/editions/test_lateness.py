from __future__ import annotations

from datetime import timedelta

from digest.core.editions.lateness import find_first_days, is_late
from digest.model import Batch, BatchState
from tests.render.samples import FRIDAY, make_batch, make_item
from tests.support.cases import for_each_case

THURSDAY = FRIDAY - timedelta(days=1)
FILLING = make_batch("daily", BatchState.PARTIAL, source="hf", received=23, fills=True)


@for_each_case(
    ("source", "days_before", "batches", "late"),
    [
        ("arxiv", 0, (make_batch(),), False),
        ("arxiv", 1, (make_batch(),), True),
        ("arxiv", 1, (make_batch(), make_batch("cs.LG", day=THURSDAY)), False),
        # What is picked after the edition of a day that fills while it lasts is in the next one, and not late.
        ("hf", 1, (FILLING,), False),
        # Nobody waits for a blog.
        ("blog", 1, (make_batch(),), False),
        ("arxiv", 1, (), False),
    ],
)
def test_late_is_what_is_of_a_day_before_those_that_the_edition_waited_for(
    source: str, days_before: int, batches: tuple[Batch, ...], *, late: bool
) -> None:
    event = make_item(source=source, day=FRIDAY - timedelta(days=days_before)).event

    assert is_late(event, find_first_days(batches)) is late
