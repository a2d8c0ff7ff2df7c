"""XML of known makers, read by expat in one pass.

Strict on purpose: who knows the maker of a document takes a broken one for broken, and never half of it for
a whole. A DOCTYPE is refused: the bombs of entities need one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat

from digest.errors import SourceError

XmlRecord = dict[str, str]
"""Texts by the local name of their elements, with the whitespace around them."""


class _LocalNames(dict[str, str]):
    """Names without their namespace: mirrors write other prefixes, and makers change namespaces."""

    def __missing__(self, name: str) -> str:
        self[name] = local = name.rpartition("}")[2]
        return local


LOCAL_NAMES = _LocalNames()
"""The local name of an element, by the name that a handler of ``walk`` is given."""
_TRUNCATION_CODES = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


# --- any document ---------------------------------------------------------------------------------


def walk(
    body: bytes,
    start: Callable[[str, dict[str, str]], None],
    text: Callable[[str], None],
    *,
    subject: str,
    noun: str,
    roots: frozenset[str],
) -> None:
    """Read a whole document; nothing is called before its root is known to be a right one.

    Args:
        body: the document, in whatever encoding it declares.
        start: called where an element starts, with its name and attributes; at last with no name.
        text: called with a text in one piece, which goes on to where the next element *starts*.
        subject: what to call it in an error: ``arXiv's feed of cs.LG``.
        noun: what it should be: ``feed``.
        roots: the local names that its root may have.

    Raises:
        SourceError: it is empty, breaks off, is not well-formed, or is something else.
    """
    if not body or body.isspace():
        raise SourceError(f"{subject} came back empty.")
    try:
        root = _read_root(body)
        if root not in roots:
            raise SourceError(f"{subject} is {_describe_kind(body, root, noun)}, not a valid {noun}.")
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.buffer_size = 2 * len(body) + 1  # a text comes in one piece, also where UTF-8 takes more room
        parser.StartElementHandler = start
        parser.CharacterDataHandler = text
        parser.Parse(body, True)  # noqa: FBT003 - the C function takes no keywords
    except expat.ExpatError as error:
        if error.code in _TRUNCATION_CODES:
            message = f"{subject} is cut off after {len(body):,} bytes; it was ignored."
        else:
            message = f"{subject} cannot be read because it is {_describe_kind(body, '', noun)}: {error}."
        raise SourceError(message) from None
    except (ValueError, LookupError) as error:
        raise SourceError(f"{subject} is in an encoding that cannot be read: {error}.") from None
    start("", {})


class _RootReadError(Exception):
    """What a document is, is known."""


def _read_root(body: bytes) -> str:
    """The local name of the first element; ``!DOCTYPE`` where one stands before it."""

    def handle_element(name: str, _attributes: dict[str, str]) -> None:
        raise _RootReadError(LOCAL_NAMES[name])

    def handle_doctype(*_declared: object) -> None:
        raise _RootReadError("!DOCTYPE")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler = handle_element
    parser.StartDoctypeDeclHandler = handle_doctype
    try:
        parser.Parse(body, True)  # noqa: FBT003 - the C function takes no keywords
    except _RootReadError as root:
        return str(root)
    return ""


def _describe_kind(body: bytes, root: str, noun: str) -> str:
    """What a document that is not the right one looks like, for people."""
    start = body[:500].lstrip().lower()
    if root.lower() == "html" or b"<html" in start or b"<!doctype html" in start:
        return "a web page, perhaps from a proxy or a login"
    if root == "!DOCTYPE":
        return f"a document with a DOCTYPE, which {noun}s do not have"
    return f"a document of <{root}>" if root else "not well-formed XML"


# --- documents of entries with parts --------------------------------------------------------------

TEXT_SEPARATOR = "\x1e"
"""Stands between the texts of an element that comes again; no XML can hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFormat:
    """How a maker writes entries.

    Attributes:
        noun: what such a document is called: ``feed``.
        roots: the local names that its root may have.
        entry: the name of an entry.
        parts: the names of what belongs together by its order: an author, his name, where he works, the next.
        footer: the names of what belongs to the document and may stand behind its entries.
        attributes: the names of attributes that matter.
    """

    noun: str
    roots: frozenset[str]
    entry: str
    parts: frozenset[str]
    footer: frozenset[str]
    attributes: frozenset[str]


class XmlEntry(NamedTuple):
    """An entry: its fields by name, and its parts in the order printed, each with its name.

    An attribute is the field or part ``element@attribute``; where a field comes again, its texts are parted
    by ``TEXT_SEPARATOR``.
    """

    fields: XmlRecord
    parts: list[tuple[str, str]]


def read_entries(body: bytes, entry_format: EntryFormat, *, subject: str) -> tuple[XmlRecord, list[XmlEntry]]:
    """Read a document of entries.

    Returns:
        What the document says of itself, and its entries in the order printed.

    Raises:
        SourceError: it is empty, breaks off, is not well-formed, or is something else; nothing of it is given.
    """
    head = XmlEntry({}, [])
    entries: list[XmlEntry] = []
    entry_name, part_names, attribute_names = entry_format.entry, entry_format.parts, entry_format.attributes
    special_names = entry_format.parts | entry_format.footer
    fields, parts = head
    field = ""
    texts: list[str] = []

    def store_text(name: str, text: str) -> None:
        if field in part_names:
            parts.append((name, text))
            return
        record = head.fields if field in special_names else fields
        record[name] = f"{record[name]}{TEXT_SEPARATOR}{text}" if name in record else text

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal fields, parts, field
        if texts:
            if field in part_names:
                parts.append((field, texts.pop()))
            elif field in special_names or field in fields:
                store_text(field, texts.pop())
            else:
                fields[field] = texts.pop()
        field = LOCAL_NAMES[name]
        if field == entry_name:
            fields, parts = entry = XmlEntry({}, [])
            entries.append(entry)
        if attributes and not attribute_names.isdisjoint(attributes):
            for key in attribute_names.intersection(attributes):
                store_text(f"{field}@{key}", attributes[key])

    walk(body, start, texts.append, subject=subject, noun=entry_format.noun, roots=entry_format.roots)
    return head.fields, entries
