"""Writes the listings of the demo anew, from the recorded ones: ``python -m tests.tools.demo_listings [DATA]``.

DATA is the folder of recorded listings, by default the one beside the checkout.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from digest.demo.publisher import AnnouncedPaper
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day

FIRST_DAY, LAST_DAY = date(2026, 5, 6), date(2026, 5, 8)
CATEGORIES = ("cs.DC", "cs.LG", "cs.CL")
LICENSES = {
    # Its recorded comment: "Published in Journal of Applied Data Sciences, […]. Open access under CC BY 4.0".
    "2605.04489": "https://creativecommons.org/licenses/by/4.0/",
}
"""Licences that the recordings name, as addresses, by arXiv ID. The recorded days do not have those of other papers."""

_ROOT = Path(__file__).parents[2]


def select_papers(data: Path) -> Iterator[AnnouncedPaper]:
    """Yield every recorded paper of the days in the categories, cross-listed ones too, with abstract."""
    for day in list_announcement_days(data, FIRST_DAY, LAST_DAY):
        for paper in read_papers_of_day(data, day):
            if any(map(paper.is_listed_in, CATEGORIES)):
                yield paper


def make_row(paper: AnnouncedPaper) -> dict[str, Any]:
    """Return the row of a paper: facts, and its abstract only under a licence that allows everybody to pass it on."""
    row = {
        "id": paper.id,
        "title": paper.title,
        "authors": paper.authors,
        "categories": paper.categories,
        "announced": paper.day.isoformat(),
    }
    if license_url := LICENSES.get(paper.id):
        row |= {"license": license_url, "abstract": paper.abstract}
    return row


def main() -> None:
    """Write the listings."""
    data = Path(sys.argv[1]) if sys.argv[1:] else _ROOT.parent / "shared" / "data"
    rows = [json.dumps(make_row(paper), ensure_ascii=False) for paper in select_papers(data)]
    file = _ROOT / "digest" / "demo" / "listings.jsonl"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write(f"{file.relative_to(_ROOT)}: {len(rows)} papers\n")


if __name__ == "__main__":
    main()
