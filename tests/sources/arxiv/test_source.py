"""What can be configured of arXiv, and what it asks for."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from digest.errors import ConfigError
from digest.model import Ask, Scope
from digest.ports import Request
from digest.sources.arxiv import Source
from tests.support.cases import for_each_case

NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)


def ask(section: str, route: str = "rss", day: date | None = None) -> Ask:
    return Ask(source="arxiv", section=section, route=route, day=day)


def test_each_category_is_one_section_and_one_request() -> None:
    source = Source(categories=("cs.LG", "CS.lg", "math.IT", "cs.IT", "cs.*", "cmp-lg"))
    assert source.sections == ("cs.LG", "cs.IT", "cs", "cs.CL")
    assert [source.start(ask(section), "", NOW) for section in source.sections[:1]] == [
        Request(
            section="cs.LG",
            route="rss",
            url="https://rss.arxiv.org/rss/cs.LG",
            accept="application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.8",
            bucket="arxiv.org",
        )
    ]


def test_another_address_is_asked_where_one_is_given() -> None:
    for url in ("http://127.0.0.1:8080/atom", "http://127.0.0.1:8080/atom/"):
        source = Source(categories=("hep-th",), url=url, name="mirror", pace=0)
        assert source.start(ask("hep-th"), "", NOW).url == "http://127.0.0.1:8080/atom/hep-th"
        assert (source.name, source.title, source.pace) == ("mirror", "arXiv", 0)


def test_arxivs_terms_and_days_are_kept_by_default() -> None:
    source = Source(categories=("cs.LG",))
    assert source.pace >= 3
    calendar = source.calendar
    assert (calendar.zone, calendar.weekdays) == ("America/New_York", frozenset({0, 1, 2, 3, 4}))
    assert calendar.opens == timedelta(0)
    assert [way.name for way in source.fetch_routes] == ["rss", "catchup"]


def test_a_day_is_due_when_the_first_route_that_announces_has_it() -> None:
    def opens(*routes: str) -> timedelta:
        return Source(categories=("cs.LG",), routes=routes).calendar.opens

    assert opens("rss", "oai", "catchup") == timedelta(0)
    assert opens("listing", "oai", "rss") == timedelta(hours=-4)
    assert opens("oai") == opens("api") == timedelta(hours=-1, minutes=-30)


def test_all_of_arxivs_hosts_share_one_pace() -> None:
    source = Source(categories=("cs.LG",), routes=("listing", "oai", "rss", "catchup", "api"))
    requests = [
        source.start(ask("cs.LG", way.name, date(2026, 3, 31)), "", NOW) for way in source.fetch_routes
    ]
    assert {request.bucket for request in requests} == {"arxiv.org"}
    assert [request.route for request in requests] == list(source.routes)
    assert [way.name for way in source.fetch_routes if way.scope is Scope.RECORDS] == ["oai", "api"]


@for_each_case(
    ("options", "text"),
    [
        ({"categories": ()}, "needs categories"),
        ({"categories": ("cs.ML",)}, 'did you mean "stat.ML"'),
        ({"categories": ("zzz",)}, "https://arxiv.org/category_taxonomy"),
        ({"categories": ("cs.LG+cs.CL",)}, 'separately: "cs.LG", "cs.CL"'),
        ({"categories": ("cs.LG",), "url": "rss.arxiv.org"}, "not a web address"),
        (
            {"categories": ("cs.LG",), "pages_url": "arxiv.org"},
            "the pages_url 'arxiv.org' is not a web address",
        ),
        ({"categories": ("cs.LG",), "routes": ()}, "routes: rss, listing, catchup, oai, api"),
        ({"categories": ("cs.LG",), "routes": ("rss", "email")}, "there is no route 'email'"),
        ({"categories": ("cs.LG",), "routes": ("rss", "rss")}, "is listed twice"),
        ({"categories": ("cs.LG",), "pace": -1.0}, "pace"),
        ({"categories": ("cs.LG",), "max_bytes": 0}, "max_bytes"),
    ],
)
def test_a_wrong_option_is_told_with_what_would_be_right(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ConfigError) as error:
        Source(**options)
    assert text in str(error.value)
