"""``digest capacity`` says what a day takes and which limit comes first."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config

pytestmark = pytest.mark.usefixtures("no_retries")

MORNING = datetime.combine(date(2026, 5, 6), time(7, 31), ZoneInfo("Europe/Berlin"))
RATES = '\n[delivery]\nrate = "1/minute"\n'


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher) -> Workspace:
    publisher.day = date(2026, 5, 6)
    workspace = Workspace(tmp_path)
    config = make_config(publisher.url)
    workspace.write(config)
    workspace.run("run", now=MORNING)
    workspace.write(config + RATES)  # not before, or the run would wait a minute
    return workspace


def test_a_day_is_shown_with_the_limit_that_comes_first(workspace: Workspace) -> None:
    shown = workspace.run("capacity").output

    assert "A day with 1 subscriber (average of the last 1 day)" in shown
    assert "1 digest, " in shown
    assert "delivery at the configured rates: " in shown
    assert "rate of all messages" in shown
    assert "disk" in shown


def test_more_subscribers_are_estimated(workspace: Workspace) -> None:
    now = workspace.run("capacity", "--json").json
    later = workspace.run("capacity", "--subscribers", "10000", "--json").json

    assert (now["subscribers"], later["subscribers"], later["measured_subscribers"]) == (1, 10_000, 1)
    assert later["editions"] == 10_000 * now["editions"]
    assert later["papers"] == now["papers"] > 0
    assert later["configured_minutes"] == pytest.approx(10_000 * now["configured_minutes"])
    assert [limit["subscribers"] for limit in later["limits"]] == [
        pytest.approx(limit["subscribers"], abs=1, rel=1e-4) for limit in now["limits"]
    ]
    assert later["first_limit"] == "rate of all messages"
    assert (
        "exceeded from about 1,400 subscribers" in workspace.run("capacity", "--subscribers", "10000").output
    )


def test_without_subscribers_there_is_nothing_to_estimate_from(tmp_path: Path, publisher: Publisher) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url))

    assert "nobody gets a digest yet" in workspace.run("capacity", "--subscribers", "9", status=2).errors
    assert workspace.run("capacity", "--json").json["first_limit"] is None
