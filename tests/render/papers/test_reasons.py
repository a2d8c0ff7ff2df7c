"""Why a paper is there, in everything that shows it: each reason with its own certainty."""

from __future__ import annotations

import jinja2
import pytest
from bs4 import BeautifulSoup

from digest.core.delivery.chat import Markup, make_messages
from digest.model import Confidence, Frequency
from digest.render.delivery.chat import make_chat
from digest.render.delivery.files import make_edition_json
from digest.render.delivery.mail import render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.editions.overview import make_overview
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import FEED_FORMATS, FeedLinks
from digest.render.publishing.web_pages import render_edition_page
from tests.render.samples import SITE, make_edition, make_item, make_reason

SURE = make_reason("KV cache", Confidence.SURELY, abstract=["KV cache"])
DOUBTFUL = make_reason("Wencong Xiao", Confidence.MAYBE)
FEEDS = "https://digest.example.org/feeds/llm-systems"


@pytest.fixture
def reason_texts(environment: jinja2.Environment) -> dict[str, str]:
    """A paper that one follow fits and another may fit, as plain text, by what shows it."""
    edition = make_edition(make_item(reasons=(DOUBTFUL, SURE)))
    parts = render_mail(environment, edition, SITE)
    feed = make_digest_feed(
        environment,
        DigestFeed(editions=(edition,), branding=SITE, digest="d", title="d"),
        FeedLinks(self=FEEDS),
    )
    pages = {
        "mail": parts.html,
        "page": render_edition_page(environment, edition, SITE, ()).decode(),
        "feed": FEED_FORMATS["json"].render(environment, feed).decode(),
    }
    chat = make_chat(edition, SITE, delivery=7, address="slack://…/ab12", page="")
    return {name: BeautifulSoup(page, "html.parser").get_text() for name, page in pages.items()} | {
        "text of the mail": parts.text,
        "markdown": render_markdown(environment, edition, SITE).replace("*", ""),
        "chat": "\n".join(make_messages(chat, Markup.TEXT, 20_000)),
    }


def test_a_doubtful_reason_is_told_as_doubtful_wherever_a_sure_one_stands_beside_it(
    reason_texts: dict[str, str],
) -> None:
    for name, text in reason_texts.items():
        words = " ".join(text.split())
        assert "Wencong Xiao (maybe)" in words, name
        assert "KV cache (maybe)" not in words, name
        assert "Maybe, because" not in words, name


def test_plain_data_tell_the_certainty_of_each_reason() -> None:
    [items] = make_edition_json(make_edition(make_item(reasons=(DOUBTFUL, SURE))), SITE)["items"]

    assert [(reason["follow"], reason["band"]) for reason in items["reasons"]] == [
        ("Wencong Xiao", "maybe"),
        ("KV cache", "surely"),
    ]


def test_an_overview_counts_apart_what_only_may_fit() -> None:
    items = (
        make_item(1, reasons=[DOUBTFUL, SURE]),
        make_item(2, reasons=[SURE]),
        make_item(3, reasons=[DOUBTFUL]),
    )
    overview = make_overview(make_edition(*items, frequency=Frequency.WEEKLY, batches=()), SITE)

    assert overview is not None
    [follows] = overview.others
    assert [(bar.label, bar.number) for bar in follows.bars] == [
        ("KV cache", "2"),
        ("Wencong Xiao (maybe)", "2"),
    ]
