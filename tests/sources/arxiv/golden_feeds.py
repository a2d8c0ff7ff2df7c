"""What is kept of the recorded arXiv feeds: counts, ids and hashes, no texts.

``python -m tests.sources.arxiv.golden_feeds`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from digest.errors import SourceError
from digest.ports import AnnouncedDay, Request, Response
from digest.sources.arxiv.rss import read_rss

FOLDERS = ("rss", "rss_rendered")
GOLDEN = Path(__file__).parents[1] / "data" / "arxiv" / "recorded.json"
FIELDS = ("title", "abstract", "categories", "version", "url", "pdf_url", "doi", "journal_ref", "license_url")


@cache
def load_recorded_feeds(data: Path) -> Mapping[str, dict[str, Any]]:
    """The lines of the manifest about arXiv's feeds, by file."""
    with (data / "MANIFEST.jsonl").open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        expected = tuple(f"arxiv/{folder}/" for folder in FOLDERS)
        return {row["file"]: row for row in rows if row["file"].startswith(expected)}


def read_recorded(data: Path, row: dict[str, Any]) -> AnnouncedDay:
    """Read a recorded feed with the status and the section of its day."""
    section = Path(row["file"]).stem.removesuffix(".atom").split("_")
    name = section[2] if section[0][:2] == "20" else section[0]
    status = 400 if name in {"nosuch", "cs.LG+"} else 200
    request = Request(section=name, route="rss", url="https://rss.arxiv.org/rss/")
    response = Response(status=status, headers=(), body=(data / row["file"]).read_bytes())
    (day,) = read_rss(request, response).announced
    return day


def summarize_day(page: AnnouncedDay) -> dict[str, Any]:
    """Counts, ids, and a hash of each field of all listings."""
    papers = [listing.paper for listing in page.listings]
    hashes = {name: _hash([repr(attrgetter(name)(paper)) for paper in papers]) for name in FIELDS}
    bylines = [repr([(author.name, author.affiliations) for author in paper.authors]) for paper in papers]
    return {
        "day": str(page.day),
        "over_full": page.over_full,
        "kinds": dict(sorted(Counter(listing.kind.value for listing in page.listings).items())),
        "authors": sum(len(paper.authors) for paper in papers),
        "first": papers[0].key if papers else "",
        "last": papers[-1].key if papers else "",
        "hashes": {"keys": _hash([paper.key for paper in papers]), "bylines": _hash(bylines)} | hashes,
    }


def _hash(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def main() -> None:
    """Write the golden file."""
    data = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[4] / "shared" / "data")
    golden = {}
    for file, row in sorted(load_recorded_feeds(data).items()):
        origin = {"origin": row["origin"], "sha256": row["sha256"]}
        try:
            golden[file] = origin | summarize_day(read_recorded(data, row))
        except SourceError as error:
            golden[file] = origin | {"error": str(error)}
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
