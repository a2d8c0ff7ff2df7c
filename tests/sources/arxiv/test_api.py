"""arXiv's search: each paper is read or told, and a search that is cut anywhere ends as one that is not."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import SourceError
from digest.model import Ask, Author, ListingKind, Paper
from digest.ports import Page, Request, Response
from digest.sources.arxiv.api import (
    ACCEPT,
    MAX_RESULTS,
    OVERLAP,
    build_api_request,
    compute_announcement_day,
    read_api,
)
from tests.support.cases import for_each_case

BASE = "https://export.arxiv.org/api/query"
NOW = datetime(2026, 4, 22, 4, 30, tzinfo=UTC)
CAME = datetime(2026, 4, 21, 9, 15, tzinfo=UTC)
NEW_YORK = ZoneInfo("America/New_York")


def ask(section: str = "cs.LG", day: date | None = None, until: date | None = None) -> Ask:
    return Ask(source="arxiv", section=section, route="api", day=day, until=until)


def start(request: Ask | None = None, cursor: str = "", now: datetime = NOW) -> Request:
    return build_api_request(BASE, request or ask(), cursor, now, "arxiv.org")


def query(request: Request) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.url).query))


def entry(
    id_: str = "2604.00001v1", *, published: str = "2026-04-21T09:15:00Z", inside: str = "", **texts: str
) -> str:
    fields = {
        "title": f"On {id_}",
        "summary": "  We show it.",
        "updated": published,
        "published": published,
        **{name.replace("arxiv_", "arxiv:"): text for name, text in texts.items()},
    }
    text = "".join(f"<{name}>{escape(text)}</{name}>\n    " for name, text in fields.items() if text)
    inside = inside or "<author>\n<name>Ada Lovelace</name>\n</author>"
    category = (
        "" if "<category" in inside else '<category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>'
    )
    return f"""<entry>
    <id>http://arxiv.org/abs/{id_}</id>
    {text}<link href="https://arxiv.org/abs/{id_}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/{id_}" rel="related" type="application/pdf" title="pdf"/>
    {category}{inside}
  </entry>
  """


def feed(*entries: str, total: int | None = None, start: int = 0) -> bytes:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
      xmlns="http://www.w3.org/2005/Atom">
  <title>arXiv Query: search_query=cat:cs.LG</title>
  <updated>2026-04-22T04:30:00Z</updated>
  <opensearch:totalResults>{len(entries) if total is None else total}</opensearch:totalResults>
  <opensearch:startIndex>{start}</opensearch:startIndex>
  {"".join(entries)}</feed>""".encode()


def read(
    body: bytes, *, announce: bool = False, section: str = "cs.LG", status: int = 200, cursor: str = ""
) -> Page:
    request = start(ask(section), cursor)
    return read_api(request, Response(status=status, headers=(), body=body), announce=announce)


def paper(text: str) -> Paper:
    (only,) = read(feed(text)).records
    return only


# --- announcement days ----------------------------------------------------------------------------


@for_each_case(
    ("submitted", "announced"),
    [
        ("2026-04-20T13:59:59", "2026-04-21"),  # a Monday
        ("2026-04-20T14:00:00", "2026-04-22"),
        ("2026-04-21T13:59:59", "2026-04-22"),
        ("2026-04-22T14:00:00", "2026-04-24"),
        ("2026-04-23T13:59:59", "2026-04-24"),
        ("2026-04-23T14:00:00", "2026-04-27"),
        ("2026-04-24T13:59:59", "2026-04-27"),
        ("2026-04-24T14:00:00", "2026-04-28"),
        ("2026-04-25T08:00:00", "2026-04-28"),
        ("2026-04-26T23:59:59", "2026-04-28"),
        ("2026-04-27T13:59:59", "2026-04-28"),
        ("2026-03-09T13:59:59", "2026-03-10"),  # the clocks were put forward the day before
    ],
)
def test_a_submission_is_announced_by_the_schedule(submitted: str, announced: str) -> None:
    at = datetime.fromisoformat(submitted).replace(tzinfo=NEW_YORK)
    assert (
        compute_announcement_day(at)
        == compute_announcement_day(at.astimezone(UTC))
        == date.fromisoformat(announced)
    )


instants = st.datetimes(datetime(1992, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds have no zone


@given(instants)
def test_every_submission_is_announced_on_a_working_day_soon_after_its_lists_are_out(at: datetime) -> None:
    day = compute_announcement_day(at)
    out = datetime.combine(day - timedelta(days=1), time(20), NEW_YORK)
    assert day.weekday() < 5
    waits = out.replace(tzinfo=None) - at.astimezone(NEW_YORK).replace(tzinfo=None)
    assert timedelta(hours=6) < waits <= timedelta(days=3, hours=6)


@given(instants, instants)
def test_who_submits_earlier_is_not_announced_later(one: datetime, other: datetime) -> None:
    first, second = sorted([one, other])
    assert compute_announcement_day(first) <= compute_announcement_day(second)


def test_the_schedule_is_the_day_on_which_papers_really_came(data: Path) -> None:
    """The rest came later: moderation and holidays; none came sooner."""
    late = []
    for file in sorted((data / "corpus" / "days").iterdir()):
        with file.open("rb") as packed:
            lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8")
            rows = [json.loads(line) for line in lines]
        late += [
            (
                date.fromisoformat(row["announced"])
                - compute_announcement_day(datetime.fromisoformat(row["submitted"]))
            ).days
            for row in rows
            if "submitted" in row and "day_basis" not in row
        ]
    agree = sum(days == 0 for days in late) / len(late)
    print(f"{len(late):,} submissions: {agree:.1%} announced on the day of the schedule, the others later")  # noqa: T201 - the figure itself, for who wants it
    assert len(late) > 15_000
    assert min(late) == 0
    assert agree > 0.95


# --- what is asked --------------------------------------------------------------------------------


def test_the_first_search_begins_early_enough_for_a_mondays_papers() -> None:
    request = start()
    assert query(request) == {
        "search_query": "cat:cs.LG AND submittedDate:[202604180000 TO 202604220430]",
        "sortBy": "submittedDate",
        "sortOrder": "ascending",
        "start": "0",
        "max_results": "1000",
    }
    assert (request.section, request.route, request.bucket) == ("cs.LG", "api", "arxiv.org")
    assert (request.accept, request.day) == (ACCEPT, None)


def test_a_search_goes_back_behind_the_last_paper_found_for_those_that_were_held_back() -> None:
    cursor = read(feed(entry(published="2026-04-21T09:15:00Z"))).cursor
    later = query(start(cursor=cursor, now=NOW + timedelta(days=9)))
    assert "[202604070915 TO 202605010430]" in later["search_query"]
    assert timedelta(days=14) == OVERLAP


def test_days_that_are_asked_for_are_searched_by_their_submissions() -> None:
    parameters = query(start(ask(day=date(2026, 3, 1), until=date(2026, 3, 5))))
    assert "[202603010000 TO 202603060000]" in parameters["search_query"]
    assert "[202603010000 TO 202604230000]" in query(start(ask(day=date(2026, 3, 1))))["search_query"]


@for_each_case(
    ("section", "subjects"),
    [
        ("cs.LG", "cat:cs.LG"),
        ("hep-th", "cat:hep-th"),
        ("cs.IT", "(cat:cs.IT OR cat:math.IT)"),
        ("cs", "cat:cs.*"),
        ("physics", "cat:physics.*"),
        ("nlin", "cat:nlin.*"),
        ("cond-mat", "(cat:cond-mat OR cat:cond-mat.*)"),
        ("astro-ph", "(cat:astro-ph OR cat:astro-ph.*)"),
    ],
)
def test_a_section_is_searched_by_all_its_names(section: str, subjects: str) -> None:
    assert query(start(ask(section)))["search_query"].startswith(f"{subjects} AND submittedDate:")


def test_a_cursor_that_cannot_be_read_begins_anew() -> None:
    for cursor in ("", "2026-04-01", "[]", '{"done": "", "other": 1}', '{"current": 3}', '{"current": {}}'):
        assert start(cursor=cursor).url == start().url


# --- papers ---------------------------------------------------------------------------------------


def test_an_entry_is_read_with_all_that_arxiv_says() -> None:
    inside = """<category term="cs.DC"/><category term="I.2.7"/><category term="68T07 (Primary), 92C55"/>
    <category term="math.IT"/><category term="cs.DC"/><arxiv:primary_category term="cs.LG"/>
    <author><name>Paul Erd\\H{o}s</name><arxiv:affiliation>Institute of Proofs,
      Budapest</arxiv:affiliation><arxiv:affiliation>Home</arxiv:affiliation></author>
    <author><name> </name></author><author><name>Seza  Doğruöz</name></author>
    <author><name>Plato</name><arxiv:affiliation>Athens</arxiv:affiliation></author>"""
    read_paper = paper(
        entry(
            "2506.01234v3",
            inside=inside,
            title="Serving with $a < b$\n  Tokens",
            summary="  We serve. For $x < y$\nit is fast.\n",
            arxiv_comment="12 pages,\n 3 figures",
            arxiv_journal_ref="J. Made Up 1 (2026) 1-2",
            arxiv_doi="10.1000/ABC.def 10.1000/second",
        )
    )
    assert read_paper.key == "arxiv:2506.01234"
    assert read_paper == Paper(
        key=read_paper.key,
        title="Serving with $a < b$ Tokens",
        abstract="We serve. For $x < y$ it is fast.",
        authors=(
            Author("Paul Erdős", ("Institute of Proofs, Budapest", "Home")),
            Author("Seza Doğruöz"),
            Author("Plato", ("Athens",)),
        ),
        categories=("cs.LG", "cs.DC", "math.IT"),
        version=3,
        url="https://arxiv.org/abs/2506.01234",
        pdf_url="https://arxiv.org/pdf/2506.01234",
        doi="10.1000/abc.def",
        journal_ref="J. Made Up 1 (2026) 1-2",
        comment="12 pages, 3 figures",
    )


def test_what_cannot_be_read_is_told_and_the_rest_is_kept() -> None:
    page = read(
        feed(
            entry(),
            entry("nonsense"),
            entry("2604.00002v1", title=""),
        )
    )
    assert [paper.key for paper in page.records] == ["arxiv:2604.00001"]
    assert page.unread == (
        "an entry without an arXiv id (http://arxiv.org/abs/nonsense)",
        "2604.00002, an entry without a title",
    )


def test_a_page_of_nothing_else_does_not_hold_up_the_search() -> None:
    page = read(feed(entry("nonsense")))
    assert (page.records, page.next) == ((), None)
    assert page.unread


def test_papers_are_announced_by_the_schedule_where_nothing_else_announces() -> None:
    crossed = '<category term="cs.CV"/><category term="cs.LG"/>'
    page = read(
        feed(
            entry("2604.00001v1", published="2026-04-17T20:00:00Z"),
            entry("2604.00002v1", published="2026-04-20T12:00:00Z", inside=crossed),
            entry("2604.00003v2", published="2026-04-20T12:00:00Z", updated="2026-04-21T12:00:00Z"),
        ),
        announce=True,
    )
    entries = [
        (
            str(page.day),
            [(listing.kind, listing.paper.key, listing.paper.version) for listing in page.listings],
        )
        for page in page.announced
    ]
    assert entries == [
        (
            "2026-04-21",
            [
                (ListingKind.NEW, "arxiv:2604.00001", 1),
                (ListingKind.CROSS, "arxiv:2604.00002", 1),
                (ListingKind.NEW, "arxiv:2604.00003", 2),
            ],
        ),
        ("2026-04-22", [(ListingKind.REPLACE, "arxiv:2604.00003", 2)]),
    ]
    assert page.records == ()


def test_a_paper_without_the_time_of_its_submission_is_kept_and_not_announced() -> None:
    for announce in (True, False):
        page = read(feed(entry("2604.00003v1", published="long ago"), entry(published="")), announce=announce)
        assert [paper.key for paper in page.records] == ["arxiv:2604.00003", "arxiv:2604.00001"]
        assert (page.announced, page.unread) == ((), ())
        assert json.loads(page.cursor)["done"] == "2026-04-18T00:00:00+00:00"


# --- answers that are no papers -------------------------------------------------------------------

ERROR = feed(
    """<entry><id>http://arxiv.org/api/errors#incorrect_id</id><title>Error</title>
    <summary>incorrect id format for abc.</summary><author><name>arXiv api core</name></author></entry>"""
)


@pytest.mark.parametrize(("status", "text"), [(200, ""), (400, r" \(HTTP 400\)")])
def test_arxivs_reason_for_a_refusal_is_told(status: int, text: str) -> None:
    with pytest.raises(
        SourceError, match=rf"^arXiv's search for cs\.LG was refused{text}: incorrect id format for abc\.$"
    ):
        read(ERROR, status=status)


@for_each_case("status", [204, 302, 403, 429, 503])
def test_no_other_status_is_read(status: int) -> None:
    for body in (feed(entry()), b"Rate exceeded."):
        with pytest.raises(SourceError, match=rf"was refused \(HTTP {status}\)\.$"):
            read(body, status=status)


@for_each_case(
    ("body", "text"),
    [
        (b"", "came back empty"),
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "a web page"),
        (b"Rate exceeded.", "not well-formed XML"),
        (b"<rss/>", "is a document of <rss>, not a valid feed"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><feed>&a;</feed>", "a DOCTYPE, which feeds do not have"),
        (b"<feed><title>Somebody's blog</title></feed>", "does not say how many papers it found"),
        (feed(entry("x").replace("arxiv.org/abs", "example.org")), "contains nothing from arXiv"),
    ],
)
def test_an_answer_that_is_no_search_is_refused_and_told(body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=r"arXiv's search for cs\.LG") as error:
        read(body)
    assert text in str(error.value)
    assert str(error.value).endswith(".")


WHOLE = feed(*[entry(f"2604.0000{n}v{n}") for n in range(1, 4)])


@given(st.integers(0, len(WHOLE) - 1))
def test_an_answer_cut_anywhere_is_never_half_a_page(cut: int) -> None:
    with pytest.raises(SourceError, match=r"is cut off|came back empty"):
        read(WHOLE[:cut])


@given(st.lists(st.tuples(st.integers(0, len(WHOLE)), st.binary(max_size=9)), min_size=1, max_size=4))
def test_an_answer_damaged_anywhere_is_read_or_refused(damages: list[tuple[int, bytes]]) -> None:
    body = WHOLE
    for at, junk in damages:
        body = body[:at] + junk + body[at + len(junk) :]
    for announce in (False, True):
        with suppress(SourceError):
            page = read(body, announce=announce)
            assert len(page.records) + len(page.unread) <= 3


# --- pages, slices and cuts -----------------------------------------------------------------------


def test_nothing_found_ends_the_search_and_covers_nothing_new() -> None:
    page = read(feed())
    assert (page.records, page.announced, page.next) == ((), (), None)
    assert json.loads(page.cursor)["done"] == "2026-04-18T00:00:00+00:00"


def test_an_empty_page_in_the_middle_is_asked_for_once_more_at_another_address() -> None:
    empty = read(feed(total=7))
    assert empty.next is not None
    assert (query(empty.next)["start"], query(empty.next)["max_results"]) == ("0", "500")
    with pytest.raises(SourceError, match="an empty page twice after 0 of 7 papers"):
        read(feed(total=7), cursor=empty.cursor)
    page = read(feed(entry(), total=7), cursor=empty.cursor)
    assert page.next is not None
    assert (query(page.next)["start"], query(page.next)["max_results"]) == ("1", "1000")


@dataclass
class Server:
    """A search as a pure function; at most so many papers a page, whatever was asked for."""

    papers: Sequence[tuple[datetime, int]]
    page: int = 1000

    def answer(self, url: str, now: datetime, *, empty: bool) -> bytes:
        qsl = dict(parse_qsl(urlsplit(url).query))
        since, until = qsl["search_query"].partition("submittedDate:[")[2].rstrip("]").split(" TO ")
        skip, most = int(qsl["start"]), int(qsl["max_results"])
        assert qsl["sortOrder"] == "ascending"
        assert skip + most <= MAX_RESULTS
        results = sorted(
            (came, number)
            for came, number in self.papers
            if since <= f"{came:%Y%m%d%H%M}" <= until and came <= now
        )
        rows = [] if empty else results[skip : skip + min(most, self.page)]
        entries = [
            entry(f"2604.{number:05}v1", published=f"{came:%Y-%m-%dT%H:%M:%SZ}", summary="")
            for came, number in rows
        ]
        return feed(*entries, total=len(results), start=skip)


@dataclass
class Reader:
    """Searches, visit after visit, and keeps what the pull job keeps."""

    server: Server
    now: datetime
    empty: frozenset[int] = frozenset()
    cursor: str = ""
    keys: set[str] = field(default_factory=set)
    urls: list[str] = field(default_factory=list)

    def visit(self, requested_request: Ask | None = None, *, pages: int | None = None) -> bool:
        """Search for so many pages at most; whether it came to the end."""
        request: Request | None = start(requested_request or ask(), self.cursor, self.now)
        while request and pages != 0:
            body = self.server.answer(request.url, self.now, empty=len(self.urls) in self.empty)
            self.urls.append(request.url)
            page, text = _answered(request, body)
            if page is None:
                assert "an empty page twice" in text
                return False
            self.keys |= {paper.key for paper in page.records}
            self.cursor, request = page.cursor, page.next
            pages = None if pages is None else pages - 1
        return request is None


def _answered(request: Request, body: bytes) -> tuple[Page | None, str]:
    try:
        return read_api(request, Response(status=200, headers=(), body=body), announce=False), ""
    except SourceError as error:
        return None, str(error)


BEGUN = datetime(2026, 3, 1, tzinfo=UTC)
SUBMISSIONS = st.lists(st.integers(0, 5 * 24 * 3600), max_size=30)
CUTS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from([timedelta(0), timedelta(hours=5), timedelta(days=3)])),
    max_size=8,
)


def server(seconds: Sequence[int], page: int) -> Server:
    return Server([(BEGUN + timedelta(seconds=second), n) for n, second in enumerate(seconds)], page)


@given(SUBMISSIONS, st.integers(1, 6), CUTS, st.frozensets(st.integers(0, 40), max_size=8))
def test_a_search_cut_at_any_page_brings_what_one_without_a_cut_brings(
    seconds: list[int], page: int, cuts: list[tuple[int, timedelta]], empty: frozenset[int]
) -> None:
    reader = Reader(server(seconds, page), BEGUN + timedelta(hours=30), empty)
    for pages, pause in cuts:
        reader.visit(pages=pages)
        reader.now += pause
    reader.now = max(reader.now, BEGUN + timedelta(days=6))
    for _ in range(60):
        if reader.visit() and "current" not in json.loads(reader.cursor) and len(reader.urls) > 40:
            break
    assert reader.keys == {f"arxiv:2604.{number:05}" for number in range(len(seconds))}


@given(SUBMISSIONS, st.integers(1, 6), CUTS, st.integers(0, 3))
def test_a_backfill_leaves_the_search_where_it_is(
    seconds: list[int], page: int, cuts: list[tuple[int, timedelta]], pages: int
) -> None:
    reader = Reader(server(seconds, page), BEGUN + timedelta(days=2))
    reader.visit(pages=pages)
    before = json.loads(reader.cursor or "{}")
    past = ask(day=BEGUN.date(), until=BEGUN.date())
    for number, _ in cuts:
        reader.visit(past, pages=number)
    assert reader.visit(past)
    after = json.loads(reader.cursor)
    assert {**after, "by_day": False} == {**before, "by_day": False}
    assert {f"arxiv:2604.{n:05}" for n, second in enumerate(seconds) if second < 24 * 3600} <= reader.keys


def test_more_than_one_search_gives_is_searched_in_slices() -> None:
    reader = Reader(server([4 * n for n in range(MAX_RESULTS + 1500)], 1000), BEGUN + timedelta(days=1))
    assert reader.visit(ask(day=BEGUN.date()))
    assert len(reader.keys) == MAX_RESULTS + 1500
    last = BEGUN + timedelta(seconds=4 * (MAX_RESULTS - 1))
    assert len(reader.urls) == 12
    assert f"{last:%Y%m%d%H%M}" in reader.urls[10]


def test_more_papers_of_one_minute_than_a_search_gives_are_told() -> None:
    request = start()
    state: dict[str, Any] = json.loads(request.cursor)
    state["current"] |= {"start": MAX_RESULTS - 1, "slice": "2026-04-21T09:15:00+00:00"}
    with pytest.raises(SourceError, match="20,000 papers of one minute"):
        read_api(
            start(cursor=json.dumps(state)),
            Response(status=200, headers=(), body=feed(entry(), total=20_000)),
            announce=False,
        )
