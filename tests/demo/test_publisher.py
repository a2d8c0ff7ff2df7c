"""The publisher judges the source, so recorded feeds judge the publisher."""

from __future__ import annotations

import http.client
import re
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from digest.demo.publisher import (
    AnnouncedPaper,
    Publisher,
    cut_off,
    drop_connection,
    load_shipped_papers,
    read_papers,
    replace_body,
    return_error,
    send_slowly,
    truncate_body,
)
from tests.simulation.recorded_days import list_announcement_days, read_rows_of_day
from tests.support.cases import for_each_case
from tests.support.timeouts import PATIENCE
from tests.tools.demo_listings import select_papers

ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
CREATOR, RIGHTS = f"{DUBLIN_CORE}creator", f"{DUBLIN_CORE}rights"
FRIDAY = date(2026, 5, 8)
PAPER = AnnouncedPaper(
    id="2605.06472",
    title="Serving <many> agents & more",
    day=FRIDAY,
    abstract="We serve $a < b$.",
    authors=(r"Andr\'e Martin", "Fangcheng Fu"),
    categories=("cs.LG", "cs.DC"),
)


def get(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers in lower case, and body; error statuses too."""
    request = urllib.request.Request(
        url, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.status, {k.lower(): v for k, v in response.headers.items()}, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


def read_comment(data: Path, paper: AnnouncedPaper) -> str:
    """The recorded remark of its authors."""
    (row,) = (row for row in read_rows_of_day(data, paper.day) if row["id"] == paper.id)
    return str(row["comments"])


def items(body: bytes) -> list[tuple[str, str]]:
    """Guid and announce type of each item."""
    return [
        (item.findtext("guid", ""), item.findtext(f"{ARXIV}announce_type", ""))
        for item in ET.fromstring(body).iter("item")
    ]


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with Publisher([PAPER], day=FRIDAY, sections=["cs.CL"]) as publisher:
        yield publisher


# --- shape ----------------------------------------------------------------------------------------


def text(entry: ET.Element, *paths: str) -> str:
    """The text of the first child there is."""
    return next((entry.findtext(path) or "" for path in paths if entry.find(path) is not None), "")


def read_back(entry: ET.Element, day: date) -> AnnouncedPaper:
    """The facts of an entry of a recorded feed."""
    guid = text(entry, "guid", f"{ATOM}id")
    identifier, _, version = guid.rpartition(":")[2].rpartition("v")
    categories = entry.findall("category") or entry.findall(f"{ATOM}category")
    return AnnouncedPaper(
        id=identifier,
        version=int(version),
        title=text(entry, "title", f"{ATOM}title"),
        day=day,
        abstract=text(entry, "description", f"{ATOM}summary").partition("\nAbstract: ")[2],
        authors=(text(entry, CREATOR),),
        categories=tuple(category.get("term") or category.text or "" for category in categories),
        kind=text(entry, f"{ARXIV}announce_type"),
        doi=text(entry, f"{ARXIV}DOI"),
        journal=text(entry, f"{ARXIV}journal_reference"),
        license_url=text(entry, RIGHTS),
    )


def without_build_time(body: bytes) -> bytes:
    return re.sub(rb"<(lastBuildDate|updated)>.*?</\1>", b"", body)


@for_each_case(
    "recording",
    [
        "2025-09-11_atom_cs.CL",
        "2025-09-11_rss_cs.CL",
        "2026-03-05_rss_astro-ph",
        "2026-04-13_rss_cs.DC",
        "2026-04-14_rss_nosuch",
        "2026-04-18_rss_cs.LG",
        "2026-04-22_atom_cs.CV",
        "2026-04-22_rss_cs.CV",
        "2026-04-27_rss_cs.CV",
    ],
)
def test_a_feed_equals_the_recorded_one_byte_for_byte(data: Path, recording: str) -> None:
    recorded = (data / "arxiv" / "rss_rendered" / f"{recording}.xml").read_bytes()
    day_text, route, section = recording.split("_")
    day = date.fromisoformat(day_text)
    root = ET.fromstring(recorded)
    papers = [read_back(entry, day) for entry in [*root.iter("item"), *root.iter(f"{ATOM}entry")]]

    with Publisher(papers, day=day, sections=[] if section == "nosuch" else [section]) as publisher:
        _, _, body = get(f"{publisher.url}/{route}/{section}")

    assert without_build_time(body) == without_build_time(recorded)


def test_markup_in_titles_and_abstracts_is_escaped(publisher: Publisher) -> None:
    _, _, body = get(f"{publisher.url}/rss/cs.LG")

    item = ET.fromstring(body).find("channel/item")
    assert item is not None
    assert item.findtext("title") == PAPER.title
    assert item.findtext("description") == (
        "arXiv:2605.06472v1 Announce Type: new \nAbstract: We serve $a < b$."
    )
    assert item.findtext(CREATOR) == r"Andr\'e Martin, Fangcheng Fu"


def test_rows_of_the_listings_that_ship_are_readable() -> None:
    row = {
        "id": "2605.1",
        "title": "T",
        "authors": ["A B"],
        "categories": ["cs.DC"],
        "announced": "2026-05-08",
    }

    more = {"abstract": "We serve.", "license": "https://license.example.org/", "version": 3}

    assert list(read_papers([row, row | more])) == [
        AnnouncedPaper(id="2605.1", title="T", day=FRIDAY, authors=("A B",), categories=("cs.DC",)),
        AnnouncedPaper(
            id="2605.1",
            title="T",
            day=FRIDAY,
            abstract="We serve.",
            authors=("A B",),
            categories=("cs.DC",),
            version=3,
            license_url="https://license.example.org/",
        ),
    ]


def test_what_ships_is_every_recorded_paper_of_three_consecutive_days(data: Path) -> None:
    shipped = load_shipped_papers()
    days = list_announcement_days(data, shipped[0].day, shipped[-1].day)

    assert days == [date(2026, 5, 6), date(2026, 5, 7), date(2026, 5, 8)]
    assert [replace(paper, abstract="", license_url="") for paper in shipped] == [
        replace(paper, abstract="") for paper in select_papers(data)
    ]


def test_abstracts_ship_word_for_word_and_only_under_a_licence_that_the_recordings_name(data: Path) -> None:
    recorded = {paper.id: paper for paper in select_papers(data)}
    with_abstract = [paper for paper in load_shipped_papers() if paper.abstract]

    assert with_abstract
    for paper in with_abstract:
        assert paper.abstract == recorded[paper.id].abstract
        assert paper.license_url == "https://creativecommons.org/licenses/by/4.0/"
        assert "under CC BY 4.0" in read_comment(data, paper)


def test_each_abstract_that_ships_is_named_with_its_licence() -> None:
    text = files("digest.demo").joinpath("LICENSES.md").read_text("utf-8")
    rows = re.findall(r"\| \[(\S+)\]\(\S+\), .*?\]\((\S+)\) \|", text)

    assert rows == [(paper.id, paper.license_url) for paper in load_shipped_papers() if paper.abstract]


def test_the_listings_that_ship_are_small() -> None:
    assert len(files("digest.demo").joinpath("listings.jsonl").read_bytes()) < 250_000


# --- what is listed where -------------------------------------------------------------------------


def test_a_paper_is_new_where_its_primary_category_is_and_a_cross_listing_elsewhere(
    publisher: Publisher,
) -> None:
    kinds = {
        section: items(get(f"{publisher.url}/rss/{section}")[2])
        for section in ("cs.LG", "cs.DC", "cs", "cs.CL")
    }

    assert kinds == {
        "cs.LG": [("oai:arXiv.org:2605.06472v1", "new")],
        "cs.DC": [("oai:arXiv.org:2605.06472v1", "cross")],
        "cs": [("oai:arXiv.org:2605.06472v1", "new")],
        "cs.CL": [],
    }


def test_new_versions_up_to_the_fifth_are_replacements_and_stand_last() -> None:
    versions = [replace(PAPER, id=f"2401.0000{version}", version=version) for version in (2, 5, 6)]

    with Publisher([*versions, PAPER], day=FRIDAY) as publisher:
        primary, crossed = (items(get(f"{publisher.url}/rss/{section}")[2]) for section in ("cs.LG", "cs.DC"))

    assert primary == [
        ("oai:arXiv.org:2605.06472v1", "new"),
        ("oai:arXiv.org:2401.00002v2", "replace"),
        ("oai:arXiv.org:2401.00005v5", "replace"),
    ]
    assert [kind for _, kind in crossed] == ["cross", "replace-cross", "replace-cross"]


def test_an_over_full_feed_loses_the_new_papers_with_the_lowest_ids() -> None:
    papers = [replace(PAPER, id=f"2605.0000{number}", version=1 + number // 4) for number in range(6)]

    with Publisher(papers, day=FRIDAY, limit=4) as publisher:
        remaining = items(get(f"{publisher.url}/rss/cs.LG")[2])

    assert [guid[14:] for guid, _ in remaining] == [
        "2605.00002v1",
        "2605.00003v1",
        "2605.00004v2",
        "2605.00005v2",
    ]


def test_only_the_day_that_it_is_can_be_had(publisher: Publisher) -> None:
    publisher.day = date(2026, 5, 9)

    _, _, body = get(f"{publisher.url}/rss/cs.LG")

    assert items(body) == []
    assert b"<pubDate>Sat, 09 May 2026 00:00:00 -0400</pubDate>" in body


def test_a_section_can_be_stuck_at_another_day(publisher: Publisher) -> None:
    publisher.day = date(2026, 5, 11)
    publisher.stale_days["cs.LG"] = FRIDAY

    assert len(items(get(f"{publisher.url}/rss/cs.LG")[2])) == 1
    assert items(get(f"{publisher.url}/rss/cs.DC")[2]) == []


def test_an_unknown_section_gets_a_feed_that_says_so_with_status_400(publisher: Publisher) -> None:
    status, headers, body = get(f"{publisher.url}/rss/cs.NOPE")

    assert (status, headers["content-type"]) == (400, "application/rss+xml")
    assert b"<title>Feed error for query: http://rss.arxiv.org/rss/cs.NOPE</title>" in body


def test_case_does_not_matter_in_a_section_and_there_are_two_routes_only(publisher: Publisher) -> None:
    assert get(f"{publisher.url}/atom/cs.lg")[0] == 200
    assert get(f"{publisher.url}/list/cs.LG")[0] == 404
    assert get(f"{publisher.url}/")[0] == 404


# --- conditional requests, the log, faults --------------------------------------------------------


def test_the_same_feed_again_is_not_sent_when_its_etag_is_named(publisher: Publisher) -> None:
    _, headers, _ = get(f"{publisher.url}/rss/cs.LG")

    status, _, body = get(f"{publisher.url}/rss/cs.LG", If_None_Match=headers["etag"])

    assert (status, body) == (304, b"")
    assert get(f"{publisher.url}/rss/cs.DC", If_None_Match=headers["etag"])[0] == 200


def test_requests_are_logged_in_order(publisher: Publisher) -> None:
    get(f"{publisher.url}/rss/cs.LG", User_Agent="digest-test")
    get(f"{publisher.url}/atom/cs.DC")

    assert [received_request.path for received_request in publisher.requests] == ["/rss/cs.LG", "/atom/cs.DC"]
    assert publisher.requests[0].headers["user-agent"] == "digest-test"


def test_a_fault_is_its_sections_own_and_goes_when_it_is_taken_out(publisher: Publisher) -> None:
    publisher.faults["cs.LG"] = return_error(503, retry_after="120")

    status, headers, _ = get(f"{publisher.url}/rss/cs.LG")
    assert (status, headers["retry-after"]) == (503, "120")
    assert get(f"{publisher.url}/rss/cs.DC")[0] == 200

    del publisher.faults["cs.LG"]
    assert get(f"{publisher.url}/rss/cs.LG")[0] == 200


def test_it_can_hang_up_without_an_answer(publisher: Publisher) -> None:
    publisher.faults["cs.LG"] = drop_connection

    with pytest.raises(http.client.RemoteDisconnected):
        get(f"{publisher.url}/rss/cs.LG")


def test_it_can_hang_up_in_the_middle(publisher: Publisher) -> None:
    publisher.faults["cs.LG"] = cut_off

    with pytest.raises(http.client.IncompleteRead):
        get(f"{publisher.url}/rss/cs.LG")


def test_it_can_send_half_a_feed_as_if_it_were_whole(publisher: Publisher) -> None:
    full_content = get(f"{publisher.url}/rss/cs.LG")[2]
    publisher.faults["cs.LG"] = truncate_body

    assert get(f"{publisher.url}/rss/cs.LG")[2] == full_content[: len(full_content) // 2]


def test_it_can_send_a_page_in_place_of_a_feed(publisher: Publisher) -> None:
    publisher.faults["cs.LG"] = replace_body(b"<html>Sign in</html>")

    status, headers, body = get(f"{publisher.url}/rss/cs.LG")

    assert (status, headers["content-type"], body) == (200, "text/html", b"<html>Sign in</html>")


def test_it_can_be_slow_without_keeping_anybody_when_it_closes() -> None:
    with Publisher([PAPER], day=FRIDAY) as publisher:
        publisher.faults["cs.LG"] = send_slowly(60)
        connection = http.client.HTTPConnection(
            "127.0.0.1", int(publisher.url.rpartition(":")[2]), timeout=PATIENCE
        )
        connection.request("GET", "/rss/cs.LG")
        response = connection.getresponse()
        first = response.read(1)

    response.close()
    connection.close()
    assert first == b"<"


def test_after_it_closed_its_port_refuses() -> None:
    with Publisher([PAPER], day=FRIDAY) as publisher:
        url = publisher.url

    with pytest.raises(urllib.error.URLError, match="refused"):
        get(f"{url}/rss/cs.LG")
