"""The recorded announcement days, as the publisher announces them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import zstandard

from digest.demo.publisher import AnnouncedPaper, read_papers


def list_announcement_days(data: Path, first: date, last: date) -> list[date]:
    """The days on which something was announced, from the first to the last."""
    days = (date.fromisoformat(file.name.partition(".")[0]) for file in (data / "corpus" / "days").iterdir())
    return sorted(day for day in days if first <= day <= last)


def read_rows_of_day(data: Path, day: date) -> Iterator[dict[str, Any]]:
    """The recorded rows of a day, with all fields."""
    with (data / "corpus" / "days" / f"{day}.jsonl.zst").open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8")
        yield from map(json.loads, lines)


def read_papers_of_day(data: Path, day: date) -> Iterator[AnnouncedPaper]:
    """What was announced on a day, with abstracts."""
    return read_papers(read_rows_of_day(data, day))
