"""Records of arXiv's metadata snapshot, read as arXiv's other records are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from random import Random
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.fetching.formats.strict_xml import read_entries
from digest.core.papers.links import add_paper_links
from digest.model import Author, Paper, PaperSelection
from digest.sources.arxiv.metadata import MetadataRecord, make_record_reader
from digest.sources.arxiv.records import FORM, read_paper
from tests.generators.metadata_snapshot import BROKEN_LINES, make_record, make_records
from tests.generators.mutated_answers import list_texts, mutate_json

ALL = PaperSelection()


def read(record: Mapping[str, Any], selection: PaperSelection = ALL) -> MetadataRecord | str | None:
    return make_record_reader(selection)(json.dumps(record).encode())


def read_whole(record: Mapping[str, Any]) -> MetadataRecord:
    result = read(record)
    assert isinstance(result, MetadataRecord), result
    return result


def make_xml(record: Mapping[str, Any]) -> bytes:
    """The same record as arXiv's OAI-PMH server sends it, in the format arXivRaw."""
    fields = (
        "id",
        "submitter",
        "title",
        "authors",
        "categories",
        "comments",
        "doi",
        "journal-ref",
        "license",
        "abstract",
    )
    texts = "".join(f"<{name}>{escape(record[name])}</{name}>" for name in fields if record[name])
    versions = "".join(
        f'<version version="{version["version"]}"><date>{version["created"]}</date><size>9kb</size></version>'
        for version in record["versions"]
    )
    return f"""<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>
    <header><identifier>oai:arXiv.org:{record["id"]}</identifier><datestamp>{record["update_date"]}</datestamp></header>
    <metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">{versions}{texts}</arXivRaw></metadata>
    </record></ListRecords></OAI-PMH>""".encode()


def test_a_record_is_read_with_all_that_it_has() -> None:
    record = make_record(
        "0704.0001",
        title="Calculation of prompt diphoton production cross sections at Tevatron and LHC energies, a title of two lines",
        abstract="A fully differential calculation. Code is at https://github.com/cms/diphoton and more follows here.",
        authors=["C. Balázs", "E. L. Berger", "P. M. Nadolsky", "C.-P. Yuan"],
        categories=["hep-ph", "math.MP", "68T50"],
        versions=2,
        submitted=date(2007, 4, 2),
        comments="37 pages,\n 15 figures",
        journal_ref="Phys.Rev.D76:013009,2007",
        doi="10.1103/PhysRevD.76.013009",
    )
    assert "\\'a" in record["authors"]
    assert "\n" in record["title"]

    paper, first_day, last_day = read_whole(record)

    assert (paper.key, paper.version, paper.version_told) == ("arxiv:0704.0001", 2, True)
    assert paper.title.endswith("energies, a title of two lines")
    assert paper.abstract.startswith("A fully differential calculation. Code is at https")
    assert [author.name for author in paper.authors] == [
        "C. Balázs",
        "E. L. Berger",
        "P. M. Nadolsky",
        "C.-P. Yuan",
    ]
    assert paper.categories == ("hep-ph", "math.MP")
    assert (paper.comment, paper.journal_ref) == ("37 pages, 15 figures", "Phys.Rev.D76:013009,2007")
    assert paper.doi == "10.1103/physrevd.76.013009"
    assert paper.license_url == "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"
    assert paper.code_urls == ("https://github.com/cms/diphoton",)
    assert (paper.url, paper.pdf_url) == (
        "https://arxiv.org/abs/0704.0001",
        "https://arxiv.org/pdf/0704.0001",
    )
    assert (first_day, last_day) == (date(2007, 4, 2), date(2007, 5, 3))


@given(st.integers(0, 10_000))
def test_a_paper_is_the_same_one_that_a_harvest_brings(seed: int) -> None:
    for record in make_records(Random(seed), 5):
        _, (entry,) = read_entries(make_xml(record), FORM, subject="it")
        harvested = read_paper(entry)

        assert isinstance(harvested, Paper)
        assert read_whole(record).paper == add_paper_links(harvested)


def test_a_withdrawn_paper_is_marked() -> None:
    record = make_record(
        "2401.00001", title="A claim", comments="This paper has been withdrawn by the authors"
    )

    assert read_whole(record).paper.withdrawn


def test_ids_of_before_2007_are_read() -> None:
    assert read_whole(make_record("math.GT/0309136", title="Knots")).paper.key == "arxiv:math/0309136"


def test_authors_are_taken_as_arxiv_split_them_where_there_is_no_line_of_them() -> None:
    parsed = [
        ["LHCb collaboration", "", ""],
        [":", "", ""],
        ["Erdős", "Paul", "Jr."],
        ["Wang", "Wei", "", "ETH Zürich", ""],
    ]
    record = make_record("2401.00001", title="Names") | {"authors": None, "authors_parsed": parsed}

    assert read_whole(record).paper.authors == (
        Author("LHCb collaboration"),
        Author("Paul Erdős Jr."),
        Author("Wei Wang", ("ETH Zürich",)),
    )


def test_what_a_record_lacks_is_empty() -> None:
    paper, first_day, last_day = read_whole({"id": "2401.00001", "title": "Alone"})

    assert (paper.version, paper.authors, paper.categories, paper.abstract) == (0, (), (), "")
    assert first_day is last_day is None


def test_versions_may_be_names_alone() -> None:
    assert (
        read_whole(make_record("2401.00001", title="A") | {"versions": ["v1", "v2", "v3"]}).paper.version == 3
    )


@pytest.mark.parametrize("line", BROKEN_LINES)
def test_a_broken_record_is_described(line: str) -> None:
    result = make_record_reader(ALL)(line.encode())

    assert isinstance(result, str)
    assert result


def test_lines_of_any_bytes_are_described() -> None:
    read_line = make_record_reader(ALL)

    assert isinstance(read_line(b"\xff\xfe\x00"), str)
    assert isinstance(read_line(b"[" * 100_000), str)
    assert isinstance(read_line(b'{"id": ' + b"9" * 10_000 + b"}"), str)


@pytest.mark.parametrize(
    ("selected", "categories", "is_read"),
    [
        (("cs.LG",), ("cs.LG", "stat.ML"), True),
        (("cs.LG",), ("stat.ML", "cs.LG"), True),
        (("cs.LG",), ("stat.ML",), False),
        (("cs",), ("math.PR", "cs.DC"), True),
        (("cs.IT",), ("math.IT",), True),
        (("cs.LG", "hep-th"), ("hep-th",), True),
    ],
)
def test_papers_of_the_selected_categories_are_read(
    selected: tuple[str, ...], categories: tuple[str, ...], *, is_read: bool
) -> None:
    result = read(
        make_record("2401.00001", title="A", categories=categories), PaperSelection(categories=selected)
    )

    assert (result is not None) is is_read


def test_papers_are_selected_by_the_day_of_their_first_version() -> None:
    selection = PaperSelection(since=date(2020, 1, 1))
    old = make_record("1912.00001", title="Old, with a new version", versions=3, submitted=date(2019, 12, 31))
    new = make_record("2001.00001", title="New", submitted=date(2020, 1, 1))

    assert read(old, selection) is None
    assert isinstance(read(new, selection), MetadataRecord)
    assert isinstance(read({"id": "2401.00001", "title": "Of an unknown day"}, selection), MetadataRecord)


@given(st.integers(0, 1_000_000))
def test_a_record_with_anything_odd_in_it_is_read_or_described_and_can_be_stored(seed: int) -> None:
    chance = Random(seed)
    read_line = make_record_reader(
        PaperSelection(since=date(1990, 1, 1), categories=("cs", "math", "hep-th"))
    )
    for _ in range(5):
        line, _ = mutate_json(next(make_records(chance, 1)), chance)

        result = read_line(line)

        for text in list_texts(result.paper) if isinstance(result, MetadataRecord) else ():
            assert text.encode("utf-8").find(b"\0") < 0
