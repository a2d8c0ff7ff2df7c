"""A paper is filed under keys by which every name that fits one of its authors finds it."""

from __future__ import annotations

from hypothesis import given

from digest.core.matching.name_keys import find_wanted_keys, list_printed_keys
from digest.core.names.fitting import NameMatch, match_names
from tests.core.matching.percolator.test_name_index import NAMES
from tests.support.cases import for_each_case


def is_found(wanted: str, printed: str) -> bool:
    keys, prefixes = find_wanted_keys(wanted)
    filed = list_printed_keys(printed)
    return not keys.isdisjoint(filed) or any(key.startswith(tuple(prefixes)) for key in filed)


@given(NAMES, NAMES)
def test_a_name_finds_all_papers_with_names_that_fit_it(wanted: str, printed: str) -> None:
    if match_names(wanted, printed) is not NameMatch.NOT:
        assert is_found(wanted, printed)


@for_each_case(
    ("wanted", "printed", "found"),
    [
        ("Wei Wang", "Wei Wang", True),
        ("Wei Wang", "Wang Wei", True),
        ("Wei Wang", "W. Wang", True),
        ("W. Wang", "Wei Wang", True),
        ("Wang", "Wei Wang", True),
        ("Wei Wang", "Wang", True),
        ("Wei Wang", "Weiming Wang", False),
        ("Wei Wang", "Wen Wang", False),
        ("Alexandra Smith", "Alexander Smith", True),
        ("ATLAS Collaboration", "ATLAS Collaboration", True),
        ("ATLAS Collaboration", "Ada Atlas", False),
    ],
)
def test_few_other_names_are_found(wanted: str, printed: str, found: bool) -> None:  # noqa: FBT001
    assert is_found(wanted, printed) is found
