"""arXiv: the announcements of its categories, from its daily feeds.

    [[source]]
    use = "arxiv"
    categories = ["cs.DC", "cs.LG", "cs.CL"]

The feeds are described at https://info.arxiv.org/help/rss_specifications.html. They hold one announcement
day, which begins at midnight in New York, and at most 2,000 entries: beyond that the *new* papers are left
out first, without a word. So each category is asked by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET  # documents with a DOCTYPE, and so with entities, are refused first
from xml.parsers import expat
from zoneinfo import ZoneInfo

from digest import ports
from digest.core.accents import without_tex
from digest.core.bylines import split_byline
from digest.core.ids import arxiv_id, doi
from digest.core.taxonomy import canonical, covers, known, suggest
from digest.errors import ConfigError, SourceError
from digest.model import Calendar, Listing, ListingKind, Paper, PaperKey
from digest.ports import Page, Request, Response

NEW_YORK = ZoneInfo("America/New_York")
LIMIT = 2000
"""The most entries that a feed holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """arXiv's daily feeds, one request for each category.

    Attributes:
        categories: what to list: categories (``cs.LG``), or whole archives (``cs``), whose feeds may be over-full.
        url: where the feeds are, the category left out: ``…/rss/``, or ``…/atom/`` for the same in Atom.
        name: of this source in tables and messages.
        pace: seconds between two requests; arXiv's terms ask for at least 3
            (https://info.arxiv.org/help/api/tou.html).
        max_bytes: the longest answer that is read.
    """

    categories: tuple[str, ...]
    url: str = "https://rss.arxiv.org/rss/"
    name: str = "arxiv"
    pace: float = 3.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        if not self.categories:
            raise ConfigError('arXiv needs categories; write categories = ["cs.LG"], for example.')
        for category in self.categories:
            _demand_known(category)
        if urlsplit(self.url).scheme not in {"http", "https"} or not urlsplit(self.url).netloc:
            raise ConfigError(f"the url {self.url!r} is no web address; it starts with https:// or http://.")
        if self.pace < 0 or self.max_bytes < 1:
            raise ConfigError("pace is at least 0 seconds and max_bytes at least 1 byte.")

    @property
    def title(self) -> str:
        """The name that readers know."""
        return "arXiv"

    @property
    def sections(self) -> tuple[str, ...]:
        """The categories under the ids that arXiv goes by, each once: ``math.IT`` is the section ``cs.IT``."""
        plain = (category.strip().lower().removesuffix(".*") for category in self.categories)
        return tuple(dict.fromkeys(map(canonical, plain)))

    @property
    def calendar(self) -> Calendar:
        """Monday to Friday from New York's midnight on; the feeds hold a day until the next midnight."""
        return Calendar(zone=NEW_YORK.key, weekdays=frozenset(range(5)), keeps=timedelta(days=1))

    def start(self, section: str, now: datetime) -> Request:  # noqa: ARG002 - a feed has no day but today
        """The feed of one category."""
        return Request(
            section=section,
            route="rss",
            url=f"{self.url.rstrip('/')}/{section}",
            accept="application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.8",
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read a feed, RSS 2.0 or Atom.

        Raises:
            SourceError: the answer is no whole feed of this category.
        """
        feed = f"arXiv's feed of {request.section}"
        if response.status != 200:
            raise SourceError(_refusal(feed, response))
        channel = _channel(feed, response.body)
        title = channel.findtext("{*}title") or ""
        if title.startswith("Feed error"):
            raise SourceError(_refusal(feed, response))
        entries = [child for child in channel if _LOCAL[child.tag] in {"item", "entry"}]
        _demand_own(feed, title, request.section, entries)
        days: set[str] = set()
        listings = tuple(_listing(feed, entry, request.section, days) for entry in entries)
        if not days:
            days.add(_first_text(channel, "pubDate", "updated", "lastBuildDate"))
        return Page(day=_day(feed, days), listings=listings, over_full=len(listings) >= LIMIT)


# --- options --------------------------------------------------------------------------------------


def _demand_known(category: str) -> None:
    if known(category):
        return
    if "+" in category:
        parts = ", ".join(f'"{part}"' for part in category.split("+") if part)
        raise ConfigError(f"{category!r} joins several categories; write them one by one: {parts}.")
    meant = suggest(category)
    hint = f'did you mean "{meant}"?' if meant else "https://arxiv.org/category_taxonomy lists them."
    raise ConfigError(f"arXiv has no category {category!r}; {hint}")


# --- the document ---------------------------------------------------------------------------------


class _LocalNames(dict[str, str]):
    """Tags without their namespace: mirrors write other prefixes, and once wrote another namespace."""

    def __missing__(self, tag: str) -> str:
        self[tag] = local = tag.rpartition("}")[2]
        return local


_LOCAL = _LocalNames()
_AT_THE_END = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


def _channel(feed: str, body: bytes) -> ET.Element:
    """The element with the entries in it."""
    if not body.strip():
        raise SourceError(f"{feed} came back empty.")
    try:
        root = _root(body)
        if root not in {"rss", "feed"}:
            raise SourceError(f"{feed} is not a feed but {_kind_of(body, root)}.")
        tree = ET.fromstring(body)  # noqa: S314 - what defines entities has just been refused
    except (ET.ParseError, expat.ExpatError) as error:
        if error.code in _AT_THE_END:
            raise SourceError(
                f"{feed} breaks off after {len(body):,} bytes; nothing of it was taken."
            ) from None
        raise SourceError(f"{feed} cannot be read: it is {_kind_of(body, '')} ({error}).") from None
    except (ValueError, LookupError) as error:
        raise SourceError(f"{feed} is in an encoding that cannot be read ({error}).") from None
    channel = tree if root == "feed" else tree.find("{*}channel")
    if channel is None:
        raise SourceError(f"{feed} has no channel in it.")
    return channel


class _AtRootError(Exception):
    """The first element begins."""


def _root(body: bytes) -> str:
    """The local name of the first element; whatever defines entities ends before it."""

    def begin(tag: str, _attributes: dict[str, str]) -> None:
        raise _AtRootError(tag.rpartition("}")[2])

    def doctype(*_declared: object) -> None:
        raise _AtRootError("!DOCTYPE")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(body, True)  # noqa: FBT003 - the C function takes no keywords
    except _AtRootError as found:
        return str(found)
    return ""


def _kind_of(body: bytes, root: str) -> str:
    """What an answer that is no feed looks like, for people."""
    start = body[:500].lstrip().lower()
    if root.lower() == "html" or b"<html" in start or b"<!doctype html" in start:
        return "a web page, perhaps a proxy's or a login page"
    if root == "!DOCTYPE":
        return "a document with a DOCTYPE, which feeds do not have"
    return f"a document of <{root}>" if root else "no well-formed XML"


def _refusal(feed: str, response: Response) -> str:
    """What an answer that says no says."""
    try:
        told = _text(_first_text(_channel(feed, response.body), "description", "subtitle"))[:500]
    except SourceError:
        told = ""
    if told:
        return f"{feed} was refused (HTTP {response.status}): {told} Check the categories of this source."
    return f"{feed} was refused (HTTP {response.status}), without a reason that could be read."


def _demand_own(feed: str, title: str, section: str, entries: list[ET.Element]) -> None:
    """A feed that is empty or somebody else's must not count as a quiet day."""
    about = re.fullmatch(r"(?s)(.*) updates on arXiv\.org\s*", title)
    if about:
        named = [name.strip() for name in re.split(r"[,+]", about[1])]
        if not any(covers(section, name) or covers(name, section) for name in named):
            raise SourceError(f"{feed} is about {about[1]}; the address answers with the wrong feed.")
    elif not entries:
        raise SourceError(f"{feed} has no entries and is titled {_text(title)!r}: it is not arXiv's.")


# --- entries --------------------------------------------------------------------------------------

_HEAD = re.compile(r"\s*arXiv:\S+\s+Announce Type:\s*(?P<kind>\S+)\s+Abstract:\s*")
_KINDS = {kind.value: kind for kind in ListingKind}


def _listing(feed: str, entry: ET.Element, section: str, days: set[str]) -> Listing:
    """Read an entry, and note its day as written."""
    texts: dict[str, str] = {}
    categories: dict[str, None] = {}
    for child in entry:
        field = _LOCAL[child.tag]
        if field == "category":
            if category := _category(child.text or child.get("term") or ""):
                categories[category] = None
        elif child.text:
            texts.setdefault(field, child.text)
    found = arxiv_id(texts.get("guid") or texts.get("id") or "") or arxiv_id(texts.get("link") or "")
    if not found:
        raise SourceError(f"{feed} has an entry without an arXiv id: {_text(texts.get('title', ''))!r}.")
    number, version = found[0], found[1] or 1
    if written := texts.get("pubDate") or texts.get("published"):
        days.add(written)
    abstract = texts.get("description") or texts.get("summary") or ""
    head = _HEAD.match(abstract)
    paper = Paper(
        key=PaperKey(f"arxiv:{number}"),
        title=_text(texts.get("title", "")),
        abstract=_text(abstract[head.end() :] if head else abstract),
        authors=split_byline(_text(without_tex(texts.get("creator", "")))),
        categories=tuple(categories),
        version=version,
        url=f"https://arxiv.org/abs/{number}",
        pdf_url=f"https://arxiv.org/pdf/{number}",
        doi=_doi(texts["DOI"]) if "DOI" in texts else "",
        journal_ref=_text(texts["journal_reference"]) if "journal_reference" in texts else "",
        license_url=_web_address(texts.get("rights", "")),
    )
    written_kind = texts.get("announce_type") or (head["kind"] if head else "")
    kind = _KINDS.get(written_kind.strip()) or _worked_out(paper, section)
    return Listing(kind=kind, paper=paper)


def _worked_out(paper: Paper, section: str) -> ListingKind:
    """The kind where the announce type is missing or one that we do not know: no paper is left out for it."""
    primary = any(covers(section, category) for category in paper.categories[:1])
    if paper.version > 1:
        return ListingKind.REPLACE if primary else ListingKind.REPLACE_CROSS
    return ListingKind.NEW if primary else ListingKind.CROSS


@lru_cache(maxsize=1024)
def _category(written: str) -> str:
    """The category, or "" for the ACM and MSC codes that arXiv prints among them (``I.2.7``, ``68T50``)."""
    written = written.strip()
    if known(written):
        return written
    archive, _, category_class = written.partition(".")
    return written if category_class.isalpha() and archive.islower() and known(archive) else ""


@lru_cache(maxsize=64)
def _web_address(written: str) -> str:
    written = written.strip()
    return written if written.startswith(("https://", "http://")) and " " not in written else ""


def _doi(written: str) -> str:
    """The first one: arXiv takes several, parted by blanks."""
    return next(filter(None, map(doi, written.split())), "")


def _first_text(element: ET.Element, *names: str) -> str:
    return next((text for name in names if (text := element.findtext(f"{{*}}{name}"))), "")


def _day(feed: str, written: set[str]) -> date:
    """The one announcement day, as New York counts it."""
    try:
        days = {_instant(text.strip()).astimezone(NEW_YORK).date() for text in written}
    except (ValueError, OverflowError):
        raise SourceError(f"{feed} does not say of which day it is: {min(written)!r}.") from None
    if len(days) > 1:
        told = ", ".join(day.isoformat() for day in sorted(days))
        raise SourceError(f"{feed} mixes several days ({told}); it is not arXiv's own.")
    return days.pop()


def _instant(written: str) -> datetime:
    """A date of RSS (RFC 822) or of Atom (RFC 3339)."""
    read = datetime.fromisoformat if written[:4].isdigit() else parsedate_to_datetime
    instant = read(written)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


# --- texts ----------------------------------------------------------------------------------------

# Control characters, and the format characters that change how other text is shown or hide in it.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# arXiv's texts are TeX, where `a < b` is mathematics and `<think>` a token: only these, in pairs, are markup.
_MARKUP = re.compile(r"<(a|b|em|i|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def _text(written: str) -> str:
    """One line of plain text, TeX and all."""
    if not written.isprintable() or "  " in written or written[:1] == " " or written[-1:] == " ":
        written = " ".join(_UNSEEN.sub("", " ".join(written.split())).split())
    if "<" in written and ("</" in written or "<br" in written.lower()):
        previous = ""
        while previous != written:
            previous, written = written, _MARKUP.sub(r"\2", written)
        written = " ".join(_BREAK.sub(" ", written).split())
    return written
