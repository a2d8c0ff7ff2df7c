"""arXiv's web pages become listings, entry by entry; what is no whole page of what was asked is said to be none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Author, ListingKind
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.sources.arxiv.pages import ACCEPT, PAGE_SIZE, build_catchup_url, build_listing_url, read_pages
from tests.arxiv_service.history import Announcement, Row
from tests.arxiv_service.pages import ListingPage, render_catchup_page, render_new_page
from tests.support.cases import for_each_case

MADE = Path(__file__).parents[1] / "data" / "arxiv"
BASE = "https://arxiv.org/"
FRIDAY = date(2026, 6, 12)


def made(name: str) -> bytes:
    return (MADE / name).read_bytes()


def listing(section: str = "cs.LG") -> Request:
    return Request(section=section, route="listing", url=build_listing_url(BASE, section))


def catchup(section: str, day: date, page: int = 1) -> Request:
    return Request(section=section, route="catchup", day=day, url=build_catchup_url(BASE, section, day, page))


def answer(body: bytes, request: Request | None = None, *, status: int = 200) -> Page:
    return read_pages(request or listing(), Response(status=status, headers=(), body=body))


def read(body: bytes, request: Request | None = None) -> AnnouncedDay:
    (day,) = answer(body, request).announced
    return day


# --- a whole page ---------------------------------------------------------------------------------


def test_the_addresses_ask_for_the_longest_pages_with_abstracts() -> None:
    assert build_listing_url(BASE, "cs.LG") == "https://arxiv.org/list/cs.LG/new?skip=0&show=2000"
    catchup_url = build_catchup_url("http://127.0.0.1:8080", "cs", FRIDAY, 2)
    assert catchup_url == "http://127.0.0.1:8080/catchup/cs/2026-06-12?abs=True&page=2"
    assert ACCEPT.startswith("text/html")


def test_each_entry_is_a_listing_with_all_that_arxiv_says() -> None:
    page = answer(made("announced.list.html"))
    (day,) = page.announced
    assert (day.day, day.expected, day.over_full) == (FRIDAY, 7, False)
    assert (page.next, page.unread, page.records, page.cursor) == (None, (), (), "")
    assert [(entry.kind.value, entry.paper.key, entry.paper.version) for entry in day.listings] == [
        ("new", "arxiv:2606.00001", 1),
        ("new", "arxiv:2606.00002", 1),
        ("new", "arxiv:2606.00003", 1),
        ("cross", "arxiv:2606.00004", 0),
        ("replace", "arxiv:2401.00003", 3),
        ("replace-cross", "arxiv:cs/0101004", 0),
        ("replace", "arxiv:2401.00007", 0),
    ]
    papers = [entry.paper for entry in day.listings]
    assert papers[0].categories == ("cs.LG", "cs.DC", "cs.IT")
    assert papers[3].categories == ("stat.ML", "cs.LG", "math.ST")
    assert papers[0].url == "https://arxiv.org/abs/2606.00001"
    assert papers[5].pdf_url == "https://arxiv.org/pdf/cs/0101004"
    assert papers[1].journal_ref == "J. Made Up 1 (2026) 1-2 & 3"
    assert papers[1].comment == papers[0].journal_ref == papers[0].doi == ""


def test_texts_are_one_line_and_keep_their_mathematics() -> None:
    first = read(made("announced.list.html")).listings[0].paper
    assert first.title == "Serving: $a < b$ Tokens & <think> in α Passes"
    assert first.abstract == (
        "We study serving. For $x < y$ and $y > z$ it is fast, as arXiv:2401.00001 says."
        " Code is at https://github.com/lab/serve."
    )


def test_addresses_that_arxiv_hides_are_told() -> None:
    comment = read(made("announced.list.html")).listings[0].paper.comment
    assert comment == "9 pages. Code: https://github.com/lab/serve?a=1&b=2; see train.py and doi:10.1000/abc"


def test_authors_affiliations_and_accents_are_told_apart() -> None:
    papers = [entry.paper for entry in read(made("announced.list.html")).listings]
    assert papers[0].authors == (
        Author("Paul Erdős", ("Institute of Proofs & Co., http://lab.example.org/p",)),
        Author("José Martín"),
        Author("Martin King Jr."),
        Author("Wu"),
    )
    assert papers[1].authors == (
        Author("ATLAS Collaboration"),
        Author("A. Author"),
        Author("B. Other", ("Here (and there), Nowhere",)),
    )
    assert papers[2].authors == ()


def test_signs_of_html_in_a_name_lose_nobody() -> None:
    body = made("announced.list.html").replace(b">Ada Lovelace<", b">Ada &lt;b Lovelace &amp;amp<")
    assert read(body).listings[3].paper.authors == (Author("Ada <b Lovelace &"),)


def test_the_remark_that_a_paper_is_withdrawn_is_kept() -> None:
    assert read(made("announced.list.html")).listings[2].paper.comment == (
        "This paper has been withdrawn by the author"
    )


def test_a_catchup_page_is_read_like_a_list() -> None:
    request = catchup("cs", date(2026, 6, 9), page=2)
    page = answer(made("last.catchup.html"), request)
    (day,) = page.announced
    assert (day.day, day.expected, page.next) == (date(2026, 6, 9), 2002, None)
    assert [(entry.kind, entry.paper.key, entry.paper.version) for entry in day.listings] == [
        (ListingKind.REPLACE, "arxiv:2604.00011", 2),  # math.NA is cs.NA
        (ListingKind.REPLACE_CROSS, "arxiv:2604.00012", 0),
    ]


@pytest.mark.parametrize(
    ("name", "request_", "day"),
    [
        ("quiet.list.html", listing(), FRIDAY),
        ("quiet.catchup.html", catchup("cs.LG", date(2026, 6, 13)), date(2026, 6, 13)),
    ],
)
def test_a_quiet_day_is_a_day_without_listings(name: str, request_: Request, day: date) -> None:
    assert answer(made(name), request_) == Page(announced=(AnnouncedDay(day=day),))


@pytest.mark.parametrize("heading", ["Withdrawn submissions", "Papers", ""])
def test_a_heading_that_is_not_known_loses_no_paper(heading: str) -> None:
    body = re.sub(rb"\w+ submissions", heading.encode(), made("announced.list.html"))
    assert read(body) == read(made("announced.list.html"))


# --- several pages --------------------------------------------------------------------------------


def rows(count: int) -> Sequence[Row]:
    """As many papers of cs.LG, the last third replaced, in the order of a list."""
    new = count - count // 3
    return [
        Row(
            "new" if number < new else "replace",
            Announcement(
                day=FRIDAY,
                id=f"2606.{number:05}",
                title=f"Paper {number}",
                categories=("cs.LG",),
                version=1 if number < new else 2,
            ),
        )
        for number in range(count)
    ]


def served(request: Request, day: Sequence[Row]) -> bytes:
    """What the simulated arXiv shows at the request's address."""
    numbers = dict(re.findall(r"(skip|page)=(\d+)", request.url))
    skip = int(numbers.get("skip", 0)) or (int(numbers.get("page", 1)) - 1) * PAGE_SIZE
    sheet = ListingPage(day=FRIDAY, section=request.section, rows=day, skip=skip, size=PAGE_SIZE)
    if request.route == "listing":
        return render_new_page(sheet)
    return render_catchup_page(sheet, page=skip // PAGE_SIZE + 1, abstracts=True, following=None)


@for_each_case("request_", [listing(), catchup("cs.LG", FRIDAY)])
@for_each_case(("count", "pages"), [(1, 1), (2000, 1), (2001, 2), (4000, 2), (4100, 3)])
def test_a_day_of_many_entries_is_read_to_its_last_page(request_: Request, count: int, pages: int) -> None:
    day = rows(count)
    keys: list[str] = []
    request_count = 0
    further: Request | None = request_
    while further is not None:
        page = answer(served(further, day), further)
        (part,) = page.announced
        assert (part.day, part.expected, page.unread) == (FRIDAY, count, ())
        keys += [entry.paper.key for entry in part.listings]
        assert page.next is None or page.next == replace(further, url=page.next.url)
        further, request_count = page.next, request_count + 1
    assert (len(set(keys)), request_count) == (count, pages)


def test_a_page_beyond_the_last_is_the_end() -> None:
    request = catchup("cs.LG", FRIDAY, page=3)
    page = answer(served(request, rows(4000)), request)
    assert page == Page(announced=(AnnouncedDay(day=FRIDAY, expected=4000),))


# --- what is missing or cannot be read ------------------------------------------------------------


def test_an_entry_that_cannot_be_read_is_told_and_the_others_are_kept() -> None:
    body = made("announced.list.html").replace(b"/abs/2606.00002", b"/abs/nonsense")
    body = body.replace(b"A Cross-listed Paper", b"").replace(b"arXiv:2606.00004", b"somewhere else")
    page = answer(body)
    assert [entry.paper.key[6:] for entry in page.announced[0].listings] == [
        *("2606.00001", "2606.00003", "2401.00003", "cs/0101004", "2401.00007")
    ]
    assert page.announced[0].expected == 7
    assert page.unread == (
        "arXiv's list of cs.LG has an entry without arXiv id: '[2] arXiv:2606.00002 [pdf, other]'.",
        "arXiv's list of cs.LG has an entry without title: '[4] somewhere else (cross-list from stat.ML) [pdf, other]'.",
    )


def test_an_entry_whose_texts_are_missing_is_told() -> None:
    body = re.sub(rb"<dd>((?!</dd>).)*Emmy.*?</dd>", b"", made("announced.list.html"), flags=re.DOTALL)
    page = answer(body)
    assert len(page.announced[0].listings) == 6
    assert [text for text in page.unread if "2401.00007" in text] == list(page.unread)


def test_fewer_entries_than_the_page_says_that_it_shows_are_refused() -> None:
    body = re.sub(rb"<dt>((?!</dt>).)*2606\.00002.*?</dd>", b"", made("announced.list.html"), flags=re.DOTALL)
    with pytest.raises(
        SourceError, match=r"has 2 entries under 'New submissions \(showing 3 of 3 entries\)'"
    ):
        answer(body)


def test_a_count_without_entries_is_no_quiet_day() -> None:
    body = re.sub(rb"<dl .*</dl>", b"", made("announced.list.html"), flags=re.DOTALL)
    with pytest.raises(SourceError, match="says that it has 7 entries but shows none"):
        answer(body)


def test_a_page_without_entries_that_gives_no_reason_is_no_quiet_day() -> None:
    with pytest.raises(SourceError, match="has no entries and gives no reason"):
        answer(made("quiet.list.html").replace(b"No updates today.", b""))


pages = st.sampled_from(["announced.list.html", "quiet.list.html"])


@given(pages, st.integers(min_value=0))
def test_a_page_cut_anywhere_is_noticed_or_has_lost_nothing(name: str, cut: int) -> None:
    full_content = made(name)
    body = full_content[: cut % len(full_content)]
    if b"</html" in body:
        assert answer(body) == answer(full_content)
    else:
        with pytest.raises(SourceError, match=r"is cut off|came back empty|is not a web page"):
            answer(body)


@given(st.integers(min_value=0), st.integers(1, 9_000))
def test_a_page_that_lost_entries_never_counts_as_whole(start: int, length: int) -> None:
    body = made("announced.list.html")
    first, last = body.index(b"<dl"), body.rindex(b"</dl>")
    start = first + start % (last - first)
    with suppress(SourceError):
        day = read(body[:start] + body[start + length :])
        keys = [entry.paper.key for entry in day.listings]
        assert day.expected == 7
        assert len(keys) < 7 or keys == [entry.paper.key for entry in read(body).listings]


markup = st.sampled_from(
    [
        b"<!--",
        b"-->",
        b"<dl>",
        b"</dl>",
        b"<dt>",
        b"<dd>",
        b"</div>",
        b"<svg>",
        b"<script>",
        b"<select>",
        b"<p>",
    ]
)
damage = st.tuples(st.integers(0, 15_000), st.binary(max_size=9) | markup, st.integers(0, 400))


@given(st.lists(damage, min_size=1, max_size=6))
def test_a_page_damaged_anywhere_is_read_or_refused(damages: list[tuple[int, bytes, int]]) -> None:
    body = made("announced.list.html")
    for at, junk, lost in damages:
        body = body[:at] + junk + body[at + lost :]
    with suppress(SourceError):
        page = answer(body)
        assert page.announced[0].listings or page.unread


letters = st.characters(exclude_categories=["Cc", "Cs"])


@given(st.text(letters, max_size=60).filter(normalize_line), st.text(letters, max_size=200))
def test_any_title_and_abstract_come_out_as_they_were_typed(title: str, abstract: str) -> None:
    paper = Announcement(
        day=FRIDAY, id="2606.00001", title=title, abstract=abstract.replace("://", ""), categories=("cs.LG",)
    )
    sheet = ListingPage(day=FRIDAY, section="cs.LG", rows=[Row("new", paper)], skip=0, size=PAGE_SIZE)
    (entry,) = read(render_new_page(sheet)).listings
    assert (entry.paper.title, entry.paper.abstract) == (
        normalize_line(title),
        normalize_line(paper.abstract),
    )


# --- what is no page of this ----------------------------------------------------------------------


@for_each_case(
    ("body", "text"),
    [
        (b"", "came back empty"),
        (b" \n", "came back empty"),
        (b"upstream connect error", "is not a web page; it begins with 'upstream connect error'"),
        (b'{"error": 1}', "is not a web page"),
        (b"<?xml version='1.0'?><rss/>", "is not a web page"),
        (b"<!DOCTYPE html><html><head><title>Just a moment", "is cut off after 47 bytes"),
        (
            b"<html><title>Access Denied</title></html>",
            "a web page titled 'Access Denied', perhaps from a proxy",
        ),
        (b"<html><h1>Log in</h1></html>", "a web page titled 'Log in', perhaps from a proxy or a login"),
        (b"<html></html>", "a web page titled ''"),
        (
            b"<html><h3>Showing new listings for today</h3></html>",
            "does not say which day it is for: 'today'",
        ),
        (b"<html><h3>Showing new listings for Friday, 31 June 2026</h3></html>", "which day it is"),
    ],
)
def test_an_answer_that_is_no_list_is_refused_and_told(body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=r"^arXiv's list of cs\.LG ") as error:
        answer(body)
    assert text in str(error.value)
    assert str(error.value).endswith(".")


def test_another_sections_page_is_refused() -> None:
    with pytest.raises(SourceError, match=r"arXiv's list of stat\.ML is about cs\.LG: .* the wrong page\."):
        answer(made("announced.list.html"), listing("stat.ML"))
    with pytest.raises(SourceError, match=r"of cs\.LG for 2026-06-09 is about cs: "):
        answer(made("last.catchup.html"), catchup("cs.LG", date(2026, 6, 9)))
    with pytest.raises(SourceError, match=r"of math for 2026-06-13 is about Machine Learning: "):
        answer(made("quiet.catchup.html"), catchup("math", date(2026, 6, 13)))


def test_a_page_that_tells_only_its_name_is_taken_for_any_section_of_that_name() -> None:
    for section in ("cs.LG", "stat.ML"):
        assert not read(made("quiet.catchup.html"), catchup(section, date(2026, 6, 13))).listings
    renamed = made("quiet.catchup.html").replace(b"Machine Learning", b"Learning by Machines")
    assert not read(renamed, catchup("cs.LG", date(2026, 6, 13))).listings


def test_another_days_page_is_refused() -> None:
    with pytest.raises(SourceError, match=r"for 2026-06-12 is for 2026-06-13: .* the wrong page"):
        answer(made("quiet.catchup.html"), catchup("cs.LG", FRIDAY))


def test_arxivs_reason_for_a_refusal_is_told_and_what_to_do() -> None:
    with pytest.raises(SourceError) as error:
        answer(made("refused.list.html"), listing("nosuch"), status=400)
    assert str(error.value) == (
        "arXiv's list of nosuch was refused (HTTP 400): Invalid archive or category: nosuch."
        " Check the categories of this source."
    )


@for_each_case(
    ("status", "body", "text"),
    [
        (
            503,
            b"Not ready; try again in a few minutes.",
            "(HTTP 503): Not ready; try again in a few minutes.",
        ),
        (404, b"<html><h1>Not Found</h1><p class='is-size-5'>No such\n page.</p></html>", "): No such page."),
        (403, b"<html><title>Access  Denied</title></html>", "(HTTP 403): Access Denied."),
        (429, b"", "(HTTP 429), without a reason that could be read."),
        (304, b"", "(HTTP 304), without a reason"),
        (500, b"\xff\xfe\x00<", "(HTTP 500), without a reason"),
    ],
)
def test_no_other_status_is_read(status: int, body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match="was refused") as error:
        answer(body, status=status)
    assert text in str(error.value)
