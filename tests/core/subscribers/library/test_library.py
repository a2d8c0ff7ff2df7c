"""What can be relied on when a library is read. All entries were made up for this."""

from __future__ import annotations

import csv
import io
import json
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.subscribers.library import Library, read_library
from digest.errors import ConfigError
from tests.support.cases import for_each_case


def read(text: str) -> Library:
    return read_library(text.encode())


def keys(library: Library) -> list[str | None]:
    return [entry.key for entry in library.entries]


BIBTEX = r"""
Contact me@example.org if something is wrong.
@comment{jabref-meta: databaseType:bibtex;}
@string{neu = "Advances in {N}eural"}
@preamble{"\newcommand{\x}{y}"}

@article{one,
  title   = {{DeepFast}: a \emph{fast} way to K{\"u}hn's $O(n)$ {GPU} problem},
  author  = {Doe, Jane and M{\"u}ller, J{\"o}rg},
  journal = {arXiv preprint arXiv:2401.00001},
  month   = jan,
  year    = 2024,
}

@InProceedings (two, TITLE = "A second " # "paper", booktitle = neu # { 37}, series = unknownmacro,
  doi = {10.1145/3600006.3613165})
@misc{,title={No key},howpublished={\url{https://example.org/a\_b}}}
@misc{two words, title={A key of two words}, eprint={2402.00002}, archivePrefix={arXiv}}
@book{five, title = {Without an id}, isbn = {978-3-16-148410-0}}
"""


def test_bibtex_is_read_with_all_that_people_write_in_it() -> None:
    library = read(BIBTEX)

    assert library.format_name == "BibTeX"
    assert library.broken == ()
    assert [tuple(entry) for entry in library.entries] == [
        ("one", "DeepFast: a fast way to Kühn's O(n) GPU problem", "arxiv:2401.00001"),
        ("two", "A second paper", "doi:10.1145/3600006.3613165"),
        ("line 17", "No key", "url:https://example.org/a_b"),
        ("two words", "A key of two words", "arxiv:2402.00002"),
        ("five", "Without an id", None),
    ]
    assert [entry.place for entry in library.without_id] == ["five"]


GOOD = "@article{{{0}, title = {{Paper {0}}}, eprint = {{2401.{0:05}}}}}\n"


@for_each_case(
    "broken",
    [
        "@article{bad, title = {Never closed, year = 2020}\n",
        "@article{bad, title = {Never {closed}, year = 2020\n",
        "@article{bad, title = {Missing comma}\n  year = {2020}\n}\n",
        '@article{bad, title = "Never closed, year = 2020}\n',
        "@article{bad, title = {No end}\n\n",
        "@article{bad, title = }\n",
        "@article{bad, = {No name}}\n",
        f"@article{{bad, title = {{{'{' * 200}deep{'}' * 200}}}}}\n",
        "@string{x = {Never closed\n",
        "@article{bad,\n",
    ],
)
def test_a_broken_entry_is_told_and_loses_no_other(broken: str) -> None:
    text = GOOD.format(1) + GOOD.format(2) + broken + GOOD.format(3) + GOOD.format(4)
    library = read(text)

    assert [key for key, _ in library.papers] == [f"arxiv:2401.{number:05}" for number in (1, 2, 3, 4)]
    assert len(library.broken) == 1
    assert "line 3" in library.broken[0] or "line 4" in library.broken[0] or "line 5" in library.broken[0]


@for_each_case(
    "odd",
    [
        "@article{odd, title = {Closed}} year = {2020}}\n",
        "@article{odd title = {No comma after the key}}\n",
        "@article{odd, title = {A comma too many},,}\n",
        "@article{odd, title = {One name twice}, title = {Second}}\n",
        "@article{odd, title = {No string}, month = sept, journal = nosuch # { 3}}\n",
        "@comment{@article{odd, title = {A remark}}}\n",
        "% @article\n",
    ],
)
def test_what_is_odd_and_loses_nothing_is_not_told(odd: str) -> None:
    library = read(GOOD.format(1) + odd + GOOD.format(2))

    assert [key for key, _ in library.papers] == ["arxiv:2401.00001", "arxiv:2401.00002"]
    assert library.broken == ()


def test_what_could_be_read_of_a_broken_entry_is_used() -> None:
    library = read("@article{bad, title = {Missing comma}\n  eprint = {2401.00001}\n}\n")

    assert [tuple(entry) for entry in library.entries] == [("bad", "Missing comma", "arxiv:2401.00001")]
    assert len(library.broken) == 1


RIS = """\
TY  - JOUR
TI  - A fast way
AU  - Doe, Jane
DO  - 10.1002/(SICI)1(1999)50:10<1::AID-X>3.0.CO;2-A
ER  -

TY  - GEN
T1  - A second paper
   with a longer title
UR  - https://arxiv.org/abs/2401.00001
N2  - It extends arXiv:1909.00009.
TY  - BOOK
TI  - The record before has no end
SN  - 978-3-16-148410-0
ER  -
TY - JOUR
TI - One blank only
ZZ - arXiv:2402.00002
"""


def test_ris_is_read_with_records_that_do_not_end() -> None:
    library = read(RIS)

    assert (library.format_name, library.broken) == ("RIS", ())
    assert [tuple(entry) for entry in library.entries] == [
        ("line 1", "A fast way", "doi:10.1002/(sici)1(1999)50:10<1::aid-x>3.0.co;2-a"),
        ("line 7", "A second paper with a longer title", "arxiv:2401.00001"),
        ("line 12", "The record before has no end", None),
        ("line 16", "One blank only", "arxiv:2402.00002"),
    ]


def test_a_tag_that_stands_twice_in_a_ris_record_spoils_no_entry() -> None:
    library = read(
        "TY  - JOUR\nTI  - One\nPB  - A\nPB  - B\nUR  - https://arxiv.org/abs/2401.00001\nER  - \n"
    )

    assert library.broken == ()
    assert [tuple(entry) for entry in library.entries] == [("line 1", "One", "arxiv:2401.00001")]


CSL = [
    {"id": "a", "type": "article-journal", "title": "A <i>fast</i> way", "DOI": "10.1145/3600006.3613165"},
    {"id": "b", "type": "article", "title": "B", "publisher": "arXiv", "number": "arXiv:2401.00001"},
    {"id": 3, "type": "book", "title": "C", "issued": {"date-parts": [[2024]]}, "note": None},
]
ZOTERO = [
    {"key": "AAAA", "version": 1, "data": {"key": "AAAA", "itemType": "preprint", "title": "A", "archiveID": "arXiv:2401.00001", "repository": "arXiv", "creators": []}},
    {"key": "BBBB", "data": {"itemType": "attachment", "title": "PDF", "url": "https://arxiv.org/pdf/2401.00001"}},
    {"key": "CCCC", "data": {"itemType": "journalArticle", "title": "C", "DOI": "10.1145/3600006.3613165", "extra": ""}},
    {"key": "DDDD", "data": {"itemType": "note", "note": "<p>arXiv:1909.00009</p>"}},
]  # fmt: skip


def test_csl_json_is_read() -> None:
    library = read(json.dumps(CSL))

    assert library.format_name == "CSL JSON"
    assert [tuple(entry)[1:] for entry in library.entries] == [
        ("A fast way", "doi:10.1145/3600006.3613165"),
        ("B", "arxiv:2401.00001"),
        ("C", None),
    ]
    assert read(json.dumps({"items": CSL})) == library


def test_what_zotero_answers_is_read_without_attachments_and_notes() -> None:
    library = read(json.dumps(ZOTERO))

    assert library.format_name == "Zotero JSON"
    assert keys(library) == ["arxiv:2401.00001", "doi:10.1145/3600006.3613165"]


def test_items_that_are_none_are_told() -> None:
    library = read(json.dumps([CSL[0], "x", 3, None, {"data": []}, CSL[1]]))

    assert len(library.entries) == 2
    assert library.broken == tuple(f"item {n} is not an item of CSL JSON or Zotero." for n in (2, 3, 4, 5))


ZOTERO_CSV = (
    '"Key","Item Type","Title","DOI","Url","Abstract Note","Extra","Notes"\n'
    '"A","preprint","A, with ""quotes""","","http://arxiv.org/abs/2401.00001","About\narXiv:1909.00009","arXiv:2401.00001 [cs]","' + "n" * 200_000 + '"\n'
    '"B","journalArticle","B","10.1145/3600006.3613165","","","",""\n'
    '"C","book","C","","","","",""\n'
)  # fmt: skip


def test_what_zotero_exports_as_csv_is_read_with_notes_of_any_length() -> None:
    library = read(ZOTERO_CSV)

    assert (library.format_name, library.broken) == ("Zotero CSV", ())
    assert [tuple(entry) for entry in library.entries] == [
        ("row 1", 'A, with "quotes"', "arxiv:2401.00001"),
        ("row 2", "B", "doi:10.1145/3600006.3613165"),
        ("row 3", "C", None),
    ]
    assert csv.field_size_limit() == 131072  # as it was


def test_other_tables_are_read_by_their_heads() -> None:
    library = read("title;year;doi\nA;2024;10.1145/3600006.3613165\nB;2023;\n;;\n")

    assert library.format_name == "CSV"
    assert keys(library) == ["doi:10.1145/3600006.3613165", None]


LIST = """\
# my papers
2401.00001
arXiv:2402.00002v2 [cs.LG]
  https://arxiv.org/abs/2403.00003

10.1145/3600006.3613165  A fast way
https://example.org/paper
2404.00004 - Another way
something else
% the end
"""


def test_a_list_of_ids_is_read_with_titles_and_remarks() -> None:
    library = read(LIST)

    assert library.format_name == "a list of ids"
    assert [tuple(entry) for entry in library.entries] == [
        ("line 2", "", "arxiv:2401.00001"),
        ("line 3", "", "arxiv:2402.00002"),
        ("line 4", "", "arxiv:2403.00003"),
        ("line 6", "A fast way", "doi:10.1145/3600006.3613165"),
        ("line 7", "", "url:https://example.org/paper"),
        ("line 8", "Another way", "arxiv:2404.00004"),
    ]
    assert library.broken == ("line 9: 'something else' is not an id, a DOI or an address.",)


def test_a_paper_that_is_there_twice_is_followed_once_and_told() -> None:
    library = read(
        "@misc{a, title={A}, eprint={2401.00001}}\n@misc{b, title={Another title}, url={https://arxiv.org/abs/2401.00001v2}}\n"
        "@misc{c, title={Same Title}}\n@misc{d, title={{Same} title}}\n"
    )

    assert [entry.place for entry in library.entries] == ["a", "c"]
    assert [(first.place, later.place) for first, later in library.repeated] == [("a", "b"), ("c", "d")]


@for_each_case("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-32"])
@for_each_case("line_end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_do_no_harm(encoding: str, line_end: str) -> None:
    text = "@misc{a,\n title = {Über Größe},\n eprint = {2401.00001}\n}\n".replace("\n", line_end)
    (entry,) = read_library(text.encode(encoding)).entries

    assert tuple(entry) == ("a", "Über Größe", "arxiv:2401.00001")


@for_each_case(
    ("content", "text"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"%PDF-1.7\x00\x01", "it is not a text file"),
        (b"<?xml version='1.0'?><xml><records/></xml>", "it is XML or a web page"),
        (b"Dear all,\nhere are my papers.", "no entry that can be read as a list of ids; line 1"),
        (b"[", "it is not JSON"),
        (b"[" * 100_000, "its brackets are nested too deeply"),
        (b"[]", "no entry that can be read as CSL JSON"),
        (b'{"items": 3}', "not a list of items"),
        (b"@string{a = {b}}", "no entry that can be read as BibTeX"),
        (b"@article{a, title = {", "no entry that can be read as BibTeX"),
        (b"title,doi\n", "no entry that can be read as CSV"),
        (b"2401.00001\n" * 50_001, "more than 50,000 entries"),
    ],
)
def test_what_is_no_library_is_told_so(content: bytes, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        read_library(content)


def test_what_is_too_large_for_a_library_is_told_so() -> None:
    with pytest.raises(ConfigError, match="more than 64 MB"):
        read_library(b" " * (64 * 1024 * 1024 + 1))


# --- hostile files --------------------------------------------------------------------------------


def test_strings_that_are_made_of_each_other_do_not_grow_without_end() -> None:
    lines = ["@string{a0 = {xxxxxxxxxx}}"]
    lines += [f"@string{{a{n} = {' # '.join([f'a{n - 1}'] * 10)}}}" for n in range(1, 30)]
    text = "\n".join(lines) + "\n@misc{a, title = {A}, eprint = {2401.00001}, note = a29}\n"

    assert keys(read(text)) == ["arxiv:2401.00001"]


def test_many_strings_in_many_entries_are_bounded() -> None:
    text = f"@string{{long = {{{'x' * 1000}}}}}\n@misc{{a, eprint={{2401.00001}}, note = {' # '.join(['long'] * 200_000)}}}\n"

    assert keys(read(text)) == ["arxiv:2401.00001"]


@for_each_case(
    "text",
    [
        '@misc{a, title = "' + "{}" * 100_000,
        "@misc{a, title = {" + '"' * 200_000,
        "@misc{a, title = {x}\n" * 10_000,
        "@misc{" * 25_000,
        "@" * 250_000 + "{",
        "@misc{a," + "\n" * 250_000,
        "TY  - " * 25_000,
        "TY  - JOUR\n" * 10_000 + "TI  - x",
        "title,doi\n" + '"' * 250_001,
        "title,url\n" + "a\nb" * 50_000,
        "x" * 500_000,
        '"' * 1_000_000,
        "&" + "amp;" * 250_000,
        "2401.00001" + "\n" * 250_000 + "x",
        "arXiv " * 100_000,
        "@misc{a, title={x}, note={" + "arXiv " * 50_000 + "}}",
        "@misc{a, title={" + "\\emph{" * 25_000 + "}}",
        "@misc{a, title={x}, url={" + "https://" * 25_000 + "}}",
    ],
)
def test_no_file_takes_for_ever(text: str) -> None:
    with suppress(ConfigError):  # the time that a test may take is what is tested
        read(text)


@given(st.text(alphabet='@{}()"=,#\\ \nabAB1-%:;[]<>', max_size=200))
def test_any_text_is_a_library_or_is_told_why_not(text: str) -> None:
    try:
        library = read(text)
    except ConfigError:
        return
    assert library.entries


@given(st.binary(max_size=200))
def test_any_file_is_a_library_or_is_told_why_not(content: bytes) -> None:
    try:
        library = read_library(content)
    except ConfigError:
        return
    assert library.entries


# --- round trips ----------------------------------------------------------------------------------

WORDS = st.text(string.ascii_letters + "äéß", min_size=2, max_size=8)
TITLES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
IDS = st.integers(1, 99999).map(lambda number: f"2401.{number:05}")
PAPERS = st.lists(st.tuples(TITLES, IDS), min_size=1, max_size=6, unique_by=lambda paper: paper[1])


@given(PAPERS)
def test_what_is_written_in_any_form_is_read_again(papers: list[tuple[str, str]]) -> None:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerows([("Title", "Url"), *((title, f"https://arxiv.org/abs/{id_}") for title, id_ in papers)])
    forms = [
        "".join(
            f"@misc{{k{n}, title={{{title}}}, eprint={{{id_}}}}}\n" for n, (title, id_) in enumerate(papers)
        ),
        "".join(
            f'@misc(k{n}, eprint="{id_}", title="{{{title}}}")\n' for n, (title, id_) in enumerate(papers)
        ),
        "".join(
            f"TY  - GEN\nTI  - {title}\nUR  - https://arxiv.org/abs/{id_}\nER  - \n" for title, id_ in papers
        ),
        json.dumps([{"title": title, "URL": f"https://arxiv.org/abs/{id_}"} for title, id_ in papers]),
        table.getvalue(),
        "".join(f"{id_} {title}\n" for title, id_ in papers),
    ]

    for text in forms:
        results = [(entry.title, entry.key) for entry in read(text).entries]
        assert results == [(title, f"arxiv:{id_}") for title, id_ in papers], text
