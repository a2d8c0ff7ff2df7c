"""XML of known makers as a tree, where texts have markup in them or hang together over several levels.

A DOCTYPE is skipped, unless it declares anything: the bombs of entities do.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from xml.parsers import expat

from digest.errors import SourceError


def read_tree(body: bytes, roots: frozenset[str], *, subject: str) -> ET.Element:
    """The root of a document.

    Args:
        body: whole.
        roots: the names that it may have.
        subject: what to call it in an error.

    Raises:
        SourceError: it breaks off, is not well-formed, or is something else.
    """
    if not body.strip():
        raise SourceError(f"{subject} came back empty.")
    try:
        if _has_declarations(body):
            raise SourceError(f"{subject} has a document type declaration, which is not accepted.")
        root = ET.fromstring(body)  # noqa: S314 - what declares entities was refused
    except (ET.ParseError, expat.ExpatError, ValueError, LookupError) as error:
        raise SourceError(f"{subject} cannot be read, it is {_describe_kind(body)}: {error}.") from None
    if root.tag not in roots:
        raise SourceError(f"{subject} is a different document, <{root.tag}>.")
    return root


class _PrologReadError(Exception):
    """All that stands before the first element was read."""


def _has_declarations(body: bytes) -> bool:
    """Whether a document's DOCTYPE declares anything itself (XML 1.0, section 2.8: an internal subset).

    The parser is asked, and not the bytes: in UTF-16 and other encodings these are not what they seem.

    Raises:
        expat.ExpatError: it is not well-formed before the first element.
    """

    def handle_doctype(_name: str, _system: str | None, _public: str | None, internal: int) -> None:
        raise _PrologReadError(bool(internal))

    def handle_element(_name: str, _attributes: dict[str, str]) -> None:
        raise _PrologReadError(False)  # noqa: FBT003 - what was found, not a switch

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = handle_doctype
    parser.StartElementHandler = handle_element
    try:
        parser.Parse(body, True)  # noqa: FBT003 - the C function takes no keywords
    except _PrologReadError as error:
        return bool(error.args[0])
    return False


def _describe_kind(body: bytes) -> str:
    return "a web page" if b"<html" in body[:2000].lower() else "not well-formed XML"


def extract_text(element: ET.Element | None) -> str:
    """All that stands in an element, without its markup; "" for none."""
    return "" if element is None else "".join(element.itertext())
