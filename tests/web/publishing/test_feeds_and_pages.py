"""What feed readers and browsers get, and when they are told that they have it."""

from __future__ import annotations

import gzip
import json
import re
import time
import xml.etree.ElementTree as ET
from datetime import timedelta
from email.utils import parsedate_to_datetime
from io import BytesIO
from urllib.parse import urlsplit

import feedparser
import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import insert, select

from digest.core.delivery.tokens import sign_token
from digest.jobs.publishing.feed_addresses import renew_feed_address
from digest.render.delivery.files import render_files
from digest.store.database.tables.digests import editions as kept_editions
from digest.store.database.tables.digests import runs
from digest.store.editions import editions
from tests.support.timeouts import PATIENCE
from tests.system.programs.feed_rules import Document, find_faults
from tests.web.conftest import URL, Site

TYPES = {"rss": "application/rss+xml", "atom": "application/atom+xml", "json": "application/feed+json"}


def entries(site: Site, form: str) -> list[str]:
    """The titles in a feed."""
    body = site.get(site.make_feed_url(form)).raise_for_status().content
    if form == "json":
        return [entry["title"] for entry in json.loads(body)["items"]]
    return [entry.title for entry in feedparser.parse(BytesIO(body)).entries]


def titles(page: bytes) -> list[str]:
    """The titles of papers, without their numbers."""
    headings = BeautifulSoup(page, "html.parser").select("h3")
    return [re.sub(r"^\d+\.? ", "", heading.get_text(" ", strip=True)) for heading in headings]


# --- feeds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", TYPES)
def test_a_feed_has_the_papers_of_the_editions_and_says_where_it_is(shared_site: Site, form: str) -> None:
    answer = shared_site.get(shared_site.make_feed_url(form))

    assert answer.status_code == 200
    assert answer.headers["content-type"] == TYPES[form]
    assert shared_site.make_feed_url(form).encode() in answer.content
    with shared_site.app.store.begin_read() as tx:
        (last,) = editions.load_last(tx, shared_site.get_digest_id(), 30)
    assert entries(shared_site, form)[: len(last.items)]
    assert len(entries(shared_site, form)) >= len(last.items) > 0


@pytest.mark.parametrize("form", TYPES)
def test_the_bytes_stay_the_same_until_there_is_a_new_edition(site: Site, form: str) -> None:
    first = [site.get(site.make_feed_url(form)) for _ in range(3)]
    before = entries(site, form)

    site.publish_next_day()
    after = _until_it_changes(site, site.make_feed_url(form), first[0].headers["etag"])

    assert len({(response.content, response.headers["etag"]) for response in first}) == 1
    assert after.headers["etag"] != first[0].headers["etag"]
    assert parsedate_to_datetime(after.headers["last-modified"]) > parsedate_to_datetime(
        first[0].headers["last-modified"]
    )
    assert set(before) < set(entries(site, form))


def _until_it_changes(site: Site, address: str, etag: str) -> httpx.Response:
    """A feed is looked at once a second at most."""
    while (answer := site.get(address, if_none_match=etag)).status_code == 304:
        time.sleep(0.05)
    return answer


def test_who_has_it_is_told_so_and_gets_nothing(shared_site: Site) -> None:
    first = shared_site.get(shared_site.make_feed_url())
    etag, modified = first.headers["etag"], first.headers["last-modified"]

    for headers in (
        {"if_none_match": etag},
        {"if_none_match": f"W/{etag}"},
        {"if_none_match": f'"x", {etag}'},
        {"if_none_match": "*"},
        {"if_modified_since": modified},
        {"if_none_match": etag, "if_modified_since": "Thu, 01 Jan 1970 00:00:00 GMT"},
    ):
        answer = shared_site.get(shared_site.make_feed_url(), **headers)
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", etag), headers


def test_who_has_something_else_gets_all_of_it(shared_site: Site) -> None:
    first = shared_site.get(shared_site.make_feed_url())

    for headers in (
        {"if_none_match": '"x"'},
        {"if_none_match": '"x"', "if_modified_since": first.headers["last-modified"]},
        {"if_modified_since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        {"if_modified_since": "garbage"},
    ):
        assert shared_site.get(shared_site.make_feed_url(), **headers).content == first.content, headers


def test_who_takes_gzip_gets_less(shared_site: Site) -> None:
    plain = shared_site.get(shared_site.make_feed_url())
    with httpx.stream(
        "GET",
        f"{shared_site.server_url}{urlsplit(shared_site.make_feed_url()).path}",
        headers={"accept-encoding": "gzip"},
        verify=False,
        timeout=PATIENCE,
    ) as zipped:
        body = b"".join(zipped.iter_raw())

    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain.content
    assert len(body) < len(plain.content) / 2
    assert zipped.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("form", TYPES)
def test_who_asks_for_the_head_gets_the_same_headers(shared_site: Site, form: str) -> None:
    response = shared_site.get(shared_site.make_feed_url(form))
    head = shared_site.request(
        "HEAD", shared_site.make_feed_url(form), headers={"accept-encoding": "identity"}
    )

    assert head.content == b""
    assert {**head.headers, "date": ""} == {**response.headers, "date": ""}


def test_a_private_feed_is_kept_by_nobody_between(shared_site: Site) -> None:
    assert shared_site.get(shared_site.make_feed_url()).headers["cache-control"] == "private, max-age=300"


def test_a_feed_that_was_switched_off_is_gone(site: Site) -> None:
    assert site.get(site.make_feed_url()).status_code == 200

    site.change("feed = true", "feed = false")
    while (answer := site.get(site.make_feed_url())).status_code == 200:
        time.sleep(0.05)

    assert answer.status_code == 410
    assert "This feed has ended" in answer.text
    assert site.get(site.make_feed_url(name="all")).status_code == 410  # it never was one


def test_a_digest_without_an_edition_is_an_empty_feed(site: Site) -> None:
    site.change(
        "[smtp]", '[[digest]]\nname = "new"\nfeed = true\nschedule = "daily 7:00"\nkeywords = ["z"]\n\n[smtp]'
    )

    answer = site.get(site.make_feed_url(name="new"))

    assert answer.status_code == 200
    assert feedparser.parse(BytesIO(answer.content)).entries == []
    assert "last-modified" not in answer.headers
    assert site.get(site.make_feed_url(name="new"), if_none_match=answer.headers["etag"]).status_code == 304


def test_the_address_of_a_feed_cannot_be_guessed_from_another(shared_site: Site) -> None:
    rss = urlsplit(shared_site.make_feed_url()).path
    keys, number = shared_site.pages.keys, str(shared_site.get_digest_id())

    wrong = [
        rss.replace("systems", "all"),
        rss.replace(".rss", ".xml"),
        rss.replace(".rss", ""),
        f"/feeds/{sign_token('edition', number, keys)}/systems.rss",
        f"/feeds/{sign_token('unsubscribe', number, keys)}/systems.rss",
        f"/feeds/{sign_token('feed', '999', keys)}/systems.rss",
        "/feeds/systems.rss",
        "/feeds/1/systems.rss",
        rss + "/",
        rss.replace("/systems", "//systems"),
    ]

    assert {path: shared_site.get(path).status_code for path in wrong} == dict.fromkeys(wrong, 404)


def test_a_renewed_address_is_good_and_the_old_one_is_gone(site: Site) -> None:
    old = site.make_feed_url("atom")
    before = entries(site, "atom")

    assert renew_feed_address(site.app.store, site.get_digest_id()) == 1
    new = site.pages.make_feed_url(site.get_digest_id(), "systems", "atom", 1)
    while (gone := site.get(old)).status_code == 200:
        time.sleep(0.05)

    assert gone.status_code == 410
    parsed = feedparser.parse(BytesIO(site.get(new).raise_for_status().content))
    assert [entry.title for entry in parsed.entries] == before
    assert new in {link.href for link in parsed.feed.links}
    assert old not in site.get(new).text


def test_there_is_no_feed_to_renew_of_a_digest_that_is_not_there(shared_site: Site) -> None:
    assert renew_feed_address(shared_site.app.store, 999) is None


def more_editions(site: Site, number: int) -> None:
    """Editions of the same papers, a day after another."""
    with site.app.store.begin_write() as tx:
        last = dict(
            tx.execute(select(kept_editions).where(kept_editions.c.id == site.get_edition_id()))
            .mappings()
            .one()
        )
        run = dict(tx.execute(select(runs).where(runs.c.id == last["run_id"])).mappings().one())
        del last["id"], run["id"]
        for day in range(1, number + 1):
            at = last["composed_at"] + timedelta(day)
            cursor_result = tx.execute(insert(runs).values(**run | {"period": f"{at:%Y-%m-%dT%H:%M}"}))
            assert cursor_result.inserted_primary_key
            again = {"run_id": cursor_result.inserted_primary_key[0], "composed_at": at}
            tx.execute(insert(kept_editions).values(**last | again))


@pytest.mark.parametrize("form", TYPES)
def test_from_the_newest_entries_one_comes_to_the_first_ones(site: Site, form: str) -> None:
    site.change("feed = true", 'feed = true\nfeed_entries = "editions"')
    more_editions(site, 43)
    seen_values: dict[str, set[str]] = {}

    where = site.make_feed_url(form)
    while where:
        older, seen_values[where] = walked(site.get(where).raise_for_status().content, form)
        where = older

    for address in seen_values:
        answer = site.get(address)
        kind = answer.headers["content-type"]
        document = Document(form=form, body=answer.content, url=address, media_type=kind)
        assert (address, find_faults(document)) == (address, [])
    archives = [
        site.pages.make_feed_url(site.get_digest_id(), "systems", form, archive=number)
        for number in (3, 2, 1)
    ]
    assert list(seen_values) == [site.make_feed_url(form), *archives]
    assert len(set.union(*seen_values.values())) == 44
    for none in ("/9/", f"/{10**30}/"):
        assert site.get(archives[0].replace("/3/", none)).status_code == 404


def test_an_archive_stays_as_it_is(site: Site) -> None:
    more_editions(site, 10)
    archive = site.pages.make_feed_url(site.get_digest_id(), "systems", "atom", archive=1)
    first, newest = site.get(archive), site.get(site.make_feed_url("atom")).headers["etag"]

    more_editions(site, 4)
    _until_it_changes(site, site.make_feed_url("atom"), newest)

    assert site.get(archive, if_none_match=first.headers["etag"]).status_code == 304


def walked(body: bytes, form: str) -> tuple[str, set[str]]:
    """Where a document of a feed leads back to, and the ids of its entries."""
    if form == "json":
        document = json.loads(body)
        return document.get("next_url", ""), {item["id"] for item in document["items"]}
    result = feedparser.parse(BytesIO(body))
    links = {link.rel: link.href for link in result.feed.links}
    assert links.get("next") == links.get("prev-archive")
    return links.get("prev-archive", ""), {entry.id for entry in result.entries}


def test_beside_a_feed_is_a_list_of_it_for_programs(shared_site: Site) -> None:
    answer = shared_site.get(shared_site.make_feed_url("opml"))

    (outline,) = ET.fromstring(answer.content).iter("outline")
    assert answer.headers["content-type"] == "text/x-opml"
    assert (outline.get("xmlUrl"), outline.get("type")) == (shared_site.make_feed_url("atom"), "rss")
    assert (
        shared_site.get(
            shared_site.pages.make_feed_url(shared_site.get_digest_id(), "systems", "opml", archive=1)
        ).status_code
        == 404
    )


# --- an edition's page ----------------------------------------------------------------------------


def test_an_editions_page_has_the_same_items_as_its_mail(shared_site: Site) -> None:
    number = shared_site.get_edition_id()
    with shared_site.app.store.begin_read() as tx:
        edition = editions.load_editions(tx, [number])[number]
    [mail] = [
        content
        for name, content in render_files(shared_site.app.environment, edition, shared_site.app.branding)
        if name.endswith(".html")
    ]

    page = shared_site.get(shared_site.pages.make_edition_url(number))

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert titles(page.content) == titles(mail) != []


def test_an_editions_page_leads_to_the_feeds_where_there_are_any(shared_site: Site) -> None:
    with_feeds = shared_site.get(shared_site.pages.make_edition_url(shared_site.get_edition_id())).text
    without = shared_site.get(shared_site.pages.make_edition_url(shared_site.get_edition_id("all"))).text

    for form in TYPES:
        assert with_feeds.count(shared_site.make_feed_url(form)) == 2
    assert "/feeds/" not in without


def test_an_editions_page_is_asked_for_again_cheaply(shared_site: Site) -> None:
    address = shared_site.pages.make_edition_url(shared_site.get_edition_id())
    first = shared_site.get(address)

    assert shared_site.get(address, if_none_match=first.headers["etag"]).status_code == 304
    assert shared_site.get(address).content == first.content


def test_an_edition_that_is_not_kept_is_not_shown(shared_site: Site) -> None:
    keys, number = shared_site.pages.keys, str(shared_site.get_edition_id())

    for token in (sign_token("edition", "999", keys), sign_token("feed", number, keys), "1", number):
        assert shared_site.get(f"{URL}/editions/{token}").status_code == 404


def test_an_edition_can_be_had_as_markdown(shared_site: Site) -> None:
    page = shared_site.pages.make_edition_url(shared_site.get_edition_id())

    answer = shared_site.get(f"{page}.md")

    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text.startswith("# systems\n")
    assert shared_site.get(f"{page}.md", if_none_match=answer.headers["etag"]).status_code == 304
    assert shared_site.get(f"{URL}/editions/{shared_site.get_edition_id()}.md").status_code == 404
