"""What is kept of the recorded feeds and lists of others: counts and hashes, no texts.

``python -m tests.sources.golden_wild`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from digest.errors import SourceError
from digest.model import Ask
from digest.ports import Page, Response, Source
from digest.sources import feed, hf_daily

FEEDS = Path(__file__).with_name("data") / "feed" / "recorded.json"
LISTS = Path(__file__).with_name("data") / "hf" / "recorded.json"
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def list_recorded_files(data: Path, folder: str) -> Iterator[str]:
    """The recorded files of a folder, as the manifest has them: ``feeds/wild/reader_full.rss``."""
    with (data / "MANIFEST.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            file = json.loads(line)["file"]
            if file.startswith(folder) and not file.endswith(".csv"):
                yield file


def read_feed(data: Path, file: str) -> Page:
    """Read a recorded feed as if it came from an address of its own."""
    address = f"https://feeds.example.org/{file.removeprefix('feeds/')}"
    return read_page(feed.Source(url=address), (data / file).read_bytes())


def read_list(data: Path, file: str) -> Page:
    """Read a recorded list of the day in its name."""
    return read_page(
        hf_daily.Source(), (data / file).read_bytes(), day=date.fromisoformat(file.split("_")[2])
    )


def read_page(
    source: Source,
    body: bytes,
    *,
    day: date | None = None,
    status: int = 200,
    headers: tuple[tuple[str, str], ...] = (),
) -> Page:
    """What a source reads from an answer."""
    ask = Ask(source=source.name, section=source.sections[0], route=source.fetch_routes[0].name, day=day)
    request = source.start(ask, "", NOW)
    return source.read(request, Response(status=status, headers=headers, body=body))


def summarize_page(page: Page) -> dict[str, Any]:
    """Counts, and a hash of each kind of field of all listings; what is nothing is left out."""
    listings = [listing for day in page.announced for listing in day.listings]
    papers = [listing.paper for listing in listings]
    counts = {
        "days": [str(day.day) for day in page.announced if day.day],
        "listings": len(listings),
        "authors": sum(len(paper.authors) for paper in papers),
        "dated": sum(listing.published_at is not None for listing in listings),
        "signals": sum(signal.value for signal in page.signals),
        "freshness": repr(page.freshness) if page.freshness else "",
        "unread": list(page.unread),
    }
    hashes = {
        "keys": _hash(paper.key for paper in papers),
        "titles": _hash(paper.title for paper in papers),
        "abstracts": _hash(paper.abstract for paper in papers),
        "bylines": _hash(repr(paper.authors) for paper in papers),
        "links": _hash(
            repr((paper.url, paper.pdf_url, paper.code_urls, paper.project_urls)) for paper in papers
        ),
        "rest": _hash(
            repr((paper.categories, paper.version, paper.doi, paper.journal_ref, paper.organizations))
            for paper in papers
        ),
        "dates": _hash(str(listing.published_at) for listing in listings),
    }
    return {name: count for name, count in counts.items() if count} | (hashes if listings else {})


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def main() -> None:
    """Write the golden files."""
    data = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[3] / "shared" / "data")
    for golden, folder, reading in ((FEEDS, "feeds/", read_feed), (LISTS, "hf/", read_list)):
        results: dict[str, Any] = {}
        for file in sorted(list_recorded_files(data, folder)):
            try:
                results[file] = summarize_page(reading(data, file))
            except SourceError as error:
                results[file] = {"error": str(error)}
        lines = (
            f"{json.dumps(file)}: {json.dumps(kept, ensure_ascii=False)}" for file, kept in results.items()
        )
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
