"""What means harm in titles, names, abstracts and addresses does none, wherever it is read: opened in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from markdown_it import MarkdownIt

from digest.core.delivery.chat import Markup, make_messages
from digest.model import Edition
from digest.render.account_page import render_manage_page
from digest.render.branding import Branding
from digest.render.delivery.chat import make_chat
from digest.render.delivery.mail import render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.environment import make_environment
from digest.render.paper_page import render_paper_page
from digest.render.papers.links import Link
from digest.render.publishing import static_pages
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import FeedLinks
from digest.render.publishing.web_pages import render_edition_page
from tests.system.programs.browser import measure_appearance
from tests.system.programs.chromium import Chromium
from tests.system.samples import harm
from tests.system.samples.feeds import read_by_feedparser, render_document
from tests.system.samples.mails import PAGE
from tests.system.samples.views import DOORS, FEEDS, make_manage_page, make_paper_view

pytestmark = pytest.mark.system
ENVIRONMENT = make_environment()
HEAD = "<!doctype html><html lang=en><meta charset=utf-8><style>body{overflow-wrap:anywhere}</style>"
DOM = """[...document.querySelectorAll("*")].map(one => [one.localName, ...[...one.attributes].map(a => a.name)].join(" "))"""
TEXT = "document.title + document.documentElement.textContent"
ADDRESSES = """[...document.querySelectorAll("[href], [src], [action]")].map(
  one => one.getAttribute("href") ?? one.getAttribute("src") ?? one.getAttribute("action"))"""
AN_ADDRESS = re.compile(r"(?:https?://|mailto:|#)|(?!//)[\w./-]*(?:#\w+)?$")


def _mail(edition: Edition, masthead: Branding) -> Iterator[str]:
    yield render_mail(ENVIRONMENT, edition, masthead, DOORS).html


def _page(edition: Edition, masthead: Branding) -> Iterator[str]:
    yield render_edition_page(ENVIRONMENT, edition, masthead, FEEDS, PAGE).decode()


def _pages_of_papers(edition: Edition, masthead: Branding) -> Iterator[str]:
    back = Link(label=edition.title, href=PAGE)
    for number in range(1, len(edition.items) + 1):
        yield render_paper_page(ENVIRONMENT, masthead, make_paper_view(edition, number), back).decode()


def _managing(edition: Edition, masthead: Branding) -> Iterator[str]:
    yield render_manage_page(ENVIRONMENT, masthead, make_manage_page(edition)).decode()


def _static(edition: Edition, masthead: Branding) -> Iterator[str]:
    day = edition.composed_at.date()
    home = Link(label=masthead.title, href="../index.html")
    turn = static_pages.PageNavigation(
        older=None, newer=home, home=home, up=Link(label=edition.title, href="../days.html")
    )
    page = static_pages.make_day_path(day)
    yield static_pages.render_day_page(
        ENVIRONMENT, masthead, day, [static_pages.make_day_edition(edition, masthead, page)], turn
    ).decode()
    yield static_pages.render_archive_page(ENVIRONMENT, masthead, {day: [edition.title]}, []).decode()


def _feed(edition: Edition, masthead: Branding) -> Iterator[str]:
    """As a careless program shows it, that takes titles and names for HTML where nothing says that they are none."""
    feed = DigestFeed(branding=masthead, digest="llm-systems", title=edition.title, editions=[edition])
    channel = make_digest_feed(ENVIRONMENT, feed, FeedLinks(self=f"{PAGE}.rss"))
    entries = read_by_feedparser(render_document(channel, "rss").body)
    yield HEAD + "".join(
        f"<h2>{entry.title}</h2><p>{entry.authors}</p><div>{entry.content}</div>" for entry in entries
    )


def _chat(edition: Edition, masthead: Branding) -> Iterator[str]:
    chat = make_chat(edition, masthead, delivery=1, address="matrix://x", page=PAGE)
    for message in make_messages(chat, Markup.HTML, 16_000):
        yield HEAD + message
    for message in make_messages(chat, Markup.MARKDOWN, 16_000):
        yield HEAD + MarkdownIt("commonmark", {"html": True}).render(message)


def _markdown(edition: Edition, masthead: Branding) -> Iterator[str]:
    yield HEAD + MarkdownIt("commonmark", {"html": True}).render(
        render_markdown(ENVIRONMENT, edition, masthead)
    )


Surface = Callable[[Edition, Branding], Iterator[str]]
SURFACES: dict[str, Surface] = {
    "mail": _mail,
    "page": _page,
    "pages of papers": _pages_of_papers,
    "managing": _managing,
    "static pages": _static,
    "feed": _feed,
    "chat": _chat,
    "Markdown": _markdown,
}


@pytest.mark.parametrize("name", SURFACES)
def test_nothing_runs_nothing_is_asked_for_and_no_element_is_more(name: str, chromium: Chromium) -> None:
    surface = SURFACES[name]
    known_values = {"b"}
    for number in (12, 400) if name == "mail" else (12,):  # of so many some are lines
        for html in surface(*harm.make_harmless_edition(number)):
            chromium.open(html)
            known_values |= set(chromium.run(DOM))
    assert len(known_values) > 5

    for edition, masthead in harm.make_harmful_editions():
        for html in surface(edition, masthead):
            heard = chromium.open(html)

            page_appearance = measure_appearance(chromium, width=320, dark=False)
            more = set(chromium.run(DOM)) - known_values
            assert (more, heard.dialogs, heard.requests, heard.errors) == (set(), [], [], [])
            assert not re.search(
                "[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", chromium.run(TEXT)
            )
            assert [entry for entry in chromium.run(ADDRESSES) if not AN_ADDRESS.match(entry)] == []
            assert (page_appearance.width, page_appearance.outside) == (320, [])


def test_the_browser_would_hear_of_it(chromium: Chromium) -> None:
    heard = chromium.open(f"{HEAD}<img src={harm.EVIL} onerror=alert(1)>")

    assert set(heard.requests) == {harm.EVIL}
    assert heard.dialogs == ["1"]
