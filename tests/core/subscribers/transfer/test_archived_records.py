"""What a reader saved and said, in an archive: it is read as it was written, and what is hostile does no harm."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.transfer.archived_records import (
    MAX_ANSWERS,
    MAX_OPINIONS,
    ArchivedAnswer,
    ArchivedOpinion,
    read_records,
    write_records,
)
from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake
from tests.core.subscribers.transfer.strategies import ANSWERS, make_opinions

OPINION = {"digest": "one", "at": "2026-06-12T05:30:00Z", "opinion": "more", "paper": "arxiv:2401.00001"}
ANSWER = {
    "digest": "one",
    "at": "2026-06-12T05:30:00Z",
    "paper": "arxiv:2401.00001",
    "name": "Ada Lovelace",
    "is_followed_person": False,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*OPINION, *ANSWER, "opinions", "authors", "papers", "position", "version"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


def write_document(**document: Any) -> str:
    return json.dumps({"version": 1} | document)


def find_mistake(text: str) -> ImportMistake:
    with pytest.raises(ImportContentError) as caught:
        read_records([text])
    return caught.value.mistake


@given(st.lists(make_opinions(), max_size=4), st.lists(ANSWERS, max_size=4))
def test_what_is_written_is_read_as_it_was(
    opinions: list[ArchivedOpinion], answers: list[ArchivedAnswer]
) -> None:
    for indent in (None, 1):
        text = write_records(opinions, answers, indent=indent)
        read = read_records([text])
        assert (list(read.opinions), list(read.answers), read.problems) == (opinions, answers, ())
        assert text.isascii(), "browsers must not change what a form contains"


@settings(max_examples=300)
@given(JSON, JSON, JSON)
def test_any_document_is_read_or_refused(opinions: Any, authors: Any, papers: Any) -> None:
    for text in (
        write_document(opinions=opinions, authors=authors, papers=papers),
        write_document(opinions=[opinions], authors=[authors], papers=[{"paper": papers} | OPINION]),
        json.dumps(opinions),
    ):
        try:
            read = read_records([text])
        except ImportContentError:
            continue
        assert read_records([write_records(read.opinions, read.answers)]).all == read.all


def test_archives_of_earlier_versions_are_read() -> None:
    saved = {"digest": "one", "at": OPINION["at"], "paper": {"key": "doi:10.1/x", "title": "A  title"}}
    read = read_records(
        ["", write_document(papers=[saved]), write_document(opinions=[OPINION], authors=[ANSWER])]
    )
    first, second = read.opinions
    assert (first.paper, first.title, first.opinion) == ("doi:10.1/x", "A title", Opinion.SAVED)
    assert (second.title, second.opinion, second.follows) == ("arxiv:2401.00001", Opinion.MORE, ())
    assert [(answer.position, answer.is_person) for answer in read.answers] == [(0, False)]


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "a\u0000b"},
        {"digest": "x" * 1_000},
        {"paper": ""},
        {"paper": "arxiv:\ud800"},
        {"paper": "x" * 100_000},
        {"paper": {"key": "arxiv:2401.00001"}},
        {"at": "yesterday"},
        {"at": "0001-01-01T00:00:00Z"},
        {"at": "2026-06-12T05:30:00"},
        {"at": 10**300},
        {"opinion": "love", "is_followed_person": "yes"},
        {"opinion": None, "name": "Ada\u0000", "is_followed_person": 1},
    ],
    ids=str,
)
def test_an_entry_that_nobody_can_have_exported_is_listed_and_left_out(change: dict[str, Any]) -> None:
    entries = {"opinions": [OPINION | change, OPINION], "authors": [ANSWER | change, ANSWER]}
    read = read_records([write_document(**entries)])
    assert (len(read.opinions), len(read.answers), len(read.problems)) == (1, 1, 2)


def test_more_than_an_account_can_have_and_later_versions_are_refused() -> None:
    many = [OPINION] * (MAX_OPINIONS + 1)
    assert find_mistake(write_document(opinions=many)) is ImportMistake.TOO_MUCH
    assert find_mistake(write_document(authors=[ANSWER] * (MAX_ANSWERS + 1))) is ImportMistake.TOO_MUCH
    with pytest.raises(ImportContentError):
        read_records([write_document(opinions=many[2:]), write_document(papers=many[:2])])
    assert find_mistake(write_document(version=2)) is ImportMistake.NEWER_ARCHIVE
    assert find_mistake(write_document(version="1")) is ImportMistake.NO_ARCHIVE
    assert find_mistake("[]") is ImportMistake.NO_ARCHIVE
    assert find_mistake("[" * 1_000_000) is ImportMistake.UNREADABLE
    assert find_mistake('{"version": ' + "9" * 100_000 + "}") is ImportMistake.UNREADABLE
