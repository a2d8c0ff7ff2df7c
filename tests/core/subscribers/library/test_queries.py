"""Queries for papers of a library are made without the parser, and are what the parser would make."""

from __future__ import annotations

import pytest

from digest.core.language.parser import parse
from digest.core.language.query import compile_query
from digest.core.subscribers.library.queries import (
    build_library_query,
    make_library_query,
    read_library_key,
)
from digest.model import PaperKey

KEYS = (
    "arxiv:2401.00001",
    "arxiv:math/0501001",
    "doi:10.1016/s0893(05)80-x",
    "doi:10.1000/-x",
    "url:https://example.org/a?b=c(d)",
    "url:https://example.org/a/b",
)


@pytest.mark.parametrize("key", KEYS)
def test_a_query_is_compiled_as_if_it_had_been_parsed(key: str) -> None:
    text = build_library_query(PaperKey(key))
    query = make_library_query(text)
    assert query is not None
    assert compile_query(query) == compile_query(parse(text))
    assert str(query) == text
    assert read_library_key(text) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cites:",
        "cites:arxiv:2401.00001",
        "graph",
        "cites:arxiv:2401.00001 OR (id:arxiv:2401.00002 AND (kind:code OR kind:published OR kind:version))",
        "cites:arxiv:2401.00001 OR (id:arxiv:2401.00001 AND (kind:code OR kind:published))",
        "cites: AND (kind:code OR kind:published OR kind:version))",
    ],
)
def test_another_query_is_none_of_a_library(text: str) -> None:
    assert read_library_key(text) is None
    assert make_library_query(text) is None


@pytest.mark.parametrize("key", ["nothing", "arxiv:", "doi:10.1/中文：x", "arxiv:2401.00001v2"])
def test_a_query_for_what_is_no_paper_is_left_to_the_parser(key: str) -> None:
    assert make_library_query(build_library_query(PaperKey(key))) is None
