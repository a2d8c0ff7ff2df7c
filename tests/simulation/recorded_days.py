"""The recorded announcement days, as the publisher announces them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import zstandard

from digest.demo.publisher import AnnouncedPaper, read_papers


def list_announcement_days(data: Path, first: date, last: date) -> list[date]:
    """The days on which something was announced, from the first to the last."""
    days = (date.fromisoformat(file.name.partition(".")[0]) for file in (data / "corpus" / "days").iterdir())
    return sorted(day for day in days if first <= day <= last)


def read_papers_of_day(data: Path, day: date) -> Iterator[AnnouncedPaper]:
    """What was announced on a day, with abstracts."""
    with (data / "corpus" / "days" / f"{day}.jsonl.zst").open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8")
        yield from read_papers(map(json.loads, lines))
