"""Parser for arbitrary feeds: RSS 0.9x to 2.0, RSS 1.0 (RDF) and Atom by feedparser, and JSON Feed.

The readable parts of an invalid feed are used. See https://www.rssboard.org/rss-specification,
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

from digest.core.fetching.formats.json_fields import read_json, to_line, to_rows
from digest.core.fetching.formats.records import is_plausible, read_each
from digest.core.text.cleaning import normalize_line
from digest.core.text.html import convert_html_to_text
from digest.errors import SourceError
from digest.model import Freshness

MAX_ENTRIES = 5_000
"""Maximum number of entries that are parsed; further ones are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedEntry:
    """An entry of a feed, with plain texts in one line.

    Attributes:
        title: "" if it has none; likewise all other texts.
        text: the summary, or else the content.
        link: the absolute address of its page.
        guid: its ID within the feed.
        ids: other IDs of the work, as written: DOIs, arXiv IDs.
        bylines: one author or several in each, as written.
        tags: the feed's own tags.
        journal: where it was published.
        dated: when it was published, or else changed.
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
class ParsedFeed:
    """A parsed feed.

    Attributes:
        page: the address of the site that the feed belongs to; "" if it is not stated.
        entries: in the printed order, including empty ones; at most 5,000.
        unread: a sentence about each entry that cannot be parsed.
        omitted: number of further entries.
        freshness: when another request is worthwhile; None if it is not stated.
        truncation: a description of what is missing at its end; "" if it is complete.
    """

    page: str = ""
    entries: tuple[ParsedEntry, ...] = ()
    unread: tuple[str, ...] = ()
    omitted: int = 0
    freshness: Freshness | None = None
    truncation: str = ""


def read_any_feed(body: bytes, *, content_type: str, address: str, subject: str) -> ParsedFeed:
    """Parse a feed.

    Args:
        body: the document.
        content_type: the header of the response, or ""; it may state the encoding.
        address: the address of the feed, which relative links refer to.
        subject: the name of the feed, for errors.

    Raises:
        SourceError: the document is not a feed, or parsing it would take too long.
    """
    if not body.strip(b" \t\r\n\0\xef\xbb\xbf\xfe\xff"):
        raise SourceError(f"{subject} came back empty.")
    if _read_plain_start(body).startswith((b"{", b"[")):
        return _read_json(body, address, subject)
    return _read_xml(body, content_type, address, subject)


def resolve_web_address(text: object, base: str = "") -> str:
    """Return the absolute address of a web page, or "" if the text is none.

    Args:
        text: an address from a feed, which may be relative.
        base: the address that it is relative to.
    """
    if not isinstance(text, str) or not text.strip():
        return ""
    try:
        address = urljoin(base, normalize_line(text).replace(" ", "%20"))
        is_web = urlsplit(address).scheme in {"http", "https"} and urlsplit(address).hostname
    except ValueError:
        return ""
    return address if is_web and len(address) <= _MAX_ADDRESS_LENGTH else ""


_MAX_ADDRESS_LENGTH = 2_000
"""Maximum length of a link, in characters; mail programs do not follow longer ones."""


def _read_plain_start(body: bytes) -> bytes:
    """Return the first characters as ASCII, for inspection, in any UTF encoding."""
    return body[:2000].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xfe\xff \t\r\n")


# --- RSS and Atom ---------------------------------------------------------------------------------

_MAX_TAGS = 250_000
"""Maximum number of tags; each takes feedparser about 30 µs, and a feed of 5,000 entries may have 50 in each."""
_MIN_BYTES_PER_TAG = 4
"""Minimum average number of bytes per tag; tables of empty cells have 4.5, and take 3 s per megabyte."""
_UNCLOSED_TAG_WEIGHT = 3
"""Weight of a tag that is opened and not closed: a document of nothing but ``<a`` takes 11 s per megabyte.

One of nothing but ``<a b='`` takes 5 s. ``<a/>`` counts twice, because it opens and closes.
"""
_FREE_TAGS = 500
"""Number of tags that a document of any length may have; they take milliseconds."""
_TAG = re.compile(rb"""<[A-Za-z][^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*""")
"""A tag; no value contains ``<``, so a surplus quotation mark affects only one tag."""
_MIN_BYTES_PER_ENTRY, _FREE_ENTRIES = 50, 300
"""Minimum average number of bytes per entry, and the number that a document of any length may have.

Recorded feeds have at least 400 bytes per entry, and each entry takes at least 0.15 ms.
"""
_MIN_BYTES_PER_REFERENCE, _FREE_REFERENCES = 4, 1_000
"""Minimum average number of bytes per character reference (``&``), and the number that is always allowed.

Recorded feeds have at least 19 bytes per reference.
"""
_MAX_ATTRIBUTES = 500
"""Maximum number of attributes of an element; parsing is quadratic in it, and 10,000 take a second."""
_ELEMENT = re.compile(rb"<\w")
_MAX_PROLOG_BYTES = 50_000
"""Maximum number of bytes before the first element."""
_MAX_BLANKS = 1_000
"""Maximum number of consecutive white space characters there; feedparser's search for a DOCTYPE is quadratic in it."""
_BLANKS = re.compile(rb"\s{3,}")
_MAX_UNCLOSED_DECLARATIONS = 5
"""Maximum number of unclosed declarations before the first element; for each, the whole rest is searched."""
_FREE_COMPARISONS, _COMPARISONS_PER_BYTE = 1_000_000, 30
"""Number of comparisons of keywords that is always allowed, and a further allowance per byte.

Each keyword of an entry is compared with all previous ones, in 25 to 60 ns times the square of their number,
so 1,000 keywords are allowed. Papers have up to 350 and podcasts 400.
"""
_ENTRY_START = re.compile(rb"<(?:item|entry)[\s>]", re.IGNORECASE)
_KEYWORDS = re.compile(rb"<(?:\w+:)?(?:category|subject|keywords|tags)\b[^<>]*>?([^<]*)", re.IGNORECASE)
_FEED_CATEGORY = re.compile(rb"<category\b[^<>]*(?:/>|>[^<>]*</category\s*>)")
_CDATA_SECTION = re.compile(
    rb"<!\[CDATA\[(.*?)\]\]>|(<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*)", re.DOTALL
)
"""A CDATA section, or a construct in which none can begin.

An unclosed section does not count as one, because feedparser parses tags in it.
"""
_MARKUP_TO_BLANKS = bytes.maketrans(b"<>=", b"   ")
_LONG_WORD = re.compile(
    rb"(?<![\w.+@-])(?:[\w.+@-]|&#(?:[xX]0*[2-7][\da-fA-F]|0*(?:[3-9]\d|1[01]\d|12[0-7]));){200,}"
)
"""At least 200 consecutive ASCII letters, digits and signs, also as character references."""
_TEXT_START = re.compile(
    rb"<(?:[\w.-]+:)?(?:description|summary|content|encoded|p|div|span|pre|code|td)\b[^<>]*>[^<]*",
    re.IGNORECASE,
)
"""Elements whose words may be as long as a genome, because feedparser does not search them for mail addresses."""
_RELATIVE_BASE = re.compile(rb"""\bbase\s*=\s*["'](?![a-zA-Z][a-zA-Z+.-]*:|/)""")
_MAX_RELATIVE_BASES = 500
"""Maximum number of relative bases; each nested one lengthens the address that the next one is relative to."""
_NAMESPACE = re.compile(rb"""\bxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s>&"']+)""")
_MAX_NAMESPACES = 300
"""Maximum number of different namespaces; each name is looked up among all of them. Feeds have at most 30."""
_FREE_WORK, _WORK_PER_BYTE = 10_000_000, 400
"""Sum of the squares of word lengths that is always allowed, and a further allowance per byte.

feedparser's pattern for mail addresses takes about 10 ns times the square of a word's length. The limits are
therefore 0.1 s, and 4 s per megabyte.
"""
_DECLARATION_START = re.compile(rb"\A[^<>]{0,16}<\?")
_DECLARATION = re.compile(_DECLARATION_START.pattern + rb"[^>]{0,500}>")
_TRUNCATION_ERRORS = ("no element found", "unclosed token", "unclosed CDATA section", "partial character")


def _read_xml(body: bytes, content_type: str, address: str, subject: str) -> ParsedFeed:
    import feedparser

    body = _remove_feed_categories(_strip_blanks(_decode_to_utf8(body, content_type, subject)))
    _require_bounded(body, subject)
    body = _remove_asides(_SURROGATE_PAIRS.sub(_join_surrogates, _remove_entities(body)))
    headers = {"content-type": "application/xml; charset=utf-8"}
    if b"base=" in body.replace(b"\0", b""):
        # feedparser needs the address only for relative bases, and is a quarter slower with it; other links are
        # resolved in this module.
        headers["content-location"] = address
    try:
        # The input is always a stream, because feedparser would open a text as a file or URL. Its sanitizer lets
        # scripts through, and is not needed, because all texts are converted to plain text.
        parsed = feedparser.parse(
            io.BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
        )
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the exceptions of feedparser are undocumented
        raise SourceError(f"{subject} cannot be read: {error!r:.200}.") from None
    if not parsed.entries and not parsed.version:
        raise SourceError(f"{subject} {_describe_non_feed(body)}")
    head = dict(parsed.feed)
    is_atom = parsed.version.startswith("atom")
    byline = _read_bylines(head) if is_atom else ()
    entries, unread = read_each(
        parsed.entries[:MAX_ENTRIES],
        lambda entry: _make_entry(dict(entry), byline, address, literal=is_atom),
        title=subject,
    )
    return ParsedFeed(
        page=resolve_web_address(head.get("link"), address),
        entries=tuple(entries),
        unread=tuple(unread),
        omitted=len(parsed.entries[MAX_ENTRIES:]),
        freshness=_read_freshness(head, body),
        truncation=_describe_truncation(parsed.get("bozo_exception")),
    )


def _strip_bom(body: bytes) -> bytes:
    """Convert a document to UTF-8 if only its byte order mark states the encoding: feedparser needs a declaration."""
    if body.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    else:
        return body
    has_declaration = _read_plain_start(body).startswith(b"<?xml")
    return body if has_declaration else body.decode(encoding, "replace").encode("utf-8", "replace")


def _decode_to_utf8(body: bytes, content_type: str, subject: str) -> bytes:
    """Convert a document to UTF-8 as feedparser does, so that the checks see the same text as the parser.

    Raises:
        SourceError: its encoding is unknown or wrong.
    """
    from feedparser.encodings import convert_to_utf8

    body = _strip_bom(body)
    _require_closed_declaration(body, subject)
    try:
        converted: bytes = convert_to_utf8({"content-type": content_type}, _shorten_first_line(body), {})
    except Exception as error:  # noqa: BLE001 - the exceptions of codecs are undocumented
        raise SourceError(f"{subject} is in an encoding that cannot be read: {error!r:.200}.") from None
    return _shorten_first_line(converted)


def _shorten_first_line(body: bytes) -> bytes:
    """Put a line break after the XML declaration.

    feedparser searches the whole first line for the encoding, in a time that is cubic in its length.
    """
    return _DECLARATION.sub(rb"\g<0>\n", body, count=1)


_ENTITY_DECLARATION = re.compile(rb"<!ENTITY[^>]*>?")


def _remove_entities(body: bytes) -> bytes:
    """Remove declarations of entities, which can expand without bound if they refer to each other.

    feedparser does not remove all of them. After the first element, a declaration is only text in CDATA, and
    stays readable.
    """
    first_element = _ELEMENT.search(body)
    start = first_element.start() if first_element else len(body)
    return _ENTITY_DECLARATION.sub(b" ", body[:start]) + body[start:].replace(b"<!ENTITY", b"<! ENTITY")


def _strip_blanks(body: bytes) -> bytes:
    """Collapse insignificant white space before the first element."""
    first_element = _ELEMENT.search(body)
    start = first_element.start() if first_element else len(body)
    return _BLANKS.sub(b"\n", body[:start]) + body[start:]


def _remove_feed_categories(body: bytes) -> bytes:
    """Remove the keywords of the feed itself: blogs have thousands, and they are not used."""
    first_entry = _ENTRY_START.search(body)
    start = first_entry.start() if first_entry else len(body)
    return _FEED_CATEGORY.sub(b"", body[:start]) + body[start:]


_ASIDE_OR_ENTRY = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<(/?)(image|textinput|source|item|entry)(?=[\s/>])[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)


def _remove_asides(body: bytes) -> bytes:
    """Remove images, search fields and sources, whose titles and links feedparser would assign to the entry."""
    pieces, copied_to, opening_tag = [], 0, None
    for tag in _ASIDE_OR_ENTRY.finditer(body):
        name = (tag[2] or b"").lower()
        if not name:
            continue  # CDATA is text, whatever it contains
        if name in {b"item", b"entry"}:
            opening_tag = None  # an unclosed element does not extend into the next entry
        elif not tag[1]:
            opening_tag = opening_tag or (None if tag[0].endswith(b"/>") else tag)
        elif opening_tag and opening_tag[2].lower() == name:
            pieces.append(body[copied_to : opening_tag.start()])
            copied_to, opening_tag = tag.end(), None
    return b"".join([*pieces, body[copied_to:]])


_SURROGATE_PAIRS = re.compile(rb"(?:&#(?:[xX][dD][89a-fA-F][0-9a-fA-F]{2}|5[5-7][0-9]{3});)+")


def _join_surrogates(match: re.Match[bytes]) -> bytes:
    """Join characters that are written as surrogate pairs, ``&#55357;&#56832;``, at which feedparser stops."""
    codes = match[0][2:-1].split(b";&#")
    text = "".join(chr(int(code[1:], 16) if code[:1] in b"xX" else int(code)) for code in codes)
    characters = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return characters.encode("ascii", "xmlcharrefreplace")


def _require_bounded(body: bytes, subject: str) -> None:
    """Reject documents that would take too long to parse, which only attackers write."""
    plain = body.replace(b"\0", b"")
    first_element = _ELEMENT.search(plain)
    _require_bounded_prolog(plain[: first_element.start() if first_element else len(plain)], subject)
    plain = _CDATA_SECTION.sub(_strip_markup, plain)
    if any(tag.count(b"=") > _MAX_ATTRIBUTES for tag in _TAG.findall(plain)):
        raise SourceError(f"{subject} has an element with more than {_MAX_ATTRIBUTES:,} attributes.")
    if (tag_count := plain.count(b"<")) > _MAX_TAGS:
        raise SourceError(f"{subject} has {tag_count:,} tags, more than the limit of {_MAX_TAGS:,}.")
    if _weigh_tags(plain, tag_count) > max(_FREE_TAGS, len(plain) // _MIN_BYTES_PER_TAG):
        raise SourceError(f"{subject} consists almost only of tags: {tag_count:,} in {len(plain):,} bytes.")
    if plain.count(b"&") > max(_FREE_REFERENCES, len(plain) // _MIN_BYTES_PER_REFERENCE):
        raise SourceError(f"{subject} consists almost only of character references.")
    entries = _ENTRY_START.split(plain)
    if len(entries) > max(_FREE_ENTRIES, len(plain) // _MIN_BYTES_PER_ENTRY):
        raise SourceError(f"{subject} has {len(entries) - 1:,} almost empty entries.")
    _require_few_names(plain, entries, subject)
    words = _LONG_WORD.finditer(_TEXT_START.sub(b"<", plain))
    if sum((word.end() - word.start()) ** 2 for word in words) > _FREE_WORK + _WORK_PER_BYTE * len(plain):
        raise SourceError(f"{subject} has words of thousands of characters.")


def _strip_markup(section: re.Match[bytes]) -> bytes:
    """Return the content of a CDATA section without tags and attributes, because feedparser parses none in it."""
    return section[2] or section[1].translate(_MARKUP_TO_BLANKS)


def _require_closed_declaration(body: bytes, subject: str) -> None:
    """Reject a long first line in which feedparser would search for the encoding despite ``_shorten_first_line``."""
    line = body.replace(b"\0", b"").partition(b"\n")[0]
    if not _DECLARATION_START.match(line) or line.count(b"encoding=") < 2:
        return
    if b"\0" in body[:64] or not _DECLARATION.match(body):
        raise SourceError(f"{subject} begins with a declaration that has no end.")


def _weigh_tags(plain: bytes, tag_count: int) -> int:
    """Return the number of tags; unclosed ones count three times, empty ones twice."""
    end_tags, empty_tags = plain.count(b"</"), plain.count(b"/>")
    unclosed = max(0, tag_count - 2 * end_tags - empty_tags)
    return tag_count + empty_tags + (_UNCLOSED_TAG_WEIGHT - 1) * unclosed


def _require_bounded_prolog(prolog: bytes, subject: str) -> None:
    """Reject a document with too much text before its first element."""
    if len(prolog) > _MAX_PROLOG_BYTES or any(
        len(blanks) > _MAX_BLANKS for blanks in _BLANKS.findall(prolog)
    ):
        raise SourceError(f"{subject} has thousands of characters before its first element.")
    if prolog[prolog.rfind(b">") + 1 :].count(b"<!") > _MAX_UNCLOSED_DECLARATIONS:
        raise SourceError(f"{subject} begins with declarations that have no end.")


def _require_few_names(plain: bytes, entries: Sequence[bytes], subject: str) -> None:
    """Reject a document with too many keywords, bases or namespaces, each of which is compared with all others."""
    if sum(_count_tags(entry) ** 2 for entry in entries) > _FREE_COMPARISONS + _COMPARISONS_PER_BYTE * len(
        plain
    ):
        raise SourceError(f"{subject} has entries with thousands of keywords.")
    if len(_RELATIVE_BASE.findall(plain)) > _MAX_RELATIVE_BASES:
        raise SourceError(f"{subject} has more than {_MAX_RELATIVE_BASES} relative addresses as a base.")
    if len(set(_NAMESPACE.findall(plain))) > _MAX_NAMESPACES:
        raise SourceError(f"{subject} has more than {_MAX_NAMESPACES} namespaces.")


def _count_tags(entry: bytes) -> int:
    """Return the maximum number of keywords that an entry may have."""
    return sum(1 + text.count(b",") for text in _KEYWORDS.findall(entry))


def _describe_non_feed(body: bytes) -> str:
    """Return what a document is instead of a feed, and what to do."""
    start = _read_plain_start(body).lower()
    if start.startswith((b"<!doctype html", b"<html")) or b"<html" in start:
        return "is a web page, perhaps a login, not a feed; look there for the address of the feed."
    return "is not a feed: it contains neither RSS, Atom nor JSON Feed."


def _describe_truncation(error: object) -> str:
    """Return a description if the document is truncated; feedparser can cope with other errors."""
    return (
        "is cut off before its end"
        if error and any(message in str(error) for message in _TRUNCATION_ERRORS)
        else ""
    )


def _make_entry(
    entry: Mapping[str, Any], byline: tuple[str, ...], base: str, *, literal: bool
) -> ParsedEntry:
    """Convert an entry of feedparser's; if ``literal``, texts that are declared plain are not parsed as HTML."""
    details = [entry.get("summary_detail"), *entry.get("content", ())]
    texts = (_read_text(detail, literal=literal) for detail in details if detail)
    title = _read_text(entry.get("title_detail") or {"value": entry.get("title")}, literal=literal)
    return ParsedEntry(
        title=title,
        text=next((text for text in texts if text), "") or to_line(entry.get("summary")),
        link=resolve_web_address(entry.get("feedburner_origlink") or entry.get("link"), base),
        guid=to_line(entry.get("id")),
        ids=tuple(
            filter(None, (to_line(entry.get(key)) for key in ("dc_identifier", "prism_doi", "prism_url")))
        ),
        bylines=_read_bylines(entry) or byline,
        tags=_remove_duplicates(
            to_line(tag.get("term") or tag.get("label")) for tag in entry.get("tags", ())
        ),
        journal=_format_journal(entry),
        dated=_read_instant(entry),
    )


def _read_text(detail: Mapping[str, Any], *, literal: bool) -> str:
    """Convert a text to one plain line.

    RSS does not state whether its texts are HTML. feedparser guesses from the text; from the rest, only tags
    for emphasis are removed, so ``a < b`` and ``<think>`` stay.
    """
    value = detail.get("value")
    if not isinstance(value, str):
        return ""
    plain = detail.get("type") == "text/plain" and (literal or not _ENTITY.search(value))
    return normalize_line(value) if plain else convert_html_to_text(value)


_ENTITY = re.compile(r"&(?:\w{2,20}|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)


def _read_bylines(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the authors, without mail addresses."""
    names = [to_line(author.get("name")) for author in context.get("authors", ())]
    return _remove_duplicates(names) or _remove_duplicates([to_line(context.get("author"))])


def _format_journal(entry: Mapping[str, Any]) -> str:
    """Return the journal reference from PRISM: ``Nature 620(7), 1-9``. See https://www.w3.org/submissions/prism/."""
    names = ("publicationname", "volume", "number", "startingpage", "endingpage")
    name, volume, number, first, last = (to_line(entry.get(f"prism_{name}")) for name in names)
    if not name:
        return ""
    issue = f" {volume}" * bool(volume) + f"({number})" * bool(volume and number)
    pages = f", {first}" * bool(first) + f"-{last}" * bool(first and last)
    return f"{name}{issue}{pages}"


def _read_instant(entry: Mapping[str, Any]) -> datetime | None:
    """Return when the entry was published, or else changed; None if that is invalid or implausible."""
    for key in ("published_parsed", "updated_parsed", "created_parsed"):
        if parsed := entry.get(key):
            try:
                year, month, day, hour, minute, second = parsed[:6]
                instant = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
            except (ValueError, TypeError, OverflowError):
                continue
            return instant if is_plausible(instant.date()) else None
    return None


# --- freshness -------------------------------------------------------------------------------------

_PERIODS = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}
_WEEKDAYS = (b"monday", b"tuesday", b"wednesday", b"thursday", b"friday", b"saturday", b"sunday")
_MAX_TTL = timedelta(days=365)


def _read_freshness(head: Mapping[str, Any], body: bytes) -> Freshness | None:
    """Return what ``ttl``, ``skipHours``, ``skipDays`` or the syndication module state; None if nothing.

    https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/modules/syndication/.
    """
    # feedparser only returns the last hour and day of the lists.
    hours = {
        int(hour) % 24 for hour in re.findall(rb">\s*(\d{1,2})\s*<", _extract_element(body, b"skipHours"))
    }
    skipped_days = _extract_element(body, b"skipDays").lower()
    days = frozenset(number for number, name in enumerate(_WEEKDAYS) if name in skipped_days)
    # A list of all hours or days is ignored.
    freshness = Freshness(
        ttl=_read_ttl(head),
        skip_hours=frozenset(hours) if len(hours) < 24 else frozenset(),
        skip_weekdays=days if len(days) < 7 else frozenset(),
    )
    return freshness if freshness != Freshness() else None


def _read_ttl(head: Mapping[str, Any]) -> timedelta | None:
    minutes = _parse_number(head.get("ttl"))
    period = _PERIODS.get(to_line(head.get("sy_updateperiod")).lower(), 0)
    if not minutes and not (period or head.get("sy_updatefrequency")):
        return None
    interval = timedelta(hours=period or 24) / (_parse_number(head.get("sy_updatefrequency")) or 1)
    return min(timedelta(minutes=minutes) if minutes else interval, _MAX_TTL)


def _parse_number(text: object) -> int:
    """Parse a number of up to six digits; anything else is 0."""
    return int(text) if isinstance(text, str) and re.fullmatch(r"[0-9]{1,6}", text.strip()) else 0


def _extract_element(body: bytes, element: bytes) -> bytes:
    start = body.find(b"<" + element)
    end = body.find(b"</" + element, start)
    return body[start : min(end, start + 2000)] if 0 <= start < end else b""


# --- JSON Feed -------------------------------------------------------------------------------------


def _read_json(body: bytes, address: str, subject: str) -> ParsedFeed:
    try:
        feed = read_json(body)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{subject} is not valid JSON: {error}.") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list) or "jsonfeed.org" not in str(feed.get("version", "")):
        raise SourceError(f"{subject} is JSON, but not a JSON Feed (https://www.jsonfeed.org).")
    page = resolve_web_address(feed.get("home_page_url"), address)
    byline = _read_json_bylines(feed)
    readable = [item if isinstance(item, dict) else {} for item in items[:MAX_ENTRIES]]
    entries, unread = read_each(readable, lambda item: _make_json_entry(item, byline, address), title=subject)
    omitted = len(items[MAX_ENTRIES:])
    return ParsedFeed(page=page, entries=tuple(entries), unread=tuple(unread), omitted=omitted)


def _make_json_entry(item: Mapping[str, Any], byline: tuple[str, ...], base: str) -> ParsedEntry:
    html = item.get("content_html")
    text = to_line(item.get("summary")) or to_line(item.get("content_text"))
    guid = item.get("id")
    return ParsedEntry(
        title=to_line(item.get("title")),
        text=text or (convert_html_to_text(html) if isinstance(html, str) else ""),
        link=resolve_web_address(item.get("url"), base)
        or resolve_web_address(item.get("external_url"), base),
        guid=to_line(str(guid) if isinstance(guid, int | float) else guid),
        bylines=_read_json_bylines(item) or byline,
        tags=_remove_duplicates(map(to_line, to_rows(item.get("tags")))),
        dated=_read_json_instant(item),
    )


def _read_json_bylines(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the authors; version 1.1 has ``authors``, version 1 had ``author``."""
    authors = [*to_rows(context.get("authors")), context.get("author")]
    return _remove_duplicates(to_line(author.get("name")) for author in authors if isinstance(author, dict))


def _read_json_instant(item: Mapping[str, Any]) -> datetime | None:
    for key in ("date_published", "date_modified"):
        try:
            instant = datetime.fromisoformat(to_line(item.get(key)))
            instant = (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
        return instant if is_plausible(instant.date()) else None
    return None


# --- texts -----------------------------------------------------------------------------------------


def _remove_duplicates(texts: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
