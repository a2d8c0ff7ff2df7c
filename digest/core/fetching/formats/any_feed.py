"""Feeds of unknown makers: RSS 0.9x to 2.0, RSS 1.0 (RDF) and Atom by feedparser, JSON Feed by the standard library.

What can be read of a broken feed is read. https://www.rssboard.org/rss-specification,
https://web.resource.org/rss/1.0/spec, RFC 4287, https://www.jsonfeed.org/version/1.1/.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

from digest.core.fetching.formats.json_fields import as_line, as_rows, read_json
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.text.cleaning import plain_line
from digest.core.text.html import text_of_html
from digest.errors import SourceError
from digest.model import Freshness

MOST_ENTRIES = 5_000
"""What is beyond them is counted and not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry, its texts plain and in one line.

    Attributes:
        title: "" if it has none; so are all others.
        text: the summary, else the content.
        link: the page, absolute.
        guid: what its maker tells it apart by.
        ids: what else names the work: DOIs, arXiv ids, as written.
        bylines: each one author or several, as written.
        tags: the maker's own.
        journal: where it was published.
        dated: when it was published, else changed.
    """

    title: str = ""
    text: str = ""
    link: str = ""
    guid: str = ""
    ids: tuple[str, ...] = ()
    bylines: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    journal: str = ""
    dated: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyFeed:
    """A feed as read.

    Attributes:
        page: the address of the site that it is the feed of, "" if it does not say.
        entries: in the order printed, empty ones too; no more than 5,000.
        unread: a sentence about each entry that cannot be read.
        beyond: how many more there are.
        freshness: when it is worth asking again; None if it does not say.
        broken: what its end is missing, in words; "" if nothing.
    """

    page: str = ""
    entries: tuple[Entry, ...] = ()
    unread: tuple[str, ...] = ()
    beyond: int = 0
    freshness: Freshness | None = None
    broken: str = ""


def read_any_feed(body: bytes, *, content_type: str, address: str, subject: str) -> AnyFeed:
    """Read a feed.

    Args:
        body: the document.
        content_type: the header that came with it, "" for none; it can tell the encoding.
        address: where it came from: what relative links are relative to.
        subject: what to call it in an error.

    Raises:
        SourceError: it is no feed at all, or one that would take too long to read.
    """
    if not body.strip(b" \t\r\n\0\xef\xbb\xbf\xfe\xff"):
        raise SourceError(f"{subject} came back empty.")
    if _plain_start(body).startswith((b"{", b"[")):
        return _read_json(body, address, subject)
    return _read_xml(body, content_type, address, subject)


def web_address(written: object, base: str = "") -> str:
    """The absolute address of a page on the web, or "" if the text is none.

    Args:
        written: as in a feed, perhaps relative.
        base: what it is relative to.
    """
    if not isinstance(written, str) or not written.strip():
        return ""
    try:
        address = urljoin(base, plain_line(written).replace(" ", "%20"))
        good = urlsplit(address).scheme in {"http", "https"} and urlsplit(address).hostname
    except ValueError:
        return ""
    return address if good and len(address) <= _LONGEST_ADDRESS else ""


_LONGEST_ADDRESS = 2_000
"""Characters; longer ones are no links that mail programs follow."""


def _plain_start(body: bytes) -> bytes:
    """The first characters as ASCII has them, for looking at, whatever UTF it is."""
    return body[:2000].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")


# --- RSS and Atom ---------------------------------------------------------------------------------

_MOST_TAGS = 250_000
"""feedparser takes some 30 µs for each; a feed of 5,000 entries may have 50 in each."""
_BYTES_A_TAG = 4
"""At least. Tables of empty cells have one in 4.5 bytes and take 3 s a megabyte."""
_WEIGHT_UNCLOSED = 3
"""What is opened and not closed counts as so many: a broken document of nothing but ``<a`` takes 11 s a megabyte, and of
``<a b='`` 5 s. ``<a/>`` counts twice, for it opens and closes."""
_FREE_TAGS = 500
"""A document may have so many, however short it is: they take milliseconds."""
_TAG = re.compile(rb"""<[A-Za-z][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*""")
"""No value has a ``<`` in it, so a quote too many spoils one tag and not all after it."""
_BYTES_AN_ENTRY, _FREE_ENTRIES = 50, 300
"""As above; recorded feeds have one in 400 bytes or more, and each takes at least 0.15 ms."""
_BYTES_A_REFERENCE, _FREE_REFERENCES = 4, 1_000
"""As above, of what begins with ``&``; recorded feeds have one in 19 bytes or more."""
_MOST_ATTRIBUTES = 500
"""The time for an element grows with the square of their number: 10,000 take a second."""
_ELEMENT = re.compile(rb"<\w")
_MOST_BEFORE = 50_000
"""Bytes before the first element."""
_MOST_BLANKS = 1_000
"""Blanks in a row there; the time to look for a DOCTYPE behind them grows with the square."""
_BLANKS = re.compile(rb"\s{3,}")
_MOST_UNCLOSED = 5
"""Declarations before the first element behind which nothing closes any; each is read to the end."""
_FREE_COMPARISONS, _COMPARISONS_A_BYTE = 1_000_000, 30
"""Each keyword of an entry is compared with all before, in 25 to 60 ns times the square of their number: so 1,000 are free.
Papers have up to 350 and podcasts 400."""
_ENTRY_START = re.compile(rb"<(?:item|entry)[\s>]", re.IGNORECASE)
_KEYWORDS = re.compile(rb"<(?:\w+:)?(?:category|subject|keywords|tags)\b[^<>]*>?([^<]*)", re.IGNORECASE)
_LABEL = re.compile(rb"<category\b[^<>]*(?:/>|>[^<>]*</category\s*>)")
_SECTION = re.compile(rb"<!\[CDATA\[(.*?)\]\]>|(<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*)", re.DOTALL)
"""A section of CDATA, or where none begins; one that does not end is none, for the rest is read as tags."""
_AS_TEXT = bytes.maketrans(b"<>=", b"   ")
_LONG_WORD = re.compile(
    rb"(?<![\w.+@-])(?:[\w.+@-]|&#(?:[xX]0*[2-7][\da-fA-F]|0*(?:[3-9]\d|1[01]\d|12[0-7]));){200,}"
)
"""Of letters, digits and signs of ASCII, however they are written."""
_TEXT_START = re.compile(
    rb"<(?:[\w.-]+:)?(?:description|summary|content|encoded|p|div|span|pre|code|td)\b[^<>]*>[^<]*",
    re.IGNORECASE,
)
"""Elements whose words may be as long as a genome: no mail address is looked for in them."""
_RELATIVE_BASE = re.compile(rb"""\bbase\s*=\s*["'](?![a-zA-Z][a-zA-Z+.-]*:|/)""")
_MOST_RELATIVE_BASES = 500
"""Each that is nested lengthens the address that the next one is relative to."""
_NAMESPACE = re.compile(rb"""\bxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s>&"']+)""")
_MOST_NAMESPACES = 300
"""Different ones; each name in a document is looked up among all. Feeds have 30 or fewer."""
_FREE_WORK, _WORK_A_BYTE = 10_000_000, 400
"""Its pattern for mail addresses takes some 10 ns times the square of a word's length: so 0.1 s, and 4 s a megabyte."""
_DECLARATION_START = re.compile(rb"\A[^<>]{0,16}<\?")
_DECLARATION = re.compile(_DECLARATION_START.pattern + rb"[^>]{0,500}>")
_CUT = ("no element found", "unclosed token", "unclosed CDATA section", "partial character")


def _read_xml(body: bytes, content_type: str, address: str, subject: str) -> AnyFeed:
    import feedparser

    body = _without_labels(_with_few_blanks(_in_utf8(body, content_type, subject)))
    _demand_modest(body, subject)
    body = _without_asides(_HALVES.sub(_joined, _without_entities(body)))
    headers = {"content-type": "application/xml; charset=utf-8"}
    if b"base=" in body.replace(b"\0", b""):
        # Only then does it need the address; it takes a quarter longer with one, and links are resolved below.
        headers["content-location"] = address
    try:
        # Always a stream: what is given a text or a URL looks for a file, or the network. Its sanitising lets
        # scripts through and is not needed: all texts are made plain.
        read = feedparser.parse(
            io.BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
        )
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - what it raises for odd documents is nowhere written
        raise SourceError(f"{subject} cannot be read: {error!r:.200}.") from None
    if not read.entries and not read.version:
        raise SourceError(f"{subject} {_what_else(body)}")
    head = dict(read.feed)
    literal = read.version.startswith("atom")
    byline = _bylines(head) if literal else ()
    entries, unread = read_each(
        read.entries[:MOST_ENTRIES],
        lambda entry: _entry(dict(entry), byline, address, literal=literal),
        title=subject,
    )
    return AnyFeed(
        page=web_address(head.get("link"), address),
        entries=tuple(entries),
        unread=tuple(unread),
        beyond=len(read.entries[MOST_ENTRIES:]),
        freshness=_freshness(head, body),
        broken=_cut(read.get("bozo_exception")),
    )


def _without_bom(body: bytes) -> bytes:
    """In UTF-8, where only the byte order mark says that it is in another one: feedparser wants a declaration."""
    if body.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        return body
    declared = _plain_start(body).startswith(b"<?xml")
    return body if declared else body.decode(encoding, "replace").encode("utf-8", "replace")


def _in_utf8(body: bytes, content_type: str, subject: str) -> bytes:
    """In UTF-8, as feedparser decodes it: what is looked at here must be what is read there.

    Raises:
        SourceError: its encoding cannot be read.
    """
    from feedparser.encodings import convert_to_utf8

    body = _without_bom(body)
    _demand_declaration(body, subject)
    try:
        converted: bytes = convert_to_utf8({"content-type": content_type}, _with_short_line(body), {})
    except Exception as error:  # noqa: BLE001 - what codecs raise for odd documents is nowhere written
        raise SourceError(f"{subject} is in an encoding that cannot be read: {error!r:.200}.") from None
    return _with_short_line(converted)


def _with_short_line(body: bytes) -> bytes:
    """With a line of its own for the declaration.

    feedparser looks for the encoding in the whole first line, in a time that grows with the cube of what stands there.
    """
    return _DECLARATION.sub(rb"\g<0>\n", body, count=1)


_ENTITY_DECLARATION = re.compile(rb"<!ENTITY[^>]*>?")


def _without_entities(body: bytes) -> bytes:
    """Without declarations of entities, wherever they stand: one grows without bound when it names others.

    feedparser leaves some of them. Behind the first element a declaration is only a text, in CDATA, and stays legible.
    """
    first = _ELEMENT.search(body)
    start = first.start() if first else len(body)
    return _ENTITY_DECLARATION.sub(b" ", body[:start]) + body[start:].replace(b"<!ENTITY", b"<! ENTITY")


def _with_few_blanks(body: bytes) -> bytes:
    """With no blanks before the first element that mean nothing."""
    first = _ELEMENT.search(body)
    start = first.start() if first else len(body)
    return _BLANKS.sub(b"\n", body[:start]) + body[start:]


def _without_labels(body: bytes) -> bytes:
    """Without the keywords of the feed itself: blogs list thousands, and nobody needs them."""
    first = _ENTRY_START.search(body)
    start = first.start() if first else len(body)
    return _LABEL.sub(b"", body[:start]) + body[start:]


_ASIDE_OR_ENTRY = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<(/?)(image|textinput|source|item|entry)(?=[\s/>])[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)


def _without_asides(body: bytes) -> bytes:
    """Without images, search fields and sources: feedparser takes titles and links in them for the entry's own."""
    kept, done, opened = [], 0, None
    for tag in _ASIDE_OR_ENTRY.finditer(body):
        name = (tag[2] or b"").lower()
        if not name:
            continue  # text, whatever stands in it
        if name in {b"item", b"entry"}:
            opened = None  # one that does not end takes no other entry with it
        elif not tag[1]:
            opened = opened or (None if tag[0].endswith(b"/>") else tag)
        elif opened and opened[2].lower() == name:
            kept.append(body[done : opened.start()])
            done, opened = tag.end(), None
    return b"".join([*kept, body[done:]])


_HALVES = re.compile(rb"(?:&#(?:[xX][dD][89a-fA-F][0-9a-fA-F]{2}|5[5-7][0-9]{3});)+")


def _joined(written: re.Match[bytes]) -> bytes:
    """Characters written as two halves, ``&#55357;&#56832;``, as scripts do: feedparser breaks off at them."""
    halves = written[0][2:-1].split(b";&#")
    text = "".join(chr(int(half[1:], 16) if half[:1] in b"xX" else int(half)) for half in halves)
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.encode("ascii", "xmlcharrefreplace")


def _demand_modest(body: bytes, subject: str) -> None:
    """Refuse what only somebody who wants to keep us busy writes."""
    plain = body.replace(b"\0", b"")
    first = _ELEMENT.search(plain)
    _demand_modest_start(plain[: first.start() if first else len(plain)], subject)
    plain = _SECTION.sub(_as_text, plain)
    if any(tag.count(b"=") > _MOST_ATTRIBUTES for tag in _TAG.findall(plain)):
        raise SourceError(f"{subject} has an element with more than {_MOST_ATTRIBUTES:,} attributes.")
    if (tags := plain.count(b"<")) > _MOST_TAGS:
        raise SourceError(f"{subject} has {tags:,} tags, and more than {_MOST_TAGS:,} are not read.")
    if _weigh_tags(plain, tags) > max(_FREE_TAGS, len(plain) // _BYTES_A_TAG):
        raise SourceError(f"{subject} has hardly anything but tags: {tags:,} in {len(plain):,} bytes.")
    if plain.count(b"&") > max(_FREE_REFERENCES, len(plain) // _BYTES_A_REFERENCE):
        raise SourceError(f"{subject} has hardly anything but references to characters.")
    entries = _ENTRY_START.split(plain)
    if len(entries) > max(_FREE_ENTRIES, len(plain) // _BYTES_AN_ENTRY):
        raise SourceError(f"{subject} has {len(entries) - 1:,} entries with hardly anything in them.")
    _demand_few_names(plain, entries, subject)
    words = _LONG_WORD.finditer(_TEXT_START.sub(b"<", plain))
    if sum((word.end() - word.start()) ** 2 for word in words) > _FREE_WORK + _WORK_A_BYTE * len(plain):
        raise SourceError(f"{subject} has words of thousands of characters, which are not read.")


def _as_text(section: re.Match[bytes]) -> bytes:
    """What stands in CDATA without its tags and attributes, for feedparser sees none there."""
    return section[2] or section[1].translate(_AS_TEXT)


def _demand_declaration(body: bytes, subject: str) -> None:
    """The same of a first line in which feedparser looks for the encoding, as far as ``_with_short_line`` does not end it."""
    line = body.replace(b"\0", b"").partition(b"\n")[0]
    if not _DECLARATION_START.match(line) or line.count(b"encoding=") < 2:
        return
    if b"\0" in body[:64] or not _DECLARATION.match(body):
        raise SourceError(f"{subject} begins with a declaration that does not end.")


def _weigh_tags(plain: bytes, tags: int) -> int:
    """How many tags a document has, those that are not closed counted threefold."""
    ends, empty = plain.count(b"</"), plain.count(b"/>")
    unclosed = max(0, tags - 2 * ends - empty)
    return tags + empty + (_WEIGHT_UNCLOSED - 1) * unclosed


def _demand_modest_start(before: bytes, subject: str) -> None:
    """The same of what stands before the first element."""
    if len(before) > _MOST_BEFORE or any(len(one) > _MOST_BLANKS for one in _BLANKS.findall(before)):
        raise SourceError(f"{subject} has thousands of characters before its first element.")
    if before[before.rfind(b">") + 1 :].count(b"<!") > _MOST_UNCLOSED:
        raise SourceError(f"{subject} begins with declarations that do not end.")


def _demand_few_names(plain: bytes, entries: Sequence[bytes], subject: str) -> None:
    """The same of what is compared with all of its kind."""
    if sum(_count_tags(entry) ** 2 for entry in entries) > _FREE_COMPARISONS + _COMPARISONS_A_BYTE * len(
        plain
    ):
        raise SourceError(f"{subject} has entries with thousands of keywords, which are not read.")
    if len(_RELATIVE_BASE.findall(plain)) > _MOST_RELATIVE_BASES:
        raise SourceError(f"{subject} has more than {_MOST_RELATIVE_BASES} relative addresses as a base.")
    if len(set(_NAMESPACE.findall(plain))) > _MOST_NAMESPACES:
        raise SourceError(f"{subject} has more than {_MOST_NAMESPACES} namespaces.")


def _count_tags(entry: bytes) -> int:
    """How many keywords an entry has at most."""
    return sum(1 + text.count(b",") for text in _KEYWORDS.findall(entry))


def _what_else(body: bytes) -> str:
    """What a document that is no feed is, and what to do."""
    start = _plain_start(body).lower()
    if start.startswith((b"<!doctype html", b"<html")) or b"<html" in start:
        return (
            "is a web page, perhaps of a login, and no feed; look there for the address of the feed itself."
        )
    return "is no feed: neither RSS, Atom nor JSON Feed can be found in it."


def _cut(error: object) -> str:
    """Whether a document ends too early; other faults lose nothing that feedparser cannot do without."""
    return "breaks off before its end" if error and any(cut in str(error) for cut in _CUT) else ""


def _entry(entry: Mapping[str, Any], byline: tuple[str, ...], base: str, *, literal: bool) -> Entry:
    """An entry of feedparser's; with ``literal`` texts said to be plain are."""
    details = [entry.get("summary_detail"), *entry.get("content", ())]
    texts = (_text(detail, literal=literal) for detail in details if detail)
    title = _text(entry.get("title_detail") or {"value": entry.get("title")}, literal=literal)
    return Entry(
        title=title,
        text=next((text for text in texts if text), "") or as_line(entry.get("summary")),
        link=web_address(entry.get("feedburner_origlink") or entry.get("link"), base),
        guid=as_line(entry.get("id")),
        ids=tuple(
            filter(None, (as_line(entry.get(key)) for key in ("dc_identifier", "prism_doi", "prism_url")))
        ),
        bylines=_bylines(entry) or byline,
        tags=_distinct(as_line(tag.get("term") or tag.get("label")) for tag in entry.get("tags", ())),
        journal=_journal(entry),
        dated=_instant(entry),
    )


def _text(detail: Mapping[str, Any], *, literal: bool) -> str:
    """A text in one line.

    RSS does not say whether its texts are HTML; feedparser takes those for HTML that look so, and for the
    rest only the tags that people type for emphasis are taken out: ``a < b`` and ``<think>`` stay.
    """
    value = detail.get("value")
    if not isinstance(value, str):
        return ""
    plain = detail.get("type") == "text/plain" and (literal or not _ENTITY.search(value))
    return plain_line(value) if plain else text_of_html(value)


_ENTITY = re.compile(r"&(?:\w{2,20}|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)


def _bylines(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Who wrote it, as written: names, not mail addresses."""
    names = [as_line(author.get("name")) for author in context.get("authors", ())]
    return _distinct(names) or _distinct([as_line(context.get("author"))])


def _journal(entry: Mapping[str, Any]) -> str:
    """Where a paper appeared, from PRISM: ``Nature 620(7), 1-9``. https://www.w3.org/submissions/prism/."""
    names = ("publicationname", "volume", "number", "startingpage", "endingpage")
    name, volume, number, first, last = (as_line(entry.get(f"prism_{name}")) for name in names)
    if not name:
        return ""
    issue = f" {volume}" * bool(volume) + f"({number})" * bool(volume and number)
    pages = f", {first}" * bool(first) + f"-{last}" * bool(first and last)
    return f"{name}{issue}{pages}"


def _instant(entry: Mapping[str, Any]) -> datetime | None:
    """When it was published, else changed; None if that cannot be read or is no date of the web's."""
    for key in ("published_parsed", "updated_parsed", "created_parsed"):
        if parsed := entry.get(key):
            try:
                year, month, day, hour, minute, second = parsed[:6]
                instant = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
            except (ValueError, TypeError, OverflowError):
                continue
            return instant if is_plausible(instant.date()) else None
    return None


# --- when to come again ----------------------------------------------------------------------------

_PERIODS = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}
_DAYS = (b"monday", b"tuesday", b"wednesday", b"thursday", b"friday", b"saturday", b"sunday")
_LONGEST_TTL = timedelta(days=365)


def _freshness(head: Mapping[str, Any], body: bytes) -> Freshness | None:
    """What a feed says in ``ttl``, ``skipHours``, ``skipDays`` or the syndication module.

    https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/modules/syndication/.
    """
    # feedparser keeps only the last hour and day of the lists.
    hours = {int(hour) % 24 for hour in re.findall(rb">\s*(\d{1,2})\s*<", _skipped(body, b"skipHours"))}
    named = _skipped(body, b"skipDays").lower()
    days = frozenset(number for number, name in enumerate(_DAYS) if name in named)
    # Who skips all of them says nothing.
    told = Freshness(
        ttl=_ttl(head),
        skip_hours=frozenset(hours) if len(hours) < 24 else frozenset(),
        skip_weekdays=days if len(days) < 7 else frozenset(),
    )
    return told if told != Freshness() else None


def _ttl(head: Mapping[str, Any]) -> timedelta | None:
    minutes = _number(head.get("ttl"))
    period = _PERIODS.get(as_line(head.get("sy_updateperiod")).lower(), 0)
    if not minutes and not (period or head.get("sy_updatefrequency")):
        return None
    every = timedelta(hours=period or 24) / (_number(head.get("sy_updatefrequency")) or 1)
    return min(timedelta(minutes=minutes) if minutes else every, _LONGEST_TTL)


def _number(written: object) -> int:
    """A count up to six digits, else 0."""
    return int(written) if isinstance(written, str) and re.fullmatch(r"[0-9]{1,6}", written.strip()) else 0


def _skipped(body: bytes, name: bytes) -> bytes:
    start = body.find(b"<" + name)
    end = body.find(b"</" + name, start)
    return body[start : min(end, start + 2000)] if 0 <= start < end else b""


# --- JSON Feed -------------------------------------------------------------------------------------


def _read_json(body: bytes, address: str, subject: str) -> AnyFeed:
    try:
        feed = read_json(body)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{subject} is no JSON that can be read: {error}.") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list) or "jsonfeed.org" not in str(feed.get("version", "")):
        raise SourceError(f"{subject} is JSON, and no JSON Feed (https://www.jsonfeed.org).")
    page = web_address(feed.get("home_page_url"), address)
    byline = _json_bylines(feed)
    first = [item if isinstance(item, dict) else {} for item in items[:MOST_ENTRIES]]
    entries, unread = read_each(first, lambda item: _json_entry(item, byline, address), title=subject)
    beyond = len(items[MOST_ENTRIES:])
    return AnyFeed(page=page, entries=tuple(entries), unread=tuple(unread), beyond=beyond)


def _json_entry(item: Mapping[str, Any], byline: tuple[str, ...], base: str) -> Entry:
    html = item.get("content_html")
    text = as_line(item.get("summary")) or as_line(item.get("content_text"))
    guid = item.get("id")
    return Entry(
        title=as_line(item.get("title")),
        text=text or (text_of_html(html) if isinstance(html, str) else ""),
        link=web_address(item.get("url"), base) or web_address(item.get("external_url"), base),
        guid=as_line(str(guid) if isinstance(guid, int | float) else guid),
        bylines=_json_bylines(item) or byline,
        tags=_distinct(map(as_line, as_rows(item.get("tags")))),
        dated=_json_instant(item),
    )


def _json_bylines(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Version 1.1 has ``authors``, version 1 had ``author``."""
    authors = [*as_rows(context.get("authors")), context.get("author")]
    return _distinct(as_line(author.get("name")) for author in authors if isinstance(author, dict))


def _json_instant(item: Mapping[str, Any]) -> datetime | None:
    for key in ("date_published", "date_modified"):
        try:
            instant = datetime.fromisoformat(as_line(item.get(key)))
            instant = (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
        return instant if is_plausible(instant.date()) else None
    return None


# --- texts -----------------------------------------------------------------------------------------


def _distinct(texts: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
