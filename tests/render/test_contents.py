from __future__ import annotations

from datetime import timedelta

import pytest

from digest.model import BatchState, EventKind, Part
from digest.render.contents import account_of, counts, heading
from tests.render.samples import FRIDAY, SITE, batch, edition, every_kind, item

THURSDAY = FRIDAY - timedelta(days=1)
HELD = batch("daily", BatchState.PARTIAL, source="hf", received=23, fills=True)


def test_counts_say_how_much_of_each_kind_there_is() -> None:
    assert counts(every_kind()) == "2 new, 1 maybe, 2 picked, 1 new version, 1 publication, 1 with new code"
    assert counts(edition(*(item(n, Part.VERSIONS, kind=EventKind.PUBLISHED) for n in (1, 2)))) == (
        "2 publications"
    )
    assert counts(edition()) == "nothing new"


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        ([EventKind.VERSION], "New versions"),
        ([EventKind.PUBLISHED, EventKind.VERSION], "New versions and publications"),
        ([EventKind.CODE], "New code"),
    ],
)
def test_news_about_papers_are_called_what_is_among_them(kinds: list[EventKind], told: str) -> None:
    assert heading(Part.VERSIONS, [item(1, Part.VERSIONS, kind=kind) for kind in kinds]) == told


def test_picks_have_a_heading_of_their_own() -> None:
    assert heading(Part.PICKED, [item(1, Part.PICKED)]) == "Picked by the community"


def test_a_paper_of_an_earlier_day_came_too_late() -> None:
    settled = account_of(edition(item(1, day=THURSDAY), item(2)), SITE).settled

    assert settled[1:] == (
        "1 paper here was announced before, on Thursday 11 June, and came too late for the edition then.",
    )


def test_a_pick_after_the_edition_of_its_day_is_not_late() -> None:
    pick = item(1, Part.PICKED, source="hf", day=THURSDAY)

    assert len(account_of(edition(pick, batches=(HELD,)), SITE).settled) == 1


def test_a_blog_that_nobody_waits_for_is_never_late() -> None:
    assert len(account_of(edition(item(1, source="blog", day=THURSDAY)), SITE).settled) == 1
