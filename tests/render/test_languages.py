from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import jinja2
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from digest.model import Author, BatchState, Edition, Mail, Missed
from digest.render.catalogues import SHIPPED
from digest.render.chat import chat
from digest.render.digest_feed import Feed, digest_channel
from digest.render.environment import make_environment
from digest.render.feeds import atom, json_feed, rss
from digest.render.locales import ENGLISH
from digest.render.mail import Doors, mail, rendered
from digest.render.markdown import markdown
from digest.render.press import Press
from digest.render.tongue import Tongue, make_tongue
from digest.render.web import edition_page
from digest.render.wrapping import columns
from tests.render.samples import NOW, SITE, batch, edition, every_kind, item, three_parts
from tests.render.test_press import doors, editions, plain_texts

TEMPLATES = Path(__file__).parents[2] / "templates"
PAGE = "https://digest.example.org/editions/MQ.c2ln"
DOORS = Doors(unsubscribe="https://digest.example.org/unsubscribe/MQ.c2ln", page=PAGE, manage=PAGE)
TO: dict[str, Any] = {"delivery": 7, "recipient": "me@example.org", "message_id": "<1@example.org>"}
PART = re.compile(r"(%\(\w+\)s|%%)")


def tongue(language: str) -> Tongue:
    return make_tongue(language, SITE, None, None)


GERMAN, CHINESE = tongue("de"), tongue("zh")


def read(message: Mail) -> list[tuple[list[tuple[str, str]], object]]:
    parts = message_from_bytes(message.content).walk()
    return [(part.items(), part.get_payload(decode=True)) for part in parts]


def several() -> list[Edition]:
    """Editions that say all that an edition can say."""
    lost = [
        Missed(edition=1, period=period, zone="UTC", composed_at=NOW)
        for period in ("2026-06-11T07:30", "alert-7", "2026-06-10T07:30")
    ]
    authors = tuple(Author(name=f"Ana {number}") for number in range(40))
    waiting = (
        batch(expected=212),
        batch("cs.LG", BatchState.WAITING),
        batch("cs.CL", BatchState.PARTIAL, received=3, expected=9, error="no answer"),
        batch("cs.AI", BatchState.FAILED),
        batch("cs.RO", BatchState.EMPTY),
    )
    return [
        every_kind(),
        three_parts(),
        three_parts(missed=tuple(lost)),
        three_parts(missed=(replace(lost[0], page=PAGE),)),
        three_parts(missed=tuple(replace(one, page=PAGE) for one in lost)),
        every_kind(batches=waiting, excluded=7, dropped=7),
        edition(item(1, authors=authors, organizations=tuple(f"Org {number}" for number in range(9)))),
        edition(batches=waiting),
        edition(batches=()),
        edition(excluded=3),
        edition(item(1), period="alert-77"),
        edition(*(item(number) for number in range(30)), rest=tuple(item(n) for n in range(40, 60))),
    ]


# --- both roads -----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(editions(plain_texts), doors, st.sampled_from([GERMAN, CHINESE]))
def test_any_edition_reads_the_same_by_both_roads_in_each_language(
    what: Edition, given: dict[str, Any], told: Tongue
) -> None:
    press = Press(told.environment, told.masthead, few=0)

    fast = press.mail(what, **TO | given)
    plainly = mail(told.environment, what, told.masthead, **TO | given)

    assert read(fast) == read(plainly)
    assert press.joined == 1


# --- nothing in English ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Tongue:
    """A language that has no Latin letter: what has some in it was not looked up."""
    own = tmp_path_factory.mktemp("own")
    (own / "locales").mkdir()
    asked = read_po(BytesIO((SHIPPED / "de.po").read_bytes()))
    made = Catalog(locale="ru")
    for message in asked:
        if message.id:
            texts = [message.id] if isinstance(message.id, str) else [message.id[1]] * made.num_plurals
            said = [_strange(text) for text in texts]
            made.add(message.id, said[0] if isinstance(message.id, str) else tuple(said))
    with (own / "locales" / "ru.po").open("wb") as file:
        write_po(file, made)
    return make_tongue("ru", SITE, own, None)


def _strange(text: str) -> str:
    return "".join(
        part if PART.fullmatch(part) else re.sub("[A-Za-z]", "ж", part) for part in PART.split(text)
    )


ALLOWED = {
    "PDF",
    "DOI",
    "HTML",
    "RSS",
    "Atom",
    "JSON",
    "Feed",
    "Slack",
    "UTC",
    "CEST",
    "arXiv",
    "https",
    "wide",
}


def english_in(text: str, what: Edition) -> list[str]:
    """The words of a text that neither papers, follows nor names have."""
    papers = [one.event.paper for one in (*what.items, *what.rest)]
    reasons = [reason for one in (*what.items, *what.rest) for reason in one.reasons]
    theirs = (
        *(
            said
            for one in papers
            for said in (one.title, one.abstract, one.comment, one.journal_ref, one.url)
        ),
        *(said for one in papers for said in (*one.organizations, *one.code_urls, *one.categories)),
        *(said for one in papers for who in one.authors for said in (who.name, *who.affiliations)),
        *(
            said
            for one in reasons
            for said in (one.follow, *(word for e in one.evidence for word in e.words))
        ),
        *(what.title, SITE.title, SITE.contact, *SITE.source_titles.values()),
        *(said for one in what.batches for said in (one.section, one.error)),
    )
    known = set(re.findall("[A-Za-z]{2,}", " ".join(theirs))) | ALLOWED
    return [word for word in re.findall("[A-Za-z]{2,}", text) if word not in known]


def visible(html: str) -> str:
    """What a page shows, and what is read aloud of it."""
    bare = re.sub(r"(?s)<style.*?</style>|<!--.*?-->|<svg.*?</svg>", " ", html)
    said = re.findall(r'(?:alt|title|aria-label)="([^"]*)"', bare)
    return unescape(" ".join([re.sub(r"(?s)<[^>]*>", " ", bare), *said]))


@pytest.mark.parametrize("number", range(12))
def test_nothing_that_a_reader_sees_is_in_english_in_another_language(number: int, strange: Tongue) -> None:
    what, told = several()[number], strange
    shown = rendered(told.environment, what, told.masthead, DOORS)
    said = chat(what, told.masthead, delivery=1, address="", page=PAGE)
    lines = (*said.opening, *(line for both in said.papers for block in both for line in block))
    seen = {
        "subject": shown.subject,
        "html": visible(shown.html),
        "text": re.sub(r"https?://\S+", "", shown.text),
        "page": visible(edition_page(told.environment, what, told.masthead, ()).decode()),
        "markdown": re.sub(r"\(https?://\S+", "", markdown(told.environment, what, told.masthead)),
        "chat": " ".join(
            (said.title, *said.more, said.whole, *(span.text for line in lines for span in line))
        ),
    }

    assert {name: found for name, text in seen.items() if (found := english_in(text, what))} == {}


@pytest.mark.parametrize("form", [rss, atom, json_feed])
@pytest.mark.parametrize("by_edition", [True, False])
def test_feeds_say_their_language_and_nothing_in_another(
    form: Any, strange: Tongue, *, by_edition: bool
) -> None:
    told, what = strange, every_kind(dropped=3)
    feed = Feed(
        masthead=told.masthead, digest=what.digest, title="llm", editions=(what,), by_edition=by_edition
    )
    content = form(told.environment, digest_channel(told.environment, feed)).decode()

    assert re.search(r'<language>ru<|xml:lang="ru"|"language": "ru"', content)
    for words in ("Because you follow", "new", "Picked", "published", "complete"):
        assert not re.search(rf"[>\s\"]{words}[<\s\"]", visible(visible(content))), words


# --- templates ------------------------------------------------------------------------------------


def _data(source: str) -> Iterator[str]:
    looked_up = re.sub(r"(?s)\{%-? *trans\b.*?endtrans *-?%\}", "", source)
    for _, kind, text in jinja2.Environment(extensions=["jinja2.ext.i18n"]).lex(looked_up):
        yield text if kind == "data" else "\0" if kind == "variable_begin" else ""


@pytest.mark.parametrize(
    "file",
    sorted(file for file in TEMPLATES.rglob("*.*") if file.suffix in {".html", ".txt", ".md"}),
    ids=lambda file: str(file.relative_to(TEMPLATES)),
)
def test_no_template_has_a_text_that_is_not_looked_up(file: Path) -> None:
    shown = visible("".join(_data(file.read_text())))

    assert [word for word in re.findall("[A-Za-z]{2,}", shown) if word not in ALLOWED] == []


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_pages_and_mails_say_their_language(language: str) -> None:
    told = tongue(language)
    tag = told.masthead.locale.tag
    page = edition_page(told.environment, three_parts(), told.masthead, ()).decode()
    message = message_from_bytes(mail(told.environment, three_parts(), told.masthead, **TO).content)

    assert f'<html lang="{tag}" dir="ltr">' in page
    assert message["Content-Language"] == tag


def test_the_text_of_a_chinese_mail_fits_a_terminal_and_its_headings_are_underlined() -> None:
    lines = rendered(CHINESE.environment, three_parts(), CHINESE.masthead, DOORS).text.split("\n")

    assert max(columns(line) for line in lines if "https:" not in line) <= 72
    under = [number for number, line in enumerate(lines) if line and not line.strip("-=") and line != "-- "]
    assert len(under) >= 3
    assert all(columns(lines[number]) == columns(lines[number - 1]) for number in under)


def test_english_needs_no_other_language_to_be_there() -> None:
    assert make_environment().globals["locale"] is ENGLISH
