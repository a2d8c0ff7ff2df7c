"""XML of known services as a tree, for texts that contain markup or extend over several levels.

A DOCTYPE is accepted unless it has declarations, which entity bombs need.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from xml.parsers import expat

from digest.errors import SourceError


def read_tree(body: bytes, roots: frozenset[str], *, subject: str) -> ET.Element:
    """Parse a document and return its root.

    Args:
        body: the whole document.
        roots: the allowed names of the root.
        subject: the name of the document, for errors.

    Raises:
        SourceError: the document is truncated, not well-formed, or of another kind.
    """
    if not body.strip():
        raise SourceError(f"{subject} came back empty.")
    try:
        if _has_declarations(body):
            raise SourceError(f"{subject} has a document type declaration, which is not accepted.")
        root = ET.fromstring(body)  # noqa: S314 - declarations of entities were rejected
    except (ET.ParseError, expat.ExpatError, ValueError, LookupError) as error:
        raise SourceError(f"{subject} cannot be read, it is {_describe_kind(body)}: {error}.") from None
    if root.tag not in roots:
        raise SourceError(f"{subject} is a different document, <{root.tag}>.")
    return root


class _PrologReadError(Exception):
    """Ends the parser at the first element."""


def _has_declarations(body: bytes) -> bool:
    """Return True if a document's DOCTYPE has declarations (XML 1.0, section 2.8: an internal subset).

    It uses the parser, because a search of the bytes is unreliable in UTF-16 and other encodings.

    Raises:
        expat.ExpatError: the document is not well-formed before the first element.
    """

    def handle_doctype(_name: str, _system: str | None, _public: str | None, internal: int) -> None:
        raise _PrologReadError(bool(internal))

    def handle_element(_name: str, _attributes: dict[str, str]) -> None:
        raise _PrologReadError(False)  # noqa: FBT003 - a result, not a switch

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
    """Return the text in an element without markup; "" for None."""
    return "" if element is None else "".join(element.itertext())
