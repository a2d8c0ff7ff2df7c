"""The line below a paper of a mail tells what happened to it and when, where to read it, and who counts what."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

from digest.model import Confidence, EditionPart, EventKind, PaperKey, Signal
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.chat import make_chat
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.environment import make_environment
from digest.render.papers.facts import make_facts
from digest.render.papers.links import Link
from digest.render.papers.paper_view import WHOLE, make_paper_view
from digest.render.publishing.digest_feed import make_paper_entry
from digest.sources import hf_daily
from tests.render.samples import FRIDAY, NOW, SITE, make_edition, make_item, make_reason
from tests.support.cases import for_each_case

HF = replace(SITE, paper_pages={"hf": hf_daily.Source().find_paper_page})
READING = ["PDF", "HTML"]


def list_facts(
    *counts: tuple[str, float, str], late: bool = False, shows_day: bool = False, **fields: Any
) -> tuple[Link, ...]:
    signals = tuple(
        Signal(subject=PaperKey("arxiv:2606.00001"), kind=kind, source=source, day=FRIDAY, value=value)
        for kind, value, source in counts
    )
    new_categories = fields.pop("new_categories", ())
    event = replace(make_item(**fields).event, signals=signals, new_categories=new_categories)
    return make_facts(event, HF, late=late, shows_day=shows_day)


def list_labels(*counts: tuple[str, float, str], **fields: Any) -> list[str]:
    return [fact.label for fact in list_facts(*counts, **fields)]


def test_an_ordinary_new_paper_has_its_categories_and_where_to_read_it() -> None:
    assert list_facts() == (
        Link(label="cs.DC, cs.LG", href=""),
        Link(label="PDF", href="https://arxiv.org/pdf/2606.00001"),
        Link(label="HTML", href="https://arxiv.org/html/2606.00001"),
    )


def test_a_few_categories_are_named() -> None:
    assert list_labels(categories=("a", "b", "c", "d")) == ["a, b, c", *READING]
    assert list_labels(categories=()) == READING


def test_a_category_that_is_a_reason_is_said_once() -> None:
    def show(*follows: str, categories: tuple[str, ...] = ("cs.DC", "cs.LG")) -> str:
        item = make_item(reasons=[make_reason(follow) for follow in follows], categories=categories)
        view = make_paper_view(item, SITE, WHOLE)
        texts = [fact.label for fact in view.facts if not fact.href]
        return " | ".join((view.reasons.text, *texts))

    assert show("cs.DC") == "cs.DC | cs.LG"
    assert show("cs.DC", categories=("cs.DC",)) == "cs.DC"
    assert show("KV cache", "cs.LG", "cs.DC") == "KV cache; cs.LG; cs.DC"
    assert show("KV cache", "cs") == "KV cache; cs | cs.DC, cs.LG"


def test_a_line_says_once_that_a_paper_is_a_maybe() -> None:
    reasons = [make_reason("Wencong Xiao", Confidence.MAYBE, author=["W. Xiao"])]
    maybe = make_item(1, EditionPart.MAYBE, reasons, late=True)
    edition = make_edition(maybe, full=0)
    environment = make_environment()
    mail = render_mail(environment, edition, SITE)
    [(_, line)] = make_chat(edition, SITE, delivery=1, address="slack://…").papers
    whole = replace(edition, items=(), overflow=(maybe,))
    texts = {
        "html": mail.html.partition("<li>")[2].partition("</li>")[0],
        "text": " ".join(mail.text.partition("More papers in brief")[2].partition("https")[0].split()),
        "chat": "".join(span.text for part in line for span in part),
        "markdown": render_markdown(environment, whole, SITE).partition("in brief")[2].partition("---")[0],
    }

    for name, text in texts.items():
        assert (text.count("maybe"), text.count("late")) == (1, 1), (name, text)


def test_mails_of_many_say_it_once_too_each_by_its_own_reasons() -> None:
    event = make_item(1, categories=("cs.DC",)).event
    environment = make_environment()
    cache = MailCache(environment, SITE)
    to: dict[str, Any] = {"delivery": 1, "recipient": "me@example.org", "message_id": "<1@example.org>"}

    for follow in ("cs.DC", "KV cache", "cs.DC"):
        edition = make_edition(replace(make_item(1, reasons=[make_reason(follow)]), event=event))
        assert cache.make_mail(edition, **to) == make_mail(environment, edition, SITE, **to)
    assert cache.fast_count == 3


def test_a_public_feed_which_gives_no_reasons_keeps_its_categories() -> None:
    item = make_item(reasons=[make_reason("cs.DC")], categories=("cs.DC",))

    entries = [
        make_paper_entry(make_environment(), SITE, item, NOW, is_personal=is_personal)
        for is_personal in (True, False)
    ]

    assert [entry.html.count("cs.DC") for entry in entries] == [1, 1]


JOURNAL = {"journal_ref": "J. Made  Up 1"}


@for_each_case(
    ("kind", "fields", "news"),
    [
        (EventKind.NEW, {}, []),
        (EventKind.NEW, JOURNAL, []),
        (EventKind.NEW, {"withdrawn": True}, ["withdrawn"]),
        (EventKind.GROWN, {}, ["announced before, now with more details"]),
        (
            EventKind.GROWN,
            {"withdrawn": True},
            ["announced before, now with more details", "withdrawn"],
        ),
        (
            EventKind.GROWN,
            {"new_categories": ("cs.DC", "cs.LG")},
            ["announced before, now also in cs.DC and cs.LG"],
        ),
        (EventKind.PICKED, {"source": "elsewhere"}, ["picked"]),
        (EventKind.PUBLISHED, {}, ["published"]),
        (EventKind.PUBLISHED, JOURNAL, ["now published: J. Made Up 1"]),
        (EventKind.PUBLISHED, {"journal_ref": "J. " * 30}, ["published"]),
        (EventKind.PUBLISHED, {"withdrawn": True}, ["published, withdrawn"]),
        (EventKind.VERSION, {}, ["version 3"]),
        (EventKind.VERSION, {"replaced_as": 0, "withdrawn": True}, ["new version, withdrawn"]),
        (EventKind.CODE, {}, ["code found"]),
        (EventKind.TRENDING, {}, ["trending"]),
    ],
)
def test_what_happened_to_a_paper_is_told_if_it_is_not_just_new(
    kind: EventKind, fields: dict[str, Any], news: list[str]
) -> None:
    assert list_labels(kind=kind, **fields) == ["cs.DC, cs.LG", *news, *READING]


@for_each_case(("kind", "fields"), list(product(EventKind, ({}, JOURNAL, {"new_categories": ("cs.DC",)}))))
def test_a_withdrawn_paper_is_always_said_to_be(kind: EventKind, fields: dict[str, Any]) -> None:
    assert "withdrawn" in ", ".join(list_labels(kind=kind, withdrawn=True, **fields))


@for_each_case(
    ("options", "told"),
    [
        ({}, []),
        ({"shows_day": True}, ["11 Jun"]),
        ({"late": True}, ["announced 11 Jun"]),
        ({"late": True, "shows_day": True}, ["announced 11 Jun"]),
    ],
)
def test_the_day_of_a_paper_is_told_once_if_it_is_not_the_day_of_the_edition(
    options: dict[str, bool], told: list[str]
) -> None:
    labels = list_labels(day=FRIDAY - timedelta(days=1), **options)

    assert labels == ["cs.DC, cs.LG", *told, *READING]


@for_each_case(
    ("fields", "labels"),
    [
        ({"doi": "10.1/x"}, READING),
        ({"key": PaperKey("arxiv:2306.00001"), "doi": "10.1/x"}, ["PDF"]),
        ({"key": PaperKey("doi:10.1/x"), "doi": "10.1/x", "pdf_url": ""}, ["DOI"]),
        ({"key": PaperKey("doi:10.1/x"), "pdf_url": "javascript:alert(1)"}, []),
        ({"code_urls": ("https://a.b/c", "https://a.b/d")}, [*READING, "Code", "Code 2"]),
        ({"project_urls": ("https://a.b/c", "ftp://a.b/d")}, [*READING, "Project"]),
    ],
)
def test_there_are_links_to_the_paper_and_what_belongs_to_it_and_to_its_doi_only_without_another_text(
    fields: dict[str, Any], labels: list[str]
) -> None:
    assert list_labels(**fields) == ["cs.DC, cs.LG", *labels]


PAGE = "https://huggingface.co/papers/2606.00001"


def test_the_numbers_of_a_site_are_the_link_to_its_page() -> None:
    facts = list_facts(("votes", 41, "hf"), ("stars", 9, "hf"), ("citations", 2, "arxiv"))

    assert facts[3:] == (
        Link(label="2 citations on arXiv", href=""),
        Link(label="41 votes on Hugging Face", href=PAGE),
        Link(label="9 stars on GitHub", href=""),
    )


@for_each_case("counts", [[], [("votes", 0, "hf")]])
def test_the_page_of_a_site_that_counts_nothing_is_linked_to_by_its_name(
    counts: list[tuple[str, float, str]],
) -> None:
    facts = list_facts(*counts, source="hf", kind=EventKind.PICKED)

    assert facts[-1] == Link(label="Hugging Face", href=PAGE)
    assert [fact.href for fact in facts].count(PAGE) == 1
