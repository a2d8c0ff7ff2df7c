from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

import feedparser
import jinja2
import pytest
from bs4 import BeautifulSoup
from hypothesis import assume, given
from hypothesis import strategies as st

from digest.core.text.accents import decode_tex_accents
from digest.model import Abstracts, BatchState, Edition, EditionPart, EventKind, Frequency, Item, Signal
from digest.render.environment import make_environment, remove_unprintable
from digest.render.languages.by_name import get_locale
from digest.render.publishing.digest_feed import (
    EDITIONS_PER_ARCHIVE,
    MAX_ENTRIES,
    DigestFeed,
    FeedArchives,
    make_digest_feed,
    render_feed_files,
    select_recent_editions,
)
from digest.render.publishing.feeds import FEED_FORMATS, FeedDocument, FeedLinks, escape_tags
from digest.render.publishing.opml import OpmlFeed, render_opml
from digest.render.publishing.public_feed import PublicFeedContent, make_public_feed, render_public_files
from tests.render.delivery.test_mail import HOSTILE, make_hostile_edition
from tests.render.golden_feeds import GOLDEN, render_documents
from tests.render.samples import (
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
    make_paper,
)
from tests.support.cases import for_each_case
from tests.system.programs.feed_rules import Document, find_faults

Render = Callable[..., bytes]
ENVIRONMENT = make_environment()
SELF = "https://digest.example.org/feeds/llm-systems"
PAGE = "https://digest.example.org/editions"
PAPER = "tag:digest.example.org,2026:paper/arxiv:2606.0000"


def feed(*editions: Edition, **fields: Any) -> DigestFeed:
    known_values: dict[str, Any] = {"branding": SITE, "digest": "llm-systems", "title": "llm-systems"}
    return DigestFeed(editions=editions, **known_values | fields)


def document(
    environment: jinja2.Environment, feed: DigestFeed, links: FeedLinks | None = None
) -> FeedDocument:
    return make_digest_feed(environment, feed, links or FeedLinks(self=SELF if feed.branding.url else ""))


def rss(environment: jinja2.Environment, feed: DigestFeed, links: FeedLinks | None = None) -> bytes:
    return FEED_FORMATS["rss"].render(environment, document(environment, feed, links))


def atom(environment: jinja2.Environment, feed: DigestFeed, links: FeedLinks | None = None) -> bytes:
    return FEED_FORMATS["atom"].render(environment, document(environment, feed, links))


def json_feed(environment: jinja2.Environment, feed: DigestFeed, links: FeedLinks | None = None) -> bytes:
    return FEED_FORMATS["json"].render(environment, document(environment, feed, links))


def parsed(body: bytes) -> Any:
    result = feedparser.parse(io.BytesIO(body))
    assert not result.bozo, result.bozo_exception
    return result


def ids(feed: DigestFeed) -> list[str]:
    """The ids in order, which are the same in all three formats."""
    by_rss = [entry.id for entry in parsed(rss(ENVIRONMENT, feed)).entries]
    by_atom = [entry.id for entry in parsed(atom(ENVIRONMENT, feed)).entries]
    by_json = [entry["id"] for entry in json.loads(json_feed(ENVIRONMENT, feed))["items"]]
    assert by_rss == by_atom == by_json
    return by_rss


# --- entries --------------------------------------------------------------------------------------


def test_a_paper_is_an_entry_under_its_key_and_a_version_is_another() -> None:
    assert ids(
        feed(make_edition(make_item(1), make_item(2, EditionPart.MAYBE), make_item(3, EditionPart.VERSIONS)))
    ) == [
        f"{PAPER}1",
        f"{PAPER}2",
        f"{PAPER}3/version/3",
    ]


def test_each_piece_of_news_about_a_paper_is_an_entry_of_its_own() -> None:
    sent_feed = feed(make_edition_of_every_kind())

    assert ids(sent_feed) == [
        *(f"{PAPER}1", f"{PAPER}2", f"{PAPER}3/picked/0", f"{PAPER}4/picked/0", f"{PAPER}5/picked/0"),
        *(f"{PAPER}6/version/3", f"{PAPER}7/published/0", f"{PAPER}8/code/0"),
    ]
    titles = [
        entry.title.partition("Compression")[2] for entry in parsed(atom(ENVIRONMENT, sent_feed)).entries
    ]
    assert titles == [
        *("", "", " (picked)", " (picked)", " (picked)"),
        *(" (version 3, withdrawn)", " (published)", " (code)"),
    ]


def test_a_paper_that_grew_is_the_same_entry_as_when_it_was_new() -> None:
    assert ids(feed(make_edition(make_item(1, kind=EventKind.GROWN)))) == ids(
        feed(make_edition(make_item(1)))
    )


def test_the_newest_edition_comes_first_and_no_paper_twice() -> None:
    older = make_edition(make_item(1), make_item(2), composed_at=NOW - timedelta(days=1))

    assert ids(feed(make_edition(make_item(3), make_item(1)), older)) == [
        f"{PAPER}3",
        f"{PAPER}1",
        f"{PAPER}2",
    ]


def test_the_newest_entries_are_those_of_whole_editions_a_hundred_at_most() -> None:
    editions = [make_edition(*(make_item(40 * day + n) for n in range(40))) for day in range(4)]

    assert select_recent_editions(editions, by_edition=False) == editions[:2]
    assert select_recent_editions(editions, by_edition=True) == editions


def test_what_is_in_no_archive_is_told_whatever_its_size() -> None:
    editions = [
        make_edition(*(make_item(n) for n in range(MAX_ENTRIES + 50))),
        make_edition(make_item(1)),
        make_edition(make_item(2)),
    ]

    assert select_recent_editions(editions, by_edition=False) == editions[:1]
    assert select_recent_editions(editions, by_edition=False, unarchived=2) == editions[:2]
    assert len(ids(feed(*select_recent_editions(editions, by_edition=False)))) == MAX_ENTRIES + 50


@given(st.integers(0, 60), st.integers(0, 60))
def test_from_the_newest_entries_one_comes_to_the_first_edition_and_none_is_passed_over(
    made: int, fit: int
) -> None:
    archives = FeedArchives(made)
    newest = min(made, max(archives.unarchived, fit))
    seen_values = set(range(made - newest, made))
    number = archives.find_next(newest)

    assert number <= archives.archive_count
    while number:
        first = archives.count_before(number)
        assert first + EDITIONS_PER_ARCHIVE <= made  # it is full, and tells of the same for ever
        seen_values |= set(range(first, first + EDITIONS_PER_ARCHIVE))
        number -= 1
    assert seen_values == set(range(made))


# --- an entry an edition --------------------------------------------------------------------------


def test_an_edition_as_one_entry_has_all_of_its_papers() -> None:
    edition = replace(make_edition_of_three_parts(), overflow=(make_item(8),), dropped=2)
    what = feed(edition, by_edition=True, pages={edition.id: f"{PAGE}/1.x"})

    (entry,) = parsed(atom(ENVIRONMENT, what)).entries
    (as_json,) = json.loads(json_feed(ENVIRONMENT, what))["items"]

    assert entry.id == "tag:digest.example.org,2026:edition/llm-systems/2026-06-12T07:30"
    assert entry.link == f"{PAGE}/1.x"
    for item in (*edition.items, *edition.overflow):
        title = decode_tex_accents(item.paper.title)
        assert title in BeautifulSoup(entry.content[0].value, "html.parser").get_text()
        assert title in as_json["content_text"]
    for number in range(1, len(edition.items) + 1):
        assert f'href="{PAGE}/1.x/{number}?save"' in entry.content[0].value
        assert f"{PAGE}/1.x/{number}\n" in as_json["content_text"]
    assert "2 more papers match and come first in the next edition." in as_json["content_text"]


def test_a_weekly_edition_as_one_entry_has_its_overview() -> None:
    edition = make_edition(make_item(1), make_item(2), frequency=Frequency.WEEKLY)

    (entry,) = json.loads(json_feed(ENVIRONMENT, feed(edition, by_edition=True)))["items"]

    assert "<h2>The week at a glance</h2>" in entry["content_html"]
    assert "The week at a glance" in entry["content_text"]


@pytest.mark.parametrize("by_edition", [False, True])
def test_numbers_that_change_by_the_hour_change_no_entry(*, by_edition: bool) -> None:
    item = make_item(1)
    votes = Signal(subject=item.paper.key, kind="votes", source="hf", day=NOW.date(), value=41)
    counted = replace(item, event=replace(item.event, signals=(votes,)))

    before, after = (feed(make_edition(item), by_edition=by_edition) for item in (item, counted))

    assert document(ENVIRONMENT, before) == document(ENVIRONMENT, after)


def test_editions_and_papers_as_entries_have_ids_of_their_own() -> None:
    edition = replace(make_edition_of_three_parts(), overflow=(make_item(8),))

    assert not set(ids(feed(edition))) & set(ids(feed(edition, by_edition=True)))


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        (
            {"overflow": (make_item(8),), "dropped": 4},
            "12 Jun: 1 more paper; 4 more papers match and come first in the next edition",
        ),
        (
            {"batches": (make_batch(), make_batch("cs.LG", BatchState.WAITING))},
            "12 Jun: 212 listings so far; cs.LG missing",
        ),
        ({"items": ()}, "12 Jun: nothing new"),
    ],
)
def test_what_else_to_know_is_an_entry_of_its_own(fields: dict[str, Any], title: str) -> None:
    last = parsed(atom(ENVIRONMENT, feed(make_edition(**{"items": (make_item(1),)} | fields)))).entries[-1]

    assert last.id == "tag:digest.example.org,2026:digest/llm-systems/2026-06-12T07:30"
    assert last.title == title


def test_entries_keep_their_order_also_where_a_program_sorts_by_date() -> None:
    older = make_edition(make_item(4), make_item(5), composed_at=NOW - timedelta(days=1))
    entries = parsed(rss(ENVIRONMENT, feed(make_edition_of_three_parts(), older))).entries

    assert [
        entry.id for entry in sorted(entries, key=lambda value: value.published_parsed, reverse=True)
    ] == [entry.id for entry in entries]


def test_an_entry_says_what_the_mail_says() -> None:
    item = make_item(1, comment="17 pages", doi="10.1/x")

    for body in (rss(ENVIRONMENT, feed(make_edition(item))), atom(ENVIRONMENT, feed(make_edition(item)))):
        entry = parsed(body).entries[0]
        html = entry.get("content", [{"value": entry.get("summary", "")}])[0]["value"]
        assert entry.title == "SplitZip 1: Lossless KV Compression"
        assert entry.link == "https://arxiv.org/abs/2606.00001"
        assert ", ".join(author["name"] for author in entry.authors) == "Yipin Guo, Siddharth Joshi"
        assert [tag["term"] for tag in entry.tags] == ["cs.DC", "cs.LG"]
        assert "<b>KV cache</b>" in html
        order = ["Yipin Guo", "We compress", "<i>KV cache</i>\n· cs.DC, cs.LG\n· <a", "17 pages"]
        assert sorted(order, key=html.index) == order
        assert "17 pages" in html
        assert 'href="https://arxiv.org/pdf/2606.00001"' in html


def test_json_feed_has_what_the_specification_asks_for() -> None:
    document = json.loads(json_feed(ENVIRONMENT, feed(make_edition(make_item(1)))))

    assert document | {"items": []} == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Systems lab digest: llm-systems",
        "home_page_url": "https://digest.example.org/",
        "feed_url": SELF,
        "description": "Last edition 12 Jun: complete according to the feeds.",
        "authors": [{"name": "Systems lab digest"}],
        "language": "en",
        "items": [],
    }
    entry = document["items"][0]
    assert entry.pop("content_html").startswith("<p>Yipin Guo")
    assert entry.pop("content_text").startswith("Yipin Guo")
    assert entry.pop("summary").startswith("Because you follow: KV cache · We")
    assert entry == {
        "id": f"{PAPER}1",
        "url": "https://arxiv.org/abs/2606.00001",
        "title": "SplitZip 1: Lossless KV Compression",
        "date_published": "2026-06-12T05:30:04Z",
        "authors": [{"name": "Yipin Guo"}, {"name": "Siddharth Joshi"}],
        "tags": ["cs.DC", "cs.LG"],
    }


# --- the whole ------------------------------------------------------------------------------------


@pytest.mark.parametrize("render", [rss, atom, json_feed])
def test_the_same_editions_give_the_same_bytes(render: Render) -> None:
    assert render(ENVIRONMENT, feed(make_edition_of_three_parts())) == render(
        make_environment(), feed(make_edition_of_three_parts())
    )


@pytest.mark.parametrize("site", [SITE, replace(SITE, url="", sender="", contact="")])
def test_a_feed_without_entries_is_valid(site: Any) -> None:
    empty = feed(branding=site)

    channel = ET.fromstring(rss(ENVIRONMENT, empty)).find("channel")
    assert channel is not None
    assert all(channel.findtext(name) for name in ("title", "link", "description"))
    top = ET.fromstring(atom(ENVIRONMENT, empty))
    assert all(top.findtext(f"{{http://www.w3.org/2005/Atom}}{name}") for name in ("id", "title", "updated"))
    assert json.loads(json_feed(ENVIRONMENT, empty))["items"] == []
    assert ids(empty) == []


def test_ids_need_no_site() -> None:
    unnamed = replace(SITE, url="")
    assert ids(feed(make_edition(make_item(1)), branding=unnamed)) == [
        "tag:example.org,2026:paper/arxiv:2606.00001"
    ]
    assert ids(feed(make_edition(make_item(1)), branding=replace(unnamed, sender=""))) == [
        "tag:localhost,2026:paper/arxiv:2606.00001"
    ]


def test_a_key_that_is_an_address_stays_one_id() -> None:
    key = make_paper(1).key.replace("arxiv:2606.00001", "url:https://x.y/a b?c=1#d")

    assert ids(feed(make_edition(make_item(1, key=key)))) == [
        "tag:digest.example.org,2026:paper/url:https://x.y/a%20b%3Fc%3D1%23d"
    ]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_no_text_breaks_a_feed(text: str) -> None:
    what = feed(make_hostile_edition(text), digest=text, branding=replace(SITE, title=text))

    assert len(ids(what)) == 2
    entries = ET.fromstring(atom(ENVIRONMENT, what)).findall("{http://www.w3.org/2005/Atom}entry")
    for entry in entries:
        html = entry.findtext("{http://www.w3.org/2005/Atom}content", "")
        assert "<script" not in html
        assert "<img" not in html
        assert '<a href="javascript' not in html


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_nothing_is_lost_or_changed_on_its_way_through_a_readers_program(text: str) -> None:
    assume(not looks_misread(remove_unprintable(text)))
    what = feed(make_hostile_edition(text), digest=text, branding=replace(SITE, title=text))
    entries = document(ENVIRONMENT, what).entries

    for entry, seen in zip(entries, as_sent(atom(ENVIRONMENT, what)), strict=True):
        assert seen.id == entry.id
        shown = in_html(seen.title) if seen.title_detail.type == "text/html" else seen.title
        assert shown.split() == entry.title.split()
        assert seen.content[0].value.split() == entry.html.split()
        assert seen.updated == entry.atom_date
    for entry, seen in zip(entries, as_sent(rss(ENVIRONMENT, what)), strict=True):
        assert seen.id == entry.id
        assert seen.title.split() == escape_tags(entry.title).split()
        assert seen.content[0].value.split() == entry.html.split()
        assert in_html(seen.summary).split() == entry.summary.split()
        assert parsedate_to_datetime(seen.published) == datetime.fromisoformat(entry.atom_date)
    for entry, one in zip(entries, json.loads(json_feed(ENVIRONMENT, what))["items"], strict=True):
        assert (one["id"], one["content_html"], one["title"]) == (entry.id, entry.html, entry.title)
        assert (one.get("authors", []), one.get("tags", [])) == (
            [{"name": name} for name in entry.authors],
            list(entry.tags),
        )


def looks_misread(text: str) -> bool:
    """Whether feedparser takes a text for UTF-8 that somebody has read as Latin-1, and mends it."""
    try:
        return text.encode("latin-1").decode("utf-8") != text
    except UnicodeError:
        return False


def as_sent(body: bytes) -> list[Any]:
    """The entries as feedparser finds them, which is told to take nothing away."""
    result = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    assert not result.bozo, result.bozo_exception
    return list(result.entries)


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_addresses_are_such_as_may_stand_in_a_feed(text: str) -> None:
    what = feed(make_edition(make_item(1, url=f"https://x.y/{text}", license_url=f"http://x.y/{text}")))

    for entry in document(ENVIRONMENT, what).entries:
        for address in filter(None, (entry.url, entry.license, entry.id)):
            assert re.fullmatch(r"[A-Za-z0-9%/:?#\[\]@!$&'()*+,;=~._-]+", address)


# --- what readers' programs make of it --------------------------------------------------------------


def test_an_entry_leads_to_where_its_reader_says_what_to_do_with_it() -> None:
    edition = make_edition(make_item(1), make_item(2))

    entries = parsed(atom(ENVIRONMENT, feed(edition, pages={edition.id: f"{PAGE}/1.x"}))).entries

    for number, entry in enumerate(entries[:2], start=1):
        actions = re.findall(rf'href="{PAGE}/1.x/{number}\?(\w+)"', entry.content[0].value)
        assert actions == ["save", "more", "less"]
    assert "?save" not in parsed(atom(ENVIRONMENT, feed(edition))).entries[0].content[0].value


def test_a_reader_who_wants_no_abstracts_gets_none() -> None:
    item = make_item(1)
    words = item.paper.abstract.split(".")[0]

    assert words in json_feed(ENVIRONMENT, feed(make_edition(item))).decode()
    assert words not in json_feed(ENVIRONMENT, feed(make_edition(item, abstracts=Abstracts.NONE))).decode()


def test_the_beginning_stands_before_the_whole_and_is_text_also_where_programs_take_it_for_html() -> None:
    item = make_item(1, abstract="If a<b and <b>c</b> &amp; d, then e.")

    for body in (rss(ENVIRONMENT, feed(make_edition(item))), atom(ENVIRONMENT, feed(make_edition(item)))):
        entry = parsed(body).entries[0]
        assert in_html(entry.summary).endswith("If a<b and <b>c</b> &amp; d, then e.")
        assert "a&lt;b and &lt;b&gt;c&lt;/b&gt; &amp;amp; d" in entry.content[0].value


@for_each_case(
    "title", ["List<T> and a < b", "<b>Bold</b> claims & more", "&lt;i&gt; is printed", "A</title>"]
)
def test_a_title_is_text_whatever_programs_take_it_for(title: str) -> None:
    what = feed(make_edition(make_item(1, title=title)))

    declared = parsed(atom(ENVIRONMENT, what)).entries[0]
    guessed = in_html(parsed(rss(ENVIRONMENT, what)).entries[0].title)

    assert in_html(declared.title) == title
    text = (
        in_html(title) if "&lt;" in title else title
    )  # RSS has no way to tell a typed entity from a meant one
    assert "".join(guessed.split()) == "".join(text.split())  # but for a blank
    assert json.loads(json_feed(ENVIRONMENT, what))["items"][0]["title"] == title


def in_html(text: str) -> str:
    """What a program shows that takes a text for HTML."""
    return BeautifulSoup(text, "html.parser").get_text()


@pytest.mark.parametrize("render", [rss, atom])
def test_an_archive_says_so_and_leads_on(render: Render) -> None:
    links = FeedLinks(f"{SELF}/2", SELF, f"{SELF}/1", f"{SELF}/3")
    body = render(ENVIRONMENT, feed(make_edition(make_item(1))), links)
    top = parsed(body).feed

    assert {link.rel: link.href for link in top.links if link.rel != "alternate"} == {
        "self": f"{SELF}/2",
        "current": SELF,
        "prev-archive": f"{SELF}/1",
        "next": f"{SELF}/1",
        "next-archive": f"{SELF}/3",
    }
    assert ET.fromstring(body).find(".//{http://purl.org/syndication/history/1.0}archive") is not None
    assert b"fh:archive/" not in render(ENVIRONMENT, feed(make_edition(make_item(1))))


def test_json_leads_on_to_older_entries() -> None:
    links = FeedLinks(SELF, older=f"{SELF}/1")

    assert (
        json.loads(json_feed(ENVIRONMENT, feed(make_edition(make_item(1))), links))["next_url"] == f"{SELF}/1"
    )


def test_all_documents_of_a_feed_have_one_id() -> None:
    archive = atom(ENVIRONMENT, feed(make_edition(make_item(1))), FeedLinks(f"{SELF}/1", SELF))

    assert parsed(archive).feed.id == parsed(atom(ENVIRONMENT, feed(make_edition(make_item(2))))).feed.id


def test_ids_stay_when_the_digest_is_called_something_else_and_its_address_is_renewed() -> None:
    before = feed(make_edition(make_item(1)), title="Systems")
    after = feed(make_edition(make_item(1), title="Other"), title="Other")

    assert ids(before) == ids(after)
    assert (
        parsed(atom(ENVIRONMENT, before)).feed.id
        == parsed(atom(ENVIRONMENT, after, FeedLinks(f"{SELF}/renewed"))).feed.id
    )


def test_files_know_where_they_are_if_their_folder_is_on_the_web() -> None:
    url = "https://me.example.org/digest"
    edition = make_edition(make_item(1), overflow=(make_item(2),))
    what = feed(edition, pages={edition.id: f"{url}/editions/1.html"}, accepts_feedback=False)

    for path, body in render_feed_files(ENVIRONMENT, what, url):
        assert f"{url}/{path}".encode() in body
        assert f"{url}/editions/1.html".encode() in body
        assert f"{url}/editions/1.html/1".encode() not in body
    assert all(
        url.encode() not in body for _, body in render_feed_files(ENVIRONMENT, replace(what, pages={}))
    )


# --- for everybody --------------------------------------------------------------------------------


def opened(*papers: Item, **fields: Any) -> PublicFeedContent:
    known_values: dict[str, Any] = {"branding": SITE, "sort": "category", "name": "cs.DC", "title": "cs.DC"}
    dated = [(paper, NOW - timedelta(seconds=place)) for place, paper in enumerate(papers)]
    return PublicFeedContent(papers=dated, **known_values | fields)


def test_a_feed_for_everybody_tells_nobody_why() -> None:
    channel = make_public_feed(ENVIRONMENT, opened(make_item(1), make_item(2)))

    assert channel.id == "tag:digest.example.org,2026:public/category/cs.DC"
    assert [entry.id for entry in channel.entries] == [f"{PAPER}1", f"{PAPER}2"]
    for entry in channel.entries:
        assert "Because" not in entry.html + entry.text + entry.summary
        assert entry.summary.startswith("We compress")


@pytest.mark.parametrize(
    ("sort", "name", "path"),
    [("all", "", "all.atom"), ("author", "Paul Erdős", "author/Paul%20Erd%C5%91s.atom")],
)
def test_a_feed_for_everybody_stands_where_anybody_finds_it(sort: str, name: str, path: str) -> None:
    files = dict(render_public_files(ENVIRONMENT, opened(sort=sort, name=name, title=name), "https://x.org"))

    assert f"feeds/public/{unquote(path)}" in files
    assert f'href="https://x.org/feeds/public/{path}"'.encode() in files[f"feeds/public/{unquote(path)}"]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_no_text_breaks_a_feed_for_everybody(text: str) -> None:
    public_feed_content = opened(
        *make_hostile_edition(text).items, name=text, title=text, branding=replace(SITE, title=text)
    )

    for _, body in render_public_files(ENVIRONMENT, public_feed_content, "https://x.org"):
        if body.startswith(b"<"):
            assert len(parsed(body).entries) == len(public_feed_content.papers)
        else:
            assert len(json.loads(body)["items"]) == len(public_feed_content.papers)


@given(st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40)), max_size=3))
def test_a_list_of_feeds_says_what_they_are_called_whatever_that_is(titles: list[str]) -> None:
    body = render_opml(ENVIRONMENT, SITE, [OpmlFeed(title, SELF) for title in titles])

    outlines = list(ET.fromstring(body).iter("outline"))
    assert [element.get("xmlUrl") for element in outlines] == [SELF] * len(titles)
    for element, title in zip(outlines, titles, strict=True):
        assert (element.get("text") or "").split() == remove_unprintable(title).split()


@for_each_case("language", ["de", "zh"])
@for_each_case("by_edition", [False, True])
def test_a_feed_is_in_its_readers_language(language: str, *, by_edition: bool) -> None:
    locale = get_locale(language)
    masthead = replace(SITE, locale=locale)
    edition = replace(make_edition_of_three_parts(), overflow=(make_item(8),))
    what = feed(edition, branding=masthead, by_edition=by_edition, pages={edition.id: PAGE})
    environment = make_environment(locale=locale)

    for form, result in (("rss", rss), ("atom", atom), ("json", json_feed)):
        body = result(environment, what)
        assert (
            find_faults(Document(form=form, body=body, url=SELF, media_type=FEED_FORMATS[form].media_type))
            == []
        )
        for english in ("Because you follow", "New papers", "Save", "Last edition", "more paper"):
            assert english.encode() not in body
    assert parsed(rss(environment, what)).feed.language == locale.tag
    assert f'xml:lang="{locale.tag}"'.encode() in atom(environment, what)


# --- byte by byte -----------------------------------------------------------------------------------


def test_feeds_are_byte_by_byte_what_they_were() -> None:
    remaining = {file.name: file.read_bytes() for file in GOLDEN.iterdir()}
    documents = dict(render_documents())

    changed = sorted(
        name for name in remaining.keys() | documents.keys() if remaining.get(name) != documents.get(name)
    )
    assert changed == [], "write them anew by python -m tests.render.golden_feeds, and look at the difference"
