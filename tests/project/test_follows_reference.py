"""What the reference of follows says is so: its tables are tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from digest.config import read_settings
from digest.core.language.parser import parse, parse_with_hints
from digest.core.language.syntax.fields import FIELDS
from digest.core.language.syntax.tokens import MAX_DEPTH, MAX_LENGTH, MAX_NEAR, MAX_TERMS, MAX_WORDS
from digest.core.matching.evaluate import evaluate
from digest.core.papers.document import build_document
from digest.errors import QueryError
from digest.model import Author, EventKind, Paper, PaperKey
from tests.support.cases import for_each_case

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "follows.md"
TEXT = REFERENCE.read_text(encoding="utf-8")
CONFIG = """\
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "a"
feed = true
schedule = "daily 7:00"
timezone = "UTC"
"""


def rows(name: str) -> list[tuple[str, ...]]:
    """The rows of a table in the reference, cells as they stand there."""
    table = re.search(rf"<!-- tested: {name} -->\n((?:\|.*\n)+)", TEXT)
    assert table, f"the reference has no table {name}"
    lines = table[1].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def code(cell: str) -> list[str]:
    return [entry.replace("\\|", "|") for entry in re.findall("`([^`]+)`", cell)]


@pytest.mark.parametrize(("text", "query"), rows("config"))
def test_a_key_of_the_configuration_is_the_query_that_the_reference_says(
    text: str, query: str, tmp_path: Path
) -> None:
    path = tmp_path / "digest.toml"
    path.write_text(f"{CONFIG}{code(text)[0]}\n", encoding="utf-8")
    (follow,) = read_settings(path, {}).digests[0].follows
    assert follow.query == str(parse(code(query)[0]))


@for_each_case(("text", "read"), rows("read"))
def test_a_query_is_read_as_the_reference_says(text: str, read: str) -> None:
    assert [parse_with_hints(query).display_text for query in code(text)] == code(read)


@for_each_case(("text", "finds", "leaves"), rows("finds"))
def test_a_query_finds_what_the_reference_says(text: str, finds: str, leaves: str) -> None:
    (query,) = map(parse, code(text))
    assert code(finds)
    for title in code(finds) + code(leaves):
        about = build_document(Paper(key=PaperKey("url:x"), title=f"On {title}, again", url=""))
        assert bool(evaluate(query, about)) == (title in code(finds)), title


def example(title: str, authors: str, categories: str, more: str) -> tuple[Paper, EventKind, str]:
    """A paper of the reference, what happened to it, and who announced it."""
    matches = dict(re.findall(r"(\w+): ([^;]+)", more))
    known_matches = [re.fullmatch(r"(.+?)(?: \((\w+):(.+)\))?", text) for text in authors.split(", ")]
    affiliations = (matches["affiliation"],) if "affiliation" in matches else ()
    about = Paper(
        key=PaperKey(matches.get("id", "url:https://example.org/x")),
        title=title,
        url="",
        authors=tuple(
            Author(name=match[1], ids=((match[2], match[3]),) if match[2] else (), affiliations=affiliations)
            for match in known_matches
            if match
        ),
        categories=tuple(categories.split(", ")),
        comment=matches.get("comment", ""),
        journal_ref=matches.get("journal", ""),
        doi=matches.get("doi", ""),
        code_urls=(matches["code"],) if "code" in matches else (),
        institutions=(matches["ror"],) if "ror" in matches else (),
        references=(matches["cites"],) if "cites" in matches else (),
    )
    return about, EventKind(matches.get("kind", "new")), matches.get("source", "arxiv")


@for_each_case(("text", "finds"), rows("found"))
def test_a_query_finds_the_example_papers_that_the_reference_says(text: str, finds: str) -> None:
    query = parse(code(text)[0])
    results = []
    for name, *cells in rows("papers"):
        about, kind, source = example(*cells)
        if evaluate(query, build_document(about, kind=kind, source=source)):
            results.append(name)
    assert results == finds.split(", ")


@for_each_case(("there", "here"), rows("habits"))
def test_what_other_search_boxes_write_is_read_so_or_is_an_error(there: str, here: str) -> None:
    ours = {str(parse(query)) for query in code(here)}
    for typed in code(there):
        try:
            assert str(parse(typed)) in ours
        except QueryError:
            continue


@for_each_case(("text", "told"), rows("errors"))
def test_a_mistake_is_told_as_the_reference_says(text: str, told: str) -> None:
    with pytest.raises(QueryError) as error:
        parse(code(text)[0])
    assert error.value.args[0] == told


@for_each_case(("text", "hint"), rows("hints"))
def test_a_hint_is_what_the_reference_says(text: str, hint: str) -> None:
    assert parse_with_hints(code(text)[0]).hints == (hint,)


def test_the_reference_names_every_field_and_limit() -> None:
    fields = set(re.findall(r"`(\w+):", TEXT)) | set(re.findall(r"(\w+):", " ".join(code(TEXT))))
    assert set(FIELDS) <= fields
    limits = TEXT.partition("## Limits")[2]
    for number in (f"{MAX_LENGTH:,}", MAX_TERMS, MAX_DEPTH, MAX_WORDS, MAX_NEAR):
        assert f" {number} " in limits
