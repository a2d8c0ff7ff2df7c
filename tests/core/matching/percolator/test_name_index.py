from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.percolator.name_index import NameIndex, _make_initial_keys, _make_parsed_keys
from digest.core.names.fitting import NameMatch, match_names
from digest.core.names.parts import parse_name
from tests.simulation.recorded_days import read_papers_of_day

_WORDS = st.sampled_from(
    [
        "Wei",
        "Wang",
        "W.",
        "J.-P.",
        "Jean",
        "Paul",
        "Jean-Paul",
        "García",
        "Márquez",
        "van",
        "der",
        "Berg",
        "Xiaoming",
        "Xiao",
        "Ming",
        "Jr.",
        "III",
        "O'Brien",
        "Schölkopf",
        "Schoelkopf",
        "Åsa",
        "Aasa",
        "王伟",
        "Collaboration",
        "ATLAS",
        "de",
        "la",
        "Smith,",
        "Liu,",
        "S.",
        "M.",
        "Yu",
        "Yu.",
        "JP",
        "Dr.",
    ]
)
NAMES = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)


def index_of(names: list[str]) -> NameIndex:
    index = NameIndex()
    for name in names:
        index.add(name, name)
    return index


@given(st.lists(NAMES, max_size=8), NAMES)
def test_a_printed_name_finds_all_names_that_it_can_fit(wanted: list[str], printed: str) -> None:
    perhaps = set(index_of(wanted).find_candidates(printed))

    assert (
        {name for name in wanted if match_names(name, printed) is not NameMatch.NOT} <= perhaps <= set(wanted)
    )


@given(st.lists(NAMES, max_size=8))
def test_names_that_were_taken_out_are_not_found(names: list[str]) -> None:
    index = index_of(names)
    for name in set(names):
        index.remove(name, name)

    assert not [candidate for name in names for candidate in index.find_candidates(name)]


def test_real_names_find_all_that_they_fit_and_little_else(data: Path) -> None:
    names = sorted({name for paper in read_papers_of_day(data, date(2026, 5, 12)) for name in paper.authors})
    expected, printed = names[::3], names[1::9]
    index = index_of(expected)
    perhaps = {(candidate, name) for name in printed for candidate in index.find_candidates(name)}
    fitting = {
        (text, name) for name in printed for text in expected if match_names(text, name) is not NameMatch.NOT
    }

    assert fitting <= perhaps
    assert len(perhaps) < len(printed)


def test_names_with_an_initial_are_filed_as_if_they_were_read(data: Path) -> None:
    names = {name for paper in read_papers_of_day(data, date(2026, 5, 12)) for name in paper.authors}
    short = {name: keys for name in names if (keys := _make_initial_keys(name))}

    assert short
    for name, keys in short.items():
        assert [list(map(set, name_keys)) for name_keys in keys] == [
            list(map(set, name_keys)) for name_keys in _make_parsed_keys(parse_name(name))
        ]
