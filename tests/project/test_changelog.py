"""The version of the package is the newest release in the changelog."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from digest import __version__

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def list_sections() -> list[str]:
    """The headings of the versions, newest first."""
    return re.findall(r"^## (.*)$", CHANGELOG.read_text("utf-8"), re.MULTILINE)


def test_unreleased_changes_come_first() -> None:
    assert list_sections()[0] == "[Unreleased]"


def test_the_newest_release_has_the_version_of_the_package_and_a_date() -> None:
    newest_release = list_sections()[1]

    heading = re.fullmatch(r"\[(?P<version>\d+\.\d+\.\d+)\] - (?P<day>\d{4}-\d{2}-\d{2})", newest_release)

    assert heading, newest_release
    assert heading["version"] == __version__
    assert date.fromisoformat(heading["day"]).isoformat() == heading["day"]


def test_each_version_has_one_section() -> None:
    sections = list_sections()

    assert len(sections) == len(set(sections))
    assert sections.count("[Unreleased]") == 1
