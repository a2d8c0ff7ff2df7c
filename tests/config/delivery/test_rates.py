"""What a user can rely on when `[delivery]` is read."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from digest.config import DeliverySettings, read_settings
from digest.core.delivery.throttling.rates import Rate
from digest.errors import ConfigError

REST = """\
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "llm"
to = ["files:mail"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["KV cache"]

[delivery]
"""


def read(folder: Path, text: str) -> DeliverySettings:
    path = folder / "digest.toml"
    path.write_text(REST + text, encoding="utf-8")
    return read_settings(path, {}).delivery


def test_without_a_word_nothing_is_slowed_and_a_run_is_held_when_it_bounces_or_is_unusual(
    tmp_path: Path,
) -> None:
    read_in = read(tmp_path, "")

    assert read_in == DeliverySettings()
    assert (read_in.rate, read_in.rates, read_in.domains, read_in.spread) == (None, {}, {}, timedelta(0))
    assert (read_in.keep_trying, read_in.most_bounces, read_in.unusual) == (timedelta(days=2), 0.05, 2.0)


def test_rates_and_durations_are_read_as_people_write_them(tmp_path: Path) -> None:
    read_in = read(
        tmp_path,
        """
rate = "100/second"
rates = { smtp = "20 / minutes", files = "1000/hour" }
domains = { "Gmail.com" = "5000/day", "*" = "2/second" }
spread = "30 minutes"
keep_trying = "1 Day"
most_bounces = 0
unusual = 3.5
""",
    )

    assert read_in.rate == Rate(100, timedelta(seconds=1))
    assert read_in.rates == {"smtp": Rate(20, timedelta(minutes=1)), "files": Rate(1000, timedelta(hours=1))}
    assert read_in.domains == {"gmail.com": Rate(5000, timedelta(days=1)), "*": Rate(2, timedelta(seconds=1))}
    assert (read_in.spread, read_in.keep_trying) == (timedelta(minutes=30), timedelta(days=1))
    assert (read_in.most_bounces, read_in.unusual) == (0, 3.5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('rate = "100/sec"', "13:8: delivery.rate: '100/sec' is not a rate; write \"100/second\""),
        ('rate = "0/day"', "13:8: delivery.rate: '0/day' is not a rate"),
        ('rates = { fax = "1/second" }', "13:17: delivery.rates.fax: there is no channel 'fax'; there are: files, maildir"),
        ("rates = { smtp = 3 }", "13:18: delivery.rates.smtp: write a string in quotes"),
        ('domains = { "a b.org" = "1/day" }', "delivery.domains.a b.org: 'a b.org' is not a domain; write \"gmail.com\""),
        ('spread = "30"', "13:10: delivery.spread: '30' is not a duration; write \"30 minutes\""),
        ('spread = "31 days"', "13:10: delivery.spread: '31 days' is not a duration"),
        ('keep_trying = "5 minutes"', "13:15: delivery.keep_trying: '5 minutes' is too short"),
        ("most_bounces = 5", "13:16: delivery.most_bounces: it must be at most 1"),
        ("unusual = inf", "13:11: delivery.unusual: write a finite number"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_told_with_what_would_be_right(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text + "\n")

    [line] = str(caught.value).splitlines()
    assert told in line
