"""What hosts can rely on, and what readers can where hosts fail: pauses, limits, moves, validators, visits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.fakes.scripted_host import answer_unless_cached, make_entry, make_rss, redirect_to
from tests.simulation.feed_workspace import (
    NOW,
    add_to_now,
    load_pauses,
    load_route_status,
    make_feeds_config,
    pull_feeds,
    start_ticker,
)
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

POST = make_entry("A post", "https://blog.example.org/1", NOW - timedelta(hours=1))
FEED = make_rss(POST)
MORE = make_rss(make_entry("Another post", "https://blog.example.org/2", NOW), POST)
ETAG = {"ETag": '"one"'}
MODIFIED = {"Last-Modified": "Wed, 10 Jun 2026 07:00:00 GMT"}


@pytest.fixture
def host() -> Iterator[ScriptedHost]:
    with ScriptedHost(blog=CannedResponse(FEED)) as host:
        yield host


@pytest.fixture
def other_host() -> Iterator[ScriptedHost]:
    with ScriptedHost() as host:
        yield host


@pytest.fixture
def workspace(tmp_path: Path, host: ScriptedHost) -> Workspace:
    """Somebody who reads one feed."""
    workspace = Workspace(tmp_path)
    workspace.write(make_feeds_config(f"{host.url}/blog"))
    return workspace


# --- asking only for what has changed -------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "sent"), [(ETAG, "if-none-match"), (MODIFIED, "if-modified-since")], ids=["ETag", "date"]
)
def test_who_has_the_answer_already_says_so(
    workspace: Workspace, host: ScriptedHost, fields: dict[str, str], sent: str
) -> None:
    host.answers["/blog"] = answer_unless_cached(FEED, fields)

    assert pull_feeds(workspace)["blog"]["added"] == 1
    again = workspace.run("pull", now=add_to_now(hours=1))

    assert sent not in host.requests[0].headers
    assert host.requests[1].headers[sent] in fields.values()
    assert "blog feed: unchanged since the last request" in again.output


def test_the_same_answer_again_changes_nothing_though_its_host_does_not_say_so(
    workspace: Workspace, host: ScriptedHost
) -> None:
    workspace.run("pull", now=NOW)

    again = workspace.run("pull", now=add_to_now(hours=1))

    assert "blog feed: unchanged since the last request" in again.output
    host.answers["/blog"] = CannedResponse(MORE)
    assert pull_feeds(workspace, add_to_now(hours=2))["blog"]["added"] == 1


def test_what_was_known_of_one_address_is_not_told_to_another(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = answer_unless_cached(FEED, ETAG | MODIFIED)
    host.answers["/new/blog"] = answer_unless_cached(MORE, ETAG | MODIFIED)
    workspace.run("pull", now=NOW)
    workspace.write(make_feeds_config(f"{host.url}/new/blog"))

    blog = pull_feeds(workspace, add_to_now(hours=1))["blog"]

    assert host.requests[1].headers.keys().isdisjoint({"if-none-match", "if-modified-since"})
    assert blog["added"] == 1


def test_an_answer_that_cannot_be_read_leaves_nothing_to_ask_with(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = answer_unless_cached(FEED, ETAG)
    workspace.run("pull", now=NOW)
    host.answers["/blog"] = CannedResponse(b"<html><body>Under construction</body></html>", 200, ETAG)
    assert pull_feeds(workspace, add_to_now(hours=1), status=1)["blog"]["error"]

    host.answers["/blog"] = answer_unless_cached(MORE, ETAG)
    blog = pull_feeds(workspace, add_to_now(hours=2))["blog"]

    assert "if-none-match" not in host.requests[-1].headers
    assert blog["added"] == 1


def test_a_host_that_was_away_is_not_asked_for_everything_again(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = answer_unless_cached(FEED, ETAG)
    workspace.run("pull", now=NOW)
    host.answers["/blog"] = CannedResponse(b"Later.", 503)
    workspace.run("pull", now=add_to_now(hours=1), status=1)

    host.answers["/blog"] = answer_unless_cached(FEED, ETAG)
    again = workspace.run("pull", now=add_to_now(hours=2))

    assert "unchanged since the last request" in again.output
    assert load_route_status(workspace, "blog")["errors"] == 0


# --- addresses that move --------------------------------------------------------------------------


def confirm(workspace: Workspace, hours: tuple[float, ...]) -> None:
    for at in hours:
        workspace.run("pull", now=add_to_now(hours=at))


OVER_TWO_DAYS = (0, 12, 24, 36, 48)


@pytest.fixture
def workspace_with_moving_feed(
    workspace: Workspace, host: ScriptedHost, other_host: ScriptedHost
) -> Workspace:
    """A feed that says that it has moved to another host for good."""
    host.answers["/blog"] = redirect_to(f"{other_host.url}/blog")
    other_host.answers["/blog"] = CannedResponse(FEED)
    return workspace


@pytest.mark.parametrize("status", [301, 308])
def test_a_feed_that_has_moved_is_followed_at_once_and_asked_there_after_two_days(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost, status: int
) -> None:
    host.answers["/blog"] = redirect_to(f"{other_host.url}/blog", status)

    assert pull_feeds(workspace_with_moving_feed)["blog"]["added"] == 1
    confirm(workspace_with_moving_feed, (12, 24, 36, 48, 60, 72, 84))

    assert len(host.requests) == len(OVER_TWO_DAYS)
    assert len(other_host.requests) == 8


@pytest.mark.parametrize(
    "hours",
    [(0, 1, 2, 3, 4, 5, 6), (0, 24, 48, 72)],
    ids=["often within hours", "over days and not often"],
)
def test_who_says_so_for_a_short_time_or_seldom_is_not_believed(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, hours: tuple[float, ...]
) -> None:
    confirm(workspace_with_moving_feed, hours)

    host.answers["/blog"] = CannedResponse(MORE)
    assert pull_feeds(workspace_with_moving_feed, add_to_now(days=9))["blog"]["added"] == 1


@pytest.mark.parametrize("status", [302, 307])
def test_a_passing_redirect_is_followed_and_never_believed(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost, status: int
) -> None:
    host.answers["/blog"] = redirect_to(f"{other_host.url}/blog", status)
    confirm(workspace_with_moving_feed, (*OVER_TWO_DAYS, 60, 72))

    assert len(host.requests) == len(other_host.requests) == 7


def test_another_target_is_counted_anew(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost
) -> None:
    confirm(workspace_with_moving_feed, OVER_TWO_DAYS[:-1])
    host.answers["/blog"] = redirect_to(f"{other_host.url}/elsewhere")
    other_host.answers["/elsewhere"] = CannedResponse(FEED)
    confirm(workspace_with_moving_feed, (48, 60, 72, 84))
    assert len(host.requests) == 8

    confirm(workspace_with_moving_feed, (96, 108))

    assert len(host.requests) == 9
    assert other_host.paths()[-2:] == ["/elsewhere", "/elsewhere"]


def test_an_address_that_moved_twice_is_asked_at_the_last_one(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost
) -> None:
    confirm(workspace_with_moving_feed, OVER_TWO_DAYS)
    other_host.answers["/blog"] = redirect_to(f"{other_host.url}/third")
    other_host.answers["/third"] = CannedResponse(FEED)
    confirm(workspace_with_moving_feed, (60, 72, 84, 96, 108))

    confirm(workspace_with_moving_feed, (120,))

    assert len(host.requests) == len(OVER_TWO_DAYS)
    assert other_host.paths()[-2:] == ["/third", "/third"]


def test_two_addresses_that_name_each_other_in_the_course_of_time_lead_nobody_astray(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost
) -> None:
    confirm(workspace_with_moving_feed, OVER_TWO_DAYS)
    host.answers["/blog"] = CannedResponse(MORE)
    other_host.answers["/blog"] = redirect_to(f"{host.url}/blog")

    confirm(workspace_with_moving_feed, (60, 72, 84, 96, 108, 120, 132))

    assert len(other_host.requests) == len(OVER_TWO_DAYS) + 5
    assert host.paths()[-2:] == ["/blog", "/blog"]


@pytest.mark.parametrize(
    "gone",
    [
        CannedResponse(b"Gone.", 410),
        CannedResponse(b"Not here.", 404),
        CannedResponse(b"Later.", 500),
        CannedResponse(
            b"<html><body>This name is for sale</body></html>", 200, {"Content-Type": "text/html"}
        ),
    ],
    ids=["gone", "not found", "broken", "another page"],
)
def test_an_adopted_address_that_fails_is_given_up_for_the_one_in_the_file(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost, gone: CannedResponse
) -> None:
    confirm(workspace_with_moving_feed, (*OVER_TWO_DAYS, 60))
    assert len(host.requests) == len(OVER_TWO_DAYS)
    other_host.answers["/blog"], host.answers["/blog"] = gone, CannedResponse(MORE)

    assert pull_feeds(workspace_with_moving_feed, add_to_now(hours=72), status=1)["blog"]["error"]

    assert pull_feeds(workspace_with_moving_feed, add_to_now(days=5))["blog"]["added"] == 1
    assert len(host.requests) == len(OVER_TWO_DAYS) + 1


def test_where_nothing_can_be_read_nobody_moves(
    workspace_with_moving_feed: Workspace, host: ScriptedHost, other_host: ScriptedHost
) -> None:
    other_host.answers["/blog"] = CannedResponse(b"<html><body>This name is for sale</body></html>")
    for hours in (*OVER_TWO_DAYS, 60, 72):
        workspace_with_moving_feed.run("pull", now=add_to_now(hours=hours), status=1)

    assert len(host.requests) == 7


# --- gone for good --------------------------------------------------------------------------------


def test_a_feed_that_is_gone_for_good_is_told_and_left_alone_until_a_person_asks(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = CannedResponse(b"No more.", 410)
    ran = workspace.run("pull", now=NOW, status=1)
    assert "blog feed: failed: it is permanently gone (HTTP 410)" in ran.output

    with start_ticker(workspace) as ticker:
        for days in (1, 8, 40, 400):
            assert ticker.tick(add_to_now(days=days)) == []
    assert len(host.requests) == 1
    assert "permanently gone" in workspace.run("status", now=add_to_now(days=400)).output
    assert load_route_status(workspace, "blog")["gone"]

    host.answers["/blog"] = CannedResponse(MORE)
    assert pull_feeds(workspace, add_to_now(days=401))["blog"]["received"] == 2
    assert not load_route_status(workspace, "blog")["gone"]
    with start_ticker(workspace, add_to_now(days=402)) as ticker:
        assert ticker.tick(add_to_now(days=403))


# --- pauses and limits ----------------------------------------------------------------------------


def in_seconds() -> str:
    return "7200"


def as_a_date() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)


@pytest.mark.parametrize("written", [in_seconds, as_a_date])
@pytest.mark.parametrize("status", [429, 503])
def test_a_pause_that_a_host_asks_for_holds_for_all_its_feeds_and_ends(
    workspace: Workspace, host: ScriptedHost, written: object, status: int
) -> None:
    assert callable(written)
    workspace.write(make_feeds_config(f"{host.url}/blog", f"{host.url}/news"))
    host.answers["/blog"] = CannedResponse(b"Not now.", status, {"Retry-After": written()})
    host.answers["/news"] = CannedResponse(FEED)

    ran = workspace.run("pull", now=NOW, status=1)
    workspace.run("pull", now=add_to_now(hours=1.9), status=1)

    assert host.paths() == ["/blog"]
    assert f"HTTP {status}" in ran.output
    assert "news feed: failed: it asked for no requests before 10 Jun" in ran.output
    assert host.name in load_pauses(workspace, add_to_now(hours=1.9))
    assert f"{host.name}: paused until" in workspace.run("status", now=add_to_now(hours=1.9)).output
    host.answers["/blog"] = CannedResponse(FEED)
    assert {entry["error"] for entry in pull_feeds(workspace, add_to_now(hours=2.1)).values()} == {""}
    assert load_pauses(workspace, add_to_now(hours=2.1)) == {}


def test_a_pause_is_never_longer_than_a_day(workspace: Workspace, host: ScriptedHost) -> None:
    host.answers["/blog"] = CannedResponse(b"Next year.", 429, {"Retry-After": "99999999"})
    workspace.run("pull", now=NOW, status=1)

    assert load_pauses(workspace, NOW)[host.name].until == add_to_now(days=1)
    host.answers["/blog"] = CannedResponse(FEED)
    workspace.run("pull", now=add_to_now(hours=23, minutes=59), status=1)
    assert len(host.requests) == 1
    assert pull_feeds(workspace, add_to_now(hours=24, minutes=1))["blog"]["added"] == 1


TROUBLES = {
    "challenge": (CannedResponse(b"Prove it.", 403, {"cf-mitigated": "challenge"}), "admits browsers"),
    "denied": (CannedResponse(b"No.", 403), "it denies access"),
    "login": (CannedResponse(b"Who?", 401), "it requires a login"),
    "quota": (
        CannedResponse(b"Enough.", 429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "18000"}),
        "our quota is used up until",
    ),
    "throttled": (CannedResponse(b"Slower.", 429), "there were too many requests"),
    "busy": (CannedResponse(b"Later.", 503), "it is busy"),
}


@pytest.mark.parametrize("name", TROUBLES)
def test_each_trouble_is_told_in_its_own_words(workspace: Workspace, host: ScriptedHost, name: str) -> None:
    host.answers["/blog"], words = TROUBLES[name]

    ran = workspace.run("pull", now=NOW, status=1)

    assert words in ran.output
    assert not [text for other, (_, text) in TROUBLES.items() if other != name and text in ran.output]
    assert words in workspace.run("status", now=NOW).output


@pytest.mark.parametrize("status", [401, 403])
def test_who_does_not_want_us_is_not_asked_for_hours_even_if_a_person_asks(
    workspace: Workspace, host: ScriptedHost, status: int
) -> None:
    host.answers["/blog"] = CannedResponse(b"No.", status)
    workspace.run("pull", now=NOW, status=1)
    workspace.run("pull", now=add_to_now(hours=5.9), status=1)
    assert len(host.requests) == 1

    workspace.run("pull", now=add_to_now(hours=6.1), status=1)

    assert len(host.requests) == 2


USED_UP = [
    {"RateLimit": '"day";r=0;t=10800'},
    {"RateLimit-Remaining": "0", "RateLimit-Reset": "10800"},
    {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "10800"},
    {"X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Interval": "3h"},
]


@pytest.mark.parametrize("fields", USED_UP, ids=lambda document: next(iter(document)))
def test_who_has_given_the_last_answer_for_now_is_not_asked_until_there_are_more(
    workspace: Workspace, host: ScriptedHost, fields: dict[str, str]
) -> None:
    workspace.write(make_feeds_config(f"{host.url}/blog", f"{host.url}/news"))
    host.answers["/blog"] = CannedResponse(FEED, 200, fields)
    host.answers["/news"] = CannedResponse(FEED)

    results = pull_feeds(workspace, status=1)

    assert (results["blog"]["error"], results["blog"]["added"]) == ("", 1)
    assert "quota is used up" in results["news"]["error"]
    assert host.paths() == ["/blog"]
    assert load_pauses(workspace, NOW)[host.name].until == add_to_now(hours=3)
    host.answers["/blog"] = CannedResponse(MORE)
    assert {entry["error"] for entry in pull_feeds(workspace, add_to_now(hours=3, minutes=1)).values()} == {
        ""
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"RateLimit": '"burst";r=3;t=1', "RateLimit-Policy": '"burst";q=4;w=1'},
        {"X-Rate-Limit-Limit": "4", "X-Rate-Limit-Interval": "1s"},
    ],
    ids=["RateLimit", "X-Rate-Limit"],
)
def test_the_pace_that_a_host_tells_is_kept_from_its_first_answer_on(
    workspace: Workspace, host: ScriptedHost, fields: dict[str, str]
) -> None:
    names = ("blog", "news", "talks")
    workspace.write(make_feeds_config(*(f"{host.url}/{name}" for name in names)))
    host.answers.update({f"/{name}": CannedResponse(FEED, 200, fields) for name in names})

    workspace.run("pull", now=NOW)

    # Counted from where it said so to where the next request comes: never sooner than a quarter of a second.
    assert min(after.at - before.at for before, after in pairwise(host.requests)) >= 0.25


# --- when to come again ---------------------------------------------------------------------------


def between(visits: list[datetime]) -> list[timedelta]:
    return [after - before for before, after in pairwise(visits)]


def test_a_feed_that_fails_is_asked_at_growing_intervals_and_never_given_up(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = CannedResponse(b"Oops.", 500)
    with start_ticker(workspace) as ticker:
        visits = ticker.list_visits(add_to_now(days=120))
        pauses = between(visits)

        assert timedelta(minutes=5) <= pauses[0] <= timedelta(minutes=5.5)
        assert all(second > first for first, second in pairwise(pauses[:9]))
        assert timedelta(days=7) <= pauses[-1] <= timedelta(days=7.7)
        assert 40 < len(visits) < 60
        assert len(host.requests) == len(visits)

        host.answers["/blog"] = CannedResponse(
            make_rss(make_entry("At last", "https://blog.example.org/9", ticker.now))
        )
        (back,) = ticker.tick(ticker.now)
    assert (back.added, back.events) == (1, 1)
    assert load_route_status(workspace, "blog")["errors"] == 0


def weeks_of(workspace: Workspace, weeks: float) -> list[datetime]:
    with start_ticker(workspace) as ticker:
        return ticker.list_visits(add_to_now(weeks=weeks))


def test_a_feed_is_asked_about_four_times_for_each_news(workspace: Workspace, host: ScriptedHost) -> None:
    """A post a day for a week, and then nothing for as long."""

    def post(asked: HostRequest) -> CannedResponse:  # noqa: ARG001 - a script's signature
        days = min((clock[0] - NOW).days, 6)
        return CannedResponse(
            make_rss(
                *(
                    make_entry(f"Day {day}", f"https://blog.example.org/{day}", add_to_now(days=day))
                    for day in range(days + 1)
                )
            )
        )

    clock = [NOW]
    host.answers["/blog"] = post
    with start_ticker(workspace) as ticker:
        busy = ticker.list_visits(add_to_now(weeks=1), lambda now: clock.__setitem__(0, now))
        count = sum(progress.added for progress in ticker.progress)
        calm = ticker.list_visits(add_to_now(weeks=2), lambda now: clock.__setitem__(0, now))

    assert count == 7
    assert 2 * 7 <= len(busy) <= 8 * 7
    assert len(calm) < 3 * 7
    assert max(between(calm)) <= timedelta(hours=26.4)


@pytest.mark.parametrize("validators", [{}, ETAG], ids=["sends it again", "says that nothing changed"])
def test_nobody_asks_again_while_an_answer_is_fresh(
    workspace: Workspace, host: ScriptedHost, validators: dict[str, str]
) -> None:
    host.answers["/blog"] = answer_unless_cached(FEED, validators | {"Cache-Control": "max-age=43200"})

    visits = weeks_of(workspace, 1)

    assert min(between(visits)) >= timedelta(hours=12)
    assert len(visits) >= 7


@pytest.mark.parametrize("validators", [{}, ETAG], ids=["sends it again", "says that nothing changed"])
def test_nobody_asks_again_before_the_feed_says_that_it_is_worth_it(
    workspace: Workspace, host: ScriptedHost, validators: dict[str, str]
) -> None:
    body = make_rss(POST, head="<ttl>600</ttl>")
    host.answers["/blog"] = answer_unless_cached(body, validators)

    visits = weeks_of(workspace, 1)

    assert min(between(visits)) >= timedelta(minutes=600)
    assert len(visits) >= 7


@pytest.mark.parametrize("validators", [{}, ETAG], ids=["sends it again", "says that nothing changed"])
def test_nobody_asks_in_hours_and_on_days_that_a_feed_wants_skipped(
    workspace: Workspace, host: ScriptedHost, validators: dict[str, str]
) -> None:
    hours = "".join(f"<hour>{hour}</hour>" for hour in (0, 1, 2, 3, 4, 5, 20, 21, 22, 23))
    skipped = f"<skipHours>{hours}</skipHours><skipDays><day>Saturday</day><day>Sunday</day></skipDays>"
    body = make_rss(POST, head=skipped)
    host.answers["/blog"] = answer_unless_cached(body, validators)

    visits = weeks_of(workspace, 2)

    assert {visit.hour for visit in visits} <= set(range(6, 20))
    assert {visit.weekday() for visit in visits} <= set(range(5))
    assert len(visits) >= 9


def test_a_feed_that_no_longer_says_when_is_asked_as_often_as_others(
    workspace: Workspace, host: ScriptedHost
) -> None:
    host.answers["/blog"] = CannedResponse(make_rss(POST, head="<ttl>1440</ttl>"))
    with start_ticker(workspace) as ticker:
        ticker.list_visits(add_to_now(days=2))
        host.answers["/blog"] = CannedResponse(MORE)
        begun = ticker.now
        ticker.tick(begun)

        assert ticker.get_wake_time() - begun < timedelta(hours=3)
