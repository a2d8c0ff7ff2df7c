"""What arXiv announces becomes listings, entry by entry; what is no announcement is said to be none."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.bylines import split_byline
from digest.core.papers.identity.ids import parse_arxiv_id
from digest.errors import SourceError
from digest.model import ListingKind
from digest.ports import AnnouncedDay, Request, Response
from digest.sources.arxiv.rss import MAX_ENTRIES, read_rss
from tests.sources.arxiv.golden_feeds import GOLDEN, load_recorded_feeds, read_recorded, summarize_day
from tests.support.cases import for_each_case

KINDS = (ListingKind.NEW, ListingKind.CROSS, ListingKind.REPLACE, ListingKind.REPLACE_CROSS)
MADE = Path(__file__).parents[1] / "data" / "arxiv"
RECORDED: dict[str, dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))


def made(name: str) -> bytes:
    return (MADE / name).read_bytes()


def read(body: bytes, *, section: str = "cs.LG", status: int = 200) -> AnnouncedDay:
    request = Request(section=section, route="rss", url=f"https://rss.arxiv.org/rss/{section}")
    (day,) = read_rss(request, Response(status=status, headers=(), body=body)).announced
    return day


# --- a whole feed ---------------------------------------------------------------------------------


def test_each_entry_is_a_listing_with_all_that_arxiv_says() -> None:
    page = read(made("announced.rss.xml"))
    assert (page.day, page.over_full) == (date(2026, 4, 1), False)
    assert [listing.kind.value for listing in page.listings] == ["new", "cross", "replace", "replace-cross"]
    first, second, third, fourth = (listing.paper for listing in page.listings)
    assert (first.key, first.version) == ("arxiv:2604.00001", 1)
    assert first.url == "https://arxiv.org/abs/2604.00001"
    assert first.pdf_url == "https://arxiv.org/pdf/2604.00001"
    assert first.license_url == "http://creativecommons.org/licenses/by/4.0/"
    assert first.categories == ("cs.LG", "cs.DC")
    assert (second.doi, second.journal_ref) == ("10.1000/abc.def", "J. Made Up 1 (2026) 1-2")
    assert (third.key, third.version) == ("arxiv:2401.00003", 3)
    assert (fourth.key, fourth.version) == ("arxiv:cs/0101004", 2)
    assert fourth.license_url == fourth.doi == fourth.journal_ref == fourth.comment == ""


def test_texts_are_one_line_and_keep_their_mathematics() -> None:
    first = read(made("announced.rss.xml")).listings[0].paper
    assert first.title == "Serving with $a < b$ Tokens and <think>"
    assert first.abstract == "We study serving. For $x < y$ and $y > z$ it is fast."


def test_authors_affiliations_and_accents_are_told_apart() -> None:
    papers = [listing.paper for listing in read(made("announced.rss.xml")).listings]
    assert [(author.name, author.affiliations) for author in papers[0].authors] == [
        ("Paul Erdős", ("Institute of Proofs, Budapest",)),
        ("Seza Doğruöz", ()),
        ("Martin King Jr.", ()),
    ]
    assert [(author.name, author.affiliations) for author in papers[1].authors] == [
        ("ATLAS Collaboration", ()),
        ("A. Author", ()),
        ("B. Other", ("Here (and there), Nowhere",)),
    ]


def test_a_licence_that_is_no_web_address_is_left_out() -> None:
    assert read(made("announced.rss.xml")).listings[1].paper.license_url == ""


@pytest.mark.parametrize("name", ["announced.atom.xml", "mirrored.rss.xml"])
def test_atom_and_mirrors_with_other_prefixes_give_the_same_listings(name: str) -> None:
    assert read(made(name)) == read(made("announced.rss.xml"))


def test_a_weekend_is_a_day_without_listings() -> None:
    page = read(made("quiet.rss.xml"))
    assert page == AnnouncedDay(day=date(2026, 4, 4))


def test_an_announce_type_that_is_not_known_loses_no_paper() -> None:
    body = made("announced.rss.xml")
    for kind in ("new", "cross", "replace", "replace-cross"):
        body = body.replace(f"announce_type>{kind}<".encode(), b"announce_type>unheard-of<")
    assert [listing.kind for listing in read(body).listings] == list(KINDS)
    bare = body.replace(b"<arxiv:announce_type>unheard-of</arxiv:announce_type>", b"")
    assert [listing.kind for listing in read(bare).listings] == list(KINDS)


def test_a_feed_at_the_limit_is_told_to_be_over_full() -> None:
    head, item, rest = _one_item(made("announced.rss.xml"))
    assert not read(head + item * (MAX_ENTRIES - 1) + rest).over_full
    assert read(head + item * MAX_ENTRIES + rest).over_full


def _one_item(body: bytes) -> tuple[bytes, bytes, bytes]:
    start, end = body.index(b"<item>"), body.index(b"</item>") + len(b"</item>")
    return body[:start], body[start:end], b"</channel></rss>"


def test_unseen_characters_are_taken_out() -> None:
    hidden = "A\u202e Cross-\u200blisted\u00a0\u0085 Pa\u00adper".encode()
    body = made("announced.rss.xml").replace(b"A Cross-listed Paper", hidden)
    assert read(body).listings[1].paper.title == "A Cross-listed Paper"


@for_each_case(
    ("old", "new", "message"),
    [
        (b"oai:arXiv.org:2604.00001v1", b"nonsense", "without an arXiv id"),
        (b'<guid isPermaLink="false">oai:arXiv.org:2604.00001v1</guid>', b"", "without an arXiv id"),
    ],
)
def test_an_entry_that_cannot_be_read_costs_that_entry_and_is_told(
    old: bytes, new: bytes, message: str
) -> None:
    body = made("announced.rss.xml").replace(b"https://arxiv.org/abs/2604.00001", b"https://x.org/")
    request = Request(section="cs.LG", route="rss", url="https://rss.arxiv.org/rss/cs.LG")
    page = read_rss(request, Response(status=200, headers=(), body=body.replace(old, new, 1)))

    assert [listing.paper.key for listing in page.announced[0].listings] == [
        "arxiv:2604.00002",
        "arxiv:2401.00003",
        "arxiv:cs/0101004",
    ]
    assert message in page.unread[0]
    assert page.announced[0].expected == 4  # so another route is asked for the day


def test_a_feed_of_which_no_entry_can_be_read_is_told_as_that_and_not_as_a_quiet_day() -> None:
    dated = b"<pubDate>Fri, 12 Jun 2026 00:00:00 -0400</pubDate>"
    request = Request(section="cs.LG", route="rss", url="https://rss.arxiv.org/rss/cs.LG")
    body = b"<rss><channel><item><title>Post</title>" + dated + b"</item></channel></rss>"
    page = read_rss(request, Response(status=200, headers=(), body=body))

    assert page.is_unreadable
    assert "without an arXiv id: 'Post'" in page.unread[0]


# --- what is no announcement ----------------------------------------------------------------------


@for_each_case(
    ("body", "text"),
    [
        (b"", "came back empty"),
        (b" \n", "came back empty"),
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "a web page"),
        (b"<html><head><title>503</title></head><body/></html>", "a web page"),
        (b"<!doctype html><p>not well-formed<br>", "a web page"),
        (b"upstream connect error", "not well-formed XML"),
        (b'{"error": 1}', "not well-formed XML"),
        (b"<feeds/>", "a document of <feeds>"),
        (b"<?xml version='1.0' encoding='nonsense'?><rss/>", "cannot be read"),
        (b"<rss><channel><title>Somebody's blog</title></channel></rss>", "it is not arXiv's"),
        (b"<rss><channel/></rss>", "it is not arXiv's"),
        (b"<rss><channel><title>cs.CV updates on arXiv.org</title></channel></rss>", "is about cs.CV"),
        (b"<rss><channel><title>cs.LG updates on arXiv.org</title></channel></rss>", "which day"),
        (b"<rss><channel><item><title>Post</title></item></channel></rss>", "which day"),
    ],
)
def test_an_answer_that_is_no_listing_is_refused_and_told(body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=r"arXiv's feed of cs\.LG") as error:
        read(body)
    assert text in str(error.value)
    assert str(error.value).endswith(".")


def test_arxivs_reason_for_a_refusal_is_told_and_what_to_do() -> None:
    for status in (400, 200):
        with pytest.raises(
            SourceError, match=rf"HTTP {status}\): Bad archive 'nosuch'.*Check the categories"
        ):
            read(made("refused.rss.xml"), status=status)


@for_each_case("status", [204, 301, 304, 403, 429, 500, 503])
def test_no_other_status_is_read(status: int) -> None:
    with pytest.raises(SourceError, match=f"refused \\(HTTP {status}\\)"):
        read(b"gone", status=status)


def test_entries_of_several_days_are_no_announcement() -> None:
    body = made("announced.rss.xml").replace(b"<pubDate>Wed, 01 Apr", b"<pubDate>Tue, 31 Mar", 2)
    with pytest.raises(SourceError, match="mixes several days \\(2026-03-31, 2026-04-01\\)"):
        read(body)


def test_a_bomb_of_entities_is_refused_before_it_goes_off() -> None:
    lines = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
    bomb = f"<!DOCTYPE rss [<!ENTITY a0 'ha'>{lines}]><rss><channel><title>&a9;</title></channel></rss>"
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(SourceError, match="a document with a DOCTYPE"):
            read(bomb.encode(encoding))


whole_feeds = st.sampled_from(["announced.rss.xml", "announced.atom.xml"]).map(made).map(bytes.rstrip)


@given(whole_feeds, st.integers(min_value=0))
def test_a_feed_cut_anywhere_is_never_half_a_page(body: bytes, cut: int) -> None:
    with pytest.raises(SourceError, match=r"is cut off|came back empty"):
        read(body[: cut % len(body)])


@given(whole_feeds, st.lists(st.tuples(st.integers(0, 6000), st.binary(max_size=9)), min_size=1, max_size=4))
def test_a_feed_damaged_anywhere_is_read_or_refused(body: bytes, damages: list[tuple[int, bytes]]) -> None:
    for at, junk in damages:
        body = body[:at] + junk + body[at + len(junk) :]
    with suppress(SourceError):
        assert len(read(body).listings) <= 4


# --- recorded feeds -------------------------------------------------------------------------------


@for_each_case("file", RECORDED)
def test_a_recorded_feed_gives_what_it_gave(data: Path, file: str) -> None:
    golden = RECORDED[file]
    row = load_recorded_feeds(data)[file]
    assert (row["origin"], row["sha256"]) == (golden["origin"], golden["sha256"])
    if "error" in golden:
        with pytest.raises(SourceError) as error:
            read_recorded(data, row)
        assert str(error.value) == golden["error"]
    else:
        assert summarize_day(read_recorded(data, row)) == {
            name: value for name, value in golden.items() if name not in {"origin", "sha256"}
        }


def test_every_recorded_feed_is_in_the_golden_file(data: Path) -> None:
    assert set(load_recorded_feeds(data)) == set(RECORDED)


@pytest.mark.parametrize(
    "day_and_section", ["2025-09-11_{}_cs.CL", "2026-03-10_{}_cs.LG", "2026-04-22_{}_cs.CV"]
)
def test_rss_and_atom_of_a_day_give_the_same_listings(data: Path, day_and_section: str) -> None:
    rows = load_recorded_feeds(data)
    rss, atom = (
        read_recorded(data, rows[f"arxiv/rss_rendered/{day_and_section.format(form)}.xml"])
        for form in ("rss", "atom")
    )
    assert rss == atom


NOT_EMPTY = [file for file, golden in RECORDED.items() if golden.get("kinds")]


@for_each_case("file", NOT_EMPTY[::4])
def test_feedparser_reads_the_same_field_by_field(data: Path, file: str) -> None:
    demand_the_same_fields(data, file)


@pytest.mark.long
@for_each_case("file", NOT_EMPTY)
def test_feedparser_reads_the_same_field_by_field_of_each_feed(data: Path, file: str) -> None:
    demand_the_same_fields(data, file)


def demand_the_same_fields(data: Path, file: str) -> None:
    """Make sure that we read of a recorded feed what another program reads."""
    page = read_recorded(data, load_recorded_feeds(data)[file])
    assert list(_ours(page)) == list(_feedparsers((data / file).read_bytes()))


def _ours(page: AnnouncedDay) -> Iterator[tuple[object, ...]]:
    for listing in page.listings:
        paper = listing.paper
        id_ = (paper.key.removeprefix("arxiv:"), paper.version)
        yield (
            id_,
            listing.kind.value,
            paper.title,
            paper.abstract,
            paper.url,
            paper.license_url,
            len(paper.authors),
        )


def _feedparsers(body: bytes) -> Iterator[tuple[object, ...]]:
    feed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    assert not feed.bozo
    for entry in feed.entries:
        texts = (" ".join(text.split()) for text in (entry.title, entry.summary.partition("Abstract:")[2]))
        byline = split_byline(entry.author)
        yield (
            parse_arxiv_id(entry.id),
            entry.arxiv_announce_type,
            *texts,
            entry.link,
            entry.rights,
            len(byline),
        )
