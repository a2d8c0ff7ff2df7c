"""What a feed must be, as rules of our own: those of the W3C feed validator for all that our feeds make use of.

Each rule is written from the specifications; the names in brackets are the validator's messages that it stands for
(https://validator.w3.org/feed/docs/). ``python -m tests.system.programs.feed_rules`` prints them as the table of
docs/reference/feed-rules.md.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/elements/1.1/}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"
HISTORY = "{http://purl.org/syndication/history/1.0}"
XML = "{http://www.w3.org/XML/1998/namespace}"
PREFIXES = {
    "http://www.w3.org/2005/Atom": {"", "atom"},
    "http://purl.org/dc/elements/1.1/": {"dc"},
    "http://purl.org/rss/1.0/modules/content/": {"content"},
    "http://purl.org/syndication/history/1.0": {"fh"},
    "http://www.w3.org/1999/xhtml": {"xhtml"},
}
TYPES = {
    "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "json": "application/feed+json",
}
_HISTORY_LINKS = {"prev-archive", "next-archive", "current", "next", "previous", "first", "last"}
_RELATIONS = {"self", "alternate", "related", "via", "enclosure", "license", "hub"} | _HISTORY_LINKS
"""Registered with IANA (https://www.iana.org/assignments/link-relations/), of those that make sense here."""

# What may stand where, and how often: "1" once, "?" at most once, "*" as often as one likes. Only what we make use of.
_LINK = {f"{ATOM}link": "*"}
_META = {f"{ATOM}id": "1", f"{ATOM}title": "1", f"{ATOM}updated": "1", f"{ATOM}author": "*", **_LINK}
_HISTORY = {f"{HISTORY}archive": "?", f"{HISTORY}complete": "?"}
ALLOWED: dict[str, dict[str, str]] = {
    "rss": {"channel": "1"},
    "channel": {
        "title": "1",
        "link": "1",
        "description": "1",
        "language": "?",
        "lastBuildDate": "?",
        "item": "*",
        **_LINK,
        **_HISTORY,
    },
    "item": {
        "title": "?",
        "link": "?",
        "guid": "1",
        "pubDate": "1",
        "category": "*",
        "description": "?",
        f"{DC}creator": "*",
        f"{CONTENT}encoded": "?",
        **_LINK,
    },
    f"{ATOM}feed": {**_META, f"{ATOM}subtitle": "?", f"{ATOM}entry": "*", **_HISTORY},
    f"{ATOM}entry": {
        **_META,
        f"{ATOM}published": "?",
        f"{ATOM}category": "*",
        f"{ATOM}summary": "?",
        f"{ATOM}content": "?",
    },
    f"{ATOM}author": {f"{ATOM}name": "1"},
}
ATTRIBUTES = {
    "rss": {"version"},
    "guid": {"isPermaLink"},
    f"{ATOM}feed": {f"{XML}lang"},
    f"{ATOM}link": {"rel", "type", "href", "title"},
    f"{ATOM}category": {"term"},
    **{f"{ATOM}{name}": {"type"} for name in ("title", "subtitle", "summary", "content")},
}
_MAY_BE_EMPTY = {f"{ATOM}link", f"{ATOM}category", f"{HISTORY}archive", f"{HISTORY}complete"}
_HARMLESS = {
    *(
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "cite",
        "code",
        "dd",
        "dl",
        "dt",
        "em",
        "h2",
        "h3",
        "h4",
        "hr",
        "i",
        "li",
    ),
    *(
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
    ),
    *("time", "tr", "ul", "var", "wbr"),
}
_HARMLESS_ATTRIBUTES = {"href", "title", "lang", "dir", "datetime", "colspan", "rowspan"}
_VOID = {"br", "hr", "wbr"}
_RFC_822 = re.compile(
    r"(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
    r"\d\d:\d\d:\d\d (?:GMT|[+-]\d{4})"
)
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Z]{2}|\d{3}))?")
_TAG = re.compile(r"tag:[a-z0-9.-]+,\d{4}(?:-\d\d(?:-\d\d)?)?:[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*")
_URL = re.compile(r"https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
_LIKE_HTML = {
    "rss": re.compile(r"</?[A-Za-z]|&(?:#\d|#x|[a-z]+;)"),
    "atom": re.compile(r"</[A-Za-z]|<[A-Za-z]+>|&(?:#\d+|#x[0-9a-fA-F]+|[a-z]+);"),
}
"""What a reader's program takes for HTML; in RSS, where nothing says what is none, it takes more for it."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """A feed as it was got.

    Attributes:
        form: ``rss``, ``atom`` or ``json``.
        url: where it was got; "" for a mere file.
        media_type: what its server calls it; "" for a mere file.
    """

    form: str
    body: bytes
    url: str = ""
    media_type: str = ""

    @cached_property
    def root(self) -> ET.Element:
        """Of a feed in XML."""
        return ET.fromstring(self.body)

    @cached_property
    def json(self) -> dict[str, Any]:
        """Of a feed in JSON."""
        results: dict[str, Any] = json.loads(self.body)
        return results

    @property
    def head(self) -> ET.Element:
        """What is about the whole feed."""
        channel = self.root.find("channel")
        return self.root if channel is None else channel

    @property
    def entries(self) -> list[ET.Element]:
        """One a thing told."""
        return [element for element in self.head if element.tag in {"item", f"{ATOM}entry"}]

    def texts(self, *names: str) -> Iterator[tuple[str, str]]:
        """Names and texts of all elements with these names."""
        for element in self.root.iter():
            if element.tag in names:
                yield element.tag.rpartition("}")[2], element.text or ""

    def html(self) -> Iterator[str]:
        """All HTML in it."""
        if self.form == "json":
            yield from (item["content_html"] for item in self.json["items"] if "content_html" in item)
        elif self.form == "rss":
            yield from (text for _, text in self.texts("description", f"{CONTENT}encoded"))
        else:
            yield from (element.text or "" for element in self.root.iter() if element.get("type") == "html")


Check = Callable[[Document], Iterator[str]]
RULES: dict[str, tuple[tuple[str, ...], Check]] = {}
"""The forms that a rule is for, and what finds faults, by its name."""


def find_faults(document: Document, *, but: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with a feed.

    Args:
        but: rules that are not asked.
    """
    if document.form != "json":
        broken = list(well_formed(document))
        if broken:
            return [f"well formed: {text}" for text in broken]
    return [
        f"{name}: {fault}"
        for name, (forms, check) in RULES.items()
        if document.form in forms and name not in but
        for fault in check(document)
    ]


def rule(*forms: str) -> Callable[[Check], Check]:
    """File a check under its function's name, in plain words."""

    def filed(check: Check) -> Check:
        RULES[check.__name__.replace("_", " ")] = (forms, check)
        return check

    return filed


# --- the document ---------------------------------------------------------------------------------


@rule("rss", "atom")
def well_formed(document: Document) -> Iterator[str]:
    """XML 1.0 in UTF-8 that says so in its first line, without DOCTYPE (SAXError, WPBlankLine, MissingEncoding, UnicodeError, ContainsSystemEntity, UndefinedNamedEntity)."""
    if not document.body.startswith(b'<?xml version="1.0" encoding="utf-8"?>'):
        yield "it does not begin with an XML declaration that says UTF-8"
    if b"<!DOCTYPE" in document.body[:1000]:
        yield "it has a DOCTYPE"
    try:
        document.body.decode("utf-8")
        ET.fromstring(document.body)
    except (ET.ParseError, UnicodeError) as error:
        yield str(error)


@rule("rss", "atom", "json")
def clean_characters(document: Document) -> Iterator[str]:
    """No control characters, no signs that are none, nothing that turns the order of the text (BadCharacters)."""
    text = (
        json.dumps(document.json, ensure_ascii=False) if document.form == "json" else document.body.decode()
    )
    yield from (f"U+{ord(match[0]):04X}" for match in _FORBIDDEN.finditer(text.replace("\n", " ")))


@rule("rss", "atom", "json")
def media_type(document: Document) -> Iterator[str]:
    """It is served as what it is (UnexpectedContentType, NonSpecificMediaType, TextXml, EncodingMismatch)."""
    kind, _, more = document.media_type.partition(";")
    if document.media_type and kind != TYPES[document.form]:
        yield document.media_type
    if more and more.strip().lower() != "charset=utf-8":
        yield more


@rule("rss", "atom")
def usual_prefixes(document: Document) -> Iterator[str]:
    """Only namespaces that all readers know, by the prefixes that they expect (UnknownNamespace, NonstdPrefix, ReservedPrefix)."""
    for prefix, uri in re.findall(r'xmlns(?::(\w+))?="([^"]*)"', document.body.decode()[:3000]):
        if prefix not in PREFIXES.get(uri, ()):
            yield f"{prefix}={uri}"


@rule("rss", "atom")
def elements_where_they_belong(document: Document) -> Iterator[str]:
    """Each element is known where it stands, has known attributes, and comes as often as it may (UndefinedElement, MissingNamespace, UnexpectedAttribute, MissingElement, MissingRecommendedElement, MissingGuid, DuplicateElement, DuplicateEnclosure, InvalidRSSVersion, UnexpectedText)."""
    if document.form == "rss" and document.root.get("version") != "2.0":
        yield "rss version"
    if document.root.tag != {"rss": "rss", "atom": f"{ATOM}feed"}[document.form]:
        yield document.root.tag
    for parent in document.root.iter():
        yield from (f"{parent.tag} {name}" for name in set(parent.attrib) - ATTRIBUTES.get(parent.tag, set()))
        if parent.tag not in ALLOWED:
            yield from (f"{child.tag} in {parent.tag}" for child in parent)
            continue
        if (parent.text or "").strip() or any((child.tail or "").strip() for child in parent):
            yield f"text in {parent.tag}"
        results = Counter(child.tag for child in parent)
        allowed = ALLOWED[parent.tag]
        yield from (f"{name} in {parent.tag}" for name in results if name not in allowed)
        yield from (
            f"{name} twice" for name, many in results.items() if many > 1 and allowed.get(name) != "*"
        )
        yield from (f"no {name}" for name, often in allowed.items() if often == "1" and name not in results)


@rule("rss", "atom")
def nothing_blank(document: Document) -> Iterator[str]:
    """No element and no attribute is empty (NotBlank, AttrNotBlank)."""
    for element in document.root.iter():
        if element.tag not in _MAY_BE_EMPTY and not len(element) and not (element.text or "").strip():
            yield element.tag
        yield from (f"{element.tag} {name}" for name, value in element.attrib.items() if not value.strip())


@rule("rss", "atom")
def feed_before_entries(document: Document) -> Iterator[str]:
    """What is about the feed stands before its entries (MisplacedMetadata, MisplacedItem)."""
    begun = False
    for element in document.head:
        is_entry = element.tag in {"item", f"{ATOM}entry"}
        if begun and not is_entry:
            yield element.tag
        begun = begun or is_entry


# --- links and ids --------------------------------------------------------------------------------


@rule("rss", "atom", "json")
def says_where_it_is(document: Document) -> Iterator[str]:
    """A feed on the web has its own address in it, whole and with its type (MissingSelf, MissingAtomSelfLink, SelfDoesntMatchLocation, SelfNotAtom, RelativeSelf, SameDocumentReference)."""
    if document.form == "json":
        results = [document.json["feed_url"]] if "feed_url" in document.json else []
    else:
        links = [element for element in document.head.findall(f"{ATOM}link") if element.get("rel") == "self"]
        results = [element.get("href", "") for element in links]
        yield from (
            str(element.get("type")) for element in links if element.get("type") != TYPES[document.form]
        )
    if results != ([document.url] if document.url else []):
        yield f"{results} at {document.url!r}"


@rule("rss", "atom", "json")
def whole_links(document: Document) -> Iterator[str]:
    """Each link is a whole address of http or https with nothing in it that an address may not have; RSS must have one, so that of a mere file leads to its id (InvalidLink, InvalidFullLink, InvalidURIAttribute, InvalidURLAttribute, InvalidUriChar, InvalidIRI, UriNotIri, MissingHref)."""
    results: list[str] = []
    if document.form == "json":
        top = document.json
        results += [top[name] for name in ("home_page_url", "feed_url", "next_url") if name in top]
        results += [item[name] for item in top["items"] for name in ("url", "external_url") if name in item]
    else:
        results += [text for _, text in document.texts("link", "comments")]
        results += [element.get("href", "") for element in document.root.iter(f"{ATOM}link")]
    yield from (
        text for text in results if not (_is_url(text) or (not document.url and _TAG.fullmatch(text)))
    )


@rule("rss", "atom")
def links_of_known_kinds(document: Document) -> Iterator[str]:
    """A link has a registered relation and a media type; no two are alternates of one type (UnregisteredAtomLinkRel, InvalidMIMEAttribute, InvalidMIMEType, DuplicateAtomLink, AtomLinkNotEmpty)."""
    for parent in document.root.iter():
        links = parent.findall(f"{ATOM}link")
        for link in links:
            if link.get("rel", "alternate") not in _RELATIONS:
                yield link.get("rel", "")
            if not re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", link.get("type", "text/html")):
                yield link.get("type", "")
            if link.text or len(link):
                yield "a link with contents"
        kinds = Counter(
            (link.get("type"), link.get("hreflang"))
            for link in links
            if link.get("rel", "alternate") == "alternate"
        )
        yield from (f"alternates: {kind}" for kind, many in kinds.items() if many > 1)


@rule("rss", "atom", "json")
def one_id_each(document: Document) -> Iterator[str]:
    """Each entry has an id that no other has, and that is a tag URI or an address (DuplicateEntries, DuplicateValue, DuplicateIds, NotSufficientlyUnique, InvalidHttpGUID, InvalidPermalink, InvalidTAG, InvalidURI, NonCanonicalURI)."""
    if document.form == "json":
        results = [item.get("id", "") for item in document.json["items"]]
    elif document.form == "atom":
        results = [entry.findtext(f"{ATOM}id", "") for entry in document.entries]
        results.append(document.head.findtext(f"{ATOM}id", ""))
    else:
        results = [entry.findtext("guid", "") for entry in document.entries]
        for guid in document.root.iter("guid"):
            if guid.get("isPermaLink") != "false" and not _is_url(guid.text or ""):
                yield f"{guid.text} is no permanent link"
    yield from (f"twice: {entry}" for entry, many in Counter(results).items() if many > 1)
    yield from (entry for entry in results if not (_TAG.fullmatch(entry) or _is_url(entry)))


def _is_url(text: str) -> bool:
    try:
        return bool(_URL.fullmatch(text) and urlsplit(text).hostname) and "%" not in re.sub(
            "%[0-9A-Fa-f]{2}", "", text
        )
    except ValueError:
        return False


@rule("rss", "atom")
def archives(document: Document) -> Iterator[str]:
    """RFC 5005: an archive leads to the newest entries; links between documents of a feed stand in none of its entries (FeedHistoryRelInEntry, MissingCurrentInArchive, FeedRelInCompleteFeed, LinkPastEnd)."""
    links = [element.get("rel") for element in document.head.findall(f"{ATOM}link")]
    if document.head.find(f"{HISTORY}archive") is not None and "current" not in links:
        yield "an archive without a link to the newest"
    if document.head.find(f"{HISTORY}complete") is not None and _HISTORY_LINKS & set(links):
        yield "a complete feed with archives"
    for entry in document.entries:
        yield from (
            str(element.get("rel"))
            for element in entry.findall(f"{ATOM}link")
            if element.get("rel") in _HISTORY_LINKS
        )


# --- dates and languages --------------------------------------------------------------------------


@rule("rss", "atom", "json")
def dates(document: Document) -> Iterator[str]:
    """Dates are RFC 822's with four digits of the year, a zone in digits and the right day of the week, or RFC 3339's, and can be (InvalidRFC2822Date, ProblematicalRFC822Date, IncorrectDOW, InvalidRFC3339Date, ImplausibleDate)."""
    if document.form == "rss":
        for _, text in document.texts("pubDate", "lastBuildDate"):
            form = _RFC_822.fullmatch(text)
            if not form:
                yield text
            elif form[1] and f"{parsedate_to_datetime(text):%a}" != form[1]:
                yield f"{text}: another day of the week"
        return
    if document.form == "atom":
        results = [text for _, text in document.texts(f"{ATOM}updated", f"{ATOM}published")]
    else:
        names = ("date_published", "date_modified")
        results = [item[name] for item in document.json["items"] for name in names if name in item]
    for text in results:
        if not _RFC_3339.fullmatch(text) or datetime.fromisoformat(text).year < 1970:
            yield text


@rule("rss", "atom")
def dates_in_order(document: Document) -> Iterator[str]:
    """The feed is as new as its newest entry, and no two entries have one instant (DuplicateUpdated)."""
    if document.form == "rss":
        ends = [parsedate_to_datetime(element.findtext("pubDate", "")) for element in document.entries]
        text = document.head.findtext("lastBuildDate")
        newest = parsedate_to_datetime(text) if text else None
    else:
        ends = [
            datetime.fromisoformat(element.findtext(f"{ATOM}updated", "")) for element in document.entries
        ]
        newest = datetime.fromisoformat(document.head.findtext(f"{ATOM}updated", ""))
    if ends and newest and max(ends) > newest:
        yield f"{max(ends)} is after {newest}"
    yield from (f"twice: {one}" for one, many in Counter(ends).items() if many > 1)


@rule("rss", "atom", "json")
def language(document: Document) -> Iterator[str]:
    """It says its language by a tag of BCP 47 (InvalidLanguage)."""
    if document.form == "json":
        result = document.json.get("language", "")
    elif document.form == "rss":
        result = document.head.findtext("language", "")
    else:
        result = document.root.get(f"{XML}lang", "")
    if not _LANGUAGE.fullmatch(result):
        yield result


# --- texts ----------------------------------------------------------------------------------------


@rule("rss", "atom")
def plain_text_is_plain(document: Document) -> Iterator[str]:
    """In titles and names stands nothing that looks like HTML (ContainsHTML, ContainsUndeclaredHTML, CharacterData)."""
    for element in document.root.iter():
        is_plain = element.tag in {"title", "category", f"{DC}creator"} or (
            element.tag.startswith(ATOM) and element.get("type", "text") == "text"
        )
        if is_plain and _LIKE_HTML[document.form].search(element.text or ""):
            yield f"{element.tag}: {(element.text or '')[:80]}"


@rule("rss", "atom")
def people(document: Document) -> Iterator[str]:
    """Names have no address in them; RSS has them as dc:creator, for its own author is an address (ContainsEmail, InvalidContact, InvalidAddrSpec, EmailFormat, MissingRealName)."""
    for name, text in document.texts(f"{DC}creator", f"{ATOM}name"):
        if re.search(r"\S+@\S+\.\S+", text):
            yield f"{name}: {text[:80]}"
    yield from (f"{name} in RSS" for name, _ in document.texts("author", "managingEditor", "webMaster"))


@rule("rss")
def something_to_read(document: Document) -> Iterator[str]:
    """An item has a title or a description, and this before its whole content (ItemMustContainTitleOrDescription, NeedDescriptionBeforeContent, DuplicateItemSemantics, DuplicateDescriptionSemantics)."""
    for item in document.entries:
        names = [element.tag for element in item]
        if not {"title", "description"} & set(names):
            yield "nothing to read"
        if f"{CONTENT}encoded" in names:
            place = names.index(f"{CONTENT}encoded")
            if "description" not in names[:place]:
                yield "content before a description"


@rule("atom")
def contents(document: Document) -> Iterator[str]:
    """Texts have one of the three types; an entry has its content, or a link to it; there is somebody who made it (InvalidTextType, MissingContentOrAlternate, MissingTextualContent, MissingTypeAttr)."""
    for element in document.root.iter():
        if element.tag != f"{ATOM}link" and element.get("type", "text") not in {"text", "html"}:
            yield f"{element.tag} is {element.get('type')}"
    for entry in document.entries:
        rels = [element.get("rel", "alternate") for element in entry.findall(f"{ATOM}link")]
        if entry.find(f"{ATOM}content") is None and "alternate" not in rels:
            yield "an entry without content or link"
        if entry.find(f"{ATOM}author") is None and document.head.find(f"{ATOM}author") is None:
            yield "an entry of nobody"


@rule("rss", "atom", "json")
def harmless_html(document: Document) -> Iterator[str]:
    """HTML has only elements and attributes that do nothing but show a text (SecurityRisk, SecurityRiskAttr, DangerousStyleAttr)."""
    for html in document.html():
        reader = _Html()
        reader.feed(html)
        yield from (f"<{name}>" for name in reader.names if name not in _HARMLESS)
        yield from (
            f"<{name} {key}>" for name, key, _ in reader.attributes if key not in _HARMLESS_ATTRIBUTES
        )


@rule("rss", "atom", "json")
def whole_links_in_html(document: Document) -> Iterator[str]:
    """Links in HTML are whole addresses: a reader's program knows of no page that they could begin at (ContainsRelRef)."""
    for html in document.html():
        reader = _Html()
        reader.feed(html)
        for _, key, value in reader.attributes:
            if key in {"href", "cite", "src"} and not value.startswith(("http://", "https://", "mailto:")):
                yield value


@rule("rss", "atom", "json")
def html_that_closes(document: Document) -> Iterator[str]:
    """Each element of HTML ends, in the order in which they began (NotHtml)."""
    for html in document.html():
        reader = _Html()
        reader.feed(html)
        reader.close()
        yield from reader.errors
        yield from (f"<{name}> does not end" for name in reader.open)


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.errors: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += [(tag, key, value or "") for key, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"</{tag}> where none was open")


# --- JSON Feed ------------------------------------------------------------------------------------

_TOP: dict[str, type] = {
    **dict.fromkeys(("version", "title", "home_page_url", "feed_url", "description", "user_comment"), str),
    **dict.fromkeys(("next_url", "icon", "favicon", "language"), str),
    "authors": list,
    "items": list,
    "hubs": list,
    "expired": bool,
}
_ENTRY: dict[str, type] = {
    **dict.fromkeys(("id", "url", "external_url", "title", "content_html", "content_text", "summary"), str),
    **dict.fromkeys(("image", "banner_image", "date_published", "date_modified", "language"), str),
    "authors": list,
    "tags": list,
    "attachments": list,
}
_AUTHOR: dict[str, type] = {"name": str, "url": str, "avatar": str}


@rule("json")
def json_as_specified(document: Document) -> Iterator[str]:
    """JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/): what must be there is; names and types are known, nothing is empty; each item has its content."""
    top = document.json
    if top.get("version") != "https://jsonfeed.org/version/1.1":
        yield "version"
    yield from (f"no {name}" for name in ("version", "title", "items") if name not in top)
    objects = [("feed", top, _TOP), *(("item", item, _ENTRY) for item in top["items"])]
    objects += [
        ("author", entry, _AUTHOR)
        for _, found_object, _ in objects
        for entry in found_object.get("authors", ())
    ]
    for subject, found_object, types in objects:
        for name, value in found_object.items():
            if name not in types and not name.startswith("_"):
                yield f"{subject} {name}"
            elif name in types and not isinstance(value, types[name]):
                yield f"{subject} {name}: {type(value)}"
            elif value in ("", {}) or (value == [] and name != "items"):
                yield f"{subject} {name} is empty"
    for item in top["items"]:
        if "id" not in item or not {"content_html", "content_text"} & set(item):
            yield f"{item.get('id')} has no id or no content"
        tags = item.get("tags", ())
        if any(not isinstance(tag, str) for tag in tags) or len(set(tags)) < len(tags):
            yield f"tags {tags}"


def format_table() -> str:
    """The rules as a table of Markdown."""
    names = {"rss": "RSS", "atom": "Atom", "json": "JSON"}
    rows = [
        "| rule | forms | what is asked, and which messages of the W3C's it stands for |",
        "|---|---|---|",
    ]
    for name, (forms, check) in RULES.items():
        rows.append(
            f"| {name} | {', '.join(names[form] for form in forms)} | {(check.__doc__ or '').strip()} |"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(format_table(), end="")  # noqa: T201 - a command
