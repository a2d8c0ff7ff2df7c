"""What is kept of the recorded OAI-PMH and search answers: counts, ids and hashes, no texts.

``python -m tests.sources.arxiv.golden_records`` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import hashlib
import json
import os
from operator import attrgetter
from pathlib import Path
from typing import Any

from digest.errors import SourceError
from digest.model import Paper
from digest.ports import Page, Request, Response
from digest.sources.arxiv.api import read_api
from digest.sources.arxiv.oai import read_oai

FOLDERS = ("arxiv/oai/", "arxiv/oai_rendered/", "arxiv/api/", "oai_generic/")
GOLDEN = Path(__file__).parents[1] / "data" / "arxiv" / "recorded_records.json"
FIELDS = (
    "title",
    "abstract",
    "authors",
    "categories",
    "version",
    "url",
    "pdf_url",
    "doi",
    "journal_ref",
    "comment",
    "license_url",
    "withdrawn",
)


def load_recorded_answers(data: Path) -> dict[str, dict[str, Any]]:
    """The lines of the manifest about such answers, by file."""
    with (data / "MANIFEST.jsonl").open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return {row["file"]: row for row in rows if row["file"].startswith(FOLDERS)}


def read_recorded(data: Path, row: dict[str, Any], *, announce: bool) -> Page:
    """Read a recorded answer with the status and the section of its day."""
    section = "cs.SY" if "cs_cs_SY" in row["file"] else "math"
    response = Response(
        status=row.get("http", {}).get("status", 200), headers=(), body=(data / row["file"]).read_bytes()
    )
    request = Request(section=section, route="", url="https://arxiv.org/")
    read = read_api if row["file"].startswith("arxiv/api/") else read_oai
    return read(request, response, announce=announce)


def summarize_record_page(data: Path, row: dict[str, Any]) -> dict[str, Any]:
    """Counts, ids, and a hash of each field of all papers; what they announce; or why nothing was read."""
    try:
        page = read_recorded(data, row, announce=False)
    except SourceError as error:
        return {"error": str(error)}
    papers = page.records
    return {
        "papers": len(papers),
        "authors": sum(len(paper.authors) for paper in papers),
        "affiliations": sum(len(author.affiliations) for paper in papers for author in paper.authors),
        "withdrawn": [paper.key for paper in papers if paper.withdrawn],
        "keys": [f"{paper.key}v{paper.version}" for paper in papers],
        "announced": _announced(data, row),
        "next": page.next.url if page.next else "",
        "unread": list(page.unread),
        "hashes": {name: _hash(papers, name) for name in FIELDS},
    }


def _announced(data: Path, row: dict[str, Any]) -> dict[str, list[str]] | str:
    """What the answer announces by day, were there no other route."""
    try:
        page = read_recorded(data, row, announce=True)
    except SourceError as error:
        return str(error)
    fields = {
        str(page.day): [f"{listing.paper.key} {listing.kind}" for listing in page.listings]
        for page in page.announced
    }
    return fields | ({"no announcement": [paper.key for paper in page.records]} if page.records else {})


def _hash(papers: tuple[Paper, ...], name: str) -> str:
    texts = [repr(attrgetter(name)(paper)) for paper in papers]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def main() -> None:
    """Write the golden file."""
    data = Path(os.environ.get("DIGEST_TEST_DATA") or Path(__file__).parents[4] / "shared" / "data")
    golden = {
        file: {"origin": row["origin"], "sha256": row["sha256"]} | summarize_record_page(data, row)
        for file, row in sorted(load_recorded_answers(data).items())
    }
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
