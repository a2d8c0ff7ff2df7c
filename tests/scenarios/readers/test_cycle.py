"""One whole cycle: configuration, pull, match, compose, deliver, as somebody types it."""

from __future__ import annotations

import email
import email.policy
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import feedparser
import pytest

from digest.demo.publisher import AnnouncedPaper, Publisher, cut_off, replace_body, return_error
from digest.jobs.workers import get_holder
from digest.store.database.engine import open_store
from digest.store.delivery import outbox
from digest.store.workers import workers
from digest.testing.mail_server import MailServer
from tests.simulation.host_turns import log_turns, measure_gaps_between_turns
from tests.support.workspace import Workspace, make_config

BERLIN = ZoneInfo("Europe/Berlin")
SMTP = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
"""


def morning(day: date, clock: str = "07:31") -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), BERLIN)


FRIDAY = date(2026, 5, 8)
WEDNESDAY, THURSDAY, SATURDAY = FRIDAY - timedelta(2), FRIDAY - timedelta(1), FRIDAY + timedelta(1)


pytestmark = pytest.mark.usefixtures("no_retries")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def keys(edition: dict[str, Any]) -> list[str]:
    return [item["paper"]["key"] for item in (*edition["items"], *edition["rest"])]


# --- an ordinary day ------------------------------------------------------------------------------


def test_a_first_run_tells_of_the_last_announcement_day_and_says_why(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY

    ran = workspace.run("run", now=morning(FRIDAY))

    (edition,) = workspace.read_editions()
    assert "arxiv:2605.06472" in keys(edition)
    assert edition["account"]["whole"]
    assert "Next: systems, Mon 11 May 2026, 07:30" in ran.output
    for item in edition["items"]:
        assert item["reasons"]
        assert all(reason["evidence"] for reason in item["reasons"])
    followed = next(item for item in edition["items"] if item["paper"]["key"] == "arxiv:2605.06472")
    assert {"field": "author", "words": ["Fangcheng Fu"]} in [
        entry for reason in followed["reasons"] for entry in reason["evidence"]
    ]


def test_a_second_run_asks_nothing_twice_and_sends_nothing(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))
    request_count, before = len(publisher.requests), workspace.run("editions", "--json").json

    again = workspace.run("run", "--json", now=morning(FRIDAY, "08:00")).json

    assert again["deliveries"] == []
    assert len(publisher.requests) == request_count
    assert workspace.run("editions", "--json").json == before


def test_the_same_feed_again_changes_nothing(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY))
    publisher.stale_days = dict.fromkeys(("cs.DC", "cs.LG", "cs.CL"), THURSDAY)

    pulled = workspace.run("pull", "--json", now=morning(FRIDAY)).json["pulled"]

    assert [(entry["added"], entry["events"], entry["error"]) for entry in pulled] == [(0, 0, "")] * 3
    headers = publisher.requests[-1].headers
    assert "if-none-match" in headers
    assert "papers-digest/" in headers["user-agent"]


def test_each_day_is_told_once_and_its_feeds_hold_the_same(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    for day in (WEDNESDAY, THURSDAY, FRIDAY):
        publisher.day = day
        workspace.run("run", now=morning(day))

    editions = workspace.read_editions()
    fields = Counter(key for edition in editions for key in keys(edition))
    assert len(editions) == 3
    assert set(fields.values()) == {1}
    for form in ("rss", "atom"):
        feed = feedparser.parse(BytesIO(workspace.get_output_path(f"feeds/systems.{form}").read_bytes()))
        links = {entry.link.rpartition("/")[2] for entry in feed.entries if "/abs/" in entry.get("link", "")}
        assert links == {key.removeprefix("arxiv:") for key in fields}
    assert "systems" in workspace.get_output_path("index.html").read_text("utf-8")


def test_one_request_a_section_and_never_two_in_one(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))

    assert [received_request.path for received_request in publisher.requests] == [
        "/rss/cs.DC",
        "/rss/cs.LG",
        "/rss/cs.CL",
    ]


def test_an_exclusion_takes_papers_out_and_the_edition_counts_them(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url).replace("blockchain", "dynamic agent workflows"))
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))

    (edition,) = workspace.read_editions()
    assert edition["excluded"] > 0
    assert "arxiv:2605.06472" not in keys(edition)
    why = workspace.run("why", "systems", "2605.06472", "--json").json
    assert "the exclusion 'dynamic agent workflows' removes it" in why["verdict"]


# --- the mail -------------------------------------------------------------------------------------


def test_the_mail_arrives_at_a_real_server_once(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace.write(
        make_config(publisher.url, to='"me@example.org", "you@example.org"')
        + SMTP.format(port=mail_server.port)
    )
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))
    workspace.run("run", now=morning(FRIDAY, "09:00"))

    assert sorted(mail.recipients for mail in mail_server.received) == [
        ("me@example.org",),
        ("you@example.org",),
    ]
    assert mail_server.connections == 1
    message = email.message_from_bytes(mail_server.received[0].content, policy=email.policy.default)
    assert message["List-Id"] is not None
    assert message.get_content_type() == "multipart/alternative"
    assert len({email.message_from_bytes(mail.content)["Message-ID"] for mail in mail_server.received}) == 2


def test_a_mail_that_is_put_off_comes_later_with_the_same_message_id(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace.write(make_config(publisher.url, to='"me@example.org"') + SMTP.format(port=mail_server.port))
    publisher.day = FRIDAY
    mail_server.replies = ["450 4.2.1 try again"]

    first = workspace.run("run", "--json", now=morning(FRIDAY), status=1).json
    workspace.run("run", now=morning(FRIDAY, "07:33"))

    (mail,) = mail_server.received
    assert email.message_from_bytes(mail.content)["Message-ID"] == first["deliveries"][0]["message_id"]
    (delivery,) = workspace.run("deliveries", "list", "--json").json
    assert (delivery["state"], delivery["attempts"]) == ("sent", 2)


def test_an_address_that_is_refused_is_not_tried_again(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace.write(make_config(publisher.url, to='"gone@example.org"') + SMTP.format(port=mail_server.port))
    publisher.day = FRIDAY
    mail_server.refusals["gone@example.org"] = "550 5.1.1 no such user"

    workspace.run("run", now=morning(FRIDAY), status=1)
    workspace.run("run", now=morning(FRIDAY, "12:00"))

    (delivery,) = workspace.run("deliveries", "list", "--json", "--state", "refused").json
    assert delivery["attempts"] == 1
    assert "no such user" in delivery["answer"]


# --- what goes wrong ------------------------------------------------------------------------------


def test_with_the_server_down_a_run_says_so_and_loses_nothing(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config("http://127.0.0.1:9"))

    ran = workspace.run("run", now=morning(FRIDAY), status=1)

    assert "arXiv cs.DC: failed: it cannot be reached" in ran.output
    assert workspace.read_editions() == []
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY, "08:30"))
    (edition,) = workspace.read_editions()
    assert "arxiv:2605.06472" in keys(edition)


def test_one_section_that_fails_holds_nothing_back_and_the_edition_says_it(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    publisher.faults["cs.CL"] = return_error(503)

    ran = workspace.run("run", now=morning(FRIDAY), status=1)

    assert "arXiv cs.CL: failed: it answered HTTP 503" in ran.output
    (edition,) = workspace.read_editions()
    assert "arxiv:2605.06472" in keys(edition)
    assert not edition["account"]["whole"]
    assert "cs.CL" in " ".join(edition["account"]["lines"])


def test_what_failed_comes_with_the_next_edition_of_the_same_day(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url, schedule="every 1 hours"))
    publisher.day = FRIDAY
    publisher.faults["cs.LG"] = return_error(503)
    workspace.run("run", now=morning(FRIDAY), status=1)
    publisher.faults.clear()

    workspace.run("run", now=morning(FRIDAY, "08:31"))

    first, second = workspace.read_editions()
    assert "arxiv:2605.06472" in keys(second)
    assert not set(keys(first)) & set(keys(second))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (cut_off, "cut off"),
        (
            lambda answer: replace_body(answer.body[: len(answer.body) // 2], "application/rss+xml")(answer),
            "cut off",
        ),
        (replace_body(b"<html><body>Please log in</body></html>"), "web page"),
        (replace_body(b""), "empty"),
    ],
    ids=["connection cut", "feed cut", "a page instead", "nothing"],
)
def test_an_answer_that_is_not_whole_is_refused_whole(
    workspace: Workspace, publisher: Publisher, fault: Any, message: str
) -> None:
    workspace.write(make_config(publisher.url, categories='"cs.LG"'))
    publisher.day = FRIDAY
    publisher.faults["cs.LG"] = fault

    ran = workspace.run("pull", now=morning(FRIDAY), status=1)

    assert message in ran.output
    status = workspace.run("status", "--json", now=morning(FRIDAY)).json
    assert [(batch["state"], batch["received"]) for batch in status["batches"]] == [("waiting", 0)]
    publisher.faults.clear()
    assert workspace.run("pull", "--json", now=morning(FRIDAY)).json["pulled"][0]["received"] > 50


def test_a_category_that_the_server_does_not_know_is_said_with_its_reason(
    workspace: Workspace,
) -> None:
    with Publisher([], day=FRIDAY) as publisher:
        workspace.write(make_config(publisher.url, categories='"cs.LG"'))
        ran = workspace.run("pull", now=morning(FRIDAY), status=1)

    assert "Bad archive 'cs.LG'" in ran.output


def test_a_host_that_asks_for_a_pause_gets_it(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    publisher.faults["cs.DC"] = return_error(429, retry_after="3600")

    ran = workspace.run("run", now=morning(FRIDAY), status=1)
    workspace.run("run", now=morning(FRIDAY, "08:00"), status=1)

    assert [received_request.path for received_request in publisher.requests] == ["/rss/cs.DC"]
    assert "asked for no requests before" in ran.output
    publisher.faults.clear()
    workspace.run("run", now=morning(FRIDAY, "08:35"))
    assert len(workspace.read_editions()) == 1


# --- days without announcements -------------------------------------------------------------------


def test_a_first_edition_on_a_saturday_says_why_it_has_no_papers(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = SATURDAY

    workspace.run("run", now=morning(SATURDAY))

    (edition,) = workspace.read_editions()
    assert keys(edition) == []
    assert "Friday 8 May" in " ".join(edition["account"]["lines"])
    assert not edition["account"]["whole"]


def test_an_empty_weekend_is_not_told_unless_asked_for(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, schedule="daily 07:30"))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))
    publisher.day = SATURDAY
    workspace.run("run", now=morning(SATURDAY))
    assert len(workspace.read_editions()) == 1

    workspace.write(make_config(publisher.url, schedule="daily 07:30", more='when_empty = "tell"'))
    workspace.run("run", now=morning(SATURDAY + timedelta(1)))

    sunday = workspace.read_editions()[-1]
    assert sunday["account"]["summary"] == "no announcement: weekend"


def test_a_day_that_nobody_pulled_has_failed_and_is_told_once_and_the_next_one_cannot_be_checked(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))

    status = workspace.run("status", "--json", now=morning(FRIDAY)).json
    states = {(batch["day"], batch["state"]) for batch in status["batches"]}
    assert states == {("2026-05-06", "complete"), ("2026-05-07", "failed"), ("2026-05-08", "partial")}
    edition = workspace.read_editions()[-1]
    assert any("Thursday 7 May" in line and "not available" in line for line in edition["account"]["lines"])
    assert "Thursday 7 May" in workspace.run("status", now=morning(FRIDAY)).output


# --- waiting --------------------------------------------------------------------------------------


def test_with_latest_an_edition_waits_for_the_feed_and_goes_out_when_it_is_there(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url, more='latest = "10:00"'))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY))
    publisher.stale_days = dict.fromkeys(("cs.DC", "cs.LG", "cs.CL"), THURSDAY)
    publisher.day = FRIDAY

    early = workspace.run("run", now=morning(FRIDAY))
    assert "wait for" in early.output
    assert len(workspace.read_editions()) == 1
    publisher.stale_days.clear()
    workspace.run("run", now=morning(FRIDAY, "08:30"))

    assert "arxiv:2605.06472" in keys(workspace.read_editions()[-1])


def test_when_latest_has_passed_the_edition_goes_out_and_says_what_is_missing(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url, more='latest = "10:00"\nwhen_empty = "tell"'))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY))
    publisher.stale_days = {"cs.LG": THURSDAY}
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))
    assert len(workspace.read_editions()) == 1
    workspace.run("run", now=morning(FRIDAY, "10:00"))

    edition = workspace.read_editions()[-1]
    assert edition["period"] == "2026-05-08T07:30"
    assert "cs.LG" in " ".join(edition["account"]["lines"])


def test_no_wait_sends_what_is_there(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, more='latest = "10:00"'))
    publisher.day = FRIDAY
    publisher.faults["cs.CL"] = return_error(503)

    workspace.run("run", "--no-wait", now=morning(FRIDAY), status=1)

    assert len(workspace.read_editions()) == 1


def test_downtime_gives_one_merged_edition(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    for day in (THURSDAY, FRIDAY):
        publisher.day = day
        workspace.run("pull", now=morning(day))

    workspace.run("run", now=morning(FRIDAY, "09:00"))

    editions = workspace.read_editions()
    assert [edition["period"][:10] for edition in editions] == ["2026-05-06", "2026-05-08"]
    days = {item["event"]["day"] for item in editions[-1]["items"]}
    assert days == {"2026-05-07", "2026-05-08"}


# --- changes of the file --------------------------------------------------------------------------


def test_a_follow_added_later_counts_from_the_last_edition(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    publisher.day = THURSDAY
    workspace.run("pull", now=morning(THURSDAY))
    workspace.run("match", now=morning(THURSDAY))
    publisher.day = FRIDAY

    workspace.write(make_config(publisher.url, more='categories = ["cs.DC"]'))
    workspace.run("run", now=morning(FRIDAY))

    days = {item["event"]["day"] for item in workspace.read_editions()[-1]["items"]}
    assert days == {"2026-05-07", "2026-05-08"}


def test_a_digest_that_leaves_the_file_gets_nothing_and_goes_on_from_its_return(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    publisher.day = THURSDAY
    workspace.write(make_config(publisher.url).replace('"systems"', '"other"'))
    workspace.run("run", now=morning(THURSDAY))
    publisher.day = FRIDAY
    workspace.write(make_config(publisher.url))
    workspace.run("run", now=morning(FRIDAY))

    editions = workspace.read_editions()
    assert [edition["period"][:10] for edition in editions] == ["2026-05-06", "2026-05-08"]
    assert {item["event"]["day"] for item in editions[-1]["items"]} == {"2026-05-08"}


def test_moving_to_another_schedule_loses_and_repeats_nothing(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    workspace.write(make_config(publisher.url, schedule="daily 18:00"))
    for day in (THURSDAY, FRIDAY):
        publisher.day = day
        workspace.run("run", now=morning(day))
        workspace.run("run", now=morning(day, "18:01"))

    editions = workspace.read_editions()
    assert [edition["period"] for edition in editions][1:] == ["2026-05-07T18:00", "2026-05-08T18:00"]
    fields = Counter(key for edition in editions for key in keys(edition))
    assert set(fields.values()) == {1}
    assert "arxiv:2605.06472" in fields


def test_another_edition_is_made_for_who_asks_by_name(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = WEDNESDAY
    workspace.run("run", now=morning(WEDNESDAY))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY, "06:00"))
    assert len(workspace.read_editions()) == 1

    rehearsed = workspace.run("run", "--again", "systems", "--dry-run", now=morning(THURSDAY, "06:05"))
    assert "systems, 2026-05-07T06:05" in rehearsed.output
    assert len(workspace.read_editions()) == 1
    workspace.run("run", "--again", "systems", now=morning(THURSDAY, "06:10"))
    assert [edition["period"] for edition in workspace.read_editions()][1:] == ["2026-05-07T06:10"]

    assert "there is no digest 'other'" in workspace.run("run", "--again", "other", status=2).errors


def test_another_file_does_not_take_over_a_store_by_accident(
    workspace: Workspace, publisher: Publisher, tmp_path: Path
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))
    other = Workspace(tmp_path / "elsewhere")
    other.folder.mkdir()
    other.write(make_config(publisher.url, store=f"sqlite:///{tmp_path}/digest.db", schedule="daily 08:00"))

    ran = other.run("run", now=morning(FRIDAY), status=2)

    assert "--apply" in ran.errors
    other.run("run", "--apply", now=morning(FRIDAY))


def test_simulated_time_does_not_get_into_a_real_store(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    workspace.run("status")

    ran = workspace.run("run", now=datetime(2030, 1, 1, tzinfo=UTC), status=2)

    assert "a separate database for experiments" in ran.errors


def test_minimum_holds_papers_back_for_the_next_edition(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, more="minimum = 30"))
    for day in (WEDNESDAY, THURSDAY):
        publisher.day = day
        workspace.run("run", now=morning(day))
    assert workspace.read_editions() == []
    assert any("the minimum is 30" in entry["skipped"] for entry in workspace.run("editions", "--json").json)
    workspace.write(make_config(publisher.url, more="minimum = 1"))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))

    days = {item["event"]["day"] for item in workspace.read_editions()[-1]["items"]}
    assert days == {"2026-05-06", "2026-05-07", "2026-05-08"}


def test_a_rehearsal_says_what_would_go_out_and_keeps_nothing(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace.write(make_config(publisher.url, to='"me@example.org"') + SMTP.format(port=mail_server.port))
    publisher.day = FRIDAY

    ran = workspace.run("run", "--dry-run", now=morning(FRIDAY))

    assert "me@example.org: would be sent" in ran.output
    assert mail_server.received == []
    assert workspace.run("editions", "--json").json == []
    workspace.run("run", now=morning(FRIDAY))
    assert len(mail_server.received) == 1


def test_a_preview_shows_what_would_go_out_and_after_the_edition_that_nothing_would(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("pull", now=morning(FRIDAY))

    before = workspace.run("preview", "systems", "--json", now=morning(FRIDAY)).json
    workspace.run("run", now=morning(FRIDAY))
    after = workspace.run("preview", "systems", "--format", "text", now=morning(FRIDAY, "08:00"))

    (edition,) = workspace.read_editions()
    assert keys(before) == keys(edition)
    assert "No announcement was due" in after.output


def test_papers_that_came_too_late_are_told_as_late(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY))
    publisher.day = FRIDAY
    publisher.faults = dict.fromkeys(("cs.DC", "cs.LG", "cs.CL"), return_error(503))
    workspace.run("run", "--no-wait", now=morning(FRIDAY), status=1)
    publisher.faults.clear()
    workspace.run("pull", now=morning(FRIDAY, "12:00"))
    publisher.day = FRIDAY + timedelta(days=3)
    workspace.run("run", now=morning(FRIDAY + timedelta(days=3)))

    edition = workspace.read_editions()[-1]
    assert any("announced on Friday 8 May" in line for line in edition["account"]["lines"])
    papers = [*edition["items"], *edition["rest"]]
    assert any(paper["late"] for paper in papers)
    assert all(paper["late"] is (paper["event"]["day"] == FRIDAY.isoformat()) for paper in papers)
    page = workspace.get_output_path(f"editions/systems/{edition['period'].replace(':', '')}.html")
    assert "announced 8 May" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ('categories = ["cs.DC", "cs.XX"]', "categories[1]"),
        ('categories = ["cs.DC"]\nrss = 1', "rss"),
        ('categories = ["cs.DC"]\npace = -1', "pace"),
    ],
)
def test_a_wrong_option_of_a_source_is_named_with_its_line(
    workspace: Workspace, wrong: str, key: str
) -> None:
    text = make_config("http://127.0.0.1:9").replace("pace = 0\n", "")
    workspace.write(text.replace('categories = ["cs.DC", "cs.LG", "cs.CL"]', wrong))
    line = (
        1
        + next(n for n, text in enumerate(text.splitlines()) if text.startswith("categories"))
        + wrong.count("\n")
    )

    ran = workspace.run("check", status=2)

    assert f"digest.toml:{line}:" in ran.errors
    assert f"source[0].{key}" in ran.errors


# --- looking does no harm -------------------------------------------------------------------------


def test_a_source_to_wait_for_that_there_is_not_is_named_with_its_line(
    workspace: Workspace, publisher: Publisher
) -> None:
    workspace.write(make_config(publisher.url, more='wait_for = ["arXiv"]'))

    errors = workspace.run("run", now=morning(FRIDAY), status=2).errors

    assert (
        "digest.toml:28:13: digest[0].wait_for[0]: there is no source 'arXiv'; did you mean `arxiv`?"
        in errors
    )


def test_looking_later_takes_no_day_away(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = THURSDAY
    workspace.run("run", now=morning(THURSDAY))
    workspace.run("status")
    workspace.run("status", now=morning(SATURDAY + timedelta(days=3)))
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))

    assert "arxiv:2605.06472" in keys(workspace.read_editions()[-1])


def test_a_simulated_store_keeps_its_time(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))

    ran = workspace.run("run")

    assert "Next: systems, Mon 11 May 2026" in ran.output
    assert len(workspace.read_editions()) == 1


def test_an_over_full_feed_is_told_and_holds_no_edition_back(workspace: Workspace) -> None:
    papers = [
        AnnouncedPaper(id=f"2605.{n:05}", title=f"Serving {n}", day=FRIDAY, categories=("cs.DC",))
        for n in range(2100)
    ]
    with Publisher(papers, day=THURSDAY) as publisher:
        workspace.write(
            make_config(publisher.url, categories='"cs.DC"', more='latest = "10:00"\ncategories = ["cs.DC"]')
        )
        workspace.run("run", now=morning(THURSDAY))
        publisher.day = FRIDAY
        workspace.run("run", now=morning(FRIDAY))

    edition = workspace.read_editions()[-1]
    assert edition["period"] == "2026-05-08T07:30"
    assert len(edition["items"]) == 25
    assert 400 < len(edition["rest"]) <= 500, "as many as have room in the mail that its files hold"
    assert edition["dropped"] == 2000 - 25 - len(edition["rest"])
    assert not edition["account"]["whole"]


def test_a_minimum_counts_what_fits_and_not_what_is_shown(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, more="minimum = 5").replace("limit = 25", "limit = 3"))
    publisher.day = FRIDAY

    workspace.run("run", now=morning(FRIDAY))

    (edition,) = workspace.read_editions()
    assert len(edition["items"]) == 3


def test_an_output_folder_that_cannot_be_written_is_told(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, to='"maildir:inbox"').replace('"out"', '"out/x"'))
    (workspace.folder / "out").write_text("a file where the folder should be")
    publisher.day = FRIDAY

    ran = workspace.run("run", now=morning(FRIDAY), status=1)

    assert "cannot be written" in ran.output


def test_an_edition_or_digest_that_is_not_there_is_told(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url))
    publisher.day = FRIDAY
    workspace.run("run", now=morning(FRIDAY))

    for what in ("99999999999999999999999", "nope"):
        assert "there is no digest" in workspace.run("editions", what, status=2).errors


def test_requests_at_a_simulated_time_keep_the_pace_by_the_real_one(
    workspace: Workspace, publisher: Publisher
) -> None:
    sections = '"cs.DC", "cs.LG", "cs.CL"'
    workspace.write(make_config(publisher.url, categories=sections).replace("pace = 0", "pace = 0.2"))
    publisher.day = FRIDAY
    log_turns(workspace.folder / "digest.db")

    workspace.run("pull", now=morning(FRIDAY))

    assert len(publisher.requests) == 3
    gaps = measure_gaps_between_turns(workspace.folder / "digest.db")
    assert len(gaps) == 2
    assert min(gaps) >= timedelta(seconds=0.2)


def test_check_keeps_a_pause_that_a_host_asked_for(workspace: Workspace, publisher: Publisher) -> None:
    workspace.write(make_config(publisher.url, categories='"cs.DC"'))
    publisher.day = FRIDAY
    publisher.faults["cs.DC"] = return_error(403)
    workspace.run("pull", now=morning(FRIDAY), status=1)

    ran = workspace.run("check", status=1)

    assert "arXiv cs.DC: failed: it asked for no requests" in ran.output
    assert len(publisher.requests) == 1


@pytest.mark.parametrize(
    "templates",
    [
        # No rss.xml is without that part.
        ("feeds/_paper.html", "mail/edition.md", "web/index.html"),
        pytest.param(("feeds/rss.xml",), marks=pytest.mark.long),
    ],
    ids=["part", "whole"],
)
def test_check_finds_a_broken_template_of_any_kind(
    workspace: Workspace, publisher: Publisher, templates: tuple[str, ...]
) -> None:
    workspace.write(make_config(publisher.url).replace('folder = "out"', 'folder = "out"\ntemplates = "own"'))
    for template in templates:
        own = workspace.folder / "own" / template
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("{{ nope }}")

    output = workspace.run("check", status=1).output

    assert [template for template in templates if f"{template}, line 1" not in output] == []


def test_what_a_killed_process_had_leased_goes_out_with_the_next_run(
    workspace: Workspace, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace.write(make_config(publisher.url, to='"me@example.org"') + SMTP.format(port=mail_server.port))
    publisher.day = FRIDAY
    mail_server.replies = ["451 4.3.0 try again"]
    workspace.run("run", now=morning(FRIDAY), status=1)
    killed = subprocess.Popen([sys.executable, "-c", "pass"])
    killed.wait()
    store = open_store(f"sqlite:///{workspace.folder}/digest.db", morning(FRIDAY))
    with store.begin_write() as tx:
        dead = get_holder().replace(f":{os.getpid()}.", f":{killed.pid}.")
        now = workers.read_database_time(tx)
        workers.save_worker(
            tx,
            workers.Worker(
                token=7, holder=dead, command="run", release="0", started_at=now, heartbeat_at=now
            ),
        )
        deliveries = outbox.claim_deliveries(tx, "smtp", 7, morning(FRIDAY, "07:33"), 10)
    store.close()
    assert len(deliveries) == 1

    workspace.run("run", now=morning(FRIDAY, "07:34"))

    assert len(mail_server.received) == 1
