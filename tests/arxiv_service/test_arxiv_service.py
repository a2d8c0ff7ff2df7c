"""The simulated arXiv does what the real one's descriptions and servers' code say."""

from __future__ import annotations

import ast
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from tests.arxiv_service.announcements import make_announcements, read_announcements
from tests.arxiv_service.faults import Fault, make_faults
from tests.arxiv_service.history import Announcement, History, make_subject
from tests.arxiv_service.release_times import NEW_YORK, get_list_time
from tests.arxiv_service.server import ArxivService, Sizes
from tests.simulation.recorded_days import list_announcement_days
from tests.support.timeouts import PATIENCE

MON, TUE, WED, THU, FRI = (date(2026, 5, day) for day in (4, 5, 6, 7, 8))
DAYS = (MON, TUE, THU, FRI)
"""Wednesday is a holiday."""


def paper(number: int, day: date = MON, **more: object) -> Announcement:
    options: dict[str, object] = {
        "id": f"2605.{number:05}",
        "title": f"Title {number}",
        "categories": ("cs.LG",),
    }
    return Announcement(day=day, **{**options, **more})  # type: ignore[arg-type]


def history() -> History:
    first = [paper(number) for number in range(1, 6)]
    other = [paper(number, categories=("stat.ML", "cs.LG")) for number in (6, 7)]
    announcements = dict(enumerate([*first, *other], 1))
    late = replace(paper(1), day=THU, action="cross", added=("hep-th",), categories=("cs.LG", "hep-th"))
    again = [
        replace(announcements[number], day=TUE, action="replace", version=version)
        for number, version in ((2, 2), (5, 5), (6, 2))
    ]
    away = replace(other[1], day=TUE, action="replace", version=2, withdrawn=True, comment="withdrawn")
    return History([*first, *other, paper(20, TUE), *again, away, late, paper(30, FRI)], [*DAYS])


def eastern(day: date, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=NEW_YORK).astimezone(UTC)


@pytest.fixture
def service() -> Iterator[ArxivService]:
    with ArxivService(history(), now=eastern(MON, 12), sizes=Sizes(oai=3)) as service:
        yield service


def get(service: ArxivService, path: str, **more: object) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        return client.get(service.url + path, **more)  # type: ignore[arg-type]


def ids(text: str) -> list[str]:
    """The ids of a page or a feed."""
    matches = re.findall(r'id="(\d{4}\.\d+)"|abs/(\d{4}\.\d+)</link>|<id>oai:arXiv.org:(\d{4}\.\d+)v', text)
    return [group for groups in matches for group in groups if group]


def test_it_shares_no_code_with_what_it_judges() -> None:
    for file in (Path(__file__).parents[1] / "arxiv_service").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.partition(".")[0] == "digest"], file


# --- a day in the real order ----------------------------------------------------------------------


def test_a_day_is_out_in_lists_then_in_records_then_in_feeds(service: ArxivService) -> None:
    values = {
        (19, 59): (MON, 7, MON),
        (20, 0): (TUE, 7, MON),
        (22, 29): (TUE, 7, MON),
        (22, 30): (TUE, 8, MON),
        (23, 59): (TUE, 8, MON),
    }
    for clock, (listed, records, fed) in values.items():
        service.now = eastern(MON, *clock)
        page = get(service, "/list/cs.LG/new").text
        assert f"<h3>Showing new listings for {listed:%A}, {listed.day} May 2026</h3>" in page
        text = get(service, "/api/query", params={"search_query": "cat:cs.LG", "max_results": 100}).text
        assert f"<opensearch:totalResults>{records}</opensearch:totalResults>" in text
        assert f"<pubDate>{fed:%a, %d %b %Y} 00:00:00 -0400</pubDate>" in get(service, "/rss/cs.LG").text
    service.now = eastern(TUE)
    assert ids(get(service, "/rss/cs.LG").text) == [
        "2605.00020",
        "2605.00002",
        "2605.00005",
        "2605.00006",
        "2605.00007",
    ]


def test_the_list_stays_over_a_holiday_and_the_feed_is_empty(service: ArxivService) -> None:
    service.now = eastern(WED, 12)
    assert "Showing new listings for Tuesday, 5 May 2026" in get(service, "/list/cs.LG/new").text
    feed = get(service, "/rss/cs.LG")
    assert feed.status_code == 200
    assert not ids(feed.text)
    page = get(service, f"/catchup/cs.LG/{WED}").text
    assert "No updates for Wed, 06 May 2026. There was either no announcement" in page
    assert f"/catchup/cs.LG/{THU}" not in page
    service.now = eastern(WED, 20)
    assert f"/catchup/cs.LG/{THU}" in get(service, f"/catchup/cs.LG/{WED}").text


def test_fridays_list_stays_until_sunday_evening() -> None:
    monday = date(2026, 5, 11)
    with ArxivService(
        History([paper(1, FRI), paper(2, monday)]), now=eastern(monday - timedelta(1), 19, 59)
    ) as service:
        assert ids(get(service, "/list/cs.LG/new").text) == ["2605.00001"]
        assert not ids(get(service, "/rss/cs.LG").text)
        service.now = eastern(monday - timedelta(1), 20)
        assert ids(get(service, "/list/cs.LG/new").text) == ["2605.00002"]


# --- lists ----------------------------------------------------------------------------------------


def test_a_list_tells_kinds_and_how_many_there_are(service: ArxivService) -> None:
    text = get(service, "/list/cs.LG/new").text
    assert "<h3>New submissions (showing 5 of 5 entries)</h3>" in text
    assert "<h3>Cross submissions (showing 2 of 2 entries)</h3>" in text
    assert text.count("(cross-list from stat.ML)") == 2
    service.now = eastern(MON, 20)
    text = get(service, "/list/cs.LG/new").text
    assert "<h3>Replacement submissions (showing 4 of 4 entries)</h3>" in text
    assert text.count("(replaced)") == 4


def test_a_list_tells_versions_only_where_a_paper_was_converted(service: ArxivService) -> None:
    service.now = eastern(MON, 20)
    text = get(service, "/list/cs.LG/new").text
    assert re.findall(r"/html/(\S+)\"", text) == ["2605.00020v1", "2605.00002v2", "2605.00006v2"]


def test_a_list_goes_on_over_pages() -> None:
    with ArxivService(history(), now=eastern(MON), sizes=Sizes(listing=4)) as service:
        first, second = (get(service, f"/list/cs.LG/new?skip={skip}&show=2000").text for skip in (0, 4))
        assert "New submissions (showing first 4 of 5 entries)" in first
        assert "New submissions (continued, showing last 1 of 5 entries)" in second
        assert "Cross submissions (showing 2 of 2 entries)" in second
        assert len(ids(first) + ids(second)) == 7
        assert "Total of 7 entries" in first
        assert get(service, "/list/cs.LG/new?show=30").status_code == 400
        assert get(service, "/list/nosuch/new").status_code == 400


def test_a_late_cross_list_is_where_it_was_added_and_in_no_list_of_its_archive(service: ArxivService) -> None:
    service.now = eastern(THU, 12)
    assert ids(get(service, "/list/hep-th/new").text) == ["2605.00001"]
    assert "No updates today." in get(service, "/list/cs.LG/new").text
    history = service.history
    within = replace(paper(1), day=FRI, action="cross", added=("cs.DB",), categories=("cs.LG", "cs.DB"))
    history = History([*history.announcements, within], history.days)
    assert within.id not in [row.paper.id for row in history.make_list_rows(FRI, make_subject(["cs"]))]
    assert within.id in [row.paper.id for row in history.make_list_rows(FRI, make_subject(["cs.DB"]))]
    assert within.id in [row.paper.id for row in history.make_feed_rows(FRI, make_subject(["cs"]))]


def test_replacements_from_the_sixth_version_on_are_nowhere() -> None:
    history = History(
        [replace(paper(1), action="replace", version=6), replace(paper(2), action="replace", version=5)]
    )
    for rows in (
        history.make_list_rows(MON, make_subject(["cs.LG"])),
        history.make_feed_rows(MON, make_subject(["cs.LG"])),
        history.make_catchup_rows(MON, make_subject(["cs.LG"]), eastern(MON)),
    ):
        assert [row.paper.id for row in rows] == ["2605.00002"]


# --- catch-up pages -------------------------------------------------------------------------------


def test_catch_up_has_any_of_the_last_ninety_days_and_refuses_the_rest(service: ArxivService) -> None:
    service.now = eastern(MON, 12) + timedelta(days=91)
    assert ids(get(service, f"/catchup/cs.LG/{MON}?abs=True").text) == [f"2605.{n:05}" for n in range(1, 8)]
    service.now += timedelta(days=1)
    for path in (
        f"{MON}",
        "2026-12-01",
        "2026-8-2",
        "2026-08-02?show=25",
        "2026-08-02?page=0",
        "2026-08-02?abs=yes",
    ):
        assert get(service, f"/catchup/cs.LG/{path}").status_code == 400, path
    moved = get(service, "/catchup/stat.TH/2026-08-03?abs=True")
    assert (moved.status_code, moved.headers["Location"]) == (
        301,
        "/catchup/math.ST/2026-08-03?page=1&abs=True",
    )


def test_catch_up_has_pages_and_abstracts_only_if_asked() -> None:
    with ArxivService(history(), now=eastern(TUE), sizes=Sizes(catchup=3)) as service:
        pages = [get(service, f"/catchup/cs.LG/{MON}?abs=True&page={page}").text for page in (1, 2, 3, 4)]
        assert [len(ids(page)) for page in pages] == [3, 3, 1, 0]
        assert "No further updates for Mon, 04 May 2026" in pages[3]
        assert f"<a href=/catchup/cs.LG/{MON}?abs=True&amp;page=2>2</a>" in pages[0]
        assert pages[0].count("<p class='mathjax'>") == 3
        assert "<p class='mathjax'>" not in get(service, f"/catchup/cs.LG/{MON}").text


def test_catch_up_goes_by_the_categories_of_now(service: ArxivService) -> None:
    assert not ids(get(service, f"/catchup/hep-th/{MON}").text)
    service.now = eastern(THU)
    text = get(service, f"/catchup/hep-th/{MON}").text
    assert ids(text) == ["2605.00001"]
    assert "(cross-list from cs.LG)" in text


def test_catch_up_takes_the_day_from_its_own_zone_and_may_be_too_early(service: ArxivService) -> None:
    service.catchup_zone = NEW_YORK
    service.now = eastern(MON, 21)
    assert get(service, f"/catchup/cs.LG/{TUE}").status_code == 400
    winter = date(2026, 1, 6)
    with ArxivService(
        History([paper(1, winter)]), now=get_list_time(winter) - timedelta(minutes=30)
    ) as early:
        assert "No updates for Tue, 06 Jan 2026" in get(early, f"/catchup/cs.LG/{winter}").text


# --- feeds ----------------------------------------------------------------------------------------


def test_an_over_full_feed_drops_new_papers_first() -> None:
    with ArxivService(history(), now=eastern(TUE), sizes=Sizes(feed=4)) as service:
        assert ids(get(service, "/rss/cs.LG").text) == [f"2605.{n:05}" for n in (2, 5, 6, 7)]
        service.now = eastern(MON)
        assert ids(get(service, "/atom/cs.lg").text) == [f"2605.{n:05}" for n in (4, 5, 6, 7)]


def test_a_name_that_is_none_is_refused_in_a_feed(service: ArxivService) -> None:
    answer = get(service, "/rss/cs.LG+nosuch")
    assert answer.status_code == 400
    assert "Feed error for query" in answer.text
    assert not ids(answer.text)


def test_a_feed_that_is_as_it_was_is_not_sent_again(service: ArxivService) -> None:
    first = get(service, "/rss/cs.LG")
    again = get(service, "/rss/cs.LG", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["Cache-Control"] == "max-age=43200"


# --- records --------------------------------------------------------------------------------------

OAI = {"o": "http://www.openarchives.org/OAI/2.0/"}


def harvest(service: ArxivService, **query: str) -> ET.Element:
    return ET.fromstring(get(service, "/oai", params={"verb": "ListRecords", **query}).text)


def test_records_come_in_pages_by_the_day_they_came_out(service: ArxivService) -> None:
    service.now = eastern(TUE, 12)
    results: list[str | None] = []
    answer = harvest(service, **{"metadataPrefix": "arXivRaw", "from": str(MON), "set": "cs:cs:LG"})
    while True:
        results += [element.text for element in answer.iterfind(".//o:identifier", OAI)]
        token = answer.find(".//o:resumptionToken", OAI)
        assert token is not None
        if not token.text:
            break
        assert token.get("expirationDate") == "2026-05-06T00:00:00Z"
        answer = harvest(service, resumptionToken=token.text)
    order = [1, 3, 4, 2, 5, 6, 7, 20]
    assert results == [f"oai:arXiv.org:2605.{number:05}" for number in order]
    assert [len(request.answer.rows) for request in service.requests if request.answer is not None] == [
        3,
        3,
        2,
    ]


def test_a_token_dies_at_midnight_utc(service: ArxivService) -> None:
    token = harvest(service, metadataPrefix="arXiv").find(".//o:resumptionToken", OAI)
    assert token is not None
    assert token.text
    service.now = datetime(2026, 5, 5, tzinfo=UTC)
    error = harvest(service, resumptionToken=token.text).find("o:error", OAI)
    assert error is not None
    assert error.get("code") == "badResumptionToken"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"metadataPrefix": "arXiv", "from": "2026-05-05"}, "badArgument"),
        ({"metadataPrefix": "arXiv", "set": "nosuch"}, "badArgument"),
        ({"metadataPrefix": "arXiv", "from": "2026"}, "badArgument"),
        ({"metadataPrefix": "arXiv", "more": "1"}, "badArgument"),
        ({}, "badArgument"),
        ({"metadataPrefix": "marc"}, "cannotDisseminateFormat"),
        ({"metadataPrefix": "arXiv", "set": "physics:hep-th"}, "noRecordsMatch"),
        ({"verb": "ListNothing"}, "badVerb"),
        ({"resumptionToken": "verb=ListRecords"}, "badResumptionToken"),
    ],
)
def test_what_cannot_be_answered_is_an_error_with_status_200(
    service: ArxivService, query: dict[str, str], code: str
) -> None:
    answer = harvest(service, **query)
    error = answer.find("o:error", OAI)
    assert error is not None
    assert error.get("code") == code


def test_a_late_cross_list_has_a_record_of_its_own_day(service: ArxivService) -> None:
    service.now = eastern(THU)
    answer = harvest(service, **{"metadataPrefix": "arXivRaw", "from": str(THU)})
    assert [element.text for element in answer.iterfind(".//o:setSpec", OAI)] == [
        "cs:cs:LG",
        "physics:hep-th",
    ]


def test_a_raw_record_tells_all_versions_and_which_is_a_withdrawal(service: ArxivService) -> None:
    service.now = eastern(TUE)
    raw = {"r": "http://arxiv.org/OAI/arXivRaw/"}
    answer = harvest(service, metadataPrefix="arXivRaw", set="stat")
    records = {record.findtext(".//r:id", "", raw): record for record in answer.iterfind(".//o:record", OAI)}
    assert len(records["2605.00006"].findall(".//r:version", raw)) == 2
    types = [
        version.findtext("r:source_type", "", raw)
        for version in records["2605.00007"].iterfind(".//r:version", raw)
    ]
    assert types == ["", "I"]


# --- search ---------------------------------------------------------------------------------------


def test_a_search_takes_categories_and_dates_of_the_first_version(service: ArxivService) -> None:
    service.now = eastern(FRI, 12)
    query = "(cat:cs.LG OR cat:hep-th) AND submittedDate:[202605040000 TO 202605042359]"
    text = get(service, "/api/query", params={"search_query": query, "max_results": "1"}).text
    assert "<opensearch:totalResults>1</opensearch:totalResults>" in text
    assert "http://arxiv.org/abs/2605.00020v1" in text
    pages = [
        get(service, "/api/query", params={"search_query": "cat:cs.*", "start": start, "max_results": 4}).text
        for start in (0, 4, 8, 12)
    ]
    assert [page.count("<entry>") for page in pages] == [4, 4, 1, 0]


def test_a_search_that_cannot_be_made_is_an_entry_that_says_so(service: ArxivService) -> None:
    for query in (
        {"id_list": "abc"},
        {"search_query": "cat:cs.LG", "max_results": "3000"},
        {"search_query": "cat:cs.LG", "start": "9999", "max_results": "10"},
        {"search_query": "(cat:cs.LG"},
    ):
        answer = get(service, "/api/query", params=query)
        assert answer.status_code == 400
        assert answer.text.count("<title>Error</title>") == 1
    unknown = get(service, "/api/query", params={"id_list": "0000.0000"})
    assert (unknown.status_code, unknown.text.count("<entry>")) == (200, 0)


# --- faults ---------------------------------------------------------------------------------------


def fault(kind: str, **more: object) -> Fault:
    return Fault(kind=kind, begin=eastern(TUE), end=eastern(TUE, 3), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "path", "status", "of"),
    [
        ("stale", "/list/cs.LG/new", 200, "7 of 2026-05-05"),
        ("late", "/list/cs.LG/new", 200, "7 of 2026-05-04"),
        ("stale", "/rss/cs.LG", 200, "7 of 2026-05-05"),
        ("late", "/rss/cs.LG", 200, "7 of 2026-05-04"),
        ("blank", "/rss/cs.LG", 200, "0 of 2026-05-05"),
        ("blank", "/list/cs.LG/new", 200, "0 of 2026-05-05"),
        ("partial", "/list/cs.LG/new", 200, "4 of 2026-05-05"),
        ("partial", f"/catchup/cs.LG/{MON}", 200, "5 of 2026-05-04"),
        ("throttled", "/rss/cs.LG", 429, ""),
        ("not_acceptable", "/oai?verb=ListRecords&metadataPrefix=arXiv", 406, ""),
        ("unavailable", "/api/query?search_query=cat:cs.LG", 503, ""),
        ("slow", "/rss/cs.LG", 200, "5 of 2026-05-05"),
    ],
)
def test_a_fault_lasts_a_while(service: ArxivService, kind: str, path: str, status: int, of: str) -> None:
    service.faults = [fault(kind)]
    service.now = eastern(TUE, 2)
    answer = get(service, path)
    request = service.requests[-1]
    assert (answer.status_code, request.fault) == (status, frozenset({kind}))
    if of:
        assert request.answer is not None
        assert f"{len(request.answer.rows)} of {request.answer.day}" == of
    service.now = eastern(TUE, 3)
    assert get(service, path).status_code == 200
    assert not service.requests[-1].fault


def test_a_partial_list_says_that_there_is_more(service: ArxivService) -> None:
    service.faults = [fault("partial", routes=("listing",), section="cs.LG")]
    service.now = eastern(TUE)
    assert "Replacement submissions (showing 3 of 4 entries)" in get(service, "/list/cs.LG/new").text
    assert "Replacement submissions (showing 2 of 2 entries)" in get(service, "/list/stat.ML/new").text


def test_an_error_tells_when_to_come_back(service: ArxivService) -> None:
    service.faults = [fault("throttled", routes=("rss",)), fault("unavailable", routes=("oai",))]
    service.now = eastern(TUE, 2)
    assert get(service, "/rss/cs.LG").headers["Retry-After"] == "3600"
    assert get(service, "/oai").headers["Retry-After"] == "300"


def test_documents_end_half_way_in_due_form_or_not(service: ArxivService) -> None:
    service.now = eastern(TUE, 2)
    content = get(service, "/list/cs.LG/new").content
    service.faults = [fault("unfinished")]
    assert get(service, "/list/cs.LG/new").content == content[: len(content) // 2]
    service.faults = [fault("broken_off")]
    with pytest.raises(httpx.RemoteProtocolError):
        get(service, "/list/cs.LG/new")


def test_a_feed_can_be_over_full_for_a_while(service: ArxivService) -> None:
    service.faults = [fault("over_full", limit=2)]
    service.now = eastern(TUE, 2)
    assert len(ids(get(service, "/rss/cs.LG").text)) == 2


def test_it_can_hang_up_or_be_gone_and_comes_back_where_it_was(service: ArxivService) -> None:
    service.faults = [fault("hangs_up")]
    service.now = eastern(TUE, 2)
    with pytest.raises(httpx.RemoteProtocolError):
        get(service, "/rss/cs.LG")
    service.faults = [fault("gone")]
    service.now = eastern(TUE, 2)
    with pytest.raises(httpx.ConnectError):
        get(service, "/rss/cs.LG")
    service.now = eastern(TUE, 4)
    assert get(service, "/rss/cs.LG").status_code == 200


def test_a_seed_makes_the_same_faults_again_and_each_ends() -> None:
    first, again, other = (make_faults(random.Random(seed), DAYS, ["cs.LG"]) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 12
    assert all(timedelta(minutes=10) <= fault.end - fault.begin <= timedelta(hours=4) for fault in first)


# --- what it announces ----------------------------------------------------------------------------


def test_listings_of_our_own_have_every_kind_in_every_section() -> None:
    sections = ("cs.LG", "cs.DC", "stat.ML")
    history = History(
        make_announcements(
            random.Random(1), [MON + timedelta(days=n) for n in (0, 1, 2, 3, 4, 7, 8)], sections, 12
        )
    )
    for section in sections:
        rows = [row for day in history.days for row in history.make_list_rows(day, make_subject([section]))]
        assert {row.kind for row in rows} == {"new", "cross", "replace", "replace-cross"}
    assert any(announcement.withdrawn for announcement in history.announcements)
    assert any(announcement.action == "cross" for announcement in history.announcements)
    assert any(announcement.version > 5 for announcement in history.announcements)


def test_the_recorded_days_can_be_announced(data: Path) -> None:
    days = list_announcement_days(data, date(2026, 3, 9), date(2026, 3, 10))
    history = History(list(read_announcements(data, days)))
    with ArxivService(history, now=eastern(days[-1], 12)) as service:
        for path in ("/rss/cs.CL", "/list/cs.CL/new"):
            assert len(ids(get(service, path).text)) > 100
        answer = service.requests[-1].answer
        assert answer is not None
        assert {kind for _, kind in answer.rows} == {"new", "cross", "replace", "replace-cross"}
