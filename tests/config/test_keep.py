"""How long the store keeps what grows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from digest.config.values import read_keep
from digest.errors import ConfigError


def test_it_is_written_in_days_or_years_or_is_for_ever() -> None:
    assert read_keep("400 days") == timedelta(days=400)
    assert read_keep(" 1 Year") == timedelta(days=366)
    assert read_keep("forever") is None


@pytest.mark.parametrize("text", ["99 days", "90 days", "0 days", "101 years", "999999 days"])
def test_what_would_let_a_paper_be_told_twice_or_never_ends_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match='write at least "100 days"'):
        read_keep(text)


@pytest.mark.parametrize("text", ["", "400", "days", "2 weeks", "-1 days", "1.5 years"])
def test_what_is_no_number_of_days_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigError, match='write "400 days"'):
        read_keep(text)
