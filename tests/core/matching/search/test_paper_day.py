"""The day of a paper is that of its announcement, or what its arXiv ID tells."""

from __future__ import annotations

from datetime import date

from digest.core.matching.search.paper_day import estimate_day
from digest.model import Paper, PaperKey
from tests.support.cases import for_each_case


def paper(key: str, *ids: tuple[str, str]) -> Paper:
    return Paper(key=PaperKey(key), title="It", url="", ids=ids)


@for_each_case(
    ("known", "announced", "day"),
    [
        (paper("arxiv:2606.00001"), date(2026, 6, 12), date(2026, 6, 12)),
        (paper("arxiv:2606.00001"), date(2026, 8, 1), date(2026, 8, 1)),
        (paper("arxiv:2606.00001"), date(2026, 9, 1), date(2026, 6, 1)),
        (paper("arxiv:2606.00001"), None, date(2026, 6, 1)),
        (paper("arxiv:hep-th/9901001"), None, date(1999, 1, 1)),
        (paper("doi:10.1000/one", ("arxiv", "2301.00002")), date(2026, 6, 12), date(2023, 1, 1)),
        (paper("doi:10.1000/one"), date(2026, 6, 12), date(2026, 6, 12)),
        (paper("doi:10.1000/one"), None, None),
        (paper("arxiv:nonsense"), None, None),
    ],
)
def test_the_day_of_a_paper(known: Paper, announced: date | None, day: date | None) -> None:
    assert estimate_day(known, announced) == day
