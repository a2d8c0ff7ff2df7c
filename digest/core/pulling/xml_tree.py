"""XML of known makers as a tree, where texts have markup in them or hang together over several levels.

A DOCTYPE is skipped, unless it declares anything: the bombs of entities do.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from digest.errors import SourceError

_DOCTYPE = re.compile(rb"\A(\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*)<!DOCTYPE[^\[>]*>", re.DOTALL)


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
    plain = _DOCTYPE.sub(rb"\1", body, count=1)
    if b"<!DOCTYPE" in plain[:10_000] or b"<!ENTITY" in plain:
        raise SourceError(f"{subject} is no such document: it declares what it is made of.")
    try:
        root = ET.fromstring(plain)  # noqa: S314 - what declares entities was refused
    except (ET.ParseError, ValueError, LookupError) as error:
        raise SourceError(f"{subject} cannot be read, it is {_kind(body)}: {error}.") from None
    if root.tag not in roots:
        raise SourceError(f"{subject} is no such document but one of <{root.tag}>.")
    return root


def _kind(body: bytes) -> str:
    return "a web page" if b"<html" in body[:2000].lower() else "no well-formed XML"


def text_of(element: ET.Element | None) -> str:
    """All that stands in an element, without its markup; "" for none."""
    return "" if element is None else "".join(element.itertext())
