"""arXiv's web pages of an announcement day: the list of the latest one, and the catch-up pages of past ones.

``/list/{section}/new`` has the latest announcement, from 20:00 in New York of the evening before its date;
``/catchup/{section}/{day}`` the same for any of the last 90 days. Both show at most 2,000 entries a page, with
abstracts, and say how many there are. Their layout is that of the public code of arXiv's server
(https://github.com/arXiv/arxiv-browse, ``templates/list`` and ``templates/catchup.html``).

A page shows what is known of a paper *now*: the catch-up page of a past day has the latest version of its texts.
Where a paper has more than about a hundred authors, only the first hundred are shown, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from digest.core.fetching.formats.html_bounds import DEEPEST, is_modest
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.papers.bylines import split_byline
from digest.core.papers.identity.ids import arxiv_id
from digest.core.papers.taxonomy import called, canonical, covers
from digest.core.text.accents import without_tex
from digest.core.text.cleaning import plain_line
from digest.errors import SourceError
from digest.model import Author, Listing, ListingKind, Paper, PaperKey
from digest.ports import Announced, Page, Request, Response
from digest.sources.arxiv.fields import categories

if TYPE_CHECKING:  # slow to import, and who has feeds needs no web pages
    from selectolax.lexbor import LexborHTMLParser, LexborNode

ACCEPT = "text/html, application/xhtml+xml;q=0.9, */*;q=0.8"
PER_PAGE = 2000
"""How many entries a page has at most."""


def listing_url(base: str, section: str) -> str:
    """The address of the list of a section's latest announcement.

    Args:
        base: of arXiv's web pages: ``https://arxiv.org/``.
        section: a category or an archive.
    """
    return f"{base.rstrip('/')}/list/{section}/new?skip=0&show={PER_PAGE}"


def catchup_url(base: str, section: str, day: date, page: int = 1) -> str:
    """The address of a page of what a section announced on a day.

    Args:
        base: of arXiv's web pages: ``https://arxiv.org/``.
        section: a category or an archive.
        day: one of the last 90.
        page: from 1.
    """
    return f"{base.rstrip('/')}/catchup/{section}/{day.isoformat()}?abs=True&page={page}"


def read_pages(request: Request, response: Response) -> Page:
    """Read a page of the route ``listing`` or ``catchup``.

    Returns:
        One announced day, and where it goes on. All pages of a day have the same ``expected``.

    Raises:
        SourceError: the answer is no whole page of what was asked.
    """
    subject = _subject(request)
    if response.status != 200:
        raise SourceError(_refusal(subject, response))
    _demand_whole(subject, response.body)
    top = _parsed(response.body.partition(b"<dl")[0])
    head = _head(subject, top)
    _demand_own(subject, head, request)
    position = _position(request)
    read = [
        entry
        for part in _unlinked(response.body).css("dl#articles")
        for entry in _part(subject, request.section, part)
    ]
    if not read:
        _demand_reason(subject, top, position, head.total)
    listings = tuple([entry for entry in read if isinstance(entry, Listing)])
    return Page(
        announced=(Announced(day=head.day, listings=listings, expected=head.total or None),),
        next=_next(request, position, head.total) if read else None,
        unread=tuple([entry for entry in read if isinstance(entry, str)]),
    )


def _subject(request: Request) -> str:
    if request.route == "catchup":
        return f"arXiv's catch-up page of {request.section} for {request.day}"
    return f"arXiv's list of {request.section}"


# --- pages that are no list -----------------------------------------------------------------------


def _parsed(html: bytes | str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html)


def _refusal(subject: str, response: Response) -> str:
    """What an answer that says no says: arXiv puts its reason into the heading or a line below it."""
    if b"<" in response.body and not is_modest(response.body):
        told = ""
    elif b"<" in response.body:
        tree = _parsed(response.body)
        places = ("p.is-size-5", "main h1", "h1", "title")
        told = next(filter(None, (_text(tree, place) for place in places)), "")
    else:
        told = plain_line(response.body.decode(errors="replace"))
    if not told:
        return f"{subject} was refused (HTTP {response.status}), without a reason that could be read."
    told = told[:300].rstrip(" .")
    wrong = "category" in told.lower() or "subject" in told.lower()
    advice = " Check the categories of this source." if wrong else ""
    return f"{subject} was refused (HTTP {response.status}): {told}.{advice}"


def _demand_whole(subject: str, body: bytes) -> None:
    """A web page that goes to its end."""
    if not body or body.isspace():
        raise SourceError(f"{subject} came back empty.")
    start = body[:2000].lower()
    if b"<!doctype html" not in start and b"<html" not in start:
        begin = plain_line(body[:80].decode(errors="replace"))
        raise SourceError(f"{subject} is no web page; it begins with {begin!r}.")
    if b"</html" not in body[-2000:].lower():
        raise SourceError(f"{subject} breaks off after {len(body):,} bytes; nothing of it was taken.")
    if not is_modest(body):
        raise SourceError(
            f"{subject} is no list: it has elements in more than {DEEPEST} others, or one with very many attributes."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What a page says of itself.

    Attributes:
        name: of the section, for people.
        ids: of the sections that its own links lead to.
        total: how many entries the day has, on all pages together; None if it does not say.
    """

    day: date
    name: str
    ids: frozenset[str]
    total: int | None


_LATEST = "Showing new listings for "
_CATCHUP = re.compile(r"Catchup results for (?P<name>.+) on (?P<day>.+)")
_DATE = re.compile(r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2})[a-z]* (?P<year>\d{4})")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TOTAL = re.compile(r"Total of (\d{1,9}) entries")
_OWN_LINK = re.compile(r"/catchup/([^/?]+)/|/list/([^/?]+)/recent$")


def _head(subject: str, top: LexborHTMLParser) -> _Head:
    title = _text(top, "h1")
    if found := _CATCHUP.fullmatch(title):
        name, written = found["name"], found["day"]
    else:
        headings = [plain_line(heading.text()) for heading in top.css("h3")]
        dated = next((heading for heading in headings if heading.startswith(_LATEST)), "")
        if not dated:
            titled = _text(top, "title") or title
            raise SourceError(
                f"{subject} is a web page titled {titled[:200]!r}, perhaps of a proxy or a login."
            )
        name, written = title, dated.removeprefix(_LATEST)
    links = [_OWN_LINK.search(link.attrs.get("href") or "") for link in top.css("a[href]")]
    total = _TOTAL.search(_text(top, "#dlpage"))
    return _Head(
        day=_day(subject, written),
        name=name,
        ids=frozenset(link[1] or link[2] for link in links if link),
        total=int(total[1]) if total else None,
    )


def _day(subject: str, written: str) -> date:
    try:
        found = _DATE.search(written)
        if found:
            day = date(int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found["day"]))
            if is_plausible(day):
                return day
    except ValueError:
        pass
    raise SourceError(f"{subject} does not say of which day it is: {written!r}.")


def _demand_own(subject: str, head: _Head, request: Request) -> None:
    """Another section's page, or another day's, must not count for this one.

    By its links where it has some; by its name else, which can be that of several sections.
    """
    section = canonical(request.section)
    ids = frozenset(map(canonical, head.ids)) or called(head.name)
    if ids and section not in ids:
        named = ", ".join(sorted(head.ids)) or head.name
        raise SourceError(f"{subject} is about {named}: the address answers with the wrong page.")
    if request.route == "catchup" and head.day != request.day:
        raise SourceError(f"{subject} is of {head.day}: the address answers with the wrong page.")


def _demand_reason(subject: str, top: LexborHTMLParser, position: int, total: int | None) -> None:
    """A page without entries must say that there are none, or it is no quiet day."""
    if total and position < total:
        raise SourceError(
            f"{subject} says that it has {total:,} entries and shows none; arXiv is still preparing it."
        )
    if total is None and "No updates" not in _text(top, "#dlpage"):
        raise SourceError(f"{subject} has no entries and does not say why; nothing of it was taken.")


# --- pages that belong together -------------------------------------------------------------------


def _position(request: Request) -> int:
    """How many entries stand on the pages before this one."""
    query = dict(parse_qsl(urlsplit(request.url).query))
    if request.route == "catchup":
        return (int(query.get("page", "1")) - 1) * PER_PAGE
    return int(query.get("skip", "0"))


def _next(request: Request, position: int, total: int | None) -> Request | None:
    further = position + PER_PAGE
    if total is None or further >= total:
        return None
    parts = urlsplit(request.url)
    turned = {"page": further // PER_PAGE + 1} if request.route == "catchup" else {"skip": further}
    query = urlencode(dict(parse_qsl(parts.query)) | turned)
    return replace(request, url=urlunsplit(parts._replace(query=query)))


# --- entries --------------------------------------------------------------------------------------

_SHOWN = re.compile(r"showing\D*(\d{1,9}) of \d+ entries")
_KINDS = {"New": ListingKind.NEW, "Cross": ListingKind.CROSS, "Replacement": ListingKind.REPLACE}
_NO_LINK = re.compile(r"<(?!/?a\b)")
_BRACKETS = re.compile(r"\(([^()]+)\)")


def _part(subject: str, section: str, part: LexborNode) -> list[Listing | str]:
    """The entries of one part of a page, *new*, *cross* or *replacement*; in words where one cannot be read."""
    heading = ""
    heads: list[tuple[LexborNode, LexborNode | None]] = []
    for node in _children(part):
        if node.tag == "h3":
            heading = plain_line(node.text())
        elif node.tag == "dt":
            heads.append((node, None))
        elif node.tag == "dd" and heads:
            heads[-1] = (heads[-1][0], node)
    shown = _SHOWN.search(heading)
    if shown and int(shown[1]) != len(heads):
        raise SourceError(
            f"{subject} has {len(heads):,} entries under {heading!r}: it is damaged, nothing of it was taken."
        )
    entries: list[Listing | str]
    entries, unread = read_each(heads, lambda one: _entry(subject, section, heading, *one), title="arXiv")
    entries += unread
    return entries


def _entry(
    subject: str, section: str, heading: str, head: LexborNode, body: LexborNode | None
) -> Listing | str:
    number, version = _numbers(head)
    texts = _texts(body) if body else {}
    if not number or not texts.get("title"):
        missing = "title" if number else "arXiv id"
        return f"{subject} has an entry without {missing}: {plain_line(head.text())[:100]!r}."
    subjects = _categories(texts.get("subjects", ""))
    primary = any(covers(section, category) for category in subjects[:1])
    kind = _kind(heading, head, primary=primary)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=texts["title"],
        abstract=texts.get("abstract", ""),
        authors=_authors(texts.get("authors", "")),
        categories=subjects,
        version=version or (1 if kind is ListingKind.NEW else 0),
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        journal_ref=texts.get("journal-ref", ""),
        comment=texts.get("comments", ""),
    )
    return Listing(kind=kind, paper=paper)


def _numbers(head: LexborNode) -> tuple[str, int | None]:
    """The arXiv id, "" if there is none, and the version, which only the link to the HTML of a paper tells."""
    number, version = "", None
    for node in _children(head):
        address = node.attrs.get("href") if node.tag == "a" else None
        if not address:
            continue
        if "/abs/" in address and (found := arxiv_id(address.rpartition("/abs/")[2])):
            number = found[0]
        elif "/html/" in address and (found := arxiv_id(address.rpartition("/html/")[2])):
            version = found[1]
    return number, version


def _kind(heading: str, head: LexborNode, *, primary: bool) -> ListingKind:
    """By the part's heading, else by the entry's own mark: no paper is left out for a new word."""
    kind = _KINDS.get(heading.partition(" ")[0])
    if kind is None:
        marks = head.text(deep=False)
        own = ListingKind.NEW if primary and "cross-list" not in marks else ListingKind.CROSS
        kind = ListingKind.REPLACE if "replaced" in marks else own
    return ListingKind.REPLACE_CROSS if kind is ListingKind.REPLACE and not primary else kind


def _authors(line: str) -> tuple[Author, ...]:
    return () if line == "(author list is unavailable)" else split_byline(line)


def _categories(subjects: str) -> tuple[str, ...]:
    """The categories of ``Machine Learning (cs.LG); Optimization and Control (math.OC)``, without class codes."""
    return categories("\n".join(_BRACKETS.findall(subjects)))


# --- texts ----------------------------------------------------------------------------------------


def _texts(body: LexborNode) -> dict[str, str]:
    """The texts of an entry, by the name of their place without its ``list-``; ``abstract`` has none."""
    texts = {}
    meta = body.css_first("div.meta")
    for node in _children(meta) if meta else ():
        if node.tag == "p":
            texts["abstract"] = _line(node.text())
        elif name := (node.attrs.get("class") or "").partition(" ")[0].removeprefix("list-"):
            written = node.text()
            texts[name] = _byline(written) if name == "authors" else _line(written.partition(":")[2])
    return texts


def _byline(written: str) -> str:
    """The line of authors; the server escapes twice what stands between the names, affiliations above all."""
    if ("&" in written or "<a " in written) and is_modest(written.encode()):
        body = _unlinked(_NO_LINK.sub("&lt;", written)).body
        written = body.text() if body else written
    return _line(without_tex(written))


def _unlinked(html: bytes | str) -> LexborHTMLParser:
    """A page with the addresses that the server hides behind links such as "this https URL"."""
    tree = _parsed(html)
    for place in tree.css("a[rel~=external], br"):
        doi, address = place.attrs.get("data-doi"), place.attrs.get("href")
        if doi:
            place.replace_with(doi)
        elif address and place.text().startswith("this "):
            place.replace_with(_as_typed(address))
        elif place.tag == "br":
            place.replace_with(" ")
    return tree


def _as_typed(address: str) -> str:
    """The server takes words such as ``train.py`` for hosts, and puts ``http://`` before them."""
    bare = address.removeprefix("http://")
    return address if "/" in bare else bare


def _text(tree: LexborHTMLParser, place: str) -> str:
    node = tree.css_first(place)
    return plain_line(node.text(separator=" ")) if node else ""


def _line(written: str) -> str:
    """As ``plain_line``, sooner where there is nothing to clean but line ends, as nearly always."""
    line = written.strip().replace("\n", " ")
    return line if "<" not in line and "  " not in line and line.isprintable() else plain_line(line)


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child:
        if child.is_element_node:
            yield child
        child = child.next
