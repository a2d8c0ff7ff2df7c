"""arXiv's web pages of an announcement day: the list of the latest day, and the catch-up pages of past days.

``/list/{section}/new`` has the latest announcement, from 20:00 in New York of the evening before its date; ``/catchup/{section}/{day}`` has that of any of the last 90 days. Both have at most 2,000 entries a page, with abstracts, and state the number of entries. Their layout is defined by the public code of arXiv's server (https://github.com/arXiv/arxiv-browse, ``templates/list`` and ``templates/catchup.html``).

A page shows the *current* data of a paper: the catch-up page of a past day has the latest version of its
texts. If a paper has more than about a hundred authors, only the first hundred are shown, without a hint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from digest.core.fetching.formats.html_bounds import MAX_DEPTH, is_bounded
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.papers.bylines import split_byline
from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.papers.taxonomy import canonicalize_category, covers, find_categories_by_name
from digest.core.text.accents import decode_tex_accents
from digest.core.text.cleaning import normalize_line
from digest.errors import SourceError
from digest.model import Author, Listing, ListingKind, Paper, PaperKey
from digest.ports import AnnouncedDay, Page, Request, Response
from digest.sources.arxiv.fields import parse_categories

if TYPE_CHECKING:  # slow to import, and not needed for feeds
    from selectolax.lexbor import LexborHTMLParser, LexborNode

ACCEPT = "text/html, application/xhtml+xml;q=0.9, */*;q=0.8"
PAGE_SIZE = 2000
"""Maximum number of entries on a page."""


def build_listing_url(base: str, section: str) -> str:
    """Return the address of the list of a section's latest announcement.

    Args:
        base: the address of arXiv's web pages: ``https://arxiv.org/``.
        section: a category or an archive.
    """
    return f"{base.rstrip('/')}/list/{section}/new?skip=0&show={PAGE_SIZE}"


def build_catchup_url(base: str, section: str, day: date, page: int = 1) -> str:
    """Return the address of a page with what a section announced on a day.

    Args:
        base: the address of arXiv's web pages: ``https://arxiv.org/``.
        section: a category or an archive.
        day: one of the last 90 days.
        page: the number of the page, from 1.
    """
    return f"{base.rstrip('/')}/catchup/{section}/{day.isoformat()}?abs=True&page={page}"


def read_pages(request: Request, response: Response) -> Page:
    """Parse a page of the route ``listing`` or ``catchup``.

    Returns:
        One announced day, and the request for the next page. All pages of a day have the same ``expected``.

    Raises:
        SourceError: the response is not the complete, requested page.
    """
    subject = _describe_page(request)
    if response.status != 200:
        raise SourceError(_describe_refusal(subject, response))
    _require_complete_page(subject, response.body)
    top = _parse_html(response.body.partition(b"<dl")[0])
    head = _read_head(subject, top)
    _require_own_page(subject, head, request)
    position = _count_earlier_entries(request)
    entries = [
        entry
        for part in _restore_addresses(response.body).css("dl#articles")
        for entry in _read_part(subject, request.section, part)
    ]
    if not entries:
        _require_empty_reason(subject, top, position, head.total)
    listings = tuple([entry for entry in entries if isinstance(entry, Listing)])
    return Page(
        announced=(AnnouncedDay(day=head.day, listings=listings, expected=head.total or None),),
        next=_build_next_request(request, position, head.total) if entries else None,
        unread=tuple([entry for entry in entries if isinstance(entry, str)]),
    )


def _describe_page(request: Request) -> str:
    if request.route == "catchup":
        return f"arXiv's catch-up page of {request.section} for {request.day}"
    return f"arXiv's list of {request.section}"


# --- refusals and validation ----------------------------------------------------------------------


def _parse_html(html: bytes | str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html)


def _describe_refusal(subject: str, response: Response) -> str:
    """Return a message about a refusal; arXiv puts its reason into the heading or a line below it."""
    if b"<" in response.body and not is_bounded(response.body):
        reason = ""
    elif b"<" in response.body:
        tree = _parse_html(response.body)
        selectors = ("p.is-size-5", "main h1", "h1", "title")
        reason = next(filter(None, (_get_text(tree, selector) for selector in selectors)), "")
    else:
        reason = normalize_line(response.body.decode(errors="replace"))
    if not reason:
        return f"{subject} was refused (HTTP {response.status}), without a reason that could be read."
    reason = reason[:300].rstrip(" .")
    is_wrong_section = "category" in reason.lower() or "subject" in reason.lower()
    advice = " Check the categories of this source." if is_wrong_section else ""
    return f"{subject} was refused (HTTP {response.status}): {reason}.{advice}"


def _require_complete_page(subject: str, body: bytes) -> None:
    """Require a web page that is not truncated."""
    if not body or body.isspace():
        raise SourceError(f"{subject} came back empty.")
    lower_start = body[:2000].lower()
    if b"<!doctype html" not in lower_start and b"<html" not in lower_start:
        beginning = normalize_line(body[:80].decode(errors="replace"))
        raise SourceError(f"{subject} is not a web page; it begins with {beginning!r}.")
    if b"</html" not in body[-2000:].lower():
        raise SourceError(f"{subject} is cut off after {len(body):,} bytes; it was ignored.")
    if not is_bounded(body):
        raise SourceError(
            f"{subject} is not a list: it nests more than {MAX_DEPTH} elements, or has an element with very many attributes."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageHead:
    """The head of a page.

    Attributes:
        day: the announcement day.
        name: the name of the section.
        ids: the IDs of the sections in its own links.
        total: number of entries of the day on all pages; None if it is not stated.
    """

    day: date
    name: str
    ids: frozenset[str]
    total: int | None


_LATEST_PREFIX = "Showing new listings for "
_CATCHUP = re.compile(r"Catchup results for (?P<name>.+) on (?P<day>.+)")
_DATE = re.compile(r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2})[a-z]* (?P<year>\d{4})")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TOTAL = re.compile(r"Total of (\d{1,9}) entries")
_OWN_LINK = re.compile(r"/catchup/([^/?]+)/|/list/([^/?]+)/recent$")


def _read_head(subject: str, top: LexborHTMLParser) -> _PageHead:
    title = _get_text(top, "h1")
    if match := _CATCHUP.fullmatch(title):
        name, date_text = match["name"], match["day"]
    else:
        headings = [normalize_line(heading.text()) for heading in top.css("h3")]
        date_heading = next((heading for heading in headings if heading.startswith(_LATEST_PREFIX)), "")
        if not date_heading:
            page_title = _get_text(top, "title") or title
            raise SourceError(
                f"{subject} is a web page titled {page_title[:200]!r}, perhaps from a proxy or a login."
            )
        name, date_text = title, date_heading.removeprefix(_LATEST_PREFIX)
    links = [_OWN_LINK.search(link.attrs.get("href") or "") for link in top.css("a[href]")]
    total = _TOTAL.search(_get_text(top, "#dlpage"))
    return _PageHead(
        day=_parse_day(subject, date_text),
        name=name,
        ids=frozenset(link[1] or link[2] for link in links if link),
        total=int(total[1]) if total else None,
    )


def _parse_day(subject: str, date_text: str) -> date:
    try:
        match = _DATE.search(date_text)
        if match:
            day = date(int(match["year"]), _MONTHS.index(match["month"]) + 1, int(match["day"]))
            if is_plausible(day):
                return day
    except ValueError:
        pass
    raise SourceError(f"{subject} does not say which day it is for: {date_text!r}.")


def _require_own_page(subject: str, head: _PageHead, request: Request) -> None:
    """Reject the page of another section or day.

    The section is recognized by the links of the page, or else by its name, which several sections may share.
    """
    section = canonicalize_category(request.section)
    ids = frozenset(map(canonicalize_category, head.ids)) or find_categories_by_name(head.name)
    if ids and section not in ids:
        page_names = ", ".join(sorted(head.ids)) or head.name
        raise SourceError(f"{subject} is about {page_names}: the address returns the wrong page.")
    if request.route == "catchup" and head.day != request.day:
        raise SourceError(f"{subject} is for {head.day}: the address returns the wrong page.")


def _require_empty_reason(subject: str, top: LexborHTMLParser, position: int, total: int | None) -> None:
    """Require a page without entries to say that there are none; otherwise it does not prove a day without papers."""
    if total and position < total:
        raise SourceError(
            f"{subject} says that it has {total:,} entries but shows none; arXiv is still preparing it."
        )
    if total is None and "No updates" not in _get_text(top, "#dlpage"):
        raise SourceError(f"{subject} has no entries and gives no reason; it was ignored.")


# --- next page ------------------------------------------------------------------------------------


def _count_earlier_entries(request: Request) -> int:
    """Return the number of entries on the previous pages."""
    query = dict(parse_qsl(urlsplit(request.url).query))
    if request.route == "catchup":
        return (int(query.get("page", "1")) - 1) * PAGE_SIZE
    return int(query.get("skip", "0"))


def _build_next_request(request: Request, position: int, total: int | None) -> Request | None:
    next_position = position + PAGE_SIZE
    if total is None or next_position >= total:
        return None
    parts = urlsplit(request.url)
    page_query = (
        {"page": next_position // PAGE_SIZE + 1} if request.route == "catchup" else {"skip": next_position}
    )
    query = urlencode(dict(parse_qsl(parts.query)) | page_query)
    return replace(request, url=urlunsplit(parts._replace(query=query)))


# --- entries --------------------------------------------------------------------------------------

_SHOWN_COUNT = re.compile(r"showing\D*(\d{1,9}) of \d+ entries")
_KINDS = {"New": ListingKind.NEW, "Cross": ListingKind.CROSS, "Replacement": ListingKind.REPLACE}
_NON_LINK_TAG = re.compile(r"<(?!/?a\b)")
_BRACKETED = re.compile(r"\(([^()]+)\)")


def _read_part(subject: str, section: str, part: LexborNode) -> list[Listing | str]:
    """Parse the entries under one heading (*new*, *cross* or *replacement*); an invalid entry becomes a sentence."""
    heading = ""
    node_pairs: list[tuple[LexborNode, LexborNode | None]] = []
    for node in _iter_children(part):
        if node.tag == "h3":
            heading = normalize_line(node.text())
        elif node.tag == "dt":
            node_pairs.append((node, None))
        elif node.tag == "dd" and node_pairs:
            node_pairs[-1] = (node_pairs[-1][0], node)
    shown_count = _SHOWN_COUNT.search(heading)
    if shown_count and int(shown_count[1]) != len(node_pairs):
        raise SourceError(
            f"{subject} has {len(node_pairs):,} entries under {heading!r}: it is damaged and was ignored."
        )
    entries: list[Listing | str]
    entries, unread = read_each(
        node_pairs, lambda node_pair: _read_entry(subject, section, heading, *node_pair), title="arXiv"
    )
    entries += unread
    return entries


def _read_entry(
    subject: str, section: str, heading: str, head: LexborNode, body: LexborNode | None
) -> Listing | str:
    number, version = _find_id_and_version(head)
    texts = _read_texts(body) if body else {}
    if not number or not texts.get("title"):
        missing = "title" if number else "arXiv id"
        return f"{subject} has an entry without {missing}: {normalize_line(head.text())[:100]!r}."
    subjects = _find_categories(texts.get("subjects", ""))
    is_primary = any(covers(section, category) for category in subjects[:1])
    kind = _get_kind(heading, head, is_primary=is_primary)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=texts["title"],
        abstract=texts.get("abstract", ""),
        authors=_parse_authors(texts.get("authors", "")),
        categories=subjects,
        version=version or (1 if kind is ListingKind.NEW else 0),
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        journal_ref=texts.get("journal-ref", ""),
        comment=texts.get("comments", ""),
    )
    return Listing(kind=kind, paper=paper)


def _find_id_and_version(head: LexborNode) -> tuple[str, int | None]:
    """Return the arXiv ID, or "", and the version, which only the link to the HTML version contains."""
    number, version = "", None
    for node in _iter_children(head):
        address = node.attrs.get("href") if node.tag == "a" else None
        if not address:
            continue
        if "/abs/" in address and (id_match := parse_arxiv_id(address.rpartition("/abs/")[2])):
            number = id_match[0]
        elif "/html/" in address and (id_match := parse_arxiv_id(address.rpartition("/html/")[2])):
            version = id_match[1]
    return number, version


def _get_kind(heading: str, head: LexborNode, *, is_primary: bool) -> ListingKind:
    """Return the kind from the heading, or else from the entry's mark, so that an unknown heading loses no paper."""
    kind = _KINDS.get(heading.partition(" ")[0])
    if kind is None:
        marker_text = head.text(deep=False)
        unmarked_kind = (
            ListingKind.NEW if is_primary and "cross-list" not in marker_text else ListingKind.CROSS
        )
        kind = ListingKind.REPLACE if "replaced" in marker_text else unmarked_kind
    return ListingKind.REPLACE_CROSS if kind is ListingKind.REPLACE and not is_primary else kind


def _parse_authors(line: str) -> tuple[Author, ...]:
    return () if line == "(author list is unavailable)" else split_byline(line)


def _find_categories(subjects: str) -> tuple[str, ...]:
    """Return the categories in ``Machine Learning (cs.LG); Optimization (math.OC)``, without class codes."""
    return parse_categories("\n".join(_BRACKETED.findall(subjects)))


# --- texts ----------------------------------------------------------------------------------------


def _read_texts(body: LexborNode) -> dict[str, str]:
    """Return the texts of an entry by their CSS class without ``list-``; the abstract has no class."""
    texts = {}
    meta = body.css_first("div.meta")
    for node in _iter_children(meta) if meta else ():
        if node.tag == "p":
            texts["abstract"] = _clean_line(node.text())
        elif name := (node.attrs.get("class") or "").partition(" ")[0].removeprefix("list-"):
            text = node.text()
            texts[name] = _clean_byline(text) if name == "authors" else _clean_line(text.partition(":")[2])
    return texts


def _clean_byline(text: str) -> str:
    """Return a byline as plain text; the server escapes the text between names twice, mostly affiliations."""
    if ("&" in text or "<a " in text) and is_bounded(text.encode()):
        body = _restore_addresses(_NON_LINK_TAG.sub("&lt;", text)).body
        text = body.text() if body else text
    return _clean_line(decode_tex_accents(text))


def _restore_addresses(html: bytes | str) -> LexborHTMLParser:
    """Return a page with addresses in place of the links "this https URL"."""
    tree = _parse_html(html)
    for node in tree.css("a[rel~=external], br"):
        doi, address = node.attrs.get("data-doi"), node.attrs.get("href")
        if doi:
            node.replace_with(doi)
        elif address and node.text().startswith("this "):
            node.replace_with(_restore_typed_text(address))
        elif node.tag == "br":
            node.replace_with(" ")
    return tree


def _restore_typed_text(address: str) -> str:
    """Return a text as it was typed: the server takes words such as ``train.py`` for hosts, and adds ``http://``."""
    bare = address.removeprefix("http://")
    return address if "/" in bare else bare


def _get_text(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector)
    return normalize_line(node.text(separator=" ")) if node else ""


def _clean_line(text: str) -> str:
    """Do what ``normalize_line`` does, with a fast path for texts that only need their line ends replaced."""
    line = text.strip().replace("\n", " ")
    return line if "<" not in line and "  " not in line and line.isprintable() else normalize_line(line)


def _iter_children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child:
        if child.is_element_node:
            yield child
        child = child.next
