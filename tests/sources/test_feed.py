"""A feed of whoever's becomes listings: whatever can be read of it is read, and what cannot is said."""

from __future__ import annotations

import html
import io
import json
import warnings
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import feedparser
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from digest import plugins
from digest.core.fetching.formats.any_feed import ParsedEntry
from digest.core.papers.identity.entry_keys import identify_entries
from digest.core.papers.identity.ids import limit_key
from digest.core.text.cleaning import normalize_line
from digest.errors import OptionError, SourceError
from digest.model import Ask, Freshness, Listing, ListingKind, PaperKey, Scope
from digest.ports import Page, Response
from digest.sources.feed import Source
from tests.sources.golden_wild import FEEDS, NOW, list_recorded_files, read_feed, summarize_page
from tests.sources.golden_wild import read_page as read_by
from tests.support.cases import for_each_case

URL = "https://feeds.example.org/blog/feed.xml"
LEFT_OUT = "The feed feeds.example.org/blog/feed.xml: 3 entries omitted, because another one has the same id, link and title."
OTHER_LEFT_OUT = (
    "The feed feeds.example.org/blog/feed.xml: one entry omitted, because"
    " another one has the same id or link but a different title."
)
RECORDED: dict[str, dict[str, Any]] = json.loads(FEEDS.read_text(encoding="utf-8"))


def read(body: bytes | str, **fields: Any) -> Page:
    return read_by(Source(url=URL), body.encode() if isinstance(body, str) else body, **fields)


def listings(body: bytes | str, **fields: Any) -> tuple[Listing, ...]:
    (day,) = read(body, **fields).announced
    assert day.day is None
    assert day.expected is None
    assert not day.over_full
    return day.listings


def rss(*items: str, head: str = "") -> str:
    inner = "".join(f"<item>{item}</item>" for item in items)
    return (
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"'
        ' xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">'
        f"<channel><title>A blog</title><link>https://example.org/</link>{head}{inner}</channel></rss>"
    )


def atom(*entries: str, head: str = "") -> str:
    inner = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>A blog</title>{head}{inner}</feed>'


def json_feed(*items: Mapping[str, Any], **head: Any) -> str:
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items} | head)


# --- options --------------------------------------------------------------------------------------


def test_an_address_is_all_it_needs() -> None:
    source = plugins.build(plugins.load("sources", "feed"), {"url": URL})

    assert isinstance(source, Source)
    assert (source.name, source.title) == ("feeds.example.org/blog/feed.xml", "feeds.example.org")
    assert source.sections == ("feed",)
    assert source.calendar is None
    assert [(way.name, way.scope) for way in source.fetch_routes] == [("feed", Scope.LATEST)]
    assert (source.pace, source.max_bytes) == (1.0, 10_000_000)


def test_two_feeds_of_one_host_have_two_names() -> None:
    urls = [
        "https://example.org/",
        "https://example.org/a",
        "https://example.org:8443/a/",
        "https://example.org/A",
    ]
    names = [Source(url=url).name for url in urls]

    assert names == ["example.org", "example.org/a", "example.org:8443/a", "example.org/A"]
    assert Source(url=urls[0], name="mine", title="Mine").name == "mine"


SECRET_URL = "https://reader:pass-word@example.org/feed?token=0a1b2c3d&id=7#top"
"""Of a feed that only one reader is to know."""


def test_a_name_has_no_user_and_no_query_and_what_was_stored_by_the_whole_address_is_taken_over() -> None:
    source = Source(url=SECRET_URL)

    assert source.name == "example.org/feed"
    assert source.former_names == ("example.org/feed?token=0a1b2c3d&id=7#top",)
    assert Source(url=URL).former_names == ()
    assert Source(url=SECRET_URL, name="mine").former_names == source.former_names


def test_nothing_of_a_secret_address_comes_into_a_paper() -> None:
    source = Source(url=SECRET_URL)
    entries = (
        "<item><title>Without a link</title></item>",
        "<item><title>Relative</title><link>#part</link></item>",
        "<item><title>Repeated</title><link>https://example.org/p/1?token=0a1b2c3d&amp;page=2</link></item>",
        "<item><title>Guid</title><guid>https://example.org/p/2?token=0a1b2c3d</guid></item>",
        f"<item><title>Itself</title><link>{SECRET_URL.replace('&', '&amp;')}</link></item>",
    )
    body = f"<rss version='2.0'><channel><title>A feed</title>{''.join(entries)}</channel></rss>".encode()
    request = source.start(Ask(source="x", section="feed", route="feed"), "", NOW)
    page = source.read(request, Response(status=200, headers=(), body=body, url=SECRET_URL))

    (announced,) = page.announced
    assert len(announced.listings) == len(entries)
    text = repr(page)
    assert "0a1b2c3d" not in text
    assert "pass-word" not in text
    by_title = {listing.paper.title: listing.paper for listing in announced.listings}
    assert by_title["Repeated"].url == "https://example.org/p/1?page=2"


def test_a_paper_of_an_earlier_release_gets_the_key_and_addresses_that_its_entry_has_now() -> None:
    source = Source(url=SECRET_URL)
    place, text = "url:https://example.org/feed?token=0a1b2c3d&id=7#top", SECRET_URL
    long = "A word and another. " * 30
    stored = {  # as the release before the change read the entries below
        "<title>Without a link</title>": (f"{place}#Without a link", text),
        f"<title>{long}</title>": (limit_key(f"{place}#{long.strip()}"), text),
        "<title>By id</title><guid isPermaLink='false'>id-1</guid>": (f"{place}#id-1", text),
        "<title>Relative</title><link>#part</link>": (
            place.replace("#top", "#part"),
            "https://reader:pass-word@example.org/feed?token=0a1b2c3d&id=7#part",
        ),
        "<title>Repeated</title><link>https://example.org/p/1?token=0a1b2c3d&amp;page=2</link>": (
            "url:https://example.org/p/1?token=0a1b2c3d&page=2",
            "https://example.org/p/1?token=0a1b2c3d&page=2",
        ),
        "<title>Guid</title><guid>https://example.org/p/2?token=0a1b2c3d</guid>": (
            "url:https://example.org/p/2?token=0a1b2c3d",
            text,
        ),
        "<title>Both</title><link>http://example.org/p/3?token=0a1b2c3d</link><guid isPermaLink='false'>id-3</guid>": (
            "url:https://example.org/p/3?token=0a1b2c3d#id-3",
            "http://example.org/p/3?token=0a1b2c3d",
        ),
        f"<title>Itself</title><link>{text.replace('&', '&amp;')}</link>": (place, text),
        "<title>Another's</title><link>https://other.example/4?token=x</link>": (
            "url:https://other.example/4?token=x",
            "https://other.example/4?token=x",
        ),
    }
    items = "".join(f"<item>{entry}</item>" for entry in stored)
    body = f"<rss version='2.0'><channel><title>A feed</title>{items}</channel></rss>".encode()
    request = source.start(Ask(source="x", section="feed", route="feed"), "", NOW)
    (announced,) = source.read(request, Response(status=200, headers=(), body=body, url=SECRET_URL)).announced

    now = [listing.paper for listing in announced.listings]
    before = [
        replace(paper, key=PaperKey(key), url=url)
        for paper, (key, url) in zip(now, stored.values(), strict=True)
    ]
    renewed = [source.renew_paper(paper) for paper in before]
    assert [paper.key for paper in renewed] == [paper.key for paper in now]
    assert "0a1b2c3d" not in repr(renewed)
    assert "pass-word" not in repr(renewed)
    assert [source.renew_paper(paper) for paper in now] == now
    assert Source(url=URL).renew_paper(before[0]) == before[0]


def test_entries_without_a_link_of_two_feeds_of_one_page_are_two_papers() -> None:
    body = (
        b"<rss version='2.0'><channel><title>A</title><item><title>Editorial</title></item></channel></rss>"
    )
    keys = set()
    for number in (1, 2):
        source = Source(url=f"https://example.org/feed?journal={number}")
        request = source.start(Ask(source="x", section="feed", route="feed"), "", NOW)
        (announced,) = source.read(request, Response(status=200, headers=(), body=body)).announced
        keys.add(announced.listings[0].paper.key)

    assert len(keys) == 2


@for_each_case(
    ("options", "key"),
    [
        ({"url": "example.org/feed.xml"}, "url"),
        ({"url": "ftp://example.org/feed.xml"}, "url"),
        ({"url": "https://"}, "url"),
        ({"url": URL, "pace": -1.0}, "pace"),
        ({"url": URL, "max_bytes": 0}, "max_bytes"),
        ({}, "url"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], key: str) -> None:
    with pytest.raises(OptionError) as caught:
        plugins.build(Source, options)
    assert caught.value.key == key


def test_an_address_of_a_readers_is_told_to_be_one() -> None:
    ask = Ask(source="x", section="feed", route="feed")
    ours, theirs = (
        plugins.build(Source, {"url": URL, "by_reader": by_reader}).start(ask, "", NOW)
        for by_reader in (False, True)
    )

    assert (ours.url, ours.is_reader_url) == (URL, False)
    assert (theirs.url, theirs.is_reader_url) == (URL, True)


# --- what becomes of an entry ---------------------------------------------------------------------


def test_an_entry_is_a_new_paper_with_all_that_the_feed_says() -> None:
    (listing,) = listings(
        rss(
            "<title>On &lt;i&gt;things&lt;/i&gt; &amp;amp; more</title>"
            "<link>https://example.org/things?utm_source=rss</link>"
            '<guid isPermaLink="false">doi:10.1000/ABC.1</guid>'
            "<dc:creator>Ada Lovelace</dc:creator><dc:creator>Charles Babbage</dc:creator>"
            "<category>Engines</category><category>Engines</category><category>Looms</category>"
            "<description>&lt;p&gt;We weave.&lt;/p&gt;&lt;p&gt;It works.&lt;/p&gt;</description>"
            "<prism:publicationName>J. Looms</prism:publicationName><prism:volume>3</prism:volume>"
            "<prism:number>2</prism:number><prism:startingPage>7</prism:startingPage>"
            "<pubDate>Fri, 21 Aug 2026 17:02:34 +0200</pubDate>"
        )
    )
    paper = listing.paper
    assert listing.kind is ListingKind.NEW
    assert listing.published_at == datetime(2026, 8, 21, 15, 2, 34, tzinfo=UTC)
    assert paper.key == "doi:10.1000/abc.1"
    assert paper.doi == "10.1000/abc.1"
    assert paper.title == "On things & more"
    assert paper.abstract == "We weave. It works."
    assert [author.name for author in paper.authors] == ["Ada Lovelace", "Charles Babbage"]
    assert paper.categories == ("Engines", "Looms")
    assert paper.journal_ref == "J. Looms 3(2), 7"
    assert (paper.url, paper.version) == ("https://example.org/things?utm_source=rss", 1)


FORMS = [
    rss(
        "<title>One</title><link>/one</link><description>About one.</description><author>Ada Lovelace</author>"
        "<guid>https://feeds.example.org/one</guid><pubDate>Fri, 21 Aug 2026 15:00:00 GMT</pubDate>"
        "<category>Engines</category>"
    ),
    (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://example.org/">'
        "<title>A blog</title><link>https://example.org/</link></channel>"
        '<item rdf:about="https://feeds.example.org/one"><title>One</title><link>/one</link>'
        "<description>About one.</description><dc:creator>Ada Lovelace</dc:creator>"
        "<dc:date>2026-08-21T15:00:00Z</dc:date><dc:subject>Engines</dc:subject></item></rdf:RDF>"
    ),
    atom(
        "<title>One</title><link href='/one'/><id>https://feeds.example.org/one</id><summary>About one.</summary>"
        "<published>2026-08-21T17:00:00+02:00</published><updated>2026-08-22T17:00:00+02:00</updated>"
        "<category term='Engines'/>",
        head="<author><name>Ada Lovelace</name></author>",
    ),
    json_feed(
        {
            "id": "https://feeds.example.org/one",
            "url": "/one",
            "title": "One",
            "content_html": "<p>About one.</p>",
            "date_published": "2026-08-21T17:00:00+02:00",
            "tags": ["Engines"],
        },
        authors=[{"name": "Ada Lovelace"}],
    ),
]


@for_each_case("form", FORMS, ids=["rss", "rdf", "atom", "json"])
@for_each_case("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_every_form_in_every_unicode_gives_the_same_listing(form: str, encoding: str) -> None:
    (listing,) = listings(form.encode(encoding))
    paper = listing.paper
    assert paper.key == "url:https://feeds.example.org/one"
    assert (paper.title, paper.abstract, paper.url) == ("One", "About one.", "https://feeds.example.org/one")
    assert [author.name for author in paper.authors] == ["Ada Lovelace"]
    assert paper.categories == ("Engines",)
    assert listing.published_at == datetime(2026, 8, 21, 15, tzinfo=UTC)


def test_the_encoding_is_that_of_the_header_or_of_the_document() -> None:
    body = rss("<title>Грамматика</title>").encode("koi8-r")
    entries = (("content-type", "application/rss+xml; charset=koi8-r"),)

    assert listings(body, headers=entries)[0].paper.title == "Грамматика"
    assert listings(b'<?xml version="1.0" encoding="koi8-r"?>' + body)[0].paper.title == "Грамматика"


@for_each_case(
    ("text", "title"),
    [
        ("a &#55357;&#56832; b", "a 😀 b"),
        ("a &#xD83D;&#xde00; b", "a 😀 b"),
        ("a &#xD83D; b", "a \ufffd b"),
        ("a &#55001; b", "a \ud6d9 b"),
    ],
)
def test_characters_that_scripts_write_as_two_halves_are_whole(text: str, title: str) -> None:
    assert [listing.paper.title for listing in listings(rss(f"<title>{text}</title>"))] == [title]


@for_each_case(
    ("item", "key"),
    [
        ("<link>https://arxiv.org/abs/2401.00001v2</link>", "arxiv:2401.00001"),
        ("<link>https://huggingface.co/papers/2401.00001</link>", "arxiv:2401.00001"),
        ("<link>https://x.org/a</link><guid>oai:arXiv.org:cs/0101001</guid>", "arxiv:cs/0101001"),
        ("<link>https://x.org/a</link><dc:identifier>arXiv:2401.00001</dc:identifier>", "arxiv:2401.00001"),
        (
            '<link>https://x.org/a</link><guid isPermaLink="false">2401.00001</guid>',
            "url:https://x.org/a#2401.00001",
        ),
        ("<link>https://x.org/a</link><dc:identifier>doi:10.1000/A</dc:identifier>", "doi:10.1000/a"),
        ("<link>https://x.org/a</link><prism:doi>10.1000/A</prism:doi>", "doi:10.1000/a"),
        ("<link>https://x.org/doi/full/10.1000/A?af=R</link>", "doi:10.1000/a"),
        ("<link>https://x.org/a</link><guid>http://dx.doi.org/10.1000/A</guid>", "doi:10.1000/a"),
        ("<link>https://x.org/a</link><guid>https://x.org/?p=1</guid>", "url:https://x.org/?p=1"),
        ("<link>https://x.org/a</link><guid>urn:uuid:1-2</guid>", "url:urn:uuid:1-2"),
        ("<link>https://x.org/a</link><guid>tag:x.org,2026:1</guid>", "url:tag:x.org,2026:1"),
        ('<link>https://x.org/a</link><guid isPermaLink="false">7</guid>', "url:https://x.org/a#7"),
        ("<link>http://X.org/a?utm_medium=rss</link>", "url:https://x.org/a"),
        (
            '<title>T</title><guid isPermaLink="false">7</guid>',
            "url:https://feeds.example.org/blog/feed.xml#7",
        ),
        ("<title>A note</title>", "url:https://feeds.example.org/blog/feed.xml#A note"),
    ],
)
def test_an_entry_is_known_by_the_surest_id_it_has(item: str, key: str) -> None:
    assert [listing.paper.key for listing in listings(rss(item))] == [key]


def test_a_paper_of_arxiv_is_shown_there_and_has_only_its_categories() -> None:
    (listing,) = listings(
        rss(
            "<title>T</title><link>https://arxiv.org/abs/2401.00001v3</link><category>cs.LG</category><category>AI news</category>"
        )
    )
    assert listing.paper.url == "https://arxiv.org/abs/2401.00001"
    assert listing.paper.pdf_url == "https://arxiv.org/pdf/2401.00001"
    assert listing.paper.version == 3
    assert listing.paper.categories == ("cs.LG",)


def test_two_entries_of_one_paper_are_one_listing_and_fill_each_other_in() -> None:
    first, second = listings(
        rss(
            "<title>One</title><link>https://x.org/1</link>",
            "<title>Two</title><link>https://x.org/2</link>",
            "<title>One again</title><link>https://x.org/1#utm_source=x</link><description>Text.</description>"
            "<author>Ada Lovelace</author><pubDate>Fri, 21 Aug 2026 15:00:00 GMT</pubDate>",
        )
    )
    assert (first.paper.title, first.paper.abstract) == ("One", "Text.")
    assert [author.name for author in first.paper.authors] == ["Ada Lovelace"]
    assert first.published_at == datetime(2026, 8, 21, 15, tzinfo=UTC)
    assert second.paper.title == "Two"


@for_each_case(
    "shared",
    [
        '<guid isPermaLink="false">urn:uuid:1</guid>',
        "<guid>https://x.org/</guid>",
        "<guid>https://doi.org/10.1000/journal</guid>",
        '<guid isPermaLink="false">oai:arXiv.org:2401.00001</guid>',
        "<dc:identifier>doi:10.1000/journal</dc:identifier>",
        "<dc:identifier>arXiv:2401.00001</dc:identifier>",
        "<prism:doi>10.1000/journal</prism:doi>",
    ],
)
def test_an_id_that_several_items_claim_is_nobodys(shared: str) -> None:
    titles = ("One", "Two", "Three")
    linked = [f"<title>{title}</title><link>https://x.org/{title}</link>{shared}" for title in titles]
    page = read(rss(*linked))
    papers = [listing.paper for listing in page.announced[0].listings]
    assert [(paper.title, paper.doi) for paper in papers] == [(title, "") for title in titles]
    assert [paper.key.partition("#")[0] for paper in papers] == [
        f"url:https://x.org/{title}" for title in titles
    ]
    assert page.unread == ()

    bare = [f"<title>{title}</title>{shared}" for title in titles]
    assert [listing.paper.title for listing in listings(rss(*bare))] == ["One", "Two", "Three"]
    same_link = [f"<title>{title}</title><link>https://x.org/</link>{shared}" for title in titles]
    assert [listing.paper.title for listing in listings(rss(*same_link))] == ["One", "Two", "Three"]
    only_links = [f"<title>Notes</title><link>https://x.org/{title}</link>{shared}" for title in titles]
    assert len(listings(rss(*only_links))) == 3


def test_what_a_link_says_is_an_entrys_own_whoever_claims_it() -> None:
    first, second = listings(
        rss(
            "<title>One</title><link>https://doi.org/10.1000/1</link>",
            "<title>Two</title><link>https://x.org/2</link><dc:identifier>10.1000/1</dc:identifier>",
        )
    )
    assert (first.paper.key, second.paper.key) == ("doi:10.1000/1", "url:https://x.org/2")


def test_entries_that_nothing_tells_apart_are_told() -> None:
    guid = '<guid isPermaLink="false">urn:uuid:1</guid>'
    items = [
        f"<title>{title}</title>{guid}<description>{title} {n}</description>"
        for n in (1, 2)
        for title in "ABC"
    ]
    page = read(rss(*items))

    assert len(page.announced[0].listings) == 3
    assert page.unread == (LEFT_OUT,)


def test_items_that_share_id_link_and_title_are_told_too() -> None:
    alike = '<title>Notes</title><link>https://x.org/</link><guid isPermaLink="false">1</guid>'
    page = read(rss(*(f"{alike}<description>Text {number}.</description>" for number in range(4))))

    assert len(page.announced[0].listings) == 1
    assert page.unread == (LEFT_OUT,)


def test_items_without_a_title_are_known_by_their_texts_where_many_share_an_id() -> None:
    alike = '<link>https://x.org/</link><guid isPermaLink="false">1</guid>'
    page = read(rss(*(f"{alike}<description>Text {number}.</description>" for number in range(4))))

    assert len(page.announced[0].listings) == 4
    assert page.unread == ()


def test_an_entry_that_was_changed_stays_one_item() -> None:
    guid = "<guid>https://x.org/1</guid>"
    (listing,) = listings(
        rss(
            f"<title>Update: a title</title><link>https://x.org/1?v=2</link>{guid}",
            f"<title>A title</title><link>https://x.org/1</link>{guid}",
        )
    )
    assert listing.paper.title == "Update: a title"


DOI_LINK = "<link>https://doi.org/10.1000/1</link>"
PAGE_LINK = "<link>https://x.org/1</link>"
TEXT = "<description>Text.</description>"


@for_each_case(
    ("first", "second"),
    [
        (f"<title>Alpha</title>{DOI_LINK}", f"<title>Beta</title>{DOI_LINK}"),
        (f"<title>Alpha</title>{PAGE_LINK}", f"<title>Beta</title>{PAGE_LINK}"),
        (f"<title>Alpha</title>{PAGE_LINK}<guid>1</guid>", f"<title>Beta</title>{PAGE_LINK}<guid>1</guid>"),
        (
            f"<title>Alpha</title>{PAGE_LINK}<guid>1</guid><dc:identifier>10.1000/1</dc:identifier>",
            f"<title>Beta</title>{PAGE_LINK}<guid>2</guid><dc:identifier>10.1000/1</dc:identifier>",
        ),
        (
            f"<title>A study. Part I</title>{PAGE_LINK}<prism:doi>10.1000/1</prism:doi>",
            "<title>A study. Part II</title><link>https://x.org/2</link><prism:doi>10.1000/1</prism:doi>",
        ),
        (f"<title>Alpha</title>{PAGE_LINK}", f"{PAGE_LINK}<description>Of something else.</description>"),
    ],
)
@for_each_case("is_turned", [False, True])
def test_two_items_of_one_key_with_different_titles_are_one_listing_and_it_is_said(
    first: str,
    second: str,
    is_turned: bool,  # noqa: FBT001 - a case
) -> None:
    items = [first, f"{second}<category>a tag</category><author>Ada Lovelace</author>"]
    first, second = items[::-1] if is_turned else items
    page = read(rss(first, second))

    assert page.unread == (OTHER_LEFT_OUT,)
    assert page.announced[0].listings == listings(rss(first)), "nothing of the other one is in it"


@for_each_case(
    "title",
    [
        "A paper on H-1 decay [Graphical abstract added]",
        "[Graphical abstract added] A paper on H-1 decay",
        "RETRACTED: A paper on H-1 decay",
        "A paper on H\u22121 decay.",
        "A PAPER ON $H-1$ DECAY",
        "A paper on H&amp;#8722;1 decay",
        "A paper on H-1 dec\u2026",
        "A paper",
        "A paper on H-1 decay",
    ],
)
@for_each_case("known_by", [DOI_LINK, PAGE_LINK, f"{PAGE_LINK}<prism:doi>10.1000/1</prism:doi>"])
def test_a_second_item_of_the_same_paper_fills_in_the_first_and_is_not_said_to_be_lost(
    title: str, known_by: str
) -> None:
    page = read(
        rss(f"<title>A paper on H-1 decay</title>{known_by}", f"<title>{title}</title>{known_by}{TEXT}")
    )
    (listing,) = page.announced[0].listings

    assert page.unread == ()
    assert (listing.paper.title, listing.paper.abstract) == ("A paper on H-1 decay", "Text.")


def test_of_items_with_one_title_the_first_text_is_filled_in_and_another_one_is_told() -> None:
    item = f"<title>Notes</title>{PAGE_LINK}"
    page = read(rss(item, *(f"{item}<description>Text {number}.</description>" for number in range(4))))
    (listing,) = page.announced[0].listings

    assert listing.paper.abstract == "Text 0."
    assert page.unread == (LEFT_OUT,)


def test_an_item_without_a_title_is_not_taken_for_another_one_where_it_has_no_other_text() -> None:
    for untitled in (f"{PAGE_LINK}{TEXT}", PAGE_LINK):
        page = read(rss(f"<title>Alpha</title>{PAGE_LINK}{TEXT}", untitled))
        assert len(page.announced[0].listings) == 1
        assert page.unread == ()


@for_each_case(
    "address",
    [
        "https://arxiv.org/abs/2401.00001{}",
        "https://arxiv.org/abs/math/0309136{}",
        "https://www.biorxiv.org/content/10.1101/2024.01.02.573812{}",
        "https://www.biorxiv.org/content/10.1101/2024.01.02.573812{}?rss=1",
        "https://www.medrxiv.org/content/10.64898/2025.12.02.25341234{}.full",
        "https://www.biorxiv.org/content/biorxiv/early/2024/01/05/2024.01.02.573812{}",
    ],
)
@for_each_case("versions", [("v1", "v2"), ("", "v2"), ("v2", ""), ("v9", "v10")])
def test_two_versions_of_a_paper_can_have_two_titles(address: str, versions: tuple[str, str]) -> None:
    first, second = (address.format(version) for version in versions)
    page = read(rss(f"<title>Alpha</title><link>{first}</link>", f"<title>Beta</title><link>{second}</link>"))

    assert len(page.announced[0].listings) == 1
    assert page.unread == ()


@for_each_case("version", ["", "v1", "v2"])
def test_one_version_of_a_paper_has_one_title(version: str) -> None:
    link = f"<link>https://www.biorxiv.org/content/10.1101/2024.01.02.573812{version}</link>"
    page = read(rss(f"<title>Alpha</title>{link}", f"<title>Beta</title>{link}"))

    assert page.unread == (OTHER_LEFT_OUT,)


@given(
    st.permutations(
        [
            f"<title>{title}</title>{DOI_LINK}"
            for title in ("Alpha", "Alpha 1", "[Update] Alpha", "Alpha 2", "Beta")
        ]
    )
)
def test_in_whatever_order_items_come_it_is_said_that_they_are_several(items: list[str]) -> None:
    page = read(rss(*items))

    assert [listing.paper.key for listing in page.announced[0].listings] == ["doi:10.1000/1"]
    assert [line.rpartition("omitted, because")[2] for line in page.unread] == [
        OTHER_LEFT_OUT.rpartition("omitted, because")[2]
    ]


@for_each_case("known_by", [DOI_LINK, PAGE_LINK, "<link>https://arxiv.org/abs/2401.00001</link>"])
def test_an_item_whose_title_is_edited_stays_the_same_paper(known_by: str) -> None:
    (before,) = listings(rss(f"<title>Alpha</title>{known_by}"))
    (after,) = listings(rss(f"<title>Beta</title>{known_by}"))
    (both,) = listings(rss(f"<title>Beta</title>{known_by}", f"<title>Alpha</title>{known_by}"))

    assert before.paper.key == after.paper.key == both.paper.key


def test_thousands_of_items_of_one_link_are_read_title_by_title() -> None:
    entries = [
        ParsedEntry(title=f"Study {number} of all", link="https://doi.org/10.1000/1")
        for number in range(20_000)
    ]
    identities = identify_entries(entries, URL)

    assert {identity.key for identity in identities} == {"doi:10.1000/1"}
    assert [identity.is_other for identity in identities] == [False] + [True] * 19_999


@for_each_case("aside", ["image", "textinput", "source"])
@for_each_case("is_first", [True, False])
def test_what_stands_beside_an_entry_is_not_its_own(aside: str, is_first: bool) -> None:  # noqa: FBT001 - a case
    beside = (
        f"<{aside}><title>B</title><link>https://b.org</link><description>About b.</description></{aside}>"
    )
    own = "<title>A</title><link>https://x.org/a</link>"
    (listing,) = listings(rss(f"{beside}{own}" if is_first else f"{own}{beside}", own.replace("a<", "b<")))[
        :1
    ]

    assert (listing.paper.title, listing.paper.url, listing.paper.abstract) == ("A", "https://x.org/a", "")


def test_an_image_in_a_text_or_without_an_end_costs_no_other_entry() -> None:
    text = "<description><![CDATA[<image><title>no</title>]]></description>"
    found_listings = listings(
        rss(f"<title>One</title>{text}", "<image><title>x</title>", "<title>Two</title></image>")
    )
    assert [listing.paper.title for listing in found_listings] == ["One", "x", "Two"]


def test_an_entry_without_title_is_called_by_its_text_and_one_without_page_shows_the_feeds() -> None:
    listing, linked = listings(
        rss(f"<description>{'word ' * 50}</description>", "<link>https://x.org/1</link>")
    )

    assert listing.paper.title.startswith("word word")
    assert listing.paper.title.endswith(" …")
    assert listing.paper.url == "https://example.org/"
    assert linked.paper.title == linked.paper.url == "https://x.org/1"


@for_each_case(
    "link",
    ["javascript:alert(1)", "data:text/html,x", "mailto:a@x.org", "https://[", f"https://x.org/{'a' * 3000}"],
)
def test_only_pages_of_the_web_are_linked(link: str) -> None:
    (listing,) = listings(rss(f"<title>T</title><link>{link}</link>"))
    assert listing.paper.url == "https://example.org/"


def test_markup_scripts_and_long_texts_do_not_come_in() -> None:
    item = "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&lt;b&gt;seen&lt;/b&gt; "
    (listing,) = listings(rss(f"<title>T</title><description>{item}{'word ' * 9_000}</description>"))

    assert listing.paper.abstract.startswith("seen word")
    assert listing.paper.abstract.endswith("word …")
    assert len(listing.paper.abstract) <= 5_002


def test_the_feeds_of_sciencedirect_say_who_and_where_in_the_text() -> None:
    text = (
        "Publication date: 1 May 2026 Source: Big Journal, Volume 3 Author(s): Ada Lovelace, Charles Babbage"
    )
    (listing,) = listings(
        rss(f"<title>T</title><link>https://x.org/1</link><description>{text}</description>")
    )

    assert listing.paper.abstract == ""
    assert listing.paper.journal_ref == "Big Journal, Volume 3"
    assert [author.name for author in listing.paper.authors] == ["Ada Lovelace", "Charles Babbage"]


@for_each_case(
    "date",
    [
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Fri, 21 Aug 2099 00:00:00 GMT",
        "30 Feb 2026",
        "soon",
        "0001-01-01",
        "9" * 400,
    ],
)
def test_a_date_that_nobody_means_is_none(date: str) -> None:
    entries = (("date", "Sat, 22 Aug 2026 12:00:00 GMT"),)
    (listing,) = listings(rss(f"<title>T</title><pubDate>{date}</pubDate>"), headers=entries)
    assert listing.published_at is None


# --- when to come again ---------------------------------------------------------------------------


@for_each_case(
    ("head", "freshness"),
    [
        ("<ttl>90</ttl>", Freshness(ttl=timedelta(minutes=90))),
        ("<ttl>0</ttl>", None),
        ("<ttl>often</ttl>", None),
        ("<ttl>999999</ttl>", Freshness(ttl=timedelta(days=365))),
        ("<sy:updatePeriod>daily</sy:updatePeriod>", Freshness(ttl=timedelta(days=1))),
        (
            "<sy:updatePeriod>weekly</sy:updatePeriod><sy:updateFrequency>7</sy:updateFrequency>",
            Freshness(ttl=timedelta(days=1)),
        ),
        ("<sy:updateFrequency>2</sy:updateFrequency>", Freshness(ttl=timedelta(hours=12))),
        (
            "<skipHours><hour>0</hour><hour> 13 </hour><hour>24</hour></skipHours>",
            Freshness(skip_hours=frozenset({0, 13})),
        ),
        (
            "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>",
            Freshness(skip_weekdays=frozenset({5, 6})),
        ),
        (f"<skipHours>{''.join(f'<hour>{hour}</hour>' for hour in range(24))}</skipHours>", None),
        ("<skipHours>", None),
    ],
)
def test_when_a_feed_wants_to_be_asked_again_is_told(head: str, freshness: Freshness | None) -> None:
    assert read(rss(head=head)).freshness == freshness


# --- what is no feed ------------------------------------------------------------------------------


@for_each_case(
    ("body", "text"),
    [
        (b"", "came back empty"),
        (b" \n\0", "came back empty"),
        (b"<!DOCTYPE html><html><body><form>Log in</form></body></html>", "web page, perhaps a login"),
        (b"<p>some <b>words", "not a feed"),
        (b"Service unavailable", "not a feed"),
        (b'{"message": "Not found"}', "not a JSON Feed"),
        (b'{"items": []}', "not a JSON Feed"),
        (b"[1, 2]", "not a JSON Feed"),
        (b'{"version": "https://jsonfeed.org/version/1", "items": [', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
    ],
)
def test_what_is_no_feed_is_said_to_be_none(body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=text) as caught:
        read(body)
    assert str(caught.value).startswith("The feed feeds.example.org/blog/feed.xml ")
    assert str(caught.value).endswith(".")


@for_each_case(
    ("status", "text"),
    [(403, "login"), (404, "moved"), (410, "moved"), (429, "429"), (503, "503"), (204, "204")],
)
def test_a_refusal_is_told_with_its_number(status: int, text: str) -> None:
    with pytest.raises(SourceError, match=text):
        read(rss("<title>T</title>"), status=status)


def test_a_quiet_feed_is_a_feed() -> None:
    assert listings(rss()) == listings(atom()) == listings(json_feed()) == ()


def test_what_is_left_out_is_said() -> None:
    page = read(
        rss(
            "<title>T</title>",
            "<comments>x</comments>",
            "",
            *(["<title>Untitled, and no link either</title>"] * 5_000),
        )
    )

    assert page.unread == (
        "The feed feeds.example.org/blog/feed.xml: 2 entries without title, link and text omitted.",
        "The feed feeds.example.org/blog/feed.xml: 3 entries beyond the first 5,000 omitted.",
    )


def test_a_feed_that_breaks_off_gives_what_came_and_says_so() -> None:
    body = rss("<title>One</title>", "<title>Two</title>")
    page = read(body[: body.index("Two") + 2])

    assert [listing.paper.title for listing in page.announced[0].listings] == ["One"]
    assert "is cut off before its end" in page.unread[0]
    assert "one entry without title" in page.unread[1]


# --- what looks odd and is honest -----------------------------------------------------------------

WORDS = "the model of a large set shows that results are stable under new data. " * 4
MATHML = "http://www.w3.org/1998/Math/MathML"
FORMULA = "<mrow><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup><mo>+</mo><mi>u</mi></mrow>"


def posts(*texts: str, form: str = "<description><![CDATA[{}]]></description>") -> str:
    """A feed with a post of each text, as they are written in CDATA."""
    return rss(*(_post(number, form.format(text)) for number, text in enumerate(texts)))


def articles(*texts: str, head: str = "") -> str:
    """The same in Atom, as XHTML."""
    form = '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">{}</div></content>'
    return atom(*(_post(number, form.format(text)) for number, text in enumerate(texts)), head=head)


def _post(number: int, inner: str) -> str:
    return f"<title>Post {number}</title><id>https://e.org/{number}</id><guid>https://e.org/{number}</guid>{inner}"


def _table(cell: str) -> str:
    return f"<table>{f'<tr>{cell * 10}</tr>' * 30}</table>"


def _formula(number: int) -> str:
    return f'<math display="inline" xmlns="{MATHML}"><mi>x</mi><mn>{number}</mn></math>'


def _markup(number: int) -> str:
    return f'<p>{WORDS}<a class="x" href="https://e.org/{number}">it</a> isn\'t <img src="a.png" alt="f" width="20"/></p>'


ESCAPED = "<description>{}</description>"
HONEST = {
    "labels of a blog": articles(*["<p>x</p>"] * 3, head='<category term="a"/>' + "".join(
        f"<category term='label {number}'/>" for number in range(5_000)
    )),
    "terms of a paper": rss(
        _post(0, "".join(f"<category>MeSH term {number}</category>" for number in range(350))), _post(1, WORDS), _post(2, WORDS)
    ),
    "keywords of an episode": rss(
        *(
            _post(number, "<itunes:keywords>" + ", ".join(map(str, range(400 if number == 3 else 12))) + "</itunes:keywords>" + WORDS)
            for number in range(300)
        )
    ).replace("<rss ", '<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ', 1),
    "escaped formulas": posts(*(html.escape("".join(map(_formula, range(start, start + 20)))) for start in range(0, 400, 20)), form=ESCAPED),
    "formulas of which only the brackets are escaped": posts(
        *(escape("".join(map(_formula, range(start, start + 20)))) for start in range(0, 400, 20)), form=ESCAPED
    ),
    "formulas": articles(*[f'<p>by the way <math display="inline" xmlns="{MATHML}">{FORMULA}</math></p>' * 40] * 20),
    "quote in a value": posts('<img alt="15" laptop" src="l.png">', *["".join(map(_markup, range(12)))] * 19),
    "value without end": posts('<a href="https://e.org/x>x</a>', *["".join(map(_markup, range(12)))] * 19),
    "value without end in broken XML": posts(
        '<a href="https://e.org/x>x</a>', *["".join(map(_markup, range(12)))] * 19, form=ESCAPED
    ),
    "inequality": posts('we want a <b" then', *["".join(map(_markup, range(12)))] * 19),
    "table of numbers": posts(*[_table("<td>12</td>")] * 10),
    "calendar": posts(*[_table("<td></td>")] * 10),
    "table of numbers in XHTML": articles(*[_table("<td>12</td>")] * 10),
    "calendar in XHTML": articles(*[_table("<td></td>")] * 10),
    "genome": posts("ACGT" * 1_500, WORDS),
    "escaped genome": posts("ACGT" * 1_500, WORDS, form=ESCAPED),
    "digits of pi in XHTML": articles("<p>" + "31415" * 1_200 + "</p>", WORDS),
    "code that names encodings": posts("open(f, encoding='utf-8'); open(g, encoding='latin-1')"),
    "feeds shown in a text": posts(escape("<item><entry>") * 400, "<item>" * 400),
}  # fmt: skip


@for_each_case("body", list(HONEST.values()), ids=list(HONEST))
def test_an_odd_feed_that_is_honest_is_read_whole(body: str) -> None:
    page = read(body)
    assert not page.unread
    assert len(page.announced[0].listings) == body.count("<title>Post ")


# --- who wants to keep us busy --------------------------------------------------------------------

BOMB = "".join(f'<!ENTITY b{n} "{f"&b{n - 1};" * 10 if n else "boom"}">' for n in range(10))


@for_each_case(
    "body",
    [
        "<rss><item>" + "<a>" * 300_000,
        rss("<title>" + "&a" * 300_000 + "</title>") + "<" * 250_000,
        rss("<author>" + "a" * 30_000 + "</author>"),
        rss("<author>" + "a" * 20_000 + "@" + "a." * 10_000 + "</author>"),
        "<?xml " + "encoding='a'" * 20_000,
        rss("<title>T</title><x " + " ".join(f'a{number}=""' for number in range(20_000)) + "/>"),
        rss("<title>T</title><x " + " ".join(f"a{number}='>'" for number in range(20_000)) + "/>"),
        "\0\n" * 2_000 + rss("<title>T</title>"),
        "\n<!DOCTYPE " * 10_000 + rss("<title>T</title>"),
        "\n<!ENTITY " * 20 + rss("<title>T</title>"),
        rss("<tags>" + ",".join(map(str, range(4_000))) + "</tags>"),
        rss("".join(f"<category>{number}</category>     " for number in range(2_500))),
        rss("<x  base='aaaa/' >" * 600 + "</x >          " * 600),
        rss("".join(f"<n{number}:x xmlns:n{number}='u{number}'/>" for number in range(400))),
        rss("<author>" + "&#x41;" * 30_000 + "</author>"),
        rss("<a>" * 20_000 + "</a>" * 20_000),
        rss("<title>T</title>") + "<a b='" * 5_000,
        rss(*(["<title>T</title>"] * 400)),
        rss("<title>" + "&" * 2_000 + "</title>"),
    ],
    ids=[
        "nested",
        "tags",
        "word",
        "address",
        "declaration",
        "attributes",
        "quoted",
        "blank lines",
        "doctypes",
        "entities",
        "keywords",
        "categories",
        "bases",
        "namespaces",
        "word of references",
        "nothing but tags",
        "nothing but tags that are not closed",
        "entries",
        "references",
    ],
)
def test_what_would_take_minutes_is_refused_at_once(body: str) -> None:
    with pytest.raises(SourceError):
        read(body)


def test_what_looks_like_a_bomb_is_a_short_text() -> None:
    bomb = f"<!DOCTYPE x [{BOMB}]>{rss('<title>a &b9; b</title>')}"
    (listing,) = listings(bomb)
    assert len(listing.paper.title) < 100

    (late,) = listings("\n" * 100_000 + rss("<title>T</title>"))
    assert late.paper.title == "T"

    (deep,) = listings(rss("<title>T</title>" + f"<{'d' * 30}>" * 20_000 + f"</{'d' * 30}>" * 20_000))
    assert deep.paper.title == "T"
    (wide,) = listings(rss(f'<title>T</title><x y="{"z " * 1_000_000}"/>'))
    assert wide.paper.title == "T"


def test_files_and_other_documents_are_never_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter2", encoding="utf-8")
    body = f'<!DOCTYPE x [<!ENTITY s SYSTEM "{secret.as_uri()}">]>{rss("<title>a &s; b</title>")}'

    assert "hunter2" not in listings(body)[0].paper.title
    with pytest.raises(SourceError):
        read(str(secret))


# --- anything at all ------------------------------------------------------------------------------

PIECES = [
    *("<rss version='2.0'>", "<channel>", "<item>", "</item>", "<title>", "</title>", "<link>", "</link>"),
    *("<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry>", "</entry>", "<content type='xhtml'>", "<id>"),
    *(
        "<guid>",
        "https://x.org/",
        "10.1000/a",
        "arXiv:2401.00001",
        "&amp;",
        "&#xD800;",
        "&nope;",
        "<![CDATA[",
        "]]>",
    ),
    *(
        "<pubDate>",
        "2026-13-41T99:99:99Z",
        "Mon, 01 Jan 0000 00:00:00",
        "<author>",
        "a@b.c (",
        "\x00",
        "\xff",
        "é",
    ),
    *(
        "<?xml version='1.0' encoding='utf-7'?>",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "<category>",
        "<ttl>",
        "9" * 30,
    ),
    *(
        '{"version":"https://jsonfeed.org/version/1"',
        ',"items":[',
        '{"id":1e999',
        ',"title":"\\ud800"',
        "}]}",
        "[[",
    ),
]


@given(
    st.binary(max_size=300)
    | st.lists(st.sampled_from(PIECES), max_size=25).map(lambda parts: "".join(parts).encode("latin-1"))
)
def test_any_bytes_are_read_or_refused_in_words(body: bytes) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            page = read(body)
        except SourceError as error:
            text = str(error)
        else:
            text = "Read."
            _demand_fit_to_store(page)
    assert text.endswith(".")
    assert not warned


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
KEYS = (
    "id",
    "url",
    "external_url",
    "title",
    "content_html",
    "content_text",
    "summary",
    "date_published",
    "tags",
    "author",
    "authors",
)


@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES) | VALUES, max_size=4),
    st.dictionaries(st.sampled_from(KEYS), VALUES),
)
def test_any_json_in_a_json_feed_is_read(items: list[Any], head: dict[str, Any]) -> None:
    page = read(json.dumps(head | {"version": "https://jsonfeed.org/version/1", "items": items}))
    _demand_fit_to_store(page)


def _demand_fit_to_store(page: Page) -> None:
    """Texts in one line that any file and database takes, links that lead to the web, keys once."""
    papers = [listing.paper for day in page.announced for listing in day.listings]
    assert len({paper.key for paper in papers}) == len(papers)
    for paper in papers:
        assert paper.title
        assert paper.url.startswith(("https://", "http://"))
        assert len(paper.key) <= 500
        names = [author.name for author in paper.authors]
        for text in (
            paper.key,
            paper.title,
            paper.abstract,
            paper.url,
            paper.journal_ref,
            *paper.categories,
            *names,
        ):
            text.encode()
            assert not set(text) & set("\n\r\t\0")


def _as_feedparser_has_it(title: str) -> bool:
    """Whether a title is not one that feedparser takes for UTF-8 read as Latin-1, and mends."""
    try:
        return title.encode("latin-1").decode() == title
    except UnicodeError:
        return True


TITLES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=80)


@given(TITLES)
def test_any_title_survives(title: str) -> None:
    line = normalize_line(title)
    assume(line)
    assume(_as_feedparser_has_it(title.strip()))

    (by_atom,) = listings(atom(f"<title>{escape(title)}</title><link href='https://x.org/1'/>"))
    (by_json,) = listings(json_feed({"id": "1", "title": title, "url": "https://x.org/1"}))
    assert by_atom.paper.title == by_json.paper.title == line


@given(st.text("ab <>$_^{}\\é王-=", min_size=1, max_size=40))
def test_mathematics_survives_in_rss(title: str) -> None:
    line = normalize_line(title)
    assume(line)
    (listing,) = listings(rss(f"<title>{escape(title)}</title><link>https://x.org/1</link>"))
    assert listing.paper.title == line


# --- recorded feeds -------------------------------------------------------------------------------

ONE_PAPER = {
    "feeds/journals/mirror_chem_sci.xml": 4,
    "feeds/journals/mirror_chemrxiv.xml": 39,
    "feeds/ml_blogs/feed_paulgraham.xml": 3,
    "feeds/ml_blogs/feed_windsurf_changelog.xml": 3,
    "feeds/wild/rsparser_scriptingNews.rss": 2,
}
"""Entries that are about a paper that another entry of the feed is about: they are one listing."""


@for_each_case("file", RECORDED)
def test_a_recorded_feed_is_read_as_ever(data: Path, file: str) -> None:
    try:
        results = summarize_page(read_feed(data, file))
    except SourceError as error:
        results = {"error": str(error)}
    assert results == RECORDED[file]


def test_no_recorded_feed_is_left_out(data: Path) -> None:
    here = {path.relative_to(data).as_posix() for path in (data / "feeds").rglob("*") if path.is_file()}
    assert set(RECORDED) == here - {"feeds/journal_feed_urls.csv"} == set(list_recorded_files(data, "feeds/"))


@pytest.mark.long  # of what the test above holds every reading against: it fails only where that is written anew
@for_each_case("file", [file for file in RECORDED if not file.endswith(".json")])
def test_whatever_feedparser_lists_is_listed(data: Path, file: str) -> None:
    fields = {"content-location": f"https://feeds.example.org/{file.removeprefix('feeds/')}"}
    read_by_it = feedparser.parse(io.BytesIO((data / file).read_bytes()), response_headers=fields)
    rows = [entry for entry in map(dict, read_by_it.entries) if _can_be_shown(entry)]
    if not read_by_it.version:
        assert not read_by_it.entries
        assert "error" in RECORDED[file]
        return

    assert "error" not in RECORDED[file]
    assert RECORDED[file].get("listings", 0) == len(rows) - ONE_PAPER.get(file, 0)
    left_out = len(read_by_it.entries) - len(rows)
    number = "one entry" if left_out == 1 else f"{left_out} entries"
    unread = RECORDED[file].get("unread", ())
    assert any(f": {number} without title" in document for document in unread) == bool(left_out)


def _can_be_shown(entry: Mapping[str, Any]) -> bool:
    """Whether it has a title, a text or a link to the web; feedparser gives ``tag:…`` for one where there is none."""
    contents = [content["value"] for content in entry.get("content", ())]
    linked = str(entry.get("link", "")).startswith(("https://", "http://"))
    return bool(entry.get("title") or entry.get("summary") or any(contents) or linked)
