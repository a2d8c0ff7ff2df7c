from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import jinja2

from digest.model import EditionPart, Item, PaperKey, Signal
from digest.render.branding import Branding
from digest.render.delivery.files import make_edition_json
from digest.render.delivery.mail import render_mail
from digest.render.papers.paper_view import make_paper_view
from digest.sources import hf_daily
from tests.render.samples import FRIDAY, SITE, make_edition, make_item
from tests.support.cases import for_each_case

HF = replace(SITE, paper_pages={"hf": hf_daily.Source().find_paper_page})
PAGE = "https://huggingface.co/papers/2606.00001"


def signal(kind: str, value: float, source: str = "hf", *, days: int = 0) -> Signal:
    day = FRIDAY + timedelta(days=days)
    return Signal(subject=PaperKey("arxiv:2606.00001"), kind=kind, source=source, day=day, value=value)


def counted(*signals: Signal, part: EditionPart = EditionPart.SURELY, **fields: Any) -> Item:
    item = make_item(1, part, **fields)
    return replace(item, event=replace(item.event, signals=signals))


@for_each_case(
    ("signals", "lines"),
    [
        ((), ()),
        ((signal("comments", 3), signal("votes", 41)), ("41 votes, 3 comments on Hugging Face",)),
        ((signal("votes", 1), signal("comments", 0)), ("1 vote on Hugging Face",)),
        ((signal("votes", 0), signal("comments", 0), signal("stars", 0)), ()),
        ((signal("stars", 1204),), ("1,204 stars on GitHub",)),
        ((signal("stars", 9), signal("stars", 1, "s2", days=1)), ("1 star on GitHub",)),
        (
            (signal("votes", 41), signal("votes", 7, "other"), signal("citations", 2, "arxiv")),
            ("2 citations on arXiv", "41 votes on Hugging Face", "7 votes on other"),
        ),
        ((signal("h-index", 40, "s2"),), ()),
    ],
)
def test_numbers_are_told_with_who_counts_them_and_never_mixed(
    signals: tuple[Signal, ...], lines: tuple[str, ...]
) -> None:
    assert make_paper_view(counted(*signals), HF).signals == lines


def test_the_numbers_of_a_site_link_to_where_people_talk_of_the_paper(
    environment: jinja2.Environment,
) -> None:
    voted = counted(signal("votes", 41))

    mail = render_mail(environment, make_edition(voted), HF)

    assert f'href="{PAGE}">41 votes on Hugging Face</a>' in mail.html
    assert mail.html.count(PAGE) == 1


def test_a_pick_without_a_vote_has_it_too_and_no_other_paper_has() -> None:
    picked, other = (
        make_paper_view(item, HF).links
        for item in (make_item(1, EditionPart.PICKED, source="hf"), make_item(1))
    )

    assert [link.href for link in picked if link.label == "Hugging Face"] == [PAGE]
    assert "Hugging Face" not in [link.label for link in other]


def test_the_page_is_on_the_host_that_is_asked() -> None:
    mirror = Branding(
        title="", paper_pages={"hf": hf_daily.Source(url="http://127.0.0.1:9/api/list").find_paper_page}
    )
    voted = counted(signal("votes", 41), key=PaperKey("doi:10.1/x"), ids=(("arxiv", "hep-th/9901001"),))

    assert make_paper_view(voted, mirror).links[-1].href == "http://127.0.0.1:9/papers/hep-th/9901001"


def test_a_paper_without_an_arxiv_id_has_no_page_there() -> None:
    voted = counted(signal("votes", 41), key=PaperKey("doi:10.1/x"))

    view = make_paper_view(voted, HF)

    assert view.signals == ("41 votes on Hugging Face",)
    assert "Hugging Face" not in [link.label for link in view.links]


def test_a_program_gets_each_number_with_its_source_and_day() -> None:
    (items,) = make_edition_json(make_edition(counted(signal("votes", 41))), HF)["items"]

    assert items["signals"] == [{"kind": "votes", "source": "hf", "day": "2026-06-12", "value": 41.0}]
