"""Strict XML parser for known services, based on expat, in one pass.

For a known service, an invalid document is an error, and never parsed in part. A DOCTYPE is rejected, because
entity bombs need one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat

from digest.errors import SourceError

XmlRecord = dict[str, str]
"""Texts by the local name of their elements, including surrounding white space."""


class _LocalNames(dict[str, str]):
    """A cache of local names: mirrors use other prefixes, and services change namespaces."""

    def __missing__(self, name: str) -> str:
        self[name] = local = name.rpartition("}")[2]
        return local


LOCAL_NAMES = _LocalNames()
"""Local name of an element, by the name that the handlers of ``walk`` receive."""
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
    """Parse a whole document; no handler is called before the root is validated.

    Args:
        body: the document, in the encoding that it declares.
        start: called at the start of each element, with its name and attributes; at the end with an empty
            name.
        text: called with each text in one piece, which extends to the *start* of the next element.
        subject: the name of the document, for errors: ``arXiv's feed of cs.LG``.
        noun: the expected kind of document: ``feed``.
        roots: the allowed local names of the root.

    Raises:
        SourceError: the document is empty, truncated, not well-formed, or of another kind.
    """
    if not body or body.isspace():
        raise SourceError(f"{subject} came back empty.")
    try:
        root = _read_root(body)
        if root not in roots:
            raise SourceError(f"{subject} is {_describe_kind(body, root, noun)}, not a valid {noun}.")
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        # A buffer larger than the document in UTF-8 makes expat pass each text in one piece.
        parser.buffer_size = 2 * len(body) + 1
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
    """Ends the parser at the root, with its local name."""


def _read_root(body: bytes) -> str:
    """Return the local name of the first element, or ``!DOCTYPE`` if one precedes it."""

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
    """Return a description, for messages, of what a document of another kind looks like."""
    start = body[:500].lstrip().lower()
    if root.lower() == "html" or b"<html" in start or b"<!doctype html" in start:
        return "a web page, perhaps from a proxy or a login"
    if root == "!DOCTYPE":
        return f"a document with a DOCTYPE, which {noun}s do not have"
    return f"a document of <{root}>" if root else "not well-formed XML"


# --- documents of entries with parts --------------------------------------------------------------

TEXT_SEPARATOR = "\x1e"
"""Separator of the texts of an element that occurs several times; it is not allowed in XML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFormat:
    """The format of a service's entries.

    Attributes:
        noun: the kind of document: ``feed``.
        roots: the allowed local names of the root.
        entry: the name of an entry.
        parts: names of elements whose order matters, such as an author, the author's name and affiliation,
            and the next.
        footer: names of elements of the document that may follow its entries.
        attributes: names of relevant attributes.
    """

    noun: str
    roots: frozenset[str]
    entry: str
    parts: frozenset[str]
    footer: frozenset[str]
    attributes: frozenset[str]


class XmlEntry(NamedTuple):
    """An entry: its fields by name, and its parts in the printed order, each with its name.

    An attribute is the field or part ``element@attribute``. The texts of a field that occurs several times
    are separated by ``TEXT_SEPARATOR``.
    """

    fields: XmlRecord
    parts: list[tuple[str, str]]


def read_entries(body: bytes, entry_format: EntryFormat, *, subject: str) -> tuple[XmlRecord, list[XmlEntry]]:
    """Parse a document of entries.

    Returns:
        The fields of the document, and its entries in the printed order.

    Raises:
        SourceError: the document is empty, truncated, not well-formed, or of another kind; nothing of it is
            returned.
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
