from __future__ import annotations

import pytest

from digest.core.fetching.formats.records import read_each
from digest.errors import SourceError


def test_a_record_that_cannot_be_read_costs_that_record() -> None:
    values, unread = read_each(["1", "x", "3"], int, title="A service")

    assert values == [1, 3]
    assert len(unread) == 1


def test_an_answer_of_which_nothing_can_be_read_has_another_form_and_is_an_error() -> None:
    with pytest.raises(SourceError, match="None of 2 records of A service can be read"):
        read_each(["x", "y"], int, title="A service")
