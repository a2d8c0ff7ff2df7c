"""Where a paper leads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from digest.core.papers.identity.ids import doi_address
from digest.model import Event, Paper
from digest.render.branding import Masthead
from digest.render.papers import signals

_ARXIV, _FIRST_IN_HTML = re.compile(r"arxiv:(\d{4}\.\d{5})"), "2312"
_MOST_ADDRESSES = 3
"""Of code, and of project pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where a word leads.

    Attributes:
        type: the media type of what is there, "" for none in particular.
    """

    label: str
    href: str
    type: str = ""


def web_address(url: str) -> str:
    """The address if it is one of the web, else "": nothing else is linked to."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in {"http", "https"} and parts.netloc else ""


def links(event: Event, masthead: Masthead) -> tuple[Link, ...]:
    """PDF, DOI, code and project pages of a paper, and where people talk of it."""
    _, paper = masthead.locale.gettext, event.paper
    found = []
    if web_address(paper.pdf_url):
        found.append(Link(label="PDF", href=paper.pdf_url))
    if paper.doi:
        found.append(Link(label="DOI", href=doi_address(paper.doi)))
    # Translators: a link to a paper's code; its project page is "Project".
    code = _numbered(_("Code"), paper.code_urls)
    pages = (Link(label=page.site, href=page.url) for page in signals.pages(event, masthead))
    return (*found, *code, *_numbered(_("Project"), paper.project_urls), *pages)


def html_url(paper: Paper) -> str:
    """Its page at arXiv, which makes one of nearly all papers since December 2023 (https://info.arxiv.org/about/accessible_HTML.html)."""
    found = _ARXIV.fullmatch(paper.key)
    return f"https://arxiv.org/html/{found[1]}" if found and found[1] >= _FIRST_IN_HTML else ""


def _numbered(label: str, urls: Iterable[str]) -> Iterator[Link]:
    """The first addresses; those behind the first one with a number."""
    shown = [url for url in urls if web_address(url)][:_MOST_ADDRESSES]
    for number, url in enumerate(shown, start=1):
        yield Link(label=f"{label} {number}" if number > 1 else label, href=url)
