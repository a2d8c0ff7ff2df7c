from __future__ import annotations

import jinja2

from digest.model import BatchState
from digest.render.papers.links import Link
from digest.render.publishing.folder_overview import (
    DigestOverview,
    EditionFiles,
    make_public_feed_group,
    render_index_page,
)
from tests.render.delivery.test_mail import parse_outline
from tests.render.samples import SITE, make_batch, make_edition, make_item

FEEDS = (
    Link(label="RSS", href="llm-systems.rss.xml", type="application/rss+xml"),
    Link(label="Atom", href="llm-systems.atom.xml", type="application/atom+xml"),
)


def shelf(*editions: EditionFiles, digest: str = "llm-systems") -> DigestOverview:
    return DigestOverview(digest=digest, title=digest, feeds=FEEDS, editions=editions)


def test_the_overview_leads_to_feeds_and_files(environment: jinja2.Environment) -> None:
    links = (Link(label="HTML", href="a.html"), Link(label="text", href="a.txt"))

    page = render_index_page(
        environment, SITE, [shelf(EditionFiles(edition=make_edition(make_item(1)), files=links))]
    )

    outline = parse_outline(page.decode().replace("<link", "<meta"))
    assert outline.links == [
        *("llm-systems.rss.xml", "llm-systems.atom.xml"),
        "archive.html",
        *("llm-systems.rss.xml", "llm-systems.atom.xml"),
        *("a.html", "a.html", "a.txt"),
    ]
    for text in ("Friday 12 June 2026", "07:30", "1 new", "complete according to the feeds", "SplitZip 1"):
        assert text in outline.text


def test_an_edition_that_misses_something_says_so(environment: jinja2.Environment) -> None:
    late = make_edition(batches=(make_batch(), make_batch("cs.LG", BatchState.WAITING)))

    page = render_index_page(environment, SITE, [shelf(EditionFiles(edition=late, files=()))]).decode()

    assert '<span class="missing">212 listings so far; cs.LG missing</span>' in page


def test_a_digest_without_edition_and_a_folder_without_digest_say_so(
    environment: jinja2.Environment,
) -> None:
    assert "No edition yet." in render_index_page(environment, SITE, [shelf()]).decode()
    assert "There are no digests yet." in render_index_page(environment, SITE, []).decode()


def test_text_in_the_overview_is_no_markup(environment: jinja2.Environment) -> None:
    evil = '"><script>x</script>{{ 1 }}'

    page = render_index_page(
        environment,
        SITE,
        [shelf(EditionFiles(edition=make_edition(make_item(title=evil)), files=()), digest=evil)],
    ).decode()

    assert "<script" not in page
    assert "{{ 1 }}" in page


def test_the_overview_leads_to_feeds_for_everybody(environment: jinja2.Environment) -> None:
    first = make_public_feed_group("", [("Everything new", "all", "")])
    others = make_public_feed_group("By category", [("cs.DC", "category", "cs.DC"), ("<b>", "query", "a b")])

    page = render_index_page(environment, SITE, [shelf()], [first, others]).decode()

    outline = parse_outline(page.replace("<link", "<meta"))
    assert "Public feeds" in outline.text
    assert "<summary>By category</summary>" in page
    assert {"./feeds/public/all.atom", "./feeds/public/query/a%20b.rss"} <= set(outline.links)
    assert "<b>" not in page
    assert "Public feeds" not in render_index_page(environment, SITE, [shelf()]).decode()
