from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import jinja2
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from digest.model import Edition, EditionPart, Frequency, Item
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.editions.overview import make_overview
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.web_pages import render_edition_page
from digest.render.wrapping import count_columns
from tests.render.samples import FRIDAY, SITE, make_batch, make_edition, make_item, make_reason
from tests.support.cases import for_each_case


def told(counts: Sequence[int], *, last: int = 0) -> tuple[Item, ...]:
    """So many papers of each day, the last day's first."""
    return tuple(
        make_item(100 * days + number, day=FRIDAY - timedelta(last + days))
        for days, count in enumerate(counts)
        for number in range(count)
    )


def weekly(*counts: int, frequency: Frequency = Frequency.WEEKLY, **fields: Any) -> Edition:
    return make_edition(*told(counts), **{"frequency": frequency, "batches": ()} | fields)


def bars(chart: Any) -> list[tuple[str, str, int]]:
    return [(bar.label, bar.number, bar.share) for bar in chart.bars]


def test_each_day_has_its_bar_and_so_has_one_that_brought_nothing() -> None:
    overview = make_overview(
        weekly(4, 1, overflow=told((0, 1)), batches=(make_batch(day=FRIDAY - timedelta(2)), make_batch())),
        SITE,
    )

    assert overview is not None
    assert overview.title == "The week at a glance"
    assert bars(overview.days) == [("10 Jun", "0", 0), ("11 Jun", "2", 50), ("12 Jun", "4", 100)]
    assert overview.days.said == "10 Jun: 0, 11 Jun: 2, 12 Jun: 4"
    assert [bar.line for bar in overview.days.bars] == [
        "10 Jun  0",
        "11 Jun  ############ 2",
        "12 Jun  ######################## 4",
    ]
    assert overview.others == ()


def test_a_month_is_shown_by_the_week() -> None:
    overview = make_overview(weekly(*[1] * 30, frequency=Frequency.MONTHLY), SITE)

    assert overview is not None
    assert overview.title == "The month at a glance"
    assert overview.days.title == "Papers per week"
    assert [bar.label for bar in overview.days.bars] == [
        *("from 11 May", "from 18 May", "from 25 May", "from 1 Jun", "from 8 Jun"),
    ]
    assert [bar.number for bar in overview.days.bars] == ["4", "7", "7", "7", "5"]


def test_the_follows_that_brought_most_and_the_sources_are_compared() -> None:
    both = [make_reason("KV cache"), make_reason("serving"), make_reason("serving")]
    items = (
        make_item(1, reasons=both),
        make_item(2, reasons=[make_reason("serving")]),
        make_item(3, EditionPart.PICKED, source="hf"),
    )

    overview = make_overview(make_edition(*items, frequency=Frequency.WEEKLY), SITE)

    assert overview is not None
    follows, sources = overview.others
    assert bars(follows) == [("KV cache", "2", 100), ("serving", "2", 100)]
    assert bars(sources) == [("arXiv", "2", 100), ("Hugging Face", "1", 50)]


@for_each_case(
    "other",
    [
        weekly(1, frequency=Frequency.DAILY),
        weekly(1, frequency=Frequency.EVERY),
        weekly(),
        weekly(1, period="alert-7"),
    ],
)
def test_no_other_edition_has_one(other: Edition) -> None:
    assert make_overview(other, SITE) is None


def test_a_mail_has_bars_with_numbers_and_no_picture(environment: jinja2.Environment) -> None:
    mail = render_mail(environment, weekly(4, 1), SITE)

    tables = BeautifulSoup(mail.html, "html.parser").select("table:not([role])")
    assert [table.caption.get_text() for table in tables if table.caption] == ["Papers per day"]
    rows = [row.get_text(" ", strip=True) for row in tables[0].find_all("tr", recursive=False)]
    assert rows == ["11 Jun 1", "12 Jun 4"]
    assert re.findall(r"width:(\d+)px", str(tables[0])) == ["40", "160"]
    assert "img" not in mail.html
    assert "  12 Jun  ######################## 4" in mail.text.splitlines()


def test_a_page_has_a_picture_that_can_be_read_out(environment: jinja2.Environment) -> None:
    page = render_edition_page(environment, weekly(4, 1), SITE, ()).decode()

    svg = BeautifulSoup(page, "html.parser").svg
    assert svg is not None
    assert svg["role"] == "img"
    labels = str(svg["aria-labelledby"]).split()
    assert [tag.get_text() for label in labels for tag in svg.find_all(id=label)] == [
        "Papers per day",
        "11 Jun: 1, 12 Jun: 4",
    ]
    assert [rect["height"] for rect in svg.find_all("rect")] == ["25", "100"]


def test_markdown_has_the_numbers(environment: jinja2.Environment) -> None:
    assert "- 12 Jun: 4\n" in render_markdown(environment, weekly(4, 1), SITE)


@pytest.mark.parametrize("count", [0, 2, 5])
def test_it_stands_below_the_first_three_papers_wherever_an_edition_is_one_text(
    environment: jinja2.Environment, count: int
) -> None:
    edition = weekly(count) if count else make_edition(batches=(), frequency=Frequency.WEEKLY)
    feed = DigestFeed(branding=SITE, digest="llm", title="LLM", editions=(edition,), by_edition=True)
    [entry] = make_digest_feed(environment, feed).entries
    mail = render_mail(environment, edition, SITE)
    page = BeautifulSoup(render_edition_page(environment, edition, SITE, ()), "html.parser")
    texts = {
        "mail": BeautifulSoup(mail.html, "html.parser").main.get_text(),  # type: ignore[union-attr]
        "text": mail.text,
        "markdown": render_markdown(environment, edition, SITE),
        "page": page.main.get_text(),  # type: ignore[union-attr]
        "feed": BeautifulSoup(entry.html, "html.parser").get_text(),
        "feed as text": entry.text,
    }

    for name, text in texts.items():
        before, title, after = text.partition("The week at a glance")
        assert bool(title) == (make_overview(edition, SITE) is not None), name
        if title:
            assert len(re.findall(r"SplitZip \d+: Lossless", before)) == min(count, 3), name
            assert len(re.findall(r"SplitZip \d+: Lossless", after)) == max(0, count - 3), name
            assert ("New papers" in after) == (count > 3), name


@pytest.mark.parametrize("language", ["de", "zh"])
def test_it_is_told_in_the_readers_language(language: str) -> None:
    locale = get_locale(language)
    environment, site = make_environment(None, locale), replace(SITE, locale=locale)
    mail = render_mail(environment, weekly(4, 1), site)

    assert "Jun " not in mail.text
    (line,) = [line for line in mail.text.splitlines() if line.endswith("# 4")]
    assert count_columns(line.partition("#")[0]) == count_columns(f"  {locale.short_day(FRIDAY)}  ")


def test_many_mails_have_it_too(environment: jinja2.Environment) -> None:
    to = {"recipient": "you@example.org", "message_id": "<1@example.org>"}

    mail = MailCache(environment, SITE).make_mail(weekly(4, 1), delivery=1, **to)

    assert mail == make_mail(environment, weekly(4, 1), SITE, delivery=1, **to)


@given(st.lists(st.text(min_size=1, max_size=60), min_size=2, max_size=9, unique=True), st.data())
def test_bars_stand_below_each_other_whatever_the_follows_are(
    follows: list[str], data: st.DataObject
) -> None:
    items = [make_item(number, reasons=[make_reason(follow)]) for number, follow in enumerate(follows)]
    more = [make_item(99, reasons=[make_reason(data.draw(st.sampled_from(follows)))])]

    overview = make_overview(make_edition(*items, *more, frequency=Frequency.WEEKLY), SITE)

    assert overview is not None
    for chart in overview.others:
        assert len({count_columns(bar.line.rpartition("  #")[0]) for bar in chart.bars}) == 1
        assert max(bar.share for bar in chart.bars) == 100
