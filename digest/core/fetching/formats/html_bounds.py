"""What is counted in a web page before it is parsed: the time of parsers of HTML grows with the square of two things."""

from __future__ import annotations

import re
from collections import Counter

MAX_DEPTH = 500
"""Elements in each other; arXiv's pages have some 20."""
_MAX_TAG_BYTES = 10_000
"""Bytes of a tag with its attributes; arXiv's have some 2,000 at most."""
_TAG_OR_COMMENT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|title|textarea)\b.*?(?:</\1|\Z)"
    rb"|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<rest>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)",
    re.IGNORECASE | re.DOTALL,
)
_VOID_ELEMENTS = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
"""Elements that have no content (HTML, section 13.1.2)."""
_OPTIONAL_END_ELEMENTS = frozenset(b"dd dt li option p tbody td tfoot th thead tr".split())
"""Elements whose end may be left out (HTML, section 13.1.2.4)."""


def is_bounded(body: bytes) -> bool:
    """Whether a page has neither elements in very many others nor one with very many attributes.

    Args:
        body: the page, in an encoding in which ASCII is ASCII.
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
