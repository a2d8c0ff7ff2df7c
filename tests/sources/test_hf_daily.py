"""Hugging Face's papers of a day become picks with their votes; a week or a month comes in as few pages as can be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest import plugins
from digest.errors import OptionError, SourceError
from digest.model import Ask, ListingKind, Scope, Signal, Submitter
from digest.ports import Page, Request, Response
from digest.sources.hf_daily import PAGE_SIZE, Source
from tests.sources.golden_wild import LISTS, NOW, list_recorded_files, read_list, summarize_page
from tests.sources.golden_wild import read_page as read_by
from tests.support.cases import for_each_case

FRIDAY = date(2026, 6, 12)
RECORDED: dict[str, dict[str, Any]] = json.loads(LISTS.read_text(encoding="utf-8"))


def row(number: int = 1, day: date = FRIDAY, **paper: Any) -> dict[str, Any]:
    """A row as the API gives it."""
    return {
        "paper": {
            "id": f"2606.{number:05}",
            "authors": [{"name": "Ada Lovelace", "hidden": False}],
            "publishedAt": "2026-05-30T00:00:00.000Z",
            "submittedOnDailyAt": f"{day}T00:00:00.000Z",
            "title": f"Paper {number}",
            "summary": "We do\n  things.",
            "upvotes": 7,
        }
        | paper,
        "publishedAt": "2026-05-29T20:00:00.000Z",
        "numComments": 2,
    }


def read(rows: object, *, day: date = FRIDAY, **fields: Any) -> Page:
    return read_by(Source(), json.dumps(rows).encode(), day=day, **fields)


def start(day: date | None, until: date | None = None, cursor: str = "", **options: Any) -> Request:
    ask = Ask(source="hf_daily", section="daily", route="daily", day=day, until=until)
    return Source(**options).start(ask, cursor, NOW)


def asked(request: Request) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


# --- options --------------------------------------------------------------------------------------


def test_it_needs_no_option() -> None:
    source = plugins.build(plugins.load("sources", "hf_daily"), {})

    assert isinstance(source, Source)
    assert (source.name, source.sections, source.pace) == ("hf_daily", ("daily",), 1.0)
    assert source.calendar.fills
    assert source.calendar.weekdays == frozenset(range(5))
    assert [(way.name, way.scope) for way in source.fetch_routes] == [
        ("daily", Scope.DAY),
        ("votes", Scope.RECORDS),
    ]
    assert source.fetch_routes[0].keeps is None


@for_each_case(
    ("options", "key"),
    [
        ({"url": "huggingface.co"}, "url"),
        ({"pace": -1.0}, "pace"),
        ({"max_bytes": 0}, "max_bytes"),
        ({"token": "x"}, "token"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


# --- rows -----------------------------------------------------------------------------------------


def test_a_row_is_a_pick_with_all_that_is_known_of_it() -> None:
    fields = row(
        4,
        title="On  <b>Things</b>",
        githubRepo="https://github.com/example/things",
        githubStars=12,
        projectPage="https://example.org/things",
        organization={"name": "lab", "fullname": "The Lab"},
        ai_summary="Written by a machine.",
    )
    page = read([fields])

    (day,) = page.announced
    (listing,) = day.listings
    paper = listing.paper
    assert (day.day, day.expected, day.over_full) == (FRIDAY, None, False)
    assert listing.kind is ListingKind.PICKED
    assert (paper.key, paper.version) == ("arxiv:2606.00004", 0)
    assert (paper.title, paper.abstract) == ("On Things", "We do things.")
    assert (paper.url, paper.pdf_url) == (
        "https://arxiv.org/abs/2606.00004",
        "https://arxiv.org/pdf/2606.00004",
    )
    assert paper.code_urls == ("https://github.com/example/things",)
    assert paper.project_urls == ("https://example.org/things",)
    assert paper.organizations == ("The Lab",)
    assert "machine" not in repr(paper)
    assert page.signals == tuple(
        Signal(subject=paper.key, kind=kind, source="hf_daily", day=NOW.date(), value=value)
        for kind, value in (("votes", 7.0), ("comments", 2.0), ("stars", 12.0))
    )
    assert (page.next, page.cursor, page.unread) == (None, "", ())


def test_only_who_was_verified_to_be_an_author_has_an_id() -> None:
    def author(name: str, status: str | None = None, *, hidden: bool = False) -> dict[str, Any]:
        claim = {"user": {"user": name.lower(), "fullname": "Other"}, "status": status} if status else {}
        return {"name": name, "hidden": hidden} | claim

    authors = [
        author("Ada", "claimed_verified"),
        author("Bob", "claimed"),
        author("Cyd", "admin_assigned"),
        author("Dan", "claimed_verified", hidden=True),
        author("Eve"),
        author(""),
    ]
    (day,) = read([row(authors=authors)]).announced

    assert [(author.name, author.ids) for author in day.listings[0].paper.authors] == [
        ("Ada", (("hf", "ada"),)),
        ("Bob", ()),
        ("Cyd", (("hf", "cyd"),)),
        ("Dan", ()),
        ("Eve", ()),
    ]


@for_each_case("address", ["javascript:alert(1)", "github.com/a", "", None, 7])
def test_only_addresses_of_the_web_are_taken(address: object) -> None:
    (day,) = read([row(githubRepo=address, projectPage=address)]).announced
    assert day.listings[0].paper.code_urls == day.listings[0].paper.project_urls == ()


@for_each_case(
    "bad",
    [
        {},
        None,
        "text",
        {"paper": None},
        row(id="nothing of arXiv's"),
        row(title=""),
        row(submittedOnDailyAt="yesterday"),
        row(submittedOnDailyAt="2026-02-30T00:00:00.000Z"),
    ],
)
def test_a_row_that_cannot_be_read_is_said_and_the_others_are_read(bad: object) -> None:
    page = read([row(1), bad, row(2)])

    assert [len(day.listings) for day in page.announced] == [2]
    assert len(page.unread) == 1
    assert "no day, title or arXiv id" in page.unread[0]


def test_a_number_of_thousands_of_digits_costs_that_number() -> None:
    body = json.dumps([row(1), row(2)]).replace('"upvotes": 7', f'"upvotes": {"9" * 5_000}', 1).encode()
    page = read_by(Source(), body, day=FRIDAY)

    assert len(page.announced[0].listings) == 2
    assert [signal.value for signal in page.signals if signal.kind == "votes"] == [7]


def test_a_row_with_a_date_of_another_year_is_of_no_day_that_was_asked_for() -> None:
    page = read([row(1), row(2, day=date(9999, 12, 30)), row(3, day=date(2, 1, 1))])
    assert [(day.day, len(day.listings)) for day in page.announced] == [(FRIDAY, 1)]


def test_a_paper_that_comes_twice_is_one_listing() -> None:
    (day,) = read([row(1), row(2), row(1)]).announced
    assert [listing.paper.title for listing in day.listings] == ["Paper 1", "Paper 2"]


# --- days -----------------------------------------------------------------------------------------


def test_a_day_without_papers_is_told_to_have_none() -> None:
    (day,) = read([]).announced
    assert (day.day, day.listings) == (FRIDAY, ())


def test_what_a_weekend_is_answered_with_is_listed_on_the_day_it_is_of() -> None:
    saturday = FRIDAY + timedelta(days=1)
    page = read([row(1), row(2)], day=saturday)

    assert [(day.day, len(day.listings)) for day in page.announced] == [(FRIDAY, 2), (saturday, 0)]


def test_the_day_is_that_of_utc() -> None:
    (day,) = read([row(submittedOnDailyAt="2026-06-11T23:30:00-02:00")]).announced
    assert day.day == FRIDAY


# --- pages ----------------------------------------------------------------------------------------


def test_one_day_is_asked_for_by_its_date() -> None:
    request = start(FRIDAY)

    assert asked(request) == {"date": "2026-06-12", "p": "0", "limit": "100"}
    assert (request.day, request.section, request.route) == (FRIDAY, "daily", "daily")
    assert request.accept == "application/json"
    assert asked(start(FRIDAY, url="http://127.0.0.1:1/x?key=1"))["key"] == "1"


@for_each_case(
    ("first", "until", "asks"),
    [
        ("2026-06-12", "2026-06-12", ["date=2026-06-12"]),
        ("2026-06-12", "2026-06-15", ["date=2026-06-12", "date=2026-06-15"]),
        ("2026-06-08", "2026-06-14", ["week=2026-W24"]),
        ("2026-06-09", "2026-06-12", ["week=2026-W24"]),
        ("2026-06-08", "2026-06-10", ["date=2026-06-08", "date=2026-06-09", "date=2026-06-10"]),
        ("2026-05-01", "2026-06-30", ["month=2026-05", "month=2026-06"]),
        ("2026-06-29", "2026-07-10", ["week=2026-W27", "week=2026-W28"]),
        ("2024-12-30", "2025-01-03", ["week=2025-W01"]),
        ("2026-06-13", "2026-06-14", ["date=2026-06-13"]),
    ],
)
def test_several_days_are_asked_for_by_weeks_and_months(first: str, until: str, asks: list[str]) -> None:
    request: Request | None = start(date.fromisoformat(first), date.fromisoformat(until))
    results = []
    while request:
        results.append(urlsplit(request.url).query.partition("&")[0])
        request = Source().read(request, Response(status=200, headers=(), body=b"[]")).next
    assert results == asks


class Site:
    """Hugging Face as far as it is asked for lists: rows by day, in pages, the newest day first."""

    def __init__(self, days: Mapping[date, int]) -> None:
        numbers = iter(range(1, 99_999))
        self.rows = {day: [row(next(numbers), day) for _ in range(count)] for day, count in days.items()}
        self.requests: list[Request] = []

    def answer(self, request: Request) -> Response:
        self.requests.append(request)
        query = asked(request)
        formats = {"date": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m"}
        (span,) = formats.keys() & query.keys()
        fit = [day for day in sorted(self.rows, reverse=True) if f"{day:{formats[span]}}" == query[span]]
        rows = [entry for day in fit for entry in self.rows[day]]
        page, limit = int(query["p"]), int(query["limit"])
        body = json.dumps(rows[page * limit : (page + 1) * limit]).encode()
        return Response(status=200, headers=(), body=body)


def follow(site: Site, request: Request | None) -> Iterator[Page]:
    while request:
        page = Source().read(request, site.answer(request))
        yield page
        request = page.next


def listed(pages: Sequence[Page]) -> dict[date, int]:
    results: dict[date, int] = {}
    for page in pages:
        for day in page.announced:
            assert day.day
            results[day.day] = results.get(day.day, 0) + len(day.listings)
    return results


DAYS = st.dictionaries(
    st.dates(date(2026, 5, 1), date(2026, 7, 10)).filter(lambda day: day.weekday() < 5),
    st.integers(1, 130),
    max_size=12,
)


@given(DAYS, st.dates(date(2026, 5, 1), date(2026, 7, 10)), st.integers(0, 40))
def test_every_paper_of_every_day_comes_once_and_quiet_days_are_named(
    days: dict[date, int], first: date, span: int
) -> None:
    until = first + timedelta(days=span)
    site = Site(days)
    pages = list(follow(site, start(first, until)))

    expected_days = [first + timedelta(days=day) for day in range(span + 1)]
    expected = {
        day: days.get(day, 0) for day in expected_days if day.weekday() < 5 or len(expected_days) == 1
    }
    results = listed(pages)
    assert {day: count for day, count in results.items() if count or day.weekday() < 5} == {
        day: count for day, count in expected.items() if count or day.weekday() < 5
    }
    assert len(site.requests) == len({request.url for request in site.requests})


@given(DAYS, st.integers(0, 12))
def test_a_series_that_was_cut_goes_on_where_it_was(days: dict[date, int], pages: int) -> None:
    first, until = date(2026, 5, 1), date(2026, 7, 10)
    site = Site(days)
    full_pages = list(follow(site, start(first, until)))
    before = full_pages[:pages]
    if not before or not before[-1].cursor:
        return

    after = list(follow(site, start(first, until, before[-1].cursor)))
    assert listed([*before, *after]) == listed(full_pages)
    assert len(before) + len(after) == len(full_pages)


def test_a_full_page_is_followed_by_the_next_one() -> None:
    page = read([row(number) for number in range(1, PAGE_SIZE + 1)])

    assert page.next
    assert asked(page.next) == {"date": "2026-06-12", "p": "1", "limit": "100"}
    assert page.next.day == FRIDAY


@for_each_case("cursor", ["", "nonsense", "2026-06-01 2026-06-30 2026-06-01 3", "2026-06-12 x x x"])
def test_a_cursor_of_another_ask_starts_anew(cursor: str) -> None:
    assert asked(start(FRIDAY, cursor=cursor)) == {"date": "2026-06-12", "p": "0", "limit": "100"}
    assert asked(start(date(2026, 7, 1), date(2026, 7, 31), cursor)) == {
        "month": "2026-07",
        "p": "0",
        "limit": "100",
    }


def test_a_day_that_is_asked_again_starts_at_its_first_page() -> None:
    page = read([row(number) for number in range(1, PAGE_SIZE + 1)])
    assert page.cursor == ""


# --- what is no list ------------------------------------------------------------------------------


@for_each_case(
    ("status", "body", "text"),
    [
        (400, b'{"error":"Invalid date"}', "HTTP 400.*: Invalid date"),
        (429, b"<html>Too many requests</html>", "HTTP 429"),
        (503, b"", "HTTP 503"),
        (400, b'{"error":{"x":"\\ud800"}}', "HTTP 400"),
        (200, b"<!DOCTYPE html><html>Sign in</html>", "a web page arrived"),
        (200, b'{"papers": []}', "something else arrived"),
        (200, b"[" * 100_000, "something else arrived"),
        (200, b"", "something else arrived"),
    ],
)
def test_what_is_no_list_is_said_to_be_none(status: int, body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=text) as caught:
        read_by(Source(), body, day=FRIDAY, status=status)
    str(caught.value).encode()


KEYS = (
    "id",
    "title",
    "summary",
    "authors",
    "submittedOnDailyAt",
    "upvotes",
    "githubRepo",
    "organization",
    "user",
    "name",
    "paper",
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_any_row_is_read_or_told_of(paper: dict[str, Any]) -> None:
    page = read([row(**paper), paper])

    listings = [listing for day in page.announced for listing in day.listings]
    assert len(listings) + len(page.unread) == 2
    for listing in listings:
        for text in (
            listing.paper.title,
            listing.paper.abstract,
            *(author.name for author in listing.paper.authors),
        ):
            text.encode()


@given(st.binary())
def test_any_bytes_are_read_or_refused_in_words(body: bytes) -> None:
    try:
        page = read_by(Source(), body, day=FRIDAY)
    except SourceError as error:
        text = str(error)
    else:
        text = "Read."
        assert [day.day for day in page.announced] == [FRIDAY]
    assert text.endswith(".")


# --- the recorded list ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", RECORDED)
def test_a_recorded_list_is_read_as_ever(data: Path, file: str) -> None:
    assert summarize_page(read_list(data, file)) == RECORDED[file]


def test_no_recorded_list_is_left_out_and_no_row_of_it(data: Path) -> None:
    here = {path.relative_to(data).as_posix() for path in (data / "hf").iterdir()}
    assert set(RECORDED) == here == set(list_recorded_files(data, "hf/"))

    for file in RECORDED:
        rows = json.loads((data / file).read_bytes())
        page = read_list(data, file)
        assert [listing.paper.key for day in page.announced for listing in day.listings] == [
            f"arxiv:{row['paper']['id']}" for row in rows
        ]
        assert sum(signal.value for signal in page.signals if signal.kind == "votes") == sum(
            row["paper"]["upvotes"] for row in rows
        )
        assert page.unread == ()


def test_now_is_asked_for_where_no_day_is() -> None:
    ask = Ask(source="hf_daily", section="daily", route="daily")
    request = Source().start(ask, "", datetime(2026, 6, 12, 23, 59, tzinfo=UTC))
    assert request.day == FRIDAY


# --- numbers, as they are now ---------------------------------------------------------------------


def answer(rows: list[Any]) -> Response:
    return Response(status=200, headers=(), body=json.dumps(rows).encode())


def votes(now: datetime, cursor: str = "") -> Request:
    return Source().start(Ask(source="hf_daily", section="daily", route="votes"), cursor, now)


@given(st.dates(date(2026, 1, 1), date(2027, 12, 31)))
def test_the_numbers_of_papers_of_a_week_are_asked_for_in_a_few_requests(today: date) -> None:
    source = Source()
    days: set[date] = set()
    request: Request | None = votes(datetime(today.year, today.month, today.day, 12, tzinfo=UTC))
    count = 0
    while request is not None:
        query, count = asked(request), count + 1
        if "date" in query:
            days.add(date.fromisoformat(query["date"]))
        else:
            year, _, week = query["week"].partition("-W")
            days |= {date.fromisocalendar(int(year), int(week), day) for day in range(1, 8)}
        request = source.read(request, answer([])).next

    expected = {today - timedelta(days=number) for number in range(7)}
    assert {day for day in expected if day.weekday() < 5} <= days
    assert count <= 5


def test_numbers_count_for_the_day_on_which_they_are_asked_for_and_announce_nothing() -> None:
    now = datetime(2026, 6, 15, 12, tzinfo=UTC)
    fields = row(1, githubRepo="https://github.com/a/b", githubStars=5, upvotes=41)
    page = Source().read(votes(now), answer([fields, {"junk": 1}]))

    assert len(page.unread) == 1
    assert "no day, title or arXiv id" in page.unread[0]

    (record,) = page.records
    assert (record.key, record.code_urls) == ("arxiv:2606.00001", ("https://github.com/a/b",))
    assert {(signal.kind, signal.value, signal.day) for signal in page.signals} == {
        ("votes", 41.0, now.date()),
        ("comments", 2.0, now.date()),
        ("stars", 5.0, now.date()),
    }
    assert page.announced == ()


def test_numbers_of_a_day_that_is_asked_for_later_do_not_replace_those_of_that_day() -> None:
    ask = Ask(source="hf_daily", section="daily", route="daily", day=FRIDAY)
    days = list[date]()
    for now in ("2026-06-12T23:59:59+00:00", "2026-06-13T01:30:00+02:00", "2026-06-13T00:00:00+00:00"):
        page = Source().read(Source().start(ask, "", datetime.fromisoformat(now)), answer([row(1)]))
        days += sorted({signal.day for signal in page.signals})

    assert days == [FRIDAY, FRIDAY, FRIDAY + timedelta(days=1)], "days of UTC"


def test_a_series_that_goes_on_the_next_day_counts_for_that_day_and_one_of_an_earlier_release_begins_anew() -> (
    None
):
    ask = Ask(
        source="hf_daily", section="daily", route="daily", day=date(2026, 5, 4), until=date(2026, 6, 12)
    )
    first = Source().start(ask, "", datetime(2026, 6, 12, 23, tzinfo=UTC))
    cursor = Source().read(first, answer([])).cursor
    later = Source().start(ask, cursor, datetime(2026, 6, 13, 1, tzinfo=UTC))
    assert asked(later) != asked(first)
    page = Source().read(later, answer([row(1)]))
    assert {signal.day for signal in page.signals} == {date(2026, 6, 13)}

    older = cursor.partition("/")[2]
    assert asked(Source().start(ask, older, datetime(2026, 6, 13, 1, tzinfo=UTC))) == asked(first)


@given(st.dates(date(2026, 1, 1), date(2027, 12, 31)))
def test_no_list_of_a_weekend_is_asked_for_numbers(today: date) -> None:
    source = Source()
    request: Request | None = votes(datetime(today.year, today.month, today.day, 12, tzinfo=UTC))
    while request is not None:
        query = asked(request)
        assert "date" not in query or date.fromisoformat(query["date"]).weekday() < 5
        request = source.read(request, answer([])).next


def test_a_full_page_of_numbers_is_followed_by_the_next_one() -> None:
    first = votes(datetime(2026, 6, 12, 12, tzinfo=UTC))
    page = Source().read(first, answer([row(number) for number in range(1, PAGE_SIZE + 1)]))

    assert page.next is not None
    assert asked(page.next) == asked(first) | {"p": "1"}


# --- who picked -----------------------------------------------------------------------------------


@for_each_case(
    ("inner", "outer", "who"),
    [
        (
            {"user": "ada", "fullname": "Ada Lovelace", "name": "ada"},
            None,
            Submitter("Ada Lovelace", ("hf", "ada")),
        ),
        (None, {"name": "ada", "fullname": "Ada Lovelace"}, Submitter("Ada Lovelace", ("hf", "ada"))),
        ({"user": "ada"}, {"name": "other"}, Submitter("ada", ("hf", "ada"))),
        ({"fullname": "Ada Lovelace"}, None, None),
        (None, None, None),
        ("ada", ["ada"], None),
    ],
)
def test_who_submitted_a_paper_is_known(inner: object, outer: object, who: Submitter | None) -> None:
    fields = row(submittedOnDailyBy=inner) | {"submittedBy": outer}

    assert read([fields]).announced[0].listings[0].submitter == who
