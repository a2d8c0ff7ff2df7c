"""HTML from outside, made plain text.

What it costs is bounded: the cleaner's time grows with the square of how deep tags are nested.
"""

from __future__ import annotations

import html
import re

from digest.core.text.cleaning import normalize_line

_MAX_LENGTH = 32_768
"""Characters of HTML that are looked at; no abstract is as long."""
_MAX_TAGS = 1_000
"""Beyond them tags are cut out without looking at what they mean."""
_TAG = re.compile(r"<[^<>]*>")
_BLOCK_TAG = re.compile(
    r"<(?=/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li"
    r"|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)\b)",
    re.IGNORECASE,
)


def convert_html_to_text(markup: str) -> str:
    """The words of a piece of HTML in one line: tags out, entities resolved, scripts and styles gone.

    Args:
        markup: whole or cut, well-formed or not; what stands beyond 32,768 characters is left out.
    """
    import nh3

    markup = markup[:_MAX_LENGTH].encode("utf-8", "ignore").decode()
    if "<" in markup and markup.count("<") > _MAX_TAGS:
        markup = _TAG.sub(" ", markup)
    markup = _BLOCK_TAG.sub(" <", markup)
    cleaned = nh3.clean(markup, tags=set(), clean_content_tags={"script", "style"})
    return normalize_line(html.unescape(cleaned))
