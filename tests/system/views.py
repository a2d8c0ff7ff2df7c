"""Everything that a reader of ours may look at, to be looked at by browsers and checkers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
from bs4 import BeautifulSoup

from digest.model import Edition, Form, Mail
from digest.render.card import Link
from digest.render.environment import make_environment
from digest.render.mail import Doors, rendered
from digest.render.masthead import Masthead
from digest.render.notice import notice
from digest.render.web import edition_page
from digest.web.kept import SAFETY
from tests.render.samples import SITE
from tests.system.mails import HOSTILE, ONE_CLICK, PAGE, editions, hostile, notices

MANAGE = "https://digest.example.org/manage/MQ.c2lnbmF0dXJl"
DOORS = Doors(unsubscribe=ONE_CLICK, page=PAGE, manage=MANAGE)
FEEDS = tuple(
    Link(label=label, href=f"/feeds/MQ.c2lnbmF0dXJl/llm-systems.{ending}", type=f"application/{kind}")
    for label, ending, kind in (
        ("RSS", "rss", "rss+xml"),
        ("Atom", "atom", "atom+xml"),
        ("JSON", "json", "feed+json"),
    )
)
ON_THE_SITE = tuple((name.decode(), value.decode()) for name, value in SAFETY)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Something to look at.

    Attributes:
        html: all of it.
        headers: what the server says of it; none for a mail or a file.
    """

    html: str
    headers: tuple[tuple[str, str], ...] = ()


def shown_editions() -> Iterator[tuple[str, Edition, Masthead]]:
    """Editions of each kind, for ordinary people and by hostile ones."""
    for name, edition in editions().items():
        yield name, edition, SITE
    for number, text in enumerate(HOSTILE, start=1):
        yield f"hostile {number}", *hostile(text)


def mails() -> dict[str, View]:
    """Each kind of mail."""
    environment = make_environment()
    made = {
        name: View(html=rendered(environment, edition, masthead, DOORS).html)
        for name, edition, masthead in shown_editions()
    }
    for name, told in notices().items():
        message = notice(told, SITE, Form.MAIL, "ops@example.org")
        assert isinstance(message, Mail)
        part = message_from_bytes(message.content, policy=policy.default).get_body(["html"])
        assert part is not None
        made[name] = View(html=part.get_content())
    alone = rendered(environment, editions()["of every kind"], replace(SITE, url="", contact=""))
    return made | {"without a site": View(html=alone.html)}


def pages() -> dict[str, View]:
    """An edition of each kind as a page."""
    environment = make_environment()
    return {
        name: View(html=edition_page(environment, edition, masthead, FEEDS).decode(), headers=ON_THE_SITE)
        for name, edition, masthead in shown_editions()
    }


def files(folder: Path) -> dict[str, View]:
    """All pages below a folder."""
    found = {
        str(file.relative_to(folder)): file.read_text("utf-8") for file in sorted(folder.rglob("*.html"))
    }
    return {name: View(html=html) for name, html in found.items()}


def visited(ask: Callable[[str, str], httpx.Response], begin: Mapping[str, str]) -> dict[str, View]:
    """The pages of a site that can be reached, by links and by buttons; each kind of page a few times.

    Args:
        ask: makes a request of a method for an address.
        begin: where to begin, by what is there.
    """
    found: dict[str, View] = {}
    waiting = [(name, "GET", address) for name, address in begin.items()]
    known = {("GET", address) for _, _, address in waiting}
    kinds: dict[str, int] = {}
    while waiting:
        name, method, address = waiting.pop(0)
        answer = ask(method, address)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        found[name] = View(html=answer.text, headers=tuple(answer.headers.items()))
        for how, to in _ways(answer.text, address):
            kind = f"{how} {re.sub(r'[^/]*[0-9.][^/]*', '*', urlsplit(to).path)}"
            kinds[kind] = kinds.get(kind, 0) + 1
            if (
                (how, to) not in known
                and urlsplit(to).netloc == urlsplit(address).netloc
                and kinds[kind] <= 2
            ):
                known.add((how, to))
                waiting.append((f"{kind} ({kinds[kind]})", how, to))
    return found


def _ways(html: str, address: str) -> Iterator[tuple[str, str]]:
    """Method and address of all that a page leads to."""
    page = BeautifulSoup(html, "html.parser")
    for link in page.select("a[href]"):
        yield "GET", urldefrag(urljoin(address, str(link["href"]))).url
    for button in page.select("form[method=post]"):
        yield "POST", urljoin(address, str(button["action"]))
