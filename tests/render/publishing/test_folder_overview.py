from __future__ import annotations

from datetime import timedelta

import jinja2
from bs4 import BeautifulSoup

from digest.model import BatchState
from digest.render.papers.links import Link
from digest.render.publishing.folder_overview import (
    DigestOverview,
    EditionFiles,
    make_digest_overview,
    make_public_feed_group,
    render_index_page,
)
from tests.render.delivery.test_mail import parse_outline
from tests.render.samples import FRIDAY, SITE, make_batch, make_edition, make_item

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
        *("days/2026-06-12.html", "a.html"),
        "archive.html",
        *("llm-systems.rss.xml", "llm-systems.atom.xml", "a.html", "a.txt"),
    ]
    for text in ("June 2026", "12 Jun", "07:30", "1 new", "SplitZip 1"):
        assert text in outline.text
    assert 'aria-label="complete according to the feeds"' in page.decode()


def test_an_edition_that_misses_something_says_so(environment: jinja2.Environment) -> None:
    late = make_edition(batches=(make_batch(), make_batch("cs.LG", BatchState.WAITING)))

    page = render_index_page(environment, SITE, [shelf(EditionFiles(edition=late, files=()))]).decode()

    assert "<small class=warn>212 listings so far; cs.LG missing</small>" in page
    assert "✓" not in page


def test_the_latest_sixty_editions_of_all_digests_are_a_table_with_a_part_for_each_month(
    environment: jinja2.Environment,
) -> None:
    overviews = [
        make_digest_overview(
            name,
            name,
            [
                make_edition(
                    make_item(1), digest=name, title=name, period=f"{FRIDAY - timedelta(ahead)}T07:{minute}"
                )
                for ahead in range(40)
            ],
            feeds=False,
            folder=None,
            locale=SITE.locale,
        )
        for name, minute in (("first", 30), ("second", 45))
    ]

    page = BeautifulSoup(render_index_page(environment, SITE, overviews), "html.parser")

    rows = [[cell.get_text(" ") for cell in row.select("th, td")] for row in page.select("tbody tr")]
    assert [row for row in rows if len(row) == 1] == [["June 2026"], ["May 2026"]]
    editions = [tuple(row[:2]) for row in rows if len(row) == 3]
    assert len(editions) == 60
    assert [(day, edition.split()[0]) for day, edition in editions[:3]] == [
        ("12 Jun 07:45", "second"),
        ("12 Jun 07:30", "first"),
        ("11 Jun 07:45", "second"),
    ]
    assert editions[-1][0] == "14 May 07:30"
    assert [link["href"] for link in page.select(".links a")] == ["archive.html"]


def test_a_long_title_does_not_make_a_row_higher_than_a_few_lines(environment: jinja2.Environment) -> None:
    files = EditionFiles(edition=make_edition(make_item(1, title="word " * 60)), files=())

    page = BeautifulSoup(render_index_page(environment, SITE, [shelf(files)]), "html.parser")

    [title] = page.select("tbody td small")
    assert len(title.text) <= 72
    assert title.text.endswith("…")


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


def test_where_editions_have_no_pages_nothing_leads_to_one(environment: jinja2.Environment) -> None:
    editions = [make_edition(make_item(1))]
    overviews = [
        make_digest_overview(
            name, name, editions, feeds=False, folder=folder, locale=SITE.locale, has_pages=False
        )
        for name, folder in (("first", None), ("second", "mail"))
    ]

    page = BeautifulSoup(render_index_page(environment, SITE, overviews), "html.parser")

    links = {str(link["href"]).partition("/")[0] for link in page.select("a")}
    assert links == {"archive.html", "mail"}
