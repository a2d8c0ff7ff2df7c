"""The links of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import quote, urlsplit, urlunsplit

from digest.core.papers.identity.ids import build_doi_address
from digest.model import Event, Paper
from digest.render.branding import Branding, encode_domain
from digest.render.languages.locales import Locale
from digest.render.papers import signals

_ARXIV, _FIRST_HTML_MONTH = re.compile(r"arxiv:(\d{4}\.\d{5})"), "2312"
_CREATIVE_COMMONS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/"
    r"(?:licenses/(by(?:-nc)?(?:-nd|-sa)?)|publicdomain/zero)/(\d\.\d)(?:/\S*)?"
)
"""The address of a licence of Creative Commons, with its terms (none for CC0) and its version."""
_HOST = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?")
_ADDRESS_CHARACTERS = "/?%:@!$&'()*+,;=~"
"""Characters that are not percent-encoded in an address (RFC 3986, sections 3.3 and 3.4)."""
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_MAX_NUMBERED_LINKS = 3
"""Maximum number of links to code, and of links to project pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link.

    Attributes:
        type: the media type of its target, or "".
    """

    label: str
    href: str
    type: str = ""


def filter_web_address(url: str) -> str:
    """Return the address if it is an HTTP address, else "": nothing else becomes a link."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in {"http", "https"} and parts.netloc else ""


def make_valid_address(url: str) -> str:
    """Return a web address in the form that strict programs accept; "" if there is none.

    Readers of EPUBs and checkers refuse a whole book for a link that is no URL (https://url.spec.whatwg.org);
    browsers repair it.
    """
    try:
        parts = urlsplit(filter_web_address(url))
        host, port = _encode_host(parts.hostname or ""), parts.port
    except (ValueError, IndexError):  # IndexError: idna, of a label without letters
        return ""
    netloc = f"{host}:{port}" if port is not None else host
    path, query, fragment = (
        _STRAY_PERCENT.sub("%25", quote(part, safe=_ADDRESS_CHARACTERS, errors="replace"))
        for part in (parts.path, parts.query, parts.fragment)
    )
    return urlunsplit((parts.scheme, netloc, path, query, fragment))


def _encode_host(host: str) -> str:
    """Return a host in ASCII.

    Raises:
        ValueError: it is not the name or the number of a host.
    """
    if ":" in host:
        return f"[{ip_address(host)}]"
    encoded_host = encode_domain(host)
    encoded_host.encode().decode("idna")  # checks each label
    if not _HOST.fullmatch(encoded_host):
        raise ValueError(host)
    if encoded_host.rstrip(".").rpartition(".")[2].isdigit():
        return str(ip_address(encoded_host))
    return encoded_host


def make_links(event: Event, branding: Branding) -> tuple[Link, ...]:
    """Return the links to a paper's PDF, DOI, code and project pages, and to pages where people discuss it."""
    paper = event.paper
    page_links = (Link(label=page.site, href=page.url) for page in signals.list_pages(event, branding))
    return (*_list_pdf(paper), *_list_doi(paper), *_list_own_pages(paper, branding.locale), *page_links)


def make_reading_links(paper: Paper, locale: Locale) -> tuple[Link, ...]:
    """Return the links to a paper's texts, its DOI only if there is no other one, and to its code and project pages."""
    html_url = make_html_url(paper)
    html_link = [Link(label="HTML", href=html_url)] if html_url else []
    texts = (*_list_pdf(paper), *html_link)
    return (*(texts or _list_doi(paper)), *_list_own_pages(paper, locale))


def _list_pdf(paper: Paper) -> list[Link]:
    return [Link(label="PDF", href=paper.pdf_url)] if filter_web_address(paper.pdf_url) else []


def _list_doi(paper: Paper) -> list[Link]:
    return [Link(label="DOI", href=build_doi_address(paper.doi))] if paper.doi else []


def _list_own_pages(paper: Paper, locale: Locale) -> Iterator[Link]:
    # Translators: a link to a paper's code; its project page is "Project".
    yield from _make_numbered_links(locale.gettext("Code"), paper.code_urls)
    yield from _make_numbered_links(locale.gettext("Project"), paper.project_urls)


def make_html_url(paper: Paper) -> str:
    """Return the address of a paper's HTML version at arXiv; "" if there is none.

    arXiv makes one of nearly all papers since December 2023
    (https://info.arxiv.org/about/accessible_HTML.html).
    """
    match = _ARXIV.fullmatch(paper.key)
    return f"https://arxiv.org/html/{match[1]}" if match and match[1] >= _FIRST_HTML_MONTH else ""


def make_license_link(paper: Paper) -> Link:
    """Return the name and address of a paper's Creative Commons licence; both are "" if it has none that is known."""
    match = _CREATIVE_COMMONS.fullmatch(paper.license_url)
    if match is None:
        return Link(label="", href="")
    terms, version = match.groups()
    return Link(label=f"CC {terms.upper()} {version}" if terms else f"CC0 {version}", href=paper.license_url)


def _make_numbered_links(label: str, urls: Iterable[str]) -> Iterator[Link]:
    """Yield links to the first addresses; all but the first link have a number."""
    web_urls = [url for url in urls if filter_web_address(url)][:_MAX_NUMBERED_LINKS]
    for number, url in enumerate(web_urls, start=1):
        yield Link(label=f"{label} {number}" if number > 1 else label, href=url)
