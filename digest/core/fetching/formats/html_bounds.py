"""Limits of web pages, checked before they are parsed: HTML parsers take quadratic time for two things."""

from __future__ import annotations

import re
from collections import Counter

MAX_DEPTH = 500
"""Maximum nesting depth of elements; arXiv's pages have about 20."""
_MAX_TAG_BYTES = 10_000
"""Maximum length of a tag with its attributes, in bytes; arXiv's have at most about 2,000."""
_TAG_OR_COMMENT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|title|textarea)\b.*?(?:</\1|\Z)"
    rb"|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<rest>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)",
    re.IGNORECASE | re.DOTALL,
)
_VOID_ELEMENTS = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
"""Elements that have no content (HTML, section 13.1.2)."""
_OPTIONAL_END_ELEMENTS = frozenset(b"dd dt li option p tbody td tfoot th thead tr".split())
"""Elements whose end tag may be omitted (HTML, section 13.1.2.4)."""


def is_bounded(body: bytes) -> bool:
    """Return True if a page has neither extremely deep nesting nor an extremely long tag.

    Args:
        body: the page, in an encoding that is compatible with ASCII.
    """
    depths: Counter[bytes] = Counter()
    depth = 0
    for match in _TAG_OR_COMMENT.finditer(body):
        name = (match["name"] or b"").lower()
        if len(match["rest"] or b"") > _MAX_TAG_BYTES:
            return False
        if not name or name in _VOID_ELEMENTS or name in _OPTIONAL_END_ELEMENTS:
            continue
        step = 1 if not match["end"] else -min(depths[name], 1)
        depths[name] += step
        depth += step
        if depth > MAX_DEPTH:
            return False
    return True
