"""arXiv's metadata snapshot, in the form in which Kaggle has it, of recorded papers or invented ones."""

from __future__ import annotations

import gzip
import io
import json
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from random import Random
from typing import Any

import zstandard

FORMS = ("json", "json.gz", "json.zst")
"""Ends of names: plain, gzip, zstd."""
_TEX_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0302": "^", "\u0308": '"', "\u0303": "~"}
_WORDS = [
    "scalable",
    "serving",
    "of",
    "mixture",
    "experts",
    "under",
    "load",
    "graph",
    "spectral",
    "gap",
    "lattices",
    "sparse",
    "attention",
    "$\\alpha$-stable",
    "H$_2$O",
    "multi-modal",
    "learning",
    'Schr\\"odinger',
    "operators",
    "galaxies",
    "GPUs",
    "estimates",
    "proves",
    "bounds",
    "quantized",
    "cache",
]
_NAMES = (
    "Wei Wang",
    "Ada Lovelace",
    "José Pérez",
    "J. de Vries",
    "K. S. Babu",
    "Yang Liu",
    "Emmy Noether",
    "Björn Öhman",
)
_COMMENTS = (None, "12 pages", "This paper has been withdrawn by the authors", "code: github.com/a/b")
_CATEGORIES = ("cs.LG", "cs.DC", "math.PR", "hep-th", "astro-ph.GA", "stat.ML", "cond-mat.stat-mech")


def make_record(
    number: str,
    *,
    title: str,
    abstract: str = "What it is about.",
    authors: Sequence[str] = ("Ada Lovelace",),
    categories: Sequence[str] = ("cs.LG",),
    versions: int = 1,
    submitted: date = date(2026, 5, 4),
    **fields: Any,
) -> dict[str, Any]:
    """One record; further fields of it by name, with ``_`` for ``-``."""
    days = [submitted + timedelta(days=30 * index) for index in range(versions)]
    return {
        "id": number,
        "submitter": authors[0] if authors else None,
        "authors": textwrap.fill(_join_authors(authors), 76, subsequent_indent="  "),
        "title": textwrap.fill(title, 76, subsequent_indent="  "),
        "comments": None,
        "journal-ref": None,
        "doi": None,
        "report-no": None,
        "categories": " ".join(categories),
        "license": "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
        "abstract": textwrap.fill(abstract, 78, initial_indent="  ") + "\n",
        "versions": [
            {"version": f"v{index}", "created": _format_created(day)}
            for index, day in enumerate(days, start=1)
        ],
        "update_date": f"{days[-1] + timedelta(days=1)}",
        "authors_parsed": [_parse_name(name) for name in authors],
        **{name.replace("_", "-"): value for name, value in fields.items()},
    }


def _join_authors(authors: Sequence[str]) -> str:
    *first, last = map(_write_as_tex, authors) if authors else [""]
    return f"{', '.join(first)} and {last}" if first else last


def _write_as_tex(name: str) -> str:
    """Write accents as TeX, as in the field of authors."""
    decomposed = unicodedata.normalize("NFD", name)
    text = ""
    for character in decomposed:
        text = (
            f"{text[:-1]}\\{_TEX_ACCENTS[character]}{text[-1]}"
            if character in _TEX_ACCENTS
            else text + character
        )
    return unicodedata.normalize("NFC", text)


def _parse_name(name: str) -> list[str]:
    given_name, _, family_name = name.rpartition(" ")
    return [family_name, given_name, ""]


def _format_created(day: date) -> str:
    return format_datetime(datetime(day.year, day.month, day.day, 19, 18, 42, tzinfo=UTC), usegmt=True)


# --- many records ---------------------------------------------------------------------------------


def make_records(chance: Random, count: int) -> Iterator[dict[str, Any]]:
    """Invented records: some with versions, some withdrawn, some with a publication, some twice."""
    earlier: dict[str, Any] = {}
    for index in range(count):
        day = date(2019, 1, 1) + timedelta(days=index % 2000)
        is_old = index % 7 == 0
        record = make_record(
            f"math/{3 + index // 9000 % 4:02}{1 + index // 999 % 9:02}{index % 999 + 1:03}"
            if is_old
            else f"{day:%y%m}.{index % 100_000:05}",
            title=" ".join(chance.choices(_WORDS, k=chance.randint(3, 9))).capitalize(),
            abstract=" ".join(chance.choices(_WORDS, k=chance.randint(20, 160))),
            authors=chance.sample(_NAMES, chance.randint(1, 5)),
            categories=chance.sample(_CATEGORIES, chance.randint(1, 3)),
            versions=chance.choice((1, 1, 1, 2, 5)),
            submitted=day,
            doi=f"10.1000/{index if chance.random() < 0.9 else index // 50}"
            if chance.random() < 0.3
            else None,
            comments=chance.choice(_COMMENTS),
            journal_ref="Phys. Rev. D 76 (2007) 013009" if chance.random() < 0.2 else None,
        )
        yield record
        if earlier and chance.random() < 0.05:
            yield earlier
        if chance.random() < 0.1:
            earlier = record


BROKEN_LINES = (
    "{",
    "[]",
    "null",
    "not JSON",
    '{"id": "2401.00001"}',
    '{"id": 2401, "title": "A number is no id"}',
    '{"title": "Without an id", "versions": []}',
    '{"id": "2401.99999", "title": "Odd versions", "versions": ["first"]}',
    '{"id": "2401.99998", "title": "Odd authors", "authors": "", "authors_parsed": [7]}',
)
"""Lines that cannot be read."""


def make_lines(
    records: Iterable[Mapping[str, Any]], chance: Random, *, broken: float = 0.01
) -> Iterator[str]:
    """The lines of a file; so many of them are broken ones between the records."""
    for record in records:
        yield json.dumps(record, ensure_ascii=chance.random() < 0.9)
        if chance.random() < broken:
            yield chance.choice(BROKEN_LINES)


def write_snapshot(path: Path, lines: Iterable[str]) -> Path:
    """Write lines into a file, compressed as its name says."""
    with ExitStack() as stack:
        file: Any = stack.enter_context(path.open("wb"))
        if path.name.endswith(".gz"):
            file = stack.enter_context(gzip.GzipFile("", "wb", 1, file, mtime=0))
        elif path.name.endswith(".zst"):
            file = stack.enter_context(zstandard.ZstdCompressor(level=1).stream_writer(file, closefd=False))
        for line in lines:
            file.write(f"{line}\n".encode())
    return path


# --- recorded papers ------------------------------------------------------------------------------


def read_corpus(data: Path) -> Iterator[dict[str, Any]]:
    """Records of the recorded papers, the oldest file first."""
    files = sorted((data / "corpus" / "backlog").iterdir()) + sorted((data / "corpus" / "days").iterdir())
    for file in files:
        with file.open("rb") as packed:
            for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8"):
                yield _make_recorded(json.loads(line))


def _make_recorded(paper: Mapping[str, Any]) -> dict[str, Any]:
    submitted = str(paper.get("submitted") or paper["announced"])[:10]
    return make_record(
        paper["id"],
        title=paper["title"],
        abstract=paper["abstract"],
        authors=paper["authors"],
        categories=paper["categories"],
        submitted=date.fromisoformat(submitted),
        comments=paper.get("comments"),
        doi=paper.get("doi"),
    )
