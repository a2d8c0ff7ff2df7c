from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import feedparser
import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.model import BatchState, Edition, EventKind, Part
from digest.render.environment import make_environment
from digest.render.feeds import MOST_ENTRIES, Feed, atom, json_feed, rss
from tests.render.samples import NOW, SITE, batch, edition, every_kind, item, paper, three_parts
from tests.render.test_mail import HOSTILE, hostile_edition

Render = Callable[[jinja2.Environment, Feed], bytes]
ENVIRONMENT = make_environment()
SELF = "https://digest.example.org/feeds/llm-systems"
PAPER = "tag:digest.example.org,2026:paper/arxiv:2606.0000"


def feed(*editions: Edition, **fields: Any) -> Feed:
    known: dict[str, Any] = {
        "masthead": SITE,
        "digest": "llm-systems",
        "title": "llm-systems",
        "self_url": SELF,
    }
    return Feed(editions=editions, **known | fields)


def parsed(body: bytes) -> Any:
    found = feedparser.parse(io.BytesIO(body))
    assert not found.bozo, found.bozo_exception
    return found


def ids(what: Feed) -> list[str]:
    """The ids in order, which are the same in all three formats."""
    by_rss = [entry.id for entry in parsed(rss(ENVIRONMENT, what)).entries]
    by_atom = [entry.id for entry in parsed(atom(ENVIRONMENT, what)).entries]
    by_json = [entry["id"] for entry in json.loads(json_feed(ENVIRONMENT, what))["items"]]
    assert by_rss == by_atom == by_json
    return by_rss


# --- entries --------------------------------------------------------------------------------------


def test_a_paper_is_an_entry_under_its_key_and_a_version_is_another() -> None:
    assert ids(feed(edition(item(1), item(2, Part.MAYBE), item(3, Part.VERSIONS)))) == [
        f"{PAPER}1",
        f"{PAPER}2",
        f"{PAPER}3/version/3",
    ]


def test_each_piece_of_news_about_a_paper_is_an_entry_of_its_own() -> None:
    told = feed(every_kind())

    assert ids(told) == [
        *(f"{PAPER}1", f"{PAPER}2", f"{PAPER}3/picked/0", f"{PAPER}4/picked/0", f"{PAPER}5/picked/0"),
        *(f"{PAPER}6/version/3", f"{PAPER}7/published/0", f"{PAPER}8/code/0"),
    ]
    titles = [entry.title.partition("Compression")[2] for entry in parsed(atom(ENVIRONMENT, told)).entries]
    assert titles == [
        *("", "", " (picked)", " (picked)", " (picked)"),
        *(" (version 3, withdrawn)", " (published)", " (code)"),
    ]


def test_a_paper_that_grew_is_the_same_entry_as_when_it_was_new() -> None:
    assert ids(feed(edition(item(1, kind=EventKind.GROWN)))) == ids(feed(edition(item(1))))


def test_the_newest_edition_comes_first_and_no_paper_twice() -> None:
    older = edition(item(1), item(2), composed_at=NOW - timedelta(days=1))

    assert ids(feed(edition(item(3), item(1)), older)) == [f"{PAPER}3", f"{PAPER}1", f"{PAPER}2"]


def test_a_feed_keeps_a_hundred_entries() -> None:
    editions = [edition(*(item(60 * day + n) for n in range(60))) for day in range(3)]

    assert len(ids(feed(*editions))) == MOST_ENTRIES


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"rest": (item(8),), "dropped": 4}, "12 Jun: 5 more papers"),
        (
            {"batches": (batch(), batch("cs.LG", BatchState.WAITING))},
            "12 Jun: 212 listings so far; cs.LG missing",
        ),
        ({"items": ()}, "12 Jun: complete as far as the feeds tell"),
    ],
)
def test_what_else_to_know_is_an_entry_of_its_own(fields: dict[str, Any], title: str) -> None:
    last = parsed(atom(ENVIRONMENT, feed(edition(**{"items": (item(1),)} | fields)))).entries[-1]

    assert last.id == "tag:digest.example.org,2026:digest/llm-systems/2026-06-12T07:30"
    assert last.title == title


def test_entries_keep_their_order_also_where_a_program_sorts_by_date() -> None:
    older = edition(item(4), item(5), composed_at=NOW - timedelta(days=1))
    entries = parsed(rss(ENVIRONMENT, feed(three_parts(), older))).entries

    assert [entry.id for entry in sorted(entries, key=lambda one: one.published_parsed, reverse=True)] == [
        entry.id for entry in entries
    ]


def test_an_entry_says_what_the_mail_says() -> None:
    one = item(1, comment="17 pages", doi="10.1/x")

    for body in (rss(ENVIRONMENT, feed(edition(one))), atom(ENVIRONMENT, feed(edition(one)))):
        entry = parsed(body).entries[0]
        html = entry.get("content", [{"value": entry.get("summary", "")}])[0]["value"]
        assert entry.title == "SplitZip 1: Lossless KV Compression"
        assert entry.link == "https://arxiv.org/abs/2606.00001"
        assert [author["name"] for author in entry.authors] == ["Yipin Guo", "Siddharth Joshi"]
        assert [tag["term"] for tag in entry.tags] == ["cs.DC", "cs.LG"]
        assert "<b>KV cache</b>" in html
        assert "Because you follow <i>KV cache</i>" in html
        assert "17 pages" in html
        assert 'href="https://arxiv.org/pdf/2606.00001"' in html


def test_json_feed_has_what_the_specification_asks_for() -> None:
    document = json.loads(json_feed(ENVIRONMENT, feed(edition(item(1)))))

    assert document | {"items": []} == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Systems lab digest: llm-systems",
        "home_page_url": "https://digest.example.org/",
        "feed_url": SELF,
        "description": "Last edition 12 Jun: complete as far as the feeds tell.",
        "language": "en",
        "items": [],
    }
    entry = document["items"][0]
    assert entry.pop("content_html").startswith("<p>Yipin Guo")
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
    assert render(ENVIRONMENT, feed(three_parts())) == render(make_environment(), feed(three_parts()))


@pytest.mark.parametrize("site", [SITE, replace(SITE, url="", sender="", contact="")])
def test_a_feed_without_entries_is_valid(site: Any) -> None:
    empty = feed(masthead=site, self_url=SELF if site.url else "")

    channel = ET.fromstring(rss(ENVIRONMENT, empty)).find("channel")
    assert channel is not None
    assert all(channel.findtext(name) for name in ("title", "link", "description"))
    top = ET.fromstring(atom(ENVIRONMENT, empty))
    assert all(top.findtext(f"{{http://www.w3.org/2005/Atom}}{name}") for name in ("id", "title", "updated"))
    assert json.loads(json_feed(ENVIRONMENT, empty))["items"] == []
    assert ids(empty) == []


def test_ids_need_no_site() -> None:
    unnamed = replace(SITE, url="")
    assert ids(feed(edition(item(1)), masthead=unnamed)) == ["tag:example.org,2026:paper/arxiv:2606.00001"]
    assert ids(feed(edition(item(1)), masthead=replace(unnamed, sender=""))) == [
        "tag:localhost,2026:paper/arxiv:2606.00001"
    ]


def test_a_key_that_is_an_address_stays_one_id() -> None:
    key = paper(1).key.replace("arxiv:2606.00001", "url:https://x.y/a b?c=1#d")

    assert ids(feed(edition(item(1, key=key)))) == [
        "tag:digest.example.org,2026:paper/url:https://x.y/a%20b%3Fc%3D1%23d"
    ]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80)))
def test_no_text_breaks_a_feed(text: str) -> None:
    what = feed(hostile_edition(text), digest=text, masthead=replace(SITE, title=text))

    assert len(ids(what)) == 2
    entries = ET.fromstring(atom(ENVIRONMENT, what)).findall("{http://www.w3.org/2005/Atom}entry")
    for entry in entries:
        html = entry.findtext("{http://www.w3.org/2005/Atom}content", "")
        assert "<script" not in html
        assert "<img" not in html
        assert 'href="javascript' not in html
