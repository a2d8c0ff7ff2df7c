"""Every recorded OAI-PMH and search answer is read as it was, or refused in words; others read the same in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.text.cleaning import normalize_line
from digest.model import Paper
from tests.sources.arxiv.golden_records import (
    GOLDEN,
    load_recorded_answers,
    read_recorded,
    summarize_record_page,
)
from tests.support.cases import for_each_case

RECORDED: dict[str, dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
RAW = [file for file, golden in RECORDED.items() if "arXivRaw" in file and golden.get("papers")]
FOUND = [file for file, golden in RECORDED.items() if "/api/" in file and golden.get("papers")]
ATOM, OF_ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
RAW_SPACE = "{http://arxiv.org/OAI/arXivRaw/}"


def papers(data: Path, file: str) -> tuple[Paper, ...]:
    return read_recorded(data, load_recorded_answers(data)[file], announce=False).records


@for_each_case("file", RECORDED)
def test_a_recorded_answer_gives_what_it_gave(data: Path, file: str) -> None:
    row = load_recorded_answers(data)[file]
    assert RECORDED[file] == {"origin": row["origin"], "sha256": row["sha256"]} | summarize_record_page(
        data, row
    )


def test_every_recorded_answer_is_in_the_golden_file(data: Path) -> None:
    assert set(load_recorded_answers(data)) == set(RECORDED)


@for_each_case("file", RAW)
def test_a_tree_of_the_same_bytes_has_the_same_records(data: Path, file: str) -> None:
    tree = ET.fromstring((data / file).read_bytes())
    entries = [
        (
            paper.key,
            paper.version,
            paper.title,
            normalize_line(paper.abstract),
            paper.categories,
            paper.license_url,
        )
        for paper in papers(data, file)
    ]
    assert entries == [
        (
            f"arxiv:{_text(raw, 'id')}",
            len(raw.findall(f"{RAW_SPACE}version")),
            _text(raw, "title"),
            _text(raw, "abstract"),
            tuple(_text(raw, "categories").split()),
            _text(raw, "license"),
        )
        for raw in tree.iter(f"{RAW_SPACE}arXivRaw")
    ]


def _text(raw: ET.Element, name: str) -> str:
    return normalize_line(raw.findtext(f"{RAW_SPACE}{name}") or "")


def test_both_formats_of_a_page_tell_the_same_papers(data: Path) -> None:
    raw = papers(data, "arxiv/oai_rendered/ListRecords_arXivRaw_p3.xml")
    parted = papers(data, "arxiv/oai_rendered/ListRecords_arXiv_p3.xml")
    assert [(paper.key, paper.categories, paper.doi, paper.license_url) for paper in raw] == [
        (paper.key, paper.categories, paper.doi, paper.license_url) for paper in parted
    ]
    surnames = [[author.name.split()[-1] for author in paper.authors] for paper in parted]
    assert [[author.name.split()[-1] for author in paper.authors] for paper in raw] == surnames


@for_each_case("file", FOUND)
def test_a_tree_of_the_same_bytes_has_the_same_papers(data: Path, file: str) -> None:
    tree = ET.fromstring((data / file).read_bytes())
    entries = [
        (
            (paper.key.removeprefix("arxiv:"), paper.version),
            *(paper.title, normalize_line(paper.abstract), paper.comment, paper.journal_ref),
            [author.name for author in paper.authors],
            list(paper.categories),
        )
        for paper in papers(data, file)
    ]
    assert entries == [
        (
            parse_arxiv_id(entry.findtext(f"{ATOM}id") or ""),
            *(normalize_line(entry.findtext(f"{ATOM}{name}") or "") for name in ("title", "summary")),
            *(
                normalize_line(entry.findtext(f"{OF_ARXIV}{name}") or "")
                for name in ("comment", "journal_ref")
            ),
            [normalize_line(name.text or "") for name in entry.iterfind(f"{ATOM}author/{ATOM}name")],
            [category.get("term") for category in entry.iterfind(f"{ATOM}category")],
        )
        for entry in tree.iter(f"{ATOM}entry")
    ]
