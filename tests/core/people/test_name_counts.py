"""How common a name is comes from the recorded papers, and from a store that knows more bearers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.count_names import authors, make_files
from digest.core.names.fitting import make_block_key
from digest.core.people.name_counts import NameCounts, list_family_blocks, load_corpus_counts


def test_common_names_are_known_as_common_whatever_language_they_are_of() -> None:
    counts = load_corpus_counts()
    several = {
        name: counts.count_in_family(make_block_key(name))
        for name in ("Anna Rossi", "Anna Ivanov", "Anna Yamamoto", "Anna King")
    }

    assert all(40 <= number < 70 for number in several.values()), several
    assert counts.count_in_family(make_block_key("Wei Wang")) > 1_000
    assert counts.count_in_family(make_block_key("Hjördis Quvenstad")) == 0


def test_the_larger_number_counts_of_what_the_corpus_and_a_store_know() -> None:
    counts = NameCounts({"rossi": "a2b"}).add_names(["Anna Rossi", "Carla Rossi", "Carla Rossi", "C. Rossi"])
    more = counts.add_names(["Alma Rossi", "Ada Rossi", "Agata Rossi"])

    assert (
        counts.count_in_block("rossi|a"),
        counts.count_in_block("rossi|c"),
        counts.count_in_family("rossi|x"),
    ) == (2, 1, 4)
    assert (more.count_in_block("rossi|a"), more.count_in_family("rossi|")) == (3, 5)
    assert counts.count_in_family("rossi|") == 4


@given(st.lists(st.sampled_from(["Ann Lind", "Åsa Lind", "Bo Lind", "Bo Ek", "B. Ek", "Lind", "王伟"])))
def test_a_family_has_as_many_given_names_as_its_blocks(names: list[str]) -> None:
    counts = NameCounts({}).add_names(names)

    for name in names:
        assert counts.count_in_family(make_block_key(name)) == sum(
            map(counts.count_in_block, list_family_blocks(make_block_key(name)))
        )


@pytest.mark.long
def test_the_tables_that_are_shipped_are_those_counted(data: Path) -> None:
    for file, text in make_files(set(authors(data))).items():
        assert file.read_text("utf-8") == text, file.name
