"""What the pages of the site show."""

from __future__ import annotations

from dataclasses import replace

import jinja2
import pytest
from bs4 import BeautifulSoup

from digest.render.papers.links import Link
from digest.render.publishing.web_pages import Button, NoticePage, render_edition_page, render_notice_page
from tests.render.samples import SITE, make_edition, make_item

FEEDS = (Link(label="RSS", href="https://digest.example.org/feeds/1.x/s.rss", type="application/rss+xml"),)
EVIL = "<script>alert(1)</script>\u202e\"'&"


def soup(page: bytes) -> BeautifulSoup:
    return BeautifulSoup(page, "html.parser")


def test_a_notice_says_what_it_has_to_say(environment: jinja2.Environment) -> None:
    notice = NoticePage(
        title="Unsubscribe?", lines=("One.", "Two."), button=Button(label="Stop", action="../x/1")
    )

    page = soup(render_notice_page(environment, SITE, notice))

    assert page.h1 is not None
    assert page.h1.text == "Unsubscribe?"
    assert [line.text for line in page.select("article > p")] == ["One.", "Two."]
    [form] = page.select("form")
    assert (form["method"], form["action"]) == ("post", "../x/1")
    assert [button.text for button in page.select("button")] == ["Stop"]
    assert [link["href"] for link in page.select("a")] == ["mailto:ops@example.org"]


def test_a_notice_without_a_button_has_no_form(environment: jinja2.Environment) -> None:
    page = soup(
        render_notice_page(
            environment, replace(SITE, contact=""), NoticePage(title="Gone", lines=("It is.",))
        )
    )

    assert page.select("form, button, a") == []


def test_a_small_page_holds_neither_scripts_nor_anything_from_elsewhere(
    environment: jinja2.Environment,
) -> None:
    notice = NoticePage(title=EVIL, lines=(EVIL,), button=Button(label=EVIL, action=EVIL), aside=EVIL)

    page = soup(render_notice_page(environment, replace(SITE, title=EVIL), notice))

    assert page.select("script, img, iframe, link, [src], [onclick]") == []
    assert "\u202e" not in str(page)
    assert page.h1 is not None
    assert page.h1.text == EVIL.replace("\u202e", "")


def test_an_editions_page_shows_all_of_it_and_what_found_no_room_in_its_mail(
    environment: jinja2.Environment,
) -> None:
    items = tuple(make_item(number, abstract="A sentence of some length. " * 60) for number in range(1, 61))
    rest = tuple(make_item(number) for number in range(100, 600))

    page = soup(render_edition_page(environment, make_edition(*items, overflow=rest), SITE, FEEDS))

    titles = [link.text for link in page.select("a") if link.text.startswith("SplitZip")]
    assert len(titles) == 60 + 560
    assert len(page.select("h3")) == len(page.select("nav li a[href^='#p']")) == 60


def test_an_editions_page_leads_to_the_feeds(environment: jinja2.Environment) -> None:
    page = soup(render_edition_page(environment, make_edition(make_item(1)), SITE, FEEDS))

    assert [link["href"] for link in page.select("link[rel=alternate]")] == [FEEDS[0].href]
    assert [link["href"] for link in page.select("a") if link.text == "RSS"] == [FEEDS[0].href]


def test_an_editions_page_says_nothing_that_is_one_readers_alone(environment: jinja2.Environment) -> None:
    page = soup(render_edition_page(environment, make_edition(make_item(1)), SITE, ()))

    assert "nsubscribe" not in page.text
    assert page.select("form, script, link[rel=alternate]") == []


@pytest.mark.parametrize("empty", [True, False])
def test_search_engines_are_to_stay_away(environment: jinja2.Environment, empty: bool) -> None:  # noqa: FBT001 - a table
    edition = make_edition() if empty else make_edition(make_item(1))

    [robots] = soup(render_edition_page(environment, edition, SITE, ())).select("meta[name=robots]")

    assert robots["content"] == "noindex"
