"""What can be relied on of ids of persons and institutions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.identity.person_ids import (
    EXAMPLES,
    SCHEMES,
    parse_person_id,
    parse_person_reference,
    parse_ror_id,
)
from tests.support.cases import for_each_case


@for_each_case(
    ("scheme", "text", "value"),
    [
        ("orcid", "0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("orcid", " 0000000218250097 ", "0000-0002-1825-0097"),
        ("orcid", "https://orcid.org/0000-0002-1694-233x", "0000-0002-1694-233X"),
        ("orcid", "orcid.org/0000-0002-1825-0097/", "0000-0002-1825-0097"),
        ("openalex", "a5023888391", "A5023888391"),
        ("openalex", "https://openalex.org/A5023888391", "A5023888391"),
        ("openalex", "https://openalex.org/authors/a5023888391", "A5023888391"),
        ("openalex", "https://api.openalex.org/people/A5023888391", "A5023888391"),
        ("s2", "1741101", "1741101"),
        ("s2", "https://www.semanticscholar.org/author/J.-Doe/1741101?sort=influence", "1741101"),
        ("s2", "https://api.semanticscholar.org/graph/v1/author/1741101", "1741101"),
        ("dblp", "65/9612", "65/9612"),
        ("dblp", "pid/65/9612-2", "65/9612-2"),
        ("dblp", "https://dblp.org/pid/d/JaneDoe.html", "d/JaneDoe"),
        ("dblp", "https://dblp.uni-trier.de/pid/65/9612.xml", "65/9612"),
        ("arxiv", "warner_s_1", "warner_s_1"),
        ("arxiv", "https://arxiv.org/a/Warner_S_1.atom2", "warner_s_1"),
        ("arxiv", "van-der-berg_j_12", "van-der-berg_j_12"),
        ("hf", "@a-user", "a-user"),
        ("hf", "https://huggingface.co/a-user", "a-user"),
    ],
)
def test_every_form_of_an_id_gives_one_value(scheme: str, text: str, value: str) -> None:
    assert parse_person_id(scheme, text) == value
    assert parse_person_id(scheme, value) == value
    assert parse_person_reference(f"{scheme}:{text}") == (scheme, value)
    if "://" in text:
        assert parse_person_reference(text) == (scheme, value)


@for_each_case(
    ("scheme", "text"),
    [
        ("orcid", "0000-0002-1825-0098"),
        ("orcid", "0000-0002-1825-009"),
        ("orcid", "https://orcid.org/"),
        ("openalex", "W5023888391"),
        ("openalex", "5023888391"),
        ("s2", "J. Doe"),
        ("s2", "https://www.semanticscholar.org/paper/1741101"),
        ("dblp", "9612"),
        ("dblp", "https://dblp.org/rec/conf/x/Doe24"),
        ("arxiv", "2401.00001"),
        ("arxiv", "warner"),
        ("hf", "https://huggingface.co/papers/2401.00001"),
        ("hf", "a user"),
    ],
)
def test_what_is_no_id_is_not_taken_for_one(scheme: str, text: str) -> None:
    assert parse_person_id(scheme, text) is None


@for_each_case(
    "text", ["", "Jane Doe", "0000-0002-1825-0097", "doi:10.1/x", "https://example.org/jane", "::"]
)
def test_an_id_must_say_whose_it_is(text: str) -> None:
    assert parse_person_reference(text) is None


def test_each_scheme_has_an_example_that_is_right() -> None:
    assert all(parse_person_id(scheme, EXAMPLES[scheme]) == EXAMPLES[scheme] for scheme in SCHEMES)


@given(st.integers(0, 9999), st.integers(1, 9))
def test_one_wrong_digit_in_an_orcid_is_noticed(place: int, more: int) -> None:
    right = "0000-0002-1825-0097"
    at = [index for index, sign in enumerate(right) if sign.isdigit()][place % 16]
    wrong = f"{right[:at]}{(int(right[at]) + more) % 10}{right[at + 1 :]}"

    assert parse_person_id("orcid", wrong) is None


@for_each_case("text", ["05a28rw58", "https://ror.org/05a28rw58", "ror.org/05A28RW58/", "ror:05a28rw58"])
def test_every_form_of_a_ror_id_gives_one_value(text: str) -> None:
    assert parse_ror_id(text) == "05a28rw58"


@for_each_case("text", ["", "05a28rw59", "15a28rw58", "05a28rw5", "05i28rw58", "ETH Zurich"])
def test_what_is_no_ror_id_is_not_taken_for_one(text: str) -> None:
    assert parse_ror_id(text) is None


@given(st.text() | st.sampled_from(SCHEMES).flatmap(lambda scheme: st.text().map(lambda t: f"{scheme}:{t}")))
def test_any_text_can_be_asked_about(text: str) -> None:
    if person_reference := parse_person_reference(text):
        assert parse_person_reference(":".join(person_reference)) == person_reference
    if ror := parse_ror_id(text):
        assert parse_ror_id(ror) == ror


@pytest.mark.parametrize(
    ("pattern", "scheme"), [(r"orcid\.org/[\dX-]{19}", "orcid"), (r"ror\.org/\w{9}", "ror")]
)
def test_ids_in_recorded_answers_are_all_right(data: Path, pattern: str, scheme: str) -> None:
    texts = [
        file.read_text("utf-8", "replace")
        for name in ("openalex", "crossref")
        for file in (data / name).rglob("*.json")
    ]
    matches = {entry for text in texts for entry in re.findall(pattern, text)}

    assert len(matches) > 50
    assert [
        entry
        for entry in matches
        if not (parse_ror_id(entry) if scheme == "ror" else parse_person_id(scheme, entry))
    ] == []
