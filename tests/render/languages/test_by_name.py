from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import Phase, given, settings

from digest.core.subscribers.opinions import Opinion
from digest.failures import FailureKind
from digest.model import Author, BatchState, DigestChanges, Edition, Frequency, MissedEdition, Schedule
from digest.render.account_page import (
    FollowSummary,
    ManagePage,
    PauseView,
    SavedPaperView,
    render_manage_page,
)
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.chat import make_chat
from digest.render.delivery.mail import MailLinks, make_mail, render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.editions.digest_changes import list_option_names
from digest.render.environment import make_environment
from digest.render.languages.locales import ENGLISH
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.paper_page import PaperPageView, render_paper_page
from digest.render.papers.links import Link
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed
from digest.render.publishing.feeds import render_atom, render_json_feed, render_rss
from digest.render.publishing.web_pages import render_edition_page, render_notice_page
from digest.render.wrapping import count_columns
from digest.store.subscribers.subscribers import Subscriber
from digest.web import notices
from tests.render.bulk.test_mail_cache import editions, mail_links, plain_texts
from tests.render.invented_language import (
    ALLOWED,
    extract_visible_text,
    find_english_words,
    make_invented_language,
)
from tests.render.samples import (
    NOW,
    SITE,
    make_batch,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
)
from tests.support.cases import for_each_case

TEMPLATES = Path(__file__).parents[3] / "templates"
PAGE = "https://digest.example.org/editions/MQ.c2ln"
DOORS = MailLinks(unsubscribe="https://digest.example.org/unsubscribe/MQ.c2ln", page=PAGE, manage=PAGE)
CHANGES = DigestChanges(
    added=tuple(f"{number}" for number in range(9)),
    removed=("1",),
    added_exclusions=("1",),
    removed_exclusions=("1",),
    options=tuple(list_option_names(ENGLISH)),
    schedule=Schedule(frequency=Frequency.DAILY, at="08:00"),
)
TO: dict[str, Any] = {"delivery": 7, "recipient": "me@example.org", "message_id": "<1@example.org>"}


def tongue(language: str) -> LocaleBundle:
    return make_locale_bundle(language, SITE, None, None)


@pytest.fixture(scope="module")
def chinese() -> LocaleBundle:
    return tongue("zh")


@pytest.fixture(scope="module")
def mail_caches(chinese: LocaleBundle) -> list[tuple[LocaleBundle, MailCache]]:
    """Those of the languages beside English that ship."""
    return [
        (locale_bundle, MailCache(locale_bundle.environment, locale_bundle.branding))
        for locale_bundle in (tongue("de"), chinese)
    ]


def several() -> list[Edition]:
    """Editions that say all that an edition can say."""
    lost = [
        MissedEdition(edition=1, period=period, zone="UTC", composed_at=NOW)
        for period in ("2026-06-11T07:30", "alert-7", "2026-06-10T07:30")
    ]
    authors = tuple(Author(name=f"Ana {number}") for number in range(40))
    waiting = (
        make_batch(expected=212),
        make_batch("cs.LG", BatchState.WAITING),
        make_batch("cs.CL", BatchState.PARTIAL, received=3, expected=9, failure=FailureKind.UNREACHED),
        make_batch("cs.AI", BatchState.FAILED),
        make_batch("cs.RO", BatchState.EMPTY),
    )
    return [
        make_edition_of_every_kind(),
        make_edition_of_three_parts(),
        make_edition_of_three_parts(missed=tuple(lost)),
        make_edition_of_three_parts(missed=(replace(lost[0], page=PAGE),)),
        make_edition_of_three_parts(
            missed=tuple(replace(missed_edition, page=PAGE) for missed_edition in lost)
        ),
        make_edition_of_three_parts(changes=CHANGES),
        make_edition_of_every_kind(batches=waiting, excluded=7, dropped=7),
        make_edition(
            make_item(1, authors=authors, organizations=tuple(f"Org {number}" for number in range(9)))
        ),
        make_edition(batches=waiting),
        make_edition(batches=()),
        make_edition(excluded=3),
        make_edition(make_item(1), period="alert-77"),
        make_edition(
            *(make_item(number) for number in range(30)), overflow=tuple(make_item(n) for n in range(40, 60))
        ),
    ]


# --- both roads -----------------------------------------------------------------------------------


@settings(max_examples=settings().max_examples // 2, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(editions(plain_texts), mail_links)
def test_any_edition_reads_the_same_by_both_roads_in_each_language(
    mail_caches: list[tuple[LocaleBundle, MailCache]], what: Edition, given: dict[str, Any]
) -> None:
    for locale_bundle, press in mail_caches:
        before = press.fast_count
        fast = press.make_mail(what, **TO | given)
        plainly = make_mail(locale_bundle.environment, what, locale_bundle.branding, **TO | given)

        assert fast == plainly
        assert press.fast_count == before + 1


# --- nothing in English ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def invented_language(tmp_path_factory: pytest.TempPathFactory) -> LocaleBundle:
    return make_invented_language(tmp_path_factory.mktemp("own"))


@pytest.mark.parametrize("number", range(12))
def test_nothing_that_a_reader_sees_is_in_english_in_another_language(
    number: int, invented_language: LocaleBundle
) -> None:
    edition, locale_bundle = several()[number], invented_language
    mail = render_mail(locale_bundle.environment, edition, locale_bundle.branding, DOORS)
    chat = make_chat(edition, locale_bundle.branding, delivery=1, address="", page=PAGE)
    lines = (*chat.opening, *(line for both in chat.papers for block in both for line in block))
    seen_values = {
        "subject": mail.subject,
        "html": extract_visible_text(mail.html),
        "text": re.sub(r"https?://\S+", "", mail.text),
        "page": extract_visible_text(
            render_edition_page(locale_bundle.environment, edition, locale_bundle.branding, ()).decode()
        ),
        "markdown": re.sub(
            r"\(https?://\S+", "", render_markdown(locale_bundle.environment, edition, locale_bundle.branding)
        ),
        "chat": " ".join(
            (
                chat.title,
                *chat.omission_notices,
                chat.page_label,
                *(span.text for line in lines for span in line),
            )
        ),
    }

    assert {
        name: english_words
        for name, text in seen_values.items()
        if (english_words := find_english_words(text, edition))
    } == {}


@pytest.mark.parametrize("form", [render_rss, render_atom, render_json_feed])
@pytest.mark.parametrize("by_edition", [True, False])
def test_feeds_say_their_language_and_nothing_in_another(
    form: Any, invented_language: LocaleBundle, *, by_edition: bool
) -> None:
    locale_bundle, edition = invented_language, make_edition_of_every_kind(dropped=3)
    feed = DigestFeed(
        branding=locale_bundle.branding,
        digest=edition.digest,
        title="llm",
        editions=(edition,),
        by_edition=by_edition,
    )
    content = form(locale_bundle.environment, make_digest_feed(locale_bundle.environment, feed)).decode()

    assert re.search(r'<language>ru<|xml:lang="ru"|"language": "ru"', content)
    for words in ("Because you follow", "new", "Picked", "published", "complete"):
        assert not re.search(
            rf"[>\s\"]{words}[<\s\"]", extract_visible_text(extract_visible_text(content))
        ), words


# --- other pages ----------------------------------------------------------------------------------


def managed(**facts: Any) -> ManagePage:
    known_values: dict[str, Any] = {
        "title": "llm-systems",
        "destination": "m•••@example.org",
        "other_count": 1,
        "zone": "UTC",
        "follows": [
            FollowSummary("KV cache", is_exclusion=False, is_alert=True, learned_factor=1.1),
            FollowSummary("KV cache", is_exclusion=False, is_alert=False, learned_factor=0.9),
            FollowSummary("KV cache", is_exclusion=True, is_alert=False, learned_factor=1),
        ],
        "schedule": Schedule(frequency=Frequency.WEEKLY, at="07:30", days=(0, 3)),
        "limit": 25,
        "pause": None,
        "feeds": [Link(label="RSS", href="x")],
        "feed_version": 0,
        "saved_papers": [SavedPaperView(make_item(1).event.paper, NOW)],
        "bibtex_path": "x",
        "unsubscribe_path": "x",
    }
    return ManagePage(**known_values | facts)


SCHEDULES = [
    Schedule(frequency=Frequency.DAILY, at="07:30", days=days)
    for days in ((), (0, 1, 2, 3, 4), tuple(range(7)))
] + [
    Schedule(frequency=Frequency.MONTHLY, at="07:30", days=(1, 15)),
    Schedule(frequency=Frequency.EVERY, every=7200),
    Schedule(frequency=Frequency.ONCE),
]


@pytest.mark.parametrize(
    "what",
    [
        managed(),
        managed(saved_papers=(), follows=(), feeds=()),
        *(
            managed(pause=PauseView(until, with_backlog=both))
            for until in (None, NOW)
            for both in (True, False)
        ),
        *(managed(schedule=schedule) for schedule in SCHEDULES),
    ],
)
def test_who_manages_a_digest_reads_nothing_in_english(
    what: ManagePage, invented_language: LocaleBundle
) -> None:
    page = render_manage_page(invented_language.environment, invented_language.branding, what).decode()

    assert find_english_words(extract_visible_text(page), make_edition_of_three_parts()) == [
        "BibTeX"
    ] * page.count("BibTeX")


@pytest.mark.parametrize("said", [frozenset(), *({opinion} for opinion in Opinion), frozenset(Opinion)])
@pytest.mark.parametrize("learned", [0.5, 1.0, 2.0])
def test_a_papers_page_has_nothing_in_english(
    said: Any, learned: float, invented_language: LocaleBundle
) -> None:
    paper_page_view = PaperPageView(
        edition=make_edition_of_three_parts(),
        number=1,
        item=make_edition_of_three_parts().items[0],
        follows=[("KV cache", learned)],
        opinions=frozenset(said),
        persons=[("Ana Lee", True), ("Yipin Guo", False), ("W. Xiao", None)],
    )
    page = render_paper_page(
        invented_language.environment,
        invented_language.branding,
        paper_page_view,
        Link(label="llm-systems", href="x"),
    )

    assert find_english_words(extract_visible_text(page.decode()), make_edition_of_three_parts()) == []


@pytest.mark.parametrize("state", ["active", "ended", "stopped", "resting", "suppressed"])
@pytest.mark.parametrize("ended", [True, False])
def test_the_small_pages_have_nothing_in_english(
    state: str, invented_language: LocaleBundle, *, ended: bool
) -> None:
    who = Subscriber(
        destination=1,
        digest="llm-systems",
        title="llm-systems",
        channel="smtp",
        address="ops@example.org",
        mailbox="ops@example.org",
        state=state,
        digest_ended=ended,
        language="ru",
    )
    simple = ("unknown_link", "front", "feed_ended", "not_allowed", "too_long", "try_later", "failed")
    locale = invented_language.branding.locale
    entries = [getattr(notices, f"make_{name}")(locale) for name in simple]
    for subscriber in (who, replace(who, channel="files", address="ops")):
        entries += [
            notices.make_subscription(subscriber, "x", locale),
            notices.make_resubscription(subscriber, "x", locale),
        ]

    for subscriber in entries:
        page = render_notice_page(
            invented_language.environment, invented_language.branding, subscriber
        ).decode()
        assert [
            word
            for word in find_english_words(extract_visible_text(page), make_edition_of_three_parts())
            if word != "files"
        ] == []


# --- templates ------------------------------------------------------------------------------------


def _data(source: str) -> Iterator[str]:
    looked_up = re.sub(r"(?s)\{%-? *trans\b.*?endtrans *-?%\}", "", source)
    for _, kind, text in jinja2.Environment(extensions=["jinja2.ext.i18n"]).lex(looked_up):
        yield text if kind == "data" else "\0" if kind == "variable_begin" else ""


@for_each_case(
    "file",
    sorted(file for file in TEMPLATES.rglob("*.*") if file.suffix in {".html", ".txt", ".md"}),
)
def test_no_template_has_a_text_that_is_not_looked_up(file: Path) -> None:
    visible_text = extract_visible_text("".join(_data(file.read_text())))

    assert [word for word in re.findall("[A-Za-z]{2,}", visible_text) if word not in ALLOWED] == []


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_pages_and_mails_say_their_language(language: str) -> None:
    locale_bundle = tongue(language)
    tag = locale_bundle.branding.locale.tag
    page = render_edition_page(
        locale_bundle.environment, make_edition_of_three_parts(), locale_bundle.branding, ()
    ).decode()
    message = message_from_bytes(
        make_mail(
            locale_bundle.environment, make_edition_of_three_parts(), locale_bundle.branding, **TO
        ).content
    )

    assert f'<html lang="{tag}" dir="ltr">' in page
    assert message["Content-Language"] == tag


def test_the_text_of_a_chinese_mail_fits_a_terminal_and_its_headings_are_marked(
    chinese: LocaleBundle,
) -> None:
    headings = ["== 可能相关：姓名缩写或同名作者", "== 新版本", "== 更多论文"]
    for links, expected in ((DOORS, headings[:2]), (MailLinks(), headings)):
        lines = render_mail(
            chinese.environment, make_edition_of_three_parts(), chinese.branding, links
        ).text.split("\n")

        assert max(count_columns(line) for line in lines if "https:" not in line) <= 72
        assert [line for line in lines if line.startswith("=")] == expected


def test_english_needs_no_other_language_to_be_there() -> None:
    assert make_environment().globals["locale"] is ENGLISH
