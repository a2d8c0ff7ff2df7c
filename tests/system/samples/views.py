"""Everything that a reader of ours may look at, to be looked at by browsers and checkers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
import jinja2
from bs4 import BeautifulSoup

from digest.core.subscribers.opinions import Opinion
from digest.model import Edition, Frequency, Mail, MessageForm, Schedule
from digest.render.account_page import (
    FollowSummary,
    ManagePage,
    PauseView,
    SavedPaperView,
    render_manage_page,
)
from digest.render.branding import Branding
from digest.render.delivery.mail import MailLinks, render_mail
from digest.render.delivery.notice import make_notice
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from digest.render.languages.locales import Locale
from digest.render.locale_bundle import make_locale_bundle
from digest.render.paper_page import PaperPageView, render_paper_page
from digest.render.papers.links import Link
from digest.render.publishing.folder_overview import (
    make_digest_overview,
    make_public_feed_group,
    render_index_page,
)
from digest.render.publishing.static_pages import (
    ArchiveDigest,
    DayEdition,
    PageNavigation,
    make_day_edition,
    render_archive_page,
    render_day_page,
)
from digest.render.publishing.static_pages import render_static_edition as static_page
from digest.render.publishing.web_pages import render_edition_page
from digest.web.protocol.response_cache import SAFETY_HEADERS
from tests.render.samples import SITE
from tests.system.samples.mails import (
    HOSTILE,
    ONE_CLICK,
    PAGE,
    make_editions,
    make_hostile_edition,
    make_notices,
)

DAY = "days/2026-06-12.html"
OTHER_LANGUAGES = ("de", "zh")
TRANSLATED = ("of every kind", "incomplete", "after a miss", "weekly", "empty")
MANAGE = "https://digest.example.org/manage/MQ.c2lnbmF0dXJl"
DOORS = MailLinks(unsubscribe=ONE_CLICK, page=PAGE, manage=MANAGE)
FEEDS = tuple(
    Link(label=label, href=f"/feeds/MQ.c2lnbmF0dXJl/llm-systems.{ending}", type=f"application/{kind}")
    for label, ending, kind in (
        ("RSS", "rss", "rss+xml"),
        ("Atom", "atom", "atom+xml"),
        ("JSON", "json", "feed+json"),
    )
)
ON_THE_SITE = tuple((name.decode(), value.decode()) for name, value in SAFETY_HEADERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Something to look at.

    Attributes:
        html: all of it.
        headers: what the server says of it; none for a mail or a file.
    """

    html: str
    headers: tuple[tuple[str, str], ...] = ()


def list_shown_editions() -> Iterator[tuple[str, Edition, Branding]]:
    """Editions of each kind, for ordinary people in each language, and by hostile ones."""
    for name, edition in make_editions().items():
        yield name, edition, SITE
    for language in OTHER_LANGUAGES:
        masthead = replace(SITE, locale=get_locale(language))
        for name in TRANSLATED:
            yield f"{name}, {language}", replace(make_editions()[name], language=language), masthead
    for number, text in enumerate(HOSTILE, start=1):
        yield f"hostile {number}", *make_hostile_edition(text)


@cache
def get_environment(locale: Locale) -> jinja2.Environment:
    """The templates of a language."""
    return make_environment(None, locale)


def render_mails() -> dict[str, View]:
    """Each kind of mail."""
    views = {
        name: View(html=render_mail(get_environment(masthead.locale), edition, masthead, DOORS).html)
        for name, edition, masthead in list_shown_editions()
    }
    for name, operator_notice in make_notices().items():
        message = make_notice(operator_notice, SITE, MessageForm.MAIL, "ops@example.org")
        assert isinstance(message, Mail)
        part = message_from_bytes(message.content, policy=policy.default).get_body(["html"])
        assert part is not None
        views[name] = View(html=part.get_content())
    alone = render_mail(
        make_environment(), make_editions()["of every kind"], replace(SITE, url="", contact="")
    )
    return views | {"without a site": View(html=alone.html)}


def render_pages() -> dict[str, View]:
    """An edition of each kind as a page."""
    return {
        name: View(
            html=render_edition_page(
                get_environment(masthead.locale), edition, masthead, FEEDS, PAGE
            ).decode(),
            headers=ON_THE_SITE,
        )
        for name, edition, masthead in list_shown_editions()
    }


def read_views(folder: Path) -> dict[str, View]:
    """All pages below a folder."""
    results = {
        str(file.relative_to(folder)): file.read_text("utf-8") for file in sorted(folder.rglob("*.html"))
    }
    return {name: View(html=html) for name, html in results.items()}


def render_static_pages() -> dict[str, View]:
    """The pages of the output folder, of all kinds of editions, in each language."""
    days = [date(2026, 6, 12) - timedelta(days=ahead) for ahead in range(80)]
    results = {}
    for language in ("en", "de", "zh"):
        tongue = make_locale_bundle(language, SITE, None, None)
        environment, masthead = tongue.environment, tongue.branding
        entries = [(name, edition) for name, edition, _ in list_shown_editions()]
        parts = [make_day_edition(edition, masthead, DAY) for _, edition in entries]
        forgotten = DayEdition(title="x" * 300, href="../editions/x.html", time="07:30")
        home, up = Link(label=HOSTILE[0], href="../index.html"), Link(label="2026", href="../archive.html")
        older, newer = (Link(label=masthead.locale.short_day(day), href=f"{day}.html") for day in days[:2])
        for name, turn in (
            ("in the middle", PageNavigation(older=older, newer=newer, up=up, home=home)),
            ("alone", PageNavigation(older=None, newer=None, up=up, home=home)),
        ):
            results[f"day {name}, {language}"] = render_day_page(
                environment, masthead, days[0], (*parts, forgotten), turn
            )
        turn = PageNavigation(older=older, newer=newer, up=up, home=home)
        for name, edition in entries[:: 3 if language == "en" else 9]:
            results[f"static {name}, {language}"] = static_page(environment, edition, masthead, FEEDS, turn)
        shelves = [
            make_digest_overview(
                edition.digest, edition.title, [edition], feeds=True, folder="mail", locale=masthead.locale
            )
            for _, edition in entries
        ]
        names = [(f"cs.{name}", "category", f"cs.{name}") for name in ("AI", "CL", "DC")]
        openings = [
            make_public_feed_group("", [(HOSTILE[0], "query", "x")]),
            make_public_feed_group("cs", names),
        ]
        results[f"overview, {language}"] = render_index_page(environment, masthead, shelves, openings)
        lines = [
            ArchiveDigest(title=edition.title, editions=1200, last=home, ended=bool(at % 2))
            for at, (_, edition) in enumerate(entries)
        ]
        titles = [edition.title for _, edition in entries]
        results[f"all days, {language}"] = render_archive_page(
            environment, masthead, dict.fromkeys(days, titles), lines
        )
    return {name: View(html=page.decode()) for name, page in results.items()}


def render_reader_pages() -> dict[str, View]:
    """The pages of papers and of digests, with all that can be said there."""
    back = Link(label="llm-systems", href="../MQ.c2lnbmF0dXJl")
    results = {}
    for name, edition, masthead in list_shown_editions():
        if not name.startswith(("of every kind", "empty", "hostile")):
            continue
        environment = get_environment(masthead.locale)
        if edition.items:
            results[f"a paper, {name}"] = render_paper_page(
                environment, masthead, make_paper_view(edition, 1), back
            )
        results[f"managed, {name}"] = render_manage_page(environment, masthead, make_manage_page(edition))
    return {name: View(html=page.decode(), headers=ON_THE_SITE) for name, page in results.items()}


def make_paper_view(edition: Edition, number: int) -> PaperPageView:
    """An edition's paper, of which its reader has said all that can be said."""
    item = edition.items[number - 1]
    who = [author.name for author in item.paper.authors[:1]]
    return PaperPageView(
        edition=edition,
        number=number,
        item=item,
        follows=[*((reason.follow, 1.1) for reason in item.reasons), (edition.title, 0.9)],
        opinions=frozenset(Opinion),
        persons=[*((name, False) for name in who), ("Wei Wang", True), ("Li Li", None)],
    )


def make_manage_page(edition: Edition) -> ManagePage:
    """The digest of an edition as its reader manages it; it rests if the edition has something to tell."""
    follows = {reason.follow for item in edition.items for reason in item.reasons}
    return ManagePage(
        title=edition.title,
        destination="m•••@example.org",
        other_count=1,
        zone=edition.zone,
        follows=[
            FollowSummary(edition.title, is_exclusion=False, is_alert=True, learned_factor=1.1),
            FollowSummary("medical imaging", is_exclusion=True, is_alert=False, learned_factor=1),
            *(
                FollowSummary(text, is_exclusion=False, is_alert=False, learned_factor=0.9)
                for text in sorted(follows)
            ),
        ],
        schedule=Schedule(frequency=Frequency.WEEKLY, at="07:30", days=(0, 3)),
        limit=25,
        pause=PauseView(edition.composed_at, with_backlog=True) if edition.items else None,
        feeds=FEEDS,
        feed_version=0,
        saved_papers=[SavedPaperView(item.paper, edition.composed_at) for item in edition.items],
        bibtex_path="MQ.c2lnbmF0dXJl/saved.bib",
        unsubscribe_path="../unsubscribe/MQ.c2lnbmF0dXJl",
    )


def visit_pages(ask: Callable[..., httpx.Response], begin: Mapping[str, str]) -> dict[str, View]:
    """The pages of a site that can be reached, by links and by buttons; each kind of page a few times.

    Args:
        ask: makes a request of a method for an address, with the `data` of a form.
        begin: where to begin, by what is there.
    """
    views: dict[str, View] = {}
    waiting = [(name, FormRequest("GET", address)) for name, address in begin.items()]
    form_requests = {way for _, way in waiting}
    kinds: dict[str, int] = {}
    while waiting:
        name, way = waiting.pop(0)
        address = way.address
        answer = ask(way.method, address, **({"data": dict(way.fields)} if way.fields else {}))
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        views[name] = _inline_style(
            View(html=answer.text, headers=tuple(answer.headers.items())), ask, address
        )
        for further in _iter_form_requests(answer.text, address):
            to = further.address
            subject = " ".join(value for name, value in further.fields if name in {"do", "undo"})
            kind = f"{further.method} {re.sub(r'[^/]*[0-9.][^/]*', '*', urlsplit(to).path)} {subject}"
            kinds[kind] = kinds.get(kind, 0) + 1
            if (
                further not in form_requests
                and urlsplit(to).netloc == urlsplit(address).netloc
                and kinds[kind] <= 2
            ):
                form_requests.add(further)
                waiting.append((f"{kind} ({kinds[kind]})", further))
    return views


def read_public_views(
    ask: Callable[..., httpx.Response], paths: Mapping[str, str], language: str = ""
) -> dict[str, View]:
    """The public pages at these paths in a language, by what is there; redirects are followed."""
    results = {}
    for name, path in paths.items():
        address = f"{path}{'&' if '?' in path else '?'}lang={language}" if language else path
        answer = ask("GET", address)
        while answer.is_redirect:
            address = answer.headers["location"]
            answer = ask("GET", address)
        view = View(html=answer.text, headers=tuple(answer.headers.items()))
        results[name] = _inline_style(view, ask, address)
    return results


def _inline_style(view: View, ask: Callable[..., httpx.Response], address: str) -> View:
    """A page with its style in it, and a policy that allows this: the browser here has no site to fetch it from."""
    link = BeautifulSoup(view.html, "html.parser").find("link", {"rel": "stylesheet"})
    if link is None:
        return view
    style = ask("GET", urljoin(address, str(link["href"]))).raise_for_status().text
    html = re.sub(r'<link rel="stylesheet"[^>]*>', lambda _: f"<style>{style}</style>", view.html)
    html = re.sub(r"<script src=[^>]*></script>", "", html)  # test_scripts.py is about it
    headers = tuple(
        (name, text.replace("style-src 'self'", "style-src 'unsafe-inline'")) for name, text in view.headers
    )
    return View(html=html, headers=headers)


class FormRequest(NamedTuple):
    """Where a page leads to.

    Attributes:
        fields: what a form sends there.
    """

    method: str
    address: str
    fields: tuple[tuple[str, str], ...] = ()


def _iter_form_requests(html: str, address: str) -> Iterator[FormRequest]:
    """All that a page leads to, and all that its buttons do."""
    page = BeautifulSoup(html, "html.parser")
    for link in page.select("a[href]"):
        yield FormRequest("GET", urldefrag(urljoin(address, str(link["href"]))).url)
    for form in page.select("form[method=post]"):
        for button in form.select("button"):
            sent = [tag for tag in (*form.select("input"), button) if "name" in tag.attrs]
            fields = tuple((str(tag["name"]), str(tag["value"])) for tag in sent)
            yield FormRequest("POST", urljoin(address, str(form.get("action", ""))), fields)
